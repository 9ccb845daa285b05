//! Reductions. In early versions the axes are an attribute, and in later versions an input. If they are left out, all
//! axes are reduced, or no axis if `noop_with_empty_axes` is set.

use plumbline_tensor::DType;

use super::axes::{axis_from, distinct};
use crate::array::{Array, affordable};
use crate::element::with_number;
use crate::kernels::reduce::{Reduction, reduce};
use crate::node::{Node, Operator, Outputs, one};
use plumbline_graph::Refusal;

pub const OPERATORS: &[(&str, Operator)] = &[
    ("ReduceL1", |node| reduced(node, Reduction::L1)),
    ("ReduceL2", |node| reduced(node, Reduction::L2)),
    ("ReduceLogSum", |node| reduced(node, Reduction::LogSum)),
    ("ReduceLogSumExp", |node| reduced(node, Reduction::LogSumExp)),
    ("ReduceMax", |node| extreme(node, Reduction::Max)),
    ("ReduceMean", |node| reduced(node, Reduction::Mean)),
    ("ReduceMin", |node| extreme(node, Reduction::Min)),
    ("ReduceProd", |node| reduced(node, Reduction::Prod)),
    ("ReduceSum", |node| reduced(node, Reduction::Sum)),
    ("ReduceSumSquare", |node| reduced(node, Reduction::SumSquare)),
];

/// The data, the axes to reduce, and the shape of the output.
struct Reduced<'a> {
    data: &'a Array,
    axes: Vec<usize>,
    shape: Vec<usize>,
}

impl<'a> Reduced<'a> {
    fn read(node: &Node<'a>) -> Result<Reduced<'a>, Refusal> {
        let data = node.input(0)?;
        let named = match node.optional(1)? {
            Some(axes) => axes.to_i64s()?,
            None => node.ints("axes").unwrap_or_default().to_vec(),
        };
        for &axis in &named {
            axis_from(node.since() >= 11, axis, data.rank())?;
        }
        let nothing = named.is_empty() && node.int("noop_with_empty_axes") != 0;
        let axes = match named.is_empty() {
            true if nothing => Vec::new(),
            true => (0..data.rank()).collect(),
            false => distinct(&named, data.rank())?,
        };
        let keep = node.int("keepdims") != 0;
        let extent = |d: usize| match axes.contains(&d) {
            false => Some(data.shape()[d]),
            true => keep.then_some(1),
        };
        let shape: Vec<usize> = (0..data.rank()).filter_map(extent).collect();
        affordable(&shape)?;
        Ok(Reduced { data, axes, shape })
    }

    fn run(&self, dtype: DType, reduction: Reduction) -> Result<Array, Refusal> {
        with_number!(dtype, T => Array::from_elements(dtype, &self.shape, &reduce::<T>(&self.data.view(), &self.axes, reduction)))
    }
}

fn reduced(node: &Node, reduction: Reduction) -> Outputs {
    let reduced = Reduced::read(node)?;
    one(reduced.run(reduced.data.dtype(), reduction)?)
}

/// Computes ReduceMax or ReduceMin, also of booleans, which count as 0 and 1.
fn extreme(node: &Node, reduction: Reduction) -> Outputs {
    let truths = Reduced::read(node)?;
    if truths.data.dtype() != DType::Bool {
        return reduced(node, reduction);
    }
    let found = truths.run(DType::Uint8, reduction)?;
    // The minimum of no elements is the largest byte, which counts as true.
    let shape = found.shape().to_vec();
    let found: Vec<u8> = found.slice::<u8>().iter().map(|&byte| u8::from(byte != 0)).collect();
    one(Array::from_elements(DType::Bool, &shape, &found)?)
}
