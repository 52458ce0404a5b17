//! The numbers of the headers are literals, so that headers can be made from these files; the core has its own. Here
//! the compiler checks that they are equal.

use super::{
    copy::*, dtype::*, layout::*, plan_facts::*, query::*, regions::*, requirements::*, sides::*, xla::*, xla_pair::*,
};
use crate::copy::options;
use crate::copy::relayout::MAX_ALONG;
use crate::machine::Level;
use crate::model::{Dtype, MAX_RANK, formats};
use crate::regions::{Kind, rules};
use crate::vocabulary::requirements;
use crate::vocabulary::xla::equal::Ignore;
use crate::vocabulary::xla::padding::PaddingKind;
use crate::vocabulary::xla::tiles::MAX_TILES;

/// `HEADER = ROOM` for each.
macro_rules! same {
    ($($header:path = $room:expr;)*) => { $(const _: () = assert!($header as i128 == $room as i128);)* };
}

same! {
    STRIDE_COPY_ASSUME_DISTINCT = options::ASSUME_DISTINCT;
    STRIDE_COPY_FILL_BUFFER = options::FILL_BUFFER;
    STRIDE_COPY_OVERLAP = options::OVERLAP;
    STRIDE_COPY_KEEP_CACHED = options::KEEP_CACHED;
    STRIDE_COPY_SMALL_STACK = options::SMALL_STACK;
    STRIDE_CPU_LEVEL_SCALAR = Level::Scalar;
    STRIDE_CPU_LEVEL_SSSE3 = Level::Ssse3;
    STRIDE_CPU_LEVEL_AVX2 = Level::Avx2;
    STRIDE_CPU_LEVEL_AVX512 = Level::Avx512;
    STRIDE_CPU_LEVEL_NEON = Level::Neon;
    STRIDE_CPU_LEVEL_SIMD128 = Level::Simd128;
    STRIDE_COPY_KIND_NOTHING = Kind::Nothing;
    STRIDE_COPY_KIND_CONTIGUOUS = Kind::Contiguous;
    STRIDE_COPY_KIND_ROWS = Kind::Rows;
    STRIDE_COPY_KIND_FILL = Kind::Fill;
    STRIDE_COPY_KIND_TRANSPOSE = Kind::Transpose;
    STRIDE_COPY_KIND_OTHER = Kind::Other;
    STRIDE_COPY_KIND_TILED = Kind::Tiled;
    STRIDE_COPY_KIND_BITS = Kind::Bits;
    STRIDE_REGION_NO_NEGATIVE = rules::NO_NEGATIVE;
    STRIDE_REGION_NO_REPEATS = rules::NO_REPEATS;
    STRIDE_REGION_NESTED = rules::NESTED;
    STRIDE_REGION_SLICE_MULTIPLE = rules::SLICE_MULTIPLE;
    STRIDE_REGION_API_ANY = rules::ANY;
    STRIDE_REGION_API_CUDA_2D = rules::CUDA_2D;
    STRIDE_REGION_API_CUDA_3D = rules::CUDA_3D;
    STRIDE_REGION_API_OPENCL_RECT = rules::OPENCL_RECT;
    STRIDE_REGION_API_VULKAN_BUFFER = rules::VULKAN_BUFFER;
    STRIDE_REGION_API_VULKAN_UPLOAD = rules::VULKAN_UPLOAD;
    STRIDE_REGION_API_VULKAN_READBACK = rules::VULKAN_READBACK;
    STRIDE_REGION_API_D3D12_UPLOAD = rules::D3D12_UPLOAD;
    STRIDE_REGION_API_D3D12_READBACK = rules::D3D12_READBACK;

    STRIDE_MAX_RANK = MAX_RANK;
    STRIDE_DTYPE_HIGH_FIRST = Dtype::HIGH_FIRST;
    STRIDE_DTYPE_SWAPPED = Dtype::SWAPPED;
    STRIDE_DTYPE_BYTES = Dtype::BYTES;
    STRIDE_FORMAT_PACKED = formats::PACKED;
    STRIDE_FORMAT_COLUMN_MAJOR = formats::COLUMN_MAJOR;
    STRIDE_FORMAT_DENSE = formats::DENSE;
    STRIDE_FORMAT_CHANNELS_LAST = formats::CHANNELS_LAST;
    STRIDE_REQUIRE_LAST_INNERMOST = requirements::LAST_INNERMOST;
    STRIDE_REQUIRE_UNIT_STRIDE = requirements::UNIT_STRIDE;
    STRIDE_REQUIRE_NESTED = requirements::NESTED;
    STRIDE_REQUIRE_MULTIPLES = requirements::MULTIPLES;
    STRIDE_REQUIRE_NO_REPEATS = requirements::NO_REPEATS;
    STRIDE_REQUIRE_NO_NEGATIVE = requirements::NO_NEGATIVE;
    STRIDE_REQUIRE_ELEMENT_ALIGNED = requirements::ELEMENT_ALIGNED;
    STRIDE_REQUIRE_LAST_ROW_PADDED = requirements::LAST_ROW_PADDED;
    STRIDE_REQUIRE_PITCH_IN_TEXELS = requirements::PITCH_IN_TEXELS;

    STRIDE_MAX_ALONG = MAX_ALONG;
    STRIDE_XLA_MAX_TILES = MAX_TILES;
    STRIDE_XLA_PADDING_NONE = PaddingKind::None;
    STRIDE_XLA_PADDING_ZERO = PaddingKind::Zero;
    STRIDE_XLA_PADDING_ONE = PaddingKind::One;
    STRIDE_XLA_PADDING_LOWEST = PaddingKind::Lowest;
    STRIDE_XLA_PADDING_HIGHEST = PaddingKind::Highest;
    STRIDE_XLA_PADDING_UNKNOWN = PaddingKind::Unknown;
    STRIDE_XLA_IGNORE_LAYOUT = Ignore::LAYOUT;
    STRIDE_XLA_IGNORE_TILES = Ignore::TILES;
    STRIDE_XLA_IGNORE_ELEMENT_BITS = Ignore::ELEMENT_BITS;
    STRIDE_XLA_IGNORE_TAIL_ALIGNMENT = Ignore::TAIL_ALIGNMENT;
    STRIDE_XLA_IGNORE_MEMORY_SPACE = Ignore::MEMORY_SPACE;
    STRIDE_XLA_IGNORE_DYNAMIC = Ignore::DYNAMIC;
    STRIDE_XLA_IGNORE_ELEMENT_TYPE = Ignore::ELEMENT_TYPE;
    STRIDE_XLA_IGNORE_FLOAT_PRECISION = Ignore::FLOAT_PRECISION;
    STRIDE_XLA_IGNORE_SIZES = Ignore::SIZES;
    STRIDE_XLA_IGNORE_PADDING = Ignore::PADDING;
    STRIDE_XLA_MINOR_TO_MAJOR_ONLY = Ignore::ALL_BUT_ORDER;
}
