//! `plumbline merge`: joins the results of the shards of a run, and applies the gate to the whole.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use plumbline_backend::Identity;
use plumbline_conformance::{Subject, quoted};
use plumbline_report::{BackendMeta, BackendStatus, RunMeta};

use super::annotations::Annotations;
use super::shard::Shard;
use super::{Args as RunArgs, resume, run_on_backends};
use crate::config::Accept;
use crate::exit::Exit;
use crate::places::{places, program};

const EXAMPLES: &str = "\
Examples:
  plumbline conformance --shard 1/2 --out part-1        on one machine
  plumbline conformance --shard 2/2 --out part-2        on another one
  plumbline merge part-1 part-2 --out whole --gate      one report, and one decision

In a Slurm array, a parallel job of GitLab, or an indexed job of Kubernetes, `--shard auto` takes the number of the part
from the environment.";

/// Joins the results of the shards of a run, writes one report, and applies the gate to the whole.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// The folders of the shards' results, in any order
    #[arg(required = true, value_name = "DIR")]
    shards: Vec<PathBuf>,
    /// The folder for the joined results
    #[arg(long, value_name = "DIR", default_value_os_t = places().results.clone())]
    out: PathBuf,
    /// A file of known verdicts, instead of those of the shards
    #[arg(long, value_name = "FILE")]
    expectations: Vec<PathBuf>,
    /// Do not fail because of results of this kind, instead of those that the shards accept; they count as known failures
    #[arg(long, value_name = "KIND", value_enum)]
    accept: Vec<Accept>,
    /// Also fail if an expectation matches no result any more
    #[arg(long)]
    gate: bool,
    /// Fail with exit code 4 if fewer cases than this are judged on any backend; unsupported cases do not count [default: 1]
    #[arg(long, value_name = "N")]
    floor: Option<u64>,
    /// List the cells, attributes and inputs that no case reached, and fail if there are any; also list goals of cells that no case met
    #[arg(long)]
    coverage: bool,
    /// Lines that a CI shows beside the job, one for each of the worst causes of failures; auto prints them in GitHub Actions
    #[arg(long, value_name = "WHICH", value_enum, default_value_t)]
    annotations: Annotations,
}

/// The shards of a run.
pub(super) struct Shards {
    /// Their folders, the first shard first.
    pub folders: Vec<PathBuf>,
    /// What is the same for all of them, in words.
    facts: String,
    /// The backends of the run, those that could not be started included.
    pub backends: Vec<BackendMeta>,
    /// When the first shard started.
    pub started: Option<String>,
}

/// Runs `plumbline merge`.
pub fn run(args: Args) -> anyhow::Result<Exit> {
    let (shards, run) = read(&args.shards)?;
    if args.shards.iter().any(|folder| is_same(folder, &args.out)) {
        bail!("--out {}: this is the folder of a shard", args.out.display());
    }
    println!("{} shards: {}", shards.folders.len(), shards.facts);
    let expectations = if args.expectations.is_empty() { run.expectations } else { args.expectations };
    let accept = if args.accept.is_empty() { run.accept } else { args.accept };
    let run = RunArgs {
        out: args.out,
        accept,
        gate: args.gate,
        floor: args.floor,
        coverage: args.coverage,
        annotations: args.annotations,
        expectations,
        shard: None,
        jobs: None,
        resume: None,
        words: None,
        merged: Some(shards),
        ..run
    };
    Ok(run_on_backends(run)?.exit)
}

fn is_same(one: &Path, other: &Path) -> bool {
    matches!((one.canonicalize(), other.canonicalize()), (Ok(one), Ok(other)) if one == other)
}

/// Returns whether two files for `--only` have the same contents. If one of them cannot be read on this machine, they
/// count as the same.
fn is_same_list(one: Option<&Path>, other: Option<&Path>) -> bool {
    let (Some(one), Some(other)) = (one, other) else { return one == other };
    !matches!((std::fs::read(one), std::fs::read(other)), (Ok(one), Ok(other)) if one != other)
}

/// Reads what the shards say about themselves. Returns them in order, and the arguments of their run.
fn read(folders: &[PathBuf]) -> anyhow::Result<(Shards, RunArgs)> {
    let mut found: BTreeMap<u64, (&PathBuf, RunMeta)> = BTreeMap::new();
    let mut whole: Option<(&PathBuf, u64, String, RunArgs)> = None;
    for folder in folders {
        let fail = |reason: String| anyhow::anyhow!("{}: {reason}", folder.display());
        let meta = RunMeta::read(&folder.join("run.json"))
            .map_err(|error| fail(format!("this is not the folder of a run: {error}")))?;
        if let Some(why) = &meta.incomplete {
            let go_on = format!("{} conformance --resume {}", program(), quoted(&folder.display().to_string()));
            return Err(fail(format!("{why} `{go_on}` goes on")));
        }
        let (_, args) = resume::recorded(folder, &meta)?;
        let Some(Ok(Shard::Part(number, count))) = meta.shard.as_deref().map(str::parse) else {
            return Err(fail("its run was not a shard: it has no --shard".to_owned()));
        };
        if args.time.is_some() {
            return Err(fail("its run had a time limit (--time), so its cases depend on machine speed".to_owned()));
        }
        let facts = facts(&args, &meta);
        match &whole {
            None => whole = Some((folder, count, facts, args)),
            Some((first, of, _, _)) if *of != count => {
                return Err(fail(format!("its run has {count} shards, and that of {} has {of}", first.display())));
            }
            Some((first, _, other, _)) if *other != facts => {
                return Err(fail(format!(
                    "its run differs from that of {}: it has {facts}; the other has {other}",
                    first.display()
                )));
            }
            Some((first, _, _, other)) if !is_same_list(other.only.as_deref(), args.only.as_deref()) => {
                let only = |args: &RunArgs| match &args.only {
                    Some(path) => format!("--only {}", path.display()),
                    None => "no --only".to_owned(),
                };
                let (own, other) = (only(&args), only(other));
                return Err(fail(format!("its run has {own}, and that of {} has {other}", first.display())));
            }
            Some(_) => {}
        }
        if let Some((other, _)) = found.insert(number, (folder, meta)) {
            return Err(fail(format!("it is shard {number}/{count}, and so is {}", other.display())));
        }
    }
    let Some((_, count, facts, run)) = whole else { bail!("no folder is given") };
    let missing: Vec<String> = (1..=count).filter(|at| !found.contains_key(at)).map(|at| at.to_string()).collect();
    if !missing.is_empty() {
        bail!("of {count} shards, these are missing: {}", missing.join(", "));
    }
    let backends = found.values().next().map_or(vec![], |(_, meta)| meta.backends.clone());
    let started = found.values().filter_map(|(_, meta)| meta.started.clone()).min();
    let folders = found.into_values().map(|(folder, _)| folder.clone()).collect();
    Ok((Shards { folders, facts, backends, started }, run))
}

/// Returns what has to be the same for all shards, in words.
fn facts(args: &RunArgs, meta: &RunMeta) -> String {
    let or_all = |list: &[String]| if list.is_empty() { "all".to_owned() } else { list.join(" ") };
    let backends: Vec<String> =
        meta.backends.iter().filter(|b| b.status == BackendStatus::Ran).map(BackendMeta::label).collect();
    let cases = args.cases.map_or("of the profile".to_owned(), |cases| cases.to_string());
    let known = |text: &Option<String>| text.clone().unwrap_or_default();
    format!(
        "version {}, seed {}, profile {}, cases {cases}, operators {}, element types {}, forms {}, suites {}, backends {}",
        known(&meta.project_version),
        known(&meta.seed),
        known(&meta.profile),
        or_all(&args.op),
        or_all(&args.dtype),
        or_all(&args.form),
        or_all(&args.suite),
        backends.join(", ")
    )
}

impl Shards {
    /// Returns the backends that ran.
    pub(super) fn subjects(&self) -> Vec<Subject> {
        let ran = self.backends.iter().filter(|backend| backend.status == BackendStatus::Ran);
        let subject = |backend: &BackendMeta| {
            let version = backend.version.clone().unwrap_or_default();
            let identity = Identity { name: backend.name.clone(), version };
            let name = backend.selector.clone().unwrap_or_else(|| backend.name.clone());
            Subject::recorded(&name, identity)
        };
        ran.map(subject).collect()
    }

    /// Copies the folders of failures. Of failures with the same signature, the first one is taken.
    pub(super) fn copy_repros(&self, out: &Path) -> anyhow::Result<()> {
        let to = out.join("repro");
        for from in self.folders.iter().map(|folder| folder.join("repro")).filter(|folder| folder.is_dir()) {
            for entry in std::fs::read_dir(&from).with_context(|| from.display().to_string())? {
                let entry = entry.with_context(|| from.display().to_string())?;
                let to = to.join(entry.file_name());
                if to.exists() {
                    continue;
                }
                copy(&entry.path(), &to).with_context(|| format!("{} cannot be copied", entry.path().display()))?;
            }
        }
        Ok(())
    }
}

/// Copies a folder with the folders in it.
fn copy(from: &Path, to: &Path) -> std::io::Result<()> {
    std::fs::create_dir_all(to)?;
    for entry in std::fs::read_dir(from)? {
        let (entry, to) = entry.map(|entry| (entry.path(), to.join(entry.file_name())))?;
        if entry.is_dir() { copy(&entry, &to)? } else { std::fs::copy(&entry, &to).map(drop)? }
    }
    Ok(())
}
