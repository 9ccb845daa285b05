//! The frames of the protocol: a magic number, a kind, a payload length, and that many bytes.

use std::io::{self, Read, Write};

use crate::GarbageKind;

/// The first four bytes of every frame. Text that a library prints into the stream is noticed because it does not start
/// with them.
pub const MAGIC: [u8; 4] = *b"PLB1";

/// The version of the protocol, which the greeting states. A worker of version 1 runs each model once.
pub const VERSION: u32 = 2;

/// The kind of a frame, which says what its payload holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u32)]
pub enum FrameKind {
    /// Worker to host, only as the first frame: the backend's identity and profile.
    Hello = 1,
    /// Worker to host, instead of `Hello`: why the worker cannot start.
    StartFailed = 2,
    /// Host to worker: a case to run.
    Request = 3,
    /// Worker to host: the outputs of a case.
    Outputs = 4,
    /// Worker to host: the backend refused the case.
    Refused = 5,
    /// Worker to host: the backend broke down on this case, and the worker can run further cases.
    Fault = 6,
    /// Host to worker, from version 2 on: inputs for another run of the model of the last request.
    Again = 7,
    /// Host to worker, if its profile declares concurrent runs: inputs for two further runs at the same time.
    AtOnce = 8,
}

impl FrameKind {
    fn from_code(code: u32) -> Option<FrameKind> {
        use FrameKind::*;
        [Hello, StartFailed, Request, Outputs, Refused, Fault, Again, AtOnce].into_iter().find(|k| *k as u32 == code)
    }
}

/// One frame of the protocol.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Frame {
    /// The kind of the frame.
    pub kind: FrameKind,
    /// The bytes of the payload.
    pub payload: Vec<u8>,
}

/// Why a frame could not be read or written.
#[derive(Debug, thiserror::Error)]
pub enum FrameError {
    /// The stream itself failed.
    #[error("cannot read or write a frame: {0}")]
    Io(#[from] io::Error),
    /// The bytes are not a frame.
    #[error("expected a frame, found bytes that start with {}", .0.escape_ascii())]
    Magic(Vec<u8>),
    /// The frame has a kind that this version does not know.
    #[error("a frame has the unknown kind {0}")]
    Kind(u32),
    /// The payload is longer than the limit.
    #[error("a frame has {length} bytes, the limit is {limit}")]
    TooLong {
        /// The length of the payload in bytes.
        length: u64,
        /// The longest payload that is allowed, in bytes.
        limit: u64,
    },
    /// The stream ends inside a frame.
    #[error("the stream ends inside a frame ({found} of {wanted} bytes)")]
    Truncated {
        /// The number of bytes of the header or of the payload that were read.
        found: u64,
        /// The length of the header or of the payload in bytes.
        wanted: u64,
    },
}

impl FrameError {
    /// Returns what is wrong with a reply that cannot be read for this reason.
    pub(super) fn kind(&self) -> GarbageKind {
        match self {
            FrameError::Magic(_) => GarbageKind::NoFrame,
            FrameError::Io(_) | FrameError::Kind(_) | FrameError::TooLong { .. } | FrameError::Truncated { .. } => {
                GarbageKind::Frame
            }
        }
    }
}

const HEADER_LENGTH: usize = 12;

/// Reads `buffer.len()` bytes, or fewer if the stream ends before.
fn read_full(reader: &mut impl Read, buffer: &mut [u8]) -> io::Result<usize> {
    let mut found = 0;
    while found < buffer.len() {
        match reader.read(&mut buffer[found..]) {
            Ok(0) => break,
            Ok(n) => found += n,
            Err(e) if e.kind() == io::ErrorKind::Interrupted => {}
            Err(e) => return Err(e),
        }
    }
    Ok(found)
}

/// Reads a frame of at most `limit` payload bytes. Returns `None` if the stream ends before a frame starts.
pub fn read_frame(reader: &mut impl Read, limit: u64) -> Result<Option<Frame>, FrameError> {
    let mut header = [0u8; HEADER_LENGTH];
    let found = read_full(reader, &mut header)?;
    if found == 0 {
        return Ok(None);
    }
    if header[..found.min(4)] != MAGIC[..found.min(4)] {
        return Err(FrameError::Magic(header[..found].to_vec()));
    }
    if found < HEADER_LENGTH {
        return Err(FrameError::Truncated { found: found as u64, wanted: HEADER_LENGTH as u64 });
    }
    let word = |i: usize| u32::from_le_bytes([header[i], header[i + 1], header[i + 2], header[i + 3]]);
    let kind = FrameKind::from_code(word(4)).ok_or(FrameError::Kind(word(4)))?;
    let length = u64::from(word(8));
    if length > limit {
        return Err(FrameError::TooLong { length, limit });
    }
    // At first, the buffer grows with the bytes that arrive. If the header states a large length and few bytes follow,
    // little memory is reserved. After a mebibyte there is room for the rest, so that the buffer of a large answer is
    // not copied again and again.
    let mut payload = Vec::with_capacity(length.min(1 << 16) as usize);
    reader.take(length.min(1 << 20)).read_to_end(&mut payload)?;
    let rest = length - payload.len() as u64;
    if payload.len() == 1 << 20 {
        payload.reserve_exact(rest as usize);
        reader.take(rest).read_to_end(&mut payload)?;
    }
    let found = payload.len() as u64;
    if found < length {
        return Err(FrameError::Truncated { found, wanted: length });
    }
    Ok(Some(Frame { kind, payload }))
}

/// Starts a frame in a new buffer. The caller appends the payload, then [`finish`] writes its length.
pub(crate) fn begin(kind: FrameKind) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(256);
    bytes.extend_from_slice(&MAGIC);
    bytes.extend_from_slice(&(kind as u32).to_le_bytes());
    bytes.extend_from_slice(&[0; 4]);
    bytes
}

/// Writes the payload length into a frame that [`begin`] started.
pub(crate) fn finish(mut bytes: Vec<u8>, limit: u64) -> Result<Vec<u8>, FrameError> {
    let length = (bytes.len() - HEADER_LENGTH) as u64;
    match u32::try_from(length) {
        Ok(short) if length <= limit => {
            bytes[8..HEADER_LENGTH].copy_from_slice(&short.to_le_bytes());
            Ok(bytes)
        }
        _ => Err(FrameError::TooLong { length, limit: limit.min(u64::from(u32::MAX)) }),
    }
}

/// Writes a frame of at most `limit` payload bytes.
pub fn write_frame(writer: &mut impl Write, kind: FrameKind, payload: &[u8], limit: u64) -> Result<(), FrameError> {
    let mut bytes = begin(kind);
    bytes.extend_from_slice(payload);
    writer.write_all(&finish(bytes, limit)?)?;
    Ok(writer.flush()?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read() {
        let mut stream = Vec::new();
        write_frame(&mut stream, FrameKind::Fault, b"abc", 10).unwrap();
        write_frame(&mut stream, FrameKind::Hello, b"", 10).unwrap();
        let mut reader = stream.as_slice();
        let first = read_frame(&mut reader, 10).unwrap().unwrap();
        assert_eq!((first.kind, first.payload.as_slice()), (FrameKind::Fault, b"abc".as_slice()));
        assert_eq!(read_frame(&mut reader, 10).unwrap().unwrap().kind, FrameKind::Hello);
        assert_eq!(read_frame(&mut reader, 10).unwrap(), None);
    }

    #[test]
    fn a_large_frame_is_read_whole() {
        for length in [(1 << 20) - 1, 1 << 20, (1 << 20) + 1, 3 << 20] {
            let payload: Vec<u8> = (0..length as u32).map(|i| (i % 251) as u8).collect();
            let mut stream = Vec::new();
            write_frame(&mut stream, FrameKind::Fault, &payload, 1 << 22).unwrap();
            let cut = &stream[..stream.len() - 1];
            let error = read_frame(&mut &cut[..], 1 << 22).unwrap_err();
            assert!(
                matches!(error, FrameError::Truncated { found, wanted } if (found, wanted) == (length - 1, length))
            );
            write_frame(&mut stream, FrameKind::Hello, b"next", 10).unwrap();
            let mut reader = stream.as_slice();
            assert!(read_frame(&mut reader, 1 << 22).unwrap().unwrap().payload == payload, "{length}");
            assert_eq!(read_frame(&mut reader, 10).unwrap().unwrap().payload, b"next");
        }
    }

    #[test]
    fn each_flaw_of_a_frame_has_its_own_error() {
        let mut good = Vec::new();
        write_frame(&mut good, FrameKind::Fault, b"abc", 10).unwrap();
        let read = |bytes: &[u8], limit| read_frame(&mut &bytes[..], limit).unwrap_err();
        assert!(matches!(read(b"hello from a library\n", 10), FrameError::Magic(_)));
        assert!(matches!(read(b"hi", 10), FrameError::Magic(_)));
        assert!(matches!(read(&good[..7], 10), FrameError::Truncated { found: 7, wanted: 12 }));
        assert!(matches!(read(&good[..14], 10), FrameError::Truncated { found: 2, wanted: 3 }));
        assert!(matches!(read(&good, 2), FrameError::TooLong { length: 3, limit: 2 }));
        let mut unknown = good.clone();
        unknown[4] = 99;
        assert!(matches!(read(&unknown, 10), FrameError::Kind(99)));
        assert!(matches!(write_frame(&mut Vec::new(), FrameKind::Fault, b"abc", 2), Err(FrameError::TooLong { .. })));
    }
}
