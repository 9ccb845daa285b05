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
    Init(Target),
    /// Keeps the entries that still describe a failure, drops the others, and adds entries for new failures
    Update(Target),
}

#[derive(clap::Args)]
struct Target {
    /// The file of known failures
    file: PathBuf,
    /// The results of a run
    #[arg(long, value_name = "FILE", default_value_os_t = places().results.join("results.jsonl"))]
    results: PathBuf,
    /// The backend [default: for `update` that of the file, for `init` the only one in the results]
    #[arg(long, value_name = "NAME")]
    backend: Option<String>,
    /// The number of cases per cell of the run. New entries are only checked by runs with at least as many
    #[arg(long, value_name = "N", default_value_t = 20)]
    cases: u64,
}

/// Runs `plumbline expectations`.
pub fn run(args: Args) -> anyhow::Result<Exit> {
    match args.command {
        Action::Init(target) => init(&target),
        Action::Update(target) => update(&target),
    }
}

fn init(target: &Target) -> anyhow::Result<Exit> {
    if target.file.exists() {
        bail!("{} exists already; `{} expectations update` brings it up to date", target.file.display(), program());
    }
    let backend = backend(target)?;
    let mut draft = Draft::default();
    each_result(&target.results, &backend, |result| draft.add(&result))?;
    each_result(&target.results, &backend, |result| draft.add_features(&result))?;
    let text = format!("{}{}", head(&backend, &target.results), draft.text(target.cases));
    write(&target.file, &text)?;
    println!("{}: {} entries for {backend}; write the reason of each", target.file.display(), draft.count());
    Ok(Exit::Conforms)
}

fn update(target: &Target) -> anyhow::Result<Exit> {
    let text =
        std::fs::read_to_string(&target.file).with_context(|| format!("cannot read {}", target.file.display()))?;
    let known = Expectations::parse(&target.file, &text)?;
    let backend = target.backend.clone().unwrap_or_else(|| known.backend().to_owned());
    // The results that passed, and the failures that no entry describes.
    let is_left = |mut result: CaseResult| {
        // Lines of results do not have the features of a case, so entries that ask for features match nothing here. A
        // run with `--expectations` has applied these entries itself: the results that they describe have an expected
        // verdict.
        let was_expected = result.expected_verdict.take().is_some();
        known.apply(&mut result, &[]);
        let is_left = !result.verdict.is_bad() || !(was_expected || result.expected_verdict.is_some());
        is_left.then_some(result)
    };
    let mut draft = Draft::default();
    each_result(&target.results, &backend, |result| is_left(result).iter().for_each(|result| draft.add(result)))?;
    each_result(&target.results, &backend, |result| {
        is_left(result).iter().for_each(|result| draft.add_features(result));
    })?;
    let dropped: BTreeSet<usize> = known.unmatched(true).into_iter().collect();
    let kept = without(&text, &dropped);
    write(&target.file, &format!("{}\n{}", kept.trim_end(), draft.text(target.cases)))?;
    for line in &dropped {
        println!("dropped: {}:{line}, which no failure of the run matches", target.file.display());
    }
    println!("{}: {} entries are new, {} were dropped", target.file.display(), draft.count(), dropped.len());
    Ok(Exit::Conforms)
}

/// Returns the text without the entries that start on these lines, without comments inside them, and without the
/// comments right above them.
fn without(text: &str, dropped: &BTreeSet<usize>) -> String {
    let mut kept = String::new();
    // The comments that were just read. The next line decides whether they are kept.
    let mut comments = String::new();
    let mut drops = false;
    for (at, line) in text.lines().enumerate() {
        if line.starts_with('#') {
            comments += &format!("{line}\n");
            continue;
        }
        if line.trim() == "[[expect]]" {
            drops = dropped.contains(&(at + 1));
        }
        // Comments in front of an empty line belong to no entry.
        let belong_to_none = line.is_empty() && !comments.is_empty();
        if !drops || belong_to_none {
            kept += &format!("{comments}{line}\n");
        }
        comments.clear();
    }
    kept + &comments
}

fn head(backend: &str, results: &Path) -> String {
    let backend = toml::Value::String(backend.to_owned());
    format!(
        "# Known failures, drafted from {}. A run with --gate needs a reason for each, and fails if one of the failures no longer happens.\nbackend = {backend}\n",
        results.display()
    )
}

fn write(path: &Path, text: &str) -> anyhow::Result<()> {
    std::fs::write(path, text).with_context(|| format!("cannot write {}", path.display()))
}

/// Returns the name of the backend that was asked for, or of the only one in the results.
fn backend(target: &Target) -> anyhow::Result<String> {
    if let Some(name) = &target.backend {
        return Ok(name.clone());
    }
    let mut names = BTreeSet::new();
    for result in ResultsFile::from_path(&target.results)? {
        names.insert(backend_name(&result?).to_owned());
    }
    match names.len() {
        1 => Ok(names.into_iter().next().unwrap_or_default()),
        0 => bail!("{} has no results", target.results.display()),
        _ => {
            let names: Vec<String> = names.into_iter().collect();
            bail!("{} has results of {}; choose one with --backend", target.results.display(), names.join(", "))
        }
    }
}

/// Returns the name of a result's backend, without the version that follows after a space. The version may contain
/// spaces itself; a mock has no version.
fn backend_name(result: &CaseResult) -> &str {
    result.backend.split_once(' ').map_or(result.backend.as_str(), |(name, _)| name)
}

/// Calls a function with each result of a backend. `backend` is a name, with or without the version. Fails if the
/// backend has no results.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_version_of_a_backend_may_contain_spaces() {
        let line = |backend: &str| {
            format!(
                r#"{{"case":"Min-13/T=float/0@0","suite":"generated","domain":"ai.onnx","op":"Min","since":13,"types":{{"T":"float"}},"backend":"{backend}","verdict":"pass"}}"#
            )
        };
        let name = |backend: &str| backend_name(&serde_json::from_str(&line(backend)).unwrap()).to_owned();
        assert_eq!(name("directml 1.15.4.0 (sha256 0123) at 6_4 on WARP"), "directml");
        assert_eq!(name("rten 0.27.0"), "rten");
        assert_eq!(name("mock:ok"), "mock:ok");
    }

    #[test]
    fn a_dropped_entry_takes_its_comments_along() {
        let text = "\
# The head.
backend = \"mine\"

# Right above the first entry.
[[expect]]
op = \"Abs\"
# Inside the first entry.
reason = \"one\"

# A title for what follows.

# Right above the second entry.
[[expect]]
op = \"Add\"
# Inside the second entry.
reason = \"two\"
# The end.
";
        let line = |n: usize| BTreeSet::from([n]);
        assert_eq!(without(text, &BTreeSet::new()), text);
        let at = |words: &str| text.find(words).unwrap();
        let without_first = format!("{}{}", &text[..at("# Right above the first")], &text[at("# A title")..]);
        assert_eq!(without(text, &line(5)), without_first);
        let without_second = format!("{}# The end.\n", &text[..at("# Right above the second")]);
        assert_eq!(without(text, &line(13)), without_second);
    }
}
