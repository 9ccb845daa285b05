//! The choice sequence behind a case: everything a recipe draws is a number below a bound, so that fewer and smaller numbers mean a smaller case.

use serde::{Deserialize, Serialize};

/// What has been chosen. The elements of each tensor stand in a block of their own, so that a tensor may shrink without shifting what is drawn after it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Sequence {
    /// Choices that shape the case: ranks, extents, attributes.
    pub main: Vec<u64>,
    /// Choices that make elements, a block a tensor.
    pub blocks: Vec<Vec<u64>>,
}

/// Where choices come from.
#[derive(Clone, Debug)]
enum Source {
    Random(fastrand::Rng),
    Replay(Sequence),
}

/// A sequence of choices, recorded while it is drawn.
#[derive(Clone, Debug)]
pub struct Choices {
    source: Source,
    made: Sequence,
}

impl Choices {
    /// Fresh choices of this seed.
    pub fn random(seed: u64) -> Choices {
        Choices { source: Source::Random(fastrand::Rng::with_seed(seed)), made: Sequence::default() }
    }

    /// These choices again; zeros after their end.
    pub fn replay(choices: Sequence) -> Choices {
        Choices { source: Source::Replay(choices), made: Sequence::default() }
    }

    /// A number below `bound` (0 where the bound is 0).
    pub fn below(&mut self, bound: u64) -> u64 {
        let at = self.made.main.len();
        let choice = match &mut self.source {
            Source::Random(rng) => rng.u64(0..bound.max(1)),
            Source::Replay(choices) => choices.main.get(at).copied().unwrap_or(0) % bound.max(1),
        };
        self.made.main.push(choice);
        choice
    }

    /// A number below `bound` that is `wanted` when the sequence is fresh; a replay keeps its own.
    pub fn steered(&mut self, bound: u64, wanted: u64) -> u64 {
        if let Source::Replay(_) = self.source {
            return self.below(bound);
        }
        let choice = wanted.min(bound.saturating_sub(1));
        self.made.main.push(choice);
        choice
    }

    /// As many numbers below `bound`, in a block of their own.
    pub fn block(&mut self, count: usize, bound: u64) -> Vec<u64> {
        let at = self.made.blocks.len();
        let block: Vec<u64> = match &mut self.source {
            Source::Random(rng) => (0..count).map(|_| rng.u64(0..bound.max(1))).collect(),
            Source::Replay(choices) => {
                let block = choices.blocks.get(at).map_or(&[][..], Vec::as_slice);
                (0..count).map(|i| block.get(i).copied().unwrap_or(0) % bound.max(1)).collect()
            }
        };
        self.made.blocks.push(block.clone());
        block
    }

    /// Whether these choices are drawn anew.
    pub fn is_fresh(&self) -> bool {
        matches!(self.source, Source::Random(_))
    }

    /// What has been chosen.
    pub fn into_made(self) -> Sequence {
        self.made
    }
}
