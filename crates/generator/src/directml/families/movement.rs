//! Operators that move elements, or give them another type.

use crate::directml::description::Attribute;
use crate::directml::sketch::Drawing;
use crate::values::Values;

/// The largest number of elements of an output that is larger than its input.
const MOST_ELEMENTS: u32 = 4096;

fn ints(values: &[u32]) -> Attribute {
    Attribute::Ints(values.iter().map(|&value| i64::from(value)).collect())
}

/// The numbers are those that every type has.
pub(super) fn cast(d: &mut Drawing) -> Option<()> {
    let counts = d.dimension_counts(&["InputTensor", "OutputTensor"]);
    let sizes = d.sizes(counts);
    d.input_counted("InputTensor", &sizes);
    d.output("OutputTensor", &sizes);
    Some(())
}

pub(super) fn join(d: &mut Drawing) -> Option<()> {
    let counts = d.dimension_counts(&["InputTensors", "OutputTensor"]);
    let mut sizes = d.sizes(counts);
    let axis = d.below(sizes.len());
    let count = d.range(1..=4);
    let mut total = 0;
    for _ in 0..count {
        sizes[axis] = d.range(1..=3);
        total += sizes[axis];
        d.input("InputTensors", &sizes, Values::Moderate);
    }
    sizes[axis] = total;
    d.give("Axis", Attribute::Int(axis as i64));
    d.output("OutputTensor", &sizes);
    Some(())
}

pub(super) fn split(d: &mut Drawing) -> Option<()> {
    let counts = d.dimension_counts(&["InputTensor", "OutputTensors"]);
    let mut sizes = d.sizes(counts);
    let axis = d.below(sizes.len());
    let along: Vec<u32> = (0..d.range(1..=4)).map(|_| d.range(1..=3)).collect();
    for &size in &along {
        sizes[axis] = size;
        d.output("OutputTensors", &sizes);
    }
    sizes[axis] = along.iter().sum();
    d.give("Axis", Attribute::Int(axis as i64));
    d.input("InputTensor", &sizes, Values::Moderate);
    Some(())
}

pub(super) fn slice(d: &mut Drawing) -> Option<()> {
    let (sizes, output) = input_window(d, &["InputTensor", "OutputTensor"]);
    d.input("InputTensor", &sizes, Values::Moderate);
    d.output("OutputTensor", &output);
    Some(())
}

pub(super) fn slice_gradient(d: &mut Drawing) -> Option<()> {
    let (sizes, output) = input_window(d, &["InputGradientTensor", "OutputGradientTensor"]);
    d.input("InputGradientTensor", &output, Values::Moderate);
    d.output("OutputGradientTensor", &sizes);
    Some(())
}

pub(super) fn plain_slice(d: &mut Drawing) -> Option<()> {
    let counts = d.dimension_counts(&["InputTensor", "OutputTensor"]);
    let sizes = d.sizes(counts);
    let (mut offsets, mut strides, mut output) = (vec![], vec![], vec![]);
    for &size in &sizes {
        let offset = d.range(0..=size - 1);
        let stride = d.range(1..=3);
        output.push(d.range(1..=1 + (size - 1 - offset) / stride));
        offsets.push(offset);
        strides.push(stride);
    }
    d.give("Offsets", ints(&offsets));
    d.give("Sizes", ints(&output));
    d.give("Strides", ints(&strides));
    d.input("InputTensor", &sizes, Values::Moderate);
    d.output("OutputTensor", &output);
    Some(())
}

/// Draws a window into a tensor, and returns the sizes of the tensor and of what is taken from it.
fn input_window(d: &mut Drawing, tensors: &[&str]) -> (Vec<u32>, Vec<u32>) {
    let counts = d.dimension_counts(tensors);
    let sizes = d.sizes(counts);
    let (mut offsets, mut windows, mut strides, mut output) = (vec![], vec![], vec![], vec![]);
    for &size in &sizes {
        let window = d.range(1..=size);
        let offset = d.range(0..=size - window);
        let step = d.range(1..=3);
        let most = 1 + (window - 1) / step;
        output.push(most - d.range(0..=(most - 1).min(1)));
        let backward = d.flag();
        if backward {
            d.feature("negative stride of a window");
        }
        offsets.push(offset);
        windows.push(window);
        strides.push(if backward { -i64::from(step) } else { i64::from(step) });
    }
    d.give("InputWindowOffsets", ints(&offsets));
    d.give("InputWindowSizes", ints(&windows));
    d.give("InputWindowStrides", Attribute::Ints(strides));
    (sizes, output)
}

pub(super) fn tile(d: &mut Drawing) -> Option<()> {
    let counts = d.dimension_counts(&["InputTensor", "OutputTensor"]);
    let sizes = d.sizes(counts);
    let mut output = sizes.clone();
    let mut repeats = Vec::new();
    for at in 0..output.len() {
        let times = d.pick(&[1, 2, 1, 3]);
        let times = if output.iter().product::<u32>() * times > MOST_ELEMENTS { 1 } else { times };
        output[at] *= times;
        repeats.push(times);
    }
    d.give("Repeats", ints(&repeats));
    d.input("InputTensor", &sizes, Values::Moderate);
    d.output("OutputTensor", &output);
    Some(())
}

pub(super) fn padding(d: &mut Drawing) -> Option<()> {
    let counts = d.dimension_counts(&["InputTensor", "OutputTensor"]);
    let sizes = d.sizes(counts);
    if d.operator().short_name() == "PADDING1" {
        let data_type = d.type_of("InputTensor");
        d.give("PaddingValueDataType", Attribute::Name(data_type.full_name()));
        let value = d.pick(&[0, 1, 9]);
        d.scalar("PaddingValue", data_type, value);
    }
    d.attributes();
    let mode = match d.attribute_of("PaddingMode") {
        Some(Attribute::Name(name)) => name.trim_start_matches("DML_PADDING_MODE_").to_owned(),
        _ => return None,
    };
    let (mut start, mut end, mut output) = (vec![], vec![], sizes.clone());
    for at in 0..sizes.len() {
        // A padding that is wider than the input is folded again and again. A single element cannot be reflected on itself,
        // and of wrapping no page says how often it is repeated.
        let most = match (mode.as_str(), sizes[at]) {
            ("REFLECTION", 1) => 0,
            ("WRAP", size) => (size - 1).min(2),
            (_, size) => (2 * size + 1).min(5),
        };
        let elements: u32 = output.iter().product();
        let most = if elements / sizes[at] * (sizes[at] + 2 * most) > MOST_ELEMENTS { 0 } else { most };
        let pads = (d.range(0..=most), d.range(0..=most));
        start.push(pads.0);
        end.push(pads.1);
        output[at] += pads.0 + pads.1;
    }
    d.give("StartPadding", ints(&start));
    d.give("EndPadding", ints(&end));
    d.input("InputTensor", &sizes, Values::Moderate);
    d.output("OutputTensor", &output);
    Some(())
}

pub(super) fn value_scale(d: &mut Drawing) -> Option<()> {
    let channels = d.pick(&[1, 3]);
    let sizes = [d.range(1..=3), channels, d.range(1..=5), d.range(1..=4)];
    d.attributes();
    let bias: Vec<f32> = (0..channels).map(|_| d.pick(&[0.0, 0.5, -1.0, 2.0])).collect();
    d.give("Bias", Attribute::Floats(bias));
    d.input("InputTensor", &sizes, Values::Between(-4.0, 4.0));
    d.output("OutputTensor", &sizes);
    Some(())
}

pub(super) fn to_space(d: &mut Drawing) -> Option<()> {
    let block = d.range(1..=3);
    let [batch, channels, height, width] = [d.range(1..=2), d.range(1..=3), d.range(1..=3), d.range(1..=4)];
    d.give("BlockSize", Attribute::Int(i64::from(block)));
    d.attributes();
    d.input("InputTensor", &[batch, channels * block * block, height, width], Values::Moderate);
    d.output("OutputTensor", &[batch, channels, height * block, width * block]);
    Some(())
}

pub(super) fn to_depth(d: &mut Drawing) -> Option<()> {
    let block = d.range(1..=3);
    let [batch, channels, height, width] = [d.range(1..=2), d.range(1..=3), d.range(1..=3), d.range(1..=4)];
    d.give("BlockSize", Attribute::Int(i64::from(block)));
    d.attributes();
    d.input("InputTensor", &[batch, channels, height * block, width * block], Values::Moderate);
    d.output("OutputTensor", &[batch, channels * block * block, height, width]);
    Some(())
}
