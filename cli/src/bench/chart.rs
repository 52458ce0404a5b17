//! The figures as bars.

use super::{KINDS, Report, heading};
use crate::picture::markup::{self, CAPTION_CHARACTER, CHARACTER, number};
use std::fmt::Write;

const LEFT: f64 = 20.0;
const NAMES: f64 = 330.0;
const BARS: f64 = 420.0;
const BAR: f64 = 14.0;
/// The scale reaches at least this far.
const LEAST: f64 = 1.25;

const STYLE: &str = "\
.bar{fill:#2a788e}
.inside{fill:#fff}
.grid{stroke:#d8dde3}
.memcpy{stroke:#c4322b;stroke-width:1.6}
";
const STYLE_DARK: &str = "\
.bar{fill:#22a884}
.inside{fill:#000}
.grid{stroke:#333b44}
.memcpy{stroke:#ff7b6b}
";

pub fn svg(report: &Report) -> String {
    let most = report.copies.iter().map(|figure| figure.ratio).fold(LEAST, f64::max);
    let most = (most * 4.0).ceil() / 4.0;
    let x_of = |ratio: f64| LEFT + NAMES + ratio / most * BARS;
    let title = "Copies beside memcpy of as many bytes: share of its speed, higher is better";
    let mut body = String::new();
    markup::text(&mut body, (LEFT, 34.0), "title", "start", title);
    markup::text(&mut body, (LEFT, 54.0), "soft", "start", &heading(report));

    let mut rows = String::new();
    let mut y = 84.0;
    let mut before = "";
    for figure in &report.copies {
        if figure.kind != before {
            y += if before.is_empty() { 0.0 } else { 10.0 };
            markup::text(&mut rows, (LEFT, y + 11.0), "", "start", figure.kind);
            let about = KINDS.iter().find(|kind| kind.name == figure.kind).map_or("", |kind| kind.about);
            let hint = format!("{about}: {} from {}", figure.dst, figure.src);
            let _ = writeln!(rows, "<g><title>{}</title>", markup::escaped(&hint));
            markup::text(&mut rows, (LEFT, y + 11.0 + 14.0), "mono soft", "start", about);
            rows.push_str("</g>\n");
            before = figure.kind;
        }
        markup::text(&mut rows, (LEFT + NAMES - 8.0, y + 11.0), "mono soft", "end", &size(figure.bytes));
        let (x, width) = (number(x_of(0.0)), number((x_of(figure.ratio) - x_of(0.0)).max(1.0)));
        let hint = markup::escaped(&format!("{:.3}, {}", figure.ratio, figure.kernel));
        let place = format!("x=\"{x}\" y=\"{}\" width=\"{width}\" height=\"{}\" rx=\"2\"", number(y), number(BAR));
        let _ = writeln!(rows, "<rect class=\"bar\" {place}><title>{hint}</title></rect>");
        let figure_text = format!("{:.2}", figure.ratio);
        // In the bar, where no line crosses it, unless the bar is too short.
        let end = x_of(figure.ratio);
        let (x, class, anchor) = match end - x_of(0.0) < 40.0 {
            true => (end + 6.0, "mono", "start"),
            false => (end - 6.0, "mono inside", "end"),
        };
        markup::text(&mut rows, (x, y + 11.0), class, anchor, &figure_text);
        y += BAR + 6.0;
        if report.copies.iter().filter(|other| other.kind == figure.kind).count() == 1 {
            y += 12.0; // the line about the kind
        }
    }
    let bottom = y + 4.0;
    let step = if most > 4.0 { 1.0 } else { 0.25 };
    for tick in 0..=(most / step) as usize {
        let ratio = tick as f64 * step;
        let class = if ratio == 1.0 { "memcpy" } else { "grid" };
        let x = number(x_of(ratio));
        let _ = writeln!(body, "<path class=\"{class}\" d=\"M{x} 76V{}\"/>", number(bottom));
        let label = if ratio == 1.0 { "memcpy".into() } else { ratio.to_string() };
        markup::text(&mut body, (x_of(ratio), bottom + 16.0), "soft", "middle", &label);
    }
    body.push_str(&rows);
    let width =
        f64::max(x_of(most) + 10.0 * CHARACTER, LEFT + heading(report).chars().count() as f64 * CAPTION_CHARACTER);
    let figures =
        report.copies.iter().map(|figure| format!("{} of {} {:.2}", figure.kind, size(figure.bytes), figure.ratio));
    let description = format!("{}. {}.", heading(report), figures.collect::<Vec<_>>().join("; "));
    markup::document((width, bottom + 36.0), title, &description, (STYLE, STYLE_DARK), &body)
}

fn size(bytes: u64) -> String {
    let [kilo, mega] = [1u64 << 10, 1 << 20].map(|unit| bytes as f64 / unit as f64);
    if mega >= 0.95 { format!("{mega:.1} MiB") } else { format!("{kilo:.0} KiB") }
}
