//! Views: the sizes and strides with which a buffer is read, in elements.

use crate::{TensorDescription, Wire};
use plumbline_spec::directml::TensorDataType;

/// Sizes and strides over the tensor that a wire carries. A view has the rank of ONNX's tensor: 0 for a scalar.
#[derive(Clone, Debug, PartialEq)]
#[allow(missing_docs)]
pub struct View {
    pub wire: Wire,
    pub data_type: TensorDataType,
    pub sizes: Vec<u32>,
    pub strides: Vec<u32>,
}

/// Returns row-major strides.
pub fn packed(sizes: &[u32]) -> Vec<u32> {
    let mut strides = vec![1u32; sizes.len()];
    for d in (1..sizes.len()).rev() {
        strides[d - 1] = strides[d].saturating_mul(sizes[d]);
    }
    strides
}

/// Returns whether strides are row-major. The stride of a dimension of size 1 does not matter.
pub fn is_packed(sizes: &[u32], strides: &[u32]) -> bool {
    sizes.iter().zip(strides).zip(packed(sizes)).all(|((&size, &stride), packed)| size == 1 || stride == packed)
}

/// Returns the description of a tensor with these sizes and strides.
pub fn described(data_type: TensorDataType, sizes: &[u32], strides: &[u32]) -> TensorDescription {
    match is_packed(sizes, strides) {
        true => TensorDescription::packed(data_type, sizes),
        false => TensorDescription::strided(data_type, sizes, strides),
    }
}

impl View {
    /// Returns a row-major view.
    pub fn packed(wire: Wire, data_type: TensorDataType, sizes: &[u32]) -> View {
        View { wire, data_type, sizes: sizes.to_vec(), strides: packed(sizes) }
    }

    /// Returns the number of dimensions.
    pub fn rank(&self) -> usize {
        self.sizes.len()
    }

    /// Returns the number of elements.
    pub fn count(&self) -> u32 {
        self.sizes.iter().product()
    }

    /// Returns whether the view is row-major.
    pub fn is_packed(&self) -> bool {
        is_packed(&self.sizes, &self.strides)
    }

    /// Broadcasts the view to these sizes by ONNX's rules: missing dimensions and dimensions of size 1 get stride 0.
    /// Returns `None` if that is impossible.
    pub fn broadcast_to(&self, sizes: &[u32]) -> Option<View> {
        let missing = sizes.len().checked_sub(self.rank())?;
        let mut strides = vec![0; sizes.len()];
        for (d, (&size, &stride)) in self.sizes.iter().zip(&self.strides).enumerate() {
            strides[missing + d] = match size {
                same if same == sizes[missing + d] => stride,
                1 => 0,
                _ => return None,
            };
        }
        Some(View { sizes: sizes.to_vec(), strides, ..self.clone() })
    }

    /// Reorders the dimensions: dimension `d` of the result is dimension `order[d]` of the view.
    pub fn transposed(&self, order: &[usize]) -> View {
        let pick = |from: &[u32]| order.iter().map(|&d| from[d]).collect();
        View { sizes: pick(&self.sizes), strides: pick(&self.strides), ..self.clone() }
    }

    /// Returns a view of the same elements with other sizes. This view must be packed.
    pub fn reshaped(&self, sizes: &[u32]) -> View {
        View::packed(self.wire, self.data_type, sizes)
    }

    /// Returns a view of at least rank `rank` whose dimensions from `at` on are those of this view; the others have
    /// size 1.
    pub fn placed(&self, at: usize, rank: usize) -> View {
        let around = |own: &[u32]| {
            let mut all = vec![1; rank.max(at + own.len())];
            all[at..at + own.len()].copy_from_slice(own);
            all
        };
        View { sizes: around(&self.sizes), strides: around(&self.strides), ..self.clone() }
    }

    /// Returns the same bits as another type of the same width.
    pub fn retyped(&self, data_type: TensorDataType) -> View {
        View { data_type, ..self.clone() }
    }
}

/// Returns the sizes that these sizes broadcast to by ONNX's rules; `None` if they do not.
pub fn broadcast<'a>(all: impl IntoIterator<Item = &'a [u32]>) -> Option<Vec<u32>> {
    all.into_iter().try_fold(Vec::new(), |whole: Vec<u32>, sizes| {
        let rank = whole.len().max(sizes.len());
        let at = |of: &[u32], d: usize| (d + of.len()).checked_sub(rank).map_or(1, |d| of[d]);
        let merged = (0..rank).map(|d| match (at(&whole, d), at(sizes, d)) {
            (a, b) if a == b || b == 1 => Some(a),
            (1, b) => Some(b),
            _ => None,
        });
        merged.collect()
    })
}
