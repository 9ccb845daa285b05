//! Checks that the facts of `specs/directml` are consistent. The loader has parsed each file before.

use super::data_type::TensorDataType;
use super::field::Field;
use super::level::FeatureLevel;
use super::lowering::Lowering;
use super::operator::{OPERATOR_PREFIX, Operator};
use super::support::SupportTable;
use super::types::{EnumValue, Enumeration, Types};
use crate::error::SpecError;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// Facts, with the path and text of the file that they were read from.
pub(super) type Read<'a, T> = (T, PathBuf, &'a str);

/// Returns an error at the first line that contains `word` in quotes, or at line 1 if no line does.
fn mistake(path: &Path, text: &str, word: &str, message: String) -> SpecError {
    let quoted = format!("\"{word}\"");
    let line = text.lines().position(|line| line.contains(&quoted)).map_or(1, |index| index + 1);
    SpecError::data(path, line, message)
}

/// Returns the first item that equals an earlier one.
fn twice<T: Ord>(items: impl IntoIterator<Item = T>) -> Option<T> {
    let items: Vec<T> = items.into_iter().collect();
    let mut seen = BTreeSet::new();
    let at = items.iter().position(|item| !seen.insert(item))?;
    items.into_iter().nth(at)
}

/// Checks that an operator is consistent, and that its file is named after it. Sets `introduced` of each support table
/// to that of the operator.
pub(super) fn named_operator<'a>(
    file: &str,
    mut operator: Operator,
    path: PathBuf,
    text: &'a str,
) -> Result<Read<'a, Operator>, SpecError> {
    let error = |word: &str, message: String| Err(mistake(&path, text, word, message));
    if !operator.name.starts_with(OPERATOR_PREFIX) {
        return error(&operator.name, format!("`{}` does not start with {OPERATOR_PREFIX}", operator.name));
    }
    if file != format!("{}.json", operator.name) {
        return error(&operator.name, format!("describes {0}; that belongs in {0}.json", operator.name));
    }
    if let Some(name) = twice(operator.fields.iter().map(|field| &field.name)) {
        return error(name, format!("a second field `{name}`"));
    }
    for field in &operator.fields {
        let length = field.array_length_field.as_deref();
        if field.type_.is_array() != length.is_some() || length.is_some_and(|name| operator.field(name).is_none()) {
            return error(
                &field.name,
                format!(
                    "`{}`: for an array, `array_length_field` must name a field; otherwise it must be absent",
                    field.name
                ),
            );
        }
    }
    for constraint in &operator.tensor_constraints {
        let tensors = constraint.tensors.iter();
        if let Some(name) = tensors.clone().find(|name| !operator.tensors().any(|field| field.name == **name)) {
            return error("tensor_constraints", format!("a constraint names `{name}`, which is not a tensor"));
        }
        if constraint.same.is_empty() || constraint.tensors.len() < 2 || twice(tensors).is_some() {
            return error(
                "tensor_constraints",
                "a constraint needs at least one property and two tensors, with each tensor once".to_owned(),
            );
        }
    }
    let introduced = operator.introduced;
    for table in &mut operator.support {
        table.introduced = introduced;
    }
    if operator.support.is_empty() {
        return error("support", "an operator needs a support table".to_owned());
    }
    let several = operator.support.len() > 1;
    if operator.support.iter().any(|table| table.functions.is_empty() == several) {
        return error(
            "support",
            "a single table must name no functions, and each of several tables must name at least one".to_owned(),
        );
    }
    for table in &operator.support {
        self::table(&operator, table, &path, text)?;
    }
    Ok((operator, path, text))
}

fn table(operator: &Operator, table: &SupportTable, path: &Path, text: &str) -> Result<(), SpecError> {
    let error = |message: String| Err(mistake(path, text, "support", message));
    let fields: Vec<&Field> = operator.tensors().collect();
    if table.blocks.is_empty() {
        return error("a support table needs at least one block".to_owned());
    }
    if !table.blocks.is_sorted_by(|a, b| a.min_feature_level > b.min_feature_level) {
        return error("support blocks must be ordered newest first, with each level once".to_owned());
    }
    for block in &table.blocks {
        let level = block.min_feature_level;
        let rows = block.tensors.iter().map(|row| (row.name.as_str(), row.kind));
        if !rows.eq(fields.iter().map(|field| (field.name.as_str(), field.kind))) {
            return error(format!("{level}: expected one row for each tensor, with the kinds and order of the fields"));
        }
        for row in &block.tensors {
            let counts = row.dimension_counts;
            if counts.min == 0 || counts.min > counts.max || counts.max > 8 {
                return error(format!(
                    "{level}: {}: {counts} dimensions, expected numbers from 1 to 8, the smaller one first",
                    row.name
                ));
            }
            let types = row.data_types.as_deref().unwrap_or_default();
            let wrong = types.contains(&TensorDataType::Unknown) || twice(types).is_some();
            if wrong || row.data_types.as_ref().is_some_and(Vec::is_empty) {
                return error(format!(
                    "{level}: {}: expected at least one type, each type once, and not UNKNOWN",
                    row.name
                ));
            }
        }
    }
    Ok(())
}

/// Checks that the levels and element types are those that the program knows, and that each enumeration has a name of
/// its own and values with unique names and numbers.
pub(super) fn types(types: &Types, path: &Path, text: &str) -> Result<(), SpecError> {
    let error = |word: &str, message: &str| Err(mistake(path, text, word, message.to_owned()));
    let levels = types.feature_levels.iter().map(|facts| (facts.level, facts.value));
    if !levels.eq(FeatureLevel::ALL.map(|level| (level, level.value()))) {
        return error("feature_levels", "differs from the feature levels and numbers that the program knows");
    }
    let known = TensorDataType::ALL.map(|known| (known, known.value(), known.bits(), known.introduced()));
    if !types.tensor_data_types.iter().map(|facts| (facts.name, facts.value, facts.bits, facts.introduced)).eq(known) {
        let message = "differs from the element types that the program knows, or from their numbers, bits or levels";
        return error("tensor_data_types", message);
    }
    if let Some(name) = twice(types.enums.iter().map(|known| &known.name)) {
        return error(name, "occurs twice");
    }
    for known in &types.enums {
        let names = twice(known.values.iter().map(|value| &value.name)).is_some();
        if names || twice(known.values.iter().map(|value| value.value)).is_some() || known.values.is_empty() {
            return error(&known.name, "an enumeration needs values, with each name and each number once");
        }
    }
    Ok(())
}

/// Returns the lists of levels and element types as enumerations.
pub(super) fn enumerations_of_lists(types: &Types) -> [Enumeration; 2] {
    let data_types = types.tensor_data_types.iter().map(|facts| EnumValue {
        name: facts.name.full_name(),
        value: facts.value,
        introduced: facts.introduced,
    });
    let levels = types.feature_levels.iter().map(|facts| EnumValue {
        name: facts.level.name(),
        value: facts.value,
        introduced: facts.level,
    });
    let enumeration = |name: &str, values| Enumeration { name: name.to_owned(), values };
    [enumeration("DML_TENSOR_DATA_TYPE", data_types.collect()), enumeration("DML_FEATURE_LEVEL", levels.collect())]
}

/// Checks that operators have unique names and numbers, that each enumeration or function that an operator names
/// exists, and that no function has two tables.
pub(super) fn operators(operators: &[Read<Operator>], types: &Types) -> Result<(), SpecError> {
    let mut names = BTreeSet::new();
    let mut values = BTreeSet::new();
    for (operator, path, text) in operators {
        for name in std::iter::once(&operator.name).chain(&operator.aliases) {
            if !names.insert(name) {
                return Err(mistake(path, text, name, format!("a second operator `{name}`")));
            }
        }
        if !values.insert(operator.value) {
            return Err(mistake(path, text, "value", format!("a second operator with the number {}", operator.value)));
        }
        let known = |name: &str| types.enums.iter().find(|known| known.name == name);
        let named = operator.fields.iter().filter_map(Field::enumeration);
        if let Some(name) = named.clone().find(|name| known(name).is_none()) {
            return Err(mistake(path, text, name, format!("there is no enumeration `{name}`")));
        }
        let functions: Vec<&String> = operator.support.iter().flat_map(|table| &table.functions).collect();
        let valid = |name: &&&String| named.clone().any(|e| known(e).is_some_and(|e| e.named(name).is_some()));
        if let Some(name) = functions.iter().find(|name| !valid(name)) {
            return Err(mistake(path, text, name, format!("`{name}` is not a value of a field of this operator")));
        }
        if let Some(name) = twice(functions) {
            return Err(mistake(path, text, name, format!("`{name}` has two tables")));
        }
    }
    Ok(())
}

/// Checks that every fused activation is an operator.
pub(super) fn fused(types: &Types, operators: &[Operator], path: &Path, text: &str) -> Result<(), SpecError> {
    let is_operator = |name: &str| operators.iter().any(|operator| operator.name == name);
    match types.fused_activations.iter().find(|fused| !is_operator(&fused.operator)) {
        Some(fused) => Err(mistake(path, text, &fused.operator, format!("`{}` is not an operator", fused.operator))),
        None => Ok(()),
    }
}

/// Checks that a lowering has the domain of its folder and the name of its file, and that the versions and opsets of
/// its registrations ascend.
pub(super) fn named_lowering<'a>(
    domain: &str,
    file: &str,
    lowering: Lowering,
    path: PathBuf,
    text: &'a str,
) -> Result<Read<'a, Lowering>, SpecError> {
    if lowering.domain != domain || format!("{}.json", lowering.name) != file {
        let found = format!("{}/{}", lowering.domain, lowering.name);
        return Err(SpecError::data(path, 1, format!("describes {found}; that belongs in {found}.json")));
    }
    let ascending = lowering
        .registrations
        .is_sorted_by(|a, b| a.since_version < b.since_version && a.registered_at_opset < b.registered_at_opset);
    if !ascending || lowering.registrations.is_empty() {
        return Err(SpecError::data(path, 1, "expected at least one registration, with ascending versions and opsets"));
    }
    Ok((lowering, path, text))
}

/// Checks that the operators, tensors and functions that lowerings name exist, and that a lowering gives a feature
/// level only to types that it registers.
pub(super) fn lowerings(lowerings: &[Read<Lowering>], operators: &[Operator]) -> Result<(), SpecError> {
    for (lowering, path, text) in lowerings {
        for registration in &lowering.registrations {
            let mut used = Vec::new();
            for name in &registration.dml_operators {
                match operators.iter().find(|operator| operator.name == *name) {
                    Some(operator) => used.push(operator),
                    None => return Err(mistake(path, text, name, format!("`{name}` is not an operator"))),
                }
            }
            let is_tensor = |name: &str| used.iter().any(|operator| operator.tensors().any(|f| f.name == name));
            for types in registration.type_constraints.values() {
                if let Some(name) = types.dml_tensor.as_deref().filter(|name| !is_tensor(name)) {
                    return Err(mistake(path, text, name, format!("`{name}` is not a tensor of the `dml_operators`")));
                }
                if let Some(dtype) = types.dml_min_feature_level.keys().find(|dtype| !types.types.contains(**dtype)) {
                    return Err(mistake(
                        path,
                        text,
                        dtype.name(),
                        format!("{dtype} has a level, but is not registered"),
                    ));
                }
            }
            if let Some(function) = &registration.reduce_function
                && !used.iter().any(|operator| operator.table(Some(function)).is_some())
            {
                return Err(mistake(path, text, function, format!("`{function}` has no table in the `dml_operators`")));
            }
        }
    }
    Ok(())
}
