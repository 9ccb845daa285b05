use crate::families::re2::whole;
use crate::prelude::*;

/// RegexFullMatch-20: whether the whole of each string matches the pattern. The pattern is one of RE2: `pattern-valid`. Strings that are no UTF-8:
/// `invalid-utf8`; empty ones: `empty-string`.
pub fn regex_full_match(call: &Call) -> Answer {
    let x = call.tensor("X")?;
    let pattern = call
        .optional_string("pattern")
        .ok_or_else(|| Refusal::violates(rule::PATTERN_VALID, "`pattern` is missing"))?;
    let expression =
        whole(&pattern).map_err(|e| Refusal::violates(rule::PATTERN_VALID, format!("{pattern:?}: {e}")))?;
    let open = |i: usize| x.latitude.iter().find(|(at, _)| *at == i).map(|(_, l)| l.label);
    let matched = x.tensor.strings().iter().enumerate().map(|(i, string)| {
        let matched = Number::from(expression.is_match(string));
        let open = open(i).or(std::str::from_utf8(string).is_err().then_some(rule::INVALID_UTF8));
        open.map_or(matched, |label| matched.undecided(label))
    });
    call.answer_as(DType::Bool, x.shape().to_vec(), matched)
}
