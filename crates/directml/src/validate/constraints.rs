//! Checks constraints between tensors: equal properties, sizes that the tables name or fix, and rules that the
//! documentation states in words.

use super::{Findings, Place, Rule};
use plumbline_spec::directml::{Extent, FeatureLevel, Property, SupportBlock, TensorConstraint, TensorDataType};
use std::collections::BTreeMap;

pub(super) fn check(findings: &mut Findings, places: &[Place], block: &SupportBlock) {
    for constraint in &findings.description.operator().tensor_constraints {
        for &property in &constraint.same {
            same(findings, places, block, constraint, property);
        }
    }
    symbolic_sizes(findings, places, block);
    notes(findings, places);
}

fn same(
    findings: &mut Findings,
    places: &[Place],
    block: &SupportBlock,
    constraint: &TensorConstraint,
    property: Property,
) {
    // The first given tensor in the constraint's list is compared with each of the others.
    let mut group = Vec::new();
    for name in &constraint.tensors {
        group.extend(places.iter().filter(|place| place.field.name == *name));
    }
    let mut group = group.into_iter();
    let Some(first) = group.next() else { return };
    let types = |place: &Place| block.row(&place.field.name).and_then(|row| row.data_types.as_deref());
    for other in group {
        let (found, wanted) = match property {
            Property::DataType => {
                // If the table allows no type for both tensors, the constraint cannot hold. The table alone then
                // decides which types are valid.
                let common =
                    types(first).zip(types(other)).is_none_or(|(a, b)| a.iter().any(|known| b.contains(known)));
                if !common {
                    continue;
                }
                (other.tensor.data_type.to_string(), first.tensor.data_type.to_string())
            }
            Property::DimensionCount => {
                (other.tensor.dimension_count().to_string(), first.tensor.dimension_count().to_string())
            }
            Property::Sizes => (format!("{:?}", other.tensor.sizes), format!("{:?}", first.tensor.sizes)),
        };
        if found != wanted {
            let found = format!("{property:?} is {found}, but that of {} is {wanted}; they must be equal", first.label);
            findings.add(Rule::Same, &other.label, found, "");
        }
    }
}

fn symbolic_sizes(findings: &mut Findings, places: &[Place], block: &SupportBlock) {
    let mut known: BTreeMap<&str, (u32, &str)> = BTreeMap::new();
    for place in places {
        let Some(row) = block.row(&place.field.name).filter(|row| !row.symbolic_sizes.is_empty()) else { continue };
        let Some(mut names) = row.sizes_of(place.tensor.sizes.len()) else { continue };
        let transform = ["ATensor", "BTensor"].iter().position(|name| *name == place.field.name);
        let transform = transform.map(|at| ["TransA", "TransB"][at]);
        if transform.is_some_and(|name| findings.description.uint(name) == Some(1)) {
            let count = names.len();
            names.swap(count - 1, count - 2);
        }
        for (at, (name, &found)) in names.iter().zip(&place.tensor.sizes).enumerate() {
            match &name.extent {
                Extent::Fixed(wanted) if *wanted != found => {
                    findings.add(Rule::Size, &place.label, format!("Sizes[{at}] is {found}, expected {wanted}"), "");
                }
                Extent::Named(name) => {
                    let &mut (wanted, by) = known.entry(name).or_insert((found, &place.label));
                    if wanted != found {
                        let found = format!("Sizes[{at}] is {found}, but {by} gives {name} as {wanted}");
                        findings.add(Rule::Size, &place.label, found, "");
                    }
                }
                _ => {}
            }
        }
    }
}

/// Checks rules that the documentation states in words and not in its tables.
fn notes(findings: &mut Findings, places: &[Place]) {
    let (description, level) = (findings.description, findings.level);
    let of = |name: &str| places.iter().find(|place| place.field.name == name).map(|place| place.tensor.data_type);
    let mut typed = |name: &str, wanted: Option<TensorDataType>, by: &str, from: Option<FeatureLevel>| {
        if let (Some(found), Some(wanted)) = (of(name), wanted)
            && found != wanted
        {
            let found = format!("DataType is {found}, but {by} needs {wanted}");
            findings.add(Rule::Same, name, found, "").available_from = from;
        }
    };
    match description.name() {
        "ELEMENT_WISE_POW" if level < FeatureLevel::V3_0 => {
            typed("ExponentTensor", of("InputTensor"), "this InputTensor", Some(FeatureLevel::V3_0));
        }
        "ELEMENT_WISE_QUANTIZE_LINEAR" => {
            let scale = match of("InputTensor") {
                Some(TensorDataType::Int32) => Some(TensorDataType::Float32),
                other => other,
            };
            typed("ScaleTensor", scale, "this InputTensor", None);
        }
        "MEAN_VARIANCE_NORMALIZATION" | "MEAN_VARIANCE_NORMALIZATION1" if level < FeatureLevel::V5_2 => {
            for (one, other) in [("ScaleTensor", "BiasTensor"), ("BiasTensor", "ScaleTensor")] {
                if of(one).is_none() && of(other).is_some() {
                    let found = format!("is missing, but {other} is given");
                    findings.add(Rule::Field, one, found, "").available_from = Some(FeatureLevel::V5_2);
                }
            }
        }
        _ => {}
    }
    // A scalar attribute has the type of the output.
    let output = places.iter().find(|place| !description.operator().inputs().any(|input| *input == *place.field));
    for field in description.operator().attributes().filter(|field| field.enumeration() == Some("DML_TENSOR_DATA_TYPE"))
    {
        let found = description.uint(&field.name).and_then(TensorDataType::from_value);
        let found = found.filter(|found| *found != TensorDataType::Unknown);
        if let (Some(found), Some(output)) = (found, output)
            && found != output.tensor.data_type
        {
            let said = format!("is {found}, but DataType of {} is {}", output.label, output.tensor.data_type);
            findings.add(Rule::Same, &field.name, said, "");
        }
    }
}
