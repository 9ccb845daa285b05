//! Nodes of ONNX's own operators that give a value another element type and another shape.

use plumbline_generator::Choices;
use plumbline_tensor::onnx::{AttributeProto, NodeProto};
use plumbline_tensor::{DType, Tensor, tensor_to_proto};

use super::fragment::Fragment;
use super::sketch::{Known, Sketch};
use crate::cases::proto::{self, int, ints};

/// A chain of nodes, each of which computes with what the one before it gave.
struct Chain<'a> {
    part: Fragment,
    prefix: &'a str,
    opset: u32,
    /// The value at the end of the chain.
    name: String,
    shape: Vec<usize>,
}

/// Returns nodes that make a tensor of this type and shape out of a value, and the name of that tensor. Returns `None` if
/// the value has no elements, or if no chain of nodes is known.
pub(super) fn fitted(
    sketch: &Sketch,
    source: &Known,
    dtype: DType,
    shape: &[usize],
    prefix: &str,
    choices: &mut Choices,
) -> Option<(Fragment, String)> {
    let tensor = source.tensor()?;
    let (name, from) = (source.name.clone(), tensor.shape().to_vec());
    let mut chain = Chain { part: Fragment::default(), prefix, opset: sketch.menu.opset, name, shape: from };
    if tensor.dtype() != dtype {
        chain.cast(dtype);
    }
    if chain.shape.contains(&0) || shape.contains(&0) {
        return None;
    }
    if chain.shape != shape {
        let same_rank = chain.shape.len() == shape.len() && !shape.is_empty();
        match choices.below(3) {
            0 if same_rank => chain.axis_by_axis(shape, choices),
            _ => chain.through_one_axis(shape, sketch, choices),
        }
    }
    Some((chain.part, chain.name))
}

/// Returns whether a node `Cast` may make other values of this type, and make this type out of them.
pub(super) fn castable(dtype: DType) -> bool {
    matches!(
        dtype,
        DType::Float | DType::Double | DType::Float16 | DType::Int64 | DType::Int32 | DType::Bool | DType::Uint8
    )
}

impl Chain<'_> {
    /// Adds a node that reads the end of the chain and these further inputs.
    fn node(&mut self, operator: &str, more: Vec<String>, attribute: Vec<AttributeProto>, shape: Vec<usize>) {
        let output = format!("{}f{}", self.prefix, self.part.nodes.len());
        let input = [std::mem::replace(&mut self.name, output.clone())].into_iter().chain(more).collect();
        self.part.nodes.push(NodeProto {
            op_type: Some(operator.to_owned()),
            input,
            output: vec![output],
            attribute,
            ..NodeProto::default()
        });
        self.part.features.push(format!("made to fit by {operator}"));
        self.shape = shape;
    }

    /// Adds a node beside the chain and returns the name of its output.
    fn aside(&mut self, operator: &str, input: Vec<String>, attribute: Vec<AttributeProto>) -> String {
        let name = format!("{}s{}", self.prefix, self.part.nodes.len());
        self.part.nodes.push(NodeProto {
            op_type: Some(operator.to_owned()),
            input,
            output: vec![name.clone()],
            attribute,
            ..NodeProto::default()
        });
        name
    }

    /// Adds a constant of int64 and returns its name.
    fn ints(&mut self, values: &[i64]) -> String {
        let name = format!("{}i{}", self.prefix, self.part.initializers.len());
        self.part.initializers.push(tensor_to_proto(&Tensor::from_i64s(values), &name));
        name
    }

    fn cast(&mut self, dtype: DType) {
        let shape = self.shape.clone();
        self.node("Cast", vec![], vec![int("to", dtype as i64)], shape);
    }

    fn reshape(&mut self, shape: &[usize]) {
        let extents: Vec<i64> = shape.iter().map(|&extent| extent as i64).collect();
        let to = self.ints(&extents);
        self.node("Reshape", vec![to], vec![], shape.to_vec());
    }

    /// Reshapes to a shape one of whose extents is that of a value, as exporters write it for a batch; the others are
    /// constants.
    fn reshape_by_an_extent(&mut self, shape: &[usize], sketch: &Sketch, choices: &mut Choices) {
        let at = choices.below(shape.len() as u64) as usize;
        let axis_of = |known: &Known| {
            let extents = known.tensor()?.shape();
            Some((known.name.clone(), extents.iter().position(|extent| Some(extent) == shape.get(at))?))
        };
        let Some((of, axis)) = sketch.usable().into_iter().find_map(axis_of) else { return self.reshape(shape) };
        let whole = self.aside("Shape", vec![of], vec![]);
        let axis = self.ints(&[axis as i64]);
        let extent = self.aside("Gather", vec![whole, axis], vec![]);
        let extents: Vec<i64> = shape.iter().map(|&extent| extent as i64).collect();
        let mut parts = vec![extent];
        if at > 0 {
            parts.insert(0, self.ints(&extents[..at]));
        }
        if at + 1 < extents.len() {
            parts.push(self.ints(&extents[at + 1..]));
        }
        let to = self.aside("Concat", parts, vec![int("axis", 0)]);
        self.part.features.push("a computed shape".to_owned());
        self.node("Reshape", vec![to], vec![], shape.to_vec());
    }

    fn slice(&mut self, axis: usize, extent: usize, start: usize) {
        let mut shape = self.shape.clone();
        shape[axis] = extent;
        let (start, end, axis) = (start as i64, (start + extent) as i64, axis as i64);
        if self.opset < 10 {
            let attribute = vec![ints("axes", &[axis]), ints("ends", &[end]), ints("starts", &[start])];
            return self.node("Slice", vec![], attribute, shape);
        }
        let more = vec![self.ints(&[start]), self.ints(&[end]), self.ints(&[axis])];
        self.node("Slice", more, vec![], shape);
    }

    /// Repeats the elements along an axis as often as needed, by their indices.
    fn gather(&mut self, axis: usize, extent: usize, backwards: bool) {
        let mut shape = self.shape.clone();
        let had = std::mem::replace(&mut shape[axis], extent);
        let mut indices: Vec<i64> = (0..extent).map(|at| (at % had) as i64).collect();
        if backwards {
            indices.reverse();
        }
        let more = vec![self.ints(&indices)];
        self.node("Gather", more, vec![int("axis", axis as i64)], shape);
    }

    fn tile(&mut self, axis: usize, times: usize) {
        let mut shape = self.shape.clone();
        shape[axis] *= times;
        let repeats: Vec<i64> = (0..shape.len()).map(|at| if at == axis { times as i64 } else { 1 }).collect();
        let more = vec![self.ints(&repeats)];
        self.node("Tile", more, vec![], shape);
    }

    fn expand(&mut self, axis: usize, extent: usize) {
        let mut shape = self.shape.clone();
        shape[axis] = extent;
        let extents: Vec<i64> = shape.iter().map(|&extent| extent as i64).collect();
        let more = vec![self.ints(&extents)];
        self.node("Expand", more, vec![], shape);
    }

    fn pad(&mut self, axis: usize, more: usize, mode: &str) {
        let mut shape = self.shape.clone();
        let rank = shape.len();
        shape[axis] += more;
        let pads: Vec<i64> = (0..2 * rank).map(|at| if at == rank + axis { more as i64 } else { 0 }).collect();
        let mode = proto::string("mode", mode);
        if self.opset < 11 {
            return self.node("Pad", vec![], vec![mode, ints("pads", &pads)], shape);
        }
        let more = vec![self.ints(&pads)];
        self.node("Pad", more, vec![mode], shape);
    }

    /// Changes one axis.
    fn axis(&mut self, axis: usize, extent: usize, choices: &mut Choices) {
        let had = self.shape[axis];
        if extent < had {
            match choices.below(3) {
                0 => self.gather(axis, extent, choices.below(2) == 1),
                _ => self.slice(axis, extent, choices.below((had - extent + 1) as u64) as usize),
            }
            return;
        }
        match choices.below(4) {
            0 | 1 if had == 1 && self.opset >= 8 => self.expand(axis, extent),
            0 if extent.is_multiple_of(had) => self.tile(axis, extent / had),
            1 => self.pad(axis, extent - had, if choices.below(2) == 0 { "constant" } else { "edge" }),
            _ => self.gather(axis, extent, choices.below(2) == 1),
        }
    }

    fn axis_by_axis(&mut self, shape: &[usize], choices: &mut Choices) {
        for (axis, &extent) in shape.iter().enumerate() {
            if self.shape[axis] != extent {
                self.axis(axis, extent, choices);
            }
        }
    }

    /// Goes through a tensor of one axis, unless the numbers of elements are equal.
    fn through_one_axis(&mut self, shape: &[usize], sketch: &Sketch, choices: &mut Choices) {
        let (had, wanted) = (self.shape.iter().product::<usize>(), shape.iter().product::<usize>());
        if had != wanted {
            if self.shape.len() != 1 {
                self.reshape(&[had]);
            }
            self.axis(0, wanted, choices);
        }
        if self.shape == shape {
            return;
        }
        let mut turned = self.shape.clone();
        turned.reverse();
        if turned == shape && choices.below(2) == 1 {
            return self.node("Transpose", vec![], vec![], turned);
        }
        // A shape that another value has may be computed from it instead of being a constant.
        let like = sketch.values.iter().rev().find(|known| known.tensor().is_some_and(|t| t.shape() == shape));
        match like.filter(|_| choices.below(2) == 1) {
            Some(like) => {
                let name = self.aside("Shape", vec![like.name.clone()], vec![]);
                self.part.features.push("a computed shape".to_owned());
                self.node("Reshape", vec![name], vec![], shape.to_vec());
            }
            None if choices.below(3) == 0 => self.reshape_by_an_extent(shape, sketch, choices),
            None => self.reshape(shape),
        }
    }
}
