//! Tests what `plumbline spec show` and `plumbline spec diff` print.

use crate::Session;

/// Returns what these commands print.
fn printed(commands: &[&[&str]]) -> String {
    let mut session = Session::new();
    commands.iter().for_each(|arguments| session.run(arguments));
    session.printed()
}

/// Min has versions that differ in types only and share a signature.
#[test]
fn show_prints_min() {
    let text = printed(&[&["spec", "show", "Min"]]);
    insta::assert_snapshot!(text);
}

/// BatchNormalization has optional outputs, attributes that come and go, and rules that apply to some versions only.
#[test]
fn show_prints_batch_normalization() {
    let text = printed(&[&["spec", "show", "BatchNormalization"]]);
    insta::assert_snapshot!(text);
}

/// If has graph attributes, and outputs that are sequences or optional.
#[test]
fn show_prints_if() {
    let text = printed(&[&["spec", "show", "If-16"]]);
    insta::assert_snapshot!(text);
}

/// Scaler belongs to another domain.
#[test]
fn show_prints_scaler() {
    let text = printed(&[&["spec", "show", "ai.onnx.ml.Scaler"]]);
    insta::assert_snapshot!(text);
}

/// The JSON form is for programs.
#[test]
fn show_prints_floor_as_json() {
    let text = printed(&[&["spec", "show", "Floor-13", "--format", "json"]]);
    insta::assert_snapshot!(text);
}

#[test]
fn show_prints_an_operator_of_directml() {
    let min = "DML_OPERATOR_ELEMENT_WISE_MIN";
    let text = printed(&[&["spec", "show", min], &["spec", "show", min, "--level", "2_1"]]);
    insta::assert_snapshot!(text);
}

#[test]
fn diff_prints_all_versions() {
    let text =
        printed(&[&["spec", "diff", "Min"], &["spec", "diff", "BatchNormalization"], &["spec", "diff", "Shrink"]]);
    insta::assert_snapshot!(text);
}

#[test]
fn diff_prints_two_versions() {
    let text = printed(&[
        &["spec", "diff", "Min", "12", "13"],
        &["spec", "diff", "Clip", "6", "13"],
        &["spec", "diff", "Min", "12", "13", "--format", "json"],
    ]);
    insta::assert_snapshot!(text);
}

#[test]
fn diff_prints_onnx_and_directml_side_by_side() {
    let text = printed(&[&["spec", "diff", "Floor-13", "DML_OPERATOR_ELEMENT_WISE_FLOOR"]]);
    insta::assert_snapshot!(text);
}

#[test]
fn diff_prints_feature_levels() {
    let min = "DML_OPERATOR_ELEMENT_WISE_MIN";
    let text = printed(&[&["spec", "diff", min], &["spec", "diff", min, "2_1", "5_0"]]);
    insta::assert_snapshot!(text);
}
