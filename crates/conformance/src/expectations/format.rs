//! What stands in an expectations file, and in the one of errata.

use serde::Deserialize;

use super::Blame;
use crate::{FailKind, Verdict};

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct File {
    pub backend: String,
    #[serde(default)]
    pub expect: Vec<toml::Spanned<Raw>>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Raw {
    pub op: Option<Names>,
    pub case: Option<Names>,
    pub suite: Option<String>,
    #[serde(default)]
    pub types: Vec<String>,
    pub verdict: Verdict,
    pub kind: Option<FailKind>,
    pub detail: Option<String>,
    #[serde(default)]
    pub features: Vec<String>,
    pub max_ulp: Option<f64>,
    #[serde(default)]
    pub versions: Vec<String>,
    pub blame: Blame,
    pub reason: String,
    #[serde(default = "hundred")]
    pub cases: u64,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ErrataFile {
    #[serde(default)]
    pub erratum: Vec<toml::Spanned<Erratum>>,
}

/// A published case that is wrong.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Erratum {
    /// Its name, or those of all that are wrong in the same way: `node/test_min_int8`.
    pub case: Names,
    /// The releases that have it so.
    pub releases: Vec<String>,
    /// Its files cannot be read, so that nothing is judged.
    #[serde(default)]
    pub unreadable: bool,
    /// What the specification's text says instead.
    pub proof: String,
    /// Backends that do as we do, as commands name them: `onnxruntime@1.31.1`.
    #[serde(default)]
    pub agrees: Vec<String>,
    /// Why there is none, where there is none.
    pub alone: Option<String>,
}

/// `op = "Div"`, `op = ["Div-13", "Mod"]`, or `op = "*"`.
#[derive(Clone, Debug, Deserialize)]
#[serde(untagged)]
pub enum Names {
    One(String),
    Several(Vec<String>),
}

impl Names {
    pub fn all(self) -> Vec<String> {
        match self {
            Names::One(name) => vec![name],
            Names::Several(names) => names,
        }
    }
}

fn hundred() -> u64 {
    100
}
