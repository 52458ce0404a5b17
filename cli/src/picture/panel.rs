//! One tensor of a picture: title, brackets of the dimensions, rows with the byte at which each begins, notes.

use super::colour::{self, Scale};
use super::markup::{CAPTION_CHARACTER, CHARACTER, TITLE_CHARACTER, number, text};
use super::memory::{Axis, Cell};
use super::sheet::{Border, Sheet, grouped};
use crate::tensor::{Tensor, list};
use std::fmt::Write;

const MOST_BRACKETS: usize = 3;
/// Of the axes that a caption names.
const MOST_AXES: usize = 4;
/// Characters in a cell.
const LONGEST_NAME: usize = 7;
const LINE_BITS: i128 = 64 * 8;
/// Room that a bracket takes with its label.
const BRACKET: f64 = 20.0;

pub struct Panel<'a> {
    pub title: String,
    captions: Vec<String>,
    pub sheet: Sheet<'a>,
    names: Vec<String>,
    cell_width: f64,
    cell_height: f64,
    /// Brackets above the cells, and to their left; the innermost first.
    above: Vec<Bracket>,
    left: Vec<Bracket>,
}

/// A dimension: from a column (or row) up to another one, which is included.
struct Bracket {
    label: String,
    from: usize,
    to: usize,
    /// It ends outside the sheet.
    open: bool,
}

impl<'a> Panel<'a> {
    pub fn new(title: &str, tensor: &Tensor, sheet: Sheet<'a>) -> Self {
        let names = names(&sheet);
        let shared = |cell: &Cell| match cell {
            Cell::Element { indices: indices @ 2.., .. } => times(*indices).chars().count(),
            _ => 0,
        };
        let lengths = names.iter().map(|name| name.len()).chain(sheet.cells.iter().map(shared));
        let longest = lengths.max().unwrap_or(0);
        let (above, left) = brackets(&sheet);
        Self {
            title: if title.is_empty() { tensor.to_string() } else { title.into() },
            captions: captions(title, tensor, &sheet),
            cell_width: (longest as f64 * CHARACTER + 8.0).max(26.0),
            cell_height: if sheet.is_shared() { 32.0 } else { 24.0 },
            above,
            left,
            sheet,
            names,
        }
    }

    pub fn description(&self) -> String {
        let mut text = format!("{}: {}.", self.title, self.captions.join("; "));
        if !self.sheet.cells.is_empty() {
            let row = grouped(self.sheet.row);
            let _ = write!(
                text,
                " A cell is room for one element. Cells follow each other in the order of memory, {row} to a row."
            );
        }
        for note in self.sheet.notes() {
            let _ = write!(text, " {note}.");
        }
        text
    }

    /// From the left edge of the cells to that of a column, with room between what begins again.
    fn x_of(&self, column: usize) -> f64 {
        column as f64 * self.cell_width
            + self.gaps(column as i64, |unit| unit < self.sheet.row && self.sheet.row % unit == 0)
    }

    fn y_of(&self, row: usize) -> f64 {
        let row_length = self.sheet.row;
        let places = row as i64 * row_length;
        let rows = row as f64 * (self.cell_height + 3.0);
        rows + self.gaps(places, |unit| unit > row_length && unit % row_length == 0)
            + if self.has_frames_in_rows() { 5.0 * row as f64 } else { 0.0 }
    }

    /// Whether frames stand below each other.
    fn has_frames_in_rows(&self) -> bool {
        let memory = &self.sheet.memory;
        memory.per_byte() > 1 || memory.tiles.first().is_some_and(|&tile| tile <= self.sheet.row)
    }

    fn gaps(&self, places: i64, is_gap: impl Fn(i64) -> bool) -> f64 {
        let units = self.sheet.units.iter().filter(|unit| is_gap(unit.0));
        let gaps = units.map(|unit| {
            let before = self.sheet.place_in_unit(*unit, self.sheet.first);
            let count = before.saturating_add(places) / unit.0;
            count as f64 * if unit.1 == Border::Dimension { 4.0 } else { 7.0 }
        });
        gaps.sum()
    }

    /// Draws with the left upper corner at a point; the width and height that it took.
    pub fn draw(&self, out: &mut String, (left, top): (f64, f64), scale: Scale) -> (f64, f64) {
        let mut y = top + 14.0;
        text(out, (left, y), "title", "start", &self.title);
        let mut width = self.title.chars().count() as f64 * TITLE_CHARACTER;
        for caption in &self.captions {
            y += 18.0;
            text(out, (left, y), "soft", "start", caption);
            width = width.max(caption.chars().count() as f64 * CAPTION_CHARACTER);
        }
        y += 16.0 + self.above.len() as f64 * BRACKET;
        let rows = self.sheet.rows();
        let labels: Vec<String> = (0..rows).map(|row| self.byte_of(self.sheet.begin_of_row(row))).collect();
        let label_width = labels.iter().map(|label| label.len()).max().unwrap_or(0) as f64 * CHARACTER + 12.0;
        let x = left + self.left.len() as f64 * BRACKET + label_width;
        if rows > 0 {
            y += 8.0;
            text(out, (x - 8.0, y - 8.0), "mono soft", "end", "byte");
        }
        for (row, label) in labels.iter().enumerate() {
            let middle = y + self.y_of(row) + self.cell_height / 2.0 + 3.5;
            text(out, (x - 8.0, middle), "mono soft", "end", label);
        }
        self.draw_brackets(out, x, y, label_width);
        for cell in 0..self.sheet.cells.len() {
            self.draw_cell(out, cell, (x, y), scale);
        }
        self.draw_frames(out, x, y);
        for cell in 0..self.sheet.cells.len() {
            self.draw_line(out, cell, x, y);
        }
        let columns = self.sheet.row as usize;
        if rows > 0 {
            width = width.max(x - left + self.x_of(columns - 1) + self.cell_width + 4.0);
            y += self.y_of(rows - 1) + self.cell_height;
        }
        for note in self.sheet.notes() {
            y += 20.0;
            text(out, (x, y), "soft", "start", &note);
            width = width.max(x - left + note.chars().count() as f64 * CAPTION_CHARACTER);
        }
        (width, y - top)
    }

    /// The byte of a place, and the bit in it if that is not 0.
    fn byte_of(&self, place: i64) -> String {
        let bits = i128::from(place) * i128::from(self.sheet.memory.bits);
        let (byte, bit) = (bits.div_euclid(8), bits.rem_euclid(8));
        if bit == 0 { byte.to_string() } else { format!("{byte} bit {bit}") }
    }

    fn corner(&self, cell: usize, x: f64, y: f64) -> (f64, f64) {
        let columns = self.sheet.row as usize;
        (x + self.x_of(cell % columns), y + self.y_of(cell / columns))
    }

    fn draw_cell(&self, out: &mut String, cell: usize, (x, y): (f64, f64), scale: Scale) {
        let (x, y) = self.corner(cell, x, y);
        let (width, height) = (number(self.cell_width - 2.0), number(self.cell_height));
        let byte = self.byte_of(self.sheet.place(cell));
        let rect =
            format!("x=\"{}\" y=\"{}\" width=\"{width}\" height=\"{height}\" rx=\"2\"", number(x + 1.0), number(y));
        match &self.sheet.cells[cell] {
            Cell::Outside => {}
            Cell::Padding => {
                let _ = writeln!(out, "<rect class=\"pad\" {rect}><title>padding; byte {byte}</title></rect>");
            }
            Cell::Element { index, number: element, indices } => {
                let colour = scale.colour(*element);
                let shared = if *indices > 1 { format!(", the first of {}", grouped(*indices)) } else { String::new() };
                let index = if index.is_empty() { "()".into() } else { list(index) };
                let hint = format!("index {index}{shared}; element {}; byte {byte}", grouped(*element));
                let fill = colour::hex(colour);
                let _ = writeln!(out, "<rect class=\"cell\" {rect} fill=\"{fill}\"><title>{hint}</title></rect>");
                let class = if colour::is_dark(colour) { "mono white" } else { "mono black" };
                let middle = x + self.cell_width / 2.0;
                let name = &self.names[cell];
                if *indices > 1 {
                    text(out, (middle, y + 13.0), class, "middle", name);
                    text(out, (middle, y + 26.0), class, "middle", &times(*indices));
                } else if !name.is_empty() {
                    text(out, (middle, y + self.cell_height / 2.0 + 3.5), class, "middle", name);
                }
            }
        }
    }

    /// The begin of a line of 64 bytes in a cell, as a part of the cell, if the buffer begins with one.
    fn line_in(&self, cell: usize) -> Option<f64> {
        let bits = i128::from(self.sheet.memory.bits);
        let into_it = (-i128::from(self.sheet.place(cell)) * bits).rem_euclid(LINE_BITS);
        let is_in = self.sheet.cells[cell] != Cell::Outside && into_it < bits && bits < LINE_BITS;
        is_in.then_some(into_it as f64 / bits as f64)
    }

    pub fn has_lines(&self) -> bool {
        (0..self.sheet.cells.len()).any(|cell| self.line_in(cell).is_some())
    }

    fn draw_line(&self, out: &mut String, cell: usize, x: f64, y: f64) {
        let Some(part) = self.line_in(cell) else { return };
        let (left, top) = self.corner(cell, x, y);
        let x = number(left + self.cell_width * part);
        let (top, bottom) = (number(top - 4.0), number(top + self.cell_height + 4.0));
        let _ = writeln!(out, "<path class=\"line\" d=\"M{x} {top}V{bottom}\"/>");
    }

    /// Frames of the first tiles, and of bytes with several elements.
    fn draw_frames(&self, out: &mut String, x: f64, y: f64) {
        let per_byte = self.sheet.memory.per_byte();
        if per_byte > 1 {
            self.draw_frames_of(out, ("byte", per_byte, 2.0), (x, y));
        }
        if let Some(&tile) = self.sheet.memory.tiles.first() {
            self.draw_frames_of(out, ("tile", tile, 3.0), (x, y));
        }
    }

    /// A frame goes around whole rows, or around a part of one; where a tile goes on it is open.
    fn draw_frames_of(&self, out: &mut String, (class, size, room): (&str, i64, f64), (x, y): (f64, f64)) {
        let columns = self.sheet.row as usize;
        let used = self.sheet.cells.iter().rposition(|cell| *cell != Cell::Outside).map_or(0, |last| last + 1);
        let mut begin = self.sheet.cells.iter().position(|cell| *cell != Cell::Outside).unwrap_or(used);
        while begin < used {
            let into_it = self.sheet.place_in_unit((size, Border::Tile), self.sheet.place(begin));
            let left = usize::try_from(size - into_it).unwrap_or(usize::MAX);
            let whole_rows = begin % columns == 0 && left % columns == 0;
            let room_here = if whole_rows { used - begin } else { columns - begin % columns };
            let count = left.min(room_here).min(used - begin);
            let last = begin + count - 1;
            let (open_left, open_right) = (into_it > 0 && !whole_rows, count < left && !whole_rows);
            let (open_above, open_below) = (into_it > 0 && whole_rows, count < left && whole_rows);
            let (x0, y0) = self.corner(begin, x, y);
            let (x1, y1) = self.corner(last, x, y);
            let x1 = if whole_rows { x + self.x_of(columns.min(count) - 1) } else { x1 };
            let [x0, x1] = [x0 + 1.0 - room, x1 + self.cell_width - 1.0 + room].map(number);
            let [y0, y1] = [y0 - room, y1 + self.cell_height + room].map(number);
            let mut path = String::new();
            for (is_open, from, to) in [
                (open_above, format!("{x0} {y0}"), format!("H{x1}")),
                (open_right, format!("{x1} {y0}"), format!("V{y1}")),
                (open_below, format!("{x1} {y1}"), format!("H{x0}")),
                (open_left, format!("{x0} {y1}"), format!("V{y0}")),
            ] {
                if !is_open {
                    let _ = write!(path, "M{from}{to}");
                }
            }
            let _ = writeln!(out, "<path class=\"{class}\" stroke-linecap=\"square\" d=\"{path}\"/>");
            begin += count;
        }
    }

    fn draw_brackets(&self, out: &mut String, x: f64, y: f64, label_width: f64) {
        for (level, bracket) in self.above.iter().enumerate() {
            let line = y - 16.0 - level as f64 * BRACKET;
            let from = x + self.x_of(bracket.from) + 2.0;
            let to = x + self.x_of(bracket.to) + self.cell_width - 2.0;
            let [line_text, from_text, to_text] = [line, from, to].map(number);
            let _ = writeln!(out, "<path class=\"bracket\" d=\"M{from_text} {line_text}v-4H{to_text}v4\"/>");
            text(out, (from, line - 7.0), "mono soft", "start", &bracket.label);
        }
        for (level, bracket) in self.left.iter().enumerate() {
            let line = x - label_width - level as f64 * BRACKET;
            let from = y + self.y_of(bracket.from) + 1.0;
            let to = y + self.y_of(bracket.to) + self.cell_height - 1.0;
            let [line_text, from_text, to_text] = [line, from, to].map(number);
            let end = if bracket.open { "" } else { "h4" };
            let _ = writeln!(out, "<path class=\"bracket\" d=\"M{line_text} {from_text}h-4V{to_text}{end}\"/>");
            let middle = (number(line - 8.0), number((from + to) / 2.0));
            let fits = |label: &&str| label.chars().count() as f64 * CHARACTER < to - from + 6.0;
            let dimension = bracket.label.split(':').next().unwrap_or("");
            if let Some(label) = [bracket.label.as_str(), dimension].iter().find(|label| fits(label)) {
                let _ = writeln!(out, "<g transform=\"translate({} {}) rotate(-90)\">", middle.0, middle.1);
                text(out, (0.0, 0.0), "mono soft", "middle", label);
                let _ = writeln!(out, "</g>");
            }
        }
    }
}

/// The text of each cell: its index, or its number if that is too long.
fn names(sheet: &Sheet<'_>) -> Vec<String> {
    let name = |of: &dyn Fn(&[i64], i64) -> String| -> Vec<String> {
        let name = |cell: &Cell| match cell {
            Cell::Element { index, number, .. } => of(index, *number),
            _ => String::new(),
        };
        sheet.cells.iter().map(name).collect()
    };
    let fits = |names: &Vec<String>| names.iter().all(|name| name.len() <= LONGEST_NAME);
    let indices = name(&|index, _| list(index));
    let numbers = || name(&|_, number| number.to_string());
    let nothing = || vec![String::new(); sheet.cells.len()];
    Some(indices).filter(fits).or_else(|| Some(numbers()).filter(fits)).unwrap_or_else(nothing)
}

fn times(indices: i64) -> String {
    if indices < 1_000_000 { format!("×{indices}") } else { format!("×{:.0e}", indices as f64) }
}

/// Those above the cells, and those to their left.
fn brackets(sheet: &Sheet<'_>) -> (Vec<Bracket>, Vec<Bracket>) {
    let (mut above, mut left) = (Vec::new(), Vec::new());
    let rows = sheet.rows();
    let begin = sheet.memory.lowest.checked_sub(sheet.first).filter(|&begin| begin >= 0);
    let Some(begin) = begin.filter(|_| rows > 0) else { return (above, left) };
    for axis in sheet.memory.axes.iter().take_while(|axis| axis.reach > 0) {
        let column = begin % sheet.row;
        let label =
            |arrow| format!("{}: {}{}", axis.label, grouped(axis.size), if axis.backwards { arrow } else { "" });
        if axis.reach <= sheet.row - column {
            let to = (column + axis.reach - 1) as usize;
            above.push(Bracket { label: label(" ←"), from: column as usize, to, open: false });
        } else if axis.pitch % sheet.row == 0 {
            let from = usize::try_from(begin / sheet.row).unwrap_or(rows);
            let to = usize::try_from(begin.saturating_add(axis.reach - 1) / sheet.row).unwrap_or(rows);
            if from < rows {
                left.push(Bracket { label: label(" ←"), from, to: to.min(rows - 1), open: to >= rows });
            }
        }
    }
    above.truncate(MOST_BRACKETS);
    left.truncate(MOST_BRACKETS);
    (above, left)
}

/// The tensor where the title is another one, sizes, and its axes.
fn captions(title: &str, tensor: &Tensor, sheet: &Sheet<'_>) -> Vec<String> {
    let memory = &sheet.memory;
    let (count, bits) = (memory.elements, memory.bits);
    let plural = |count: i64| if count == 1 { "" } else { "s" };
    let (width, unit) = if bits % 8 == 0 { (bits / 8, "byte") } else { (bits, "bit") };
    let bytes = (i128::from(memory.end) - i128::from(memory.begin)) * i128::from(bits) / 8;
    let bytes = i64::try_from(bytes).unwrap_or(i64::MAX);
    let mut lines = Vec::new();
    if !title.is_empty() && title != tensor.to_string() {
        lines.push(tensor.to_string());
    }
    lines.push(format!(
        "{} element{} of {width} {unit}{} in {} byte{}",
        grouped(count),
        plural(count),
        plural(width),
        grouped(bytes),
        plural(bytes)
    ));
    let axis = |axis: &Axis| {
        let end = if axis.backwards { ", backwards" } else { "" };
        match axis.pitch {
            1 => format!("{}: {} side by side{end}", axis.label, grouped(axis.size)),
            pitch => format!("{}: {}, {} places apart{end}", axis.label, grouped(axis.size), grouped(pitch)),
        }
    };
    let mut axes: Vec<String> = memory.axes.iter().take(MOST_AXES).map(axis).collect();
    if memory.axes.len() > MOST_AXES {
        axes.push("…".into());
    }
    if !axes.is_empty() {
        lines.push(axes.join("; "));
    }
    lines
}
