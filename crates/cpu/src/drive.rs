//! Walks over a strided output and its strided inputs. It merges dimensions that are contiguous, splits large outputs
//! between threads, and hands tiles of two dimensions to the kernels.

use bytemuck::Pod;

use super::threads;
use super::view::{View, ViewMut};

/// A thread that gets fewer elements than this costs more than it saves.
const GRAIN: usize = 1 << 16;

/// Number of parts for each thread, so that no thread waits long for another.
const PARTS: usize = 4;

/// Bytes of a cache line.
const LINE: usize = 64;

/// One dimension of a tile.
#[derive(Clone, Copy, Debug)]
pub struct Dim<const N: usize> {
    /// The extent.
    pub size: usize,
    /// The stride of the output.
    pub out: usize,
    /// The strides of the inputs.
    pub ins: [isize; N],
}

/// Two dimensions of the output, and the places where the inputs start. The output starts at index 0 of the slice that
/// goes with the tile.
#[derive(Clone, Copy, Debug)]
pub struct Tile<const N: usize> {
    /// The places where the inputs start.
    pub at: [isize; N],
    /// The outer dimension.
    pub rows: Dim<N>,
    /// The inner dimension.
    pub columns: Dim<N>,
}

impl<const N: usize> Tile<N> {
    /// Returns the places where the inputs start in this row.
    #[inline(always)]
    pub fn row(&self, row: usize) -> [isize; N] {
        std::array::from_fn(|i| self.at[i] + row as isize * self.rows.ins[i])
    }
}

const fn unit<const N: usize>() -> Dim<N> {
    Dim { size: 1, out: 0, ins: [0; N] }
}

/// The dimensions to walk over, merged where they are contiguous. They are sorted by descending stride of the output,
/// unless they are arranged for transposing.
struct Walk<const N: usize> {
    dims: Vec<Dim<N>>,
}

impl<const N: usize> Walk<N> {
    fn new(sizes: &[usize], out: &[usize], ins: [&[isize]; N]) -> Walk<N> {
        let dim = |d: usize| Dim { size: sizes[d], out: out[d], ins: ins.map(|strides| strides[d]) };
        let mut dims: Vec<Dim<N>> = (0..sizes.len()).map(dim).filter(|d| d.size != 1).collect();
        dims.sort_by_key(|dim| std::cmp::Reverse(dim.out));
        let mut merged: Vec<Dim<N>> = Vec::with_capacity(dims.len());
        for dim in dims {
            match merged.last_mut() {
                Some(outer) if runs_on(outer, &dim) => *outer = Dim { size: outer.size * dim.size, ..dim },
                _ => merged.push(dim),
            }
        }
        Walk { dims: merged }
    }

    /// Prepares tiles for transposing: if no input is contiguous along the last dimension, but some input is contiguous
    /// along an earlier dimension, moves that dimension to the second to last place.
    fn with_tiles_for_transposing(mut self) -> Walk<N> {
        let last = self.dims.len().saturating_sub(1);
        let along = |dim: &Dim<N>| dim.ins.iter().any(|s| s.unsigned_abs() == 1);
        if self.dims.last().is_some_and(|dim| !along(dim))
            && let Some(d) = self.dims[..last].iter().position(along)
        {
            let dim = self.dims.remove(d);
            self.dims.insert(last - 1, dim);
        }
        self
    }
}

fn runs_on<const N: usize>(outer: &Dim<N>, inner: &Dim<N>) -> bool {
    let size = inner.size as isize;
    outer.out as isize == inner.out as isize * size
        && outer.ins.iter().zip(&inner.ins).all(|(&outer, &inner)| outer == inner * size)
}

/// The part of a kernel that writes one tile.
type Fill<'f, O, const N: usize> = &'f (dyn Fn(&mut [O], &Tile<N>) + Sync);

/// Calls `fill` for all of `out`, tile by tile. `offsets` and `strides` describe the inputs.
pub fn drive<O: Pod, const N: usize>(
    out: &mut ViewMut<O>,
    offsets: [isize; N],
    strides: [&[isize]; N],
    fill: Fill<O, N>,
) {
    if out.sizes().contains(&0) {
        return;
    }
    let walked = Walk::new(out.sizes(), out.strides(), strides).with_tiles_for_transposing();
    let parts = PARTS * rayon::current_num_threads();
    // The threads see only bytes, so that the code that starts them is compiled once.
    let part = |out: &mut [u8], at: [isize; N], dims: &[Dim<N>]| walk(bytemuck::cast_slice_mut(out), at, dims, fill);
    let whole = Whole { element: size_of::<O>(), part: &part };
    whole.split(bytemuck::cast_slice_mut(out.data), offsets, &walked.dims, if parts > PARTS { parts } else { 1 });
}

/// A function that computes a part of the output, given the bytes to write, the places where the inputs start, and the
/// dimensions.
type Part<'f, const N: usize> = &'f (dyn Fn(&mut [u8], [isize; N], &[Dim<N>]) + Sync);

/// Work that is split between threads: the number of bytes of an element, and the function that computes a part.
struct Whole<'f, const N: usize> {
    element: usize,
    part: Part<'f, N>,
}

impl<const N: usize> Whole<'_, N> {
    /// Computes a piece of the output in about `parts` parts or, if a further split does not pay, in fewer. Halves the
    /// dimension with the largest stride of the output, and does the same with both halves.
    fn split(&self, out: &mut [u8], at: [isize; N], dims: &[Dim<N>], parts: usize) {
        let count: usize = dims.iter().map(|d| d.size).product();
        let widest = (0..dims.len()).filter(|&d| dims[d].size > 1).max_by_key(|&d| dims[d].out);
        // A piece with more than `PARTS` parts is work for several threads, and every split of it pays. In a smaller
        // piece, a split does not pay if both halves read the same cache lines.
        let shares_lines =
            |d: usize| dims[d].out != 1 && dims[d].ins.contains(&1) && dims[d].size < 4 * LINE / self.element;
        let pays = |d: &usize| parts > PARTS || parts > 1 && !shares_lines(*d);
        let Some(d) = widest.filter(|d| count >= 2 * GRAIN && pays(d)) else {
            return (self.part)(out, at, dims);
        };
        let (mut left, mut right) = (dims.to_vec(), dims.to_vec());
        left[d].size = dims[d].size / 2;
        right[d].size = dims[d].size - left[d].size;
        let (low, high) = out.split_at_mut(left[d].size * dims[d].out * self.element);
        let further = std::array::from_fn(|i| at[i] + left[d].size as isize * dims[d].ins[i]);
        let parts = parts.div_ceil(2);
        threads::both(&mut || self.split(low, at, &left, parts), &mut || self.split(high, further, &right, parts));
    }
}

fn walk<O, const N: usize>(out: &mut [O], at: [isize; N], dims: &[Dim<N>], fill: Fill<O, N>) {
    match dims {
        [] => fill(out, &Tile { at, rows: unit(), columns: unit() }),
        [columns] => fill(out, &Tile { at, rows: unit(), columns: *columns }),
        [rows, columns] => fill(out, &Tile { at, rows: *rows, columns: *columns }),
        [outer, inner @ ..] => {
            for i in 0..outer.size {
                let at = std::array::from_fn(|n| at[n] + i as isize * outer.ins[n]);
                walk(&mut out[i * outer.out..], at, inner, fill);
            }
        }
    }
}

/// Broadcasts the input to the sizes of the output. Callers must have checked that it broadcasts.
pub fn fit<'a, T, O>(input: &View<'a, T>, out: &ViewMut<O>) -> View<'a, T> {
    input.broadcast(out.sizes()).expect("callers check that inputs broadcast to the output")
}
