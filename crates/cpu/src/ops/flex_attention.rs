//! FlexAttention, computed in float64. The graphs in the attributes `score_mod` and `prob_mod` may change scores and
//! weights, in the precision of the softmax.

use plumbline_tensor::DType;

use super::attention::softmax;
use super::control::array;
use super::normalization::{narrowed, wide};
use crate::array::affordable;
use crate::kernels::product::{Matrix, multiply};
use crate::node::{Node, Operator, Outputs, one};
use plumbline_graph::Refusal;

pub const OPERATORS: &[(&str, Operator)] = &[("FlexAttention", flex_attention)];

/// Runs the graph in the attribute `name` on `numbers` and returns its result. Returns the numbers unchanged if the
/// node does not have that attribute.
fn modified(
    node: &Node,
    name: &str,
    (dtype, shape): (DType, &[usize]),
    numbers: Vec<f64>,
) -> Result<Vec<f64>, Refusal> {
    if node.given(name).is_none() {
        return Ok(numbers);
    }
    let outputs = node.body(name)?.run(&[narrowed(dtype, shape, &numbers)?.into()])?;
    match &outputs[..] {
        [held] if array(held)?.shape() == shape && array(held)?.dtype() == dtype => wide(array(held)?),
        _ => Err(Refusal::invalid(format!(
            "the graph `{name}` does not return one tensor of the type and shape {shape:?} of its input"
        ))),
    }
}

fn flex_attention(node: &Node) -> Outputs {
    let (q, k, v) = (node.input(0)?, node.input(1)?, node.input(2)?);
    let wrong = || {
        Refusal::invalid(format!(
            "the shapes of `Q` {:?}, `K` {:?} and `V` {:?} do not fit together",
            q.shape(),
            k.shape(),
            v.shape()
        ))
    };
    let (&[batch, heads, queries, size], &[_, own, keys, _], &[.., width]) = (q.shape(), k.shape(), v.shape()) else {
        return Err(wrong());
    };
    let fits = k.shape() == [batch, own, keys, size] && v.shape() == [batch, own, keys, width];
    if !fits || own == 0 || !heads.is_multiple_of(own) {
        return Err(wrong());
    }
    let precision = match node.optional_int("softmax_precision") {
        None if q.dtype() == DType::Double => DType::Double,
        None => DType::Float,
        Some(code) => DType::from_code(code)
            .filter(|dtype| matches!(dtype, DType::Float | DType::Double | DType::Float16 | DType::Bfloat16))
            .ok_or_else(|| {
                Refusal::invalid(format!(
                    "`softmax_precision` is {code}, expected float (1), float16 (10), double (11) or bfloat16 (16)"
                ))
            })?,
    };
    let scale = node.optional_float("scale").map_or_else(|| 1.0 / (size as f64).sqrt(), f64::from);
    let (q_numbers, k_numbers, v_numbers) = (wide(q)?, wide(k)?, wide(v)?);
    // Returns the index of the head of keys and values that belongs to a head of queries.
    let shared = |at: usize| at / heads * own + at % heads / (heads / own);
    let shape = [batch, heads, queries, keys];
    let mut scores = vec![0.0; affordable(&shape)?];
    for (at, scores) in scores.chunks_mut((queries * keys).max(1)).enumerate() {
        let query = Matrix::new(&q_numbers[at * queries * size..], queries, size);
        multiply(scores, query, Matrix::new(&k_numbers[shared(at) * keys * size..], keys, size).turned());
        scores.iter_mut().for_each(|x| *x *= scale);
    }
    let mut weights = modified(node, "score_mod", (precision, &shape), scores)?;
    weights.chunks_mut(keys.max(1)).for_each(softmax);
    let weights = modified(node, "prob_mod", (precision, &shape), weights)?;
    let shape = [batch, heads, queries, width];
    let mut out = vec![0.0; affordable(&shape)?];
    for (at, out) in out.chunks_mut((queries * width).max(1)).enumerate() {
        let value = Matrix::new(&v_numbers[shared(at) * keys * width..], keys, width);
        multiply(out, Matrix::new(&weights[at * queries * keys..], queries, keys), value);
    }
    one(narrowed(q.dtype(), &shape, &out)?)
}
