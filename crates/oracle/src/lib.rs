//! The oracle: Plumbline's reference implementation. It computes the correct answer of a model, and how far a correct
//! backend may deviate from that answer.
//!
//! Each operator has one kernel, in its own file of `ops/`; operators with the same meaning share code in `families/`.
//! No kernel calls a backend.
//!
//! # The types of an answer
//!
//! - An [`Operand`] is a value of any ONNX type, as the nodes of a graph pass it on: a tensor, a sequence, an optional,
//!   a map.
//! - An [`Expected`] is the tensor inside of an operand: the preferred answer, and what else is accepted for each of
//!   its elements.
//! - A [`Number`] is one element of an `Expected` as kernels compute with it. Its [`NumberKind`] is a [`Real`] or an
//!   [`Int`]: a value and the interval that is accepted in its place. The [`Bounds`] of an `Expected` hold these
//!   intervals for all of its elements.
//! - A [`Latitude`] belongs to an element on which the specification does not decide. It names the rule that leaves the
//!   element open (a [`Label`]), and lists the other outcomes ([`Allowed`]).
//! - An [`Answer`] is the result of a kernel or of a model: one operand for each output, or a [`Refusal`].
//! - [`Judged`] is the verdict on one element of a backend's answer: accepted (it is in the interval), latitude (it is
//!   another outcome), or wrong.
//!
//! A kernel reads a [`Call`] (one node with its attributes and operands) and returns an [`Answer`].
//! [`Oracle::evaluate`] runs the kernels of a model and returns an [`Evaluation`]; a backend's answer is then judged
//! by [`Expected::judge`].

mod accuracy;
mod agreement;
mod alignment;
mod arithmetic;
mod call;
mod expected;
pub mod families;
mod function_name;
mod graph;
mod kernels;
mod last_read;
mod limits;
mod moved;
mod number;
mod openness;
mod operand;
mod ops;
mod parallel;
mod precision;
pub mod prelude;
mod progress;
pub mod random;
mod readings;
mod real;
mod releases;
mod scoped;
pub mod shape;
mod steps;
mod stop;
pub mod sum;
#[cfg(test)]
mod testing;
pub mod text;
mod unsettled;

pub use plumbline_graph::{Limit, Refusal, RefusalKind};
pub use plumbline_spec::Label;

pub use accuracy::{AccuracyError, accuracy_bound, check_functions};
pub use agreement::disagreement;
pub use alignment::aligned;
pub use arithmetic::Arithmetic;
pub use call::{Answer, Call, broadcast_shape, one, several};
pub use expected::{
    Bounds, Collected, Distribution, Expected, Joint, Judged, Margins, Pairing, Unordered, UnorderedParts,
};
pub use function_name::Function;
pub use limits::{Budget, exceeds_limits, limit_text};
pub use number::{Allowed, Elements, Int, Ints, Latitude, Number, NumberKind, Outcome, Reals, wrap};
pub use openness::{NamedRule, OpenRule};
pub use operand::Operand;
pub use precision::Policy;
pub(crate) use precision::{accumulation, ulps};
pub use readings::Alternative;
pub use real::Real;
pub use steps::MOST_STEPS;
pub use stop::Stop;
pub use sum::{Accumulator, Sums, lowest_bit, sum, sum_inside, sum_kept, trailing_exponent};

use std::cell::RefCell;

use plumbline_spec::{ReleaseNumber, Spec, Unchecked};
use plumbline_tensor::onnx::NodeProto;
use plumbline_tensor::{Model, Value};

use progress::Progress;
use readings::Readings;
use releases::Texts;

/// The oracle under one [`Policy`].
#[derive(Clone, Debug)]
pub struct Oracle {
    spec: &'static Spec,
    policy: Policy,
    budget: Budget,
    stop: Option<Stop>,
    most_threads: usize,
}

impl Default for Oracle {
    fn default() -> Oracle {
        Oracle::new(Policy::default())
    }
}

impl Oracle {
    /// Returns the oracle under the policy that a backend's profile asks for.
    pub fn new(policy: Policy) -> Oracle {
        let (budget, most_threads) = (Budget::default(), usize::MAX);
        Oracle { spec: Spec::embedded(), policy, budget, stop: None, most_threads }
    }

    /// Returns the same oracle with another budget.
    pub fn with_budget(self, budget: Budget) -> Oracle {
        Oracle { budget, ..self }
    }

    /// Returns how much this oracle may compute for one answer.
    pub fn budget(&self) -> &Budget {
        &self.budget
    }

    /// Returns the same oracle, whose computations end when `stop` is due.
    pub fn with_stop(self, stop: Stop) -> Oracle {
        Oracle { stop: Some(stop), ..self }
    }

    /// Returns the same oracle, but it refuses a model whose nodes compute more elements that are needed at the same
    /// time than this.
    pub fn with_most_elements(self, elements: usize) -> Oracle {
        let budget = Budget { elements, ..self.budget };
        self.with_budget(budget)
    }

    /// Returns the same oracle, but it refuses a model that takes more steps than this. A step is an element that is
    /// read or computed, a term of a sum, or the like. The default is [`MOST_STEPS`].
    pub fn with_most_steps(self, steps: u64) -> Oracle {
        let budget = Budget { steps, ..self.budget };
        self.with_budget(budget)
    }

    /// Returns the same oracle, but it computes large nodes on at most this many threads. The default is as many as the
    /// machine has cores. The answers are the same.
    pub fn with_most_threads(self, most_threads: usize) -> Oracle {
        Oracle { most_threads, ..self }
    }

    /// Returns whether the backend declares that it does not check this.
    pub fn leaves_unchecked(&self, what: Unchecked) -> bool {
        self.policy.unchecked.contains(&what)
    }

    /// Returns the same oracle for implementations that compute in this arithmetic.
    pub fn in_arithmetic(&self, arithmetic: Arithmetic) -> Oracle {
        Oracle { policy: self.policy.clone().in_arithmetic(arithmetic), ..self.clone() }
    }

    /// Returns the same oracle with other intervals: not everything that is accepted, but the errors that implementations
    /// usually make. A function is usually off by one ULP at most, where its table allows more, and a sum of n terms
    /// loses what the square root of n roundings lose. The intervals are an estimate, by which nothing is judged.
    pub fn with_usual_errors(&self) -> Oracle {
        Oracle { policy: self.policy.clone().with_usual_errors(), ..self.clone() }
    }

    /// Describes the table by which the accuracy of functions is judged (see [`Policy::accuracy`]).
    pub fn accuracy(&self) -> &str {
        self.policy.accuracy()
    }

    /// Runs a model and returns one operand for each of [`Model::output_names`].
    pub fn answer(&self, model: &Model, inputs: &[Value]) -> Answer {
        self.evaluate(model, inputs).map(|evaluation| evaluation.outputs)
    }

    /// Runs a model; returns its outputs, its alternative answers, and the rules that left something open.
    ///
    /// # Errors
    /// Returns a refusal if the model or its inputs are invalid, or if the oracle has no answer.
    pub fn evaluate(&self, model: &Model, inputs: &[Value]) -> Result<Evaluation, Refusal> {
        self.evaluate_located(model, inputs).map_err(|stop| stop.refusal)
    }

    /// Does the same as [`Oracle::evaluate`], and says at which node it stopped.
    ///
    /// # Errors
    /// Returns a refusal and the node of the main graph at which it happened.
    pub fn evaluate_located(&self, model: &Model, inputs: &[Value]) -> Result<Evaluation, Stopped> {
        let operands: Vec<Operand> = inputs.iter().map(Operand::from).collect();
        self.evaluate_operands(model, &operands)
    }

    /// Does the same as [`Oracle::evaluate_located`], with inputs for which other values are accepted as well: those
    /// that other nodes computed.
    ///
    /// # Errors
    /// Returns a refusal and the node of the main graph at which it happened.
    pub fn evaluate_operands(&self, model: &Model, inputs: &[Operand]) -> Result<Evaluation, Stopped> {
        let progress = Progress::default();
        self.scoped(model, || self.evaluate_all(model, inputs, &progress))
            .map_err(|refusal| Stopped { refusal, node: progress.node() })
    }

    /// Runs `body` with the policy of this oracle in force, and with as many steps as this oracle allows. Everything
    /// that reads the policy or counts steps is called from here.
    fn scoped<T>(&self, model: &Model, body: impl FnOnce() -> Result<T, Refusal>) -> Result<T, Refusal> {
        let several = has_several(model);
        let counted = || steps::within(self.budget.steps, self.stop.as_ref(), body);
        let threaded = || parallel::on_threads(self.most_threads, counted);
        let limited = || limits::with_tensor_elements(self.budget.tensor_elements, threaded);
        precision::under(&self.policy, || precision::joining(several, limited))
    }

    /// Evaluates a model by the newest texts. If a kernel then asked for a rule that the text of the backend's release
    /// decides otherwise, what that text says becomes an alternative.
    fn evaluate_all(&self, model: &Model, inputs: &[Operand], progress: &Progress) -> Result<Evaluation, Refusal> {
        let newest = ReleaseNumber::newest();
        let release = self.policy.onnx.unwrap_or(newest);
        let texts = Texts::new(newest, release);
        let mut evaluation = self.evaluate_by(model, inputs, &texts, progress)?;
        let Some(changed) = texts.changed() else { return Ok(evaluation) };
        let rule = NamedRule { release: Some(release), ..changed };
        let place = progress.node();
        let older = self.evaluate_by(model, inputs, &Texts::new(release, newest), progress);
        progress.set_node(place);
        match older {
            Ok(older) => {
                let release = rule.release;
                let others = older.others.into_iter().map(|other| {
                    let rule = NamedRule { release, ..other.rule };
                    Alternative { rule, ..other }
                });
                evaluation.others.extend([Alternative { rule, outputs: older.outputs }].into_iter().chain(others));
                evaluation.open.extend(older.open.into_iter().filter(OpenRule::lists_refusal));
            }
            Err(refusal) if refusal.kind == RefusalKind::Invalid => {
                evaluation.refused_by_release = Some(rule);
            }
            Err(_) => {}
        }
        Ok(evaluation)
    }

    /// Evaluates a model that is invalid by the newest texts by that of the backend's release. Also returns the
    /// operator version and the rule on which the two differ. `None` if they do not differ, or if the model is invalid
    /// by both.
    pub fn evaluate_by_release(
        &self,
        model: &Model,
        inputs: &[Value],
    ) -> Option<(NamedRule, Result<Evaluation, Refusal>)> {
        let (newest, release) = (ReleaseNumber::newest(), self.policy.onnx?);
        let (texts, progress) = (Texts::new(newest, release), Progress::default());
        let operands: Vec<Operand> = inputs.iter().map(Operand::from).collect();
        let by = |texts: &Texts| self.scoped(model, || self.evaluate_by(model, &operands, texts, &progress));
        by(&texts).err()?;
        let rule = NamedRule { release: Some(release), ..texts.changed()? };
        let answer = by(&Texts::new(release, newest));
        let invalid = answer.as_ref().is_err_and(|refusal| refusal.kind == RefusalKind::Invalid);
        (!invalid).then_some((rule, answer))
    }

    /// Evaluates a model by the texts of one release.
    fn evaluate_by(
        &self,
        model: &Model,
        inputs: &[Operand],
        texts: &Texts,
        progress: &Progress,
    ) -> Result<Evaluation, Refusal> {
        let open = RefCell::default();
        let run = |open: &_, readings: &_| {
            let context = graph::Context::new(self.spec, kernels::find, model, open, readings, texts);
            let context = context.with_budget(self.budget).with_progress(progress);
            graph::run_model(&context, model, inputs)
        };
        let preferred = Readings::default();
        let outputs = match run(&open, &preferred) {
            Ok(outputs) => outputs,
            Err(refusal) => {
                let place = progress.node();
                let other = self.in_other_reading(refusal, &preferred, run);
                progress.set_node(place);
                return other;
            }
        };
        let steps = progress.steps();
        let mut others = Vec::new();
        for number in 1..=preferred.others() {
            let readings = Readings::numbered(number);
            // A reading in which the model is refused gives no alternative.
            if let Ok(outputs) = run(&RefCell::default(), &readings)
                && let Some(rule) = readings.rule()
            {
                others.push(Alternative { rule, outputs });
            }
        }
        Ok(Evaluation { outputs, others, open: open.into_inner(), steps, ..self.without_outputs() })
    }

    /// Returns an evaluation without outputs.
    fn without_outputs(&self) -> Evaluation {
        Evaluation { accuracy: self.policy.accuracy().to_owned(), ..Evaluation::default() }
    }

    /// Handles `refusal`, which the model got in the preferred reading (see [`Readings`]). If `refusal` says that the
    /// model is invalid, runs the model in the other readings in order, and returns the first evaluation whose open
    /// rules include one that lists a refusal. If there is no such evaluation, returns `refusal`.
    fn in_other_reading(
        &self,
        refusal: Refusal,
        preferred: &Readings,
        run: impl Fn(&RefCell<Vec<OpenRule>>, &Readings) -> Answer,
    ) -> Result<Evaluation, Refusal> {
        for number in 1..=if refusal.kind == RefusalKind::Invalid { preferred.others() } else { 0 } {
            let open = RefCell::default();
            let Ok(outputs) = run(&open, &Readings::numbered(number)) else { continue };
            let evaluation = Evaluation { outputs, open: open.into_inner(), ..self.without_outputs() };
            if evaluation.refusable().is_some() {
                return Ok(evaluation);
            }
        }
        Err(refusal)
    }

    /// Returns whether the oracle has a kernel for any version of this operator.
    pub fn knows(domain: &str, name: &str) -> bool {
        kernels::find(domain, name).is_some()
    }

    /// Returns every operator that has a kernel, as (domain, name).
    pub fn operators() -> impl Iterator<Item = (&'static str, &'static str)> {
        kernels::KERNELS.iter().map(|(domain, name, _)| (*domain, *name))
    }
}

/// Returns whether a model has several nodes that compute something. A `Constant`, and the call of a function that the
/// model defines, do not count: they are other forms of the same model.
fn has_several(model: &Model) -> bool {
    let functions = &model.proto.functions;
    let is_call = |node: &NodeProto| {
        functions.iter().any(|function| function.name == node.op_type && function.domain == node.domain)
    };
    let nodes = model.graph().node.iter().chain(functions.iter().flat_map(|function| &function.node));
    nodes.filter(|node| node.op_type.as_deref() != Some("Constant") && !is_call(node)).nth(1).is_some()
}

/// A refusal, and where it happened.
#[derive(Clone, Debug, PartialEq)]
pub struct Stopped {
    /// The refusal.
    pub refusal: Refusal,
    /// The position of the node in the model's main graph. A node of a nested graph or of a function counts as the node
    /// that runs it. `None` if the model was refused before its first node or after its last one.
    pub node: Option<usize>,
}

/// The oracle's answer for a model and its inputs.
#[derive(Clone, Debug, Default)]
pub struct Evaluation {
    /// The preferred answer: one operand for each of [`Model::output_names`].
    pub outputs: Vec<Operand>,
    /// Alternative answers, each for all outputs of the model. There are none, unless a rule leaves open the shape of
    /// an output, or the values of several elements that depend on each other.
    pub others: Vec<Alternative>,
    /// The rules that left something open at any node that was run.
    pub open: Vec<OpenRule>,
    /// A description of the table by which the accuracy of functions is judged (see [`Policy::accuracy`]).
    pub accuracy: String,
    /// The operator version and the rule by which the text of the backend's release makes the model invalid, although
    /// it is valid by the newest text.
    pub refused_by_release: Option<NamedRule>,
    /// How many steps each node of the main graph took for `outputs`. Empty if another reading gave these.
    pub steps: Vec<u64>,
}

impl Evaluation {
    /// Returns the operator version and rule by which a backend may refuse the model: that of its release, or the first
    /// rule in `open` that lists a refusal among its outcomes.
    pub fn refusable(&self) -> Option<NamedRule> {
        let open = || self.open.iter().find(|rule| rule.lists_refusal());
        self.refused_by_release.clone().or_else(|| open().map(|rule| NamedRule::new(&rule.operator, rule.label)))
    }
}
