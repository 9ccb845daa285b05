//! Decomposes attention if MULTIHEAD_ATTENTION cannot express it: a product with the keys, the steps from scores to
//! weights as ONNX defines them, and a product with the values.

use super::Views;
use super::attention_inputs::Inputs;
use super::context::{Lowering, carried, scalar, stretched};
use super::error::LoweringError;
use super::matrix::{Turned, multiplied};
use super::parts::joined;
use super::reduction::{reduced, softmax_of};
use super::view::View;
use plumbline_graph::Refusal;
use plumbline_spec::directml::TensorDataType::Uint8;
use plumbline_tensor::DType;

/// Returns the factor by which scores are multiplied.
pub fn scale(lower: &Lowering, width: u32) -> f32 {
    lower.node.optional_float("scale").unwrap_or((1.0 / f64::from(width).sqrt()) as f32)
}

/// Appends keys or values to those of the past.
fn behind(lower: &mut Lowering, past: Option<&View>, view: &View) -> Result<View, LoweringError> {
    let Some(past) = past else { return Ok(view.clone()) };
    let (sizes, other) = (&past.sizes, &view.sizes);
    if sizes.len() != 4 || [sizes[0], sizes[1], sizes[3]] != [other[0], other[1], other[3]] {
        return Err(Refusal::invalid(format!(
            "past keys or values have shape {sizes:?}, which does not fit the new ones of shape {other:?}"
        ))
        .into());
    }
    joined(lower, &[past.clone(), view.clone()], 2)
}

/// Groups matrices by the key head that they belong to. Several query heads share a key head, so keys and values are
/// broadcast over the group.
fn grouped(lower: &mut Lowering, view: &View, heads: u32, group: u32) -> Result<View, LoweringError> {
    let packed = lower.packed(view.clone())?;
    let &[batch, own, length, width] = packed.sizes.as_slice() else {
        return Err(Refusal::failed("the tensor does not have 4 dimensions").into());
    };
    let matrices = packed.reshaped(&[batch * heads, own / heads, length, width]);
    stretched(&matrices, &[batch * heads, group, length, width])
}

/// Computes the attention weights. Softmax runs in `softmax_precision` if that is given. A query that sees no key
/// gets weights of 0.
fn weights(lower: &mut Lowering, scores: &View, all_seen: bool) -> Result<View, LoweringError> {
    let precision = match lower.node.optional_int("softmax_precision") {
        Some(code) => {
            let dtype = DType::from_code(code).filter(|dtype| dtype.is_float());
            carried(
                "softmax_precision",
                dtype.ok_or_else(|| Refusal::invalid("`softmax_precision` is not a floating-point type"))?,
            )?
        }
        None => scores.data_type,
    };
    let row = lower.cast(scores, precision)?;
    let softmax = softmax_of(lower, row, &[3], ["ACTIVATION_SOFTMAX", "ACTIVATION_SOFTMAX1"])?;
    let weights = lower.cast(&softmax, scores.data_type)?;
    if all_seen {
        return Ok(weights);
    }
    let largest = reduced(lower, scores, "MAX", &[3])?;
    let call = lower.call("ELEMENT_WISE_IS_INFINITY").read("InputTensor", &largest).set("InfinityMode", "NEGATIVE");
    let nothing = call.write("OutputTensor", Uint8, &largest.sizes).one()?;
    let zero = lower.constant("0", weights.data_type, scalar(weights.data_type, 0.0));
    lower.either(&nothing, [&zero, &weights])
}

/// Computes attention: the output, the keys and values including the past, and the scores after the requested step.
pub fn attention(lower: &mut Lowering, inputs: Inputs) -> Views {
    let [key, value] = match &inputs.past {
        Some([key, value]) => [Some(key), Some(value)],
        None => [None, None],
    };
    let (k, v) = (behind(lower, key, &inputs.k)?, behind(lower, value, &inputs.v)?);
    let &[batch, heads, queries, width] = inputs.q.sizes.as_slice() else {
        return Err(Refusal::failed("the tensor does not have 4 dimensions").into());
    };
    let (data_type, own, keys) = (inputs.q.data_type, k.sizes[1], k.sizes[2]);
    let (group, value_width) = (heads / own, v.sizes[3]);
    let sizes = [batch, heads, queries, keys];
    let left = grouped(lower, &inputs.q, own, group)?;
    let right = grouped(lower, &k, own, group)?;
    let factor = scale(lower, width);
    let raw = multiplied(lower, [&left, &right], Turned::Right, factor, None)?.reshaped(&sizes);
    let cap = f64::from(lower.node.float("softcap"));
    let mut capped = raw.clone();
    if cap != 0.0 {
        let share = lower.with_number("ELEMENT_WISE_DIVIDE", &raw, cap)?;
        let share = lower.unary("ACTIVATION_TANH", &share)?;
        capped = lower.with_number("ELEMENT_WISE_MULTIPLY", &share, cap)?;
    }
    let mut biased = capped.clone();
    if let Some(added) = &inputs.added {
        biased = lower.binary("ELEMENT_WISE_ADD", [&biased, added], data_type)?;
    }
    if let Some(counts) = &inputs.counts {
        let least = lower.constant("-inf", data_type, scalar(data_type, f64::NEG_INFINITY));
        biased = lower.either(counts, [&biased, &least])?;
    }
    let weights = weights(lower, &biased, inputs.all_seen)?;
    // Values of another type are cast to the type of the queries.
    let values = lower.cast(&v, data_type)?;
    let values = grouped(lower, &values, own, group)?;
    let rows = lower.packed(weights.clone())?.reshaped(&[batch * own, group, queries, keys]);
    let y = multiplied(lower, [&rows, &values], Turned::Neither, 1.0, None)?;
    let mut y = y.reshaped(&[batch, heads, queries, value_width]);
    if lower.input(0)?.rank() == 3 {
        y = lower.packed(y.transposed(&[0, 2, 1, 3]))?.reshaped(&[batch, queries, heads * value_width]);
    }
    let shown = match lower.node.int("qk_matmul_output_mode") {
        0 => raw,
        1 => capped,
        2 => biased,
        3 => weights,
        other => return Err(Refusal::invalid(format!("`qk_matmul_output_mode` is {other}, expected 0 to 3")).into()),
    };
    Ok(vec![y, k, v, shown])
}
