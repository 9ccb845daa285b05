//! DirectML's operators: the fields of their description structs, what they support at each feature level, and the
//! DirectML operators that ONNX Runtime's provider uses for an ONNX operator.
//!
//! `specs/directml` has one file for each operator (`DML_OPERATOR_ELEMENT_WISE_MIN.json`), `types.json` for what the
//! operators share (levels, element types, enumerations), `lowering/<domain>/<Op>.json` for each ONNX operator that the
//! provider has, and `lowering/provider.json` for the provider as a whole. The operators are complete: feature level
//! 6_4 is DirectML's last, so no operator will be added. If the documentation disagrees with itself or with
//! `DirectML.h`, the operator has a note. The least certain fact is whether an operator works in place.
//!
//! ```
//! use plumbline_spec::directml::{DirectMl, FeatureLevel, TensorDataType};
//! let min = DirectMl::embedded().operator("ELEMENT_WISE_MIN").expect("MIN is an operator");
//! let row = min.row(FeatureLevel::V2_1, "ATensor").expect("MIN has existed since 1_0");
//! assert_eq!(row.dimension_counts.to_string(), "4");
//! assert_eq!(min.first_level_with("ATensor", TensorDataType::Int64), Some(FeatureLevel::V5_0));
//! ```

mod check;
mod compatibility;
mod compatibility_table;
mod counterpart;
mod data_type;
mod diff;
mod field;
mod import;
mod level;
mod load;
pub mod lowering;
mod meaning;
pub(crate) mod names;
mod operator;
mod support;
mod support_table;
mod types;

pub use compatibility::{Obstacle, Service, Unsupported};
pub use compatibility_table::ServiceRow;
pub use counterpart::{Counterpart, RuleRow, Side, TypeRow};
pub use data_type::{DataTypeError, TensorDataType};
pub use diff::{LevelChange, LevelDiff, LevelPart};
pub use field::{Field, FieldKind, FieldType};
pub use import::import;
pub use level::{FeatureLevel, LevelError};
pub use load::DirectMl;
pub use lowering::{Lowering, Provider, Registration};
pub use meaning::{Condition, FUSED_ACTIVATION, Meaning, Meanings, PROPERTIES, Pending, SCALE_BIAS, Statement};
pub use operator::{InPlaceEvidence, OPERATOR_PREFIX, Operator, PageSource, Property, TensorConstraint};
pub use support::{DimensionCounts, Extent, SupportBlock, SupportRow, SupportTable, SymbolicSize};
pub use support_table::support_table;
pub use types::{
    Constant, DataTypeFacts, EnumValue, Enumeration, FusedActivation, FusedInto, LevelFacts, Source, Types,
};
