//! Lowers RoiAlign and MaxRoiPool, which read regions of images, and MaxUnpool. DirectML has no operator for
//! GridSample.

use super::context::{Lowering, sizes_from};
use super::error::LoweringError;
use super::view::View;
use super::window::{Windows, deepened};
use super::{Rule, Views};
use crate::{Size2d, Wire};
use plumbline_graph::Refusal;
use plumbline_spec::directml::{FeatureLevel, TensorDataType};

pub const OPERATORS: &[(&str, Rule)] =
    &[("MaxRoiPool", max_roi_pool), ("MaxUnpool", max_unpool), ("RoiAlign", roi_align)];

/// Reads non-negative integers as an unsigned type that the operators take. Before level 5_0 this type is UINT32: the
/// operators read the lower half of each 64-bit element of a graph input, and other tensors are cast.
fn unsigned(lower: &mut Lowering, view: &View) -> Result<View, LoweringError> {
    match (view.data_type, view.wire) {
        (TensorDataType::Int64, _) if lower.level() >= FeatureLevel::V5_0 => {
            lower.as_type(view, TensorDataType::Uint64)
        }
        (TensorDataType::Int64, Wire::Input(_)) => {
            let strides = view.strides.iter().map(|&stride| stride.saturating_mul(2)).collect();
            Ok(View { data_type: TensorDataType::Uint32, strides, ..view.clone() })
        }
        _ => lower.as_type(view, TensorDataType::Uint32),
    }
}

/// Lowers MaxUnpool. The output's shape follows from the windows, unless the node gives one.
fn max_unpool(lower: &mut Lowering) -> Views {
    let (x, indices) = (lower.input(0)?, lower.input(1)?);
    if x.rank() < 3 || indices.sizes != x.sizes {
        return Err(Refusal::invalid(format!(
            "the indices have shape {:?} and the input {:?}, expected equal shapes of rank 3 or more",
            indices.sizes, x.sizes
        ))
        .into());
    }
    let windows = Windows::read(lower, &x.sizes[2..], lower.node.ints("kernel_shape").unwrap_or_default())?;
    let mut shape: Vec<i64> = x.sizes.iter().copied().map(i64::from).collect();
    for (d, extent) in shape[2..].iter_mut().enumerate() {
        *extent = (*extent - 1) * windows.strides[d] + windows.reach(d) - windows.start[d] - windows.end[d];
    }
    let shape = lower.integers(2)?.unwrap_or(shape);
    let shape = sizes_from("output", &shape)?;
    if shape.len() != x.rank() {
        return Err(
            Refusal::invalid(format!("`output_shape` is {shape:?}, but the input has shape {:?}", x.sizes)).into()
        );
    }
    let indices = unsigned(lower, &indices)?;
    let mut sizes = shape.clone();
    if x.rank() == 3 {
        sizes.insert(2, 1);
    }
    let call = lower.call("MAX_UNPOOLING").read("InputTensor", &deepened(&x)).exact();
    let call = call.read("IndicesTensor", &deepened(&indices)).write("OutputTensor", x.data_type, &sizes);
    Ok(vec![call.one()?.reshaped(&shape)])
}

/// Converts two numbers to sizes, which must be positive and fit into 32 bits.
fn sizes(values: [i64; 2], names: &str) -> Result<[u32; 2], LoweringError> {
    let size = |value: i64| u32::try_from(value).ok().filter(|&size| size > 0);
    match values.map(size) {
        [Some(height), Some(width)] => Ok([height, width]),
        _ => Err(Refusal::invalid(format!("{names} must be from 1 to 4294967295, but are {values:?}")).into()),
    }
}

/// Returns the images and the regions; each region is a row of `columns` numbers.
fn images_and_regions(lower: &mut Lowering, columns: u32) -> Result<(View, View), LoweringError> {
    let (x, regions) = (lower.input(0)?, lower.input(1)?);
    if x.rank() != 4 || regions.rank() != 2 || regions.sizes[1] != columns {
        return Err(Refusal::invalid(format!(
            "the regions have shape {:?} and the images {:?}, expected [n, {columns}] and rank 4",
            regions.sizes, x.sizes
        ))
        .into());
    }
    Ok((x, regions))
}

fn max_roi_pool(lower: &mut Lowering) -> Views {
    let (x, regions) = images_and_regions(lower, 5)?;
    let pooled = lower.node.ints("pooled_shape").unwrap_or_default();
    let &[height, width] = pooled else {
        return Err(Refusal::invalid(format!("`pooled_shape` is {pooled:?}, not 2 sizes")).into());
    };
    let [height, width] = sizes([height, width], "the extents of `pooled_shape`")?;
    let scale = lower.node.float("spatial_scale");
    let call = lower.call("ROI_POOLING").read("InputTensor", &x).read("ROITensor", &regions.placed(2, 4)).exact();
    let call = call.write("OutputTensor", x.data_type, &[regions.sizes[0], x.sizes[1], height, width]);
    Ok(vec![call.set("SpatialScale", scale).set("PooledSize", Size2d { width, height }).one()?])
}

/// Lowers RoiAlign. ROI_ALIGN shifts coordinates by half a pixel. A node without that shift needs ROI_ALIGN1, which
/// exists from level 4_0 on.
fn roi_align(lower: &mut Lowering) -> Views {
    let (x, regions) = images_and_regions(lower, 4)?;
    let batches = lower.input(2)?;
    if batches.sizes != [regions.sizes[0]] {
        return Err(Refusal::invalid(format!(
            "the batch indices have shape {:?}, which does not fit regions of shape {:?}",
            batches.sizes, regions.sizes
        ))
        .into());
    }
    let batches = unsigned(lower, &batches)?;
    let of = |name: &str| lower.node.int(name);
    let [height, width] = sizes([of("output_height"), of("output_width")], "the output's height and width")?;
    let samples = u32::try_from(of("sampling_ratio"));
    let samples = samples.map_err(|_| Refusal::invalid("`sampling_ratio` is not from 0 to 4294967295"))?;
    // Version 10 does not shift coordinates.
    let centred = match lower.node.string("coordinate_transformation_mode")? {
        "half_pixel" => true,
        "output_half_pixel" | "" => false,
        other => return Err(Refusal::invalid(format!("`coordinate_transformation_mode` `{other}` is unknown")).into()),
    };
    let function = match lower.node.string("mode")? {
        "avg" => "AVERAGE",
        "max" => "MAX",
        other => return Err(Refusal::invalid(format!("`mode` is `{other}`, expected `avg` or `max`")).into()),
    };
    let (scale, level) = (lower.node.float("spatial_scale"), lower.level());
    let has_offsets = !centred || level >= FeatureLevel::V4_0;
    let call = lower.call(if has_offsets { "ROI_ALIGN1" } else { "ROI_ALIGN" }).exact();
    let call = call.read("InputTensor", &x).read("ROITensor", &regions).read("BatchIndicesTensor", &batches);
    let call = call.write("OutputTensor", x.data_type, &[regions.sizes[0], x.sizes[1], height, width]);
    let call = call.set("ReductionFunction", function).set("InterpolationMode", "LINEAR");
    let call = call.set("SpatialScaleX", scale).set("SpatialScaleY", scale).set("OutOfBoundsInputValue", 0.0f32);
    let call = call.set("MinimumSamplesPerOutput", samples.max(1));
    let call = call.set("MaximumSamplesPerOutput", if samples == 0 { u32::MAX } else { samples });
    let call = match has_offsets {
        true => call.set("InputPixelOffset", if centred { 0.5f32 } else { 0.0 }).set("OutputPixelOffset", -0.5f32),
        false => call,
    };
    Ok(vec![if has_offsets { call.set("AlignRegionsToCorners", false) } else { call }.one()?])
}
