//! `plumbline suite ...`: fetches and lists the cases that ONNX publishes with its releases.
//!
//! Wheels of the onnx package up to 1.22 contain the node cases as files. All wheels of a release contain the same
//! cases, so a wheel for another Python or system is used if there is none for this one. Since 1.23 the package
//! contains node cases only as Python code, which runs in a virtual environment with that release.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, bail};
use plumbline_conformance::suite::{Manifest, SuiteName, case_dirs};

use crate::exit::Exit;
use crate::places::{places, program};
use crate::python;

const UNPACK: &str = include_str!("../scripts/unpack_onnx_cases.py");
const EXPORT: &str = include_str!("../scripts/export_onnx_node_cases.py");

/// Arguments of `plumbline suite`.
#[derive(clap::Args)]
pub struct Args {
    #[command(subcommand)]
    command: Subcommand,
}

#[derive(clap::Subcommand)]
enum Subcommand {
    /// Fetches suites with pip; a suite that already exists is left as it is.
    Fetch {
        /// Suites by name: `onnx:1.23.2`.
        #[arg(required = true, value_name = "SUITE")]
        suites: Vec<SuiteName>,
        /// Fetches suites even if they already exist.
        #[arg(long)]
        force: bool,
    },
    /// Lists the fetched suites with their numbers of cases.
    List,
}

/// Runs `plumbline suite`.
pub fn run(args: Args) -> anyhow::Result<Exit> {
    match args.command {
        Subcommand::Fetch { suites, force } => {
            for suite in &suites {
                fetch(suite, force).with_context(|| format!("cannot fetch {suite}"))?;
            }
        }
        Subcommand::List => list()?,
    }
    Ok(Exit::Conforms)
}

/// The environment variable that names the folder of suites for tests. If it is not set, tests that need a suite are
/// skipped.
pub const SUITES_VARIABLE: &str = "PLUMBLINE_SUITES";

/// Returns the folder of suites.
pub fn suites_dir() -> PathBuf {
    places().cache.join("suites")
}

/// Returns the folder of a suite and its manifest. Fetches the suite if it does not exist yet.
///
/// # Errors
/// Fails if the suite cannot be fetched; the message says what is missing.
pub fn at_hand(suite: &SuiteName) -> anyhow::Result<(PathBuf, Manifest)> {
    let dir = suite.dir(&suites_dir());
    if Manifest::read(&dir)?.is_none() {
        fetch(suite, false).with_context(|| format!("cannot fetch {suite}"))?;
    }
    match Manifest::read(&dir)? {
        Some(manifest) => Ok((dir, manifest)),
        None => bail!("{suite} was fetched, but {} has no manifest", dir.display()),
    }
}

fn list() -> anyhow::Result<()> {
    let dir = suites_dir();
    let mut manifests = Vec::new();
    for entry in std::fs::read_dir(&dir).into_iter().flatten() {
        let path = entry.with_context(|| format!("cannot list {}", dir.display()))?.path();
        manifests.extend(Manifest::read(&path)?);
    }
    if manifests.is_empty() {
        println!("there is no suite below {}; `{} suite fetch onnx:1.23.2` fetches one", dir.display(), program());
    }
    // Versions are sorted by number: 1.9 comes before 1.10.
    manifests.sort_by_key(|m| m.suite.split(['.', ':']).map(|part| part.parse::<u32>().ok()).collect::<Vec<_>>());
    for manifest in &manifests {
        println!("{}", summary(manifest));
    }
    Ok(())
}

/// Describes a suite in one line: `onnx:1.23.2: 2024 cases (node 1884, ...)`.
fn summary(manifest: &Manifest) -> String {
    let kinds: Vec<String> = manifest.cases.iter().map(|(kind, count)| format!("{kind} {count}")).collect();
    format!("{}: {} cases ({})", manifest.suite, manifest.cases.values().sum::<usize>(), kinds.join(", "))
}

fn fetch(suite: &SuiteName, force: bool) -> anyhow::Result<()> {
    let dir = suite.dir(&suites_dir());
    if let Some(manifest) = Manifest::read(&dir)?
        && !force
    {
        println!("{} is already in {}", summary(&manifest), dir.display());
        return Ok(());
    }
    let pip = python::with_pip()?;
    let scratch = Scratch::new(&suites_dir(), suite)?;
    println!("downloading onnx {}", suite.version());
    let wheel = download(&pip, suite.version(), &scratch.path().join("wheel"))?;
    let wheel_name = wheel.file_name().unwrap_or_default().to_string_lossy().into_owned();
    println!("unpacking {wheel_name}");
    let cases = scratch.path().join("cases");
    let arguments = [&wheel, &cases].map(|path| path.to_string_lossy().into_owned());
    python::run(&pip, UNPACK, &arguments.each_ref().map(String::as_str))
        .with_context(|| format!("cannot unpack {wheel_name}"))?;
    let mut computed_by = BTreeMap::new();
    if !cases.join("node").is_dir() {
        println!("{wheel_name} has its node cases as Python code, which now writes them to files");
        computed_by = export(suite.version(), &cases.join("node"))?;
    }
    let mut counts = BTreeMap::new();
    for case in case_dirs(&cases)? {
        *counts.entry(case.kind).or_default() += 1;
    }
    if counts.is_empty() {
        bail!("{wheel_name} contains no cases");
    }
    let manifest = Manifest { suite: suite.to_string(), wheel: wheel_name, computed_by, cases: counts };
    manifest.write(&cases)?;
    // The folder gets its name only when it is complete, so every folder with this name is complete.
    if dir.exists() {
        std::fs::remove_dir_all(&dir).with_context(|| format!("cannot remove {}", dir.display()))?;
    }
    std::fs::rename(&cases, &dir).with_context(|| format!("cannot rename {} to {}", cases.display(), dir.display()))?;
    println!("{} in {}", summary(&manifest), dir.display());
    Ok(())
}

/// A temporary folder next to the suites, which is removed on drop.
struct Scratch(PathBuf);

impl Scratch {
    fn new(suites: &Path, suite: &SuiteName) -> anyhow::Result<Scratch> {
        let path = suites.join(format!(".fetching-{}-{}", suite.version(), std::process::id()));
        std::fs::create_dir_all(&path).with_context(|| format!("cannot create {}", path.display()))?;
        Ok(Scratch(path))
    }

    fn path(&self) -> &Path {
        &self.0
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// The versions of Python and platforms of Linux for which releases have wheels, the newest first. All wheels of a
/// release contain the same cases.
const ELSEWHERE: [(&str, &[&str]); 3] = [
    ("3.12", &["manylinux_2_28_x86_64", "manylinux_2_27_x86_64", "manylinux_2_17_x86_64", "manylinux2014_x86_64"]),
    ("3.8", &["manylinux_2_17_x86_64", "manylinux2014_x86_64", "manylinux2010_x86_64", "manylinux1_x86_64"]),
    ("3.6", &["manylinux2010_x86_64", "manylinux1_x86_64"]),
];

/// Downloads the wheel of a release: the one for this Python and system, or else one for another.
fn download(python: &Path, version: &str, into: &Path) -> anyhow::Result<PathBuf> {
    let here = Vec::new();
    let elsewhere = ELSEWHERE.map(|(python_version, platforms)| {
        let platforms = platforms.iter().flat_map(|platform| ["--platform", platform]);
        ["--implementation", "cp", "--python-version", python_version].into_iter().chain(platforms).collect::<Vec<_>>()
    });
    let mut said = String::new();
    for target in [here].into_iter().chain(elsewhere) {
        let output = Command::new(python)
            .args(["-m", "pip", "download", "--no-deps", "--only-binary", ":all:", "--quiet"])
            .args(["--disable-pip-version-check", "--no-input", "--dest"])
            .arg(into)
            .args(target)
            .arg(format!("onnx=={version}"))
            .output()
            .with_context(|| format!("cannot start {}", python.display()))?;
        if output.status.success() {
            return only_file(into);
        }
        said = python::last_lines(&output);
    }
    bail!("pip finds no wheel of onnx {version}: the release does not exist, or pip cannot reach its index\n{said}")
}

fn only_file(dir: &Path) -> anyhow::Result<PathBuf> {
    let entry = std::fs::read_dir(dir).with_context(|| format!("cannot list {}", dir.display()))?.next();
    Ok(entry.with_context(|| format!("pip downloaded no file to {}", dir.display()))??.path())
}

/// Writes the node cases of a release of onnx, with a Python that has this release. Returns the packages that computed
/// the answers, with their versions.
fn export(version: &str, into: &Path) -> anyhow::Result<BTreeMap<String, String>> {
    let python = python::with_packages(&[&format!("onnx=={version}")])?;
    let child = Command::new(&python)
        .args(["-c", EXPORT, version])
        .arg(into)
        .env("PYTHONIOENCODING", "utf-8")
        .stdout(Stdio::piped())
        .stderr(Stdio::inherit())
        .spawn()
        .with_context(|| format!("cannot start {}", python.display()))?;
    let output = child.wait_with_output().context("cannot read what the script prints")?;
    if !output.status.success() {
        bail!(
            "the node cases of onnx {version} could not be written with {}, see above; if {} is not set, Plumbline \
             sets up a Python with that release",
            python.display(),
            python::PYTHON_VARIABLE
        );
    }
    let printed = String::from_utf8(output.stdout).context("the script printed something other than UTF-8")?;
    let versions = printed.lines().filter_map(|line| line.split_once(' '));
    Ok(versions.map(|(package, version)| (package.to_owned(), version.to_owned())).collect())
}
