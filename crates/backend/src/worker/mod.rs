//! Backends in processes of their own, so that native code which kills its process takes no other case with it.
//!
//! The same executable is started again ([`Command`]), or somebody else's program. Both sides speak the frames of
//! `docs/worker-protocol.md` on stdin and stdout ([`frame`], [`message`]). [`Channel`] is the worker's side,
//! [`Worker`] the host's: it writes several requests ahead, keeps a deadline a case, restarts after a death and
//! carries on.

mod channel;
mod fields;
mod frame;
mod host;
mod message;
mod pool;
mod process;

pub(crate) use channel::answer;
pub use channel::{Channel, ChannelError};
pub use frame::{Frame, FrameError, FrameKind, MAGIC, VERSION, read_frame, write_frame};
pub use host::Worker;
pub use message::{Answer, Fault, Hello, MessageError, Request, Response, StartFailed};
pub use pool::Pool;
pub use process::{Command, Limits, StartError};
