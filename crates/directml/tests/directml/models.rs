//! Tests of models with several nodes, which become one graph.

use plumbline_backend::{Backend, RefusalKind};
use plumbline_cpu::Cpu;
use plumbline_directml::backend::run;
use plumbline_directml::lowering::{Options, lower};
use plumbline_directml::software::SoftwareDevice;
use plumbline_spec::directml::FeatureLevel;
use plumbline_tensor::{Model, Tensor, Value, onnx};

use crate::common::model;

/// Builds a model from nodes (operator, inputs and output) and the types of its inputs and outputs.
fn several(nodes: &[(&str, &[&str], &str)], inputs: &[(&str, &str)], outputs: &[(&str, &str)]) -> Model {
    let value = |&(name, kind): &(&str, &str)| {
        let mut value = model("Identity", 13, &[kind], kind).proto.graph.unwrap().input.remove(0);
        value.name = Some(name.to_owned());
        value
    };
    let node = |&(op, inputs, output): &(&str, &[&str], &str)| onnx::NodeProto {
        op_type: Some(op.to_owned()),
        input: inputs.iter().map(|&name| name.to_owned()).collect(),
        output: vec![output.to_owned()],
        ..Default::default()
    };
    let mut whole = model("Identity", 13, &["tensor(float)"], "tensor(float)");
    let graph = whole.proto.graph.as_mut().unwrap();
    graph.node = nodes.iter().map(node).collect();
    (graph.input, graph.output) = (inputs.iter().map(value).collect(), outputs.iter().map(value).collect());
    whole
}

const FLOAT: &str = "tensor(float)";

fn floats(shape: &[usize], first: f32) -> Value {
    let count: usize = shape.iter().product();
    let data: Vec<f32> = (0..count).map(|at| first + ((at * 5) % 7) as f32).collect();
    Tensor::from_f32s(shape.to_vec(), &data).unwrap().into()
}

/// Checks that a transposed tensor is packed before it is reshaped, that indices are converted back to ONNX's type, and
/// that computations on shapes are not part of the graph.
#[test]
fn nodes_read_the_outputs_of_earlier_nodes() {
    let nodes: &[(&str, &[&str], &str)] = &[
        ("MatMul", &["x", "w"], "p"),
        ("Add", &["p", "b"], "a"),
        ("Relu", &["a"], "r"),
        ("Transpose", &["r"], "t"),
        ("Shape", &["t"], "s"),
        ("ReduceProd", &["s"], "n"),
        ("Reshape", &["t", "n"], "y"),
        ("ArgMax", &["r"], "i"),
        ("Add", &["i", "i"], "k"),
        ("Less", &["t", "t"], "l"),
        ("Not", &["l"], "z"),
    ];
    let outputs = [("y", FLOAT), ("k", "tensor(int64)"), ("z", "tensor(bool)"), ("r", FLOAT), ("n", "tensor(int64)")];
    let model = several(nodes, &[("x", FLOAT), ("w", FLOAT), ("b", FLOAT)], &outputs);
    let inputs = [floats(&[2, 3], -3.0), floats(&[3, 4], -2.0), floats(&[4], 0.5)];
    let wanted = Cpu::new().prepare(&model).unwrap().run(&inputs).unwrap();
    let found = run(&SoftwareDevice::new(FeatureLevel::LAST), &model, &inputs).unwrap();
    assert_eq!(found, wanted);
    let graph = lower(&model, &inputs, Options::default()).unwrap();
    assert_eq!(graph.inputs.len(), 4, "three inputs, and the constant `n`, which is also an output");
}

#[test]
fn a_computed_value_cannot_become_an_attribute() {
    let nodes: &[(&str, &[&str], &str)] = &[("Add", &["n", "n"], "m"), ("Reshape", &["x", "m"], "y")];
    let mut model = several(nodes, &[("x", FLOAT), ("n", "tensor(int64)")], &[("y", FLOAT)]);
    model.proto.opset_import[0].version = Some(14);
    let inputs = [floats(&[2, 3], 1.0), Tensor::from_i64s(&[3]).into()];
    let refused = run(&SoftwareDevice::new(FeatureLevel::LAST), &model, &inputs).unwrap_err();
    assert_eq!(
        (refused.kind, refused.message.contains("`m` is computed by the graph")),
        (RefusalKind::Unsupported, true)
    );
    // A value that is known when the graph is made can be an attribute.
    let constant: &[(&str, &[&str], &str)] =
        &[("Shape", &["x"], "s"), ("Expand", &["n", "s"], "m"), ("Neg", &["x"], "z")];
    let model = several(constant, &[("x", FLOAT), ("n", FLOAT)], &[("m", FLOAT), ("z", FLOAT)]);
    let inputs = [floats(&[2, 3], 1.0), floats(&[1, 3], 0.0)];
    let found = run(&SoftwareDevice::new(FeatureLevel::LAST), &model, &inputs).unwrap();
    assert_eq!(found, Cpu::new().prepare(&model).unwrap().run(&inputs).unwrap());
}
