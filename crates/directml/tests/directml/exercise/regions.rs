//! Exercises for ROI_POOLING, ROI_ALIGN and its gradient.

use super::{Draft, Exercise, Plain};
use plumbline_directml::{Attribute, Size2d};

const REGIONS: usize = 2;

fn aligned(draft: &mut Draft, [image, parts]: [&str; 2]) {
    draft.resize(image, &[2, 2, 5, 4]);
    draft.resize("InputTensor", &[2, 2, 5, 4]);
    draft.resize(parts, &[REGIONS, 2, 2, 3]);
    let front = |rank: usize, sizes: &[usize]| [vec![1; rank - sizes.len()], sizes.to_vec()].concat();
    let rank = draft.rank("ROITensor");
    draft.resize("ROITensor", &front(rank, &[REGIONS, 4]));
    let rank = draft.rank("BatchIndicesTensor");
    draft.resize("BatchIndicesTensor", &front(rank, &[REGIONS]));
    draft.fill("BatchIndicesTensor", vec![1.0, 0.0]);
    draft.fill("ROITensor", vec![0.5, 1.0, 3.25, 4.5, 0.0, 0.0, 2.0, 3.0]);
    let function = if draft.flip() { 2 } else { 7 };
    draft.set_uint("ReductionFunction", function);
    draft.set_uint("InterpolationMode", 1);
    draft.set_float("SpatialScaleX", 1.0);
    draft.set_float("SpatialScaleY", 0.75);
    if draft.description.operator().field("OutOfBoundsInputValue").is_some() {
        draft.set_float("OutOfBoundsInputValue", 0.0);
    }
    draft.set_uint("MinimumSamplesPerOutput", 1);
    draft.set_uint("MaximumSamplesPerOutput", 2);
    for (field, value) in [("InputPixelOffset", 0.5), ("OutputPixelOffset", -0.5)] {
        if draft.description.operator().field(field).is_some() {
            draft.set_float(field, value);
        }
    }
}

/// Returns the positions (row and column) of the samples in a part of a region.
fn samples(draft: &Draft, [region, row, column]: [usize; 3], parts: [usize; 2]) -> Vec<[f64; 2]> {
    let corner = |at: usize| draft.input("ROITensor").data[region * 4 + at];
    let along = |low: f64, high: f64, part: usize, parts: usize| -> Vec<f64> {
        let samples = ((high - low) / parts as f64).ceil().clamp(1.0, 2.0);
        let step = (high - low) / (parts as f64 * samples);
        (0..samples as usize).map(|n| low + (part as f64 * samples + n as f64 + 0.5) * step - 0.5).collect()
    };
    let ys = along(corner(1) * 0.75, corner(3) * 0.75, row, parts[0]);
    let xs = along(corner(0), corner(2), column, parts[1]);
    ys.iter().flat_map(|&y| xs.iter().map(move |&x| [y, x])).collect()
}

/// Returns the weight of the element `at` in the value that is interpolated at `place`.
fn weight(image: &[usize], at: [usize; 2], place: [f64; 2]) -> f64 {
    let along = |d: usize| {
        let place = place[d].max(0.0).min(image[2 + d] as f64 - 1.0);
        (1.0 - (place - at[d] as f64).abs()).max(0.0)
    };
    along(0) * along(1)
}

fn value(x: &Plain, batch: usize, channel: usize, place: [f64; 2]) -> f64 {
    let elements = super::all(&x.sizes[2..]);
    elements.iter().map(|e| weight(&x.sizes, [e[0], e[1]], place) * x.at(&[batch, channel, e[0], e[1]])).sum()
}

fn align(draft: &Draft) -> Vec<Plain> {
    let (x, shape) = (draft.input("InputTensor"), draft.sizes("OutputTensor"));
    vec![draft.output("OutputTensor", |index| {
        let batch = draft.input("BatchIndicesTensor").data[index[0]] as usize;
        let samples = samples(draft, [index[0], index[2], index[3]], [shape[2], shape[3]]);
        let values: Vec<f64> = samples.iter().map(|&place| value(x, batch, index[1], place)).collect();
        match draft.uint("ReductionFunction") {
            2 => values.iter().sum::<f64>() / values.len() as f64,
            _ => values.iter().copied().fold(f64::MIN, f64::max),
        }
    })]
}

pub const EXERCISES: &[Exercise] = &[
    Exercise { name: "ROI_ALIGN", shape: |draft| aligned(draft, ["InputTensor", "OutputTensor"]), evaluate: align },
    Exercise { name: "ROI_ALIGN1", shape: |draft| aligned(draft, ["InputTensor", "OutputTensor"]), evaluate: align },
    Exercise {
        name: "ROI_ALIGN_GRAD",
        shape: |draft| {
            let data_type = draft.data_type("InputGradientTensor");
            for field in ["InputTensor", "OutputGradientTensor"] {
                draft.add(field, data_type, &[2, 2, 5, 4]);
            }
            aligned(draft, ["OutputGradientTensor", "InputGradientTensor"]);
            // The elements are distinct, so that only one sample is the largest.
            let mut next = 0;
            draft.fill_by("InputTensor", |_, _| {
                next += 1;
                f64::from(next * 37 % 101) / 4.0
            });
        },
        evaluate: |draft| {
            let (x, gradient) = (draft.input("InputTensor"), draft.input("InputGradientTensor"));
            vec![draft.output("OutputGradientTensor", |index| {
                let mut sum = 0.0;
                for part in super::all(&gradient.sizes) {
                    let batch = draft.input("BatchIndicesTensor").data[part[0]] as usize;
                    if batch != index[0] || part[1] != index[1] {
                        continue;
                    }
                    let places = samples(draft, [part[0], part[2], part[3]], [2, 3]);
                    let of = |place: &[f64; 2]| weight(&x.sizes, [index[2], index[3]], *place);
                    sum += gradient.at(&part)
                        * match draft.uint("ReductionFunction") {
                            2 => places.iter().map(of).sum::<f64>() / places.len() as f64,
                            _ => {
                                let value = |place: &[f64; 2]| value(x, batch, part[1], *place);
                                of(places.iter().max_by(|a, b| value(a).total_cmp(&value(b))).unwrap())
                            }
                        };
                }
                sum
            })]
        },
    },
    Exercise {
        name: "ROI_POOLING",
        shape: |draft| {
            draft.resize("InputTensor", &[2, 2, 5, 4]);
            draft.resize("ROITensor", &[1, 1, REGIONS, 5]);
            draft.resize("OutputTensor", &[REGIONS, 2, 2, 3]);
            draft.fill("ROITensor", vec![1.0, 0.0, 2.0, 6.0, 8.0, 0.0, 2.0, 0.0, 4.0, 2.0]);
            draft.set("PooledSize", Attribute::Size2d(Size2d { height: 2, width: 3 }));
            draft.set_float("SpatialScale", 0.5);
        },
        evaluate: |draft| {
            let (x, regions) = (draft.input("InputTensor"), &draft.input("ROITensor").data);
            let inside = |at: usize, part: usize, [low, high]: [f64; 2], parts: f64| {
                // The corners are rounded, and both belong to the region.
                let (low, high) = ((low * 0.5).round(), (high * 0.5).round());
                let step = (high - low + 1.0).max(1.0) / parts;
                let (from, to) = (low + (part as f64 * step).floor(), low + ((part + 1) as f64 * step).ceil());
                from <= at as f64 && (at as f64) < to
            };
            vec![draft.output("OutputTensor", |index| {
                let region = &regions[5 * index[0]..][..5];
                let mut most = f64::NEG_INFINITY;
                for e in super::all(&x.sizes[2..]) {
                    if inside(e[0], index[2], [region[2], region[4]], 2.0)
                        && inside(e[1], index[3], [region[1], region[3]], 3.0)
                    {
                        most = most.max(x.at(&[region[0] as usize, index[1], e[0], e[1]]));
                    }
                }
                most
            })]
        },
    },
];
