//! Behaviours of which cases are drawn, or could be: what the oracle accepts.

use plumbline_generator::Case;
use plumbline_spec::directml::TensorDataType;
use plumbline_tensor::onnx::AttributeProto;

use super::not_drawn::{elements_in_window, index_of};
use super::{Name, Situation, first, with_elements, with_number};

/// A behaviour that several operators have.
pub(super) struct Entry {
    pub operators: &'static [&'static str],
    pub name: &'static str,
    /// Returns cases of an operator in the situation.
    pub probes: fn(&str) -> Vec<Probe>,
}

/// A case, with answers for its first output that are accepted, and others. An answer of one number has it everywhere.
pub(super) struct Probe {
    pub case: Case,
    pub accepted: Vec<Vec<f64>>,
    pub rejected: Vec<Vec<f64>>,
}

impl Entry {
    pub(super) fn names(&self) -> impl Iterator<Item = Name> {
        self.operators.iter().map(|operator| (*operator, self.name))
    }
}

pub(super) const fn entry(
    operators: &'static [&'static str],
    name: &'static str,
    probes: fn(&str) -> Vec<Probe>,
) -> Entry {
    Entry { operators, name, probes }
}

pub(super) const ALL: &[Entry] = &[
    entry(&["ACTIVATION_PARAMETRIC_SOFTPLUS", "ACTIVATION_SOFTPLUS"], "intermediate-overflow", |operator| {
        let case = float32(operator, |s| ["Alpha", "Beta", "Steepness"].iter().all(|field| s.number(field) >= 0.0));
        let s = Situation::read(&case);
        let (steepness, factor) = match operator {
            "ACTIVATION_SOFTPLUS" => (s.number("Steepness"), 1.0 / s.number("Steepness")),
            _ => (s.number("Beta"), s.number("Alpha")),
        };
        let case = with_elements(case, "InputTensor", |_| 200.0 / steepness);
        vec![probe(case, &[200.0 * factor, f64::INFINITY], &[100.0 * factor, f64::NAN])]
    }),
    entry(&["AVERAGE_POOLING"], "padding-value", |operator| {
        let case = float32(operator, |s| s.desc["IncludePadding"] == true && is_padded(s));
        let case = with_elements(case, "InputTensor", |_| 1.0);
        let s = Situation::read(&case);
        let (share, whole) = (each(&s, |index| elements(&s, index) / window(&s)), each(&s, |_| 1.0));
        vec![Probe { case, accepted: vec![share], rejected: vec![whole] }]
    }),
    entry(&["CONVOLUTION"], "padding-value", |operator| {
        let case = float32(operator, |s| is_plain_convolution(s) && is_padded(s));
        let case = with_elements(with_elements(case, "InputTensor", |_| 1.0), "FilterTensor", |_| 1.0);
        let s = Situation::read(&case);
        let channels = s.sizes("FilterTensor")[1] as f64;
        let sums = each(&s, |index| elements(&s, index) * channels);
        let with_ones = each(&s, |_| window(&s) * channels);
        vec![Probe { case, accepted: vec![sums], rejected: vec![with_ones] }]
    }),
    entry(&["CONVOLUTION"], "order-of-groups", |operator| {
        let case = float32(operator, |s| is_plain_convolution(s) && s.number("GroupCount") > 1.0);
        let s = Situation::read(&case);
        let (input, filter) = (s.sizes("InputTensor"), s.sizes("FilterTensor"));
        let plane: usize = input[2..].iter().product();
        let group = |number: usize| (number / plane % input[1]) / filter[1];
        let case = with_elements(case, "InputTensor", |number| 1.0 + group(number) as f64);
        let case = with_elements(case, "FilterTensor", |_| 1.0);
        let (channels, groups) = (filter[1] as f64, s.number("GroupCount"));
        let of_group = |index: &[usize]| (index[1] / (filter[0] / groups as usize)) as f64;
        let sums = each(&s, |index| elements(&s, index) * channels * (1.0 + of_group(index)));
        let backwards = each(&s, |index| elements(&s, index) * channels * (groups - of_group(index)));
        vec![Probe { case, accepted: vec![sums], rejected: vec![backwards] }]
    }),
    entry(&["ELEMENT_WISE_CLIP", "ELEMENT_WISE_CLIP1"], "nan", |operator| {
        let case = float32(operator, |_| true);
        let s = Situation::read(&case);
        let case = with_elements(case, "InputTensor", |_| f64::NAN);
        vec![probe(case, &[f64::NAN, s.number("Min"), s.number("Max")], &[s.number("Max") + 1.0])]
    }),
    entry(&["ELEMENT_WISE_CLIP", "ELEMENT_WISE_CLIP1"], "nan-bound", |operator| {
        let case = float32(operator, |s| s.number("Min") < s.number("Max"));
        let s = Situation::read(&case);
        let of = |bound: &str, x: f64| with_elements(with_number(case.clone(), bound, f64::NAN), "InputTensor", |_| x);
        let (min, max) = (s.number("Min"), s.number("Max"));
        let (no_min, no_max) = (of("Min", -64.0), of("Max", 64.0));
        match operator {
            "ELEMENT_WISE_CLIP" => vec![
                probe(no_min, &[-64.0, f64::NAN, max], &[min, -65.0]),
                probe(no_max, &[64.0, f64::NAN], &[min, max, 65.0]),
            ],
            _ => vec![
                probe(no_min, &[-64.0, f64::NAN], &[min, max, -65.0]),
                probe(no_max, &[64.0, f64::NAN, min], &[max, 65.0]),
            ],
        }
    }),
    entry(&["ELEMENT_WISE_CEIL", "ELEMENT_WISE_FLOOR", "ELEMENT_WISE_ROUND"], "nan-and-infinity", |operator| {
        each_rounding(operator, |case| {
            let of = |x: f64| with_elements(case.clone(), "InputTensor", |_| x);
            vec![
                probe(of(f64::NAN), &[f64::NAN], &[0.0]),
                probe(of(f64::INFINITY), &[f64::INFINITY], &[f64::NAN, f32::MAX.into()]),
            ]
        })
    }),
    entry(&["ELEMENT_WISE_CEIL", "ELEMENT_WISE_FLOOR", "ELEMENT_WISE_ROUND"], "fraction-to-zero", |operator| {
        each_rounding(operator, |case| {
            let of = |x: f64| with_elements(case.clone(), "InputTensor", |_| x);
            let negative = probe(of(-0.25), &[0.0, -0.0], &[-0.25, -1.0]);
            let positive = probe(of(0.25), &[0.0], &[-0.0, 0.25, 1.0]);
            match operator {
                "ELEMENT_WISE_CEIL" => vec![negative],
                "ELEMENT_WISE_FLOOR" => vec![positive],
                _ => vec![negative, positive],
            }
        })
    }),
    entry(&["ELEMENT_WISE_MAX", "ELEMENT_WISE_MIN"], "nan", |operator| {
        vec![
            probe(pair(operator, f64::NAN, 1.0), &[f64::NAN, 1.0], &[0.0]),
            probe(pair(operator, 1.0, f64::NAN), &[f64::NAN, 1.0], &[0.0]),
        ]
    }),
    entry(&["ELEMENT_WISE_MAX", "ELEMENT_WISE_MIN"], "signed-zero", |operator| {
        vec![
            probe(pair(operator, -0.0, 0.0), &[0.0, -0.0], &[1.0]),
            probe(pair(operator, 0.0, -0.0), &[0.0, -0.0], &[1.0]),
        ]
    }),
    entry(&["ELEMENT_WISE_MODULUS_FLOOR", "ELEMENT_WISE_MODULUS_TRUNCATE"], "sign-of-zero", |operator| {
        vec![
            probe(pair(operator, 4.0, -2.0), &[0.0, -0.0], &[-2.0, 2.0]),
            probe(pair(operator, -4.0, 2.0), &[0.0, -0.0], &[-2.0, 2.0]),
        ]
    }),
    entry(&["DEQUANTIZE"], "kinds-of-quantization", |operator| {
        vec![probe(quantization(operator, |s| s.type_of("InputTensor")), &[14.0], &[6.0, 16.0])]
    }),
    entry(&["QUANTIZE"], "kinds-of-quantization", |operator| {
        vec![probe(quantization(operator, |s| s.type_of("OutputTensor")), &[5.0], &[10.0, 4.0])]
    }),
    entry(&["LP_POOLING", "LP_POOLING1"], "padding-value", |operator| {
        let case = with_elements(float32(operator, is_padded), "InputTensor", |_| 1.0);
        let s = Situation::read(&case);
        let norm = each(&s, |index| elements(&s, index).powf(1.0 / s.number("P")));
        let with_ones = each(&s, |_| window(&s).powf(1.0 / s.number("P")));
        vec![Probe { case, accepted: vec![norm], rejected: vec![with_ones] }]
    }),
    entry(&["LSTM"], "input-of-h", |operator| {
        let fits = |s: &Situation| {
            let is_short = s.sizes("InputTensor")[1] == 1 && s.desc["UseClipThreshold"] == false;
            is_short && s.is("Direction", "_FORWARD") && s.elements("CellMemInitTensor").is_some()
        };
        let mut case = float32(operator, fits);
        for name in Situation::read(&case).inputs.keys().filter(|name| *name != "SequenceLengthsTensor") {
            case = with_elements(case, name, |_| if name == "CellMemInitTensor" { 0.5 } else { 0.0 });
        }
        let nodes = &mut case.model.proto.functions[0].node;
        let node = nodes.iter_mut().find(|node| node.op_type.as_deref() == Some("LSTM")).unwrap();
        node.attribute.retain(|attribute| !attribute.name.as_deref().unwrap().starts_with("activation_"));
        let named = |attribute: &&mut AttributeProto| attribute.name.as_deref() == Some("activations");
        let activations = node.attribute.iter_mut().find(named).unwrap();
        activations.strings = ["Sigmoid", "Tanh", "Tanh"].map(|name| name.as_bytes().to_vec()).into();
        // All gates are 1 / 2, and that of the cell is 0: the state of the cell becomes 1 / 4.
        vec![probe(case, &[0.5 * 0.25f64.tanh()], &[0.0, 0.25])]
    }),
    entry(&["MAX_POOLING", "MAX_POOLING1", "MAX_POOLING2"], "padding-value", |operator| {
        let case = with_elements(float32(operator, is_padded), "InputTensor", |_| -1.0);
        let s = Situation::read(&case);
        let with_zeros = each(&s, |index| if elements(&s, index) < window(&s) { 0.0 } else { -1.0 });
        vec![Probe { case, accepted: vec![vec![-1.0]], rejected: vec![with_zeros] }]
    }),
    entry(&["MEAN_VARIANCE_NORMALIZATION1"], "biased-variance", |operator| {
        let fits = |s: &Situation| {
            let is_plain = ["ScaleTensor", "BiasTensor", "FusedActivation"].iter().all(|f| s.desc.get(f).is_none());
            s.desc["NormalizeVariance"] == true && is_plain && s.sizes("InputTensor") == [2]
        };
        let case = with_elements(float32(operator, fits), "InputTensor", |number| number as f64);
        let epsilon = Situation::read(&case).number("Epsilon");
        let normal = |variance: f64| [-0.5, 0.5].map(|x| x / (variance + epsilon).sqrt()).to_vec();
        vec![Probe { case, accepted: vec![normal(0.25)], rejected: vec![normal(0.5)] }]
    }),
    entry(&["PADDING", "PADDING1"], "wrap", |operator| {
        let fits = |s: &Situation| {
            let (from, to) = (s.sizes("InputTensor"), s.sizes("OutputTensor"));
            s.is("PaddingMode", "_WRAP") && from.iter().zip(&to).any(|(&from, &to)| to > from && from > 1)
        };
        let case = with_elements(float32(operator, fits), "InputTensor", |number| number as f64);
        let s = Situation::read(&case);
        let (sizes, start) = (s.sizes("InputTensor"), s.list("StartPadding"));
        let from = |place: fn(f64, f64) -> f64| {
            each(&s, |index| {
                let along = |d: usize| place(index[d] as f64 - start[d], sizes[d] as f64);
                (0..sizes.len()).fold(0.0, |number, d| number * sizes[d] as f64 + along(d))
            })
        };
        let wrapped = from(|place, size| place.rem_euclid(size));
        let edge = from(|place, size| place.clamp(0.0, size - 1.0));
        vec![Probe { case, accepted: vec![wrapped], rejected: vec![edge] }]
    }),
    entry(&["RESAMPLE1"], "nearest-element", |operator| {
        let of = |s: &Situation, half: fn(f64) -> f64| {
            let sizes = s.sizes("InputTensor");
            let [scales, input, output] =
                ["Scales", "InputPixelOffsets", "OutputPixelOffsets"].map(|field| s.list(field));
            let place = |d: usize, at: usize| (at as f64 - output[d]) / scales[d] - input[d] + half(scales[d]);
            each(s, |index| {
                let along = |d: usize| place(d, index[d]).floor().clamp(0.0, sizes[d] as f64 - 1.0);
                (0..sizes.len()).fold(0.0, |number, d| number * sizes[d] as f64 + along(d))
            })
        };
        let (nearest, moved) = (|_: f64| 0.5, |scale: f64| 0.5 / scale);
        let case = float32(operator, |s| s.is("InterpolationMode", "NEIGHBOR") && of(s, nearest) != of(s, moved));
        let case = with_elements(case, "InputTensor", |number| number as f64);
        let s = Situation::read(&case);
        vec![Probe { case, accepted: vec![of(&s, nearest)], rejected: vec![of(&s, moved)] }]
    }),
    entry(&["ROI_ALIGN1"], "end-of-loops", |operator| {
        let right = |s: &Situation| aligned(s, 3, [0, 2], 0.0);
        let longer = |s: &Situation| aligned(s, 3, [0, 2], 1.0);
        let case = float32(operator, |s| is_mean_inside(s) && right(s) != longer(s));
        let width = Situation::read(&case).sizes("InputTensor")[3];
        let case = with_elements(case, "InputTensor", |number| (number % width) as f64);
        let s = Situation::read(&case);
        vec![Probe { case, accepted: vec![right(&s)], rejected: vec![longer(&s)] }]
    }),
    entry(&["ROI_ALIGN1"], "scale-of-y", |operator| {
        let right = |s: &Situation| aligned(s, 2, [1, 3], 0.0);
        let by_width = |s: &Situation| aligned(s, 2, [0, 2], 0.0);
        let case = float32(operator, |s| is_mean_inside(s) && right(s) != by_width(s));
        let s = Situation::read(&case);
        let (height, width) = (s.sizes("InputTensor")[2], s.sizes("InputTensor")[3]);
        let case = with_elements(case, "InputTensor", |number| (number / width % height) as f64);
        vec![Probe { case, accepted: vec![right(&s)], rejected: vec![by_width(&s)] }]
    }),
];

pub(super) fn probe(case: Case, accepted: &[f64], rejected: &[f64]) -> Probe {
    let all = |numbers: &[f64]| numbers.iter().map(|number| vec![*number]).collect();
    Probe { case, accepted: all(accepted), rejected: all(rejected) }
}

/// Compares two readings of a page: what `right` computes for a case is accepted, and what `other` computes is not.
pub(super) fn readings(
    case: Case,
    right: impl Fn(&Situation) -> Vec<f64>,
    other: impl Fn(&Situation) -> Vec<f64>,
) -> Vec<Probe> {
    let s = Situation::read(&case);
    vec![Probe { case, accepted: vec![right(&s)], rejected: vec![other(&s)] }]
}

/// Returns a case of an operator with float32 tensors, without `ScaleBias` and without an activation.
pub(super) fn float32(operator: &str, fits: impl Fn(&Situation) -> bool) -> Case {
    first(operator, |cell, s| {
        let is_plain = ["ScaleBias", "FusedActivation"].iter().all(|field| s.desc.get(field).is_none());
        cell.data_type == TensorDataType::Float32 && is_plain && fits(s)
    })
}

/// Returns the probes of a case with each rounding mode, or of a case of an operator without one.
fn each_rounding(operator: &str, probes: impl Fn(Case) -> Vec<Probe>) -> Vec<Probe> {
    let modes: &[&str] = match operator {
        "ELEMENT_WISE_ROUND" => &["_NEAREST_EVEN", "_TOWARD_ZERO", "_TOWARD_INFINITY"],
        _ => &[],
    };
    if modes.is_empty() {
        return probes(float32(operator, |_| true));
    }
    modes.iter().flat_map(|mode| probes(float32(operator, |s| s.is("RoundingMode", mode)))).collect()
}

/// Returns a case of two operands with these elements.
fn pair(operator: &str, a: f64, b: f64) -> Case {
    let case = with_elements(float32(operator, |_| true), "ATensor", |_| a);
    with_elements(case, "BTensor", |_| b)
}

/// Returns a case with the element 8, the scale 2 and the zero point 1.
fn quantization(operator: &str, quantized: fn(&Situation) -> Option<TensorDataType>) -> Case {
    let case = first(operator, |_, s| {
        let bytes = [TensorDataType::Uint8, TensorDataType::Int8];
        quantized(s).is_some_and(|data_type| bytes.contains(&data_type)) && s.is("QuantizationType", "_ZERO_POINT")
    });
    let case = with_elements(case, "InputTensor", |_| 8.0);
    with_elements(with_elements(case, "QuantizationTensors_0", |_| 2.0), "QuantizationTensors_1", |_| 1.0)
}

fn is_plain_convolution(s: &Situation) -> bool {
    s.is("Mode", "_CROSS_CORRELATION") && s.is("Direction", "_FORWARD") && s.desc.get("BiasTensor").is_none()
}

/// Returns whether a window has fewer elements of the input than places.
fn is_padded(s: &Situation) -> bool {
    let mut padded = false;
    each(s, |index| {
        padded |= elements(s, index) < window(s);
        0.0
    });
    padded
}

/// Returns the number of places of a window.
fn window(s: &Situation) -> f64 {
    match s.desc.get("FilterTensor") {
        Some(_) => s.sizes("FilterTensor")[2..].iter().product::<usize>() as f64,
        None => s.list("WindowSize").iter().product(),
    }
}

/// Returns the number of elements of a channel of the input in the window of an element of the output.
fn elements(s: &Situation, index: &[usize]) -> f64 {
    (2..index.len()).map(|d| elements_in_window(s, d, index[d])).product::<usize>() as f64
}

/// Computes each element of the output by its index.
pub(super) fn each(s: &Situation, mut element: impl FnMut(&[usize]) -> f64) -> Vec<f64> {
    let sizes = s.sizes("OutputTensor");
    (0..sizes.iter().product()).map(|number| element(&index_of(number, &sizes))).collect()
}

/// Returns whether each output element of a ROI_ALIGN1 is the mean of samples between elements of the image.
fn is_mean_inside(s: &Situation) -> bool {
    let is_near = s.data("ROITensor").iter().all(|corner| *corner < 32.0);
    is_near && s.is("ReductionFunction", "_AVERAGE") && s.is("InterpolationMode", "_LINEAR")
}

/// Returns the mean position of the samples of each output element along a dimension. `ends` are the corners whose distance
/// gives the step, and `more` samples are read than are computed.
fn aligned(s: &Situation, d: usize, ends: [usize; 2], more: f64) -> Vec<f64> {
    let sizes = s.sizes("OutputTensor");
    let scale = |corner: usize| s.number(if corner.is_multiple_of(2) { "SpatialScaleX" } else { "SpatialScaleY" });
    let count = s.number("MinimumSamplesPerOutput");
    let along = if ends[0] == 0 { sizes[3] } else { sizes[2] } as f64;
    each(s, |index| {
        let corner = |at: usize| s.data("ROITensor")[index[0] * 4 + at] * scale(at);
        let step = (corner(ends[1]) - corner(ends[0])) / (along * count);
        let middle = index[d] as f64 * count + (count - 1.0 + more) / 2.0;
        let low = corner(if d == 3 { 0 } else { 1 });
        (middle - s.number("OutputPixelOffset")) * step + low - s.number("InputPixelOffset")
    })
}
