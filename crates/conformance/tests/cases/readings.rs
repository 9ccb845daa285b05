//! Rules that leave open the answer as a whole, and not single elements: the answer may have another shape, or elements
//! that are only correct together.

use plumbline_backend::Observation;
use plumbline_conformance::{Judgement, Right, Verdict, judge};
use plumbline_oracle::Oracle;
use plumbline_tensor::{DType, Model, Tensor, Value, ValueKind};

/// Returns a model of one node with outputs of these types. The node is written in ONNX's text syntax, without outputs
/// and inputs.
fn model(node: &str, opset: i64, inputs: &[Value], outputs: &[DType]) -> Model {
    let typed = |name: String, kind: ValueKind| format!("{} {name}", kind.to_proto());
    let given: Vec<String> = (0..inputs.len()).map(|i| format!("x{i}")).collect();
    let taken: Vec<String> = (0..outputs.len()).map(|i| format!("y{i}")).collect();
    let inputs: Vec<String> = given.iter().zip(inputs).map(|(name, x)| typed(name.clone(), x.kind())).collect();
    let outputs = taken.iter().zip(outputs).map(|(name, &y)| typed(name.clone(), ValueKind::Tensor(y)));
    let text = format!(
        "<ir_version: 8, opset_import: [\"\" : {opset}]> one_node ({}) => ({}) {{ {} = {node} ({}) }}",
        inputs.join(", "),
        outputs.collect::<Vec<_>>().join(", "),
        taken.join(", "),
        given.join(", ")
    );
    text.parse().unwrap_or_else(|e| panic!("{e}: {text}"))
}

fn judged(model: &Model, inputs: &[Value], values: Vec<Value>) -> Judgement {
    let right = Right::from(Oracle::default().evaluate(model, inputs).unwrap());
    judge(&right, &model.output_names(), &Observation::Outputs { values, seconds: 0.0 })
}

fn floats(shape: &[usize], values: &[f32]) -> Value {
    Value::Tensor(Tensor::from_f32s(shape.to_vec(), values).unwrap())
}

/// The input has two elements and three positions of padding after them, and the window moves by three positions.
#[test]
fn a_window_beyond_the_last_element_is_kept_or_left_out_with_its_index() {
    let x = floats(&[1, 1, 2], &[1.0, 2.0]);
    let inputs = [x];
    let model = model(
        "MaxPool <kernel_shape = [2], strides = [3], pads = [0, 3], ceil_mode = 1>",
        11,
        &inputs,
        &[DType::Float, DType::Int64],
    );
    let indices = |all: &[i64]| Value::Tensor(Tensor::from_i64s(all).reshaped(vec![1, 1, all.len()]).unwrap());
    let of = |y: &[f32], i: &[i64]| judged(&model, &inputs, vec![floats(&[1, 1, y.len()], y), indices(i)]);
    assert_eq!(of(&[2.0, f32::NEG_INFINITY], &[1, 0]).verdict, Verdict::Pass);
    let left_out = of(&[2.0], &[1]);
    assert_eq!((left_out.verdict, left_out.class.as_str()), (Verdict::Latitude, "ceil-mode"));
    assert_eq!(of(&[1.0], &[0]).verdict, Verdict::Fail);
    assert_eq!(of(&[2.0], &[1, 0]).verdict, Verdict::Fail);
}

#[test]
fn other_placements_of_the_bands_of_a_mel_matrix_are_latitude() {
    let scalar = |x: i64| Value::Tensor(Tensor::from_i64(x));
    let edge = |x: f32| floats(&[], &[x]);
    let inputs = [scalar(2), scalar(16), scalar(8192), edge(0.0), edge(4096.0)];
    let model = model("MelWeightMatrix", 17, &inputs, &[DType::Float]);
    let preferred = Oracle::default().answer(&model, &inputs).unwrap()[0].to_value();
    let shape = preferred.as_tensor().unwrap().shape().to_vec();
    assert_eq!(shape, [9, 2]);
    assert_eq!(judged(&model, &inputs, vec![preferred]).verdict, Verdict::Pass);
    assert_eq!(judged(&model, &inputs, vec![floats(&shape, &[0.0; 18])]).verdict, Verdict::Fail);
    // The preferred answer has the corners of the bands at the bins 0, 0, 2 and 4. Other answers place them elsewhere.
    let others = Oracle::default().evaluate(&model, &inputs).unwrap().others;
    assert!(!others.is_empty());
    for other in others {
        let values = vec![other.outputs[0].to_value()];
        let verdict = judged(&model, &inputs, values.clone()).verdict;
        assert_eq!(verdict, Verdict::Latitude, "{values:?}");
    }
}
