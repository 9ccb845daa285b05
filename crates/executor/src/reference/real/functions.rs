//! Functions of real numbers, by what they do to the ends of an interval.

use super::{Real, corners};
use crate::reference::precision::{self, Function};

impl Real {
    /// `e^0`, `cos(0)` and `cosh(0)` are exactly 1 (Annex F of C), in every implementation.
    fn one_at_zero(&self, result: f64) -> bool {
        self.low == 0.0 && self.high == 0.0 && result == 1.0
    }

    /// `f(x)` for an increasing `f`, which loses what `function` declares. NaN at an end means the end is outside the domain.
    /// Zero and infinity at an infinite `x` are exact: `exp(-inf)`, `log(inf)`.
    pub fn increasing(self, function: Function, f: impl Fn(f64) -> f64) -> Real {
        let (low, mid, high) = (f(self.low), f(self.mid), f(self.high));
        if self.is_point() && self.mid.is_infinite() && (mid == 0.0 || mid.is_infinite()) {
            return Real { low: mid, mid, high: mid, signed_zero: false, ..self };
        }
        if self.one_at_zero(mid) {
            return Real { low, mid, high, signed_zero: false, ..self };
        }
        Real::step(self, self, mid, low, high, function)
    }

    /// The same for an `f` that is defined from `start` on: of an interval that begins below, what lies inside the domain, and NaN.
    pub fn increasing_from(self, start: f64, function: Function, f: impl Fn(f64) -> f64) -> Real {
        if self.low < start && self.high >= start {
            let inside = Real { low: start, mid: self.mid.max(start), nan: false, ..self };
            let result = inside.increasing(function, &f);
            return Real { mid: f(self.mid), nan: true, ..result };
        }
        self.increasing(function, f)
    }

    /// `f(x)` for a decreasing `f`.
    pub fn decreasing(self, function: Function, f: impl Fn(f64) -> f64) -> Real {
        let (low, mid, high) = (f(self.high), f(self.mid), f(self.low));
        Real::step(self, self, mid, low, high, function)
    }

    /// `f(x)` for an `f` whose slope is nowhere steeper than `slope`.
    pub fn lipschitz(self, function: Function, slope: f64, f: impl Fn(f64) -> f64) -> Real {
        let mid = f(self.mid);
        if self.one_at_zero(mid) {
            return Real { low: mid, mid, high: mid, signed_zero: false, ..self };
        }
        let (below, above) = (self.mid - self.low, self.high - self.mid);
        let reach = if self.low == self.high { 0.0 } else { below.max(above) * slope };
        Real::step(self, self, mid, mid - reach, mid + reach, function)
    }

    /// `f(x)` for an even `f` that increases from 0 on.
    pub fn even(self, function: Function, f: impl Fn(f64) -> f64) -> Real {
        self.abs().increasing(function, f)
    }

    /// A step function (floor, ceil, round): the ends are mapped, nothing is lost, and only integers are accepted.
    pub fn stepped(self, f: impl Fn(f64) -> f64) -> Real {
        Real { low: f(self.low), mid: f(self.mid), high: f(self.high), integral: self.low != self.high, ..self }
    }

    /// `x ^ y`
    pub fn power(self, y: Real) -> Real {
        let mid = pow(self.mid, y.mid);
        if self.is_point() && y.is_point() {
            // pow(1, NaN) and pow(NaN, 0) are 1.
            let base = Real { low: mid, mid, high: mid, nan: mid.is_nan(), ..self };
            return if mid.is_nan() {
                base.not_a_number()
            } else {
                base.widened(precision::ulps(Function::Pow, self.dtype))
            };
        }
        if self.is_nan() || y.is_nan() {
            return self.not_a_number();
        }
        if self.low <= 0.0 {
            return self.whole_line(mid);
        }
        // Of a base above 1 the power increases with the exponent, of one below it decreases; both increase with the base.
        let (low, high) = match y.low >= 0.0 {
            true if self.low >= 1.0 => (pow(self.low, y.low), pow(self.high, y.high)),
            true if self.high <= 1.0 => (pow(self.low, y.high), pow(self.high, y.low)),
            _ => corners(self, y, pow),
        };
        Real::step(self, y, mid, low, high, Function::Pow)
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
