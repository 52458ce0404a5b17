//! The kernels: the innermost two loops of a copy, for one element width and one instruction set.
//!
//! ```text
//! for j in 0 … b.count:  for i in 0 … a.count:  dst[j·b.dst + i·a.dst] = src[j·b.src + i·a.src]
//! ```
//!
//! in any order of the turns. A kernel reads and writes exactly the elements that these loops reach, nothing around
//! them, with any alignment. Its name is `family_x<bits>`; the file is the instruction set.
//!
//! [`KERNELS`] is the one list: the plan chooses from it, [`execute`](super::execute) calls through it, and a test runs
//! every entry against the naive loop. A kernel that is not in it cannot be reached; one that is cannot be untested.

mod scalar;

pub(super) use scalar::fill_rest;

use super::problem::Loop;

/// Elements above this many bytes are moved as rows.
pub const WIDEST_ELEMENT: i64 = 16;

/// What a kernel is good at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Family {
    /// Elements of any width, one block move each.
    Rows,
    /// One element repeated: `a.src == 0` and `a.dst == width`.
    Fill,
    /// `a` is fast in the destination, `b` in the source.
    Transpose,
    /// Anything.
    Strided,
}

/// The two loops and the element width, as the kernel gets them.
#[derive(Clone, Copy, Debug)]
pub struct Block {
    /// Bytes of one element.
    pub width: i64,
    /// The faster loop.
    pub a: Loop,
    /// The slower loop.
    pub b: Loop,
}

/// A kernel.
#[derive(Debug)]
pub struct Kernel {
    /// `family_x<bits>`.
    pub name: &'static str,
    /// What it is good at.
    pub family: Family,
    /// Bytes of the elements it takes; 0: any.
    pub width: i64,
    /// Runs the two loops.
    ///
    /// # Safety
    /// [`Kernel::accepts`] holds for the block; every element that the loops reach from `dst` may be written and from
    /// `src` may be read; no byte belongs to elements of both, but where both are the very same address.
    pub run: unsafe fn(dst: *mut u8, src: *const u8, block: &Block),
}

impl Kernel {
    /// What `run` relies on besides the memory.
    pub fn accepts(&self, width: i64, a: Loop) -> bool {
        (self.width == 0 || self.width == width) && (self.family != Family::Fill || (a.src == 0 && a.dst == width))
    }
}

/// Rows and columns of a transpose's tile: about a cache line each way.
pub const fn tile(width: i64) -> i64 {
    let elements = 64 / if width < 1 { 1 } else { width };
    if elements < 8 { 8 } else { elements }
}

macro_rules! kernels {
    ($($family:ident { $($name:literal, $width:literal, $run:expr;)* })*) => {
        /// Every kernel.
        pub static KERNELS: &[Kernel] = &[
            $($(Kernel { name: $name, family: Family::$family, width: $width, run: $run },)*)*
        ];
    };
}

kernels! {
    Rows {
        "rows", 0, scalar::rows;
    }
    Strided {
        "strided_x8", 1, scalar::strided::<[u8; 1]>;
        "strided_x16", 2, scalar::strided::<[u8; 2]>;
        "strided_x24", 3, scalar::strided::<[u8; 3]>;
        "strided_x32", 4, scalar::strided::<[u8; 4]>;
        "strided_x48", 6, scalar::strided::<[u8; 6]>;
        "strided_x64", 8, scalar::strided::<[u8; 8]>;
        "strided_x96", 12, scalar::strided::<[u8; 12]>;
        "strided_x128", 16, scalar::strided::<[u8; 16]>;
    }
    Transpose {
        "transpose_x8", 1, scalar::transpose::<[u8; 1]>;
        "transpose_x16", 2, scalar::transpose::<[u8; 2]>;
        "transpose_x24", 3, scalar::transpose::<[u8; 3]>;
        "transpose_x32", 4, scalar::transpose::<[u8; 4]>;
        "transpose_x48", 6, scalar::transpose::<[u8; 6]>;
        "transpose_x64", 8, scalar::transpose::<[u8; 8]>;
        "transpose_x96", 12, scalar::transpose::<[u8; 12]>;
        "transpose_x128", 16, scalar::transpose::<[u8; 16]>;
        "transpose_any", 0, scalar::transpose_any;
    }
    Fill {
        "fill_x8", 1, scalar::fill::<[u8; 1]>;
        "fill_x16", 2, scalar::fill::<[u8; 2]>;
        "fill_x32", 4, scalar::fill::<[u8; 4]>;
        "fill_x64", 8, scalar::fill::<[u8; 8]>;
        "fill_x128", 16, scalar::fill::<[u8; 16]>;
    }
}

/// The kernel of a family for elements of `width` bytes; the family's general one, or else the rows, which take all.
pub fn index(family: Family, width: i64) -> usize {
    let find = |wanted: i64| KERNELS.iter().position(|kernel| kernel.family == family && kernel.width == wanted);
    find(width).or_else(|| find(0)).unwrap_or(0)
}
