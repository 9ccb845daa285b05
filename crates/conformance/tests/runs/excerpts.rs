//! Models are cut into their distinct nodes and connected subgraphs, and a backend that is wrong in one of them is caught.

use std::collections::BTreeMap;

use plumbline_backend::Profile;
use plumbline_conformance::excerpts::{Constants, Cut, CutError, Cutting, LeftOut, cut};
use plumbline_conformance::{FailKind, Verdict, Work};
use plumbline_tensor::{Model, Tensor, Value, tensor_from_proto};

use crate::common::{elements, run_work};
use crate::twisted::Twisted;

/// Two blocks of Mul, Add and Relu with different and equal constants, a shape that is computed, and a node of nobody's.
const MODEL: &str = r#"
    <ir_version: 8, opset_import: ["" : 17, "com.example" : 1]>
    blocks (float[batch, 4] image) => (float[batch, 4] result, other)
    <float[4] secret = {0.125, -3.5, 1.75, 2.25}, float two = {2.0}>
    {
        half = Constant <value = float {0.5}> ()
        a1 = Mul(image, secret)
        b1 = Add(a1, half)
        c1 = Relu(b1)
        a2 = Mul(c1, secret)
        b2 = Add(a2, two)
        c2 = Relu(b2)
        shape = Shape(image)
        result = Reshape(c2, shape)
        other = com.example.Mystery(c2)
    }
"#;

fn blocks(constants: Constants) -> Cut {
    let model: Model = MODEL.parse().unwrap();
    cut("blocks", model, &cutting(constants)).unwrap()
}

fn cutting(constants: Constants) -> Cutting<'static> {
    Cutting { constants, subgraphs: 100, seed: 0, inputs: None, compute: None }
}

fn operators(model: &Model) -> String {
    let nodes: Vec<&str> = model.graph().node.iter().filter_map(|node| node.op_type.as_deref()).collect();
    nodes.join(" ")
}

#[test]
fn a_model_is_cut_into_distinct_nodes_and_subgraphs() {
    let cut = blocks(Constants::Kept);
    assert_eq!(cut.nodes, 9, "without the Constant node");
    let mut found: BTreeMap<usize, Vec<String>> = BTreeMap::new();
    for excerpt in &cut.excerpts {
        let case = excerpt.draw(0, 0).unwrap();
        found.entry(case.model.graph().node.len()).or_default().push(operators(&case.model));
        let names = case.model.to_string();
        assert!(!names.contains("image") && !names.contains("secret"), "{names}");
    }
    // The two Mul differ in nothing, nor do the two Relu; the two Add have other constants.
    assert_eq!(found[&1], ["Mul", "Add", "Relu", "Add", "Shape", "Reshape"]);
    assert_eq!(cut.distinct, 6);
    // Mul Add twice, Add Relu twice, Relu Mul, Relu Reshape, Shape Reshape.
    let mut pairs = found[&2].clone();
    pairs.sort();
    assert_eq!(pairs, ["Add Relu", "Add Relu", "Mul Add", "Mul Add", "Relu Mul", "Relu Reshape", "Shape Reshape"]);
    assert_eq!(found.keys().copied().collect::<Vec<_>>(), [1, 2, 3, 4, 5, 6]);
    let left_out: Vec<(&LeftOut, usize)> =
        cut.left_out.iter().map(|(reason, nodes)| (reason, nodes[0].index)).collect();
    assert!(matches!(left_out[..], [(LeftOut::Refused(_), 9)]), "{left_out:?}");
    let few = Cutting { subgraphs: 5, ..cutting(Constants::Kept) };
    let few = plumbline_conformance::excerpts::cut("blocks", MODEL.parse().unwrap(), &few).unwrap();
    assert_eq!((few.excerpts.len(), few.subgraphs), (11, cut.subgraphs));
}

/// Returns the elements of all constants of the single nodes.
fn constants(cut: &Cut) -> Vec<Vec<f64>> {
    let singles = cut.excerpts.iter().take(cut.distinct).map(|excerpt| excerpt.draw(0, 0).unwrap());
    singles
        .flat_map(|case| case.model.graph().initializer.clone())
        .map(|c| tensor_from_proto(&c).unwrap().to_f64s())
        .collect()
}

#[test]
fn constants_are_kept_or_drawn() {
    let kept = constants(&blocks(Constants::Kept));
    assert_eq!(kept, [vec![0.125, -3.5, 1.75, 2.25], vec![0.5], vec![2.0]]);
    let cut = blocks(Constants::Drawn);
    let drawn = constants(&cut);
    // A single number is no secret, and often says what a node does.
    assert_eq!(drawn[1..], kept[1..]);
    assert!(drawn[0].iter().all(|x| (-3.5..=2.25).contains(x)) && drawn[0] != kept[0], "{drawn:?}");
    // The values of the first case come from a run with the drawn constants.
    let first = |cut: &Cut| cut.excerpts[1].draw(0, 0).unwrap().inputs;
    assert_ne!(first(&cut), first(&blocks(Constants::Kept)));
}

#[test]
fn further_cases_have_other_values_and_are_valid() {
    let cut = blocks(Constants::Kept);
    for excerpt in &cut.excerpts {
        let cases: Vec<_> = (0..3).map(|index| excerpt.draw(index, 0).unwrap()).collect();
        assert_eq!(excerpt.draw(2, 0).unwrap().inputs, cases[2].inputs);
        let of_floats =
            cases[0].inputs.iter().any(|v| v.as_tensor().is_some_and(|t| t.dtype().is_float() && t.len() > 1));
        assert!(!of_floats || cases[1].inputs != cases[2].inputs, "{excerpt}");
        assert_eq!(cases[1].model, cases[2].model);
    }
    let given: Vec<Value> = vec![Tensor::from_f32s(vec![1, 4], &[1.0, 2.0, 3.0, 4.0]).unwrap().into()];
    let with_inputs = Cutting { inputs: Some(given.clone()), ..cutting(Constants::Kept) };
    let cut = plumbline_conformance::excerpts::cut("blocks", MODEL.parse().unwrap(), &with_inputs).unwrap();
    assert_eq!(cut.excerpts[0].draw(0, 0).unwrap().inputs, given);
}

/// A canary: a backend that adds wrongly only where a Relu follows.
#[test]
fn a_wrong_fusion_is_caught_in_an_excerpt() {
    let backend = || {
        Twisted::boxed(Profile::default(), |model| {
            let is_fused = operators(model).contains("Add Relu");
            Box::new(move |inner, inputs| {
                let outputs = inner.run(inputs)?;
                Ok(if is_fused { elements(outputs, |tensor, at| tensor.bits_at(at) | 0x40_0000) } else { outputs })
            })
        })
    };
    let work: Vec<Work> = blocks(Constants::Kept).excerpts.into_iter().map(Work::Excerpt).collect();
    let pieces = work.len();
    let (outcome, rows, _) = run_work(work, 2, backend, &[]);
    assert!(outcome.broken.is_empty(), "{:?}", outcome.broken);
    assert_eq!(rows.len(), 2 * pieces);
    assert!(rows.iter().all(|row| row.suite == "model" && row.case.starts_with("model/blocks/")));
    let failed: Vec<_> = rows.iter().filter(|row| row.verdict == Verdict::Fail).collect();
    assert!(failed.len() > 8, "{} failed", failed.len());
    assert!(failed.iter().all(|row| row.op == "graph" && row.kind == Some(FailKind::WrongValue)), "{failed:?}");
}

#[test]
fn models_that_cannot_be_cut_are_errors() {
    let error = |text: &str| cut("m", text.parse().unwrap(), &cutting(Constants::Kept)).unwrap_err();
    let newer = error(r#"<ir_version: 8, opset_import: ["" : 999]> g (float[1] x) => (y) { y = Relu(x) }"#);
    assert!(matches!(newer, CutError::Opset { opset: 999, .. }), "{newer}");
    let empty = error(r#"<ir_version: 8, opset_import: ["" : 17]> g (float[1] x) => (x) { }"#);
    assert!(matches!(empty, CutError::Empty), "{empty}");
    let foreign = error(r#"<ir_version: 8, opset_import: ["com.example" : 1]> g (float[1] x) => (y) { y = Relu(x) }"#);
    assert!(matches!(foreign, CutError::Operators { .. }), "{foreign}");
    let inputs = Cutting { inputs: Some(vec![]), ..cutting(Constants::Kept) };
    let inputs = cut("blocks", MODEL.parse().unwrap(), &inputs).unwrap_err();
    assert!(matches!(inputs, CutError::Inputs { found: 0, expected: 1 }), "{inputs}");
}
