//! The oracle: it computes what is right, and how far a correct implementation may stray from it.
//!
//! Each operator is one file of `ops/`, once per distinct meaning; no kernel calls a backend. Kernels read a [`Call`] and
//! give an [`Answer`]: tensors of [`Number`]s that carry what is accepted in their place.

mod accuracy;
mod call;
mod check;
mod expected;
pub mod families;
mod graph;
mod kernels;
mod moved;
mod names;
mod number;
mod openness;
mod operand;
mod ops;
mod precision;
pub mod prelude;
pub mod random;
mod readings;
mod real;
pub mod shape;
pub mod sum;
#[cfg(test)]
mod testing;
pub mod text;
mod unordered;

pub use plumbline_graph::{Refusal, RefusalKind};
pub use plumbline_spec::Label;

pub use accuracy::{AccuracyError, check_functions};
pub use call::{Answer, Call, broadcast_shape, one, several};
pub use expected::{Bounds, Collected, Expected, Judged, Margins};
pub use number::{Allowed, Elements, Int, Ints, Kind, Latitude, Number, Reals, wrap};
pub use openness::OpenRule;
pub use operand::Operand;
pub use precision::{Function, Policy, accuracy_in_force};
pub(crate) use precision::{accumulation, ulps};
pub use readings::Alternative;
pub use real::Real;
pub use sum::{Accumulator, Sums, lowest_bit, sum, sum_inside, sum_kept};
pub use unordered::{Unordered, aligned};

use std::cell::RefCell;

use plumbline_spec::Spec;
use plumbline_tensor::{Model, Value};

use readings::Readings;

/// The oracle, under one policy.
#[derive(Clone, Debug)]
pub struct Reference {
    spec: &'static Spec,
    policy: Policy,
}

impl Default for Reference {
    fn default() -> Reference {
        Reference::new(Policy::default())
    }
}

impl Reference {
    /// The oracle under the policy a backend's profile asks for.
    pub fn new(policy: Policy) -> Reference {
        Reference { spec: Spec::embedded(), policy }
    }

    /// Runs a model: one operand for each of [`Model::output_names`], with what is accepted in its place.
    pub fn answer(&self, model: &Model, inputs: &[Value]) -> Answer {
        self.evaluate(model, inputs).map(|evaluation| evaluation.outputs)
    }

    /// Runs a model, and says which rules left open what is right.
    ///
    /// # Errors
    /// The model or its inputs are invalid, or the oracle has no answer.
    pub fn evaluate(&self, model: &Model, inputs: &[Value]) -> Result<Evaluation, Refusal> {
        let open = RefCell::default();
        let run = |open: &_, readings: &_| {
            precision::under(&self.policy, || graph::run_model(self.spec, model, inputs, open, readings))
        };
        let preferred = Readings::default();
        let outputs = run(&open, &preferred)?;
        let mut others = Vec::new();
        if let Some((count, (operator, label))) = preferred.others() {
            for number in 1..=count {
                // A reading in which the model has no answer is none.
                if let Ok(outputs) = run(&RefCell::default(), &Readings::numbered(number)) {
                    others.push(Alternative { operator: operator.clone(), label, outputs });
                }
            }
        }
        Ok(Evaluation { outputs, others, open: open.into_inner() })
    }

    /// Whether there is a kernel for this operator (any version).
    pub fn knows(domain: &str, name: &str) -> bool {
        kernels::find(domain, name).is_some()
    }

    /// Every operator with a kernel, as (domain, name).
    pub fn operators() -> impl Iterator<Item = (&'static str, &'static str)> {
        kernels::KERNELS.iter().map(|(domain, name, _)| (*domain, *name))
    }
}

/// What the oracle says of a model and its inputs.
#[derive(Clone, Debug, Default)]
pub struct Evaluation {
    /// One operand for each of [`Model::output_names`], with what is accepted in its place.
    pub outputs: Vec<Operand>,
    /// Other answers as a whole, where a rule leaves open the shape of an answer, or elements that only go together.
    pub others: Vec<Alternative>,
    /// The rules that left something open, of all nodes that were run.
    pub open: Vec<OpenRule>,
}

impl Evaluation {
    /// The first rule that lists a refusal among its outcomes: where there is one, a refusal of the model is no failure.
    pub fn refusable(&self) -> Option<&OpenRule> {
        self.open.iter().find(|rule| rule.lists_refusal())
    }
}
