//! Judges answers to whole models: right ones, ones with wrong values, and ones that cannot be judged.

#![allow(clippy::unwrap_used, reason = "in a test a panic is the report")]

mod backends;
mod limits;

use std::collections::BTreeMap;

use plumbline_backend::Refusal;
use plumbline_conformance::model::{JudgeError, ModelJudgement, Values, judge, judge_with_values, to_json};
use plumbline_conformance::{FailKind, Scalar, Verdict};
use plumbline_generator::value_info;
use plumbline_oracle::{Limit, Oracle};
use plumbline_tensor::onnx::{ModelProto, ValueInfoProto};
use plumbline_tensor::{DType, Model, Tensor, Value, ValueKind};

/// Five nodes; the last one hides small differences.
const CHAIN: &str = r#"
    <ir_version: 8, opset_import: ["" : 17]>
    chain (float[4] x) => (float[4] y) {
        a = Abs (x)
        b = Exp (a)
        c = Mul (b, x)
        d = Add (c, a)
        y = Floor (d)
    }"#;

fn model(text: &str) -> Model {
    text.parse().unwrap()
}

/// Parses a model after adding the declaration of its versions to the text.
fn graph(text: &str) -> Model {
    model(&format!("<ir_version: 8, opset_import: [\"\" : 17]> {text}"))
}

fn floats(x: &[f32]) -> Value {
    Tensor::from_f32s(vec![x.len()], x).unwrap().into()
}

fn ints(x: &[i64]) -> Value {
    Tensor::from_i64s(x).into()
}

fn strings(x: &[&str]) -> Value {
    Tensor::from_strings(vec![x.len()], x.iter().map(|s| s.as_bytes().to_vec()).collect()).unwrap().into()
}

/// Runs a model node by node on the preferred answers of the oracle, and changes values on the way. Returns all values
/// that nodes compute.
fn run(
    model: &Model,
    inputs: &[Value],
    change: impl Fn(&str, Value) -> Value,
) -> Result<BTreeMap<String, Value>, Refusal> {
    let names = model.input_names().into_iter().map(str::to_owned);
    let mut known: BTreeMap<String, Value> = names.zip(inputs.iter().cloned()).collect();
    let mut computed = BTreeMap::new();
    for node in &model.graph().node {
        let mut alone = model.proto.graph.clone().unwrap();
        alone.node = vec![node.clone()];
        alone.input = known.iter().map(|(name, value)| value_info(name, &value.kind(), None)).collect();
        let output = |name: &String| ValueInfoProto { name: Some(name.clone()), ..ValueInfoProto::default() };
        alone.output = node.output.iter().map(output).collect();
        let alone = Model { proto: ModelProto { graph: Some(alone), ..model.proto.clone() } };
        let inputs: Vec<Value> = alone.input_names().iter().map(|name| known[*name].clone()).collect();
        let outputs = Oracle::default().answer(&alone, &inputs)?;
        for (name, operand) in node.output.iter().zip(&outputs) {
            let value = change(name, operand.to_value());
            known.insert(name.clone(), value.clone());
            computed.insert(name.clone(), value);
        }
    }
    Ok(computed)
}

/// Returns the tensor with `by` added to one element.
fn poked(value: &Value, index: usize, by: f64) -> Value {
    let tensor = value.as_tensor().unwrap();
    let mut elements = tensor.to_f64s();
    elements[index] += by;
    Tensor::from_f64s(tensor.dtype(), tensor.shape().to_vec(), &elements).unwrap().into()
}

/// Judges a run of a model, all of its values included.
fn judged(model: &Model, inputs: &[Value], values: &BTreeMap<String, Value>) -> ModelJudgement {
    let outputs: Vec<Value> = model.output_names().iter().map(|name| values[*name].clone()).collect();
    judge_with_values(&Oracle::default(), model, inputs, &outputs, &Values::from(values.clone())).unwrap()
}

fn alone(text: &str, inputs: &[Value], outputs: &[Value]) -> Result<ModelJudgement, JudgeError> {
    judge(&Oracle::default(), &graph(text), inputs, outputs)
}

fn verdict(text: &str, inputs: &[Value], outputs: &[Value]) -> Verdict {
    alone(text, inputs, outputs).unwrap().verdict
}

#[test]
fn a_right_run_is_accepted_at_every_node() {
    let (model, x) = (model(CHAIN), [floats(&[-1.5, 0.0, 0.3, 2.0])]);
    let judgement = judged(&model, &x, &run(&model, &x, |_, value| value).unwrap());
    assert_eq!(judgement.verdict, Verdict::Pass, "{:?}", judgement.detail);
    assert_eq!(judgement.nodes.len(), 5);
    assert!(judgement.nodes.iter().all(|node| node.verdict() == Some(Verdict::Pass) && node.after_wrong.is_empty()));
}

#[test]
fn a_wrong_element_of_the_second_node_is_found_there() {
    let (model, x) = (model(CHAIN), [floats(&[-1.5, 0.0, 0.3, 2.0])]);
    let change = |name: &str, value: Value| if name == "b" { poked(&value, 2, 3.0) } else { value };
    let judgement = judged(&model, &x, &run(&model, &x, change).unwrap());
    assert_eq!(judgement.verdict, Verdict::Fail);
    // The output is wrong as well, but only because of the second node: all other nodes are right on their inputs.
    assert_eq!(judgement.outputs[0].judgement.verdict, Verdict::Fail);
    let wrong: Vec<usize> = judgement.nodes.iter().filter(|n| n.is_wrong()).map(|n| n.node.index).collect();
    assert_eq!(wrong, [1]);
    let first = judgement.first_wrong().unwrap();
    assert_eq!(first.node.operator, "Exp-13");
    let after: Vec<Vec<usize>> = judgement.nodes.iter().map(|node| node.after_wrong.clone()).collect();
    assert_eq!(after, [vec![], vec![], vec![1], vec![1], vec![1]]);
    let detail = judgement.detail.unwrap();
    assert!(detail.starts_with("node 1 (Exp-13) -> b is the first to go wrong: output `b`[2] is"), "{detail}");
}

#[test]
fn a_wrong_value_that_a_later_node_hides_fails() {
    let (model, x) = (model(CHAIN), [floats(&[-1.5, 0.0, 0.3, 2.0])]);
    let change = |name: &str, value: Value| if name == "d" { poked(&value, 2, 0.01) } else { value };
    let judgement = judged(&model, &x, &run(&model, &x, change).unwrap());
    assert_eq!(judgement.outputs[0].judgement.verdict, Verdict::Pass);
    assert_eq!(judgement.verdict, Verdict::Fail);
    assert_eq!(judgement.first_wrong().unwrap().node.index, 3);
    assert!(judgement.detail.unwrap().ends_with("the outputs of the model are accepted nevertheless"));
}

#[test]
fn a_later_node_can_be_wrong_by_itself() {
    let (model, x) = (model(CHAIN), [floats(&[-1.5, 0.0, 0.3, 2.0])]);
    let change = |name: &str, value: Value| match name {
        "b" => poked(&value, 0, 1.0),
        "d" => poked(&value, 3, 5.0),
        _ => value,
    };
    let judgement = judged(&model, &x, &run(&model, &x, change).unwrap());
    let wrong: Vec<usize> = judgement.nodes.iter().filter(|n| n.is_wrong()).map(|n| n.node.index).collect();
    assert_eq!(wrong, [1, 3]);
    assert_eq!(judgement.nodes[4].after_wrong, [1, 3]);
}

#[test]
fn nodes_without_values_are_judged_with_the_next_node_that_has_values() {
    let (model, x) = (model(CHAIN), [floats(&[-1.5, 0.0, 0.3, 2.0])]);
    let change = |name: &str, value: Value| if name == "b" { poked(&value, 2, 3.0) } else { value };
    let mut values = run(&model, &x, change).unwrap();
    values.remove("b");
    let judgement = judged(&model, &x, &values);
    assert_eq!(judgement.nodes[1].verdict(), None);
    let first = judgement.first_wrong().unwrap();
    let together: Vec<usize> = first.together_with.iter().map(|node| node.index).collect();
    assert_eq!((first.node.index, together), (2, vec![1]));
    assert!(judgement.detail.unwrap().contains("or the node before it whose value is not given"));
}

#[test]
fn nested_graphs_and_functions_are_part_of_their_node() {
    let model = model(
        r#"<ir_version: 8, opset_import: ["" : 17, "mine" : 1]>
        nested (bool b, float[2] x) => (float[2] y) {
            h = mine.Twice (x)
            y = If (b) <
                then_branch = then () => (float[2] t) { t = Neg (h) },
                else_branch = other () => (float[2] e) { e = Identity (x) }
            >
        }
        <domain: "mine", opset_import: ["" : 17]>
        Twice (v) => (w) { w = Add (v, v) }"#,
    );
    let inputs = [Tensor::from_bytes(DType::Bool, vec![], vec![1]).unwrap().into(), floats(&[1.0, 2.0])];
    let values =
        |h: [f32; 2], y: [f32; 2]| BTreeMap::from([("h".to_owned(), floats(&h)), ("y".to_owned(), floats(&y))]);
    assert_eq!(judged(&model, &inputs, &values([2.0, 4.0], [-2.0, -4.0])).verdict, Verdict::Pass);
    let wrong_function = judged(&model, &inputs, &values([2.0, 5.0], [-2.0, -5.0]));
    assert_eq!(wrong_function.first_wrong().unwrap().node.operator, "Twice");
    assert_eq!(wrong_function.nodes[1].verdict(), Some(Verdict::Pass), "the branch of If is right on the wrong `h`");
    let wrong_branch = judged(&model, &inputs, &values([2.0, 4.0], [1.0, 2.0]));
    assert_eq!(wrong_branch.first_wrong().unwrap().node.operator, "If-16");
}

#[test]
fn a_nested_graph_may_return_a_value_from_outside() {
    let model = graph(
        r#"outside (bool b, float[2] x) => (float[2] y) {
            h = Neg (x)
            y = If (b) <
                then_branch = then () => (float[2] h) {},
                else_branch = other () => (float[2] e) { e = Identity (x) }
            >
        }"#,
    );
    let inputs = [Tensor::from_bytes(DType::Bool, vec![], vec![1]).unwrap().into(), floats(&[1.0, 2.0])];
    let values = |h: [f32; 2]| BTreeMap::from([("h".to_owned(), floats(&h)), ("y".to_owned(), floats(&h))]);
    assert_eq!(judged(&model, &inputs, &values([-1.0, -2.0])).verdict, Verdict::Pass);
    let wrong = judged(&model, &inputs, &values([-1.0, 2.0]));
    assert_eq!(wrong.first_wrong().unwrap().node.index, 0);
    assert_eq!((wrong.nodes[1].verdict(), &wrong.nodes[1].after_wrong[..]), (Some(Verdict::Pass), &[0][..]));
}

#[test]
fn outputs_that_cannot_be_computed_from_the_inputs_are_judged_by_their_nodes() {
    // The number of repeats is cast from a computed float, so the oracle does not know it for certain.
    let model = graph(
        r#"tiled (float[1] x) => (float[n] y) {
            e = Exp (x)
            n = Cast <to = 7> (e)
            y = Tile (x, n)
        }"#,
    );
    let x = [floats(&[std::f32::consts::LN_2])];
    let change = |name: &str, value: Value| if name == "n" { ints(&[2]) } else { value };
    let values = run(&model, &x, change).unwrap();
    let outputs = [values["y"].clone()];
    let error = judge(&Oracle::default(), &model, &x, &outputs).unwrap_err();
    assert!(matches!(&error, JudgeError::Unknown { node: Some(node), .. } if node.index == 2), "{error}");
    let judgement = judged(&model, &x, &values);
    assert!(judgement.by_nodes.is_some());
    assert_eq!((judgement.verdict, judgement.outputs.len()), (Verdict::Pass, 1));
    let change = |name: &str, value: Value| if name == "n" { ints(&[3]) } else { value };
    let judgement = judged(&model, &x, &run(&model, &x, change).unwrap());
    assert_eq!(judgement.first_wrong().unwrap().node.operator, "Cast-13");
    // The value of `e`, without that of `n`, is enough to make the number of repeats certain.
    let only = Values::from(BTreeMap::from([("e".to_owned(), values["e"].clone())]));
    let judgement = judge_with_values(&Oracle::default(), &model, &x, &outputs, &only).unwrap();
    assert_eq!((judgement.verdict, judgement.nodes[2].together_with.len()), (Verdict::Pass, 1));
}

#[test]
fn integers_strings_and_sequences_are_judged() {
    const INT: &str = "g (int64[2] x) => (int64[2] y) { y = Add (x, x) }";
    assert_eq!(verdict(INT, &[ints(&[1, 2])], &[ints(&[2, 4])]), Verdict::Pass);
    let wrong = alone(INT, &[ints(&[1, 2])], &[ints(&[2, 5])]).unwrap();
    let element = &wrong.outputs[0].elements[0];
    assert_eq!((wrong.outputs[0].wrong, &element.index[..], element.ulp), (1, &[1][..], Some(1.0)));
    assert_eq!((&element.found, &element.expected), (&Scalar::Int(5), &Scalar::Int(4)));
    assert_eq!((&element.low, &element.high), (&Some(Scalar::Int(4)), &Some(Scalar::Int(4))));

    const TEXT: &str = "g (string[2] x) => (string[2] y) { y = Identity (x) }";
    assert_eq!(verdict(TEXT, &[strings(&["a", "b"])], &[strings(&["a", "b"])]), Verdict::Pass);
    let wrong = alone(TEXT, &[strings(&["a", "b"])], &[strings(&["a", "c"])]).unwrap();
    assert_eq!(wrong.outputs[0].elements[0].found, Scalar::Text("c".to_owned()));
    assert_eq!(wrong.outputs[0].elements[0].low, None);

    const SEQUENCE: &str = "g (float[2] x, float[2] z) => (seq(float[2]) y) { y = SequenceConstruct (x, z) }";
    let sequence = |b: f32| {
        let tensors = [[1.0, 2.0], [3.0, b]].map(|x| Tensor::from_f32s(vec![2], &x).unwrap());
        Value::tensor_sequence(DType::Float, tensors.to_vec()).unwrap()
    };
    let inputs = [floats(&[1.0, 2.0]), floats(&[3.0, 4.0])];
    assert_eq!(verdict(SEQUENCE, &inputs, &[sequence(4.0)]), Verdict::Pass);
    let wrong = alone(SEQUENCE, &inputs, &[sequence(5.0)]).unwrap();
    let element = &wrong.outputs[0].elements[0];
    assert_eq!((&element.item[..], &element.index[..]), (&[1][..], &[1][..]));
    let short = Value::tensor_sequence(DType::Float, vec![Tensor::from_f32s(vec![2], &[1.0, 2.0]).unwrap()]).unwrap();
    assert_eq!(verdict(SEQUENCE, &inputs, &[short]), Verdict::Fail);
}

#[test]
fn infinities_and_nan_are_judged() {
    const EXP: &str = "g (float[3] x) => (float[3] y) { y = Exp (x) }";
    let x = [floats(&[88.722_84, f32::NAN, -1000.0])];
    // The first result is close to the largest float, so that infinity is accepted as well.
    for first in [f32::MAX, f32::INFINITY] {
        assert_eq!(verdict(EXP, &x, &[floats(&[first, f32::NAN, 0.0])]), Verdict::Pass, "{first}");
    }
    let wrong = alone(EXP, &x, &[floats(&[f32::NEG_INFINITY, 1.0, f32::NAN])]).unwrap();
    assert_eq!(wrong.outputs[0].wrong, 3);
    let json = to_json(&wrong);
    let element = |at: usize| &json["outputs"][0]["elements"][at];
    assert_eq!(element(0)["found"], "-Infinity");
    assert_eq!(element(0)["high"], "Infinity");
    assert_eq!((&element(1)["expected"], &element(1)["low"]), (&"NaN".into(), &"NaN".into()));
    assert_eq!(element(2)["found"], "NaN");
    assert!(element(2)["ulp"].is_null());
}

#[test]
fn what_a_rule_leaves_open_is_latitude() {
    const MIN: &str = "g (float[2] a, float[2] b) => (float[2] y) { y = Min (a, b) }";
    let inputs = [floats(&[f32::NAN, 1.0]), floats(&[2.0, 3.0])];
    let judgement = alone(MIN, &inputs, &[floats(&[2.0, 1.0])]).unwrap();
    assert_eq!((judgement.verdict, judgement.is_accepted()), (Verdict::Latitude, true));
    let json = to_json(&judgement);
    let element = &json["outputs"][0]["elements"][0];
    assert_eq!((&element["verdict"], &element["rule"]), (&"latitude".into(), &"nan".into()));
    assert!(element["rule_text"].as_str().unwrap().contains("operand is NaN"));
    // A wrong element is listed, even if the rule leaves many elements before it open.
    let many = |x: f32| Value::from(Tensor::from_f32s(vec![32], &[x; 32]).unwrap());
    let mut found = [2.0; 32];
    found[31] = 7.0;
    let judgement = alone(
        "g (float[32] a, float[32] b) => (float[32] y) { y = Min (a, b) }",
        &[many(f32::NAN), many(2.0)],
        &[floats(&found)],
    );
    let output = &judgement.unwrap().outputs[0];
    assert_eq!((output.elements.len(), output.wrong), (16, 1));
    assert!(!output.elements[15].is_latitude);
}

#[test]
fn types_shapes_and_other_interpretations_are_judged() {
    const RELU: &str = "g (float[2] x) => (float[2] y) { y = Relu (x) }";
    let x = [floats(&[1.0, 2.0])];
    let kind = |value: Value| alone(RELU, &x, &[value]).unwrap().outputs[0].judgement.kind;
    assert_eq!(kind(ints(&[1, 2])), Some(FailKind::WrongType));
    assert_eq!(kind(floats(&[1.0])), Some(FailKind::WrongShape));
    // A window that begins beyond the end of the input may be kept or left out. The answer as a whole depends on this.
    let pool = "g (float[1, 1, 3] x) => (float[1, 1, n] y) { y = MaxPool <kernel_shape = [1], strides = [3], ceil_mode = 1> (x) }";
    let shaped = |x: &[f32]| Value::from(Tensor::from_f32s(vec![1, 1, x.len()], x).unwrap());
    let pooled = |outputs: &[f32]| alone(pool, &[shaped(&[1.0, 2.0, 3.0])], &[shaped(outputs)]).unwrap();
    let other = pooled(&[1.0]);
    assert_eq!((other.verdict, other.outputs[0].judgement.verdict), (Verdict::Latitude, Verdict::Latitude));
    assert!(other.outputs[0].judgement.detail().as_ref().unwrap().contains("ceil-mode"), "{other:?}");
    assert_eq!(pooled(&[2.0]).verdict, Verdict::Fail);
}

#[test]
fn what_cannot_be_judged_is_an_error_that_names_the_node() {
    let x = [floats(&[1.0])];
    let error = |text: &str| judge(&Oracle::default(), &model(text), &x, &x).unwrap_err();
    let unknown = error(
        r#"<ir_version: 8, opset_import: ["" : 17, "com.example" : 1]>
        g (float[1] x) => (float[1] y) { h = Relu (x)  y = com.example.Swoosh (h) }"#,
    );
    assert!(matches!(&unknown, JudgeError::Unknown { node: Some(node), .. } if node.index == 1), "{unknown}");
    assert!(unknown.to_string().contains("node 1 (Swoosh) -> y"), "{unknown}");
    let invalid = error(
        r#"<ir_version: 8, opset_import: ["" : 17]>
        g (float[1] x) => (float[1] y) { h = Relu (x)  y = Softmax <axis = 3> (h) }"#,
    );
    assert!(matches!(&invalid, JudgeError::Invalid { node: Some(node), .. } if node.index == 1), "{invalid}");

    let sizes = |n: i64| [ints(&[n])];
    let large = |text: &str, n: i64| judge(&Oracle::default(), &graph(text), &sizes(n), &[floats(&[0.0])]).unwrap_err();
    let limit = |error: &JudgeError| match error {
        JudgeError::Limit { node, limit, .. } => Some((node.as_ref().unwrap().index, *limit)),
        _ => None,
    };
    const TENSOR: &str = "g (int64[1] n) => (float[m] y) { y = ConstantOfShape (n) }";
    let error = large(TENSOR, 1 << 26);
    assert_eq!(limit(&error), Some((0, Limit::TensorElements)), "{error}");
    assert!(error.to_string().contains("33554432"), "{error}");
    const ELEMENTS: &str = "g (int64[1] n) => (float[m] y) { a = ConstantOfShape (n)  b = Neg (a)  y = Abs (b) }";
    let small = Oracle::default().with_most_elements(70);
    let error = judge(&small, &graph(ELEMENTS), &sizes(40), &[floats(&[0.0])]).unwrap_err();
    assert_eq!(limit(&error), Some((1, Limit::Elements)), "{error}");
    // `a` is not needed any more when `y` is computed.
    let enough = Oracle::default().with_most_elements(80);
    judge(&enough, &graph(ELEMENTS), &sizes(40), &[floats(&[0.0; 40])]).unwrap();
    let slow = Oracle::default().with_most_steps(100);
    let error = judge(&slow, &graph(ELEMENTS), &sizes(40), &[floats(&[0.0])]).unwrap_err();
    assert!(matches!(limit(&error), Some((_, Limit::Steps))), "{error}");

    let count = judge(&Oracle::default(), &model(CHAIN), &[floats(&[0.0; 4])], &[]).unwrap_err();
    assert_eq!(count.to_string(), "0 outputs are given, but the model has 1");
    let count = judge(&Oracle::default(), &model(CHAIN), &[], &[floats(&[0.0; 4])]).unwrap_err();
    assert_eq!(count.to_string(), "0 inputs are given, but the model has 1");
}

#[test]
fn values_that_the_model_does_not_have_are_named() {
    let (model, x) = (model(CHAIN), [floats(&[-1.5, 0.0, 0.3, 2.0])]);
    let mut values = run(&model, &x, |_, value| value).unwrap();
    values.insert("conv".to_owned(), floats(&[1.0]));
    assert_eq!(judged(&model, &x, &values).unknown_values, ["conv"]);
    let kind = ValueKind::Tensor(DType::Float);
    assert_eq!(values["a"].kind(), kind);
}
