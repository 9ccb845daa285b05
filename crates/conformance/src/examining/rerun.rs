//! Further runs of a session: with the same inputs, with other values, and with other extents.
//!
//! A runtime plans a session once and runs it many times. What it keeps from one run to the next (packed weights,
//! buffers, plans for extents that it has seen) must not affect an answer. So some cases of a cell are run again in the
//! session that has just answered. A run with the same inputs must give the same bits, apart from those of NaNs, unless
//! the operator is random or the backend declares itself nondeterministic. Other runs get other values and, if the
//! model declares symbolic extents instead of fixed ones, other extents.

use plumbline_backend::{Job, Observation};
use plumbline_generator::{Case, Origin, Sequence};
use plumbline_judge::{
    FailKind, Judgement, Reason, Right, Verdict, element, judge, output_shapes, same_bits, same_element,
};
use plumbline_oracle::{Operand, Oracle};
use plumbline_tensor::onnx::{TensorProto, TensorShapeProtoDimension, TensorShapeProtoDimensionValue, TypeProtoValue};
use plumbline_tensor::{Value, tensor_from_proto};

use crate::examining::expected::right;

/// How the inputs of a further run differ from those of the first run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Other {
    /// They do not differ.
    Nothing,
    /// They have other values.
    Values,
    /// They have other extents, and therefore other values as well.
    Extents,
}

impl Other {
    /// Returns the feature that the coverage counts for this kind of run.
    pub fn feature(self) -> &'static str {
        match self {
            Other::Nothing => "run again",
            Other::Values => "run again with other values",
            Other::Extents => "run again with other extents",
        }
    }
}

/// A further run of the session of a case.
#[derive(Clone, Debug)]
pub struct Further {
    /// How its inputs differ from those of the first run.
    pub other: Other,
    /// The case with the inputs of this run.
    pub case: Case,
}

/// Of every `PERIOD` consecutive cases, case number `SAME` is run again with the same inputs. Case number `OTHERS` is
/// run again with the same inputs and then with other inputs.
const PERIOD: u64 = 8;
const SAME: u64 = 6;
const OTHERS: u64 = 3;
/// One graph in this many is run again.
const GRAPHS: u64 = 4;
/// The number of draws that are tried to find other extents.
const TRIES: u64 = 24;

/// Draws the further runs of a case. `drawn` is the case as its recipe drew it; `formed` has the model and inputs that
/// the backend gets. A case without a recipe, such as a kept regression, is only run again with the same inputs. An
/// invalid case and a case that was changed at random are not run again. Of the graphs, one in [`GRAPHS`] is.
pub fn further(drawn: &Case, formed: &Case) -> Vec<Further> {
    if formed.violates.is_some() || formed.origin.base().is_some() {
        return vec![];
    }
    let same = Further { other: Other::Nothing, case: formed.clone() };
    let index = match &drawn.origin {
        Origin::Drawn(place) => place.index,
        Origin::DirectMl(place) => place.index,
        Origin::Graph { .. } if !plumbline_judge::hash(&drawn.id).is_multiple_of(GRAPHS) => return vec![],
        _ => return vec![same],
    };
    match index % PERIOD {
        SAME => vec![same],
        OTHERS => {
            [Some(same), other_values(drawn, formed), other_extents(drawn, formed)].into_iter().flatten().collect()
        }
        _ => vec![],
    }
}

/// Returns a generator of numbers that depend only on the id of the case and the salt, so that they are the same on
/// every machine.
fn numbers(id: &str, salt: u64) -> impl FnMut() -> u64 {
    let mut state = plumbline_judge::hash(id) ^ salt.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    move || {
        // SplitMix64.
        state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = state;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }
}

/// Replaces the choices that make elements: those of all tensors or, with `only_first`, those of the first tensor,
/// which is often the only one that is supplied at run time.
fn other_elements(choices: &mut Sequence, only_first: bool, next: &mut impl FnMut() -> u64) {
    let blocks = if only_first { 1 } else { choices.blocks.len() };
    choices.blocks.iter_mut().take(blocks).flatten().for_each(|choice| *choice = next());
}

fn other_values(drawn: &Case, formed: &Case) -> Option<Further> {
    [false, true].into_iter().find_map(|only_first| {
        let mut choices = drawn.choices.clone();
        other_elements(&mut choices, only_first, &mut numbers(&drawn.id, 1));
        let other = drawn.with_choices(choices)?;
        let case = with_inputs_of(drawn, formed, &other)?;
        (case.inputs != formed.inputs).then_some(Further { other: Other::Values, case })
    })
}

fn other_extents(drawn: &Case, formed: &Case) -> Option<Further> {
    let length = drawn.choices.main.len() as u64;
    if symbolic(formed).is_empty() || length == 0 {
        return None;
    }
    (0..TRIES).find_map(|salt| {
        let mut next = numbers(&drawn.id, 2 + salt);
        let mut choices: Sequence = drawn.choices.clone();
        let at = (next() % length) as usize;
        choices.main[at] = choices.main[at].wrapping_add(1 + next() % 3);
        other_elements(&mut choices, salt % 2 == 1, &mut next);
        let other = drawn.with_choices(choices)?;
        let case = with_inputs_of(drawn, formed, &other)?;
        let shapes = |case: &Case| -> Vec<Option<Vec<usize>>> {
            case.inputs.iter().map(|v| v.as_tensor().map(|t| t.shape().to_vec())).collect()
        };
        (shapes(&case) != shapes(formed)).then_some(Further { other: Other::Extents, case })
    })
}

/// Returns the constant tensors of the model by name: initializers and the values of `Constant` nodes.
fn constants(case: &Case) -> Vec<(&str, &TensorProto)> {
    let graph = case.model.graph();
    let nodes = graph.node.iter().filter(|n| n.op_type.as_deref() == Some("Constant"));
    let given = nodes.filter_map(|n| Some((n.output.first()?.as_str(), n.attribute.first()?.t.as_ref()?)));
    graph.initializer.iter().map(|t| (t.name.as_deref().unwrap_or(""), t)).chain(given).collect()
}

/// Returns the case `formed` with the inputs of another draw. Returns `None` if the other draw has other nodes,
/// initializers or opsets, other values for what the form has made constant, or inputs that do not fit the model.
fn with_inputs_of(drawn: &Case, formed: &Case, other: &Case) -> Option<Case> {
    let same_nodes = drawn.model.graph().node == other.model.graph().node
        && drawn.model.graph().initializer == other.model.graph().initializer
        && drawn.model.proto.opset_import == other.model.proto.opset_import;
    if !same_nodes {
        return None;
    }
    let names = other.model.input_names();
    let given = |name: &&str| names.iter().position(|n| n == name).and_then(|at| other.inputs.get(at)).cloned();
    let inputs: Vec<Value> = formed.model.input_names().iter().map(given).collect::<Option<_>>()?;
    // The constants of the form stay in the model, so the other draw must have the same values for them.
    let kept = constants(formed).into_iter().all(|(name, constant)| match names.iter().position(|n| *n == name) {
        Some(at) => matches!(
            (other.inputs.get(at), tensor_from_proto(constant)),
            (Some(Value::Tensor(given)), Ok(constant)) if *given == constant
        ),
        None => true,
    });
    if !kept {
        return None;
    }
    let case = Case { inputs, ..formed.clone() };
    fits(&case).then_some(case)
}

/// Returns the names of the symbolic extents of a model's inputs.
fn symbolic(case: &Case) -> Vec<String> {
    let inputs = case.model.graph().input.iter();
    let dims = inputs.filter_map(|i| match i.r#type.as_ref()?.value.as_ref()? {
        TypeProtoValue::TensorType(tensor) => tensor.shape.as_ref().map(|shape| shape.dim.iter()),
        _ => None,
    });
    let names = dims.flatten().filter_map(|dim| match &dim.value {
        Some(TensorShapeProtoDimensionValue::DimParam(name)) => Some(name.clone()),
        _ => None,
    });
    names.collect()
}

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

/// Returns whether the inputs fit the types, ranks and extents that the model declares, with one extent for each
/// symbolic name.
fn fits(case: &Case) -> bool {
    let mut named: Vec<(&str, usize)> = Vec::new();
    let names = case.model.input_names();
    for (name, value) in names.iter().zip(&case.inputs) {
        let info = case.model.graph().input.iter().find(|i| i.name.as_deref() == Some(name));
        let Some(type_) = info.and_then(|i| i.r#type.as_ref()) else { return false };
        if plumbline_tensor::ValueKind::from_proto(type_).as_ref() != Some(&value.kind()) {
            return false;
        }
        let (Some(TypeProtoValue::TensorType(declared)), Some(tensor)) = (&type_.value, value.as_tensor()) else {
            continue;
        };
        let Some(shape) = &declared.shape else { continue };
        if shape.dim.len() != tensor.rank() {
            return false;
        }
        for (dim, &extent) in shape.dim.iter().zip(tensor.shape()) {
            let fits = match &dim.value {
                Some(TensorShapeProtoDimensionValue::DimValue(declared)) => *declared == extent as i64,
                Some(TensorShapeProtoDimensionValue::DimParam(name)) => {
                    let known = named.iter().find(|(n, _)| n == name).map(|(_, extent)| *extent);
                    named.push((name, extent));
                    known.is_none_or(|known| known == extent)
                }
                None => true,
            };
            if !fits {
                return false;
            }
        }
    }
    true
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
        Runs { case, right: first, further, again: further.iter().filter_map(of).collect() }
    }

    /// Returns the number of runs, including the first one.
    #[allow(clippy::len_without_is_empty, reason = "the first run always exists")]
    pub fn len(&self) -> usize {
        1 + self.again.len()
    }

    /// Returns the further runs that were not left out, each with its expected outcome.
    pub(crate) fn again(&self) -> &[(&'a Further, Right)] {
        &self.again
    }

    /// Returns the runs as the jobs of one batch.
    pub fn jobs(&self) -> Vec<Job<'_>> {
        let again = self.again.iter().map(|(run, _)| Job::again(&self.case.model, &run.case.inputs));
        std::iter::once(Job::new(&self.case.model, &self.case.inputs)).chain(again).collect()
    }

    /// Judges the session by the observations of its jobs. `may_vary` says that the backend declares itself
    /// nondeterministic. `fresh` runs a case in a session of its own: this distinguishes an error caused by the
    /// session's state from one that a fresh session makes as well.
    pub fn judge(
        &self,
        observations: &[Observation],
        may_vary: bool,
        mut fresh: impl FnMut(&Case) -> Option<Observation>,
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
            if let (Other::Nothing, false, false) = (run.other, may_vary, is_random(right))
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
            let alone = fresh(&run.case);
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
        Objection { judgement: accepted, alone: None }
    }
}

fn failed(judgement: Judgement, kind: FailKind, class: &str) -> Judgement {
    Judgement { verdict: Verdict::Fail, kind: Some(kind), class: class.to_owned(), ..judgement }
}

fn is_random(right: &Right) -> bool {
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
        Right::Refusal(_) | Right::ByRelease { .. } | Right::Open { .. } => false,
    }
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
