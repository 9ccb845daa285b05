//! Tensors with one special element among ordinary ones, at the first, the middle or the last place along every axis.
//! Special elements are NaN, infinities, zeros and the ends of the range of a type. Such tensors find implementations
//! that go wrong when they read rows in blocks or start with the first element of a row. With many special elements in
//! one tensor, one of them can hide what another does.

use plumbline_tensor::{DType, Tensor, element_count};

use super::Draw;
use crate::values::{self, Values};

/// The place of the special element along each axis; the first is the simplest.
const PLACES: [&str; 3] = ["first", "last", "middle"];

impl Draw<'_> {
    /// Returns whether this is one of the cases with one special element in each tensor.
    pub fn has_one_special(&self) -> bool {
        self.one_special
    }

    /// Draws a tensor with one special element. Returns `None` if the type or these values have no special elements, or
    /// if the tensor is empty.
    pub(super) fn with_one_special(&mut self, dtype: DType, shape: &[usize], values: Values) -> Option<Tensor> {
        let count = element_count(shape).unwrap_or(0);
        let (special, ordinary) = values::specials(dtype, values)?;
        if count == 0 {
            return None;
        }
        let place = self.choose(&PLACES);
        let one = self.choose(&special);
        let ordinary =
            self.choices.block(count, values::BOUND).into_iter().map(|c| values::element(dtype, ordinary, c));
        let mut bits: Vec<u64> = ordinary.collect();
        // The first place along every axis is also the first element in flat order, and likewise the last. The middle
        // is not.
        let at = match place {
            "first" => 0,
            "last" => count - 1,
            _ => shape.iter().fold(0, |flat, extent| flat * extent + extent / 2),
        };
        bits[at] = one;
        if count > 2 {
            self.feature(&format!("one special element, {place}"));
        }
        Tensor::from_bits(dtype, shape.to_vec(), bits.into_iter()).ok()
    }
}
