//! Lowers Attention to MULTIHEAD_ATTENTION, or to MULTIHEAD_ATTENTION1 if there are more heads of queries than of keys.
//! If neither operator can express the node, [`scores`] decomposes it.

use super::attention_inputs::Inputs;
use super::context::Lowering;
use super::error::LoweringError;
use super::scores;
use super::view::View;
use super::{Rule, Views};
use plumbline_spec::directml::TensorDataType;
use plumbline_tensor::DType;

pub const OPERATORS: &[(&str, Rule)] = &[("Attention", attention)];

/// Returns whether the node must be decomposed. MULTIHEAD_ATTENTION has no softcap, does not return its scores, and
/// computes in the type of the queries, which the values must share. If all keys of a query are masked, it returns
/// the mean of all values, where ONNX returns 0.
fn needs_decomposition(lower: &Lowering, inputs: &Inputs) -> Result<bool, LoweringError> {
    let own = lower.tensor(0)?.map(plumbline_tensor::Tensor::dtype);
    let asked = lower.node.optional_int("softmax_precision");
    let asked = asked.map(DType::from_code);
    let other = asked.is_some_and(|asked| asked != own) || inputs.q.data_type != inputs.v.data_type;
    Ok(lower.node.float("softcap") != 0.0 || lower.node.outputs() > 3 || other || !inputs.all_seen)
}

fn attention(lower: &mut Lowering) -> Views {
    let inputs = Inputs::read(lower)?;
    if needs_decomposition(lower, &inputs)? {
        return scores::attention(lower, inputs);
    }
    let [batch, heads, queries, width] = <[u32; 4]>::try_from(inputs.q.sizes.as_slice()).unwrap_or_default();
    let (own, value_width, keys) = (inputs.k.sizes[1], inputs.v.sizes[3], inputs.keys());
    // Joins the heads and their width into one dimension.
    let mut flat = |view: &View| {
        let turned = lower.packed(view.transposed(&[0, 2, 1, 3]))?;
        Ok::<_, LoweringError>(turned.reshaped(&[batch, turned.sizes[1], turned.sizes[2] * turned.sizes[3]]))
    };
    let [q, k, v] = [flat(&inputs.q)?, flat(&inputs.k)?, flat(&inputs.v)?];
    let mask = inputs.counts.map(|view| lower.cast(&view, TensorDataType::Int32)).transpose()?;
    let scale = scores::scale(lower, width);
    let (grouped, presents) = (heads != own, lower.node.outputs() > 1);
    let past = inputs.past.as_ref();
    let call = lower.call(if grouped { "MULTIHEAD_ATTENTION1" } else { "MULTIHEAD_ATTENTION" }).exact();
    let call = call.read("QueryTensor", &q).read("KeyTensor", &k).read("ValueTensor", &v);
    let call = call.optional("MaskTensor", mask.as_ref()).optional("RelativePositionBiasTensor", inputs.added.as_ref());
    let call = call.optional("PastKeyTensor", past.map(|[key, _]| key));
    let call = call.optional("PastValueTensor", past.map(|[_, value]| value));
    let call = call.write("OutputTensor", q.data_type, &[batch, queries, heads * value_width]);
    let call = match presents {
        true => {
            let call = call.write("OutputPresentKeyTensor", q.data_type, &[batch, own, keys, width]);
            call.write("OutputPresentValueTensor", v.data_type, &[batch, own, keys, value_width])
        }
        false => call,
    };
    let call = match grouped {
        true => call.set("QueryHeadCount", heads).set("KeyValueHeadCount", own),
        false => call.set("HeadCount", heads),
    };
    let call = call.set("Scale", scale).set("MaskFilterValue", f32::MIN);
    let mut views = call.set("MaskType", if mask.is_some() { "BOOLEAN" } else { "NONE" }).all()?;
    if lower.input(0)?.rank() == 4
        && let Some(y) = views.first_mut()
    {
        *y = y.reshaped(&[batch, queries, heads, value_width]).transposed(&[0, 2, 1, 3]);
    }
    Ok(views)
}
