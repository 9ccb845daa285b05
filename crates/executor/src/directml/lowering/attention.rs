//! Attention: MULTIHEAD_ATTENTION, or MULTIHEAD_ATTENTION1 where queries have more heads than keys.

use super::call::Neutral;
use super::context::{Lowering, scalar, stretched};
use super::error::{LoweringError, Unsupported};
use super::view::View;
use super::{Rule, Views};
use crate::cpu::ops::attention::read_masks;
use crate::refusal::Refusal;
use plumbline_spec::directml::TensorDataType;
use plumbline_tensor::DType;

pub const OPERATORS: &[(&str, Rule)] = &[("Attention", attention)];

/// Queries, keys or values with heads and their numbers as one dimension.
struct Heads {
    view: View,
    heads: u32,
    length: u32,
    width: u32,
}

impl Heads {
    fn of(lower: &mut Lowering, at: usize, count: &str) -> Result<Heads, LoweringError> {
        let view = lower.input(at)?;
        match *view.sizes.as_slice() {
            [batch, heads, length, width] => {
                let turned = lower.packed(view.transposed(&[0, 2, 1, 3]))?;
                Ok(Heads { view: turned.reshaped(&[batch, length, heads * width]), heads, length, width })
            }
            [_, length, whole] => {
                let heads = u32::try_from(lower.node.int(count)).ok().filter(|&n| n > 0 && whole % n == 0);
                let heads = heads.ok_or_else(|| Refusal::invalid(format!("`{count}` heads of {whole}")))?;
                Ok(Heads { view, heads, length, width: whole / heads })
            }
            _ => Err(Refusal::invalid(format!("input {at} has shape {:?}", view.sizes)).into()),
        }
    }
}

/// What DirectML has no way to say.
fn beyond(lower: &mut Lowering) -> Result<(), LoweringError> {
    let unsupported = |what: &str, message: &str| Err(Unsupported::value(what, message).into());
    if lower.node.float("softcap") != 0.0 {
        return unsupported("`softcap`", "is not 0: MULTIHEAD_ATTENTION caps nothing");
    }
    if lower.node.outputs() > 3 {
        return unsupported("`qk_matmul_output`", "is asked for: MULTIHEAD_ATTENTION keeps its scores");
    }
    let own = lower.tensor(0)?.map(plumbline_tensor::Tensor::dtype);
    let asked = lower.node.optional_int("softmax_precision");
    let asked = asked.map(|code| i32::try_from(code).ok().and_then(DType::from_code));
    match asked.is_some_and(|asked| asked != own) {
        true => unsupported("`softmax_precision`", "is not the type of `Q`, which MULTIHEAD_ATTENTION computes in"),
        false => Ok(()),
    }
}

/// A mask that says which keys count, and one that is added to scores.
type Masks = (Option<View>, Option<View>);

/// Both masks of scores of these sizes. DirectML makes means of a row without a key, and ONNX 0.
fn masks(lower: &mut Lowering, sizes: [u32; 4], past: u32) -> Result<Masks, LoweringError> {
    (3..lower.inputs()).try_for_each(|at| if matches!(at, 3 | 6) { lower.known(at).map(|_| ()) } else { Ok(()) })?;
    let [batch, heads, queries, keys] = sizes.map(|size| size as usize);
    let read = read_masks(lower.node, [batch, heads, queries, keys], past as usize)?;
    let seen = |row: usize| {
        let (batch, query) = (row / queries / heads, row % queries);
        (0..keys).any(|key| read.bias(batch, row, query, key) != f64::NEG_INFINITY)
    };
    if !(0..batch * heads * queries).all(seen) {
        return Err(Unsupported::value("`attn_mask`", "or another leaves a query without a key, which gives 0").into());
    }
    // What lengths and attributes hide is part of the graph.
    let counted = if lower.tensor(6)?.is_some() { batch } else { 1 };
    let places = (0..counted * queries * keys).map(|at| (at / keys / queries, at / keys % queries, at % keys));
    let shown: Vec<u8> = places.map(|(batch, query, key)| u8::from(!read.hides(batch, query, key))).collect();
    let own = [counted as u32, 1, sizes[2], sizes[3]];
    let shown = shown.contains(&0).then(|| lower.constants("keys that count", TensorDataType::Uint8, &own, shown));
    let (mut booleans, mut added) = (shown, None);
    if let Some(mask) = lower.optional(3)? {
        let wide = lengthened(lower, &mask, read.known as u32, sizes[3])?;
        if lower.tensor(3)?.is_some_and(|mask| mask.dtype() == DType::Bool) {
            let wide = wide.placed(4 - wide.rank(), 4);
            booleans = Some(match booleans {
                Some(shown) => lower.binary("ELEMENT_WISE_LOGICAL_AND", [&wide, &shown], TensorDataType::Uint8)?,
                None => wide,
            });
        } else {
            added = Some(stretched(&wide, &sizes)?);
        }
    }
    let booleans = booleans.map(|view| lower.cast(&view, TensorDataType::Int32)).transpose()?;
    Ok((booleans, added))
}

/// A mask of fewer keys than there are, with more, which are hidden elsewhere.
fn lengthened(lower: &mut Lowering, mask: &View, known: u32, keys: u32) -> Result<View, LoweringError> {
    let Some((&last, outer)) = mask.sizes.split_last() else { return Ok(mask.clone()) };
    if known == keys || last != known {
        return Ok(mask.clone());
    }
    let (zeros, sizes) = (vec![0; mask.rank()], [outer, &[keys]].concat());
    let mut end = zeros.clone();
    end[mask.rank() - 1] = i64::from(keys - last);
    let call = lower.call("PADDING1").read("InputTensor", mask).write("OutputTensor", mask.data_type, &sizes);
    let call = call.along("StartPadding", zeros, Neutral::Value(0)).along("EndPadding", end, Neutral::Value(0));
    let call = call.set("PaddingMode", "CONSTANT").set("PaddingValueDataType", mask.data_type);
    call.set("PaddingValue", scalar(mask.data_type, 0.0)).one()
}

fn attention(lower: &mut Lowering) -> Views {
    beyond(lower)?;
    let q = Heads::of(lower, 0, "q_num_heads")?;
    let (k, v) = (Heads::of(lower, 1, "kv_num_heads")?, Heads::of(lower, 2, "kv_num_heads")?);
    let of_four = lower.input(0)?.rank() == 4;
    let pasts = [lower.optional(4)?, lower.optional(5)?];
    let batch = q.view.sizes[0];
    let whole = k.heads == v.heads && k.length == v.length && k.width == q.width && q.heads % k.heads == 0;
    let past = match &pasts {
        [None, None] => 0,
        [Some(key), Some(value)] if key.rank() == 4 && value.rank() == 4 && key.sizes[2] == value.sizes[2] => {
            key.sizes[2]
        }
        _ => return Err(Refusal::invalid("a past without its other half").into()),
    };
    if !whole || [k.view.sizes[0], v.view.sizes[0]] != [batch; 2] {
        return Err(Refusal::invalid("queries, keys and values do not go together").into());
    }
    let keys = past + k.length;
    let (mask, added) = masks(lower, [batch, q.heads, q.length, keys], past)?;
    let scale = lower.node.optional_float("scale").unwrap_or((1.0 / f64::from(q.width).sqrt()) as f32);
    let grouped = q.heads != k.heads;
    let presents = lower.node.outputs() > 1;
    let data_type = q.view.data_type;
    let call = lower.call(if grouped { "MULTIHEAD_ATTENTION1" } else { "MULTIHEAD_ATTENTION" }).exact();
    let call = call.read("QueryTensor", &q.view).read("KeyTensor", &k.view).read("ValueTensor", &v.view);
    let call = call.optional("MaskTensor", mask.as_ref()).optional("RelativePositionBiasTensor", added.as_ref());
    let call = call.optional("PastKeyTensor", pasts[0].as_ref()).optional("PastValueTensor", pasts[1].as_ref());
    let call = call.write("OutputTensor", data_type, &[batch, q.length, q.heads * v.width]);
    let call = match presents {
        true => {
            let call = call.write("OutputPresentKeyTensor", data_type, &[batch, k.heads, keys, k.width]);
            call.write("OutputPresentValueTensor", v.view.data_type, &[batch, k.heads, keys, v.width])
        }
        false => call,
    };
    let call = match grouped {
        true => call.set("QueryHeadCount", q.heads).set("KeyValueHeadCount", k.heads),
        false => call.set("HeadCount", q.heads),
    };
    let call = call.set("Scale", scale).set("MaskFilterValue", f32::MIN);
    let mut views = call.set("MaskType", if mask.is_some() { "BOOLEAN" } else { "NONE" }).all()?;
    if of_four && let Some(y) = views.first_mut() {
        *y = y.reshaped(&[batch, q.length, q.heads, v.width]).transposed(&[0, 2, 1, 3]);
    }
    Ok(views)
}
