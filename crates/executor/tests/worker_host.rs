//! Tests that no worker outlives a host that a signal ends.
#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used, reason = "a test program")]

mod common;

use std::collections::BTreeSet;
use std::io::{BufRead, BufReader};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use common::{abs, float, is_running, shell_worker};
use plumbline_executor::Runner;
use plumbline_executor::worker::{Limits, Worker};

/// The environment variable with which [`host`] runs as a host. Without it, that test does nothing.
const HOST: &str = "PLUMBLINE_TEST_HOST";

/// The program that the test below starts and kills: a host of two workers that hang. One worker is Plumbline's own.
/// The other is a shell; it ignores HUP, INT, QUIT and TERM, and so do its children.
#[test]
fn host() {
    if std::env::var_os(HOST).is_none() {
        return;
    }
    let script = "trap '' HUP INT QUIT TERM; sleep 3600 & while true; do sleep 3600; done";
    let other = Worker::start(shell_worker(script), Limits::default()).unwrap();
    let own = common::registry(Limits::default()).start("mock:hang").unwrap();
    let runners: [Box<dyn Runner>; 2] = [Box::new(other), own];
    println!("\nworkers run");
    std::thread::scope(|scope| {
        for mut runner in runners {
            scope.spawn(move || runner.run(&abs(), &[float(&[1.0])], Duration::from_secs(3600)));
        }
    });
}

/// Returns the parent of a process.
fn parent(id: u32) -> Option<u32> {
    let stat = std::fs::read_to_string(format!("/proc/{id}/stat")).ok()?;
    stat.rsplit_once(") ")?.1.split(' ').nth(1)?.parse().ok()
}

/// Returns the descendants of a process: its children, their children, and so on.
fn descendants(id: u32) -> BTreeSet<u32> {
    let numbers = |entry: std::fs::DirEntry| entry.file_name().to_str()?.parse().ok();
    let all: Vec<u32> = std::fs::read_dir("/proc").unwrap().flatten().filter_map(numbers).collect();
    let mut found = BTreeSet::from([id]);
    loop {
        let size = found.len();
        found.extend(
            all.iter().filter(|&&id| parent(id).is_some_and(|parent| found.contains(&parent))).collect::<Vec<_>>(),
        );
        if found.len() == size {
            found.remove(&id);
            return found;
        }
    }
}

#[test]
fn workers_end_with_their_host() {
    for signal in ["KILL", "TERM", "INT"] {
        // A program that a script starts in the background ignores SIGINT. If this test is such a program, its children
        // would ignore SIGINT, too. So `env` resets the signals for the host.
        let mut host = Command::new("env");
        host.arg("--default-signal").arg(std::env::current_exe().unwrap());
        host.args(["--exact", "host", "--nocapture"]).env(HOST, "1");
        let mut host = host.stdout(Stdio::piped()).spawn().unwrap();
        let lines = BufReader::new(host.stdout.take().unwrap()).lines();
        assert!(lines.map_while(Result::ok).any(|line| line == "workers run"), "the host ended");
        // The host has five descendants: both workers, the guard, and the two sleeps that the shell starts.
        let end = Instant::now() + Duration::from_secs(20);
        while descendants(host.id()).len() < 5 && Instant::now() < end {
            std::thread::sleep(Duration::from_millis(5));
        }
        let processes = descendants(host.id());
        assert!(processes.len() >= 5, "{processes:?}");
        let kill = Command::new("sh").args(["-c", &format!("kill -s {signal} {}", host.id())]).status().unwrap();
        assert!(kill.success());
        host.wait().unwrap();
        let end = Instant::now() + Duration::from_secs(10);
        while processes.iter().any(|&id| is_running(id)) {
            let left: Vec<_> = processes.iter().filter(|&&id| is_running(id)).collect();
            assert!(Instant::now() < end, "after SIG{signal}: {left:?} of {processes:?} still run");
            std::thread::sleep(Duration::from_millis(5));
        }
    }
}
