//! Sides of copies, and where their elements lie: index by index, as the rules of layouts, tiles, digits and runs say.

use super::{NO_ERROR, Random, Side, tiles, zeroed};
use std::ptr::{null, null_mut};
use stride::ffi::blocked_layout::{stride_blocked, stride_blocked_init};
use stride::ffi::layout::stride_layout;
use stride::ffi::sides::*;
use stride::ffi::status::stride_error;
use stride::ffi::xla::*;
use stride::model::Dtype;

/// An XLA shape as its parts.
#[derive(Clone, Debug)]
pub struct Tiled {
    pub sizes: Vec<i64>,
    pub padded: Vec<i64>,
    pub order: Vec<i64>,
    pub tiles: Vec<Vec<i64>>,
    pub padding_kind: u32,
    pub tail_alignment: i64,
    /// Its type is narrower than what it is stored in.
    pub narrow: bool,
}

impl Tiled {
    fn random(random: &mut Random, sizes: &[i64]) -> Self {
        let mut order: Vec<i64> = (0..sizes.len() as i64).rev().collect();
        if random.one_in(2) {
            random.shuffle(&mut order);
        }
        let padded = sizes.iter().map(|&n| n + if random.one_in(5) { random.below(4) } else { 0 }).collect();
        let mut tile = || {
            let mut size =
                || if random.one_in(7) { STRIDE_XLA_TILE_MERGE } else { random.pick(&[1, 2, 2, 3, 4, 4, 5, 8, 8, 16]) };
            let mut tile = vec![size(), size(), size(), size()];
            tile.truncate(1 + random.below(4) as usize);
            tile.last_mut().into_iter().for_each(|last| *last = (*last).max(1));
            tile
        };
        let tiles = [tile(), tile(), tile()].into_iter().take(random.pick(&[0, 1, 1, 1, 2, 2, 3])).collect();
        Self {
            sizes: sizes.to_vec(),
            padded,
            order,
            tiles,
            padding_kind: STRIDE_XLA_PADDING_NONE,
            tail_alignment: random.pick(&[1, 1, 1, 6]),
            narrow: random.one_in(2),
        }
    }

    /// Of these parts, with nothing said of the padding.
    pub fn of(sizes: &[i64], padded: Vec<i64>, order: Vec<i64>, tiles: Vec<Vec<i64>>) -> Self {
        let (sizes, padding_kind) = (sizes.to_vec(), STRIDE_XLA_PADDING_UNKNOWN);
        Self { sizes, padded, order, tiles, padding_kind, tail_alignment: 1, narrow: false }
    }

    pub fn shape(&self, dtype: Dtype) -> stride_xla_shape {
        let mut shape: stride_xla_shape = zeroed();
        let rank = self.sizes.len() as u32;
        let plain = match dtype {
            Dtype::S8 if self.narrow => Dtype::S4.code(),
            Dtype::U8 if self.narrow => Dtype::U4.code(),
            _ => dtype.low_first().code(),
        };
        // SAFETY: arrays as long as the rank, and tiles of the lengths that they say.
        unsafe {
            let (sizes, order) = (self.sizes.as_ptr(), self.order.as_ptr());
            assert_eq!(stride_xla_shape_init(&mut shape, plain, rank, sizes, order, null_mut()), 0, "{self:?}");
            let (padded, kind) = (self.padded.as_ptr(), self.padding_kind);
            assert_eq!(stride_xla_shape_set_padding(&mut shape, rank, padded, kind, null_mut()), 0);
            for tile in &self.tiles {
                assert_eq!(stride_xla_shape_add_tile(&mut shape, tile.len() as u32, tile.as_ptr(), null_mut()), 0);
            }
            if dtype.bits() < 8 {
                assert_eq!(stride_xla_shape_set_element_bits(&mut shape, dtype.bits() as u32, null_mut()), 0);
            }
        }
        shape.tail_alignment = self.tail_alignment;
        shape.flags = if dtype.is_high_first() { STRIDE_XLA_SHAPE_HIGH_FIRST } else { 0 };
        shape
    }

    fn place(&self, index: &[i64]) -> (i64, i64) {
        tiles::position(&self.padded, &self.order, &self.tiles, index)
    }
}

/// A blocked layout as its rule needs it: dimension, step and size of each block, slowest first.
#[derive(Clone, Debug)]
pub struct Blocks {
    pub sizes: Vec<i64>,
    /// As the struct has them: size 0 where a block has as many as are needed.
    pub blocks: Vec<[i64; 3]>,
}

impl Blocks {
    /// Blocks of all dimensions in any order; here and there one of size 1, or more than a dimension needs.
    pub fn random(random: &mut Random, sizes: &[i64]) -> Self {
        let mut blocks = Vec::new();
        for (dimension, &size) in (0..).zip(sizes) {
            let mut step = 1;
            while step < size && random.one_in(2) && blocks.len() < 20 {
                let block = random.pick(&[1, 2, 2, 3, 4, 4, 5, 8, 32]);
                blocks.push([dimension, step, block]);
                step *= block;
            }
            if step < size || random.one_in(3) {
                blocks.push([dimension, step, if random.one_in(4) { (size / step + 1).max(1) } else { 0 }]);
            }
        }
        random.shuffle(&mut blocks);
        Self { sizes: sizes.to_vec(), blocks }
    }

    pub fn block_size(&self, &[dimension, step, size]: &[i64; 3]) -> i64 {
        if size == 0 { (self.sizes[dimension as usize] + step - 1) / step } else { size }
    }

    pub fn elements(&self) -> i64 {
        self.blocks.iter().map(|block| self.block_size(block)).product()
    }

    pub fn position(&self, index: &[i64]) -> i64 {
        self.blocks.iter().fold(0, |position, block| {
            let size = self.block_size(block);
            position * size + index[block[0] as usize] / block[1] % size
        })
    }

    pub fn init(&self, dtype: u32, out: &mut stride_blocked) -> (i32, stride_error) {
        let list = |k: usize| self.blocks.iter().map(|block| block[k]).collect::<Vec<i64>>();
        let (dims, steps, blocks, mut error) = (list(0), list(1), list(2), NO_ERROR);
        let (rank, count) = (self.sizes.len() as u32, dims.len() as u32);
        let (sizes, dims) = (self.sizes.as_ptr(), dims.as_ptr());
        // SAFETY: lists of these lengths.
        let status = unsafe {
            stride_blocked_init(out, dtype, rank, sizes, count, dims, steps.as_ptr(), blocks.as_ptr(), &mut error)
        };
        (status, error)
    }

    pub fn blocked(&self, dtype: u32) -> stride_blocked {
        let mut out = zeroed();
        let (status, error) = self.init(dtype, &mut out);
        assert_eq!(status, 0, "{self:?} {error:?}");
        out
    }
}

/// What elements lie in.
#[derive(Clone, Debug)]
pub enum Object {
    Strided(Side),
    Tiled(Tiled),
    Blocked(Blocks),
}

/// Strides of row-major elements, whose rows may have gaps and whose last dimension may be mirrored: of pixels.
fn nearly_packed(random: &mut Random, sizes: &[i64]) -> Vec<i64> {
    let (mut strides, mut step) = (vec![0; sizes.len()], 1);
    for (number, (stride, size)) in strides.iter_mut().zip(sizes).rev().enumerate() {
        *stride = if number == 0 && random.one_in(4) { -1 } else { step };
        step = step * (*size).max(1) + if number > 0 && random.one_in(6) { random.below(9) } else { 0 };
    }
    strides
}

impl Object {
    /// A random one of these sizes; of plain bytes and byte-swapped numbers there are no shapes.
    pub fn random(random: &mut Random, sizes: &[i64], dtype: Dtype, is_dst: bool) -> Self {
        match random.below(4) {
            0 if !dtype.is_bytes() && !dtype.is_swapped() => Self::Tiled(Tiled::random(random, sizes)),
            1 => Self::Blocked(Blocks::random(random, sizes)),
            _ => {
                let strides = match random.one_in(3) {
                    true => nearly_packed(random, sizes),
                    false if is_dst => super::distinct_strides(random, sizes),
                    false => super::source_strides(random, sizes),
                };
                Self::Strided(Side::new(sizes, &strides, random.below(4)))
            }
        }
    }

    /// A strided one in one case of three, else what `other` makes.
    pub fn strided_or(
        random: &mut Random,
        sizes: &[i64],
        strides: fn(&mut Random, &[i64]) -> Vec<i64>,
        other: fn(&mut Random, &[i64]) -> Self,
    ) -> Self {
        if !random.one_in(3) {
            return other(random, sizes);
        }
        let strides = strides(random, sizes);
        Self::Strided(Side::new(sizes, &strides, random.below(3)))
    }

    pub fn sizes(&self) -> &[i64] {
        match self {
            Self::Strided(side) => &side.sizes,
            Self::Tiled(tiled) => &tiled.sizes,
            Self::Blocked(blocks) => &blocks.sizes,
        }
    }

    /// Elements of its buffer, padding included but for the tail of a shape, which nobody asks for.
    pub fn extent(&self) -> i64 {
        match self {
            Self::Strided(side) => {
                // The highest element, without a list of them.
                let ends = side.sizes.iter().zip(&side.strides).filter(|(size, _)| **size > 1);
                let highest = side.offset + ends.map(|(size, stride)| (size - 1) * stride.max(&0)).sum::<i64>();
                if side.sizes.contains(&0) { 0 } else { highest + 1 }
            }
            Self::Tiled(tiled) => tiled.place(&vec![0; tiled.sizes.len()]).1,
            Self::Blocked(blocks) => blocks.elements(),
        }
    }

    /// Where each element lies, in row-major order.
    pub fn offsets(&self) -> Vec<i64> {
        match self {
            Self::Strided(side) => side.offsets(),
            Self::Tiled(tiled) => tiles::indices(&tiled.sizes).map(|index| tiled.place(&index).0).collect(),
            Self::Blocked(blocks) => tiles::indices(&blocks.sizes).map(|index| blocks.position(&index)).collect(),
        }
    }
}

/// Which elements of an object a side has.
#[derive(Clone, Debug)]
pub enum Sight {
    Plain,
    /// The runs of some dimensions.
    Runs(Vec<(usize, Vec<stride_index_run>)>),
    /// First number, and how many.
    Range(i64, i64),
    /// The pointer is NULL: packed as the other side is seen, whose sizes the object has.
    LeftOut,
}

/// A side of a copy.
#[derive(Clone, Debug)]
pub struct Seen {
    pub object: Object,
    pub dtype: Dtype,
    pub sight: Sight,
}

/// The indices of runs; -1: the fill value.
pub fn indices_of(runs: &[stride_index_run]) -> Vec<i64> {
    let each = |run: &stride_index_run| {
        let stride_index_run { first, step, count } = *run;
        (0..count).map(move |k| first + k * step)
    };
    runs.iter().flat_map(each).collect()
}

impl Seen {
    /// Bytes of the object's buffer.
    pub fn bytes(&self) -> usize {
        (self.object.extent() * self.dtype.bits()).cast_unsigned().div_ceil(8) as usize
    }

    /// Where each of its elements lies, in row-major order as they are seen; `None`: the fill value.
    pub fn places(&self) -> Vec<Option<i64>> {
        let offsets = self.object.offsets();
        match &self.sight {
            Sight::Plain | Sight::LeftOut => offsets.into_iter().map(Some).collect(),
            Sight::Range(first, count) => {
                offsets[*first as usize..(first + count) as usize].iter().map(|&offset| Some(offset)).collect()
            }
            Sight::Runs(runs) => {
                let mut numbers = vec![Some(0)];
                for (dimension, &size) in self.object.sizes().iter().enumerate() {
                    let along = runs.iter().find(|(of, _)| *of == dimension);
                    let indices = along.map_or((0..size).collect(), |(_, runs)| indices_of(runs));
                    let add = |&number: &Option<i64>| {
                        let each =
                            indices.iter().map(move |&index| Some(number? * size + index).filter(|_| index >= 0));
                        each.collect::<Vec<_>>()
                    };
                    numbers = numbers.iter().flat_map(add).collect();
                }
                numbers.into_iter().map(|number| number.map(|number: i64| offsets[number as usize])).collect()
            }
        }
    }

    /// Which kind of object it is, and how it is seen; below [`Seen::KINDS`].
    pub fn kind(&self) -> usize {
        let object = match self.object {
            Object::Strided(_) => 0,
            Object::Tiled(_) => 1,
            Object::Blocked(_) => 2,
        };
        match self.sight {
            Sight::Plain => object,
            Sight::Runs(_) => 3 + object,
            Sight::Range(..) => 6 + object,
            Sight::LeftOut => 9,
        }
    }

    pub const KINDS: usize = 10;
}

/// The structs of a side, which lie where they are; its runs lie in the [`Seen`].
pub struct Structs {
    _layout: Option<Box<stride_layout>>,
    _shape: Option<Box<stride_xla_shape>>,
    _blocked: Option<Box<stride_blocked>>,
    side: Option<stride_side>,
}

impl Structs {
    pub fn new(seen: &Seen) -> Self {
        let mut made = Self { _layout: None, _shape: None, _blocked: None, side: None };
        let (kind, of) = match &seen.object {
            _ if matches!(seen.sight, Sight::LeftOut) => return made,
            Object::Strided(side) => {
                let layout = made._layout.insert(Box::new(side.layout(seen.dtype.code())));
                (STRIDE_SIDE_LAYOUT, std::ptr::from_ref(&**layout).cast())
            }
            Object::Tiled(tiled) => {
                let shape = made._shape.insert(Box::new(tiled.shape(seen.dtype)));
                (STRIDE_SIDE_SHAPE, std::ptr::from_ref(&**shape).cast())
            }
            Object::Blocked(blocks) => {
                let blocked = made._blocked.insert(Box::new(blocks.blocked(seen.dtype.code())));
                (STRIDE_SIDE_BLOCKED, std::ptr::from_ref(&**blocked).cast())
            }
        };
        let side = made.side.insert(zeroed());
        // SAFETY: structs that live as long as what is made, and lists of these lengths.
        unsafe {
            assert_eq!(stride_side_init(side, kind, of, null_mut()), 0);
            match &seen.sight {
                Sight::Runs(along) => along.iter().for_each(|(dimension, runs)| {
                    let (count, runs) = (runs.len() as u32, runs.as_ptr());
                    assert_eq!(stride_side_set_runs(side, *dimension as u32, count, runs, null_mut()), 0);
                }),
                Sight::Range(first, count) => {
                    assert_eq!(stride_side_set_range(side, *first, *count, null_mut()), 0);
                }
                Sight::Plain | Sight::LeftOut => {}
            }
        }
        made
    }

    /// Of all of an object.
    pub fn whole(object: &Object, dtype: Dtype) -> Self {
        Self::new(&Seen { object: object.clone(), dtype, sight: Sight::Plain })
    }

    /// NULL where the side is left out.
    pub fn side(&self) -> *const stride_side {
        self.side.as_ref().map_or(null(), |side| side)
    }
}

/// Where an element below a byte lies: byte, shift in it, mask.
fn bits_at(dtype: Dtype, offset: i64) -> (usize, u32, u8) {
    let (bits, at) = (dtype.bits(), offset * dtype.bits());
    let low = (at % 8) as u32;
    let shift = if dtype.is_high_first() { 8 - bits as u32 - low } else { low };
    ((at / 8) as usize, shift, ((1u16 << bits) - 1) as u8)
}

/// The bits of elements that lie there, of so many bytes.
pub fn owned(dtype: Dtype, offsets: impl Iterator<Item = i64>, bytes: usize) -> Vec<u8> {
    let (mut owned, width) = (vec![0; bytes], dtype.bits() as usize / 8);
    for offset in offsets {
        if width > 0 {
            owned[offset as usize * width..][..width].fill(0xFF);
        } else {
            let (byte, shift, mask) = bits_at(dtype, offset);
            owned[byte] |= mask << shift;
        }
    }
    owned
}

/// The naive copy.
pub fn copy(
    (dst, to, dst_dtype): (&mut [u8], &[Option<i64>], Dtype),
    (src, from, src_dtype): (&[u8], &[Option<i64>], Dtype),
    fill: &[u8; 16],
) {
    let width = dst_dtype.bits() as usize / 8;
    let swaps = dst_dtype.is_swapped() != src_dtype.is_swapped() && !dst_dtype.is_bytes() && !src_dtype.is_bytes();
    let native = if dst_dtype.is_swapped() { dst_dtype.swapped() } else { dst_dtype };
    let part = if [Dtype::C64, Dtype::C128].contains(&native) { width / 2 } else { width };
    assert_eq!(to.len(), from.len());
    for (to, from) in to.iter().zip(from) {
        let to = to.expect("a place of a destination");
        if width == 0 {
            let value = match *from {
                Some(from) => {
                    let (byte, shift, _) = bits_at(src_dtype, from);
                    src[byte] >> shift
                }
                None => fill[0],
            };
            let (byte, shift, mask) = bits_at(dst_dtype, to);
            dst[byte] = dst[byte] & !(mask << shift) | (value & mask) << shift;
            continue;
        }
        let dst = &mut dst[to as usize * width..][..width];
        match *from {
            Some(from) => {
                dst.copy_from_slice(&src[from as usize * width..][..width]);
                if swaps {
                    dst.chunks_mut(part).for_each(<[u8]>::reverse);
                }
            }
            None => dst.iter_mut().enumerate().for_each(|(k, byte)| *byte = fill[k % 16]),
        }
    }
}

/// The naive FILL_BUFFER, before the copy.
pub fn fill_buffer(dst: &mut [u8], dtype: Dtype, fill: &[u8; 16]) {
    let width = dtype.bits() as usize / 8;
    let mask = (1u16 << dtype.bits().min(8)) - 1;
    let repeated = |bits: i64| (0..8 / bits).fold(0, |byte, k| byte | (fill[0] as u16 & mask) << (k * bits));
    let value = |p: usize| if width == 0 { repeated(dtype.bits()) as u8 } else { fill[p % width % 16] };
    dst.iter_mut().enumerate().for_each(|(p, byte)| *byte = value(p));
}

/// Runs of so many different indices, and the size of a dimension that has them.
pub fn distinct_runs(random: &mut Random, count: i64) -> (Vec<stride_index_run>, i64) {
    let run = |first, step, count| stride_index_run { first, step, count };
    let (mut runs, mut end) = (Vec::new(), random.below(3));
    let ways = random.below(4);
    match ways {
        0 => {
            // A list.
            let mut left = count;
            while left > 0 {
                let skips = random.one_in(3);
                end += i64::from(skips);
                runs.push(run(end, random.pick(&[1, 0, -7]), 1));
                (end, left) = (end + 1, left - 1);
            }
        }
        1 => {
            // Each lies between the others.
            let step = random.pick(&[2, 3]);
            runs.extend((0..step.min(count)).map(|k| run(end + k, step, (count - k + step - 1) / step)));
            end += count;
        }
        _ => {
            let mut left = count;
            while left > 0 {
                let some = if random.one_in(2) { left } else { 1 + random.below(left as u64) };
                let step = random.pick(&[1, 1, 1, 2, 3]);
                runs.push(run(end, step, some));
                end += (some - 1) * step + 1 + random.pick(&[0, 0, 0, 1, 2]);
                left -= some;
            }
        }
    }
    for run in runs.iter_mut().filter(|run| run.count > 1) {
        if random.one_in(4) {
            (run.first, run.step) = (run.first + (run.count - 1) * run.step, -run.step);
        }
    }
    // Pairs are tried up to a budget of 4096.
    if runs.len() < 90 && random.one_in(2) {
        random.shuffle(&mut runs);
    } else if runs.len() >= 90 {
        runs.iter_mut().filter(|run| run.step < 0 && run.count > 1).for_each(|run| {
            (run.first, run.step) = (run.first + (run.count - 1) * run.step, -run.step);
        });
    }
    (with_empty_ones(random, runs), end + random.below(3))
}

/// Any runs of so many indices, also of the fill value and of the same index again and again.
pub fn any_runs(random: &mut Random, count: i64) -> (Vec<stride_index_run>, i64) {
    let run = |first, step, count| stride_index_run { first, step, count };
    let nothing = random.one_in(12); // but the fill value
    let size = if nothing { random.below(3) } else { 1 + random.below(count.unsigned_abs().min(60) + 4) };
    let (mut runs, mut left) = (Vec::new(), count);
    let single = random.one_in(4);
    while left > 0 {
        let some = if single { 1 } else { 1 + random.below(left as u64) };
        let of = match random.below(6) {
            _ if nothing || size == 0 => run(-1, 0, some),
            0 => run(-1, 0, some),
            1 => run(-1, random.pick(&[0, 1, 5]), 1),
            2 => run(random.below(size as u64), 0, some),
            3 => run(size - 1, -1, some.min(size)),
            4 => run(0, 1, some.min(size)),
            _ => {
                let (first, step) = (random.below(size as u64), random.pick(&[1, 1, 2, 3, -1, -1, -2]));
                let room = if step > 0 { (size - 1 - first) / step } else { first / -step };
                run(first, step, some.min(room + 1))
            }
        };
        runs.push(of);
        left -= of.count;
    }
    (with_empty_ones(random, runs), size)
}

/// Here and there a run of no index, whatever else it says.
fn with_empty_ones(random: &mut Random, mut runs: Vec<stride_index_run>) -> Vec<stride_index_run> {
    if random.one_in(4) {
        let (first, step) = (random.pick(&[0, -1, 7, i64::MAX, i64::MIN]), random.pick(&[0, 1, i64::MIN]));
        runs.insert(random.below(runs.len() as u64 + 1) as usize, stride_index_run { first, step, count: 0 });
    }
    runs
}

/// Types of equal width that copies move between: below a byte in either order, numbers in either byte order, plain
/// bytes.
pub fn dtypes(random: &mut Random) -> [Dtype; 2] {
    match random.below(6) {
        0 | 1 => {
            let of = random.pick(&[Dtype::U4, Dtype::S4, Dtype::F4E2M1FN, Dtype::U2, Dtype::U1]);
            [of, of].map(|of| if random.one_in(2) { of.high_first() } else { of })
        }
        2 => [Dtype::bytes(random.pick(&[3, 5, 12, 17, 24, 33])).expect("a width"); 2],
        _ => {
            let of = random.pick(&[Dtype::U8, Dtype::S8, Dtype::BF16, Dtype::F32, Dtype::F64, Dtype::C64, Dtype::C128]);
            [of, of].map(|of| match random.below(6) {
                0 => of.swapped(),
                1 => Dtype::bytes(of.bits() as u32 / 8).expect("a width"),
                _ => of,
            })
        }
    }
}

/// Two sides of the same sizes as they are seen. Either may be large, so look at [`Seen::bytes`].
pub fn pair(random: &mut Random, sizes: &[i64]) -> [Seen; 2] {
    let dtypes = dtypes(random);
    pair_of(random, sizes, dtypes)
}

/// [`pair`] of these dtypes; a side that is left out has that of the other one.
pub fn pair_of(random: &mut Random, sizes: &[i64], mut dtypes: [Dtype; 2]) -> [Seen; 2] {
    let left_out = random.below(12); // 0 and 1: that side
    if let 0 | 1 = left_out {
        let given = 1 - left_out as usize;
        dtypes[1 - given] = dtypes[given];
    }
    [0, 1].map(|number: usize| {
        let (dtype, is_dst) = (dtypes[number], number == 0);
        if left_out == number as i64 {
            let packed: Vec<i64> = (0..sizes.len()).map(|k| sizes[k + 1..].iter().product()).collect();
            return Seen { object: Object::Strided(Side::new(sizes, &packed, 0)), dtype, sight: Sight::LeftOut };
        }
        match (random.below(3), sizes) {
            (0, &[count]) => {
                let mut of = super::random_sizes(random);
                of.truncate(4);
                of.iter_mut().for_each(|size| *size = (*size).max(1));
                let mut all: i64 = of.iter().product();
                if all < count {
                    let more = (count + all - 1) / all + random.below(2);
                    let at = random.below(of.len() as u64 + 1) as usize;
                    of.insert(at, more);
                    all *= more;
                }
                let first = random.below((all - count) as u64 + 1);
                let object = Object::random(random, &of, dtype, is_dst);
                Seen { object, dtype, sight: Sight::Range(first, count) }
            }
            (0 | 1, _) if !sizes.is_empty() => {
                let (mut of, mut along, last) = (sizes.to_vec(), Vec::new(), sizes.len() - 1);
                let alone = random.one_in(4); // the last dimension
                for (dimension, size) in of.iter_mut().enumerate() {
                    if if alone { dimension == last } else { random.one_in(2) } {
                        let make = if is_dst { distinct_runs } else { any_runs };
                        let (runs, all) = make(random, *size);
                        along.push((dimension, runs));
                        *size = all;
                    }
                }
                random.shuffle(&mut along);
                let sight = if along.is_empty() { Sight::Plain } else { Sight::Runs(along) };
                Seen { object: Object::random(random, &of, dtype, is_dst), dtype, sight }
            }
            _ => Seen { object: Object::random(random, sizes, dtype, is_dst), dtype, sight: Sight::Plain },
        }
    })
}
