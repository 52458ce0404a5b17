//! Codes and names of formats: the numbers of all codes, made of the list's text at compile time, and their names.

use super::list::{LETTERS, ROWS, Row, TEXT};
use crate::error::{Argument, Detail, Result, Status};

/// The number of up to four letters, padded with spaces; a `_` is a space.
const fn number(letters: &[u8]) -> u32 {
    let (mut out, mut k) = (0, 0);
    while k < 4 {
        let letter = if k < letters.len() && letters[k] != b'_' { letters[k] } else { b' ' };
        out |= (letter as u32) << (8 * k);
        k += 1;
    }
    out
}

/// The number of codes in `TEXT`, the codes, and the row of each.
const fn codes<const N: usize>() -> (usize, [u32; N], [u8; N]) {
    let (text, mut begin, mut end) = (TEXT.as_bytes(), 0, 0);
    let (mut count, mut row, mut numbers, mut rows) = (0, 0, [0; N], [0; N]);
    while end < text.len() {
        if text[end] == b' ' || text[end] == b'\n' {
            if text[begin + 1] != b':' {
                if count < N {
                    let word = [text[begin], text[begin + 1], text[begin + 2], text[begin + 3]];
                    (numbers[count], rows[count]) = (number(&word), row);
                }
                count += 1;
            }
            begin = end + 1;
        }
        if text[end] == b'\n' {
            row += 1;
        }
        end += 1;
    }
    (count, numbers, rows)
}

const COUNT: usize = codes::<0>().0;
static CODES: [u32; COUNT] = codes::<COUNT>().1;
static ROW_OF: [u8; COUNT] = codes::<COUNT>().2;

/// The format of a code. INVALID_ARGUMENT for an unknown one; UNSUPPORTED for samples across bytes.
#[inline(never)] // has four callers
pub(super) fn format_of(fourcc: u32) -> Result<&'static Row> {
    let place = CODES.iter().position(|&code| code == fourcc).and_then(|place| ROW_OF.get(place));
    let (status, detail, bits) = match place.and_then(|&row| ROWS.get(row as usize)) {
        Some(row) if row.planes[0] != 0 => return Ok(row),
        Some(row) => (Status::Unsupported, Detail::FourccPacked, row.components[0]),
        None => (Status::InvalidArgument, Detail::FourccUnknown, 0),
    };
    Err(status.of(Argument::Fourcc).because(detail, fourcc as i64, bits as i64))
}

/// A row of the list of formats, as docs/IMAGE_FORMATS.md shows it.
///
/// ```
/// use stride::vocabulary::images::formats;
/// let yv12 = formats().find(|format| format.fourcc == u32::from_le_bytes(*b"YV12")).unwrap();
/// assert_eq!((yv12.letters, yv12.words), ("YUV", "YV12 d:YVU420 v:YVU420"));
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Format {
    /// The code after which the others are aliases.
    pub fourcc: u32,
    /// A letter for each component; "word" if a pixel is one number; nothing if the code is refused.
    pub letters: &'static str,
    /// Codes, in which `_` is a space, each followed by its names elsewhere: `d:` DRM's, `v:` V4L2's, `f:` FFmpeg's.
    pub words: &'static str,
}

/// All formats, including those that are refused by name.
///
/// ```
/// use stride::vocabulary::images::formats;
/// assert!(formats().count() > 40);
/// ```
pub fn formats() -> impl Iterator<Item = Format> {
    let rows = TEXT.lines().zip(LETTERS);
    rows.map(|(words, &letters)| Format { fourcc: number(words.get(..4).unwrap_or("").as_bytes()), letters, words })
}

/// The code of a name: its own letters ("NV12", "R8"), `DRM_FORMAT_` or `V4L2_PIX_FMT_` and what follows in the headers
/// of Linux, or FFmpeg's name of a format. PARSE for any other text.
///
/// ```
/// use stride::vocabulary::images::fourcc;
/// assert_eq!(fourcc("DRM_FORMAT_YUV420"), Ok(u32::from_le_bytes(*b"YU12")));
/// assert_eq!(fourcc("yuv420p10le"), Ok(u32::from_le_bytes(*b"I010")));
/// assert_eq!(fourcc("R8"), Ok(u32::from_le_bytes(*b"R8  ")));
/// ```
pub fn fourcc(name: impl AsRef<[u8]>) -> Result<u32> {
    let text = name.as_ref();
    let (list, name) = if let Some(name) = text.strip_prefix(b"DRM_FORMAT_") {
        (b'd', name)
    } else if let Some(name) = text.strip_prefix(b"V4L2_PIX_FMT_") {
        (b'v', name)
    } else {
        let code = number(text);
        if text.len() <= 4 && !text.contains(&b'_') && CODES.contains(&code) {
            return Ok(code);
        }
        (b'f', text)
    };
    let mut code = 0;
    for word in TEXT.as_bytes().split(|byte| byte.is_ascii_whitespace()) {
        match word {
            [of, b':', rest @ ..] if *of == list && rest == name => return Ok(code),
            [_, b':', ..] => {}
            _ => code = number(word),
        }
    }
    Err(Status::Parse.of(Argument::Text).position(0).because(Detail::Name, 2, 0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_code_and_no_name_stands_for_two() {
        let mut seen = std::collections::BTreeSet::new();
        for format in formats() {
            let mut code = 0;
            for word in format.words.split(' ') {
                assert!(seen.insert(word), "{word} twice");
                let (prefix, name) = match word.split_once(':') {
                    None => {
                        code = number(word.as_bytes());
                        assert_eq!((word.len(), fourcc(word.replace('_', " "))), (4, Ok(code)));
                        continue;
                    }
                    Some(("d", name)) => ("DRM_FORMAT_", name),
                    Some(("v", name)) => ("V4L2_PIX_FMT_", name),
                    Some(("f", name)) => ("", name),
                    Some(_) => panic!("{word}"),
                };
                assert_eq!(fourcc(std::format!("{prefix}{name}")), Ok(code), "{word}");
            }
        }
        assert!(LETTERS.len() == ROWS.len() && ROWS.len() <= u8::MAX as usize && size_of::<Row>() == 8);
        let prefixed = ["DRM_FORMAT_", "DRM_FORMAT_nv12", "V4L2_PIX_FMT_R8", "yuv420", "d:NV12"];
        for text in ["", "nv99", "NV1", "R8__", "R8   "].into_iter().chain(prefixed) {
            let error = fourcc(text).unwrap_err();
            assert_eq!((error.status, error.detail, error.lhs), (Status::Parse, Detail::Name, 2), "{text}");
        }
    }
}
