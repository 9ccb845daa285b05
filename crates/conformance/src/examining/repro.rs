//! Writes `repro/<signature>/`: a model folder, the expected and the observed answer bit by bit, and the command that
//! replays the case.

mod script;

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::time::Duration;

use plumbline_backend::Observation;
use plumbline_executor::ORACLE;
use plumbline_generator::Case;
use plumbline_judge::{Judgement, Right, Verdict, element, wrong_elements};
use plumbline_oracle::Operand;
use plumbline_tensor::Value;

use crate::cases::node_text;
use crate::cases::suite::{CaseFolder, DataSet, SuiteError};
use crate::examining::rerun::Further;
use crate::results::{CaseResult, OptimizerFault, RunError, write};
use crate::subjects::Subject;

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
    /// What the backend's graph optimizer has to do with the failure of a graph; `None` if the backend fails without it
    /// as well, or if nobody asked.
    pub optimizer: Option<OptimizerFault>,
}

/// The largest number of elements that [`answers`] lists for a tensor.
const MOST_ELEMENTS: usize = 512;

/// The largest number of elements, and of wrong elements, that [`short_answers`] and `case.json` list for a tensor.
const MOST_WRONG: usize = 16;

/// [`short_answers`] says how many wrong elements it does not list, and adds this hint.
const ALL_HINT: &str = "; --all prints all elements";

/// [`listed`] writes at most `most` elements of a tensor. If a value is not a tensor, it writes at most `most` times
/// this many characters of the value's text.
const LONGEST_ELEMENT: usize = 64;

/// The size in bytes of the largest model that is also written as text.
const LARGEST_AS_TEXT: usize = 1 << 20;

/// Writes the repro folders of a run.
pub(crate) struct Repros {
    /// The folder that holds the repro folders, each of which is named after its signature.
    pub folder: PathBuf,
    /// The program in the command that replays a failure: `plumbline`, or `cargo xtask`.
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

/// Removes what [`write_repro`] wrote into a folder. Other files stay.
fn remove_earlier(dir: &Path) -> Result<(), RunError> {
    let failed = |path: &Path| {
        let path = path.to_owned();
        move |source| RunError::Io { path, source }
    };
    let entries = match std::fs::read_dir(dir) {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(()),
        entries => entries.map_err(failed(dir))?,
    };
    for entry in entries {
        let entry = entry.map_err(failed(dir))?;
        let (path, name) = (entry.path(), entry.file_name());
        let name = name.to_string_lossy();
        if name.starts_with("test_data_set_") {
            std::fs::remove_dir_all(&path).map_err(failed(&path))?;
        } else if ["model.onnx", "model.txt", "answers.txt", "repro.py", "case.json"].contains(&&*name) {
            std::fs::remove_file(&path).map_err(failed(&path))?;
        }
    }
    Ok(())
}

/// Writes the folder of a failure: the model with its data sets, `answers.txt` and `case.json`. Adds `model.txt` unless
/// the model is large, and `repro.py` if the runtime has a package for Python and the case is small and simple. Files
/// of an earlier failure in the folder are removed first: it may have had more inputs and data sets.
pub fn write_repro(dir: &Path, result: &CaseResult, failure: &Failure, program: &str) -> Result<(), RunError> {
    remove_earlier(dir)?;
    let outputs = match (&failure.right, &failure.observation) {
        // If the backend is the oracle itself, the failure is about published outputs, which are in the observation.
        (_, Observation::Outputs { values, .. }) if failure.backend == ORACLE => values.clone(),
        (Right::Outputs { operands, .. }, _) => operands.iter().map(Operand::to_value).collect(),
        (Right::Refusal(_) | Right::ByRelease { .. } | Right::Open { .. }, _) => vec![],
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
    if let Some(script) = script::script(failure, &result.backend) {
        write(&dir.join("repro.py"), script.as_bytes())?;
    }
    let violates = failure.case.violates.map(|l| l.to_string());
    let refused_for = match &failure.observation {
        Observation::Refused { refusal, .. } => refusal.label.map(|label| label.to_string()),
        _ => None,
    };
    // A case that had no answer in time has to be replayed with the same limit.
    let is_timeout = failure.judgement.verdict == Verdict::Timeout;
    let deadline = is_timeout.then(|| Duration::from_secs_f64(failure.judgement.seconds));
    // A folder of a run may be moved together with the results, so its path in the command is relative to their folder.
    let name = dir.file_name().unwrap_or_default().to_string_lossy();
    let of_run = dir.parent().and_then(Path::file_name).is_some_and(|parent| parent == "repro");
    let path = if of_run { format!("repro/{name}") } else { dir.display().to_string() };
    let command = replay_command(program, &path, &failure.backend, deadline);
    let names = failure.case.model.output_names();
    let wrong = wrong_elements(&failure.right, &failure.observation, &failure.judgement, &names, MOST_WRONG, "");
    let facts = serde_json::json!({
        "case": failure.case.id,
        "found_as": result.case,
        "backend": result.backend,
        "verdict": failure.judgement.verdict,
        "kind": failure.judgement.kind,
        "signature": result.signature,
        "detail": failure.judgement.detail(),
        "violates": violates,
        "rule": violates.clone().or(refused_for),
        "known": result.known,
        "form": failure.case.form.name(),
        "inputs": inputs(&failure.case, MOST_WRONG),
        "wrong": wrong,
        "choices": failure.case.choices,
        "optimizer": failure.optimizer,
        "replay": command,
    });
    let text = serde_json::to_string_pretty(&facts).map_err(|e| RunError::Suite(e.to_string()))?;
    write(&dir.join("case.json"), format!("{text}\n").as_bytes())
}

/// Writes the folder of a failure that was found outside of a run.
pub fn write_failure(dir: &Path, subject: &Subject, failure: &Failure, program: &str) -> Result<(), RunError> {
    let result = CaseResult::new(&failure.case, "", subject, &failure.judgement);
    write_repro(dir, &result, failure, program)
}

/// Returns a word of a command, quoted for a shell if it has to be.
pub fn quoted(word: &str) -> String {
    shlex::try_quote(word).map_or_else(|_| word.to_owned(), |quoted| quoted.into_owned())
}

/// The deadline of the command `replay` if none is given, in milliseconds.
pub const REPLAY_DEADLINE_MS: u64 = 60_000;

/// Returns the command that replays a case by its folder or id, with its words quoted for a shell. It has
/// `--deadline-ms` if a deadline is given that is not the default.
pub fn replay_command(program: &str, case: &str, backend: &str, deadline: Option<Duration>) -> String {
    let command = format!("{program} replay {} --backend {}", quoted(case), quoted(backend));
    match deadline.map(|deadline| deadline.as_millis()) {
        Some(ms) if ms != u128::from(REPLAY_DEADLINE_MS) => format!("{command} --deadline-ms {ms}"),
        _ => command,
    }
}

/// Describes the model, the inputs, the answers of the oracle and of the backend, and the verdict as text for people.
pub fn answers(failure: &Failure) -> String {
    described(failure, MOST_ELEMENTS, &mut |_| {})
}

/// Describes the same as [`answers`], but with all elements of each tensor.
pub fn all_answers(failure: &Failure) -> String {
    described(failure, usize::MAX, &mut |_| {})
}

/// Describes the same as [`answers`], but with only the first elements of each tensor. Then comes a line for each
/// wrong element, at most 16 for each output, with what is accepted in its place. `paint` colours these lines.
pub fn short_answers(failure: &Failure, paint: impl Fn(&str) -> String) -> String {
    described(failure, MOST_WRONG, &mut |text| {
        let Failure { right, observation, judgement, case, .. } = failure;
        let lines = wrong_elements(right, observation, judgement, &case.model.output_names(), MOST_WRONG, ALL_HINT);
        lines.iter().for_each(|line| _ = writeln!(text, "{}", paint(&format!("wrong    {line}"))));
    })
}

/// Describes a failure with at most `most` elements of each tensor. `marks` adds text after the answers.
fn described(failure: &Failure, most: usize, marks: &mut dyn FnMut(&mut String)) -> String {
    let listed = |value: &Value| listed(value, most);
    let mut text = String::new();
    let case = &failure.case;
    let _ = writeln!(text, "case     {}", case.id);
    for node in &case.model.graph().node {
        let _ = writeln!(text, "node     {}", node_text(node));
    }
    for input in inputs(case, most) {
        let _ = writeln!(text, "input    {input}");
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
        Right::Refusal(violation) | Right::ByRelease { violation, .. } => {
            let rule = violation.label.map_or("invalid", plumbline_spec::Label::name);
            let _ = writeln!(text, "oracle   refuses: {rule}");
        }
        Right::Open { reason, .. } => {
            let _ = writeln!(text, "oracle   has no answer: {reason}");
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
        // The detail, which follows after `because`, says more.
        Observation::Crash { .. } => text.push_str("backend  crashed\n"),
        other => {
            let _ = writeln!(text, "backend  {other:?}");
        }
    }
    marks(&mut text);
    let _ = writeln!(text, "verdict  {}", failure.judgement.verdict);
    if let Some(detail) = &failure.judgement.detail() {
        let _ = writeln!(text, "because  {detail}");
    }
    if let Some(fault) = &failure.optimizer {
        let passes = if fault.passes.is_empty() { "its optimizer".to_owned() } else { fault.passes.join(", ") };
        let _ = writeln!(text, "right    without {passes}");
    }
    if let Some(note) = failure.judgement.note_on_accuracy() {
        let _ = writeln!(text, "accuracy {note}");
    }
    text
}

/// Returns a line for each input: its name, type, shape and first elements.
fn inputs(case: &Case, most: usize) -> Vec<String> {
    let named = case.model.input_names().into_iter().zip(&case.inputs);
    named.map(|(name, value)| format!("{name}: {}", listed(value, most))).collect()
}

fn listed(value: &Value, most: usize) -> String {
    match value {
        Value::Tensor(tensor) => {
            let shown = tensor.len().min(most);
            let elements: Vec<String> = (0..shown).map(|i| element(tensor, i)).collect();
            let more =
                if tensor.len() > shown { format!(", ... {} more", tensor.len() - shown) } else { String::new() };
            format!("{}{:?} [{}{more}]", tensor.dtype(), tensor.shape(), elements.join(", "))
        }
        other => {
            let text = format!("{other:?}");
            match text.char_indices().nth(most.saturating_mul(LONGEST_ELEMENT)) {
                Some((end, _)) => format!("{} ...", &text[..end]),
                None => text,
            }
        }
    }
}
