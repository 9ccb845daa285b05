//! Behaviours of operators of quantized elements. All results are computed here by the formulas of the pages.

use plumbline_spec::directml::TensorDataType;

use super::accepted::{self, Probe, each, readings};
use super::not_drawn::{self, elements_in_window, fill, index_of};
use super::{Situation, first};

/// A quotient that is closer than this to the middle of two integers depends on how exactly it is computed.
const MARGIN: f64 = 1.0 / 1024.0;

const CONVOLUTIONS: &[&str] = &["CONVOLUTION_INTEGER", "QUANTIZED_LINEAR_CONVOLUTION"];

const QUANTIZING: &[&str] = &[
    "ELEMENT_WISE_QUANTIZED_LINEAR_ADD",
    "QUANTIZED_LINEAR_AVERAGE_POOLING",
    "QUANTIZED_LINEAR_CONVOLUTION",
    "QUANTIZED_LINEAR_MATRIX_MULTIPLY",
];

pub(super) const NOT_DRAWN: &[not_drawn::Entry] = &[
    not_drawn::entry(
        QUANTIZING,
        "halves",
        |s| quotients(s).iter().any(|quotient| ((quotient - quotient.floor()) - 0.5).abs() < MARGIN),
        |s| {
            for name in ["AScaleTensor", "BScaleTensor", "InputScaleTensor", "FilterScaleTensor", "FilterTensor"] {
                fill(s, name, 1.0);
            }
            ["ATensor", "InputTensor"].iter().for_each(|name| count(s, name));
            fill(s, "OutputScaleTensor", 2.0);
        },
    ),
    not_drawn::entry(
        QUANTIZING,
        "zero-scale",
        |s| s.inputs.iter().any(|(name, elements)| name.contains("Scale") && elements.data.contains(&0.0)),
        |s| fill(s, "OutputScaleTensor", 0.0),
    ),
    not_drawn::entry(
        &["CONVOLUTION_INTEGER", "MATRIX_MULTIPLY_INTEGER"],
        "overflow",
        |s| sums(s, PLAIN).iter().any(|sum| sum.abs() > i32::MAX.into()),
        |s| ["ATensor", "BTensor", "InputTensor", "FilterTensor"].iter().for_each(|name| fill(s, name, 1e5)),
    ),
    not_drawn::entry(
        &["MATRIX_MULTIPLY_INTEGER_TO_FLOAT"],
        "intermediate-type",
        |s| {
            let bias = s.data("BiasTensor").iter().fold(0.0, |most: f64, x| most.max(x.abs()));
            products(s, f64::abs).iter().any(|sum| sum + bias > 2f64.powi(if is_half(s) { 11 } else { 24 }))
        },
        |s| fill(s, "ATensor", 1e8),
    ),
    not_drawn::entry(
        &["QUANTIZED_LINEAR_CONVOLUTION"],
        "scale-of-bias",
        |s| {
            let is_scaled =
                |at: usize| factor(s, "InputScaleTensor", 0, 1.0) * factor(s, "FilterScaleTensor", at, 1.0) != 1.0;
            let bias = s.data("BiasTensor").iter();
            bias.enumerate().any(|(at, &x)| x != 0.0 && is_scaled(at))
        },
        |s| fill(s, "InputScaleTensor", 3.0),
    ),
    not_drawn::entry(
        &["QUANTIZED_LINEAR_AVERAGE_POOLING"],
        "window-without-elements",
        |s| {
            let sizes = s.sizes("OutputTensor");
            (2..sizes.len()).any(|d| (0..sizes[d]).any(|at| elements_in_window(s, d, at) == 0))
        },
        |s| s.desc["StartPadding"][0] = serde_json::json!(100),
    ),
    not_drawn::entry(
        &["DYNAMIC_QUANTIZE_LINEAR"],
        "fraction-of-zero-point",
        |s| (dynamic(s).1 - dynamic(s).1.round()).abs() > MARGIN,
        |s| with_ends(s, -1.0, 1.0),
    ),
    not_drawn::entry(
        &["DYNAMIC_QUANTIZE_LINEAR"],
        "range-without-zero",
        |s| !(range(s).0..=range(s).1).contains(&dynamic(s).1.round()),
        |s| with_ends(s, 5.0, 260.0),
    ),
    not_drawn::entry(
        &["DYNAMIC_QUANTIZE_LINEAR"],
        "equal-elements",
        |s| dynamic(s).0 == 0.0,
        |s| fill(s, "InputTensor", 1.0),
    ),
    not_drawn::entry(
        &["DYNAMIC_QUANTIZE_LINEAR"],
        "nan-and-infinity",
        |s| s.data("InputTensor").iter().any(|x| !x.is_finite()),
        |s| fill(s, "InputTensor", f64::NAN),
    ),
    not_drawn::entry(
        &["DYNAMIC_QUANTIZE_LINEAR"],
        "halves",
        |s| {
            let scale = dynamic(s).0;
            s.data("InputTensor").iter().any(|x| ((x / scale).rem_euclid(1.0) - 0.5).abs() < MARGIN)
        },
        |s| {
            fill(s, "InputTensor", 0.5);
            with_ends(s, 0.0, 255.0);
        },
    ),
];

pub(super) const ACCEPTED: &[accepted::Entry] = &[
    accepted::entry(CONVOLUTIONS, "order-of-groups", |operator| {
        read_as(operator, Reading { interleaves_groups: true, ..PLAIN })
    }),
    accepted::entry(CONVOLUTIONS, "direction-of-filter", |operator| {
        read_as(operator, Reading { turns_filter: true, ..PLAIN })
    }),
    accepted::entry(
        &["QUANTIZED_LINEAR_AVERAGE_POOLING", "QUANTIZED_LINEAR_CONVOLUTION"],
        "padding-value",
        |operator| read_as(operator, Reading { pads_elements: true, ..PLAIN }),
    ),
    accepted::entry(&["QUANTIZED_LINEAR_AVERAGE_POOLING"], "size-with-dilations", |operator| {
        read_as(operator, Reading { leaves_out_dilations: true, ..PLAIN })
    }),
    accepted::entry(&["QUANTIZED_LINEAR_MATRIX_MULTIPLY"], "purpose-of-output-scale", |operator| {
        let unscaled = |s: &Situation| quantized(s, &sums(s, PLAIN), |_| (1.0, 0.0));
        let case = first(operator, |_, s| results(s, PLAIN) != unscaled(s));
        readings(case, |s| results(s, PLAIN), unscaled)
    }),
    accepted::entry(&["MATRIX_MULTIPLY_INTEGER_TO_FLOAT"], "output-scale", |operator| {
        let case = first(operator, |_, s| sums(s, PLAIN).iter().any(|sum| *sum != 0.0));
        readings(case, |s| sums(s, PLAIN), |s| sums(s, PLAIN).iter().map(|sum| sum / 2.0).collect())
    }),
];

/// How what a page leaves open is read.
#[derive(Clone, Copy)]
struct Reading {
    /// Whether each group has every channel of a number of groups, and not channels in order.
    interleaves_groups: bool,
    turns_filter: bool,
    /// Whether the padding has the element 0, from which the zero point is subtracted, and not the number 0.
    pads_elements: bool,
    leaves_out_dilations: bool,
}

const PLAIN: Reading =
    Reading { interleaves_groups: false, turns_filter: false, pads_elements: false, leaves_out_dilations: false };

/// Returns the first case of an operator for which another reading of its page gives another result.
fn read_as(operator: &str, other: Reading) -> Vec<Probe> {
    let case = first(operator, |_, s| results(s, PLAIN) != results(s, other));
    readings(case, |s| results(s, PLAIN), |s| results(s, other))
}

fn is_half(s: &Situation) -> bool {
    s.type_of("OutputTensor") == Some(TensorDataType::Float16)
}

fn count(s: &mut Situation, input: &str) {
    if let Some(elements) = s.inputs.get_mut(input) {
        elements.data.iter_mut().enumerate().for_each(|(at, x)| *x = at as f64);
    }
}

/// Gives the first and the last element of the input; the others lie between them.
fn with_ends(s: &mut Situation, first: f64, last: f64) {
    let data = &mut s.inputs.get_mut("InputTensor").unwrap().data;
    data.iter_mut().for_each(|x| *x = x.clamp(first, last));
    (*data.first_mut().unwrap(), *data.last_mut().unwrap()) = (first, last);
}

/// Returns a scale or zero point: the only one, or that of an index. `otherwise` is that of a tensor that is left out.
fn factor(s: &Situation, name: &str, at: usize, otherwise: f64) -> f64 {
    match s.data(name) {
        [] => otherwise,
        [only] => *only,
        all => all[at],
    }
}

/// Returns the number that an element of the tensor `{name}Tensor` stands for.
fn number(s: &Situation, name: &str, element: f64, at: usize) -> f64 {
    let zero_point = factor(s, &format!("{name}ZeroPointTensor"), at, 0.0);
    (element - zero_point) * factor(s, &format!("{name}ScaleTensor"), at, 1.0)
}

/// Returns the lowest and the highest element that the output may have.
fn range(s: &Situation) -> (f64, f64) {
    if s.type_of("OutputTensor") == Some(TensorDataType::Int8) { (-128.0, 127.0) } else { (0.0, 255.0) }
}

/// Returns scale and zero point by the formulas of DYNAMIC_QUANTIZE_LINEAR.
fn dynamic(s: &Situation) -> (f64, f64) {
    let data = s.data("InputTensor");
    let (least, most) =
        (data.iter().copied().fold(f64::INFINITY, f64::min), data.iter().copied().fold(f64::NEG_INFINITY, f64::max));
    let scale = (most - least) / 255.0;
    (scale, range(s).0 - least / scale)
}

/// Quantizes the numbers of all elements of the output. `factors` gives scale and zero point of an element by its index.
fn quantized(s: &Situation, numbers: &[f64], factors: impl Fn(&[usize]) -> (f64, f64)) -> Vec<f64> {
    let (low, high) = range(s);
    let mut numbers = numbers.iter();
    each(s, |index| {
        let (scale, zero_point) = factors(index);
        ((numbers.next().unwrap() / scale).round() + zero_point).clamp(low, high)
    })
}

/// Returns the elements of the output: the numbers, quantized if the operator quantizes.
fn results(s: &Situation, reading: Reading) -> Vec<f64> {
    let numbers = sums(s, reading);
    if s.elements("OutputScaleTensor").is_none() {
        return numbers;
    }
    quantized(s, &numbers, |index| {
        let at = of_output(s, index);
        (factor(s, "OutputScaleTensor", at, 1.0), factor(s, "OutputZeroPointTensor", at, 0.0))
    })
}

/// Returns which scale of the output holds for an element: that of its row, or of its channel.
fn of_output(s: &Situation, index: &[usize]) -> usize {
    if s.elements("ATensor").is_some() { index[index.len().saturating_sub(2)] } else { index[1] }
}

/// Returns the numbers of all elements of the output, divided by their scales.
fn quotients(s: &Situation) -> Vec<f64> {
    let mut numbers = sums(s, PLAIN).into_iter();
    each(s, |index| numbers.next().unwrap() / factor(s, "OutputScaleTensor", of_output(s, index), 1.0))
}

/// Returns the numbers that the operator computes, before it quantizes them.
fn sums(s: &Situation, reading: Reading) -> Vec<f64> {
    match s.operator.as_str() {
        "CONVOLUTION_INTEGER" | "QUANTIZED_LINEAR_CONVOLUTION" => convolved(s, reading),
        "QUANTIZED_LINEAR_AVERAGE_POOLING" => pooled(s, reading),
        "ELEMENT_WISE_QUANTIZED_LINEAR_ADD" => {
            let both = s.data("ATensor").iter().zip(s.data("BTensor"));
            both.map(|(&a, &b)| number(s, "A", a, 0) + number(s, "B", b, 0)).collect()
        }
        _ => {
            let mut bias = s.data("BiasTensor").iter();
            products(s, |x| x).iter().map(|sum| sum + bias.next().unwrap_or(&0.0)).collect()
        }
    }
}

/// Multiplies the matrices A and B. Each number is mapped before.
fn products(s: &Situation, map: fn(f64) -> f64) -> Vec<f64> {
    let (a, b) = (s.elements("ATensor").unwrap(), s.elements("BTensor").unwrap());
    let [.., m, k] = a.sizes[..] else { panic!("{:?}", a.sizes) };
    let n = *b.sizes.last().unwrap();
    let sum = |at: usize| {
        let (batch, row, column) = (at / n / m, at / n % m, at % n);
        let factors = |i: usize| {
            let a = number(s, "A", a.data[(batch * m + row) * k + i], row);
            map(a) * map(number(s, "B", b.data[(batch * k + i) * n + column], column))
        };
        (0..k).map(factors).sum()
    };
    (0..a.data.len() / k * n).map(sum).collect()
}

/// Returns the place in the input of an element in a window, as a number in row-major order, if it has one. `index` is that
/// of the output, and `tap` that within the window.
fn place(s: &Situation, index: &[usize], channel: usize, tap: &[usize], dilates: bool) -> Option<usize> {
    let sizes = s.sizes("InputTensor");
    let [strides, dilations, start] = ["Strides", "Dilations", "StartPadding"].map(|field| s.list(field));
    (2..sizes.len()).try_fold(index[0] * sizes[1] + channel, |place, d| {
        let step = if dilates { dilations[d - 2] } else { 1.0 };
        let along = index[d] as f64 * strides[d - 2] + tap[d - 2] as f64 * step - start[d - 2];
        (0.0..sizes[d] as f64).contains(&along).then(|| place * sizes[d] + along as usize)
    })
}

fn convolved(s: &Situation, reading: Reading) -> Vec<f64> {
    let filter = s.sizes("FilterTensor");
    let groups = s.number("GroupCount") as usize;
    each(s, |index| {
        let of_tap = |tap: usize| {
            let mut tap = index_of(tap, &filter[1..]);
            let channel = match reading.interleaves_groups {
                true => tap[0] * groups + index[1] % groups,
                false => index[1] / (filter[0] / groups) * filter[1] + tap[0],
            };
            let element = match place(s, index, channel, &tap[1..], true) {
                Some(place) => number(s, "Input", s.data("InputTensor")[place], 0),
                None if reading.pads_elements => number(s, "Input", 0.0, 0),
                None => 0.0,
            };
            if reading.turns_filter {
                (1..tap.len()).for_each(|d| tap[d] = filter[d + 1] - 1 - tap[d]);
            }
            let at = tap.iter().zip(&filter[1..]).fold(index[1], |at, (tap, size)| at * size + tap);
            element * number(s, "Filter", s.data("FilterTensor")[at], index[1])
        };
        (0..filter[1..].iter().product()).map(of_tap).sum::<f64>() + factor(s, "BiasTensor", index[1], 0.0)
    })
}

fn pooled(s: &Situation, reading: Reading) -> Vec<f64> {
    let sizes: Vec<usize> = s.list("WindowSize").into_iter().map(|size| size as usize).collect();
    let counts_padding = s.desc["IncludePadding"] == true;
    each(s, |index| {
        let numbers = (0..sizes.iter().product()).filter_map(|tap| {
            let element = place(s, index, index[1], &index_of(tap, &sizes), !reading.leaves_out_dilations);
            match element {
                Some(place) => Some(number(s, "Input", s.data("InputTensor")[place], index[1])),
                None if !counts_padding => None,
                None if reading.pads_elements => Some(number(s, "Input", 0.0, index[1])),
                None => Some(0.0),
            }
        });
        let numbers: Vec<f64> = numbers.collect();
        numbers.iter().sum::<f64>() / numbers.len() as f64
    })
}
