use crate::families::re2::whole;
use crate::prelude::*;

/// RegexFullMatch-20: whether the whole of each string matches the pattern. The pattern is one of RE2: C1. Strings that are no UTF-8: B1; empty ones: B2.
pub fn regex_full_match(call: &Call) -> Answer {
    let x = call.tensor("X")?;
    let pattern = call.optional_string("pattern").ok_or_else(|| Refusal::violates(C1, "`pattern` is missing"))?;
    let expression = whole(&pattern).map_err(|e| Refusal::violates(C1, format!("{pattern:?}: {e}")))?;
    let open = |i: usize| x.latitude.iter().find(|(at, _)| *at == i).map(|(_, l)| l.label);
    let matched = x.tensor.strings().iter().enumerate().map(|(i, string)| {
        let matched = Number::from(expression.is_match(string));
        let open = open(i).or(std::str::from_utf8(string).is_err().then_some(B1));
        open.map_or(matched, |label| matched.undecided(label))
    });
    call.answer_as(DType::Bool, x.shape().to_vec(), matched)
}
