//! Writes an operator as a page: `plumbline spec show` prints its support tables, and a test reads the page back.

use super::super::field::{Field, FieldKind};
use super::super::names::listed;
use super::super::operator::Operator;
use super::super::support::{SupportBlock, SupportRow};
use std::fmt::Write as _;

/// Returns the support table of a block in the form of the documentation, with aligned columns.
pub fn support_table(operator: &Operator, block: &SupportBlock) -> String {
    let sizes = block.tensors.iter().any(|row| !row.symbolic_sizes.is_empty());
    let mut rows =
        vec![["Tensor", "Kind", "Dimensions", "Supported dimension counts", "Supported data types"].map(str::to_owned)];
    rows.extend(block.tensors.iter().map(|row| cells(operator.field(&row.name), row)));
    let width = |column: usize| rows.iter().map(|row| row[column].chars().count()).max().unwrap_or(0);
    let columns: Vec<(usize, usize)> =
        (0..5).filter(|&column| sizes || column != 2).map(|column| (column, width(column))).collect();
    let mut text = String::new();
    for (index, row) in rows.iter().enumerate() {
        // The types are the last column and are not padded, because the longest list would lengthen every line.
        let cell = |&(column, width): &(usize, usize)| match column {
            4 => row[4].clone(),
            _ => format!("{:width$}", row[column]),
        };
        let _ = writeln!(text, "| {} |", columns.iter().map(cell).collect::<Vec<_>>().join(" | "));
        if index == 0 {
            let rule = |&(column, width): &(usize, usize)| "-".repeat(if column == 4 { row[4].len() } else { width });
            let _ = writeln!(text, "| {} |", columns.iter().map(rule).collect::<Vec<_>>().join(" | "));
        }
    }
    text
}

fn cells(field: Option<&Field>, row: &SupportRow) -> [String; 5] {
    let array = field.is_some_and(|field| field.type_.is_array());
    let kind = match (row.kind, array, row.optional) {
        (FieldKind::OutputTensor, true, _) => "Array of outputs",
        (_, true, true) => "Optional array of inputs",
        (_, true, false) => "Array of inputs",
        (FieldKind::OutputTensor, false, true) => "Optional output",
        (FieldKind::OutputTensor, false, false) => "Output",
        (_, false, true) => "Optional input",
        (_, false, false) => "Input",
    };
    let sizes =
        if row.symbolic_sizes.is_empty() { String::new() } else { format!("{{ {} }}", listed(&row.symbolic_sizes)) };
    let types = listed(row.data_types.iter().flatten());
    [row.name.clone(), kind.to_owned(), sizes, row.dimension_counts.to_string(), types]
}

/// Returns a Markdown page with the facts that the documentation states about an operator, without explanations.
pub fn page(operator: &Operator) -> String {
    let mut text = format!("# {} structure (directml.h)\n\n", operator.desc_struct);
    if operator.in_place {
        text.push_str("This operator supports in-place execution.\n\n");
    }
    text.push_str("## Members\n\n");
    for field in &operator.fields {
        let maybe = if field.optional { "\\_Maybenull\\_ " } else { "" };
        let length = field.array_length_field.as_ref().map(|name| format!("\\_Field\\_size\\_({name}) "));
        let length = length.unwrap_or_default();
        let _ =
            writeln!(text, "### `{}`\n\nType: {maybe}{length}**{}**\n", field.name, field.c_type.replace('*', "\\*"));
    }
    let _ = writeln!(text, "## Availability\nThis operator was introduced in `{}`.\n", operator.introduced.name());
    if !operator.tensor_constraints.is_empty() {
        text.push_str("## Tensor constraints\n");
    }
    for constraint in &operator.tensor_constraints {
        let starred = |names: Vec<String>| {
            let names: Vec<String> = names.iter().map(|name| format!("*{name}*")).collect();
            match names.split_last() {
                Some((last, [])) => last.clone(),
                Some((last, [first])) => format!("{first} and {last}"),
                Some((last, rest)) => format!("{}, and {last}", rest.join(", ")),
                None => String::new(),
            }
        };
        let properties = constraint.same.iter().map(|property| format!("{property:?}")).collect();
        let _ = writeln!(text, "* {} must have the same {}.", starred(constraint.tensors.clone()), starred(properties));
    }
    let by_function = operator.function_field().is_some();
    text.push_str(if by_function { "\n## Tensor support according to function\n" } else { "\n## Tensor support\n" });
    for table in &operator.support {
        if by_function {
            let _ = writeln!(
                text,
                "### {}",
                listed(table.functions.iter().map(|name| name.trim_start_matches("DML_REDUCE_FUNCTION_")))
            );
        }
        for block in &table.blocks {
            let mark = if by_function { "####" } else { "###" };
            let table = support_table(operator, block);
            let _ = writeln!(text, "{mark} {} and above\n{table}", block.min_feature_level.name());
        }
    }
    text
}
