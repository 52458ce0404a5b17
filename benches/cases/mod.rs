//! Named copies, shared by the bench and by the test that holds each against the naive loop. The kinds are those of the
//! issue trackers: what engines do to tensors.

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
}

fn packed(sizes: &[i64]) -> Vec<i64> {
    let mut strides = vec![1; sizes.len()];
    for d in (0..sizes.len().saturating_sub(1)).rev() {
        strides[d] = strides[d + 1] * sizes[d + 1];
    }
    strides
}

fn element(width: usize) -> &'static str {
    match width {
        1 => "u8",
        2 => "u16",
        3 => "3B",
        4 => "f32",
        8 => "f64",
        12 => "12B",
        16 => "16B",
        _ => "bytes",
    }
}

fn text(sizes: &[i64]) -> String {
    sizes.iter().map(i64::to_string).collect::<Vec<_>>().join("x")
}

/// A packed source of these sizes, its dimensions permuted, to a packed destination.
fn permuted(kind: &'static str, sizes: &[i64], axes: &[usize], width: usize) -> Case {
    let from = packed(sizes);
    let new: Vec<i64> = axes.iter().map(|&axis| sizes[axis]).collect();
    let digits: String = axes.iter().map(usize::to_string).collect();
    let name = format!("{} {digits} {}", text(sizes), element(width));
    Case { kind, name, width, dst: packed(&new), src: axes.iter().map(|&axis| from[axis]).collect(), sizes: new }
}

/// Sizes of a packed destination, and any source.
fn gathered(kind: &'static str, name: &str, sizes: &[i64], src: &[i64], width: usize) -> Case {
    let name = format!("{name} {} {}", text(sizes), element(width));
    Case { kind, name, width, sizes: sizes.to_vec(), dst: packed(sizes), src: src.to_vec() }
}

/// Every named case.
pub fn all() -> Vec<Case> {
    let mut cases = Vec::new();
    for n in [4, 1 << 12, 1 << 20] {
        cases.push(gathered("packed", "run", &[n], &[1], 4));
    }
    for (rows, columns, width) in [
        (64, 64, 4),
        (1000, 1000, 4),
        (1024, 1024, 4),
        (1000, 1000, 1),
        (1000, 1000, 2),
        (1000, 1000, 8),
        (500, 500, 16),
        (300, 300, 12),
        (3, 100_000, 4),
        (100_000, 3, 4),
    ] {
        cases.push(permuted("transpose", &[rows, columns], &[1, 0], width));
    }
    for (channels, height, width, bytes) in
        [(3, 224, 224, 1), (3, 224, 224, 4), (4, 224, 224, 1), (64, 56, 56, 4), (64, 56, 56, 2)]
    {
        cases.push(permuted("nchw to nhwc", &[1, channels, height, width], &[0, 2, 3, 1], bytes));
        cases.push(permuted("nhwc to nchw", &[1, height, width, channels], &[0, 3, 1, 2], bytes));
    }
    for (sizes, axes) in [
        (&[64, 64, 64][..], &[2, 1, 0][..]),
        (&[22, 24, 20, 24], &[3, 2, 1, 0]),
        (&[12, 12, 12, 12, 12], &[4, 1, 3, 0, 2]),
        (&[8, 128, 12, 64], &[0, 2, 1, 3]),
        (&[72, 80, 48], &[1, 0, 2]),
    ] {
        cases.push(permuted("permute", sizes, axes, 4));
    }
    cases.push(gathered("rows", "crop of a 1024 wide image", &[512, 512], &[1024, 1], 4));
    cases.push(gathered("rows", "unpad rows of 232 bytes", &[512, 56], &[58, 1], 4));
    cases.push(gathered("rows", "rows of 17 bytes", &[20_000, 17], &[20, 1], 1));
    cases.push(gathered("gather", "every second", &[512, 512], &[2048, 2], 4));
    cases.push(gathered("gather", "first 3 of 8 columns", &[100_000, 3], &[8, 1], 4));
    cases.push(gathered("reverse", "rows upside down", &[512, 512], &[-512, 1], 4));
    cases.push(gathered("reverse", "mirrored", &[512, 512], &[512, -1], 4));
    cases.push(gathered("reverse", "mirrored", &[512, 512], &[512, -1], 1));
    cases.push(gathered("fill", "scalar", &[512, 512], &[0, 0], 4));
    cases.push(gathered("fill", "row", &[512, 512], &[0, 1], 4));
    cases.push(gathered("fill", "column", &[512, 512], &[1, 0], 4));
    cases.push(permuted("small", &[2, 3], &[1, 0], 4));
    cases.push(permuted("small", &[16, 16], &[1, 0], 4));
    cases.push(permuted("small", &[1, 3, 8, 8], &[0, 2, 3, 1], 4));
    cases.push(permuted("small", &[2, 2, 2, 2, 2, 2, 2, 2], &[7, 6, 5, 4, 3, 2, 1, 0], 4));
    cases
}
