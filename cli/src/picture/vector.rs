//! Memory as SVG: a cell for each place, in the order of memory.
//!
//! Each tensor is a panel beside the others. One legend names what occurs. The colours of the page follow
//! `prefers-color-scheme`, those of the elements do not. Each cell has a title that says index, number and byte, and
//! the picture has one and a description, for whoever cannot see it.

use super::colour::{self, Scale};
use super::markup::{self, CAPTION_CHARACTER, number};
use super::panel::Panel;
use super::sheet::{Sheet, grouped};
use crate::fault::Result;
use crate::tensor::Tensor;
use std::fmt::Write;

const MOST_ROWS: usize = 24;
const MOST_COLUMNS: usize = 32;
/// Of each of several tensors.
const MOST_COLUMNS_BESIDE: usize = 20;

const MARGIN: f64 = 20.0;
const BETWEEN_PANELS: f64 = 44.0;
const LEAST_WIDTH: f64 = 500.0;

const STYLE: &str = "\
.black{fill:#000}
.white{fill:#fff}
.pad{fill:url(#stride-padding);stroke:#b8bec6}
.hatch{stroke:#a3abb5;stroke-width:1.4}
.bracket{fill:none;stroke:#8c959f}
.tile{fill:none;stroke:#1b1f24;stroke-width:1.6}
.byte{fill:none;stroke:#57606a;stroke-width:1.2}
.line{stroke:#c4322b;stroke-width:2.4}
";
const STYLE_DARK: &str = "\
.black{fill:#000}
.white{fill:#fff}
.pad{stroke:#454d57}
.hatch{stroke:#59626d}
.bracket{stroke:#6e7681}
.tile{stroke:#e6edf3}
.byte{stroke:#9aa4af}
.line{stroke:#ff7b6b}
";
const HATCH: &str = "<defs><pattern id=\"stride-padding\" width=\"6\" height=\"6\" patternUnits=\"userSpaceOnUse\" \
patternTransform=\"rotate(45)\"><path class=\"hatch\" d=\"M0 0V6\"/></pattern></defs>\n";

/// The buffer of each tensor, with its title.
pub fn svg(tensors: &[(&str, &Tensor)]) -> Result<String> {
    let columns = if tensors.len() > 1 { MOST_COLUMNS_BESIDE } else { MOST_COLUMNS };
    let panels = tensors
        .iter()
        .map(|(title, tensor)| Ok(Panel::new(title, tensor, Sheet::new(tensor, columns, MOST_ROWS)?)))
        .collect::<Result<Vec<_>>>()?;
    let scale = Scale::of(panels.iter().flat_map(|panel| panel.sheet.numbers()));
    let mut body = String::from(HATCH);
    let (mut x, mut bottom) = (MARGIN, MARGIN);
    for panel in &panels {
        let (width, height) = panel.draw(&mut body, (x, MARGIN), scale);
        x += width + BETWEEN_PANELS;
        bottom = f64::max(bottom, MARGIN + height);
    }
    let width = f64::max(x - BETWEEN_PANELS + MARGIN, LEAST_WIDTH);
    let height = legend(&mut body, &panels, scale, (width, bottom + 20.0)) + MARGIN;
    let title = panels.iter().map(|panel| panel.title.as_str()).collect::<Vec<_>>().join(" and ");
    let description = panels.iter().map(Panel::description).collect::<Vec<_>>().join(" ");
    Ok(markup::document((width, height), &title, &description, (STYLE, STYLE_DARK), &body))
}

/// Draws a legend of what occurs in the panels; the y below it.
fn legend(out: &mut String, panels: &[Panel<'_>], scale: Scale, (width, top): (f64, f64)) -> f64 {
    let any = |of: &dyn Fn(&Sheet<'_>) -> bool| panels.iter().any(|panel| of(&panel.sheet));
    let elements = format!("elements {} to {} in row-major order", grouped(scale.from), grouped(scale.to));
    let items = [
        ("ramp", elements.as_str(), any(&|sheet| sheet.has_elements())),
        ("pad", "padding", any(&|sheet| sheet.has_padding())),
        ("tile", "a tile", any(&|sheet| !sheet.memory.tiles.is_empty())),
        ("byte", "a byte", any(&|sheet| sheet.memory.per_byte() > 1 && !sheet.cells.is_empty())),
        ("line", "a line of 64 bytes begins, if the buffer begins with one", panels.iter().any(Panel::has_lines)),
        ("times", "so many indices share the place", any(&|sheet| sheet.is_shared())),
    ];
    let (mut x, mut y) = (MARGIN, top);
    for (class, sentence, _) in items.iter().filter(|item| item.2) {
        let sample = if *class == "ramp" { 72.0 } else { 24.0 };
        let length = sample + 8.0 + sentence.chars().count() as f64 * CAPTION_CHARACTER + 18.0;
        if x > MARGIN && x + length > width {
            (x, y) = (MARGIN, y + 24.0);
        }
        let (left, upper) = (number(x), number(y));
        let _ = match *class {
            "ramp" => (0..12).try_for_each(|step| {
                let (left, fill) = (number(x + 6.0 * f64::from(step)), colour::hex(colour::at(f64::from(step) / 11.0)));
                writeln!(out, "<rect x=\"{left}\" y=\"{upper}\" width=\"6.5\" height=\"16\" fill=\"{fill}\"/>")
            }),
            "line" => writeln!(out, "<path class=\"line\" d=\"M{} {upper}v16\"/>", number(x + 12.0)),
            "times" => {
                markup::text(out, (x + 12.0, y + 12.0), "mono", "middle", "×2");
                Ok(())
            }
            class => writeln!(
                out,
                "<rect class=\"{class}\" x=\"{left}\" y=\"{upper}\" width=\"24\" height=\"16\" rx=\"2\"/>"
            ),
        };
        markup::text(out, (x + sample + 8.0, y + 12.5), "soft", "start", sentence);
        x += length;
    }
    y + 16.0
}

#[cfg(test)]
mod tests {
    use super::*;

    fn svg_of(texts: &[&str]) -> String {
        let tensors: Vec<Tensor> = texts.iter().map(|text| Tensor::parse(text).unwrap()).collect();
        let titled: Vec<(&str, &Tensor)> = texts.iter().copied().zip(&tensors).collect();
        svg(&titled).unwrap()
    }

    fn count(text: &str, part: &str) -> usize {
        text.matches(part).count()
    }

    /// Every element closes, in order, and no attribute or text has a bare sign.
    #[track_caller]
    fn assert_xml(text: &str) {
        let mut open = Vec::new();
        let mut rest = text;
        while let Some(begin) = rest.find('<') {
            assert!(!rest[..begin].contains('>'), "{}", &rest[..begin]);
            let end = rest.find('>').expect("a tag ends");
            let tag = &rest[begin + 1..end];
            assert!(!tag.contains('<') && tag.matches('"').count().is_multiple_of(2), "{tag}");
            match tag.strip_prefix('/') {
                Some(name) => assert_eq!(open.pop(), Some(name)),
                None if tag.ends_with('/') => {}
                None => open.push(tag.split(' ').next().unwrap()),
            }
            rest = &rest[end + 1..];
        }
        assert!(open.is_empty() && rest.trim().is_empty(), "{open:?} {rest}");
    }

    #[test]
    fn each_element_is_a_cell_and_padding_is_hatched() {
        for (text, cells, padding, tiles, bytes) in [
            ("f32[2,3]", 6, 0, 0, 0),
            ("u8[3,5]:8,1", 15, 6, 0, 0),
            ("u8[2,3]:-3,-1+6", 6, 1, 0, 0),
            ("f32[3,5]{1,0:T(2,2)}", 15, 9, 6, 0),
            ("f32[1,8,2,2]:nChw4c", 32, 0, 8, 0),
            ("u8[9,5]:a/4 b/2 a%4 b%2", 45, 27, 9, 0),
            ("u4[3,3]", 9, 1, 0, 9),
            ("f32[4,3]:0,1", 3, 0, 0, 0),
            ("f32[0,3]", 0, 0, 0, 0),
            ("f32[]", 1, 0, 0, 0),
        ] {
            let svg = svg_of(&[text]);
            assert_xml(&svg);
            assert_eq!(count(&svg, "class=\"cell\""), cells, "{text}");
            let legend = usize::from(padding > 0);
            assert_eq!(count(&svg, "<rect class=\"pad\""), padding + legend, "{text}");
            assert_eq!(count(&svg, "<path class=\"tile\""), tiles, "{text}");
            // Of the five bytes of u4[3,3] four lie in two rows, of which each has an open frame.
            assert_eq!(count(&svg, "<path class=\"byte\""), if bytes > 0 { 7 } else { 0 }, "{text}");
        }
    }

    #[test]
    fn an_element_has_the_same_colour_on_both_sides() {
        let svg = svg_of(&["f32[2,3]", "f32[2,3]:1,2"]);
        assert_xml(&svg);
        let fill = |cell: &str| {
            let end = svg.find(cell).expect(cell);
            let begin = svg[..end].rfind("fill=\"").unwrap();
            svg[begin + 6..begin + 13].to_string()
        };
        assert_eq!(count(&svg, "index 1,0; element 3"), 2);
        assert_eq!(fill("index 1,0; element 3; byte 12"), fill("index 1,0; element 3; byte 4"));
        assert_ne!(fill("index 1,0; element 3; byte 12"), fill("index 0,0"));
    }

    #[test]
    fn lines_begin_every_64_bytes() {
        // 16 elements of 4 bytes; 12 bytes: a line begins inside an element.
        assert_eq!(count(&svg_of(&["f32[64]"]), "<path class=\"line\""), 4 + 1);
        assert_eq!(count(&svg_of(&["f32[3,20]:20,1"]), "<path class=\"line\""), 4 + 1);
        assert_eq!(count(&svg_of(&["c128[9]"]), "<path class=\"line\""), 3 + 1);
    }

    #[test]
    fn what_is_not_drawn_is_said() {
        let svg = svg_of(&["f32[1,3,224,224]"]);
        assert!(svg.contains("… 149,760 more elements"), "{svg}");
        assert_eq!(count(&svg, "class=\"cell\""), 768);
        assert!(svg_of(&["u8[2,3]:3,-1"]).contains("Places below 0 lie before the base pointer"));
        assert!(svg_of(&["f32[4,3]:0,1"]).contains("the first of 4"));
        assert!(svg_of(&["u8[4]:1+1000"]).contains("992 places before"));
    }

    #[test]
    fn titles_are_text() {
        let tensor = Tensor::parse("f32[2]").unwrap();
        let svg = svg(&[("a<b>&\"c\"", &tensor)]).unwrap();
        assert_xml(&svg);
        assert!(svg.contains("a&lt;b&gt;&amp;&quot;c&quot;"));
        assert_xml(&super::svg(&[]).unwrap());
    }

    #[test]
    fn huge_and_strange_tensors_are_drawn() {
        for text in [
            "u8[536870912,1073741824]:0,1",
            "u8[536870912,1073741824]:-1,1",
            "u1[3,3]:-3,-1",
            "u8[3]:-9223372036854",
            "f32[2,3,3]{2,1,0:T(*,4,2)}",
            "bf16[16,256]{1,0:T(8,128)(2,1)}",
            "u8[1,1,1]",
        ] {
            assert_xml(&svg_of(&[text, "f32[2,3]"]));
        }
    }
}
