//! DeformConv, computed in float64.

use super::convolution::channels;
use super::layout::strides_of;
use super::normalization::{narrowed, shaped, wide};
use super::windows::Windows;
use crate::array::affordable;
use crate::kernels::product::{Matrix, multiply};
use crate::kernels::resample::Curve;
use crate::kernels::sample::{Axis, Mode, Outside, taps};
use crate::kernels::scatter::indices;
use crate::node::{Node, Operator, Outputs, one};
use plumbline_graph::Refusal;

pub const OPERATORS: &[(&str, Operator)] = &[("DeformConv", deform_conv)];

/// Calls `visit` for every pair of a tap and a window, with the number of the pair, the index of the tap in its window,
/// and the index of the window.
fn each_tap(windows: &Windows, mut visit: impl FnMut(usize, &[usize], &[usize])) {
    let mut number = 0;
    indices(&windows.kernel, |tap| {
        indices(&windows.output, |window| {
            visit(number, tap, window);
            number += 1;
        });
    });
}

/// Computes DeformConv. Each tap is moved by its own offset and interpolates between the elements. The mask, if there
/// is one, multiplies the values of the taps.
fn deform_conv(node: &Node) -> Outputs {
    let (x, w) = (node.input(0)?, node.input(1)?);
    let own = channels(node, x, w, false)?;
    let windows = Windows::read(node, &x.shape()[2..], &w.shape()[2..])?;
    let axes = windows.input.len();
    let (batch, inputs, outputs) = (own.batch, own.groups * own.inputs, own.groups * own.outputs);
    let wrong = || {
        Refusal::invalid(format!(
            "`offset_group` is {}, expected a positive number that divides {inputs} channels",
            node.int("offset_group")
        ))
    };
    let groups = usize::try_from(node.int("offset_group")).map_err(|_| wrong())?;
    if groups == 0 || !inputs.is_multiple_of(groups) {
        return Err(wrong());
    }
    let rows = |rows: usize| [&[batch, rows], &windows.output[..]].concat();
    let taps_of_window = affordable(&windows.kernel)?;
    let count = affordable(&windows.output)?;
    let all = taps_of_window * count;
    affordable(&[inputs, taps_of_window, count])?;
    let offsets = shaped(node, 2, &rows(groups * taps_of_window * axes))?.unwrap_or_default();
    let bias = shaped(node, 3, &[outputs])?;
    let mask = shaped(node, 4, &rows(groups * taps_of_window))?;
    let axis = |(&extent, &stride): (&usize, &isize)| Axis { extent, stride: stride as usize, aligned: false };
    let sampled: Vec<Axis> = windows.input.iter().zip(&strides_of(&windows.input)).map(axis).collect();
    let (x_numbers, w_numbers) = (wide(x)?, wide(w)?);
    let plane: usize = windows.input.iter().product();
    let shape = rows(outputs);
    let mut out = vec![0.0; affordable(&shape)?];
    for (n, out) in out.chunks_mut((outputs * count).max(1)).enumerate() {
        let mut columns = vec![0.0; inputs * all];
        for group in 0..groups {
            let first = (n * groups + group) * all;
            each_tap(&windows, |number, tap, window| {
                let (tap_number, window_number) = (number / count, number % count);
                let position = |d: usize| {
                    let still = (window[d] * windows.strides[d] + tap[d] * windows.dilations[d]) as f64;
                    let offset = offsets[first * axes + (tap_number * axes + d) * count + window_number];
                    still - windows.begin[d] as f64 + offset
                };
                let position: Vec<f64> = (0..axes).map(position).collect();
                let around = taps(&position, &sampled, Mode::Average(Curve::Linear), Outside::Zeros);
                let weight = mask.as_ref().map_or(1.0, |mask| mask[first + number]);
                for channel in group * inputs / groups..(group + 1) * inputs / groups {
                    let data = &x_numbers[(n * inputs + channel) * plane..][..plane];
                    columns[channel * all + number] =
                        weight * around.iter().map(|&(at, part)| data[at] * part).sum::<f64>();
                }
            });
        }
        let (depth, width) = (own.inputs * taps_of_window, own.outputs * count);
        for (group, out) in out.chunks_mut(width.max(1)).enumerate() {
            let kernel = Matrix::new(&w_numbers[group * own.outputs * depth..], own.outputs, depth);
            multiply(out, kernel, Matrix::new(&columns[group * depth * count..], depth, count));
        }
        for (out, bias) in out.chunks_mut(count.max(1)).zip(bias.iter().flatten()) {
            out.iter_mut().for_each(|x| *x += bias);
        }
    }
    one(narrowed(x.dtype(), &shape, &out)?)
}
