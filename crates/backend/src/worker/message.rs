//! The messages that the frames hold. Numbers are little-endian. Each model, type and value comes after its length,
//! which takes four bytes.

use plumbline_tensor::Value;
use serde::{Deserialize, Serialize};

use super::error::MessageError;
use super::fields::{Reader, put_bytes, put_json, put_values};
use super::frame::{Frame, FrameKind, VERSION, begin, finish};
use crate::{Identity, Profile, Refusal, RefusalKind};

/// The greeting of a worker.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Hello {
    /// The version of the protocol.
    pub version: u32,
    /// The name and version of the backend.
    pub identity: Identity,
    /// What the backend declares about itself.
    #[serde(default)]
    pub profile: Profile,
}

/// The message of a worker that cannot start.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct StartFailed {
    /// The reason, in one line.
    pub reason: String,
}

/// A case for a worker to run.
#[derive(Clone, Debug, PartialEq)]
pub struct Request {
    /// The number of the request, which the answer repeats.
    pub id: u64,
    /// The bytes of `model.onnx`, or `None` to run the model of the previous request again.
    pub model: Option<Vec<u8>>,
    /// Whether the model of the previous request runs twice at the same time. `inputs` then holds the inputs of both runs,
    /// one after the other, and the answer has the outputs of both.
    pub at_once: bool,
    /// The inputs, in the order of [`plumbline_tensor::Model::input_names`].
    pub inputs: Vec<Value>,
}

/// A worker's answer to a request.
#[derive(Clone, Debug, PartialEq)]
pub struct Response {
    /// The number of the request.
    pub id: u64,
    /// The outcome of the request.
    pub answer: Answer,
}

/// The outcome of a request, as the worker reports it.
#[derive(Clone, Debug, PartialEq)]
pub enum Answer {
    /// The backend answered.
    Outputs {
        /// Seconds the backend took.
        seconds: f64,
        /// The outputs, in the order of the graph's outputs.
        values: Vec<Value>,
    },
    /// The backend refused.
    Refused {
        /// Seconds the backend took.
        seconds: f64,
        /// The refusal.
        refusal: Refusal,
    },
    /// The backend broke down.
    Fault(Fault),
}

/// A breakdown of the backend that the worker survived.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// What happened.
    pub message: String,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum WireKind {
    Unsupported,
    Limit,
    Optimizer,
    BreaksModel,
    BreaksInterface,
    Invalid,
    Failed,
    DeviceLost,
}

#[derive(Serialize, Deserialize)]
struct WireRefusal {
    kind: WireKind,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    operator: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    label: Option<String>,
    message: String,
}

impl From<&Refusal> for WireRefusal {
    fn from(refusal: &Refusal) -> WireRefusal {
        WireRefusal {
            kind: match refusal.kind {
                // No worker says that something is not inferred: this process finds it out.
                RefusalKind::Unsupported | RefusalKind::NotInferred => WireKind::Unsupported,
                RefusalKind::Limit => WireKind::Limit,
                RefusalKind::Optimizer => WireKind::Optimizer,
                RefusalKind::BreaksModel => WireKind::BreaksModel,
                RefusalKind::BreaksInterface => WireKind::BreaksInterface,
                RefusalKind::Invalid => WireKind::Invalid,
                RefusalKind::Failed => WireKind::Failed,
                RefusalKind::DeviceLost => WireKind::DeviceLost,
            },
            operator: refusal.operator.clone(),
            label: refusal.label.map(|l| l.to_string()),
            message: refusal.message.clone(),
        }
    }
}

impl TryFrom<WireRefusal> for Refusal {
    type Error = String;
    fn try_from(wire: WireRefusal) -> Result<Refusal, String> {
        Ok(Refusal {
            kind: match wire.kind {
                WireKind::Unsupported => RefusalKind::Unsupported,
                WireKind::Limit => RefusalKind::Limit,
                WireKind::Optimizer => RefusalKind::Optimizer,
                WireKind::BreaksModel => RefusalKind::BreaksModel,
                WireKind::BreaksInterface => RefusalKind::BreaksInterface,
                WireKind::Invalid => RefusalKind::Invalid,
                WireKind::Failed => RefusalKind::Failed,
                WireKind::DeviceLost => RefusalKind::DeviceLost,
            },
            operator: wire.operator,
            label: wire.label.map(|l| l.parse()).transpose().map_err(|e: plumbline_spec::UnknownRule| e.to_string())?,
            limit: None,
            message: wire.message,
        })
    }
}

impl Hello {
    /// Encodes the message as a frame, header included.
    pub fn to_frame(&self, limit: u64) -> Result<Vec<u8>, MessageError> {
        let mut buffer = begin(FrameKind::Hello);
        put_json(&mut buffer, "hello", self)?;
        Ok(finish(buffer, limit)?)
    }

    /// Reads the first frame of a worker: its greeting, or the reason why it cannot start.
    pub fn from_frame(frame: &Frame) -> Result<Result<Hello, StartFailed>, MessageError> {
        #[derive(Serialize, Deserialize)]
        struct OnlyVersion {
            version: u32,
        }
        let reader = || Reader { rest: &frame.payload };
        match frame.kind {
            FrameKind::Hello => {
                // The version is read first, because the other fields may differ in another version.
                let OnlyVersion { version } = reader().json("hello")?;
                if !(1..=VERSION).contains(&version) {
                    return Err(MessageError::Version(version));
                }
                Ok(Ok(reader().json("hello")?))
            }
            FrameKind::StartFailed => Ok(Err(reader().json("start-failed")?)),
            other => Err(MessageError::Unexpected(other)),
        }
    }
}

impl StartFailed {
    /// Encodes the message as a frame, header included.
    pub fn to_frame(&self, limit: u64) -> Result<Vec<u8>, MessageError> {
        let mut buffer = begin(FrameKind::StartFailed);
        put_json(&mut buffer, "start-failed", self)?;
        Ok(finish(buffer, limit)?)
    }
}

impl Request {
    /// Encodes a request as a frame, header included. Without a model, the request asks for another run of the model of
    /// the previous request, or with `at_once` for two.
    pub fn frame_of(
        id: u64,
        model: Option<&[u8]>,
        at_once: bool,
        inputs: &[Value],
        limit: u64,
    ) -> Result<Vec<u8>, MessageError> {
        let mut buffer = begin(match (model, at_once) {
            (Some(_), _) => FrameKind::Request,
            (None, true) => FrameKind::AtOnce,
            (None, false) => FrameKind::Again,
        });
        buffer.extend_from_slice(&id.to_le_bytes());
        if let Some(model) = model {
            put_bytes(&mut buffer, model)?;
        }
        put_values(&mut buffer, inputs)?;
        Ok(finish(buffer, limit)?)
    }

    /// Reads a request from a frame.
    pub fn from_frame(frame: &Frame) -> Result<Request, MessageError> {
        let mut reader = Reader { rest: &frame.payload };
        let id = reader.u64("sequence number")?;
        let model = match frame.kind {
            FrameKind::Request => Some(reader.bytes("model")?.to_vec()),
            FrameKind::Again | FrameKind::AtOnce => None,
            other => return Err(MessageError::Unexpected(other)),
        };
        let inputs = reader.values()?;
        reader.end()?;
        Ok(Request { id, model, at_once: frame.kind == FrameKind::AtOnce, inputs })
    }
}

impl Response {
    /// Encodes the message as a frame, header included.
    pub fn to_frame(&self, limit: u64) -> Result<Vec<u8>, MessageError> {
        let start = |kind| {
            let mut buffer = begin(kind);
            buffer.extend_from_slice(&self.id.to_le_bytes());
            buffer
        };
        let buffer = match &self.answer {
            Answer::Outputs { seconds, values } => {
                let mut buffer = start(FrameKind::Outputs);
                buffer.extend_from_slice(&seconds.to_le_bytes());
                put_values(&mut buffer, values)?;
                buffer
            }
            Answer::Refused { seconds, refusal } => {
                let mut buffer = start(FrameKind::Refused);
                buffer.extend_from_slice(&seconds.to_le_bytes());
                put_json(&mut buffer, "refusal", &WireRefusal::from(refusal))?;
                buffer
            }
            Answer::Fault(fault) => {
                let mut buffer = start(FrameKind::Fault);
                buffer.extend_from_slice(fault.message.as_bytes());
                buffer
            }
        };
        Ok(finish(buffer, limit)?)
    }

    /// Reads an answer from a frame.
    pub fn from_frame(frame: &Frame) -> Result<Response, MessageError> {
        let mut reader = Reader { rest: &frame.payload };
        let id = match frame.kind {
            FrameKind::Outputs | FrameKind::Refused | FrameKind::Fault => reader.u64("sequence number")?,
            other => return Err(MessageError::Unexpected(other)),
        };
        let answer = match frame.kind {
            FrameKind::Outputs => {
                let seconds = reader.seconds()?;
                let values = reader.values()?;
                reader.end()?;
                Answer::Outputs { seconds, values }
            }
            FrameKind::Refused => {
                let seconds = reader.seconds()?;
                let bad = |error| match error {
                    MessageError::Json { reason, .. } => MessageError::Refusal(reason),
                    other => other,
                };
                let wire: WireRefusal = reader.json("refusal").map_err(bad)?;
                let refusal = wire.try_into().map_err(MessageError::Refusal)?;
                Answer::Refused { seconds, refusal }
            }
            _ => Answer::Fault(Fault { message: reader.text() }),
        };
        Ok(Response { id, answer })
    }
}

#[cfg(test)]
mod tests {
    use super::super::frame::read_frame;
    use super::*;
    use plumbline_spec::rule::AXIS_IN_RANGE;
    use plumbline_tensor::Tensor;

    fn parse(bytes: &[u8]) -> Frame {
        read_frame(&mut &bytes[..], 1 << 20).unwrap().unwrap()
    }

    #[test]
    fn messages_are_parsed_as_they_were_written() {
        let values = vec![Value::Tensor(Tensor::from_f32s(vec![2], &[1.5, -0.0]).unwrap())];
        for (model, at_once) in [(Some(vec![1, 2, 3]), false), (None, false), (None, true)] {
            let bytes = Request::frame_of(7, model.as_deref(), at_once, &values, 1 << 20).unwrap();
            let request = Request { id: 7, model, at_once, inputs: values.clone() };
            assert_eq!(Request::from_frame(&parse(&bytes)).unwrap(), request);
        }
        for answer in [
            Answer::Outputs { seconds: 0.25, values },
            Answer::Refused { seconds: 0.5, refusal: Refusal::violates(AXIS_IN_RANGE, "index 9 of 3").at("Gather-13") },
            Answer::Fault(Fault { message: "panicked: no".to_owned() }),
        ] {
            let response = Response { id: u64::MAX, answer };
            assert_eq!(Response::from_frame(&parse(&response.to_frame(1 << 20).unwrap())).unwrap(), response);
        }
    }

    #[test]
    fn outputs_that_are_cut_off_or_too_long_are_errors() {
        let values = vec![Value::Tensor(Tensor::from_i64s(&[1, 2, 3]))];
        let whole =
            parse(&Response { id: 1, answer: Answer::Outputs { seconds: 1.0, values } }.to_frame(1 << 20).unwrap());
        for cut in 0..whole.payload.len() {
            let frame = Frame { kind: whole.kind, payload: whole.payload[..cut].to_vec() };
            assert!(Response::from_frame(&frame).is_err(), "cut at {cut}");
        }
        let mut longer = whole.clone();
        longer.payload.push(0);
        assert!(matches!(Response::from_frame(&longer), Err(MessageError::Long(1))));
    }

    #[test]
    fn times_are_numbers_that_json_can_hold() {
        let times = [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, -1.0, -0.5, 0.0, 0.25, f64::MAX];
        let read = times.map(|seconds| {
            let answer = Answer::Outputs { seconds, values: vec![] };
            let frame = parse(&Response { id: 1, answer }.to_frame(1 << 20).unwrap());
            match Response::from_frame(&frame).unwrap().answer {
                Answer::Outputs { seconds, .. } => seconds,
                other => panic!("{other:?}"),
            }
        });
        assert_eq!(read, [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.25, 1e6]);
    }

    #[test]
    fn texts_are_bounded_and_printable() {
        let read = |answer: Answer| {
            let frame = Response { id: 1, answer }.to_frame(100 << 20).unwrap();
            Response::from_frame(&read_frame(&mut &frame[..], 100 << 20).unwrap().unwrap()).unwrap().answer
        };
        let Answer::Fault(fault) = read(Answer::Fault(Fault { message: "\x1b[2J".repeat(10 << 20) })) else { panic!() };
        assert!(fault.message.starts_with("\\u{1b}[2J\\u{1b}") && fault.message.len() < 100 << 10);
        assert!(fault.message.ends_with(" of 41943040 bytes)"));
        let refusal = Refusal::failed("\0".repeat(1 << 20)).at("\x07Min-13");
        let Answer::Refused { refusal, .. } = read(Answer::Refused { seconds: 0.0, refusal }) else { panic!() };
        assert!(refusal.message.starts_with("\\0\\0") && refusal.message.len() < 40 << 10);
        assert_eq!(refusal.operator.as_deref(), Some("\\u{7}Min-13"));
    }

    #[test]
    fn a_greeting_is_printable() {
        let json = br#"{"version": 2, "identity": {"name": "\u001b[2Jx", "version": "\u0000"}, "profile":
            {"accuracy": "\u001b", "extra_ulp": {"\u0007": 0.5}}}"#;
        let hello = Hello::from_frame(&Frame { kind: FrameKind::Hello, payload: json.to_vec() }).unwrap().unwrap();
        assert_eq!(hello.identity.to_string(), "\\u{1b}[2Jx \\0");
        assert_eq!(hello.profile.accuracy, "\\u{1b}");
        assert_eq!(hello.profile.extra_ulp["\\u{7}"], 0.5);
        let json = br#"{"version": 2, "identity": {"name": "x", "version": ""}, "profile": {"\u001b": 1}}"#;
        let error = Hello::from_frame(&Frame { kind: FrameKind::Hello, payload: json.to_vec() }).unwrap_err();
        assert!(error.to_string().contains("unknown field `\\u{1b}`"), "{error}");
        let json = br#"{"reason": "no \u001b[31mlibrary\u001b[0m"}"#;
        let failed = Hello::from_frame(&Frame { kind: FrameKind::StartFailed, payload: json.to_vec() }).unwrap();
        assert_eq!(failed.unwrap_err().reason, "no library");
    }

    #[test]
    fn an_unknown_protocol_version_is_an_error() {
        let frame = Frame { kind: FrameKind::Hello, payload: br#"{"version": 3, "who": "later"}"#.to_vec() };
        assert!(matches!(Hello::from_frame(&frame), Err(MessageError::Version(3))));
    }
}
