//! Pieces of SVG.

use std::fmt::Write;

/// Widths of a character, in units of the picture: monospaced, in a caption, in a title.
pub const CHARACTER: f64 = 6.1;
pub const CAPTION_CHARACTER: f64 = 6.4;
pub const TITLE_CHARACTER: f64 = 8.5;

/// Text, page and axes, light or dark as whoever looks prefers.
const STYLE: &str = "\
text{font-family:system-ui,-apple-system,'Segoe UI',sans-serif;font-size:12px;fill:#1b1f24}
.title{font-size:15px;font-weight:600}
.soft{fill:#57606a}
.mono{font-family:ui-monospace,Menlo,Consolas,'DejaVu Sans Mono',monospace;font-size:10px}
.page{fill:#fff}
";
const STYLE_DARK: &str = "\
text{fill:#e6edf3}
.soft{fill:#9aa4af}
.page{fill:#14181d}
";

/// A whole picture. Screen readers say its title and description. The styles are for light and dark pages.
pub fn document(
    (width, height): (f64, f64),
    title: &str,
    description: &str,
    (light, dark): (&str, &str),
    body: &str,
) -> String {
    let (w, h) = (number(width), number(height));
    let mut out = String::new();
    let _ = writeln!(
        out,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{w}\" height=\"{h}\" viewBox=\"0 0 {w} {h}\" role=\"img\" \
         aria-labelledby=\"stride-title stride-description\">"
    );
    let _ = writeln!(out, "<title id=\"stride-title\">{}</title>", escaped(title));
    let _ = writeln!(out, "<desc id=\"stride-description\">{}</desc>", escaped(description));
    let _ =
        writeln!(out, "<style>\n{STYLE}{light}@media (prefers-color-scheme:dark){{\n{STYLE_DARK}{dark}}}\n</style>");
    let _ = writeln!(out, "<rect class=\"page\" width=\"{w}\" height=\"{h}\"/>");
    out.push_str(body);
    out.push_str("</svg>\n");
    out
}

/// Text at a point of its baseline; `anchor` is start, middle or end.
pub fn text(out: &mut String, (x, y): (f64, f64), class: &str, anchor: &str, text: &str) {
    let (x, y) = (number(x), number(y));
    let class = if class.is_empty() { String::new() } else { format!(" class=\"{class}\"") };
    let anchor = if anchor == "start" { String::new() } else { format!(" text-anchor=\"{anchor}\"") };
    let _ = writeln!(out, "<text x=\"{x}\" y=\"{y}\"{class}{anchor}>{}</text>", escaped(text));
}

/// With at most one digit after the point.
pub fn number(number: f64) -> String {
    let text = format!("{number:.1}");
    text.strip_suffix(".0").map(String::from).unwrap_or(text)
}

/// Text for XML: its own signs by name, without the characters that it does not allow.
pub fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\n' | '\t' => out.push(' '),
            c if c.is_control() || matches!(c, '\u{fffe}' | '\u{ffff}') => out.push('\u{fffd}'),
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_of_anybody_is_xml() {
        assert_eq!(escaped("a<b> & \"c\"\u{1}\n"), "a&lt;b&gt; &amp; &quot;c&quot;\u{fffd} ");
        assert_eq!([number(3.0), number(-0.25), number(12.34)], ["3", "-0.2", "12.3"]);
    }
}
