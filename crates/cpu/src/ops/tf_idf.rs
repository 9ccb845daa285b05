//! TfIdfVectorizer, which counts n-grams.

use std::collections::HashMap;

use plumbline_tensor::DType;

use crate::array::{Array, affordable};
use crate::node::{Node, Operator, Outputs, one};
use plumbline_graph::Refusal;

pub const OPERATORS: &[(&str, Operator)] = &[("TfIdfVectorizer", tf_idf_vectorizer)];

/// An element of the input: a string or an integer.
#[derive(Clone, PartialEq, Eq, Hash)]
enum Token {
    Text(Vec<u8>),
    Number(i64),
}

fn tokens(x: &Array) -> Result<Vec<Token>, Refusal> {
    Ok(match x.dtype() {
        DType::String => x.strings().iter().cloned().map(Token::Text).collect(),
        _ => x.to_i64s()?.into_iter().map(Token::Number).collect(),
    })
}

/// Returns the pool of the node, which must fit the element type of the input: strings or integers.
fn pool(node: &Node, dtype: DType) -> Result<Vec<Token>, Refusal> {
    let (numbers, texts) = (node.ints("pool_int64s"), node.given("pool_strings"));
    match (numbers, texts, dtype) {
        (None, Some(texts), DType::String) => Ok(texts.strings.iter().cloned().map(Token::Text).collect()),
        (Some(numbers), None, DType::Int32 | DType::Int64) => Ok(numbers.iter().copied().map(Token::Number).collect()),
        _ => Err(Refusal::invalid(format!("exactly one pool has to be given, of a kind that fits {dtype}"))),
    }
}

/// Returns an attribute that is a list of counts.
fn counts(node: &Node, name: &str) -> Result<Vec<usize>, Refusal> {
    let list = node.ints(name).unwrap_or_default();
    let count = |&n: &i64| {
        usize::try_from(n).map_err(|_| Refusal::invalid(format!("`{name}` is {list:?}, expected numbers of 0 or more")))
    };
    list.iter().map(count).collect()
}

fn count(node: &Node, name: &str) -> Result<usize, Refusal> {
    usize::try_from(node.int(name))
        .map_err(|_| Refusal::invalid(format!("`{name}` is {}, expected 0 or more", node.int(name))))
}

/// Returns a map from each n-gram of a pool to its index among the n-grams, and how many n-grams the pool has. The
/// n-grams of one token start at `starts[0]`, those of two tokens at `starts[1]`, and so on.
fn grams<'p>(pool: &'p [Token], starts: &[usize]) -> Result<(HashMap<&'p [Token], usize>, usize), Refusal> {
    let wrong = || Refusal::invalid(format!("`ngram_counts` {starts:?} do not fit a pool of {} elements", pool.len()));
    let ends = starts.iter().skip(1).copied().chain([pool.len()]);
    let mut grams = HashMap::new();
    let mut number = 0;
    for (at, (&start, end)) in starts.iter().zip(ends).enumerate() {
        let part = pool.get(start..end).filter(|part| part.len().is_multiple_of(at + 1)).ok_or_else(wrong)?;
        for gram in part.chunks(at + 1) {
            grams.insert(gram, number);
            number += 1;
        }
    }
    if starts.first() == Some(&0) { Ok((grams, number)) } else { Err(wrong()) }
}

fn tf_idf_vectorizer(node: &Node) -> Outputs {
    let x = node.input(0)?;
    let Some((&columns, outer)) = x.shape().split_last().filter(|(_, outer)| outer.len() <= 1) else {
        return Err(Refusal::invalid(format!("`X` has shape {:?}, expected rank 1 or 2", x.shape())));
    };
    let (pool, starts, places) =
        (pool(node, x.dtype())?, counts(node, "ngram_counts")?, counts(node, "ngram_indexes")?);
    let (grams, known) = grams(&pool, &starts)?;
    let weights =
        if node.given("weights").is_some() { node.floats("weights").to_vec() } else { vec![1.0; places.len()] };
    let lengths = (count(node, "min_gram_length")?, count(node, "max_gram_length")?, count(node, "max_skip_count")?);
    let (least, most, skipped) = lengths;
    let Some(width) = places.iter().max().map(|last| last.saturating_add(1)) else {
        return Err(Refusal::invalid("`ngram_indexes` is empty"));
    };
    if places.len() != known || weights.len() != places.len() || !(1..=most).contains(&least) || most > starts.len() {
        return Err(Refusal::invalid(format!(
            "there are {} indexes and {} weights, and (`min_gram_length`, `max_gram_length`, `max_skip_count`) is \
             {lengths:?}; these do not fit each other or the pool",
            places.len(),
            weights.len()
        )));
    }
    let (limit, weighted) = match node.string("mode")? {
        "TF" => (f32::INFINITY, false),
        "IDF" => (1.0, true),
        "TFIDF" => (f32::INFINITY, true),
        other => return Err(Refusal::invalid(format!("`mode` is `{other}`, expected `TF`, `IDF` or `TFIDF`"))),
    };
    let shape = [outer, &[width]].concat();
    let mut out = vec![0f32; affordable(&shape)?];
    for (row, out) in tokens(x)?.chunks(columns.max(1)).zip(out.chunks_mut(width)) {
        for length in least..=most {
            // An n-gram of one token has no gaps, so a larger step would only count it again.
            for step in 1..=if length == 1 { 1 } else { skipped.min(row.len()) + 1 } {
                for start in 0..row.len().saturating_sub((length - 1) * step) {
                    let gram: Vec<Token> = row[start..].iter().step_by(step).take(length).cloned().collect();
                    if let Some(&number) = grams.get(&gram[..]) {
                        out[places[number]] += 1.0;
                    }
                }
            }
        }
        for &number in grams.values() {
            let factor = if weighted { weights[number] } else { 1.0 };
            out[places[number]] = out[places[number]].min(limit) * factor;
        }
    }
    one(Array::from_elements(DType::Float, &shape, &out)?)
}
