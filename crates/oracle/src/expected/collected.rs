//! A tensor out of numbers, one after the other.

use plumbline_tensor::{DType, FloatFormat, Saturation, Tensor};

use super::{Bounds, Expected};
use crate::Refusal;
use crate::number::{Int, Kind, Latitude, Number};
use crate::real::Real;

/// The numbers of a tensor so far, row-major; each is rounded to its type once.
pub struct Collected {
    dtype: DType,
    format: Option<&'static FloatFormat>,
    bits: Vec<u64>,
    reals: Vec<Real>,
    ints: Vec<Int>,
    latitude: Vec<(usize, Latitude)>,
    certain: bool,
    /// Whether there are zeros whose sign does not count, and whose does.
    zeros: [bool; 2],
    wrong: Option<Refusal>,
}

impl Collected {
    /// None yet, of about so many.
    pub fn new(dtype: DType, count: usize) -> Collected {
        let format = dtype.float_format();
        let (reals, ints) = if format.is_some() { (count, 0) } else { (0, count) };
        Collected {
            dtype,
            format,
            bits: Vec::with_capacity(count),
            reals: Vec::with_capacity(reals),
            ints: Vec::with_capacity(ints),
            latitude: Vec::new(),
            certain: true,
            zeros: [false; 2],
            wrong: None,
        }
    }

    /// The next number.
    pub fn push(&mut self, number: Number) {
        if let Some(l) = number.latitude {
            self.latitude.push((self.bits.len(), l));
        }
        let dtype = self.dtype;
        match (number.kind, self.format) {
            (Kind::Real(x), Some(format)) => {
                let pattern = format.encode(x.mid, Saturation::None);
                self.bits.push(pattern);
                if x.mid == 0.0 {
                    self.zeros[usize::from(x.signed_zero)] = true;
                }
                let stored = format.decode(pattern);
                // One value, and the type holds it: the tensor itself says what is accepted.
                self.certain &=
                    x.is_point() && (x.mid.is_nan() || stored == x.mid && (x.low.is_nan() || stored == x.low));
                // The exact result, correctly rounded, is right whatever else is.
                self.reals.push(Real {
                    low: x.low.min(stored),
                    high: x.high.max(stored),
                    nan: x.nan || stored.is_nan(),
                    ..x
                });
            }
            (Kind::Int(x), None) => {
                if let Some((low, high)) = dtype.integer_range()
                    && (x.mid < low || x.mid > high)
                {
                    self.refuse(format!("the oracle left {} outside the range of {dtype}", x.mid));
                }
                self.bits.push(x.mid as u64);
                self.certain &= x.low == x.high;
                self.ints.push(x);
            }
            (Kind::Real(_), None) => self.refuse(format!("the oracle computed a real number for {dtype}")),
            (Kind::Int(_), Some(_)) => self.refuse(format!("the oracle computed an integer for {dtype}")),
        }
    }

    fn refuse(&mut self, reason: String) {
        self.wrong.get_or_insert_with(|| Refusal::failed(reason));
    }

    /// The tensor of this shape, with what is accepted in its place.
    ///
    /// # Errors
    /// Numbers that are not of the type, or not as many as the shape has elements.
    pub fn into_expected(self, shape: Vec<usize>) -> Result<Expected, Refusal> {
        if let Some(wrong) = self.wrong {
            return Err(wrong);
        }
        let tensor = Tensor::from_bits(self.dtype, shape, self.bits.into_iter())?;
        // Where the sign counts for some zeros and not for others, each element says so itself.
        let certain = self.certain && self.zeros != [true, true];
        let signed_zero = !self.zeros[0];
        let bounds = match certain {
            true => None,
            false if self.format.is_some() => Some(Bounds::Real(self.reals)),
            false => Some(Bounds::Int(self.ints)),
        };
        Ok(Expected { tensor, bounds, latitude: self.latitude, signed_zero, unordered: None, random: None })
    }
}
