//! [`Cell`]: an operator version with one of its type variables bound to a type.

use plumbline_spec::{OperatorVersion, TypeStr};

use crate::declarations::short_type;

/// An operator version with one of its type variables bound to a type. The cases draw the types of the other variables.
#[derive(Clone, Debug, PartialEq)]
pub struct Cell {
    /// The specification of the operator version.
    pub version: &'static OperatorVersion,
    /// The bound variable and its type; `None` for a version without type variables.
    pub bound: Option<(String, TypeStr)>,
}

impl std::fmt::Display for Cell {
    /// Writes the cell as in the id of a case: `Min-13/T=float16`, or `-` after the slash if no variable is bound.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}", self.version.id)?;
        match &self.bound {
            Some((variable, type_)) => write!(f, "/{variable}={}", short_type(&type_.to_string())),
            None => write!(f, "/-"),
        }
    }
}
