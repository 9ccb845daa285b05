//! Steers some of the first cases of a cell to goals that no other case would meet.
//!
//! What the recipes decide rarely, such as an empty extent, may not happen within the cases that a cell gets in the
//! profile `ci`. So a plan is made for each cell and seed: it draws these cases, and if they do not meet a goal, it
//! draws some of them again, until they do. Every other case is the first draw of its id. A plan depends on the cell
//! and the seed alone, and it is not long: it has as many draws as the cell has cases in `ci`, and at most [`TRIES`]
//! more.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;

use crate::case::Case;
use crate::cell::Cell;
use crate::goals::{CASES, RULE};

/// The largest number of draws that a plan makes to meet the goals that the first draws do not meet.
const TRIES: u64 = 192;

/// The cases of a cell that are not the first draw of their id: the index and the number of the draw.
type Plan = Rc<[(u64, u64)]>;

/// A cell and a seed.
type Key = (String, u64);

/// The largest number of plans that a thread keeps. Most callers draw many cases of a few cells.
const KEPT: usize = 1024;

thread_local! {
    /// The plans that this thread made, by cell and seed.
    static PLANS: RefCell<BTreeMap<Key, Plan>> = const { RefCell::new(BTreeMap::new()) };
    /// The plan that this thread used last.
    static LAST: RefCell<Option<Last>> = const { RefCell::new(None) };
}

/// A plan in use.
struct Last {
    key: Key,
    plan: Plan,
    /// The cases that were drawn to make the plan, by index, until they are asked for. A run draws the cases of one cell
    /// after the other, so it needs no second draw of them.
    drawn: BTreeMap<u64, Case>,
}

impl Cell {
    /// Draws valid case `index`, as the plan of the cell says.
    pub(crate) fn steered(&self, index: u64, seed: u64) -> Option<Case> {
        if !self.is_steered(index) {
            return self.first_draw(None, index, seed);
        }
        let name = self.name();
        let is_last = |last: &Last| last.key.1 == seed && last.key.0 == name.text;
        if !LAST.with_borrow(|last| last.as_ref().is_some_and(is_last)) {
            LAST.set(Some(self.plan((name.text.clone(), seed))));
        }
        let (drawn, draw) = LAST.with_borrow_mut(|last| match last {
            Some(Last { plan, drawn, .. }) => {
                (drawn.remove(&index), plan.iter().find(|(at, _)| *at == index).map(|(_, draw)| *draw))
            }
            None => (None, None),
        });
        drawn.or_else(|| match draw {
            Some(draw) => self.nth_draw(index, seed, draw),
            None => self.first_draw(None, index, seed),
        })
    }

    /// Returns whether valid case `index` may be drawn again to meet a goal.
    fn is_steered(&self, index: u64) -> bool {
        (1..self.share_of(CASES)).contains(&index) && !self.is_larger(index)
    }

    fn plan(&self, key: Key) -> Last {
        if let Some(plan) = PLANS.with_borrow(|plans| plans.get(&key).cloned()) {
            return Last { key, plan, drawn: BTreeMap::new() };
        }
        let (plan, drawn) = self.drawn_again(key.1);
        let plan: Plan = plan.into();
        PLANS.with_borrow_mut(|plans| {
            if plans.len() >= KEPT {
                plans.clear();
            }
            plans.insert(key.clone(), plan.clone());
        });
        Last { key, plan, drawn }
    }

    /// Decides which cases are drawn again, and which of their draws counts. Also returns the cases.
    fn drawn_again(&self, seed: u64) -> (Vec<(u64, u64)>, BTreeMap<u64, Case>) {
        // Only the oracle sees which rules a case meets.
        let goals: Vec<&str> = self.goals().into_iter().filter(|goal| !goal.starts_with(RULE)).collect();
        let met = |case: &Case| -> Vec<bool> {
            goals.iter().map(|goal| case.features.iter().any(|feature| feature == goal)).collect()
        };
        // How many cases meet each goal. A larger case is drawn for its size, which takes longer.
        let mut counts = vec![0; goals.len()];
        let mut open: Vec<(u64, Vec<bool>)> = Vec::new();
        let mut cases: BTreeMap<u64, Case> = BTreeMap::new();
        for index in (0..self.share_of(CASES)).filter(|&index| !self.is_larger(index)) {
            let Some(case) = self.first_draw(None, index, seed) else { continue };
            let met = met(&case);
            counts.iter_mut().zip(&met).for_each(|(count, met)| *count += u64::from(*met));
            if self.is_steered(index) {
                open.push((index, met));
                cases.insert(index, case);
            }
        }
        let mut drawn_again: BTreeMap<u64, u64> = BTreeMap::new();
        for draw in 1..=TRIES {
            if open.is_empty() || !counts.contains(&0) {
                break;
            }
            let at = draw as usize % open.len();
            let (index, before) = &mut open[at];
            let Some(case) = self.nth_draw(*index, seed, draw) else { continue };
            let after = met(&case);
            // What the cases meet with this draw, less what they meet with the case as it is.
            let gain: i64 = (counts.iter().zip(&*before).zip(&after))
                .map(|((count, before), after)| match (count, before, after) {
                    (0, false, true) => 1,
                    (1, true, false) => -1,
                    _ => 0,
                })
                .sum();
            if gain > 0 {
                for ((count, before), after) in counts.iter_mut().zip(&*before).zip(&after) {
                    *count = *count + u64::from(*after) - u64::from(*before);
                }
                drawn_again.insert(*index, draw);
                cases.insert(*index, case);
                *before = after;
            }
        }
        (drawn_again.into_iter().collect(), cases)
    }
}
