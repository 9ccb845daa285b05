use plumbline_tensor::DType::String as Text;

use crate::families::maps::{key, map, scalars, values_of};
use crate::families::traditional::{list, one_of};
use crate::prelude::*;

/// DictVectorizer-1: each value in the place that its key has in the vocabulary. One vocabulary: C1; of the type of the keys: C2; with every
/// key: C3. Places without a key: B1; keys listed twice: B2; the shape: B3.
pub fn dict_vectorizer(call: &Call) -> Answer {
    let x = call.operand("X")?;
    let (keys, items) = map(x)?;
    let given = one_of(call, &["int64_vocabulary", "string_vocabulary"], C1)?;
    let vocabulary = list(call, given)?;
    let of_strings = matches!(x, Operand::Map { keys: plumbline_tensor::MapKeys::Strings(_), .. });
    if of_strings != (vocabulary.dtype() == Text) {
        return Err(Refusal::violates(C2, format!("`{given}` for {}", x.kind())));
    }
    let words: Vec<Vec<u8>> = match of_strings {
        true => vocabulary.strings().to_vec(),
        false => vocabulary.to_i64s()?.into_iter().map(key).collect(),
    };
    let mut sources = vec![None; words.len()];
    for (i, key) in keys.iter().enumerate() {
        let at = words.iter().position(|word| word == key);
        sources[at.ok_or_else(|| Refusal::violates(C3, "a key is not in the vocabulary"))?] = Some(i);
    }
    let dtype = values_of(x);
    let (values, zero) = (scalars(items, dtype)?, Expected::zero(dtype, B1)?);
    one(Expected::assembled(vec![words.len()], &[&values, &zero], |i| sources[i].map_or((1, 0), |s| (0, s)))?)
}
