//! Which cases a backend tends not to answer, so that they would break a pack.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use plumbline_generator::Case;

/// What several cases have in common: a form, or for an operator a feature.
type Trait = (Option<String>, String);

/// The fewest cases of a trait that say something about further ones.
const FEWEST: u32 = 3;

/// For each trait, how many cases were seen, and how many of them the backend did not answer.
#[derive(Default)]
pub(crate) struct Risk(Mutex<HashMap<Trait, (u32, u32)>>);

impl Risk {
    /// Notes whether the backend answered a case, with whatever values.
    pub fn note(&self, case: &Case, is_answered: bool) {
        let mut seen = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        for key in traits(case) {
            let (all, unanswered) = seen.entry(key).or_default();
            *all += 1;
            *unanswered += u32::from(!is_answered);
        }
    }

    /// Returns whether the backend did not answer most of the cases that have a trait of this case.
    pub fn is_high(&self, case: &Case) -> bool {
        let seen = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let known = traits(case).filter_map(|key| seen.get(&key));
        known.into_iter().any(|(all, unanswered)| *all >= FEWEST && 2 * unanswered > *all)
    }
}

fn traits(case: &Case) -> impl Iterator<Item = Trait> {
    let of_operator = |feature: &String| (Some(case.version.qualified_name()), feature.clone());
    std::iter::once((None, case.form.name().to_owned())).chain(case.features.iter().map(of_operator))
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "in a test a panic is the report")]
mod tests {
    use plumbline_generator::{Form, case_of};

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
}
