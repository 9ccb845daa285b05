//! Elements that move: outputs whose elements are those of an input elsewhere, or a fill value.

use plumbline_tensor::{DType, Tensor};

use super::expected::Expected;
use super::number::{Allowed, Latitude};
use super::shape;
use crate::{Label, Refusal};

impl Expected {
    /// A tensor of elements taken from this one: `from` gives, for the coordinates of each element, those of its source.
    pub fn moved(&self, shape: Vec<usize>, from: impl Fn(&[usize]) -> Vec<usize>) -> Result<Expected, Refusal> {
        shape::affordable(&shape)?;
        let extents = shape.clone();
        self.rearranged(shape, |i| shape::index_of(&from(&shape::coordinates(i, &extents)), self.shape()))
    }

    /// The same, where an element without a source is the one element of `fill`.
    pub fn moved_or(
        &self,
        shape: Vec<usize>,
        fill: &Expected,
        from: impl Fn(&[usize]) -> Option<Vec<usize>>,
    ) -> Result<Expected, Refusal> {
        shape::affordable(&shape)?;
        let extents = shape.clone();
        Expected::assembled(shape, &[self, fill], |i| match from(&shape::coordinates(i, &extents)) {
            Some(at) => (0, shape::index_of(&at, self.shape())),
            None => (1, 0),
        })
    }

    /// The zero of a type, rank 0: 0, false, a complex 0. The specification does not say what the zero of strings is, nor of a type that has
    /// none (float8e8m0): there `label` is the behaviour that says so, and the empty string and the smallest value are preferred.
    pub fn zero(dtype: DType, label: Label) -> Result<Expected, Refusal> {
        let zero = Expected::from(Tensor::zeros(dtype, vec![])?);
        let has_none = dtype == DType::String || dtype.is_float() && zero.tensor.f64_at(0) != 0.0;
        Ok(if has_none { zero.undecided_where(label, |_| true) } else { zero })
    }

    /// The specification does not decide on the elements for which `open` holds (`label` says so): any value is accepted there.
    pub fn undecided_where(mut self, label: Label, open: impl Fn(usize) -> bool) -> Expected {
        let undecided = Latitude { label, allowed: Allowed::Anything };
        let known = std::mem::take(&mut self.latitude);
        let mut known = known.into_iter().peekable();
        for index in 0..self.len() {
            let before = known.next_if(|(i, _)| *i == index);
            if open(index) {
                self.latitude.push((index, undecided));
            } else if let Some(before) = before {
                self.latitude.push(before);
            }
        }
        self
    }

    /// Whether each element of a bool tensor is true. Refuses a tensor that steers the operator and is not certain.
    pub fn flags(&self) -> Result<Vec<bool>, Refusal> {
        if !self.is_certain() {
            return Err(Refusal::unsupported("an input steers the operator and is not certain"));
        }
        Ok((0..self.len()).map(|i| self.tensor.i128_at(i) != 0).collect())
    }
}
