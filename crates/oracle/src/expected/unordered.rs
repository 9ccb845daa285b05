//! The parts of a tensor that may come in any order.

use std::hash::{DefaultHasher, Hash, Hasher};

use plumbline_tensor::onnx::NodeProto;

use crate::shape;

/// The parts of a tensor that may come in any order, which is the same for all outputs of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Unordered {
    /// The parts.
    pub parts: UnorderedParts,
    /// A number that tells the node from others of its graph: a digest of the names of its outputs.
    pub node: u32,
}

/// What a part of a tensor is that may be in another place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UnorderedParts {
    /// The elements along this axis. Each lane (the elements whose other indices are equal) has an order of its own.
    Lanes(usize),
    /// The slices along the first axis; the elements of a slice stay together.
    Rows,
}

impl Unordered {
    /// Returns these parts of the outputs of a node.
    pub fn of_node(parts: UnorderedParts, node: &NodeProto) -> Unordered {
        let mut hasher = DefaultHasher::new();
        node.output.hash(&mut hasher);
        Unordered { parts, node: hasher.finish() as u32 }
    }

    /// Returns the number of lanes, the number of places in a lane, and the number of elements in a place. With `Rows`,
    /// the tensor is a single lane, and each row is a place.
    pub(crate) fn lanes(self, shape: &[usize]) -> Option<(usize, usize, usize)> {
        match self.parts {
            UnorderedParts::Lanes(axis) if axis < shape.len() => {
                let (outer, extent, inner) = shape::around(shape, axis);
                Some((outer * inner, extent, 1))
            }
            UnorderedParts::Rows if !shape.is_empty() => {
                let (_, extent, inner) = shape::around(shape, 0);
                Some((1, extent, inner))
            }
            _ => None,
        }
    }

    /// Returns the index in the tensor of element `part` of this place in this lane.
    pub(crate) fn element(self, shape: &[usize], lane: usize, place: usize, part: usize) -> usize {
        match self.parts {
            UnorderedParts::Lanes(axis) => {
                let (_, extent, inner) = shape::around(shape, axis);
                (lane / inner * extent + place) * inner + lane % inner
            }
            UnorderedParts::Rows => place * shape::around(shape, 0).2 + part,
        }
    }
}
