//! How a buffer is read: sizes, and strides in elements.

use crate::{TensorDescription, Wire};
use plumbline_spec::directml::TensorDataType;

/// Sizes and strides over what a wire carries. It has the dimensions of ONNX's tensor: none for a scalar.
#[derive(Clone, Debug, PartialEq)]
#[allow(missing_docs)]
pub struct View {
    pub wire: Wire,
    pub data_type: TensorDataType,
    pub sizes: Vec<u32>,
    pub strides: Vec<u32>,
}

/// Row-major strides.
pub fn packed(sizes: &[u32]) -> Vec<u32> {
    let mut strides = vec![1u32; sizes.len()];
    for d in (1..sizes.len()).rev() {
        strides[d - 1] = strides[d].saturating_mul(sizes[d]);
    }
    strides
}

/// Whether these strides are row-major, where it matters.
pub fn is_packed(sizes: &[u32], strides: &[u32]) -> bool {
    sizes.iter().zip(strides).zip(packed(sizes)).all(|((&size, &stride), packed)| size == 1 || stride == packed)
}

/// The description of such a tensor.
pub fn described(data_type: TensorDataType, sizes: &[u32], strides: &[u32]) -> TensorDescription {
    match is_packed(sizes, strides) {
        true => TensorDescription::packed(data_type, sizes),
        false => TensorDescription::strided(data_type, sizes, strides),
    }
}

impl View {
    /// Row-major.
    pub fn packed(wire: Wire, data_type: TensorDataType, sizes: &[u32]) -> View {
        View { wire, data_type, sizes: sizes.to_vec(), strides: packed(sizes) }
    }

    /// Number of dimensions.
    pub fn rank(&self) -> usize {
        self.sizes.len()
    }

    /// Number of elements.
    pub fn count(&self) -> u32 {
        self.sizes.iter().product()
    }

    /// Whether it is row-major.
    pub fn is_packed(&self) -> bool {
        is_packed(&self.sizes, &self.strides)
    }

    /// As ONNX broadcasts to these sizes: missing dimensions and those of size 1 have stride 0. `None`: it does not.
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

    /// Dimension `d` is what was dimension `order[d]`.
    pub fn transposed(&self, order: &[usize]) -> View {
        let pick = |from: &[u32]| order.iter().map(|&d| from[d]).collect();
        View { sizes: pick(&self.sizes), strides: pick(&self.strides), ..self.clone() }
    }

    /// The elements of a packed view in other sizes.
    pub fn reshaped(&self, sizes: &[u32]) -> View {
        View::packed(self.wire, self.data_type, sizes)
    }

    /// With as many dimensions as `rank`, its own beginning at `at`; the others have size 1.
    pub fn placed(&self, at: usize, rank: usize) -> View {
        let around = |own: &[u32]| {
            let mut all = vec![1; rank.max(at + own.len())];
            all[at..at + own.len()].copy_from_slice(own);
            all
        };
        View { sizes: around(&self.sizes), strides: around(&self.strides), ..self.clone() }
    }

    /// The same bits as another type of the same width.
    pub fn retyped(&self, data_type: TensorDataType) -> View {
        View { data_type, ..self.clone() }
    }
}

/// What ONNX broadcasts these sizes to.
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
