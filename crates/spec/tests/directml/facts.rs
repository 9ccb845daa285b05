//! Tests selected facts, and properties that hold for all facts.

use super::{directml, operator};
use plumbline_spec::directml::{
    Extent, FeatureLevel, FieldKind, FieldType, FusedInto, Operator, Registration, SupportTable, TensorDataType,
};
use plumbline_spec::{ONNX_DOMAIN, Spec};
use std::collections::BTreeSet;

fn tables() -> impl Iterator<Item = (&'static Operator, &'static SupportTable)> {
    directml().operators().iter().flat_map(|operator| operator.support.iter().map(move |table| (operator, table)))
}

fn registrations() -> Vec<&'static Registration> {
    directml().lowerings().flat_map(|lowering| &lowering.registrations).collect()
}

#[test]
fn operators_and_lowerings_are_complete() {
    let operators = directml().operators();
    assert_eq!(operators.len(), 177);
    assert_eq!(operators.iter().map(|operator| operator.fields.len()).sum::<usize>(), 917);
    let blocks: Vec<_> = tables().flat_map(|(_, table)| &table.blocks).collect();
    assert_eq!(blocks.len(), 438);
    assert_eq!(blocks.iter().map(|block| block.tensors.len()).sum::<usize>(), 1221);
    assert_eq!(operators.iter().filter(|operator| !operator.notes.is_empty()).count(), 28);
    assert_eq!(operators.iter().filter(|operator| operator.in_place).count(), 79);
    let types = directml().types();
    assert_eq!((types.feature_levels.len(), types.tensor_data_types.len(), types.constants.len()), (15, 14, 5));
    // The 2 are the enumerations of levels and element types, which have lists of their own in the file.
    assert_eq!(types.enums.len(), 22 + 2);
    assert_eq!(registrations().len(), 423);
    let of_onnx = directml().lowerings().filter(|lowering| lowering.domain == ONNX_DOMAIN).count();
    assert_eq!((of_onnx, directml().lowerings().count()), (167, 205));
    assert_eq!(operators.iter().map(|operator| operator.value).collect::<Vec<_>>(), (1..=177).collect::<Vec<_>>());
}

#[test]
fn min_supports_more_types_at_later_levels() {
    let min = operator("DML_OPERATOR_ELEMENT_WISE_MIN");
    assert_eq!(min.short_name(), "ELEMENT_WISE_MIN");
    assert_eq!(
        min.fields.iter().map(|field| field.name.as_str()).collect::<Vec<_>>(),
        ["ATensor", "BTensor", "OutputTensor"]
    );
    let row = |level: &str| {
        let row = min.row(level.parse().unwrap(), "BTensor").unwrap();
        (row.dimension_counts.to_string(), row.data_types.as_ref().unwrap().len())
    };
    let seen: Vec<_> = ["1_0", "2_0", "2_1", "3_0", "4_1", "5_0", "6_4"].map(row).into();
    let wanted = [("4", 2), ("4", 2), ("4", 8), ("1 to 8", 8), ("1 to 8", 8), ("1 to 8", 10), ("1 to 8", 10)];
    assert_eq!(seen, wanted.map(|(counts, types)| (counts.to_owned(), types)));
    assert_eq!(min.first_level_with("ATensor", TensorDataType::Int8), Some(FeatureLevel::V2_1));
    assert_eq!(min.first_level_with("ATensor", TensorDataType::Float64), None);
    assert_eq!(min.first_level_with_dimension_count("ATensor", 3), Some(FeatureLevel::V3_0));
    assert_eq!(min.first_level_with_dimension_count("ATensor", 9), None);
}

#[test]
fn names_are_found_and_unknown_ones_give_the_nearest() {
    assert_eq!(operator("SCATTER").name, "DML_OPERATOR_SCATTER_ELEMENTS");
    let error = directml().find("DML_OPERATOR_ELEMENT_WISE_MNI").unwrap_err().to_string();
    assert!(error.starts_with("no operator is called `DML_OPERATOR_ELEMENT_WISE_MNI`; nearest: "), "{error}");
    assert!(error.contains("DML_OPERATOR_ELEMENT_WISE_MIN"), "{error}");
    assert!(directml().operator("Min").is_none() && directml().operator("").is_none());
}

#[test]
fn the_support_of_reduce_depends_on_its_function() {
    let reduce = operator("REDUCE");
    assert_eq!(reduce.function_field().unwrap().name, "Function");
    assert!(reduce.support_at(FeatureLevel::LAST).is_none(), "every table is for some functions only");
    let first = |function: &str, known| {
        let function = format!("DML_REDUCE_FUNCTION_{function}");
        reduce.table(Some(&function)).unwrap().first_level_with("InputTensor", known)
    };
    assert_eq!(first("SUM", TensorDataType::Int32), Some(FeatureLevel::V2_1));
    assert_eq!(first("AVERAGE", TensorDataType::Int32), None);
    assert_eq!(first("ARGMAX", TensorDataType::Int64), Some(FeatureLevel::V4_1));
    assert_eq!(reduce.first_level_with("InputTensor", TensorDataType::Int32), Some(FeatureLevel::V2_1));
    let functions = directml().enumeration("DML_REDUCE_FUNCTION").unwrap();
    for value in &functions.values {
        assert!(reduce.table(Some(&value.name)).is_some(), "{}", value.name);
    }
    let others = directml().operators().iter().filter(|operator| operator.function_field().is_some());
    assert_eq!(others.count(), 1);
}

/// Each level has all types and dimension counts of the level before it, and an optional tensor stays optional.
#[test]
fn levels_only_add() {
    let mut problems = Vec::new();
    let mut same = Vec::new();
    for (operator, table) in tables() {
        for pair in table.blocks.windows(2) {
            let (new, old) = (&pair[0], &pair[1]);
            for (new_row, old_row) in new.tensors.iter().zip(&old.tensors) {
                let place = format!("{} {} {}", operator.short_name(), new.min_feature_level, new_row.name);
                let types = |row: &plumbline_spec::directml::SupportRow| -> BTreeSet<TensorDataType> {
                    row.data_types.iter().flatten().copied().collect()
                };
                if !types(new_row).is_superset(&types(old_row)) {
                    problems.push(format!("{place}: types"));
                }
                if !new_row.dimension_counts.includes(old_row.dimension_counts) {
                    problems.push(format!("{place}: dimension counts"));
                }
                if old_row.optional && !new_row.optional {
                    problems.push(format!("{place}: optional"));
                }
            }
            if new.tensors == old.tensors {
                same.push(format!("{} {}", operator.short_name(), new.min_feature_level));
            }
        }
    }
    assert_eq!(problems, Vec::<String>::new());
    // The page of this operator has two tables with the same rows.
    assert_eq!(same, ["ACTIVATION_RELU_GRAD 4_0"]);
}

/// The oldest block of a support table is for the level that introduced the operator, or the operator has a note.
#[test]
fn tables_begin_where_operators_do() {
    let mut others = Vec::new();
    for (operator, table) in tables() {
        let first = table.blocks.last().unwrap().min_feature_level;
        if first != operator.introduced {
            assert!(!operator.notes.is_empty(), "{}", operator.name);
            others.push(format!("{} {} {first}", operator.short_name(), operator.introduced));
        }
        assert!(FeatureLevel::ALL.into_iter().all(|level| level >= operator.introduced || table.at(level).is_none()));
    }
    assert_eq!(others, ["TOP_K 1_0 2_0", "MAX_UNPOOLING 2_0 3_0", "SCATTER_ELEMENTS 2_0 1_0"]);
    let scatter: Vec<_> = operator("SCATTER").support[0].steps().map(|(level, _)| level.to_string()).collect();
    assert_eq!(scatter, ["2_0", "2_1", "3_0", "4_1"]);
}

/// No row lists a type at a level below the one that introduced the type, and no row allows more than five dimensions
/// below level 3_0. No row lists more required sizes than its tensor can have dimensions, where a name that stands for
/// any number of sizes is not counted.
#[test]
fn rows_keep_to_their_level() {
    let mut early = BTreeSet::new();
    for (operator, table) in tables() {
        for (level, block) in table.steps() {
            for row in &block.tensors {
                let types = row.data_types.iter().flatten();
                let before = types.filter(|known| known.introduced() > level);
                early.extend(before.map(|known| format!("{} {level} {known}", operator.short_name())));
                if level < FeatureLevel::V3_0 && row.dimension_counts.max > 5 {
                    early.insert(format!("{} {level} {} dimensions", operator.short_name(), row.dimension_counts));
                }
                let required = row.symbolic_sizes.iter().filter(|size| !size.optional);
                let fixed = required.filter(|size| !matches!(size.extent, Extent::Several(_))).count();
                assert!(fixed <= row.dimension_counts.max as usize, "{} {}", operator.name, row.name);
            }
        }
    }
    assert_eq!(early, BTreeSet::new());
}

#[test]
fn fields_have_the_properties_of_their_types() {
    for operator in directml().operators() {
        for field in &operator.fields {
            let is_tensor = matches!(field.type_, FieldType::TensorDesc | FieldType::TensorDescArray);
            assert_eq!(field.is_tensor(), is_tensor, "{} {}", operator.name, field.name);
            if let Some(name) = field.enumeration() {
                assert!(directml().enumeration(name).is_some(), "{name}");
            }
            let c_type = match field.type_ {
                FieldType::TensorDesc | FieldType::TensorDescArray => "const DML_TENSOR_DESC*",
                FieldType::OperatorDesc | FieldType::OperatorDescArray => "const DML_OPERATOR_DESC*",
                FieldType::Uint if field.enumeration().is_some() || field.is_bool() => &field.c_type,
                FieldType::Uint => "UINT",
                FieldType::UintArray => "const UINT*",
                FieldType::Int => "INT",
                FieldType::IntArray => "const INT*",
                FieldType::Float if field.c_type == "float" => "float",
                FieldType::Float => "FLOAT",
                FieldType::FloatArray => "const FLOAT*",
                FieldType::Bool => "BOOL",
                FieldType::ScaleBias => "const DML_SCALE_BIAS*",
                FieldType::ScalarUnion => "DML_SCALAR_UNION",
                FieldType::Size2d => "DML_SIZE_2D",
            };
            assert_eq!(field.c_type, c_type, "{} {}", operator.name, field.name);
        }
        let names = operator.tensors().map(|field| (field.name.as_str(), field.kind));
        assert!(names.clone().any(|(_, kind)| kind == FieldKind::OutputTensor), "{}", operator.name);
        // The rows of the newest block agree with the fields.
        for block in operator.support.iter().map(|table| &table.blocks[0]) {
            assert!(block.tensors.iter().map(|row| (row.name.as_str(), row.kind)).eq(names.clone()));
            assert!(block.tensors.iter().all(|row| operator.field(&row.name).unwrap().optional == row.optional));
        }
    }
}

#[test]
fn operators_without_documented_types_are_listed() {
    let undocumented: Vec<_> = directml().operators().iter().filter(|operator| !operator.is_documented()).collect();
    assert_eq!(undocumented.iter().map(|operator| operator.short_name()).collect::<Vec<_>>(), ["FOLD", "UNFOLD"]);
    let row = undocumented[0].row(FeatureLevel::LAST, "InputTensor").unwrap();
    assert_eq!(row.allows(TensorDataType::Float32), None);
}

#[test]
fn activations_that_can_be_fused() {
    let from = |activation: &str, into: &str| directml().fusable_from(operator(activation), operator(into));
    assert_eq!(from("ACTIVATION_RELU", "CONVOLUTION"), Some(FeatureLevel::V1_0));
    assert_eq!(from("ACTIVATION_GELU", "GEMM"), Some(operator("ACTIVATION_GELU").introduced));
    assert_eq!(from("ELEMENT_WISE_CLIP", "CONVOLUTION"), Some(FeatureLevel::V6_0));
    assert_eq!(from("ELEMENT_WISE_CLIP", "ELEMENT_WISE_ADD1"), None);
    assert_eq!(from("ACTIVATION_SOFTMAX", "CONVOLUTION"), None);
    assert_eq!(from("ACTIVATION_SOFTMAX", "GEMM"), Some(FeatureLevel::V6_1));
    assert_eq!(from("ACTIVATION_RELU", "ELEMENT_WISE_MIN"), None);
    assert!(FusedInto::Any.includes("DML_OPERATOR_ELEMENT_WISE_ADD1"));
}

#[test]
fn lowerings_are_for_operator_versions_of_onnx_with_known_exceptions() {
    let mut unknown = Vec::new();
    for lowering in directml().lowerings().filter(|lowering| lowering.domain == ONNX_DOMAIN) {
        let onnx = Spec::embedded().operator(&lowering.domain, &lowering.name);
        for registration in &lowering.registrations {
            let since = registration.since_version;
            if onnx.is_none_or(|onnx| onnx.version(since).is_none()) {
                unknown.push(format!("{}-{since}", lowering.name));
            }
        }
    }
    // Some of these are ONNX Runtime's own kernels in ONNX's domain, some are operators that ONNX removed, and some
    // have versions that ONNX does not have.
    let known = "Affine-1 Crop-1 GroupNorm-21 If-7 ImageScaler-1 LayerNormalization-1 MeanVarianceNormalization-1 MemcpyFromHost-1 \
               MemcpyToHost-1 ParametricSoftplus-1 ScaledTanh-1 Scatter-13 SimplifiedLayerNormalization-1 ThresholdedRelu-1";
    assert_eq!(unknown.join(" "), known);
    let provider = directml().provider();
    assert_eq!(provider.minimum_dml_feature_level, FeatureLevel::V5_0);
    for (&dtype, &carrier) in &provider.onnx_to_dml_types {
        assert_eq!(TensorDataType::of_onnx(dtype), Some(carrier), "{dtype}");
    }
    assert_eq!(provider.onnx_to_dml_types.len(), 14);
}
