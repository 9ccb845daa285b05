//! How large a case is: most cases are small, and some have one or two extents as large as those of real models, or
//! more dimensions than usual.
//!
//! The cell and the index of a case decide whether it is one of the larger ones, and no random choice is spent on that.
//! The other cases are therefore the same as they would be without larger ones. A larger extent is bounded by the work
//! of the case, counted in elements of a tensor or in products that are summed. It is never bounded by time, which
//! differs from machine to machine.

use super::{Draw, large};

/// The largest number of elements drawn for a case. No recipe asks for more when its choices are random. A replay may:
/// while a failing case is made smaller, its choices are lowered one by one, and they no longer fit together.
pub(crate) const MOST_ELEMENTS: usize = 1 << 20;

/// One case in this many is larger than usual.
const PERIOD: u64 = 8;

/// The first case of a cell in which a random operator may draw a large sample, and how many cases lie between two such
/// cases. Of the profiles in `generators/profiles.toml` only nightly draws so many cases for each cell.
const FIRST_LARGE_SAMPLE: u64 = 64;
const LARGE_SAMPLE_PERIOD: u64 = 48;

/// What is larger than usual about a case.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Size {
    /// Nothing is larger than usual: most extents go up to 7.
    Small,
    /// Two extents near multiples of 4, 8, 16 and 32, the widths of vector instructions and tiles.
    Channels,
    /// One extent near 128, 256 or 512, where a block of threads ends.
    Block,
    /// One extent near 1,024 or a multiple of it, where a row no longer fits a block of threads.
    Row,
    /// One extent near or beyond 65,535, the limit of a grid dimension and of 16 bits.
    Flat,
    /// Up to eight dimensions.
    Dimensions,
    /// Extents at the edges of the tiles of fast kernels, or one axis beyond 65,536. A case of the suite `large` has this
    /// size.
    Large,
}

/// The kinds of larger cases in a cell, in turn.
const TURNS: [Size; 16] = {
    use Size::{Block, Channels, Dimensions, Flat, Row};
    [
        Row, Channels, Dimensions, Row, Block, Channels, Row, Dimensions, Channels, Row, Block, Dimensions, Row,
        Channels, Block, Flat,
    ]
};

/// Returns whether the tensors of case `index` have one special element among ordinary ones, in a cell with this hash.
/// None of these cases is one of the larger ones.
pub(crate) fn has_one_special(index: u64, cell: u64) -> bool {
    (index % PERIOD + cell % PERIOD) % PERIOD == PERIOD / 2
}

/// Returns whether case `index` has a large sample, in a cell of a random operator with this hash.
pub(crate) fn has_large_sample(index: u64, cell: u64) -> bool {
    index >= FIRST_LARGE_SAMPLE && (index + cell % LARGE_SAMPLE_PERIOD).is_multiple_of(LARGE_SAMPLE_PERIOD)
}

impl Size {
    /// Returns the size of case `index` in a cell with this hash.
    pub(crate) fn at(index: u64, cell: u64) -> Size {
        let turn = index + cell % (PERIOD * TURNS.len() as u64);
        if turn % PERIOD == PERIOD - 1 { TURNS[(turn / PERIOD) as usize % TURNS.len()] } else { Size::Small }
    }

    /// Returns the extents that can replace a small one; the first is the simplest.
    fn extents(self) -> &'static [usize] {
        match self {
            Size::Small | Size::Dimensions => &[],
            Size::Channels => &[8, 16, 9, 17, 32, 31, 33, 12, 15, 24, 64, 65],
            Size::Block => &[128, 257, 127, 129, 255, 256, 511, 513],
            Size::Row => &[1025, 2049, 4097, 1024, 1023, 2048, 4096, 8193],
            Size::Flat => &[65_537, 65_536, 65_535, 131_073],
            Size::Large => large::LONG,
        }
    }

    /// Returns whether some extents may be larger than usual.
    pub(crate) fn is_larger(self) -> bool {
        !self.extents().is_empty()
    }

    /// Returns how many extents of a case may be larger than usual.
    pub(super) fn count(self) -> u8 {
        match self {
            Size::Small | Size::Dimensions => 0,
            Size::Channels => 2,
            Size::Block | Size::Row | Size::Flat | Size::Large => 1,
        }
    }

    /// Returns the upper bound of a case's work: elements of a tensor, or products that are summed.
    fn most_work(self) -> usize {
        match self {
            Size::Small | Size::Dimensions => 0,
            Size::Channels | Size::Block => 1 << 14,
            Size::Row => 1 << 15,
            Size::Flat => 1 << 17,
            Size::Large => large::MOST_ELEMENTS,
        }
    }
}

impl Draw<'_> {
    /// Draws a larger extent in place of `usual`, or keeps `usual`. A case that already has all the larger extents that
    /// its size allows always keeps `usual`. `others` is the work for each index along the extent: the product of the
    /// other extents and of every other factor of the case's work.
    pub fn extent(&mut self, usual: usize, others: usize) -> usize {
        let size = self.size;
        if self.larger >= size.count() {
            return usual;
        }
        let most = (size.most_work() / others.saturating_mul(self.cost).max(1)).min(self.longest);
        let extents: Vec<usize> = size.extents().iter().copied().filter(|&extent| extent <= most).collect();
        if size == Size::Large && !extents.is_empty() {
            self.larger += 1;
            self.note_large("long axis");
            return self.recorded_extent(most, |rng| extents[rng.usize(0..extents.len())]);
        }
        // The simplest choice keeps the usual extent. Then an extent that is drawn later in the case can be larger.
        if extents.is_empty() || self.choices.below(4) == 0 {
            return usual;
        }
        self.larger += 1;
        self.choose(&extents)
    }

    /// Enlarges some of these extents, at most as many as this case may still enlarge. `others` is the work that each
    /// element of the whole shape causes.
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

    /// Returns whether one more extent of this case may be larger.
    pub fn may_be_larger(&self) -> bool {
        self.larger < self.size.count()
    }

    /// Returns whether this is one of the cases that may have a larger extent.
    pub fn is_larger(&self) -> bool {
        self.size.is_larger()
    }

    /// Returns whether a random operator draws a large sample in this case. A replay may do without it.
    pub fn large_sample(&mut self) -> bool {
        self.large_sample && self.choices.steered(2, 1) == 1
    }

    /// Sets a factor for the work of all extents that are drawn from here on. [`Draw::extent`] multiplies its `others`
    /// by this factor.
    pub fn set_cost(&mut self, work: usize) {
        self.cost = work;
    }

    /// Sets an upper bound for the larger extents, for an operator that reads a whole row for each of its elements.
    pub fn limit_extents(&mut self, extent: usize) {
        self.longest = extent;
    }

    /// Returns the largest rank of a shape for which the recipe asks for `least` to `most` dimensions. This is `most`,
    /// except in a case of [`Size::Dimensions`]: there it is at least 8 if `least` is below `most` and `most` is 4 or
    /// more.
    pub(super) fn most_dimensions(&self, least: usize, most: usize) -> usize {
        if self.size == Size::Dimensions && least < most && most >= 4 { most.max(8) } else { most }
    }
}
