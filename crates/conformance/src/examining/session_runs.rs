//! The runs of one session as jobs, and the judgement of what a backend does in them.

use plumbline_backend::{Job, Observation};
use plumbline_generator::{Case, Origin};
use plumbline_graph::domain_of;
use plumbline_judge::{
    FailKind, Judgement, Reason, Right, Verdict, element, judge, output_shapes, same_bits, same_element,
};
use plumbline_oracle::{Operand, Oracle};
use plumbline_spec::{Determinism, Spec};
use plumbline_tensor::Value;
use plumbline_tensor::onnx::{NodeProto, TensorShapeProtoDimension, TensorShapeProtoDimensionValue, TypeProtoValue};

use crate::examining::expected::right;
use crate::examining::rerun::{Further, Other};

/// Of the cases that are run again with other inputs, one in this many also runs on two threads at the same time.
const AT_ONCE: u64 = 2;

/// Returns whether the declared output shapes of the model fit this outcome. They do not always fit, because output
/// extents may depend on values.
fn declares(case: &Case, right: &Right) -> bool {
    let declared = case.model.graph().output.iter().map(|o| match o.r#type.as_ref()?.value.as_ref()? {
        TypeProtoValue::TensorType(tensor) => tensor.shape.as_ref(),
        _ => None,
    });
    output_shapes(right).into_iter().zip(declared).all(|(shape, declared)| {
        let (Some(shape), Some(declared)) = (shape, declared) else { return true };
        let fits = |(extent, dim): (&Option<usize>, &TensorShapeProtoDimension)| match &dim.value {
            Some(TensorShapeProtoDimensionValue::DimValue(declared)) => extent.is_some_and(|e| e as i64 == *declared),
            _ => true,
        };
        shape.len() == declared.dim.len() && shape.iter().zip(&declared.dim).all(fits)
    })
}

/// All runs of one session: the case and its further runs. Further runs that the oracle refuses, or that have outputs
/// of other shapes than the model declares, are left out, because the inputs of another draw need not fit the model.
pub struct Runs<'a> {
    /// The case of the first run.
    pub case: &'a Case,
    /// The expected outcome of the first run.
    pub right: &'a Right,
    /// The further runs as they were drawn.
    pub further: &'a [Further],
    again: Vec<(&'a Further, Right)>,
    /// The inputs of two runs at the same time, one after the other: the first run and the last one of `again`.
    at_once: Option<Vec<Value>>,
}

/// The judgement of a session as a whole.
pub struct Objection {
    /// The judgement.
    pub judgement: Judgement,
    /// The case of a further run that has no accepted answer in a fresh session either, with its expected outcome and
    /// what was observed there. It can be reported by itself.
    pub alone: Option<(Case, Right, Observation)>,
}

impl<'a> Runs<'a> {
    /// Computes the expected outcome of each run of the session.
    pub fn new(reference: &Oracle, case: &'a Case, first: &'a Right, further: &'a [Further]) -> Runs<'a> {
        let of = |run: &'a Further| match run.other {
            Other::Nothing => Some((run, first.clone())),
            Other::Values | Other::Extents => {
                let right = right(reference, &run.case).ok()?;
                declares(&run.case, &right).then_some((run, right))
            }
        };
        Runs { case, right: first, further, again: further.iter().filter_map(of).collect(), at_once: None }
    }

    /// Adds two runs at the same time, with the inputs of the first run and with other inputs, to some of the sessions that
    /// have a run with other inputs (see [`AT_ONCE`]). Large cases have none: two more runs of them might take longer than
    /// the deadline.
    pub fn and_at_once(self) -> Runs<'a> {
        let is_large = matches!(&self.case.origin, Origin::Drawn(place) if place.large);
        let is_one = !is_large && plumbline_judge::hash(&self.case.id).is_multiple_of(AT_ONCE);
        let other = self.again.last().filter(|(run, _)| is_one && run.other != Other::Nothing);
        let at_once = other.map(|(run, _)| [&self.case.inputs[..], &run.case.inputs].concat());
        Runs { at_once, ..self }
    }

    /// Returns the number of runs, including the first one. Two runs at the same time count as one.
    #[allow(clippy::len_without_is_empty, reason = "the first run always exists")]
    pub fn len(&self) -> usize {
        1 + self.again.len() + usize::from(self.at_once.is_some())
    }

    /// Returns the further runs that were not left out, each with its expected outcome.
    pub(crate) fn again(&self) -> &[(&'a Further, Right)] {
        &self.again
    }

    /// Returns the runs as the jobs of one batch.
    pub fn jobs(&self) -> Vec<Job<'_>> {
        let again = self.again.iter().map(|(run, _)| Job::again(&self.case.model, &run.case.inputs));
        let at_once = self.at_once.as_deref().map(|inputs| Job::at_once(&self.case.model, inputs));
        std::iter::once(Job::new(&self.case.model, &self.case.inputs)).chain(again).chain(at_once).collect()
    }

    /// Judges the session by the observations of its jobs. `may_vary` says that the backend declares itself
    /// nondeterministic. `fresh` runs jobs in a session of their own: this distinguishes an error caused by the
    /// session's state from one that a fresh session makes as well. It may return nothing.
    pub fn judge(
        &self,
        observations: &[Observation],
        may_vary: bool,
        mut fresh: impl FnMut(&[Job]) -> Vec<Observation>,
    ) -> Objection {
        let names = self.case.model.output_names();
        let Some(first) = observations.first() else {
            return Objection { judgement: Judgement::not_run("the backend gave no observation"), alone: None };
        };
        let accepted = judge(self.right, &names, first);
        let passes = matches!(accepted.verdict, Verdict::Pass | Verdict::Latitude);
        if !passes || matches!(first, Observation::Refused { .. }) {
            return Objection { judgement: accepted, alone: None };
        }
        for ((run, right), observation) in self.again.iter().zip(&observations[1..]) {
            let judgement = judge(right, &names, observation);
            if let (Other::Nothing, false, false) = (run.other, may_vary, is_random(right, &run.case))
                && let Some(difference) = difference(&names, first, observation)
            {
                let judgement = failed(judgement, FailKind::Nondeterministic, "nondeterministic");
                let judgement = Judgement { reason: Reason::Repeated { difference }, ..judgement };
                return Objection { judgement, alone: None };
            }
            match (judgement.verdict, observation) {
                // After a refusal that a rule excuses, the session does not run again.
                (Verdict::Latitude, Observation::Refused { .. }) => break,
                (Verdict::Pass | Verdict::Latitude | Verdict::NotRun, _) => continue,
                _ => {}
            }
            let alone = fresh(&[Job::new(&run.case.model, &run.case.inputs)]).pop();
            let judged = alone.as_ref().map(|alone| judge(right, &names, alone));
            let feature = run.other.feature();
            let of_run = |leaks: bool| move |found: Box<Reason>| Reason::FurtherRun { feature, leaks, found };
            return match (alone, judged) {
                (Some(alone), Some(judged)) if judged.verdict.is_bad() || judged.verdict == judgement.verdict => {
                    let alone = Some((run.case.clone(), right.clone(), alone));
                    Objection { judgement: judged.because(of_run(false)), alone }
                }
                (_, Some(Judgement { verdict: Verdict::Pass | Verdict::Latitude, .. })) => {
                    let judgement = failed(judgement, FailKind::LeaksState, "leaks state").because(of_run(true));
                    Objection { judgement, alone: None }
                }
                // Without an answer of a fresh session, the reason is unknown, but the failure stays.
                _ => Objection { judgement: judgement.because(of_run(false)), alone: None },
            };
        }
        let both = observations.get(1 + self.again.len()).and_then(|both| self.of_both(both, fresh));
        Objection { judgement: both.unwrap_or(accepted), alone: None }
    }

    /// Returns the judgement of two runs at the same time, unless both are right or the backend does not run them.
    fn of_both(
        &self,
        observation: &Observation,
        mut fresh: impl FnMut(&[Job]) -> Vec<Observation>,
    ) -> Option<Judgement> {
        let (run, right) = self.again.last()?;
        let names = self.case.model.output_names();
        let rights = [self.right, right];
        let observed = match observation {
            Observation::Outputs { values, seconds } => {
                let (first, second) = values.split_at(values.len() / 2);
                [first, second].map(|values| Observation::Outputs { values: values.to_vec(), seconds: *seconds })
            }
            other => [other.clone(), other.clone()],
        };
        let judged = rights.iter().zip(&observed).map(|(right, observed)| judge(right, &names, observed));
        let is_wrong = |judgement: &Judgement| judgement.verdict.is_bad();
        let judgement = judged.into_iter().find(is_wrong)?;
        // As often as the session ran before, and once more.
        let [first, second] = [&self.case.inputs, &run.case.inputs];
        let mut jobs = vec![Job::new(&self.case.model, first)];
        jobs.extend([second, first, second, first].map(|inputs| Job::again(&self.case.model, inputs)));
        let in_turn = fresh(&jobs);
        let judge = |(at, observed): (usize, &Observation)| judge(rights[at % 2], &names, observed).verdict;
        let in_turn: Vec<Verdict> = in_turn.iter().enumerate().map(judge).collect();
        let is_right = |verdict: &Verdict| matches!(verdict, Verdict::Pass | Verdict::Latitude);
        let has_run = |verdict: &&Verdict| !matches!(verdict, Verdict::NotRun | Verdict::Unsupported);
        let at_once = |found| Reason::AtOnce { found };
        Some(match in_turn.iter().find(|verdict| !is_right(verdict)) {
            None if in_turn.len() == jobs.len() && judgement.verdict == Verdict::Fail => {
                failed(judgement, FailKind::Concurrent, "concurrent").because(at_once)
            }
            Some(wrong) if has_run(&wrong) => {
                let (feature, leaks) = (run.other.feature(), true);
                let of_run = |found| Reason::FurtherRun { feature, leaks, found };
                failed(judgement, FailKind::LeaksState, "leaks state").because(of_run)
            }
            // Without all answers of runs in turn, the reason is unknown, but the failure stays.
            _ => judgement.because(at_once),
        })
    }
}

fn failed(judgement: Judgement, kind: FailKind, class: &str) -> Judgement {
    Judgement { verdict: Verdict::Fail, kind: Some(kind), class: class.to_owned(), ..judgement }
}

/// Returns whether a second run may have other outputs: the oracle expects a sample, or has no answer for a model with an
/// operator that need not give the same outputs for the same inputs.
fn is_random(right: &Right, case: &Case) -> bool {
    fn random(operand: &Operand) -> bool {
        match operand {
            Operand::Tensor(expected) => expected.random.is_some(),
            Operand::Sequence { items, .. } | Operand::Map { items, .. } => items.iter().any(random),
            Operand::Optional { item, .. } => item.as_deref().is_some_and(random),
            Operand::Other(_) => false,
        }
    }
    match right {
        Right::Outputs { operands, .. } => operands.iter().any(random),
        Right::Open { .. } => {
            let functions = &case.model.proto.functions;
            let nodes = case.model.graph().node.iter().chain(functions.iter().flat_map(|function| &function.node));
            nodes.flat_map(NodeProto::with_nested).any(|node| !is_deterministic(node))
        }
        Right::Refusal(_) | Right::ByRelease { .. } => false,
    }
}

/// Returns whether ONNX says of no version of the operator that the same inputs may give different outputs.
fn is_deterministic(node: &NodeProto) -> bool {
    let name = node.op_type.as_deref().unwrap_or_default();
    let operator = Spec::embedded().operator(domain_of(&node.domain), name);
    let mut versions = operator.iter().flat_map(|operator| &operator.versions);
    versions.all(|version| version.deterministic != Determinism::NonDeterministic)
}

/// Describes the first bitwise difference between two runs on the same inputs. All NaNs are equal, except in sparse
/// tensors.
fn difference(names: &[&str], first: &Observation, second: &Observation) -> Option<String> {
    let (Observation::Outputs { values, .. }, Observation::Outputs { values: again, .. }) = (first, second) else {
        return None;
    };
    values.iter().zip(again).enumerate().find_map(|(at, (was, is))| {
        let name = names.get(at).copied().unwrap_or("?");
        match (was, is) {
            (Value::Tensor(was), Value::Tensor(is)) if was.shape() == is.shape() && was.dtype() == is.dtype() => {
                let mut places = Some(0..was.len()).filter(|_| was.data() != is.data())?;
                let place = places.find(|&i| !same_element(was, is, i))?;
                let (was, is) = (element(was, place), element(is, place));
                Some(format!("element {place} of output `{name}` is {is}, but was {was}"))
            }
            _ if same_bits(was, is) => None,
            _ => Some(format!("output `{name}` has another value")),
        }
    })
}

#[cfg(test)]
mod tests {
    use plumbline_tensor::{DType, Tensor};

    use super::*;

    #[test]
    fn all_nans_are_equal_in_sequences_too() {
        let answer = |bits: u64| {
            let item = Tensor::from_bits(DType::Float, vec![1], [bits].into_iter()).unwrap();
            let values = vec![Value::tensor_sequence(DType::Float, vec![item]).unwrap()];
            Observation::Outputs { values, seconds: 0.0 }
        };
        let differs = |bits: u64| difference(&["s"], &answer(0x7fc0_0000), &answer(bits));
        assert_eq!(differs(0x7fc0_0001), None);
        assert_eq!(differs(0x3f80_0000).as_deref(), Some("output `s` has another value"));
    }
}
