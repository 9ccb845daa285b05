//! Gradient compared with closed forms, and with difference quotients that the oracle itself computes.

use plumbline_oracle::RefusalKind;
use plumbline_oracle::{Answer, Reference};
use plumbline_spec::rule;
use plumbline_tensor::onnx::{AttributeProto, GraphProto, ModelProto, NodeProto, OperatorSetIdProto, ValueInfoProto};
use plumbline_tensor::{DType, Model, Tensor, Value};
use proptest::prelude::*;

use crate::common::int;

fn node(operator: &str, inputs: &[&str], output: &str) -> NodeProto {
    NodeProto {
        op_type: Some(operator.to_owned()),
        input: inputs.iter().map(|&i| i.to_owned()).collect(),
        output: vec![output.to_owned()],
        ..NodeProto::default()
    }
}

/// Returns a node that sums all elements to a scalar.
fn sum(from: &str, to: &str) -> NodeProto {
    NodeProto { attribute: vec![int("keepdims", 0)], ..node("ReduceSum", &[from], to) }
}

fn answer(nodes: Vec<NodeProto>, outputs: &[&str], a: &Tensor, b: &Tensor) -> Answer {
    let info = |name: &&str| ValueInfoProto { name: Some((*name).to_owned()), ..Default::default() };
    let graph = GraphProto {
        node: nodes,
        input: ["a", "b"].iter().map(info).collect(),
        output: outputs.iter().map(info).collect(),
        ..Default::default()
    };
    let opset = |domain: &str, version| OperatorSetIdProto { domain: Some(domain.into()), version: Some(version) };
    let opsets = vec![opset("", 12), opset("ai.onnx.preview.training", 1)];
    let model = Model { proto: ModelProto { graph: Some(graph), opset_import: opsets, ..Default::default() } };
    let values: [Value; 2] = [a.clone().into(), b.clone().into()];
    Reference::default().answer(&model, &values)
}

/// Returns the gradients of `y` with respect to the tensors of these names, where `nodes` compute `y`.
fn gradients_of(nodes: &[NodeProto], xs: &[&str], a: &Tensor, b: &Tensor) -> Answer {
    let strings = xs.iter().map(|x| x.as_bytes().to_vec()).collect();
    let xs_attribute = AttributeProto { name: Some("xs".into()), strings, r#type: Some(8), ..Default::default() };
    let y = AttributeProto { name: Some("y".into()), s: Some(b"y".to_vec()), r#type: Some(3), ..Default::default() };
    let outputs: Vec<String> = xs.iter().map(|x| format!("d{x}")).collect();
    let gradient = NodeProto {
        op_type: Some("Gradient".into()),
        domain: Some("ai.onnx.preview.training".into()),
        input: xs.iter().map(|&x| x.to_owned()).collect(),
        output: outputs.clone(),
        attribute: vec![xs_attribute, y],
        ..Default::default()
    };
    let names: Vec<&str> = outputs.iter().map(String::as_str).collect();
    answer(nodes.iter().cloned().chain([gradient]).collect(), &names, a, b)
}

fn doubles(values: &[f64]) -> Tensor {
    let shape = if values.len() == 1 { vec![] } else { vec![1, values.len()] };
    Tensor::from_f64s(DType::Double, shape, values).unwrap()
}

fn gradients(nodes: &[NodeProto], a: &[f64], b: &[f64]) -> Vec<Vec<f64>> {
    let answer = gradients_of(nodes, &["a", "b"], &doubles(a), &doubles(b)).unwrap();
    answer.iter().map(|o| o.tensor().unwrap().tensor.to_f64s()).collect()
}

#[test]
fn gradients_equal_closed_forms() {
    let square = [node("Mul", &["a", "a"], "s"), node("Add", &["s", "b"], "y")];
    assert_eq!(gradients(&square, &[3.0], &[7.0]), [[6.0], [1.0]]);
    let product = [node("Mul", &["a", "b"], "y")];
    assert_eq!(gradients(&product, &[3.0], &[7.0]), [[7.0], [3.0]]);
    // The formula is a + a / b.
    let quotient = [node("Mul", &["a", "b"], "ab"), node("Add", &["ab", "a"], "s"), node("Div", &["s", "b"], "y")];
    assert_eq!(gradients(&quotient, &[3.0], &[2.0]), [[1.5], [-0.75]]);
    let squares = [node("Mul", &["a", "a"], "s"), node("Mul", &["s", "b"], "p"), sum("p", "y")];
    assert_eq!(gradients(&squares, &[1.0, 2.0, 3.0], &[2.0]), [vec![4.0, 8.0, 12.0], vec![14.0]]);
    let mean = [node("ReduceMean", &["a"], "y")];
    assert_eq!(gradients(&mean, &[1.0, 2.0, 3.0, 5.0], &[2.0]), [vec![0.25; 4], vec![0.0]]);
}

#[test]
fn missing_and_dependent_names_are_refused() {
    let nodes = [node("Mul", &["a", "b"], "h"), node("Add", &["h", "a"], "y")];
    let refusal = |xs: &[&str]| gradients_of(&nodes, xs, &doubles(&[1.0]), &doubles(&[2.0])).unwrap_err();
    assert_eq!(refusal(&["a"]).label, Some(rule::XS_DETERMINE_Y));
    assert_eq!(refusal(&["a", "h", "b"]).label, Some(rule::NAMES_INDEPENDENT));
    // With respect to `a` and `h`, the intermediate tensor `h` counts as independent of `a`, although it is computed
    // from it.
    assert!(gradients_of(&nodes, &["a", "h"], &doubles(&[1.0]), &doubles(&[2.0])).is_ok());
    let unknown = [node("Transpose", &["b"], "c"), node("MatMul", &["a", "c"], "y")];
    let refused = gradients_of(&unknown, &["a", "b"], &doubles(&[1.0, 2.0]), &doubles(&[3.0, 4.0])).unwrap_err();
    assert_eq!((refused.kind, refused.label), (RefusalKind::Unsupported, Some(rule::DIFFERENTIABLE_OPERATORS)));
    let several = [node("Add", &["a", "b"], "y")];
    let refused = gradients_of(&several, &["a", "b"], &doubles(&[1.0, 2.0]), &doubles(&[3.0])).unwrap_err();
    assert_eq!(refused.label, Some(rule::NON_SCALAR_Y));
}

/// Returns the nodes of a smooth function of `a` and `b`. Each step takes two earlier tensors, and no value grows
/// beyond a few units.
fn function(steps: &[(usize, usize, usize)]) -> Vec<NodeProto> {
    let mut names = vec!["a".to_owned(), "b".to_owned()];
    let mut nodes = Vec::new();
    for (i, (operator, left, right)) in steps.iter().enumerate() {
        let (left, right) = (names[left % names.len()].clone(), names[right % names.len()].clone());
        let to = format!("t{i}");
        match operator % 6 {
            0 => nodes.push(node("Mul", &[&left, &right], &to)),
            1 => nodes.push(node("Add", &[&left, &right], &to)),
            2 => nodes.push(node("Sub", &[&left, &right], &to)),
            3 => nodes.push(node("Tanh", &[&left], &to)),
            4 => nodes.push(node("Sigmoid", &[&left], &to)),
            // The divisor is positive for every input.
            _ => {
                let (e, s, r) = (format!("{to}e"), format!("{to}s"), format!("{to}r"));
                nodes.push(node("Sigmoid", &[&left], &s));
                nodes.push(node("Exp", &[&s], &e));
                nodes.push(node("Sqrt", &[&e], &r));
                nodes.push(node("Div", &[&right, &r], &to));
            }
        }
        names.push(to);
    }
    let last = names.last().unwrap().clone();
    nodes.push(node("Tanh", &[&last], "last"));
    nodes.push(sum("last", "y"));
    nodes
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 128, ..ProptestConfig::default() })]

    #[test]
    fn gradients_are_near_central_differences(
        steps in prop::collection::vec((0usize..6, 0usize..9, 0usize..9), 1..6),
        a in prop::collection::vec(-1.0f64..1.0, 3), b in -1.0f64..1.0,
    ) {
        let nodes = function(&steps);
        let at = |a: &[f64], b: f64| answer(nodes.clone(), &["y"], &doubles(a), &doubles(&[b])).unwrap()[0].tensor().unwrap().tensor.f64_at(0);
        let found = gradients(&nodes, &a, &[b]);
        let step = 1e-5;
        let near = |slope: f64, difference: f64| (slope - difference).abs() <= 1e-6 * (1.0 + slope.abs());
        for i in 0..a.len() {
            let (mut less, mut more) = (a.clone(), a.clone());
            less[i] -= step;
            more[i] += step;
            let difference = (at(&more, b) - at(&less, b)) / (2.0 * step);
            prop_assert!(near(found[0][i], difference), "by a[{i}]: {} and {difference}", found[0][i]);
        }
        let difference = (at(&a, b + step) - at(&a, b - step)) / (2.0 * step);
        prop_assert!(near(found[1][0], difference), "by b: {} and {difference}", found[1][0]);
    }
}
