//! Sources of many megabytes are prefetched, in another loop than near ones; long runs beyond the second cache are
//! filled by other instructions than short ones.

use crate::oracle::Random;
use stride::copy::execute::stage::{Past, run_past};
use stride::copy::kernels::{Family, Inner, KERNELS, Kernel, OfLoops, Run, Store, hints};
use stride::copy::loops::Loop;
use stride::copy::nest::Nest;
use stride::machine::Level;

#[test]
#[cfg_attr(miri, ignore = "pages")]
fn far_sources_are_copied_like_near_ones() {
    const ROWS: i64 = 25; // more than three eighths of any last cache that is reckoned with
    let mut random = Random::new(12);
    let src: Vec<u8> = random.bytes(1 << 16).into_iter().cycle().take((ROWS as usize + 1) << 20).collect();
    for kernel in KERNELS {
        let step = match kernel.family {
            Family::Gather(k) => k,
            Family::Rows | Family::Strided | Family::Spaced => 3,
            _ => continue,
        };
        if kernel.level > Level::best() {
            continue;
        }
        for width in if kernel.width == 0 { vec![1, 2, 5, 12, 17, 40, 70, 130, 700, 2500] } else { vec![kernel.width] }
        {
            for count in [1, 7, 64, 333, 5000] {
                // Rows far from each other, walked upward and downward; single elements far from each other.
                let inner = Loop { count, dst: width, src: step * width };
                let outer = |src| Loop { count: ROWS, dst: count * width + 3, src };
                for (a, b) in [
                    (inner, outer(1 << 20)),
                    (inner, outer(-1 << 20)),
                    (Loop { dst: width, ..outer(1 << 20) }, Loop { dst: ROWS * width, ..inner }),
                    (Loop { dst: width, ..outer(-1 << 20) }, Loop { dst: ROWS * width, ..inner }),
                ] {
                    if !kernel.accepts(width, a, b) || count * step * width > 1 << 20 {
                        continue;
                    }
                    let first = if a.src < 0 || b.src < 0 { (ROWS - 1) << 20 } else { 0 };
                    let dst_bytes = (a.count - 1) * a.dst + (b.count - 1) * b.dst + width;
                    let mut expected = vec![0x77; dst_bytes as usize];
                    for j in 0..b.count {
                        for i in 0..a.count {
                            let to = (j * b.dst + i * a.dst) as usize;
                            let from = (first + j * b.src + i * a.src) as usize;
                            expected[to..][..width as usize].copy_from_slice(&src[from..][..width as usize]);
                        }
                    }
                    for (store, hints) in [(Store::Direct, hints::ALL), (Store::Past, hints::ALL), (Store::Direct, 0)] {
                        let mut dst = vec![0x77; dst_bytes as usize];
                        let (loops, Run::Inner(run)) = ([a, b], kernel.run) else { unreachable!() };
                        // SAFETY: the loops reach bytes of the two buffers; the level was checked.
                        unsafe {
                            let nest = Nest::of_bytes(width, &loops);
                            call(kernel, run, store, hints, &nest, dst.as_mut_ptr(), src[first as usize..].as_ptr());
                        }
                        assert!(dst == expected, "{} {:?} a {a:?} b {b:?} {store:?}", kernel.name, kernel.level);
                    }
                }
            }
        }
    }
}

#[test]
#[cfg_attr(miri, ignore = "pages")]
fn long_runs_are_filled_like_short_ones() {
    const ROWS: i64 = 16; // of 300 KB: more than any second cache that is reckoned with
    let mut random = Random::new(13);
    let src = random.bytes(1 << 10);
    for kernel in KERNELS.iter().filter(|kernel| kernel.family == Family::Fill && kernel.level <= Level::best()) {
        let width = kernel.width;
        for (offset, more) in [(0, 0), (1, 1), (8, 3), (37, 7)] {
            let count = 300_000 / width + more;
            let a = Loop { count, dst: width, src: 0 };
            let b = Loop { count: ROWS, dst: count * width + 5, src: width + 1 };
            let mut expected = vec![0x77; offset + (ROWS * b.dst) as usize];
            for j in 0..ROWS {
                let element = &src[(j * b.src) as usize..][..width as usize];
                expected[offset + (j * b.dst) as usize..][..(count * width) as usize]
                    .copy_from_slice(&element.repeat(count as usize));
            }
            for (store, hints) in [(Store::Direct, hints::ALL), (Store::Past, hints::ALL), (Store::Direct, 0)] {
                let mut dst = vec![0x77; expected.len()];
                let (loops, Run::Inner(run)) = ([a, b], kernel.run) else { unreachable!() };
                // SAFETY: the loops reach bytes of the two buffers; the level was checked.
                unsafe {
                    let nest = Nest::of_bytes(width, &loops);
                    call(kernel, run, store, hints, &nest, dst[offset..].as_mut_ptr(), src.as_ptr());
                }
                assert!(dst == expected, "{} {:?} {offset} {count} {store:?}", kernel.name, kernel.level);
            }
        }
    }
}

/// Calls a kernel for two loops, or the stage with it.
///
/// # Safety
/// The loops reach bytes of both sides; the CPU has the kernel's level.
unsafe fn call(
    kernel: &'static Kernel,
    run: OfLoops,
    store: Store,
    hints: u8,
    nest: &Nest<'_>,
    dst: *mut u8,
    src: *const u8,
) {
    let (width, [a, b]) = (nest.width, [nest.loops[0], nest.loops[1]]);
    // SAFETY: as promised to this function.
    unsafe {
        match store {
            Store::Past => run_past(Past { kernel, run, hints }, nest, dst, src),
            _ => run(dst, src, &Inner { hints, width, a, b, c: Loop::ONCE, ahead: 0 }),
        }
    }
}
