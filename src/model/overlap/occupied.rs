//! The memory that one side of a question occupies: its elements, wider or in bytes, as the question needs them.

/// The elements of one side of a question about two: of `width` units, at `lowest + Σ x[k] · stride[k] · scale`.
pub(crate) struct Occupied<I> {
    /// Address of the first and of the last element, in units.
    pub lowest: i128,
    pub highest: i128,
    /// Units of one element.
    pub width: i128,
    /// Units that a stride of 1 stands for.
    pub scale: u64,
    /// (count, stride) of each loop.
    pub loops: I,
}

impl<I: Iterator<Item = (i64, i64)> + Clone> Occupied<I> {
    /// The same elements, each `by` units wider.
    pub(super) fn wider(&self, by: i128) -> Occupied<I> {
        Occupied { width: self.width + by, loops: self.loops.clone(), ..*self }
    }

    /// For elements counted in bits: the number of sets whose elements lie whole bytes apart ([`Occupied::bytes`]).
    pub(super) fn sets(&self) -> u64 {
        self.loops
            .clone()
            .map(|(count, stride)| first_iterations(count, stride, self.scale))
            .fold(1, u64::saturating_mul)
    }

    /// The bytes of one of these sets. Of a loop whose step is not a whole number of bytes it has every k-th iteration.
    pub(super) fn bytes(&self, set: u64) -> Occupied<impl Iterator<Item = (i64, i64)> + Clone> {
        let scale = self.scale;
        // For each loop its first iteration, the number of iterations, and the bytes between them.
        let loops = self.loops.clone().scan(set, move |set, (count, stride)| {
            let choices = first_iterations(count, stride, scale);
            let first = *set % choices;
            *set /= choices;
            let (iterations, step) =
                (iterations_to_a_byte(stride, scale), stride.unsigned_abs() as i128 * scale as i128);
            let bytes = step * iterations as i128 / 8; // at most the stride
            Some((first as i128 * step, (count as u64).saturating_sub(first).div_ceil(iterations) as i64, bytes as i64))
        });
        let lowest = self.lowest + loops.clone().map(|(first, ..)| first).sum::<i128>();
        let above = loops.clone().map(|(_, count, bytes)| (count as i128 - 1) * bytes as i128).sum::<i128>();
        let width = ((lowest & 7) + self.width + 7) >> 3;
        let (lowest, loops) = (lowest >> 3, loops.map(|(_, count, bytes)| (count, bytes)));
        Occupied { lowest, highest: lowest + above, width, scale: 1, loops }
    }

    /// The same units, with elements as wide as what they fill together without gaps: a loop whose step is at most the
    /// width of an element becomes part of the element.
    pub(super) fn without_runs(&self) -> Occupied<impl Iterator<Item = (i64, i64)> + Clone> {
        let (scale, loops) = (self.scale as i128, self.loops.clone().filter(|&(count, _)| count > 1));
        let step = move |stride: i64| stride.unsigned_abs() as i128 * scale;
        // Adds the loops that elements of this width fill, until the elements become no wider.
        let (mut before, mut width) = (0, self.width);
        while width > before {
            let inside = loops.clone().filter(|&(_, stride)| step(stride) <= width);
            let more = inside.map(|(count, stride)| (count as i128 - 1) * step(stride)).sum::<i128>();
            (before, width) = (width, self.width + more);
        }
        let highest = self.highest + self.width - width;
        Occupied {
            lowest: self.lowest,
            highest,
            width, // for nibbles up to 2^65
            scale: self.scale,
            loops: loops.filter(move |&(_, stride)| step(stride) > width),
        }
    }
}

/// Iterations of a step of `stride · scale` bits until it is a whole number of bytes.
fn iterations_to_a_byte(stride: i64, scale: u64) -> u64 {
    8 >> (((stride.unsigned_abs() & 7) * scale) | 8).trailing_zeros()
}

/// The number of iterations of such a loop that each begin a set of iterations that lie whole bytes apart.
fn first_iterations(count: i64, stride: i64, scale: u64) -> u64 {
    iterations_to_a_byte(stride, scale).min(count.max(1) as u64)
}
