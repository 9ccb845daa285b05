//! An element as kernels see it: a real number or an integer, with what is accepted in its place.

use plumbline_tensor::DType;

use super::precision::Function;
use super::real::Real;
use crate::Label;

/// An integer (or bool: 0 or 1) with the range accepted in its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Int {
    /// Smallest accepted value.
    pub low: i128,
    /// The answer.
    pub mid: i128,
    /// Largest accepted value.
    pub high: i128,
    /// The element type. Arithmetic is exact; [`Number::wraps`] brings a result back into the type's range.
    pub dtype: DType,
}

/// What else is accepted where the specification does not decide.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Allowed {
    /// Any value.
    Anything,
    /// This real number too (NaN for NaN).
    Real(f64),
    /// Either of these real numbers too.
    Either(f64, f64),
    /// The real numbers from the first to the second too.
    Between(f64, f64),
    /// This integer too.
    Int(i128),
    /// A string that stands for this number, however it is spelled: digits that a type of this precision needs are accepted
    /// like the preferred spelling; fewer of them, an exponent, or words for infinity and NaN are left open.
    Spelling(f64, DType),
    /// The integers below 128 whose bit is set as well.
    Among(u128),
}

/// An element on which the specification does not decide: another value is a finding, not a failure.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Latitude {
    /// The behaviour that says so.
    pub label: Label,
    /// What is accepted besides the preferred answer.
    pub allowed: Allowed,
}

/// The two kinds of numbers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Kind {
    /// An integer or bool.
    Int(Int),
    /// A floating-point number.
    Real(Real),
}

/// An element as kernels see it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Number {
    /// The value.
    pub kind: Kind,
    /// Where the specification does not decide.
    pub latitude: Option<Latitude>,
}

impl From<Real> for Number {
    fn from(real: Real) -> Number {
        Number { kind: Kind::Real(real), latitude: None }
    }
}

impl From<bool> for Number {
    fn from(value: bool) -> Number {
        Number::int(i128::from(value), DType::Bool)
    }
}

impl Number {
    /// An exact integer.
    pub fn int(value: i128, dtype: DType) -> Number {
        Number { kind: Kind::Int(Int { low: value, mid: value, high: value, dtype }), latitude: None }
    }

    /// A constant of the formula, as a number of this type.
    pub fn constant(value: f64, dtype: DType) -> Number {
        if dtype.is_float() { Real::constant(value, dtype).into() } else { Number::int(value as i128, dtype) }
    }

    /// A constant of the same type as this number.
    pub fn like(self, value: f64) -> Number {
        Number::constant(value, self.dtype())
    }

    /// Element type.
    pub fn dtype(&self) -> DType {
        match self.kind {
            Kind::Int(x) => x.dtype,
            Kind::Real(x) => x.dtype,
        }
    }

    /// As a real number; integers become exact ones (rounded to float64 above 2^53) at float64's precision.
    pub fn real(&self) -> Real {
        match self.kind {
            Kind::Real(x) => x,
            Kind::Int(x) => {
                Real { low: x.low as f64, high: x.high as f64, ..Real::constant(x.mid as f64, DType::Double) }
            }
        }
    }

    /// The answer as float64.
    pub fn mid(&self) -> f64 {
        match self.kind {
            Kind::Real(x) => x.mid,
            Kind::Int(x) => x.mid as f64,
        }
    }

    /// The answer as an integer; real numbers are truncated.
    pub fn mid_int(&self) -> i128 {
        match self.kind {
            Kind::Real(x) => x.mid as i128,
            Kind::Int(x) => x.mid,
        }
    }

    /// Whether the answer is NaN.
    pub fn is_nan(&self) -> bool {
        matches!(self.kind, Kind::Real(x) if x.mid.is_nan())
    }

    /// Whether exactly one value is accepted.
    pub fn is_point(&self) -> bool {
        self.latitude.is_none()
            && match self.kind {
                Kind::Int(x) => x.low == x.high,
                Kind::Real(x) => x.is_point(),
            }
    }

    /// Whether the answer of `other` is accepted in place of this one, latitude aside.
    pub fn accepts(&self, other: &Number) -> bool {
        match (self.kind, other.kind) {
            (Kind::Real(x), Kind::Real(y)) => x.accepts(y.mid),
            (Kind::Int(x), Kind::Int(y)) => x.low <= y.mid && y.mid <= x.high,
            _ => false,
        }
    }

    /// The specification does not decide (`label` says so): any value is accepted, and another than this one is a finding.
    pub fn undecided(self, label: Label) -> Number {
        Number { latitude: Some(Latitude { label, allowed: Allowed::Anything }), ..self }
    }

    /// The specification does not decide (`label` says so) between this value and `other`.
    /// Where it did not decide on this value already, anything goes.
    pub fn or(self, other: Number, label: Label) -> Number {
        if self.latitude.is_some() {
            return self.undecided(label);
        }
        let allowed = match other.kind {
            Kind::Int(x) => Allowed::Int(x.mid),
            Kind::Real(x) if x.low < x.high => Allowed::Between(x.low, x.high),
            // Of a number beyond the type, the infinity that stands for it.
            Kind::Real(x) => Allowed::Real(x.low),
        };
        Number { latitude: Some(Latitude { label, allowed }), ..self }
    }

    /// The specification does not decide (`label` says so): these are accepted too.
    pub fn allowing(self, allowed: Allowed, label: Label) -> Number {
        Number { latitude: Some(Latitude { label, allowed }), ..self }
    }

    /// What either of two formulas for one value accepts; the answer is that of this one.
    pub fn hull(self, other: Number) -> Number {
        let kind = match (self.kind, other.kind) {
            (Kind::Int(x), Kind::Int(y)) => Kind::Int(Int { low: x.low.min(y.low), high: x.high.max(y.high), ..x }),
            _ => Kind::Real(self.real().hull(other.real())),
        };
        Number { kind, latitude: self.latitude.or(other.latitude) }
    }

    /// The specification does not decide (`label` says so) whether a number may also be computed in another way: what that way
    /// accepts and this one does not is a finding. Meant for formulas that overflow or underflow on the way to a result that does not.
    pub fn or_computed(self, other: Real, label: Label) -> Number {
        let Kind::Real(x) = self.kind else { return self };
        if other.low.is_nan() {
            return if x.nan { self } else { self.or(other.into(), label) };
        }
        let inside = x.low <= other.low && other.high <= x.high && (x.nan || !other.nan);
        if inside {
            return self;
        }
        if other.nan && !x.nan || self.latitude.is_some() {
            return self.undecided(label);
        }
        // Where only one end strays, to an infinity, the numbers between are not what overflowing gives.
        let within = |end: f64| x.low <= end && end <= x.high;
        let allowed = match (other.low, other.high) {
            (low, high) if low == high => Allowed::Real(low),
            (low, f64::INFINITY) if within(low) => Allowed::Real(f64::INFINITY),
            (f64::NEG_INFINITY, high) if within(high) => Allowed::Real(f64::NEG_INFINITY),
            (low, high) => Allowed::Between(low, high),
        };
        Number { latitude: Some(Latitude { label, allowed }), ..self }
    }

    /// The sign of a zero counts from here on (`label` is the behaviour that defines it).
    pub fn with_signed_zero(self, _label: Label) -> Number {
        self.map_real(|x| Real { signed_zero: true, ..x })
    }

    /// The sign of a zero does not count from here on.
    pub fn with_any_zero(self) -> Number {
        self.map_real(|x| Real { signed_zero: false, ..x })
    }

    /// Brings an integer that left its type's range back by wrapping, which the specification leaves open (`label`). Real numbers stay.
    pub fn wraps(self, label: Label) -> Number {
        let Kind::Int(x) = self.kind else { return self };
        let Some((low, high)) = x.dtype.integer_range() else { return self };
        if x.low >= low && x.high <= high {
            return self;
        }
        self.wrapped().undecided(label)
    }

    /// Brings an integer that left its type's range back by wrapping, as the specification says.
    pub fn wrapped(self) -> Number {
        let Kind::Int(x) = self.kind else { return self };
        let value = wrap(x.mid, x.dtype);
        Number { kind: Kind::Int(Int { low: value, mid: value, high: value, dtype: x.dtype }), ..self }
    }

    /// The same function of the real number; integers stay as they are.
    pub fn map_real(self, f: impl FnOnce(Real) -> Real) -> Number {
        match self.kind {
            Kind::Real(x) => Number { kind: Kind::Real(f(x)), ..self.doubted() },
            Kind::Int(_) => self,
        }
    }

    /// A value computed from an undecided one is undecided too.
    fn doubted(self) -> Number {
        let latitude = self.latitude.map(|l| Latitude { allowed: Allowed::Anything, ..l });
        Number { latitude, ..self }
    }

    fn joined(kind: Kind, a: &Number, b: &Number) -> Number {
        let latitude = a.latitude.or(b.latitude).map(|l| Latitude { allowed: Allowed::Anything, ..l });
        Number { kind, latitude }
    }

    /// One function for integers, one for real numbers, of two operands of one type.
    pub fn combine(
        self,
        b: Number,
        ints: impl FnOnce(i128, i128) -> i128,
        reals: impl FnOnce(Real, Real) -> Real,
    ) -> Number {
        let kind = match (self.kind, b.kind) {
            (Kind::Int(x), Kind::Int(y)) => {
                let value = ints(x.mid, y.mid);
                Kind::Int(Int { low: value, mid: value, high: value, dtype: x.dtype })
            }
            _ => Kind::Real(reals(self.real(), b.real())),
        };
        let ambiguous =
            matches!((self.kind, b.kind), (Kind::Int(x), Kind::Int(y)) if x.low != x.high || y.low != y.high);
        let result = Number::joined(kind, &self, &b);
        // Arithmetic on an integer that is itself uncertain: one step either way is all the oracle can vouch for.
        if ambiguous { result.undecided(Label::Behaviour(0)) } else { result }
    }

    /// One function for integers, one for real numbers.
    pub fn apply(self, ints: impl FnOnce(i128) -> i128, reals: impl FnOnce(Real) -> Real) -> Number {
        let this = self.doubted();
        let kind = match this.kind {
            Kind::Int(x) => {
                let value = ints(x.mid);
                if x.low != x.high {
                    return Number {
                        kind: Kind::Int(Int { low: value, mid: value, high: value, dtype: x.dtype }),
                        ..this
                    }
                    .undecided(Label::Behaviour(0));
                }
                Kind::Int(Int { low: value, mid: value, high: value, dtype: x.dtype })
            }
            Kind::Real(x) => Kind::Real(reals(x)),
        };
        Number { kind, ..this }
    }

    /// `|x|`; integers exactly (the smallest one leaves its range: [`Number::wraps`]).
    pub fn abs(self) -> Number {
        self.apply(i128::abs, Real::abs)
    }

    /// `-1`, `0` or `1`.
    pub fn sign(self) -> Number {
        let sign = |x: f64| {
            if x > 0.0 {
                1.0
            } else if x < 0.0 {
                -1.0
            } else {
                x
            }
        };
        self.apply(i128::signum, |x| x.stepped(sign))
    }

    /// Largest integer not above.
    pub fn floor(self) -> Number {
        self.apply(|x| x, |x| x.stepped(libm::floor))
    }

    /// Smallest integer not below.
    pub fn ceil(self) -> Number {
        self.apply(|x| x, |x| x.stepped(libm::ceil))
    }

    /// Nearest integer, ties to even.
    pub fn round(self) -> Number {
        self.apply(|x| x, |x| x.stepped(f64::round_ties_even))
    }

    /// Towards zero.
    pub fn trunc(self) -> Number {
        self.apply(|x| x, |x| x.stepped(libm::trunc))
    }

    /// The smaller one. With a NaN the specification does not decide between NaN and the other (`label`).
    pub fn minimum(self, b: Number, label: Label) -> Number {
        self.extremum(b, label, |x, y| if y < x { y } else { x }, i128::min)
    }

    /// The larger one. With a NaN the specification does not decide between NaN and the other (`label`).
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
        match (self.kind, b.kind) {
            (Kind::Int(x), Kind::Int(y)) => {
                let kind = Kind::Int(Int {
                    low: ints(x.low, y.low),
                    mid: ints(x.mid, y.mid),
                    high: ints(x.high, y.high),
                    dtype: x.dtype,
                });
                Number::joined(kind, &self, &b)
            }
            _ => {
                let (x, y) = (self.real(), b.real());
                match (x.mid.is_nan(), y.mid.is_nan()) {
                    (true, true) => Number::joined(self.kind, &self, &b),
                    (true, false) => self.or(b, label),
                    (false, true) => b.or(self, label),
                    (false, false) => {
                        let real = Real {
                            low: pick(x.low, y.low),
                            mid: pick(x.mid, y.mid),
                            high: pick(x.high, y.high),
                            dtype: x.dtype,
                            nan: x.nan || y.nan,
                            signed_zero: x.signed_zero
                                && y.signed_zero
                                && (x.mid != 0.0
                                    || y.mid != 0.0
                                    || x.mid.is_sign_negative() == y.mid.is_sign_negative()),
                            integral: x.integral && y.integral,
                        };
                        Number::joined(Kind::Real(real), &self, &b)
                    }
                }
            }
        }
    }

    /// The bool of a comparison: `certain` where every accepted pair of values agrees, both otherwise.
    pub fn compare(self, b: Number, holds: impl Fn(&f64, &f64) -> bool, ints: impl Fn(&i128, &i128) -> bool) -> Number {
        let of = |mid: bool, others: &[bool]| {
            let low = i128::from(mid && others.iter().all(|&o| o));
            let high = i128::from(mid || others.iter().any(|&o| o));
            Kind::Int(Int { low, mid: i128::from(mid), high, dtype: DType::Bool })
        };
        let kind = match (self.kind, b.kind) {
            (Kind::Int(x), Kind::Int(y)) => {
                let corners =
                    [ints(&x.low, &y.high), ints(&x.high, &y.low), ints(&x.low, &y.low), ints(&x.high, &y.high)];
                of(ints(&x.mid, &y.mid), &corners)
            }
            _ => {
                let (x, y) = (self.real(), b.real());
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
        };
        Number::joined(kind, &self, &b)
    }

    /// The bool of an equality: both where the accepted values overlap without being one.
    pub fn equals(self, b: Number) -> Number {
        let same = self.compare(b, PartialEq::eq, PartialEq::eq);
        let (x, y) = (self.real(), b.real());
        let overlap = x.low <= y.high && y.low <= x.high;
        if overlap && !(self.is_point() && b.is_point()) {
            let kind = Kind::Int(Int { low: 0, mid: same.mid_int(), high: 1, dtype: DType::Bool });
            return Number { kind, ..same };
        }
        same
    }

    /// Another type, rounded to it where it is a float; integers become real ones exactly and are then rounded.
    /// Conversions to integers and bool belong to the Cast kernel.
    pub fn to_float(self, dtype: DType) -> Number {
        let real = match self.kind {
            Kind::Real(x) => x,
            Kind::Int(_) => self.real(),
        };
        Number { kind: Kind::Real(real.to_dtype(dtype)), ..self }
    }

    /// The same number with later steps at another precision; no rounding. Integers become real numbers.
    pub fn at_precision(self, dtype: DType) -> Number {
        Number { kind: Kind::Real(self.real().at_precision(dtype)), ..self }
    }

    /// Stored at the working type: both ends rounded to nearest.
    pub fn nearest(self) -> Number {
        self.map_real(Real::nearest)
    }

    /// `self ^ y` of real numbers.
    pub fn power(self, y: Number) -> Number {
        let kind = Kind::Real(self.real().power(y.real()));
        Number::joined(kind, &self, &y)
    }

    /// The remainder with the sign of the dividend, of real numbers.
    pub fn fmod(self, y: Number) -> Number {
        let kind = Kind::Real(self.real().fmod(y.real()));
        Number::joined(kind, &self, &y)
    }
}

/// Brings a value into the range of an integer type, modulo two to the number of its bits.
pub fn wrap(value: i128, dtype: DType) -> i128 {
    let Some((low, high)) = dtype.integer_range() else { return value };
    // The span divides two to the 128, so that wrapping here changes nothing.
    value.wrapping_sub(low).rem_euclid(high - low + 1) + low
}

impl std::ops::Add for Number {
    type Output = Number;
    fn add(self, b: Number) -> Number {
        self.combine(b, i128::wrapping_add, Real::plus)
    }
}

impl std::ops::Sub for Number {
    type Output = Number;
    fn sub(self, b: Number) -> Number {
        self.combine(b, i128::wrapping_sub, Real::minus)
    }
}

impl std::ops::Mul for Number {
    type Output = Number;
    fn mul(self, b: Number) -> Number {
        self.combine(b, i128::wrapping_mul, Real::times)
    }
}

/// Integers divide towards zero; by zero they stay 0, which is for the kernel to label.
impl std::ops::Div for Number {
    type Output = Number;
    fn div(self, b: Number) -> Number {
        self.combine(b, |x, y| x.checked_div(y).unwrap_or(0), Real::over)
    }
}

impl std::ops::Neg for Number {
    type Output = Number;
    fn neg(self) -> Number {
        self.apply(i128::wrapping_neg, Real::neg)
    }
}

macro_rules! functions_from {
    ($($(#[$doc:meta])* $name:ident = $function:ident, $start:expr, $f:expr;)*) => {
        impl Number {
            $($(#[$doc])*
            pub fn $name(self) -> Number {
                self.map_real(|x| x.increasing_from($start, Function::$function, $f))
            })*
        }
    };
}

functions_from! {
    /// Natural logarithm; NaN below zero.
    log = Log, 0.0, libm::log;
    /// `log(1 + x)`
    log_1p = Log1p, -1.0, libm::log1p;
    /// Inverse hyperbolic cosine; NaN below one.
    acosh = Acosh, 1.0, |x| if x < 1.0 { f64::NAN } else { libm::acosh(x) };
}

macro_rules! functions {
    ($($(#[$doc:meta])* $name:ident = $function:ident, $way:ident, $f:expr;)*) => {
        impl Number {
            $($(#[$doc])*
            pub fn $name(self) -> Number {
                self.map_real(|x| x.$way(Function::$function, $f))
            })*
        }
    };
}

functions! {
    /// `e^x - 1`
    exp_m1 = Expm1, increasing, libm::expm1;
    /// Hyperbolic tangent.
    tanh = Tanh, increasing, libm::tanh;
    /// Hyperbolic sine.
    sinh = Sinh, increasing, libm::sinh;
    /// Hyperbolic cosine.
    cosh = Cosh, even, libm::cosh;
    /// Inverse hyperbolic sine.
    asinh = Asinh, increasing, libm::asinh;
    /// Inverse hyperbolic tangent; NaN outside [-1, 1].
    atanh = Atanh, increasing, libm::atanh;
    /// Arc tangent.
    atan = Atan, increasing, libm::atan;
    /// Arc sine; NaN outside [-1, 1].
    asin = Asin, increasing, libm::asin;
    /// Arc cosine; NaN outside [-1, 1].
    acos = Acos, decreasing, libm::acos;
    /// The error function.
    erf = Erf, increasing, libm::erf;
}

impl Number {
    /// Square root, which is nowhere negative; NaN below zero.
    pub fn sqrt(self) -> Number {
        self.map_real(|x| x.increasing_from(0.0, Function::Sqrt, libm::sqrt).not_below(0.0))
    }

    /// `e^x`, which is nowhere negative.
    pub fn exp(self) -> Number {
        self.map_real(|x| x.increasing(Function::Exp, libm::exp).not_below(0.0))
    }

    /// Sine of an angle in radians.
    pub fn sin(self) -> Number {
        self.map_real(|x| x.lipschitz(Function::Sin, 1.0, libm::sin))
    }

    /// Cosine of an angle in radians.
    pub fn cos(self) -> Number {
        self.map_real(|x| x.lipschitz(Function::Cos, 1.0, libm::cos))
    }

    /// Tangent of an angle in radians.
    pub fn tan(self) -> Number {
        self.map_real(|x| {
            // Increasing between poles; an interval that may hold one accepts everything.
            let pole = (x.low / std::f64::consts::PI + 0.5).floor() != (x.high / std::f64::consts::PI + 0.5).floor();
            if pole && x.low != x.high {
                return x.lipschitz(Function::Tan, f64::INFINITY, libm::tan);
            }
            x.increasing(Function::Tan, libm::tan)
        })
    }
}
