//! MelWeightMatrix, which maps a spectrum to bands of the mel scale.

use super::resize::{floats, from_floats};
use super::signal_windows::{length, output_type};
use crate::array::affordable;
use crate::node::{Node, Operator, Outputs, one};
use plumbline_graph::Refusal;

pub const OPERATORS: &[(&str, Operator)] = &[("MelWeightMatrix", mel_weight_matrix)];

fn edge(node: &Node, at: usize) -> Result<f64, Refusal> {
    match floats(node.input(at)?)?[..] {
        [hertz] if hertz >= 0.0 && hertz.is_finite() => Ok(hertz),
        _ => Err(Refusal::invalid(format!("input {at} is not a single finite frequency of 0 or more"))),
    }
}

/// Computes a triangle for each band over the bins of a spectrum. The corners of the triangles are evenly spaced on the
/// mel scale and rounded down to bins.
fn mel_weight_matrix(node: &Node) -> Outputs {
    let (bands, samples, rate) = (length(node.input(0)?)?, length(node.input(1)?)?, length(node.input(2)?)?);
    let (lower, upper) = (edge(node, 3)?, edge(node, 4)?);
    if lower > upper {
        return Err(Refusal::invalid(format!("the lower edge {lower} is above the upper edge {upper}")));
    }
    let shape = [samples / 2 + 1, bands];
    let mut out = vec![0.0; affordable(&shape)?];
    affordable(&[bands.saturating_add(2)])?;
    let mel = |hertz: f64| 2595.0 * (1.0 + hertz / 700.0).log10();
    let corner = |at: usize| {
        // The last of the `bands + 2` corners lies one step below the upper edge, as in the published case.
        let mel = mel(lower) + at as f64 * (mel(upper) - mel(lower)) / (bands + 2) as f64;
        let hertz = 700.0 * (10f64.powf(mel / 2595.0) - 1.0);
        ((samples as f64 + 1.0) * hertz / rate as f64).floor()
    };
    let corners: Vec<f64> = (0..bands + 2).map(corner).collect();
    for (bin, row) in out.chunks_mut(bands).enumerate() {
        for (weight, corners) in row.iter_mut().zip(corners.windows(3)) {
            let (left, peak, right, bin) = (corners[0], corners[1], corners[2], bin as f64);
            *weight = match bin {
                _ if bin == peak => 1.0,
                _ if left <= bin && bin < peak => (bin - left) / (peak - left),
                _ if peak < bin && bin < right => (right - bin) / (right - peak),
                _ => 0.0,
            };
        }
    }
    one(from_floats(output_type(node, "T3")?, &shape, &out)?)
}
