//! Sparse tensors, in ONNX's coordinate form.

use crate::{DType, Data, Tensor, TensorError, element_count};

/// A sparse tensor. All elements that it does not list are zero, or the empty string.
///
/// The indices ascend without duplicates, as ONNX demands. [`SparseTensor::new`] checks this.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SparseTensor {
    values: Tensor,
    indices: Tensor,
    shape: Vec<usize>,
}

/// Why a sparse tensor could not be built.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SparseTensorError {
    /// The values are not of rank 1, or the indices of the `n` values are not int64 of shape `[n]` or `[n, rank]`.
    #[error("values of shape {values:?} do not fit indices of type {dtype} and shape {indices:?} for rank {rank}")]
    Shapes {
        /// The shape of the values.
        values: Vec<usize>,
        /// The element type of the indices.
        dtype: DType,
        /// The shape of the indices.
        indices: Vec<usize>,
        /// The rank of the sparse tensor.
        rank: usize,
    },
    /// An index lies outside the shape.
    #[error("index {index} of value {position} is outside shape {shape:?}")]
    OutOfRange {
        /// The position of the value in the list of values.
        position: usize,
        /// The index: either a coordinate or a row-major position.
        index: i64,
        /// The shape of the sparse tensor.
        shape: Vec<usize>,
    },
    /// The indices do not ascend.
    #[error("the index of value {position} is not greater than the index before it")]
    Order {
        /// The position of the value in the list of values.
        position: usize,
    },
    /// The dense form has more elements than fit in memory, or cannot be built.
    #[error(transparent)]
    Tensor(#[from] TensorError),
}

impl SparseTensor {
    /// Builds a sparse tensor of `shape` from `values` of rank 1 and their `indices`. The indices of `n` values are
    /// int64, either of shape `[n]` (row-major positions) or of shape `[n, rank]` (coordinates).
    pub fn new(values: Tensor, indices: Tensor, shape: Vec<usize>) -> Result<SparseTensor, SparseTensorError> {
        let sparse = SparseTensor { values, indices, shape };
        let mut before = None;
        for (position, index) in sparse.positions()?.into_iter().enumerate() {
            if before.is_some_and(|b| b >= index) {
                return Err(SparseTensorError::Order { position });
            }
            before = Some(index);
        }
        Ok(sparse)
    }

    /// Returns the row-major position of each value.
    fn positions(&self) -> Result<Vec<usize>, SparseTensorError> {
        let rank = self.shape.len();
        let count = element_count(&self.shape).ok_or_else(|| TensorError::TooLarge(self.shape.clone()))?;
        let wrong = || SparseTensorError::Shapes {
            values: self.values.shape().to_vec(),
            dtype: self.indices.dtype(),
            indices: self.indices.shape().to_vec(),
            rank,
        };
        let &[stored] = self.values.shape() else { return Err(wrong()) };
        let indices = self.indices.to_i64s().map_err(|_| wrong())?;
        let out_of_range =
            |position, index| SparseTensorError::OutOfRange { position, index, shape: self.shape.clone() };
        match *self.indices.shape() {
            [n] if n == stored => indices
                .into_iter()
                .enumerate()
                .map(|(position, index)| match usize::try_from(index) {
                    Ok(i) if i < count => Ok(i),
                    _ => Err(out_of_range(position, index)),
                })
                .collect(),
            [n, r] if n == stored && r == rank && rank > 0 => indices
                .chunks(rank)
                .enumerate()
                .map(|(position, coordinates)| {
                    coordinates.iter().zip(&self.shape).try_fold(0, |linear, (&index, &extent)| {
                        match usize::try_from(index) {
                            // A shape with an extent of 0 has no elements, and the product of its other extents may
                            // overflow.
                            Ok(i) if i < extent && count > 0 => Ok(linear * extent + i),
                            _ => Err(out_of_range(position, index)),
                        }
                    })
                })
                .collect(),
            _ => Err(wrong()),
        }
    }

    /// Returns the listed values, of rank 1.
    pub fn values(&self) -> &Tensor {
        &self.values
    }

    /// Returns the indices of the values, as int64 (see [`SparseTensor::new`]).
    pub fn indices(&self) -> &Tensor {
        &self.indices
    }

    /// Returns the extents, outermost first.
    pub fn shape(&self) -> &[usize] {
        &self.shape
    }

    /// Returns the element type.
    pub fn dtype(&self) -> DType {
        self.values.dtype()
    }

    /// Returns the same tensor in dense form.
    pub fn to_dense(&self) -> Result<Tensor, SparseTensorError> {
        let positions = self.positions()?;
        let zeros = Tensor::zeros(self.dtype(), self.shape.clone())?;
        let size = self.dtype().size();
        let data = match (zeros.into_data(), self.values.data()) {
            (Data::Bytes(dense), Data::Bytes(values)) => {
                let mut dense = Vec::from(dense);
                for (position, value) in positions.into_iter().zip(values.chunks(size.max(1))) {
                    dense[position * size..][..size].copy_from_slice(value);
                }
                Data::Bytes(dense.into())
            }
            (Data::Strings(mut dense), Data::Strings(values)) => {
                for (position, value) in positions.into_iter().zip(values) {
                    dense[position].clone_from(value);
                }
                Data::Strings(dense)
            }
            (zeros, _) => zeros,
        };
        Ok(Tensor::new(self.dtype(), self.shape.clone(), data)?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn indices(shape: Vec<usize>, values: &[i64]) -> Tensor {
        Tensor::from_i64s(values).reshaped(shape).unwrap()
    }

    #[test]
    fn both_forms_of_indices_give_the_same_tensor() {
        let values = Tensor::from_f32s(vec![3], &[1.0, 2.0, 3.0]).unwrap();
        let linear = SparseTensor::new(values.clone(), indices(vec![3], &[1, 3, 5]), vec![2, 3]).unwrap();
        let pairs = SparseTensor::new(values, indices(vec![3, 2], &[0, 1, 1, 0, 1, 2]), vec![2, 3]).unwrap();
        let dense = Tensor::from_f32s(vec![2, 3], &[0.0, 1.0, 0.0, 2.0, 0.0, 3.0]).unwrap();
        assert_eq!(linear.to_dense().unwrap(), dense);
        assert_eq!(pairs.to_dense().unwrap(), dense);
    }

    #[test]
    fn strings_that_are_not_listed_are_empty() {
        let values = Tensor::from_strings(vec![1], vec![b"a".to_vec()]).unwrap();
        let sparse = SparseTensor::new(values, indices(vec![1], &[1]), vec![2]).unwrap();
        assert_eq!(sparse.to_dense().unwrap().strings(), [b"".to_vec(), b"a".to_vec()]);
    }

    #[test]
    fn values_and_indices_that_do_not_fit_are_rejected() {
        let values = Tensor::from_f32s(vec![2], &[1.0, 2.0]).unwrap();
        let new = |i: Tensor, shape: &[usize]| SparseTensor::new(values.clone(), i, shape.to_vec()).unwrap_err();
        assert!(matches!(new(indices(vec![2], &[3, 1]), &[4]), SparseTensorError::Order { position: 1 }));
        assert!(matches!(new(indices(vec![2], &[1, 1]), &[4]), SparseTensorError::Order { position: 1 }));
        assert!(matches!(new(indices(vec![2], &[0, 4]), &[4]), SparseTensorError::OutOfRange { index: 4, .. }));
        assert!(matches!(new(indices(vec![2], &[-1, 2]), &[4]), SparseTensorError::OutOfRange { index: -1, .. }));
        assert!(matches!(new(indices(vec![3], &[0, 1, 2]), &[4]), SparseTensorError::Shapes { .. }));
        assert!(matches!(new(indices(vec![2, 1], &[0, 1]), &[4, 4]), SparseTensorError::Shapes { .. }));
        assert!(matches!(new(indices(vec![2], &[0, 1]), &[usize::MAX, 3]), SparseTensorError::Tensor(_)));
        let far = indices(vec![2, 3], &[i64::MAX, i64::MAX, 0, i64::MAX, i64::MAX, 1]);
        assert!(matches!(new(far, &[usize::MAX, usize::MAX, 0]), SparseTensorError::OutOfRange { .. }));
    }
}
