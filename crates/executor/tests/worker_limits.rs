//! Tests the limits of a worker: its memory, its restarts, the processes that it starts, and what it sends.
#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used, reason = "a test program")]

mod common;

use std::time::{Duration, Instant};

use common::{DEADLINE, abs, is_right, is_running, run_all, shell_worker};
use plumbline_executor::worker::{Command, Limits, Worker};
use plumbline_executor::{Observation, RefusalKind, Runner};

fn start(name: &str, limits: Limits) -> Box<dyn Runner> {
    common::registry(limits).start(name).unwrap()
}

fn detail_of_crash(observation: &Observation) -> &str {
    match observation {
        Observation::Crash { detail } => detail,
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_worker_that_uses_too_much_memory_is_killed() {
    let start = |memory_bytes| start("mock:touch/2", Limits { memory_bytes, ..Limits::default() });
    // Every second case uses 512 MiB.
    let mut runner = start(Some(300 << 20));
    let seen = run_all(runner.as_mut(), DEADLINE, 5);
    for (i, observation) in seen.iter().enumerate() {
        let fine = match observation {
            Observation::Crash { detail } => {
                i % 2 == 1 && detail.starts_with("it used ") && detail.ends_with(" MiB of memory, the limit is 300 MiB")
            }
            other => i % 2 == 0 && is_right(other, i),
        };
        assert!(fine, "case {i}: {observation:?}");
    }
    for memory_bytes in [None, Some(4 << 30)] {
        let mut runner = start(memory_bytes);
        let seen = run_all(runner.as_mut(), DEADLINE, 2);
        assert!(seen.iter().enumerate().all(|(i, o)| is_right(o, i)), "{memory_bytes:?}: {seen:?}");
    }
}

#[test]
fn reserved_memory_does_not_count_against_the_limit() {
    let limits = Limits { memory_bytes: Some(300 << 20), ..Limits::default() };
    let mut runner = start("mock:reserve", limits.clone());
    assert!(run_all(runner.as_mut(), DEADLINE, 3).iter().enumerate().all(|(i, o)| is_right(o, i)));
    // The limit on address space makes the same allocation fail inside the worker.
    let limits = Limits { address_space_bytes: Some(900 << 20), ..limits };
    let mut runner = start("mock:reserve", limits);
    let seen = run_all(runner.as_mut(), DEADLINE, 1);
    let detail = detail_of_crash(&seen[0]);
    assert!(detail.contains("SIGABRT") && detail.contains("memory allocation"), "{detail}");
}

#[test]
fn a_worker_is_not_restarted_more_often_than_it_may_be() {
    let mut runner = start("mock:crash", Limits { restarts: Some(2), ..Limits::default() });
    let seen = run_all(runner.as_mut(), DEADLINE, 5);
    assert!(seen[..3].iter().all(|o| matches!(o, Observation::Crash { .. })), "{seen:?}");
    for observation in &seen[3..] {
        let Observation::NotRun { reason } = observation else { panic!("{observation:?}") };
        assert!(reason.ends_with("was restarted 2 times, which is its limit"), "{reason}");
    }
}

#[test]
fn a_worker_has_the_variables_of_its_command() {
    let environment = vec![("PLUMBLINE_TEST".into(), "seen by the worker".into())];
    let command = Command { environment, ..Command::new("sh", ["-c", "echo $PLUMBLINE_TEST >&2"]) };
    let error = Worker::start(command, Limits::default()).err().unwrap().to_string();
    assert!(error.contains("seen by the worker"), "{error}");
}

/// Returns the name of the backend that is started with this command line: `process:` and the words of the command.
fn process(command: &Command) -> String {
    let words = std::iter::once(&command.program).chain(&command.arguments);
    format!("process:{}", shlex::try_join(words.map(|word| word.to_str().unwrap())).unwrap())
}

/// Somebody else's program may reserve address space without bound. The limit on memory applies to what the program and
/// its children use together.
#[test]
fn programs_of_others_are_limited_in_the_memory_that_their_processes_use() {
    let name = process(&shell_worker("ulimit -v >&2; exit 9"));
    let mut runner = start(&name, Limits { address_space_bytes: Some(1 << 30), ..Limits::default() });
    let observation = runner.run(&abs(), &[], DEADLINE);
    assert_eq!(detail_of_crash(&observation), "exit status: 9; stderr: unlimited");

    // `tail -n 1` keeps the last line in memory. The input has no line break, so its last line is all of it: 600 MB.
    let name =
        process(&shell_worker("head -c 12 > /dev/null; head -c 600000000 /dev/zero | tail -n 1 > /dev/null; sleep 60"));
    let mut runner = start(&name, Limits { memory_bytes: Some(200 << 20), ..Limits::default() });
    let observation = runner.run(&abs(), &[], Duration::from_secs(30));
    let detail = detail_of_crash(&observation);
    assert!(detail.starts_with("it used ") && detail.ends_with("the limit is 200 MiB"), "{detail}");
}

/// Returns the number at the end of a line that ends with `process NUMBER`.
fn process_in(detail: &str) -> u32 {
    let (_, number) = detail.rsplit_once("process ").unwrap();
    number.parse().unwrap()
}

#[test]
fn a_worker_that_leaves_a_process_behind_is_a_crash_and_the_process_is_killed() {
    // The process that the mock leaves behind keeps stderr open. The one that the shell leaves behind keeps stdout
    // open, too.
    let shell = shell_worker("head -c 12 > /dev/null; sleep 3600 & echo started process $! >&2; exit 3");
    let limits = Limits { address_space_bytes: None, ..Limits::default() };
    let mut runners = [start("mock:fork", limits.clone()), Box::new(Worker::start(shell, limits).unwrap())];
    for runner in &mut runners {
        let since = Instant::now();
        let observation = runner.run(&abs(), &[common::float(&[1.0])], Duration::from_secs(60));
        let detail = detail_of_crash(&observation);
        assert!(detail.starts_with("exit status: 3; stderr: "), "{detail}");
        assert!(since.elapsed() < Duration::from_secs(10), "{:?}", since.elapsed());
        let end = Instant::now() + Duration::from_secs(5);
        while is_running(process_in(detail)) {
            assert!(Instant::now() < end, "{detail} still runs");
            std::thread::sleep(Duration::from_millis(5));
        }
    }
}

#[test]
fn a_request_that_is_answered_twice_is_garbage_and_no_other_is() {
    let mut runner = start("mock:twice/3", Limits::default());
    let seen = run_all(runner.as_mut(), DEADLINE, 10);
    for (i, observation) in seen.iter().enumerate() {
        let fine = match observation {
            // Each process counts its own cases. After a second answer the host starts a new process, which gets the
            // next case as its first.
            Observation::Garbage { detail, .. } => i % 3 == 2 && detail.ends_with(" twice"),
            other => i % 3 != 2 && is_right(other, i),
        };
        assert!(fine, "case {i}: {observation:?}");
    }
}

#[test]
fn a_second_answer_to_the_last_case_of_a_batch_disturbs_no_case_of_the_next() {
    let mut runner = start("mock:twice/3", Limits::default());
    for _ in 0..20 {
        // Each batch has one case. The second answer to the third case of a process may come before the batch of that
        // case ends, or while the next batch runs.
        for observation in run_all(runner.as_mut(), DEADLINE, 1) {
            let twice = matches!(&observation, Observation::Garbage { detail, .. } if detail.ends_with(" twice"));
            assert!(twice || is_right(&observation, 0), "{observation:?}");
        }
    }
}

#[test]
fn control_characters_from_a_worker_are_escaped_or_removed() {
    let mut runner = start("mock:escape", Limits::default());
    assert_eq!(runner.identity().to_string(), "mock:escape \\u{1b}]0;1.0\\u{7}");
    match &run_all(runner.as_mut(), DEADLINE, 1)[0] {
        Observation::Refused { refusal, .. } => {
            assert_eq!(refusal.kind, RefusalKind::Failed);
            assert_eq!(refusal.message, "mock: \\u{1b}[2Jclears the screen, rings\\u{7} and ends\\0here");
        }
        other => panic!("{other:?}"),
    }
    let shell = shell_worker("printf '\\033[31mred\\033[0m \\033[2J \\000\\n' >&2; exit 4");
    let mut worker = Worker::start(shell, Limits::default()).unwrap();
    let observation = worker.run(&abs(), &[], DEADLINE);
    assert_eq!(detail_of_crash(&observation), "exit status: 4; stderr: red \\u{1b}[2J \\0");
}

#[test]
fn a_panic_that_ends_the_process_keeps_its_message() {
    let seen = run_all(start("mock:foreign-panic", Limits::default()).as_mut(), DEADLINE, 1);
    let detail = detail_of_crash(&seen[0]);
    assert!(detail.contains("SIGABRT") && detail.contains(": mock: panic on purpose\n"), "{detail}");
}

#[test]
fn a_flood_on_stderr_disturbs_nothing() {
    let mut runner = start("mock:flood/2", Limits::default());
    let seen = run_all(runner.as_mut(), DEADLINE, 4);
    assert!(seen.iter().enumerate().all(|(i, o)| is_right(o, i)), "{seen:?}");
}

#[test]
fn a_slow_case_is_answered_within_its_deadline_or_times_out() {
    let mut runner = start("mock:slow", Limits::default());
    for observation in run_all(runner.as_mut(), DEADLINE, 2) {
        let Observation::Outputs { seconds, .. } = observation else { panic!("{observation:?}") };
        assert!((0.2..20.0).contains(&seconds), "{seconds}");
    }
    let seen = run_all(runner.as_mut(), Duration::from_millis(50), 1);
    assert!(matches!(seen[0], Observation::Timeout { .. }), "{seen:?}");
}

#[test]
fn a_case_that_is_wrong_among_others_may_be_right_in_a_new_process() {
    let limits = Limits::default();
    let seen = run_all(start("mock:stateful", limits.clone()).as_mut(), DEADLINE, 3);
    assert_eq!(seen.iter().enumerate().map(|(i, o)| is_right(o, i)).collect::<Vec<_>>(), [true, false, false]);
    for _ in 0..2 {
        assert!(is_right(&run_all(start("mock:stateful", limits.clone()).as_mut(), DEADLINE, 1)[0], 0));
    }
}
