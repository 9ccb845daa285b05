//! Reads and prints the elements of a tensor, which stand in braces. They are the entries of the `TensorProto` field
//! for the tensor's element type.

use super::reader::{Reader, Result};
use crate::onnx::TensorProto;
use crate::wire::{packed_len, unpack};
use crate::{DType, DTypeKind, Saturation, element_count};

/// The field of a `TensorProto` that holds elements of a type.
#[derive(Clone, Copy, PartialEq)]
enum Field {
    Float,
    Double,
    Int32,
    Int64,
    Uint64,
    String,
}

fn field_of(dtype: DType) -> Field {
    match dtype {
        DType::Float | DType::Complex64 => Field::Float,
        DType::Double | DType::Complex128 => Field::Double,
        DType::Int64 => Field::Int64,
        DType::Uint32 | DType::Uint64 => Field::Uint64,
        DType::String => Field::String,
        _ => Field::Int32,
    }
}

/// Reads elements and the closing brace after them; the opening brace has been read. Like the onnx package, does not
/// compare the number of elements with the shape.
pub(super) fn read_elements(reader: &mut Reader<'_>, dtype: DType, tensor: &mut TensorProto) -> Result<()> {
    let small_float = dtype.float_format().filter(|_| matches!(dtype.bits(), Some(6 | 8 | 16)));
    reader.items(b'}', |reader| {
        match field_of(dtype) {
            Field::Float => tensor.float_data.push(reader.float()?),
            Field::Double => tensor.double_data.push(reader.double()?),
            Field::Int64 => tensor.int64_data.push(reader.integer()?),
            Field::Uint64 => tensor.uint64_data.push(reader.integer()?),
            Field::String => tensor.string_data.push(reader.bytes()?),
            Field::Int32 => match small_float {
                Some(format) if reader.next_is_float() => {
                    tensor.int32_data.push(format.encode(reader.double()?, Saturation::None) as i32);
                }
                _ => tensor.int32_data.push(reader.integer()?),
            },
        }
        Ok(())
    })
}

/// Returns the text of the elements, without the braces, and the names of the fields whose elements the text leaves
/// out.
pub(super) fn print_elements(tensor: &TensorProto, dtype: DType) -> (String, Vec<&'static str>) {
    let raw = tensor.raw_data.as_ref().filter(|raw| dtype != DType::String || !raw.is_empty());
    let typed = raw.map(|raw| typed_fields(tensor, dtype, raw));
    let field = field_of(dtype);
    let mut lost: Vec<&'static str> = [
        (Field::Float, "TensorProto.float_data", tensor.float_data.is_empty()),
        (Field::Double, "TensorProto.double_data", tensor.double_data.is_empty()),
        (Field::Int32, "TensorProto.int32_data", tensor.int32_data.is_empty()),
        (Field::Int64, "TensorProto.int64_data", tensor.int64_data.is_empty()),
        (Field::Uint64, "TensorProto.uint64_data", tensor.uint64_data.is_empty()),
        (Field::String, "TensorProto.string_data", tensor.string_data.is_empty()),
    ]
    .into_iter()
    .filter(|(f, _, empty)| !empty && (raw.is_some() || *f != field))
    .map(|(_, name, _)| name)
    .collect();
    if matches!(typed, Some(None)) {
        lost.push("TensorProto.raw_data");
    }
    let tensor = match &typed {
        None => tensor,
        Some(Some(typed)) => typed,
        Some(None) => &TensorProto::default(),
    };
    let text = match field {
        Field::Float => joined(&tensor.float_data, |x| float_text(*x)),
        Field::Double => joined(&tensor.double_data, |x| double_text(*x)),
        Field::Int32 => joined(&tensor.int32_data, i32::to_string),
        Field::Int64 => joined(&tensor.int64_data, i64::to_string),
        Field::Uint64 => joined(&tensor.uint64_data, u64::to_string),
        Field::String => joined(&tensor.string_data, |s| bytes_text(s)),
    };
    (text, lost)
}

fn joined<T>(items: &[T], text: impl Fn(&T) -> String) -> String {
    items.iter().map(text).collect::<Vec<_>>().join(", ")
}

/// Copies the elements from `raw_data` to the field of their type. Returns `None` for strings, for an invalid shape,
/// and if `raw_data` does not have the length that the shape requires.
fn typed_fields(tensor: &TensorProto, dtype: DType, raw: &[u8]) -> Option<TensorProto> {
    let shape: Vec<usize> = tensor.dims.iter().map(|&d| usize::try_from(d).ok()).collect::<Option<_>>()?;
    let count = element_count(&shape)?;
    if packed_len(dtype, count) != Some(raw.len()) {
        return None;
    }
    let mut typed = TensorProto::default();
    match field_of(dtype) {
        Field::String => return None,
        Field::Float => typed.float_data = numbers(raw, f32::from_le_bytes),
        Field::Double => typed.double_data = numbers(raw, f64::from_le_bytes),
        Field::Int64 => typed.int64_data = numbers(raw, i64::from_le_bytes),
        Field::Uint64 if dtype == DType::Uint64 => typed.uint64_data = numbers(raw, u64::from_le_bytes),
        Field::Uint64 => typed.uint64_data = numbers(raw, |b| u32::from_le_bytes(b).into()),
        Field::Int32 => {
            let signed = dtype.kind() == DTypeKind::SignedInteger;
            typed.int32_data = match dtype.bits() {
                Some(32) => numbers(raw, i32::from_le_bytes),
                Some(16) if signed => numbers(raw, |b| i16::from_le_bytes(b).into()),
                Some(16) => numbers(raw, |b| u16::from_le_bytes(b).into()),
                Some(8) if signed => numbers(raw, |b| i8::from_le_bytes(b).into()),
                Some(6) => unpack(raw, 6, count).into_iter().map(i32::from).collect(),
                _ => raw.iter().map(|&b| b.into()).collect(),
            };
        }
    }
    Some(typed)
}

fn numbers<const N: usize, T>(raw: &[u8], read: impl Fn([u8; N]) -> T) -> Vec<T> {
    raw.as_chunks().0.iter().map(|chunk| read(*chunk)).collect()
}

/// Returns a text that is read as exactly `x`. It always has a point, an exponent or a word (`inf`, `nan`).
pub(super) fn float_text(x: f32) -> String {
    match x.to_bits() {
        0x7fc0_0000 => "nan".to_owned(),
        0xffc0_0000 => "-nan".to_owned(),
        bits if x.is_nan() => format!("nan({bits:#x})"),
        _ => format!("{x:?}"),
    }
}

fn double_text(x: f64) -> String {
    match x.to_bits() {
        0x7ff8_0000_0000_0000 => "nan".to_owned(),
        0xfff8_0000_0000_0000 => "-nan".to_owned(),
        bits if x.is_nan() => format!("nan({bits:#x})"),
        _ => format!("{x:?}"),
    }
}

/// Returns a quoted string.
pub(super) fn string_text(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}

/// Returns a quoted string, or `b"..."` if the bytes are not UTF-8.
pub(super) fn bytes_text(bytes: &[u8]) -> String {
    match std::str::from_utf8(bytes) {
        Ok(text) => string_text(text),
        Err(_) => format!("b\"{}\"", bytes.escape_ascii()),
    }
}
