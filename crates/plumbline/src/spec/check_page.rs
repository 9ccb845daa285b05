//! `plumbline spec check-page FILE`: compares pages of documentation with specs/.

use super::Format;
use crate::colour::{Colour, Paint};
use crate::exit::Exit;
use crate::output::print;
use anyhow::Context;
use plumbline_spec::directml::DirectMl;
use plumbline_spec::page::{Comparison, compare};
use plumbline_spec::{Spec, to_pretty_json};
use serde_json::json;
use std::path::{Path, PathBuf};

const EXAMPLES: &str = "\
Examples:
  plumbline spec check-page onnx__Min.rst       a page of ONNX's documentation
  plumbline spec check-page pages/*.txt         many of them
  plumbline spec check-page FILE --format json  for programs

Reads pages of ONNX as reStructuredText, as Markdown, and as the text of the rendered page, and those of Microsoft Learn on
operators of DirectML in Markdown.
Exit codes: 0 all pages agree; 1 a page disagrees; 2 a page cannot be read.";

/// Arguments of `plumbline spec check-page`.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// The pages.
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// The form of the output.
    #[arg(long, value_enum, default_value = "text")]
    format: Format,
}

/// Runs `plumbline spec check-page`.
pub fn run(args: Args) -> anyhow::Result<Exit> {
    let mut comparisons = Vec::with_capacity(args.files.len());
    for file in &args.files {
        comparisons.push((file, check(file)?));
    }
    match args.format {
        Format::Json => {
            let pages = comparisons
                .iter()
                .map(|(file, comparison)| json!({ "file": file.display().to_string(), "comparison": comparison }));
            print(&to_pretty_json(&pages.collect::<Vec<_>>())?)?;
        }
        Format::Text => {
            print(&comparisons.iter().map(|(file, comparison)| to_text(file, comparison)).collect::<String>())?
        }
    }
    let agree = comparisons.iter().all(|(_, comparison)| comparison.disagreements.is_empty());
    Ok(if agree { Exit::Conforms } else { Exit::DoesNotConform })
}

fn check(file: &Path) -> anyhow::Result<Comparison> {
    let bytes = std::fs::read(file).with_context(|| format!("cannot read {}", file.display()))?;
    let text = String::from_utf8(bytes).with_context(|| format!("{} is not text in UTF-8", file.display()))?;
    compare(&text, Spec::embedded(), DirectMl::embedded())
        .with_context(|| format!("{} cannot be read as the page of an operator", file.display()))
}

fn to_text(file: &Path, comparison: &Comparison) -> String {
    let paint = Paint::stdout();
    let mut text = String::new();
    for disagreement in &comparison.disagreements {
        text += &paint.paint(Colour::Red, &format!("{}:{disagreement}", file.display()));
        text.push('\n');
    }
    let (count, compared) = (comparison.disagreements.len(), comparison.compared.join(", "));
    let colour = if count == 0 { Colour::Green } else { Colour::Red };
    text += &paint.paint(colour, &format!("{}: {count} disagreements on {compared}", file.display()));
    text.push('\n');
    if !comparison.not_on_page.is_empty() {
        let note = format!("{}: the page does not mention: {}", file.display(), comparison.not_on_page.join(", "));
        text += &paint.paint(Colour::Dim, &note);
        text.push('\n');
    }
    text
}
