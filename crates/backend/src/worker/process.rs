//! One worker process: starts it, reads its greeting, exchanges frames with it within a deadline, and ends it.

use std::io::{BufReader, Read, Write};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, TryRecvError, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use super::command::{Command, Limits, StartError, StartFault};
use super::error::MessageError;
use super::frame::{Frame, FrameError, read_frame};
use super::leader::Leader;
use super::memory::Meter;
use super::message::Hello;
use super::tail::Tail;

/// The result of waiting for a frame.
pub(super) enum Received {
    /// A frame arrived.
    Frame(Frame),
    /// The bytes that arrived are not a frame.
    Bad(FrameError),
    /// The worker's stdout ended, or the worker ended some time ago and no further frame has arrived.
    Closed,
    /// No whole frame arrived before the deadline.
    Late,
}

/// How long to wait for a process or thread to end by itself once it has no reason to go on.
const END_PATIENCE: Duration = Duration::from_secs(2);

/// The time between two checks of a worker whose answer is awaited. In this time, a thread fills less than 100 MB of
/// memory.
const CHECK_INTERVAL: Duration = Duration::from_millis(25);

/// A running worker. Three threads serve it, because its stdin, stdout and stderr may each block; the threads end with
/// it.
pub(super) struct Process {
    leader: Leader,
    requests: Option<Sender<Vec<u8>>>,
    frames: Receiver<Result<Frame, FrameError>>,
    stderr: Arc<Mutex<Tail>>,
    threads: Vec<JoinHandle<()>>,
    meter: Meter,
    /// When to check on the worker next.
    next_check: Instant,
    /// Why the host killed the worker, if it used too much memory.
    killed_for: Option<String>,
    /// When the first process of the worker was found to have ended, or was killed for its use of memory.
    ended: Option<Instant>,
}

impl Process {
    /// Starts a worker and reads its greeting.
    pub fn start(command: &Command, limits: &Limits) -> Result<(Process, Hello), StartError> {
        let mut process = Process::spawn(command, limits).map_err(|e| StartError::cannot_start(command, e))?;
        let (fault, reason) = match process.receive(Instant::now() + limits.start_deadline) {
            Received::Frame(frame) => match Hello::from_frame(&frame) {
                Ok(Ok(hello)) => return Ok((process, hello)),
                Ok(Err(failed)) => (StartFault::Other, failed.reason),
                Err(error) => (error.start_fault(), format!("its greeting is invalid: {error}")),
            },
            Received::Bad(error) => {
                let error = MessageError::from(error);
                (error.start_fault(), format!("its greeting is invalid: {error}"))
            }
            Received::Closed => (StartFault::Ended, format!("it ended without a greeting: {}", process.end())),
            Received::Late => (StartFault::Silent, format!("it sent no greeting within {:?}", limits.start_deadline)),
        };
        process.kill();
        Err(StartError::CannotStart { backend: command.to_string(), reason, fault })
    }

    fn spawn(command: &Command, limits: &Limits) -> std::io::Result<Process> {
        let mut leader = Leader::spawn(command, limits.address_space_bytes)?;
        let (stdin, stdout, stderr) = leader.take_streams();
        let (requests, to_write) = channel::<Vec<u8>>();
        let (to_read, frames) = channel();
        let tail = Arc::new(Mutex::new(Tail::default()));
        let mut process = Process {
            meter: Meter::new(leader.id(), limits.memory_bytes),
            leader,
            requests: Some(requests),
            frames,
            stderr: Arc::clone(&tail),
            threads: Vec::with_capacity(3),
            next_check: Instant::now() + CHECK_INTERVAL,
            killed_for: None,
            ended: None,
        };
        let start = |name: &str, work: Box<dyn FnOnce() + Send>| {
            std::thread::Builder::new().name(format!("worker {name}")).stack_size(128 << 10).spawn(work)
        };
        if let Some(mut stdin) = stdin {
            process.threads.push(start(
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
            let tail = Arc::clone(&tail);
            process.threads.push(start(
                "stdout",
                Box::new(move || {
                    let mut stdout = BufReader::with_capacity(64 << 10, stdout);
                    while let Some(frame) = read_frame(&mut stdout, limit_bytes).transpose() {
                        let bad = frame.is_err();
                        if !bad {
                            tail.lock().unwrap_or_else(PoisonError::into_inner).answered();
                        }
                        if to_read.send(frame).is_err() || bad {
                            return;
                        }
                    }
                }),
            )?);
        }
        if let Some(mut stderr) = stderr {
            process.threads.push(start(
                "stderr",
                Box::new(move || {
                    let mut buffer = [0; 4096];
                    while let Ok(length @ 1..) = stderr.read(&mut buffer) {
                        tail.lock().unwrap_or_else(PoisonError::into_inner).push(&buffer[..length]);
                    }
                }),
            )?);
        }
        Ok(process)
    }

    /// Queues bytes for writing and never waits. [`Process::receive`] detects a dead worker.
    pub fn send(&self, bytes: Vec<u8>) {
        if let Some(requests) = &self.requests {
            // Fails if the writing thread has ended, which happens when the worker is dead.
            let _ = requests.send(bytes);
        }
    }

    /// Waits for the next frame until the deadline. Meanwhile it checks on the worker. What the worker wrote before it
    /// ended or was killed is still received.
    pub fn receive(&mut self, deadline: Instant) -> Received {
        loop {
            let now = Instant::now();
            if now >= self.next_check {
                self.check();
                self.next_check = now + CHECK_INTERVAL;
            }
            let until = if self.ended.is_some() { self.next_check } else { deadline.min(self.next_check) };
            match self.frames.recv_timeout(until.saturating_duration_since(now)) {
                Ok(Ok(frame)) => return Received::Frame(frame),
                Ok(Err(error)) => return Received::Bad(error),
                Err(RecvTimeoutError::Disconnected) => return Received::Closed,
                Err(RecvTimeoutError::Timeout) => match self.ended {
                    // The pipe is still open because a process of the worker has left the group and was not killed.
                    Some(since) if since.elapsed() >= END_PATIENCE => return Received::Closed,
                    None if Instant::now() >= deadline => return Received::Late,
                    _ => {}
                },
            }
        }
    }

    /// Returns the next frame if it has arrived already.
    pub fn take_more(&self) -> Option<Frame> {
        self.frames.try_recv().ok()?.ok()
    }

    /// Returns whether a frame or an error has arrived already, or the stream has ended. What arrived is lost.
    pub fn has_more(&self) -> bool {
        !matches!(self.frames.try_recv(), Err(TryRecvError::Empty))
    }

    /// Kills a worker that uses too much memory. Kills what is left of a worker whose first process has ended: its
    /// children would keep the pipes open until the deadline.
    fn check(&mut self) {
        if self.ended.is_some() {
            return;
        }
        self.killed_for = self.meter.excess();
        if self.killed_for.is_some() || self.leader.has_ended() {
            self.kill();
            self.ended = Some(Instant::now());
        }
    }

    /// Ends a worker whose stdout is closed or broken. Returns how it ended, followed by lines of its stderr. If it was
    /// killed for its use of memory, returns how much it used.
    pub fn end(&mut self) -> String {
        self.requests = None;
        if let Some(reason) = self.killed_for.take() {
            self.join();
            return reason;
        }
        let how = match self.leader.wait(END_PATIENCE) {
            Some(how) => how,
            None => {
                self.kill();
                "it closed its stdout and did not end".to_owned()
            }
        };
        self.join();
        let tail = self.stderr.lock().unwrap_or_else(PoisonError::into_inner).text();
        if tail.is_empty() { how } else { format!("{how}; stderr: {tail}") }
    }

    /// Returns the resident memory of the worker and its descendants in bytes, on Linux.
    pub fn resident_bytes(&mut self) -> Option<u64> {
        self.meter.resident_bytes()
    }

    /// Kills the worker and every process in its group.
    pub fn kill(&mut self) {
        self.requests = None;
        self.leader.kill();
    }

    /// Waits for the threads. They end with the process, unless a process that the worker started has left its group
    /// and keeps the pipes open. Threads that do not end are abandoned.
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
        self.leader.wait(Duration::from_millis(200));
        self.kill();
        self.join();
    }
}

/// Describes a frame that does not hold a valid message.
pub(super) fn garbage(error: &MessageError) -> String {
    format!("its answer is invalid: {error}")
}
