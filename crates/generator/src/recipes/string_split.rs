//! Draws strings of letters, delimiters and white space, which are split at one of the delimiters, at an empty one or
//! at white space, with and without limits.

use crate::families::strings;
use crate::prelude::*;

pub fn string_split(draw: &mut Draw) {
    let shape = draw.shape(0..=3);
    let pieces = ["a", "bc", "-", "--", " ", ",", "\t", "é", "\n"];
    let x = strings::from_pieces(draw, &pieces, &shape);
    if x.strings().iter().any(Vec::is_empty) {
        draw.feature("an empty string");
    }
    if x.strings().iter().any(|s| s.contains(&b'\t') || s.contains(&b'\n')) {
        draw.feature("other white space");
    }
    draw.input("X", x);
    if draw.give_attribute("delimiter") {
        let delimiter = draw.choose(&["-", "--", " ", "", ",", "é", "-a"]);
        draw.string_attribute("delimiter", delimiter);
        if delimiter.is_empty() {
            draw.feature("empty delimiter");
        }
    }
    if draw.give_attribute("maxsplit") {
        let most = draw.choose(&[0, 1, 2, 3, 4, i64::MAX]);
        draw.int_attribute("maxsplit", most);
    }
}
