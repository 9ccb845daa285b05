//! StringConcat, StringSplit, StringNormalizer.

use plumbline_tensor::Tensor;

use crate::draw::Draw;
use crate::values::Values;

pub fn string_concat(draw: &mut Draw) {
    let shapes = draw.broadcastable(2, 0..=4);
    draw.tensor("X", &shapes[0], Values::Any);
    draw.tensor("Y", &shapes[1], Values::Any);
}

pub fn string_concat_c1(draw: &mut Draw) {
    let (x, y) = draw.unbroadcastable();
    draw.tensor("X", &x, Values::Any);
    draw.tensor("Y", &y, Values::Any);
}

/// Strings of up to six pieces each.
pub(super) fn of_pieces(draw: &mut Draw, pieces: &[&str], shape: &[usize]) -> Tensor {
    const MOST: usize = 6;
    let count: usize = shape.iter().product();
    let choices = draw.block(count * MOST, 2 * pieces.len() as u64);
    let strings = choices.chunks(MOST).map(|choices| {
        let parts = choices.iter().filter_map(|&c| pieces.get(c as usize));
        parts.copied().collect::<String>().into_bytes()
    });
    Tensor::from_strings(shape.to_vec(), strings.collect()).expect("as many strings as the shape says")
}

pub fn string_split(draw: &mut Draw) {
    let shape = draw.shape(0..=3);
    let pieces = ["a", "bc", "-", "--", " ", ",", "\t", "é", "\n"];
    let x = of_pieces(draw, &pieces, &shape);
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
        let most = draw.range(0..=4);
        draw.int_attribute("maxsplit", most);
    }
}

const WORDS: [&str; 9] = ["monday", "Monday", "tuesday", "A", "a", "", "é", "ß", "The quick"];

pub fn string_normalizer(draw: &mut Draw) {
    let count = draw.choose(&[3, 1, 2, 5, 8]);
    let shape = if draw.flag() { vec![1, count] } else { vec![count] };
    let words = draw.block(count, WORDS.len() as u64).into_iter().map(|w| WORDS[w as usize].as_bytes().to_vec());
    let words: Vec<Vec<u8>> = words.collect();
    let mut other_case = false;
    if draw.give_attribute("stopwords") || draw.flag() {
        // A word of the input, in its own letters or in those of the other case; or another word.
        let cased: Vec<&Vec<u8>> = words.iter().filter(|w| w.iter().any(u8::is_ascii_alphabetic)).collect();
        let word = if cased.is_empty() { &words[0] } else { draw.choose(&cased) };
        let stop = match draw.below(4) {
            0 | 1 => in_other_case(word),
            2 => word.clone(),
            _ => WORDS[draw.below(WORDS.len())].as_bytes().to_vec(),
        };
        other_case = stop != *word && stop.eq_ignore_ascii_case(word);
        let mut stops = vec![stop];
        if draw.once_in(4) {
            stops = words.clone();
            other_case = false;
            draw.feature("nothing left");
        }
        if other_case {
            draw.feature("a stop word in another case");
        }
        draw.strings_attribute("stopwords", &stops);
    }
    draw.input("X", Tensor::from_strings(shape, words).expect("as many words as the shape says"));
    if draw.give_attribute("is_case_sensitive") || other_case {
        let sensitive = draw.choose(&[1, 0]);
        draw.int_attribute("is_case_sensitive", sensitive);
    }
    if draw.give_attribute("case_change_action") {
        let action = draw.choose(&["LOWER", "UPPER", "NONE"]);
        draw.string_attribute("case_change_action", action);
    }
    if draw.give_attribute("locale") {
        draw.string_attribute("locale", "C");
    }
}

fn in_other_case(word: &[u8]) -> Vec<u8> {
    let other = |letter: &u8| {
        if letter.is_ascii_lowercase() { letter.to_ascii_uppercase() } else { letter.to_ascii_lowercase() }
    };
    word.iter().map(other).collect()
}

pub fn string_normalizer_c1(draw: &mut Draw) {
    let shape = draw.choose(&[vec![], vec![2, 3], vec![1, 1, 2], vec![0], vec![1, 0]]);
    draw.tensor("X", &shape, Values::Any);
}

pub fn string_normalizer_c2(draw: &mut Draw) {
    draw.tensor("X", &[3], Values::Any);
    let action = draw.choose(&["lower", "TITLE", ""]);
    draw.string_attribute("case_change_action", action);
}
