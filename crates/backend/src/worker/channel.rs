//! The worker's side: requests come in, answers go out, and nothing else gets in between.

use std::fs::File;
use std::io::{BufReader, Write};
use std::panic;
use std::sync::{Mutex, PoisonError};

use plumbline_tensor::Model;

use super::frame::{VERSION, read_frame};
use super::message::{Answer, Fault, Hello, MessageError, Request, Response, StartFailed};
use super::process::Limits;
use crate::runner::{Attempt, Session, panic_message};
use crate::{Backend, Identity, Profile, Refusal};

/// Why a worker ends.
#[derive(Debug, thiserror::Error)]
pub enum ChannelError {
    /// Its stdin or stdout cannot be taken over or used.
    #[error("worker: {0}")]
    Io(#[from] std::io::Error),
    /// The host sends what is no request.
    #[error("worker: {0}")]
    Message(#[from] MessageError),
}

/// The two ends of the protocol, out of reach of whatever else runs in the process.
pub struct Channel {
    requests: BufReader<File>,
    answers: File,
    frame_limit_bytes: u64,
}

#[cfg(unix)]
fn take_streams() -> std::io::Result<(File, File)> {
    // Numbers above the standard three, closed in programs started from here.
    let requests = rustix::io::fcntl_dupfd_cloexec(rustix::stdio::stdin(), 3)?;
    let answers = rustix::io::fcntl_dupfd_cloexec(rustix::stdio::stdout(), 3)?;
    // A library that prints now prints to stderr; one that reads finds nothing.
    rustix::stdio::dup2_stdout(rustix::stdio::stderr())?;
    rustix::stdio::dup2_stdin(File::open("/dev/null")?)?;
    Ok((requests.into(), answers.into()))
}

#[cfg(windows)]
fn take_streams() -> std::io::Result<(File, File)> {
    use std::os::windows::io::AsHandle;
    // The handles are private copies, but what a library prints to stdout still lands between the frames there;
    // the host then reports it as garbage.
    let requests = std::io::stdin().as_handle().try_clone_to_owned()?;
    let answers = std::io::stdout().as_handle().try_clone_to_owned()?;
    Ok((requests.into(), answers.into()))
}

/// Ends this process when the host is gone, also while native code runs in circles.
#[cfg(unix)]
fn end_with_host() {
    let host = rustix::process::getppid();
    std::thread::spawn(move || {
        loop {
            std::thread::sleep(std::time::Duration::from_millis(500));
            if rustix::process::getppid() != host {
                std::process::exit(0);
            }
        }
    });
}

#[cfg(not(unix))]
fn end_with_host() {}

impl Channel {
    /// Takes stdin and stdout of this process for the protocol. From here on, whatever else reads from stdin finds
    /// nothing, and whatever else prints to stdout prints to stderr.
    pub fn open() -> Result<Channel, ChannelError> {
        let (requests, answers) = take_streams()?;
        end_with_host();
        Ok(Channel { requests: BufReader::new(requests), answers, frame_limit_bytes: Limits::default().frame_bytes })
    }

    /// Says who this is.
    pub fn hello(&mut self, identity: Identity, profile: Profile) -> Result<(), ChannelError> {
        let frame = Hello { version: VERSION, identity, profile }.to_frame(self.frame_limit_bytes)?;
        self.write_bytes(&frame)
    }

    /// Says why there will be no answers.
    pub fn start_failed(&mut self, reason: impl Into<String>) -> Result<(), ChannelError> {
        let frame = StartFailed { reason: reason.into() }.to_frame(self.frame_limit_bytes)?;
        self.write_bytes(&frame)
    }

    /// The next request; `None` at the end of stdin, which ends the worker.
    pub fn next_request(&mut self) -> Result<Option<Request>, ChannelError> {
        match read_frame(&mut self.requests, self.frame_limit_bytes).map_err(MessageError::from)? {
            Some(frame) => Ok(Some(Request::from_frame(&frame)?)),
            None => Ok(None),
        }
    }

    /// Answers a request. An answer that cannot be written becomes a refusal that says so.
    pub fn answer(&mut self, id: u64, answer: Answer) -> Result<(), ChannelError> {
        let response = Response { id, answer };
        let frame = match response.to_frame(self.frame_limit_bytes) {
            Ok(frame) => frame,
            Err(error) => {
                let refusal = Refusal::failed(format!("the outputs cannot be handed over: {error}"));
                Response { id, answer: Answer::Refused { seconds: 0.0, refusal } }.to_frame(self.frame_limit_bytes)?
            }
        };
        self.write_bytes(&frame)
    }

    /// Writes bytes as they are (whole frames, unless a test wants otherwise).
    pub fn write_bytes(&mut self, bytes: &[u8]) -> Result<(), ChannelError> {
        self.answers.write_all(bytes)?;
        Ok(self.answers.flush()?)
    }

    /// Greets, then answers requests until stdin ends. A panic of the backend is answered as a fault.
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

/// The last panic of this process: message and place.
static LAST_PANIC: Mutex<Option<String>> = Mutex::new(None);

/// Keeps the last panic's message and place instead of printing it.
fn record_panics() {
    panic::set_hook(Box::new(|info| {
        let place = info.location().map(|l| format!(" at {}:{}", portable(l.file()), l.line())).unwrap_or_default();
        let words = panic_message(info.payload());
        *LAST_PANIC.lock().unwrap_or_else(PoisonError::into_inner) = Some(format!("panicked{place}: {words}"));
    }));
}

/// The path of a source file without where this machine keeps it, so that the same panic reads the same everywhere:
/// `rten-0.27.0/src/ops/slice.rs`, `library/core/src/num/mod.rs`.
fn portable(file: &str) -> &str {
    // Cargo keeps packages below `registry/src/INDEX/`; the standard library says `/rustc/COMMIT/`.
    for marker in ["/registry/src/", "/rustc/"] {
        if let Some((_, rest)) = file.split_once(marker)
            && let Some((_, path)) = rest.split_once('/')
        {
            return path;
        }
    }
    file
}

/// Runs a request on a backend.
pub(crate) fn answer(backend: &dyn Backend, session: &mut Session, request: &Request) -> Answer {
    // How many outputs there are is for the host to count.
    let Attempt { result, seconds } = match request.model.as_deref().map(Model::from_bytes) {
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
