//! The words of a plan, as far as all kinds of plans share them.
//!
//! ```text
//! 0      magic number, format, words in use
//! 1      bits 0: kernel, 12: loops of an element that is a chunk, 16 and 24: loops of a transpose's runs, 32: loops,
//!        40: store and strip, 48: hints, 56: kind of plan
//! 2      flags and level of the options
//! 3–5    width of an element, bases of both sides
//! 6–9    the other options: overlap budget, period and value of the fill
//! 10, 11 bytes that the buffers must have at least, if that is more than the plan reaches ([`LEAST`] in word 2)
//! ```
//!
//! In a plan of loops these are followed by its [`Shortcut`](super::shortcut::Shortcut), if it has one, and by its
//! loops, three words each. In a plan that converts they are followed by its conversion, its loops, and the steps of
//! its values, a word for each loop.

use super::loops::MAX_LOOPS;
use super::options::Options;

/// The bits of word 1 that hold the number of a plan's kernel.
pub const KERNEL: u64 = (1 << CHUNK) - 1;
/// The bit of word 1 from which four hold the number of loops that are one element of a transpose, a chunk.
pub const CHUNK: u32 = 12;
/// The bit from which four hold the store, and four more the columns of a strip: their binary logarithm, or 0.
pub const STORE: u32 = 40;
/// The four bits of the store, from there on.
pub const STORE_BITS: u64 = 15;
/// The bit from which eight hold the hints.
pub const HINTS: u32 = 48;
/// The bit from which eight hold, in any plan, the kind of the words after the header: the number of a shortcut, which
/// loops follow; or one of the kinds below.
pub const KIND: u32 = 56;
/// Loops in bits.
pub const BITS: u64 = 4;
/// The kind of a plan that converts, of loops in bytes or bits.
pub const CONVERTS: u64 = 5;

/// Words of a plan; frozen.
pub const WORDS: usize = 512;
/// "STRD", then the version of the word format.
const MAGIC: u64 = 0x5354_5244_0005 << 16;
/// Words of the header, which every plan has.
pub const HEADER: usize = 12;
/// The bit of the flags in word 2 that is set if the last two words of the header are not 0. It is no flag of options.
const LEAST: u32 = 1 << 31;

/// The header of any plan: the number of words, the second word, the numbers width, bases, and period of the fill, and
/// the least bytes of both buffers.
pub(crate) fn header(words: usize, shape: u64, numbers: [i64; 4], least: [u64; 2], options: &Options) -> [u64; HEADER] {
    let [width, dst_base, src_base, period] = numbers.map(|number| number as u64);
    let (fill, budget, [dst_least, src_least]) = (u128::from_le_bytes(options.fill), options.overlap_budget, least);
    let has_least = if dst_least | src_least == 0 { 0 } else { LEAST };
    let flags = (options.flags | has_least) as u64 | (options.cpu_level as u64) << 32;
    let (first, low, high) = (first_word(words), fill as u64, (fill >> 64) as u64);
    [first, shape, flags, width, dst_base, src_base, budget, period, low, high, dst_least, src_least]
}

/// The options in the header of a plan, whether they are known or not.
#[inline(always)]
pub(crate) fn options_of(header: &[u64; HEADER]) -> Options {
    let [_, _, flags, _, _, _, overlap_budget, _, low, high, ..] = *header;
    let fill = (low as u128 | (high as u128) << 64).to_le_bytes();
    Options { flags: flags as u32 & !LEAST, cpu_level: (flags >> 32) as u32, overlap_budget, fill }
}

/// Bytes that the destination's buffer and the source's must have at least, whatever the plan reaches.
#[inline(always)]
pub(crate) fn least_of(header: &[u64; HEADER]) -> [u64; 2] {
    let [_, _, flags, .., dst_least, src_least] = *header;
    if flags as u32 & LEAST == 0 { [0; 2] } else { [dst_least, src_least] }
}

/// Whether a plan has this format, by its first word.
#[inline(always)]
pub(crate) fn is_of_this_format(first: u64) -> bool {
    (first ^ MAGIC) >> 16 == 0
}

/// The number of a plan's loops, by its second word; at most as many as a plan holds.
pub fn loops_in_use(shape: u64) -> usize {
    (shape >> 32 & 0xFF).min(MAX_LOOPS as u64) as usize
}

/// The kind of what follows the header, by a plan's second word.
pub fn kind_in_use(shape: u64) -> u64 {
    shape >> KIND
}

/// The number of words after the header, by a plan's first word; at most as many as a plan holds, 0 if it is not a
/// plan.
pub fn words_after(first: u64) -> usize {
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
        assert_eq!(options_of(&header(HEADER, 0, [1, 2, 3, 4], [0, 5], &options)), options);
        assert_eq!(least_of(&header(HEADER, 0, [1, 2, 3, 4], [0, 5], &options)), [0, 5]);
    }

    #[test]
    fn the_first_word_is_the_format_and_the_number_of_words() {
        for (words, after) in [(0, 0), (HEADER, 0), (HEADER + 3, 3), (WORDS, 500), (WORDS + 1, 500), (0xFFFF, 500)] {
            let first = first_word(words);
            assert!(is_of_this_format(first));
            assert_eq!(words_after(first), after);
            for bit in 16..64 {
                assert!(!is_of_this_format(first ^ 1 << bit));
            }
        }
    }
}
