//! Collects the rules that left something open while a model was run. An element carries the label of a rule, but not
//! the operator that the rule belongs to, and the label may get lost on the way to an output. Whether a backend may
//! refuse a model, however, depends on the rules of all its nodes.

use std::cell::RefCell;

use plumbline_spec::{Behaviour, OperatorId, OperatorVersion, ReleaseNumber, Spec};

use super::number::Allowed;
use super::operand::Operand;
use crate::Label;

/// A rule that left something open, for one operator version.
#[derive(Clone, Debug, PartialEq)]
pub struct OpenRule {
    /// The operator version.
    pub operator: OperatorId,
    /// The name of the rule.
    pub label: Label,
    /// The rule itself, if the operator version has a behaviour of this name.
    pub behaviour: Option<&'static Behaviour>,
    /// Whether some element allowed any value.
    pub any_value: bool,
}

/// A rule that allows or forbids something, with where it comes from as far as that is known.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct NamedRule {
    /// The operator version that has the rule.
    pub operator: Option<OperatorId>,
    /// The name of the rule.
    pub label: Label,
    /// The release of ONNX whose text has the rule, if the newest text does not have it.
    pub release: Option<ReleaseNumber>,
}

impl NamedRule {
    /// Names a rule of the newest text of an operator version.
    pub fn new(operator: &OperatorId, label: Label) -> NamedRule {
        NamedRule { operator: Some(operator.clone()), label, release: None }
    }
}

impl From<Label> for NamedRule {
    fn from(label: Label) -> NamedRule {
        NamedRule { operator: None, label, release: None }
    }
}

/// `MaxPool-11 ceil-mode`, with the release in front if the rule is that of an older text.
impl std::fmt::Display for NamedRule {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        if let Some(release) = self.release {
            write!(f, "the text of ONNX {release}, ")?;
        }
        match &self.operator {
            Some(operator) => write!(f, "{operator} {}", self.label),
            None => write!(f, "{}", self.label),
        }
    }
}

impl OpenRule {
    /// Returns whether the rule lists a refusal among its outcomes.
    pub fn lists_refusal(&self) -> bool {
        self.behaviour.is_some_and(Behaviour::lists_refusal)
    }

    /// Returns what is wrong with the rule as the oracle used it: it does not exist, it is defined (so that nothing is
    /// open), or it does not list `any value`.
    pub fn objection(&self) -> Option<String> {
        let name = format!("{} {}", self.operator, self.label);
        let Some(behaviour) = self.behaviour else { return Some(format!("{name} is not a behaviour of this version")) };
        if behaviour.outcomes.is_empty() {
            return Some(format!(
                "{name} is {}, but the oracle leaves an answer open because of it",
                behaviour.status.name()
            ));
        }
        let unlisted = self.any_value && !behaviour.lists_any_value();
        unlisted.then(|| format!("{name} lists {:?}, but the oracle accepts any value", behaviour.outcomes))
    }
}

/// The state before a node is run: the labels that its inputs carry, and how many rules were recorded before. It tells
/// which rules the kernel adds.
pub(super) struct Openness<'a> {
    open: &'a RefCell<Vec<OpenRule>>,
    known: usize,
    brought: Vec<Label>,
}

impl<'a> Openness<'a> {
    /// Returns the state before a kernel is run.
    pub(super) fn before(open: &'a RefCell<Vec<OpenRule>>, inputs: &[Option<Operand>]) -> Openness<'a> {
        let mut brought = Vec::new();
        inputs.iter().flatten().for_each(|operand| operand.each_latitude(&mut |label, _| brought.push(label)));
        brought.dedup();
        Openness { open, known: open.borrow().len(), brought }
    }

    /// Records the labels that the kernel added: those that it opened itself
    /// ([`Call::leaves_open`](crate::Call::leaves_open)), and those of the node's outputs that came neither with its
    /// inputs nor from the nodes of its nested graphs.
    pub(super) fn record(self, spec: &'static Spec, version: &OperatorVersion, opened: &[Label], outputs: &[Operand]) {
        let mut found: Vec<(Label, bool)> = opened.iter().map(|&label| (label, false)).collect();
        for operand in outputs {
            operand.each_latitude(&mut |label, allowed| {
                let any_value = *allowed == Allowed::Anything;
                match found.iter_mut().find(|(known, _)| *known == label) {
                    Some((_, any)) => *any |= any_value,
                    None => found.push((label, any_value)),
                }
            });
        }
        if found.is_empty() {
            return;
        }
        let mut open = self.open.borrow_mut();
        let inner: Vec<Label> = open[self.known..].iter().map(|rule| rule.label).collect();
        let rules = spec.operator(&version.id.domain, &version.id.name).and_then(|operator| operator.rules.as_ref());
        for (label, any_value) in found {
            let foreign = self.brought.contains(&label) || inner.contains(&label);
            if foreign && !opened.contains(&label) {
                continue;
            }
            let behaviour = rules.and_then(|rules| rules.behaviour(&label.to_string(), version.since()));
            open.push(OpenRule { operator: version.id.clone(), label, behaviour, any_value });
        }
    }
}
