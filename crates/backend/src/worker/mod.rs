//! Backends in processes of their own, so that native code that kills its process does not affect other cases.
//!
//! The worker is either this executable, started again ([`Command`]), or any other program. Both sides exchange the
//! frames of `docs/worker-protocol.md` on stdin and stdout ([`Frame`], [`Request`], [`Response`]). [`Channel`] is the
//! worker's side. [`Worker`] is the host's side: it writes several requests ahead, enforces a deadline for each case,
//! and restarts a dead process to continue with the next case.

mod channel;
mod command;
mod error;
mod fields;
mod frame;
mod guard;
mod host;
#[cfg(windows)]
mod job;
mod leader;
mod memory;
mod message;
mod pool;
mod process;
mod tail;

pub(crate) use channel::answer;
pub use channel::{Channel, ChannelError, FATAL_PANICS};
pub use command::{Command, Limits, StartError, StartFault};
pub use error::MessageError;
pub use frame::{Frame, FrameError, FrameKind, MAGIC, VERSION, read_frame, write_frame};
pub use host::Worker;
pub use message::{Answer, Fault, Hello, Request, Response, StartFailed};
pub use pool::Pool;
