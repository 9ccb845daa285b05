//! The changes between two versions of an operator, as data.

use crate::id::OperatorId;
use crate::operator::{Formal, Operator, OperatorVersion};
use crate::rules_file::Rules;
use crate::types::TypeStr;
use serde::Serialize;
use serde_json::{Value, json};
use std::fmt;

/// All changes from one version of an operator to another.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SpecDiff {
    /// The version before the changes.
    #[serde(serialize_with = "id_as_text")]
    pub from: OperatorId,
    /// The version after the changes.
    #[serde(serialize_with = "id_as_text")]
    pub to: OperatorId,
    /// The changes, in this order: properties, attributes, inputs, outputs, types, rules.
    pub changes: Vec<Change>,
}

pub(crate) fn id_as_text<S: serde::Serializer>(id: &OperatorId, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(id)
}

/// One change.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Change {
    /// The part of the specification that changed.
    pub part: Part,
    /// The name of the attribute, input, output, type variable, property or accuracy step, or the label of the rule.
    pub name: String,
    /// The field that changed. `None` if the whole item was added or removed, or if it is a property, a type variable,
    /// a rule or an accuracy step, which have no fields.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub field: Option<&'static str>,
    /// The kind of change, with the old and new value.
    #[serde(flatten)]
    pub what: What,
}

/// The parts of an operator's specification.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Part {
    /// A property of the whole version: whether it is deprecated, its numbers of inputs and outputs, and so on.
    Property,
    /// An attribute.
    Attribute,
    /// A formal input.
    Input,
    /// A formal output.
    Output,
    /// The types that a type variable may be bound to.
    Types,
    /// A constraint in the rules.
    Constraint,
    /// A behaviour in the rules.
    Behaviour,
    /// An accuracy step in the rules.
    Accuracy,
}

impl Part {
    /// Returns the name of the part: `property`, `attribute`, `input`, ...
    pub fn name(self) -> &'static str {
        match self {
            Part::Property => "property",
            Part::Attribute => "attribute",
            Part::Input => "input",
            Part::Output => "output",
            Part::Types => "types",
            Part::Constraint => "constraint",
            Part::Behaviour => "behaviour",
            Part::Accuracy => "accuracy",
        }
    }
}

/// The kind of change.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(tag = "change", rename_all = "snake_case")]
pub enum What {
    /// The item was added or, if it is a list of types or values, elements were added to it.
    Added {
        /// The new value, or the elements that were added.
        to: Value,
    },
    /// The item was removed or, if it is a list of types or values, elements were removed from it.
    Removed {
        /// The old value, or the elements that were removed.
        from: Value,
    },
    /// The item exists in both versions, with different values.
    Changed {
        /// The old value.
        from: Value,
        /// The new value.
        to: Value,
    },
}

impl Operator {
    /// Returns the changes in facts and rules from version `from` to version `to` of this operator. Returns `None` if
    /// one of the versions does not exist.
    pub fn diff(&self, from: u32, to: u32) -> Option<SpecDiff> {
        Some(SpecDiff::between(self.version(from)?, self.version(to)?, self.rules.as_ref()))
    }

    /// Returns the changes from each version to the next.
    pub fn diffs(&self) -> impl Iterator<Item = SpecDiff> {
        self.versions.windows(2).map(|pair| SpecDiff::between(&pair[0], &pair[1], self.rules.as_ref()))
    }
}

impl SpecDiff {
    /// Compares two versions. `rules` are the rules of their operator.
    pub fn between(from: &OperatorVersion, to: &OperatorVersion, rules: Option<&Rules>) -> SpecDiff {
        let mut changes = Changes(Vec::new());
        changes.properties(from, to);
        changes.attributes(from, to);
        changes.formals(Part::Input, &from.inputs, &to.inputs);
        changes.formals(Part::Output, &from.outputs, &to.outputs);
        changes.types(from, to);
        if let Some(rules) = rules {
            changes.rules(rules, from.since, to.since);
        }
        SpecDiff { from: from.id.clone(), to: to.id.clone(), changes: changes.0 }
    }

    /// Returns whether nothing changed.
    pub fn is_empty(&self) -> bool {
        self.changes.is_empty()
    }
}

struct Changes(Vec<Change>);

impl Changes {
    fn push(&mut self, part: Part, name: &str, field: Option<&'static str>, what: What) {
        self.0.push(Change { part, name: name.to_owned(), field, what });
    }

    fn compare(&mut self, part: Part, name: &str, field: Option<&'static str>, from: Value, to: Value) {
        if from != to {
            self.push(part, name, field, What::Changed { from, to });
        }
    }

    fn properties(&mut self, from: &OperatorVersion, to: &OperatorVersion) {
        let properties = |version: &OperatorVersion| {
            [
                ("deprecated", json!(version.deprecated)),
                ("support", json!(version.support)),
                ("function", json!(version.function)),
                ("shape_inference", json!(version.shape_inference)),
                ("deterministic", json!(version.deterministic)),
                ("min_inputs", json!(version.min_inputs)),
                ("max_inputs", json!(version.max_inputs)),
                ("min_outputs", json!(version.min_outputs)),
                ("max_outputs", json!(version.max_outputs)),
            ]
        };
        for ((name, from), (_, to)) in properties(from).into_iter().zip(properties(to)) {
            self.compare(Part::Property, name, None, from, to);
        }
    }

    fn attributes(&mut self, from: &OperatorVersion, to: &OperatorVersion) {
        for old in &from.attributes {
            match to.attribute(&old.name) {
                None => self.push(Part::Attribute, &old.name, None, What::Removed { from: old.to_value() }),
                Some(new) => {
                    let mut field = |field, from, to| self.compare(Part::Attribute, &old.name, Some(field), from, to);
                    field("type", json!(old.kind), json!(new.kind));
                    field("required", json!(old.required), json!(new.required));
                    field("default", old.default_value(), new.default_value());
                }
            }
        }
        for new in to.attributes.iter().filter(|new| from.attribute(&new.name).is_none()) {
            self.push(Part::Attribute, &new.name, None, What::Added { to: new.to_value() });
        }
    }

    /// Compares the formal inputs or outputs of two versions by name. If, at some position, the old name is not in the
    /// new version and the new name is not in the old version, the formal at this position counts as renamed.
    fn formals(&mut self, part: Part, from: &[Formal], to: &[Formal]) {
        let position = |formals: &[Formal], name: &str| formals.iter().position(|formal| formal.name == name);
        let renamed = |index: usize| {
            let (old, new) = (from.get(index)?, to.get(index)?);
            (position(to, &old.name).is_none() && position(from, &new.name).is_none()).then_some((old, new))
        };
        for (index, old) in from.iter().enumerate() {
            let new = position(to, &old.name).or_else(|| renamed(index).map(|_| index));
            let Some(new_index) = new else {
                self.push(part, &old.name, None, What::Removed { from: old.to_value() });
                continue;
            };
            let new = &to[new_index];
            let mut field = |field, from, to| self.compare(part, &new.name, Some(field), from, to);
            field("name", json!(old.name), json!(new.name));
            field("position", json!(index), json!(new_index));
            field("type", json!(old.type_), json!(new.type_));
            field("option", json!(old.option), json!(new.option));
            field("homogeneous", json!(old.homogeneous), json!(new.homogeneous));
            field("min_arity", json!(old.min_arity), json!(new.min_arity));
        }
        for (index, new) in to.iter().enumerate() {
            if position(from, &new.name).is_none() && renamed(index).is_none() {
                self.push(part, &new.name, None, What::Added { to: new.to_value() });
            }
        }
    }

    fn types(&mut self, from: &OperatorVersion, to: &OperatorVersion) {
        let texts = |types: Vec<&TypeStr>| types.into_iter().map(|type_| Value::String(type_.to_string())).collect();
        let none = Vec::new();
        let variables: std::collections::BTreeSet<&String> = from.types.keys().chain(to.types.keys()).collect();
        for variable in variables {
            let old = from.types.get(variable).unwrap_or(&none);
            let new = to.types.get(variable).unwrap_or(&none);
            let removed: Vec<&TypeStr> = old.iter().filter(|type_| !new.contains(type_)).collect();
            let added: Vec<&TypeStr> = new.iter().filter(|type_| !old.contains(type_)).collect();
            if !removed.is_empty() {
                self.push(Part::Types, variable, None, What::Removed { from: texts(removed) });
            }
            if !added.is_empty() {
                self.push(Part::Types, variable, None, What::Added { to: texts(added) });
            }
        }
    }

    fn rules(&mut self, rules: &Rules, from: u32, to: u32) {
        // Versions are compared by the newest texts.
        let constraints = rules.constraints.iter().filter(|rule| rule.releases.is_current());
        let constraints = constraints.map(|rule| (rule.label.as_str(), rule.versions, rule.to_value()));
        self.labelled(Part::Constraint, constraints.collect(), from, to);
        let behaviours = rules.behaviours.iter().filter(|rule| rule.releases.is_current());
        let behaviours = behaviours.map(|rule| (rule.label.as_str(), rule.versions, rule.to_value()));
        self.labelled(Part::Behaviour, behaviours.collect(), from, to);
        let accuracy = rules.accuracy.iter().map(|rule| (rule.step.as_str(), rule.versions, rule.to_value()));
        self.labelled(Part::Accuracy, accuracy.collect(), from, to);
    }

    /// Adds a change for each label whose rule applies to only one of the two versions or differs between them.
    fn labelled(
        &mut self,
        part: Part,
        rules: Vec<(&str, crate::version_range::VersionRange, Value)>,
        from: u32,
        to: u32,
    ) {
        let find = |label: &str, since: u32| rules.iter().find(|rule| rule.0 == label && rule.1.contains(since));
        for (index, (label, ..)) in rules.iter().enumerate() {
            if rules[..index].iter().any(|rule| rule.0 == *label) {
                continue;
            }
            match (find(label, from), find(label, to)) {
                (None, None) => {}
                (Some(old), None) => self.push(part, label, None, What::Removed { from: old.2.clone() }),
                (None, Some(new)) => self.push(part, label, None, What::Added { to: new.2.clone() }),
                // Entries that differ only in their ranges or source are no change of the rule.
                (Some(old), Some(new)) if content(&old.2) == content(&new.2) => {}
                (Some(old), Some(new)) => self.compare(part, label, None, old.2.clone(), new.2.clone()),
            }
        }
    }
}

/// Returns an entry of the rules file without its version range and its source.
fn content(rule: &Value) -> Value {
    let mut rule = rule.clone();
    if let Some(fields) = rule.as_object_mut() {
        fields.retain(|key, _| !["versions", "releases", "source"].contains(&key.as_str()));
    }
    rule
}

impl fmt::Display for SpecDiff {
    /// Writes one line for each change: `+` for an addition, `-` for a removal, `~` for a change.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{} to {}", self.from, self.to)?;
        if self.is_empty() {
            writeln!(f, "  no change in what specs/ holds")?;
        }
        for change in &self.changes {
            writeln!(f, "  {change}")?;
        }
        Ok(())
    }
}

impl fmt::Display for Change {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (part, name) = (self.part.name(), &self.name);
        let field = self.field.map_or_else(String::new, |field| format!(" {field}"));
        match &self.what {
            What::Added { to } => write!(f, "+ {part} {name}{field}: {}", describe(self.part, to)),
            What::Removed { from } => write!(f, "- {part} {name}{field}: {}", describe(self.part, from)),
            What::Changed { from, to } => {
                let (from, to) = (describe(self.part, from), describe(self.part, to));
                write!(f, "~ {part} {name}{field}: {from} -> {to}")
            }
        }
    }
}

/// Formats a value on one line. Shows only the most important keys of attributes, formals and rules.
fn describe(part: Part, value: &Value) -> String {
    let text = |key: &str| value.get(key).and_then(Value::as_str).unwrap_or_default();
    match (part, value) {
        (Part::Attribute, Value::Object(_)) => match value.get("default") {
            Some(Value::Null) | None if value["required"] == true => format!("{}, required", text("type")),
            Some(Value::Null) | None => format!("{}, optional", text("type")),
            Some(default) => format!("{}, default {}", text("type"), describe(part, default)),
        },
        (Part::Input | Part::Output, Value::Object(_)) => format!("{}, {}", text("type"), text("option")),
        (Part::Types, Value::Array(types)) => types.iter().filter_map(Value::as_str).collect::<Vec<_>>().join(", "),
        (Part::Behaviour, Value::Object(_)) => {
            format!("{} {}: {}", text("subject"), text("status"), one_line(text("text")))
        }
        (Part::Constraint | Part::Accuracy, Value::Object(_)) => one_line(text("text")),
        (_, Value::String(text)) => text.clone(),
        (_, Value::Null) => "none".to_owned(),
        (_, Value::Number(number)) if number.as_u64() == Some(u64::from(i32::MAX.unsigned_abs())) => {
            "no limit".to_owned()
        }
        // The shortest digits that identify the float32 are enough; its exact value is much longer.
        (_, Value::Number(number)) if number.is_f64() => format!("{:?}", number.as_f64().unwrap_or(f64::NAN) as f32),
        (_, Value::Array(values)) => {
            format!("[{}]", values.iter().map(|value| describe(part, value)).collect::<Vec<_>>().join(", "))
        }
        (_, other) => other.to_string(),
    }
}

pub(crate) fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
