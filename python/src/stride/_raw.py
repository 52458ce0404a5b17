"""The C interface of libstride for ctypes. Generated from include/stride.json by python/generate.py."""

from __future__ import annotations

import ctypes
from typing import Any

VERSION_TEXT = "0.1.0"
VERSION = 100
ABI_VERSION = 0

MAX_RANK = 64
CONVERT_AFFINE = 1
CONVERT_DIVIDE = 2
CONVERT_NEAREST = 4
CONVERT_SATURATE = 8
CONVERT_FINITE = 16
CONVERT_ADD_LAST = 32
COPY_ASSUME_DISTINCT = 1
COPY_FILL_BUFFER = 2
COPY_OVERLAP = 4
COPY_KEEP_CACHED = 8
COPY_SMALL_STACK = 16
CPU_LEVEL_BEST = 0
CPU_LEVEL_SCALAR = 1
CPU_LEVEL_SSSE3 = 2
CPU_LEVEL_AVX2 = 3
CPU_LEVEL_AVX512 = 4
CPU_LEVEL_NEON = 5
CPU_LEVEL_SIMD128 = 6
SIDE_LAYOUT = 1
SIDE_SHAPE = 2
SIDE_BLOCKED = 3
MAX_ALONG = 8
COPY_KIND_NOTHING = 0
COPY_KIND_CONTIGUOUS = 1
COPY_KIND_ROWS = 2
COPY_KIND_FILL = 3
COPY_KIND_TRANSPOSE = 4
COPY_KIND_OTHER = 5
COPY_KIND_TILED = 6
COPY_KIND_BITS = 7
FORMAT_PACKED = 1
FORMAT_COLUMN_MAJOR = 2
FORMAT_DENSE = 4
FORMAT_CHANNELS_LAST = 8
DML_TENSOR_DATA_TYPE_UNKNOWN = 0
DML_TENSOR_DATA_TYPE_FLOAT32 = 1
DML_TENSOR_DATA_TYPE_FLOAT16 = 2
DML_TENSOR_DATA_TYPE_UINT32 = 3
DML_TENSOR_DATA_TYPE_UINT16 = 4
DML_TENSOR_DATA_TYPE_UINT8 = 5
DML_TENSOR_DATA_TYPE_INT32 = 6
DML_TENSOR_DATA_TYPE_INT16 = 7
DML_TENSOR_DATA_TYPE_INT8 = 8
DML_TENSOR_DATA_TYPE_FLOAT64 = 9
DML_TENSOR_DATA_TYPE_UINT64 = 10
DML_TENSOR_DATA_TYPE_INT64 = 11
DML_TENSOR_DATA_TYPE_UINT4 = 12
DML_TENSOR_DATA_TYPE_INT4 = 13
DML_TENSOR_FLAG_NONE = 0
DML_TENSOR_FLAG_OWNED_BY_DML = 1
DML_TENSOR_DIMENSION_COUNT_MAX = 8
DML_MINIMUM_BUFFER_TENSOR_ALIGNMENT = 16
STATUS_OK = 0
STATUS_NULL_POINTER = 1
STATUS_INVALID_ARGUMENT = 2
STATUS_INVALID_DTYPE = 3
STATUS_INVALID_RANK = 4
STATUS_INVALID_SIZE = 5
STATUS_INVALID_STRIDE = 6
STATUS_INVALID_AXES = 7
STATUS_INVALID_TILE = 8
STATUS_INDEX_OUT_OF_RANGE = 9
STATUS_OVERFLOW = 10
STATUS_SHAPE_MISMATCH = 20
STATUS_BROADCAST_MISMATCH = 21
STATUS_DTYPE_MISMATCH = 22
STATUS_OUT_OF_BOUNDS = 30
STATUS_OVERLAP = 31
STATUS_SCRATCH_NEEDED = 32
STATUS_PARSE = 40
STATUS_UNSUPPORTED = 50
STATUS_NOT_REPRESENTABLE = 100
STATUS_UNDECIDED = 101
DTYPE_PRED = 1
DTYPE_S1 = 30
DTYPE_S2 = 26
DTYPE_S4 = 21
DTYPE_S8 = 2
DTYPE_S16 = 3
DTYPE_S32 = 4
DTYPE_S64 = 5
DTYPE_U1 = 31
DTYPE_U2 = 27
DTYPE_U4 = 22
DTYPE_U8 = 6
DTYPE_U16 = 7
DTYPE_U32 = 8
DTYPE_U64 = 9
DTYPE_F4E2M1FN = 32
DTYPE_F8E3M4 = 29
DTYPE_F8E4M3 = 28
DTYPE_F8E4M3FN = 20
DTYPE_F8E4M3B11FNUZ = 23
DTYPE_F8E4M3FNUZ = 25
DTYPE_F8E5M2 = 19
DTYPE_F8E5M2FNUZ = 24
DTYPE_F8E8M0FNU = 33
DTYPE_F16 = 10
DTYPE_BF16 = 16
DTYPE_F32 = 11
DTYPE_F64 = 12
DTYPE_C64 = 15
DTYPE_C128 = 18
DTYPE_HIGH_FIRST = 1073741824
DTYPE_SWAPPED = 536870912
DTYPE_BYTES = 2147483648
RUNS_MAX_OPERANDS = 8
SIZE_ONE_KEEP = 0
SIZE_ONE_NATURAL = 1
SIZE_ONE_ONE = 2
SIZE_ONE_ZERO = 3
CONSUMER_ANY = 0
CONSUMER_DIRECTML = 1
CONSUMER_D3D12 = 2
CONSUMER_WEBGPU = 3
CONSUMER_TMA = 4
CONSUMER_CUTENSOR = 5
CONSUMER_METAL = 6
CONSUMER_VULKAN = 7
CONSUMER_MDSPAN = 8
CONSUMER_ARROW = 9
CONSUMER_VULKAN_IMAGE = 10
CONSUMER_OPENGL = 11
REQUIRE_LAST_INNERMOST = 1
REQUIRE_UNIT_STRIDE = 2
REQUIRE_NESTED = 4
REQUIRE_MULTIPLES = 8
REQUIRE_NO_REPEATS = 16
REQUIRE_NO_NEGATIVE = 32
REQUIRE_ELEMENT_ALIGNED = 64
REQUIRE_LAST_ROW_PADDED = 128
REQUIRE_PITCH_IN_TEXELS = 256
REGION_API_ANY = 0
REGION_API_CUDA_2D = 1
REGION_API_CUDA_3D = 2
REGION_API_OPENCL_RECT = 3
REGION_API_VULKAN_BUFFER = 4
REGION_API_VULKAN_UPLOAD = 5
REGION_API_VULKAN_READBACK = 6
REGION_API_D3D12_UPLOAD = 7
REGION_API_D3D12_READBACK = 8
REGION_NO_NEGATIVE = 1
REGION_NO_REPEATS = 2
REGION_NESTED = 4
REGION_SLICE_MULTIPLE = 8
REGION_IMAGE = 16
ARGUMENT_NONE = 0
ARGUMENT_LAYOUT = 1
ARGUMENT_DST_LAYOUT = 2
ARGUMENT_SRC_LAYOUT = 3
ARGUMENT_DST = 4
ARGUMENT_SRC = 5
ARGUMENT_DST_BYTES = 6
ARGUMENT_SRC_BYTES = 7
ARGUMENT_OUT = 8
ARGUMENT_DTYPE = 9
ARGUMENT_RANK = 10
ARGUMENT_SIZES = 11
ARGUMENT_STRIDES = 12
ARGUMENT_MINOR_TO_MAJOR = 13
ARGUMENT_AXES = 14
ARGUMENT_INDEX = 15
ARGUMENT_STARTS = 16
ARGUMENT_STOPS = 17
ARGUMENT_STEPS = 18
ARGUMENT_BROADCAST_DIMENSIONS = 19
ARGUMENT_LHS = 20
ARGUMENT_RHS = 21
ARGUMENT_COUNT = 22
ARGUMENT_RANKS = 23
ARGUMENT_OPTIONS = 24
ARGUMENT_PLAN = 25
ARGUMENT_PART = 26
ARGUMENT_PARTS = 27
ARGUMENT_BUFFER = 28
ARGUMENT_LENGTH = 29
ARGUMENT_TEXT = 30
ARGUMENT_SHAPE = 31
ARGUMENT_DESC = 32
ARGUMENT_VALUE = 33
ARGUMENT_PADDED_SIZES = 34
ARGUMENT_KIND = 35
ARGUMENT_PITCH_BYTES = 36
ARGUMENT_LINEAR = 37
ARGUMENT_DATA_TYPE = 38
ARGUMENT_DIMENSION_COUNT = 39
ARGUMENT_TOTAL_TENSOR_SIZE_IN_BYTES = 40
ARGUMENT_GUARANTEED_BASE_OFFSET_ALIGNMENT = 41
ARGUMENT_FLAGS = 42
ARGUMENT_ELEMENT_BITS = 43
ARGUMENT_SCRATCH = 44
ARGUMENT_TILE = 45
ARGUMENT_AXIS = 46
ARGUMENT_AXIS1 = 47
ARGUMENT_AXIS2 = 48
ARGUMENT_IN = 49
ARGUMENT_IN_SHAPE = 50
ARGUMENT_OUT_SHAPE = 51
ARGUMENT_LHS_OUT = 52
ARGUMENT_RHS_OUT = 53
ARGUMENT_LHS_LAYOUT = 54
ARGUMENT_RHS_LAYOUT = 55
ARGUMENT_LHS_BYTES = 56
ARGUMENT_RHS_BYTES = 57
ARGUMENT_LHS_ADDRESS = 58
ARGUMENT_RHS_ADDRESS = 59
ARGUMENT_DST_ADDRESS = 60
ARGUMENT_SRC_ADDRESS = 61
ARGUMENT_FIRST_DIFFERENCE = 62
ARGUMENT_ANSWER = 63
ARGUMENT_LOWEST = 64
ARGUMENT_HIGHEST = 65
ARGUMENT_OFFSET_BYTES = 66
ARGUMENT_BIT = 67
ARGUMENT_BYTE_STRIDES = 68
ARGUMENT_SHIFT_BYTES = 69
ARGUMENT_RULE = 70
ARGUMENT_BASE_OFFSET_BYTES = 71
ARGUMENT_LEAST_RANK = 72
ARGUMENT_OUT_RANK = 73
ARGUMENT_OUT_SIZES = 74
ARGUMENT_POSITION = 75
ARGUMENT_SIZE = 76
ARGUMENT_DIMENSION = 77
ARGUMENT_DIMENSIONS = 78
ARGUMENT_TRANSPOSED = 79
ARGUMENT_RESHAPED = 80
ARGUMENT_OUT_AXES = 81
ARGUMENT_TILE_DIMS = 82
ARGUMENT_TILE_DIMS_CAPACITY = 83
ARGUMENT_TILE_DIM_SIZES = 84
ARGUMENT_TILE_DIM_SIZES_CAPACITY = 85
ARGUMENT_NUM_TILES = 86
ARGUMENT_RECORD = 87
ARGUMENT_BYTES = 88
ARGUMENT_SCRATCH_BYTES = 89
ARGUMENT_FILL = 90
ARGUMENT_CAPACITY = 93
ARGUMENT_BUDGET = 94
ARGUMENT_DIAGONAL = 95
ARGUMENT_TAIL_ALIGNMENT = 96
ARGUMENT_ELEMENTS = 97
ARGUMENT_BUFFER_BYTES = 98
ARGUMENT_BASE_ALIGNMENT = 99
ARGUMENT_ELEMENT = 100
ARGUMENT_ROW = 101
ARGUMENT_PREFERRED = 102
ARGUMENT_ORDER = 103
ARGUMENT_UNIQUE = 104
ARGUMENT_ALIGNMENT_BYTES = 105
ARGUMENT_DILATIONS = 106
ARGUMENT_OFFSET = 107
ARGUMENT_FRONT = 108
ARGUMENT_BACK = 109
ARGUMENT_OUTER = 110
ARGUMENT_INNER = 111
ARGUMENT_GROUP_RANKS = 112
ARGUMENT_TILE_SIZES = 113
ARGUMENT_REQUIREMENTS = 114
ARGUMENT_CONSUMER = 115
ARGUMENT_ADDRESS = 116
ARGUMENT_RUNS = 117
ARGUMENT_BYTE_OFFSETS = 118
ARGUMENT_MOST = 119
ARGUMENT_FOUND = 120
ARGUMENT_RUN_BYTES = 121
ARGUMENT_DST_OFFSETS = 122
ARGUMENT_SRC_OFFSETS = 123
ARGUMENT_TAG = 124
ARGUMENT_OUTER_ORDER = 125
ARGUMENT_BLOCK_DIMS = 126
ARGUMENT_BLOCK_SIZES = 127
ARGUMENT_TENSOR = 128
ARGUMENT_NDIM = 129
ARGUMENT_DTYPE_CODE = 130
ARGUMENT_DTYPE_BITS = 131
ARGUMENT_DTYPE_LANES = 132
ARGUMENT_BYTE_OFFSET = 133
ARGUMENT_MANAGED = 134
ARGUMENT_MAJOR = 135
ARGUMENT_VIEW = 136
ARGUMENT_LEN = 137
ARGUMENT_ITEMSIZE = 138
ARGUMENT_FORMAT = 139
ARGUMENT_SUBOFFSETS = 140
ARGUMENT_TYPE = 141
ARGUMENT_NE = 142
ARGUMENT_NB = 143
ARGUMENT_BLOCK = 144
ARGUMENT_FOURCC = 145
ARGUMENT_WIDTH = 146
ARGUMENT_HEIGHT = 147
ARGUMENT_PITCHES = 148
ARGUMENT_PITCH_ALIGNMENT = 149
ARGUMENT_PLANES = 150
ARGUMENT_COMPONENTS = 151
ARGUMENT_PLANE_COUNT = 152
ARGUMENT_COMPONENT_COUNT = 153
ARGUMENT_MACHINE = 154
ARGUMENT_BLOCKED = 155
ARGUMENT_BLOCK_STEPS = 158
ARGUMENT_IMAGE = 160
ARGUMENT_OFFSETS = 161
ARGUMENT_PITCH_COUNT = 162
ARGUMENT_OFFSET_COUNT = 163
ARGUMENT_RULES = 164
ARGUMENT_API = 165
ARGUMENT_DST_SIDE = 168
ARGUMENT_SRC_SIDE = 169
ARGUMENT_SIDE = 170
ARGUMENT_OF = 171
ARGUMENT_FIRST = 172
ARGUMENT_SHARING = 173
ARGUMENT_CONVERSION = 174
ARGUMENT_VALUES = 175
ARGUMENT_SUBTRACTS = 176
ARGUMENT_SCALES = 177
ARGUMENT_ADDS = 178
ARGUMENT_VALUE_COUNT = 179
ARGUMENT_ADD = 180
DETAIL_NONE = 0
DETAIL_BELOW = 1
DETAIL_ABOVE = 2
DETAIL_OUT_OF_RANGE = 3
DETAIL_OUT_OF_SIGNED_RANGE = 4
DETAIL_ZERO = 5
DETAIL_NOT_ZERO = 6
DETAIL_NOT_EQUAL = 7
DETAIL_NOT_A_MULTIPLE = 8
DETAIL_NOT_A_POWER_OF_TWO = 9
DETAIL_UNKNOWN_VALUE = 10
DETAIL_UNKNOWN_FLAG = 11
DETAIL_CONFLICTING_FLAGS = 12
DETAIL_UNSUPPORTED_FLAG = 13
DETAIL_STRUCT_SIZE = 14
DETAIL_STRUCT_TAIL = 15
DETAIL_NEITHER_GIVEN = 17
DETAIL_COUNT = 20
DETAIL_REPEATED = 21
DETAIL_OUT_OF_ORDER = 22
DETAIL_NOT_IDENTITY = 23
DETAIL_RANKS = 24
DETAIL_ELEMENTS = 25
DETAIL_STRETCH = 26
DETAIL_DYNAMIC = 27
DETAIL_PRODUCT = 30
DETAIL_DIFFERENCE = 31
DETAIL_REACH = 32
DETAIL_BITS = 33
DETAIL_NEW_STRIDE = 34
DETAIL_DTYPE_UNKNOWN = 40
DETAIL_DTYPE_FOREIGN = 41
DETAIL_DTYPE_WIDTH = 42
DETAIL_DTYPES = 43
DETAIL_PAST_END = 50
DETAIL_BEFORE_START = 51
DETAIL_ADDRESS_SPACE = 52
DETAIL_UNKNOWN_LENGTH = 53
DETAIL_STRIDE_ZERO = 60
DETAIL_SELF_OVERLAP = 61
DETAIL_SHARED_BYTES = 62
DETAIL_SHARED_SCRATCH = 63
DETAIL_SCRATCH_BYTES = 64
DETAIL_SHARED_LIST = 65
DETAIL_STRIDE = 70
DETAIL_OFFSET = 71
DETAIL_WHOLE_BYTES = 72
DETAIL_PADDING = 73
DETAIL_FIELD = 74
DETAIL_NOT_ONE_RUN = 75
DETAIL_EMPTY_TILE = 80
DETAIL_MERGE_LAST = 81
DETAIL_TOO_MANY_TILES = 82
DETAIL_TOO_MANY_TILE_SIZES = 83
DETAIL_CUT_BY_TILES = 84
DETAIL_TILES_MOVE = 86
DETAIL_ELEMENTS_MOVE = 87
DETAIL_PADDING_POSITION = 88
DETAIL_TAIL_POSITION = 89
DETAIL_NO_SUCH_VALUE = 90
DETAIL_UNBOUNDED = 91
DETAIL_NO_INDEX = 92
DETAIL_BUDGET = 100
DETAIL_TOO_MANY_ELEMENTS = 101
DETAIL_BIT_ORDERS = 102
DETAIL_SYNTAX = 110
DETAIL_NAME = 111
DETAIL_CONSTRUCT = 112
DETAIL_TEXT_OF_TILES = 113
DETAIL_TEXT_OF_TAG = 114
DETAIL_TEXT_OF_BLOCKS = 115
DETAIL_NOT_A_PLAN = 120
DETAIL_PLAN_WORDS = 121
DETAIL_WHOLE_ELEMENTS = 130
DETAIL_SPLIT = 135
DETAIL_CARRY = 136
DETAIL_NEGATIVE_STRIDE = 140
DETAIL_NESTED = 141
DETAIL_STRIDE_MULTIPLE = 142
DETAIL_STRIDE_BYTES = 143
DETAIL_ELEMENTS_MAX = 144
DETAIL_REACH_MAX = 145
DETAIL_BYTES_MAX = 146
DETAIL_ELEMENT_BITS = 147
DETAIL_NOT_RUNS = 165
DETAIL_TOO_MANY_LOOPS = 166
DETAIL_TOO_MANY_PIECES = 170
DETAIL_REGION_DST_OFFSET = 171
DETAIL_REGION_SRC_OFFSET = 172
DETAIL_REGION_ROW = 173
DETAIL_REGION_CUT = 174
DETAIL_REGION_IMAGE = 175
DETAIL_NOT_A_BLOCK = 180
DETAIL_MERGES = 181
DETAIL_BLOCK_ORDER = 182
DETAIL_BLOCK_LETTER = 183
DETAIL_BLOCK_STEP = 184
DETAIL_BLOCK_OPEN = 185
DETAIL_BLOCK_COVER = 186
DETAIL_BLOCK_REVERSED = 187
DETAIL_TYPE_WIDTH = 190
DETAIL_BYTE_ORDER = 191
DETAIL_INDIRECT = 192
DETAIL_FOURCC_UNKNOWN = 193
DETAIL_FOURCC_PACKED = 194
DETAIL_SHARED_PLANES = 195
DETAIL_SHARED_INDEX = 200
DETAIL_FILLS_DESTINATION = 201
DETAIL_RUNS_TOTAL = 202
DETAIL_RUNS_AND_RANGE = 203
DETAIL_RANGE_END = 204
DETAIL_PLAN_SIZE = 205
DETAIL_NO_CONVERSION = 210
DETAIL_MISSING_FLAG = 211
DETAIL_NOT_WHOLE = 212
DETAIL_VALUE_COUNT = 213
DETAIL_NO_LIST = 214
DETAIL_NEEDS_LISTS = 215
XLA_SHAPE_HIGH_FIRST = 1
XLA_PADDING_NONE = 0
XLA_PADDING_ZERO = 1
XLA_PADDING_ONE = 2
XLA_PADDING_LOWEST = 3
XLA_PADDING_HIGHEST = 4
XLA_PADDING_UNKNOWN = 5
XLA_MAX_TILES = 8
XLA_TILE_MERGE = -9223372036854775808
XLA_UNBOUNDED = -9223372036854775808
XLA_IGNORE_LAYOUT = 1
XLA_IGNORE_TILES = 2
XLA_IGNORE_ELEMENT_BITS = 4
XLA_IGNORE_TAIL_ALIGNMENT = 8
XLA_IGNORE_MEMORY_SPACE = 16
XLA_IGNORE_DYNAMIC = 32
XLA_IGNORE_ELEMENT_TYPE = 64
XLA_IGNORE_FLOAT_PRECISION = 128
XLA_IGNORE_SIZES = 256
XLA_IGNORE_PADDING = 512
XLA_MINOR_TO_MAJOR_ONLY = 542
XLA_BITCAST_RESHAPE = 1
XLA_BITCAST_TRANSPOSE = 2
XLA_BITCAST_TRANSPOSE_RESHAPE_TRANSPOSE = 3
DL_FLAG_READ_ONLY = 1
DL_FLAG_IS_COPIED = 2
DL_FLAG_IS_SUBBYTE_TYPE_PADDED = 4
GGML_MAX_DIMS = 4
FOURCC_NV12 = 842094158
FOURCC_NV21 = 825382478
FOURCC_NV16 = 909203022
FOURCC_NV61 = 825644622
FOURCC_NV24 = 875714126
FOURCC_NV42 = 842290766
FOURCC_P010 = 808530000
FOURCC_P012 = 842084432
FOURCC_P016 = 909193296
FOURCC_P210 = 808530512
FOURCC_P212 = 842084944
FOURCC_P216 = 909193808
FOURCC_P410 = 808531024
FOURCC_P412 = 842085456
FOURCC_P416 = 909194320
FOURCC_I420 = 808596553
FOURCC_YV12 = 842094169
FOURCC_I422 = 842150985
FOURCC_YV16 = 909203033
FOURCC_I444 = 875836489
FOURCC_YV24 = 875714137
FOURCC_I010 = 808529993
FOURCC_I210 = 808530505
FOURCC_S410 = 808531027
FOURCC_S012 = 842084435
FOURCC_S212 = 842084947
FOURCC_S412 = 842085459
FOURCC_S016 = 909193299
FOURCC_S216 = 909193811
FOURCC_S416 = 909194323
FOURCC_Q410 = 808531025
FOURCC_Q401 = 825242705
FOURCC_YUY2 = 844715353
FOURCC_YVYU = 1431918169
FOURCC_UYVY = 1498831189
FOURCC_VYUY = 1498765654
FOURCC_Y210 = 808530521
FOURCC_Y212 = 842084953
FOURCC_Y216 = 909193817
FOURCC_AYUV = 1448433985
FOURCC_XYUV = 1448434008
FOURCC_AVUY = 1498764865
FOURCC_XVUY = 1498764888
FOURCC_Y408 = 942683257
FOURCC_V408 = 942683254
FOURCC_VU24 = 875713878
FOURCC_V308 = 942682998
FOURCC_Y412 = 842085465
FOURCC_Y416 = 909194329
FOURCC_XV36 = 909334104
FOURCC_XV48 = 942954072
FOURCC_Y410 = 808531033
FOURCC_XV30 = 808670808
FOURCC_V410 = 808531062
FOURCC_GREY = 1497715271
FOURCC_Y10 = 540029273
FOURCC_Y12 = 540160345
FOURCC_Y14 = 540291417
FOURCC_Y16 = 540422489
FOURCC_R16F = 1210064978
FOURCC_R32F = 1176510546
FOURCC_GR88 = 943215175
FOURCC_RG88 = 943212370
FOURCC_GR32 = 842224199
FOURCC_RG32 = 842221394
FOURCC_GR1616F = 1210077767
FOURCC_GR3232F = 1176523335
FOURCC_RGB24 = 859981650
FOURCC_BGR24 = 861030210
FOURCC_BGRA = 875713089
FOURCC_XR24 = 875713112
FOURCC_AB24 = 875708993
FOURCC_XB24 = 875709016
FOURCC_RA24 = 875708754
FOURCC_RX24 = 875714642
FOURCC_BA24 = 875708738
FOURCC_BX24 = 875714626
FOURCC_RGB6 = 910313298
FOURCC_BGR6 = 911361858
FOURCC_AR48 = 942953025
FOURCC_XR48 = 942953048
FOURCC_AB48 = 942948929
FOURCC_XB48 = 942948952
FOURCC_AB10 = 808534593
FOURCC_BGRH = 1213351746
FOURCC_AR4H = 1211388481
FOURCC_XR4H = 1211388504
FOURCC_RGBA64F = 1211384385
FOURCC_XB4H = 1211384408
FOURCC_BGRF = 1179797314
FOURCC_AB8F = 1178092097
FOURCC_RG16 = 909199186
FOURCC_BG16 = 909199170
FOURCC_AR30 = 808669761
FOURCC_XR30 = 808669784
FOURCC_AB30 = 808665665
FOURCC_XB30 = 808665688
FOURCC_RA30 = 808665426
FOURCC_RX30 = 808671314
FOURCC_BA30 = 808665410
FOURCC_BX30 = 808671298
FOURCC_SBGGR8 = 825770306
FOURCC_SBGGR16 = 844257602


class Error(ctypes.Structure):
    """stride_error."""

    _fields_ = [
        ("status", ctypes.c_int32), ("argument", ctypes.c_uint32), ("dimension", ctypes.c_int32),
        ("item", ctypes.c_int32), ("position", ctypes.c_uint64), ("lhs", ctypes.c_int64), ("rhs", ctypes.c_int64),
        ("detail", ctypes.c_uint64), ("reserved", ctypes.c_uint64 * 2),
    ]


class Machine(ctypes.Structure):
    """stride_machine."""

    _fields_ = [
        ("struct_size", ctypes.c_uint32), ("cpu_level", ctypes.c_uint32), ("first_cache_bytes", ctypes.c_uint64),
        ("second_cache_bytes", ctypes.c_uint64), ("last_cache_bytes", ctypes.c_uint64),
        ("measured", ctypes.c_uint64 * 10),
    ]


class Layout(ctypes.Structure):
    """stride_layout."""

    _fields_ = [
        ("dtype", ctypes.c_uint32), ("rank", ctypes.c_uint32), ("offset", ctypes.c_int64),
        ("sizes", ctypes.c_int64 * 64), ("strides", ctypes.c_int64 * 64),
    ]


class Conversion(ctypes.Structure):
    """stride_conversion."""

    _fields_ = [
        ("struct_size", ctypes.c_uint32), ("flags", ctypes.c_uint32), ("subtract", ctypes.c_double),
        ("scale", ctypes.c_double), ("add", ctypes.c_double), ("values", ctypes.POINTER(Layout)),
        ("subtracts", ctypes.POINTER(ctypes.c_float)), ("scales", ctypes.POINTER(ctypes.c_float)),
        ("adds", ctypes.POINTER(ctypes.c_float)), ("value_count", ctypes.c_uint64),
    ]


class CopyOptions(ctypes.Structure):
    """stride_copy_options."""

    _fields_ = [
        ("struct_size", ctypes.c_uint32), ("flags", ctypes.c_uint32), ("cpu_level", ctypes.c_uint32),
        ("reserved", ctypes.c_uint32), ("overlap_budget", ctypes.c_uint64), ("fill", ctypes.c_uint8 * 16),
        ("machine", ctypes.POINTER(Machine)), ("scratch", ctypes.c_void_p), ("scratch_bytes", ctypes.c_uint64),
        ("conversion", ctypes.POINTER(Conversion)),
    ]


class Plan(ctypes.Structure):
    """stride_plan."""

    _fields_ = [("words", ctypes.c_uint64 * 512)]


class IndexRun(ctypes.Structure):
    """stride_index_run."""

    _fields_ = [("first", ctypes.c_int64), ("step", ctypes.c_int64), ("count", ctypes.c_int64)]


class SideRuns(ctypes.Structure):
    """stride_side_runs."""

    _fields_ = [("runs", ctypes.POINTER(IndexRun)), ("dimension", ctypes.c_uint32), ("count", ctypes.c_uint32)]


class Side(ctypes.Structure):
    """stride_side."""

    _fields_ = [
        ("struct_size", ctypes.c_uint32), ("kind", ctypes.c_uint32), ("range_first", ctypes.c_int64),
        ("range_count", ctypes.c_int64), ("along_count", ctypes.c_uint32), ("reserved", ctypes.c_uint32),
        ("of", ctypes.c_void_p), ("reserved_pointer", ctypes.c_void_p), ("along", SideRuns * 8),
    ]


class PlanFacts(ctypes.Structure):
    """stride_plan_facts."""

    _fields_ = [
        ("struct_size", ctypes.c_uint32), ("kind", ctypes.c_uint32), ("bytes", ctypes.c_uint64),
        ("runs", ctypes.c_uint64), ("run_bytes", ctypes.c_uint64), ("dst_lowest", ctypes.c_int64),
        ("dst_end", ctypes.c_int64), ("src_lowest", ctypes.c_int64), ("src_end", ctypes.c_int64),
        ("scratch_bytes", ctypes.c_uint64), ("useful_parts", ctypes.c_uint32), ("flags", ctypes.c_uint32),
    ]


class LayoutFacts(ctypes.Structure):
    """stride_layout_facts."""

    _fields_ = [
        ("struct_size", ctypes.c_uint32), ("formats", ctypes.c_uint32), ("element_count", ctypes.c_int64),
        ("lowest", ctypes.c_int64), ("highest", ctypes.c_int64), ("min_bytes", ctypes.c_uint64),
        ("packed_bytes", ctypes.c_uint64), ("element_bits", ctypes.c_uint32), ("run_dimensions", ctypes.c_uint32),
        ("run_elements", ctypes.c_int64), ("element_alignment", ctypes.c_uint64), ("row_alignment", ctypes.c_uint64),
    ]


class DmlBufferTensorDesc(ctypes.Structure):
    """stride_dml_buffer_tensor_desc."""

    _fields_ = [
        ("data_type", ctypes.c_uint32), ("flags", ctypes.c_uint32), ("dimension_count", ctypes.c_uint32),
        ("sizes", ctypes.POINTER(ctypes.c_uint32)), ("strides", ctypes.POINTER(ctypes.c_uint32)),
        ("total_tensor_size_in_bytes", ctypes.c_uint64), ("guaranteed_base_offset_alignment", ctypes.c_uint32),
    ]


class Runs(ctypes.Structure):
    """stride_runs."""

    _fields_ = [("words", ctypes.c_uint64 * 512)]


class Requirements(ctypes.Structure):
    """stride_requirements."""

    _fields_ = [
        ("struct_size", ctypes.c_uint32), ("flags", ctypes.c_uint32), ("rank_min", ctypes.c_uint32),
        ("rank_max", ctypes.c_uint32), ("size_min", ctypes.c_uint64), ("size_max", ctypes.c_uint64),
        ("dtypes", ctypes.c_uint64), ("element_bits", ctypes.c_uint32), ("base_alignment", ctypes.c_uint32),
        ("row_alignment", ctypes.c_uint32), ("outer_alignment", ctypes.c_uint32), ("exact_from", ctypes.c_uint32),
        ("total_alignment", ctypes.c_uint32), ("stride_bytes_max", ctypes.c_uint64), ("bytes_max", ctypes.c_uint64),
        ("elements_max", ctypes.c_uint64), ("reach_max", ctypes.c_uint64), ("texel_dimensions", ctypes.c_uint32),
        ("element_bits_by_three", ctypes.c_uint32),
    ]


class Region(ctypes.Structure):
    """stride_region."""

    _fields_ = [
        ("dst_offset", ctypes.c_int64), ("src_offset", ctypes.c_int64), ("row_bytes", ctypes.c_uint64),
        ("counts", ctypes.c_uint64 * 2), ("dst_pitches", ctypes.c_int64 * 2), ("src_pitches", ctypes.c_int64 * 2),
    ]


class RegionRules(ctypes.Structure):
    """stride_region_rules."""

    _fields_ = [
        ("struct_size", ctypes.c_uint32), ("rank_max", ctypes.c_uint32), ("flags", ctypes.c_uint32 * 2),
        ("offset_alignment", ctypes.c_uint32 * 2), ("pitch_alignment", ctypes.c_uint32 * 2),
        ("pitch_max", ctypes.c_uint64 * 2), ("row_bytes_max", ctypes.c_uint64), ("rows_max", ctypes.c_uint64),
        ("slices_max", ctypes.c_uint64), ("row_bytes_alignment", ctypes.c_uint32), ("reserved", ctypes.c_uint32),
    ]


class XlaShape(ctypes.Structure):
    """stride_xla_shape."""

    _fields_ = [
        ("dtype", ctypes.c_uint32), ("rank", ctypes.c_uint32), ("element_bits", ctypes.c_uint32),
        ("padding_kind", ctypes.c_uint32), ("tile_count", ctypes.c_uint32), ("flags", ctypes.c_uint32),
        ("tail_alignment", ctypes.c_int64), ("memory_space", ctypes.c_int64), ("dynamic_dimensions", ctypes.c_uint64),
        ("sizes", ctypes.c_int64 * 64), ("minor_to_major", ctypes.c_int64 * 64),
        ("padded_sizes", ctypes.c_int64 * 64), ("tile_sizes", ctypes.c_int64 * 64),
        ("tile_ranks", ctypes.c_uint32 * 8),
    ]


class DlTensor(ctypes.Structure):
    """stride_dl_tensor."""

    _fields_ = [
        ("data", ctypes.c_void_p), ("device_type", ctypes.c_int32), ("device_id", ctypes.c_int32),
        ("ndim", ctypes.c_int32), ("dtype_code", ctypes.c_uint8), ("dtype_bits", ctypes.c_uint8),
        ("dtype_lanes", ctypes.c_uint16), ("shape", ctypes.POINTER(ctypes.c_int64)),
        ("strides", ctypes.POINTER(ctypes.c_int64)), ("byte_offset", ctypes.c_uint64),
    ]


class DlManagedTensorVersioned(ctypes.Structure):
    """stride_dl_managed_tensor_versioned."""

    _fields_ = [
        ("major", ctypes.c_uint32), ("minor", ctypes.c_uint32), ("manager_ctx", ctypes.c_void_p),
        ("deleter", ctypes.c_void_p), ("flags", ctypes.c_uint64), ("data", ctypes.c_void_p),
        ("device_type", ctypes.c_int32), ("device_id", ctypes.c_int32), ("ndim", ctypes.c_int32),
        ("dtype_code", ctypes.c_uint8), ("dtype_bits", ctypes.c_uint8), ("dtype_lanes", ctypes.c_uint16),
        ("shape", ctypes.POINTER(ctypes.c_int64)), ("strides", ctypes.POINTER(ctypes.c_int64)),
        ("byte_offset", ctypes.c_uint64),
    ]


class PyBuffer(ctypes.Structure):
    """stride_py_buffer."""

    _fields_ = [
        ("buf", ctypes.c_void_p), ("obj", ctypes.c_void_p), ("len", ctypes.c_ssize_t), ("itemsize", ctypes.c_ssize_t),
        ("readonly", ctypes.c_int32), ("ndim", ctypes.c_int32), ("format", ctypes.c_void_p),
        ("shape", ctypes.POINTER(ctypes.c_ssize_t)), ("strides", ctypes.POINTER(ctypes.c_ssize_t)),
        ("suboffsets", ctypes.POINTER(ctypes.c_ssize_t)), ("internal", ctypes.c_void_p),
    ]


class Image(ctypes.Structure):
    """stride_image."""

    _fields_ = [
        ("struct_size", ctypes.c_uint32), ("fourcc", ctypes.c_uint32), ("width", ctypes.c_int64),
        ("height", ctypes.c_int64), ("pitch_alignment", ctypes.c_uint64), ("height_alignment", ctypes.c_uint64),
        ("pitch_count", ctypes.c_uint32), ("offset_count", ctypes.c_uint32), ("pitches", ctypes.c_int64 * 4),
        ("offsets", ctypes.c_int64 * 4),
    ]


class Blocked(ctypes.Structure):
    """stride_blocked."""

    _fields_ = [
        ("dtype", ctypes.c_uint32), ("rank", ctypes.c_uint32), ("block_count", ctypes.c_uint32),
        ("flags", ctypes.c_uint32), ("sizes", ctypes.c_int64 * 64), ("block_dims", ctypes.c_int64 * 64),
        ("block_steps", ctypes.c_int64 * 64), ("block_sizes", ctypes.c_int64 * 64),
    ]


#: Bytes of every struct on 64-bit and on 32-bit machines, and the offset of every field.
LAYOUTS: dict[str, tuple[Any, dict[str, int], dict[str, dict[str, int]]]] = {
    "stride_error": (Error, {"64": 64, "32": 64, "i386": 64}, {
        "status": {"64": 0, "32": 0, "i386": 0},
        "argument": {"64": 4, "32": 4, "i386": 4},
        "dimension": {"64": 8, "32": 8, "i386": 8},
        "item": {"64": 12, "32": 12, "i386": 12},
        "position": {"64": 16, "32": 16, "i386": 16},
        "lhs": {"64": 24, "32": 24, "i386": 24},
        "rhs": {"64": 32, "32": 32, "i386": 32},
        "detail": {"64": 40, "32": 40, "i386": 40},
        "reserved": {"64": 48, "32": 48, "i386": 48},
    }),
    "stride_machine": (Machine, {"64": 112, "32": 112, "i386": 112}, {
        "struct_size": {"64": 0, "32": 0, "i386": 0},
        "cpu_level": {"64": 4, "32": 4, "i386": 4},
        "first_cache_bytes": {"64": 8, "32": 8, "i386": 8},
        "second_cache_bytes": {"64": 16, "32": 16, "i386": 16},
        "last_cache_bytes": {"64": 24, "32": 24, "i386": 24},
        "measured": {"64": 32, "32": 32, "i386": 32},
    }),
    "stride_layout": (Layout, {"64": 1040, "32": 1040, "i386": 1040}, {
        "dtype": {"64": 0, "32": 0, "i386": 0},
        "rank": {"64": 4, "32": 4, "i386": 4},
        "offset": {"64": 8, "32": 8, "i386": 8},
        "sizes": {"64": 16, "32": 16, "i386": 16},
        "strides": {"64": 528, "32": 528, "i386": 528},
    }),
    "stride_conversion": (Conversion, {"64": 72, "32": 56, "i386": 56}, {
        "struct_size": {"64": 0, "32": 0, "i386": 0},
        "flags": {"64": 4, "32": 4, "i386": 4},
        "subtract": {"64": 8, "32": 8, "i386": 8},
        "scale": {"64": 16, "32": 16, "i386": 16},
        "add": {"64": 24, "32": 24, "i386": 24},
        "values": {"64": 32, "32": 32, "i386": 32},
        "subtracts": {"64": 40, "32": 36, "i386": 36},
        "scales": {"64": 48, "32": 40, "i386": 40},
        "adds": {"64": 56, "32": 44, "i386": 44},
        "value_count": {"64": 64, "32": 48, "i386": 48},
    }),
    "stride_copy_options": (CopyOptions, {"64": 72, "32": 64, "i386": 60}, {
        "struct_size": {"64": 0, "32": 0, "i386": 0},
        "flags": {"64": 4, "32": 4, "i386": 4},
        "cpu_level": {"64": 8, "32": 8, "i386": 8},
        "reserved": {"64": 12, "32": 12, "i386": 12},
        "overlap_budget": {"64": 16, "32": 16, "i386": 16},
        "fill": {"64": 24, "32": 24, "i386": 24},
        "machine": {"64": 40, "32": 40, "i386": 40},
        "scratch": {"64": 48, "32": 44, "i386": 44},
        "scratch_bytes": {"64": 56, "32": 48, "i386": 48},
        "conversion": {"64": 64, "32": 56, "i386": 56},
    }),
    "stride_plan": (Plan, {"64": 4096, "32": 4096, "i386": 4096}, {
        "words": {"64": 0, "32": 0, "i386": 0},
    }),
    "stride_index_run": (IndexRun, {"64": 24, "32": 24, "i386": 24}, {
        "first": {"64": 0, "32": 0, "i386": 0},
        "step": {"64": 8, "32": 8, "i386": 8},
        "count": {"64": 16, "32": 16, "i386": 16},
    }),
    "stride_side_runs": (SideRuns, {"64": 16, "32": 12, "i386": 12}, {
        "runs": {"64": 0, "32": 0, "i386": 0},
        "dimension": {"64": 8, "32": 4, "i386": 4},
        "count": {"64": 12, "32": 8, "i386": 8},
    }),
    "stride_side": (Side, {"64": 176, "32": 136, "i386": 136}, {
        "struct_size": {"64": 0, "32": 0, "i386": 0},
        "kind": {"64": 4, "32": 4, "i386": 4},
        "range_first": {"64": 8, "32": 8, "i386": 8},
        "range_count": {"64": 16, "32": 16, "i386": 16},
        "along_count": {"64": 24, "32": 24, "i386": 24},
        "reserved": {"64": 28, "32": 28, "i386": 28},
        "of": {"64": 32, "32": 32, "i386": 32},
        "reserved_pointer": {"64": 40, "32": 36, "i386": 36},
        "along": {"64": 48, "32": 40, "i386": 40},
    }),
    "stride_plan_facts": (PlanFacts, {"64": 80, "32": 80, "i386": 80}, {
        "struct_size": {"64": 0, "32": 0, "i386": 0},
        "kind": {"64": 4, "32": 4, "i386": 4},
        "bytes": {"64": 8, "32": 8, "i386": 8},
        "runs": {"64": 16, "32": 16, "i386": 16},
        "run_bytes": {"64": 24, "32": 24, "i386": 24},
        "dst_lowest": {"64": 32, "32": 32, "i386": 32},
        "dst_end": {"64": 40, "32": 40, "i386": 40},
        "src_lowest": {"64": 48, "32": 48, "i386": 48},
        "src_end": {"64": 56, "32": 56, "i386": 56},
        "scratch_bytes": {"64": 64, "32": 64, "i386": 64},
        "useful_parts": {"64": 72, "32": 72, "i386": 72},
        "flags": {"64": 76, "32": 76, "i386": 76},
    }),
    "stride_layout_facts": (LayoutFacts, {"64": 80, "32": 80, "i386": 80}, {
        "struct_size": {"64": 0, "32": 0, "i386": 0},
        "formats": {"64": 4, "32": 4, "i386": 4},
        "element_count": {"64": 8, "32": 8, "i386": 8},
        "lowest": {"64": 16, "32": 16, "i386": 16},
        "highest": {"64": 24, "32": 24, "i386": 24},
        "min_bytes": {"64": 32, "32": 32, "i386": 32},
        "packed_bytes": {"64": 40, "32": 40, "i386": 40},
        "element_bits": {"64": 48, "32": 48, "i386": 48},
        "run_dimensions": {"64": 52, "32": 52, "i386": 52},
        "run_elements": {"64": 56, "32": 56, "i386": 56},
        "element_alignment": {"64": 64, "32": 64, "i386": 64},
        "row_alignment": {"64": 72, "32": 72, "i386": 72},
    }),
    "stride_dml_buffer_tensor_desc": (DmlBufferTensorDesc, {"64": 48, "32": 40, "i386": 32}, {
        "data_type": {"64": 0, "32": 0, "i386": 0},
        "flags": {"64": 4, "32": 4, "i386": 4},
        "dimension_count": {"64": 8, "32": 8, "i386": 8},
        "sizes": {"64": 16, "32": 12, "i386": 12},
        "strides": {"64": 24, "32": 16, "i386": 16},
        "total_tensor_size_in_bytes": {"64": 32, "32": 24, "i386": 20},
        "guaranteed_base_offset_alignment": {"64": 40, "32": 32, "i386": 28},
    }),
    "stride_runs": (Runs, {"64": 4096, "32": 4096, "i386": 4096}, {
        "words": {"64": 0, "32": 0, "i386": 0},
    }),
    "stride_requirements": (Requirements, {"64": 104, "32": 104, "i386": 104}, {
        "struct_size": {"64": 0, "32": 0, "i386": 0},
        "flags": {"64": 4, "32": 4, "i386": 4},
        "rank_min": {"64": 8, "32": 8, "i386": 8},
        "rank_max": {"64": 12, "32": 12, "i386": 12},
        "size_min": {"64": 16, "32": 16, "i386": 16},
        "size_max": {"64": 24, "32": 24, "i386": 24},
        "dtypes": {"64": 32, "32": 32, "i386": 32},
        "element_bits": {"64": 40, "32": 40, "i386": 40},
        "base_alignment": {"64": 44, "32": 44, "i386": 44},
        "row_alignment": {"64": 48, "32": 48, "i386": 48},
        "outer_alignment": {"64": 52, "32": 52, "i386": 52},
        "exact_from": {"64": 56, "32": 56, "i386": 56},
        "total_alignment": {"64": 60, "32": 60, "i386": 60},
        "stride_bytes_max": {"64": 64, "32": 64, "i386": 64},
        "bytes_max": {"64": 72, "32": 72, "i386": 72},
        "elements_max": {"64": 80, "32": 80, "i386": 80},
        "reach_max": {"64": 88, "32": 88, "i386": 88},
        "texel_dimensions": {"64": 96, "32": 96, "i386": 96},
        "element_bits_by_three": {"64": 100, "32": 100, "i386": 100},
    }),
    "stride_region": (Region, {"64": 72, "32": 72, "i386": 72}, {
        "dst_offset": {"64": 0, "32": 0, "i386": 0},
        "src_offset": {"64": 8, "32": 8, "i386": 8},
        "row_bytes": {"64": 16, "32": 16, "i386": 16},
        "counts": {"64": 24, "32": 24, "i386": 24},
        "dst_pitches": {"64": 40, "32": 40, "i386": 40},
        "src_pitches": {"64": 56, "32": 56, "i386": 56},
    }),
    "stride_region_rules": (RegionRules, {"64": 80, "32": 80, "i386": 80}, {
        "struct_size": {"64": 0, "32": 0, "i386": 0},
        "rank_max": {"64": 4, "32": 4, "i386": 4},
        "flags": {"64": 8, "32": 8, "i386": 8},
        "offset_alignment": {"64": 16, "32": 16, "i386": 16},
        "pitch_alignment": {"64": 24, "32": 24, "i386": 24},
        "pitch_max": {"64": 32, "32": 32, "i386": 32},
        "row_bytes_max": {"64": 48, "32": 48, "i386": 48},
        "rows_max": {"64": 56, "32": 56, "i386": 56},
        "slices_max": {"64": 64, "32": 64, "i386": 64},
        "row_bytes_alignment": {"64": 72, "32": 72, "i386": 72},
        "reserved": {"64": 76, "32": 76, "i386": 76},
    }),
    "stride_xla_shape": (XlaShape, {"64": 2128, "32": 2128, "i386": 2128}, {
        "dtype": {"64": 0, "32": 0, "i386": 0},
        "rank": {"64": 4, "32": 4, "i386": 4},
        "element_bits": {"64": 8, "32": 8, "i386": 8},
        "padding_kind": {"64": 12, "32": 12, "i386": 12},
        "tile_count": {"64": 16, "32": 16, "i386": 16},
        "flags": {"64": 20, "32": 20, "i386": 20},
        "tail_alignment": {"64": 24, "32": 24, "i386": 24},
        "memory_space": {"64": 32, "32": 32, "i386": 32},
        "dynamic_dimensions": {"64": 40, "32": 40, "i386": 40},
        "sizes": {"64": 48, "32": 48, "i386": 48},
        "minor_to_major": {"64": 560, "32": 560, "i386": 560},
        "padded_sizes": {"64": 1072, "32": 1072, "i386": 1072},
        "tile_sizes": {"64": 1584, "32": 1584, "i386": 1584},
        "tile_ranks": {"64": 2096, "32": 2096, "i386": 2096},
    }),
    "stride_dl_tensor": (DlTensor, {"64": 48, "32": 40, "i386": 36}, {
        "data": {"64": 0, "32": 0, "i386": 0},
        "device_type": {"64": 8, "32": 4, "i386": 4},
        "device_id": {"64": 12, "32": 8, "i386": 8},
        "ndim": {"64": 16, "32": 12, "i386": 12},
        "dtype_code": {"64": 20, "32": 16, "i386": 16},
        "dtype_bits": {"64": 21, "32": 17, "i386": 17},
        "dtype_lanes": {"64": 22, "32": 18, "i386": 18},
        "shape": {"64": 24, "32": 20, "i386": 20},
        "strides": {"64": 32, "32": 24, "i386": 24},
        "byte_offset": {"64": 40, "32": 32, "i386": 28},
    }),
    "stride_dl_managed_tensor_versioned": (DlManagedTensorVersioned, {"64": 80, "32": 64, "i386": 60}, {
        "major": {"64": 0, "32": 0, "i386": 0},
        "minor": {"64": 4, "32": 4, "i386": 4},
        "manager_ctx": {"64": 8, "32": 8, "i386": 8},
        "deleter": {"64": 16, "32": 12, "i386": 12},
        "flags": {"64": 24, "32": 16, "i386": 16},
        "data": {"64": 32, "32": 24, "i386": 24},
        "device_type": {"64": 40, "32": 28, "i386": 28},
        "device_id": {"64": 44, "32": 32, "i386": 32},
        "ndim": {"64": 48, "32": 36, "i386": 36},
        "dtype_code": {"64": 52, "32": 40, "i386": 40},
        "dtype_bits": {"64": 53, "32": 41, "i386": 41},
        "dtype_lanes": {"64": 54, "32": 42, "i386": 42},
        "shape": {"64": 56, "32": 44, "i386": 44},
        "strides": {"64": 64, "32": 48, "i386": 48},
        "byte_offset": {"64": 72, "32": 56, "i386": 52},
    }),
    "stride_py_buffer": (PyBuffer, {"64": 80, "32": 44, "i386": 44}, {
        "buf": {"64": 0, "32": 0, "i386": 0},
        "obj": {"64": 8, "32": 4, "i386": 4},
        "len": {"64": 16, "32": 8, "i386": 8},
        "itemsize": {"64": 24, "32": 12, "i386": 12},
        "readonly": {"64": 32, "32": 16, "i386": 16},
        "ndim": {"64": 36, "32": 20, "i386": 20},
        "format": {"64": 40, "32": 24, "i386": 24},
        "shape": {"64": 48, "32": 28, "i386": 28},
        "strides": {"64": 56, "32": 32, "i386": 32},
        "suboffsets": {"64": 64, "32": 36, "i386": 36},
        "internal": {"64": 72, "32": 40, "i386": 40},
    }),
    "stride_image": (Image, {"64": 112, "32": 112, "i386": 112}, {
        "struct_size": {"64": 0, "32": 0, "i386": 0},
        "fourcc": {"64": 4, "32": 4, "i386": 4},
        "width": {"64": 8, "32": 8, "i386": 8},
        "height": {"64": 16, "32": 16, "i386": 16},
        "pitch_alignment": {"64": 24, "32": 24, "i386": 24},
        "height_alignment": {"64": 32, "32": 32, "i386": 32},
        "pitch_count": {"64": 40, "32": 40, "i386": 40},
        "offset_count": {"64": 44, "32": 44, "i386": 44},
        "pitches": {"64": 48, "32": 48, "i386": 48},
        "offsets": {"64": 80, "32": 80, "i386": 80},
    }),
    "stride_blocked": (Blocked, {"64": 2064, "32": 2064, "i386": 2064}, {
        "dtype": {"64": 0, "32": 0, "i386": 0},
        "rank": {"64": 4, "32": 4, "i386": 4},
        "block_count": {"64": 8, "32": 8, "i386": 8},
        "flags": {"64": 12, "32": 12, "i386": 12},
        "sizes": {"64": 16, "32": 16, "i386": 16},
        "block_dims": {"64": 528, "32": 528, "i386": 528},
        "block_steps": {"64": 1040, "32": 1040, "i386": 1040},
        "block_sizes": {"64": 1552, "32": 1552, "i386": 1552},
    }),
}

#: Result and parameters of every function.
FUNCTIONS: dict[str, tuple[Any, list[Any]]] = {
    "stride_layout_init": (ctypes.c_int32, [
        ctypes.POINTER(Layout), ctypes.c_uint32, ctypes.c_uint32, ctypes.POINTER(ctypes.c_int64),
        ctypes.POINTER(ctypes.c_int64), ctypes.POINTER(Error),
    ]),
    "stride_layout_init_ordered": (ctypes.c_int32, [
        ctypes.POINTER(Layout), ctypes.c_uint32, ctypes.c_uint32, ctypes.POINTER(ctypes.c_int64),
        ctypes.POINTER(ctypes.c_int64), ctypes.POINTER(Error),
    ]),
    "stride_layout_init_channels_last": (ctypes.c_int32, [
        ctypes.POINTER(Layout), ctypes.c_uint32, ctypes.c_uint32, ctypes.POINTER(ctypes.c_int64),
        ctypes.POINTER(Error),
    ]),
    "stride_layout_init_pitched": (ctypes.c_int32, [
        ctypes.POINTER(Layout), ctypes.c_uint32, ctypes.c_uint32, ctypes.POINTER(ctypes.c_int64), ctypes.c_int64,
        ctypes.c_uint64, ctypes.POINTER(Error),
    ]),
    "stride_layout_init_padded": (ctypes.c_int32, [
        ctypes.POINTER(Layout), ctypes.c_uint32, ctypes.c_uint32, ctypes.POINTER(ctypes.c_int64),
        ctypes.POINTER(ctypes.c_int64), ctypes.POINTER(Error),
    ]),
    "stride_layout_init_aligned": (ctypes.c_int32, [
        ctypes.POINTER(Layout), ctypes.c_uint32, ctypes.c_uint32, ctypes.POINTER(ctypes.c_int64), ctypes.c_int64,
        ctypes.c_uint64, ctypes.POINTER(Error),
    ]),
    "stride_layout_init_byte_strides": (ctypes.c_int32, [
        ctypes.POINTER(Layout), ctypes.c_uint32, ctypes.c_uint32, ctypes.POINTER(ctypes.c_int64),
        ctypes.POINTER(ctypes.c_int64), ctypes.POINTER(Error),
    ]),
    "stride_layout_init_bytes": (ctypes.c_int32, [
        ctypes.POINTER(Layout), ctypes.c_uint32, ctypes.c_uint32, ctypes.POINTER(ctypes.c_int64),
        ctypes.POINTER(ctypes.c_int64), ctypes.POINTER(Error),
    ]),
    "stride_layout_as_bytes": (ctypes.c_int32, [
        ctypes.POINTER(Layout), ctypes.POINTER(Layout), ctypes.POINTER(Error),
    ]),
    "stride_layout_packed_like": (ctypes.c_int32, [
        ctypes.POINTER(Layout), ctypes.POINTER(Layout), ctypes.POINTER(Error),
    ]),
    "stride_layout_rebase": (ctypes.c_int32, [
        ctypes.POINTER(Layout), ctypes.POINTER(Layout), ctypes.POINTER(ctypes.c_int64), ctypes.POINTER(Error),
    ]),
    "stride_layout_parse": (ctypes.c_int32, [
        ctypes.c_char_p, ctypes.c_uint64, ctypes.POINTER(Layout), ctypes.POINTER(Error),
    ]),
    "stride_layout_permute": (ctypes.c_int32, [
        ctypes.POINTER(Layout), ctypes.c_uint32, ctypes.POINTER(ctypes.c_int64), ctypes.POINTER(Layout),
        ctypes.POINTER(Error),
    ]),
    "stride_layout_slice": (ctypes.c_int32, [
        ctypes.POINTER(Layout), ctypes.c_uint32, ctypes.POINTER(ctypes.c_int64), ctypes.POINTER(ctypes.c_int64),
        ctypes.POINTER(ctypes.c_int64), ctypes.POINTER(Layout), ctypes.POINTER(Error),
    ]),
    "stride_layout_crop": (ctypes.c_int32, [
        ctypes.POINTER(Layout), ctypes.c_uint32, ctypes.POINTER(ctypes.c_int64), ctypes.POINTER(ctypes.c_int64),
        ctypes.POINTER(Layout), ctypes.POINTER(Error),
    ]),
    "stride_layout_flip": (ctypes.c_int32, [
        ctypes.POINTER(Layout), ctypes.c_uint32, ctypes.POINTER(ctypes.c_int64), ctypes.POINTER(Layout),
        ctypes.POINTER(Error),
    ]),
    "stride_layout_squeeze": (ctypes.c_int32, [
        ctypes.POINTER(Layout), ctypes.c_uint32, ctypes.POINTER(ctypes.c_int64), ctypes.POINTER(Layout),
        ctypes.POINTER(Error),
    ]),
    "stride_layout_squeeze_all": (ctypes.c_int32, [
        ctypes.POINTER(Layout), ctypes.POINTER(Layout), ctypes.POINTER(Error),
    ]),
    "stride_layout_expand_dims": (ctypes.c_int32, [
        ctypes.POINTER(Layout), ctypes.c_uint32, ctypes.POINTER(ctypes.c_int64), ctypes.POINTER(Layout),
        ctypes.POINTER(Error),
    ]),
    "stride_layout_pad_rank": (ctypes.c_int32, [
        ctypes.POINTER(Layout), ctypes.c_uint32, ctypes.c_uint32, ctypes.POINTER(Layout), ctypes.POINTER(Error),
    ]),
    "stride_layout_reshape": (ctypes.c_int32, [
        ctypes.POINTER(Layout), ctypes.c_uint32, ctypes.POINTER(ctypes.c_int64), ctypes.POINTER(Layout),
        ctypes.POINTER(Error),
    ]),
    "stride_layout_split": (ctypes.c_int32, [
        ctypes.POINTER(Layout), ctypes.c_int64, ctypes.c_uint32, ctypes.POINTER(ctypes.c_int64),
        ctypes.POINTER(Layout), ctypes.POINTER(Error),
    ]),
    "stride_layout_merge": (ctypes.c_int32, [
        ctypes.POINTER(Layout), ctypes.c_int64, ctypes.c_uint32, ctypes.POINTER(Layout), ctypes.POINTER(Error),
    ]),
    "stride_layout_select": (ctypes.c_int32, [
        ctypes.POINTER(Layout), ctypes.c_int64, ctypes.c_int64, ctypes.POINTER(Layout), ctypes.POINTER(Error),
    ]),
    "stride_layout_reinterpret": (ctypes.c_int32, [
        ctypes.POINTER(Layout), ctypes.c_uint32, ctypes.POINTER(Layout), ctypes.POINTER(Error),
    ]),
    "stride_layout_as_strided": (ctypes.c_int32, [
        ctypes.POINTER(Layout), ctypes.c_uint32, ctypes.POINTER(ctypes.c_int64), ctypes.POINTER(ctypes.c_int64),
        ctypes.c_int64, ctypes.POINTER(Layout), ctypes.POINTER(Error),
    ]),
    "stride_broadcast_sizes": (ctypes.c_int32, [
        ctypes.c_uint32, ctypes.POINTER(ctypes.c_uint32), ctypes.POINTER(ctypes.c_int64),
        ctypes.POINTER(ctypes.c_uint32), ctypes.POINTER(ctypes.c_int64), ctypes.POINTER(Error),
    ]),
    "stride_broadcast_layouts": (ctypes.c_int32, [
        ctypes.c_uint32, ctypes.POINTER(Layout), ctypes.POINTER(Layout), ctypes.POINTER(Error),
    ]),
    "stride_elementwise_layout": (ctypes.c_int32, [
        ctypes.c_uint32, ctypes.POINTER(Layout), ctypes.c_uint32, ctypes.POINTER(Layout), ctypes.POINTER(Error),
    ]),
    "stride_layout_broadcast_to": (ctypes.c_int32, [
        ctypes.POINTER(Layout), ctypes.c_uint32, ctypes.POINTER(ctypes.c_int64), ctypes.POINTER(Layout),
        ctypes.POINTER(Error),
    ]),
    "stride_conversion_init": (ctypes.c_int32, [ctypes.POINTER(Conversion)]),
    "stride_copy_options_init": (ctypes.c_int32, [ctypes.POINTER(CopyOptions)]),
    "stride_copy": (ctypes.c_int32, [
        ctypes.POINTER(Layout), ctypes.c_void_p, ctypes.c_uint64, ctypes.POINTER(Layout), ctypes.c_void_p,
        ctypes.c_uint64, ctypes.POINTER(CopyOptions), ctypes.POINTER(Error),
    ]),
    "stride_fill": (ctypes.c_int32, [
        ctypes.POINTER(Layout), ctypes.c_void_p, ctypes.c_uint64, ctypes.c_void_p, ctypes.POINTER(Error),
    ]),
    "stride_compare": (ctypes.c_int32, [
        ctypes.POINTER(Layout), ctypes.c_void_p, ctypes.c_uint64, ctypes.POINTER(Layout), ctypes.c_void_p,
        ctypes.c_uint64, ctypes.POINTER(ctypes.c_int64), ctypes.POINTER(Error),
    ]),
    "stride_plan_init": (ctypes.c_int32, [
        ctypes.POINTER(Plan), ctypes.POINTER(Layout), ctypes.POINTER(Layout), ctypes.POINTER(CopyOptions),
        ctypes.POINTER(Error),
    ]),
    "stride_plan_execute": (ctypes.c_int32, [
        ctypes.POINTER(Plan), ctypes.c_void_p, ctypes.c_uint64, ctypes.c_void_p, ctypes.c_uint64,
        ctypes.POINTER(Error),
    ]),
    "stride_plan_execute_part": (ctypes.c_int32, [
        ctypes.POINTER(Plan), ctypes.c_void_p, ctypes.c_uint64, ctypes.c_void_p, ctypes.c_uint64, ctypes.c_uint32,
        ctypes.c_uint32, ctypes.POINTER(Error),
    ]),
    "stride_plan_execute_values": (ctypes.c_int32, [
        ctypes.POINTER(Plan), ctypes.c_void_p, ctypes.c_uint64, ctypes.c_void_p, ctypes.c_uint64,
        ctypes.POINTER(ctypes.c_float), ctypes.POINTER(ctypes.c_float), ctypes.POINTER(ctypes.c_float),
        ctypes.c_uint64, ctypes.c_uint32, ctypes.c_uint32, ctypes.POINTER(Error),
    ]),
    "stride_plan_execute_batch": (ctypes.c_int32, [
        ctypes.POINTER(Plan), ctypes.c_void_p, ctypes.c_uint64, ctypes.POINTER(ctypes.c_int64), ctypes.c_void_p,
        ctypes.c_uint64, ctypes.POINTER(ctypes.c_int64), ctypes.c_uint64, ctypes.c_uint32, ctypes.c_uint32,
        ctypes.POINTER(Error),
    ]),
    "stride_plan_scratch_bytes": (ctypes.c_int32, [
        ctypes.POINTER(Plan), ctypes.c_uint64, ctypes.c_uint64, ctypes.POINTER(ctypes.c_uint64),
        ctypes.POINTER(Error),
    ]),
    "stride_plan_execute_scratch": (ctypes.c_int32, [
        ctypes.POINTER(Plan), ctypes.c_void_p, ctypes.c_uint64, ctypes.c_void_p, ctypes.c_uint64, ctypes.c_void_p,
        ctypes.c_uint64, ctypes.POINTER(Error),
    ]),
    "stride_plan_describe": (ctypes.c_int32, [
        ctypes.POINTER(Plan), ctypes.c_char_p, ctypes.c_uint64, ctypes.POINTER(ctypes.c_uint64),
        ctypes.POINTER(Error),
    ]),
    "stride_side_init": (ctypes.c_int32, [
        ctypes.POINTER(Side), ctypes.c_uint32, ctypes.c_void_p, ctypes.POINTER(Error),
    ]),
    "stride_side_set_runs": (ctypes.c_int32, [
        ctypes.POINTER(Side), ctypes.c_uint32, ctypes.c_uint32, ctypes.POINTER(IndexRun), ctypes.POINTER(Error),
    ]),
    "stride_side_set_range": (ctypes.c_int32, [
        ctypes.POINTER(Side), ctypes.c_int64, ctypes.c_int64, ctypes.POINTER(Error),
    ]),
    "stride_copy_sides": (ctypes.c_int32, [
        ctypes.POINTER(Side), ctypes.c_void_p, ctypes.c_uint64, ctypes.POINTER(Side), ctypes.c_void_p,
        ctypes.c_uint64, ctypes.POINTER(CopyOptions), ctypes.POINTER(Error),
    ]),
    "stride_plan_init_sides": (ctypes.c_int32, [
        ctypes.POINTER(Plan), ctypes.POINTER(Side), ctypes.POINTER(Side), ctypes.POINTER(CopyOptions),
        ctypes.POINTER(Error),
    ]),
    "stride_plan_facts_init": (ctypes.c_int32, [ctypes.POINTER(PlanFacts)]),
    "stride_plan_query": (ctypes.c_int32, [ctypes.POINTER(Plan), ctypes.POINTER(PlanFacts), ctypes.POINTER(Error)]),
    "stride_layout_validate": (ctypes.c_int32, [ctypes.POINTER(Layout), ctypes.POINTER(Error)]),
    "stride_layout_element_count": (ctypes.c_int32, [
        ctypes.POINTER(Layout), ctypes.POINTER(ctypes.c_int64), ctypes.POINTER(Error),
    ]),
    "stride_layout_span": (ctypes.c_int32, [
        ctypes.POINTER(Layout), ctypes.POINTER(ctypes.c_int64), ctypes.POINTER(ctypes.c_int64), ctypes.POINTER(Error),
    ]),
    "stride_layout_min_bytes": (ctypes.c_int32, [
        ctypes.POINTER(Layout), ctypes.POINTER(ctypes.c_uint64), ctypes.POINTER(Error),
    ]),
    "stride_layout_offset": (ctypes.c_int32, [
        ctypes.POINTER(Layout), ctypes.c_uint32, ctypes.POINTER(ctypes.c_int64), ctypes.POINTER(ctypes.c_int64),
        ctypes.POINTER(Error),
    ]),
    "stride_layout_byte_offset": (ctypes.c_int32, [
        ctypes.POINTER(Layout), ctypes.c_uint32, ctypes.POINTER(ctypes.c_int64), ctypes.POINTER(ctypes.c_int64),
        ctypes.POINTER(ctypes.c_uint32), ctypes.POINTER(Error),
    ]),
    "stride_layout_multi_index": (ctypes.c_int32, [
        ctypes.POINTER(Layout), ctypes.c_int64, ctypes.c_uint32, ctypes.POINTER(ctypes.c_int64),
        ctypes.POINTER(ctypes.c_uint64), ctypes.POINTER(Error),
    ]),
    "stride_layout_ravel_index": (ctypes.c_int32, [
        ctypes.POINTER(Layout), ctypes.c_uint32, ctypes.POINTER(ctypes.c_int64), ctypes.POINTER(ctypes.c_int64),
        ctypes.POINTER(Error),
    ]),
    "stride_layout_unravel_index": (ctypes.c_int32, [
        ctypes.POINTER(Layout), ctypes.c_int64, ctypes.c_uint32, ctypes.POINTER(ctypes.c_int64),
        ctypes.POINTER(Error),
    ]),
    "stride_layout_classify": (ctypes.c_int32, [
        ctypes.POINTER(Layout), ctypes.POINTER(ctypes.c_uint32), ctypes.POINTER(Error),
    ]),
    "stride_layout_minor_to_major": (ctypes.c_int32, [
        ctypes.POINTER(Layout), ctypes.c_uint32, ctypes.POINTER(ctypes.c_int64), ctypes.POINTER(Error),
    ]),
    "stride_layout_byte_strides": (ctypes.c_int32, [
        ctypes.POINTER(Layout), ctypes.c_uint32, ctypes.POINTER(ctypes.c_int64), ctypes.POINTER(Error),
    ]),
    "stride_layout_equal": (ctypes.c_int32, [
        ctypes.POINTER(Layout), ctypes.POINTER(Layout), ctypes.POINTER(ctypes.c_uint32), ctypes.POINTER(Error),
    ]),
    "stride_layout_same_mapping": (ctypes.c_int32, [
        ctypes.POINTER(Layout), ctypes.POINTER(Layout), ctypes.POINTER(ctypes.c_uint32), ctypes.POINTER(Error),
    ]),
    "stride_layout_format": (ctypes.c_int32, [
        ctypes.POINTER(Layout), ctypes.c_char_p, ctypes.c_uint64, ctypes.POINTER(ctypes.c_uint64),
        ctypes.POINTER(Error),
    ]),
    "stride_layout_facts_init": (ctypes.c_int32, [ctypes.POINTER(LayoutFacts)]),
    "stride_layout_fits": (ctypes.c_int32, [ctypes.POINTER(Layout), ctypes.c_uint64, ctypes.POINTER(Error)]),
    "stride_layout_query": (ctypes.c_int32, [
        ctypes.POINTER(Layout), ctypes.POINTER(LayoutFacts), ctypes.POINTER(Error),
    ]),
    "stride_layout_alignment": (ctypes.c_int32, [
        ctypes.POINTER(Layout), ctypes.c_uint64, ctypes.POINTER(ctypes.c_uint64), ctypes.POINTER(ctypes.c_uint64),
        ctypes.POINTER(Error),
    ]),
    "stride_layout_contiguous_run": (ctypes.c_int32, [
        ctypes.POINTER(Layout), ctypes.POINTER(ctypes.c_uint32), ctypes.POINTER(ctypes.c_int64),
        ctypes.POINTER(Error),
    ]),
    "stride_layout_dim_order": (ctypes.c_int32, [
        ctypes.POINTER(Layout), ctypes.c_uint32, ctypes.POINTER(ctypes.c_int64), ctypes.c_uint32,
        ctypes.POINTER(ctypes.c_int64), ctypes.POINTER(ctypes.c_uint32), ctypes.POINTER(Error),
    ]),
    "stride_layout_self_overlap": (ctypes.c_int32, [
        ctypes.POINTER(Layout), ctypes.c_uint64, ctypes.POINTER(ctypes.c_uint32), ctypes.POINTER(Error),
    ]),
    "stride_layouts_overlap": (ctypes.c_int32, [
        ctypes.POINTER(Layout), ctypes.c_uint64, ctypes.POINTER(Layout), ctypes.c_uint64, ctypes.c_uint64,
        ctypes.POINTER(ctypes.c_uint32), ctypes.POINTER(Error),
    ]),
    "stride_dml_calc_buffer_tensor_size": (ctypes.c_uint64, [
        ctypes.c_uint32, ctypes.c_uint32, ctypes.POINTER(ctypes.c_uint32), ctypes.POINTER(ctypes.c_uint32),
    ]),
    "stride_dml_buffer_tensor_size": (ctypes.c_int32, [
        ctypes.c_uint32, ctypes.c_uint32, ctypes.POINTER(ctypes.c_uint32), ctypes.POINTER(ctypes.c_uint32),
        ctypes.POINTER(ctypes.c_uint64), ctypes.POINTER(Error),
    ]),
    "stride_dml_validate": (ctypes.c_int32, [ctypes.POINTER(DmlBufferTensorDesc), ctypes.POINTER(Error)]),
    "stride_dml_validate_binding": (ctypes.c_int32, [
        ctypes.POINTER(DmlBufferTensorDesc), ctypes.c_uint64, ctypes.c_uint64, ctypes.POINTER(Error),
    ]),
    "stride_layout_from_dml": (ctypes.c_int32, [
        ctypes.POINTER(DmlBufferTensorDesc), ctypes.POINTER(Layout), ctypes.POINTER(Error),
    ]),
    "stride_layout_to_dml": (ctypes.c_int32, [
        ctypes.POINTER(Layout), ctypes.c_uint32, ctypes.POINTER(ctypes.c_uint32), ctypes.POINTER(ctypes.c_uint32),
        ctypes.POINTER(DmlBufferTensorDesc), ctypes.POINTER(ctypes.c_uint64), ctypes.POINTER(Error),
    ]),
    "stride_status_name": (ctypes.c_char_p, [ctypes.c_int32]),
    "stride_error_format": (ctypes.c_int32, [
        ctypes.POINTER(Error), ctypes.c_char_p, ctypes.c_uint64, ctypes.POINTER(ctypes.c_uint64),
        ctypes.POINTER(Error),
    ]),
    "stride_dtype_from_bytes": (ctypes.c_int32, [
        ctypes.c_uint32, ctypes.POINTER(ctypes.c_uint32), ctypes.POINTER(Error),
    ]),
    "stride_dtype_bits": (ctypes.c_int32, [ctypes.c_uint32, ctypes.POINTER(ctypes.c_uint32), ctypes.POINTER(Error)]),
    "stride_dtype_name": (ctypes.c_int32, [
        ctypes.c_uint32, ctypes.c_char_p, ctypes.c_uint64, ctypes.POINTER(ctypes.c_uint64), ctypes.POINTER(Error),
    ]),
    "stride_dtype_parse": (ctypes.c_int32, [
        ctypes.c_char_p, ctypes.c_uint64, ctypes.POINTER(ctypes.c_uint32), ctypes.POINTER(Error),
    ]),
    "stride_version": (ctypes.c_uint32, []),
    "stride_abi_version": (ctypes.c_uint32, []),
    "stride_layout_window": (ctypes.c_int32, [
        ctypes.POINTER(Layout), ctypes.c_uint32, ctypes.POINTER(ctypes.c_int64), ctypes.POINTER(ctypes.c_int64),
        ctypes.POINTER(ctypes.c_int64), ctypes.POINTER(Layout), ctypes.POINTER(Error),
    ]),
    "stride_layout_repeat": (ctypes.c_int32, [
        ctypes.POINTER(Layout), ctypes.c_int64, ctypes.c_int64, ctypes.POINTER(Layout), ctypes.POINTER(Error),
    ]),
    "stride_layout_diagonal": (ctypes.c_int32, [
        ctypes.POINTER(Layout), ctypes.c_int64, ctypes.c_int64, ctypes.c_int64, ctypes.POINTER(Layout),
        ctypes.POINTER(Error),
    ]),
    "stride_layout_cut": (ctypes.c_int32, [
        ctypes.POINTER(Layout), ctypes.c_int64, ctypes.c_int64, ctypes.POINTER(Layout), ctypes.POINTER(Layout),
        ctypes.POINTER(Error),
    ]),
    "stride_layout_compose": (ctypes.c_int32, [
        ctypes.POINTER(Layout), ctypes.POINTER(Layout), ctypes.POINTER(Layout), ctypes.c_uint32,
        ctypes.POINTER(ctypes.c_uint32), ctypes.POINTER(Error),
    ]),
    "stride_layout_inverse": (ctypes.c_int32, [
        ctypes.POINTER(Layout), ctypes.POINTER(Layout), ctypes.POINTER(Error),
    ]),
    "stride_layout_tile": (ctypes.c_int32, [
        ctypes.POINTER(Layout), ctypes.c_uint32, ctypes.POINTER(ctypes.c_int64), ctypes.POINTER(Layout),
        ctypes.POINTER(Error),
    ]),
    "stride_layouts_common_run": (ctypes.c_int32, [
        ctypes.c_uint32, ctypes.POINTER(Layout), ctypes.POINTER(ctypes.c_int64), ctypes.POINTER(Error),
    ]),
    "stride_layout_broadcast_in_dim": (ctypes.c_int32, [
        ctypes.POINTER(Layout), ctypes.c_uint32, ctypes.POINTER(ctypes.c_int64), ctypes.c_uint32,
        ctypes.POINTER(ctypes.c_int64), ctypes.POINTER(Layout), ctypes.POINTER(Error),
    ]),
    "stride_xla_broadcast": (ctypes.c_int32, [
        ctypes.POINTER(Layout), ctypes.POINTER(Layout), ctypes.c_uint32, ctypes.POINTER(ctypes.c_int64),
        ctypes.POINTER(Layout), ctypes.POINTER(Layout), ctypes.POINTER(Error),
    ]),
    "stride_layouts_coalesce": (ctypes.c_int32, [
        ctypes.c_uint32, ctypes.POINTER(Layout), ctypes.POINTER(Layout), ctypes.POINTER(Error),
    ]),
    "stride_runs_init": (ctypes.c_int32, [
        ctypes.POINTER(Runs), ctypes.c_uint32, ctypes.POINTER(Layout), ctypes.POINTER(Error),
    ]),
    "stride_runs_strides": (ctypes.c_int32, [
        ctypes.POINTER(Runs), ctypes.c_uint32, ctypes.POINTER(ctypes.c_int64), ctypes.POINTER(Error),
    ]),
    "stride_runs_next": (ctypes.c_int32, [
        ctypes.POINTER(Runs), ctypes.c_uint32, ctypes.POINTER(ctypes.c_int64), ctypes.POINTER(ctypes.c_uint64),
        ctypes.POINTER(Error),
    ]),
    "stride_runs_next_many": (ctypes.c_int32, [
        ctypes.POINTER(Runs), ctypes.c_uint32, ctypes.c_uint64, ctypes.POINTER(ctypes.c_int64),
        ctypes.POINTER(ctypes.c_uint64), ctypes.POINTER(ctypes.c_uint64), ctypes.POINTER(Error),
    ]),
    "stride_runs_part": (ctypes.c_int32, [
        ctypes.POINTER(Runs), ctypes.c_uint32, ctypes.c_uint32, ctypes.POINTER(Runs), ctypes.POINTER(Error),
    ]),
    "stride_consumer_name": (ctypes.c_char_p, [ctypes.c_uint32]),
    "stride_requirements_init": (ctypes.c_int32, [
        ctypes.POINTER(Requirements), ctypes.c_uint32, ctypes.POINTER(Error),
    ]),
    "stride_layout_meets": (ctypes.c_int32, [
        ctypes.POINTER(Layout), ctypes.c_uint64, ctypes.POINTER(Requirements), ctypes.POINTER(Error),
    ]),
    "stride_layout_adapt": (ctypes.c_int32, [
        ctypes.POINTER(Layout), ctypes.POINTER(Requirements), ctypes.POINTER(Layout), ctypes.POINTER(Error),
    ]),
    "stride_layout_required_bytes": (ctypes.c_int32, [
        ctypes.POINTER(Layout), ctypes.POINTER(Requirements), ctypes.POINTER(ctypes.c_uint64), ctypes.POINTER(Error),
    ]),
    "stride_layout_canonicalize": (ctypes.c_int32, [
        ctypes.POINTER(Layout), ctypes.c_uint32, ctypes.POINTER(Layout), ctypes.POINTER(Error),
    ]),
    "stride_copy_classify": (ctypes.c_int32, [
        ctypes.POINTER(Layout), ctypes.POINTER(Layout), ctypes.POINTER(ctypes.c_uint32),
        ctypes.POINTER(ctypes.c_uint64), ctypes.POINTER(ctypes.c_uint64), ctypes.POINTER(Error),
    ]),
    "stride_plan_regions": (ctypes.c_int32, [
        ctypes.POINTER(Plan), ctypes.c_uint32, ctypes.c_uint64, ctypes.POINTER(Region),
        ctypes.POINTER(ctypes.c_uint64), ctypes.POINTER(Error),
    ]),
    "stride_region_rules_init": (ctypes.c_int32, [
        ctypes.POINTER(RegionRules), ctypes.c_uint32, ctypes.POINTER(Error),
    ]),
    "stride_plan_regions_under": (ctypes.c_int32, [
        ctypes.POINTER(Plan), ctypes.POINTER(RegionRules), ctypes.c_uint64, ctypes.POINTER(Region),
        ctypes.POINTER(ctypes.c_uint64), ctypes.POINTER(Error),
    ]),
    "stride_cpu_level": (ctypes.c_uint32, []),
    "stride_machine_init": (ctypes.c_int32, [ctypes.POINTER(Machine)]),
    "stride_machine_parse": (ctypes.c_int32, [
        ctypes.c_char_p, ctypes.c_uint64, ctypes.POINTER(Machine), ctypes.POINTER(Error),
    ]),
    "stride_machine_format": (ctypes.c_int32, [
        ctypes.POINTER(Machine), ctypes.c_char_p, ctypes.c_uint64, ctypes.POINTER(ctypes.c_uint64),
        ctypes.POINTER(Error),
    ]),
    "stride_xla_shape_init": (ctypes.c_int32, [
        ctypes.POINTER(XlaShape), ctypes.c_uint32, ctypes.c_uint32, ctypes.POINTER(ctypes.c_int64),
        ctypes.POINTER(ctypes.c_int64), ctypes.POINTER(Error),
    ]),
    "stride_xla_shape_set_padding": (ctypes.c_int32, [
        ctypes.POINTER(XlaShape), ctypes.c_uint32, ctypes.POINTER(ctypes.c_int64), ctypes.c_uint32,
        ctypes.POINTER(Error),
    ]),
    "stride_xla_shape_set_element_bits": (ctypes.c_int32, [
        ctypes.POINTER(XlaShape), ctypes.c_uint32, ctypes.POINTER(Error),
    ]),
    "stride_xla_shape_add_tile": (ctypes.c_int32, [
        ctypes.POINTER(XlaShape), ctypes.c_uint32, ctypes.POINTER(ctypes.c_int64), ctypes.POINTER(Error),
    ]),
    "stride_xla_shape_parse": (ctypes.c_int32, [
        ctypes.c_char_p, ctypes.c_uint64, ctypes.POINTER(XlaShape), ctypes.POINTER(Error),
    ]),
    "stride_xla_shape_format": (ctypes.c_int32, [
        ctypes.POINTER(XlaShape), ctypes.c_char_p, ctypes.c_uint64, ctypes.POINTER(ctypes.c_uint64),
        ctypes.POINTER(Error),
    ]),
    "stride_xla_shape_describe": (ctypes.c_int32, [
        ctypes.POINTER(XlaShape), ctypes.c_char_p, ctypes.c_uint64, ctypes.POINTER(ctypes.c_uint64),
        ctypes.POINTER(Error),
    ]),
    "stride_xla_shape_validate": (ctypes.c_int32, [ctypes.POINTER(XlaShape), ctypes.POINTER(Error)]),
    "stride_xla_shape_init_blocked": (ctypes.c_int32, [
        ctypes.POINTER(XlaShape), ctypes.c_uint32, ctypes.c_uint32, ctypes.POINTER(ctypes.c_int64),
        ctypes.POINTER(ctypes.c_int64), ctypes.c_uint32, ctypes.POINTER(ctypes.c_int64),
        ctypes.POINTER(ctypes.c_int64), ctypes.POINTER(Error),
    ]),
    "stride_xla_shape_to_blocked": (ctypes.c_int32, [
        ctypes.POINTER(XlaShape), ctypes.c_uint32, ctypes.POINTER(ctypes.c_int64), ctypes.c_uint32,
        ctypes.POINTER(ctypes.c_int64), ctypes.POINTER(ctypes.c_int64), ctypes.POINTER(ctypes.c_uint32),
        ctypes.POINTER(Error),
    ]),
    "stride_xla_shape_parse_tag": (ctypes.c_int32, [
        ctypes.c_char_p, ctypes.c_uint64, ctypes.c_uint32, ctypes.c_uint32, ctypes.POINTER(ctypes.c_int64),
        ctypes.POINTER(XlaShape), ctypes.POINTER(Error),
    ]),
    "stride_xla_shape_format_tag": (ctypes.c_int32, [
        ctypes.POINTER(XlaShape), ctypes.c_char_p, ctypes.c_uint64, ctypes.POINTER(ctypes.c_uint64),
        ctypes.POINTER(Error),
    ]),
    "stride_xla_shape_byte_size": (ctypes.c_int32, [
        ctypes.POINTER(XlaShape), ctypes.POINTER(ctypes.c_uint64), ctypes.POINTER(Error),
    ]),
    "stride_xla_shape_data_byte_size": (ctypes.c_int32, [
        ctypes.POINTER(XlaShape), ctypes.POINTER(ctypes.c_uint64), ctypes.POINTER(Error),
    ]),
    "stride_xla_shape_dense_byte_size": (ctypes.c_int32, [
        ctypes.POINTER(XlaShape), ctypes.POINTER(ctypes.c_uint64), ctypes.POINTER(Error),
    ]),
    "stride_xla_shape_expansion_factor": (ctypes.c_int32, [
        ctypes.POINTER(XlaShape), ctypes.POINTER(ctypes.c_double), ctypes.POINTER(Error),
    ]),
    "stride_xla_shape_is_untiled": (ctypes.c_int32, [
        ctypes.POINTER(XlaShape), ctypes.POINTER(ctypes.c_uint32), ctypes.POINTER(Error),
    ]),
    "stride_xla_shape_true_rank": (ctypes.c_int32, [
        ctypes.POINTER(XlaShape), ctypes.POINTER(ctypes.c_uint32), ctypes.POINTER(Error),
    ]),
    "stride_xla_shape_padding_bytes": (ctypes.c_int32, [
        ctypes.POINTER(XlaShape), ctypes.POINTER(ctypes.c_uint8), ctypes.POINTER(Error),
    ]),
    "stride_xla_linear_index": (ctypes.c_int32, [
        ctypes.POINTER(XlaShape), ctypes.c_uint32, ctypes.POINTER(ctypes.c_int64), ctypes.POINTER(ctypes.c_int64),
        ctypes.POINTER(Error),
    ]),
    "stride_xla_multi_index": (ctypes.c_int32, [
        ctypes.POINTER(XlaShape), ctypes.c_int64, ctypes.c_uint32, ctypes.POINTER(ctypes.c_int64),
        ctypes.POINTER(Error),
    ]),
    "stride_layout_from_xla": (ctypes.c_int32, [
        ctypes.POINTER(XlaShape), ctypes.POINTER(Layout), ctypes.POINTER(Error),
    ]),
    "stride_layout_to_xla": (ctypes.c_int32, [
        ctypes.POINTER(Layout), ctypes.POINTER(XlaShape), ctypes.POINTER(Error),
    ]),
    "stride_layout_to_xla_padded": (ctypes.c_int32, [
        ctypes.POINTER(Layout), ctypes.POINTER(XlaShape), ctypes.POINTER(Error),
    ]),
    "stride_xla_shape_permute": (ctypes.c_int32, [
        ctypes.POINTER(XlaShape), ctypes.c_uint32, ctypes.POINTER(ctypes.c_int64), ctypes.POINTER(XlaShape),
        ctypes.POINTER(Error),
    ]),
    "stride_xla_shape_descending": (ctypes.c_int32, [
        ctypes.POINTER(XlaShape), ctypes.POINTER(XlaShape), ctypes.POINTER(Error),
    ]),
    "stride_xla_shape_delete_dimensions": (ctypes.c_int32, [
        ctypes.POINTER(XlaShape), ctypes.c_uint32, ctypes.POINTER(ctypes.c_int64), ctypes.POINTER(XlaShape),
        ctypes.POINTER(Error),
    ]),
    "stride_xla_shape_prepend_major": (ctypes.c_int32, [
        ctypes.POINTER(XlaShape), ctypes.c_int64, ctypes.POINTER(XlaShape), ctypes.POINTER(Error),
    ]),
    "stride_xla_shape_is_most_major": (ctypes.c_int32, [
        ctypes.POINTER(XlaShape), ctypes.c_int64, ctypes.POINTER(ctypes.c_uint32), ctypes.POINTER(Error),
    ]),
    "stride_xla_shapes_equal": (ctypes.c_int32, [
        ctypes.POINTER(XlaShape), ctypes.POINTER(XlaShape), ctypes.c_uint32, ctypes.POINTER(ctypes.c_uint32),
        ctypes.POINTER(Error),
    ]),
    "stride_xla_reshape_is_bitcast": (ctypes.c_int32, [
        ctypes.POINTER(XlaShape), ctypes.POINTER(XlaShape), ctypes.POINTER(ctypes.c_uint32), ctypes.POINTER(Error),
    ]),
    "stride_xla_transpose_is_bitcast": (ctypes.c_int32, [
        ctypes.POINTER(XlaShape), ctypes.POINTER(XlaShape), ctypes.c_uint32, ctypes.POINTER(ctypes.c_int64),
        ctypes.POINTER(ctypes.c_uint32), ctypes.POINTER(Error),
    ]),
    "stride_xla_reshape_or_transpose_is_bitcast": (ctypes.c_int32, [
        ctypes.POINTER(XlaShape), ctypes.POINTER(XlaShape), ctypes.POINTER(ctypes.c_uint32), ctypes.POINTER(Error),
    ]),
    "stride_xla_transpose_axes": (ctypes.c_int32, [
        ctypes.POINTER(XlaShape), ctypes.POINTER(XlaShape), ctypes.c_uint32, ctypes.POINTER(ctypes.c_int64),
        ctypes.POINTER(Error),
    ]),
    "stride_xla_bitcast_decompose": (ctypes.c_int32, [
        ctypes.POINTER(XlaShape), ctypes.POINTER(XlaShape), ctypes.POINTER(ctypes.c_uint32), ctypes.c_uint32,
        ctypes.POINTER(ctypes.c_int64), ctypes.POINTER(XlaShape), ctypes.POINTER(XlaShape), ctypes.c_uint32,
        ctypes.POINTER(ctypes.c_int64), ctypes.POINTER(Error),
    ]),
    "stride_xla_shape_align": (ctypes.c_int32, [
        ctypes.POINTER(XlaShape), ctypes.c_uint32, ctypes.POINTER(ctypes.c_int64), ctypes.POINTER(XlaShape),
        ctypes.POINTER(Error),
    ]),
    "stride_xla_shape_broadcast": (ctypes.c_int32, [
        ctypes.POINTER(XlaShape), ctypes.POINTER(XlaShape), ctypes.c_uint32, ctypes.POINTER(ctypes.c_int64),
        ctypes.POINTER(XlaShape), ctypes.POINTER(Error),
    ]),
    "stride_xla_shape_from_pjrt_tiled": (ctypes.c_int32, [
        ctypes.POINTER(XlaShape), ctypes.c_uint32, ctypes.c_uint32, ctypes.POINTER(ctypes.c_int64),
        ctypes.POINTER(ctypes.c_int64), ctypes.POINTER(ctypes.c_int64), ctypes.POINTER(ctypes.c_size_t),
        ctypes.c_size_t, ctypes.POINTER(Error),
    ]),
    "stride_xla_shape_to_pjrt_tiled": (ctypes.c_int32, [
        ctypes.POINTER(XlaShape), ctypes.c_uint32, ctypes.POINTER(ctypes.c_int64), ctypes.POINTER(ctypes.c_int64),
        ctypes.c_size_t, ctypes.POINTER(ctypes.c_size_t), ctypes.c_size_t, ctypes.POINTER(ctypes.c_size_t),
        ctypes.POINTER(Error),
    ]),
    "stride_layout_from_dlpack": (ctypes.c_int32, [
        ctypes.POINTER(DlTensor), ctypes.POINTER(Layout), ctypes.POINTER(Error),
    ]),
    "stride_layout_from_dlpack_versioned": (ctypes.c_int32, [
        ctypes.POINTER(DlManagedTensorVersioned), ctypes.POINTER(Layout), ctypes.POINTER(Error),
    ]),
    "stride_layout_to_dlpack": (ctypes.c_int32, [
        ctypes.POINTER(Layout), ctypes.c_uint32, ctypes.POINTER(ctypes.c_int64), ctypes.POINTER(ctypes.c_int64),
        ctypes.POINTER(DlTensor), ctypes.POINTER(Error),
    ]),
    "stride_layout_from_py_buffer": (ctypes.c_int32, [
        ctypes.POINTER(PyBuffer), ctypes.POINTER(Layout), ctypes.POINTER(Error),
    ]),
    "stride_dtype_from_typestr": (ctypes.c_int32, [
        ctypes.c_char_p, ctypes.c_uint64, ctypes.POINTER(ctypes.c_uint32), ctypes.POINTER(Error),
    ]),
    "stride_dtype_to_typestr": (ctypes.c_int32, [
        ctypes.c_uint32, ctypes.c_char_p, ctypes.c_uint64, ctypes.POINTER(ctypes.c_uint64), ctypes.POINTER(Error),
    ]),
    "stride_dtype_from_ggml": (ctypes.c_int32, [
        ctypes.c_uint32, ctypes.POINTER(ctypes.c_uint32), ctypes.POINTER(ctypes.c_uint32), ctypes.POINTER(Error),
    ]),
    "stride_layout_from_ggml": (ctypes.c_int32, [
        ctypes.c_uint32, ctypes.POINTER(ctypes.c_int64), ctypes.POINTER(ctypes.c_size_t), ctypes.POINTER(Layout),
        ctypes.POINTER(Error),
    ]),
    "stride_layout_to_ggml": (ctypes.c_int32, [
        ctypes.POINTER(Layout), ctypes.c_uint32, ctypes.POINTER(ctypes.c_int64), ctypes.POINTER(ctypes.c_size_t),
        ctypes.POINTER(ctypes.c_uint64), ctypes.POINTER(Error),
    ]),
    "stride_image_fourcc": (ctypes.c_int32, [
        ctypes.c_char_p, ctypes.c_uint64, ctypes.POINTER(ctypes.c_uint32), ctypes.POINTER(Error),
    ]),
    "stride_image_planes": (ctypes.c_int32, [
        ctypes.c_uint32, ctypes.c_int64, ctypes.c_int64, ctypes.c_uint32, ctypes.POINTER(ctypes.c_uint64),
        ctypes.c_uint64, ctypes.POINTER(ctypes.c_uint32), ctypes.POINTER(Layout), ctypes.POINTER(ctypes.c_uint64),
        ctypes.POINTER(Error),
    ]),
    "stride_image_components": (ctypes.c_int32, [
        ctypes.c_uint32, ctypes.c_int64, ctypes.c_int64, ctypes.c_uint32, ctypes.POINTER(ctypes.c_uint64),
        ctypes.c_uint64, ctypes.POINTER(ctypes.c_uint32), ctypes.POINTER(Layout), ctypes.POINTER(ctypes.c_uint64),
        ctypes.POINTER(Error),
    ]),
    "stride_image_init": (ctypes.c_int32, [ctypes.POINTER(Image)]),
    "stride_image_planes_of": (ctypes.c_int32, [
        ctypes.POINTER(Image), ctypes.POINTER(ctypes.c_uint32), ctypes.POINTER(Layout),
        ctypes.POINTER(ctypes.c_uint64), ctypes.POINTER(Error),
    ]),
    "stride_image_components_of": (ctypes.c_int32, [
        ctypes.POINTER(Image), ctypes.POINTER(ctypes.c_uint32), ctypes.POINTER(Layout),
        ctypes.POINTER(ctypes.c_uint64), ctypes.POINTER(Error),
    ]),
    "stride_blocked_init": (ctypes.c_int32, [
        ctypes.POINTER(Blocked), ctypes.c_uint32, ctypes.c_uint32, ctypes.POINTER(ctypes.c_int64), ctypes.c_uint32,
        ctypes.POINTER(ctypes.c_int64), ctypes.POINTER(ctypes.c_int64), ctypes.POINTER(ctypes.c_int64),
        ctypes.POINTER(Error),
    ]),
    "stride_blocked_validate": (ctypes.c_int32, [ctypes.POINTER(Blocked), ctypes.POINTER(Error)]),
    "stride_blocked_parse": (ctypes.c_int32, [
        ctypes.c_char_p, ctypes.c_uint64, ctypes.c_uint32, ctypes.c_uint32, ctypes.POINTER(ctypes.c_int64),
        ctypes.POINTER(Blocked), ctypes.POINTER(Error),
    ]),
    "stride_blocked_format": (ctypes.c_int32, [
        ctypes.POINTER(Blocked), ctypes.c_char_p, ctypes.c_uint64, ctypes.POINTER(ctypes.c_uint64),
        ctypes.POINTER(Error),
    ]),
    "stride_blocked_byte_size": (ctypes.c_int32, [
        ctypes.POINTER(Blocked), ctypes.POINTER(ctypes.c_uint64), ctypes.POINTER(Error),
    ]),
    "stride_blocked_padded_sizes": (ctypes.c_int32, [
        ctypes.POINTER(Blocked), ctypes.c_uint32, ctypes.POINTER(ctypes.c_int64), ctypes.POINTER(Error),
    ]),
    "stride_layout_from_blocked": (ctypes.c_int32, [
        ctypes.POINTER(Blocked), ctypes.POINTER(Layout), ctypes.POINTER(Error),
    ]),
    "stride_blocked_linear_index": (ctypes.c_int32, [
        ctypes.POINTER(Blocked), ctypes.c_uint32, ctypes.POINTER(ctypes.c_int64), ctypes.POINTER(ctypes.c_int64),
        ctypes.POINTER(Error),
    ]),
    "stride_blocked_multi_index": (ctypes.c_int32, [
        ctypes.POINTER(Blocked), ctypes.c_int64, ctypes.c_uint32, ctypes.POINTER(ctypes.c_int64),
        ctypes.POINTER(Error),
    ]),
}
