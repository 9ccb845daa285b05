//! Checks that the oracle allows a refusal in the cases that a rule leaves open, and in no others.

use crate::common::untyped;
use plumbline_oracle::Oracle;
use plumbline_tensor::{Model, Tensor, Value};

/// Returns the operator version and the label of the rule that allows a refusal of this model, or `None`.
fn refusable_model(model: &Model, inputs: &[&Tensor]) -> Option<String> {
    let inputs: Vec<Value> = inputs.iter().map(|&tensor| tensor.clone().into()).collect();
    let evaluation = Oracle::default().evaluate(model, &inputs).unwrap();
    evaluation.refusable().map(|rule| rule.to_string())
}

/// Returns what [`refusable_model`] returns for a model of one node with this number of outputs.
fn refusable(node: &str, opset: i64, inputs: &[&Tensor], outputs: usize) -> Option<String> {
    refusable_model(&untyped(node, opset, inputs.len(), outputs), inputs)
}

/// Returns what [`refusable_model`] returns for the body of a graph with the inputs `x` and `p` and the output `y`.
fn refusable_body(body: &str, opset: i64, x: &Tensor, p: &Tensor) -> Option<String> {
    let text = format!("<opset_import: [\"\" : {opset}]> nodes (x, p) => (y) {{ {body} }}");
    refusable_model(&text.parse().unwrap(), &[x, p])
}

/// Returns a tensor of float of this shape, whose elements are all 0.
fn zeros(shape: &[usize]) -> Tensor {
    Tensor::from_f32s(shape.to_vec(), &vec![0.0; shape.iter().product()]).unwrap()
}

fn list(values: &[i64]) -> Tensor {
    Tensor::from_i64s(values)
}

fn rule(name: &str) -> Option<String> {
    Some(name.to_owned())
}

#[test]
fn axes_that_a_version_does_not_describe_may_be_refused() {
    let x = zeros(&[1, 2]);
    let concat = |axis: i64, opset: i64| refusable(&format!("Concat <axis = {axis}>"), opset, &[&x, &x], 1);
    assert_eq!([concat(-1, 4), concat(1, 4), concat(-1, 11)], [rule("Concat-4 negative-axis"), None, None]);

    let squeeze = |axes: &[i64]| refusable("Squeeze", 13, &[&x, &list(axes)], 1);
    assert_eq!([squeeze(&[0, -2]), squeeze(&[0])], [rule("Squeeze-13 duplicate-axes"), None]);

    let slice = |starts: &[i64]| refusable("Slice", 13, &[&x, &list(starts), &list(&vec![1; starts.len()])], 1);
    assert_eq!([slice(&[0]), slice(&[0, 0])], [rule("Slice-13 default-axes"), None]);
    assert_eq!(refusable("Slice", 13, &[&x, &list(&[0]), &list(&[1]), &list(&[1])], 1), None);
    assert_eq!(refusable("Slice <starts = [0], ends = [1]>", 1, &[&x], 1), None);
}

#[test]
fn ranks_on_which_the_specification_contradicts_itself_may_be_refused() {
    let tanh = |shape: &[usize], opset: i64| refusable("Tanh", opset, &[&zeros(shape)], 1);
    assert_eq!([tanh(&[1, 2], 1), tanh(&[2], 1), tanh(&[1, 2], 6)], [rule("Tanh-1 input-rank"), None, None]);

    let (x, scalar) = (zeros(&[2]), Tensor::from_i64(0));
    let cumulative = |name: &str, opset: i64, axis: &Tensor| refusable(name, opset, &[&x, axis], 1);
    assert_eq!(cumulative("CumSum", 14, &list(&[0])), rule("CumSum-14 scalar-rank"));
    assert_eq!(cumulative("CumSum", 14, &scalar), None);
    assert_eq!(cumulative("CumProd", 26, &list(&[0])), None);

    for (name, inputs) in [("SequenceAt", "s, p"), ("SequenceErase", "s, p"), ("SequenceInsert", "s, x, p")] {
        let body = format!("s = SequenceConstruct (x, x) y = {name} ({inputs})");
        assert_eq!(refusable_body(&body, 11, &x, &list(&[1])), rule(&format!("{name}-11 scalar-rank")));
        assert_eq!(refusable_body(&body, 11, &x, &scalar), None);
    }
    // At position 2, the end of the sequence, SequenceInsert appends the tensor.
    let insert = "s = SequenceConstruct (x, x) y = SequenceInsert (s, x, p)";
    assert_eq!(refusable_body(insert, 11, &x, &list(&[2])), rule("SequenceInsert-11 scalar-rank"));
    assert_eq!(refusable_body(insert, 11, &x, &Tensor::from_i64(2)), None);
}

#[test]
fn empty_parts_may_be_refused() {
    let chunks = |lengths: &[i64]| refusable("SplitToSequence", 11, &[&zeros(&[3]), &list(lengths)], 1);
    assert_eq!([chunks(&[3, 0]), chunks(&[1, 2])], [rule("SplitToSequence-11 empty-chunk"), None]);

    let unique = |node: &str, shape: &[usize]| refusable(node, 11, &[&zeros(shape)], 1);
    assert_eq!(unique("Unique <axis = 1>", &[0, 2]), rule("Unique-11 empty-input"));
    assert_eq!(unique("Unique <axis = 1>", &[0, 1]), None);
    assert_eq!(unique("Unique", &[0, 2]), None);

    // The batch has two sequences. The lengths 3 and 0 make the second one empty.
    let scan = "y = Scan <num_scan_inputs = 1, body = g (a) => (float[1] b) { b = Identity (a) }> (p, x)";
    let of_lengths = |lengths: &[i64]| refusable_body(scan, 8, &zeros(&[2, 3, 1]), &list(lengths));
    assert_eq!([of_lengths(&[3, 0]), of_lengths(&[3, 1])], [rule("Scan-8 empty-sequence"), None]);
}

/// Split cuts 5 elements into 4 parts of the lengths 2, 2, 1, 0 or 2, 1, 1, 1. ONNX's shape inference computes -1 for
/// the last part.
#[test]
fn a_split_that_runs_out_of_elements_has_empty_or_nearly_equal_parts() {
    let split = |extent: usize, parts: usize| {
        let model = untyped(&format!("Split <num_outputs = {parts}>"), 18, 1, parts);
        Oracle::default().evaluate(&model, &[zeros(&[extent]).into()]).unwrap()
    };
    let lengths = |outputs: &[plumbline_oracle::Operand]| -> Vec<usize> {
        outputs.iter().map(|output| output.tensor().unwrap().len()).collect()
    };
    let uneven = split(5, 4);
    assert_eq!(lengths(&uneven.outputs), [2, 2, 1, 0]);
    assert_eq!(uneven.others.iter().map(|other| lengths(&other.outputs)).collect::<Vec<_>>(), [[2, 1, 1, 1]]);
    assert!(uneven.refusable().is_some());
    // Here the last part is empty without doubt: no other answer is accepted, and no refusal is allowed.
    let even = split(4, 3);
    assert_eq!(lengths(&even.outputs), [2, 2, 0]);
    assert!(even.others.is_empty() && even.refusable().is_none());
}

#[test]
fn negative_indices_in_old_versions_and_types_unlike_the_input_may_be_refused() {
    let scatter =
        |name: &str, opset: i64, index: i64| refusable(name, opset, &[&zeros(&[3]), &list(&[index]), &zeros(&[1])], 1);
    assert_eq!(scatter("Scatter", 9, -1), rule("Scatter-9 negative-index"));
    assert_eq!(scatter("Scatter", 9, 1), None);
    assert_eq!(scatter("ScatterElements", 11, -1), None);

    let optional = |declared: &str| refusable(&format!("Optional <type = {declared}>"), 15, &[&zeros(&[1])], 1);
    assert_eq!(optional("int64[1]"), rule("Optional-15 type-beside-input"));
    assert_eq!(optional("float[1]"), None);
}
