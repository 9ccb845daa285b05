//! `plumbline expectations`: writes a file of known failures from results, and brings one up to date.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use clap::Subcommand;
use plumbline_conformance::{CaseResult, Draft, Expectations};
use plumbline_report::ResultsFile;

use crate::exit::Exit;
use crate::places::{places, program};

const EXAMPLES: &str = "\
Examples:
  plumbline expectations init known.toml             from the last run; each entry still needs its reason
  plumbline expectations update known.toml           keep reasons, add what is new, drop what no longer happens
  plumbline expectations init known.toml --results results/results.jsonl --backend mine";

/// Writes a file of known failures from results, or brings one up to date.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    #[command(subcommand)]
    command: Action,
}

#[derive(Subcommand)]
enum Action {
    /// Writes a first file: an entry for each cause of failures, with a reason that is still to be written
    Init(Of),
    /// Keeps the entries that still describe a failure, drops the others, and adds entries for new failures
    Update(Of),
}

#[derive(clap::Args)]
struct Of {
    /// The file of known failures
    file: PathBuf,
    /// The results of a run
    #[arg(long, value_name = "FILE", default_value_os_t = places().results.join("results.jsonl"))]
    results: PathBuf,
    /// The backend, if the results are of several
    #[arg(long, value_name = "NAME")]
    backend: Option<String>,
    /// The number of cases per cell of the run; entries are checked in runs with as many
    #[arg(long, value_name = "N", default_value_t = 20)]
    cases: u64,
}

/// Runs `plumbline expectations`.
pub fn run(args: Args) -> anyhow::Result<Exit> {
    match args.command {
        Action::Init(of) => init(&of),
        Action::Update(of) => update(&of),
    }
}

fn init(of: &Of) -> anyhow::Result<Exit> {
    if of.file.exists() {
        bail!("{} exists already; `{} expectations update` brings it up to date", of.file.display(), program());
    }
    let backend = backend(of)?;
    let mut draft = Draft::default();
    each_result(&of.results, &backend, |result| draft.add(&result))?;
    let text = format!("{}{}", head(&backend, &of.results), draft.text(of.cases));
    write(&of.file, &text)?;
    println!("{}: {} entries for {backend}; write the reason of each", of.file.display(), draft.count());
    Ok(Exit::Conforms)
}

fn update(of: &Of) -> anyhow::Result<Exit> {
    let text = std::fs::read_to_string(&of.file).with_context(|| of.file.display().to_string())?;
    let known = Expectations::parse(&of.file, &text)?;
    let backend = of.backend.clone().unwrap_or_else(|| known.backend().to_owned());
    let mut draft = Draft::default();
    each_result(&of.results, &backend, |mut result| {
        // An entry that asks for features cannot be told from a line of results; the run itself could.
        let was_expected = result.expected_verdict.take().is_some();
        known.apply(&mut result, &[]);
        if !result.verdict.is_bad() || !(was_expected || result.expected_verdict.is_some()) {
            draft.add(&result);
        }
    })?;
    let dropped: BTreeSet<usize> = known.unmatched(true).into_iter().collect();
    let kept = without(&text, &dropped);
    write(&of.file, &format!("{}\n{}", kept.trim_end(), draft.text(of.cases)))?;
    for line in &dropped {
        println!("dropped: {}:{line}, which no failure of the run matches", of.file.display());
    }
    println!("{}: {} entries are new, {} were dropped", of.file.display(), draft.count(), dropped.len());
    Ok(Exit::Conforms)
}

/// Returns the text without the entries that start on these lines, and without the comments right above them.
fn without(text: &str, dropped: &BTreeSet<usize>) -> String {
    let mut kept = String::new();
    let mut comments = String::new();
    let mut drops = false;
    for (at, line) in text.lines().enumerate() {
        if line.starts_with('#') {
            comments += &format!("{line}\n");
            continue;
        }
        if line.trim() == "[[expect]]" {
            drops = dropped.contains(&(at + 1));
            if drops {
                comments.clear();
            }
        }
        if !drops {
            kept += &std::mem::take(&mut comments);
            kept += &format!("{line}\n");
        }
    }
    kept + &comments
}

fn head(backend: &str, results: &Path) -> String {
    let backend = toml::Value::String(backend.to_owned());
    format!(
        "# Known failures, drafted from {}. A run with --gate needs a reason for each, and fails when one no longer happens.\nbackend = {backend}\n",
        results.display()
    )
}

fn write(path: &Path, text: &str) -> anyhow::Result<()> {
    std::fs::write(path, text).with_context(|| format!("cannot write {}", path.display()))
}

/// Returns the name of the backend that was asked for, or of the only one in the results.
fn backend(of: &Of) -> anyhow::Result<String> {
    if let Some(name) = &of.backend {
        return Ok(name.clone());
    }
    let mut names = BTreeSet::new();
    for result in ResultsFile::from_path(&of.results)? {
        names.insert(backend_name(&result?).to_owned());
    }
    match names.len() {
        1 => Ok(names.into_iter().next().unwrap_or_default()),
        0 => bail!("{} has no results", of.results.display()),
        _ => {
            let names: Vec<String> = names.into_iter().collect();
            bail!("the results are of {}; --backend names one", names.join(", "))
        }
    }
}

/// Returns the name of the backend of a result. A mock has no version behind it.
fn backend_name(result: &CaseResult) -> &str {
    result.backend.rsplit_once(' ').map_or(result.backend.as_str(), |(name, _)| name)
}

/// Calls a function with each result of a backend.
fn each_result(path: &Path, backend: &str, mut take: impl FnMut(CaseResult)) -> anyhow::Result<()> {
    let mut any = false;
    for result in ResultsFile::from_path(path)? {
        let result = result?;
        if [backend_name(&result), result.backend.as_str()].contains(&backend) {
            any = true;
            take(result);
        }
    }
    if !any {
        bail!("{} has no results of {backend}", path.display());
    }
    Ok(())
}
