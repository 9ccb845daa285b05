//! Operations for outputs that consist of elements of an input, in other places, and of a fill value.

use plumbline_tensor::{DType, Tensor};

use super::expected::Expected;
use super::number::{Allowed, Elements, Latitude, Number, bytes_of};
use super::shape;
use crate::{Label, Refusal};

impl Expected {
    /// Builds a tensor whose elements are copied from this one: for the coordinates of each element, `from` returns the
    /// coordinates of its source.
    pub fn moved(&self, shape: Vec<usize>, from: impl Fn(&[usize]) -> Vec<usize>) -> Result<Expected, Refusal> {
        shape::affordable(&shape)?;
        let extents = shape.clone();
        self.rearranged(shape, |i| shape::index_of(&from(&shape::coordinates(i, &extents)), self.shape()))
    }

    /// Does the same as [`Expected::moved`], but `from` may return `None`: such an element is copied from the only
    /// element of `fill`.
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

    /// Returns the zero of a type as a scalar: 0, false, or a complex 0. The specification says neither which string is
    /// zero (the empty string, which is preferred, or `0`), nor what is used for a type that has no zero (float8e8m0,
    /// where the smallest value is preferred). `label` is the behaviour that leaves this open.
    pub fn zero(dtype: DType, label: Label) -> Result<Expected, Refusal> {
        let zero = Expected::from(Tensor::zeros(dtype, vec![])?);
        if dtype == DType::String {
            let digit = Expected::from(Tensor::from_strings(vec![], vec![b"0".to_vec()])?);
            return Ok(zero.or_elements(label, &digit, |_| vec![0]));
        }
        let has_none = dtype.is_float() && zero.tensor.f64_at(0) != 0.0;
        Ok(if has_none { zero.undecided_where(label, |_| true) } else { zero })
    }

    /// Adds outcomes, because the rule `label` does not decide which elements are copied to some places. For the index
    /// of a place, `others` returns the indices of the elements of `source` that may be there too.
    pub fn or_elements(self, label: Label, source: &Expected, others: impl Fn(usize) -> Vec<usize>) -> Expected {
        let mut listed = self.listed.clone();
        listed.add_all(&source.listed);
        let mut open = |index: usize| {
            let mut latitude = self.latitude_at(index);
            for other in others(index) {
                latitude = self.or_element(index, latitude, source, other, label);
                if latitude.is_some_and(|latitude| matches!(latitude.allowed, Allowed::Elements(_))) {
                    listed.add(&source.tensor, other);
                }
            }
            latitude
        };
        let latitude = (0..self.len()).filter_map(|index| Some((index, open(index)?))).collect();
        Expected { latitude, listed, ..self }
    }

    /// Returns the latitude of element `index` with one more outcome: element `other` of `source` may be in its place.
    /// `before` is the latitude without this outcome.
    fn or_element(
        &self,
        index: usize,
        before: Option<Latitude>,
        source: &Expected,
        other: usize,
        label: Label,
    ) -> Option<Latitude> {
        let dtype = self.dtype();
        if dtype.is_float() || dtype.is_integer() || dtype == DType::Bool {
            let (number, other) = (Number { latitude: before, ..self.number(index) }, source.number(other));
            return number.or(other, label).latitude;
        }
        let same = bytes_of(&self.tensor, index) == bytes_of(&source.tensor, other);
        let allowed = match source.latitude_at(other).map(|latitude| latitude.allowed) {
            None if same => return before,
            None => Allowed::Elements(Elements::one(&source.tensor, other)),
            Some(allowed) => allowed.with(Allowed::Elements(Elements::one(&source.tensor, other))),
        };
        let allowed = before.map_or(allowed, |before| before.allowed.with(allowed));
        Some(Latitude { label: before.map_or(label, |before| before.label), allowed })
    }

    /// Allows any value for the elements for which `open` holds: the specification does not decide on them (`label` is
    /// the rule).
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

    /// Returns for each element of a bool tensor whether it is true. Refuses a tensor if several values are accepted
    /// for an element, because the elements decide what the operator computes.
    pub fn flags(&self) -> Result<Vec<bool>, Refusal> {
        if !self.is_certain() {
            return Err(Refusal::unsupported(
                "an input decides what is computed, but the oracle accepts more than one value for it",
            ));
        }
        Ok((0..self.len()).map(|i| self.tensor.i128_at(i) != 0).collect())
    }
}
