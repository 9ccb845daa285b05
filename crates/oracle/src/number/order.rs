//! Comparisons of [`Number`]s: minimum, maximum, order and equality.

use plumbline_tensor::DType;

use super::{Int, Number, NumberKind};
use crate::Label;
use crate::real::Real;

impl Number {
    /// Returns the smaller of the two numbers. If only one of them is NaN, the rule `label` does not decide: NaN is the
    /// preferred answer, and the other number is an outcome.
    pub fn minimum(self, b: Number, label: Label) -> Number {
        self.extremum(b, label, |x, y| if y < x { y } else { x }, i128::min)
    }

    /// Returns the larger of the two numbers. If only one of them is NaN, the rule `label` does not decide: NaN is the
    /// preferred answer, and the other number is an outcome.
    pub fn maximum(self, b: Number, label: Label) -> Number {
        self.extremum(b, label, |x, y| if y > x { y } else { x }, i128::max)
    }

    fn extremum(
        self,
        b: Number,
        label: Label,
        pick: impl Fn(f64, f64) -> f64,
        ints: impl Fn(i128, i128) -> i128,
    ) -> Number {
        match (self.is_nan(), b.is_nan()) {
            (true, false) => return self.or(b, label),
            (false, true) => return b.or(self, label),
            _ => {}
        }
        self.cross(b, |a, b| match (a, b) {
            (NumberKind::Int(x), NumberKind::Int(y)) => NumberKind::Int(Int {
                low: ints(x.low, y.low),
                mid: ints(x.mid, y.mid),
                high: ints(x.high, y.high),
                dtype: x.dtype,
            }),
            (a, b) => {
                let (x, y) = (Number { kind: a, latitude: None }.real(), Number { kind: b, latitude: None }.real());
                // If one outcome of this pair is NaN, either of the two may be the extremum.
                if x.is_nan() || y.is_nan() {
                    return NumberKind::Real(if x.is_nan() && !y.is_nan() { y.hull(x) } else { x.hull(y) });
                }
                // Two numbers that are compared as zeros are equal, and may be zeros of either sign.
                if x.compares_as_zero() && y.compares_as_zero() {
                    let either = if pick(x.mid, y.mid) == x.mid { x.hull(y) } else { y.hull(x) };
                    return NumberKind::Real(Real { signed_zero: false, ..either });
                }
                NumberKind::Real(Real {
                    low: pick(x.low, y.low),
                    mid: pick(x.mid, y.mid),
                    high: pick(x.high, y.high),
                    dtype: x.dtype,
                    nan: x.nan || y.nan,
                    signed_zero: x.signed_zero
                        && y.signed_zero
                        && (x.mid != 0.0 || y.mid != 0.0 || x.mid.is_sign_negative() == y.mid.is_sign_negative()),
                    integral: x.are_whole(&y),
                    ..x
                })
            }
        })
    }

    /// Returns the result of a comparison as a bool. It has one accepted value if the preferred answers, the ends of
    /// the intervals and an accepted NaN all give the same result, and accepts both values otherwise.
    pub fn compare(self, b: Number, holds: impl Fn(&f64, &f64) -> bool, ints: impl Fn(&i128, &i128) -> bool) -> Number {
        let of = |mid: bool, others: &[bool]| {
            let low = i128::from(mid && others.iter().all(|&o| o));
            let high = i128::from(mid || others.iter().any(|&o| o));
            NumberKind::Int(Int { low, mid: i128::from(mid), high, dtype: DType::Bool })
        };
        self.cross(b, |a, b| match (a, b) {
            (NumberKind::Int(x), NumberKind::Int(y)) => {
                let corners =
                    [ints(&x.low, &y.high), ints(&x.high, &y.low), ints(&x.low, &y.low), ints(&x.high, &y.high)];
                of(ints(&x.mid, &y.mid), &corners)
            }
            (a, b) => {
                let (x, y) = (Number { kind: a, latitude: None }.real(), Number { kind: b, latitude: None }.real());
                let nan = |r: &Real| if r.nan { f64::NAN } else { r.mid };
                let others = [
                    holds(&x.low, &y.high),
                    holds(&x.high, &y.low),
                    holds(&x.low, &y.low),
                    holds(&x.high, &y.high),
                    holds(&nan(&x), &nan(&y)),
                ];
                of(holds(&x.mid, &y.mid), &others)
            }
        })
    }

    /// Returns whether two numbers are equal, as a bool. It accepts both values if the accepted intervals overlap and
    /// are not one and the same value.
    pub fn equals(self, b: Number) -> Number {
        let same = self.compare(b, PartialEq::eq, PartialEq::eq);
        let (x, y) = (self.real(), b.real());
        let overlap = x.low <= y.high && y.low <= x.high;
        if overlap && !(self.is_point() && b.is_point()) {
            let kind = NumberKind::Int(Int { low: 0, mid: same.mid_int(), high: 1, dtype: DType::Bool });
            return Number { kind, ..same };
        }
        same
    }
}
