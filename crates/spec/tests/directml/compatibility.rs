//! Tests which types of ONNX's operators DirectML serves, and from which feature level on.

use super::directml;
use plumbline_spec::directml::{FeatureLevel, Obstacle, Service};
use plumbline_spec::{ONNX_DOMAIN, Spec};

/// Returns how DirectML serves an operator version whose type variable `variable` is bound to `tensor(<dtype>)`.
fn service(version: &str, variable: &str, dtype: &str) -> Service {
    let found = Spec::embedded().find(version).unwrap();
    directml().serves(&found.versions()[0], variable, &format!("tensor({dtype})").parse().unwrap())
}

#[test]
fn the_levels_of_min_13_are_those_of_its_tensors() {
    for (dtypes, from) in [
        (vec!["float", "float16"], Some(FeatureLevel::V1_0)),
        (vec!["int8", "int16", "int32", "uint8", "uint16", "uint32"], Some(FeatureLevel::V2_1)),
        (vec!["int64", "uint64"], Some(FeatureLevel::V5_0)),
        (vec!["double", "bfloat16"], None),
    ] {
        for dtype in dtypes {
            let service = service("Min-13", "T", dtype);
            assert_eq!(service.from, from, "{dtype}");
            assert_eq!(service.registered, from.is_some(), "{dtype}");
            assert_eq!(service.through, ["DML_OPERATOR_ELEMENT_WISE_MIN", "DML_OPERATOR_ELEMENT_WISE_IDENTITY"]);
        }
    }
    let counts = service("Min-13", "T", "float").dimension_counts;
    let counts: Vec<String> = counts.iter().map(|(level, counts)| format!("{counts} from {level}")).collect();
    assert_eq!(counts, ["4 from 1_0", "1 to 8 from 3_0"]);
    let obstacle = |dtype| service("Min-13", "T", dtype).obstacle.unwrap().to_string();
    assert_eq!(obstacle("double"), "ATensor of DML_OPERATOR_ELEMENT_WISE_MIN does not support FLOAT64 at any level");
    assert_eq!(obstacle("bfloat16"), "no tensor data type can represent it");
}

#[test]
fn the_level_depends_on_type_function_and_operator() {
    // For unsigned types IDENTITY replaces ABS. Neither serves double.
    assert_eq!(service("Abs-13", "T", "uint8").through[0], "DML_OPERATOR_ELEMENT_WISE_IDENTITY");
    assert_eq!(service("Abs-13", "T", "uint8").from, Some(FeatureLevel::V2_1));
    assert!(service("Abs-13", "T", "double").from.is_none());
    // The support of REDUCE depends on its function.
    assert!(service("ReduceMean-18", "T", "int32").obstacle.is_some());
    assert_eq!(service("ReduceSum-13", "T", "int32").from, Some(FeatureLevel::V2_1));
    // The provider describes a tensor of signed indices to DirectML as a tensor of unsigned integers.
    assert_eq!(service("TopK-11", "I", "int64").from, Some(FeatureLevel::V5_0));
    // The lowering uses CONSTANT_POW or POW. Only POW supports int32.
    assert_eq!(service("Pow-13", "T", "int32").through[0], "DML_OPERATOR_ELEMENT_WISE_POW");
    // Microsoft Learn's page has a table for 1_0, but the DirectML operator exists only from 2_0 on.
    assert_eq!(service("ScatterElements-13", "T", "float").from, Some(FeatureLevel::V2_0));
    let obstacle = |version, variable, dtype| service(version, variable, dtype).obstacle;
    assert!(matches!(obstacle("Col2Im-18", "T", "float"), Some(Obstacle::Undocumented { .. })));
    assert!(matches!(obstacle("Shape-13", "T", "float"), Some(Obstacle::WithoutDirectMl { .. })));
    assert_eq!(obstacle("Unique-11", "T", "float"), Some(Obstacle::NoLowering));
    // The provider does not register Cast-23, so Cast-23 is served like Cast-21, the newest registered version before.
    let newer = service("Cast-23", "T1", "float");
    assert!(newer.from.is_some() && !newer.registered);
}

/// Every registered type is served from the level that its lowering states, except for the Scatter operators.
#[test]
fn registered_types_are_served_from_the_level_stated() {
    let mut unlike = Vec::new();
    let mut count = 0;
    for lowering in directml().lowerings().filter(|lowering| lowering.domain == ONNX_DOMAIN) {
        let Some(operator) = Spec::embedded().operator(&lowering.domain, &lowering.name) else { continue };
        for registration in &lowering.registrations {
            let Some(version) = operator.version(registration.since_version) else { continue };
            for service in directml().services(version).into_iter().filter(|service| service.registered) {
                let types = &registration.type_constraints[&service.variable];
                let dtype = service.type_.tensor_dtype().unwrap();
                let Some(stated) = types.dml_min_feature_level.get(&dtype) else { continue };
                count += 1;
                if service.from != *stated {
                    unlike.push(format!(
                        "{} {} {dtype}: {:?}, stated {stated:?}",
                        version.id, service.variable, service.from
                    ));
                }
            }
        }
    }
    assert!(count > 2000, "{count}");
    // Microsoft Learn's page of SCATTER_ELEMENTS has a table for 1_0, but DirectML.h has the operator only from 2_0 on.
    unlike.retain(|line| !line.starts_with("Scatter") || !line.ends_with(": Some(V2_0), stated Some(V1_0)"));
    assert_eq!(unlike, Vec::<String>::new());
}

#[test]
fn registered_types_without_support_are_listed() {
    let found = directml().registered_without_support();
    let mut names: Vec<String> =
        found.iter().map(|found| format!("{}-{} {}", found.name, found.since, found.types.len())).collect();
    names.sort();
    assert_eq!(
        names,
        [
            "Col2Im-18 12",
            "ReduceL2-18 4",
            "ReduceLogSum-18 4",
            "ReduceLogSumExp-18 4",
            "ReduceMax-20 1",
            "ReduceMean-18 4",
            "ReduceMin-20 1",
            "Tile-13 1",
            "Tile-6 1",
        ]
    );
    // `DirectMl::serves` says that each of these types is registered, but not served at any level.
    for found in found {
        let version = Spec::embedded().operator(&found.domain, &found.name).unwrap().version(found.since).unwrap();
        for dtype in found.types {
            let service = directml().serves(version, &found.variable, &format!("tensor({dtype})").parse().unwrap());
            assert!(
                service.registered && service.from.is_none() && service.obstacle.is_some(),
                "{} {dtype}",
                version.id
            );
        }
    }
}
