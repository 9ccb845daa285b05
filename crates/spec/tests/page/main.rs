//! Tests that pages of documentation are read in every form, and that every fact on them is compared. The fixtures
//! imitate such pages; their text is neither ONNX's nor Microsoft's.

#![allow(clippy::unwrap_used, reason = "a failure here is a failed test")]

mod directml;
mod render;

use plumbline_spec::Spec;
use plumbline_spec::directml::DirectMl;
use plumbline_spec::page::{Comparison, PageError};
use render::{Form, page};
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

fn fixture(name: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/pages").join(name);
    fs::read_to_string(path).unwrap()
}

const ONNX: [&str; 5] =
    ["min_tables.rst", "leaky_relu_escaped.rst", "floor.txt", "map_types.md", "upsample_deprecated.txt"];

fn try_compare(text: &str) -> Result<Comparison, PageError> {
    plumbline_spec::page::compare(text, Spec::embedded(), DirectMl::embedded())
}

fn compare(text: &str) -> Comparison {
    try_compare(text).unwrap()
}

/// Returns the disagreements as text.
fn disagreements(text: &str) -> Vec<String> {
    compare(text).disagreements.iter().map(ToString::to_string).collect()
}

/// Returns the rows of a table of `changes.toml`: a page, what is changed on it, the changed page, and what that gives.
fn changes(table: &str) -> Vec<[String; 4]> {
    let mut tables: BTreeMap<String, Vec<[String; 4]>> = toml::from_str(&fixture("changes.toml")).unwrap();
    let rows = tables.remove(table).unwrap().into_iter().map(|[name, from, to, expected]| {
        let text = fixture(&name);
        assert!(text.contains(&from), "{name}: {from}");
        [name, format!("{from} -> {to}"), text.replacen(&from, &to, 1), expected]
    });
    rows.collect()
}

#[test]
fn every_form_is_read_and_agrees() {
    let compared = ONNX.map(|name| {
        let text = fixture(name);
        assert_eq!(disagreements(&text), Vec::<String>::new(), "{name}");
        compare(&text).compared.join(" ")
    });
    assert_eq!(
        compared,
        ["Min-8 Min-6", "LeakyRelu-16 LeakyRelu-6", "Floor-6 Floor-1", "ai.onnx.ml.DictVectorizer-1", "Upsample-10"]
    );
    // The page of an older release has fewer versions. That is reported, but it is not a disagreement.
    assert_eq!(compare(&fixture("floor.txt")).not_on_page, ["Floor-13"]);
}

#[test]
fn every_kind_of_fact_is_compared() {
    let mut wrong = Vec::new();
    for [name, change, mut text, expected] in changes("disagreements") {
        // A page without a name may be taken for another operator, unless no operator is expected.
        if name == "directml_min.md" && !expected.contains("the page:") {
            text += "\n# DML_ELEMENT_WISE_MIN_OPERATOR_DESC\n";
        }
        let found = disagreements(&text);
        if !found.contains(&expected) {
            wrong.push(format!("{name}: {change}: not {expected}, but {found:#?}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn sections_that_are_missing_are_disagreements() {
    let floor = fixture("floor.txt");
    for section in ["Attributes", "Inputs", "Outputs", "Type Constraints"] {
        let from = floor.rfind(&format!("### {section}")).unwrap();
        let to = floor[from + 1..].find("### ").map_or(floor.len(), |next| from + 1 + next);
        let text = format!("{}{}", &floor[..from], &floor[to..]);
        assert_eq!(disagreements(&text).len(), 1, "{section}: {:#?}", disagreements(&text));
    }
}

#[test]
fn broken_pages_are_rejected_with_the_line() {
    for [name, change, text, expected] in changes("errors") {
        let found = try_compare(&text).unwrap_err().to_string();
        assert!(found.starts_with(&expected), "{name}: {change}: {found}");
    }
    for text in ["", "\n\n", "Min", "# Min - 13", "Min - 13\n=====", "Min - 13\n\nSummary\n\nText", "\u{0}\u{1}", "&"] {
        assert_eq!(try_compare(text), Err(PageError::NoVersions), "{text:?}");
    }
    assert_eq!(try_compare("## Remarks\nDML_TENSOR_DESC\n"), Err(PageError::NoOperator));
}

#[test]
fn no_page_makes_the_reader_panic() {
    for name in ONNX.into_iter().chain(["directml_min.md", "directml_join.md"]) {
        let text = fixture(name);
        let lines: Vec<&str> = text.lines().collect();
        let attempt = |text: &str| drop(try_compare(text).map(|found| format!("{:?}", found.disagreements)));
        for end in (0..text.len()).step_by(13).filter(|&end| text.is_char_boundary(end)) {
            attempt(&text[..end]);
            attempt(&text[end..]);
        }
        for index in 0..lines.len() {
            let without = [&lines[..index], &lines[index + 1..]].concat().join("\n");
            attempt(&without);
            attempt(&[&lines[..=index], &lines[index..]].concat().join("\n"));
        }
        for character in ["(", ")", "* ", ":", "&#55296;", "\u{a0}é", "\r\n"] {
            for index in 0..lines.len() {
                let mut changed: Vec<String> = lines.iter().map(ToString::to_string).collect();
                let middle =
                    (0..=changed[index].len() / 2).rev().find(|&at| lines[index].is_char_boundary(at)).unwrap();
                changed[index].insert_str(middle, character);
                attempt(&changed.join("\n"));
            }
        }
    }
}

#[test]
fn a_page_about_any_operator_agrees_in_any_form() {
    for operator in Spec::embedded().operators() {
        for form in [Form::Rst, Form::Markdown, Form::Text] {
            let text = page(operator, form);
            let comparison = compare(&text);
            assert_eq!(comparison.disagreements, [], "{form:?}\n{text}");
            assert_eq!(comparison.not_on_page, Vec::<String>::new(), "{form:?}\n{text}");
        }
    }
}

#[test]
fn a_page_about_another_version_disagrees_where_the_versions_differ() {
    // Each page has the heading of one version and the facts of the next: for example, `Clip - 6` with the facts of
    // Clip-11. There must be a disagreement if the two versions differ in something that a page shows, and none
    // otherwise.
    for operator in Spec::embedded().operators() {
        for pair in operator.versions.windows(2) {
            let diff = plumbline_spec::SpecDiff::between(&pair[0], &pair[1], None);
            // A page shows neither `min_arity` nor `deterministic`.
            let visible = diff
                .changes
                .iter()
                .filter(|change| change.name != "deterministic" && !matches!(change.field, Some("min_arity")));
            let mut wrong = pair[1].clone();
            wrong.since = pair[0].since;
            wrong.id.since = pair[0].since;
            let mut text = String::new();
            Form::Rst.version(&wrong, &mut text).unwrap();
            let found = !compare(&text).disagreements.is_empty();
            assert_eq!(found, visible.count() > 0, "{} as {}: {diff}", pair[1].id, pair[0].id);
        }
    }
}
