//! Tests that the host keeps no memory, threads or files after many workers have died. The test has a program of its
//! own, so that nothing else uses memory.
#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used, reason = "a test program")]

mod common;

use std::time::Duration;

use plumbline_executor::Observation;
use plumbline_executor::worker::Limits;

/// Returns the resident memory of this process in KiB, its number of threads, and its number of open files.
fn usage() -> (u64, u64, usize) {
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let number = |key: &str| -> u64 {
        let line = status.lines().find_map(|line| line.strip_prefix(key)).unwrap();
        line.split_whitespace().next().unwrap().parse().unwrap()
    };
    (number("VmRSS:"), number("Threads:"), std::fs::read_dir("/proc/self/fd").unwrap().count())
}

#[test]
fn hundreds_of_deaths_leave_nothing_behind() {
    let mut runner = common::registry(Limits::default()).start("mock:crash").unwrap();
    let mut die = |count: usize| {
        let seen = common::run_all(runner.as_mut(), Duration::from_secs(20), count);
        assert_eq!(seen.len(), count);
        assert!(
            seen.iter().all(|o| matches!(o, Observation::Crash { detail } if detail.contains("SIGABRT"))),
            "{seen:?}"
        );
    };
    die(50);
    let (memory, threads, files) = usage();
    die(400);
    let (memory_after, threads_after, files_after) = usage();
    println!("{memory} KiB before 400 deaths, {memory_after} KiB after them");
    assert!(memory_after < memory + 2048, "{memory} KiB before, {memory_after} KiB after");
    // The kernel counts a thread that was joined a moment longer. The last worker may have left three.
    assert!(threads_after <= threads + 3, "{threads} threads before, {threads_after} after");
    assert_eq!(files_after, files);
}
