//! Draws patterns with many parts of the syntax, and strings that are mostly made of pieces which some of the
//! patterns match.

use crate::families::strings;
use crate::prelude::*;

const PATTERNS: [&str; 40] = [
    "a",
    "a*",
    "a+b?",
    "",
    "a|b|ab",
    "(a|b)*",
    ".*",
    "[ab]+",
    "[^ab]*",
    r"\d+",
    r"\w*",
    r"\W+",
    r"\s*",
    r"\S+",
    r"[\w.]+",
    r"[\D]+",
    "a{2}",
    "a{1,3}b{0,}",
    "a{,2}",
    "(?i)a+b*",
    "(?i:A)b",
    "(?s).*",
    "(?U)a+b*",
    "(?P<name>a+)1",
    "^a.*b$",
    r"\Aab\z",
    r".*\bab\b.*",
    r"\Qa.b\E",
    r"a\.b",
    "[[:alpha:]]+",
    "[[:^digit:]]*",
    "[]a-]+",
    "[[&]+",
    r"\pL+",
    r"\p{Greek}",
    r"\x61\x{62}",
    r"[\x{80}-\x{10FFFF}]+",
    "(?m)^a$",
    "é+",
    ".",
];

const PIECES: [&str; 12] = ["a", "b", "ab", "aa", "1", "é", ".", " ", "A", "\n", "-", "_"];

pub fn regex_full_match(draw: &mut Draw) {
    let shape = draw.shape(0..=3);
    let x = if draw.once_in(6) {
        draw.elements(DType::String, &shape, Values::Any)
    } else {
        strings::from_pieces(draw, &PIECES, &shape)
    };
    draw.input("X", x);
    let pattern = draw.choose(&PATTERNS);
    draw.string_attribute("pattern", pattern);
}

pub fn pattern_valid(draw: &mut Draw) {
    draw.tensor("X", &[3], Values::Any);
    let bad =
        draw.way_of(&["(", "a**", "*a", "[b-a]", r"\1", "(?=a)b", "a{1001}", r"\Z", "a)", "[a", r"\", "[[:foo:]]"]);
    draw.string_attribute("pattern", bad);
}
