//! The blocked formats of docs/BLOCKED_FORMATS.md are what their libraries say.
//!
//! The page's tables are the data: each row has the C array that a buffer is, the subscript of an element, both as its
//! library publishes them, and the XLA shape. Here the array and the subscript are evaluated as written, and every
//! position, the length and copies of the shape are held against them. oneDNN's own offset function and its blocking
//! descriptor are written out once more, by its words.
#![cfg(not(miri))] // reads a page of the documentation, millions of elements

mod oracle;

use oracle::sides::side;
use std::ptr::{null, null_mut};
use stride::error::Status;
use stride::ffi::copy::*;
use stride::ffi::sides::*;
use stride::ffi::xla::*;
use stride::ffi::xla_buffer::*;

const PAGE: &str = include_str!("../docs/BLOCKED_FORMATS.md");

/// A row of the page.
struct Format {
    name: String,
    array: Vec<String>,
    subscript: Vec<String>,
    letters: Vec<char>,
    layout: String,
}

fn formats() -> Vec<Format> {
    let rows = PAGE.lines().filter(|line| line.starts_with("| `"));
    let formats: Vec<Format> = rows.map(Format::read).collect();
    assert!(formats.len() > 25, "only {} formats were found in the page", formats.len());
    formats
}

impl Format {
    fn read(row: &str) -> Self {
        let cells: Vec<&str> = row.trim_matches('|').split('|').map(str::trim).collect();
        let [name, array, subscript, xla] = cells[..] else { panic!("{row}: four cells") };
        let code = |cell: &str| cell.strip_prefix('`').and_then(|cell| cell.strip_suffix('`')).expect(row).to_owned();
        let brackets =
            |cell: &str| -> Vec<String> { code(cell).trim_matches(['[', ']']).split("][").map(String::from).collect() };
        let (sizes, layout) = xla.trim_matches('`').split_once('{').expect(row);
        let letters = sizes.chars().filter(char::is_ascii_uppercase).collect();
        Self {
            name: name.to_owned(),
            array: brackets(array),
            subscript: brackets(subscript),
            letters,
            layout: format!("{{{layout}"),
        }
    }

    /// Elements of the buffer, and the position of an element: the C array and its subscript, row-major.
    fn position(&self, sizes: &[i64], index: &[i64]) -> (i64, i64) {
        let value = |letter: char| {
            let place = self.letters.iter().position(|&other| other == letter.to_ascii_uppercase());
            let place = place.unwrap_or_else(|| panic!("{}: {letter} is no dimension", self.name));
            if letter.is_ascii_uppercase() { sizes[place] } else { index[place] }
        };
        assert_eq!(self.array.len(), self.subscript.len(), "{}", self.name);
        let both = self.array.iter().zip(&self.subscript);
        both.fold((1, 0), |(elements, position), (size, digit)| {
            let (size, digit) = (Expression(size, &value).evaluate(), Expression(digit, &value).evaluate());
            assert!((0..size).contains(&digit), "{}: {digit} of {size}", self.name);
            (elements * size, position * size + digit)
        })
    }

    fn shape(&self, dtype: &str, sizes: &[i64]) -> stride_xla_shape {
        let sizes: Vec<String> = sizes.iter().map(i64::to_string).collect();
        let text = format!("{dtype}[{}]{}", sizes.join(","), self.layout);
        // SAFETY: plain data, of which zeros are a value; a text of that length.
        unsafe {
            let mut shape: stride_xla_shape = std::mem::zeroed();
            let status = stride_xla_shape_parse(text.as_ptr().cast(), text.len() as u64, &mut shape, null_mut());
            assert_eq!(status, Status::Ok.number(), "{}: {text}", self.name);
            shape
        }
    }

    /// Sizes whose blocked dimensions fill their blocks, do not, or hold one element.
    fn cases(&self) -> Vec<Vec<i64>> {
        let blocks = ['N', 'C', 'O', 'I', 'G', 'A', 'B', 'M', 'W'];
        let largest = |letter: char| {
            // The block of a dimension is the largest number that stands beside its letter in the array.
            let term = self.array.iter().find(|term| term.starts_with(&format!("({letter}+")))?;
            let digits: String = term.chars().skip(3).take_while(char::is_ascii_digit).collect();
            Some(digits.parse::<i64>().expect("a number") + 1)
        };
        let size = |letter: &char, case: usize| match (blocks.contains(letter), largest(*letter)) {
            (true, Some(block)) => [1, block - 1, block, block + 1, 2 * block + 3][case],
            _ => 2 + i64::from(*letter == 'W'),
        };
        (0..5).map(|case| self.letters.iter().map(|letter| size(letter, case)).collect()).collect()
    }
}

/// An expression of C: numbers, letters, `+ * / %` and parentheses.
struct Expression<'a>(&'a str, &'a dyn Fn(char) -> i64);

impl Expression<'_> {
    fn evaluate(&self) -> i64 {
        let mut rest = self.0;
        let value = self.sum(&mut rest);
        assert!(rest.is_empty(), "{}: {rest} is left", self.0);
        value
    }

    fn sum(&self, rest: &mut &str) -> i64 {
        let mut value = self.product(rest);
        while let Some(after) = rest.strip_prefix('+') {
            *rest = after;
            value += self.product(rest);
        }
        value
    }

    fn product(&self, rest: &mut &str) -> i64 {
        let mut value = self.factor(rest);
        while let Some(operator) = rest.chars().next().filter(|operator| "*/%".contains(*operator)) {
            *rest = &rest[1..];
            let factor = self.factor(rest);
            value = match operator {
                '*' => value * factor,
                '/' => value / factor,
                _ => value % factor,
            };
        }
        value
    }

    fn factor(&self, rest: &mut &str) -> i64 {
        if let Some(inside) = rest.strip_prefix('(') {
            *rest = inside;
            let value = self.sum(rest);
            *rest = rest.strip_prefix(')').expect(self.0);
            return value;
        }
        let digits = rest.len() - rest.trim_start_matches(|c: char| c.is_ascii_digit()).len();
        let (token, after) = rest.split_at(digits.max(1));
        *rest = after;
        if digits > 0 { token.parse().expect(self.0) } else { (self.1)(token.chars().next().expect(self.0)) }
    }
}

/// All indices, the last dimension fastest.
fn indices(sizes: &[i64]) -> Vec<Vec<i64>> {
    sizes.iter().fold(vec![vec![]], |indices, &size| {
        indices.iter().flat_map(|index| (0..size).map(|i| [&index[..], &[i]].concat()).collect::<Vec<_>>()).collect()
    })
}

fn linear_index(shape: &stride_xla_shape, index: &[i64]) -> i64 {
    let mut position = -1;
    // SAFETY: an index as long as the rank.
    let status =
        unsafe { stride_xla_linear_index(shape, index.len() as u32, index.as_ptr(), &mut position, null_mut()) };
    assert_eq!(status, Status::Ok.number(), "{index:?}");
    position
}

#[test]
fn positions_and_lengths_are_those_of_the_published_arrays() {
    for format in formats() {
        for sizes in format.cases() {
            let shape = format.shape("bf16", &sizes);
            let mut bytes = 0;
            // SAFETY: plain values.
            let status = unsafe { stride_xla_shape_byte_size(&shape, &mut bytes, null_mut()) };
            assert_eq!(status, Status::Ok.number());
            let mut is_element = vec![false; bytes as usize / 2];
            for index in indices(&sizes) {
                let case = format!("{} {sizes:?} {index:?}", format.name);
                let (elements, position) = format.position(&sizes, &index);
                assert_eq!(elements as u64 * 2, bytes, "{case}");
                assert_eq!(linear_index(&shape, &index), position, "{case}");
                is_element[position as usize] = true;
                let mut back = vec![-1; sizes.len()];
                // SAFETY: room for an index.
                let status =
                    unsafe { stride_xla_multi_index(&shape, position, shape.rank, back.as_mut_ptr(), null_mut()) };
                assert_eq!((status, back), (Status::Ok.number(), index), "{case}");
            }
            for position in (0..is_element.len()).filter(|&position| !is_element[position]) {
                let mut index = [0; 8];
                // SAFETY: room for an index.
                let status = unsafe {
                    stride_xla_multi_index(&shape, position as i64, shape.rank, index.as_mut_ptr(), null_mut())
                };
                assert_eq!(status, Status::NotRepresentable.number(), "{} {sizes:?} position {position}", format.name);
            }
        }
    }
}

#[test]
fn copies_go_where_the_published_arrays_say_and_back() {
    for format in formats() {
        for sizes in format.cases() {
            let shape = format.shape("u16", &sizes);
            let tiled = side(&shape);
            let all = indices(&sizes);
            let from: Vec<u16> = (0..all.len()).map(|number| (number * 7 + 1) as u16).collect();
            let elements = format.position(&sizes, &all[0]).0 as usize;
            for (flags, padding) in [(0, 0xEEEE), (STRIDE_COPY_FILL_BUFFER, u16::from_ne_bytes([0x12, 0x34]))] {
                let case = format!("{} {sizes:?} flags {flags}", format.name);
                let mut blocked = vec![0xEEEEu16; elements];
                let mut expected = vec![padding; elements];
                for (index, value) in all.iter().zip(&from) {
                    expected[format.position(&sizes, index).1 as usize] = *value;
                }
                let mut options = stride_copy_options { flags, ..Default::default() };
                options.fill = std::array::from_fn(|k| [0x12, 0x34, 0x56][k.min(2)]);
                let (bytes, from_bytes) = (elements as u64 * 2, from.len() as u64 * 2);
                let mut back = vec![0u16; from.len()];
                // SAFETY: the buffers hold the bytes that the lengths name.
                let status = unsafe {
                    let (dst, src) = (blocked.as_mut_ptr().cast(), from.as_ptr().cast());
                    let status = stride_copy_sides(&tiled, dst, bytes, null(), src, from_bytes, &options, null_mut());
                    assert_eq!(status, Status::Ok.number(), "{case}");
                    assert!(blocked == expected, "{case}");
                    let (dst, src) = (back.as_mut_ptr().cast(), blocked.as_ptr().cast());
                    stride_copy_sides(null(), dst, from_bytes, &tiled, src, bytes, null(), null_mut())
                };
                assert_eq!(status, Status::Ok.number(), "{case}");
                assert!(back == from, "{case}");
            }
        }
    }
}

fn named(name: &str) -> Format {
    let formats = formats();
    let found = formats.into_iter().find(|format| format.name.split(", ").any(|other| other.trim_matches('`') == name));
    found.unwrap_or_else(|| panic!("{name} is not in the page"))
}

/// Understanding Memory Formats of oneDNN, "Blocked layout", with 17 channels as in "What if channels are not a
/// multiple of 8".
#[test]
fn the_offset_function_of_nchw8c() {
    let (n_size, c_size, h_size, w_size) = (2, 17, 3, 5);
    let c_padded = 24;
    let shape = named("nChw8c").shape("f32", &[n_size, c_size, h_size, w_size]);
    for index in indices(&[n_size, c_size, h_size, w_size]) {
        let [n, c, h, w] = index[..] else { unreachable!() };
        let (hw, chw) = (h_size * w_size, c_padded * h_size * w_size);
        let offset = n * chw + (c / 8) * hw * 8 + h * w_size * 8 + w * 8 + (c % 8);
        assert_eq!(linear_index(&shape, &index), offset, "{index:?}");
    }
}

/// A format, the order of its outermost blocks, inner_blks, inner_idxs.
type Blocking = (&'static str, &'static [usize], &'static [i64], &'static [usize]);

/// dnnl_blocking_desc_t: strides between the outermost blocks, and the inner blocks, the outermost first.
#[test]
fn blocking_descriptors() {
    // Format, order of the outermost blocks, inner_blks, inner_idxs.
    let all: [Blocking; 8] = [
        ("nChw16c", &[0, 1, 2, 3], &[16], &[1]),
        ("Ohwi16o", &[0, 2, 3, 1], &[16], &[0]),
        ("OIhw16i16o", &[0, 1, 2, 3], &[16, 16], &[1, 0]),
        ("OIhw8i16o2i", &[0, 1, 2, 3], &[8, 16, 2], &[1, 0, 1]),
        ("OIhw4i16o4i", &[0, 1, 2, 3], &[4, 16, 4], &[1, 0, 1]),
        ("IOhw16i16o", &[1, 0, 2, 3], &[16, 16], &[1, 0]),
        ("gOIhw16i16o", &[0, 1, 2, 3, 4], &[16, 16], &[2, 1]),
        ("BA16a64b4a", &[1, 0], &[16, 64, 4], &[0, 1, 0]),
    ];
    for (name, order, inner_blks, inner_idxs) in all {
        let format = named(name);
        for sizes in format.cases() {
            let mut block_of = vec![1; sizes.len()];
            for (&block, &dimension) in inner_blks.iter().zip(inner_idxs) {
                block_of[dimension] *= block;
            }
            let mut strides = vec![0; sizes.len()];
            let mut stride = inner_blks.iter().product();
            for &dimension in order.iter().rev() {
                strides[dimension] = stride;
                stride *= (sizes[dimension] + block_of[dimension] - 1) / block_of[dimension];
            }
            let shape = format.shape("f32", &sizes);
            for index in indices(&sizes) {
                let (mut rest, mut offset, mut inner_stride) = (index.clone(), 0, 1);
                for (&block, &dimension) in inner_blks.iter().zip(inner_idxs).rev() {
                    offset += rest[dimension] % block * inner_stride;
                    rest[dimension] /= block;
                    inner_stride *= block;
                }
                offset += rest.iter().zip(&strides).map(|(i, stride)| i * stride).sum::<i64>();
                assert_eq!(linear_index(&shape, &index), offset, "{name} {sizes:?} {index:?}");
            }
        }
    }
}
