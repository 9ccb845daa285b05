//! Interpolation: what one way to take samples gives where the specification leaves several, weights, and weighted sums of neighbours.
//!
//! Positions and weights are computed in float or wider, whatever the type of the elements: the text gives formulas of real numbers, and scales,
//! regions and grids are floats.

use crate::reference::prelude::*;
use crate::reference::{Int, Latitude};

/// A constant of a position or weight.
pub fn float(value: f64) -> Real {
    Real::constant(value, DType::Float)
}

/// `a / b` of a position, correctly rounded: a position that is a whole number stays one.
pub fn quotient(a: Real, b: Real) -> Real {
    let all = [a.low / b.low, a.low / b.high, a.high / b.low, a.high / b.high];
    let (low, high) =
        (all.iter().copied().fold(f64::INFINITY, f64::min), all.iter().copied().fold(f64::NEG_INFINITY, f64::max));
    Real { low, mid: a.mid / b.mid, high, nan: false, ..a }.widened(0.5)
}

/// How far a sample weighs, by its distance.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Filter {
    /// `1 - |x|` up to 1.
    Linear,
    /// Keys' cubic convolution with this coefficient, up to 2.
    Cubic(f64),
}

impl Filter {
    /// The distance from which on nothing weighs.
    pub fn support(self) -> f64 {
        match self {
            Filter::Linear => 1.0,
            Filter::Cubic(_) => 2.0,
        }
    }

    /// The weight at a distance.
    pub fn weight(self, distance: Real) -> Real {
        let distance = distance.abs();
        match self {
            Filter::Linear if distance.low >= 1.0 => float(0.0),
            Filter::Linear => float(1.0).minus(distance).within(0.0, 1.0),
            Filter::Cubic(a) => keys(a, distance),
        }
    }
}

/// Keys' kernel (equation 4 of "Cubic convolution interpolation for digital image processing"), evaluated as a polynomial in some order.
fn keys(a: f64, distance: Real) -> Real {
    let near = |x: f64| ((a + 2.0) * x - (a + 3.0)) * x * x + 1.0;
    let far = |x: f64| ((a * x - 5.0 * a) * x + 8.0 * a) * x - 4.0 * a;
    let value = |x: f64| {
        if x <= 1.0 {
            near(x)
        } else if x < 2.0 {
            far(x)
        } else {
            0.0
        }
    };
    let mid = value(distance.mid);
    let point = distance.low == distance.high;
    if distance.low > 2.0 || point && exact_in_float(a, distance.mid) {
        return float(mid);
    }
    // Where the slope is steepest, and what the roundings of the steps come to, one after the other.
    let vertex = (a + 3.0) * (a + 3.0) / (3.0 * (a + 2.0)).abs().max(1e-3);
    let slope = a.abs().max(vertex);
    let x = distance.high;
    let steps = if x <= 1.0 {
        2.0 * (((a + 2.0).abs() * x + (a + 3.0).abs()) * x * x + 1.0)
    } else {
        1.25 * a.abs() * (((x + 5.0) * x + 8.0) * x + 4.0)
    };
    let reach = (distance.high - distance.mid).max(distance.mid - distance.low);
    let lost = reach * slope + UNIT * steps;
    Real { low: mid - lost, high: mid + lost, mid, ..float(mid) }
}

/// Whether no step of the polynomial is rounded: distances of a few bits, coefficients too.
fn exact_in_float(a: f64, x: f64) -> bool {
    (x * 64.0).fract() == 0.0 && (a * 16.0).fract() == 0.0 && a.abs() <= 4.0
}

/// Unit roundoff of float.
const UNIT: f64 = 5.960_464_477_539_063e-8;

/// Neighbours along one axis, with their weights.
pub type Taps = Vec<(usize, Real)>;

/// The sum of elements times their weights, one set of taps an axis, rounded to the type of `data`: any order, products rounded or not. `steps` are the
/// distances between neighbours of each axis. An infinity or NaN whose weight is zero, or may be: `zero_weight`. Integers: `integers`.
pub fn weighted(
    data: &Expected,
    start: usize,
    taps: &[&Taps],
    steps: &[usize],
    zero_weight: Label,
    integers: Label,
) -> Number {
    let dtype = data.dtype();
    let mut sum = Accumulator::new(if dtype.is_float() { dtype } else { DType::Float });
    let mut open = None;
    let (mut spoilt, mut terms, mut whole, mut largest) = (false, 0, None, 0.0f64);
    let count: usize = taps.iter().map(|t| t.len()).product();
    for mut at in 0..count {
        let (mut index, mut weight) = (start, None::<Real>);
        for (taps, step) in taps.iter().zip(steps).rev() {
            let (place, w) = taps[at % taps.len()];
            at /= taps.len();
            index += place * step;
            weight = Some(weight.map_or(w, |v| v.times(w)));
        }
        let (weight, x) = (weight.unwrap_or(float(1.0)), data.number(index));
        open = open.or(x.latitude.map(|l| l.label));
        let value = match x.kind {
            Kind::Real(x) => x,
            Kind::Int(_) => float(x.mid()).nearest().hull(float(x.mid())),
        };
        largest = largest.max(value.low.abs()).max(value.high.abs());
        let infinite = !value.low.is_finite() || !value.high.is_finite() || value.nan;
        if infinite && weight.low <= 0.0 && weight.high >= 0.0 {
            spoilt = true;
        } else if weight.low != 0.0 || weight.high != 0.0 {
            sum.add_product(weight, value);
            terms += 1;
            whole = (weight.low == 1.0 && weight.high == 1.0 && matches!(x.kind, Kind::Int(_))).then_some(x);
        }
    }
    // At the last element of an axis some take it twice, by half: what would be exact is rounded on the way.
    let mut result = if terms > 1 { sum.finish().widened(1.0) } else { sum.finish() };
    // One axis after the other, an implementation may have left the range on its way.
    if largest.is_finite() && largest * growth(taps) > greatest(result.dtype) {
        result = Real { low: f64::NEG_INFINITY, high: f64::INFINITY, nan: true, ..result };
    }
    let number = if dtype.is_float() { result.into() } else { to_integer(result, dtype, integers) };
    // One element alone may be taken as it is, with the digits that no float has.
    let number = whole.filter(|_| terms == 1).map_or(number, |whole| number.hull(whole));
    match open.or(spoilt.then_some(zero_weight)) {
        Some(label) => number.undecided(label),
        None => number,
    }
}

/// How far what was summed up along some of several axes may exceed the elements: some weights may be negative, and others come to more than 1.
fn growth(taps: &[&Taps]) -> f64 {
    let weights = || taps.iter().flat_map(|taps| taps.iter());
    if taps.len() < 2 || weights().all(|(_, weight)| weight.low >= 0.0) {
        return 1.0;
    }
    let magnitude = |(_, weight): &(usize, Real)| weight.low.abs().max(weight.high.abs());
    taps.iter().map(|taps| taps.iter().map(magnitude).sum::<f64>().max(1.0)).product()
}

/// Whether sums of elements of this magnitude stay finite, whatever their order, by weights that come to less than 1,024.
pub fn remains_finite(x: f64, dtype: DType) -> bool {
    x.abs() < greatest(dtype) / 1024.0
}

/// The largest finite number of a type.
fn greatest(dtype: DType) -> f64 {
    dtype.float_format().map_or(f64::MAX, |f| f.max_finite())
}

/// A real number as an integer: a whole one is that integer; a fraction is cut off, or rounded either way (`label`). What the type does not hold is open.
pub fn to_integer(x: Real, dtype: DType, label: Label) -> Number {
    let (low, high) = dtype.integer_range().unwrap_or((0, 1));
    let (floor, ceil) = (x.low.floor() as i128, x.high.ceil() as i128);
    if floor < low || ceil > high {
        return Number::int((x.mid as i128).clamp(low, high), dtype).undecided(label);
    }
    let mid = x.mid as i128;
    let number =
        Number { kind: Kind::Int(Int { low: x.low as i128, mid, high: x.high as i128, dtype }), latitude: None };
    let other = if floor < mid.min(x.low as i128) { floor } else { ceil };
    match ceil - floor {
        0 => number,
        1 => number.or(Number::int(if mid == floor { ceil } else { floor }, dtype), label),
        2 => number.or(Number::int(other, dtype), label),
        _ => number.undecided(label),
    }
}

/// The specification does not decide between several ways (`label` says so): what the others accept and this one does not is a finding.
pub fn or_readings(preferred: Number, others: &[Number], label: Label) -> Number {
    let inside = |other: &Number| match (preferred.kind, other.kind) {
        (Kind::Int(x), Kind::Int(y)) => x.low <= y.low && y.high <= x.high,
        _ => {
            let (x, y) = (preferred.real(), other.real());
            if y.low.is_nan() { x.nan } else { x.low <= y.low && y.high <= x.high && (x.nan || !y.nan) }
        }
    };
    let strange: Vec<Number> = others.iter().filter(|o| !inside(o) || o.latitude.is_some()).copied().collect();
    let Some(first) = strange.first() else { return preferred };
    if preferred.latitude.is_some() || strange.iter().any(|o| o.latitude.is_some()) {
        return preferred.undecided(label);
    }
    let same = |o: &Number| o.kind == first.kind || o.is_nan() && first.is_nan();
    if strange.iter().all(same) {
        return preferred.or(*first, label);
    }
    let reals: Vec<Real> = strange.iter().map(Number::real).collect();
    if !preferred.dtype().is_float() || reals.iter().any(|r| r.nan) {
        return preferred.undecided(label);
    }
    let low = reals.iter().map(|r| r.low).fold(f64::INFINITY, f64::min);
    let high = reals.iter().map(|r| r.high).fold(f64::NEG_INFINITY, f64::max);
    preferred.allowing(Allowed::between(low, high), label)
}

/// An element copied from one of several places: that of the first, or of one of the others (`label`). The latitude to note, if any.
pub fn one_of(data: &Expected, preferred: usize, others: &[usize], label: Label) -> Option<Latitude> {
    let others: Vec<usize> = others.iter().copied().filter(|&i| i != preferred).collect();
    if others.is_empty() {
        return None;
    }
    if !(data.dtype().is_float() || data.dtype().is_integer()) || !data.is_certain() {
        return Some(Latitude { label, allowed: Allowed::Anything });
    }
    let numbers: Vec<Number> = others.iter().map(|&i| data.number(i)).collect();
    or_readings(data.number(preferred), &numbers, label).latitude
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weights_of_whole_distances_are_exact() {
        for (distance, want) in [(0.0, 1.0), (1.0, 0.0), (2.0, 0.0), (3.0, 0.0)] {
            assert_eq!(keys(-0.75, float(distance)), float(want));
        }
        // W(1/2) of a = -0.5 is 9/16.
        assert_eq!(keys(-0.5, float(0.5)), float(0.5625));
        assert_eq!(Filter::Linear.weight(float(-0.25)), float(0.75));
    }

    #[test]
    fn one_axis_after_the_other_may_leave_the_range() {
        let tap = |place, weight| (place, float(weight));
        let cubic: Taps = vec![tap(0, -0.125), tap(0, 0.625), tap(0, 0.625), tap(0, -0.125)];
        let along: Taps = vec![tap(0, 0.0), tap(1, 0.25)];
        let of = |x: f64, taps: &[&Taps]| {
            let data = Expected::from(Tensor::from_f64s(DType::Double, vec![1, 2], &[0.0, x]).expect("a tensor"));
            weighted(&data, 0, taps, &[2, 1][2 - taps.len()..], B6, B5).real()
        };
        let far = of(f64::MAX, &[&cubic, &along]);
        assert!(far.accepts(f64::NAN) && far.accepts(f64::INFINITY), "{far:?}");
        assert!(of(f64::MAX / 4.0, &[&cubic, &along]).accepts(f64::MAX / 16.0));
        for near in [of(f64::MAX / 4.0, &[&cubic, &along]), of(f64::MAX, &[&along])] {
            assert!(!near.accepts(f64::NAN) && !near.accepts(f64::INFINITY), "{near:?}");
        }
    }

    #[test]
    fn fractions_become_integers_in_some_way() {
        let cut = to_integer(float(2.5), DType::Int8, B5);
        assert_eq!((cut.mid_int(), cut.latitude.map(|l| l.allowed)), (2, Some(Allowed::int(3))));
        let cut = to_integer(float(-2.5), DType::Int8, B5);
        assert_eq!((cut.mid_int(), cut.latitude.map(|l| l.allowed)), (-2, Some(Allowed::int(-3))));
        assert!(to_integer(float(7.0), DType::Int8, B5).is_point());
    }
}
