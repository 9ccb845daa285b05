//! Examples of differences between two versions of an operator, and how readable they are.

use std::collections::BTreeMap;

use plumbline_oracle::Answer;
use plumbline_tensor::{DType, Value};

use super::difference::Sort;
use super::translate::Setting;

/// In [`Example::reading_effort`] an empty tensor counts like one with this many elements, because examples with
/// elements say more.
const EMPTY: usize = 8;

/// The differences found between two versions.
#[derive(Debug)]
pub(super) struct Found {
    /// The number of cases whose two answers could be compared.
    pub compared: usize,
    /// One example for each kind of difference.
    pub examples: BTreeMap<Key, Example>,
}

/// The kind of a difference, together with the properties of the translation that matter for it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Key {
    /// Whether attributes had to be left out because the other version does not have them.
    pub dropped: bool,
    /// How the answers differ.
    pub sort: Sort,
    /// Whether the case leaves out an attribute whose defaults differ between the versions.
    pub defaults: bool,
}

impl Key {
    /// Returns whether an example with this key adds information to the examples with the other keys. It adds
    /// nothing in these cases:
    ///
    /// - Attributes had to be left out, and another example shows the same difference with all of its attributes.
    /// - Attributes had to be left out, and the difference is an open answer or a range. Another example, for which
    ///   attributes also had to be left out, shows different answers or a refusal.
    /// - A different default changes the accepted range. Another example shows that a different default changes the
    ///   answers themselves; the accepted ranges then change with the answers.
    pub fn is_news(&self, all: &[Key]) -> bool {
        let answers = |other: &Key| other.defaults && matches!(other.sort, Sort::Answer(_));
        if self.defaults && self.sort == Sort::Range && all.iter().any(answers) {
            return false;
        }
        let decided = |sort: &Sort| matches!(sort, Sort::Answer(_) | Sort::OnlyEarlier(_) | Sort::OnlyLater(_));
        let plain = all.iter().any(|other| !other.dropped && other.sort == self.sort);
        let better = all.iter().any(|other| other.dropped && decided(&other.sort));
        !self.dropped || !plain && (decided(&self.sort) || !better)
    }
}

/// A case that two versions answer differently.
#[derive(Clone, Debug)]
pub(super) struct Example {
    /// The case in terms of the earlier and of the later version.
    pub settings: [Setting; 2],
    /// The answers of the earlier and of the later version.
    pub answers: [Answer; 2],
    /// The attributes that the case leaves out although their defaults differ between the versions.
    pub defaults: Vec<String>,
    /// The output and the index of the first element that differs.
    pub place: Option<(usize, usize)>,
}

impl Example {
    /// Returns a measure of how much there is to read in the example. Common element types count less than others.
    pub fn reading_effort(&self) -> usize {
        let value = |value: &Value| match value {
            Value::Tensor(tensor) => {
                let elements = if tensor.is_empty() { EMPTY } else { tensor.len() };
                10 * elements + tensor.rank() + strangeness(tensor.dtype())
            }
            other => 10 * other.to_string().len(),
        };
        let inputs: usize = self.settings[0].inputs.iter().flatten().map(value).sum();
        inputs + 10 * (self.settings[0].attributes.len() + self.settings[1].attributes.len())
    }
}

/// Returns how far an element type is from the ones that readers expect in an example.
pub(super) fn strangeness(dtype: DType) -> usize {
    match dtype {
        DType::Float => 0,
        DType::Int64 | DType::Int32 | DType::Bool => 4,
        DType::Double | DType::Float16 | DType::String | DType::Uint8 | DType::Int8 => 8,
        _ => 16,
    }
}
