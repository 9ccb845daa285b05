//! A single change of a case: what it does to the model and its inputs, and how results describe it.
//!
//! The search for twins changes a refused case until it runs. The suite of mutated cases changes a valid case at random,
//! whatever becomes of it.

mod around;

use plumbline_tensor::onnx::AttributeProto;
use plumbline_tensor::{DType, Tensor, Value, tensor_to_proto};

use crate::cases::element::{converted, resized};
use crate::cases::scene::Scene;

/// A change of one thing. Inputs are identified by their names in the model, and include initializers.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Edit {
    /// Sets one element of an input.
    Element { input: String, index: usize, to: i128 },
    /// Sets all elements of an input.
    Fill { input: String, to: i128 },
    /// Sets an integer attribute, or one element of an attribute that is a list of integers.
    Integer { attribute: String, index: Option<usize>, to: i64 },
    /// Adds or replaces an attribute. `from` is the id of the valid case that the attribute was taken from, if any.
    Attribute { attribute: Box<AttributeProto>, from: Option<String> },
    /// Removes an attribute.
    NoAttribute(String),
    /// Changes one extent of an input: cuts elements off, or repeats them from the front.
    Extent { input: String, axis: usize, to: usize },
    /// Removes an axis and keeps what lies at its first index.
    NoAxis { input: String, axis: usize },
    /// Inserts an axis of extent 1.
    NewAxis { input: String, axis: usize },
    /// Converts an input to another element type.
    Type { input: String, dtype: DType },
    /// Replaces the value of an input; `what` describes the new value.
    Value { input: String, value: Value, what: String },
    /// Removes the node's input at this place.
    NoInput(usize),
    /// Gives the node's input at this place the empty name, which stands for an input that is left out.
    EmptyName(usize),
    /// Adds this input of the node once more, after the last one.
    OneMore(String),
    /// Swaps two inputs of the node.
    Swap(usize, usize),
    /// Adds an input at this place of the node, with the value that it has in the valid case `from`.
    Given { place: usize, name: String, value: Value, constant: bool, from: String },
    /// Removes an output of the model and of the node.
    NoOutput(String),
    /// Adds an output after the node's last one.
    OneMoreOutput,
    /// Runs the model with the opset of another version of the operator. Everything else stays as it is.
    Opset { since: u32 },
    /// Changes the graph around the node.
    Around(Around),
}

/// A change of the graph around a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Around {
    /// Puts the node into both branches of an `If` whose condition is true.
    If,
    /// Adds the same node once more, with outputs of its own.
    Twice,
    /// Runs the same node again on its first output, if that has the type of its first input.
    Chained,
}

/// The kind of a change, and the input or attribute that it changes, without the values. Changes that repair the same
/// mistake in different cases usually have the same aim.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Aim {
    way: std::mem::Discriminant<Edit>,
    /// The name of the input or attribute, or the place of a removed input. Empty if the change has neither.
    pub name: String,
}

impl Edit {
    /// Returns the aim of the edit.
    pub(crate) fn aim(&self) -> Aim {
        let name = match self {
            Edit::Element { input, .. }
            | Edit::Fill { input, .. }
            | Edit::Extent { input, .. }
            | Edit::NoAxis { input, .. }
            | Edit::NewAxis { input, .. }
            | Edit::Type { input, .. }
            | Edit::Value { input, .. } => input.clone(),
            Edit::Attribute { attribute, .. } => attribute.name.clone().unwrap_or_default(),
            Edit::Integer { attribute, .. } => attribute.clone(),
            Edit::NoAttribute(name) | Edit::Given { name, .. } => name.clone(),
            Edit::NoInput(place) | Edit::EmptyName(place) => place.to_string(),
            Edit::NoOutput(name) => name.clone(),
            Edit::OneMore(_) | Edit::Swap(..) | Edit::OneMoreOutput | Edit::Opset { .. } | Edit::Around(_) => {
                String::new()
            }
        };
        Aim { way: std::mem::discriminant(self), name }
    }

    /// Returns whether both edits make the same change. They may take the same value from different valid cases.
    pub(crate) fn is_as(&self, other: &Edit) -> bool {
        match (self, other) {
            (Edit::Attribute { attribute, .. }, Edit::Attribute { attribute: other, .. }) => attribute == other,
            (Edit::Value { input, value, .. }, Edit::Value { input: other, value: its, .. }) => {
                input == other && value == its
            }
            _ => self == other,
        }
    }

    /// Returns the old and the new value of the integer or extent that the edit changes, or `None` if it changes
    /// anything else.
    pub(crate) fn numbers(&self, before: &Scene) -> Option<(i128, i128)> {
        match self {
            Edit::Element { input, index, to } => {
                let tensor = before.value(input)?.into_tensor()?;
                tensor.dtype().is_integer().then(|| (tensor.i128_at(*index), *to))
            }
            Edit::Integer { attribute, index, to } => {
                let given = before.given(attribute)?;
                let old = index.map_or(given.i, |index| given.ints.get(index).copied())?;
                Some((i128::from(old), i128::from(*to)))
            }
            Edit::Extent { input, axis, to } => Some((*extents(before, input)?.get(*axis)? as i128, *to as i128)),
            Edit::Attribute { attribute, .. } => {
                let old = before.given(attribute.name.as_deref()?)?;
                let at = one_place(&old.ints, &attribute.ints)?;
                Some((old.ints[at].into(), attribute.ints[at].into()))
            }
            _ => None,
        }
    }

    /// Returns by how much the edit changes the rank, or the length of a list. Returns `None` if it changes anything
    /// else.
    pub(crate) fn count(&self, before: &Scene) -> Option<i128> {
        match self {
            Edit::NewAxis { .. } => Some(1),
            Edit::NoAxis { .. } => Some(-1),
            Edit::Attribute { attribute, .. } => {
                let old = before.given(attribute.name.as_deref()?)?;
                let length = |a: &AttributeProto| a.ints.len() + a.floats.len() + a.strings.len();
                Some(length(attribute) as i128 - length(old) as i128).filter(|more| *more != 0)
            }
            _ => None,
        }
    }

    /// Returns the edit with another number as the new value.
    pub(crate) fn to(&self, before: &Scene, number: i128) -> Edit {
        let mut edit = self.clone();
        match &mut edit {
            Edit::Attribute { attribute, .. } => {
                let old = attribute.name.as_deref().and_then(|name| before.given(name));
                if let Some(at) = old.and_then(|old| one_place(&old.ints, &attribute.ints)) {
                    attribute.ints[at] = i64::try_from(number).unwrap_or(attribute.ints[at]);
                }
            }
            Edit::Element { to, .. } => *to = number,
            Edit::Integer { to, .. } => *to = i64::try_from(number).unwrap_or(*to),
            Edit::Extent { to, .. } => *to = usize::try_from(number).unwrap_or(*to),
            _ => {}
        }
        edit
    }

    /// Makes the change. Returns `None` if it is not possible.
    pub(crate) fn apply(&self, scene: &mut Scene) -> Option<()> {
        match self {
            Edit::Element { input, index, to } => {
                let tensor = scene.value(input)?.into_tensor()?;
                scene.set_value(input, with(&tensor, |i| i == *index, *to)?.into())
            }
            Edit::Fill { input, to } => {
                let tensor = scene.value(input)?.into_tensor()?;
                scene.set_value(input, with(&tensor, |_| true, *to)?.into())
            }
            Edit::Integer { attribute, index, to } => {
                let given = scene.node_mut()?.attribute.iter_mut().find(|a| a.name.as_ref() == Some(attribute))?;
                match index {
                    Some(index) => *given.ints.get_mut(*index)? = *to,
                    None => given.i = Some(*to),
                }
                Some(())
            }
            Edit::Attribute { attribute, .. } => scene.put_attribute((**attribute).clone()),
            Edit::NoAttribute(name) => scene.remove_attribute(name),
            Edit::Extent { input, axis, to } => {
                let tensor = scene.value(input)?.into_tensor()?;
                let mut shape = tensor.shape().to_vec();
                *shape.get_mut(*axis)? = *to;
                scene.set_value(input, resized(&tensor, shape)?.into())
            }
            Edit::NoAxis { input, axis } => {
                let tensor = scene.value(input)?.into_tensor()?;
                let mut shape = tensor.shape().to_vec();
                *shape.get_mut(*axis)? = 1;
                let first = resized(&tensor, shape.clone())?;
                shape.remove(*axis);
                scene.set_value(input, first.reshaped(shape).ok()?.into())
            }
            Edit::NewAxis { input, axis } => {
                let tensor = scene.value(input)?.into_tensor()?;
                let mut shape = tensor.shape().to_vec();
                if *axis > shape.len() {
                    return None;
                }
                shape.insert(*axis, 1);
                scene.set_value(input, tensor.reshaped(shape).ok()?.into())
            }
            Edit::Type { input, dtype } => {
                let tensor = scene.value(input)?.into_tensor()?;
                scene.set_value(input, converted(&tensor, *dtype, true)?.into())
            }
            Edit::Value { input, value, .. } => scene.set_value(input, value.clone()),
            Edit::NoInput(place) => {
                let variadic = place + 1 >= scene.version.inputs.len()
                    && scene.version.inputs.last().is_some_and(|i| i.option == plumbline_spec::FormalOption::Variadic);
                let name = scene.node()?.input.get(*place)?.clone();
                match variadic {
                    true => drop(scene.node_mut()?.input.remove(*place)),
                    false => scene.remove_input(*place)?,
                }
                forget(scene, &name);
                Some(())
            }
            Edit::EmptyName(place) => scene.remove_input(*place),
            Edit::OneMore(name) => {
                scene.node_mut()?.input.push(name.clone());
                Some(())
            }
            Edit::Swap(a, b) => {
                let inputs = &mut scene.node_mut()?.input;
                (*a.max(b) < inputs.len()).then(|| inputs.swap(*a, *b))
            }
            Edit::Given { place, name, value, constant, .. } => give(scene, *place, name, value, *constant),
            Edit::NoOutput(name) => around::without_output(scene, name),
            Edit::OneMoreOutput => around::with_one_more_output(scene),
            Edit::Opset { since } => around::with_opset_of(scene, *since),
            Edit::Around(Around::If) => around::in_if(scene),
            Edit::Around(Around::Twice) => around::twice(scene),
            Edit::Around(Around::Chained) => around::chained(scene),
        }
    }

    /// Describes the change for people. `before` is the case before the change.
    pub(crate) fn describe(&self, before: &Scene) -> String {
        match self {
            Edit::Element { input, index, to } => {
                let tensor = before.value(input).and_then(Value::into_tensor);
                let old = tensor.as_ref().map(|t| (t.element_text(*index), t.len()));
                match old {
                    Some((old, 1)) => format!("{input} {old} -> {to}"),
                    Some((old, _)) => format!("{input}[{index}] {old} -> {to}"),
                    None => format!("{input}[{index}] -> {to}"),
                }
            }
            Edit::Fill { input, to } => format!("all elements of {input} -> {to}"),
            Edit::Integer { attribute, index, to } => {
                let old = before.given(attribute);
                match index {
                    Some(index) => {
                        let old = old.and_then(|a| a.ints.get(*index)).copied().unwrap_or_default();
                        format!("{attribute}[{index}] {old} -> {to}")
                    }
                    None => format!("{attribute} {} -> {to}", old.and_then(|a| a.i).unwrap_or_default()),
                }
            }
            Edit::Attribute { attribute, from } => {
                let name = attribute.name.as_deref().unwrap_or("?");
                let new = crate::cases::node_text::attribute_text(attribute);
                let old = before.given(name).map(crate::cases::node_text::attribute_text);
                let short = |text: &str| text.len() <= 60 && text != "...";
                match (old, from) {
                    (Some(old), _) if short(&old) && short(&new) => format!("{name} {old} -> {new}"),
                    (None, _) if short(&new) => format!("{name} given as {new}"),
                    (_, Some(from)) => format!("{name} as in {from}"),
                    _ => format!("another {name}"),
                }
            }
            Edit::NoAttribute(name) => format!("{name} left out"),
            Edit::Extent { input, axis, to } => match extents(before, input) {
                Some(old) => {
                    let mut new = old.clone();
                    if let Some(extent) = new.get_mut(*axis) {
                        *extent = *to;
                    }
                    format!("shape of {input} {old:?} -> {new:?}")
                }
                None => format!("another extent of {input}"),
            },
            Edit::NoAxis { input, axis } => format!("{input} without axis {axis}"),
            Edit::NewAxis { input, axis } => format!("{input} with one more axis at {axis}"),
            Edit::Type { input, dtype } => format!("{input} as {dtype}"),
            Edit::Value { input, what, .. } => format!("{input} {what}"),
            Edit::NoInput(place) | Edit::EmptyName(place) => match before.node().and_then(|n| n.input.get(*place)) {
                Some(name) => format!("{name} left out"),
                None => format!("input {place} left out"),
            },
            Edit::OneMore(name) => format!("{name} given once more"),
            Edit::Swap(a, b) => {
                let name = |at: usize| before.node().and_then(|node| node.input.get(at)).map_or("?", String::as_str);
                format!("{} and {} swapped", name(*a), name(*b))
            }
            Edit::Given { name, from, .. } => format!("{name} given as in {from}"),
            Edit::NoOutput(name) => format!("output {name} left out"),
            Edit::OneMoreOutput => "an output added".to_owned(),
            Edit::Opset { since } => {
                let id = &before.version.id;
                format!("{id} -> {}-{since}", id.qualified_name())
            }
            Edit::Around(Around::If) => "the node is in an If".to_owned(),
            Edit::Around(Around::Twice) => "the node is there twice".to_owned(),
            Edit::Around(Around::Chained) => "the node runs again on its own output".to_owned(),
        }
    }
}

/// Returns the only place at which two lists of the same length differ.
fn one_place(old: &[i64], new: &[i64]) -> Option<usize> {
    let mut places = (0..old.len()).filter(|&at| old.len() == new.len() && old[at] != new[at]);
    let first = places.next();
    first.filter(|_| places.next().is_none())
}

fn extents(scene: &Scene, input: &str) -> Option<Vec<usize>> {
    Some(scene.value(input)?.as_tensor()?.shape().to_vec())
}

/// Returns the tensor with the chosen elements set to a number. A floating-point tensor gets the rounded number.
/// Returns `None` if an integer type or `bool` does not have the number, and for types without real numbers.
fn with(tensor: &Tensor, chosen: impl Fn(usize) -> bool, to: i128) -> Option<Tensor> {
    let (dtype, shape) = (tensor.dtype(), tensor.shape().to_vec());
    if let Some(format) = dtype.float_format() {
        let new = format.encode(to as f64, plumbline_tensor::Saturation::None);
        let bits = (0..tensor.len()).map(|i| if chosen(i) { new } else { tensor.bits_at(i) });
        return Tensor::from_bits(dtype, shape, bits).ok();
    }
    let (low, high) = if dtype == DType::Bool { (0, 1) } else { dtype.integer_range()? };
    if to < low || to > high {
        return None;
    }
    let values: Vec<i128> = (0..tensor.len()).map(|i| if chosen(i) { to } else { tensor.i128_at(i) }).collect();
    Tensor::from_i128s(dtype, shape, &values).ok()
}

/// Removes an input from the model if no node reads it any more. A node with a nested graph is taken to read every
/// input.
fn forget(scene: &mut Scene, name: &str) {
    let read = |node: &plumbline_tensor::onnx::NodeProto| {
        node.input.iter().any(|i| i == name) || node.attribute.iter().any(|a| a.g.is_some())
    };
    if name.is_empty() || scene.model.graph().node.iter().any(read) {
        return;
    }
    if let Some(at) = scene.model.input_names().iter().position(|n| *n == name)
        && at < scene.inputs.len()
    {
        scene.inputs.remove(at);
    }
    if let Some(graph) = scene.model.proto.graph.as_mut() {
        graph.input.retain(|i| i.name.as_deref() != Some(name));
        graph.initializer.retain(|i| i.name.as_deref() != Some(name));
    }
}

/// Adds an input that the node does not have yet.
fn give(scene: &mut Scene, place: usize, name: &str, value: &Value, constant: bool) -> Option<()> {
    if scene.value(name).is_some() {
        return None;
    }
    let node = scene.node_mut()?;
    if node.output.iter().any(|o| o == name) || node.input.get(place).is_some_and(|n| !n.is_empty()) {
        return None;
    }
    if node.input.len() <= place {
        node.input.resize(place + 1, String::new());
    }
    name.clone_into(node.input.get_mut(place)?);
    let graph = scene.model.proto.graph.as_mut()?;
    match (value, constant) {
        (Value::Tensor(tensor), true) => graph.initializer.push(tensor_to_proto(tensor, name)),
        _ => {
            let shape = value.as_tensor().map(Tensor::shape);
            graph.input.push(plumbline_generator::value_info(name, &value.kind(), shape));
            scene.inputs.push(value.clone());
        }
    }
    Some(())
}
