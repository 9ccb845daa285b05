//! Reads what a backend did with a valid model, and says what to change in the adapter if that was no answer.

use plumbline_backend::{GarbageKind, Observation, RefusalKind, StartFault};
use plumbline_tensor::Value;

use super::Problem;

/// Why there is no answer to compare.
pub enum Trouble {
    /// The backend refused the case as unsupported.
    Unsupported(String),
    /// The adapter did something wrong.
    Problem(Problem),
}

/// Returns the outputs. `what` names the model in messages, for example `float (by Identity)`.
pub fn outputs(observation: Observation, what: &str) -> Result<Vec<Value>, Trouble> {
    let problem = |found: String, advice: &str| Err(Trouble::Problem(Problem::new(format!("{what}: {found}"), advice)));
    match observation {
        Observation::Outputs { values, .. } => Ok(values),
        Observation::Refused { refusal, .. } if refusal.kind == RefusalKind::Unsupported => {
            Err(Trouble::Unsupported(refusal.message))
        }
        Observation::Refused { refusal, .. } => problem(
            format!("refused as `{}`: {}", kind_name(refusal.kind), first_line(&refusal.message)),
            match refusal.kind {
                RefusalKind::DeviceLost => "Answer `device-lost` only if the device was lost.",
                _ => {
                    "The model is valid, so this refusal counts as a failure. Answer `unsupported` if the backend does \
                     not support the model. If it does, look at how the adapter reads the model and the inputs."
                }
            },
        ),
        Observation::Crash { detail } => problem(
            format!("the worker broke down: {}", first_line(&detail)),
            "Catch errors of the runtime and answer `refused` with a kind. If the process died, its stderr says where.",
        ),
        Observation::Timeout { after } => problem(
            format!("no answer within {} s", after.as_secs_f64()),
            "Flush stdout after each frame, read exactly as many bytes as the header of a request says, and answer \
             before reading the next request.",
        ),
        Observation::Garbage { kind, detail } => problem(first_line(&detail), garbage_advice(kind)),
        Observation::NotRun { reason } => problem(
            format!("did not run: {}", first_line(&reason)),
            "A worker that ended is started again, and has to greet with the same name and version as before.",
        ),
    }
}

/// Returns the name of a kind as the protocol writes it.
pub fn kind_name(kind: RefusalKind) -> &'static str {
    match kind {
        RefusalKind::Unsupported => "unsupported",
        RefusalKind::Limit => "limit",
        RefusalKind::Optimizer => "optimizer",
        RefusalKind::BreaksModel => "breaks-model",
        RefusalKind::BreaksInterface => "breaks-interface",
        RefusalKind::Invalid => "invalid",
        RefusalKind::Failed => "failed",
        RefusalKind::NotInferred => "not-inferred",
        RefusalKind::DeviceLost => "device-lost",
    }
}

/// Returns the first line that is not blank, cut off after 200 characters.
pub fn first_line(text: &str) -> String {
    let line = text.lines().find(|line| !line.trim().is_empty()).unwrap_or_default().trim();
    match line.char_indices().nth(200) {
        Some((end, _)) => format!("{}...", &line[..end]),
        None => line.to_owned(),
    }
}

/// Says what to change in an adapter whose answer could not be read.
pub fn garbage_advice(kind: GarbageKind) -> &'static str {
    match kind {
        GarbageKind::NoFrame => {
            "Something other than frames is written to stdout, often what a library or the adapter prints. Send prints \
             to stderr: keep a copy of file descriptor 1 for the frames, and point 1 at stderr before anything is loaded."
        }
        GarbageKind::Twice => "Write exactly one answer for each request.",
        GarbageKind::OtherRequest => {
            "Begin each answer with the number of its request, the first 8 bytes of the request's payload."
        }
        GarbageKind::Count => "Answer with one value for each entry of graph.output, in that order.",
        GarbageKind::ValueType => "Write the type of a value as ONNX spells it: tensor(float), seq(tensor(int64)).",
        GarbageKind::Value => {
            "The content of an output is not a TensorProto of the type that stands before it. Write the bytes of a \
             TensorProto with dims, data_type and raw_data. `dims` is the shape, and `raw_data` holds exactly as many \
             bytes as the shape and `data_type` need: 1 for a bool, and two elements in a byte for types of 4 bits."
        }
        GarbageKind::Fields => {
            "The fields of the payload are not those that docs/worker-protocol.md lists for this kind of frame: each \
             length has 4 bytes, the number of the request 8, and all are little-endian."
        }
        GarbageKind::Refusal => {
            "The JSON of a refusal has `kind` (unsupported, invalid, failed, device-lost) and `message`; `operator` and \
             `label` may be left out."
        }
        GarbageKind::Frame => {
            "Compare the frame with the section \"Frames\" of docs/worker-protocol.md: 4 letters, kind, length, payload, \
             all numbers little-endian."
        }
    }
}

/// Says what to change in an adapter that could not start. `reason` says why it could not.
pub fn start_problem(reason: &str, fault: StartFault) -> Problem {
    let advice = match fault {
        StartFault::NoFrame => {
            "The first bytes on stdout have to be those of the frame hello. Send all prints to stderr."
        }
        StartFault::UnknownKey => {
            "Remove the unknown key from the greeting. docs/worker-protocol.md lists the keys of hello and of its profile."
        }
        StartFault::Version => {
            "Write `\"version\": 2` in hello, the version of the protocol that docs/worker-protocol.md describes."
        }
        StartFault::Greeting => {
            "Correct the JSON of hello: {\"version\": 2, \"identity\": {\"name\": \"mine\", \"version\": \"0.3\"}, \
             \"profile\": {}}."
        }
        StartFault::Ended => {
            "Run the command by hand: it has to start, write hello to stdout and wait for requests on stdin."
        }
        StartFault::Silent => {
            "Write hello and flush stdout before waiting for a request. Load slow modules afterwards."
        }
        StartFault::Other => "Correct the command, or install what the message names.",
    };
    Problem::new(reason, advice)
}
