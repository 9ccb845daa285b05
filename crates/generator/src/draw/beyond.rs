//! What violates a constraint by as little as possible, for negative recipes: at each end, on each axis, in each way that its sentence allows.

use plumbline_tensor::{DType, ValueKind};

use super::Draw;

/// Numbers this far beyond an end are far off.
const FAR: i64 = 1000;

impl Draw<'_> {
    /// Which of `count` ways to take. The first cases of a cell take each in turn, from a place that differs from cell to cell, so that a run of one
    /// case a cell meets all of them as well; later cases draw it. Several calls of one recipe count through all their combinations.
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

    /// One of these, by [`Draw::way`].
    pub fn way_of<T: Clone>(&mut self, ways: &[T]) -> T {
        let at = self.way(ways.len());
        ways[at].clone()
    }

    /// A number outside of `low..=high`: one beyond either end in turn, and now and then one that is far off: still an int32, or at the end of int64.
    pub fn beyond(&mut self, low: i64, high: i64) -> i64 {
        match self.way(2) {
            0 => self.above(high),
            _ => self.under(low),
        }
    }

    /// A number one above `high`, now and then far above.
    pub fn above(&mut self, high: i64) -> i64 {
        match self.once_in(8) {
            true => self.choose(&[high + FAR, i64::from(i32::MAX), i64::MAX]),
            false => high + 1,
        }
    }

    /// A number one below `low`, now and then far below.
    pub fn under(&mut self, low: i64) -> i64 {
        match self.once_in(8) {
            true => self.choose(&[low - FAR, i64::from(i32::MIN), i64::MIN]),
            false => low - 1,
        }
    }

    /// The number of one of these types, or a number that stands for no type: beside those that do, far off, and at the ends of int64.
    pub fn foreign_code(&mut self, types: &[DType]) -> i64 {
        let of_types = types.iter().map(|dtype| i64::from(dtype.code()));
        self.way_of(&of_types.chain([999, -1, i64::MAX, i64::MIN]).collect::<Vec<i64>>())
    }

    /// The same, or 0, where that does not stand for a default.
    pub fn foreign_code_or_zero(&mut self, types: &[DType]) -> i64 {
        if self.way(5) == 4 { 0 } else { self.foreign_code(types) }
    }

    /// Declares the output as the element type of this number, where it is one: a case whose attribute names a foreign type has nothing else wrong.
    pub fn declare(&mut self, code: i64) {
        if let Some(dtype) = usize::try_from(code).ok().and_then(DType::from_code) {
            self.typed_outputs(vec![ValueKind::Tensor(dtype)]);
        }
    }

    /// Another extent than `extent`: one more, one less (where that leaves any), now and then twice as many.
    pub fn other_extent(&mut self, extent: usize) -> usize {
        match self.way(2) {
            1 if extent > 1 => extent - 1,
            _ if self.once_in(8) && extent > 1 => 2 * extent,
            _ => extent + 1,
        }
    }

    /// The shape with another extent, one more or one less, on each axis in turn. A scalar gets an axis.
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
