//! What backends are called.

/// A backend's name, taken apart: `onnxruntime@1.31.1`, `mock:lie`, `process:python3 mine.py`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BackendName {
    /// What it is called by: `onnxruntime`.
    pub base: String,
    /// After an `@`: the version asked for.
    pub version: Option<String>,
    /// After a `:`: what else it needs to know.
    pub argument: Option<String>,
}

impl BackendName {
    /// Takes a name apart.
    pub fn parse(name: &str) -> BackendName {
        let (name, argument) = match name.split_once(':') {
            Some((name, argument)) => (name, Some(argument.to_owned())),
            None => (name, None),
        };
        let (base, version) = match name.split_once('@') {
            Some((base, version)) => (base, Some(version.to_owned())),
            None => (name, None),
        };
        BackendName { base: base.to_owned(), version, argument }
    }
}

impl std::fmt::Display for BackendName {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.base)?;
        self.version.iter().try_for_each(|v| write!(f, "@{v}"))?;
        self.argument.iter().try_for_each(|a| write!(f, ":{a}"))
    }
}
