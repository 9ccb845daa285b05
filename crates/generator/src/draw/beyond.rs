//! Values that violate a constraint, mostly by as little as possible, for negative recipes: at each end of a range, on
//! each axis, in each way that the sentence of the constraint covers.

use plumbline_tensor::{DType, ValueKind};

use super::Draw;

/// The distance from the end of a range to a number that is far out of it.
const FAR: i64 = 1000;

impl Draw<'_> {
    /// Chooses one of `count` ways to violate a constraint. The first cases of a cell take the ways in turn. They start
    /// with a way that differs from cell to cell, so that even a run with one case per cell meets several. Later cases
    /// draw a way. If a recipe calls this several times, the first cases take all combinations of ways in turn: the
    /// first call changes its way in every case, and a later call changes its way when the earlier calls have gone
    /// through all their combinations.
    pub fn way(&mut self, count: usize) -> usize {
        let count = count.max(1) as u64;
        let combinations = self.combinations.saturating_mul(count);
        let at = match self.index < combinations {
            true => {
                let wanted = self.index.wrapping_add(self.rotation) / self.combinations % count;
                self.choices.steered(count, wanted)
            }
            false => self.choices.below(count),
        };
        self.combinations = combinations;
        at as usize
    }

    /// Returns one of these values, chosen by [`Draw::way`].
    pub fn way_of<T: Clone>(&mut self, ways: &[T]) -> T {
        let at = self.way(ways.len());
        ways[at].clone()
    }

    /// Returns a number outside of `low..=high`, by turns above and below. Most are off by one; one in eight is far
    /// off, some of these at an end of int32 or of int64.
    pub fn beyond(&mut self, low: i64, high: i64) -> i64 {
        match self.way(2) {
            0 => self.above(high),
            _ => self.under(low),
        }
    }

    /// Returns `high + 1`, or now and then a number far above `high`.
    pub fn above(&mut self, high: i64) -> i64 {
        match self.once_in(8) {
            true => self.choose(&[high + FAR, i64::from(i32::MAX), i64::MAX]),
            false => high + 1,
        }
    }

    /// Returns `low - 1`, or now and then a number far below `low`.
    pub fn under(&mut self, low: i64) -> i64 {
        match self.once_in(8) {
            true => self.choose(&[low - FAR, i64::from(i32::MIN), i64::MIN]),
            false => low - 1,
        }
    }

    /// Returns the code that ONNX has for one of these element types, or a number that is no such code: -1, 999 or an
    /// end of int64.
    pub fn foreign_code(&mut self, types: &[DType]) -> i64 {
        let of_types = types.iter().map(|dtype| i64::from(dtype.code()));
        self.way_of(&of_types.chain([999, -1, i64::MAX, i64::MIN]).collect::<Vec<i64>>())
    }

    /// Returns 0, or the same as [`Draw::foreign_code`]. For attributes in which 0 is not valid.
    pub fn foreign_code_or_zero(&mut self, types: &[DType]) -> i64 {
        if self.way(5) == 4 { 0 } else { self.foreign_code(types) }
    }

    /// Declares the output with the element type of this code, if there is one. The element type in the attribute,
    /// which the operator does not allow, is then the only thing that is wrong with the case.
    pub fn declare(&mut self, code: i64) {
        if let Some(dtype) = usize::try_from(code).ok().and_then(DType::from_code) {
            self.typed_outputs(vec![ValueKind::Tensor(dtype)]);
        }
    }

    /// Returns another extent: one more, one less (if that is not 0), or now and then twice as many.
    pub fn other_extent(&mut self, extent: usize) -> usize {
        match self.way(2) {
            1 if extent > 1 => extent - 1,
            _ if self.once_in(8) && extent > 1 => 2 * extent,
            _ => extent + 1,
        }
    }

    /// Returns the shape with another extent on one axis, each axis in turn. A scalar becomes a tensor of rank 1.
    pub fn other_shape(&mut self, shape: &[usize]) -> Vec<usize> {
        let mut other = shape.to_vec();
        if shape.is_empty() {
            return vec![2];
        }
        let at = self.way(shape.len());
        other[at] = self.other_extent(shape[at]);
        other
    }
}
