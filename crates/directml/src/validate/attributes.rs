//! Checks attributes: their kind, values of enumerations, lengths of arrays, and the operators that they contain.

use super::{Findings, Rule, called};
use crate::description::FieldValue;
use crate::description::{Attribute, declared};
use plumbline_spec::directml::{DirectMl, Field, FieldType, FusedInto, TensorDataType};

pub(super) fn check(findings: &mut Findings) {
    let description = findings.description;
    for (field, value) in description.fields() {
        match value {
            FieldValue::Absent if !field.is_tensor() && !field.optional => {
                findings.add(Rule::Field, &field.name, format!("is missing; its type is {}", declared(field)), "");
            }
            FieldValue::Attribute(attribute) if !field.is_tensor() => {
                if attribute.is_of(field) {
                    enumeration(findings, field, attribute);
                } else {
                    let found = format!("expected {}, found {attribute:?}", declared(field));
                    findings.add(Rule::Field, &field.name, found, "");
                }
            }
            FieldValue::Tensor(_) if !field.is_tensor() || field.type_ == FieldType::TensorDescArray => {
                findings.add(Rule::Field, &field.name, format!("is a tensor, expected {}", declared(field)), "");
            }
            FieldValue::Tensors(_) if field.type_ != FieldType::TensorDescArray => {
                findings.add(
                    Rule::Field,
                    &field.name,
                    format!("is an array of tensors, expected {}", declared(field)),
                    "",
                );
            }
            _ => {}
        }
        length(findings, field, value);
    }
    fused(findings);
}

fn enumeration(findings: &mut Findings, field: &Field, attribute: &Attribute) {
    let (Some(name), Attribute::Uint(value)) = (field.enumeration(), attribute) else { return };
    let Some(known) = DirectMl::embedded().enumeration(name) else { return };
    let level = findings.level;
    let is_type = name == "DML_TENSOR_DATA_TYPE";
    let usable = |value: u32| !is_type || value != TensorDataType::Unknown.value();
    let allowed = known.values.iter().filter(|known| known.introduced <= level && usable(known.value));
    let allowed = allowed.map(|known| known.name.as_str()).collect::<Vec<_>>().join(", ");
    match known.value(*value).filter(|known| usable(known.value)) {
        Some(found) if found.introduced <= level => {}
        Some(found) => {
            findings.add(Rule::Enumeration, &field.name, format!("is {}", found.name), allowed).available_from =
                Some(found.introduced);
        }
        None => {
            findings.add(Rule::Enumeration, &field.name, format!("{value} is not a value of {name}"), allowed);
        }
    }
}

fn length(findings: &mut Findings, field: &Field, value: &FieldValue) {
    let Some(length_field) = &field.array_length_field else { return };
    let found = match value {
        FieldValue::Tensors(tensors) => tensors.len(),
        FieldValue::Attribute(attribute) => match attribute.array_length() {
            Some(length) => length,
            None => return,
        },
        _ => return,
    };
    let Some(said) = findings.description.uint(length_field) else { return };
    if found as u64 != u64::from(said) {
        let message = format!("has {found} elements, but {length_field} is {said}");
        findings.add(Rule::ArrayLength, &field.name, message, "");
    }
}

/// Checks each operator that an attribute contains, such as a fused activation: it must be allowed in this place, and
/// valid itself.
fn fused(findings: &mut Findings) {
    let (description, level) = (findings.description, findings.level);
    let (spec, operator) = (DirectMl::embedded(), description.operator());
    for (field, label, inner) in called(description) {
        let name = &inner.operator().name;
        let from = match field.type_ {
            FieldType::OperatorDesc => spec.fusable_from(inner.operator(), operator),
            _ => {
                let mut known = spec.types().fused_activations.iter();
                let known = known.find(|fused| fused.operator == *name && fused.into == FusedInto::Any);
                known.map(|_| inner.operator().introduced.max(operator.introduced))
            }
        };
        if from.is_none_or(|from| from > level) {
            let fusable = spec.operators().iter().filter(|known| match field.type_ {
                FieldType::OperatorDesc => spec.fusable_from(known, operator).is_some_and(|from| from <= level),
                _ => {
                    known.short_name().starts_with("ACTIVATION_")
                        && spec
                            .types()
                            .fused_activations
                            .iter()
                            .any(|fused| fused.operator == known.name && fused.into == FusedInto::Any)
                }
            });
            let allowed = fusable.map(|known| known.short_name()).collect::<Vec<_>>().join(", ");
            let found = format!("is {}", inner.name());
            findings.add(Rule::FusedActivation, &label, found, allowed).available_from = from;
        }
        let output = description.tensor("OutputTensor").map(|tensor| tensor.data_type);
        let floats = [TensorDataType::Float32, TensorDataType::Float16];
        if description.name() == "ELEMENT_WISE_ADD1" && output.is_some_and(|found| !floats.contains(&found)) {
            findings.add(
                Rule::FusedActivation,
                &label,
                "is fused into an addition whose OutputTensor is neither FLOAT32 nor FLOAT16",
                "",
            );
        }
        let mut within =
            Findings { description: inner, level, prefix: format!("{}{label}.", findings.prefix), found: Vec::new() };
        super::operator(&mut within, true);
        let outer = description.name();
        findings.found.extend(
            within.found.into_iter().map(|violation| super::Violation { operator: outer.to_owned(), ..violation }),
        );
    }
}
