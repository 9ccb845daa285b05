//! Makes answers in which every element is wrong.

use plumbline_tensor::{DType, Tensor};

use crate::cases::{Element, map};

/// Returns the tensor with every element replaced: by a constant or, if `constant` is false, by a value computed from
/// the element.
pub(super) fn wrecked(tensor: &Tensor, constant: bool) -> Option<Tensor> {
    let wrecked = map(tensor, |_, element| wreck(constant, element, tensor.dtype()))?;
    // In a type with few values, rounding may give the old value again.
    Some(differing(tensor, wrecked))
}

/// Returns a wrong element. With `constant`, a number becomes 77 and a string `wrecked`; an element that has this value
/// already becomes another constant. Without `constant`, a finite float x becomes 1.5 x + 0.75, NaN and infinities
/// become 1, an integer gets every second of its lower 16 bits flipped, and a string gets longer. A bool is inverted in
/// both cases.
fn wreck(constant: bool, element: Element, dtype: DType) -> Element {
    match element {
        Element::Float(x) if constant => Element::Float(if x == 77.0 { 78.0 } else { 77.0 }),
        Element::Float(x) if x.is_finite() => Element::Float(x * 1.5 + 0.75),
        Element::Float(_) => Element::Float(1.0),
        Element::Int(x) if dtype == DType::Bool => Element::Int(1 - x),
        Element::Int(x) if constant => Element::Int(if x == 77 { 78 } else { 77 }),
        Element::Int(x) => Element::Int(x ^ 0x5555),
        Element::Text(text) if constant => Element::Text(if text == b"wrecked" { vec![] } else { b"wrecked".to_vec() }),
        Element::Text(text) => Element::Text([text.as_slice(), b"x"].concat()),
    }
}

/// Flips the lowest bit of each element of `wrecked` that still equals the element of `tensor`.
fn differing(tensor: &Tensor, wrecked: Tensor) -> Tensor {
    let (dtype, size) = (tensor.dtype(), tensor.dtype().size());
    if size == 0 || dtype == DType::Bool {
        return wrecked;
    }
    let mut bytes = wrecked.bytes().to_vec();
    for (new, old) in bytes.chunks_mut(size).zip(tensor.bytes().chunks(size)) {
        if new == old {
            new[0] ^= 1;
        }
    }
    Tensor::from_bytes(dtype, tensor.shape().to_vec(), bytes).unwrap_or(wrecked)
}
