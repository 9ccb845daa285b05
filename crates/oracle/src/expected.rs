//! A tensor with what is accepted in its place: what kernels read and write, and what a backend's answer is held against.

mod collected;
mod judged;

pub use collected::Collected;
pub use judged::{Judged, Margins};

use std::sync::Arc;

use plumbline_tensor::{DType, Data, Tensor, TensorError, element_count};

use super::number::{Int, Kind, Latitude, Number};
use super::random::Distribution;
use super::real::Real;
use super::unordered::Unordered;
use crate::Refusal;

/// What is accepted in place of each element, where it is not just that element.
#[derive(Clone, Debug, PartialEq)]
pub enum Bounds {
    /// One real number for each element.
    Real(Vec<Real>),
    /// One integer range for each element.
    Int(Vec<Int>),
}

/// A tensor with what is accepted in its place.
#[derive(Clone, Debug, PartialEq)]
pub struct Expected {
    /// The preferred answer.
    pub tensor: Tensor,
    /// What else is accepted; none where only the preferred answer is.
    pub bounds: Option<Bounds>,
    /// Elements on which the specification does not decide, ascending.
    pub latitude: Vec<(usize, Latitude)>,
    /// Whether zeros must have the right sign, where `bounds` does not say.
    pub signed_zero: bool,
    /// What may come in any order, the same in all outputs of the model that say so (see [`super::aligned`]).
    /// What is computed from such a tensor does not know of it.
    pub unordered: Option<Unordered>,
    /// What the elements are drawn from, where that is all that can be said of them; `latitude` then opens every element for what is computed
    /// from them.
    pub random: Option<Arc<Distribution>>,
}

impl From<Tensor> for Expected {
    fn from(tensor: Tensor) -> Expected {
        Expected { tensor, bounds: None, latitude: vec![], signed_zero: true, unordered: None, random: None }
    }
}

impl Expected {
    /// Element type.
    pub fn dtype(&self) -> DType {
        self.tensor.dtype()
    }

    /// Extents.
    pub fn shape(&self) -> &[usize] {
        self.tensor.shape()
    }

    /// Number of extents.
    pub fn rank(&self) -> usize {
        self.tensor.rank()
    }

    /// Number of elements.
    pub fn len(&self) -> usize {
        self.tensor.len()
    }

    /// Whether there is no element.
    pub fn is_empty(&self) -> bool {
        self.tensor.is_empty()
    }

    /// Extent along a dimension.
    pub fn extent(&self, dimension: usize) -> usize {
        self.shape()[dimension]
    }

    /// Whether every element has exactly one accepted value.
    pub fn is_certain(&self) -> bool {
        self.bounds.is_none() && self.latitude.is_empty()
    }

    pub(super) fn latitude_at(&self, index: usize) -> Option<Latitude> {
        if self.latitude.is_empty() {
            return None;
        }
        self.latitude.binary_search_by_key(&index, |(i, _)| *i).ok().map(|at| self.latitude[at].1)
    }

    /// Element `index` of a numeric or bool tensor.
    pub fn number(&self, index: usize) -> Number {
        let kind = match &self.bounds {
            Some(Bounds::Real(reals)) => Kind::Real(reals[index]),
            Some(Bounds::Int(ints)) => Kind::Int(ints[index]),
            None => {
                let dtype = self.dtype();
                if dtype.is_float() {
                    let real = Real::exact(self.tensor.f64_at(index), dtype);
                    Kind::Real(Real { signed_zero: self.signed_zero, ..real })
                } else {
                    let value = self.tensor.i128_at(index);
                    Kind::Int(Int { low: value, mid: value, high: value, dtype })
                }
            }
        };
        Number { kind, latitude: self.latitude_at(index) }
    }

    /// Every element of a numeric or bool tensor, row-major.
    pub fn numbers(&self) -> impl Iterator<Item = Number> + '_ {
        let dtype = self.dtype();
        let values = (self.bounds.is_none() && dtype.is_float()).then(|| self.tensor.to_f64s());
        (0..self.len()).map(move |i| match &values {
            Some(values) => {
                let real = Real { signed_zero: self.signed_zero, ..Real::exact(values[i], dtype) };
                Number { kind: Kind::Real(real), latitude: self.latitude_at(i) }
            }
            None => self.number(i),
        })
    }

    /// A tensor of this type out of numbers of the same type; each is rounded to it once.
    pub fn from_numbers(
        dtype: DType,
        shape: Vec<usize>,
        numbers: impl IntoIterator<Item = Number>,
    ) -> Result<Expected, Refusal> {
        let count = element_count(&shape).ok_or_else(|| TensorError::TooLarge(shape.clone()))?;
        let mut all = Collected::new(dtype, count);
        numbers.into_iter().for_each(|number| all.push(number));
        all.into_expected(shape)
    }

    /// The same elements under another shape of as many elements.
    pub fn reshaped(self, shape: Vec<usize>) -> Result<Expected, Refusal> {
        Ok(Expected { tensor: self.tensor.reshaped(shape)?, unordered: None, random: None, ..self })
    }

    /// A tensor of elements taken from `sources` (all of one type): `pick` gives, for each element, which source and which element of it.
    /// Bits, bounds and latitude move along.
    pub fn assembled(
        shape: Vec<usize>,
        sources: &[&Expected],
        mut pick: impl FnMut(usize) -> (usize, usize),
    ) -> Result<Expected, Refusal> {
        let Some(first) = sources.first() else { return Err(Refusal::failed("nothing to assemble from")) };
        let dtype = first.dtype();
        let count = element_count(&shape).ok_or_else(|| TensorError::TooLarge(shape.clone()))?;
        let picks: Vec<(usize, usize)> = (0..count).map(&mut pick).collect();
        let data = match first.tensor.data() {
            Data::Strings(_) => {
                Data::Strings(picks.iter().map(|&(s, i)| sources[s].tensor.strings()[i].clone()).collect())
            }
            Data::Bytes(_) => {
                let size = dtype.size();
                let bytes: Vec<&[u8]> = sources.iter().map(|s| s.tensor.bytes()).collect();
                let mut out = Vec::with_capacity(count * size);
                for &(s, i) in &picks {
                    out.extend_from_slice(&bytes[s][i * size..(i + 1) * size]);
                }
                Data::Bytes(out)
            }
        };
        let tensor = Tensor::new(dtype, shape, data)?;
        let bounds = if sources.iter().all(|s| s.bounds.is_none()) {
            None
        } else if dtype.is_float() {
            Some(Bounds::Real(picks.iter().map(|&(s, i)| sources[s].number(i).real()).collect()))
        } else {
            let int = |&(s, i): &(usize, usize)| match sources[s].number(i).kind {
                Kind::Int(x) => x,
                Kind::Real(x) => Int { low: x.low as i128, mid: x.mid as i128, high: x.high as i128, dtype },
            };
            Some(Bounds::Int(picks.iter().map(int).collect()))
        };
        let latitude = if sources.iter().all(|s| s.latitude.is_empty()) {
            vec![]
        } else {
            picks.iter().enumerate().filter_map(|(at, &(s, i))| sources[s].latitude_at(i).map(|l| (at, l))).collect()
        };
        let signed_zero = sources.iter().all(|s| s.signed_zero);
        Ok(Expected { tensor, bounds, latitude, signed_zero, unordered: None, random: None })
    }

    /// A tensor of elements taken from this one.
    pub fn rearranged(&self, shape: Vec<usize>, mut pick: impl FnMut(usize) -> usize) -> Result<Expected, Refusal> {
        Expected::assembled(shape, &[self], |i| (0, pick(i)))
    }
}
