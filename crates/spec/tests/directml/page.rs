//! Tests that Microsoft Learn's pages of operators are read in all their forms, and that every fact on them is
//! compared. The fixtures imitate such pages; their text is not Microsoft's.

use super::{directml, operator};
use plumbline_spec::directml::page::{OperatorPage, page};
use std::fs;
use std::path::Path;

fn fixture(name: &str) -> String {
    fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/pages").join(name)).unwrap()
}

/// Returns the names of the operators that the page was compared with, and the disagreements as text.
fn compare(text: &str) -> (Vec<String>, Vec<String>) {
    let comparison = OperatorPage::parse(text).unwrap().compare(directml());
    (comparison.compared, comparison.disagreements.iter().map(ToString::to_string).collect())
}

#[test]
fn every_operator_agrees_with_the_page_written_from_it() {
    for operator in directml().operators() {
        let text = page(operator);
        assert_eq!(compare(&text), (vec![operator.name.clone()], Vec::new()), "{text}");
        let read = OperatorPage::parse(&text).unwrap();
        assert_eq!(read.fields.len(), operator.fields.len(), "{}", operator.name);
        let rows =
            read.tables.iter().flat_map(|table| &table.blocks).map(|block| block.value.rows.len()).sum::<usize>();
        let known =
            operator.support.iter().flat_map(|table| &table.blocks).map(|block| block.tensors.len()).sum::<usize>();
        assert_eq!(rows, known, "{}", operator.name);
        assert!(operator.tensor_constraints.is_empty() || read.all_constraints.is_some(), "{}", operator.name);
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
fn every_kind_of_fact_is_compared() {
    let min = "DML_OPERATOR_ELEMENT_WISE_MIN";
    let join = "DML_OPERATOR_JOIN";
    let (min_page, join_page) = (fixture("directml_min.md"), fixture("directml_join.md"));
    assert_eq!(compare(&join_page), (vec![join.to_owned()], Vec::new()));
    let cases = [
        // The kind, and whether the tensor is optional.
        (
            min,
            "| ATensor | Input |",
            "| ATensor | Output |",
            "35: 5_0 ATensor kind: Output on the page, Input in specs",
        ),
        (
            min,
            "| BTensor | Input |",
            "| BTensor | Optional input |",
            "36: 5_0 BTensor optional: true on the page, false in specs",
        ),
        // Dimension counts.
        (min, "| 1 to 8 |", "| 1 to 7 |", "35: 5_0 ATensor dimension counts: 1 to 7 on the page, 1 to 8 in specs"),
        (
            min,
            "| 4 | FLOAT32, FLOAT16 |",
            "| 4 to 5 | FLOAT32, FLOAT16 |",
            "56: 1_0 ATensor dimension counts: 4 to 5 on the page, 4 in specs",
        ),
        // Element types.
        (
            min,
            "FLOAT16, INT64,",
            "FLOAT16,",
            "35: 5_0 ATensor data types, those that differ: nothing on the page, INT64 in specs",
        ),
        (
            min,
            "FLOAT16 |",
            "FLOAT16, FLOAT64 |",
            "56: 1_0 ATensor data types, those that differ: FLOAT64 on the page, nothing in specs",
        ),
        // Constraints.
        (
            min,
            ", and *Sizes*",
            "",
            "29: tensors of the same Sizes: nothing on the page, [ATensor, BTensor, OutputTensor] in specs",
        ),
        (
            min,
            "*ATensor*, *BTensor*, and *Out",
            "*BTensor* and *Out",
            "29: tensors of the same DataType: [BTensor, OutputTensor] on the page, [ATensor, BTensor, OutputTensor] in specs",
        ),
        // Levels.
        (
            min,
            "introduced in `DML_FEATURE_LEVEL_1_0`",
            "introduced in `DML_FEATURE_LEVEL_2_0`",
            "26: introduced: 2_0 on the page, 1_0 in specs",
        ),
        (
            min,
            "### DML_FEATURE_LEVEL_2_1",
            "### DML_FEATURE_LEVEL_2_0",
            "46: support from 2_0: present on the page, nothing in specs",
        ),
        (
            min,
            "### DML_FEATURE_LEVEL_2_1",
            "### DML_FEATURE_LEVEL_2_0",
            "32: support from 2_1: nothing on the page, present in specs",
        ),
        // Rows and fields.
        (
            min,
            "| BTensor | Input | 4 | FLOAT32, FLOAT16 |\n",
            "",
            "53: 1_0 BTensor: nothing on the page, present in specs",
        ),
        (min, "### `BTensor`", "### `CTensor`", "the page: operator with these fields"),
        (join, "### -field Axis", "### -field Axes", "25: field Axes: present on the page, nothing in specs"),
        (join, "### -field Axis", "### -field Axes", "13: field Axis: nothing on the page, present in specs"),
        (join, "[**UINT**]", "[**INT**]", "13: field InputCount type: INT on the page, UINT in specs"),
        (
            join,
            "Type: **const",
            "Type: \\_Maybenull\\_ **const",
            "21: field OutputTensor optional: true on the page, false in specs",
        ),
        (
            join,
            "have the same *DataType*",
            "have the same *Sizes*",
            "33: tensors of the same Sizes: [InputTensors, OutputTensor] on the page, nothing in specs",
        ),
        (join, "DML_JOIN", "DML_JOINT", "2: exists: yes on the page, nothing in specs"),
    ];
    let mut problems = Vec::new();
    for (name, from, to, wanted) in cases {
        let text = if name == min { &min_page } else { &join_page };
        assert!(text.contains(from), "{from}");
        // A page without a name may be taken for another operator, so the page gets a name, unless the case expects
        // that no operator is found.
        let named = format!("{}\n# {}\n", text.replacen(from, to, 1), operator(name).desc_struct);
        let text = if wanted.contains("the page:") { text.replacen(from, to, 1) } else { named };
        let (_, found) = compare(&text);
        let (line, fact) = wanted.split_once(": ").unwrap_or((wanted, ""));
        if !found
            .iter()
            .any(|said| said.contains(wanted) || (said.starts_with(&format!("{line}: ")) && said.ends_with(fact)))
        {
            problems.push(format!("{wanted}\n  found {found:?}"));
        }
    }
    assert!(problems.is_empty(), "{}", problems.join("\n"));
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

#[test]
fn a_text_that_is_not_a_page_is_rejected() {
    let min = fixture("directml_min.md");
    let error = |text: &str| OperatorPage::parse(text).unwrap_err().to_string();
    assert!(error("").starts_with("the page has no operator of DirectML"));
    assert!(error("## Remarks\nDML_TENSOR_DESC\n").starts_with("the page has no operator of DirectML"));
    let cases = [
        ("| ATensor | Input |", "| ATensor | Both |", "line 35: the kind `both` is neither an input nor an output"),
        ("| 1 to 8 |", "| up to 8 |", "line 35: dimension counts must have a form such as `4` or `1 to 8`"),
        ("FLOAT16, INT64", "FLOAT16, INT65", "line 35: `INT65` is not a tensor data type"),
        ("DML_FEATURE_LEVEL_5_0", "DML_FEATURE_LEVEL_5_9", "line 32: `DML_FEATURE_LEVEL_5_9` is not a feature level"),
        ("| Kind |", "| Sort |", "line 35: the table has no column `Kind`"),
    ];
    for (from, to, message) in cases {
        let found = error(&min.replacen(from, to, 1));
        assert!(found.starts_with(message), "{to}: {found}");
    }
}
