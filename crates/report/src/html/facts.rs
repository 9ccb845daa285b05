//! The facts about an operator that the page shows besides results: versions, types, changes and rules.

use std::collections::BTreeMap;

use plumbline_spec::{
    Attribute, Change, Determinism, Formal, FormalOption, Operator, OperatorVersion, Opsets, Part, SpecDiff, Support,
    TypeStr, What,
};
use plumbline_tensor::DType;
use serde::Serialize;

use super::behaviour::Step;
use super::columns;

/// The specification of an operator, as the page shows it.
#[derive(Debug, Default, Serialize)]
pub(super) struct Facts {
    /// The complete signature of the newest version.
    signature: Vec<SignatureLine>,
    newest: u32,
    versions: Vec<VersionFacts>,
    type_tables: Vec<TypeTable>,
    constraints: Vec<Rule>,
    behaviours: Vec<Rule>,
    accuracy: Vec<Rule>,
}

/// A line of a signature: `input`, `X`, `T`, `optional`.
#[derive(Debug, Serialize)]
struct SignatureLine {
    what: &'static str,
    name: String,
    type_: String,
    note: String,
}

/// A version and its differences from the previous one.
#[derive(Debug, Serialize)]
struct VersionFacts {
    since: u32,
    /// The first release of ONNX that has this version.
    release: Option<String>,
    tags: Vec<&'static str>,
    changes: Vec<String>,
    /// What else differs from the previous version: rules, and answers of the oracle.
    step: Option<Step>,
}

/// The types that a type variable may be bound to in each version.
#[derive(Debug, Serialize)]
struct TypeTable {
    variable: String,
    versions: Vec<u32>,
    rows: Vec<TypeRow>,
}

/// Types that are allowed in the same versions.
#[derive(Debug, Serialize)]
struct TypeRow {
    types: String,
    allowed: Vec<bool>,
}

/// A rule from the rules file, which is written by hand.
#[derive(Debug, Serialize)]
struct Rule {
    label: String,
    versions: String,
    subject: Option<String>,
    status: Option<&'static str>,
    text: Vec<Span>,
    source: Option<String>,
    outcomes: Vec<String>,
}

/// A piece of a rule's text. `code` is true for a piece between backticks, which is a name.
#[derive(Debug, PartialEq, Serialize)]
pub(super) struct Span {
    code: bool,
    text: String,
}

fn spans(text: &str) -> Vec<Span> {
    let pieces = text.trim().split('`').enumerate();
    let pieces = pieces.map(|(index, text)| Span { code: index % 2 == 1, text: text.to_owned() });
    pieces.filter(|span| !span.text.is_empty()).collect()
}

impl Facts {
    pub(super) fn new(operator: &Operator) -> Facts {
        let newest = operator.versions.last();
        let mut versions = Vec::new();
        let diffs: Vec<SpecDiff> = operator.diffs().collect();
        for version in &operator.versions {
            versions.push(VersionFacts {
                since: version.since,
                release: Opsets::embedded()
                    .release_of(&operator.domain, i64::from(version.since))
                    .map(|release| release.onnx.clone()),
                tags: tags(version),
                step: super::behaviour::step(operator, version.since),
                changes: diffs.iter().find(|diff| diff.to == version.id).map(changes).unwrap_or_default(),
            });
        }
        let rules = operator.rules.clone().unwrap_or_default();
        Facts {
            signature: newest.map(signature).unwrap_or_default(),
            newest: newest.map_or(0, |version| version.since),
            versions,
            type_tables: type_tables(&operator.versions),
            constraints: rules
                .constraints
                .into_iter()
                .map(|rule| Rule {
                    versions: rule.texts(),
                    label: rule.label,
                    subject: None,
                    status: None,
                    text: spans(&rule.text),
                    source: Some(rule.source),
                    outcomes: Vec::new(),
                })
                .collect(),
            behaviours: rules
                .behaviours
                .into_iter()
                .map(|rule| Rule {
                    versions: rule.texts(),
                    label: rule.label,
                    subject: Some(rule.subject),
                    status: Some(rule.status.name()),
                    text: spans(&rule.text),
                    source: Some(rule.source),
                    outcomes: rule.outcomes,
                })
                .collect(),
            accuracy: rules
                .accuracy
                .into_iter()
                .map(|rule| Rule {
                    label: rule.step,
                    versions: rule.versions.to_string(),
                    subject: None,
                    status: None,
                    text: spans(&rule.text.unwrap_or_default()),
                    source: None,
                    outcomes: Vec::new(),
                })
                .collect(),
        }
    }
}

/// Returns the text of the first rule of an operator with this label, whichever versions it applies to.
pub(super) fn rule_text(operator: &Operator, label: &str) -> Option<Vec<Span>> {
    let rules = operator.rules.as_ref()?;
    let constraint = rules.constraints.iter().find(|rule| rule.label == label).map(|rule| &rule.text);
    let behaviour = || rules.behaviours.iter().find(|rule| rule.label == label).map(|rule| &rule.text);
    constraint.or_else(behaviour).map(|text| spans(text))
}

fn tags(version: &OperatorVersion) -> Vec<&'static str> {
    let mut tags = Vec::new();
    if version.deprecated {
        tags.push("deprecated");
    }
    if version.support == Support::Experimental {
        tags.push("experimental");
    }
    if version.function {
        tags.push("function");
    }
    if version.deterministic == Determinism::NonDeterministic {
        tags.push("non-deterministic");
    }
    tags
}

fn signature(version: &OperatorVersion) -> Vec<SignatureLine> {
    let formals = [("input", &version.inputs), ("output", &version.outputs)];
    let formals = formals.into_iter().flat_map(|(what, formals)| {
        formals.iter().map(move |formal| SignatureLine {
            what,
            name: formal.name.clone(),
            type_: bare(&formal.type_),
            note: formal_note(formal),
        })
    });
    let attributes = version.attributes.iter().map(|attribute| SignatureLine {
        what: "attribute",
        name: attribute.name.clone(),
        type_: attribute.kind.name().to_owned(),
        note: attribute_note(attribute),
    });
    formals.chain(attributes).collect()
}

fn formal_note(formal: &Formal) -> String {
    match (formal.option, formal.homogeneous) {
        (FormalOption::Single, _) => String::new(),
        (FormalOption::Optional, _) => "optional".to_owned(),
        (FormalOption::Variadic, true) => format!("variadic, {} or more", formal.min_arity),
        (FormalOption::Variadic, false) => format!("variadic, {} or more, types may differ", formal.min_arity),
    }
}

fn attribute_note(attribute: &Attribute) -> String {
    match (&attribute.default, attribute.required) {
        (Some(default), _) => format!("= {default}"),
        (None, true) => "required".to_owned(),
        (None, false) => "optional".to_owned(),
    }
}

/// Shortens `tensor(float)` to `float`. Other types keep ONNX's spelling.
fn bare(type_: &str) -> String {
    type_
        .strip_prefix("tensor(")
        .and_then(|rest| rest.strip_suffix(')'))
        .map_or_else(|| type_.to_owned(), str::to_owned)
}

/// Makes a table for each type variable. Rows are in the order of the versions that introduced their types, and the
/// types of a row are in the order of the matrix.
fn type_tables(versions: &[OperatorVersion]) -> Vec<TypeTable> {
    let mut variables: BTreeMap<&str, BTreeMap<&TypeStr, Vec<bool>>> = BTreeMap::new();
    for (index, version) in versions.iter().enumerate() {
        for (variable, type_) in version.cells() {
            let types = variables.entry(variable).or_default();
            types.entry(type_).or_insert_with(|| vec![false; versions.len()])[index] = true;
        }
    }
    let sinces: Vec<u32> = versions.iter().map(|version| version.since).collect();
    variables
        .into_iter()
        .map(|(variable, types)| {
            let mut patterns: BTreeMap<Vec<bool>, Vec<&TypeStr>> = BTreeMap::new();
            for (type_, allowed) in types {
                patterns.entry(allowed).or_default().push(type_);
            }
            let mut rows: Vec<TypeRow> = Vec::new();
            // The row that begins at the earliest version comes first: its pattern is the largest, as `true` > `false`.
            for (allowed, mut types) in patterns.into_iter().rev() {
                types.sort_by_key(|type_| type_order(type_));
                let names: Vec<String> = types.iter().map(|type_| bare(&type_.to_string())).collect();
                rows.push(TypeRow { types: names.join(", "), allowed });
            }
            TypeTable { variable: variable.to_owned(), versions: sinces.clone(), rows }
        })
        .collect()
}

/// Returns the sort key of a type: tensors in the order of the matrix, then types that contain tensors.
fn type_order(type_: &TypeStr) -> (bool, usize, String) {
    (type_.tensor_dtype().is_none(), columns::order(type_.leaf_dtype()), type_.to_string())
}

/// Lists what a version changes in the interface, one change on each line. Changes of rules are left out, because the
/// page shows rules with the versions that they apply to.
fn changes(diff: &SpecDiff) -> Vec<String> {
    let facts = |change: &&Change| match change.part {
        Part::Constraint | Part::Behaviour | Part::Accuracy => false,
        // Whether ONNX has shape inference for a version does not affect backends.
        Part::Property => change.name != "shape_inference",
        Part::Attribute | Part::Input | Part::Output | Part::Types => true,
    };
    diff.changes.iter().filter(facts).map(change_text).collect()
}

/// Formats a change: `+ T: bfloat16` for types, or the text of [`Change`].
fn change_text(change: &Change) -> String {
    let (sign, types) = match &change.what {
        What::Added { to } => ('+', to),
        What::Removed { from } => ('-', from),
        What::Changed { .. } => return change.to_string(),
    };
    let Some(types) = types.as_array().filter(|_| change.part == Part::Types) else { return change.to_string() };
    let mut types: Vec<TypeStr> = types.iter().filter_map(|type_| type_.as_str()?.parse().ok()).collect();
    types.sort_by_key(type_order);
    let names: Vec<String> = types.iter().map(|type_| bare(&type_.to_string())).collect();
    format!("{sign} {}: {}", change.name, names.join(", "))
}

/// Returns the type variable (or fixed type) that decides in which column of the matrix a cell counts. It is the one of
/// the first input, or of the first output if there are no inputs.
fn deciding_type(version: &OperatorVersion) -> Option<&str> {
    version.inputs.first().or(version.outputs.first()).map(|formal| formal.type_.as_str())
}

/// Returns whether the type variable decides in which column a cell counts.
pub(super) fn decides(version: &OperatorVersion, variable: &str) -> bool {
    deciding_type(version) == Some(variable)
}

/// Returns the column in which a cell counts, or `None` if its element type is not known.
pub(super) fn column(version: Option<&OperatorVersion>, types: &BTreeMap<String, String>) -> Option<DType> {
    let decides = version.and_then(deciding_type);
    let text = match decides {
        Some(variable) => types.get(variable).map_or(variable, String::as_str),
        None => types.values().next()?,
    };
    DType::from_name(text).or_else(|| text.parse::<TypeStr>().ok().map(|type_| type_.leaf_dtype()))
}

/// Returns the columns in which any version of an operator can have cells.
pub(super) fn allowed_columns(operator: &Operator) -> Vec<DType> {
    let mut dtypes: Vec<DType> = Vec::new();
    for version in &operator.versions {
        let Some(formal) = version.inputs.first().or(version.outputs.first()) else { continue };
        dtypes.extend(version.types_of(formal).iter().map(TypeStr::leaf_dtype));
    }
    dtypes.sort();
    dtypes.dedup();
    dtypes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn backquoted_names_in_rules_become_code() {
        let span = |code, text: &str| Span { code, text: text.to_owned() };
        assert_eq!(spans("`A` and B\n"), [span(true, "A"), span(false, " and B")]);
        assert_eq!(spans(""), []);
    }

    #[test]
    fn a_cell_counts_in_the_column_of_its_first_input() {
        let spec = plumbline_spec::Spec::embedded();
        let column = |name: &str, since, types: &[(&str, &str)]| {
            let types = types.iter().map(|&(variable, bound)| (variable.to_owned(), bound.to_owned())).collect();
            super::column(spec.operator("", name).and_then(|operator| operator.version(since)), &types)
        };
        assert_eq!(column("Cast", 13, &[("T1", "int8"), ("T2", "double")]), Some(DType::Int8));
        assert_eq!(column("Gather", 13, &[("Tind", "int64"), ("T", "bool")]), Some(DType::Bool));
        assert_eq!(column("SequenceLength", 11, &[("S", "seq(tensor(float16))")]), Some(DType::Float16));
        assert_eq!(column("NonMaxSuppression", 11, &[]), Some(DType::Float));
        assert_eq!(column("RandomNormal", 1, &[("T", "double")]), Some(DType::Double));
        assert_eq!(column("NoSuchOperator", 1, &[("T", "no type")]), None);
    }
}
