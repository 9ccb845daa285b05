//! Cases of a piece of work: what is right about them, and what backends do with them.

use plumbline_generator::{Case, Cell};
use plumbline_judge::{Judgement, Right};
use plumbline_oracle::{Oracle, Policy};

use crate::examining::{Packing, PreparedCase, blamed, examine_in_packs, examine_one, right};
use crate::results::{CaseResult, Outcome};
use crate::running::flaky::{flaky, is_flaky};
use crate::running::run::Run;
use crate::running::work::is_drawn_valid;
use crate::running::writer::Found;
use crate::subjects::Subject;

/// Cases of a piece of work, ready to run.
pub(super) struct Batch<'a> {
    suite: &'a str,
    prepared: Vec<PreparedCase>,
    /// The expected outcomes by policy.
    rights: Vec<(&'a Policy, Vec<Option<Right>>)>,
    outcome: Outcome,
}

impl Batch<'_> {
    fn rights(&self, policy: &Policy) -> &[Option<Right>] {
        self.rights.iter().find(|(known, _)| *known == policy).map_or(&[], |(_, rights)| rights)
    }
}

impl Run<'_> {
    /// Counts the features of a case and of the further runs of its session. Of a case that breaks a rule of DirectML, the
    /// rule counts alone.
    pub(super) fn count_features(&self, PreparedCase { case, further, .. }: &PreparedCase, outcome: &mut Outcome) {
        let again = further.iter().map(|run| run.other.feature().to_owned());
        let features: Vec<String> = match case.origin.broken() {
            Some(rule) => vec![rule.feature()],
            None if is_drawn_valid(case) => case.features.iter().cloned().chain(again).collect(),
            None => return,
        };
        outcome.coverage.add_features(&case.version, &features);
    }

    /// Runs cases, and judges them. The valid ones that were drawn for a cell count for its goals.
    pub(super) fn cases(&self, cases: Vec<Case>, suite: &str, cell: Option<&Cell>) -> (Vec<Found>, Outcome) {
        let alone = |_: &Subject| (1, |_: usize| false);
        let judged = self.judged(vec![self.batch(cases, suite, cell)], alone, &|| false);
        judged.and_then(|mut judged| judged.pop()).unwrap_or_default()
    }

    /// Prepares cases. The valid ones that were drawn for a cell count for its goals.
    pub(super) fn batch<'a>(&'a self, cases: Vec<Case>, suite: &'a str, cell: Option<&Cell>) -> Batch<'a> {
        let mut outcome = Outcome { cases: cases.len() as u64, ..Outcome::default() };
        // The expected outcomes are computed before the cases are put into their forms, because a form declares the
        // shapes of the expected outputs.
        let mut rights: Vec<(&Policy, Vec<Option<Right>>)> = Vec::new();
        for subject in self.subjects {
            if !rights.iter().any(|(p, _)| **p == subject.policy) {
                let reference = Oracle::new(subject.policy.clone());
                let of_policy =
                    cases.iter().map(|case| right(&reference, case).map_err(|reason| outcome.broken.push(reason)).ok());
                let of_policy = of_policy.collect();
                rights.push((&subject.policy, of_policy));
            }
        }
        let first = rights.first().map_or(&[][..], |(_, rights)| rights).iter().map(Option::as_ref);
        let prepared: Vec<PreparedCase> =
            cases.into_iter().zip(first.clone()).map(|(c, right)| PreparedCase::new(c, right)).collect();
        let valid = || prepared.iter().zip(first.clone()).filter(|(prepared, _)| is_drawn_valid(&prepared.case));
        prepared.iter().for_each(|prepared| self.count_features(prepared, &mut outcome));
        if let Some(cell) = cell {
            let cases = valid().map(|(prepared, right)| (&prepared.case.features[..], right));
            outcome.coverage.add_goals(cell, cases);
        }
        Batch { suite, prepared, rights, outcome }
    }

    /// Runs the cases of batches on all backends, and judges them. For each backend, `packs` returns the largest number
    /// of cases in a pack, and which batches may be in packs. Returns what each batch gave, or `None` if the run should
    /// stop.
    pub(super) fn judged<M: Fn(usize) -> bool>(
        &self,
        mut batches: Vec<Batch>,
        packs: impl Fn(&Subject) -> (usize, M),
        stopped: &dyn Fn() -> bool,
    ) -> Option<Vec<(Vec<Found>, Outcome)>> {
        let mut found: Vec<Vec<Vec<Found>>> =
            batches.iter().map(|batch| batch.prepared.iter().map(|_| vec![]).collect()).collect();
        for subject in self.subjects {
            // The cases with an expected outcome, and the batch of each.
            let (mut asked, mut batch_of) = (vec![], vec![]);
            for (at, batch) in batches.iter().enumerate() {
                for (prepared, right) in batch.prepared.iter().zip(batch.rights(&subject.policy)) {
                    if let Some(right) = right {
                        asked.push((prepared, right));
                        batch_of.push(at);
                    }
                }
            }
            let (size, may_pack) = packs(subject);
            let packing = Packing { size, may_pack: &|at| may_pack(batch_of[at]), stopped };
            let mut findings = examine_in_packs(subject, &asked, &packing, self.settings.deadline)?.into_iter();
            for (batch, found) in batches.iter_mut().zip(&mut found) {
                let rights = batch.rights.iter().find(|(known, _)| **known == subject.policy);
                let rights = rights.map_or(&[][..], |(_, rights)| rights);
                for ((prepared, right), found) in batch.prepared.iter().zip(rights).zip(found) {
                    let judged = |judgement: &Judgement| self.result(&prepared.case, batch.suite, subject, judgement);
                    let Some((mut finding, right)) = right.as_ref().and_then(|right| Some((findings.next()?, right)))
                    else {
                        let judgement = Judgement::not_run("the oracle contradicts the generator about this case");
                        found.push(Found { result: judged(&judgement), failure: None });
                        continue;
                    };
                    if finding.unjudged {
                        *batch.outcome.unjudged.entry(subject.identity.to_string()).or_default() += 1;
                    }
                    finding.failure = blamed(subject, finding.failure, self.settings.deadline);
                    let mut result = self.result(&finding.failure.case, batch.suite, subject, finding.judgement());
                    if let Some(fault) = &finding.failure.optimizer {
                        result.of_optimizer(fault);
                    }
                    let in_pack = finding.in_pack.take();
                    let deadline = self.settings.deadline;
                    let again = |subject: &Subject| match &in_pack {
                        Some(in_pack) => in_pack.comes_back(subject, prepared, right, deadline),
                        None => examine_one(subject, prepared, right, deadline).judgement().verdict.is_bad(),
                    };
                    let features = &finding.failure.case.features;
                    // What comes back takes as long as a case, and the results of a stopped run are lost.
                    if stopped() {
                        return None;
                    }
                    if is_flaky(&result, features, subject, self.expectations, again) {
                        finding.failure.judgement = flaky(finding.failure.judgement);
                        result = judged(&finding.failure.judgement);
                    }
                    let failure = result.signature.is_some().then_some(finding.failure);
                    found.push(Found { result, failure });
                }
            }
        }
        let flat = |(found, batch): (Vec<Vec<Found>>, Batch)| (found.into_iter().flatten().collect(), batch.outcome);
        Some(found.into_iter().zip(batches).map(flat).collect())
    }

    fn result(&self, case: &Case, suite: &str, subject: &Subject, judgement: &Judgement) -> CaseResult {
        let seed = Some(self.settings.seed.to_string());
        CaseResult { seed, ..CaseResult::new(case, suite, subject, judgement) }
    }
}
