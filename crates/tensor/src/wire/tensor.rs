//! Converts tensors to and from `TensorProto` and `SparseTensorProto`.

use bytes::Bytes;

use super::WireError;
use super::pack::{pack, packed_len, unpack};
use crate::onnx::{SparseTensorProto, TensorProto};
use crate::{DType, DTypeKind, Data, SparseTensor, Tensor, element_count};

pub(super) fn bad(proto: &TensorProto, reason: impl Into<String>) -> WireError {
    WireError::Tensor { name: proto.name.clone().unwrap_or_default(), reason: reason.into() }
}

/// Returns the element type, the extents, and the number of elements.
pub(super) fn type_and_shape(proto: &TensorProto) -> Result<(DType, Vec<usize>, usize), WireError> {
    let code = proto.data_type.unwrap_or(0);
    let dtype = DType::from_code(code).ok_or_else(|| bad(proto, format!("unknown element type {code}")))?;
    let shape = extents(&proto.dims).map_err(|reason| bad(proto, reason))?;
    let count = element_count(&shape)
        .ok_or_else(|| bad(proto, format!("shape {shape:?} has more elements than fit in memory")))?;
    Ok((dtype, shape, count))
}

fn extents(dims: &[i64]) -> Result<Vec<usize>, String> {
    dims.iter().map(|&d| usize::try_from(d).map_err(|_| format!("extent {d} is negative or too large"))).collect()
}

/// Returns whether the data is in another file.
pub(super) fn is_external(proto: &TensorProto) -> bool {
    const EXTERNAL: i32 = 1;
    proto.data_location == Some(EXTERNAL)
}

/// Returns the number of bytes that the elements take, which is the same in `raw_data` and in external data.
pub(super) fn raw_len(proto: &TensorProto) -> Result<usize, WireError> {
    let (dtype, shape, count) = type_and_shape(proto)?;
    packed_len(dtype, count).ok_or_else(|| match dtype {
        DType::String => bad(proto, "strings cannot be stored in raw_data or external data"),
        _ => bad(proto, format!("shape {shape:?} of {dtype} has more bytes than fit in memory")),
    })
}

/// Reads a tensor from `raw_data`, or from the typed field of its element type.
///
/// This function reads what `onnx.numpy_helper.to_array` reads, with one stricter check: data that is longer than the
/// shape requires is an error for 2-, 4- and 6-bit types too. External data is an error as well;
/// [`load_model`](crate::load_model) reads it. Lengths are checked before memory is allocated.
pub fn tensor_from_proto(proto: &TensorProto) -> Result<Tensor, WireError> {
    let (dtype, shape, count) = type_and_shape(proto)?;
    if is_external(proto) {
        return Err(WireError::Unsupported(format!(
            "tensor `{}` has its data in another file; `load_model` reads such tensors",
            proto.name.as_deref().unwrap_or("")
        )));
    }
    if proto.segment.is_some() {
        return Err(WireError::Unsupported(format!(
            "tensor `{}` is a segment of a larger tensor, which is not supported",
            proto.name.as_deref().unwrap_or("")
        )));
    }
    let data = match &proto.raw_data {
        Some(raw) if dtype != DType::String || !raw.is_empty() => from_raw(proto, raw, dtype, count)?,
        _ => from_typed_field(proto, dtype, count)?,
    };
    Tensor::new(dtype, shape, data).map_err(|e| bad(proto, e.to_string()))
}

fn from_raw(proto: &TensorProto, raw: &Bytes, dtype: DType, count: usize) -> Result<Data, WireError> {
    let wanted = raw_len(proto)?;
    if raw.len() != wanted {
        let reason = format!("raw_data has {} bytes, but {dtype} of shape {:?} needs {wanted}", raw.len(), proto.dims);
        return Err(bad(proto, reason));
    }
    Ok(Data::Bytes(match dtype.bits() {
        Some(width) if width < 8 => unpack(raw, width, count).into(),
        _ if dtype == DType::Bool => raw.iter().map(|&b| u8::from(b != 0)).collect(),
        _ => raw.clone(),
    }))
}

fn from_typed_field(proto: &TensorProto, dtype: DType, count: usize) -> Result<Data, WireError> {
    // Checks that a field has exactly the number of entries that the shape requires.
    let exactly = |found: usize, wanted: Option<usize>, field: &str| {
        if Some(found) == wanted {
            return Ok(());
        }
        let wanted = wanted.map_or("more".to_owned(), |n| n.to_string());
        let shape = &proto.dims;
        Err(bad(proto, format!("{field} has {found} entries, but {dtype} of shape {shape:?} needs {wanted}")))
    };
    let twice = count.checked_mul(2);
    Ok(match dtype {
        DType::String => {
            exactly(proto.string_data.len(), Some(count), "string_data")?;
            Data::Strings(proto.string_data.clone())
        }
        DType::Float | DType::Complex64 => {
            let wanted = if dtype == DType::Float { Some(count) } else { twice };
            exactly(proto.float_data.len(), wanted, "float_data")?;
            Data::Bytes(proto.float_data.iter().flat_map(|v| v.to_le_bytes()).collect())
        }
        DType::Double | DType::Complex128 => {
            let wanted = if dtype == DType::Double { Some(count) } else { twice };
            exactly(proto.double_data.len(), wanted, "double_data")?;
            Data::Bytes(proto.double_data.iter().flat_map(|v| v.to_le_bytes()).collect())
        }
        DType::Int64 => {
            exactly(proto.int64_data.len(), Some(count), "int64_data")?;
            Data::Bytes(proto.int64_data.iter().flat_map(|v| v.to_le_bytes()).collect())
        }
        DType::Uint64 | DType::Uint32 => {
            exactly(proto.uint64_data.len(), Some(count), "uint64_data")?;
            let size = dtype.size();
            Data::Bytes(proto.uint64_data.iter().flat_map(|v| v.to_le_bytes().into_iter().take(size)).collect())
        }
        _ => Data::Bytes(from_int32_data(proto, dtype, count, exactly)?.into()),
    })
}

/// Reads `int32_data`, which holds the types that no other field holds. Types of 2 and 4 bits are packed into bytes,
/// one byte per entry. Types of 6 bits and more have one element per entry, and floats are stored as their bits.
fn from_int32_data(
    proto: &TensorProto,
    dtype: DType,
    count: usize,
    exactly: impl Fn(usize, Option<usize>, &str) -> Result<(), WireError>,
) -> Result<Vec<u8>, WireError> {
    let entries = &proto.int32_data;
    if let Some(width @ (2 | 4)) = dtype.bits() {
        exactly(entries.len(), packed_len(dtype, count), "int32_data")?;
        let bytes: Vec<u8> = entries.iter().map(|&v| v as u8).collect();
        return Ok(unpack(&bytes, width, count));
    }
    exactly(entries.len(), Some(count), "int32_data")?;
    Ok(match (dtype.kind(), dtype.bits()) {
        (DTypeKind::Bool, _) => entries.iter().map(|&v| u8::from(v != 0)).collect(),
        (_, Some(6)) => entries.iter().map(|&v| v as u8 & 0x3f).collect(),
        _ => entries.iter().flat_map(|v| v.to_le_bytes().into_iter().take(dtype.size())).collect(),
    })
}

/// Writes a tensor with its elements as `raw_data`, or `string_data` for strings. Leaves out an empty name.
pub fn tensor_to_proto(tensor: &Tensor, name: &str) -> TensorProto {
    let mut proto = TensorProto {
        dims: tensor.shape().iter().map(|&e| e as i64).collect(),
        data_type: Some(tensor.dtype().code()),
        name: (!name.is_empty()).then(|| name.to_owned()),
        ..TensorProto::default()
    };
    match tensor.data() {
        Data::Strings(strings) => proto.string_data = strings.clone(),
        Data::Bytes(bytes) => {
            proto.raw_data = Some(match tensor.dtype().bits() {
                Some(width) if width < 8 => pack(bytes, width).into(),
                _ => bytes.clone(),
            });
        }
    }
    proto
}

/// Reads a sparse tensor.
pub fn sparse_tensor_from_proto(proto: &SparseTensorProto) -> Result<SparseTensor, WireError> {
    let name = proto.values.as_ref().and_then(|v| v.name.clone()).unwrap_or_default();
    let wrong = |reason: String| WireError::Tensor { name: name.clone(), reason };
    let part = |part: &Option<TensorProto>, what: &str| match part {
        Some(part) => tensor_from_proto(part),
        None => Err(wrong(format!("the sparse tensor has no {what}"))),
    };
    let values = part(&proto.values, "values")?;
    let indices = part(&proto.indices, "indices")?;
    let shape = extents(&proto.dims).map_err(wrong)?;
    SparseTensor::new(values, indices, shape).map_err(|e| wrong(e.to_string()))
}

/// Writes a sparse tensor. Its name becomes the name of its values.
pub fn sparse_tensor_to_proto(sparse: &SparseTensor, name: &str) -> SparseTensorProto {
    SparseTensorProto {
        values: Some(tensor_to_proto(sparse.values(), name)),
        indices: Some(tensor_to_proto(sparse.indices(), "")),
        dims: sparse.shape().iter().map(|&e| e as i64).collect(),
    }
}
