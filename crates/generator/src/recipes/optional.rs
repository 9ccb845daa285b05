//! Recipes for the operators on optional values.

use plumbline_spec::TypeStr;
use plumbline_tensor::{DType, Value, ValueKind};

use crate::draw::{Draw, kind_of};
use crate::values::Values;

/// Returns the type that the optional holds. The cell binds either this type or the type of the optional.
fn inside(draw: &mut Draw) -> TypeStr {
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

fn optional_of(inside: &TypeStr) -> TypeStr {
    TypeStr::Optional(Box::new(inside.clone()))
}

pub fn optional(draw: &mut Draw) {
    let inside = inside(draw);
    draw.binding.insert("O".to_owned(), optional_of(&inside));
    let given = draw.give_input("input");
    if given {
        let value = draw.value_of(&inside, Values::Any);
        draw.input("input", value);
    }
    // Without an input, the attribute has to give the type.
    if !given || draw.once_in(3) {
        draw.type_attribute("type", &kind_of(&inside));
    }
}

pub fn optional_type_given_without_input(draw: &mut Draw) {
    let inside = inside(draw);
    draw.binding.insert("O".to_owned(), optional_of(&inside));
}

pub fn optional_type_allowed(draw: &mut Draw) {
    let inside = inside(draw);
    draw.binding.insert("O".to_owned(), optional_of(&inside));
    let odd = draw.way_of(&[ValueKind::Map(DType::Int64, Box::new(kind_of(&inside))), kind_of(&optional_of(&inside))]);
    draw.type_attribute("type", &odd);
}

pub fn optional_get_element(draw: &mut Draw) {
    let outside = match draw.binding.get("O") {
        Some(bound) => bound.clone(),
        None => {
            // From version 18 on, the input may be a plain value instead of an optional.
            let inside = draw.type_of("V");
            let plain = draw.since() >= 18 && draw.flag();
            if plain { inside } else { optional_of(&inside) }
        }
    };
    draw.binding.insert("O".to_owned(), outside.clone());
    let inside = inside(draw);
    let value = draw.value_of(&inside, Values::Any);
    match outside {
        TypeStr::Optional(_) => draw.input("input", Value::some(value)),
        _ => {
            draw.feature("no optional around it");
            draw.input("input", value);
        }
    }
}

pub fn optional_has_element(draw: &mut Draw) {
    if !draw.give_input("input") {
        draw.feature("no input");
        return;
    }
    let outside = draw.type_of("O");
    let value = draw.value_of(&outside, Values::Any);
    if !matches!(outside, TypeStr::Optional(_)) {
        draw.feature("always an element");
    }
    draw.input("input", value);
}
