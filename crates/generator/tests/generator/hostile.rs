//! Checks that the oracle never panics: attributes, integer inputs and shapes of cases are replaced by extreme values,
//! which recipes rarely or never draw. `PLUMBLINE_OP=Slice` restricts the test to one operator.

use std::panic::{AssertUnwindSafe, catch_unwind};

use plumbline_generator::Case;
use plumbline_oracle::Oracle;
use plumbline_tensor::{DType, Tensor, Value};

const EXTREMES: [i64; 8] = [i64::MIN, i64::MAX, -1, 0, 1 << 40, -(1 << 40), i64::MIN + 1, 7];

/// Returns shapes with few or no elements. Some have extents with a product that overflows.
fn odd_shapes() -> Vec<Vec<usize>> {
    let huge = usize::MAX / 2;
    vec![vec![], vec![0], vec![1; 9], vec![0, huge, huge], vec![huge, 0, 3], vec![1, 0], vec![0; 4]]
}

/// Returns copies of a case, each with one number of an attribute or an integer input changed, or with zeros of another
/// shape for one input.
fn spoilt(case: &Case) -> Vec<Case> {
    let mut all = Vec::new();
    let Some((node, before)) = case.model.graph().node.split_last() else { return all };
    let at = before.len();
    for (a, attribute) in node.attribute.iter().enumerate() {
        for extreme in EXTREMES {
            let mut other = case.clone();
            let graph = other.model.proto.graph.as_mut().expect("a case has a graph");
            let spoilt = &mut graph.node[at].attribute[a];
            match (attribute.i, attribute.ints.len()) {
                (Some(_), _) => spoilt.i = Some(extreme),
                (None, 0) => continue,
                (None, length) => spoilt.ints[extreme.unsigned_abs() as usize % length] = extreme,
            }
            all.push(other);
        }
    }
    for (a, attribute) in node.attribute.iter().enumerate() {
        for extreme in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY, f32::MAX, -1.0, 0.0] {
            let mut other = case.clone();
            let graph = other.model.proto.graph.as_mut().expect("a case has a graph");
            let spoilt = &mut graph.node[at].attribute[a];
            match (attribute.f, spoilt.floats.last_mut()) {
                (Some(_), _) => spoilt.f = Some(extreme),
                (None, Some(last)) => *last = extreme,
                (None, None) => break,
            }
            all.push(other);
        }
    }
    for (i, input) in case.inputs.iter().enumerate() {
        let Value::Tensor(tensor) = input else { continue };
        for shape in odd_shapes() {
            let mut other = case.clone();
            let Ok(zeros) = Tensor::zeros(tensor.dtype(), shape) else { continue };
            other.inputs[i] = zeros.into();
            all.push(other);
        }
        if !matches!(tensor.dtype(), DType::Int64 | DType::Int32) || tensor.is_empty() {
            continue;
        }
        for extreme in EXTREMES {
            let extreme = if tensor.dtype() == DType::Int32 { i128::from(extreme as i32) } else { extreme.into() };
            let mut values = tensor.to_i128s();
            let at = extreme.unsigned_abs() as usize % values.len();
            values[at] = extreme;
            let mut other = case.clone();
            let spoilt = Tensor::from_i128s(tensor.dtype(), tensor.shape().to_vec(), &values);
            other.inputs[i] = spoilt.expect("the number of elements did not change").into();
            all.push(other);
        }
    }
    all
}

#[test]
fn the_oracle_never_panics() {
    let oracle = Oracle::default();
    let mut panicked = Vec::new();
    let mut seen = std::collections::BTreeSet::new();
    for cell in crate::selected_cells() {
        if !seen.insert(cell.version.id.to_string()) {
            continue;
        }
        for index in 0..4 {
            let Some(case) = cell.case(None, index, 1) else { continue };
            for case in spoilt(&case) {
                let answered = catch_unwind(AssertUnwindSafe(|| oracle.answer(&case.model, &case.inputs).is_ok()));
                if answered.is_err() {
                    panicked.push(case.id.clone());
                }
            }
        }
    }
    panicked.dedup();
    assert!(panicked.is_empty(), "{} cases make the oracle panic:\n{}", panicked.len(), panicked.join("\n"));
}
