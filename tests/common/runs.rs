//! Wrappers: joint loops and runs. Lists are as long as there are operands.

use super::{Answer, POISON, blank};
use stride::ffi::layout::stride_layout;
use stride::ffi::runs::*;

/// `stride_layouts_coalesce`.
pub fn coalesce(layouts: &[stride_layout]) -> Answer<Vec<stride_layout>> {
    let mut out = vec![blank(); layouts.len().max(1)];
    call!(stride_layouts_coalesce, layouts.len() as u32, layouts.as_ptr(), out.as_mut_ptr()).map(|()| out)
}

/// Runs whose words hold something else.
pub fn no_runs() -> stride_runs {
    stride_runs { words: [POISON as u64; 512] }
}

/// `stride_runs_init`.
pub fn runs_of(layouts: &[stride_layout]) -> Answer<stride_runs> {
    let mut out = no_runs();
    let answer = call!(stride_runs_init, &mut out, layouts.len() as u32, layouts.as_ptr());
    assert!(answer.is_ok() || out.words == no_runs().words, "an output was written on failure");
    answer.map(|()| out)
}

/// `stride_runs_strides`.
pub fn run_strides(runs: &stride_runs, operands: usize) -> Answer<Vec<i64>> {
    let mut strides = vec![POISON; operands];
    call!(stride_runs_strides, runs, operands as u32, strides.as_mut_ptr()).map(|()| strides)
}

/// `stride_runs_next`: where the run begins in each operand, and how many elements it has.
pub fn next_run(runs: &mut stride_runs, offsets: &mut [i64]) -> Answer<u64> {
    let mut elements = POISON as u64;
    call!(stride_runs_next, runs, offsets.len() as u32, offsets.as_mut_ptr(), &mut elements).map(|()| elements)
}

/// `stride_runs_next_many`: for each run where it begins in each operand, and the elements of each.
pub fn next_runs(runs: &mut stride_runs, operands: usize, most: u64) -> Answer<(Vec<Vec<i64>>, u64)> {
    let mut offsets = vec![POISON; operands * most as usize];
    let (mut found, mut elements) = (POISON as u64, POISON as u64);
    let to = offsets.as_mut_ptr();
    call!(stride_runs_next_many, runs, operands as u32, most, to, &mut found, &mut elements)?;
    assert!(found <= most && offsets[found as usize * operands..].iter().all(|&offset| offset == POISON));
    let each = offsets.chunks(operands).take(found as usize).map(|run| run.to_vec());
    Ok((each.collect(), elements))
}

/// `stride_runs_part`.
pub fn runs_part(runs: &stride_runs, part: u32, parts: u32) -> Answer<stride_runs> {
    let mut out = no_runs();
    call!(stride_runs_part, runs, part, parts, &mut out).map(|()| out)
}
