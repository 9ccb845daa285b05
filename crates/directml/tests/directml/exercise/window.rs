//! Exercises for convolutions and pools.

use super::{Draft, Exercise, Plain, all, element_wise::scales};
use plumbline_directml::{Attribute, OperatorDescription};
use plumbline_spec::directml::TensorDataType;

/// The windows of a draft. Each list has one number for each spatial dimension.
struct Windows {
    strides: Vec<usize>,
    dilations: Vec<usize>,
    start: Vec<usize>,
}

impl Windows {
    fn read(draft: &Draft) -> Windows {
        let strides = draft.uints("Strides");
        let dilations = draft.description.uints("Dilations").map(|list| list.iter().map(|&n| n as usize).collect());
        let dilations = dilations.unwrap_or_else(|| vec![1; strides.len()]);
        Windows { strides, dilations, start: draft.uints("StartPadding") }
    }

    /// Returns the index of a window's tap in a tensor of these extents; `None` on padding.
    fn place(&self, window: &[usize], tap: &[usize], extents: &[usize]) -> Option<Vec<usize>> {
        (0..window.len())
            .map(|d| {
                let at = window[d] * self.strides[d] + tap[d] * self.dilations[d];
                at.checked_sub(self.start[d]).filter(|&at| at < extents[d])
            })
            .collect()
    }
}

/// Sets the attributes for windows of this size over these extents. Returns the number of windows in each dimension.
fn windows(draft: &mut Draft, extents: &[usize], kernel: &[usize]) -> Vec<usize> {
    let axes = extents.len();
    let strides: Vec<usize> = (0..axes).map(|_| 1 + draft.below(2)).collect();
    let start: Vec<usize> = (0..axes).map(|_| draft.below(2)).collect();
    let end: Vec<usize> = (0..axes).map(|_| draft.below(2)).collect();
    let dilated = draft.description.operator().field("Dilations").is_some();
    let dilations: Vec<usize> =
        (0..axes).map(|d| if dilated && kernel[d] < 3 { 1 + draft.below(2) } else { 1 }).collect();
    draft.set_uint("DimensionCount", axes);
    draft.set_uints("Strides", &strides);
    draft.set_uints("StartPadding", &start);
    draft.set_uints("EndPadding", &end);
    if dilated {
        draft.set_uints("Dilations", &dilations);
    }
    let count = |d: usize| (extents[d] + start[d] + end[d] - (kernel[d] - 1) * dilations[d] - 1) / strides[d] + 1;
    (0..axes).map(count).collect()
}

/// Sets one or two groups, each with 1 or 2 input channels and 2 output channels.
fn convolution(draft: &mut Draft) {
    let axes = draft.rank("InputTensor").max(draft.rank("FilterTensor")) - 2;
    let extents: Vec<usize> = (0..axes).map(|_| 3 + draft.below(2)).collect();
    let kernel: Vec<usize> = (0..axes).map(|_| 1 + draft.below(2)).collect();
    let groups = 1 + draft.below(2);
    let (inputs, outputs) = (1 + draft.below(2), 2);
    let counts = windows(draft, &extents, &kernel);
    let backward = draft.description.operator().field("Direction").is_some() && draft.flip();
    let sizes = |n: usize, c: usize, spatial: &[usize]| [&[n, c], spatial].concat();
    // In a backward convolution, input and output swap roles.
    let (from, to) = if backward { (&counts, &extents) } else { (&extents, &counts) };
    draft.resize("InputTensor", &sizes(2, groups * inputs, from));
    draft.resize("OutputTensor", &sizes(2, groups * outputs, to));
    let filter =
        if backward { sizes(groups * inputs, outputs, &kernel) } else { sizes(groups * outputs, inputs, &kernel) };
    draft.resize("FilterTensor", &filter);
    let ones = vec![1; axes];
    draft.resize("BiasTensor", &sizes(1, groups * outputs, &ones));
    draft.set_uint("GroupCount", groups);
    if draft.description.operator().field("Direction").is_none() {
        return;
    }
    let mode = draft.below(2);
    draft.set_uint("Mode", mode);
    draft.set_uint("Direction", usize::from(backward));
    let (strides, start, end) = (draft.uints("Strides"), draft.uints("StartPadding"), draft.uints("EndPadding"));
    let dilations = draft.uints("Dilations");
    // The number of elements after the last window. No window reaches them.
    let more =
        |d: usize| extents[d] + start[d] + end[d] - (counts[d] - 1) * strides[d] - (kernel[d] - 1) * dilations[d] - 1;
    let more: Vec<usize> = (0..axes).map(|d| if backward { more(d) } else { 0 }).collect();
    draft.set_uints("OutputPadding", &more);
    if draft.flip() {
        let relu = OperatorDescription::new("ACTIVATION_RELU").build_fused().unwrap();
        draft.set("FusedActivation", Attribute::Operator(Box::new(relu)));
    }
}

/// Computes the sum of products for an element of the output of a forward or backward convolution.
fn convolved(draft: &Draft, index: &[usize], x: impl Fn(f64) -> f64, w: impl Fn(f64, usize) -> f64) -> f64 {
    let (windows, input, filter) = (Windows::read(draft), draft.input("InputTensor"), draft.input("FilterTensor"));
    let groups = draft.uint("GroupCount");
    let backward = draft.description.uint("Direction") == Some(1);
    let flipped = draft.description.uint("Mode") == Some(0);
    let (n, channel, spatial) = (index[0], index[1], &index[2..]);
    let outputs = draft.sizes("OutputTensor")[1] / groups;
    let inputs = input.sizes[1] / groups;
    let group = channel / outputs;
    let kernel = &filter.sizes[2..];
    let mut sum = 0.0;
    for tap in all(kernel) {
        let element: Vec<usize> = match flipped {
            true => tap.iter().zip(kernel).map(|(tap, count)| count - 1 - tap).collect(),
            false => tap.clone(),
        };
        // In the forward direction, at most one element lies under the tap. In the backward direction, every window
        // that has this tap on the element of the output contributes.
        let places: Vec<Vec<usize>> = match backward {
            false => windows.place(spatial, &tap, &input.sizes[2..]).into_iter().collect(),
            true => all(&input.sizes[2..])
                .into_iter()
                .filter(|window| {
                    windows.place(window, &tap, &draft.sizes("OutputTensor")[2..]).as_deref() == Some(spatial)
                })
                .collect(),
        };
        for place in places {
            for c in 0..inputs {
                let whole = group * inputs + c;
                let (first, second) = if backward { (whole, channel % outputs) } else { (channel, c) };
                let weight = filter.at(&[&[first, second], element.as_slice()].concat());
                sum += x(input.at(&[&[n, whole], place.as_slice()].concat())) * w(weight, first);
            }
        }
    }
    sum
}

fn quantized(draft: &mut Draft) {
    convolution(draft);
    let channels = draft.sizes("OutputTensor")[1];
    for field in ["InputZeroPointTensor", "InputScaleTensor", "OutputScaleTensor", "OutputZeroPointTensor"] {
        if draft.has(field) {
            let ones = vec![1; draft.rank(field)];
            draft.resize(field, &ones);
        }
    }
    for field in ["FilterZeroPointTensor", "FilterScaleTensor"] {
        if draft.has(field) {
            let mut sizes = vec![1; draft.rank(field)];
            // Only tensors of more than 3 dimensions have a size of 1 in front of the channels.
            let at = usize::from(sizes.len() > 3);
            sizes[at] = if draft.flip() { channels } else { 1 };
            draft.resize(field, &sizes);
        }
    }
    for field in ["InputScaleTensor", "FilterScaleTensor", "OutputScaleTensor"] {
        if draft.has(field) {
            scales(draft, field);
        }
    }
}

fn factor(draft: &Draft, field: &'static str, default: f64, at: usize) -> f64 {
    draft.optional(field).map_or(default, |found| found.data[at.min(found.data.len() - 1)])
}

fn centred(draft: &Draft, index: &[usize]) -> f64 {
    let x = |x: f64| x - factor(draft, "InputZeroPointTensor", 0.0, 0);
    convolved(draft, index, x, |w, channel| w - factor(draft, "FilterZeroPointTensor", 0.0, channel))
}

fn least(draft: &Draft) -> f64 {
    if draft.data_type("OutputTensor") == TensorDataType::Int8 { -128.0 } else { 0.0 }
}

pub const CONVOLUTIONS: &[Exercise] = &[
    Exercise {
        name: "CONVOLUTION",
        shape: convolution,
        evaluate: |draft| {
            let fused = draft.description.attribute("FusedActivation").is_some();
            vec![draft.output("OutputTensor", |index| {
                let bias = factor(draft, "BiasTensor", 0.0, index[1]);
                let sum = convolved(draft, index, |x| x, |w, _| w) + bias;
                if fused { sum.max(0.0) } else { sum }
            })]
        },
    },
    Exercise {
        name: "CONVOLUTION_INTEGER",
        shape: quantized,
        evaluate: |draft| vec![draft.output("OutputTensor", |index| centred(draft, index))],
    },
    Exercise {
        name: "QUANTIZED_LINEAR_CONVOLUTION",
        shape: quantized,
        evaluate: |draft| {
            vec![draft.output("OutputTensor", |index| {
                let sum = centred(draft, index) + factor(draft, "BiasTensor", 0.0, index[1]);
                let scale = draft.input("InputScaleTensor").data[0] * factor(draft, "FilterScaleTensor", 1.0, index[1]);
                let multiple = sum * scale / draft.input("OutputScaleTensor").data[0];
                let zero = factor(draft, "OutputZeroPointTensor", 0.0, 0);
                (multiple.round_ties_even() + zero).clamp(least(draft), least(draft) + 255.0)
            })]
        },
    },
];

/// Sets a pool with windows of 2 or 3 elements in each dimension. The fields in `whole` are pooled, those in `pooled`
/// have an element for each window.
fn pool(draft: &mut Draft, [whole, pooled]: [&[&str]; 2]) {
    let axes = draft.rank(whole[0]) - 2;
    let extents: Vec<usize> = (0..axes).map(|_| 3 + draft.below(2)).collect();
    let kernel: Vec<usize> = (0..axes).map(|_| 2 + draft.below(2)).collect();
    let counts = loop {
        let counts = windows(draft, &extents, &kernel);
        // Repeat until every window covers an element: the documentation does not define the result of a window that
        // covers only padding.
        let found = Windows::read(draft);
        let lies = |window: &Vec<usize>| all(&kernel).iter().any(|tap| found.place(window, tap, &extents).is_some());
        if all(&counts).iter().all(lies) {
            break counts;
        }
    };
    draft.set_uints("WindowSize", &kernel);
    for field in whole {
        draft.resize(field, &[&[2, 2], extents.as_slice()].concat());
    }
    for field in pooled {
        draft.resize(field, &[&[2, 2], counts.as_slice()].concat());
    }
    if draft.description.operator().field("IncludePadding").is_some() {
        let flag = draft.flip();
        draft.set_bool("IncludePadding", flag);
    }
}

/// Returns the indices of the elements that a window covers, and the number of its taps including padding.
fn under(draft: &Draft, index: &[usize], whole: &[usize]) -> (Vec<Vec<usize>>, usize) {
    let (windows, kernel) = (Windows::read(draft), draft.uints("WindowSize"));
    let taps = all(&kernel);
    let places = taps.iter().filter_map(|tap| windows.place(&index[2..], tap, &whole[2..]));
    (places.map(|place| [&index[..2], &place].concat()).collect(), taps.len())
}

fn divisor(draft: &Draft, (places, taps): (usize, usize)) -> f64 {
    (if draft.uint("IncludePadding") == 1 { taps } else { places }) as f64
}

fn forward(draft: &mut Draft) {
    pool(draft, [&["InputTensor"], &["OutputTensor", "OutputIndicesTensor"]]);
}

fn average(draft: &Draft, index: &[usize], x: impl Fn(f64) -> f64) -> f64 {
    let input = draft.input("InputTensor");
    let (places, taps) = under(draft, index, &input.sizes);
    places.iter().map(|place| x(input.at(place))).sum::<f64>() / divisor(draft, (places.len(), taps))
}

fn averaged(draft: &Draft) -> Vec<Plain> {
    vec![draft.output("OutputTensor", |index| average(draft, index, |x| x))]
}

fn norm(draft: &Draft) -> Vec<Plain> {
    let p = draft.uint("P") as f64;
    let input = draft.input("InputTensor");
    vec![draft.output("OutputTensor", |index| {
        let (places, _) = under(draft, index, &input.sizes);
        places.iter().map(|place| input.at(place).abs().powf(p)).sum::<f64>().powf(1.0 / p)
    })]
}

fn normed(draft: &mut Draft) {
    forward(draft);
    let p = 1 + draft.below(3);
    draft.set_uint("P", p);
}

/// Returns the index of the first largest element of a window.
fn largest(draft: &Draft, index: &[usize]) -> Vec<usize> {
    let input = draft.input("InputTensor");
    let (places, _) = under(draft, index, &input.sizes);
    let most = places.iter().map(|place| input.at(place)).fold(f64::MIN, f64::max);
    places.into_iter().find(|place| input.at(place) == most).unwrap()
}

fn maxima(draft: &Draft) -> Vec<Plain> {
    let input = draft.input("InputTensor");
    let mut found = vec![draft.output("OutputTensor", |index| input.at(&largest(draft, index)))];
    if draft.has("OutputIndicesTensor") {
        found.push(draft.output("OutputIndicesTensor", |index| {
            largest(draft, index).iter().zip(&input.sizes).fold(0, |at, (i, size)| at * size + i) as f64
        }));
    }
    found
}

/// Computes the gradient of each element from all windows that contain it.
fn back(draft: &Draft, part: impl Fn(&[usize], &[usize]) -> f64) -> Vec<Plain> {
    let gradient = draft.input("InputGradientTensor");
    vec![draft.output("OutputGradientTensor", |index| {
        let parts = all(&gradient.sizes).into_iter().map(|window| gradient.at(&window) * part(&window, index));
        parts.sum()
    })]
}

pub const POOLS: &[Exercise] = &[
    Exercise { name: "AVERAGE_POOLING", shape: forward, evaluate: averaged },
    Exercise { name: "AVERAGE_POOLING1", shape: forward, evaluate: averaged },
    Exercise { name: "LP_POOLING", shape: normed, evaluate: norm },
    Exercise { name: "LP_POOLING1", shape: normed, evaluate: norm },
    Exercise { name: "MAX_POOLING", shape: forward, evaluate: maxima },
    Exercise { name: "MAX_POOLING1", shape: forward, evaluate: maxima },
    Exercise { name: "MAX_POOLING2", shape: forward, evaluate: maxima },
    Exercise {
        name: "AVERAGE_POOLING_GRAD",
        shape: |draft| pool(draft, [&["OutputGradientTensor"], &["InputGradientTensor"]]),
        evaluate: |draft| {
            back(draft, |window, index| {
                let (places, taps) = under(draft, window, &draft.sizes("OutputGradientTensor"));
                let inside = places.iter().any(|place| place == index);
                if inside { 1.0 / divisor(draft, (places.len(), taps)) } else { 0.0 }
            })
        },
    },
    Exercise {
        name: "MAX_POOLING_GRAD",
        shape: |draft| pool(draft, [&["InputTensor", "OutputGradientTensor"], &["InputGradientTensor"]]),
        evaluate: |draft| back(draft, |window, index| f64::from(u8::from(largest(draft, window) == index))),
    },
    Exercise {
        name: "MAX_UNPOOLING",
        shape: |draft| {
            draft.resize("InputTensor", &[1, 2, 1, 2]);
            draft.resize("IndicesTensor", &[1, 2, 1, 2]);
            draft.resize("OutputTensor", &[1, 2, 2, 3]);
            draft.fill("IndicesTensor", vec![1.0, 5.0, 6.0, 10.0]);
        },
        evaluate: |draft| {
            let indices = &draft.input("IndicesTensor").data;
            let mut at = -1.0;
            vec![draft.output("OutputTensor", |_| {
                at += 1.0;
                indices.iter().position(|index| *index == at).map_or(0.0, |n| draft.input("InputTensor").data[n])
            })]
        },
    },
    Exercise {
        name: "QUANTIZED_LINEAR_AVERAGE_POOLING",
        shape: |draft| {
            forward(draft);
            for field in ["InputScaleTensor", "InputZeroPointTensor", "OutputScaleTensor", "OutputZeroPointTensor"] {
                if draft.has(field) {
                    let ones = vec![1; draft.rank(field)];
                    draft.resize(field, &ones);
                }
            }
            scales(draft, "InputScaleTensor");
            draft.fill("OutputScaleTensor", vec![0.37]);
        },
        evaluate: |draft| {
            vec![draft.output("OutputTensor", |index| {
                let zero = factor(draft, "InputZeroPointTensor", 0.0, 0);
                let mean = average(draft, index, |x| (x - zero) * draft.input("InputScaleTensor").data[0]);
                let multiple = mean / draft.input("OutputScaleTensor").data[0];
                let zero = factor(draft, "OutputZeroPointTensor", 0.0, 0);
                (multiple.round_ties_even() + zero).clamp(least(draft), least(draft) + 255.0)
            })]
        },
    },
];
