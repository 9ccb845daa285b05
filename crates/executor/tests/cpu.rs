//! Tests of the `cpu` backend: the names of its operators, what it refuses, calls of functions, and results that do not
//! change if threads share the work.
#![allow(clippy::unwrap_used, reason = "a test program")]

mod common;

use common::model;
use plumbline_executor::cpu::Cpu;
use plumbline_executor::{Backend, Refusal, RefusalKind};
use plumbline_spec::Spec;
use plumbline_tensor::{Model, Tensor, Value};

fn run(model: &Model, inputs: &[Value]) -> Result<Vec<Value>, Refusal> {
    Cpu::new().prepare(model)?.run(inputs)
}

fn floats(shape: &[usize], f: impl Fn(usize) -> f32) -> Value {
    let values: Vec<f32> = (0..shape.iter().product()).map(f).collect();
    Value::Tensor(Tensor::from_f32s(shape.to_vec(), &values).unwrap())
}

#[test]
fn every_operator_in_its_tables_is_an_operator_of_onnx() {
    for (domain, name) in Cpu::operators() {
        assert!(Spec::embedded().operator(domain, name).is_some(), "{domain} has no {name}");
    }
}

#[test]
fn tensors_that_are_too_large_are_refused_before_allocation() {
    let (f, i) = ("tensor(float)", "tensor(int64)");
    for extents in [&[1i64 << 40][..], &[1 << 20, 1 << 20, 1 << 20, 1 << 20], &[i64::MAX, i64::MAX]] {
        let shape = Value::Tensor(Tensor::from_i64s(extents));
        for refused in [
            run(&model("Expand", 13, &[f, i], f), &[floats(&[1], |_| 0.0), shape.clone()]),
            run(&model("ConstantOfShape", 9, &[i], f), std::slice::from_ref(&shape)),
        ] {
            assert_eq!(refused.unwrap_err().kind, RefusalKind::Unsupported);
        }
    }
    let unknown = run(&model("ImageDecoder", 20, &[f], f), &[floats(&[1], |_| 0.0)]);
    assert_eq!(unknown.unwrap_err().kind, RefusalKind::Unsupported);
    let wrong = run(&model("Add", 13, &[f, f], f), &[floats(&[2], |_| 0.0), floats(&[3], |_| 0.0)]);
    assert_eq!(wrong.unwrap_err().kind, RefusalKind::Invalid);
}

#[test]
fn inputs_without_elements_have_answers() {
    let run_text = |signature: &str, node: &str, inputs: &[Value]| {
        let text = format!("<ir_version: 10, opset_import: [\"\" : 22]>\nempty ({signature}) {{ Y = {node} }}");
        run(&text.parse::<Model>().unwrap(), inputs)
    };
    let zeros = |shape: &[usize]| floats(shape, |_| 0.0);
    // Each window lies in the padding.
    let padded = run_text(
        "float[1,1,0] X, float[1,1,1] W) => (float[1,1,2] Y",
        "Conv <pads = [1, 1]> (X, W)",
        &[zeros(&[1, 1, 0]), floats(&[1, 1, 1], |_| 1.0)],
    );
    assert_eq!(padded.unwrap(), [zeros(&[1, 1, 2])]);
    let indices = Value::Tensor(Tensor::from_i64s(&[]).reshaped(vec![0, 1]).unwrap());
    let gathered =
        run_text("float[0,3] X, int64[0,1] I) => (float[0,3] Y", "GatherND (X, I)", &[zeros(&[0, 3]), indices]);
    assert_eq!(gathered.unwrap(), [zeros(&[0, 3])]);
    let (theta, size) = (floats(&[1, 2, 3], |i| i as f32), Value::Tensor(Tensor::from_i64s(&[1, 1, 0, 3])));
    let grid = run_text("float[1,2,3] T, int64[4] S) => (float[1,0,3,2] Y", "AffineGrid (T, S)", &[theta, size]);
    assert_eq!(grid.unwrap(), [zeros(&[1, 0, 3, 2])]);
}

/// The specification of Col2Im does not say what the sum of booleans is. If several blocks contain an element, the
/// backend takes the value from the last of them, which is also what the oracle prefers.
#[test]
fn overlapping_blocks_without_addition_keep_the_last_one() {
    let text = "<ir_version: 10, opset_import: [\"\" : 18]>\n\
        blocks (bool[1,2,3] X, int64[2] image, int64[2] block) => (bool[1,1,1,4] Y) { Y = Col2Im (X, image, block) }";
    let values = Tensor::from_i128s(plumbline_tensor::DType::Bool, vec![1, 2, 3], &[0, 1, 0, 1, 0, 1]).unwrap();
    let (image, block) = (Tensor::from_i64s(&[1, 4]), Tensor::from_i64s(&[1, 2]));
    let found = run(&text.parse::<Model>().unwrap(), &[values, image, block].map(Value::Tensor)).unwrap();
    // Elements 0 to 2 of the output are the first elements of blocks 0 to 2, and element 3 is the second element of
    // block 2.
    let expected = Tensor::from_i128s(plumbline_tensor::DType::Bool, vec![1, 1, 1, 4], &[0, 1, 0, 1]).unwrap();
    assert_eq!(found, [Value::Tensor(expected)]);
}

#[test]
fn splitting_large_tensors_between_threads_keeps_the_results() {
    let f = "tensor(float)";
    let sum = model("Add", 14, &[f, f], f);
    let (rows, columns) = (613, 521);
    let a = floats(&[rows, columns], |i| i as f32);
    let expected = |b: &dyn Fn(usize) -> f32| floats(&[rows, columns], |i| i as f32 + b(i));
    let row = floats(&[columns], |i| -(i as f32));
    assert_eq!(run(&sum, &[a.clone(), row]).unwrap(), [expected(&|i| -((i % columns) as f32))]);
    let column = floats(&[rows, 1], |i| 0.5 * i as f32);
    assert_eq!(run(&sum, &[column, a.clone()]).unwrap(), [expected(&|i| 0.5 * (i / columns) as f32)]);
    let turned = run(&model("Transpose", 13, &[f], f), &[a]).unwrap();
    assert_eq!(turned, [floats(&[columns, rows], |i| (i % rows * columns + i / rows) as f32)]);
}

/// The function calls LeakyRelu with the caller's `slope`, and Clip with an input that the caller leaves out. A
/// function that calls itself is invalid.
#[test]
fn functions_take_attributes_and_leave_inputs_out_and_cannot_call_themselves() {
    let calling = |call: &str, nodes: &str| -> Model {
        let text = format!(
            r#"<ir_version: 8, opset_import: ["" : 16, "own" : 1]>
            calling (float[] a) => (float[] y) {{ y = own.{call} (a) }}
            <domain: "own", opset_import: ["" : 16, "own" : 1]> F <slope> (x, low) => (clipped) {{ {nodes} }}"#
        );
        text.parse().unwrap()
    };
    let nodes = "between = LeakyRelu <alpha: float = @slope> (x) clipped = Clip (between, low)";
    let x = [floats(&[2], |i| [-2.0, 4.0][i])];
    let given = run(&calling("F <slope = 0.5>", nodes), &x).unwrap();
    assert_eq!(given, [floats(&[2], |i| [-1.0, 4.0][i])]);
    // Without the attribute, LeakyRelu uses its own default.
    let left_out = run(&calling("F", nodes), &x).unwrap();
    assert_eq!(left_out, [floats(&[2], |i| [-0.02, 4.0][i])]);
    assert_eq!(run(&calling("F", "clipped = own.F (x)"), &x).unwrap_err().kind, RefusalKind::Invalid);
}
