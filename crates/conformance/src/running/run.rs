//! Runs the cases of every piece of work on every backend, judges them, minimizes failures, and writes the results as
//! they come in.

use std::collections::BTreeSet;
use std::fs::OpenOptions;
use std::io::BufWriter;
use std::time::{Duration, Instant};

use plumbline_generator::{Case, RULE};
use plumbline_judge::{Right, Verdict};
use plumbline_oracle::Oracle;

use crate::cases::SuiteCase;
use crate::examining::{Budget, Failure, PreparedCase, Repros, Tolerance, right, smaller};
use crate::results::{CaseResult, Expectations, Outcome, RunError, Unreached};
use crate::running::earlier::{Earlier, Rows, Span};
use crate::running::flaky::{flaky, is_flaky};
use crate::running::in_order::in_order;
use crate::running::minimizer::{Minimizer, Task};
use crate::running::packable::Packable;
use crate::running::progress::{Advance, Progress};
use crate::running::settings::{Round, Settings};
use crate::running::stop::Stop;
use crate::running::work::{Work, by_value, shard};
use crate::running::writer::{Done, Found, Writer};
use crate::subjects::{Pack, Subject, take_cut_off};

/// The largest number of cases of a piece that are run before the run checks whether it should stop.
const CASES_AT_ONCE: u64 = 16;

/// A run with a time limit chooses how many cases it runs at once, so that it checks about this often whether it should
/// stop.
const LOOK: Duration = Duration::from_millis(250);

/// A run with everything that it needs.
pub struct Run<'a> {
    /// What to run.
    pub settings: &'a Settings,
    /// The backends under test.
    pub subjects: &'a [Subject],
    /// The known verdicts.
    pub expectations: &'a [Expectations],
    /// Receives the progress of the run.
    pub progress: &'a dyn Progress,
}

impl Run<'_> {
    /// Does the work of this run's shard, all of it or what there is time for: first one case of each piece, the most
    /// informative pieces first, then the other cases. Results are written in this order, independent of how threads
    /// are scheduled. Other threads minimize failures meanwhile, within a share of the run's time.
    pub fn run(&self, work: Vec<Work>) -> Result<Outcome, RunError> {
        let path = self.settings.out.join("results.jsonl");
        let stop = Stop::new(self.settings.time, &self.settings.interrupt);
        self.subjects.iter().for_each(|subject| subject.end_at(stop.end()));
        let repros = Repros { folder: self.settings.out.join("repro"), program: self.settings.program.clone() };
        let minimizer =
            Minimizer::new(self.settings.minimization, self.settings.budget, self.settings.threads(), &stop);
        let io = |source| RunError::Io { path: path.clone(), source };
        std::fs::create_dir_all(&self.settings.out)
            .map_err(|source| RunError::Io { path: self.settings.out.clone(), source })?;
        let mut options = OpenOptions::new();
        options.write(true).create(true).truncate(!self.settings.resume);
        let file = BufWriter::new(options.open(&path).map_err(io)?);
        let earlier = if self.settings.resume { Some(Earlier::from_file(&path)?) } else { None };
        let mut writer = Writer {
            expectations: self.expectations,
            base: &self.settings.base,
            accepted: &self.settings.accepted,
            repros: &repros,
            path: path.clone(),
            file,
            outcome: Outcome::default(),
            signatures: Default::default(),
            supported: BTreeSet::new(),
            empty: BTreeSet::new(),
            answered: BTreeSet::new(),
            packable: Packable::default(),
            minimizer: &minimizer,
        };
        let rounds = std::thread::scope(|scope| {
            for _ in 0..self.settings.threads() {
                scope.spawn(|| {
                    minimizer.work(|task, budget| match self.minimized(task, budget, &stop) {
                        Some(smaller) => repros.write(&task.result, &smaller),
                        None if task.is_known() => repros.write(&task.result, &task.failure),
                        None => Ok(()),
                    })
                });
            }
            let _guard = minimizer.ended_by_panic();
            let rounds = self.rounds(by_value(shard(work, self.settings.shard)), &stop, earlier, &mut writer);
            self.progress.finish();
            minimizer.finish();
            rounds
        });
        let Writer { mut outcome, empty, answered, .. } = writer;
        outcome.missing = empty.difference(&answered).cloned().collect();
        let whole_rounds = rounds?;
        for task in minimizer.rest()? {
            if !task.is_known() {
                outcome.not_minimized += 1;
            }
            repros.write(&task.result, &task.failure)?;
        }
        outcome.exceeded = self.expectations.iter().flat_map(Expectations::exceeded).collect();
        let cases_a_cell = whole_rounds.last().map_or(0, |round| round.cases(self.settings.cases).end);
        let whole =
            |of: Option<(&str, Option<u32>)>| self.settings.shard == (1, 1) && self.settings.selection.has_all_of(of);
        // A run that did not even try each piece once cannot tell that a known verdict no longer occurs.
        if !whole_rounds.is_empty() {
            let graphs = self.settings.graph_cases.unwrap_or(self.settings.cases as f64) as u64;
            let graphs = cases_a_cell.min(graphs);
            outcome.stale = self.expectations.iter().flat_map(|e| e.stale(cases_a_cell, graphs, whole)).collect();
        }
        Ok(outcome)
    }

    /// Runs all rounds, or those for which there is time, and returns the rounds that were completed.
    fn rounds(
        &self,
        mut work: Vec<Work>,
        stop: &Stop,
        mut earlier: Option<Earlier>,
        writer: &mut Writer,
    ) -> Result<Vec<Round>, RunError> {
        let has_time_limit = self.settings.time.is_some();
        let mut whole_rounds = Vec::new();
        let mut round = Round::First;
        loop {
            let (mut before, mut rows) = (vec![], None);
            if let Some(earlier) = &mut earlier {
                let cases = |piece: &Work| round.cases(self.settings.count_of(piece));
                before = match self.settings.recorded {
                    true => {
                        let mut spans = earlier.spans(&work, cases)?;
                        let end = spans.last().map_or(earlier.start_of_round(), |span| span.end);
                        spans.resize_with(work.len(), || Span { end, rows: 0, signatures: vec![] });
                        spans
                    }
                    false => earlier.round(&work, cases, self.settings.selection.names_forms())?,
                };
                rows = Some(earlier.rows()?);
            }
            if before.len() < work.len()
                && let Some(earlier) = earlier.take()
            {
                writer.go_on(before.last().map_or(earlier.start_of_round(), |span| span.end))?;
            }
            self.progress.start(work.len() as u64);
            let reached = self.round(&work, round, stop, &before, rows, writer)?;
            if reached < work.len() {
                let operators: BTreeSet<String> = work[..reached].iter().map(Work::operator).collect();
                let left = work[reached..].iter().map(Work::operator);
                writer.outcome.unreached = Some(Unreached {
                    pieces: (work.len() - reached) as u64,
                    of: work.len() as u64,
                    cases: round.cases(self.settings.cases).start,
                    operators: left.filter(|o| round == Round::First && !operators.contains(o)).collect(),
                    interrupted: stop.is_interrupted(),
                });
                break;
            }
            whole_rounds.push(round);
            // The first round has only one case for each piece, which is too few to tell whether a piece is supported.
            if round == Round::Further(0) {
                let all = work.len();
                work.retain(|piece| writer.supported.contains(&piece.to_string()));
                let dropped = all - work.len();
                let why = "no backend supports any of their cases";
                let line = format!("{dropped} pieces of work are not run again, because {why}");
                (dropped > 0).then(|| self.progress.line(&line));
            }
            match round.next(has_time_limit) {
                Some(next) if !work.is_empty() => {
                    if round == Round::First {
                        self.announce_packs();
                    }
                    round = next;
                }
                _ => break,
            }
            if has_time_limit && stop.is_due() {
                break;
            }
        }
        if let Some(earlier) = &earlier {
            earlier.finish()?;
        }
        Ok(whole_rounds)
    }

    /// Runs one round of the work and returns how many pieces were done. `before` says what an earlier run did for the
    /// first pieces, and `rows` reads the results of that run.
    fn round(
        &self,
        work: &[Work],
        round: Round,
        stop: &Stop,
        before: &[Span],
        mut rows: Option<Rows>,
        writer: &mut Writer,
    ) -> Result<usize, RunError> {
        // A piece with a failure whose repro folder is missing is run again, to minimize and write the failure.
        let mut seen: BTreeSet<&str> = writer.signatures.keys().map(String::as_str).collect();
        let lost = |signature: &&str| !writer.repros.has(signature);
        let again: BTreeSet<usize> = before
            .iter()
            .enumerate()
            .filter(|_| !self.settings.recorded)
            .filter(|(_, span)| {
                let signatures = span.signatures.iter().map(String::as_str);
                signatures.filter(|signature| seen.insert(signature)).filter(lost).count() > 0
            })
            .map(|(at, _)| at)
            .collect();
        let known = before.len();
        let mut is_whole = true;
        let piece = |at: usize| match at < known && !again.contains(&at) {
            true => Some(self.drawn_only(&work[at], round)),
            false => (!stop.is_due()).then(|| self.piece_until(&work[at], round, Some(stop))),
        };
        let packable = writer.packable.clone();
        let groups = self.groups(work, round, known, &packable);
        let group = |at: usize| match groups[at].clone() {
            (pieces, true) => (!stop.is_due()).then(|| self.group_until(&work[pieces], round, stop, &packable)),
            (pieces, false) => pieces.map(piece).collect(),
        };
        let mut reached = 0;
        in_order(groups.len(), self.settings.threads(), group, |at, done| {
            for (at, done) in groups[at].0.clone().zip(done) {
                // Nothing is written after a piece that was stopped, so that a resumed run knows where to go on.
                if !is_whole {
                    break;
                }
                is_whole = done.is_whole;
                reached += usize::from(is_whole);
                let mut advance = Advance { pieces: 1, cases: done.outcome.cases, ..Advance::default() };
                let causes = writer.outcome.unexpected.count();
                let rows = rows.as_mut().zip(before.get(at)).map(|(rows, span)| rows.take(span)).transpose()?;
                if !round.has_earlier() {
                    rows.iter().flatten().for_each(|row| self.recall(row));
                }
                advance.unexpected = writer.take(&work[at], done, rows)?;
                advance.causes = writer.outcome.unexpected.count() - causes;
                self.progress.advance(advance);
            }
            Ok(())
        })?;
        Ok(reached)
    }

    /// Notes how long a session took in an earlier run.
    fn recall(&self, row: &CaseResult) {
        let subject = self.subjects.iter().find(|subject| subject.identity.to_string() == row.backend);
        if let Some(subject) = subject.filter(|_| matches!(row.verdict, Verdict::Pass | Verdict::Latitude)) {
            subject.pace().session(row.seconds);
        }
    }

    /// Says which backends get their cases in packs, if that depends on the time that their sessions take.
    fn announce_packs(&self) {
        for subject in self.subjects.iter().filter(|subject| subject.pack == Pack::Auto) {
            let Some(seconds) = subject.pace().usual() else { continue };
            let how = match subject.pack_size() {
                1 => "each case has a session of its own",
                _ => "cases share sessions",
            };
            self.progress.line(&format!("{}: a session takes {:.1} ms; {how}", subject.identity, 1000.0 * seconds));
        }
    }

    /// Runs all cases of a piece of work, however long that takes.
    pub(crate) fn piece(&self, work: &Work) -> (Vec<Found>, Outcome) {
        let done = self.piece_until(work, Round::Whole, None);
        (done.found, done.outcome)
    }

    /// Does a piece of work, a few cases at a time, until the run should stop.
    pub(super) fn piece_until(&self, work: &Work, round: Round, stop: Option<&Stop>) -> Done {
        let mut range = round.cases(self.settings.count_of(work));
        // Whether the end of the run's time may have cut off a case that has just run.
        let is_cut_off = || take_cut_off() || stop.is_some_and(Stop::is_over);
        let single = |(found, outcome)| if is_cut_off() { Done::stopped() } else { Done::new(found, outcome) };
        match work {
            Work::Cell(..)
            | Work::Large(_)
            | Work::Mutated(_)
            | Work::Graphs(_)
            | Work::DirectMl(..)
            | Work::Excerpt(_) => {}
            _ if range.is_empty() || range.start > 0 => return self.drawn_only(work, round),
            Work::Published(case) => return single(self.published(case)),
            Work::Kept(case, suite) => {
                let (mut found, outcome) = self.cases(vec![(**case).clone()], suite, None);
                found.iter_mut().for_each(|found| found.result.seed = work.own_seed());
                return single((found, outcome));
            }
        }
        let cell = work.valid_cell();
        let mut done = Done { has_cases: !range.is_empty(), ..Done::new(vec![], Outcome::default()) };
        let mut at_once = if self.settings.time.is_some() { 1 } else { CASES_AT_ONCE };
        while !range.is_empty() {
            if stop.is_some_and(Stop::is_due) {
                done.is_whole = false;
                break;
            }
            let start = Instant::now();
            let some = range.start..range.end.min(range.start.saturating_add(at_once));
            range.start = some.end;
            let count = some.end - some.start;
            let (cases, left_out) = self.settings.drawn(work, some);
            done.has_cases &= !left_out;
            let (found, mut outcome) = self.cases(cases, work.suite(), cell);
            if is_cut_off() {
                done.is_whole = false;
                break;
            }
            if let Some(cell) = cell {
                outcome.coverage.add_cell(&cell.to_string(), count);
            }
            done.found.extend(found);
            done.outcome.take(outcome);
            if self.settings.time.is_some() {
                at_once = if start.elapsed() < LOOK { (2 * at_once).min(CASES_AT_ONCE) } else { at_once.div_ceil(2) };
            }
        }
        done
    }

    /// Draws the cases of a piece without running them, to count what they cover and to record their features.
    fn drawn_only(&self, work: &Work, round: Round) -> Done {
        let range = round.cases(self.settings.count_of(work));
        let mut done = Done { has_cases: !range.is_empty(), ..Done::new(vec![], Outcome::default()) };
        let mut of_cell = None;
        let cases: Vec<Case> = match work {
            Work::Cell(..)
            | Work::Large(_)
            | Work::Mutated(_)
            | Work::Graphs(_)
            | Work::DirectMl(..)
            | Work::Excerpt(_) => {
                of_cell = work.valid_cell();
                if let Some(cell) = of_cell {
                    done.outcome.coverage.add_cell(&cell.to_string(), range.end - range.start);
                }
                let (cases, left_out) = self.settings.drawn(work, range);
                done.has_cases &= !left_out;
                cases
            }
            Work::Kept(case, _) => range.map(|_| (**case).clone()).collect(),
            Work::Published(_) => {
                done.outcome.cases += range.end - range.start;
                vec![]
            }
        };
        // Only the oracle sees which rules a case meets.
        let has_rules = of_cell.is_some_and(|cell| cell.goals().iter().any(|goal| goal.starts_with(RULE)));
        let policy = self.subjects.first().map(|subject| subject.policy.clone());
        let reference = policy.filter(|_| has_rules).map(Oracle::new);
        let rights: Vec<Option<Right>> =
            cases.iter().map(|case| reference.as_ref().and_then(|reference| right(reference, case).ok())).collect();
        if let Some(cell) = of_cell {
            let cases = cases.iter().zip(&rights).map(|(case, right)| (&case.features[..], right.as_ref()));
            done.outcome.coverage.add_goals(cell, cases);
        }
        for case in cases {
            done.outcome.cases += 1;
            let prepared = PreparedCase::new(case, None);
            self.count_features(&prepared, &mut done.outcome);
            done.drawn.insert(prepared.case.id, prepared.case.features);
        }
        done
    }

    fn published(&self, case: &SuiteCase) -> (Vec<Found>, Outcome) {
        let judge = |subject: &Subject| case.judge(subject, self.settings.deadline, Tolerance::default());
        let found = self.subjects.iter().map(|subject| {
            let (mut result, mut failure) = judge(subject);
            let again = |subject: &Subject| judge(subject).0.verdict.is_bad();
            if let Some(failure) = &mut failure
                && is_flaky(&result, &failure.case.features, subject, self.expectations, again)
            {
                failure.judgement = flaky(failure.judgement.clone());
                result = CaseResult::new(&failure.case, &result.suite, subject, &failure.judgement);
            }
            Found { result, failure }
        });
        (found.collect(), Outcome { cases: 1, ..Outcome::default() })
    }

    /// Minimizes a failure of this run.
    fn minimized(&self, Task { failure, .. }: &Task, budget: Budget, stop: &Stop) -> Option<Failure> {
        let subject = self.subjects.iter().find(|subject| subject.name == failure.backend)?;
        smaller(subject, failure, self.settings.deadline, budget, || stop.is_due())
    }
}
