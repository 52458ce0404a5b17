//! The sentence of each rule ([`Detail`]), by the status and the argument where these change it.

use super::words::{Accepted, Expected, Flags, Letters, Named, PADDING_KINDS};
use super::{is_side, noun, way_out, write_must};
use crate::error::{Argument, Detail, Error, Many, ManyAre, Saturated, Status};
use crate::model::Dtype;
use core::fmt;

/// Writes the sentence.
pub(super) fn write_reason(error: &Error, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    use Detail::*;
    macro_rules! say {
        ($($words:tt)*) => { write!(f, $($words)*) };
    }
    let &Error { status, argument, lhs, rhs, .. } = error;
    let noun = noun(error);
    match error.detail {
        Detail::None => f.write_str(match status {
            Status::NullPointer if is_side(argument) && error.dimension < 0 => "`of` is NULL",
            Status::NullPointer if is_side(argument) => "its runs are NULL",
            Status::NullPointer => "the pointer is NULL",
            _ => status.doc().strip_prefix(' ').unwrap_or(""),
        }),
        Below | Above if status == Status::OutOfBounds => {
            let (end, cure) = match (error.detail, argument) {
                (Below, Argument::Strides) if rhs == 0 => {
                    ("begins", "; mirrored layouts: stride_layout_init, then stride_layout_rebase")
                }
                (Below, _) => ("begins", ""),
                _ => ("ends", ""),
            };
            say!("an element would lie at offset {lhs}, but the layout {end} at {rhs}{cure}")
        }
        Below if rhs == 0 => say!("{noun}{lhs} is negative"),
        Below if argument == Argument::PaddedSizes => say!("padded size {lhs} is below {rhs}, the size itself"),
        Below if argument == Argument::Rank => say!("{lhs} is below {rhs}, the layout's rank"),
        Below => say!("{noun}{lhs} is below the minimum of {rhs}"),
        Above if status == Status::IndexOutOfRange => say!("start plus size is {lhs}, beyond {rhs}, the layout's size"),
        Above if status == Status::Overflow => {
            let which = if argument == Argument::Strides { " from the lowest to the highest" } else { "" };
            say!("{} elements{which} are more than the maximum of {rhs}", Saturated(lhs))
        }
        // Of the fields of these structs only one has a maximum; of a side also its shape's element_bits, 128.
        Above
            if status == Status::InvalidArgument
                && (matches!(
                    argument,
                    Argument::Options
                        | Argument::Requirements
                        | Argument::Machine
                        | Argument::Image
                        | Argument::Out
                        | Argument::Rules
                        | Argument::Side
                ) || is_side(argument) && rhs > 128) =>
        {
            say!("struct_size is {lhs} but must be at most {rhs}; begin with STRIDE_..._INIT or ..._init")
        }
        UnknownFlag if argument == Argument::Flags => say!("{:#x} of {lhs:#x} are unknown", lhs & !rhs),
        // Numbers up to the highest that are unknown were taken out of ggml.
        UnknownValue if argument == Argument::Type && lhs <= rhs => say!("ggml no longer has a type {lhs}"),
        UnknownValue if status == Status::InvalidDtype => {
            let system = match argument {
                Argument::Type => "ggml_type",
                Argument::DtypeCode => "DLDataTypeCode",
                _ => "DML_TENSOR_DATA_TYPE",
            };
            say!("{lhs} is no {system}; the highest is {rhs}")
        }
        UnknownValue if matches!(argument, Argument::Options | Argument::Machine) => {
            say!("cpu_level {lhs} is unknown; the highest known is {rhs}")
        }
        Above if argument == Argument::Pitches && rhs < 0 => {
            say!("pitch {lhs} is shorter than a row; upside down it must be {rhs} or less")
        }
        // Ranks and blocks of a side's object have a higher maximum, 64.
        Above if status == Status::InvalidRank && (argument == Argument::Side || is_side(argument) && rhs < 64) => {
            say!("{lhs} dimensions with runs are above the maximum of {rhs}")
        }
        Above
            if status == Status::InvalidRank
                && error.item >= 0
                && (argument == Argument::Blocked || is_side(argument)) =>
        {
            say!("{lhs} blocks are above the maximum of {rhs}")
        }
        Above => say!("{noun}{} is above the maximum of {rhs}", Saturated(lhs)),
        OutOfRange | Repeated if argument == Argument::Tag => {
            let what = if error.detail == Repeated { "is repeated" } else { "is not among those of the tag" };
            say!("the letter of dimension {lhs} {what}")
        }
        OutOfRange if argument == Argument::Inner => {
            say!("it reaches element {lhs} of the outer layout, which has {}", Many(rhs, "element"))
        }
        OutOfRange | OutOfSignedRange if rhs <= 0 && status == Status::InvalidAxes => {
            say!("{noun}{lhs} is given, but there are no dimensions")
        }
        OutOfRange | OutOfSignedRange if rhs <= 0 => say!("{noun}{lhs} is outside an empty range"),
        OutOfRange if error.item >= 0 && argument == Argument::SrcSide => {
            say!("index {lhs} is outside 0 ... {}, and -1 is the fill value", rhs.saturating_sub(1))
        }
        OutOfRange if argument == Argument::Text && error.position != u64::MAX => {
            say!("this names dimension {lhs}, but the rank is {rhs}")
        }
        OutOfRange if argument == Argument::Rules => say!("rank_max {lhs} is outside 0 ... {}", rhs.saturating_sub(1)),
        OutOfRange => say!("{noun}{lhs} is outside 0 ... {}", rhs.saturating_sub(1)),
        OutOfSignedRange => say!("{noun}{lhs} is outside {} ... {}", rhs.saturating_neg(), rhs.saturating_sub(1)),
        Zero if status == Status::ShapeMismatch => {
            say!("-1 cannot be inferred beside a size of 0; give the size itself")
        }
        Zero => say!("{noun}{lhs} is not allowed"),
        NotZero => say!("`reserved` is {lhs} but must be 0"),
        NotEqual if status == Status::BroadcastMismatch => {
            say!("sizes {lhs} and {rhs} are not equal, and neither is 1")
        }
        NotEqual if argument == Argument::Len => say!("it is {lhs}, but the elements take {rhs}"),
        NotEqual if argument == Argument::Major => say!("version {lhs} is unknown; {rhs} is known"),
        NotEqual if status == Status::InvalidSize && rhs == i64::MIN => {
            say!("padded size is {lhs} but must be STRIDE_XLA_UNBOUNDED, like the size")
        }
        NotEqual if argument == Argument::Plan => {
            say!("elements that get the fill value have no source, which a list of regions needs")
        }
        NotEqual => write_must(error, noun, f),
        NotAMultiple if argument == Argument::TileSizes => say!("the layout's size {lhs} is not a multiple of {rhs}"),
        NotAMultiple if status == Status::ShapeMismatch && argument == Argument::Layout => {
            say!("size {lhs} is not a multiple of {rhs}, the old elements in a new one")
        }
        NotAMultiple if status == Status::ShapeMismatch => {
            say!("{} not a multiple of {rhs}, the product of the other sizes", ManyAre(lhs, "element"))
        }
        NotAMultiple if argument == Argument::Address => {
            say!("the lowest element lies at {lhs}, which is not a multiple of {rhs}")
        }
        NotAMultiple if status == Status::NotRepresentable && error.dimension >= 0 => {
            say!("a stride of {} is not a multiple of {rhs}", Many(lhs, "byte"))
        }
        NotAMultiple if status == Status::InvalidDtype => {
            say!("an element of {} is not a whole number of bytes", Many(lhs, "bit"))
        }
        NotAMultiple if argument == Argument::ByteStrides => {
            say!(
                "stride {lhs} is not a multiple of {rhs}; use stride_layout_init_bytes, and stride_layout_as_bytes for \
                 the other side of a copy"
            )
        }
        NotAMultiple if argument == Argument::Pitches => {
            say!("pitch {lhs} is not a multiple of {rhs}, the bytes of a column")
        }
        NotAMultiple => say!("{noun}{lhs} is not a multiple of {rhs}"),
        NotAPowerOfTwo => say!("{noun}{lhs} is not a power of two"),
        UnknownValue if lhs == 0 => say!("{noun}0 is none; the highest known is {rhs}"),
        UnknownValue => say!("{noun}{lhs} is unknown; the highest known is {rhs}"),
        UnknownFlag => {
            let of = match argument {
                Argument::Options => "STRIDE_COPY_... ",
                Argument::Requirements => "STRIDE_REQUIRE_... ",
                Argument::Conversion => "STRIDE_CONVERT_... ",
                _ => "",
            };
            say!("{:#x} is unknown; the {of}flags of this version are {rhs:#x}", lhs & !rhs)
        }
        ConflictingFlags => {
            let flag = Flags(argument, rhs);
            say!("{flag} and STRIDE_COPY_ASSUME_DISTINCT contradict each other; set one of them")
        }
        UnsupportedFlag => {
            // Options are refused in one place each; the numbers are OVERLAP and SMALL_STACK.
            let place = match (argument, rhs) {
                (Argument::Options, 4) => "for a copy of several nests of loops; copy to a second buffer",
                (Argument::Options, 16) => "with runs, ranges, shapes or blocked layouts",
                _ => "here",
            };
            say!("{} is not supported {place}", Flags(argument, rhs))
        }
        StructSize => say!("struct_size is {lhs} but must be at least {rhs}; begin with STRIDE_..._INIT or ..._init"),
        StructTail => say!("byte {lhs} is not 0, but this version knows {rhs} bytes; set the rest to 0"),
        NeitherGiven => say!("neither side is described; give one at least"),
        Count if argument == Argument::Tag => say!("the tag has {}, the rank is {rhs}", Many(lhs, "dimension")),
        BlockLetter => {
            let blocks = if rhs > lhs { "blocks" } else { "no blocks" };
            let (found, right) = (Letters(rhs as u32), Letters(lhs as u32));
            say!("dimension {found} has {blocks}, so write {right} (capitals are for those with blocks: nChw16c)")
        }
        Count => {
            let given = if lhs == 1 { "entry is" } else { "entries are" };
            say!("{lhs} {given} given, but ")?;
            match status {
                Status::Parse => say!("the rank is {rhs}"),
                _ => say!("{rhs} {} needed", if rhs == 1 { "is" } else { "are" }),
            }
        }
        Repeated if status == Status::InvalidSize => say!("size {lhs} may occur only once"),
        Repeated if status == Status::Parse => say!("dimension {lhs} is repeated"),
        Repeated => say!("{noun}{lhs} is repeated"),
        OutOfOrder => say!("{noun}{lhs} is not above {rhs}, the entry before it; they must ascend"),
        NotIdentity => say!("{noun}is {lhs} but must be {rhs}, since the ranks are equal"),
        Ranks => write_must(error, "rank ", f),
        Elements if argument == Argument::Sizes => {
            say!("their product is {}, but the layout has {}", Saturated(lhs), Many(rhs, "element"))
        }
        Elements => say!("{} given, but {rhs} are needed", ManyAre(lhs, "element")),
        Stretch => say!("size {lhs} cannot be stretched to {rhs}, since it is not 1"),
        Dynamic => say!("sizes {lhs} and {rhs} differ, one of them is dynamic, and only a static 1 can be stretched"),
        Product => say!("{lhs} times {rhs} does not fit in 64 bits"),
        Difference => say!("the new offset, {lhs} minus {rhs}, does not fit in 64 bits"),
        Reach => say!("size {lhs} with stride {rhs} takes the offsets beyond 64 bits"),
        Bits if argument == Argument::Offsets && lhs < 0 => {
            say!("planes begin {} bytes before the pointer, whose bits are beyond 64 bits", lhs.unsigned_abs())
        }
        Bits if matches!(argument, Argument::Width | Argument::Pitches | Argument::Offsets) => {
            say!("planes end after {lhs} bytes, padding included, whose bits are beyond 64 bits")
        }
        Bits => say!("the last element ends at {lhs} elements of {}, which is beyond 64 bits", Many(rhs, "bit")),
        NewStride => say!("the new stride of a dimension of size {lhs} does not fit in 64 bits"),
        DtypeUnknown if Dtype::new(lhs as u32 & !Dtype::HIGH_FIRST).is_ok() => {
            say!("{lhs:#x} is not a dtype: STRIDE_DTYPE_HIGH_FIRST goes with elements below a byte")
        }
        DtypeUnknown if Dtype::new(lhs as u32 & !Dtype::SWAPPED).is_ok() => {
            say!("{lhs:#x} is not a dtype: STRIDE_DTYPE_SWAPPED goes with numbers above a byte")
        }
        DtypeUnknown if lhs == 0 && argument != Argument::Dtype => {
            say!("its dtype is 0, which is none; was it initialised?")
        }
        DtypeUnknown => say!("{lhs} ({lhs:#x}) is not a dtype"),
        DtypeForeign => {
            let dtype = Named(lhs);
            match rhs {
                1 => say!("DirectML has no dtype {dtype}"),
                2 => say!("DLPack has no dtype {dtype}"),
                3 => say!("XLA has no dtype {dtype}"),
                4 => say!("NumPy's type strings have no dtype {dtype}"),
                rhs if rhs < 0 => say!("dtype {dtype} is not accepted; {}", Accepted(lhs, rhs)),
                _ => say!("dtype {dtype} is not accepted"),
            }
        }
        DtypeWidth if argument == Argument::Plan => {
            let bits = Dtype::new(lhs as u32).map_or(0, Dtype::bits);
            say!("its runs of {bits}-bit elements are not whole bytes, which is not supported here")
        }
        DtypeWidth => say!("dtype {} is smaller than a byte, which is not supported here", Named(lhs)),
        Dtypes => {
            let converts = match argument {
                Argument::SrcLayout | Argument::SrcSide => "; options->conversion converts",
                _ => "",
            };
            say!("dtype is {} but must be {}{converts}", Named(lhs), Named(rhs))
        }
        PastEnd => say!("{} needed, but the buffer has {rhs}", ManyAre(lhs, "byte")),
        BeforeStart if argument == Argument::Values => say!("an entry before the first one of a list is reached"),
        BeforeStart => {
            let cure = match argument {
                Argument::DstOffsets | Argument::SrcOffsets => "",
                _ => "; stride_layout_rebase moves the base to its lowest element",
            };
            say!("byte {lhs} is reached, before the buffer{cure}")
        }
        AddressSpace => {
            let bytes = Many(lhs, "byte");
            say!("{bytes} at {:#x} would run past the end of the address space", rhs as u64)
        }
        UnknownLength => say!("STRIDE_COPY_FILL_BUFFER needs the real length of the buffer"),
        StrideZero => {
            let rule = if status == Status::Overlap { "; a destination has an element for each" } else { "" };
            say!("stride {lhs} maps {rhs} indices to one element{rule}")
        }
        SelfOverlap => say!("two indices map to one element; a destination has an element for each"),
        SharedBytes if argument == Argument::Value => {
            say!("the value lies among the bytes that are filled; keep it elsewhere")
        }
        SharedBytes if lhs == 0 => {
            let bytes = Many(rhs, "byte");
            say!("the source begins where the destination's {bytes} do; {}", way_out(error))
        }
        SharedBytes => {
            let (distance, side) = (lhs.saturating_abs(), if lhs.is_negative() { "before" } else { "into" });
            let (distance, bytes) = (Many(distance, "byte"), Many(rhs, "byte"));
            say!("the source begins {distance} {side} the destination's {bytes}; {}", way_out(error))
        }
        SharedScratch => say!("the scratch memory shares bytes with the source or the destination"),
        SharedList => {
            let bytes = Many(rhs, "byte");
            match argument {
                Argument::DstSide | Argument::SrcSide => {
                    say!("the runs overlap the {bytes} that the copy may write; keep them elsewhere")
                }
                _ => say!("the list overlaps the {bytes} that copy {lhs} may write; keep it elsewhere"),
            }
        }
        SharedIndex => say!("this run, which begins at index {lhs}, writes an index that is written already"),
        FillsDestination => say!("-1 is the fill value, which a source may have, but no destination"),
        RunsTotal => say!("{lhs} indices and {rhs} more are too many"),
        RunsAndRange => {
            say!("it has runs and a range; a side may have one of them, so begin again with stride_side_init")
        }
        RangeEnd => {
            say!("the range ends at element {}, but the side has {}", Saturated(lhs), Many(rhs, "element"))
        }
        PlanSize => {
            say!(
                "its runs and divisions take {lhs} words, but a plan has {rhs} for them; \
                 stride_copy_sides takes any number"
            )
        }
        NoConversion if argument == Argument::Plan => {
            say!("it converts {} to {}, which is not supported here", Named(lhs), Named(rhs))
        }
        NoConversion => say!("{} does not convert to {} this way", Named(lhs), Named(rhs)),
        NoList if argument == Argument::Plan => say!("it takes no lists of values"),
        NoList => say!("the plan takes no such list; it was made with a number"),
        NeedsLists => say!("it was made with lists of values; stride_plan_execute_values takes them"),
        MissingFlag => say!("the flags {lhs:#x} need STRIDE_CONVERT_AFFINE beside them"),
        NotWhole => say!("with STRIDE_CONVERT_ADD_LAST it must be an integer"),
        ValueCount => say!("entry {lhs} is needed, but there are {rhs}"),
        ScratchBytes => say!(
            "scratch memory of {} is needed, {rhs} given; pass it in options->scratch, or with a plan to \
             stride_plan_execute_scratch",
            Many(lhs, "byte")
        ),
        Stride => say!("stride is {lhs} but must be {rhs} in this form"),
        NotOneRun => {
            say!("stride is {lhs}, not {rhs}, so it makes no run with the dimensions after it; copy, then reshape")
        }
        Offset => say!("offset is {lhs} but must be 0 in this form; move the pointer instead"),
        WholeBytes | WholeElements => {
            say!("{} {lhs} is not a ", if error.dimension < 0 { "offset" } else { "stride" })?;
            match error.detail {
                WholeBytes => say!("whole number of bytes; a byte holds {rhs} elements"),
                _ => say!("multiple of {rhs}, the old elements in a new one"),
            }
        }
        Padding => say!("size {rhs} is padded to {lhs}, but the result has no padding"),
        Field => say!("it is {lhs}, but the result can only say {rhs}"),
        EmptyTile => say!("a tile needs at least one size"),
        MergeLast => say!("the last size of a tile cannot be `*` (STRIDE_XLA_TILE_MERGE)"),
        TooManyTiles => say!("{lhs} tiles are more than the maximum of {rhs}"),
        TooManyTileSizes => say!("more than {rhs} tile sizes are given, all tiles together"),
        CutByTiles => say!("tiles cut the {rhs} most minor dimensions, this one among them, so it must stay"),
        TilesMove => {
            say!(
                "tiles move an element from position {rhs} to {lhs}, which strides cannot say; \
                 stride_copy_sides takes the shape"
            )
        }
        ElementsMove => say!("no shape with this dimension order keeps every element in its place"),
        PaddingPosition => say!("the position is padding, index {lhs} of a size of {rhs}"),
        TailPosition => say!("position {lhs} of {rhs} is padding at the end of the buffer"),
        NoSuchValue => {
            let kind = PADDING_KINDS.get(lhs as usize).unwrap_or(&"...");
            say!("STRIDE_XLA_PADDING_{kind} has no value for dtype {}", Named(rhs))
        }
        Unbounded => say!("the size is unbounded (`?`), but a bound is needed here"),
        NoIndex => say!("no index lies at element {lhs}"),
        Budget if argument == Argument::Offset => {
            say!("not decided within {}, which is all that this function takes", Many(lhs, "step"))
        }
        Budget if is_side(argument) && error.dimension >= 0 => {
            let steps = Many(lhs, "step");
            say!(
                "not decided within a budget of {steps}; sort the runs upward, raise the budget, \
                 or set STRIDE_COPY_ASSUME_DISTINCT"
            )
        }
        Budget => say!("not decided within a budget of {}; raise the budget", Many(lhs, "step")),
        BitOrders => {
            say!("not decided: one counts the elements of a byte from its low bits, the other from its high bits")
        }
        TooManyElements => say!("not decided: {rhs} elements need checking, more than the fixed limit of {lhs}"),
        Syntax => say!("{}", Expected(lhs, rhs)),
        BlockReversed => say!("a block is its size, then its letter: write {rhs}{}", Letters(lhs as u32)),
        Name if lhs == 1 => say!("unknown field or level; stride_machine_format writes all fields"),
        Name if lhs == 2 => say!("unknown image format; docs/IMAGE_FORMATS.md has the names"),
        Name if rhs != 0 => say!("unknown dtype; it is called {} here", Named(rhs)),
        Name => say!("unknown dtype"),
        Construct if lhs != 0 => {
            let letters = Letters(lhs as u32);
            let what = match lhs as u8 {
                b'M' => "bytes of dynamic shape metadata before the data",
                b'P' => "the physical shape of a sparse array",
                b'#' => "the type of a sparse array's indices",
                b'*' => "the type of a sparse array's pointers",
                b'S' => "the split of an array among memories",
                _ => "the storage of a sparse array's dimensions",
            };
            say!("{letters}(...), {what}, is not supported")
        }
        Construct => say!("tuples, tokens, sparse and split layouts are not supported"),
        NotABlock => say!("{lhs} does not divide {rhs}, but in a blocked format every block divides the one around it"),
        Merges => say!("a tile merges dimensions; no blocked format does that"),
        BlockOrder => say!("its blocks with steps {lhs} and {rhs} are in the wrong order for a blocked format"),
        BlockStep => say!("step is {lhs} but must be {rhs}, where the dimension's smaller blocks end"),
        BlockOpen => {
            say!(
                "only the block with the highest step, {rhs}, may be without a size; give this one, of step {lhs}, one"
            )
        }
        BlockCover => {
            let indices = if lhs == 1 { "index" } else { "indices" };
            say!("size is {rhs}, but its blocks cover {lhs} {indices}; enlarge the block with the highest step")
        }
        TextOfTiles => say!("the text has tiles, which strides cannot say; stride_xla_shape_parse takes it"),
        TextOfTag => {
            say!("the tag has blocks, which strides cannot say; stride_xla_shape_parse_tag takes what follows the `:`")
        }
        TextOfBlocks => {
            say!("blocks follow, which strides cannot say; stride_blocked_parse takes what follows the `:`")
        }
        NotAPlan | NotRuns if lhs == 0 => say!("it begins with 0; was it initialised?"),
        NotAPlan => say!("not a plan of this version, or changed since (it begins with {lhs:#x}); make it anew"),
        TypeWidth if argument == Argument::Format && lhs == b'O' as i64 => {
            say!("`O` is a reference to an object, which cannot be copied as bytes")
        }
        TypeWidth if argument == Argument::Format => {
            say!("`{}` does not match an item size of {rhs} bits", Letters(lhs as u32))
        }
        TypeWidth => say!("no dtype has type code {lhs} and {}", Many(rhs, "bit")),
        ByteOrder => say!("elements of {lhs} bytes are not in the byte order of this machine"),
        Indirect => say!("suboffset {lhs} says that the elements lie behind pointers; copy them into one buffer first"),
        FourccUnknown => say!("{:#x} ({}) is not a known FourCC", lhs as u32, Letters(lhs as u32)),
        FourccPacked => {
            let letters = Letters(lhs as u32);
            say!("{:#x} ({letters}) packs {rhs}-bit samples across bytes, which is not supported", lhs as u32)
        }
        SharedPlanes => say!("planes {lhs} and {rhs} share bytes"),
        PlanWords => say!("the plan was changed after it was made; make it anew"),
        Split => say!("size is {lhs} but must be a multiple of {rhs}, after which a row of the outer layout ends"),
        Carry => say!(
            "it reaches the end of the outer layout's rows of {rhs} at varying places (from {lhs}), \
             which strides cannot say"
        ),
        NotRuns => say!("not runs of this version, or changed since (it begins with {lhs:#x}); initialise it anew"),
        TooManyLoops if argument == Argument::DstLayout => {
            say!("the copy needs {lhs} loops, those within an element among them, but a plan holds {rhs}")
        }
        TooManyLoops => say!("the operands need {lhs} loops, but a stride_runs holds {rhs}"),
        NegativeStride => say!("stride {lhs} is negative"),
        Nested => say!("stride {lhs} is below {rhs}, the elements that the next inner dimension spans"),
        StrideMultiple => say!("stride {lhs} is not a multiple of {rhs}, the stride of the next inner dimension"),
        StrideBytes => say!("a stride of {} bytes is above the maximum of {rhs}", Saturated(lhs)),
        ElementsMax => say!("{lhs} elements are more than the maximum of {rhs}"),
        ReachMax => {
            let lhs = Saturated(lhs);
            say!("{lhs} elements from the lowest to the highest are more than the maximum of {rhs}")
        }
        BytesMax => say!("its {} bytes are more than the maximum of {rhs}", Saturated(lhs)),
        ElementBits => {
            say!("{lhs}-bit elements are not accepted; those accepted have bits:")?;
            let (widths, thirds) = (rhs as u64 & 0xffff_ffff, rhs as u64 >> 32);
            // Ascending: three times a quarter of a width stands before it.
            let widths = (0..34).map(|k| 1u64 << k).flat_map(|width| [3 * (thirds & width >> 2), widths & width]);
            let widths = widths.filter(|&width| width != 0);
            widths.enumerate().try_for_each(|(k, width)| say!("{} {width}", if k == 0 { "" } else { "," }))
        }
        TooManyPieces => say!("tiles and runs cut the copy into {lhs} regions or more, but a list holds at most {rhs}"),
        RegionDstOffset | RegionSrcOffset => {
            let side = if error.detail == RegionDstOffset { "destination" } else { "source" };
            say!("a region would begin at byte {lhs} of the {side}, which is not a multiple of {rhs}")
        }
        RegionRow => say!("a row has {}, not a multiple of {rhs}", Many(lhs, "byte")),
        RegionCut => {
            let most = Many(lhs, "byte");
            say!("no piece of a row has at most {most} and a multiple of {rhs}; raise row_bytes_max")
        }
        RegionImage => {
            say!("a row of {lhs} bytes would pass the end of a row of the image, which has {rhs} (row_bytes_max)")
        }
    }
}
