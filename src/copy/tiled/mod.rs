//! Relayouts: copies in which a side has tiles.
//!
//! A tiled side is not a set of loops over the dimensions: a tile divides a dimension into quotient and remainder, and
//! the last tile is shorter. But on *pieces* of the index space each side is loops, and so are both together. `pieces`
//! finds them; each piece is a copy like any other, which the kernels run. If there is only one piece, the plan is an
//! ordinary one. Three other kinds of sides are cut in the same way: dimensions that are digits of the indices in any
//! order (`vocabulary::blocks`), a source whose indices along one dimension come from a list (`take`), and sides that
//! are counted in row-major order, whatever their sizes (`stream`).
//!
//! `Side` tells where a side's elements lie, `Relayout` is both. The words of a relayout's plan describe the two sides:
//!
//! ```text
//! header   as of every plan; in its second word rank, what the sides are, and 3 in the top byte
//! sizes
//! for each side   strides in elements (the base is in the header); or minor_to_major, padded sizes, the ranks of the
//!                 tiles as bytes, their sizes; or the number of blocks, and dimension, step and size of each; or the
//!                 strides, dimension and size of what is taken, and the list; or the rank of a stream, the number of
//!                 its first element, its sizes and strides
//! ```

mod pieces;
mod stream;
mod sums;
mod take;

use super::loops::{Loop, Loops};
use super::nest::{Reach, Reached};
use super::options::{self, Options};
use super::problem::{Problem, check_alike, in_front};
use super::words::{self, HEADER};
use crate::error::{Argument, Detail, Error, Many, Result, Status};
use crate::model::{Dtype, Layout, LayoutBuf, MAX_RANK, arith};
use crate::vocabulary::blocks::{Block, BlockedLayout, MAX_BLOCKS};
use crate::vocabulary::xla::tiles::{MAX_TILE_SIZES, MERGE};
use crate::vocabulary::xla::{PaddingKind, Shape, Tiles};
use arrayvec::ArrayVec;
use core::fmt;
use pieces::Piece;
pub(crate) use pieces::{Pieces, Share};
pub(crate) use stream::{Coalesced, Stream};
pub(crate) use take::{MOST_TAKEN, Taken};

/// Where the elements of one side lie.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Side<'a> {
    /// At a base, and a number of elements from one to the next along each dimension.
    Strided {
        /// Of element (0, …, 0).
        base: i64,
        strides: &'a [i64],
    },
    /// In the tiled buffer of a shape.
    Tiled(&'a Shape),
    /// At the digits of their indices.
    Blocked(&'a BlockedLayout),
    /// A source whose indices along one dimension come from a list.
    Taken(Taken<'a>),
    /// Elements in row-major order, counted by the only dimension.
    Stream(Stream<'a>),
}

/// A copy between sides of the same sizes. All positions are in elements of `width` bytes and, in bits, fit into 63
/// bits. For elements below a byte `width` is in bits, and only [`Relayout::set_only_problem`] is used.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Relayout<'a> {
    pub width: i64,
    /// Bytes of the parts of an element that are byte-swapped (`Dtype::part_bytes`); 0: it moves as it is.
    pub part: i64,
    pub sizes: &'a [i64],
    pub dst: Side<'a>,
    pub src: Side<'a>,
}

/// What errors call a side: its layout, its shape, its blocked layout.
pub(crate) type Names = [Argument; 3];
/// Those of the destination.
pub(crate) const DST: Names = [Argument::DstLayout, Argument::DstShape, Argument::DstBlocked];
/// Those of the source.
pub(crate) const SRC: Names = [Argument::SrcLayout, Argument::SrcShape, Argument::SrcBlocked];

/// One side as the caller gives it.
#[derive(Clone, Copy, Debug)]
pub enum Operand<'a> {
    /// A layout, or that of a shape without tiles.
    Layout(Layout<'a>),
    /// A shape with tiles.
    Tiled(&'a Shape),
    /// A blocked layout.
    Blocked(&'a BlockedLayout),
}

impl<'a> Operand<'a> {
    /// Elements along each dimension, outermost first.
    pub(crate) fn sizes(&self) -> &'a [i64] {
        match *self {
            Self::Layout(layout) => layout.sizes(),
            Self::Tiled(shape) => shape.sizes(),
            Self::Blocked(blocked) => blocked.sizes(),
        }
    }

    /// What an element is where it lies.
    pub(crate) fn dtype(&self) -> Dtype {
        match self {
            Self::Layout(layout) => layout.dtype(),
            Self::Tiled(shape) => shape.storage_dtype(),
            Self::Blocked(blocked) => blocked.dtype(),
        }
    }

    /// How many there are.
    pub(crate) fn element_count(&self) -> Result<i64> {
        arith::element_count(self.sizes())
    }

    /// How an error names it: as a layout, a shape or a blocked layout.
    pub(crate) fn named(&self, [layout, shape, blocked]: Names) -> Argument {
        match self {
            Self::Layout(_) => layout,
            Self::Tiled(_) => shape,
            Self::Blocked(_) => blocked,
        }
    }

    /// A packed layout with the same dtype and sizes: what a side that is left out means.
    pub(crate) fn packed(&self) -> Result<LayoutBuf> {
        if let Self::Tiled(shape) = self {
            shape.check_bounded()?;
        }
        LayoutBuf::packed(self.dtype(), self.sizes())
    }

    /// Where its elements lie; OUT_OF_BOUNDS if one lies below the base pointer.
    fn side(&self, argument: Argument) -> Result<Side<'a>> {
        Ok(match self {
            Self::Layout(layout) => {
                in_front(layout, argument)?;
                Side::Strided { base: layout.offset(), strides: layout.strides() }
            }
            Self::Tiled(shape) => Side::Tiled(shape),
            Self::Blocked(blocked) => Side::Blocked(blocked),
        })
    }
}

impl Side<'_> {
    /// What is reached, in bytes from the base pointer; for a tiled or blocked side the whole buffer. OVERFLOW,
    /// OUT_OF_BOUNDS.
    fn reach(&self, sizes: &[i64], width: i64) -> Result<Reach> {
        let (lowest, highest) = match self {
            Self::Strided { base, strides } => {
                let extent = arith::extent(width.saturating_mul(8), *base, sizes, strides)?;
                (extent.lowest, extent.highest)
            }
            Self::Tiled(shape) => (0, shape.positions()? - 1),
            Self::Blocked(blocked) => (0, blocked.positions()? - 1),
            Self::Taken(taken) => {
                let extent = taken.extent(sizes, width.saturating_mul(8))?;
                (extent.lowest, extent.highest)
            }
            Self::Stream(Stream { base, sizes, strides, .. }) => {
                let extent = arith::extent(width.saturating_mul(8), *base, sizes, strides)?;
                (extent.lowest, extent.highest)
            }
        };
        let bytes = |elements: i64| arith::multiply(elements, width);
        Ok(Reach { lowest: bytes(lowest)?, highest: bytes(highest)?, end: bytes(highest + 1)? })
    }
}

impl<'a> Relayout<'a> {
    /// The copy of one operand to the other, one of which has tiles; errors as
    /// [`Problem::copy`](super::problem::Problem::copy), and OVERLAP or UNDECIDED if the destination may hold one
    /// element twice.
    pub fn new(dst: Operand<'a>, src: Operand<'a>, options: &Options) -> Result<Self> {
        options.check()?;
        let sizes = dst.sizes();
        check_alike((sizes, dst.dtype()), (src.sizes(), src.dtype()), Argument::SrcLayout)?;
        let bits = dst.dtype().bits();
        let width = if bits < 8 { bits } else { bits / 8 };
        let sides = (dst.side(Argument::DstLayout)?, src.side(Argument::SrcLayout)?);
        let part = src.dtype().turned_bytes(dst.dtype());
        let relayout = Self { width, part, sizes, dst: sides.0, src: sides.1 };
        if let Operand::Layout(layout) = dst
            && !relayout.is_empty()
        {
            options.check_distinct(layout.dimensions())?;
        }
        Ok(relayout)
    }

    /// Whether there is nothing to copy.
    pub fn is_empty(&self) -> bool {
        arith::has_zero(self.sizes)
    }

    /// What both sides reach, in bytes from the base pointers, and how much moves.
    pub fn reached(&self) -> Result<Reached> {
        let bytes = arith::multiply(arith::element_count(self.sizes)?, self.width)?;
        let (dst, src) = (self.dst.reach(self.sizes, self.width)?, self.src.reach(self.sizes, self.width)?);
        Ok(Reached { dst, src, bytes: bytes as u64 })
    }

    /// A piece as a problem, in place: it is large.
    pub fn set_problem(&self, piece: &Piece<'_>, problem: &mut Problem) {
        let width = self.width;
        *problem =
            Problem { width, dst_base: piece.dst.base * width, src_base: piece.src.base * width, loops: Loops::new() };
        let steps = piece.dst.steps.iter().zip(&piece.src.steps);
        for (v, (dst, src)) in piece.variables.iter().zip(steps).filter(|(v, _)| v.count > 1) {
            problem.add(Loop { count: v.count, dst: dst * width, src: src * width });
        }
        if self.part != 0 && !self.is_filled(piece) {
            let _ = problem.turn(width, self.part); // there is room, but in a forged plan, which moves other bytes then
        }
    }

    /// The only piece, if there is one alone: then the copy is an ordinary one.
    pub fn set_only_problem(&self, problem: &mut Problem) -> bool {
        let mut pieces = Pieces::<64>::new(self, &Share::ALL);
        let Some(piece) = pieces.next() else { return false };
        self.set_problem(&piece, problem);
        pieces.is_last()
    }

    /// How many pieces there are, up to `most`.
    pub fn count_pieces(&self, most: usize) -> usize {
        let mut pieces = Pieces::<64>::new(self, &Share::ALL);
        (0..most).take_while(|_| pieces.next().is_some()).count()
    }

    /// The number of parts above which some have nothing to do.
    pub fn most_parts(&self) -> u64 {
        let turns =
            |(dimension, &size): (usize, &i64)| (size as u64).div_ceil(self.dst.granule(dimension).max(1) as u64);
        self.sizes.iter().enumerate().map(turns).max().unwrap_or(1)
    }

    /// The indices of part `part` of `parts`; `None` if it has none. Cuts the slowest dimension of the destination that
    /// has a tile for each part, between its tiles.
    pub fn part(&self, part: u64, parts: u64) -> Option<Share> {
        let dimensions = self.sizes.iter().enumerate();
        let turns = |dimension: usize, size: i64| (size as u64).div_ceil(self.dst.granule(dimension) as u64);
        let slowness = |dimension: usize| self.dst.slowness(dimension);
        let all = dimensions.map(|(d, &size)| (d, size, turns(d, size)));
        let enough = all.clone().filter(|&(.., turns)| turns >= parts).max_by_key(|&(d, ..)| slowness(d));
        let (dimension, size, turns) = enough.or(all.max_by_key(|&(.., turns)| turns))?;
        let granule = self.dst.granule(dimension);
        let bound = |part: u64| {
            (((turns as u128 * part as u128 / parts.max(1) as u128) as i64).saturating_mul(granule)).min(size)
        };
        let turns = bound(part)..bound(part + 1);
        (!turns.is_empty()).then_some(Share { dimension, turns })
    }
}

/// The kind of a relayout, in the top byte of a plan's second word.
pub const NUMBER: u64 = 3;

/// The most words behind the header: the sizes; for either side the order, the padded sizes, the ranks of the tiles and
/// their sizes. Blocks and streams take no more: their number, and three or two words for each.
pub const MOST_WORDS: usize = MAX_RANK + 2 * (MAX_RANK + MAX_RANK + 1 + MAX_TILE_SIZES);
const _: () = assert!(2 + 2 * MAX_RANK <= MAX_RANK + MAX_RANK + 1 + MAX_TILE_SIZES);
const _: () = assert!(3 * MAX_BLOCKS <= MAX_RANK + MAX_RANK + MAX_TILE_SIZES);

/// The plan of a relayout, which is what it was made of.
#[derive(Clone, Debug)]
pub(crate) struct TiledPlan {
    header: [u64; HEADER],
    rest: [i64; MOST_WORDS],
    count: usize,
}

impl TiledPlan {
    #[inline(never)] // its stack is its own
    pub(crate) fn new(relayout: &Relayout<'_>, options: &Options, fill_period: i64) -> Self {
        let (mut plan, mut count) = (Self { header: [0; HEADER], rest: [0; MOST_WORDS], count: 0 }, 0);
        relayout.write(options, fill_period, |word| {
            if let Some(slot) = plan.header.get_mut(count) {
                *slot = word;
            } else if let Some(slot) = plan.rest.get_mut(count - HEADER) {
                *slot = word as i64;
            }
            count += 1;
        });
        plan.count = count.saturating_sub(HEADER).min(MOST_WORDS);
        plan
    }

    pub(crate) fn words(&self) -> TiledWords<'_> {
        TiledWords { header: &self.header, rest: self.rest.get(..self.count).unwrap_or(&[]) }
    }
}

/// The words of a relayout's plan, which anybody may have written.
#[derive(Clone, Copy, Debug)]
pub struct TiledWords<'a> {
    /// The first ones.
    pub header: &'a [u64; HEADER],
    /// Those that follow.
    pub rest: &'a [i64],
}

impl<'a> Relayout<'a> {
    /// Calls `put` for each word of the plan.
    pub fn write(&self, options: &Options, fill_period: i64, mut put: impl FnMut(u64)) {
        let sides = [&self.dst, &self.src];
        let count = HEADER + self.sizes.len() + sides.iter().map(|side| side.words().count()).sum::<usize>();
        let kinds = self.dst.kind() << DST_KIND | self.src.kind() << SRC_KIND;
        let shape = self.sizes.len() as u64 | kinds | NUMBER << words::KIND;
        let numbers = [self.width | self.part << PART, self.dst.base(), self.src.base(), fill_period];
        words::header(count, shape, numbers, options).into_iter().for_each(&mut put);
        self.sizes.iter().for_each(|&size| put(size as u64));
        for side in sides {
            side.words().for_each(|word| put(word as u64));
        }
    }
}

/// The bits of the second word that say what a side is: one each for tiles, blocks, a list and a stream, two places
/// apart; none for strides.
const DST_KIND: u32 = 8;
const SRC_KIND: u32 = 9;
const TILED: u64 = 1;
const BLOCKED: u64 = 4;
const TAKEN: u64 = 16;
const STREAM: u64 = 64;
/// The bits of a second word for kinds and rank.
const SHAPE: u64 = 0xFFFF;

/// A side that is not strided, as it is read from words.
#[derive(Debug)]
pub(crate) enum Room {
    Tiled(Shape),
    Blocked(BlockedLayout),
}

impl Room {
    fn side(&self) -> Side<'_> {
        match self {
            Self::Tiled(shape) => Side::Tiled(shape),
            Self::Blocked(blocked) => Side::Blocked(blocked),
        }
    }
}

impl<'a> TiledWords<'a> {
    /// The relayout, its options and the period of its fill. Sides that are not strided are built in `rooms`.
    /// INVALID_ARGUMENT if the words are not a relayout.
    pub(crate) fn decode(self, rooms: &'a mut [Option<Room>; 2]) -> Result<(Relayout<'a>, Options, i64)> {
        let [first, shape, _, width, dst_base, src_base, _, fill_period, ..] = *self.header;
        let refused = Error::new(Status::InvalidArgument).argument(Argument::Plan);
        let refused = refused.because(Detail::PlanWords, first as i64, words::words_behind(first) as i64);
        let options = words::options_of(self.header);
        options.check().map_err(|error| Error { argument: Argument::Plan, ..error })?;
        let (width, part) = ((width & ((1 << PART) - 1)) as i64, (width >> PART) as i64);
        let fill_period = fill_period as i64;
        let known = words::header(HEADER + self.rest.len(), shape, [0; 4], &options).first() == Some(&first)
            && shape & !SHAPE == NUMBER << words::KIND
            && (1..=MAX_WIDTH).contains(&width)
            && (part == 0 || matches!((part, width / part.max(1)), (2 | 4 | 8, 1) | (4 | 8, 2)) && width % part == 0)
            && fill_period >= 1;
        let rank = (shape & 0xFF) as usize;
        let Some((sizes, mut rest)) = self.rest.split_at_checked(rank).filter(|_| known && rank <= MAX_RANK) else {
            return Err(refused);
        };
        let [dst_room, src_room] = rooms;
        let mut side = |room: &'a mut Option<Room>, kind: u32, base: u64| -> Result<Side<'a>> {
            let read = match shape >> kind & (TILED | BLOCKED | TAKEN | STREAM) {
                STREAM => return Stream::read(base as i64, sizes, &mut rest).map(Side::Stream).ok_or(refused),
                // A list is walked in one way only: in the order of a strided destination, which it is not itself.
                TAKEN if shape >> DST_KIND & (TILED | BLOCKED | TAKEN | STREAM) == 0 => {
                    return Taken::read(base as i64, sizes, &mut rest).map(Side::Taken).ok_or(refused);
                }
                0 => {
                    let strides = next_words(&mut rest, rank).ok_or(refused)?;
                    return Ok(Side::Strided { base: base as i64, strides });
                }
                TILED => read_shape(sizes, &mut rest).map(Room::Tiled),
                BLOCKED => read_blocked(sizes, &mut rest).map(Room::Blocked),
                _ => Err(refused),
            };
            Ok(room.insert(read.map_err(|_| refused)?).side())
        };
        let (dst, src) = (side(dst_room, DST_KIND, dst_base)?, side(src_room, SRC_KIND, src_base)?);
        if !rest.is_empty() {
            return Err(refused);
        }
        let relayout = Relayout { width, part, sizes, dst, src };
        // Distinct elements fit into what they reach, so no plan runs (nearly) for ever.
        let reached = relayout.reached().map_err(|_| refused)?;
        let distinct = options.flags & options::ASSUME_DISTINCT != 0 || reached.are_distinct();
        // An empty one is an ordinary plan.
        if distinct && !relayout.is_empty() { Ok((relayout, options, fill_period)) } else { Err(refused) }
    }
}

/// The bit of the width's word at which the bytes of byte-swapped parts begin.
const PART: u32 = 32;
/// Bytes of the widest element.
const MAX_WIDTH: i64 = 1 << 31;

/// The first words of `rest`, which moves on behind them.
fn next_words<'a>(rest: &mut &'a [i64], count: usize) -> Option<&'a [i64]> {
    let (taken, behind) = rest.split_at_checked(count)?;
    *rest = behind;
    Some(taken)
}

/// The shape of a tiled side, from the first of the words in `rest`.
fn read_shape(sizes: &[i64], rest: &mut &[i64]) -> Result<Shape> {
    let mut next = |count| next_words(rest, count).ok_or(Error::new(Status::InvalidArgument));
    let (order, padded) = (next(sizes.len())?, next(sizes.len())?);
    let ranks = next(1)?.first().copied().unwrap_or(0).to_le_bytes();
    let mut tiles = Tiles::NONE;
    for rank in ranks.into_iter().take_while(|&rank| rank != 0) {
        tiles.push(next(rank as usize)?)?;
    }
    Shape::new(Dtype::U8, sizes, Some(order))?.with_padding(padded, PaddingKind::None)?.with_tiles(tiles)
}

/// The blocks of a blocked side, from the first of the words in `rest`.
fn read_blocked(sizes: &[i64], rest: &mut &[i64]) -> Result<BlockedLayout> {
    let mut next = |count| next_words(rest, count).ok_or(Error::new(Status::InvalidArgument));
    let count = next(1)?.first().map_or(0, |&count| count.clamp(0, MAX_BLOCKS as i64) as usize);
    let mut blocks = ArrayVec::<Block, MAX_BLOCKS>::new();
    for words in next(3 * count)?.chunks_exact(3) {
        if let &[dimension, step, size] = words {
            let _ = blocks.try_push(Block { dimension, step, size });
        }
    }
    BlockedLayout::new(Dtype::U8, sizes, &blocks)
}

impl Side<'_> {
    /// The bit of its kind.
    fn kind(&self) -> u64 {
        match self {
            Self::Strided { .. } => 0,
            Self::Tiled(_) => TILED,
            Self::Blocked(_) => BLOCKED,
            Self::Taken(_) => TAKEN,
            Self::Stream(_) => STREAM,
        }
    }

    fn base(&self) -> i64 {
        match self {
            Self::Strided { base, .. } | Self::Taken(Taken { base, .. }) | Self::Stream(Stream { base, .. }) => *base,
            _ => 0,
        }
    }

    /// As they stand in a plan.
    fn words(&self) -> impl Iterator<Item = i64> {
        let (strides, shape, blocked, taken) = match *self {
            Self::Strided { strides, .. } => (strides, None, None, None),
            Self::Tiled(shape) => (&[][..], Some(shape), None, None),
            Self::Blocked(blocked) => (&[][..], None, Some(blocked), None),
            Self::Taken(taken) => (taken.strides, None, None, Some(taken)),
            Self::Stream(_) => (&[][..], None, None, None),
        };
        let stream = if let Self::Stream(stream) = self { Some(stream) } else { None };
        let ranks = |shape: &Shape| {
            let ranks = shape.tiles().iter().enumerate();
            ranks.fold(0, |word, (k, tile)| word | (tile.len() as u64) << (8 * k)) as i64
        };
        let shape = shape.into_iter().flat_map(move |shape| {
            let numbers = shape.minor_to_major().iter().chain(shape.padded_sizes()).copied();
            numbers.chain([ranks(shape)]).chain(shape.tiles().sizes().iter().copied())
        });
        let blocked = blocked.into_iter().flat_map(|blocked| {
            let blocks = blocked.blocks();
            let words = |Block { dimension, step, size }| [dimension, step, size];
            core::iter::once(blocks.len() as i64).chain(blocks.flat_map(words))
        });
        let taken =
            taken.into_iter().flat_map(|of| [of.axis as i64, of.size].into_iter().chain(of.list.iter().copied()));
        let stream = stream.into_iter().flat_map(|of| {
            [of.sizes.len() as i64, of.first]
                .into_iter()
                .chain(of.sizes.iter().copied())
                .chain(of.strides.iter().copied())
        });
        strides.iter().copied().chain(shape).chain(blocked).chain(taken).chain(stream)
    }

    /// A number that is larger for a dimension that is slower in memory.
    fn slowness(&self, dimension: usize) -> u64 {
        match self {
            Self::Strided { strides, .. } | Self::Taken(Taken { strides, .. }) => {
                strides.get(dimension).map_or(0, |stride| stride.unsigned_abs())
            }
            Self::Tiled(shape) => {
                shape.minor_to_major().iter().position(|&d| d as usize == dimension).unwrap_or(0) as u64
            }
            Self::Stream(_) => 0, // there is one dimension
            Self::Blocked(blocked) => {
                let mut digits = blocked.digits().iter().rev();
                digits.rposition(|digit| digit.dimension() == dimension).unwrap_or(0) as u64
            }
        }
    }

    /// Indices of a dimension that the first tile, or the block that is slowest in memory, keeps together.
    fn granule(&self, dimension: usize) -> i64 {
        let shape = match self {
            Self::Strided { .. } | Self::Taken(_) | Self::Stream(_) => return 1,
            Self::Blocked(blocked) => {
                let slowest = blocked.digits().iter().find(|digit| digit.dimension() == dimension);
                return slowest.map_or(1, |digit| digit.step.max(1));
            }
            Self::Tiled(shape) => shape,
        };
        let tile = shape.tiles().iter().next().filter(|tile| !tile.contains(&MERGE)).unwrap_or(&[]);
        let place = shape.minor_to_major().iter().position(|&d| d as usize == dimension).unwrap_or(usize::MAX);
        tile.iter().rev().nth(place).map_or(1, |&size| size.max(1))
    }
}

impl fmt::Display for Relayout<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const MANY: usize = 100;
        let pieces = self.count_pieces(MANY);
        let more = if pieces == MANY { " or more" } else { "" };
        let bytes = self.reached().map_or(0, |reached| reached.bytes);
        let (bytes, ending) = (Many(bytes as i64, "byte"), if pieces == 1 { "" } else { "s" });
        write!(f, "relayout: {bytes} in elements of {}, {pieces}{more} piece{ending}", self.width)?;
        for (name, side) in [("to", &self.dst), ("from", &self.src)] {
            match side {
                Side::Strided { .. } => write!(f, "; {name} strides")?,
                Side::Stream(stream) => write!(f, "; {name} elements in row-major order from {} on", stream.first)?,
                Side::Taken(taken) => write!(f, "; {name} dimension {} by {:?}", taken.axis, taken.list)?,
                Side::Blocked(blocked) => write!(f, "; {name} blocks {blocked}")?,
                Side::Tiled(shape) => {
                    write!(f, "; {name} tiles")?;
                    for tile in shape.tiles().iter() {
                        for (k, &size) in tile.iter().enumerate() {
                            let lead = if k == 0 { " (" } else { "," };
                            if size == MERGE { write!(f, "{lead}*")? } else { write!(f, "{lead}{size}")? }
                        }
                        f.write_str(")")?;
                    }
                }
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_slowest_dimension_with_a_turn_for_each_part_is_cut() {
        let rows = Side::Strided { base: 0, strides: &[1000, 1] };
        let relayout = |dst| Relayout { width: 1, part: 0, sizes: &[30, 1000], dst, src: rows };
        let part = |dst, part, parts| relayout(dst).part(part, parts).map(|share| (share.dimension, share.turns));
        let tiles = |order: &[i64]| {
            let mut tiles = Tiles::NONE;
            tiles.push(&[8, 128]).unwrap();
            Shape::new(Dtype::U8, &[30, 1000], Some(order)).unwrap().with_tiles(tiles).unwrap()
        };
        // Four tiles of 8 rows, eight of 128 columns.
        let tiled = &tiles(&[1, 0]);
        assert_eq!(relayout(Side::Tiled(tiled)).most_parts(), 8);
        assert_eq!(part(Side::Tiled(tiled), 1, 4), Some((0, 8..16)));
        assert_eq!(part(Side::Tiled(tiled), 3, 4), Some((0, 24..30)));
        assert_eq!(part(Side::Tiled(tiled), 1, 5), Some((1, 128..384)));
        assert_eq!(part(Side::Tiled(tiled), 0, 9), None);
        assert_eq!(part(Side::Tiled(tiled), 8, 9), Some((1, 896..1000)));
        // One tile of 128 rows, 125 of 8 columns.
        let turned = &tiles(&[0, 1]);
        assert_eq!(relayout(Side::Tiled(turned)).most_parts(), 125);
        assert_eq!(part(Side::Tiled(turned), 0, 2), Some((1, 0..496)));
        assert_eq!(part(Side::Tiled(turned), 0, 1), Some((1, 0..1000)));
        // Without tiles by the size of the strides.
        assert_eq!(part(rows, 29, 30), Some((0, 29..30)));
        assert_eq!(part(Side::Strided { base: 29, strides: &[-1, 30] }, 0, 2), Some((1, 0..500)));
    }
}
