//! What stands in the way of a graph.

use crate::{DescriptionError, OperatorDescription};
use plumbline_graph::Refusal;
use plumbline_spec::directml::{DimensionCounts, FeatureLevel, TensorDataType};

/// Why there is no graph.
#[derive(Clone, Debug, thiserror::Error)]
pub enum LoweringError {
    /// DirectML cannot do it, at this level or at all.
    #[error(transparent)]
    Unsupported(#[from] Unsupported),
    /// The model is wrong.
    #[error(transparent)]
    Invalid(#[from] Refusal),
    /// The lowering wrote a description that is none: a fault of its own.
    #[error(transparent)]
    Description(#[from] DescriptionError),
}

/// DirectML cannot do it, at this level or at all.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("{obstacle}")]
pub struct Unsupported {
    /// What stands in the way.
    pub obstacle: Obstacle,
    /// The description that was refused, where it got that far.
    pub description: Option<Box<OperatorDescription>>,
}

/// What stands in the way. `from`: the first level without it; `None`: there is none.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[allow(missing_docs)]
pub enum Obstacle {
    /// No lowering of this operator version.
    #[error("{operator} has no lowering")]
    Operator { operator: String },
    /// A type that no type of DirectML carries.
    #[error("`{tensor}` is {kind}, which no tensor data type carries")]
    Type { tensor: String, kind: String },
    /// Sizes are never 0.
    #[error("`{tensor}` has no elements")]
    Empty { tensor: String },
    /// What DirectML has no way to say.
    #[error("{what} {message}")]
    Value { what: String, message: String },
    /// The operator came later.
    #[error("{operator} is there from {from}, and not at {level}")]
    Level { operator: &'static str, level: FeatureLevel, from: FeatureLevel },
    /// A type that the tensor may not have.
    #[error("{operator}.{field} is {found}, and may be {} at {level}{}", listed(allowed), later(*from))]
    DataType {
        operator: &'static str,
        field: &'static str,
        found: TensorDataType,
        allowed: Vec<TensorDataType>,
        level: FeatureLevel,
        from: Option<FeatureLevel>,
    },
    /// More dimensions than the tensor may have, or fewer.
    #[error("{operator}.{field} has {found} dimensions, and may have {allowed} at {level}{}", later(*from))]
    DimensionCount {
        operator: &'static str,
        field: &'static str,
        found: u32,
        allowed: DimensionCounts,
        level: FeatureLevel,
        from: Option<FeatureLevel>,
    },
    /// A tensor that may be left out later only.
    #[error("{operator}.{field} may not be left out at {level}{}", later(*from))]
    Missing { operator: &'static str, field: &'static str, level: FeatureLevel, from: Option<FeatureLevel> },
    /// A value of an enumeration that came later.
    #[error("{operator}.{field} is {value}, which is there from {from}, and not at {level}")]
    Enumeration {
        operator: &'static str,
        field: &'static str,
        value: &'static str,
        level: FeatureLevel,
        from: FeatureLevel,
    },
    /// Tensors that have to be of one type.
    #[error("{operator}: {fields:?} have to be of one type, and are {}", listed(found))]
    Mixed { operator: &'static str, fields: Vec<&'static str>, found: Vec<TensorDataType> },
}

fn listed(types: &[TensorDataType]) -> String {
    types.iter().map(|known| known.name()).collect::<Vec<_>>().join(", ")
}

fn later(from: Option<FeatureLevel>) -> String {
    from.map_or_else(String::new, |from| format!(", from {from} on it may"))
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
    /// Something that DirectML has no way to say: "`mode`" and "is ...".
    pub fn value(what: impl Into<String>, message: impl Into<String>) -> Unsupported {
        Obstacle::Value { what: what.into(), message: message.into() }.into()
    }
}
