//! The parts of a tensor that may come in any order.

use crate::shape;

/// The parts of a tensor that may come in any order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unordered {
    /// The elements along this axis. Each lane (the elements whose other indices are equal) has an order of its own.
    Lanes(usize),
    /// The slices along the first axis; the elements of a slice stay together.
    Rows,
}

impl Unordered {
    /// Returns the number of lanes, the number of places in a lane, and the number of elements in a place. With `Rows`,
    /// the tensor is a single lane, and each row is a place.
    pub(crate) fn lanes(self, shape: &[usize]) -> Option<(usize, usize, usize)> {
        match self {
            Unordered::Lanes(axis) if axis < shape.len() => {
                let (outer, extent, inner) = shape::around(shape, axis);
                Some((outer * inner, extent, 1))
            }
            Unordered::Rows if !shape.is_empty() => {
                let (_, extent, inner) = shape::around(shape, 0);
                Some((1, extent, inner))
            }
            _ => None,
        }
    }

    /// Returns the index in the tensor of element `part` of this place in this lane.
    pub(crate) fn element(self, shape: &[usize], lane: usize, place: usize, part: usize) -> usize {
        match self {
            Unordered::Lanes(axis) => {
                let (_, extent, inner) = shape::around(shape, axis);
                (lane / inner * extent + place) * inner + lane % inner
            }
            Unordered::Rows => place * shape::around(shape, 0).2 + part,
        }
    }
}
