//! Answers of which every element is wrong.

use plumbline_tensor::{DType, Tensor};

use super::element::{Element, map};

/// The tensor with every element replaced: by a constant, or by a formula of itself.
pub(super) fn wrecked(tensor: &Tensor, constant: bool) -> Option<Tensor> {
    let wrecked = map(tensor, |_, element| wreck(constant, element, tensor.dtype()))?;
    // In a type of few values the result may be the same after rounding.
    Some(differing(tensor, wrecked))
}

/// The two ways of wrecking: a constant instead of every element, or 1.5 x + 0.75 (integers: every second bit flipped).
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

/// `wrecked`, with the lowest bit flipped of each element that is still that of `tensor`.
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
