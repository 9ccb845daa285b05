//! The inputs of Attention, brought to one form: tensors of four dimensions, and at most one mask of each kind.

use super::call::Neutral;
use super::context::{Lowering, scalar, stretched};
use super::error::LoweringError;
use super::view::View;
use plumbline_cpu::ops::attention::read_masks;
use plumbline_graph::Refusal;
use plumbline_spec::directml::TensorDataType;
use plumbline_tensor::DType;

/// Reads queries, keys or values as a view of shape (batch, heads, length, width).
fn headed(lower: &mut Lowering, at: usize, count: &str) -> Result<View, LoweringError> {
    let view = lower.input(at)?;
    match *view.sizes.as_slice() {
        [_, _, _, _] => Ok(view),
        [batch, length, whole] => {
            let heads = u32::try_from(lower.node.int(count)).ok().filter(|&n| n > 0 && whole % n == 0);
            let heads = heads.ok_or_else(|| {
                Refusal::invalid(format!("`{count}` does not divide the last extent {whole} of input {at} into heads"))
            })?;
            Ok(view.reshaped(&[batch, length, heads, whole / heads]).transposed(&[0, 2, 1, 3]))
        }
        _ => Err(Refusal::invalid(format!("input {at} has shape {:?}, expected 3 or 4 dimensions", view.sizes)).into()),
    }
}

/// The inputs of Attention. All tensors have four dimensions.
pub struct Inputs {
    pub q: View,
    pub k: View,
    pub v: View,
    /// The keys and values of the past.
    pub past: Option<[View; 2]>,
    /// The boolean mask as bytes: 1 for keys that take part.
    pub counts: Option<View>,
    /// The float mask, which is added to the scores.
    pub added: Option<View>,
    /// Whether every query has at least one key that is not masked.
    pub all_seen: bool,
}

impl Inputs {
    /// Reads the inputs of the node and checks that they go together.
    pub fn read(lower: &mut Lowering) -> Result<Inputs, LoweringError> {
        let q = headed(lower, 0, "q_num_heads")?;
        let (k, v) = (headed(lower, 1, "kv_num_heads")?, headed(lower, 2, "kv_num_heads")?);
        let past = match [lower.optional(4)?, lower.optional(5)?] {
            [None, None] => None,
            [Some(key), Some(value)] if key.rank() == 4 && value.rank() == 4 && key.sizes[2] == value.sizes[2] => {
                Some([key, value])
            }
            _ => {
                return Err(Refusal::invalid(
                    "`past_key` and `past_value` must both be given, with 4 dimensions and equal lengths",
                )
                .into());
            }
        };
        if lower.node.names_output(1) != lower.node.names_output(2) {
            return Err(Refusal::invalid(
                "only one of the outputs `present_key` and `present_value` is named; both or neither must be",
            )
            .into());
        }
        if k.sizes[..3] != v.sizes[..3]
            || [q.sizes[0], q.sizes[3]] != [k.sizes[0], k.sizes[3]]
            || !q.sizes[1].is_multiple_of(k.sizes[1])
        {
            return Err(Refusal::invalid(
                "the shapes or numbers of heads of queries, keys and values do not fit together",
            )
            .into());
        }
        let before = past.as_ref().map_or(0, |[key, _]| key.sizes[2]);
        let sizes = [q.sizes[0], q.sizes[1], q.sizes[2], before + k.sizes[2]];
        let (counts, added, all_seen) = masks(lower, sizes, before)?;
        Ok(Inputs { q, k, v, past, counts, added, all_seen })
    }

    /// Returns the number of keys, including those of the past.
    pub fn keys(&self) -> u32 {
        self.past.as_ref().map_or(0, |[key, _]| key.sizes[2]) + self.k.sizes[2]
    }
}

/// Returns the boolean mask, the mask that is added to the scores, and whether they leave every query at least one key.
fn masks(
    lower: &mut Lowering,
    sizes: [u32; 4],
    past: u32,
) -> Result<(Option<View>, Option<View>, bool), LoweringError> {
    (3..lower.inputs()).try_for_each(|at| if matches!(at, 3 | 6) { lower.known(at).map(|_| ()) } else { Ok(()) })?;
    let [batch, heads, queries, keys] = sizes.map(|size| size as usize);
    let read = read_masks(lower.node, [batch, heads, queries, keys], past as usize)?;
    let seen = |row: usize| {
        let (batch, query) = (row / queries / heads, row % queries);
        (0..keys).any(|key| read.bias(batch, row, query, key) != f64::NEG_INFINITY)
    };
    let all_seen = (0..batch * heads * queries).all(seen);
    // Keys are also hidden if they are beyond the number of valid keys (input 6) or beyond the end of the mask, or if
    // an attribute such as `is_causal` excludes them. In the graph, a constant mask hides these keys.
    let counted = if lower.tensor(6)?.is_some() { batch } else { 1 };
    let places = (0..counted * queries * keys).map(|at| (at / keys / queries, at / keys % queries, at % keys));
    let shown: Vec<u8> = places.map(|(batch, query, key)| u8::from(!read.hides(batch, query, key))).collect();
    let own = [counted as u32, 1, sizes[2], sizes[3]];
    let shown =
        shown.contains(&0).then(|| lower.constants("keys that are not masked", TensorDataType::Uint8, &own, shown));
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
    Ok((booleans, added, all_seen))
}

/// Pads a mask that covers fewer keys than there are. [`masks`] hides the keys of the padding with a constant mask, so
/// the value of the padding is arbitrary.
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
