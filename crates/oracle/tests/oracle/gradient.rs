//! Gradient compared with closed forms, and with difference quotients that the oracle itself computes.

use plumbline_oracle::RefusalKind;
use plumbline_oracle::{Answer, Oracle};
use plumbline_spec::rule;
use plumbline_tensor::{DType, Model, Tensor, Value};
use proptest::prelude::*;

/// Returns the oracle's answer to nodes in ONNX's text syntax.
fn answer(nodes: &str, outputs: &str, a: &Tensor, b: &Tensor) -> Answer {
    let opsets = r#"<opset_import: ["" : 12, "ai.onnx.preview.training" : 1]>"#;
    let text = format!("{opsets} law (a, b) => ({outputs}) {{ {nodes} }}");
    let model: Model = text.parse().unwrap_or_else(|e| panic!("{e}: {text}"));
    let values: [Value; 2] = [a.clone().into(), b.clone().into()];
    Oracle::default().answer(&model, &values)
}

/// Returns the gradients of `y` with respect to the tensors of these names, where `nodes` compute `y`.
fn gradients_of(nodes: &str, xs: &[&str], a: &Tensor, b: &Tensor) -> Answer {
    let outputs = xs.iter().map(|x| format!("d{x}")).collect::<Vec<_>>().join(", ");
    let inputs = xs.join(", ");
    let gradient = format!("{outputs} = ai.onnx.preview.training.Gradient <xs = {xs:?}, y = \"y\"> ({inputs})");
    answer(&format!("{nodes} {gradient}"), &outputs, a, b)
}

fn doubles(values: &[f64]) -> Tensor {
    let shape = if values.len() == 1 { vec![] } else { vec![1, values.len()] };
    Tensor::from_f64s(DType::Double, shape, values).unwrap()
}

fn gradients(nodes: &str, a: &[f64], b: &[f64]) -> Vec<Vec<f64>> {
    let answer = gradients_of(nodes, &["a", "b"], &doubles(a), &doubles(b)).unwrap();
    answer.iter().map(|o| o.tensor().unwrap().tensor.to_f64s()).collect()
}

#[test]
fn gradients_equal_closed_forms() {
    assert_eq!(gradients("s = Mul(a, a) y = Add(s, b)", &[3.0], &[7.0]), [[6.0], [1.0]]);
    assert_eq!(gradients("y = Mul(a, b)", &[3.0], &[7.0]), [[7.0], [3.0]]);
    // The formula is a + a / b.
    let quotient = "ab = Mul(a, b) s = Add(ab, a) y = Div(s, b)";
    assert_eq!(gradients(quotient, &[3.0], &[2.0]), [[1.5], [-0.75]]);
    let squares = "s = Mul(a, a) p = Mul(s, b) y = ReduceSum <keepdims = 0> (p)";
    assert_eq!(gradients(squares, &[1.0, 2.0, 3.0], &[2.0]), [vec![4.0, 8.0, 12.0], vec![14.0]]);
    assert_eq!(gradients("y = ReduceMean(a)", &[1.0, 2.0, 3.0, 5.0], &[2.0]), [vec![0.25; 4], vec![0.0]]);
}

#[test]
fn gradients_that_are_not_defined_or_not_supported_are_refused() {
    let nodes = "h = Mul(a, b) y = Add(h, a)";
    let refusal = |xs: &[&str]| gradients_of(nodes, xs, &doubles(&[1.0]), &doubles(&[2.0])).unwrap_err();
    assert_eq!(refusal(&["a"]).label, Some(rule::XS_DETERMINE_Y));
    assert_eq!(refusal(&["a", "h", "b"]).label, Some(rule::NAMES_INDEPENDENT));
    // For gradients with respect to `a` and `h`, the intermediate tensor `h` counts as independent of `a`, although it
    // is computed from `a`.
    assert!(gradients_of(nodes, &["a", "h"], &doubles(&[1.0]), &doubles(&[2.0])).is_ok());
    let unknown = "c = Transpose(b) y = MatMul(a, c)";
    let refused = gradients_of(unknown, &["a", "b"], &doubles(&[1.0, 2.0]), &doubles(&[3.0, 4.0])).unwrap_err();
    assert_eq!((refused.kind, refused.label), (RefusalKind::Unsupported, Some(rule::DIFFERENTIABLE_OPERATORS)));
    let refused = gradients_of("y = Add(a, b)", &["a", "b"], &doubles(&[1.0, 2.0]), &doubles(&[3.0])).unwrap_err();
    assert_eq!(refused.label, Some(rule::NON_SCALAR_Y));
}

/// Returns the nodes of a smooth function of `a` and `b`. Each step takes one or two earlier tensors, and the last Tanh
/// keeps the terms of the result between -1 and 1.
fn function(steps: &[(usize, usize, usize)]) -> String {
    let mut names = vec!["a".to_owned(), "b".to_owned()];
    let mut nodes = String::new();
    for (i, (operator, left, right)) in steps.iter().enumerate() {
        let (left, right) = (names[left % names.len()].clone(), names[right % names.len()].clone());
        let to = format!("t{i}");
        nodes += &match operator % 6 {
            0 => format!("{to} = Mul({left}, {right}) "),
            1 => format!("{to} = Add({left}, {right}) "),
            2 => format!("{to} = Sub({left}, {right}) "),
            3 => format!("{to} = Tanh({left}) "),
            4 => format!("{to} = Sigmoid({left}) "),
            // The divisor is positive for every input.
            _ => format!("{to}s = Sigmoid({left}) {to}e = Exp({to}s) {to}r = Sqrt({to}e) {to} = Div({right}, {to}r) "),
        };
        names.push(to);
    }
    let last = names.last().unwrap();
    format!("{nodes} last = Tanh({last}) y = ReduceSum <keepdims = 0> (last)")
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 128, ..ProptestConfig::default() })]

    #[test]
    fn gradients_are_near_central_differences(
        steps in prop::collection::vec((0usize..6, 0usize..9, 0usize..9), 1..6),
        a in prop::collection::vec(-1.0f64..1.0, 3), b in -1.0f64..1.0,
    ) {
        let nodes = function(&steps);
        let at = |a: &[f64], b: f64| answer(&nodes, "y", &doubles(a), &doubles(&[b])).unwrap()[0].tensor().unwrap().tensor.f64_at(0);
        let found = gradients(&nodes, &a, &[b]);
        let step = 1e-5;
        let near = |slope: f64, difference: f64| (slope - difference).abs() <= 1e-6 * (1.0 + slope.abs());
        for i in 0..a.len() {
            let (mut less, mut more) = (a.clone(), a.clone());
            less[i] -= step;
            more[i] += step;
            let difference = (at(&more, b) - at(&less, b)) / (2.0 * step);
            prop_assert!(near(found[0][i], difference), "derivative with respect to a[{i}]: {}, expected {difference}", found[0][i]);
        }
        let difference = (at(&a, b + step) - at(&a, b - step)) / (2.0 * step);
        prop_assert!(near(found[1][0], difference), "derivative with respect to b: {}, expected {difference}", found[1][0]);
    }
}
