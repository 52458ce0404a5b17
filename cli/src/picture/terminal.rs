//! Memory as rows of text.
//!
//! Up to 52 elements are a … z and A … Z in row-major order; more are their indices, or the row-major numbers if those
//! are long. `.` is padding, `|` the border of a tile or a byte, two spaces the begin of a dimension.

use super::colour::{self, Colour, Scale};
use super::memory::Cell;
use super::sheet::{Border, Sheet};
use crate::fault::Result;
use crate::tensor::{Tensor, list};
use std::fmt::Write;

const MOST_ROWS: usize = 24;
const MOST_COLUMNS: usize = 32;
const NAMED: i64 = 52;
const LONGEST_INDEX: usize = 7;

/// The buffer as rows of text, at most `columns` wide; with colours where `colour` says so.
pub fn blocks(tensor: &Tensor, columns: usize, colour: bool) -> Result<String> {
    let mut sheet = Sheet::new(tensor, MOST_COLUMNS, MOST_ROWS)?;
    let mut names = names(&sheet);
    // Again with as many columns as there is room for, now that the names are known.
    let room = columns.saturating_sub(margin(&sheet));
    let most = (room / (width(&names) + 1)).clamp(1, MOST_COLUMNS);
    if most < MOST_COLUMNS {
        sheet = Sheet::new(tensor, most, MOST_ROWS)?;
        names = self::names(&sheet);
    }
    Ok(text(&sheet, &names, colour))
}

/// The text of each cell.
fn names(sheet: &Sheet<'_>) -> Vec<String> {
    let by_index = sheet.cells.iter().all(|cell| match cell {
        Cell::Element { index, .. } => list(index).len() <= LONGEST_INDEX,
        _ => true,
    });
    let name = |cell: &Cell| match cell {
        Cell::Outside => String::new(),
        Cell::Padding => ".".into(),
        Cell::Element { index, number, indices } => {
            let name = match u8::try_from(*number) {
                Ok(number) if sheet.memory.elements <= NAMED => {
                    char::from(if number < 26 { b'a' + number } else { b'A' + (number - 26) }).to_string()
                }
                _ if by_index => list(index),
                _ => number.to_string(),
            };
            if *indices > 1 { format!("{name}×{indices}") } else { name }
        }
    };
    sheet.cells.iter().map(name).collect()
}

fn width(names: &[String]) -> usize {
    names.iter().map(|name| name.chars().count()).max().unwrap_or(1)
}

/// Columns of the number before a row.
fn digits(sheet: &Sheet<'_>) -> usize {
    [sheet.begin_of_row(0), sheet.begin_of_row(sheet.rows().saturating_sub(1))]
        .map(|place| place.to_string().len())
        .into_iter()
        .max()
        .unwrap_or(1)
}

fn margin(sheet: &Sheet<'_>) -> usize {
    digits(sheet) + "    : ".len()
}

fn text(sheet: &Sheet<'_>, names: &[String], colour: bool) -> String {
    let mut out = String::new();
    let (width, digits) = (width(names), digits(sheet));
    let scale = Scale::of(sheet.numbers());
    let mut has_border = false;
    let mut longest = 0;
    let mut rows = Vec::new();
    for (row, line) in names.chunks(sheet.row as usize).enumerate() {
        let begin = row * sheet.row as usize;
        let (mut text, mut length) = (String::new(), 0);
        // Without the places after the buffer.
        let used = line.iter().rposition(|name| !name.is_empty()).map_or(0, |last| last + 1);
        for (column, name) in line[..used].iter().enumerate() {
            let border = (column > 0).then(|| sheet.border(sheet.place(begin + column))).flatten();
            let between = match border {
                _ if column == 0 => "",
                Some(Border::Tile | Border::Byte) if name.is_empty() => "   ",
                Some(Border::Tile | Border::Byte) => " | ",
                Some(Border::Dimension) => "  ",
                None => " ",
            };
            has_border |= between == " | ";
            text.push_str(between);
            length += between.len() + width;
            let spaces = width - name.chars().count();
            match (&sheet.cells[begin + column], colour) {
                (Cell::Element { number, .. }, true) => {
                    let back = scale.colour(*number);
                    let front = if colour::is_dark(back) { [255; 3] } else { [0; 3] };
                    let codes = |[red, green, blue]: Colour| format!("2;{red};{green};{blue}");
                    let (front, back) = (codes(front), codes(back));
                    let _ = write!(text, "\x1b[38;{front};48;{back}m{:spaces$}{name}\x1b[0m", "");
                }
                _ => {
                    let _ = write!(text, "{:spaces$}{name}", "");
                }
            }
        }
        longest = longest.max(length);
        rows.push(text);
    }
    for (row, text) in rows.iter().enumerate() {
        let place = sheet.begin_of_row(row);
        if row > 0 && sheet.begins_at_row(place) {
            let _ = writeln!(out, "{:indent$}{}", "", "-".repeat(longest), indent = digits + 6);
        }
        let line = format!("    {place:digits$}: {text}");
        let _ = writeln!(out, "{}", line.trim_end());
    }
    let mut legend = Vec::new();
    if sheet.memory.elements > 0 {
        legend.push("in front: the place, in elements");
    }
    if (1..=NAMED).contains(&sheet.memory.elements) {
        legend.push("letters: elements in row-major order");
    }
    if sheet.has_padding() {
        legend.push(".: padding");
    }
    if has_border {
        legend.push(if sheet.memory.tiles.is_empty() { "|: bytes" } else { "|: tiles" });
    }
    if sheet.is_shared() {
        legend.push("×: so many indices share the place");
    }
    for note in sheet.notes().into_iter().chain((!legend.is_empty()).then(|| legend.join("; "))) {
        let _ = writeln!(out, "    {note}");
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn draws(text: &str, columns: usize, expected: &str) {
        let tensor = Tensor::parse(text).unwrap();
        assert_eq!(blocks(&tensor, columns, false).unwrap(), expected, "{text}");
    }

    const LETTERS: &str = "    in front: the place, in elements; letters: elements in row-major order";

    #[test]
    fn layouts() {
        draws("f32[2,3]", 80, &format!("    0: a b c\n    3: d e f\n{LETTERS}\n"));
        draws("f32[2,3]:1,2", 80, &format!("    0: a d\n    2: b e\n    4: c f\n{LETTERS}\n"));
        draws("u8[2,3]:5,1", 80, &format!("    0: a b c . .\n    5: d e f\n{LETTERS}; .: padding\n"));
        // Both dimensions backwards, and a byte in front.
        draws("u8[2,3]:-3,-1+6", 80, &format!("    0:     .\n    1: f e d\n    4: c b a\n{LETTERS}; .: padding\n"));
        draws("f32[]", 80, &format!("    0: a\n{LETTERS}\n"));
        draws("f32[0,3]", 80, "");
    }

    #[test]
    fn before_the_base_pointer() {
        let note = "    Places below 0 lie before the base pointer";
        draws("u8[2,3]:3,-1", 80, &format!("    -2: c b a\n     1: f e d\n{note}\n{LETTERS}\n"));
    }

    #[test]
    fn several_indices_of_one_place() {
        let legend = "×: so many indices share the place";
        draws("f32[4,3]:0,1", 80, &format!("    0: a×4 b×4 c×4\n{LETTERS}; {legend}\n"));
        draws("f32[3,2]:1,1", 80, &format!("    0:   a b×2 d×2   f\n{LETTERS}; {legend}\n"));
    }

    #[test]
    fn tiles() {
        // XLA's docs/tiled_layout.md: the elements of the 3 x 5 matrix, tile by tile.
        let rows = ["     0: a b  f g | c d  h i | e .  j .", "    12: k l  . . | m n  . . | o .  . ."].join("\n");
        draws("f32[3,5]{1,0:T(2,2)}", 80, &format!("{rows}\n{LETTERS}; .: padding; |: tiles\n"));
        let legend = format!("{LETTERS}; |: tiles");
        draws("f32[1,2,2,2]:nChw2c", 80, &format!("    0: a e | b f\n    4: c g | d h\n{legend}\n"));
    }

    #[test]
    fn elements_below_a_byte() {
        let rows = ["    0: a b | c", "    3: d | e f", "    6: g h | i", "    9: ."].join("\n");
        draws("u4[3,3]", 80, &format!("{rows}\n{LETTERS}; .: padding; |: bytes\n"));
    }

    #[test]
    fn long_buffers_are_cut() {
        let tensor = Tensor::parse("f32[1,3,224,224]").unwrap();
        let text = blocks(&tensor, 100, false).unwrap();
        assert!(text.lines().all(|line| line.chars().count() <= 100), "{text}");
        assert!(text.contains("more elements"), "{text}");
        let tensor = Tensor::parse("u8[536870912,1073741824]").unwrap();
        assert!(blocks(&tensor, 80, false).unwrap().contains("… 576,460,752,303,42"));
    }

    #[test]
    fn colours_stand_behind_elements_alone() {
        let tensor = Tensor::parse("u8[2]:2").unwrap();
        let text = blocks(&tensor, 80, true).unwrap();
        let expected =
            "    0: \x1b[38;2;255;255;255;48;2;68;1;84ma\x1b[0m . \x1b[38;2;0;0;0;48;2;253;231;37mb\x1b[0m\n";
        assert!(text.starts_with(expected), "{text:?}");
    }

    #[test]
    fn nothing_panics_in_narrow_terminals() {
        for text in
            ["f32[2,3]", "u8[1000,1000]:0,1", "f32[8,200]{1,0:T(8,128)}", "u1[3,3]:-3,-1", "u8[9,5]:a/4 b/2 a%4 b%2"]
        {
            let tensor = Tensor::parse(text).unwrap();
            for columns in [0, 1, 7, 20, usize::MAX] {
                assert!(!blocks(&tensor, columns, true).unwrap().is_empty(), "{text}");
            }
        }
    }
}
