//! Tests of the rten crate in a worker: what it answers, and what it refuses.
#![cfg(feature = "rten")]
#![allow(clippy::unwrap_used, clippy::cloned_ref_to_slice_refs, reason = "a test program")]

mod common;

use common::{float, model, numbers, output, refusal, registry};
use plumbline_executor::worker::Limits;
use plumbline_executor::{Job, Observation, RefusalKind, Runner};
use plumbline_tensor::{DType, Tensor, Value, ValueKind};

fn start() -> Box<dyn Runner> {
    registry(Limits::default()).start("rten").unwrap()
}

#[test]
fn the_version_of_rten_is_that_in_the_lock_file() {
    let lock = include_str!("../../../Cargo.lock");
    let version = lock.split("name = \"rten\"\nversion = \"").nth(1).unwrap().split('"').next().unwrap();
    assert_eq!(start().identity().to_string(), format!("rten {version}"));
}

#[test]
fn types_that_rten_stores_are_returned_as_the_model_declares_them() {
    let mut rten = start();
    let f = "tensor(float)";
    let sum = output(rten.as_mut(), &model("Add", 14, &[f, f], f), &[float(&[1.0, 2.5]), float(&[0.5, -2.5])]);
    assert_eq!(sum, float(&[1.5, 0.0]));
    for dtype in [DType::Float, DType::Int32, DType::Int64, DType::Int8, DType::Uint8, DType::Bool] {
        let kind = format!("tensor({dtype})");
        let values = numbers(dtype, &[1.0, 0.0, 1.0]);
        assert_eq!(output(rten.as_mut(), &model("Identity", 16, &[&kind], &kind), &[values.clone()]), values);
    }
    let less =
        output(rten.as_mut(), &model("Less", 13, &[f, f], "tensor(bool)"), &[float(&[1.0, 3.0]), float(&[2.0, 2.0])]);
    assert_eq!(less, numbers(DType::Bool, &[1.0, 0.0]));
    let scalar = Value::Tensor(Tensor::from_f64s(DType::Float, vec![], &[-2.0]).unwrap());
    let Value::Tensor(abs) = output(rten.as_mut(), &model("Abs", 13, &[f], f), &[scalar]) else { panic!() };
    assert_eq!((abs.rank(), abs.f64_at(0)), (0, 2.0));
    let empty = Value::Tensor(Tensor::zeros(DType::Float, vec![0, 3]).unwrap());
    assert_eq!(output(rten.as_mut(), &model("Abs", 13, &[f], f), &[empty.clone()]), empty);
    let sequence = Value::Sequence {
        element: ValueKind::Tensor(DType::Int64),
        items: vec![numbers(DType::Int64, &[-1.0, 5.0]), numbers(DType::Int64, &[7.0])],
    };
    let length = model("SequenceLength", 11, &["seq(tensor(int64))"], "tensor(int64)");
    assert_eq!(output(rten.as_mut(), &length, &[sequence.clone()]), Value::Tensor(Tensor::from_i64(2)));
    let same = model("Identity", 16, &["seq(tensor(int64))"], "seq(tensor(int64))");
    assert_eq!(output(rten.as_mut(), &same, &[sequence.clone()]), sequence);
}

#[test]
fn values_that_rten_cannot_represent_are_unsupported() {
    let mut rten = start();
    for dtype in DType::ALL {
        let kind = format!("tensor({dtype})");
        let value = Value::Tensor(Tensor::zeros(dtype, vec![2]).unwrap());
        let observation = rten.run(&model("Identity", 24, &[&kind], &kind), &[value], common::DEADLINE);
        match observation {
            Observation::Outputs { values, .. } => assert_eq!(values[0].kind().to_string(), kind),
            Observation::Refused { refusal, .. } => {
                assert_eq!(
                    (refusal.kind, refusal.message),
                    (RefusalKind::Unsupported, format!("rten has no storage for {kind}"))
                );
            }
            other => panic!("{kind}: {other:?}"),
        }
    }
    let large = Value::Tensor(Tensor::from_i64s(&[1 << 40]));
    let no = refusal(rten.as_mut(), &model("Identity", 16, &["tensor(int64)"], "tensor(int64)"), &[large]);
    assert_eq!(no.kind, RefusalKind::Unsupported);
    assert_eq!(no.message, "rten stores int64 as int32, which cannot represent 1099511627776");
    let constant = model(&format!("Constant <value_int = {}>", -(1i64 << 40)), 13, &[], "tensor(int64)");
    let no = refusal(rten.as_mut(), &constant, &[]);
    assert_eq!(no.message, "rten stores int64 as int32, which cannot represent -1099511627776");
}

#[test]
fn unsupported_and_invalid_models_are_distinguished() {
    let mut rten = start();
    let f = "tensor(float)";
    let no = refusal(rten.as_mut(), &model("NoSuchOperator", 13, &[f], f), &[float(&[1.0])]);
    assert_eq!(no.kind, RefusalKind::Unsupported, "{no}");
    let unequal = [float(&[1.0, 2.0]), float(&[1.0, 2.0, 3.0])];
    let no = refusal(rten.as_mut(), &model("Add", 14, &[f, f], f), &unequal);
    assert_eq!(no.kind, RefusalKind::Invalid, "{no}");
    let gather = model("Gather <axis = 0>", 13, &[f, "tensor(int64)"], f);
    let no = refusal(rten.as_mut(), &gather, &[float(&[1.0]), Value::Tensor(Tensor::from_i64s(&[3]))]);
    assert_eq!(no.kind, RefusalKind::Invalid, "{no}");
}

#[test]
fn two_runs_of_a_session_at_once_have_one_observation() {
    let model = model("Abs", 13, &["tensor(float)"], "tensor(float)");
    let inputs = [float(&[-1.0]), float(&[-2.0])];
    let jobs = [Job::new(&model, &inputs[..1]), Job::at_once(&model, &inputs), Job::again(&model, &inputs[1..])];
    let mut rten = start();
    assert!(rten.profile().concurrent_runs);
    let outputs = |seen: &Observation| match seen {
        Observation::Outputs { values, .. } => values.clone(),
        other => panic!("{other:?}"),
    };
    let all: Vec<Vec<Value>> = rten.run_batch(&jobs, common::DEADLINE).iter().map(outputs).collect();
    assert_eq!(all, [vec![float(&[1.0])], vec![float(&[1.0]), float(&[2.0])], vec![float(&[2.0])]]);
}
