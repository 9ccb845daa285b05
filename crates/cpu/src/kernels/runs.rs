//! Calls element-wise functions with contiguous runs of elements. The code around the functions is compiled once for
//! each element type and not once for each function.

use bytemuck::Pod;

use super::super::drive::{Tile, drive, fit};
use super::super::view::{View, ViewMut};

/// Number of elements that are gathered at a time if they are not contiguous.
const BLOCK: usize = 1024;

/// Runs of an input, which are read in place if they are contiguous, and else gathered into a buffer.
pub(super) struct Runs<'a, T> {
    data: &'a [T],
    gathered: Vec<T>,
}

impl<'a, T: Copy> Runs<'a, T> {
    pub(super) fn new(view: &View<'a, T>) -> Runs<'a, T> {
        Runs { data: view.data, gathered: Vec::new() }
    }

    /// Returns `count` elements from a place on, with this stride between them.
    #[inline]
    pub(super) fn run(&mut self, at: isize, stride: isize, count: usize) -> &[T] {
        match stride {
            1 => &self.data[at as usize..at as usize + count],
            _ => self.gather(at, stride, count),
        }
    }

    #[inline(never)]
    fn gather(&mut self, at: isize, stride: isize, count: usize) -> &[T] {
        self.gathered.clear();
        match stride {
            0 => self.gathered.resize(count, self.data[at as usize]),
            _ => self.gathered.extend((0..count as isize).map(|i| self.data[(at + i * stride) as usize])),
        }
        &self.gathered
    }
}

/// Calls `f` for each run of a tile, with the elements of the output and the places of the inputs.
#[inline(never)]
fn runs<O: Copy, const N: usize>(out: &mut [O], tile: &Tile<N>, f: &mut dyn FnMut(&mut [O], [isize; N])) {
    let columns = tile.columns;
    let packed = columns.out == 1 && columns.ins == [1; N];
    let block = if packed { columns.size } else { columns.size.min(BLOCK) };
    let mut apart: Vec<O> = Vec::new();
    for row in 0..tile.rows.size {
        let (out, at) = (&mut out[row * tile.rows.out..], tile.row(row));
        for first in (0..columns.size).step_by(block) {
            let count = block.min(columns.size - first);
            let at = std::array::from_fn(|n| at[n] + first as isize * columns.ins[n]);
            let out = &mut out[first * columns.out..];
            if columns.out == 1 || count == 1 {
                f(&mut out[..count], at);
                continue;
            }
            apart.resize(count, out[0]);
            f(&mut apart, at);
            out.iter_mut().step_by(columns.out).zip(&apart).for_each(|(out, &made)| *out = made);
        }
    }
}

/// A function that writes a run of the output from a run of one input.
pub type Run1<'f, A, O> = &'f (dyn Fn(&mut [O], &[A]) + Sync);

/// A function that writes a run of the output from runs of two inputs.
pub type Run2<'f, A, B, O> = &'f (dyn Fn(&mut [O], &[A], &[B]) + Sync);

/// A function that writes a run of the output from runs of three inputs.
pub type Run3<'f, A, B, C, O> = &'f (dyn Fn(&mut [O], &[A], &[B], &[C]) + Sync);

/// Calls `f` with runs of the output and of the input, which have the same length.
pub fn runs1<A: Copy + Sync, O: Pod>(out: &mut ViewMut<O>, a: &View<A>, f: Run1<A, O>) {
    let a = fit(a, out);
    let fill = |out: &mut [O], tile: &Tile<1>| {
        let (mut a, [s]) = (Runs::new(&a), tile.columns.ins);
        runs(out, tile, &mut |out, [p]| f(out, a.run(p, s, out.len())));
    };
    drive(out, [a.offset], [a.strides()], &fill);
}

/// Calls `f` with runs of the output and of two inputs, which have the same length.
pub fn runs2<A, B, O>(out: &mut ViewMut<O>, a: &View<A>, b: &View<B>, f: Run2<A, B, O>)
where
    A: Copy + Sync,
    B: Copy + Sync,
    O: Pod,
{
    let (a, b) = (fit(a, out), fit(b, out));
    let fill = |out: &mut [O], tile: &Tile<2>| {
        let (mut a, mut b, [s, t]) = (Runs::new(&a), Runs::new(&b), tile.columns.ins);
        runs(out, tile, &mut |out, [p, q]| f(out, a.run(p, s, out.len()), b.run(q, t, out.len())));
    };
    drive(out, [a.offset, b.offset], [a.strides(), b.strides()], &fill);
}

/// Calls `f` with runs of the output and of three inputs, which have the same length.
pub fn runs3<A, B, C, O>(out: &mut ViewMut<O>, (a, b, c): (&View<A>, &View<B>, &View<C>), f: Run3<A, B, C, O>)
where
    A: Copy + Sync,
    B: Copy + Sync,
    C: Copy + Sync,
    O: Pod,
{
    let (a, b, c) = (fit(a, out), fit(b, out), fit(c, out));
    let fill = |out: &mut [O], tile: &Tile<3>| {
        let (mut a, mut b, mut c, [s, t, u]) = (Runs::new(&a), Runs::new(&b), Runs::new(&c), tile.columns.ins);
        runs(out, tile, &mut |out, [p, q, r]| {
            let count = out.len();
            f(out, a.run(p, s, count), b.run(q, t, count), c.run(r, u, count));
        });
    };
    drive(out, [a.offset, b.offset, c.offset], [a.strides(), b.strides(), c.strides()], &fill);
}
