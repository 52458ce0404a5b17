//! Short pixels on whose bytes the same happens again and again: their channels reversed (RGB to BGR), or one element
//! repeated. Neither side has gaps, so that a lane holds several pixels, and one table brings each byte to its place.

use super::Block;
use super::register::Register;
use super::rows::begin;

/// Bytes of the longest lane.
const MOST: usize = 64;

/// Where the bytes of a lane of pixels come from: `a` walks the elements of a pixel.
fn positions(block: &Block, pixel: usize, pixels: usize) -> [u8; MOST] {
    let (width, src_pixel) = (block.width as usize, block.b.src as usize);
    // Of the pixel and of the element: where they begin in the source, and how many bytes of them were there already.
    let last = if block.a.src != 0 { pixel - width } else { 0 };
    let (mut begin, mut of_pixel, mut element, mut of_element) = (0, 0, last, 0);
    let mut index = [0; MOST];
    for byte in index.iter_mut().take(pixel * pixels) {
        *byte = (begin + element + of_element) as u8;
        of_element += 1;
        if of_element == width {
            (of_pixel, of_element, element) = (of_pixel + width, 0, element.saturating_sub(width));
            if of_pixel == pixel {
                (begin, of_pixel, element) = (begin + src_pixel, 0, last);
            }
        }
    }
    index
}

/// Pixels of at most 16 bytes; see [`Family::Pixels`](super::Family::Pixels). A lane is stored whole as far as the run goes on
/// for one: what is too much lies in the next pixels, which are written afterwards.
///
/// # Safety
/// As [`Run::Block`](super::Run::Block); the CPU has the instruction set of R, which is one lane.
#[inline(always)]
pub(super) unsafe fn pixels<R: Register>(dst: *mut u8, src: *const u8, block: &Block) {
    let Block { width, a, b, c, .. } = *block;
    let (pixel, src_pixel) = ((a.count * width).clamp(1, 16) as usize, b.src as usize);
    let (group, count) = (R::BYTES / pixel, b.count as usize);
    let index = positions(block, pixel, group);
    // The lowest element of a pixel.
    let src = src.wrapping_offset(if a.src < 0 { (width - a.count * width) as isize } else { 0 });
    // Groups that go on for a lane on both sides; the source's pixels are the shorter ones.
    let touched = R::BYTES.checked_div(src_pixel).unwrap_or(0) + 1;
    let whole = count.saturating_sub(touched);
    for k in 0..c.count {
        let (to, from) = begin(dst, src, c, k);
        let mut at = 0;
        // SAFETY: pixels of the run.
        unsafe {
            while at < whole {
                let lane = R::load(from.wrapping_add(at * src_pixel));
                R::pick(&[lane], index.as_ptr()).store(to.wrapping_add(at * pixel));
                at += group;
            }
            while at < count {
                let now = group.min(count - at);
                let lane = R::load_first(from.wrapping_add(at * src_pixel), now * src_pixel);
                R::pick(&[lane], index.as_ptr()).store_first(to.wrapping_add(at * pixel), now * pixel);
                at += now;
            }
        }
    }
}
