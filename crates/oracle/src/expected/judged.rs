//! Compares the answer of a backend with what an [`Expected`] accepts.

use plumbline_tensor::{DType, FloatFormat, Tensor};

use super::{Bounds, Expected};
use crate::number::{Allowed, Latitude};
use crate::real::Real;
use crate::text;

/// The verdict on one element of a backend's answer.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Judged {
    /// The element is accepted: it lies in the interval of the expected element, or equals it.
    Accepted,
    /// The element is not accepted, but it is one of the outcomes of a rule that leaves this element open.
    Latitude(Latitude),
    /// The element is neither accepted nor one of those outcomes.
    Wrong,
}

/// Two measurements of an answer, in units in the last place (ULP) of its type. Values that are not finite do not
/// count.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Margins {
    /// The largest distance of an element from the preferred answer.
    pub distance: f64,
    /// The width of the widest accepted interval.
    pub width: f64,
}

/// Returns a string without the ASCII whitespace at its end.
fn trimmed(string: &[u8]) -> &[u8] {
    let end = string.iter().rposition(|b| !b.is_ascii_whitespace() && *b != 0x0b).map_or(0, |last| last + 1);
    &string[..end]
}

impl Expected {
    /// Judges element `index` of an answer that has the same type and shape.
    pub fn judge(&self, answer: &Tensor, index: usize) -> Judged {
        self.judge_at(index, answer, index)
    }

    /// Judges element `at` of an answer of the same type by what is accepted for element `index`.
    pub fn judge_at(&self, index: usize, answer: &Tensor, at: usize) -> Judged {
        let accepted = match &self.bounds {
            Some(Bounds::Real(reals)) => reals[index].accepts(answer.f64_at(at)),
            Some(Bounds::Int(ints)) => {
                let value = answer.i128_at(at);
                ints[index].low <= value && value <= ints[index].high
            }
            None => self.same(index, answer, at),
        };
        if accepted {
            return Judged::Accepted;
        }
        match self.latitude_at(index) {
            Some(latitude) => {
                let allowed = match latitude.allowed {
                    Allowed::Anything => true,
                    Allowed::Ints(ints) => ints.contains(answer.i128_at(at)),
                    Allowed::Reals(reals) => reals.contains(answer.f64_at(at)),
                    Allowed::Spelling(value, dtype) => {
                        match text::judge(answer.strings().get(at).map_or(&[], Vec::as_slice), value, dtype) {
                            text::Spelled::Same => return Judged::Accepted,
                            text::Spelled::Close => true,
                            text::Spelled::Other => false,
                        }
                    }
                    Allowed::Elements(elements) => elements.contains(answer, at),
                    Allowed::Trimmed => {
                        let string = |tensor: &Tensor, i: usize| tensor.strings().get(i).cloned().unwrap_or_default();
                        string(answer, at) == trimmed(&string(&self.tensor, index))
                    }
                    Allowed::Among(set) => {
                        let value = answer.i128_at(at);
                        (0..128).contains(&value) && set >> value & 1 == 1
                    }
                };
                if allowed { Judged::Latitude(latitude) } else { Judged::Wrong }
            }
            None => Judged::Wrong,
        }
    }

    /// Returns whether two elements have the same bits. Any NaN equals any other, and zeros of both signs are equal
    /// where their sign does not count.
    fn same(&self, index: usize, answer: &Tensor, at: usize) -> bool {
        match self.dtype() {
            DType::String => self.tensor.strings()[index] == answer.strings()[at],
            DType::Bool => self.tensor.i128_at(index) == answer.i128_at(at),
            dtype if dtype.is_float() => {
                let (want, got) = (self.tensor.bits_at(index), answer.bits_at(at));
                if want == got {
                    return true;
                }
                let (want, got) = (self.tensor.f64_at(index), answer.f64_at(at));
                want.is_nan() && got.is_nan() || (want == 0.0 && got == 0.0 && !self.signed_zero)
            }
            DType::Complex64 | DType::Complex128 => {
                let mut parts = self.tensor.complex_at(index).into_iter().zip(answer.complex_at(at));
                parts.all(|(want, got)| want.to_bits() == got.to_bits() || want.is_nan() && got.is_nan())
            }
            _ => self.tensor.bits_at(index) == answer.bits_at(at),
        }
    }

    /// Describes in words what is accepted for element `index`.
    pub fn describe(&self, index: usize) -> String {
        if let Some(distribution) = &self.random {
            return format!("expected any sample of {distribution}");
        }
        let base = match &self.bounds {
            Some(Bounds::Real(reals)) => {
                let x = &reals[index];
                let of = if x.integral { "an integer of " } else { "" };
                match (x.is_nan(), x.low == x.high, x.nan) {
                    (true, _, _) => "NaN is expected".to_owned(),
                    (_, true, false) => format!("{:?} is expected", x.low),
                    (_, _, false) => format!("{of}[{:?}, {:?}] is accepted, {:?} is expected", x.low, x.high, x.mid),
                    (_, _, true) => {
                        format!("{of}[{:?}, {:?}] and NaN are accepted, {:?} is expected", x.low, x.high, x.mid)
                    }
                }
            }
            Some(Bounds::Int(ints)) => {
                let x = &ints[index];
                if x.low == x.high {
                    format!("{} is expected", x.mid)
                } else {
                    format!("{} to {} is accepted", x.low, x.high)
                }
            }
            None if self.dtype().is_float() => {
                let width = self.dtype().size() * 2;
                let value = self.tensor.f64_at(index);
                format!("{value:?} (0x{:0width$x}) is expected", self.tensor.bits_at(index))
            }
            None => match self.tensor.strings().get(index) {
                Some(string) => format!("{:?} is expected", String::from_utf8_lossy(string)),
                None if matches!(self.dtype(), DType::Complex64 | DType::Complex128) => {
                    "other bits are expected".to_owned()
                }
                None => format!("{} is expected", self.tensor.i128_at(index)),
            },
        };
        match self.latitude_at(index).map(|l| l.allowed) {
            Some(Allowed::Reals(others)) => format!("{base}, or {others}: the specification does not decide"),
            Some(Allowed::Ints(others)) => format!("{base}, or {others}: the specification does not decide"),
            Some(Allowed::Among(set)) => {
                let others: Vec<String> = (0..128).filter(|i| set >> i & 1 == 1).map(|i| i.to_string()).collect();
                format!("{base}, or {}: the specification does not decide", others.join(" or "))
            }
            Some(Allowed::Elements(_)) => format!("{base}, or another element: the specification does not decide"),
            Some(_) => format!("{base}, but the specification does not decide"),
            None => base,
        }
    }

    /// Compares all elements of an answer of the same type and shape with the accepted intervals of real numbers.
    /// Returns the margins if every element is accepted, and `None` if one is not, or if this tensor has no such
    /// intervals.
    pub fn accepts_all(&self, answer: &Tensor) -> Option<Margins> {
        let (Some(Bounds::Real(reals)), Some(format)) = (&self.bounds, self.dtype().float_format()) else {
            return None;
        };
        let mut margins = Margins::default();
        for (x, got) in reals.iter().zip(answer.to_f64s()) {
            if !x.accepts(got) {
                return None;
            }
            let wider = |most: &mut f64, new: f64| *most = if new.is_finite() { most.max(new) } else { *most };
            wider(&mut margins.distance, distance(x.mid, got, format));
            wider(&mut margins.width, width(x));
        }
        Some(margins)
    }

    /// Returns the width of the interval that is accepted for element `index`: in ULP at the preferred answer for
    /// floats, the difference between the ends for integers, and 0 where only one value is accepted.
    pub fn width_ulp(&self, index: usize) -> f64 {
        match &self.bounds {
            Some(Bounds::Real(reals)) => width(&reals[index]),
            Some(Bounds::Int(ints)) => (ints[index].high - ints[index].low) as f64,
            None => 0.0,
        }
    }

    /// Returns the distance of element `index` of an answer from the preferred answer, in ULP of its type (for
    /// integers, their difference).
    pub fn distance_ulp(&self, answer: &Tensor, index: usize) -> f64 {
        let Some(format) = self.dtype().float_format() else {
            return if self.dtype().is_integer() {
                (self.tensor.i128_at(index) - answer.i128_at(index)).unsigned_abs() as f64
            } else {
                0.0
            };
        };
        let mid = match &self.bounds {
            Some(Bounds::Real(reals)) => reals[index].mid,
            _ => self.tensor.f64_at(index),
        };
        distance(mid, answer.f64_at(index), format)
    }
}

fn width(x: &Real) -> f64 {
    if x.low == x.high || x.low.is_nan() {
        return 0.0;
    }
    (x.high - x.low) / x.dtype.float_format().map_or(1.0, |f| f.ulp(x.mid))
}

fn distance(mid: f64, got: f64, format: &FloatFormat) -> f64 {
    if mid == got || mid.is_nan() && got.is_nan() { 0.0 } else { (mid - got).abs() / format.ulp(mid) }
}
