//! Quantization element by element. Quotients are whole numbers, because the page does not say how halves are rounded.

use crate::directml::drawing::Drawing;
use crate::values::Values;

pub(super) fn quantize(d: &mut Drawing) -> Option<()> {
    let names = ["InputTensor", "ScaleTensor", "OutputTensor"];
    let counts = d.dimension_counts(&names);
    let sizes = d.sizes(counts);
    // Below level 6_0 there is one type of scales, and from it on the input has the same one.
    let input = d.type_of("InputTensor");
    if input.is_float() {
        d.set_type("ScaleTensor", input);
    } else {
        d.set_type("ScaleTensor", plumbline_spec::directml::TensorDataType::Float32);
    }
    d.input("InputTensor", &sizes, Values::Integers);
    let scale = d.pick(&[1.0, 0.5, 0.25]);
    d.input("ScaleTensor", &sizes, Values::Between(scale, scale));
    if d.has("ZeroPointTensor") {
        d.input("ZeroPointTensor", &sizes, Values::Integers);
    }
    d.output("OutputTensor", &sizes);
    Some(())
}

pub(super) fn dequantize(d: &mut Drawing) -> Option<()> {
    let counts = d.dimension_counts(&["InputTensor", "ScaleTensor", "OutputTensor"]);
    let sizes = d.sizes(counts);
    let scale = d.type_of("ScaleTensor");
    d.set_type("OutputTensor", scale);
    d.input("InputTensor", &sizes, Values::Integers);
    d.input("ScaleTensor", &sizes, Values::Powers);
    if d.has("ZeroPointTensor") {
        d.input("ZeroPointTensor", &sizes, Values::Integers);
    }
    d.output("OutputTensor", &sizes);
    Some(())
}
