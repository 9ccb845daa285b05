//! Many elements to one, along axes.

use rayon::prelude::*;

use super::super::view::View;

/// Below this many elements a second thread costs more than it saves.
const GRAIN: usize = 1 << 16;

/// Partial results that are kept side by side, so that they do not wait for each other.
const LANES: usize = 16;

/// Columns that are folded together: so few that their results stay near, so many that rows are read in long runs.
const COLUMNS: usize = 4096;

/// A size and a stride.
type Dim = (usize, isize);

/// Dimensions that are one run are merged, those of size 1 left out.
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

/// Where each element lies, row-major.
pub fn offsets(dims: &[Dim]) -> Vec<isize> {
    let mut places = vec![0];
    for &(size, stride) in dims {
        places = places.iter().flat_map(|&at| (0..size as isize).map(move |i| at + i * stride)).collect();
    }
    places
}

/// What `put` makes of the elements along `axes`, one result for each place along the others, row-major. Elements come in
/// any order: `start` joined with anything changes nothing.
pub fn fold<T, A>(
    a: &View<T>,
    axes: &[usize],
    start: A,
    put: &(impl Fn(A, T) -> A + Sync),
    join: &(impl Fn(A, A) -> A + Sync),
) -> Vec<A>
where
    T: Copy + Sync,
    A: Copy + Send + Sync,
{
    let kept: Vec<usize> = (0..a.sizes().len()).filter(|d| !axes.contains(d)).collect();
    let mut out = vec![start; kept.iter().map(|&d| a.sizes()[d]).product()];
    if a.is_empty() {
        return out;
    }
    let parallel = a.len() >= 2 * GRAIN && rayon::current_num_threads() > 1;
    let widest = axes.iter().copied().max_by_key(|&d| a.sizes()[d]);
    if let Some(axis) = widest.filter(|&d| parallel && out.len() < LANES && a.sizes()[d] > 1) {
        let (size, half) = (a.sizes()[axis], a.sizes()[axis] / 2);
        let part = |from: usize, count: usize| fold(&a.sliced(axis, from, 1, count), axes, start, put, join);
        let (left, right) = rayon::join(|| part(0, half), || part(half, size - half));
        return left.into_iter().zip(right).map(|(a, b)| join(a, b)).collect();
    }
    let dim = |&d: &usize| (a.sizes()[d], a.strides()[d]);
    let mut outer = merged(kept.iter().map(dim));
    let mut along: Vec<Dim> = axes.iter().map(dim).collect();
    along.sort_by_key(|&(_, stride)| std::cmp::Reverse(stride.unsigned_abs()));
    let mut inner = merged(along.into_iter());

    let near = |dims: &[Dim]| dims.last().map_or(usize::MAX, |dim| dim.1.unsigned_abs());
    if near(&outer) < near(&inner) {
        let (count, step) = outer.pop().unwrap_or((1, 0));
        let (starts, rows) = (offsets(&outer), offsets(&inner));
        let columns =
            if parallel { count.div_ceil(rayon::current_num_threads()).clamp(1024, COLUMNS) } else { COLUMNS };
        let column = |(number, out): (usize, &mut [A]), at: isize| {
            let from = a.offset + at + (number * columns) as isize * step;
            for row in &rows {
                let at = from + row;
                match step {
                    1 => {
                        let row = &a.data[at as usize..at as usize + out.len()];
                        out.iter_mut().zip(row).for_each(|(out, &x)| *out = put(*out, x));
                    }
                    _ => out.iter_mut().enumerate().for_each(|(i, out)| {
                        *out = put(*out, a.data[(at + i as isize * step) as usize]);
                    }),
                }
            }
        };
        match parallel {
            true => out.par_chunks_mut(count).zip(starts.par_iter()).for_each(|(out, &at)| {
                out.par_chunks_mut(columns).enumerate().for_each(|part| column(part, at));
            }),
            false => out.chunks_mut(count).zip(&starts).for_each(|(out, &at)| {
                out.chunks_mut(columns).enumerate().for_each(|part| column(part, at));
            }),
        }
        return out;
    }
    let (count, step) = inner.pop().unwrap_or((1, 0));
    let (starts, runs) = (offsets(&outer), offsets(&inner));
    let lane = |out: &mut A, at: isize| {
        for run in &runs {
            let at = a.offset + at + run;
            let one = match step {
                1 => run_of(&a.data[at as usize..at as usize + count], start, put, join),
                _ => (0..count as isize).fold(start, |acc, i| put(acc, a.data[(at + i * step) as usize])),
            };
            *out = join(*out, one);
        }
    };
    match parallel {
        true => out.par_iter_mut().zip(starts.par_iter()).for_each(|(out, &at)| lane(out, at)),
        false => out.iter_mut().zip(&starts).for_each(|(out, &at)| lane(out, at)),
    }
    out
}

/// The same of elements that lie one after the other.
#[inline(always)]
pub fn run_of<T: Copy, A: Copy>(run: &[T], start: A, put: impl Fn(A, T) -> A, join: impl Fn(A, A) -> A) -> A {
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
    let whole = lanes.into_iter().reduce(&join).unwrap_or(start);
    rest.iter().fold(whole, |acc, &x| put(acc, x))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every set of axes, of packed and of turned elements, small and split between threads.
    #[test]
    fn every_set_of_axes() {
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
