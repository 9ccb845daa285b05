//! Prepares a case for the backends: puts its model into the case's form, declares the outputs, adds the further runs
//! of its session, and finds the twin of an invalid case.

use std::sync::{Arc, Mutex, PoisonError};

use plumbline_backend::Profile;
use plumbline_generator::Case;
use plumbline_judge::{Right, output_shapes};
use plumbline_oracle::{Oracle, Policy};

use crate::cases::twin::Twin;
use crate::examining::rerun;
use crate::examining::rerun::{Further, Other};

/// The settled twins of a case by policy.
type Settled = Arc<Mutex<Vec<(Policy, Option<Twin>)>>>;

/// A case as backends get it.
#[derive(Clone, Debug)]
pub struct PreparedCase {
    /// The case in its form.
    pub case: Case,
    /// Further runs of the session that runs the case.
    pub further: Vec<Further>,
    /// The twin of the case, if the case is invalid and a twin was found.
    pub twin: Option<Twin>,
    /// The case as its recipe drew it, or as it was given if it has no recipe.
    drawn: Arc<Case>,
    /// The settled twins that were needed, by policy (see [`PreparedCase::settled`]).
    settled: Settled,
}

impl PreparedCase {
    /// Puts a case into its form, draws the further runs of its session, and finds its twin. The form declares the
    /// shapes of the outputs, which come from the expected outcome or, for an invalid case, from its twin. Without an
    /// expected outcome there are neither declared shapes nor a twin.
    pub fn new(case: Case, right: Option<&Right>) -> PreparedCase {
        let twin = match (right, case.origin.base()) {
            (Some(Right::Refusal(_) | Right::ByRelease { .. }), Some(base)) => Some(Twin::base(base.clone())),
            (Some(_), _) => Twin::find(&case),
            (None, _) => None,
        };
        let shapes = match (right, &twin) {
            (Some(Right::Refusal(_) | Right::ByRelease { .. }), Some(twin)) => twin.output_shapes(&case),
            (Some(right), _) => output_shapes(right),
            (None, _) => vec![],
        };
        let drawn = Arc::new(case.clone());
        let case = case.in_form(&shapes);
        PreparedCase { further: rerun::further(&drawn, &case), case, twin, drawn, settled: Arc::default() }
    }

    /// Takes a case as it is: without further runs and without a twin.
    pub fn alone(case: Case) -> PreparedCase {
        PreparedCase::with_runs(case, vec![])
    }

    /// Takes a case as it is, with these further runs of its session and without a twin.
    pub(crate) fn with_runs(case: Case, further: Vec<Further>) -> PreparedCase {
        let drawn = Arc::new(case.clone());
        PreparedCase { case, further, twin: None, drawn, settled: Arc::default() }
    }

    /// Returns the twin of a valid case that a rule lets backends refuse: a similar case, in the same form, in which no
    /// rule does (see [`Twin::settled`]). It is searched for when it is first needed, because few cases need it.
    pub(crate) fn settled(&self, policy: &Policy) -> Option<Twin> {
        let lock = || self.settled.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, known)) = lock().iter().find(|(known, _)| known == policy) {
            return known.clone();
        }
        let find = || {
            let twin = Twin::settled(&self.drawn, policy)?;
            let case = twin.in_case(&self.drawn);
            let evaluation = Oracle::new(policy.clone()).evaluate(&case.model, &case.inputs).ok()?;
            let Case { model, inputs, .. } = case.in_form(&output_shapes(&evaluation.into()));
            Some(Twin { model, inputs, ..twin })
        };
        // This is computed outside of the lock. Two threads may both compute it, but the result is always the same.
        let found = find();
        lock().push((policy.clone(), found.clone()));
        found
    }

    /// Turns the inputs that the backend's profile lists under `constant_inputs` into initializers, in the case, in its
    /// further runs and in its twin.
    pub(crate) fn for_profile(&self, profile: &Profile) -> PreparedCase {
        let Some(names) = profile.constant_inputs.get(&self.case.version.qualified_name()) else { return self.clone() };
        let twin = self.twin.as_ref().map(|twin| twin.with_constants(&self.case, names));
        let case = self.case.clone().with_constants(names);
        let (drawn, settled) = (Arc::clone(&self.drawn), Arc::clone(&self.settled));
        if case.inputs.len() == self.case.inputs.len() {
            return PreparedCase { case, further: self.further.clone(), twin, drawn, settled };
        }
        // Another draw may need other values in these inputs, but initializers cannot change within a session. So only
        // runs with the same inputs remain.
        let same = self.further.iter().filter(|run| run.other == Other::Nothing);
        let further = same.map(|run| Further { other: run.other, case: case.clone() }).collect();
        PreparedCase { case, further, twin, drawn, settled }
    }
}
