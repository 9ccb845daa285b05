//! Functions of real numbers, by what they do to the ends of an interval.

use super::Real;
use super::steps::{Ends, Step, over_corners};
use crate::precision::{self, Function};

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
            return if mid.is_nan() { base.not_a_number() } else { base.widened(power_ulps(x, y)) };
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
        Real::step_within(x, y, mid, Ends::computed(low, high), |_| power_ulps(x, y))
    }
}

/// ULP that `x ^ y` may lose, for a positive `x`: what the table says, which is for powers of any size, and where it is less what
/// `e^(y ln x)` loses. An error of `y ln x` is a relative one of the power, and 2^-p of a number is up to two units in its last place.
fn power_ulps(x: Real, y: Real) -> f64 {
    let [power, exp, log, product] = [Function::Pow, Function::Exp, Function::Log, Function::Multiply]
        .map(|function| precision::ulps(function, x.dtype));
    if precision::asks_for_more(Function::Pow) {
        return power;
    }
    let exponent = |x: f64, y: f64| (y * libm::log(x.abs())).abs();
    let largest =
        exponent(x.low, y.low).max(exponent(x.low, y.high)).max(exponent(x.high, y.low)).max(exponent(x.high, y.high));
    if largest.is_nan() { power } else { power.min(exp + 2.0 * (log + product) * largest) }
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

#[cfg(test)]
mod tests {
    use plumbline_tensor::DType;

    use super::*;

    fn ulps_from(x: f64, y: f64) -> f64 {
        let power = Real::exact(x, DType::Float).power(Real::exact(y, DType::Float));
        (power.high - power.mid) / f64::from(f32::EPSILON) / libm::exp2(libm::floor(libm::log2(power.mid)))
    }

    /// Powers of a base near one are as accurate as the exponential function, large powers as the table says.
    #[test]
    fn small_powers_lose_less() {
        assert!((3.0..3.6).contains(&ulps_from(1.01, 0.75)));
        assert!((15.9..16.1).contains(&ulps_from(10.0, 20.5)));
    }
}
