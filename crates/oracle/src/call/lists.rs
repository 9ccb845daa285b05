//! Integer inputs that steer an operator: shapes, axes, and other lists.

use plumbline_spec::rule;

use super::Call;
use crate::expected::Expected;
use crate::{Label, Refusal};

impl Call<'_> {
    /// Returns the elements of an integer tensor input that steers the operator (a shape, axes, ...), as int64.
    pub fn ints(&self, name: &str) -> Result<Vec<i64>, Refusal> {
        ints_of(self.tensor(name)?, name)
    }

    /// Returns the elements of an input as [`Call::ints`] does, if it is given.
    pub fn optional_ints(&self, name: &str) -> Result<Option<Vec<i64>>, Refusal> {
        self.optional_tensor(name)?.map(|t| ints_of(t, name)).transpose()
    }

    /// Returns the elements of an input as [`Call::ints`] does, if it is given. The specification calls the input a
    /// list and does not say that its rank is 1, so that a backend may refuse another rank (`list-rank`).
    pub fn optional_list(&self, name: &str) -> Result<Option<Vec<i64>>, Refusal> {
        if self.optional_tensor(name)?.is_some_and(|list| list.rank() != 1) {
            self.leaves_open(rule::LIST_RANK);
        }
        self.optional_ints(name)
    }

    /// Returns the elements of an input as [`Call::ints`] does, if it is given. `label` is the constraint that is
    /// broken if the rank of the input is not 1, unless the text calls the input a list without a rank (`list-rank`).
    pub fn optional_rank_one(&self, name: &str, label: Label) -> Result<Option<Vec<i64>>, Refusal> {
        if let Some(list) = self.optional_tensor(name)?
            && list.rank() != 1
        {
            if !self.follows(rule::LIST_RANK) {
                return Err(Refusal::violates(
                    label,
                    format!("`{name}` has shape {:?}, expected rank 1", list.shape()),
                ));
            }
            self.leaves_open(rule::LIST_RANK);
        }
        self.optional_ints(name)
    }
}

fn ints_of(tensor: &Expected, name: &str) -> Result<Vec<i64>, Refusal> {
    if !tensor.is_certain() {
        return Err(Refusal::unsupported(format!(
            "input `{name}` decides what is computed, but the oracle accepts more than one value for it"
        )));
    }
    if !tensor.dtype().is_integer() {
        return Err(Refusal::failed(format!("input `{name}` has type {}, expected an integer type", tensor.dtype())));
    }
    let to_i64 = |v: i128| {
        i64::try_from(v)
            .map_err(|_| Refusal::invalid(format!("input `{name}` has the element {v}, which int64 cannot represent")))
    };
    tensor.tensor.to_i128s().into_iter().map(to_i64).collect()
}
