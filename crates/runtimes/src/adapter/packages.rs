//! The packages that an adapter needs, and the interpreter that runs it.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use super::npm;

/// The variable that names the Python to use.
const PYTHON_VARIABLE: &str = "PLUMBLINE_PYTHON";
/// The file of a folder of packages which says that it is complete, and what was installed.
pub(super) const COMPLETE: &str = "complete";

/// What an adapter needs, apart from its own files.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Packages {
    /// Packages of pip, in a virtual environment for each version of the runtime.
    Pip {
        /// The package of the runtime.
        runtime: &'static str,
        /// The version of the runtime that is used if none is requested.
        default_version: &'static str,
        /// Further packages with their versions, as pip reads them.
        others: &'static [&'static str],
    },
    /// A package of npm and what it depends on, in a folder for each version.
    Npm {
        /// The package of the runtime.
        runtime: &'static str,
        /// The version of the runtime that is used if none is requested.
        default_version: &'static str,
    },
}

/// The program that runs an adapter, and its own arguments.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Interpreter {
    /// The path of the program.
    pub program: OsString,
    /// The arguments before the path of the adapter.
    pub arguments: Vec<OsString>,
    /// The arguments after it, which tell the adapter where its packages are.
    pub adapter_arguments: Vec<OsString>,
}

impl Packages {
    pub(super) fn default_version(self) -> Option<&'static str> {
        match self {
            Packages::Pip { default_version, .. } | Packages::Npm { default_version, .. } => Some(default_version),
        }
    }

    /// Checks the version in a backend's name. The error is one line.
    pub(super) fn check(self, name: &str, version: Option<&str>) -> Result<(), String> {
        let others = if matches!(self, Packages::Npm { .. }) { ".-" } else { "." };
        let is_version = |text: &str| {
            text.starts_with(|c: char| c.is_ascii_digit())
                && text.chars().all(|c| c.is_ascii_alphanumeric() || others.contains(c))
        };
        match version {
            Some(version) if !is_version(version) => Err(format!("`{version}` is not a version of {name}")),
            _ => Ok(()),
        }
    }

    /// Returns the folder of the packages of a version.
    fn folder(self, name: &str, libraries: &Path, version: Option<&str>) -> PathBuf {
        libraries.join(name).join(version.or(self.default_version()).unwrap_or_default())
    }

    /// Returns the program that runs the adapter. The error says how to get what is missing, in one line.
    pub(super) fn interpreter(
        self,
        name: &str,
        libraries: &Path,
        version: Option<&str>,
    ) -> Result<Interpreter, String> {
        let folder = self.folder(name, libraries, version);
        if let Packages::Npm { runtime, .. } = self {
            return npm::interpreter(runtime, &folder, name, version);
        }
        let python = python_in(&folder);
        if !folder.join(COMPLETE).is_file() || !python.is_file() {
            return Err(not_fetched(name, version, "pip"));
        }
        let program = std::path::absolute(&python).map_err(|error| format!("{}: {error}", python.display()))?;
        // Neither the user's variables of Python nor the user's packages replace those of the environment.
        let arguments = vec!["-E".into(), "-s".into()];
        Ok(Interpreter { program: program.into(), arguments, adapter_arguments: Vec::new() })
    }

    /// Installs the packages of a version if they are missing. The error is one line.
    pub(super) fn fetch(self, name: &str, libraries: &Path, version: Option<&str>) -> Result<(), String> {
        self.check(name, version)?;
        if self.interpreter(name, libraries, version).is_ok() {
            return Ok(());
        }
        let folder = self.folder(name, libraries, version);
        let version = version.or(self.default_version()).unwrap_or_default();
        let (runtime, done) = match self {
            Packages::Pip { runtime, others, .. } => {
                let runtime_package = format!("{runtime}=={version}");
                let packages = [&[runtime_package.as_str()], others].concat();
                (runtime, appears(&folder, &packages.join("\n"), |unfinished| create_venv(unfinished, &packages)))
            }
            Packages::Npm { runtime, .. } => {
                let package = format!("{runtime}@{version}");
                (runtime, appears(&folder, &package, |unfinished| npm::install(unfinished, &package)))
            }
        };
        done.map_err(|reason| format!("{runtime} {version} is not on this machine and cannot be installed: {reason}"))
    }
}

/// Returns the message about packages that are not installed, with the command that installs them.
pub(super) fn not_fetched(name: &str, version: Option<&str>, program: &str) -> String {
    let name = version.map_or_else(|| name.to_owned(), |version| format!("{name}@{version}"));
    format!("not fetched; `backends --fetch {name}` installs it with {program}")
}

/// Makes a folder with what `install` writes into it, which appears at once. `installed` is kept in it as a note. The
/// error is one line.
fn appears(folder: &Path, installed: &str, install: impl FnOnce(&Path) -> Result<(), String>) -> Result<(), String> {
    let cannot = |path: &Path, error: std::io::Error| format!("cannot write {}: {error}", path.display());
    let unfinished = folder.with_extension(format!("fetching-{}", std::process::id()));
    let done = (|| {
        std::fs::create_dir_all(&unfinished).map_err(|error| cannot(&unfinished, error))?;
        install(&unfinished)?;
        let complete = unfinished.join(COMPLETE);
        std::fs::write(&complete, installed).map_err(|error| cannot(&complete, error))?;
        if folder.is_dir() && !folder.join(COMPLETE).is_file() {
            std::fs::remove_dir_all(folder).map_err(|error| cannot(folder, error))?;
        }
        match std::fs::rename(&unfinished, folder) {
            Err(error) if !folder.join(COMPLETE).is_file() => Err(cannot(folder, error)),
            // If there is an error, another process was faster.
            _ => Ok(()),
        }
    })();
    // After a failure, or if another process was faster.
    let _ = std::fs::remove_dir_all(&unfinished);
    done
}

/// Makes a virtual environment with these packages. The error is one line.
fn create_venv(folder: &Path, packages: &[&str]) -> Result<(), String> {
    let mut venv = Command::new(system_python()?);
    ran(venv.args(["-m", "venv"]).arg(folder), "`python3 -m venv` (on Debian and Ubuntu: python3-venv)")?;
    let mut pip = Command::new(python_in(folder));
    pip.args(["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-input", "--retries", "1"]);
    ran(pip.args(packages), "pip")
}

/// Runs a command. The error is one line: the last that the command wrote.
pub(super) fn ran(command: &mut Command, what: &str) -> Result<(), String> {
    let output: Output = command.stdin(Stdio::null()).output().map_err(|error| format!("{what}: {error}"))?;
    if output.status.success() {
        return Ok(());
    }
    let text = [output.stdout, output.stderr].concat();
    let text = String::from_utf8_lossy(&text);
    let lines = || text.lines().map(str::trim).filter(|line| !line.is_empty());
    let line =
        lines().find(|line| line.starts_with("ERROR")).or(lines().last()).unwrap_or("it failed without a message");
    Err(format!("{what}: {line}"))
}

/// Returns a Python of this machine: `PLUMBLINE_PYTHON` if it is set. The error is one line.
fn system_python() -> Result<OsString, String> {
    if let Some(python) = std::env::var_os(PYTHON_VARIABLE) {
        return Ok(python);
    }
    let candidates: &[&str] = if cfg!(windows) { &["python", "py"] } else { &["python3", "python"] };
    let check = "import sys; sys.exit(sys.version_info < (3, 10))";
    let starts =
        |name: &&&str| Command::new(name).args(["-c", check]).output().is_ok_and(|output| output.status.success());
    let found = candidates.iter().find(starts).map(OsString::from);
    found.ok_or_else(|| format!("Python 3.10 or later is needed, and none of {} is one", candidates.join(", ")))
}

/// Returns the path of Python in a virtual environment.
fn python_in(venv: &Path) -> PathBuf {
    if cfg!(windows) { venv.join("Scripts").join("python.exe") } else { venv.join("bin").join("python") }
}
