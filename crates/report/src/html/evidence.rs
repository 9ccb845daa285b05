//! The folders of failures beside a report: what the page shows of them, and a page for each.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use minijinja::context;
use minijinja::value::{Serde, Value};
use plumbline_conformance::Recorded;
use plumbline_spec::Spec;
use serde::Serialize;
use sha2::{Digest, Sha256};

use super::{base64, environment, file};
use crate::text::{shell_quoted, shorten, visible_line};
use crate::{ReportError, Summary};

/// The largest length of a model as text, for a failure on the page of the report.
const MAX_MODEL_BYTES: usize = 1400;
/// The largest length of the inputs of the model as text, on the same page.
const MAX_INPUTS_BYTES: usize = 700;
/// The largest number of lines about wrong elements, on the same page.
const MAX_WRONG_LINES: usize = 4;
/// The largest length of these lines together.
const MAX_WRONG_BYTES: usize = 700;
/// The largest length of each text on the page that a failure has in its own folder.
const MAX_WHOLE_BYTES: usize = 200_000;
/// The largest number of files that the page of a failure lists.
const MAX_FILES: usize = 200;

/// The folders in `repro/`, each with what it records. A failure links to the folder with the name of its signature.
#[derive(Debug, Default)]
pub struct Repros {
    folders: BTreeMap<String, Option<Recorded>>,
}

impl FromIterator<String> for Repros {
    /// Returns a value that lists folders with these names, without a record of any failure. Does not touch the disk.
    fn from_iter<T: IntoIterator<Item = String>>(names: T) -> Repros {
        Repros { folders: names.into_iter().map(|name| (name, None)).collect() }
    }
}

/// What the page shows of a failure besides its result.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub(super) struct Evidence {
    pub link: String,
    pub model: Option<String>,
    pub inputs: Option<String>,
    pub wrong: Option<String>,
    pub replay: String,
    pub script: Option<String>,
    #[serde(skip)]
    pub rule: Option<String>,
    #[serde(skip)]
    pub form: Option<String>,
}

impl Repros {
    /// Reads the folders below `out/repro`.
    ///
    /// # Errors
    /// Fails if `out/repro` exists and cannot be read.
    pub fn read(out: &Path) -> Result<Repros, ReportError> {
        let path = out.join("repro");
        let error = |source| ReportError::Io { action: "read", path: path.clone(), source };
        if !path.is_dir() {
            return Ok(Repros::default());
        }
        let mut folders = BTreeMap::new();
        for entry in std::fs::read_dir(&path).map_err(error)? {
            let entry = entry.map_err(error)?;
            if entry.path().is_dir()
                && let Ok(name) = entry.file_name().into_string()
            {
                folders.insert(name, Recorded::read(&entry.path()));
            }
        }
        Ok(Repros { folders })
    }

    /// Returns what the folder of a signature shows about a failure on a backend.
    pub(super) fn evidence(&self, signature: &str, backend: &str, summary: &Summary) -> Option<Evidence> {
        let recorded = self.folders.get(signature)?;
        let mut evidence = Evidence {
            // Only a folder that records its failure gets a page.
            link: format!("repro/{}/{}", encoded(signature), if recorded.is_some() { "index.html" } else { "" }),
            replay: replay(signature, summary.selector(backend), summary),
            ..Evidence::default()
        };
        if let Some(recorded) = recorded {
            let some = |text: String| Some(text).filter(|text| !text.trim().is_empty());
            evidence.model = some(shorten(&model(recorded), MAX_MODEL_BYTES));
            evidence.inputs = some(shorten(&recorded.inputs.join("\n"), MAX_INPUTS_BYTES));
            let wrong: Vec<&str> = recorded.wrong.iter().take(MAX_WRONG_LINES).map(String::as_str).collect();
            evidence.wrong = some(shorten(&wrong.join("\n"), MAX_WRONG_BYTES));
            evidence.script = recorded.has_script.then(|| script(signature));
            evidence.rule = recorded.rule.clone();
            evidence.form = recorded.form.clone();
        }
        Some(evidence)
    }

    /// Returns the whole minimized model of a failure in ONNX's text syntax, if it has at most `max_bytes`.
    pub(super) fn model_text(&self, signature: &str, max_bytes: usize) -> Option<&str> {
        let text = self.folders.get(signature)?.as_ref()?.text.as_deref()?;
        (text.len() <= max_bytes).then_some(text)
    }

    /// Writes `index.html` into each folder that records a failure, because a static web host does not list
    /// the files of a folder.
    pub(crate) fn write_pages(&self, summary: &Summary, spec: &Spec, out: &Path) -> Result<(), ReportError> {
        let environment = environment()?;
        let template = environment.get_template("repro.html")?;
        for (name, recorded) in &self.folders {
            let Some(recorded) = recorded else { continue };
            let folder = out.join("repro").join(name);
            let read = |file: &str| std::fs::read_to_string(folder.join(file)).ok();
            let selector = summary.selector(&recorded.backend);
            let found = summary.operators.iter().find(|operator| {
                operator.findings.iter().any(|finding| finding.signature.as_deref() == Some(name.as_str()))
            });
            let operator = found.and_then(|found| spec.operator(&found.domain, &found.op));
            let rule = recorded.rule.as_deref();
            let page = template.render(context! {
                title => name.as_str(),
                style => Value::from_safe_string(file("report.css").trim_end().to_owned()),
                script => Value::from_safe_string(file("copy.js").to_owned()),
                script_hash => base64(&Sha256::digest(file("copy.js"))),
                back => operator.map(|operator| operator.qualified_name()),
                backend => recorded.backend.as_str(),
                detail => recorded.detail.as_deref(),
                rule => rule,
                rule_text => Serde(rule.and_then(|rule| super::facts::rule_text(operator?, rule))),
                model => shorten(&model(recorded), MAX_WHOLE_BYTES),
                inputs => shorten(&recorded.inputs.join("\n"), MAX_WHOLE_BYTES),
                wrong => shorten(&recorded.wrong.join("\n"), MAX_WHOLE_BYTES),
                answers => read("answers.txt").map(|text| shorten(&text, MAX_WHOLE_BYTES)),
                python => read("repro.py").map(|text| shorten(&text, MAX_WHOLE_BYTES)),
                commands => [Some(replay(name, selector, summary)), recorded.has_script.then(|| script(name))],
                files => Serde(files(&folder)),
            })?;
            let path = folder.join("index.html");
            std::fs::write(&path, page).map_err(|source| ReportError::Io { action: "write", path, source })?;
        }
        Ok(())
    }
}

/// Returns the command that repeats a failure from its folder. The command works in the folder of the report.
fn replay(signature: &str, selector: &str, summary: &Summary) -> String {
    let folder = shell_quoted(&visible_line(&format!("repro/{signature}")));
    format!("{} replay {folder} --backend {}", summary.meta.program(), shell_quoted(&visible_line(selector)))
}

fn script(signature: &str) -> String {
    format!("python3 {}", shell_quoted(&visible_line(&format!("repro/{signature}/repro.py"))))
}

fn model(recorded: &Recorded) -> String {
    recorded.text.clone().unwrap_or_else(|| recorded.model.join("\n"))
}

/// Percent-encodes a name for the path of a link, so that it cannot lead to another place.
pub(super) fn encoded(name: &str) -> String {
    let mut link = String::new();
    for byte in name.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'_' | b'.' | b'~' => link.push(char::from(byte)),
            _ => link.push_str(&format!("%{byte:02X}")),
        }
    }
    link
}

#[derive(Debug, Serialize)]
struct Listed {
    name: String,
    link: String,
}

/// Lists the files of a folder and of the folders directly in it, sorted by path, without the folder's `index.html`.
fn files(folder: &Path) -> Vec<Listed> {
    let mut found: Vec<PathBuf> = Vec::new();
    let below = |folder: &Path| std::fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path());
    for path in below(folder) {
        match path.is_dir() {
            true => found.extend(below(&path).filter(|path| path.is_file())),
            false => found.push(path),
        }
    }
    found.sort();
    let listed = found.iter().filter_map(|path| path.strip_prefix(folder).ok()).filter_map(|path| {
        let parts: Option<Vec<&str>> = path.iter().map(|part| part.to_str()).collect();
        let parts = parts.filter(|parts| *parts != ["index.html"])?;
        let link = parts.iter().map(|part| encoded(part)).collect::<Vec<_>>().join("/");
        Some(Listed { name: parts.join("/"), link })
    });
    listed.take(MAX_FILES).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_to_reproductions_stay_below_repro() {
        assert_eq!(encoded("Min-nan-3f"), "Min-nan-3f");
        assert_eq!(encoded("../..\\x\"y?#"), "..%2F..%5Cx%22y%3F%23");
    }
}
