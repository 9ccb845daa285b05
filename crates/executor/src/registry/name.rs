//! The names of backends.

/// The parts of a backend's name, such as `onnxruntime@1.31.1`, `mock:lie` or `process:python3 mine.py`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BackendName {
    /// The name of the backend itself: `onnxruntime`.
    pub base: String,
    /// The requested version, after an `@`.
    pub version: Option<String>,
    /// The argument, after a `:`: a mode, settings, a Python module or a command line, depending on the backend.
    pub argument: Option<String>,
}

impl BackendName {
    /// Splits a name into its parts.
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
