//! The contents of each place of a buffer.
//!
//! A *place* is room for one element; the base pointer points to place 0. The library says which index lies there.

use crate::fault::Result;
use crate::tensor::Tensor;
use stride::vocabulary::blocks::BlockedLayout;
use stride::vocabulary::xla::Shape;
use stride::vocabulary::xla::tiles::MERGE;
use stride::{Layout, LayoutBuf, Object};

/// The most places that are drawn.
pub const MOST_PLACES: usize = 4096;

/// The contents of a place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Cell {
    /// It is no part of the buffer.
    Outside,
    Padding,
    Element {
        /// The first index in row-major order, and its number in this order.
        index: Vec<i64>,
        number: i64,
        /// The number of indices that share the place.
        indices: i64,
    },
}

/// Elements that lie at equal distances.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Axis {
    /// `dim 1`, and which digit of it.
    pub label: String,
    pub size: i64,
    /// Places from one to the next, above 0.
    pub pitch: i64,
    /// Higher indices lie at lower places.
    pub backwards: bool,
    /// Places from the first to the last element of this axis and all that lie inside it; 0 if it does not reach over
    /// what lies inside it, so that elements of two of its indices mix.
    pub reach: i64,
}

pub struct Memory<'a> {
    tensor: &'a Tensor,
    pub elements: i64,
    pub bits: i64,
    /// The first place of the buffer, and the one after the last.
    pub begin: i64,
    pub end: i64,
    /// The place of the lowest element.
    pub lowest: i64,
    /// The innermost one first, without those of size 1 and of stride 0.
    pub axes: Vec<Axis>,
    /// Places of a tile, the first level first.
    pub tiles: Vec<i64>,
}

impl<'a> Memory<'a> {
    pub fn new(tensor: &'a Tensor) -> Result<Self> {
        let bits = tensor.storage_bits().max(1);
        let mut memory = Self {
            tensor,
            elements: tensor.element_count(),
            bits,
            begin: 0,
            end: 0,
            lowest: 0,
            axes: Vec::new(),
            tiles: Vec::new(),
        };
        match &tensor.0 {
            Object::Layout(layout) => memory.set_layout(&layout.view()?),
            Object::Shape(shape) => {
                memory.end = places(shape.byte_size()?, bits);
                if memory.end > 0 {
                    memory.set_tiled(shape);
                }
            }
            Object::Blocked(blocked) => {
                memory.end = places(blocked.byte_size()?, bits);
                memory.set_blocked(blocked, &blocked.buffer()?);
            }
        }
        Ok(memory)
    }

    /// Elements in a byte, 1 if an element takes one or more.
    pub fn per_byte(&self) -> i64 {
        if self.bits < 8 && 8 % self.bits == 0 { 8 / self.bits } else { 1 }
    }

    fn set_layout(&mut self, layout: &Layout<'_>) {
        if layout.is_empty() {
            return;
        }
        let (lowest, highest) = layout.span();
        let bytes = self.per_byte();
        self.lowest = lowest;
        self.begin = lowest.min(0).saturating_sub(lowest.min(0).rem_euclid(bytes));
        let end = highest.saturating_add(1);
        self.end = end.saturating_add((-end).rem_euclid(bytes));
        let mut order: Vec<usize> =
            (0..layout.rank()).filter(|&k| layout.sizes()[k] > 1 && layout.strides()[k] != 0).collect();
        order.sort_by_key(|&k| (layout.strides()[k].unsigned_abs(), layout.rank() - k));
        let mut inside = 1i64;
        for k in order {
            let (size, stride) = (layout.sizes()[k], layout.strides()[k]);
            let pitch = stride.saturating_abs();
            let all = (size - 1).saturating_mul(pitch).saturating_add(inside);
            let reach = if pitch >= inside { all } else { 0 };
            self.axes.push(Axis { label: format!("dim {k}"), size, pitch, backwards: stride < 0, reach });
            inside = all;
        }
    }

    /// The axes of a packed buffer with these dimensions, outermost first.
    fn set_packed(&mut self, dimensions: &[(String, i64)]) {
        let mut pitch = 1i64;
        for (label, size) in dimensions.iter().rev() {
            if *size > 1 {
                let reach = pitch.saturating_mul(*size);
                self.axes.push(Axis { label: label.clone(), size: *size, pitch, backwards: false, reach });
                pitch = reach;
            }
        }
    }

    fn set_blocked(&mut self, blocked: &BlockedLayout, buffer: &LayoutBuf) {
        let blocks: Vec<_> = blocked.blocks().collect();
        let name = |block: &stride::vocabulary::blocks::Block| {
            let mut name = format!("dim {}", block.dimension);
            if block.step != 1 {
                name += &format!(" / {}", block.step);
            }
            if block.size != 0 {
                name += &format!(" % {}", block.size);
            }
            name
        };
        let names = blocks.iter().map(name).zip(buffer.sizes().iter().copied());
        self.set_packed(&names.collect::<Vec<_>>());
        // The blocks after the last one that takes whatever a dimension needs.
        let inner = blocks.iter().rev().take_while(|block| block.size != 0);
        let tile = inner.fold(1i64, |product, block| product.saturating_mul(block.size));
        if tile > 1 && tile < self.end {
            self.tiles.push(tile);
        }
    }

    /// The rule of openxla/xla docs/tiled_layout.md, for sizes only. No size is 0.
    fn set_tiled(&mut self, shape: &Shape) {
        let order = shape.minor_to_major().iter().rev().map(|&dimension| dimension as usize);
        let mut cut: Vec<(String, i64)> =
            order.filter_map(|k| Some((format!("dim {k}"), *shape.padded_sizes().get(k)?))).collect();
        let mut dimensions_of_tiles: Vec<usize> = Vec::new();
        for tile in shape.tiles().iter() {
            while cut.len() < tile.len() {
                cut.insert(0, (String::new(), 1));
            }
            let taken = cut.split_off(cut.len() - tile.len());
            let (mut inside, mut merged) = (Vec::new(), (String::new(), 1i64));
            for ((name, size), &cells) in taken.into_iter().zip(tile) {
                let both = if size == 1 || merged.0.is_empty() { "" } else { " and " };
                let name = if size == 1 { String::new() } else { name };
                merged = (format!("{}{both}{name}", merged.0), merged.1.saturating_mul(size));
                if cells == MERGE {
                    continue;
                }
                let (name, size) = std::mem::replace(&mut merged, (String::new(), 1));
                let digit = |sign, count| if count == 1 { name.clone() } else { format!("{name} {sign} {count}") };
                cut.push((digit('/', cells), size / cells + i64::from(size % cells != 0)));
                inside.push((digit('%', if cells < size { cells } else { 1 }), cells));
            }
            for dimensions in &mut dimensions_of_tiles {
                let cuts_across = *dimensions < tile.len();
                *dimensions = if cuts_across { 0 } else { *dimensions - tile.len() + 2 * inside.len() };
            }
            dimensions_of_tiles.push(inside.len());
            cut.append(&mut inside);
        }
        for dimensions in dimensions_of_tiles {
            let sizes = cut.iter().rev().take(dimensions);
            let size = sizes.fold(1i64, |product, (_, size)| product.saturating_mul(*size));
            if size > 1 && size < self.end {
                self.tiles.push(size);
            }
        }
        self.set_packed(&cut);
    }

    /// The contents of `count` places.
    pub fn cells(&self, first: i64, count: usize) -> Result<Vec<Cell>> {
        let cell = |place: i64| {
            if place < self.begin || place >= self.end {
                return Ok(Cell::Outside);
            }
            let Some((index, sharing)) = self.tensor.index_at(place)? else { return Ok(Cell::Padding) };
            let digits = index.iter().zip(self.tensor.sizes());
            let number = digits.fold(0i64, |number, (&digit, &size)| number.wrapping_mul(size).wrapping_add(digit));
            Ok(Cell::Element { index, number, indices: sharing as i64 })
        };
        (0..count as i64).map(|k| cell(first.saturating_add(k))).collect()
    }
}

/// Elements that fit into so many bytes.
fn places(bytes: u64, bits: i64) -> i64 {
    (i128::from(bytes) * 8 / i128::from(bits)).min(i128::from(i64::MAX)) as i64
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tensor(text: &str) -> Tensor {
        Tensor::parse(text).unwrap_or_else(|fault| panic!("{text}: {fault}"))
    }

    /// Every index of a small tensor.
    fn indices(sizes: &[i64]) -> Vec<Vec<i64>> {
        sizes.iter().fold(vec![Vec::new()], |all, &size| {
            let longer = |index: &Vec<i64>| {
                let index = index.clone();
                (0..size).map(move |digit| [index.clone(), vec![digit]].concat())
            };
            all.iter().flat_map(longer).collect()
        })
    }

    #[test]
    fn each_place_has_what_the_loop_over_all_indices_puts_there() {
        for text in [
            "f32[2,3]",
            "f32[]",
            "f32[2,3]:1,2",
            "u8[4,6,3]:18,3,1+7",
            "u8[3,5]:8,1",
            "f32[2,3]:-3,1+3",
            "f32[2,3]:-3,-1",
            "f32[2,3]:-4,-1+2",
            "f32[4,3]:0,1",
            "f32[2,3]:0,0+2",
            "f32[5,3]:1,1",
            "f32[5,3,4]:2,-3,2",
            "f32[3,4,2]:-1,2,-2+9",
            "u8[1,3]:-9223372036854775808,1",
            "u4[3,5]",
            "u4[3,3]:4,1+1",
            "u4[3]:-1",
            "u1[5]",
            "f32[3,5]{1,0:T(2,2)}",
            "f32[3,5]{1,0:T(2,4)}",
            "bf16[4,8]{1,0:T(2,4)(2,1)}",
            "f32[2,3,3]{2,1,0:T(*,4,2)}",
            "s4[2,5]{1,0:T(2,4)E(4)}",
            "f32[1,8,2,3]:nChw4c",
            "u8[9,5]:a/4 b/2 a%4 b%2",
            "u8[3,5]:b a",
        ] {
            let tensor = tensor(text);
            let memory = Memory::new(&tensor).unwrap();
            let count = usize::try_from(memory.end - memory.begin).unwrap() + 10;
            let first = memory.begin - 5;
            let mut expected: Vec<Cell> = (first..first + count as i64)
                .map(|place| if place < memory.begin || place >= memory.end { Cell::Outside } else { Cell::Padding })
                .collect();
            for (number, index) in indices(tensor.sizes()).into_iter().enumerate() {
                match &mut expected[usize::try_from(tensor.offset_of(&index).unwrap() - first).unwrap()] {
                    Cell::Element { indices, .. } => *indices += 1,
                    cell => *cell = Cell::Element { index, number: number as i64, indices: 1 },
                }
            }
            assert!(!expected[5..count - 5].contains(&Cell::Outside), "{text}");
            assert_eq!(memory.cells(first, count).unwrap(), expected, "{text}");
        }
    }

    #[test]
    fn axes_and_tiles_of_a_cut_buffer() {
        let of = |text: &str| {
            let tensor = tensor(text);
            let memory = Memory::new(&tensor).unwrap();
            let axes = memory.axes.iter().map(|axis| format!("{} x{} @{}", axis.label, axis.size, axis.pitch));
            (axes.collect::<Vec<_>>().join(", "), memory.tiles)
        };
        assert_eq!(of("f32[2,3]:-3,1+3"), ("dim 1 x3 @1, dim 0 x2 @3".into(), vec![]));
        // XLA's docs/tiled_layout.md: 2 x 3 tiles of 4 elements.
        let expected = "dim 1 % 2 x2 @1, dim 0 % 2 x2 @2, dim 1 / 2 x3 @4, dim 0 / 2 x2 @12";
        assert_eq!(of("f32[3,5]{1,0:T(2,2)}"), (expected.into(), vec![4]));
        let expected = "dim 0 % 2 x2 @1, dim 1 % 4 x4 @2, dim 1 / 4 x2 @8, dim 0 / 2 x2 @16";
        assert_eq!(of("bf16[4,8]{1,0:T(2,4)(2,1)}").0, expected);
        assert_eq!(of("bf16[4,8]{1,0:T(2,4)(2,1)}").1, [8, 2]);
        let expected = "dim 0 x2 @1, dim 1 x3 @2, dim 2 x3 @6";
        assert_eq!(of("f32[2,3,3]{0,1,2:T(2)}").0, expected, "tiles as long as a row");
        assert_eq!(of("u8[9,5]:a/4 b/2 a%4 b%2").1, [8]);
    }

    #[test]
    fn huge_tensors_are_looked_at_in_places_alone() {
        for text in [
            "u8[1152921504606846975]",
            "u8[536870912,1073741824]",
            "u8[536870912,1073741824]:0,1",
            "u8[536870912,1073741824]:1,1",
            "u8[536870912,1073741824]:-1073741824,-1",
            "u8[536870912,1073741824]{1,0:T(8,128)}",
            "u8[536870912,1073741824]:a/16 b a%16",
        ] {
            let tensor = tensor(text);
            let memory = Memory::new(&tensor).unwrap();
            let cells = memory.cells(memory.begin, 1000).unwrap();
            assert!(matches!(cells[999], Cell::Element { .. }), "{text}");
        }
        let deep = format!("u8[{}]:{}", ["2"; 60].join(","), ["1"; 60].join(","));
        let tensor = tensor(&deep);
        let cells = Memory::new(&tensor).unwrap().cells(0, 100).unwrap();
        // Of 60 digits 30 are 1: 60! / (30! · 30!) indices.
        assert!(matches!(cells[30], Cell::Element { indices: 118_264_581_564_861_424, .. }), "{:?}", cells[30]);
    }
}
