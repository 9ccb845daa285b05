//! Reads `specs/directml` and rejects unknown files, unknown fields and inconsistent facts.

use super::check;
use super::level::FeatureLevel;
use super::lowering::{Lowering, Provider};
use super::meaning::{Meaning, Meanings, Pending};
use super::operator::{OPERATOR_PREFIX, Operator};
use super::types::{Enumeration, Types};
use crate::embedded;
use crate::error::SpecError;
use crate::id::canonical_domain;
use crate::lookup::{LookupError, nearest};
use crate::rules_file::Rules;
use serde::Deserialize;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

/// The end of the names of files with rules.
const RULES: &str = ".rules.toml";

/// All operators of DirectML, what they share, and how ONNX Runtime's provider uses them.
#[derive(Clone, Debug, PartialEq)]
pub struct DirectMl {
    types: Types,
    operators: Vec<Operator>,
    provider: Provider,
    lowerings: BTreeMap<(String, String), Lowering>,
    meanings: Meanings,
}

impl DirectMl {
    /// Returns the specifications that this program was built with.
    pub fn embedded() -> &'static DirectMl {
        // A test loads the embedded files, so they are valid in every build that passed its tests.
        DirectMl::try_embedded().expect("the embedded specifications are valid")
    }

    /// Returns the specifications that this program was built with. A program that may have been built with edited
    /// files uses this instead of [`DirectMl::embedded`].
    ///
    /// # Errors
    /// Returns what is wrong, with file and line.
    pub fn try_embedded() -> Result<&'static DirectMl, &'static SpecError> {
        static VALUE: OnceLock<Result<DirectMl, SpecError>> = OnceLock::new();
        let files = || {
            let files = embedded::below(&plumbline_spec_data::FOLDER, "directml").into_iter();
            files.map(|(path, file)| (PathBuf::from(path), embedded::as_text(file)))
        };
        VALUE.get_or_init(|| DirectMl::from_files(Path::new("specs/directml"), files())).as_ref()
    }

    /// Reads a folder that has the same form as `specs/directml`.
    ///
    /// # Errors
    /// Returns an error if a file or folder cannot be read, or if a file is missing or wrong; the error names the file,
    /// and for wrong content the line.
    pub fn load(dir: &Path) -> Result<DirectMl, SpecError> {
        let mut paths = Vec::new();
        files_below(dir, &mut paths)?;
        let mut texts = Vec::with_capacity(paths.len());
        for path in paths {
            let text =
                std::fs::read_to_string(&path).map_err(|source| SpecError::Read { path: path.clone(), source })?;
            texts.push((path.strip_prefix(dir).unwrap_or(&path).to_owned(), text));
        }
        DirectMl::from_files(dir, texts.iter().map(|(path, text)| (path.clone(), text.as_str())))
    }

    /// Builds the specifications from `files`, which are given with their paths below `root`.
    pub(super) fn from_files<'a>(
        root: &Path,
        files: impl Iterator<Item = (PathBuf, &'a str)>,
    ) -> Result<DirectMl, SpecError> {
        let (mut types, mut provider, mut operators, mut lowerings) = (None, None, Vec::new(), Vec::new());
        let (mut rules, mut meanings) = (Vec::new(), None);
        for (below, text) in files {
            let path = root.join(&below);
            let parts: Vec<&str> = below.iter().filter_map(|part| part.to_str()).collect();
            match parts.as_slice() {
                ["types.json"] => types = Some((parse::<Types>(&path, text)?, path, text)),
                ["meanings.toml"] => meanings = Some((path, text)),
                ["lowering", "provider.json"] => provider = Some(parse::<Provider>(&path, text)?),
                ["lowering", domain, name] if name.ends_with(".json") => {
                    lowerings.push(check::named_lowering(domain, name, parse(&path, text)?, path, text)?);
                }
                [name] if name.ends_with(".json") => {
                    operators.push(check::named_operator(name, parse(&path, text)?, path, text)?);
                }
                [name] if name.ends_with(RULES) => rules.push((name.trim_end_matches(RULES).to_owned(), path, text)),
                _ => {
                    let message = "expected a file of an operator (.json or .rules.toml), types.json, meanings.toml, \
                                   lowering/provider.json or lowering/<domain>/<Op>.json";
                    return Err(SpecError::data(path, 1, message));
                }
            }
        }
        let missing = |name: &str| SpecError::data(root.join(name), 1, "is missing");
        let (mut types, path, text) = types.ok_or_else(|| missing("types.json"))?;
        check::types(&types, &path, text)?;
        types.enums.extend(check::enumerations_of_lists(&types));
        operators.sort_by_key(|(operator, ..)| operator.value);
        check::operators(&operators, &types)?;
        let mut operators: Vec<Operator> = operators.into_iter().map(|(operator, ..)| operator).collect();
        for (name, path, text) in rules {
            let Some(operator) = operators.iter_mut().find(|operator| operator.name == name) else {
                return Err(SpecError::data(path, 1, format!("the facts of this operator ({name}.json) are missing")));
            };
            operator.rules = Some(Rules::parse(&path, text, &[operator.names()])?);
        }
        check::fused(&types, &operators, &path, text)?;
        check::lowerings(&lowerings, &operators)?;
        // The facts that are imported come without meanings, which are written by hand.
        let meanings = meanings.map(|(path, text)| Meanings::parse(&path, text, &operators, &types)).transpose()?;
        let meanings = meanings.unwrap_or_default();
        let key = |lowering: Lowering| ((lowering.domain.clone(), lowering.name.clone()), lowering);
        let lowerings = lowerings.into_iter().map(|(lowering, ..)| key(lowering)).collect();
        let provider = provider.ok_or_else(|| missing("lowering/provider.json"))?;
        Ok(DirectMl { types, operators, provider, lowerings, meanings })
    }

    /// Returns all operators, in the order of their numbers.
    pub fn operators(&self) -> &[Operator] {
        &self.operators
    }

    /// Returns the operator with this name or alias: `DML_OPERATOR_ELEMENT_WISE_MIN` or `ELEMENT_WISE_MIN`.
    pub fn operator(&self, name: &str) -> Option<&Operator> {
        let short = name.strip_prefix(OPERATOR_PREFIX).unwrap_or(name);
        let is = |known: &str| known.strip_prefix(OPERATOR_PREFIX) == Some(short);
        self.operators.iter().find(|operator| is(&operator.name) || operator.aliases.iter().any(|alias| is(alias)))
    }

    /// Returns the operator with this name or alias.
    ///
    /// # Errors
    /// Returns [`LookupError::Operator`] with the nearest names if there is no such operator.
    pub fn find(&self, name: &str) -> Result<&Operator, LookupError> {
        let short = name.strip_prefix(OPERATOR_PREFIX).unwrap_or(name);
        let error = || {
            let known = self.operators.iter().map(|operator| (operator.short_name(), operator.name.clone()));
            LookupError::Operator { name: name.to_owned(), nearest: nearest(short, known) }
        };
        self.operator(name).ok_or_else(error)
    }

    /// Returns the levels, element types, constants, enumerations and fused activations that the operators share.
    pub fn types(&self) -> &Types {
        &self.types
    }

    /// Returns the enumeration with this name, such as `DML_REDUCE_FUNCTION`. `DML_TENSOR_DATA_TYPE` and
    /// `DML_FEATURE_LEVEL` are enumerations, too.
    pub fn enumeration(&self, name: &str) -> Option<&Enumeration> {
        self.types.enums.iter().find(|known| known.name == name)
    }

    /// Returns the value of the constant with this name, such as `DML_TENSOR_DIMENSION_COUNT_MAX1`.
    pub fn constant(&self, name: &str) -> Option<u64> {
        self.types.constants.iter().find(|known| known.name == name).map(|known| known.value)
    }

    /// Returns the first level at which `activation` can be the `FusedActivation` of `operator`.
    pub fn fusable_from(&self, activation: &Operator, operator: &Operator) -> Option<FeatureLevel> {
        operator.field("FusedActivation")?;
        let mut fused = self.types.fused_activations.iter();
        let fused = fused.find(|fused| fused.operator == activation.name && fused.into.includes(&operator.name))?;
        let levels = [Some(activation.introduced), Some(operator.introduced), fused.min_feature_level];
        levels.into_iter().flatten().max()
    }

    /// Returns what an operator computes: its meanings, of which the first one holds whose conditions do. Empty if it has
    /// none yet ([`DirectMl::pending`]).
    pub fn meanings(&self, operator: &Operator) -> impl Iterator<Item = &Meaning> {
        self.meanings.meanings.iter().filter(|meaning| meaning.operator == operator.name)
    }

    /// Returns what `ScaleBias` computes from `InputTensor`, in place of it.
    pub fn scale_bias(&self) -> Option<&Meaning> {
        self.meanings.scale_bias.as_ref()
    }

    /// Returns the operators without a meaning, with the reasons.
    pub fn pending(&self) -> &[Pending] {
        &self.meanings.pending
    }

    /// Returns the facts that hold for the whole of ONNX Runtime's provider.
    pub fn provider(&self) -> &Provider {
        &self.provider
    }

    /// Returns all lowerings, ordered by domain and name.
    pub fn lowerings(&self) -> impl Iterator<Item = &Lowering> {
        self.lowerings.values()
    }

    /// Returns the lowering of an ONNX operator by ONNX Runtime's provider. `""` and `"ai.onnx"` are the same domain.
    pub fn lowering(&self, domain: &str, name: &str) -> Option<&Lowering> {
        self.lowerings.get(&(canonical_domain(domain).to_owned(), name.to_owned()))
    }
}

/// Collects all files below a folder, sorted.
fn files_below(dir: &Path, found: &mut Vec<PathBuf>) -> Result<(), SpecError> {
    for path in crate::load::read_dir(dir)? {
        if path.is_dir() {
            files_below(&path, found)?;
        } else {
            found.push(path);
        }
    }
    Ok(())
}

/// Parses JSON. An error names file and line.
pub(super) fn parse<'a, T: Deserialize<'a>>(path: &Path, text: &'a str) -> Result<T, SpecError> {
    serde_json::from_str(text).map_err(|error| {
        let said = error.to_string();
        let message = said.rsplit_once(" at line ").map_or(said.as_str(), |(message, _)| message);
        SpecError::data(path, error.line(), message)
    })
}
