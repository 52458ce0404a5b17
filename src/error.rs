//! What went wrong, in a form that names the argument, the dimension and both numbers.
//!
//! A caller who passes a wrong descriptor needs three facts: *which* argument, *which* dimension of it, and the *two
//! numbers* that do not agree. [`Error`] carries exactly these as plain numbers, so it crosses the C boundary as a
//! 64-byte record, needs no memory, and only becomes a sentence ([`core::fmt::Display`]) when somebody asks.
//!
//! Code inside the library writes `Err(Error::new(Status::InvalidSize).dimension(i).numbers(size, 0))`; the room that
//! knows the role of the value (which of two layouts it was) adds `.argument(…)`.

use core::ffi::CStr;
use core::fmt;

/// Result of everything that can fail.
pub type Result<T> = core::result::Result<T, Error>;

/// Declares a C-like enum together with the word that messages use for each value.
macro_rules! numbered {
    ($(#[$meta:meta])* $name:ident : $repr:ty { $($(#[$doc:meta])* $variant:ident = $number:literal, $word:literal;)* }) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        #[repr($repr)]
        pub enum $name { $($(#[$doc])* $variant = $number,)* }

        impl $name {
            /// Every value, in the order of the list.
            pub const ALL: &[Self] = &[$(Self::$variant),*];

            /// The value with this number, if there is one.
            pub const fn from_number(number: $repr) -> Option<Self> {
                match number { $($number => Some(Self::$variant),)* _ => None }
            }

            /// Its number at the C boundary. Numbers never change.
            pub const fn number(self) -> $repr { self as $repr }

            /// The word for it in messages.
            pub const fn name(self) -> &'static str {
                match self { $(Self::$variant => $word,)* }
            }

            /// The same, terminated for C.
            pub const fn c_name(self) -> &'static CStr {
                let bytes = match self { $(Self::$variant => concat!($word, "\0").as_bytes(),)* };
                match CStr::from_bytes_with_nul(bytes) {
                    Ok(name) => name,
                    Err(_) => c"",
                }
            }
        }
    };
}

numbered! {
    /// What a function answers. Grouped: 1–19 one argument is wrong by itself, 20–29 two arguments disagree, 30–39
    /// memory, 40–49 text, 50–59 not built, 100 and up answers that are no mistakes.
    Status: i32 {
        /// Done.
        Ok = 0, "OK";
        /// A pointer that is required is null.
        NullPointer = 1, "NULL_POINTER";
        /// A number, flag or structure size outside its range.
        InvalidArgument = 2, "INVALID_ARGUMENT";
        /// Not a dtype, or not one that serves here.
        InvalidDtype = 3, "INVALID_DTYPE";
        /// A rank above the limit, or not the rank that the other argument has.
        InvalidRank = 4, "INVALID_RANK";
        /// A negative size, or a size that this function cannot take.
        InvalidSize = 5, "INVALID_SIZE";
        /// A stride that this function cannot take.
        InvalidStride = 6, "INVALID_STRIDE";
        /// Dimension numbers that repeat, are out of range or out of order.
        InvalidAxes = 7, "INVALID_AXES";
        /// A tile that is not valid.
        InvalidTile = 8, "INVALID_TILE";
        /// An index outside its dimension.
        IndexOutOfRange = 9, "INDEX_OUT_OF_RANGE";
        /// A product or sum that does not fit 64 bits.
        Overflow = 10, "OVERFLOW";
        /// Sizes that should be equal are not.
        ShapeMismatch = 20, "SHAPE_MISMATCH";
        /// Sizes that cannot be broadcast together.
        BroadcastMismatch = 21, "BROADCAST_MISMATCH";
        /// Element types that should be equal are not.
        DtypeMismatch = 22, "DTYPE_MISMATCH";
        /// An element below the base of the buffer or past its end.
        OutOfBounds = 30, "OUT_OF_BOUNDS";
        /// Two indices, or two buffers, share bytes where they must not.
        Overlap = 31, "OVERLAP";
        /// The copy needs scratch memory.
        ScratchNeeded = 32, "SCRATCH_NEEDED";
        /// Text that does not follow the grammar.
        Parse = 40, "PARSE";
        /// Valid, but not built in this version.
        Unsupported = 50, "UNSUPPORTED";
        /// The answer is no: the result has no such form.
        NotRepresentable = 100, "NOT_REPRESENTABLE";
        /// The work budget ended before the answer.
        Undecided = 101, "UNDECIDED";
    }
}

numbered! {
    /// Which argument an [`Error`] speaks of.
    Argument: u32 {
        /// No particular one.
        None = 0, "argument";
        /// The layout of a function that takes one.
        Layout = 1, "layout";
        /// The destination's layout.
        DstLayout = 2, "dst_layout";
        /// The source's layout.
        SrcLayout = 3, "src_layout";
        /// The destination's memory.
        Dst = 4, "dst";
        /// The source's memory.
        Src = 5, "src";
        /// The destination's length.
        DstBytes = 6, "dst_bytes";
        /// The source's length.
        SrcBytes = 7, "src_bytes";
        /// Where a result goes.
        Out = 8, "out";
        /// An element type.
        Dtype = 9, "dtype";
        /// A rank.
        Rank = 10, "rank";
        /// Sizes.
        Sizes = 11, "sizes";
        /// Strides.
        Strides = 12, "strides";
        /// A dimension order, fastest varying first.
        MinorToMajor = 13, "minor_to_major";
        /// Dimension numbers.
        Axes = 14, "axes";
        /// An index.
        Index = 15, "index";
        /// Where slices begin.
        Starts = 16, "starts";
        /// Where slices end.
        Stops = 17, "stops";
        /// Steps of slices.
        Steps = 18, "steps";
        /// Where the dimensions of a smaller operand go.
        BroadcastDimensions = 19, "broadcast_dimensions";
        /// The left of two operands.
        Lhs = 20, "lhs";
        /// The right of two operands.
        Rhs = 21, "rhs";
        /// A number of things.
        Count = 22, "count";
        /// Ranks of several operands.
        Ranks = 23, "ranks";
        /// Options of a copy.
        Options = 24, "options";
        /// A plan.
        Plan = 25, "plan";
        /// The number of a part.
        Part = 26, "part";
        /// How many parts.
        Parts = 27, "parts";
        /// A text buffer.
        Buffer = 28, "buffer";
        /// A length.
        Length = 29, "length";
        /// A text.
        Text = 30, "text";
        /// An XLA shape.
        Shape = 31, "shape";
        /// A DirectML descriptor.
        Desc = 32, "desc";
        /// An element's value.
        Value = 33, "value";
        /// Padded sizes.
        PaddedSizes = 34, "padded_sizes";
        /// A kind or rule.
        Kind = 35, "kind";
        /// A row pitch.
        Pitch = 36, "row_pitch_bytes";
        /// A row-major element number or a position in a buffer.
        Linear = 37, "linear";
        /// A DirectML data type.
        DataType = 38, "data_type";
        /// A DirectML dimension count.
        DimensionCount = 39, "dimension_count";
        /// DirectML's TotalTensorSizeInBytes.
        TotalBytes = 40, "total_tensor_size_in_bytes";
        /// DirectML's GuaranteedBaseOffsetAlignment.
        Alignment = 41, "guaranteed_base_offset_alignment";
        /// Flags.
        Flags = 42, "flags";
        /// Storage bits of an element.
        ElementBits = 43, "element_bits";
        /// Scratch memory.
        Scratch = 44, "scratch";
        /// A tile of an XLA shape.
        Tile = 45, "tile";
    }
}

/// An error: status, place and the two numbers. See the [module documentation](self).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Error {
    /// What went wrong.
    pub status: Status,
    /// In which argument.
    pub argument: Argument,
    /// In which dimension, −1 where that says nothing.
    pub dimension: i32,
    /// In which operand or tile, −1 where that says nothing.
    pub item: i32,
    /// At which byte of a text, `u64::MAX` where that says nothing.
    pub position: u64,
    /// The number that was found. Saturated.
    pub lhs: i64,
    /// The number that it should have agreed with. Saturated.
    pub rhs: i64,
}

impl Error {
    /// An error with this status that names nothing yet.
    pub const fn new(status: Status) -> Self {
        Self { status, argument: Argument::None, dimension: -1, item: -1, position: u64::MAX, lhs: 0, rhs: 0 }
    }

    /// Names the argument, unless a room nearer to the mistake already did.
    pub const fn argument(mut self, argument: Argument) -> Self {
        if matches!(self.argument, Argument::None) {
            self.argument = argument;
        }
        self
    }

    /// Names the dimension.
    pub const fn dimension(mut self, dimension: usize) -> Self {
        self.dimension = dimension as i32;
        self
    }

    /// Names the operand or tile.
    pub const fn item(mut self, item: usize) -> Self {
        self.item = item as i32;
        self
    }

    /// Names the byte of a text.
    pub const fn position(mut self, position: usize) -> Self {
        self.position = position as u64;
        self
    }

    /// Gives the number found and the number it was held against.
    pub const fn numbers(mut self, lhs: i64, rhs: i64) -> Self {
        self.lhs = lhs;
        self.rhs = rhs;
        self
    }

    /// [`Error::numbers`] for numbers that may lie outside 64 bits: they are saturated.
    pub const fn wide_numbers(self, lhs: i128, rhs: i128) -> Self {
        self.numbers(saturate(lhs), saturate(rhs))
    }
}

const fn saturate(number: i128) -> i64 {
    if number > i64::MAX as i128 {
        i64::MAX
    } else if number < i64::MIN as i128 {
        i64::MIN
    } else {
        number as i64
    }
}

/// Names the argument of a result's error.
pub(crate) trait ForArgument {
    /// [`Error::argument`] on the error, if there is one.
    fn for_argument(self, argument: Argument) -> Self;
}

impl<T> ForArgument for Result<T> {
    fn for_argument(self, argument: Argument) -> Self {
        self.map_err(|error| error.argument(argument))
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.argument.name())?;
        if self.item >= 0 {
            let tiled = matches!(self.argument, Argument::Tile | Argument::Shape | Argument::Linear | Argument::Text);
            write!(f, ", {} {}", if tiled { "tile" } else { "operand" }, self.item)?;
        }
        if self.dimension >= 0 {
            write!(f, ", dimension {}", self.dimension)?;
        }
        if self.position != u64::MAX {
            write!(f, ", byte {}", self.position)?;
        }
        let (lhs, rhs) = (self.lhs, self.rhs);
        match self.status {
            Status::Ok => f.write_str(": no error"),
            Status::NullPointer => f.write_str(": the pointer is NULL"),
            Status::InvalidArgument => write!(f, ": {lhs} is not allowed (against {rhs})"),
            Status::InvalidDtype => write!(f, ": {lhs:#x} is not a dtype that serves here"),
            Status::InvalidRank => write!(f, ": rank {lhs} where {rhs} is required or the limit"),
            Status::InvalidSize => write!(f, ": size {lhs} is not allowed (limit {rhs})"),
            Status::InvalidStride => write!(f, ": stride {lhs} is not allowed (limit {rhs})"),
            Status::InvalidAxes => write!(f, ": dimension number {lhs} is repeated, out of order or outside {rhs}"),
            Status::InvalidTile => write!(f, ": tile size {lhs} is not valid ({rhs})"),
            Status::IndexOutOfRange => write!(f, ": {lhs} is outside {rhs}"),
            Status::Overflow => write!(f, ": {lhs} and {rhs} together do not fit 64 bits"),
            Status::ShapeMismatch if self.dimension < 0 => write!(f, ": rank or count {lhs} does not equal {rhs}"),
            Status::ShapeMismatch => write!(f, ": size {lhs} does not equal {rhs}"),
            Status::BroadcastMismatch => write!(f, ": size {lhs} does not broadcast with {rhs}"),
            Status::DtypeMismatch => write!(f, ": dtype {lhs:#x} is not {rhs:#x}"),
            Status::OutOfBounds if lhs < 0 => write!(f, ": byte {lhs} is reached, in front of the buffer"),
            Status::OutOfBounds => write!(f, ": {lhs} bytes are needed, the buffer has {rhs}"),
            Status::Overlap if (lhs, rhs) == (0, 0) => f.write_str(": bytes are shared"),
            Status::Overlap => write!(f, ": elements share bytes (distance {lhs}, extent {rhs})"),
            Status::ScratchNeeded => write!(f, ": {lhs} bytes of scratch needed, {rhs} given"),
            Status::Parse => write!(f, ": the text does not follow the grammar"),
            Status::Unsupported => write!(f, ": {lhs} is valid but not supported by this version (limit {rhs})"),
            Status::NotRepresentable => write!(f, ": the result has no such form ({lhs}, {rhs})"),
            Status::Undecided => write!(f, ": no answer within the work budget of {lhs} steps"),
        }
    }
}

impl core::error::Error for Error {}

#[cfg(test)]
mod tests {
    use super::*;
    use std::string::ToString;

    #[test]
    fn numbers_are_pinned_and_come_back() {
        for &status in Status::ALL {
            assert_eq!(Status::from_number(status.number()), Some(status));
        }
        for &argument in Argument::ALL {
            assert_eq!(Argument::from_number(argument.number()), Some(argument));
        }
        assert_eq!(Status::from_number(-1), None);
        assert_eq!(
            (Status::Overflow.number(), Status::OutOfBounds.number(), Status::Undecided.number()),
            (10, 30, 101)
        );
    }

    #[test]
    fn the_sentence_names_argument_dimension_and_both_numbers() {
        let error = Error::new(Status::ShapeMismatch).argument(Argument::SrcLayout).dimension(2).numbers(5, 7);
        assert_eq!(error.to_string(), "src_layout, dimension 2: size 5 does not equal 7");
        // The room nearest to the mistake names the argument.
        assert_eq!(error.argument(Argument::DstLayout).argument, Argument::SrcLayout);
    }
}
