//! Col2Im and MaxUnpool, which put elements back to where windows took them from.

use super::moved::on_bits;
use super::windows::{Windows, counts, spatial_axes};
use crate::array::{Array, affordable};
use crate::element::{Number, with_bits, with_number};
use crate::kernels::convolution::{Run, runs};
use crate::kernels::lanes::pieces;
use crate::node::{Node, Operator, Outputs, one};
use plumbline_graph::Refusal;

pub const OPERATORS: &[(&str, Operator)] = &[("Col2Im", col2_im), ("MaxUnpool", max_unpool)];

/// Returns the extents that an input holds. They must be positive.
fn extents(array: &Array) -> Result<Vec<usize>, Refusal> {
    let wrong = || {
        Refusal::invalid(format!(
            "`image_shape` or `block_shape` has shape {:?}, expected rank 1 and positive numbers",
            array.shape()
        ))
    };
    if array.rank() != 1 {
        return Err(wrong());
    }
    array.to_i64s()?.into_iter().map(|n| usize::try_from(n).ok().filter(|&n| n > 0).ok_or_else(wrong)).collect()
}

/// Computes Col2Im. Floats and integers are added up where blocks overlap. For other types the specification defines no
/// sum, and the last block wins.
fn col2_im(node: &Node) -> Outputs {
    let (data, image, block) = (node.input(0)?, extents(node.input(1)?)?, extents(node.input(2)?)?);
    let wrong = || {
        Refusal::invalid(format!(
            "blocks {block:?} and the image {image:?} do not fit an input of shape {:?}",
            data.shape()
        ))
    };
    let &[batch, rows, columns] = data.shape() else { return Err(wrong()) };
    if image.len() != block.len() || image.len() < 2 {
        return Err(wrong());
    }
    affordable(&image)?;
    let taps_of_block = affordable(&block)?;
    let windows = Windows::read(node, &image, &block)?;
    if rows % taps_of_block != 0 || windows.output.iter().product::<usize>() != columns {
        return Err(wrong());
    }
    let channels = rows / taps_of_block;
    let shape = [&[batch, channels], &image[..]].concat();
    affordable(&shape)?;
    let dtype = data.dtype();
    if dtype.is_float() || dtype.is_integer() {
        return one(with_number!(dtype, T => folded::<T>(data, &shape, &windows, |a, b| a.add(b)))?);
    }
    on_bits(&[data], |data| {
        let data = &data[0];
        Ok(vec![with_bits!(data.dtype().size(), T => folded::<T>(data, &shape, &windows, |_, b| b))?])
    })
}

fn folded<T: bytemuck::Pod + Send + Sync>(
    data: &Array,
    shape: &[usize],
    windows: &Windows,
    join: impl Fn(T, T) -> T + Sync,
) -> Result<Array, Refusal> {
    let (plane, count) = (windows.input.iter().product(), windows.output.iter().product::<usize>());
    let taps_of_block: usize = windows.kernel.iter().product();
    let (runs, step) = (runs(windows), windows.strides[windows.strides.len() - 1]);
    let data_of = data.slice::<T>();
    Array::filled(data.dtype(), shape, |out| {
        pieces(out.data, plane, |channel, out: &mut [T]| {
            let terms = &data_of[channel * taps_of_block * count..];
            // Goes from the last tap to the first. If several blocks reach an element, the last block reaches it with
            // the earliest tap, and so writes it last.
            for &Run { tap, row, first, many, place } in runs.iter().rev() {
                let terms = &terms[tap * count + row + first..][..many];
                out[place..].iter_mut().step_by(step).zip(terms).for_each(|(out, &term)| *out = join(*out, term));
            }
        });
        Ok(())
    })
}

/// Computes MaxUnpool. The indices are places in the whole output, not in the channel.
fn max_unpool(node: &Node) -> Outputs {
    let (data, indices) = (node.input(0)?, node.input(1)?);
    let axes = spatial_axes(data.shape())?;
    if indices.shape() != data.shape() {
        return Err(Refusal::invalid(format!(
            "the indices have shape {:?}, expected that of the input, {:?}",
            indices.shape(),
            data.shape()
        )));
    }
    let kernel = counts(node, "kernel_shape", axes, 1, 1)?;
    let (strides, pads) = (counts(node, "strides", axes, 1, 1)?, counts(node, "pads", 2 * axes, 0, 0)?);
    let mut shape = data.shape().to_vec();
    match node.optional(2)? {
        Some(wanted) => {
            let wanted = (wanted.rank(), wanted.to_i64s()?);
            let whole: Option<Vec<usize>> = wanted.1.iter().map(|&n| usize::try_from(n).ok()).collect();
            match whole.filter(|whole| wanted.0 == 1 && whole.len() == data.rank() && whole[..2] == shape[..2]) {
                Some(whole) => shape = whole,
                None => {
                    return Err(Refusal::invalid(format!(
                        "`output_shape` is {:?}, which does not fit an input of shape {shape:?}",
                        wanted.1
                    )));
                }
            }
        }
        None => {
            for d in 0..axes {
                let covered = (data.shape()[2 + d] as i64 - 1) * strides[d] as i64 + kernel[d] as i64;
                let extent = covered - (pads[d] + pads[axes + d]) as i64;
                shape[2 + d] =
                    usize::try_from(extent).map_err(|_| Refusal::invalid("an extent of the output is negative"))?;
            }
        }
    }
    let len = affordable(&shape)?;
    let places: Vec<usize> = indices
        .slice::<i64>()
        .iter()
        .map(|&i| usize::try_from(i).ok().filter(|&i| i < len))
        .collect::<Option<_>>()
        .ok_or_else(|| Refusal::invalid("an index is outside the output"))?;
    one(with_bits!(data.dtype().size(), T => Array::filled::<T>(data.dtype(), &shape, |out| {
        places.iter().zip(data.slice::<T>()).for_each(|(&place, &x)| out.data[place] = x);
        Ok(())
    }))?)
}
