//! Places in rows, so that structure shows.
//!
//! A row is as long as the largest pitch that fits: a row of an image with its padding, a tile, a row of tiles. Where
//! that is only a few places, or none fits, it is a part of the next larger one. What does not fit on the sheet is
//! counted.

use super::memory::{Cell, MOST_PLACES, Memory};
use crate::fault::Result;
use crate::tensor::Tensor;

/// Rows of fewer places are joined if they are many.
const SHORT_ROW: i64 = 8;

/// A unit that begins at a place. Each is a stronger border than the one before.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Border {
    /// A dimension begins again.
    Dimension,
    Byte,
    Tile,
}

pub struct Sheet<'a> {
    pub memory: Memory<'a>,
    /// Places of a row.
    pub row: i64,
    /// The place of the first cell.
    pub first: i64,
    /// Whole rows.
    pub cells: Vec<Cell>,
    /// The lengths of the units, in places; the smallest first.
    pub units: Vec<(i64, Border)>,
    /// Places of the buffer before the sheet.
    pub before: i64,
    /// Elements (indices) and places after it.
    pub more_elements: i64,
    pub more_places: i64,
}

impl<'a> Sheet<'a> {
    /// At most so many columns and rows, each at least 1.
    pub fn new(tensor: &'a Tensor, most_columns: usize, most_rows: usize) -> Result<Self> {
        let memory = Memory::new(tensor)?;
        let most_columns = most_columns.clamp(1, MOST_PLACES);
        let row = row_of(&memory, most_columns as i64);
        // Rows begin at place 0, so that a crop lies in its image as it does; or at the lowest element, if its rows
        // would be broken otherwise.
        let inside = memory.axes.iter().rev().find(|axis| axis.reach > 0 && axis.reach <= row);
        let reach = inside.map_or(1, |axis| axis.reach);
        let phase = memory.lowest.rem_euclid(row);
        let phase = if phase.checked_add(reach).is_none_or(|end| end > row) && reach > 1 { phase } else { 0 };
        let begin_of_row = |place: i64| {
            let into_it = (i128::from(place) - i128::from(phase)).rem_euclid(i128::from(row)) as i64;
            place.checked_sub(into_it).unwrap_or(place)
        };
        let mut first = begin_of_row(memory.begin);
        let of_lowest = begin_of_row(memory.lowest);
        if i128::from(of_lowest) - i128::from(first) > 2 * i128::from(row) {
            first = of_lowest;
        }
        let length = i128::from(memory.end) - i128::from(first);
        let rows = (length + i128::from(row) - 1) / i128::from(row);
        let most_rows = most_rows.clamp(1, MOST_PLACES / most_columns.max(1));
        let rows = rows.clamp(0, most_rows as i128) as usize;
        let mut sheet = Self {
            row,
            first,
            cells: memory.cells(first, rows * row as usize)?,
            units: units(&memory),
            before: first.saturating_sub(memory.begin).max(0),
            more_elements: 0,
            more_places: 0,
            memory,
        };
        let drawn = sheet.cells.iter().fold(0i64, |sum, cell| match cell {
            Cell::Element { indices, .. } => sum.saturating_add(*indices),
            _ => sum,
        });
        sheet.more_elements = sheet.memory.elements.saturating_sub(drawn).max(0);
        sheet.more_places = (length - sheet.cells.len() as i128).clamp(0, i128::from(i64::MAX)) as i64;
        Ok(sheet)
    }

    pub fn rows(&self) -> usize {
        self.cells.len() / self.row as usize
    }

    pub fn place(&self, cell: usize) -> i64 {
        self.first.saturating_add(cell as i64)
    }

    /// Places since something of this size began.
    pub fn place_in_unit(&self, (size, border): (i64, Border), place: i64) -> i64 {
        // Tiles and bytes begin at place 0, dimensions at their first element.
        let begin = if border == Border::Dimension { self.memory.lowest } else { 0 };
        (i128::from(place) - i128::from(begin)).rem_euclid(i128::from(size)) as i64
    }

    /// The strongest border before a place, of what is smaller than a row.
    pub fn border(&self, place: i64) -> Option<Border> {
        let here = self.units.iter().filter(|unit| unit.0 < self.row && self.place_in_unit(**unit, place) == 0);
        here.map(|unit| unit.1).max()
    }

    /// Whether something larger than a row begins at a row.
    pub fn begins_at_row(&self, place: i64) -> bool {
        self.units.iter().any(|unit| unit.0 > self.row && self.place_in_unit(*unit, place) == 0)
    }

    /// Whether an element has more than one index.
    pub fn is_shared(&self) -> bool {
        self.cells.iter().any(|cell| matches!(cell, Cell::Element { indices: 2.., .. }))
    }

    /// Of the elements, in row-major order.
    pub fn numbers(&self) -> impl Iterator<Item = i64> + Clone {
        self.cells.iter().filter_map(|cell| match cell {
            Cell::Element { number, .. } => Some(*number),
            _ => None,
        })
    }

    /// The first place of a row that is one of the buffer.
    pub fn begin_of_row(&self, row: usize) -> i64 {
        self.place(row * self.row as usize).max(self.memory.begin)
    }

    pub fn has_elements(&self) -> bool {
        self.numbers().next().is_some()
    }

    pub fn has_padding(&self) -> bool {
        self.cells.contains(&Cell::Padding)
    }

    /// Notes, one sentence a line: what the sheet leaves out, and others.
    pub fn notes(&self) -> Vec<String> {
        let mut notes = Vec::new();
        if self.before > 0 {
            let places = if self.before == 1 { "1 place".into() } else { format!("{} places", grouped(self.before)) };
            notes.push(format!("{places} before the first row: padding"));
        }
        match (self.more_elements, self.more_places) {
            (1, _) => notes.push("… 1 more element".into()),
            (0, 0) => {}
            (0, places) => notes.push(format!("… {} more places of padding", grouped(places))),
            (elements, _) => notes.push(format!("… {} more elements", grouped(elements))),
        }
        if self.memory.begin < 0 {
            notes.push("Places below 0 lie before the base pointer".into());
        }
        notes
    }
}

fn units(memory: &Memory<'_>) -> Vec<(i64, Border)> {
    let mut units: Vec<(i64, Border)> = Vec::new();
    let dimensions = memory.axes.iter().filter(|axis| axis.reach > 0).map(|axis| (axis.pitch, Border::Dimension));
    let tiles = memory.tiles.iter().map(|&size| (size, Border::Tile));
    // What is inside an axis of steps is no unit: it has one element.
    for unit in dimensions.skip(1).chain(tiles).chain([(memory.per_byte(), Border::Byte)]) {
        match units.iter_mut().find(|other| other.0 == unit.0) {
            Some(other) => other.1 = other.1.max(unit.1),
            None if unit.0 > 1 => units.push(unit),
            None => {}
        }
    }
    units.sort();
    units
}

fn row_of(memory: &Memory<'_>, most: i64) -> i64 {
    let places = i128::from(memory.end) - i128::from(memory.begin);
    let all = places.clamp(1, i128::from(i64::MAX)) as i64;
    let nested = || memory.axes.iter().filter(|axis| axis.reach > 0);
    let fits = nested().skip(1).filter(|axis| axis.pitch <= most && axis.pitch > 1).last();
    match fits {
        Some(axis) if axis.pitch >= SHORT_ROW || axis.reach <= most => axis.pitch,
        Some(axis) => axis.pitch * part(axis.size, most / axis.pitch),
        None if all <= most => all,
        None => match nested().skip(1).map(|axis| axis.pitch).find(|&pitch| pitch > most) {
            Some(pitch) => part(pitch, most),
            None => most,
        },
    }
}

/// The largest divisor that is at most `most`, or `most` if that is far below.
fn part(size: i64, most: i64) -> i64 {
    let divisor = (1..=most.max(1)).rev().find(|divisor| size % divisor == 0).unwrap_or(1);
    if divisor * 8 >= most * 3 { divisor } else { most.max(1) }
}

/// `150,464`
pub fn grouped(number: i64) -> String {
    let digits = number.unsigned_abs().to_string();
    let mut text = String::from(if number < 0 { "-" } else { "" });
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shape_of(text: &str, columns: usize) -> (i64, i64, usize, i64, i64) {
        let tensor = Tensor::parse(text).unwrap();
        let sheet = Sheet::new(&tensor, columns, 24).unwrap();
        (sheet.row, sheet.first, sheet.rows(), sheet.more_elements, sheet.more_places)
    }

    #[test]
    fn rows_are_what_a_reader_expects() {
        for (text, row, first, rows) in [
            ("f32[2,3]", 3, 0, 2),
            ("f32[2,3]:1,2", 2, 0, 3),
            ("u8[4,6,3]:18,3,1", 18, 0, 4),
            ("u8[2,2,3]:18,3,1+24", 18, 0, 3),  // a crop, in its image
            ("u8[4,6,3]:18,3,1+7", 18, -11, 5), // an image after 7 bytes
            ("u8[3,5]:8,1", 8, 0, 3),
            ("f32[4]:2", 7, 0, 1),
            ("f32[5,3]:1,1", 7, 0, 1),
            ("f32[3,5]{1,0:T(2,2)}", 12, 0, 2),
            ("f32[1,8,2,2]:nChw4c", 16, 0, 2),
            ("f32[]", 1, 0, 1),
            ("f32[0,3]", 1, 0, 0),
            ("u8[1000]:1+5", 32, 0, 24),
            ("u8[3]:1+1000", 32, 992, 1), // what lies before is left out
        ] {
            let (found, found_first, found_rows, ..) = shape_of(text, 32);
            assert_eq!((found, found_first, found_rows), (row, first, rows), "{text}");
        }
        assert_eq!(shape_of("u8[224,224,3]", 32).0, 24);
        assert_eq!(shape_of("u8[227,227,3]", 32).0, 30);
        assert_eq!(shape_of("f32[8,200]{1,0:T(8,128)}", 32).0, 32);
        assert_eq!(shape_of("bf16[16,256]{1,0:T(8,128)(2,1)}", 32).0, 32);
        assert_eq!(shape_of("f32[100,100]", 32).0, 25);
        assert_eq!(shape_of("f32[2,3]", 1).0, 1);
    }

    #[test]
    fn what_is_left_out_is_counted() {
        assert_eq!(shape_of("f32[1,3,224,224]", 32), (32, 0, 24, 150_528 - 768, 150_528 - 768));
        assert_eq!(shape_of("f32[1000,4]:0,1", 32), (4, 0, 1, 0, 0));
        assert_eq!(shape_of("u8[3]:1+1152921504606846972", 32).3, 0);
        let (_, _, _, elements, places) = shape_of("u8[536870912,1073741824]:0,1", 32);
        assert_eq!((elements, places), (((1 << 30) - 768) << 29, (1 << 30) - 768));
    }

    #[test]
    fn numbers_are_grouped() {
        assert_eq!([grouped(0), grouped(999), grouped(-1000), grouped(150_464)], ["0", "999", "-1,000", "150,464"]);
        assert_eq!(grouped(i64::MIN), "-9,223,372,036,854,775,808");
    }
}
