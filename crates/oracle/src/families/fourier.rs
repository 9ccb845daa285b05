//! Discrete Fourier transforms: sums in any order, or fast algorithms.
//!
//! A fast algorithm loses log2(n) times a few units of the norm of the whole transform, whatever its elements are (Higham, "Accuracy and Stability of
//! Numerical Algorithms", 24.1); one that makes a convolution of it, for lengths that are no power of two, does so three times at about twice the
//! length.

use std::f64::consts::TAU;

use crate::prelude::*;

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
    fn sum(&self, k: usize, samples: &[Complex], dtype: DType) -> [Accumulator; 2] {
        let (mut real, mut imaginary) = (Accumulator::new(dtype), Accumulator::new(dtype));
        for ((c, s), (x, y)) in self.factors[k * self.length..].iter().zip(samples) {
            real.add_product(*c, *x);
            imaginary.add_product(*s, *x);
            if y.low != 0.0 || y.high != 0.0 {
                real.add_product(s.neg(), *y);
                imaginary.add_product(*c, *y);
            }
        }
        [real, imaginary]
    }

    /// The same of samples that are finite; none where the factor of another one is not zero.
    fn sum_of_finite(&self, k: usize, samples: &[Complex], dtype: DType) -> [Option<Accumulator>; 2] {
        let finite = |x: &Real| x.low.is_finite() && x.high.is_finite() && !x.nan;
        [false, true].map(|imaginary| {
            let mut sum = Accumulator::new(dtype);
            for ((c, s), (x, y)) in self.factors[k * self.length..].iter().zip(samples) {
                let factors = if imaginary { [*s, *c] } else { [*c, s.neg()] };
                for (factor, x) in factors.into_iter().zip([x, y]) {
                    match finite(x) {
                        true => sum.add_product(factor, *x),
                        false if factor.low <= 0.0 && factor.high >= 0.0 => {}
                        false => return None,
                    }
                }
            }
            Some(sum)
        })
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
    // Of an angle of a circle at most pi, the product and the quotient are rounded, and so is the function.
    let unit = working.float_format().map_or(f64::EPSILON, |f| f.ulp(1.0)) / 2.0;
    let lost = unit * (3.0 * angle.min(TAU - angle) + 2.0);
    let around = |x: f64| Real { low: x - lost, mid: x, high: x + lost, ..Real::constant(x, working) };
    (around(cosine), around(sign * sine))
}

/// How far a fast algorithm may stray from an element of a transform, and whether partial transforms may overflow.
#[derive(Clone, Copy, Debug)]
struct Stray {
    most: f64,
    overflows: bool,
}

/// That of the transform of these samples, in float or in double.
fn stray(samples: &[Complex], length: usize, dtype: DType) -> Stray {
    if length == 1 {
        return Stray { most: 0.0, overflows: false };
    }
    let working = if dtype == DType::Double { dtype } else { DType::Float };
    let unit = working.float_format().map_or(f64::EPSILON, |f| f.ulp(1.0)) / 2.0;
    let size = |x: &Real| x.low.abs().max(x.high.abs());
    let largest = samples.iter().map(|(x, y)| size(x).max(size(y))).fold(0.0, f64::max);
    if !largest.is_finite() {
        return Stray { most: 0.0, overflows: true };
    }
    // Squares of the largest numbers of float64 have no room in it.
    let share = |x: &Real| if largest == 0.0 { 0.0 } else { size(x) / largest };
    let magnitudes = || samples.iter().map(|(x, y)| share(x).hypot(share(y)));
    let norm = magnitudes().map(|x| x * x).sum::<f64>().sqrt();
    // Partial transforms may overflow where their sum does not.
    let most = norm * (length as f64).sqrt();
    let overflows = most * largest > working.float_format().map_or(f64::MAX, |f| f.max_finite());
    // Each partial transform is at most the sum of the magnitudes. Where a convolution is made of the transform, it is at most the norm times the
    // root of the length.
    let (levels, most) = match length.is_power_of_two() {
        true => (length.trailing_zeros(), magnitudes().sum::<f64>()),
        false => (3 * (2 * length - 1).next_power_of_two().trailing_zeros(), most),
    };
    // A factor, a product of complex numbers and a sum a level.
    const LEVEL: f64 = 7.0;
    let smallest = working.float_format().map_or(0.0, |f| f.min_positive());
    Stray { most: LEVEL * smallest * length as f64 + LEVEL * unit * f64::from(levels) * most * largest, overflows }
}

/// A sum as it is stored, from which a fast algorithm strays, divided by `length` where the transform is an inverse one. What may overflow on the way
/// may be an infinity or NaN (`label`).
fn stored(sum: Accumulator, stray: Stray, length: Option<usize>, dtype: DType, label: Label) -> Number {
    let exact = sum.finish_kept();
    let kept = Real { low: exact.low - stray.most, high: exact.high + stray.most, ..exact };
    let scaled = match length {
        Some(length) => kept.over(Real::constant(length as f64, kept.dtype)),
        None => kept,
    };
    let number = Number::from(if scaled.dtype == dtype { scaled } else { scaled.to_dtype(dtype) });
    if !stray.overflows && kept.low.is_finite() && kept.high.is_finite() {
        return number;
    }
    or_infinite(number, label)
}

/// The number, or what infinities of either sign come to.
fn or_infinite(number: Number, label: Label) -> Number {
    let others = [f64::NEG_INFINITY, f64::INFINITY, f64::NAN];
    others.into_iter().fold(number, |number, x| number.or_other(number.like(x), label))
}

/// One output of a transform of the samples that `all` holds in parts: real and imaginary part.
pub struct Transform<'a> {
    /// The factors.
    pub factors: &'a Factors,
    /// How many parts a sample has.
    pub parts: usize,
    /// The type of the output.
    pub dtype: DType,
    /// What the sums are divided by.
    pub divisor: Option<usize>,
    /// The rule for samples that are not finite, and for sums that overflow on the way.
    pub label: Label,
}

impl Transform<'_> {
    /// The outputs `0..outputs` for these numbers, of which `samples` makes the samples of the sum.
    pub fn of(&self, all: &[Number], outputs: usize, samples: impl Fn(&[Complex]) -> Vec<Complex>) -> Vec<[Number; 2]> {
        let preferred = self.given(all, Number::real);
        let stray_of = |given: &[Complex]| stray(given, self.factors.length, self.dtype);
        let (stray, summed) = (stray_of(&preferred), samples(&preferred));
        let finite = all.iter().all(|x| x.mid().is_finite());
        let open = all.iter().find_map(|x| x.latitude).map(|latitude| {
            let widest = self.given(all, Number::widest);
            (latitude.label, stray_of(&widest), samples(&widest))
        });
        let store = |sum, stray| stored(sum, stray, self.divisor, self.dtype, self.label);
        let output = |k: usize| {
            let sums = match finite {
                true => self.factors.sum(k, &summed, self.dtype).map(|sum| store(sum, stray)),
                false => self.factors.sum_of_finite(k, &summed, self.dtype).map(|sum| self.spoilt(sum)),
            };
            let Some((label, stray, widest)) = &open else { return sums };
            let others = self.factors.sum(k, widest, self.dtype).map(|sum| store(sum, *stray));
            [sums[0].or_other(others[0], *label), sums[1].or_other(others[1], *label)]
        };
        (0..outputs).map(output).collect()
    }

    fn given(&self, all: &[Number], real: impl Fn(&Number) -> Real) -> Vec<Complex> {
        let zero = Real::constant(0.0, self.dtype);
        all.chunks(self.parts).map(|x| (real(&x[0]), x.get(1).map_or(zero, &real))).collect()
    }

    /// By the formula NaN, as infinities of both signs, or none and zero, come together, or an infinity; where the factors of all samples that are
    /// not finite are zero, these may be left out.
    fn spoilt(&self, left_out: Option<Accumulator>) -> Number {
        let spoilt = or_infinite(Number::constant(f64::NAN, self.dtype), self.label);
        let none = Stray { most: 0.0, overflows: false };
        left_out.map_or(spoilt, |sum| spoilt.or(stored(sum, none, self.divisor, self.dtype, self.label), self.label))
    }
}
