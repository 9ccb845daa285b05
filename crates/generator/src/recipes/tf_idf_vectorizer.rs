//! Draws rows of few different tokens, and a pool of n-grams, about half of them from the first row. The number of
//! skips goes up to the largest int64.

use crate::prelude::*;

const WORDS: [&str; 5] = ["a", "b", "", "é", "a b"];

/// Returns the integer that stands for a token. `token` is the index of the token, below 5.
fn number(dtype: DType, token: u64) -> i128 {
    let (least, most) = dtype.integer_range().unwrap_or((-2, 2));
    [0, 1, -1, most, least][token as usize]
}

/// Draws tokens and gives them as the input: words or integers. Returns each as its index among the five possible
/// tokens.
fn tokens(draw: &mut Draw, shape: &[usize]) -> Vec<u64> {
    let dtype = draw.dtype("T");
    let choices = draw.block(shape.iter().product(), 5);
    let tensor = match dtype {
        DType::String => {
            let words = choices.iter().map(|&c| WORDS[c as usize].as_bytes().to_vec()).collect();
            Tensor::from_strings(shape.to_vec(), words)
        }
        _ => {
            let numbers: Vec<i128> = choices.iter().map(|&c| number(dtype, c)).collect();
            Tensor::from_i128s(dtype, shape.to_vec(), &numbers)
        }
    };
    draw.input("X", tensor.expect("there are as many tokens as the shape has elements"));
    choices
}

/// Gives a pool of different n-grams of up to `longest` tokens, and returns how many there are. About half of them are
/// taken from `row`, if it is long enough.
fn pool(draw: &mut Draw, longest: usize, row: &[u64]) -> usize {
    let (mut tokens, mut starts, mut count) = (Vec::new(), Vec::new(), 0);
    for length in 1..=longest {
        starts.push(tokens.len() as i64);
        let mut grams: Vec<Vec<u64>> = Vec::new();
        // There is at least one n-gram of the largest length.
        let wanted = draw.range(i64::from(length == longest)..=3);
        for _ in 0..wanted {
            let gram: Vec<u64> = if row.len() >= length && draw.flag() {
                let start = draw.below(row.len() - length + 1);
                row[start..start + length].to_vec()
            } else {
                (0..length).map(|_| draw.below(5) as u64).collect()
            };
            if !grams.contains(&gram) {
                grams.push(gram);
            }
        }
        if grams.is_empty() {
            draw.feature("no n-gram of a length");
        }
        count += grams.len();
        tokens.extend(grams.into_iter().flatten());
    }
    draw.ints_attribute("ngram_counts", &starts);
    give_pool(draw, &tokens);
    count
}

fn give_pool(draw: &mut Draw, tokens: &[u64]) {
    let dtype = draw.dtype("T");
    if dtype == DType::String {
        let words: Vec<Vec<u8>> = tokens.iter().map(|&t| WORDS[t as usize].as_bytes().to_vec()).collect();
        draw.strings_attribute("pool_strings", &words);
    } else {
        let tokens: Vec<i64> = tokens.iter().map(|&token| number(dtype, token) as i64).collect();
        draw.ints_attribute("pool_int64s", &tokens);
    }
}

/// Draws `count` different indices in any order, with gaps.
fn indexes(draw: &mut Draw, count: usize) -> Vec<i64> {
    let mut all: Vec<i64> = (0..count as i64 + 2).collect();
    (0..count).map(|_| all.remove(draw.below(all.len()))).collect()
}

pub fn tf_idf_vectorizer(draw: &mut Draw) {
    let columns = draw.choose(&[3, 5, 7, 1, 0]);
    let mut shape = if draw.flag() { vec![draw.choose(&[1, 2, 3]), columns] } else { vec![columns] };
    draw.enlarge(&mut shape, 8);
    let columns = shape[shape.len() - 1];
    let all = tokens(draw, &shape);
    let longest = draw.choose(&[2, 1, 3]);
    let count = pool(draw, longest, &all[..columns.min(all.len())]);
    let indexes = indexes(draw, count);
    draw.ints_attribute("ngram_indexes", &indexes);
    let least = draw.range(1..=longest as i64);
    draw.int_attribute("min_gram_length", least);
    let most = draw.range(least..=longest as i64);
    draw.int_attribute("max_gram_length", most);
    let skips = draw.choose(&[0, 1, 2, 5, i64::MAX]);
    if skips == i64::MAX {
        draw.feature("any number of skips");
    }
    draw.int_attribute("max_skip_count", skips);
    let mode = draw.choose(&["TF", "IDF", "TFIDF"]);
    draw.string_attribute("mode", mode);
    if draw.give_attribute("weights") {
        let weights = draw.elements(DType::Float, &[count], Values::Moderate).to_f64s();
        draw.floats_attribute("weights", &weights.into_iter().map(|w| w as f32).collect::<Vec<_>>());
    }
}

/// Gives a valid case and removes these attributes.
fn without(draw: &mut Draw, names: &[&str]) {
    tf_idf_vectorizer(draw);
    draw.attributes.retain(|a| !a.name.as_deref().is_some_and(|name| names.contains(&name)));
}

pub fn rank_one_or_two(draw: &mut Draw) {
    tf_idf_vectorizer(draw);
    let dtype = draw.dtype("T");
    let x = draw.elements(dtype, &[1, 2, 2], Values::Integers);
    draw.replace_last_input(x);
}

pub fn mode_known(draw: &mut Draw) {
    without(draw, &["mode"]);
    draw.string_attribute("mode", "BM25");
}

pub fn one_pool_given(draw: &mut Draw) {
    without(draw, &["pool_int64s", "pool_strings"]);
    if draw.way(2) == 1 {
        draw.ints_attribute("pool_int64s", &[1]);
        draw.strings_attribute("pool_strings", &[b"a".to_vec()]);
    }
}

pub fn pool_type_fits(draw: &mut Draw) {
    let strings = draw.dtype("T") == DType::String;
    let names = ["pool_int64s", "pool_strings"];
    tf_idf_vectorizer(draw);
    let length = draw.attributes.iter().find(|a| a.name.as_deref().is_some_and(|n| names.contains(&n)));
    let length = length.map_or(1, |a| a.ints.len().max(a.strings.len()));
    draw.attributes.retain(|a| !a.name.as_deref().is_some_and(|name| names.contains(&name)));
    if strings {
        draw.ints_attribute("pool_int64s", &vec![1; length]);
    } else {
        draw.strings_attribute("pool_strings", &vec![b"a".to_vec(); length]);
    }
}

/// Returns the length of an INTS attribute, or 0 if it is not given.
fn given_ints(draw: &Draw, name: &str) -> usize {
    draw.attributes.iter().find(|a| a.name.as_deref() == Some(name)).map_or(0, |a| a.ints.len())
}

pub fn n_gram_lists_fit(draw: &mut Draw) {
    let way = draw.way(3);
    if way == 2 {
        without(draw, &[]);
        let less = draw.under(0);
        let indexes = draw.attributes.iter_mut().find(|a| a.name.as_deref() == Some("ngram_indexes"));
        return indexes.and_then(|a| a.ints.first_mut()).into_iter().for_each(|index| *index = less);
    }
    if way == 1 {
        without(draw, &[]);
        let count = given_ints(draw, "ngram_indexes");
        draw.attributes.retain(|a| !["ngram_indexes", "weights"].contains(&a.name.as_deref().unwrap_or_default()));
        let count = draw.other_extent(count) as i64;
        draw.ints_attribute("ngram_indexes", &(0..count).collect::<Vec<_>>());
    } else {
        without(draw, &["ngram_counts"]);
        draw.ints_attribute("ngram_counts", &[0, 500, 500]);
    }
}

pub fn weights_fit_pool(draw: &mut Draw) {
    without(draw, &["weights"]);
    let count = given_ints(draw, "ngram_indexes");
    let count = draw.other_extent(count);
    draw.floats_attribute("weights", &vec![0.5; count]);
}
