//! CenterCropPad, which crops or pads around the centre.

use super::axes::{distinct, extent};
use super::moved::on_bits;
use crate::array::{Array, affordable};
use crate::element::with_bits;
use crate::kernels::copy::copy;
use crate::node::{Node, Operator, Outputs};
use plumbline_graph::Refusal;

pub const OPERATORS: &[(&str, Operator)] = &[("CenterCropPad", center_crop_pad)];

/// Crops or pads each axis around its centre. If an odd number of elements is cut off or added, the left side gets the
/// smaller part.
fn center_crop_pad(node: &Node) -> Outputs {
    let (data, wanted) = (node.input(0)?, node.input(1)?);
    let axes = match node.ints("axes") {
        Some(axes) => distinct(axes, data.rank())?,
        None => (0..data.rank()).collect(),
    };
    if wanted.shape() != [axes.len()] {
        return Err(Refusal::invalid(format!(
            "`shape` has shape {:?}, expected one extent for each of {} axes",
            wanted.shape(),
            axes.len()
        )));
    }
    let mut shape = data.shape().to_vec();
    for (&axis, wanted) in axes.iter().zip(wanted.to_i64s()?) {
        shape[axis] = extent(wanted)?;
    }
    affordable(&shape)?;
    on_bits(&[data], |data| {
        let data = &data[0];
        let moved = with_bits!(data.dtype().size(), T => Array::filled::<T>(data.dtype(), &shape, |out| {
            let mut seen = data.view::<T>();
            let mut parts = Vec::with_capacity(shape.len());
            for (d, &extent) in shape.iter().enumerate() {
                let own = data.shape()[d];
                let kept = own.min(extent);
                seen = seen.sliced(d, (own - kept) / 2, 1, kept);
                parts.push(((extent - kept) / 2, kept));
            }
            copy(&mut out.sliced_all(parts.into_iter()), &seen);
            Ok(())
        }))?;
        Ok(vec![moved])
    })
}
