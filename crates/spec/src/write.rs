//! Writes facts as JSON in exactly one form, so that a diff shows only what an import changed.

use crate::facts::{DTypeFacts, Opsets};
use crate::operator::{Attribute, AttributeValue, Formal, Operator, OperatorVersion};
use crate::release::ReleaseRange;
use crate::rules_file::{Accuracy, Behaviour, Constraint, Required, Rules};
use serde::Serialize;
use serde_json::{Map, Value, json};

impl Operator {
    /// Returns the text of the operator's `<Op>.json`.
    pub fn to_json(&self) -> String {
        let versions: Vec<Value> = self.versions.iter().map(OperatorVersion::to_value).collect();
        pretty(&json!({ "domain": self.domain, "name": self.name, "versions": versions }), 4)
    }
}

impl OperatorVersion {
    /// Returns the entry of the version under `versions` in `<Op>.json`.
    pub fn to_value(&self) -> Value {
        let types: Map<String, Value> = self
            .types
            .iter()
            .map(|(variable, types)| {
                (variable.clone(), types.iter().map(|type_| Value::String(type_.to_string())).collect())
            })
            .collect();
        json!({
            "since": self.since,
            "deprecated": self.deprecated,
            "support": self.support,
            "function": self.function,
            "shape_inference": self.shape_inference,
            "deterministic": self.deterministic,
            "min_inputs": self.min_inputs,
            "max_inputs": self.max_inputs,
            "min_outputs": self.min_outputs,
            "max_outputs": self.max_outputs,
            "attributes": self.attributes.iter().map(Attribute::to_value).collect::<Value>(),
            "inputs": self.inputs.iter().map(Formal::to_value).collect::<Value>(),
            "outputs": self.outputs.iter().map(Formal::to_value).collect::<Value>(),
            "types": types,
        })
    }
}

impl Attribute {
    /// Returns the entry of the attribute under `attributes`.
    pub fn to_value(&self) -> Value {
        json!({ "name": self.name, "type": self.kind, "required": self.required, "default": self.default_value() })
    }

    /// Returns the default value, or null if there is none.
    pub(crate) fn default_value(&self) -> Value {
        self.default.as_ref().map_or(Value::Null, AttributeValue::to_value)
    }
}

impl Formal {
    /// Returns the entry of the formal under `inputs` or `outputs`.
    pub fn to_value(&self) -> Value {
        json!({
            "name": self.name,
            "type": self.type_,
            "option": self.option,
            "homogeneous": self.homogeneous,
            "min_arity": self.min_arity,
        })
    }
}

impl AttributeValue {
    /// Returns the value as JSON. A float32 is written as a float64 of the same value.
    pub fn to_value(&self) -> Value {
        match self {
            AttributeValue::Float(value) => json!(f64::from(*value)),
            AttributeValue::Int(value) => json!(value),
            AttributeValue::String(value) => json!(value),
            AttributeValue::Floats(values) => values.iter().map(|value| json!(f64::from(*value))).collect(),
            AttributeValue::Ints(values) => json!(values),
            AttributeValue::Strings(values) => json!(values),
            AttributeValue::Tensor(value) => value.clone(),
        }
    }
}

impl Rules {
    /// Returns all rules as lists, under the keys that `<Op>.rules.toml` has for them.
    pub fn to_value(&self) -> Value {
        json!({
            "constraint": self.constraints.iter().map(Constraint::to_value).collect::<Value>(),
            "required": self.required.iter().map(Required::to_value).collect::<Value>(),
            "behaviour": self.behaviours.iter().map(Behaviour::to_value).collect::<Value>(),
            "accuracy": self.accuracy.iter().map(Accuracy::to_value).collect::<Value>(),
        })
    }
}

impl Constraint {
    /// Returns the keys and values of the rule.
    pub fn to_value(&self) -> Value {
        let value = json!({
            "name": self.label,
            "versions": self.versions.to_string(),
            "text": self.text.trim(),
            "source": self.source.trim(),
        });
        with_releases(value, self.releases)
    }
}

impl Required {
    /// Returns the keys and values of the rule.
    pub fn to_value(&self) -> Value {
        json!({
            "versions": self.versions.to_string(),
            "attributes": self.attributes,
            "text": self.text.trim(),
        })
    }
}

impl Behaviour {
    /// Returns the keys and values of the rule, except `drawn`.
    pub fn to_value(&self) -> Value {
        let value = json!({
            "name": self.label,
            "versions": self.versions.to_string(),
            "subject": self.subject,
            "status": self.status,
            "text": self.text.trim(),
            "source": self.source.trim(),
            "outcomes": self.outcomes,
        });
        with_releases(value, self.releases)
    }
}

/// Adds the key `releases` to a rule that not all releases have.
fn with_releases(mut rule: Value, releases: ReleaseRange) -> Value {
    if releases != ReleaseRange::default() {
        rule["releases"] = json!(releases.to_string());
    }
    rule
}

impl Accuracy {
    /// Returns the keys and values of the rule.
    pub fn to_value(&self) -> Value {
        let text = self.text.as_deref().map(str::trim);
        json!({ "versions": self.versions.to_string(), "step": self.step, "text": text })
    }
}

impl Opsets {
    /// Returns the text of `opsets.json`.
    pub fn to_json(&self) -> String {
        pretty(&json!(self), 2)
    }
}

impl DTypeFacts {
    /// Returns the text of `dtypes.json`.
    pub fn list_to_json(dtypes: &[DTypeFacts]) -> String {
        pretty(&json!({ "dtypes": dtypes }), 2)
    }
}

/// Writes one item per line in the outer `depth` levels, and deeper values on the line of their item. Ends with a line
/// break.
fn pretty(value: &Value, depth: usize) -> String {
    let mut text = String::new();
    write_value(value, depth, 0, &mut text);
    text.push('\n');
    text
}

fn write_value(value: &Value, depth: usize, indent: usize, text: &mut String) {
    let (open, close, items): (char, char, Vec<(Option<&String>, &Value)>) = match value {
        Value::Object(map) => ('{', '}', map.iter().map(|(key, value)| (Some(key), value)).collect()),
        Value::Array(values) => ('[', ']', values.iter().map(|value| (None, value)).collect()),
        scalar => return text.push_str(&scalar.to_string()),
    };
    let lines = depth > 0 && !items.is_empty();
    text.push(open);
    for (index, (key, item)) in items.into_iter().enumerate() {
        if index > 0 {
            text.push_str(if lines { "," } else { ", " });
        }
        if lines {
            text.push('\n');
            text.extend(std::iter::repeat_n(' ', indent + 2));
        }
        if let Some(key) = key {
            text.push_str(&Value::String(key.clone()).to_string());
            text.push_str(": ");
        }
        write_value(item, depth.saturating_sub(1), indent + 2, text);
    }
    if lines {
        text.push('\n');
        text.extend(std::iter::repeat_n(' ', indent));
    }
    text.push(close);
}

/// Returns the JSON text of a file of `specs/directml`. A list of scalars is on one line. An object is on one line if
/// each of its values is a scalar, or a list or object of scalars. The outermost value is never on one line.
pub(crate) fn to_lines(value: &impl Serialize) -> String {
    // This cannot fail: in the values of specs/, every key is a string, and JSON can represent every number.
    let value = serde_json::to_value(value).unwrap_or_default();
    let mut text = String::new();
    write_by_height(&value, true, 0, &mut text);
    text.push('\n');
    text
}

/// Returns the depth of the nesting of lists and objects: 0 for a scalar.
fn height(value: &Value) -> usize {
    let inside = match value {
        Value::Object(map) => map.values().map(height).max(),
        Value::Array(values) => values.iter().map(height).max(),
        _ => return 0,
    };
    1 + inside.unwrap_or(0)
}

fn write_by_height(value: &Value, whole: bool, indent: usize, text: &mut String) {
    let one_line = height(value) <= if value.is_object() { 2 } else { 1 };
    if one_line && !whole {
        return write_value(value, 0, indent, text);
    }
    let (open, close, items): (char, char, Vec<(Option<&String>, &Value)>) = match value {
        Value::Object(map) => ('{', '}', map.iter().map(|(key, value)| (Some(key), value)).collect()),
        Value::Array(values) => ('[', ']', values.iter().map(|value| (None, value)).collect()),
        scalar => return text.push_str(&scalar.to_string()),
    };
    text.push(open);
    for (index, (key, item)) in items.into_iter().enumerate() {
        text.push_str(if index > 0 { ",\n" } else { "\n" });
        text.extend(std::iter::repeat_n(' ', indent + 2));
        if let Some(key) = key {
            text.push_str(&Value::String(key.clone()).to_string());
            text.push_str(": ");
        }
        write_by_height(item, false, indent + 2, text);
    }
    text.push('\n');
    text.extend(std::iter::repeat_n(' ', indent));
    text.push(close);
}

/// Returns the JSON text of a value, for output that people and programs read. The outer four levels have one item per
/// line and are indented by two spaces per level. Deeper values are on the line of their item.
pub fn to_pretty_json(value: &impl Serialize) -> Result<String, serde_json::Error> {
    Ok(pretty(&serde_json::to_value(value)?, 4))
}
