//! Tests of Microsoft Learn's pages of operators of DirectML.

use super::{disagreements, fixture};
use plumbline_spec::directml::{DirectMl, Operator, support_table};
use std::fmt::Write as _;

/// Returns the names of the operators that the page was compared with, and the disagreements as text.
fn compare(text: &str) -> (Vec<String>, Vec<String>) {
    (super::compare(text).compared, disagreements(text))
}

#[test]
fn every_operator_agrees_with_the_page_written_from_it() {
    for operator in DirectMl::embedded().operators() {
        let text = page(operator);
        assert_eq!(compare(&text), (vec![operator.name.clone()], Vec::new()), "{text}");
        // Each field, constraint and row is read: the page disagrees without it.
        let heads = ["| Tensor ", "| -"];
        let is_fact = |line: &&str| ["### `", "* ", "| "].iter().any(|start| line.starts_with(start));
        let facts = text.lines().filter(is_fact).filter(|line| !heads.iter().any(|head| line.starts_with(head)));
        for line in facts {
            assert!(!disagreements(&text.replacen(&format!("{line}\n"), "", 1)).is_empty(), "{line}\n{text}");
        }
    }
}

#[test]
fn a_page_without_a_name_is_known_by_its_fields_and_formula() {
    let min = fixture("directml_min.md");
    assert_eq!(compare(&min), (vec!["DML_OPERATOR_ELEMENT_WISE_MIN".to_owned()], Vec::new()));
    let (compared, found) = compare(&min.replace("min(x", "max(x"));
    assert_eq!((compared.as_slice(), found.len()), (["DML_OPERATOR_ELEMENT_WISE_MAX".to_owned()].as_slice(), 0));
    let (compared, found) = compare(&min.replace("min(x", "f(x"));
    assert!(found.is_empty() && compared.len() > 1 && compared.contains(&"DML_OPERATOR_ELEMENT_WISE_MIN".to_owned()));
    let (_, found) = compare(&min.replace("BTensor", "CTensor"));
    assert_eq!(found, ["1: the page: operator with these fields: one on the page, nothing in specs"]);
}

#[test]
fn functions_and_sizes_are_compared() {
    let reduce = page(operator("REDUCE"));
    let (_, found) = compare(&reduce.replace("### AVERAGE, L2,", "### AVERAGE,"));
    assert!(
        found.iter().any(|said| said.contains("functions of a table: [AVERAGE, LOG_SUM, LOG_SUM_EXP] on the page")),
        "{found:?}"
    );
    let convolution = page(operator("CONVOLUTION"));
    let (_, found) = compare(&convolution.replacen("[InputDepth]", "InputDepth", 1));
    assert!(found.iter().any(|said| said.contains("InputTensor sizes: ")), "{found:?}");
    // A sentence that the parser does not understand may state the rest of the constraint, so the comparison reports
    // nothing.
    let open = page(operator("GEMM")).replacen("## Tensor support", "The rest is as usual.\n\n## Tensor support", 1);
    let less = open.replacen("*ATensor*, ", "", 1);
    assert_ne!(open, less);
    assert_eq!(compare(&less).1, Vec::<String>::new());
}

fn operator(name: &str) -> &'static Operator {
    DirectMl::embedded().operator(name).unwrap()
}

fn listed(names: impl IntoIterator<Item = impl ToString>) -> String {
    names.into_iter().map(|name| name.to_string()).collect::<Vec<_>>().join(", ")
}

/// Returns a Markdown page with the facts that the documentation states about an operator, without explanations.
fn page(operator: &Operator) -> String {
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
