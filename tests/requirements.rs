//! Requirements of consumers: the numbers that their own documents and users name, then everything small against a
//! restatement of each rule.

#[macro_use]
mod common;
mod oracle;

use common::requirements as of;
use common::*;
use oracle::Random;
use stride::vocabulary::requirements::Consumer;

const U4: u32 = Dtype::U4.code();
const U8: u32 = Dtype::U8.code();
const F16: u32 = Dtype::F16.code();
const BF16: u32 = Dtype::BF16.code();
const F32: u32 = Dtype::F32.code();
const F64: u32 = Dtype::F64.code();

fn meets_at(layout: &stride_layout, address: u64, requirements: &stride_requirements) -> Answer<()> {
    call!(stride_layout_meets, layout, address, requirements)
}

fn meets(layout: &stride_layout, requirements: &stride_requirements) -> Answer<()> {
    meets_at(layout, 0, requirements)
}

fn fit(layout: &stride_layout, requirements: &stride_requirements) -> Answer<stride_layout> {
    made(|out| call!(stride_layout_adapt, layout, requirements, out))
}

fn required_bytes(layout: &stride_layout, requirements: &stride_requirements) -> Answer<u64> {
    let mut out = POISON as u64;
    let answer = call!(stride_layout_required_bytes, layout, requirements, &mut out).map(|()| out);
    assert!(answer.is_ok() || out == POISON as u64);
    answer
}

/// Detail, dimension and both numbers of a no.
type No = (Detail, i32, i64, i64);

fn no(answer: Answer<()>) -> No {
    let record = error(answer);
    assert_eq!(record.status, Status::NotRepresentable.number(), "{}", sentence(&record));
    let detail = Detail::from_number(record.detail as u32).unwrap();
    let argument = Argument::from_number(record.argument).unwrap();
    assert!(matches!(argument, Argument::Layout | Argument::Address), "{argument:?}");
    (detail, record.dimension, record.lhs, record.rhs)
}

/// CUDA Driver API, cuTensorMapEncodeTiled.
mod tma {
    use super::*;

    /// triton#10927: bf16 with K = 511 rows of 1022 bytes; 1024 are the next multiple of 16.
    #[test]
    fn rows_of_511_bf16() {
        let (tma, rows) = (of(STRIDE_CONSUMER_TMA), packed(BF16, &[64, 511]));
        assert_eq!(no(meets(&rows, &tma)), (Detail::NotAMultiple, 0, 1022, 16));
        let padded = fit(&rows, &tma).unwrap();
        assert_eq!(strides(&padded), [512, 1]);
        assert_eq!(meets(&padded, &tma), Ok(()));
        assert_eq!(required_bytes(&padded, &tma), Ok(63 * 1024 + 1022));
        let said = error(meets(&rows, &tma));
        assert_eq!(sentence(&said), "layout, dimension 0: a stride of 1022 bytes is not a multiple of 16");
    }

    /// triton#8774: f16 (64,64) with strides (65,1), 130 bytes. The smallest that is taken is 128; it may shrink.
    #[test]
    fn a_pitch_of_65_halves() {
        let (tma, rows) = (of(STRIDE_CONSUMER_TMA), layout(F16, &[64, 64], &[65, 1]));
        assert_eq!(no(meets(&rows, &tma)), (Detail::NotAMultiple, 0, 130, 16));
        assert_eq!(fields(&fit(&rows, &tma).unwrap()), (vec![64, 64], vec![64, 1], 0));
        assert_eq!(meets(&layout(F16, &[64, 64], &[72, 1]), &tma), Ok(()), "144 bytes are taken as well");
    }

    #[test]
    fn rank_sizes_widths_and_limits() {
        let tma = of(STRIDE_CONSUMER_TMA);
        assert_eq!(no(meets(&packed(F32, &[]), &tma)), (Detail::Below, -1, 0, 1));
        assert_eq!(no(meets(&packed(F32, &[1; 6]), &tma)), (Detail::Above, -1, 6, 5));
        assert_eq!(meets(&packed(F32, &[1; 5]), &tma), Ok(()));
        assert_eq!(no(meets(&packed(F32, &[4, 0]), &tma)), (Detail::Below, 1, 0, 1));
        assert_eq!(meets(&packed(U8, &[1 << 32]), &tma), Ok(()));
        assert_eq!(no(meets(&packed(U8, &[(1 << 32) + 1]), &tma)), (Detail::Above, 0, (1 << 32) + 1, 1 << 32));
        for dtype in [Dtype::C128.code(), U4, bytes(3).unwrap()] {
            assert_eq!(no(meets(&packed(dtype, &[64, 64]), &tma)).0, Detail::ElementBits);
        }
        assert_eq!(meets(&packed(bytes(2).unwrap(), &[64, 64]), &tma), Ok(()));
        // Strides below 2^40 bytes.
        let far = |bytes: i64| layout(F32, &[2, 4], &[bytes / 4, 1]);
        assert_eq!(meets(&far((1 << 40) - 16), &tma), Ok(()));
        assert_eq!(no(meets(&far(1 << 40), &tma)), (Detail::StrideBytes, 0, 1 << 40, (1 << 40) - 1));
    }

    #[test]
    fn addresses_count_the_offset() {
        let (tma, rows) = (of(STRIDE_CONSUMER_TMA), packed(F16, &[8, 8]));
        assert_eq!(meets_at(&rows, 4096, &tma), Ok(()));
        assert_eq!(no(meets_at(&rows, 4098, &tma)), (Detail::NotAMultiple, -1, 4098, 16));
        assert_eq!(no(meets_at(&at(1, rows), 4096, &tma)), (Detail::NotAMultiple, -1, 4098, 16));
        assert_eq!(meets_at(&at(7, rows), 4098, &tma), Ok(()), "2 bytes and 7 halves");
        assert_eq!(meets_at(&at(-8, rows), 0, &tma), Ok(()), "whatever the sum is");
        assert_eq!(error(meets_at(&rows, 1, &tma)).argument, Argument::Address.number());
        assert_eq!(no(meets_at(&rows, u64::MAX, &tma)), (Detail::NotAMultiple, -1, i64::MAX, 16), "saturated");
    }

    #[test]
    fn order_unit_stride_and_overlap() {
        let tma = of(STRIDE_CONSUMER_TMA);
        let columns = ordered(F32, &[64, 32], &[0, 1]).unwrap();
        assert_eq!(no(meets(&columns, &tma)), (Detail::Stride, 1, 64, 1));
        assert_eq!(strides(&fit(&columns, &tma).unwrap()), [32, 1], "dimensions count as they stand");
        assert_eq!(meets(&permute(&columns, &[1, 0]).unwrap(), &tma), Ok(()), "a tensor map of the transpose");
        assert_eq!(no(meets(&layout(F32, &[4, 32], &[16, 1]), &tma)), (Detail::Nested, 0, 16, 32));
        assert_eq!(no(meets(&layout(F32, &[4, 32], &[0, 1]), &tma)), (Detail::StrideZero, 0, 0, 4));
        assert_eq!(no(meets(&at(96, layout(F32, &[4, 32], &[-32, 1])), &tma)), (Detail::NegativeStride, 0, -32, 0));
    }

    /// CU_TENSOR_MAP_INTERLEAVE_32B: address and strides multiples of 32, rank 3 at least.
    #[test]
    fn interleaved_by_changed_fields() {
        let mut tma = of(STRIDE_CONSUMER_TMA);
        (tma.rank_min, tma.base_alignment, tma.row_alignment, tma.outer_alignment) = (3, 32, 32, 32);
        assert_eq!(no(meets(&packed(F16, &[8, 8]), &tma)), (Detail::Below, -1, 2, 3));
        assert_eq!(no(meets(&packed(F16, &[2, 8, 8]), &tma)), (Detail::NotAMultiple, 1, 16, 32));
        assert_eq!(strides(&fit(&packed(F16, &[2, 3, 8]), &tma).unwrap()), [48, 16, 1]);
        assert_eq!(no(meets_at(&packed(F16, &[2, 3, 16]), 16, &tma)), (Detail::NotAMultiple, -1, 16, 32));
    }
}

/// Rows at a pitch of 256 bytes, the last one unpadded.
mod textures {
    use super::*;

    /// gpuweb/cts#4420: r8 4x2 takes 260 bytes, not 512: "required bytes in copy".
    #[test]
    fn r8_of_4_by_2() {
        for consumer in [STRIDE_CONSUMER_WEBGPU, STRIDE_CONSUMER_D3D12] {
            let requirements = of(consumer);
            let texels = packed(U8, &[2, 4]);
            assert_eq!(no(meets(&texels, &requirements)), (Detail::NotAMultiple, 0, 4, 256));
            let rows = fit(&texels, &requirements).unwrap();
            assert_eq!(strides(&rows), [256, 1]);
            assert_eq!(required_bytes(&rows, &requirements), Ok(260));
            assert_eq!(fields(&pitched(U8, &[2, 4], 0, 256).unwrap()), fields(&rows));
        }
    }

    /// wgpu-rs#530: 10x10 of 4 bytes are 400 packed, 2344 by the rule of the last row, 2560 with all rows padded.
    #[test]
    fn ten_by_ten_texels() {
        let (mut webgpu, texels) = (of(STRIDE_CONSUMER_WEBGPU), packed(F32, &[10, 10]));
        assert_eq!(min_bytes(&texels), Ok(400));
        let rows = fit(&texels, &webgpu).unwrap();
        assert_eq!(strides(&rows), [64, 1]);
        assert_eq!(required_bytes(&rows, &webgpu), Ok(2344));
        webgpu.flags |= STRIDE_REQUIRE_LAST_ROW_PADDED;
        assert_eq!(required_bytes(&rows, &webgpu), Ok(2560));
        // One row is one with its padding, however many sizes of 1 are before it and whatever their strides are.
        let flags = STRIDE_REQUIRE_LAST_INNERMOST | STRIDE_REQUIRE_LAST_ROW_PADDED;
        let rows = stride_requirements { flags, row_alignment: 64, ..ANYTHING };
        for rank in 2..6 {
            let (mut sizes, mut strides) = (vec![1; rank], vec![16; rank]);
            (sizes[rank - 1], strides[rank - 1]) = (10, 1);
            assert_eq!(required_bytes(&layout(F32, &sizes, &strides), &rows), Ok(64), "{rank}");
            sizes[rank - 1] = 20;
            let nested = stride_requirements { flags: rows.flags | STRIDE_REQUIRE_NESTED, ..rows };
            for asked in [rows, nested] {
                assert_eq!(required_bytes(&layout(F32, &sizes, &strides), &asked), Ok(128), "{rank}");
            }
        }
        // Beside them a dimension that leads nowhere changes nothing.
        for (sizes, strides) in [([1, 10, 10], [7, 64, 1]), ([5, 10, 10], [0, 64, 1])] {
            assert_eq!(required_bytes(&layout(F32, &sizes, &strides), &webgpu), Ok(2560));
        }
    }

    /// bgfx#2278: RGBA8 of 256 by 256 has a pitch of 1024; learn.microsoft.com, GetCopyableFootprints1: rows of 32
    /// texels of 4 bytes have 128 bytes and a pitch of 256.
    #[test]
    fn pitches_of_rgba8() {
        let (d3d12, rgba8) = (of(STRIDE_CONSUMER_D3D12), bytes(4).unwrap());
        let pitch = |sizes: &[i64]| strides(&fit(&packed(rgba8, sizes), &d3d12).unwrap())[sizes.len() - 2] * 4;
        assert_eq!((pitch(&[256, 256]), pitch(&[16, 32]), pitch(&[3, 16, 32])), (1024, 256, 256));
        assert_eq!(meets(&packed(rgba8, &[256, 256]), &d3d12), Ok(()));
        assert_eq!(no(meets_at(&packed(rgba8, &[256, 256]), 256, &d3d12)), (Detail::NotAMultiple, -1, 256, 512));
        assert_eq!(no(meets(&packed(rgba8, &[2, 2, 2, 64]), &d3d12)), (Detail::Above, -1, 4, 3));
    }

    /// pitch·rows·(depth − 1) + pitch·(rows − 1) + last row, as the WebGPU specification computes it.
    #[test]
    fn bytes_of_volumes() {
        let webgpu = of(STRIDE_CONSUMER_WEBGPU);
        for (depth, rows, columns, texel) in
            [(3, 5, 7, 4), (2, 1, 100, 2), (1, 9, 64, 4), (4, 4, 1, 16), (2, 3, 256, 1)]
        {
            let volume = fit(&packed(bytes(texel).unwrap(), &[depth, rows, columns]), &webgpu).unwrap();
            let row = (columns * texel as i64) as u64;
            let pitch = row.next_multiple_of(256);
            let (depth, rows) = (depth as u64, rows as u64);
            assert_eq!(required_bytes(&volume, &webgpu), Ok(pitch * rows * (depth - 1) + pitch * (rows - 1) + row));
            assert_eq!(meets(&volume, &webgpu), Ok(()));
        }
    }

    /// rowsPerImage may be more than the rows in WebGPU; a D3D12 footprint has no place for it.
    #[test]
    fn images_further_apart() {
        let (webgpu, d3d12) = (of(STRIDE_CONSUMER_WEBGPU), of(STRIDE_CONSUMER_D3D12));
        let apart = |image: i64| layout(U8, &[2, 3, 4], &[image, 256, 1]);
        assert_eq!((meets(&apart(768), &webgpu), meets(&apart(768), &d3d12)), (Ok(()), Ok(())));
        assert_eq!(meets(&apart(1024), &webgpu), Ok(()));
        assert_eq!(no(meets(&apart(1024), &d3d12)), (Detail::Stride, 0, 1024, 768));
        assert_eq!(no(meets(&apart(1000), &webgpu)), (Detail::StrideMultiple, 0, 1000, 256));
        // The offset is a multiple of a texel.
        let rows = pitched(bytes(4).unwrap(), &[2, 4], 0, 256).unwrap();
        assert_eq!(meets_at(&rows, 4, &webgpu), Ok(()));
        assert_eq!(no(meets_at(&rows, 6, &webgpu)), (Detail::NotAMultiple, -1, 6, 4));
        // A copy of nothing takes nothing.
        assert_eq!(
            (meets(&packed(U8, &[0, 4]), &webgpu), required_bytes(&packed(U8, &[0, 4]), &webgpu)),
            (Ok(()), Ok(0))
        );
    }
}

/// Pixels of several elements, whose rows lie at any byte.
mod texels {
    use super::*;

    fn with_texel(consumer: u32, dimensions: u32) -> stride_requirements {
        stride_requirements { texel_dimensions: dimensions, ..of(consumer) }
    }

    /// microsoft/D3D12TranslationLayer#11: 10 by 4 texels of R32G32B32_FLOAT have a row pitch of 256 and 888 bytes.
    /// Elements of 12 bytes have whole strides: the least multiple of 256 among them is 768.
    #[test]
    fn rows_of_r32g32b32() {
        let (elements, d3d12) = (of(STRIDE_CONSUMER_D3D12), with_texel(STRIDE_CONSUMER_D3D12, 1));
        let texels = packed(F32, &[4, 10, 3]);
        assert_eq!(no(meets(&texels, &d3d12)), (Detail::NotAMultiple, 0, 120, 256));
        let rows = fit(&texels, &d3d12).unwrap();
        assert_eq!(strides(&rows), [64, 3, 1]);
        assert_eq!((meets(&rows, &d3d12), required_bytes(&rows, &d3d12)), (Ok(()), Ok(888)));
        let whole = fit(&packed(bytes(12).unwrap(), &[4, 10]), &elements).unwrap();
        assert_eq!((strides(&whole)[0] * 12, required_bytes(&whole, &elements)), (768, Ok(2424)));
        // Volumes have a rank of 3 and their texels; more is too much.
        assert_eq!(strides(&fit(&packed(F32, &[2, 4, 10, 3]), &d3d12).unwrap()), [256, 64, 3, 1]);
        assert_eq!(no(meets(&packed(F32, &[2, 2, 4, 10, 3]), &d3d12)), (Detail::Above, -1, 5, 4));
    }

    /// For formats that the consumer itself does not have.
    fn any_width(of: stride_requirements) -> stride_requirements {
        stride_requirements { dtypes: 0, element_bits: 0, element_bits_by_three: 0, ..of }
    }

    /// bkaradzic/bgfx#1554: RGB8 came out sheared by D3D12. Rows are 256 bytes apart there, which is no whole pixel.
    #[test]
    fn rgb8_at_a_pitch_of_256() {
        let d3d12 = with_texel(STRIDE_CONSUMER_D3D12, 1);
        assert_eq!(no(meets(&packed(U8, &[1, 5, 3]), &d3d12)).0, Detail::ElementBits, "no DXGI_FORMAT has 24 bits");
        let d3d12 = any_width(d3d12);
        for (width, pitch) in [(5, 256), (85, 256), (86, 512), (256, 768)] {
            let rows = fit(&packed(U8, &[4, width, 3]), &d3d12).unwrap();
            assert_eq!(strides(&rows), [pitch, 3, 1]);
            assert_eq!(required_bytes(&rows, &d3d12), Ok((3 * pitch + 3 * width) as u64));
        }
        let elements = fit(&packed(bytes(3).unwrap(), &[4, 5]), &any_width(of(STRIDE_CONSUMER_D3D12))).unwrap();
        assert_eq!(strides(&elements)[0], 256, "of 3 bytes each");
    }

    /// KhronosGroup/Vulkan-Docs#776: bufferRowLength counts texels, so that rows of RGB8 are a multiple of 3 bytes
    /// apart, and offsets a multiple of 12.
    #[test]
    fn rows_told_in_texels() {
        let mut vulkan = with_texel(STRIDE_CONSUMER_VULKAN_IMAGE, 1);
        assert_eq!(meets(&packed(U8, &[2, 4, 5, 3]), &vulkan), Ok(()));
        let at_16 = layout(U8, &[4, 5, 3], &[16, 3, 1]);
        assert_eq!(no(meets(&at_16, &vulkan)), (Detail::StrideMultiple, 0, 16, 3));
        assert_eq!(strides(&fit(&at_16, &vulkan).unwrap()), [15, 3, 1]);
        vulkan.row_alignment = 16;
        assert_eq!(no(meets(&layout(U8, &[4, 5, 3], &[30, 3, 1]), &vulkan)), (Detail::NotAMultiple, 0, 30, 16));
        assert_eq!(strides(&fit(&at_16, &vulkan).unwrap()), [48, 3, 1]);
        // Images lie whole rows apart; the offset is a multiple of the texel and of 4.
        let images = |pitch: i64| meets(&layout(U8, &[2, 4, 5, 3], &[pitch, 48, 3, 1]), &vulkan);
        assert_eq!((images(192), images(240)), (Ok(()), Ok(())));
        assert_eq!(no(images(195)), (Detail::StrideMultiple, 0, 195, 48));
        let rows = packed(U8, &[4, 16, 3]);
        assert_eq!((meets_at(&rows, 24, &vulkan), meets_at(&at(12, rows), 12, &vulkan)), (Ok(()), Ok(())));
        assert_eq!(no(meets_at(&rows, 8, &vulkan)), (Detail::NotAMultiple, -1, 8, 3));
        assert_eq!(no(meets_at(&rows, 6, &vulkan)), (Detail::NotAMultiple, -1, 6, 4));
        assert_eq!(no(meets(&packed(U8, &[4, 0, 3]), &vulkan)), (Detail::Below, 1, 0, 1));
        assert_eq!(no(meets(&packed(U8, &[]), &vulkan)), (Detail::Below, -1, 0, 1));
    }

    /// bkaradzic/bgfx#786: 2 by 2 pixels of RGB8 have 8 bytes a row in KTX files, where UNPACK_ALIGNMENT is 4, not 6.
    #[test]
    fn unpack_alignment_4() {
        let opengl = with_texel(STRIDE_CONSUMER_OPENGL, 1);
        assert_eq!(strides(&fit(&packed(U8, &[2, 2, 3]), &opengl).unwrap()), [8, 3, 1]);
        let pixels = packed(U8, &[4, 5, 3]);
        assert_eq!(no(meets(&pixels, &opengl)), (Detail::NotAMultiple, 0, 15, 4));
        let rows = fit(&pixels, &opengl).unwrap();
        assert_eq!((strides(&rows), required_bytes(&rows, &opengl)), (&[16i64, 3, 1][..], Ok(3 * 16 + 15)));
        // OpenGL 4.6, (8.2): k = a/s · ceil(s·n·l / a) of s below a, else n·l.
        for (bytes, components, width) in [(1, 3, 7), (1, 1, 9), (2, 3, 5), (2, 1, 3), (4, 3, 5), (1, 4, 6)] {
            let dtype = [U8, F16, 0, F32][bytes - 1];
            let found = fit(&packed(dtype, &[4, width, components]), &opengl).unwrap();
            let (s, n, l) = (bytes as i64, components, width);
            let k = if s < 4 { (s * n * l + 3) / 4 * (4 / s) } else { n * l };
            assert_eq!(strides(&found)[0], k, "{bytes} {components} {width}");
        }
        // Images lie whole rows apart.
        assert_eq!(meets(&layout(U8, &[2, 4, 5, 3], &[80, 16, 3, 1]), &opengl), Ok(()));
        assert_eq!(
            no(meets(&layout(U8, &[2, 4, 5, 3], &[84, 16, 3, 1]), &opengl)),
            (Detail::StrideMultiple, 0, 84, 16)
        );
    }

    #[test]
    fn what_a_texel_is() {
        let d3d12 = any_width(with_texel(STRIDE_CONSUMER_D3D12, 1));
        let no_of = |strides: &[i64]| no(meets(&at(9, layout(U8, &[4, 5, 3], strides)), &d3d12));
        assert_eq!(no_of(&[256, 4, 1]), (Detail::Stride, 1, 4, 3));
        assert_eq!(no_of(&[256, 6, 2]), (Detail::Stride, 2, 2, 1));
        assert_eq!(no_of(&[256, 3, -1]), (Detail::Stride, 2, -1, 1));
        assert_eq!(no_of(&[256, 3, 0]), (Detail::Stride, 2, 0, 1));
        assert_eq!(no_of(&[0, 3, 1]), (Detail::StrideZero, 0, 0, 4));
        // Two dimensions: blocks of 4 by 4 pixels of 3 bytes.
        let blocks = any_width(with_texel(STRIDE_CONSUMER_WEBGPU, 3));
        assert_eq!(strides(&fit(&packed(U8, &[7, 5, 4, 4, 3]), &blocks).unwrap()), [256, 48, 12, 3, 1]);
        // One of size 1 has no stride of its own.
        let grey = layout(U8, &[4, 5, 1], &[256, 1, 77]);
        assert_eq!(meets(&grey, &d3d12), Ok(()));
        assert_eq!(strides(&fit(&grey, &d3d12).unwrap()), [256, 1, 1]);
        // Widths, sizes, and counts are those of texels.
        let mut asked = ANYTHING;
        (asked.texel_dimensions, asked.element_bits, asked.size_min, asked.size_max) = (1, 32, 4, 5);
        (asked.elements_max, asked.reach_max) = (20, 20);
        assert_eq!(meets(&packed(U8, &[4, 5, 4]), &asked), Ok(()));
        assert_eq!(no(meets(&packed(U8, &[4, 5, 3]), &asked)), (Detail::ElementBits, -1, 24, 32));
        assert_eq!(no(meets(&packed(U8, &[3, 5, 4]), &asked)), (Detail::Below, 0, 3, 4));
        assert_eq!(no(meets(&packed(U8, &[5, 5, 4]), &asked)), (Detail::ElementsMax, -1, 25, 20));
        assert_eq!(no(meets(&layout(U8, &[4, 5, 4], &[21, 4, 1]), &asked)), (Detail::ReachMax, -1, 21, 20));
        asked = with_texel(STRIDE_CONSUMER_ANY, 2);
        assert_eq!(no(meets(&packed(U8, &[4]), &asked)), (Detail::Below, -1, 1, 2));
        assert_eq!(meets(&packed(U8, &[4, 0]), &asked), Ok(()));
        asked.texel_dimensions = u32::MAX;
        assert_eq!(no(meets(&packed(U8, &[4]), &asked)), (Detail::Below, -1, 1, u32::MAX as i64));
        assert_eq!(required_bytes(&packed(U8, &[4]), &asked), Ok(4));
    }

    #[test]
    fn in_a_free_order() {
        let (mut asked, pitch) = (with_texel(STRIDE_CONSUMER_MDSPAN, 1), [1i64, 48, 3]);
        asked.row_alignment = 16;
        // Channels first, pixels in memory: {C, H, W} of strides {1, 48, 3}.
        assert_eq!(meets(&layout(U8, &[3, 4, 5], &pitch), &asked), Ok(()));
        assert_eq!(strides(&fit(&layout(U8, &[3, 4, 5], &[1, 15, 3]), &asked).unwrap()), [1, 16, 3]);
        assert_eq!(no(meets(&layout(U8, &[3, 4, 5], &[1, 48, 2]), &asked)), (Detail::Nested, 2, 2, 3));
        // One of size 1 at the end is the texel, one in front is not.
        assert_eq!(strides(&fit(&packed(U8, &[4, 5, 1]), &asked).unwrap()), [16, 1, 1]);
        assert_eq!(strides(&fit(&packed(U8, &[1, 4, 5, 3]), &asked).unwrap()), [64, 16, 3, 1]);
        assert_eq!(strides(&fit(&packed(U8, &[4, 1, 5, 1, 3]), &asked).unwrap()), [16, 15, 3, 3, 1]);
        // What leads nowhere is none.
        let repeated = stride_requirements { texel_dimensions: 1, row_alignment: 16, ..ANYTHING };
        assert_eq!(meets(&layout(U8, &[7, 4, 5, 3], &[0, 16, 3, 1]), &repeated), Ok(()));
        assert_eq!(strides(&fit(&layout(U8, &[7, 4, 5, 3], &[0, 16, 3, 1]), &repeated).unwrap()), [3, 160, 32, 1]);
    }

    /// The bytes of a texel may be a number that no product of 64 bits holds.
    #[test]
    fn texels_of_terabytes() {
        let mut asked = with_texel(STRIDE_CONSUMER_ANY, 1);
        asked.flags = STRIDE_REQUIRE_ELEMENT_ALIGNED;
        let texel = (1i64 << 45) + 1;
        let wide = bytes(5).unwrap();
        let far = at(2 * texel, layout(wide, &[3, texel], &[texel, 1]));
        assert_eq!((meets_at(&far, 0, &asked), meets_at(&far, 5 * texel as u64, &asked)), (Ok(()), Ok(())));
        assert_eq!(no(meets_at(&far, 5, &asked)), (Detail::NotAMultiple, -1, 10 * texel + 5, 5 * texel));
        assert_eq!(no(meets(&at(-2 * texel + 1, far), &asked)).0, Detail::NotAMultiple);
    }
}

/// developer.apple.com, MTLTensorDescriptor.strides.
mod metal {
    use super::*;

    /// desert-ant-core#120: f16 rows of 200 lie 224 elements apart.
    #[test]
    fn rows_of_200_halves() {
        let metal = of(STRIDE_CONSUMER_METAL);
        assert_eq!(no(meets(&packed(F16, &[3, 5, 200]), &metal)), (Detail::NotAMultiple, 1, 400, 64));
        assert_eq!(strides(&fit(&packed(F16, &[3, 5, 200]), &metal).unwrap()), [1120, 224, 1]);
        assert_eq!(no(meets(&layout(F16, &[3, 5, 200], &[1152, 224, 1]), &metal)), (Detail::Stride, 0, 1152, 1120));
        assert_eq!(meets(&layout(F16, &[3, 5, 200], &[1120, 224, 1]), &metal), Ok(()));
        assert_eq!(meets(&layout(F16, &[3, 5, 200], &[1280, 256, 1]), &metal), Ok(()), "a larger pitch is taken");
        assert_eq!(no(meets(&layout(F16, &[3, 5, 200], &[2400, 480, 2]), &metal)), (Detail::Stride, 2, 2, 1));
        assert_eq!(no(meets(&packed(F64, &[3, 200]), &metal)).0, Detail::DtypeForeign);
        assert_eq!(no(meets(&packed(F16, &[1; 17]), &metal)), (Detail::Above, -1, 17, 16));
        assert_eq!(meets(&packed(F16, &[]), &metal), Ok(()));
    }

    /// Rows of size 1: whatever stride they have, the one outside them must be one that they could have.
    #[test]
    fn a_single_row() {
        let metal = of(STRIDE_CONSUMER_METAL);
        let image = |outer: i64| meets(&layout(F16, &[3, 1, 200], &[outer, -9, 1]), &metal);
        assert_eq!((image(224), image(256)), (Ok(()), Ok(())));
        assert_eq!(no(image(200)), (Detail::Nested, 0, 200, 224));
        assert_eq!(no(image(230)), (Detail::StrideMultiple, 0, 230, 32));
    }

    /// Any other usage than machine learning.
    #[test]
    fn compute_usage_by_changed_fields() {
        let mut metal = of(STRIDE_CONSUMER_METAL);
        (metal.row_alignment, metal.exact_from) = (0, 0);
        assert_eq!(meets(&packed(F16, &[3, 5, 200]), &metal), Ok(()));
        assert_eq!(no(meets(&layout(F16, &[3, 5, 200], &[900, 200, 1]), &metal)), (Detail::Nested, 0, 900, 1000));
    }
}

/// VUID-VkTensorDescriptionARM-…, each by its number, with the least limits that a device may have.
mod vulkan {
    use super::*;

    fn device() -> stride_requirements {
        let mut vulkan = of(STRIDE_CONSUMER_VULKAN);
        (vulkan.rank_max, vulkan.elements_max, vulkan.size_max) = (4, 65536, 65536);
        (vulkan.stride_bytes_max, vulkan.bytes_max) = (65536, 1 << 18);
        vulkan
    }

    fn refused(sizes: &[i64], strides: &[i64]) -> No {
        no(meets(&layout(F32, sizes, strides), &device()))
    }

    /// A dimension of size 1 has a stride as well, which lies after all that it holds.
    #[test]
    fn sizes_of_one_that_have_no_stride() {
        let mut device = device();
        (device.elements_max, device.bytes_max) = (0, 0);
        let image = layout(U8, &[1, 64, 1024], &[0, 1024, 1]);
        assert_eq!(meets(&image, &device).map(|()| fit(&image, &device).map(|fit| strides(&fit)[0])), Ok(Ok(65536)));
        let image = layout(U8, &[1, 65, 1024], &[0, 1024, 1]);
        assert_eq!(no(meets(&image, &device)), (Detail::StrideBytes, 0, 66560, 65536));
        assert_eq!(no(fit(&image, &device).map(|_| ())), (Detail::StrideBytes, 0, 66560, 65536));
        // Where dimensions need not lie around each other, it may be any short one.
        device.flags &= !STRIDE_REQUIRE_NESTED;
        assert_eq!(meets(&image, &device), Ok(()));
        let short = fit(&image, &device).unwrap();
        assert_eq!((strides(&short)[0] <= 65536, &strides(&short)[1..]), (true, &[1024i64, 1][..]));
    }

    #[test]
    fn what_holds() {
        assert_eq!(meets(&packed(F32, &[2, 3, 4, 5]), &device()), Ok(()));
        assert_eq!(meets(&layout(F32, &[2, 3, 4], &[100, 20, 1]), &device()), Ok(()));
    }

    #[test]
    fn vuid_09733_dimension_count() {
        assert_eq!(refused(&[1; 5], &[1; 5]), (Detail::Above, -1, 5, 4));
        assert_eq!(refused(&[], &[]), (Detail::Below, -1, 0, 1));
    }

    #[test]
    fn vuid_09734_and_09883_sizes() {
        assert_eq!(refused(&[2, 0, 3], &[1, 1, 1]), (Detail::Below, 1, 0, 1));
        assert_eq!(refused(&[65537], &[1]), (Detail::Above, 0, 65537, 65536));
    }

    #[test]
    fn vuid_09735_one_component() {
        for dtype in [Dtype::C128.code(), U4, bytes(4).unwrap()] {
            assert_eq!(no(meets(&packed(dtype, &[2]), &device())).0, Detail::DtypeForeign);
        }
        // VK_FORMAT_R8_UINT, R16_SFLOAT, R32_SFLOAT, R64_SINT, R64_SFLOAT.
        for dtype in [Dtype::U8, Dtype::F16, Dtype::F32, Dtype::S64, Dtype::F64] {
            assert_eq!(meets(&packed(dtype.code(), &[2]), &device()), Ok(()), "{dtype:?}");
        }
    }

    #[test]
    fn vuid_09736_the_last_stride_is_an_element() {
        assert_eq!(refused(&[2, 3], &[8, 2]), (Detail::Stride, 1, 2, 1));
    }

    /// 09737, multiples of the element size, holds of all strides in elements.
    #[test]
    fn vuid_09738_positive_and_limited() {
        assert_eq!(refused(&[2, 3], &[0, 1]), (Detail::StrideZero, 0, 0, 2));
        assert_eq!(no(meets(&at(3, layout(F32, &[2, 3], &[-3, 1])), &device())), (Detail::NegativeStride, 0, -3, 0));
        assert_eq!(refused(&[2, 3], &[16385, 1]), (Detail::StrideBytes, 0, 65540, 65536));
        assert_eq!(meets(&layout(F32, &[2, 3], &[16384, 1]), &device()), Ok(()));
    }

    #[test]
    fn vuid_09739_nested() {
        assert_eq!(refused(&[2, 3], &[2, 1]), (Detail::Nested, 0, 2, 3));
    }

    /// pStrides[0] × pDimensions[0] ≤ maxTensorSize.
    #[test]
    fn vuid_09884_bytes() {
        let rows = layout(F32, &[5, 3], &[16384, 1]);
        assert_eq!(required_bytes(&rows, &device()), Ok(5 * 65536));
        assert_eq!(no(meets(&rows, &device())), (Detail::BytesMax, -1, 5 * 65536, 1 << 18));
        assert_eq!(required_bytes(&packed(F32, &[2, 3]), &device()), Ok(24));
        // The first size is 1: its stride says nothing, and is at least what lies inside.
        assert_eq!(required_bytes(&layout(F32, &[1, 4, 3], &[7, 8, 1]), &device()), Ok(4 * 8 * 4));
    }

    #[test]
    fn vuid_09740_packed_without_the_feature() {
        let mut packed_only = device();
        packed_only.exact_from = 1;
        assert_eq!(no(meets(&layout(F32, &[2, 3], &[4, 1]), &packed_only)), (Detail::Stride, 0, 4, 3));
        assert_eq!(meets(&packed(F32, &[2, 3]), &packed_only), Ok(()));
    }

    /// VUID-VkTensorCreateInfoARM-…: at most maxTensorElements.
    #[test]
    fn elements() {
        assert_eq!(no(meets(&packed(U8, &[257, 256]), &device())), (Detail::ElementsMax, -1, 257 * 256, 65536));
    }
}

/// Those that ask for little.
mod any_order {
    use super::*;

    /// cuTENSOR, cutensorCreateTensorDescriptor: extents and strides larger than zero.
    #[test]
    fn cutensor() {
        let mut cutensor = of(STRIDE_CONSUMER_CUTENSOR);
        assert_eq!(meets(&layout(F32, &[4, 5, 6], &[3, 70, 12]), &cutensor), Ok(()));
        assert_eq!(no(meets(&layout(F32, &[4, 5], &[0, 1]), &cutensor)), (Detail::StrideZero, 0, 0, 4));
        assert_eq!(no(meets(&at(4, layout(F32, &[5], &[-1])), &cutensor)), (Detail::NegativeStride, 0, -1, 0));
        assert_eq!(no(meets(&packed(F32, &[4, 0]), &cutensor)), (Detail::Below, 1, 0, 1));
        assert_eq!(meets(&layout(F32, &[1, 5], &[0, 1]), &cutensor), Ok(()), "size 1");
        cutensor.base_alignment = 128;
        assert_eq!(no(meets_at(&packed(F32, &[4]), 64, &cutensor)), (Detail::NotAMultiple, -1, 64, 128));
    }

    /// [mdspan.layout.stride.cons]: s[i] > 0, and a permutation with s[p(i)] >= s[p(i−1)] · e(p(i−1)).
    #[test]
    fn mdspan() {
        let mdspan = of(STRIDE_CONSUMER_MDSPAN);
        for (sizes, strides) in [([2i64, 3], [3i64, 1]), ([2, 3], [1, 2]), ([2, 3], [100, 7]), ([2, 3], [5, 10])] {
            assert_eq!(meets(&layout(F32, &sizes, &strides), &mdspan), Ok(()), "{strides:?}");
        }
        assert_eq!(no(meets(&layout(F32, &[2, 3], &[2, 1]), &mdspan)), (Detail::Nested, 0, 2, 3));
        assert_eq!(no(meets(&layout(F32, &[2, 3], &[5, 5]), &mdspan)), (Detail::Nested, 0, 5, 15));
        assert_eq!(no(meets(&layout(F32, &[2, 3], &[0, 1]), &mdspan)), (Detail::StrideZero, 0, 0, 2));
        // REQUIRED-SPAN-SIZE: 1 + Σ (e − 1) · s, 0 if empty.
        assert_eq!(required_bytes(&layout(U8, &[2, 3], &[100, 7]), &mdspan), Ok(115));
        assert_eq!(meets(&packed(F32, &[2, 0]), &mdspan), Ok(()));
    }

    /// Arrow, Canonical Extension Types, fixed shape tensor: a permutation of a row-major tensor.
    #[test]
    fn arrow() {
        let arrow = of(STRIDE_CONSUMER_ARROW);
        assert_eq!(meets(&channels_last(F32, &[2, 3, 4, 5]).unwrap(), &arrow), Ok(()));
        // apache/arrow#37533: the order of a view with gaps.
        assert_eq!(no(meets(&layout(F32, &[2, 3], &[1, 4]), &arrow)), (Detail::Stride, 1, 4, 2));
        assert_eq!(strides(&fit(&layout(F32, &[2, 3], &[1, 4]), &arrow).unwrap()), [1, 2]);
        assert_eq!(no(meets(&layout(F32, &[2, 3], &[2, 4]), &arrow)), (Detail::Stride, 0, 2, 1));
        assert_eq!(meets(&layout(F32, &[2, 1, 3], &[3, 99, 1]), &arrow), Ok(()));
    }

    #[test]
    fn nobody_refuses_nothing() {
        let (anything, zeroed) = (of(STRIDE_CONSUMER_ANY), ANYTHING);
        let hopeless =
            [layout(F32, &[4, 0], &[-3, 7]), layout(U4, &[3, 5], &[0, -1]), packed(bytes(3).unwrap(), &[1; 64])];
        for layout in hopeless {
            assert_eq!((meets_at(&layout, 7, &anything), meets_at(&layout, 7, &zeroed)), (Ok(()), Ok(())));
        }
        // The least pitches in the order of memory: what NumPy's copy(order="K") has.
        let picture = layout(F32, &[2, 3, 4], &[1, -100, 5]);
        assert_eq!(fields(&fit(&at(200, picture), &anything).unwrap()), (vec![2, 3, 4], vec![1, 8, 2], 0));
        assert_eq!(strides(&fit(&layout(F32, &[3, 1, 4], &[0, 9, 1]), &anything).unwrap()), [1, 12, 3]);
        assert_eq!(strides(&fit(&packed(F32, &[4, 0]), &anything).unwrap()), [0, 0]);
        assert_eq!(required_bytes(&at(200, picture), &anything), Ok((1 + 200 + 15 + 1) * 4), "offsets do not count");
    }
}

/// The element types of each consumer, as its own pages list them; every other one is refused.
mod dtypes {
    use super::*;

    /// Every named dtype and some plain bytes that the consumer takes, at an address and of sizes that always do.
    fn taken(consumer: u32) -> Vec<String> {
        let mut asked = of(consumer);
        (asked.row_alignment, asked.rank_min, asked.size_min) = (0, 0, 0);
        let plain = (1..=33).map(|count| Dtype::bytes(count).unwrap());
        let all = Dtype::all().flat_map(|dtype| [dtype, dtype.swapped(), dtype.high_first()]).chain(plain);
        let mut taken: Vec<_> =
            all.filter(|dtype| meets(&packed(dtype.code(), &[1]), &asked).is_ok()).map(|d| d.to_string()).collect();
        taken.dedup();
        taken.sort();
        taken
    }

    fn are(consumer: u32, list: &str) {
        let mut list: Vec<_> = list.split_whitespace().map(str::to_owned).collect();
        list.sort();
        assert_eq!(taken(consumer), list, "{:?}", Consumer::from_number(consumer));
    }

    /// DML_TENSOR_DATA_TYPE: FLOAT32, FLOAT16, UINT32, UINT16, UINT8, INT32, INT16, INT8, FLOAT64, UINT64, INT64, UINT4,
    /// INT4.
    #[test]
    fn directml() {
        are(STRIDE_CONSUMER_DIRECTML, "f32 f16 u32 u16 u8 s32 s16 s8 f64 u64 s64 u4 s4");
    }

    /// DXGI_FORMAT: R8_UINT, R8_SINT, R16_UINT, R16_SINT, R16_FLOAT, R32_UINT, R32_SINT, R32_FLOAT; R8G8 (2 bytes),
    /// R8G8B8A8 (4), R16G16B16A16 and BC1 (8), R32G32B32 (12), R32G32B32A32 and BC7 (16).
    #[test]
    fn d3d12() {
        are(STRIDE_CONSUMER_D3D12, "u8 s8 u16 s16 f16 u32 s32 f32 bytes1 bytes2 bytes4 bytes8 bytes12 bytes16");
    }

    /// WebGPU, 26.1 Texture Format Capabilities: copy footprints of 1 (r8uint), 2 (r16float), 4 (r32float), 8
    /// (rgba16uint, bc1), 16 (rgba32float, astc); none of 12.
    #[test]
    fn webgpu() {
        are(STRIDE_CONSUMER_WEBGPU, "u8 s8 u16 s16 f16 u32 s32 f32 bytes1 bytes2 bytes4 bytes8 bytes16");
    }

    /// CUtensorMapDataType: UINT8, UINT16, UINT32, INT32, UINT64, INT64, FLOAT16, FLOAT32, FLOAT64, BFLOAT16: 1, 2, 4
    /// and 8 bytes, which CUTLASS's to_CUtensorMapDataType takes int8 and float8 as.
    #[test]
    fn tma() {
        are(
            STRIDE_CONSUMER_TMA,
            "pred s8 s16 s32 s64 u8 u16 u32 u64 f8e3m4 f8e4m3 f8e4m3fn f8e4m3b11fnuz f8e4m3fnuz f8e5m2 f8e5m2fnuz \
             f8e8m0fnu f16 bf16 f32 f64 c64 bytes1 bytes2 bytes4 bytes8",
        );
    }

    /// cuTENSOR 2, cutensorCreatePermutation: CUDA_R_16F, R_16BF, R_32F, R_64F, C_32F, C_64F.
    #[test]
    fn cutensor() {
        are(STRIDE_CONSUMER_CUTENSOR, "f16 bf16 f32 f64 c64 c128");
    }

    /// MTLTensorDataType of macOS 26: Float32, Float16, BFloat16, Int8, UInt8, Int16, UInt16, Int32, UInt32.
    #[test]
    fn metal() {
        are(STRIDE_CONSUMER_METAL, "f32 f16 bf16 s8 u8 s16 u16 s32 u32");
    }

    /// Formats of one component: VK_FORMAT_R8_UINT, R8_SINT, …, R64_SFLOAT, and those of VK_ARM_tensors: R8_BOOL_ARM,
    /// R16_SFLOAT_FPENCODING_BFLOAT16_ARM, R8_SFLOAT_FPENCODING_FLOAT8E4M3_ARM, R8_SFLOAT_FPENCODING_FLOAT8E5M2_ARM.
    #[test]
    fn vulkan() {
        are(STRIDE_CONSUMER_VULKAN, "u8 s8 u16 s16 f16 u32 s32 f32 u64 s64 f64 pred bf16 f8e4m3fn f8e5m2");
    }

    /// Any object type: those of less than a byte are none, nor is a number whose bytes stand in the other order.
    #[test]
    fn mdspan() {
        let named = Dtype::all().filter(|dtype| !dtype.is_sub_byte()).map(|dtype| dtype.to_string());
        let all: Vec<_> = named.chain((1..=33).map(|count| format!("bytes{count}"))).collect();
        are(STRIDE_CONSUMER_MDSPAN, &all.join(" "));
    }

    /// Arrow, Data Types: Int of 8, 16, 32, 64 bits, signed and unsigned; Floating Point: half, single, double; Fixed
    /// Size Binary. Boolean has one bit.
    #[test]
    fn arrow() {
        let plain: Vec<_> = (1..=33).map(|count| format!("bytes{count}")).collect();
        are(STRIDE_CONSUMER_ARROW, &format!("s8 s16 s32 s64 u8 u16 u32 u64 f16 f32 f64 {}", plain.join(" ")));
    }

    /// Compatible Formats: texel blocks of 1 (R8), 2, 3 (R8G8B8), 4, 6 (R16G16B16), 8, 12 (R32G32B32), 16, 24 (R64G64B64)
    /// and 32 bytes (R64G64B64A64).
    #[test]
    fn vulkan_image() {
        are(
            STRIDE_CONSUMER_VULKAN_IMAGE,
            "u8 s8 u16 s16 f16 u32 s32 f32 u64 s64 f64 bytes1 bytes2 bytes3 bytes4 bytes6 bytes8 bytes12 bytes16 bytes24 \
             bytes32",
        );
    }

    /// OpenGL 4.6, table 8.2: UNSIGNED_BYTE, BYTE, UNSIGNED_SHORT, SHORT, UNSIGNED_INT, INT, HALF_FLOAT, FLOAT.
    #[test]
    fn opengl() {
        are(STRIDE_CONSUMER_OPENGL, "u8 s8 u16 s16 u32 s32 f16 f32");
    }

    /// Components of a texel: the dtype is the component's, the width the texel's.
    #[test]
    fn components() {
        let texel = |consumer, dtype: Dtype, count| {
            let mut asked = of(consumer);
            (asked.texel_dimensions, asked.row_alignment) = (1, 0);
            meets(&packed(dtype.code(), &[1, 1, count]), &asked).is_ok()
        };
        let counts = |consumer, dtype| (1..=5).filter(|&count| texel(consumer, dtype, count)).collect::<Vec<_>>();
        assert_eq!(counts(STRIDE_CONSUMER_D3D12, Dtype::U8), [1, 2, 4]);
        assert_eq!(counts(STRIDE_CONSUMER_D3D12, Dtype::F32), [1, 2, 3, 4]);
        assert_eq!(counts(STRIDE_CONSUMER_WEBGPU, Dtype::F32), [1, 2, 4]);
        assert_eq!(counts(STRIDE_CONSUMER_WEBGPU, Dtype::F64), [0i64; 0]);
        assert_eq!(counts(STRIDE_CONSUMER_VULKAN_IMAGE, Dtype::F64), [1, 2, 3, 4]);
        assert_eq!(counts(STRIDE_CONSUMER_OPENGL, Dtype::U8), [1, 2, 3, 4]);
        assert_eq!(counts(STRIDE_CONSUMER_OPENGL, Dtype::F16), [1, 2, 3, 4]);
    }

    #[test]
    fn sentences() {
        let say = |consumer, dtype| sentence(&error(meets(&packed(dtype, &[2]), &of(consumer))));
        assert_eq!(
            say(STRIDE_CONSUMER_CUTENSOR, U4),
            "layout: dtype u4 is not accepted; those accepted are f16, bf16, f32, f64, c64, c128"
        );
        assert_eq!(
            say(STRIDE_CONSUMER_ARROW, Dtype::F64.swapped().code()),
            "layout: dtype f64:swapped is not accepted; f64 is"
        );
        assert_eq!(
            say(STRIDE_CONSUMER_D3D12, Dtype::C128.code()),
            "layout: dtype c128 is not accepted; those accepted are s8, s16, s32, u8, u16, u32, f16, f32, plain bytes"
        );
        assert_eq!(
            say(STRIDE_CONSUMER_D3D12, bytes(5).unwrap()),
            "layout: 40-bit elements are not accepted; those accepted have bits: 8, 16, 32, 64, 96, 128"
        );
        assert_eq!(
            say(STRIDE_CONSUMER_VULKAN_IMAGE, bytes(5).unwrap()),
            "layout: 40-bit elements are not accepted; those accepted have bits: 8, 16, 24, 32, 48, 64, 96, 128, 192, 256"
        );
    }

    /// A name is that of the constant, so that the tool, Python and the header have one.
    #[test]
    fn names() {
        let header = include_str!("../include/stride_consumers.h");
        for consumer in Consumer::ALL {
            let line = format!("STRIDE_CONSUMER_{} = {}", consumer.name().to_uppercase(), consumer as u32);
            assert!([",", " }"].iter().any(|end| header.contains(&(line.clone() + end))), "{line}");
        }
    }
}

/// DirectML's rules as a preset against `stride_dml_validate`.
mod directml {
    use super::*;

    /// The verdict of a descriptor that has exactly the bytes that it needs.
    fn agree(data_type: u32, sizes: &[u32], strides: Option<&[u32]>) -> bool {
        let tensor = tensor(data_type, sizes, strides);
        let Ok(layout) = from_dml(&tensor) else {
            assert!(dml_validate(&tensor).is_err());
            return false;
        };
        let (verdict, preset) = (dml_validate(&tensor), meets(&layout, &of(STRIDE_CONSUMER_DIRECTML)));
        assert_eq!(verdict.is_ok(), preset.is_ok(), "{data_type} {sizes:?} {strides:?}: {verdict:?}, {preset:?}");
        assert_eq!(required_bytes(&layout, &of(STRIDE_CONSUMER_DIRECTML)), dml_size(data_type, sizes, strides));
        verdict.is_ok()
    }

    #[test]
    #[cfg_attr(miri, ignore = "thousands of cases")]
    fn every_small_descriptor() {
        let (mut cases, mut taken) = (0, 0);
        let mut count = |answer: bool| (cases, taken) = (cases + 1, taken + answer as usize);
        for data_type in [1, 5, 12] {
            count(agree(data_type, &[], None));
            for number in 0u32..(4 * 5) * (4 * 5) * (4 * 5) {
                let part = |k: u32| number / 20u32.pow(k) % 20;
                let (sizes, strides) = ([0, 1, 2].map(|k| part(k) % 4), [0, 1, 2].map(|k| part(k) / 4));
                for rank in 1..4 {
                    if number < 20u32.pow(rank) {
                        let rank = rank as usize;
                        count(agree(data_type, &sizes[..rank], Some(&strides[..rank])));
                        count(agree(data_type, &sizes[..rank], None));
                    }
                }
            }
        }
        println!("{cases} descriptors, {taken} taken");
        assert!(taken > 10_000);
    }

    #[test]
    fn every_data_type_and_every_limit() {
        for data_type in 0..16 {
            assert_eq!(agree(data_type, &[2, 3], None), (1..14).contains(&data_type));
        }
        let max = u32::MAX;
        assert!(agree(5, &[max], None) && agree(5, &[1; 8], None) && agree(5, &[2, 1], Some(&[max - 2, 0])));
        assert!(!agree(5, &[1 << 16, 1 << 16], None) && !agree(5, &[max, 2], Some(&[1, max])));
        assert!(!agree(5, &[2, 2], Some(&[max - 1, 1])) && !agree(1, &[3, 2], Some(&[1 << 31, 1])));
        assert!(agree(1, &[max, max], Some(&[0, 0])) != (max as u64 * max as u64 > max as u64));
        let preset = of(STRIDE_CONSUMER_DIRECTML);
        assert_eq!(no(meets(&packed(U8, &[1; 9]), &preset)), (Detail::Above, -1, 9, 8));
        assert_eq!(
            no(meets(&packed(U8, &[1 << 16, 1 << 16]), &preset)),
            (Detail::ElementsMax, -1, 1 << 32, max as i64)
        );
        let far = layout(U8, &[2], &[max as i64]);
        assert_eq!(no(meets(&far, &preset)), (Detail::ReachMax, -1, 1 << 32, max as i64));
        assert_eq!(no(meets(&at(1, layout(U8, &[2], &[-1])), &preset)), (Detail::NegativeStride, 0, -1, 0));
        for dtype in [Dtype::PRED.code(), BF16, Dtype::C64.code(), bytes(4).unwrap(), U4 | STRIDE_DTYPE_HIGH_FIRST] {
            assert_eq!(no(meets(&packed(dtype, &[2]), &preset)).0, Detail::DtypeForeign);
        }
    }
}

/// What is none, and numbers at the edge.
mod edges {
    use super::*;

    #[test]
    fn structs_that_are_none() {
        let rows = packed(F32, &[2, 3]);
        let mut asked = of(STRIDE_CONSUMER_TMA);
        for (size, needed) in [(95, 96), (97, 104), (103, 104)] {
            asked.struct_size = size;
            let (said, size) = (error(meets(&rows, &asked)), size as i64);
            assert_eq!(
                (said.status, said.argument, said.lhs, said.rhs),
                (2, Argument::Requirements.number(), size, needed)
            );
        }
        asked.struct_size = 4097;
        assert_eq!(error(fit(&rows, &asked)).detail, Detail::Above.number() as u64);
        let mut larger = [0u64; 14];
        (larger[0], larger[13]) = (112, 1 << 8);
        let mut out = 0;
        let said = error(call!(stride_layout_required_bytes, &rows, larger.as_ptr().cast(), &mut out));
        assert_eq!((said.detail, said.lhs, said.rhs), (Detail::StructTail.number() as u64, 105, 104));
        larger[13] = 0;
        assert_eq!(call!(stride_layout_required_bytes, &rows, larger.as_ptr().cast(), &mut out).map(|()| out), Ok(24));
        asked = of(STRIDE_CONSUMER_TMA);
        asked.flags |= 512;
        assert_eq!(error(meets(&rows, &asked)).detail, Detail::UnknownFlag.number() as u64);
        let said = error(call!(stride_requirements_init, &mut asked, 12));
        assert_eq!((said.argument, said.lhs, said.rhs), (Argument::Consumer.number(), 12, 11));
    }

    /// Behind the end of an earlier version there may be anything: it is not read.
    #[test]
    fn requirements_of_the_first_version() {
        let mut asked = of(STRIDE_CONSUMER_D3D12);
        (asked.struct_size, asked.texel_dimensions, asked.element_bits_by_three) = (96, 1, 1 << 15);
        assert_eq!(strides(&fit(&packed(U8, &[2, 4, 3]), &asked).unwrap()), [1024, 256, 1]);
        (asked.struct_size, asked.element_bits_by_three) = (104, 8);
        assert_eq!(strides(&fit(&packed(U8, &[2, 4, 3]), &asked).unwrap()), [256, 3, 1]);
    }

    #[test]
    fn the_output_may_be_the_input() {
        let mut rows = packed(BF16, &[64, 511]);
        let pointer: *mut stride_layout = &mut rows;
        call!(stride_layout_adapt, pointer, &of(STRIDE_CONSUMER_TMA), pointer).unwrap();
        assert_eq!(strides(&rows), [512, 1]);
    }

    #[test]
    fn elements_below_a_byte() {
        let mut asked = ANYTHING;
        (asked.flags, asked.row_alignment) = (STRIDE_REQUIRE_LAST_INNERMOST, 1);
        assert_eq!(no(meets(&packed(U4, &[2, 3]), &asked)), (Detail::WholeBytes, 0, 3, 2));
        assert_eq!(strides(&fit(&packed(U4, &[2, 3]), &asked).unwrap()), [4, 1]);
        (asked.row_alignment, asked.stride_bytes_max) = (0, 3);
        assert_eq!(meets(&layout(U4, &[2, 3], &[6, 1]), &asked), Ok(()));
        assert_eq!(no(meets(&layout(U4, &[2, 3], &[7, 1]), &asked)), (Detail::StrideBytes, 0, 4, 3), "3.5 bytes");
        (asked.row_alignment, asked.stride_bytes_max) = (16, 0);
        assert_eq!(strides(&fit(&packed(U4, &[2, 33]), &asked).unwrap()), [64, 1]);
        asked.base_alignment = 2;
        let rows = layout(U4, &[2, 3], &[32, 1]);
        assert_eq!(no(meets(&at(1, rows), &asked)), (Detail::WholeBytes, -1, 1, 2));
        assert_eq!(no(meets(&at(2, rows), &asked)), (Detail::NotAMultiple, -1, 1, 2));
        assert_eq!((meets(&at(4, rows), &asked), meets_at(&at(2, rows), 3, &asked)), (Ok(()), Ok(())));
    }

    /// Dimensions of size 1 outside of what leaves no room for their natural stride: they keep to the rules among
    /// themselves.
    #[test]
    fn strides_of_size_1_under_a_limit() {
        let mut asked = ANYTHING;
        (asked.flags, asked.exact_from) = (STRIDE_REQUIRE_LAST_INNERMOST, 3);
        (asked.outer_alignment, asked.stride_bytes_max) = (3, 8);
        assert_eq!(strides(&fit(&packed(Dtype::F16.code(), &[1, 1, 4, 1]), &asked).unwrap()), [3, 3, 1, 1]);
        (asked.outer_alignment, asked.stride_bytes_max) = (0, 3);
        assert_eq!(strides(&fit(&packed(U8, &[1, 1, 2, 2]), &asked).unwrap()), [1, 1, 2, 1]);
        // One that leads somewhere lies after all that is inside it.
        assert_eq!(no(fit(&packed(U8, &[2, 1, 2, 2]), &asked).map(|_| ())), (Detail::StrideBytes, 0, 4, 3));
        asked.stride_bytes_max = 4;
        assert_eq!(strides(&fit(&packed(U8, &[2, 1, 2, 2]), &asked).unwrap()), [4, 4, 2, 1]);
        // Of the innermost no limit is asked.
        let (one, two) = (packed(Dtype::F64.code(), &[1]), packed(Dtype::F64.code(), &[2]));
        assert_eq!((meets(&one, &asked), fit(&one, &asked).is_ok()), (Ok(()), true));
        assert_eq!(no(meets(&two, &asked)), (Detail::StrideBytes, 0, 8, 4));
    }

    /// Widths and alignments that are no powers of two: pixels of 3 bytes at a pitch of 16 lie 16 pixels apart.
    #[test]
    fn pixels_of_three_bytes() {
        let (mut asked, pixel) = (ANYTHING, bytes(3).unwrap());
        asked.row_alignment = 16;
        assert_eq!(strides(&fit(&packed(pixel, &[4, 5]), &asked).unwrap()), [16, 1]);
        assert_eq!(no(meets(&layout(pixel, &[4, 5], &[8, 1]), &asked)), (Detail::NotAMultiple, 0, 24, 16));
        asked.base_alignment = 12;
        assert_eq!(meets_at(&at(4, layout(pixel, &[4, 5], &[16, 1])), 24, &asked), Ok(()));
        assert_eq!(
            no(meets_at(&at(3, layout(pixel, &[4, 5], &[16, 1])), 24, &asked)),
            (Detail::NotAMultiple, -1, 33, 12)
        );
        assert_eq!(meets_at(&at(-4, layout(pixel, &[4, 5], &[16, 1])), 24, &asked), Ok(()));
        // 2^64 is 4 modulo 12, and so is 2^62; 2^24 - 1 is 3.
        assert_eq!(meets_at(&at(4, layout(pixel, &[4, 5], &[16, 1])), u64::MAX - 3, &asked), Ok(()));
        let far = layout(bytes((1 << 24) - 1).unwrap(), &[2], &[-(1 << 62)]);
        assert_eq!(meets_at(&far, 24, &asked), Ok(()));
        assert_eq!(no(meets_at(&far, 25, &asked)).0, Detail::NotAMultiple);
        // Without a gap from the rows on, the pixels' pitch is rounded up for them: 16 / gcd(16, 10) of 10.
        (asked.exact_from, asked.row_alignment) = (1, 16);
        assert_eq!(strides(&fit(&packed(U8, &[4, 10]), &asked).unwrap()), [80, 8]);
        asked.flags = STRIDE_REQUIRE_UNIT_STRIDE;
        assert_eq!(no(fit(&packed(U8, &[4, 10]), &asked).map(|_| ())), (Detail::NotAMultiple, 0, 10, 16));
    }

    #[test]
    fn numbers_that_do_not_fit() {
        let mut asked = ANYTHING;
        (asked.row_alignment, asked.flags) = (u32::MAX, STRIDE_REQUIRE_LAST_INNERMOST | STRIDE_REQUIRE_MULTIPLES);
        asked.outer_alignment = u32::MAX - 1;
        let said = error(fit(&packed(U8, &[2, 2, 2, 1 << 40]), &asked));
        assert_eq!(said.status, Status::Overflow.number(), "{}", sentence(&said));
        asked = ANYTHING;
        asked.row_alignment = 1 << 31;
        let said = error(fit(&packed(U8, &[1 << 31, 2]), &asked));
        assert_eq!(said.status, Status::Overflow.number(), "{}", sentence(&said));
        // Strides of 2^60 elements of 16 MiB below the base: the bytes are not a number of 64 bits.
        let far = layout(bytes((1 << 24) - 1).unwrap(), &[2], &[-(1 << 62)]);
        assert_eq!(status(required_bytes(&far, &asked)), Status::Overflow.number());
        asked.bytes_max = 1;
        assert_eq!(status(meets(&far, &asked)), Status::Overflow.number());
        (asked.bytes_max, asked.stride_bytes_max, asked.base_alignment) = (0, 1 << 40, 1 << 30);
        assert_eq!(no(meets(&far, &asked)), (Detail::StrideBytes, 0, i64::MAX, 1 << 40));
        // 2^60 is 2^28 modulo 2^32 - 1.
        let mut rounded = ANYTHING;
        rounded.total_alignment = u32::MAX;
        assert_eq!(required_bytes(&packed(U8, &[(1 << 60) - 1]), &rounded), Ok((1 << 60) - (1 << 28) + (1 << 32) - 1));
    }

    #[test]
    fn rank_64() {
        let (tall, mut asked) = (packed(U8, &[1; 64]), of(STRIDE_CONSUMER_MDSPAN));
        assert_eq!(meets(&tall, &asked), Ok(()));
        let sizes: Vec<i64> = (0..62).map(|_| 2).collect();
        assert_eq!(no(meets(&layout(U8, &sizes, &[1; 62]), &asked)), (Detail::Nested, 60, 1, 2));
        asked.flags |= STRIDE_REQUIRE_LAST_INNERMOST;
        asked.row_alignment = 16;
        assert_eq!(strides(&fit(&tall, &asked).unwrap()), [[16; 63].as_slice(), &[1]].concat());
    }
}

/// Each rule once more, as its sentence in the header says it, and brute force for what is free.
mod restated {
    use super::*;

    /// What one texel is: the dimensions, and its elements.
    struct Texel {
        order: Vec<usize>,
        elements: i64,
    }

    #[derive(Clone, Debug)]
    pub struct Case {
        pub sizes: Vec<i64>,
        pub strides: Vec<i64>,
        pub offset: i64,
        pub dtype: u32,
        pub address: u64,
    }

    impl Case {
        fn bits(&self) -> i64 {
            Dtype::new(self.dtype).unwrap().bits()
        }

        pub fn layout(&self) -> stride_layout {
            at(self.offset, layout(self.dtype, &self.sizes, &self.strides))
        }

        fn is_empty(&self) -> bool {
            self.sizes.contains(&0)
        }

        /// The innermost dimensions as they stand; or by strides, those of size 1 around the next one to the right,
        /// those that lead nowhere last.
        fn texel(&self, asked: &stride_requirements) -> Texel {
            let mut order: Vec<usize> = (0..self.sizes.len()).rev().collect();
            if asked.flags & STRIDE_REQUIRE_LAST_INNERMOST == 0 && !self.is_empty() {
                order.sort_by_key(|&d| {
                    let of = (d..self.sizes.len()).find(|&d| self.sizes[d] != 1);
                    of.map_or((false, 0), |d| (self.strides[d] == 0, self.strides[d].abs()))
                });
            }
            order.truncate(asked.texel_dimensions as usize);
            Texel { elements: order.iter().map(|&d| self.sizes[d]).product(), order }
        }

        /// Dimension numbers from the innermost outwards.
        fn order(&self, asked: &stride_requirements, with_zeros: bool) -> Vec<usize> {
            let texel = self.texel(asked).order;
            let mut order: Vec<usize> = (0..self.sizes.len()).rev().filter(|d| !texel.contains(d)).collect();
            if asked.flags & STRIDE_REQUIRE_LAST_INNERMOST == 0 {
                order.retain(|&d| self.sizes[d] != 1 && (self.strides[d] != 0 || with_zeros));
                order.sort_by_key(|&d| self.strides[d].abs());
            }
            order
        }

        /// Lowest and highest offset, by all indices.
        fn ends(&self) -> (i64, i64) {
            let mut offsets = vec![self.offset];
            for (&size, &stride) in self.sizes.iter().zip(&self.strides) {
                offsets = offsets.iter().flat_map(|&o| (0..size).map(move |i| o + i * stride)).collect();
            }
            (*offsets.iter().min().unwrap(), *offsets.iter().max().unwrap())
        }
    }

    /// Whether stride `k` of these (innermost first, without signs) keeps the rules about those inside it.
    fn keeps(asked: &stride_requirements, bits: i64, texel: i64, sizes: &[i64], strides: &[i64], k: usize) -> bool {
        let on = |flag| asked.flags & flag != 0;
        let stride = strides[k];
        if on(STRIDE_REQUIRE_PITCH_IN_TEXELS) && stride % texel != 0 {
            return false;
        }
        let innermost = k == 0 && sizes[k] == 1; // leads nowhere
        if asked.stride_bytes_max != 0 && !innermost && stride * bits > 8 * asked.stride_bytes_max as i64 {
            return false;
        }
        if k == 0 {
            return (!on(STRIDE_REQUIRE_UNIT_STRIDE) || stride == texel)
                && (!on(STRIDE_REQUIRE_NESTED) || stride >= texel);
        }
        let (inner, end) = (strides[k - 1], strides[k - 1] * sizes[k - 1]);
        let alignment = if k == 1 { asked.row_alignment } else { asked.outer_alignment } as i64;
        (alignment == 0 || stride * bits % (8 * alignment) == 0)
            && (!on(STRIDE_REQUIRE_NESTED) || stride >= end)
            && (asked.exact_from == 0 || k < asked.exact_from as usize || stride == end)
            && (!on(STRIDE_REQUIRE_MULTIPLES)
                || inner == 0
                || stride % inner == 0
                || k == 1 && asked.texel_dimensions > 0)
    }

    /// Whether strides can be found for the places that have none, such that all keep the rules; the first ones found,
    /// smallest innermost first.
    fn complete(
        asked: &stride_requirements,
        bits: i64,
        texel: i64,
        sizes: &[i64],
        given: &[Option<i64>],
        found: &mut Vec<i64>,
    ) -> bool {
        let k = found.len();
        let Some(place) = given.get(k) else { return true };
        let candidates = place.map_or(1..=LARGEST, |stride| stride..=stride);
        for stride in candidates {
            found.push(stride);
            if keeps(asked, bits, texel, sizes, found, k) && complete(asked, bits, texel, sizes, given, found) {
                return true;
            }
            found.pop();
        }
        false
    }

    /// More than the strides of the cases and the multiples that they are rounded to.
    const LARGEST: i64 = 400;

    fn meets_restated(asked: &stride_requirements, case: &Case) -> bool {
        let on = |flag| asked.flags & flag != 0;
        let (rank, bits, texel) = (case.sizes.len() as u32, case.bits(), case.texel(asked));
        let outside = || (0..case.sizes.len()).filter(|d| !texel.order.contains(d));
        let count: i64 = outside().map(|d| case.sizes[d]).product();
        let admitted = rank >= asked.rank_min + asked.texel_dimensions
            && (asked.rank_max == 0 || rank <= asked.rank_max + asked.texel_dimensions)
            && (asked.dtypes == 0
                || (case.dtype < 64 && asked.dtypes >> case.dtype & 1 == 1)
                || (case.dtype & STRIDE_DTYPE_BYTES != 0 && asked.dtypes & 1 == 1))
            && ((asked.element_bits, asked.element_bits_by_three) == (0, 0)
                || [1, 2, 4, 8, 16, 32, 64, 128].iter().any(|&w| {
                    (w == bits * texel.elements && asked.element_bits & w as u32 != 0)
                        || (3 * w == bits * texel.elements && asked.element_bits_by_three & w as u32 != 0)
                }))
            && outside().all(|d| case.sizes[d] as u64 >= asked.size_min)
            && outside().all(|d| asked.size_max == 0 || case.sizes[d] as u64 <= asked.size_max)
            && (asked.elements_max == 0 || case.is_empty() || count as u64 <= asked.elements_max);
        if !admitted || case.is_empty() {
            return admitted;
        }
        let mut end = 1;
        for &d in &texel.order {
            if case.sizes[d] > 1 && case.strides[d] != end {
                return false;
            }
            end *= case.sizes[d];
        }
        for (size, stride) in outside().map(|d| (case.sizes[d], case.strides[d])) {
            let bytes = stride.abs() * bits; // in bits
            if size > 1
                && ((stride < 0 && on(STRIDE_REQUIRE_NO_NEGATIVE))
                    || (stride == 0 && on(STRIDE_REQUIRE_NO_REPEATS | STRIDE_REQUIRE_NESTED))
                    || (asked.stride_bytes_max != 0 && bytes > 8 * asked.stride_bytes_max as i64))
            {
                return false;
            }
        }
        let order = case.order(asked, false);
        if order.first().is_some_and(|&d| case.sizes[d] > 1 && case.strides[d] < 0 && on(STRIDE_REQUIRE_UNIT_STRIDE)) {
            return false; // it is 1, not −1
        }
        let sizes: Vec<i64> = order.iter().map(|&d| case.sizes[d]).collect();
        let given: Vec<Option<i64>> =
            order.iter().map(|&d| (case.sizes[d] > 1).then_some(case.strides[d].abs())).collect();
        if !complete(asked, bits, texel.elements, &sizes, &given, &mut vec![]) {
            return false;
        }
        let (lowest, highest) = case.ends();
        let bytes = required_restated(asked, case);
        let first = case.address as i64 * 8 + lowest * bits;
        let texel_bytes = (bits * texel.elements / 8).max(1);
        (asked.reach_max == 0 || ((highest - lowest + 1) as u64).div_ceil(texel.elements as u64) <= asked.reach_max)
            && (asked.bytes_max == 0 || bytes <= asked.bytes_max)
            && (asked.base_alignment == 0 || first % (8 * asked.base_alignment as i64) == 0)
            && (!on(STRIDE_REQUIRE_ELEMENT_ALIGNED) || first % (8 * texel_bytes) == 0)
    }

    fn required_restated(asked: &stride_requirements, case: &Case) -> u64 {
        let (lowest, highest) = case.ends();
        let mut elements = highest - lowest + 1;
        if asked.flags & STRIDE_REQUIRE_LAST_ROW_PADDED != 0 {
            // No dimension of size 1 is further out in the cases that ask for this.
            let leads = |&d: &usize| case.sizes[d] > 1 && case.strides[d] != 0;
            let outermost = case.order(asked, false).into_iter().rfind(leads);
            elements = elements.max(outermost.map_or(1, |d| case.strides[d].abs() * case.sizes[d]));
        }
        let bytes = ((elements * case.bits()) as u64).div_ceil(8);
        bytes.next_multiple_of(asked.total_alignment.max(1) as u64)
    }

    fn random_requirements(random: &mut Random) -> stride_requirements {
        let mut asked = ANYTHING;
        let rarely = |random: &mut Random, list: &[i64]| if random.one_in(12) { random.pick(list) } else { 0 };
        for flag in [1, 2, 4, 8, 16, 32] {
            asked.flags |= if random.one_in(2) { flag } else { 0 };
        }
        asked.flags |= if random.one_in(6) { STRIDE_REQUIRE_ELEMENT_ALIGNED } else { 0 };
        asked.flags |= if random.one_in(4) { STRIDE_REQUIRE_PITCH_IN_TEXELS } else { 0 };
        asked.texel_dimensions = random.pick(&[0, 0, 1, 1, 2]);
        let alignments = [0, 0, 0, 1, 2, 3, 4, 6, 8];
        asked.row_alignment = random.pick(&alignments);
        asked.outer_alignment = random.pick(&alignments);
        asked.base_alignment = if random.one_in(3) { random.pick(&alignments) } else { 0 };
        asked.exact_from = random.pick(&[0, 0, 1, 2, 3]);
        if asked.exact_from != 0 {
            asked.flags |= STRIDE_REQUIRE_NO_REPEATS; // no gaps outside of elements that take no room: means nothing
        }
        asked.total_alignment = random.pick(&[0, 0, 4, 7]);
        asked.rank_min = rarely(random, &[1, 2]) as u32;
        asked.rank_max = rarely(random, &[2, 3]) as u32;
        asked.size_min = rarely(random, &[1, 2]) as u64;
        asked.size_max = rarely(random, &[2, 3]) as u64;
        asked.dtypes = rarely(random, &[1 << 6, 1 << 10 | 1 << 6, 1 << 22, 1 | 1 << 6]) as u64;
        asked.element_bits = rarely(random, &[8, 16, 24, 4]) as u32;
        asked.element_bits_by_three = rarely(random, &[4, 8, 16]) as u32;
        asked.stride_bytes_max = rarely(random, &[8, 20, 40]) as u64;
        asked.bytes_max = rarely(random, &[16, 50, 100]) as u64;
        asked.elements_max = rarely(random, &[4, 10, 20]) as u64;
        asked.reach_max = rarely(random, &[8, 30, 60]) as u64;
        asked
    }

    /// Strides that often keep to what is asked: nested and aligned, then one of them changed.
    fn random_case(random: &mut Random, asked: &stride_requirements) -> Case {
        let rank = random.below(5) as usize;
        let sizes: Vec<i64> = (0..rank).map(|_| random.pick(&[1, 2, 2, 3, 4])).collect();
        let dtype = random.pick(&[U8, U8, U4, F16, bytes(3).unwrap()]);
        let mut order: Vec<usize> = (0..rank).rev().collect();
        if random.one_in(3) {
            random.shuffle(&mut order);
        }
        let (mut strides, mut end) = (vec![0; rank], 1i64);
        let (texel, rest) = order.split_at(rank.min(asked.texel_dimensions as usize));
        for &d in texel {
            strides[d] = end;
            end *= sizes[d];
        }
        for (k, &d) in rest.iter().enumerate() {
            let alignment = [1, asked.row_alignment.max(1), asked.outer_alignment.max(1)][k.min(2)] as i64;
            let whole = asked.flags & STRIDE_REQUIRE_PITCH_IN_TEXELS != 0 && random.one_in(2);
            let unit = if whole { texel.iter().map(|&d| sizes[d]).product() } else { 1 };
            let up = if random.one_in(3) { end + random.below(4) } else { end };
            let fits = |s: &i64| s * 4 % alignment == 0 && s % unit == 0;
            let step = if random.one_in(6) { 1 } else { (1..200).find(fits).unwrap() };
            strides[d] = (up + step - 1) / step * step;
            end = strides[d] * sizes[d];
        }
        if rank > 0 && random.one_in(3) {
            let d = random.below(rank as u64) as usize;
            strides[d] = random.pick(&[0, 1, -strides[d], strides[d] + 1, strides[d] * 2, -1, 7]);
        }
        for d in 0..rank {
            if sizes[d] == 1 && random.one_in(2) {
                strides[d] = random.pick(&[0, -3, 1, 1000]);
            }
        }
        let mut sizes = sizes;
        if rank > 0 && random.one_in(40) {
            sizes[random.below(rank as u64) as usize] = 0;
        }
        Case { sizes, strides, offset: random.below(9) - 3, dtype, address: 1000 + 24 * random.below(3) as u64 }
    }

    #[test]
    #[cfg_attr(miri, ignore = "thousands of cases")]
    fn verdicts_are_those_of_the_rules() {
        let (mut random, mut yes, mut because) = (Random::new(15), 0, std::collections::BTreeMap::new());
        const CASES: usize = 20_000;
        for number in 0..CASES {
            let asked = random_requirements(&mut random);
            let case = random_case(&mut random, &asked);
            let answer = meets_at(&case.layout(), case.address, &asked);
            let expected = meets_restated(&asked, &case);
            assert_eq!(answer.is_ok(), expected, "seed 15, case {number}: {case:?}\n{asked:?}\n{answer:?}");
            match answer {
                Ok(()) => yes += 1,
                Err(record) => *because.entry(record.detail).or_insert(0) += 1,
            }
            if !case.is_empty() {
                assert_eq!(required_bytes(&case.layout(), &asked), Ok(required_restated(&asked, &case)));
            }
        }
        println!("{CASES} cases, {yes} met, refused by detail: {because:?}");
        assert!(yes > CASES / 10 && because.len() >= 13);
    }

    /// All rows padded: where the outermost dimension is larger than 1, its stride times its size.
    #[test]
    #[cfg_attr(miri, ignore = "thousands of cases")]
    fn padded_bytes_are_stride_times_size() {
        let mut random = Random::new(16);
        for number in 0..20_000 {
            let mut asked = random_requirements(&mut random);
            asked.flags |= STRIDE_REQUIRE_LAST_ROW_PADDED;
            let case = random_case(&mut random, &asked);
            // Behind the outermost one that leads anywhere there may be rows of one, which are padded as well.
            let order = case.order(&asked, false);
            let mut further = order.iter().rev().take_while(|&&d| case.sizes[d] == 1 || case.strides[d] == 0);
            if case.is_empty() || further.any(|&d| case.sizes[d] == 1) {
                continue;
            }
            let expected = required_restated(&asked, &case);
            assert_eq!(
                required_bytes(&case.layout(), &asked),
                Ok(expected),
                "seed 16, case {number}: {case:?} {asked:?}"
            );
        }
    }

    /// `fit` gives what brute force finds first: the least innermost stride with which the rest can be found, then the
    /// least next one, and so on. And what it gives is taken.
    #[test]
    #[cfg_attr(miri, ignore = "thousands of cases")]
    fn fits_are_the_least() {
        let (mut random, mut fitted, mut refused, mut beyond, mut texels) = (Random::new(17), 0, 0, 0, 0);
        for number in 0..20_000 {
            let mut asked = random_requirements(&mut random);
            (asked.stride_bytes_max, asked.bytes_max, asked.reach_max) = (0, 0, 0);
            let case = random_case(&mut random, &asked);
            let answer = fit(&case.layout(), &asked);
            let shown = || format!("seed 17, case {number}: {case:?}\n{asked:?}\n{:?}", answer.as_ref().map(fields));
            if let Ok(out) = &answer {
                assert_eq!(meets_at(out, 1080 << 10, &asked), Ok(()), "{}", shown());
                assert_eq!((out.dtype, out.offset, sizes(out)), (case.dtype, 0, case.sizes.as_slice()), "{}", shown());
                let again = fit(out, &asked).unwrap();
                assert_eq!(fields(&again), fields(out), "what is least stays: {}", shown());
            }
            if case.is_empty() || !meets_restated(&admitting(&asked), &case) {
                continue;
            }
            let nested = stride_requirements { flags: asked.flags | STRIDE_REQUIRE_NESTED, ..asked };
            let order = case.order(&nested, true);
            let sizes: Vec<i64> = order.iter().map(|&d| case.sizes[d]).collect();
            let mut least = vec![];
            // Without a gap and from 1 on, nothing can be rounded up.
            let stuck = asked.exact_from == 1 && asked.flags & STRIDE_REQUIRE_UNIT_STRIDE != 0;
            let texel = case.texel(&asked);
            let given = vec![None; order.len()];
            let possible = complete(&nested, case.bits(), texel.elements, &sizes, &given, &mut least);
            match (&answer, possible) {
                (Ok(out), true) => {
                    let found: Vec<i64> = order.iter().map(|&d| out.strides[d]).collect();
                    assert_eq!(found, least, "{}", shown());
                    let mut end = 1;
                    for &d in &texel.order {
                        assert!(sizes_of_1(&case, d) || out.strides[d] == end, "{}", shown());
                        end *= case.sizes[d];
                    }
                    fitted += 1;
                    texels += (texel.elements > 1) as usize;
                }
                (Err(_), false) => {
                    assert!(stuck, "{}", shown());
                    refused += 1;
                }
                (Ok(out), false) => {
                    assert!(strides(out).iter().any(|&stride| stride > LARGEST), "{}", shown());
                    beyond += 1;
                }
                (Err(_), true) => panic!("{}", shown()),
            }
        }
        println!(
            "{fitted} fitted, {texels} with texels, {refused} cannot be, {beyond} beyond what brute force looks at"
        );
        assert!(fitted > 5_000 && texels > 2_000 && refused > 50 && beyond < fitted / 20);
    }

    fn sizes_of_1(case: &Case, dimension: usize) -> bool {
        case.sizes[dimension] == 1
    }

    /// Only what does not concern strides and addresses.
    fn admitting(asked: &stride_requirements) -> stride_requirements {
        let stride_requirements { struct_size, rank_min, rank_max, size_min, size_max, dtypes, element_bits, .. } =
            *asked;
        let element_bits_by_three = asked.element_bits_by_three;
        let flags = asked.flags & STRIDE_REQUIRE_LAST_INNERMOST; // which dimensions the texel is
        let stride_requirements { elements_max, texel_dimensions, .. } = *asked;
        stride_requirements {
            struct_size,
            flags,
            texel_dimensions,
            rank_min,
            rank_max,
            size_min,
            size_max,
            dtypes,
            element_bits,
            element_bits_by_three,
            elements_max,
            ..ANYTHING
        }
    }
}
