//! Changes of inputs: left out, added, swapped, and with other types, shapes and elements.

use plumbline_generator::{Choices, short_type};
use plumbline_tensor::{DType, DTypeKind, Tensor, Value};

use super::attributes::{integer, pick, word};
use super::text;
use crate::cases::element::{Element, converted, map, resized};
use crate::cases::scene::Scene;

/// The numbers that floating-point elements are changed to; they are rounded to the type.
const NUMBERS: [f64; 8] = [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, 0.0, -0.0, -1.0, 1e300, 1e-42];

/// Leaves out an input, whether it is optional or not.
pub(super) fn left_out(scene: &mut Scene, choices: &mut Choices) -> Option<String> {
    let place = place(scene, choices)?;
    let name = name(scene, place);
    // A node without inputs tests nothing.
    (scene.node()?.input.len() > 1).then_some(())?;
    scene.remove_input(place)?;
    Some(format!("input {name} left out"))
}

/// Adds one of the inputs once more, after the last one.
pub(super) fn one_more(scene: &mut Scene, choices: &mut Choices) -> Option<String> {
    let source = scene.node()?.input.get(place(scene, choices)?)?.clone();
    let told = format!("input {source} given once more");
    scene.node_mut()?.input.push(source);
    Some(told)
}

/// Swaps two inputs.
pub(super) fn swapped(scene: &mut Scene, choices: &mut Choices) -> Option<String> {
    let (a, b) = (place(scene, choices)?, place(scene, choices)?);
    let told = format!("inputs {} and {} swapped", name(scene, a), name(scene, b));
    scene.node_mut()?.input.swap(a, b);
    Some(told)
}

/// Converts an input to another element type.
pub(super) fn of_another_type(scene: &mut Scene, choices: &mut Choices) -> Option<String> {
    let place = place(scene, choices)?;
    let old = scene.input(place)?.into_tensor()?;
    let new = converted(&old, *pick(&DType::ALL, choices)?, true)?;
    let told = format!("input {} {} -> {}", name(scene, place), old.dtype(), new.dtype());
    scene.set_input(place, new.into())?;
    Some(told)
}

/// Converts all inputs of a type variable to another element type.
pub(super) fn all_of_another_type(scene: &mut Scene, choices: &mut Choices) -> Option<String> {
    let first = place(scene, choices)?;
    let variable = &scene.version.input_at(first)?.type_;
    let types = scene.version.types.get(variable)?;
    let dtype = DType::from_name(&short_type(&pick(types, choices)?.to_string()))?;
    let mut told = Vec::new();
    for place in scene.alike(first) {
        let Some(old) = scene.input(place) else { continue };
        let new = converted(&old.into_tensor()?, dtype, true)?;
        told.push(name(scene, place));
        scene.set_input(place, new.into())?;
    }
    Some(format!("{variable} -> {dtype} (inputs {})", told.join(", ")))
}

/// Adds or removes a dimension of an input, or flattens it.
pub(super) fn of_another_rank(scene: &mut Scene, choices: &mut Choices) -> Option<String> {
    let place = place(scene, choices)?;
    let old = scene.input(place)?.into_tensor()?;
    let mut shape = old.shape().to_vec();
    let at = choices.below(shape.len() as u64 + 1) as usize;
    let new = match choices.below(3) {
        0 => {
            shape.insert(at, 1);
            old.clone().reshaped(shape).ok()?
        }
        1 => old.clone().reshaped(vec![old.len()]).ok()?,
        _ => {
            *shape.get_mut(at)? = 1;
            let first = resized(&old, shape.clone())?;
            shape.remove(at);
            first.reshaped(shape).ok()?
        }
    };
    reshaped(scene, place, &old, new)
}

/// Makes an extent of an input larger or smaller by one, or 0, or 1.
pub(super) fn of_another_extent(scene: &mut Scene, choices: &mut Choices) -> Option<String> {
    let place = place(scene, choices)?;
    let old = scene.input(place)?.into_tensor()?;
    let mut shape = old.shape().to_vec();
    let at = choices.below(shape.len() as u64) as usize;
    let extent = shape.get_mut(at)?;
    *extent = match choices.below(5) {
        0 => 0,
        1 => 1,
        2 => extent.checked_sub(1)?,
        _ => *extent + 1,
    };
    let new = resized(&old, shape)?;
    reshaped(scene, place, &old, new)
}

/// Changes one element of an input, or all of them to the same value.
pub(super) fn with_another_element(scene: &mut Scene, choices: &mut Choices) -> Option<String> {
    let place = place(scene, choices)?;
    let old = scene.input(place)?.into_tensor()?;
    let at = choices.below(old.len() as u64) as usize;
    let all = choices.below(4) == 0;
    let (element, told) = match old.dtype().kind() {
        _ if old.is_empty() => return None,
        DTypeKind::String => {
            let new = word(old.strings().get(at)?, choices);
            (Element::Text(new.clone()), text::string(&new))
        }
        DTypeKind::Float | DTypeKind::Complex => {
            let new = *pick(&NUMBERS, choices)?;
            (Element::Float(new), format!("{new:?}"))
        }
        DTypeKind::Bool => {
            let new = 1 - old.i128_at(at);
            (Element::Int(new), (new != 0).to_string())
        }
        DTypeKind::SignedInteger | DTypeKind::UnsignedInteger => {
            let (low, high) = old.dtype().integer_range()?;
            let new = match choices.below(4) {
                0 => low,
                1 => high,
                _ => i128::from(integer(i64::try_from(old.i128_at(at)).unwrap_or(0), choices)).clamp(low, high),
            };
            (Element::Int(new), new.to_string())
        }
    };
    let new = map(&old, |i, before| if all || i == at { element.clone() } else { before })?;
    let what = if all { "all elements".to_owned() } else { format!("element {at}") };
    let told = format!("{what} of input {} -> {told}", name(scene, place));
    scene.set_input(place, new.into())?;
    Some(told)
}

/// Changes an input that is not a tensor: removes one or all items of a sequence, repeats one, or empties an optional
/// value.
pub(super) fn with_other_items(scene: &mut Scene, choices: &mut Choices) -> Option<String> {
    let place = place(scene, choices)?;
    let (new, told) = match scene.input(place)? {
        Value::Sequence { element, mut items } => {
            let told = match choices.below(3) {
                0 => items.pop().map(|_| "one item fewer")?,
                1 => {
                    items.push(items.first()?.clone());
                    "the first item once more"
                }
                _ => {
                    items.clear();
                    "no items"
                }
            };
            (Value::sequence(element, items)?, told)
        }
        Value::Optional { element, item: Some(_) } => (Value::none(element), "no value"),
        _ => return None,
    };
    let told = format!("input {} has {told}", name(scene, place));
    scene.set_input(place, new)?;
    Some(told)
}

/// Returns the place of an input that is given.
fn place(scene: &Scene, choices: &mut Choices) -> Option<usize> {
    let given = |(_, name): &(usize, &String)| !name.is_empty();
    let places: Vec<usize> = scene.node()?.input.iter().enumerate().filter(given).map(|(at, _)| at).collect();
    pick(&places, choices).copied()
}

fn name(scene: &Scene, place: usize) -> String {
    let name = scene.node().and_then(|node| node.input.get(place)).cloned();
    name.filter(|name| !name.is_empty()).unwrap_or_else(|| place.to_string())
}

/// Gives an input a tensor of another shape, unless the node has a graph as an attribute: such a graph declares the
/// shapes of its own inputs.
fn reshaped(scene: &mut Scene, place: usize, old: &Tensor, new: Tensor) -> Option<String> {
    if scene.node()?.attribute.iter().any(|attribute| attribute.g.is_some()) {
        return None;
    }
    let told = format!("shape of input {} {:?} -> {:?}", name(scene, place), old.shape(), new.shape());
    scene.set_input(place, new.into())?;
    Some(told)
}
