use std::collections::HashMap;

use crate::families::traditional::{certain, list, one_of, rows};
use crate::prelude::*;
use crate::steps;

/// Counts how often each n-gram of a pool occurs in each row. Tokens between those of the n-gram may be skipped.
///
/// The only version is 9. Constraints: the rank of X (`rank-one-or-two`), the mode (`mode-known`), one pool
/// (`one-pool-given`) of the type of X (`pool-type-fits`), indexes and counts that fit the pool (`n-gram-lists-fit`),
/// and weights (`weights-fit-pool`). Skips for single tokens: `skips`; n-grams that share an index:
/// `duplicate-indices`; indexes that no n-gram has: `absent-n-grams`; invalid lengths and skips:
/// `invalid-gram-lengths`.
pub fn tf_idf_vectorizer(call: &Call) -> Answer {
    let x = call.tensor("X")?;
    certain(x)?;
    let (examples, columns) = rows(x.shape(), rule::RANK_ONE_OR_TWO)?;
    let pool = Pool::read(call, x.dtype())?;
    let mode = match call.string("mode")?.as_str() {
        "TF" => Mode { truncated: false, weighted: false },
        "IDF" => Mode { truncated: true, weighted: true },
        "TFIDF" => Mode { truncated: false, weighted: true },
        other => {
            return Err(Refusal::violates(
                rule::MODE_KNOWN,
                format!("`mode` is `{other}`, expected `TF`, `IDF` or `TFIDF`"),
            ));
        }
    };
    let width = pool.indexes.iter().copied().max().map_or(0, |last| last + 1);
    let mut shape = x.shape().to_vec();
    if let Some(last) = shape.last_mut() {
        *last = width;
    }
    shape::affordable(&shape)?;
    let tokens: Vec<Vec<u8>> = tokens(&x.tensor);
    let mut numbers = Vec::new();
    for row in 0..examples {
        let counts = pool.counts(&tokens[row * columns..(row + 1) * columns]);
        let mut out = vec![Number::constant(0.0, DType::Float); width];
        for (gram, &count) in counts.iter().enumerate() {
            out[pool.indexes[gram]] = mode.value(count, pool.weights.get(gram).copied());
        }
        numbers.extend(out);
    }
    call.answer_as(DType::Float, shape, numbers)
}

struct Mode {
    truncated: bool,
    weighted: bool,
}

impl Mode {
    fn value(&self, count: u32, weight: Option<f32>) -> Number {
        let count = if self.truncated { count.min(1) } else { count };
        let count = Number::constant(f64::from(count), DType::Float);
        match weight.filter(|_| self.weighted) {
            Some(weight) => count * count.like(f64::from(weight)),
            None => count,
        }
    }
}

/// Returns each element of a tensor as bytes. Two elements have the same bytes if and only if they are equal.
fn tokens(tensor: &Tensor) -> Vec<Vec<u8>> {
    match tensor.dtype() {
        DType::String => tensor.strings().to_vec(),
        _ => tensor.to_i128s().into_iter().map(|v| v.to_be_bytes().to_vec()).collect(),
    }
}

struct Pool {
    /// Maps each n-gram to its position among all n-grams of the pool.
    grams: HashMap<Vec<Vec<u8>>, usize>,
    count: usize,
    indexes: Vec<usize>,
    weights: Vec<f32>,
    lengths: std::ops::RangeInclusive<usize>,
    skips: usize,
}

impl Pool {
    fn read(call: &Call, dtype: DType) -> Result<Pool, Refusal> {
        let given = one_of(call, &["pool_int64s", "pool_strings"], rule::ONE_POOL_GIVEN)?;
        if (dtype == DType::String) != (given == "pool_strings") {
            return Err(Refusal::violates(
                rule::POOL_TYPE_FITS,
                format!("`{given}` is given, which does not fit elements of type {dtype}"),
            ));
        }
        let pool = tokens(&list(call, given)?);
        let starts: Vec<usize> =
            call.int_list("ngram_counts")?.into_iter().map(|c| usize::try_from(c).unwrap_or(usize::MAX)).collect();
        let wrong = |what: &str| {
            Err(Refusal::violates(rule::N_GRAM_LISTS_FIT, format!("{what} a pool of {} elements", pool.len())))
        };
        let mut grams = HashMap::new();
        let mut count = 0;
        for (at, &start) in starts.iter().enumerate() {
            let (end, length) = (starts.get(at + 1).copied().unwrap_or(pool.len()), at + 1);
            if start > end || end > pool.len() || (end - start) % length != 0 {
                return wrong("`ngram_counts` do not fit");
            }
            for gram in pool[start..end].chunks(length) {
                grams.insert(gram.to_vec(), count);
                count += 1;
            }
        }
        let indexes: Vec<usize> =
            call.int_list("ngram_indexes")?.into_iter().filter_map(|i| usize::try_from(i).ok()).collect();
        if starts.first().is_some_and(|&first| first != 0) || count == 0 {
            return wrong("`ngram_counts` do not fit");
        }
        if indexes.len() != count {
            return wrong("`ngram_indexes` does not have one index for each n-gram of");
        }
        let weights = call.optional_float_list("weights").unwrap_or_default();
        if call.has_attribute("weights") && weights.len() != count {
            return Err(Refusal::violates(
                rule::WEIGHTS_FIT_POOL,
                format!("there are {} weights, expected one for each of {count} n-grams", weights.len()),
            ));
        }
        let length = |name: &str| Ok::<_, Refusal>(usize::try_from(call.int(name)?).unwrap_or(0));
        let (least, most) = (length("min_gram_length")?, length("max_gram_length")?);
        let most_skips = call.int("max_skip_count")?;
        let skips = usize::try_from(most_skips).ok();
        if least == 0 || least > most || most > starts.len() || skips.is_none() {
            return Err(Refusal::leaves_open(
                rule::INVALID_GRAM_LENGTHS,
                format!("n-grams of {least} to {most} tokens with {most_skips} skips are not possible"),
            ));
        }
        Ok(Pool { grams, count, indexes, weights, lengths: least..=most, skips: skips.unwrap_or(0) })
    }

    /// Counts the occurrences of each n-gram in a row.
    fn counts(&self, row: &[Vec<u8>]) -> Vec<u32> {
        let mut counts = vec![0; self.count];
        for length in self.lengths.clone() {
            // An n-gram of one token has no gap in which tokens could be skipped (`skips`).
            let skips = if length == 1 { 0 } else { self.skips.min(row.len()) };
            for step in 1..=skips + 1 {
                let reach = (length - 1).saturating_mul(step);
                for start in 0..row.len().saturating_sub(reach) {
                    steps::take(length);
                    let gram: Vec<Vec<u8>> = (0..length).map(|k| row[start + k * step].clone()).collect();
                    if let Some(&at) = self.grams.get(&gram) {
                        counts[at] += 1;
                    }
                }
            }
        }
        counts
    }
}
