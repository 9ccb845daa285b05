//! `plumbline support`: makes tables of what backends support, by operator version and type.

use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use clap::ValueEnum;
use plumbline_conformance::Selection;
use plumbline_report::support::{Support, SupportOptions, support, winml};

use crate::exit::Exit;
use crate::output;
use crate::places::places;

const EXAMPLES: &str = "\
Examples:
  plumbline support                                    the last run, as Markdown on stdout
  plumbline support plumbline-results --newest --out SUPPORT.md
  plumbline support a b --backend rten --op Conv --op Gemm-13
  plumbline support plumbline-results --format json --out support.json
  plumbline support plumbline-results --format winml --backend onnxruntime \\
    --provider CPUExecutionProvider --device CPU --out rules

A type of an operator version is correct if every judged case is right. Otherwise the table says whether the backend only
answers invalid cases (lenient), states a limit (limits), is inexact (inaccurate) or wrong, and which features the failing
cases have and no passing case has. docs/support.md shows the table and describes the formats.";

/// The form of the output.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Format {
    /// Tables for the documentation of a project
    Markdown,
    /// Data, by the schema in crates/report/src/support/support-1.schema.json
    Json,
    /// Rule files of Microsoft's winml-cli, for the folder that WINMLCLI_RULES_DIR names
    Winml,
}

/// Makes tables of what backends support, by operator version and type, and whether they are right.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// Folders of runs, or files of results (.jsonl or .jsonl.gz); several are counted together
    #[arg(value_name = "RESULTS", default_values_os_t = [places().results.clone()])]
    results: Vec<PathBuf>,
    /// A backend of the results, with or without its version: onnxruntime, onnxruntime@1.31.1 [default: all]
    #[arg(long, value_name = "NAME")]
    backend: Vec<String>,
    /// An operator or operator version: Min, Min-13, ai.onnx.ml.Scaler-1
    #[arg(long, value_name = "OP")]
    op: Vec<String>,
    /// Show only the newest version of each operator that the results have
    #[arg(long)]
    newest: bool,
    /// The form of the output
    #[arg(long, value_name = "FORMAT", default_value = "markdown")]
    format: Format,
    /// The file to write, or for winml the folder of the rules [default: stdout]
    #[arg(long, value_name = "FILE|DIR")]
    out: Option<PathBuf>,
    /// For winml: the execution provider that the rules are for, as winml-cli names it (QNNExecutionProvider)
    #[arg(long, value_name = "NAME")]
    provider: Option<String>,
    /// For winml: the device that the rules are for: CPU, GPU or NPU
    #[arg(long, value_name = "DEVICE")]
    device: Option<String>,
}

/// Runs `plumbline support`.
pub fn run(args: Args) -> anyhow::Result<Exit> {
    let target = target(&args)?;
    let selection = Selection::new(&args.op, &[] as &[&str]).map_err(anyhow::Error::msg)?;
    let support = support(&SupportOptions {
        results: &args.results,
        backends: &args.backend,
        selection: &selection,
        newest: args.newest,
        project_version: env!("CARGO_PKG_VERSION"),
    })?;
    let text = match (args.format, target) {
        (_, Some((target, folder))) => return write_rules(&support, &target, &folder),
        (Format::Json, None) => support.json()?,
        (Format::Markdown | Format::Winml, None) => support.markdown(),
    };
    match &args.out {
        Some(path) => write(path, text.as_bytes())?,
        None => output::print(&text)?,
    }
    Ok(Exit::Conforms)
}

/// Returns what rule files need, if they are asked for.
fn target(args: &Args) -> anyhow::Result<Option<(winml::Target, PathBuf)>> {
    match (args.format, &args.provider, &args.device, &args.out) {
        (Format::Winml, Some(provider), Some(device), Some(out)) => {
            Ok(Some((winml::Target::new(provider, device)?, out.clone())))
        }
        (Format::Winml, ..) => bail!("--format winml needs --provider, --device and --out"),
        (_, None, None, _) => Ok(None),
        _ => bail!("--provider and --device are only for --format winml"),
    }
}

/// Writes rule files for the only backend of the results.
fn write_rules(support: &Support, target: &winml::Target, folder: &Path) -> anyhow::Result<Exit> {
    let [backend] = support.backends.as_slice() else {
        let names: Vec<&str> = support.backends.iter().map(|backend| backend.backend.as_str()).collect();
        bail!("rules are for one backend; choose one with --backend: the results have {}", names.join(", "));
    };
    let rules = winml::rules(backend, target)?;
    for (path, bytes) in &rules.files {
        write(&folder.join(path), bytes)?;
    }
    output::print(&format!(
        "{} of {} in {}\n",
        output::counted(rules.rules, "rule"),
        output::counted(rules.files.len() as u64, "operator version"),
        folder.display()
    ))?;
    for (count, noun, why) in [
        (rules.other_domains, "operator version", "in domains that winml-cli does not know"),
        (rules.other_types, "binding", "with types that winml-cli does not know"),
    ] {
        if count > 0 {
            eprintln!("left out: {} {why}", output::counted(count, noun));
        }
    }
    support.limits.iter().for_each(|limit| eprintln!("{limit}"));
    Ok(Exit::Conforms)
}

/// Writes a file, and creates its folder if it does not exist.
fn write(path: &Path, bytes: &[u8]) -> anyhow::Result<()> {
    if let Some(folder) = path.parent() {
        std::fs::create_dir_all(folder).with_context(|| format!("cannot create {}", folder.display()))?;
    }
    std::fs::write(path, bytes).with_context(|| format!("cannot write {}", path.display()))
}
