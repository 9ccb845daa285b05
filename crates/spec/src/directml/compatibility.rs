//! Computes, without a device, which types of ONNX's operator versions DirectML can serve. For each type, the result
//! has the first feature level that serves it and the DirectML operators that do, or the reason why no level is known
//! to serve it. `registered_without_support` returns the types that ONNX Runtime's provider registers although the
//! documentation does not list them.
//!
//! The result follows from the lowerings and the support tables. A lowering says which tensor of a DirectML operator
//! has the type of a type variable. DirectML serves the type from the first level at which this tensor, and every
//! tensor that must have the same type, may have it. If no tensor has the type, because the provider reads the value on
//! the CPU, DirectML serves the type from the first level that has the operators. The result ignores attributes and
//! sizes.

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
    /// The DirectML element type that carries the type, such as UINT8 for `tensor(bool)`, if there is one.
    pub carrier: Option<TensorDataType>,
    /// The DirectML operators that the lowering uses, the main one first.
    pub through: Vec<String>,
    /// The main operator's tensor that has the type, if a tensor has it.
    pub tensor: Option<String>,
    /// The first feature level that serves the type, or `None` if no level is known to serve it.
    pub from: Option<FeatureLevel>,
    /// The dimension counts of `tensor` at the level `from`, and at each later level that changes them.
    pub dimension_counts: Vec<(FeatureLevel, DimensionCounts)>,
    /// Whether ONNX Runtime's provider registers the type for this version.
    pub registered: bool,
    /// The reason why no level is known to serve the type.
    pub obstacle: Option<Obstacle>,
}

/// Why a type is not served.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Obstacle {
    /// The provider has no lowering of the operator.
    NoLowering,
    /// The provider implements the operator without DirectML, or with a shader of its own.
    WithoutDirectMl {
        /// How the provider implements it.
        note: Option<String>,
    },
    /// The tensor that has the type is not known, or no tensor has it and the provider does not register it.
    Unmapped,
    /// The type is a sequence, a map, an optional value or a sparse tensor.
    NotATensor,
    /// No element type of DirectML carries the type.
    NoCarrier,
    /// The documentation does not list the types of the operator.
    Undocumented {
        /// The operator.
        operator: String,
    },
    /// The tensor does not support the type at any level.
    NeverSupported {
        /// The DirectML operator.
        operator: String,
        /// The tensor of the operator.
        tensor: String,
        /// The type that the tensor never has.
        data_type: TensorDataType,
    },
}

impl fmt::Display for Obstacle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Obstacle::NoLowering => f.write_str("no lowering is known"),
            Obstacle::WithoutDirectMl { note: Some(note) } => write!(f, "not computed by DirectML: {note}"),
            Obstacle::WithoutDirectMl { note: None } => f.write_str("not computed by DirectML"),
            Obstacle::Unmapped => f.write_str("it is not known which tensor has this type"),
            Obstacle::NotATensor => f.write_str("not a dense tensor"),
            Obstacle::NoCarrier => f.write_str("no tensor data type can represent it"),
            Obstacle::Undocumented { operator } => write!(f, "the types of {operator} are not documented"),
            Obstacle::NeverSupported { operator, tensor, data_type } => {
                write!(f, "{tensor} of {operator} does not support {data_type} at any level")
            }
        }
    }
}

/// Types that the provider registers although the documentation of their DirectML operator does not list them.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Unsupported {
    /// The domain of the ONNX operator.
    pub domain: String,
    /// The name of the ONNX operator.
    pub name: String,
    /// The version of the ONNX operator.
    pub since: u32,
    /// The type variable.
    pub variable: String,
    /// The unsupported types.
    pub types: Vec<DType>,
    /// The DirectML operator that would have to support them.
    pub operator: String,
    /// The tensor of the DirectML operator.
    pub tensor: String,
}

/// Pairs of an ONNX operator and the DirectML operator that serves its unsigned types. An unsigned integer is its own
/// absolute value, so `Abs` becomes an identity.
const INSTEAD: [(&str, &str); 1] = [("Abs", "DML_OPERATOR_ELEMENT_WISE_IDENTITY")];

impl DirectMl {
    /// Returns how each type of each type variable of an operator version is served.
    pub fn services(&self, version: &OperatorVersion) -> Vec<Service> {
        version.cells().map(|(variable, type_)| self.serves(version, variable, type_)).collect()
    }

    /// Returns how one type of a type variable is served.
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
            // The provider reads the value on the CPU or not at all, so no tensor has the type. Each level that has the
            // operators serves it.
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
        // If no level supports `carrier`, the lowering may still state a level, because the provider passes signed
        // indices as unsigned ones.
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

    /// Returns the types that the provider registers although the documentation of their DirectML operator does not
    /// list them.
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

/// Returns the registration of a version. If the version is not registered, returns the registration of the newest
/// version before it, or else of the first version after it.
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

/// Returns the tensors that must have the same type as this one.
fn same_type<'a>(operator: &'a Operator, tensor: &str) -> impl Iterator<Item = &'a str> {
    let of_type = operator.tensor_constraints.iter().filter(|constraint| constraint.same.contains(&Property::DataType));
    let with_it = of_type.filter(move |constraint| constraint.tensors.iter().any(|name| name == tensor));
    with_it.flat_map(|constraint| &constraint.tensors).map(String::as_str)
}

/// Returns the dimension counts at the level `from`, and at each later level that changes them.
pub(super) fn counts(table: &SupportTable, tensor: &str, from: FeatureLevel) -> Vec<(FeatureLevel, DimensionCounts)> {
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
