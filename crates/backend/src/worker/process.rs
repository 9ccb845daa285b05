//! One worker process: starts it, reads its greeting, exchanges frames with it without ever waiting beyond a deadline,
//! and ends it.

use std::collections::VecDeque;
use std::ffi::OsString;
use std::io::{BufReader, Read, Write};
use std::process::{Child, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use super::error::MessageError;
use super::frame::{Frame, FrameError, read_frame};
use super::message::Hello;

/// The command line of a worker.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Command {
    /// The program to start.
    pub program: OsString,
    /// The arguments of the program.
    pub arguments: Vec<OsString>,
}

impl Command {
    /// Returns the command line of this program with these arguments.
    pub fn new(program: impl Into<OsString>, arguments: impl IntoIterator<Item = impl Into<OsString>>) -> Command {
        Command { program: program.into(), arguments: arguments.into_iter().map(Into::into).collect() }
    }
}

impl std::fmt::Display for Command {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}", self.program.display())?;
        self.arguments.iter().try_for_each(|a| write!(f, " {}", a.display()))
    }
}

/// The limits of a worker.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Limits {
    /// The longest time from the start of the process to its greeting.
    pub start_deadline: Duration,
    /// The address space of the process in bytes (enforced on Linux). An allocation beyond it fails inside the worker.
    pub memory_bytes: Option<u64>,
    /// The largest payload of one frame, in bytes, in both directions.
    pub frame_bytes: u64,
    /// The number of requests that may be written ahead of the answers.
    pub ahead_requests: usize,
    /// The number of bytes of requests that may be written ahead of the answers.
    pub ahead_bytes: usize,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            start_deadline: Duration::from_secs(60),
            memory_bytes: Some(4 << 30),
            frame_bytes: 256 << 20,
            ahead_requests: 32,
            ahead_bytes: 4 << 20,
        }
    }
}

/// Why a backend could not be started.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum StartError {
    /// No backend has this name. The caller made a mistake.
    #[error("no backend is called `{name}`; there are {known}")]
    Unknown {
        /// The name that the caller asked for.
        name: String,
        /// The names of all backends.
        known: String,
    },
    /// The backend is known but cannot start.
    #[error("{backend} cannot start: {reason}")]
    CannotStart {
        /// The backend's name, or the command line of its worker.
        backend: String,
        /// The reason, in one line, and what to do about it.
        reason: String,
    },
}

impl StartError {
    /// Returns the error that this backend cannot start for this reason.
    pub fn cannot_start(backend: impl std::fmt::Display, reason: impl std::fmt::Display) -> StartError {
        StartError::CannotStart { backend: backend.to_string(), reason: reason.to_string() }
    }

    /// Returns the reason alone, without the backend's name.
    pub fn reason(&self) -> String {
        match self {
            StartError::Unknown { .. } => self.to_string(),
            StartError::CannotStart { reason, .. } => reason.clone(),
        }
    }
}

/// The result of waiting for a frame.
pub(super) enum Received {
    /// A frame arrived.
    Frame(Frame),
    /// The bytes that arrived are not a frame.
    Bad(FrameError),
    /// The worker's stdout ended.
    Closed,
    /// Nothing arrived before the deadline.
    Late,
}

/// The last bytes of a worker's stderr.
#[derive(Default)]
struct Tail {
    bytes: VecDeque<u8>,
}

impl Tail {
    const LIMIT_BYTES: usize = 4096;
    const LIMIT_LINES: usize = 8;

    fn push(&mut self, bytes: &[u8]) {
        self.bytes.extend(bytes);
        let surplus = self.bytes.len().saturating_sub(Tail::LIMIT_BYTES);
        self.bytes.drain(..surplus);
    }

    fn text(&self) -> String {
        let bytes: Vec<u8> = self.bytes.iter().copied().collect();
        let text = String::from_utf8_lossy(&bytes);
        let lines: Vec<&str> = text.lines().map(str::trim_end).filter(|line| !line.is_empty()).collect();
        lines[lines.len().saturating_sub(Tail::LIMIT_LINES)..].join("\n")
    }
}

/// How long to wait for a process or thread to end by itself once it has no reason to go on.
const END_PATIENCE: Duration = Duration::from_secs(2);

/// A running worker. Three threads serve it, because its stdin, stdout and stderr may each block; the threads end with
/// it.
pub(super) struct Process {
    child: Child,
    requests: Option<Sender<Vec<u8>>>,
    frames: Receiver<Result<Frame, FrameError>>,
    stderr: Arc<Mutex<Tail>>,
    threads: Vec<JoinHandle<()>>,
}

impl Process {
    /// Starts a worker and reads its greeting.
    pub fn start(command: &Command, limits: &Limits) -> Result<(Process, Hello), StartError> {
        let fail = |reason: String| StartError::cannot_start(command, reason);
        let mut process = Process::spawn(command, limits).map_err(|e| fail(e.to_string()))?;
        let reason = match process.receive(Instant::now() + limits.start_deadline) {
            Received::Frame(frame) => match Hello::from_frame(&frame) {
                Ok(Ok(hello)) => return Ok((process, hello)),
                Ok(Err(failed)) => failed.reason,
                Err(error) => format!("its greeting is invalid: {error}"),
            },
            Received::Bad(error) => format!("its greeting is invalid: {error}"),
            Received::Closed => format!("it ended without a greeting: {}", process.end()),
            Received::Late => format!("it sent no greeting within {:?}", limits.start_deadline),
        };
        process.kill();
        Err(fail(reason))
    }

    fn spawn(command: &Command, limits: &Limits) -> std::io::Result<Process> {
        let mut builder = std::process::Command::new(&command.program);
        builder.args(&command.arguments);
        builder.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        // The last lines of stderr should say what happened. A backtrace would push that out.
        builder.env("RUST_BACKTRACE", "0");
        // The worker gets its own process group, so that the processes it starts can be killed with it.
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut builder, 0);
        let mut child = builder.spawn()?;
        limit_memory(&child, limits.memory_bytes);
        let stdin = child.stdin.take();
        let stdout = child.stdout.take();
        let stderr = child.stderr.take();

        let (requests, to_write) = channel::<Vec<u8>>();
        let (to_read, frames) = channel();
        let tail = Arc::new(Mutex::new(Tail::default()));
        let mut threads = Vec::with_capacity(3);
        let start = |name: &str, work: Box<dyn FnOnce() + Send>| {
            std::thread::Builder::new().name(format!("worker {name}")).stack_size(128 << 10).spawn(work)
        };
        if let Some(mut stdin) = stdin {
            threads.push(start(
                "stdin",
                Box::new(move || {
                    for bytes in to_write {
                        if stdin.write_all(&bytes).is_err() {
                            return;
                        }
                    }
                }),
            )?);
        }
        if let Some(stdout) = stdout {
            let limit_bytes = limits.frame_bytes;
            threads.push(start(
                "stdout",
                Box::new(move || {
                    let mut stdout = BufReader::with_capacity(64 << 10, stdout);
                    while let Some(frame) = read_frame(&mut stdout, limit_bytes).transpose() {
                        let bad = frame.is_err();
                        if to_read.send(frame).is_err() || bad {
                            return;
                        }
                    }
                }),
            )?);
        }
        if let Some(mut stderr) = stderr {
            let tail = Arc::clone(&tail);
            threads.push(start(
                "stderr",
                Box::new(move || {
                    let mut buffer = [0; 4096];
                    while let Ok(length @ 1..) = stderr.read(&mut buffer) {
                        tail.lock().unwrap_or_else(PoisonError::into_inner).push(&buffer[..length]);
                    }
                }),
            )?);
        }
        Ok(Process { child, requests: Some(requests), frames, stderr: tail, threads })
    }

    /// Queues bytes for writing and never waits. [`Process::receive`] detects a dead worker.
    pub fn send(&self, bytes: Vec<u8>) {
        if let Some(requests) = &self.requests {
            // Fails if the writing thread has ended, which happens when the worker is dead.
            let _ = requests.send(bytes);
        }
    }

    /// Waits for the next frame until the deadline.
    pub fn receive(&self, deadline: Instant) -> Received {
        match self.frames.recv_timeout(deadline.saturating_duration_since(Instant::now())) {
            Ok(Ok(frame)) => Received::Frame(frame),
            Ok(Err(error)) => Received::Bad(error),
            Err(RecvTimeoutError::Disconnected) => Received::Closed,
            Err(RecvTimeoutError::Timeout) => Received::Late,
        }
    }

    /// Ends a worker whose stdout is closed. Returns how it ended and the last lines of its stderr.
    pub fn end(&mut self) -> String {
        self.requests = None;
        let how = match self.wait(END_PATIENCE) {
            Some(status) => describe(status),
            None => {
                self.kill();
                "it closed its stdout and did not end".to_owned()
            }
        };
        self.join();
        let tail = self.stderr.lock().unwrap_or_else(PoisonError::into_inner).text();
        if tail.is_empty() { how } else { format!("{how}; stderr: {tail}") }
    }

    /// Kills the worker and every process in its group.
    pub fn kill(&mut self) {
        self.requests = None;
        #[cfg(unix)]
        if matches!(self.child.try_wait(), Ok(None)) {
            let group = rustix::process::Pid::from_child(&self.child);
            let _ = rustix::process::kill_process_group(group, rustix::process::Signal::KILL);
        }
        // Both calls fail only if the process has ended already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }

    fn wait(&mut self, patience: Duration) -> Option<ExitStatus> {
        let give_up = Instant::now() + patience;
        let mut pause = Duration::from_micros(100);
        loop {
            match self.child.try_wait() {
                Ok(Some(status)) => return Some(status),
                Ok(None) if Instant::now() < give_up => std::thread::sleep(pause),
                _ => return None,
            }
            pause = (pause * 2).min(Duration::from_millis(20));
        }
    }

    /// Waits for the threads. They end with the process, unless a process that the worker started has left its group
    /// and keeps the pipes open; such a thread is abandoned.
    fn join(&mut self) {
        let give_up = Instant::now() + END_PATIENCE;
        for thread in self.threads.drain(..) {
            while !thread.is_finished() && Instant::now() < give_up {
                std::thread::sleep(Duration::from_micros(200));
            }
            if thread.is_finished() {
                let _ = thread.join();
            }
        }
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        // The end of stdin ends a healthy worker. A worker that ignores it is killed.
        self.requests = None;
        self.wait(Duration::from_millis(200));
        self.kill();
        self.join();
    }
}

/// Returns the exit status as text: `signal: 8 (SIGFPE)`, `exit status: 3`.
fn describe(status: ExitStatus) -> String {
    status.to_string().replace(" (core dumped)", "")
}

/// Sets the memory limit from outside, so that it holds for any program, and disables core dumps.
#[cfg(target_os = "linux")]
fn limit_memory(child: &Child, memory_bytes: Option<u64>) {
    use rustix::process::{Pid, Resource, Rlimit, prlimit};
    let set = |resource, bytes| {
        // Fails only if the process has ended already. The missing greeting reveals that.
        let _ = prlimit(Some(Pid::from_child(child)), resource, Rlimit { current: Some(bytes), maximum: Some(bytes) });
    };
    if let Some(bytes) = memory_bytes {
        set(Resource::As, bytes);
    }
    set(Resource::Core, 0);
}

#[cfg(not(target_os = "linux"))]
fn limit_memory(_child: &Child, _memory_bytes: Option<u64>) {}

/// Describes a frame that does not hold a valid message.
pub(super) fn garbage(error: &MessageError) -> String {
    format!("its answer is invalid: {error}")
}
