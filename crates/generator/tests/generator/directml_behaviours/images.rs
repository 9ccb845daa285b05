//! Behaviours of ROI_POOLING and of the operators that resample. All results are computed here by the formulas of the pages.

use serde_json::json;

use super::accepted::{self, Probe, each, float32, readings};
use super::not_drawn::{self, fill, index_of};
use super::{Situation, first};

pub(super) const NOT_DRAWN: &[not_drawn::Entry] = &[
    not_drawn::entry(
        &["ROI_POOLING"],
        "halves",
        |s| {
            let corners = s.data("ROITensor").chunks(5).flat_map(|region| &region[1..]);
            corners.into_iter().any(|corner| (corner * s.number("SpatialScale")).rem_euclid(1.0) == 0.5)
        },
        |s| fill(s, "ROITensor", 0.5 / s.number("SpatialScale")),
    ),
    not_drawn::entry(
        &["ROI_POOLING"],
        "parts-beyond-the-input",
        |s| sides(s).iter().any(|side| side.parts > 1 && (side.low < 0.0 || side.high >= side.size as f64)),
        |s| fill(s, "ROITensor", -8.0),
    ),
    not_drawn::entry(
        &["ROI_POOLING"],
        "part-without-elements",
        |s| sides(s).iter().any(|side| (0..side.parts).any(|part| side.elements(part, WHOLE).is_empty())),
        |s| fill(s, "ROITensor", 1e4),
    ),
    not_drawn::entry(
        &["ROI_POOLING"],
        "batch-out-of-range",
        |s| {
            let batches = s.sizes("InputTensor")[0];
            s.data("ROITensor").chunks(5).any(|region| (0..batches).all(|batch| batch as f64 != region[0]))
        },
        |s| fill(s, "ROITensor", 100.0),
    ),
    not_drawn::entry(
        &["RESAMPLE", "RESAMPLE1", "RESAMPLE2", "RESAMPLE3"],
        "mean-of-integers",
        |s| s.is("InterpolationMode", "_LINEAR") && !s.type_of("InputTensor").is_some_and(|t| t.is_float()),
        |s| s.desc["InterpolationMode"] = json!("DML_INTERPOLATION_MODE_LINEAR"),
    ),
    not_drawn::entry(
        &["RESAMPLE3"],
        "filter-beyond-the-edges",
        |s| {
            let (whole, sampled) = (s.sizes("InputTensor"), s.sizes("OutputTensor"));
            is_antialiased(s)
                && (0..whole.len()).filter(|&d| s.list("Scales")[d] < 0.5).any(|d| {
                    let reach = 1.0 / s.list("Scales")[d];
                    let mut positions = (0..sampled[d]).map(|at| position(s, d, at));
                    positions.any(|position| position + 1.0 < reach || whole[d] as f64 - position < reach)
                })
        },
        |s| shrink(s, 0.25),
    ),
    not_drawn::entry(
        &["RESAMPLE3"],
        "small-stretch",
        |s| is_antialiased(s) && s.list("Scales").iter().any(|scale| (0.5..1.0).contains(scale)),
        |s| shrink(s, 0.75),
    ),
];

pub(super) const ACCEPTED: &[accepted::Entry] = &[
    accepted::entry(&["ROI_POOLING"], "quotients", |operator| {
        read_as(operator, |s| pooled(s, Division { of_reals: true, ..WHOLE }))
    }),
    accepted::entry(&["ROI_POOLING"], "end-of-part", |operator| {
        read_as(operator, |s| pooled(s, Division { includes_end: true, ..WHOLE }))
    }),
    accepted::entry(&["RESAMPLE3"], "scales-of-dimensions", |operator| {
        let has_both = |s: &Situation| {
            let scales = s.list("Scales");
            is_antialiased(s) && scales.iter().any(|&scale| scale < 0.5) && scales.iter().any(|&scale| scale >= 1.0)
        };
        let case = float32(operator, |s| has_both(s) && resampled(s, true) != resampled(s, false));
        readings(case, |s| resampled(s, true), |s| resampled(s, false))
    }),
];

/// Returns the first case of ROI_POOLING for which another reading of its page gives another result.
fn read_as(operator: &str, other: impl Fn(&Situation) -> Vec<f64>) -> Vec<Probe> {
    let case = first(operator, |_, s| pooled(s, WHOLE) != other(s));
    readings(case, |s| pooled(s, WHOLE), other)
}

/// How a region is divided into parts.
#[derive(Clone, Copy)]
struct Division {
    /// Whether the quotients may have fractions.
    of_reals: bool,
    /// Whether the end of a part belongs to it.
    includes_end: bool,
}

const WHOLE: Division = Division { of_reals: false, includes_end: false };

/// A side of a region: its first and last coordinate, the parts that it is divided into, and the size of the input.
struct Side {
    low: f64,
    high: f64,
    parts: usize,
    size: usize,
}

impl Side {
    /// Returns the elements of the input that belong to a part.
    fn elements(&self, part: usize, division: Division) -> std::ops::Range<usize> {
        let (length, parts) = (self.high - self.low + 1.0, self.parts as f64);
        let (start, end) = (part as f64 * length / parts, ((part as f64 + 1.0) * length + parts - 1.0) / parts);
        let (start, mut end) =
            if division.of_reals { (start.ceil(), end.ceil()) } else { (start.floor(), end.floor()) };
        if division.includes_end {
            end += 1.0;
        }
        let inside = |place: f64| (place + self.low).clamp(0.0, self.size as f64) as usize;
        inside(start)..inside(end)
    }
}

/// Returns the vertical and the horizontal side of each region.
fn sides(s: &Situation) -> Vec<Side> {
    let (input, output) = (s.sizes("InputTensor"), s.sizes("OutputTensor"));
    let side = |region: &[f64], first: usize, d: usize| {
        let corner = |at: usize| (region[at] * s.number("SpatialScale")).round();
        Side { low: corner(first), high: corner(first + 2), parts: output[d], size: input[d] }
    };
    s.data("ROITensor").chunks(5).flat_map(|region| [side(region, 2, 2), side(region, 1, 3)]).collect()
}

/// Returns the maxima of all parts of all regions.
fn pooled(s: &Situation, division: Division) -> Vec<f64> {
    let (input, sides) = (s.sizes("InputTensor"), sides(s));
    each(s, |index| {
        let batch = s.data("ROITensor")[index[0] * 5] as usize;
        let [rows, columns] = [0, 1].map(|d| sides[2 * index[0] + d].elements(index[2 + d], division));
        let plane = (batch * input[1] + index[1]) * input[2];
        let width = input[3];
        let places = rows.flat_map(|row| columns.clone().map(move |column| (plane + row) * width + column));
        places.map(|place| s.data("InputTensor")[place]).fold(f64::NEG_INFINITY, f64::max)
    })
}

fn is_antialiased(s: &Situation) -> bool {
    s.desc["Antialiased"] == true && s.is("InterpolationMode", "_LINEAR")
}

/// Gives all dimensions this scale, and an antialiased filter.
fn shrink(s: &mut Situation, scale: f64) {
    s.desc["Scales"].as_array_mut().unwrap().fill(json!(scale));
    (s.desc["Antialiased"], s.desc["InterpolationMode"]) = (json!(true), json!("DML_INTERPOLATION_MODE_LINEAR"));
}

/// Returns where a position of the output lies in the input.
fn position(s: &Situation, d: usize, at: usize) -> f64 {
    (at as f64 - s.list("OutputPixelOffsets")[d]) / s.list("Scales")[d] - s.list("InputPixelOffsets")[d]
}

/// Interpolates, where the filter is stretched along dimensions with a small scale, or nowhere.
fn resampled(s: &Situation, stretches: bool) -> Vec<f64> {
    let (sizes, scales) = (s.sizes("InputTensor"), s.list("Scales"));
    let weight = |d: usize, at: usize, element: usize| {
        let factor = if stretches && scales[d] < 0.5 { scales[d] } else { 1.0 };
        let distance = position(s, d, at).clamp(0.0, sizes[d] as f64 - 1.0) - element as f64;
        (1.0 - distance.abs() * factor).max(0.0) * factor
    };
    each(s, |index| {
        let elements = s.data("InputTensor").iter().enumerate();
        let weighted = elements.map(|(number, element)| {
            let place = index_of(number, &sizes);
            (0..sizes.len()).map(|d| weight(d, index[d], place[d])).product::<f64>() * element
        });
        weighted.sum()
    })
}
