//! Runs one session several times, and several models one after the other.

use plumbline_backend::Job;
use plumbline_tensor::Value;

use super::adapter::Adapter;
use super::model::{Carrier, floats};
use super::outcome::{Trouble, first_line, outputs};
use super::{Problem, Report};

/// Runs one session four times: twice with the same values, then with other values, and then with the first values
/// again. If the backend declares that a session may run on several threads, runs one on two threads as well.
pub fn check_repeated_runs(adapter: &mut Adapter, carrier: Carrier) -> Report {
    if !adapter.runner.runs_again() {
        return Report::skipped("the worker speaks version 1 of the protocol, which has no further runs of a session");
    }
    let model = carrier.graph("again", "float[2] x", "float[2] y", &[("y", "x")]);
    let (first, other) = ([floats(&[2], &[1.0, 2.0])], [floats(&[2], &[-3.0, 4.5])]);
    let jobs =
        [Job::new(&model, &first), Job::again(&model, &first), Job::again(&model, &other), Job::again(&model, &first)];
    let what = ["the first run", "a run with the same values", "a run with other values", "a last run"];
    for ((observation, job), what) in adapter.run_batch(&jobs).into_iter().zip(&jobs).zip(what) {
        let values = match outputs(observation, what) {
            Ok(values) => values,
            Err(Trouble::Unsupported(message)) => {
                return Report::wrong(Problem::new(
                    format!("{what}: refused as `unsupported`: {}", first_line(&message)),
                    "Keep the session after an answer: a frame of kind 7 asks for another run of it. An adapter that \
                     cannot do this says `\"version\": 1` in hello.",
                ));
            }
            Err(Trouble::Problem(mut problem)) => {
                if job.again {
                    problem.advice += " A frame of kind 7 holds no model: run the session of the last request with \
                                       the new inputs.";
                }
                return Report::wrong(problem);
            }
        };
        if values != job.inputs {
            let texts = |values: &[Value]| values.iter().map(Value::to_string).collect::<Vec<_>>().join(", ");
            let advice = if job.again && values == first {
                "The session answers with the outputs of an earlier run. Compute again from the inputs of each frame of \
                 kind 7, and keep no outputs."
            } else {
                "Each run of a session depends on its own inputs only. Reset buffers and state that a run leaves behind."
            };
            let found = format!("{what}: answered {}, expected {}", texts(&values), texts(job.inputs));
            return Report::wrong(Problem::new(found, advice));
        }
    }
    if !adapter.runner.profile().concurrent_runs {
        return Report::ok("one session ran four times, with equal and with other values");
    }
    match runs_at_once(adapter, carrier) {
        None => Report::ok("one session ran four times, with equal and with other values, and on two threads at once"),
        Some(problem) => Report::wrong(problem),
    }
}

/// Runs one session on two threads at once, several times, with different values. Returns what is wrong.
fn runs_at_once(adapter: &mut Adapter, carrier: Carrier) -> Option<Problem> {
    const SIZE: usize = 4096;
    const TIMES: usize = 8;
    let ends = format!("float[{SIZE}]");
    let model = carrier.graph("at_once", &format!("{ends} x"), &format!("{ends} y"), &[("y", "x")]);
    let values = |sign: f32| floats(&[SIZE], &(0..SIZE).map(|i| sign * (i as f32 + 0.5)).collect::<Vec<_>>());
    let both = [values(1.0), values(-1.0)];
    let mut jobs = vec![Job::new(&model, &both[..1])];
    jobs.extend([Job::at_once(&model, &both); TIMES]);
    let advice = "The profile in hello has `concurrent_runs`, so that frames of kind 8 come. Give each run buffers of its \
                  own, or leave the key out if the runtime allows one run of a session at a time.";
    for (observation, job) in adapter.run_batch(&jobs).into_iter().zip(&jobs) {
        let what = if job.at_once { "two runs at once" } else { "the run before two at once" };
        let found = match outputs(observation, what) {
            Ok(values) if values == job.inputs => continue,
            Ok(_) => format!("{what}: answered with other values than each run alone"),
            Err(Trouble::Unsupported(message)) => {
                format!("{what}: refused as `unsupported`: {}", first_line(&message))
            }
            Err(Trouble::Problem(problem)) => problem.found,
        };
        return Some(Problem::new(found, advice));
    }
    None
}

/// Runs two models one after the other, and then the first one again. The two models have the same names for the graph,
/// its inputs and its outputs, but compute different things.
pub fn check_several_models(adapter: &mut Adapter, carrier: Carrier) -> Report {
    let (inputs, outs) = ("float[2] x, float[2] w", "float[2] y, float[2] z");
    let straight = carrier.graph("same_name", inputs, outs, &[("y", "x"), ("z", "w")]);
    let crossed = carrier.graph("same_name", inputs, outs, &[("y", "w"), ("z", "x")]);
    let (x, w) = (floats(&[2], &[1.0, 2.0]), floats(&[2], &[3.0, 4.0]));
    let (values, swapped) = ([x.clone(), w.clone()], [w, x]);
    let jobs = [Job::new(&straight, &values), Job::new(&crossed, &values), Job::new(&straight, &values)];
    let (expected, others) = ([&values, &swapped, &values], [&swapped, &values, &swapped]);
    for (number, (observation, expected)) in adapter.run_batch(&jobs).into_iter().zip(expected).enumerate() {
        let what = format!("model {} of 3 in a row", number + 1);
        match outputs(observation, &what) {
            Ok(found) if found == *expected => {}
            // The answer has the values of neither model, or those of the second model before that model has run.
            Ok(found) if number == 0 || found != *others[number] => {
                let found = format!("{what}: answered with wrong values");
                let advice = "Return what the model computes from the inputs of the request, in the order in which the \
                              graph lists its outputs.";
                return Report::wrong(Problem::new(found, advice));
            }
            Ok(_) => {
                let found = format!("{what}: answered with the values of another model");
                let advice = "Load the model of each request. Do not keep sessions by the name of the graph, of its inputs \
                              or of its nodes.";
                return Report::wrong(Problem::new(found, advice));
            }
            Err(Trouble::Unsupported(message)) => {
                return Report::skipped(format!("{what}: unsupported: {}", first_line(&message)));
            }
            Err(Trouble::Problem(problem)) => return Report::wrong(problem),
        }
    }
    Report::ok("two models with the same names ran in turn")
}
