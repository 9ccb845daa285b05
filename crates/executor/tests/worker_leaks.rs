//! Tests that workers leave no thread and no process behind. The test has a program of its own, so that nothing else
//! starts threads.
#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used, reason = "a test program")]

use std::time::{Duration, Instant};

use plumbline_executor::worker::Command;
use plumbline_executor::{Observation, Options, Registry};
use plumbline_tensor::Model;

/// Returns the number of threads that serve workers, and the number of child processes. The guard, which is a shell and
/// ends with this process, does not count.
fn left() -> (usize, usize) {
    let tasks: Vec<_> = std::fs::read_dir("/proc/self/task").unwrap().flatten().map(|t| t.path()).collect();
    let read = |path: std::path::PathBuf| std::fs::read_to_string(path).unwrap_or_default();
    let threads = tasks.iter().filter(|t| read(t.join("comm")).starts_with("worker ")).count();
    let children: Vec<String> = tasks.iter().map(|t| read(t.join("children"))).collect();
    let is_worker = |id: &&str| read(format!("/proc/{id}/comm").into()).trim() != "sh";
    (threads, children.iter().flat_map(|ids| ids.split_whitespace()).filter(is_worker).count())
}

/// Waits until [`left`] returns what is expected, for up to a minute, and returns what it returned last. A thread gets
/// its name a moment after its start, and the kernel lists a thread that was joined a moment longer.
fn settle(expected: (usize, usize)) -> (usize, usize) {
    let end = Instant::now() + Duration::from_secs(60);
    loop {
        let found = left();
        if found == expected || Instant::now() >= end {
            return found;
        }
        std::thread::sleep(Duration::from_millis(1));
    }
}

#[test]
fn workers_leave_no_thread_and_no_process() {
    let worker = Command::new(env!("CARGO_BIN_EXE_plumbline-worker"), ["worker"]);
    let registry = Registry::new(Options { worker: Some(worker), ..Options::default() });
    for mode in ["ok", "exit", "hang", "garbage", "no-start"] {
        let Ok(mut runner) = registry.start(&format!("mock:{mode}")) else { continue };
        assert_eq!(settle((3, 1)), (3, 1), "expected three threads and one process for a worker");
        let observation = runner.run(&Model::default(), &[], Duration::from_millis(100));
        assert!(!matches!(observation, Observation::NotRun { .. }), "{observation:?}");
        drop(runner);
        assert_eq!(left().1, 0, "processes after mock:{mode}");
        assert_eq!(settle((0, 0)), (0, 0), "after mock:{mode}");
    }
    assert_eq!(settle((0, 0)), (0, 0), "after a worker that did not start");
}
