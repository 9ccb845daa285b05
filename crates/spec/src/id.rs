//! The name of an operator version.

use std::fmt;
use std::str::FromStr;

/// ONNX's own domain, which models may also write as the empty string.
pub const ONNX_DOMAIN: &str = "ai.onnx";

/// Returns the one name that Plumbline uses for a domain: the empty domain is `ai.onnx`.
pub fn canonical_domain(domain: &str) -> &str {
    if domain.is_empty() { ONNX_DOMAIN } else { domain }
}

/// An operator version: `Min-13`, or `ai.onnx.ml.Scaler-1` outside ONNX's own domain.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct OperatorId {
    /// The domain. ONNX's own domain is `ai.onnx`, never empty.
    pub domain: String,
    /// The name of the operator.
    pub name: String,
    /// The opset version of the domain that introduced this version.
    pub since: u32,
}

impl OperatorId {
    /// Returns the id of a version. The empty domain becomes `ai.onnx`.
    pub fn new(domain: &str, name: &str, since: u32) -> OperatorId {
        OperatorId { domain: canonical_domain(domain).to_owned(), name: name.to_owned(), since }
    }

    /// Returns the domain as models write it: empty for ONNX's own domain.
    pub fn domain_in_models(&self) -> &str {
        if self.domain == ONNX_DOMAIN { "" } else { &self.domain }
    }

    /// Returns the name without the version: `Min`, or `ai.onnx.ml.Scaler`.
    pub fn qualified_name(&self) -> String {
        qualified_name(&self.domain, &self.name)
    }
}

/// Returns `Min` in ONNX's own domain, and `ai.onnx.ml.Scaler` outside it.
pub(crate) fn qualified_name(domain: &str, name: &str) -> String {
    match canonical_domain(domain) {
        ONNX_DOMAIN => name.to_owned(),
        domain => format!("{domain}.{name}"),
    }
}

/// Splits `Min` or `ai.onnx.ml.Scaler` into domain and name.
pub(crate) fn split_qualified(text: &str) -> (&str, &str) {
    match text.rsplit_once('.') {
        Some((domain, name)) => (canonical_domain(domain), name),
        None => (ONNX_DOMAIN, text),
    }
}

impl fmt::Display for OperatorId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.domain != ONNX_DOMAIN {
            write!(f, "{}.", self.domain)?;
        }
        write!(f, "{}-{}", self.name, self.since)
    }
}

/// The error that a text is not the name of an operator version.
#[derive(Debug, thiserror::Error)]
#[error("`{text}` is not the name of an operator version; write it like Min-13 or ai.onnx.ml.Scaler-1")]
pub struct IdError {
    text: String,
}

impl FromStr for OperatorId {
    type Err = IdError;

    fn from_str(text: &str) -> Result<OperatorId, IdError> {
        let error = || IdError { text: text.to_owned() };
        let (qualified, since) = text.rsplit_once('-').ok_or_else(error)?;
        let (domain, name) = split_qualified(qualified);
        let plain =
            |part: &str| !part.is_empty() && part.chars().all(|c| c.is_ascii_alphanumeric() || c == '_' || c == '.');
        let digits = !since.is_empty() && since.bytes().all(|byte| byte.is_ascii_digit());
        if !digits || !plain(name) || !plain(domain) {
            return Err(error());
        }
        Ok(OperatorId::new(domain, name, since.parse().map_err(|_| error())?))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn display_and_parse_agree() {
        for text in ["Min-13", "ai.onnx.ml.Scaler-1", "ai.onnx.preview.training.Adam-1"] {
            assert_eq!(text.parse::<OperatorId>().unwrap().to_string(), text);
        }
        assert_eq!("ai.onnx.Min-13".parse::<OperatorId>().unwrap().to_string(), "Min-13");
        assert_eq!(OperatorId::new("", "Min", 6), OperatorId::new("ai.onnx", "Min", 6));
    }

    #[test]
    fn other_text_is_rejected() {
        for text in ["", "Min", "Min-", "-13", "Min-+1", "Min-x", "Min 13-1", "Min-99999999999", ".-1"] {
            assert!(text.parse::<OperatorId>().is_err(), "{text}");
        }
    }
}
