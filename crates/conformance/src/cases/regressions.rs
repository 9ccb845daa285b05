//! Cases that are kept permanently in `generators/regressions/`: failures of a backend that were worth finding, and our
//! own failures.
//!
//! A generated case is defined by its choices, and these mean something else once its recipe changes. So a kept case is
//! stored as a model and its inputs, in a folder of ONNX's form (`Div-int32-least-by-minus-one/model.onnx`,
//! `test_data_set_0/`), with `case.toml` beside them. Backends are judged by what the oracle computes, as for every
//! case. The answer in the folder is there to test the oracle itself, so that a change cannot break the oracle
//! unnoticed.

use std::path::Path;

use plumbline_generator::Case;
use plumbline_spec::Label;
use plumbline_tensor::Value;
use serde::{Deserialize, Serialize};

use crate::cases::from_model::case_of_model;
use crate::cases::suite::{CaseFolder, DataSet, SuiteError, case_dirs};

/// The name of the suite. The ids of its cases begin with it.
pub const SUITE: &str = "regressions";

/// The file that distinguishes the folder of a kept case from other model folders.
const FACTS: &str = "case.toml";

/// The largest size of a model in bytes, and the largest number of elements of all values together. Kept cases are
/// small.
const MOST_BYTES: usize = 16 * 1024;

/// The contents of `case.toml`.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Facts {
    /// Why the case is kept: which backend failed, and how.
    reason: String,
    /// The id that the case had when it was found.
    #[serde(skip_serializing_if = "Option::is_none")]
    from: Option<String>,
    /// The constraint that the case violates.
    #[serde(skip_serializing_if = "Option::is_none")]
    violates: Option<String>,
}

/// A case that is kept permanently.
#[derive(Clone, Debug)]
pub struct Kept {
    /// The name of the folder, which begins with the operator: `Div-int32-least-by-minus-one`.
    pub name: String,
    /// Why the case is kept.
    pub reason: String,
    /// The id that the case had when it was found.
    pub from: Option<String>,
    /// The case; its id is `regressions/<name>`.
    pub case: Case,
    /// A correct answer. It is empty for a case that violates a constraint.
    pub answer: Vec<Value>,
}

impl Kept {
    /// Makes a kept case with this name.
    ///
    /// # Errors
    /// Returns a sentence if the name does not begin with the operator or has characters other than letters, digits,
    /// `-`, `_` and `.`, or if the reason is empty.
    pub fn new(name: &str, reason: &str, case: Case, answer: Vec<Value>) -> Result<Kept, String> {
        let from = (!case.id.starts_with(SUITE)).then(|| case.id.clone());
        let kept = Kept {
            name: name.to_owned(),
            reason: reason.to_owned(),
            from,
            case: Case { id: format!("{SUITE}/{name}"), ..case },
            answer,
        };
        kept.check()?;
        Ok(kept)
    }

    fn check(&self) -> Result<(), String> {
        let operator = &self.case.version.name;
        let plain = |c: char| c.is_ascii_alphanumeric() || "-_.".contains(c);
        if !self.name.chars().all(plain) || !self.name.starts_with(&format!("{operator}-")) {
            return Err(format!(
                "`{}` is not a valid name: use only letters, digits, `-`, `_` and `.`, and begin with `{operator}-`",
                self.name
            ));
        }
        if self.reason.trim().is_empty() {
            return Err("the reason why the case is kept is missing".to_owned());
        }
        Ok(())
    }

    /// Returns whether a folder holds a kept case.
    pub fn is_one(dir: &Path) -> bool {
        dir.join(FACTS).is_file()
    }

    /// Reads the folder of a kept case.
    ///
    /// # Errors
    /// Fails if a file cannot be read or is invalid, if the folder does not have exactly one data set, and for
    /// everything that [`Kept::new`] refuses.
    pub fn read(dir: &Path) -> Result<Kept, SuiteError> {
        let path = dir.join(FACTS);
        let text = std::fs::read_to_string(&path).map_err(SuiteError::io(&path))?;
        let facts: Facts = toml::from_str(&text).map_err(|e| SuiteError::data(&path, e))?;
        let violates: Option<Label> =
            facts.violates.map(|l| l.parse()).transpose().map_err(|e| SuiteError::data(&path, e))?;
        let folder = CaseFolder::read(dir)?;
        let [set] = <[DataSet; 1]>::try_from(folder.data_sets)
            .map_err(|sets| SuiteError::data(dir, format!("the folder has {} data sets, expected one", sets.len())))?;
        let id = format!("{SUITE}/{}", folder.name);
        let case = case_of_model(id, folder.model, set.inputs, violates);
        let kept = Kept { name: folder.name, reason: facts.reason, from: facts.from, case, answer: set.outputs };
        kept.check().map_err(|reason| SuiteError::data(&path, reason))?;
        Ok(kept)
    }

    /// Makes a new folder in `dir`, named after the case, and writes the case into it.
    ///
    /// # Errors
    /// Fails if a folder with this name exists already, if the case is too large, or if a file cannot be written.
    pub fn write(&self, dir: &Path) -> Result<(), SuiteError> {
        let dir = dir.join(&self.name);
        if dir.exists() {
            return Err(SuiteError::data(&dir, "a case of this name already exists"));
        }
        let values: usize =
            self.case.inputs.iter().chain(&self.answer).filter_map(|v| v.as_tensor()).map(|t| t.len()).sum();
        if self.case.model.to_bytes().len() > MOST_BYTES || values > MOST_BYTES {
            return Err(SuiteError::data(&dir, "the case is too large to be kept; make it smaller first"));
        }
        let set = DataSet { inputs: self.case.inputs.clone(), outputs: self.answer.clone() };
        let folder = CaseFolder { name: self.name.clone(), model: self.case.model.clone(), data_sets: vec![set] };
        folder.write(&dir)?;
        let facts = Facts {
            reason: self.reason.clone(),
            from: self.from.clone(),
            violates: self.case.violates.map(|l| l.to_string()),
        };
        let path = dir.join(FACTS);
        let text = toml::to_string(&facts).map_err(|e| SuiteError::data(&path, e))?;
        std::fs::write(&path, text).map_err(SuiteError::io(&path))
    }
}

/// Reads every kept case in a folder, sorted by name.
///
/// # Errors
/// Fails if the folder or a case cannot be read, or if there are no cases.
pub fn kept(dir: &Path) -> Result<Vec<Kept>, SuiteError> {
    let cases: Vec<Kept> = case_dirs(dir)?.iter().map(|case| Kept::read(&case.path)).collect::<Result<_, _>>()?;
    if cases.is_empty() {
        return Err(SuiteError::data(dir, "the folder has no kept case"));
    }
    Ok(cases)
}
