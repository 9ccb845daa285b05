//! Large products of matrices, tile by tile: the tiles bound the memory, and are shared among threads.

use std::ops::Range;

use crate::expected::Collected;
use crate::prelude::*;
use crate::sum::{Block, Side};
use crate::{parallel, steps};

/// The number of products from which on sums are computed in tiles. Below it, nearly all time goes into other steps.
pub const LEAST_PRODUCTS: usize = 1 << 15;

/// The largest number of rows of a tile.
const ROWS: usize = 256;

/// The number of elements that a tile of the right matrix has, if this gives it between 64 and 2048 columns.
const ELEMENTS: usize = 1 << 18;

/// Several products of matrices with the same extents. The output has one after the other, in row-major order.
pub struct Tiles<'a> {
    /// The type of the elements.
    pub dtype: DType,
    /// The number of products.
    pub count: usize,
    /// The numbers of rows, of products in a sum, and of columns.
    pub extents: [usize; 3],
    /// Returns rows of the left matrix of a product.
    pub left: &'a (dyn Fn(usize, Range<usize>) -> Side + Sync),
    /// Returns columns of the right matrix of a product, with their elements in row-major order.
    pub right: &'a (dyn Fn(usize, Range<usize>) -> Side + Sync),
    /// Returns how many products the sums of a column have; the others have a zero in place of an element.
    pub terms: &'a (dyn Fn(usize) -> usize + Sync),
}

impl Tiles<'_> {
    /// Appends to `out` the number that `number` makes of each sum, which it gets with the product, the row and the
    /// column. `None` stands for a sum that has to be computed product by product.
    pub fn collect(&self, out: &mut Collected, number: impl Fn([usize; 3], Option<Accumulator>) -> Number + Sync) {
        let [rows, inner, columns] = self.extents;
        let work = [inner, columns, self.count].into_iter().fold(rows, usize::saturating_mul);
        steps::take(work);
        let wide = (ELEMENTS / inner.max(1)).clamp(64, 2048);
        let (down, across) = (rows.div_ceil(ROWS), columns.div_ceil(wide));
        let dtype = out.dtype();
        let tile = |i: usize| {
            let (product, i) = (i / (down * across), i % (down * across));
            let (top, first) = (i / across * ROWS, i % across * wide);
            let (these, those) = (top..(top + ROWS).min(rows), first..(first + wide).min(columns));
            let (left, right) = ((self.left)(product, these.clone()), (self.right)(product, those.clone()));
            let block = Block::new(self.dtype, &left, &right, [these.len(), inner, those.len()]);
            let part = |row: usize| {
                let mut part = Collected::new(dtype, those.len());
                for column in those.clone() {
                    let sum = block.accumulator(row - top, column - first, (self.terms)(column));
                    part.push(number([product, row, column], sum));
                }
                ((product * rows + row) * columns + first, part)
            };
            these.map(part).collect::<Vec<(usize, Collected)>>()
        };
        let mut parts: Vec<_> = parallel::map(self.count * down * across, work, tile).into_iter().flatten().collect();
        parts.sort_unstable_by_key(|(start, _)| *start);
        parts.into_iter().for_each(|(_, part)| out.append(part));
    }
}
