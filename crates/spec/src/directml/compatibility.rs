//! What DirectML can serve of ONNX without any device: for an operator version and a type, from which feature level,
//! through which operators, and what stands in the way; and what ONNX Runtime's provider registers all the same.
//!
//! It is read off the lowerings and the support tables. A type is served from the level at which the tensor that carries
//! it, and every tensor that has to have the same type, may have it. Attributes and sizes are not looked at.

use super::data_type::TensorDataType;
use super::level::FeatureLevel;
use super::load::DirectMl;
use super::lowering::{Lowering, RegisteredTypes, Registration};
use super::operator::{Operator, Property};
use super::support::{DimensionCounts, SupportTable};
use crate::operator::OperatorVersion;
use crate::types::TypeStr;
use plumbline_tensor::{DType, DTypeKind};
use serde::Serialize;
use std::fmt;

/// How DirectML serves one type of a type variable of an operator version.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Service {
    /// The type variable: `T`.
    pub variable: String,
    /// The type: `tensor(float)`.
    #[serde(rename = "type")]
    pub type_: TypeStr,
    /// The type that carries it.
    pub carrier: Option<TensorDataType>,
    /// The operators it goes through, the main one first.
    pub through: Vec<String>,
    /// The tensor of the main one that has the type.
    pub tensor: Option<String>,
    /// The first feature level that serves it; `None`: never.
    pub from: Option<FeatureLevel>,
    /// The dimension counts of that tensor at this level, and at each later one that changes them.
    pub dimension_counts: Vec<(FeatureLevel, DimensionCounts)>,
    /// Whether ONNX Runtime's provider registers it for this version.
    pub registered: bool,
    /// What stands in the way, where it is never served.
    pub obstacle: Option<Obstacle>,
}

/// Why a type is not served.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Obstacle {
    /// The provider has nothing for the operator.
    NoLowering,
    /// The provider serves the operator without DirectML, or by a shader of its own.
    WithoutDirectMl {
        /// How.
        note: Option<String>,
    },
    /// It is not known which tensor has the type.
    Unmapped,
    /// It is a sequence, a map, an optional value or a sparse tensor.
    NotATensor,
    /// No element type of DirectML carries it.
    NoCarrier,
    /// The documentation does not say which types the operator takes.
    Undocumented {
        /// The operator.
        operator: String,
    },
    /// The tensor never has this type.
    NeverSupported {
        /// The operator.
        operator: String,
        /// Its tensor.
        tensor: String,
        /// The type.
        data_type: TensorDataType,
    },
}

impl fmt::Display for Obstacle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Obstacle::NoLowering => f.write_str("no lowering is known"),
            Obstacle::WithoutDirectMl { note: Some(note) } => write!(f, "not done by DirectML: {note}"),
            Obstacle::WithoutDirectMl { note: None } => f.write_str("not done by DirectML"),
            Obstacle::Unmapped => f.write_str("it is not known which tensor has this type"),
            Obstacle::NotATensor => f.write_str("not a dense tensor"),
            Obstacle::NoCarrier => f.write_str("no tensor data type carries it"),
            Obstacle::Undocumented { operator } => write!(f, "the types of {operator} are not documented"),
            Obstacle::NeverSupported { operator, tensor, data_type } => {
                write!(f, "{tensor} of {operator} never is {data_type}")
            }
        }
    }
}

/// A type that the provider registers and no documentation has its DirectML operator support.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Unsupported {
    /// The domain.
    pub domain: String,
    /// The operator.
    pub name: String,
    /// Its version.
    pub since: u32,
    /// The type variable.
    pub variable: String,
    /// The types.
    pub types: Vec<DType>,
    /// The operator that would have to take them.
    pub operator: String,
    /// Its tensor.
    pub tensor: String,
}

/// Unsigned integers are their own absolute value, so that `Abs` is no `ABS` for them.
const INSTEAD: [(&str, &str); 1] = [("Abs", "DML_OPERATOR_ELEMENT_WISE_IDENTITY")];

impl DirectMl {
    /// How each type of each type variable of an operator version is served.
    pub fn services(&self, version: &OperatorVersion) -> Vec<Service> {
        version.cells().map(|(variable, type_)| self.serves(version, variable, type_)).collect()
    }

    /// How one type of a type variable is served.
    pub fn serves(&self, version: &OperatorVersion, variable: &str, type_: &TypeStr) -> Service {
        let lowering = self.lowering(&version.id.domain, &version.id.name);
        let mut service = Service {
            variable: variable.to_owned(),
            type_: type_.clone(),
            carrier: type_.tensor_dtype().and_then(TensorDataType::of_onnx),
            through: Vec::new(),
            tensor: None,
            from: None,
            dimension_counts: Vec::new(),
            registered: false,
            obstacle: None,
        };
        let nearest = lowering.and_then(|lowering| nearest(lowering, version.since));
        let result = match nearest {
            Some(registration) => self.fill(&mut service, version, registration),
            None => Err(Obstacle::NoLowering),
        };
        service.obstacle = result.err();
        service
    }

    fn fill(&self, service: &mut Service, version: &OperatorVersion, near: &Registration) -> Result<(), Obstacle> {
        let constraint = near.type_constraints.get(&service.variable);
        let dtype = service.type_.tensor_dtype();
        let same = near.since_version == version.since;
        let has = |constraint: &RegisteredTypes| dtype.is_some_and(|dtype| constraint.types.contains(dtype));
        service.registered = same && constraint.is_some_and(has);
        service.through = near.dml_operators.clone();
        if near.dml_operators.is_empty() {
            return Err(Obstacle::WithoutDirectMl { note: near.lowering_note.clone() });
        }
        let dtype = dtype.ok_or(Obstacle::NotATensor)?;
        let carrier = service.carrier.ok_or(Obstacle::NoCarrier)?;
        let constraint = constraint.ok_or(Obstacle::Unmapped)?;
        let operators: Vec<&Operator> = near.dml_operators.iter().filter_map(|name| self.operator(name)).collect();
        let Some(tensor) = &constraint.dml_tensor else {
            // Read on the CPU, or not at all: no tensor has it, and it is there with the operator.
            service.from = operators.iter().map(|operator| operator.introduced).max();
            return if service.registered { Ok(()) } else { Err(Obstacle::Unmapped) };
        };
        service.tensor = Some(tensor.clone());
        let unsigned = dtype.kind() == DTypeKind::UnsignedInteger;
        let instead =
            INSTEAD.iter().find(|(name, _)| unsigned && *name == version.id.name).map(|(_, operator)| *operator);
        let stated = constraint.dml_min_feature_level.get(&dtype).copied().flatten();
        let takes = |operator: &&&Operator| first_level(operator, near, tensor, carrier).is_some();
        let has_tensor = |operator: &&&Operator| operator.field(tensor).is_some();
        let main = match instead {
            Some(name) => operators.iter().find(|operator| operator.name == name),
            None if stated.is_some() => operators.iter().filter(has_tensor).find(takes),
            None => None,
        };
        let main = main.or_else(|| operators.iter().find(has_tensor)).ok_or(Obstacle::Unmapped)?;
        service.through.retain(|name| *name != main.name);
        service.through.insert(0, main.name.clone());
        if !main.is_documented() {
            return Err(Obstacle::Undocumented { operator: main.name.clone() });
        }
        let alone = first_level(main, near, tensor, carrier);
        let never = |tensor: &str| Obstacle::NeverSupported {
            operator: main.name.clone(),
            tensor: tensor.to_owned(),
            data_type: carrier,
        };
        // Where the type itself is not taken, the provider may carry it as another: indices as unsigned.
        let mut from = alone.or(stated).ok_or_else(|| never(tensor))?.max(main.introduced);
        if alone.is_some() {
            for other in same_type(main, tensor) {
                from = from.max(first_level(main, near, other, carrier).ok_or_else(|| never(other))?);
            }
        }
        service.from = Some(from);
        service.dimension_counts =
            main.table(near.reduce_function.as_deref()).map_or_else(Vec::new, |table| counts(table, tensor, from));
        Ok(())
    }

    /// What the provider registers although the documentation does not have its DirectML operator take it.
    pub fn registered_without_support(&self) -> Vec<Unsupported> {
        let mut found = Vec::new();
        for lowering in self.lowerings() {
            for registration in &lowering.registrations {
                for (variable, constraint) in &registration.type_constraints {
                    let levels = constraint.dml_min_feature_level.iter();
                    let types: Vec<DType> =
                        levels.filter(|(_, level)| level.is_none()).map(|(&dtype, _)| dtype).collect();
                    if let (false, Some(tensor), Some(operator)) =
                        (types.is_empty(), &constraint.dml_tensor, registration.dml_operators.first())
                    {
                        found.push(Unsupported {
                            domain: lowering.domain.clone(),
                            name: lowering.name.clone(),
                            since: registration.since_version,
                            variable: variable.clone(),
                            types,
                            operator: operator.clone(),
                            tensor: tensor.clone(),
                        });
                    }
                }
            }
        }
        found
    }
}

/// The registration of a version; of one that is not registered, the newest before it, or the first after it.
fn nearest(lowering: &Lowering, since: u32) -> Option<&Registration> {
    let before = lowering.registrations.iter().rfind(|registration| registration.since_version <= since);
    before.or_else(|| lowering.registrations.first())
}

fn first_level(
    operator: &Operator,
    near: &Registration,
    tensor: &str,
    carrier: TensorDataType,
) -> Option<FeatureLevel> {
    operator.table(near.reduce_function.as_deref())?.first_level_with(tensor, carrier)
}

/// The tensors that have to have the type of this one.
fn same_type<'a>(operator: &'a Operator, tensor: &str) -> impl Iterator<Item = &'a str> {
    let of_type = operator.tensor_constraints.iter().filter(|constraint| constraint.same.contains(&Property::DataType));
    let with_it = of_type.filter(move |constraint| constraint.tensors.iter().any(|name| name == tensor));
    with_it.flat_map(|constraint| &constraint.tensors).map(String::as_str)
}

/// Dimension counts from a level on.
fn counts(table: &SupportTable, tensor: &str, from: FeatureLevel) -> Vec<(FeatureLevel, DimensionCounts)> {
    let mut found: Vec<(FeatureLevel, DimensionCounts)> = Vec::new();
    let at = |level| table.row(level, tensor).map(|row| (level, row.dimension_counts));
    let later = table.steps().map(|(level, _)| level).filter(|level| *level > from);
    for (level, counts) in std::iter::once(from).chain(later).filter_map(at) {
        if found.last().is_none_or(|(_, last)| *last != counts) {
            found.push((level, counts));
        }
    }
    found
}
