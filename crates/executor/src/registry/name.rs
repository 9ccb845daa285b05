//! The names of backends.

use plumbline_backend::Overlay;

/// The parts of a backend's name, such as `onnxruntime@1.31.1`, `mock:lie` or `process:python3 mine.py`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BackendName {
    /// The name of the backend itself: `onnxruntime`.
    pub base: String,
    /// The requested version, after an `@`.
    pub version: Option<String>,
    /// The argument, after a `:`: a mode, settings, a Python module or a command line, depending on the backend.
    pub argument: Option<String>,
    /// The settings that any backend may have, with their values, in the order in which they are written: what its
    /// answers are judged by, and whether it gets function bodies. They are not part of the argument, although they are
    /// written between its settings, or behind the command line of `process:CMD` or `rewriter:CMD`.
    pub judged_by: Vec<(String, String)>,
}

/// The setting that names a file with keys of a profile.
pub(super) const PROFILE: &str = "profile";

/// The setting that gives the backend ONNX's function bodies in the place of operators. Its value is a release of the
/// package onnx; without a value it stands alone.
pub(super) const AS_FUNCTION_BODY: &str = "as-function-body";

/// Returns a setting that any backend may have.
fn common(setting: &str) -> Option<(String, String)> {
    if setting == AS_FUNCTION_BODY {
        return Some((setting.to_owned(), String::new()));
    }
    let (key, value) = setting.split_once('=')?;
    let is_common = [PROFILE, AS_FUNCTION_BODY].contains(&key) || Overlay::has_setting(key);
    is_common.then(|| (key.to_owned(), value.replace('\0', ",")))
}

/// Separates an argument from the settings that any backend may have. Two commas in a row stand for a comma inside a
/// setting. Behind a command line, only the last settings count.
fn separated(base: &str, argument: &str) -> (Option<String>, Vec<(String, String)>) {
    let whole = argument.replace(",,", "\0");
    let mut own: Vec<&str> = whole.split(',').collect();
    let mut settings = Vec::new();
    if base == super::PROCESS || super::rewriters::is_command(base, argument) {
        while let Some(setting) = own.last().and_then(|last| common(last)) {
            settings.insert(0, setting);
            own.pop();
        }
    } else {
        settings = own.iter().filter_map(|setting| common(setting)).collect();
        own.retain(|setting| common(setting).is_none());
    }
    ((!own.is_empty()).then(|| own.join(",").replace('\0', ",,")), settings)
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
        let (argument, judged_by) = argument.map_or_else(|| (None, vec![]), |argument| separated(base, &argument));
        BackendName { base: base.to_owned(), version, argument, judged_by }
    }

    /// Returns the name without the settings that any backend may have.
    pub(super) fn plain(&self) -> BackendName {
        BackendName { judged_by: vec![], ..self.clone() }
    }

    /// Reads the one setting that a name may have, with two values. Returns whether it is on, as it is without the setting.
    ///
    /// # Errors
    /// A sentence that names another setting, and this one with its values.
    #[cfg(any(feature = "directml", feature = "rten", feature = "tract"))]
    pub(super) fn is_on(&self, key: &str, [on, off]: [&str; 2]) -> Result<bool, String> {
        let Some(setting) = self.argument.as_deref() else { return Ok(true) };
        match setting.strip_prefix(key).and_then(|rest| rest.strip_prefix('=')) {
            Some(value) if value == on => Ok(true),
            Some(value) if value == off => Ok(false),
            _ => Err(format!("`{setting}` is not a setting of {}: write {key}={off} or {key}={on}", self.base)),
        }
    }

    /// Returns the release of ONNX whose function bodies the backend gets, which is empty for the usual one. `None` if it
    /// gets the operators themselves.
    pub fn body_release(&self) -> Option<&str> {
        self.judged_by.iter().find(|(key, _)| key == AS_FUNCTION_BODY).map(|(_, release)| release.as_str())
    }

    /// Returns these settings as they are written.
    pub(super) fn settings_text(&self) -> String {
        let setting = |(key, value): &(String, String)| match value.is_empty() && key == AS_FUNCTION_BODY {
            true => key.clone(),
            false => format!("{key}={}", value.replace(',', ",,")),
        };
        self.judged_by.iter().map(setting).collect::<Vec<_>>().join(",")
    }
}

impl std::fmt::Display for BackendName {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.base)?;
        self.version.iter().try_for_each(|v| write!(f, "@{v}"))?;
        self.argument.iter().try_for_each(|a| write!(f, ":{a}"))?;
        match (self.settings_text(), &self.argument) {
            (settings, _) if settings.is_empty() => Ok(()),
            (settings, Some(_)) => write!(f, ",{settings}"),
            (settings, None) => write!(f, ":{settings}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_of_any_backend_are_separated_from_the_argument() {
        for (text, argument, settings) in [
            ("cpu:accuracy=cuda", None, "accuracy=cuda"),
            ("onnxruntime@1.30.0:ep=ggml,flush=true,option.a=b,,c", Some("ep=ggml,option.a=b,,c"), "flush=true"),
            ("process:python3 a.py --x=1,flush=true", Some("python3 a.py --x=1"), "flush=true"),
            ("process:a --flush=true,b=1", Some("a --flush=true,b=1"), ""),
            ("rewriter:onnxsim,disable=a+b,flush=true", Some("onnxsim,disable=a+b"), "flush=true"),
            ("rewriter:a --flush=true,b {in} {out},ulp.exp=4", Some("a --flush=true,b {in} {out}"), "ulp.exp=4"),
            ("rten:products=tf32,double=float", None, "products=tf32,double=float"),
            ("rten:profile=a,,b.toml,ulp.exp=4", None, "profile=a,,b.toml,ulp.exp=4"),
            ("rten:as-function-body", None, "as-function-body"),
            ("rten:optimization=none,as-function-body=1.21.0", Some("optimization=none"), "as-function-body=1.21.0"),
            ("onnx-backend:mine.Backend,device=CUDA", Some("mine.Backend,device=CUDA"), ""),
        ] {
            let name = BackendName::parse(text);
            assert_eq!((name.argument.as_deref(), name.settings_text().as_str()), (argument, settings), "{text}");
            assert_eq!(BackendName::parse(&name.to_string()), name, "{text}");
            assert_eq!(name.plain().argument, name.argument);
        }
        assert_eq!(BackendName::parse("rten:profile=a,,b.toml").judged_by[0].1, "a,b.toml");
    }
}
