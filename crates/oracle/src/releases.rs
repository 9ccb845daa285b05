//! The texts of an operator version: ONNX sometimes changes them without a new version.
//!
//! A rule of `rules.toml` may be for the texts of some releases only. The newest text gives the preferred answer. If a
//! backend implements an older release and a kernel asks for a rule that this release decides otherwise, the oracle
//! runs the model a second time, by the text of that release.

use std::cell::RefCell;

use plumbline_spec::{OperatorVersion, ReleaseNumber, Spec};

use super::NamedRule;
use crate::Label;

/// The release whose texts a run of a model follows. The run records here whether the text of the other release would
/// have mattered.
#[derive(Debug)]
pub(crate) struct Texts {
    release: ReleaseNumber,
    other: ReleaseNumber,
    changed: RefCell<Option<NamedRule>>,
}

impl Texts {
    /// Returns the texts of `release`. [`Texts::changed`] compares them with those of `other`.
    pub(crate) fn new(release: ReleaseNumber, other: ReleaseNumber) -> Texts {
        Texts { release, other, changed: RefCell::default() }
    }

    /// Returns whether the text has this rule for this operator version.
    pub(crate) fn follow(&self, spec: &Spec, version: &OperatorVersion, label: Label) -> bool {
        let here = holds(spec, version, label, self.release);
        if here != holds(spec, version, label, self.other) {
            self.changed.borrow_mut().get_or_insert_with(|| NamedRule::new(&version.id, label));
        }
        here
    }

    /// Returns the first rule that a kernel asked for and that the text of the other release decides otherwise.
    pub(crate) fn changed(&self) -> Option<NamedRule> {
        self.changed.borrow().clone()
    }
}

/// Returns whether the text of a release has this rule for an operator version.
pub(crate) fn holds(spec: &Spec, version: &OperatorVersion, label: Label, release: ReleaseNumber) -> bool {
    let operator = spec.operator(&version.id.domain, &version.id.name);
    let rules = operator.and_then(|operator| operator.rules.as_ref());
    rules.is_some_and(|rules| rules.holds(label.name(), version.since(), release))
}
