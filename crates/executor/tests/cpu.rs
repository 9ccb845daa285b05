//! The `cpu` backend: what it refuses, and that what is split between threads is what is not.
#![allow(clippy::unwrap_used, reason = "a test program")]

mod common;

use common::model;
use plumbline_executor::cpu::Cpu;
use plumbline_executor::{Backend, Refusal, RefusalKind};
use plumbline_spec::Spec;
use plumbline_tensor::{Tensor, Value};

fn run(model: &plumbline_tensor::Model, inputs: &[Value]) -> Result<Vec<Value>, Refusal> {
    Cpu::new().prepare(model)?.run(inputs)
}

fn floats(shape: &[usize], f: impl Fn(usize) -> f32) -> Value {
    let values: Vec<f32> = (0..shape.iter().product()).map(f).collect();
    Value::Tensor(Tensor::from_f32s(shape.to_vec(), &values).unwrap())
}

#[test]
fn every_operator_of_its_tables_is_one() {
    for (domain, name) in Cpu::operators() {
        assert!(Spec::embedded().operator(domain, name).is_some(), "{domain} has no {name}");
    }
}

#[test]
fn what_is_too_large_is_refused_before_memory_is_asked_for() {
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
    let unknown = run(&model("Scan", 11, &[f], f), &[floats(&[1], |_| 0.0)]);
    assert_eq!(unknown.unwrap_err().kind, RefusalKind::Unsupported);
    let wrong = run(&model("Add", 13, &[f, f], f), &[floats(&[2], |_| 0.0), floats(&[3], |_| 0.0)]);
    assert_eq!(wrong.unwrap_err().kind, RefusalKind::Invalid);
}

#[test]
fn large_tensors_are_split_between_threads() {
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
