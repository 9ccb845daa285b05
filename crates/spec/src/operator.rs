//! Operators, their versions, and the facts of each.

use crate::id::{OperatorId, qualified_name};
use crate::rules_file::Rules;
use crate::types::TypeStr;
use std::collections::BTreeMap;
use std::fmt;

/// An operator with every version it ever had.
#[derive(Clone, Debug, PartialEq)]
pub struct Operator {
    /// The domain; ONNX's own is `ai.onnx`, never empty.
    pub domain: String,
    /// The operator's name.
    pub name: String,
    /// Every version, oldest first; never empty.
    pub versions: Vec<OperatorVersion>,
    /// What was written by hand about it, if anything was.
    pub rules: Option<Rules>,
}

impl Operator {
    /// `Min`, or `ai.onnx.ml.Scaler` outside of ONNX's own domain.
    pub fn qualified_name(&self) -> String {
        qualified_name(&self.domain, &self.name)
    }

    /// The version that opset `since` brought.
    pub fn version(&self, since: u32) -> Option<&OperatorVersion> {
        self.versions.iter().find(|version| version.since == since)
    }

    /// The newest version with `since <= opset`, deprecated or not.
    pub fn resolve(&self, opset: i64) -> Option<&OperatorVersion> {
        self.versions.iter().rev().find(|version| i64::from(version.since) <= opset)
    }
}

/// One version of an operator: what `specs/onnx/<domain>/<Op>.json` holds about it.
#[derive(Clone, Debug, PartialEq)]
pub struct OperatorVersion {
    /// Domain, name and version.
    pub id: OperatorId,
    /// The opset version of its domain that brought this version; the same as `id.since`.
    pub since: u32,
    /// From this version on the operator must not be used.
    pub deprecated: bool,
    /// How settled the operator is.
    pub support: Support,
    /// ONNX defines it as a function of other operators, fixed or dependent on its context.
    pub function: bool,
    /// ONNX ships type and shape inference for it.
    pub shape_inference: bool,
    /// Whether the same inputs give the same outputs.
    pub deterministic: Determinism,
    /// Fewest inputs a node may have.
    pub min_inputs: u32,
    /// Most inputs a node may have; `i32::MAX` where there is no limit.
    pub max_inputs: u32,
    /// Fewest outputs a node may have.
    pub min_outputs: u32,
    /// Most outputs a node may have; `i32::MAX` where there is no limit.
    pub max_outputs: u32,
    /// Attributes, by name.
    pub attributes: Vec<Attribute>,
    /// Formal inputs, in their order.
    pub inputs: Vec<Formal>,
    /// Formal outputs, in their order.
    pub outputs: Vec<Formal>,
    /// The types each type variable may be bound to, sorted by ONNX's spelling.
    pub types: BTreeMap<String, Vec<TypeStr>>,
}

impl OperatorVersion {
    /// The opset version of its domain that brought this version.
    pub fn since(&self) -> u32 {
        self.since
    }

    /// Whether a node may be this version: it is not deprecated, or was so only after releases that define it (GroupNormalization-18 is of
    /// release 1.13, and deprecated since 1.16; other versions are deprecated from the start, in place of what came before).
    pub fn is_callable(&self) -> bool {
        !self.deprecated || self.id.name == "GroupNormalization" && self.id.domain == "ai.onnx"
    }

    /// Every (type variable, type) pair, in the order of the file.
    pub fn cells(&self) -> impl Iterator<Item = (&str, &TypeStr)> {
        self.types.iter().flat_map(|(variable, types)| types.iter().map(move |type_| (variable.as_str(), type_)))
    }

    /// The formal input of this name.
    pub fn input(&self, name: &str) -> Option<&Formal> {
        self.inputs.iter().find(|formal| formal.name == name)
    }

    /// The formal output of this name.
    pub fn output(&self, name: &str) -> Option<&Formal> {
        self.outputs.iter().find(|formal| formal.name == name)
    }

    /// The attribute of this name.
    pub fn attribute(&self, name: &str) -> Option<&Attribute> {
        self.attributes.iter().find(|attribute| attribute.name == name)
    }

    /// The types an input or output of this version may have: those of its type variable, or the one
    /// it names itself.
    pub fn types_of(&self, formal: &Formal) -> Vec<TypeStr> {
        match self.types.get(&formal.type_) {
            Some(types) => types.clone(),
            None => formal.type_.parse().into_iter().collect(),
        }
    }

    /// The formal input at `position` of a node: a variadic one stands for all from its place on.
    pub fn input_at(&self, position: usize) -> Option<&Formal> {
        formal_at(&self.inputs, position)
    }

    /// The formal output at `position` of a node: a variadic one stands for all from its place on.
    pub fn output_at(&self, position: usize) -> Option<&Formal> {
        formal_at(&self.outputs, position)
    }
}

fn formal_at(formals: &[Formal], position: usize) -> Option<&Formal> {
    formals.get(position).or_else(|| formals.last().filter(|last| last.option == FormalOption::Variadic))
}

/// How settled an operator is, as ONNX says.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, serde::Deserialize, serde::Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Support {
    /// Part of the standard.
    Common,
    /// May change without a new version.
    Experimental,
}

/// Whether the same inputs give the same outputs, as ONNX says.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, serde::Deserialize, serde::Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Determinism {
    /// They do.
    Deterministic,
    /// They need not.
    NonDeterministic,
    /// ONNX does not say, as it depends on a subgraph.
    Unknown,
}

/// An attribute of an operator version.
#[derive(Clone, Debug, PartialEq)]
pub struct Attribute {
    /// Its name.
    pub name: String,
    /// What kind of value it has.
    pub kind: AttributeKind,
    /// A node without it is invalid.
    pub required: bool,
    /// The value when the node leaves it out; without one, leaving it out has its own meaning.
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
    /// ONNX's spelling: `FLOAT`, `TYPE_PROTO`.
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

/// The value of an attribute that is left out.
#[derive(Clone, Debug, PartialEq)]
#[allow(missing_docs)]
pub enum AttributeValue {
    Float(f32),
    Int(i64),
    String(String),
    Floats(Vec<f32>),
    Ints(Vec<i64>),
    Strings(Vec<String>),
    /// A tensor, in the form of its JSON; no operator has one so far.
    Tensor(serde_json::Value),
}

impl fmt::Display for AttributeValue {
    /// Floats with the fewest digits that name them, strings in quotes, lists in brackets.
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
    /// Its name.
    pub name: String,
    /// A type variable of the version, or a type.
    #[serde(rename = "type")]
    pub type_: String,
    /// How often it occurs.
    pub option: FormalOption,
    /// Of a variadic one: all of them have the same type.
    pub homogeneous: bool,
    /// Of a variadic one: fewest that may be given.
    pub min_arity: u32,
}

/// How often a formal input or output occurs in a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, serde::Deserialize, serde::Serialize)]
#[serde(rename_all = "lowercase")]
pub enum FormalOption {
    /// Once.
    Single,
    /// Once or not at all.
    Optional,
    /// `min_arity` times or more.
    Variadic,
}

impl FormalOption {
    /// `single`, `optional` or `variadic`.
    pub fn name(self) -> &'static str {
        match self {
            FormalOption::Single => "single",
            FormalOption::Optional => "optional",
            FormalOption::Variadic => "variadic",
        }
    }
}
