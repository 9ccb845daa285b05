//! Looks for smaller cases that fail in the same way.

use std::time::Duration;

use plumbline_generator::{Case, Form, Origin, Sequence};
use plumbline_judge::{FailKind, Judgement, output_shapes, signature};
use plumbline_oracle::Oracle;

use crate::examining::examine::examine_one;
use crate::examining::expected::right;
use crate::examining::minimize::{Budget, minimize, minimize_large};
use crate::examining::prepared::PreparedCase;
use crate::examining::reduce::reduced;
use crate::examining::repro::Failure;
use crate::subjects::Subject;

/// Looks for smaller cases that fail on the backend with the same signature, and returns the smallest one: for a drawn
/// case by its choices, and for any other case by its model ([`reduced`]). The search ends when it has used up `budget`,
/// or when `stopped` returns true.
pub fn smaller(
    subject: &Subject,
    failure: &Failure,
    deadline: Duration,
    budget: Budget,
    stopped: impl Fn() -> bool,
) -> Option<Failure> {
    if failure.judgement.kind == Some(FailKind::InPack) {
        // The model of the failure is the pack, which is wrong by itself.
        let pack = PreparedCase::alone(failure.case.clone());
        let whole = examine_one(subject, &pack, &failure.right, deadline).failure;
        let is_bad = whole.judgement.verdict.is_bad();
        return if is_bad { reduced(subject, &whole, deadline, budget, &stopped) } else { None };
    }
    let is_large = match &failure.case.origin {
        Origin::Drawn(place) => place.large,
        Origin::DirectMl(_) => false,
        Origin::Given | Origin::Mutated { .. } | Origin::Graph { .. } => {
            return reduced(subject, failure, deadline, budget, &stopped);
        }
    };
    let of = |case: &Case, judgement: &Judgement| {
        signature(&case.version.qualified_name(), &subject.identity.name, judgement)
    };
    let wanted = of(&failure.case, &failure.judgement);
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
        let found = of(&case.case, finding.judgement());
        (found == wanted).then_some(finding.failure)
    };
    // If the case fails in the same way in the form `AsDrawn`, the repro has it in this simplest form.
    let plain = attempt(&failure.case.choices, Form::AsDrawn);
    let form = if plain.is_some() { Form::AsDrawn } else { failure.case.form };
    best = plain.or(best);
    let still_fails = |choices: &Sequence| match attempt(choices, form) {
        Some(smaller) => {
            best = Some(smaller);
            true
        }
        None => false,
    };
    let choices = failure.case.choices.clone();
    if is_large {
        minimize_large(choices, budget, still_fails)
    } else {
        minimize(choices, budget, still_fails)
    };
    best
}
