//! `--resume`: the settings of a stopped run, from the command in its `run.json`.

use std::path::Path;

use anyhow::{Context, bail};
use clap::{Args as _, FromArgMatches};
use plumbline_report::RunMeta;

use super::Args;
use crate::places::program;

/// Returns the command of a run, quoted for a shell. For a resumed run, this is the command of the run that it
/// continues; for the run of a comparison, it is the command that runs both backends.
pub(super) fn command(args: &Args) -> String {
    let mut words = match &args.words {
        Some(words) => words.clone(),
        None => std::env::args().skip(1).collect(),
    };
    words.splice(0..0, program().split(' ').map(str::to_owned));
    shlex::try_join(words.iter().map(String::as_str)).unwrap_or_else(|_| words.join(" "))
}

/// Returns the arguments of the run whose results are in a folder. Options in `given` that may be given anew take
/// precedence over those of that run.
pub(super) fn arguments(folder: &Path, given: &Args) -> anyhow::Result<Args> {
    let path = folder.join("run.json");
    let stopped = RunMeta::read(&path).with_context(|| format!("--resume {}", folder.display()))?;
    let (words, mut args) = recorded(folder, &stopped).with_context(|| "--resume")?;
    if let Some(shard) = &stopped.shard {
        args.shard = Some(shard.parse().map_err(|error| anyhow::anyhow!("{}: {error}", path.display()))?);
    }
    args.words = Some(words);
    args.resume = Some(folder.to_owned());
    args.out = folder.to_owned();
    args.jobs = given.jobs.or(args.jobs);
    args.time = given.time.or(args.time);
    args.minimize = given.minimize.or(args.minimize);
    args.gate |= given.gate;
    args.floor = given.floor.or(args.floor);
    Ok(args)
}

/// Returns the words and the arguments of the run whose results are in a folder.
pub(super) fn recorded(folder: &Path, stopped: &RunMeta) -> anyhow::Result<(Vec<String>, Args)> {
    let path = folder.join("run.json");
    if stopped.project_version.as_deref() != Some(env!("CARGO_PKG_VERSION")) {
        bail!("{}: another version of Plumbline wrote the results, so its cases differ", folder.display());
    }
    let words = stopped.command.as_deref().and_then(shlex::split).unwrap_or_default();
    let Some(at) = words.iter().position(|word| word == "conformance") else {
        bail!("{}: it has no command of a conformance run", path.display());
    };
    let words = words[at..].to_vec();
    let matches = Args::augment_args(clap::Command::new("conformance")).try_get_matches_from(&words);
    let args = Args::from_arg_matches(&matches.with_context(|| path.display().to_string())?)?;
    Ok((words, args))
}
