//! Reads and writes the fields that messages consist of.

use plumbline_tensor::{Tensor, Value, ValueKind, append_value, value_from_bytes};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value as Json;

use super::error::MessageError;
use super::frame::FrameError;
use crate::plain::plain;

/// The longest time that a worker can report, in seconds: more than eleven days.
const MOST_SECONDS: f64 = 1e6;

/// What a tensor usually takes beside its elements at most, in bytes: its type, its extents, and lengths.
const BYTES_BESIDE_ELEMENTS: usize = 192;

/// Reads the fields of a payload from front to back.
pub(super) struct Reader<'a> {
    /// The bytes that are not read yet.
    pub(super) rest: &'a [u8],
}

impl<'a> Reader<'a> {
    pub(super) fn take(&mut self, length: usize, what: &'static str) -> Result<&'a [u8], MessageError> {
        let (taken, rest) = self.rest.split_at_checked(length).ok_or(MessageError::Short(what))?;
        self.rest = rest;
        Ok(taken)
    }

    pub(super) fn array<const N: usize>(&mut self, what: &'static str) -> Result<[u8; N], MessageError> {
        let (taken, rest) = self.rest.split_first_chunk::<N>().ok_or(MessageError::Short(what))?;
        self.rest = rest;
        Ok(*taken)
    }

    pub(super) fn u32(&mut self, what: &'static str) -> Result<u32, MessageError> {
        self.array(what).map(u32::from_le_bytes)
    }

    pub(super) fn u64(&mut self, what: &'static str) -> Result<u64, MessageError> {
        self.array(what).map(u64::from_le_bytes)
    }

    /// Reads a time. A time that is negative, infinite or NaN becomes 0, and one above [`MOST_SECONDS`] becomes
    /// [`MOST_SECONDS`]. The answer can be judged without its time, and results are written as JSON, which has no
    /// infinity.
    pub(super) fn seconds(&mut self) -> Result<f64, MessageError> {
        let seconds = self.array("seconds").map(f64::from_le_bytes)?;
        Ok(if seconds.is_finite() { seconds.clamp(0.0, MOST_SECONDS) } else { 0.0 })
    }

    /// Reads all that is left as text.
    pub(super) fn text(self) -> String {
        plain(self.rest)
    }

    pub(super) fn bytes(&mut self, what: &'static str) -> Result<&'a [u8], MessageError> {
        let length = self.u32(what)? as usize;
        self.take(length, what)
    }

    pub(super) fn values(&mut self) -> Result<Vec<Value>, MessageError> {
        let count = self.u32("number of values")? as usize;
        let mut values = Vec::new();
        for index in 0..count {
            let plain = |reason: String| plain(reason.as_bytes());
            let bad_type = |reason: String| MessageError::ValueType { index, reason: plain(reason) };
            let bad = |reason: String| MessageError::Value { index, reason: plain(reason) };
            let kind = std::str::from_utf8(self.bytes("type")?).map_err(|e| bad_type(e.to_string()))?;
            let kind: ValueKind = kind.parse().map_err(bad_type)?;
            values.push(value_from_bytes(self.bytes("value")?, &kind).map_err(|e| bad(e.to_string()))?);
        }
        Ok(values)
    }

    pub(super) fn end(self) -> Result<(), MessageError> {
        if self.rest.is_empty() { Ok(()) } else { Err(MessageError::Long(self.rest.len())) }
    }

    /// Reads all that is left as JSON. Every string and every key in it is replaced by its [`plain`] text.
    pub(super) fn json<T: Serialize + DeserializeOwned>(self, what: &'static str) -> Result<T, MessageError> {
        let bad = |error: serde_json::Error| MessageError::Json { what, reason: plain(error.to_string().as_bytes()) };
        // The message is parsed as a `T` first, because a `Json` of unknown content takes many times the memory of the
        // text.
        let message: T = serde_json::from_slice(self.rest).map_err(bad)?;
        serde_json::to_value(&message).map(with_plain_text).and_then(serde_json::from_value).map_err(bad)
    }
}

fn with_plain_text(json: Json) -> Json {
    match json {
        Json::String(text) => Json::String(plain(text.as_bytes())),
        Json::Array(items) => Json::Array(items.into_iter().map(with_plain_text).collect()),
        Json::Object(fields) => {
            let plain_field = |(key, value): (String, Json)| (plain(key.as_bytes()), with_plain_text(value));
            Json::Object(fields.into_iter().map(plain_field).collect())
        }
        other => other,
    }
}

pub(super) fn put_bytes(buffer: &mut Vec<u8>, bytes: &[u8]) -> Result<(), FrameError> {
    buffer.extend_from_slice(&length_field(bytes.len())?);
    buffer.extend_from_slice(bytes);
    Ok(())
}

fn length_field(length: usize) -> Result<[u8; 4], FrameError> {
    let too_long = |_| FrameError::TooLong { length: length as u64, limit: u64::from(u32::MAX) };
    u32::try_from(length).map(u32::to_le_bytes).map_err(too_long)
}

pub(super) fn put_values(buffer: &mut Vec<u8>, values: &[Value]) -> Result<(), MessageError> {
    buffer.extend_from_slice(&(values.len() as u32).to_le_bytes());
    // There is room for all values from the start, so that the buffer is not copied while it grows.
    let size = |tensor: &Tensor| tensor.bytes().len() + BYTES_BESIDE_ELEMENTS;
    buffer.reserve(values.iter().flat_map(Value::tensors).map(size).sum());
    for (index, value) in values.iter().enumerate() {
        put_bytes(buffer, value.kind().to_string().as_bytes())?;
        // A large value is written in its place, not copied there. Its length is known afterwards.
        let at = buffer.len();
        put_bytes(buffer, &[])?;
        let start = buffer.len();
        append_value(value, "", buffer).map_err(|e| MessageError::Value { index, reason: e.to_string() })?;
        let length = length_field(buffer.len() - start)?;
        buffer[at..start].copy_from_slice(&length);
    }
    Ok(())
}

pub(super) fn put_json(buffer: &mut Vec<u8>, what: &'static str, message: &impl Serialize) -> Result<(), MessageError> {
    serde_json::to_writer(buffer, message).map_err(|e| MessageError::Json { what, reason: e.to_string() })
}
