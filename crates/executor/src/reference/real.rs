//! A real number as the oracle knows it: the answer, and how far a correct implementation may stray from it.
//!
//! `mid` is the exact result as float64 sees it; `[low, high]` is what implementations working at the precision of
//! `dtype` may have at this step (running error analysis: each step maps the ends and widens them by what it may lose).

mod functions;

use plumbline_tensor::{DType, FloatFormat, Saturation};

use super::precision::{self, Function};

/// A real number with what is accepted in its place.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Real {
    /// Smallest accepted value; NaN where no number is accepted.
    pub low: f64,
    /// The exact result, rounded to float64.
    pub mid: f64,
    /// Largest accepted value; NaN where no number is accepted.
    pub high: f64,
    /// The type whose precision each step has.
    pub dtype: DType,
    /// Whether NaN is accepted.
    pub nan: bool,
    /// Whether the sign of a zero counts.
    pub signed_zero: bool,
    /// Whether only integers between the ends are accepted.
    pub integral: bool,
}

impl Real {
    /// An element as it stands in a tensor.
    #[inline]
    pub fn exact(value: f64, dtype: DType) -> Real {
        let mut real = Real {
            low: value,
            mid: value,
            high: value,
            dtype,
            nan: value.is_nan(),
            signed_zero: true,
            integral: false,
        };
        if precision::flushing() {
            real = real.flushed();
        }
        real
    }

    /// A constant of the formula: no error, and the sign of a zero does not count.
    #[inline]
    pub fn constant(value: f64, dtype: DType) -> Real {
        Real { signed_zero: false, ..Real::exact(value, dtype) }
    }

    /// Whether exactly one value is accepted.
    #[inline]
    pub fn is_point(&self) -> bool {
        self.low == self.high && !self.nan || self.low.is_nan()
    }

    /// Whether the answer is NaN, nothing else being accepted.
    #[inline]
    pub fn is_nan(&self) -> bool {
        self.mid.is_nan() && self.low.is_nan()
    }

    /// The same number at another precision, rounded to it (correctly: casts have no latitude).
    pub fn to_dtype(self, dtype: DType) -> Real {
        Real { dtype, ..self }.nearest().flushed_where_allowed()
    }

    /// Subnormal ends become zero where the policy in force lets them.
    pub fn flushed_where_allowed(self) -> Real {
        if precision::flushing() { self.flushed() } else { self }
    }

    /// Everything that either of two ways to compute the same number accepts; the answer is that of this one.
    #[inline]
    pub fn hull(self, other: Real) -> Real {
        if self.low.is_nan() || other.low.is_nan() {
            return Real { nan: self.nan || other.nan, ..if self.low.is_nan() { other } else { self } };
        }
        Real {
            low: self.low.min(other.low),
            high: self.high.max(other.high),
            nan: self.nan || other.nan,
            signed_zero: self.signed_zero && other.signed_zero,
            integral: self.integral && other.integral,
            ..self
        }
    }

    /// The same number, with later steps at another precision; no rounding.
    pub fn at_precision(self, dtype: DType) -> Real {
        Real { dtype, ..self }
    }

    #[inline]
    fn format(&self) -> &'static FloatFormat {
        FloatFormat::of(self.dtype).unwrap_or_else(|| FloatFormat::of(DType::Double).expect("float64 has a layout"))
    }

    /// Both ends rounded to nearest in the type: what storing this number does.
    pub fn nearest(self) -> Real {
        let format = self.format();
        let round = |x: f64| if x.is_nan() { x } else { format.decode(format.encode(x, Saturation::None)) };
        let (low, mid, high) = (round(self.low), round(self.mid), round(self.high));
        Real { low, mid, high, nan: self.nan || mid.is_nan(), ..self }
    }

    fn flushed(self) -> Real {
        let tiny = self.format().min_normal();
        let (mut low, mut high) = (self.low, self.high);
        if low > 0.0 && low < tiny {
            low = 0.0;
        }
        if high < 0.0 && high > -tiny {
            high = 0.0;
        }
        Real { low, high, signed_zero: self.signed_zero && low != 0.0 && high != 0.0, ..self }
    }

    /// Widened by an error of `ulps` units in the last place of the type; 0.5 is a correct rounding.
    #[inline]
    pub fn widened(self, ulps: f64) -> Real {
        if self.low.is_nan() || ulps == 0.0 {
            return Real { signed_zero: false, ..self };
        }
        let format = self.format();
        let point = self.low == self.high;
        if self.dtype == DType::Double {
            // The steps above computed in float64 themselves: correctly rounded where the operands were points.
            if point && ulps <= 0.5 {
                return self.guarded(self.low, self.high);
            }
            let slack = ulps + 1.0;
            return self.guarded(self.low - slack * format.ulp(self.low), self.high + slack * format.ulp(self.high));
        }
        if point && ulps <= 0.5 && format.decode(format.encode(self.low, Saturation::None)) == self.low {
            return self.guarded(self.low, self.high);
        }
        let low = (self.low - ulps * format.ulp(self.low)).next_down();
        let high = (self.high + ulps * format.ulp(self.high)).next_up();
        self.guarded(low, high)
    }

    /// Ends beyond the largest finite value of the type: infinity from half a step above it on, and where the interval crosses it.
    /// The inner end of 16-bit and smaller types stays where it is: an implementation may keep steps in float, which does not overflow.
    #[inline]
    fn guarded(self, low: f64, high: f64) -> Real {
        let format = self.format();
        let max = format.max_finite();
        if low.abs() <= max && high.abs() <= max && !precision::flushing() {
            return Real { low, high, signed_zero: false, ..self };
        }
        let threshold = max + format.ulp(max) / 2.0;
        let kept_wider = !matches!(self.dtype, DType::Float | DType::Double);
        let stored = |x: f64, inner: bool| match x.abs() {
            a if a <= max => x,
            a if a < threshold => max.copysign(x),
            _ if inner && kept_wider => x,
            _ => f64::INFINITY.copysign(x),
        };
        let (low, high) = (stored(low, low > 0.0), stored(high, high < 0.0));
        let result = Real { low, high, signed_zero: false, ..self };
        if precision::flushing() { result.flushed() } else { result }
    }

    fn whole_line(self, mid: f64) -> Real {
        Real { low: f64::NEG_INFINITY, mid, high: f64::INFINITY, nan: true, signed_zero: false, ..self }
    }

    fn not_a_number(self) -> Real {
        Real { low: f64::NAN, mid: f64::NAN, high: f64::NAN, nan: true, signed_zero: false, ..self }
    }

    /// The result of a step whose ends were computed; NaN ends stand for operations such as inf - inf.
    #[inline]
    fn step(a: Real, b: Real, mid: f64, low: f64, high: f64, function: Function) -> Real {
        let nan = a.nan || b.nan;
        let base = Real { low, mid, high, dtype: a.dtype, nan, signed_zero: false, integral: false };
        if a.is_nan() || b.is_nan() {
            return base.not_a_number();
        }
        if low.is_nan() || high.is_nan() || mid.is_nan() {
            let points = a.low == a.high && b.low == b.high;
            return if points && !nan && mid.is_nan() { base.not_a_number() } else { base.whole_line(mid) };
        }
        if low == 0.0 && high == 0.0 && mid == 0.0 && a.dtype != DType::Double {
            // What is zero even in float64 is exactly zero, or far below the smallest number of the type.
            return base;
        }
        let exact = function == Function::Divide && base.is_scaling_by(b) && !precision::asks_for_more(function);
        base.widened(precision::ulps(if exact { Function::Multiply } else { function }, a.dtype))
    }

    /// Whether this quotient by `divisor` is a multiplication by a power of two, which loses nothing: see [`Real::over`].
    fn is_scaling_by(self, divisor: Real) -> bool {
        let format = self.format();
        let normal = |x: f64| x.abs() >= format.min_normal() && x.abs() <= format.max_finite();
        let power_of_two = divisor.is_point() && libm::frexp(divisor.low).0.abs() == 0.5;
        let one_sided = self.low > 0.0 || self.high < 0.0;
        power_of_two
            && normal(divisor.low)
            && normal(divisor.low.recip())
            && one_sided
            && normal(self.low)
            && normal(self.high)
    }

    /// `-x`; exact.
    #[allow(clippy::should_implement_trait)]
    pub fn neg(self) -> Real {
        Real { low: -self.high, mid: -self.mid, high: -self.low, ..self }
    }

    /// `|x|`; exact.
    pub fn abs(self) -> Real {
        if self.low.is_nan() {
            return self;
        }
        let (low, high) = match (self.low.abs(), self.high.abs()) {
            (a, b) if self.low < 0.0 && self.high > 0.0 => (0.0, a.max(b)),
            (a, b) => (a.min(b), a.max(b)),
        };
        Real { low, mid: self.mid.abs(), high, ..self }
    }

    /// `a + b`
    #[inline]
    pub fn plus(self, b: Real) -> Real {
        let sum = Real::step(self, b, self.mid + b.mid, self.low + b.low, self.high + b.high, Function::Add);
        // Both may have overflowed, to infinities of either sign.
        let opposite = |a: Real, b: Real| a.high == f64::INFINITY && b.low == f64::NEG_INFINITY;
        Real { nan: sum.nan || opposite(self, b) || opposite(b, self), ..sum }
    }

    /// `a - b`
    pub fn minus(self, b: Real) -> Real {
        self.plus(b.neg())
    }

    /// `a * b`
    #[inline]
    pub fn times(self, b: Real) -> Real {
        let (low, high) = corners(self, b, |x, y| x * y);
        Real::step(self, b, self.mid * b.mid, low, high, Function::Multiply).of_the_sign(low, high)
    }

    /// No rounding changes a sign: what was on one side of zero before a step was widened stays there.
    #[inline]
    fn of_the_sign(self, low: f64, high: f64) -> Real {
        match (low >= 0.0, high <= 0.0) {
            (true, _) => self.not_below(0.0),
            (_, true) => self.neg().not_below(0.0).neg(),
            _ => self,
        }
    }

    /// What is accepted of a number that no implementation makes smaller than this.
    #[inline]
    pub fn not_below(self, least: f64) -> Real {
        Real { low: if self.low < least { least } else { self.low }, ..self }
    }

    /// `a / b`
    ///
    /// Divides within the declared error, except by a power of two: that loses no more than a multiplication, and so nothing where `a` is
    /// a number of the type. It moves the exponent only, and each way to divide in use does so exactly: a correctly rounded
    /// division because the quotient is representable, and a multiplication by the reciprocal, tabulated or refined by Newton's steps,
    /// because the reciprocal of a power of two is one (the table's first entry; a step from an exact value stays there). This needs
    /// quotient, divisor and reciprocal to be normal, as subnormal numbers may be rounded, or lost in the middle of a division.
    /// Other quotients that are representable, such as 6 / 3, have no such rule: 6 times the rounded 1 / 3 need not be 2.
    #[inline]
    pub fn over(self, b: Real) -> Real {
        let mid = self.mid / b.mid;
        if b.low != b.high && b.low <= 0.0 && b.high >= 0.0 {
            return if self.is_nan() { self.not_a_number() } else { self.whole_line(mid) };
        }
        let (low, high) = corners(self, b, |x, y| x / y);
        Real::step(self, b, mid, low, high, Function::Divide).of_the_sign(low, high)
    }

    /// The remainder of `a / b` with the sign of `a` (C's fmod); exact for points.
    pub fn fmod(self, b: Real) -> Real {
        let mid = libm::fmod(self.mid, b.mid);
        if self.is_point() && b.is_point() {
            return Real::step(self, b, mid, mid, mid, Function::Remainder);
        }
        if self.is_nan() || b.is_nan() { self.not_a_number() } else { self.whole_line(mid) }
    }

    /// `x * 2^power`, of a formula rather than of an implementation: nothing is rounded, and nothing overflows in the type.
    pub fn scaled(self, power: i32) -> Real {
        let scale = |x: f64| libm::scalbn(x, power);
        Real { low: scale(self.low), mid: scale(self.mid), high: scale(self.high), ..self }
    }

    /// The same number, with nothing accepted outside of `[low, high]`, the range of its function.
    pub fn within(self, low: f64, high: f64) -> Real {
        // NaN stays.
        let clamp = |x: f64| {
            if x < low {
                low
            } else if x > high {
                high
            } else {
                x
            }
        };
        Real { low: clamp(self.low), mid: clamp(self.mid), high: clamp(self.high), ..self }
    }

    /// Whether a value of the type is accepted.
    pub fn accepts(&self, value: f64) -> bool {
        if value.is_nan() {
            return self.nan;
        }
        if !(self.low <= value && value <= self.high) {
            return false;
        }
        if self.integral && value.is_finite() && value.fract() != 0.0 {
            return false;
        }
        let zero_matters = self.signed_zero && value == 0.0 && self.mid == 0.0;
        !zero_matters || value.is_sign_negative() == self.mid.is_sign_negative()
    }
}

/// Smallest and largest of a function over the four corners; NaN where one of them is.
fn corners(a: Real, b: Real, f: impl Fn(f64, f64) -> f64) -> (f64, f64) {
    if a.low == a.high && b.low == b.high {
        let x = f(a.low, b.low);
        return (x, x);
    }
    let (x, y) = (f(a.low, b.low), f(a.high, b.high));
    let all =
        if a.low == a.high || b.low == b.high { [x, y, x, y] } else { [x, y, f(a.low, b.high), f(a.high, b.low)] };
    if all.iter().any(|x| x.is_nan()) {
        return (f64::NAN, f64::NAN);
    }
    (all.iter().copied().fold(f64::INFINITY, f64::min), all.iter().copied().fold(f64::NEG_INFINITY, f64::max))
}
