//! The JSON form of a judgement, which `docs/judge.md` describes.

use serde_json::{Value as Json, json};

use super::parting::Parting;
use super::report::{ModelJudgement, NodeJudgement, NodeOutcome, OutputJudgement, is_accepted};
use super::trace::Traced;
use crate::cases::NodePlace;
use plumbline_judge::{ElementJudgement, Scalar};

/// The version of the JSON form. It changes if a key changes its meaning or goes away; new keys do not change it.
pub const FORMAT: u32 = 1;

/// Returns the JSON form of a judgement.
pub fn to_json(judgement: &ModelJudgement) -> Json {
    json!({
        "format": FORMAT,
        "accepted": judgement.is_accepted(),
        "verdict": judgement.verdict.name(),
        "kind": judgement.kind.map(|kind| kind.name()),
        "detail": judgement.detail,
        "accuracy": judgement.accuracy,
        "outputs": judgement.outputs.iter().map(output).collect::<Vec<_>>(),
        "outputs_by_nodes": judgement.by_nodes,
        "first_wrong": judgement.first_wrong().map(|node| node.node.index),
        "nodes": judgement.nodes.iter().map(node).collect::<Vec<_>>(),
        "unknown_values": judgement.unknown_values,
        "incomplete": judgement.incomplete.map(|part| json!({"judged": part.judged, "nodes": part.nodes})),
    })
}

impl Traced {
    /// Returns the JSON form of the judgement, with further keys about the backend and its runs.
    pub fn to_json(&self) -> Json {
        let mut json = to_json(&self.judgement);
        json["accepted"] = json!(self.is_accepted());
        let omitted = self.omitted.iter().map(|(name, reason)| json!({"value": name, "reason": reason}));
        json["backend"] = json!(self.backend);
        json["runs_with_values"] = json!(self.runs);
        json["omitted_values"] = omitted.collect();
        json["changed_outputs"] = json!(self.changed_outputs);
        json
    }
}

impl Parting {
    /// Returns the JSON form.
    pub fn to_json(&self) -> Json {
        json!({
            "node": place(&self.node),
            "value": self.value,
            "index": self.index,
            "first": self.first,
            "second": self.second,
            "differing": self.differing,
            "elements": self.elements,
            "max_ulp": self.max_ulp,
        })
    }
}

fn output(output: &OutputJudgement) -> Json {
    let judgement = &output.judgement;
    let dtype = match output.kind.dtype() {
        Some(dtype) => dtype.to_string(),
        None => output.kind.to_string(),
    };
    json!({
        "name": output.name,
        "dtype": dtype,
        "shape": output.shape,
        "accepted": is_accepted(judgement.verdict),
        "verdict": judgement.verdict.name(),
        "kind": judgement.kind.map(|kind| kind.name()),
        "detail": judgement.detail(),
        "max_ulp": judgement.max_ulp,
        "width_ulp": judgement.width_ulp,
        "error_ratio": judgement.error_ratio,
        "wrong": output.wrong,
        "elements": output.elements.iter().map(element).collect::<Vec<_>>(),
    })
}

fn element(element: &ElementJudgement) -> Json {
    json!({
        "item": element.item,
        "index": element.index,
        "verdict": if element.is_latitude { "latitude" } else { "fail" },
        "found": scalar(&element.found),
        "expected": scalar(&element.expected),
        "accepted": element.accepted,
        "low": element.low.as_ref().map(scalar),
        "high": element.high.as_ref().map(scalar),
        "rule": element.rule.map(|rule| rule.name()),
        "rule_text": element.rule_text,
        "ulp": element.ulp,
    })
}

/// Returns a number, or a string for a number that JSON or its readers do not preserve: NaN, infinities, -0.0 and
/// integers of more than 64 bits. JavaScript's `Number` and Python's `float` read these strings. A complex number is a
/// list of two numbers, and a string stays a string.
fn scalar(scalar: &Scalar) -> Json {
    match scalar {
        Scalar::Float(x) => float(*x),
        Scalar::Int(x) => match (i64::try_from(*x), u64::try_from(*x)) {
            (Ok(x), _) => json!(x),
            (_, Ok(x)) => json!(x),
            _ => json!(x.to_string()),
        },
        Scalar::Complex(real, imaginary) => json!([float(*real), float(*imaginary)]),
        Scalar::Text(text) => json!(text),
    }
}

fn float(x: f64) -> Json {
    match x {
        x if x.is_nan() => json!("NaN"),
        f64::INFINITY => json!("Infinity"),
        f64::NEG_INFINITY => json!("-Infinity"),
        x if x == 0.0 && x.is_sign_negative() => json!("-0.0"),
        x => json!(x),
    }
}

fn place(node: &NodePlace) -> Json {
    json!({ "index": node.index, "name": node.name, "operator": node.operator, "outputs": node.outputs })
}

fn node(node: &NodeJudgement) -> Json {
    let mut json = place(&node.node);
    let (verdict, detail, outputs) = match &node.outcome {
        NodeOutcome::Judged { verdict, detail, outputs, .. } => {
            (Some(verdict.name()), detail.as_deref(), outputs.iter().map(output).collect())
        }
        NodeOutcome::NotJudged { reason, .. } => (None, Some(reason.as_str()), vec![]),
    };
    json["accepted"] = json!(node.verdict().map(is_accepted));
    json["verdict"] = json!(verdict);
    json["kind"] = json!(node.kind().map(|kind| kind.name()));
    json["detail"] = json!(detail);
    json["together_with"] = node.together_with.iter().map(place).collect();
    json["after_wrong"] = json!(node.after_wrong);
    json["values"] = json!(outputs);
    json
}
