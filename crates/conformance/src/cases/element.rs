//! Tensor elements as numbers or text, and maps over the elements of a tensor of any type.

use plumbline_tensor::{DType, DTypeKind, Data, FloatFormat, Saturation, Tensor};

/// The largest number of elements of a tensor that [`resized`] makes.
const MOST_ELEMENTS: usize = 1 << 16;

/// The value of an element.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Element {
    /// A floating-point number, or one part of a complex number.
    Float(f64),
    /// An integer, or a bool as 0 or 1.
    Int(i128),
    /// A string.
    Text(Vec<u8>),
}

/// Applies `f` to each element. Floats are rounded to nearest even, integers wrap around, and a bool is true if the
/// number is not 0. Elements that `f` leaves unchanged keep their bits.
pub(crate) fn map(tensor: &Tensor, f: impl Fn(usize, Element) -> Element) -> Option<Tensor> {
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

/// Applies `f` to the bits of each element of a floating-point tensor. Each part of a complex number counts as an
/// element.
pub(crate) fn map_bits(tensor: &Tensor, f: impl Fn(usize, u64, &FloatFormat) -> u64) -> Option<Tensor> {
    let format = match tensor.dtype().float_format() {
        Some(format) => format,
        None if tensor.dtype().kind() == DTypeKind::Complex => return in_parts(tensor, |parts| map_bits(parts, f)),
        None => return None,
    };
    let bits = (0..tensor.len()).map(|i| f(i, tensor.bits_at(i), format));
    Tensor::from_bits(tensor.dtype(), tensor.shape().to_vec(), bits).ok()
}

/// Applies `f` to the real and imaginary parts of a complex tensor, which `f` gets as one tensor of floats.
fn in_parts(tensor: &Tensor, f: impl FnOnce(&Tensor) -> Option<Tensor>) -> Option<Tensor> {
    let part = if tensor.dtype() == DType::Complex64 { DType::Float } else { DType::Double };
    let parts = Tensor::from_bytes(part, vec![tensor.len() * 2], tensor.bytes().to_vec()).ok()?;
    let bytes = f(&parts)?.bytes().to_vec();
    Tensor::from_bytes(tensor.dtype(), tensor.shape().to_vec(), bytes).ok()
}

/// Returns a tensor of the given shape that takes its element at each flat index `i` from the flat index `from(i)` of
/// `tensor`.
pub(crate) fn moved(tensor: &Tensor, shape: Vec<usize>, from: impl Fn(usize) -> usize) -> Option<Tensor> {
    let count = plumbline_tensor::element_count(&shape)?;
    let size = tensor.dtype().size();
    let data = match tensor.data() {
        Data::Strings(strings) => {
            Data::Strings((0..count).map(|i| strings.get(from(i)).cloned()).collect::<Option<_>>()?)
        }
        Data::Bytes(bytes) => {
            let element = |i: usize| bytes.get(from(i) * size..(from(i) + 1) * size);
            Data::Bytes((0..count).map(element).collect::<Option<Vec<_>>>()?.concat().into())
        }
    };
    Tensor::new(tensor.dtype(), shape, data).ok()
}

/// Returns the tensor in another shape of the same rank. Each axis is cut off at its end or repeated from its front. An
/// empty tensor becomes zeros.
pub(crate) fn resized(tensor: &Tensor, shape: Vec<usize>) -> Option<Tensor> {
    if plumbline_tensor::element_count(&shape)? > MOST_ELEMENTS {
        return None;
    }
    if tensor.is_empty() {
        return Tensor::zeros(tensor.dtype(), shape).ok();
    }
    let old = tensor.shape().to_vec();
    let new = shape.clone();
    moved(tensor, shape, |flat| {
        let (mut rest, mut place, mut stride) = (flat, 0, 1);
        for (from, to) in old.iter().zip(&new).rev() {
            place += rest % to % from * stride;
            rest /= to;
            stride *= from;
        }
        place
    })
}

/// Converts a tensor to another numeric type. Floats are rounded to nearest even. Values out of the range of the new
/// type saturate if `saturate` is set, or if the new type is bool.
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

/// Moves a number away from zero by `steps` representable values (towards zero for negative `steps`). If there is no
/// finite number that far, moves in the opposite direction. If there is none in that direction either, returns `bits`.
pub(crate) fn stepped(bits: u64, format: &FloatFormat, steps: i64) -> u64 {
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
