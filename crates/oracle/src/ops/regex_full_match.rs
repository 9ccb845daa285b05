use plumbline_graph::re2;

use crate::prelude::*;
use crate::steps;

/// Returns whether each string as a whole matches a regular expression of RE2.
///
/// The only version is 20. Patterns that RE2 does not accept are rejected (`pattern-valid`). Strings that are not
/// UTF-8: `invalid-utf8`; empty strings: `empty-string`.
pub fn regex_full_match(call: &Call) -> Answer {
    let x = call.tensor("X")?;
    let pattern = call
        .optional_string("pattern")
        .ok_or_else(|| Refusal::violates(rule::PATTERN_VALID, "`pattern` is missing"))?;
    let expression = re2::whole(&pattern)?;
    let open = |i: usize| x.latitude.iter().find(|(at, _)| *at == i).map(|(_, l)| l.label);
    let matched = x.tensor.strings().iter().enumerate().map(|(i, string)| {
        steps::take(string.len() + x.latitude.len());
        let matched = Number::from(expression.is_match(string));
        let open = open(i).or(std::str::from_utf8(string).is_err().then_some(rule::INVALID_UTF8));
        open.map_or(matched, |label| matched.undecided(label))
    });
    call.answer_as(DType::Bool, x.shape().to_vec(), matched)
}
