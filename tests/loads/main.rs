//! The destination of a copy is never read: each instruction that touches it is caught and looked at.
#![cfg(all(target_os = "linux", target_arch = "x86_64", not(miri)))]

#[path = "../../benches/cases/mod.rs"]
mod cases;
#[path = "../common/mod.rs"]
mod common;
#[path = "../guarded/mod.rs"]
mod guarded;
#[path = "../oracle/mod.rs"]
mod oracle;
mod watched;

use cases::Case;
use oracle::{DEFAULTS, Side, bytes_dtype, sides, tiles};
use std::arch::asm;
use std::ptr::null_mut;
use stride::copy::words::STORE;
use stride::ffi::copy::*;
use stride::ffi::machine::*;
use stride::ffi::plan::*;
use stride::ffi::sides::stride_copy_sides;
use watched::{PAGE, Seen, Yard};

impl Yard {
    /// A copy of layouts.
    fn check_copy(&mut self, job: &Job) {
        let Job { dst, src, width, options, .. } = job;
        // All of a buffer is filled: some of it lies after the last element.
        let rest = options.flags & STRIDE_COPY_FILL_BUFFER != 0;
        let bytes = dst.extent() as usize * width + if rest { 13 } else { 0 };
        let memory = self.random.bytes(src.extent() as usize * width);
        let what = format!("{job:?}");
        let expect = |contents: &mut [u8]| {
            if rest {
                oracle::fill_rest(contents, dst, *width, &options.fill);
            }
            oracle::copy(contents, dst, &memory, src, *width);
        };
        self.check(&what, bytes, !dst.sizes.contains(&0), expect, |to| job.run(to, bytes, &memory));
    }
}

/// How a copy is called.
#[derive(Clone, Copy, Debug)]
enum Call {
    Whole,
    Plan,
    Parts(u32),
    /// A plan whose words say how to treat the caches: the number of a `Memory`. So all of them can be small.
    Treated(u64),
}

#[derive(Clone, Debug)]
#[allow(dead_code)] // the name is for messages
struct Job {
    name: String,
    dst: Side,
    src: Side,
    width: usize,
    options: stride_copy_options,
    call: Call,
}

impl Job {
    fn new(case: &Case, level: u32, flags: u32, call: Call) -> Self {
        // In front of the first element, too, there is something to fill.
        let margin = if flags & STRIDE_COPY_FILL_BUFFER != 0 { 3 } else { 0 };
        let (dst, src) = (Side::new(&case.sizes, &case.dst, margin), Side::new(&case.sizes, &case.src, 0));
        let options = stride_copy_options { flags, cpu_level: level, fill: *b"what is not data", ..DEFAULTS };
        Self { name: format!("{} {}", case.kind, case.name), dst, src, width: case.width, options, call }
    }

    fn run(&self, to: *mut u8, to_bytes: usize, from: &[u8]) -> i32 {
        let dtype = bytes_dtype(self.width);
        let (dst, src) = (self.dst.layout(dtype), self.src.layout(dtype));
        let (to, to_bytes, from, from_bytes) = (to.cast(), to_bytes as u64, from.as_ptr().cast(), from.len() as u64);
        // SAFETY: the buffers are as long as their lengths say.
        unsafe {
            if let Call::Whole = self.call {
                return stride_copy(&dst, to, to_bytes, &src, from, from_bytes, &self.options, null_mut());
            }
            let mut plan = stride_plan { words: [0; 512] };
            let status = stride_plan_init(&mut plan, &dst, &src, &self.options, null_mut());
            assert_eq!(status, 0, "{self:?}");
            if let Call::Treated(memory) = self.call {
                plan.words[1] = plan.words[1] & !(0xFF << STORE) | (memory | (memory & 1) << 4) << STORE;
            }
            let Call::Parts(parts) = self.call else {
                return stride_plan_execute(&plan, to, to_bytes, from, from_bytes, null_mut());
            };
            (0..parts).fold(0, |status, part| {
                status | stride_plan_execute_part(&plan, to, to_bytes, from, from_bytes, part, parts, null_mut())
            })
        }
    }
}

/// The same with fewer elements: sizes halved, and the strides of the loops around them, until it moves so many bytes.
fn shrunk(mut case: Case, most: usize) -> Case {
    while case.bytes() > most {
        let (d, old) = case.sizes.iter().copied().enumerate().max_by_key(|&(_, size)| size).unwrap();
        let new = (old + 1) / 2;
        for strides in [&mut case.dst, &mut case.src] {
            let reach = strides[d].abs() * old;
            let outer = |stride: &&mut i64| reach != 0 && stride.abs() >= reach;
            strides.iter_mut().filter(outer).for_each(|stride| *stride = *stride * new / old);
        }
        case.sizes[d] = new;
    }
    case
}

/// The named cases with at most so many bytes, those that are the same then once; and kinds of which only large ones
/// have names.
fn small_cases(most: usize) -> Vec<Case> {
    let (planes, image) = ([4 * 3364, 3364, 58, 1], [1984, 4, 1]);
    let further = [
        ("pad planes", 4, vec![2, 4, 56, 56], planes.to_vec(), vec![12544, 3136, 56, 1]),
        ("unpad planes", 4, vec![2, 4, 56, 56], vec![12544, 3136, 56, 1], planes.to_vec()),
        ("packed image to pitched", 1, vec![10, 480, 4], image.to_vec(), vec![1920, 4, 1]),
        ("pitched image to packed", 1, vec![10, 480, 4], vec![1920, 4, 1], image.to_vec()),
        ("channels to nchw", 4, vec![2, 64, 7, 7], vec![3136, 49, 7, 1], vec![0, 1, 0, 0]),
        ("channels to nhwc", 4, vec![2, 7, 7, 64], vec![3136, 448, 64, 1], vec![0, 0, 0, 1]),
    ]
    .map(|(name, width, sizes, dst, src)| Case { kind: "further", name: name.into(), width, sizes, dst, src });
    let mut known = std::collections::HashSet::new();
    let cases = cases::up_to(4 << 20).into_iter().chain(further).map(|case| shrunk(case, most));
    cases.filter(|case| known.insert((case.width, case.sizes.clone(), case.dst.clone(), case.src.clone()))).collect()
}

/// Calls with every level of this CPU and all cases of so many bytes; fewer where an instruction stores less.
fn for_each_case(most: usize, mut check: impl FnMut(u32, &Case)) {
    for level in 1..=stride_cpu_level() {
        let most = most >> if level == 1 { 3 } else { (level != stride_cpu_level()) as u32 };
        small_cases(most).iter().for_each(|case| check(level, case));
    }
}

/// What is seen of one instruction at a byte of the watched pages, `rdi`.
macro_rules! seen {
    ($yard:ident, $at:expr, $instruction:literal) => {
        // SAFETY: the instruction touches the pages watched, three and more after the byte, and registers named here.
        $yard.watch($at..$at + 4 * PAGE, |x| unsafe {
            asm!($instruction, inout("rdi") x => _, inout("rsi") x.wrapping_add(PAGE) => _,
                inout("rcx") 1500usize => _, inout("rax") 1usize => _, out("xmm0") _)
        })
        .1
    };
}

#[test]
fn the_watch_sees_loads_and_stores() {
    let mut yard = Yard::new(1);
    let seen = |loads, stores| Seen { loads, stores };
    // SAFETY: the byte watched.
    assert_eq!(yard.watch(40..41, |x| unsafe { x.read_volatile() }), (0, seen(1, 0)));
    // SAFETY: the same.
    assert_eq!(yard.watch(40..41, |x| unsafe { x.write_volatile(7) }), ((), seen(0, 1)));
    assert_eq!(yard.pages.bytes()[39..42], [0, 7, 0]);
    assert_eq!(seen!(yard, 40, "movups xmm0, [rdi]"), seen(1, 0));
    assert_eq!(seen!(yard, 40, "movups [rdi], xmm0"), seen(0, 1));
    assert_eq!(seen!(yard, PAGE - 4, "movups xmm0, [rdi]"), seen(2, 0));
    assert_eq!(seen!(yard, PAGE - 4, "movups [rdi], xmm0"), seen(0, 2));
    // One place read and written faults as a store, and is told by its code.
    assert_eq!(seen!(yard, 40, "add byte ptr [rdi], 1"), seen(1, 1));
    assert_eq!(seen!(yard, 40, "lock inc dword ptr [rdi]"), seen(1, 1));
    assert_eq!(seen!(yard, 40, "xchg [rdi], eax"), seen(1, 1));
    assert_eq!(seen!(yard, 40, "xadd [rdi], rax"), seen(1, 1));
    assert_eq!(seen!(yard, 40, "bts qword ptr [rdi], 3"), seen(1, 1));
    assert_eq!(seen!(yard, PAGE - 1, "or qword ptr [rdi], rax"), seen(2, 2));
    // Two places.
    assert_eq!(seen!(yard, 40, "movsb"), seen(1, 1));
    assert_eq!(seen!(yard, 40, "rep movsb"), seen(1, 1));
    // Strings that only write.
    assert_eq!(seen!(yard, 41, "rep stosq"), seen(0, 3));
    assert_eq!(yard.pages.bytes()[41..][..12_000], *[1, 0, 0, 0, 0, 0, 0, 0].repeat(1500));
}

#[test]
fn a_fault_elsewhere_ends_the_process() {
    if std::env::var_os("STRIDE_TOUCH_THE_GUARD").is_some() {
        let mut yard = Yard::new(2);
        let end = yard.pages.len();
        // SAFETY: none; this is meant to end the process.
        yard.watch(end - 1..end, |last| unsafe { last.wrapping_add(1).write_volatile(1) });
        return;
    }
    use std::os::unix::process::ExitStatusExt;
    let mut child = std::process::Command::new(std::env::current_exe().unwrap());
    child.args(["--exact", "a_fault_elsewhere_ends_the_process"]).env("STRIDE_TOUCH_THE_GUARD", "1");
    assert_eq!(child.output().unwrap().status.signal(), Some(libc::SIGSEGV));
}

#[test]
fn named_copies_never_read_the_destination() {
    let mut yard = Yard::new(3);
    for_each_case(12 << 10, |level, case| yard.check_copy(&Job::new(case, level, 0, Call::Whole)));
    yard.report("named copies");
}

#[test]
fn neither_do_flags_and_parts() {
    let mut yard = Yard::new(4);
    let flags = [
        0,
        STRIDE_COPY_FILL_BUFFER,
        STRIDE_COPY_KEEP_CACHED,
        STRIDE_COPY_SMALL_STACK,
        STRIDE_COPY_ASSUME_DISTINCT,
        STRIDE_COPY_OVERLAP,
    ];
    for_each_case(2 << 10, |level, case| {
        for flags in flags {
            let call = yard.random.pick(&[Call::Whole, Call::Plan, Call::Parts(2), Call::Parts(5)]);
            yard.check_copy(&Job::new(case, level, flags, call));
        }
    });
    yard.report("flags and parts");
}

/// The stores, whatever the sizes are from which on this CPU gets them; portable code has but one.
#[test]
fn neither_do_copies_past_the_caches() {
    let mut yard = Yard::new(5);
    let stores: [&[u64]; 2] = [&[1, 2], &[1, 2, 3]];
    for_each_case(7 << 10, |level, case| {
        for &memory in stores[(level == stride_cpu_level()) as usize].iter().filter(|_| level > 1) {
            yard.check_copy(&Job::new(case, level, 0, Call::Treated(memory)));
        }
    });
    yard.report("stores");
}

#[test]
fn neither_do_random_copies() {
    let mut yard = Yard::new(6);
    for number in 0..300 {
        let random = &mut yard.random;
        let sizes = if random.one_in(6) { oracle::long_sizes(random) } else { oracle::random_sizes(random) };
        let (dst, src) = (oracle::distinct_strides(random, &sizes), oracle::source_strides(random, &sizes));
        let width = random.pick(&[1, 2, 3, 4, 6, 8, 12, 16, 17, 40]);
        let case = Case { kind: "random", name: number.to_string(), width, sizes, dst, src };
        if case.bytes() > 6 << 10 {
            continue;
        }
        let flags =
            random.next() as u32 & (STRIDE_COPY_FILL_BUFFER | STRIDE_COPY_KEEP_CACHED | STRIDE_COPY_SMALL_STACK);
        let flags = if random.one_in(3) { flags } else { 0 };
        let call = random.pick(&[Call::Whole, Call::Plan, Call::Parts(4)]);
        let level = 1 + random.below(stride_cpu_level().into()) as u32;
        yard.check_copy(&Job::new(&case, level, flags, call));
    }
    yard.report("random copies");
}

/// What leaves the caches of many CPUs, or writes past them.
#[test]
fn neither_do_large_copies() {
    let mut yard = Yard::new(7);
    yard.every = 197;
    let transposed = |rows: i64, columns| (vec![columns, rows], vec![rows, 1], vec![1, columns]);
    let channels = |n: i64, k| (vec![n, k], vec![k, 1], vec![1, n]);
    for (name, width, (sizes, dst, src)) in [
        ("run", 4, (vec![3_200_000], vec![1], vec![1])),
        ("long rows", 4, (vec![3130, 1024], vec![1024, 1], vec![1100, 1])),
        ("short rows", 4, (vec![50_000, 64], vec![64, 1], vec![70, 1])),
        ("transpose", 1, transposed(3200, 3200)),
        ("transpose", 2, transposed(2272, 2240)),
        ("transpose", 4, transposed(1600, 1600)),
        ("transpose", 8, transposed(1136, 1128)),
        ("transpose", 4, transposed(1601, 1603)),
        ("crowded transpose", 4, transposed(1024, 1024)),
        ("interleave", 4, channels(1_060_000, 3)),
        ("deinterleave", 2, (vec![3, 2_100_000], vec![2_100_000, 1], vec![1, 3])),
        ("fill", 4, (vec![3_200_000], vec![1], vec![0])),
        ("reverse", 4, (vec![3_200_000], vec![1], vec![-1])),
        ("every second", 4, (vec![3_200_000], vec![1], vec![2])),
    ] {
        let case = Case { kind: "large", name: name.into(), width, sizes, dst, src };
        yard.check_copy(&Job::new(&case, 0, 0, Call::Whole));
    }
    yard.report("large copies");
}

#[test]
fn neither_do_fills_and_tiles() {
    let mut yard = Yard::new(8);
    for width in 1..=20 {
        let side = Side::new(&[3, 9, 50], &[600, -60, 1], 2);
        let value = yard.random.bytes(width);
        let once = Side::new(&side.sizes, &[0; 3], 0);
        let (layout, bytes) = (side.layout(bytes_dtype(width)), side.extent() as usize * width);
        let expect = |contents: &mut [u8]| oracle::copy(contents, &side, &value, &once, width);
        // SAFETY: the buffer is as long as its length says, the value one element.
        let fill =
            |to: *mut u8| unsafe { stride_fill(&layout, to.cast(), bytes as u64, value.as_ptr().cast(), null_mut()) };
        yard.check(&format!("fill of {width}"), bytes, true, expect, fill);
    }
    let shape = common::parse("f32[20,300]{1,0:T(8,128)(2,1)}").unwrap();
    let at = |i, k| 4 * tiles::position(&[20, 300], &[1, 0], &[vec![8, 128], vec![2, 1]], &[i, k]).0 as usize;
    let places: Vec<usize> = (0..20 * 300).map(|n| at(n / 300, n % 300)).collect();
    let (rows, bytes) = (Side::new(&[20, 300], &[300, 1], 0).layout(common::Dtype::F32.code()), 24 * 384 * 4);
    let memory = yard.random.bytes(bytes);
    for (level, to_tiles) in (1..=stride_cpu_level()).flat_map(|level| [(level, true), (level, false)]) {
        let options = stride_copy_options { cpu_level: level, ..DEFAULTS };
        let expect = |contents: &mut [u8]| {
            for (n, &place) in places.iter().enumerate() {
                let (to, from) = if to_tiles { (place, 4 * n) } else { (4 * n, place) };
                contents[to..to + 4].copy_from_slice(&memory[from..from + 4]);
            }
        };
        // SAFETY: both buffers are as long as the tiled one, the longer.
        let copy = |to: *mut u8| unsafe {
            let (to, from, bytes) = (to.cast(), memory.as_ptr().cast(), bytes as u64);
            let (mut dst, mut src) = (sides::side(&shape), sides::side(&rows));
            if !to_tiles {
                (dst, src) = (src, dst);
            }
            stride_copy_sides(&dst, to, bytes, &src, from, bytes, &options, null_mut())
        };
        yard.check(&format!("tiles, {to_tiles}, level {level}"), bytes, true, expect, copy);
    }
    yard.report("fills and tiles");
}
