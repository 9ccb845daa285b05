//! What operators compute: `specs/directml/meanings.toml`. A meaning is a list of statements in ONNX's text syntax over
//! the names of the operator's fields:
//!
//! ```text
//! OutputTensor = Min (ATensor, BTensor)
//! ```
//!
//! An operand is a tensor of the operator, a result of an earlier statement, or a field that is no tensor: a constant
//! with the value of that field. A `FLOAT` has the element type of the first output, and integers are int64. A
//! field that is an array of tensors stands for all of its tensors. An optional input that is left out is an input that
//! is left out of the node, or the int64 scalar that `absent` gives for it. In an attribute, `{Axis}` stands for the
//! value of a field, and `{OutputTensor.Sizes}` for a property of it ([`PROPERTIES`]). `use NAME` stands for the
//! statements of `[steps]` with this name.
//!
//! A statement, or `use NAME`, may have a condition of its own, `if UseClipThreshold is true: `. If that does not hold, or
//! if its first operand is left out, the statement and its results are left out. `Concat` and `Sum` skip operands that are
//! left out.

use super::field::{Field, FieldType};
use super::level::FeatureLevel;
use super::operator::{OPERATOR_PREFIX, Operator};
use super::types::Types;
use crate::error::{SpecError, line_at, parse_toml};
use plumbline_tensor::onnx::NodeProto;
use serde::Deserialize;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use toml::Spanned;

/// The field that scales and shifts the input of an element-wise operator before anything else is computed.
pub const SCALE_BIAS: &str = "ScaleBias";
/// The field with the activation that is applied to the output.
pub const FUSED_ACTIVATION: &str = "FusedActivation";
/// What `{Field.Property}` may ask for, each with whether the field is a tensor, and with a sample: the sizes of a tensor, the
/// numbers of its dimensions, the numbers in ONNX of its element type and of the unsigned type with as many bits, the sizes
/// along `Axis` of all tensors of an array, the first integer of an array, the attributes of ONNX's recurrent operators that
/// name the activations of an array, and what ONNX calls a `DML_RECURRENT_NETWORK_DIRECTION`.
pub const PROPERTIES: [(&str, bool, &str); 8] = [
    ("Sizes", true, "[1]"),
    ("Dimensions", true, "[0]"),
    ("DataType", true, "1"),
    ("Bits", true, "2"),
    ("Along", true, "[1]"),
    ("First", false, "0"),
    ("Activations", false, "activations = [\"Tanh\"]"),
    ("Direction", false, "\"forward\""),
];
/// The name of a condition on the feature level.
const FEATURE_LEVEL: &str = "FeatureLevel";
/// The operands of the statements for [`SCALE_BIAS`].
const SCALE_BIAS_OPERANDS: [&str; 3] = ["InputTensor", "Scale", "Bias"];

/// What an operator computes if its fields have certain values.
#[derive(Clone, Debug, PartialEq)]
pub struct Meaning {
    /// The full name of the operator; empty for the meaning of `ScaleBias`.
    pub operator: String,
    /// What fields have to be. The meaning holds if all conditions do.
    pub when: Vec<Condition>,
    /// The numbers that optional inputs are if they are left out, as scalars of int64.
    pub absent: BTreeMap<String, i64>,
    /// The statements.
    pub nodes: Vec<Statement>,
    /// The place of the documentation that says so.
    pub source: String,
}

/// A statement of a meaning.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Statement {
    /// What a field has to be; otherwise the statement is left out.
    pub when: Option<Condition>,
    /// The text, with placeholders in braces.
    text: String,
}

/// A condition on the fields of an operator.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Condition {
    /// The field has this value of its enumeration: `DML_REDUCE_FUNCTION_SUM`.
    Enumeration(String, String),
    /// The `BOOL` has this value.
    Bool(String, bool),
    /// The optional field is given, or left out.
    Given(String, bool),
    /// The element type of the tensor is a floating-point type, or an integer type.
    Float(String, bool),
    /// The feature level is this one, or a later one.
    Level(FeatureLevel),
}

/// Operators without a meaning, and why.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Pending {
    /// The operators, without `DML_OPERATOR_`.
    pub operators: Vec<String>,
    /// Why they have no meaning yet.
    pub reason: String,
}

/// The meanings of operators.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Meanings {
    /// What `ScaleBias` computes from `InputTensor`, in place of it.
    pub scale_bias: Option<Meaning>,
    /// The meanings, by the order of the file.
    pub meanings: Vec<Meaning>,
    /// The operators without a meaning.
    pub pending: Vec<Pending>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    scale_bias: Option<Spanned<Step>>,
    /// Statements that several meanings use, by name.
    #[serde(default)]
    steps: BTreeMap<String, Vec<Spanned<String>>>,
    #[serde(default)]
    meaning: Vec<Spanned<Entry>>,
    #[serde(default)]
    pending: Vec<Spanned<Pending>>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Step {
    nodes: Vec<Spanned<String>>,
    source: String,
}

/// An entry, for the operators in `operators`, or for those in `each`, which gives what `{op}` stands for.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Entry {
    #[serde(default)]
    operators: Vec<String>,
    #[serde(default)]
    each: BTreeMap<String, String>,
    #[serde(default)]
    when: BTreeMap<String, String>,
    #[serde(default)]
    absent: BTreeMap<String, i64>,
    nodes: Vec<Spanned<String>>,
    source: String,
}

/// A file, for messages about places in it.
struct Text<'a> {
    path: &'a Path,
    text: &'a str,
}

impl Text<'_> {
    fn error<T>(&self, at: &Spanned<T>, message: impl Into<String>) -> SpecError {
        SpecError::data(self.path, line_at(self.text, at.span().start), message)
    }
}

impl Meanings {
    /// Reads the file. Every operator needs a meaning or an entry in `pending`, and none may have both.
    pub(super) fn parse(path: &Path, text: &str, operators: &[Operator], types: &Types) -> Result<Meanings, SpecError> {
        let file: File = parse_toml(path, text)?;
        let text = Text { path, text };
        let named = |at: &Spanned<()>, name: &str| {
            let full = format!("{OPERATOR_PREFIX}{name}");
            let found = operators.iter().find(|operator| operator.name == full);
            found.ok_or_else(|| text.error(at, format!("`{name}` is not an operator")))
        };
        let mut meanings = Vec::new();
        for entry in file.meaning {
            let at = Spanned::new(entry.span(), ());
            let entry = entry.into_inner();
            if entry.operators.is_empty() == entry.each.is_empty() || entry.source.is_empty() {
                return Err(text.error(&at, "a meaning needs `operators` or `each`, `nodes` and `source`"));
            }
            let listed = entry.operators.iter().map(|name| (name, ""));
            for (name, op) in listed.chain(entry.each.iter().map(|(name, op)| (name, op.as_str()))) {
                let operator = named(&at, name)?;
                let when = entry.when.iter().map(|(field, value)| condition(operator, types, field, value));
                let when = when.collect::<Result<_, _>>().map_err(|message| text.error(&at, message))?;
                let is_optional =
                    |name: &&String| operator.inputs().any(|field| field.name == **name && field.optional);
                if let Some(name) = entry.absent.keys().find(|name| !is_optional(name)) {
                    return Err(text.error(&at, format!("`{name}` is not an optional input")));
                }
                let nodes = with_steps(&text, &entry.nodes, op, &file.steps)?.into_iter().map(|node| {
                    let read = Statement::parse(node.get_ref(), operator, types);
                    read.map(|read| Spanned::new(node.span(), read)).map_err(|message| text.error(&node, message))
                });
                let nodes = nodes.collect::<Result<Vec<_>, _>>()?;
                statements(&text, &nodes, operator)?;
                let nodes = nodes.into_iter().map(Spanned::into_inner).collect();
                let (absent, source) = (entry.absent.clone(), entry.source.clone());
                meanings.push(Meaning { operator: operator.name.clone(), when, absent, nodes, source });
            }
        }
        let mut pending = Vec::new();
        for entry in file.pending {
            let at = Spanned::new(entry.span(), ());
            for name in &entry.get_ref().operators {
                let operator = named(&at, name)?;
                if meanings.iter().any(|meaning| meaning.operator == operator.name) {
                    return Err(text.error(&at, format!("`{name}` has a meaning, so it is not pending")));
                }
            }
            pending.push(entry.into_inner());
        }
        let is_named = |operator: &&Operator| {
            let mut listed = pending.iter().flat_map(|pending| &pending.operators);
            meanings.iter().any(|meaning| meaning.operator == operator.name)
                || listed.any(|name| name == operator.short_name())
        };
        if let Some(operator) = operators.iter().find(|operator| !is_named(operator)) {
            let message = format!("`{}` has neither a meaning nor an entry in `pending`", operator.short_name());
            return Err(SpecError::data(path, 1, message));
        }
        let scale_bias = file.scale_bias.map(|step| {
            let step = step.into_inner();
            let known = SCALE_BIAS_OPERANDS.map(str::to_owned).into();
            let nodes = step.nodes.into_iter();
            let always =
                |node: Spanned<String>| Spanned::new(node.span(), Statement { when: None, text: node.into_inner() });
            let nodes: Vec<Spanned<Statement>> = nodes.map(always).collect();
            parsed(&text, &nodes, &|_| None, known)?;
            let nodes = nodes.into_iter().map(Spanned::into_inner).collect();
            let (when, absent) = (vec![], BTreeMap::new());
            Ok(Meaning { operator: String::new(), when, absent, nodes, source: step.source })
        });
        Ok(Meanings { scale_bias: scale_bias.transpose()?, meanings, pending })
    }
}

/// Returns the statements of an entry: `op` takes the place of `{op}`, and the statements of a step that of `use NAME`. A
/// condition in front of `use NAME` is one of each of them.
fn with_steps(
    text: &Text,
    nodes: &[Spanned<String>],
    op: &str,
    steps: &BTreeMap<String, Vec<Spanned<String>>>,
) -> Result<Vec<Spanned<String>>, SpecError> {
    let filled = |node: &Spanned<String>| Spanned::new(node.span(), node.get_ref().replace("{op}", op));
    let mut all = Vec::new();
    for node in nodes.iter().map(filled) {
        let (condition, statement) = match node.get_ref().split_once(": ") {
            Some((condition, statement)) if condition.starts_with("if ") => (format!("{condition}: "), statement),
            _ => (String::new(), node.get_ref().as_str()),
        };
        match statement.strip_prefix("use ") {
            Some(name) => {
                match steps.get(name) {
                    Some(step) => all.extend(step.iter().map(|of_step| {
                        Spanned::new(of_step.span(), format!("{condition}{}", filled(of_step).get_ref()))
                    })),
                    None => return Err(text.error(&node, format!("`[steps]` has no `{name}`"))),
                }
            }
            None => all.push(node),
        }
    }
    Ok(all)
}

/// Reads a condition: a field, or a tensor with `.DataType`, and what it has to be; or the first `FeatureLevel`.
fn condition(operator: &Operator, types: &Types, name: &str, value: &str) -> Result<Condition, String> {
    let field =
        |name: &str| operator.field(name).ok_or_else(|| format!("{} has no field `{name}`", operator.short_name()));
    if name == FEATURE_LEVEL {
        let level = value.parse().map_err(|_| format!("`{value}` is not a feature level"));
        return level.map(Condition::Level);
    }
    if let Some(tensor) = name.strip_suffix(".DataType") {
        field(tensor)?;
        return match value {
            "float" | "integer" => Ok(Condition::Float(tensor.to_owned(), value == "float")),
            _ => Err(format!("`{name}` is `float` or `integer`, not `{value}`")),
        };
    }
    let found = field(name)?;
    let values = types.enums.iter().find(|known| Some(known.name.as_str()) == found.enumeration());
    match (values, value) {
        (_, "given" | "absent") if found.optional => Ok(Condition::Given(name.to_owned(), value == "given")),
        (Some(values), _) if values.named(value).is_some() => {
            Ok(Condition::Enumeration(name.to_owned(), value.to_owned()))
        }
        (None, "true" | "false") if found.is_bool() => Ok(Condition::Bool(name.to_owned(), value == "true")),
        _ => Err(format!("`{name}` has no value `{value}`")),
    }
}

/// Checks the statements of an operator.
fn statements(text: &Text, nodes: &[Spanned<Statement>], operator: &Operator) -> Result<(), SpecError> {
    let known: BTreeSet<String> = operator.fields.iter().map(|field| field.name.clone()).collect();
    let sample = |name: &str| match name.split_once('.') {
        Some((field, property)) => {
            let (_, of_tensor, sample) = PROPERTIES.into_iter().find(|(known, ..)| *known == property)?;
            operator.field(field).filter(|field| field.is_tensor() == of_tensor).map(|_| sample.to_owned())
        }
        None => operator.field(name).and_then(sample_of),
    };
    let outputs: BTreeSet<&str> = operator.outputs().map(|field| field.name.as_str()).collect();
    let inputs = known.into_iter().filter(|name| !outputs.contains(name.as_str())).collect();
    let computed = parsed(text, nodes, &sample, inputs)?;
    // A meaning may be for descriptions that leave an optional output out.
    match operator.outputs().find(|field| !field.optional && !computed.contains(&field.name)) {
        Some(field) => {
            let message = format!("no statement computes {} of {}", field.name, operator.short_name());
            Err(nodes.first().map_or_else(|| SpecError::data(text.path, 1, &message), |at| text.error(at, &message)))
        }
        None => Ok(()),
    }
}

/// Returns how a value of a field may look in an attribute.
fn sample_of(field: &Field) -> Option<String> {
    Some(match field.type_ {
        FieldType::Uint | FieldType::Int | FieldType::Bool => "1".to_owned(),
        FieldType::Float => "1.5".to_owned(),
        FieldType::UintArray | FieldType::IntArray => "[1]".to_owned(),
        FieldType::FloatArray => "[1.5]".to_owned(),
        _ => return None,
    })
}

/// Reads statements with sample values, and checks that each operand is known. Returns the names of all values.
fn parsed(
    text: &Text,
    nodes: &[Spanned<Statement>],
    sample: &dyn Fn(&str) -> Option<String>,
    mut known: BTreeSet<String>,
) -> Result<BTreeSet<String>, SpecError> {
    let mut computed = BTreeSet::new();
    for statement in nodes {
        let node = statement.get_ref().filled(sample).map_err(|message| text.error(statement, message))?;
        if let Some(name) = node.input.iter().find(|name| !name.is_empty() && !known.contains(*name)) {
            return Err(text.error(statement, format!("`{name}` is neither a field nor computed before")));
        }
        for name in node.output {
            let is_always = statement.get_ref().when.is_none() && !name.is_empty();
            if is_always && !computed.insert(name.clone()) {
                return Err(text.error(statement, format!("`{name}` is computed twice")));
            }
            known.insert(name);
        }
    }
    Ok(known)
}

impl Meaning {
    /// Returns whether the meaning holds for this value of an enumeration: no condition of the meaning names another one,
    /// and if statements have conditions on the field, one of them names it.
    pub fn covers(&self, field: &str, value: &str) -> bool {
        let names = |when: &Condition| match when {
            Condition::Enumeration(of, name) if of == field => Some(name == value),
            _ => None,
        };
        let of_statements: Vec<bool> =
            self.nodes.iter().filter_map(|statement| statement.when.as_ref()).filter_map(names).collect();
        self.when.iter().filter_map(names).all(|is| is) && (of_statements.is_empty() || of_statements.contains(&true))
    }
}

impl Statement {
    /// Reads a statement, which may begin with a condition: `if MaskTensor is given: `.
    fn parse(text: &str, operator: &Operator, types: &Types) -> Result<Statement, String> {
        let Some((test, statement)) = text.strip_prefix("if ").and_then(|rest| rest.split_once(": ")) else {
            return Ok(Statement { when: None, text: text.to_owned() });
        };
        let (field, value) = test.split_once(" is ").ok_or_else(|| format!("`{test}` does not say what a field is"))?;
        let when = Some(condition(operator, types, field, value)?);
        Ok(Statement { when, text: statement.to_owned() })
    }

    /// Returns the names of what the statement computes.
    pub fn results(&self) -> impl Iterator<Item = String> {
        let results = self.text.split_once('=').map_or("", |(results, _)| results);
        results.split(',').map(|name| name.trim().to_owned())
    }

    /// Returns the statement as a node. `value` gives the text of what a placeholder stands for.
    ///
    /// # Errors
    /// Returns a sentence if `value` has nothing for a placeholder, or if the text with it cannot be read.
    pub fn filled(&self, value: &dyn Fn(&str) -> Option<String>) -> Result<NodeProto, String> {
        let mut text = String::new();
        let mut rest = self.text.as_str();
        while let Some((before, after)) = rest.split_once('{') {
            let (name, after) = after.split_once('}').ok_or("a brace is not closed")?;
            text.push_str(before);
            text.push_str(&value(name).ok_or_else(|| format!("`{{{name}}}` stands for nothing here"))?);
            rest = after;
        }
        text.push_str(rest);
        text.parse().map_err(|error| format!("{error}: {text}"))
    }
}
