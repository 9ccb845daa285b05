use crate::prelude::*;
use crate::{Allowed, Latitude};

/// Splits each string into substrings, which form a new last dimension, and returns how many there are.
///
/// The only version is 20. Trailing blanks if `maxsplit` ends the splitting: `trailing-whitespace`; blanks outside of
/// ASCII: `whitespace-characters`; empty strings: `empty-string`; a negative `maxsplit`: `negative-maxsplit`; strings
/// with fewer substrings than others: `fewer-substrings`.
pub fn string_split(call: &Call) -> Answer {
    let x = call.tensor("X")?;
    if !x.is_certain() {
        return Err(Refusal::unsupported(
            "the strings are not known exactly, so that the number of substrings is open",
        ));
    }
    let delimiter = call.optional_string("delimiter").unwrap_or_default().into_bytes();
    let given = call.optional_int("maxsplit");
    if given.is_some_and(i64::is_negative) {
        call.leaves_open(rule::NEGATIVE_MAXSPLIT);
    }
    let most = given.and_then(|m| usize::try_from(m).ok()).unwrap_or(usize::MAX);
    let strings = x.tensor.strings().iter().map(Vec::as_slice);
    let parts: Vec<Vec<&[u8]>> = match delimiter.is_empty() {
        true => strings.map(|string| at_blanks(string, most)).collect(),
        false => strings.map(|string| at_delimiters(string, &delimiter, most)).collect(),
    };
    let width = parts.iter().map(Vec::len).max().unwrap_or(0);
    let shape: Vec<usize> = x.shape().iter().copied().chain([width]).collect();
    shape::affordable(&shape)?;
    let part = |i: usize| parts[i / width].get(i % width).copied().unwrap_or_default().to_vec();
    let count = parts.len() * width;
    let y = Expected::from(Tensor::from_strings(shape, (0..count).map(part).collect())?);
    let is_trailing = |i: &usize| {
        parts[i / width].get(i % width).is_some_and(|p| delimiter.is_empty() && p.last().is_some_and(blank))
    };
    let trimmed = Latitude { label: rule::TRAILING_WHITESPACE, allowed: Allowed::Trimmed };
    let latitude = (0..count).filter(is_trailing).map(|i| (i, trimmed)).collect();
    let counts: Vec<i64> = parts.iter().map(|p| p.len() as i64).collect();
    let z = Tensor::from_i64s(&counts).reshaped(x.shape().to_vec())?;
    several([Expected { latitude, ..y }, z.into()])
}

fn at_delimiters<'s>(string: &'s [u8], delimiter: &[u8], most: usize) -> Vec<&'s [u8]> {
    let (mut parts, mut rest) = (Vec::new(), string);
    while parts.len() < most
        && let Some(at) = rest.windows(delimiter.len()).position(|window| window == delimiter)
    {
        parts.push(&rest[..at]);
        rest = &rest[at + delimiter.len()..];
    }
    parts.push(rest);
    parts
}

fn blank(b: &u8) -> bool {
    b.is_ascii_whitespace() || *b == 0x0b
}

/// Splits a string at blanks. The rest behind the last split keeps its trailing blanks (`trailing-whitespace`).
fn at_blanks(string: &[u8], most: usize) -> Vec<&[u8]> {
    let skip = |rest: &'_ [u8]| rest.iter().position(|b| !blank(b)).unwrap_or(rest.len());
    let (mut parts, mut rest) = (Vec::new(), &string[skip(string)..]);
    while parts.len() < most
        && let Some(at) = rest.iter().position(blank)
    {
        parts.push(&rest[..at]);
        rest = &rest[at..];
        rest = &rest[skip(rest)..];
    }
    if !rest.is_empty() {
        parts.push(rest);
    }
    parts
}
