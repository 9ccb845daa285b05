//! Recipes for StringConcat, StringSplit and StringNormalizer.

use plumbline_tensor::Tensor;

use crate::draw::Draw;
use crate::values::Values;

pub fn string_concat(draw: &mut Draw) {
    let shapes = draw.broadcastable(2, 0..=4);
    draw.tensor("X", &shapes[0], Values::Any);
    draw.tensor("Y", &shapes[1], Values::Any);
}

pub fn string_concat_shapes_broadcast(draw: &mut Draw) {
    let (x, y) = draw.unbroadcastable();
    draw.tensor("X", &x, Values::Any);
    draw.tensor("Y", &y, Values::Any);
}

/// Draws strings of up to six pieces each.
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
        let most = draw.choose(&[0, 1, 2, 3, 4, i64::MAX]);
        draw.int_attribute("maxsplit", most);
    }
}

const WORDS: [&str; 9] = ["monday", "Monday", "tuesday", "A", "a", "", "é", "ß", "The quick"];

/// Which stop words a StringNormalizer gets.
#[derive(Clone, Copy, PartialEq)]
enum Stops {
    /// One word of the input, in letters of the other case.
    OtherCase,
    /// One word of the input as it is.
    Same,
    /// One word, which may be in the input.
    Any,
    /// All words of the input.
    All,
    /// No stop words.
    Nothing,
}

pub fn string_normalizer(draw: &mut Draw) {
    use Stops::*;
    let count = draw.turn(&[3, 5, 4, 8, 1, 2]);
    let count = draw.extent(count, 8);
    let shape = if draw.flag() { vec![1, count] } else { vec![count] };
    let words = draw.block(count, WORDS.len() as u64).into_iter().map(|w| WORDS[w as usize].as_bytes().to_vec());
    let mut words: Vec<Vec<u8>> = words.collect();
    let stops = draw.turn(&[OtherCase, OtherCase, OtherCase, Nothing, Same, Any, All, OtherCase, Nothing]);
    if stops == OtherCase && !words.iter().any(|w| is_cased(w)) {
        words[0] = draw.choose(&["Monday", "a"]).as_bytes().to_vec();
    }
    let cased: Vec<Vec<u8>> = words.iter().filter(|w| is_cased(w)).cloned().collect();
    let stops = match stops {
        OtherCase => {
            draw.feature("a stop word in another case");
            Some(vec![in_other_case(&draw.choose(&cased))])
        }
        Same => Some(vec![draw.choose(&words)]),
        Any => Some(vec![draw.choose(&WORDS).as_bytes().to_vec()]),
        All => {
            draw.feature("nothing left");
            Some(words.clone())
        }
        Nothing => None,
    };
    stops.into_iter().for_each(|stops| draw.strings_attribute("stopwords", &stops));
    draw.input("X", Tensor::from_strings(shape, words).expect("as many words as the shape says"));
    if let Some(sensitive) = draw.turn_attribute("is_case_sensitive", &[1, 0, 1]) {
        draw.int_attribute("is_case_sensitive", sensitive);
    }
    if let Some(action) = draw.turn_attribute("case_change_action", &["LOWER", "UPPER", "NONE"]) {
        draw.string_attribute("case_change_action", action);
    }
    if draw.give_attribute("locale") {
        draw.string_attribute("locale", "C");
    }
}

fn is_cased(word: &[u8]) -> bool {
    word.iter().any(u8::is_ascii_alphabetic)
}

fn in_other_case(word: &[u8]) -> Vec<u8> {
    let other = |letter: &u8| {
        if letter.is_ascii_lowercase() { letter.to_ascii_uppercase() } else { letter.to_ascii_lowercase() }
    };
    word.iter().map(other).collect()
}

pub fn string_normalizer_single_row_of_strings(draw: &mut Draw) {
    let shape = draw.way_of(&[vec![], vec![2, 3], vec![1, 1, 2], vec![0], vec![1, 0]]);
    draw.tensor("X", &shape, Values::Any);
}

pub fn string_normalizer_case_change_action_known(draw: &mut Draw) {
    draw.tensor("X", &[3], Values::Any);
    let action = draw.way_of(&["lower", "TITLE", ""]);
    draw.string_attribute("case_change_action", action);
}
