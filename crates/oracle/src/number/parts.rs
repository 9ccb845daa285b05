//! The parts of an uncertain [`Number`]: pieces of its interval in each of which a function need not decide anything.

use super::{Int, Number, NumberKind};
use crate::real::Real;
use crate::steps;

/// The most values of an integer for which [`Number::each_part`] computes each result.
const MOST_VALUES: i128 = 64;

impl Number {
    /// Applies `f` to each part of this number, and accepts everything that is accepted for a part. The preferred answer
    /// is the one for the preferred value. So `f` may decide by the preferred value of its argument whether this is
    /// NaN, infinite, zero, negative or positive: in each part, all values are of one of these kinds. A part is a single
    /// value for an integer with few accepted values; with many, every value is accepted. A number in whose place
    /// nothing else is accepted is one part.
    #[inline]
    pub fn each_part(self, f: impl Fn(Number) -> Number) -> Number {
        match self {
            Number { kind: NumberKind::Real(x), latitude: None } if x.is_undivided() => f(self),
            Number { kind: NumberKind::Int(x), latitude: None } if x.low == x.high => f(self),
            _ => self.each_part_of_many(&f),
        }
    }

    /// Does the work of [`Number::each_part`], whether there is more than one part or not.
    pub(crate) fn each_part_of_many(self, f: &dyn Fn(Number) -> Number) -> Number {
        if self.is_one_part() {
            return f(self);
        }
        if let Number { kind: NumberKind::Real(x), latitude: None } = self
            && x.is_any_zero()
        {
            return joined(&[x.mid, -x.mid].map(|value| x.zero_part(value).into()), f);
        }
        let all = self.each_way(|x| match x.kind {
            _ if x.is_one_part() => f(x),
            NumberKind::Real(real) => joined(&divided(real), f),
            NumberKind::Int(int) => match int.high.saturating_sub(int.low) {
                more if more >= MOST_VALUES => f(Number::int(int.mid, int.dtype)).or_whole_range(),
                more => {
                    steps::take(more as usize);
                    let others = (int.low..=int.high).filter(|&value| value != int.mid);
                    let values = std::iter::once(int.mid).chain(others);
                    joined(&values.map(|value| Number::int(value, int.dtype)).collect::<Vec<_>>(), f)
                }
            },
        });
        // An outcome that is zero may have either sign.
        if self.latitude.is_some() { all.with_any_zero() } else { all }
    }

    /// Returns whether one value is accepted. A zero of either sign is two.
    fn is_one_part(&self) -> bool {
        self.is_point() && !matches!(self.kind, NumberKind::Real(x) if x.is_any_zero())
    }

    /// Does the same as [`Number::each_part`] for each pair of parts of two numbers.
    #[inline]
    pub fn each_pair(self, b: Number, f: impl Fn(Number, Number) -> Number) -> Number {
        self.each_part(|a| b.each_part(|b| f(a, b)))
    }

    /// Does the same as [`Number::each_part`] if there is a number. `f` is given `None` otherwise.
    pub fn each_part_of(number: Option<Number>, f: impl Fn(Option<Number>) -> Number) -> Number {
        match number {
            Some(number) => number.each_part(|number| f(Some(number))),
            None => f(None),
        }
    }

    /// Returns the same number, but accepts every value of its type.
    pub fn or_whole_range(self) -> Number {
        let kind = match self.kind {
            NumberKind::Int(x) => {
                let (low, high) = x.dtype.integer_range().unwrap_or((0, 1));
                NumberKind::Int(Int { low, high, ..x })
            }
            NumberKind::Real(x) => NumberKind::Real(x.or_anything()),
        };
        Number { kind, ..self }
    }

    /// Returns whether an infinity or NaN is accepted.
    pub fn may_be_infinite_or_nan(&self) -> bool {
        let widest = self.widest();
        widest.nan || !widest.low.is_finite() || !widest.high.is_finite()
    }

    /// Returns whether NaN is accepted beside other values.
    pub fn may_be_nan(&self) -> bool {
        !self.is_nan() && !self.is_point() && self.dtype().is_float() && self.widest().nan
    }
}

impl Real {
    /// Returns whether this is one part (see [`Number::each_part`]) that is quick to recognize, as most elements of large
    /// tensors are: all values are finite and have one sign, or there is one zero, whose sign counts.
    #[inline]
    pub(crate) fn is_undivided(&self) -> bool {
        let is_one_sided =
            self.low > 0.0 && self.high < f64::INFINITY || self.high < 0.0 && self.low > f64::NEG_INFINITY;
        let is_zero = self.low == 0.0 && self.high == 0.0 && self.signed_zero;
        (is_one_sided || is_zero) && !self.nan
    }

    /// Returns whether this is a zero of either sign, and nothing else.
    fn is_any_zero(&self) -> bool {
        self.low == 0.0 && self.high == 0.0 && !self.signed_zero && !self.nan
    }

    /// Returns the part of a number that is this zero, whose sign counts.
    fn zero_part(self, zero: f64) -> Real {
        let (below, above) = (self.below && self.low == 0.0, self.above && self.high == 0.0);
        Real { low: zero, mid: zero, high: zero, nan: false, signed_zero: true, below, above, ..self }
    }

    /// Returns the same number, but accepts every value, and NaN.
    pub fn or_anything(self) -> Real {
        Real {
            low: f64::NEG_INFINITY,
            high: f64::INFINITY,
            nan: true,
            signed_zero: false,
            integral: false,
            below: false,
            above: false,
            ..self
        }
    }
}

/// Returns the results of `f` for these parts as one number. The first part has the preferred value.
fn joined(parts: &[Number], f: &dyn Fn(Number) -> Number) -> Number {
    let Some((first, others)) = parts.split_first() else { return Number::from(false) };
    let preferred = f(*first);
    if others.is_empty() {
        return preferred;
    }
    let all = others.iter().fold(preferred, |all, part| all.hull(f(*part))).with_any_zero();
    match (all.kind, preferred.kind) {
        (NumberKind::Real(x), NumberKind::Real(y)) => {
            Number { kind: NumberKind::Real(Real { mid: y.mid, ..x }), ..all }
        }
        _ => all,
    }
}

/// Returns the parts of a real number, of which the first has the preferred value.
fn divided(x: Real) -> Vec<Number> {
    let largest = x.dtype.float_format().map_or(f64::MAX, |format| format.max_finite());
    let part = |low: f64, high: f64| {
        let mid = if x.mid.is_nan() || x.mid < low { low } else { x.mid.min(high) };
        let (below, above) = (x.below && low == x.low, x.above && high == x.high);
        Real { low, mid, high, nan: false, below, above, ..x }
    };
    let point = |value: f64| Real { low: value, mid: value, high: value, nan: value.is_nan(), ..part(value, value) };
    // An implementation that keeps a wider type has a finite number where an end overflowed. This number is at most as far
    // from the exact result as the other end. The exact result is not known where an earlier node stored an infinity.
    let overflowed = |other: f64| {
        let mirrored = x.mid + (x.mid - other);
        [mirrored, x.mid].into_iter().find(|end| end.is_finite()).unwrap_or(f64::MAX.copysign(other))
    };
    let least = f64::from_bits(1);
    let mut parts = Vec::new();
    if x.is_undivided() {
        return vec![x.into()];
    }
    if x.low == f64::NEG_INFINITY {
        parts.push(point(x.low));
    }
    if x.low < 0.0 && x.high > f64::NEG_INFINITY {
        let low = if x.low.is_finite() { x.low } else { x.high.min(-largest).min(overflowed(x.high)) };
        parts.push(part(low, x.high.min(-least)));
    }
    if x.low <= 0.0 && x.high >= 0.0 {
        parts.extend([x.zero_part(0.0), x.zero_part(-0.0)]);
    }
    if x.high > 0.0 && x.low < f64::INFINITY {
        let high = if x.high.is_finite() { x.high } else { x.low.max(largest).max(overflowed(x.low)) };
        parts.push(part(x.low.max(least), high));
    }
    if x.high == f64::INFINITY {
        parts.push(point(x.high));
    }
    if x.nan {
        parts.push(point(f64::NAN));
    }
    let preferred = |part: &Real| match x.mid {
        mid if mid.is_nan() => part.mid.is_nan(),
        mid if mid == 0.0 => part.mid == 0.0 && part.mid.is_sign_negative() == mid.is_sign_negative(),
        mid => part.low <= mid && mid <= part.high,
    };
    let first = parts.iter().position(preferred).unwrap_or(0);
    parts.swap(0, first);
    parts.into_iter().map(Number::from).collect()
}

#[cfg(test)]
mod tests {
    use plumbline_tensor::DType;

    use super::*;

    fn real(low: f64, mid: f64, high: f64, nan: bool) -> Number {
        Real { low, mid, high, nan, ..Real::constant(0.0, DType::Float) }.into()
    }

    /// A function that decides by the sign, and is not monotonic.
    fn decides(x: Number) -> Number {
        match x.mid() {
            mid if mid.is_nan() => x.like(7.0),
            0.0 => x.like(5.0),
            mid if mid < 0.0 => x,
            _ => x.like(-9.0),
        }
    }

    #[test]
    fn each_part_is_decided_by_itself() {
        let y = real(-1.0, 2.0, 3.0, true).each_part(decides).real();
        assert_eq!((y.low, y.mid, y.high, y.nan), (-9.0, -9.0, 7.0, false));
        let y = real(-2.0, -1.5, -1.0, false).each_part(decides).real();
        assert_eq!((y.low, y.mid, y.high), (-2.0, -1.5, -1.0));
        let zeros = real(0.0, 0.0, 1.0, false).each_part(|x| x.like(1.0) / x).real();
        assert!(zeros.accepts(f64::INFINITY) && zeros.accepts(f64::NEG_INFINITY) && zeros.mid == f64::INFINITY);
    }

    #[test]
    fn a_part_beyond_the_largest_number_has_the_exact_result() {
        let half = |low, mid, high| -> Number { Real { low, mid, high, ..Real::constant(0.0, DType::Float16) }.into() };
        let x = half(2e5, 2.5e5, f64::INFINITY);
        let seen = std::cell::RefCell::new(Vec::new());
        let y = x.each_part(|part| {
            seen.borrow_mut().push((part.real().low, part.real().high));
            part
        });
        assert_eq!(y.mid(), 2.5e5);
        assert_eq!(seen.take(), [(2e5, 3e5), (f64::INFINITY, f64::INFINITY)]);
        // An earlier node has stored the infinity, so that only the other end is known.
        seen.replace(vec![]);
        half(2e5, f64::INFINITY, f64::INFINITY).each_part(|part| {
            seen.borrow_mut().push((part.real().low, part.real().high));
            part
        });
        assert_eq!(seen.take(), [(f64::INFINITY, f64::INFINITY), (2e5, f64::MAX)]);
        let y = half(f64::NEG_INFINITY, -2.5e5, -2e5).each_part(|part| part);
        assert_eq!((y.real().low, y.mid()), (f64::NEG_INFINITY, -2.5e5));
        // With no finite end, the exact result is in the part of its sign.
        let y = real(f64::NEG_INFINITY, -1e40, f64::INFINITY, false).each_part(|part| part);
        assert_eq!(y.mid(), -1e40);
    }

    #[test]
    fn the_values_of_an_integer_are_parts_if_they_are_few() {
        let int = |low: i128, mid: i128, high: i128| Number::from(Int { low, mid, high, dtype: DType::Uint8 });
        let square = |x: Number| Number::int((x.mid_int() - 5) * (x.mid_int() - 5), DType::Uint8);
        assert_eq!(int(3, 4, 7).each_part(square), int(0, 1, 4));
        assert_eq!(int(0, 4, 64).each_part(square), int(0, 1, 255));
    }
}
