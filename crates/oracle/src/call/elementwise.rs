//! Helpers for element-wise operators: they apply a function to each element of one input, or to the elements of
//! several inputs at one place, under the rules of broadcasting.

use plumbline_spec::rule;

use super::{Answer, Call, one};
use crate::expected::{Collected, Expected};
use crate::number::Number;
use crate::shape;
use crate::{Label, Refusal};

impl Call<'_> {
    /// Applies `f` to each element of an input, or to each part of an uncertain one (see [`Number::each_part`]).
    pub fn map(&self, input: &str, f: impl Fn(Number) -> Number + Sync) -> Answer {
        let x = self.tensor(input)?;
        let one_part = x.one_parts();
        self.answer_each(x.shape().to_vec(), |i| match one_part(i) {
            Some(kind) => f(kind.into()),
            None => x.number(i).each_part_of_many(&f),
        })
    }

    /// Applies `f` to each pair of elements of two inputs that broadcast to one shape. `label` is the constraint that
    /// is broken if they do not.
    pub fn zip(&self, a: &str, b: &str, label: Label, f: impl Fn(Number, Number) -> Number + Sync) -> Answer {
        let (a, b) = (self.tensor(a)?, self.tensor(b)?);
        let shape = broadcast_shape(&[a, b], label)?;
        let (left, right) = (shape::broadcast_indices(a.shape(), &shape), shape::broadcast_indices(b.shape(), &shape));
        let pair = of_pairs(a, b, f);
        self.answer_each(shape, |at| pair([left[at], right[at]]))
    }

    /// Returns an answer of one output, whose elements `element` computes from their indices.
    fn answer_each(&self, shape: Vec<usize>, element: impl Fn(usize) -> Number + Sync) -> Answer {
        one(Collected::computed(self.output_dtype(0)?, shape.iter().product(), element).into_expected(shape)?)
    }

    /// Applies `f` to each pair of elements under the rule for broadcasting before version 7: the shapes are equal, or
    /// with `broadcast` = 1 the shape of `b` is a contiguous part of the shape of `a`. This part begins at `axis`;
    /// without `axis`, it is at the end. In this part, extents of 1 are expanded. `label` is the constraint that is
    /// broken if the shapes do not fit.
    pub fn zip_legacy(&self, a: &str, b: &str, label: Label, f: impl Fn(Number, Number) -> Number + Sync) -> Answer {
        let names = [a, b];
        let (a, b) = (self.tensor(a)?, self.tensor(b)?);
        let aligned = self.legacy_shape(names, [a, b], label)?;
        let right = shape::broadcast_indices(&aligned, a.shape());
        let pair = of_pairs(a, b, f);
        self.answer_each(a.shape().to_vec(), |at| pair([at, right[at]]))
    }

    /// Returns the shape of `b` with extents of 1 added, so that it lines up with `a` (see [`Call::zip_legacy`]).
    fn legacy_shape(&self, names: [&str; 2], [a, b]: [&Expected; 2], label: Label) -> Result<Vec<usize>, Refusal> {
        let refusal = |found: &str| {
            let shapes = [b.shape(), a.shape()];
            let message = format!("`{}` of shape {:?} {found} `{}`, {:?}", names[1], shapes[0], names[0], shapes[1]);
            Refusal::violates(label, message)
        };
        if !self.flag("broadcast") {
            let differs = || refusal("needs `broadcast` to fit the shape of");
            return if a.shape() == b.shape() { Ok(b.shape().to_vec()) } else { Err(differs()) };
        }
        let refuse = || refusal("with this `axis` does not fit the shape of");
        let slack = a.rank().checked_sub(b.rank()).ok_or_else(refuse)?;
        let start = match self.optional_int("axis").filter(|_| self.has_attribute("axis")) {
            None => slack,
            Some(axis) => usize::try_from(axis).ok().filter(|&s| s <= slack).ok_or_else(refuse)?,
        };
        let mut aligned = vec![1; a.rank()];
        aligned[start..start + b.rank()].copy_from_slice(b.shape());
        // Before version 7, ONNX's text does not expand an extent of 1 unless `b` has one element, but cases that ONNX
        // publishes for version 6 do.
        let fits = aligned.iter().zip(a.shape()).all(|(&e, &full)| e == 1 || e == full);
        if !fits {
            return Err(refuse());
        }
        if b.len() != 1 && b.shape().iter().zip(&a.shape()[start..]).any(|(&e, &full)| e == 1 && full != 1) {
            self.leaves_open(rule::SIZE_ONE_BROADCAST);
        }
        Ok(aligned)
    }

    /// Broadcasts all tensors of a variadic input to `shape`. Then applies `f`, for each place, to the elements that
    /// the tensors have there, in the order of the inputs.
    pub fn across(&self, name: &str, shape: Vec<usize>, f: impl Fn(&[Number]) -> Number) -> Answer {
        let tensors = self.tensors(name)?;
        if tensors.is_empty() {
            return Err(Refusal::invalid("no input is given"));
        }
        let indices: Vec<Vec<usize>> = tensors.iter().map(|t| shape::broadcast_indices(t.shape(), &shape)).collect();
        let count = shape.iter().product();
        let element = |i: usize| {
            let numbers: Vec<Number> = tensors.iter().zip(&indices).map(|(t, at)| t.number(at[i])).collect();
            f(&numbers)
        };
        self.answer(shape, (0..count).map(element))
    }

    /// Returns the shape that all tensors of a variadic input have. `label` is the constraint that is broken if they
    /// differ.
    pub fn equal_shapes(&self, name: &str, label: Label) -> Result<Vec<usize>, Refusal> {
        let tensors = self.tensors(name)?;
        let first = tensors.first().map(|t| t.shape().to_vec()).unwrap_or_default();
        match tensors.iter().find(|t| t.shape() != first) {
            Some(other) => Err(Refusal::violates(label, format!("shapes {first:?} and {:?} differ", other.shape()))),
            None => Ok(first),
        }
    }

    /// Returns the shape to which all tensors of a variadic input broadcast. `label` is the constraint that is broken
    /// if they do not.
    pub fn broadcast_shapes(&self, name: &str, label: Label) -> Result<Vec<usize>, Refusal> {
        broadcast_shape(&self.tensors(name)?, label)
    }
}

/// Returns a function that applies `f` to an element of each of two tensors, or to each pair of their parts.
#[inline]
fn of_pairs<'a>(
    a: &'a Expected,
    b: &'a Expected,
    f: impl Fn(Number, Number) -> Number + Sync + 'a,
) -> impl Fn([usize; 2]) -> Number + Sync + 'a {
    let (of_a, of_b) = (a.one_parts(), b.one_parts());
    move |[i, j]| match (of_a(i), of_b(j)) {
        (Some(x), Some(y)) => f(x.into(), y.into()),
        _ => {
            let f: &dyn Fn(Number, Number) -> Number = &f;
            a.number(i).each_pair(b.number(j), f)
        }
    }
}

/// Returns the shape to which tensors broadcast. `label` is the constraint that is broken if they do not.
pub fn broadcast_shape(tensors: &[&Expected], label: Label) -> Result<Vec<usize>, Refusal> {
    let shapes: Vec<&[usize]> = tensors.iter().map(|t| t.shape()).collect();
    let shape = shape::broadcast(&shapes)
        .ok_or_else(|| Refusal::violates(label, format!("shapes {shapes:?} do not broadcast")))?;
    shape::affordable(&shape)?;
    Ok(shape)
}
