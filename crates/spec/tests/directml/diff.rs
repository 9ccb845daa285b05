//! Tests the changes between feature levels, as data and as text.

use super::{directml, operator};
use plumbline_spec::directml::FeatureLevel;

fn lines(name: &str, from: &str, to: &str) -> Vec<String> {
    let diff = directml().diff(operator(name), from.parse().unwrap(), to.parse().unwrap());
    diff.changes.iter().map(ToString::to_string).collect()
}

#[test]
fn types_and_dimension_counts_are_compared() {
    assert_eq!(
        lines("ELEMENT_WISE_MIN", "2_1", "5_0"),
        [
            "+ ATensor, BTensor, OutputTensor data types: INT64, UINT64",
            "~ ATensor, BTensor, OutputTensor dimension counts: 4 -> 1 to 8",
        ]
    );
    assert_eq!(
        lines("ELEMENT_WISE_MIN", "5_0", "2_1"),
        [
            "- ATensor, BTensor, OutputTensor data types: INT64, UINT64",
            "~ ATensor, BTensor, OutputTensor dimension counts: 1 to 8 -> 4",
        ]
    );
    assert_eq!(lines("ELEMENT_WISE_MIN", "3_0", "4_1"), Vec::<String>::new());
}

#[test]
fn added_operators_functions_and_values_are_differences() {
    assert_eq!(lines("GATHER_ND1", "2_1", "3_0"), ["+ support: 3_0"]);
    assert_eq!(lines("REDUCE", "3_1", "4_1"), ["+ ARGMIN, ARGMAX: InputTensor data types: INT64, UINT64"]);
    let values = lines("PADDING", "2_1", "3_0");
    assert!(values.contains(&"+ PaddingMode values: DML_PADDING_MODE_SYMMETRIC".to_owned()), "{values:?}");
}

#[test]
fn tensors_become_optional_but_never_required() {
    let mut found = Vec::new();
    for operator in directml().operators() {
        for pair in FeatureLevel::ALL.windows(2) {
            let diff = directml().diff(operator, pair[0], pair[1]);
            assert_eq!(diff.is_empty(), diff.to_string().ends_with("  nothing changed\n"));
            let text = diff.changes.iter().map(ToString::to_string).filter(|line| line.contains(" optional: "));
            found.extend(text.map(|line| format!("{} {}: {line}", operator.short_name(), pair[1])));
        }
    }
    assert!(!found.is_empty());
    assert!(found.iter().all(|line| line.ends_with("optional: false -> true")), "{found:?}");
}

#[test]
fn json_has_each_change_with_its_place() {
    let diff = directml().diff(operator("ELEMENT_WISE_MIN"), FeatureLevel::V2_1, FeatureLevel::V5_0);
    let value = serde_json::to_value(&diff).unwrap();
    assert_eq!((&value["from"], &value["to"]), (&"2_1".into(), &"5_0".into()));
    let change = &value["changes"][0];
    assert_eq!((&change["part"], &change["change"]), (&"data_types".into(), &"added".into()));
    assert_eq!(change["to"], serde_json::json!(["INT64", "UINT64"]));
    assert_eq!(change["fields"][2], "OutputTensor");
}
