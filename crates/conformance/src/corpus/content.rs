//! The cases of the suite `directml` as models of DxDispatch. `docs/directml-content.md` describes the files.

use std::collections::BTreeSet;

use plumbline_directml::carried::Carried;
use plumbline_directml::dxdispatch::{check, write_model};
use plumbline_directml::execution::Buffers;
use plumbline_directml::{OperatorDescription, Rule, dtype_of};
use plumbline_spec::directml::FeatureLevel;
use plumbline_tensor::{Model, Value};
use serde::Serialize;

use super::accept::Files;
use super::encoding::Encoding;

/// The programs that run and judge such a corpus, and a page on them: their names and texts.
pub(super) const RUNNERS: [(&str, &str); 3] = [
    ("README.md", include_str!("../../python/directml_content.md")),
    ("run.py", include_str!("../../python/directml_content.py")),
    ("run.ps1", include_str!("../../python/directml_content.ps1")),
];

/// The name of a model of DxDispatch in the folder of a run.
const MODEL: &str = "model.json";

/// The feature level and the element types of a case.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(super) struct Facts {
    /// The feature level that the description is meant for: `2_1`.
    pub level: String,
    /// The element types of the tensors: that of the first tensor, and then the others.
    pub element_types: Vec<&'static str>,
}

/// How DxDispatch runs a case.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(super) struct Dispatched {
    model: &'static str,
    /// The outputs of the case, in order.
    outputs: Vec<Output>,
    /// Files that the model writes, and that have to hold what it read.
    unchanged: Vec<String>,
}

/// An output as the model writes it to a file.
#[derive(Clone, Debug, PartialEq, Serialize)]
struct Output {
    file: String,
    #[serde(rename = "type")]
    type_: String,
    sizes: Vec<u32>,
    strides: Vec<u64>,
    /// The bytes behind these must not change.
    total_bytes: u64,
}

fn carried(model: &Model) -> Result<Carried, String> {
    let found = Carried::find(model).ok_or("the case is not about an operator of DirectML")?;
    found.map_err(|refusal| refusal.to_string())
}

/// Returns the level and the element types of the operator that a model carries.
pub(super) fn facts(model: &Model) -> Result<Facts, String> {
    let Carried { description, level, .. } = carried(model)?;
    Ok(Facts { level: level.to_string(), element_types: element_types(&description) })
}

fn element_types(description: &OperatorDescription) -> Vec<&'static str> {
    let mut seen = BTreeSet::new();
    let tensors = description.inputs().into_iter().chain(description.outputs()).flatten();
    tensors.map(|tensor| tensor.data_type.name()).filter(|name| seen.insert(*name)).collect()
}

/// Writes the model of a run with its buffers. It reads a buffer that is equal to that of the first run from there.
pub(super) fn write(files: &mut Files, folder: &str, model: &Model, values: &[Value]) -> Result<Dispatched, String> {
    let carried = carried(model)?;
    let inputs = carried.buffers(model, values).map_err(|refusal| refusal.to_string())?;
    let mut written = write_model(&carried.description, &Buffers { inputs, in_place: carried.in_place });
    let first_run = Encoding::DxDispatch.data_set(0);
    let to_first_run = format!("{}{first_run}", "../".repeat(folder.split('/').count()));
    for (name, bytes) in std::mem::take(&mut written.files) {
        if files.get(&format!("{first_run}/{name}")) == Some(&bytes) {
            read_from(&mut written.json, &name, &format!("{to_first_run}/{name}"));
        } else {
            files.insert(format!("{folder}/{name}"), bytes);
        }
    }
    let text = serde_json::to_string(&written.json).map_err(|error| error.to_string())?;
    files.insert(format!("{folder}/{MODEL}"), format!("{text}\n").into_bytes());
    let output = |name: &&str| {
        let at = carried.outputs.iter().position(|output| output.as_deref() == Some(*name));
        let output = at.and_then(|at| written.outputs.get(at)?.as_ref());
        let output = output.ok_or_else(|| format!("the operator has no output `{name}`"))?;
        let dtype = dtype_of(output.tensor.data_type).ok_or("an output has no element type")?;
        Ok(Output {
            file: output.file.clone(),
            type_: dtype.name().to_owned(),
            sizes: output.tensor.sizes.clone(),
            strides: output.tensor.effective_strides(),
            total_bytes: output.tensor.total_size_in_bytes,
        })
    };
    let outputs = model.output_names().iter().map(output).collect::<Result<_, String>>()?;
    Ok(Dispatched { model: MODEL, outputs, unchanged: written.unchanged })
}

/// Lets the resource of a model that is read from a file be read from another one.
fn read_from(model: &mut serde_json::Value, file: &str, other: &str) {
    let resources = model["resources"].as_object_mut().into_iter().flat_map(|resources| resources.values_mut());
    for source in resources.filter_map(|resource| resource["initialValues"].get_mut("sourcePath")) {
        if *source == file {
            *source = other.into();
        }
    }
}

/// Why DirectML need not refuse a case that breaks a rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Taken {
    /// DxDispatch does not hand over what is wrong, whatever the case is.
    Unseen(&'static str),
    /// A newer feature level has no such rule. A program asks for the least level that it needs and gets all that there is.
    ByNewerLevel,
}

impl Taken {
    /// Returns the reason in words.
    pub fn reason(self) -> &'static str {
        match self {
            Taken::Unseen(reason) => reason,
            Taken::ByNewerLevel => "a device of a newer feature level takes it",
        }
    }
}

/// Returns why DirectML need not refuse a model that DxDispatch gives it; `None` if it has to, whatever feature level the
/// device has.
pub(super) fn why_taken(model: &Model, values: &[Value]) -> Option<Taken> {
    let written = carried(model).and_then(|carried| {
        let inputs = carried.buffers(model, values).map_err(|refusal| refusal.to_string())?;
        Ok(write_model(&carried.description, &Buffers { inputs, in_place: carried.in_place }))
    });
    let Ok(written) = written else { return Some(Taken::Unseen("DxDispatch cannot be given it")) };
    let checked = check(&written.json, FeatureLevel::LAST);
    let rules: Vec<Rule> =
        checked.findings.iter().filter_map(|finding| Some(finding.violation.as_ref()?.rule)).collect();
    let unseen = rules.iter().find_map(|rule| match rule {
        Rule::Field => Some("DxDispatch itself refuses a missing field"),
        Rule::Strides => Some("DirectML's structures do not have the number of strides"),
        Rule::ArrayLength => Some("DirectML's structures do not have the number of an array's elements"),
        Rule::Binding => Some("functions that bind buffers return nothing, and an error there removes the device"),
        _ => None,
    });
    match unseen {
        Some(reason) => Some(Taken::Unseen(reason)),
        None => rules.is_empty().then_some(Taken::ByNewerLevel),
    }
}

/// Returns the path of a case: `models/DML_OPERATOR_ELEMENT_WISE_MIN-FLOAT16_2_1-17`.
pub(super) fn path(suite: &str, id: &str) -> String {
    let id = id.rsplit_once('@').map_or(id, |(id, _)| id);
    let id = id.strip_prefix(suite).and_then(|rest| rest.strip_prefix('/')).unwrap_or(id);
    let usual = |c: char| c.is_ascii_alphanumeric() || "-_.=,".contains(c);
    let name: String = id.replace('/', "-").chars().map(|c| if usual(c) { c } else { '_' }).collect();
    format!("models/{name}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_model_reads_a_file_from_another_place() {
        let of = |a: &str| {
            serde_json::json!({"resources": {
                "A": {"initialValues": {"sourcePath": a}},
                "B": {"initialValues": {"sourcePath": "B.npy"}},
                "C": {"initialValues": [1]},
            }})
        };
        let mut model = of("A.npy");
        read_from(&mut model, "A.npy", "../run_0/A.npy");
        assert_eq!(model, of("../run_0/A.npy"));
    }

    #[test]
    fn paths_are_flat() {
        let id = "directml/DML_OPERATOR_ELEMENT_WISE_MIN/FLOAT16@2_1/17@0";
        assert_eq!(path("directml", id), "models/DML_OPERATOR_ELEMENT_WISE_MIN-FLOAT16_2_1-17");
    }
}
