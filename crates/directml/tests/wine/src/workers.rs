//! Checks that the processes of a worker end with their host or with their group (a job object of Windows). The program
//! plays all parts: `host FILE` starts `worker FILE` in a group and hangs, `worker FILE` starts `beat FILE` and hangs,
//! and `beat FILE` writes to the file until it is ended. The worker waits until it is in its group, because a process
//! that it started earlier would not be in the group.

use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitCode, Stdio};
use std::time::{Duration, Instant};

use crate::job::Group;

/// The time between two beats.
const BEAT: Duration = Duration::from_millis(20);

/// How long to wait for a process to start or to end.
const PATIENCE: Duration = Duration::from_secs(120);

/// Plays the part that the arguments name, if they name one.
pub fn part(arguments: &[String]) -> Option<ExitCode> {
    let [_, part, file] = arguments else { return None };
    match part.as_str() {
        "host" => hang(start_in_group(Path::new(file)).ok()),
        "worker" => match until("the worker is in its group", || in_group(Path::new(file)).is_file()) {
            Ok(()) => hang(start("beat", Path::new(file))),
            Err(_) => return Some(ExitCode::FAILURE),
        },
        "beat" => {
            for beat in 1u64.. {
                let _ = std::fs::write(file, beat.to_string());
                std::thread::sleep(BEAT);
            }
        }
        _ => return None,
    }
    Some(ExitCode::SUCCESS)
}

/// Keeps the value for an hour, unless the process is killed earlier.
fn hang<T>(_kept: T) {
    std::thread::sleep(Duration::from_secs(3600));
}

fn start(part: &str, file: &Path) -> std::io::Result<Child> {
    let mut command = Command::new(std::env::current_exe()?);
    // The new process may outlive this one, and must not keep the output of this one open.
    command.arg(part).arg(file).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn()
}

/// Returns the file that tells a worker that it is in its group.
fn in_group(file: &Path) -> PathBuf {
    file.with_extension("group")
}

/// Starts a worker, puts it in a group, and tells it so.
fn start_in_group(file: &Path) -> Result<(Child, Group), String> {
    // Remove the files of an earlier run.
    let _ = (std::fs::remove_file(file), std::fs::remove_file(in_group(file)));
    let worker = start("worker", file).map_err(|error| error.to_string())?;
    let group = Group::led_by(&worker).ok_or("there are no job objects")?;
    std::fs::write(in_group(file), "").map_err(|error| error.to_string())?;
    Ok((worker, group))
}

fn beats(file: &Path) -> Option<u64> {
    std::fs::read_to_string(file).ok()?.parse().ok()
}

/// Waits until `test` is true.
fn until(what: &str, mut test: impl FnMut() -> bool) -> Result<(), String> {
    let start = Instant::now();
    while !test() {
        if start.elapsed() > PATIENCE {
            return Err(format!("{what}: not within {PATIENCE:?}"));
        }
        std::thread::sleep(BEAT);
    }
    Ok(())
}

/// Returns whether the process that writes beats to the file has ended.
fn is_quiet(file: &Path) -> bool {
    let before = beats(file);
    std::thread::sleep(20 * BEAT);
    before.is_some() && beats(file) == before
}

/// Kills the host of a worker; the worker's child has to end.
pub fn end_with_their_host() -> Result<(), String> {
    let file = std::env::temp_dir().join("plumbline-host-beats");
    let mut host = start("host", &file).map_err(|error| error.to_string())?;
    until("the worker's child runs", || beats(&file).is_some_and(|beats| beats > 2))?;
    host.kill().and_then(|()| host.wait()).map_err(|error| error.to_string())?;
    until("the worker's child ends with the host", || is_quiet(&file))
}

/// Drops the group of a worker; the worker and its child have to end, and this process goes on.
pub fn end_with_their_group() -> Result<(), String> {
    let file = std::env::temp_dir().join("plumbline-group-beats");
    let (mut worker, group) = start_in_group(&file)?;
    until("the worker's child runs", || beats(&file).is_some_and(|beats| beats > 2))?;
    if is_quiet(&file) {
        return Err("the worker's child ended before its group".to_owned());
    }
    drop(group);
    until("the worker's child ends with the group", || is_quiet(&file))?;
    worker.wait().map(drop).map_err(|error| error.to_string())
}
