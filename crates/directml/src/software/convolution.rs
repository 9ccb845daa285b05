//! CONVOLUTION and related operators.

use super::call::{Call, Run, Stop, Written, wrong};
use super::element_wise::activation::fused;
use super::element_wise::quantization::{Quantization, quantized};
use super::types::totals;
use super::window::{spatial, windows, written_windows};
use plumbline_cpu::element::Number;
use plumbline_cpu::kernels::convolution::{Channels, convolved, spread};
use plumbline_cpu::kernels::windows::Windows;

pub const OPERATORS: &[(&str, Run)] = &[
    ("CONVOLUTION", convolution),
    ("CONVOLUTION_INTEGER", convolution_integer),
    ("QUANTIZED_LINEAR_CONVOLUTION", quantized_linear_convolution),
];

/// Checks channels and groups. In a backward convolution, the input channels are the first dimension of the filter.
fn channels(call: &Call, backward: bool) -> Result<Channels, Stop> {
    let (x, w) = (call.sizes("InputTensor")?, call.sizes("FilterTensor")?);
    let groups = call.uint("GroupCount")?;
    if groups == 0 || !x[1].is_multiple_of(groups) || !w[0].is_multiple_of(groups) {
        return wrong(
            "GroupCount",
            format!("is {groups}, which does not divide the channels of Sizes {x:?} and {w:?}"),
        );
    }
    let (inputs, of_filter) = (x[1] / groups, if backward { w[0] / groups } else { w[1] });
    if inputs != of_filter {
        return wrong("FilterTensor", format!("Sizes are {w:?}, which does not fit InputTensor with Sizes {x:?}"));
    }
    Ok(Channels { batch: x[0], groups, inputs, outputs: if backward { w[1] } else { w[0] / groups } })
}

/// Checks that the output has these channels and extents.
fn expect(call: &Call, channels: &Channels, spatial: &[usize]) -> Result<(), Stop> {
    call.expect("OutputTensor", &[&[channels.batch, channels.groups * channels.outputs], spatial].concat())
}

/// Computes the sums in float32, or in float64 for float64 tensors. Then adds the bias of each channel and applies the
/// activation in float64, and rounds once.
fn convolution(call: &Call) -> Written {
    let backward = call.uint("Direction")? == 1;
    let channels = channels(call, backward)?;
    let (input, kernel) = (spatial(call, "InputTensor")?, spatial(call, "FilterTensor")?);
    let windows = match backward {
        true => written_windows(call, &input, &kernel)?,
        false => windows(call, &input, &kernel)?,
    };
    expect(call, &channels, if backward { &windows.input } else { &windows.output })?;
    let outputs = channels.groups * channels.outputs;
    if call.has("BiasTensor") {
        let wanted: Vec<usize> = (0..input.len() + 2).map(|d| if d == 1 { outputs } else { 1 }).collect();
        call.expect("BiasTensor", &wanted)?;
    }
    let bias = call.optional_numbers("BiasTensor")?;
    let activation = match call.called("FusedActivation") {
        [activation] => Some(fused(activation)?),
        _ => None,
    };
    let (x, mut w) = (call.numbers("InputTensor")?.data, call.numbers("FilterTensor")?.data);
    if call.uint("Mode")? == 0 {
        // The mathematical definition of convolution reverses the elements of each window of a filter.
        w.chunks_mut(kernel.iter().product()).for_each(<[f64]>::reverse);
    }
    let (sums, shape): (Vec<f64>, Vec<usize>) = totals!(call.dtype("InputTensor")?, T => {
        let cast = |x: &f64| T::from_double(*x);
        let (x, w): (Vec<T>, Vec<T>) = (x.iter().map(cast).collect(), w.iter().map(cast).collect());
        let (sums, shape) = match backward {
            true => spread(&x, &w, &channels, &windows)?,
            false => convolved(&x, &w, &channels, &windows)?,
        };
        (sums.iter().map(|x| x.to_f64()).collect(), shape)
    });
    let plane: usize = shape[2..].iter().product();
    let finish = |(at, sum): (usize, &f64)| {
        let sum = sum + bias.as_ref().map_or(0.0, |bias| bias.data[at / plane % outputs]);
        activation.as_ref().map_or(sum, |f| f(sum))
    };
    Ok(vec![call.put("OutputTensor", &sums.iter().enumerate().map(finish).collect::<Vec<_>>())?])
}

/// Subtracts the zero points from integers. There is one zero point, or one for each index of the filter's first
/// dimension.
fn centred(call: &Call, field: &str, zero_point: &str) -> Result<Vec<i64>, Stop> {
    let (x, first) = (call.integers(field)?, call.sizes(field)?[0]);
    let zero = if call.has(zero_point) { call.integers(zero_point)? } else { vec![0] };
    let each = x.len() / first;
    match zero.len() {
        1 => Ok(x.iter().map(|x| x - zero[0]).collect()),
        count if count == first && field == "FilterTensor" => {
            Ok(x.iter().enumerate().map(|(at, x)| x - zero[at / each]).collect())
        }
        count => {
            let wanted = if field == "FilterTensor" { format!("1 or {first}") } else { "1".to_owned() };
            wrong(zero_point, format!("has {count} elements, expected {wanted}"))
        }
    }
}

/// Computes the sums of products of integers. Sums wrap to 32 bits.
fn sums(call: &Call) -> Result<(Vec<i32>, Channels, Windows), Stop> {
    let channels = channels(call, false)?;
    let windows = windows(call, &spatial(call, "InputTensor")?, &spatial(call, "FilterTensor")?)?;
    expect(call, &channels, &windows.output)?;
    let x = centred(call, "InputTensor", "InputZeroPointTensor")?;
    let w = centred(call, "FilterTensor", "FilterZeroPointTensor")?;
    let (sums, _) = convolved(&x, &w, &channels, &windows)?;
    Ok((sums.iter().map(|&sum| sum as i32).collect(), channels, windows))
}

fn convolution_integer(call: &Call) -> Written {
    let (sums, ..) = sums(call)?;
    Ok(vec![call.put_integers("OutputTensor", &sums.into_iter().map(i64::from).collect::<Vec<_>>())?])
}

/// Adds the bias to the sums of integers, multiplies by both scales, and quantizes the result.
fn quantized_linear_convolution(call: &Call) -> Written {
    let (sums, channels, windows) = sums(call)?;
    let (outputs, plane) = (channels.groups * channels.outputs, windows.output.iter().product::<usize>());
    let bias = call.optional_numbers("BiasTensor")?;
    let (x, w) = (call.numbers("InputScaleTensor")?, call.numbers("FilterScaleTensor")?);
    let by = Quantization::read(call, "OutputScaleTensor", "OutputZeroPointTensor")?;
    if x.data.len() != 1 {
        return wrong("InputScaleTensor", format!("has {} elements, expected 1", x.data.len()));
    }
    if ![1, outputs].contains(&w.data.len()) {
        return wrong(
            "FilterScaleTensor",
            format!("has {} elements, expected 1 or {outputs}, one for each channel", w.data.len()),
        );
    }
    let finish = |(at, &sum): (usize, &i32)| {
        let channel = at / plane % outputs;
        let sum = f64::from(sum) + bias.as_ref().map_or(0.0, |bias| bias.data[channel]);
        quantized(sum * x.data[0] * w.data[channel.min(w.data.len() - 1)], by.at(channel.min(by.most())))
    };
    Ok(vec![call.put("OutputTensor", &sums.iter().enumerate().map(finish).collect::<Vec<_>>())?])
}
