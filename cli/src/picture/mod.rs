//! Pictures of memory: SVG, and blocks in a terminal.
//!
//! `memory` says what lies at each place of a buffer, `sheet` puts the places into rows so that structure shows,
//! `colour` has a colour for each element. `terminal` draws with text, `vector` with SVG: a `panel` for each tensor, of
//! pieces from `markup`.

pub mod colour;
pub mod markup;
mod memory;
mod panel;
mod sheet;
mod terminal;
mod vector;

use crate::fault::{Fault, Result};
pub use terminal::blocks;
pub use vector::svg;

/// Writes a picture to a file, whose name has to say so: a tensor's file is never replaced by mistake.
pub fn write(path: &std::path::Path, svg: String) -> Result<()> {
    if path.extension().is_none_or(|end| !end.eq_ignore_ascii_case("svg")) {
        return Err(Fault::usage(format!("--svg {}: the name has to end in .svg", path.display())));
    }
    std::fs::write(path, svg).map_err(|error| Fault::file(path, error))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tensor::Tensor;
    use stride::{Dtype, LayoutBuf};

    /// SplitMix64.
    struct Random(u64);

    impl Random {
        fn below(&mut self, end: u64) -> u64 {
            self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
            let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
            let z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
            (z ^ (z >> 31)) % end
        }

        /// Small ones, often; else of any width, of either sign.
        fn number(&mut self) -> i64 {
            let any = self.below(u64::MAX) as i64;
            if self.below(4) > 0 { self.below(9) as i64 } else { any >> self.below(64) }
        }
    }

    #[test]
    fn any_layout_is_drawn() {
        let mut random = Random(7);
        let mut drawn = 0;
        for case in 0..500 {
            let dtype = [Dtype::U1, Dtype::U4, Dtype::U8, Dtype::F32, Dtype::C128][random.below(5) as usize];
            let rank = random.below(5) as usize;
            let sizes: Vec<i64> = (0..rank).map(|_| random.number().saturating_abs()).collect();
            let strides: Vec<i64> = (0..rank).map(|_| random.number()).collect();
            let Ok(layout) = LayoutBuf::new(dtype, random.number(), &sizes, &strides) else { continue };
            let tensor = Tensor::from(layout);
            let svg = svg(&[("", &tensor), ("again", &tensor)]).unwrap_or_else(|fault| panic!("{case}: {fault}"));
            assert_eq!(svg.contains("class=\"cell\""), tensor.element_count() > 0, "{case}: {tensor}");
            let text = blocks(&tensor, random.below(120) as usize, case % 2 == 0).unwrap();
            assert!(text.lines().count() <= 24 * 2 + 5, "{case}: {text}");
            drawn += 1;
        }
        assert!(drawn > 200, "{drawn}");
    }

    #[test]
    fn any_tiles_and_blocks_are_drawn() {
        let mut random = Random(8);
        let mut drawn = 0;
        for case in 0..300 {
            let mut size = || random.below(40);
            let (a, b, c, t, u, v) = (size(), size(), size(), size(), size() % 4, size() % 3);
            let text = match case % 4 {
                0 => format!("f32[{a},{b},{c}]{{0,2,1:T({t},{u})({v},1)}}"),
                1 => format!("s4[{a},{b}]{{1,0:T({t})E(4)}}"),
                2 => format!("f32[{a},{b},{c}]{{2,1,0:T(*,{t},{u})}}"),
                _ => format!("u8[{a},{b}]:a/{t} b/{u} a%{t} b%{u}"),
            };
            let Ok(tensor) = Tensor::parse(&text) else { continue };
            svg(&[(&text, &tensor)]).unwrap_or_else(|fault| panic!("{text}: {fault}"));
            blocks(&tensor, 100, true).unwrap();
            drawn += 1;
        }
        assert!(drawn > 100, "{drawn}");
    }
}
