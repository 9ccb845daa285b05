//! [`Collected`]: builds an [`Expected`] from numbers, one after the other.

use std::ops::Range;

use plumbline_tensor::{DType, FloatFormat, Saturation, Tensor};

use super::{Bounds, Expected};
use crate::Refusal;
use crate::number::{Int, Latitude, Number, NumberKind};
use crate::parallel;
use crate::precision;
use crate::real::Real;
use crate::steps;

/// How much work an element is, as [`parallel::each`] counts it.
const WORK_OF_ELEMENT: usize = 16;

/// How many elements a thread computes before it takes the next ones.
const AT_ONCE: usize = 1 << 14;

/// The numbers of a tensor that have been pushed so far, in row-major order. Each is rounded to the type of the tensor
/// once.
pub struct Collected {
    dtype: DType,
    format: Option<&'static FloatFormat>,
    /// The smallest and the largest value of an integer type.
    range: (i128, i128),
    bits: Vec<u64>,
    reals: Vec<Real>,
    ints: Vec<Int>,
    latitude: Vec<(usize, Latitude)>,
    certain: bool,
    /// Whether there is a zero whose sign does not count (index 0), and one whose sign counts (index 1).
    zeros: [bool; 2],
    has_nan: bool,
    wrong: Option<Refusal>,
}

impl Collected {
    /// Returns an empty collection for numbers of this type, with room for `count` of them.
    pub fn new(dtype: DType, count: usize) -> Collected {
        let format = dtype.float_format();
        let (reals, ints) = if format.is_some() { (count, 0) } else { (0, count) };
        Collected {
            dtype,
            format,
            range: dtype.integer_range().unwrap_or((i128::MIN, i128::MAX)),
            bits: Vec::with_capacity(count),
            reals: Vec::with_capacity(reals),
            ints: Vec::with_capacity(ints),
            latitude: Vec::new(),
            certain: true,
            zeros: [false; 2],
            has_nan: false,
            wrong: None,
        }
    }

    /// Returns the type of the numbers.
    pub fn dtype(&self) -> DType {
        self.dtype
    }

    /// Appends the next number. If its kind does not fit the type, or if it is an integer outside of the range of the
    /// type, [`Collected::into_expected`] fails.
    #[inline]
    pub fn push(&mut self, number: Number) {
        steps::take(1);
        match (number, self.format) {
            (Number { kind: NumberKind::Real(x), latitude: None }, Some(format)) => self.push_real(x, format),
            _ => self.push_any(number),
        }
    }

    fn push_real(&mut self, x: Real, format: &FloatFormat) {
        let (pattern, stored) = if self.dtype == DType::Float && !x.mid.is_nan() {
            let stored = x.mid as f32;
            (u64::from(stored.to_bits()), f64::from(stored))
        } else {
            let pattern = format.encode(x.mid, Saturation::None);
            (pattern, format.nearest(x.mid))
        };
        self.bits.push(pattern);
        if x.mid == 0.0 {
            self.zeros[usize::from(x.signed_zero)] = true;
        }
        // A number that accepts one value, which the type can represent, needs no bounds: the tensor itself says what is
        // accepted.
        // A node that follows may compute with the exact result, though, which lies beside it.
        let is_beside = (x.below || x.above) && precision::may_join();
        self.certain &=
            x.is_point() && !is_beside && (x.mid.is_nan() || stored == x.mid && (x.low.is_nan() || stored == x.low));
        self.has_nan |= x.mid.is_nan();
        // The correctly rounded exact result is always accepted. If it is infinite, a node that follows reads the
        // infinity, and may compute with the exact result nevertheless.
        let has_overflowed = stored.is_infinite() && x.mid.is_finite();
        let exact = if has_overflowed { x.mid } else { stored };
        self.reals.push(Real {
            low: x.low.min(stored).min(exact),
            mid: if has_overflowed { stored } else { x.mid },
            high: x.high.max(stored).max(exact),
            nan: x.nan || stored.is_nan(),
            ..x
        });
    }

    fn push_any(&mut self, number: Number) {
        if let Some(l) = number.latitude {
            self.latitude.push((self.bits.len(), l));
        }
        let dtype = self.dtype;
        match (number.kind, self.format) {
            (NumberKind::Real(x), Some(format)) => self.push_real(x, format),
            (NumberKind::Int(x), None) => {
                if x.mid < self.range.0 || x.mid > self.range.1 {
                    self.refuse(format!(
                        "a kernel of the oracle returned {}, which is outside the range of {dtype}",
                        x.mid
                    ));
                }
                self.bits.push(x.mid as u64);
                self.certain &= x.low == x.high;
                self.ints.push(x);
            }
            (NumberKind::Real(_), None) => {
                self.refuse(format!("a kernel of the oracle returned a real number for type {dtype}"))
            }
            (NumberKind::Int(_), Some(_)) => {
                self.refuse(format!("a kernel of the oracle returned an integer for type {dtype}"))
            }
        }
    }

    /// Returns the numbers that `element` gives for the indices below `count`. Several threads compute many of them.
    pub fn computed(dtype: DType, count: usize, element: impl Fn(usize) -> Number + Sync) -> Collected {
        let collect = |range: Range<usize>| {
            let mut numbers = Collected::new(dtype, range.len());
            range.for_each(|i| numbers.push(element(i)));
            numbers
        };
        let work = count.saturating_mul(WORK_OF_ELEMENT);
        if !parallel::is_much(work) {
            return collect(0..count);
        }
        let mut all = Collected::new(dtype, count);
        let part = |i: usize| collect(i * AT_ONCE..((i + 1) * AT_ONCE).min(count));
        parallel::each(count.div_ceil(AT_ONCE), work, part, |part| all.append(part));
        all
    }

    /// Appends numbers of the same type that were collected separately.
    pub fn append(&mut self, part: Collected) {
        let start = self.bits.len();
        self.latitude.extend(part.latitude.into_iter().map(|(i, latitude)| (start + i, latitude)));
        self.bits.extend(part.bits);
        self.reals.extend(part.reals);
        self.ints.extend(part.ints);
        self.certain &= part.certain;
        self.zeros = [0, 1].map(|i| self.zeros[i] || part.zeros[i]);
        self.has_nan |= part.has_nan;
        if self.wrong.is_none() {
            self.wrong = part.wrong;
        }
    }

    fn refuse(&mut self, reason: String) {
        self.wrong.get_or_insert_with(|| Refusal::failed(reason));
    }

    /// Returns the tensor of this shape.
    ///
    /// # Errors
    /// Returns a refusal if a number did not fit the type, or if there are not as many numbers as the shape has
    /// elements.
    pub fn into_expected(self, shape: Vec<usize>) -> Result<Expected, Refusal> {
        if let Some(wrong) = self.wrong {
            return Err(wrong);
        }
        let tensor = Tensor::from_bits(self.dtype, shape, self.bits.into_iter())?;
        // Where the sign counts for some zeros and not for others, `signed_zero` of the whole tensor is not enough, and
        // each element needs its own bounds.
        let certain = self.certain && self.zeros != [true, true];
        let signed_zero = !self.zeros[0];
        let bounds = match certain {
            true => None,
            false if self.format.is_some() => Some(Bounds::Real(self.reals)),
            false => Some(Bounds::Int(self.ints)),
        };
        Ok(Expected { bounds, latitude: self.latitude, signed_zero, computed_nan: self.has_nan, ..tensor.into() })
    }
}
