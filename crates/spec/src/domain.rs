//! `specs/onnx/domains.toml`: what the facts of operators and the list of releases do not say about their domains.

use std::path::Path;
use std::sync::OnceLock;

use serde::Deserialize;

use crate::embedded;
use crate::error::{SpecError, line_at, parse_toml};
use crate::facts::{Opsets, Release};
use crate::id::{ONNX_DOMAIN, canonical_domain};

/// A domain of operators.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Domain {
    /// The name: `ai.onnx.ml`.
    pub name: String,
    /// Where the facts of its operators come from: `onnx` for the package of this name.
    pub origin: String,
    /// The name of the domain in the list of releases, if that differs.
    #[serde(default)]
    listed_as: Option<String>,
    /// The release of ONNX whose opset and IR version models have, or `newest`, if the list of releases does not have
    /// the domain.
    #[serde(default)]
    release: Option<String>,
    /// Whether each model imports an opset of `ai.onnx` besides, because functions of the domain have its operators.
    #[serde(default)]
    pub imports_onnx: bool,
    /// The families of the operators, in the order of reports. Each rules file names one of them. Without families, the
    /// domain is one.
    #[serde(default)]
    pub families: Vec<String>,
}

/// Stands for the newest release of ONNX.
const NEWEST: &str = "newest";

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    domain: Vec<toml::Spanned<Domain>>,
}

impl Domain {
    /// Returns the domains that this program was built with.
    pub fn all() -> &'static [Domain] {
        static VALUE: OnceLock<Vec<Domain>> = OnceLock::new();
        // A test loads the embedded file, so it is valid in every build that passed its tests.
        VALUE.get_or_init(|| {
            let text = embedded::text(&plumbline_spec_data::FOLDER, "onnx/domains.toml");
            Domain::parse(Path::new("specs/onnx/domains.toml"), text).expect("the embedded domains.toml is valid")
        })
    }

    /// Returns the domain with this name; `""` is `ai.onnx`.
    pub fn find(name: &str) -> Option<&'static Domain> {
        Domain::all().iter().find(|domain| domain.name == canonical_domain(name))
    }

    /// Reads the text of a `domains.toml`. `file` is the path in error messages.
    ///
    /// # Errors
    /// Returns an error that names the line if the text is not TOML, a key is unknown or missing, a name occurs twice, or
    /// a release does not exist.
    pub fn parse(file: &Path, text: &str) -> Result<Vec<Domain>, SpecError> {
        let raw: File = parse_toml(file, text)?;
        let mut found: Vec<Domain> = Vec::new();
        for item in raw.domain {
            let line = line_at(text, item.span().start);
            let domain = item.into_inner();
            let is_known = |release: &String| {
                release == NEWEST || Opsets::embedded().releases.iter().any(|known| known.onnx == *release)
            };
            if let Some(release) = domain.release.as_ref().filter(|release| !is_known(release)) {
                return Err(SpecError::data(file, line, format!("`{release}` is not a release of ONNX")));
            }
            if found.iter().any(|other| other.name == domain.name) {
                return Err(SpecError::data(file, line, format!("`{}` is there twice", domain.name)));
            }
            found.push(domain);
        }
        Ok(found)
    }

    /// Returns the oldest release of ONNX that has this opset of the domain or, if the list of releases does not have
    /// the domain, the one that stands for it.
    pub fn release(&self, opset: u32) -> Option<&'static Release> {
        let opsets = Opsets::embedded();
        let name = self.listed_as.as_ref().unwrap_or(&self.name);
        match self.release.as_deref() {
            None => opsets.release_of(name, i64::from(opset)),
            Some(NEWEST) => opsets.releases.last(),
            Some(release) => opsets.releases.iter().find(|known| known.onnx == release),
        }
    }

    /// Returns the opset of `ai.onnx` that models import beside this opset of the domain. `None` for `ai.onnx` itself.
    pub fn onnx_opset(&self, opset: u32) -> Option<i64> {
        let release = self.release(opset).filter(|_| self.name != ONNX_DOMAIN)?;
        release.opsets.get(ONNX_DOMAIN).copied()
    }

    /// Returns the opset of the domain in the oldest release of ONNX that has this opset of `ai.onnx`. `None` if no
    /// release has the domain.
    pub fn opset_beside(&self, onnx: u32) -> Option<u32> {
        let release = Domain::find(ONNX_DOMAIN)?.release(onnx).filter(|_| self.release.is_none())?;
        let name = self.listed_as.as_ref().unwrap_or(&self.name);
        u32::try_from(*release.opsets.get(name)?).ok()
    }

    /// Checks the family that a rules file names.
    pub(crate) fn check_family(&self, family: Option<&str>) -> Result<(), String> {
        match family.filter(|family| !self.families.iter().any(|known| known == family)) {
            Some(family) => Err(format!("`{family}` is not a family of {}: {}", self.name, self.families.join(", "))),
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Spec;

    #[test]
    fn every_operator_is_in_a_domain() {
        for operator in Spec::embedded().operators() {
            let domain = Domain::find(&operator.domain).unwrap_or_else(|| panic!("{} is not listed", operator.domain));
            let newest = operator.versions.last().expect("an operator has versions");
            assert!(domain.release(newest.since()).is_some(), "{}", newest.id);
            let named = operator.rules.as_ref().is_none_or(|rules| rules.family.is_some());
            assert_eq!(named, !domain.families.is_empty() || operator.rules.is_none(), "{}: its family", newest.id);
        }
        assert_eq!(Domain::find("").map(|domain| domain.name.as_str()), Some(ONNX_DOMAIN));
        assert_eq!(Domain::find("ai.onnx").and_then(|domain| domain.onnx_opset(13)), None);
        assert_eq!(Domain::find("ai.onnx.ml").and_then(|domain| domain.onnx_opset(3)), Some(16));
    }

    #[test]
    fn wrong_files_are_errors_with_lines() {
        let error = |text: &str| Domain::parse(Path::new("domains.toml"), text).expect_err(text).to_string();
        let one = "[[domain]]\nname = \"a\"\norigin = \"b\"\n";
        assert!(error(&format!("{one}\n{one}")).contains("domains.toml:5: `a` is there twice"));
        assert!(error("[[domain]]\nname = \"a\"\norigin = \"b\"\ncolour = 1\n").contains("domains.toml:4"));
        assert!(error("[[domain]]\nname = \"a\"\n").contains("origin"));
        assert!(error(&format!("{one}release = \"1.99.0\"\n")).contains("`1.99.0` is not a release of ONNX"));
    }
}
