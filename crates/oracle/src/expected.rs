//! [`Expected`]: a tensor together with everything that is accepted in its place. Kernels read and write it, and a
//! backend's answer is compared with it.

mod collected;
mod distribution;
mod joint;
mod judged;
mod unordered;

pub use collected::Collected;
pub use distribution::Distribution;
pub use joint::{Joint, Pairing};
pub use judged::{Judged, Margins};
pub use unordered::{Unordered, UnorderedParts};

use std::sync::Arc;

use plumbline_spec::rule;
use plumbline_tensor::{DType, Data, Tensor, TensorError, element_count};

use super::number::{Allowed, ElementBytes, Int, Latitude, Number, NumberKind};
use super::real::Real;
use crate::{Refusal, steps};

/// The largest number of elements that are converted at once, where that only saves time. It takes eight bytes for each.
const MOST_CONVERTED: usize = 1 << 20;

/// The latitude of an element that is drawn at random.
const DRAWN: Latitude = Latitude { label: rule::RANDOMNESS, allowed: Allowed::Anything };

/// The intervals that are accepted in place of the elements of an [`Expected`], one for each element. Every value
/// inside of them is a pass.
#[derive(Clone, Debug, PartialEq)]
pub enum Bounds {
    /// The elements of a floating-point tensor.
    Real(Vec<Real>),
    /// The elements of an integer or bool tensor.
    Int(Vec<Int>),
}

/// A tensor as the oracle expects it: the preferred answer, and what else is accepted for each element.
///
/// An element of a backend's answer passes if it is inside of the interval that `bounds` has for it, or equals the
/// preferred element where there are no bounds. It is latitude if it is one of the outcomes that `latitude` lists for
/// this element. Everything else is wrong (see [`Expected::judge`]). [`Expected::number`] gives one element with its
/// interval and outcomes to a kernel.
#[derive(Clone, Debug, PartialEq)]
pub struct Expected {
    /// The preferred answer.
    pub tensor: Tensor,
    /// The interval that is accepted for each element; `None` where every element has to equal the preferred one.
    pub bounds: Option<Bounds>,
    /// The elements on which the specification does not decide, each with its index and its other outcomes; indices
    /// ascend.
    pub latitude: Vec<(usize, Latitude)>,
    /// The bytes of the elements that `latitude` lists, for types that no [`Number`] represents (strings, complex
    /// numbers).
    pub listed: ElementBytes,
    /// Whether the sign of a zero has to be right. Only read where `bounds` is `None`; otherwise each [`Real`] says so
    /// itself.
    pub signed_zero: bool,
    /// Whether there may be a NaN that was computed, so that its bits are not known.
    pub computed_nan: bool,
    /// Which parts of the tensor may come in any order. If this is the same for several outputs of a model, their parts
    /// have the same order (see [`super::aligned`]). Tensors that are computed from this one do not keep this field, but
    /// copies do.
    pub unordered: Option<Unordered>,
    /// A condition on several elements together. Tensors that are computed from this one do not keep this field, but
    /// copies do.
    pub joint: Option<Joint>,
    /// The distribution that the elements are drawn from, for an output of a random operator. An answer is then judged
    /// as a sample, and `tensor` is only an example. A tensor that is computed from this one may have any values: each
    /// element counts as one for which `latitude` allows any value, although `latitude` does not list it.
    pub random: Option<Arc<Distribution>>,
}

impl From<Tensor> for Expected {
    fn from(tensor: Tensor) -> Expected {
        Expected {
            tensor,
            bounds: None,
            latitude: vec![],
            listed: ElementBytes::default(),
            signed_zero: true,
            computed_nan: false,
            unordered: None,
            joint: None,
            random: None,
        }
    }
}

impl Expected {
    /// Returns the element type.
    pub fn dtype(&self) -> DType {
        self.tensor.dtype()
    }

    /// Returns the extents.
    pub fn shape(&self) -> &[usize] {
        self.tensor.shape()
    }

    /// Returns the rank: the number of extents.
    pub fn rank(&self) -> usize {
        self.tensor.rank()
    }

    /// Returns the number of elements.
    pub fn len(&self) -> usize {
        self.tensor.len()
    }

    /// Returns whether the tensor is empty (one of its extents is 0).
    pub fn is_empty(&self) -> bool {
        self.tensor.is_empty()
    }

    /// Returns the extent along a dimension.
    pub fn extent(&self, dimension: usize) -> usize {
        self.shape()[dimension]
    }

    /// Returns whether every element has exactly one accepted value, apart from the sign of a zero.
    pub fn is_certain(&self) -> bool {
        let points = match &self.bounds {
            None => true,
            Some(Bounds::Real(bounds)) => bounds.iter().all(Real::is_point),
            Some(Bounds::Int(bounds)) => bounds.iter().all(|x| x.low == x.high),
        };
        points && self.latitude.is_empty() && self.random.is_none()
    }

    /// Returns whether every element has exactly one accepted bit pattern. A zero whose sign does not count has two, and a
    /// NaN that was computed may have any of those of NaN.
    pub fn has_certain_bits(&self) -> bool {
        let has_any_zero = || match &self.bounds {
            Some(Bounds::Real(reals)) => reals.iter().any(|x| x.mid == 0.0 && !x.signed_zero),
            Some(Bounds::Int(_)) => false,
            None => !self.signed_zero && self.tensor.to_f64s().contains(&0.0),
        };
        let has_computed_nan = || self.computed_nan && self.tensor.to_f64s().into_iter().any(f64::is_nan);
        self.is_certain() && (!self.dtype().is_float() || !has_any_zero() && !has_computed_nan())
    }

    /// Returns whether any value is accepted for each element. An empty tensor has no such element.
    pub fn is_undecided(&self) -> bool {
        let open = |index| self.latitude_at(index).is_some_and(|latitude| latitude.allowed == Allowed::Anything);
        !self.tensor.is_empty() && (0..self.tensor.len()).all(open)
    }

    #[inline]
    pub(super) fn latitude_at(&self, index: usize) -> Option<Latitude> {
        if self.latitude.is_empty() && self.random.is_none() { None } else { self.listed_latitude(index) }
    }

    fn listed_latitude(&self, index: usize) -> Option<Latitude> {
        if self.random.is_some() {
            return Some(DRAWN);
        }
        self.latitude.binary_search_by_key(&index, |(i, _)| *i).ok().map(|at| self.latitude[at].1)
    }

    /// Returns the latitude of the first element that has one.
    pub(super) fn first_open(&self) -> Option<Latitude> {
        let listed = self.latitude.first().map(|(_, latitude)| *latitude);
        if self.is_empty() { None } else { self.random.as_ref().map(|_| DRAWN).or(listed) }
    }

    /// Returns element `index` of a numeric or bool tensor.
    #[inline]
    pub fn number(&self, index: usize) -> Number {
        steps::take(1);
        Number { kind: self.kind(index), latitude: self.latitude_at(index) }
    }

    /// Returns a function that gives an element if it is one part that is quick to recognize (see
    /// [`Number::each_part`]).
    pub(crate) fn one_parts(&self) -> impl Fn(usize) -> Option<NumberKind> {
        let is_decided = self.latitude.is_empty() && self.random.is_none();
        let exact = (self.len() <= MOST_CONVERTED).then(|| self.exact_reals()).flatten();
        move |index| {
            if !is_decided {
                return None;
            }
            let kind = match &exact {
                Some(exact) => NumberKind::Real(exact(index)),
                None => self.kind(index),
            };
            let is_one_part = match kind {
                NumberKind::Real(x) => x.is_undivided(),
                NumberKind::Int(x) => x.low == x.high,
            };
            steps::take(usize::from(is_one_part));
            is_one_part.then_some(kind)
        }
    }

    /// Returns a function that gives the elements of a float tensor without bounds. All are converted at once.
    fn exact_reals(&self) -> Option<impl Fn(usize) -> Real> {
        let values = (self.bounds.is_none() && self.dtype().is_float()).then(|| self.tensor.to_f64s())?;
        let exact = Real::exact_in(self.dtype());
        Some(move |index: usize| Real { signed_zero: self.signed_zero, ..exact(values[index]) })
    }

    /// Returns an element without its outcomes.
    #[inline]
    fn kind(&self, index: usize) -> NumberKind {
        match &self.bounds {
            Some(Bounds::Real(reals)) => NumberKind::Real(reals[index]),
            Some(Bounds::Int(ints)) => NumberKind::Int(ints[index]),
            None if self.dtype().is_float() => NumberKind::Real(self.exact_real(index)),
            None => NumberKind::Int(self.exact_int(index)),
        }
    }

    /// Returns an element of a float tensor without bounds.
    fn exact_real(&self, index: usize) -> Real {
        Real { signed_zero: self.signed_zero, ..Real::exact(self.tensor.f64_at(index), self.dtype()) }
    }

    /// Returns an element of an integer or bool tensor without bounds.
    fn exact_int(&self, index: usize) -> Int {
        let value = self.tensor.i128_at(index);
        Int { low: value, mid: value, high: value, dtype: self.dtype() }
    }

    /// Returns every element of a numeric or bool tensor, in row-major order.
    pub fn numbers(&self) -> impl Iterator<Item = Number> + '_ {
        let exact = self.exact_reals();
        (0..self.len()).map(move |i| match &exact {
            Some(exact) => Number { kind: NumberKind::Real(exact(i)), latitude: self.latitude_at(i) },
            None => self.number(i),
        })
    }

    /// Builds a tensor of this type and shape from numbers of the same type, in row-major order. Each number is rounded
    /// to the type once.
    pub fn from_numbers(
        dtype: DType,
        shape: Vec<usize>,
        numbers: impl IntoIterator<Item = Number>,
    ) -> Result<Expected, Refusal> {
        let count = element_count(&shape).ok_or_else(|| TensorError::TooLarge(shape.clone()))?;
        let mut all = Collected::new(dtype, count);
        for number in numbers {
            all.push(number);
        }
        all.into_expected(shape)
    }

    /// Returns the same elements under another shape with the same number of elements.
    pub fn reshaped(self, shape: Vec<usize>) -> Result<Expected, Refusal> {
        let latitude = match &self.random {
            Some(_) => (0..self.len()).map(|i| (i, DRAWN)).collect(),
            None => self.latitude,
        };
        Ok(Expected {
            tensor: self.tensor.reshaped(shape)?,
            latitude,
            unordered: None,
            joint: None,
            random: None,
            ..self
        })
    }

    /// Returns the same tensor, where the signs of zeros do not count.
    pub fn with_any_zero(self) -> Expected {
        let any_zero = |x: Real| Real { signed_zero: false, ..x };
        let bounds = self.bounds.map(|bounds| match bounds {
            Bounds::Real(reals) => Bounds::Real(reals.into_iter().map(any_zero).collect()),
            ints => ints,
        });
        Expected { bounds, signed_zero: false, ..self }
    }

    /// Builds a tensor whose elements are copied from `sources`, which all have the same type. For the index of each
    /// element, `pick` returns the index of the source and the index of the element in it. Bits, bounds and latitude
    /// are copied along.
    pub fn assembled(
        shape: Vec<usize>,
        sources: &[&Expected],
        mut pick: impl FnMut(usize) -> (usize, usize),
    ) -> Result<Expected, Refusal> {
        Expected::copied(shape, sources, &mut pick)
    }

    /// Does what [`Expected::assembled`] does. `pick` is a trait object, so that this function is compiled once and not
    /// once for each `pick`.
    fn copied(
        shape: Vec<usize>,
        sources: &[&Expected],
        pick: &mut dyn FnMut(usize) -> (usize, usize),
    ) -> Result<Expected, Refusal> {
        let Some(first) = sources.first() else { return Err(Refusal::failed("a tensor is assembled from no sources")) };
        let dtype = first.dtype();
        let count = element_count(&shape).ok_or_else(|| TensorError::TooLarge(shape.clone()))?;
        steps::take(count);
        let picks: Vec<(usize, usize)> = (0..count).map(pick).collect();
        let data = match first.tensor.data() {
            Data::Strings(_) => {
                let strings = || picks.iter().map(|&(s, i)| &sources[s].tensor.strings()[i]);
                strings().for_each(|string| steps::take(string.len()));
                Data::Strings(strings().cloned().collect())
            }
            Data::Bytes(_) => {
                let size = dtype.size();
                let bytes: Vec<&[u8]> = sources.iter().map(|s| s.tensor.bytes()).collect();
                let mut out = Vec::with_capacity(count * size);
                for &(s, i) in &picks {
                    out.extend_from_slice(&bytes[s][i * size..(i + 1) * size]);
                }
                Data::Bytes(out.into())
            }
        };
        let tensor = Tensor::new(dtype, shape, data)?;
        // Whether there is a zero whose sign does not count (index 0), and one whose sign counts (index 1). If there
        // are both, `signed_zero` of the whole tensor is not enough, and each element needs its own bounds.
        let mut zeros = [false; 2];
        if dtype.is_float() && sources.iter().any(|s| !s.signed_zero) {
            for &(s, i) in &picks {
                if sources[s].tensor.f64_at(i) == 0.0 {
                    zeros[usize::from(sources[s].signed_zero)] = true;
                }
            }
        }
        let bounds = if sources.iter().all(|s| s.bounds.is_none()) && zeros != [true, true] {
            None
        } else if dtype.is_float() {
            Some(Bounds::Real(picks.iter().map(|&(s, i)| sources[s].number(i).real()).collect()))
        } else {
            let int = |&(s, i): &(usize, usize)| match sources[s].number(i).kind {
                NumberKind::Int(x) => x,
                NumberKind::Real(x) => Int { low: x.low as i128, mid: x.mid as i128, high: x.high as i128, dtype },
            };
            Some(Bounds::Int(picks.iter().map(int).collect()))
        };
        let latitude = if sources.iter().all(|s| s.latitude.is_empty() && s.random.is_none()) {
            vec![]
        } else {
            picks.iter().enumerate().filter_map(|(at, &(s, i))| sources[s].latitude_at(i).map(|l| (at, l))).collect()
        };
        let mut listed = ElementBytes::default();
        sources.iter().for_each(|source| listed.add_all(&source.listed));
        let signed_zero = !zeros[0];
        let computed_nan = sources.iter().any(|source| source.computed_nan);
        Ok(Expected { bounds, latitude, listed, signed_zero, computed_nan, ..tensor.into() })
    }

    /// Builds a tensor whose elements are copied from this one: for the index of each element, `pick` returns the index
    /// of its source.
    pub fn rearranged(&self, shape: Vec<usize>, mut pick: impl FnMut(usize) -> usize) -> Result<Expected, Refusal> {
        Expected::assembled(shape, &[self], |i| (0, pick(i)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn copied_zeros_keep_whether_their_sign_counts() {
        let floats = |values: &[f32]| Expected::from(Tensor::from_f32s(vec![values.len()], values).expect("it fits"));
        let any_zero = |values: &[f32]| Expected { signed_zero: false, ..floats(values) };
        let judged = |first: &Expected, second: &Expected| {
            let joined = Expected::assembled(vec![2], &[first, second], |i| (i, 0)).expect("the types are the same");
            let answer = floats(&[-0.0, -0.0]).tensor;
            ((0..2).map(|i| joined.judge(&answer, i)).collect::<Vec<_>>(), joined.is_certain())
        };
        let zero = floats(&[0.0]);
        assert_eq!(judged(&any_zero(&[0.0]), &zero), (vec![Judged::Accepted, Judged::Wrong], true));
        assert_eq!(judged(&any_zero(&[1.0]), &zero), (vec![Judged::Wrong, Judged::Wrong], true));
        assert_eq!(judged(&any_zero(&[0.0]), &any_zero(&[0.0])), (vec![Judged::Accepted; 2], true));
    }
}
