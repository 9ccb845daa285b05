//! Behaviours of which no case is drawn.

// Over 400 lines: one list, with a test of cases for each entry.

use plumbline_spec::directml::TensorDataType;
use plumbline_tensor::{DType, Tensor};
use serde_json::json;

use super::positions::{half_as_many, is_half_way, move_regions, regions, sample_positions, sampled_positions};
use super::{Name, Situation};

/// A behaviour that several operators have.
pub(super) struct Entry {
    pub operators: &'static [&'static str],
    pub name: &'static str,
    /// Returns whether a case is in the situation.
    pub holds: fn(&Situation) -> bool,
    /// Changes a case so that it is in the situation, if the operator's description allows it.
    pub change: fn(&mut Situation),
}

impl Entry {
    pub(super) fn names(&self) -> impl Iterator<Item = Name> {
        self.operators.iter().map(|operator| (*operator, self.name))
    }
}

pub(super) const fn entry(
    operators: &'static [&'static str],
    name: &'static str,
    holds: fn(&Situation) -> bool,
    change: fn(&mut Situation),
) -> Entry {
    Entry { operators, name, holds, change }
}

const ALIGNS: &[&str] = &["ROI_ALIGN", "ROI_ALIGN1", "ROI_ALIGN_GRAD"];

pub(super) const ALL: &[Entry] = &[
    entry(
        &["ACTIVATION_HARDMAX", "ACTIVATION_LOG_SOFTMAX", "ACTIVATION_SOFTMAX"],
        "dimensions-of-layers",
        |s| s.sizes("InputTensor").iter().rev().skip(2).any(|&size| size > 1),
        |s| s.desc["InputTensor"]["Sizes"][0] = json!(2),
    ),
    entry(
        &["ACTIVATION_LOG_SOFTMAX1", "ACTIVATION_SOFTMAX1"],
        "infinity",
        |s| s.data("InputTensor").iter().any(|x| x.is_infinite()),
        |s| fill(s, "InputTensor", f64::INFINITY),
    ),
    entry(
        &["ACTIVATION_SOFTMAX1"],
        "intermediate-overflow",
        |s| {
            let most =
                if s.type_of("InputTensor") == Some(TensorDataType::Float16) { 65504.0 } else { f32::MAX.into() };
            s.data("InputTensor").iter().map(|x| x.exp()).sum::<f64>() > most
        },
        |s| fill(s, "InputTensor", 100.0),
    ),
    entry(
        &["CAST"],
        "integer-rounding",
        |s| is_to(s, true, false) && s.data("InputTensor").iter().any(|x| x.is_finite() && x.fract() != 0.0),
        |s| fill(s, "InputTensor", 0.5),
    ),
    entry(
        &["CAST"],
        "float-out-of-range",
        |s| is_to(s, true, false) && s.data("InputTensor").iter().any(|&x| !has(s.type_of("OutputTensor"), x.trunc())),
        |s| fill(s, "InputTensor", 1e30),
    ),
    entry(
        &["CAST"],
        "integer-overflow",
        |s| is_to(s, false, false) && s.data("InputTensor").iter().any(|&x| !has(s.type_of("OutputTensor"), x)),
        |s| fill(s, "InputTensor", 300.0),
    ),
    entry(
        &["CAST"],
        "float-rounding",
        |s| {
            let to = s.type_of("OutputTensor");
            to.is_some_and(TensorDataType::is_float) && s.data("InputTensor").iter().any(|&x| !has(to, x))
        },
        |s| fill(s, "InputTensor", 0.1),
    ),
    entry(
        &["CONVOLUTION"],
        "output-padding",
        |s| s.is("Direction", "_FORWARD") && s.list("OutputPadding").iter().any(|&padding| padding > 0.0),
        |s| s.desc["OutputPadding"][0] = json!(1),
    ),
    entry(
        &["ELEMENT_WISE_CLIP"],
        "bound-type",
        |s| ["Min", "Max"].iter().any(|field| !has(s.type_of("InputTensor"), s.number(field))),
        |s| s.desc["Min"] = json!(0.1),
    ),
    entry(
        &["ELEMENT_WISE_CLIP", "ELEMENT_WISE_CLIP1"],
        "nan-bound",
        |s| s.desc["Min"] == "nan" || s.desc["Max"] == "nan",
        |s| s.desc["Min"] = json!("nan"),
    ),
    entry(
        &["ELEMENT_WISE_CEIL", "ELEMENT_WISE_FLOOR", "ELEMENT_WISE_ROUND"],
        "signed-zero",
        |s| s.data("InputTensor").iter().any(|x| x.to_bits() == (-0.0f64).to_bits()),
        |s| fill(s, "InputTensor", -0.0),
    ),
    entry(
        &["ELEMENT_WISE_MEAN"],
        "odd-sums",
        |s| {
            let sums = s.data("ATensor").iter().zip(s.data("BTensor")).map(|(a, b)| a + b);
            !s.type_of("ATensor").is_some_and(TensorDataType::is_float) && sums.into_iter().any(|sum| sum % 2.0 != 0.0)
        },
        |s| {
            fill(s, "ATensor", 1.0);
            fill(s, "BTensor", 2.0);
        },
    ),
    entry(
        &["ELEMENT_WISE_MODULUS_FLOOR", "ELEMENT_WISE_MODULUS_TRUNCATE"],
        "division-by-zero",
        |s| s.data("BTensor").contains(&0.0),
        |s| fill(s, "BTensor", 0.0),
    ),
    entry(
        &["ELEMENT_WISE_QUANTIZE_LINEAR"],
        "halves",
        |s| has_half(s, "ScaleTensor"),
        |s| {
            fill(s, "InputTensor", 1.0);
            fill(s, "ScaleTensor", 2.0);
        },
    ),
    entry(
        &["QUANTIZE"],
        "halves",
        |s| has_half(s, "QuantizationTensors_0"),
        |s| {
            fill(s, "InputTensor", 1.0);
            fill(s, "QuantizationTensors_0", 2.0);
        },
    ),
    entry(
        &["DEQUANTIZE", "QUANTIZE"],
        "sizes-of-blocks",
        |s| {
            let input = s.sizes("InputTensor");
            s.inputs.iter().any(|(name, elements)| name.starts_with("Quantization") && elements.sizes != input)
        },
        |s| s.desc["InputTensor"]["Sizes"][0] = json!(100),
    ),
    entry(
        &["DEQUANTIZE", "QUANTIZE"],
        "no-quantization",
        |s| s.is("QuantizationType", "_NONE"),
        |s| s.desc["QuantizationType"] = json!("DML_QUANTIZATION_TYPE_NONE"),
    ),
    entry(
        &["ELEMENT_WISE_TAN"],
        "pole",
        |s| {
            let given = |name: &str, otherwise| s.desc["ScaleBias"][name].as_f64().unwrap_or(otherwise);
            let (scale, bias) = (given("Scale", 1.0), given("Bias", 0.0));
            s.data("InputTensor").iter().any(|x| (x * scale + bias).cos().abs() < 1.0 / 32.0)
        },
        |s| {
            s.desc["ScaleBias"] = json!(null);
            fill(s, "InputTensor", std::f64::consts::FRAC_PI_2);
        },
    ),
    entry(&["GATHER"], "indices-in-range", is_index_outside, |s| fill(s, "IndicesTensor", 1e6)),
    entry(
        &["GRU", "LSTM", "RNN"],
        "behind-a-sequence",
        |s| {
            let steps = s.sizes("InputTensor")[1] as f64;
            let ends_earlier = s.data("SequenceLengthsTensor").iter().any(|&length| length < steps);
            ends_earlier && s.desc.get("OutputSequenceTensor").is_some()
        },
        |s| fill(s, "SequenceLengthsTensor", 0.0),
    ),
    entry(
        &["LP_POOLING", "LP_POOLING1"],
        "odd-powers",
        |s| s.number("P") % 2.0 == 1.0 && s.data("InputTensor").iter().any(|&x| x < 0.0),
        |s| fill(s, "InputTensor", -1.0),
    ),
    entry(
        &["LSTM"],
        "peephole-of-output",
        |s| {
            let Some(peephole) = s.elements("PeepholeTensor") else { return false };
            let hidden = peephole.sizes[3] / 3;
            peephole.data.iter().enumerate().any(|(at, &x)| at / hidden % 3 == 1 && x != 0.0)
        },
        |s| fill(s, "PeepholeTensor", 1.0),
    ),
    entry(
        &["LSTM"],
        "clipped-state",
        // The state of a cell begins with 1 at most, and each step adds 1 at most.
        |s| s.desc["UseClipThreshold"] == true && s.number("ClipThreshold") < 1.0 + s.sizes("InputTensor")[1] as f64,
        |s| s.desc["ClipThreshold"] = json!(0.5),
    ),
    entry(
        &["MAX_POOLING", "MAX_POOLING1", "MAX_POOLING2"],
        "window-without-elements",
        |s| {
            let sizes = s.sizes("OutputTensor");
            (2..sizes.len()).any(|d| (0..sizes[d]).any(|at| elements_in_window(s, d, at) == 0))
        },
        |s| s.desc["StartPadding"][0] = json!(100),
    ),
    entry(
        &["RESAMPLE2", "RESAMPLE3"],
        "infinity-with-zero-weight",
        |s| s.data("InputTensor").iter().any(|x| !x.is_finite()),
        |s| fill(s, "InputTensor", f64::INFINITY),
    ),
    entry(
        &["RESAMPLE2", "RESAMPLE3"],
        "position-rounding",
        |s| {
            let near_whole = |(scale, position): (f64, f64)| {
                scale.log2().fract() != 0.0 && (position - position.round()).abs() < 1.0 / 32.0
            };
            s.is("InterpolationMode", "NEIGHBOR") && sampled_positions(s, "OutputTensor").into_iter().any(near_whole)
        },
        |s| {
            (s.desc["Scales"][0], s.desc["InputPixelOffsets"][0], s.desc["OutputPixelOffsets"][0]) =
                (json!(3.0), json!(0.0), json!(0.0));
        },
    ),
    entry(&["RESAMPLE", "RESAMPLE1"], "half-way", |s| is_half_way(s, "OutputTensor"), half_as_many),
    entry(&["RESAMPLE_GRAD"], "half-way", |s| is_half_way(s, "InputGradientTensor"), half_as_many),
    entry(
        &["ROI_ALIGN1", "ROI_ALIGN_GRAD"],
        "corners",
        |s| s.desc["AlignRegionsToCorners"] == true,
        |s| s.desc["AlignRegionsToCorners"] = json!(true),
    ),
    entry(
        ALIGNS,
        "count-of-samples",
        |s| {
            let [least, most] = ["MinimumSamplesPerOutput", "MaximumSamplesPerOutput"].map(|field| s.number(field));
            let counts = regions(s).into_iter().map(|region| (region.high - region.low) / region.parts as f64);
            counts.into_iter().any(|count| count.floor().clamp(least, most) != count.ceil().clamp(least, most))
        },
        |s| {
            s.desc["MinimumSamplesPerOutput"] = json!(0);
            if let Some(corners) = s.inputs.get_mut("ROITensor") {
                corners
                    .data
                    .iter_mut()
                    .enumerate()
                    .for_each(|(at, corner)| *corner = if at % 4 < 2 { 0.0 } else { 0.1 });
            }
        },
    ),
    entry(
        ALIGNS,
        "functions",
        |s| !s.is("ReductionFunction", "_AVERAGE") && !s.is("ReductionFunction", "_MAX"),
        |s| s.desc["ReductionFunction"] = json!("DML_REDUCE_FUNCTION_SUM"),
    ),
    entry(
        ALIGNS,
        "half-way",
        |s| {
            let is_half = |(position, last): (f64, f64)| (0.0..=last).contains(&position) && position.fract() == 0.5;
            s.is("InterpolationMode", "NEIGHBOR") && sample_positions(s).into_iter().any(is_half)
        },
        |s| move_regions(s, 0.5),
    ),
    entry(
        ALIGNS,
        "near-an-edge",
        |s| {
            let is_near = |(position, last): (f64, f64)| {
                (-1.0 < position && position < 0.0) || (last < position && position < last + 1.0)
            };
            sample_positions(s).into_iter().any(is_near)
        },
        |s| move_regions(s, -0.25),
    ),
    entry(
        &["ROI_ALIGN_GRAD"],
        "equal-samples",
        |s| {
            let Some(image) = s.elements("InputTensor") else { return false };
            let plane = image.sizes[2] * image.sizes[3];
            let has_equal = image.data.chunks(plane).any(|plane| {
                let mut sorted = plane.to_vec();
                sorted.sort_by(f64::total_cmp);
                sorted.windows(2).any(|pair| pair[0] == pair[1])
            });
            let between = s.is("InterpolationMode", "LINEAR");
            s.is("ReductionFunction", "_MAX") && s.number("MinimumSamplesPerOutput") > 1.0 && (has_equal || between)
        },
        |s| fill(s, "InputTensor", 1.0),
    ),
    entry(
        &["ROI_ALIGN_GRAD"],
        "gradient-of-regions",
        |s| s.desc.get("OutputROIGradientTensor").is_some(),
        |s| s.desc["OutputROIGradientTensor"] = json!({}),
    ),
    entry(
        &["TOP_K1"],
        "whole-axis",
        |s| s.sizes("InputTensor")[s.number("Axis") as usize] as f64 == s.number("K"),
        |s| s.desc["K"] = s.desc["InputTensor"]["Sizes"][s.number("Axis") as usize].clone(),
    ),
    entry(&["ARGMAX", "ARGMIN"], "several-axes", |s| s.list("Axes").len() > 1, |s| s.desc["Axes"] = json!([0, 1])),
    entry(
        &["CONVOLUTION_INTEGER"],
        "padding-of-zero-point",
        |s| {
            let is_padded = ["StartPadding", "EndPadding"].iter().any(|field| s.list(field).iter().any(|&x| x > 0.0));
            is_padded && s.data("InputZeroPointTensor").iter().any(|&x| x != 0.0)
        },
        |s| {
            s.desc["StartPadding"][0] = json!(1);
            fill(s, "InputZeroPointTensor", 1.0);
        },
    ),
    entry(
        &["FOLD", "UNFOLD"],
        "dimensions",
        |s| s.number("DimensionCount") > 1.0,
        |s| s.desc["DimensionCount"] = json!(2),
    ),
    entry(
        &["LOCAL_RESPONSE_NORMALIZATION", "LOCAL_RESPONSE_NORMALIZATION_GRAD"],
        "region-within-channel",
        |s| s.desc["CrossChannel"] == false,
        |s| s.desc["CrossChannel"] = json!(false),
    ),
    entry(
        &["LP_NORMALIZATION"],
        "place-of-epsilon",
        |s| s.number("Epsilon") != 0.0,
        |s| s.desc["Epsilon"] = json!(1.0),
    ),
    entry(
        &["MAX_UNPOOLING"],
        "equal-indices",
        |s| has_duplicate(s.data("IndicesTensor").iter().map(|index| vec![*index])),
        |s| fill(s, "IndicesTensor", 0.0),
    ),
    entry(
        &["SCATTER_ELEMENTS"],
        "equal-indices",
        |s| {
            let Some(indices) = s.elements("IndicesTensor") else { return false };
            let (axis, sizes) = (s.number("Axis") as usize, s.sizes("InputTensor"));
            has_duplicate(indices.data.iter().enumerate().map(|(number, index)| {
                let mut place: Vec<f64> = index_of(number, &indices.sizes).into_iter().map(|i| i as f64).collect();
                place[axis] = index.rem_euclid(sizes[axis] as f64);
                place
            }))
        },
        |s| fill(s, "IndicesTensor", 0.0),
    ),
    entry(
        &["SCATTER_ND"],
        "equal-indices",
        |s| {
            let Some(indices) = s.elements("IndicesTensor") else { return false };
            let (sizes, count) = (s.sizes("InputTensor"), indices.sizes.last().copied().unwrap_or(1));
            let first = sizes.len() - s.number("InputDimensionCount") as usize;
            let place = |tuple: &[f64]| {
                tuple.iter().zip(&sizes[first..]).map(|(index, &size)| index.rem_euclid(size as f64)).collect()
            };
            has_duplicate(indices.data.chunks(count).map(place))
        },
        |s| fill(s, "IndicesTensor", 0.0),
    ),
    entry(
        &["MULTIHEAD_ATTENTION", "MULTIHEAD_ATTENTION1"],
        "mask-of-queries",
        |s| s.is("MaskType", "_KEY_QUERY_SEQUENCE_LENGTH_START_END"),
        |s| s.desc["MaskType"] = json!("DML_MULTIHEAD_ATTENTION_MASK_TYPE_KEY_QUERY_SEQUENCE_LENGTH_START_END"),
    ),
    entry(
        &["PADDING", "PADDING1"],
        "reflection-of-one",
        |s| {
            let (from, to) = (s.sizes("InputTensor"), s.sizes("OutputTensor"));
            s.is("PaddingMode", "_REFLECTION") && from.iter().zip(&to).any(|(&from, &to)| from == 1 && to > 1)
        },
        |s| (s.desc["InputTensor"]["Sizes"][0], s.desc["OutputTensor"]["Sizes"][0]) = (json!(1), json!(3)),
    ),
    entry(
        &["UPSAMPLE_2D"],
        "linear-positions",
        |s| s.is("InterpolationMode", "_LINEAR"),
        |s| s.desc["InterpolationMode"] = json!("DML_INTERPOLATION_MODE_LINEAR"),
    ),
];

fn has_duplicate(places: impl Iterator<Item = Vec<f64>>) -> bool {
    let mut seen = std::collections::BTreeSet::new();
    let mut bits = places.map(|place| place.iter().map(|x| x.to_bits()).collect::<Vec<_>>());
    bits.any(|place| !seen.insert(place))
}

/// Returns the index of an element by its number in row-major order.
pub(super) fn index_of(mut number: usize, sizes: &[usize]) -> Vec<usize> {
    let mut index = vec![0; sizes.len()];
    for d in (0..sizes.len()).rev() {
        index[d] = number % sizes[d];
        number /= sizes[d];
    }
    index
}

pub(super) fn fill(s: &mut Situation, input: &str, value: f64) {
    if let Some(elements) = s.inputs.get_mut(input) {
        elements.data.fill(value);
    }
}

/// Returns whether a CAST is from a type of this kind to one of that kind.
fn is_to(s: &Situation, from_float: bool, to_float: bool) -> bool {
    let is = |tensor: &str, float: bool| s.type_of(tensor).is_some_and(|data_type| data_type.is_float() == float);
    is("InputTensor", from_float) && is("OutputTensor", to_float)
}

/// Returns whether a type has this number, which is no NaN.
fn has(data_type: Option<TensorDataType>, number: f64) -> bool {
    let dtype = DType::ALL.into_iter().find(|dtype| TensorDataType::of_onnx(*dtype) == data_type);
    let dtype = dtype.filter(|dtype| *dtype != DType::Bool).unwrap_or(DType::Uint8);
    if dtype.is_float() {
        let found = Tensor::from_f64s(dtype, vec![1], &[number]).unwrap().f64_at(0);
        return found == number || number.is_nan();
    }
    let found = |number: i128| Some(Tensor::from_i128s(dtype, vec![1], &[number]).ok()?.i128_at(0));
    number.fract() == 0.0 && number.abs() < 1e30 && found(number as i128) == Some(number as i128)
}

/// Returns whether a quotient by one of these scales lies in the middle of two integers.
fn has_half(s: &Situation, scales: &str) -> bool {
    s.data("InputTensor").iter().zip(s.data(scales)).any(|(x, scale)| (x / scale).fract().abs() == 0.5)
}

fn is_index_outside(s: &Situation) -> bool {
    let size = s.sizes("InputTensor")[s.number("Axis") as usize] as f64;
    s.data("IndicesTensor").iter().any(|index| !(-size..size).contains(index))
}

/// Returns how many elements of the input a window has along a dimension.
pub(super) fn elements_in_window(s: &Situation, d: usize, at: usize) -> usize {
    let of_window = |field: &str, otherwise: f64| s.list(field).get(d - 2).copied().unwrap_or(otherwise);
    let first = at as f64 * of_window("Strides", 1.0) - of_window("StartPadding", 0.0);
    let size = s.sizes("InputTensor")[d] as f64;
    let count = match s.desc.get("FilterTensor") {
        Some(_) => s.sizes("FilterTensor")[d],
        None => of_window("WindowSize", 1.0) as usize,
    };
    let places = (0..count).map(|tap| first + tap as f64 * of_window("Dilations", 1.0));
    places.filter(|place| (0.0..size).contains(place)).count()
}
