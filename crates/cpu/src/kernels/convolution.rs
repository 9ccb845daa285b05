//! Convolutions as products of matrices: the elements of each window become a column of a matrix.

use super::super::array::affordable;
use super::super::element::Number;
use super::lanes::pieces;
use super::product::{Matrix, Product, by_columns, multiply};
use super::scatter::indices;
use super::windows::Windows;
use plumbline_graph::Refusal;

/// Sizes of the batch, the groups and the channels of a convolution.
pub struct Channels {
    /// Size of the batch.
    pub batch: usize,
    /// Number of groups. A group of output channels reads only the same group of input channels.
    pub groups: usize,
    /// Number of input channels in a group.
    pub inputs: usize,
    /// Number of output channels in a group.
    pub outputs: usize,
}

/// About this many elements of the columns are multiplied at a time. They fit into the caches close to the core.
const COLUMNS: usize = 1 << 18;

/// The elements that one tap (a position in the kernel) reads in a row of windows. The windows of a row differ only in
/// their place along the last axis.
pub struct Run {
    /// Index of the tap.
    pub tap: usize,
    /// Index of the row's first window among all windows.
    pub row: usize,
    /// The first window in which the tap lies on an element and not on padding, as an index in the row.
    pub first: usize,
    /// Number of consecutive windows, from `first` on, in which the tap lies on an element.
    pub many: usize,
    /// Place, within its channel, of the element that the tap reads in window `first`.
    pub place: usize,
}

/// Returns the runs of all taps, sorted by tap and then by row.
pub fn runs(windows: &Windows) -> Vec<Run> {
    let last = windows.input.len() - 1;
    let count = windows.output[last];
    let (mut runs, mut tap_number) = (Vec::new(), 0);
    indices(&windows.kernel, |tap| {
        let inside = |window: &usize| windows.place(last, *window, tap[last]).is_some();
        let first = (0..count).find(inside);
        let many = first.map_or(0, |first| (first..count).take_while(inside).count());
        let mut row = 0;
        indices(&windows.output[..last], |window| {
            let place = window
                .iter()
                .enumerate()
                .try_fold(0, |place, (d, &window)| Some(place * windows.input[d] + windows.place(d, window, tap[d])?));
            if let (Some(place), Some(first)) = (place, first) {
                let along = windows.place(last, first, tap[last]).unwrap_or(0);
                runs.push(Run { tap: tap_number, row, first, many, place: place * windows.input[last] + along });
            }
            row += count;
        });
        tap_number += 1;
    });
    runs
}

/// Returns the windows of some whole rows as the columns of a matrix: `many` windows, the first of which has the index
/// `from`. The matrix has a row for each channel and tap; padding is 0.
fn columns<T: Number>(data: &[T], windows: &Windows, runs: &[Run], (from, many): (usize, usize)) -> Vec<T> {
    let plane: usize = windows.input.iter().product();
    let taps_of_channel: usize = windows.kernel.iter().product();
    let step = windows.strides[windows.strides.len() - 1];
    let mut out = vec![T::zero(); data.len().checked_div(plane).unwrap_or(0) * taps_of_channel * many];
    let rows = from..from + many;
    let runs: Vec<&Run> = runs.iter().filter(|run| rows.contains(&run.row)).collect();
    pieces(&mut out, taps_of_channel * many, |channel, out| {
        let data = &data[channel * plane..(channel + 1) * plane];
        for &&Run { tap, row, first, many: length, place } in &runs {
            let out = &mut out[tap * many + row - from + first..][..length];
            match step {
                1 => out.copy_from_slice(&data[place..place + length]),
                _ => out.iter_mut().zip(data[place..].iter().step_by(step)).for_each(|(out, &x)| *out = x),
            }
        }
    });
    out
}

/// Returns the number of windows that are multiplied at a time, a multiple of the row length `row`. In total there are
/// `count` windows of `height` elements each. If they are few, they are multiplied all at once.
fn windows_of_part(count: usize, row: usize, height: usize) -> usize {
    if count * height <= COLUMNS {
        return count;
    }
    let parts = (count * height).div_ceil(COLUMNS).next_multiple_of(rayon::current_num_threads());
    (count / row).div_ceil(parts) * row
}

/// Computes a convolution. Returns the sums over all windows, and the shape of the output.
pub fn convolved<T: Product>(
    x: &[T],
    w: &[T],
    channels: &Channels,
    windows: &Windows,
) -> Result<(Vec<T>, Vec<usize>), Refusal> {
    let &Channels { batch, groups, inputs, outputs } = channels;
    let (plane, count) = (windows.input.iter().product::<usize>(), windows.output.iter().product::<usize>());
    let taps: usize = windows.kernel.iter().product();
    let shape = [&[batch, groups * outputs], &windows.output[..]].concat();
    let mut out = vec![T::zero(); affordable(&shape)?];
    affordable(&[inputs, taps, count])?;
    // Without elements in the input, each window lies in the padding.
    if out.is_empty() || inputs == 0 || plane == 0 {
        return Ok((out, shape));
    }
    let (height, row) = (inputs * taps, windows.output[windows.output.len() - 1]);
    let as_it_is = taps == 1
        && windows.input == windows.output
        && windows.strides.iter().all(|&stride| stride == 1)
        && windows.begin.iter().all(|&pad| pad == 0);
    let runs = if as_it_is { Vec::new() } else { runs(windows) };
    let part = windows_of_part(count, row, height);
    for (at, out) in out.chunks_mut(outputs * count).enumerate() {
        let data = &x[at * inputs * plane..(at + 1) * inputs * plane];
        let kernel = &w[at % groups * outputs * inputs * taps..];
        let kernel = Matrix::new(kernel, outputs, height);
        if as_it_is {
            multiply(out, kernel, Matrix::new(data, inputs, count));
        } else if part == count {
            multiply(out, kernel, Matrix::new(&columns(data, windows, &runs, (0, count)), height, count));
        } else {
            by_columns(out, count, part, &|first, count, out| {
                let columns = columns(data, windows, &runs, (first, count));
                T::product(out, kernel, Matrix::new(&columns, height, count));
            });
        }
    }
    Ok((out, shape))
}

/// Computes a transposed convolution: multiplies each element of `x` by the weights `w`, and adds the products where
/// they overlap. The windows slide over the output, one for each element of a channel of `x`. Returns the sums, and the
/// shape of the output.
pub fn spread<T: Product>(
    x: &[T],
    w: &[T],
    channels: &Channels,
    windows: &Windows,
) -> Result<(Vec<T>, Vec<usize>), Refusal> {
    let &Channels { batch, groups, inputs, outputs } = channels;
    let (plane, count) = (windows.input.iter().product::<usize>(), windows.output.iter().product::<usize>());
    let taps_of_channel: usize = windows.kernel.iter().product();
    let shape = [&[batch, groups * outputs], &windows.input[..]].concat();
    let mut out = vec![T::zero(); affordable(&shape)?];
    let mut terms = vec![T::zero(); affordable(&[outputs, taps_of_channel, count])?];
    if out.is_empty() || terms.is_empty() {
        return Ok((out, shape));
    }
    let (runs, step) = (runs(windows), windows.strides[windows.strides.len() - 1]);
    for (at, out) in out.chunks_mut(outputs * plane).enumerate() {
        let data = Matrix::new(&x[at * inputs * count..], inputs, count);
        let kernel = &w[at % groups * inputs * outputs * taps_of_channel..];
        multiply(&mut terms, Matrix::new(kernel, inputs, outputs * taps_of_channel).turned(), data);
        pieces(out, plane, |channel, out| {
            let terms = &terms[channel * taps_of_channel * count..];
            for &Run { tap, row, first, many, place } in &runs {
                let terms = &terms[tap * count + row + first..][..many];
                out[place..].iter_mut().step_by(step).zip(terms).for_each(|(out, &term)| *out = out.add(term));
            }
        });
    }
    Ok((out, shape))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns small integers, so that sums are exact in any order.
    fn numbers(count: usize, seed: usize) -> Vec<f32> {
        (0..count).map(|i| ((i * 7919 + seed) % 11) as f32 - 5.0).collect()
    }

    /// Computes one output element as the sum over its window, tap by tap.
    fn sum(x: &[f32], w: &[f32], channels: &Channels, windows: &Windows, [n, channel, i, j]: [usize; 4]) -> f32 {
        let &Channels { groups, inputs, outputs, .. } = channels;
        let (&[height, width], &[rows, columns]) = (&windows.input[..], &windows.kernel[..]) else { unreachable!() };
        let mut sum = 0.0;
        for input in 0..inputs {
            let plane = n * groups * inputs + channel / outputs * inputs + input;
            for (a, b) in (0..rows).flat_map(|a| (0..columns).map(move |b| (a, b))) {
                if let (Some(y), Some(z)) = (windows.place(0, i, a), windows.place(1, j, b)) {
                    sum +=
                        x[(plane * height + y) * width + z] * w[((channel * inputs + input) * rows + a) * columns + b];
                }
            }
        }
        sum
    }

    #[test]
    fn convolving_in_blocks_of_rows_or_at_once_gives_the_sums_over_windows() {
        // The first case is multiplied in parts, which need not have equal sizes, and the second in one product.
        for (input, output) in [([67, 181], [34, 179]), ([7, 9], [4, 7])] {
            let windows = Windows {
                input: input.to_vec(),
                kernel: vec![3, 2],
                strides: vec![2, 1],
                dilations: vec![1, 3],
                begin: vec![1, 0],
                end: vec![1, 1],
                output: output.to_vec(),
            };
            let channels = Channels { batch: 2, groups: 2, inputs: 9, outputs: 3 };
            let (x, w) = (numbers(2 * 18 * input[0] * input[1], 3), numbers(6 * 9 * 6, 1));
            for threads in [1, 3] {
                let pool = rayon::ThreadPoolBuilder::new()
                    .num_threads(threads)
                    .build()
                    .expect("a pool of a few threads starts");
                let (found, shape) =
                    pool.install(|| convolved(&x, &w, &channels, &windows)).expect("the shapes fit together");
                assert_eq!(shape, [2, 6, output[0], output[1]]);
                let mut found = found.iter();
                indices(&shape, |index| {
                    let at = index.try_into().expect("the output has four axes");
                    assert_eq!(found.next(), Some(&sum(&x, &w, &channels, &windows, at)), "{threads} threads, {at:?}");
                });
            }
            let height = 9 * 6;
            assert_eq!(windows_of_part(output[0] * output[1], output[1], height) < output[0] * output[1], input[0] > 7);
        }
    }
}
