//! An error as a sentence: `sizes, dimension 1: size -1 is below 0, the least that is allowed`.
//!
//! Before the colon stands the place, after it the sentence of the broken rule ([`Detail`]) about the two numbers. The
//! status tells the kind of number. Every pair of status and detail that the library uses stands with its sentence in
//! `tests/errors.txt`, each made by a call.

mod rules;
mod words;

use crate::error::{Argument, Detail, Error, Status};
use core::fmt;
use rules::write_reason;
use words::PADDING_KINDS;

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
            Argument::DstOffsets | Argument::SrcOffsets | Argument::Pitches | Argument::Offsets => "entry",
            Argument::DstSide | Argument::SrcSide => match error.status {
                Status::InvalidTile | Status::Unsupported if !is_of_blocks(error.detail) => "tile",
                _ if error.dimension < 0 => "block",
                _ => "run",
            },
            Argument::BlockDims | Argument::BlockSizes | Argument::Blocked => "block",
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

/// The kind of number that `lhs` is, with a space after it.
fn noun(error: &Error) -> &'static str {
    match error.status {
        Status::InvalidRank => match error.argument {
            Argument::Rank | Argument::Count | Argument::LeastRank | Argument::DimensionCount => "",
            _ => "rank ",
        },
        // A minimum above 0 belongs to a padded size.
        Status::InvalidSize if may_be_shape(error.argument) && error.detail == Detail::Below && error.rhs > 0 => {
            "padded size "
        }
        Status::InvalidSize if matches!(error.argument, Argument::First | Argument::Count) => "",
        // The least of a side's range_count is -1.
        Status::InvalidSize if is_side(error.argument) && error.dimension < 0 && error.item < 0 => match error.rhs {
            0 => "range_first ",
            _ => "range_count ",
        },
        Status::InvalidSize if is_side(error.argument) && error.item >= 0 && error.dimension >= 0 => "count ",
        Status::InvalidSize | Status::ShapeMismatch | Status::BroadcastMismatch => "size ",
        Status::InvalidStride => "stride ",
        // Of a consumer's requirements, only sizes belong to a dimension.
        Status::NotRepresentable if !matches!(error.detail, Detail::Below | Detail::Above) => "",
        Status::NotRepresentable if error.dimension >= 0 => "size ",
        Status::NotRepresentable => "rank ",
        Status::InvalidAxes => "dimension number ",
        Status::InvalidTile => "tile size ",
        Status::IndexOutOfRange if matches!(error.argument, Argument::Linear) => "number ",
        Status::IndexOutOfRange if matches!(error.argument, Argument::Position) => "",
        Status::IndexOutOfRange => "index ",
        Status::OutOfBounds => "element offset ",
        Status::InvalidArgument if is_kind_of_side(error) => "kind ",
        // The field of a shape, which only the rule tells apart.
        Status::InvalidArgument if may_be_shape(error.argument) => match error.detail {
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
        Argument::SrcSide if error.status == Status::ShapeMismatch => Some("dst_side"),
        Argument::RhsLayout if error.status == Status::ShapeMismatch => Some("lhs_layout"),
        _ => None,
    }
}

/// The way out if two sides share bytes: one copy may allow it, those of a batch may not.
fn way_out(error: &Error) -> &'static str {
    match error.argument {
        Argument::Src => "use two buffers, or STRIDE_COPY_OVERLAP between layouts and without STRIDE_COPY_FILL_BUFFER",
        _ => "use two buffers",
    }
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

fn is_side(argument: Argument) -> bool {
    matches!(argument, Argument::DstSide | Argument::SrcSide)
}

/// Whether an unknown value is the kind of a side: an unknown kind of padding is held against another number.
fn is_kind_of_side(error: &Error) -> bool {
    is_side(error.argument) && error.detail == Detail::UnknownValue && error.rhs != PADDING_KINDS.len() as i64 - 1
}

fn may_be_shape(argument: Argument) -> bool {
    is_side(argument)
        || matches!(argument, Argument::Shape | Argument::InShape | Argument::OutShape | Argument::Lhs | Argument::Rhs)
}
