//! `plumbline spec show Min`: shows the versions, types and rules of an operator.

use super::{Format, directml, find, rule_text};
use crate::colour::{Colour, Paint};
use crate::exit::Exit;
use crate::output::print;
use crate::places::program;
use plumbline_spec::directml::FeatureLevel;
use plumbline_spec::{
    Attribute, AttributeValue, Determinism, Formal, FormalOption, Found, OperatorVersion, Rules, SeenIn, Support,
    TypeStr, VersionRange, to_pretty_json,
};
use serde_json::{Value, json};
use std::collections::BTreeSet;

const EXAMPLES: &str = "\
Examples:
  plumbline spec show Min                  every version, the types of each, the rules
  plumbline spec show Min-13               one version
  plumbline spec show ai.onnx.ml.Scaler --format json
  plumbline spec show DML_OPERATOR_ELEMENT_WISE_MIN --level 2_1";

/// Arguments of `plumbline spec show`.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// The operator or one of its versions: Min, Min-13, ai.onnx.ml.Scaler, DML_OPERATOR_CAST.
    operator: String,
    /// Show what an operator of DirectML supports at this feature level.
    #[arg(long)]
    level: Option<FeatureLevel>,
    /// The form of the output.
    #[arg(long, value_enum, default_value = "text")]
    format: Format,
}

/// Runs `plumbline spec show`.
pub fn run(args: Args) -> anyhow::Result<Exit> {
    if let Some(operator) = directml::find(&args.operator)? {
        directml::show(operator, args.level, args.format)?;
        return Ok(Exit::Conforms);
    }
    let found = find(&args.operator)?;
    if args.level.is_some() {
        anyhow::bail!(
            "--level is only for operators of DirectML; those of ONNX have versions: `{} spec show Min-13`",
            program()
        );
    }
    match args.format {
        Format::Json => print(&to_pretty_json(&to_value(found))?)?,
        Format::Text => {
            let mut page = Page { found, paint: Paint::stdout(), text: String::new() };
            page.write();
            print(&page.text)?;
        }
    }
    Ok(Exit::Conforms)
}

fn to_value(found: Found) -> Value {
    let operator = found.operator();
    let versions: Vec<Value> = found.versions().iter().map(OperatorVersion::to_value).collect();
    let mut rules = operator.rules.clone().unwrap_or_default();
    let shown = |versions: VersionRange| found.versions().iter().any(|version| versions.contains(version.since));
    rules.constraints.retain(|rule| shown(rule.versions));
    rules.required.retain(|rule| shown(rule.versions));
    rules.behaviours.retain(|rule| shown(rule.versions));
    rules.accuracy.retain(|rule| shown(rule.versions));
    json!({
        "domain": operator.domain,
        "name": operator.name,
        "versions": versions,
        "rules": operator.rules.is_some().then(|| rules.to_value()),
    })
}

struct Page<'a> {
    found: Found<'a>,
    paint: Paint,
    text: String,
}

impl Page<'_> {
    fn line(&mut self, text: &str) {
        self.text.push_str(text);
        self.text.push('\n');
    }

    fn write(&mut self) {
        let operator = self.found.operator();
        let versions: Vec<String> = operator.versions.iter().map(|version| version.since.to_string()).collect();
        self.heading(&format!("{} of {}, versions {}", operator.name, operator.domain, versions.join(", ")));
        for versions in self.found.versions().chunk_by(same_signature) {
            self.version(versions);
        }
        self.types();
        match &operator.rules {
            Some(rules) => self.rules(rules),
            None => self.line(&format!("\n{}", self.paint.paint(Colour::Dim, "the operator has no rules yet"))),
        }
    }

    fn heading(&mut self, text: &str) {
        self.line(&self.paint.paint(Colour::Bold, text));
    }

    /// Prints consecutive versions that have the same signature.
    fn version(&mut self, versions: &[OperatorVersion]) {
        let Some(version) = versions.first() else { return };
        self.line("");
        let ids = versions.iter().map(|version| version.id.to_string()).collect::<Vec<_>>().join(", ");
        let mut notes = Vec::new();
        notes.extend(version.deprecated.then_some("deprecated"));
        notes.extend((version.support == Support::Experimental).then_some("experimental"));
        notes.extend(version.function.then_some("function"));
        notes.extend((!version.shape_inference).then_some("no shape inference"));
        notes.extend(match version.deterministic {
            Determinism::Deterministic => None,
            Determinism::NonDeterministic => Some("not deterministic"),
            Determinism::Unknown => Some("determinism unknown"),
        });
        let notes = notes.iter().map(|note| format!("  {note}")).collect::<String>();
        self.line(&format!("{}{}", self.paint.paint(Colour::Bold, &ids), self.paint.paint(Colour::Dim, &notes)));
        self.formals("inputs", version.min_inputs, version.max_inputs, &version.inputs);
        self.formals("outputs", version.min_outputs, version.max_outputs, &version.outputs);
        if !version.attributes.is_empty() {
            self.line("  attributes");
        }
        let width = version.attributes.iter().map(|attribute| attribute.name.len()).max().unwrap_or(0);
        for attribute in &version.attributes {
            self.line(&format!("    {:width$}  {}", attribute.name, describe_attribute(attribute)));
        }
    }

    fn formals(&mut self, what: &str, min: u32, max: u32, formals: &[Formal]) {
        let count = match (min, max) {
            (min, max) if max == i32::MAX.unsigned_abs() => format!("{min} or more"),
            (min, max) if min == max => min.to_string(),
            (min, max) => format!("{min} to {max}"),
        };
        self.line(&format!("  {what}: {count}"));
        let width = formals.iter().map(|formal| formal.name.len()).max().unwrap_or(0);
        for formal in formals {
            self.line(&format!("    {:width$}  {}", formal.name, describe_formal(formal)));
        }
    }

    /// Prints a row for each type of each type variable, and a column for each version.
    fn types(&mut self) {
        let versions = self.found.versions();
        let rows: BTreeSet<(&str, &TypeStr)> = versions.iter().flat_map(OperatorVersion::cells).collect();
        if rows.is_empty() {
            return;
        }
        self.line("");
        let variables: BTreeSet<&str> = rows.iter().map(|(variable, _)| *variable).collect();
        let left = variables.iter().map(|variable| variable.len()).max().unwrap_or(0);
        let width = rows.iter().map(|(_, type_)| type_.to_string().len()).max().unwrap_or(0);
        let columns: Vec<String> = versions.iter().map(|version| format!("{:>3}", version.since)).collect();
        self.heading(&format!("types{}{}", " ".repeat((left + width + 3).saturating_sub(5)), columns.join(" ")));
        for variable in variables {
            let mut name = variable;
            // Types are sorted by ONNX's spelling, as in the files of specs/.
            let mut types: Vec<&TypeStr> = rows.iter().filter(|row| row.0 == variable).map(|row| row.1).collect();
            types.sort_by_key(|type_| type_.to_string());
            for type_ in types {
                let has =
                    |version: &OperatorVersion| version.types.get(variable).is_some_and(|types| types.contains(type_));
                let marks: Vec<&str> = versions.iter().map(|v| if has(v) { "  x" } else { "  ." }).collect();
                self.line(&format!("{name:left$}  {:width$} {}", type_.to_string(), marks.join(" ")));
                name = "";
            }
        }
    }

    fn rules(&mut self, rules: &Rules) {
        let versions = self.found.versions();
        let shown = |range: VersionRange| versions.iter().any(|version| range.contains(version.since));
        self.line("");
        self.heading("rules");
        for rule in rules.constraints.iter().filter(|rule| shown(rule.versions)) {
            let head = format!("{} ({}) constraint", rule.label, rule.texts());
            let mut having = versions.iter().filter(|version| rule.applies_to(version.since));
            let in_values = having.any(|version| version.seen_in(rule) == SeenIn::Values);
            let seen_in = if in_values { "values at run time" } else { "" };
            self.rule(&head, Colour::Bold, &rule.text, &[("seen in", seen_in), ("source", &rule.source)]);
        }
        for rule in rules.required.iter().filter(|rule| shown(rule.versions)) {
            let head = format!("required ({}) {}", rule.versions, rule.attributes.join(", "));
            self.rule(&head, Colour::Bold, &rule.text, &[]);
        }
        for rule in rules.behaviours.iter().filter(|rule| shown(rule.versions)) {
            let head = format!("{} ({}) {}: {}", rule.label, rule.texts(), rule.subject, rule.status.name());
            self.text.push_str(&rule_text::behaviour(self.paint, &head, rule));
        }
        for rule in rules.accuracy.iter().filter(|rule| shown(rule.versions)) {
            let head = format!("accuracy ({}) {}", rule.versions, rule.step);
            self.rule(&head, Colour::Bold, rule.text.as_deref().unwrap_or_default(), &[]);
        }
    }

    fn rule(&mut self, head: &str, colour: Colour, text: &str, fields: &[(&str, &str)]) {
        self.text.push_str(&rule_text::rule(self.paint, head, colour, text, fields));
    }
}

/// Returns whether two versions differ at most in their types.
fn same_signature(a: &OperatorVersion, b: &OperatorVersion) -> bool {
    let untyped = |version: &OperatorVersion| {
        let mut value = version.to_value();
        value["since"] = Value::Null;
        value["types"] = Value::Null;
        value
    };
    untyped(a) == untyped(b)
}

fn describe_formal(formal: &Formal) -> String {
    let option = match formal.option {
        FormalOption::Single => String::new(),
        FormalOption::Optional => ", optional".to_owned(),
        FormalOption::Variadic => {
            let types = if formal.homogeneous { "of one type" } else { "of any types" };
            format!(", {} or more {types}", formal.min_arity)
        }
    };
    format!("{}{option}", formal.type_)
}

fn describe_attribute(attribute: &Attribute) -> String {
    match &attribute.default {
        Some(AttributeValue::Float(value)) => format!("{} = {value:?}", attribute.kind),
        Some(value) => format!("{} = {value}", attribute.kind),
        None if attribute.required => format!("{}, required", attribute.kind),
        None => format!("{}, optional", attribute.kind),
    }
}
