use crate::families::cosine_window::{in_type, output_dtype};
use crate::families::interpolate::working;
use crate::prelude::*;

/// Computes a matrix that maps the bins of a spectrum to bands: triangles that are evenly spaced on the mel scale, each
/// with its peak on a bin.
///
/// The only version is 17. Constraints: the edges of the bands (`edges-in-order`) and the output type
/// (`output-datatype-allowed`). The bins on which the corners of the triangles lie: `bin-positions`; integer output:
/// `integer-rounding`; sizes that are not positive: `non-positive-sizes`.
pub fn mel_weight_matrix(call: &Call) -> Answer {
    let positive = |name: &str| {
        let (values, is_scalar) = (call.ints(name)?, call.tensor(name)?.rank() == 0);
        let value = if let [value] = values[..] { usize::try_from(value).ok() } else { None };
        value.filter(|&value| value > 0 && is_scalar).ok_or_else(|| {
            Refusal::leaves_open(
                rule::NON_POSITIVE_SIZES,
                format!("`{name}` is {values:?}, expected a positive scalar"),
            )
        })
    };
    let (bins, length, rate) = (positive("num_mel_bins")?, positive("dft_length")?, positive("sample_rate")?);
    let (lower, upper) = (edge(call, "lower_edge_hertz")?, edge(call, "upper_edge_hertz")?);
    if !(0.0 <= lower && lower <= upper && upper.is_finite()) {
        return Err(Refusal::violates(
            rule::EDGES_IN_ORDER,
            format!("the edges are {lower} and {upper}, expected finite numbers of 0 or more in ascending order"),
        ));
    }
    let dtype = output_dtype(call, "T3", rule::OUTPUT_DATATYPE_ALLOWED)?;
    let rows = length / 2 + 1;
    let count = shape::affordable(&[rows, bins])?;
    shape::affordable(&[bins.saturating_add(2)])?;
    let spectrum = Spectrum { length: length as f64, rate: rate as f64, low: mel(lower), high: mel(upper) };
    let all: Vec<Vec<usize>> = Placing::all().into_iter().map(|placing| spectrum.corners(bins, placing)).collect();
    let mut different: Vec<&Vec<usize>> = Vec::new();
    all.iter().for_each(|corners| {
        if !different.contains(&corners) {
            different.push(corners)
        }
    });
    let corners = match different.len() {
        1 => &all[0],
        count => different[call.reading(rule::BIN_POSITIONS, count)],
    };
    let weight = |row: usize, band: usize| {
        let [left, peak, right] = [corners[band], corners[band + 1], corners[band + 2]];
        match row {
            _ if row == peak => 1.0,
            _ if (left..peak).contains(&row) => (row - left) as f64 / (peak - left) as f64,
            _ if (peak..right).contains(&row) => (right - row) as f64 / (right - peak) as f64,
            _ => 0.0,
        }
    };
    let element = |i: usize| {
        let exact = Real::constant(weight(i / bins, i % bins), working(dtype));
        in_type(if exact.mid.fract() == 0.0 { exact } else { exact.widened(1.0).within(0.0, 1.0) }, dtype)
    };
    call.answer_as(dtype, vec![rows, bins], (0..count).map(element))
}

/// One way to place the corners of the triangles (`bin-positions`).
#[derive(Clone, Copy)]
struct Placing {
    /// The number of steps between the edges, minus the number of bands: 2 in the published case, 1 if the last corner
    /// lies on the upper edge.
    beside: usize,
    /// The number that is added to the length of the transform: 1 in the published case.
    more: f64,
    /// The number that is added to a position before it is rounded down: 0 in the published case, one half to round to
    /// the nearest bin, or a small number of either sign, which stands for a rounding error in float.
    shift: f64,
}

impl Placing {
    /// Returns all placings, with that of the published case first.
    fn all() -> Vec<Placing> {
        const ERROR: f64 = 1e-4;
        let mut all = Vec::new();
        for shift in [0.0, -ERROR, ERROR, 0.5] {
            for beside in [2, 1] {
                all.extend([1.0, 0.0].map(|more| Placing { beside, more, shift }));
            }
        }
        all
    }
}

/// A spectrum, with the edges of the bands on the mel scale.
struct Spectrum {
    length: f64,
    rate: f64,
    low: f64,
    high: f64,
}

impl Spectrum {
    /// Returns the bin of each corner. There are two more corners than bands.
    fn corners(&self, bands: usize, placing: Placing) -> Vec<usize> {
        let step = (self.high - self.low) / (bands + placing.beside) as f64;
        let bin = |i: usize| {
            let hertz = 700.0 * (libm::pow(10.0, (self.low + i as f64 * step) / 2595.0) - 1.0);
            ((self.length + placing.more) * hertz / self.rate + placing.shift).floor() as usize
        };
        (0..bands + 2).map(bin).collect()
    }
}

/// Converts a frequency to the mel scale.
fn mel(hertz: f64) -> f64 {
    2595.0 * libm::log10(1.0 + hertz / 700.0)
}

fn edge(call: &Call, name: &str) -> Result<f64, Refusal> {
    let tensor = call.tensor(name)?;
    if tensor.len() != 1 {
        return Err(Refusal::violates(
            rule::EDGES_IN_ORDER,
            format!("`{name}` has {} elements, expected one", tensor.len()),
        ));
    }
    if !tensor.is_certain() {
        return Err(Refusal::unsupported(format!(
            "input `{name}` decides what is computed, but the oracle accepts more than one value for it"
        )));
    }
    Ok(tensor.number(0).mid())
}
