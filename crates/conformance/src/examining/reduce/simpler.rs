//! Simpler values and nodes: smaller extents, fewer axes, attributes and inputs, simpler numbers, common types.

use std::collections::BTreeSet;

use plumbline_tensor::onnx::AttributeProto;
use plumbline_tensor::{DType, Tensor, Value};

use super::draft::Draft;
use super::{Likeness, Search};
use crate::cases::{Element, converted, leave_out, map, resized};

/// The largest number of stretches of elements of a tensor that are tried.
const MOST_STRETCHES: usize = 64;

impl Search<'_> {
    /// Makes values and nodes simpler, in each of these ways once.
    pub(super) fn simpler(&mut self) {
        self.types();
        self.extents();
        self.axes();
        self.attributes();
        self.optional_inputs();
        self.items();
        self.elements();
    }

    /// Tries `float` in place of other floating-point types, and `int64` in place of other integers.
    fn types(&mut self) {
        let dtypes: BTreeSet<DType> = self.draft.tensors().iter().map(|(_, tensor)| tensor.dtype()).collect();
        for dtype in dtypes {
            let common = if dtype.is_float() { DType::Float } else { DType::Int64 };
            if dtype == common || !(dtype.is_float() || dtype.is_integer()) {
                continue;
            }
            let draft = self.with_all(|tensor| {
                if tensor.dtype() == dtype { converted(tensor, common, true) } else { Some(tensor.clone()) }
            });
            if let Some(draft) = draft {
                self.take(draft, Likeness::Class);
            }
        }
    }

    /// Returns the draft with all tensors replaced, also those in sequences, or `None` if one cannot be.
    fn with_all(&self, f: impl Fn(&Tensor) -> Option<Tensor>) -> Option<Draft> {
        self.draft.values().into_iter().try_fold(self.draft.clone(), |draft, (name, value)| {
            let new = replaced(&value, &f)?;
            if new == value { Some(draft) } else { draft.with_value(&name, new) }
        })
    }

    /// Makes extents smaller: all that are equal at once, also where a list of integers or an attribute says the
    /// extent, and then each axis of each tensor.
    fn extents(&mut self) {
        let extents: BTreeSet<usize> = extents(&self.draft.values());
        for extent in extents.into_iter().rev() {
            for to in smaller(extent) {
                let cut = |tensor: &Tensor| with_extent(tensor, extent, to);
                let plain = self.with_all(cut);
                let said = self.with_all(|tensor| match tensor.dtype() == DType::Int64 && tensor.rank() <= 1 {
                    true => with_number(tensor, extent as i128, to as i128),
                    false => cut(tensor),
                });
                let said = said.map(|draft| with_numbers(draft, extent as i64, to as i64));
                let mut drafts = [plain, said].into_iter().flatten();
                if drafts.any(|draft| self.take(draft, Likeness::Class)) {
                    break;
                }
            }
        }
        for (name, tensor) in self.draft.tensors() {
            for axis in 0..tensor.rank() {
                let Some(tensor) = self.draft.value(&name).and_then(Value::into_tensor) else { continue };
                for to in smaller(tensor.shape()[axis]) {
                    let mut shape = tensor.shape().to_vec();
                    shape[axis] = to;
                    let cut = resized(&tensor, shape).and_then(|cut| self.draft.clone().with_value(&name, cut.into()));
                    if cut.is_some_and(|draft| self.take(draft, Likeness::Class)) {
                        break;
                    }
                }
            }
        }
    }

    /// Removes axes of extent 1: the same axis of all tensors of the highest rank, and then of each tensor.
    fn axes(&mut self) {
        let flat = |tensor: &Tensor, axis: usize| {
            let mut shape = tensor.shape().to_vec();
            (shape.get(axis) == Some(&1)).then(|| shape.remove(axis));
            tensor.clone().reshaped(shape).ok()
        };
        let highest = self.draft.tensors().iter().map(|(_, tensor)| tensor.rank()).max().unwrap_or(0);
        for axis in 0..highest {
            let draft = self.with_all(
                |tensor| {
                    if tensor.rank() == highest { flat(tensor, axis) } else { Some(tensor.clone()) }
                },
            );
            if draft.is_some_and(|draft| self.take(draft, Likeness::Class)) {
                break;
            }
        }
        for (name, tensor) in self.draft.tensors() {
            for axis in 0..tensor.rank() {
                let draft = flat(&tensor, axis).and_then(|t| self.draft.clone().with_value(&name, t.into()));
                if draft.is_some_and(|draft| self.take(draft, Likeness::Class)) {
                    break;
                }
            }
        }
    }

    /// Removes attributes, and makes the numbers of the others smaller.
    fn attributes(&mut self) {
        for node in 0..self.draft.graph().node.len() {
            let mut at = 0;
            while let Some(attribute) = self.draft.graph().node[node].attribute.get(at).cloned() {
                let mut draft = self.draft.clone();
                draft.graph_mut().node[node].attribute.remove(at);
                if self.take(draft, Likeness::Class) {
                    continue;
                }
                for simpler in simpler_attributes(&attribute) {
                    let mut draft = self.draft.clone();
                    draft.graph_mut().node[node].attribute[at] = simpler;
                    if self.take(draft, Likeness::Class) {
                        break;
                    }
                }
                at += 1;
            }
        }
    }

    /// Leaves out inputs of nodes, the last ones first.
    fn optional_inputs(&mut self) {
        for node in 0..self.draft.graph().node.len() {
            let inputs = self.draft.graph().node.get(node).map_or(0, |node| node.input.len());
            for at in (0..inputs).rev() {
                let mut draft = self.draft.clone();
                // With an input, nodes that nothing reads any more may have gone.
                let node = draft.graph_mut().node.get_mut(node).filter(|node| at < node.input.len());
                if node.and_then(|node| leave_out(&mut node.input, at)).is_some() {
                    self.take(draft.tidied(), Likeness::Class);
                }
            }
        }
    }

    /// Drops items of sequences.
    fn items(&mut self) {
        let names: Vec<String> = self.draft.model.input_names().into_iter().map(str::to_owned).collect();
        for name in names {
            let mut at = 0;
            while let Some(Value::Sequence { element, mut items }) = self.draft.value(&name)
                && at < items.len()
                && !self.exhausted()
            {
                items.remove(at);
                let draft = self.draft.clone().with_value(&name, Value::Sequence { element, items });
                at += usize::from(!draft.is_some_and(|draft| self.take(draft, Likeness::Class)));
            }
        }
    }

    /// Makes elements simpler: 0 or 1 in place of all, of stretches or of single ones, or whole numbers.
    fn elements(&mut self) {
        for (name, tensor) in self.draft.tensors() {
            let all = 0..tensor.len();
            if self.set(&name, all.clone(), Some(0)) || self.set(&name, all, Some(1)) {
                continue;
            }
            let mut size = tensor.len().div_ceil(2);
            while size > 0 && tensor.len().div_ceil(size) <= MOST_STRETCHES && !self.exhausted() {
                for from in (0..tensor.len()).step_by(size) {
                    let stretch = from..(from + size).min(tensor.len());
                    _ = [Some(0), Some(1), None].into_iter().any(|to| self.set(&name, stretch.clone(), to));
                }
                size = if size == 1 { 0 } else { size.div_ceil(2) };
            }
        }
    }

    /// Changes some elements of a tensor to a number, or rounds them to whole numbers for `None`. Returns whether the
    /// change is kept. Elements that are 0 or 1 stay.
    fn set(&mut self, name: &str, at: std::ops::Range<usize>, to: Option<u8>) -> bool {
        let Some(tensor) = self.draft.value(name).and_then(Value::into_tensor) else { return false };
        let is_simple = |x: f64| x == 0.0 && x.is_sign_positive() || x == 1.0;
        let new = map(&tensor, |i, element| match (element, to) {
            (element, _) if !at.contains(&i) => element,
            (Element::Float(x), _) if is_simple(x) => Element::Float(x),
            (Element::Float(x), to) => Element::Float(to.map_or(x.trunc(), f64::from)),
            (Element::Int(x), Some(to)) if !(0..2).contains(&x) => Element::Int(to.into()),
            (Element::Int(x), _) => Element::Int(x),
            (Element::Text(_), _) => Element::Text(vec![]),
        });
        let draft = new.and_then(|new| self.draft.clone().with_value(name, new.into()));
        draft.is_some_and(|draft| self.take(draft, Likeness::Class))
    }
}

/// Returns all extents of the tensors in these values that can be smaller.
fn extents(values: &[(String, Value)]) -> BTreeSet<usize> {
    let tensors = values.iter().flat_map(|(_, value)| value.tensors());
    tensors.flat_map(|tensor| tensor.shape().to_vec()).filter(|&extent| extent > 1).collect()
}

/// Replaces the tensors in a value.
fn replaced(value: &Value, f: &impl Fn(&Tensor) -> Option<Tensor>) -> Option<Value> {
    let all = |items: &[Value]| items.iter().map(|item| replaced(item, f)).collect::<Option<Vec<_>>>();
    Some(match value {
        Value::Tensor(tensor) => Value::Tensor(f(tensor)?),
        Value::Sequence { element, items } => Value::Sequence { element: element.clone(), items: all(items)? },
        other => other.clone(),
    })
}

/// Returns smaller extents to try, the smallest one first.
fn smaller(extent: usize) -> Vec<usize> {
    let mut all = vec![1, 2, extent / 2, extent.saturating_sub(1)];
    all.retain(|&to| to > 0 && to < extent);
    all.dedup();
    all
}

/// Gives a tensor another extent on each axis that has this one.
fn with_extent(tensor: &Tensor, from: usize, to: usize) -> Option<Tensor> {
    resized(tensor, tensor.shape().iter().map(|&extent| if extent == from { to } else { extent }).collect())
}

/// Replaces a number in a tensor of integers.
fn with_number(tensor: &Tensor, from: i128, to: i128) -> Option<Tensor> {
    map(tensor, |_, element| if element == Element::Int(from) { Element::Int(to) } else { element })
}

/// Replaces a number in the attributes of all nodes.
fn with_numbers(mut draft: Draft, from: i64, to: i64) -> Draft {
    for attribute in draft.graph_mut().node.iter_mut().flat_map(|node| &mut node.attribute) {
        attribute.i.iter_mut().chain(&mut attribute.ints).filter(|number| **number == from).for_each(|n| *n = to);
    }
    draft
}

/// Returns simpler values of an attribute, the simplest ones first.
fn simpler_attributes(attribute: &AttributeProto) -> Vec<AttributeProto> {
    let mut found = Vec::new();
    let mut add = |change: &dyn Fn(&mut AttributeProto)| {
        let mut simpler = attribute.clone();
        change(&mut simpler);
        found.push(simpler);
    };
    if let Some(i) = attribute.i.filter(|i| !(0..2).contains(i)) {
        [0, 1, i / 2].into_iter().for_each(|to| add(&|a| a.i = Some(to)));
    }
    if let Some(f) = attribute.f.filter(|f| *f != 0.0 && *f != 1.0) {
        [0.0, 1.0, f.trunc()].into_iter().for_each(|to| add(&|a| a.f = Some(to)));
    }
    for at in 0..attribute.ints.len() {
        let old = attribute.ints[at];
        if !(0..2).contains(&old) {
            [0, 1, old / 2].into_iter().for_each(|to| add(&|a| a.ints[at] = to));
        }
    }
    found
}
