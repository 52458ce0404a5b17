//! Pages whose loads and stores are counted, one instruction at a time.
//!
//! The destination's pages may not be touched. An access faults, and the handler sees in the CPU's error code whether
//! it was a load or a store. It opens the page, for a load only to be read, and lets the one instruction pass: a store
//! is run where a breakpoint stands after it (which is much faster), anything else with the trap flag set. Then the
//! pages are closed again. Another page that the same instruction reaches, across a boundary or by a scatter, faults on
//! its own. Prefetches never fault: they may ask for lines of a destination, but nothing depends on what they find.
//!
//! An instruction that reads and writes one place (`add [x], 1`) faults as a store, and no page of this architecture
//! can be written and not read. So stores are decoded: whatever is not known to write only counts as a load as well, so
//! that a new instruction fails here until it is in the list of `store`. And each copy runs over two different former
//! contents, neither of which may show in the result.

use crate::guarded::Guarded;
use crate::oracle::Random;
use libc::{REG_EFL, REG_ERR, REG_RIP, SIGSEGV, SIGTRAP, c_int, c_void, siginfo_t};
use std::ptr::null_mut;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering::Relaxed};
use std::sync::{Mutex, MutexGuard, PoisonError};

pub const PAGE: usize = 4096;
const TRAP_FLAG: i64 = 0x100;

/// The pages that are watched, by one thread at a time: begin and end, and of how many of them the first four.
static WATCHED: [AtomicUsize; 3] = [const { AtomicUsize::new(1) }; 3];
/// Those that the instruction under way may touch, and how many.
static OPEN: [AtomicUsize; 512] = [const { AtomicUsize::new(0) }; 512];
static OPENED: AtomicUsize = AtomicUsize::new(0);
/// Where stores are run, where the one under way comes from, and where the program goes on after it.
static STAGE: AtomicUsize = AtomicUsize::new(0);
static CAME_FROM: AtomicUsize = AtomicUsize::new(0);
static GOES_ON: AtomicUsize = AtomicUsize::new(0);
/// What was seen, and which instruction loaded first.
static LOADS: AtomicU64 = AtomicU64::new(0);
static STORES: AtomicU64 = AtomicU64::new(0);
static FIRST_LOAD: AtomicUsize = AtomicUsize::new(0);

/// Pages that instructions touched, counted anew for each instruction; a string (`rep stosq`) is one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Seen {
    pub loads: u64,
    pub stores: u64,
}

fn is_watched(address: usize) -> bool {
    let [begin, end, every] = [0, 1, 2].map(|k: usize| WATCHED[k].load(Relaxed));
    (begin..end).contains(&address) && (address - begin) / PAGE % every < 4
}

fn protect(page: usize, bytes: usize, protection: c_int) {
    // SAFETY: pages of a mapping of this test, which nothing else uses while they are watched.
    let status = unsafe { libc::mprotect(page as *mut c_void, bytes, protection) };
    assert_eq!(status, 0);
}

/// Ends the process where the handler of this signal has no business: what raised it runs again, and meets no handler.
fn die_of(signal: c_int) {
    // SAFETY: may be called in a handler.
    unsafe { libc::signal(signal, libc::SIG_DFL) };
}

extern "C" fn on_fault(signal: c_int, info: *mut siginfo_t, context: *mut c_void) {
    // SAFETY: what the kernel hands to a handler.
    let (address, registers) =
        unsafe { ((*info).si_addr() as usize, &mut (*context.cast::<libc::ucontext_t>()).uc_mcontext.gregs) };
    if !is_watched(address) {
        return die_of(signal);
    }
    let (page, opened, stage) = (address & !(PAGE - 1), OPENED.load(Relaxed), STAGE.load(Relaxed));
    let (rip, is_store) = (registers[REG_RIP as usize] as usize, registers[REG_ERR as usize] & 2 != 0);
    let mut only_writes = rip == stage;
    if opened == 0 {
        // A new instruction.
        CAME_FROM.store(rip, Relaxed);
        // SAFETY: it has just run; the stage has room for any, and nothing runs there now.
        unsafe {
            if let Some(length) = store(rip as *const u8) {
                only_writes = true;
                std::ptr::copy_nonoverlapping(rip as *const u8, stage as *mut u8, length);
                (stage as *mut u8).add(length).write(0xCC); // int3
                GOES_ON.store(rip + length, Relaxed);
                registers[REG_RIP as usize] = stage as i64;
            } else {
                registers[REG_EFL as usize] |= TRAP_FLAG;
            }
        }
    }
    STORES.fetch_add(u64::from(is_store), Relaxed);
    if !(is_store && only_writes) && LOADS.fetch_add(1, Relaxed) == 0 {
        FIRST_LOAD.store(CAME_FROM.load(Relaxed), Relaxed);
    }
    if !OPEN[..opened].iter().any(|open| open.load(Relaxed) == page) {
        let Some(entry) = OPEN.get(opened) else { return die_of(signal) };
        entry.store(page, Relaxed);
        OPENED.store(opened + 1, Relaxed);
    }
    protect(page, PAGE, if is_store { libc::PROT_READ | libc::PROT_WRITE } else { libc::PROT_READ });
}

extern "C" fn on_trap(signal: c_int, _: *mut siginfo_t, context: *mut c_void) {
    // SAFETY: what the kernel hands to a handler.
    let registers = unsafe { &mut (*context.cast::<libc::ucontext_t>()).uc_mcontext.gregs };
    let opened = OPENED.swap(0, Relaxed);
    if opened == 0 {
        return die_of(signal);
    }
    OPEN[..opened].iter().for_each(|page| protect(page.load(Relaxed), PAGE, libc::PROT_NONE));
    if registers[REG_EFL as usize] & TRAP_FLAG == 0 {
        registers[REG_RIP as usize] = GOES_ON.load(Relaxed) as i64;
    }
    registers[REG_EFL as usize] &= !TRAP_FLAG;
}

/// Bytes of an instruction that writes to memory what it does not read there, and that may stand anywhere; `None` for
/// others, and for what is not known here.
///
/// # Safety
/// An instruction stands there.
unsafe fn store(code: *const u8) -> Option<usize> {
    // SAFETY: each byte that is looked at belongs to the instruction if those before it do.
    let byte = |at: usize| unsafe { code.add(at).read() };
    let (mut at, mut short) = (0, false);
    while let prefix @ (0xF2 | 0xF3 | 0x26 | 0x2E | 0x36 | 0x3E | 0x64..=0x66) = byte(at) {
        short |= prefix == 0x66;
        at += 1;
    }
    at += usize::from(byte(at) & 0xF0 == 0x40); // REX
    let (map, length) = match byte(at) {
        0x62 => (byte(at + 1) & 7, 5),  // EVEX
        0xC4 => (byte(at + 1) & 31, 4), // VEX
        0xC5 => (1, 3),
        0x0F if byte(at + 1) == 0x38 => (2, 3),
        0x0F if byte(at + 1) == 0x3A => (3, 3),
        0x0F => (1, 2),
        _ => (0, 1),
    };
    at += length;
    // Others that share a number with one of these do not store.
    let immediate = match (map, byte(at - 1)) {
        (0, 0xA4 | 0xA5 | 0xAA | 0xAB) => return Some(at), // movs, stos: what they read is closed when they begin
        (0, 0x88 | 0x89) => 0,                             // mov
        (0, 0xC6) => 1,
        (0, 0xC7) if short => 2,
        (0, 0xC7) => 4,
        (1, 0x11 | 0x13 | 0x17 | 0x29 | 0x2B | 0x7E | 0x7F | 0xD6 | 0xE7) => 0, // vectors, past the cache too
        (1, 0x90..=0x9F | 0xC3 | 0xF7) => 0,                                    // setcc, kmov, movnti, maskmovdqu
        (2, 0x2E | 0x2F | 0x8E | 0x63 | 0x8A | 0x8B | 0xA0..=0xA3) => 0,        // vmaskmov, compress, scatter
        (2, 0x10..=0x15 | 0x20..=0x25 | 0x30..=0x35) => 0,                      // vpmov to narrower elements
        (2, 0xF1 | 0xF8 | 0xF9) => 0,                                           // movbe, movdir64b, movdiri
        (3, 0x14..=0x17 | 0x19 | 0x1B | 0x1D | 0x39 | 0x3B) => 1,               // parts of a register
        _ => return None,
    };
    let (mode, register) = (byte(at) >> 6, byte(at) & 7);
    let has_sib = mode != 3 && register == 4;
    let base = if has_sib { byte(at + 1) & 7 } else { register };
    let displacement = match mode {
        0 if register == 5 => return None, // from where the instruction stands
        0 if base == 5 => 4,
        1 => 1,
        2 => 4,
        _ => 0,
    };
    Some(at + 1 + usize::from(has_sib) + displacement + immediate)
}

/// Where an instruction is, for addr2line.
fn place(address: usize) -> String {
    // SAFETY: plain data; a struct of ours.
    let mut info: libc::Dl_info = unsafe { std::mem::zeroed() };
    // SAFETY: the address is only a number; the name found belongs to an object that stays loaded.
    let name = unsafe {
        match libc::dladdr(address as *const c_void, &mut info) {
            0 => return format!("{address:#x}"),
            _ => std::ffi::CStr::from_ptr(info.dli_fname).to_string_lossy(),
        }
    };
    format!("{address:#x}, addr2line -fie {name} {:#x}", address - info.dli_fbase as usize)
}

/// A destination, and the turn of the one test that watches.
pub struct Yard {
    pub pages: Guarded,
    pub random: Random<'static>,
    /// Of so many pages the first four are watched.
    pub every: usize,
    copies: u64,
    all: Seen,
    _turn: MutexGuard<'static, ()>,
}

impl Yard {
    pub fn new(seed: u64) -> Self {
        static TURN: Mutex<()> = Mutex::new(());
        let turn = TURN.lock().unwrap_or_else(PoisonError::into_inner);
        if STAGE.load(Relaxed) == 0 {
            let all = libc::PROT_READ | libc::PROT_WRITE | libc::PROT_EXEC;
            // SAFETY: a new mapping.
            let stage = unsafe { libc::mmap(null_mut(), PAGE, all, libc::MAP_PRIVATE | libc::MAP_ANONYMOUS, -1, 0) };
            assert_ne!(stage, libc::MAP_FAILED);
            STAGE.store(stage.addr(), Relaxed);
        }
        for (signal, handler) in [(SIGSEGV, on_fault as *const () as usize), (SIGTRAP, on_trap as *const () as usize)] {
            // SAFETY: handlers that touch atomics, registers and page tables only.
            unsafe {
                let mut action: libc::sigaction = std::mem::zeroed();
                (action.sa_sigaction, action.sa_flags) = (handler, libc::SA_SIGINFO);
                assert_eq!(libc::sigaction(signal, &action, null_mut()), 0);
            }
        }
        let pages = Guarded::new(24 << 20);
        for page in (0..pages.len()).step_by(2 * PAGE) {
            // Neighbours that differ are never joined to one mapping, which each access would split again.
            // SAFETY: a page of our own mapping.
            let status = unsafe { libc::madvise(pages.begin().wrapping_add(page).cast(), PAGE, libc::MADV_DONTDUMP) };
            assert_eq!(status, 0);
        }
        Self { pages, random: Random::new(seed), every: 1, copies: 0, all: Seen::default(), _turn: turn }
    }

    /// Runs something with a part of the pages watched.
    pub fn watch<T>(&mut self, bytes: std::ops::Range<usize>, run: impl FnOnce(*mut u8) -> T) -> (T, Seen) {
        let begin = self.pages.begin().addr();
        let [first, end] = [begin + bytes.start / PAGE * PAGE, begin + bytes.end.next_multiple_of(PAGE)];
        LOADS.store(0, Relaxed);
        STORES.store(0, Relaxed);
        WATCHED.iter().zip([first, end, self.every]).for_each(|(word, value)| word.store(value, Relaxed));
        for page in (first..end).step_by(PAGE).filter(|&page| is_watched(page)) {
            protect(page, PAGE, libc::PROT_NONE);
        }
        let result = run(self.pages.begin().wrapping_add(bytes.start));
        WATCHED[1].store(0, Relaxed);
        protect(first, end - first, libc::PROT_READ | libc::PROT_WRITE);
        (result, Seen { loads: LOADS.load(Relaxed), stores: STORES.load(Relaxed) })
    }

    /// Runs a copy (the pointer is the destination's) over random contents, then over others and elsewhere; `expect`
    /// turns former contents into what they must become.
    pub fn check(
        &mut self,
        what: &str,
        bytes: usize,
        stores: bool,
        expect: impl Fn(&mut [u8]),
        run: impl Fn(*mut u8) -> i32,
    ) {
        let former = self.random.bytes(bytes);
        let (room, anywhere) = (self.pages.len(), self.random.below(PAGE as u64) as usize);
        let elsewhere = if self.random.one_in(2) { anywhere } else { room - bytes };
        let times = if self.every == 1 { 2 } else { 1 };
        for (flip, begin) in [(0, 0), (0xFF, elsewhere)].into_iter().take(times) {
            let former: Vec<u8> = former.iter().map(|byte| byte ^ flip).collect();
            let range = begin..begin + bytes;
            self.pages.buffer(room, false)[range.clone()].copy_from_slice(&former);
            let (status, seen) = self.watch(range.clone(), &run);
            assert_eq!(seen.loads, 0, "{what}: first by {}", place(FIRST_LOAD.load(Relaxed)));
            assert_eq!(status, 0, "{what}");
            assert!(!stores || seen.stores > 0, "{what}");
            let mut expected = former;
            expect(&mut expected);
            assert!(self.pages.bytes()[range] == expected, "{what}, at byte {begin}");
            self.copies += 1;
            self.all = Seen { loads: self.all.loads + seen.loads, stores: self.all.stores + seen.stores };
        }
    }

    pub fn report(&self, what: &str) {
        println!("{what}: {} copies, {} loads, {} stores", self.copies, self.all.loads, self.all.stores);
    }
}
