//! `plumbline site`: makes a static site of many runs.

use std::path::PathBuf;

use plumbline_report::site::build;
use plumbline_spec::Spec;

use crate::exit::Exit;
use crate::output::{counted, print};

const EXAMPLES: &str = "\
Examples:
  plumbline site monday tuesday --out site             two runs, by their folders of results
  plumbline site runs/* --out site --title 'Our runtime'
  plumbline site site new-run --out site               an earlier site, and one more run
  plumbline site examples/history --out site           history files that a site has in data/

Writes index.html, a page for each backend, operator and step from one version to the next, cells/ with a JSON file for
each cell, badges/, and data/ with the history files from which the next site can be made. The pages need no server and
no JavaScript. The folder is replaced as a whole, and only if it is empty or a site.
Steps compare runs of the same seed, profile and version of Plumbline; other runs may be on the same site.";

/// Makes a static site of many runs.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// Folders of runs (results.jsonl and run.json), earlier sites, history files (*.jsonl.gz), and folders of these
    #[arg(value_name = "RUN", required = true)]
    runs: Vec<PathBuf>,
    /// The folder for the site
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
    /// The heading of the site
    #[arg(long, value_name = "TEXT", default_value = "ONNX conformance")]
    title: String,
}

/// Runs `plumbline site`.
pub fn run(args: Args) -> anyhow::Result<Exit> {
    let facts = build(Spec::embedded(), &args.runs, &args.out, &args.title)?;
    print(&format!(
        "{}, {} of {}, {}, {}, {}: {}\n",
        counted(facts.runs, "run"),
        counted(facts.versions, "version"),
        counted(facts.backends, "backend"),
        counted(facts.steps, "step"),
        counted(facts.operators, "operator"),
        counted(facts.cells, "cell"),
        args.out.join("index.html").display()
    ))?;
    Ok(Exit::Conforms)
}
