//! The numbered lists of an error: what happened, in which argument, by which rule.
//!
//! One line is all there is of a constant: its number, its word and its comment. The header is made from them
//! (`tests/header`), the sentences from [`Status`] and [`Detail`] (`src/sentence/`).

use core::ffi::CStr;

/// Declares a C-like enum together with the word that messages use for each value.
macro_rules! numbered {
    ($(#[$meta:meta])* $name:ident : $repr:ty {
        $(#[doc = $doc:literal] $variant:ident = $number:literal, $word:literal;)*
    }) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[non_exhaustive] // a word may be added
        #[repr($repr)]
        pub enum $name { $(#[doc = $doc] $variant = $number,)* }

        impl $name {
            /// Every value, in the order of the list.
            pub const ALL: &[Self] = &[$(Self::$variant),*];

            /// The highest number; they ascend.
            pub const HIGHEST: $repr = Self::ALL[Self::ALL.len() - 1] as $repr;

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

            /// Its meaning, as the header says it.
            pub const fn doc(self) -> &'static str {
                match self { $(Self::$variant => $doc,)* }
            }

            /// Its name, terminated for C.
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
    /// The answer of a function. Grouped: 1–19 one argument is wrong by itself, 20–29 two arguments disagree, 30–39
    /// memory, 40–49 text, 50–59 not built, 100 and up answers that are no mistakes.
    ///
    /// ```
    /// use stride::error::Status;
    /// assert_eq!((Status::Overlap.number(), Status::Overlap.name()), (31, "OVERLAP"));
    /// assert!(Status::ALL.iter().all(|&status| Status::from_number(status.number()) == Some(status)));
    /// assert_eq!(Status::Ok.doc(), " Done.");
    /// assert_eq!(Status::Ok.c_name(), c"OK");
    /// ```
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
        /// A tile or block that is not valid.
        InvalidTile = 8, "INVALID_TILE";
        /// An index outside its dimension.
        IndexOutOfRange = 9, "INDEX_OUT_OF_RANGE";
        /// A number too large for 64 bits, or for DirectML's 32.
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
        /// Valid, but not implemented in this version.
        Unsupported = 50, "UNSUPPORTED";
        /// The answer is no: the result has no such form.
        NotRepresentable = 100, "NOT_REPRESENTABLE";
        /// No answer within the limits on work and stack.
        Undecided = 101, "UNDECIDED";
    }
}

numbered! {
    /// The argument that an [`Error`](super::Error) speaks of: the name of a parameter, or of a field of a struct
    /// that is passed by pointer.
    ///
    /// ```
    /// use stride::error::Argument;
    /// assert_eq!((Argument::DstLayout.number(), Argument::DstLayout.name()), (2, "dst_layout"));
    /// assert!(Argument::ALL.iter().all(|&of| Argument::from_number(of.number()) == Some(of) && !of.doc().is_empty()));
    /// assert_eq!(Argument::DstLayout.c_name(), c"dst_layout");
    /// ```
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
        /// Room for a result.
        Out = 8, "out";
        /// An element type.
        Dtype = 9, "dtype";
        /// A rank: how many entries the lists after it have.
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
        /// The begin of slices.
        Starts = 16, "starts";
        /// The end of slices.
        Stops = 17, "stops";
        /// Steps of slices.
        Steps = 18, "steps";
        /// The dimensions that those of a smaller operand become.
        BroadcastDimensions = 19, "broadcast_dimensions";
        /// The left of two operands.
        Lhs = 20, "lhs";
        /// The right of two operands.
        Rhs = 21, "rhs";
        /// A number of things: how many entries the lists after it have.
        Count = 22, "count";
        /// Ranks of several operands.
        Ranks = 23, "ranks";
        /// Options of a copy.
        Options = 24, "options";
        /// A plan.
        Plan = 25, "plan";
        /// The number of a part.
        Part = 26, "part";
        /// The number of parts.
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
        /// A kind of padding, of bitcast, of copy or of a side.
        Kind = 35, "kind";
        /// A pitch.
        PitchBytes = 36, "pitch_bytes";
        /// A row-major element number or a position in a buffer.
        Linear = 37, "linear";
        /// A DirectML data type.
        DataType = 38, "data_type";
        /// A DirectML dimension count.
        DimensionCount = 39, "dimension_count";
        /// A field of DirectML's descriptor.
        TotalTensorSizeInBytes = 40, "total_tensor_size_in_bytes";
        /// A field of DirectML's descriptor.
        GuaranteedBaseOffsetAlignment = 41, "guaranteed_base_offset_alignment";
        /// Flags.
        Flags = 42, "flags";
        /// Storage bits of an element.
        ElementBits = 43, "element_bits";
        /// Scratch memory.
        Scratch = 44, "scratch";
        /// A tile of an XLA shape.
        Tile = 45, "tile";
        /// A dimension number.
        Axis = 46, "axis";
        /// The first of two dimension numbers.
        Axis1 = 47, "axis1";
        /// The second of two dimension numbers.
        Axis2 = 48, "axis2";
        /// Several layouts.
        In = 49, "in";
        /// The shape that a bitcast begins with.
        InShape = 50, "in_shape";
        /// The shape that a bitcast ends with.
        OutShape = 51, "out_shape";
        /// The view of the left operand.
        LhsOut = 52, "lhs_out";
        /// The view of the right operand.
        RhsOut = 53, "rhs_out";
        /// The left operand's layout.
        LhsLayout = 54, "lhs_layout";
        /// The right operand's layout.
        RhsLayout = 55, "rhs_layout";
        /// The left operand's length.
        LhsBytes = 56, "lhs_bytes";
        /// The right operand's length.
        RhsBytes = 57, "rhs_bytes";
        /// The place of the left operand.
        LhsAddress = 58, "lhs_address";
        /// The place of the right operand.
        RhsAddress = 59, "rhs_address";
        /// The place of the destination.
        DstAddress = 60, "dst_address";
        /// The place of the source.
        SrcAddress = 61, "src_address";
        /// Room for the number of the first element that differs.
        FirstDifference = 62, "first_difference";
        /// Room for yes or no.
        Answer = 63, "answer";
        /// Room for the lowest offset.
        Lowest = 64, "lowest";
        /// Room for the highest offset.
        Highest = 65, "highest";
        /// Room for an offset in bytes.
        OffsetBytes = 66, "offset_bytes";
        /// Room for a bit's number.
        Bit = 67, "bit";
        /// Strides in bytes.
        ByteStrides = 68, "byte_strides";
        /// Room for the bytes that the base pointer moves by.
        ShiftBytes = 69, "shift_bytes";
        /// A rule for strides of size-1 dimensions.
        Rule = 70, "rule";
        /// The offset of a binding, or where it goes.
        BaseOffsetBytes = 71, "base_offset_bytes";
        /// The least rank of a result.
        LeastRank = 72, "least_rank";
        /// Room for a rank; the number of entries of `out_axes`.
        OutRank = 73, "out_rank";
        /// Room for sizes.
        OutSizes = 74, "out_sizes";
        /// A place among dimensions, or along one.
        Position = 75, "position";
        /// A size.
        Size = 76, "size";
        /// A dimension number.
        Dimension = 77, "dimension";
        /// Dimension numbers; where a number of dimensions goes.
        Dimensions = 78, "dimensions";
        /// Room for a transposed shape.
        Transposed = 79, "transposed";
        /// Room for a reshaped shape.
        Reshaped = 80, "reshaped";
        /// Room for dimension numbers.
        OutAxes = 81, "out_axes";
        /// Sizes of PJRT's tiles.
        TileDims = 82, "tile_dims";
        /// The number of entries of `tile_dims`.
        TileDimsCapacity = 83, "tile_dims_capacity";
        /// Numbers of sizes of PJRT's tiles.
        TileDimSizes = 84, "tile_dim_sizes";
        /// The number of entries of `tile_dim_sizes`.
        TileDimSizesCapacity = 85, "tile_dim_sizes_capacity";
        /// The number of tiles of PJRT's layout.
        NumTiles = 86, "num_tiles";
        /// An error record.
        Record = 87, "record";
        /// A number of bytes.
        Bytes = 88, "bytes";
        /// The length of scratch memory.
        ScratchBytes = 89, "scratch_bytes";
        /// Room for the bytes of a fill value.
        Fill = 90, "fill";
        /// The room that there is.
        Capacity = 93, "capacity";
        /// Steps that an overlap test may take.
        Budget = 94, "budget";
        /// The diagonal.
        Diagonal = 95, "diagonal";
        /// A field of an XLA shape.
        TailAlignment = 96, "tail_alignment";
        /// Room for a number of elements.
        Elements = 97, "elements";
        /// The length of a buffer.
        BufferBytes = 98, "buffer_bytes";
        /// The alignment of the base pointer.
        BaseAlignment = 99, "base_alignment";
        /// Room for the alignment of elements.
        Element = 100, "element";
        /// Room for the alignment of rows.
        Row = 101, "row";
        /// The order of dimensions that the caller would like, outermost first.
        Preferred = 102, "preferred";
        /// Room for an order of dimensions.
        Order = 103, "order";
        /// Room for yes or no: whether no other order fits.
        Unique = 104, "unique";
        /// The alignment of neighbours along a dimension.
        AlignmentBytes = 105, "alignment_bytes";
        /// Distances between the elements of a window.
        Dilations = 106, "dilations";
        /// The place of an element, that of index (0, ..., 0) if nothing else is said.
        Offset = 107, "offset";
        /// Room for the entries before a place.
        Front = 108, "front";
        /// Room for the entries from a place on.
        Back = 109, "back";
        /// The layout that a composition ends with: it has the elements.
        Outer = 110, "outer";
        /// The layout that a composition begins with: it has the numbers.
        Inner = 111, "inner";
        /// Room for the number of dimensions that each dimension becomes.
        GroupRanks = 112, "group_ranks";
        /// Sizes of a tile.
        TileSizes = 113, "tile_sizes";
        /// The requirements of a consumer.
        Requirements = 114, "requirements";
        /// Whose requirements.
        Consumer = 115, "consumer";
        /// The address in a base pointer.
        Address = 116, "address";
        /// An iterator over runs, where a number of runs goes, or the index runs of a side.
        Runs = 117, "runs";
        /// Room for offsets in bytes.
        ByteOffsets = 118, "byte_offsets";
        /// The most of them.
        Most = 119, "most";
        /// Room for a number of things that were found.
        Found = 120, "found";
        /// Room for the bytes of a run.
        RunBytes = 121, "run_bytes";
        /// The places of copies of a batch in the destination.
        DstOffsets = 122, "dst_offsets";
        /// The places of copies of a batch in the source.
        SrcOffsets = 123, "src_offsets";
        /// The name of a blocked format.
        Tag = 124, "tag";
        /// A dimension order, the outermost first.
        OuterOrder = 125, "outer_order";
        /// The dimension of each block.
        BlockDims = 126, "block_dims";
        /// Sizes of blocks.
        BlockSizes = 127, "block_sizes";
        /// A DLPack tensor.
        Tensor = 128, "tensor";
        /// A number of dimensions.
        Ndim = 129, "ndim";
        /// DLPack's type code.
        DtypeCode = 130, "dtype_code";
        /// DLPack's bits of a lane.
        DtypeBits = 131, "dtype_bits";
        /// DLPack's lanes of an element.
        DtypeLanes = 132, "dtype_lanes";
        /// Bytes to index (0, ..., 0).
        ByteOffset = 133, "byte_offset";
        /// A managed DLPack tensor.
        Managed = 134, "managed";
        /// DLPack's major version.
        Major = 135, "major";
        /// A Python buffer.
        View = 136, "view";
        /// Bytes of a Python buffer's elements.
        Len = 137, "len";
        /// Bytes of an element.
        Itemsize = 138, "itemsize";
        /// An element's type as text.
        Format = 139, "format";
        /// Offsets of a Python buffer from its pointers.
        Suboffsets = 140, "suboffsets";
        /// ggml's number of a type.
        Type = 141, "type";
        /// ggml's sizes, innermost first.
        Ne = 142, "ne";
        /// ggml's strides in bytes, innermost first.
        Nb = 143, "nb";
        /// Room for the number of elements of a block.
        Block = 144, "block";
        /// A code of four characters.
        Fourcc = 145, "fourcc";
        /// An image's columns.
        Width = 146, "width";
        /// An image's rows.
        Height = 147, "height";
        /// Bytes from row to row, plane by plane.
        Pitches = 148, "pitches";
        /// Bytes of which every pitch is a multiple.
        PitchAlignment = 149, "pitch_alignment";
        /// Room for an image's planes.
        Planes = 150, "planes";
        /// Room for an image's components.
        Components = 151, "components";
        /// Room for the number of planes.
        PlaneCount = 152, "plane_count";
        /// Room for the number of components.
        ComponentCount = 153, "component_count";
        /// A CPU as copies see it.
        Machine = 154, "machine";
        /// A blocked layout.
        Blocked = 155, "blocked";
        /// Steps of blocks.
        BlockSteps = 158, "block_steps";
        /// An image.
        Image = 160, "image";
        /// The begin of row 0 of each plane, in bytes.
        Offsets = 161, "offsets";
        /// The number of pitches.
        PitchCount = 162, "pitch_count";
        /// The number of offsets.
        OffsetCount = 163, "offset_count";
        /// The rules of a function that moves regions.
        Rules = 164, "rules";
        /// Whose rules.
        Api = 165, "api";
        /// The destination's side.
        DstSide = 168, "dst_side";
        /// The source's side.
        SrcSide = 169, "src_side";
        /// A side of a copy.
        Side = 170, "side";
        /// The object that a side's elements lie in.
        Of = 171, "of";
        /// The number of the first element.
        First = 172, "first";
        /// Room for the number of indices that share an element.
        Sharing = 173, "sharing";
        /// A conversion of a copy.
        Conversion = 174, "conversion";
        /// The place of a conversion's values.
        Values = 175, "values";
        /// The number that a conversion subtracts, for each value.
        Subtracts = 176, "subtracts";
        /// The number that it multiplies by, for each value.
        Scales = 177, "scales";
        /// The number that it adds, for each value.
        Adds = 178, "adds";
        /// The number of values.
        ValueCount = 179, "value_count";
        /// The number that a conversion adds.
        Add = 180, "add";
    }
}

numbered! {
    /// Which rule was broken, and with it what the two numbers of an [`Error`](super::Error) say.
    ///
    /// ```
    /// use stride::error::Detail;
    /// assert_eq!((Detail::PastEnd.number(), Detail::PastEnd.name()), (50, "PAST_END"));
    /// assert!(Detail::ALL.iter().all(|&of| Detail::from_number(of.number()) == Some(of) && !of.doc().is_empty()));
    /// assert_eq!(Detail::PastEnd.c_name(), c"PAST_END");
    /// ```
    Detail: u32 {
        /// No particular rule.
        None = 0, "NONE";
        /// `lhs` is below `rhs`, the least that is allowed.
        Below = 1, "BELOW";
        /// `lhs` is above `rhs`, the most that is allowed, or the size.
        Above = 2, "ABOVE";
        /// `lhs` is outside 0 ... `rhs` - 1.
        OutOfRange = 3, "OUT_OF_RANGE";
        /// `lhs` is outside -`rhs` ... `rhs` - 1.
        OutOfSignedRange = 4, "OUT_OF_SIGNED_RANGE";
        /// `lhs` is 0, or stands beside a 0.
        Zero = 5, "ZERO";
        /// `lhs`, a reserved field, is not 0.
        NotZero = 6, "NOT_ZERO";
        /// `lhs` is not `rhs`.
        NotEqual = 7, "NOT_EQUAL";
        /// `lhs` is not a multiple of `rhs`.
        NotAMultiple = 8, "NOT_A_MULTIPLE";
        /// `lhs` is not a power of two; `rhs`: the least that is allowed.
        NotAPowerOfTwo = 9, "NOT_A_POWER_OF_TWO";
        /// `lhs` is unknown; the highest known number is `rhs`.
        UnknownValue = 10, "UNKNOWN_VALUE";
        /// The flags `lhs` include unknown ones; `rhs`: the known ones.
        UnknownFlag = 11, "UNKNOWN_FLAG";
        /// The flags `lhs` include `rhs`, which conflicts with another of them.
        ConflictingFlags = 12, "CONFLICTING_FLAGS";
        /// The flags `lhs` include `rhs`, which is not supported here.
        UnsupportedFlag = 13, "UNSUPPORTED_FLAG";
        /// struct_size is `lhs`; at least `rhs` is needed.
        StructSize = 14, "STRUCT_SIZE";
        /// Byte `lhs` of a struct is not 0; this version knows `rhs` bytes of it.
        StructTail = 15, "STRUCT_TAIL";
        /// Neither side has a layout, shape or blocked layout; only one side may be left out.
        NeitherGiven = 17, "NEITHER_GIVEN";
        /// `lhs` entries are given, `rhs` are needed.
        Count = 20, "COUNT";
        /// `lhs` is repeated; `rhs`: the rank.
        Repeated = 21, "REPEATED";
        /// `lhs` is not above `rhs`, the entry before it.
        OutOfOrder = 22, "OUT_OF_ORDER";
        /// `lhs` must be `rhs`, since the ranks are equal.
        NotIdentity = 23, "NOT_IDENTITY";
        /// Ranks `lhs` and `rhs` differ.
        Ranks = 24, "RANKS";
        /// Numbers of elements `lhs` and `rhs` differ.
        Elements = 25, "ELEMENTS";
        /// Size `lhs` cannot be stretched to `rhs`: it is neither 1 nor `rhs`.
        Stretch = 26, "STRETCH";
        /// Only one of the sizes `lhs` and `rhs` is dynamic.
        Dynamic = 27, "DYNAMIC";
        /// `lhs` times `rhs` does not fit in 64 bits.
        Product = 30, "PRODUCT";
        /// `lhs` minus `rhs` does not fit in 64 bits.
        Difference = 31, "DIFFERENCE";
        /// Size `lhs` with stride `rhs` takes the offsets beyond 64 bits.
        Reach = 32, "REACH";
        /// The end of the elements, `lhs` times `rhs` bits, does not fit in 64 bits.
        Bits = 33, "BITS";
        /// A new stride does not fit in 64 bits; `lhs`: the size of its dimension in the result (joint loops: operand).
        NewStride = 34, "NEW_STRIDE";
        /// `lhs` is not a dtype.
        DtypeUnknown = 40, "DTYPE_UNKNOWN";
        /// Dtype `lhs` is unknown to DirectML (`rhs` 1), DLPack (2), XLA (3), type strings (4), `dtypes` (below 0: its bits).
        DtypeForeign = 41, "DTYPE_FOREIGN";
        /// The dtype `lhs` is smaller than a byte.
        DtypeWidth = 42, "DTYPE_WIDTH";
        /// The dtypes `lhs` and `rhs` differ.
        Dtypes = 43, "DTYPES";
        /// `lhs` bytes are needed, `rhs` are there.
        PastEnd = 50, "PAST_END";
        /// Byte `lhs`, below 0, is reached.
        BeforeStart = 51, "BEFORE_START";
        /// `lhs` bytes from address (uint64_t)`rhs` on leave the address space.
        AddressSpace = 52, "ADDRESS_SPACE";
        /// The length of the whole buffer is needed; `rhs` is not one.
        UnknownLength = 53, "UNKNOWN_LENGTH";
        /// Stride `lhs`, 0, gives `rhs` indices the same element.
        StrideZero = 60, "STRIDE_ZERO";
        /// Two indices of the destination share one element.
        SelfOverlap = 61, "SELF_OVERLAP";
        /// The source begins `lhs` bytes after the first byte of the destination, which takes `rhs` bytes.
        SharedBytes = 62, "SHARED_BYTES";
        /// The scratch memory shares bytes with a side.
        SharedScratch = 63, "SHARED_SCRATCH";
        /// `lhs` bytes of scratch memory are needed, `rhs` are given.
        ScratchBytes = 64, "SCRATCH_BYTES";
        /// A list shares bytes with the destination of copy `lhs`, which takes `rhs` bytes.
        SharedList = 65, "SHARED_LIST";
        /// Stride `lhs` would have to be `rhs`.
        Stride = 70, "STRIDE";
        /// Offset `lhs` would have to be 0.
        Offset = 71, "OFFSET";
        /// Stride or offset `lhs` is not a whole number of bytes; a byte holds `rhs` elements.
        WholeBytes = 72, "WHOLE_BYTES";
        /// Size `rhs` is padded to `lhs`, which the result cannot express.
        Padding = 73, "PADDING";
        /// The result cannot express `lhs`, only `rhs`.
        Field = 74, "FIELD";
        /// Stride `lhs` would have to be `rhs` for this dimension and the next to be one run.
        NotOneRun = 75, "NOT_ONE_RUN";
        /// A tile has `lhs` sizes; at least `rhs` are needed.
        EmptyTile = 80, "EMPTY_TILE";
        /// A tile ends with STRIDE_XLA_TILE_MERGE.
        MergeLast = 81, "MERGE_LAST";
        /// `lhs` tiles are more than the `rhs` that a shape holds.
        TooManyTiles = 82, "TOO_MANY_TILES";
        /// `lhs` sizes of tiles are more than the `rhs` that a shape holds.
        TooManyTileSizes = 83, "TOO_MANY_TILE_SIZES";
        /// Tiles may cut the `rhs` most minor dimensions; only `lhs` are more minor than this one.
        CutByTiles = 84, "CUT_BY_TILES";
        /// Tiles move an element to position `lhs` from `rhs`.
        TilesMove = 86, "TILES_MOVE";
        /// No such shape keeps every element in its place.
        ElementsMove = 87, "ELEMENTS_MOVE";
        /// The position is padding: number `lhs` in a dimension of size `rhs`.
        PaddingPosition = 88, "PADDING_POSITION";
        /// Position `lhs` of `rhs` is the padding of the tail.
        TailPosition = 89, "TAIL_POSITION";
        /// Dtype `rhs` has no value for padding of kind `lhs`.
        NoSuchValue = 90, "NO_SUCH_VALUE";
        /// A dynamic dimension has no bound.
        Unbounded = 91, "UNBOUNDED";
        /// No index lies at the element offset `lhs`.
        NoIndex = 92, "NO_INDEX";
        /// No answer within a budget of `lhs` steps.
        Budget = 100, "BUDGET";
        /// `rhs` elements would have to be visited, more than the `lhs` that are allowed.
        TooManyElements = 101, "TOO_MANY_ELEMENTS";
        /// A byte may hold elements that are counted from either end of it; whether they share bits is not checked.
        BitOrders = 102, "BIT_ORDERS";
        /// `lhs` (-1: the end) stands where one of the characters in the bytes of `rhs`, low byte first, may stand.
        Syntax = 110, "SYNTAX";
        /// `lhs` 0: unknown dtype (`rhs`: the one meant, or 0); 1: no part of a machine; 2: no image format.
        Name = 111, "NAME";
        /// The text uses something that is not supported; `lhs`: the letters of a layout's attribute, else 0.
        Construct = 112, "CONSTRUCT";
        /// The text is that of a shape with tiles (`stride_xla_shape_parse`), whose layout begins at this byte.
        TextOfTiles = 113, "TEXT_OF_TILES";
        /// After the colon at this byte stands a tag with blocks (`stride_xla_shape_parse_tag`).
        TextOfTag = 114, "TEXT_OF_TAG";
        /// After the colon at this byte stand blocks (`stride_blocked_parse`).
        TextOfBlocks = 115, "TEXT_OF_BLOCKS";
        /// Word 0 of a plan is `lhs`; in this version it is `rhs`.
        NotAPlan = 120, "NOT_A_PLAN";
        /// A plan was changed after it was made.
        PlanWords = 121, "PLAN_WORDS";
        /// Stride or offset `lhs` is not a multiple of `rhs`, so not a whole number of elements of the new dtype.
        WholeElements = 130, "WHOLE_ELEMENTS";
        /// The `lhs` elements would have to be a multiple of `rhs` to be cut where rows of the outer layout end.
        Split = 135, "SPLIT";
        /// Number `lhs` is reached, outside 0 ... `rhs` - 1, the numbers between two carries of the outer layout.
        Carry = 136, "CARRY";
        /// Stride `lhs` is negative.
        NegativeStride = 140, "NEGATIVE_STRIDE";
        /// Stride `lhs` is below `rhs`, where the dimension inside it ends.
        Nested = 141, "NESTED";
        /// Stride `lhs` is not a multiple of `rhs`, which the dimension inside it requires.
        StrideMultiple = 142, "STRIDE_MULTIPLE";
        /// A stride of `lhs` bytes is above `rhs`, the most that is allowed.
        StrideBytes = 143, "STRIDE_BYTES";
        /// `lhs` elements are above `rhs`, the most that is allowed.
        ElementsMax = 144, "ELEMENTS_MAX";
        /// `lhs` elements from the lowest to the highest are above `rhs`, the most that is allowed.
        ReachMax = 145, "REACH_MAX";
        /// `lhs` bytes are above `rhs`, the most that is allowed.
        BytesMax = 146, "BYTES_MAX";
        /// An element has `lhs` bits; `rhs`: the widths that are allowed, added up, and from bit 32 on thirds of others.
        ElementBits = 147, "ELEMENT_BITS";
        /// Word 0 of runs is `lhs`; in this version it is `rhs`.
        NotRuns = 165, "NOT_RUNS";
        /// There are `lhs` loops, more than `rhs`.
        TooManyLoops = 166, "TOO_MANY_LOOPS";
        /// Tiles cut the copy into `lhs` boxes or more; a list takes `rhs`.
        TooManyPieces = 170, "TOO_MANY_PIECES";
        /// A region would begin at byte `lhs` of the destination, which is not a multiple of `rhs`.
        RegionDstOffset = 171, "REGION_DST_OFFSET";
        /// A region would begin at byte `lhs` of the source, which is not a multiple of `rhs`.
        RegionSrcOffset = 172, "REGION_SRC_OFFSET";
        /// Rows of `lhs` bytes are not a multiple of `rhs`.
        RegionRow = 173, "REGION_ROW";
        /// Rows of at most `lhs` bytes cannot be a multiple of `rhs`.
        RegionCut = 174, "REGION_CUT";
        /// A row of `lhs` bytes would pass the end of a row of the image, which has `rhs`.
        RegionImage = 175, "REGION_IMAGE";
        /// A tile cuts `rhs` neighbours by `lhs` with a remainder, which no blocked format does.
        NotABlock = 180, "NOT_A_BLOCK";
        /// A tile merges dimensions, which no blocked format does.
        Merges = 181, "MERGES";
        /// A block with step `lhs` lies where one with step `rhs` would have to; smaller steps lie further in.
        BlockOrder = 182, "BLOCK_ORDER";
        /// Letter `rhs` of a tag must be `lhs`: it is a capital if its dimension has blocks, and only then.
        BlockLetter = 183, "BLOCK_LETTER";
        /// A block has step `lhs`, but the blocks of its dimension inside it end at `rhs`.
        BlockStep = 184, "BLOCK_STEP";
        /// A block with step `lhs` has size 0, though one with step `rhs` is the highest of its dimension.
        BlockOpen = 185, "BLOCK_OPEN";
        /// The blocks of a dimension hold `lhs` of its `rhs` elements.
        BlockCover = 186, "BLOCK_COVER";
        /// In a tag, the size `rhs` of a block stands before its letter `lhs`.
        BlockReversed = 187, "BLOCK_REVERSED";
        /// Type `lhs` of `rhs` bits has no dtype; `lhs` of a text format: its letters, the first in the low byte.
        TypeWidth = 190, "TYPE_WIDTH";
        /// Elements of `lhs` bytes are stored in the other byte order.
        ByteOrder = 191, "BYTE_ORDER";
        /// The elements are reached by pointers, `lhs` bytes on.
        Indirect = 192, "INDIRECT";
        /// FourCC `lhs` is unknown.
        FourccUnknown = 193, "FOURCC_UNKNOWN";
        /// FourCC `lhs` has samples of `rhs` bits that are not stored in whole bytes.
        FourccPacked = 194, "FOURCC_PACKED";
        /// Planes `lhs` and `rhs` share bytes.
        SharedPlanes = 195, "SHARED_PLANES";
        /// Run (item) that begins at index `lhs` comes back to an index of the destination.
        SharedIndex = 200, "SHARED_INDEX";
        /// A run of the destination is the fill value.
        FillsDestination = 201, "FILLS_DESTINATION";
        /// Runs of `lhs` indices and one of `rhs` more are too many.
        RunsTotal = 202, "RUNS_TOTAL";
        /// A side has `lhs` dimensions with runs, and a range.
        RunsAndRange = 203, "RUNS_AND_RANGE";
        /// A range ends at element `lhs`, but there are `rhs`.
        RangeEnd = 204, "RANGE_END";
        /// A plan needs `lhs` words, and has `rhs`.
        PlanSize = 205, "PLAN_SIZE";
        /// Numbers of dtype `lhs` are not converted to `rhs`.
        NoConversion = 210, "NO_CONVERSION";
        /// The flags `lhs` lack `rhs`, which one of them goes with.
        MissingFlag = 211, "MISSING_FLAG";
        /// A number that joins integers is not one; `lhs`: its integer part.
        NotWhole = 212, "NOT_WHOLE";
        /// The lists have `rhs` entries, but entry `lhs` is needed.
        ValueCount = 213, "VALUE_COUNT";
        /// The plan takes no such list of values.
        NoList = 214, "NO_LIST";
        /// The plan needs lists of values.
        NeedsLists = 215, "NEEDS_LISTS";
    }
}
