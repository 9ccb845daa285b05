//! Types of optional values and of what they hold.

use plumbline_spec::TypeStr;

use crate::prelude::*;

/// Returns the type of the value in the optional: the type of V, or, if O is bound to an optional type, the type that
/// it holds. From version 18 on, O may also be bound to a type that is no optional; then this returns the type of O.
pub fn content_type(draw: &mut Draw) -> TypeStr {
    let inside = match draw.binding.get("O") {
        Some(TypeStr::Optional(inside)) => (**inside).clone(),
        Some(other) => other.clone(),
        None => draw.type_of("V"),
    };
    if draw.version().types.contains_key("V") {
        draw.binding.insert("V".to_owned(), inside.clone());
    }
    inside
}

/// Returns the type of an optional that holds values of this type.
pub fn optional_type(inside: &TypeStr) -> TypeStr {
    TypeStr::Optional(Box::new(inside.clone()))
}
