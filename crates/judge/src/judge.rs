//! Judges a case: compares what a backend did with what the oracle allows.

mod crash;
mod judgement;
mod listed;
pub mod message;
mod pattern;
mod words;

use plumbline_backend::Observation;
use plumbline_graph::RefusalKind;
use plumbline_oracle::random::together;
use plumbline_oracle::{Alternative, Expected, Judged, NamedRule, Operand, aligned, disagreement};
use plumbline_spec::Label;
use plumbline_tensor::{MapKeys, Tensor, Value};

use crate::errors::{Errors, Largest};
use crate::reason::{Explanation, Reason, name_of_violated};
use crate::right::{Right, Violation};
use crate::verdict::{FailKind, Verdict};
pub use judgement::{Judgement, NOTABLE_RATIO};
use listed::Listing;
pub use listed::{ElementJudgement, Scalar};
use pattern::Pattern;
pub use words::describe;
pub use words::element;

/// Judges an observation by the expected outcome. `names` are the names of the model's outputs.
pub fn judge(right: &Right, names: &[&str], observation: &Observation) -> Judgement {
    match observation {
        Observation::Crash { detail } => Judgement::other(Verdict::Crash, crash::class(detail), detail.as_str(), 0.0),
        Observation::Timeout { after } => {
            let seconds = after.as_secs_f64();
            Judgement::other(Verdict::Timeout, "timeout", Reason::Timeout { seconds }, seconds)
        }
        Observation::NotRun { reason } => Judgement::not_run(reason.as_str()),
        Observation::Garbage { detail, .. } => {
            Judgement::fail(FailKind::Garbage, message::class(detail), detail.as_str(), 0.0)
        }
        Observation::Refused { refusal, seconds } => {
            let text = refusal.to_string();
            match (right, refusal.kind) {
                (_, RefusalKind::Unsupported) => Judgement::other(Verdict::Unsupported, "", text, *seconds),
                (_, RefusalKind::NotInferred) => {
                    Judgement::other(Verdict::Unsupported, "", Reason::NotInferred(text), *seconds)
                }
                (_, RefusalKind::DeviceLost) => {
                    Judgement::other(Verdict::DeviceLost, message::class(&text), text, *seconds)
                }
                (Right::Refusal(_) | Right::ByRelease { .. }, _) => {
                    Judgement { reason: text.into(), ..Judgement::new(Verdict::Pass, *seconds) }
                }
                (Right::Outputs { refusable: Some(rule), .. }, _) => {
                    allowed(rule, text.into(), Judgement::new(Verdict::Latitude, *seconds))
                }
                (Right::Outputs { .. }, kind) => {
                    Judgement::fail(FailKind::from(kind), message::class(&text), text, *seconds)
                }
                (Right::Open { label, reason }, _) => not_judged(*label, reason, *seconds),
            }
        }
        Observation::Outputs { values, seconds } => match right {
            Right::Refusal(violation) => accepts_invalid(*violation, *seconds),
            Right::ByRelease { violation, rule, right } => match judge(right, names, observation).verdict {
                Verdict::Fail => accepts_invalid(*violation, *seconds),
                _ => {
                    let reason = Reason::OlderText { rule: rule.clone() };
                    Judgement::other(Verdict::Latitude, rule.label.name(), reason, *seconds)
                }
            },
            Right::Open { label, reason } => not_judged(*label, reason, *seconds),
            Right::Outputs { operands, others, accuracy, .. } => {
                by_any_outputs(operands, others, |operands| outputs(operands, accuracy, names, values, *seconds)).0
            }
        },
    }
}

/// Judges an answer to an invalid case.
fn accepts_invalid(violation: Violation, seconds: f64) -> Judgement {
    match violation {
        Violation { label: Some(label), is_unchecked: true } => {
            Judgement::other(Verdict::Latitude, label.name(), Reason::Unchecked(label), seconds)
        }
        Violation { label, .. } => {
            Judgement::fail(FailKind::AcceptsInvalid, name_of_violated(label), Reason::Violation(label), seconds)
        }
    }
}

/// Returns the judgement of an outcome that a rule allows, with the distances of another judgement. The class is only the
/// label, because the signature has the operator already.
fn allowed(rule: &NamedRule, found: Reason, distances: Judgement) -> Judgement {
    let reason = Reason::Allowed { rule: rule.clone(), found: Box::new(found) };
    Judgement { verdict: Verdict::Latitude, kind: None, reason, class: rule.label.name().to_owned(), ..distances }
}

/// Judges an answer by the preferred outputs or, if it fails, by the first alternative by which it does not fail.
/// Also returns the outputs that it was judged by, and the rule that allows them if they are an alternative.
fn by_any_outputs<'a>(
    operands: &'a [Operand],
    others: &'a [Alternative],
    judge: impl Fn(&[Operand]) -> Judgement,
) -> (Judgement, &'a [Operand], Option<&'a NamedRule>) {
    let preferred = judge(operands);
    if preferred.verdict != Verdict::Fail {
        return (preferred, operands, None);
    }
    let other = others.iter().find_map(|other| {
        let judgement = judge(&other.outputs);
        (judgement.verdict != Verdict::Fail).then_some((other, judgement))
    });
    let Some((other, judgement)) = other else { return (preferred, operands, None) };
    (allowed(&other.rule, preferred.reason, judgement), &other.outputs, Some(&other.rule))
}

/// The judgement of one output of an answer.
pub struct OutputTally {
    /// The judgement of this output alone.
    pub judgement: Judgement,
    /// How many of its elements are wrong.
    pub wrong: usize,
    /// Its first elements that are wrong, or right only because a rule leaves them open.
    pub elements: Vec<ElementJudgement>,
}

/// Judges the outputs of an answer as [`judge`] does, and each output by itself unless their number is wrong or no
/// outputs are expected. At most `most` elements of each output are listed.
pub fn judge_in_detail(right: &Right, names: &[&str], values: &[Value], most: usize) -> (Judgement, Vec<OutputTally>) {
    let Right::Outputs { operands, others, accuracy, .. } = right else {
        let observation = Observation::Outputs { values: values.to_vec(), seconds: 0.0 };
        return (judge(right, names, &observation), vec![]);
    };
    let (whole, operands, rule) =
        by_any_outputs(operands, others, |operands| outputs(operands, accuracy, names, values, 0.0));
    if operands.len() != values.len() {
        return (whole, vec![]);
    }
    // A single output that passes has the judgement of the answer, and no elements to list.
    if operands.len() == 1 && whole.verdict == Verdict::Pass {
        let tally = OutputTally { judgement: whole.clone(), wrong: 0, elements: vec![] };
        return (whole, vec![tally]);
    }
    let values = aligned(operands, values);
    let each = operands.iter().zip(values.iter()).enumerate().map(|(position, (operand, value))| {
        let listing = Some(Listing::new(most));
        let mut tally = Tally { accuracy, listing, ..Tally::default() };
        let found = tally.value(names.get(position).copied().unwrap_or("?"), operand, value);
        let (wrong, elements) = (tally.wrong, tally.listing.take().map(|l| l.elements).unwrap_or_default());
        let mut judgement = match found {
            Ok(()) => tally.judgement(0.0),
            Err((kind, class, detail)) => Judgement::fail(kind, class, detail, 0.0),
        };
        if let (Verdict::Pass, Some(rule)) = (judgement.verdict, rule) {
            judgement = allowed(rule, "the rule also allows this answer".into(), judgement);
        }
        OutputTally { judgement, wrong, elements }
    });
    (whole, each.collect())
}

/// Judges an answer or a refusal where nothing says what is right.
fn not_judged(label: Option<Label>, reason: &str, seconds: f64) -> Judgement {
    let class = label.map_or("not judged", Label::name);
    Judgement::other(Verdict::Latitude, class, Reason::NotJudged { label, reason: reason.to_owned() }, seconds)
}

fn outputs(expected: &[Operand], accuracy: &str, names: &[&str], values: &[Value], seconds: f64) -> Judgement {
    if expected.len() != values.len() {
        let detail = format!("{} outputs, {} are expected", values.len(), expected.len());
        return Judgement::fail(FailKind::WrongShape, "number of outputs", detail, seconds);
    }
    let mut tally = Tally { accuracy, ..Tally::default() };
    let values = aligned(expected, values);
    for (position, (operand, value)) in expected.iter().zip(values.iter()).enumerate() {
        let name = names.get(position).copied().unwrap_or("?");
        if let Err(found) = tally.value(name, operand, value) {
            return Judgement::fail(found.0, found.1, found.2, seconds);
        }
    }
    for objection in [together(expected, &values), disagreement(expected, &values)].into_iter().flatten() {
        tally.other(objection.class, || objection.detail.clone());
    }
    tally.judgement(seconds)
}

/// Returns the place of each key in another map, which may store its keys in any order. Returns `None` if a key is
/// missing.
pub fn by_key(keys: &MapKeys, found: &MapKeys) -> Option<Vec<usize>> {
    match (keys, found) {
        (MapKeys::Integers(_, keys), MapKeys::Integers(_, found)) => places(keys, found),
        (MapKeys::Strings(keys), MapKeys::Strings(found)) => places(keys, found),
        _ => None,
    }
}

fn places<K: PartialEq>(keys: &[K], found: &[K]) -> Option<Vec<usize>> {
    keys.iter().map(|key| found.iter().position(|k| k == key)).collect()
}

/// A difference of type or shape: its kind, class and detail.
type Difference = (FailKind, String, String);

/// Accumulates the judgement of all elements of all outputs.
#[derive(Default)]
struct Tally<'a> {
    /// The accuracy table of the intervals.
    accuracy: &'a str,
    elements: usize,
    wrong: usize,
    pattern: Pattern,
    /// The detail of the first wrong element.
    first_wrong: Option<String>,
    wrong_ulp: f64,
    errors: Errors,
    /// The first rule that leaves an element open, and the element.
    latitude: Option<(Label, String)>,
    accepted_ulp: f64,
    width_ulp: f64,
    /// Collects the elements that are wrong or left open, if they are to be listed.
    listing: Option<Listing>,
}

impl Tally<'_> {
    fn value(&mut self, name: &str, operand: &Operand, value: &Value) -> Result<(), Difference> {
        let (want, got) = (operand.kind(), value.kind());
        if want != got {
            let detail = format!("output `{name}` is {got}, {want} is expected");
            return Err((FailKind::WrongType, format!("{got} for {want}"), detail));
        }
        match (operand, value) {
            (Operand::Tensor(expected), Value::Tensor(tensor)) => self.tensor(name, expected, tensor),
            (Operand::Sequence { items, .. }, Value::Sequence { items: got, .. })
            | (Operand::Map { items, .. }, Value::Map { items: got, .. }) => {
                if items.len() != got.len() {
                    let detail = format!("output `{name}` has {} elements, {} are expected", got.len(), items.len());
                    return Err((FailKind::WrongShape, "length".to_owned(), detail));
                }
                let mut places: Vec<usize> = (0..got.len()).collect();
                if let (Operand::Map { keys, .. }, Value::Map { keys: found, .. }) = (operand, value) {
                    match by_key(keys, found) {
                        Some(found) => places = found,
                        None => {
                            let detail = || format!("output `{name}` has the keys {found:?}, {keys:?} are expected");
                            self.other("keys", detail);
                        }
                    }
                }
                for (at, (item, place)) in items.iter().zip(places).enumerate() {
                    self.listing.iter_mut().for_each(|listing| listing.enter(at));
                    self.value(&format!("{name}[{at}]"), item, &got[place])?;
                    self.listing.iter_mut().for_each(Listing::leave);
                }
                Ok(())
            }
            (Operand::Optional { item, .. }, Value::Optional { item: got, .. }) => match (item, got) {
                (Some(item), Some(got)) => self.value(name, item, got),
                (None, None) => Ok(()),
                _ => {
                    let detail = format!("output `{name}`: the answer or the expected optional is empty, but not both");
                    Err((FailKind::WrongShape, "optional".to_owned(), detail))
                }
            },
            (Operand::Other(want), got) => {
                if want != got {
                    self.other("value", || format!("output `{name}` has another value than expected"));
                }
                Ok(())
            }
            _ => Ok(()),
        }
    }

    fn tensor(&mut self, name: &str, expected: &Expected, tensor: &Tensor) -> Result<(), Difference> {
        if expected.shape() != tensor.shape() {
            let detail = format!("output `{name}` has shape {:?}, {:?} is expected", tensor.shape(), expected.shape());
            let class = if expected.rank() == tensor.rank() { "extents" } else { "rank" };
            return Err((FailKind::WrongShape, class.to_owned(), detail));
        }
        self.elements += tensor.len();
        if let Some(distribution) = &expected.random {
            if let Some(objection) = distribution.objection(tensor) {
                let other = distribution.otherwise().filter(|(_, other)| other.objection(tensor).is_none());
                if let Some((label, _)) = other {
                    self.latitude.get_or_insert((label, format!("output `{name}`: {}", objection.detail)));
                    return Ok(());
                }
                self.other(objection.class, || format!("output `{name}`: {}", objection.detail));
            }
            return Ok(());
        }
        if expected.is_certain() && expected.tensor.data() == tensor.data() {
            return Ok(());
        }
        if let Some(margins) = expected.accepts_all(tensor) {
            self.accepted_ulp = self.accepted_ulp.max(margins.distance);
            self.width_ulp = self.width_ulp.max(margins.width);
            return Ok(());
        }
        let (mut wrong, mut largest) = (Vec::new(), None);
        for index in 0..tensor.len() {
            let judged = expected.judge(tensor, index);
            self.listing.iter_mut().for_each(|listing| listing.add(expected, tensor, index, &judged));
            self.width_ulp = self.width_ulp.max(finite(expected.width_ulp(index)));
            match judged {
                Judged::Accepted => {
                    self.accepted_ulp = self.accepted_ulp.max(finite(expected.distance_ulp(tensor, index)));
                }
                Judged::Wrong => {
                    let ulp = expected.distance_ulp(tensor, index);
                    let accuracy = self.accuracy;
                    let note = || crate::near::note(expected, tensor, index, accuracy);
                    self.pattern.element(expected, tensor, index, ulp);
                    self.wrong(|| describe(name, expected, tensor, index) + &note(), ulp);
                    let largest = *largest.get_or_insert_with(|| Largest::new(expected));
                    self.errors.element(expected, tensor, index, largest);
                    wrong.push(index);
                }
                Judged::Latitude(latitude) => {
                    self.latitude.get_or_insert_with(|| (latitude.label, describe(name, expected, tensor, index)));
                }
            }
        }
        if !wrong.is_empty() {
            self.pattern.places(expected.shape(), &wrong);
        }
        Ok(())
    }

    /// Counts something wrong that is not an element of a tensor.
    fn other(&mut self, class: &'static str, detail: impl FnOnce() -> String) {
        self.pattern.other(class);
        self.errors.other();
        self.wrong(detail, 0.0);
    }

    fn wrong(&mut self, detail: impl FnOnce() -> String, ulp: f64) {
        self.wrong += 1;
        self.wrong_ulp = self.wrong_ulp.max(ulp);
        self.first_wrong.get_or_insert_with(detail);
    }

    fn judgement(self, seconds: f64) -> Judgement {
        let width_ulp = Some(self.width_ulp);
        if let (Some(class), Some(detail)) = (self.pattern.class(), self.first_wrong) {
            let more = if self.elements > 1 {
                format!(" ({} of {} elements)", self.wrong, self.elements)
            } else {
                String::new()
            };
            let max_ulp = self.wrong_ulp.is_finite().then_some(self.wrong_ulp);
            let fail = Judgement::fail(FailKind::WrongValue, class, format!("{detail}{more}"), seconds);
            let fail = Judgement { max_ulp, width_ulp, ..fail };
            return match self.errors.within_largest() {
                Some(error) => fail.inaccurate(Explanation::LargestElement, error),
                None => fail,
            };
        }
        let pass = Judgement { max_ulp: Some(self.accepted_ulp), width_ulp, ..Judgement::new(Verdict::Pass, seconds) };
        match self.latitude {
            Some((label, found)) => allowed(&label.into(), found.into(), pass),
            None => pass,
        }
    }
}

fn finite(x: f64) -> f64 {
    if x.is_finite() { x } else { 0.0 }
}
