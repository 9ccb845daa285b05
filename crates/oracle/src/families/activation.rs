//! Activation functions. Implementations compute them by different formulas and at different precisions.
//!
//! An element accepts the results of every formula in use at every precision in use. The preferred answer is the exact
//! value.

use plumbline_tensor::DType;

use crate::precision::computes_sigmoid_by_tanh;
use crate::{Function, Number, NumberKind, Real};

/// How an implementation computes a function. It computes 16-bit elements at their own precision or in float32. It
/// either rounds constants and attributes (which are float32) to the type of the elements first, as the function bodies
/// of the standard do with CastLike, or keeps them in float32.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Working {
    steps: DType,
    constants: DType,
}

impl Working {
    /// Returns every way to work on elements of a type.
    fn all(elements: DType) -> Vec<Working> {
        let way = |steps, constants| Working { steps, constants };
        match elements {
            DType::Float | DType::Double => vec![way(elements, elements)],
            _ => vec![way(elements, elements), way(DType::Float, DType::Float), way(DType::Float, elements)],
        }
    }

    /// Returns a FLOAT attribute, rounded if this way of working rounds attributes.
    pub fn attribute(self, value: f32) -> Number {
        let exact = Real::constant(f64::from(value), self.constants);
        exact.nearest().at_precision(self.steps).into()
    }

    /// Returns the largest finite value that a step may have.
    pub fn limit(self) -> f64 {
        self.steps.float_format().map_or(f64::MAX, |f| f.max_finite())
    }

    /// Returns a constant of the formula. An implementation may use either of the two numbers next to it.
    pub fn constant(self, value: f64) -> Number {
        Real::constant(value, self.constants).widened(0.5).at_precision(self.steps).into()
    }
}

/// One formula of a function: it maps an element, in one way of working, to the result.
pub type Formula<'a> = &'a dyn Fn(Number, Working) -> Number;

/// Returns `exact(x)` and accepts the results of all these formulas, which may have several steps.
///
/// A formula that overflows or becomes NaN where the exact result does not is ignored: an implementation that uses it
/// is wrong there, unless the kernel says otherwise.
pub fn computed(x: Number, exact: impl Fn(f64) -> f64, formulas: &[Formula]) -> Number {
    let y = operation(x, exact, formulas);
    let real = y.real();
    if x.dtype() != DType::Double || !real.mid.is_finite() || real.low == 0.0 && real.high == 0.0 {
        return y;
    }
    // The exact value is computed by several operations in float64, so that the correctly rounded value may lie next to
    // it.
    y.map_real(|y| Real { low: y.low.next_down().next_down(), high: y.high.next_up().next_up(), ..y })
}

/// Does the same as [`computed`] for a single addition or multiplication with an attribute, which needs no margin
/// around the exact value.
pub fn operation(x: Number, exact: impl Fn(f64) -> f64, formulas: &[Formula]) -> Number {
    if x.latitude.is_some() {
        let exact: &dyn Fn(f64) -> f64 = &exact;
        return x.each_way(|x| operation(x, exact, formulas));
    }
    let dtype = x.dtype();
    let mid = exact(x.mid());
    if mid.is_nan() {
        return x.map_real(|x| Real { low: mid, mid, high: mid, nan: true, signed_zero: false, ..x });
    }
    // If the result is only a few ULP away from overflow, every formula may overflow.
    let ulp = dtype.float_format().map_or(f64::EPSILON, |f| f.ulp(1.0));
    let remains_finite = |y: f64| Real::constant(y * (1.0 + 16.0 * ulp), dtype).nearest().mid.is_finite();
    let ends = [x.real().low, x.real().high];
    let finite = remains_finite(mid) && (x.is_point() || ends.into_iter().map(&exact).all(remains_finite));
    let mut hull: Option<Real> = None;
    for working in Working::all(dtype) {
        for formula in formulas {
            let result = formula(x.at_precision(working.steps), working).real();
            let result = if result.dtype == dtype { result } else { result.to_dtype(dtype) };
            // In place of an uncertain element, a formula may become NaN for some values, and be right for others.
            let lost = result.low.is_nan() || result.nan && !x.real().nan && x.is_point();
            let result = Real { nan: result.nan && x.real().nan, ..result };
            if lost || finite && (result.low.is_infinite() || result.high.is_infinite()) {
                continue;
            }
            hull = Some(hull.map_or(result, |h| h.hull(result)));
        }
    }
    let hull = hull.unwrap_or_else(|| match x.is_point() {
        true => Real::constant(mid, dtype).widened(0.5),
        false => Real { nan: x.real().nan, ..Real::constant(mid, dtype).or_anything() },
    });
    x.map_real(|_| Real { low: hull.low.min(mid), mid, high: hull.high.max(mid), signed_zero: false, ..hull })
}

/// Computes `a * b + c`. An implementation may round the product first, or not (a fused multiply-add).
pub fn multiply_add(a: Number, b: Number, c: Number) -> Number {
    if a.dtype() != DType::Double || !(a.is_point() && b.is_point() && c.is_point()) {
        // The interval of the product contains the exact product, which a fused multiply-add uses.
        return a * b + c;
    }
    let rounded = (a * b).map_real(Real::rounded_ends) + c;
    rounded.hull(rounded.like(a.mid().mul_add(b.mid(), c.mid())).map_real(|x| x.widened(0.5)))
}

/// Applies `below` to the values of `x` less than `at`, and `above` to all others, NaN included. An implementation that
/// flushes subnormal numbers may compare them as zeros, and continue with `x` as it is.
pub fn piecewise(x: Number, at: f64, below: impl Fn(Number) -> Number, above: impl Fn(Number) -> Number) -> Number {
    let NumberKind::Real(real) = x.kind else { return x };
    if real.compares_as_zero() && Real::constant(at, real.dtype).compares_as_zero() {
        let (under, over) = (below(x), above(x));
        return if real.mid < at { under.hull(over) } else { over.hull(under) };
    }
    if real.low.is_nan() || real.low >= at {
        return above(x);
    }
    if real.high < at {
        return below(x);
    }
    let part = |low: f64, high: f64| {
        let kind =
            NumberKind::Real(Real { low, mid: if real.mid < low { low } else { real.mid.min(high) }, high, ..real });
        Number { kind, ..x }
    };
    let (under, over) = (below(part(real.low, at.next_down())), above(part(at, real.high)));
    let (chosen, other) = if real.mid < at { (under, over) } else { (over, under) };
    chosen.hull(other)
}

/// Restricts the accepted values to `[low, high]`, the range of a function.
pub fn within(x: Number, low: f64, high: f64) -> Number {
    x.map_real(|x| x.within(low, high))
}

/// Accepts `limit` in place of `y` where the formula gives NaN (0 times infinity, infinity divided by infinity)
/// although `x` is not NaN and the function has a limit. `label` names the rule that leaves open whether an
/// implementation returns NaN or the limit.
pub fn or_limit(y: Number, x: Number, limit: f64, label: crate::Label) -> Number {
    if y.is_nan() && !x.is_nan() { y.or(x.like(limit), label) } else { y }
}

/// Computes `1 / (1 + e^-x)` in float64.
pub fn exact_sigmoid(x: f64) -> f64 {
    if x < 0.0 {
        let e = libm::exp(x);
        return e / (1.0 + e);
    }
    1.0 / (1.0 + libm::exp(-x))
}

/// Computes `1 / (1 + e^-x)` in the steps of the formula. In the arithmetic that says so, accepts `(1 + tanh(x / 2)) / 2`,
/// too.
pub fn sigmoid(x: Number) -> Number {
    let one = x.like(1.0);
    let y = one / (one + (-x).exp());
    if !computes_sigmoid_by_tanh() {
        return y;
    }
    let half = x.like(0.5);
    y.hull((one + (x * half).tanh()) * half)
}

/// Computes `1 / (1 + e^-x)`. If `x` is below zero, the formula is `e^x / (1 + e^x)`, which has no large intermediate
/// values.
pub fn sigmoid_below_zero(x: Number) -> Number {
    if x.mid() >= 0.0 {
        return sigmoid(x);
    }
    // The power occurs twice in the formula, but its error counts once. The sum lies between 1 and 2, so that rounding it
    // changes it by at most half of the distance between 1 and the next number.
    let unit = x.dtype().float_format().map_or(f64::EPSILON, |f| f.ulp(1.0)) / 2.0;
    let of_sum = Real { low: 1.0 - unit, high: 1.0 + unit, ..x.like(1.0).real() };
    x.exp().map_real(|e| e.increasing(Function::Divide, |e| e / (1.0 + e)).times(of_sum))
}

/// Computes `ln(1 + e^x)` in float64.
pub fn exact_softplus(x: f64) -> f64 {
    x.max(0.0) + libm::log1p(libm::exp(-x.abs()))
}

/// Computes `ln(1 + e^x)` in the steps of the formula.
pub fn softplus(x: Number) -> Number {
    log_of_sum(x.exp())
}

/// Computes `ln(1 + power)`. No implementation rounds the sum of 1 and a power to less than 1.
pub fn log_of_sum(power: Number) -> Number {
    let sum = within(power + power.like(1.0), 1.0, f64::INFINITY);
    within(sum.log(), 0.0, f64::INFINITY)
}

/// Computes `ln(1 + e^x)` without large intermediate values, as `max(x, 0) + ln(1 + e^-|x|)`.
pub fn softplus_of_magnitude(x: Number) -> Number {
    within(x, 0.0, f64::INFINITY) + within((-x.abs()).exp().log_1p(), 0.0, 1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn interval(low: f64, mid: f64, high: f64) -> Number {
        Real { low, mid, high, ..Real::constant(mid, DType::Float) }.into()
    }

    #[test]
    fn an_interval_on_both_sides_of_the_boundary_takes_both_branches() {
        let y = piecewise(interval(-0.5, 0.25, 1.0), 0.0, |x| x * x.like(4.0), |x| x).real();
        assert_eq!((y.mid, y.high), (0.25, 1.0));
        assert!(y.low <= -2.0 && y.low > -2.001);
        let nan = piecewise(Real::exact(f64::NAN, DType::Float).into(), 0.0, |x| x.like(1.0), |x| x);
        assert!(nan.is_nan());
    }

    #[test]
    fn a_subnormal_number_that_is_compared_as_zero_takes_both_branches() {
        let mut flush = crate::Policy::default();
        flush.flush_subnormals = true;
        let y =
            |x: f32| piecewise(Real::exact(f64::from(x), DType::Float).into(), 0.0, |x| x * x.like(0.25), |x| x).real();
        let small = -1e-40f32;
        let accepted = |y: Real| [small, small / 4.0, 0.0].map(|value| y.accepts(f64::from(value)));
        assert_eq!(accepted(y(small)), [false, true, false]);
        assert_eq!(crate::precision::under(&flush, || accepted(y(small))), [true; 3]);
        assert!(!crate::precision::under(&flush, || y(-1.0).accepts(-1.0)));
    }

    /// 0.1 * 3 - 0.3 in float64: the rounded product is 2^-55 too large; a fused multiply-add does not round it.
    #[test]
    fn a_product_in_a_sum_may_be_fused_or_rounded() {
        let double = |x: f64| Number::constant(x, DType::Double);
        let y = multiply_add(double(0.1), double(3.0), double(-0.3)).real();
        assert_eq!(y.high, 0.1 * 3.0 - 0.3);
        assert_eq!(y.low, 0.1_f64.mul_add(3.0, -0.3));
        assert!(y.low < y.high);
    }

    /// In float16, `x * x` overflows, and the formula `(x * x) / x` is ignored. In float32, in which an implementation
    /// may compute 16-bit elements, `x * x` does not overflow, and the formula gives `x`.
    #[test]
    fn a_formula_that_overflows_is_ignored() {
        let x = Number::constant(300.0, DType::Float16);
        let squared: Formula = &|x, _| (x * x) / x;
        let y = computed(x, |x| x, &[squared, &|x, _| x]).real();
        assert!(y.accepts(300.0) && !y.accepts(f64::INFINITY) && !y.accepts(302.0));
    }
}
