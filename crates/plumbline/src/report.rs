//! `plumbline report`: writes the compatibility report of results.

use std::path::{Path, PathBuf};

use anyhow::Context;
use plumbline_conformance::Base;
use plumbline_report::{ReportInput, Results, ResultsFile, RunMeta};
use plumbline_spec::Spec;

use crate::exit::Exit;

const EXAMPLES: &str = "\
Examples:
  plumbline report                                     the report of the last run, beside its results
  plumbline report --results a.jsonl --results b.jsonl --out DIR
  plumbline report --results results.jsonl --meta run.json --out DIR

Writes index.html (one file, opens without a network), junit.xml, summary.md and summary.json.
Failures link to DIR/repro/<signature>/ if the folder exists.";

/// Writes the compatibility report of results.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// A file of results; the results of several files, such as the shards of a run, are counted together
    #[arg(long, value_name = "FILE", default_values_os_t = [crate::places::places().results.join("results.jsonl")])]
    results: Vec<PathBuf>,
    /// Facts of the run: command, seed, backends that were not available [default: run.json beside the first results, if it exists]
    #[arg(long, value_name = "FILE")]
    meta: Option<PathBuf>,
    /// The results of another run (results.jsonl, or its folder): failures that its first backend shows too are marked, and come after this backend's own
    #[arg(long, value_name = "RUN")]
    base: Option<PathBuf>,
    /// The heading of the report
    #[arg(long, value_name = "TEXT")]
    title: Option<String>,
    /// The folder for the files [default: beside the first results]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
}

/// Runs `plumbline report`.
pub fn run(args: Args) -> anyhow::Result<Exit> {
    let beside = args.results.first().and_then(|path| path.parent()).map(PathBuf::from).unwrap_or_default();
    let meta_path = args.meta.or_else(|| Some(beside.join("run.json")).filter(|path| path.is_file()));
    let mut meta = match &meta_path {
        Some(path) => RunMeta::read(path)?,
        None => RunMeta {
            project_version: Some(env!("CARGO_PKG_VERSION").to_owned()),
            limits: vec![
                "It is not known how the run was started, with which seed, and which backends did not run, because \
                 there is no run.json beside the results."
                    .to_owned(),
            ],
            ..RunMeta::default()
        },
    };
    if let Some(title) = args.title {
        meta.title = title;
    }
    if meta.title.is_empty() {
        meta.title = "Plumbline: compatibility report".to_owned();
    }
    let out = args.out.unwrap_or(beside);
    let base = base(args.base.as_deref())?;
    let input = ReportInput { base, spec: Spec::embedded(), results: Results::Files(args.results), meta };
    let summary = input.write(&out).context("the report cannot be written")?;
    for file in &summary.truncated {
        eprintln!("{file}: the last line is cut off because the run was killed; the report says so");
    }
    crate::output::print(&format!(
        "{} results of {} operators on {} backends: {}\n",
        summary.total.counts.all(),
        summary.operators.len(),
        summary.backends.iter().filter(|backend| backend.total.counts.all() > 0).count(),
        out.join("index.html").display()
    ))?;
    Ok(Exit::Conforms)
}

/// Reads the failures of a run, which is given by its folder or by its results.jsonl.
pub(crate) fn base(run: Option<&Path>) -> anyhow::Result<Base> {
    let mut base = Base::default();
    let Some(run) = run else { return Ok(base) };
    let path = if run.is_dir() { run.join("results.jsonl") } else { run.to_owned() };
    for result in ResultsFile::from_path(&path)? {
        base.add(&result?);
    }
    Ok(base)
}
