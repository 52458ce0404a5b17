//! What eleven consumers ask for, each with its source. Numbers that depend on a device or a caller are 0, to be set.

use super::{
    BYTES, ELEMENT_ALIGNED, LAST_INNERMOST, LAST_ROW_PADDED, MULTIPLES, NESTED, NO_NEGATIVE, NO_REPEATS,
    PITCH_IN_TEXELS, Requirements, UNIT_STRIDE,
};
use crate::error::{Argument, Detail, Result, Status};
use crate::model::Dtype;
use crate::vocabulary::dml;
use core::ffi::CStr;

/// Declares [`Consumer`], with the word for each.
macro_rules! consumers {
    ($($(#[$doc:meta])* $name:ident = $number:literal, $word:literal;)*) => {
        /// Whose requirements these are. Numbers never change.
        ///
        /// ```
        /// use stride::vocabulary::requirements::Consumer;
        /// assert!(Consumer::ALL.iter().all(|&consumer| Consumer::from_number(consumer as u32) == Ok(consumer)));
        /// ```
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        #[non_exhaustive]
        #[repr(u32)]
        pub enum Consumer {
            $($(#[$doc])* $name = $number,)*
        }

        impl Consumer {
            /// Every consumer by its number.
            pub const ALL: [Self; [$($number),*].len()] = [$(Self::$name),*];

            /// Its name, terminated for C.
            ///
            /// ```
            /// use stride::vocabulary::requirements::Consumer;
            /// assert_eq!(Consumer::Tma.c_name(), c"tma");
            /// ```
            pub const fn c_name(self) -> &'static CStr {
                match self { $(Self::$name => $word,)* }
            }
        }
    };
}

consumers! {
    /// No consumer: every layout is taken.
    Any = 0, c"any";
    /// DirectML's buffer tensors.
    DirectMl = 1, c"directml";
    /// Direct3D 12's buffers that textures are copied from and to.
    D3d12 = 2, c"d3d12";
    /// WebGPU's buffers that textures are copied from and to.
    WebGpu = 3, c"webgpu";
    /// Tensor maps of CUDA's Tensor Memory Accelerator.
    Tma = 4, c"tma";
    /// cuTENSOR's tensor descriptors.
    CuTensor = 5, c"cutensor";
    /// Metal's tensors over a buffer, for machine learning.
    Metal = 6, c"metal";
    /// Tensors of VK_ARM_tensors with linear tiling.
    Vulkan = 7, c"vulkan";
    /// `std::mdspan` with `std::layout_stride`.
    Mdspan = 8, c"mdspan";
    /// Arrow's fixed shape tensors.
    Arrow = 9, c"arrow";
    /// Vulkan's buffers that images are copied from and to.
    VulkanImage = 10, c"vulkan_image";
    /// Client memory and buffers that OpenGL unpacks pixels from.
    OpenGl = 11, c"opengl";
}

impl Consumer {
    /// Its name, that of its constant in small letters.
    ///
    /// ```
    /// use stride::vocabulary::requirements::Consumer;
    /// assert_eq!(Consumer::VulkanImage.name(), "vulkan_image");
    /// ```
    pub const fn name(self) -> &'static str {
        match self.c_name().to_str() {
            Ok(name) => name,
            Err(_) => "",
        }
    }

    /// The consumer with this number; INVALID_ARGUMENT if there is none.
    ///
    /// ```
    /// use stride::vocabulary::requirements::Consumer;
    /// assert_eq!(Consumer::from_number(1), Ok(Consumer::DirectMl));
    /// assert!(Consumer::from_number(99).is_err());
    /// ```
    pub fn from_number(number: u32) -> Result<Self> {
        let error = Status::InvalidArgument.of(Argument::Consumer);
        let error = error.because(Detail::UnknownValue, number as i64, Self::ALL.len() as i64 - 1);
        Self::ALL.get(number as usize).copied().ok_or(error)
    }
}

/// Each element in a place of its own, ascending.
const DISTINCT: u32 = NESTED | NO_REPEATS | NO_NEGATIVE;
/// [`DISTINCT`] in the given order of the dimensions, rows without gaps inside.
const ROWS: u32 = DISTINCT | LAST_INNERMOST | UNIT_STRIDE;

impl Requirements {
    /// The requirements of the consumer.
    ///
    /// ```
    /// use stride::vocabulary::requirements::{Consumer, Requirements};
    /// assert_eq!(Requirements::of(Consumer::D3d12).row_alignment, 256);
    /// ```
    pub fn of(consumer: Consumer) -> Self {
        let nothing = Self::default();
        // One to four components, in up to three dimensions of texels.
        let texels = Self { rank_max: 3, dtypes: COMPONENTS | BYTES, element_bits: WIDTHS, ..nothing };
        match consumer {
            Consumer::Any => nothing,
            // DML_BUFFER_TENSOR_DESC; DML_MINIMUM_BUFFER_TENSOR_ALIGNMENT; DirectMLX.h's DMLCalcBufferTensorSize.
            Consumer::DirectMl => Self {
                flags: NO_NEGATIVE,
                rank_min: 1,
                rank_max: dml::MAX_DIMENSION_COUNT as u32,
                dtypes: DIRECTML,
                size_min: 1,
                base_alignment: 16,
                total_alignment: 4,
                elements_max: u32::MAX as u64,
                reach_max: u32::MAX as u64,
                ..nothing
            },
            // D3D12_TEXTURE_DATA_PITCH_ALIGNMENT, _PLACEMENT_ALIGNMENT. D3D12_SUBRESOURCE_FOOTPRINT has one pitch;
            // slices lie as many rows apart as they have. DXGI_FORMAT: one to four components, three only of 32 bits.
            Consumer::D3d12 => Self {
                flags: ROWS,
                element_bits_by_three: 32,
                base_alignment: 512,
                row_alignment: 256,
                exact_from: 2,
                ..texels
            },
            // "validating GPUTexelCopyBufferInfo", "validating linear texture data": bytesPerRow, rowsPerImage, offset.
            // "texel block copy footprint" of each GPUTextureFormat.
            Consumer::WebGpu => Self { flags: ROWS | MULTIPLES | ELEMENT_ALIGNED, row_alignment: 256, ..texels },
            // cuTensorMapEncodeTiled without interleave. Of a CUtensorMapDataType only the width counts.
            Consumer::Tma => Self {
                flags: ROWS,
                rank_min: 1,
                rank_max: 5,
                dtypes: const { named(1) } | BYTES,
                element_bits: 8 | 16 | 32 | 64,
                size_min: 1,
                size_max: 1 << 32,
                base_alignment: 16,
                row_alignment: 16,
                outer_alignment: 16,
                stride_bytes_max: (1 << 40) - 1,
                ..nothing
            },
            // cutensorCreateTensorDescriptor: extents and strides "must be larger than zero". The tables of supported
            // data types of its operations.
            Consumer::CuTensor => Self { flags: NO_REPEATS | NO_NEGATIVE, size_min: 1, dtypes: CUTENSOR, ..nothing },
            // MTLTensorDescriptor.strides with MTLTensorUsageMachineLearning; MTL_TENSOR_MAX_RANK; MTLTensorDataType.
            Consumer::Metal => Self {
                flags: ROWS | ELEMENT_ALIGNED,
                rank_max: 16,
                dtypes: METAL,
                row_alignment: 64,
                exact_from: 2,
                ..nothing
            },
            // VUID-VkTensorDescriptionARM-… 09734 (sizes), 09736 to 09739 (strides), 09884 (bytes), 09735 (formats).
            Consumer::Vulkan => {
                Self { flags: ROWS | LAST_ROW_PADDED, rank_min: 1, dtypes: VULKAN, size_min: 1, ..nothing }
            }
            // [mdspan.layout.stride.cons]: positive, and nested in some order. [mdspan.accessor.default]: p[i] of any
            // object type, so whole bytes.
            Consumer::Mdspan => Self { flags: DISTINCT, dtypes: const { named(8) } | BYTES, ..nothing },
            // arrow.fixed_shape_tensor: row-major, and a permutation of the dimensions. Its value_type is a data type
            // of fixed width; plain bytes are FixedSizeBinary.
            Consumer::Arrow => {
                Self { flags: DISTINCT | UNIT_STRIDE, dtypes: WIDE_COMPONENTS | BYTES, exact_from: 1, ..nothing }
            }
            // VkBufferImageCopy: bufferRowLength in texels, bufferImageHeight in rows; VUID-VkBufferImageCopy-… 09101,
            // 09102 (nested), 06659 to 06661 (sizes); VUID-vkCmdCopyBufferToImage-dstImage-… 07975 (a multiple of the
            // texel), 07978 (of 4). Compatible Formats: texel blocks of 1 to 32 bytes.
            Consumer::VulkanImage => Self {
                flags: ROWS | MULTIPLES | ELEMENT_ALIGNED | PITCH_IN_TEXELS,
                dtypes: WIDE_COMPONENTS | BYTES,
                element_bits: WIDTHS | 256,
                element_bits_by_three: 8 | 16 | 32 | 64,
                size_min: 1,
                base_alignment: 4,
                ..texels
            },
            // OpenGL 4.6, 8.4.4.1: rows at multiples of UNPACK_ALIGNMENT, 4 at first; UNPACK_IMAGE_HEIGHT in rows.
            // Table 8.2, types: an element is a component, or a packed pixel, which is a ubyte, ushort or uint.
            Consumer::OpenGl => Self {
                flags: ROWS | MULTIPLES,
                dtypes: COMPONENTS,
                element_bits_by_three: 8 | 16 | 32,
                row_alignment: 4,
                ..texels
            },
        }
    }
}

/// The dtypes that one component of a texel can have everywhere: integers, also as UNORM and SNORM, and floats.
const COMPONENTS: u64 =
    dtypes(&[Dtype::S8, Dtype::U8, Dtype::S16, Dtype::U16, Dtype::F16, Dtype::S32, Dtype::U32, Dtype::F32]);
/// [`COMPONENTS`], and those of 64 bits.
const WIDE_COMPONENTS: u64 = COMPONENTS | dtypes(&[Dtype::S64, Dtype::U64, Dtype::F64]);
/// One, two or four components, and blocks.
const WIDTHS: u32 = 8 | 16 | 32 | 64 | 128;

const DIRECTML: u64 = dtypes(&dml::DTYPES);

/// CUDA_R_16F, R_16BF, R_32F, R_64F, C_32F, C_64F.
const CUTENSOR: u64 = dtypes(&[Dtype::F16, Dtype::BF16, Dtype::F32, Dtype::F64, Dtype::C64, Dtype::C128]);

/// MTLTensorDataType except those of 2 and 4 bits and float8, which have other rules.
const METAL: u64 = COMPONENTS | dtypes(&[Dtype::BF16]);

/// One-component formats; VK_FORMAT_R8_BOOL_ARM, R16_SFLOAT_FPENCODING_BFLOAT16_ARM,
/// R8_SFLOAT_FPENCODING_FLOAT8E4M3_ARM, …_FLOAT8E5M2_ARM.
const VULKAN: u64 = WIDE_COMPONENTS | dtypes(&[Dtype::PRED, Dtype::BF16, Dtype::F8E4M3FN, Dtype::F8E5M2]);

/// A bit for each.
const fn dtypes(list: &[Dtype]) -> u64 {
    let (mut all, mut k) = (0, 0);
    while k < list.len() {
        all |= 1 << (list[k].code() & 63);
        k += 1;
    }
    all
}

/// A bit for each named dtype of so many bits or more.
const fn named(bits: i64) -> u64 {
    let (mut all, mut number) = (0, 0);
    while number < 64 {
        if let Ok(dtype) = Dtype::new(number)
            && dtype.bits() >= bits
        {
            all |= 1 << number;
        }
        number += 1;
    }
    all
}
