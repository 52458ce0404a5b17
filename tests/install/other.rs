//! Another Rust library in the same program, with the standard library, threads and a panic that is caught: all that
//! comes twice when two Rust libraries are linked into one program.
#![crate_type = "staticlib"]

use std::collections::HashMap;

/// The sum of 0 … n − 1, by a roundabout way; −1 if a panic was not caught.
#[unsafe(no_mangle)]
pub extern "C" fn other_sum(n: u64) -> i64 {
    std::panic::set_hook(Box::new(|_| ()));
    if std::panic::catch_unwind(|| [0_u8; 4][usize::try_from(n).unwrap_or(9) + 4]).is_ok() {
        return -1;
    }
    let squares: HashMap<u64, u128> = (0..n).map(|k| (k, u128::from(k) * u128::from(k))).collect();
    let sum = move || squares.iter().map(|(&k, &square)| square.checked_div(u128::from(k)).unwrap_or(0)).sum::<u128>();
    i64::try_from(std::thread::spawn(sum).join().unwrap()).unwrap()
}
