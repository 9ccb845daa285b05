//! Checks the process of the adapter: how it starts again, how its memory grows, how fast it is, and what it writes.

use std::time::{Duration, Instant};

use plumbline_backend::{Job, Observation};
use plumbline_tensor::{DType, Model, Value};

use super::adapter::Adapter;
use super::model::{Carrier, floats};
use super::outcome::{Trouble, first_line, garbage_advice};
use super::{Problem, Report, slow_start};

/// Memory is measured for the first time after this number of cases, which fill caches.
const WARM_UP: usize = 20;

/// Memory is measured again after every further stretch of this number of cases.
const STRETCH: usize = 90;

/// At most this number of stretches run. The first two always do. The others run only while memory keeps growing: an
/// allocator with an arena stops at some point, and a leak does not.
const MOST_STRETCHES: usize = 12;

/// A growth of memory within two stretches is a finding only above this number of bytes. An adapter that keeps the
/// input or the output of each case grows by 11 MiB.
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

/// Returns whether memory was still growing at the end of the last two stretches. `bytes` is the resident memory after
/// the warm-up and after each stretch.
fn still_grows(bytes: &[u64]) -> bool {
    let [.., first, middle, last] = *bytes else { return true };
    let (growth, later) = (last.saturating_sub(first), last.saturating_sub(middle));
    growth > MOST_GROWTH && later > growth / 4
}

/// Measures resident memory after more and more cases of the same work, until it stays or has grown for too long.
pub fn check_memory(adapter: &mut Adapter, carrier: Carrier) -> Report {
    let (model, input) = (carrier.model(DType::Float, &[ELEMENTS]), [floats(&[ELEMENTS], &[1.0; ELEMENTS])]);
    let begin = Instant::now();
    let (mut done, mut bytes) = (0, Vec::new());
    while bytes.len() < 3 || (bytes.len() <= MOST_STRETCHES && still_grows(&bytes)) {
        let count = if bytes.is_empty() { WARM_UP } else { STRETCH };
        let answered = run_cases(adapter, &model, &input, count, PATIENCE.saturating_sub(begin.elapsed()));
        if answered < count && bytes.len() >= 3 {
            break;
        }
        done += answered;
        if answered < count {
            let least = WARM_UP + 2 * STRETCH;
            return Report::skipped(format!(
                "only {done} of {least} cases were answered within {} s",
                PATIENCE.as_secs()
            ));
        }
        let Some(resident) = adapter.runner.resident_bytes() else {
            return Report::skipped("memory is measured on Linux only, and not for backends in this process");
        };
        bytes.push(resident);
    }
    let mib = |bytes: u64| bytes as f64 / f64::from(1 << 20);
    let (first, last) = (bytes[0], bytes[bytes.len() - 1]);
    let summary = format!("{:.1} MiB after {WARM_UP} cases, {:.1} MiB after {done}", mib(first), mib(last));
    if still_grows(&bytes) {
        let each = last.saturating_sub(first) / (done - WARM_UP) as u64 / 1024;
        return Report::wrong(Problem::new(
            format!("resident memory grew, and did not stop: {summary}, {each} KiB with each case of 64 KiB"),
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

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the number of stretches after which memory counts as settled, or none if it never does.
    fn settled_after(resident_mib: impl Fn(usize) -> u64) -> Option<usize> {
        let bytes: Vec<u64> = (0..=MOST_STRETCHES).map(|stretch| resident_mib(stretch) << 20).collect();
        (2..=MOST_STRETCHES).find(|&stretches| !still_grows(&bytes[..=stretches]))
    }

    #[test]
    fn a_leak_goes_on_and_an_arena_stops() {
        // One tensor of 64 KiB with each case is more than 5 MiB in a stretch.
        assert_eq!(settled_after(|stretch| 300 + 5 * stretch as u64), None);
        assert_eq!(settled_after(|_| 300), Some(2));
        assert_eq!(settled_after(|stretch| if stretch == 0 { 100 } else { 300 }), Some(2));
        assert_eq!(settled_after(|stretch| 300 + 20 * stretch.min(6) as u64), Some(7));
    }
}
