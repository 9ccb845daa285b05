//! Brings what the onnx package says into `specs/`: reads what `scripts/import_onnx.py` prints,
//! writes the files, or tells where the files differ.

use crate::error::SpecError;
use crate::facts::{DTypeFacts, Opsets};
use crate::load::parse_operator;
use serde::Deserialize;
use serde_json::Value;
use serde_json::value::RawValue;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};

/// The release of the onnx package that `specs/` holds the facts of: the one place that says so.
pub const ONNX_RELEASE: &str = "1.23.2";

/// The script that prints the facts; it needs Python 3 with the onnx package.
pub const IMPORT_SCRIPT: &str = include_str!("../scripts/import_onnx.py");

/// Everything one release of the onnx package says, as the files of `specs/`.
#[derive(Clone, Debug)]
pub struct Import {
    /// The release that said so.
    pub onnx: String,
    /// Texts by path below `specs/`.
    pub files: BTreeMap<PathBuf, String>,
}

/// One place where `specs/` is not what the onnx package says.
#[derive(Clone, Debug, PartialEq)]
pub struct Difference {
    /// The file, below `specs/`.
    pub file: PathBuf,
    /// The field, as a path into the file; empty when the whole file is meant.
    pub field: String,
    /// What the file says; `None` when it does not have it.
    pub in_specs: Option<Value>,
    /// What the onnx package says; `None` when it does not have it.
    pub in_onnx: Option<Value>,
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.file.display())?;
        if self.field.is_empty() {
            return match (&self.in_specs, &self.in_onnx) {
                (None, _) => f.write_str(": is missing"),
                (Some(_), None) => f.write_str(": onnx has no such operator"),
                (Some(_), Some(_)) => f.write_str(": the same facts, written in another form"),
            };
        }
        let show = |value: &Option<Value>| value.as_ref().map_or_else(|| "nothing".to_owned(), Value::to_string);
        write!(f, ": {}: {} in specs, {} in onnx", self.field, show(&self.in_specs), show(&self.in_onnx))
    }
}

/// What [`Import::write`] did.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Written {
    /// Files that were written, as they were missing or not the same.
    pub changed: Vec<PathBuf>,
    /// Files that were removed, as onnx has no such operator.
    pub removed: Vec<PathBuf>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Document<'a> {
    onnx: String,
    #[serde(borrow)]
    operators: Vec<&'a RawValue>,
    #[serde(borrow)]
    dtypes: &'a RawValue,
    #[serde(borrow)]
    opsets: &'a RawValue,
}

impl Import {
    /// Reads what the script printed.
    ///
    /// # Errors
    /// Output that is not what `specs/` can hold: the file it was meant for and what is wrong.
    pub fn parse(text: &str) -> Result<Import, SpecError> {
        let printed = Path::new("the output of import_onnx.py");
        let document: Document =
            serde_json::from_str(text).map_err(|error| SpecError::data(printed, error.line(), error.to_string()))?;
        let mut files = BTreeMap::new();
        for piece in document.operators {
            let operator = parse_operator(printed, piece.get())?;
            let path = Path::new("onnx").join(&operator.domain).join(format!("{}.json", operator.name));
            if files.insert(path, operator.to_json()).is_some() {
                let message = format!("{} comes twice", operator.qualified_name());
                return Err(SpecError::data(printed, 1, message));
            }
        }
        let dtypes = DTypeFacts::parse(printed, &format!("{{\"dtypes\": {}}}", document.dtypes.get()))?;
        files.insert(PathBuf::from("dtypes.json"), DTypeFacts::list_to_json(&dtypes));
        files.insert(PathBuf::from("opsets.json"), Opsets::parse(printed, document.opsets.get())?.to_json());
        Ok(Import { onnx: document.onnx, files })
    }

    /// Where the files of `specs` are not what was imported. Empty when all is the same.
    ///
    /// # Errors
    /// A file or folder that cannot be read, or is not JSON.
    pub fn differences(&self, specs: &Path) -> Result<Vec<Difference>, SpecError> {
        let mut found = Vec::new();
        for (path, text) in &self.files {
            let whole = |in_specs: Option<Value>, in_onnx: Option<Value>| Difference {
                file: path.clone(),
                field: String::new(),
                in_specs,
                in_onnx,
            };
            let full = specs.join(path);
            let there = match fs::read_to_string(&full) {
                Ok(there) => there,
                Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
                    found.push(whole(None, Some(Value::Null)));
                    continue;
                }
                Err(source) => return Err(SpecError::Read { path: full, source }),
            };
            if there == *text {
                continue;
            }
            let parse = |text: &str| -> Result<Value, SpecError> {
                serde_json::from_str(text).map_err(|error| SpecError::data(&full, error.line(), error.to_string()))
            };
            let before = found.len();
            compare(path, String::new(), Some(&parse(&there)?), Some(&parse(text)?), &mut found);
            if found.len() == before {
                found.push(whole(Some(Value::Null), Some(Value::Null)));
            }
        }
        for file in self.strays(specs)? {
            found.push(Difference { file, field: String::new(), in_specs: Some(Value::Null), in_onnx: None });
        }
        Ok(found)
    }

    /// Writes the files that differ into `specs`, and removes those of operators onnx does not have.
    ///
    /// # Errors
    /// A file or folder that cannot be read or written.
    pub fn write(&self, specs: &Path) -> Result<Written, SpecError> {
        let mut written = Written::default();
        for (path, text) in &self.files {
            let full = specs.join(path);
            if fs::read_to_string(&full).is_ok_and(|there| there == *text) {
                continue;
            }
            let result = full.parent().map_or(Ok(()), fs::create_dir_all).and_then(|()| fs::write(&full, text));
            result.map_err(|source| SpecError::Write { path: full, source })?;
            written.changed.push(path.clone());
        }
        for path in self.strays(specs)? {
            let full = specs.join(&path);
            fs::remove_file(&full).map_err(|source| SpecError::Write { path: full, source })?;
            written.removed.push(path);
        }
        Ok(written)
    }

    /// Facts of operators that were not imported.
    fn strays(&self, specs: &Path) -> Result<Vec<PathBuf>, SpecError> {
        let onnx = specs.join("onnx");
        if !onnx.exists() {
            return Ok(Vec::new());
        }
        let mut found = Vec::new();
        for domain in crate::load::read_dir(&onnx)?.into_iter().filter(|path| path.is_dir()) {
            for path in crate::load::read_dir(&domain)? {
                let below = path.strip_prefix(specs).unwrap_or(&path).to_owned();
                if path.extension().is_some_and(|extension| extension == "json") && !self.files.contains_key(&below) {
                    found.push(below);
                }
            }
        }
        Ok(found)
    }
}

/// What an item of a list is called: by its name or version rather than its place.
fn key_of(value: &Value) -> Option<String> {
    ["since", "name", "domain", "onnx"].iter().find_map(|key| match value.get(key)? {
        Value::String(text) => Some(text.clone()),
        Value::Number(number) => Some(number.to_string()),
        _ => None,
    })
}

fn compare(file: &Path, field: String, specs: Option<&Value>, onnx: Option<&Value>, found: &mut Vec<Difference>) {
    let below = |key: &str| if field.is_empty() { key.to_owned() } else { format!("{field}.{key}") };
    match (specs, onnx) {
        (a, b) if a == b => {}
        (Some(Value::Object(a)), Some(Value::Object(b))) => {
            let keys: BTreeSet<&String> = a.keys().chain(b.keys()).collect();
            for key in keys {
                compare(file, below(key), a.get(key), b.get(key), found);
            }
        }
        (Some(Value::Array(a)), Some(Value::Array(b))) if a.iter().chain(b).all(|item| key_of(item).is_some()) => {
            let find = |items: &[Value], key: &Option<String>| items.iter().find(|item| key_of(item) == *key).cloned();
            let keys: BTreeSet<Option<String>> = a.iter().chain(b).map(key_of).collect();
            let before = found.len();
            for key in &keys {
                let name = format!("{field}[{}]", key.as_deref().unwrap_or_default());
                compare(file, name, find(a, key).as_ref(), find(b, key).as_ref(), found);
            }
            if found.len() == before {
                let names = |items: &[Value]| Some(items.iter().filter_map(key_of).map(Value::String).collect());
                let (in_specs, in_onnx) = (names(a), names(b));
                found.push(Difference { file: file.to_owned(), field: format!("order of {field}"), in_specs, in_onnx });
            }
        }
        (a, b) => found.push(Difference { file: file.to_owned(), field, in_specs: a.cloned(), in_onnx: b.cloned() }),
    }
}
