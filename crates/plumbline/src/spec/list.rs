//! `plumbline spec list`: lists every operator and its versions.

use super::{Format, directml};
use crate::colour::{Colour, Paint};
use crate::exit::Exit;
use crate::output::print;
use anyhow::bail;
use plumbline_spec::{Operator, Spec, canonical_domain, to_pretty_json};
use serde_json::{Value, json};

const EXAMPLES: &str = "\
Examples:
  plumbline spec list                        every operator
  plumbline spec list --domain ai.onnx.ml    those of one domain
  plumbline spec list --domain directml      those of DirectML, with the feature levels that changed them
  plumbline spec list --format json          for programs";

/// Arguments of `plumbline spec list`.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// Only operators of this domain; `directml` for DirectML's, which are not listed otherwise.
    #[arg(long)]
    domain: Option<String>,
    /// The form of the output.
    #[arg(long, value_enum, default_value = "text")]
    format: Format,
}

/// Runs `plumbline spec list`.
pub fn run(args: Args) -> anyhow::Result<Exit> {
    if args.domain.as_deref() == Some(directml::DOMAIN) {
        directml::list(args.format)?;
        return Ok(Exit::Conforms);
    }
    let spec = Spec::embedded();
    let domain = args.domain.as_deref().map(canonical_domain);
    let wanted = |operator: &&Operator| domain.is_none_or(|domain| operator.domain == domain);
    let operators: Vec<&Operator> = spec.operators().filter(wanted).collect();
    if operators.is_empty() {
        let mut domains: Vec<&str> = spec.operators().map(|operator| operator.domain.as_str()).collect();
        domains.dedup();
        domains.push(directml::DOMAIN);
        bail!("no domain is called `{}`; the domains are {}", domain.unwrap_or_default(), domains.join(", "));
    }
    match args.format {
        Format::Json => print(&to_pretty_json(&operators.iter().map(|op| to_value(op)).collect::<Value>())?)?,
        Format::Text => print(&to_text(&operators))?,
    }
    Ok(Exit::Conforms)
}

fn to_value(operator: &Operator) -> Value {
    let rules = operator.rules.as_ref();
    json!({
        "domain": operator.domain,
        "name": operator.name,
        "versions": operator.versions.iter().map(|version| version.since).collect::<Vec<_>>(),
        "deprecated": operator.versions.last().is_some_and(|version| version.deprecated),
        "constraints": rules.map_or(0, |rules| rules.constraints.len()),
        "covered": operator.is_covered(),
        "behaviours": rules.map_or(0, |rules| rules.behaviours.len()),
    })
}

fn to_text(operators: &[&Operator]) -> String {
    let mut text = String::new();
    let paint = Paint::stdout();
    let width = operators.iter().map(|operator| operator.qualified_name().len()).max().unwrap_or(0);
    for operator in operators {
        let versions: Vec<String> = operator.versions.iter().map(|version| version.since.to_string()).collect();
        let deprecated = operator.versions.last().is_some_and(|version| version.deprecated);
        let note = match deprecated {
            true => paint.paint(Colour::Dim, "  deprecated"),
            false if operator.is_covered() => String::new(),
            false => paint.paint(Colour::Dim, "  not covered yet"),
        };
        text += &format!("{:width$}  {}{note}\n", operator.qualified_name(), versions.join(" "));
    }
    let versions: usize = operators.iter().map(|operator| operator.versions.len()).sum();
    let open = operators.iter().filter(|operator| !operator.is_covered()).count();
    let open = if open > 0 { format!(", {open} operators not covered yet") } else { String::new() };
    text + &format!("{} operators, {versions} versions{open}\n", operators.len())
}
