//! Rust peers of libstride, each behind the same C function, which `benches/compare.py` finds by its name
//! `peer_<crate>`.
//!
//! A peer returns 0 when it has copied and 1 when the case is none of its own: no element type of that width, negative
//! strides, another order of axes. What it must work out before it can begin is part of its time, as it is for
//! `stride_copy`. The source's bytes are finite numbers of every type, so that a peer may calculate.

use std::slice::{from_raw_parts, from_raw_parts_mut};

/// Where one side lies: strides in elements, and how far it reaches from the element with index 0.
struct Side<P> {
    first: P,
    strides: Vec<isize>,
    below: usize,
    above: usize,
}

impl<P> Side<P> {
    fn new(first: P, sizes: &[usize], strides: &[i64]) -> Self {
        let strides: Vec<isize> = strides.iter().map(|&stride| stride as isize).collect();
        let reach = |wanted: fn(isize) -> bool| {
            let walked = sizes.iter().zip(&strides).filter(|&(_, &stride)| wanted(stride));
            walked.map(|(&size, &stride)| (size - 1) * stride.unsigned_abs()).sum()
        };
        let (below, above) = (reach(|stride| stride < 0), reach(|stride| stride > 0));
        Self { first, strides, below, above }
    }

    /// Sizes of the packed row-major tensor that this side is the first corner of, if there is one.
    fn parent(&self, sizes: &[usize]) -> Option<Vec<usize>> {
        let mut parent = sizes.to_vec();
        if *self.strides.last()? != 1 {
            return None;
        }
        for d in 1..sizes.len() {
            let (outer, inner) = (self.strides[d - 1], self.strides[d]);
            if inner <= 0 || outer % inner != 0 || ((outer / inner) as usize) < sizes[d] {
                return None;
            }
            parent[d] = (outer / inner) as usize;
        }
        Some(parent)
    }
}

impl<T> Side<*const T> {
    /// # Safety
    /// The side lies in memory that may be read.
    unsafe fn slice<'a>(&self) -> &'a [T] {
        // SAFETY: as promised; `below` and `above` are the whole reach.
        unsafe { from_raw_parts(self.first.sub(self.below), self.below + self.above + 1) }
    }
}

impl<T> Side<*mut T> {
    /// # Safety
    /// The side lies in memory that may be written, and nothing else refers to it.
    unsafe fn slice<'a>(&self) -> &'a mut [T] {
        // SAFETY: as promised; `below` and `above` are the whole reach.
        unsafe { from_raw_parts_mut(self.first.sub(self.below), self.below + self.above + 1) }
    }
}

/// A copy of elements of type `T`.
struct Copy<T> {
    sizes: Vec<usize>,
    dst: Side<*mut T>,
    src: Side<*const T>,
}

impl<T> Copy<T> {
    /// Without the dimensions of size 1, and with neighbours joined that are one loop on both sides.
    fn merged(&self) -> (Vec<usize>, Vec<isize>, Vec<isize>) {
        let (mut sizes, mut dst, mut src): (Vec<usize>, Vec<isize>, Vec<isize>) = Default::default();
        for d in (0..self.sizes.len()).filter(|&d| self.sizes[d] > 1) {
            let (size, to, from) = (self.sizes[d], self.dst.strides[d], self.src.strides[d]);
            if let (Some(n), Some(t), Some(f)) = (sizes.last_mut(), dst.last_mut(), src.last_mut())
                && *t == to * size as isize
                && *f == from * size as isize
            {
                (*n, *t, *f) = (*n * size, to, from);
            } else {
                sizes.push(size);
                dst.push(to);
                src.push(from);
            }
        }
        (sizes, dst, src)
    }
}

/// Makes the C function `$name` from a generic one, for the widths named.
macro_rules! peer {
    ($name:ident, $generic:ident, $($width:literal: $type:ty),*) => {
        /// # Safety
        /// Every element may be accessed; the sides share no byte; the arrays hold `rank` entries.
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn $name(dst: *mut u8, src: *const u8, rank: i64, sizes: *const i64,
            dst_strides: *const i64, src_strides: *const i64, width: i64) -> i32 {
            // SAFETY: as promised.
            let list = |list: *const i64| unsafe { from_raw_parts(list, rank as usize) };
            let sizes: Vec<usize> = list(sizes).iter().map(|&size| size as usize).collect();
            let done = match width {
                $($width if (dst as usize | src as usize).is_multiple_of(align_of::<$type>()) => {
                    let dst = Side::new(dst.cast::<$type>(), &sizes, list(dst_strides));
                    let src = Side::new(src.cast::<$type>(), &sizes, list(src_strides));
                    // SAFETY: as promised.
                    unsafe { $generic(&Copy { sizes, dst, src }) }
                })*
                _ => None,
            };
            i32::from(done.is_none())
        }
    };
}

/// `ndarray`: `assign` of a view, of a fixed rank where it has one.
///
/// # Safety
/// As of [`peer_ndarray`], aligned.
unsafe fn ndarray<T: Clone>(copy: &Copy<T>) -> Option<()> {
    use ndarray::{ArrayView, ArrayViewMut, Axis, Dimension, IxDyn, ShapeBuilder};
    let shape = |strides: &[isize]| {
        let steps: Vec<usize> = strides.iter().map(|stride| stride.unsigned_abs()).collect();
        IxDyn(&copy.sizes).strides(IxDyn(&steps))
    };
    // SAFETY: as promised; the lowest element is where a view whose axes are then mirrored begins.
    let (mut dst, mut src) = unsafe {
        let (dst, src) = (copy.dst.first.sub(copy.dst.below), copy.src.first.sub(copy.src.below));
        let dst = ArrayViewMut::from_shape_ptr(shape(&copy.dst.strides), dst);
        (dst, ArrayView::from_shape_ptr(shape(&copy.src.strides), src))
    };
    for d in 0..copy.sizes.len() {
        if copy.dst.strides[d] < 0 {
            dst.invert_axis(Axis(d));
        }
        if copy.src.strides[d] < 0 {
            src.invert_axis(Axis(d));
        }
    }
    fn assign<T: Clone, D: Dimension>(dst: ArrayViewMut<T, IxDyn>, src: ArrayView<T, IxDyn>) -> Option<()> {
        dst.into_dimensionality::<D>().ok()?.assign(&src.into_dimensionality::<D>().ok()?);
        Some(())
    }
    match copy.sizes.len() {
        1 => assign::<T, ndarray::Ix1>(dst, src),
        2 => assign::<T, ndarray::Ix2>(dst, src),
        3 => assign::<T, ndarray::Ix3>(dst, src),
        4 => assign::<T, ndarray::Ix4>(dst, src),
        5 => assign::<T, ndarray::Ix5>(dst, src),
        6 => assign::<T, ndarray::Ix6>(dst, src),
        _ => assign::<T, IxDyn>(dst, src),
    }
}
peer!(peer_ndarray, ndarray, 1: u8, 2: u16, 3: [u8; 3], 4: u32, 8: u64, 12: [u32; 3], 16: [u64; 2]);

/// The strided family's `copy_into`, on one thread.
macro_rules! strided {
    ($name:ident, $generic:ident, $crate_name:ident) => {
        /// # Safety
        /// As of the peer, aligned.
        unsafe fn $generic<T: std::marker::Copy + Send + Sync + 'static>(copy: &Copy<T>) -> Option<()>
        where
            strided_view::Identity: strided_view::ElementOp<T>,
        {
            use strided_view::{StridedView, StridedViewMut};
            // SAFETY: as promised.
            let (dst, src) = unsafe { (copy.dst.slice(), copy.src.slice()) };
            let mut dst = StridedViewMut::new(dst, &copy.sizes, &copy.dst.strides, copy.dst.below as isize).ok()?;
            let src: StridedView<T> =
                StridedView::new(src, &copy.sizes, &copy.src.strides, copy.src.below as isize).ok()?;
            $crate_name::copy_into(&mut dst, &src, threadteam::Exec::serial()).ok()
        }
        peer!($name, $generic, 1: u8, 2: u16, 4: u32, 8: u64, 16: u128);
    };
}
strided!(peer_strided_perm, strided_perm, strided_perm);
#[cfg(feature = "strided-kernel")]
strided!(peer_strided_kernel, strided_kernel, strided_kernel);

/// `ndcopy`: a corner of one packed tensor to the corner of another, axes in the same order, up to rank 4.
///
/// # Safety
/// As of [`peer_ndcopy`], aligned.
unsafe fn ndcopy<T: Clone>(copy: &Copy<T>) -> Option<()> {
    use ndcopy::ndshape::RuntimeShape;
    if copy.dst.below + copy.src.below > 0 {
        return None;
    }
    let (to, from) = (copy.dst.parent(&copy.sizes)?, copy.src.parent(&copy.sizes)?);
    // SAFETY: as promised.
    let (dst, src) = unsafe { (copy.dst.slice(), copy.src.slice()) };
    /// Fastest axis first.
    fn back<const N: usize>(sizes: &[usize]) -> Option<[u32; N]> {
        let sizes: Vec<u32> = sizes.iter().rev().map(|&size| size as u32).collect();
        sizes.try_into().ok()
    }
    macro_rules! copied {
        ($function:ident, $n:literal) => {{
            let (to, from) = (RuntimeShape::<u32, $n>::new(back(&to)?), RuntimeShape::<u32, $n>::new(back(&from)?));
            ndcopy::$function(back(&copy.sizes)?, src, &from, [0; $n], dst, &to, [0; $n]);
            Some(())
        }};
    }
    match copy.sizes.len() {
        2 => copied!(copy2, 2),
        3 => copied!(copy3, 3),
        4 => copied!(copy4, 4),
        _ => None,
    }
}
peer!(peer_ndcopy, ndcopy, 1: u8, 2: u16, 4: u32, 8: u64, 16: u128);

/// `transpose`: packed two-dimensional transposes, one after the other if there is an outer axis.
///
/// # Safety
/// As of [`peer_transpose`], aligned.
unsafe fn transpose<T: std::marker::Copy>(copy: &Copy<T>) -> Option<()> {
    let (sizes, dst, src) = copy.merged();
    let (batch, [rows, columns], [to, from]) = match (&sizes[..], &dst[..], &src[..]) {
        (&[r, c], &[t, 1], &[1, f]) => (1, [r, c], [t, f]),
        (&[n, r, c], &[b, t, 1], &[g, 1, f]) if b == (r * c) as isize && g == b => (n, [r, c], [t, f]),
        _ => return None,
    };
    if to != columns as isize || from != rows as isize {
        return None;
    }
    // SAFETY: as promised.
    let (dst, src) = unsafe { (copy.dst.slice(), copy.src.slice()) };
    for (dst, src) in dst.chunks_exact_mut(rows * columns).zip(src.chunks_exact(rows * columns)).take(batch) {
        transpose::transpose(src, dst, rows, columns);
    }
    Some(())
}
peer!(peer_transpose, transpose, 1: u8, 2: u16, 3: [u8; 3], 4: u32, 8: u64, 12: [u32; 3], 16: u128);

/// `hptt`: permutations of corners of packed tensors, floating point only; it plans in every call.
#[cfg(feature = "hptt")]
mod hptt_crate {
    use super::{Copy, Side};
    use hptt::MemoryOrder::RowMajor;

    trait Number: Sized {
        const ONE: Self;
        const ZERO: Self;
        const TRANSPOSE: Transpose<Self>;
    }
    type Transpose<T> =
        fn(&[usize], T, &[T], &[usize], &[usize], T, &mut [T], &[usize], usize, hptt::MemoryOrder) -> hptt::Result<()>;
    impl Number for f32 {
        const ONE: Self = 1.0;
        const ZERO: Self = 0.0;
        const TRANSPOSE: Transpose<Self> = hptt::transpose_f32_sub;
    }
    impl Number for f64 {
        const ONE: Self = 1.0;
        const ZERO: Self = 0.0;
        const TRANSPOSE: Transpose<Self> = hptt::transpose_f64_sub;
    }

    /// Dimensions from slow to fast, and sizes of the packed tensor around them in that order.
    fn order<P: std::marker::Copy>(
        side: &Side<P>,
        open: &[usize],
        sizes: &[usize],
    ) -> Option<(Vec<usize>, Vec<usize>)> {
        let mut order = open.to_vec();
        order.sort_by_key(|&d| -side.strides[d]);
        let strides = order.iter().map(|&d| side.strides[d]).collect();
        let ordered = Side { first: side.first, strides, below: 0, above: 0 };
        let parent = ordered.parent(&order.iter().map(|&d| sizes[d]).collect::<Vec<_>>())?;
        Some((order, parent))
    }

    unsafe fn hptt<T: Number>(copy: &Copy<T>) -> Option<()> {
        if copy.dst.below + copy.src.below > 0 {
            return None;
        }
        let open: Vec<usize> = (0..copy.sizes.len()).filter(|&d| copy.sizes[d] > 1).collect();
        let (from, src_parent) = order(&copy.src, &open, &copy.sizes)?;
        let (to, dst_parent) = order(&copy.dst, &open, &copy.sizes)?;
        let axes: Vec<usize> = to.iter().filter_map(|d| from.iter().position(|other| other == d)).collect();
        let sizes: Vec<usize> = from.iter().map(|&d| copy.sizes[d]).collect();
        // The crate wants slices of the whole parents, whose ends the copy does not reach.
        let length = |parent: &[usize]| parent.iter().product::<usize>();
        // SAFETY: as promised; the harness keeps a parent's worth of memory after both first elements.
        let (dst, src) = unsafe {
            let dst = std::slice::from_raw_parts_mut(copy.dst.first, length(&dst_parent));
            (dst, std::slice::from_raw_parts(copy.src.first, length(&src_parent)))
        };
        T::TRANSPOSE(&axes, T::ONE, src, &sizes, &src_parent, T::ZERO, dst, &dst_parent, 1, RowMajor).ok()
    }
    use super::from_raw_parts;
    peer!(peer_hptt, hptt, 4: f32, 8: f64);
}
