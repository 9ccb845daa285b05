//! The element types of ONNX Runtime.

use ort::sys::ONNXTensorElementDataType::{self, *};
use plumbline_tensor::DType;

/// ONNX Runtime's number for each element type. The numbers up to 23 are the same as ONNX's, the higher ones are not.
/// The 6-bit floats have no number.
const ELEMENTS: [(DType, ONNXTensorElementDataType); 26] = [
    (DType::Float, ONNX_TENSOR_ELEMENT_DATA_TYPE_FLOAT),
    (DType::Uint8, ONNX_TENSOR_ELEMENT_DATA_TYPE_UINT8),
    (DType::Int8, ONNX_TENSOR_ELEMENT_DATA_TYPE_INT8),
    (DType::Uint16, ONNX_TENSOR_ELEMENT_DATA_TYPE_UINT16),
    (DType::Int16, ONNX_TENSOR_ELEMENT_DATA_TYPE_INT16),
    (DType::Int32, ONNX_TENSOR_ELEMENT_DATA_TYPE_INT32),
    (DType::Int64, ONNX_TENSOR_ELEMENT_DATA_TYPE_INT64),
    (DType::String, ONNX_TENSOR_ELEMENT_DATA_TYPE_STRING),
    (DType::Bool, ONNX_TENSOR_ELEMENT_DATA_TYPE_BOOL),
    (DType::Float16, ONNX_TENSOR_ELEMENT_DATA_TYPE_FLOAT16),
    (DType::Double, ONNX_TENSOR_ELEMENT_DATA_TYPE_DOUBLE),
    (DType::Uint32, ONNX_TENSOR_ELEMENT_DATA_TYPE_UINT32),
    (DType::Uint64, ONNX_TENSOR_ELEMENT_DATA_TYPE_UINT64),
    (DType::Complex64, ONNX_TENSOR_ELEMENT_DATA_TYPE_COMPLEX64),
    (DType::Complex128, ONNX_TENSOR_ELEMENT_DATA_TYPE_COMPLEX128),
    (DType::Bfloat16, ONNX_TENSOR_ELEMENT_DATA_TYPE_BFLOAT16),
    (DType::Float8e4m3fn, ONNX_TENSOR_ELEMENT_DATA_TYPE_FLOAT8E4M3FN),
    (DType::Float8e4m3fnuz, ONNX_TENSOR_ELEMENT_DATA_TYPE_FLOAT8E4M3FNUZ),
    (DType::Float8e5m2, ONNX_TENSOR_ELEMENT_DATA_TYPE_FLOAT8E5M2),
    (DType::Float8e5m2fnuz, ONNX_TENSOR_ELEMENT_DATA_TYPE_FLOAT8E5M2FNUZ),
    (DType::Uint4, ONNX_TENSOR_ELEMENT_DATA_TYPE_UINT4),
    (DType::Int4, ONNX_TENSOR_ELEMENT_DATA_TYPE_INT4),
    (DType::Float4e2m1, ONNX_TENSOR_ELEMENT_DATA_TYPE_FLOAT4E2M1),
    (DType::Uint2, ONNX_TENSOR_ELEMENT_DATA_TYPE_UINT2),
    (DType::Int2, ONNX_TENSOR_ELEMENT_DATA_TYPE_INT2),
    (DType::Float8e8m0, ONNX_TENSOR_ELEMENT_DATA_TYPE_FLOAT8E8M0),
];

/// Returns ONNX Runtime's element type for `dtype`, or `None` if ONNX Runtime does not have the type.
pub fn element_of(dtype: DType) -> Option<ONNXTensorElementDataType> {
    ELEMENTS.iter().find(|(d, _)| *d == dtype).map(|(_, element)| *element)
}

/// Returns the element type with this number in ONNX Runtime.
pub fn dtype_of(code: i32) -> Option<DType> {
    ELEMENTS.iter().find(|(_, element)| *element as i32 == code).map(|(dtype, _)| *dtype)
}

/// Returns the number of bytes of a tensor of this type and shape in ONNX Runtime, which packs types below a byte as
/// ONNX does; `None` for strings, for a shape with a negative extent, and for a tensor that does not fit in memory.
pub fn byte_length(dtype: DType, shape: &[i64]) -> Option<usize> {
    let extents = shape.iter().map(|&extent| usize::try_from(extent).ok()).collect::<Option<Vec<_>>>()?;
    let count = plumbline_tensor::element_count(&extents)?;
    match dtype.bits()? {
        bits @ (2 | 4) => Some(count.div_ceil(8 / bits as usize)),
        _ => count.checked_mul(dtype.size()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_type_but_the_6_bit_floats_has_a_number_of_its_own() {
        for dtype in DType::ALL {
            match element_of(dtype) {
                Some(element) => assert_eq!(dtype_of(element as i32), Some(dtype)),
                None => assert_eq!(dtype.bits(), Some(6), "{dtype}"),
            }
        }
        assert_eq!((dtype_of(0), dtype_of(27)), (None, None));
        assert_eq!(byte_length(DType::Int4, &[3]), Some(2));
        assert_eq!(byte_length(DType::Uint2, &[3, 3]), Some(3));
        assert_eq!(byte_length(DType::Float16, &[3, 0]), Some(0));
        assert_eq!((byte_length(DType::Float, &[-1]), byte_length(DType::Double, &[1 << 62])), (None, None));
    }
}
