//! RESAMPLE and its gradients.

use super::call::{Call, Run, Stop, Written, wrong};
use plumbline_cpu::kernels::scatter::indices;

pub const OPERATORS: &[(&str, Run)] = &[
    ("RESAMPLE", resample),
    ("RESAMPLE1", resample),
    ("RESAMPLE2", resample),
    ("RESAMPLE3", resample),
    ("RESAMPLE_GRAD", resample_grad),
    ("RESAMPLE_GRAD1", resample_grad),
];

/// Elements of an axis with their weights.
type Taps = Vec<(usize, f64)>;

/// Returns, for each dimension and each position along it in the tensor `sampled`, the elements of the tensor `whole`
/// that belong to this position, with their weights.
fn taps(call: &Call, whole: &str, sampled: &str) -> Result<Vec<Vec<Taps>>, Stop> {
    let (sizes, counts) = (call.sizes(whole)?, call.sizes(sampled)?);
    let rank = sizes.len();
    if counts.len() != rank {
        return wrong(sampled, format!("has {} dimensions, but {whole} has {rank}", counts.len()));
    }
    let scales = call.floats_of("Scales", rank)?;
    if scales.iter().any(|scale| !(*scale > 0.0 && scale.is_finite())) {
        return wrong("Scales", format!("is {scales:?}, expected positive and finite numbers"));
    }
    let offsets = |field: &str, centre: f64| match call.description.operator().field(field) {
        Some(_) => call.floats_of(field, rank),
        None => Ok(vec![centre; rank]),
    };
    let (input, output) = (offsets("InputPixelOffsets", 0.5)?, offsets("OutputPixelOffsets", -0.5)?);
    let nearest = call.uint("InterpolationMode")? == 0;
    // Operators without a rounding direction take the nearest element and round halves upward.
    let rounded: fn(f64) -> f64 = match call.description.uint("RoundingDirection") {
        Some(0) => f64::ceil,
        Some(_) => f64::floor,
        None => |place| (place + 0.5).floor(),
    };
    let antialiased = call.description.uint("Antialiased") == Some(1);
    let along = |d: usize| {
        let taps = |at: usize| {
            let place = (at as f64 - output[d]) / scales[d] - input[d];
            let last = sizes[d] as f64 - 1.0;
            let inside = |place: f64| place.clamp(0.0, last) as usize;
            match nearest {
                true => vec![(inside(rounded(place)), 1.0)],
                // The filter applies if the axis shrinks to less than half.
                false if antialiased && scales[d] < 0.5 => widened(place, scales[d], sizes[d]),
                false => {
                    let low = place.floor();
                    vec![(inside(low), 1.0 - (place - low)), (inside(low + 1.0), place - low)]
                }
            }
        };
        (0..counts[d]).map(taps).collect()
    };
    Ok((0..rank).map(along).collect())
}

/// Returns the weights of the antialiasing filter: a triangle that is `1 / scale` wide to each side, over the existing
/// elements. If none of them lies under the triangle, the nearest one has the whole weight.
fn widened(place: f64, scale: f64, size: usize) -> Taps {
    let reach = 1.0 / scale;
    let first = (place - reach).floor().max(0.0) as usize;
    let last = ((place + reach).ceil().max(0.0) as usize).min(size - 1);
    let weight = |at: usize| (1.0 - (place - at as f64).abs() * scale).max(0.0);
    let sum: f64 = (first.min(last)..=last).map(weight).sum();
    match sum > 0.0 {
        true => (first.min(last)..=last).map(|at| (at, weight(at) / sum)).collect(),
        false => vec![(place.round().clamp(0.0, size as f64 - 1.0) as usize, 1.0)],
    }
}

/// Calls `visit` with every pair of an element of the sampled tensor and an element of the whole one, and with the
/// pair's weight. Pairs of weight 0 are left out.
fn each(taps: &[Vec<Taps>], sizes: &[usize], counts: &[usize], mut visit: impl FnMut(usize, usize, f64)) {
    let mut number = 0;
    indices(counts, |index| {
        let mut found = vec![(0, 1.0)];
        for (d, &at) in index.iter().enumerate() {
            let along = &taps[d][at];
            found = found
                .iter()
                .flat_map(|&(place, w): &(usize, f64)| along.iter().map(move |&(i, v)| (place * sizes[d] + i, w * v)))
                .collect();
        }
        found.into_iter().filter(|(_, weight)| *weight != 0.0).for_each(|(place, weight)| visit(number, place, weight));
        number += 1;
    });
}

fn resample(call: &Call) -> Written {
    let taps = taps(call, "InputTensor", "OutputTensor")?;
    let (x, counts) = (call.numbers("InputTensor")?, call.sizes("OutputTensor")?);
    // Each sum starts at -0.0, so that it stays -0.0 if all its terms are -0.0.
    let mut found = vec![-0.0; counts.iter().product()];
    each(&taps, &x.sizes, &counts, |at, place, weight| found[at] += weight * x.data[place]);
    if !call.dtype("OutputTensor")?.is_float() {
        found.iter_mut().for_each(|x| *x = x.round_ties_even());
    }
    Ok(vec![call.put("OutputTensor", &found)?])
}

fn resample_grad(call: &Call) -> Written {
    let taps = taps(call, "OutputGradientTensor", "InputGradientTensor")?;
    let (gradient, sizes) = (call.numbers("InputGradientTensor")?, call.sizes("OutputGradientTensor")?);
    let mut found = vec![0.0; sizes.iter().product()];
    each(&taps, &sizes, &gradient.sizes, |at, place, weight| found[place] += weight * gradient.data[at]);
    Ok(vec![call.put("OutputGradientTensor", &found)?])
}
