//! Tests the comparison of ONNX's operators with DirectML's.

use super::{directml, operator};
use plumbline_spec::directml::{Counterpart, FeatureLevel};
use plumbline_spec::{Found, Spec, Status};

fn counterpart(onnx: &str, name: &str) -> Counterpart {
    let Found::Version(of, version) = Spec::embedded().find(onnx).unwrap() else { panic!("{onnx} names no version") };
    directml().counterpart(version, of.rules.as_ref(), operator(name))
}

/// Returns the first level of DirectML with a type of ONNX's.
fn level(pair: &Counterpart, variable: &str, type_: &str) -> Option<FeatureLevel> {
    let named =
        |row: &&plumbline_spec::directml::TypeRow| row.variable == variable && row.onnx.as_deref() == Some(type_);
    pair.types.iter().find(named).unwrap().from
}

#[test]
fn types_stand_side_by_side() {
    let min = counterpart("Min-13", "ELEMENT_WISE_MIN");
    assert!(min.used_by_provider);
    assert_eq!(level(&min, "T", "float"), Some(FeatureLevel::V1_0));
    assert_eq!(level(&min, "T", "int64"), Some(FeatureLevel::V5_0));
    assert_eq!((level(&min, "T", "double"), level(&min, "T", "bfloat16")), (None, None));
    // Version 8 has no integers, which DirectML takes.
    let min = counterpart("Min-8", "ELEMENT_WISE_MIN");
    let only: Vec<String> =
        min.types.iter().filter(|row| row.onnx.is_none()).map(|row| row.directml.unwrap().to_string()).collect();
    assert!(only.contains(&"INT64".to_owned()) && !only.contains(&"FLOAT32".to_owned()), "{only:?}");
    // Each variable is compared with its own tensor.
    let gather = counterpart("Gather-13", "GATHER");
    assert_eq!(level(&gather, "Tind", "int32"), Some(FeatureLevel::V3_0));
    assert_eq!(level(&gather, "T", "int32"), Some(FeatureLevel::V2_1));
    assert!(!counterpart("Floor-13", "ELEMENT_WISE_MIN").used_by_provider);
}

#[test]
fn rules_of_the_same_name_stand_side_by_side() {
    let clip = counterpart("Clip-13", "ELEMENT_WISE_CLIP1");
    let row = |name: &str| clip.rules.iter().find(|row| row.name == name).unwrap();
    let status = |name: &str| {
        let row = row(name);
        [&row.onnx, &row.directml].map(|side| side.as_ref().and_then(|side| side.status))
    };
    assert_eq!(status("nan"), [Some(Status::Unspecified); 2]);
    assert_eq!(status("omitted-bound"), [Some(Status::Contradictory), Some(Status::Defined)]);
    assert_eq!(status("bfloat16-body"), [Some(Status::Contradictory), None]);
    assert_eq!(status("scale-and-bias"), [None, Some(Status::Defined)]);
    assert!(row("bounds-are-scalars").directml.is_none());
    // Without rules of DirectML, those of ONNX stand alone.
    let abs = counterpart("Abs-13", "ELEMENT_WISE_ABS");
    assert!(operator("ELEMENT_WISE_ABS").rules.is_none());
    assert!(abs.rules.iter().all(|row| row.directml.is_none()));
}
