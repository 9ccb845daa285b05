//! Makes the model of a failing case smaller, whatever it came from, as long as it fails in the same way.
//!
//! The oracle computes every value of the model. So each node can be tried alone, on the values that it gets in a right
//! run, and stretches of nodes can be dropped, with inputs in place of what they compute. Once no node can be dropped,
//! extents, attributes, optional inputs, elements and types are made simpler. A change is kept if the oracle accepts
//! the smaller model, or refuses it for the same violation, and the backend fails on it in the same way.

mod branches;
mod draft;
mod nodes;
mod simpler;

use std::collections::{BTreeMap, HashSet};
use std::time::{Duration, Instant};

use plumbline_generator::{Case, value_info};
use plumbline_judge::{Judgement, Right, Verdict};
use plumbline_oracle::{OpenRule, Operand, Oracle};
use plumbline_tensor::Value;
use plumbline_tensor::onnx::TensorShapeProtoDimensionValue::DimValue;
use plumbline_tensor::onnx::{TensorShapeProto, TensorShapeProtoDimension, TypeProtoValue, ValueInfoProto};

use self::branches::Branches;
use self::draft::Draft;
use crate::cases::case_of_model;
use crate::examining::examine::examine_one;
use crate::examining::expected::right;
use crate::examining::intermediate::intermediate;
use crate::examining::minimize::Budget;
use crate::examining::optimizer::is_still_of_optimizer;
use crate::examining::prepared::PreparedCase;
use crate::examining::repro::Failure;
use crate::subjects::{Role, Subject};

/// How much the class of a failure may differ between a model and a smaller one.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Likeness {
    /// Not at all.
    Class,
    /// It may be any class of the same verdict and kind: what is wrong looks different at another output.
    Kind,
}

struct Search<'a> {
    subject: &'a Subject,
    reference: Oracle,
    deadline: Duration,
    budget: Budget,
    stopped: &'a dyn Fn() -> bool,
    start: Instant,
    runs: usize,
    /// How the branches go together in the failure that is made smaller. A smaller model does not get worse.
    branches: Branches,
    /// The keys of the drafts that were tried.
    tried: HashSet<u64>,
    /// The failure that is made smaller.
    first: &'a Failure,
    /// The smallest model so far.
    draft: Draft,
    /// The smallest failure so far.
    best: Option<Failure>,
}

/// Looks for a smaller model that fails on the backend in the same way, and returns the smallest one. The search ends
/// when it has used up `budget`, or when `stopped` returns true. A failure of the oracle itself is not reduced: what
/// its answer is compared with belongs to the model as it is.
pub(crate) fn reduced(
    subject: &Subject,
    failure: &Failure,
    deadline: Duration,
    budget: Budget,
    stopped: &dyn Fn() -> bool,
) -> Option<Failure> {
    if subject.role == Role::Oracle {
        return None;
    }
    let Case { model, inputs, .. } = &failure.case;
    let draft = Draft { model: model.clone(), inputs: inputs.clone() };
    let reference = Oracle::new(subject.policy.clone());
    let mut search = Search {
        subject,
        branches: Branches::new(&reference, model, inputs),
        reference,
        deadline,
        budget,
        stopped,
        start: Instant::now(),
        runs: 0,
        tried: HashSet::from([draft.key()]),
        first: failure,
        draft,
        best: None,
    };
    search.take(search.draft.clone().without_nested_shapes(), Likeness::Class);
    loop {
        let before = search.draft.key();
        search.nodes();
        search.simpler();
        if search.exhausted() || search.draft.key() == before {
            return search.best;
        }
    }
}

impl Search<'_> {
    fn exhausted(&self) -> bool {
        self.runs >= self.budget.runs || self.start.elapsed() >= self.budget.time || (self.stopped)()
    }

    /// Tries a draft, and keeps it if it fails in the same way. Returns whether it is kept.
    fn take(&mut self, draft: Draft, likeness: Likeness) -> bool {
        if self.exhausted() || !self.tried.insert(draft.key()) {
            return false;
        }
        let Some(failure) = self.fails(&draft, likeness) else { return false };
        // The declared outputs may have changed.
        self.draft = Draft { model: failure.case.model.clone(), ..draft };
        self.tried.insert(self.draft.key());
        self.best = Some(failure);
        true
    }

    fn fails(&mut self, draft: &Draft, likeness: Likeness) -> Option<Failure> {
        let first = &self.first.case;
        let made = case_of_model(first.id.clone(), draft.model.clone(), draft.inputs.clone(), first.violates);
        let mut case = Case { origin: first.origin.clone(), ..made };
        let right = right(&self.reference, &case).ok().filter(|right| is_alike(right, &self.first.right))?;
        let is_worse = || Branches::new(&self.reference, &case.model, &case.inputs) < self.branches;
        if self.branches > Branches::Impossible && is_worse() {
            return None;
        }
        declare_outputs(&mut case, &right);
        let prepared = PreparedCase::alone(case);
        let mut examine = || {
            self.runs += 1;
            examine_one(self.subject, &prepared, &right, self.deadline).failure
        };
        let mut failure = examine();
        // What corrupts memory may crash by chance: a crash has to come back.
        if failure.judgement.verdict == Verdict::Crash {
            failure = examine();
        }
        let last = self.best.as_ref().map_or(&self.first.judgement, |failure| &failure.judgement);
        let is_same = |found: &Judgement| {
            let class = likeness == Likeness::Kind || found.class == last.class;
            class && (found.verdict, found.kind) == (last.verdict, last.kind)
        };
        let is_same =
            is_same(&failure.judgement) && is_still_of_optimizer(self.subject, self.first, &failure, self.deadline);
        is_same.then(|| Failure { optimizer: self.first.optimizer.clone(), ..failure })
    }

    /// Returns the values of the draft that the oracle can compute, and its inputs, by name.
    fn values(&self) -> BTreeMap<String, Value> {
        let Draft { model, inputs } = &self.draft;
        let given = model.input_names().into_iter().map(str::to_owned).zip(inputs.iter().cloned());
        let computed = intermediate(&self.reference, model, inputs).into_iter();
        given.chain(computed.map(|(name, operand)| (name, operand.to_value()))).collect()
    }
}

/// Returns whether the expected outcome of a smaller model asks for the same as `first`: an answer about which no further
/// rule leaves anything open, a refusal for the same violation, or nothing.
fn is_alike(smaller: &Right, first: &Right) -> bool {
    match (smaller, first) {
        (Right::Refusal(violation), Right::Refusal(other)) => violation == other,
        (Right::Outputs { open, .. }, Right::Outputs { open: known, .. }) => {
            let is_known = |rule: &OpenRule| known.iter().any(|other| other.label == rule.label);
            open.iter().all(is_known)
        }
        _ => std::mem::discriminant(smaller) == std::mem::discriminant(first),
    }
}

/// Declares the outputs with the types that they have, each with its rank if it had one before, and with its extents if
/// these were numbers. If the case is invalid, there is no answer that has extents, so only the ranks stay.
fn declare_outputs(case: &mut Case, right: &Right) {
    let outputs = case.model.proto.graph.iter_mut().flat_map(|graph| &mut graph.output);
    let Right::Outputs { operands, .. } = right else {
        outputs.for_each(without_extents);
        return;
    };
    for (info, operand) in outputs.zip(operands) {
        let name = info.name.clone().unwrap_or_default();
        let is_number = |dim: &TensorShapeProtoDimension| matches!(dim.value, Some(DimValue(_)));
        let in_numbers = shape(info).map(|shape| shape.dim.iter().all(is_number));
        let extents = match operand {
            Operand::Tensor(expected) if in_numbers.is_some() => Some(expected.shape()),
            _ => None,
        };
        *info = value_info(&name, &operand.kind(), extents);
        if in_numbers == Some(false) {
            without_extents(info);
        }
    }
}

fn shape(info: &ValueInfoProto) -> Option<&TensorShapeProto> {
    match info.r#type.as_ref()?.value.as_ref()? {
        TypeProtoValue::TensorType(tensor) => tensor.shape.as_ref(),
        _ => None,
    }
}

/// Takes away the extents that a declaration states, and keeps the rank.
fn without_extents(info: &mut ValueInfoProto) {
    if let Some(TypeProtoValue::TensorType(tensor)) = info.r#type.as_mut().and_then(|t| t.value.as_mut()) {
        let dims = tensor.shape.iter_mut().flat_map(|shape| &mut shape.dim);
        dims.for_each(|dim| *dim = TensorShapeProtoDimension::default());
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "in a test a panic is the report")]
mod tests {
    use plumbline_tensor::{Model, Tensor};

    use super::*;

    #[test]
    fn a_smaller_model_leaves_no_further_rule_open() {
        let text =
            "<ir_version: 8, opset_import: [\"\" : 14]> g (int64[2] x, int64[2] d) => (int64[2] y) { y = Div (x, d) }";
        let model: Model = text.parse().unwrap();
        let by = |divisors: [i64; 2]| {
            let inputs = [[4, 6], divisors].map(|numbers| Tensor::from_i64s(&numbers).into());
            Right::from(Oracle::default().evaluate(&model, &inputs).unwrap())
        };
        let (decided, open) = (by([2, 1]), by([2, 0]));
        assert!(is_alike(&decided, &decided) && is_alike(&decided, &open) && is_alike(&open, &open));
        assert!(!is_alike(&open, &decided), "the text does not say what a division by zero gives");
    }
}
