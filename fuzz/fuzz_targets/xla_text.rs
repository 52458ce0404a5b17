//! Any bytes as the text of an XLA shape: there is an answer, what is printed is read back as the same shape, and positions
//! of a shape that has some come back.
#![no_main]

use libfuzzer_sys::fuzz_target;
use stride::model::MAX_RANK;
use stride::vocabulary::xla::text::parse;

fuzz_target!(|bytes: &[u8]| {
    let shape = match parse(bytes) {
        Ok(shape) => shape,
        Err(error) => return assert!(error.position <= bytes.len() as u64, "{error}"),
    };
    let printed = shape.to_string();
    assert_eq!(parse(printed.as_bytes()), Ok(shape), "{printed}");

    let Ok(size) = shape.byte_size() else { return assert!(shape.check_bounded().is_err(), "{printed}") };
    assert!(shape.dense_size().unwrap() <= size, "{printed}");
    let mut index = [0; MAX_RANK];
    if let Ok(data) = shape.data_size() {
        assert!(data <= size, "{printed}");
        assert_eq!(data == 0, shape.sizes().contains(&0), "{printed}");
    }
    for linear in [0, 1, 77, size as i64 / 3, size as i64 - 1] {
        if shape.multi_index(linear, &mut index).is_ok() {
            assert_eq!(shape.linear_index(&index[..shape.rank()]), Ok(linear), "{printed}");
        }
    }
    let _ = (shape.is_untiled(), shape.to_layout(), shape.expansion_factor());
});
