//! An error as a sentence: `sizes, dimension 1: size -1 is below 0, the least that is allowed`.
//!
//! In front of the colon stands the place, behind it what the rule that was broken ([`Detail`]) says of the two
//! numbers. What kind of number it is follows from the status. Every pair of status and detail that the library uses
//! stands with its sentence in `tests/errors.txt`, each made by a call.

use crate::error::{Argument, Detail, Error, Status};
use crate::model::Dtype;
use core::fmt::{self, Write};

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.status == Status::Ok {
            return f.write_str("no error");
        }
        write_place(self, f)?;
        f.write_str(": ")?;
        write_reason(self, f)
    }
}

/// `sizes, operand 2, dimension 1`.
fn write_place(error: &Error, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    if error.argument == Argument::Tile && error.item >= 0 {
        write!(f, "tile {}", error.item)?;
    } else {
        f.write_str(error.argument.name())?;
    }
    if error.item >= 0 && error.argument != Argument::Tile {
        let kind = match error.argument {
            Argument::In | Argument::Ranks | Argument::Sizes => "operand",
            Argument::DstOffsets | Argument::SrcOffsets | Argument::Pitches | Argument::Offsets | Argument::Indices => {
                "entry"
            }
            Argument::BlockDims | Argument::BlockSizes | Argument::Blocked => "block",
            Argument::DstBlocked | Argument::SrcBlocked => "block",
            _ if is_of_blocks(error.detail) => "block", // of a text
            _ => "tile",
        };
        write!(f, ", {kind} {}", error.item)?;
    }
    if error.dimension >= 0 {
        let entry = matches!(error.status, Status::InvalidAxes | Status::InvalidTile)
            || matches!(error.argument, Argument::BlockSizes | Argument::Pitches | Argument::Offsets);
        let entry = entry && !is_of_blocks(error.detail);
        write!(f, ", {} {}", if entry { "entry" } else { "dimension" }, error.dimension)?;
    }
    if error.position != u64::MAX {
        write!(f, ", byte {}", error.position)?;
    }
    Ok(())
}

/// What kind of number `lhs` is, with a space behind it.
fn noun(error: &Error) -> &'static str {
    match error.status {
        Status::InvalidRank
            if !matches!(
                error.argument,
                Argument::Rank | Argument::Count | Argument::LeastRank | Argument::DimensionCount
            ) =>
        {
            "rank "
        }
        // What is at least a size, not 0, is its padded one.
        Status::InvalidSize if is_shape(error.argument) && error.detail == Detail::Below && error.rhs > 0 => {
            "padded size "
        }
        Status::InvalidSize | Status::ShapeMismatch | Status::BroadcastMismatch => "size ",
        Status::InvalidStride => "stride ",
        // Of what a consumer asks for, only sizes belong to a dimension.
        Status::NotRepresentable if matches!(error.detail, Detail::Below | Detail::Above) => {
            if error.dimension >= 0 {
                "size "
            } else {
                "rank "
            }
        }
        Status::InvalidAxes => "dimension number ",
        Status::InvalidTile => "tile size ",
        Status::IndexOutOfRange if matches!(error.argument, Argument::Linear) => "number ",
        Status::IndexOutOfRange if matches!(error.argument, Argument::Position) => "",
        Status::IndexOutOfRange => "index ",
        Status::OutOfBounds if matches!(error.argument, Argument::Inner) => "element number ",
        Status::OutOfBounds => "element offset ",
        // The field of a shape, which only the rule tells.
        Status::InvalidArgument if is_shape(error.argument) => match error.detail {
            Detail::Below if error.rhs == 1 => "tail_alignment ",
            Detail::Below | Detail::Above | Detail::NotAPowerOfTwo => "element_bits ",
            Detail::UnknownValue => "padding_kind ",
            Detail::OutOfRange => "dynamic dimension ",
            _ => "",
        },
        _ => "",
    }
}

/// Of a side that must be as the other one, where that other one is told.
fn other_side(error: &Error) -> &'static str {
    match error.argument {
        Argument::SrcLayout if error.status == Status::ShapeMismatch => ", as in dst_layout",
        Argument::RhsLayout if error.status == Status::ShapeMismatch => ", as in lhs_layout",
        _ => "",
    }
}

/// Rules of the digits that are blocks.
fn is_of_blocks(detail: Detail) -> bool {
    matches!(detail, Detail::BlockStep | Detail::BlockOpen | Detail::BlockCover)
}

fn is_shape(argument: Argument) -> bool {
    matches!(
        argument,
        Argument::Shape
            | Argument::InShape
            | Argument::OutShape
            | Argument::Lhs
            | Argument::Rhs
            | Argument::DstShape
            | Argument::SrcShape
    )
}

/// A dtype by its name, or as a number where it has none.
struct Named(i64);

impl fmt::Display for Named {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match u32::try_from(self.0).ok().and_then(|code| Dtype::new(code).ok()) {
            Some(dtype) => dtype.fmt(f),
            None => write!(f, "{:#x}", self.0),
        }
    }
}

/// The flags of copies from bit 0 on, as C calls them behind STRIDE_COPY_.
const COPY_FLAGS: [&str; 6] = ["ASSUME_DISTINCT", "FILL_BUFFER", "OVERLAP", "KEEP_CACHED", "SMALL_STACK", "ROW_MAJOR"];

/// Flags of options by their names, others as a number.
struct Flags(Argument, i64);

impl fmt::Display for Flags {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let &Self(argument, flags) = self;
        if !matches!(argument, Argument::Options | Argument::Plan) || flags == 0 || flags >> COPY_FLAGS.len() != 0 {
            return write!(f, "flag {flags:#x}");
        }
        let names = COPY_FLAGS.iter().enumerate().filter(|(bit, _)| flags >> bit & 1 != 0);
        names.enumerate().try_for_each(|(number, (_, name))| {
            f.write_str(if number == 0 { "STRIDE_COPY_" } else { " | STRIDE_COPY_" })?;
            f.write_str(name)
        })
    }
}

/// A number that may have been larger.
struct Saturated(i64);

impl fmt::Display for Saturated {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.0, if self.0 == i64::MAX { " or more" } else { "" })
    }
}

/// So many of something: `1 byte`, `2 bytes`; and with a verb, `1 byte is`.
struct Many(i64, &'static str);
struct ManyAre(i64, &'static str);

impl fmt::Display for Many {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}{}", Saturated(self.0), self.1, if self.0 == 1 { "" } else { "s" })
    }
}

impl fmt::Display for ManyAre {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", Many(self.0, self.1), if self.0 == 1 { "is" } else { "are" })
    }
}

/// Bytes as the characters they are, the first in the low byte and without those that are 0 behind; `?` where one
/// cannot be printed.
struct Letters(u32);

impl fmt::Display for Letters {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut rest = self.0;
        loop {
            let byte = rest as u8;
            f.write_char(if byte.is_ascii_graphic() { char::from(byte) } else { '?' })?;
            rest >>= 8;
            if rest == 0 {
                return Ok(());
            }
        }
    }
}

fn write_reason(error: &Error, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    let (lhs, rhs, noun) = (error.lhs, error.rhs, noun(error));
    match error.detail {
        Detail::None => f.write_str(match error.status {
            Status::NullPointer => "the pointer is NULL",
            status => status.doc().strip_prefix(' ').unwrap_or(""),
        }),
        Detail::Below => write!(f, "{noun}{lhs} is below {rhs}, the least that is allowed"),
        Detail::Above if error.status == Status::IndexOutOfRange => {
            write!(f, "start plus size is {lhs}, the layout's size is {rhs}")
        }
        Detail::Above if matches!(error.argument, Argument::DstFirst | Argument::SrcFirst) => {
            write!(f, "start plus count is {lhs}, the layout has {rhs} elements")
        }
        Detail::Above if error.status == Status::Overflow => {
            let which = if error.argument == Argument::Strides { " from the lowest to the highest" } else { "" };
            write!(f, "{} elements{which} are above {rhs}, the most that is allowed", Saturated(lhs))
        }
        // Of the fields of these structs only one has a most.
        Detail::Above
            if error.status == Status::InvalidArgument
                && matches!(
                    error.argument,
                    Argument::Options
                        | Argument::Requirements
                        | Argument::Machine
                        | Argument::Image
                        | Argument::Out
                        | Argument::Rules
                ) =>
        {
            write!(f, "struct_size is {lhs}, at most {rhs} is allowed")
        }
        Detail::UnknownFlag if error.argument == Argument::Flags => {
            write!(f, "{:#x} of {lhs:#x} are unknown", lhs & !rhs)
        }
        Detail::UnknownValue if error.status == Status::InvalidDtype => {
            write!(f, "there is no data type {lhs}, the highest is {rhs}")
        }
        Detail::UnknownValue if matches!(error.argument, Argument::Options | Argument::Machine) => {
            write!(f, "cpu_level {lhs} is unknown, the highest known is {rhs}")
        }
        Detail::Above if noun.is_empty() => {
            write!(f, "{} is above {rhs}, the most that is allowed", Saturated(lhs))
        }
        Detail::Above => write!(f, "{noun}{lhs} is above {rhs}, the most that is allowed"),
        Detail::OutOfRange | Detail::Repeated if error.argument == Argument::Tag => {
            let what = if error.detail == Detail::Repeated { "is repeated" } else { "is not among those of the tag" };
            write!(f, "the letter of dimension {lhs} {what}")
        }
        Detail::OutOfRange | Detail::OutOfSignedRange if rhs <= 0 => {
            write!(f, "{noun}{lhs} is outside an empty range")
        }
        Detail::OutOfRange if error.argument == Argument::Indices => {
            write!(f, "index {lhs} is outside 0 ... {}, and -1 is the fill value", rhs.saturating_sub(1))
        }
        Detail::OutOfRange if error.argument == Argument::Text && error.position != u64::MAX => {
            write!(f, "the letter is that of dimension {lhs}, and there are {rhs}")
        }
        Detail::OutOfRange if error.argument == Argument::Rules => {
            write!(f, "rank_max {lhs} is outside 0 ... {}", rhs.saturating_sub(1))
        }
        Detail::OutOfRange => write!(f, "{noun}{lhs} is outside 0 ... {}", rhs.saturating_sub(1)),
        Detail::OutOfSignedRange => {
            write!(f, "{noun}{lhs} is outside {} ... {}", rhs.saturating_neg(), rhs.saturating_sub(1))
        }
        Detail::Zero if error.status == Status::ShapeMismatch => {
            f.write_str("a size of -1 cannot be computed beside a size of 0")
        }
        Detail::Zero => write!(f, "{noun}{lhs} is not allowed"),
        Detail::NotZero => write!(f, "`reserved` is {lhs}, it must be 0"),
        Detail::NotEqual if error.status == Status::BroadcastMismatch => {
            write!(f, "sizes {lhs} and {rhs} are not equal, and neither is 1")
        }
        Detail::NotEqual if error.argument == Argument::Len => write!(f, "the elements take {rhs} bytes, not {lhs}"),
        Detail::NotEqual if error.status == Status::InvalidSize && rhs == i64::MIN => {
            write!(f, "padded size {lhs} must be STRIDE_XLA_UNBOUNDED, as the size is")
        }
        Detail::NotEqual if error.argument == Argument::Plan => {
            f.write_str("elements that get the fill value have no source, which a list of regions needs")
        }
        Detail::NotEqual => write!(f, "{noun}{lhs} must be {rhs}{}", other_side(error)),
        Detail::NotAMultiple if error.argument == Argument::TileSizes => {
            write!(f, "the layout's size {lhs} is not a multiple of {rhs}")
        }
        Detail::NotAMultiple if error.status == Status::ShapeMismatch && error.argument == Argument::Layout => {
            write!(f, "{lhs} elements are not a multiple of {rhs}, as many as make a new one")
        }
        Detail::NotAMultiple if error.status == Status::ShapeMismatch => {
            write!(f, "{lhs} elements are not a multiple of {rhs}, the product of the other sizes")
        }
        Detail::NotAMultiple if error.argument == Argument::Address => {
            write!(f, "the lowest element lies at {lhs}, which is not a multiple of {rhs}")
        }
        Detail::NotAMultiple if error.status == Status::NotRepresentable && error.dimension >= 0 => {
            write!(f, "a stride of {lhs} bytes is not a multiple of {rhs}")
        }
        Detail::NotAMultiple if error.status == Status::InvalidDtype => {
            write!(f, "an element of {lhs} bits is not a whole number of bytes")
        }
        Detail::NotAMultiple if error.argument == Argument::ByteStrides => {
            write!(
                f,
                "stride {lhs} is not a multiple of {rhs} (stride_layout_init_bytes takes any, and stride_layout_bytes \
                 makes the other side of a copy alike)"
            )
        }
        Detail::NotAMultiple => write!(f, "{noun}{lhs} is not a multiple of {rhs}"),
        Detail::NotAPowerOfTwo => write!(f, "{noun}{lhs} is not a power of two"),
        Detail::UnknownValue => write!(f, "{noun}{lhs} is unknown, the highest known number is {rhs}"),
        Detail::UnknownFlag => write!(f, "flags {:#x} are unknown, known are {rhs:#x}", lhs & !rhs),
        Detail::ConflictingFlags => {
            let flag = Flags(error.argument, rhs);
            write!(f, "{flag} and STRIDE_COPY_ASSUME_DISTINCT conflict: sides that may share bytes are not distinct")
        }
        Detail::UnsupportedFlag => write!(f, "{} is not supported here", Flags(error.argument, rhs)),
        Detail::StructSize => {
            write!(f, "struct_size is {lhs}, at least {rhs} is needed (STRIDE_..._INIT or a function ..._init sets it)")
        }
        Detail::StructTail => write!(f, "byte {lhs} is not 0; this version knows the first {rhs} bytes"),
        Detail::BothGiven => f.write_str("two descriptions of a side are given; one must be NULL"),
        Detail::NeitherGiven => f.write_str("neither side's layout is given; only one may be NULL"),
        Detail::Count if error.argument == Argument::Tag => write!(f, "the tag has {lhs} dimensions, rank is {rhs}"),
        Detail::BlockLetter => {
            f.write_str("a letter is a capital if its dimension has blocks, and only then, as C and c in nChw16c")
        }
        Detail::Count => {
            let (given, needed) =
                (if lhs == 1 { "entry is" } else { "entries are" }, if rhs == 1 { "is" } else { "are" });
            write!(f, "{lhs} {given} given, {rhs} {needed} needed")
        }
        Detail::Repeated if error.status == Status::InvalidSize => write!(f, "size {lhs} may occur only once"),
        Detail::Repeated => write!(f, "{noun}{lhs} is repeated"),
        Detail::OutOfOrder => write!(f, "{noun}{lhs} must be above {rhs}, the entry before it"),
        Detail::NotIdentity => write!(f, "{noun}{lhs} must be {rhs}, since the ranks are equal"),
        Detail::Ranks => write!(f, "rank {lhs} must be {rhs}{}", other_side(error)),
        Detail::Elements => write!(f, "{} given, {rhs} are needed", ManyAre(lhs, "element")),
        Detail::Stretch => write!(f, "size {lhs} cannot be stretched to {rhs}, since it is not 1"),
        Detail::Dynamic => {
            write!(f, "sizes {lhs} and {rhs} differ, one of them is dynamic, and only a static 1 can be stretched")
        }
        Detail::Product => write!(f, "{lhs} times {rhs} does not fit in 64 bits"),
        Detail::Difference => write!(f, "the new offset, {lhs} minus {rhs}, does not fit in 64 bits"),
        Detail::Reach => write!(f, "size {lhs} with stride {rhs} takes the offsets beyond 64 bits"),
        Detail::Bits if error.argument == Argument::Offsets && lhs < 0 => {
            write!(f, "planes that begin {} bytes before the pointer do not fit in 64 bits of bits", lhs.unsigned_abs())
        }
        Detail::Bits if matches!(error.argument, Argument::Width | Argument::Pitches | Argument::Offsets) => {
            write!(f, "planes that end after {lhs} bytes, padding included, do not fit in 64 bits of bits")
        }
        Detail::Bits => write!(f, "the last offset plus 1, {lhs}, times {rhs} bits does not fit in 64 bits"),
        Detail::NewStride => write!(f, "the new stride of a dimension of size {lhs} does not fit in 64 bits"),
        Detail::DtypeUnknown if Dtype::new(lhs as u32 & !Dtype::HIGH_FIRST).is_ok() => {
            write!(f, "{lhs:#x} is not a dtype: STRIDE_DTYPE_HIGH_FIRST goes with elements below a byte")
        }
        Detail::DtypeUnknown if Dtype::new(lhs as u32 & !Dtype::SWAPPED).is_ok() => {
            write!(f, "{lhs:#x} is not a dtype: STRIDE_DTYPE_SWAPPED goes with numbers above a byte")
        }
        Detail::DtypeUnknown if lhs == 0 && error.argument != Argument::Dtype => {
            f.write_str("its dtype is 0, which is none; was it initialised?")
        }
        Detail::DtypeUnknown => write!(f, "{lhs} ({lhs:#x}) is not a dtype"),
        Detail::DtypeForeign => write!(f, "dtype {} is not among those of the other format", Named(lhs)),
        Detail::DtypeWidth if error.argument == Argument::Plan => {
            let bits = Dtype::new(lhs as u32).map_or(0, Dtype::bits);
            write!(f, "its runs, of elements of {bits} bits, are no whole bytes, which is not supported here")
        }
        Detail::DtypeWidth => write!(f, "dtype {} is smaller than a byte, which is not supported here", Named(lhs)),
        Detail::Dtypes => {
            let converts = if error.argument == Argument::SrcLayout { " (no copy converts values)" } else { "" };
            write!(f, "dtype {} is given, {} is needed{converts}", Named(lhs), Named(rhs))
        }
        Detail::PastEnd => write!(f, "{} needed, {rhs} are there", ManyAre(lhs, "byte")),
        Detail::BeforeStart => {
            let cure = match error.argument {
                Argument::DstOffsets | Argument::SrcOffsets => "",
                _ => " (stride_layout_rebase moves the base there)",
            };
            write!(f, "byte {lhs} is reached, before the buffer{cure}")
        }
        Detail::AddressSpace => {
            let bytes = Saturated(lhs);
            write!(f, "{bytes} bytes from address {:#x} on go past the end of the address space", rhs as u64)
        }
        Detail::UnknownLength => f.write_str("STRIDE_COPY_FILL_BUFFER needs the real length of the buffer"),
        Detail::StrideZero => write!(f, "stride {lhs} gives {rhs} indices the same element"),
        Detail::SelfOverlap => f.write_str("two indices share one element"),
        Detail::SharedBytes if error.argument == Argument::Value => {
            f.write_str("the value lies among the bytes that are filled")
        }
        Detail::SharedBytes if lhs == 0 => {
            write!(
                f,
                "the source begins where the destination does; the destination spans {}, and both must lie apart",
                Many(rhs, "byte")
            )
        }
        Detail::SharedBytes => {
            let (distance, side) = (lhs.saturating_abs(), if lhs.is_negative() { "before" } else { "after" });
            write!(
                f,
                "the source begins {} {side} the destination; the destination spans {}, and both must lie apart",
                Many(distance, "byte"),
                Many(rhs, "byte")
            )
        }
        Detail::SharedScratch => f.write_str("the scratch memory shares bytes with the source or the destination"),
        Detail::SharedList => {
            let bytes = Many(rhs, "byte");
            write!(f, "the list lies among the {bytes} that copy {lhs} may write (it is read while they are written)")
        }
        Detail::ScratchBytes => write!(
            f,
            "{lhs} bytes of scratch memory are needed, {rhs} are given (the functions named ..._scratch take it)"
        ),
        Detail::Stride => write!(f, "stride {lhs} would have to be {rhs}"),
        Detail::Offset => write!(f, "offset {lhs} would have to be 0"),
        Detail::WholeBytes => {
            let what = if error.dimension < 0 { "offset" } else { "stride" };
            write!(f, "{what} {lhs} is not a whole number of bytes; a byte holds {rhs} elements")
        }
        Detail::WholeElements => {
            let what = if error.dimension < 0 { "offset" } else { "stride" };
            write!(f, "{what} {lhs} is not a multiple of {rhs}, so it is no whole number of elements of the new dtype")
        }
        Detail::Padding => write!(f, "size {rhs} is padded to {lhs}, which the result cannot express"),
        Detail::Field => write!(f, "the result cannot express {lhs}, only {rhs}"),
        Detail::EmptyTile => f.write_str("a tile needs at least one size"),
        Detail::MergeLast => f.write_str("the last size of a tile cannot be STRIDE_XLA_TILE_MERGE"),
        Detail::TooManyTiles => write!(f, "more than {rhs} tiles are given"),
        Detail::TooManyTileSizes => write!(f, "more than {rhs} sizes of tiles are given"),
        Detail::CutByTiles => {
            write!(f, "tiles may cut the {rhs} most minor dimensions, and only {lhs} are more minor than this one")
        }
        Detail::TileTooLong => {
            write!(f, "{lhs} sizes are more than the {rhs} inside the tile before it")
        }
        Detail::TilesMove => write!(f, "an element lies at position {lhs}, at {rhs} without the tiles"),
        Detail::ElementsMove => f.write_str("no such shape keeps every element in its place"),
        Detail::PaddingPosition => write!(f, "the position is padding: index {lhs} in a size of {rhs}"),
        Detail::TailPosition => write!(f, "position {lhs} of {rhs} is padding at the end of the buffer"),
        Detail::NoSuchValue => write!(f, "padding of kind {lhs} has no value of dtype {}", Named(rhs)),
        Detail::Unbounded => f.write_str("the dimension has no bound, which is needed here"),
        Detail::Budget => write!(f, "undecided with a budget of {lhs} steps"),
        Detail::BitOrders => {
            f.write_str("undecided, since a byte may hold elements of both, which are counted from either end of it")
        }
        Detail::TooManyElements => write!(f, "{rhs} elements would have to be checked, at most {lhs} are"),
        Detail::Syntax if error.argument == Argument::Tag => {
            f.write_str("neither a letter of a dimension nor a block, its size and then its letter, as 16c in nChw16c")
        }
        Detail::Syntax => f.write_str("the text does not follow the grammar"),
        Detail::Name if lhs == 1 => f.write_str("no field or level of a machine has this name"),
        Detail::Name if lhs == 2 => f.write_str("no format of images that is known has this name"),
        Detail::Name if rhs != 0 => write!(f, "no dtype has this name; it is called {} here", Named(rhs)),
        Detail::Name => f.write_str("no dtype has this name"),
        Detail::Construct if lhs != 0 => {
            let letters = Letters(lhs as u32);
            let what = match lhs as u8 {
                b'M' => "bytes of dynamic shape metadata before the data",
                b'P' => "the physical shape of a sparse array",
                b'#' => "the type of a sparse array's indices",
                b'*' => "the type of a sparse array's pointers",
                b'S' => "how an array is split among memories",
                _ => "how dimensions of a sparse array are stored",
            };
            write!(f, "{letters}(...), {what}, is not supported")
        }
        Detail::Construct => f.write_str("tuples, tokens, sparse and split layouts are not supported"),
        Detail::NotABlock => {
            write!(f, "{rhs} neighbours are cut by {lhs}, which leaves a rest; no blocked format does that")
        }
        Detail::Merges => f.write_str("a tile merges dimensions; no blocked format does that"),
        Detail::BlockOrder => {
            write!(f, "blocks of one dimension, of steps {lhs} and {rhs}, lie in the wrong order for a blocked format")
        }
        Detail::BlockStep => write!(f, "its step is {lhs}, the blocks inside of it end at {rhs}"),
        Detail::BlockOpen => {
            write!(f, "a block without a size takes all from step {lhs} on, and another one has step {rhs}")
        }
        Detail::BlockCover => write!(f, "its blocks reach index {} of a size of {rhs}", lhs.saturating_sub(1)),
        Detail::NotAPlan | Detail::NotRuns if lhs == 0 => {
            f.write_str("it begins with 0, as nothing that was initialised does")
        }
        Detail::NotAPlan => write!(f, "this is no plan of this version, or it was changed: it begins with {lhs:#x}"),
        Detail::TypeWidth if error.argument == Argument::Format && lhs == b'O' as i64 => {
            f.write_str("O: references to objects cannot be copied as bytes")
        }
        Detail::TypeWidth if error.argument == Argument::Format => {
            write!(f, "{} does not go with elements of {rhs} bits", Letters(lhs as u32))
        }
        Detail::TypeWidth => write!(f, "type {lhs} of {rhs} bits has no dtype"),
        Detail::ByteOrder => write!(f, "elements of {lhs} bytes are stored in the other byte order"),
        Detail::Indirect => write!(f, "the elements lie behind pointers, {lhs} bytes on"),
        Detail::FourccUnknown => {
            write!(f, "{:#x} ({}) is no FourCC that is known", lhs as u32, Letters(lhs as u32))
        }
        Detail::FourccPacked => {
            let letters = Letters(lhs as u32);
            write!(f, "{:#x} ({letters}) has samples of {rhs} bits, which do not lie in whole bytes", lhs as u32)
        }
        Detail::SharedPlanes => write!(f, "planes {lhs} and {rhs} share bytes"),
        Detail::PlanWords => write!(f, "the plan was changed after it was made ({lhs}, {rhs})"),
        Detail::Split => {
            write!(
                f,
                "its {lhs} elements would have to be a multiple of {rhs} to be cut where rows of the outer layout end"
            )
        }
        Detail::Carry => write!(
            f,
            "with the dimensions before it, it crosses the end of a row of {rhs} numbers of the outer layout at different places"
        ),
        Detail::NotRuns => {
            write!(f, "this is no stride_runs of this version, or it was changed: it begins with {lhs:#x}")
        }
        Detail::TooManyLoops if error.argument == Argument::DstLayout => {
            write!(f, "the copy has {lhs} loops, those within an element among them; a plan holds {rhs}")
        }
        Detail::TooManyLoops => write!(f, "the operands have {lhs} loops, a stride_runs holds {rhs}"),
        Detail::NegativeStride => write!(f, "stride {lhs} is negative"),
        Detail::Nested => write!(f, "stride {lhs} is below {rhs}, where the dimension inside it ends"),
        Detail::StrideMultiple => {
            write!(f, "stride {lhs} is not a multiple of {rhs}, as the dimension inside it asks")
        }
        Detail::StrideBytes => {
            write!(f, "a stride of {} bytes is above {rhs}, the most that is allowed", Saturated(lhs))
        }
        Detail::ElementsMax => write!(f, "{lhs} elements are above {rhs}, the most that is allowed"),
        Detail::ReachMax => {
            let lhs = Saturated(lhs);
            write!(f, "{lhs} elements from the lowest to the highest are above {rhs}, the most that is allowed")
        }
        Detail::BytesMax => write!(f, "{} bytes are above {rhs}, the most that is allowed", Saturated(lhs)),
        Detail::ElementBits => {
            write!(f, "elements of {lhs} bits are not taken, only of")?;
            let widths = (0..63).map(|bit| 1i64 << bit).filter(|width| rhs & width != 0);
            widths.enumerate().try_for_each(|(k, width)| write!(f, "{} {width}", if k == 0 { "" } else { "," }))
        }
        Detail::TooManyPieces => {
            write!(f, "tiles cut the copy into {lhs} boxes or more; a list of regions is made of at most {rhs}")
        }
        Detail::RegionDstOffset | Detail::RegionSrcOffset => {
            let side = if error.detail == Detail::RegionDstOffset { "destination" } else { "source" };
            write!(f, "a region would begin at byte {lhs} of the {side}, which is not a multiple of {rhs}")
        }
        Detail::RegionRow => write!(f, "rows of {lhs} bytes are not a multiple of {rhs}"),
        Detail::RegionCut => {
            write!(f, "rows cannot be cut into pieces of at most {lhs} bytes, which are a multiple of {rhs}")
        }
    }
}
