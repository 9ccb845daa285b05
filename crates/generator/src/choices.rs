//! The choice sequence behind a case. Everything that a recipe draws is a number below a bound, and recipes are written
//! so that fewer and smaller numbers give a smaller case.

use serde::{Deserialize, Serialize};

/// The numbers that were chosen. The elements of each tensor have a block of their own, so that a tensor can shrink
/// without shifting what is drawn after it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Sequence {
    /// The choices that shape the case: ranks, extents, attributes.
    pub main: Vec<u64>,
    /// The choices that make elements, in blocks that each belong to one tensor.
    pub blocks: Vec<Vec<u64>>,
}

/// Where the choices come from.
#[derive(Clone, Debug)]
enum Source {
    Random(fastrand::Rng),
    /// Random, but what is rare happens often.
    Eager(fastrand::Rng),
    Replay(Sequence),
}

/// Fresh eager choices make a rare decision once in this many times.
const EAGER: u64 = 3;

/// A source of choices that records each choice it makes.
#[derive(Clone, Debug)]
pub struct Choices {
    source: Source,
    made: Sequence,
    /// Whether all numbers of a block follow from a single one.
    seeds_blocks: bool,
}

/// The seed of a block is below this. A seed of 0 makes a block of zeros.
const SEEDS: u64 = 1 << 16;

impl Choices {
    /// Returns fresh choices, drawn with this seed.
    pub fn random(seed: u64) -> Choices {
        Choices::new(Source::Random(fastrand::Rng::with_seed(seed)))
    }

    /// Returns fresh choices, drawn with this seed, that often decide for what is rare otherwise ([`Choices::rarely`]).
    pub fn eager(seed: u64) -> Choices {
        Choices::new(Source::Eager(fastrand::Rng::with_seed(seed)))
    }

    /// Returns a source that repeats these choices, each modulo the bound that is asked for, and gives zeros after
    /// their end.
    pub fn replay(choices: Sequence) -> Choices {
        Choices::new(Source::Replay(choices))
    }

    fn new(source: Source) -> Choices {
        Choices { source, made: Sequence::default(), seeds_blocks: false }
    }

    /// Records a single number for each block, a seed from which the numbers of the block follow. So a case with a million
    /// elements has a short sequence, and is made smaller by its extents alone.
    pub(crate) fn seeding_blocks(self) -> Choices {
        Choices { seeds_blocks: true, ..self }
    }

    /// Returns a number below `bound` (0 if the bound is 0).
    pub fn below(&mut self, bound: u64) -> u64 {
        let at = self.made.main.len();
        let choice = match &mut self.source {
            Source::Random(rng) | Source::Eager(rng) => rng.u64(0..bound.max(1)),
            Source::Replay(choices) => choices.main.get(at).copied().unwrap_or(0) % bound.max(1),
        };
        self.made.main.push(choice);
        choice
    }

    /// Returns true once in `of` times on average, and never if `of` is 1. The recorded choice is `of - 1` for true.
    pub fn rarely(&mut self, of: u64) -> bool {
        let Source::Eager(rng) = &mut self.source else {
            return self.below(of) == of - 1 && of > 1;
        };
        let happens = of > 1 && rng.u64(0..of.min(EAGER)) == 0;
        let choice = if happens { of - 1 } else { rng.u64(0..of.saturating_sub(1).max(1)) };
        self.made.main.push(choice);
        happens
    }

    /// Returns `wanted`, but at most `bound - 1`, if the choices are fresh. A replay ignores `wanted`, and returns the
    /// recorded number modulo `bound`.
    pub fn steered(&mut self, bound: u64, wanted: u64) -> u64 {
        if let Source::Replay(_) = self.source {
            return self.below(bound);
        }
        let choice = wanted.min(bound.saturating_sub(1));
        self.made.main.push(choice);
        choice
    }

    /// Returns a number below `bound` that `draw` makes of random numbers, if the choices are fresh. The number itself is
    /// recorded, so that a smaller choice is a smaller number.
    pub(crate) fn drawn(&mut self, bound: u64, draw: impl FnOnce(&mut fastrand::Rng) -> u64) -> u64 {
        let choice = match &mut self.source {
            Source::Random(rng) | Source::Eager(rng) => draw(rng).min(bound.saturating_sub(1)),
            Source::Replay(_) => return self.below(bound),
        };
        self.made.main.push(choice);
        choice
    }

    /// Returns `count` numbers below `bound`, recorded in a block of their own.
    pub fn block(&mut self, count: usize, bound: u64) -> Vec<u64> {
        let at = self.made.blocks.len();
        if self.seeds_blocks {
            let seed = match &mut self.source {
                Source::Random(rng) | Source::Eager(rng) => rng.u64(1..SEEDS),
                Source::Replay(choices) => {
                    choices.blocks.get(at).and_then(|block| block.first()).map_or(0, |s| s % SEEDS)
                }
            };
            self.made.blocks.push(vec![seed]);
            let mut rng = fastrand::Rng::with_seed(seed);
            return (0..count).map(|_| if seed == 0 { 0 } else { rng.u64(0..bound.max(1)) }).collect();
        }
        let block: Vec<u64> = match &mut self.source {
            Source::Random(rng) | Source::Eager(rng) => (0..count).map(|_| rng.u64(0..bound.max(1))).collect(),
            Source::Replay(choices) => {
                let block = choices.blocks.get(at).map_or(&[][..], Vec::as_slice);
                (0..count).map(|i| block.get(i).copied().unwrap_or(0) % bound.max(1)).collect()
            }
        };
        self.made.blocks.push(block.clone());
        block
    }

    /// Returns the recorded choices.
    pub fn into_made(self) -> Sequence {
        self.made
    }
}
