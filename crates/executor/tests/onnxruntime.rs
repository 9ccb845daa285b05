//! Tests of ONNX Runtime in a worker. The library comes from `target/onnxruntime`, where pip puts it if it can be
//! fetched. Otherwise the tests print that they are skipped.
#![cfg(feature = "onnxruntime")]
#![allow(clippy::unwrap_used, clippy::cloned_ref_to_slice_refs, reason = "a test program")]

mod common;

use common::{float, model, numbers, output, refusal};
use plumbline_executor::onnxruntime::library;
use plumbline_executor::worker::Limits;
use plumbline_executor::{Job, Observation, RefusalKind, Runner};
use plumbline_tensor::{DType, MapKeys, Model, Tensor, Value, ValueKind};

/// Starts ONNX Runtime. Returns `None` and prints why the test is skipped if the library is not available.
fn start_with(limits: Limits) -> Option<Box<dyn Runner>> {
    match library::USUAL.fetch(&common::target_folder(), library::USUAL.default_version) {
        Ok(_) => Some(common::registry(limits).start("onnxruntime").unwrap()),
        Err(reason) => {
            eprintln!("SKIPPED: {reason}");
            None
        }
    }
}

fn start() -> Option<Box<dyn Runner>> {
    start_with(Limits::default())
}

#[test]
fn it_reports_its_version_and_the_models_it_reads() {
    let Some(runner) = start() else { return };
    assert_eq!(runner.identity().to_string(), "onnxruntime 1.31.1");
    let profile = runner.profile();
    // The backend finds these numbers by trying. A release reads at least what the release before it reads.
    assert!((23..100).contains(&profile.max_opset), "{profile:?}");
    assert!((11..100).contains(&profile.max_ir_version), "{profile:?}");
}

#[test]
fn every_element_type_is_returned_unchanged_or_unsupported() {
    let Some(mut runner) = start() else { return };
    let mut answered = Vec::new();
    for dtype in DType::ALL {
        let kind = format!("tensor({dtype})");
        // The number of elements is odd, so that packed types end inside a byte.
        let value = Value::Tensor(
            match dtype {
                DType::String => Tensor::from_strings(vec![3], vec![b"a".to_vec(), b"".to_vec(), b"\0\xff".to_vec()]),
                dtype if dtype.size() > 8 => Tensor::zeros(dtype, vec![3]),
                dtype => Tensor::from_bits(dtype, vec![3], [1, 0, 1].into_iter()),
            }
            .unwrap(),
        );
        match runner.run(&model("Identity", 25, &[&kind], &kind), &[value.clone()], common::DEADLINE) {
            Observation::Outputs { values, .. } => {
                assert_eq!(values, [value], "{kind}");
                answered.push(dtype);
            }
            Observation::Refused { refusal, .. } => {
                assert_eq!(refusal.kind, RefusalKind::Unsupported, "{kind}: {refusal}");
            }
            other => panic!("{kind}: {other:?}"),
        }
    }
    for dtype in [DType::Float, DType::Float16, DType::Bfloat16, DType::Double, DType::Bool, DType::String] {
        assert!(answered.contains(&dtype), "{dtype} is not among {answered:?}");
    }
}

#[test]
fn packed_types_are_packed_and_unpacked() {
    let Some(mut runner) = start() else { return };
    for (dtype, values) in [(DType::Int4, [-8.0, 7.0, -1.0]), (DType::Uint4, [15.0, 0.0, 9.0])] {
        let (packed, plain) = (numbers(dtype, &values), numbers(DType::Int32, &values));
        let cast = |from: DType, to: DType| {
            let kinds = [from, to].map(|d| format!("tensor({d})"));
            model(&format!("Cast <to = {}>", i64::from(to.code())), 21, &[&kinds[0]], &kinds[1])
        };
        assert_eq!(output(runner.as_mut(), &cast(dtype, DType::Int32), &[packed.clone()]), plain);
        assert_eq!(output(runner.as_mut(), &cast(DType::Int32, dtype), &[plain]), packed);
    }
}

#[test]
fn shapes_are_returned_unchanged() {
    let Some(mut runner) = start() else { return };
    let f = "tensor(float)";
    for shape in [vec![], vec![0], vec![2, 0, 3], vec![1, 2, 3]] {
        let value = Value::Tensor(Tensor::zeros(DType::Float, shape).unwrap());
        assert_eq!(output(runner.as_mut(), &model("Abs", 13, &[f], f), &[value.clone()]), value);
    }
    let sum = output(runner.as_mut(), &model("Add", 14, &[f, f], f), &[float(&[1.0, 2.5]), float(&[0.5, -2.5])]);
    assert_eq!(sum, float(&[1.5, 0.0]));
}

#[test]
fn too_new_versions_in_a_model_are_replaced() {
    let Some(mut runner) = start() else { return };
    let f = "tensor(float)";
    let mut newer = model("Abs", 28, &[f], f);
    newer.proto.ir_version = Some(99);
    assert_eq!(output(runner.as_mut(), &newer, &[float(&[-1.0])]), float(&[1.0]));
}

#[test]
fn kinds_of_refusals_are_distinguished() {
    let Some(mut runner) = start() else { return };
    let f = "tensor(float)";
    let kind = |runner: &mut dyn Runner, model: &Model, inputs: &[Value]| refusal(runner, model, inputs).kind;
    assert_eq!(
        kind(runner.as_mut(), &model("NoSuchOperator", 13, &[f], f), &[float(&[1.0])]),
        RefusalKind::Unsupported
    );
    // ONNX Runtime has no BitShift kernel for uint16.
    let u = "tensor(uint16)";
    let shift = model(r#"BitShift <direction = "LEFT">"#, 11, &[u, u], u);
    let inputs = [numbers(DType::Uint16, &[1.0]), numbers(DType::Uint16, &[1.0])];
    assert_eq!(kind(runner.as_mut(), &shift, &inputs), RefusalKind::Unsupported);
    let unequal = [float(&[1.0, 2.0]), float(&[1.0, 2.0, 3.0])];
    let no = refusal(runner.as_mut(), &model("Add", 14, &[f, f], f), &unequal);
    assert_ne!(no.kind, RefusalKind::Unsupported, "{no}");
    let gather = model("Gather <axis = 0>", 13, &[f, "tensor(int64)"], f);
    let no = refusal(runner.as_mut(), &gather, &[float(&[1.0]), Value::Tensor(Tensor::from_i64s(&[3]))]);
    assert_eq!(no.kind, RefusalKind::Invalid, "{no}");
    assert!(no.message.contains("out of data bounds"), "{no}");
    let no = refusal(runner.as_mut(), &model("Add", 14, &[f, f], "tensor(int32)"), &unequal);
    assert_eq!(no.kind, RefusalKind::Invalid, "{no}");
}

#[test]
fn sequences_optionals_and_maps_are_outputs() {
    let Some(mut runner) = start() else { return };
    let sequence =
        Value::Sequence { element: ValueKind::Tensor(DType::Float), items: vec![float(&[1.0, 2.0]), float(&[3.0])] };
    let kind = "seq(tensor(float))";
    let same = output(runner.as_mut(), &model("Identity", 16, &[kind], kind), &[sequence.clone()]);
    assert_eq!(same, sequence);
    let empty = model("SequenceEmpty <dtype = 7>", 11, &[], "seq(tensor(int64))");
    let empty = output(runner.as_mut(), &empty, &[]);
    assert_eq!(empty, Value::Sequence { element: ValueKind::Tensor(DType::Int64), items: vec![] });

    let optional = model("Optional", 15, &["tensor(float)"], "optional(tensor(float))");
    let some = output(runner.as_mut(), &optional, &[float(&[1.0])]);
    let element = ValueKind::Tensor(DType::Float);
    assert_eq!(some, Value::Optional { element, item: Some(Box::new(float(&[1.0]))) });

    let zip = "ai.onnx.ml.ZipMap <classlabels_int64s = [5, 7]>";
    let zip = model(zip, 1, &["tensor(float)"], "seq(map(int64, tensor(float)))");
    let Value::Sequence { items, .. } = output(runner.as_mut(), &zip, &[float(&[0.25, 0.75])]) else { panic!() };
    let scalar = |x: f64| Value::Tensor(Tensor::from_f64s(DType::Float, vec![], &[x]).unwrap());
    assert_eq!(
        items,
        [Value::Map {
            keys: MapKeys::Integers(DType::Int64, vec![5, 7]),
            element: ValueKind::Tensor(DType::Float),
            items: vec![scalar(0.25), scalar(0.75)],
        }]
    );
}

/// ONNX Runtime's interface cannot make empty values, so nodes in the model make them.
#[test]
fn empty_sequences_and_optionals_without_a_value_are_inputs() {
    let Some(mut runner) = start() else { return };
    let floats = |items: Vec<Value>| Value::Sequence { element: ValueKind::Tensor(DType::Float), items };
    let kind = "seq(tensor(float))";
    let insert = model("SequenceInsert", 11, &[kind, "tensor(float)"], kind);
    let inputs = [[floats(vec![]), float(&[1.0])], [floats(vec![float(&[2.0])]), float(&[1.0])]];
    let jobs = [0, 0, 1, 0].map(|index: usize| Job::new(&insert, &inputs[index]));
    let expected = [vec![float(&[1.0])], vec![float(&[1.0])], vec![float(&[2.0]), float(&[1.0])], vec![float(&[1.0])]];
    for (observation, items) in runner.run_batch(&jobs, common::DEADLINE).into_iter().zip(expected) {
        let Observation::Outputs { values, .. } = observation else { panic!("{observation:?}") };
        assert_eq!(values, [floats(items)]);
    }

    let optional = |element: ValueKind, item: Option<Value>| Value::Optional { element, item: item.map(Box::new) };
    let tensor = || ValueKind::Tensor(DType::Float);
    let sequence = || ValueKind::Sequence(Box::new(tensor()));
    for (kind, value, has_element) in [
        ("optional(tensor(float))", optional(tensor(), None), false),
        ("optional(tensor(float))", optional(tensor(), Some(float(&[1.0]))), true),
        ("optional(seq(tensor(float)))", optional(sequence(), None), false),
        ("optional(seq(tensor(float)))", optional(sequence(), Some(floats(vec![]))), true),
    ] {
        let has = model("OptionalHasElement", 18, &[kind], "tensor(bool)");
        let expected = Value::Tensor(Tensor::from_bytes(DType::Bool, vec![], vec![u8::from(has_element)]).unwrap());
        assert_eq!(output(runner.as_mut(), &has, &[value.clone()]), expected, "{value:?}");
    }
    // What is wrong with the node itself stays a failure: there is no element at this position.
    let at = model("SequenceAt", 11, &[kind, "tensor(int64)"], "tensor(float)");
    let no = refusal(runner.as_mut(), &at, &[floats(vec![]), numbers(DType::Int64, &[0.0])]);
    assert_ne!(no.kind, RefusalKind::Unsupported, "{no}");
}

/// On x86-64, dividing the smallest int32 by -1 raises a signal, and ONNX Runtime does not prevent it.
#[cfg(target_arch = "x86_64")]
#[test]
fn a_division_that_kills_the_process_is_a_crash_and_the_next_case_runs() {
    let Some(mut runner) = start() else { return };
    let i = "tensor(int32)";
    let div = model("Div", 14, &[i, i], i);
    let case = |a: i32, b: i32| [numbers(DType::Int32, &[f64::from(a)]), numbers(DType::Int32, &[f64::from(b)])];
    let cases = [case(7, 2), case(i32::MIN, -1), case(9, 3), case(1, 0), case(8, 2)];
    let jobs: Vec<Job> = cases.iter().map(|inputs| Job::new(&div, inputs)).collect();
    let seen = runner.run_batch(&jobs, common::DEADLINE);
    let answers = |o: &Observation, x: f64| matches!(o, Observation::Outputs { values, .. } if *values == [numbers(DType::Int32, &[x])]);
    let is_crash = |o: &Observation| matches!(o, Observation::Crash { detail } if detail.contains("SIGFPE"));
    assert!(answers(&seen[0], 3.0) && is_crash(&seen[1]) && answers(&seen[2], 3.0), "{seen:?}");
    // A division by zero is refused; it does not crash.
    let is_refused = matches!(&seen[3], Observation::Refused { refusal, .. } if refusal.kind == RefusalKind::Failed);
    assert!(is_refused && answers(&seen[4], 4.0), "{seen:?}");
}

#[cfg(target_os = "linux")]
#[test]
fn an_allocation_beyond_the_limit_fails_inside_the_worker() {
    let Some(mut runner) = start() else { return };
    // 2^31 floats take 8 GiB.
    let expand = model("Expand", 13, &["tensor(float)", "tensor(int64)"], "tensor(float)");
    let shape = Value::Tensor(Tensor::from_i64s(&[1 << 16, 1 << 15]));
    let no = refusal(runner.as_mut(), &expand, &[float(&[1.0]), shape]);
    assert_eq!(no.kind, RefusalKind::Failed, "{no}");
    let f = "tensor(float)";
    assert_eq!(output(runner.as_mut(), &model("Abs", 13, &[f], f), &[float(&[-1.0])]), float(&[1.0]));
}

/// For a Constant with a sparse value, ONNX Runtime returns a sparse tensor where ONNX wants a dense one. The backend
/// passes that answer on unchanged.
#[test]
fn sparse_tensors_are_returned_as_sparse_tensors() {
    let Some(mut runner) = start() else { return };
    let constant = "Constant <sparse_value = sparse_tensor(float[2,3]) {float[2] {1.5, -2.5}, int64[2] {1, 4}}>";
    let constant = model(constant, 13, &[], "tensor(float)");
    let Value::SparseTensor(answer) = output(runner.as_mut(), &constant, &[]) else {
        panic!("expected a sparse tensor")
    };
    assert_eq!(answer.to_dense().unwrap().to_f64s(), [0.0, 1.5, 0.0, 0.0, -2.5, 0.0]);
}
