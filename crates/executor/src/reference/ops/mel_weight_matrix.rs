use crate::reference::families::window::{in_type, output_dtype, scalar};
use crate::reference::prelude::*;

/// MelWeightMatrix-17: triangles over the bins of a spectrum, evenly spaced on the mel scale. Counts: C1; edges: C2; type: C3. Where triangles lie between the
/// bins, B1; integers: B2.
pub fn mel_weight_matrix(call: &Call) -> Answer {
    let positive = |name: &str| {
        let value = scalar(call, name, C1)?;
        usize::try_from(value).ok().filter(|&v| v > 0).ok_or_else(|| Refusal::violates(C1, format!("`{name}` is {value}")))
    };
    let (bins, length, rate) = (positive("num_mel_bins")?, positive("dft_length")?, positive("sample_rate")?);
    let (lower, upper) = (edge(call, "lower_edge_hertz")?, edge(call, "upper_edge_hertz")?);
    if !(0.0 <= lower && lower <= upper && upper.is_finite()) {
        return Err(Refusal::violates(C2, format!("edges {lower} and {upper}")));
    }
    let dtype = output_dtype(call, "T3", C3)?;
    let rows = length / 2 + 1;
    let count = shape::affordable(&[rows, bins])?;
    shape::affordable(&[bins.saturating_add(2)])?;
    let (low, high) = (mel(lower), mel(upper));
    let step = (high - low) / (bins + 2) as f64;
    let bin = |i: usize| {
        let hertz = 700.0 * (libm::pow(10.0, (low + i as f64 * step) / 2595.0) - 1.0);
        ((length + 1) as f64 * hertz / rate as f64).floor() as usize
    };
    let corners: Vec<usize> = (0..bins + 2).map(bin).collect();
    let weight = |row: usize, band: usize| {
        let [left, peak, right] = [corners[band], corners[band + 1], corners[band + 2]];
        match row {
            _ if row == peak => 1.0,
            _ if (left..peak).contains(&row) => (row - left) as f64 / (peak - left) as f64,
            _ if (peak..right).contains(&row) => (right - row) as f64 / (right - peak) as f64,
            _ => 0.0,
        }
    };
    // No triangle is higher than 1 or lower than 0.
    let open = |i: usize| {
        let exact = Real::constant(weight(i / bins, i % bins), DType::Float).widened(1.0);
        let number = in_type(exact.within(0.0, 1.0), dtype);
        match dtype.is_float() {
            true => number.allowing(Allowed::between(0.0, 1.0), B1),
            false => number.or(Number::int(1 - number.mid_int(), dtype), B1),
        }
    };
    call.answer_as(dtype, vec![rows, bins], (0..count).map(open))
}

/// The mel scale.
fn mel(hertz: f64) -> f64 {
    2595.0 * libm::log10(1.0 + hertz / 700.0)
}

fn edge(call: &Call, name: &str) -> Result<f64, Refusal> {
    let tensor = call.tensor(name)?;
    if tensor.len() != 1 {
        return Err(Refusal::violates(C2, format!("`{name}` has {} elements", tensor.len())));
    }
    if !tensor.is_certain() {
        return Err(Refusal::unsupported(format!("input `{name}` steers the operator and is not certain")));
    }
    Ok(tensor.number(0).mid())
}
