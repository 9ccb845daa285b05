//! The settled twin of a valid case that a rule lets backends refuse: the same case with as little changed as possible,
//! so that no rule lets backends refuse it. A backend that refuses it as well did not refuse the case because of the
//! rule.

use plumbline_generator::Case;
use plumbline_oracle::{Oracle, Policy};
use plumbline_spec::Spec;

use super::candidates::ordinary;
use super::{Found, Search, Twin};
use crate::scene::Scene;

impl Twin {
    /// Finds the settled twin of a valid case for backends of this policy. Its values are changed first: special elements
    /// (zeros, infinities, NaN, ends of the type) become ordinary ones. Then the search goes on as that for an invalid
    /// case does: by changes of one thing, by valid cases of the same cell, and by changes of two things. The result is
    /// the same on every machine. Returns `None` if no rule lets backends refuse the case, or if nothing settles it.
    pub(crate) fn settled(case: &Case, policy: &Policy) -> Option<Twin> {
        let version = Spec::embedded().version(&case.version)?;
        let reference = Oracle::new(policy.clone());
        let mut search = Search { case, reference, donors: None, runs: 0, lenient: false, first: Vec::new() };
        let start = Scene::new(case, version);
        let refusal = search.refusal(&start)?;
        let found = search.with_ordinary_values(&start).or_else(|| search.whole(&start, &refusal));
        found.map(|(twin, _)| twin.with_ranks(&search.reference))
    }
}

impl Search<'_> {
    /// Replaces the special elements of one input or, if that is not enough, of all inputs.
    fn with_ordinary_values(&mut self, start: &Scene) -> Option<Found> {
        let edits = ordinary(start);
        for edit in &edits {
            let mut scene = start.clone();
            if edit.apply(&mut scene).is_some() && self.refusal(&scene).is_none() {
                return Some(self.changed(start, std::slice::from_ref(edit), scene));
            }
        }
        let mut scene = start.clone();
        edits.iter().try_for_each(|edit| edit.apply(&mut scene))?;
        let settled = edits.len() > 1 && self.refusal(&scene).is_none();
        settled.then(|| self.changed(start, &edits, scene))
    }
}
