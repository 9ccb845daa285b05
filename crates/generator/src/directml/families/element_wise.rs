//! Operators whose tensors all have the same sizes.

use crate::directml::drawing::Drawing;
use crate::values::Values;

pub(super) fn draw(d: &mut Drawing) -> Option<()> {
    let operator = d.operator();
    let names: Vec<&str> = operator.tensors().map(|field| field.name.as_str()).collect();
    let counts = d.dimension_counts(&names);
    let sizes = d.sizes(counts);
    d.attributes();
    for field in operator.inputs() {
        if d.has(&field.name) {
            d.input(&field.name, &sizes, Values::Moderate);
        }
    }
    for field in operator.outputs() {
        if d.has(&field.name) {
            d.output(&field.name, &sizes);
        }
    }
    Some(())
}
