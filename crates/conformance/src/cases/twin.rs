//! The valid neighbour of an invalid case.
//!
//! A backend that refuses an invalid case is only right if it does so because of the violation. A backend that
//! supports no model of this kind refuses the case as well. So a negative case has a twin: the same case with the
//! smallest change that makes the oracle accept it. If a backend refuses the case, the run gives it the twin, and the
//! backend only passes if it answers the twin.
//!
//! The twin is found by a search that asks the oracle about each candidate. The search first repeats what repaired
//! other cases with the same constraint. Then it tries changes of one thing. Next it takes valid cases of the same
//! cell, and copies attributes and inputs of the invalid case into each of them, as long as it stays valid. If more
//! than two differences remain, the search tries pairs of changes whose first change leads to a refusal for another
//! reason. If no pair works either, the most similar of the valid cases is the twin. A valid case that a rule lets
//! backends refuse has a settled twin (`settled`).

mod candidates;
mod donor;
mod settled;
mod shapes;

use std::collections::BTreeMap;
use std::rc::Rc;
use std::sync::{Arc, Mutex, PoisonError};

use plumbline_generator::{Case, Place, cells_of, value_info};
use plumbline_graph::Refusal;
use plumbline_oracle::{Operand, Oracle};
use plumbline_spec::{Label, Spec};
use plumbline_tensor::onnx::ValueInfoProto;
use plumbline_tensor::{Model, Value, ValueKind};

use self::candidates::{About, changes, taken_over};
use self::donor::{pieces, unlikeness};
use crate::cases::edit::{Aim, Edit};
use crate::cases::scene::Scene;

/// The largest number of oracle runs for changes of one thing.
const BUDGET_OF_ONE: usize = 160;
/// The largest number of oracle runs for all pairs of changes together.
const BUDGET_OF_PAIRS: usize = 200;
/// The largest number of oracle runs for the changes that a hint suggests, because they repaired another case of the
/// same constraint.
const BUDGET_OF_HINTS: usize = 16;
/// The number of valid cases of the same cell from which the search takes over attributes and inputs.
const DONORS: u64 = 6;
/// For each operator and constraint, up to `HINT_CASES` cases are repaired to learn how others may be repaired. They
/// come from every `HINT_STEP`-th cell.
const HINT_CASES: usize = 4;
const HINT_STEP: usize = 3;
/// A valid case of the cell with at most this many differences counts as a changed version of the invalid case.
const MOST_CHANGES: usize = 2;
/// The largest number of first changes for which second changes are tried.
const MOST_FIRST: usize = 12;

/// The valid case that the search found for an invalid one, or that a mutated case was made from.
#[derive(Clone, Debug)]
pub struct Twin {
    /// A name for error texts: `Gather-13/T=float/axis-in-range/0@0 with axis 4 -> 3`.
    pub id: String,
    /// The change that leads to the twin: `axis 4 -> 3`.
    pub change: String,
    /// The number of changes. It is `None` for a valid case of the cell that has little in common with the invalid one,
    /// and for the valid case that a mutated case was made from.
    pub changes: Option<usize>,
    /// How far the invalid case is from satisfying the violated constraint, if a single integer, extent, rank or list
    /// length makes the difference. That number has to grow by `distance`, or shrink if `distance` is negative.
    pub distance: Option<i128>,
    /// The model.
    pub model: Model,
    /// The inputs in the order of [`Model::input_names`].
    pub inputs: Vec<Value>,
}

impl Twin {
    /// Finds the twin of a negative case. The result is the same on every machine. Returns `None` for a valid case, and
    /// for a kept or published case that no change makes valid.
    pub fn find(case: &Case) -> Option<Twin> {
        case.violates?;
        let (mut search, start, refusal) = Search::new(case)?;
        let mut found = search.by_hints(&start, &refusal, &hints(case)).or_else(|| search.whole(&start, &refusal));
        if found.is_none() {
            search.lenient = true;
            found = search.whole(&start, &refusal).map(|(twin, hint)| (search.declared(twin), hint));
        }
        found.map(|(twin, _)| twin.with_ranks(&search.reference))
    }
}

/// How a case was repaired.
#[derive(Clone, Debug, PartialEq)]
enum Hint {
    /// One or two changes repaired it.
    Changes(Vec<Aim>),
    /// It was replaced by a valid case of the cell.
    Donor,
}

type Hints = BTreeMap<(String, String, Label), Arc<Vec<Hint>>>;

/// Returns how the first negative cases of the operator and constraint are repaired, over all versions and cells. Most
/// other cases are repaired in one of these ways, so trying these first saves most of the search.
fn hints(case: &Case) -> Arc<Vec<Hint>> {
    static HINTS: Mutex<Hints> = Mutex::new(BTreeMap::new());
    let Some(label) = case.violates else { return Arc::default() };
    let key = (case.version.domain.clone(), case.version.name.clone(), label);
    let lock = || HINTS.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(known) = lock().get(&key) {
        return known.clone();
    }
    // This is computed outside of the lock. Two threads may both compute it, but the result is always the same.
    let versions = Spec::embedded().operator(&key.0, &key.1).map_or(&[][..], |operator| &operator.versions);
    let cells = versions.iter().rev().filter(|v| v.is_callable()).flat_map(cells_of);
    let cells = cells.filter(|cell| cell.negatives().contains(&label)).step_by(HINT_STEP);
    let mut hints = Vec::new();
    for first in cells.filter_map(|cell| cell.case(Some(label), 0, 0)).take(HINT_CASES) {
        let Some((mut search, start, refusal)) = Search::new(&first) else { continue };
        if search.by_hints(&start, &refusal, &hints).is_none() {
            hints.extend(search.whole(&start, &refusal).map(|(_, hint)| hint));
        }
    }
    // The replacement by another valid case is the last resort. It comes last because it ends the search.
    hints.sort_by_key(|hint| *hint == Hint::Donor);
    let hints = Arc::new(hints);
    lock().insert(key, hints.clone());
    hints
}

struct Search<'a> {
    case: &'a Case,
    reference: Oracle,
    /// Valid cases of the same cell, the most similar ones first. They are drawn on first use.
    donors: Option<Rc<Vec<Case>>>,
    runs: usize,
    /// Whether a case also counts as a twin if a rule lets a backend refuse it, or if its outputs have other types than
    /// declared. [`Twin::find`] only sets this if there is no twin otherwise.
    lenient: bool,
    /// Changes after which the oracle refuses the case for another reason. Each can be the first change of a pair.
    first: Vec<(Edit, Scene, Refusal)>,
}

/// A twin, and how it was found.
type Found = (Twin, Hint);

impl<'a> Search<'a> {
    fn new(case: &'a Case) -> Option<(Search<'a>, Scene, Refusal)> {
        let version = Spec::embedded().version(&case.version)?;
        let reference = Oracle::default();
        let refusal = reference.answer(&case.model, &case.inputs).err()?;
        let search = Search { case, reference, donors: None, runs: 0, lenient: false, first: Vec::new() };
        Some((search, Scene::new(case, version), refusal))
    }

    fn whole(&mut self, start: &Scene, refusal: &Refusal) -> Option<Found> {
        let about = self.about(refusal);
        let limit = self.runs + BUDGET_OF_ONE;
        if let Some(found) = self.one(start, refusal, &about, limit) {
            return Some(found);
        }
        let donor = self.by_donor(start);
        if donor.as_ref().is_some_and(|(twin, _)| twin.changes.is_some()) {
            return donor;
        }
        self.pair(start).or(donor)
    }

    fn by_hints(&mut self, start: &Scene, refusal: &Refusal, hints: &[Hint]) -> Option<Found> {
        hints.iter().find_map(|hint| self.by_hint(start, refusal, hint))
    }

    /// Repairs the case in the way that repaired another case, if that works.
    fn by_hint(&mut self, start: &Scene, refusal: &Refusal, hint: &Hint) -> Option<Found> {
        let aims = match hint {
            Hint::Donor => return self.by_donor(start),
            Hint::Changes(aims) => aims,
        };
        let (first, second) = (aims.first()?, aims.get(1));
        let limit = self.runs + BUDGET_OF_HINTS;
        let about = self.about(refusal);
        for edit in self.aimed(start, &about, first) {
            if self.runs >= limit {
                return None;
            }
            let mut scene = start.clone();
            if edit.apply(&mut scene).is_none() {
                continue;
            }
            let Some(other) = self.refusal(&scene) else { return Some(self.changed(start, &[edit], scene)) };
            let Some(second) = second.filter(|_| differs(&other, refusal)) else { continue };
            let about = self.about(&other);
            for next in self.aimed(&scene, &about, second) {
                let mut mended = scene.clone();
                if self.runs < limit && next.apply(&mut mended).is_some() && self.refusal(&mended).is_none() {
                    return Some(self.changed(start, &[edit, next], mended));
                }
            }
        }
        None
    }

    /// Lists the changes with this aim that need no other case or, if there are none, those that copy from valid cases.
    fn aimed(&mut self, scene: &Scene, about: &About, aim: &Aim) -> Vec<Edit> {
        let mut found = changes(scene, about, Some(aim));
        if found.is_empty() {
            let donors = self.donors();
            let edits = donors.iter().flat_map(|donor| taken_over(scene, donor, about));
            found = edits.filter(|edit| edit.aim() == *aim).collect();
        }
        found
    }

    /// Returns why the scene is not a twin, or `None` if it is one. The oracle must accept a twin, and its outputs must
    /// have the declared types, and no rule may let a backend refuse it. A lenient search only asks the oracle.
    fn refusal(&mut self, scene: &Scene) -> Option<Refusal> {
        self.runs += 1;
        let evaluation = match self.reference.evaluate(&scene.model, &scene.inputs) {
            Err(refusal) => return Some(refusal),
            Ok(_) if self.lenient => return None,
            Ok(evaluation) => evaluation,
        };
        if let Some(rule) = evaluation.refusable() {
            return Some(Refusal::violates(rule.label, format!("{rule} leaves the answer open")));
        }
        let declared = |output: &ValueInfoProto, operand: &Operand| {
            output.r#type.as_ref().and_then(ValueKind::from_proto).is_none_or(|kind| kind == operand.kind())
        };
        let outputs = &scene.model.graph().output;
        let wrong = outputs.iter().zip(&evaluation.outputs).find(|(output, operand)| !declared(output, operand));
        wrong.map(|(_, operand)| {
            Refusal::invalid(format!("an output is {}, but the model declares another type", operand.kind()))
        })
    }

    /// Declares the outputs of the twin with the types that they have.
    fn declared(&self, mut twin: Twin) -> Twin {
        let answer = self.reference.answer(&twin.model, &twin.inputs).unwrap_or_default();
        let outputs = twin.model.proto.graph.iter_mut().flat_map(|graph| &mut graph.output);
        for (output, operand) in outputs.zip(&answer) {
            let name = output.name.clone().unwrap_or_default();
            *output = value_info(&name, &operand.kind(), None);
        }
        twin
    }

    /// Returns what the rule of a refusal is about or, if it names none, the violated constraint.
    fn about(&self, refusal: &Refusal) -> About {
        About::new(self.case, refusal.label.or(self.case.violates))
    }

    fn donors(&mut self) -> Rc<Vec<Case>> {
        let case = self.case;
        let draw = || {
            let Some(Place { cell, seed, .. }) = case.origin.place() else { return Rc::default() };
            let mut donors: Vec<Case> = (0..DONORS).filter_map(|index| cell.first_draw(None, index, *seed)).collect();
            donors.sort_by_key(|donor| unlikeness(case, donor));
            Rc::new(donors)
        };
        self.donors.get_or_insert_with(draw).clone()
    }

    /// Tries single changes: those that need no other case, and then those that copy something from a valid case.
    fn one(&mut self, start: &Scene, refusal: &Refusal, about: &About, limit: usize) -> Option<Found> {
        // The changes that need no other case get three quarters of the budget, so that some is left for the others.
        for edit in changes(start, about, None).into_iter().take(limit.saturating_sub(self.runs) * 3 / 4) {
            if let Some(scene) = self.attempt(start, refusal, &edit) {
                return Some(self.changed(start, &[edit], scene));
            }
        }
        let mut tried: Vec<Edit> = Vec::new();
        for donor in self.donors().iter() {
            for edit in taken_over(start, donor, about) {
                if self.runs >= limit {
                    return None;
                }
                if tried.iter().any(|other| other.is_as(&edit)) {
                    continue;
                }
                if let Some(scene) = self.attempt(start, refusal, &edit) {
                    return Some(self.changed(start, &[edit], scene));
                }
                tried.push(edit);
            }
        }
        None
    }

    /// Tries pairs of changes. The first change must have led to a refusal for another reason, which shows that it
    /// repaired something.
    fn pair(&mut self, start: &Scene) -> Option<Found> {
        let first = std::mem::take(&mut self.first);
        let share = BUDGET_OF_PAIRS / first.len().max(1);
        for (edit, scene, refusal) in first {
            let about = self.about(&refusal);
            let limit = self.runs + share;
            if let Some((second, Hint::Changes(aims))) = self.one(&scene, &refusal, &about, limit) {
                let change = format!("{}, {}", edit.describe(start), second.change);
                let twin = self.twin(change, 2, Scene { model: second.model, inputs: second.inputs, ..scene });
                return Some((twin, Hint::Changes([edit.aim()].into_iter().chain(aims).collect())));
            }
        }
        None
    }

    /// Makes a change and returns the scene if it is valid. Otherwise remembers the change if the oracle now refuses
    /// the scene for another reason.
    fn attempt(&mut self, start: &Scene, refusal: &Refusal, edit: &Edit) -> Option<Scene> {
        let mut scene = start.clone();
        edit.apply(&mut scene)?;
        let Some(other) = self.refusal(&scene) else { return Some(scene) };
        let known = |first: &(Edit, Scene, Refusal)| !differs(&first.2, &other);
        if differs(&other, refusal) && self.first.len() < MOST_FIRST && !self.first.iter().any(known) {
            self.first.push((edit.clone(), scene, other));
        }
        None
    }

    /// Copies attributes and inputs of the invalid case into each valid case of the cell, as long as it stays valid.
    /// Returns the case that then differs in the fewest things. The loop ends at the first case with few differences.
    fn by_donor(&mut self, start: &Scene) -> Option<Found> {
        let mut best: Option<(Vec<String>, Scene, String)> = None;
        for donor in self.donors().iter() {
            let mut scene = Scene::new(donor, start.version);
            if self.refusal(&scene).is_some() {
                continue;
            }
            let mut kept = Vec::new();
            for piece in pieces(start, &scene) {
                let mut other = scene.clone();
                let taken = piece.take(start, &mut other);
                if taken.is_some() && self.refusal(&other).is_none() {
                    scene = other;
                } else {
                    kept.push(piece.name(start, &scene));
                }
            }
            let few = (1..=MOST_CHANGES).contains(&kept.len());
            if best.as_ref().is_none_or(|(least, ..)| kept.len() < least.len()) {
                best = Some((kept, scene, donor.id.clone()));
            }
            if few {
                break;
            }
        }
        let (kept, scene, donor) = best?;
        let twin = match kept.len() {
            // The remaining differences are around the node, or in the names of its outputs.
            0 => self.twin(format!("everything around the node as in {donor}"), 1, scene),
            few @ 1..=MOST_CHANGES => self.twin(format!("{} as in {donor}", kept.join(", ")), few, scene),
            _ => {
                let mut twin = self.twin(format!("{} as in {donor}", kept.join(", ")), 0, scene);
                twin.changes = None;
                twin
            }
        };
        Some((twin, Hint::Donor))
    }

    fn changed(&self, start: &Scene, edits: &[Edit], scene: Scene) -> Found {
        let mut before = start.clone();
        let mut told = Vec::new();
        for edit in edits {
            told.push(edit.describe(&before));
            let _ = edit.apply(&mut before);
        }
        let mut twin = self.twin(told.join(", "), edits.len(), scene);
        if let [edit] = edits {
            twin.distance = self.distance(start, edit);
        }
        (twin, Hint::Changes(edits.iter().map(Edit::aim).collect()))
    }

    /// Returns by how much the edited number has to change. This is one step if one step already satisfies the
    /// constraint, even if the oracle then refuses the case for another reason. Otherwise, and for every edit of a rank
    /// or of the length of a list, it is the whole change.
    fn distance(&self, start: &Scene, edit: &Edit) -> Option<i128> {
        let Some((from, to)) = edit.numbers(start) else { return edit.count(start) };
        let step = (to - from).signum();
        let mut scene = start.clone();
        let kept = edit.to(start, from + step).apply(&mut scene).is_some()
            && !matches!(self.reference.evaluate(&scene.model, &scene.inputs), Err(r) if r.label == self.case.violates);
        Some(if kept { step } else { to - from })
    }

    fn twin(&self, change: String, changes: usize, scene: Scene) -> Twin {
        Twin {
            id: format!("{} with {change}", self.case.id),
            change,
            changes: Some(changes),
            distance: None,
            model: scene.model,
            inputs: scene.inputs,
        }
    }
}

/// Returns whether two refusals are about different rules. Where no rule has a name, their messages have to differ.
fn differs(a: &Refusal, b: &Refusal) -> bool {
    a.label != b.label || a.label.is_none() && a.message != b.message
}
