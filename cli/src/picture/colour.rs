//! A colour for each element, from the first one (dark) to the last one (light).
//!
//! The scale is viridis of matplotlib, by six of its colours with straight lines between: hue and lightness tell the
//! same, so that it reads in black and white, and with any kind of colour vision.

/// Red, green, blue.
pub type Colour = [u8; 3];

const ANCHORS: [Colour; 6] =
    [[68, 1, 84], [65, 68, 135], [42, 120, 142], [34, 168, 132], [122, 209, 81], [253, 231, 37]];

/// From which element to which one the colours go, by row-major numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Scale {
    pub from: i64,
    pub to: i64,
}

impl Scale {
    /// The range of these numbers.
    pub fn of(numbers: impl Iterator<Item = i64> + Clone) -> Self {
        Self { from: numbers.clone().min().unwrap_or(0), to: numbers.max().unwrap_or(0) }
    }

    pub fn colour(&self, number: i64) -> Colour {
        let (from, to) = (self.from as f64, self.to as f64);
        at(if to > from { (number as f64 - from) / (to - from) } else { 0.5 })
    }
}

/// The colour at a share of the way from dark to light.
pub fn at(share: f64) -> Colour {
    let place = share.clamp(0.0, 1.0) * (ANCHORS.len() - 1) as f64;
    let below = (place as usize).min(ANCHORS.len() - 2);
    let part = place - below as f64;
    std::array::from_fn(|k| {
        let (from, to) = (f64::from(ANCHORS[below][k]), f64::from(ANCHORS[below + 1][k]));
        (from + (to - from) * part).round() as u8
    })
}

/// Relative luminance of WCAG 2: 0 black, 1 white.
pub fn luminance(colour: Colour) -> f64 {
    let [red, green, blue] = colour.map(|byte| {
        let value = f64::from(byte) / 255.0;
        if value <= 0.04045 { value / 12.92 } else { ((value + 0.055) / 1.055).powf(2.4) }
    });
    0.2126 * red + 0.7152 * green + 0.0722 * blue
}

/// Whether white text reads better on it than black text.
pub fn is_dark(colour: Colour) -> bool {
    luminance(colour) < 0.179 // where the contrast to white and to black is the same
}

pub fn hex([red, green, blue]: Colour) -> String {
    format!("#{red:02x}{green:02x}{blue:02x}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_step_is_lighter_than_the_one_before() {
        let of: Vec<f64> = (0..100).map(|step| luminance(at(f64::from(step) / 99.0))).collect();
        assert!(of.windows(2).all(|two| two[0] < two[1]), "{of:?}");
        let scale = Scale::of([7, 3, 5].into_iter());
        assert_eq!([scale.colour(3), scale.colour(7)], [ANCHORS[0], ANCHORS[5]]);
        assert_eq!(hex(scale.colour(3)), "#440154");
    }

    #[test]
    fn text_on_any_colour_has_a_contrast_of_four_and_a_half() {
        for step in 0..=255 {
            let colour = at(f64::from(step) / 255.0);
            let light = luminance(colour);
            let contrast = if is_dark(colour) { 1.05 / (light + 0.05) } else { (light + 0.05) / 0.05 };
            assert!(contrast > 4.5, "{step}: {contrast}");
        }
    }

    #[test]
    fn a_scale_of_one_element_or_none_has_a_colour_too() {
        let none = Scale::of(std::iter::empty());
        assert_eq!(Scale::of([5].into_iter()).colour(5), none.colour(0));
        assert_eq!(Scale { from: 0, to: 1 }.colour(i64::MAX), ANCHORS[5]);
    }
}
