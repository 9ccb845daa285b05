//! Writes folders of runs of a backend `mine`, with the results that a test asks for.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

/// A folder for runs and for what is made of them.
pub struct Runs {
    pub folder: tempfile::TempDir,
}

/// The facts of a run of `mine` in this version.
pub fn facts(version: &str) -> Value {
    json!({
        "seed": "0", "profile": "smoke", "project_version": "0.1.0", "started": format!("2026-11-0{version} 10:00 UTC"),
        "backends": [{ "name": "mine", "version": version, "selector": format!("mine@{version}") }],
    })
}

/// A line of results of `mine` in this version.
pub fn row(version: &str, case: &str, verdict: &str) -> Value {
    let is_fail = verdict == "fail";
    json!({
        "case": case, "suite": "generated", "domain": "ai.onnx", "op": "Min", "since": 13, "types": { "T": "float" },
        "backend": format!("mine {version}"), "verdict": verdict, "max_ulp": 0.25,
        "kind": is_fail.then_some("wrong-value"), "signature": is_fail.then_some("Min-wrong-value-00000001"),
        "detail": is_fail.then_some("output `min`[0] is 1, 2 is expected"),
    })
}

/// A line of results with some of its values replaced.
pub fn with<const N: usize>(mut row: Value, values: [(&str, &str); N]) -> Value {
    for (key, value) in values {
        row[key] = value.into();
    }
    row
}

/// The cases of Min-13 with these verdicts, numbered from 0.
pub fn rows(version: &str, verdicts: &[&str]) -> Vec<Value> {
    let row = |(number, verdict): (usize, &&str)| row(version, &format!("Min-13/T=float/{number}@0"), verdict);
    verdicts.iter().enumerate().map(row).collect()
}

impl Runs {
    pub fn new() -> Runs {
        Runs { folder: tempfile::tempdir().unwrap() }
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub fn write(&self, name: &str, facts: &Value, rows: &[Value]) {
        let folder = self.path(name);
        std::fs::create_dir_all(&folder).unwrap();
        std::fs::write(folder.join("run.json"), facts.to_string()).unwrap();
        let lines: String = rows.iter().map(|row| format!("{row}\n")).collect();
        std::fs::write(folder.join("results.jsonl"), lines).unwrap();
    }

    /// Writes runs of versions 1, 2 and 3.
    pub fn write_three(&self) {
        self.write("one", &facts("1"), &rows("1", &["pass", "fail", "unsupported", "pass"]));
        self.write("two", &facts("2"), &rows("2", &["fail", "pass", "unsupported", "pass"]));
        self.write("three", &facts("3"), &rows("3", &["pass", "pass", "pass", "latitude"]));
    }

    /// Makes a site of the runs in the folders `inputs`, and writes it to the folder `out`.
    pub fn build(&self, inputs: &[&str], out: &str) -> Result<plumbline_report::site::SiteFacts, String> {
        let inputs: Vec<PathBuf> = inputs.iter().map(|input| self.path(input)).collect();
        let spec = plumbline_spec::Spec::embedded();
        let built = plumbline_report::site::build(spec, &inputs, &self.path(out), "A title");
        built.map_err(|error| {
            let mut text = error.to_string();
            let mut source = std::error::Error::source(&error);
            while let Some(inner) = source {
                text = format!("{text}: {inner}");
                source = inner.source();
            }
            self.plain(&text)
        })
    }

    /// Returns a text with `[folder]` in place of the folder's path, which differs each time.
    pub fn plain(&self, text: &str) -> String {
        text.replace(&self.folder.path().display().to_string(), "[folder]")
    }

    pub fn text(&self, name: &str) -> String {
        std::fs::read_to_string(self.path(name)).unwrap()
    }

    pub fn json(&self, name: &str) -> Value {
        serde_json::from_str(&self.text(name)).unwrap()
    }
}

/// Returns all files below a folder by their path, with `/` between the parts.
pub fn files(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut found = BTreeMap::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(next) = folders.pop() {
        for entry in std::fs::read_dir(next).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
                continue;
            }
            let name: Vec<String> =
                path.strip_prefix(folder).unwrap().iter().map(|p| p.to_string_lossy().into()).collect();
            found.insert(name.join("/"), std::fs::read(&path).unwrap());
        }
    }
    found
}
