//! Draws shapes and axes.

use std::ops::RangeInclusive;

use plumbline_spec::AttributeValue;

use super::{Draw, Size};

/// The largest number of elements of a drawn shape, unless the case may have extents above the usual ones.
const MOST_ELEMENTS: usize = 256;
/// The largest number of elements of a drawn shape before some of its extents are replaced by extents above the usual
/// ones.
const FEW_ELEMENTS: usize = 8;

impl Draw<'_> {
    /// Draws a shape with a rank in this range. Its extents above 1 differ where possible; now and then some are 1, and
    /// now and then one is 0.
    pub fn shape(&mut self, ranks: RangeInclusive<usize>) -> Vec<usize> {
        let mut shape = self.full_shape(ranks);
        if !shape.is_empty() && !self.is_large() && self.once_in(14) {
            let at = self.below(shape.len());
            shape[at] = 0;
            self.feature("empty extent");
        }
        shape
    }

    /// Draws a shape without an empty extent.
    pub fn full_shape(&mut self, ranks: RangeInclusive<usize>) -> Vec<usize> {
        let (least, most) = (*ranks.start(), *ranks.end());
        let most = self.most_dimensions(least, most);
        let most_elements = match self.size {
            // The other extents beside a long axis.
            Size::Large if self.may_be_larger() => (FEW_ELEMENTS / 2 / self.cost.max(1)).max(1),
            Size::Large => FEW_ELEMENTS / 2,
            size if size.is_larger() => FEW_ELEMENTS,
            _ => MOST_ELEMENTS,
        };
        // Ranks up to 4 together are drawn twice as often as all higher ranks.
        let usual = most.min(4).max(least);
        let rank = if most > usual && self.once_in(3) {
            self.range(usual as i64 + 1..=most as i64) as usize
        } else {
            self.range(least as i64..=usual as i64) as usize
        };
        let mut extents = vec![2, 3, 5, 7, 4, 6];
        let mut shape = Vec::with_capacity(rank);
        let mut count = 1;
        for _ in 0..rank {
            // The first choice, which is also the choice in minimized cases, is an extent of 1.
            let at = self.below(extents.len() + 1);
            let extent = match at.checked_sub(1).map(|i| (i, extents[i])) {
                Some((i, extent)) if count * extent <= most_elements => {
                    extents.remove(i);
                    extent
                }
                Some(_) if count * 2 <= most_elements => 2,
                _ => 1,
            };
            count *= extent;
            shape.push(extent);
        }
        self.enlarge(&mut shape, 1);
        shape
    }

    /// Draws `count` shapes that broadcast to one shape. Each may lack leading dimensions or have extents of 1.
    pub fn broadcastable(&mut self, count: usize, ranks: RangeInclusive<usize>) -> Vec<Vec<usize>> {
        let full = self.shape(ranks);
        let mut shapes = vec![full.clone(); count];
        // The first choice, which is also the choice in minimized cases, is equal shapes.
        if count < 2 || !self.flag() {
            return shapes;
        }
        self.feature("broadcast");
        for d in 0..full.len() {
            // One of the operands keeps the extent, so that the extent of the result is known.
            let keeper = self.below(count);
            for (i, shape) in shapes.iter_mut().enumerate() {
                if i != keeper && self.choices.below(3) == 1 {
                    shape[d] = 1;
                }
            }
        }
        for shape in &mut shapes {
            // Leading extents of 1 may be left out.
            while shape.first() == Some(&1) && self.choices.below(2) == 1 {
                shape.remove(0);
            }
        }
        shapes
    }

    /// Draws two shapes that do not broadcast, for negative recipes.
    pub fn unbroadcastable(&mut self) -> (Vec<usize>, Vec<usize>) {
        let mut a = self.full_shape(1..=4);
        let (swapped, at) = (self.way(2) == 1, self.way(a.len()));
        a[at] = self.choose(&[2, 3, 5]);
        let mut b = a.clone();
        b[at] += if self.once_in(8) { 2 } else { 1 };
        let drop = self.below(at + 1);
        b.drain(..drop);
        if swapped { (a, b) } else { (b, a) }
    }

    /// Draws an axis for this rank. If `negative` is set, half of the drawn axes are counted from the back.
    pub fn axis(&mut self, rank: usize, negative: bool) -> i64 {
        let axis = self.below(rank.max(1)) as i64;
        if negative && rank > 0 && self.flag() {
            self.feature("negative axis");
            return axis - rank as i64;
        }
        axis
    }

    /// Returns the default of the attribute `axis` (0 if it has none).
    pub fn default_axis(&self) -> i64 {
        match self.version.attribute("axis").and_then(|a| a.default.as_ref()) {
            Some(AttributeValue::Int(axis)) => *axis,
            _ => 0,
        }
    }

    /// Draws at least one of the axes of this rank, in any order. Returns them twice: all counted from the front, and
    /// as the case writes them, where some count from the back.
    pub fn some_axes(&mut self, rank: usize) -> (Vec<usize>, Vec<i64>) {
        let mut left: Vec<usize> = (0..rank).collect();
        let mut axes = Vec::new();
        for _ in 0..self.range(1..=rank as i64) {
            let at = self.below(left.len());
            axes.push(left.remove(at));
        }
        if axes.windows(2).any(|w| w[0] > w[1]) {
            self.feature("axes in another order");
        }
        let back = |&axis: &usize| if self.flag() { axis as i64 - rank as i64 } else { axis as i64 };
        let written: Vec<i64> = axes.iter().map(back).collect();
        if written.iter().any(|&axis| axis < 0) {
            self.feature("negative axis");
        }
        (axes, written)
    }

    /// Draws an axis outside the range, mostly by one, for negative recipes.
    pub fn bad_axis(&mut self, rank: usize, negative: bool) -> i64 {
        let rank = rank as i64;
        self.beyond(if negative { -rank } else { 0 }, rank - 1)
    }
}
