//! The settled twin of a valid case that a rule lets backends refuse: the same case with as little changed as possible,
//! so that no rule lets backends refuse it. A backend that refuses it as well did not refuse the case because of the
//! rule. If the rule is about the types of the cell, the twin comes from another cell of the operator version.

use std::rc::Rc;

use plumbline_generator::{Case, Place, cells_of};
use plumbline_graph::Refusal;
use plumbline_oracle::{Oracle, Policy};
use plumbline_spec::{OperatorVersion, Spec};
use plumbline_tensor::{DType, Tensor};

use super::candidates::ordinary;
use super::donor::unlikeness;
use super::{DONORS, Found, Hint, Search, Twin};
use crate::cases::scene::Scene;

impl Twin {
    /// Finds the settled twin of a valid case for backends of this policy. Its values are changed first: special elements
    /// (zeros, infinities, NaN, ends of the type) become ordinary ones. Next, inputs get the type of other inputs. Then
    /// the search goes on as that for an invalid case does: by changes of one thing, by valid cases of the same cell, and
    /// by changes of two things. Then inputs become float. At last it takes valid cases of other cells of the operator
    /// version. The result is the same on every machine. Returns `None` if no rule lets backends refuse the case, or if
    /// nothing settles it.
    pub(crate) fn settled(case: &Case, policy: &Policy) -> Option<Twin> {
        let version = Spec::embedded().version(&case.version)?;
        let reference = Oracle::new(policy.clone());
        let mut search = Search { case, reference, donors: None, runs: 0, lenient: false, first: Vec::new() };
        let start = Scene::new(case, version);
        let refusal = search.refusal(&start)?;
        let mut found = search.with_ordinary_values(&start);
        found = found.or_else(|| search.with_type(&start, &refusal, &types_of_floats(&start), DType::is_float));
        found = found.or_else(|| search.whole(&start, &refusal));
        let takes = |dtype: DType| dtype.is_float() || dtype.is_integer();
        found = found.or_else(|| search.with_type(&start, &refusal, &[DType::Float], takes));
        if found.is_none() {
            search.donors = Some(Rc::new(search.settled_elsewhere(version)));
            found = search.by_donor(&start);
        }
        found.map(|(twin, _)| twin.with_ranks(&search.reference))
    }
}

impl Search<'_> {
    /// Changes the type of the inputs of one type variable to one of `dtypes`. Only inputs whose type `takes` accepts are
    /// changed. Those that the rule is about come first.
    fn with_type(
        &mut self,
        start: &Scene,
        refusal: &Refusal,
        dtypes: &[DType],
        takes: impl Fn(DType) -> bool,
    ) -> Option<Found> {
        let names = &start.node()?.input;
        let taken = |at: usize| start.input(at)?.as_tensor().filter(|tensor| takes(tensor.dtype())).cloned();
        let tensors: Vec<Option<Tensor>> = (0..names.len()).map(taken).collect();
        let about = self.about(refusal);
        let mut places: Vec<usize> = (0..names.len()).filter(|&at| start.alike(at).first() == Some(&at)).collect();
        let formal = |at: usize| start.version.input_at(at).is_some_and(|formal| about.names(&formal.name));
        places.sort_by_key(|&at| !start.alike(at).into_iter().any(formal));
        for (at, &to) in places.into_iter().flat_map(|at| dtypes.iter().map(move |to| (at, to))) {
            let mut scene = start.clone();
            let others = start.alike(at).into_iter().filter_map(|at| Some((at, tensors[at].as_ref()?)));
            let others: Vec<(usize, &Tensor)> = others.filter(|(_, tensor)| tensor.dtype() != to).collect();
            let Some(&(first, _)) = others.first() else { continue };
            let cast = |(at, tensor): (usize, &Tensor)| {
                let cast = Tensor::from_f64s(to, tensor.shape().to_vec(), &tensor.to_f64s()).ok()?;
                scene.set_input(at, cast.into())
            };
            if others.into_iter().try_for_each(cast).is_none() {
                continue;
            }
            let twin = self.twin(format!("{} as {to}", names[first]), 1, scene.clone());
            let twin = self.declared(twin);
            let scene = Scene { model: twin.model.clone(), inputs: twin.inputs.clone(), ..scene };
            if self.refusal(&scene).is_none() {
                return Some((twin, Hint::Changes(vec![])));
            }
        }
        None
    }

    /// Draws cases of the other cells of the operator version, and returns the most similar ones that no rule lets
    /// backends refuse. Those with float come first, because most backends support it.
    fn settled_elsewhere(&mut self, version: &'static OperatorVersion) -> Vec<Case> {
        let Some(Place { cell, seed, .. }) = self.case.origin.place() else { return vec![] };
        let cells = cells_of(version).into_iter().filter(|other| other != cell);
        let drawn = cells.filter_map(|other| other.first_draw(None, 0, *seed));
        let mut settled: Vec<Case> =
            drawn.filter(|other| self.refusal(&Scene::new(other, version)).is_none()).collect();
        let has_float =
            |case: &Case| case.inputs.iter().any(|x| x.as_tensor().is_some_and(|x| x.dtype() == DType::Float));
        settled.sort_by_key(|other| (!has_float(other), unlikeness(self.case, other)));
        settled.truncate(DONORS as usize);
        settled
    }

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

/// Returns the floating-point types of the inputs.
fn types_of_floats(start: &Scene) -> Vec<DType> {
    let count = start.node().map_or(0, |node| node.input.len());
    let mut dtypes: Vec<DType> = (0..count).filter_map(|at| start.input(at)?.dtype()).collect();
    dtypes.retain(|dtype| dtype.is_float());
    dtypes.sort_unstable();
    dtypes.dedup();
    dtypes
}

#[cfg(test)]
mod tests {
    use plumbline_generator::cells;

    use super::*;

    /// Returns the settled twins of the first cases of a cell.
    fn twins(cell: &str) -> Vec<Twin> {
        let cell =
            cells().into_iter().find(|c| c.case_id(None, 0, 0) == format!("{cell}/0@0")).expect("the cell exists");
        let cases = (0..12).filter_map(|index| cell.case(None, index, 0));
        cases.filter_map(|case| Twin::settled(&case, &Policy::default())).collect()
    }

    /// ReduceLogSum-18 takes integers, but its function body does not. A rule lets backends refuse them.
    #[test]
    fn a_rule_about_integers_is_settled_by_float() {
        let twins = twins("ReduceLogSum-18/T=uint32");
        assert!(!twins.is_empty());
        for twin in twins {
            let data = twin.inputs.iter().find_map(|value| value.as_tensor()).expect("`data` is a tensor");
            assert!(data.dtype().is_float(), "{}", twin.id);
            assert!(!twin.change.contains(" as in "), "{}", twin.id);
        }
    }

    /// The twin of a reduction over an empty set reduces other axes of the same empty tensor: a backend that refuses
    /// every empty tensor is not excused.
    #[test]
    fn a_rule_about_an_empty_set_is_settled_by_other_axes() {
        let cells = ["int32", "int64", "uint32", "uint64", "float", "double"];
        let twins: Vec<Twin> = cells.iter().flat_map(|dtype| twins(&format!("ReduceL1-11/T={dtype}"))).collect();
        let empty = |twin: &Twin| {
            let given = twin.inputs.iter().filter_map(|value| value.as_tensor()).any(|data| data.is_empty());
            given || twin.model.graph().initializer.iter().any(|data| data.dims.contains(&0))
        };
        assert!(twins.iter().any(|twin| twin.change.starts_with("axes") && empty(twin)));
    }

    /// Attention takes `V` of another type than `Q` and `K`. A rule lets backends refuse this.
    #[test]
    fn a_rule_about_mixed_types_is_settled_by_the_type_of_one_input() {
        assert!(twins("Attention-24/T2=double").iter().any(|twin| twin.change.starts_with("V as ")));
    }
}
