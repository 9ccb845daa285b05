//! Python with packages of exact versions, in a virtual environment in the cache.

use crate::places::places;
use anyhow::{Context, bail};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// The variable that names a Python to use as it is, with the packages already installed.
pub const PYTHON_VARIABLE: &str = "PLUMBLINE_PYTHON";

/// Returns the Python that `PLUMBLINE_PYTHON` names, or `None` if the variable is not set or empty.
fn chosen() -> Option<PathBuf> {
    std::env::var_os(PYTHON_VARIABLE).filter(|python| !python.is_empty()).map(PathBuf::from)
}

/// Returns the path of a Python that has `packages` (`onnx==1.23.2`).
///
/// If `PLUMBLINE_PYTHON` is set, returns the Python that it names, and does not check its packages. If the variable is
/// not set, looks in the cache for a virtual environment that has these packages, and creates it if there is none. The
/// environment may have other packages, too.
///
/// # Errors
/// Fails if the Python of `PLUMBLINE_PYTHON` cannot be started. If the variable is not set, fails if Python, its module
/// `venv` or pip is missing, or if pip cannot install a package.
pub fn with_packages(packages: &[&str]) -> anyhow::Result<PathBuf> {
    if let Some(python) = chosen() {
        let version = Command::new(&python).arg("--version").output();
        if !version.is_ok_and(|output| output.status.success()) {
            bail!("{PYTHON_VARIABLE} is {}, which cannot be started as Python", python.display());
        }
        return Ok(python);
    }
    let all = places().cache.join("python");
    if let Some(python) = made_before(&all, packages) {
        return Ok(python);
    }
    let dir = all.join(packages.join("+").replace("==", "-"));
    let (python, stamp) = (interpreter(&dir), dir.join("complete"));
    create(&dir, packages).with_context(|| {
        format!(
            "cannot set up a Python with {}; to use your Python with these packages, set {PYTHON_VARIABLE} to its path",
            packages.join(", ")
        )
    })?;
    fs::write(&stamp, packages.join("\n")).with_context(|| format!("cannot write {}", stamp.display()))?;
    Ok(python)
}

/// Returns the Python of a complete virtual environment that is in the folder `all` and has at least these packages.
fn made_before(all: &Path, packages: &[&str]) -> Option<PathBuf> {
    let has_all = |dir: &PathBuf| {
        let complete = fs::read_to_string(dir.join("complete")).unwrap_or_default();
        packages.iter().all(|package| complete.lines().any(|line| line == *package)) && interpreter(dir).is_file()
    };
    let mut dirs: Vec<PathBuf> = fs::read_dir(all).ok()?.filter_map(|entry| Some(entry.ok()?.path())).collect();
    dirs.sort();
    dirs.iter().find(|dir| has_all(dir)).map(|dir| interpreter(dir))
}

/// Returns the path of a Python that has pip, for downloads: the one that `PLUMBLINE_PYTHON` names, or else one of the
/// system.
///
/// # Errors
/// Fails without Python or pip.
pub fn with_pip() -> anyhow::Result<PathBuf> {
    let python = match chosen() {
        Some(python) => python,
        None => PathBuf::from(system_python()?),
    };
    let pip = Command::new(&python).args(["-m", "pip", "--version"]).output();
    let pip = pip.with_context(|| format!("cannot start {} ({PYTHON_VARIABLE} can name another)", python.display()))?;
    if !pip.status.success() {
        bail!(
            "{} has no pip (on Debian and Ubuntu it is the package python3-pip):\n{}",
            python.display(),
            last_lines(&pip)
        );
    }
    Ok(python)
}

fn create(dir: &Path, packages: &[&str]) -> anyhow::Result<()> {
    if dir.exists() {
        // An earlier attempt was interrupted, or the Python of the environment is gone.
        fs::remove_dir_all(dir).with_context(|| format!("cannot remove {}", dir.display()))?;
    }
    let system = system_python()?;
    eprintln!("setting up a Python with {} in {}", packages.join(", "), dir.display());
    let venv = Command::new(system).args(["-m", "venv"]).arg(dir).output();
    let venv = venv.with_context(|| format!("cannot start {system}"))?;
    if !venv.status.success() {
        bail!(
            "`{system} -m venv` failed (on Debian and Ubuntu it needs the package python3-venv):\n{}",
            last_lines(&venv)
        );
    }
    let python = interpreter(dir);
    let pip = Command::new(&python)
        .args(["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-input"])
        .args(packages)
        .output()
        .with_context(|| format!("cannot start {}", python.display()))?;
    if !pip.status.success() {
        bail!("pip could not install {}:\n{}", packages.join(", "), last_lines(&pip));
    }
    Ok(())
}

/// Returns the command that starts a Python of the system, 3.10 or later.
fn system_python() -> anyhow::Result<&'static str> {
    let candidates: &[&str] = if cfg!(windows) { &["python", "py"] } else { &["python3", "python"] };
    let starts = |name: &str| {
        let check = "import sys; sys.exit(sys.version_info < (3, 10))";
        Command::new(name).args(["-c", check]).output().is_ok_and(|output| output.status.success())
    };
    match candidates.iter().find(|name| starts(name)) {
        Some(name) => Ok(name),
        None => bail!("Python 3.10 or later is needed, and was not found (tried {})", candidates.join(", ")),
    }
}

fn interpreter(venv: &Path) -> PathBuf {
    if cfg!(windows) { venv.join("Scripts").join("python.exe") } else { venv.join("bin").join("python") }
}

/// Returns the last lines of a program's output, which say what went wrong.
pub fn last_lines(output: &Output) -> String {
    let text = [output.stdout.as_slice(), output.stderr.as_slice()].concat();
    let text = String::from_utf8_lossy(&text);
    let lines: Vec<&str> = text.lines().filter(|line| !line.trim().is_empty()).collect();
    lines[lines.len().saturating_sub(12)..].iter().map(|line| format!("    {line}\n")).collect()
}

/// Runs a Python script, which is given as text, and returns what it prints.
///
/// # Errors
/// Fails if the script cannot be started, fails, or prints something other than UTF-8.
pub fn run(python: &Path, script: &str, arguments: &[&str]) -> anyhow::Result<String> {
    let output = Command::new(python)
        .args(["-c", script])
        .args(arguments)
        .env("PYTHONIOENCODING", "utf-8")
        .output()
        .with_context(|| format!("cannot start {}", python.display()))?;
    if !output.status.success() {
        bail!("{}: the script failed:\n{}", python.display(), last_lines(&output));
    }
    String::from_utf8(output.stdout).context("the script printed something other than UTF-8")
}
