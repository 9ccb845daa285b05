//! Checks that the adapter refuses what it has to refuse, with the right kind, and goes on.

use plumbline_backend::{Job, Observation, RefusalKind};
use plumbline_tensor::{DType, Model, Tensor, Value};

use super::adapter::Adapter;
use super::model::{OPSET, floats, parse};
use super::outcome::{Trouble, first_line, kind_name, outputs};
use super::{Problem, Report};

/// Checks that a model with an operator that does not exist is refused as unsupported.
pub fn check_unknown_operator(adapter: &mut Adapter) -> Report {
    let graph = "unknown (float[2] x) => (float[2] y) { y = plumbline.doctor.Nonexistent (x) }";
    let map = "Answer `unsupported` for operators, versions and types that the runtime does not have: such a case \
               counts as not covered. Look for the status or exception that the runtime has for this, and map it \
               to `unsupported`.";
    run(adapter, &parse(OPSET, graph), &[floats(&[2], &[1.0, 2.0])], |observation| match observation {
        Observation::Refused { refusal, .. } if refusal.kind == RefusalKind::Unsupported => Ok(refusal.message.clone()),
        Observation::Refused { refusal, .. } => Err(Problem::new(
            format!(
                "an operator that does not exist was refused as `{}`, expected `unsupported`: {}",
                kind_name(refusal.kind),
                first_line(&refusal.message)
            ),
            format!("{map} Otherwise each operator that the backend lacks counts as a failure."),
        )),
        Observation::Outputs { .. } => Err(Problem::new(
            "a model with an operator that does not exist was answered with outputs",
            "Refuse a model if the runtime reports an error. Do not answer with outputs that nobody computed.",
        )),
        other => Err(unrefused(other, "an operator that does not exist", map)),
    })
}

/// Checks that a model is refused if its node has inputs of two types where the specification allows only one.
pub fn check_invalid_model(adapter: &mut Adapter) -> Report {
    let model = parse(OPSET, "invalid (float[2] x, int32[2] w) => (float[2] y) { y = Add (x, w) }");
    let numbers = Tensor::from_i128s(DType::Int32, vec![2], &[1, 2]).expect("there are two elements");
    let advice = "Check a model as the runtime's own users do, or catch the error of the runtime, and answer `invalid` or \
                  `failed` with the runtime's message.";
    run(adapter, &model, &[floats(&[2], &[1.0, 2.0]), Value::Tensor(numbers)], |observation| match observation {
        Observation::Refused { refusal, .. } => Ok(format!("`{}`: {}", kind_name(refusal.kind), refusal.message)),
        Observation::Outputs { .. } => Err(Problem::new(
            "Add of float and int32 was answered with outputs, although both inputs have to be of one type",
            "Let the runtime check types, for example with the onnx package's checker and `full_check=True` before the \
             model is loaded. Otherwise invalid cases fail as accepts-invalid.",
        )),
        other => Err(unrefused(other, "Add of float and int32", advice)),
    })
}

/// Returns the problem of a model that got neither outputs nor a refusal.
fn unrefused(observation: &Observation, what: &str, advice: &str) -> Problem {
    match outputs(observation.clone(), what) {
        Err(Trouble::Problem(problem)) if !matches!(observation, Observation::Garbage { .. }) => {
            Problem::new(format!("{}, expected a refusal", problem.found), advice)
        }
        Err(Trouble::Problem(problem)) => problem,
        _ => Problem::new(format!("{what}: expected a refusal"), advice),
    }
}

/// Runs a model that has to be refused and, if the backend can carry floats, a valid one in the same batch. `judge`
/// returns the reason of the refusal, or what is wrong.
fn run(
    adapter: &mut Adapter,
    model: &Model,
    inputs: &[Value],
    judge: impl FnOnce(&Observation) -> Result<String, Problem>,
) -> Report {
    let next = adapter.float_carrier().ok().map(|carrier| carrier.model(DType::Float, &[2]));
    let valid = [floats(&[2], &[1.0, 2.0])];
    let mut jobs = vec![Job::new(model, inputs)];
    jobs.extend(next.as_ref().map(|next| Job::new(next, &valid)));
    let observations = adapter.run_batch(&jobs);
    let Some(refused) = observations.first() else { return Report::skipped("the backend returned no observation") };
    let after = observations.get(1).map(|after| outputs(after.clone(), "the next case, a valid one"));
    let has_run = matches!(after, Some(Ok(_)));
    let mut report = match judge(refused) {
        Ok(reason) if has_run => Report::ok(format!("refused ({}), and the next case ran", first_line(&reason))),
        Ok(reason) => Report::ok(format!("refused ({})", first_line(&reason))),
        Err(problem) => Report::wrong(problem),
    };
    match after {
        Some(Ok(values)) if values == valid => {}
        Some(Ok(_)) => report.problems.push(Problem::new(
            "the next case, a valid one, was answered with wrong values",
            "A refused model must leave nothing behind. Drop its session before the next request.",
        )),
        Some(Err(Trouble::Unsupported(message))) => report.problems.push(Problem::new(
            format!("the next case, a valid one, was refused as `unsupported`: {}", first_line(&message)),
            "A refused model must leave nothing behind. Drop its session and its error before the next request.",
        )),
        Some(Err(Trouble::Problem(problem))) => report.problems.push(problem),
        None => {}
    }
    report
}
