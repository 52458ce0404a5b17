//! The words of a plan: what all kinds of plans have in common.
//!
//! ```text
//! 0      magic number, format, words in use
//! 1      bits 0: kernel, 12: loops of an element that is a block, 16 and 24: loops of a transpose's runs, 32: loops,
//!        40: treatment, 48: hints, 56: kind of plan
//! 2      flags and level of the options
//! 3–5    width of an element, bases of both sides
//! 6–9    the other options: overlap budget, period and value of the fill
//! ```
//!
//! In a plan of loops these are followed by its [`Shortcut`](super::shortcut::Shortcut), if it has one, and by its
//! loops, three words each.

use super::loops::MAX_LOOPS;
use super::options::Options;

/// The bits of word 1 that hold the number of a plan's kernel.
pub const KERNEL: u64 = (1 << BLOCK) - 1;
/// The bit of word 1 from which four say how many loops of a plan are one element of a transpose, a block.
pub const BLOCK: u32 = 12;
/// The bit from which four hold the treatment of the caches, and four more the one for destination rows that are not
/// aligned to lines.
pub const TREATMENT: u32 = 40;
/// The bit from which eight hold the hints.
pub const HINTS: u32 = 48;
/// The bit from which eight say, in any plan, what follows the header.
pub const KIND: u32 = 56;

/// Words of a plan; frozen.
pub const WORDS: usize = 512;
/// "STRD", then the version of the word format.
const MAGIC: u64 = 0x5354_5244_0003 << 16;
/// Words of the header, which every plan has.
pub const HEADER: usize = 10;

/// The header of any plan: the number of words, the second word, and the numbers width, bases, and period of the fill.
#[inline]
pub(crate) fn header(words: usize, shape: u64, numbers: [i64; 4], options: &Options) -> [u64; HEADER] {
    let [width, dst_base, src_base, fill_period] = numbers.map(|number| number as u64);
    let fill = u128::from_le_bytes(options.fill);
    let flags = options.flags as u64 | (options.cpu_level as u64) << 32;
    let first = first_word(words);
    [
        first,
        shape,
        flags,
        width,
        dst_base,
        src_base,
        options.overlap_budget,
        fill_period,
        fill as u64,
        (fill >> 64) as u64,
    ]
}

/// The options in the header of a plan, whether they are known or not.
#[inline(always)]
pub(crate) fn options_of(header: &[u64; HEADER]) -> Options {
    let [_, _, flags, _, _, _, overlap_budget, _, low, high] = *header;
    let fill = (low as u128 | (high as u128) << 64).to_le_bytes();
    Options { flags: flags as u32, cpu_level: (flags >> 32) as u32, overlap_budget, fill }
}

/// Whether a plan has this format, by its first word.
#[inline(always)]
pub(crate) fn is_of_this_format(first: u64) -> bool {
    (first ^ MAGIC) >> 16 == 0
}

/// How many loops a plan has, by its second word; at most what a plan holds.
pub fn loops_in_use(shape: u64) -> usize {
    (shape >> 32 & 0xFF).min(MAX_LOOPS as u64) as usize
}

/// The kind of what follows the header, by a plan's second word: that of a shortcut, of a relayout, or of a plan in
/// bits.
pub fn shortcut_in_use(shape: u64) -> u64 {
    shape >> KIND
}

/// How many words follow the header, by a plan's first word; at most what a plan holds, 0 if it is not a plan.
pub fn words_behind(first: u64) -> usize {
    if is_of_this_format(first) { (first as usize & 0xFFFF).clamp(HEADER, WORDS) - HEADER } else { 0 }
}

/// The first word of a plan of `words` words.
#[inline(always)]
pub(crate) fn first_word(words: usize) -> u64 {
    MAGIC | words as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_options_come_back() {
        let fill = core::array::from_fn(|k| 0xF0 - k as u8);
        let options =
            Options { cpu_level: 3, overlap_budget: 1 << 40, ..Options::new().small_stack().fill_buffer(fill) };
        assert_eq!(options_of(&header(HEADER, 0, [1, 2, 3, 4], &options)), options);
    }

    #[test]
    fn the_first_word_is_the_format_and_the_number_of_words() {
        for (words, behind) in [(0, 0), (HEADER, 0), (HEADER + 3, 3), (WORDS, 502), (WORDS + 1, 502), (0xFFFF, 502)] {
            let first = first_word(words);
            assert!(is_of_this_format(first));
            assert_eq!(words_behind(first), behind);
            for bit in 16..64 {
                assert!(!is_of_this_format(first ^ 1 << bit));
            }
        }
    }
}
