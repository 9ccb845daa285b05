//! The values that an implementation computed for a model, by name: from a folder, or from memory.

use std::collections::BTreeMap;
use std::path::{Component, Path, PathBuf};

use plumbline_tensor::{Value, ValueKind};
use serde::Deserialize;

use super::error::JudgeError;
use crate::cases::suite::{SuiteError, listing, read_value};

/// Values by their names in the model's main graph.
#[derive(Clone, Debug, Default)]
pub struct Values {
    entries: BTreeMap<String, Entry>,
    folder: Option<PathBuf>,
}

#[derive(Clone, Debug)]
enum Entry {
    Value(Value),
    /// A file, which is read once the type of the value is known.
    File(PathBuf),
}

/// The contents of `index.json`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Index {
    format: u32,
    values: BTreeMap<String, String>,
}

impl From<BTreeMap<String, Value>> for Values {
    fn from(values: BTreeMap<String, Value>) -> Values {
        let entries = values.into_iter().map(|(name, value)| (name, Entry::Value(value))).collect();
        Values { entries, folder: None }
    }
}

impl Values {
    /// Lists the values in a folder. If the folder has `index.json`, it says which file has which value
    /// (`{"format": 1, "values": {"NAME": "FILE"}}`). Otherwise each value is in `NAME.pb`, where every byte of the
    /// name except letters, digits, `_`, `-` and `.` is written as `%` and two hexadecimal digits, as in URLs; a `.` at
    /// the start becomes `%2E`.
    ///
    /// # Errors
    /// Fails if the folder or `index.json` cannot be read, if the index is invalid or names a file outside of the
    /// folder, or if the name of a `.pb` file has a `%` without two hexadecimal digits or is not UTF-8 once it is
    /// unescaped.
    pub fn read(folder: &Path) -> Result<Values, JudgeError> {
        let index = folder.join("index.json");
        let entries = match index.exists() {
            true => indexed(folder, &index)?,
            false => {
                let mut entries = BTreeMap::new();
                for file in listing(folder)? {
                    let Some(stem) = file.strip_suffix(".pb") else { continue };
                    let name = unescaped(stem).ok_or_else(|| {
                        let reason = "the name has a `%` without two hexadecimal digits, or is not UTF-8";
                        SuiteError::data(&folder.join(&file), reason)
                    })?;
                    entries.insert(name, Entry::File(folder.join(&file)));
                }
                entries
            }
        };
        Ok(Values { entries, folder: Some(folder.to_owned()) })
    }

    /// Returns these values and `more`. A value in `more` replaces one of the same name.
    pub(super) fn with<'a>(&self, more: impl Iterator<Item = (&'a str, Value)>) -> Values {
        let mut all = self.clone();
        all.entries.extend(more.map(|(name, value)| (name.to_owned(), Entry::Value(value))));
        all
    }

    /// Returns the values that are in memory.
    pub(super) fn into_values(self) -> impl Iterator<Item = (String, Value)> {
        self.entries.into_iter().filter_map(|(name, entry)| match entry {
            Entry::Value(value) => Some((name, value)),
            Entry::File(_) => None,
        })
    }

    /// Returns the names of the values.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.entries.keys().map(String::as_str)
    }

    /// Returns whether there is a value of this name.
    pub fn has(&self, name: &str) -> bool {
        self.entries.contains_key(name)
    }

    /// Returns the value of this name, unless it is in a file.
    pub(super) fn in_memory(&self, name: &str) -> Option<&Value> {
        match self.entries.get(name) {
            Some(Entry::Value(value)) => Some(value),
            Some(Entry::File(_)) | None => None,
        }
    }

    /// Returns the folder of the values, if they come from one.
    pub(super) fn folder(&self) -> Option<&Path> {
        self.folder.as_deref()
    }

    /// Returns the value of this name. A file is read as a value of type `kind`; a tensor in the file may have another
    /// element type.
    pub(super) fn read_as(&self, name: &str, kind: &ValueKind) -> Result<Option<Value>, JudgeError> {
        match self.entries.get(name) {
            None => Ok(None),
            Some(Entry::Value(value)) => Ok(Some(value.clone())),
            Some(Entry::File(path)) => Ok(Some(read_value(path, kind)?)),
        }
    }
}

/// Returns the name of the file that has the value of this name: `conv1%2Fout.pb` for `conv1/out`.
#[cfg(test)]
fn file_name(name: &str) -> String {
    let escaped = |(at, byte): (usize, u8)| match byte {
        b'.' if at == 0 => "%2E".to_owned(),
        b'.' | b'_' | b'-' => char::from(byte).to_string(),
        _ if byte.is_ascii_alphanumeric() => char::from(byte).to_string(),
        _ => format!("%{byte:02X}"),
    };
    name.bytes().enumerate().map(escaped).collect::<String>() + ".pb"
}

/// Returns the name of the value in the file `{stem}.pb`, or `None` if `stem` does not encode a name.
fn unescaped(stem: &str) -> Option<String> {
    let mut bytes = Vec::new();
    let mut rest = stem.as_bytes();
    while let Some((&byte, after)) = rest.split_first() {
        rest = after;
        if byte == b'%' {
            let digits = std::str::from_utf8(rest.get(..2)?).ok()?;
            if !digits.bytes().all(|digit| digit.is_ascii_hexdigit()) {
                return None;
            }
            bytes.push(u8::from_str_radix(digits, 16).ok()?);
            rest = &rest[2..];
        } else {
            bytes.push(byte);
        }
    }
    String::from_utf8(bytes).ok()
}

fn indexed(folder: &Path, path: &Path) -> Result<BTreeMap<String, Entry>, SuiteError> {
    let text = std::fs::read_to_string(path).map_err(SuiteError::io(path))?;
    let index: Index = serde_json::from_str(&text).map_err(|error| SuiteError::data(path, error))?;
    if index.format != 1 {
        return Err(SuiteError::data(path, format!("format {} is unknown; only format 1 is known", index.format)));
    }
    let entry = |(name, file): (String, String)| {
        let relative = Path::new(&file);
        let inside = relative.components().all(|part| matches!(part, Component::Normal(_)));
        if file.is_empty() || !inside {
            let reason = format!("value `{name}` is in `{file}`, which is not a path below this folder");
            return Err(SuiteError::data(path, reason));
        }
        Ok((name, Entry::File(folder.join(relative))))
    };
    index.values.into_iter().map(entry).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_name_encodes_the_name_of_the_value() {
        for (name, file) in [
            ("y", "y.pb"),
            ("conv1.0_out-2", "conv1.0_out-2.pb"),
            ("/layer/Conv_output_0", "%2Flayer%2FConv_output_0.pb"),
            ("..", "%2E..pb"),
            ("100%", "100%25.pb"),
            ("größe:0", "gr%C3%B6%C3%9Fe%3A0.pb"),
        ] {
            assert_eq!(file_name(name), file);
            assert_eq!(unescaped(file.strip_suffix(".pb").unwrap()).as_deref(), Some(name));
        }
        for wrong in ["%", "a%2", "%zz", "%+f", "%FF"] {
            assert_eq!(unescaped(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn an_index_only_names_files_below_its_folder() {
        let folder = tempfile::tempdir().unwrap();
        let read = |text: &str| {
            std::fs::write(folder.path().join("index.json"), text).unwrap();
            Values::read(folder.path())
        };
        let values = read(r#"{"format": 1, "values": {"a/b": "0.pb", "c": "deep/1.pb"}}"#).unwrap();
        assert_eq!(values.names().collect::<Vec<_>>(), ["a/b", "c"]);
        for wrong in [
            r#"{"format": 2, "values": {}}"#,
            r#"{"format": 1, "values": {"a": "../0.pb"}}"#,
            r#"{"format": 1, "values": {"a": "/0.pb"}}"#,
            r#"{"format": 1, "values": {"a": ""}}"#,
            r#"{"format": 1}"#,
        ] {
            assert!(read(wrong).is_err(), "{wrong}");
        }
    }
}
