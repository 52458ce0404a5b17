//! A copy cut into boxes, in which runs are long on both sides.
//!
//! A box grows along the innermost dimension of the side whose runs are shorter, until it has the bytes that it may
//! have. So a transpose is cut into squares, and where both sides have the same order, a box is one run of each:
//!
//! ```text
//! f32[40000,37500], strides {37500,1} and {1,40000}, 64 MiB             4000 x 4167 elements
//! f32[100,500,500,3], strides {750000,1500,3,1} and {750000,500,1,250000}, 4 MiB     1 x 500 x 500 x 3
//! ```

use std::ops::Range;
use stride::{AsLayout, Layout, LayoutBuf};

/// More places than this are not worth a word to the kernel each.
const MAX_SPANS: u64 = 1 << 16;

/// Sizes of a box of at most so many bytes.
fn choose(sides: [&Layout<'_>; 2], most_bytes: u64) -> Vec<i64> {
    let sizes = sides[0].sizes();
    let widest = sides.map(|side| side.dtype().bits()).into_iter().max().unwrap_or(1);
    let most = (most_bytes.saturating_mul(8) / widest as u64).max(1);
    let mut cut = vec![1; sizes.len()];
    while let Some(at) = grows(sides, &cut) {
        let count: u64 = cut.iter().map(|size| *size as u64).product();
        if count.saturating_mul(2) > most {
            // What is left; count is at most `most`.
            cut[at] = sizes[at].min((cut[at] as u128 * u128::from(most) / u128::from(count)) as i64);
            break;
        }
        cut[at] = sizes[at].min(cut[at] * 2);
    }
    cut
}

/// The dimension along which the shorter run goes on, or the other one's if that side is whole.
fn grows(sides: [&Layout<'_>; 2], cut: &[i64]) -> Option<usize> {
    let [dst, src] = sides;
    let next = |side| innermost_first(side).into_iter().find(|at| cut[*at] < dst.sizes()[*at]);
    let (first, second) = if run(dst, cut) <= run(src, cut) { (dst, src) } else { (src, dst) };
    next(first).or_else(|| next(second))
}

/// Consecutive elements in a box of these sizes.
fn run(side: &Layout<'_>, cut: &[i64]) -> i64 {
    let mut length = 1;
    for at in innermost_first(side) {
        if cut[at] > 1 && side.strides()[at].unsigned_abs() != length as u64 {
            break;
        }
        length *= cut[at];
        if cut[at] < side.sizes()[at] {
            break;
        }
    }
    length
}

/// The dimensions by their strides.
fn innermost_first(side: &Layout<'_>) -> Vec<usize> {
    let mut order: Vec<_> = (0..side.rank()).rev().filter(|at| side.sizes()[*at] > 1).collect();
    order.sort_by_key(|at| side.strides()[*at].unsigned_abs());
    order
}

/// The boxes of a copy, along the destination: views of both sides.
pub struct Boxes<'a> {
    dst: &'a LayoutBuf,
    src: &'a LayoutBuf,
    cut: Vec<i64>,
    /// Dimensions that are cut, the destination's innermost first.
    order: Vec<usize>,
    /// The begin of the next box; `None` after the last one.
    begin: Option<Vec<i64>>,
}

impl<'a> Boxes<'a> {
    pub fn new(dst: &'a LayoutBuf, src: &'a LayoutBuf, most_bytes: u64) -> stride::Result<Self> {
        let (to, from) = (dst.view()?, src.view()?);
        let empty = to.is_empty();
        let mut cut = if empty { vec![1; dst.rank()] } else { choose([&to, &from], most_bytes) };
        for (cut, size) in cut.iter_mut().zip(dst.sizes()).filter(|_| !empty) {
            // As many boxes, but alike; on whole lines of a cache where that makes no more of them.
            let boxes = (*size as u64).div_ceil(*cut as u64);
            let alike = (*size as u64).div_ceil(boxes) as i64;
            let lines = alike.saturating_add(63) / 64 * 64;
            *cut = if lines <= *cut { lines } else { alike };
        }
        let order = innermost_first(&to).into_iter().filter(|at| cut[*at] < dst.sizes()[*at]).collect();
        Ok(Self { dst, src, order, begin: (!empty).then(|| vec![0; dst.rank()]), cut })
    }

    /// Sizes of all boxes but those at the ends.
    pub fn sizes(&self) -> &[i64] {
        &self.cut
    }

    pub fn how_many(&self) -> u64 {
        if self.begin.is_none() {
            return 0;
        }
        self.order.iter().map(|at| (self.dst.sizes()[*at] as u64).div_ceil(self.cut[*at] as u64)).product()
    }
}

impl Iterator for Boxes<'_> {
    type Item = stride::Result<[LayoutBuf; 2]>;

    fn next(&mut self) -> Option<Self::Item> {
        let begin = self.begin.take()?;
        let sizes: Vec<i64> = begin
            .iter()
            .zip(self.dst.sizes())
            .zip(&self.cut)
            .map(|((begin, size), cut)| (size - begin).min(*cut))
            .collect();
        let mut next = begin.clone();
        for at in &self.order {
            next[*at] += self.cut[*at];
            if next[*at] < self.dst.sizes()[*at] {
                self.begin = Some(next);
                break;
            }
            next[*at] = 0;
        }
        let views = self.dst.crop(&begin, &sizes).and_then(|dst| Ok([dst, self.src.crop(&begin, &sizes)?]));
        Some(views)
    }
}

/// The bytes in which a layout's elements lie, in runs: what lies between two runs is more than `gap` bytes. `None` for
/// more runs than are worth naming.
pub fn spans(layout: &LayoutBuf, gap: u64) -> stride::Result<Option<Vec<Range<usize>>>> {
    let layout = layout.as_layout()?;
    if layout.is_empty() {
        return Ok(Some(Vec::new()));
    }
    let bits = layout.dtype().bits() as i128;
    let (lowest, _) = layout.span();
    let (mut length, mut outer) = (bits, Vec::new()); // bits of a run, and the dimensions that repeat it
    for at in innermost_first(&layout) {
        let (size, step) = (layout.sizes()[at] as i128, i128::from(layout.strides()[at].unsigned_abs()) * bits);
        if outer.is_empty() && step <= length + i128::from(gap) * 8 {
            length += (size - 1) * step;
        } else {
            outer.push((size, step));
        }
    }
    let count = outer.iter().fold(1, |count: i128, (size, _)| count.saturating_mul(*size));
    if count > i128::from(MAX_SPANS) {
        return Ok(None);
    }
    let place = |number: i128| {
        let mut rest = number;
        let bits_before = outer.iter().fold(lowest as i128 * bits, |sum, (size, step)| {
            let index = rest % size;
            rest /= size;
            sum + index * step
        });
        // In the buffer, which is mapped.
        (bits_before / 8) as usize..((bits_before + length + 7) / 8) as usize
    };
    Ok(Some((0..count).map(place).collect()))
}

#[cfg(test)]
#[allow(clippy::single_range_in_vec_init)] // one span is a list of one
mod tests {
    use super::*;
    use stride::Dtype;

    fn cut(sizes: &[i64], axes: &[i64], bytes: u64) -> Vec<i64> {
        // As convert has them: the source permuted, the destination packed.
        let src = LayoutBuf::packed(Dtype::F32, sizes).unwrap().permute(axes).unwrap();
        let dst = LayoutBuf::packed(Dtype::F32, src.sizes()).unwrap();
        let boxes = Boxes::new(&dst, &src, bytes).unwrap();
        boxes.sizes().to_vec()
    }

    #[test]
    fn runs_are_long_on_both_sides() {
        // 64 MiB are 2^24 elements: a square of 4096 x 4096.
        let square = cut(&[37500, 40000], &[1, 0], 64 << 20);
        assert!(square.iter().all(|size| (2048..=8192).contains(size)), "{square:?}");
        // One order on both sides: a piece of it.
        assert_eq!(cut(&[1000, 1000, 10], &[0, 1, 2], 400_000), [10, 1000, 10]);
        // A small inner permutation is whole.
        assert_eq!(cut(&[100, 3, 500, 500], &[0, 2, 3, 1], 4 << 20)[1..], [500, 500, 3]);
        assert_eq!(cut(&[5], &[0], 1), [1]);
        assert!(cut(&[], &[], 1 << 20).is_empty());
    }

    #[test]
    fn boxes_are_the_whole() {
        for (sizes, axes) in [(&[7, 9, 5][..], &[2, 0, 1][..]), (&[1, 130, 1, 3], &[3, 2, 1, 0]), (&[], &[])] {
            let src = LayoutBuf::packed(Dtype::U8, sizes).unwrap().permute(axes).unwrap();
            let dst = LayoutBuf::packed(Dtype::U8, src.sizes()).unwrap();
            for bytes in [1, 10, 64, 1000] {
                let boxes = Boxes::new(&dst, &src, bytes).unwrap();
                let count = boxes.how_many();
                let mut times = vec![0; dst.element_count() as usize];
                let mut seen = 0;
                for views in boxes {
                    let [to, from] = views.unwrap();
                    assert_eq!(to.sizes(), from.sizes());
                    assert!(to.element_count() as u64 <= bytes);
                    for number in 0..to.element_count() {
                        let mut index = vec![0; to.rank()];
                        let view = to.view().unwrap();
                        view.unravel(number, &mut index).unwrap();
                        times[view.offset_of(&index).unwrap() as usize] += 1;
                    }
                    seen += 1;
                }
                assert_eq!(seen, count, "{sizes:?} {bytes}");
                assert!(times.iter().all(|times| *times == 1), "{sizes:?} {bytes}");
            }
        }
    }

    #[test]
    fn spans_are_where_elements_are() {
        let rows = LayoutBuf::packed(Dtype::F32, &[100, 1000]).unwrap();
        let part = rows.crop(&[10, 100], &[3, 50]).unwrap();
        assert_eq!(spans(&part, 0), Ok(Some(vec![40400..40600, 44400..44600, 48400..48600])));
        let joined = |layout: &LayoutBuf| spans(layout, 4000).unwrap().unwrap();
        assert!(matches!(joined(&part)[..], [Range { start: 40400, end: 48600 }]));
        let mirrored = part.flip(&[0, 1]).unwrap().permute(&[1, 0]).unwrap();
        assert!(matches!(joined(&mirrored)[..], [Range { start: 40400, end: 48600 }]));
        let nibbles = LayoutBuf::packed(Dtype::U4, &[4, 5]).unwrap().crop(&[1, 0], &[1, 5]).unwrap();
        assert!(matches!(spans(&nibbles, 0).unwrap().unwrap()[..], [Range { start: 2, end: 5 }]));
        let columns = LayoutBuf::packed(Dtype::U8, &[100_000, 1000]).unwrap().crop(&[0, 0], &[100_000, 1]).unwrap();
        assert_eq!(spans(&columns, 0), Ok(None));
    }
}
