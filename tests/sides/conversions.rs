//! Sides that convert, against the naive copy of a packed side that was converted: one call, a plan, its parts, and
//! forged plans.

use super::*;
use guarded::Guarded;
use hostile::{DstBuffer, SrcBuffer, forged};
use stride::ffi::conversion::*;

const DTYPES: [Dtype; 12] = [
    Dtype::PRED,
    Dtype::S4,
    Dtype::U4.high_first(),
    Dtype::S8,
    Dtype::U8,
    Dtype::S16,
    Dtype::U16.swapped(),
    Dtype::S32,
    Dtype::BF16,
    Dtype::F32,
    Dtype::F32.swapped(),
    Dtype::F64,
];

/// A copy that converts, its values, and what comes of it.
struct Converted {
    case: Case,
    how: stride_conversion,
    values: stride_layout,
    list: Vec<f32>,
    buffers: Buffers,
}

impl Converted {
    fn random(random: &mut Random) -> Option<Self> {
        let mut sizes = oracle::random_sizes(random);
        sizes.truncate(4);
        let dtypes = [random.pick(&DTYPES), random.pick(&DTYPES)];
        let pair = sides::pair_of(random, &sizes, dtypes);
        let mut case = Case::of(random, pair, 1 << 12)?;
        case.flags &= !STRIDE_COPY_OVERLAP;
        let strides: Vec<i64> = sizes.iter().map(|_| random.pick(&[0, 0, 1, 1, -1, 3])).collect();
        let side = Side::new(&sizes, &strides, random.below(3));
        let list: Vec<f32> = (0..side.extent().max(1)).map(|_| random.below(64) as f32 / 4.0 - 7.0).collect();
        let values = side.layout(Dtype::F32.code());
        let flags = STRIDE_CONVERT_AFFINE | random.pick(&[0, STRIDE_CONVERT_NEAREST, STRIDE_CONVERT_DIVIDE]);
        let mut how = stride_conversion { flags, scale: 0.5, subtract: 3.0, add: 1.0, ..stride_conversion::default() };
        how.value_count = list.len() as u64;
        let bytes = [case.dst.bytes() + case.slack, case.src.bytes()];
        let from = random.bytes(case.shifts[1] + bytes[1] + 64);
        let before = random.bytes(case.shifts[0] + bytes[0] + 64);
        let expected = before.clone();
        let buffers = Buffers { before, from, expected, written: Vec::new(), elements: Vec::new(), bytes };
        let mut made = Self { case, how, values, list, buffers };
        if random.one_in(2) {
            made.how.flags = if random.one_in(2) { 0 } else { STRIDE_CONVERT_SATURATE };
            if made.case.dst.dtype.moves_to(made.case.src.dtype) {
                made.how.flags |= STRIDE_CONVERT_AFFINE;
            }
        } else {
            made.how.scales = made.list.as_ptr();
            made.how.adds = if random.one_in(2) { made.list.as_ptr() } else { null() };
        }
        made.set_expected(&sizes);
        Some(made)
    }

    fn options<'a>(&'a self, how: &'a mut stride_conversion) -> stride_copy_options {
        *how = stride_conversion { values: &raw const self.values, ..self.how };
        stride_copy_options { conversion: how, ..self.case.options() }
    }

    /// The naive copy into a packed side, its conversion, and the naive copy from there.
    fn set_expected(&mut self, sizes: &[i64]) {
        let (to, at) = (self.case.dst.places(), self.case.src.places());
        let count = at.len() as i64;
        let packed: Vec<Option<i64>> = (0..count).map(Some).collect();
        let filled: Vec<Option<i64>> = (0..count).zip(&at).map(|(k, place)| place.map(|_| k)).collect();
        let room = |dtype: Dtype| vec![0u8; (count * dtype.bits()) as usize / 8 + 16];
        let [dst, src] = [self.case.dst.dtype, self.case.src.dtype];
        let (mut made, mut converted) = (room(src), room(dst));
        let Case { shifts, fill, .. } = self.case;
        sides::copy((&mut made, &packed, src), (&self.buffers.from[shifts[1]..], &at, src), &[0; 16]);
        let strides: Vec<i64> = (0..sizes.len()).map(|k| sizes[k + 1..].iter().product()).collect();
        let layouts = [dst, src].map(|dtype| oracle::layout(dtype.code(), sizes, &strides, 0));
        let how = stride_conversion { values: &raw const self.values, ..self.how };
        let options = stride_copy_options { conversion: &how, ..oracle::DEFAULTS };
        let (d, s) = (converted.len() as u64, made.len() as u64);
        let (dst_at, src_at) = (converted.as_mut_ptr().cast(), made.as_ptr().cast());
        let answer = call!(stride_copy, &layouts[0], dst_at, d, &layouts[1], src_at, s, &options);
        assert_eq!(answer, Ok(()), "{:?}", self.case);
        let buffer = &mut self.buffers.expected[shifts[0]..][..self.buffers.bytes[0]];
        if self.case.fills() {
            sides::fill_buffer(buffer, dst, &fill);
        }
        sides::copy((buffer, &to, dst), (&converted, &filled, dst), &fill);
    }

    /// Runs a plan, or a part of it.
    fn run(&self, plan: &stride_plan, to: &mut [u8], part: u32, parts: u32) -> Answer<()> {
        let [d, s] = self.buffers.bytes.map(|bytes| bytes as u64);
        let (dst, src) = (to.as_mut_ptr().cast(), self.buffers.from[self.case.shifts[1]..].as_ptr().cast());
        let stride_conversion { subtracts, scales, adds, value_count, .. } = self.how;
        call!(stride_plan_execute_values, plan, dst, d, src, s, subtracts, scales, adds, value_count, part, parts)
    }
}

/// 40,000 pairs where `STRIDE_SHARE` is 1.
#[test]
fn sides_that_convert_equal_packed_ones() {
    let (mut of_boxes, mut listed) = (0, 0);
    oracle::cases(SEED + 7_000_000, 40_000 / oracle::share(), |random| {
        let Some(made) = Converted::random(random) else { return };
        let (Converted { case, buffers, .. }, mut how) = (&made, stride_conversion::default());
        let options = made.options(&mut how);
        let (to, from) = (Structs::new(&case.dst), Structs::new(&case.src));
        let mut found = buffers.before.clone();
        let [d, s] = buffers.bytes.map(|bytes| bytes as u64);
        let (dst, src) = (found[case.shifts[0]..].as_mut_ptr().cast(), buffers.from[case.shifts[1]..].as_ptr().cast());
        let answer = call!(stride_copy_sides, to.side(), dst, d, from.side(), src, s, &options);
        assert_eq!(answer, Ok(()), "{case:?} {:?}", made.how);
        assert!(found == buffers.expected, "one call: {case:?} {:?} {:?}", made.how, &made.values.strides[..4]);
        let plan = plan_of(&to, &from, &options);
        let plan = match plan {
            Ok(plan) => plan,
            Err(e) => return assert!(is_too_long(&e)),
        };
        of_boxes += u64::from(is_of_boxes(&plan));
        listed += u64::from(is_of_boxes(&plan) && !made.how.scales.is_null());
        let parts = random.pick(&[1, 2, 3, 7]);
        let joined = oracle::parts(
            &buffers.before,
            parts,
            || format!("{case:?}"),
            |memory, part| {
                assert_eq!(made.run(&plan, &mut memory[case.shifts[0]..], part, parts), Ok(()), "{case:?}");
            },
        );
        assert!(joined == buffers.expected, "{parts} parts: {case:?} {:?}", made.how);
    });
    assert!(cfg!(miri) || of_boxes > 200 && listed > 50, "{of_boxes} {listed}");
}

/// Any words of anybody: refused, or wrong bytes inside the two buffers.
#[test]
fn forged_conversions_stay_in_the_buffers() {
    let mut pages = [Guarded::new(1 << 13), Guarded::new(1 << 13)];
    let (mut ran, mut refused) = (0, 0);
    oracle::cases(SEED + 8_000_000, 40_000 / oracle::share(), |random| {
        let Some(made) = Converted::random(random) else { return };
        let (Converted { case, .. }, mut how) = (&made, stride_conversion::default());
        let options = made.options(&mut how);
        let (to, from) = (Structs::new(&case.dst), Structs::new(&case.src));
        let Ok(mut plan) = plan_of(&to, &from, &options) else { return };
        if !is_of_boxes(&plan) {
            return;
        }
        let stride_conversion { subtracts: sub, scales, adds, value_count: count, .. } = made.how;
        let execute = |_: &mut Random, plan: &stride_plan, (dst, d): DstBuffer, (src, s): SrcBuffer| {
            call!(stride_plan_execute_values, plan, dst, d, src, s, sub, scales, adds, count, 0, 1)
        };
        let Some(answer) = forged(random, case, &mut plan, &mut pages, execute) else { return };
        if answer.is_ok() { ran += 1 } else { refused += 1 }
    });
    assert!(cfg!(miri) || ran > 100 && refused > 100, "{ran} {refused}");
}
