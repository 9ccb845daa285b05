//! Operators that write elements at indices: Scatter, ScatterElements, ScatterND.

use plumbline_tensor::DType;

use super::gather::{Tuples, beside, places_along};
use super::layout::strides_of;
use super::moved::on_bits;
use crate::array::Array;
use crate::element::{Number, with_bits, with_number};
use crate::kernels::copy::copy;
use crate::kernels::scatter::scatter;
use crate::node::{Node, Operator, Outputs, one};
use crate::view::{View, ViewMut};
use plumbline_graph::Refusal;

pub const OPERATORS: &[(&str, Operator)] =
    &[("Scatter", scatter_elements), ("ScatterElements", scatter_elements), ("ScatterND", scatter_nd)];

/// How an element and its update are combined.
#[derive(Clone, Copy, PartialEq)]
enum Reduction {
    None,
    Add,
    Mul,
    Max,
    Min,
}

fn reduction(node: &Node) -> Result<Reduction, Refusal> {
    Ok(match node.string("reduction")? {
        "none" => Reduction::None,
        // Versions without the attribute replace the elements.
        _ if !node.has_attribute("reduction") => Reduction::None,
        "add" => Reduction::Add,
        "mul" => Reduction::Mul,
        "max" if node.since() >= 18 => Reduction::Max,
        "min" if node.since() >= 18 => Reduction::Min,
        other => {
            return Err(Refusal::invalid(format!(
                "`reduction` is `{other}`, which is not a reduction of this version"
            )));
        }
    })
}

/// The places where the updates are written, in an output that is viewed with these `sizes`. Along the axes that are
/// not marked in `still`, an update is written at its own index. Along the marked axes, only `places` says where an
/// update is written: it holds offsets into the output's memory, counted in elements.
struct Target<'a> {
    sizes: &'a [usize],
    still: &'a [bool],
    places: View<'a, isize>,
    update_sizes: &'a [usize],
}

fn write<T: Copy + Send + Sync>(out: &mut ViewMut<T>, target: &Target, updates: &[T], f: impl Fn(T, T) -> T) {
    scatter(out, target.still, &target.places, &View::packed(updates, target.update_sizes), f);
}

fn scattered(data: &Array, updates: &Array, target: &Target, reduction: Reduction) -> Outputs {
    let shape = data.shape().to_vec();
    if reduction == Reduction::None {
        return on_bits(&[data, updates], |arrays| {
            let (data, updates) = (&arrays[0], &arrays[1]);
            let written = with_bits!(data.dtype().size(), T => Array::filled::<T>(data.dtype(), target.sizes, |out| {
                copy(out, &View::packed(data.slice::<T>(), target.sizes));
                write(out, target, updates.slice::<T>(), |_, update| update);
                Ok(())
            }))?;
            Ok(vec![written.reshaped(&shape)?])
        });
    }
    let dtype = data.dtype();
    let written = match dtype {
        // For booleans, `add` and `max` are a logical or; `mul` and `min` are a logical and.
        DType::Bool => reduced::<u8>(data, updates, target, |a, b| match reduction {
            Reduction::Add | Reduction::Max => a | b,
            _ => a & b,
        }),
        _ => with_number!(dtype, T => reduced::<T>(data, updates, target, |a: T, b: T| match reduction {
            Reduction::Add => Number::add(a, b),
            Reduction::Mul => Number::mul(a, b),
            Reduction::Max => a.larger(b),
            Reduction::Min => a.smaller(b),
            Reduction::None => b,
        })),
    }?;
    one(written.reshaped(&shape)?)
}

fn reduced<T: Number>(data: &Array, updates: &Array, target: &Target, f: impl Fn(T, T) -> T) -> Result<Array, Refusal> {
    Array::filled::<T>(data.dtype(), target.sizes, |out| {
        copy(out, &View::packed(data.slice::<T>(), target.sizes));
        write(out, target, updates.slice::<T>(), f);
        Ok(())
    })
}

fn scatter_elements(node: &Node) -> Outputs {
    let (data, indices, updates) = (node.input(0)?, node.input(1)?, node.input(2)?);
    let axis = beside(node, data, indices)?;
    if updates.shape() != indices.shape() {
        return Err(Refusal::invalid(format!(
            "`updates` of shape {:?} and `indices` of shape {:?} have different shapes",
            updates.shape(),
            indices.shape()
        )));
    }
    let strides = strides_of(data.shape());
    let given = indices.to_i64s()?;
    let places = places_along(&given, data.shape()[axis], strides[axis])?;
    let still: Vec<bool> = (0..data.rank()).map(|d| d == axis).collect();
    let places = View::packed(&places, indices.shape());
    let target = Target { sizes: data.shape(), still: &still, places, update_sizes: indices.shape() };
    scattered(data, updates, &target, reduction(node)?)
}

fn scatter_nd(node: &Node) -> Outputs {
    let (data, indices, updates) = (node.input(0)?, node.input(1)?, node.input(2)?);
    let tuples = Tuples::read(data, indices, 0)?;
    let inner = &data.shape()[tuples.depth..];
    let outer = &indices.shape()[..indices.rank() - 1];
    if updates.shape() != [outer, inner].concat() {
        let (updates, indices) = (updates.shape(), indices.shape());
        return Err(Refusal::invalid(format!(
            "`updates` of shape {updates:?} do not fit `indices` of shape {indices:?} and the inner shape {inner:?}"
        )));
    }
    // An index tuple selects a block of elements.
    let (count, block) = (tuples.places.len(), inner.iter().product::<usize>());
    let blocks = data.shape()[..tuples.depth].iter().product::<usize>();
    let (sizes, update_sizes) = ([blocks, block], [count, block]);
    let places = View::packed(&tuples.places, &[count, 1]);
    let target = Target { sizes: &sizes, still: &[true, false], places, update_sizes: &update_sizes };
    scattered(data, updates, &target, reduction(node)?)
}
