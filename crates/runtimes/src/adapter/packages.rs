//! The packages that an adapter needs, and the interpreter that runs it.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::folder_name;
use super::npm;
use super::program::{Interpreter, ran};

/// The variable that names the Python to use.
const PYTHON_VARIABLE: &str = "PLUMBLINE_PYTHON";
/// The file that says that a folder of packages is complete, and what was installed into it.
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
        /// Further packages as requirements for pip, with their newest versions: `numpy<=2.4.6`.
        others: &'static [&'static str],
    },
    /// A package of npm and what it depends on, in a folder for each version.
    Npm {
        /// The package of the runtime.
        runtime: &'static str,
        /// The version of the runtime that is used if none is requested.
        default_version: &'static str,
    },
    /// What the user's own Python has. `PLUMBLINE_PYTHON` may name that Python. Nothing is installed.
    UsersPython,
}

impl Packages {
    pub(super) fn default_version(self) -> Option<&'static str> {
        match self {
            Packages::Pip { default_version, .. } | Packages::Npm { default_version, .. } => Some(default_version),
            Packages::UsersPython => None,
        }
    }

    /// Checks the version in a backend's name. The error is one line.
    pub(super) fn check(self, name: &str, version: Option<&str>) -> Result<(), String> {
        let is_version = |text: &str| {
            text.starts_with(|c: char| c.is_ascii_digit())
                && text.chars().all(|c| c.is_ascii_alphanumeric() || ".-".contains(c))
        };
        match (self, version) {
            (Packages::Pip { .. } | Packages::Npm { .. }, Some(version)) if !is_version(version) => {
                Err(format!("`{version}` is not a version of {name}"))
            }
            (Packages::UsersPython, Some(_)) => {
                Err(format!("{name} runs what your Python has, so it takes no @VERSION"))
            }
            _ => Ok(()),
        }
    }

    /// Returns whether this version is installed in the folder of libraries.
    pub(super) fn is_installed(self, name: &str, libraries: &Path, version: &str) -> bool {
        let folder = libraries.join(folder_name(name)).join(version);
        folder.join(COMPLETE).is_file()
            && match self {
                Packages::Npm { runtime, .. } => npm::package_in(&folder, runtime).is_dir(),
                _ => python_in(&folder).is_file(),
            }
    }

    /// Returns the program that runs the adapter. The error says how to get what is missing, in one line.
    pub(super) fn interpreter(
        self,
        name: &str,
        libraries: &Path,
        version: Option<&str>,
    ) -> Result<Interpreter, String> {
        let Some(default_version) = self.default_version() else {
            let (arguments, adapter_arguments) = (Vec::new(), Vec::new());
            return Ok(Interpreter { program: system_python()?, arguments, adapter_arguments });
        };
        if !self.is_installed(name, libraries, version.unwrap_or(default_version)) {
            let name = version.map_or_else(|| name.to_owned(), |version| format!("{name}@{version}"));
            let installer = if matches!(self, Packages::Npm { .. }) { "npm" } else { "pip" };
            return Err(format!("not fetched; `backends --fetch {name}` installs it with {installer}"));
        }
        let folder = libraries.join(folder_name(name)).join(version.unwrap_or(default_version));
        if let Packages::Npm { runtime, .. } = self {
            return npm::interpreter(&folder, runtime);
        }
        let python = python_in(&folder);
        let program = std::path::absolute(&python).map_err(|error| format!("{}: {error}", python.display()))?;
        // With these arguments, Python ignores its environment variables and the user's own packages: it sees only the
        // packages of the virtual environment.
        let arguments = vec!["-E".into(), "-s".into()];
        Ok(Interpreter { program: program.into(), arguments, adapter_arguments: Vec::new() })
    }

    /// Installs the packages of a version if they are missing. The error is one line.
    pub(super) fn fetch(self, name: &str, libraries: &Path, version: Option<&str>) -> Result<(), String> {
        self.check(name, version)?;
        let Some(version) = version.or(self.default_version()) else { return Ok(()) };
        if self.is_installed(name, libraries, version) {
            return Ok(());
        }
        let folder = libraries.join(folder_name(name)).join(version);
        let (runtime, installed) = match self {
            Packages::UsersPython => return Ok(()),
            Packages::Pip { runtime, others, .. } => {
                let runtime_package = format!("{runtime}=={version}");
                let packages = [&[runtime_package.as_str()], others].concat();
                (runtime, complete(&folder, |unfinished| create_venv(unfinished, &packages)))
            }
            Packages::Npm { runtime, .. } => {
                let package = format!("{runtime}@{version}");
                let install = |unfinished: &Path| npm::install(unfinished, &package).map(|()| package.clone());
                (runtime, complete(&folder, install))
            }
        };
        installed
            .map_err(|reason| format!("{runtime} {version} is not on this machine and cannot be installed: {reason}"))
    }
}

/// Makes a folder, lets `install` fill it, and writes what `install` returns, the names and versions of what was
/// installed, to a file in it. The folder appears only when it is complete. The error is one line.
fn complete(folder: &Path, install: impl FnOnce(&Path) -> Result<String, String>) -> Result<(), String> {
    let cannot = |path: &Path, error: std::io::Error| format!("cannot write {}: {error}", path.display());
    let unfinished = folder.with_extension(format!("fetching-{}", std::process::id()));
    let done = (|| {
        std::fs::create_dir_all(&unfinished).map_err(|error| cannot(&unfinished, error))?;
        let content = install(&unfinished)?;
        let complete = unfinished.join(COMPLETE);
        std::fs::write(&complete, content).map_err(|error| cannot(&complete, error))?;
        if folder.is_dir() && !folder.join(COMPLETE).is_file() {
            std::fs::remove_dir_all(folder).map_err(|error| cannot(folder, error))?;
        }
        match std::fs::rename(&unfinished, folder) {
            Err(error) if !folder.join(COMPLETE).is_file() => Err(cannot(folder, error)),
            // An error here means that another process has made the folder in the meantime.
            _ => Ok(()),
        }
    })();
    // The unfinished folder is still there if something failed, or if another process was faster.
    let _ = std::fs::remove_dir_all(&unfinished);
    done
}

/// Makes a virtual environment with these packages. Returns all packages in it, with their versions. The error is one
/// line.
fn create_venv(folder: &Path, packages: &[&str]) -> Result<String, String> {
    let mut venv = Command::new(system_python()?);
    ran(venv.args(["-m", "venv"]).arg(folder), "`python3 -m venv` (on Debian and Ubuntu it needs python3-venv)")?;
    let pip = |arguments: &[&str]| {
        let mut pip = Command::new(python_in(folder));
        ran(pip.args(["-m", "pip", "--disable-pip-version-check", "--no-input"]).args(arguments), "pip")
    };
    pip(&[&["install", "--quiet", "--retries", "1"], packages].concat())?;
    pip(&["freeze"])
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
    found.ok_or_else(|| format!("Python 3.10 or later is needed, and was not found (tried {})", candidates.join(", ")))
}

/// Returns the path of Python in a virtual environment.
pub(super) fn python_in(venv: &Path) -> PathBuf {
    if cfg!(windows) { venv.join("Scripts").join("python.exe") } else { venv.join("bin").join("python") }
}
