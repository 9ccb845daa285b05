//! Tests the changes between versions, as data and as text.

#![allow(clippy::unwrap_used, reason = "a failure here is a failed test")]

use plumbline_spec::{Part, Spec, SpecDiff, What};

fn lines(operator: &str, from: u32, to: u32) -> Vec<String> {
    let operator = Spec::embedded().find(operator).unwrap().operator();
    operator.diff(from, to).unwrap().changes.iter().map(ToString::to_string).collect()
}

#[test]
fn added_types_are_a_difference() {
    let diff = Spec::embedded().operator("", "Min").unwrap().diff(12, 13).unwrap();
    assert_eq!(diff.to_string(), "Min-12 to Min-13\n  + types T: tensor(bfloat16)\n");
    assert_eq!(diff.changes[0].part, Part::Types);
    assert!(matches!(diff.changes[0].what, What::Added { .. }));
}

#[test]
fn changed_rules_are_differences() {
    let text = lines("Min", 6, 8);
    assert!(text[0].starts_with("- constraint shapes-equal: "), "{text:?}");
    assert!(text[1].starts_with("+ constraint shapes-broadcast: "), "{text:?}");
    // Both versions have a rule `signed-zero`, with different meanings.
    assert!(
        lines("Floor", 6, 13).iter().any(|line| line.starts_with("~ behaviour signed-zero: ")),
        "{:?}",
        lines("Floor", 6, 13)
    );
}

#[test]
fn a_constraint_that_says_the_same_is_no_difference() {
    let mut count = 0;
    for operator in Spec::embedded().operators() {
        let versions: Vec<u32> = operator.versions.iter().map(|version| version.id.since).collect();
        let pairs = versions.iter().flat_map(|from| versions.iter().map(move |to| (*from, *to)));
        for (from, to) in pairs.filter(|(from, to)| from < to) {
            for change in operator.diff(from, to).unwrap().changes.iter().filter(|c| c.part == Part::Constraint) {
                if let What::Changed { from, to } = &change.what {
                    assert_ne!(from["text"], to["text"], "{change}");
                    count += 1;
                }
            }
        }
    }
    assert!(count > 100, "{count} constraints change");
}

#[test]
fn attributes_and_defaults_are_compared() {
    let text = lines("Clip", 1, 6);
    assert!(text.contains(&"- attribute consumed_inputs: INTS, optional".to_owned()), "{text:?}");
    assert!(text.contains(&"~ attribute max default: none -> 3.4028235e38".to_owned()), "{text:?}");
    assert!(text.contains(&"~ property shape_inference: false -> true".to_owned()), "{text:?}");
}

#[test]
fn an_attribute_that_became_an_input() {
    let text = lines("ReduceSum", 11, 13);
    assert!(text.contains(&"- attribute axes: INTS, optional".to_owned()), "{text:?}");
    assert!(text.contains(&"+ input axes: tensor(int64), optional".to_owned()), "{text:?}");
    assert!(text.contains(&"~ property max_inputs: 1 -> 2".to_owned()), "{text:?}");
}

#[test]
fn formals_are_compared_by_name_and_type() {
    // BatchNormalization-14 renamed outputs without moving them. Version 15 gave `scale` another type variable.
    let text = lines("BatchNormalization", 9, 14);
    assert!(text.contains(&"~ output running_mean name: mean -> running_mean".to_owned()), "{text:?}");
    let text = lines("BatchNormalization", 14, 15);
    assert!(text.contains(&"~ input scale type: T -> T1".to_owned()), "{text:?}");
}

#[test]
fn a_difference_backwards_is_the_mirror_image() {
    let there = lines("Clip", 6, 11);
    let mut back: Vec<String> = lines("Clip", 11, 6)
        .iter()
        .map(|line| match line.split_at(1) {
            ("+", rest) => format!("-{rest}"),
            ("-", rest) => format!("+{rest}"),
            _ => line.replace("3 -> 1", "1 -> 3"),
        })
        .collect();
    let mut sorted = there.clone();
    sorted.sort();
    back.sort();
    assert_eq!(sorted, back);
}

#[test]
fn no_version_differs_from_itself_and_few_have_the_same_facts_as_the_one_before() {
    let mut same_facts = 0;
    for operator in Spec::embedded().operators() {
        for version in &operator.versions {
            assert!(SpecDiff::between(version, version, operator.rules.as_ref()).is_empty(), "{}", version.id);
        }
        let pairs = operator.versions.windows(2);
        same_facts += pairs.filter(|pair| SpecDiff::between(&pair[0], &pair[1], None).is_empty()).count();
    }
    // In ONNX 1.23, this many operator versions, such as Min-8, have the same facts as the version before them. Where
    // the meaning changed, rules describe the difference.
    assert_eq!(same_facts, 43);
}

#[test]
fn json_has_each_change_with_its_place() {
    let diff = Spec::embedded().operator("", "Clip").unwrap().diff(1, 6).unwrap();
    let value = serde_json::to_value(&diff).unwrap();
    assert_eq!(value["from"], "Clip-1");
    let change = value["changes"].as_array().unwrap().iter().find(|change| change["name"] == "max").unwrap();
    assert_eq!(
        (&change["part"], &change["field"], &change["change"]),
        (&"attribute".into(), &"default".into(), &"changed".into())
    );
    assert_eq!(change["to"].as_f64(), Some(f64::from(f32::MAX)));
}

/// Before release 1.18, the text of Clip-13 leaves open what a `min` above `max` gives, as Clip-12 does.
#[test]
fn versions_are_compared_by_the_newest_texts() {
    let text = lines("Clip", 12, 13);
    assert!(text.iter().any(|line| line.starts_with("- behaviour min-above-max: ")), "{text:?}");
    let rules = Spec::embedded().operator("", "Clip").unwrap().rules.as_ref().unwrap();
    let rule = rules.behaviour("min-above-max", 13).unwrap();
    assert_eq!(
        (rule.texts(), rule.to_value()["releases"].as_str()),
        ("13.., releases ..1.18".to_owned(), Some("..1.18"))
    );
    let rule = rules.behaviour("min-above-max", 12).unwrap();
    assert_eq!((rule.texts(), rule.to_value().get("releases")), ("..=12".to_owned(), None));
}
