//! What ONNX says of an operator version and what DirectML says of one of its operators, side by side.

use std::collections::BTreeSet;
use std::fmt;

use serde::Serialize;

use super::compatibility::counts;
use super::data_type::TensorDataType;
use super::level::FeatureLevel;
use super::load::DirectMl;
use super::operator::Operator;
use crate::diff::{id_as_text, one_line};
use crate::id::OperatorId;
use crate::operator::OperatorVersion;
use crate::rules_file::{Behaviour, Constraint, Rules, Status};

/// An operator version of ONNX beside an operator of DirectML: their types and their rules.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Counterpart {
    /// The operator version of ONNX.
    #[serde(serialize_with = "id_as_text")]
    pub onnx: OperatorId,
    /// The operator of DirectML.
    pub directml: String,
    /// Whether ONNX Runtime's provider uses this operator of DirectML for this operator of ONNX.
    pub used_by_provider: bool,
    /// The types of each type variable whose tensor is known.
    pub types: Vec<TypeRow>,
    /// The numbers of dimensions that DirectML takes for its first input, and the levels from which it does.
    pub dimension_counts: Vec<(FeatureLevel, String)>,
    /// The properties that DirectML wants to be equal: `DataType, Sizes of ATensor, BTensor`.
    pub equal: Vec<String>,
    /// The rules, those of ONNX first. Rules of the same name are about the same matter.
    pub rules: Vec<RuleRow>,
}

/// An element type on both sides.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct TypeRow {
    /// The type variable of ONNX: `T`.
    pub variable: String,
    /// The tensor of DirectML: `ATensor`.
    pub tensor: String,
    /// The type as ONNX writes it, without `tensor(...)`. `None` for a type that only DirectML takes.
    pub onnx: Option<String>,
    /// The type of DirectML that carries it.
    pub directml: Option<TensorDataType>,
    /// The first level at which the tensor may have the type; `None` if it never may.
    pub from: Option<FeatureLevel>,
}

/// What both sides say about one matter.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct RuleRow {
    /// The name of the rule: `nan`.
    pub name: String,
    /// The rule of ONNX.
    pub onnx: Option<Side>,
    /// The rule of DirectML.
    pub directml: Option<Side>,
}

/// What one side says.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Side {
    /// Whether it is decided. `None` for a constraint, which always is.
    pub status: Option<Status>,
    /// The rule.
    pub text: String,
    /// The outcomes that are allowed if it is not decided.
    pub outcomes: Vec<String>,
    /// Where it is written.
    pub source: String,
}

impl From<&Constraint> for Side {
    fn from(rule: &Constraint) -> Side {
        Side { status: None, text: one_line(&rule.text), outcomes: Vec::new(), source: one_line(&rule.source) }
    }
}

impl From<&Behaviour> for Side {
    fn from(rule: &Behaviour) -> Side {
        Side {
            status: Some(rule.status),
            text: one_line(&rule.text),
            outcomes: rule.outcomes.clone(),
            source: one_line(&rule.source),
        }
    }
}

impl DirectMl {
    /// Compares an operator version of ONNX, whose operator has these rules, with an operator of DirectML.
    pub fn counterpart(&self, version: &OperatorVersion, rules: Option<&Rules>, operator: &Operator) -> Counterpart {
        let used = self
            .lowering(&version.id.domain, &version.id.name)
            .is_some_and(|l| l.registrations.iter().any(|r| r.dml_operators.contains(&operator.name)));
        let first = operator.inputs().next().map_or("", |field| &field.name);
        // REDUCE has a table for each group of functions, with the same dimension counts.
        let table = operator.support.first();
        let dimension_counts = table.map_or_else(Vec::new, |table| counts(table, first, operator.introduced));
        Counterpart {
            onnx: version.id.clone(),
            directml: operator.name.clone(),
            used_by_provider: used,
            types: self.types_beside(version, operator),
            dimension_counts: dimension_counts.into_iter().map(|(level, counts)| (level, counts.to_string())).collect(),
            equal: operator.tensor_constraints.iter().map(ToString::to_string).collect(),
            rules: rules_beside(rules, version.since, operator.rules.as_ref()),
        }
    }

    /// Compares the types of each type variable with those of the tensor that has it.
    fn types_beside(&self, version: &OperatorVersion, operator: &Operator) -> Vec<TypeRow> {
        let mut rows = Vec::new();
        for (variable, types) in &version.types {
            let Some(tensor) = self.tensor_of(version, variable, operator) else { continue };
            let mut carried = BTreeSet::new();
            for type_ in types {
                let carrier = type_.tensor_dtype().and_then(TensorDataType::of_onnx);
                carried.extend(carrier);
                rows.push(TypeRow {
                    variable: variable.clone(),
                    tensor: tensor.clone(),
                    onnx: Some(type_.tensor_dtype().map_or_else(|| type_.to_string(), |dtype| dtype.to_string())),
                    directml: carrier,
                    from: carrier.and_then(|carrier| operator.first_level_with(&tensor, carrier)),
                });
            }
            for only in TensorDataType::ALL.into_iter().filter(|known| !carried.contains(known)) {
                if let Some(from) = operator.first_level_with(&tensor, only) {
                    let (variable, tensor) = (variable.clone(), tensor.clone());
                    rows.push(TypeRow { variable, tensor, onnx: None, directml: Some(only), from: Some(from) });
                }
            }
        }
        rows
    }

    /// Returns the tensor of DirectML that has the type of a type variable: by the lowering of ONNX Runtime's provider,
    /// or, for the variable of the first input or output, the first input or output.
    fn tensor_of(&self, version: &OperatorVersion, variable: &str, operator: &Operator) -> Option<String> {
        let lowered = self.lowering(&version.id.domain, &version.id.name).and_then(|lowering| {
            let with = lowering.registrations.iter().filter(|r| r.dml_operators.contains(&operator.name));
            let tensor = with.filter_map(|r| r.type_constraints.get(variable)?.dml_tensor.as_ref()).next_back()?;
            operator.field(tensor).map(|field| field.name.clone())
        });
        let is_first = |formal: Option<&crate::operator::Formal>| formal.is_some_and(|f| f.type_ == *variable);
        let by_place = || match (is_first(version.inputs.first()), is_first(version.outputs.first())) {
            (true, _) => operator.inputs().next(),
            (false, true) => operator.outputs().next(),
            (false, false) => None,
        };
        lowered.or_else(|| by_place().map(|field| field.name.clone()))
    }
}

fn rules_beside(onnx: Option<&Rules>, since: u32, directml: Option<&Rules>) -> Vec<RuleRow> {
    let sides = |rules: Option<&Rules>, since: u32| -> Vec<(String, Side)> {
        let Some(rules) = rules else { return Vec::new() };
        let constraints = rules.constraints.iter().filter(|r| r.applies_to(since) && r.releases.is_current());
        let behaviours = rules.behaviours.iter().filter(|r| r.applies_to(since) && r.releases.is_current());
        let constraints = constraints.map(|rule| (rule.label.clone(), rule.into()));
        constraints.chain(behaviours.map(|rule| (rule.label.clone(), rule.into()))).collect()
    };
    let mut rows: Vec<RuleRow> = Vec::new();
    for (name, side) in sides(onnx, since) {
        rows.push(RuleRow { name, onnx: Some(side), directml: None });
    }
    for (name, side) in sides(directml, 1) {
        match rows.iter_mut().find(|row| row.name == name && row.directml.is_none()) {
            Some(row) => row.directml = Some(side),
            None => rows.push(RuleRow { name, onnx: None, directml: Some(side) }),
        }
    }
    rows
}

impl fmt::Display for Counterpart {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{} and {}", self.onnx, self.directml)?;
        if !self.used_by_provider {
            writeln!(f, "  ONNX Runtime's DirectML provider does not use the one for the other")?;
        }
        let mut before = None;
        for row in &self.types {
            if before.replace((&row.variable, &row.tensor)) != Some((&row.variable, &row.tensor)) {
                writeln!(f, "types of {} (ONNX) and {} (DirectML)", row.variable, row.tensor)?;
            }
            let onnx = row.onnx.as_deref().unwrap_or("-");
            match (row.directml, row.from) {
                (Some(carrier), Some(from)) => writeln!(f, "  {onnx:14} {carrier:8} from {from}")?,
                (Some(carrier), None) => writeln!(f, "  {onnx:14} {carrier:8} never")?,
                (None, _) => writeln!(f, "  {onnx:14} -        never: DirectML has no such type")?,
            }
        }
        let counts = self.dimension_counts.iter().map(|(level, counts)| format!("{counts} from {level}"));
        writeln!(f, "dimensions of DirectML's first input: {}", counts.collect::<Vec<_>>().join("; "))?;
        for equal in &self.equal {
            writeln!(f, "equal in DirectML: {equal}")?;
        }
        for row in &self.rules {
            writeln!(f, "{}", row.name)?;
            for (name, side) in [("ONNX", &row.onnx), ("DirectML", &row.directml)] {
                match side {
                    Some(side) => writeln!(f, "  {name:8} {side}")?,
                    None => writeln!(f, "  {name:8} (no rule of this name)")?,
                }
            }
        }
        Ok(())
    }
}

impl fmt::Display for Side {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let status = self.status.map_or("required", Status::name);
        write!(f, "{status}: {}", self.text)?;
        if !self.outcomes.is_empty() {
            write!(f, " Allowed: {}.", self.outcomes.join("; "))?;
        }
        Ok(())
    }
}
