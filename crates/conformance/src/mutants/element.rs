//! One element of a tensor as a number or a text, and maps over the elements of a tensor of any type.

use plumbline_tensor::{DType, DTypeKind, Data, FloatFormat, Saturation, Tensor};

/// An element.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Element {
    /// Of a floating-point type, or one part of a complex number.
    Float(f64),
    /// Of an integer type or bool.
    Int(i128),
    /// Of strings.
    Text(Vec<u8>),
}

/// The tensor with `f` applied to each element. Floats are rounded to nearest even, integers wrap around, bool is whether the number is not 0.
/// What `f` leaves alone keeps its bits.
pub(super) fn map(tensor: &Tensor, f: impl Fn(usize, Element) -> Element) -> Option<Tensor> {
    let (dtype, shape) = (tensor.dtype(), tensor.shape().to_vec());
    match dtype.kind() {
        DTypeKind::String => {
            let strings =
                tensor.strings().iter().enumerate().map(|(i, text)| match f(i, Element::Text(text.clone())) {
                    Element::Text(text) => text,
                    _ => text.clone(),
                });
            Tensor::from_strings(shape, strings.collect()).ok()
        }
        DTypeKind::Complex => in_parts(tensor, |parts| map(parts, f)),
        DTypeKind::Float => map_bits(tensor, |i, bits, format| {
            let old = format.decode(bits);
            match f(i, Element::Float(old)) {
                Element::Float(new) if new.to_bits() != old.to_bits() => format.encode(new, Saturation::None),
                _ => bits,
            }
        }),
        DTypeKind::Bool | DTypeKind::SignedInteger | DTypeKind::UnsignedInteger => {
            let value = |i: usize| {
                let old = tensor.i128_at(i);
                match f(i, Element::Int(old)) {
                    Element::Int(new) if dtype == DType::Bool => i128::from(new != 0),
                    Element::Int(new) => new,
                    _ => old,
                }
            };
            let values: Vec<i128> = (0..tensor.len()).map(value).collect();
            Tensor::from_i128s(dtype, shape, &values).ok()
        }
    }
}

/// The floating-point tensor with `f` applied to the bits of each element.
pub(super) fn map_bits(tensor: &Tensor, f: impl Fn(usize, u64, &FloatFormat) -> u64) -> Option<Tensor> {
    let format = match tensor.dtype().float_format() {
        Some(format) => format,
        None if tensor.dtype().kind() == DTypeKind::Complex => return in_parts(tensor, |parts| map_bits(parts, f)),
        None => return None,
    };
    let bits = (0..tensor.len()).map(|i| f(i, tensor.bits_at(i), format));
    Tensor::from_bits(tensor.dtype(), tensor.shape().to_vec(), bits).ok()
}

/// Applies `f` to the parts of complex numbers as a tensor of floats.
fn in_parts(tensor: &Tensor, f: impl FnOnce(&Tensor) -> Option<Tensor>) -> Option<Tensor> {
    let part = if tensor.dtype() == DType::Complex64 { DType::Float } else { DType::Double };
    let parts = Tensor::from_bytes(part, vec![tensor.len() * 2], tensor.bytes().to_vec()).ok()?;
    let bytes = f(&parts)?.bytes().to_vec();
    Tensor::from_bytes(tensor.dtype(), tensor.shape().to_vec(), bytes).ok()
}

/// A tensor of the same elements, each taken from another place.
pub(crate) fn moved(tensor: &Tensor, shape: Vec<usize>, from: impl Fn(usize) -> usize) -> Option<Tensor> {
    let count = plumbline_tensor::element_count(&shape)?;
    let size = tensor.dtype().size();
    let data = match tensor.data() {
        Data::Strings(strings) => {
            Data::Strings((0..count).map(|i| strings.get(from(i)).cloned()).collect::<Option<_>>()?)
        }
        Data::Bytes(bytes) => {
            let element = |i: usize| bytes.get(from(i) * size..(from(i) + 1) * size);
            Data::Bytes((0..count).map(element).collect::<Option<Vec<_>>>()?.concat())
        }
    };
    Tensor::new(tensor.dtype(), shape, data).ok()
}

/// The tensor converted to another type of numbers: floats rounded to nearest even, and beyond the range as `saturate` says.
pub(crate) fn converted(tensor: &Tensor, dtype: DType, saturate: bool) -> Option<Tensor> {
    let whole = |d: DType| d.is_integer() || d == DType::Bool;
    let (from, shape) = (tensor.dtype(), tensor.shape().to_vec());
    if !(from.is_float() || whole(from)) || !(dtype.is_float() || whole(dtype)) {
        return None;
    }
    if let Some(format) = dtype.float_format() {
        let saturation = if saturate { Saturation::Saturate } else { Saturation::None };
        let bits = (0..tensor.len()).map(|i| format.encode(tensor.f64_at(i), saturation));
        return Tensor::from_bits(dtype, shape, bits).ok();
    }
    let (low, high) = dtype.integer_range()?;
    let value = |i: usize| {
        let exact = if from.is_float() { tensor.f64_at(i).round_ties_even() as i128 } else { tensor.i128_at(i) };
        if saturate || dtype == DType::Bool { exact.clamp(low, high) } else { exact }
    };
    let values: Vec<i128> = (0..tensor.len()).map(value).collect();
    Tensor::from_i128s(dtype, shape, &values).ok()
}

/// The bits of a number so many steps further from zero (negative: nearer to zero), or as it is where there is no such number.
pub(super) fn stepped(bits: u64, format: &FloatFormat, steps: i64) -> u64 {
    let value = format.decode(bits);
    if !value.is_finite() {
        return bits;
    }
    let width = format.exponent_bits + format.mantissa_bits;
    let magnitude = bits & ((1 << width) - 1);
    let sign = if format.is_signed() { bits & (1 << width) } else { 0 };
    let moved = |steps: i64| {
        let moved = magnitude.checked_add_signed(steps)?;
        let found = sign | moved;
        (moved < 1 << width && format.decode(found).is_finite()).then_some(found)
    };
    moved(steps).or_else(|| moved(-steps)).unwrap_or(bits)
}
