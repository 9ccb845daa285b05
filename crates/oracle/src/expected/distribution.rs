//! The distribution that the elements of a random output are drawn from.

use std::sync::Arc;

use super::Expected;
use crate::Label;

/// The distribution of the elements of an output, which are drawn independently of each other.
#[derive(Clone, Debug, PartialEq)]
pub enum Distribution {
    /// The uniform distribution between two bounds.
    Uniform {
        /// The lower bound.
        low: f64,
        /// The upper bound.
        high: f64,
    },
    /// The normal distribution.
    Normal {
        /// The mean.
        mean: f64,
        /// The standard deviation.
        deviation: f64,
    },
    /// Each element is 0 or 1.
    Bernoulli {
        /// The probability of 1, for each element.
        ones: Vec<f64>,
        /// The behaviour that lets `ones` also be the probabilities of 0, because the specification contradicts
        /// itself. `None` if this behaviour does not apply.
        or_zeros: Option<Label>,
    },
    /// Each element is the index of a class; the elements are in rows.
    Classes {
        /// The probability of each class, for each row.
        rows: Vec<Vec<f64>>,
        /// The number of elements in a row.
        samples: usize,
    },
    /// The mask of Dropout: 1 where Dropout keeps the element of its input, and 0 where Dropout drops it.
    Mask {
        /// The probability of 1.
        keep: f64,
    },
    /// The output of Dropout: each element is kept or dropped.
    Dropped {
        /// The output for elements that are kept.
        kept: Arc<Expected>,
        /// The output for elements that are dropped.
        dropped: Arc<Expected>,
        /// The probability that an element is kept.
        keep: f64,
    },
}

impl std::fmt::Display for Distribution {
    /// Writes the words that follow "drawn from" or "sample of" in a message.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Distribution::Uniform { low, high } => write!(f, "the uniform distribution from {low:?} to {high:?}"),
            Distribution::Normal { mean, deviation } => {
                write!(f, "the normal distribution of mean {mean:?} and standard deviation {deviation:?}")
            }
            Distribution::Bernoulli { .. } => write!(f, "0 and 1 with the given probabilities"),
            Distribution::Classes { .. } => write!(f, "classes with the given probabilities"),
            Distribution::Mask { keep } => write!(f, "1 with probability {keep:?}, or else 0"),
            Distribution::Dropped { keep, .. } => {
                write!(f, "the kept and scaled element with probability {keep:?}, or else 0")
            }
        }
    }
}
