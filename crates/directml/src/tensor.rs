//! What a tensor is: `DML_BUFFER_TENSOR_DESC`.

use plumbline_spec::directml::TensorDataType;

/// What is special about a tensor: `DML_TENSOR_FLAGS`, bits that nobody defined included.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct TensorFlags(pub u32);

impl TensorFlags {
    /// Nothing.
    pub const NONE: TensorFlags = TensorFlags(0);
    /// DirectML keeps it: bound once, when the operator is initialized. For inputs only.
    pub const OWNED_BY_DML: TensorFlags = TensorFlags(1);

    /// Whether DirectML keeps it.
    pub fn is_owned_by_dml(self) -> bool {
        self.0 & TensorFlags::OWNED_BY_DML.0 != 0
    }
}

/// What a tensor in a buffer is. It may be one that DirectML refuses.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct TensorDescription {
    /// Element type.
    pub data_type: TensorDataType,
    /// Number of elements along each dimension, outermost first.
    pub sizes: Vec<u32>,
    /// Distance between neighbours along each dimension, in elements: 0 repeats an element, more than needed leaves a
    /// gap. `None`: packed.
    pub strides: Option<Vec<u32>>,
    /// Bytes of the buffer it takes, a multiple of 4.
    pub total_size_in_bytes: u64,
    /// What the offset of a binding is promised to be a multiple of; 0 for no promise.
    pub guaranteed_base_offset_alignment: u32,
    /// What is special about it.
    pub flags: TensorFlags,
}

impl TensorDescription {
    /// Row-major, without gaps, of the size that takes.
    pub fn packed(data_type: TensorDataType, sizes: impl Into<Vec<u32>>) -> TensorDescription {
        TensorDescription::sized(data_type, sizes.into(), None)
    }

    /// With these strides, of the size that takes.
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

    /// The same, kept by DirectML.
    pub fn owned_by_dml(self) -> TensorDescription {
        TensorDescription { flags: TensorFlags::OWNED_BY_DML, ..self }
    }

    /// The same, of another size in bytes.
    pub fn with_total_size_in_bytes(self, total_size_in_bytes: u64) -> TensorDescription {
        TensorDescription { total_size_in_bytes, ..self }
    }

    /// The same, with a promise for the offsets it is bound at.
    pub fn with_alignment(self, guaranteed_base_offset_alignment: u32) -> TensorDescription {
        TensorDescription { guaranteed_base_offset_alignment, ..self }
    }

    /// Number of dimensions.
    pub fn dimension_count(&self) -> u32 {
        u32::try_from(self.sizes.len()).unwrap_or(u32::MAX)
    }

    /// Number of elements, each as often as it is repeated; `None` if it is more than can be counted.
    pub fn element_count(&self) -> Option<u64> {
        self.sizes.iter().try_fold(1u64, |count, &size| count.checked_mul(u64::from(size)))
    }

    /// The strides that hold, those of a packed tensor where there are none.
    pub fn effective_strides(&self) -> Vec<u64> {
        match &self.strides {
            Some(strides) => strides.iter().copied().map(u64::from).collect(),
            None => packed_strides(&self.sizes),
        }
    }

    /// Bytes from the first element to the end of the last one, in whole words of 4: the least that
    /// `total_size_in_bytes` may be. `None` for an empty tensor, one without a type or with too few strides, and for
    /// what is more than can be counted.
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

/// Row-major strides; as large as there are where they are too large.
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
    fn smallest_sizes() {
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
