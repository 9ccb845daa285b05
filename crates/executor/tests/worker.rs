//! Tests many ways in which a backend can misbehave, with real worker processes.

#![allow(clippy::unwrap_used, reason = "a test program")]

mod common;

use std::time::{Duration, Instant};

use common::{abs, cases, float, is_right, registry};
use plumbline_executor::worker::{Command, Limits, Worker};
use plumbline_executor::{Job, Observation, RefusalKind, Runner, StartError};

const FLOAT: &str = "tensor(float)";

const DEADLINE: Duration = Duration::from_millis(1500);

fn start(name: &str) -> Box<dyn Runner> {
    registry(Limits::default()).start(name).unwrap()
}

fn run_all(runner: &mut dyn Runner, count: usize) -> Vec<Observation> {
    common::run_all(runner, DEADLINE, count)
}

#[test]
fn answers_are_correct_one_at_a_time_and_in_batches() {
    let mut runner = start("mock:ok");
    assert_eq!(runner.identity().to_string(), "mock:ok");
    assert!(runner.profile().needs_worker);
    let add = common::model("Add", 14, &[FLOAT, FLOAT], FLOAT);
    let observation = runner.run(&add, &[float(&[1.0, 2.0]), float(&[0.5, -2.0])], DEADLINE);
    assert!(matches!(observation, Observation::Outputs { values, .. } if values == [float(&[1.5, 0.0])]));
    for (i, observation) in run_all(runner.as_mut(), 500).iter().enumerate() {
        assert!(is_right(observation, i), "{i}: {observation:?}");
    }
}

#[test]
fn a_refusal_is_not_an_answer() {
    let mut runner = start("mock:ok");
    let observation = runner.run(&common::model("Softplus", 13, &[FLOAT], FLOAT), &[float(&[1.0])], DEADLINE);
    let Observation::Refused { refusal, .. } = observation else { panic!("{observation:?}") };
    assert_eq!((refusal.kind, refusal.message.as_str()), (RefusalKind::Unsupported, "operator Softplus"));
    let observation = runner.run(&abs(), &[], DEADLINE);
    assert!(matches!(observation, Observation::Refused { refusal, .. } if refusal.kind == RefusalKind::Invalid));
}

/// Asserts that every third case of a process goes wrong, and that all others are answered in order, whatever happens
/// to the process.
fn only_every_third(name: &str, is_expected: impl Fn(&Observation) -> bool) {
    let mut runner = start(name);
    for (i, observation) in run_all(runner.as_mut(), 10).iter().enumerate() {
        let fine = if i % 3 == 2 { is_expected(observation) } else { is_right(observation, i) };
        assert!(fine, "case {i} of {name}: {observation:?}");
    }
}

#[test]
fn a_case_that_crashes_a_used_process_runs_again_in_a_new_one() {
    let mut runner = start("mock:crash/3");
    assert!(run_all(runner.as_mut(), 2).iter().enumerate().all(|(i, o)| is_right(o, i)));
    // The first case of this batch is the third case of the process, and crashes it. The case is repeated as the first
    // one of a new process.
    assert!(run_all(runner.as_mut(), 2).iter().enumerate().all(|(i, o)| is_right(o, i)));
    let observations = run_all(runner.as_mut(), 3);
    assert!(matches!(observations[2], Observation::Crash { .. }), "{observations:?}");
}

fn crash_with<'a>(words: &'a [&'a str]) -> impl Fn(&Observation) -> bool + 'a {
    move |observation| match observation {
        Observation::Crash { detail } => words.iter().all(|word| detail.contains(word)),
        _ => false,
    }
}

#[test]
fn a_crash_costs_one_case() {
    only_every_third("mock:crash/3", crash_with(&["SIGABRT", "stderr: mock: about to crash"]));
}

#[test]
fn a_worker_that_exits_with_0_is_a_crash() {
    only_every_third("mock:exit/3", crash_with(&["exit status: 0"]));
}

#[test]
fn a_panic_is_a_crash_with_file_and_line() {
    only_every_third("mock:panic/3", crash_with(&["panicked at ", "mock/mod.rs:", ": mock: panic on purpose"]));
}

#[cfg(target_os = "linux")]
#[test]
fn too_much_memory_fails_inside_the_worker() {
    only_every_third("mock:hungry/3", crash_with(&["SIGABRT", "memory allocation"]));
}

#[test]
fn a_lost_device_costs_one_case() {
    only_every_third("mock:device-lost/3", |o| {
        matches!(o, Observation::Refused { refusal, .. } if refusal.kind == RefusalKind::DeviceLost
            && refusal.message == "mock: the device was removed")
    });
}

#[test]
fn a_hang_is_a_timeout_and_costs_one_case() {
    let start = Instant::now();
    only_every_third("mock:hang/3", |o| matches!(o, Observation::Timeout { after } if *after == DEADLINE));
    assert!(start.elapsed() >= 3 * DEADLINE, "the hangs took less than three deadlines");
    assert!(start.elapsed() < 6 * DEADLINE, "the hangs took six deadlines or more");
}

#[test]
fn a_worker_that_does_not_answer_is_a_timeout() {
    let mut runner = start("mock:silent");
    assert!(run_all(runner.as_mut(), 2).iter().all(|o| matches!(o, Observation::Timeout { .. })));
}

#[test]
fn answers_with_another_id_are_garbage() {
    // The worker leaves every third case without an answer. While the host waits for that answer, the worker answers
    // the next case.
    only_every_third("mock:silent/3", |o| {
        matches!(o, Observation::Garbage { detail, .. } if detail.contains("answered request"))
            || matches!(o, Observation::Timeout { .. })
    });
    only_every_third(
        "mock:other-id/3",
        |o| matches!(o, Observation::Garbage { detail, .. } if detail.contains("answered request")),
    );
}

#[test]
fn bytes_that_are_not_a_frame_are_garbage() {
    only_every_third(
        "mock:garbage/3",
        |o| matches!(o, Observation::Garbage { detail, .. } if detail.contains("start with all is well")),
    );
}

#[test]
fn too_few_outputs_are_garbage() {
    only_every_third(
        "mock:short/3",
        |o| matches!(o, Observation::Garbage { detail, .. } if detail == "returned 0 outputs, but the model has 1"),
    );
}

#[test]
fn printing_to_stdout_does_not_disturb_the_protocol() {
    let mut runner = start("mock:print");
    for (i, observation) in run_all(runner.as_mut(), 50).iter().enumerate() {
        assert!(is_right(observation, i), "{i}: {observation:?}");
    }
}

#[test]
fn wrong_answers_are_outputs() {
    let right = |name: &str| -> Vec<bool> {
        let seen = run_all(start(name).as_mut(), 6);
        assert!(seen.iter().all(|o| matches!(o, Observation::Outputs { .. })), "{seen:?}");
        seen.iter().enumerate().map(|(i, o)| is_right(o, i)).collect()
    };
    assert_eq!(right("mock:lie"), [false; 6]);
    assert_eq!(right("mock:lie/3"), [true, true, false, true, true, false]);
    assert_eq!(right("mock:flake"), [true, false, true, false, true, false]);
}

#[test]
fn a_worker_that_does_not_start_gives_the_reason() {
    let fails = |name: &str, limits: Limits| match registry(limits).start(name).map(|_| ()) {
        Err(StartError::CannotStart { backend, reason, .. }) if backend == name => reason,
        other => panic!("{name}: {other:?}"),
    };
    assert_eq!(fails("mock:no-start", Limits::default()), "mock:no-start never starts");
    assert_eq!(fails("mock:dead-start", Limits::default()), "it ended without a greeting: exit status: 0");
    let hasty = Limits { start_deadline: Duration::from_millis(100), ..Limits::default() };
    assert_eq!(fails("mock:slow-start", hasty), "it sent no greeting within 100ms");
    let mut runner = start("mock:slow-start");
    assert!(is_right(&run_all(runner.as_mut(), 1)[0], 0), "the deadline of a case does not apply to the start");
}

#[test]
fn a_case_that_is_too_large_to_send_is_not_run_and_disturbs_no_other() {
    let mut runner = registry(Limits { frame_bytes: 2000, ..Limits::default() }).start("mock:ok").unwrap();
    let (model, mut inputs) = cases(5);
    inputs[2] = vec![float(&[1.0; 1000])];
    let jobs: Vec<Job> = inputs.iter().map(|inputs| Job::new(&model, inputs)).collect();
    for (i, observation) in runner.run_batch(&jobs, DEADLINE).iter().enumerate() {
        match observation {
            Observation::NotRun { reason } if i == 2 => assert!(reason.contains("the limit is 2000"), "{reason}"),
            other => assert!(is_right(other, i), "{i}: {other:?}"),
        }
    }
}

/// If the job that starts a session cannot be sent, the worker must not run the later inputs of that session on the
/// model of the session before.
#[test]
fn a_session_that_was_not_sent_is_not_run_again() {
    let mut runner = registry(Limits { frame_bytes: 2000, ..Limits::default() }).start("mock:ok").unwrap();
    let (model, inputs) = cases(3);
    let large = vec![float(&[1.0; 1000])];
    let jobs = [
        Job::new(&model, &inputs[0]),
        Job::new(&model, &large),
        Job::again(&model, &inputs[1]),
        Job::new(&model, &inputs[2]),
        Job::again(&model, &inputs[2]),
    ];
    let seen = runner.run_batch(&jobs, DEADLINE);
    let is_not_run = |at: usize, why: &str| matches!(&seen[at], Observation::NotRun { reason } if reason.contains(why));
    assert!(is_not_run(1, "the limit is 2000") && is_not_run(2, "its session could not be sent"), "{seen:?}");
    assert!(is_right(&seen[0], 0) && is_right(&seen[3], 2) && is_right(&seen[4], 2), "{seen:?}");
}

#[test]
fn large_cases_go_both_ways_at_once() {
    // The data is more than the pipes hold in either direction.
    let mut runner = start("mock:ok");
    let model = common::model("Identity", 13, &[FLOAT], FLOAT);
    let inputs = vec![float(&vec![1.5; 1 << 18])];
    let jobs = vec![Job::new(&model, &inputs); 40];
    for observation in runner.run_batch(&jobs, Duration::from_secs(10)) {
        assert!(matches!(observation, Observation::Outputs { values, .. } if values == inputs));
    }
}

#[test]
fn a_pool_keeps_the_order_while_its_workers_die() {
    let mut pool = registry(Limits::default()).start_pool("mock:crash/7", 2).unwrap();
    let seen = run_all(&mut pool, 300);
    assert_eq!(seen.len(), 300);
    let crashes = seen.iter().filter(|o| matches!(o, Observation::Crash { .. })).count();
    assert!(seen.iter().enumerate().all(|(i, o)| is_right(o, i) || matches!(o, Observation::Crash { .. })));
    assert!((300 / 7 - 1..=300 / 7).contains(&crashes), "{crashes}");
}

#[test]
fn a_worker_that_never_starts_again_leaves_cases_not_run() {
    let folder = std::env::temp_dir().join(format!("plumbline-worker-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let program = folder.join("worker");
    // A link instead of a copy: while a copy is written, another test may start a process, which then has the copy open
    // for writing, too. A program that is open for writing cannot be started.
    #[cfg(unix)]
    std::os::unix::fs::symlink(env!("CARGO_BIN_EXE_plumbline-worker"), &program).unwrap();
    #[cfg(not(unix))]
    std::fs::copy(env!("CARGO_BIN_EXE_plumbline-worker"), &program).unwrap();
    let command = Command::new(&program, ["worker", "--backend", "mock:crash/2"]);
    let mut worker = Worker::start(command, Limits::default()).unwrap();
    std::fs::remove_dir_all(&folder).unwrap();
    let seen = run_all(&mut worker, 10);
    assert!(is_right(&seen[0], 0) && matches!(&seen[1], Observation::Crash { .. }));
    assert!(seen[2..].iter().all(|o| matches!(o, Observation::NotRun { .. })), "{seen:?}");
    assert_eq!(worker.starts(), 4, "expected one start and three attempts");
}

/// Runs `count` sessions. Each has three jobs, whose inputs differ. Returns the index of each job, its place in its
/// session, and its observation.
fn sessions(runner: &mut dyn Runner, count: usize) -> Vec<(usize, usize, Observation)> {
    let (model, inputs) = cases(3 * count);
    let mut jobs: Vec<Job> = Vec::new();
    for (at, inputs) in inputs.iter().enumerate() {
        jobs.push(if at % 3 == 0 { Job::new(&model, inputs) } else { Job::again(&model, inputs) });
    }
    let seen = runner.run_batch(&jobs, DEADLINE);
    assert_eq!(seen.len(), jobs.len());
    seen.into_iter().enumerate().map(|(at, seen)| (at, at % 3, seen)).collect()
}

#[test]
fn a_session_runs_again_in_a_worker_and_in_this_process() {
    let mut here = plumbline_executor::Local::new(Box::new(plumbline_executor::cpu::Cpu::new()));
    let mut worker = start("mock:ok");
    let mut pool = registry(Limits::default()).start_pool("mock:ok", 2).unwrap();
    let all: [&mut dyn Runner; 3] = [&mut here, worker.as_mut(), &mut pool];
    for runner in all {
        assert!(runner.runs_again());
        assert!(sessions(runner, 60).iter().all(|(at, _, seen)| is_right(seen, *at)));
    }
}

#[test]
fn later_runs_may_differ_from_the_first() {
    let mut drift = start("mock:drift");
    assert!(sessions(drift.as_mut(), 5).iter().all(|(at, run, seen)| is_right(seen, *at) == (*run == 0)));
    let mut stale = start("mock:stale");
    assert!(sessions(stale.as_mut(), 5).iter().all(|(at, run, seen)| is_right(seen, at - run)));
}

/// If a process ends in the second run of a session, the third run is lost, but no other session is.
#[test]
fn a_session_ends_with_its_process() {
    let mut runner = start("mock:crash/2");
    for (at, run, seen) in sessions(runner.as_mut(), 5) {
        let fine = match run {
            0 => is_right(&seen, at),
            1 => matches!(seen, Observation::Crash { .. }),
            _ => matches!(seen, Observation::NotRun { .. }),
        };
        assert!(fine, "run {run} of job {at}: {seen:?}");
    }
}

#[test]
fn a_session_that_was_refused_has_no_second_run() {
    let softplus = common::model("Softplus", 13, &[FLOAT], FLOAT);
    let inputs = [float(&[1.0])];
    let jobs = [Job::new(&softplus, &inputs), Job::again(&softplus, &inputs)];
    let seen = start("mock:ok").run_batch(&jobs, DEADLINE);
    assert!(matches!(&seen[0], Observation::Refused { refusal, .. } if refusal.kind == RefusalKind::Unsupported));
    assert!(matches!(&seen[1], Observation::Refused { refusal, .. } if refusal.kind == RefusalKind::Failed));
}

#[test]
fn a_backend_that_does_not_declare_runs_at_once_refuses_them() {
    let inputs = [float(&[-1.0]), float(&[-2.0])];
    let model = abs();
    let jobs = [Job::new(&model, &inputs[..1]), Job::at_once(&model, &inputs)];
    let seen = start("mock:ok").run_batch(&jobs, DEADLINE);
    assert!(matches!(&seen[1], Observation::Refused { refusal, .. } if refusal.kind == RefusalKind::Unsupported));
}
