//! Functions of [`Real`]s, grouped by how they map the ends of an interval: increasing, decreasing, even and so on.

use super::Real;
use super::steps::{Ends, Step, over_corners};
use crate::function_name::Function;
use crate::precision;

impl Real {
    /// Returns whether this argument is exactly zero and the result is 1: `e^0`, `cos(0)` and `cosh(0)` are exactly 1
    /// in every implementation (Annex F of C).
    fn one_at_zero(&self, result: f64) -> bool {
        self.low == 0.0 && self.high == 0.0 && result == 1.0
    }

    /// Returns `f(x)` for an increasing `f`, widened by the error that is declared for `function`. If `f` is NaN at an
    /// end, that end is outside of the domain. Results of zero and infinity at an infinite `x` are exact: `exp(-inf)`,
    /// `log(inf)`.
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

    /// Does the same as [`Real::increasing`] for an `f` that is defined from `start` on. If the interval of `x` begins
    /// below `start` and reaches `start`, this maps only the part from `start` on, and the result accepts NaN too.
    pub fn increasing_from(self, start: f64, function: Function, f: impl Fn(f64) -> f64) -> Real {
        let x = self.outward();
        if x.low < start && x.high >= start {
            let inside = Real { low: start, mid: x.mid.max(start), nan: false, ..x };
            let result = inside.increasing(function, &f);
            return Real { mid: f(self.mid), nan: true, ..result };
        }
        self.increasing(function, f)
    }

    /// Returns `f(x)` for a decreasing `f`.
    pub fn decreasing(self, function: Function, f: impl Fn(f64) -> f64) -> Real {
        let x = self.outward();
        let (low, mid, high) = (f(x.high), f(x.mid), f(x.low));
        Real::step(x, x, mid, Ends::computed(low, high), function)
    }

    /// Returns `f(x)` for an `f` that is nowhere steeper than `slope`.
    pub fn lipschitz(self, function: Function, slope: f64, f: impl Fn(f64) -> f64) -> Real {
        let mid = f(self.mid);
        let x = self.outward();
        if x.one_at_zero(mid) {
            return Real { low: mid, mid, high: mid, signed_zero: false, ..x };
        }
        let (below, above) = (x.mid - x.low, x.high - x.mid);
        let reach = if x.low == x.high { 0.0 } else { below.max(above) * slope };
        let found = Real::step(x, x, mid, Ends::computed(mid - reach, mid + reach), function);
        Real { nan: found.nan || x.has_overflowed() && f(x.low).is_nan(), ..found }
    }

    /// Returns `f(x)` for an even `f` that increases from 0 on.
    pub fn even(self, function: Function, f: impl Fn(f64) -> f64) -> Real {
        self.abs().increasing(function, f)
    }

    /// Returns `f(x)` for a step function (floor, ceil, round): the ends are mapped without an error, and only integers
    /// are accepted.
    pub fn stepped(self, f: impl Fn(f64) -> f64) -> Real {
        let x = self.outward();
        let (low, high) = (f(x.low), f(x.high));
        Real { low, mid: f(x.mid), high, integral: low != high, ..x }
    }

    /// Returns `x ^ y`.
    pub fn power(self, y: Real) -> Real {
        let mid = pow(self.mid, y.mid);
        let (x, y) = (self.outward(), y.outward());
        if x.is_certain() && y.is_certain() {
            // pow(1, NaN) and pow(NaN, 0) are 1.
            let base = Real { low: mid, mid, high: mid, nan: mid.is_nan(), integral: false, ..x };
            return if mid.is_nan() { base.not_a_number() } else { base.widened(power_ulps(x, y)) };
        }
        let (maybe_zero, maybe_one) = (y.low <= 0.0 && y.high >= 0.0, x.low <= 1.0 && x.high >= 1.0);
        if x.is_nan() && maybe_zero || y.is_nan() && maybe_one {
            return Real { low: 1.0, mid, high: 1.0, nan: true, signed_zero: false, integral: false, ..self };
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
        // The power increases with the exponent for a base above 1, and decreases for a base below 1. With an exponent
        // of 0 or more, it increases with the base.
        let (low, high) = match y.low >= 0.0 {
            true if x.low >= 1.0 => (pow(x.low, y.low), pow(x.high, y.high)),
            true if x.high <= 1.0 => (pow(x.low, y.high), pow(x.high, y.low)),
            _ => over_corners(x, y, pow),
        };
        Real::step_within(x, y, mid, Ends::computed(low, high), |_| power_ulps(x, y))
    }
}

/// Returns the error of `x ^ y`, in ULP: the error in the table, which holds for powers of any size, or the error of
/// `e^(y ln |x|)` if this is smaller and the policy in force does not ask for more than the default table. An absolute
/// error of `y ln |x|` is a relative error of the power, and a relative error of one machine epsilon is at most two
/// units in the last place.
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

/// Returns the ends of the result of an increasing function. Of these functions, float64 rounds only the square root
/// correctly.
fn ends(function: Function, x: Real, low: f64, high: f64) -> Ends {
    match function {
        Function::Sqrt => Ends::after(Step::Sqrt, [(x.low, x.low), (x.high, x.high)]),
        _ => Ends::computed(low, high),
    }
}

/// Returns `x ^ y`: for the exponents 1, 2, 3 and 0.5 by multiplication or by a square root.
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

    #[test]
    fn a_power_of_an_integer_need_not_be_an_integer() {
        let near = |low: f64, high: f64| Real { low, high, ..Real::exact(49.06, DType::Float) }.stepped(f64::round);
        assert!(!near(49.05, 49.07).integral && near(48.9, 50.1).integral);
        let exponent = Real::exact(2.059_848_5, DType::Float);
        for base in [near(49.05, 49.07), Real { integral: true, ..Real::exact(49.0, DType::Float) }, near(48.9, 50.1)] {
            assert!(base.power(exponent).accepts(f64::from(3_030.734_9_f32)), "{base:?}");
        }
    }

    #[test]
    fn zero_between_the_ends_times_infinity_and_over_zero_may_be_nan() {
        let range = |low: f64, high: f64| Real { low, high, ..Real::constant(high.min(1.0), DType::Float) };
        let (across, infinite) = (range(-1.0, 1.0), range(5.0, f64::INFINITY));
        assert!(across.times(infinite).nan && infinite.times(across).nan && !range(1.0, 2.0).times(infinite).nan);
        assert!(across.over(Real::constant(0.0, DType::Float)).nan && !range(1.0, 2.0).over(infinite).nan);
    }

    #[test]
    fn a_tangent_of_numbers_on_both_sides_of_a_pole_is_anything() {
        let tan = |low: f64, high: f64| {
            let angle = Real { low, high, ..Real::exact(low, DType::Double) };
            crate::Number::from(angle).tan().real()
        };
        // One ULP of these numbers is larger than the distance of two poles.
        assert!(tan(1e17, 1e17 + 16.0).accepts(1e6) && tan(1.5, 1.6).accepts(-1e6));
        assert!(!tan(1e15, 1e15 + 0.125).accepts(-10.0) && !tan(1.0, 1.5).accepts(1.0));
    }

    #[test]
    fn a_remainder_of_an_uncertain_integer_need_not_be_an_integer() {
        let x = Real { low: 1.5, high: 2.5, ..Real::exact(2.0, DType::Float) }.stepped(f64::ceil);
        assert!(x.integral && x.accepts(3.0) && !x.accepts(2.5));
        let remainder = x.fmod(Real::exact(0.75, DType::Float));
        assert_eq!(remainder.mid, 0.5);
        assert!(remainder.accepts(0.5) && remainder.accepts(0.0));
    }

    /// Checks that powers of a base near one are as accurate as the exponential function, and that large powers have
    /// the error of the table.
    #[test]
    fn powers_near_one_have_a_smaller_error() {
        assert!((3.0..3.6).contains(&ulps_from(1.01, 0.75)));
        assert!((15.9..16.1).contains(&ulps_from(10.0, 20.5)));
    }

    /// A result that overflows is infinity where an implementation rounds it to the type, and exact where it keeps a
    /// wider type. A function of such a result accepts its own value at infinity, and prefers its own value at the
    /// exact result.
    #[test]
    fn functions_of_a_number_that_overflowed_accept_their_value_at_infinity() {
        let exact = |x| Real::exact(x, DType::Float);
        let beyond = exact(3e38).times(exact(1.5));
        let functions: &[(&str, Real, f64)] = &[
            ("sqrt", beyond.increasing(Function::Sqrt, libm::sqrt), f64::INFINITY),
            ("log", beyond.increasing(Function::Log, libm::log), f64::INFINITY),
            ("atan", beyond.increasing(Function::Atan, libm::atan), std::f64::consts::FRAC_PI_2),
            ("sin", beyond.lipschitz(Function::Sin, 1.0, libm::sin), f64::NAN),
            ("floor", beyond.stepped(libm::floor), f64::INFINITY),
            ("abs", beyond.neg().abs(), f64::INFINITY),
            ("plus", beyond.plus(exact(-3e38)), f64::INFINITY),
            ("times", beyond.times(exact(1e-10)), f64::INFINITY),
            ("over", beyond.over(exact(1e10)), f64::INFINITY),
            ("divisor", exact(1.0).over(beyond), 0.0),
            ("power", beyond.power(exact(0.5)), f64::INFINITY),
            ("power of -1", beyond.power(exact(-1.0)), 0.0),
            ("exponent", exact(0.5).power(beyond), 0.0),
            ("fmod", beyond.fmod(exact(7.0)), f64::NAN),
            ("fmod divisor", exact(7.0).fmod(beyond), 7.0),
        ];
        for (name, found, of_infinity) in functions {
            assert!(found.accepts(*of_infinity) && !found.mid.is_nan(), "{name}: {found:?}");
        }
    }
}
