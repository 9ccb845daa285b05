use plumbline_tensor::DType::String as Text;

use crate::families::maps::{key, map, scalars, values_of};
use crate::families::traditional::{list, one_of};
use crate::prelude::*;

/// Converts a map to a tensor of rank 1 that holds each value at the position of its key in the vocabulary.
///
/// The only version is 1. Constraints: exactly one vocabulary is given (`one-vocabulary-given`), it has the type of the
/// keys (`vocabulary-type-fits`), and it contains every key (`keys-in-vocabulary`). Positions without a key:
/// `missing-key`; keys that the vocabulary lists twice: `duplicate-keys`; the rank of the output: `output-shape`.
pub fn dict_vectorizer(call: &Call) -> Answer {
    let x = call.operand("X")?;
    let (keys, items) = map(x)?;
    let given = one_of(call, &["int64_vocabulary", "string_vocabulary"], rule::ONE_VOCABULARY_GIVEN)?;
    let vocabulary = list(call, given)?;
    let of_strings = matches!(x, Operand::Map { keys: plumbline_tensor::MapKeys::Strings(_), .. });
    if of_strings != (vocabulary.dtype() == Text) {
        return Err(Refusal::violates(
            rule::VOCABULARY_TYPE_FITS,
            format!("`{given}` is given, which does not fit the keys of {}", x.kind()),
        ));
    }
    let words: Vec<Vec<u8>> = match of_strings {
        true => vocabulary.strings().to_vec(),
        false => vocabulary.to_i64s()?.into_iter().map(key).collect(),
    };
    let mut sources = vec![None; words.len()];
    for (i, key) in keys.iter().enumerate() {
        let places: Vec<usize> = (0..words.len()).filter(|&place| words[place] == *key).collect();
        let chosen = match &places[..] {
            [] => return Err(Refusal::violates(rule::KEYS_IN_VOCABULARY, "a key of the map is not in the vocabulary")),
            [_] => &places[..],
            [.., _] => match call.reading(rule::DUPLICATE_KEYS, 3) {
                0 => &places[..1],
                1 => &places[places.len() - 1..],
                _ => &places[..],
            },
        };
        chosen.iter().for_each(|&place| sources[place] = Some(i));
    }
    let dtype = values_of(x);
    let (values, zero) = (scalars(items, dtype)?, Expected::zero(dtype, rule::MISSING_KEY)?);
    one(Expected::assembled(vec![words.len()], &[&values, &zero], |i| sources[i].map_or((1, 0), |s| (0, s)))?)
}
