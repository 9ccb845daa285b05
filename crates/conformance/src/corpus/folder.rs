//! The folder of a case in a corpus, as files in memory.

use std::collections::BTreeMap;

use plumbline_generator::Case;
use plumbline_judge::Right;
use plumbline_oracle::{NamedRule, Operand, Oracle, Policy};
use plumbline_tensor::onnx::ValueInfoProto;
use plumbline_tensor::{Model, Value, ValueKind};
use serde::Serialize;

use super::FORMAT;
use super::accept::{Accept, Files, Writer};
use super::content::{self, Dispatched};
use super::encoding::Encoding;
use crate::cases::twin::Twin;
use crate::cases::{Selection, regressions};
use crate::examining::{Other, PreparedCase, Runs, right};

/// The file that describes a case.
const FACTS: &str = "case.json";

/// The folder of the twin, inside the folder of the case.
const TWIN: &str = "twin";

/// The name and the type of an input or an output.
#[derive(Debug, PartialEq, Serialize)]
struct Named {
    name: String,
    #[serde(rename = "type")]
    type_: String,
}

/// The twin of an invalid case, or the settled twin of a case that a rule lets runtimes refuse.
#[derive(Debug, Serialize)]
struct TwinFacts {
    folder: &'static str,
    change: String,
    inputs: Vec<Named>,
    #[serde(skip_serializing_if = "Option::is_none")]
    dispatched: Option<Dispatched>,
}

/// What is accepted for all outputs of a run together: the preferred answer, or an alternative that a rule allows.
#[derive(Debug, Serialize)]
struct AnswerFacts {
    /// The rule that allows the alternative. `None` for the preferred answer.
    rule: Option<String>,
    prefix: String,
    outputs: Vec<Option<Accept>>,
}

/// A run of the session of a case.
#[derive(Debug, Serialize)]
struct RunFacts {
    data_set: String,
    inputs: &'static str,
    /// The rule that allows a refusal.
    refusal: Option<String>,
    answers: Vec<AnswerFacts>,
    /// How DxDispatch runs it.
    #[serde(skip_serializing_if = "Option::is_none")]
    dispatched: Option<Dispatched>,
}

/// The contents of `case.json`.
#[derive(Debug, Serialize)]
struct Facts {
    format: u32,
    id: String,
    suite: String,
    domain: String,
    op: String,
    since: u32,
    types: BTreeMap<String, String>,
    form: String,
    features: Vec<String>,
    expects: &'static str,
    violates: Option<String>,
    inputs: Vec<Named>,
    outputs: Vec<Named>,
    twin: Option<TwinFacts>,
    runs: Vec<RunFacts>,
    /// The feature level and the element types of an operator of DirectML.
    #[serde(flatten)]
    of_directml: Option<content::Facts>,
}

/// A case with its folder.
pub(super) struct Folder {
    /// The id of the case.
    pub id: String,
    /// The path of the folder in the corpus, with slashes.
    pub path: String,
    /// The operator version that the case belongs to, such as `Min-13`.
    pub op: String,
    /// The type that each type variable of the operator is bound to.
    pub types: BTreeMap<String, String>,
    /// The form of the model.
    pub form: String,
    /// What a backend has to do: `outputs` or `refusal`.
    pub expects: &'static str,
    /// The path of the twin's folder in the corpus, if there is one.
    pub twin: Option<String>,
    /// The feature level and the element types of an operator of DirectML.
    pub of_directml: Option<content::Facts>,
    /// The files.
    pub files: Files,
}

impl Folder {
    /// Prepares a case as backends get it, and writes its folder.
    ///
    /// # Errors
    /// Returns a sentence if the oracle contradicts the generator, if nothing says what is right, or if the format
    /// cannot hold what is accepted.
    pub fn new(reference: &Oracle, case: Case, suite: &str, encoding: Encoding) -> Result<Folder, String> {
        let right = right(reference, &case)?;
        let prepared = PreparedCase::new(case, Some(&right));
        let case = &prepared.case;
        let runs = Runs::new(reference, case, &right, &prepared.further);
        let mut files = Files::new();
        let of_directml = match encoding {
            Encoding::Onnx => {
                files.insert("model.onnx".to_owned(), case.model.to_bytes());
                None
            }
            Encoding::DxDispatch => Some(content::facts(&case.model)?),
        };
        let mut described = vec![run(&mut files, case, &right, (encoding, 0), "first")?];
        for (at, (further, right)) in runs.again().iter().enumerate() {
            let inputs = match further.other {
                Other::Nothing => "same",
                Other::Values => "other values",
                Other::Extents => "other extents",
            };
            described.push(run(&mut files, &further.case, right, (encoding, at + 1), inputs)?);
        }
        let outputs = match &right {
            Right::Outputs { operands, .. } => {
                let kind = |(name, operand): (&str, &Operand)| named(name, &operand.kind());
                case.model.output_names().into_iter().zip(operands).map(kind).collect()
            }
            Right::Refusal(_) | Right::ByRelease { .. } => {
                declared(&case.model.output_names(), &case.model.graph().output)
            }
            Right::Open { reason, .. } => return Err(format!("nothing says what is right: {reason}")),
        };
        let twin = match right {
            Right::Outputs { refusable: Some(_), .. } => prepared.settled(&Policy::default()),
            _ => prepared.twin.clone(),
        };
        let twin = twin.map(|twin| twin_facts(&mut files, &twin, encoding)).transpose()?;
        let expects = if matches!(right, Right::Outputs { .. }) { "outputs" } else { "refusal" };
        let path = match encoding {
            Encoding::Onnx => path(suite, &case.id),
            Encoding::DxDispatch => content::path(suite, &case.id),
        };
        let facts = Facts {
            format: FORMAT,
            id: case.id.clone(),
            suite: suite.to_owned(),
            domain: case.version.domain.clone(),
            op: case.version.name.clone(),
            since: case.version.since,
            types: case.types.clone(),
            form: Selection::word(case.form),
            features: case.features.clone(),
            expects,
            violates: match &right {
                Right::Refusal(violation) | Right::ByRelease { violation, .. } => {
                    let label = violation.label.map(|label| label.to_string());
                    label.or_else(|| case.origin.broken().map(|rule| rule.to_string()))
                }
                _ => None,
            },
            inputs: inputs(&case.model, &case.inputs),
            outputs,
            twin,
            runs: described,
            of_directml: of_directml.clone(),
        };
        let text = serde_json::to_string(&facts).map_err(|e| e.to_string())?;
        files.insert(FACTS.to_owned(), format!("{text}\n").into_bytes());
        Ok(Folder {
            twin: facts.twin.is_some().then(|| format!("{path}/{TWIN}")),
            path,
            op: case.version.to_string(),
            types: facts.types,
            form: facts.form,
            expects,
            of_directml,
            id: facts.id,
            files,
        })
    }

    /// Returns the size of all files together, in bytes.
    pub fn bytes(&self) -> u64 {
        self.files.values().map(|bytes| bytes.len() as u64).sum()
    }
}

/// Returns the path of a case in a corpus. All cases of a corpus have the same seed, so the path leaves it out. ONNX's
/// loader of tests takes only folders whose names are longer than `test_`.
fn path(suite: &str, id: &str) -> String {
    let id = id.rsplit_once('@').map_or(id, |(id, _)| id);
    let path = match id.rsplit_once('/') {
        Some((cell, number)) if suite != regressions::SUITE => {
            let cell = cell.strip_prefix(suite).and_then(|rest| rest.strip_prefix('/')).unwrap_or(cell);
            format!("{suite}/{cell}/test_{number}")
        }
        _ => id.to_owned(),
    };
    // Characters that every file system takes.
    let usual = |c: char| c.is_ascii_alphanumeric() || "-_.=(),/".contains(c);
    path.chars().map(|c| if usual(c) { c } else { '_' }).collect()
}

fn named(name: &str, kind: &ValueKind) -> Named {
    Named { name: name.to_owned(), type_: kind.to_string() }
}

fn inputs(model: &Model, values: &[Value]) -> Vec<Named> {
    model.input_names().into_iter().zip(values).map(|(name, value)| named(name, &value.kind())).collect()
}

fn declared(names: &[&str], infos: &[ValueInfoProto]) -> Vec<Named> {
    let kind = |name: &&str| {
        let info = infos.iter().find(|info| info.name.as_deref() == Some(*name))?;
        Some(named(name, &ValueKind::from_proto(info.r#type.as_ref()?)?))
    };
    names.iter().filter_map(kind).collect()
}

/// Writes the inputs of a run. For DxDispatch, they are part of a model, which is written as well.
fn write_inputs(
    files: &mut Files,
    folder: &str,
    (model, values): (&Model, &[Value]),
    encoding: Encoding,
) -> Result<Option<Dispatched>, String> {
    if encoding == Encoding::DxDispatch {
        return content::write(files, folder, model, values).map(Some);
    }
    for (at, (name, value)) in model.input_names().into_iter().zip(values).enumerate() {
        files.insert(format!("{folder}/input_{at}.pb"), encoding.bytes(value, name)?);
    }
    Ok(None)
}

fn run(
    files: &mut Files,
    case: &Case,
    right: &Right,
    (encoding, at): (Encoding, usize),
    inputs: &'static str,
) -> Result<RunFacts, String> {
    let data_set = encoding.data_set(at);
    let dispatched = write_inputs(files, &data_set, (&case.model, &case.inputs), encoding)?;
    let (Right::Outputs { operands, others, refusable, .. }, names) = (right, case.model.output_names()) else {
        return Ok(RunFacts { data_set, inputs, refusal: None, answers: vec![], dispatched });
    };
    let mut answers = Vec::new();
    let all = std::iter::once((None, operands)).chain(others.iter().map(|other| (Some(&other.rule), &other.outputs)));
    for (number, (rule, operands)) in all.enumerate() {
        let prefix = if number == 0 { String::new() } else { format!("alternative_{number}_") };
        let mut writer = Writer { encoding, folder: data_set.clone(), files };
        let outputs = operands.iter().enumerate().map(|(at, operand)| {
            let name = names.get(at).copied().unwrap_or_default();
            writer.output(&prefix, at, name, operand)
        });
        let outputs = outputs.collect::<Result<Vec<_>, _>>()?;
        answers.push(AnswerFacts { rule: rule.map(NamedRule::to_string), prefix, outputs });
    }
    let refusal = refusable.as_ref().map(NamedRule::to_string);
    Ok(RunFacts { data_set, inputs, refusal, answers, dispatched })
}

fn twin_facts(files: &mut Files, twin: &Twin, encoding: Encoding) -> Result<TwinFacts, String> {
    if encoding == Encoding::Onnx {
        files.insert(format!("{TWIN}/model.onnx"), twin.model.to_bytes());
    }
    let folder = format!("{TWIN}/{}", encoding.data_set(0));
    let dispatched = write_inputs(files, &folder, (&twin.model, &twin.inputs), encoding)?;
    let inputs = inputs(&twin.model, &twin.inputs);
    Ok(TwinFacts { folder: TWIN, change: twin.change.clone(), inputs, dispatched })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_have_no_seed_and_no_unusual_characters() {
        assert_eq!(path("generated", "Min-13/T=float16/17@0"), "generated/Min-13/T=float16/test_17");
        assert_eq!(path("canonical", "canonical/gelu/3@0"), "canonical/gelu/test_3");
        assert_eq!(path("regressions", "regressions/Div-zero"), "regressions/Div-zero");
        assert_eq!(path("negative", "A-1/T=map(string, x:y)/a/3@7"), "negative/A-1/T=map(string,_x_y)/a/test_3");
    }
}
