//! Draws an optional with a value of any type, or one that is empty.

use plumbline_tensor::ValueKind;

use crate::declarations::kind_of;
use crate::families::optional;
use crate::prelude::*;

pub fn optional(draw: &mut Draw) {
    let inside = optional::content_type(draw);
    draw.binding.insert("O".to_owned(), optional::optional_type(&inside));
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

pub fn type_given_without_input(draw: &mut Draw) {
    let inside = optional::content_type(draw);
    draw.binding.insert("O".to_owned(), optional::optional_type(&inside));
}

pub fn type_allowed(draw: &mut Draw) {
    let inside = optional::content_type(draw);
    draw.binding.insert("O".to_owned(), optional::optional_type(&inside));
    let odd = draw.way_of(&[
        ValueKind::Map(DType::Int64, Box::new(kind_of(&inside))),
        kind_of(&optional::optional_type(&inside)),
    ]);
    draw.type_attribute("type", &odd);
}
