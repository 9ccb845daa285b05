//! The lowering of one node: its inputs as views, and the unfinished graph.

use super::error::{LoweringError, Obstacle, Unsupported};
use super::view::View;
use super::{Options, Variant};
use crate::execution::in_memory;
use crate::{GraphBuilder, InputSource, Scalar, TensorDescription, Wire};
use plumbline_cpu::element::Number;
use plumbline_cpu::node::Node;
use plumbline_graph::Refusal;
use plumbline_spec::directml::{FeatureLevel, TensorDataType};
use plumbline_tensor::{DType, Tensor, Value, ValueKind};
use std::collections::HashMap;

/// The origin of a value.
#[derive(Clone)]
pub(super) enum Origin {
    /// The model's input of this index.
    Input(usize),
    /// The value is the same in every run of the model.
    Constant,
    /// Earlier nodes compute the value. The view is packed, and has DirectML's type for the element type in the model.
    Computed(View),
}

/// An input of the node.
#[derive(Clone)]
pub(super) struct Operand {
    pub name: String,
    /// The value. If nodes compute it, only its type and shape may be used.
    pub value: Value,
    pub origin: Origin,
}

/// The state between nodes: the graph, and the wires of inputs and constants that are already in it.
#[derive(Default)]
pub(super) struct LoweringState {
    pub graph: GraphBuilder,
    wires: HashMap<String, Wire>,
}

/// The lowering of one node.
pub struct Lowering<'a> {
    /// The node: its attributes, and facts of its version.
    pub(super) node: &'a Node<'a>,
    pub(super) graph: GraphBuilder,
    options: Options,
    operands: &'a [Option<Operand>],
    wires: HashMap<String, Wire>,
}

impl<'a> Lowering<'a> {
    pub(super) fn new(
        node: &'a Node<'a>,
        options: Options,
        operands: &'a [Option<Operand>],
        LoweringState { graph, wires }: LoweringState,
    ) -> Lowering<'a> {
        Lowering { node, graph, options, operands, wires }
    }

    /// Returns the state for the next node.
    pub(super) fn into_state(self) -> LoweringState {
        LoweringState { graph: self.graph, wires: self.wires }
    }

    /// Returns the opset that introduced this version of the operator.
    pub fn since(&self) -> u32 {
        self.node.since()
    }

    /// Returns the feature level that the graph must run at.
    pub fn level(&self) -> FeatureLevel {
        self.options.level
    }

    /// Returns whether to lower as ONNX Runtime's provider does.
    pub fn is_onnx_runtime(&self) -> bool {
        self.options.variant == Variant::OnnxRuntime
    }

    /// Returns the number of inputs, including those that are left out.
    pub fn inputs(&self) -> usize {
        self.operands.len()
    }

    /// Returns the tensor of an input. Only its type and shape may be used.
    pub fn tensor(&self, at: usize) -> Result<Option<&'a Tensor>, LoweringError> {
        let Some(Some(operand)) = self.operands.get(at) else { return Ok(None) };
        match &operand.value {
            Value::Tensor(tensor) => Ok(Some(tensor)),
            other => Err(Obstacle::Type { tensor: operand.name.clone(), kind: other.kind().to_string() }.into()),
        }
    }

    /// Returns the tensor of an input, including its elements, or an error if the graph computes it.
    pub fn known(&self, at: usize) -> Result<Option<&'a Tensor>, LoweringError> {
        match self.operands.get(at) {
            Some(Some(Operand { name, origin: Origin::Computed(_), .. })) => {
                let message = "is computed by the graph, but the lowering needs its value to build the graph";
                Err(Unsupported::value(format!("`{name}`"), message).into())
            }
            _ => self.tensor(at),
        }
    }

    /// Returns whether an input is the same in every run of the model.
    pub fn is_constant(&self, at: usize) -> bool {
        matches!(self.operands.get(at), Some(Some(Operand { origin: Origin::Constant, .. })))
    }

    /// Returns the elements of an input as integers; `None` if it is left out.
    pub fn integers(&self, at: usize) -> Result<Option<Vec<i64>>, LoweringError> {
        let invalid = |error: plumbline_tensor::TensorError| Refusal::invalid(error.to_string());
        let Some(tensor) = self.known(at)? else { return Ok(None) };
        match tensor.dtype() {
            DType::Int64 => Ok(Some(tensor.to_i64s().map_err(invalid)?)),
            dtype if dtype.is_float() => Ok(Some((0..tensor.len()).map(|i| tensor.f64_at(i) as i64).collect())),
            _ => Ok(Some((0..tensor.len()).map(|i| tensor.i128_at(i) as i64).collect())),
        }
    }

    /// Returns numbers that are an attribute before version `moved` and an input from then on.
    pub fn numbers(&self, name: &str, at: usize, moved: u32) -> Result<Option<Vec<i64>>, LoweringError> {
        match self.since() < moved {
            true => Ok(self.node.ints(name).map(<[i64]>::to_vec)),
            false => self.integers(at),
        }
    }

    /// Returns an input; `None` if it is left out.
    pub fn optional(&mut self, at: usize) -> Result<Option<View>, LoweringError> {
        let Some(tensor) = self.tensor(at)? else { return Ok(None) };
        let Some(Some(operand)) = self.operands.get(at) else { return Ok(None) };
        let source = match &operand.origin {
            Origin::Computed(view) => return Ok(Some(view.clone())),
            Origin::Input(index) => Some(InputSource::Model(*index)),
            Origin::Constant => None,
        };
        self.bound(operand.name.clone(), tensor, source).map(Some)
    }

    /// Binds a tensor to the graph, with the bytes of its source or as a constant. Each name is bound only once.
    fn bound(&mut self, name: String, tensor: &Tensor, source: Option<InputSource>) -> Result<View, LoweringError> {
        let data_type = carried(&name, tensor.dtype())?;
        let sizes = sizes_of(&name, tensor.shape())?;
        if let Some(wire) = self.wires.get(&name) {
            return Ok(View::packed(*wire, data_type, &sizes));
        }
        let source = source.unwrap_or_else(|| InputSource::Constant(in_words(tensor).into()));
        let wire = self.graph.bound(&name, bindable(&name, tensor)?, source);
        self.wires.insert(name, wire);
        Ok(View::packed(wire, data_type, &sizes))
    }

    /// Returns the shapes of all tensors of an input that is a sequence.
    pub fn item_shapes(&self, at: usize) -> Vec<Vec<usize>> {
        let items = self.operands.get(at).and_then(Option::as_ref).and_then(|operand| operand.value.as_sequence());
        let shape = |item: &Value| item.as_tensor().map(|tensor| tensor.shape().to_vec());
        items.unwrap_or_default().iter().filter_map(shape).collect()
    }

    /// Returns the tensors of an input that is a sequence, without the empty ones.
    pub fn filled_items(&mut self, at: usize) -> Result<Vec<View>, LoweringError> {
        let missing = || Refusal::invalid(format!("input {at} is missing"));
        let operand = self.operands.get(at).and_then(Option::as_ref).ok_or_else(missing)?;
        let Some(items) = operand.value.as_sequence() else {
            return Err(Refusal::invalid(format!("`{}` is not a sequence", operand.name)).into());
        };
        let mut views = Vec::new();
        for (at, item) in items.iter().enumerate() {
            let source = match operand.origin {
                Origin::Input(input) => Some(InputSource::Element { input, at }),
                _ => None,
            };
            let name = format!("{}[{at}]", operand.name);
            match item.as_tensor() {
                Some(tensor) if tensor.is_empty() => {}
                Some(tensor) => views.push(self.bound(name, tensor, source)?),
                None => return Err(Obstacle::Type { tensor: name, kind: item.kind().to_string() }.into()),
            }
        }
        Ok(views)
    }

    /// Returns a required input.
    pub fn input(&mut self, at: usize) -> Result<View, LoweringError> {
        self.optional(at)?.ok_or_else(|| Refusal::invalid(format!("input {at} is missing")).into())
    }

    /// Returns every input that is not empty.
    pub fn filled_inputs(&mut self) -> Result<Vec<View>, LoweringError> {
        let mut views = Vec::new();
        for at in 0..self.inputs() {
            if self.tensor(at)?.is_some_and(|tensor| !tensor.is_empty()) {
                views.push(self.input(at)?);
            }
        }
        Ok(views)
    }

    /// Adds a constant with one element and rank 0 to the graph.
    pub fn constant(&mut self, name: &str, data_type: TensorDataType, value: Scalar) -> View {
        let mut bytes = value.bytes(data_type).to_vec();
        bytes.resize(bytes.len().next_multiple_of(4), 0);
        let wire = self.graph.constant(name, TensorDescription::packed(data_type, [1]), bytes);
        View::packed(wire, data_type, &[])
    }

    /// Adds a packed constant with these bytes to the graph.
    pub fn constants(&mut self, name: &str, data_type: TensorDataType, sizes: &[u32], mut bytes: Vec<u8>) -> View {
        bytes.resize(bytes.len().next_multiple_of(4), 0);
        let wire = self.graph.constant(name, TensorDescription::packed(data_type, sizes), bytes);
        View::packed(wire, data_type, sizes)
    }
}

/// Returns the DirectML type that holds the values of an ONNX element type.
pub fn carried(tensor: &str, dtype: DType) -> Result<TensorDataType, LoweringError> {
    let unsupported = || Obstacle::Type { tensor: tensor.to_owned(), kind: ValueKind::Tensor(dtype).to_string() };
    TensorDataType::of_onnx(dtype).ok_or_else(|| unsupported().into())
}

/// Returns the shape of a tensor as sizes. The tensor must have at least 1 and at most 2^32 - 1 elements.
pub fn sizes_of(tensor: &str, shape: &[usize]) -> Result<Vec<u32>, LoweringError> {
    if shape.contains(&0) {
        return Err(Obstacle::Empty { tensor: tensor.to_owned() }.into());
    }
    let count = shape.iter().try_fold(1u32, |count, &extent| count.checked_mul(u32::try_from(extent).ok()?));
    match count {
        Some(_) => Ok(shape.iter().map(|&extent| extent as u32).collect()),
        None => Err(Unsupported::value(format!("`{tensor}`"), "has more than 2^32 - 1 elements").into()),
    }
}

/// Returns a calculated shape as sizes, within the limits of [`sizes_of`].
pub fn sizes_from(tensor: &str, shape: &[i64]) -> Result<Vec<u32>, LoweringError> {
    let extent = |&extent: &i64| {
        usize::try_from(extent).map_err(|_| Refusal::invalid(format!("`{tensor}` has the negative extent {extent}")))
    };
    sizes_of(tensor, &shape.iter().map(extent).collect::<Result<Vec<_>, _>>()?)
}

/// Returns an axis of a tensor with this rank; negative axes count from the end.
pub fn axis_of(axis: i64, rank: usize) -> Result<usize, LoweringError> {
    let found = if axis < 0 { axis.checked_add(rank as i64) } else { Some(axis) };
    let found = found.and_then(|axis| usize::try_from(axis).ok()).filter(|&axis| axis < rank);
    found.ok_or_else(|| Refusal::invalid(format!("axis {axis} is out of range for rank {rank}")).into())
}

/// Returns an axis that must not be negative.
pub fn front_axis_of(axis: i64, rank: usize) -> Result<usize, LoweringError> {
    match axis {
        ..0 => Err(Refusal::invalid(format!("axis {axis} is negative, which this version does not allow")).into()),
        _ => axis_of(axis, rank),
    }
}

/// Broadcasts a view to these sizes.
pub fn stretched(view: &View, sizes: &[u32]) -> Result<View, LoweringError> {
    view.broadcast_to(sizes).ok_or_else(|| mismatch(view, sizes))
}

pub(super) fn mismatch(view: &View, sizes: &[u32]) -> LoweringError {
    Refusal::invalid(format!("shape {:?} does not broadcast to {sizes:?}", view.sizes)).into()
}

/// Returns a number as an element of this type.
pub fn scalar(data_type: TensorDataType, value: f64) -> Scalar {
    use TensorDataType::*;
    match data_type {
        Float64 => Scalar::from(value),
        Float32 => Scalar::from(value as f32),
        Float16 => Scalar::from(<half::f16 as Number>::from_double(value).to_bits()),
        Uint64 => Scalar::from(value as u64),
        Int64 => Scalar::from(value as i64),
        Uint32 => Scalar::from(value as u32),
        Int32 => Scalar::from(value as i32),
        Uint16 => Scalar::from(value as u16),
        Int16 => Scalar::from(value as i16),
        Uint8 | Uint4 => Scalar::from(value as u8),
        Int8 | Int4 => Scalar::from(value as i8),
        Unknown => Scalar::default(),
    }
}

/// Returns an element of a tensor with its exact bits.
pub fn element(tensor: &Tensor, at: usize) -> Scalar {
    Scalar(tensor.bits_at(at).to_le_bytes())
}

/// Returns whether a type is a floating-point type.
pub fn is_float(data_type: TensorDataType) -> bool {
    matches!(data_type, TensorDataType::Float16 | TensorDataType::Float32 | TensorDataType::Float64)
}

/// Describes a tensor that is bound to a graph. A scalar gets one dimension, and so does a tensor with more than 8
/// dimensions; each operator describes how it reads the tensor.
pub fn bindable(name: &str, tensor: &Tensor) -> Result<TensorDescription, LoweringError> {
    let (data_type, sizes) = (carried(name, tensor.dtype())?, sizes_of(name, tensor.shape())?);
    let sizes = if (1..=8).contains(&sizes.len()) { sizes } else { vec![sizes.iter().product()] };
    Ok(TensorDescription::packed(data_type, sizes))
}

/// Returns the bytes of the elements, padded to whole words of 4 bytes.
pub fn in_words(tensor: &Tensor) -> Vec<u8> {
    let mut bytes = in_memory(tensor);
    bytes.resize(bytes.len().next_multiple_of(4), 0);
    bytes
}
