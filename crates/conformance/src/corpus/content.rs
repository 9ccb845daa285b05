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
    /// Files that the model writes, and that have to hold what they hold in the folder of the run.
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

/// Writes the model of a run with its buffers.
pub(super) fn write(files: &mut Files, folder: &str, model: &Model, values: &[Value]) -> Result<Dispatched, String> {
    let carried = carried(model)?;
    let inputs = carried.buffers(model, values).map_err(|refusal| refusal.to_string())?;
    let written = write_model(&carried.description, &Buffers { inputs, in_place: carried.in_place });
    let text = serde_json::to_string(&written.json).map_err(|error| error.to_string())?;
    files.insert(format!("{folder}/{MODEL}"), format!("{text}\n").into_bytes());
    files.extend(written.files.into_iter().map(|(name, bytes)| (format!("{folder}/{name}"), bytes)));
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
    fn paths_are_flat() {
        let id = "directml/DML_OPERATOR_ELEMENT_WISE_MIN/FLOAT16@2_1/17@0";
        assert_eq!(path("directml", id), "models/DML_OPERATOR_ELEMENT_WISE_MIN-FLOAT16_2_1-17");
    }
}
