//! Tests of validation: what the tables allow is accepted, and descriptions that break one rule are refused with the
//! field's name.

use plumbline_directml::minimal::{Block, blocks};
use plumbline_directml::{
    Attribute, FieldValue, OperatorDescription, Rule, TensorDescription, TensorFlags, violations,
};
use plumbline_spec::directml::{Extent, FeatureLevel, FieldKind, Property, SupportRow, TensorDataType};

/// Returns the element types of a row; float32 if the documentation does not list any.
fn types(row: &SupportRow) -> Vec<TensorDataType> {
    row.data_types.clone().unwrap_or_else(|| vec![TensorDataType::Float32])
}

/// Returns any valid description with this tensor.
fn any(entry: &Block, row: &SupportRow) -> OperatorDescription {
    let counts = row.dimension_counts.min..=row.dimension_counts.max;
    let found = counts.flat_map(|count| types(row).into_iter().map(move |known| (known, count)));
    let found = found.into_iter().find_map(|(known, count)| entry.description(&row.name, known, count));
    found.unwrap_or_else(|| {
        panic!("{} at {}: the tables allow no description with {}", entry.operator.name, entry.level, row.name)
    })
}

fn tensor_mut<'a>(description: &'a mut OperatorDescription, name: &str) -> &'a mut TensorDescription {
    match description.get_mut(name) {
        Some(FieldValue::Tensor(tensor)) => tensor,
        Some(FieldValue::Tensors(tensors)) => &mut tensors[0],
        other => panic!("{name}: {other:?}"),
    }
}

#[test]
fn what_the_tables_allow_is_accepted() {
    let (mut accepted, mut seen, mut unreachable) = (0, 0, Vec::new());
    for entry in blocks() {
        seen += 1;
        for row in &entry.block.tensors {
            for known in types(row) {
                for count in [row.dimension_counts.min, row.dimension_counts.max] {
                    let Some(description) = entry.description(&row.name, known, count) else {
                        unreachable
                            .push(format!("{} {} {} {known} {count}", entry.operator.name, entry.level, row.name));
                        continue;
                    };
                    let found = violations(&description, entry.level);
                    assert!(found.is_empty(), "{} at {}: {}", entry.operator.name, entry.level, found[0]);
                    accepted += 1;
                }
            }
        }
    }
    println!("{accepted} descriptions for {seen} blocks accepted; excluded by constraints: {}", unreachable.len());
    assert!(seen > 400 && accepted > 9_000, "{seen} blocks, {accepted} descriptions");
    assert!(unreachable.len() * 20 < accepted, "{unreachable:#?}");
}

/// Checks that the validation of the description reports a violation of this rule in this field.
fn refused(entry: &Block, description: &OperatorDescription, rule: Rule, field: &str) -> usize {
    let found = violations(description, entry.level);
    let hit = found.iter().any(|found| found.rule == rule && found.field.starts_with(field));
    assert!(
        hit,
        "{} at {}: {rule:?} of {field} is not reported for {description:?}: {found:?}",
        entry.operator.name, entry.level
    );
    1
}

#[test]
fn wrong_tensors_are_rejected() {
    let mut count = 0;
    for entry in blocks() {
        for row in &entry.block.tensors {
            let description = any(&entry, row);
            let mut broken = |rule: Rule, change: &dyn Fn(&mut TensorDescription)| {
                let mut description = description.clone();
                change(tensor_mut(&mut description, &row.name));
                count += refused(&entry, &description, rule, &row.name);
            };
            for wrong in TensorDataType::ALL.into_iter().filter(|known| row.allows(*known) == Some(false)) {
                broken(Rule::DataType, &|tensor| *tensor = TensorDescription::packed(wrong, tensor.sizes.clone()));
            }
            for wrong in (0..10).filter(|count| !row.dimension_counts.contains(*count)) {
                broken(Rule::DimensionCount, &|tensor| {
                    *tensor = TensorDescription::packed(tensor.data_type, vec![1; wrong as usize]);
                });
            }
            broken(Rule::ZeroSize, &|tensor| tensor.sizes[0] = 0);
            broken(Rule::Overflow, &|tensor| {
                *tensor = TensorDescription::strided(
                    tensor.data_type,
                    vec![u32::MAX; tensor.sizes.len()],
                    vec![u32::MAX; tensor.sizes.len()],
                );
            });
            broken(Rule::Strides, &|tensor| tensor.strides = Some(vec![0; tensor.sizes.len() + 1]));
            broken(Rule::TotalSize, &|tensor| tensor.total_size_in_bytes -= 4);
            broken(Rule::Alignment, &|tensor| tensor.guaranteed_base_offset_alignment = 48);
            broken(Rule::Flags, &|tensor| tensor.flags = TensorFlags(6));
            if row.kind == FieldKind::OutputTensor {
                broken(Rule::Flags, &|tensor| tensor.flags = TensorFlags::OWNED_BY_DML);
                broken(Rule::Overlap, &|tensor| {
                    *tensor = TensorDescription::strided(
                        tensor.data_type,
                        vec![2; tensor.sizes.len()],
                        vec![0; tensor.sizes.len()],
                    );
                });
            }
            let fixed = row.symbolic_sizes.iter().rev().take_while(|size| !size.optional);
            for (back, _) in fixed.enumerate().filter(|(_, size)| matches!(size.extent, Extent::Fixed(_))) {
                broken(Rule::Size, &|tensor| {
                    let at = tensor.sizes.len() - 1 - back;
                    tensor.sizes[at] += 1;
                    *tensor = TensorDescription::packed(tensor.data_type, tensor.sizes.clone());
                });
            }
            if !row.optional {
                let mut description = description.clone();
                *description.get_mut(&row.name).unwrap() = FieldValue::Absent;
                count += refused(&entry, &description, Rule::Field, &row.name);
            }
        }
    }
    println!("{count} descriptions with one wrong tensor were rejected");
    assert!(count > 10_000, "{count}");
}

#[test]
fn different_properties_are_rejected() {
    let mut count = 0;
    for entry in blocks() {
        for constraint in &entry.operator.tensor_constraints {
            let first = entry.block.row(&constraint.tensors[0]).unwrap();
            for name in &constraint.tensors[1..] {
                let row = entry.block.row(name).unwrap();
                let mut description = any(&entry, row);
                if description.tensors(&first.name).is_empty() {
                    let other = any(&entry, first).get(&first.name).cloned().unwrap();
                    *description.get_mut(&first.name).unwrap() = other;
                }
                for property in &constraint.same {
                    let mut description = description.clone();
                    let tensor = tensor_mut(&mut description, name);
                    let mut sizes = tensor.sizes.clone();
                    match property {
                        Property::DataType => {
                            let mut common = types(row).into_iter().filter(|known| types(first).contains(known));
                            if common.next().is_none() {
                                continue;
                            }
                            let Some(other) = TensorDataType::ALL
                                .into_iter()
                                .find(|other| *other != tensor.data_type && other.bits() == tensor.data_type.bits())
                            else {
                                continue;
                            };
                            *tensor = TensorDescription::packed(other, sizes);
                        }
                        Property::DimensionCount => {
                            sizes.push(1);
                            *tensor = TensorDescription::packed(tensor.data_type, sizes);
                        }
                        Property::Sizes => {
                            sizes[0] += 3;
                            *tensor = TensorDescription::packed(tensor.data_type, sizes);
                        }
                    }
                    // The violation is in the changed tensor, or it is in another tensor of the group and names the
                    // changed one.
                    let found = violations(&description, entry.level);
                    let named = |field: &str| constraint.tensors.iter().any(|known| field.starts_with(known.as_str()));
                    let hit = found.iter().any(|found| {
                        found.rule == Rule::Same
                            && named(&found.field)
                            && (found.field.starts_with(name.as_str()) || found.found.contains(name.as_str()))
                    });
                    assert!(hit, "{} at {}: {property:?} of {name}: {found:?}", entry.operator.name, entry.level);
                    count += 1;
                }
            }
        }
    }
    println!("{count} descriptions with different properties were rejected");
    assert!(count > 1_000, "{count}");
}

#[test]
fn wrong_attributes_are_rejected() {
    let mut count = 0;
    for entry in blocks() {
        let base = any(&entry, entry.block.tensors.iter().find(|row| !row.optional).unwrap());
        for field in entry.operator.attributes() {
            let mut broken = |rule: Rule, name: &str, value: FieldValue| {
                let mut description = base.clone();
                *description.get_mut(&field.name).unwrap() = value;
                count += refused(&entry, &description, rule, name);
            };
            if !field.optional {
                broken(Rule::Field, &field.name, FieldValue::Absent);
            }
            let wrong =
                [Attribute::Uint(1), Attribute::Bool(true), Attribute::Float(1.0), Attribute::UintArray(vec![1])];
            for wrong in wrong.into_iter().filter(|wrong| !wrong.is_of(field)) {
                broken(Rule::Field, &field.name, FieldValue::Attribute(wrong));
            }
            broken(
                Rule::Field,
                &field.name,
                FieldValue::Tensor(TensorDescription::packed(TensorDataType::Float32, [1])),
            );
            if field.enumeration().is_some() {
                broken(Rule::Enumeration, &field.name, FieldValue::Attribute(Attribute::Uint(9999)));
            }
            let array_of =
                |field| entry.operator.fields.iter().find(|known| known.array_length_field.as_deref() == Some(field));
            if let Some(array) = array_of(field.name.as_str()) {
                broken(Rule::ArrayLength, &array.name, FieldValue::Attribute(Attribute::Uint(7)));
            }
            if field.name == "FusedActivation" || field.name == "ActivationDescs" {
                let wrong = OperatorDescription::new("ACTIVATION_HARDMAX").build_fused().unwrap();
                let wrong = match field.name.as_str() {
                    "FusedActivation" => Attribute::Operator(Box::new(wrong)),
                    _ => Attribute::Operators(vec![wrong]),
                };
                broken(Rule::FusedActivation, &field.name, FieldValue::Attribute(wrong));
                let mut wrong = OperatorDescription::new("ACTIVATION_ELU").attribute("Alpha", 1).build_fused().unwrap();
                *wrong.get_mut("Alpha").unwrap() = FieldValue::Absent;
                let (label, wrong) = match field.name.as_str() {
                    "FusedActivation" => ("FusedActivation.Alpha", Attribute::Operator(Box::new(wrong))),
                    _ => ("ActivationDescs[0].Alpha", Attribute::Operators(vec![wrong])),
                };
                broken(Rule::Field, label, FieldValue::Attribute(wrong));
            }
        }
        for below in FeatureLevel::ALL.into_iter().filter(|level| *level < entry.operator.introduced) {
            let found = violations(&base, below);
            let hit = found.iter().find(|found| found.rule == Rule::Operator);
            assert_eq!(hit.and_then(|found| found.available_from), Some(entry.operator.introduced));
            count += 1;
        }
    }
    println!("{count} descriptions with one wrong attribute were rejected");
    assert!(count > 3_000, "{count}");
}

/// Checks the table of MIN in the documentation, cell by cell.
#[test]
fn the_table_of_min_decides_by_level_and_type() {
    use TensorDataType::*;
    let by_level = [
        (FeatureLevel::V1_0, vec![Float32, Float16], 4..=4),
        (FeatureLevel::V2_1, vec![Float32, Float16, Int32, Int16, Int8, Uint32, Uint16, Uint8], 4..=4),
        (FeatureLevel::V3_0, vec![Float32, Float16, Int32, Int16, Int8, Uint32, Uint16, Uint8], 1..=8),
        (FeatureLevel::V5_0, vec![Float32, Float16, Int64, Int32, Int16, Int8, Uint64, Uint32, Uint16, Uint8], 1..=8),
    ];
    for (level, known, counts) in by_level {
        for data_type in TensorDataType::ALL {
            for count in 0..10u32 {
                let tensor = || TensorDescription::packed(data_type, vec![2; count as usize]);
                let min = OperatorDescription::new("ELEMENT_WISE_MIN")
                    .tensor("ATensor", tensor())
                    .tensor("BTensor", tensor());
                let min = min.tensor("OutputTensor", tensor()).build().unwrap();
                let allowed = known.contains(&data_type) && counts.contains(&count);
                assert_eq!(violations(&min, level).is_empty(), allowed, "{level} {data_type} {count}");
            }
        }
    }
}
