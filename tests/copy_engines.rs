//! Lists of regions, executed as each copy engine's own pages say that it executes them.
//!
//! An engine is a function here: it takes the parameters of the real one, refuses what the pages call invalid, and
//! moves bytes between buffers and images by the pages' addressing. An image has no visible pitches, only texels at
//! (x, y, layer). A region becomes such parameters as a caller would fill them in: sizes, offsets and the pitches of
//! buffers. What the engine makes of all regions must be the naive copy.
//!
//! Nothing here knows how lists are made. A failure prints the case; its number and the seed replay it.

#[macro_use]
mod common;
mod oracle;

use common::*;
use oracle::{Random, Side, bytes_dtype};
use std::ptr::null_mut;
use stride::ffi::regions::*;

const SEED: u64 = 20_261_207;

/// What a page calls invalid.
fn valid(holds: bool, rule: &str) -> Result<(), String> {
    if holds { Ok(()) } else { Err(rule.to_string()) }
}

/// Layers of rows of texels.
#[derive(Clone, Debug)]
struct Image {
    texel: u64,
    width: u64,
    height: u64,
    layers: u64,
}

impl Image {
    fn row(&self) -> u64 {
        self.width * self.texel
    }

    fn bytes(&self) -> u64 {
        self.row() * self.height * self.layers
    }

    /// Where the copy's image, which is packed, has a byte: x in bytes, y, layer.
    fn place(&self, byte: u64) -> [u64; 3] {
        [byte % self.row(), byte / self.row() % self.height, byte / self.row() / self.height]
    }

    fn byte(&self, [x, y, layer]: [u64; 3]) -> u64 {
        (layer * self.height + y) * self.row() + x
    }
}

/// Bytes that an engine moved: on the side that it wrote, on the one that it read, how many.
type Moved = Vec<(u64, u64, u64)>;

/// Bytes between a buffer and an image, in the direction that was asked for.
fn moved(upload: bool, buffer: u64, image: u64, bytes: u64) -> (u64, u64, u64) {
    if upload { (image, buffer, bytes) } else { (buffer, image, bytes) }
}

/// VkBufferImageCopy, of images with one mip level. `layer` is baseArrayLayer, or imageOffset.z of a 3D image, which
/// "Buffer and Image Addressing" treats alike.
struct VkBufferImageCopy {
    buffer_offset: u64,
    buffer_row_length: u64,
    buffer_image_height: u64,
    image_offset: [u64; 3],
    image_extent: [u64; 3],
}

/// vkCmdCopyBufferToImage, vkCmdCopyImageToBuffer.
/// <https://docs.vulkan.org/refpages/latest/refpages/source/vkCmdCopyBufferToImage.html>
fn vulkan(upload: bool, image: &Image, region: &VkBufferImageCopy) -> Result<Moved, String> {
    let VkBufferImageCopy { buffer_offset, buffer_row_length, buffer_image_height, .. } = *region;
    let ([x, y, layer], [width, height, layers]) = (region.image_offset, region.image_extent);
    valid(width * height * layers > 0, "VUID-VkBufferImageCopy-imageExtent-06659")?;
    let inside = x + width <= image.width && y + height <= image.height && layer + layers <= image.layers;
    valid(inside, "VUID-vkCmdCopyBufferToImage-imageSubresource-07970")?;
    valid(buffer_row_length == 0 || buffer_row_length >= width, "VUID-VkBufferImageCopy-bufferRowLength-09101")?;
    valid(buffer_image_height == 0 || buffer_image_height >= height, "VUID-VkBufferImageCopy-bufferImageHeight-09102")?;
    valid(buffer_offset.is_multiple_of(image.texel), "VUID-vkCmdCopyBufferToImage-dstImage-07975")?;
    valid(buffer_offset.is_multiple_of(4), "VUID-vkCmdCopyBufferToImage-dstImage-07978, -commandBuffer-07737")?;
    valid(buffer_row_length * image.texel < 1 << 31, "VUID-vkCmdCopyBufferToImage-bufferRowLength-09108")?;
    // "Buffer and Image Addressing": a value of 0 is the extent's.
    let row_extent = if buffer_row_length == 0 { width } else { buffer_row_length } * image.texel;
    let slice_extent = if buffer_image_height == 0 { height } else { buffer_image_height } * row_extent;
    let mut all = Moved::new();
    for (z, y_in) in (0..layers).flat_map(|z| (0..height).map(move |y| (z, y))) {
        let buffer = buffer_offset + z * slice_extent + y_in * row_extent;
        let at = image.byte([x * image.texel, y + y_in, layer + z]);
        all.push(moved(upload, buffer, at, width * image.texel));
    }
    Ok(all)
}

/// D3D12_PLACED_SUBRESOURCE_FOOTPRINT, and the box of it that is moved, which is all of it here.
struct Footprint {
    offset: u64,
    size: [u64; 3],
    row_pitch: u64,
    /// How many of the rows are moved: `size` has the height, by which slices follow each other.
    rows: u64,
}

/// CopyTextureRegion between a placed footprint and a texture of three dimensions (`array`: of two, one subresource).
/// <https://learn.microsoft.com/en-us/windows/win32/api/d3d12/nf-d3d12-id3d12graphicscommandlist-copytextureregion>
fn d3d12(upload: bool, array: bool, image: &Image, at: [u64; 3], from: &Footprint) -> Result<Moved, String> {
    let ([x, y, z], [width, height, depth]) = (at, from.size);
    valid(from.offset.is_multiple_of(512), "D3D12_TEXTURE_DATA_PLACEMENT_ALIGNMENT")?;
    valid(from.row_pitch.is_multiple_of(256), "D3D12_TEXTURE_DATA_PITCH_ALIGNMENT")?;
    valid(from.row_pitch >= width * image.texel && from.row_pitch >> 32 == 0, "D3D12_SUBRESOURCE_FOOTPRINT, RowPitch")?;
    valid(from.rows <= height, "pSrcBox must be within the size of the source resource")?;
    let inside = x + width <= image.width && y + from.rows <= image.height && z + depth <= image.layers;
    valid(inside, "the dimensions of the source box and the offsets must be within the size of the resource")?;
    valid(!array || depth == 1, "SubresourceIndex: one layer of an array")?;
    let rows = (0..depth).flat_map(|slice| (0..from.rows).map(move |row| (slice, row)));
    let of = |(slice, row): (u64, u64)| {
        let buffer = from.offset + (slice * height + row) * from.row_pitch;
        moved(upload, buffer, image.byte([x * image.texel, y + row, z + slice]), width * image.texel)
    };
    Ok(rows.map(of).collect())
}

/// A region's numbers on one side: offset, pitches.
fn side(region: &stride_region, dst: bool) -> Result<(u64, [u64; 2]), String> {
    let (offset, pitches) =
        if dst { (region.dst_offset, region.dst_pitches) } else { (region.src_offset, region.src_pitches) };
    let unsigned = |number: i64| u64::try_from(number).map_err(|_| format!("{number} is no size"));
    Ok((unsigned(offset)?, [unsigned(pitches[0])?, unsigned(pitches[1])?]))
}

/// `number` in units of `unit`, if that is a whole number.
fn whole(number: u64, unit: u64, of: &str) -> Result<u64, String> {
    valid(unit != 0 && number.is_multiple_of(unit), &format!("{of}: {number} is no multiple of {unit}"))?;
    Ok(number / unit)
}

/// A region between a buffer and an image, by a function of a graphics API.
fn graphics(api: u32, array: bool, image: &Image, region: &stride_region) -> Result<Moved, String> {
    let vk = matches!(api, STRIDE_REGION_API_VULKAN_UPLOAD | STRIDE_REGION_API_VULKAN_READBACK);
    let upload = matches!(api, STRIDE_REGION_API_VULKAN_UPLOAD | STRIDE_REGION_API_D3D12_UPLOAD);
    let (offset, pitches) = side(region, !upload)?;
    let [x, y, layer] = image.place(side(region, upload)?.0);
    let ([mut rows, mut slices], mut height) = (region.counts, 0);
    if slices > 1 {
        height = whole(pitches[1], pitches[0], "the slice pitch of the buffer")?;
    } else if rows > image.height && y == 0 {
        // Whoever did not say how many rows a layer has gets those of whole layers as one rectangle.
        (slices, rows, height) = (whole(rows, image.height, "rows of whole layers")?, image.height, image.height);
    }
    let width = whole(region.row_bytes, image.texel, "a row")?;
    let at = [whole(x, image.texel, "x")?, y, layer];
    if vk {
        let row_length = whole(pitches[0], image.texel, "bufferRowLength")?;
        return vulkan(
            upload,
            image,
            &VkBufferImageCopy {
                buffer_offset: offset,
                buffer_row_length: row_length,
                buffer_image_height: height,
                image_offset: at,
                image_extent: [width, rows, slices],
            },
        );
    }
    let row_pitch = if pitches[0] == 0 { region.row_bytes.next_multiple_of(256) } else { pitches[0] };
    let size = [width, if slices > 1 { height } else { rows }, slices];
    d3d12(upload, array, image, at, &Footprint { offset, size, row_pitch, rows })
}

/// A region between two buffers, by a function that moves memory.
fn memory(api: u32, region: &stride_region) -> Result<Moved, String> {
    let ((dst, dst_pitches), (src, src_pitches)) = (side(region, true)?, side(region, false)?);
    let (width, [rows, slices]) = (region.row_bytes, region.counts);
    let sides = [dst_pitches, src_pitches];
    match api {
        // <https://docs.vulkan.org/refpages/latest/refpages/source/VkBufferCopy.html>
        STRIDE_REGION_API_VULKAN_BUFFER => {
            valid(rows == 1 && slices == 1, "VkBufferCopy has one size")?;
            valid(width > 0, "VUID-VkBufferCopy-size-01988")?;
        }
        // <https://docs.nvidia.com/cuda/cuda-runtime-api/group__CUDART__MEMORY.html>, cudaMemcpy2D.
        STRIDE_REGION_API_CUDA_2D => {
            valid(slices == 1, "cudaMemcpy2D has one height")?;
            valid(rows == 1 || sides.iter().all(|pitch| pitch[0] >= width), "width must not exceed dpitch or spitch")?;
        }
        // cudaMemcpy3D: a cudaPitchedPtr has pitch and ysize. CUDA Driver API, cuMemcpy3D: "srcHeight must be greater
        // than or equal to Height + srcY", and srcPitch than WidthInBytes + srcXInBytes.
        STRIDE_REGION_API_CUDA_3D => {
            for pitch in sides {
                valid(rows == 1 || pitch[0] >= width, "pitch >= WidthInBytes")?;
                let row = if pitch[0] == 0 { width } else { pitch[0] };
                valid(slices == 1 || whole(pitch[1], row, "ysize")? >= rows, "ysize >= Height")?;
            }
        }
        // <https://registry.khronos.org/OpenCL/sdk/latest/docs/man/html/clEnqueueCopyBufferRect.html>
        _ => {
            for pitch in sides {
                valid(pitch[0] == 0 || pitch[0] >= width, "CL_INVALID_VALUE: row pitch below region[0]")?;
                valid(pitch[1] == 0 || pitch[1] >= rows * pitch[0], "CL_INVALID_VALUE: slice pitch below the rows")?;
                valid(pitch[1] == 0 || pitch[1].is_multiple_of(pitch[0]), "CL_INVALID_VALUE: slice pitch no multiple")?;
                // A pitch of 0 is computed: such a region moves what is meant only if there is one of them.
                valid(pitch[0] != 0 || rows == 1 && slices == 1, "a row pitch of 0 is region[0]")?;
                valid(pitch[1] != 0 || slices == 1, "a slice pitch of 0 is region[1] * row pitch")?;
            }
        }
    }
    let rows = (0..slices).flat_map(|j| (0..rows).map(move |i| [i, j]));
    let at = |pitch: [u64; 2], [i, j]: [u64; 2]| i * pitch[0] + j * pitch[1];
    Ok(rows.map(|of| (dst + at(dst_pitches, of), src + at(src_pitches, of), width)).collect())
}

/// What an engine makes of a list, or what it says.
fn execute(
    list: &[stride_region],
    engine: &dyn Fn(&stride_region) -> Result<Moved, String>,
    dst: &mut [u8],
    src: &[u8],
) -> Result<(), String> {
    let mut written = vec![false; dst.len()];
    for region in list {
        let said = |rule: String| format!("{rule}: {region:?}");
        for (to, from, bytes) in engine(region).map_err(said)? {
            let [to, from] = [to, from].map(|begin| begin as usize..(begin + bytes) as usize);
            valid(to.end <= dst.len() && from.end <= src.len(), "past the end of a side").map_err(said)?;
            valid(!written[to.clone()].contains(&true), "written twice").map_err(said)?;
            written[to.clone()].fill(true);
            dst[to].copy_from_slice(&src[from]);
        }
    }
    Ok(())
}

fn rules_of(api: u32) -> stride_region_rules {
    let mut out: stride_region_rules = oracle::zeroed();
    call!(stride_region_rules_init, &mut out, api).unwrap();
    out
}

fn list_of(plan: &stride_plan, rules: &stride_region_rules) -> Answer<Vec<stride_region>> {
    let mut count = 0;
    call!(stride_plan_regions_under, plan, rules, 0, null_mut(), &mut count)?;
    let mut list = vec![stride_region::default(); count as usize];
    call!(stride_plan_regions_under, plan, rules, count, list.as_mut_ptr(), &mut count)?;
    Ok(list)
}

/// A copy, and how it ends: the regions that the engine took, its complaint, or the library's refusal.
fn outcome_of(
    sides: [&Side; 2],
    element: usize,
    bytes: [usize; 2],
    rules: &stride_region_rules,
    engine: &dyn Fn(&stride_region) -> Result<Moved, String>,
    random: &mut Random,
) -> Result<Result<usize, String>, stride_error> {
    let [dst, src] = sides;
    let plan = plan(&flags(0), &dst.layout(bytes_dtype(element)), &src.layout(bytes_dtype(element))).unwrap();
    let list = list_of(&plan, rules)?;
    let (before, from) = (random.bytes(bytes[0]), random.bytes(bytes[1]));
    let (mut wanted, mut to) = (before.clone(), before);
    oracle::copy(&mut wanted, dst, &from, src, element);
    let ended = execute(&list, engine, &mut to, &from).and_then(|()| valid(to == wanted, "another copy"));
    Ok(ended.map(|()| list.len()).map_err(|said| format!("{said} of {list:?}")))
}

/// A dimension in several, outermost first.
fn factors(random: &mut Random, size: i64) -> Vec<i64> {
    let divisors: Vec<i64> = (2..size).filter(|by| size % by == 0).collect();
    if divisors.is_empty() || !random.one_in(3) {
        return vec![size];
    }
    let by = random.pick(&divisors);
    vec![size / by, by]
}

/// A view of an image as a side of a copy, in elements: layers, rows, texels and parts of texels, or boxes, every
/// second one, and for sources mirrored and repeated ones.
fn image_view(random: &mut Random, image: &Image, element: u64, source: bool, all: bool) -> Side {
    let extents = [image.layers, image.height, image.width, image.texel / element].map(|extent| extent as i64);
    let (mut sizes, mut strides, mut offset) = (Vec::new(), Vec::new(), 0);
    let mut unit = image.bytes() as i64 / element as i64;
    for (at, extent) in extents.into_iter().enumerate() {
        unit /= extent;
        let (mut size, mut step, mut begin) = (extent, 1, 0);
        if !all && at < 3 && extent > 1 {
            step = if random.one_in(6) { 2 } else { 1 };
            size = (extent - 1) / step + 1;
            if random.one_in(2) {
                size = 1 + random.below(size as u64);
            }
            begin = random.below((extent - (size - 1) * step) as u64);
        }
        if source && random.one_in(8) {
            (begin, step) = (begin + (size - 1) * step, -step);
        }
        offset += begin * unit;
        let mut around = step * unit;
        let mut own = Vec::new();
        for size in if all { vec![size] } else { factors(random, size) }.into_iter().rev() {
            own.push((size, around));
            around *= size;
        }
        if source && random.one_in(10) {
            own.push((1 + random.below(3), 0));
        }
        for (size, stride) in own.into_iter().rev() {
            sizes.push(size);
            strides.push(stride);
        }
    }
    Side { sizes, strides, offset }
}

/// A buffer for these sizes: nested in some order of the dimensions, with gaps that end at multiples of `unit`; sources
/// now and then repeat, or reach over each other.
fn buffer_view(random: &mut Random, sizes: &[i64], unit: i64, source: bool) -> Side {
    let mut order: Vec<usize> = (0..sizes.len()).rev().collect();
    match random.below(4) {
        0 => random.shuffle(&mut order),
        1 | 2 if order.len() > 1 => {
            let at = random.below(order.len() as u64 - 1) as usize;
            order.swap(at, at + 1);
        }
        _ => {}
    }
    let (mut strides, mut step) = (vec![0; sizes.len()], 1);
    for dimension in order {
        strides[dimension] = if random.one_in(16) { -step } else { step };
        step *= sizes[dimension];
        match random.below(4) {
            0 => step += random.below(3),
            1 | 2 => step += (unit - step % unit) % unit,
            _ => {}
        }
        if source && random.one_in(12) {
            strides[dimension] = random.pick(&[0, 1, unit]);
        }
    }
    let margin = unit * random.below(3);
    Side::new(sizes, &strides, margin)
}

/// Rows that are contiguous on both sides, cut where rows of the image end, each as a region of its own: what can be
/// moved if anything can.
fn single_rows(dst: &Side, src: &Side, element: i64, image: &Image, upload: bool) -> Vec<stride_region> {
    let mut pairs: Vec<(i64, i64)> = dst.offsets().into_iter().zip(src.offsets()).collect();
    pairs.sort();
    let mut list: Vec<stride_region> = Vec::new();
    for (to, from) in pairs.into_iter().map(|(to, from)| (to * element, from * element)) {
        let at = if upload { to } else { from } as u64;
        match list.last_mut() {
            Some(last)
                if last.dst_offset + last.row_bytes as i64 == to
                    && last.src_offset + last.row_bytes as i64 == from
                    && !at.is_multiple_of(image.row()) =>
            {
                last.row_bytes += element as u64;
            }
            _ => list.push(stride_region {
                dst_offset: to,
                src_offset: from,
                row_bytes: element as u64,
                counts: [1, 1],
                ..stride_region::default()
            }),
        }
    }
    list
}

const GRAPHICS: [u32; 4] = [
    STRIDE_REGION_API_VULKAN_UPLOAD,
    STRIDE_REGION_API_VULKAN_READBACK,
    STRIDE_REGION_API_D3D12_UPLOAD,
    STRIDE_REGION_API_D3D12_READBACK,
];

/// The rules of a function for one image, as the header says that they are set; `rows` alone without its height.
fn rules_for(api: u32, image: &Image, rows_alone: bool) -> stride_region_rules {
    let mut rules = rules_of(api);
    let upload = matches!(api, STRIDE_REGION_API_VULKAN_UPLOAD | STRIDE_REGION_API_D3D12_UPLOAD);
    let (buffer, of_image) = (upload as usize, !upload as usize);
    let texel = image.texel as u32;
    rules.row_bytes_max = image.row();
    rules.row_bytes_alignment = texel;
    rules.rows_max = if rows_alone { 0 } else { image.height };
    rules.pitch_alignment[buffer] = rules.pitch_alignment[buffer].max(texel);
    rules.offset_alignment[buffer] = rules.offset_alignment[buffer].max(texel);
    rules.offset_alignment[of_image] = texel;
    rules
}

/// Views of images to and from views of buffers. `all`: the whole image, of which only the rows are said.
fn check_images(seed: u64, count: u32, all: bool) {
    let (mut listed, mut regions, mut boxes, mut refused) = (0u32, 0, 0, 0);
    let mut faults = Vec::new();
    for number in 0..oracle::times(count) {
        let mut random = Random::new(seed + number as u64);
        let api = random.pick(&GRAPHICS);
        let upload = matches!(api, STRIDE_REGION_API_VULKAN_UPLOAD | STRIDE_REGION_API_D3D12_UPLOAD);
        let directx = matches!(api, STRIDE_REGION_API_D3D12_UPLOAD | STRIDE_REGION_API_D3D12_READBACK);
        let texel: u64 = random.pick(if directx { &[1, 4, 16, 16] } else { &[1, 2, 4, 4, 8] });
        let width = if directx && random.one_in(2) { 256 / texel * (1 + random.below(2) as u64) } else { 0 };
        let width = if width == 0 { 1 + random.below(8) as u64 } else { width };
        let [height, layers] = [1 + random.below(5) as u64, 1 + random.below(4) as u64];
        let image = Image { texel, width, height, layers };
        let element = if random.one_in(5) { texel / random.pick(&[1, 2]).min(texel) } else { texel };
        let seen = image_view(&mut random, &image, element, !upload && !all, all);
        let unit = match (directx, random.one_in(2)) {
            (true, true) => 512,
            (true, false) => 256,
            (false, aligned) => if aligned { 4 } else { 1 }.max(texel as i64),
        };
        let unit = (unit / element as i64).max(1);
        let buffer = buffer_view(&mut random, &seen.sizes, unit, upload);
        let array = directx && random.one_in(3);
        let mut rules = rules_for(api, &image, all);
        if array {
            (rules.rank_max, rules.rows_max) = (2, image.height);
        }
        let element = element as usize;
        let (buffer_bytes, image_bytes) = (buffer.extent() as usize * element, image.bytes() as usize);
        let (sides, bytes) = match upload {
            true => ([&seen, &buffer], [image_bytes, buffer_bytes]),
            false => ([&buffer, &seen], [buffer_bytes, image_bytes]),
        };
        let case = format!("seed {seed}, case {number}: api {api}, {image:?}, {element} bytes, {sides:?}\n{rules:?}");
        let engine = |region: &stride_region| graphics(api, array, &image, region);
        match outcome_of(sides, element, bytes, &rules, &engine, &mut random) {
            Ok(Ok(count)) => {
                let alone = single_rows(sides[0], sides[1], element as i64, &image, upload);
                (listed, regions) = (listed + 1, regions + count);
                boxes += usize::from(count < alone.len());
            }
            Ok(Err(said)) => faults.push(format!("{said}\n{case}")),
            Err(record) => {
                // Then the engine refuses even single rows.
                let alone = single_rows(sides[0], sides[1], element as i64, &image, upload);
                let taken = alone.iter().all(|row| engine(row).is_ok());
                assert!(!taken, "{} {case}", sentence(&record));
                refused += 1;
            }
        }
    }
    let wrong = faults.len();
    println!("{listed} lists of {regions} regions, {boxes} shorter than rows; {refused} refused; {wrong} wrong");
    assert!(faults.is_empty(), "{wrong} lists are wrong, and {listed} are not; the first: {}", faults[0]);
    assert!(cfg!(miri) || listed > count / 4 && boxes > count as usize / 10 && refused > count / 50);
}

#[test]
fn images_get_what_the_naive_copy_gives_them() {
    check_images(SEED, 20_000, false);
}

/// The same with nothing but the bytes of a row.
#[test]
fn whole_images_need_nothing_but_the_bytes_of_a_row() {
    check_images(SEED + 1_000_000, 20_000, true);
}

#[test]
fn engines_that_move_memory_take_their_lists() {
    let apis = [
        STRIDE_REGION_API_CUDA_2D,
        STRIDE_REGION_API_CUDA_3D,
        STRIDE_REGION_API_OPENCL_RECT,
        STRIDE_REGION_API_VULKAN_BUFFER,
    ];
    let mut random = Random::new(SEED + 2_000_000);
    let boxes = std::cell::Cell::new(0);
    for number in 0..oracle::times(8_000) {
        let (sizes, api) = (oracle::random_sizes(&mut random), random.pick(&apis));
        let strides = (oracle::distinct_strides(&mut random, &sizes), oracle::source_strides(&mut random, &sizes));
        let (dst, src) = (Side::new(&sizes, &strides.0, 0), Side::new(&sizes, &strides.1, random.below(3)));
        let element = random.pick(&[1usize, 2, 4, 12]);
        let bytes = [&dst, &src].map(|side| side.extent() as usize * element);
        let engine = |region: &stride_region| {
            boxes.set(boxes.get() + u32::from(region.counts[0] > 1 && region.counts[1] > 1));
            memory(api, region)
        };
        let ended = outcome_of([&dst, &src], element, bytes, &rules_of(api), &engine, &mut random);
        let ended = ended.expect("rows are never refused");
        assert!(ended.is_ok(), "case {number}: api {api} {dst:?} {src:?} {ended:?}");
    }
    println!("{} boxes", boxes.get());
    assert!(cfg!(miri) || boxes.get() > 1000);
}

/// Two pictures of 4 x 2 bytes side by side, to two layers: the second picture's rows are not the image's layers.
mod pictures {
    use super::*;

    const U8: u32 = Dtype::U8.code();

    /// Pictures side by side in rows of a buffer, and the layers of an image.
    fn sides(pictures: i64, rows: i64, bytes: i64) -> (stride_layout, stride_layout) {
        let strip = layout(U8, &[pictures, rows, bytes], &[bytes, pictures * bytes, 1]);
        (packed(U8, &[pictures, rows, bytes]), strip)
    }

    /// Of each region: the offset in the buffer, rows, slices, the buffer's row pitch, the image's.
    fn lists(api: u32, sides: &(stride_layout, stride_layout), fields: [u64; 2]) -> Answer<Vec<[i64; 5]>> {
        let upload = matches!(api, STRIDE_REGION_API_VULKAN_UPLOAD | STRIDE_REGION_API_D3D12_UPLOAD);
        let (dst, src) = if upload { (&sides.0, &sides.1) } else { (&sides.1, &sides.0) };
        let rules = stride_region_rules { row_bytes_max: fields[0], rows_max: fields[1], ..rules_of(api) };
        let list = list_of(&plan(&flags(0), dst, src).unwrap(), &rules)?;
        let numbers = |region: &stride_region| {
            let (of_dst, of_src) =
                ((region.dst_offset, region.dst_pitches[0]), (region.src_offset, region.src_pitches[0]));
            let (buffer, image) = if upload { (of_src, of_dst) } else { (of_dst, of_src) };
            [buffer.0, region.counts[0] as i64, region.counts[1] as i64, buffer.1, image.1]
        };
        Ok(list.iter().map(numbers).collect())
    }

    /// bufferOffset 0 and 4, bufferRowLength 8; whatever is said of the image.
    #[test]
    fn two_pictures_are_two_regions() {
        for fields in [[0, 0], [4, 0], [4, 2]] {
            for api in [STRIDE_REGION_API_VULKAN_UPLOAD, STRIDE_REGION_API_VULKAN_READBACK] {
                let list = lists(api, &sides(2, 2, 4), fields).unwrap();
                assert_eq!(list, [[0, 2, 1, 8, 4], [4, 2, 1, 8, 4]], "{api} {fields:?}");
            }
            for api in [STRIDE_REGION_API_D3D12_UPLOAD, STRIDE_REGION_API_D3D12_READBACK] {
                let fields = [fields[0] * 128, fields[1]];
                let list = lists(api, &sides(2, 2, 512), fields).unwrap();
                assert_eq!(list, [[0, 2, 1, 1024, 512], [512, 2, 1, 1024, 512]], "{api} {fields:?}");
            }
        }
    }

    /// The second picture begins at byte 256, which is no placement.
    #[test]
    fn a_picture_at_byte_256_is_refused_by_d3d12() {
        for (api, detail) in [
            (STRIDE_REGION_API_D3D12_UPLOAD, Detail::RegionSrcOffset),
            (STRIDE_REGION_API_D3D12_READBACK, Detail::RegionDstOffset),
        ] {
            for fields in [[0, 0], [256, 0], [256, 2]] {
                let said = error(lists(api, &sides(2, 2, 256), fields));
                assert_eq!((said.status, said.detail as u32), (Status::Unsupported.number(), detail.number()));
                assert_eq!((said.lhs, said.rhs), (256, 512));
            }
        }
    }

    /// KhronosGroup/MoltenVK#1858: twelve pictures of 48 x 112 in rows of 576 texels of R8 are twelve layers.
    #[test]
    fn moltenvk_1858_twelve_pictures_are_twelve_regions() {
        let wanted: Vec<[i64; 5]> = (0..12).map(|picture| [48 * picture, 112, 1, 576, 48]).collect();
        for fields in [[0, 0], [48, 0], [48, 112]] {
            for api in [STRIDE_REGION_API_VULKAN_UPLOAD, STRIDE_REGION_API_VULKAN_READBACK] {
                assert_eq!(lists(api, &sides(12, 112, 48), fields).unwrap(), wanted, "{api} {fields:?}");
            }
        }
    }

    /// Pictures one below the other are the layers as they are: one region, in which no row is another layer's.
    #[test]
    fn pictures_below_each_other_are_one_region() {
        let both = (packed(U8, &[3, 5, 48]), layout(U8, &[3, 5, 48], &[320, 64, 1]));
        for api in [STRIDE_REGION_API_VULKAN_UPLOAD, STRIDE_REGION_API_VULKAN_READBACK] {
            assert_eq!(lists(api, &both, [48, 5]).unwrap(), [[0, 5, 3, 64, 48]]);
            assert_eq!(lists(api, &both, [48, 0]).unwrap(), [[0, 15, 1, 64, 48]], "layers that nobody spoke of");
        }
        // Contiguous on both sides: rows, then layers.
        let both = (packed(U8, &[3, 5, 48]), packed(U8, &[3, 5, 48]));
        assert_eq!(lists(STRIDE_REGION_API_VULKAN_UPLOAD, &both, [48, 5]).unwrap(), [[0, 5, 3, 48, 48]]);
    }

    /// Two rows of every three of one layer are no layers, though they lie as far apart each time.
    #[test]
    fn rows_of_a_layer_are_no_layers() {
        let image = layout(U8, &[2, 2, 8], &[24, 8, 1]);
        let both = (image, packed(U8, &[2, 2, 8]));
        let upload = STRIDE_REGION_API_VULKAN_UPLOAD;
        assert_eq!(lists(upload, &both, [8, 6]).unwrap(), [[0, 2, 1, 8, 8], [16, 2, 1, 8, 8]]);
        assert_eq!(lists(upload, &both, [8, 3]).unwrap(), [[0, 2, 2, 8, 8]]);
        // Every second row: none lies one row below another.
        let both = (layout(U8, &[3, 8], &[16, 1]), packed(U8, &[3, 8]));
        assert_eq!(lists(upload, &both, [8, 6]).unwrap().len(), 3);
    }

    /// A row that would go on in the next row of the image is none; single texels are.
    #[test]
    fn rows_end_where_the_image_s_end() {
        let upload = STRIDE_REGION_API_VULKAN_UPLOAD;
        let shifted = (at(4, packed(U8, &[8])), packed(U8, &[8]));
        let said = error(lists(upload, &shifted, [8, 0]));
        assert_eq!((said.status, said.argument), (Status::Unsupported.number(), Argument::Plan.number()));
        assert_eq!((said.detail as u32, said.lhs, said.rhs), (Detail::RegionImage.number(), 8, 8));
        let rule = "a row of 8 bytes would pass the end of a row of the image, which has 8 (row_bytes_max)";
        assert_eq!(sentence(&said), format!("plan: {rule}"));
        assert_eq!(lists(upload, &shifted, [12, 0]).unwrap(), [[0, 1, 1, 0, 0]]);
        // Columns of 4 bytes: each is a rectangle as wide as a texel.
        let transposed = (packed(bytes_dtype(4), &[3, 2]), layout(bytes_dtype(4), &[3, 2], &[1, 3]));
        assert_eq!(lists(upload, &transposed, [8, 3]).unwrap(), [[0, 3, 1, 4, 8], [12, 3, 1, 4, 8]]);
    }
}
