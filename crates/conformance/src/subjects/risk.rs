//! Which cases a backend tends to answer, and which would break a pack.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use plumbline_generator::{Case, Cell};

/// What several cases have in common: a form, or for an operator a feature.
type Trait = (Option<String>, String);

/// The fewest cases of a trait that say something about further ones.
const FEWEST: u32 = 3;

/// What is known about the cases that a backend answers.
#[derive(Default)]
pub(crate) struct Risk {
    /// For each trait, how many cases were seen, and how many of them the backend did not answer.
    seen: Mutex<HashMap<Trait, (u32, u32)>>,
    /// Which operators and types it answers.
    pub support: Support,
}

impl Risk {
    /// Notes whether the backend answered a case, with whatever values.
    pub fn note(&self, case: &Case, is_answered: bool) {
        let mut seen = self.seen.lock().unwrap_or_else(PoisonError::into_inner);
        for key in traits(case) {
            let (all, unanswered) = seen.entry(key).or_default();
            *all += 1;
            *unanswered += u32::from(!is_answered);
        }
    }

    /// Returns whether the backend did not answer most of the cases that have a trait of this case.
    pub fn is_high(&self, case: &Case) -> bool {
        let seen = self.seen.lock().unwrap_or_else(PoisonError::into_inner);
        let known = traits(case).filter_map(|key| seen.get(&key));
        known.into_iter().any(|(all, unanswered)| *all >= FEWEST && 2 * unanswered > *all)
    }
}

fn traits(case: &Case) -> impl Iterator<Item = Trait> {
    let of_operator = |feature: &String| (Some(case.version.qualified_name()), feature.clone());
    std::iter::once((None, case.form.name().to_owned())).chain(case.features.iter().map(of_operator))
}

/// For each operator, of any version, with each type: how many valid cases have a right answer, and how many there were.
#[derive(Default)]
pub(crate) struct Support(Mutex<HashMap<(String, String), (u32, u32)>>);

impl Support {
    /// Notes whether the backend gave a right answer to a valid case of a cell.
    pub fn note(&self, cell: &Cell, is_right: bool) {
        let mut seen = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let (right, all) = seen.entry(operator_and_type(cell)).or_default();
        *right += u32::from(is_right);
        *all += 1;
    }

    /// Returns whether the backend probably answers valid cases of a cell: it has answered its operator with its type,
    /// or else its operator with other types, and its type in other operators.
    pub fn is_likely(&self, cell: &Cell) -> bool {
        let seen = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let (operator, type_) = operator_and_type(cell);
        let of = |takes: &dyn Fn(&(String, String)) -> bool| {
            let known = seen.iter().filter(|(key, _)| takes(key)).map(|(_, counts)| *counts);
            known.fold((0, 0), |sum, (right, all)| (sum.0 + right, sum.1 + all))
        };
        if let Some((right, all)) = seen.get(&(operator.clone(), type_.clone())) {
            return 4 * right >= 3 * all;
        }
        let (right, all) = of(&|key| key.0 == operator);
        let (right_of_type, all_of_type) = of(&|key| key.1 == type_);
        all > 0 && 4 * right >= 3 * all && 2 * right_of_type >= all_of_type
    }
}

fn operator_and_type(cell: &Cell) -> (String, String) {
    let id = &cell.version.id;
    (format!("{}.{}", id.domain, id.name), cell.bound.as_ref().map_or_else(String::new, |(_, type_)| type_.to_string()))
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "in a test a panic is the report")]
mod tests {
    use plumbline_generator::{Form, case_of, cells};

    use super::*;

    #[test]
    fn forms_and_features_that_are_not_answered_are_a_risk() {
        let risk = Risk::default();
        let case = |id: &str, form: Form| Case { form, ..case_of(id).unwrap() };
        (1..4).for_each(|at| risk.note(&case(&format!("Floor-13/T=float/{at}@0"), Form::Function), false));
        (1..9).for_each(|at| risk.note(&case(&format!("Floor-13/T=float/{at}@0"), Form::AsDrawn), true));
        assert!(risk.is_high(&case("Ceil-13/T=float/1@0", Form::Function)));
        assert!(!risk.is_high(&case("Ceil-13/T=float/1@0", Form::AsDrawn)));
        assert!(!risk.is_high(&case("Floor-13/T=float/1@0", Form::AsDrawn)));
    }

    #[test]
    fn an_operator_and_a_type_that_were_answered_are_likely_to_be_answered_together() {
        let support = Support::default();
        let cell = |name: &str| cells().into_iter().find(|cell| cell.to_string() == name).unwrap();
        assert!(!support.is_likely(&cell("Floor-13/T=double")), "nothing is known");
        support.note(&cell("Floor-13/T=float"), true);
        assert!(support.is_likely(&cell("Floor-6/T=float")) && support.is_likely(&cell("Floor-13/T=double")));
        assert!(!support.is_likely(&cell("Ceil-13/T=float")), "another operator");
        support.note(&cell("Ceil-13/T=double"), false);
        assert!(!support.is_likely(&cell("Floor-13/T=double")), "no other operator has this type");
        support.note(&cell("Floor-13/T=double"), true);
        assert!(support.is_likely(&cell("Floor-6/T=double")), "this operator has it");
    }
}
