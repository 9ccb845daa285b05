//! Exercises for RESAMPLE, FOLD and related operators.

use super::{Draft, Exercise, Plain, all};
use plumbline_directml::Attribute;

fn floats(draft: &Draft, field: &str) -> Option<Vec<f64>> {
    match draft.description.attribute(field) {
        Some(Attribute::FloatArray(values)) => Some(values.iter().map(|&value| value.into()).collect()),
        _ => None,
    }
}

/// Sets scales that do not have to match the sizes.
fn scaled(draft: &mut Draft, [whole, sampled]: [&str; 2]) {
    let rank = draft.rank(whole);
    let sizes = draft.some_sizes(rank);
    let counts = draft.some_sizes(rank);
    draft.resize(whole, &sizes);
    draft.resize(sampled, &counts);
    let mut list =
        |values: &[f32]| Attribute::FloatArray((0..rank).map(|_| values[draft.below(values.len())]).collect());
    let lists = [
        ("Scales", list(&[0.5, 1.0, 1.5, 2.0])),
        ("InputPixelOffsets", list(&[0.5, 0.0])),
        ("OutputPixelOffsets", list(&[-0.5, 0.0])),
    ];
    for (field, list) in lists {
        if draft.description.operator().field(field).is_some() {
            draft.set(field, list);
        }
    }
    let count = if draft.description.name() == "RESAMPLE" { "ScaleCount" } else { "DimensionCount" };
    draft.set_uint(count, rank);
    for field in ["InterpolationMode", "RoundingDirection"] {
        if draft.description.operator().field(field).is_some() {
            let value = draft.below(2);
            draft.set_uint(field, value);
        }
    }
    if draft.description.operator().field("Antialiased").is_some() {
        draft.set_bool("Antialiased", false);
    }
    // Means of integers can be halves, and the documentation does not say how they are rounded.
    if !draft.is_float(whole) {
        draft.set_uint("InterpolationMode", 0);
    }
}

/// Returns the weight that the element `from` of the whole tensor has in the element `to` of the sampled tensor.
fn weight(draft: &Draft, sizes: &[usize], from: &[usize], to: &[usize]) -> f64 {
    let rank = sizes.len();
    let scales = floats(draft, "Scales").unwrap();
    let input = floats(draft, "InputPixelOffsets").unwrap_or_else(|| vec![0.5; rank]);
    let output = floats(draft, "OutputPixelOffsets").unwrap_or_else(|| vec![-0.5; rank]);
    let along = |d: usize| {
        // OutputX = (InputX + InputPixelOffset) * Scale + OutputPixelOffset
        let place = (to[d] as f64 - output[d]) / scales[d] - input[d];
        let edge = |place: f64| place.max(0.0).min(sizes[d] as f64 - 1.0);
        match draft.uint("InterpolationMode") {
            0 => {
                let nearest = match draft.description.uint("RoundingDirection") {
                    None => (place + 0.5).floor(),
                    Some(0) => place.ceil(),
                    Some(_) => place.floor(),
                };
                f64::from(u8::from(edge(nearest) == from[d] as f64))
            }
            _ => (1.0 - (edge(place) - from[d] as f64).abs()).max(0.0),
        }
    };
    (0..rank).map(along).product()
}

fn forward(draft: &mut Draft) {
    scaled(draft, ["InputTensor", "OutputTensor"]);
}

fn resampled(draft: &Draft) -> Vec<Plain> {
    let x = draft.input("InputTensor");
    vec![draft.output("OutputTensor", |index| {
        all(&x.sizes).iter().map(|from| weight(draft, &x.sizes, from, index) * x.at(from)).sum()
    })]
}

fn backward(draft: &mut Draft) {
    scaled(draft, ["OutputGradientTensor", "InputGradientTensor"]);
}

fn gradient(draft: &Draft) -> Vec<Plain> {
    let (gradient, sizes) = (draft.input("InputGradientTensor"), draft.sizes("OutputGradientTensor"));
    vec![draft.output("OutputGradientTensor", |index| {
        all(&gradient.sizes).iter().map(|to| weight(draft, &sizes, index, to) * gradient.at(to)).sum()
    })]
}

/// Sets the sizes of an image and of the columns that its blocks become, and the attributes. The blocks have size 2 in
/// the first two spatial dimensions, and size 1 in the others.
fn blocks(draft: &mut Draft, [image, columns]: [&str; 2]) {
    let rank = draft.rank(image);
    let axes = rank - 2;
    let extents: Vec<usize> = (0..axes).map(|d| if d < 2 { 3 + draft.below(2) } else { 1 }).collect();
    let mut list = |end: usize, least: usize| -> Vec<usize> {
        (0..axes).map(|d| least + if d < 2 { draft.below(end) } else { 0 }).collect()
    };
    let (strides, dilations, start, end) = (list(2, 1), list(2, 1), list(2, 0), list(2, 0));
    let kernel: Vec<usize> = (0..axes).map(|d| if d < 2 { 2 } else { 1 }).collect();
    let count = |d: usize| (extents[d] + start[d] + end[d] - dilations[d] * (kernel[d] - 1) - 1) / strides[d] + 1;
    let counts: Vec<usize> = (0..axes).map(count).collect();
    draft.resize(image, &[&[1, 2], extents.as_slice()].concat());
    let of_columns = [1, 2 * kernel.iter().product::<usize>(), counts.iter().product()];
    draft.resize(columns, &[vec![1; rank - 3], of_columns.to_vec()].concat());
    draft.set_uint("DimensionCount", axes);
    for (field, values) in [
        ("WindowSizes", kernel),
        ("Strides", strides),
        ("Dilations", dilations),
        ("StartPadding", start),
        ("EndPadding", end),
    ] {
        draft.set_uints(field, &values);
    }
}

/// Returns the index (batch, channel and spatial dimensions) of the element of the image that belongs to an element of
/// the columns. Returns `None` if that element is padding.
fn place(draft: &Draft, index: &[usize], image: &[usize]) -> Option<Vec<usize>> {
    let [.., batch, row, block] = index else { panic!() };
    let kernel = draft.uints("WindowSizes");
    let (strides, dilations, start) = (draft.uints("Strides"), draft.uints("Dilations"), draft.uints("StartPadding"));
    let end = draft.uints("EndPadding");
    let axes = kernel.len();
    let extents = &image[image.len() - axes..];
    let count = |d: usize| (extents[d] + start[d] + end[d] - dilations[d] * (kernel[d] - 1) - 1) / strides[d] + 1;
    let counts: Vec<usize> = (0..axes).map(count).collect();
    let taps: usize = kernel.iter().product();
    let (tap, window) = (&all(&kernel)[row % taps], &all(&counts)[*block]);
    let mut found = vec![0; image.len() - axes - 2];
    found.extend([*batch, row / taps]);
    for d in 0..axes {
        let at = (window[d] * strides[d] + tap[d] * dilations[d]).checked_sub(start[d])?;
        found.push(Some(at).filter(|&at| at < extents[d])?);
    }
    Some(found)
}

pub const EXERCISES: &[Exercise] = &[
    Exercise { name: "RESAMPLE", shape: forward, evaluate: resampled },
    Exercise { name: "RESAMPLE1", shape: forward, evaluate: resampled },
    Exercise { name: "RESAMPLE2", shape: forward, evaluate: resampled },
    Exercise { name: "RESAMPLE3", shape: forward, evaluate: resampled },
    Exercise { name: "RESAMPLE_GRAD", shape: backward, evaluate: gradient },
    Exercise { name: "RESAMPLE_GRAD1", shape: backward, evaluate: gradient },
    Exercise {
        name: "UNFOLD",
        shape: |draft| blocks(draft, ["InputTensor", "OutputTensor"]),
        evaluate: |draft| {
            let x = draft.input("InputTensor");
            vec![draft.output("OutputTensor", |index| place(draft, index, &x.sizes).map_or(0.0, |place| x.at(&place)))]
        },
    },
    Exercise {
        name: "FOLD",
        shape: |draft| blocks(draft, ["OutputTensor", "InputTensor"]),
        evaluate: |draft| {
            let (columns, sizes) = (draft.input("InputTensor"), draft.sizes("OutputTensor"));
            vec![draft.output("OutputTensor", |index| {
                let here = |column: &&Vec<usize>| place(draft, column, &sizes).as_deref() == Some(index);
                all(&columns.sizes).iter().filter(here).map(|column| columns.at(column)).sum()
            })]
        },
    },
];
