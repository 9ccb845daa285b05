//! Runs many cases as one model of independent parts, so that a backend pays only once for a session.
//!
//! The answer to a pack is divided into the answers to its cases. Only answers that pass count: a pack that has no answer is
//! divided until a single case is left, and a case with another answer, or none, in its pack runs alone. A pack whose refusal
//! names some of its cases is divided into these and the others.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::Duration;

use plumbline_backend::{Job, Observation};
use plumbline_generator::{Case, Form, Origin, Sequence};
use plumbline_judge::{FailKind, Judgement, Reason, Right, Verdict};
use plumbline_oracle::Oracle;
use plumbline_tensor::{Model, Value};

use crate::cases::twin::Twin;
use crate::cases::{named_parts, union};
use crate::examining::parts::{Part, divided};
use crate::examining::prepared::PreparedCase;
use crate::examining::repro::Failure;
use crate::examining::rerun::{Further, Other};
use crate::examining::session_runs::Runs;
use crate::subjects::{Pack as PackSize, Subject};

/// A pack may take as long as all of its cases, but not longer than this number of cases.
const MOST_DEADLINES: u32 = 4;

/// About how long it takes, in seconds, until the process of a slow backend has crashed and started again.
const RESTART_SECONDS: f64 = 2.0;

/// The largest number of cases that run alone in one batch. Between two batches, the run may stop.
const ALONE_AT_ONCE: usize = 16;

/// The limits of a search for the answers to cases in packs.
pub(crate) struct Packing<'a> {
    /// The largest number of cases in a pack. Without packs it is 1.
    pub size: usize,
    /// Whether the case at this place may be in a pack.
    pub may_pack: &'a dyn Fn(usize) -> bool,
    /// Whether the run should stop.
    pub stopped: &'a dyn Fn() -> bool,
}

/// What a backend did with the runs of a case.
pub(super) struct Observed {
    /// One observation for each run of the case's session.
    pub observations: Vec<Observation>,
    /// What it did in a pack, if the case ran alone because its answer in a pack is not right.
    pub in_pack: Option<InPack>,
}

/// A case whose answer in a pack is not right.
#[derive(Clone, Debug)]
pub(crate) struct InPack {
    pack: Arc<Pack>,
    /// The place of the case in the pack.
    place: usize,
    /// The judgement of its answer.
    judgement: Judgement,
    /// What the backend answered to the first run of the pack.
    observation: Observation,
}

/// Runs cases on a backend, some of them in packs. Returns what the backend did with each case, or `None` if the run
/// should stop.
pub(super) fn observe(
    subject: &Subject,
    runs: &[Runs],
    packing: &Packing,
    deadline: Duration,
) -> Option<Vec<Observed>> {
    let mut observed: Vec<Option<Observed>> = runs.iter().map(|_| None).collect();
    let mut suspects = BTreeMap::new();
    if packing.size > 1 {
        observe_packs(subject, runs, packing, deadline, &mut observed, &mut suspects)?;
    }
    let alone: Vec<usize> = (0..runs.len()).filter(|&at| observed[at].is_none()).collect();
    let mut rest = &alone[..];
    while !rest.is_empty() {
        if (packing.stopped)() {
            return None;
        }
        let (some, others) = rest.split_at(alone_at_once(subject).min(rest.len()));
        rest = others;
        let jobs: Vec<Job> = some.iter().flat_map(|&at| runs[at].jobs()).collect();
        let mut answers = subject.run(&jobs, deadline).into_iter();
        for &at in some {
            let observations: Vec<Observation> = answers.by_ref().take(runs[at].len()).collect();
            if subject.pack != PackSize::Off && has_one_answer(runs[at].right) {
                let is_answered = observations.iter().all(|o| matches!(o, Observation::Outputs { .. }));
                subject.risk().note(runs[at].case, is_answered);
            }
            observed[at] = Some(Observed { observations, in_pack: suspects.remove(&at) });
        }
    }
    observed.into_iter().collect()
}

/// Returns how many cases run alone in one batch: a single one until it is known how long a session takes.
fn alone_at_once(subject: &Subject) -> usize {
    match subject.pack {
        PackSize::Off => usize::MAX,
        _ if subject.pace().usual().is_none() => 1,
        _ => ALONE_AT_ONCE,
    }
}

/// Runs the twins of invalid cases, each with the place of its case. Of those in packs, only an answer counts, as of the
/// cases in packs. Returns `None` if the run should stop.
pub(super) fn observe_twins(
    subject: &Subject,
    twins: &[(usize, Cow<Twin>)],
    packing: &Packing,
    deadline: Duration,
) -> Option<Vec<Observation>> {
    let mut answers: Vec<Option<Observation>> = twins.iter().map(|_| None).collect();
    if packing.size > 1 {
        let twins_alone = twins.iter().map(|(_, twin)| twin.as_ref());
        let parts: Vec<Part> = twins_alone.map(|twin| Part::new(&twin.model, vec![&twin.inputs], 0)).collect();
        let packed = (0..twins.len()).filter(|&at| (packing.may_pack)(twins[at].0));
        run_packs(subject, &parts, packed, packing, deadline, &mut |pack, place, mut observations, _| {
            answers[pack.members[place]] = observations.pop();
        })?;
    }
    let alone: Vec<usize> = (0..twins.len()).filter(|&at| answers[at].is_none()).collect();
    for some in alone.chunks(alone_at_once(subject).min(twins.len()).max(1)) {
        if (packing.stopped)() {
            return None;
        }
        let jobs: Vec<Job> = some.iter().map(|&at| Job::new(&twins[at].1.model, &twins[at].1.inputs)).collect();
        for (&at, answer) in some.iter().zip(subject.run(&jobs, deadline)) {
            answers[at] = Some(answer);
        }
    }
    answers.into_iter().collect()
}

/// Runs cases in packs. Adds the answers that pass to `observed`, and the cases with wrong answers to `suspects`. A case
/// with an answer that the specification leaves open is in neither, because the case may have another answer alone. Returns
/// `None` if the run should stop.
fn observe_packs(
    subject: &Subject,
    runs: &[Runs],
    packing: &Packing,
    deadline: Duration,
    observed: &mut [Option<Observed>],
    suspects: &mut BTreeMap<usize, InPack>,
) -> Option<()> {
    let parts: Vec<Part> = runs.iter().map(Part::of_runs).collect();
    let may_pack = |&at: &usize| {
        let Runs { case, right, .. } = &runs[at];
        (packing.may_pack)(at) && case.violates.is_none() && has_one_answer(right) && !subject.risk().is_high(case)
    };
    let packed = (0..runs.len()).filter(may_pack);
    run_packs(subject, &parts, packed, packing, deadline, &mut |pack, place, observations, first| {
        let at = pack.members[place];
        let judgement = runs[at].judge(&observations, subject.profile.nondeterministic, |_| vec![]).judgement;
        match judgement.verdict {
            Verdict::Pass => {
                subject.risk().note(runs[at].case, true);
                observed[at] = Some(Observed { observations, in_pack: None });
            }
            Verdict::Latitude => {}
            _ => {
                let (pack, observation) = (Arc::clone(pack), first.clone());
                suspects.insert(at, InPack { pack, place, judgement, observation });
            }
        }
    })
}

/// What is done with an answer in a pack: with the pack, the place in it, the observations of this case, and the
/// observation of the pack's first run.
type Take<'a> = dyn FnMut(&Arc<Pack>, usize, Vec<Observation>, &Observation) + 'a;

/// Runs parts in packs, those at the places `packed`, and calls `take` for each that has an answer. Returns `None` if the
/// run should stop.
fn run_packs(
    subject: &Subject,
    parts: &[Part],
    packed: impl Iterator<Item = usize>,
    packing: &Packing,
    deadline: Duration,
    take: &mut Take,
) -> Option<()> {
    let mut left = divided(parts, packed, packing.size);
    while let Some(members) = left.pop_front() {
        if (packing.stopped)() {
            return None;
        }
        let pack = Arc::new(Pack::new(parts, members));
        let answers = pack.run(subject, deadline);
        match (pack.divide(&answers), answers.first()) {
            (Some(divided), Some(first)) => {
                divided.into_iter().enumerate().for_each(|(place, part)| take(&pack, place, part, first));
            }
            _ => left.extend(smaller(subject, &pack.members, &answers)),
        }
    }
    Some(())
}

/// Divides a pack that the backend did not answer. Cases that are left alone are in none of the packs.
fn smaller(subject: &Subject, members: &[usize], answers: &[Observation]) -> Vec<Vec<usize>> {
    let refusals = answers.iter().filter_map(|answer| match answer {
        Observation::Refused { refusal, .. } => Some(refusal.to_string()),
        _ => None,
    });
    let named: BTreeSet<usize> = refusals.flat_map(|text| named_parts(&text, members.len())).collect();
    let packs: Vec<Vec<usize>> = if named.is_empty() || 2 * named.len() > members.len() {
        let shares = shares_after(subject, members.len(), answers);
        members.chunks(members.len().div_ceil(shares)).map(<[usize]>::to_vec).collect()
    } else {
        vec![members.iter().enumerate().filter(|(place, _)| !named.contains(place)).map(|(_, &at)| at).collect()]
    };
    packs.into_iter().filter(|members| members.len() > 1).collect()
}

/// Returns into how many packs a pack is divided that the backend did not answer. After a crash or a timeout these are
/// more, because each further one costs a process or a deadline: all cases are alone if that does not take longer.
fn shares_after(subject: &Subject, cases: usize, answers: &[Observation]) -> usize {
    let is_dear = |o: &Observation| matches!(o, Observation::Crash { .. } | Observation::Timeout { .. });
    let alone = subject.pace().usual().map(|seconds| seconds * cases as f64);
    match answers.iter().any(is_dear) {
        false => 2,
        true if alone.is_some_and(|seconds| seconds < RESTART_SECONDS) => cases,
        true => 4,
    }
}

/// Returns whether a backend that does this in a pack is right.
pub(super) fn is_right(judgement: &Judgement) -> bool {
    matches!(judgement.verdict, Verdict::Pass | Verdict::Latitude)
}

/// Returns whether a case has to be answered, and no rule allows other outputs as a whole.
fn has_one_answer(right: &Right) -> bool {
    matches!(right, Right::Outputs { refusable: None, others, .. } if others.is_empty())
}

/// Cases that are joined into one model.
#[derive(Debug)]
struct Pack {
    /// The places of the cases.
    members: Vec<usize>,
    model: Model,
    /// The inputs of each run of the session.
    inputs: Vec<Vec<Value>>,
    /// The number of outputs, and of runs, of each case.
    shares: Vec<(usize, usize)>,
}

impl Pack {
    /// Joins cases. Their session runs as often as that of the case with the most runs: other cases get their first
    /// inputs again.
    fn new(parts: &[Part], members: Vec<usize>) -> Pack {
        let of_pack = || members.iter().map(|&at| &parts[at]);
        let count = of_pack().map(|part| part.inputs.len()).max().unwrap_or(1);
        let inputs_of = |run: usize| {
            let of_part = |part: &Part| part.inputs.get(run).unwrap_or(&part.inputs[0]).to_vec();
            of_pack().flat_map(of_part).collect()
        };
        let inputs = (0..count).map(inputs_of).collect();
        let models: Vec<&Model> = of_pack().map(|part| part.model).collect();
        let shares = of_pack().map(|part| (part.model.output_names().len(), part.inputs.len())).collect();
        Pack { model: union(&models), inputs, shares, members }
    }

    /// Runs the session of the pack.
    fn run(&self, subject: &Subject, deadline: Duration) -> Vec<Observation> {
        let job = |(at, inputs)| Job { model: &self.model, inputs, again: at > 0, at_once: false };
        let inputs = self.inputs.iter().map(Vec::as_slice);
        let jobs: Vec<Job> = inputs.enumerate().map(job).collect();
        let times = u32::try_from(self.members.len()).unwrap_or(MOST_DEADLINES).min(MOST_DEADLINES);
        subject.run_pack(&jobs, self.members.len(), deadline, times)
    }

    /// Divides what the backend answered into the observations of each case. `None` if a run has no outputs.
    fn divide(&self, answers: &[Observation]) -> Option<Vec<Vec<Observation>>> {
        if answers.len() != self.inputs.len() {
            return None;
        }
        let mut parts: Vec<Vec<Observation>> = self.members.iter().map(|_| vec![]).collect();
        for (run, answer) in answers.iter().enumerate() {
            let Observation::Outputs { values, seconds } = answer else { return None };
            let seconds = seconds / self.members.len() as f64;
            let mut rest = &values[..];
            for (part, &(outputs, count)) in parts.iter_mut().zip(&self.shares) {
                let (own, others) = rest.split_at_checked(outputs)?;
                rest = others;
                if run < count {
                    part.push(Observation::Outputs { values: own.to_vec(), seconds });
                }
            }
        }
        Some(parts)
    }

    /// Returns the expected outcome of the pack's first run: that of each case, one after the other.
    fn right(&self, runs: &[Runs]) -> Right {
        let mut whole = Right::from(vec![]);
        for &at in &self.members {
            if let (
                Right::Outputs { operands, open, accuracy, .. },
                Right::Outputs { operands: more, open: also_open, accuracy: table, .. },
            ) = (&mut whole, runs[at].right)
            {
                operands.extend(more.iter().cloned());
                open.extend(also_open.iter().cloned());
                accuracy.clone_from(table);
            }
        }
        whole
    }
}

impl InPack {
    /// Returns the failure of a case that is right alone and not in a pack. It has the model of the pack.
    pub(super) fn failure(&self, runs: &[Runs], backend: String) -> Failure {
        let InPack { pack, place, judgement, observation } = self;
        let cases = pack.members.len();
        let judgement = Judgement {
            verdict: Verdict::Fail,
            kind: Some(FailKind::InPack),
            class: "in pack".to_owned(),
            ..judgement.clone().because(|found| Reason::InPack { cases, found })
        };
        let of_case = runs[pack.members[*place]].case;
        let case = |inputs: &Vec<Value>| Case {
            model: pack.model.clone(),
            inputs: inputs.clone(),
            origin: Origin::Given,
            form: Form::AsDrawn,
            choices: Sequence::default(),
            ..of_case.clone()
        };
        let of_run = |inputs: &Vec<Value>| {
            let other = if *inputs == pack.inputs[0] { Other::Nothing } else { Other::Values };
            Further { other, case: case(inputs) }
        };
        let further = pack.inputs[1..].iter().map(of_run).collect();
        let (case, right) = (case(&pack.inputs[0]), pack.right(runs));
        Failure { case, right, observation: observation.clone(), judgement, further, backend, optimizer: None }
    }

    /// Runs the pack again, on a backend with other processes, and returns whether the case has no right answer again.
    pub(crate) fn comes_back(
        &self,
        subject: &Subject,
        prepared: &PreparedCase,
        right: &Right,
        deadline: Duration,
    ) -> bool {
        let prepared = prepared.for_profile(&subject.profile);
        let reference = Oracle::new(subject.policy.clone());
        let further = if subject.runs_again { &prepared.further[..] } else { &[] };
        let runs = Runs::new(&reference, &prepared.case, right, further);
        let part =
            self.pack.divide(&self.pack.run(subject, deadline)).and_then(|parts| parts.into_iter().nth(self.place));
        part.is_none_or(|part| !is_right(&runs.judge(&part, subject.profile.nondeterministic, |_| vec![]).judgement))
    }
}
