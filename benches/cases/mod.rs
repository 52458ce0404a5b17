//! Named copies, from `list.txt`: shared by the bench, by the test that holds each against the naive loop, and by
//! `benches/compare.py`, which reads the same file. The kinds are those of the issue trackers: what engines do to
//! tensors.

/// One copy: sizes, and strides of both sides in elements of `width` bytes. Where a stride is negative the offset makes
/// the lowest element the first.
#[derive(Clone, Debug)]
pub struct Case {
    /// What kind of copy; a group of the bench.
    pub kind: &'static str,
    /// What exactly.
    pub name: String,
    /// Bytes of one element.
    pub width: usize,
    /// Elements along each dimension.
    pub sizes: Vec<i64>,
    /// Strides of the destination.
    pub dst: Vec<i64>,
    /// Strides of the source.
    pub src: Vec<i64>,
}

impl Case {
    /// Bytes that the copy moves.
    pub fn bytes(&self) -> usize {
        self.sizes.iter().product::<i64>() as usize * self.width
    }

    /// A line of the list.
    fn read(line: &'static str) -> Option<Self> {
        let fields: Vec<&str> = line.split('|').map(str::trim).collect();
        let [kind, what, element, sizes, ref sides @ ..] = fields[..] else { return None };
        let from: Vec<i64> = sizes.split('x').map(|size| size.parse().ok()).collect::<Option<_>>()?;
        let width = match element {
            "u8" => 1,
            "u16" => 2,
            "f32" => 4,
            "f64" => 8,
            bytes => bytes.strip_suffix('B')?.parse().ok()?,
        };
        let name = |axes: &str| {
            let words = [what, sizes, axes, element];
            words.into_iter().filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ")
        };
        let strides = |text: &str| match text {
            "packed" => Some(packed(&from)),
            list => list.split_whitespace().map(|stride| stride.parse().ok()).collect(),
        };
        match *sides {
            [order] => {
                let axes: Vec<usize> = order
                    .strip_prefix("axes")?
                    .split_whitespace()
                    .map(|axis| axis.parse().ok())
                    .collect::<Option<_>>()?;
                let digits: String = axes.iter().map(usize::to_string).collect();
                let sizes: Vec<i64> = axes.iter().map(|&axis| from[axis]).collect();
                let src = packed(&from);
                let src = axes.iter().map(|&axis| src[axis]).collect();
                Some(Self { kind, name: name(&digits), width, dst: packed(&sizes), src, sizes })
            }
            [dst, src] => {
                let (dst, src) = (strides(dst)?, strides(src)?);
                Some(Self { kind, name: name(""), width, dst, src, sizes: from })
            }
            _ => None,
        }
    }
}

fn packed(sizes: &[i64]) -> Vec<i64> {
    let mut strides = vec![1; sizes.len()];
    for d in (0..sizes.len().saturating_sub(1)).rev() {
        strides[d] = strides[d + 1] * sizes[d + 1];
    }
    strides
}

/// Every named case that moves at most so many bytes. (Beyond 4 MiB they say nothing new about what is right, and take
/// their time; what is chosen for them is another question.)
pub fn up_to(bytes: usize) -> Vec<Case> {
    let lines = include_str!("list.txt").lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
    let cases = lines.map(|line| Case::read(line).unwrap_or_else(|| panic!("what is this case: {line}")));
    cases.filter(|case| case.bytes() <= bytes).collect()
}
