//! Laws of operators on strings.

use plumbline_tensor::{DType, Tensor};
use proptest::prelude::*;

use crate::compare::{differ, is, same};
use crate::draws::{cases, ints, strings};
use crate::given;

/// Returns a regular expression in RE2's syntax that matches just this text.
fn escaped(text: &str) -> String {
    text.chars().map(|c| if c.is_alphanumeric() { c.to_string() } else { format!("\\x{{{:x}}}", c as u32) }).collect()
}

/// Returns a text quoted for the programs of these tests.
fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}

fn truths(values: impl Iterator<Item = bool>) -> Tensor {
    let values: Vec<i128> = values.map(i128::from).collect();
    Tensor::from_i128s(DType::Bool, vec![values.len()], &values).unwrap()
}

proptest! {
    #![proptest_config(cases(64))]

    /// Law: RegexFullMatch
    #[test]
    fn a_literal_matches_itself(words in prop::collection::vec("[ab.*+?()|^$é\\\\ ]{0,4}", 1..=6), at in any::<prop::sample::Index>()) {
        let literal = words[at.index(words.len())].clone();
        let x = strings(&words);
        let given = given![x];
        let matched = |pattern: &str| format!("y = RegexFullMatch<pattern = {}>(x)", quoted(pattern));
        is(&matched(&escaped(&literal)), &given, truths(words.iter().map(|w| *w == literal)));
        // An alternation matches what either of its patterns matches. A pattern has to match the whole text.
        let pair = format!("{}|{}", escaped(&literal), escaped("ab"));
        is(&matched(&pair), &given, truths(words.iter().map(|w| *w == literal || w == "ab")));
        is(&matched(&format!("{}a", escaped(&literal))), &given, truths(words.iter().map(|w| *w == format!("{literal}a"))));
        is(&matched("(?s).*"), &given, truths(words.iter().map(|_| true)));
    }

    /// Law: StringConcat, StringSplit
    #[test]
    fn splitting_undoes_joining(pairs in prop::collection::vec(("[abé]{1,3}", "[abc]{1,3}"), 1..=5)) {
        let (a, b): (Vec<String>, Vec<String>) = pairs.iter().cloned().unzip();
        let joined: Vec<String> = pairs.iter().map(|(a, b)| format!("{a}{b}")).collect();
        let parts: Vec<Vec<u8>> = pairs.iter().flat_map(|(a, b)| [a, b]).map(|s| s.as_bytes().to_vec()).collect();
        let parts = Tensor::from_strings(vec![pairs.len(), 2], parts).unwrap();
        let (a, b, bar, blank) = (strings(&a), strings(&b), strings(&["|"]), strings(&[" "]));
        let given = given![a, b, bar, blank];
        is("y = StringConcat(a, b)", &given, strings(&joined));
        same("l = StringConcat(a, bar) m = StringConcat(l, b)", "r = StringConcat(bar, b) m = StringConcat(a, r)", &given);
        let counts = ints(&vec![2; pairs.len()]);
        for (mark, delimiter) in [("bar", ", delimiter = \"|\""), ("blank", "")] {
            let split = format!("l = StringConcat(a, {mark}) m = StringConcat(l, b) y, n = StringSplit<maxsplit = 3{delimiter}>(m)");
            is(&split, &given, parts.clone());
            is(&format!("{split} k = Identity(n)"), &given, counts.clone());
        }
        differ("y = StringConcat(a, b)", "y = StringConcat(b, bar)", &given);
    }

    /// Law: StringNormalizer
    #[test]
    fn normalizing_twice_is_normalizing_once(words in prop::collection::vec("[aAbB]{1,2}", 1..=6), change in prop::sample::select(vec!["NONE", "LOWER", "UPPER"]), sensitive in 0i64..=1) {
        let x = strings(&words);
        let given = given![x];
        let stops = ["a", "Bb"];
        let normalizer = |from: &str, to: &str| format!("{to} = StringNormalizer<case_change_action = \"{change}\", is_case_sensitive = {sensitive}, stopwords = [\"a\", \"Bb\"]>({from}) ");
        let dropped = |word: &str| stops.iter().any(|stop| if sensitive == 1 { *stop == word } else { stop.eq_ignore_ascii_case(word) });
        let kept: Vec<String> = words.iter().filter(|w| !dropped(w)).map(|w| match change {
            "LOWER" => w.to_lowercase(),
            "UPPER" => w.to_uppercase(),
            _ => w.clone(),
        }).collect();
        is(&normalizer("x", "y"), &given, if kept.is_empty() { strings(&[""]) } else { strings(&kept) });
        // When the first normalization changes the case of a word, the word may become a stop word, which the second
        // one drops. This cannot happen if stop words ignore case, or if the case is not changed.
        if sensitive == 0 || change == "NONE" {
            same(&format!("{}{}", normalizer("x", "y"), normalizer("y", "z")), &normalizer("x", "z"), &given);
        }
        let plain = format!("y = StringNormalizer<case_change_action = \"{change}\">(x)");
        same(&format!("{plain} z = StringNormalizer<case_change_action = \"{change}\">(y)"), &plain.replace("y =", "z ="), &given);
    }

    /// Law: TfIdfVectorizer
    #[test]
    fn counts_of_n_grams_add_up_over_texts(left in prop::collection::vec(0i64..4, 1..=6), right in prop::collection::vec(0i64..4, 1..=6), weights in prop::collection::vec(0.25f32..4.0, 5)) {
        let both = ints(&[&left[..], &right[..]].concat());
        let (a, b) = (ints(&left), ints(&right));
        // An n-gram across the border between the two texts is counted only in the joined text.
        let across = ints(&[left[left.len() - 1], right[0]]);
        let given = given![a, b, both, across];
        let count = |least: i64, from: &str, to: &str, mode: &str| format!("{to} = TfIdfVectorizer<mode = \"{mode}\", min_gram_length = {least}, max_gram_length = 2, max_skip_count = 0, \
            ngram_counts = [0, 3], ngram_indexes = [4, 0, 2, 1, 3], pool_int64s = [0, 1, 3, 0, 1, 2, 2], weights = {weights:?}>({from}) ");
        let single = |from: &str, to: &str| count(1, from, to, "TF").replace("max_gram_length = 2", "max_gram_length = 1");
        same(&single("both", "y"), &format!("{}{}y = Add(p, q)", single("a", "p"), single("b", "q")), &given);
        let pairs = format!("{}{}{}s = Add(p, q) y = Add(s, r)", count(2, "a", "p", "TF"), count(2, "b", "q", "TF"), count(2, "across", "r", "TF"));
        same(&count(2, "both", "y", "TF"), &pairs, &given);
        // In the mode TFIDF, an output is the count times the weight. In the mode IDF, it is the weight, or 0 if the
        // count is 0.
        let placed: Vec<f32> = [1usize, 3, 2, 4, 0].iter().map(|&gram| weights[gram]).collect();
        let weighted = format!("{}w = Constant<value_floats = {placed:?}>() y = Mul(c, w)", count(1, "both", "c", "TF"));
        same(&count(1, "both", "y", "TFIDF"), &weighted, &given);
        let once = weighted.replace("y = Mul(c, w)", "one = Constant<value_float = 1.0>() m = Min(c, one) y = Mul(m, w)");
        same(&count(1, "both", "y", "IDF"), &once, &given);
    }
}
