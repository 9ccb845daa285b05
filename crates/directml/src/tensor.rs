//! The description of a tensor in a buffer: `DML_BUFFER_TENSOR_DESC`.

use plumbline_cpu::kernels::fold::offsets;
use plumbline_spec::directml::TensorDataType;
use plumbline_tensor::DType;

/// The flags of a tensor (`DML_TENSOR_FLAGS`); the value may have bits that DirectML does not define.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct TensorFlags(pub u32);

impl TensorFlags {
    /// No flags.
    pub const NONE: TensorFlags = TensorFlags(0);
    /// DirectML owns the tensor: it is bound once, when the operator is initialized. Only inputs may have this flag.
    pub const OWNED_BY_DML: TensorFlags = TensorFlags(1);

    /// Returns whether DirectML owns the tensor.
    pub fn is_owned_by_dml(self) -> bool {
        self.0 & TensorFlags::OWNED_BY_DML.0 != 0
    }
}

/// The description of a tensor in a buffer. DirectML may refuse it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct TensorDescription {
    /// The element type.
    pub data_type: TensorDataType,
    /// The number of elements along each dimension, outermost first.
    pub sizes: Vec<u32>,
    /// The distance between neighbours along each dimension, in elements. A stride of 0 repeats an element, and a
    /// stride larger than necessary leaves a gap. `None` stands for a packed tensor.
    pub strides: Option<Vec<u32>>,
    /// The number of bytes that the tensor takes in its buffer. The constructors round it up to a multiple of 4.
    pub total_size_in_bytes: u64,
    /// The alignment that is guaranteed for the offset of a binding; 0 for no guarantee.
    pub guaranteed_base_offset_alignment: u32,
    /// The tensor's flags.
    pub flags: TensorFlags,
}

impl TensorDescription {
    /// Describes a tensor in row-major order without gaps. Its size in bytes is the smallest possible one, or
    /// `u64::MAX` if there is none.
    pub fn packed(data_type: TensorDataType, sizes: impl Into<Vec<u32>>) -> TensorDescription {
        TensorDescription::sized(data_type, sizes.into(), None)
    }

    /// Describes a tensor with these strides. Its size in bytes is the smallest possible one, or `u64::MAX` if there is
    /// none.
    pub fn strided(
        data_type: TensorDataType,
        sizes: impl Into<Vec<u32>>,
        strides: impl Into<Vec<u32>>,
    ) -> TensorDescription {
        TensorDescription::sized(data_type, sizes.into(), Some(strides.into()))
    }

    fn sized(data_type: TensorDataType, sizes: Vec<u32>, strides: Option<Vec<u32>>) -> TensorDescription {
        let mut tensor = TensorDescription {
            data_type,
            sizes,
            strides,
            total_size_in_bytes: 0,
            guaranteed_base_offset_alignment: 0,
            flags: TensorFlags::NONE,
        };
        tensor.total_size_in_bytes = tensor.smallest_total_size_in_bytes().unwrap_or(u64::MAX);
        tensor
    }

    /// Returns the number of dimensions.
    pub fn dimension_count(&self) -> u32 {
        u32::try_from(self.sizes.len()).unwrap_or(u32::MAX)
    }

    /// Returns the number of elements, repeated ones included; `None` if the number overflows.
    pub fn element_count(&self) -> Option<u64> {
        self.sizes.iter().try_fold(1u64, |count, &size| count.checked_mul(u64::from(size)))
    }

    /// Returns the strides; those of a packed tensor if the description has none.
    pub fn effective_strides(&self) -> Vec<u64> {
        match &self.strides {
            Some(strides) => strides.iter().copied().map(u64::from).collect(),
            None => packed_strides(&self.sizes),
        }
    }

    /// Returns the position of each element in memory, counted in elements. The list is in row-major order. The caller
    /// has validated the description.
    pub fn places(&self) -> Vec<usize> {
        let dims: Vec<(usize, isize)> = self
            .sizes
            .iter()
            .zip(self.effective_strides())
            .map(|(&size, stride)| (size as usize, stride as isize))
            .collect();
        offsets(&dims).into_iter().map(|place| place as usize).collect()
    }

    /// Returns the number of bytes from the first element to the end of the last one, rounded up to a multiple of 4.
    /// `total_size_in_bytes` must not be smaller. Returns `None` for an empty tensor, for one without a type or with a
    /// wrong number of strides, and if the number overflows.
    pub fn smallest_total_size_in_bytes(&self) -> Option<u64> {
        let strides = self.effective_strides();
        if strides.len() != self.sizes.len() {
            return None;
        }
        let last = self.sizes.iter().zip(strides).try_fold(0u64, |last, (&size, stride)| {
            u64::from(size).checked_sub(1)?.checked_mul(stride)?.checked_add(last)
        })?;
        let bits = last.checked_add(1)?.checked_mul(u64::from(self.data_type.bits()?))?;
        bits.div_ceil(8).checked_next_multiple_of(4)
    }
}

/// Returns the type of ONNX that has the elements of a type of DirectML; `None` for `UNKNOWN`.
pub fn dtype_of(data_type: TensorDataType) -> Option<DType> {
    Some(match data_type {
        TensorDataType::Float32 => DType::Float,
        TensorDataType::Float16 => DType::Float16,
        TensorDataType::Float64 => DType::Double,
        TensorDataType::Uint4 => DType::Uint4,
        TensorDataType::Uint8 => DType::Uint8,
        TensorDataType::Uint16 => DType::Uint16,
        TensorDataType::Uint32 => DType::Uint32,
        TensorDataType::Uint64 => DType::Uint64,
        TensorDataType::Int4 => DType::Int4,
        TensorDataType::Int8 => DType::Int8,
        TensorDataType::Int16 => DType::Int16,
        TensorDataType::Int32 => DType::Int32,
        TensorDataType::Int64 => DType::Int64,
        TensorDataType::Unknown => return None,
    })
}

/// Returns row-major strides. Strides that overflow are the largest possible number.
fn packed_strides(sizes: &[u32]) -> Vec<u64> {
    let mut strides = vec![1u64; sizes.len()];
    for d in (1..sizes.len()).rev() {
        strides[d - 1] = strides[d].saturating_mul(u64::from(sizes[d]));
    }
    strides
}

#[cfg(test)]
mod tests {
    use super::*;
    use TensorDataType::*;

    #[test]
    fn the_smallest_size_covers_the_last_element() {
        let size = |tensor: TensorDescription| tensor.smallest_total_size_in_bytes();
        assert_eq!(size(TensorDescription::packed(Float32, [2, 3])), Some(24));
        assert_eq!(size(TensorDescription::packed(Float16, [3])), Some(8));
        assert_eq!(size(TensorDescription::packed(Uint4, [3, 3])), Some(8));
        assert_eq!(size(TensorDescription::packed(Int8, [])), Some(4));
        assert_eq!(size(TensorDescription::strided(Float32, [2, 3], [0, 0])), Some(4));
        assert_eq!(size(TensorDescription::strided(Float64, [2, 3], [10, 2])), Some((10 + 4 + 1) * 8));
        assert_eq!(size(TensorDescription::packed(Float32, [2, 0])), None);
        assert_eq!(size(TensorDescription::strided(Float32, [2, 3], [1])), None);
        assert_eq!(size(TensorDescription::packed(Float32, [u32::MAX; 4])), None);
        assert_eq!(TensorDescription::packed(Float32, [u32::MAX; 4]).total_size_in_bytes, u64::MAX);
    }
}
