//! A toy runtime for models of one node: Min, Floor and Expand of float tensors.

use std::collections::BTreeMap;

use plumbline_executor::{Backend, Identity, Prepared, Profile, Refusal};
use plumbline_tensor::onnx::NodeProto;
use plumbline_tensor::{DType, Model, Tensor, Value, ValueKind, tensor_from_proto};

/// The toy runtime as a Plumbline backend.
#[derive(Debug, Default)]
pub struct Toy {
    profile: Profile,
}

impl Backend for Toy {
    fn identity(&self) -> Identity {
        Identity { name: "toy".to_owned(), version: env!("CARGO_PKG_VERSION").to_owned() }
    }

    fn profile(&self) -> &Profile {
        &self.profile
    }

    // Models that the runtime cannot run are rejected here, before anything runs. The test lists their cells as
    // ignored.
    fn prepare(&self, model: &Model) -> Result<Box<dyn Prepared>, Refusal> {
        let graph = model.graph();
        let [node] = graph.node.as_slice() else {
            return Err(Refusal::unsupported(format!("a graph of {} nodes", graph.node.len())));
        };
        let run: Operator = match node.op_type.as_deref() {
            Some("Floor") => floor,
            Some("Min") => min,
            Some("Expand") => expand,
            other => return Err(Refusal::unsupported(format!("operator {}", other.unwrap_or("without a name")))),
        };
        for (at, input) in graph.input.iter().enumerate() {
            let kind = input.r#type.as_ref().and_then(ValueKind::from_proto);
            let is_shape = node.op_type.as_deref() == Some("Expand") && at == 1;
            let wanted = ValueKind::Tensor(if is_shape { DType::Int64 } else { DType::Float });
            if kind.as_ref() != Some(&wanted) {
                let kind = kind.map_or("no type".to_owned(), |k| k.to_string());
                return Err(Refusal::unsupported(format!("input {at} of {kind}")));
            }
        }
        let constants = graph.initializer.iter().map(|proto| {
            let tensor = tensor_from_proto(proto).map_err(|e| Refusal::invalid(e.to_string()))?;
            match tensor.dtype() {
                DType::Float | DType::Int64 => Ok((proto.name.clone().unwrap_or_default(), tensor)),
                other => Err(Refusal::unsupported(format!("a constant of {other}"))),
            }
        });
        Ok(Box::new(Ready {
            run,
            opset: model.opset("").unwrap_or(1),
            inputs: model.input_names().into_iter().map(str::to_owned).collect(),
            constants: constants.collect::<Result<_, Refusal>>()?,
            node: node.clone(),
        }))
    }
}

type Operator = fn(opset: i64, operands: &[&Tensor]) -> Result<Tensor, Refusal>;

struct Ready {
    run: Operator,
    opset: i64,
    inputs: Vec<String>,
    constants: BTreeMap<String, Tensor>,
    node: NodeProto,
}

impl Prepared for Ready {
    fn run(&mut self, inputs: &[Value]) -> Result<Vec<Value>, Refusal> {
        let given = |name: &String| {
            let at = self.inputs.iter().position(|n| n == name);
            let value = at.and_then(|at| inputs.get(at)).and_then(Value::as_tensor);
            value.or_else(|| self.constants.get(name)).ok_or_else(|| Refusal::invalid(format!("no tensor `{name}`")))
        };
        let operands = self.node.input.iter().map(given).collect::<Result<Vec<_>, _>>()?;
        Ok(vec![(self.run)(self.opset, &operands)?.into()])
    }
}

fn floats(tensor: &Tensor) -> Vec<f32> {
    tensor.bytes().chunks_exact(4).map(|b| f32::from_le_bytes([b[0], b[1], b[2], b[3]])).collect()
}

fn float_tensor(shape: &[usize], elements: &[f32]) -> Result<Tensor, Refusal> {
    Tensor::from_f32s(shape.to_vec(), elements).map_err(|e| Refusal::failed(e.to_string()))
}

fn floor(_opset: i64, operands: &[&Tensor]) -> Result<Tensor, Refusal> {
    let [x] = operands else { return Err(Refusal::invalid("Floor takes one input")) };
    let rounded: Vec<f32> =
        floats(x).into_iter().map(if cfg!(feature = "broken") { f32::trunc } else { f32::floor }).collect();
    float_tensor(x.shape(), &rounded)
}

fn min(opset: i64, operands: &[&Tensor]) -> Result<Tensor, Refusal> {
    let Some((first, rest)) = operands.split_first() else { return Err(Refusal::invalid("Min needs an input")) };
    let mut shape = first.shape().to_vec();
    for operand in rest {
        if opset < 8 && operand.shape() != shape {
            return Err(Refusal::invalid("Min takes equal shapes before opset 8"));
        }
        shape = broadcast(&shape, operand.shape())?;
    }
    let mut least = spread(first, &shape);
    for operand in rest {
        least = least.into_iter().zip(spread(operand, &shape)).map(|(a, b)| a.min(b)).collect();
    }
    float_tensor(&shape, &least)
}

fn expand(_opset: i64, operands: &[&Tensor]) -> Result<Tensor, Refusal> {
    let [input, shape] = operands else { return Err(Refusal::invalid("Expand takes two inputs")) };
    if shape.rank() != 1 {
        return Err(Refusal::invalid("Expand takes a shape of rank 1"));
    }
    let wanted = shape.to_i64s().map_err(|e| Refusal::invalid(e.to_string()))?;
    let wanted: Result<Vec<usize>, _> = wanted.into_iter().map(usize::try_from).collect();
    let wanted = wanted.map_err(|_| Refusal::invalid("Expand takes no negative extents"))?;
    let shape = broadcast(input.shape(), &wanted)?;
    float_tensor(&shape, &spread(input, &shape))
}

/// Returns the shape to which two shapes broadcast.
fn broadcast(a: &[usize], b: &[usize]) -> Result<Vec<usize>, Refusal> {
    let rank = a.len().max(b.len());
    let extent = |shape: &[usize], axis: usize| (axis + shape.len()).checked_sub(rank).map_or(1, |at| shape[at]);
    let both = (0..rank).map(|axis| match (extent(a, axis), extent(b, axis)) {
        (x, y) if x == y || y == 1 => Ok(x),
        (1, y) => Ok(y),
        _ => Err(Refusal::invalid(format!("{a:?} and {b:?} do not broadcast"))),
    });
    both.collect()
}

/// Returns the elements of a tensor, repeated to fill a shape to which it broadcasts.
fn spread(tensor: &Tensor, shape: &[usize]) -> Vec<f32> {
    let elements = floats(tensor);
    let skipped = shape.len() - tensor.rank();
    let count: usize = shape.iter().product();
    let source = |mut index: usize| {
        let (mut from, mut stride) = (0, 1);
        for axis in (0..shape.len()).rev() {
            let at = index % shape[axis];
            index /= shape[axis];
            if axis >= skipped {
                let extent = tensor.shape()[axis - skipped];
                from += if extent == 1 { 0 } else { at * stride };
                stride *= extent;
            }
        }
        elements[from]
    };
    (0..count).map(source).collect()
}
