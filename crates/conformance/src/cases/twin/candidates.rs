//! Determines which changes are tried, and in which order. Changes of what the broken rule is about come first, and small
//! changes come before large ones.

use plumbline_generator::Case;
use plumbline_spec::{FormalOption, Label, Spec};
use plumbline_tensor::onnx::AttributeProto;
use plumbline_tensor::{DType, Tensor, Value, ValueKind};

use crate::cases::edit::{Aim, Edit};
use crate::cases::element::{Element, map, resized};
use crate::cases::scene::Scene;

/// Single elements of an input are changed only if it has at most this many. In a list attribute, only the first
/// elements are changed, at most this many.
const MOST_ELEMENTS: usize = 16;
/// The largest number of values that are tried for an integer, not counting 0, 1, -1 and its two neighbours.
const MOST_BOUNDS: usize = 12;
/// The rank of a change of an integer to a neighbour.
const NEAR: u32 = 2;
/// Integers with a larger magnitude than this are not changed to their neighbours.
const FAR: u128 = 64;

/// The attributes and inputs that a broken rule is about. They are changed first.
pub(super) struct About {
    names: &'static [String],
}

impl About {
    /// Returns what a rule of the operator version of a case is about.
    pub(super) fn new(case: &Case, rule: Option<Label>) -> About {
        let names = || {
            let rules = Spec::embedded().operator(&case.version.domain, &case.version.name)?.rules.as_ref()?;
            let (label, since) = (rule?.name(), case.version.since);
            let constraint = rules.constraint(label, since).map(|rule| &rule.about);
            constraint.or_else(|| rules.behaviour(label, since).map(|rule| &rule.about))
        };
        About { names: names().map_or(&[], Vec::as_slice) }
    }

    /// Returns whether the rule is about this input or attribute.
    pub(super) fn names(&self, name: &str) -> bool {
        self.names.iter().any(|known| known == name)
    }
}

/// A change with its rank. Changes of lower rank are tried first.
struct Ranked {
    rank: u32,
    edit: Edit,
}

/// Lists the changes that need no other case, in the order in which they are tried. Each changes one thing. With
/// `only`, lists only the changes with that aim.
pub(super) fn changes(scene: &Scene, about: &About, only: Option<&Aim>) -> Vec<Edit> {
    let wanted = |name: Option<&str>| only.is_none_or(|aim| name == Some(aim.name.as_str()));
    let mut found = Vec::new();
    let values = values(scene);
    let mut bounds: Vec<i128> = Vec::new();
    for (_, value) in &values {
        let Value::Tensor(tensor) = value else { continue };
        let rank = tensor.rank() as i128;
        bounds.extend([rank, rank - 1, -rank]);
        bounds
            .extend(tensor.shape().iter().flat_map(|&extent| [extent as i128, extent as i128 - 1, -(extent as i128)]));
        bounds.push(tensor.len() as i128);
    }
    bounds.sort_unstable();
    bounds.dedup();
    for attribute in scene.node().into_iter().flat_map(|node| &node.attribute) {
        if wanted(attribute.name.as_deref()) {
            of_attribute(attribute, about, &bounds, &mut found);
        }
    }
    for (name, value) in values.iter().filter(|(name, _)| wanted(Some(name))) {
        let behind = u32::from(!about.names(formal(name))) * 100;
        match value {
            Value::Tensor(tensor) => of_tensor(name, tensor, behind, &bounds, &values, &mut found),
            Value::Sequence { element, items } => of_sequence(name, element, items, behind, &mut found),
            _ => {}
        }
    }
    of_arity(scene, about, &mut found);
    found.retain(|ranked| only.is_none_or(|aim| ranked.edit.aim() == *aim));
    found.sort_by_key(|ranked| ranked.rank);
    found.into_iter().map(|ranked| ranked.edit).collect()
}

/// Returns the inputs and initializers of the model by name.
fn values(scene: &Scene) -> Vec<(String, Value)> {
    let mut names: Vec<String> = scene.model.input_names().into_iter().map(str::to_owned).collect();
    names.extend(scene.model.graph().initializer.iter().filter_map(|t| t.name.clone()));
    names.into_iter().filter_map(|name| Some((name.clone(), scene.value(&name)?))).collect()
}

/// Returns the formal input that an input of the model is named after: `inputs` for `inputs_3`.
fn formal(name: &str) -> &str {
    match name.rsplit_once('_') {
        Some((formal, number)) if number.bytes().all(|b| b.is_ascii_digit()) => formal,
        _ => name,
    }
}

/// Returns the values that an integer is changed to, each with a rank. Neighbours come first (the one toward 1 before
/// the other), together with 1, 0 and -1. Values that the shapes suggest come later.
fn integers(old: i128, bounds: &[i128]) -> Vec<(u32, i128)> {
    let up = if old <= 0 { 1 } else { -1 };
    let mut near = vec![old.saturating_add(up), 1, 0, old.saturating_sub(up), -1];
    if old.unsigned_abs() > FAR {
        near = vec![1, 0, -1];
    }
    near.retain(|&n| n != old);
    let mut far: Vec<i128> = bounds.iter().copied().filter(|n| *n != old && !near.contains(n)).collect();
    far.sort_by_key(|n| (n.saturating_sub(old).saturating_abs(), *n));
    far.truncate(MOST_BOUNDS);
    let near = near.into_iter().map(|to| (NEAR, to));
    near.chain(far.into_iter().map(|to| (NEAR + 2, to))).collect()
}

fn of_attribute(old: &AttributeProto, about: &About, bounds: &[i128], found: &mut Vec<Ranked>) {
    let Some(name) = old.name.as_deref() else { return };
    let behind = u32::from(!about.names(name)) * 100;
    let mut integer = |index: Option<usize>, i: i64| {
        for (rank, to) in integers(i128::from(i), bounds) {
            if let Ok(to) = i64::try_from(to) {
                let edit = Edit::Integer { attribute: name.to_owned(), index, to };
                found.push(Ranked { rank: rank + behind, edit });
            }
        }
    };
    if let (Some(2), Some(i)) = (old.r#type, old.i) {
        integer(None, i);
    }
    for (at, &i) in old.ints.iter().enumerate().take(MOST_ELEMENTS) {
        integer(Some(at), i);
    }
    let mut push = |rank: u32, attribute: AttributeProto| {
        if attribute != *old {
            found.push(Ranked {
                rank: rank + behind,
                edit: Edit::Attribute { attribute: Box::new(attribute), from: None },
            });
        }
    };
    if let (Some(1), Some(_)) = (old.r#type, old.f) {
        for f in [0.0, 1.0, 0.5] {
            push(2, AttributeProto { f: Some(f), ..old.clone() });
        }
    }
    // Lists are tried without their last element, and with one element more.
    let mut shorter = old.clone();
    let dropped = [shorter.ints.pop().is_some(), shorter.floats.pop().is_some(), shorter.strings.pop().is_some()];
    if dropped.contains(&true) {
        push(3, shorter);
        let mut longer = old.clone();
        longer.ints.extend(old.ints.last());
        longer.floats.extend(old.floats.last());
        longer.strings.extend(old.strings.last().cloned());
        push(3, longer);
    }
    // Lists of integers are tried without any other element, too.
    for at in (0..old.ints.len().min(MOST_ELEMENTS)).rev().skip(1) {
        let mut shorter = old.clone();
        shorter.ints.remove(at);
        push(6, shorter);
    }
    if old.ints.len() > 1 {
        for to in [0, 1] {
            push(5, AttributeProto { ints: vec![to; old.ints.len()], ..old.clone() });
        }
    }
    if let (Some(7), Some(&last)) = (old.r#type, old.ints.last()) {
        for to in [0, 1, last.saturating_add(1)] {
            let ints = old.ints.iter().copied().chain([to]).collect();
            push(5, AttributeProto { ints, ..old.clone() });
        }
    }
    found.push(Ranked { rank: 4 + behind, edit: Edit::NoAttribute(name.to_owned()) });
}

fn of_tensor(
    name: &str,
    tensor: &Tensor,
    behind: u32,
    bounds: &[i128],
    values: &[(String, Value)],
    found: &mut Vec<Ranked>,
) {
    let mut push = |rank: u32, edit: Edit| found.push(Ranked { rank: rank + behind, edit });
    let input = || name.to_owned();
    if tensor.dtype().is_integer() && tensor.len() <= MOST_ELEMENTS {
        for index in 0..tensor.len() {
            for (rank, to) in integers(tensor.i128_at(index), bounds) {
                push(rank, Edit::Element { input: input(), index, to });
            }
        }
    }
    let numbers = tensor.dtype().is_integer() || tensor.dtype().is_float() || tensor.dtype() == DType::Bool;
    if numbers && !tensor.is_empty() {
        for to in [0, 1] {
            // Elements that are no integers change together, before shapes do.
            let rank = match (tensor.dtype().is_integer(), tensor.len()) {
                (false, _) => 1,
                (true, 1) => 3,
                (true, _) => 6,
            };
            push(rank, Edit::Fill { input: input(), to });
        }
    }
    // Constraints on ranks and shapes are rarely about a single input.
    let mut push = |rank: u32, edit: Edit| {
        let behind = behind.min(50);
        found.push(Ranked { rank: rank + behind, edit });
    };
    for (axis, &extent) in tensor.shape().iter().enumerate() {
        let mut others: Vec<usize> = vec![extent + 1, extent.saturating_sub(1)];
        let shapes = values.iter().filter_map(|(_, value)| value.as_tensor()).map(Tensor::shape);
        for shape in shapes {
            let same = shape.get(axis).into_iter().chain(shape);
            others.extend(same.copied().filter(|&other| other != extent));
        }
        let mut seen = Vec::new();
        for (at, to) in others.into_iter().filter(|&other| other != extent).enumerate() {
            if !seen.contains(&to) {
                seen.push(to);
                push(2 + u32::from(at >= 2), Edit::Extent { input: input(), axis, to });
            }
        }
    }
    for axis in (0..tensor.rank()).rev() {
        push(2, Edit::NoAxis { input: input(), axis });
    }
    for axis in 0..=tensor.rank() {
        push(3, Edit::NewAxis { input: input(), axis });
    }
    let others = values.iter().filter_map(|(_, value)| value.dtype());
    let mut seen = vec![tensor.dtype()];
    for dtype in others {
        if !seen.contains(&dtype) {
            seen.push(dtype);
            push(1, Edit::Type { input: input(), dtype });
        }
    }
}

fn of_sequence(name: &str, element: &ValueKind, items: &[Value], behind: u32, found: &mut Vec<Ranked>) {
    let mut push = |what: &str, items: Vec<Value>| {
        let value = Value::Sequence { element: element.clone(), items };
        let edit = Edit::Value { input: name.to_owned(), value, what: what.to_owned() };
        found.push(Ranked { rank: 3 + behind, edit });
    };
    if let Some((last, rest)) = items.split_last() {
        push("without its last item", rest.to_vec());
        push("with its last item twice", items.iter().chain([last]).cloned().collect());
    }
    if let [first, _, ..] = items {
        push("with only its first item", vec![first.clone()]);
        push("with every item replaced by the first one", vec![first.clone(); items.len()]);
    }
}

/// Lists changes that replace the special elements of an input by ordinary ones: NaN, infinities, zeros, and numbers of
/// a very large or small magnitude by 1. Each changes one input; inputs without such elements are left out.
pub(super) fn ordinary(scene: &Scene) -> Vec<Edit> {
    let plain = |_: usize, element: Element| match element {
        Element::Float(x) if !(1e-3..=1e3).contains(&x.abs()) => Element::Float(1.0),
        Element::Int(i) if i == 0 || i.unsigned_abs() > FAR => Element::Int(1),
        other => other,
    };
    let replaced = |(input, value): (String, Value)| {
        let tensor = value.as_tensor()?;
        let value = Value::from(map(tensor, plain)?);
        let what = "with 1 in place of its special elements".to_owned();
        (value.as_tensor() != Some(tensor)).then_some(Edit::Value { input, value, what })
    };
    values(scene).into_iter().filter_map(replaced).collect()
}

/// Adds changes that leave out an input, or repeat the last one.
fn of_arity(scene: &Scene, about: &About, found: &mut Vec<Ranked>) {
    let Some(node) = scene.node() else { return };
    let variadic = scene.version.inputs.last().is_some_and(|i| i.option == FormalOption::Variadic);
    for (place, name) in node.input.iter().enumerate().rev().filter(|(_, name)| !name.is_empty()) {
        let behind = u32::from(!about.names(formal(name))) * 100;
        if scene.is_optional(place) || variadic && place + 1 >= scene.version.inputs.len() {
            found.push(Ranked { rank: 5 + behind, edit: Edit::NoInput(place) });
        }
    }
    if let Some(last) = node.input.last().filter(|name| variadic && !name.is_empty()) {
        found.push(Ranked { rank: 5, edit: Edit::OneMore(last.clone()) });
    }
}

/// Lists the changes that take one thing over from a valid case of the same cell.
pub(super) fn taken_over(scene: &Scene, donor: &Case, about: &About) -> Vec<Edit> {
    let mut found = Vec::new();
    let from = Some(donor.id.clone());
    let other = Scene::new(donor, scene.version);
    let Some((node, theirs)) = scene.node().zip(other.node()) else { return vec![] };
    for attribute in theirs.attribute.iter().filter(|a| !node.attribute.contains(a)) {
        let named = attribute.name.as_deref().is_some_and(|name| about.names(name));
        let edit = Edit::Attribute { attribute: Box::new(attribute.clone()), from: from.clone() };
        found.push(Ranked { rank: u32::from(!named), edit });
    }
    for place in 0..node.input.len().max(theirs.input.len()) {
        let Some(value) = other.input(place) else { continue };
        let Some(name) = theirs.input.get(place).filter(|name| !name.is_empty()) else { continue };
        let rank = u32::from(!about.names(formal(name)));
        let Some(old) = scene.input(place) else {
            let constant = !donor.model.input_names().contains(&name.as_str());
            let (name, from) = (name.clone(), donor.id.clone());
            found.push(Ranked { rank, edit: Edit::Given { place, name, value, constant, from } });
            continue;
        };
        let Some(input) = scene.source(place).filter(|_| old != value) else { continue };
        if let (Some(old), Some(new)) = (old.as_tensor(), value.as_tensor())
            && let Some(values) = reshaped(new, old.shape())
        {
            let what = format!("with the elements of {}", donor.id);
            found.push(Ranked { rank, edit: Edit::Value { input: input.clone(), value: values.into(), what } });
        }
        let what = format!("as in {}", donor.id);
        found.push(Ranked { rank: rank + 2, edit: Edit::Value { input, value, what } });
    }
    found.sort_by_key(|ranked| ranked.rank);
    found.into_iter().map(|ranked| ranked.edit).collect()
}

/// Returns the elements in another shape, repeated as often as necessary. Returns `None` if the shape is the same or
/// the tensor is empty.
fn reshaped(tensor: &Tensor, shape: &[usize]) -> Option<Tensor> {
    if tensor.shape() == shape || tensor.is_empty() {
        return None;
    }
    let count = plumbline_tensor::element_count(shape)?;
    let flat = tensor.clone().reshaped(vec![tensor.len()]).ok()?;
    resized(&flat, vec![count])?.reshaped(shape.to_vec()).ok()
}
