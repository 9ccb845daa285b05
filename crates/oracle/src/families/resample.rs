//! Resize and Upsample: where an element of the output lies in the input, and which value is taken there.
//!
//! Both operators have these rules, except for the last one, which only Resize has:
//!
//! - `position-rounding`: the result where a position is so near a jump that roundings decide on which side it lies.
//! - `integer-rounding`: how a result becomes an integer.
//! - `infinity-with-zero-weight`: the result for an infinity or NaN with a weight of zero.
//! - `non-real-types`: the result for types with elements that have no average.
//! - `intermediate-overflow`: the result for sums that overflow on the way.

use super::interpolate::{Filter, Labels, Taps, float, halved, quotient, remains_finite, weighted, working};
use crate::prelude::*;
use crate::steps;

/// How positions are computed. The variants have the names of `coordinate_transformation_mode`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Transform {
    HalfPixel,
    HalfPixelSymmetric,
    PytorchHalfPixel,
    AlignCorners,
    Asymmetric,
    TfHalfPixelForNn,
    TfCropAndResize,
}

/// How a position becomes a whole number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Nearest {
    RoundPreferFloor,
    RoundPreferCeil,
    Floor,
    Ceil,
    /// Up if the output has fewer elements than the input, down otherwise. The cases published for Resize-10 do this.
    CeilWhenShrinking,
}

/// How the value at a position is taken.
#[derive(Clone, Copy, Debug, PartialEq)]
#[allow(missing_docs)]
pub enum Sampling {
    Nearest(Nearest),
    Weighted { filter: Filter, antialias: bool, exclude_outside: bool },
}

/// An axis that is resized.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Axis {
    /// The extent of the input.
    pub from: usize,
    /// The extent of the output.
    pub to: usize,
    /// The scale as a fraction: numerator and denominator.
    pub scale: (f64, f64),
    /// The number that the formulas call the length of the resized tensor.
    pub length: f64,
    /// The beginning and the end of the region of interest.
    pub roi: (f64, f64),
    /// With aligned corners, the position of an element of the output that is the only one along the axis.
    pub corner: f64,
}

/// One reading (interpretation) of the specification.
#[derive(Clone, Debug, PartialEq)]
pub struct Reading {
    /// How positions are computed.
    pub transform: Transform,
    /// How the value at a position is taken.
    pub sampling: Sampling,
    /// All axes of the input.
    pub axes: Vec<Axis>,
    /// The rule that leaves open whether the specification means this reading. The preferred reading does not need it.
    pub label: Label,
}

/// A position in the input.
#[derive(Clone, Copy, Debug)]
struct Position {
    at: Real,
    /// With `tf_crop_and_resize`, whether the exact position lies outside of the input; false with other transforms.
    outside: bool,
    /// Whether roundings decide on `outside`.
    unsure: bool,
}

impl Axis {
    /// Returns an axis that is scaled by the ratio of its extents.
    pub fn of_lengths(from: usize, to: usize) -> Axis {
        Axis { from, to, scale: (to as f64, from as f64), length: to as f64, roi: (0.0, 1.0), corner: 0.0 }
    }

    /// Computes `x / scale`. An implementation divides, or multiplies by the rounded reciprocal of the scale.
    fn unscaled(&self, x: f64, working: DType) -> Real {
        let (above, below) = self.scale;
        let of = |value: f64| Real::constant(value, working);
        let divided = Real { mid: x * below / above, ..quotient(of(x), of(above / below).widened(0.5)) };
        let stored = |value: f64| of(value).nearest().mid;
        let multiplied = |factor: f64| of(stored(x * stored(factor)));
        divided.hull(multiplied(1.0 / stored(above / below))).hull(multiplied(below / above))
    }

    /// Returns the position of an element of the output. `smooth` says that the value changes only slightly with the
    /// position. An implementation may then also divide by a rounded `(length - 1) / size`, as DirectML does.
    fn position(&self, x: usize, transform: Transform, smooth: bool, working: DType) -> Position {
        let x = x as f64;
        let last = self.from as f64 - 1.0;
        let of = |value: f64| Real::constant(value, working);
        let half = of(0.5);
        let unscaled = |x: f64| self.unscaled(x, working);
        let at = match transform {
            Transform::HalfPixel => unscaled(x + 0.5).minus(half),
            Transform::PytorchHalfPixel if self.to > 1 => unscaled(x + 0.5).minus(half),
            Transform::PytorchHalfPixel => of(0.0),
            Transform::Asymmetric => unscaled(x),
            Transform::TfHalfPixelForNn => unscaled(x + 0.5),
            Transform::HalfPixelSymmetric => self.symmetric(x, working),
            Transform::AlignCorners if self.length == 1.0 => of(self.corner),
            Transform::AlignCorners => steps(x, of(last), self.length, smooth),
            Transform::TfCropAndResize => self.cropped(x, smooth, working),
        };
        let (low, mid, high) =
            (at.low < 0.0 || at.high > last, at.mid < 0.0 || at.mid > last, at.high < 0.0 || at.low > last);
        let cropping = transform == Transform::TfCropAndResize;
        Position { at, outside: cropping && mid, unsure: cropping && low != high }
    }

    /// Returns the half-pixel position in an output with a fractional length; input and output have the same centre.
    fn symmetric(&self, x: f64, working: DType) -> Real {
        let (above, below) = self.scale;
        let (from, to) = (self.from as f64, self.to as f64);
        let of = |value: f64| Real::constant(value, working);
        let width = of(above / below).widened(0.5).times(of(from));
        let adjustment = quotient(of(to), width);
        let offset = of(from / 2.0).times(of(1.0).minus(adjustment));
        let at = offset.plus(self.unscaled(x + 0.5, working)).minus(of(0.5));
        let whole = above * from == to * below;
        let exact = if whole {
            x * below / above + 0.5 * below / above - 0.5
        } else {
            (from - 1.0) / 2.0 + (x + 0.5 - to / 2.0) * below / above
        };
        Real { mid: exact, low: at.low.min(exact), high: at.high.max(exact), ..at }
    }

    /// Returns the position in the region of interest.
    fn cropped(&self, x: f64, smooth: bool, working: DType) -> Real {
        let last = self.from as f64 - 1.0;
        let (start, end) = self.roi;
        let of = |value: f64| Real::constant(value, working);
        let rounded = |x: f64| of(x).widened(0.5);
        let (first, size) = (rounded(start).times(of(last)), rounded(end).minus(rounded(start)).times(of(last)));
        if self.length == 1.0 {
            let at = rounded(start).plus(rounded(end)).times(of(0.5)).times(of(last));
            let centre = first.plus(size.times(of(0.5)));
            return Real { mid: 0.5 * (start + end) * last, ..at.hull(centre) };
        }
        let at = first.plus(steps(x, size, self.length, smooth));
        // The numerator is exact if the region is given as floats.
        let exact = (start * last * (self.length - 1.0) + x * (end - start) * last) / (self.length - 1.0);
        Real { mid: exact, low: at.low.min(exact), high: at.high.max(exact), ..at }
    }
}

/// Computes `x * size / (length - 1)` in either order. With `inverted`, also computes `x / ((length - 1) / size)`.
fn steps(x: f64, size: Real, length: f64, inverted: bool) -> Real {
    let of = |value: f64| Real::constant(value, size.dtype);
    let gaps = of(length - 1.0).widened(0.5);
    let divided = quotient(of(x).times(size), gaps);
    let stored = |value: f64| of(value).nearest().mid;
    let multiplied = match size.is_point() {
        true => of(stored(x * stored(size.mid / (length - 1.0)))),
        false => of(x).times(quotient(size, gaps)),
    };
    let mut whole = divided.hull(multiplied);
    if inverted && size.low > 0.0 {
        whole = whole.hull(quotient(of(x), quotient(gaps, size)));
    }
    Real { mid: x * size.mid / (length - 1.0), ..whole }
}

impl Nearest {
    /// Returns the elements to which a position may be rounded, the preferred one first. For an element outside of the
    /// axis, the nearest element inside is taken.
    fn elements(self, at: Real, axis: &Axis) -> Vec<usize> {
        let half = float(0.5);
        let extent = axis.from;
        let shrinking = axis.scale.0 < axis.scale.1;
        let whole = match self {
            Nearest::Ceil => at.stepped(libm::ceil),
            Nearest::CeilWhenShrinking if shrinking => at.stepped(libm::ceil),
            Nearest::Floor | Nearest::CeilWhenShrinking => at.stepped(libm::floor),
            Nearest::RoundPreferFloor => at.minus(half).stepped(libm::ceil),
            Nearest::RoundPreferCeil => at.plus(half).stepped(libm::floor),
        };
        let inside = |x: f64| x.clamp(0.0, extent as f64 - 1.0) as usize;
        let preferred = inside(whole.mid);
        let others = (inside(whole.low)..=inside(whole.high)).filter(|&i| i != preferred);
        std::iter::once(preferred).chain(others).collect()
    }
}

/// Returns the neighbours of a position and their weights. A neighbour outside of the axis counts as the nearest
/// element inside; with `exclude_outside`, its weight is zero. Neighbours with a weight of zero are left out only if
/// all elements and their sums are `finite`.
fn taps(axis: &Axis, at: Real, filter: Filter, antialias: bool, exclude_outside: bool, finite: bool) -> Taps {
    let (above, below) = axis.scale;
    let of = |value: f64| Real::constant(value, at.dtype);
    // The filter is stretched if the scale is less than 1.
    let stretch = if antialias && above < below { of(above / below).widened(0.5) } else { of(1.0) };
    let reach = filter.support() / stretch.low;
    let last = axis.from as i64 - 1;
    let mut taps: Taps = Vec::new();
    for i in (at.low - reach).ceil() as i64..=(at.high + reach).floor() as i64 {
        steps::take(1);
        let distance = at.neg().plus(of(i as f64));
        let distance = if stretch.low == 1.0 { distance } else { distance.times(stretch) };
        let excluded = exclude_outside && !(0..=last).contains(&i);
        let weight = if excluded { of(0.0) } else { filter.weight(distance) };
        if finite && weight.low == 0.0 && weight.high == 0.0 {
            continue;
        }
        taps.push((i.clamp(0, last) as usize, weight));
    }
    // In linear interpolation, an implementation may move a position outside of the axis to the end of the axis before
    // it looks at the neighbours. The average is the same, but one more element has a weight of zero.
    if filter == Filter::Linear && !finite && !antialias && !exclude_outside {
        let beside = [(at.low < 0.0, 1.min(last)), (at.high > last as f64, (last - 1).max(0))];
        taps.extend(beside.iter().filter(|(moved, _)| *moved).map(|&(_, i)| (i as usize, of(0.0))));
    }
    let total = taps.iter().fold(of(0.0), |sum, (_, weight)| sum.plus(*weight));
    if (antialias || exclude_outside) && !(total.low == 1.0 && total.high == 1.0) {
        taps.iter_mut().for_each(|(_, weight)| *weight = weight.over(total));
    }
    taps
}

/// The positions along each axis in one reading, and for each position the elements or the taps that are taken there.
struct Samples {
    positions: Vec<Vec<Position>>,
    elements: Vec<Vec<Vec<usize>>>,
    taps: Vec<Vec<Taps>>,
}

impl Reading {
    fn samples(&self, finite: bool, working: DType) -> Samples {
        let smooth = matches!(self.sampling, Sampling::Weighted { .. });
        let position = |axis: &Axis, x| axis.position(x, self.transform, smooth, working);
        let of = |axis: &Axis| -> Vec<Position> { (0..axis.to).map(|x| position(axis, x)).collect() };
        let positions: Vec<Vec<Position>> = self.axes.iter().map(of).collect();
        let (mut elements, mut all_taps) = (vec![], vec![]);
        for (axis, positions) in self.axes.iter().zip(&positions) {
            match self.sampling {
                Sampling::Nearest(nearest) => {
                    elements.push(positions.iter().map(|p| nearest.elements(p.at, axis)).collect());
                }
                Sampling::Weighted { filter, antialias, exclude_outside } => {
                    all_taps.push(
                        positions
                            .iter()
                            .map(|p| taps(axis, p.at, filter, antialias, exclude_outside, finite))
                            .collect(),
                    );
                }
            }
        }
        Samples { positions, elements, taps: all_taps }
    }
}

impl Samples {
    /// Returns whether an element of the output gets the fill value, because its position lies outside of the input,
    /// and whether roundings decide on this.
    fn outside(&self, at: &[usize]) -> (bool, bool) {
        let here = || at.iter().zip(&self.positions).map(|(&x, positions)| positions[x]);
        let certainly = here().any(|p| p.outside && !p.unsure);
        (here().any(|p| p.outside), !certainly && here().any(|p| p.unsure))
    }

    /// Returns the elements of the input that may be taken, the preferred one first.
    fn sources(&self, at: &[usize], steps: &[usize]) -> Vec<usize> {
        let mut sources = vec![0];
        for ((&x, elements), step) in at.iter().zip(&self.elements).zip(steps) {
            let here = &elements[x];
            sources = here.iter().flat_map(|i| sources.iter().map(move |s| s + i * step)).collect();
        }
        sources
    }
}

/// Resizes `data` by the first reading. If another reading gives another result, its label leaves the result open.
/// `fill` has one element: with `tf_crop_and_resize`, the value at positions outside of the input.
pub fn resample(data: &Expected, readings: &[Reading], fill: Option<Expected>) -> Result<Expected, Refusal> {
    let Some(first) = readings.first() else { return Err(Refusal::failed("no reading is given for resampling")) };
    let shape: Vec<usize> = first.axes.iter().map(|a| a.to).collect();
    let count = shape::affordable(&shape)?;
    let weighted_ = matches!(first.sampling, Sampling::Weighted { .. });
    let finite = weighted_
        && data.numbers().all(|x| {
            let ends = if x.is_point() { [x.mid(); 2] } else { [x.widest().low, x.widest().high] };
            ends.into_iter().all(|end| remains_finite(end, data.dtype())) && !x.may_be_nan()
        });
    let working = if weighted_ { working(data.dtype()) } else { DType::Float };
    let all = || readings.iter().map(|r| r.samples(finite, working)).collect();
    let samples: Vec<Samples> = if count == 0 { vec![] } else { all() };
    if !weighted_ {
        let labels: Vec<Label> = readings.iter().map(|r| r.label).collect();
        return nearest(data, shape, &samples, &labels, fill);
    }
    let steps = shape::strides(data.shape());
    let resizes = data.shape() != shape;
    let fill = fill.map(|fill| fill.number(0));
    let labels = Labels {
        zero_weight: rule::INFINITY_WITH_ZERO_WEIGHT,
        overflow: rule::INTERMEDIATE_OVERFLOW,
        fractions: Some(rule::INTEGER_ROUNDING),
        beyond: rule::INTEGER_ROUNDING,
    };
    let number = |samples: &Samples, at: &[usize]| {
        let (outside, unsure) = samples.outside(at);
        let taps: Vec<&Taps> = at.iter().zip(&samples.taps).map(|(&x, taps)| &taps[x]).collect();
        let inside = || {
            let number = weighted(data, 0, &taps, &steps, labels);
            if resizes { halved(number, &taps, data) } else { number }
        };
        match (outside, fill) {
            (true, Some(fill)) if unsure => fill.or(inside(), rule::POSITION_ROUNDING),
            (true, Some(fill)) => fill,
            (false, Some(fill)) if unsure => inside().or(fill, rule::POSITION_ROUNDING),
            _ => inside(),
        }
    };
    let of_readings = |i: usize| {
        let at = shape::coordinates(i, &shape);
        let preferred = number(&samples[0], &at);
        let others = samples.iter().zip(readings).skip(1);
        others.fold(preferred, |all, (samples, reading)| all.or(number(samples, &at), reading.label))
    };
    let numbers: Vec<Number> = (0..count).map(of_readings).collect();
    Expected::from_numbers(data.dtype(), shape, numbers)
}

fn nearest(
    data: &Expected,
    shape: Vec<usize>,
    samples: &[Samples],
    labels: &[Label],
    fill: Option<Expected>,
) -> Result<Expected, Refusal> {
    let steps = shape::strides(data.shape());
    let count = if samples.is_empty() { 0 } else { shape::affordable(&shape)? };
    // The element of `fill` comes after those of the data.
    let beyond = data.len();
    let all = match &fill {
        Some(fill) => {
            Expected::assembled(vec![beyond + 1], &[data, fill], |i| if i < beyond { (0, i) } else { (1, 0) })?
        }
        None => data.clone(),
    };
    let extents = shape.clone();
    // The elements that a reading may take, the preferred one first.
    let taken = |samples: &Samples, i: usize| {
        let at = shape::coordinates(i, &extents);
        let (outside, unsure) = samples.outside(&at);
        let inside = samples.sources(&at, &steps);
        match (outside && fill.is_some(), unsure && fill.is_some()) {
            (true, true) => [vec![beyond], inside].concat(),
            (true, false) => vec![beyond],
            (false, true) => [inside, vec![beyond]].concat(),
            (false, false) => inside,
        }
    };
    let sources: Vec<Vec<usize>> = (0..count).map(|i| taken(&samples[0], i)).collect();
    let output = all.rearranged(shape, |i| sources[i][0])?;
    let output = match sources.iter().any(|s| s.len() > 1) {
        true => output.or_elements(rule::POSITION_ROUNDING, &all, |i| sources[i][1..].to_vec()),
        false => output,
    };
    let others = samples.iter().zip(labels).skip(1);
    Ok(others.fold(output, |output, (samples, &label)| output.or_elements(label, &all, |i| taken(samples, i))))
}
