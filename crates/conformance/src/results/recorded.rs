//! Reads what a repro folder says about its failure, for people who do not open it.

use std::path::Path;

use plumbline_tensor::Model;
use plumbline_tensor::onnx::FunctionProto;

use crate::cases::node_text;

/// The size in bytes of the largest file that is read.
const LARGEST: u64 = 1 << 20;

/// The longest line and the largest number of lines of a model's text that are shown.
const LONGEST_LINE: usize = 160;
const MOST_LINES: usize = 12;

/// What a repro folder says about its failure.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Recorded {
    /// The name and version of the backend that failed.
    pub backend: String,
    /// What happened, in words.
    pub detail: Option<String>,
    /// The rule that the case violates, or that the backend named when it refused.
    pub rule: Option<String>,
    /// The minimized model. If it has a single node, no functions and a short text, this is the text of its graph in
    /// ONNX's syntax. Otherwise it is a line for each of the first nodes.
    pub model: Vec<String>,
    /// The whole minimized model in ONNX's text syntax, if the folder has it and it is small.
    pub text: Option<String>,
    /// The form that the model has.
    pub form: Option<String>,
    /// The inputs: name, type, shape and the first elements of each.
    pub inputs: Vec<String>,
    /// The first wrong elements: what the backend answered, and what is accepted in its place.
    pub wrong: Vec<String>,
    /// Whether the folder has a script that repeats the failure in the runtime alone.
    pub has_script: bool,
}

impl Recorded {
    /// Reads a repro folder. Leaves out files that are missing, too large or unreadable. Returns `None` if `case.json`
    /// is such a file.
    pub fn read(folder: &Path) -> Option<Recorded> {
        let read = |name: &str| {
            let path = folder.join(name);
            let is_small = std::fs::metadata(&path).is_ok_and(|file| file.len() <= LARGEST);
            is_small.then(|| std::fs::read(&path).ok()).flatten()
        };
        let facts: serde_json::Value = serde_json::from_slice(&read("case.json")?).ok()?;
        let text = |key: &str| facts[key].as_str().map(str::to_owned);
        let lines = |key: &str| -> Vec<String> {
            facts[key].as_array().into_iter().flatten().filter_map(|line| line.as_str().map(str::to_owned)).collect()
        };
        let model = read("model.onnx").and_then(|bytes| Model::from_bytes(&bytes).ok());
        let model_text = read("model.txt").and_then(|bytes| String::from_utf8(bytes).ok());
        let mut inputs = lines("inputs");
        if inputs.is_empty() {
            // Folders of older versions have their inputs in `answers.txt` only.
            let answers = read("answers.txt").and_then(|bytes| String::from_utf8(bytes).ok()).unwrap_or_default();
            let named = answers.lines().filter_map(|line| line.strip_prefix("input "));
            inputs = named.map(|line| line.trim_start().to_owned()).collect();
        }
        Some(Recorded {
            backend: text("backend").unwrap_or_default(),
            detail: text("detail"),
            rule: text("rule"),
            model: model.as_ref().map(model_lines).unwrap_or_default(),
            text: model_text,
            form: text("form"),
            inputs,
            wrong: lines("wrong"),
            has_script: folder.join("repro.py").is_file(),
        })
    }
}

/// Returns the lines that show a model, as [`Recorded::model`] says.
fn model_lines(model: &Model) -> Vec<String> {
    let graph = model.graph();
    if graph.node.len() == 1 && model.proto.functions.is_empty() {
        let text = graph.to_string();
        let lines: Vec<String> = text.lines().map(str::to_owned).collect();
        if lines.len() <= MOST_LINES && lines.iter().all(|line| line.chars().count() <= LONGEST_LINE) {
            return lines;
        }
    }
    let name = |function: &FunctionProto| function.name.clone().unwrap_or_default();
    let called = model.proto.functions.iter().flat_map(|function| {
        function.node.iter().map(move |node| format!("in {}: {}", name(function), node_text(node)))
    });
    let nodes: Vec<String> = graph.node.iter().map(node_text).chain(called).collect();
    let mut lines: Vec<String> = nodes.iter().take(MOST_LINES).map(|line| shortened(line, LONGEST_LINE)).collect();
    if nodes.len() > MOST_LINES {
        lines.push(format!("... and {} more nodes", nodes.len() - MOST_LINES));
    }
    lines
}

/// Returns the first `most` characters of a line, followed by ` ...` if the line is longer.
pub fn shortened(line: &str, most: usize) -> String {
    let mut short: String = line.chars().take(most).collect();
    if short.len() < line.len() {
        short.push_str(" ...");
    }
    short
}
