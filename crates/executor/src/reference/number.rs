//! An element as kernels see it: a real number or an integer, with what is accepted in its place.

mod arithmetic;
mod functions;
mod order;

pub use arithmetic::wrap;

use plumbline_tensor::DType;

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
    #[inline]
    pub fn dtype(&self) -> DType {
        match self.kind {
            Kind::Int(x) => x.dtype,
            Kind::Real(x) => x.dtype,
        }
    }

    /// As a real number; integers become exact ones (rounded to float64 above 2^53) at float64's precision.
    #[inline]
    pub fn real(&self) -> Real {
        match self.kind {
            Kind::Real(x) => x,
            Kind::Int(x) => {
                Real { low: x.low as f64, high: x.high as f64, ..Real::constant(x.mid as f64, DType::Double) }
            }
        }
    }

    /// The answer as float64.
    #[inline]
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
    #[inline]
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
}
