//! Functions that pass arbitrary bytes to the code of Plumbline that reads data from outside. Each panics if that code
//! does. Models, responses and results are also written and read again, and the function panics if they change.
//!
//! `sh scripts/fuzz.sh TARGET SECONDS` searches, and keeps an input with which a function panics in `fuzz/kept/TARGET`.
//! The tests of this crate pass it to the function again.

use std::path::Path;
use std::sync::LazyLock;

use plumbline_backend::worker::{Hello, Request, Response, read_frame};
use plumbline_conformance::{CaseResult, Expectations};
use plumbline_generator::{Cell, Sequence, cells};
use plumbline_oracle::Oracle;
use plumbline_spec::{Names, OperatorVersion, Rules, Spec};
use plumbline_tensor::Model;

mod seeds;

pub use seeds::seeds;

/// A function of this crate that reads arbitrary bytes.
pub type Target = fn(&[u8]);

/// All targets, by name.
pub const TARGETS: [(&str, Target); 6] =
    [("wire", wire), ("text", text), ("frames", frames), ("results", results), ("rules", rules), ("oracle", oracle)];

/// The largest frame that is read, in bytes.
const FRAME_BYTES: u64 = 1 << 20;

/// How many elements the oracle may compute for one model, and how many steps it may take.
const LIMITS: (usize, u64) = (1 << 14, 1 << 20);

/// Reads a model in ONNX's wire format.
pub fn wire(data: &[u8]) {
    let Ok(model) = Model::from_bytes(data) else { return };
    let bytes = model.to_bytes();
    let again = Model::from_bytes(&bytes).expect("a model that was written can be read");
    assert_eq!(again.to_bytes(), bytes, "a model changes when it is written and read again");
}

/// Reads a model in ONNX's text syntax.
pub fn text(data: &[u8]) {
    let Some(model) = std::str::from_utf8(data).ok().and_then(|text| text.parse::<Model>().ok()) else { return };
    let written = model.to_string();
    let again: Model = written.parse().unwrap_or_else(|error| panic!("{error}: {written}"));
    assert_eq!(again.to_string(), written, "a model changes when it is written and read again");
}

/// Reads the frames that a worker or the host may send.
pub fn frames(mut data: &[u8]) {
    while let Ok(Some(frame)) = read_frame(&mut data, FRAME_BYTES) {
        _ = Hello::from_frame(&frame);
        _ = Request::from_frame(&frame);
        if let Ok(response) = Response::from_frame(&frame) {
            let written = response.to_frame(2 * FRAME_BYTES).expect("a response that was read can be written");
            let again = read_frame(&mut written.as_slice(), 2 * FRAME_BYTES).expect("a written frame can be read");
            let again = Response::from_frame(&again.expect("a frame was written")).expect("a response can be read");
            assert_eq!(again.to_frame(2 * FRAME_BYTES).ok().as_ref(), Some(&written));
        }
    }
}

/// Reads a line of `results.jsonl`.
pub fn results(data: &[u8]) {
    let Ok(row) = serde_json::from_slice::<CaseResult>(data) else { return };
    let line = serde_json::to_string(&row).expect("a row that was read can be written");
    let again: CaseResult = serde_json::from_str(&line).unwrap_or_else(|error| panic!("{error}: {line}"));
    assert_eq!(serde_json::to_string(&again).ok(), Some(line));
}

/// Reads the bytes as the rules of an operator, and as a file of expectations.
pub fn rules(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else { return };
    let operator = Spec::embedded().operator("", "Gather").expect("ONNX has this operator");
    let versions: Vec<Names> = operator.versions.iter().map(OperatorVersion::names).collect();
    _ = Rules::parse(Path::new("rules.toml"), text, &versions);
    _ = Expectations::parse(Path::new("expectations.toml"), text);
}

/// Draws a case by arbitrary choices, changes bytes of its model, and asks the oracle for an answer.
///
/// The first two bytes choose the cell. The third byte is the number of choices, and the choices follow it. After the
/// choices, every three bytes change the model: two choose a place, and one has the bits that change there.
pub fn oracle(data: &[u8]) {
    static CELLS: LazyLock<Vec<Cell>> = LazyLock::new(cells);
    let Some((&[low, high, choices], rest)) = data.split_first_chunk() else { return };
    let cell = &CELLS[usize::from(u16::from_le_bytes([low, high])) % CELLS.len()];
    let (choices, edits) = rest.split_at(rest.len().min(choices.into()));
    let choices = Sequence { main: choices.iter().copied().map(u64::from).collect(), blocks: vec![] };
    let Some(case) = cell.place(0, 0).replay(None, choices) else { return };
    let mut bytes = case.model.to_bytes();
    for edit in edits.as_chunks::<3>().0 {
        let place = usize::from(u16::from_le_bytes([edit[0], edit[1]])) % bytes.len();
        bytes[place] ^= edit[2];
    }
    let Ok(model) = Model::from_bytes(&bytes) else { return };
    let oracle = Oracle::default().with_most_elements(LIMITS.0).with_most_steps(LIMITS.1);
    if let Ok(answer) = oracle.answer(&model, &case.inputs) {
        assert_eq!(answer.len(), model.output_names().len());
    }
}
