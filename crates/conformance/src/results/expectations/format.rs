//! The format of an expectations file and of the errata file.

use serde::Deserialize;

use crate::results::case_result::Blame;
use crate::results::expectations::driver::DriverRange;
use plumbline_judge::{FailKind, Verdict};

/// Stands for any failure of the backend's graph optimizer, also where no pass is known.
pub const ANY_PASS: &str = "*";

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
    pub op: Option<OneOrMore<String>>,
    pub case: Option<OneOrMore<String>>,
    pub suite: Option<String>,
    #[serde(default)]
    pub types: Vec<String>,
    pub verdict: Verdict,
    pub kind: Option<OneOrMore<FailKind>>,
    pub detail: Option<String>,
    #[serde(default)]
    pub features: Vec<String>,
    /// A pass of the backend's graph optimizer without which it is right, or [`ANY_PASS`].
    pub pass: Option<String>,
    pub max_ulp: Option<f64>,
    pub share: Option<f64>,
    #[serde(default)]
    pub versions: Vec<String>,
    /// A regular expression that the name of the adapter matches.
    pub adapter: Option<String>,
    /// Versions of the driver.
    pub driver: Option<DriverRange>,
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
    /// The name of the case, or the names of all cases that are wrong in the same way: `node/test_min_int8`.
    pub case: OneOrMore<String>,
    /// The releases that contain the wrong case.
    pub releases: Vec<String>,
    /// Whether the files of the case cannot be read, so that nothing is judged.
    #[serde(default)]
    pub unreadable: bool,
    /// What the text of the specification says, and how the case differs from it.
    pub proof: String,
    /// Backends that agree with the oracle, as they are named on the command line: `onnxruntime@1.31.1`.
    #[serde(default)]
    pub agrees: Vec<String>,
    /// Why no backend agrees, if none does.
    pub alone: Option<String>,
}

/// One item or a list of them: `op = "Div"`, `op = ["Div-13", "Mod"]`, `kind = "wrong-value"`.
#[derive(Clone, Debug, Deserialize)]
#[serde(untagged)]
pub enum OneOrMore<T> {
    One(T),
    More(Vec<T>),
}

impl<T> OneOrMore<T> {
    pub fn all(self) -> Vec<T> {
        match self {
            OneOrMore::One(item) => vec![item],
            OneOrMore::More(items) => items,
        }
    }
}

fn hundred() -> u64 {
    100
}
