//! `plumbline spec import`: writes specs/ from the onnx package, or from the tables of DirectML.

use crate::exit::Exit;
use crate::{places, python};
use anyhow::{Context, bail};
use clap::ValueEnum;
use plumbline_spec::{IMPORT_SCRIPT, Import, ONNX_RELEASE, directml};
use std::path::PathBuf;

const EXAMPLES: &str = "\
Examples:
  plumbline spec import onnx                     write the facts of the onnx package
  plumbline spec import onnx --check             exit with 1 if specs/ differs, and say where
  plumbline spec import onnx --specs other/specs write into another folder
  plumbline spec import directml --from DIR      write the facts of dml_operators.json and onnx_to_dml.json";

/// Arguments of `plumbline spec import`.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// The source of the facts.
    #[arg(value_enum)]
    origin: Origin,
    /// Write nothing; fail if a file would change.
    #[arg(long)]
    check: bool,
    /// For directml: the folder of the tables.
    #[arg(long, value_name = "DIR", required_if_eq("origin", "directml"))]
    from: Option<PathBuf>,
    /// The folder to write to, or to check.
    #[arg(long, value_name = "DIR")]
    specs: Option<PathBuf>,
}

#[derive(Clone, Copy, ValueEnum)]
enum Origin {
    /// The onnx package of Python, in the release this project is pinned to.
    Onnx,
    /// The fact tables of DirectML, as files.
    Directml,
}

/// Runs `plumbline spec import`.
pub fn run(args: Args) -> anyhow::Result<Exit> {
    let specs = args.specs.map_or_else(places::specs, Ok)?;
    let (import, who) = match (args.origin, args.from) {
        (Origin::Onnx, None) => {
            let import = import_onnx()?;
            let who = format!("onnx {}", import.release);
            (import, who)
        }
        (Origin::Onnx, Some(_)) => {
            bail!("--from is only for the tables of DirectML; the facts of ONNX come from its package")
        }
        (Origin::Directml, from) => {
            let import = directml::import(&from.unwrap_or_default())?;
            let who = import.release.clone();
            (import, who)
        }
    };
    if args.check {
        return check(&import, &who, &specs);
    }
    let written = import.write(&specs)?;
    for path in &written.changed {
        println!("wrote {}", path.display());
    }
    for path in &written.removed {
        println!("removed {}", path.display());
    }
    let same = import.files.len() - written.changed.len();
    println!("{who}: {} files written, {same} unchanged", written.changed.len());
    Ok(Exit::Conforms)
}

/// Reads the facts of the pinned onnx package.
fn import_onnx() -> anyhow::Result<Import> {
    let python = python::with_packages(&[&format!("onnx=={ONNX_RELEASE}")])?;
    let text = python::run(&python, IMPORT_SCRIPT, &[]).context("cannot read the onnx package")?;
    let import = Import::parse(&text)?;
    if import.release != ONNX_RELEASE {
        bail!("{} has onnx {}, but this project is pinned to {ONNX_RELEASE}", python.display(), import.release);
    }
    Ok(import)
}

/// The largest number of differences that are shown one by one.
const SHOWN: usize = 200;

fn check(import: &Import, who: &str, specs: &std::path::Path) -> anyhow::Result<Exit> {
    let differences = import.differences(specs)?;
    if differences.is_empty() {
        println!("{} agrees with {who}: {} files", specs.display(), import.files.len());
        return Ok(Exit::Conforms);
    }
    for difference in differences.iter().take(SHOWN) {
        println!("{difference}");
    }
    if differences.len() > SHOWN {
        println!("... and {} more", differences.len() - SHOWN);
    }
    println!("{} differences; run without --check to write the files from {who}", differences.len());
    Ok(Exit::DoesNotConform)
}
