//! The readings of rules. Some rules leave open the shape of an output, or the values of several elements that depend
//! on each other. Such a rule has several readings, and each reading gives one whole answer. The oracle runs a model
//! once for each reading.

use std::cell::{Cell, RefCell};

use plumbline_spec::{OperatorId, ReleaseNumber};

use super::operand::Operand;
use crate::Label;

/// A whole answer of a model that a rule allows besides the preferred one.
#[derive(Clone, Debug)]
pub struct Alternative {
    /// The operator version that has the rule.
    pub operator: OperatorId,
    /// The name of the rule.
    pub label: Label,
    /// The release of ONNX whose text gives this answer, if the newest text gives another one.
    pub release: Option<ReleaseNumber>,
    /// One operand for each output of the model.
    pub outputs: Vec<Operand>,
}

impl Alternative {
    /// Names the operator version and the rule, and the release if the answer is that of an older text:
    /// `MaxPool-11 ceil-mode`.
    pub fn rule(&self) -> String {
        rule_of(&self.operator, self.label, self.release)
    }
}

/// Names a rule of an operator version, and the release if the rule is that of an older text.
pub(crate) fn rule_of(operator: &OperatorId, label: Label, release: Option<ReleaseNumber>) -> String {
    let text = release.map_or(String::new(), |release| format!("the text of ONNX {release}, "));
    format!("{text}{operator} {label}")
}

/// The reading in which a model is run, by its index (0 is the preferred one). The run records here which rule has the
/// most readings, and how many.
#[derive(Debug, Default)]
pub struct Readings {
    current: usize,
    count: Cell<usize>,
    rule: RefCell<Option<(OperatorId, Label)>>,
}

impl Readings {
    /// Returns the reading with the index `current`; 0 is the preferred one.
    pub(super) fn numbered(current: usize) -> Readings {
        Readings { current, ..Readings::default() }
    }

    /// Returns the index of the reading that a node with `count` readings has to take: the current index, or the node's
    /// last one if `count` is too small.
    pub(super) fn take(&self, operator: &OperatorId, label: Label, count: usize) -> usize {
        if count > self.count.get() {
            self.count.set(count);
            self.rule.replace(Some((operator.clone(), label)));
        }
        self.current.min(count.saturating_sub(1))
    }

    /// Returns how many readings there are besides the preferred one, and the rule that has the most; `None` if no node
    /// has asked for a reading.
    pub(super) fn others(&self) -> Option<(usize, (OperatorId, Label))> {
        Some((self.count.get().saturating_sub(1), self.rule.borrow().clone()?))
    }
}
