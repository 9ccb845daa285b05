//! Conditions on several elements of an answer together ([`disagreement`](crate::disagreement) checks them).

use std::sync::Arc;

use super::Expected;

/// A condition on the elements of an output.
#[derive(Clone, Debug, PartialEq)]
pub enum Joint {
    /// The output holds the elements of a pairing.
    Elements(Arc<Pairing>),
    /// The output holds the indices of a pairing.
    Indices(Arc<Pairing>),
    /// The elements along the last axis add up to 1, except for an error.
    AddUp {
        /// The largest error.
        error: f64,
    },
}

/// Two outputs of which one has elements of an input, and the other one says where they stand in it.
#[derive(Clone, Debug, PartialEq)]
pub struct Pairing {
    /// The input.
    pub source: Expected,
    /// For each element of the outputs, the place in the input that the index 0 names.
    pub first: Vec<usize>,
    /// The distance in the input between the elements that two successive indices name.
    pub step: usize,
    /// Whether all indices name different elements of the input.
    pub distinct: bool,
}

impl Pairing {
    /// Binds an output with elements of the input to the output with their indices.
    pub fn bind(self, elements: &mut Expected, indices: &mut Expected) {
        let pairing = Arc::new(self);
        elements.joint = Some(Joint::Elements(pairing.clone()));
        indices.joint = Some(Joint::Indices(pairing));
    }
}
