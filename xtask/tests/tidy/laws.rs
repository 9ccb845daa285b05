//! Every operator has a law that a test checks, or a reason for having none.

use std::collections::{BTreeMap, BTreeSet};

use plumbline_spec::Spec;

use crate::{files, has_extension, none, root, short, text};

/// The operators without a law, with the reasons.
const WITHOUT: &[(&str, &str)] = &[
    ("Bernoulli", "random: judged by its distribution (random/goodness_of_fit.rs)"),
    ("Multinomial", "random: judged by its distribution (random/goodness_of_fit.rs)"),
    ("RandomNormal", "random: judged by its distribution (random/goodness_of_fit.rs)"),
    ("RandomNormalLike", "random: judged by its distribution (random/goodness_of_fit.rs)"),
    ("RandomUniform", "random: judged by its distribution (random/goodness_of_fit.rs)"),
    ("RandomUniformLike", "random: judged by its distribution (random/goodness_of_fit.rs)"),
];

/// Returns the names by which a law may name an operator: with its domain, and without it.
fn operators() -> BTreeMap<String, Vec<String>> {
    let mut found: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for operator in Spec::embedded().operators() {
        let names: BTreeSet<String> = [operator.name.clone(), operator.qualified_name()].into();
        names.into_iter().for_each(|name| found.entry(name).or_default().push(operator.qualified_name()));
    }
    found
}

/// Returns the operators that `/// Law:` lines name, with the places of these lines. Adds a problem for each line
/// without `#[test]` on the next line, and for each name that is not an operator or does not occur in the code of the
/// file.
fn laws(problems: &mut Vec<String>) -> BTreeMap<String, BTreeSet<String>> {
    let operators = operators();
    let mut found: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for path in files(&root().join("crates/oracle/tests")).into_iter().filter(|p| has_extension(p, "rs")) {
        let text = text(&path);
        let lines: Vec<&str> = text.lines().map(str::trim).collect();
        let is_law = |line: &&&str| line.starts_with("/// Law:");
        let code: Vec<&str> = lines.iter().filter(|line| !is_law(line)).copied().collect();
        let words: BTreeSet<&str> =
            code.iter().flat_map(|l| l.split(|c: char| !c.is_ascii_alphanumeric() && c != '_')).collect();
        for (at, line) in lines.iter().enumerate().filter(|(_, line)| is_law(line)) {
            let place = format!("{}:{}", short(&path), at + 1);
            if lines.get(at + 1) != Some(&"#[test]") {
                problems.push(format!("{place}: a `/// Law:` line must be followed by `#[test]`"));
            }
            for name in line["/// Law:".len()..].split(',').map(str::trim) {
                let bare = name.rsplit('.').next().unwrap_or(name);
                match operators.get(name).map(Vec::as_slice).filter(|_| words.contains(bare)) {
                    Some([one]) => _ = found.entry(one.clone()).or_default().insert(place.clone()),
                    Some(_) => problems.push(format!("{place}: several domains have `{name}`; write the domain, too")),
                    None => problems.push(format!("{place}: `{name}` is not an operator that this file runs")),
                }
            }
        }
    }
    found
}

#[test]
fn every_operator_has_a_law_or_a_reason() {
    let mut problems = Vec::new();
    let laws = laws(&mut problems);
    let covered = Spec::embedded().operators().filter(|operator| operator.is_covered());
    let operators: BTreeSet<String> = covered.map(|o| o.qualified_name()).collect();
    let without: BTreeMap<&str, &str> = WITHOUT.iter().copied().collect();
    for name in &operators {
        match (laws.get(name), without.get(name.as_str())) {
            (None, None) => problems.push(format!("{name}: no test states a law of it, and no reason is given")),
            (Some(places), Some(_)) => {
                problems.push(format!("{name}: has a reason for having no law, but there is a law in {places:?}"))
            }
            _ => {}
        }
    }
    problems.extend(
        without.keys().filter(|name| !operators.contains(**name)).map(|name| format!("{name}: is not an operator")),
    );
    problems.extend(
        without.iter().filter(|(_, why)| why.is_empty()).map(|(name, _)| format!("{name}: the reason is empty")),
    );
    none(
        problems,
        "Every operator has a law (`/// Law: And, Or` before a test of crates/oracle/tests), or a reason in `WITHOUT`.",
    );
}
