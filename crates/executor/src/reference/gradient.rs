//! Gradient (ai.onnx.preview.training): reverse mode over the nodes of the graph around it.
//!
//! The values of `xs` and `zs` are the inputs; the nodes between them and `y` are computed anew from those, and each adjoint is made by
//! the kernels of the operators that its formula names. Derivatives are defined here for `y` of one element, and for the operators of
//! [`adjoints`]; for all else the text says too little, or nobody asks for it, and the node is refused as unsupported.

use std::collections::HashMap;

use plumbline_tensor::onnx::{AttributeProto, NodeProto};
use plumbline_tensor::{DType, Tensor};

use super::operand::Operand;
use super::{Answer, Expected};
use crate::Refusal;

/// Runs nodes in the surroundings of a Gradient node.
pub struct Around<'a> {
    /// The nodes before it, in order.
    pub nodes: &'a [NodeProto],
    /// Constants of the graph: initializers by name.
    pub constants: HashMap<&'a str, Operand>,
    /// Runs one node on these inputs.
    pub run: &'a dyn Fn(&NodeProto, &[Option<Operand>]) -> Answer,
}

/// Whether a node is a Gradient.
pub fn is_gradient(node: &NodeProto) -> bool {
    node.op_type.as_deref() == Some("Gradient") && node.domain.as_deref() == Some("ai.onnx.preview.training")
}

fn strings(node: &NodeProto, name: &str) -> Vec<String> {
    let attribute = node.attribute.iter().find(|a| a.name.as_deref() == Some(name));
    attribute.map_or(vec![], |a| a.strings.iter().map(|s| String::from_utf8_lossy(s).into_owned()).collect())
}

/// The outputs of a Gradient node with these inputs.
pub fn run(around: &Around, node: &NodeProto, inputs: &[Option<Operand>]) -> Answer {
    let xs = strings(node, "xs");
    let independent = [xs.clone(), strings(node, "zs")].concat();
    let y = node.attribute.iter().find(|a| a.name.as_deref() == Some("y")).and_then(|a| a.s.as_deref());
    let y = y
        .map(|y| String::from_utf8_lossy(y).into_owned())
        .ok_or_else(|| Refusal::invalid("attribute `y` is missing"))?;
    if inputs.len() != independent.len() || xs.is_empty() {
        return Err(Refusal::invalid(format!("{} inputs for {} names in xs and zs", inputs.len(), independent.len())));
    }
    let mut values: HashMap<String, Operand> =
        around.constants.iter().map(|(name, value)| ((*name).to_owned(), value.clone())).collect();
    for (name, input) in independent.iter().zip(inputs) {
        let input = input.clone().ok_or_else(|| Refusal::invalid(format!("the value of `{name}` is left out")))?;
        values.insert(name.clone(), input);
    }
    let path = forward(around, &y, &mut values)?;
    let result = values.get(&y).ok_or_else(|| Refusal::invalid(format!("`{y}` does not follow from xs and zs")))?;
    let result = result.tensor()?;
    if result.len() != 1 {
        return Err(Refusal::unsupported(format!("the derivatives of {} elements at once", result.len())));
    }
    let mut adjoints: HashMap<String, Operand> = HashMap::new();
    adjoints.insert(y, Expected::from(filled(result.dtype(), result.shape(), 1.0)?).into());
    for node in path.into_iter().rev() {
        let Some(output) = node.output.first().and_then(|o| adjoints.get(o)).cloned() else { continue };
        for (name, adjoint) in backward(around, node, &output, &values)? {
            let total = match adjoints.remove(&name) {
                Some(before) => one(around, "Add", &[&before, &adjoint])?,
                None => adjoint,
            };
            adjoints.insert(name, total);
        }
    }
    let gradient = |x: &String| match adjoints.get(x) {
        Some(adjoint) => Ok(adjoint.clone()),
        None => {
            let value = values[x].tensor()?;
            Ok(Expected::from(filled(value.dtype(), value.shape(), 0.0)?).into())
        }
    };
    xs.iter().map(gradient).collect()
}

/// Computes what leads to `y`, from values that are given; gives the nodes on the way, in order.
fn forward<'a>(
    around: &Around<'a>,
    y: &str,
    values: &mut HashMap<String, Operand>,
) -> Result<Vec<&'a NodeProto>, Refusal> {
    let mut wanted = vec![y.to_owned()];
    let mut path = Vec::new();
    for node in around.nodes.iter().rev() {
        let makes = node.output.iter().any(|o| wanted.contains(o) && !values.contains_key(o));
        if makes {
            wanted.extend(node.input.iter().cloned());
            path.push(node);
        }
    }
    path.reverse();
    for node in &path {
        let inputs = operands(node, values)?;
        let outputs = (around.run)(node, &inputs)?;
        for (name, value) in node.output.iter().zip(outputs) {
            values.insert(name.clone(), value);
        }
    }
    Ok(path)
}

fn operands(node: &NodeProto, values: &HashMap<String, Operand>) -> Result<Vec<Option<Operand>>, Refusal> {
    let value = |name: &String| match values.get(name) {
        _ if name.is_empty() => Ok(None),
        Some(value) => Ok(Some(value.clone())),
        None => {
            Err(Refusal::invalid(format!("`{name}` is needed for the gradient and does not follow from xs and zs")))
        }
    };
    node.input.iter().map(value).collect()
}

fn filled(dtype: DType, shape: &[usize], value: f64) -> Result<Tensor, Refusal> {
    let count = super::shape::affordable(shape)?;
    Ok(Tensor::from_f64s(dtype, shape.to_vec(), &vec![value; count])?)
}

/// The only output of an operator of ONNX on these inputs.
fn one(around: &Around, operator: &str, inputs: &[&Operand]) -> Result<Operand, Refusal> {
    with(around, operator, vec![], inputs)
}

fn with(
    around: &Around,
    operator: &str,
    attribute: Vec<AttributeProto>,
    inputs: &[&Operand],
) -> Result<Operand, Refusal> {
    let node = NodeProto {
        op_type: Some(operator.to_owned()),
        input: (0..inputs.len()).map(|i| format!("in{i}")).collect(),
        output: vec!["out".to_owned()],
        attribute,
        ..NodeProto::default()
    };
    let inputs: Vec<Option<Operand>> = inputs.iter().map(|&i| Some(i.clone())).collect();
    (around.run)(&node, &inputs)?.into_iter().next().ok_or_else(|| Refusal::failed("an operator without an output"))
}

/// The sum over the dimensions along which an operand was broadcast.
fn unbroadcast(adjoint: &Operand, to: &Operand) -> Result<Operand, Refusal> {
    let (adjoint, to) = (adjoint.tensor()?, to.tensor()?);
    if adjoint.shape() == to.shape() {
        return Ok(adjoint.clone().into());
    }
    let targets = super::shape::broadcast_indices(to.shape(), adjoint.shape());
    let mut sums = vec![super::Accumulator::new(to.dtype()); to.len()];
    targets.into_iter().enumerate().for_each(|(i, target)| sums[target].add(adjoint.number(i).real()));
    let numbers = sums.into_iter().map(|sum| sum.finish().into());
    Ok(Expected::from_numbers(to.dtype(), to.shape().to_vec(), numbers)?.into())
}

/// The adjoints of the inputs of a node, by name, given that of its output.
fn backward(
    around: &Around,
    node: &NodeProto,
    output: &Operand,
    values: &HashMap<String, Operand>,
) -> Result<Vec<(String, Operand)>, Refusal> {
    let inputs: Vec<Operand> = operands(node, values)?.into_iter().flatten().collect();
    let y = node.output.first().and_then(|o| values.get(o));
    let adjoints = adjoints(around, node, output, &inputs, y)?;
    let of =
        |((name, input), adjoint): ((&String, &Operand), Operand)| Ok((name.clone(), unbroadcast(&adjoint, input)?));
    node.input.iter().zip(&inputs).zip(adjoints).map(of).collect()
}

/// The derivatives: for each input that of the operator times `g`, the adjoint of the output `y`.
fn adjoints(
    around: &Around,
    node: &NodeProto,
    g: &Operand,
    inputs: &[Operand],
    y: Option<&Operand>,
) -> Result<Vec<Operand>, Refusal> {
    let operator = node.op_type.as_deref().unwrap_or("");
    let run = |operator: &str, inputs: &[&Operand]| one(around, operator, inputs);
    let transposed = |x: &Operand| {
        let perm =
            AttributeProto { name: Some("perm".into()), ints: vec![1, 0], r#type: Some(7), ..Default::default() };
        with(around, "Transpose", vec![perm], &[x])
    };
    let of_one = |y: &Operand| -> Result<Operand, Refusal> {
        let y = y.tensor()?;
        Ok(Expected::from(filled(y.dtype(), y.shape(), 1.0)?).into())
    };
    match (operator, inputs, y) {
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
            let slope = run("Sub", &[&of_one(y)?, &run("Mul", &[y, y])?])?;
            Ok(vec![run("Mul", &[g, &slope])?])
        }
        ("Sigmoid", [_], Some(y)) => {
            let slope = run("Mul", &[y, &run("Sub", &[&of_one(y)?, y])?])?;
            Ok(vec![run("Mul", &[g, &slope])?])
        }
        ("MatMul", [a, b], _) if a.tensor()?.rank() == 2 && b.tensor()?.rank() == 2 => {
            Ok(vec![run("MatMul", &[g, &transposed(b)?])?, run("MatMul", &[&transposed(a)?, g])?])
        }
        _ => Err(Refusal::unsupported(format!("the oracle has no derivative of {operator}"))),
    }
}

#[cfg(test)]
mod tests {
    use plumbline_tensor::onnx::{GraphProto, ModelProto, OperatorSetIdProto, ValueInfoProto};
    use plumbline_tensor::{Model, Value};

    use super::*;
    use crate::RefusalKind;
    use crate::reference::Reference;

    fn node(operator: &str, inputs: &[&str], output: &str) -> NodeProto {
        NodeProto {
            op_type: Some(operator.to_owned()),
            input: inputs.iter().map(|&i| i.to_owned()).collect(),
            output: vec![output.to_owned()],
            ..NodeProto::default()
        }
    }

    /// The gradients of `y` by `a` and `b`, where these nodes make it.
    fn gradients(nodes: &[NodeProto], a: &[f64], b: &[f64]) -> Answer {
        let strings = |name: &str, values: &[&str]| AttributeProto {
            name: Some(name.to_owned()),
            strings: values.iter().map(|v| v.as_bytes().to_vec()).collect(),
            r#type: Some(8),
            ..Default::default()
        };
        let y =
            AttributeProto { name: Some("y".into()), s: Some(b"y".to_vec()), r#type: Some(3), ..Default::default() };
        let gradient = NodeProto {
            op_type: Some("Gradient".into()),
            domain: Some("ai.onnx.preview.training".into()),
            input: vec!["a".into(), "b".into()],
            output: vec!["da".into(), "db".into()],
            attribute: vec![strings("xs", &["a", "b"]), y],
            ..Default::default()
        };
        let info = |name: &str| ValueInfoProto { name: Some(name.to_owned()), ..Default::default() };
        let graph = GraphProto {
            node: nodes.iter().cloned().chain([gradient]).collect(),
            input: vec![info("a"), info("b")],
            output: vec![info("da"), info("db")],
            ..Default::default()
        };
        let opset = |domain: &str, version| OperatorSetIdProto { domain: Some(domain.into()), version: Some(version) };
        let opsets = vec![opset("", 18), opset("ai.onnx.preview.training", 1)];
        let model = Model { proto: ModelProto { graph: Some(graph), opset_import: opsets, ..Default::default() } };
        let tensor = |x: &[f64]| -> Value {
            let shape = if x.len() == 1 { vec![] } else { vec![1, x.len()] };
            Tensor::from_f64s(DType::Double, shape, x).expect("as many elements").into()
        };
        Reference::default().answer(&model, &[tensor(a), tensor(b)])
    }

    fn values(answer: Answer) -> Vec<Vec<f64>> {
        let answer = answer.expect("a valid graph");
        answer.iter().map(|o| o.tensor().expect("a tensor").tensor.to_f64s()).collect()
    }

    #[test]
    fn sums_products_and_quotients() {
        let nodes = [node("Mul", &["a", "b"], "ab"), node("Add", &["ab", "a"], "s"), node("Div", &["s", "b"], "y")];
        // a + a / b
        assert_eq!(values(gradients(&nodes, &[3.0], &[2.0])), [[1.5], [-0.75]]);
    }

    #[test]
    fn differences_agree_with_the_derivative() {
        let of = |x: f64| libm::tanh(libm::exp(x) / (1.0 + libm::sqrt(x))) - libm::log(x);
        let nodes = [
            node("Exp", &["a"], "e"),
            node("Sqrt", &["a"], "r"),
            node("Add", &["r", "b"], "n"),
            node("Div", &["e", "n"], "q"),
            node("Tanh", &["q"], "t"),
            node("Log", &["a"], "l"),
            node("Sub", &["t", "l"], "y"),
        ];
        let slope = (of(0.8 + 1e-6) - of(0.8 - 1e-6)) / 2e-6;
        assert!((values(gradients(&nodes, &[0.8], &[1.0]))[0][0] - slope).abs() < 1e-8);
    }

    #[test]
    fn what_was_broadcast_is_summed_and_products_of_matrices_are_transposed() {
        let nodes = [node("Transpose", &["b"], "unused"), node("MatMul", &["a", "c"], "y")];
        let missing = gradients(&nodes, &[1.0, 2.0], &[3.0, 4.0]).map_err(|r| r.kind);
        assert_eq!(missing.err(), Some(RefusalKind::Invalid));
        let unknown = [node("Transpose", &["b"], "c"), node("MatMul", &["a", "c"], "y")];
        let refused = gradients(&unknown, &[1.0, 2.0], &[3.0, 4.0]).map_err(|r| r.kind);
        assert_eq!(refused.err(), Some(RefusalKind::Unsupported));
    }
}
