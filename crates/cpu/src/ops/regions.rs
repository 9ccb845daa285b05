//! MaxRoiPool and RoiAlign.

use super::normalization::{narrowed, wide};
use super::windows::counts;
use crate::array::{Array, affordable};
use crate::kernels::lanes::pieces;
use crate::kernels::regions::{Samples, max_of_parts};
use crate::node::{Node, Operator, Outputs, one};
use plumbline_graph::Refusal;

pub const OPERATORS: &[(&str, Operator)] = &[("MaxRoiPool", max_roi_pool), ("RoiAlign", roi_align)];

/// Each region is divided into parts, one for each element of the output. This is the largest number of samples along
/// one axis of a part; more samples are refused.
const MOST_SAMPLES: f64 = 4096.0;

/// An image for each batch and channel, and the regions, each of which is a list of numbers.
struct Images {
    batches: usize,
    channels: usize,
    extents: [usize; 2],
    numbers: Vec<f64>,
    regions: Vec<f64>,
}

impl Images {
    fn read(x: &Array, rois: &Array, width: usize) -> Result<Images, Refusal> {
        match (x.shape(), rois.shape()) {
            (&[batches, channels, height, columns], &[_, numbers]) if numbers == width => {
                Ok(Images { batches, channels, extents: [height, columns], numbers: wide(x)?, regions: wide(rois)? })
            }
            (x, rois) => Err(Refusal::invalid(format!("regions of shape {rois:?} do not fit an input of shape {x:?}"))),
        }
    }

    fn batch(&self, number: f64) -> Result<usize, Refusal> {
        match number >= 0.0 && number < self.batches as f64 && number.fract() == 0.0 {
            true => Ok(number as usize),
            false => Err(Refusal::invalid(format!("batch index {number} is not an integer in [0, {})", self.batches))),
        }
    }

    fn plane(&self, batch: usize, channel: usize) -> &[f64] {
        let size = self.extents[0] * self.extents[1];
        &self.numbers[(batch * self.channels + channel) * size..][..size]
    }
}

/// Computes MaxRoiPool. The corners of a region are scaled and rounded, with ties away from zero.
fn max_roi_pool(node: &Node) -> Outputs {
    let (x, rois) = (node.input(0)?, node.input(1)?);
    let images = Images::read(x, rois, 5)?;
    let parts = counts(node, "pooled_shape", 2, 1, 1)?;
    let shape = [rois.shape()[0], images.channels, parts[0], parts[1]];
    let mut out = vec![0.0; affordable(&shape)?];
    let batches: Vec<usize> =
        images.regions.chunks(5).map(|region| images.batch(region[0])).collect::<Result<_, _>>()?;
    let scale = f64::from(node.float("spatial_scale"));
    pieces(&mut out, parts[0] * parts[1], |at, out| {
        let (number, channel) = (at / images.channels, at % images.channels);
        let corner = |d: usize| (images.regions[number * 5 + d] * scale).round();
        let region = ([corner(2), corner(1)], [corner(4), corner(3)]);
        let mut out = out.iter_mut();
        max_of_parts(images.plane(batches[number], channel), images.extents, region, [parts[0], parts[1]], |most| {
            if let Some(out) = out.next() {
                *out = most;
            }
        });
    });
    one(narrowed(x.dtype(), &shape, &out)?)
}

/// Computes RoiAlign: the average or the largest of samples that are interpolated between the elements.
fn roi_align(node: &Node) -> Outputs {
    let (x, rois, batch_indices) = (node.input(0)?, node.input(1)?, node.input(2)?);
    let images = Images::read(x, rois, 4)?;
    if batch_indices.shape() != [rois.shape()[0]] {
        return Err(Refusal::invalid(format!(
            "`batch_indices` has shape {:?}, expected one index for each region of `rois`, of shape {:?}",
            batch_indices.shape(),
            rois.shape()
        )));
    }
    let batches: Vec<usize> =
        batch_indices.to_i64s()?.iter().map(|&batch| images.batch(batch as f64)).collect::<Result<_, _>>()?;
    let extent = |name: &str| match usize::try_from(node.int(name)) {
        Ok(extent @ 1..) => Ok(extent),
        _ => Err(Refusal::invalid(format!("`{name}` is {}, expected a positive number", node.int(name)))),
    };
    let parts = [extent("output_height")?, extent("output_width")?];
    let ratio = node.int("sampling_ratio");
    if ratio < 0 {
        return Err(Refusal::invalid(format!("`sampling_ratio` is {ratio}, expected 0 or more")));
    }
    let largest = match node.string("mode")? {
        "avg" => false,
        "max" => true,
        other => return Err(Refusal::invalid(format!("`mode` is `{other}`, expected `avg` or `max`"))),
    };
    let shifted = match node.string("coordinate_transformation_mode")? {
        "half_pixel" => true,
        "output_half_pixel" => false,
        "" if node.since() < 16 => false,
        other => {
            return Err(Refusal::invalid(format!(
                "`coordinate_transformation_mode` is `{other}`, expected `half_pixel` or `output_half_pixel`"
            )));
        }
    };
    let (scale, shift) = (f64::from(node.float("spatial_scale")), if shifted { 0.5 } else { 0.0 });
    let samples_of = |region: &[f64]| {
        let corner = |d: usize| region[d] * scale - shift;
        let start = [corner(1), corner(0)];
        let length = [corner(3) - start[0], corner(2) - start[1]].map(|l| if shifted { l } else { l.max(1.0) });
        let part = [length[0] / parts[0] as f64, length[1] / parts[1] as f64];
        let count = part.map(|part| if ratio > 0 { ratio as f64 } else { part.ceil().max(0.0) });
        match count.iter().find(|&&count| count > MOST_SAMPLES) {
            Some(count) => Err(Refusal::unsupported(format!(
                "{count} samples along a part of a region are more than this backend takes"
            ))),
            None => Ok(Samples { start, part, samples: count.map(|count| count as usize) }),
        }
    };
    let samples: Vec<Samples> = images.regions.chunks(4).map(samples_of).collect::<Result<_, _>>()?;
    let shape = [rois.shape()[0], images.channels, parts[0], parts[1]];
    let mut out = vec![0.0; affordable(&shape)?];
    pieces(&mut out, parts[0] * parts[1], |at, out| {
        let (number, channel) = (at / images.channels, at % images.channels);
        let (samples, plane) = (&samples[number], images.plane(batches[number], channel));
        for (at, out) in out.iter_mut().enumerate() {
            let values = samples.pooled(plane, images.extents, [at / parts[1], at % parts[1]]);
            let count = samples.samples[0] * samples.samples[1];
            *out = match largest {
                true => values.reduce(|a, b| if b > a || b.is_nan() { b } else { a }).unwrap_or(0.0),
                false => values.sum::<f64>() / count.max(1) as f64,
            };
        }
    });
    one(narrowed(x.dtype(), &shape, &out)?)
}
