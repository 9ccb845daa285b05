//! Operators of quantized elements with scales and zero points of their own. No page says how halves are rounded, so
//! every quotient is a whole number, or its fraction has an odd denominator.

use plumbline_spec::directml::TensorDataType;

use crate::directml::description::{Attribute, May};
use crate::directml::families::gemm::Matrices;
use crate::directml::families::window::{Convolution, Pool, pool};
use crate::directml::sketch::Drawing;
use crate::values::Values;

/// Scales of inputs.
const SCALES: [f64; 2] = [1.0, 2.0];
/// Scales of outputs. A multiple of 1/2 divided by one of them is a multiple of 1/2 or of 1/3.
const OUTPUT_SCALES: [f64; 4] = [1.0, 0.5, 3.0, 1.5];

/// Returns integers whose differences stay below 9 in magnitude.
fn small(data_type: TensorDataType) -> Values {
    if data_type.is_unsigned() { Values::Between(0.0, 8.0) } else { Values::Between(-4.0, 4.0) }
}

/// The sizes of scales and zero points: one number, or one for each index of a dimension.
struct Factors {
    count: usize,
    /// Whether there may be a number for each index.
    along: bool,
}

impl Factors {
    /// Draws a number of dimensions that all scales and zero points may have. They may have a number for each index if
    /// they have as many dimensions as the pages say: 4, or 5 for a tensor with 5.
    fn draw(d: &mut Drawing, of_tensor: usize) -> Factors {
        let most = of_tensor.max(4);
        let is_factor = |name: &&str| name.contains("Scale") || name.contains("ZeroPoint");
        let names: Vec<&str> = d.operator().inputs().map(|field| field.name.as_str()).filter(is_factor).collect();
        let counts = d.dimension_counts(&names);
        let count = d.dimension_count(*counts.start()..=*counts.end().min(&(most as u32))) as usize;
        d.feature(&format!("scales and zero points with {count} dimensions"));
        Factors { count, along: count == most }
    }

    /// Draws sizes. `dimension` counts from the front, and has this size in the tensor.
    fn sizes(&self, d: &mut Drawing, dimension: usize, size: u32) -> Vec<u32> {
        let mut sizes = vec![1; self.count];
        let along = self.along && dimension < self.count && d.flag();
        d.feature(if along { "scale or zero point for each index" } else { "scale or zero point for the tensor" });
        if along {
            sizes[dimension] = size;
        }
        sizes
    }
}

/// The scales have a number for each element: the page says nothing of blocks.
pub(super) fn by_elements(d: &mut Drawing) -> Option<()> {
    let tensors = "QuantizationTensors";
    let counts = d.dimension_counts(&["InputTensor", tensors, "OutputTensor"]);
    let sizes = d.sizes(counts);
    d.attributes();
    let (input, output) = (d.type_of("InputTensor"), d.type_of("OutputTensor"));
    let quantizes = input.is_float();
    let (scale, integer) = if quantizes { (input, output) } else { (output, input) };
    let values = if quantizes { Values::Integers } else { Values::Finite };
    d.input("InputTensor", &sizes, values);
    d.set_type(tensors, scale);
    match d.flag() {
        true => d.input(tensors, &sizes, Values::Between(0.5, 0.5)),
        false => d.input_from(tensors, &sizes, if quantizes { &OUTPUT_SCALES } else { &[1.0, 0.5, 2.0] }),
    }
    if matches!(d.attribute_of("QuantizationType"), Some(Attribute::Name(name)) if name.ends_with("ZERO_POINT")) {
        d.set_type(tensors, integer);
        d.input(tensors, &sizes, Values::Integers);
    }
    d.output("OutputTensor", &sizes);
    Some(())
}

/// The formula gives a zero point that the type has if the numbers reach from below 0 to above it, or begin or end
/// with 0. The range of the numbers is 255 times a power of two, and so the zero point is a whole number.
pub(super) fn dynamic(d: &mut Drawing) -> Option<()> {
    let counts = d.dimension_counts(&["InputTensor", "OutputTensor", "OutputScaleTensor", "OutputZeroPointTensor"]);
    let mut sizes = d.sizes(counts);
    let last = sizes.last_mut()?;
    *last = (*last).max(2);
    let (scale, zero_point) = (d.pick(&[1.0, 0.5, 2.0, 4.0]), d.pick(&[128, 0, 255, 3, 200]));
    let data_type = d.type_of("InputTensor");
    let mut tensor = d.layout(data_type, &sizes, May::Repeat);
    if tensor.offsets().iter().all(|&place| place == 0) {
        tensor = d.layout(data_type, &sizes, May::Gaps);
    }
    let (first, last) = (f64::from(-zero_point), f64::from(255 - zero_point));
    let offsets = tensor.offsets();
    let other = offsets.iter().find(|&&place| place != offsets[0])?;
    let mut elements = Vec::new();
    for place in &offsets {
        let step = match place {
            _ if *place == offsets[0] => first,
            _ if place == other => last,
            _ => first + f64::from(d.range(1..=254)) + d.pick(&[0.0, 0.25, -0.25]),
        };
        elements.push(step * scale);
    }
    d.input_numbers_laid("InputTensor", tensor, &elements);
    d.output("OutputTensor", &sizes);
    let one = vec![1; sizes.len()];
    d.output("OutputScaleTensor", &one);
    d.output("OutputZeroPointTensor", &one);
    Some(())
}

/// A has a scale and a zero point for each row, B for each column, and the output for each row.
pub(super) fn product(d: &mut Drawing) -> Option<()> {
    let matrices = Matrices::draw(d);
    let Matrices { m, k, n, .. } = matrices;
    let count = matrices.sizes(m, k).len();
    let factors = Factors::draw(d, count);
    let operator = d.operator();
    // The sums of integers have 32 bits for any 8-bit factors.
    let all = operator.short_name() == "MATRIX_MULTIPLY_INTEGER";
    for field in operator.inputs() {
        let name = field.name.as_str();
        if !d.has(name) {
            continue;
        }
        let values = if all { Values::Finite } else { small(d.type_of(name)) };
        match name {
            "ATensor" => d.input(name, &matrices.sizes(m, k), values),
            "BTensor" => d.input(name, &matrices.sizes(k, n), values),
            "BiasTensor" => d.input(name, &matrices.sizes(m, n), Values::Integers),
            _ => {
                let (from_end, size) = if name.starts_with('B') { (1, n) } else { (2, m) };
                let sizes = factors.sizes(d, factors.count.wrapping_sub(from_end), size);
                match name {
                    "OutputScaleTensor" => d.input_from(name, &sizes, &OUTPUT_SCALES),
                    scale if scale.contains("Scale") => d.input_from(name, &sizes, &SCALES),
                    _ => d.input(name, &sizes, values),
                }
            }
        }
    }
    d.output("OutputTensor", &matrices.sizes(m, n));
    Some(())
}

/// CONVOLUTION_INTEGER does not say whether padding is 0 before or after the zero point is subtracted, so it has no
/// padding with one.
pub(super) fn convolution_integer(d: &mut Drawing) -> Option<()> {
    let shifted = d.has("InputZeroPointTensor");
    let sizes = Convolution::draw(d, !shifted, false);
    let factors = Factors::draw(d, sizes.input.len());
    d.input("InputTensor", &sizes.input, Values::Finite);
    if shifted {
        d.input("InputZeroPointTensor", &vec![1; factors.count], Values::Finite);
    }
    d.input("FilterTensor", &sizes.filter, Values::Finite);
    if d.has("FilterZeroPointTensor") {
        let of_filter = factors.sizes(d, 1, sizes.filter[0]);
        d.input("FilterZeroPointTensor", &of_filter, Values::Finite);
    }
    d.output("OutputTensor", &sizes.output);
    Some(())
}

/// The page does not say whether the bias is scaled like the products, so the scales of the products are 1 with it.
pub(super) fn convolution(d: &mut Drawing) -> Option<()> {
    let sizes = Convolution::draw(d, true, false);
    let count = sizes.input.len();
    let factors = Factors::draw(d, count);
    let one = vec![1; factors.count];
    let has_bias = d.has("BiasTensor");
    let (input, filter) = match has_bias {
        true => d.pick(&[(1.0, 1.0), (2.0, 0.5), (0.25, 4.0)]),
        false => (1.0, 2.0),
    };
    let of_filter: &[f64] = if has_bias { &[filter] } else { &SCALES };
    for field in d.operator().inputs() {
        let name = field.name.as_str();
        if if name == "BiasTensor" { !has_bias } else { !d.has(name) } {
            continue;
        }
        let values = small(d.type_of(name));
        match name {
            "InputTensor" => d.input(name, &sizes.input, values),
            "FilterTensor" => d.input(name, &sizes.filter, values),
            "BiasTensor" => d.input(name, &sizes.of_channels(count), Values::Between(-40.0, 40.0)),
            "InputScaleTensor" => d.input_from(name, &one, &[input]),
            "OutputScaleTensor" => d.input_from(name, &one, &OUTPUT_SCALES),
            "FilterScaleTensor" => {
                let along = factors.sizes(d, 1, sizes.filter[0]);
                d.input_from(name, &along, of_filter);
            }
            "FilterZeroPointTensor" => {
                let along = factors.sizes(d, 1, sizes.filter[0]);
                d.input(name, &along, values);
            }
            _ => d.input(name, &one, values),
        }
    }
    d.output("OutputTensor", &sizes.output);
    Some(())
}

pub(super) fn sum(d: &mut Drawing) -> Option<()> {
    let names: Vec<&str> = d.operator().tensors().map(|field| field.name.as_str()).collect();
    let counts = d.dimension_counts(&names);
    let sizes = d.sizes(counts);
    let one = vec![1; sizes.len()];
    for field in d.operator().inputs() {
        let name = field.name.as_str();
        match name {
            "ATensor" | "BTensor" => d.input(name, &sizes, Values::Finite),
            "OutputScaleTensor" => d.input_from(name, &one, &OUTPUT_SCALES),
            scale if scale.contains("Scale") => d.input_from(name, &one, &SCALES),
            _ if d.has(name) => d.input(name, &one, Values::Integers),
            _ => {}
        }
    }
    d.output("OutputTensor", &sizes);
    Some(())
}

/// A window has up to 3 elements along each dimension. With input scales that are multiples of 4, or 8 with three
/// dimensions, the denominators of the means are odd.
pub(super) fn average_pooling(d: &mut Drawing) -> Option<()> {
    let Pool { whole, pooled } = pool(d, &["InputTensor", "OutputTensor"]);
    let (count, channels) = (whole.len(), whole[1]);
    let factors = Factors::draw(d, count);
    let scale = f64::from(1 << (count - 2));
    for field in d.operator().inputs() {
        let name = field.name.as_str();
        if !d.has(name) {
            continue;
        }
        let values = small(d.type_of(name));
        match name {
            "InputTensor" => d.input(name, &whole, values),
            _ => {
                let along = factors.sizes(d, 1, channels);
                match name {
                    "InputScaleTensor" => d.input_from(name, &along, &[scale, 2.0 * scale]),
                    "OutputScaleTensor" => d.input_from(name, &along, &[1.0, 3.0]),
                    _ => d.input(name, &along, values),
                }
            }
        }
    }
    d.output("OutputTensor", &pooled);
    Some(())
}
