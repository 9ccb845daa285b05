//! TopK. NaN counts as larger than every number; of equal elements the one with the lower index comes first.

use plumbline_tensor::DType;

use super::axes::axis;
use crate::array::Array;
use crate::element::{with_bits, with_number};
use crate::kernels::lanes::lanes;
use crate::kernels::pick::pick;
use crate::kernels::row;
use crate::node::{Node, Operator, Outputs};
use crate::view::View;
use plumbline_graph::Refusal;

pub const OPERATORS: &[(&str, Operator)] = &[("TopK", top_k)];

fn top_k(node: &Node) -> Outputs {
    let data = node.input(0)?;
    let axis = axis(node.int("axis"), data.rank())?;
    let k = match node.optional(1)? {
        None => node.int("k"),
        Some(k) if k.shape() == [1] => k.to_i64s()?[0],
        Some(k) => return Err(Refusal::invalid(format!("`K` has shape {:?}, expected [1]", k.shape()))),
    };
    let extent = data.shape()[axis];
    let k = match usize::try_from(k) {
        Ok(k @ 1..) if k <= extent => k,
        _ => return Err(Refusal::invalid(format!("K is {k}, expected 1 to {extent}, the extent of the axis"))),
    };
    let largest = node.since() < 11 || node.int("largest") != 0;
    let indices = with_number!(data.dtype(), T => lanes(data, axis, (DType::Int64, k), |lane: &[T], out: &mut [i64]| {
        let places = row::top(lane, k, largest);
        out.iter_mut().zip(places).for_each(|(out, place)| *out = place as i64);
    }))?;
    let values = with_bits!(data.dtype().size(), T => Array::filled::<T>(data.dtype(), indices.shape(), |out| {
        let view = data.view::<T>();
        let stride = view.strides()[axis];
        let places: Vec<isize> = indices.slice::<i64>().iter().map(|&i| i as isize * stride).collect();
        pick(out, &view.standing(axis, k), &View::packed(&places, indices.shape()));
        Ok(())
    }))?;
    Ok(vec![values.into(), indices.into()])
}
