//! Runs mutants: draws the cases of each operator version, asks the oracle, and judges the answers of the mutants.

use std::collections::BTreeMap;
use std::sync::Arc;

use plumbline_backend::Observation;
use plumbline_generator::{Case, Cell};
use plumbline_graph::Refusal;
use plumbline_judge::{Judgement, Right, Verdict};
use plumbline_oracle::{Operand, Oracle, Policy};
use plumbline_spec::{OperatorId, OperatorVersion, Spec};
use plumbline_tensor::Value;
use rayon::prelude::*;

use super::edit::{Answered, answer};
use super::{Fate, Mutant, MutantKind, MutantReport, MutantResult, MutantTable, WreckedShare, derived};
use crate::cases::Selection;
use crate::examining::right;
use crate::running::{Advance, Progress};

/// The function that judges answers: [`plumbline_judge::judge()`] or, in tests, a judge that is wrong on purpose.
pub type JudgeFn = dyn Fn(&Right, &[&str], &Observation) -> Judgement + Sync;

/// The number of failures after which a mutant is not run further.
const ENOUGH: u64 = 3;

/// The largest number of refusals that are judged for a mutant that changes no answer.
const REFUSALS: usize = 20;

/// The settings of a run over mutants.
#[derive(Clone, Debug)]
pub struct MutantSettings {
    /// The seed of all cases.
    pub seed: u64,
    /// The number of cases for each cell, on average.
    pub cases: u64,
    /// The selected operators, versions and element types.
    pub selection: Selection,
    /// The wanted kinds of mutants. An empty list selects all kinds.
    pub kinds: Vec<MutantKind>,
    /// The mutants that are written by hand.
    pub table: MutantTable,
}

impl MutantSettings {
    /// Returns whether mutants of this kind run.
    pub(super) fn takes(&self, kind: MutantKind) -> bool {
        self.kinds.is_empty() || self.kinds.contains(&kind)
    }
}

/// A case with its expected outcome.
pub(super) struct Question {
    pub(super) case: Case,
    pub(super) right: Right,
    /// The preferred answer.
    pub(super) preferred: Vec<Value>,
    /// Whether an output is random, so that only its distribution is known.
    random: bool,
}

/// Runs every wanted mutant of the selected operator versions. The report does not depend on the number of threads.
pub fn run(settings: &MutantSettings, judge: &JudgeFn, progress: &dyn Progress) -> MutantReport {
    let mut by_version: BTreeMap<usize, (&'static OperatorVersion, Vec<Cell>)> = BTreeMap::new();
    let order: BTreeMap<String, usize> = {
        let versions = Spec::embedded().operators().flat_map(|o| o.versions.iter());
        versions.enumerate().map(|(at, version)| (version.id.to_string(), at)).collect()
    };
    for cell in settings.selection.cells() {
        let at = order.get(&cell.version.id.to_string()).copied().unwrap_or(usize::MAX);
        by_version.entry(at).or_insert_with(|| (cell.version, vec![])).1.push(cell);
    }
    progress.start(by_version.len() as u64);
    let mut work: Vec<(usize, &'static OperatorVersion, Vec<Cell>)> =
        by_version.into_iter().map(|(at, (version, cells))| (at, version, cells)).collect();
    // The versions with the most cells come first, so that no thread starts one of them near the end.
    work.sort_by_key(|(at, _, cells)| (std::cmp::Reverse(cells.len()), *at));
    let one = |(at, version, cells): (usize, &'static OperatorVersion, Vec<Cell>)| {
        let (report, share) = one_version(settings, judge, version, &cells);
        let survivors = report.results.iter().filter(|r| r.fate == Fate::Survived).count() as u64;
        progress.advance(Advance { pieces: 1, cases: report.cases, unexpected: survivors, causes: survivors });
        (at, version.id.qualified_name(), report, share)
    };
    // Each thread takes one version at a time.
    let mut done: Vec<_> = work.into_par_iter().with_max_len(1).map(one).collect();
    progress.finish();
    done.sort_by_key(|(at, ..)| *at);
    let mut whole = MutantReport::default();
    for (_, operator, report, share) in done {
        whole.results.extend(report.results);
        whole.broken.extend(report.broken);
        whole.cases += report.cases;
        match whole.wrecked.last_mut() {
            Some((name, sum)) if *name == operator => sum.take(share),
            _ => whole.wrecked.push((operator, share)),
        }
    }
    whole
}

impl WreckedShare {
    fn take(&mut self, other: WreckedShare) {
        self.answers += other.answers;
        self.failed += other.failed;
        self.undecided += other.undecided;
        self.survived = self.survived.take().or(other.survived);
    }
}

fn one_version(
    settings: &MutantSettings,
    judge: &JudgeFn,
    version: &'static OperatorVersion,
    cells: &[Cell],
) -> (MutantReport, WreckedShare) {
    // A mutant is a program for CPUs.
    let reference = Oracle::new(Policy::of_cpu());
    // Case 0 of every cell comes first, then case 1 of every cell, so that each type appears early.
    let most = cells.iter().map(|cell| cell.share_of(settings.cases)).max().unwrap_or(0);
    let indices = (0..most).flat_map(|index| cells.iter().map(move |cell| (index, cell)));
    let indices = indices.filter(|(index, cell)| *index < cell.share_of(settings.cases));
    let drawn: Vec<(u64, &Cell)> = indices.collect();
    let cases: Vec<Case> =
        drawn.par_iter().filter_map(|(index, cell)| cell.case(None, *index, settings.seed)).collect();
    let wanted = |mutant: &Mutant| settings.takes(mutant.kind);
    let mutants: Vec<Mutant> = derived::derived(version, &cases)
        .into_iter()
        .chain(settings.table.for_version(version))
        .filter(wanted)
        .collect();
    let count = cases.len() as u64;
    let asked: Vec<Result<Question, String>> =
        cases.into_par_iter().map(|case| question(&reference, judge, case)).collect();
    let (mut questions, mut broken) = (Vec::new(), Vec::new());
    for question in asked {
        match question {
            Ok(question) => questions.push(question),
            Err(reason) => broken.push(reason),
        }
    }
    let judged = mutants.par_iter().map(|mutant| one_mutant(mutant, &reference, judge, version, &questions));
    let judged: Vec<(MutantResult, WreckedShare)> = judged.collect();
    let mut share = WreckedShare::default();
    let mut results = Vec::new();
    for (result, wrecked) in judged {
        results.push(result);
        share.take(wrecked);
    }
    (MutantReport { results, wrecked: vec![], broken, cases: count }, share)
}

pub(super) fn question(reference: &Oracle, judge: &JudgeFn, case: Case) -> Result<Question, String> {
    let right = right(reference, &case)?;
    let operands: &[Operand] = match &right {
        Right::Outputs { operands, .. } => operands,
        Right::Refusal(_) | Right::ByRelease { .. } | Right::Open { .. } => &[],
    };
    let preferred: Vec<Value> = operands.iter().map(Operand::to_value).collect();
    let random = operands.iter().any(|o| o.tensor().is_ok_and(|tensor| tensor.random.is_some()));
    let judgement = judge(&right, &case.model.output_names(), &outputs(preferred.clone()));
    if judgement.verdict == Verdict::Fail && !random {
        let detail = judgement.detail().unwrap_or_default();
        return Err(format!("{}: the judge rejects the oracle's own answer: {detail}", case.id));
    }
    Ok(Question { case, right, preferred, random })
}

fn outputs(values: Vec<Value>) -> Observation {
    Observation::Outputs { values, seconds: 0.0 }
}

fn one_mutant(
    mutant: &Mutant,
    reference: &Oracle,
    judge: &JudgeFn,
    version: &'static OperatorVersion,
    questions: &[Question],
) -> (MutantResult, WreckedShare) {
    let mut share = WreckedShare::default();
    let mut refusals: Vec<(&Question, Refusal)> = Vec::new();
    let (id, place) = (version.id.clone(), mutant.place.clone());
    let mut result = MutantResult::unchanged(id, mutant.name.clone(), mutant.kind, place);
    result.count(
        judge,
        questions,
        |salt, question| match answer(&mutant.edits, reference, &question.case, version, &question.preferred, salt) {
            Answered::Values(values) => Some(values),
            Answered::Refused(refusal) if refusals.len() < REFUSALS => {
                refusals.push((question, refusal));
                None
            }
            _ => None,
        },
        |Question { case, right, random, .. }, judgement| {
            let fails = judgement.verdict == Verdict::Fail;
            if mutant.kind != MutantKind::Wrecked || *random {
                return;
            }
            if !fails && is_undecided(right) {
                share.undecided += 1;
                return;
            }
            share.answers += 1;
            share.failed += u64::from(fails);
            if !fails && share.survived.is_none() {
                share.survived = Some((case.id.clone(), said(judgement)));
            }
        },
    );
    if result.changed == 0 {
        result.fate = refused(judge, &refusals, &mut result);
    }
    (result, share)
}

impl MutantResult {
    /// Returns the result of a mutant that has not been asked yet.
    pub(super) fn unchanged(
        version: OperatorId,
        name: String,
        kind: MutantKind,
        place: Option<(Arc<str>, usize)>,
    ) -> MutantResult {
        MutantResult { version, name, kind, place, fate: Fate::Unchanged, changed: 0, failed: 0, survived: None }
    }

    /// Judges what the mutant answers, case by case, until its fate is decided. `answer` returns `None` for a case that
    /// the mutant does not answer. `see` gets the judgement of each answer that differs from the preferred one.
    pub(super) fn count<'a>(
        &mut self,
        judge: &JudgeFn,
        questions: &'a [Question],
        mut answer: impl FnMut(usize, &'a Question) -> Option<Vec<Value>>,
        mut see: impl FnMut(&'a Question, &Judgement),
    ) {
        let needed = self.kind.needed_share();
        let counts_all = self.kind == MutantKind::Wrecked || needed.is_some();
        for (salt, question) in questions.iter().enumerate() {
            if self.failed >= ENOUGH && !counts_all {
                break;
            }
            let Some(values) = answer(salt, question).filter(|values| *values != question.preferred) else { continue };
            self.changed += 1;
            let judgement = judge(&question.right, &question.case.model.output_names(), &outputs(values));
            match judgement.verdict {
                Verdict::Fail => self.failed += 1,
                _ => _ = self.survived.get_or_insert_with(|| (question.case.id.clone(), said(&judgement))),
            }
            see(question, &judgement);
        }
        let too_few = |share: f64| (self.failed as f64) < share * self.changed as f64;
        self.fate = match (self.changed, self.failed) {
            (0, _) => Fate::Unchanged,
            (_, 0) => Fate::Survived,
            _ if needed.is_some_and(too_few) => Fate::Survived,
            _ => Fate::Killed,
        };
    }
}

/// Returns whether any value is accepted for each element of the outputs.
fn is_undecided(right: &Right) -> bool {
    let Right::Outputs { operands, .. } = right else { return false };
    let open = |operand: &Operand| matches!(operand, Operand::Tensor(expected) if expected.is_undecided());
    !operands.is_empty() && operands.iter().all(open)
}

/// Returns the fate of a mutant that changes no answer but may refuse some cases.
fn refused(judge: &JudgeFn, refusals: &[(&Question, Refusal)], result: &mut MutantResult) -> Fate {
    let mut fate = Fate::Unchanged;
    for (question, refusal) in refusals {
        let observation = Observation::Refused { refusal: refusal.clone(), seconds: 0.0 };
        let judgement = judge(&question.right, &question.case.model.output_names(), &observation);
        match judgement.verdict {
            Verdict::Fail => return Fate::KilledByRefusal,
            // The oracle has no answer to the edited case, so nothing says what the mutant would answer.
            Verdict::Unsupported => {}
            _ => {
                result.survived.get_or_insert_with(|| (question.case.id.clone(), said(&judgement)));
                fate = Fate::Survived;
            }
        }
    }
    fate
}

fn said(judgement: &Judgement) -> String {
    match judgement.detail() {
        Some(detail) => format!("{}: {detail}", judgement.verdict),
        None => judgement.verdict.to_string(),
    }
}
