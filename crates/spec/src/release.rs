//! Releases of ONNX, as the texts of operators change from one to the next.
//!
//! ONNX sometimes changes the text of an operator version without a new version, and sometimes adds an operator version
//! to an opset that an earlier release had already. So what is right depends on the release that a runtime implements.

use std::collections::BTreeMap;
use std::fmt;
use std::path::Path;
use std::str::FromStr;
use std::sync::OnceLock;

use serde::{Deserialize, Serialize};

use crate::domain::Domain;
use crate::embedded;
use crate::error::{SpecError, line_at, parse_toml};
use crate::facts::Opsets;
use crate::id::OperatorId;
use crate::types::TypeStr;
use toml::Spanned;

/// The number of a release of the onnx package: `1.22.0`, or `1.22` for short.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub struct ReleaseNumber {
    major: u32,
    minor: u32,
    patch: u32,
}

impl ReleaseNumber {
    /// Returns the newest release that the specifications know: the one that they were imported from.
    pub fn newest() -> ReleaseNumber {
        *known().last().expect("opsets.json lists releases, as a test checks")
    }

    /// Returns the oldest release that has this opset of ONNX's own domain, or `None` if no known release has it.
    pub fn of_opset(opset: i64) -> Option<ReleaseNumber> {
        Opsets::embedded().release_of("", opset)?.onnx.parse().ok()
    }
}

/// Returns the numbers of the releases in `opsets.json`, oldest first.
fn known() -> &'static [ReleaseNumber] {
    static KNOWN: OnceLock<Vec<ReleaseNumber>> = OnceLock::new();
    KNOWN.get_or_init(|| Opsets::embedded().releases.iter().filter_map(|r| number(&r.onnx)).collect())
}

/// Reads `1.22` or `1.22.0`, whether or not there is such a release.
fn number(text: &str) -> Option<ReleaseNumber> {
    let part = |part: &str| part.parse().ok().filter(|_| part.bytes().all(|byte| byte.is_ascii_digit()));
    let parts: Vec<u32> = text.split('.').map(part).collect::<Option<_>>()?;
    match parts[..] {
        [major, minor] => Some(ReleaseNumber { major, minor, patch: 0 }),
        [major, minor, patch] => Some(ReleaseNumber { major, minor, patch }),
        _ => None,
    }
}

impl fmt::Display for ReleaseNumber {
    /// Writes `1.22`, or `1.16.2` for a patch release.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            ReleaseNumber { major, minor, patch: 0 } => write!(f, "{major}.{minor}"),
            ReleaseNumber { major, minor, patch } => write!(f, "{major}.{minor}.{patch}"),
        }
    }
}

impl From<ReleaseNumber> for String {
    fn from(release: ReleaseNumber) -> String {
        release.to_string()
    }
}

impl TryFrom<String> for ReleaseNumber {
    type Error = UnknownRelease;
    fn try_from(text: String) -> Result<ReleaseNumber, UnknownRelease> {
        text.parse()
    }
}

/// The error that ONNX has no such release.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{name}` is not a release of ONNX; known are {} to {newest}", known()[0])]
pub struct UnknownRelease {
    name: String,
    newest: ReleaseNumber,
}

impl FromStr for ReleaseNumber {
    type Err = UnknownRelease;

    /// Reads `1.22` or `1.22.0`. A patch release need not be in `opsets.json`, but its minor release has to be.
    fn from_str(text: &str) -> Result<ReleaseNumber, UnknownRelease> {
        let same =
            |known: &&ReleaseNumber, found: ReleaseNumber| (known.major, known.minor) == (found.major, found.minor);
        number(text)
            .filter(|&found| known().iter().any(|known| same(&known, found)))
            .ok_or_else(|| UnknownRelease { name: text.to_owned(), newest: ReleaseNumber::newest() })
    }
}

/// A range of releases whose texts have a rule: `"..1.22"` for those before 1.22, `"1.23.."` for 1.23 and later,
/// `"1.19..1.23"`. A rule without a range is in the texts of all releases.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct ReleaseRange {
    first: Option<ReleaseNumber>,
    before: Option<ReleaseNumber>,
}

impl ReleaseRange {
    /// Returns whether the range contains a release.
    pub fn contains(self, release: ReleaseNumber) -> bool {
        self.first.is_none_or(|first| first <= release) && self.before.is_none_or(|before| release < before)
    }

    /// Returns whether the range contains the newest release.
    pub fn is_current(self) -> bool {
        self.contains(ReleaseNumber::newest())
    }
}

impl fmt::Display for ReleaseRange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let end = |end: Option<ReleaseNumber>| end.map(|end| end.to_string()).unwrap_or_default();
        match (self.first, self.before) {
            (None, None) => f.write_str("all"),
            (first, before) => write!(f, "{}..{}", end(first), end(before)),
        }
    }
}

impl FromStr for ReleaseRange {
    type Err = String;

    fn from_str(text: &str) -> Result<ReleaseRange, String> {
        let malformed = || format!("`{text}` is not a range of releases; write ..1.22, 1.22.. or 1.19..1.22");
        let (first, before) = text.split_once("..").ok_or_else(malformed)?;
        let end = |end: &str| match end {
            "" => Ok(None),
            end => end.parse().map(Some).map_err(|error: UnknownRelease| error.to_string()),
        };
        let range = ReleaseRange { first: end(first)?, before: end(before)? };
        match range {
            ReleaseRange { first: None, before: None } => Err(malformed()),
            _ if known().iter().any(|&release| range.contains(release)) => Ok(range),
            _ => Err(format!("`{text}` contains no release of ONNX")),
        }
    }
}

impl<'de> Deserialize<'de> for ReleaseRange {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<ReleaseRange, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(serde::de::Error::custom)
    }
}

/// The number of a release of ONNX Runtime, `1.31` or `1.31.1`. It may be newer than Plumbline.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub struct RuntimeRelease(ReleaseNumber);

impl fmt::Display for RuntimeRelease {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl FromStr for RuntimeRelease {
    type Err = String;

    fn from_str(text: &str) -> Result<RuntimeRelease, String> {
        let malformed = || format!("`{text}` is not a release of ONNX Runtime; write 1.31 or 1.31.1");
        number(text).map(RuntimeRelease).ok_or_else(malformed)
    }
}

impl From<RuntimeRelease> for String {
    fn from(release: RuntimeRelease) -> String {
        release.to_string()
    }
}

impl TryFrom<String> for RuntimeRelease {
    type Error = String;
    fn try_from(text: String) -> Result<RuntimeRelease, String> {
        text.parse()
    }
}

/// The release that added something: one of ONNX, or for operators of ONNX Runtime one of ONNX Runtime.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AddedBy {
    /// A release of ONNX.
    Onnx(ReleaseNumber),
    /// A release of ONNX Runtime.
    OnnxRuntime(RuntimeRelease),
}

impl fmt::Display for AddedBy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            AddedBy::Onnx(release) => write!(f, "ONNX {release}"),
            AddedBy::OnnxRuntime(release) => write!(f, "ONNX Runtime {release}"),
        }
    }
}

/// What a release added to an operator set without a new version: an operator version, or types of one.
#[derive(Clone, Debug, PartialEq)]
pub struct Addition {
    /// The operator version.
    pub operator: OperatorId,
    /// The types that were added, by type variable. Without any, the operator version was added as a whole.
    pub types: BTreeMap<String, Vec<TypeStr>>,
    /// The release that added it.
    pub by: AddedBy,
}

/// What releases added to operator sets without a new version: `specs/onnx/releases.toml`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Additions {
    added: Vec<Addition>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    #[serde(default)]
    added: Vec<Spanned<RawAddition>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawAddition {
    operators: Vec<String>,
    #[serde(default)]
    types: BTreeMap<String, Vec<TypeStr>>,
    release: String,
}

impl Additions {
    /// Returns the additions that this program was built with.
    pub fn embedded() -> &'static Additions {
        static VALUE: OnceLock<Additions> = OnceLock::new();
        // A test loads the embedded file, so it is valid in every build that passed its tests.
        VALUE.get_or_init(|| {
            let text = embedded::text(&plumbline_spec_data::FOLDER, "onnx/releases.toml");
            Additions::parse(Path::new("specs/onnx/releases.toml"), text).expect("the embedded releases.toml is valid")
        })
    }

    /// Reads the text of a `releases.toml`. `file` is the path in error messages.
    ///
    /// # Errors
    /// Returns an error that names the line if the text is not TOML, a key is unknown or missing, a name is not that of
    /// an operator version, a type does not exist, or a release is not one of what the operator comes from.
    pub fn parse(file: &Path, text: &str) -> Result<Additions, SpecError> {
        let raw: File = parse_toml(file, text)?;
        let mut added = Vec::new();
        for item in raw.added {
            let line = line_at(text, item.span().start);
            let RawAddition { operators, types, release } = item.into_inner();
            for name in operators {
                let operator: OperatorId =
                    name.parse().map_err(|error| SpecError::data(file, line, format!("`{name}`: {error}")))?;
                let by = added_by(&operator, &release).map_err(|error| SpecError::data(file, line, error))?;
                added.push(Addition { operator, types: types.clone(), by });
            }
        }
        Ok(Additions { added })
    }

    /// Returns the additions in the order of the file.
    pub fn iter(&self) -> impl Iterator<Item = &Addition> {
        self.added.iter()
    }
}

/// Reads the number of a release of what the operator comes from, by the table of domains.
fn added_by(operator: &OperatorId, release: &str) -> Result<AddedBy, String> {
    match Domain::find(&operator.domain).map(|domain| domain.origin.as_str()) {
        Some("onnx") => release.parse().map(AddedBy::Onnx).map_err(|error: UnknownRelease| error.to_string()),
        Some("onnxruntime") => release.parse().map(AddedBy::OnnxRuntime),
        _ => Err(format!("nothing is known about the releases of `{}`", operator.domain)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn release(text: &str) -> ReleaseNumber {
        text.parse().expect("the release exists")
    }

    #[test]
    fn releases_are_read_and_compared() {
        assert!(release("1.9") < release("1.16.2") && release("1.16.2") < release("1.22"));
        assert_eq!((release("1.22.0").to_string(), release("1.16.2").to_string()), ("1.22".into(), "1.16.2".into()));
        assert_eq!(ReleaseNumber::of_opset(18), Some(release("1.13")));
        assert!(ReleaseNumber::newest() >= release("1.23"));
        for wrong in ["1.99", "2.0", "1", "1.22.0.1", "1.x", "+1.22", ""] {
            let error = wrong.parse::<ReleaseNumber>().expect_err(wrong).to_string();
            assert!(error.starts_with(&format!("`{wrong}` is not a release of ONNX; known are 1.0 to 1.")), "{error}");
        }
    }

    #[test]
    fn ranges_of_releases_have_an_open_end() {
        let range = |text: &str| text.parse::<ReleaseRange>();
        let before = range("..1.22").expect("the range is valid");
        assert!(before.contains(release("1.21")) && !before.contains(release("1.22")) && !before.is_current());
        let from = range("1.22..").expect("the range is valid");
        assert!(from.contains(release("1.22")) && !from.contains(release("1.21")) && from.is_current());
        assert_eq!(range("1.19..1.22").map(|range| range.to_string()), Ok("1.19..1.22".to_owned()));
        assert_eq!(range("1.22..1.19"), Err("`1.22..1.19` contains no release of ONNX".to_owned()));
        assert!(range("..1.99").expect_err("there is no 1.99").contains("`1.99` is not a release"));
        for wrong in ["..", "1.22", "", "..=1.22"] {
            assert!(range(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn additions_name_operator_versions_and_releases() {
        let parse = |text: &str| Additions::parse(Path::new("releases.toml"), text);
        let found = parse("[[added]]\noperators = [\"Min-13\"]\nrelease = \"1.22\"\n").expect("the text is valid");
        let operator = OperatorId::new("ai.onnx", "Min", 13);
        let addition = Addition { operator, types: BTreeMap::new(), by: AddedBy::Onnx(release("1.22")) };
        assert_eq!(found.iter().collect::<Vec<_>>(), [&addition]);
        let text = "[[added]]\noperators = [\"com.microsoft.FastGelu-1\"]\ntypes = { T = [\"tensor(double)\"] }\nrelease = \"1.40\"\n";
        let found = parse(text).expect("the text is valid");
        assert_eq!(found.iter().map(|added| added.by.to_string()).collect::<Vec<_>>(), ["ONNX Runtime 1.40"]);
        for (right, wrong) in
            [("tensor(double)", "tensor(doubles)"), ("1.40", "newest"), ("com.microsoft", "com.nobody")]
        {
            let error = parse(&text.replace(right, wrong)).expect_err(wrong).to_string();
            assert!(error.contains("releases.toml:1") || error.contains("releases.toml:3"), "{error}");
        }
        let error = parse("\n[[added]]\noperators = [\"Min\"]\nrelease = \"1.22\"\n").expect_err("Min is no version");
        assert!(error.to_string().contains("releases.toml:2"), "{error}");
        let error = parse("[[added]]\noperators = [\"Min-13\"]\nrelease = \"1.99\"\n").expect_err("there is no 1.99");
        assert!(error.to_string().contains("`1.99` is not a release"), "{error}");
    }
}
