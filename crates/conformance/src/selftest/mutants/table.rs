//! Reads the mutants that are written by hand from `generators/mutants/*.toml`. Each table of a file is for one or more
//! operators, and has a line for each mutant.
//!
//! ```toml
//! [Clip]
//! bounds-swapped = { reason = "min and max change places", edits = [{ swap = ["min", "max"] }] }
//! ```

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use plumbline_spec::{AttributeKind, Found, OperatorVersion, Spec};
use plumbline_tensor::{DType, Tensor};
use serde::Deserialize;
use toml::{Spanned, Value};

use super::edit::{Edit, To};
use super::{Mutant, MutantKind};

/// An error in a file of mutants.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{file}:{line}: {reason}")]
pub struct TableError {
    /// The file, relative to the repository; the path as it was given if it cannot be read.
    pub file: String,
    /// The line of the mutant or of the syntax error; 1 if the file cannot be read.
    pub line: usize,
    /// What is wrong.
    pub reason: String,
}

/// An entry of a file: one mutant of one operator.
#[derive(Clone, Debug)]
struct Entry {
    file: Arc<str>,
    line: usize,
    operator: (String, Option<u32>),
    name: String,
    edits: Vec<RawEdit>,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Row {
    reason: String,
    edits: Vec<RawEdit>,
}

/// An edit as it is written in a file. Exactly one of the first eight fields is given and says what is edited.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct RawEdit {
    attribute: Option<String>,
    input: Option<String>,
    inputs: Option<String>,
    output: Option<String>,
    swap: Option<[String; 2]>,
    operator: Option<String>,
    version: Option<u32>,
    mirror: Option<String>,
    from: Option<Value>,
    to: Option<Value>,
    change: Option<String>,
    copy: Option<String>,
    indices: Option<String>,
    back: Option<String>,
}

/// The mutants that are written by hand.
#[derive(Clone, Debug, Default)]
pub struct MutantTable {
    entries: Vec<Entry>,
}

impl MutantTable {
    /// Reads the files of a folder, usually `generators/mutants`.
    ///
    /// # Errors
    /// Fails if the folder or a file cannot be read, or at the first invalid mutant; the error has the file and line.
    pub fn load(folder: &Path) -> Result<MutantTable, TableError> {
        let wrong = |path: &Path, error: std::io::Error| TableError {
            file: path.display().to_string(),
            line: 1,
            reason: error.to_string(),
        };
        let mut paths = Vec::new();
        for entry in std::fs::read_dir(folder).map_err(|e| wrong(folder, e))? {
            let path = entry.map_err(|e| wrong(folder, e))?.path();
            if path.extension().is_some_and(|extension| extension == "toml") {
                paths.push(path);
            }
        }
        paths.sort();
        let mut entries = Vec::new();
        for path in paths {
            let text = std::fs::read_to_string(&path).map_err(|e| wrong(&path, e))?;
            let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            entries.extend(parse(&format!("generators/mutants/{name}"), &text)?);
        }
        Ok(MutantTable { entries })
    }

    /// Returns the number of mutants. A mutant counts once for each of its operators.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Returns whether there are no mutants.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// Returns the mutants of an operator version. Leaves out a mutant if the version does not allow one of its edits.
    pub(super) fn for_version(&self, version: &OperatorVersion) -> Vec<Mutant> {
        let about = |entry: &&Entry| {
            let (name, since) = &entry.operator;
            *name == version.id.qualified_name() && since.is_none_or(|since| since == version.since())
        };
        let mutant = |entry: &Entry| {
            Some(Mutant {
                name: entry.name.clone(),
                kind: MutantKind::Written,
                edits: entry.edits.iter().map(|edit| edit.edit(version)).collect::<Result<_, _>>().ok()?,
                place: Some((entry.file.clone(), entry.line)),
            })
        };
        self.entries.iter().filter(about).filter_map(mutant).collect()
    }
}

fn parse(file: &str, text: &str) -> Result<Vec<Entry>, TableError> {
    let line = |at: usize| text[..at.min(text.len())].matches('\n').count() + 1;
    let tables: BTreeMap<String, BTreeMap<String, Spanned<Row>>> =
        toml::from_str(text).map_err(|error| TableError {
            file: file.to_owned(),
            line: error.span().map_or(1, |span| line(span.start)),
            reason: error.message().to_owned(),
        })?;
    let path: Arc<str> = file.into();
    let mut entries = Vec::new();
    for (operators, rows) in tables {
        for (name, row) in rows {
            let line = line(row.span().start);
            let row = row.into_inner();
            let wrong = |reason: String| TableError { file: file.to_owned(), line, reason };
            if row.reason.trim().is_empty() || row.edits.is_empty() {
                return Err(wrong(format!("{name}: a mutant needs a reason and edits")));
            }
            for operator in operators.split_whitespace() {
                let (operator, since, versions) = match Spec::embedded().find(operator) {
                    Ok(Found::Operator(operator)) => {
                        (operator.qualified_name(), None, operator.versions.iter().collect())
                    }
                    Ok(Found::Version(operator, version)) => {
                        (operator.qualified_name(), Some(version.since()), vec![version])
                    }
                    Err(error) => return Err(wrong(error.to_string())),
                };
                let versions: Vec<&OperatorVersion> = versions;
                let reasons: Vec<String> = versions
                    .iter()
                    .filter_map(|version| row.edits.iter().try_for_each(|edit| edit.edit(version).map(|_| ())).err())
                    .collect();
                if let Some(reason) = reasons.last().filter(|_| reasons.len() == versions.len()) {
                    return Err(wrong(format!("{name} of {operator}: {reason}")));
                }
                let edits = row.edits.clone();
                let file = path.clone();
                entries.push(Entry { file, line, operator: (operator, since), name: name.clone(), edits });
            }
        }
    }
    entries.sort_by_key(|entry| entry.line);
    Ok(entries)
}

impl RawEdit {
    /// Converts the edit for an operator version.
    fn edit(&self, version: &OperatorVersion) -> Result<Edit, String> {
        let subjects = [
            self.attribute.is_some(),
            self.input.is_some(),
            self.inputs.is_some(),
            self.output.is_some(),
            self.swap.is_some(),
            self.operator.is_some(),
            self.version.is_some(),
            self.mirror.is_some(),
        ];
        if subjects.iter().filter(|given| **given).count() != 1 {
            return Err("an edit needs exactly one of `attribute`, `input`, `inputs`, `output`, `swap`, `operator`, `version`, `mirror`".to_owned());
        }
        if let Some(name) = &self.attribute {
            let fact = version.attribute(name).ok_or_else(|| format!("{} has no attribute `{name}`", version.id))?;
            let value = |value: &Value| tensor(value, fact.kind);
            let from = self.from.as_ref().map(value).transpose()?;
            let to = self.to(|v| value(v))?;
            return Ok(Edit::Attribute { name: name.clone(), from, to });
        }
        if let Some(name) = &self.input {
            input(version, name)?;
            let to = self.to(loose)?;
            return Ok(Edit::Input { name: name.clone(), to });
        }
        if let Some(change) = &self.inputs {
            return Ok(Edit::Inputs(change.parse()?));
        }
        if let Some(name) = &self.output {
            let all = name == "*";
            if !all {
                output(version, name)?;
            }
            if let Some(copy) = &self.copy {
                input(version, copy)?;
                return Ok(Edit::Copied { output: name.clone(), input: copy.clone() });
            }
            let change = self.change.as_deref().ok_or("an output needs `change` or `copy`")?.parse()?;
            return Ok(Edit::Output { name: (!all).then(|| name.clone()), change });
        }
        if let Some([a, b]) = &self.swap {
            let known = |name: &String| {
                input(version, name).is_ok() || version.attribute(name).is_some() || output(version, name).is_ok()
            };
            if !known(a) || !known(b) {
                return Err(format!("{} does not have both `{a}` and `{b}`", version.id));
            }
            return Ok(Edit::Swap(a.clone(), b.clone()));
        }
        if let Some(name) = &self.operator {
            Spec::embedded()
                .resolve(&version.id.domain, name, i64::from(version.since()))
                .ok_or_else(|| format!("the opset of {} has no operator `{name}`", version.id))?;
            return Ok(Edit::Operator(name.clone()));
        }
        if let Some(since) = self.version {
            let operator = Spec::embedded().operator(&version.id.domain, &version.id.name);
            operator.and_then(|o| o.version(since)).ok_or_else(|| format!("{} has no version {since}", version.id))?;
            if since == version.since() {
                return Err(format!("{} already is version {since}; name another one", version.id));
            }
            return Ok(Edit::Version(since));
        }
        let name = self.mirror.clone().unwrap_or_default();
        input(version, &name)?;
        Ok(Edit::Mirrored { input: name, indices: self.indices.clone(), back: self.back.clone() })
    }

    /// Returns what the edit does to an attribute or input, as the field `to` or the field `change` says.
    fn to(&self, value: impl Fn(&Value) -> Result<Tensor, String>) -> Result<To, String> {
        match (&self.to, &self.change) {
            (Some(_), Some(_)) => Err("an edit has `to` or `change`, not both".to_owned()),
            (Some(to), None) => Ok(To::Value(value(to)?)),
            (None, Some(change)) if change == "removed" => Ok(To::Nothing),
            (None, Some(change)) => Ok(To::Changed(change.parse()?)),
            (None, None) => Err("an edit needs `to` or `change`".to_owned()),
        }
    }
}

/// Checks that a version has this input. A name that is a number is the input's position.
fn input(version: &OperatorVersion, name: &str) -> Result<(), String> {
    let known = match name.parse::<usize>() {
        Ok(place) => version.input_at(place).is_some(),
        Err(_) => version.input(name).is_some(),
    };
    if known { Ok(()) } else { Err(format!("{} has no input `{name}`", version.id)) }
}

fn output(version: &OperatorVersion, name: &str) -> Result<(), String> {
    let known = match name.parse::<usize>() {
        Ok(place) => version.output_at(place).is_some(),
        Err(_) => version.output(name).is_some(),
    };
    if known { Ok(()) } else { Err(format!("{} has no output `{name}`", version.id)) }
}

/// Parses the value of an attribute of this kind.
fn tensor(value: &Value, kind: AttributeKind) -> Result<Tensor, String> {
    let found = loose(value)?;
    let fits = match kind {
        AttributeKind::Int | AttributeKind::Ints => found.dtype() == DType::Int64,
        AttributeKind::Float | AttributeKind::Floats => found.dtype() != DType::String,
        AttributeKind::String | AttributeKind::Strings => found.dtype() == DType::String,
        AttributeKind::Tensor => true,
        _ => false,
    };
    if !fits {
        return Err(format!("`{value}` is not a value of kind {kind}"));
    }
    if matches!(kind, AttributeKind::Float | AttributeKind::Floats) {
        let floats: Vec<f32> = found.to_f64s().iter().map(|&x| x as f32).collect();
        return Tensor::from_f32s(found.shape().to_vec(), &floats).map_err(|e| e.to_string());
    }
    Ok(found)
}

/// Parses a number, a string, or a list of either.
fn loose(value: &Value) -> Result<Tensor, String> {
    let wrong = || format!("`{value}` is not a number, a string or a list of either");
    let (shape, values) = match value {
        Value::Array(values) => (vec![values.len()], values.as_slice()),
        one => (vec![], std::slice::from_ref(one)),
    };
    if let Some(strings) = values.iter().map(Value::as_str).collect::<Option<Vec<_>>>().filter(|s| !s.is_empty()) {
        let strings = strings.iter().map(|s| s.as_bytes().to_vec()).collect();
        return Tensor::from_strings(shape, strings).map_err(|e| e.to_string());
    }
    if let Some(integers) = values.iter().map(Value::as_integer).collect::<Option<Vec<_>>>() {
        return Tensor::from_i64s(&integers).reshaped(shape).map_err(|e| e.to_string());
    }
    let number = |v: &Value| v.as_float().or(v.as_integer().map(|i| i as f64));
    let floats = values.iter().map(number).collect::<Option<Vec<_>>>().ok_or_else(wrong)?;
    Tensor::from_f64s(DType::Double, shape, &floats).map_err(|e| e.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn error(text: &str) -> String {
        parse("mutants.toml", text).unwrap_err().to_string()
    }

    #[test]
    fn the_files_are_valid() {
        let table = MutantTable::load(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../../generators/mutants")).unwrap();
        assert!(table.len() >= 300, "{}", table.len());
    }

    #[test]
    fn errors_name_the_line() {
        let row = |edits: &str| format!("[Clip]\n\nwrong = {{ reason = \"r\", edits = [{edits}] }}\n");
        assert!(error(&row("{ attribut = \"min\" }")).starts_with("mutants.toml:3: unknown field `attribut`"));
        assert_eq!(
            error(&row("{ input = \"lower\", change = \"negated\" }")),
            "mutants.toml:3: wrong of Clip: Clip-13 has no input `lower`"
        );
        assert!(error(&row("{ input = \"min\", change = \"negate\" }")).contains("`negate` is not a change"));
        assert!(error(&row("{ version = 12, input = \"min\" }")).contains("an edit needs exactly one of"));
        assert!(error(&row("{ attribute = \"max\", to = \"big\" }")).contains("Clip-13 has no attribute `max`"));
        assert!(error("[Clipp]\na = { reason = \"r\", edits = [{ version = 1 }] }").starts_with("mutants.toml:2: "));
        assert!(error("[Clip]\na = { reason = \" \", edits = [{ version = 1 }] }").contains("needs a reason"));
        assert_eq!(parse("mutants.toml", &row("{ version = 12 }")).unwrap().len(), 1);
    }
}
