//! Draws words in either case, some with letters outside ASCII, and stop words that are equal to a word or differ in
//! case.

use crate::prelude::*;

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
    draw.input("X", Tensor::from_strings(shape, words).expect("there are as many words as the shape has elements"));
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

pub fn single_row_of_strings(draw: &mut Draw) {
    let shape = draw.way_of(&[vec![], vec![2, 3], vec![1, 1, 2], vec![0], vec![1, 0]]);
    draw.tensor("X", &shape, Values::Any);
}

pub fn case_change_action_known(draw: &mut Draw) {
    draw.tensor("X", &[3], Values::Any);
    let action = draw.way_of(&["lower", "TITLE", ""]);
    draw.string_attribute("case_change_action", action);
}
