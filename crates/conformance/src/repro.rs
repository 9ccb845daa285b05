//! Writes `repro/<signature>/`: a model folder, the expected and the observed answer bit by bit, and the command that
//! replays the case.

use std::fmt::Write;
use std::path::{Path, PathBuf};

use plumbline_backend::Observation;
use plumbline_generator::Case;
use plumbline_oracle::Operand;
use plumbline_tensor::Value;

use crate::CaseResult;
use crate::error::{RunError, write};
use crate::judge::{Judgement, element};
use crate::node_text::node_text;
use crate::rerun::Further;
use crate::right::Right;
use crate::suite::{CaseFolder, DataSet, SuiteError};

/// A failure with everything that is needed to repeat it.
#[derive(Clone, Debug)]
pub struct Failure {
    /// The case.
    pub case: Case,
    /// The expected outcome.
    pub right: Right,
    /// What the backend did.
    pub observation: Observation,
    /// The judgement of the observation.
    pub judgement: Judgement,
    /// Further runs of the same session, if the failure may depend on them.
    pub further: Vec<Further>,
    /// The name that selects the backend on the command line.
    pub backend: String,
}

/// The largest number of elements that are listed for a tensor.
const MOST_ELEMENTS: usize = 512;

/// The size in bytes of the largest model that is also written as text.
const LARGEST_AS_TEXT: usize = 1 << 20;

/// Writes the repro folders of a run.
pub(crate) struct Repros {
    /// The folder that has them, each named by its signature.
    pub folder: PathBuf,
    /// How the command is typed that replays a failure.
    pub program: String,
}

impl Repros {
    /// Writes the folder of a failure, in place of an earlier one of the same signature.
    pub fn write(&self, result: &CaseResult, failure: &Failure) -> Result<(), RunError> {
        let Some(signature) = &result.signature else { return Ok(()) };
        write_repro(&self.folder.join(signature), result, failure, &self.program)
    }

    /// Returns whether there is a folder for a signature.
    pub fn has(&self, signature: &str) -> bool {
        self.folder.join(signature).join("case.json").is_file()
    }
}

/// Writes the folder of a failure: the model with its data sets, `model.txt`, `answers.txt` and `case.json`.
pub fn write_repro(dir: &Path, result: &CaseResult, failure: &Failure, program: &str) -> Result<(), RunError> {
    let outputs = match &failure.right {
        Right::Outputs { operands, .. } => operands.iter().map(Operand::to_value).collect(),
        Right::Refusal(_) => vec![],
    };
    // Further runs of the session become further data sets. Their outputs are not written: the oracle computes them
    // again on replay.
    let again = failure.further.iter().map(|run| DataSet { inputs: run.case.inputs.clone(), outputs: vec![] });
    let folder = CaseFolder {
        name: failure.case.id.clone(),
        model: failure.case.model.clone(),
        data_sets: std::iter::once(DataSet { inputs: failure.case.inputs.clone(), outputs }).chain(again).collect(),
    };
    folder.write(dir).map_err(|e| match e {
        SuiteError::Io { path, source } => RunError::Io { path, source },
        SuiteError::Data { .. } => RunError::Suite(e.to_string()),
    })?;
    if failure.case.model.to_bytes().len() <= LARGEST_AS_TEXT {
        write(&dir.join("model.txt"), failure.case.model.to_string().as_bytes())?;
    }
    write(&dir.join("answers.txt"), answers(failure).as_bytes())?;
    let violates = failure.case.violates.map(|l| l.to_string());
    let facts = serde_json::json!({
        "case": failure.case.id,
        "found_as": result.case,
        "backend": result.backend,
        "verdict": failure.judgement.verdict,
        "kind": failure.judgement.kind,
        "signature": result.signature,
        "detail": failure.judgement.detail,
        "violates": violates,
        "choices": failure.case.choices,
        "replay": command(program, dir, &failure.backend),
    });
    let text = serde_json::to_string_pretty(&facts).map_err(|e| RunError::Suite(e.to_string()))?;
    write(&dir.join("case.json"), format!("{text}\n").as_bytes())
}

/// Returns the command that replays a repro folder, with its words quoted for a shell.
fn command(program: &str, dir: &Path, backend: &str) -> String {
    let dir = dir.display().to_string();
    let quoted = |word: &str| shlex::try_quote(word).map_or_else(|_| word.to_owned(), |quoted| quoted.into_owned());
    format!("{program} replay {} --backend {}", quoted(&dir), quoted(backend))
}

/// Describes the model, the inputs, both answers and the verdict as text for people.
pub fn answers(failure: &Failure) -> String {
    let mut text = String::new();
    let case = &failure.case;
    let _ = writeln!(text, "case     {}", case.id);
    for node in &case.model.graph().node {
        let _ = writeln!(text, "node     {}", node_text(node));
    }
    for (name, value) in case.model.input_names().iter().zip(&case.inputs) {
        let _ = writeln!(text, "input    {name}: {}", listed(value));
    }
    for initializer in &case.model.graph().initializer {
        if let Ok(tensor) = plumbline_tensor::tensor_from_proto(initializer) {
            let name = initializer.name.as_deref().unwrap_or("");
            let _ = writeln!(text, "constant {name}: {}", listed(&Value::Tensor(tensor)));
        }
    }
    let names = case.model.output_names();
    match &failure.right {
        Right::Outputs { operands, .. } => {
            for (at, operand) in operands.iter().enumerate() {
                let name = names.get(at).copied().unwrap_or("?");
                let _ = writeln!(text, "oracle   {name}: {}", listed(&operand.to_value()));
                if let Operand::Tensor(expected) = operand
                    && let Some(distribution) = &expected.random
                {
                    let _ = writeln!(text, "         {name}: any sample of {distribution} is accepted");
                }
            }
        }
        Right::Refusal(label) => {
            let rule = label.map_or("invalid", plumbline_spec::Label::name);
            let _ = writeln!(text, "oracle   refuses: {rule}");
        }
    }
    match &failure.observation {
        Observation::Outputs { values, .. } => {
            for (at, value) in values.iter().enumerate() {
                let name = names.get(at).copied().unwrap_or("?");
                let _ = writeln!(text, "backend  {name}: {}", listed(value));
            }
        }
        Observation::Refused { refusal, .. } => {
            let _ = writeln!(text, "backend  refuses: {refusal}");
        }
        other => {
            let _ = writeln!(text, "backend  {other:?}");
        }
    }
    let _ = writeln!(text, "verdict  {}", failure.judgement.verdict);
    if let Some(detail) = &failure.judgement.detail {
        let _ = writeln!(text, "because  {detail}");
    }
    text
}

fn listed(value: &Value) -> String {
    match value {
        Value::Tensor(tensor) => {
            let shown = tensor.len().min(MOST_ELEMENTS);
            let elements: Vec<String> = (0..shown).map(|i| element(tensor, i)).collect();
            let more =
                if tensor.len() > shown { format!(", ... {} more", tensor.len() - shown) } else { String::new() };
            format!("{}{:?} [{}{more}]", tensor.dtype(), tensor.shape(), elements.join(", "))
        }
        other => format!("{other:?}"),
    }
}
