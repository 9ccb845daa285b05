//! Errors of the lowering.

use crate::{DescriptionError, OperatorDescription};
use plumbline_graph::Refusal;
use plumbline_spec::directml::{DimensionCounts, FeatureLevel, TensorDataType};

/// The reason why no graph can be made.
#[derive(Clone, Debug, thiserror::Error)]
pub enum LoweringError {
    /// DirectML cannot run the model, at this level or at all.
    #[error(transparent)]
    Unsupported(#[from] Unsupported),
    /// The model is invalid, the CPU kernels cannot evaluate a node, or the lowering failed; the kind of the refusal
    /// says which.
    #[error(transparent)]
    Invalid(#[from] Refusal),
    /// The lowering wrote an invalid description (an error of ours).
    #[error(transparent)]
    Description(#[from] DescriptionError),
}

/// DirectML cannot run the model, at this level or at all.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("{obstacle}")]
pub struct Unsupported {
    /// The obstacle.
    pub obstacle: Obstacle,
    /// The description that the level does not support, if there is one.
    pub description: Option<Box<OperatorDescription>>,
}

/// An obstacle to a lowering. `from` is the first level without the obstacle; `None` if no level is without it.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[allow(missing_docs)]
pub enum Obstacle {
    /// The operator has no lowering.
    #[error("{operator} has no lowering")]
    Operator { operator: String },
    /// DirectML has no type that can carry the values.
    #[error("`{tensor}` is {kind}, which no tensor data type of DirectML can hold")]
    Type { tensor: String, kind: String },
    /// The tensor is empty, and DirectML's sizes are never 0.
    #[error("`{tensor}` has no elements")]
    Empty { tensor: String },
    /// DirectML cannot express a value.
    #[error("{what} {message}")]
    Value { what: String, message: String },
    /// The operator was introduced at a later level.
    #[error("{operator} is available from feature level {from}, and the graph is for {level}")]
    Level { operator: &'static str, level: FeatureLevel, from: FeatureLevel },
    /// The tensor does not support the type.
    #[error("{operator}.{field} is {found}, but at {level} it may only be {}{}", listed(allowed), later(*from))]
    DataType {
        operator: &'static str,
        field: &'static str,
        found: TensorDataType,
        allowed: Vec<TensorDataType>,
        level: FeatureLevel,
        from: Option<FeatureLevel>,
    },
    /// The tensor does not support the number of dimensions.
    #[error("{operator}.{field} has {found} dimensions, but at {level} it may only have {allowed}{}", later(*from))]
    DimensionCount {
        operator: &'static str,
        field: &'static str,
        found: u32,
        allowed: DimensionCounts,
        level: FeatureLevel,
        from: Option<FeatureLevel>,
    },
    /// The tensor is required at this level.
    #[error("{operator}.{field} must be given at {level}{}", later(*from))]
    Missing { operator: &'static str, field: &'static str, level: FeatureLevel, from: Option<FeatureLevel> },
    /// The value of an enumeration was introduced at a later level.
    #[error(
        "{operator}.{field} is {value}, which is available from feature level {from}, and the graph is for {level}"
    )]
    Enumeration {
        operator: &'static str,
        field: &'static str,
        value: &'static str,
        level: FeatureLevel,
        from: FeatureLevel,
    },
    /// Tensors must have the same type.
    #[error("{operator}: {fields:?} must have equal types, but they are {}", listed(found))]
    Mixed { operator: &'static str, fields: Vec<&'static str>, found: Vec<TensorDataType> },
}

fn listed(types: &[TensorDataType]) -> String {
    types.iter().map(|known| known.name()).collect::<Vec<_>>().join(", ")
}

fn later(from: Option<FeatureLevel>) -> String {
    from.map_or_else(String::new, |from| format!("; feature level {from} lifts this restriction"))
}

impl From<Obstacle> for Unsupported {
    fn from(obstacle: Obstacle) -> Unsupported {
        Unsupported { obstacle, description: None }
    }
}

impl From<Obstacle> for LoweringError {
    fn from(obstacle: Obstacle) -> LoweringError {
        Unsupported::from(obstacle).into()
    }
}

impl Unsupported {
    /// Creates an error for a value that DirectML cannot express. `what` names the value (such as "`mode`"), and
    /// `message` completes the sentence (such as "is ...").
    pub fn value(what: impl Into<String>, message: impl Into<String>) -> Unsupported {
        Obstacle::Value { what: what.into(), message: message.into() }.into()
    }
}
