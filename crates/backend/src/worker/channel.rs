//! The worker's side of the protocol: it reads requests, writes answers, and keeps other output out of the stream.

use std::fs::File;
use std::io::{BufReader, Write};
use std::panic;
use std::sync::{Mutex, PoisonError};

use plumbline_tensor::Model;

use super::command::Limits;
use super::error::MessageError;
use super::frame::{VERSION, read_frame};
use super::message::{Answer, Fault, Hello, Request, Response, StartFailed};
use crate::runner::{Attempt, Session, panic_message};
use crate::{Backend, Identity, Profile, Refusal};

/// Why a worker ends with an error.
#[derive(Debug, thiserror::Error)]
pub enum ChannelError {
    /// The worker cannot take over its stdin or stdout, or cannot write to stdout.
    #[error("worker: {0}")]
    Io(#[from] std::io::Error),
    /// A request cannot be read, or a message cannot be written as a frame.
    #[error("worker: {0}")]
    Message(#[from] MessageError),
}

/// Both directions of the protocol, on file handles that other code in the process cannot reach.
pub struct Channel {
    requests: BufReader<File>,
    answers: File,
    frame_limit_bytes: u64,
}

#[cfg(unix)]
fn take_streams() -> std::io::Result<(File, File)> {
    // The descriptors are above the standard three, and are closed in programs that this process starts.
    let requests = rustix::io::fcntl_dupfd_cloexec(rustix::stdio::stdin(), 3)?;
    let answers = rustix::io::fcntl_dupfd_cloexec(rustix::stdio::stdout(), 3)?;
    // From here on, a library that prints to stdout prints to stderr, and one that reads from stdin finds nothing.
    rustix::stdio::dup2_stdout(rustix::stdio::stderr())?;
    rustix::stdio::dup2_stdin(File::open("/dev/null")?)?;
    Ok((requests.into(), answers.into()))
}

#[cfg(windows)]
fn take_streams() -> std::io::Result<(File, File)> {
    use std::os::windows::io::AsHandle;
    // The handles are private copies, but of the same streams: what a library prints to stdout lands between the
    // frames, and the host reports it as garbage.
    let requests = std::io::stdin().as_handle().try_clone_to_owned()?;
    let answers = std::io::stdout().as_handle().try_clone_to_owned()?;
    Ok((requests.into(), answers.into()))
}

/// Ends this process, and the process group that it leads, when the host is gone, even while native code is in an
/// endless loop. The host's guard does this too, but not where there is no `/bin/sh`.
#[cfg(unix)]
fn end_with_host() {
    use rustix::process::{Signal, getpgrp, getpid, getppid, kill_process_group};
    let host = getppid();
    std::thread::spawn(move || {
        loop {
            std::thread::sleep(std::time::Duration::from_millis(500));
            if getppid() != host {
                // Somebody who starts a worker by hand may put it into a group with other programs.
                if getpgrp() == getpid() {
                    let _ = kill_process_group(getpid(), Signal::KILL);
                }
                std::process::exit(0);
            }
        }
    });
}

#[cfg(not(unix))]
fn end_with_host() {}

impl Channel {
    /// Takes over stdin and stdout of this process for the protocol. On Unix, other code that reads from stdin finds
    /// nothing from here on, what it prints to stdout goes to stderr, and this process ends when its parent has ended.
    pub fn inherit() -> Result<Channel, ChannelError> {
        let (requests, answers) = take_streams()?;
        end_with_host();
        Ok(Channel { requests: BufReader::new(requests), answers, frame_limit_bytes: Limits::default().frame_bytes })
    }

    /// Sends the greeting with the backend's identity and profile.
    pub fn hello(&mut self, identity: Identity, profile: Profile) -> Result<(), ChannelError> {
        let frame = Hello { version: VERSION, identity, profile }.to_frame(self.frame_limit_bytes)?;
        self.write_bytes(&frame)
    }

    /// Reports why the worker cannot start.
    pub fn start_failed(&mut self, reason: impl Into<String>) -> Result<(), ChannelError> {
        let frame = StartFailed { reason: reason.into() }.to_frame(self.frame_limit_bytes)?;
        self.write_bytes(&frame)
    }

    /// Reads the next request. `None` means that stdin has ended, which ends the worker.
    pub fn next_request(&mut self) -> Result<Option<Request>, ChannelError> {
        // The host has a limit of its own for what it sends, which may be higher than the usual one.
        match read_frame(&mut self.requests, u64::from(u32::MAX)).map_err(MessageError::from)? {
            Some(frame) => Ok(Some(Request::from_frame(&frame)?)),
            None => Ok(None),
        }
    }

    /// Answers a request. If the answer cannot be written as a frame, the worker sends a refusal with the reason
    /// instead.
    pub fn answer(&mut self, id: u64, answer: Answer) -> Result<(), ChannelError> {
        let response = Response { id, answer };
        let frame = match response.to_frame(self.frame_limit_bytes) {
            Ok(frame) => frame,
            Err(error) => {
                let refusal = Refusal::failed(format!("the answer cannot be sent: {error}"));
                Response { id, answer: Answer::Refused { seconds: 0.0, refusal } }.to_frame(self.frame_limit_bytes)?
            }
        };
        self.write_bytes(&frame)
    }

    /// Writes raw bytes. They are whole frames, except in tests that want broken ones.
    pub fn write_bytes(&mut self, bytes: &[u8]) -> Result<(), ChannelError> {
        self.answers.write_all(bytes)?;
        Ok(self.answers.flush()?)
    }

    /// Sends the greeting, then answers requests until stdin ends. A panic of the backend is answered as a fault.
    pub fn serve(mut self, backend: &dyn Backend) -> Result<(), ChannelError> {
        self.hello(backend.identity(), backend.profile().clone())?;
        record_panics();
        let mut session = Session::default();
        while let Some(request) = self.next_request()? {
            let answer = answer(backend, &mut session, &request);
            self.answer(request.id, answer)?;
        }
        Ok(())
    }
}

/// The message and place of the last panic in this process.
static LAST_PANIC: Mutex<Option<String>> = Mutex::new(None);

/// The first words of the messages with which Rust ends a process if a panic cannot unwind: in a function with a C
/// interface, and in a destructor that runs because of another panic.
pub const FATAL_PANICS: [&str; 2] = ["panic in a function that cannot unwind", "panic in a destructor during cleanup"];

/// Installs a panic hook that keeps the message and place of the last panic instead of printing it. When Rust is about
/// to end the process because a panic cannot unwind, the hook prints the previous panic, which is the cause.
fn record_panics() {
    panic::set_hook(Box::new(|info| {
        let place = info.location().map(|l| format!(" at {}:{}", portable(l.file()), l.line())).unwrap_or_default();
        let words = panic_message(info.payload());
        let mut last = LAST_PANIC.lock().unwrap_or_else(PoisonError::into_inner);
        if FATAL_PANICS.iter().any(|fatal| words.starts_with(fatal))
            && let Some(cause) = last.as_deref()
        {
            eprintln!("{cause}");
        }
        *last = Some(format!("panicked{place}: {words}"));
    }));
}

/// Removes the machine's own folders from the path of a source file, so that the same panic has the same text on every
/// machine: `rten-0.27.0/src/ops/slice.rs`, `library/core/src/num/mod.rs`.
fn portable(file: &str) -> &str {
    // Cargo keeps packages below `registry/src/INDEX/`; paths of the standard library start with `/rustc/COMMIT/`.
    for marker in ["/registry/src/", "/rustc/"] {
        if let Some((_, rest)) = file.split_once(marker)
            && let Some((_, path)) = rest.split_once('/')
        {
            return path;
        }
    }
    file
}

/// Runs a request on a backend and returns the answer.
pub(crate) fn answer(backend: &dyn Backend, session: &mut Session, request: &Request) -> Answer {
    // The number of outputs is not checked here, because the host checks it.
    let Attempt { result, seconds } = match request.model.as_deref().map(Model::from_bytes) {
        None if request.at_once => session.run_at_once(&request.inputs),
        None => session.run_again(&request.inputs),
        Some(Ok(model)) => session.start(backend, &model, &request.inputs),
        Some(Err(error)) => {
            *session = Session::default();
            return Answer::Refused { seconds: 0.0, refusal: Refusal::invalid(error.to_string()) };
        }
    };
    match result {
        Ok(Ok(values)) => Answer::Outputs { seconds, values },
        Ok(Err(refusal)) => Answer::Refused { seconds, refusal },
        Err(words) => {
            let place = LAST_PANIC.lock().unwrap_or_else(PoisonError::into_inner).take();
            let message = place.unwrap_or_else(|| format!("panicked: {words}"));
            Answer::Fault(Fault { message })
        }
    }
}

#[cfg(test)]
mod tests {
    use super::portable;

    #[test]
    fn places_of_panics_do_not_name_the_machine() {
        let cargo = "/opt/cargo/registry/src/index.example-1949cf8c6b5b557f/rten-0.27.0/src/ops/slice.rs";
        assert_eq!(portable(cargo), "rten-0.27.0/src/ops/slice.rs");
        assert_eq!(portable("/rustc/59807616e1fa/library/core/src/num/mod.rs"), "library/core/src/num/mod.rs");
        assert_eq!(portable("crates/executor/src/mock/mod.rs"), "crates/executor/src/mock/mod.rs");
    }
}
