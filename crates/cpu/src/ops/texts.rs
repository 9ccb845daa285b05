//! Operators on strings: RegexFullMatch, StringConcat, StringNormalizer, StringSplit.

use plumbline_tensor::DType;

use super::legacy::broadcast;
use crate::array::{Array, affordable};
use crate::kernels::lanes::laid;
use crate::node::{Node, Operator, Outputs, one};
use crate::view::View;
use plumbline_graph::{Refusal, re2};

pub const OPERATORS: &[(&str, Operator)] = &[
    ("RegexFullMatch", regex_full_match),
    ("StringConcat", string_concat),
    ("StringNormalizer", string_normalizer),
    ("StringSplit", string_split),
];

fn string_concat(node: &Node) -> Outputs {
    let (x, y) = (node.input(0)?, node.input(1)?);
    let shape = broadcast(&[x.shape(), y.shape()])?;
    let places = |array: &Array| {
        let own: Vec<usize> = (0..array.len()).collect();
        View::packed(&own, array.shape()).broadcast(&shape).map(|view| laid(&view).into_owned()).unwrap_or_default()
    };
    let pairs = places(x).into_iter().zip(places(y));
    let joined = pairs.map(|(i, j)| [&x.strings()[i][..], &y.strings()[j]].concat());
    one(Array::strings_of(&shape, joined.collect())?)
}

/// Splits a string at delimiters, at most `most` times. The last part has the rest of the string.
fn between<'t>(mut text: &'t [u8], delimiter: &[u8], most: usize) -> Vec<&'t [u8]> {
    let mut parts = Vec::new();
    while parts.len() < most {
        let Some(at) = text.windows(delimiter.len()).position(|part| part == delimiter) else { break };
        parts.push(&text[..at]);
        text = &text[at + delimiter.len()..];
    }
    parts.push(text);
    parts
}

/// Splits a string at runs of white space, at most `most` times. The last part has the rest of the string.
fn split_words(mut text: &[u8], most: usize) -> Vec<&[u8]> {
    let blank = |byte: &u8| matches!(byte, b' ' | b'\t'..=b'\r');
    let mut parts = Vec::new();
    while let Some(start) = text.iter().position(|byte| !blank(byte)) {
        text = &text[start..];
        let end = text.iter().position(blank).filter(|_| parts.len() < most).unwrap_or(text.len());
        parts.push(&text[..end]);
        text = &text[end..];
    }
    parts
}

fn string_split(node: &Node) -> Outputs {
    let x = node.input(0)?;
    let delimiter = node.string("delimiter")?.as_bytes();
    let most = node.optional_int("maxsplit").and_then(|most| usize::try_from(most).ok()).unwrap_or(usize::MAX);
    let split = |text: &Vec<u8>| match delimiter {
        b"" => split_words(text, most).into_iter().map(<[u8]>::to_vec).collect(),
        _ => between(text, delimiter, most).into_iter().map(<[u8]>::to_vec).collect(),
    };
    let mut rows: Vec<Vec<Vec<u8>>> = x.strings().iter().map(split).collect();
    let counts: Vec<i64> = rows.iter().map(|row| row.len() as i64).collect();
    let longest = rows.iter().map(Vec::len).max().unwrap_or(0);
    let shape = [x.shape(), &[longest]].concat();
    affordable(&shape)?;
    rows.iter_mut().for_each(|row| row.resize(longest, Vec::new()));
    let counts = Array::from_elements(DType::Int64, x.shape(), &counts)?;
    Ok(vec![Array::strings_of(&shape, rows.concat())?.into(), counts.into()])
}

/// Converts a string to lower or upper case by Unicode's mapping. A string that is not UTF-8 stays unchanged.
fn cased(text: &[u8], map: fn(&str) -> String) -> Vec<u8> {
    std::str::from_utf8(text).map_or_else(|_| text.to_vec(), |text| map(text).into_bytes())
}

/// Computes StringNormalizer. Stop words are removed before the case is changed.
fn string_normalizer(node: &Node) -> Outputs {
    let x = node.input(0)?;
    if !matches!(x.shape(), [count] | [1, count] if *count > 0) {
        return Err(Refusal::invalid(format!(
            "the input has shape {:?}, expected [C] or [1, C] with C above 0",
            x.shape()
        )));
    }
    let change = |text: &[u8]| match node.string("case_change_action")? {
        "NONE" => Ok(text.to_vec()),
        "LOWER" => Ok(cased(text, str::to_lowercase)),
        "UPPER" => Ok(cased(text, str::to_uppercase)),
        other => {
            Err(Refusal::invalid(format!("`case_change_action` is `{other}`, expected `NONE`, `LOWER` or `UPPER`")))
        }
    };
    let sensitive = node.int("is_case_sensitive") != 0;
    let compared = |text: &[u8]| if sensitive { text.to_vec() } else { cased(text, str::to_lowercase) };
    let stops: Vec<Vec<u8>> =
        node.strings("stopwords")?.unwrap_or_default().iter().map(|word| compared(word.as_bytes())).collect();
    let kept = x.strings().iter().filter(|text| !stops.contains(&compared(text)));
    let mut found = kept.map(|text| change(text)).collect::<Result<Vec<_>, _>>()?;
    change(b"")?;
    if found.is_empty() {
        found.push(Vec::new());
    }
    let shape = [&x.shape()[..x.rank() - 1], &[found.len()]].concat();
    one(Array::strings_of(&shape, found)?)
}

fn regex_full_match(node: &Node) -> Outputs {
    let x = node.input(0)?;
    let pattern = node.given("pattern").map(|_| node.string("pattern")).transpose()?;
    let pattern = pattern.ok_or_else(|| Refusal::invalid("`pattern` is missing"))?;
    let pattern = re2::whole(pattern)?;
    let matched: Vec<u8> = x.strings().iter().map(|text| u8::from(pattern.is_match(text))).collect();
    one(Array::from_elements(DType::Bool, x.shape(), &matched)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_split_at_whitespace_or_a_delimiter() {
        let texts = |parts: Vec<&[u8]>| parts.iter().map(|part| String::from_utf8_lossy(part).into_owned()).collect();
        let split = |text: &str, delimiter: &str, most| -> Vec<String> {
            match delimiter {
                "" => texts(split_words(text.as_bytes(), most)),
                _ => texts(between(text.as_bytes(), delimiter.as_bytes(), most)),
            }
        };
        assert_eq!(split(" a  b\tc ", "", usize::MAX), ["a", "b", "c"]);
        assert_eq!(split(" a  b c ", "", 1), ["a", "b c "]);
        assert_eq!(split("  ", "", usize::MAX), [""; 0]);
        assert_eq!(split("a--b-", "-", usize::MAX), ["a", "", "b", ""]);
        assert_eq!(split("a--b-", "-", 1), ["a", "-b-"]);
        assert_eq!(split("", "-", usize::MAX), [""]);
    }
}
