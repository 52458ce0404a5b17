//! The rules of copy engines for regions.
//!
//! Copy engines take boxes, but not every box: `cudaMemcpy3D` wants slices a whole number of rows apart, none of them
//! takes a pitch below the row's bytes, and a texture's buffer wants offsets that are multiples of 512. An image has no
//! pitches to choose: a box of it has rows of the image as rows and its layers as slices. So each rule is for one side.
//! `shortest` makes the list of regions.

use crate::error::{Argument, Detail, Result, Status, check_flags};

/// Flag: no negative pitch.
pub const NO_NEGATIVE: u32 = 1;
/// Flag: no pitch of 0.
pub const NO_REPEATS: u32 = 2;
/// Flag: a row's pitch is at least its bytes, a slice's pitch at least its rows times their pitch.
pub const NESTED: u32 = 4;
/// Flag: a slice's pitch is a multiple of a row's.
pub const SLICE_MULTIPLE: u32 = 8;
/// Flag: this side is an image with rows of `row_bytes_max` bytes and layers of `rows_max` rows, without gaps; rows are
/// rows of it, one below the other, slices are its layers.
pub const IMAGE: u32 = 16;

/// All flags.
const KNOWN: u32 = 31;

/// API: any, so no rule at all.
pub const ANY: u32 = 0;
/// API: `cudaMemcpy2D`, `hipMemcpy2D`.
pub const CUDA_2D: u32 = 1;
/// API: `cudaMemcpy3D`, `hipMemcpy3D`.
pub const CUDA_3D: u32 = 2;
/// API: `clEnqueueCopyBufferRect`.
pub const OPENCL_RECT: u32 = 3;
/// API: `VkBufferCopy`.
pub const VULKAN_BUFFER: u32 = 4;
/// API: `VkBufferImageCopy`, from a buffer.
pub const VULKAN_UPLOAD: u32 = 5;
/// API: `VkBufferImageCopy`, to a buffer.
pub const VULKAN_READBACK: u32 = 6;
/// API: `CopyTextureRegion`, from a buffer.
pub const D3D12_UPLOAD: u32 = 7;
/// API: `CopyTextureRegion`, to a buffer.
pub const D3D12_READBACK: u32 = 8;

/// The requirements of a copy engine for each region; 0 requires nothing. Of pairs the first is the destination's, the
/// second the source's.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RegionRules {
    /// The highest rank, 1 to 3; 0: 3.
    pub rank_max: u32,
    /// [`NO_NEGATIVE`] and the others.
    pub flags: [u32; 2],
    /// The offset of each region is a multiple of this many bytes.
    pub offset_alignment: [u32; 2],
    /// All pitches are multiples of this many bytes.
    pub pitch_alignment: [u32; 2],
    /// The longest pitch from row to row.
    pub pitch_max: [u64; 2],
    /// The longest row; of an image its rows.
    pub row_bytes_max: u64,
    /// The most rows of a rectangle; of an image those of a layer.
    pub rows_max: u64,
    /// The most rectangles of a box.
    pub slices_max: u64,
    /// The bytes of a row are a multiple of this.
    pub row_bytes_alignment: u32,
}

impl RegionRules {
    /// The rules of an API's functions. Numbers that depend on the device are 0 here.
    pub fn of(number: u32) -> Result<Self> {
        let nothing = Self::default();
        let rectangle = NO_NEGATIVE | NO_REPEATS | NESTED;
        let boxes = rectangle | SLICE_MULTIPLE;
        let both = |flags| Self { flags: [flags; 2], ..nothing };
        // Between a buffer, on this side, and an image.
        let buffer = |side: usize, offset: u32, pitch: u32, pitch_max: u32| {
            let on = |buffer: u32, image: u32| if side == 0 { [buffer, image] } else { [image, buffer] };
            Self {
                flags: on(boxes, boxes | IMAGE),
                offset_alignment: on(offset, 0),
                pitch_alignment: on(pitch, 0),
                pitch_max: on(pitch_max, 0).map(u64::from),
                ..nothing
            }
        };
        Ok(match number {
            ANY => nothing,
            // "width must not exceed either dpitch or spitch", cudaMemcpy2D.
            CUDA_2D => Self { rank_max: 2, ..both(rectangle) },
            // A cudaPitchedPtr has a pitch and ysize rows a slice; srcPitch and srcHeight of cuMemcpy3D.
            CUDA_3D => both(boxes),
            // CL_INVALID_VALUE for a row pitch below region[0], a slice pitch below region[1] rows or no multiple.
            OPENCL_RECT => both(boxes),
            VULKAN_BUFFER => Self { rank_max: 1, ..nothing },
            // Rows and slices: VUID-VkBufferImageCopy-bufferRowLength-09101, -bufferImageHeight-09102. Offsets:
            // VUID-vkCmdCopyBufferToImage-dstImage-07978. Pitches: VUID-vkCmdCopyBufferToImage-bufferRowLength-09108.
            VULKAN_UPLOAD => buffer(1, 4, 0, i32::MAX as u32),
            VULKAN_READBACK => buffer(0, 4, 0, i32::MAX as u32),
            // D3D12_TEXTURE_DATA_PLACEMENT_ALIGNMENT, D3D12_TEXTURE_DATA_PITCH_ALIGNMENT; RowPitch is a UINT.
            D3D12_UPLOAD => buffer(1, 512, 256, u32::MAX),
            D3D12_READBACK => buffer(0, 512, 256, u32::MAX),
            _ => {
                let error = Status::InvalidArgument.of(Argument::Api);
                return Err(error.because(Detail::UnknownValue, number as i64, D3D12_READBACK as i64));
            }
        })
    }

    /// The one rule that regions have this rank at most; INVALID_RANK.
    pub(crate) fn of_rank(rank: u32) -> Result<Self> {
        let error = Status::InvalidRank.of(Argument::Rank);
        error.at_least(rank as i64, 1)?;
        error.at_most(rank as i64, 3)?;
        Ok(Self { rank_max: rank, ..Self::default() })
    }

    /// INVALID_ARGUMENT for flags and ranks that this version does not know.
    pub(crate) fn check(&self) -> Result<()> {
        Status::InvalidArgument.of(Argument::Rules).in_range(self.rank_max as i64, 4)?;
        self.flags.iter().try_for_each(|&flags| check_flags(flags, KNOWN, Argument::Rules))
    }
}
