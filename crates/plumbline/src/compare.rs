//! `plumbline compare`: says what became of each case from one run to another, or from one backend to another.

use std::path::{Path, PathBuf};

use anyhow::bail;
use clap::ValueEnum;
use plumbline_report::comparison::{Comparison, RunSide, compare};
use plumbline_report::comparison_page;

use crate::exit::Exit;
use crate::places::program;
use crate::{conformance, output};

const EXAMPLES: &str = "\
Examples:
  plumbline compare before after                       two runs of one backend, by their folders of results
  plumbline compare before after --backend rten        runs of several backends
  plumbline compare results --backend onnxruntime@1.23.2 --against onnxruntime@1.31.1
                                                       two backends of one run
  plumbline compare --backend onnxruntime@1.23.2 --against onnxruntime@1.31.1 --profile smoke
                                                       runs both now, with the options of `plumbline conformance`
  plumbline compare before after --format html > comparison.html

Both runs need the same version of Plumbline, seed and profile, because these decide which case an id names.
A case regressed if it was right, and fails or is unsupported now. Flaky failures never count as regressions.

Exit codes: 0 nothing regressed, 1 a case regressed, 2 wrong usage or data, 3 a backend could not start";

/// The form of the output.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Format {
    Text,
    Markdown,
    Json,
    Html,
}

/// Says what was fixed, what regressed and what changed between two runs or two backends.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
#[group(skip)]
pub struct Args {
    /// The folder of the results to compare with; without folders, both backends run now
    #[arg(value_name = "BASE", conflicts_with_all = conformance::OPTIONS)]
    base: Option<PathBuf>,
    /// The folder of the new results [default: BASE, for two backends of one run]
    #[arg(value_name = "NEW")]
    new: Option<PathBuf>,
    /// The backend of the new side, if it is not the --backend of the base side
    #[arg(long, value_name = "NAME")]
    against: Option<String>,
    /// The form of the comparison on stdout
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    format: Format,
    #[command(flatten, next_help_heading = "Options of a run, if both backends run now")]
    run: conformance::Args,
}

/// Replaces the help of `--backend` by what it means here, and hides the options that only `plumbline conformance` has.
pub fn with_own_help(command: clap::Command) -> clap::Command {
    let backend = |argument: clap::Arg| {
        argument
            .help("The backend of the base side, and of the new side unless --against names another; written as for `plumbline conformance`, or as in the results (onnxruntime, onnxruntime@1.31.1)")
            .help_heading(None::<&str>)
    };
    let command = command.mut_arg("backend", backend);
    ["resume", "accept", "base_run", "gate", "floor", "coverage", "list", "annotations"]
        .into_iter()
        .fold(command, |command, name| command.mut_arg(name, |arg| arg.hide(true)))
}

/// Runs `plumbline compare`.
pub fn run(args: Args) -> anyhow::Result<Exit> {
    let Args { base, new, against, format, run } = args;
    let backend = match run.backend.as_slice() {
        [] => None,
        [name] => Some(name.clone()),
        _ => bail!("--backend names the backend of the base side, so it is given once; --against names the other"),
    };
    let comparison = match (&base, &new) {
        (Some(base), Some(new)) => {
            let against = against.as_deref().or(backend.as_deref());
            compare_sides(base, backend.as_deref(), new, against)?
        }
        (Some(folder), None) => {
            let (Some(backend), Some(against)) = (&backend, &against) else {
                bail!("one folder holds one run: name NEW as well, or two backends in it with --backend and --against");
            };
            compare_sides(folder, Some(backend), folder, Some(against))?
        }
        (None, _) => {
            let (Some(backend), Some(against)) = (backend, against) else {
                bail!("name two folders of results, or two backends to run, with --backend and --against");
            };
            // Stdout is for the comparison.
            output::print_to_stderr();
            let conformance::Pair { folder, base, new } = conformance::run_pair(run, &backend, &against)?;
            compare_sides(&folder, Some(&base), &folder, Some(&new))?
        }
    };
    let text = match format {
        Format::Text => comparison.text(program()),
        Format::Markdown => comparison.markdown(program()),
        Format::Json => comparison.json(program())?,
        Format::Html => comparison_page(&comparison, program())?,
    };
    output::print(&text)?;
    Ok(if comparison.is_regression() { Exit::DoesNotConform } else { Exit::Conforms })
}

fn compare_sides(
    base: &Path,
    base_backend: Option<&str>,
    new: &Path,
    new_backend: Option<&str>,
) -> anyhow::Result<Comparison> {
    let base = RunSide { folder: base, backend: base_backend };
    let new = RunSide { folder: new, backend: new_backend };
    Ok(compare(&base, &new)?)
}
