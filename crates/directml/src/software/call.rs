//! A call of an operator: reads its tensors and attributes by the names of their fields.

use bytemuck::Pod;
use plumbline_tensor::DType;

use super::memory::{Elements, Memory, Raw};
use super::types::{dtype_of, integers, nearest, numbers};
use crate::description::{Attribute, Scalar};
use crate::description::{FieldValue, OperatorDescription};
use crate::tensor::TensorDescription;
use plumbline_cpu::element::{Integer, Number};
use plumbline_graph::Refusal;

/// The reason why an operator did not run.
#[derive(Clone, Debug, PartialEq)]
pub enum Stop {
    /// A field is missing, or violates a rule that the support tables cannot express.
    Wrong {
        /// The field's name.
        field: String,
        /// A description of the violation.
        said: String,
    },
    /// Another reason, such as a missing kernel for the operator or its types.
    Refused(Refusal),
}

impl From<Refusal> for Stop {
    fn from(refusal: Refusal) -> Stop {
        Stop::Refused(refusal)
    }
}

/// The result of an operator: the bytes of each output that is not left out, from the output's first element on.
pub type Written = Result<Vec<Vec<u8>>, Stop>;

/// A function that runs an operator on its bindings.
pub type Run = fn(&Call) -> Written;

/// Returns [`Stop::Wrong`] for a field.
pub fn wrong<T>(field: &str, said: impl Into<String>) -> Result<T, Stop> {
    Err(Stop::Wrong { field: field.to_owned(), said: said.into() })
}

fn uints(description: &OperatorDescription, field: &str) -> Result<Vec<usize>, Stop> {
    match description.uints(field) {
        Some(values) => Ok(values.iter().map(|&value| value as usize).collect()),
        None => wrong(field, "is missing"),
    }
}

/// Returns a field of distinct axes of a tensor of this rank.
pub fn distinct_axes(description: &OperatorDescription, field: &str, rank: usize) -> Result<Vec<usize>, Stop> {
    let axes = uints(description, field)?;
    match axes.iter().enumerate().all(|(at, axis)| *axis < rank && !axes[..at].contains(axis)) {
        true => Ok(axes),
        false => wrong(field, format!("is {axes:?}, which has duplicates or is out of range for rank {rank}")),
    }
}

/// The elements of a tensor as float64, in row-major order.
#[derive(Clone, Debug)]
pub struct Dense {
    /// The extents.
    pub sizes: Vec<usize>,
    /// The elements.
    pub data: Vec<f64>,
}

impl Dense {
    /// Returns the position of an element; dimensions of size 1 are broadcast.
    pub fn place(&self, index: &[usize]) -> usize {
        index.iter().zip(&self.sizes).fold(0, |place, (&i, &size)| place * size + if size == 1 { 0 } else { i })
    }

    /// Returns an element; dimensions of size 1 are broadcast.
    pub fn at(&self, index: &[usize]) -> f64 {
        self.data[self.place(index)]
    }
}

/// An operator with its bindings.
pub struct Call<'a> {
    /// The operator.
    pub description: &'a OperatorDescription,
    /// The buffers and the operator's bindings.
    pub memory: &'a Memory<'a>,
}

impl<'a> Call<'a> {
    /// Returns whether a tensor is set.
    pub fn has(&self, field: &str) -> bool {
        !self.description.tensors(field).is_empty()
    }

    /// Returns the tensors of a field.
    pub fn tensors(&self, field: &str) -> Result<&'a [TensorDescription], Stop> {
        match self.description.tensors(field) {
            [] => wrong(field, "is missing"),
            tensors => Ok(tensors),
        }
    }

    /// Returns the first tensor of a field.
    pub fn tensor(&self, field: &str) -> Result<&'a TensorDescription, Stop> {
        Ok(&self.tensors(field)?[0])
    }

    /// Returns the extents of a tensor.
    pub fn sizes(&self, field: &str) -> Result<Vec<usize>, Stop> {
        Ok(self.tensor(field)?.sizes.iter().map(|&size| size as usize).collect())
    }

    /// Returns the element type of a tensor, under the name that the kernels use.
    pub fn dtype(&self, field: &str) -> Result<DType, Stop> {
        Ok(dtype_of(self.tensor(field)?.data_type)?)
    }

    fn index_of(&self, field: &str) -> Result<usize, Stop> {
        self.description.index_of(field).map_or_else(|| wrong(field, "is missing"), Ok)
    }

    /// Returns the elements of an input.
    pub fn read<T: Pod>(&self, field: &str) -> Result<Elements<T>, Stop> {
        Ok(self.memory.input(self.index_of(field)?, self.tensor(field)?)?)
    }

    /// Returns the elements of an input in row-major order.
    pub fn list<T: Pod>(&self, field: &str) -> Result<Vec<T>, Stop> {
        self.list_nth(field, 0)
    }

    fn list_nth<T: Pod>(&self, field: &str, nth: usize) -> Result<Vec<T>, Stop> {
        Ok(bytemuck::pod_collect_to_vec(&self.raw_nth(field, nth, size_of::<T>())?.bytes))
    }

    /// Returns the elements of an input in row-major order, as bytes.
    pub fn raw(&self, field: &str) -> Result<Raw, Stop> {
        self.raw_nth(field, 0, self.dtype(field)?.size())
    }

    /// Returns the elements of tensor `nth` of an array of inputs, in row-major order. Each element must have `size`
    /// bytes.
    pub fn raw_nth(&self, field: &str, nth: usize, size: usize) -> Result<Raw, Stop> {
        Ok(self.memory.input_bytes(self.index_of(field)? + nth, &self.tensors(field)?[nth], size)?)
    }

    /// Returns the elements that an output's memory holds before the operator writes it, in row-major order.
    pub fn before(&self, field: &str) -> Result<Raw, Stop> {
        Ok(self.memory.output_bytes(self.index_of(field)?, self.tensor(field)?, self.dtype(field)?.size())?)
    }

    /// Returns the elements of an input as float64.
    pub fn numbers(&self, field: &str) -> Result<Dense, Stop> {
        self.numbers_nth(field, 0)
    }

    /// Returns the elements of tensor `nth` of an array of inputs, as float64.
    pub fn numbers_nth(&self, field: &str, nth: usize) -> Result<Dense, Stop> {
        let tensor = &self.tensors(field)?[nth];
        let sizes = tensor.sizes.iter().map(|&size| size as usize).collect();
        if tensor.data_type.bits() == Some(4) {
            let found = self.memory.nibbles(self.index_of(field)? + nth, tensor)?;
            return Ok(Dense { sizes, data: found.into_iter().map(f64::from).collect() });
        }
        let data = numbers!(dtype_of(tensor.data_type)?, T => {
            self.list_nth::<T>(field, nth)?.iter().map(|x| x.to_f64()).collect()
        });
        Ok(Dense { sizes, data })
    }

    /// Returns the elements of an optional input as float64; `None` if it is left out.
    pub fn optional_numbers(&self, field: &str) -> Result<Option<Dense>, Stop> {
        if self.has(field) { self.numbers(field).map(Some) } else { Ok(None) }
    }

    /// Returns the elements of an input of integers, in row-major order. Numbers above the largest int64 saturate.
    pub fn integers(&self, field: &str) -> Result<Vec<i64>, Stop> {
        let tensor = self.tensor(field)?;
        if tensor.data_type.bits() == Some(4) {
            let found = self.memory.nibbles(self.index_of(field)?, tensor)?;
            return Ok(found.into_iter().map(i64::from).collect());
        }
        Ok(integers!(self.dtype(field)?, T => {
            self.list::<T>(field)?.iter().map(|x| i64::try_from(x.to_i128()).unwrap_or(i64::MAX)).collect()
        }))
    }

    /// Returns the bytes of an output, given its elements in row-major order. Floats are rounded to nearest; integers
    /// drop the fraction and saturate.
    pub fn put(&self, field: &str, data: &[f64]) -> Result<Vec<u8>, Stop> {
        let tensor = self.tensor(field)?;
        if tensor.data_type.bits() == Some(4) {
            self.filled(field, 0, data.len())?;
            return Ok(self.memory.with_nibbles(self.index_of(field)?, tensor, data)?);
        }
        self.put_raw(field, &nearest(self.dtype(field)?, data)?)
    }

    /// Returns the bytes of an output of an integer type, given its elements in row-major order. High bits that do not
    /// fit are dropped.
    pub fn put_integers(&self, field: &str, data: &[i64]) -> Result<Vec<u8>, Stop> {
        integers!(self.dtype(field)?, T => {
            let elements: Vec<T> = data.iter().map(|&x| T::wrap(x.into())).collect();
            self.put_elements(field, &elements)
        })
    }

    /// Returns the bytes of an output, given its elements in row-major order and in the output's type.
    pub fn put_elements<T: Pod>(&self, field: &str, data: &[T]) -> Result<Vec<u8>, Stop> {
        self.put_bytes((field, 0), size_of::<T>(), bytemuck::cast_slice(data))
    }

    /// Returns the bytes of an output, given its elements in row-major order and in the output's type.
    pub fn put_raw(&self, field: &str, data: &Raw) -> Result<Vec<u8>, Stop> {
        self.put_raw_nth(field, 0, data)
    }

    /// Returns the bytes of tensor `nth` of an array of outputs, given its elements in row-major order and in the
    /// output's type.
    pub fn put_raw_nth(&self, field: &str, nth: usize, data: &Raw) -> Result<Vec<u8>, Stop> {
        self.put_bytes((field, nth), data.size, &data.bytes)
    }

    fn put_bytes(&self, (field, nth): (&str, usize), size: usize, bytes: &[u8]) -> Result<Vec<u8>, Stop> {
        self.filled(field, nth, bytes.len() / size)?;
        let tensor = &self.tensors(field)?[nth];
        Ok(self.memory.with_elements(self.index_of(field)? + nth, tensor, (size, bytes))?)
    }

    fn filled(&self, field: &str, nth: usize, count: usize) -> Result<(), Stop> {
        let sizes = &self.tensors(field)?[nth].sizes;
        match sizes.iter().map(|&size| size as usize).product::<usize>() == count {
            true => Ok(()),
            false => wrong(field, format!("Sizes are {sizes:?}, expected {count} elements")),
        }
    }

    /// Checks that a tensor has these extents.
    pub fn expect(&self, field: &str, wanted: &[usize]) -> Result<(), Stop> {
        let sizes = self.sizes(field)?;
        match sizes == wanted {
            true => Ok(()),
            false => wrong(field, format!("Sizes are {sizes:?}, but the other fields imply {wanted:?}")),
        }
    }

    /// Returns an unsigned integer, or the number of an enumeration's value.
    pub fn uint(&self, field: &str) -> Result<usize, Stop> {
        self.description.uint(field).map_or_else(|| wrong(field, "is missing"), |value| Ok(value as usize))
    }

    /// Returns a boolean.
    pub fn bool(&self, field: &str) -> Result<bool, Stop> {
        Ok(self.uint(field)? != 0)
    }

    /// Returns a float.
    pub fn float(&self, field: &str) -> Result<f64, Stop> {
        self.description.float(field).map_or_else(|| wrong(field, "is missing"), |value| Ok(value.into()))
    }

    /// Returns a list of unsigned integers.
    pub fn uints(&self, field: &str) -> Result<Vec<usize>, Stop> {
        uints(self.description, field)
    }

    /// Returns a list with a number for each of `count` dimensions. No number may be smaller than `least`.
    pub fn uints_of(&self, field: &str, count: usize, least: usize) -> Result<Vec<usize>, Stop> {
        let values = self.uints(field)?;
        match values.len() == count && values.iter().all(|&value| value >= least) {
            true => Ok(values),
            false => wrong(field, format!("is {values:?}, expected {count} numbers of at least {least}")),
        }
    }

    /// Returns a list with an integer for each of `count` dimensions.
    pub fn ints_of(&self, field: &str, count: usize) -> Result<Vec<i64>, Stop> {
        match self.description.attribute(field) {
            Some(Attribute::IntArray(values)) if values.len() == count => {
                Ok(values.iter().copied().map(i64::from).collect())
            }
            _ => wrong(field, format!("does not have {count} numbers")),
        }
    }

    /// Returns a list of `count` floats.
    pub fn floats_of(&self, field: &str, count: usize) -> Result<Vec<f64>, Stop> {
        match self.description.attribute(field) {
            Some(Attribute::FloatArray(values)) if values.len() == count => {
                Ok(values.iter().copied().map(f64::from).collect())
            }
            _ => wrong(field, format!("does not have {count} numbers")),
        }
    }

    /// Returns an integer.
    pub fn int(&self, field: &str) -> Result<i64, Stop> {
        match self.description.attribute(field) {
            Some(Attribute::Int(value)) => Ok((*value).into()),
            _ => wrong(field, "is missing"),
        }
    }

    /// Returns an axis of a tensor of this rank.
    pub fn axis(&self, field: &str, rank: usize) -> Result<usize, Stop> {
        match self.uint(field)? {
            axis if axis < rank => Ok(axis),
            axis => wrong(field, format!("is {axis}, which is out of range for rank {rank}")),
        }
    }

    /// Returns a list of distinct axes of a tensor of this rank.
    pub fn axes(&self, field: &str, rank: usize) -> Result<Vec<usize>, Stop> {
        distinct_axes(self.description, field, rank)
    }

    /// Returns an element of any type.
    pub fn scalar(&self, field: &str) -> Result<Scalar, Stop> {
        match self.description.attribute(field) {
            Some(Attribute::Scalar(value)) => Ok(*value),
            _ => wrong(field, "is missing"),
        }
    }

    /// Returns a 2D size: height, width.
    pub fn size_2d(&self, field: &str) -> Result<[usize; 2], Stop> {
        match self.description.attribute(field) {
            Some(Attribute::Size2d(size)) => Ok([size.height as usize, size.width as usize]),
            _ => wrong(field, "is missing"),
        }
    }

    /// Returns the operators in a field, in order; none if the field is absent.
    pub fn called(&self, field: &str) -> &'a [OperatorDescription] {
        match self.description.get(field) {
            Some(FieldValue::Attribute(Attribute::Operator(operator))) => std::slice::from_ref(operator),
            Some(FieldValue::Attribute(Attribute::Operators(operators))) => operators,
            _ => &[],
        }
    }
}
