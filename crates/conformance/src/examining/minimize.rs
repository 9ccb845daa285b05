//! Shrinks the choice sequence of a failing case: fewer and smaller choices mean a smaller case. Proptest's binary
//! search lowers single choices.

use std::time::{Duration, Instant};

use plumbline_generator::Sequence;
use proptest::num::u64::BinarySearch;
use proptest::strategy::ValueTree;

/// The limit of a minimization.
#[derive(Clone, Copy, Debug)]
pub struct Budget {
    /// The largest number of cases to run.
    pub runs: usize,
    /// The longest time.
    pub time: Duration,
}

impl Budget {
    /// The limit for the minimization of a known failure.
    pub const KNOWN: Budget = Budget { runs: 40, time: Duration::from_millis(500) };

    /// Returns a limit that has the smaller number of runs and the shorter time of two limits.
    pub fn min(self, other: Budget) -> Budget {
        Budget { runs: self.runs.min(other.runs), time: self.time.min(other.time) }
    }
}

impl Default for Budget {
    fn default() -> Budget {
        Budget { runs: 1500, time: Duration::from_secs(10) }
    }
}

/// When the minimizer lowers a choice, it also tries to drop one of this many choices behind the lowered choice.
const REACH: usize = 10;

struct Search<F> {
    best: Sequence,
    still_fails: F,
    runs: usize,
    budget: Budget,
    start: Instant,
}

/// One of the lists of choices in a sequence.
#[derive(Clone, Copy)]
enum List {
    Main,
    Block(usize),
}

fn list(sequence: &mut Sequence, which: List) -> &mut Vec<u64> {
    match which {
        List::Main => &mut sequence.main,
        List::Block(at) => &mut sequence.blocks[at],
    }
}

impl<F: FnMut(&Sequence) -> bool> Search<F> {
    fn exhausted(&self) -> bool {
        self.runs >= self.budget.runs || self.start.elapsed() >= self.budget.time
    }

    /// Tries a candidate, unless it equals the best sequence so far or the budget is exhausted. Keeps the candidate if
    /// it still fails, and returns whether it is kept.
    fn take(&mut self, candidate: Sequence) -> bool {
        if self.exhausted() || candidate == self.best {
            return false;
        }
        self.runs += 1;
        let fails = (self.still_fails)(&candidate);
        if fails {
            self.best = candidate;
        }
        fails
    }

    /// Cuts out stretches of adjacent choices, long stretches first. Starts at the end, because few other choices
    /// depend on the last choices.
    fn cut(&mut self, length: usize, remove: impl Fn(&mut Sequence, usize, usize)) {
        let mut size = length;
        while size > 0 && !self.exhausted() {
            let mut end = length;
            while end > 0 && !self.exhausted() {
                let from = end.saturating_sub(size);
                let mut candidate = self.best.clone();
                remove(&mut candidate, from, end);
                self.take(candidate);
                end = from;
            }
            size /= 2;
        }
    }

    fn cut_main(&mut self) {
        self.cut(self.best.main.len(), |s, from, end| {
            let end = end.min(s.main.len());
            s.main.drain(from.min(end)..end);
        });
    }

    /// Cuts the elements at the same places out of all blocks, then elements out of each block separately.
    fn cut_blocks(&mut self) {
        let longest = self.best.blocks.iter().map(Vec::len).max().unwrap_or(0);
        self.cut(longest, |s, from, end| {
            for block in &mut s.blocks {
                let end = end.min(block.len());
                block.drain(from.min(end)..end);
            }
        });
        for at in 0..self.best.blocks.len() {
            let length = self.best.blocks.get(at).map_or(0, Vec::len);
            self.cut(length, |s, from, end| {
                if let Some(block) = s.blocks.get_mut(at) {
                    let end = end.min(block.len());
                    block.drain(from.min(end)..end);
                }
            });
        }
    }

    /// Lowers one choice and drops a choice behind it: a rank together with one of its extents, or a count together
    /// with one of its items.
    fn lower_and_cut(&mut self) {
        let mut at = 0;
        while at < self.best.main.len() && !self.exhausted() {
            let mut shorter = self.best.main[at] > 0;
            while shorter && !self.exhausted() {
                shorter = (at + 1..self.best.main.len().min(at + 1 + REACH)).any(|dropped| {
                    let mut candidate = self.best.clone();
                    candidate.main[at] -= 1;
                    candidate.main.remove(dropped);
                    self.take(candidate)
                }) && self.best.main.get(at).is_some_and(|&c| c > 0);
            }
            at += 1;
        }
    }

    /// Makes each choice of a list as small as possible.
    fn lower(&mut self, which: List) {
        let mut at = 0;
        while at < list(&mut self.best, which).len() && !self.exhausted() {
            let choice = list(&mut self.best, which)[at];
            let mut candidate = self.best.clone();
            list(&mut candidate, which)[at] = 0;
            if choice != 0 && !self.take(candidate) {
                let mut tree = BinarySearch::new(choice);
                let mut more = tree.simplify();
                while more && !self.exhausted() {
                    let mut candidate = self.best.clone();
                    if let Some(slot) = list(&mut candidate, which).get_mut(at) {
                        *slot = tree.current();
                    }
                    more = if self.take(candidate) { tree.simplify() } else { tree.complicate() };
                }
            }
            at += 1;
        }
    }

    fn lower_blocks(&mut self) {
        for at in 0..self.best.blocks.len() {
            let mut candidate = self.best.clone();
            candidate.blocks[at].iter_mut().for_each(|c| *c = 0);
            if !self.take(candidate) {
                self.lower(List::Block(at));
            }
        }
    }

    /// Repeats all kinds of steps until none makes the sequence smaller.
    fn finish(mut self) -> Sequence {
        loop {
            let before = self.best.clone();
            self.cut_main();
            self.cut_blocks();
            self.lower_and_cut();
            self.lower(List::Main);
            self.lower_blocks();
            if self.best == before || self.exhausted() {
                return self.best;
            }
        }
    }
}

/// Does what [`minimize`] does, but first lowers each choice. In a large case the choices are the extents, and a binary
/// search on each of them makes the case small within few attempts, of which the first ones take long.
pub fn minimize_large(choices: Sequence, budget: Budget, still_fails: impl FnMut(&Sequence) -> bool) -> Sequence {
    let mut search = Search { best: choices, still_fails, runs: 0, budget, start: Instant::now() };
    search.lower(List::Main);
    search.finish()
}

/// Returns the smallest sequence found for which `still_fails` returns true. `still_fails` must return true for
/// `choices`.
pub fn minimize(choices: Sequence, budget: Budget, still_fails: impl FnMut(&Sequence) -> bool) -> Sequence {
    Search { best: choices, still_fails, runs: 0, budget, start: Instant::now() }.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn main(choices: &[u64]) -> Sequence {
        Sequence { main: choices.to_vec(), blocks: vec![] }
    }

    #[test]
    fn items_are_removed_and_numbers_are_lowered() {
        let start: Vec<u64> = (0..100).map(|i| 1000 + i).collect();
        let budget = Budget { runs: 100_000, ..Budget::default() };
        assert_eq!(minimize(main(&start), budget, |c| c.main.iter().any(|&x| x >= 17)), main(&[17]));
        let found = minimize(main(&[9; 40]), budget, |c| c.main.len() >= 3 && c.main[1] > 4);
        assert_eq!(found, main(&[0, 5, 0]));
    }

    #[test]
    fn a_count_is_lowered_when_its_items_are_removed() {
        // The first choice says how many choices stand between it and the 7.
        let fails = |c: &Sequence| c.main.first().is_some_and(|&n| n < 20 && c.main.get(n as usize + 1) == Some(&7));
        let found = minimize(main(&[5, 1, 2, 3, 4, 5, 7, 9]), Budget::default(), fails);
        assert_eq!(found, main(&[0, 7]));
    }

    #[test]
    fn elements_of_two_tensors_are_removed_together() {
        // The case fails if both tensors have a large element at the same place.
        let fails = |c: &Sequence| c.blocks[0].iter().zip(&c.blocks[1]).any(|(a, b)| *a > 90 && *b > 90);
        let mut blocks = vec![(0..64).collect::<Vec<u64>>(), (100..164).rev().collect()];
        (blocks[0][40], blocks[1][40]) = (99, 95);
        let found = minimize(Sequence { main: vec![3], blocks }, Budget::default(), fails);
        assert_eq!(found, Sequence { main: vec![], blocks: vec![vec![91], vec![91]] });
    }

    #[test]
    fn the_minimized_case_still_fails() {
        let fails = |c: &Sequence| c.main.iter().sum::<u64>() % 7 == 3;
        let start = main(&[5, 9, 3, 0]);
        assert!(fails(&start));
        assert!(fails(&minimize(start, Budget::default(), fails)));
    }
}
