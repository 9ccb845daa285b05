//! Tensors that are ordinary but for one element, at the first, the middle or the last place of its rows: what an implementation that reads its rows
//! in blocks, or that starts with their first element, gets wrong, and what many special elements hide behind each other.

use plumbline_tensor::{DType, Tensor, element_count};

use super::Draw;
use crate::values::{self, Values};

/// Where the special element stands, along each axis; the first is the simplest.
const PLACES: [&str; 3] = ["first", "last", "middle"];

impl Draw<'_> {
    /// Whether this is one of the cases whose tensors have one special element.
    pub fn has_one_special(&self) -> bool {
        self.one_special
    }

    /// Elements of which one is special; `None` where these values have none.
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
        // The same place along each axis is that of the flat index, but for the middle.
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
