//! Pooling operators and their gradients.

use super::call::{Call, Dense, Run, Stop, Written, wrong};
use super::element_wise::quantization::{Quantization, quantized};
use super::memory::Raw;
use super::types::{comparable, nearest};
use super::window::{spatial, windows};
use plumbline_cpu::element::Number;
use plumbline_cpu::kernels::scatter::indices;
use plumbline_cpu::kernels::windows::Windows;

pub const OPERATORS: &[(&str, Run)] = &[
    ("AVERAGE_POOLING", average_pooling),
    ("AVERAGE_POOLING1", average_pooling),
    ("AVERAGE_POOLING_GRAD", average_pooling_grad),
    ("LP_POOLING", lp_pooling),
    ("LP_POOLING1", lp_pooling),
    ("MAX_POOLING", max_pooling),
    ("MAX_POOLING1", max_pooling),
    ("MAX_POOLING2", max_pooling),
    ("MAX_POOLING_GRAD", max_pooling_grad),
    ("MAX_UNPOOLING", max_unpooling),
    ("QUANTIZED_LINEAR_AVERAGE_POOLING", quantized_linear_average_pooling),
];

/// Returns the windows of a pool over `whole`, and the number of planes. Checks that `pooled` has an element for each
/// window.
fn pool(call: &Call, whole: &str, pooled: &str) -> Result<(Windows, usize), Stop> {
    let (sizes, input) = (call.sizes(whole)?, spatial(call, whole)?);
    let windows = windows(call, &input, &call.uints_of("WindowSize", input.len(), 1)?)?;
    call.expect(pooled, &[&sizes[..2], &windows.output].concat())?;
    Ok((windows, sizes[0] * sizes[1]))
}

/// A function of a window's number among the windows of all planes, the window's index in its plane, and the positions
/// of the elements that the window covers.
type Visit<'a> = &'a mut dyn FnMut(usize, &[usize], &[usize]);

/// Calls `visit` for each window of each plane.
fn each_window(windows: &Windows, planes: usize, visit: Visit) {
    let plane: usize = windows.input.iter().product();
    let mut number = 0;
    for at in 0..planes {
        indices(&windows.output, |window| {
            let mut taps = vec![at * plane];
            let mut stride = plane;
            for (d, &extent) in windows.input.iter().enumerate() {
                stride /= extent;
                let places: Vec<usize> = (0..windows.kernel[d].min(extent + windows.begin[d] + windows.end[d]))
                    .filter_map(|tap| windows.place(d, window[d], tap))
                    .collect();
                taps = taps.iter().flat_map(|tap| places.iter().map(move |place| tap + place * stride)).collect();
            }
            visit(number, window, &taps);
            number += 1;
        });
    }
}

/// Returns the divisor of an average: the number of the window's taps that fall on elements, or, if `padding`, on
/// elements and padding.
fn divisor(windows: &Windows, window: &[usize], elements: usize, padding: bool) -> f64 {
    match padding {
        true => window.iter().enumerate().map(|(d, &at)| windows.padded_taps(d, at)).product::<usize>() as f64,
        false => elements as f64,
    }
}

/// Computes the averages of all windows. A window without elements gives 0.
fn averages(call: &Call, input: &Dense) -> Result<Vec<f64>, Stop> {
    let (windows, planes) = pool(call, "InputTensor", "OutputTensor")?;
    let padding = call.bool("IncludePadding")?;
    let mut found = Vec::new();
    each_window(&windows, planes, &mut |_, window, taps| {
        let sum: f64 = taps.iter().map(|&tap| input.data[tap]).sum();
        found.push(if taps.is_empty() { 0.0 } else { sum / divisor(&windows, window, taps.len(), padding) });
    });
    Ok(found)
}

fn average_pooling(call: &Call) -> Written {
    Ok(vec![call.put("OutputTensor", &averages(call, &call.numbers("InputTensor")?)?)?])
}

/// Averages quantized elements. If padding is included, it counts as the zero point. Scales and zero points with more
/// than one element belong to the channels.
fn quantized_linear_average_pooling(call: &Call) -> Written {
    let mut input = call.numbers("InputTensor")?;
    let from = Quantization::read(call, "InputScaleTensor", "InputZeroPointTensor")?;
    let to = Quantization::read(call, "OutputScaleTensor", "OutputZeroPointTensor")?;
    let channel = |sizes: &[usize], at: usize| at / sizes[2..].iter().product::<usize>() % sizes[1];
    let sizes = input.sizes.clone();
    input.data.iter_mut().enumerate().for_each(|(at, x)| *x = from.number(channel(&sizes, at), *x));
    let (averages, sizes) = (averages(call, &input)?, call.sizes("OutputTensor")?);
    let found: Vec<f64> =
        averages.into_iter().enumerate().map(|(at, x)| quantized(x, to.at(channel(&sizes, at)))).collect();
    Ok(vec![call.put("OutputTensor", &found)?])
}

fn average_pooling_grad(call: &Call) -> Written {
    let gradient = call.numbers("InputGradientTensor")?;
    let (windows, planes) = pool(call, "OutputGradientTensor", "InputGradientTensor")?;
    let padding = call.bool("IncludePadding")?;
    let mut found = vec![0.0; call.sizes("OutputGradientTensor")?.iter().product()];
    each_window(&windows, planes, &mut |number, window, taps| {
        let part = gradient.data[number] / divisor(&windows, window, taps.len(), padding);
        taps.iter().for_each(|&tap| found[tap] += part);
    });
    Ok(vec![call.put("OutputGradientTensor", &found)?])
}

fn lp_pooling(call: &Call) -> Written {
    let (input, p) = (call.numbers("InputTensor")?, call.uint("P")?);
    let (windows, planes) = pool(call, "InputTensor", "OutputTensor")?;
    if p == 0 {
        return wrong("P", "is 0, but a norm needs at least 1");
    }
    let mut found = Vec::new();
    each_window(&windows, planes, &mut |_, _, taps| {
        let sum: f64 = taps.iter().map(|&tap| input.data[tap].abs().powf(p as f64)).sum();
        found.push(sum.powf(1.0 / p as f64));
    });
    Ok(vec![call.put("OutputTensor", &found)?])
}

/// Returns the position of the first largest element; NaN counts as larger than any number.
fn largest<T: Number>(input: &[T], taps: &[usize]) -> Option<usize> {
    let wins = |a: T, b: T| a > b || a.is_nan() && !b.is_nan();
    taps.iter().copied().reduce(|best, tap| if wins(input[tap], input[best]) { tap } else { best })
}

/// Returns the largest element of each window; a window without elements gives the lowest value of the type.
fn max_pooling(call: &Call) -> Written {
    let (windows, planes) = pool(call, "InputTensor", "OutputTensor")?;
    let dtype = call.dtype("InputTensor")?;
    let bests = comparable!(call, dtype, (data: "InputTensor") => {
        let mut bests = Vec::new();
        each_window(&windows, planes, &mut |_, _, taps| bests.push(largest(&data, taps)));
        bests
    });
    let (input, lowest) = (call.raw("InputTensor")?, nearest(dtype, &[f64::NEG_INFINITY])?);
    let bytes = bests.iter().flat_map(|best| best.map_or(lowest.at(0), |tap| input.at(tap))).copied().collect();
    let mut written = vec![call.put_raw("OutputTensor", &Raw { size: input.size, bytes })?];
    if call.has("OutputIndicesTensor") {
        call.expect("OutputIndicesTensor", &call.sizes("OutputTensor")?)?;
        let places: Vec<i64> = bests.iter().map(|best| best.unwrap_or(0) as i64).collect();
        written.push(call.put_integers("OutputIndicesTensor", &places)?);
    }
    Ok(written)
}

fn max_pooling_grad(call: &Call) -> Written {
    let (input, gradient) = (call.numbers("InputTensor")?, call.numbers("InputGradientTensor")?);
    let (windows, planes) = pool(call, "InputTensor", "InputGradientTensor")?;
    call.expect("OutputGradientTensor", &input.sizes)?;
    let mut found = vec![0.0; input.data.len()];
    each_window(&windows, planes, &mut |number, _, taps| {
        if let Some(tap) = largest(&input.data, taps) {
            found[tap] += gradient.data[number];
        }
    });
    Ok(vec![call.put("OutputGradientTensor", &found)?])
}

/// Writes the elements to their positions in the output, and 0 elsewhere. An index out of range writes nothing.
fn max_unpooling(call: &Call) -> Written {
    call.expect("IndicesTensor", &call.sizes("InputTensor")?)?;
    let places = call.integers("IndicesTensor")?;
    let count = call.sizes("OutputTensor")?.iter().product();
    let input = call.raw("InputTensor")?;
    let mut found = Raw::zeros(input.size, count);
    for (at, &place) in places.iter().enumerate() {
        if let Some(place) = usize::try_from(place).ok().filter(|&place| place < count) {
            found.set(place, input.at(at));
        }
    }
    Ok(vec![call.put_raw("OutputTensor", &found)?])
}
