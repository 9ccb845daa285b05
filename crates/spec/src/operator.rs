//! Operators, their versions, and the facts of each version.

use crate::id::{OperatorId, qualified_name};
use crate::rules_file::{Constraint, Names, Rules, SeenIn};
use crate::types::TypeStr;
use std::collections::BTreeMap;
use std::fmt;

/// An operator with all versions that it ever had.
#[derive(Clone, Debug, PartialEq)]
pub struct Operator {
    /// The domain. ONNX's own domain is `ai.onnx`, never empty.
    pub domain: String,
    /// The name of the operator.
    pub name: String,
    /// All versions, oldest first. The list is never empty.
    pub versions: Vec<OperatorVersion>,
    /// The rules that were written by hand, if there are any.
    pub rules: Option<Rules>,
}

impl Operator {
    /// Returns whether the operator has rules. An operator that was imported and is not covered yet has only facts, and
    /// no kernel or recipe either.
    pub fn is_covered(&self) -> bool {
        self.rules.is_some()
    }

    /// Returns `Min`, or `ai.onnx.ml.Scaler` outside ONNX's own domain.
    pub fn qualified_name(&self) -> String {
        qualified_name(&self.domain, &self.name)
    }

    /// Returns the version that opset `since` introduced.
    pub fn version(&self, since: u32) -> Option<&OperatorVersion> {
        self.versions.iter().find(|version| version.since == since)
    }

    /// Returns the newest version with `since <= opset`, deprecated or not.
    pub fn resolve(&self, opset: i64) -> Option<&OperatorVersion> {
        self.versions.iter().rev().find(|version| i64::from(version.since) <= opset)
    }
}

/// One version of an operator, as `specs/onnx/<domain>/<Op>.json` holds it.
#[derive(Clone, Debug, PartialEq)]
pub struct OperatorVersion {
    /// The domain, name and version.
    pub id: OperatorId,
    /// The opset version of the domain that introduced this version. It equals `id.since`.
    pub since: u32,
    /// Whether ONNX marks this version as deprecated.
    pub deprecated: bool,
    /// Whether the operator is experimental or part of the standard.
    pub support: Support,
    /// Whether ONNX defines it as a function of other operators, with a fixed body or one that depends on the context.
    pub function: bool,
    /// Whether ONNX ships type and shape inference for it.
    pub shape_inference: bool,
    /// Whether the same inputs give the same outputs.
    pub deterministic: Determinism,
    /// The smallest number of inputs of a node.
    pub min_inputs: u32,
    /// The largest number of inputs of a node, or `i32::MAX` if there is no limit.
    pub max_inputs: u32,
    /// The smallest number of outputs of a node.
    pub min_outputs: u32,
    /// The largest number of outputs of a node, or `i32::MAX` if there is no limit.
    pub max_outputs: u32,
    /// The attributes, by name.
    pub attributes: Vec<Attribute>,
    /// The formal inputs, in order.
    pub inputs: Vec<Formal>,
    /// The formal outputs, in order.
    pub outputs: Vec<Formal>,
    /// The types that each type variable may be bound to, sorted by ONNX's spelling.
    pub types: BTreeMap<String, Vec<TypeStr>>,
}

impl OperatorVersion {
    /// Returns where a violation of a constraint is seen: in values if the rule says so, in the model if it is about
    /// attributes of this version only, and otherwise in shapes.
    pub fn seen_in(&self, constraint: &Constraint) -> SeenIn {
        let is_attribute = |name: &String| self.attribute(name).is_some() && self.input(name).is_none();
        match constraint.seen_in {
            Some(declared) => declared,
            None if !constraint.about.is_empty() && constraint.about.iter().all(is_attribute) => SeenIn::Model,
            None => SeenIn::Shapes,
        }
    }

    /// Returns the names that rules of this version may use.
    pub fn names(&self) -> Names<'_> {
        let attributes = self.attributes.iter().map(|attribute| attribute.name.as_str()).collect();
        let inputs = self.inputs.iter().map(|input| input.name.as_str()).collect();
        Names { since: self.since, attributes, inputs }
    }

    /// Returns the opset version of the domain that introduced this version.
    pub fn since(&self) -> u32 {
        self.since
    }

    /// Returns whether a node may use this version. A version may be used if it is not deprecated.
    /// GroupNormalization-18 is deprecated, but may be used: release 1.13 introduced it, and release 1.16 deprecated it
    /// later. All other deprecated versions were deprecated when they were introduced: they only withdraw the version
    /// before them.
    pub fn is_callable(&self) -> bool {
        !self.deprecated || self.id.name == "GroupNormalization" && self.id.domain == "ai.onnx"
    }

    /// Returns all pairs of a type variable and a type, in the order of the file.
    pub fn cells(&self) -> impl Iterator<Item = (&str, &TypeStr)> {
        self.types.iter().flat_map(|(variable, types)| types.iter().map(move |type_| (variable.as_str(), type_)))
    }

    /// Returns the formal input with this name.
    pub fn input(&self, name: &str) -> Option<&Formal> {
        self.inputs.iter().find(|formal| formal.name == name)
    }

    /// Returns the formal output with this name.
    pub fn output(&self, name: &str) -> Option<&Formal> {
        self.outputs.iter().find(|formal| formal.name == name)
    }

    /// Returns the attribute with this name.
    pub fn attribute(&self, name: &str) -> Option<&Attribute> {
        self.attributes.iter().find(|attribute| attribute.name == name)
    }

    /// Returns the types that an input or output of this version may have: the types of its type variable, or its only
    /// type if it has no type variable.
    pub fn types_of(&self, formal: &Formal) -> Vec<TypeStr> {
        match self.types.get(&formal.type_) {
            Some(types) => types.clone(),
            None => formal.type_.parse().into_iter().collect(),
        }
    }

    /// Returns the formal input at `position` of a node. A variadic formal covers all positions from its own on.
    pub fn input_at(&self, position: usize) -> Option<&Formal> {
        formal_at(&self.inputs, position)
    }

    /// Returns the formal output at `position` of a node. A variadic formal covers all positions from its own on.
    pub fn output_at(&self, position: usize) -> Option<&Formal> {
        formal_at(&self.outputs, position)
    }
}

fn formal_at(formals: &[Formal], position: usize) -> Option<&Formal> {
    formals.get(position).or_else(|| formals.last().filter(|last| last.option == FormalOption::Variadic))
}

/// Whether an operator is experimental or part of the standard, as ONNX states it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, serde::Deserialize, serde::Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Support {
    /// The operator is part of the standard.
    Common,
    /// The operator may change without a new version.
    Experimental,
}

/// Whether the same inputs give the same outputs, as ONNX states it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, serde::Deserialize, serde::Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Determinism {
    /// The same inputs give the same outputs.
    Deterministic,
    /// The same inputs may give different outputs.
    NonDeterministic,
    /// ONNX does not say.
    Unknown,
}

/// An attribute of an operator version.
#[derive(Clone, Debug, PartialEq)]
pub struct Attribute {
    /// The name of the attribute.
    pub name: String,
    /// The kind of its value.
    pub kind: AttributeKind,
    /// Whether a node without the attribute is invalid.
    pub required: bool,
    /// The value of the attribute if a node leaves it out. If an optional attribute has no default, the operator
    /// defines what a node without it means.
    pub default: Option<AttributeValue>,
}

/// The kinds of attribute values, spelled as ONNX's `AttributeProto.AttributeType`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, serde::Deserialize, serde::Serialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
#[allow(missing_docs)]
pub enum AttributeKind {
    Float,
    Int,
    String,
    Tensor,
    Graph,
    SparseTensor,
    TypeProto,
    Floats,
    Ints,
    Strings,
    Tensors,
    Graphs,
    SparseTensors,
    TypeProtos,
}

impl AttributeKind {
    /// Returns ONNX's spelling: `FLOAT`, `TYPE_PROTO`.
    pub fn name(self) -> &'static str {
        match self {
            AttributeKind::Float => "FLOAT",
            AttributeKind::Int => "INT",
            AttributeKind::String => "STRING",
            AttributeKind::Tensor => "TENSOR",
            AttributeKind::Graph => "GRAPH",
            AttributeKind::SparseTensor => "SPARSE_TENSOR",
            AttributeKind::TypeProto => "TYPE_PROTO",
            AttributeKind::Floats => "FLOATS",
            AttributeKind::Ints => "INTS",
            AttributeKind::Strings => "STRINGS",
            AttributeKind::Tensors => "TENSORS",
            AttributeKind::Graphs => "GRAPHS",
            AttributeKind::SparseTensors => "SPARSE_TENSORS",
            AttributeKind::TypeProtos => "TYPE_PROTOS",
        }
    }
}

impl fmt::Display for AttributeKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// The default value of an attribute.
#[derive(Clone, Debug, PartialEq)]
#[allow(missing_docs)]
pub enum AttributeValue {
    Float(f32),
    Int(i64),
    String(String),
    Floats(Vec<f32>),
    Ints(Vec<i64>),
    Strings(Vec<String>),
    /// A tensor, as the JSON value in the file. No operator has such a default so far.
    Tensor(serde_json::Value),
}

impl fmt::Display for AttributeValue {
    /// Writes floats with the fewest digits that identify them, strings in quotes, and lists in brackets.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            AttributeValue::Float(value) => write!(f, "{value:?}"),
            AttributeValue::Int(value) => write!(f, "{value}"),
            AttributeValue::String(value) => write!(f, "{value:?}"),
            AttributeValue::Floats(values) => write!(f, "{values:?}"),
            AttributeValue::Ints(values) => write!(f, "{values:?}"),
            AttributeValue::Strings(values) => write!(f, "{values:?}"),
            AttributeValue::Tensor(value) => write!(f, "{value}"),
        }
    }
}

/// A formal input or output.
#[derive(Clone, Debug, PartialEq, Eq, serde::Deserialize, serde::Serialize)]
#[serde(deny_unknown_fields)]
pub struct Formal {
    /// The name of the input or output.
    pub name: String,
    /// The name of a type variable of the version, or a type.
    #[serde(rename = "type")]
    pub type_: String,
    /// How often the formal may occur in a node.
    pub option: FormalOption,
    /// Whether all values of a variadic formal have the same type.
    pub homogeneous: bool,
    /// The smallest number of values of a variadic formal.
    pub min_arity: u32,
}

/// How often a formal input or output may occur in a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, serde::Deserialize, serde::Serialize)]
#[serde(rename_all = "lowercase")]
pub enum FormalOption {
    /// It occurs once.
    Single,
    /// It occurs once or not at all.
    Optional,
    /// It occurs `min_arity` times or more.
    Variadic,
}

impl FormalOption {
    /// Returns `single`, `optional` or `variadic`.
    pub fn name(self) -> &'static str {
        match self {
            FormalOption::Single => "single",
            FormalOption::Optional => "optional",
            FormalOption::Variadic => "variadic",
        }
    }
}
