//! `cargo xtask spec diff Min 6 8`: what changed between versions.

use super::{Format, find};
use crate::colour::{Colour, Paint};
use crate::exit::Exit;
use crate::output::print;
use plumbline_spec::{Found, SpecDiff, to_pretty_json};

const EXAMPLES: &str = "\
Examples:
  cargo xtask spec diff Min 6 8                 what changed from Min-6 to Min-8
  cargo xtask spec diff Min                     what changed from each version to the next
  cargo xtask spec diff Clip 6 13 --format json for programs";

/// Arguments of `cargo xtask spec diff`.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// The operator: Min, or ai.onnx.ml.Scaler.
    operator: String,
    /// The version to compare from; left out, every version is compared with the next.
    #[arg(requires = "to")]
    from: Option<u32>,
    /// The version to compare to.
    to: Option<u32>,
    /// The form of the output.
    #[arg(long, value_enum, default_value = "text")]
    format: Format,
}

/// Runs `cargo xtask spec diff`.
pub fn run(args: Args) -> anyhow::Result<Exit> {
    let operator = match find(&args.operator)? {
        Found::Operator(operator) => operator,
        Found::Version(operator, version) => {
            let name = operator.qualified_name();
            anyhow::bail!("two versions are compared: `cargo xtask spec diff {name} {} ...`", version.since)
        }
    };
    let diffs: Vec<SpecDiff> = match (args.from, args.to) {
        (Some(from), Some(to)) => {
            let (from, to) = (operator.find_version(from)?, operator.find_version(to)?);
            vec![SpecDiff::between(from, to, operator.rules.as_ref())]
        }
        _ => operator.diffs().collect(),
    };
    match (args.format, diffs.as_slice()) {
        (Format::Json, [diff]) if args.from.is_some() => print(&to_pretty_json(diff)?)?,
        (Format::Json, diffs) => print(&to_pretty_json(&diffs)?)?,
        (Format::Text, []) => print(&format!("{} has one version only\n", operator.qualified_name()))?,
        (Format::Text, diffs) => print(&diffs.iter().map(to_text).collect::<String>())?,
    }
    Ok(Exit::Conforms)
}

fn to_text(diff: &SpecDiff) -> String {
    let paint = Paint::stdout();
    let painted = |line: &str| {
        let colour = match line.trim_start().chars().next() {
            Some('+') => Colour::Green,
            Some('-') => Colour::Red,
            Some('~') => Colour::Yellow,
            _ if line.starts_with(' ') => Colour::Dim,
            _ => Colour::Bold,
        };
        paint.paint(colour, line) + "\n"
    };
    diff.to_string().lines().map(painted).collect()
}
