//! Values for the bodies of If, Loop, Scan and SequenceMap.

use plumbline_spec::TypeStr;
use plumbline_tensor::Value;

use crate::prelude::*;

/// Chooses one of the types that this version allows.
pub fn any_type(draw: &mut Draw) -> TypeStr {
    let types = &draw.version().types["V"];
    draw.choose(types)
}

/// Draws a value of a type; a tensor gets this shape.
pub fn value(draw: &mut Draw, type_: &TypeStr, shape: &[usize]) -> Value {
    match type_ {
        TypeStr::Tensor(dtype) => draw.elements(*dtype, shape, Values::Any).into(),
        other => draw.value_of(other, Values::Any),
    }
}
