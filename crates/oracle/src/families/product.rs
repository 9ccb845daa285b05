//! Products of many factors, in any order.
//!
//! Whatever the order, the product of n factors at unit roundoff u has a relative error of at most
//! `(n-1)u / (1 - (n-1)u)` (Higham, "Accuracy and Stability of Numerical Algorithms", 3.1), unless a partial product
//! overflows or underflows. The order decides whether one does.

use plumbline_tensor::FloatFormat;

use crate::prelude::*;
use crate::{Allowed, accumulation, wrap};

/// Returns the product of numbers of one type. Integers wrap around, which the specification leaves open (`integers`).
/// It also leaves open what an overflow or underflow of a partial product of real numbers leads to, because that
/// depends on the order (`order`).
pub fn product(factors: &[Number], dtype: DType, integers: Label, order: Label) -> Number {
    product_kept_in(accumulation(dtype), factors, dtype, integers, order)
}

/// Does the same as [`product`], with partial products of real numbers kept in the type `keeps`.
pub fn product_kept_in(keeps: DType, factors: &[Number], dtype: DType, integers: Label, order: Label) -> Number {
    let result = match dtype.is_float() {
        true => reals(factors, dtype, keeps, order),
        false => ints(factors, dtype, integers),
    };
    match dtype.is_float() {
        true => result.opened_by(factors, |widest| in_order(widest, dtype, keeps).widened(factors.len() as f64)),
        false => result,
    }
}

/// Multiplies the factors in one order, and widens each step.
fn in_order(factors: impl IntoIterator<Item = Real>, dtype: DType, keeps: DType) -> Real {
    let one = Real::constant(1.0, keeps);
    factors.into_iter().fold(one, |product, x| product.times(x.at_precision(keeps))).to_dtype(dtype)
}

fn ints(factors: &[Number], dtype: DType, label: Label) -> Number {
    let exact = factors.iter().try_fold(1i128, |p, x| p.checked_mul(x.mid_int()));
    match exact {
        _ if factors.iter().map(|x| x.widest().abs().high.max(1.0)).product::<f64>() > 2f64.powi(120)
            && !factors.iter().all(Number::is_point) =>
        {
            Number::int(0, dtype).or_whole_range()
        }
        _ if !factors.iter().all(Number::is_point) => factors
            .iter()
            .fold(Number::int(1, dtype), |p, x| p.combine(*x, i128::saturating_mul, Real::times))
            .wraps(label),
        Some(value) => Number::int(value, dtype).wraps(label),
        None => {
            let wrapped = factors.iter().fold(1i128, |p, x| wrap(p.wrapping_mul(x.mid_int()), dtype));
            Number::int(wrapped, dtype).overflowed(label)
        }
    }
}

/// A positive number as a fraction in [0.5, 1) and a power of two, so that nothing overflows.
#[derive(Clone, Copy)]
struct Scaled {
    fraction: f64,
    /// The difference between the exact fraction and `fraction`.
    rest: f64,
    power: i64,
}

impl Scaled {
    const ONE: Scaled = Scaled { fraction: 0.5, rest: 0.0, power: 1 };

    /// Multiplies by a positive finite number, and carries along what is rounded off.
    fn times(self, x: f64) -> Scaled {
        let (y, power) = libm::frexp(x);
        let product = self.fraction * y;
        let rest = self.rest * y + libm::fma(self.fraction, y, -product);
        let (fraction, shift) = libm::frexp(product);
        Scaled { fraction, rest: libm::scalbn(rest, -shift), power: self.power + i64::from(power) + i64::from(shift) }
    }

    /// Returns the nearest float64; ties go to even.
    fn value(self) -> f64 {
        let subnormal_bits = self.power + 1074;
        if subnormal_bits <= 52 {
            return self.subnormal(subnormal_bits);
        }
        let (fraction, shift) = libm::frexp(self.fraction + self.rest);
        libm::scalbn(fraction, (self.power + i64::from(shift)).clamp(-3000, 3000) as i32)
    }

    /// Returns the nearest subnormal float64, rounded once. Adding `fraction + rest` first would round twice.
    fn subnormal(self, bits: i64) -> f64 {
        let bits = bits.max(-60) as i32;
        let (units, rest) = (libm::scalbn(self.fraction, bits), libm::scalbn(self.rest, bits));
        let whole = units.floor();
        let beyond_half = units - whole - 0.5 + rest;
        let up = beyond_half > 0.0 || beyond_half == 0.0 && whole % 2.0 == 1.0;
        f64::from_bits(whole as u64 + u64::from(up))
    }

    /// Returns whether a significand of this many bits holds the number.
    fn fits(self, precision: u32) -> bool {
        self.rest == 0.0 && libm::scalbn(self.fraction, precision as i32).fract() == 0.0
    }
}

/// Returns the product of factors in whose place intervals are accepted.
fn uncertain(factors: &[Number], dtype: DType, keeps: DType) -> Number {
    let reals = || factors.iter().map(Number::real);
    let product = in_order(reals(), dtype, keeps);
    // The error of a whole product may be larger than those of the steps in one order.
    let product = Number::from(product.widened(factors.len() as f64));
    let format = FloatFormat::for_dtype(keeps).expect("products are kept in a floating-point type");
    let most: f64 = reals().map(|x| x.low.abs().max(x.high.abs()).max(1.0)).product();
    let least: f64 = reals().map(|x| x.low.abs().min(x.high.abs()).min(1.0)).product();
    // In some order, a partial product may overflow, or lose digits and be enlarged again.
    if most * 2.0 > format.max_finite() || least < format.min_normal() && most > 1.0 {
        return product.or_whole_range();
    }
    product
}

fn reals(factors: &[Number], dtype: DType, keeps: DType, order: Label) -> Number {
    let points = factors.iter().all(Number::is_point);
    let one = Real::constant(1.0, keeps);
    if !points {
        return uncertain(factors, dtype, keeps);
    }
    let values: Vec<f64> = factors.iter().map(Number::mid).collect();
    let constant = |x: f64| Number::from(Real::constant(x, dtype));
    let negative = values.iter().filter(|x| x.is_sign_negative()).count() % 2 == 1;
    let sign = if negative { -1.0 } else { 1.0 };
    let (mut whole, mut growing, mut shrinking) = (Scaled::ONE, Scaled::ONE, Scaled::ONE);
    for x in values.iter().map(|x| x.abs()).filter(|x| x.is_finite() && *x > 0.0) {
        whole = whole.times(x);
        if x > 1.0 { growing = growing.times(x) } else { shrinking = shrinking.times(x) }
    }
    let format = FloatFormat::for_dtype(keeps).expect("products are kept in a floating-point type");
    let unit = libm::scalbn(1.0, -(format.precision() as i32));
    let roundings = values.len().saturating_sub(1) as f64 * unit;
    // A product is exact if no bit is lost in any order. A subnormal product may lose bits even if it has only a few.
    let exact = values.len() < 2 || whole.fits(format.precision()) && whole.value() >= format.min_normal();
    let relative = if exact { 0.0 } else { roundings / (1.0 - roundings).max(0.5) };
    let most = growing.value() * (1.0 + relative);
    let least = shrinking.value() * (1.0 - relative);
    let (zero, infinite) = (values.contains(&0.0), values.iter().any(|x| x.is_infinite()));
    let grows_over = most > format.max_finite();
    if values.iter().any(|x| x.is_nan()) || zero && infinite {
        return constant(f64::NAN);
    }
    if zero {
        // A partial product that overflows before the zero is multiplied makes the result NaN.
        let result = constant(0.0);
        return if grows_over { result.or(constant(f64::NAN), order) } else { result };
    }
    let vanishes = least < format.min_normal();
    if infinite {
        // A partial product that underflows to zero before the infinity is multiplied makes the result NaN.
        let result = constant(sign * f64::INFINITY);
        return if least < format.min_positive() { result.or(constant(f64::NAN), order) } else { result };
    }
    let mid = sign * whole.value();
    // A subnormal final product is rounded once more, by up to half a step. A step is the distance between subnormal
    // numbers. For two float64 factors, `mid` is already this rounded product. For more float64 factors, the margin is
    // a whole step, because float64 cannot represent half a step.
    let half_step = match mid.abs() < format.min_normal() && relative > 0.0 {
        true if keeps != DType::Double => format.min_positive() / 2.0,
        true if values.len() > 2 => format.min_positive(),
        _ => 0.0,
    };
    // Compensated arithmetic leaves almost no error in `mid`; the margin covers it.
    let slack = mid.abs() * (relative + if relative > 0.0 { 1e-20 } else { 0.0 }) + half_step;
    let widen = |x: f64, by: f64| Real { low: x - by, mid: x, high: x + by, ..one }.to_dtype(dtype);
    let result =
        Number::from(if slack == 0.0 { Real::constant(mid, keeps).to_dtype(dtype) } else { widen(mid, slack) });
    let overflowing = grows_over && mid.abs() < format.max_finite();
    let underflowing = vanishes && growing.value() > 1.0;
    match (overflowing, underflowing) {
        (false, false) => result,
        (true, false) => result.or(constant(sign * f64::INFINITY), order),
        // A partial product may underflow. If another partial product may overflow, a zero may be multiplied with an
        // infinity.
        _ => {
            // Each rounding of a subnormal partial product loses up to half a step. Later factors above 1 enlarge this
            // loss. Such a rounding makes the partial product zero, or at most doubles it.
            let doubled = libm::scalbn(1.0, values.len().min(1000) as i32);
            let lost = (values.len() as f64 * format.min_positive() / 2.0 * most)
                .min(mid.abs().max(format.min_positive()) * doubled);
            let wide = widen(mid, slack + lost);
            let lossy = if negative { (wide.low, wide.high.min(0.0)) } else { (wide.low.max(0.0), wide.high) };
            let lossy = result.or(Allowed::between(lossy.0, lossy.1), order);
            match overflowing {
                true => lossy.or(Allowed::either(sign * f64::INFINITY, f64::NAN), order),
                false => lossy,
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn multiplied(dtype: DType, values: &[f64]) -> Number {
        let factors: Vec<Number> = values.iter().map(|&x| Real::exact(x, dtype).into()).collect();
        product(&factors, dtype, rule::INTEGER_OVERFLOW, rule::INTERMEDIATE_OVERFLOW)
    }

    fn accepts(x: &Number, value: f64) -> bool {
        x.real().accepts(value)
    }

    #[test]
    fn small_integers_are_exact_in_any_order() {
        let x = multiplied(DType::Float, &[3.0, -5.0, 7.0, 0.5]);
        assert!(x.is_point() && x.mid() == -52.5);
    }

    #[test]
    fn products_are_accepted_with_one_rounding_for_each_step() {
        let third = f64::from(1.0f32 / 3.0);
        let x = multiplied(DType::Float, &[third, 3.0, 1.1f32.into()]);
        let ulp = f64::from(f32::EPSILON);
        let near = f64::from(1.1f32);
        assert!(accepts(&x, near) && accepts(&x, near + ulp) && !accepts(&x, near + 4.0 * ulp), "{x:?}");
        assert!(x.latitude.is_none());
    }

    #[test]
    fn the_order_decides_whether_a_partial_product_overflows() {
        let big = f64::from(1e30f32);
        let x = multiplied(DType::Float, &[big, big, f64::from(1e-30f32), -1.0]);
        assert!(accepts(&x, x.mid()) && !accepts(&x, f64::NEG_INFINITY));
        assert_eq!(x.latitude.map(|l| l.allowed), Some(Allowed::real(f64::NEG_INFINITY)));
        // With a zero, the overflow becomes NaN.
        let x = multiplied(DType::Float, &[big, big, 0.0]);
        assert!(accepts(&x, 0.0) && x.latitude.is_some());
        // A product of float16 is kept as a float, so that nothing overflows on the way.
        assert!(multiplied(DType::Float16, &[1000.0, 1000.0, 0.001]).latitude.is_none());
    }

    #[test]
    fn a_product_beyond_the_type_is_infinite() {
        let x = multiplied(DType::Float, &[1e30, -1e30]);
        assert!(accepts(&x, f64::NEG_INFINITY) && !accepts(&x, f64::from(f32::MIN)), "{x:?}");
    }

    #[test]
    fn subnormal_products_are_rounded() {
        let x = f64::from(f32::MIN_POSITIVE) * 0.75;
        let product = multiplied(DType::Float, &[x, 0.0625 + 2f64.powi(-22)]);
        assert!(!product.is_point() && accepts(&product, f64::from(product.mid() as f32)));
        assert!(multiplied(DType::Float, &[x]).is_point());
    }

    #[test]
    fn subnormal_products_of_doubles_are_rounded_once() {
        let largest_subnormal = f64::MIN_POSITIVE.next_down();
        let mut x = 0.5;
        for step in 1..2000 {
            x += f64::from(step) * 1.25e-7;
            let product = multiplied(DType::Double, &[x, largest_subnormal]);
            assert!(product.is_point() && product.mid() == x * largest_subnormal, "{x} {product:?}");
        }
        let three = multiplied(DType::Double, &[0.75, 0.9, largest_subnormal]);
        let step = f64::from_bits(1);
        assert!(accepts(&three, 0.75 * 0.9 * largest_subnormal) && accepts(&three, three.mid() - step), "{three:?}");
        assert!(!accepts(&three, three.mid() - 3.0 * step), "{three:?}");
        assert_eq!(multiplied(DType::Double, &[f64::from_bits(1), 0.5]).mid(), 0.0);
        assert_eq!(multiplied(DType::Double, &[f64::from_bits(3), 0.5]).mid(), f64::from_bits(2));
        assert_eq!(multiplied(DType::Double, &[1e-200, -1e-200]).mid(), 0.0);
    }

    #[test]
    fn integers_wrap_and_that_is_left_open() {
        let ints = |values: &[i128], dtype| {
            let factors: Vec<Number> = values.iter().map(|&v| Number::int(v, dtype)).collect();
            product(&factors, dtype, rule::INTEGER_OVERFLOW, rule::INTERMEDIATE_OVERFLOW)
        };
        assert!(ints(&[1000, -3], DType::Int32).latitude.is_none());
        let x = ints(&[1 << 20, 1 << 12], DType::Int32);
        assert!(x.mid_int() == 0 && x.latitude.is_some());
        let x = ints(&[(1 << 64) - 1; 5], DType::Uint64);
        assert!(x.mid_int() == (1 << 64) - 1 && x.latitude.is_some());
        assert_eq!(ints(&[], DType::Int64).mid_int(), 1);
    }
}
