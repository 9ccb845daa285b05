use plumbline_tensor::DType::String as Text;

use crate::families::maps::{key, map, scalars, values_of};
use crate::families::traditional::{list, one_of};
use crate::prelude::*;

/// DictVectorizer-1: each value in the place that its key has in the vocabulary. One vocabulary: `one-vocabulary-given`; of the type of the keys:
/// `vocabulary-type-fits`; with every key: `keys-in-vocabulary`. Places without a key: `missing-key`; keys listed twice: `duplicate-keys`; the shape:
/// `output-shape`.
pub fn dict_vectorizer(call: &Call) -> Answer {
    let x = call.operand("X")?;
    let (keys, items) = map(x)?;
    let given = one_of(call, &["int64_vocabulary", "string_vocabulary"], rule::ONE_VOCABULARY_GIVEN)?;
    let vocabulary = list(call, given)?;
    let of_strings = matches!(x, Operand::Map { keys: plumbline_tensor::MapKeys::Strings(_), .. });
    if of_strings != (vocabulary.dtype() == Text) {
        return Err(Refusal::violates(rule::VOCABULARY_TYPE_FITS, format!("`{given}` for {}", x.kind())));
    }
    let words: Vec<Vec<u8>> = match of_strings {
        true => vocabulary.strings().to_vec(),
        false => vocabulary.to_i64s()?.into_iter().map(key).collect(),
    };
    let mut sources = vec![None; words.len()];
    for (i, key) in keys.iter().enumerate() {
        let at = words.iter().position(|word| word == key);
        sources[at.ok_or_else(|| Refusal::violates(rule::KEYS_IN_VOCABULARY, "a key is not in the vocabulary"))?] =
            Some(i);
    }
    let dtype = values_of(x);
    let (values, zero) = (scalars(items, dtype)?, Expected::zero(dtype, rule::MISSING_KEY)?);
    one(Expected::assembled(vec![words.len()], &[&values, &zero], |i| sources[i].map_or((1, 0), |s| (0, s)))?)
}
