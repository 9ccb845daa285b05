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

#[test]
fn workers_leave_no_thread_and_no_process() {
    let worker = Command::new(env!("CARGO_BIN_EXE_plumbline-worker"), ["worker"]);
    let registry = Registry::new(Options { worker: Some(worker), ..Options::default() });
    for mode in ["ok", "exit", "hang", "garbage", "no-start"] {
        let Ok(mut runner) = registry.start(&format!("mock:{mode}")) else { continue };
        // A thread gets its name a moment after its start.
        let end = Instant::now() + Duration::from_secs(60);
        while left() != (3, 1) && Instant::now() < end {
            std::thread::sleep(Duration::from_millis(1));
        }
        assert_eq!(left(), (3, 1), "expected three threads and one process for a worker");
        let observation = runner.run(&Model::default(), &[], Duration::from_millis(100));
        assert!(!matches!(observation, Observation::NotRun { .. }), "{observation:?}");
        drop(runner);
        assert_eq!(left(), (0, 0), "after mock:{mode}");
    }
    assert_eq!(left(), (0, 0));
}
