//! `plumbline spec diff Min 6 8`: shows what changed between versions.

use super::{Format, directml, find};
use crate::colour::paint_changes;
use crate::exit::Exit;
use crate::output::print;
use crate::places::program;
use anyhow::Context;
use plumbline_spec::directml::{DirectMl, FeatureLevel};
use plumbline_spec::{Found, SpecDiff, to_pretty_json};

const EXAMPLES: &str = "\
Examples:
  plumbline spec diff Min 6 8                  what changed from Min-6 to Min-8
  plumbline spec diff Min                      what changed from each version to the next
  plumbline spec diff Clip 6 13 --format json  for programs
  plumbline spec diff DML_OPERATOR_ELEMENT_WISE_MIN 2_1 5_0
  plumbline spec diff Min-13 DML_OPERATOR_ELEMENT_WISE_MIN   what ONNX and DirectML say, side by side";

/// Arguments of `plumbline spec diff`.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// The operator: Min, ai.onnx.ml.Scaler, or DML_OPERATOR_CAST.
    operator: String,
    /// The version, or DirectML's feature level, to compare from [default: each is compared with the next]. If it is the
    /// name of an operator of DirectML, what ONNX says of the first operator, in its newest version or in the one that is
    /// named (Min-13), is compared with what DirectML says of this one.
    from: Option<String>,
    /// The version or feature level to compare to.
    to: Option<String>,
    /// The form of the output.
    #[arg(long, value_enum, default_value = "text")]
    format: Format,
}

/// Compares an operator of ONNX with one of DirectML.
fn counterpart(args: &Args, other: &str) -> anyhow::Result<Exit> {
    let Some(operator) = directml::find(other)? else {
        anyhow::bail!(
            "give the version to compare to as well, or the name of an operator of DirectML: `{} spec diff {} {other} ...`",
            program(),
            args.operator
        )
    };
    let (onnx, version) = find(&args.operator)?.newest().context("the operator has no version")?;
    let pair = DirectMl::embedded().counterpart(version, onnx.rules.as_ref(), operator);
    match args.format {
        Format::Json => print(&to_pretty_json(&pair)?)?,
        Format::Text => print(&paint_changes(&pair.to_string()))?,
    }
    Ok(Exit::Conforms)
}

/// Runs `plumbline spec diff`.
pub fn run(args: Args) -> anyhow::Result<Exit> {
    if let Some(operator) = directml::find(&args.operator)? {
        let level = |text: String| text.parse::<FeatureLevel>();
        anyhow::ensure!(
            args.from.is_some() == args.to.is_some(),
            "give both feature levels, or none to compare each with the next: `{} spec diff {} 2_1 5_0`",
            program(),
            operator.name
        );
        let levels = args.from.map(level).transpose()?.zip(args.to.map(level).transpose()?);
        directml::diff(operator, levels, args.format)?;
        return Ok(Exit::Conforms);
    }
    if let (Some(other), None) = (&args.from, &args.to) {
        return counterpart(&args, other);
    }
    let version =
        |text: &String| text.parse::<u32>().with_context(|| format!("`{text}` is not the number of a version"));
    let from = args.from.as_ref().map(version).transpose()?;
    let to = args.to.as_ref().map(version).transpose()?;
    let operator = match find(&args.operator)? {
        Found::Operator(operator) => operator,
        Found::Version(operator, version) => {
            let name = operator.qualified_name();
            anyhow::bail!(
                "give the two versions as arguments of their own: `{} spec diff {name} {} ...`",
                program(),
                version.since
            )
        }
    };
    let diffs: Vec<SpecDiff> = match (from, to) {
        (Some(from), Some(to)) => {
            let (from, to) = (operator.find_version(from)?, operator.find_version(to)?);
            vec![SpecDiff::between(from, to, operator.rules.as_ref())]
        }
        _ => operator.diffs().collect(),
    };
    match (args.format, diffs.as_slice()) {
        (Format::Json, [diff]) if from.is_some() => print(&to_pretty_json(diff)?)?,
        (Format::Json, diffs) => print(&to_pretty_json(&diffs)?)?,
        (Format::Text, []) => print(&format!("{} has only one version\n", operator.qualified_name()))?,
        (Format::Text, diffs) => print(&diffs.iter().map(|diff| paint_changes(&diff.to_string())).collect::<String>())?,
    }
    Ok(Exit::Conforms)
}
