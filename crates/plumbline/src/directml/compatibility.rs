//! `plumbline directml compatibility`: shows from which feature level each type of each operator version is served.

use crate::exit::Exit;
use crate::output::print;
use clap::ValueEnum;
use plumbline_spec::directml::{DirectMl, OPERATOR_PREFIX, ServiceRow, Unsupported};
use plumbline_spec::{OperatorVersion, Spec, to_pretty_json};
use serde_json::json;

const EXAMPLES: &str = "\
Examples:
  plumbline directml compatibility                    every operator of ONNX
  plumbline directml compatibility --op Min-13        one version
  plumbline directml compatibility --format json      for programs
  plumbline directml compatibility --unsupported      what the provider registers without documented support";

/// Arguments of `plumbline directml compatibility`.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// Only this operator or version: Min, Min-13; may be given more than once.
    #[arg(long = "op", value_name = "OP")]
    operators: Vec<String>,
    /// Show instead what ONNX Runtime's provider registers without documented support.
    #[arg(long)]
    unsupported: bool,
    /// The form of the output.
    #[arg(long, value_enum, default_value = "markdown")]
    format: Format,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    /// A table for people.
    Markdown,
    /// JSON for programs.
    Json,
}

/// Runs `plumbline directml compatibility`.
pub fn run(args: Args) -> anyhow::Result<Exit> {
    let (spec, directml) = (Spec::embedded(), DirectMl::embedded());
    let mut versions: Vec<&OperatorVersion> = Vec::new();
    for name in &args.operators {
        versions.extend(spec.find(name)?.versions());
    }
    if args.operators.is_empty() {
        versions.extend(spec.versions());
    }
    if args.unsupported {
        let mut found = directml.registered_without_support();
        let asked = |found: &Unsupported| {
            versions.iter().map(|version| &version.id).any(|id| {
                (id.domain.as_str(), id.name.as_str(), id.since)
                    == (found.domain.as_str(), found.name.as_str(), found.since)
            })
        };
        found.retain(|found| args.operators.is_empty() || asked(found));
        match args.format {
            Format::Json => print(&to_pretty_json(&found)?)?,
            Format::Markdown => print(&unsupported(&found))?,
        }
        return Ok(Exit::Conforms);
    }
    match args.format {
        Format::Json => {
            let value = |version: &&OperatorVersion| json!({ "version": version.id.to_string(), "types": directml.services(version) });
            print(&to_pretty_json(&versions.iter().map(value).collect::<Vec<_>>())?)?;
        }
        Format::Markdown => {
            let section = |version: &&OperatorVersion| to_markdown(version, &directml.service_rows(version));
            print(&versions.iter().map(section).collect::<String>())?;
        }
    }
    Ok(Exit::Conforms)
}

/// Returns the table of a version. Types with the same support share a row.
fn to_markdown(version: &OperatorVersion, rows: &[ServiceRow]) -> String {
    let mut text = format!("## {}\n\n", version.id);
    if rows.is_empty() {
        return text + "no type variable\n\n";
    }
    text +=
        "| variable | types | from | through | dimension counts | obstacle |\n| --- | --- | --- | --- | --- | --- |\n";
    for row in rows {
        let from = row.from.map_or_else(|| "never".to_owned(), |level| level.to_string());
        let (types, through, counts) = (row.types.join(", "), row.through.join(", "), row.dimension_counts.join("; "));
        let obstacle = row.obstacle.as_deref().unwrap_or("");
        text += &format!("| {} | {types} | {from} | {through} | {counts} | {obstacle} |\n", row.variable);
    }
    text + "\n"
}

fn unsupported(found: &[Unsupported]) -> String {
    let mut text = "| operator version | variable | types | tensor |\n| --- | --- | --- | --- |\n".to_owned();
    for Unsupported { domain, name, since, variable, types, operator, tensor } in found {
        let types: Vec<&str> = types.iter().map(|dtype| dtype.name()).collect();
        let id = plumbline_spec::OperatorId::new(domain, name, *since);
        let operator = operator.trim_start_matches(OPERATOR_PREFIX);
        text += &format!("| {id} | {variable} | {} | {tensor} of {operator} |\n", types.join(", "));
    }
    text
}
