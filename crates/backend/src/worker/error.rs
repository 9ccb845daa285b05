//! The error of messages that cannot be read or written.

use super::command::StartFault;
use super::frame::{FrameError, FrameKind, VERSION};
use crate::GarbageKind;

/// Why a message cannot be read or written.
#[derive(Debug, thiserror::Error)]
pub enum MessageError {
    /// The payload ends too early.
    #[error("the message ends within its {0}")]
    Short(&'static str),
    /// The payload has bytes after the end of the message.
    #[error("the message has {0} bytes after its end")]
    Long(usize),
    /// The JSON of a refusal is malformed, or does not have its form.
    #[error("refusal: {0}")]
    Refusal(String),
    /// The JSON is malformed, or does not have the form of the message.
    #[error("{what}: {reason}")]
    Json {
        /// The name of the message.
        what: &'static str,
        /// The error message of the decoder.
        reason: String,
    },
    /// The type of a value cannot be read.
    #[error("value {index}: {reason}")]
    ValueType {
        /// The index of the value.
        index: usize,
        /// The reason why the type cannot be read.
        reason: String,
    },
    /// A value cannot be read or written.
    #[error("value {index}: {reason}")]
    Value {
        /// The index of the value.
        index: usize,
        /// The reason why the value is invalid.
        reason: String,
    },
    /// The other side speaks another version of the protocol.
    #[error("the other side speaks protocol version {0}, this side speaks 1 to {VERSION}")]
    Version(u32),
    /// A frame of this kind is not allowed here.
    #[error("a frame of kind {0:?} is not expected here")]
    Unexpected(FrameKind),
    /// The frame cannot be read, or the message is larger than a frame may be.
    #[error(transparent)]
    Frame(#[from] FrameError),
}

impl MessageError {
    /// Returns what is wrong with a worker whose greeting cannot be read for this reason.
    pub(super) fn start_fault(&self) -> StartFault {
        match self {
            // The text is that of the JSON decoder.
            MessageError::Json { reason, .. } if reason.contains("unknown field") => StartFault::UnknownKey,
            MessageError::Version(_) => StartFault::Version,
            MessageError::Frame(error) if error.kind() == GarbageKind::NoFrame => StartFault::NoFrame,
            _ => StartFault::Greeting,
        }
    }

    /// Returns what is wrong with a reply that cannot be read for this reason.
    pub(super) fn kind(&self) -> GarbageKind {
        match self {
            MessageError::Short(_) | MessageError::Long(_) => GarbageKind::Fields,
            MessageError::Refusal(_) => GarbageKind::Refusal,
            MessageError::ValueType { .. } => GarbageKind::ValueType,
            MessageError::Value { .. } => GarbageKind::Value,
            MessageError::Frame(error) => error.kind(),
            MessageError::Json { .. } | MessageError::Version(_) | MessageError::Unexpected(_) => GarbageKind::Frame,
        }
    }
}
