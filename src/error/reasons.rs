//! The rules that go with each status.

use super::lists::{Detail, Status};

macro_rules! reasons {
    ($($status:ident: $($detail:ident)*;)*) => {
        /// The rules that each status can name. [`Error::because`](super::Error::because) holds to it where debug
        /// assertions are on, and `tests/errors.rs` has a call for each.
        pub const REASONS: &[(Status, &[Detail])] = &[$((Status::$status, &[$(Detail::$detail),*])),*];

        /// Whether [`REASONS`] has this pair.
        pub(super) const fn is_reason(status: Status, detail: Detail) -> bool {
            matches!((status, detail), $((Status::$status, $(Detail::$detail)|*))|*)
        }
    };
}

reasons! {
    NullPointer: NeitherGiven;
    InvalidArgument: Below Above OutOfRange Zero NotZero NotAMultiple NotAPowerOfTwo UnknownValue UnknownFlag
        ConflictingFlags StructSize StructTail FillsDestination NotAPlan PlanWords NotRuns FourccUnknown
        MissingFlag NotWhole NoList NeedsLists;
    InvalidDtype: DtypeUnknown DtypeForeign Below Above UnknownValue NotAMultiple TypeWidth ByteOrder;
    InvalidRank: Below Above Count;
    InvalidSize: Below Above NotEqual Repeated NotAMultiple;
    InvalidStride: Below Above NotAMultiple;
    InvalidAxes: OutOfRange OutOfSignedRange Repeated OutOfOrder NotIdentity;
    InvalidTile: Below MergeLast EmptyTile BlockStep BlockOpen BlockCover;
    IndexOutOfRange: OutOfRange OutOfSignedRange Above;
    Overflow: Product Difference Reach Bits NewStride Above RunsTotal;
    ShapeMismatch: NotEqual Ranks Elements NotAMultiple Zero;
    BroadcastMismatch: NotEqual Stretch Dynamic;
    DtypeMismatch: Dtypes;
    OutOfBounds: Below Above OutOfRange PastEnd BeforeStart AddressSpace UnknownLength RangeEnd ValueCount;
    Overlap: StrideZero SelfOverlap SharedBytes SharedScratch SharedList SharedPlanes SharedIndex;
    ScratchNeeded: ScratchBytes;
    Parse: Syntax Name OutOfRange Repeated Count Below Above NotAPowerOfTwo MergeLast BlockLetter BlockReversed;
    Unsupported: DtypeWidth UnsupportedFlag TooManyTiles TooManyTileSizes Construct Unbounded NotEqual TooManyLoops
        TooManyPieces FourccPacked RegionDstOffset RegionSrcOffset RegionRow RegionCut RegionImage RunsAndRange
        PlanSize NoConversion;
    NotRepresentable: Stride NotOneRun Offset WholeBytes WholeElements Padding Field CutByTiles TilesMove
        ElementsMove Ranks PaddingPosition TailPosition NoSuchValue Split Carry Below Above NotAMultiple StrideZero
        DtypeForeign NegativeStride Nested StrideMultiple StrideBytes ElementsMax ReachMax BytesMax ElementBits
        NotABlock Merges BlockOrder Indirect NoIndex TextOfTiles TextOfTag TextOfBlocks;
    Undecided: Budget TooManyElements BitOrders;
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
