//! Derivatives of operators, for Gradient: the adjoints of a node's inputs, computed from the adjoint of its output.

use std::collections::HashMap;

use plumbline_tensor::onnx::{AttributeProto, NodeProto};

use crate::call::Surroundings;
use crate::prelude::*;

/// The graph around a Gradient node.
pub struct Around<'a> {
    /// The nodes before the Gradient node, in order.
    pub nodes: &'a [NodeProto],
    surroundings: &'a dyn Surroundings,
}

impl<'a> Around<'a> {
    /// Returns the graph around a call.
    ///
    /// # Errors
    /// The call does not belong to a model.
    pub fn read(call: &Call<'a>) -> Result<Around<'a>, Refusal> {
        let surroundings = call.surroundings().ok_or_else(|| Refusal::failed("Gradient is called outside a model"))?;
        Ok(Around { nodes: surroundings.before(), surroundings })
    }

    /// Returns the constants of the graph: its initializers, or the inputs that the model was given in their place.
    pub fn constants(&self) -> HashMap<String, Operand> {
        self.surroundings.constants()
    }

    /// Runs a node on the values of its inputs and returns its outputs.
    ///
    /// # Errors
    /// The operator's kernel refuses the inputs. Gradient nodes and nodes with nested graphs, which would see the
    /// values of the surrounding graph, are refused, too (`differentiable-operators`).
    pub fn run(&self, node: &NodeProto, values: &HashMap<String, Operand>) -> Answer {
        if node.op_type.as_deref() == Some("Gradient") || node.attribute.iter().any(|a| a.g.is_some()) {
            return Err(Refusal::leaves_open(
                rule::DIFFERENTIABLE_OPERATORS,
                "the oracle has no derivative of Gradient nodes, nor of nodes with nested graphs",
            ));
        }
        let inputs: Vec<Option<Operand>> = node.input.iter().map(|name| values.get(name).cloned()).collect();
        self.surroundings.run_node(node, &inputs)
    }

    /// Runs an operator of ONNX on these inputs and returns its first output.
    ///
    /// # Errors
    /// The operator's kernel refuses the inputs.
    pub fn one(&self, operator: &str, inputs: &[&Operand]) -> Result<Operand, Refusal> {
        self.with(operator, vec![], inputs)
    }

    fn with(&self, operator: &str, attribute: Vec<AttributeProto>, inputs: &[&Operand]) -> Result<Operand, Refusal> {
        let node = NodeProto {
            op_type: Some(operator.to_owned()),
            input: (0..inputs.len()).map(|i| format!("in{i}")).collect(),
            output: vec!["out".to_owned()],
            attribute,
            ..NodeProto::default()
        };
        let inputs: Vec<Option<Operand>> = inputs.iter().map(|&i| Some(i.clone())).collect();
        let outputs = self.surroundings.run_node(&node, &inputs)?;
        outputs.into_iter().next().ok_or_else(|| Refusal::failed("a node of a derivative returned no output"))
    }
}

/// Returns a tensor with the same value in every element.
///
/// # Errors
/// The shape has too many elements.
pub fn filled(dtype: DType, shape: &[usize], value: f64) -> Result<Operand, Refusal> {
    let count = shape::affordable(shape)?;
    Ok(Expected::from(Tensor::from_f64s(dtype, shape.to_vec(), &vec![value; count])?).into())
}

/// Sums an adjoint over the dimensions along which its operand was broadcast.
fn unbroadcast(adjoint: &Operand, to: &Operand) -> Result<Operand, Refusal> {
    let (adjoint, to) = (adjoint.tensor()?, to.tensor()?);
    if adjoint.shape() == to.shape() {
        return Ok(adjoint.clone().into());
    }
    let targets = shape::broadcast_indices(to.shape(), adjoint.shape());
    let mut sums = vec![Accumulator::new(to.dtype()); to.len()];
    targets.into_iter().enumerate().for_each(|(i, target)| sums[target].add(adjoint.number(i).real()));
    let numbers = sums.into_iter().map(|sum| sum.finish().into());
    Ok(Expected::from_numbers(to.dtype(), to.shape().to_vec(), numbers)?.into())
}

/// Returns a tensor with the shape of `like` and the one value of `element` in every place.
fn repeated(element: &Operand, like: &Operand) -> Result<Operand, Refusal> {
    let (element, like) = (element.tensor()?, like.tensor()?);
    let numbers = std::iter::repeat_n(element.number(0), like.len());
    Ok(Expected::from_numbers(like.dtype(), like.shape().to_vec(), numbers)?.into())
}

/// Returns the adjoints of a node's inputs, by name. `output` is the adjoint of its output.
///
/// # Errors
/// The oracle has no derivative of the operator with these inputs (`differentiable-operators`), or a kernel refuses
/// them.
pub fn backward(
    around: &Around,
    node: &NodeProto,
    output: &Operand,
    values: &HashMap<String, Operand>,
) -> Result<Vec<(String, Operand)>, Refusal> {
    let names: Vec<&String> = node.input.iter().filter(|i| !i.is_empty()).collect();
    let inputs: Vec<Operand> = names.iter().filter_map(|name| values.get(*name).cloned()).collect();
    let y = node.output.first().and_then(|o| values.get(o));
    let adjoints = adjoints(around, node, output, &inputs, y)?;
    let of = |((name, input), adjoint): ((&&String, &Operand), Operand)| {
        Ok(((*name).clone(), unbroadcast(&adjoint, input)?))
    };
    names.iter().zip(&inputs).zip(adjoints).map(of).collect()
}

/// Computes the adjoint of each input: the derivative of the operator times `g`, which is the adjoint of the output
/// `y`.
fn adjoints(
    around: &Around,
    node: &NodeProto,
    g: &Operand,
    inputs: &[Operand],
    y: Option<&Operand>,
) -> Result<Vec<Operand>, Refusal> {
    let operator = node.op_type.as_deref().unwrap_or("");
    let run = |operator: &str, inputs: &[&Operand]| around.one(operator, inputs);
    let transposed = |x: &Operand| {
        let perm =
            AttributeProto { name: Some("perm".into()), ints: vec![1, 0], r#type: Some(7), ..Default::default() };
        around.with("Transpose", vec![perm], &[x])
    };
    let ones_like = |y: &Operand| -> Result<Operand, Refusal> {
        let y = y.tensor()?;
        filled(y.dtype(), y.shape(), 1.0)
    };
    let is_onnx = plumbline_spec::canonical_domain(node.domain.as_deref().unwrap_or("")) == "ai.onnx";
    let over_all = |y: &Operand| y.tensor().is_ok_and(|y| y.len() == 1);
    match (operator, inputs, y) {
        _ if !is_onnx => Err(Refusal::leaves_open(
            rule::DIFFERENTIABLE_OPERATORS,
            format!("the oracle has no derivative of {operator}"),
        )),
        ("Identity", [_], _) => Ok(vec![g.clone()]),
        ("Add", [_, _], _) => Ok(vec![g.clone(), g.clone()]),
        ("Sub", [_, _], _) => Ok(vec![g.clone(), run("Neg", &[g])?]),
        ("Neg", [_], _) => Ok(vec![run("Neg", &[g])?]),
        ("Mul", [a, b], _) => Ok(vec![run("Mul", &[g, b])?, run("Mul", &[g, a])?]),
        ("Div", [_, b], Some(y)) => {
            let first = run("Div", &[g, b])?;
            let second = run("Neg", &[&run("Mul", &[&first, y])?])?;
            Ok(vec![first, second])
        }
        ("Exp", [_], Some(y)) => Ok(vec![run("Mul", &[g, y])?]),
        ("Log", [x], _) => Ok(vec![run("Div", &[g, x])?]),
        ("Sqrt", [_], Some(y)) => Ok(vec![run("Div", &[g, &run("Add", &[y, y])?])?]),
        ("Tanh", [_], Some(y)) => {
            let slope = run("Sub", &[&ones_like(y)?, &run("Mul", &[y, y])?])?;
            Ok(vec![run("Mul", &[g, &slope])?])
        }
        ("Sigmoid", [_], Some(y)) => {
            let slope = run("Mul", &[y, &run("Sub", &[&ones_like(y)?, y])?])?;
            Ok(vec![run("Mul", &[g, &slope])?])
        }
        ("ReduceSum", [x], Some(y)) if over_all(y) => Ok(vec![repeated(g, x)?]),
        ("ReduceMean", [x], Some(y)) if over_all(y) => {
            let x = x.tensor()?;
            let count = filled(x.dtype(), &[], x.len() as f64)?;
            Ok(vec![repeated(&run("Div", &[g, &count])?, &x.clone().into())?])
        }
        ("MatMul", [a, b], _) if a.tensor()?.rank() == 2 && b.tensor()?.rank() == 2 => {
            Ok(vec![run("MatMul", &[g, &transposed(b)?])?, run("MatMul", &[&transposed(a)?, g])?])
        }
        _ => Err(Refusal::leaves_open(
            rule::DIFFERENTIABLE_OPERATORS,
            format!("the oracle has no derivative of {operator} with these inputs"),
        )),
    }
}
