use crate::prelude::*;

/// Removes stop words from a list of strings, then changes the case of the others.
///
/// The only version is 10. Constraints: the shape (`single-row-of-strings`) and `case_change_action`
/// (`case-change-action-known`). Letters outside of ASCII: `locale`; a list in which all strings are removed:
/// `all-strings-dropped`; case in the comparison with stop words: `stopwords-case`.
///
/// Values of `is_case_sensitive` other than 0 and 1: `other-flag-values`.
pub fn string_normalizer(call: &Call) -> Answer {
    let x = call.tensor("X")?;
    if !x.is_certain() {
        return Err(Refusal::unsupported("the strings are not known exactly, so that it is open which are dropped"));
    }
    if !matches!(x.shape(), [c] | [1, c] if *c > 0) {
        return Err(Refusal::violates(
            rule::SINGLE_ROW_OF_STRINGS,
            format!("`X` has shape {:?}, expected [C] or [1, C] with C above 0", x.shape()),
        ));
    }
    let change = match call.string("case_change_action")?.as_str() {
        "NONE" => Change::None,
        "LOWER" => Change::Lower,
        "UPPER" => Change::Upper,
        other => {
            return Err(Refusal::violates(
                rule::CASE_CHANGE_ACTION_KNOWN,
                format!("`case_change_action` is `{other}`, expected `NONE`, `LOWER` or `UPPER`"),
            ));
        }
    };
    let sensitive = call.flag("is_case_sensitive");
    let compared = |word: &[u8]| if sensitive { word.to_vec() } else { Change::Lower.apply(word) };
    let stops: Vec<Vec<u8>> =
        call.optional_string_list("stopwords").unwrap_or_default().iter().map(|w| compared(w)).collect();
    let kept = x.tensor.strings().iter().filter(|word| !stops.contains(&compared(word)));
    let mut words: Vec<[Vec<u8>; 3]> = kept.map(|word| change.in_locales(word)).collect();
    if words.is_empty() {
        words.push(Default::default());
    }
    let mut shape = x.shape().to_vec();
    if let Some(last) = shape.last_mut() {
        *last = words.len();
    }
    let count = words.len();
    let all = |way: usize| words.iter().map(move |word| word[way].clone());
    let others = Expected::from(Tensor::from_strings(vec![2 * count], all(1).chain(all(2)).collect())?);
    let preferred = Expected::from(Tensor::from_strings(shape, all(0).collect())?);
    one(preferred.or_elements(rule::LOCALE, &others, |i| vec![i, count + i]))
}

#[derive(Clone, Copy, PartialEq)]
enum Change {
    None,
    Lower,
    Upper,
}

impl Change {
    /// Returns three results, because the result depends on the locale (`locale`): by Unicode's full case mapping, with
    /// only those letters changed that map to a single letter, and with only ASCII letters changed.
    fn in_locales(self, word: &[u8]) -> [Vec<u8>; 3] {
        let ascii = match self {
            Change::None => word.to_vec(),
            Change::Lower => word.to_ascii_lowercase(),
            Change::Upper => word.to_ascii_uppercase(),
        };
        let single = |letter: char, mut mapped: Box<dyn Iterator<Item = char>>| match (mapped.next(), mapped.next()) {
            (Some(one), None) => one,
            _ => letter,
        };
        let by_letter = std::str::from_utf8(word).map(|word| {
            let letters = word.chars().map(|letter| match self {
                Change::None => letter,
                Change::Lower => single(letter, Box::new(letter.to_lowercase())),
                Change::Upper => single(letter, Box::new(letter.to_uppercase())),
            });
            letters.collect::<String>().into_bytes()
        });
        [self.apply(word), by_letter.unwrap_or_else(|_| word.to_vec()), ascii]
    }

    /// Changes the case by Unicode's full mapping, without a locale.
    fn apply(self, word: &[u8]) -> Vec<u8> {
        match (self, std::str::from_utf8(word)) {
            (Change::Lower, Ok(word)) => word.to_lowercase().into_bytes(),
            (Change::Upper, Ok(word)) => word.to_uppercase().into_bytes(),
            _ => word.to_vec(),
        }
    }
}
