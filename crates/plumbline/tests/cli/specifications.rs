//! `plumbline spec show` and `plumbline spec diff`, and what changes from version to version.

use crate::Session;

fn printed(commands: &[&[&str]]) -> String {
    let mut session = Session::new();
    commands.iter().for_each(|arguments| session.run(arguments));
    session.printed()
}

/// Versions that differ in types only share a signature.
#[test]
fn show_min() {
    let text = printed(&[&["spec", "show", "Min"]]);
    insta::assert_snapshot!(text);
}

/// Optional outputs, attributes that come and go, and rules that hold for some versions.
#[test]
fn show_batch_normalization() {
    let text = printed(&[&["spec", "show", "BatchNormalization"]]);
    insta::assert_snapshot!(text);
}

/// Graph attributes, sequences and optional values.
#[test]
fn show_if() {
    let text = printed(&[&["spec", "show", "If-16"]]);
    insta::assert_snapshot!(text);
}

/// Another domain.
#[test]
fn show_scaler() {
    let text = printed(&[&["spec", "show", "ai.onnx.ml.Scaler"]]);
    insta::assert_snapshot!(text);
}

/// What programs read.
#[test]
fn show_floor_as_json() {
    let text = printed(&[&["spec", "show", "Floor-13", "--format", "json"]]);
    insta::assert_snapshot!(text);
}

#[test]
fn show_operator_of_directml() {
    let min = "DML_OPERATOR_ELEMENT_WISE_MIN";
    let text = printed(&[&["spec", "show", min], &["spec", "show", min, "--level", "2_1"]]);
    insta::assert_snapshot!(text);
}

#[test]
fn diff_of_all_versions() {
    let text =
        printed(&[&["spec", "diff", "Min"], &["spec", "diff", "BatchNormalization"], &["spec", "diff", "Shrink"]]);
    insta::assert_snapshot!(text);
}

#[test]
fn diff_of_two_versions() {
    let text = printed(&[
        &["spec", "diff", "Min", "12", "13"],
        &["spec", "diff", "Clip", "6", "13"],
        &["spec", "diff", "Min", "12", "13", "--format", "json"],
    ]);
    insta::assert_snapshot!(text);
}

#[test]
fn diff_of_feature_levels() {
    let min = "DML_OPERATOR_ELEMENT_WISE_MIN";
    let text = printed(&[&["spec", "diff", min], &["spec", "diff", min, "2_1", "5_0"]]);
    insta::assert_snapshot!(text);
}
