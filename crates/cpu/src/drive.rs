//! Walks over a strided output and strided inputs: dimensions that are one run are merged, large outputs are
//! split between threads, and kernels see tiles of two dimensions.

use bytemuck::Pod;

use super::threads;
use super::view::{View, ViewMut};

/// Below this many elements a second thread costs more than it saves.
const GRAIN: usize = 1 << 16;

/// Parts a thread, so that none waits long for another.
const PARTS: usize = 4;

/// Bytes of a cache line.
const LINE: usize = 64;

/// One dimension of a tile.
#[derive(Clone, Copy, Debug)]
pub struct Dim<const N: usize> {
    /// Extent.
    pub size: usize,
    /// Stride of the output.
    pub out: usize,
    /// Strides of the inputs.
    pub ins: [isize; N],
}

/// Two dimensions, and where the inputs start. The output starts at 0 of the slice that is handed over.
#[derive(Clone, Copy, Debug)]
pub struct Tile<const N: usize> {
    /// Where the inputs start.
    pub at: [isize; N],
    /// The outer dimension.
    pub rows: Dim<N>,
    /// The inner dimension.
    pub columns: Dim<N>,
}

impl<const N: usize> Tile<N> {
    /// Where the inputs start in a row.
    #[inline(always)]
    pub fn row(&self, row: usize) -> [isize; N] {
        std::array::from_fn(|i| self.at[i] + row as isize * self.rows.ins[i])
    }
}

const fn unit<const N: usize>() -> Dim<N> {
    Dim { size: 1, out: 0, ins: [0; N] }
}

/// What a dimension moves the views by.
struct Walk<const N: usize> {
    dims: Vec<Dim<N>>,
}

impl<const N: usize> Walk<N> {
    fn of(sizes: &[usize], out: &[usize], ins: [&[isize]; N]) -> Walk<N> {
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

    /// Where one input's neighbours lie along another dimension than the output's: that dimension comes next to last.
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

/// The kernel: fills a tile.
type Fill<'f, O, const N: usize> = &'f (dyn Fn(&mut [O], &Tile<N>) + Sync);

/// Hands all of `out` to `fill`, tile by tile, with the places of inputs of these offsets and strides.
pub fn drive<O: Pod, const N: usize>(
    out: &mut ViewMut<O>,
    offsets: [isize; N],
    strides: [&[isize]; N],
    fill: Fill<O, N>,
) {
    if out.sizes().contains(&0) {
        return;
    }
    let walked = Walk::of(out.sizes(), out.strides(), strides).with_tiles_for_transposing();
    let parts = PARTS * rayon::current_num_threads();
    // Threads know bytes only, so that what has them run is compiled once.
    let part = |out: &mut [u8], at: [isize; N], dims: &[Dim<N>]| walk(bytemuck::cast_slice_mut(out), at, dims, fill);
    let whole = Whole { element: size_of::<O>(), part: &part };
    whole.split(bytemuck::cast_slice_mut(out.data), offsets, &walked.dims, if parts > PARTS { parts } else { 1 });
}

/// What is done with a part of the output, in bytes: the inputs' places, and its dimensions.
type Part<'f, const N: usize> = &'f (dyn Fn(&mut [u8], [isize; N], &[Dim<N>]) + Sync);

/// What is split between threads: elements of this many bytes, and what is done with a part of them.
struct Whole<'f, const N: usize> {
    element: usize,
    part: Part<'f, N>,
}

impl<const N: usize> Whole<'_, N> {
    /// Halves the dimension in which the output's halves lie apart until there are `parts`, or they are small.
    fn split(&self, out: &mut [u8], at: [isize; N], dims: &[Dim<N>], parts: usize) {
        let count: usize = dims.iter().map(|d| d.size).product();
        let widest = (0..dims.len()).filter(|&d| dims[d].size > 1).max_by_key(|&d| dims[d].out);
        // More parts than threads: those that read the same cache lines cost more than they save.
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

/// The input, read with the output's sizes. Callers checked that it broadcasts.
pub fn fit<'a, T, O>(input: &View<'a, T>, out: &ViewMut<O>) -> View<'a, T> {
    input.broadcast(out.sizes()).expect("callers check that inputs broadcast to the output")
}
