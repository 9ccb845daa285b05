//! Imports facts into `specs/`: reads what `scripts/import_onnx.py` prints about the onnx package, and either writes
//! the files of `specs/` or reports where they differ from it. [`crate::directml::import`] reads the fact tables of
//! DirectML.

use crate::domain::Domain;
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

/// The release of the onnx package that the facts of ONNX in `specs/` come from. The files do not state it.
pub const ONNX_RELEASE: &str = "1.23.2";

/// The script that prints the facts. It needs Python 3 with the onnx package.
pub const IMPORT_SCRIPT: &str = include_str!("../scripts/import_onnx.py");

/// All facts of one release of the onnx package, or all facts of DirectML's tables, in the form of files of `specs/`.
#[derive(Clone, Debug)]
pub struct Import {
    /// The release of the onnx package (`1.23.2`). For DirectML, whose tables have no release: `the fact tables`.
    pub release: String,
    /// The name of the origin in the text of a [`Difference`]: `onnx`, or `the tables` for DirectML.
    pub origin: &'static str,
    /// The folder of `specs/` whose `.json` files all come from the import: `onnx` or `directml`. A `.json` file there
    /// that is not in `files` is a leftover.
    pub folder: &'static str,
    /// The texts of the files, by path below `specs/`.
    pub files: BTreeMap<PathBuf, String>,
}

/// One difference between `specs/` and the imported facts.
#[derive(Clone, Debug, PartialEq)]
pub struct Difference {
    /// The path of the file below `specs/`.
    pub file: PathBuf,
    /// The path of the field in the file, or empty if the difference concerns the whole file.
    pub field: String,
    /// The value in `specs/`, or `None` if it has none.
    pub in_specs: Option<Value>,
    /// The value in the origin (the onnx package or DirectML's tables), or `None` if it has none.
    pub in_origin: Option<Value>,
    /// The name of the origin, as in [`Import::origin`].
    pub origin: &'static str,
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.file.display())?;
        let origin = self.origin;
        if self.field.is_empty() {
            return match (&self.in_specs, &self.in_origin) {
                (None, _) => f.write_str(": is missing"),
                (Some(_), None) => write!(f, ": no such operator in {origin}"),
                (Some(_), Some(_)) => f.write_str(": the same facts, but formatted in another way"),
            };
        }
        let show = |value: &Option<Value>| value.as_ref().map_or_else(|| "nothing".to_owned(), Value::to_string);
        write!(f, ": {}: {} in specs, {} in {origin}", self.field, show(&self.in_specs), show(&self.in_origin))
    }
}

/// The files that [`Import::write`] changed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Written {
    /// Files that were written because they were missing or different.
    pub changed: Vec<PathBuf>,
    /// Files that were removed because they belong to no imported operator.
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
    /// Reads the output of the script.
    ///
    /// # Errors
    /// Returns an error if the text does not have the form of the script's output. The error says what is wrong.
    pub fn parse(text: &str) -> Result<Import, SpecError> {
        let printed = Path::new("the output of import_onnx.py");
        let document: Document =
            serde_json::from_str(text).map_err(|error| SpecError::data(printed, error.line(), error.to_string()))?;
        let mut files = BTreeMap::new();
        for piece in document.operators {
            let operator = parse_operator(printed, piece.get())?;
            let path = Path::new("onnx").join(&operator.domain).join(format!("{}.json", operator.name));
            if files.insert(path, operator.to_json()).is_some() {
                let message = format!("{} occurs twice", operator.qualified_name());
                return Err(SpecError::data(printed, 1, message));
            }
        }
        let dtypes = DTypeFacts::parse(printed, &format!("{{\"dtypes\": {}}}", document.dtypes.get()))?;
        files.insert(PathBuf::from("dtypes.json"), DTypeFacts::list_to_json(&dtypes));
        files.insert(PathBuf::from("opsets.json"), Opsets::parse(printed, document.opsets.get())?.to_json());
        Ok(Import { release: document.onnx, origin: "onnx", folder: "onnx", files })
    }

    /// Returns the differences between the files of `specs` and the imported facts. The list is empty if there are
    /// none.
    ///
    /// # Errors
    /// Returns an error if a file or folder cannot be read or is not JSON.
    pub fn differences(&self, specs: &Path) -> Result<Vec<Difference>, SpecError> {
        let mut found = Vec::new();
        for (path, text) in &self.files {
            let whole = |in_specs: Option<Value>, in_origin: Option<Value>| Difference {
                file: path.clone(),
                field: String::new(),
                in_specs,
                in_origin,
                origin: self.origin,
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
            let mut places = Places { file: path, origin: self.origin, found: &mut found };
            places.compare(String::new(), Some(&parse(&there)?), Some(&parse(text)?));
            if found.len() == before {
                found.push(whole(Some(Value::Null), Some(Value::Null)));
            }
        }
        for file in self.strays(specs)? {
            let (in_specs, origin) = (Some(Value::Null), self.origin);
            found.push(Difference { file, field: String::new(), in_specs, in_origin: None, origin });
        }
        Ok(found)
    }

    /// Updates `specs`: writes files that are missing or different, and removes the files of operators that this import
    /// does not have.
    ///
    /// # Errors
    /// Returns an error if a file or folder cannot be read or written.
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

    /// Returns the `.json` files in `folder` that this import does not have. The files of a domain whose operators come
    /// from elsewhere are left alone.
    fn strays(&self, specs: &Path) -> Result<Vec<PathBuf>, SpecError> {
        let (mut found, mut folders) = (Vec::new(), vec![specs.join(self.folder)]);
        folders.retain(|folder| folder.exists());
        while let Some(folder) = folders.pop() {
            for path in crate::load::read_dir(&folder)? {
                let below = path.strip_prefix(specs).unwrap_or(&path).to_owned();
                if path.is_dir() {
                    let domain = path.file_name().and_then(|name| Domain::find(name.to_str()?));
                    folders.extend(domain.is_none_or(|domain| domain.origin == self.origin).then_some(path));
                } else if path.extension().is_some_and(|end| end == "json") && !self.files.contains_key(&below) {
                    found.push(below);
                }
            }
        }
        found.sort();
        Ok(found)
    }
}

/// Returns the name or version that identifies an item of a list, so that items are compared whatever their positions.
fn key_of(value: &Value) -> Option<String> {
    ["since", "name", "domain", "onnx", "min_feature_level", "since_version", "level"].iter().find_map(
        |key| match value.get(key)? {
            Value::String(text) => Some(text.clone()),
            Value::Number(number) => Some(number.to_string()),
            _ => None,
        },
    )
}

/// Collects the differences between a file of `specs/` and the text that the import has for that file.
struct Places<'a> {
    file: &'a Path,
    origin: &'static str,
    found: &'a mut Vec<Difference>,
}

impl Places<'_> {
    fn push(&mut self, field: String, in_specs: Option<Value>, in_origin: Option<Value>) {
        self.found.push(Difference { file: self.file.to_owned(), field, in_specs, in_origin, origin: self.origin });
    }

    fn compare(&mut self, field: String, specs: Option<&Value>, origin: Option<&Value>) {
        let below = |key: &str| if field.is_empty() { key.to_owned() } else { format!("{field}.{key}") };
        match (specs, origin) {
            (a, b) if a == b => {}
            (Some(Value::Object(a)), Some(Value::Object(b))) => {
                let keys: BTreeSet<&String> = a.keys().chain(b.keys()).collect();
                for key in keys {
                    self.compare(below(key), a.get(key), b.get(key));
                }
            }
            (Some(Value::Array(a)), Some(Value::Array(b))) if a.iter().chain(b).all(|item| key_of(item).is_some()) => {
                let find =
                    |items: &[Value], key: &Option<String>| items.iter().find(|item| key_of(item) == *key).cloned();
                let keys: BTreeSet<Option<String>> = a.iter().chain(b).map(key_of).collect();
                let before = self.found.len();
                for key in &keys {
                    let name = format!("{field}[{}]", key.as_deref().unwrap_or_default());
                    self.compare(name, find(a, key).as_ref(), find(b, key).as_ref());
                }
                if self.found.len() == before {
                    let names = |items: &[Value]| Some(items.iter().filter_map(key_of).map(Value::String).collect());
                    self.push(format!("order of {field}"), names(a), names(b));
                }
            }
            (a, b) => self.push(field, a.cloned(), b.cloned()),
        }
    }
}
