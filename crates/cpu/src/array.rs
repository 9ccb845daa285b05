//! The values that flow between nodes: dense arrays, and other values, which most operators only pass on.

use std::sync::Arc;

use bytemuck::Pod;
use plumbline_tensor::{DType, Data, Tensor, Value, ValueKind};

use super::buffers::Words;
use super::view::{View, ViewMut};
use plumbline_graph::Refusal;

/// Largest number of elements of an array. A larger array is refused before memory is allocated.
const MOST_ELEMENTS: usize = 1 << 28;

/// The elements of an array in memory. Elements other than strings lie packed in a vector of 64-bit words, which is
/// aligned for every element type.
#[derive(Clone, Debug)]
enum Store {
    Words(Arc<Words>),
    Strings(Arc<Vec<Vec<u8>>>),
}

/// A dense row-major array. Cloning it is cheap, because clones share the elements.
#[derive(Clone, Debug)]
pub struct Array {
    dtype: DType,
    shape: Vec<usize>,
    len: usize,
    store: Store,
}

/// Returns the number of elements of a tensor of this shape, or refuses the shape if there are too many. The limit also
/// holds for the product with empty extents counted as 1, so that callers can multiply any of the extents without
/// overflow.
pub fn affordable(shape: &[usize]) -> Result<usize, Refusal> {
    let whole = shape.iter().try_fold(1usize, |n, &extent| n.checked_mul(extent.max(1)));
    match whole.filter(|&whole| whole <= MOST_ELEMENTS) {
        Some(whole) => Ok(if shape.contains(&0) { 0 } else { whole }),
        None => {
            Err(Refusal::unsupported(format!("a tensor of shape {shape:?} has larger extents than this backend takes")))
        }
    }
}

impl Array {
    /// Creates an array of zeros and has `fill` write its elements. `T` must have the size of the element type, which
    /// must not be string.
    pub fn filled<T: Pod>(
        dtype: DType,
        shape: &[usize],
        fill: impl FnOnce(&mut ViewMut<T>) -> Result<(), Refusal>,
    ) -> Result<Array, Refusal> {
        let mut fill = Some(fill);
        Array::over(Words::zeroed, dtype, shape, &mut |out| fill.take().map_or(Ok(()), |fill| fill(out)))
    }

    /// Creates an array of arbitrary values and has `fill` write its elements. `fill` must write every element.
    pub fn written<T: Pod>(
        dtype: DType,
        shape: &[usize],
        fill: impl FnOnce(&mut ViewMut<T>) -> Result<(), Refusal>,
    ) -> Result<Array, Refusal> {
        let mut fill = Some(fill);
        Array::over(Words::any, dtype, shape, &mut |out| fill.take().map_or(Ok(()), |fill| fill(out)))
    }

    /// Creates an array in memory that `memory` allocates. `fill` is a trait object, so that this function is compiled
    /// once for each element type and not once for each `fill`.
    fn over<T: Pod>(
        memory: fn(usize) -> Words,
        dtype: DType,
        shape: &[usize],
        fill: &mut dyn FnMut(&mut ViewMut<T>) -> Result<(), Refusal>,
    ) -> Result<Array, Refusal> {
        let len = affordable(shape)?;
        let mut words = memory((len * size_of::<T>()).div_ceil(8));
        fill(&mut ViewMut::packed(&mut bytemuck::cast_slice_mut(&mut words.0)[..len], shape))?;
        Ok(Array { dtype, shape: shape.to_vec(), len, store: Store::Words(Arc::new(words)) })
    }

    /// Creates an array of zeros, `false` or empty strings.
    pub fn zeros(dtype: DType, shape: &[usize]) -> Result<Array, Refusal> {
        if dtype == DType::String {
            return Array::strings_of(shape, vec![Vec::new(); affordable(shape)?]);
        }
        let len = affordable(shape)?;
        let words = Words::zeroed((len * dtype.size()).div_ceil(8));
        Ok(Array { dtype, shape: shape.to_vec(), len, store: Store::Words(Arc::new(words)) })
    }

    /// Creates an array of these elements. `T` must have the size of the element type.
    pub fn from_elements<T: Pod>(dtype: DType, shape: &[usize], elements: &[T]) -> Result<Array, Refusal> {
        if affordable(shape)? != elements.len() {
            return Err(Refusal::failed(format!("{} elements do not fit shape {shape:?}", elements.len())));
        }
        Array::written(dtype, shape, |out| {
            out.data.copy_from_slice(elements);
            Ok(())
        })
    }

    /// Creates an array of these strings.
    pub fn strings_of(shape: &[usize], strings: Vec<Vec<u8>>) -> Result<Array, Refusal> {
        let len = affordable(shape)?;
        if len != strings.len() {
            return Err(Refusal::failed(format!("{} strings do not fit shape {shape:?}", strings.len())));
        }
        Ok(Array { dtype: DType::String, shape: shape.to_vec(), len, store: Store::Strings(Arc::new(strings)) })
    }

    /// Returns the element type.
    pub fn dtype(&self) -> DType {
        self.dtype
    }

    /// Returns the extents.
    pub fn shape(&self) -> &[usize] {
        &self.shape
    }

    /// Returns the rank, which is the number of extents.
    pub fn rank(&self) -> usize {
        self.shape.len()
    }

    /// Returns the number of elements.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether it has no elements.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Returns the elements; for strings the slice is empty. `T` must have the size of the element type.
    pub fn slice<T: Pod>(&self) -> &[T] {
        match &self.store {
            Store::Words(words) => &bytemuck::cast_slice(&words.0)[..self.len],
            Store::Strings(_) => &[],
        }
    }

    /// Returns a packed view of the elements.
    pub fn view<T: Pod>(&self) -> View<'_, T> {
        View::packed(self.slice(), &self.shape)
    }

    /// Returns the strings; for other element types the slice is empty.
    pub fn strings(&self) -> &[Vec<u8>] {
        match &self.store {
            Store::Words(_) => &[],
            Store::Strings(strings) => strings,
        }
    }

    /// Returns the same elements in another shape, which must have as many elements.
    pub fn reshaped(&self, shape: &[usize]) -> Result<Array, Refusal> {
        if affordable(shape)? != self.len {
            return Err(Refusal::invalid(format!(
                "shape {:?} cannot be reshaped to {shape:?}: the numbers of elements differ",
                self.shape
            )));
        }
        Ok(Array { shape: shape.to_vec(), ..self.clone() })
    }

    /// Returns the same bits as elements of another type, which must have the same size.
    pub fn retyped(&self, dtype: DType) -> Array {
        Array { dtype, ..self.clone() }
    }

    /// Returns the elements of an int64 or int32 array as `i64`; refuses other element types.
    pub fn to_i64s(&self) -> Result<Vec<i64>, Refusal> {
        match self.dtype {
            DType::Int64 => Ok(self.slice::<i64>().to_vec()),
            DType::Int32 => Ok(self.slice::<i32>().iter().map(|&i| i64::from(i)).collect()),
            other => Err(Refusal::invalid(format!("found element type {other}, expected int64 or int32"))),
        }
    }

    /// Copies the array into a tensor.
    pub fn to_tensor(&self) -> Result<Tensor, Refusal> {
        let data = match &self.store {
            Store::Strings(strings) => Data::Strings(strings.to_vec()),
            Store::Words(words) => {
                let bytes: &[u8] = &bytemuck::cast_slice(&words.0)[..self.len * self.dtype.size()];
                Data::Bytes(bytes.to_vec().into())
            }
        };
        Tensor::new(self.dtype, self.shape.clone(), data).map_err(|e| Refusal::failed(e.to_string()))
    }

    /// Copies a tensor into an array.
    pub fn from_tensor(tensor: &Tensor) -> Result<Array, Refusal> {
        match tensor.data() {
            Data::Strings(strings) => Array::strings_of(tensor.shape(), strings.clone()),
            Data::Bytes(bytes) => {
                let len = affordable(tensor.shape())?;
                let mut words = Words::any(bytes.len().div_ceil(8));
                bytemuck::cast_slice_mut(&mut words.0)[..bytes.len()].copy_from_slice(bytes);
                let store = Store::Words(Arc::new(words));
                Ok(Array { dtype: tensor.dtype(), shape: tensor.shape().to_vec(), len, store })
            }
        }
    }
}

/// A value that flows between nodes.
#[derive(Clone, Debug)]
pub enum Held {
    /// A dense tensor.
    Array(Array),
    /// A sequence, optional, map or sparse tensor. Most operators only pass it on.
    Other(Arc<Value>),
}

impl Held {
    /// Returns the type of the value.
    pub fn kind(&self) -> ValueKind {
        match self {
            Held::Array(array) => ValueKind::Tensor(array.dtype),
            Held::Other(value) => value.kind(),
        }
    }

    /// Converts a value from outside the backend.
    pub fn from_value(value: &Value) -> Result<Held, Refusal> {
        Ok(match value {
            Value::Tensor(tensor) => Held::Array(Array::from_tensor(tensor)?),
            other => Held::Other(Arc::new(other.clone())),
        })
    }

    /// Converts the value for use outside the backend.
    pub fn to_value(&self) -> Result<Value, Refusal> {
        Ok(match self {
            Held::Array(array) => Value::Tensor(array.to_tensor()?),
            Held::Other(value) => value.as_ref().clone(),
        })
    }
}

impl From<Array> for Held {
    fn from(array: Array) -> Held {
        Held::Array(array)
    }
}
