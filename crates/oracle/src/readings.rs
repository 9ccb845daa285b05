//! Answers as a whole: where a rule leaves open the shape of an answer, or elements that only go together, a model has one answer for each reading.

use std::cell::{Cell, RefCell};

use plumbline_spec::OperatorId;

use super::operand::Operand;
use crate::Label;

/// A whole answer that a rule leaves open beside the preferred one.
#[derive(Clone, Debug)]
pub struct Alternative {
    /// The operator version whose rule it is.
    pub operator: OperatorId,
    /// The rule.
    pub label: Label,
    /// One operand for each output of the model.
    pub outputs: Vec<Operand>,
}

/// Which reading a model is run in, and how many its nodes have.
#[derive(Debug, Default)]
pub struct Readings {
    current: usize,
    count: Cell<usize>,
    rule: RefCell<Option<(OperatorId, Label)>>,
}

impl Readings {
    /// Of this number; 0 is the preferred one.
    pub(super) fn numbered(current: usize) -> Readings {
        Readings { current, ..Readings::default() }
    }

    /// Which of `count` readings a node is to take; the last one where the model is run in more than it has.
    pub(super) fn take(&self, operator: &OperatorId, label: Label, count: usize) -> usize {
        if count > self.count.get() {
            self.count.set(count);
            self.rule.replace(Some((operator.clone(), label)));
        }
        self.current.min(count.saturating_sub(1))
    }

    /// How many readings there are besides the preferred one, and the rule that leaves them open.
    pub(super) fn others(&self) -> Option<(usize, (OperatorId, Label))> {
        Some((self.count.get().saturating_sub(1), self.rule.borrow().clone()?))
    }
}
