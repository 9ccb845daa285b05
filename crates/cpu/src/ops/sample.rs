//! AffineGrid and GridSample.

use super::layout::strides_of;
use super::moved::on_bits;
use super::normalization::{narrowed, wide};
use super::resize::{floats, from_floats};
use crate::array::{Array, affordable};
use crate::element::with_bits;
use crate::kernels::lanes::pieces;
use crate::kernels::resample::Curve;
use crate::kernels::sample::{Axis, Mode, Outside, taps};
use crate::kernels::scatter::indices;
use crate::node::{Node, Operator, Outputs, one};
use plumbline_graph::Refusal;

pub const OPERATORS: &[(&str, Operator)] = &[("AffineGrid", affine_grid), ("GridSample", grid_sample)];

fn modes(node: &Node) -> Result<(Mode, Outside), Refusal> {
    let old = node.since() < 20;
    let mode = match node.string("mode")? {
        "nearest" => Mode::Nearest,
        "bilinear" if old => Mode::Average(Curve::Linear),
        "linear" if !old => Mode::Average(Curve::Linear),
        "bicubic" if old => Mode::Average(Curve::Cubic(-0.75)),
        "cubic" if !old => Mode::Average(Curve::Cubic(-0.75)),
        other => return Err(Refusal::invalid(format!("`mode` is `{other}`, which is not a mode of this version"))),
    };
    let outside = match node.string("padding_mode")? {
        "zeros" => Outside::Zeros,
        "border" => Outside::Border,
        "reflection" => Outside::Reflection,
        other => {
            return Err(Refusal::invalid(format!(
                "`padding_mode` is `{other}`, expected `zeros`, `border` or `reflection`"
            )));
        }
    };
    Ok((mode, outside))
}

fn grid_sample(node: &Node) -> Outputs {
    let (x, grid) = (node.input(0)?, node.input(1)?);
    let (mode, outside) = modes(node)?;
    let aligned = node.int("align_corners") != 0;
    if node.since() < 20 && x.rank() != 4 {
        return Err(Refusal::invalid(format!("the input has shape {:?}, expected rank 4", x.shape())));
    }
    let (rank, wrong) = (x.rank(), || {
        Refusal::invalid(format!("a grid of shape {:?} does not fit an input of shape {:?}", grid.shape(), x.shape()))
    });
    if rank < 3 || grid.rank() != rank {
        return Err(wrong());
    }
    let (spatial, sampled) = (&x.shape()[2..], &grid.shape()[1..rank - 1]);
    if grid.shape()[0] != x.shape()[0] || grid.shape()[rank - 1] != rank - 2 {
        return Err(wrong());
    }
    let shape = [&x.shape()[..2], sampled].concat();
    let len = affordable(&shape)?;
    let (plane, points) = (spatial.iter().product::<usize>(), sampled.iter().product::<usize>());
    if len > 0 && plane == 0 {
        return Err(wrong());
    }
    let strides = strides_of(spatial);
    let axis = |(&extent, &stride): (&usize, &isize)| Axis { extent, stride: stride as usize, aligned };
    let axes: Vec<Axis> = spatial.iter().zip(&strides).map(axis).collect();
    let positions = wide(grid)?;
    // In a grid point the position along the innermost axis comes first.
    let place = |(axis, &x): (&Axis, &f64)| match (aligned, axis.extent as f64) {
        (true, extent) => (x + 1.0) / 2.0 * (extent - 1.0),
        (false, extent) => ((x + 1.0) * extent - 1.0) / 2.0,
    };
    let around: Vec<Vec<(usize, f64)>> = positions
        .chunks(rank - 2)
        .map(|point| {
            let position: Vec<f64> = axes.iter().zip(point.iter().rev()).map(place).collect();
            taps(&position, &axes, mode, outside)
        })
        .collect();
    let channels = x.shape()[1];
    if matches!(mode, Mode::Nearest) {
        return on_bits(&[x], |data| {
            let data = &data[0];
            let picked = with_bits!(data.dtype().size(), T => Array::filled::<T>(data.dtype(), &shape, |out| {
                let data = data.slice::<T>();
                pieces(out.data, points, |at, out| {
                    let (data, around) = (&data[at * plane..], &around[at / channels * points..]);
                    for (out, taps) in out.iter_mut().zip(around) {
                        if let Some(&(place, _)) = taps.first() {
                            *out = data[place];
                        }
                    }
                });
                Ok(())
            }))?;
            Ok(vec![picked])
        });
    }
    let data = floats(x)?;
    let mut out = vec![0.0; len];
    pieces(&mut out, points, |at, out| {
        let (data, around) = (&data[at * plane..], &around[at / channels * points..]);
        for (out, taps) in out.iter_mut().zip(around) {
            *out = taps.iter().map(|&(place, weight)| data[place] * weight).sum();
        }
    });
    one(from_floats(x.dtype(), &shape, &out)?)
}

/// Computes AffineGrid. The matrix of each batch transforms all points. In a point the position along the innermost
/// axis comes first. Before the transformation the positions range from -1 to 1.
fn affine_grid(node: &Node) -> Outputs {
    let (theta, size) = (node.input(0)?, node.input(1)?);
    let (&[batches, rows, columns], &[count]) = (theta.shape(), size.shape()) else {
        return Err(Refusal::invalid(format!(
            "`theta` and `size` have shapes {:?} and {:?}, expected rank 3 and rank 1",
            theta.shape(),
            size.shape()
        )));
    };
    let size = size.to_i64s()?;
    let fits = count == rows + 2 && columns == rows + 1 && (2..=3).contains(&rows);
    if !fits || size[1..].iter().any(|&extent| extent < 0) || usize::try_from(size[0]) != Ok(batches) {
        return Err(Refusal::invalid(format!("`size` {size:?} does not fit `theta` of shape {:?}", theta.shape())));
    }
    let extents: Vec<usize> = size[2..].iter().map(|&extent| extent as usize).collect();
    let shape = [&[batches], &extents[..], &[rows]].concat();
    affordable(&shape)?;
    let (aligned, matrices) = (node.int("align_corners") != 0, wide(theta)?);
    let position = |extent: usize, at: usize| match (aligned, extent as f64) {
        (true, 1.0) => 0.0,
        (true, extent) => at as f64 * (2.0 / (extent - 1.0)) - 1.0,
        (false, extent) => (2.0 * at as f64 + 1.0) / extent - 1.0,
    };
    let mut out = Vec::with_capacity(shape.iter().product());
    for matrix in matrices.chunks(rows * columns) {
        indices(&extents, |index| {
            let along = index.iter().zip(&extents).rev().map(|(&at, &extent)| position(extent, at));
            let point: Vec<f64> = along.chain([1.0]).collect();
            out.extend(matrix.chunks(columns).map(|row| row.iter().zip(&point).map(|(a, b)| a * b).sum::<f64>()));
        });
    }
    one(narrowed(theta.dtype(), &shape, &out)?)
}
