//! Which rules go with which status.

use super::lists::{Detail, Status};

/// Which rules a status can say were broken. [`Error::because`](super::Error::because) holds to it where debug
/// assertions are on, and `tests/errors.rs` has a call for each.
pub const REASONS: &[(Status, &[Detail])] = {
    use Detail::*;
    &[
        (Status::NullPointer, &[NeitherGiven]),
        (
            Status::InvalidArgument,
            &[
                Below,
                Above,
                OutOfRange,
                Zero,
                NotZero,
                NotAMultiple,
                NotAPowerOfTwo,
                UnknownValue,
                UnknownFlag,
                ConflictingFlags,
                StructSize,
                StructTail,
                BothGiven,
                NotAPlan,
                PlanWords,
                NotRuns,
                FourccUnknown,
            ],
        ),
        (
            Status::InvalidDtype,
            &[DtypeUnknown, DtypeForeign, Below, Above, UnknownValue, NotAMultiple, TypeWidth, ByteOrder],
        ),
        (Status::InvalidRank, &[Below, Above, Count]),
        (Status::InvalidSize, &[Below, Above, NotEqual, Repeated, NotAMultiple]),
        (Status::InvalidStride, &[Below, Above, NotAMultiple]),
        (Status::InvalidAxes, &[OutOfRange, OutOfSignedRange, Repeated, OutOfOrder, NotIdentity]),
        (Status::InvalidTile, &[Below, MergeLast, EmptyTile, BlockStep, BlockOpen, BlockCover]),
        (Status::IndexOutOfRange, &[OutOfRange, OutOfSignedRange, Above]),
        (Status::Overflow, &[Product, Difference, Reach, Bits, NewStride, Above]),
        (Status::ShapeMismatch, &[NotEqual, Ranks, Elements, NotAMultiple, Zero]),
        (Status::BroadcastMismatch, &[NotEqual, Stretch, Dynamic]),
        (Status::DtypeMismatch, &[Dtypes]),
        (Status::OutOfBounds, &[Below, Above, OutOfRange, PastEnd, BeforeStart, AddressSpace, UnknownLength]),
        (Status::Overlap, &[StrideZero, SelfOverlap, SharedBytes, SharedScratch, SharedList, SharedPlanes]),
        (Status::ScratchNeeded, &[ScratchBytes]),
        (
            Status::Parse,
            &[
                Syntax,
                Name,
                OutOfRange,
                Repeated,
                Count,
                Below,
                Above,
                NotAPowerOfTwo,
                MergeLast,
                BlockLetter,
                BlockReversed,
            ],
        ),
        (
            Status::Unsupported,
            &[
                DtypeWidth,
                UnsupportedFlag,
                TooManyTiles,
                TooManyTileSizes,
                Construct,
                Unbounded,
                NotEqual,
                TooManyLoops,
                TooManyPieces,
                FourccPacked,
                RegionDstOffset,
                RegionSrcOffset,
                RegionRow,
                RegionCut,
                RegionImage,
            ],
        ),
        (
            Status::NotRepresentable,
            &[
                Stride,
                NotOneRun,
                Offset,
                WholeBytes,
                WholeElements,
                Padding,
                Field,
                CutByTiles,
                TileTooLong,
                TilesMove,
                ElementsMove,
                Ranks,
                PaddingPosition,
                TailPosition,
                NoSuchValue,
                Split,
                Carry,
                Below,
                Above,
                NotAMultiple,
                StrideZero,
                DtypeForeign,
                NegativeStride,
                Nested,
                StrideMultiple,
                StrideBytes,
                ElementsMax,
                ReachMax,
                BytesMax,
                ElementBits,
                NotABlock,
                Merges,
                BlockOrder,
                Indirect,
            ],
        ),
        (Status::Undecided, &[Budget, TooManyElements, BitOrders]),
    ]
};

/// Whether [`REASONS`] has this pair.
pub(super) const fn is_reason(status: Status, detail: Detail) -> bool {
    let mut row = 0;
    while row < REASONS.len() {
        let (of, details) = REASONS[row];
        let mut k = 0;
        while of as i32 == status as i32 && k < details.len() {
            if details[k] as u32 == detail as u32 {
                return true;
            }
            k += 1;
        }
        row += 1;
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pairs_that_are_none() {
        assert!(is_reason(Status::Undecided, Detail::Budget) && is_reason(Status::Undecided, Detail::TooManyElements));
        assert!(!is_reason(Status::Undecided, Detail::Below) && !is_reason(Status::Ok, Detail::Below));
    }
}
