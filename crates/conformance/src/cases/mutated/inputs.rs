//! Changes of inputs: left out, added, swapped, and with other types, shapes and elements.

use plumbline_generator::{Choices, short_type};
use plumbline_tensor::{DType, DTypeKind, Tensor, Value};

use super::attributes::{integer, pick, word};
use crate::cases::edit::Edit;
use crate::cases::element::{Element, map};
use crate::cases::scene::Scene;

/// The numbers that floating-point elements are changed to; they are rounded to the type.
const NUMBERS: [f64; 8] = [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, 0.0, -0.0, -1.0, 1e300, 1e-42];

/// Leaves out an input, whether it is optional or not.
pub(super) fn left_out(scene: &Scene, choices: &mut Choices) -> Option<Vec<Edit>> {
    let place = place(scene, choices)?;
    // A node without inputs tests nothing.
    (scene.node()?.input.len() > 1).then(|| vec![Edit::EmptyName(place)])
}

/// Adds one of the inputs once more, after the last one.
pub(super) fn one_more(scene: &Scene, choices: &mut Choices) -> Option<Vec<Edit>> {
    let source = scene.node()?.input.get(place(scene, choices)?)?.clone();
    Some(vec![Edit::OneMore(source)])
}

/// Swaps two inputs.
pub(super) fn swapped(scene: &Scene, choices: &mut Choices) -> Option<Vec<Edit>> {
    Some(vec![Edit::Swap(place(scene, choices)?, place(scene, choices)?)])
}

/// Converts an input to another element type.
pub(super) fn of_another_type(scene: &Scene, choices: &mut Choices) -> Option<Vec<Edit>> {
    let (input, _) = tensor(scene, choices)?;
    Some(vec![Edit::Type { input, dtype: *pick(&DType::ALL, choices)? }])
}

/// Converts all inputs of a type variable to another element type.
pub(super) fn all_of_another_type(scene: &Scene, choices: &mut Choices) -> Option<Vec<Edit>> {
    let first = place(scene, choices)?;
    let types = scene.version.types.get(&scene.version.input_at(first)?.type_)?;
    let dtype = DType::from_name(&short_type(&pick(types, choices)?.to_string()))?;
    let inputs = scene.alike(first).into_iter().filter_map(|place| scene.source(place));
    let inputs = inputs.filter(|input| scene.value(input).is_some());
    Some(inputs.map(|input| Edit::Type { input, dtype }).collect())
}

/// Adds or removes a dimension of an input, or flattens it.
pub(super) fn of_another_rank(scene: &Scene, choices: &mut Choices) -> Option<Vec<Edit>> {
    let (input, old) = tensor(scene, choices)?;
    let axis = choices.below(old.rank() as u64 + 1) as usize;
    let edit = match choices.below(3) {
        0 => Edit::NewAxis { input, axis },
        1 => {
            let flat = vec![old.len()];
            let what = format!("{:?} -> {flat:?}", old.shape());
            Edit::Value { input, value: old.reshaped(flat).ok()?.into(), what }
        }
        _ => Edit::NoAxis { input, axis },
    };
    may_be_reshaped(scene).then(|| vec![edit])
}

/// Makes an extent of an input larger or smaller by one, or 0, or 1.
pub(super) fn of_another_extent(scene: &Scene, choices: &mut Choices) -> Option<Vec<Edit>> {
    let (input, old) = tensor(scene, choices)?;
    let axis = choices.below(old.rank() as u64) as usize;
    let extent = *old.shape().get(axis)?;
    let to = match choices.below(5) {
        0 => 0,
        1 => 1,
        2 => extent.checked_sub(1)?,
        _ => extent + 1,
    };
    may_be_reshaped(scene).then(|| vec![Edit::Extent { input, axis, to }])
}

/// Changes one element of an input, or all of them to the same value.
pub(super) fn with_another_element(scene: &Scene, choices: &mut Choices) -> Option<Vec<Edit>> {
    let (input, old) = tensor(scene, choices)?;
    let at = choices.below(old.len() as u64) as usize;
    let all = choices.below(4) == 0;
    let element = match old.dtype().kind() {
        _ if old.is_empty() => return None,
        DTypeKind::String => Element::Text(word(old.strings().get(at)?, choices)),
        DTypeKind::Float | DTypeKind::Complex => Element::Float(*pick(&NUMBERS, choices)?),
        DTypeKind::Bool => Element::Int(1 - old.i128_at(at)),
        DTypeKind::SignedInteger | DTypeKind::UnsignedInteger => {
            let (low, high) = old.dtype().integer_range()?;
            Element::Int(match choices.below(4) {
                0 => low,
                1 => high,
                _ => i128::from(integer(i64::try_from(old.i128_at(at)).unwrap_or(0), choices)).clamp(low, high),
            })
        }
    };
    let new = map(&old, |i, before| if all || i == at { element.clone() } else { before })?;
    let elements = if all { "all elements".to_owned() } else { format!("element {at}") };
    let what = format!("with {elements} = {}", new.element_text(at));
    Some(vec![Edit::Value { input, value: new.into(), what }])
}

/// Changes an input that is not a tensor: removes one or all items of a sequence, repeats one, or empties an optional
/// value.
pub(super) fn with_other_items(scene: &Scene, choices: &mut Choices) -> Option<Vec<Edit>> {
    let input = scene.source(place(scene, choices)?)?;
    let (value, what) = match scene.value(&input)? {
        Value::Sequence { element, mut items } => {
            let what = match choices.below(3) {
                0 => items.pop().map(|_| "with one item fewer")?,
                1 => {
                    items.push(items.first()?.clone());
                    "with the first item once more"
                }
                _ => {
                    items.clear();
                    "without items"
                }
            };
            (Value::sequence(element, items)?, what)
        }
        Value::Optional { element, item: Some(_) } => (Value::none(element), "without a value"),
        _ => return None,
    };
    Some(vec![Edit::Value { input, value, what: what.to_owned() }])
}

/// Returns the place of an input that is given.
fn place(scene: &Scene, choices: &mut Choices) -> Option<usize> {
    let given = |(_, name): &(usize, &String)| !name.is_empty();
    let places: Vec<usize> = scene.node()?.input.iter().enumerate().filter(given).map(|(at, _)| at).collect();
    pick(&places, choices).copied()
}

/// Returns the name and the value of an input that is given. Returns `None` if it is not a tensor.
fn tensor(scene: &Scene, choices: &mut Choices) -> Option<(String, Tensor)> {
    let name = scene.source(place(scene, choices)?)?;
    let tensor = scene.value(&name)?.into_tensor()?;
    Some((name, tensor))
}

/// Returns whether inputs may get another shape. They keep it if the node has a graph as an attribute: such a graph
/// declares the shapes of its own inputs.
fn may_be_reshaped(scene: &Scene) -> bool {
    scene.node().is_some_and(|node| node.attribute.iter().all(|attribute| attribute.g.is_none()))
}
