//! Where the values of two implementations of a model first differ.

use std::collections::BTreeMap;

use plumbline_judge::{element, same_bits, same_element};
use plumbline_oracle::shape::coordinates;
use plumbline_tensor::{Model, Tensor, Value};

use crate::cases::{Layout, NodePlace, named_outputs};

/// The first value at which two implementations differ, in the order of the graph.
#[derive(Clone, Debug, PartialEq)]
pub struct Parting {
    /// The node that computes the value.
    pub node: NodePlace,
    /// The name of the value.
    pub value: String,
    /// The coordinates of the first element that differs; `None` if the types or shapes differ, or if the value is not
    /// a tensor.
    pub index: Option<Vec<usize>>,
    /// That element of the first implementation's value. Without an `index`, the type of this value, and the shape if
    /// it is a tensor.
    pub first: String,
    /// The same for the second implementation's value.
    pub second: String,
    /// How many elements differ; 0 without an `index`.
    pub differing: usize,
    /// How many elements the tensor of the first implementation has; 0 if its value is not a tensor.
    pub elements: usize,
    /// The largest distance between the two implementations at any element that is finite in both, in units in the last
    /// place of the first implementation's element; `None` without an `index` and for types without such units.
    pub max_ulp: Option<f64>,
}

/// Returns where the values of two implementations first differ in their bits. Values that only one of them has are
/// passed over. All NaN are the same, except in complex numbers and sparse tensors.
pub fn part(model: &Model, first: &BTreeMap<String, Value>, second: &BTreeMap<String, Value>) -> Option<Parting> {
    let layout = Layout::new(model);
    layout.nodes().iter().enumerate().find_map(|(at, node)| {
        named_outputs(node).find_map(|name| {
            let (a, b) = (first.get(name)?, second.get(name)?);
            (!same_bits(a, b)).then(|| difference(layout.place(at), name, a, b))
        })
    })
}

fn difference(node: NodePlace, name: &str, a: &Value, b: &Value) -> Parting {
    let parting = Parting {
        node,
        value: name.to_owned(),
        index: None,
        first: kind_and_shape(a),
        second: kind_and_shape(b),
        differing: 0,
        elements: a.as_tensor().map_or(0, Tensor::len),
        max_ulp: None,
    };
    let (Value::Tensor(a), Value::Tensor(b)) = (a, b) else { return parting };
    if a.dtype() != b.dtype() || a.shape() != b.shape() {
        return parting;
    }
    let differing: Vec<usize> = (0..a.len()).filter(|&at| !same_element(a, b, at)).collect();
    let Some(&at) = differing.first() else { return parting };
    let distances = a.dtype().float_format().map(|format| {
        let distance = |&at: &usize| (a.f64_at(at) - b.f64_at(at)).abs() / format.ulp(a.f64_at(at));
        differing.iter().map(distance).filter(|distance| distance.is_finite()).fold(0.0, f64::max)
    });
    Parting {
        index: Some(coordinates(at, a.shape())),
        first: element(a, at),
        second: element(b, at),
        differing: differing.len(),
        max_ulp: distances,
        ..parting
    }
}

fn kind_and_shape(value: &Value) -> String {
    match value {
        Value::Tensor(tensor) => format!("{}{:?}", tensor.dtype(), tensor.shape()),
        other => format!("another {}", other.kind()),
    }
}
