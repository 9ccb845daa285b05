//! Inputs from which a search starts: data that Plumbline writes, and files of this repository.

use plumbline_backend::Identity;
use plumbline_backend::worker::{Answer, Fault, FrameKind, Hello, Request, Response, write_frame};
use plumbline_conformance::{CaseResult, ReasonKind, Verdict};
use plumbline_generator::{Case, cells};
use plumbline_spec::embedded::below;

use crate::FRAME_BYTES;

/// Returns inputs for a target, the same ones each time.
pub fn seeds(target: &str) -> Vec<Vec<u8>> {
    let cases = || cells().into_iter().step_by(29).filter_map(|cell| cell.case(None, 0, 0));
    match target {
        "wire" => cases().map(|case| case.model.to_bytes()).collect(),
        "text" => cases().map(|case| case.model.to_string().into_bytes()).collect(),
        "frames" => cases().flat_map(frames).collect(),
        "results" => cases().map(|case| row(&case)).collect(),
        "rules" => {
            let mut files = below(&plumbline_spec_data::FOLDER, "onnx");
            files.extend(below(&plumbline_report_data::FOLDER, "expectations"));
            let rules = files.into_iter().filter(|(path, _)| path.ends_with(".toml"));
            rules.map(|(_, file)| file.contents().to_vec()).collect()
        }
        _ => (0..9000u16).step_by(7).map(|cell| [&cell.to_le_bytes()[..], &[20; 24]].concat()).collect(),
    }
}

/// Returns frames for a case: a hello, an answer with the inputs as outputs, a fault, a refusal, and a request.
fn frames(case: Case) -> Vec<Vec<u8>> {
    let identity = Identity { name: "seed".to_owned(), version: "1".to_owned() };
    let hello = Hello { version: 2, identity, profile: Default::default() }.to_frame(FRAME_BYTES);
    let response = |answer| Response { id: 7, answer }.to_frame(FRAME_BYTES);
    let outputs = response(Answer::Outputs { seconds: 0.5, values: case.inputs.clone() });
    let fault = response(Answer::Fault(Fault { message: "it broke down".to_owned() }));
    let mut frame = Vec::new();
    let payload = [&[7; 16][..], br#"{"kind": "invalid", "label": "axis-in-range", "message": "axis 7"}"#].concat();
    let refused = write_frame(&mut frame, FrameKind::Refused, &payload, FRAME_BYTES).ok().map(|()| frame);
    let request = Request::frame_of(7, Some(&case.model.to_bytes()), false, &case.inputs, FRAME_BYTES);
    let encoded = [hello.ok(), outputs.ok(), fault.ok(), refused, request.ok()];
    encoded.into_iter().flatten().collect()
}

fn row(case: &Case) -> Vec<u8> {
    let result = CaseResult {
        case: case.id.clone(),
        suite: "generated".to_owned(),
        domain: case.version.domain.clone(),
        op: case.version.name.clone(),
        since: case.version.since,
        types: case.types.clone(),
        backend: "seed 1".to_owned(),
        verdict: Verdict::Pass,
        expected_verdict: Some(Verdict::Fail),
        detail: Some("1.5 (0x3fc00000) \u{1b}[31m".to_owned()),
        rule: Some("axis-in-range".to_owned()),
        reason: Some(ReasonKind::TwinNotAnswered),
        max_ulp: Some(0.5),
        width_ulp: Some(1e300),
        seconds: 1e-9,
        seed: Some("7".to_owned()),
        ..CaseResult::default()
    };
    serde_json::to_vec(&result).expect("a row can be written")
}
