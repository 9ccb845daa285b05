//! `specs/dtypes.json` and `specs/opsets.json`: element types, releases and their opsets.

use crate::error::SpecError;
use crate::id::canonical_domain;
use plumbline_tensor::DType;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::OnceLock;

/// An element type, as `specs/dtypes.json` holds it.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct DTypeFacts {
    /// ONNX's name, as inside `tensor(...)`.
    pub name: DType,
    /// Its number in `TensorProto.DataType`.
    pub code: i32,
    /// Bits of one element; `None` for strings.
    pub bits: Option<u32>,
}

/// Which opset versions a domain has, and which release of ONNX brought which.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Opsets {
    /// First and last opset version of every domain.
    pub domains: Vec<DomainRange>,
    /// Every release of ONNX, oldest first.
    pub releases: Vec<Release>,
}

/// First and last opset version of a domain.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct DomainRange {
    /// The domain; ONNX's own is `ai.onnx`.
    pub domain: String,
    /// Its first opset version.
    pub first: i64,
    /// Its last opset version.
    pub last: i64,
}

/// A release of ONNX.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Release {
    /// Its version: `1.23.0`.
    pub onnx: String,
    /// The version of the model format it writes (`ModelProto.ir_version`).
    pub ir: i64,
    /// The opset version of each domain it brought.
    pub opsets: BTreeMap<String, i64>,
}

static DTYPES: &str = include_str!("../../../specs/dtypes.json");
static OPSETS: &str = include_str!("../../../specs/opsets.json");

impl Opsets {
    /// Those this program was built with.
    pub fn embedded() -> &'static Opsets {
        static VALUE: OnceLock<Opsets> = OnceLock::new();
        // A test loads them, so this holds for every build that passed its tests.
        VALUE.get_or_init(|| Opsets::parse(Path::new("opsets.json"), OPSETS).expect("the embedded opsets are valid"))
    }

    /// Reads the text of an `opsets.json`; `file` is what errors call it.
    pub fn parse(file: &Path, text: &str) -> Result<Opsets, SpecError> {
        parse(file, text)
    }

    /// The last opset version of a domain.
    pub fn last(&self, domain: &str) -> Option<i64> {
        let domain = canonical_domain(domain);
        self.domains.iter().find(|range| range.domain == domain).map(|range| range.last)
    }

    /// The oldest release that has this opset version of this domain.
    pub fn release_of(&self, domain: &str, opset: i64) -> Option<&Release> {
        let domain = canonical_domain(domain);
        self.releases.iter().find(|release| release.opsets.get(domain).is_some_and(|&last| last >= opset))
    }
}

impl DTypeFacts {
    /// All element types this program was built with, in the order of their numbers.
    pub fn embedded() -> &'static [DTypeFacts] {
        static VALUE: OnceLock<Vec<DTypeFacts>> = OnceLock::new();
        VALUE.get_or_init(|| {
            DTypeFacts::parse(Path::new("dtypes.json"), DTYPES).expect("the embedded element types are valid")
        })
    }

    /// Reads the text of a `dtypes.json`; `file` is what errors call it.
    pub fn parse(file: &Path, text: &str) -> Result<Vec<DTypeFacts>, SpecError> {
        #[derive(Deserialize)]
        #[serde(deny_unknown_fields)]
        struct File {
            dtypes: Vec<DTypeFacts>,
        }
        parse::<File>(file, text).map(|file| file.dtypes)
    }
}

fn parse<'a, T: Deserialize<'a>>(file: &Path, text: &'a str) -> Result<T, SpecError> {
    serde_json::from_str(text).map_err(|error| SpecError::data(file, error.line(), error.to_string()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dtypes_agree_with_the_tensor_crate() {
        let facts = DTypeFacts::embedded();
        assert_eq!(facts.iter().map(|facts| facts.name).collect::<Vec<_>>(), DType::ALL);
        for fact in facts {
            assert_eq!((fact.code, fact.bits), (fact.name.code(), fact.name.bits()), "{}", fact.name);
        }
    }

    #[test]
    fn releases_by_opset() {
        let opsets = Opsets::embedded();
        assert_eq!(opsets.release_of("", 13).map(|release| (release.onnx.as_str(), release.ir)), Some(("1.8.0", 7)));
        assert_eq!(opsets.release_of("", 1000), None);
        assert!(opsets.last("ai.onnx.ml") >= Some(5));
    }
}
