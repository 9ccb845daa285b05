//! Consecutive pieces of work whose cases run together, so that backends may get them in packs.

use std::collections::VecDeque;
use std::ops::Range;

use plumbline_generator::Cell;

use crate::results::Outcome;
use crate::running::packable::{Packable, is_right};
use crate::running::run::Run;
use crate::running::settings::Round;
use crate::running::stop::Stop;
use crate::running::work::Work;
use crate::running::writer::{Done, Found};
use crate::subjects::{Pack, Subject, take_cut_off};

/// The largest number of cases that run together. Between such groups of cases the run may stop, and if it does, the
/// cases that were running are lost.
const MOST_CASES: u64 = 256;

/// About how long cases should run together, in seconds, if a pack saves this factor.
const SECONDS: f64 = 2.0;
const SAVED: f64 = 8.0;

/// The number of cases that are worth running together even if there are more threads than groups.
const FEWEST_CASES: u64 = 16;

/// The largest number of pieces in a group.
const MOST_PIECES: usize = 256;

impl Run<'_> {
    /// Returns whether a backend may get cases of a piece, or the twins of invalid ones, in packs. In the first round,
    /// that depends on what is found out meanwhile.
    fn is_packed(&self, piece: &Work, round: Round, packable: &Packable) -> bool {
        let takes = |subject: &Subject| match (piece, round) {
            (Work::Cell(..), Round::First) => subject.pack != Pack::Off,
            (Work::Cell(_, None), _) => subject.pack_size() > 1 && is_taken(subject, piece, round, packable),
            (Work::Cell(_, Some(_)), _) => subject.pack_size() > 1,
            _ => false,
        };
        self.subjects.iter().any(takes)
    }

    /// Divides the pieces of a round into groups of consecutive pieces, and says which groups have cases in packs. Other
    /// groups have a single piece. The first `known` pieces have results already.
    pub(super) fn groups(
        &self,
        work: &[Work],
        round: Round,
        known: usize,
        packable: &Packable,
    ) -> Vec<(Range<usize>, bool)> {
        let packs = round != Round::Whole && self.subjects.iter().any(|subject| subject.pack != Pack::Off);
        let cases = |(at, piece): (usize, &Work)| {
            let range = round.cases(self.settings.count_of(piece));
            let is_packed = packs && at >= known && self.is_packed(piece, round, packable);
            if is_packed { range.end - range.start } else { 0 }
        };
        let cases: Vec<u64> = work.iter().enumerate().map(cases).collect();
        let all: u64 = cases.iter().sum();
        let most = (all / (4 * self.settings.threads() as u64).max(1)).clamp(FEWEST_CASES, MOST_CASES);
        let mut groups: Vec<(Range<usize>, bool)> = Vec::new();
        let mut sum = 0;
        for (at, cases) in cases.into_iter().enumerate() {
            match groups.last_mut() {
                Some((group, true)) if sum + cases <= most && group.len() < MOST_PIECES => {
                    group.end = at + 1;
                    sum += cases;
                }
                _ => {
                    groups.push((at..at + 1, cases > 0));
                    sum = cases;
                }
            }
        }
        groups
    }

    /// Does the pieces of a group: first those whose cases are in packs, then each of the others.
    pub(super) fn group_until(&self, pieces: &[Work], round: Round, stop: &Stop, packable: &Packable) -> Vec<Done> {
        let mut done: Vec<Option<Done>> = pieces.iter().map(|_| None).collect();
        let mut left: VecDeque<(usize, Range<u64>)> = VecDeque::new();
        for (at, piece) in pieces.iter().enumerate().filter(|(_, piece)| self.is_packed(piece, round, packable)) {
            let range = round.cases(self.settings.count_of(piece));
            done[at] = Some(Done { has_cases: !range.is_empty(), ..Done::new(vec![], Outcome::default()) });
            left.push_back((at, range));
        }
        while !left.is_empty() {
            let some = first_cases(&mut left, self.cases_together());
            if stop.is_due() || !self.together(pieces, &some, round, stop, packable, &mut done) {
                left.extend(some);
                break;
            }
        }
        for (at, _) in left {
            done[at].iter_mut().for_each(|done| done.is_whole = false);
        }
        let stopped = || if stop.is_due() { Some(Done::stopped()) } else { None };
        let others = done.into_iter().zip(pieces);
        others
            .map(|(done, piece)| done.or_else(stopped).unwrap_or_else(|| self.piece_until(piece, round, Some(stop))))
            .collect()
    }

    /// Returns how many cases run together now: fewer if the sessions of a backend are slow.
    fn cases_together(&self) -> u64 {
        let usual: Option<Vec<f64>> = self.subjects.iter().map(|subject| subject.pace().usual()).collect();
        let Some(usual) = usual.map(|usual| usual.into_iter().fold(0.0, f64::max)) else { return FEWEST_CASES };
        ((SECONDS * SAVED / usual) as u64).clamp(FEWEST_CASES, MOST_CASES)
    }

    /// Runs cases of pieces together, and adds what they give to `done`. Returns false, and adds nothing, if the run
    /// should stop.
    fn together(
        &self,
        pieces: &[Work],
        some: &[(usize, Range<u64>)],
        round: Round,
        stop: &Stop,
        packable: &Packable,
        done: &mut [Option<Done>],
    ) -> bool {
        let mut batches = Vec::new();
        let mut are_left_out = Vec::new();
        for (at, range) in some {
            let piece = &pieces[*at];
            let (cases, left_out) = self.settings.drawn(piece, range.clone());
            batches.push(self.batch(cases, piece.suite(), piece.valid_cell()));
            are_left_out.push(left_out);
        }
        let packs = |subject: &Subject| {
            let takes = some.iter().map(|(at, _)| is_taken(subject, &pieces[*at], round, packable));
            let takes: Vec<bool> = takes.collect();
            (subject.pack_size(), move |batch: usize| takes[batch])
        };
        let judged = self.judged(batches, packs, &|| stop.is_due());
        let is_cut_off = take_cut_off() || stop.is_over();
        let Some(judged) = judged.filter(|_| !is_cut_off) else { return false };
        for (((at, range), left_out), (found, mut outcome)) in some.iter().zip(are_left_out).zip(judged) {
            if let Work::Cell(cell, None) = &pieces[*at] {
                outcome.coverage.add_cell(&cell.to_string(), range.end - range.start);
                self.note_support(cell, &found);
            }
            if let Some(done) = &mut done[*at] {
                done.has_cases &= !left_out;
                done.found.extend(found);
                done.outcome.take(outcome);
            }
        }
        true
    }

    /// Notes which backends gave right answers to valid cases of a cell.
    fn note_support(&self, cell: &Cell, found: &[Found]) {
        for subject in self.subjects {
            let backend = subject.identity.to_string();
            for Found { result, .. } in found.iter().filter(|found| found.result.backend == backend) {
                subject.risk().support.note(cell, is_right(result));
            }
        }
    }
}

/// Returns whether a backend gets cases of a piece, or the twins of invalid ones, in packs.
fn is_taken(subject: &Subject, piece: &Work, round: Round, packable: &Packable) -> bool {
    match piece {
        Work::Cell(_, None) if round != Round::First => {
            packable.takes(&piece.to_string(), &subject.identity.to_string())
        }
        Work::Cell(cell, _) => subject.risk().support.is_likely(cell),
        _ => false,
    }
}

/// Takes cases from the front, as many as `most` at once.
fn first_cases(left: &mut VecDeque<(usize, Range<u64>)>, most: u64) -> Vec<(usize, Range<u64>)> {
    let mut some = Vec::new();
    let mut room = most;
    while room > 0
        && let Some((at, mut range)) = left.pop_front()
    {
        let end = range.end.min(range.start.saturating_add(room));
        room -= end - range.start;
        some.push((at, range.start..end));
        range.start = end;
        if !range.is_empty() {
            left.push_front((at, range));
        }
    }
    some
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cases_are_taken_in_order_and_as_many_as_fit() {
        let mut left = VecDeque::from([(0, 1..4), (2, 1..8), (5, 0..1)]);
        assert_eq!(first_cases(&mut left, 5), [(0, 1..4), (2, 1..3)]);
        assert_eq!(first_cases(&mut left, 100), [(2, 3..8), (5, 0..1)]);
        assert!(left.is_empty());
    }
}
