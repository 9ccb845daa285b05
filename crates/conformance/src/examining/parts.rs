//! Models that may be joined, and which of them are.

use std::collections::{BTreeMap, VecDeque};

use plumbline_judge::Right;
use plumbline_oracle::Operand;
use plumbline_tensor::{Model, Value};

use crate::cases::UnionKey;
use crate::examining::session_runs::Runs;

/// The largest number of bytes of the models and inputs, and of elements of the outputs, that a pack has.
const MOST_BYTES: usize = 4 << 20;

/// A model with the inputs of each run of its session, which may be joined with others.
pub(super) struct Part<'a> {
    pub model: &'a Model,
    pub inputs: Vec<&'a [Value]>,
    /// About how many bytes it has.
    bytes: usize,
}

impl<'a> Part<'a> {
    /// Returns a part. `outputs` is the number of bytes of the outputs of a run.
    pub fn new(model: &'a Model, inputs: Vec<&'a [Value]>, outputs: usize) -> Part<'a> {
        let of_run = inputs.first().map_or(0, |inputs| bytes(inputs)) + outputs;
        Part { model, bytes: model.to_bytes().len() + inputs.len() * of_run, inputs }
    }

    /// Returns the part of a case with its further runs.
    pub fn of_runs(runs: &'a Runs) -> Part<'a> {
        let outputs: Vec<Value> = match runs.right {
            Right::Outputs { operands, .. } => operands.iter().map(Operand::to_value).collect(),
            _ => vec![],
        };
        let again = runs.again().iter().map(|(further, _)| &further.case.inputs[..]);
        let inputs = std::iter::once(&runs.case.inputs[..]).chain(again).collect();
        Part::new(&runs.case.model, inputs, bytes(&outputs))
    }
}

/// Returns about how many bytes values have.
fn bytes(values: &[Value]) -> usize {
    values.iter().flat_map(Value::tensors).map(|tensor| tensor.len() * tensor.dtype().size().max(1)).sum()
}

/// Divides the parts that may be in packs, each with others whose models have the same key.
pub(super) fn divided(parts: &[Part], packed: impl Iterator<Item = usize>, size: usize) -> VecDeque<Vec<usize>> {
    let mut open: BTreeMap<UnionKey, (Vec<usize>, usize)> = BTreeMap::new();
    let mut full = VecDeque::new();
    for at in packed {
        let Some(key) = UnionKey::new(parts[at].model) else { continue };
        let bytes = parts[at].bytes;
        if bytes > MOST_BYTES {
            continue;
        }
        let pack = open.entry(key).or_default();
        if pack.0.len() >= size || pack.1 + bytes > MOST_BYTES {
            full.push_back(std::mem::take(&mut pack.0));
            pack.1 = 0;
        }
        pack.0.push(at);
        pack.1 += bytes;
    }
    full.extend(open.into_values().map(|(pack, _)| pack));
    full.retain(|pack| pack.len() > 1);
    full
}
