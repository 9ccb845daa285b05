//! Functions of real numbers, by what they do to the ends of an interval.

use super::Real;
use super::steps::{Ends, Step, over_corners};
use crate::reference::precision::{self, Function};

impl Real {
    /// `e^0`, `cos(0)` and `cosh(0)` are exactly 1 (Annex F of C), in every implementation.
    fn one_at_zero(&self, result: f64) -> bool {
        self.low == 0.0 && self.high == 0.0 && result == 1.0
    }

    /// `f(x)` for an increasing `f`, which loses what `function` declares. NaN at an end means the end is outside the domain.
    /// Zero and infinity at an infinite `x` are exact: `exp(-inf)`, `log(inf)`.
    pub fn increasing(self, function: Function, f: impl Fn(f64) -> f64) -> Real {
        let x = self.outward();
        let (low, mid, high) = (f(x.low), f(x.mid), f(x.high));
        if self.is_point() && self.mid.is_infinite() && (mid == 0.0 || mid.is_infinite()) {
            return Real { low: mid, mid, high: mid, signed_zero: false, ..self };
        }
        if x.one_at_zero(mid) {
            return Real { low, mid, high, signed_zero: false, ..self };
        }
        Real::step(x, x, mid, ends(function, x, low, high), function)
    }

    /// The same for an `f` that is defined from `start` on: of an interval that begins below, what lies inside the domain, and NaN.
    pub fn increasing_from(self, start: f64, function: Function, f: impl Fn(f64) -> f64) -> Real {
        let x = self.outward();
        if x.low < start && x.high >= start {
            let inside = Real { low: start, mid: x.mid.max(start), nan: false, ..x };
            let result = inside.increasing(function, &f);
            return Real { mid: f(self.mid), nan: true, ..result };
        }
        self.increasing(function, f)
    }

    /// `f(x)` for a decreasing `f`.
    pub fn decreasing(self, function: Function, f: impl Fn(f64) -> f64) -> Real {
        let x = self.outward();
        let (low, mid, high) = (f(x.high), f(x.mid), f(x.low));
        Real::step(x, x, mid, Ends::computed(low, high), function)
    }

    /// `f(x)` for an `f` whose slope is nowhere steeper than `slope`.
    pub fn lipschitz(self, function: Function, slope: f64, f: impl Fn(f64) -> f64) -> Real {
        let mid = f(self.mid);
        let x = self.outward();
        if x.one_at_zero(mid) {
            return Real { low: mid, mid, high: mid, signed_zero: false, ..x };
        }
        let (below, above) = (x.mid - x.low, x.high - x.mid);
        let reach = if x.low == x.high { 0.0 } else { below.max(above) * slope };
        Real::step(x, x, mid, Ends::computed(mid - reach, mid + reach), function)
    }

    /// `f(x)` for an even `f` that increases from 0 on.
    pub fn even(self, function: Function, f: impl Fn(f64) -> f64) -> Real {
        self.abs().increasing(function, f)
    }

    /// A step function (floor, ceil, round): the ends are mapped, nothing is lost, and only integers are accepted.
    pub fn stepped(self, f: impl Fn(f64) -> f64) -> Real {
        let x = self.outward();
        Real { low: f(x.low), mid: f(x.mid), high: f(x.high), integral: x.low != x.high, ..x }
    }

    /// `x ^ y`
    pub fn power(self, y: Real) -> Real {
        let mid = pow(self.mid, y.mid);
        let (x, y) = (self.outward(), y.outward());
        if x.is_point() && y.is_point() {
            // pow(1, NaN) and pow(NaN, 0) are 1.
            let base = Real { low: mid, mid, high: mid, nan: mid.is_nan(), ..x };
            return if mid.is_nan() {
                base.not_a_number()
            } else {
                base.widened(precision::ulps(Function::Pow, self.dtype))
            };
        }
        if x.is_nan() || y.is_nan() {
            return self.not_a_number();
        }
        if x.high < 0.0 && y.is_point() && y.mid.fract() == 0.0 {
            let magnitude = x.neg().power(y);
            return if y.mid % 2.0 == 0.0 { magnitude } else { magnitude.neg() };
        }
        if x.low <= 0.0 {
            return self.whole_line(mid);
        }
        // Of a base above 1 the power increases with the exponent, of one below it decreases; both increase with the base.
        let (low, high) = match y.low >= 0.0 {
            true if x.low >= 1.0 => (pow(x.low, y.low), pow(x.high, y.high)),
            true if x.high <= 1.0 => (pow(x.low, y.high), pow(x.high, y.low)),
            _ => over_corners(x, y, pow),
        };
        Real::step(x, y, mid, Ends::computed(low, high), Function::Pow)
    }
}

/// The ends of an increasing function. Square roots are correctly rounded in float64, other functions are not.
fn ends(function: Function, x: Real, low: f64, high: f64) -> Ends {
    match function {
        Function::Sqrt => Ends::of(Step::Sqrt, [(x.low, x.low), (x.high, x.high)]),
        _ => Ends::computed(low, high),
    }
}

/// `x ^ y`, with the powers that a step or two compute.
fn pow(x: f64, y: f64) -> f64 {
    match y {
        1.0 => x,
        2.0 => x * x,
        3.0 => x * x * x,
        0.5 if x > 0.0 => x.sqrt(),
        _ => libm::pow(x, y),
    }
}
