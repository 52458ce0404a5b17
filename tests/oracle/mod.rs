//! The oracle that all copies are held against: the naive loop over every index, written once; and the random layouts
//! that feed it.
#![allow(dead_code)] // each test binary uses its part

pub mod gaps;
pub mod seen;
pub mod sides;
pub mod tiles;
pub mod whole;

use stride::ffi::copy::{STRIDE_COPY_ASSUME_DISTINCT, stride_copy_options};
use stride::ffi::layout::{stride_layout, stride_layout_init};
use stride::ffi::machine::{stride_machine, stride_machine_parse};
use stride::ffi::plan::stride_plan;
use stride::ffi::plan_facts::{stride_plan_facts, stride_plan_query};
use stride::ffi::status::stride_error;
use stride::machine::Level;

/// What a case is made of: SplitMix64, small, seeded, the same everywhere. In a fuzzer the bytes that it offers come
/// first, so that it may steer.
#[derive(Clone)]
pub struct Random<'a> {
    state: u64,
    offered: &'a [u8],
}

impl<'a> Random<'a> {
    /// From a seed alone.
    pub fn new(seed: u64) -> Self {
        Self { state: seed, offered: &[] }
    }

    /// From these bytes first.
    pub fn steered(offered: &'a [u8]) -> Self {
        Self { state: 0, offered }
    }

    /// Any 64 bits.
    #[allow(clippy::should_implement_trait)] // it has no end
    pub fn next(&mut self) -> u64 {
        match self.offered.split_first_chunk() {
            Some((bytes, rest)) => {
                self.offered = rest;
                u64::from_le_bytes(*bytes)
            }
            None => self.mixed(),
        }
    }

    fn mixed(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.state;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    /// 0 … limit − 1.
    pub fn below(&mut self, limit: u64) -> i64 {
        match self.offered.split_first() {
            Some((&byte, rest)) if limit <= 256 => {
                self.offered = rest;
                (byte as u64 % limit) as i64
            }
            _ => (self.next() % limit) as i64,
        }
    }

    /// True once in `n` times.
    pub fn one_in(&mut self, n: u64) -> bool {
        self.below(n) == 0
    }

    /// One of a list.
    pub fn pick<T: Copy>(&mut self, list: &[T]) -> T {
        list[self.below(list.len() as u64) as usize]
    }

    /// Puts a list into any order.
    pub fn shuffle<T>(&mut self, list: &mut [T]) {
        for k in (1..list.len()).rev() {
            list.swap(k, self.below(k as u64 + 1) as usize);
        }
    }

    /// So many bytes, which nobody steers.
    pub fn bytes(&mut self, count: usize) -> Vec<u8> {
        if cfg!(miri) {
            // Fewer steps: the same bytes again and again.
            let some: Vec<u8> = (0..count.min(251)).map(|_| self.mixed() as u8).collect();
            let mut bytes = some.repeat(count / 251 + 1);
            bytes.truncate(count);
            return bytes;
        }
        (0..count).map(|_| self.mixed() as u8).collect()
    }
}

/// Prints which case it was, if that ends in a panic.
struct Told<F: Fn()>(F);

impl<F: Fn()> Drop for Told<F> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.0();
        }
    }
}

/// Calls `check` for so many cases. One that fails is told by its number, and is made again by [`Random::new`] of the
/// sum of seed and number.
pub fn cases(seed: u64, count: u64, mut check: impl FnMut(&mut Random)) {
    for number in 0..times(count) {
        let _told = Told(|| eprintln!("this is case {number} of seed {seed}"));
        check(&mut Random::new(seed.wrapping_add(number)));
    }
}

/// Calls `any_bytes` with each input that fuzzing found worth keeping (`fuzz/corpora.py`): a line each, in hexadecimal
/// digits. Most still pass the library's checks.
pub fn corpus(lines: &str, any_bytes: impl Fn(&[u8]) -> bool) {
    let lines: Vec<&str> = lines.lines().collect();
    assert!(!lines.is_empty());
    let (mut passed, mut all) = (0, 0);
    for line in lines.iter().step_by(lines.len().div_ceil(times(lines.len()))) {
        let _told = Told(|| eprintln!("this is input {line}"));
        let digit = |at: usize| u8::from_str_radix(&line[at..at + 2], 16).expect("hexadecimal digits");
        passed += u64::from(any_bytes(&(0..line.len()).step_by(2).map(digit).collect::<Vec<_>>()));
        all += 1;
    }
    println!("{passed} of {all} inputs pass");
    // Under Miri it is two to five of them, too few for a share.
    let enough = if cfg!(miri) { passed > 0 } else { 2 * passed > all };
    assert!(enough, "only {passed} of {all} inputs pass");
}

/// Makes a case again and again until one passes the library's checks, up to 16 times: whether one did. So a fuzzer,
/// whose input is one such case, gets past them nine times in ten, and what it made before was refused as it should be.
pub fn until_one_passes(case: impl FnMut() -> bool) -> bool {
    std::iter::repeat_with(case).take(16).any(|passed| passed)
}

/// Holds how many inputs pass the library's checks to nine of ten, where nothing is known of them: so many random bytes
/// are what a fuzzer begins with.
pub fn nine_of_ten_pass(target: &str, any_bytes: impl Fn(&[u8]) -> bool) {
    let (mut passed, all) = (0, times(1000));
    cases(20_261_125, all, |random| {
        let length = 20 + random.below(200) as usize;
        passed += u64::from(any_bytes(&random.bytes(length)));
    });
    println!("\ninputs of {target}: {passed} of {all} pass");
    assert!(cfg!(miri) || passed * 10 >= all * 9, "{passed} of {all} inputs of {target} pass");
}

/// So many cases; under Miri, which takes a thousand times as long for each, a few of them.
pub fn times<N: Copy + TryFrom<u64> + TryInto<u64>>(all: N) -> N {
    let few = || {
        let all: u64 = all.try_into().ok()?;
        N::try_from((all / 4000).clamp(2, 5)).ok()
    };
    if cfg!(miri) { few().expect("a number above 0") } else { all }
}

/// Whether fewer cases are run than their counts promise: under Miri, and with `STRIDE_SAMPLE` (emulated CPUs and
/// sanitizers, before each change).
pub fn is_sample() -> bool {
    cfg!(miri) || std::env::var_os("STRIDE_SAMPLE").is_some()
}

/// So many cases, or one in five of a sample.
pub fn sample(all: u64) -> u64 {
    if is_sample() { all.div_ceil(5) } else { all }
}

/// Sizes and strides of one side, and the offset that makes the lowest element `margin`.
#[derive(Clone, Debug)]
pub struct Side {
    pub sizes: Vec<i64>,
    pub strides: Vec<i64>,
    pub offset: i64,
}

impl Side {
    pub fn new(sizes: &[i64], strides: &[i64], margin: i64) -> Self {
        let dimensions = sizes.iter().zip(strides);
        let below: i64 = dimensions.map(|(&n, &s)| if n > 1 { (n - 1) * s.min(0) } else { 0 }).sum();
        let empty = sizes.contains(&0);
        let offset = if empty { margin } else { margin - below };
        Self { sizes: sizes.to_vec(), strides: strides.to_vec(), offset }
    }

    /// The C struct.
    pub fn layout(&self, dtype: u32) -> stride_layout {
        layout(dtype, &self.sizes, &self.strides, self.offset)
    }

    /// Element offset of every index, in row-major order: the definition of a layout.
    pub fn offsets(&self) -> Vec<i64> {
        let mut offsets = vec![self.offset];
        for (&size, &stride) in self.sizes.iter().zip(&self.strides) {
            offsets = offsets.iter().flat_map(|&base| (0..size).map(move |i| base + i * stride)).collect();
        }
        offsets
    }

    /// Elements that a buffer needs.
    pub fn extent(&self) -> i64 {
        self.offsets().iter().max().map_or(0, |&highest| highest + 1)
    }
}

/// Of what takes longest, one check of so many is made: `STRIDE_SHARE`; 6 by default, 1 in what `make proof` counts,
/// more for emulated CPUs.
pub fn share() -> u64 {
    std::env::var("STRIDE_SHARE")
        .map_or(6, |share| share.parse::<std::num::NonZeroU64>().expect("a number above 0").get())
}

/// A layout made by the library, with an offset.
pub fn layout(dtype: u32, sizes: &[i64], strides: &[i64], offset: i64) -> stride_layout {
    let mut out = stride_layout { dtype: 0, rank: 0, offset: 0, sizes: [0; 64], strides: [0; 64] };
    // SAFETY: both arrays hold `rank` entries; `out` is ours; no error record is asked for.
    let status = unsafe {
        let rank = sizes.len() as u32;
        stride_layout_init(&mut out, dtype, rank, sizes.as_ptr(), strides.as_ptr(), std::ptr::null_mut())
    };
    assert_eq!(status, 0, "{sizes:?} {strides:?}");
    out.offset = offset;
    out
}

/// What a plan knows of itself; `None` if it is none.
pub fn facts(plan: &stride_plan) -> Option<stride_plan_facts> {
    // SAFETY: a struct of numbers; its first one says its size.
    let mut facts: stride_plan_facts = unsafe { std::mem::zeroed() };
    facts.struct_size = size_of::<stride_plan_facts>() as u32;
    // SAFETY: both are ours; no error record is asked for.
    let status = unsafe { stride_plan_query(plan, &mut facts, std::ptr::null_mut()) };
    (status == 0).then_some(facts)
}

/// Whether a plan that anybody wrote is soon done: one that claims distinct elements may run nearly for ever.
pub fn ends_soon(plan: &stride_plan) -> bool {
    plan.words[2] as u32 & STRIDE_COPY_ASSUME_DISTINCT == 0 || facts(plan).is_none_or(|facts| facts.bytes < 1 << 20)
}

/// Options that ask for nothing.
pub const DEFAULTS: stride_copy_options = stride_copy_options {
    struct_size: size_of::<stride_copy_options>() as u32,
    flags: 0,
    cpu_level: 0,
    reserved: 0,
    overlap_budget: 0,
    fill: [0; 16],
    machine: std::ptr::null(),
    scratch: std::ptr::null_mut(),
    scratch_bytes: 0,
    conversion: std::ptr::null(),
};

/// An error record that nothing was written to.
pub const NO_ERROR: stride_error = stride_error {
    status: 0,
    argument: 0,
    dimension: 0,
    item: 0,
    position: 0,
    lhs: 0,
    rhs: 0,
    detail: 0,
    reserved: [0; 2],
};

/// Of nothing: what a [`sum`] begins with.
pub const NO_SUM: u64 = 0xCBF2_9CE4_8422_2325;

/// A sum (FNV-1a), with these bytes: what pins answers that are too many for a list.
pub fn sum(sum: u64, bytes: &[u8]) -> u64 {
    bytes.iter().fold(sum, |sum, &byte| (sum ^ byte as u64).wrapping_mul(0x100_0000_01B3))
}

/// Holds a text to the file of that name in this folder, line by line; where the environment has `variable`, the file
/// becomes the text. `of` says what stands after a line, counted from 0.
pub fn pinned(file: &str, variable: &str, text: &str, of: impl Fn(usize) -> String) {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests").join(file);
    if std::env::var_os(variable).is_some() {
        std::fs::write(&path, text).expect("a file that can be written");
    }
    let pinned = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("tests/{file}: {error}"));
    for (line, (now, pinned)) in text.lines().zip(pinned.lines()).enumerate() {
        assert_eq!(now, pinned, "tests/{file}:{}: {variable}=1 writes it anew\n{}", line + 1, of(line));
    }
    assert_eq!(text.len(), pinned.len(), "tests/{file}");
}

/// Bytes as a dtype.
pub fn bytes_dtype(width: usize) -> u32 {
    0x8000_0000 | width as u32
}

/// The naive copy.
pub fn copy(dst: &mut [u8], dst_side: &Side, src: &[u8], src_side: &Side, width: usize) {
    for (to, from) in dst_side.offsets().into_iter().zip(src_side.offsets()) {
        let (to, from) = (to as usize * width, from as usize * width);
        dst[to..to + width].copy_from_slice(&src[from..from + width]);
    }
}

/// Runs each part on memory of its own: what all of them make of it. None may change a byte that another one changes;
/// `case` says where one does.
pub fn parts(before: &[u8], parts: u32, case: impl Fn() -> String, mut run: impl FnMut(&mut [u8], u32)) -> Vec<u8> {
    let (mut joined, mut owners) = (before.to_vec(), vec![u32::MAX; before.len()]);
    for part in 0..parts {
        let mut own = before.to_vec();
        run(&mut own, part);
        for byte in (0..own.len()).filter(|&byte| own[byte] != before[byte]) {
            assert_eq!(owners[byte], u32::MAX, "byte {byte} of part {part} of {parts}, {}", case());
            (owners[byte], joined[byte]) = (part, own[byte]);
        }
    }
    joined
}

/// The naive fill with the bytes of one element.
pub fn fill(dst: &mut [u8], dst_side: &Side, value: &[u8]) {
    for offset in dst_side.offsets() {
        dst[offset as usize * value.len()..][..value.len()].copy_from_slice(value);
    }
}

/// The instruction sets of this CPU, and the portable code.
pub fn levels() -> Vec<Level> {
    Level::ALL.into_iter().filter(|level| level.is_here()).collect()
}

/// The machine of a text.
pub fn machine(text: &str) -> stride_machine {
    let mut out = std::mem::MaybeUninit::uninit();
    // SAFETY: a text and its length; a struct that may be written.
    let status = unsafe {
        stride_machine_parse(text.as_ptr().cast(), text.len() as u64, out.as_mut_ptr(), std::ptr::null_mut())
    };
    assert_eq!(status, 0, "{text}");
    // SAFETY: it was written.
    unsafe { out.assume_init() }
}

/// All zero.
pub fn zeroed<T>() -> T {
    // SAFETY: for C structs of numbers and pointers.
    unsafe { std::mem::zeroed() }
}

/// The naive FILL_BUFFER.
pub fn fill_rest(dst: &mut [u8], dst_side: &Side, width: usize, fill: &[u8; 16]) {
    let before = dst.to_vec();
    let element: Vec<u8> = (0..width).map(|p| fill[p % 16]).collect();
    dst.copy_from_slice(&element.repeat(dst.len() / width + 1)[..dst.len()]);
    for offset in dst_side.offsets() {
        let at = offset as usize * width;
        dst[at..at + width].copy_from_slice(&before[at..at + width]);
    }
}

/// Rank 0–8, sizes 0–9, not more than a few thousand elements (under Miri a few hundred).
pub fn random_sizes(random: &mut Random) -> Vec<i64> {
    let rank = random.below(9);
    let mut room = random.pick(if cfg!(miri) { &[8, 32, 64, 160] } else { &[8, 64, 512, 2048] });
    let mut sizes: Vec<i64> = (0..rank)
        .map(|_| {
            let size = if random.one_in(60) { 0 } else { 1 + random.below(room.min(9) as u64) };
            room = (room / size.max(1)).max(1);
            size
        })
        .collect();
    random.shuffle(&mut sizes);
    sizes
}

/// Rank 1–3, the first size up to 300, not more than 8,192 elements (under Miri 800): many tiles of a kernel, and
/// several of its strips.
pub fn long_sizes(random: &mut Random) -> Vec<i64> {
    let (most, longest) = if cfg!(miri) { (800, 60) } else { (8192, 300) };
    let first = 1 + random.below(longest);
    let second = 1 + random.below((most / first as u64).min(300));
    let mut sizes = vec![first, second, 1 + random.below((most / (first * second) as u64).min(5))];
    sizes.truncate(1 + random.below(5).min(2) as usize);
    random.shuffle(&mut sizes);
    sizes
}

/// Strides of distinct elements: nested in a random order with random padding and signs; now and then the
/// two-dimensional kind that is distinct without being nested.
pub fn distinct_strides(random: &mut Random, sizes: &[i64]) -> Vec<i64> {
    let mut order: Vec<usize> = (0..sizes.len()).collect();
    if !random.one_in(3) {
        random.shuffle(&mut order);
    } else if random.one_in(2) {
        order.reverse();
    }
    let mut strides = vec![0; sizes.len()];
    let mut step = if random.one_in(4) { 1 + random.below(3) } else { 1 };
    for dimension in order {
        strides[dimension] = if random.one_in(4) { -step } else { step };
        step *= sizes[dimension].max(1);
        if random.one_in(4) {
            step += random.below(4);
        }
        if sizes[dimension] == 1 && random.one_in(2) {
            strides[dimension] = random.pick(&[0, -7, 1, i64::MAX, i64::MIN]);
        }
    }
    let open: Vec<usize> = (0..sizes.len()).filter(|&d| sizes[d] > 1).collect();
    if let [a, b] = open[..]
        && random.one_in(8)
    {
        // Coprime strides p, q with p >= size of b: p·x = q·y has no solution in range.
        strides[a] = sizes[b];
        strides[b] = sizes[b] + 1;
    }
    strides
}

/// Strides of a source: as above, or with repeated elements, or just any.
pub fn source_strides(random: &mut Random, sizes: &[i64]) -> Vec<i64> {
    let mut strides = distinct_strides(random, sizes);
    match random.below(4) {
        0 => {
            for stride in &mut strides {
                if random.one_in(3) {
                    *stride = 0;
                }
            }
        }
        1 => {
            for (stride, &size) in strides.iter_mut().zip(sizes).filter(|(_, size)| **size != 1) {
                *stride = random.below(13) - 6 + i64::from(size == 0);
            }
        }
        _ => {}
    }
    strides
}

/// Changes one to three words of a plan, of those that are in use.
pub fn forge(random: &mut Random, plan: &mut stride_plan) {
    let used = (plan.words[0] & 0xFFFF) as usize;
    for _ in 0..1 + random.below(3) {
        let at = 1 + random.below(used as u64 - 1) as usize;
        let word = &mut plan.words[at];
        *word = match random.below(6) {
            0 => random.next(),
            1 => random.below(20) as u64,
            2 => word.wrapping_add(random.below(5) as u64).wrapping_sub(2),
            3 => 1 << random.below(64),
            4 => *word ^ 0xFF << random.below(56),
            _ => *word ^ 1 << random.below(64),
        };
    }
}
