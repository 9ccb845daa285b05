//! How large a case is: most are small, some have one extent as models have them, or more dimensions.
//!
//! Which cases of a cell these are follows from the index, so that the others stay what they are, and the extents are bounded by the work of the
//! case, in elements: those of the tensor, or the products that are added up. Never by time, which no two machines share.

use super::Draw;

/// The most elements that are drawn for a case. No recipe asks for more; choices that are lowered one by one may.
pub(crate) const MOST_ELEMENTS: usize = 1 << 20;

/// One case in so many is larger than usual.
const PERIOD: u64 = 8;

/// What is larger about a case.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Size {
    /// Nothing: extents of up to 7.
    Small,
    /// Two extents around multiples of 4, 8, 16 and 32, as vector instructions and tiles have them.
    Channels,
    /// An extent around 128, 256 and 512, where a block of threads ends.
    Block,
    /// An extent around 1,024 and its multiples, where a row no longer fits a block of threads.
    Row,
    /// An extent beyond 65,535, where a grid's dimension and 16 bits end.
    Flat,
    /// As many as eight dimensions.
    Dimensions,
}

/// The larger cases of a cell, in turn.
const TURNS: [Size; 16] = {
    use Size::{Block, Channels, Dimensions, Flat, Row};
    [
        Row, Channels, Dimensions, Row, Block, Channels, Row, Dimensions, Channels, Row, Block, Dimensions, Row,
        Channels, Block, Flat,
    ]
};

/// Whether the tensors of case `index` of a cell of this hash are ordinary but for one element. None of these is one of the larger cases.
pub(crate) fn has_one_special(index: u64, cell: u64) -> bool {
    (index + cell) % PERIOD == PERIOD / 2
}

impl Size {
    /// The size of case `index`, in a cell of this hash.
    pub(crate) fn at(index: u64, cell: u64) -> Size {
        let turn = index + cell % (PERIOD * TURNS.len() as u64);
        if turn % PERIOD == PERIOD - 1 { TURNS[(turn / PERIOD) as usize % TURNS.len()] } else { Size::Small }
    }

    /// The extents that stand for one of the small ones; the first is the simplest.
    fn extents(self) -> &'static [usize] {
        match self {
            Size::Small | Size::Dimensions => &[],
            Size::Channels => &[8, 16, 9, 17, 32, 31, 33, 12, 15, 24, 64, 65],
            Size::Block => &[128, 257, 127, 129, 255, 256, 511, 513],
            Size::Row => &[1025, 2049, 4097, 1024, 1023, 2048, 4096, 8193],
            Size::Flat => &[65_537, 65_536, 65_535, 131_073],
        }
    }

    /// Whether there are larger extents.
    pub(crate) fn is_larger(self) -> bool {
        !self.extents().is_empty()
    }

    /// How many extents of a case are larger.
    fn count(self) -> u8 {
        match self {
            Size::Small | Size::Dimensions => 0,
            Size::Channels => 2,
            Size::Block | Size::Row | Size::Flat => 1,
        }
    }

    /// The most work of a case: elements of a tensor, or products that are added up.
    fn most_work(self) -> usize {
        match self {
            Size::Small | Size::Dimensions => 0,
            Size::Channels | Size::Block => 1 << 14,
            Size::Row => 1 << 15,
            Size::Flat => 1 << 17,
        }
    }
}

impl Draw<'_> {
    /// An extent in place of this one, in those cases that have a larger one; `others` is the work of each of its elements: the product of the
    /// extents beside it, and of what else it is multiplied by.
    pub fn extent(&mut self, usual: usize, others: usize) -> usize {
        let size = self.size;
        if self.larger >= size.count() {
            return usual;
        }
        let most = (size.most_work() / others.saturating_mul(self.cost).max(1)).min(self.longest);
        let extents: Vec<usize> = size.extents().iter().copied().filter(|&extent| extent <= most).collect();
        // The simplest keeps the usual extent. What comes later in the case is to have its turn too.
        if extents.is_empty() || self.choices.below(4) == 0 {
            return usual;
        }
        self.larger += 1;
        self.choose(&extents)
    }

    /// Makes one of these extents larger, in those cases that have a larger one; `others` is the work of each element of their product.
    pub fn enlarge(&mut self, extents: &mut [usize], others: usize) {
        for _ in self.larger..self.size.count() {
            if extents.is_empty() || !self.may_be_larger() {
                return;
            }
            let at = self.below(extents.len());
            let beside = extents.iter().enumerate().filter(|(i, _)| *i != at).map(|(_, extent)| extent.max(&1));
            let others = others.saturating_mul(beside.product());
            extents[at] = if extents[at] == 0 { 0 } else { self.extent(extents[at], others) };
        }
    }

    /// Whether an extent of this case may still be larger.
    pub fn may_be_larger(&self) -> bool {
        self.larger < self.size.count()
    }

    /// Whether this is one of the cases that may have a larger extent.
    pub fn is_larger(&self) -> bool {
        self.size.is_larger()
    }

    /// Says how much work each element of what is drawn from here on is, besides what is said with an extent.
    pub fn costs(&mut self, work: usize) {
        self.cost = work;
    }

    /// Bounds the larger extents, for an operator that looks at a whole row for each element of it.
    pub fn at_most(&mut self, extent: usize) {
        self.longest = extent;
    }

    /// The most dimensions of a shape that usually has up to `most`: eight in those cases that have many, where a recipe leaves it open.
    pub(super) fn most_dimensions(&self, least: usize, most: usize) -> usize {
        if self.size == Size::Dimensions && least < most && most >= 4 { most.max(8) } else { most }
    }
}
