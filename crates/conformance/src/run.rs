//! Runs the cases of every cell on every backend, judges and minimizes them, and writes the results as they come in.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::PathBuf;
use std::time::{Duration, Instant};

use plumbline_generator::{Case, Cell, Form, Sequence};
use plumbline_oracle::{Policy, Reference};
use plumbline_spec::Label;
use rayon::prelude::*;

use crate::error::RunError;
use crate::examine::{examine, examine_one};
use crate::judge::Judgement;
use crate::minimize::{Budget, minimize};
use crate::prepared::Prepared;
use crate::progress::Progress;
use crate::regressions;
use crate::repro::{Failure, write_repro};
use crate::right::Right;
use crate::right::{output_shapes, right};
use crate::signature::signature;
use crate::suite_run::{SuiteCase, Tolerance};
use crate::work::{Work, operators_in_turn};
use crate::{CaseResult, Expectations, Outcome, Selection, Subject, Verdict};

/// The settings of a run.
#[derive(Clone, Debug)]
pub struct Settings {
    /// The seed of all generated cases.
    pub seed: u64,
    /// Valid cases for each cell, on average. Cells of operators with more to vary get more.
    pub cases: u64,
    /// Invalid cases for each cell and constraint.
    pub negative_cases: u64,
    /// If set, the run draws further cases until this much time has passed.
    pub time: Option<Duration>,
    /// The longest time that a backend may take for one case.
    pub deadline: Duration,
    /// The part of the work that this run does: the number of the shard, counted from 1, and the number of shards.
    pub shard: (u64, u64),
    /// The operators and element types that the user selected, from which the work was made.
    pub selection: Selection,
    /// The folder for the results.
    pub out: PathBuf,
    /// The limit for the minimization of one failure.
    pub budget: Budget,
    /// How the command is typed that replays a failure: `plumbline`, or `cargo xtask`.
    pub program: String,
}

/// A result and, if it is a failure, what is needed to write its repro folder.
pub(crate) struct Found {
    pub result: CaseResult,
    pub failure: Option<Failure>,
}

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
    /// Does all the work of this run's shard. Results are written in the order of the work, independent of how threads
    /// are scheduled.
    pub fn run(&self, work: Vec<Work>) -> Result<Outcome, RunError> {
        let mut work = self.shard(work);
        if self.settings.time.is_some() {
            work = operators_in_turn(work);
        }
        // Pieces that at least one backend supports. The others are dropped after two rounds.
        let mut done_by_some: BTreeSet<String> = BTreeSet::new();
        let path = self.settings.out.join("results.jsonl");
        std::fs::create_dir_all(&self.settings.out)
            .map_err(|source| RunError::Io { path: self.settings.out.clone(), source })?;
        let io = |source| RunError::Io { path: path.clone(), source };
        let mut file = BufWriter::new(File::create(&path).map_err(io)?);
        let mut outcome = Outcome::default();
        let mut written: BTreeMap<String, u64> = BTreeMap::new();
        let start = Instant::now();
        let (mut round, mut whole_rounds) = (0, 0);
        self.progress.start(work.len() as u64);
        loop {
            let mut whole = true;
            for chunk in work.chunks(8 * rayon::current_num_threads()) {
                let done: Vec<(Vec<Found>, Outcome)> = chunk.par_iter().map(|w| self.piece(w, round)).collect();
                let (mut cases, mut unexpected) = (0, 0);
                let mut fresh = Vec::new();
                for (piece, (found, partial)) in chunk.iter().zip(done) {
                    cases += partial.cases;
                    // A negative recipe may decline a cell in which its constraint cannot be violated.
                    let declined = matches!(piece, Work::Cell(_, Some(_))) && partial.cases == 0;
                    if found.is_empty() && round == 0 && !declined {
                        outcome.missing.push(piece.to_string());
                    }
                    outcome.take(partial);
                    if found.iter().any(|f| f.result.verdict != Verdict::Unsupported) {
                        done_by_some.insert(piece.to_string());
                    }
                    for Found { mut result, failure } in found {
                        for expectations in self.expectations {
                            expectations.hear(&mut result);
                            if expectations.concerns(&result.backend) {
                                let features = failure.as_ref().map_or(&[][..], |f| &f.case.features);
                                expectations.apply(&mut result, features);
                            }
                        }
                        if outcome.count(&result) {
                            unexpected += 1;
                        }
                        if let (Some(signature), Some(failure)) = (&result.signature, failure) {
                            let count = written.entry(signature.clone()).or_default();
                            *count += 1;
                            if *count == 1 {
                                fresh.push((result.clone(), failure));
                            }
                        }
                        serde_json::to_writer(&mut file, &result).map_err(|e| io(e.into()))?;
                        file.write_all(b"\n").map_err(io)?;
                    }
                }
                file.flush().map_err(io)?;
                let repros: Vec<Result<(), RunError>> =
                    fresh.into_par_iter().map(|(result, failure)| self.write_up(&result, failure)).collect();
                repros.into_iter().collect::<Result<(), RunError>>()?;
                self.progress.advance(chunk.len() as u64, cases, unexpected);
                if self.settings.time.is_some_and(|t| start.elapsed() >= t) && round > 0 {
                    whole = false;
                    break;
                }
            }
            round += 1;
            whole_rounds += u64::from(whole);
            // The first round has only one case for each piece, which is too few to tell whether a piece is supported.
            if round == 2 && self.settings.time.is_some() {
                let all = work.len();
                work.retain(|piece| done_by_some.contains(&piece.to_string()));
                let dropped = all - work.len();
                let line = format!("{dropped} pieces of work are not run again, because no backend supports them");
                (dropped > 0).then(|| self.progress.line(&line));
            }
            match self.settings.time {
                Some(time) if start.elapsed() < time && !work.is_empty() => self.progress.start(work.len() as u64),
                _ => break,
            }
        }
        self.progress.finish();
        let cases_a_cell = self.cases_of(self.settings.cases, whole_rounds - 1).end;
        let whole =
            |of: Option<(&str, Option<u32>)>| self.settings.shard == (1, 1) && self.settings.selection.has_all_of(of);
        outcome.stale = self.expectations.iter().flat_map(|e| e.stale(cases_a_cell, whole)).collect();
        Ok(outcome)
    }

    /// Returns the indices of the cases of a round, if a piece has `count` cases in each round. Without a time limit
    /// there is one round with all cases. With a time limit the first round has one case for each piece, so that every
    /// piece is tried before any gets a second case.
    fn cases_of(&self, count: u64, round: u64) -> std::ops::Range<u64> {
        match (self.settings.time, round) {
            (None, _) => round * count..(round + 1) * count,
            (Some(_), 0) => 0..count.min(1),
            (Some(_), _) => 1 + (round - 1) * count..1 + round * count,
        }
    }

    /// Returns the pieces of this shard. They are ordered by a hash of their names, which spreads expensive operators
    /// over the shards.
    fn shard(&self, work: Vec<Work>) -> Vec<Work> {
        let (number, count) = self.settings.shard;
        let mut keyed: Vec<(u64, Work)> =
            work.into_iter().map(|w| (crate::signature::hash(&w.to_string()), w)).collect();
        keyed.sort_by_key(|(key, _)| *key);
        let of_shard = |(at, (_, work)): (usize, (u64, Work))| (at as u64 % count == number - 1).then_some(work);
        keyed.into_iter().enumerate().filter_map(of_shard).collect()
    }

    /// Does one piece of work.
    pub(crate) fn piece(&self, work: &Work, round: u64) -> (Vec<Found>, Outcome) {
        match work {
            Work::Cell(cell, violates) => self.cell(cell, *violates, round),
            Work::Published(case) if round == 0 => self.published(case),
            Work::Kept(case, suite) if round == 0 => self.cases(vec![(**case).clone()], suite),
            _ => Default::default(),
        }
    }

    fn cell(&self, cell: &Cell, violates: Option<Label>, round: u64) -> (Vec<Found>, Outcome) {
        let count = if violates.is_some() { self.settings.negative_cases } else { cell.share_of(self.settings.cases) };
        let cases =
            self.cases_of(count, round).filter_map(|index| cell.case(violates, index, self.settings.seed)).collect();
        let (found, mut outcome) = self.cases(cases, if violates.is_some() { "negative" } else { "generated" });
        outcome.coverage.cell(&cell.to_string(), if violates.is_none() { count } else { 0 });
        (found, outcome)
    }

    fn cases(&self, cases: Vec<Case>, suite: &str) -> (Vec<Found>, Outcome) {
        let mut outcome = Outcome { cases: cases.len() as u64, ..Outcome::default() };
        let mut found: Vec<Vec<Found>> = cases.iter().map(|_| vec![]).collect();
        // The expected outcomes by policy. They do not depend on the form, but the form declares the shapes of the
        // expected outputs.
        let mut rights: Vec<(&Policy, Vec<Option<Right>>)> = Vec::new();
        for subject in self.subjects {
            if !rights.iter().any(|(p, _)| **p == subject.policy) {
                let reference = Reference::new(subject.policy.clone());
                let of_policy =
                    cases.iter().map(|case| right(&reference, case).map_err(|reason| outcome.broken.push(reason)).ok());
                let of_policy = of_policy.collect();
                rights.push((&subject.policy, of_policy));
            }
        }
        let first = rights.first().map_or(&[][..], |(_, rights)| rights).iter().map(Option::as_ref);
        let prepared: Vec<Prepared> = cases.into_iter().zip(first).map(|(c, right)| Prepared::new(c, right)).collect();
        for Prepared { case, further, .. } in prepared.iter().filter(|prepared| prepared.case.violates.is_none()) {
            let again = further.iter().map(|run| run.other.feature().to_owned());
            outcome.coverage.features(&case.version, &case.features.iter().cloned().chain(again).collect::<Vec<_>>());
        }
        for subject in self.subjects {
            let Some((_, rights)) = rights.iter().find(|(p, _)| **p == subject.policy) else { continue };
            let asked: Vec<(&Prepared, &Right)> =
                prepared.iter().zip(rights).filter_map(|(prepared, right)| Some((prepared, right.as_ref()?))).collect();
            let mut findings = examine(subject, &asked, self.settings.deadline).into_iter();
            for (at, right) in rights.iter().enumerate() {
                let case = &prepared[at].case;
                let result = |judgement: &Judgement| self.result(case, suite, subject, judgement);
                let Some(finding) = right.as_ref().and_then(|_| findings.next()) else {
                    let judgement = Judgement::not_run("the oracle has no answer to this case");
                    found[at].push(Found { result: result(&judgement), failure: None });
                    continue;
                };
                if finding.unjudged {
                    *outcome.unjudged.entry(subject.identity.to_string()).or_default() += 1;
                }
                let result = result(finding.judgement());
                let failure = result.signature.is_some().then_some(finding.failure);
                found[at].push(Found { result, failure });
            }
        }
        (found.into_iter().flatten().collect(), outcome)
    }

    fn result(&self, case: &Case, suite: &str, subject: &Subject, judgement: &Judgement) -> CaseResult {
        // A kept case does not depend on the seed.
        let seed = (suite != regressions::SUITE).then(|| self.settings.seed.to_string());
        CaseResult { seed, ..CaseResult::new(case, suite, subject, judgement) }
    }

    fn published(&self, case: &SuiteCase) -> (Vec<Found>, Outcome) {
        let judged = self.subjects.iter().map(|s| case.judge(s, self.settings.deadline, Tolerance::default()));
        let found = judged.map(|(result, failure)| Found { result, failure }).collect();
        (found, Outcome { cases: 1, ..Outcome::default() })
    }

    /// Minimizes a failure and writes its repro folder.
    fn write_up(&self, result: &CaseResult, failure: Failure) -> Result<(), RunError> {
        let Some(signature) = &result.signature else { return Ok(()) };
        // Known failures have been examined already. Minimizing each of them fully, for a thousand signatures, would
        // take most of a run.
        let known = result.expected_verdict.is_some();
        let budget = if known { self.settings.budget.min(Budget::KNOWN) } else { self.settings.budget };
        let smaller = self.minimized(result, &failure, budget).unwrap_or(failure);
        write_repro(&self.settings.out.join("repro").join(signature), result, &smaller, &self.settings.program)
    }

    /// Returns the smallest case found that fails with the same signature.
    pub(crate) fn minimized(&self, result: &CaseResult, failure: &Failure, budget: Budget) -> Option<Failure> {
        let subject = self.subjects.iter().find(|s| s.name == failure.backend)?;
        let (cell, violates, index, _) = plumbline_generator::parse_id(&failure.case.id).ok()?;
        let reference = Reference::new(subject.policy.clone());
        let mut best = None;
        let attempt = |choices: &Sequence, form: Form| -> Option<Failure> {
            let mut case = cell.replay(violates, index, choices.clone(), failure.case.id.clone())?;
            case.form = if case.forms().contains(&form) { form } else { Form::AsDrawn };
            let right = right(&reference, &case).ok()?;
            let case = Prepared::alone(case.in_form(&output_shapes(&right)));
            let finding = examine_one(subject, &case, &right, self.settings.deadline);
            let found = signature(&case.case.version.name, &subject.identity.name, finding.judgement());
            (found == result.signature).then_some(finding.failure)
        };
        // If the failure does not depend on the form, the repro has the case without it.
        let plain = attempt(&failure.case.choices, Form::AsDrawn);
        let form = if plain.is_some() { Form::AsDrawn } else { failure.case.form };
        best = plain.or(best);
        minimize(failure.case.choices.clone(), budget, |choices| match attempt(choices, form) {
            Some(smaller) => {
                best = Some(smaller);
                true
            }
            None => false,
        });
        best
    }
}
