//! Tells inaccurate answers from wrong ones.
//!
//! An answer whose wrong elements are all finite floating-point numbers is inaccurate if one of two measures explains
//! it. Neither has a tolerance of its own.
//!
//! - The error of each wrong element is at most the one that is accepted for the element with the largest magnitude in
//!   the same output ([`Explanation::LargestElement`]; [`judge()`] decides this): the answer is accurate relative to the output as a whole, as
//!   norms measure it (Higham, "Accuracy and Stability of Numerical Algorithms", 6).
//! - The oracle accepts each wrong element if it computes the case in a less accurate arithmetic
//!   ([`Explanation::Arithmetic`]; [`explained`] decides this).
//!
//! NaN, infinities, the sign of a zero and the results of step functions are never inaccurate.

use plumbline_backend::Observation;
use plumbline_graph::Refusal;
use plumbline_oracle::{Arithmetic, Bounds, Expected, Judged, Operand, Oracle, aligned};
use plumbline_tensor::{Model, Tensor, Value};

use crate::errors::{Errors, Largest};
use crate::judge::{Judgement, judge};
use crate::reason::Explanation;
use crate::right::Right;
use crate::verdict::{FailKind, Verdict};
use crate::wrong::each_tensor;

/// Returns what is right for implementations that compute in this arithmetic. [`judge()`] judges an answer by it.
///
/// # Errors
/// Returns a refusal if the oracle has no answer.
pub fn right_in(arithmetic: Arithmetic, oracle: &Oracle, model: &Model, inputs: &[Value]) -> Result<Right, Refusal> {
    oracle.in_arithmetic(arithmetic).evaluate(model, inputs).map(Right::from)
}

/// Looks for an arithmetic that explains why an answer is wrong, and returns what it found. `judgement` is the
/// judgement of the observation by `right`, which `oracle` computed for the model and its inputs.
pub fn explained(
    judgement: Judgement,
    oracle: &Oracle,
    (model, inputs): (&Model, &[Value]),
    right: &Right,
    observation: &Observation,
) -> Judgement {
    let (Right::Outputs { operands, .. }, Observation::Outputs { values, .. }) = (right, observation) else {
        return judgement;
    };
    if judgement.kind != Some(FailKind::WrongValue) || operands.len() != values.len() {
        return judgement;
    }
    let values = aligned(operands, values);
    let mut errors = Errors::default();
    let tensors = tensors(operands, &values);
    for (expected, tensor, wrong) in &tensors {
        let largest = if wrong.is_empty() { Largest::default() } else { Largest::new(expected) };
        wrong.iter().for_each(|&index| errors.element(expected, tensor, index, largest));
    }
    let Some(error) = errors.of_finite_numbers() else { return judgement };
    let is_concerned = |arithmetic: &Arithmetic| {
        let mut dtypes = inputs.iter().chain(values.iter()).filter_map(|value| value.kind().dtype());
        dtypes.any(|dtype| arithmetic.concerns(dtype))
    };
    let explains = |arithmetic: &Arithmetic| {
        let Ok(other) = right_in(*arithmetic, oracle, model, inputs) else { return false };
        let Right::Outputs { operands: others, .. } = &other else { return false };
        judge(&other, &[], observation).verdict != Verdict::Fail && accepts(others, &values, &tensors)
    };
    let arithmetic = Arithmetic::ALL.into_iter().filter(is_concerned).find(explains);
    match arithmetic {
        Some(arithmetic) => judgement.inaccurate(Explanation::Arithmetic(arithmetic), error),
        None => judgement,
    }
}

/// A tensor of an answer, what is expected of it, and the indices of its wrong elements.
type Compared<'a> = (&'a Expected, &'a Tensor, Vec<usize>);

fn tensors<'a>(operands: &'a [Operand], values: &'a [Value]) -> Vec<Compared<'a>> {
    let mut all = Vec::new();
    for (operand, value) in operands.iter().zip(values) {
        each_tensor("", operand, value, &mut |_, expected, tensor| {
            let is_wrong = |index: &usize| expected.judge(tensor, *index) == Judged::Wrong;
            all.push((expected, tensor, (0..tensor.len()).filter(is_wrong).collect()));
        });
    }
    all
}

/// Returns whether each wrong element lies in the interval that `others` has for it. An interval without a finite end
/// explains nothing.
fn accepts(others: &[Operand], values: &[Value], tensors: &[Compared]) -> bool {
    let others = self::tensors(others, values);
    let is_explained = |other: &Expected, tensor: &Tensor, index: usize| {
        let is_bounded = match &other.bounds {
            Some(Bounds::Real(reals)) => reals[index].low.is_finite() && reals[index].high.is_finite(),
            _ => true,
        };
        is_bounded && other.judge(tensor, index) == Judged::Accepted
    };
    others.len() == tensors.len()
        && others
            .iter()
            .zip(tensors)
            .all(|((other, ..), (_, tensor, wrong))| wrong.iter().all(|&index| is_explained(other, tensor, index)))
}
