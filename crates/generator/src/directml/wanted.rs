//! What the cases of an operator have to reach together, as the coverage counts it.

use std::collections::BTreeSet;

use plumbline_spec::directml::{
    DirectMl, FUSED_ACTIVATION, FeatureLevel, Field, FieldType, Operator, Property, SCALE_BIAS, SupportBlock,
    TensorDataType,
};

use super::sketch::OWNED_INPUT;
use crate::directml_cell::{DirectMlCell, Violated, first_row, is_meant};

/// What the cases of an operator have to reach together.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Wanted {
    /// Features of cases: levels, types and numbers of dimensions, layouts, optional fields, values of enumerations and of
    /// `BOOL`s, fused activations, and rules that are broken.
    pub features: BTreeSet<String>,
    /// Features that no case has, each with the reason.
    pub left_out: Vec<(String, &'static str)>,
}

/// Features that are not drawn: the operators, parts of the features, and the reason.
const LEFT_OUT: [(&[&str], &[&str], &str); 10] = [
    (
        &["DEQUANTIZE", "QUANTIZE"],
        &["DML_QUANTIZATION_TYPE_NONE"],
        "the page does not describe the kinds of quantization, and the name of this one gives no formula",
    ),
    (
        &["FOLD", "UNFOLD"],
        &[" 4 dimensions", " 5 dimensions", " 6 dimensions", " 7 dimensions", " 8 dimensions"],
        "the page's examples with more spatial dimensions contradict its rule that both tensors have as many dimensions",
    ),
    (
        &["LOCAL_RESPONSE_NORMALIZATION", "LOCAL_RESPONSE_NORMALIZATION_GRAD"],
        &["CrossChannel false"],
        "the page describes the region of an element only across channels",
    ),
    (
        &["MULTIHEAD_ATTENTION", "MULTIHEAD_ATTENTION1"],
        &["MaskTensor 1 dimensions", "KEY_QUERY_SEQUENCE_LENGTH_START_END"],
        "the page gives the layout of this kind of mask, the only one of one dimension, but not what it does to queries",
    ),
    (&["MULTIHEAD_ATTENTION1"], &["PastSequenceLengthsTensor "], "the page does not say what it is"),
    (
        &["NONZERO_COORDINATES"],
        &["Tensor 1 dimensions"],
        "the coordinates have two dimensions at least, and the other tensors as many",
    ),
    (
        &["ROI_ALIGN", "ROI_ALIGN1", "ROI_ALIGN_GRAD"],
        &["ARGMAX", "ARGMIN", "FUNCTION_L1", "FUNCTION_L2", "LOG_SUM", "FUNCTION_MIN", "MULTIPLY", "FUNCTION_SUM"],
        "the page names AVERAGE and MAX alone as functions that reduce samples",
    ),
    (
        &["ROI_ALIGN1", "ROI_ALIGN_GRAD"],
        &["AlignRegionsToCorners true"],
        "the page does not say how samples are stretched to the corners of a region",
    ),
    (
        &["ROI_ALIGN_GRAD"],
        &["OutputROIGradientTensor ", "OutputGradientTensor absent"],
        "the page has a sketch of the gradient of regions with names that it does not explain",
    ),
    (
        &["UPSAMPLE_2D"],
        &["DML_INTERPOLATION_MODE_LINEAR"],
        "the page does not say where the pixels lie between which values are interpolated",
    ),
];

/// Returns what the cases of an operator have to reach together.
pub fn wanted(operator: &'static Operator) -> Wanted {
    let mut all: BTreeSet<String> = ["packed", "gaps", "transposed", "slack at the end", "guaranteed alignment"]
        .map(|kind| format!("layout: {kind}"))
        .into();
    let mut left_out = Vec::new();
    if operator.inputs().next().is_some() {
        all.extend(["layout: broadcast", OWNED_INPUT].map(str::to_owned));
    }
    if operator.in_place && has_equal_types(operator) {
        all.insert("in place".to_owned());
    }
    for cell in DirectMlCell::of_operator(operator) {
        all.insert(format!("level {}", cell.level));
    }
    for block in blocks(operator) {
        for row in &block.tensors {
            let first = first_row(operator, block).map(|row| row.name.as_str());
            let is_first = first.is_some_and(|first| first == row.name || have_one_type(operator, first, &row.name));
            for data_type in row.data_types.iter().flatten() {
                let feature = format!("{} {data_type}", row.name);
                match is_first && !is_meant(operator, *data_type) {
                    true => left_out.push((feature, "no meaning says what it computes for this type")),
                    false => _ = all.insert(feature),
                }
            }
            if row.optional {
                all.extend(["given", "absent"].map(|way| format!("{} {way}", row.name)));
            }
            let counts = row.dimension_counts;
            all.extend((counts.min..=counts.max).map(|count| format!("{} {count} dimensions", row.name)));
        }
    }
    for field in operator.attributes() {
        attribute(operator, field, &mut all, &mut left_out);
    }
    all.extend(Violated::ALL.into_iter().filter(|rule| can_break(operator, *rule)).map(Violated::feature));
    left_out.extend(all.iter().filter_map(|feature| Some((feature.clone(), reason_of(operator, feature)?))));
    left_out.sort();
    left_out.dedup();
    let features = all.into_iter().filter(|feature| !left_out.iter().any(|(other, _)| other == feature)).collect();
    Wanted { features, left_out }
}

/// Returns why a feature is left out, if [`LEFT_OUT`] has it.
fn reason_of(operator: &Operator, feature: &str) -> Option<&'static str> {
    // A part that ends with a space leaves out all that a field may hold. That the field is absent stays wanted.
    let is_in = |part: &&str| feature.contains(part) && (!part.ends_with(' ') || !feature.ends_with(" absent"));
    let mut entries = LEFT_OUT.iter();
    let found = entries.find(|(names, parts, _)| names.contains(&operator.short_name()) && parts.iter().any(is_in));
    found.map(|(_, _, reason)| *reason)
}

/// Adds what a field that is no tensor has to be.
fn attribute(
    operator: &'static Operator,
    field: &Field,
    all: &mut BTreeSet<String>,
    left_out: &mut Vec<(String, &'static str)>,
) {
    let spec = DirectMl::embedded();
    if field.is_bool() {
        all.extend([true, false].map(|value| format!("{} {value}", field.name)));
    }
    // A structure has its numbers in any case.
    if field.optional && field.type_ != FieldType::Float {
        all.insert(format!("{} absent", field.name));
    }
    if field.name == SCALE_BIAS {
        all.insert(format!("{SCALE_BIAS} given"));
    }
    if field.name == FUSED_ACTIVATION {
        for activation in spec.operators().iter().filter(|other| spec.fusable_from(other, operator).is_some()) {
            let feature = format!("{FUSED_ACTIVATION} {}", activation.short_name());
            match spec.meanings(activation).next() {
                Some(_) => _ = all.insert(feature),
                None => left_out.push((feature, "the activation has no meaning yet")),
            }
        }
    }
    let Some(known) = field.enumeration().and_then(|name| spec.enumeration(name)) else { return };
    if known.name == "DML_TENSOR_DATA_TYPE" {
        return;
    }
    for value in &known.values {
        let feature = format!("{} {}", field.name, value.name);
        match spec.meanings(operator).any(|meaning| meaning.covers(&field.name, &value.name)) {
            true => _ = all.insert(feature),
            false => {
                let reason = reason_of(operator, &feature).unwrap_or("no meaning says what it does");
                left_out.push((feature, reason));
            }
        }
    }
}

/// Returns whether the types of two tensors have to be equal.
fn have_one_type(operator: &Operator, one: &str, other: &str) -> bool {
    let is_in = |names: &[String], name: &str| names.iter().any(|known| known == name);
    let mut groups = operator.tensor_constraints.iter().filter(|c| c.same.contains(&Property::DataType));
    groups.any(|group| is_in(&group.tensors, one) && is_in(&group.tensors, other))
}

/// Returns the blocks of all support tables that hold at a level of the operator.
fn blocks(operator: &Operator) -> impl Iterator<Item = &SupportBlock> {
    operator.support.iter().flat_map(|table| table.steps()).map(|(_, block)| block)
}

/// Returns whether an input may have an element type of the output.
fn has_equal_types(operator: &Operator) -> bool {
    let Some(output) = operator.outputs().next() else { return false };
    blocks(operator).any(|block| {
        let types = |name: &str| block.row(name).and_then(|row| row.data_types.clone()).unwrap_or_default();
        let of_output = types(&output.name);
        operator.inputs().any(|input| types(&input.name).iter().any(|data_type| of_output.contains(data_type)))
    })
}

/// Returns whether a description of the operator can break a rule.
fn can_break(operator: &'static Operator, rule: Violated) -> bool {
    let spec = DirectMl::embedded();
    match rule {
        Violated::Operator => operator.introduced > FeatureLevel::ALL[0],
        Violated::Same => operator.tensor_constraints.iter().any(|c| c.same.contains(&Property::Sizes)),
        Violated::Size => blocks(operator).flat_map(|block| &block.tensors).any(|row| !row.symbolic_sizes.is_empty()),
        Violated::Enumeration => operator
            .attributes()
            .filter_map(|field| spec.enumeration(field.enumeration()?))
            .any(|known| known.name != "DML_TENSOR_DATA_TYPE"),
        Violated::ArrayLength => operator.fields.iter().any(|field| field.array_length_field.is_some()),
        Violated::FusedActivation => operator.field(FUSED_ACTIVATION).is_some(),
        Violated::Overflow | Violated::Binding => operator.inputs().next().is_some(),
        Violated::DataType => {
            let types: Vec<TensorDataType> = TensorDataType::ALL
                .into_iter()
                .filter(|data_type| data_type.bits().is_some_and(|bits| bits >= 8))
                .collect();
            let rows = blocks(operator).flat_map(|block| &block.tensors);
            rows.flat_map(|row| &row.data_types).any(|known| types.iter().any(|data_type| !known.contains(data_type)))
        }
        Violated::Field
        | Violated::DimensionCount
        | Violated::ZeroSize
        | Violated::Strides
        | Violated::Overlap
        | Violated::TotalSize
        | Violated::Alignment
        | Violated::Flags => true,
    }
}
