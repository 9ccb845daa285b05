//! Operators that fill a tensor with numbers of the description.

use crate::directml::description::Attribute;
use crate::directml::sketch::Drawing;
use crate::values::Values;

pub(super) fn constant(d: &mut Drawing) -> Option<()> {
    let counts = d.dimension_counts(&["OutputTensor"]);
    let sizes = d.sizes(counts);
    let data_type = d.type_of("OutputTensor");
    d.give("ValueDataType", Attribute::Name(data_type.full_name()));
    let value = d.pick(&[1, 0, 3, 100]);
    d.scalar("Value", data_type, value);
    d.output("OutputTensor", &sizes);
    Some(())
}

/// The numbers stay so small that every type has them, and that sums of floating-point numbers are exact.
pub(super) fn sequence(d: &mut Drawing) -> Option<()> {
    let counts = d.dimension_counts(&["OutputTensor"]);
    let mut sizes = d.sizes(counts);
    for at in 0..sizes.len() {
        if sizes.iter().product::<u32>() > 60 {
            sizes[at] = 1;
        }
    }
    let data_type = d.type_of("OutputTensor");
    d.give("ValueDataType", Attribute::Name(data_type.full_name()));
    let (start, delta) = (d.pick(&[0, 1, 5]), d.pick(&[1, 2, 0]));
    d.scalar("ValueStart", data_type, start);
    d.scalar("ValueDelta", data_type, delta);
    d.output("OutputTensor", &sizes);
    Some(())
}

pub(super) fn diagonal(d: &mut Drawing) -> Option<()> {
    let counts = d.dimension_counts(&["OutputTensor"]);
    let sizes = d.sizes(counts);
    let offset = d.pick(&[0, 1, -1, 2, -3]);
    d.give("Offset", Attribute::Int(offset));
    d.attributes();
    d.output("OutputTensor", &sizes);
    Some(())
}

/// The span of diagonals may be empty, or inverted, which fills what lies outside of it.
pub(super) fn diagonals(d: &mut Drawing) -> Option<()> {
    let counts = d.dimension_counts(&["InputTensor", "OutputTensor"]);
    let sizes = d.sizes(counts);
    let data_type = d.type_of("OutputTensor");
    d.give("ValueDataType", Attribute::Name(data_type.full_name()));
    let value = d.pick(&[1, 0, 7]);
    d.scalar("Value", data_type, value);
    let (begin, end) = (d.pick(&[0, 1, -1, i64::from(i32::MIN)]), d.pick(&[1, 0, 3, -2, i64::from(i32::MAX)]));
    d.feature(if begin > end { "inverted span" } else { "span" });
    d.give("DiagonalFillBegin", Attribute::Int(begin));
    d.give("DiagonalFillEnd", Attribute::Int(end));
    if d.has("InputTensor") {
        d.input("InputTensor", &sizes, Values::Moderate);
    }
    d.output("OutputTensor", &sizes);
    Some(())
}
