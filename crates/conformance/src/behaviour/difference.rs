//! Compares the answers of two versions to the same case.

use plumbline_graph::{Refusal, RefusalKind};
use plumbline_oracle::{Answer, Expected, Judged, Latitude, NumberKind, Operand};
use plumbline_spec::Label;

/// A kind of difference between two answers. Simpler kinds come first.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Sort {
    /// Both versions accept the case, and their answers differ.
    Answer(Part),
    /// Only the earlier version accepts the case. The later one refuses it because of this constraint.
    OnlyEarlier(Label),
    /// Only the later version accepts the case. The earlier one refuses it because of this constraint.
    OnlyLater(Label),
    /// The earlier version leaves the answer open, and the later one defines it.
    Decided(Label),
    /// The later version leaves the answer open, and the earlier one defines it.
    Opened(Label),
    /// Both versions leave the answer open, but allow different outcomes.
    OtherwiseOpen(Label, Label),
    /// Each version accepts the preferred answer of the other one, but they accept different ranges.
    Range,
}

/// The part of an answer that differs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Part {
    /// The number of outputs.
    Count,
    /// The type of an output.
    Type,
    /// The shape of an output.
    Shape,
    /// The elements of an output.
    Elements,
}

/// The result of comparing two answers.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Compared {
    /// The answers are the same.
    Same,
    /// The answers differ in this way. If elements differ, the pair is the output and the index of the first element
    /// with this difference.
    Differs(Sort, Option<(usize, usize)>),
    /// The comparison is not possible: both versions refuse, or one refuses without naming a rule, for example because
    /// that version does not have the types, the attributes or the number of inputs.
    NotComparable,
}

/// Compares the answers of two versions.
pub(super) fn compare(earlier: &Answer, later: &Answer) -> Compared {
    match (earlier, later) {
        (Ok(earlier), Ok(later)) => outputs(earlier, later),
        (Err(refusal), Ok(_)) => refused(refusal, Sort::OnlyLater, Sort::Decided),
        (Ok(_), Err(refusal)) => refused(refusal, Sort::OnlyEarlier, Sort::Opened),
        (Err(_), Err(_)) => Compared::NotComparable,
    }
}

/// Interprets the refusal of one version where the other version answers. If the refusal has a label, the case is
/// either invalid in the version that refuses or left open by it.
fn refused(refusal: &Refusal, invalid: fn(Label) -> Sort, open: fn(Label) -> Sort) -> Compared {
    match (refusal.kind, refusal.label) {
        (RefusalKind::Invalid, Some(label)) => Compared::Differs(invalid(label), None),
        (RefusalKind::Unsupported, Some(label)) => Compared::Differs(open(label), None),
        _ => Compared::NotComparable,
    }
}

fn outputs(earlier: &[Operand], later: &[Operand]) -> Compared {
    let part = |part| Compared::Differs(Sort::Answer(part), None);
    if earlier.len() != later.len() {
        return part(Part::Count);
    }
    let mut found: Option<(Sort, Option<(usize, usize)>)> = None;
    let mut note = |sort: Sort, place| {
        if found.as_ref().is_none_or(|(other, _)| sort < *other) {
            found = Some((sort, place));
        }
    };
    for (output, (a, b)) in earlier.iter().zip(later).enumerate() {
        if a.kind() != b.kind() {
            return part(Part::Type);
        }
        match (a, b) {
            (Operand::Tensor(a), Operand::Tensor(b)) => {
                if a.shape() != b.shape() {
                    return part(Part::Shape);
                }
                // Random outputs can only differ in their distributions.
                match (&a.random, &b.random) {
                    // The debug texts are compared because NaN equals NaN in a text.
                    (Some(from), Some(other)) if format!("{from:?}") == format!("{other:?}") => continue,
                    (None, None) => {}
                    _ => note(Sort::Answer(Part::Elements), None),
                }
                for index in 0..a.len() {
                    if let Some(sort) = element(a, b, index) {
                        note(sort, Some((output, index)));
                    }
                }
            }
            // Operators do not compute with values that are not tensors, but only move them.
            (a, b) if a != b => note(Sort::Answer(Part::Elements), None),
            _ => {}
        }
    }
    found.map_or(Compared::Same, |(sort, place)| Compared::Differs(sort, place))
}

fn element(a: &Expected, b: &Expected, index: usize) -> Option<Sort> {
    let (forth, back) = (b.judge(&a.tensor, index), a.judge(&b.tensor, index));
    if forth == Judged::Wrong || back == Judged::Wrong {
        return Some(Sort::Answer(Part::Elements));
    }
    let open = |e: &Expected| e.latitude.iter().find(|(at, _)| *at == index).map(|(_, latitude)| *latitude);
    match (open(a), open(b)) {
        (Some(before), None) => Some(Sort::Decided(before.label)),
        (None, Some(after)) => Some(Sort::Opened(after.label)),
        (Some(before), Some(after)) if !same_outcomes(a, before, b, after, index) => {
            Some(Sort::OtherwiseOpen(before.label, after.label))
        }
        (Some(_), Some(_)) => None,
        (None, None) => (!same_range(a, b, index)).then_some(Sort::Range),
    }
}

/// Returns whether two latitudes allow the same outcomes, whatever their labels are.
fn same_outcomes(a: &Expected, before: Latitude, b: &Expected, after: Latitude, index: usize) -> bool {
    let preferred = a.tensor.element_text(index) == b.tensor.element_text(index);
    // The debug texts are compared because NaN equals NaN in a text.
    preferred && format!("{:?}", before.allowed) == format!("{:?}", after.allowed)
}

/// Returns whether `a` and `b` accept the same numbers for an element.
fn same_range(a: &Expected, b: &Expected, index: usize) -> bool {
    if !(a.dtype().is_float() || a.dtype().is_integer())
        || a.is_certain() && b.is_certain() && a.tensor.f64_at(index) != 0.0
    {
        return true;
    }
    match (a.number(index).kind, b.number(index).kind) {
        (NumberKind::Real(a), NumberKind::Real(b)) => {
            let same = |x: f64, y: f64| x == y || x.is_nan() && y.is_nan();
            let zero = a.mid == 0.0 && a.signed_zero != b.signed_zero;
            same(a.low, b.low) && same(a.high, b.high) && a.nan == b.nan && !zero
        }
        (a, b) => a == b,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use plumbline_oracle::{Number, one};
    use plumbline_spec::rule::{AXIS_IN_RANGE, NAN};
    use plumbline_tensor::DType;

    fn answer(numbers: Vec<Number>) -> Answer {
        one(Expected::from_numbers(DType::Float, vec![numbers.len()], numbers)?)
    }

    fn number(x: f64) -> Number {
        Number::constant(x, DType::Float)
    }

    fn differs(sort: Sort, place: Option<(usize, usize)>) -> Compared {
        Compared::Differs(sort, place)
    }

    #[test]
    fn differences_are_sorted_by_kind() {
        let one = || answer(vec![number(1.0), number(2.0)]);
        assert_eq!(compare(&one(), &one()), Compared::Same);
        let other = answer(vec![number(1.0), number(3.0)]);
        assert_eq!(compare(&one(), &other), differs(Sort::Answer(Part::Elements), Some((0, 1))));
        assert_eq!(compare(&one(), &answer(vec![number(1.0)])), differs(Sort::Answer(Part::Shape), None));
        let refused: Answer = Err(Refusal::violates(AXIS_IN_RANGE, ""));
        assert_eq!(compare(&refused, &one()), differs(Sort::OnlyLater(AXIS_IN_RANGE), None));
        assert_eq!(compare(&one(), &refused), differs(Sort::OnlyEarlier(AXIS_IN_RANGE), None));
        assert_eq!(compare(&Err(Refusal::leaves_open(NAN, "")), &one()), differs(Sort::Decided(NAN), None));
        assert_eq!(compare(&one(), &Err(Refusal::unsupported(""))), Compared::NotComparable);
        assert_eq!(compare(&one(), &Err(Refusal::invalid(""))), Compared::NotComparable);
        assert_eq!(compare(&refused, &refused), Compared::NotComparable);
        let open = || answer(vec![number(1.0).undecided(NAN), number(2.0)]);
        assert_eq!(compare(&open(), &open()), Compared::Same);
        assert_eq!(compare(&open(), &one()), differs(Sort::Decided(NAN), Some((0, 0))));
        assert_eq!(compare(&one(), &open()), differs(Sort::Opened(NAN), Some((0, 0))));
        let this_or_that = answer(vec![number(1.0).or(number(5.0), NAN), number(2.0)]);
        assert_eq!(compare(&open(), &this_or_that), differs(Sort::OtherwiseOpen(NAN, NAN), Some((0, 0))));
        let computed = answer(vec![number(1.0), number(2.0) + number(0.1)]);
        let wider = answer(vec![number(1.0), number(2.0) + number(0.1) + number(0.0)]);
        assert_eq!(compare(&computed, &computed), Compared::Same);
        assert_eq!(compare(&computed, &wider), differs(Sort::Range, Some((0, 1))));
    }

    #[test]
    fn an_open_element_does_not_hide_a_wrong_one() {
        let this_or_that = answer(vec![number(1.0).or(number(5.0), NAN)]);
        let neither = answer(vec![number(7.0)]);
        assert_eq!(compare(&this_or_that, &neither), differs(Sort::Answer(Part::Elements), Some((0, 0))));
    }
}
