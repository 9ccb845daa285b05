//! Operators whose tensors all have the same sizes.

use plumbline_spec::directml::{Field, SCALE_BIAS};

use crate::directml::description::Attribute;
use crate::directml::sketch::Drawing;
use crate::values::Values;

pub(super) fn draw(d: &mut Drawing) -> Option<()> {
    if d.operator().short_name() == "ELEMENT_WISE_POW" {
        // The result for a fraction as the exponent of an integer is not said.
        let data_type = d.type_of("InputTensor");
        d.set_type("ExponentTensor", data_type);
    }
    let names: Vec<&str> = d.operator().tensors().map(|field| field.name.as_str()).collect();
    let counts = d.dimension_counts(&names);
    let sizes = d.sizes(counts);
    with_sizes(d, &sizes)
}

/// The sums of integers are even: the page does not say how half of another one is rounded.
pub(super) fn mean(d: &mut Drawing) -> Option<()> {
    let data_type = d.type_of("ATensor");
    if data_type.is_float() {
        return draw(d);
    }
    let counts = d.dimension_counts(&["ATensor", "BTensor", "OutputTensor"]);
    let sizes = d.sizes(counts);
    let least = if data_type.is_unsigned() { 0 } else { -50 };
    for name in ["ATensor", "BTensor"] {
        let elements: Vec<i128> =
            (0..sizes.iter().product::<u32>()).map(|_| 2 * (least + d.below(100) as i128)).collect();
        d.input_of(name, &sizes, &elements);
    }
    d.output("OutputTensor", &sizes);
    Some(())
}

/// Draws attributes and tensors with these sizes.
pub(super) fn with_sizes(d: &mut Drawing, sizes: &[u32]) -> Option<()> {
    let operator = d.operator();
    bounds(d);
    d.attributes();
    for field in operator.inputs() {
        if d.has(&field.name) {
            let values = values_of(d, field);
            d.input(&field.name, sizes, values);
        }
    }
    for field in operator.outputs() {
        if d.has(&field.name) {
            d.output(&field.name, sizes);
        }
    }
    Some(())
}

/// Gives `Min` and `Max` where they are elements, and the type that they have.
fn bounds(d: &mut Drawing) {
    if d.operator().field("MinMaxDataType").is_none() {
        return;
    }
    let data_type = d.type_of("InputTensor");
    d.give("MinMaxDataType", Attribute::Name(data_type.full_name()));
    let (low, high) = (d.pick(&[1, 0, 2]), d.pick(&[4, 2, 9]));
    for (name, value) in [("Min", low), ("Max", high)] {
        d.scalar(name, data_type, value);
    }
}

/// Returns the values of an input for which the operator's page says what happens.
fn values_of(d: &Drawing, field: &Field) -> Values {
    let data_type = d.type_of(&field.name);
    let (is_float, is_unsigned) = (data_type.is_float(), data_type.is_unsigned());
    let is_first = ["ATensor", "InputTensor"].contains(&field.name.as_str());
    match d.operator().short_name() {
        "ELEMENT_WISE_ACOS" | "ELEMENT_WISE_ASIN" => Values::Between(-0.5, 0.5),
        "ELEMENT_WISE_ATANH" => Values::Between(-0.25, 0.25),
        "ELEMENT_WISE_ACOSH" => Values::Between(8.0, 64.0),
        // Scaled and shifted, the elements stay away from the poles, near which their last bit decides.
        "ELEMENT_WISE_TAN" if matches!(d.attribute_of(SCALE_BIAS), Some(Attribute::ScaleBias { .. })) => {
            Values::Between(-0.75, 0.75)
        }
        "ELEMENT_WISE_COSH" | "ELEMENT_WISE_EXP" | "ELEMENT_WISE_SINH" | "ELEMENT_WISE_TAN" => {
            Values::Between(-1.5, 1.5)
        }
        "ELEMENT_WISE_COS" | "ELEMENT_WISE_SIN" => Values::Between(-3.0, 3.0),
        "ELEMENT_WISE_LOG" | "ELEMENT_WISE_RECIP" => Values::Between(0.25, 64.0),
        "ELEMENT_WISE_SQRT" => Values::Between(0.0, 64.0),
        "ELEMENT_WISE_CONSTANT_POW" => Values::Between(0.25, 4.0),
        "ELEMENT_WISE_POW" if is_float && is_first => Values::Between(0.25, 4.0),
        "ELEMENT_WISE_POW" if is_float => Values::Between(-2.0, 3.0),
        "ELEMENT_WISE_POW" if is_first => Values::Between(0.0, 3.0),
        "ELEMENT_WISE_POW" => Values::Between(0.0, 4.0),
        "ELEMENT_WISE_IS_NAN" | "ELEMENT_WISE_IS_INFINITY" => Values::Any,
        "ELEMENT_WISE_BIT_AND" | "ELEMENT_WISE_BIT_OR" | "ELEMENT_WISE_BIT_XOR" | "ELEMENT_WISE_BIT_NOT" => {
            Values::Finite
        }
        "ELEMENT_WISE_BIT_COUNT" | "ELEMENT_WISE_IDENTITY" => Values::Finite,
        "ELEMENT_WISE_BIT_SHIFT_LEFT" | "ELEMENT_WISE_BIT_SHIFT_RIGHT" if is_first => Values::Any,
        "ELEMENT_WISE_BIT_SHIFT_LEFT" | "ELEMENT_WISE_BIT_SHIFT_RIGHT" => Values::Between(0.0, 7.0),
        "ELEMENT_WISE_LOGICAL_AND"
        | "ELEMENT_WISE_LOGICAL_OR"
        | "ELEMENT_WISE_LOGICAL_XOR"
        | "ELEMENT_WISE_LOGICAL_NOT" => Values::Between(0.0, 1.0),
        "ELEMENT_WISE_IF" if field.name == "ConditionTensor" => Values::Between(0.0, 2.0),
        // A difference below 0 is not a number of an unsigned type.
        "ELEMENT_WISE_SUBTRACT" | "ELEMENT_WISE_DIFFERENCE_SQUARE" if is_unsigned && is_first => {
            Values::Between(10.0, 15.0)
        }
        // Quotients of integers are truncated.
        "ELEMENT_WISE_DIVIDE" if is_float && !is_first => Values::Nonzero,
        "ELEMENT_WISE_DIVIDE" if is_unsigned && is_first => Values::Between(0.0, 100.0),
        "ELEMENT_WISE_DIVIDE" if !is_float && is_first => Values::Between(-100.0, 100.0),
        "ELEMENT_WISE_DIVIDE" if !is_float => Values::Between(1.0, 9.0),
        "ELEMENT_WISE_MODULUS_FLOOR" | "ELEMENT_WISE_MODULUS_TRUNCATE" if is_first => Values::Integers,
        "ELEMENT_WISE_MODULUS_FLOOR" | "ELEMENT_WISE_MODULUS_TRUNCATE" => Values::Nonzero,
        "ELEMENT_WISE_ATAN_YX" if is_first => Values::Nonzero,
        "ELEMENT_WISE_ATAN_YX" => Values::Powers,
        name if name.starts_with("ACTIVATION_") && is_float => Values::Between(-4.0, 4.0),
        "ELEMENT_WISE_ERF" | "ELEMENT_WISE_TANH" | "ELEMENT_WISE_ASINH" | "ELEMENT_WISE_ATAN" => {
            Values::Between(-4.0, 4.0)
        }
        _ => Values::Moderate,
    }
}
