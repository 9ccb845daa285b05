//! Looks for smaller cases that fail in the same way.

use std::time::Duration;

use plumbline_generator::{Form, Sequence};
use plumbline_oracle::Oracle;

use crate::examine::examine_one;
use crate::minimize::{Budget, minimize};
use crate::prepared::PreparedCase;
use crate::repro::Failure;
use crate::right::{output_shapes, right};
use crate::signature::signature;
use crate::{CaseResult, Subject};

/// Looks for smaller cases that fail on the backend with the same signature, and returns the smallest one. The search
/// ends when it has used up `budget`, or when `stopped` returns true.
pub(crate) fn smaller(
    subject: &Subject,
    result: &CaseResult,
    failure: &Failure,
    deadline: Duration,
    budget: Budget,
    stopped: impl Fn() -> bool,
) -> Option<Failure> {
    let wanted = result.signature.clone();
    let reference = Oracle::new(subject.policy.clone());
    let mut best = None;
    let attempt = |choices: &Sequence, form: Form| -> Option<Failure> {
        if stopped() {
            return None;
        }
        let mut case = failure.case.with_choices(choices.clone())?;
        case.form = if case.forms().contains(&form) { form } else { Form::AsDrawn };
        let right = right(&reference, &case).ok()?;
        let case = PreparedCase::alone(case.in_form(&output_shapes(&right)));
        let finding = examine_one(subject, &case, &right, deadline);
        let found = signature(&case.case.version.name, &subject.identity.name, finding.judgement());
        (found == wanted).then_some(finding.failure)
    };
    // If the case fails in the same way in the form `AsDrawn`, the repro has it in this simplest form.
    let plain = attempt(&failure.case.choices, Form::AsDrawn);
    let form = if plain.is_some() { Form::AsDrawn } else { failure.case.form };
    best = plain.or(best);
    minimize(failure.case.choices.clone(), budget, |choices| match attempt(choices, form) {
        Some(smaller) => {
            best = Some(smaller);
            true
        }
        None => false,
    });
    best
}
