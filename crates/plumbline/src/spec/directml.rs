//! DirectML's operators in `plumbline spec show`, `diff` and `list`.

use super::{Format, rule_text};
use crate::colour::{Colour, Paint, paint_changes};
use crate::output::print;
use plumbline_spec::directml::{
    DirectMl, FeatureLevel, FieldKind, LevelDiff, OPERATOR_PREFIX, Operator, SupportBlock, SupportTable, support_table,
};
use plumbline_spec::{LookupError, Spec, Status, to_pretty_json};
use serde_json::{Value, json};

/// The value of `--domain` that stands for DirectML's operators.
pub const DOMAIN: &str = "directml";

/// Returns the operator of DirectML with this name: `DML_OPERATOR_CAST`, or `ELEMENT_WISE_MIN` without the prefix.
/// Returns `None` for the name of an operator of ONNX and for an unknown name without the prefix.
///
/// # Errors
/// Fails for an unknown name with the prefix.
pub fn find(name: &str) -> Result<Option<&'static Operator>, LookupError> {
    if name.starts_with(OPERATOR_PREFIX) {
        return DirectMl::embedded().find(name).map(Some);
    }
    let onnx = Spec::embedded().find(name).is_ok();
    Ok(DirectMl::embedded().operator(name).filter(|_| !onnx))
}

/// Prints an operator, at one level or at all levels.
pub fn show(operator: &Operator, level: Option<FeatureLevel>, format: Format) -> anyhow::Result<()> {
    match (format, level) {
        (Format::Json, None) => print(&operator.to_json()),
        (Format::Json, Some(level)) => print(&to_pretty_json(&value_at(operator, level))?),
        (Format::Text, level) => print(&Page::new(operator).text(level)),
    }
}

fn value_at(operator: &Operator, level: FeatureLevel) -> Value {
    let at = |table: &SupportTable| {
        let mut value = json!(table.at(level)?);
        if !table.functions.is_empty() {
            value["functions"] = json!(table.functions);
        }
        Some(value)
    };
    let support: Vec<Value> = operator.support.iter().filter_map(at).collect();
    json!({ "name": operator.name, "level": level, "support": support })
}

struct Page<'a> {
    operator: &'a Operator,
    paint: Paint,
    text: String,
}

impl<'a> Page<'a> {
    fn new(operator: &'a Operator) -> Page<'a> {
        Page { operator, paint: Paint::stdout(), text: String::new() }
    }

    fn line(&mut self, text: &str) {
        self.text.push_str(text);
        self.text.push('\n');
    }

    fn heading(&mut self, text: &str) {
        self.line(&self.paint.paint(Colour::Bold, text));
    }

    fn text(mut self, level: Option<FeatureLevel>) -> String {
        let operator = self.operator;
        self.heading(&format!("{} ({}), introduced in {}", operator.name, operator.value, operator.introduced.name()));
        let in_place = if operator.in_place { "can run in place" } else { "cannot run in place" };
        self.line(&format!("{}, {in_place}", operator.desc_struct));
        if !operator.aliases.is_empty() {
            self.line(&format!("also called {}", operator.aliases.join(", ")));
        }
        self.fields();
        if !operator.tensor_constraints.is_empty() {
            self.line("");
            self.heading("tensor constraints");
        }
        for constraint in &operator.tensor_constraints {
            self.line(&format!("  same {constraint}"));
        }
        self.line("");
        self.heading("tensor support");
        for table in &operator.support {
            self.table(table, level);
        }
        self.rules();
        for note in &operator.notes {
            self.line("");
            self.line(&self.paint.paint(Colour::Yellow, &format!("note: {note}")));
        }
        self.text
    }

    fn rules(&mut self) {
        let Some(rules) = &self.operator.rules else { return };
        self.line("");
        self.heading("rules");
        for rule in &rules.constraints {
            let head = format!("{} constraint", rule.label);
            let text = rule_text::rule(self.paint, &head, Colour::Bold, &rule.text, &[("source", &rule.source)]);
            self.text.push_str(&text);
        }
        for rule in &rules.behaviours {
            let drawn = if rule.drawn { "" } else { ", not drawn" };
            let head = format!("{} {}: {}{drawn}", rule.label, rule.subject, rule.status.name());
            self.text.push_str(&rule_text::behaviour(self.paint, &head, rule));
        }
    }

    fn fields(&mut self) {
        self.line("");
        self.heading("fields");
        let width = self.operator.fields.iter().map(|field| field.name.len()).max().unwrap_or(0);
        for field in &self.operator.fields {
            let kind = match (field.kind, field.optional) {
                (FieldKind::Attribute, true) => "Optional",
                (FieldKind::Attribute, false) => "",
                (FieldKind::InputTensor, true) => "Optional input",
                (FieldKind::OutputTensor, true) => "Optional output",
                (kind, false) => kind.name(),
            };
            let length = field.array_length_field.as_ref().map(|name| format!(" [{name}]")).unwrap_or_default();
            self.line(&format!("  {:width$}  {kind:15}  {}{length}", field.name, field.c_type));
        }
    }

    fn table(&mut self, table: &SupportTable, level: Option<FeatureLevel>) {
        if !table.functions.is_empty() {
            self.line(&self.paint.paint(Colour::Bold, &format!("### {}", table.functions.join(", "))));
        }
        let Some(level) = level else {
            for block in &table.blocks {
                self.block(block, "and above");
            }
            return;
        };
        match table.at(level) {
            Some(block) => self.block(block, &format!("and above (this support holds at {level})")),
            None => self.line(&format!("the table lists no support at {}", level.name())),
        }
    }

    fn block(&mut self, block: &SupportBlock, from: &str) {
        self.line(&self.paint.paint(Colour::Bold, &format!("### {} {from}", block.min_feature_level.name())));
        let table = support_table(self.operator, block);
        self.line(&table);
    }
}

/// Prints what changed between two levels, or from each level to the next.
pub fn diff(operator: &Operator, levels: Option<(FeatureLevel, FeatureLevel)>, format: Format) -> anyhow::Result<()> {
    let directml = DirectMl::embedded();
    let diffs: Vec<LevelDiff> = match levels {
        Some((from, to)) => vec![directml.diff(operator, from, to)],
        None => {
            let steps = FeatureLevel::ALL.windows(2).map(|pair| directml.diff(operator, pair[0], pair[1]));
            steps.filter(|diff| !diff.is_empty() && diff.to > operator.introduced).collect()
        }
    };
    match (format, diffs.as_slice()) {
        (Format::Json, [diff]) if levels.is_some() => print(&to_pretty_json(diff)?),
        (Format::Json, diffs) => print(&to_pretty_json(&diffs)?),
        (Format::Text, []) => {
            print(&format!("{} is the same at every level from {} on\n", operator.name, operator.introduced))
        }
        (Format::Text, diffs) => print(&diffs.iter().map(|diff| paint_changes(&diff.to_string())).collect::<String>()),
    }
}

/// Lists every operator of DirectML.
pub fn list(format: Format) -> anyhow::Result<()> {
    let operators = DirectMl::embedded().operators();
    let levels = |operator: &Operator| {
        let tables = operator.support.iter().flat_map(SupportTable::steps).map(|(level, _)| level);
        tables.collect::<std::collections::BTreeSet<_>>()
    };
    if format == Format::Json {
        let value = |operator: &Operator| {
            json!({
                "name": operator.name,
                "value": operator.value,
                "introduced": operator.introduced,
                "levels": levels(operator),
                "fields": operator.fields.len(),
                "in_place": operator.in_place,
                "behaviours": operator.rules.as_ref().map_or(0, |rules| rules.behaviours.len()),
                "open": open_behaviours(operator),
            })
        };
        return print(&to_pretty_json(&operators.iter().map(value).collect::<Value>())?);
    }
    let width = operators.iter().map(|operator| operator.name.len()).max().unwrap_or(0);
    let mut text = String::new();
    for operator in operators {
        let levels: Vec<String> = levels(operator).iter().map(FeatureLevel::to_string).collect();
        text += &format!("{:width$}  {}\n", operator.name, levels.join(" "));
    }
    let open: usize = operators.iter().map(open_behaviours).sum();
    let of = operators.iter().filter(|operator| open_behaviours(operator) > 0).count();
    let open = format!("{open} behaviours of {of} operators that their pages leave open");
    print(&(text + &format!("{} operators; {open}\n", operators.len())))
}

/// Returns the number of behaviours that the documentation does not decide.
fn open_behaviours(operator: &Operator) -> usize {
    let behaviours = operator.rules.iter().flat_map(|rules| &rules.behaviours);
    behaviours.filter(|rule| rule.status != Status::Defined).count()
}
