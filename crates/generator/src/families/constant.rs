//! Element types that Constant, ConstantOfShape and EyeLike do not allow.

use plumbline_spec::TypeStr;

use crate::prelude::*;

/// Chooses an element type that a type variable of this version does not allow.
pub fn foreign_dtype(draw: &mut Draw, variable: &str) -> DType {
    let types = draw.version().types.get(variable).cloned().unwrap_or_default();
    let foreign: Vec<DType> = DType::ALL.into_iter().filter(|d| !types.contains(&TypeStr::Tensor(*d))).collect();
    draw.way_of(&foreign)
}
