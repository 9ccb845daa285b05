//! Folds: they combine many elements into one along some of the axes.

use bytemuck::Pod;

use super::super::threads;
use super::super::view::View;
use super::runs::Runs;

/// A thread that gets fewer elements than this costs more than it saves.
const GRAIN: usize = 1 << 16;

/// Number of partial results that are computed side by side, so that they do not wait for each other.
const LANES: usize = 16;

/// Number of results that a thread takes at a time.
const TOGETHER: usize = 16;

/// The size and the stride of a dimension.
type Dim = (usize, isize);

/// Merges dimensions that are contiguous, and leaves out those of size 1.
fn merged(dims: impl Iterator<Item = Dim>) -> Vec<Dim> {
    let mut merged: Vec<Dim> = Vec::new();
    for (size, stride) in dims.filter(|&(size, _)| size != 1) {
        match merged.last_mut() {
            Some(outer) if outer.1 == stride * size as isize => *outer = (outer.0 * size, stride),
            _ => merged.push((size, stride)),
        }
    }
    merged
}

/// Returns the offset of each element, in row-major order of the indices.
pub fn offsets(dims: &[Dim]) -> Vec<isize> {
    let mut places = vec![0];
    for &(size, stride) in dims {
        places = places.iter().flat_map(|&at| (0..size as isize).map(move |i| at + i * stride)).collect();
    }
    places
}

/// The operations of a fold on runs of elements.
struct Steps<'f, T, A> {
    start: A,
    /// Joins each element of a row to the result of its column.
    row: &'f (dyn Fn(&mut [A], &[T]) + Sync),
    /// Folds elements that are contiguous.
    run: &'f (dyn Fn(&[T]) -> A + Sync),
    join: &'f (dyn Fn(A, A) -> A + Sync),
}

type Rows<'f> = dyn Fn(&mut [u8], &mut dyn Iterator<Item = isize>, isize) + Sync + 'f;
type ManyRuns<'f> = dyn Fn(&mut [u8], &[isize], &[isize], Dim) + Sync + 'f;
type Beside<'f> = dyn Fn(&mut [u8], &mut dyn FnMut(&mut [u8], &mut [u8])) + Sync + 'f;

/// The operations of a fold as functions of the bytes of results and the places of elements, so that the code that
/// walks over the elements is compiled once and not once for each type.
struct ByPlace<'f> {
    /// Number of bytes of a result.
    size: usize,
    /// Joins rows of elements to the results of their columns. The arguments are the results, the place of the first
    /// element of each row, and the stride between the elements of a row.
    rows: &'f Rows<'f>,
    /// Joins runs of elements to each result. The arguments are the results, the place of the first element of each
    /// result, the places of the runs relative to that element, and the length and the stride of each run.
    runs: &'f ManyRuns<'f>,
    /// Calls a function with the results and with a second list of as many results, and then joins each result of the
    /// second list to its counterpart in the first.
    beside: &'f Beside<'f>,
}

/// Folds the elements along `axes` with `put`, which adds an element to a result, and `join`, which combines two
/// results. Returns one result for each index along the other axes, in row-major order. The elements may be combined in
/// any order, and a result joined with `start` must stay the same.
pub fn fold<T, A>(
    a: &View<T>,
    axes: &[usize],
    start: A,
    put: &(impl Fn(A, T) -> A + Sync),
    join: &(impl Fn(A, A) -> A + Sync),
) -> Vec<A>
where
    T: Copy + Sync,
    A: Pod + Send + Sync,
{
    let row = |out: &mut [A], row: &[T]| out.iter_mut().zip(row).for_each(|(out, &x)| *out = put(*out, x));
    folded(a, axes, &Steps { start, row: &row, run: &|run| run_of::<LANES, _, _>(run, start, put, join), join })
}

/// Computes a fold. This function is compiled once for each pair of types and not once for each kind of fold.
fn folded<T, A>(a: &View<T>, axes: &[usize], steps: &Steps<T, A>) -> Vec<A>
where
    T: Copy + Sync,
    A: Pod + Send + Sync,
{
    let rows = |out: &mut [u8], places: &mut dyn Iterator<Item = isize>, stride: isize| {
        let (out, mut elements) = (bytemuck::cast_slice_mut::<u8, A>(out), Runs::new(a));
        for place in places {
            (steps.row)(out, elements.run(place, stride, out.len()));
        }
    };
    let runs = |out: &mut [u8], starts: &[isize], runs: &[isize], (count, stride): Dim| {
        let (out, mut elements) = (bytemuck::cast_slice_mut::<u8, A>(out), Runs::new(a));
        for (out, start) in out.iter_mut().zip(starts) {
            for run in runs {
                *out = (steps.join)(*out, (steps.run)(elements.run(start + run, stride, count)));
            }
        }
    };
    let beside = |out: &mut [u8], both: &mut dyn FnMut(&mut [u8], &mut [u8])| {
        let out = bytemuck::cast_slice_mut::<u8, A>(out);
        let mut others = vec![steps.start; out.len()];
        both(bytemuck::cast_slice_mut(out), bytemuck::cast_slice_mut(&mut others));
        out.iter_mut().zip(others).for_each(|(out, other)| *out = (steps.join)(*out, other));
    };
    let results = (0..a.sizes().len()).filter(|d| !axes.contains(d)).map(|d| a.sizes()[d]).product();
    let mut out = vec![steps.start; results];
    let steps = ByPlace { size: size_of::<A>(), rows: &rows, runs: &runs, beside: &beside };
    by_place(&a.places(), axes, bytemuck::cast_slice_mut(&mut out), &steps);
    out
}

/// Walks over the elements of a fold, in several threads if there are many.
fn by_place(a: &View<()>, axes: &[usize], out: &mut [u8], steps: &ByPlace) {
    if a.is_empty() {
        return;
    }
    let parallel = a.len() >= 2 * GRAIN && rayon::current_num_threads() > 1;
    let least = parallel.then_some(1);
    // The axis with the largest stride: if the elements are halved along it, the halves lie farthest apart.
    let apart = axes.iter().copied().filter(|&d| a.sizes()[d] > 1).max_by_key(|&d| a.strides()[d].unsigned_abs());
    if let Some(axis) = apart.filter(|_| parallel && out.len() / steps.size < LANES) {
        let (size, half) = (a.sizes()[axis], a.sizes()[axis] / 2);
        let part = |from, count, out: &mut [u8]| by_place(&a.sliced(axis, from, 1, count), axes, out, steps);
        (steps.beside)(out, &mut |out, others| {
            threads::both(&mut || part(0, half, out), &mut || part(half, size - half, others));
        });
        return;
    }
    let dim = |d: usize| (a.sizes()[d], a.strides()[d]);
    let mut outer = merged((0..a.sizes().len()).filter(|d| !axes.contains(d)).map(dim));
    let mut along: Vec<Dim> = axes.iter().map(|&d| dim(d)).collect();
    along.sort_by_key(|&(_, stride)| std::cmp::Reverse(stride.unsigned_abs()));
    let mut inner = merged(along.into_iter());

    let near = |dims: &[Dim]| dims.last().map_or(usize::MAX, |dim| dim.1.unsigned_abs());
    if near(&outer) < near(&inner) {
        let (count, step) = outer.pop().unwrap_or((1, 0));
        let (starts, rows) = (offsets(&outer), offsets(&inner));
        let columns = if parallel { count.div_ceil(rayon::current_num_threads()) } else { count };
        let part = |number: usize, out: &mut [u8], at: isize| {
            let from = a.offset + at + (number * columns) as isize * step;
            (steps.rows)(out, &mut rows.iter().map(|row| from + row), step);
        };
        let line = |at: usize, out: &mut [u8]| {
            threads::pieces(out, columns * steps.size, least, &|number, out| part(number, out, starts[at]))
        };
        threads::pieces(out, count * steps.size, least, &line);
        return;
    }
    let (count, step) = inner.pop().unwrap_or((1, 0));
    let starts: Vec<isize> = offsets(&outer).into_iter().map(|start| a.offset + start).collect();
    let runs = offsets(&inner);
    let lane = |at: usize, out: &mut [u8]| (steps.runs)(out, &starts[at * TOGETHER..], &runs, (count, step));
    threads::pieces(out, TOGETHER * steps.size, least, &lane);
}

/// Folds contiguous elements, `LANES` of them at a time.
#[inline(always)]
pub fn run_of<const LANES: usize, T: Copy, A: Copy>(
    run: &[T],
    start: A,
    put: impl Fn(A, T) -> A,
    join: impl Fn(A, A) -> A,
) -> A {
    let (blocks, rest) = run.as_chunks::<LANES>();
    if blocks.is_empty() {
        return rest.iter().fold(start, |acc, &x| put(acc, x));
    }
    let mut lanes = [start; LANES];
    for block in blocks {
        for (lane, &x) in lanes.iter_mut().zip(block) {
            *lane = put(*lane, x);
        }
    }
    // Join the lanes one after the other. If they were joined in pairs, the compiler would use vectors of two elements,
    // also in the loop above.
    let whole = lanes.into_iter().reduce(join).unwrap_or(start);
    rest.iter().fold(whole, |acc, &x| put(acc, x))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Folds packed and transposed elements along every set of axes, in sizes for one thread and for several.
    #[test]
    fn a_fold_over_every_set_of_axes_equals_a_plain_loop() {
        for sizes in [[3, 4, 5, 37], [40, 30, 20, 12]] {
            let data: Vec<u64> = (0..sizes.iter().product::<usize>() as u64).map(|i| i * i).collect();
            for order in [[0, 1, 2, 3], [3, 1, 0, 2]] {
                let view = View::packed(&data, &sizes).permuted(&order);
                for set in 0..16u32 {
                    let axes: Vec<usize> = (0..4).filter(|d| set >> d & 1 == 1).collect();
                    let kept: Vec<usize> = (0..4).filter(|d| set >> d & 1 == 0).collect();
                    let found = fold(&view, &axes, 0u64, &|acc, x| acc + x, &|a, b| a + b);
                    let mut expected = vec![0u64; found.len()];
                    super::super::scatter::indices(view.sizes(), |index| {
                        let place = kept.iter().fold(0, |place, &d| place * view.sizes()[d] + index[d]);
                        expected[place] += view.at(index);
                    });
                    assert_eq!(found, expected, "{axes:?} of {sizes:?} in order {order:?}");
                }
            }
        }
    }
}
