//! Normalization operators.

pub mod batch;

use super::call::{Call, Dense, Run, Stop, Written, wrong};
use super::element_wise::activation::fused;
use plumbline_cpu::kernels::scatter::indices;

pub const OPERATORS: &[(&str, Run)] = &[
    ("LOCAL_RESPONSE_NORMALIZATION", local_response_normalization),
    ("LOCAL_RESPONSE_NORMALIZATION_GRAD", local_response_normalization_grad),
    ("LP_NORMALIZATION", lp_normalization),
    ("MEAN_VARIANCE_NORMALIZATION", |call| {
        let axes = if call.bool("CrossChannel")? { vec![1, 2, 3] } else { vec![2, 3] };
        mean_variance_normalization(call, &axes, [true, call.bool("NormalizeVariance")?])
    }),
    ("MEAN_VARIANCE_NORMALIZATION1", |call| {
        let axes = call.axes("Axes", call.sizes("InputTensor")?.len())?;
        mean_variance_normalization(call, &axes, [true, call.bool("NormalizeVariance")?])
    }),
    ("MEAN_VARIANCE_NORMALIZATION2", |call| {
        let axes = call.axes("Axes", call.sizes("InputTensor")?.len())?;
        mean_variance_normalization(call, &axes, [call.bool("UseMean")?, call.bool("UseVariance")?])
    }),
];

/// Sums `f` of each element over the dimensions in which `shape` is 1. Also returns the number of elements in each sum.
fn sums(x: &Dense, shape: &[usize], mut f: impl FnMut(usize) -> f64) -> (Dense, f64) {
    let mut found = Dense { sizes: shape.to_vec(), data: vec![0.0; shape.iter().product()] };
    let mut at = 0;
    indices(&x.sizes, |index| {
        let place = found.place(index);
        found.data[place] += f(at);
        at += 1;
    });
    let count = x.data.len() / found.data.len();
    (found, count as f64)
}

/// Applies `f` to each element and its index.
fn each(x: &Dense, mut f: impl FnMut(&[usize], f64) -> f64) -> Vec<f64> {
    let mut data = Vec::with_capacity(x.data.len());
    indices(&x.sizes, |index| data.push(f(index, x.data[data.len()])));
    data
}

/// Reads an optional tensor that is broadcast: its sizes must be the given ones, or 1.
fn laid_over(call: &Call, field: &str, sizes: &[usize]) -> Result<Option<Dense>, Stop> {
    let Some(found) = call.optional_numbers(field)? else { return Ok(None) };
    let fits = found.sizes.len() == sizes.len();
    match fits && found.sizes.iter().zip(sizes).all(|(own, size)| *own == 1 || own == size) {
        true => Ok(Some(found)),
        false => wrong(field, format!("Sizes are {:?}, which does not broadcast to {sizes:?}", found.sizes)),
    }
}

/// Returns the activation that is applied to the result; the identity if there is none.
fn activation(call: &Call) -> Result<Box<dyn Fn(f64) -> f64 + Sync>, Stop> {
    match call.called("FusedActivation") {
        [activation] => fused(activation),
        _ => Ok(Box::new(|x| x)),
    }
}

/// Subtracts the mean if `centre`. If `divide`, divides the result by sqrt(mean square of the result + epsilon). Scale,
/// bias and activation follow.
fn mean_variance_normalization(call: &Call, axes: &[usize], [centre, divide]: [bool; 2]) -> Written {
    let (x, epsilon, finish) = (call.numbers("InputTensor")?, call.float("Epsilon")?, activation(call)?);
    call.expect("OutputTensor", &x.sizes)?;
    let scale = laid_over(call, "ScaleTensor", &x.sizes)?;
    let bias = laid_over(call, "BiasTensor", &x.sizes)?;
    let shape: Vec<usize> = x.sizes.iter().enumerate().map(|(d, &n)| if axes.contains(&d) { 1 } else { n }).collect();
    let (mut mean, count) = sums(&x, &shape, |at| x.data[at]);
    mean.data.iter_mut().for_each(|sum| *sum = if centre { *sum / count } else { 0.0 });
    let distances = Dense { sizes: x.sizes.clone(), data: each(&x, |index, x| x - mean.at(index)) };
    let (squares, count) = sums(&x, &shape, |at| distances.data[at] * distances.data[at]);
    let found = each(&distances, |index, distance| {
        let mut y = if divide { distance / (squares.at(index) / count + epsilon).sqrt() } else { distance };
        y = scale.as_ref().map_or(y, |scale| y * scale.at(index));
        finish(bias.as_ref().map_or(y, |bias| y + bias.at(index)))
    });
    Ok(vec![call.put("OutputTensor", &found)?])
}

/// Divides by the norm along the axis, or by epsilon if the norm is smaller.
fn lp_normalization(call: &Call) -> Written {
    let x = call.numbers("InputTensor")?;
    let (axis, epsilon, p) = (call.axis("Axis", x.sizes.len())?, call.float("Epsilon")?, call.uint("P")?);
    if ![1, 2].contains(&p) {
        return wrong("P", format!("is {p}, expected 1 or 2"));
    }
    let mut shape = x.sizes.clone();
    shape[axis] = 1;
    let (norms, _) = sums(&x, &shape, |at| if p == 1 { x.data[at].abs() } else { x.data[at] * x.data[at] });
    let root = |sum: f64| if p == 1 { sum } else { sum.sqrt() };
    let found = each(&x, |index, x| {
        // The comparison keeps a norm that is NaN.
        let norm = root(norms.at(index));
        let norm = if norm < epsilon { epsilon } else { norm };
        // Without an epsilon, zeros stay zeros.
        if norm == 0.0 { x } else { x / norm }
    });
    Ok(vec![call.put("OutputTensor", &found)?])
}

/// Returns the range of the region around an element. If the size is even, one more element lies after the element than
/// before it.
fn region(at: usize, extent: usize, size: usize) -> std::ops::RangeInclusive<usize> {
    let (before, after) = ((size - 1) / 2, size / 2);
    at.saturating_sub(before)..=(at + after).min(extent - 1)
}

/// Computes bias + alpha / elements * sum for each element: `sum` is the sum of the squares in the element's region,
/// and `elements` the number of elements in a complete region. Also returns `CrossChannel` and `LocalSize`. The region
/// extends over channels, or over the last two dimensions.
fn response(call: &Call, x: &Dense) -> Result<(Vec<f64>, bool, usize), Stop> {
    let (across, size) = (call.bool("CrossChannel")?, call.uint("LocalSize")?);
    let (alpha, bias) = (call.float("Alpha")?, call.float("Bias")?);
    if size == 0 {
        return wrong("LocalSize", "must be at least 1");
    }
    let elements = if across { size as f64 } else { (size as f64) * (size as f64) };
    let found = each(x, |index, _| {
        let mut sum = 0.0;
        neighbours(index, &x.sizes, across, size, |at| sum += x.at(at) * x.at(at));
        bias + alpha / elements * sum
    });
    Ok((found, across, size))
}

/// Calls `visit` with the index of every element in the region around an index.
fn neighbours(index: &[usize], sizes: &[usize], across: bool, size: usize, mut visit: impl FnMut(&[usize])) {
    let &[n, c, h, w] = index else { return };
    match across {
        true => region(c, sizes[1], size).for_each(|c| visit(&[n, c, h, w])),
        false => region(h, sizes[2], size).for_each(|h| region(w, sizes[3], size).for_each(|w| visit(&[n, c, h, w]))),
    }
}

fn local_response_normalization(call: &Call) -> Written {
    let (x, beta) = (call.numbers("InputTensor")?, call.float("Beta")?);
    let (response, ..) = response(call, &x)?;
    let found: Vec<f64> = x.data.iter().zip(response).map(|(x, response)| x / response.powf(beta)).collect();
    Ok(vec![call.put("OutputTensor", &found)?])
}

/// Computes the gradient. Each element contributes to the results of all elements that have it in their region.
fn local_response_normalization_grad(call: &Call) -> Written {
    let (x, gradient) = (call.numbers("InputTensor")?, call.numbers("InputGradientTensor")?);
    let (beta, alpha) = (call.float("Beta")?, call.float("Alpha")?);
    let (response, across, size) = response(call, &x)?;
    let elements = if across { size as f64 } else { (size as f64) * (size as f64) };
    let mut found: Vec<f64> = gradient.data.iter().zip(&response).map(|(g, r)| g * r.powf(-beta)).collect();
    let mut at = 0;
    indices(&x.sizes, |index| {
        let part = -2.0 * alpha / elements * beta * gradient.data[at] * x.data[at] * response[at].powf(-beta - 1.0);
        neighbours(index, &x.sizes, across, size, |other| found[x.place(other)] += part * x.at(other));
        at += 1;
    });
    Ok(vec![call.put("OutputGradientTensor", &found)?])
}
