//! Checks that common mistakes of adapters are found, each with advice about that mistake.
// Over 400 lines: one list of the mistakes, with the backends that make them.

use std::collections::BTreeMap;
use std::sync::Mutex;
use std::time::Duration;

use plumbline_backend::{
    Backend, Identity, Job, Local, Observation, Prepared, Profile, Refusal, RefusalKind, Runner, mock::Mock,
};
use plumbline_conformance::doctor::{Check, Status, examine};
use plumbline_executor::OracleBackend;
use plumbline_tensor::{DType, Data, Model, Tensor, Value};

use crate::concurrent::{Fault, Faulty};

type Run = fn(&Model, &[Value]) -> Result<Vec<Value>, Refusal>;

/// A backend whose adapter has one mistake.
#[derive(Clone)]
struct Adapter {
    identity: Identity,
    profile: Profile,
    run: Run,
}

impl Adapter {
    fn new(run: Run) -> Adapter {
        let identity = Identity { name: "adapter".to_owned(), version: "1".to_owned() };
        Adapter { identity, profile: Profile::default(), run }
    }
}

impl Backend for Adapter {
    fn identity(&self) -> Identity {
        self.identity.clone()
    }
    fn profile(&self) -> &Profile {
        &self.profile
    }
    fn prepare(&self, model: &Model) -> Result<Box<dyn Prepared>, Refusal> {
        Ok(Box::new(Ready { model: model.clone(), run: self.run }))
    }
}

struct Ready {
    model: Model,
    run: Run,
}

impl Prepared for Ready {
    fn run(&mut self, inputs: &[Value]) -> Result<Vec<Value>, Refusal> {
        (self.run)(&self.model, inputs)
    }
}

fn oracle(model: &Model, inputs: &[Value]) -> Result<Vec<Value>, Refusal> {
    OracleBackend::default().prepare(model)?.run(inputs)
}

/// Answers as the oracle does, and changes each output, which must be a tensor.
fn changed(model: &Model, inputs: &[Value], change: fn(Tensor) -> Tensor) -> Result<Vec<Value>, Refusal> {
    let outputs = oracle(model, inputs)?.into_iter();
    Ok(outputs.map(|value| Value::Tensor(change(value.into_tensor().unwrap()))).collect())
}

/// Replaces the bytes of tensors of this type.
fn bytes(tensor: Tensor, dtype: DType, change: fn(&[u8]) -> Vec<u8>) -> Tensor {
    if tensor.dtype() != dtype {
        return tensor;
    }
    Tensor::from_bytes(dtype, tensor.shape().to_vec(), change(tensor.bytes())).unwrap()
}

fn numbers(tensor: Tensor, dtype: DType, change: fn(f64) -> f64) -> Tensor {
    if tensor.dtype() != dtype {
        return tensor;
    }
    let elements: Vec<f64> = tensor.to_f64s().into_iter().map(change).collect();
    Tensor::from_f64s(dtype, tensor.shape().to_vec(), &elements).unwrap()
}

fn diagnose(runner: impl Runner + 'static) -> Vec<Check> {
    let mut reported = Vec::new();
    let checks =
        examine(|| Ok(Box::new(runner)), Duration::from_secs(5), &mut |check| reported.push(check.clone())).unwrap();
    assert_eq!(reported, checks);
    checks
}

/// Asserts that only the check called `name` has the status `Wrong`, and that one of its problems contains `found` and
/// `advice`.
#[track_caller]
fn expect(checks: &[Check], name: &str, found: &str, advice: &str) {
    let wrong: Vec<&str> = checks.iter().filter(|c| c.status() == Status::Wrong).map(|c| c.name).collect();
    assert_eq!(wrong, [name], "{checks:#?}");
    let check = checks.iter().find(|check| check.name == name).unwrap();
    let fits = |problem: &&plumbline_conformance::doctor::Problem| {
        problem.found.contains(found) && problem.advice.contains(advice)
    };
    assert!(check.problems.iter().any(|problem| fits(&problem)), "{found} | {advice}\n{:#?}", check.problems);
}

#[track_caller]
fn finds(run: Run, name: &str, found: &str, advice: &str) {
    expect(&diagnose(Local::new(Box::new(Adapter::new(run)))), name, found, advice);
}

fn status(checks: &[Check], name: &str) -> Status {
    checks.iter().find(|check| check.name == name).unwrap().status()
}

#[test]
fn an_adapter_without_a_mistake_is_ok() {
    let checks = diagnose(Local::new(Box::new(Adapter::new(oracle))));
    assert_eq!(checks.len(), 15);
    for check in &checks {
        // A backend in this process cannot be killed or measured.
        let expected = if ["restart", "memory"].contains(&check.name) { Status::NotChecked } else { Status::Ok };
        assert_eq!(check.status(), expected, "{check:#?}");
    }
}

#[test]
fn handshakes_are_checked() {
    let with = |change: fn(&mut Adapter)| {
        let mut adapter = Adapter::new(oracle);
        change(&mut adapter);
        diagnose(Local::new(Box::new(adapter)))
    };
    expect(&with(|a| a.identity.name.clear()), "handshake", "empty `name`", "`identity.name`");
    expect(&with(|a| a.identity.version.clear()), "handshake", "empty `version`", "`identity.version`");
    expect(&with(|a| a.profile.accuracy = "exact".to_owned()), "handshake", "exact", "`profile`");
    let constant = |a: &mut Adapter| {
        a.profile.constant_inputs = BTreeMap::from([("Reshape".to_owned(), vec!["form".to_owned()])]);
    };
    expect(&with(constant), "handshake", "not an input of `Reshape`", "`profile`");
}

#[test]
fn elements_that_were_read_wrongly_are_recognized() {
    let element_types = |run: Run, found: &str, advice: &str| finds(run, "element types", found, advice);
    element_types(
        |m, i| {
            changed(m, i, |t| bytes(t, DType::Int32, |b| b.chunks(4).flat_map(|e| e.iter().rev().copied()).collect()))
        },
        "int32 (by Identity): 7 of 9 elements differ; element 1 is 16777216 (0x01000000), expected 1",
        "little-endian",
    );
    element_types(|m, i| changed(m, i, |t| bytes(t, DType::Uint16, |b| vec![0; b.len()])), "uint16", "(field 9");
    element_types(
        |m, i| changed(m, i, |t| bytes(t, DType::Bool, |b| b.iter().map(|b| 1 - b).collect())),
        "bool (by Identity): 5 of 5",
        "is one byte",
    );
    element_types(
        |m, i| {
            // Swaps the two elements that share a byte in the wire format.
            changed(m, i, |t| {
                bytes(t, DType::Int4, |b| b.chunks(2).flat_map(|pair| pair.iter().rev().copied()).collect())
            })
        },
        "int4 (by Identity)",
        "the first in the low half",
    );
    element_types(
        |m, i| changed(m, i, |t| numbers(t, DType::Double, |x| f64::from(x as f32))),
        "double",
        "rounded to float",
    );
    element_types(
        |m, i| changed(m, i, |t| numbers(t, DType::Double, |x| if x == 0.0 { 0.0 } else { x })),
        "element 1 is 0 (0x0000000000000000), expected -0",
        "sign of a zero",
    );
    element_types(
        |m, i| changed(m, i, |t| numbers(t, DType::Float16, |x| x.clamp(-65504.0, 65504.0))),
        "float16",
        "infinities",
    );
    element_types(
        |m, i| {
            changed(m, i, |t| match t.dtype() {
                DType::Int64 => {
                    let rounded: Vec<i128> = t.to_i128s().iter().map(|&x| i128::from(x as f64 as i64)).collect();
                    Tensor::from_i128s(DType::Int64, t.shape().to_vec(), &rounded).unwrap()
                }
                _ => t,
            })
        },
        "int64",
        "beyond 2^53",
    );
    element_types(
        |m, i| {
            changed(m, i, |t| match t.dtype() {
                DType::Int64 => {
                    let narrowed: Vec<i128> = t.to_i128s().iter().map(|&x| i128::from(x as i32)).collect();
                    Tensor::from_i128s(DType::Int64, t.shape().to_vec(), &narrowed).unwrap()
                }
                _ => t,
            })
        },
        "int64",
        "pass through 32 bits",
    );
    element_types(
        |m, i| {
            changed(m, i, |t| {
                let Data::Strings(strings) = t.data() else { return t };
                let latin = |s: &Vec<u8>| s.iter().map(|&b| char::from(b)).collect::<String>().into_bytes();
                Tensor::from_strings(t.shape().to_vec(), strings.iter().map(latin).collect()).unwrap()
            })
        },
        "string (by Identity): 3 of 6",
        "UTF-8",
    );
    element_types(
        |m, i| changed(m, i, |t| if t.dtype() == DType::Int8 { t.cast_to(DType::Uint8) } else { t }),
        "the output is uint8, expected int8",
        "the type that the graph declares",
    );
}

/// Gives the bytes of a tensor another type of the same width.
trait CastTo {
    fn cast_to(&self, dtype: DType) -> Tensor;
}

impl CastTo for Tensor {
    fn cast_to(&self, dtype: DType) -> Tensor {
        Tensor::from_bytes(dtype, self.shape().to_vec(), self.bytes().to_vec()).unwrap()
    }
}

#[test]
fn types_that_make_a_backend_fail_are_findings_and_unsupported_types_are_not() {
    finds(
        |m, i| match i[0].as_tensor().unwrap().dtype() {
            DType::Bfloat16 => Err(Refusal::failed("KeyError: 16")),
            _ => oracle(m, i),
        },
        "element types",
        "bfloat16 (by Identity): refused as `failed`: KeyError: 16",
        "Answer `unsupported`",
    );
    finds(
        |m, i| match i[0].as_tensor().unwrap().dtype() {
            DType::Uint8 | DType::Int16 => panic!("no such type"),
            _ => oracle(m, i),
        },
        "element types",
        "uint8 (by Identity): the worker broke down: panicked: no such type; likewise int16",
        "Catch errors",
    );
    let checks = diagnose(Local::new(Box::new(Adapter::new(|m, i| match i[0].as_tensor().unwrap().dtype() {
        DType::String => Err(Refusal::unsupported("no strings")),
        _ => oracle(m, i),
    }))));
    assert!(checks.iter().all(|check| check.status() != Status::Wrong), "{checks:#?}");
    assert!(checks[1].summary.ends_with("; unsupported: string"), "{}", checks[1].summary);
    // Without Identity, another operator carries the tensors.
    let checks = diagnose(Local::new(Box::new(Adapter::new(|m, i| {
        let is_identity = |node: &plumbline_tensor::onnx::NodeProto| node.op_type.as_deref() == Some("Identity");
        match m.graph().node.iter().any(is_identity) {
            true => Err(Refusal::unsupported("no Identity")),
            false => oracle(m, i),
        }
    }))));
    assert!(checks.iter().all(|check| check.status() != Status::Wrong), "{checks:#?}");
    // Nothing can be said about a backend that supports no operator.
    let checks = diagnose(Local::new(Box::new(Adapter::new(|_, _| Err(Refusal::unsupported("nothing"))))));
    for name in ["element types", "shapes", "order of inputs", "initializers", "speed"] {
        assert_eq!(status(&checks, name), Status::NotChecked);
    }
}

#[test]
fn shapes_are_checked() {
    finds(
        |m, i| changed(m, i, |t| if t.rank() == 0 { t.reshaped(vec![1]).unwrap() } else { t }),
        "shapes",
        "a scalar [] (by Identity): the output has the shape [1], expected []",
        "rank 0",
    );
    finds(
        |m, i| changed(m, i, |t| if t.is_empty() { t.reshaped(vec![0]).unwrap() } else { t }),
        "shapes",
        "has the shape [0], expected [2, 0, 3]",
        "An extent of 0 is valid",
    );
    finds(
        |m, i| changed(m, i, |t| if t.rank() == 6 { t.reshaped(vec![2, 3, 2]).unwrap() } else { t }),
        "shapes",
        "has the shape [2, 3, 2]",
        "Read and write all `dims`",
    );
}

#[test]
fn values_that_change_places_are_found() {
    let sorted_inputs: Run = |model, inputs| {
        let mut named: Vec<_> = model.input_names().into_iter().zip(inputs.iter().cloned()).collect();
        let is_sub = model.graph().node[0].op_type.as_deref() == Some("Sub");
        if is_sub {
            named.reverse();
        }
        let values: Vec<Value> = named.into_iter().map(|(_, value)| value).collect();
        oracle(model, &values)
    };
    finds(sorted_inputs, "order of inputs", "Sub of the inputs z and a: answered", "The inputs are swapped");
    let sorted_outputs: Run = |model, inputs| {
        let mut outputs: Vec<_> =
            model.output_names().into_iter().map(str::to_owned).zip(oracle(model, inputs)?).collect();
        outputs.sort_by(|a, b| a.0.cmp(&b.0));
        Ok(outputs.into_iter().map(|(_, value)| value).collect())
    };
    finds(sorted_outputs, "order of outputs", "two outputs z and a: answered float[3]", "The outputs are swapped");
    let without_inputs: Run = |model, inputs| {
        let outputs = model.output_names().into_iter().zip(oracle(model, inputs)?);
        Ok(outputs.filter(|(name, _)| !model.input_names().contains(name)).map(|(_, value)| value).collect())
    };
    finds(without_inputs, "shared values", "returned 1 outputs, but the model has 2", "one value for each entry");
}

#[test]
fn initializers_are_checked() {
    let old: Run = |model, inputs| match model.proto.ir_version {
        Some(3) => Err(Refusal::failed("2 inputs expected")),
        _ => oracle(model, inputs),
    };
    finds(old, "initializers", "(IR version 3): refused as `failed`", "Below IR version 4");
    let typed: Run = |model, inputs| {
        let mut model = model.clone();
        for tensor in &mut model.proto.graph.as_mut().unwrap().initializer {
            if !tensor.float_data.is_empty() {
                tensor.float_data = vec![0.0; tensor.float_data.len()];
            }
        }
        oracle(&model, inputs)
    };
    finds(typed, "initializers", "an initializer in float_data: answered float[2] [1, 2]", "if it has no `raw_data`");
}

#[test]
fn sessions_that_remember_too_much_are_found() {
    let mock = |mode: &str| {
        let inner = Box::new(Adapter::new(oracle));
        let checks = diagnose(Local::new(Box::new(Mock::new(mode, inner).unwrap())));
        // The mock has no version.
        assert_eq!(status(&checks, "handshake"), Status::Wrong);
        checks[1..].to_vec()
    };
    expect(&mock("stale"), "repeated runs", "a run with other values", "outputs of an earlier run");
    expect(&mock("drift"), "repeated runs", "a run with the same values", "Reset buffers");
    let by_name: Run = |model, inputs| {
        static KEPT: Mutex<BTreeMap<String, Model>> = Mutex::new(BTreeMap::new());
        let graph = model.graph().name.clone().unwrap();
        if graph != "same_name" {
            return oracle(model, inputs);
        }
        let kept = KEPT.lock().unwrap().entry(graph).or_insert_with(|| model.clone()).clone();
        oracle(&kept, inputs)
    };
    finds(by_name, "several models", "model 2 of 3 in a row", "by the name of the graph");
}

#[test]
fn two_runs_at_once_are_checked_where_the_profile_declares_them() {
    let repeated = |fault: Fault, concurrent_runs: bool| {
        let profile = Profile { concurrent_runs, ..Profile::default() };
        diagnose(Local::new(Box::new(Faulty { fault, profile })))
    };
    expect(&repeated(Fault::SharedBuffer, true), "repeated runs", "two runs at once: answered", "`concurrent_runs`");
    expect(&repeated(Fault::Refusing, true), "repeated runs", "the session is busy", "leave the key out");
    assert_eq!(status(&repeated(Fault::None, true), "repeated runs"), Status::Ok);
    assert_eq!(status(&repeated(Fault::SharedBuffer, false), "repeated runs"), Status::Ok);
}

#[test]
fn refusals_are_checked() {
    let failed: Run =
        |model, inputs| oracle(model, inputs).map_err(|refusal| Refusal { kind: RefusalKind::Failed, ..refusal });
    finds(
        failed,
        "unknown operator",
        "refused as `failed`, expected `unsupported`",
        "each operator that the backend lacks",
    );
    let answers: Run = |model, inputs| oracle(model, inputs).or_else(|_| Ok(inputs[..1].to_vec()));
    let checks = diagnose(Local::new(Box::new(Adapter::new(answers))));
    assert_eq!(status(&checks, "unknown operator"), Status::Wrong);
    let invalid = checks.iter().find(|check| check.name == "invalid model").unwrap();
    assert!(invalid.problems[0].advice.contains("checker"), "{invalid:#?}");
    let panics: Run = |model, inputs| match oracle(model, inputs) {
        Err(refusal) if refusal.kind == RefusalKind::Invalid => panic!("a C++ exception"),
        other => other,
    };
    finds(
        panics,
        "invalid model",
        "the worker broke down: panicked: a C++ exception, expected a refusal",
        "catch the error",
    );
}

#[test]
fn a_slow_backend_gets_a_hint() {
    let slow: Run = |model, inputs| {
        std::thread::sleep(Duration::from_millis(25));
        oracle(model, inputs)
    };
    let checks = diagnose(Local::new(Box::new(Adapter::new(slow))));
    let speed = checks.iter().find(|check| check.name == "speed").unwrap();
    assert_eq!(speed.status(), Status::Ok);
    assert!(speed.hints[0].contains("Import modules"), "{speed:#?}");
}

/// A backend that only claims to run in a process of its own.
struct Claimed {
    inner: Local,
    /// The number of bytes by which each case increases the memory in use.
    growth: u64,
    cases: u64,
    /// Whether it starts again after it was killed.
    restarts: bool,
    killed: bool,
    version: u32,
}

impl Claimed {
    fn new() -> Claimed {
        let inner = Local::new(Box::new(Adapter::new(oracle)));
        Claimed { inner, growth: 0, cases: 0, restarts: true, killed: false, version: 2 }
    }
}

impl Runner for Claimed {
    fn identity(&self) -> &Identity {
        self.inner.identity()
    }
    fn profile(&self) -> &Profile {
        self.inner.profile()
    }
    fn run(&mut self, model: &Model, inputs: &[Value], deadline: Duration) -> Observation {
        self.run_batch(&[Job::new(model, inputs)], deadline).remove(0)
    }
    fn runs_again(&self) -> bool {
        self.version > 1
    }
    fn resident_bytes(&mut self) -> Option<u64> {
        Some((50 << 20) + self.cases * self.growth)
    }
    fn kill(&mut self) -> bool {
        self.killed = true;
        true
    }
    fn run_batch(&mut self, jobs: &[Job<'_>], deadline: Duration) -> Vec<Observation> {
        self.cases += jobs.len() as u64;
        if self.killed && !self.restarts {
            let reason = "adapter could not be started again: 3 attempts in a row failed".to_owned();
            return vec![Observation::NotRun { reason }; jobs.len()];
        }
        self.inner.run_batch(jobs, deadline)
    }
}

#[test]
fn memory_that_grows_with_each_case_is_found() {
    let checks = diagnose(Claimed::new());
    assert!(checks.iter().all(|check| check.status() == Status::Ok), "{checks:#?}");
    expect(
        &diagnose(Claimed { growth: 64 << 10, ..Claimed::new() }),
        "memory",
        "64 KiB with each case",
        "Keep no list",
    );
    let checks = diagnose(Claimed { growth: 32 << 10, ..Claimed::new() });
    assert_eq!(status(&checks, "memory"), Status::Ok);
}

#[test]
fn a_worker_that_does_not_start_again_is_found() {
    let checks = diagnose(Claimed { restarts: false, ..Claimed::new() });
    expect(&checks, "restart", "could not be started again", "no lock files");
    assert_eq!(status(&checks, "memory"), Status::NotChecked);
}

#[test]
fn version_1_has_no_repeated_runs() {
    let checks = diagnose(Claimed { version: 1, ..Claimed::new() });
    assert_eq!(status(&checks, "repeated runs"), Status::NotChecked);
    assert!(checks[0].summary.contains("protocol version 1"), "{}", checks[0].summary);
}
