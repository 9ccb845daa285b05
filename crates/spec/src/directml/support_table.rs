//! Writes what an operator supports, in the form of the documentation.

use super::field::{Field, FieldKind};
use super::names::listed;
use super::operator::Operator;
use super::support::{SupportBlock, SupportRow};
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
