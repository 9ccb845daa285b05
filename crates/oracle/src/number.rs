//! An element as kernels see it: a real number or an integer, with what is accepted in its place.

mod allowed;
mod arithmetic;
mod elements;
mod functions;
mod order;

pub use allowed::{Allowed, Ints, Reals};
pub use arithmetic::wrap;
pub use elements::{Elements, bytes_of};

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

    /// The specification does not decide (`label` says so): any value is accepted, and another than this one is a finding. Only for a rule
    /// that lists the outcome `any value`.
    pub fn undecided(self, label: Label) -> Number {
        Number { latitude: Some(Latitude { label, allowed: Allowed::Anything }), ..self }
    }

    /// The specification does not decide (`label` says so) between this value and `other`: what is accepted in place of that one is an
    /// outcome too, beside those that either of them has already.
    pub fn or(self, other: Number, label: Label) -> Number {
        let opened = self.allowing(Allowed::kind(other.kind), label);
        other.latitude.map_or(opened, |latitude| opened.allowing(latitude.allowed, label))
    }

    /// The same, where there is another value that is not accepted anyway.
    pub fn or_other(self, other: Number, label: Label) -> Number {
        let same = other.latitude.is_none() && self.accepts_all_of(&other.kind);
        if same { self } else { self.or(other, label) }
    }

    fn accepts_all_of(&self, other: &Kind) -> bool {
        match (self.kind, *other) {
            (Kind::Real(x), Kind::Real(y)) => {
                (x.nan || !y.nan) && (y.low.is_nan() || x.low <= y.low && y.high <= x.high)
            }
            (Kind::Int(x), Kind::Int(y)) => x.low <= y.low && y.high <= x.high,
            _ => false,
        }
    }

    /// The specification does not decide (`label` says so): these are outcomes too, beside those that there are already.
    pub fn allowing(self, allowed: Allowed, label: Label) -> Number {
        let latitude = match self.latitude {
            Some(before) => Latitude { allowed: before.allowed.with(allowed), ..before },
            None => Latitude { label, allowed },
        };
        Number { latitude: Some(latitude), ..self }
    }

    /// Whether any value is accepted.
    pub fn is_open(&self) -> bool {
        self.latitude.is_some_and(|latitude| latitude.allowed == Allowed::Anything)
    }

    /// One real number that accepts whatever this one or one of its outcomes accepts; the answer is the preferred one.
    pub fn widest(&self) -> Real {
        let preferred = self.real();
        let Some(latitude) = self.latitude else { return preferred };
        match latitude.allowed.kinds(&self.kind) {
            Some(outcomes) => outcomes.into_iter().fold(preferred, |all, kind| {
                let outcome = Number { kind, latitude: None }.real();
                Real { mid: preferred.mid, ..all.hull(outcome) }
            }),
            None => Real { low: f64::NEG_INFINITY, high: f64::INFINITY, nan: true, signed_zero: false, ..preferred },
        }
    }

    /// What `f` gives of this number and of each of its outcomes; the answer is that of this number. For functions that leave open something of
    /// their own: others are mapped by [`Number::apply`] and its kin.
    pub fn each_way(self, f: impl Fn(Number) -> Number) -> Number {
        let result = f(Number { latitude: None, ..self });
        let Some(latitude) = self.latitude else { return result };
        match latitude.allowed.kinds(&self.kind) {
            Some(outcomes) => outcomes
                .into_iter()
                .fold(result, |result, kind| result.or_other(f(Number { kind, latitude: None }), latitude.label)),
            None => result.undecided(latitude.label),
        }
    }

    /// This number, computed of `terms` as they are preferred. Where outcomes of a term are open, so is what `f` gives of all of them.
    pub fn opened_by<'a>(
        self,
        terms: impl IntoIterator<Item = &'a Number> + Clone,
        f: impl FnOnce(Vec<Real>) -> Real,
    ) -> Number {
        let Some(latitude) = terms.clone().into_iter().find_map(|term| term.latitude) else { return self };
        self.or_computed(f(terms.into_iter().map(Number::widest).collect()), latitude.label)
    }

    /// This number, and what the same formula gives of all outcomes of its terms at once: where that is more, each of it is an outcome (`label`).
    pub fn or_widest(self, all: Number, label: Label) -> Number {
        match all.latitude {
            _ if self == all => self,
            Some(_) => self.or(all, label),
            None => self.or_computed(all.real(), label),
        }
    }

    /// This integer, computed of `terms` as they are preferred; where one of them is not certain, a formula that is not monotonic says nothing of
    /// the others, so that any value is accepted: only models of several nodes come to that.
    pub fn opened_ints(self, terms: &[Number], label: Label) -> Number {
        if terms.iter().all(Number::is_point) { self } else { self.undecided(label) }
    }

    /// What either of two formulas for one value accepts; the answer is that of this one.
    pub fn hull(self, other: Number) -> Number {
        let kind = match (self.kind, other.kind) {
            (Kind::Int(x), Kind::Int(y)) => Kind::Int(Int { low: x.low.min(y.low), high: x.high.max(y.high), ..x }),
            _ => Kind::Real(self.real().hull(other.real())),
        };
        let latitude = match (self.latitude, other.latitude) {
            (Some(a), Some(b)) => Some(Latitude { allowed: a.allowed.with(b.allowed), ..a }),
            (a, b) => a.or(b),
        };
        Number { kind, latitude }
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
        // Where only one end strays, to an infinity, the numbers between are not what overflowing gives.
        let within = |end: f64| x.low <= end && end <= x.high;
        let (low, high) = match (other.low, other.high) {
            (low, f64::INFINITY) if within(low) => (f64::INFINITY, f64::INFINITY),
            (f64::NEG_INFINITY, high) if within(high) => (f64::NEG_INFINITY, f64::NEG_INFINITY),
            ends => ends,
        };
        self.allowing(Allowed::kind(Kind::Real(Real { low, high, ..other })), label)
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
    pub fn map_real(self, f: impl Fn(Real) -> Real) -> Number {
        self.each(|kind| match kind {
            Kind::Real(x) => Kind::Real(f(x)),
            int => int,
        })
    }

    /// A function of this number and of each of its outcomes.
    fn each(self, f: impl Fn(Kind) -> Kind) -> Number {
        let kind = f(self.kind);
        let Some(latitude) = self.latitude else { return Number { kind, latitude: None } };
        let allowed = match latitude.allowed.kinds(&self.kind) {
            Some(outcomes) => outcomes.into_iter().map(|x| Allowed::kind(f(x))).reduce(Allowed::with),
            None => Some(Allowed::Anything),
        };
        Number { kind, latitude: allowed.map(|allowed| Latitude { allowed, ..latitude }) }
    }

    /// A function of two numbers and of each pair of their outcomes.
    fn cross(self, b: Number, f: impl Fn(Kind, Kind) -> Kind) -> Number {
        let kind = f(self.kind, b.kind);
        let Some(latitude) = self.latitude.or(b.latitude) else { return Number { kind, latitude: None } };
        let outcomes = |x: &Number| {
            let others = match x.latitude {
                Some(latitude) => latitude.allowed.kinds(&x.kind)?,
                None => vec![],
            };
            Some([vec![x.kind], others].concat())
        };
        let allowed = match (outcomes(&self), outcomes(&b)) {
            (Some(these), Some(those)) => {
                let pairs = these.iter().flat_map(|x| those.iter().map(move |y| (x, y))).skip(1);
                pairs.map(|(x, y)| Allowed::kind(f(*x, *y))).reduce(Allowed::with)
            }
            _ => Some(Allowed::Anything),
        };
        Number { kind, latitude: allowed.map(|allowed| Latitude { allowed, ..latitude }) }
    }

    /// One function for integers, one for real numbers, of two operands of one type. Of integers that are not certain, the function is that
    /// of the ends of their ranges: it is monotonic in each of them.
    pub fn combine(self, b: Number, ints: impl Fn(i128, i128) -> i128, reals: impl Fn(Real, Real) -> Real) -> Number {
        self.cross(b, |a, b| match (a, b) {
            (Kind::Int(x), Kind::Int(y)) => {
                let mid = ints(x.mid, y.mid);
                if x.low == x.high && y.low == y.high {
                    return Kind::Int(Int { low: mid, mid, high: mid, dtype: x.dtype });
                }
                let ends = [ints(x.low, y.low), ints(x.low, y.high), ints(x.high, y.low), ints(x.high, y.high)];
                let (low, high) = ends.iter().fold((mid, mid), |(low, high), &end| (low.min(end), high.max(end)));
                Kind::Int(Int { low, mid, high, dtype: x.dtype })
            }
            (a, b) => {
                let real = |kind| Number { kind, latitude: None }.real();
                Kind::Real(reals(real(a), real(b)))
            }
        })
    }

    /// One function for integers, one for real numbers. Of an integer that is not certain, the function is that of the ends of its range: it
    /// is monotonic.
    pub fn apply(self, ints: impl Fn(i128) -> i128, reals: impl Fn(Real) -> Real) -> Number {
        self.each(|kind| match kind {
            Kind::Int(x) => {
                let ends = [ints(x.low), ints(x.mid), ints(x.high)];
                let (low, high) =
                    ends.iter().fold((ends[1], ends[1]), |(low, high), &end| (low.min(end), high.max(end)));
                Kind::Int(Int { low, mid: ends[1], high, dtype: x.dtype })
            }
            Kind::Real(x) => Kind::Real(reals(x)),
        })
    }
}
