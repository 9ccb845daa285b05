//! Convolutions, as products of matrices: each window becomes a column.

use super::super::array::affordable;
use super::super::element::Number;
use super::lanes::pieces;
use super::product::{Matrix, Product, multiply};
use super::scatter::indices;
use super::windows::Windows;
use crate::Refusal;

/// Channels and groups.
pub struct Channels {
    /// Tensors that are convolved alike.
    pub batch: usize,
    /// Groups of channels that have nothing to do with each other.
    pub groups: usize,
    /// Input channels of a group.
    pub inputs: usize,
    /// Output channels of a group.
    pub outputs: usize,
}

/// Calls `visit` for every row of windows and tap: number of the tap, number of the row's first window, first window
/// that lies on an element, how many do, and the place of the first one's element in the channel.
pub fn taps(windows: &Windows, mut visit: impl FnMut(usize, usize, usize, usize, usize)) {
    let last = windows.input.len() - 1;
    let count = windows.output[last];
    let mut tap_number = 0;
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
                visit(tap_number, row, first, many, place * windows.input[last] + along);
            }
            row += count;
        });
        tap_number += 1;
    });
}

/// Windows as columns: a row for each channel and tap; padding is 0.
fn columns<T: Number>(data: &[T], windows: &Windows) -> Vec<T> {
    let (plane, count) = (windows.input.iter().product::<usize>(), windows.output.iter().product::<usize>());
    let taps_of_channel: usize = windows.kernel.iter().product();
    let step = windows.strides[windows.strides.len() - 1];
    let mut out = vec![T::zero(); data.len().checked_div(plane).unwrap_or(0) * taps_of_channel * count];
    pieces(&mut out, taps_of_channel * count, |channel, out| {
        let data = &data[channel * plane..(channel + 1) * plane];
        taps(windows, |tap, row, first, many, place| {
            let out = &mut out[tap * count + row + first..][..many];
            match step {
                1 => out.copy_from_slice(&data[place..place + many]),
                _ => out.iter_mut().zip(data[place..].iter().step_by(step)).for_each(|(out, &x)| *out = x),
            }
        });
    });
    out
}

/// The sums over all windows, and the shape of the output.
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
    if out.is_empty() {
        return Ok((out, shape));
    }
    let as_it_is = taps == 1 && windows.input == windows.output && windows.strides.iter().all(|&stride| stride == 1);
    for (at, out) in out.chunks_mut(outputs * count).enumerate() {
        let data = &x[at * inputs * plane..(at + 1) * inputs * plane];
        let kernel = &w[at % groups * outputs * inputs * taps..];
        let kernel = Matrix::of(kernel, outputs, inputs * taps);
        match as_it_is && windows.begin.iter().all(|&pad| pad == 0) {
            true => multiply(out, kernel, Matrix::of(data, inputs, count)),
            false => multiply(out, kernel, Matrix::of(&columns(data, windows), inputs * taps, count)),
        }
    }
    Ok((out, shape))
}

/// Each element times the kernel, added up where they meet.
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
    let step = windows.strides[windows.strides.len() - 1];
    for (at, out) in out.chunks_mut(outputs * plane).enumerate() {
        let data = Matrix::of(&x[at * inputs * count..], inputs, count);
        let kernel = &w[at % groups * inputs * outputs * taps_of_channel..];
        multiply(&mut terms, Matrix::of(kernel, inputs, outputs * taps_of_channel).turned(), data);
        pieces(out, plane, |channel, out| {
            let terms = &terms[channel * taps_of_channel * count..];
            taps(windows, |tap, row, first, many, place| {
                let terms = &terms[tap * count + row + first..][..many];
                out[place..].iter_mut().step_by(step).zip(terms).for_each(|(out, &term)| *out = out.add(term));
            });
        });
    }
    Ok((out, shape))
}
