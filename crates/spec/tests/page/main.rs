//! Tests that pages of ONNX's documentation are read in every form, and that every fact on them is compared.

#![allow(clippy::unwrap_used, reason = "a failure here is a failed test")]

mod render;

use plumbline_spec::Spec;
use plumbline_spec::page::{Comparison, Page, PageError};
use render::{Form, page};
use std::fs;
use std::path::Path;

fn fixture(name: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/pages").join(name);
    fs::read_to_string(path).unwrap()
}

const FIXTURES: [&str; 5] =
    ["min_tables.rst", "leaky_relu_escaped.rst", "floor.txt", "map_types.md", "upsample_deprecated.txt"];

fn compare(text: &str) -> Comparison {
    Page::parse(text).unwrap().compare(Spec::embedded())
}

/// Returns the disagreements as text.
fn disagreements(text: &str) -> Vec<String> {
    compare(text).disagreements.iter().map(ToString::to_string).collect()
}

#[test]
fn every_form_is_read_and_agrees() {
    let compared = FIXTURES.map(|name| {
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
    let cases = [
        // Properties.
        ("floor.txt", "since_version: 6", "since_version: 7", "11: Floor-6: since_version: 7 on the page, 6 in specs"),
        ("floor.txt", "function: False", "function: True", "13: Floor-6: function: true on the page, false in specs"),
        (
            "floor.txt",
            ".COMMON",
            ".EXPERIMENTAL",
            "15: Floor-6: support_level: experimental on the page, common in specs",
        ),
        (
            "floor.txt",
            "inference: True",
            "inference: False",
            "17: Floor-6: shape inference: false on the page, true in specs",
        ),
        ("floor.txt", "been available", "been deprecated", "19: Floor-6: deprecated: true on the page, false in specs"),
        ("floor.txt", "## Floor - 6", "## Floor - 7", "3: Floor-7: exists: yes on the page, nothing in specs"),
        ("floor.txt", "## Floor - 6", "## Flooor - 6", "3: Flooor-6: exists: yes on the page, nothing in specs"),
        (
            "floor.txt",
            "domain: main",
            "domain: ai.onnx.ml",
            "3: ai.onnx.ml.Floor-6: exists: yes on the page, nothing in specs",
        ),
        (
            "floor.txt",
            "## Floor - 1",
            "## Floor - 6",
            "43: Floor-6: blocks: a second block on the page, one version in specs",
        ),
        // Inputs and outputs.
        ("floor.txt", "• X (", "• x (", "25: Floor-6: input X: nothing on the page, present in specs"),
        ("floor.txt", "• X (", "• x (", "27: Floor-6: input x: present on the page, nothing in specs"),
        (
            "floor.txt",
            "X (heterogeneous)",
            "X (optional, heterogeneous)",
            "27: Floor-6: input X option: optional on the page, single in specs",
        ),
        (
            "floor.txt",
            "X (heterogeneous)",
            "X",
            "27: Floor-6: input X homogeneous (printed as `heterogeneous`): false on the page, true in specs",
        ),
        (
            "floor.txt",
            "• Y (heterogeneous) - T:",
            "• Y (heterogeneous) - tensor(int8):",
            "33: Floor-6: output Y type: tensor(int8) on the page, T in specs",
        ),
        (
            "min_tables.rst",
            "Between 1 and 2147483647",
            "Between 2 and 2147483647",
            "37: Min-8: number of inputs: 2 to 2147483647 on the page, 1 to 2147483647 in specs",
        ),
        (
            "min_tables.rst",
            "Between 1 and 2147483647 inputs.",
            "",
            "35: Min-8: number of inputs: a single number on the page, 1 to 2147483647 in specs",
        ),
        (
            "upsample_deprecated.txt",
            "X (hetero",
            "scales (hetero",
            "33: Upsample-10: input scales position: 0 on the page, 1 in specs",
        ),
        // Attributes.
        (
            "floor.txt",
            "consumed_inputs - INTS :",
            "consumed_inputs - INT :",
            "67: Floor-1: attribute consumed_inputs type: INT on the page, INTS in specs",
        ),
        (
            "floor.txt",
            "INTS :",
            "INTS (required) :",
            "67: Floor-1: attribute consumed_inputs required: true on the page, false in specs",
        ),
        (
            "floor.txt",
            "INTS :",
            "INTS (default is ['1']):",
            "67: Floor-1: attribute consumed_inputs default: ['1'] on the page, nothing in specs",
        ),
        (
            "floor.txt",
            "consumed_inputs",
            "used",
            "65: Floor-1: attribute consumed_inputs: nothing on the page, present in specs",
        ),
        ("floor.txt", "consumed_inputs", "used", "67: Floor-1: attribute used: present on the page, nothing in specs"),
        (
            "upsample_deprecated.txt",
            "'nearest'",
            "'linear'",
            "27: Upsample-10: attribute mode default: 'linear' on the page, \"nearest\" in specs",
        ),
        (
            "leaky_relu_escaped.rst",
            "&#39;0.01&#39;",
            "&#39;0.02&#39;",
            "24: LeakyRelu-16: attribute alpha default: '0.02' on the page, 0.01 in specs",
        ),
        (
            "leaky_relu_escaped.rst",
            " f: 0.0099",
            " f: 0.0098",
            "64: LeakyRelu-6: attribute alpha default: 0.009899999776482582 on the page, 0.01 in specs",
        ),
        (
            "leaky_relu_escaped.rst",
            " type: FLOAT`",
            " type: INT`",
            "64: LeakyRelu-6: attribute alpha type: INT on the page, FLOAT in specs",
        ),
        // Types.
        (
            "floor.txt",
            "tensor(double), ",
            "",
            "39: Floor-6: types of T, those that differ: nothing on the page, tensor(double) in specs",
        ),
        (
            "floor.txt",
            "tensor(double), ",
            "tensor(double), tensor(float128), ",
            "39: Floor-6: types of T, those that differ: tensor(float128) on the page, nothing in specs",
        ),
        ("floor.txt", "• T in", "• U in", "37: Floor-6: type variable T: nothing on the page, present in specs"),
        ("floor.txt", "• T in", "• U in", "39: Floor-6: type variable U: present on the page, nothing in specs"),
        (
            "map_types.md",
            "`map(string, int64)`",
            "`map(string,int64)`, `map(string, bool)`",
            "50: ai.onnx.ml.DictVectorizer-1: types of T1, those that differ: map(string, bool) on the page, nothing in specs",
        ),
    ];
    let mut wrong = Vec::new();
    for (name, from, to, expected) in cases {
        let text = fixture(name);
        assert!(text.contains(from), "{name}: {from}");
        let found = disagreements(&text.replacen(from, to, 1));
        if !found.contains(&expected.to_owned()) {
            wrong.push(format!("{name}: {from}: not {expected}, but {found:#?}"));
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
    let cases = [
        ("floor.txt", "since_version: 6", "since_version: six", "line 11: `six` is not a version"),
        (
            "floor.txt",
            "since_version: 6",
            "version: 6",
            "line 3: the section `Version` of Floor - 6 has no `since_version`",
        ),
        ("floor.txt", "function: False", "function: No", "line 13: found `No`, expected True or False"),
        (
            "floor.txt",
            "X (heterogeneous)",
            "X (several)",
            "line 27: `several` is not a known option of an input or output",
        ),
        (
            "floor.txt",
            "X (heterogeneous) - T:",
            "X (heterogeneous), T:",
            "line 25: this section lists nothing of the form `name (options) - type:`",
        ),
        (
            "floor.txt",
            "consumed_inputs - INTS :",
            "consumed inputs",
            "line 65: this section lists nothing of the form `name - TYPE (default is ...):`",
        ),
        (
            "floor.txt",
            "T in ( tensor(double)",
            "T in tensor(double)",
            "line 37: this section lists nothing of the form `T in (...)`",
        ),
        ("floor.txt", "tensor(float16) ):", "tensor(float16", "line 39: the types of T have no closing parenthesis"),
        ("floor.txt", "tensor(double), tensor(float), tensor(float16) ", "", "line 39: T has no types"),
        ("floor.txt", "### Outputs", "### Inputs", "line 31: a second section `Inputs` in Floor - 6"),
        ("min_tables.rst", "1 and 2147483647", "1 and 21474836470", "line 37: 21474836470 does not fit in 32 bits"),
    ];
    for (name, from, to, expected) in cases {
        let text = fixture(name);
        assert!(text.contains(from), "{name}: {from}");
        assert_eq!(Page::parse(&text.replacen(from, to, 1)).unwrap_err().to_string(), expected);
    }
    for text in ["", "\n\n", "Min", "# Min - 13", "Min - 13\n=====", "Min - 13\n\nSummary\n\nText", "\u{0}\u{1}", "&"] {
        assert_eq!(Page::parse(text), Err(PageError::NoVersions), "{text:?}");
    }
}

#[test]
fn no_page_makes_the_reader_panic() {
    for name in FIXTURES {
        let text = fixture(name);
        let lines: Vec<&str> = text.lines().collect();
        let attempt = |text: &str| {
            if let Ok(page) = Page::parse(text) {
                let comparison = page.compare(Spec::embedded());
                comparison.disagreements.iter().for_each(|disagreement| drop(disagreement.to_string()));
            }
        };
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
