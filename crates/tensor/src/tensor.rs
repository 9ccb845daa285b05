//! Dense tensors in row-major order.

use bytes::Bytes;

use crate::{DType, DTypeKind, Saturation};

/// Why a tensor could not be built or read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TensorError {
    /// The data does not have as many elements as the shape.
    #[error("a tensor of {dtype} and shape {shape:?} needs {expected} bytes or strings, the data has {found}")]
    Length {
        /// The element type.
        dtype: DType,
        /// The extents.
        shape: Vec<usize>,
        /// The number of bytes or strings that the shape requires.
        expected: usize,
        /// The number of bytes or strings of the data.
        found: usize,
    },
    /// The number of elements or bytes does not fit the address space.
    #[error("shape {0:?} has more elements than fit in memory")]
    TooLarge(Vec<usize>),
    /// The tensor has another element type than the caller requires.
    #[error("the element type is {found}, expected {wanted}")]
    DType {
        /// The required type.
        wanted: &'static str,
        /// The element type of the tensor.
        found: DType,
    },
}

/// The elements of a tensor.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Data {
    /// Little-endian elements of [`DType::size`] bytes each. An element smaller than a byte takes the low bits of a
    /// byte of its own.
    Bytes(Bytes),
    /// Strings, which are sequences of bytes in ONNX.
    Strings(Vec<Vec<u8>>),
}

/// A dense tensor in row-major order. Tensors are equal if their element types, their shapes and the bits of their
/// elements are equal. `Display` and `Debug` show the element type, the shape and the first elements; `{:x}` shows the
/// bit patterns too.
#[derive(Clone, PartialEq, Eq)]
pub struct Tensor {
    dtype: DType,
    shape: Vec<usize>,
    data: Data,
}

/// Returns the product of the extents, or `None` if it overflows.
pub fn element_count(shape: &[usize]) -> Option<usize> {
    // An extent of 0 makes the tensor empty, however large the other extents are.
    if shape.contains(&0) {
        return Some(0);
    }
    shape.iter().try_fold(1usize, |n, &extent| n.checked_mul(extent))
}

impl Tensor {
    /// Builds a tensor from bytes in the form of [`Data::Bytes`].
    pub fn from_bytes(dtype: DType, shape: Vec<usize>, bytes: Vec<u8>) -> Result<Tensor, TensorError> {
        Tensor::new(dtype, shape, Data::Bytes(bytes.into()))
    }

    /// Builds a tensor of strings.
    pub fn from_strings(shape: Vec<usize>, strings: Vec<Vec<u8>>) -> Result<Tensor, TensorError> {
        Tensor::new(DType::String, shape, Data::Strings(strings))
    }

    /// Builds a tensor of these elements.
    pub fn new(dtype: DType, shape: Vec<usize>, data: Data) -> Result<Tensor, TensorError> {
        let count = element_count(&shape).ok_or_else(|| TensorError::TooLarge(shape.clone()))?;
        let (expected, found) = match &data {
            Data::Bytes(bytes) if dtype != DType::String => {
                let size = count.checked_mul(dtype.size()).ok_or_else(|| TensorError::TooLarge(shape.clone()))?;
                (size, bytes.len())
            }
            Data::Strings(strings) if dtype == DType::String => (count, strings.len()),
            Data::Bytes(bytes) => (count, bytes.len()),
            Data::Strings(_) => return Err(TensorError::DType { wanted: "string", found: dtype }),
        };
        if dtype == DType::String && matches!(data, Data::Bytes(_)) {
            return Err(TensorError::DType { wanted: "a numeric type", found: dtype });
        }
        if expected != found {
            return Err(TensorError::Length { dtype, shape, expected, found });
        }
        Ok(Tensor { dtype, shape, data })
    }

    /// Builds a tensor in which every element is zero, false, or the empty string. In float8e8m0, which has no zero,
    /// every element is 2^-127.
    pub fn zeros(dtype: DType, shape: Vec<usize>) -> Result<Tensor, TensorError> {
        let count = element_count(&shape).ok_or_else(|| TensorError::TooLarge(shape.clone()))?;
        let data = if dtype == DType::String {
            Data::Strings(vec![Vec::new(); count])
        } else {
            let size = count.checked_mul(dtype.size()).ok_or_else(|| TensorError::TooLarge(shape.clone()))?;
            Data::Bytes(vec![0; size].into())
        };
        Tensor::new(dtype, shape, data)
    }

    /// Builds a tensor of int64 of rank 1.
    pub fn from_i64s(values: &[i64]) -> Tensor {
        Tensor {
            dtype: DType::Int64,
            shape: vec![values.len()],
            data: Data::Bytes(values.iter().flat_map(|v| v.to_le_bytes()).collect()),
        }
    }

    /// Builds a tensor of int64 of rank 0.
    pub fn from_i64(value: i64) -> Tensor {
        Tensor { dtype: DType::Int64, shape: vec![], data: Data::Bytes(value.to_le_bytes().to_vec().into()) }
    }

    /// Builds a tensor of float32.
    pub fn from_f32s(shape: Vec<usize>, values: &[f32]) -> Result<Tensor, TensorError> {
        Tensor::from_bytes(DType::Float, shape, values.iter().flat_map(|v| v.to_le_bytes()).collect())
    }

    /// Builds a tensor of a floating-point, integer or bool type from float64 values. Floats are rounded by
    /// [`FloatFormat::encode`](crate::FloatFormat::encode) without saturation; integers are truncated and wrapped.
    pub fn from_f64s(dtype: DType, shape: Vec<usize>, values: &[f64]) -> Result<Tensor, TensorError> {
        match (dtype.float_format(), dtype) {
            (Some(format), _) => {
                Tensor::from_bits(dtype, shape, values.iter().map(|&v| format.encode(v, Saturation::None)))
            }
            (None, DType::Bool) => Tensor::from_bits(dtype, shape, values.iter().map(|&v| u64::from(v != 0.0))),
            (None, _) if !dtype.is_integer() => {
                Err(TensorError::DType { wanted: "a floating-point, integer or bool type", found: dtype })
            }
            (None, _) => Tensor::from_bits(dtype, shape, values.iter().map(|&v| v as i128 as u64)),
        }
    }

    /// Builds a tensor of an integer or bool type from integers. Keeps the low bits of each integer.
    pub fn from_i128s(dtype: DType, shape: Vec<usize>, values: &[i128]) -> Result<Tensor, TensorError> {
        Tensor::from_bits(dtype, shape, values.iter().map(|&v| v as u64))
    }

    /// Builds a tensor from bit patterns of at most 64 bits each. Drops the bits above the element's width.
    pub fn from_bits(dtype: DType, shape: Vec<usize>, bits: impl Iterator<Item = u64>) -> Result<Tensor, TensorError> {
        let size = dtype.size();
        if size == 0 || size > 8 {
            return Err(TensorError::DType { wanted: "a numeric or bool type of at most 64 bits", found: dtype });
        }
        let width = dtype.bits().unwrap_or(64);
        let mask = if width >= 64 { u64::MAX } else { (1u64 << width) - 1 };
        let mut bytes = Vec::with_capacity(bits.size_hint().0 * size);
        // Each size has a loop of its own, because pushing a slice of unknown length costs more than making the
        // element.
        match size {
            1 => bytes.extend(bits.map(|b| (b & mask) as u8)),
            2 => bits.for_each(|b| bytes.extend_from_slice(&(b as u16).to_le_bytes())),
            4 => bits.for_each(|b| bytes.extend_from_slice(&(b as u32).to_le_bytes())),
            _ => bits.for_each(|b| bytes.extend_from_slice(&b.to_le_bytes())),
        }
        Tensor::from_bytes(dtype, shape, bytes)
    }

    /// Returns the element type.
    #[inline]
    pub fn dtype(&self) -> DType {
        self.dtype
    }

    /// Returns the extents, outermost first.
    #[inline]
    pub fn shape(&self) -> &[usize] {
        &self.shape
    }

    /// Returns the rank, which is the number of extents.
    pub fn rank(&self) -> usize {
        self.shape.len()
    }

    /// Returns the number of elements.
    #[inline]
    pub fn len(&self) -> usize {
        match &self.data {
            Data::Bytes(bytes) => bytes.len() / self.dtype.size().max(1),
            Data::Strings(strings) => strings.len(),
        }
    }

    /// Returns whether the tensor has no elements.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the elements.
    pub fn data(&self) -> &Data {
        &self.data
    }

    /// Returns the elements without the tensor.
    pub fn into_data(self) -> Data {
        self.data
    }

    /// Returns the bytes of the elements in the form of [`Data::Bytes`], or nothing for strings.
    pub fn bytes(&self) -> &[u8] {
        match &self.data {
            Data::Bytes(bytes) => bytes,
            Data::Strings(_) => &[],
        }
    }

    /// Returns the strings, or nothing for other types.
    pub fn strings(&self) -> &[Vec<u8>] {
        match &self.data {
            Data::Bytes(_) => &[],
            Data::Strings(strings) => strings,
        }
    }

    /// Returns the same elements with another shape, which must have the same number of elements.
    pub fn reshaped(self, shape: Vec<usize>) -> Result<Tensor, TensorError> {
        Tensor::new(self.dtype, shape, self.data)
    }

    /// Returns the bit pattern of element `index` (row-major) for types of at most 64 bits. Returns 0 beyond the end
    /// and for other types.
    #[inline]
    pub fn bits_at(&self, index: usize) -> u64 {
        let bytes = self.bytes();
        match self.dtype.size() {
            1 => bytes.get(index).map_or(0, |&byte| u64::from(byte)),
            2 => bytes.as_chunks().0.get(index).map_or(0, |&bits| u64::from(u16::from_le_bytes(bits))),
            4 => bytes.as_chunks().0.get(index).map_or(0, |&bits| u64::from(u32::from_le_bytes(bits))),
            8 => bytes.as_chunks().0.get(index).map_or(0, |&bits| u64::from_le_bytes(bits)),
            _ => 0,
        }
    }

    /// Returns element `index` as float64. The value is exact for every floating-point type; integers beyond 2^53 are
    /// rounded. Returns 0 for strings and complex numbers.
    #[inline]
    pub fn f64_at(&self, index: usize) -> f64 {
        match self.dtype {
            DType::Float => {
                self.bytes().as_chunks().0.get(index).map_or(0.0, |bits| f64::from(f32::from_le_bytes(*bits)))
            }
            dtype => match dtype.float_format() {
                Some(format) => format.decode(self.bits_at(index)),
                None => self.i128_at(index) as f64,
            },
        }
    }

    /// Returns the real and the imaginary part of element `index` of a complex type as float64, which is exact. Returns
    /// zeros for other types.
    pub fn complex_at(&self, index: usize) -> [f64; 2] {
        let (bytes, parts) = (self.bytes(), [2 * index, 2 * index + 1]);
        match self.dtype {
            DType::Complex64 => {
                parts.map(|at| bytes.as_chunks().0.get(at).map_or(0.0, |part| f64::from(f32::from_le_bytes(*part))))
            }
            DType::Complex128 => {
                parts.map(|at| bytes.as_chunks().0.get(at).map_or(0.0, |part| f64::from_le_bytes(*part)))
            }
            _ => [0.0; 2],
        }
    }

    /// Returns element `index` of an integer or bool type, where a bool is 0 or 1. Returns 0 for other types.
    #[inline]
    pub fn i128_at(&self, index: usize) -> i128 {
        let bits = self.bits_at(index);
        let width = self.dtype.bits().unwrap_or(64);
        match self.dtype.kind() {
            DTypeKind::SignedInteger => i128::from((bits << (64 - width)) as i64 >> (64 - width)),
            DTypeKind::UnsignedInteger => i128::from(bits),
            DTypeKind::Bool => i128::from(bits != 0),
            _ => 0,
        }
    }

    /// Returns all elements as float64 (see [`Tensor::f64_at`]).
    pub fn to_f64s(&self) -> Vec<f64> {
        match self.dtype {
            DType::Float => self.bytes().as_chunks().0.iter().map(|&b| f64::from(f32::from_le_bytes(b))).collect(),
            DType::Double => self.bytes().as_chunks().0.iter().map(|&b| f64::from_le_bytes(b)).collect(),
            dtype => match dtype.float_format() {
                Some(format) if dtype.size() == 2 => {
                    let patterns = self.bytes().as_chunks().0.iter();
                    patterns.map(|&b| format.decode(u64::from(u16::from_le_bytes(b)))).collect()
                }
                Some(format) => self.bytes().iter().map(|&b| format.decode(u64::from(b))).collect(),
                None => (0..self.len()).map(|i| self.f64_at(i)).collect(),
            },
        }
    }

    /// Returns all elements of an integer or bool type.
    pub fn to_i128s(&self) -> Vec<i128> {
        (0..self.len()).map(|i| self.i128_at(i)).collect()
    }

    /// Returns all elements of an int64 tensor.
    pub fn to_i64s(&self) -> Result<Vec<i64>, TensorError> {
        if self.dtype != DType::Int64 {
            return Err(TensorError::DType { wanted: "int64", found: self.dtype });
        }
        Ok(self.bytes().as_chunks().0.iter().map(|&b| i64::from_le_bytes(b)).collect())
    }
}
