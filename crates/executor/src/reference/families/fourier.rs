//! Discrete Fourier transforms: sums in any order, or fast algorithms.
//!
//! A fast algorithm loses log2(n) times a few units of the norm of the whole transform, whatever its elements are (Higham, "Accuracy and Stability of Numerical
//! Algorithms", 24.1); one that makes a convolution of it, for lengths that are no power of two, does so three times at about twice the length.

use std::f64::consts::TAU;

use crate::reference::prelude::*;

/// A complex number.
pub type Complex = (Real, Real);

/// The factors of a transform of some length: `e^(direction * 2 pi j k n / length)`, as float or double of an angle that is computed in it.
pub struct Factors {
    length: usize,
    factors: Vec<Complex>,
}

impl Factors {
    /// For outputs `0..outputs`, of `length` samples each.
    pub fn new(length: usize, outputs: usize, inverse: bool, dtype: DType) -> Result<Factors, Refusal> {
        shape::affordable(&[length, outputs])?;
        let working = if dtype == DType::Double { dtype } else { DType::Float };
        let sign = if inverse { 1.0 } else { -1.0 };
        let factor = |i: usize| factor(i / length, i % length, length, sign, working);
        Ok(Factors { length, factors: (0..length * outputs).map(factor).collect() })
    }

    /// Output `k` for samples, of which those that are missing are zero: real and imaginary part, each a sum in any order.
    pub fn sum(&self, k: usize, samples: &[Complex], dtype: DType) -> (Accumulator, Accumulator) {
        let (mut real, mut imaginary) = (Accumulator::new(dtype), Accumulator::new(dtype));
        for ((c, s), (x, y)) in self.factors[k * self.length..].iter().zip(samples) {
            real.add_product(*c, *x);
            imaginary.add_product(*s, *x);
            if y.low != 0.0 || y.high != 0.0 {
                real.add_product(s.neg(), *y);
                imaginary.add_product(*c, *y);
            }
        }
        (real, imaginary)
    }
}

fn factor(k: usize, n: usize, length: usize, sign: f64, working: DType) -> Complex {
    // The exact one, of the angle less some circles.
    let rest = (k * n) % length;
    let angle = TAU * rest as f64 / length as f64;
    let (cosine, sine) = match (4 * rest).checked_rem(length) {
        Some(0) => [(1.0, 0.0), (0.0, 1.0), (-1.0, 0.0), (0.0, -1.0)][4 * rest / length],
        _ => (libm::cos(angle), libm::sin(angle)),
    };
    if k * n == 0 {
        return (Real::constant(1.0, working), Real::constant(0.0, working));
    }
    let unit = working.float_format().map_or(f64::EPSILON, |f| f.ulp(1.0));
    // Pi, the product and the quotient are rounded, and so is the function.
    let lost = unit * (2.0 * TAU * (k * n) as f64 / length as f64 + 4.0);
    let around = |x: f64| Real { low: x - lost, mid: x, high: x + lost, ..Real::constant(x, working) };
    (around(cosine), around(sign * sine))
}

/// How far a fast algorithm may stray from an element of the transform of these samples, in float or in double.
pub fn lost(samples: &[Complex], length: usize, dtype: DType) -> f64 {
    if length == 1 {
        return 0.0;
    }
    let working = if dtype == DType::Double { dtype } else { DType::Float };
    let unit = working.float_format().map_or(f64::EPSILON, |f| f.ulp(1.0)) / 2.0;
    let size = |x: &Real| x.low.abs().max(x.high.abs());
    let norm = samples.iter().map(|(x, y)| size(x).powi(2) + size(y).powi(2)).sum::<f64>().sqrt();
    let (times, length) =
        if length.is_power_of_two() { (1, length) } else { (3, (2 * length - 1).next_power_of_two()) };
    // Four operations and a factor a level.
    const LEVEL: f64 = 10.0;
    let smallest = working.float_format().map_or(0.0, |f| f.min_positive());
    // Partial transforms may overflow where their sum does not.
    if norm * (length as f64).sqrt() > working.float_format().map_or(f64::MAX, |f| f.max_finite()) {
        return f64::INFINITY;
    }
    LEVEL * smallest * length as f64
        + LEVEL * unit * f64::from(times * length.trailing_zeros()) * (length as f64).sqrt() * norm
}

/// A sum as it is stored, from which a fast algorithm strays by `lost`, divided by `length` where the transform is an inverse one. What overflows on the way may be
/// anything (`label`).
pub fn stored(sum: Accumulator, lost: f64, length: Option<usize>, dtype: DType, label: Label) -> Number {
    let exact = sum.finish_kept();
    let kept = Real { low: exact.low - lost, high: exact.high + lost, ..exact };
    let scaled = match length {
        Some(length) => kept.over(Real::constant(length as f64, kept.dtype)),
        None => kept,
    };
    let overflows = !kept.low.is_finite() || !kept.high.is_finite();
    let scaled = if scaled.dtype == dtype { scaled } else { scaled.to_dtype(dtype) };
    let number = Number::from(scaled);
    if overflows { number.undecided(label) } else { number }
}

/// What a transform is of samples that are not all finite, or on which the specification does not decide: by the formula NaN, as infinities of both signs, or none and zero, come
/// together; how much of that an algorithm finds is open (`label`).
pub fn spoilt(samples: &[Number], label: Label) -> Option<Number> {
    let open = samples.iter().find_map(|x| x.latitude);
    if open.is_none() && samples.iter().all(|x| x.mid().is_finite()) {
        return None;
    }
    let dtype = samples.first().map_or(DType::Float, Number::dtype);
    let label = if samples.iter().all(|x| x.mid().is_finite()) { open.map_or(label, |l| l.label) } else { label };
    Some(Number::constant(f64::NAN, dtype).undecided(label))
}
