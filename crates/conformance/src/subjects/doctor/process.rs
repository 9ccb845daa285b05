//! Checks the process of the adapter: how it starts again, how its memory grows, how fast it is, and what it writes.

use std::time::{Duration, Instant};

use plumbline_backend::{Job, Observation};
use plumbline_tensor::{DType, Model, Value};

use super::adapter::Adapter;
use super::model::{Carrier, floats};
use super::outcome::{Trouble, first_line, garbage_advice};
use super::{Problem, Report, slow_start};

/// Memory is measured after each of these numbers of cases. The first cases fill caches.
const MEASURED: [usize; 3] = [20, 110, 200];

/// A growth of memory from the first to the last measurement is a finding only above this number of bytes. An adapter
/// that keeps the input or the output of each case grows by 11 MiB.
const MOST_GROWTH: u64 = 8 << 20;

/// The number of elements of the input in the check of memory: 64 KiB of floats.
const ELEMENTS: usize = 16 << 10;

/// The time after which the check of memory runs no further cases.
const PATIENCE: Duration = Duration::from_secs(15);

/// The number of cases by which speed is measured.
const TIMED: usize = 100;

/// A backend that runs fewer small cases than this in a second gets a hint.
const SLOW: f64 = 50.0;

/// Kills the process and runs a case in a new one.
pub fn check_restart(adapter: &mut Adapter, carrier: Carrier) -> Report {
    if !adapter.runner.kill() {
        return Report::skipped("the backend runs in this process");
    }
    let begin = Instant::now();
    match adapter.run(&carrier.model(DType::Float, &[2]), &[floats(&[2], &[1.0; 2])], "the first case after a restart")
    {
        Ok(_) => {
            let took = begin.elapsed();
            let mut report = Report::ok(format!("killed, and answered again after {:.2} s", took.as_secs_f64()));
            report.hints.extend(slow_start(took));
            report
        }
        Err(Trouble::Unsupported(message)) => Report::wrong(Problem::new(
            format!("an operator that ran before the restart is unsupported after it: {}", first_line(&message)),
            "A start must succeed after the last process was killed: use no lock files and no fixed ports.",
        )),
        Err(Trouble::Problem(mut problem)) => {
            problem.advice += " A start must not depend on how the last process ended: no lock files, no fixed ports.";
            Report::wrong(problem)
        }
    }
}

/// Runs `count` cases in batches, each case with its own session. Stops early when `patience` is over, or after a batch
/// with a case that was not answered. Returns the number of cases in the batches that were answered completely.
fn run_cases(adapter: &mut Adapter, model: &Model, input: &[Value], count: usize, patience: Duration) -> usize {
    let (begin, mut answered) = (Instant::now(), 0);
    while answered < count && begin.elapsed() < patience {
        let jobs = vec![Job::new(model, input); (count - answered).min(10)];
        let observations = adapter.run_batch(&jobs);
        if !observations.iter().all(|observation| matches!(observation, Observation::Outputs { .. })) {
            break;
        }
        answered += jobs.len();
    }
    answered
}

/// Compares resident memory after 200 cases with that after 20.
pub fn check_memory(adapter: &mut Adapter, carrier: Carrier) -> Report {
    let (model, input) = (carrier.model(DType::Float, &[ELEMENTS]), [floats(&[ELEMENTS], &[1.0; ELEMENTS])]);
    let begin = Instant::now();
    let (mut done, mut bytes) = (0, Vec::new());
    for until in MEASURED {
        let answered = run_cases(adapter, &model, &input, until - done, PATIENCE.saturating_sub(begin.elapsed()));
        done += answered;
        if done < until {
            let count = MEASURED[2];
            return Report::skipped(format!(
                "only {done} of {count} cases were answered within {} s",
                PATIENCE.as_secs()
            ));
        }
        let Some(resident) = adapter.runner.resident_bytes() else {
            return Report::skipped("memory is measured on Linux only, and not for backends in this process");
        };
        bytes.push(resident);
    }
    let mib = |bytes: u64| bytes as f64 / f64::from(1 << 20);
    let (first, middle, last) = (bytes[0], bytes[1], bytes[2]);
    let (growth, later) = (last.saturating_sub(first), last.saturating_sub(middle));
    let cases = MEASURED[2] - MEASURED[0];
    let summary =
        format!("{:.1} MiB after {} cases, {:.1} MiB after {}", mib(first), MEASURED[0], mib(last), MEASURED[2]);
    // Caches fill once. A leak goes on.
    if growth > MOST_GROWTH && later > growth / 4 {
        let each = growth / cases as u64 / 1024;
        return Report::wrong(Problem::new(
            format!("resident memory grew: {summary}, {each} KiB with each case of 64 KiB"),
            "Release the session, its inputs and its outputs when the next request arrives. Keep no list of models, \
             sessions or results.",
        ));
    }
    Report::ok(summary)
}

/// Measures how many small cases a second the backend runs.
pub fn check_speed(adapter: &mut Adapter, carrier: Carrier) -> Report {
    let (model, input) = (carrier.model(DType::Float, &[2]), [floats(&[2], &[1.0; 2])]);
    let begin = Instant::now();
    let answered = run_cases(adapter, &model, &input, TIMED, Duration::from_secs(5));
    if answered == 0 {
        return Report::skipped("no small case was answered");
    }
    let per_second = answered as f64 / begin.elapsed().as_secs_f64();
    let mut report = Report::ok(format!("{per_second:.0} small cases per second, with a session for each"));
    if per_second < SLOW {
        report.hints.push(
            "A run of all operators has tens of thousands of cases. Import modules and open devices once at the start, \
             keep no sessions, and do not start a process for each case."
                .to_owned(),
        );
    }
    report
}

/// Reports how many answers were invalid, and what was wrong with the first of them.
pub fn check_frames(adapter: &mut Adapter) -> Report {
    match adapter.garbage.first() {
        None if adapter.cases == 0 => Report::skipped("no case ran"),
        None => Report::ok("stdout had frames and nothing else"),
        Some((kind, first)) => Report::wrong(Problem::new(
            format!(
                "{} of {} answers were invalid, the first: {}",
                adapter.garbage.len(),
                adapter.cases,
                first_line(first)
            ),
            garbage_advice(*kind),
        )),
    }
}
