//! An error as a sentence: `sizes, dimension 1: size -1 is below 0, the least that is allowed`.
//!
//! Before the colon stands the place, behind it what the broken rule ([`Detail`]) says of the two numbers. The status
//! tells what kind of number it is. Every pair of status and detail that the library uses stands with its sentence in
//! `tests/errors.txt`, each made by a call.

use crate::error::{Argument, Detail, Error, Many, ManyAre, Saturated, Status};
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
        // A minimum above 0 belongs to a padded size.
        Status::InvalidSize if is_shape(error.argument) && error.detail == Detail::Below && error.rhs > 0 => {
            "padded size "
        }
        Status::InvalidSize | Status::ShapeMismatch | Status::BroadcastMismatch => "size ",
        Status::InvalidStride => "stride ",
        // Of a consumer's requirements, only sizes belong to a dimension.
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
        Status::OutOfBounds => "element offset ",
        // The field of a shape, which only the rule tells apart.
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

/// The side that a side must agree with, if it is known.
fn other_side(error: &Error) -> Option<&'static str> {
    match error.argument {
        Argument::SrcLayout if error.status == Status::ShapeMismatch => Some("dst_layout"),
        Argument::RhsLayout if error.status == Status::ShapeMismatch => Some("lhs_layout"),
        _ => None,
    }
}

/// What helps if two sides share bytes: one copy may allow it, those of a batch may not.
fn way_out(error: &Error) -> &'static str {
    if error.argument == Argument::Src { "use two buffers or STRIDE_COPY_OVERLAP" } else { "use two buffers" }
}

/// `size is 4, but it is 3 in dst_layout`, `size is 3 but must be 1`.
fn write_must(error: &Error, noun: &str, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    let (lhs, rhs) = (error.lhs, error.rhs);
    match other_side(error) {
        Some(side) => write!(f, "{noun}is {lhs}, but it is {rhs} in {side}"),
        None => write!(f, "{}is {lhs} but must be {rhs}", if noun.is_empty() { "it " } else { noun }),
    }
}

/// Whether the rule is about digits that are blocks.
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

/// A dtype by its name, or as a number if it has none.
struct Named(i64);

impl fmt::Display for Named {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match u32::try_from(self.0).ok().and_then(|code| Dtype::new(code).ok()) {
            Some(dtype) => dtype.fmt(f),
            None => write!(f, "{:#x}", self.0),
        }
    }
}

/// Why requirements refuse a dtype, and which they accept, as bits: `f64 is`, `those accepted are s8, u8`.
struct Accepted(i64, i64);

impl fmt::Display for Accepted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let &Self(refused, accepted) = self;
        let is_accepted = |dtype: Dtype| !dtype.is_bytes() && accepted >> (dtype.code() & 63) & 1 != 0;
        let refused = u32::try_from(refused).ok().and_then(|code| Dtype::new(code).ok());
        if let Some(plain) = refused.map(Dtype::plain).filter(|&plain| is_accepted(plain)) {
            return write!(f, "{plain} is"); // without its flag
        }
        f.write_str("those accepted are")?;
        let mut between = " ";
        for dtype in Dtype::all().filter(|&dtype| is_accepted(dtype)) {
            write!(f, "{between}{dtype}")?;
            between = ", ";
        }
        if accepted & 1 != 0 { write!(f, "{between}plain bytes") } else { Ok(()) }
    }
}

/// The flags of copies from bit 0 on, as C calls them behind STRIDE_COPY_.
const COPY_FLAGS: [&str; 6] = ["ASSUME_DISTINCT", "FILL_BUFFER", "OVERLAP", "KEEP_CACHED", "SMALL_STACK", "ROW_MAJOR"];

/// The kinds of padding by number, as C calls them behind STRIDE_XLA_PADDING_.
const PADDING_KINDS: [&str; 6] = ["NONE", "ZERO", "ONE", "LOWEST", "HIGHEST", "UNKNOWN"];

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

/// Bytes as characters, from the low byte on and without trailing zeros; `?` if one cannot be printed.
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

/// What stands at a place of a text, and what may stand there ([`Error::expected`]).
struct Expected(i64, i64);

impl fmt::Display for Expected {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let &Self(found, expected) = self;
        let character = u8::try_from(found).ok();
        if expected <= 0 {
            return f.write_str(match character {
                Some(b'0'..=b'9') => "the number does not fit in 64 bits",
                Some(b'/') => "the comment has no end",
                _ => "the text does not follow the grammar",
            });
        }
        match character {
            None => f.write_str("the text ends where ")?,
            Some(byte) if byte.is_ascii_graphic() => write!(f, "`{}` stands where ", char::from(byte))?,
            Some(b' ') => f.write_str("a space stands where ")?,
            Some(byte) => write!(f, "byte {byte:#04x} stands where ")?,
        }
        let mut rest = expected;
        while rest != 0 {
            match (rest & 0xff) as u8 {
                b'0' => f.write_str("a number")?,
                b'A' => f.write_str("a letter")?,
                b'a' => f.write_str("a small letter")?,
                b'$' => f.write_str("the end")?,
                b' ' => f.write_str("a space")?,
                byte => write!(f, "`{}`", Letters(byte.into()))?,
            }
            rest >>= 8;
            f.write_str(match rest {
                0 => " is expected",
                1..=0xff => " or ",
                _ => ", ",
            })?;
        }
        Ok(())
    }
}

fn write_reason(error: &Error, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    let (lhs, rhs, noun) = (error.lhs, error.rhs, noun(error));
    match error.detail {
        Detail::None => f.write_str(match error.status {
            Status::NullPointer => "the pointer is NULL",
            status => status.doc().strip_prefix(' ').unwrap_or(""),
        }),
        Detail::Below | Detail::Above
            if error.status == Status::OutOfBounds
                && !matches!(error.argument, Argument::DstFirst | Argument::SrcFirst) =>
        {
            let (end, cure) = match (error.detail, error.argument) {
                (Detail::Below, Argument::Strides) if rhs == 0 => {
                    ("begins", "; mirrored layouts: stride_layout_init, then stride_layout_rebase")
                }
                (Detail::Below, _) => ("begins", ""),
                _ => ("ends", ""),
            };
            write!(f, "an element would lie at offset {lhs}, but the layout {end} at {rhs}{cure}")
        }
        Detail::Below if rhs == 0 => write!(f, "{noun}{lhs} is negative"),
        Detail::Below if error.argument == Argument::PaddedSizes => {
            write!(f, "padded size {lhs} is below {rhs}, the size itself")
        }
        Detail::Below if error.argument == Argument::Rank => write!(f, "{lhs} is below {rhs}, the layout's rank"),
        Detail::Below => write!(f, "{noun}{lhs} is below the minimum of {rhs}"),
        Detail::Above if error.status == Status::IndexOutOfRange => {
            write!(f, "start plus size is {lhs}, beyond {rhs}, the layout's size")
        }
        Detail::Above if matches!(error.argument, Argument::DstFirst | Argument::SrcFirst) => {
            write!(f, "start plus count is {lhs}, but the layout has {}", Many(rhs, "element"))
        }
        Detail::Above if error.status == Status::Overflow => {
            let which = if error.argument == Argument::Strides { " from the lowest to the highest" } else { "" };
            write!(f, "{} elements{which} are more than the maximum of {rhs}", Saturated(lhs))
        }
        // Of the fields of these structs only one has a maximum.
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
            write!(f, "struct_size is {lhs} but must be at most {rhs}; begin with STRIDE_..._INIT or ..._init")
        }
        Detail::UnknownFlag if error.argument == Argument::Flags => {
            write!(f, "{:#x} of {lhs:#x} are unknown", lhs & !rhs)
        }
        // Numbers up to the highest that are unknown were taken out of ggml.
        Detail::UnknownValue if error.argument == Argument::Type && lhs <= rhs => {
            write!(f, "ggml no longer has a type {lhs}")
        }
        Detail::UnknownValue if error.status == Status::InvalidDtype => {
            let system = match error.argument {
                Argument::Type => "ggml_type",
                Argument::DtypeCode => "DLDataTypeCode",
                _ => "DML_TENSOR_DATA_TYPE",
            };
            write!(f, "{lhs} is no {system}; the highest is {rhs}")
        }
        Detail::UnknownValue if matches!(error.argument, Argument::Options | Argument::Machine) => {
            write!(f, "cpu_level {lhs} is unknown; the highest known is {rhs}")
        }
        Detail::Above if error.argument == Argument::Pitches && rhs < 0 => {
            write!(f, "pitch {lhs} is shorter than a row; upside down it must be {rhs} or less")
        }
        Detail::Above => write!(f, "{noun}{} is above the maximum of {rhs}", Saturated(lhs)),
        Detail::OutOfRange | Detail::Repeated if error.argument == Argument::Tag => {
            let what = if error.detail == Detail::Repeated { "is repeated" } else { "is not among those of the tag" };
            write!(f, "the letter of dimension {lhs} {what}")
        }
        Detail::OutOfRange if error.argument == Argument::Inner => {
            write!(f, "it reaches element {lhs} of the outer layout, which has {}", Many(rhs, "element"))
        }
        Detail::OutOfRange | Detail::OutOfSignedRange if rhs <= 0 => {
            write!(f, "{noun}{lhs} is outside an empty range")
        }
        Detail::OutOfRange if error.argument == Argument::Indices => {
            write!(f, "index {lhs} is outside 0 ... {}, and -1 is the fill value", rhs.saturating_sub(1))
        }
        Detail::OutOfRange if error.argument == Argument::Text && error.position != u64::MAX => {
            write!(f, "this names dimension {lhs}, but the rank is {rhs}")
        }
        Detail::OutOfRange if error.argument == Argument::Rules => {
            write!(f, "rank_max {lhs} is outside 0 ... {}", rhs.saturating_sub(1))
        }
        Detail::OutOfRange => write!(f, "{noun}{lhs} is outside 0 ... {}", rhs.saturating_sub(1)),
        Detail::OutOfSignedRange => {
            write!(f, "{noun}{lhs} is outside {} ... {}", rhs.saturating_neg(), rhs.saturating_sub(1))
        }
        Detail::Zero if error.status == Status::ShapeMismatch => {
            f.write_str("-1 cannot be inferred beside a size of 0; give the size itself")
        }
        Detail::Zero => write!(f, "{noun}{lhs} is not allowed"),
        Detail::NotZero => write!(f, "`reserved` is {lhs} but must be 0"),
        Detail::NotEqual if error.status == Status::BroadcastMismatch => {
            write!(f, "sizes {lhs} and {rhs} are not equal, and neither is 1")
        }
        Detail::NotEqual if error.argument == Argument::Len => write!(f, "it is {lhs}, but the elements take {rhs}"),
        Detail::NotEqual if error.argument == Argument::Major => write!(f, "version {lhs} is unknown; {rhs} is known"),
        Detail::NotEqual if error.status == Status::InvalidSize && rhs == i64::MIN => {
            write!(f, "padded size is {lhs} but must be STRIDE_XLA_UNBOUNDED, like the size")
        }
        Detail::NotEqual if error.argument == Argument::Plan => {
            f.write_str("elements that get the fill value have no source, which a list of regions needs")
        }
        Detail::NotEqual => write_must(error, noun, f),
        Detail::NotAMultiple if error.argument == Argument::TileSizes => {
            write!(f, "the layout's size {lhs} is not a multiple of {rhs}")
        }
        Detail::NotAMultiple if error.status == Status::ShapeMismatch && error.argument == Argument::Layout => {
            write!(f, "size {lhs} is not a multiple of {rhs}, the old elements in a new one")
        }
        Detail::NotAMultiple if error.status == Status::ShapeMismatch => {
            write!(f, "{} not a multiple of {rhs}, the product of the other sizes", ManyAre(lhs, "element"))
        }
        Detail::NotAMultiple if error.argument == Argument::Address => {
            write!(f, "the lowest element lies at {lhs}, which is not a multiple of {rhs}")
        }
        Detail::NotAMultiple if error.status == Status::NotRepresentable && error.dimension >= 0 => {
            write!(f, "a stride of {} is not a multiple of {rhs}", Many(lhs, "byte"))
        }
        Detail::NotAMultiple if error.status == Status::InvalidDtype => {
            write!(f, "an element of {} is not a whole number of bytes", Many(lhs, "bit"))
        }
        Detail::NotAMultiple if error.argument == Argument::ByteStrides => {
            write!(
                f,
                "stride {lhs} is not a multiple of {rhs}; use stride_layout_init_bytes, and stride_layout_bytes for the other \
                 side of a copy"
            )
        }
        Detail::NotAMultiple if error.argument == Argument::Pitches => {
            write!(f, "pitch {lhs} is not a multiple of {rhs}, the bytes of a column")
        }
        Detail::NotAMultiple => write!(f, "{noun}{lhs} is not a multiple of {rhs}"),
        Detail::NotAPowerOfTwo => write!(f, "{noun}{lhs} is not a power of two"),
        Detail::UnknownValue => write!(f, "{noun}{lhs} is unknown; the highest known is {rhs}"),
        Detail::UnknownFlag => {
            let of = match error.argument {
                Argument::Options => "STRIDE_COPY_... ",
                Argument::Requirements => "STRIDE_REQUIRE_... ",
                _ => "",
            };
            write!(f, "{:#x} is unknown; the {of}flags of this version are {rhs:#x}", lhs & !rhs)
        }
        Detail::ConflictingFlags => {
            let flag = Flags(error.argument, rhs);
            write!(f, "{flag} and STRIDE_COPY_ASSUME_DISTINCT contradict each other; set one of them")
        }
        Detail::UnsupportedFlag => write!(f, "{} is not supported here", Flags(error.argument, rhs)),
        Detail::StructSize => {
            write!(f, "struct_size is {lhs} but must be at least {rhs}; begin with STRIDE_..._INIT or ..._init")
        }
        Detail::StructTail => write!(f, "byte {lhs} is not 0, but this version knows {rhs} bytes; set the rest to 0"),
        Detail::BothGiven => {
            f.write_str("this side has a layout and a shape or blocks; give one, and NULL for the other")
        }
        Detail::NeitherGiven => {
            f.write_str("neither side is described; give a layout, shape or blocks for one at least")
        }
        Detail::Count if error.argument == Argument::Tag => {
            write!(f, "the tag has {}, the rank is {rhs}", Many(lhs, "dimension"))
        }
        Detail::BlockLetter => {
            let blocks = if rhs > lhs { "blocks" } else { "no blocks" };
            let (found, right) = (Letters(rhs as u32), Letters(lhs as u32));
            write!(f, "dimension {found} has {blocks}, so write {right} (capitals are for those with blocks: nChw16c)")
        }
        Detail::Count => {
            let given = if lhs == 1 { "entry is" } else { "entries are" };
            write!(f, "{lhs} {given} given, but {rhs} {} needed", if rhs == 1 { "is" } else { "are" })
        }
        Detail::Repeated if error.status == Status::InvalidSize => write!(f, "size {lhs} may occur only once"),
        Detail::Repeated => write!(f, "{noun}{lhs} is repeated"),
        Detail::OutOfOrder => write!(f, "{noun}{lhs} is not above {rhs}, the entry before it; they must ascend"),
        Detail::NotIdentity => write!(f, "{noun}is {lhs} but must be {rhs}, since the ranks are equal"),
        Detail::Ranks => write_must(error, "rank ", f),
        Detail::Elements if error.argument == Argument::Sizes => {
            write!(f, "their product is {}, but the layout has {}", Saturated(lhs), Many(rhs, "element"))
        }
        Detail::Elements => write!(f, "{} given, but {rhs} are needed", ManyAre(lhs, "element")),
        Detail::Stretch => write!(f, "size {lhs} cannot be stretched to {rhs}, since it is not 1"),
        Detail::Dynamic => {
            write!(f, "sizes {lhs} and {rhs} differ, one of them is dynamic, and only a static 1 can be stretched")
        }
        Detail::Product => write!(f, "{lhs} times {rhs} does not fit in 64 bits"),
        Detail::Difference => write!(f, "the new offset, {lhs} minus {rhs}, does not fit in 64 bits"),
        Detail::Reach => write!(f, "size {lhs} with stride {rhs} takes the offsets beyond 64 bits"),
        Detail::Bits if error.argument == Argument::Offsets && lhs < 0 => {
            write!(f, "planes begin {} bytes before the pointer, whose bits are beyond 64 bits", lhs.unsigned_abs())
        }
        Detail::Bits if matches!(error.argument, Argument::Width | Argument::Pitches | Argument::Offsets) => {
            write!(f, "planes end after {lhs} bytes, padding included, whose bits are beyond 64 bits")
        }
        Detail::Bits => {
            write!(f, "the last element ends at {lhs} elements of {}, which is beyond 64 bits", Many(rhs, "bit"))
        }
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
        Detail::DtypeForeign => {
            let dtype = Named(lhs);
            match rhs {
                1 => write!(f, "DirectML has no dtype {dtype}"),
                2 => write!(f, "DLPack has no dtype {dtype}"),
                3 => write!(f, "XLA has no dtype {dtype}"),
                4 => write!(f, "NumPy's type strings have no dtype {dtype}"),
                rhs if rhs < 0 => write!(f, "dtype {dtype} is not accepted; {}", Accepted(lhs, rhs)),
                _ => write!(f, "dtype {dtype} is not accepted"),
            }
        }
        Detail::DtypeWidth if error.argument == Argument::Plan => {
            let bits = Dtype::new(lhs as u32).map_or(0, Dtype::bits);
            write!(f, "its runs of {bits}-bit elements are not whole bytes, which is not supported here")
        }
        Detail::DtypeWidth => write!(f, "dtype {} is smaller than a byte, which is not supported here", Named(lhs)),
        Detail::Dtypes => {
            let converts = if error.argument == Argument::SrcLayout { "; copies do not convert values" } else { "" };
            write!(f, "dtype is {} but must be {}{converts}", Named(lhs), Named(rhs))
        }
        Detail::PastEnd => write!(f, "{} needed, but the buffer has {rhs}", ManyAre(lhs, "byte")),
        Detail::BeforeStart => {
            let cure = match error.argument {
                Argument::DstOffsets | Argument::SrcOffsets => "",
                _ => "; stride_layout_rebase moves the base to its lowest element",
            };
            write!(f, "byte {lhs} is reached, before the buffer{cure}")
        }
        Detail::AddressSpace => {
            let bytes = Many(lhs, "byte");
            write!(f, "{bytes} at {:#x} would run past the end of the address space", rhs as u64)
        }
        Detail::UnknownLength => f.write_str("STRIDE_COPY_FILL_BUFFER needs the real length of the buffer"),
        Detail::StrideZero => {
            let rule = if error.status == Status::Overlap { "; a destination has an element for each" } else { "" };
            write!(f, "stride {lhs} maps {rhs} indices to one element{rule}")
        }
        Detail::SelfOverlap => f.write_str("two indices map to one element; a destination has an element for each"),
        Detail::SharedBytes if error.argument == Argument::Value => {
            f.write_str("the value lies among the bytes that are filled; keep it elsewhere")
        }
        Detail::SharedBytes if lhs == 0 => {
            let bytes = Many(rhs, "byte");
            write!(f, "the source begins where the destination's {bytes} do; {}", way_out(error))
        }
        Detail::SharedBytes => {
            let (distance, side) = (lhs.saturating_abs(), if lhs.is_negative() { "before" } else { "into" });
            let (distance, bytes) = (Many(distance, "byte"), Many(rhs, "byte"));
            write!(f, "the source begins {distance} {side} the destination's {bytes}; {}", way_out(error))
        }
        Detail::SharedScratch => f.write_str("the scratch memory shares bytes with the source or the destination"),
        Detail::SharedList => {
            let bytes = Many(rhs, "byte");
            write!(f, "the list overlaps the {bytes} that copy {lhs} may write; keep it elsewhere")
        }
        Detail::ScratchBytes => write!(
            f,
            "scratch memory of {} is needed, {rhs} given; the function named ..._scratch takes it",
            Many(lhs, "byte")
        ),
        Detail::Stride => write!(f, "stride is {lhs} but must be {rhs} in this form"),
        Detail::NotOneRun => {
            write!(
                f,
                "stride is {lhs}, not {rhs}, so it makes no run with the dimensions behind it; copy, then reshape"
            )
        }
        Detail::Offset => write!(f, "offset is {lhs} but must be 0 in this form; move the pointer instead"),
        Detail::WholeBytes => {
            let what = if error.dimension < 0 { "offset" } else { "stride" };
            write!(f, "{what} {lhs} is not a whole number of bytes; a byte holds {rhs} elements")
        }
        Detail::WholeElements => {
            let what = if error.dimension < 0 { "offset" } else { "stride" };
            write!(f, "{what} {lhs} is not a multiple of {rhs}, the old elements in a new one")
        }
        Detail::Padding => write!(f, "size {rhs} is padded to {lhs}, but the result has no padding"),
        Detail::Field => write!(f, "it is {lhs}, but the result can only say {rhs}"),
        Detail::EmptyTile => f.write_str("a tile needs at least one size"),
        Detail::MergeLast => f.write_str("the last size of a tile cannot be `*` (STRIDE_XLA_TILE_MERGE)"),
        Detail::TooManyTiles => write!(f, "more than {rhs} tiles are given"),
        Detail::TooManyTileSizes => write!(f, "more than {rhs} tile sizes are given, all tiles together"),
        Detail::CutByTiles => {
            write!(f, "tiles cut the {rhs} most minor dimensions, this one among them, so it must stay")
        }
        Detail::TileTooLong => {
            write!(f, "it has {lhs} sizes, but the tile before it has {rhs} for it to cut")
        }
        Detail::TilesMove => {
            write!(
                f,
                "tiles move an element from position {rhs} to {lhs}, which strides cannot say; \
                 stride_xla_copy takes the shape"
            )
        }
        Detail::ElementsMove => f.write_str("no shape with this dimension order keeps every element in its place"),
        Detail::PaddingPosition => write!(f, "the position is padding, index {lhs} of a size of {rhs}"),
        Detail::TailPosition => write!(f, "position {lhs} of {rhs} is padding at the end of the buffer"),
        Detail::NoSuchValue => {
            let kind = PADDING_KINDS.get(lhs as usize).unwrap_or(&"...");
            write!(f, "STRIDE_XLA_PADDING_{kind} has no value for dtype {}", Named(rhs))
        }
        Detail::Unbounded => f.write_str("the size is unbounded (`?`), but a bound is needed here"),
        Detail::Budget => write!(f, "not decided within a budget of {}; raise the budget", Many(lhs, "step")),
        Detail::BitOrders => f.write_str(
            "not decided: one counts the elements of a byte from its low bits, the other from its high bits",
        ),
        Detail::TooManyElements => {
            write!(f, "not decided: {rhs} elements need checking, more than the fixed limit of {lhs}")
        }
        Detail::Syntax => write!(f, "{}", Expected(lhs, rhs)),
        Detail::BlockReversed => write!(f, "a block is its size, then its letter: write {rhs}{}", Letters(lhs as u32)),
        Detail::Name if lhs == 1 => f.write_str("unknown field or level; stride_machine_format writes all fields"),
        Detail::Name if lhs == 2 => f.write_str("unknown image format; docs/IMAGE_FORMATS.md has the names"),
        Detail::Name if rhs != 0 => write!(f, "unknown dtype; it is called {} here", Named(rhs)),
        Detail::Name => f.write_str("unknown dtype"),
        Detail::Construct if lhs != 0 => {
            let letters = Letters(lhs as u32);
            let what = match lhs as u8 {
                b'M' => "bytes of dynamic shape metadata before the data",
                b'P' => "the physical shape of a sparse array",
                b'#' => "the type of a sparse array's indices",
                b'*' => "the type of a sparse array's pointers",
                b'S' => "the split of an array among memories",
                _ => "the storage of a sparse array's dimensions",
            };
            write!(f, "{letters}(...), {what}, is not supported")
        }
        Detail::Construct => f.write_str("tuples, tokens, sparse and split layouts are not supported"),
        Detail::NotABlock => {
            write!(f, "{lhs} does not divide {rhs}, but in a blocked format every block divides the one around it")
        }
        Detail::Merges => f.write_str("a tile merges dimensions; no blocked format does that"),
        Detail::BlockOrder => {
            write!(f, "its blocks with steps {lhs} and {rhs} are in the wrong order for a blocked format")
        }
        Detail::BlockStep => write!(f, "step is {lhs} but must be {rhs}, where the dimension's smaller blocks end"),
        Detail::BlockOpen => {
            write!(
                f,
                "only the block with the highest step, {rhs}, may be without a size; give this one, of step {lhs}, one"
            )
        }
        Detail::BlockCover => {
            let indices = if lhs == 1 { "index" } else { "indices" };
            write!(f, "size is {rhs}, but its blocks cover {lhs} {indices}; enlarge the block with the highest step")
        }
        Detail::NotAPlan | Detail::NotRuns if lhs == 0 => f.write_str("it begins with 0; was it initialised?"),
        Detail::NotAPlan => {
            write!(f, "not a plan of this version, or changed since (it begins with {lhs:#x}); make it anew")
        }
        Detail::TypeWidth if error.argument == Argument::Format && lhs == b'O' as i64 => {
            f.write_str("`O` is a reference to an object, which cannot be copied as bytes")
        }
        Detail::TypeWidth if error.argument == Argument::Format => {
            write!(f, "`{}` does not match an item size of {rhs} bits", Letters(lhs as u32))
        }
        Detail::TypeWidth => write!(f, "no dtype has type code {lhs} and {}", Many(rhs, "bit")),
        Detail::ByteOrder => write!(f, "elements of {lhs} bytes are not in the byte order of this machine"),
        Detail::Indirect => {
            write!(f, "suboffset {lhs} says that the elements lie behind pointers; copy them into one buffer first")
        }
        Detail::FourccUnknown => write!(f, "{:#x} ({}) is not a known FourCC", lhs as u32, Letters(lhs as u32)),
        Detail::FourccPacked => {
            let letters = Letters(lhs as u32);
            write!(f, "{:#x} ({letters}) packs {rhs}-bit samples across bytes, which is not supported", lhs as u32)
        }
        Detail::SharedPlanes => write!(f, "planes {lhs} and {rhs} share bytes"),
        Detail::PlanWords => f.write_str("the plan was changed after it was made; make it anew"),
        Detail::Split => {
            write!(f, "size is {lhs} but must be a multiple of {rhs}, after which a row of the outer layout ends")
        }
        Detail::Carry => write!(
            f,
            "it reaches the end of the outer layout's rows of {rhs} at varying places (from {lhs}), which strides cannot say"
        ),
        Detail::NotRuns => {
            write!(f, "not runs of this version, or changed since (it begins with {lhs:#x}); initialise it anew")
        }
        Detail::TooManyLoops if error.argument == Argument::DstLayout => {
            write!(f, "the copy needs {lhs} loops, those within an element among them, but a plan holds {rhs}")
        }
        Detail::TooManyLoops => write!(f, "the operands need {lhs} loops, but a stride_runs holds {rhs}"),
        Detail::NegativeStride => write!(f, "stride {lhs} is negative"),
        Detail::Nested => write!(f, "stride {lhs} is below {rhs}, the elements that the next inner dimension spans"),
        Detail::StrideMultiple => {
            write!(f, "stride {lhs} is not a multiple of {rhs}, the stride of the next inner dimension")
        }
        Detail::StrideBytes => {
            write!(f, "a stride of {} bytes is above the maximum of {rhs}", Saturated(lhs))
        }
        Detail::ElementsMax => write!(f, "{lhs} elements are more than the maximum of {rhs}"),
        Detail::ReachMax => {
            let lhs = Saturated(lhs);
            write!(f, "{lhs} elements from the lowest to the highest are more than the maximum of {rhs}")
        }
        Detail::BytesMax => write!(f, "its {} bytes are more than the maximum of {rhs}", Saturated(lhs)),
        Detail::ElementBits => {
            write!(f, "{lhs}-bit elements are not accepted; those accepted have bits:")?;
            let (widths, thirds) = (rhs as u64 & 0xffff_ffff, rhs as u64 >> 32);
            // Ascending: three times a quarter of a width stands before it.
            let widths = (0..34).map(|k| 1u64 << k).flat_map(|width| [3 * (thirds & width >> 2), widths & width]);
            let widths = widths.filter(|&width| width != 0);
            widths.enumerate().try_for_each(|(k, width)| write!(f, "{} {width}", if k == 0 { "" } else { "," }))
        }
        Detail::TooManyPieces => {
            write!(f, "tiles cut the copy into {lhs} regions or more, but a list holds at most {rhs}")
        }
        Detail::RegionDstOffset | Detail::RegionSrcOffset => {
            let side = if error.detail == Detail::RegionDstOffset { "destination" } else { "source" };
            write!(f, "a region would begin at byte {lhs} of the {side}, which is not a multiple of {rhs}")
        }
        Detail::RegionRow => write!(f, "a row has {}, not a multiple of {rhs}", Many(lhs, "byte")),
        Detail::RegionCut => {
            let most = Many(lhs, "byte");
            write!(f, "no piece of a row has at most {most} and a multiple of {rhs}; raise row_bytes_max")
        }
        Detail::RegionImage => {
            write!(f, "a row of {lhs} bytes would pass the end of a row of the image, which has {rhs} (row_bytes_max)")
        }
    }
}
