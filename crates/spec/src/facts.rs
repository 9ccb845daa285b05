//! `specs/dtypes.json` and `specs/opsets.json`: element types, and ONNX releases with their opsets.

use crate::embedded;
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
    /// The name that ONNX writes inside `tensor(...)`.
    pub name: DType,
    /// The number in `TensorProto.DataType`.
    pub code: i32,
    /// The number of bits of one element, or `None` for strings.
    pub bits: Option<u32>,
}

/// The first and last opset version of each domain, and the opset versions of ONNX releases.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Opsets {
    /// The first and last opset version of every domain.
    pub domains: Vec<DomainRange>,
    /// The releases in the onnx package's table of versions, oldest first. Some patch releases (1.23.2) are not in it.
    pub releases: Vec<Release>,
}

/// The first and last opset version of a domain.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct DomainRange {
    /// The domain. ONNX's own domain is `ai.onnx`.
    pub domain: String,
    /// The first opset version of the domain.
    pub first: i64,
    /// The last opset version of the domain.
    pub last: i64,
}

/// A release of ONNX.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Release {
    /// The version of the release: `1.23.0`.
    pub onnx: String,
    /// The version of the model format that the release writes (`ModelProto.ir_version`).
    pub ir: i64,
    /// The opset version of each domain in the release. The preview domains are not listed.
    pub opsets: BTreeMap<String, i64>,
}

/// Returns the text of a file of `specs/`.
fn data(path: &str) -> &'static str {
    embedded::text(&plumbline_spec_data::FOLDER, path)
}

impl Opsets {
    /// Returns the opsets that this program was built with.
    pub fn embedded() -> &'static Opsets {
        static VALUE: OnceLock<Opsets> = OnceLock::new();
        // A test loads the embedded file, so it is valid in every build that passed its tests.
        VALUE.get_or_init(|| {
            Opsets::parse(Path::new("opsets.json"), data("opsets.json")).expect("the embedded opsets are valid")
        })
    }

    /// Reads the text of an `opsets.json`. `file` is the path in error messages.
    pub fn parse(file: &Path, text: &str) -> Result<Opsets, SpecError> {
        parse(file, text)
    }

    /// Returns the last opset version of a domain.
    pub fn last(&self, domain: &str) -> Option<i64> {
        let domain = canonical_domain(domain);
        self.domains.iter().find(|range| range.domain == domain).map(|range| range.last)
    }

    /// Returns the oldest release that has this opset version of this domain.
    pub fn release_of(&self, domain: &str, opset: i64) -> Option<&Release> {
        let domain = canonical_domain(domain);
        self.releases.iter().find(|release| release.opsets.get(domain).is_some_and(|&last| last >= opset))
    }
}

impl DTypeFacts {
    /// Returns all element types that this program was built with, in the order of their numbers.
    pub fn embedded() -> &'static [DTypeFacts] {
        static VALUE: OnceLock<Vec<DTypeFacts>> = OnceLock::new();
        VALUE.get_or_init(|| {
            DTypeFacts::parse(Path::new("dtypes.json"), data("dtypes.json"))
                .expect("the embedded element types are valid")
        })
    }

    /// Reads the text of a `dtypes.json`. `file` is the path in error messages.
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
    fn releases_are_found_by_opset() {
        let opsets = Opsets::embedded();
        assert_eq!(opsets.release_of("", 13).map(|release| (release.onnx.as_str(), release.ir)), Some(("1.8.0", 7)));
        assert_eq!(opsets.release_of("", 1000), None);
        assert!(opsets.last("ai.onnx.ml") >= Some(5));
    }
}
