//! Interpolation: weights, and sums of neighbours times their weights.
//!
//! Positions and weights are computed at the precision of the elements, and at least in float: the specification gives
//! formulas of real numbers. Positions of elements that are only copied are computed in float or a wider type.

use crate::prelude::*;
use crate::{Int, Ints, wrap};

/// Returns a number as a float constant, for the formulas of positions and weights.
pub fn float(value: f64) -> Real {
    Real::constant(value, DType::Float)
}

/// Returns the type in which positions and weights of elements of this type are computed.
pub fn working(dtype: DType) -> DType {
    if dtype == DType::Double { dtype } else { DType::Float }
}

/// Computes the position `a / b`, correctly rounded, so that a position that is a whole number stays whole.
pub fn quotient(a: Real, b: Real) -> Real {
    let all = [a.low / b.low, a.low / b.high, a.high / b.low, a.high / b.high];
    let (low, high) =
        (all.iter().copied().fold(f64::INFINITY, f64::min), all.iter().copied().fold(f64::NEG_INFINITY, f64::max));
    Real { low, mid: a.mid / b.mid, high, nan: false, ..a }.widened(0.5)
}

/// A filter: the weight of a sample by its distance.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Filter {
    /// The weight `1 - |x|`, for distances up to 1.
    Linear,
    /// Keys' cubic convolution with this coefficient, for distances up to 2.
    Cubic(f64),
}

impl Filter {
    /// Returns the distance at and beyond which all weights are zero.
    pub fn support(self) -> f64 {
        match self {
            Filter::Linear => 1.0,
            Filter::Cubic(_) => 2.0,
        }
    }

    /// Returns the weight at a distance.
    pub fn weight(self, distance: Real) -> Real {
        let distance = distance.abs();
        let of = |value: f64| Real::constant(value, distance.dtype);
        match self {
            Filter::Linear if distance.low >= 1.0 => of(0.0),
            Filter::Linear => of(1.0).minus(distance).within(0.0, 1.0),
            Filter::Cubic(a) => keys(a, distance),
        }
    }
}

/// Computes Keys' kernel (equation 4 of "Cubic convolution interpolation for digital image processing") as a polynomial
/// that is evaluated in some order.
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
    let exact = Real::constant(mid, distance.dtype);
    let distance = distance.outward();
    let point = distance.low == distance.high;
    if distance.low > 2.0 || point && has_few_bits(a, distance.mid) {
        return exact;
    }
    // The error is the steepest slope times the error of the distance, plus the rounding errors of all steps.
    let vertex = (a + 3.0) * (a + 3.0) / (3.0 * (a + 2.0)).abs().max(1e-3);
    let slope = a.abs().max(vertex);
    let x = distance.high;
    let steps = if x <= 1.0 {
        2.0 * (((a + 2.0).abs() * x + (a + 3.0).abs()) * x * x + 1.0)
    } else {
        1.25 * a.abs() * (((x + 5.0) * x + 8.0) * x + 4.0)
    };
    let reach = (distance.high - distance.mid).max(distance.mid - distance.low);
    // In double, `mid` has the errors of all steps, too.
    let unit = if distance.dtype == DType::Double { f64::EPSILON } else { UNIT };
    let lost = reach * slope + unit * steps;
    Real { low: mid - lost, high: mid + lost, ..exact }
}

/// Returns whether no step of the polynomial is rounded, because the distance and the coefficient have few bits.
fn has_few_bits(a: f64, x: f64) -> bool {
    (x * 64.0).fract() == 0.0 && (a * 16.0).fract() == 0.0 && a.abs() <= 4.0
}

/// The unit roundoff of float.
const UNIT: f64 = 5.960_464_477_539_063e-8;

/// The neighbours along one axis, with their weights.
pub type Taps = Vec<(usize, Real)>;

/// The rules that leave something about a weighted sum open.
#[derive(Clone, Copy, Debug)]
pub struct Labels {
    /// The result if an infinity or NaN has a weight that is zero or may be zero.
    pub zero_weight: Label,
    /// The result if a sum leaves the range of its type on the way.
    pub overflow: Label,
    /// How a fraction becomes an integer; `None` if the specification says that it is cut off.
    pub fractions: Option<Label>,
    /// The result if an average is beyond the range of an integer type.
    pub beyond: Label,
}

/// Computes the sum of elements times their weights, rounded to the type of `data`. An implementation may add the
/// products in any order, and may round them first or not.
///
/// There is one set of taps for each axis. `start` is the index of the element from which the places of the taps are
/// counted, and `steps` are the distances between neighbours along each axis.
pub fn weighted(data: &Expected, start: usize, taps: &[&Taps], steps: &[usize], labels: Labels) -> Number {
    let dtype = data.dtype();
    let mut sum = Accumulator::new(if dtype.is_float() { dtype } else { DType::Float });
    // The sum that covers all outcomes of the elements. It is `None` until an element has several outcomes.
    let mut widest: Option<(Accumulator, Label)> = None;
    let mut stray = Vec::new();
    let (mut terms, mut whole, mut largest) = (0, None, 0.0f64);
    let count: usize = taps.iter().map(|t| t.len()).product();
    for mut at in 0..count {
        let (mut index, mut weight) = (start, None::<Real>);
        for (taps, step) in taps.iter().zip(steps).rev() {
            let (place, w) = taps[at % taps.len()];
            at /= taps.len();
            index += place * step;
            weight = Some(weight.map_or(w, |v| combined(v, w)));
        }
        let (weight, x) = (weight.unwrap_or(Real::constant(1.0, working(dtype))), data.number(index));
        if let (None, Some(latitude)) = (&widest, x.latitude) {
            widest = Some((sum.clone(), latitude.label));
        }
        let value = match x.kind {
            NumberKind::Real(x) => x,
            NumberKind::Int(int) => {
                let at = |value: i128| float(value as f64).nearest().hull(float(value as f64));
                if int.low == int.high { at(int.mid) } else { at(int.mid).hull(at(int.low)).hull(at(int.high)) }
            }
        };
        largest = largest.max(value.low.abs()).max(value.high.abs());
        let infinite = |value: &Real| !value.low.is_finite() || !value.high.is_finite() || value.nan;
        let maybe_zero = weight.low <= 0.0 && weight.high >= 0.0;
        if infinite(&value) && maybe_zero {
            stray.extend(not_left_out(&value, &weight));
        } else if weight.low != 0.0 || weight.high != 0.0 {
            sum.add_product(weight, value);
            terms += 1;
            whole =
                (weight.low == 1.0 && weight.high == 1.0 && matches!(x.kind, NumberKind::Int(x) if x.low == x.high))
                    .then_some(x);
        }
        if let Some((widest, _)) = &mut widest {
            let value = x.widest();
            if infinite(&value) && maybe_zero {
                stray.extend(not_left_out(&value, &weight));
            } else {
                widest.add_product(weight, value);
            }
        }
    }
    let finish = |sum: Accumulator| {
        // At the last element of an axis, some implementations take the element twice with half the weight, so that a
        // result that would be exact is rounded on the way.
        let real = if terms > 1 { sum.finish().widened(1.0) } else { sum.finish() };
        if dtype.is_float() { real.into() } else { to_integer(real, dtype, labels.fractions, labels.beyond) }
    };
    let number = finish(sum);
    // An implementation may take a single element as it is, with digits that no float has.
    let number = whole.filter(|_| terms == 1).map_or(number, |whole| number.hull(whole));
    let number = widest.map_or(number, |(widest, label)| number.or(finish(widest), label));
    let number = stray.into_iter().fold(number, |number, x| number.or(number.like(x), labels.zero_weight));
    // An implementation that processes one axis after the other may leave the range on the way.
    if dtype.is_float() && largest.is_finite() && largest * growth(taps) > greatest(dtype) {
        let others = [f64::NEG_INFINITY, f64::INFINITY, f64::NAN];
        return others.into_iter().fold(number, |number, x| number.or(number.like(x), labels.overflow));
    }
    number
}

/// Combines the weights along two axes. An implementation may also multiply an element by one weight after the other,
/// which rounds differently. A multiplication by a power of two rounds nothing.
fn combined(a: Real, b: Real) -> Real {
    let scales = |x: Real| x.is_point() && (x.mid == 0.0 || libm::frexp(x.mid).0.abs() == 0.5);
    let product = a.times(b);
    if scales(a) || scales(b) { product } else { product.widened(1.0) }
}

/// Returns the values that a sum may have if an infinity or a NaN counts although its weight is zero, or may be zero
/// within its error.
fn not_left_out(value: &Real, weight: &Real) -> Vec<f64> {
    let infinite = [value.low, value.high].into_iter().filter(|x| x.is_infinite());
    let signs = [weight.low < 0.0, weight.high > 0.0];
    let signed = infinite.flat_map(|x| [(signs[0], -x), (signs[1], x)]);
    signed.filter(|(possible, _)| *possible).map(|(_, x)| x).chain([f64::NAN]).collect()
}

/// Returns the factor by which a sum along some axes, but not yet all, may exceed the elements: if some weights are
/// negative, the others add up to more than 1.
fn growth(taps: &[&Taps]) -> f64 {
    let weights = || taps.iter().flat_map(|taps| taps.iter());
    if taps.len() < 2 || weights().all(|(_, weight)| weight.low >= 0.0) {
        return 1.0;
    }
    let magnitude = |(_, weight): &(usize, Real)| weight.low.abs().max(weight.high.abs());
    taps.iter().map(|taps| taps.iter().map(magnitude).sum::<f64>().max(1.0)).product()
}

/// Returns whether sums of elements of this magnitude stay finite in any order, if the weights add up to less than
/// 1,024.
pub fn remains_finite(x: f64, dtype: DType) -> bool {
    x.abs() < greatest(dtype) / 1024.0
}

/// Returns the largest finite number of a type.
fn greatest(dtype: DType) -> f64 {
    dtype.float_format().map_or(f64::MAX, |f| f.max_finite())
}

/// Converts a real number to an integer type. A whole number becomes that integer. A fraction is cut off, or rounded
/// either way if `fractions` names a rule that leaves this open. A number beyond the range of the type wraps around or
/// becomes one of the ends of the range (`beyond`); the nearer end is preferred.
pub fn to_integer(x: Real, dtype: DType, fractions: Option<Label>, beyond: Label) -> Number {
    let (low, high) = dtype.integer_range().unwrap_or((0, 1));
    let (first, mid, last) = (x.low as i128, x.mid as i128, x.high as i128);
    let number = Number {
        kind: NumberKind::Int(Int {
            low: first.clamp(low, high),
            mid: mid.clamp(low, high),
            high: last.clamp(low, high),
            dtype,
        }),
        latitude: None,
    };
    let (floor, ceil) = (x.low.floor() as i128, x.high.ceil() as i128);
    let range = |from: i128, to: i128| Allowed::Ints(Ints::default().with(from, to));
    let number = match fractions {
        Some(label) if floor < first && floor >= low => number.or(range(floor, first - 1), label),
        _ => number,
    };
    let number = match fractions {
        Some(label) if ceil > last && ceil <= high => number.or(range(last + 1, ceil), label),
        _ => number,
    };
    let (first, last) = if fractions.is_some() { (floor, ceil) } else { (first, last) };
    if first >= low && last <= high {
        return number;
    }
    let ends = number.or(range(low, low).with(range(high, high)), beyond);
    match (wrap(first, dtype), wrap(last, dtype)) {
        (from, to) if last.saturating_sub(first) >= high - low || from > to => ends.or(range(low, high), beyond),
        (from, to) => ends.or(range(from, to), beyond),
    }
}

/// Accepts what becomes of an element if it is taken twice with half the weight along each axis at whose end it is, as in
/// some implementations. Halves and quarters of a normal number are exact and add up to it; eighths are rounded when they
/// are added, and so are parts that are subnormal.
pub fn halved(number: Number, taps: &[&Taps], data: &Expected) -> Number {
    let Some(format) = data.dtype().float_format() else { return number };
    let has_weight = |weight: &Real| weight.low != 0.0 || weight.high != 0.0;
    let is_last = |(taps, extent): (&&Taps, &usize)| {
        taps.iter().filter(|(_, weight)| has_weight(weight)).all(|(place, _)| place + 1 == *extent)
    };
    let axes = taps.iter().zip(data.shape()).filter(|x| is_last(*x)).count() as i32;
    let number = if axes > 2 { number.map_real(|x| x.widened(2.0)) } else { number };
    let parts = libm::scalbn(1.0, axes);
    number.map_real(|x| match x.mid != 0.0 && x.mid.abs() < format.min_normal() * parts {
        true => {
            let lost = format.min_positive() * parts / 2.0;
            Real { low: x.low - lost, high: x.high + lost, signed_zero: false, ..x }
        }
        false => x,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const LABELS: Labels = Labels {
        zero_weight: rule::INFINITY_WITH_ZERO_WEIGHT,
        overflow: rule::CUBIC_COEFFICIENT,
        fractions: Some(rule::INTEGER_ROUNDING),
        beyond: rule::EXTENT_ROUNDING,
    };

    #[test]
    fn weights_of_distances_with_few_bits_are_exact() {
        for (distance, want) in [(0.0, 1.0), (1.0, 0.0), (2.0, 0.0), (3.0, 0.0)] {
            assert_eq!(keys(-0.75, float(distance)), float(want));
        }
        // For a = -0.5, the weight at distance 1/2 is 9/16.
        assert_eq!(keys(-0.5, float(0.5)), float(0.5625));
        assert_eq!(Filter::Linear.weight(float(-0.25)), float(0.75));
    }

    #[test]
    fn interpolating_one_axis_after_the_other_may_leave_the_range() {
        let tap = |place, weight| (place, float(weight));
        let cubic: Taps = vec![tap(0, -0.125), tap(0, 0.625), tap(0, 0.625), tap(0, -0.125)];
        let along: Taps = vec![tap(0, 0.0), tap(1, 0.25)];
        let of = |x: f64, taps: &[&Taps]| {
            let data = Expected::from(
                Tensor::from_f64s(DType::Double, vec![1, 2], &[0.0, x]).expect("the shape has two elements"),
            );
            weighted(&data, 0, taps, &[2, 1][2 - taps.len()..], LABELS)
        };
        let far = of(f64::MAX, &[&cubic, &along]);
        let outcomes = Allowed::either(f64::NEG_INFINITY, f64::INFINITY).with(Allowed::real(f64::NAN));
        assert_eq!(far.latitude.map(|l| (l.label, l.allowed)), Some((rule::CUBIC_COEFFICIENT, outcomes)));
        assert!(far.real().accepts(f64::MAX / 4.0) && !far.real().accepts(f64::MAX / 2.0), "{far:?}");
        for near in [of(f64::MAX / 4.0, &[&cubic, &along]), of(f64::MAX, &[&along])] {
            assert!(near.latitude.is_none(), "{near:?}");
        }
    }

    /// In float, 12.5 times 0.46827585, then times 0.50289834, differs from 12.5 times the product of these two
    /// weights.
    #[test]
    fn axes_may_be_interpolated_one_after_the_other() {
        let data =
            Expected::from(Tensor::from_f64s(DType::Float, vec![1], &[12.5]).expect("the shape has one element"));
        let [along, across] = [0.468_275_84f32, 0.502_898_34f32];
        let taps = [along, across].map(|w| vec![(0, float(f64::from(w)))]);
        let number = weighted(&data, 0, &[&taps[0], &taps[1]], &[1, 1], LABELS);
        assert_ne!((12.5 * along) * across, 12.5 * (along * across));
        for right in [(12.5 * along) * across, (12.5 * across) * along, 12.5 * (along * across)] {
            assert!(number.real().accepts(f64::from(right)), "{number:?}");
        }
    }

    #[test]
    fn fractions_are_truncated_and_other_roundings_are_left_open() {
        let cut = to_integer(float(2.5), DType::Int8, Some(rule::INTEGER_ROUNDING), rule::EXTENT_ROUNDING);
        assert_eq!((cut.mid_int(), cut.latitude.map(|l| l.allowed)), (2, Some(Allowed::int(3))));
        let cut = to_integer(float(-2.5), DType::Int8, Some(rule::INTEGER_ROUNDING), rule::EXTENT_ROUNDING);
        assert_eq!((cut.mid_int(), cut.latitude.map(|l| l.allowed)), (-2, Some(Allowed::int(-3))));
        assert!(to_integer(float(7.0), DType::Int8, Some(rule::INTEGER_ROUNDING), rule::EXTENT_ROUNDING).is_point());
        assert!(to_integer(float(-2.5), DType::Int8, None, rule::EXTENT_ROUNDING).is_point());
    }

    #[test]
    fn values_beyond_an_integer_type_wrap_around_or_saturate() {
        let beyond = to_integer(float(-3.5), DType::Uint8, None, rule::EXTENT_ROUNDING);
        let Some(Allowed::Ints(ints)) = beyond.latitude.map(|l| l.allowed) else { panic!("{beyond:?}") };
        assert_eq!(beyond.mid_int(), 0);
        assert!(
            [0, 253, 255].iter().all(|&x| ints.contains(x)) && ![7, 100, 252].iter().any(|&x| ints.contains(x)),
            "{ints}"
        );
    }

    #[test]
    fn an_infinity_with_weight_zero_may_be_left_out() {
        let data = Expected::from(
            Tensor::from_f64s(DType::Float, vec![2], &[3.0, f64::INFINITY]).expect("the shape has two elements"),
        );
        let taps: Taps = vec![(0, float(1.0)), (1, float(0.0))];
        let number = weighted(&data, 0, &[&taps], &[1], LABELS);
        assert_eq!((number.mid(), number.latitude.map(|l| l.allowed)), (3.0, Some(Allowed::real(f64::NAN))));
    }
}
