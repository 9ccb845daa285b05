//! `plumbline.toml`: what a project that tests its own backend asks of every run.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use serde::Deserialize;

/// The name of the file, in the folder in which the command runs.
pub const NAME: &str = "plumbline.toml";

/// The contents of `plumbline.toml`. Every key may be left out.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Config {
    /// The profile: `smoke`, `ci` or `nightly`.
    pub profile: Option<String>,
    /// The number of cases per cell.
    pub cases: Option<u64>,
    /// The seed of all cases.
    pub seed: Option<u64>,
    /// Operators and operator versions.
    #[serde(default)]
    pub operators: Vec<String>,
    /// Element types.
    #[serde(default)]
    pub element_types: Vec<String>,
    /// Suites.
    #[serde(default)]
    pub suites: Vec<String>,
    /// Files of known verdicts, relative to the file's folder.
    #[serde(default)]
    pub expectations: Vec<PathBuf>,
    /// Whether an expectation that matches no result fails the run.
    pub gate: Option<bool>,
    /// The number of cases that have to be judged on each backend.
    pub floor: Option<u64>,
    /// The folder for the results, relative to the file's folder.
    pub out: Option<PathBuf>,
    /// How long a run may take, as `--time` has it.
    pub time: Option<String>,
    /// The share of the time for minimization, as `--minimize` has it.
    pub minimize: Option<String>,
    /// What a backend may use.
    #[serde(default)]
    pub limits: Limits,
    /// The backends of a run that names none.
    #[serde(default, rename = "backend")]
    pub backends: Vec<Backend>,
}

/// What a backend may use.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Limits {
    /// The longest time for one case, in milliseconds.
    pub deadline_ms: Option<u64>,
    /// The memory that a process of a backend may use, as `--memory` has it.
    pub memory: Option<String>,
    /// The number of threads, each with its own process of the backend.
    pub jobs: Option<usize>,
}

/// A backend of the project.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Backend {
    /// The name by which `--backend` chooses it.
    pub name: String,
    /// The command line of a program that speaks the worker protocol.
    pub command: Option<String>,
    /// A backend that Plumbline knows, as `--backend` has it: `onnxruntime@1.23.2`.
    pub runtime: Option<String>,
}

impl Backend {
    /// Returns the name that selects the backend without this file.
    fn selector(&self) -> anyhow::Result<String> {
        match (&self.command, &self.runtime) {
            (Some(command), None) => Ok(format!("process:{command}")),
            (None, Some(runtime)) => Ok(runtime.clone()),
            _ => bail!("the backend `{}` needs a `command` or a `runtime`, and not both", self.name),
        }
    }
}

impl Config {
    /// Reads the file in this folder. Without one, nothing is set.
    pub fn in_folder(folder: &Path) -> anyhow::Result<Config> {
        let path = folder.join(NAME);
        match std::fs::read_to_string(&path) {
            Ok(text) => Config::parse(&text).with_context(|| path.display().to_string()),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(Config::default()),
            Err(error) => Err(error).with_context(|| path.display().to_string()),
        }
    }

    /// Parses the text of a file. Errors about a key name its line.
    pub fn parse(text: &str) -> anyhow::Result<Config> {
        let config: Config = toml::from_str(text)?;
        let mut names = BTreeSet::new();
        for backend in &config.backends {
            backend.selector()?;
            if !names.insert(backend.name.as_str()) {
                bail!("two backends are called `{}`", backend.name);
            }
        }
        Ok(config)
    }

    /// Returns the names that select backends without this file: those of the backends that are named, or of all
    /// backends of this file if none is.
    pub fn selectors(&self, named: &[String]) -> anyhow::Result<Vec<String>> {
        if named.is_empty() {
            return self.backends.iter().map(Backend::selector).collect();
        }
        let selector = |name: &String| match self.backends.iter().find(|backend| backend.name == *name) {
            Some(backend) => backend.selector(),
            None => Ok(name.clone()),
        };
        named.iter().map(selector).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_the_file_select_its_backends() {
        let text = "[[backend]]\nname = \"mine\"\ncommand = \"python3 backend.py\"\n\n[[backend]]\nname = \"theirs\"\nruntime = \"onnxruntime@1.23.2\"\n";
        let config = Config::parse(text).unwrap();
        assert_eq!(config.selectors(&[]).unwrap(), ["process:python3 backend.py", "onnxruntime@1.23.2"]);
        assert_eq!(config.selectors(&["mine".to_owned()]).unwrap(), ["process:python3 backend.py"]);
        assert_eq!(config.selectors(&["rten".to_owned()]).unwrap(), ["rten"]);
    }

    #[test]
    fn errors_name_the_line_or_the_backend() {
        let error = |text: &str| format!("{:#}", Config::parse(text).unwrap_err());
        assert!(error("profile = \"ci\"\nsead = 7\n").contains("line 2, column 1"));
        assert!(error("profile = \"ci\"\nsead = 7\n").contains("unknown field `sead`"));
        assert!(error("[limits]\nmemory_mb = 1\n").contains("unknown field `memory_mb`"));
        let twice = "[[backend]]\nname = \"a\"\ncommand = \"x\"\n[[backend]]\nname = \"a\"\ncommand = \"y\"\n";
        assert_eq!(error(twice), "two backends are called `a`");
        let neither = "[[backend]]\nname = \"a\"\n";
        assert_eq!(error(neither), "the backend `a` needs a `command` or a `runtime`, and not both");
    }
}
