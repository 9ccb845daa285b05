//! Draws an optional with a value of any type; from version 18 on also a value that is no optional.

use plumbline_spec::TypeStr;
use plumbline_tensor::Value;

use crate::families::optional;
use crate::prelude::*;

pub fn optional_get_element(draw: &mut Draw) {
    let outside = match draw.binding.get("O") {
        Some(bound) => bound.clone(),
        None => {
            // From version 18 on, the input may be a plain value instead of an optional.
            let inside = draw.type_of("V");
            let plain = draw.since() >= 18 && draw.flag();
            if plain { inside } else { optional::optional_type(&inside) }
        }
    };
    draw.binding.insert("O".to_owned(), outside.clone());
    let inside = optional::content_type(draw);
    let value = draw.value_of(&inside, Values::Any);
    match outside {
        TypeStr::Optional(_) => draw.input("input", Value::some(value)),
        _ => {
            draw.feature("no optional around it");
            draw.input("input", value);
        }
    }
}
