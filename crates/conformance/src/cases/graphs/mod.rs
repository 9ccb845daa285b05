//! The suite `graphs`: typed graphs of many nodes, put together from the cases that recipes draw.
//!
//! What breaks between nodes (a fusion, a folded constant, a plan for memory) shows in no case of a single node. A graph
//! of this suite begins with the case of a cell. Further cases are drawn for operators of the same opset, and their
//! inputs are taken from values that earlier nodes compute, directly if that is valid, otherwise made to fit by nodes of
//! ONNX's own operators. The oracle computes each part as it is added: a part that it refuses, or whose answer leaves
//! too much open, is drawn again, so every graph is valid and most of its elements are decided.
//!
//! Other graphs begin with a pattern: a few nodes that optimizers look for, drawn exactly or with one thing broken that an
//! optimizer has to check ([`Pattern`]).
//!
//! A case is defined by its id: `graphs/Min-13/T=float/3@0` is graph 3 of seed 0 with a node of this cell, and
//! `graphs/pattern/matmul-add/3@0` is one with this pattern. `canonical/attention/3@0` is of the suite [`CANONICAL`].

mod canonical;
mod control;
#[cfg(test)]
mod counts;
mod fit;
mod fragment;
#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "in a test a panic is the report")]
mod fused;
mod grow;
#[cfg(test)]
mod in_double;
mod instance;
mod menu;
mod pattern;
mod sketch;
mod start;
mod structure;

use std::collections::BTreeSet;

use plumbline_generator::{Case, Choices, Form, Origin, PlanError};
use plumbline_judge::hash;
use plumbline_spec::OperatorId;

pub use self::canonical::SUITE as CANONICAL;
pub use self::pattern::{Pattern, PatternError};
#[cfg(test)]
use self::sketch::decided;
pub use self::start::Start;
pub(crate) use self::start::rounded;

/// The name of the suite. The ids of its cases begin with it.
pub const SUITE: &str = "graphs";

/// The oldest opset of `ai.onnx` in which graphs are drawn. Before it, broadcasting follows other rules.
pub const OLDEST_OPSET: u32 = 7;

/// The numbers of nodes that a graph may have, before nodes are added that make values fit. Each row is as likely as the
/// others.
const NODES: [std::ops::RangeInclusive<u64>; 8] = [2..=3, 2..=4, 3..=6, 4..=8, 5..=8, 6..=10, 8..=14, 12..=40];

/// A graph has a form of its own (see [`Form`]) once in this many times.
const ONE_IN_FORMS: u64 = 2;

/// The forms that a graph may have. The others are about a single node.
const FORMS: [Form; 5] =
    [Form::Initializers, Form::DefaultInputs, Form::Weights, Form::ConstantNodes, Form::SymbolicExtents];

/// A graph whose inputs come at run time has names for some of their extents once in this many times. The names begin
/// with [`NAMED`], so that they differ from those that a form gives.
const ONE_IN_NAMED: u64 = 4;
const NAMED: &str = "extent_";

/// Draws graph `index` with this start. Returns `None` if no case of the cell can be in a graph, or if the oracle refuses
/// the pattern as it was drawn.
pub fn draw(start: &Start, index: u64, seed: u64) -> Option<Case> {
    if let Start::Canonical(form) = start {
        return canonical::draw(form, index, seed).ok();
    }
    let id = start.id(index, seed);
    let mut choices = Choices::random(hash(&id));
    let rows = &NODES[choices.below(NODES.len() as u64) as usize];
    let count = rows.start() + choices.below(rows.end() - rows.start() + 1);
    drawn(start, index, seed, count as usize, id, choices)
}

/// Draws a graph of about this many nodes, for a benchmark.
pub fn draw_of(start: &Start, index: u64, seed: u64, nodes: usize) -> Option<Case> {
    let id = start.id(index, seed);
    let choices = Choices::random(hash(&id));
    drawn(start, index, seed, nodes, id, choices)
}

fn drawn(start: &Start, index: u64, seed: u64, nodes: usize, id: String, mut choices: Choices) -> Option<Case> {
    let drawn = grow::grown(start.core()?, index, nodes, &mut choices)?;
    let mut case = Case {
        id,
        version: OperatorId::new("", "graph", 0),
        types: Default::default(),
        model: drawn.model,
        inputs: drawn.inputs,
        features: drawn.features,
        violates: None,
        origin: Origin::Graph { index, seed },
        form: Form::AsDrawn,
        choices: Default::default(),
    };
    if choices.below(ONE_IN_FORMS) == 1 {
        let form = FORMS[choices.below(FORMS.len() as u64) as usize];
        if case.forms().contains(&form) {
            case.form = form;
        }
    }
    if matches!(case.form, Form::AsDrawn | Form::Weights) && choices.below(ONE_IN_NAMED) == 0 {
        named_extents(&mut case, &mut choices);
    }
    case.features.push(case.form.feature());
    Some(case)
}

/// Gives some extents of the inputs names, as exporters do for those of a batch or of a text: equal extents have equal
/// names, and the others stay numbers.
fn named_extents(case: &mut Case, choices: &mut Choices) {
    let extents: BTreeSet<usize> =
        case.inputs.iter().filter_map(|value| value.as_tensor()).flat_map(|tensor| tensor.shape().to_vec()).collect();
    let named: Vec<usize> = extents.into_iter().filter(|_| choices.below(2) == 0).collect();
    if case.name_extents(|extent| Some(format!("{NAMED}{}", named.iter().position(|&other| other == extent)?))) {
        case.features.push("some extents have names".to_owned());
    }
}

/// Draws the case with this id.
///
/// # Errors
/// [`PlanError`] if the id cannot be parsed, or if it names something that does not exist.
pub fn case_of(id: &str) -> Result<Case, PlanError> {
    let (start, index, seed) = Start::parse(id)?;
    draw(&start, index, seed).ok_or_else(|| PlanError::Unknown(format!("{id}: no graph is drawn for it")))
}

/// Returns whether this is the id of a graph or of a canonical form.
pub fn is_id(id: &str) -> bool {
    id.split_once('/').is_some_and(|(suite, _)| [SUITE, CANONICAL].contains(&suite))
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "in a test a panic is the report")]
mod tests {
    use std::collections::BTreeSet;

    use plumbline_generator::cells;
    use plumbline_graph::domain_of;
    use plumbline_oracle::Oracle;
    use plumbline_tensor::onnx::NodeProto;

    use super::*;

    /// Every how many starts one is drawn.
    const STEP: usize = 7;
    /// The least share of the elements of all outputs that is decided.
    const LEAST_DECIDED: f64 = 0.95;

    fn starts() -> Vec<Start> {
        cells().into_iter().filter_map(Start::of_cell).chain(Start::patterns()).collect()
    }

    #[test]
    fn graphs_are_valid_and_most_of_their_elements_are_decided() {
        let starts = starts();
        let (mut of_some, mut of_all, mut drawn) = (0, 0, 0);
        for (at, start) in starts.iter().enumerate().skip(3).step_by(STEP) {
            let Some(case) = draw(start, at as u64, 0) else { continue };
            drawn += 1;
            let proto = &case.model.proto;
            let nodes = proto.functions.iter().flat_map(|function| &function.node).flat_map(NodeProto::with_nested);
            for domain in nodes.map(|node| domain_of(&node.domain)) {
                let is_imported = proto.opset_import.iter().any(|import| domain_of(&import.domain) == domain);
                assert!(is_imported, "{}: `{domain}` is imported by a function only", case.id);
            }
            let answer = Oracle::default().evaluate(&case.model, &case.inputs);
            let evaluation = answer.unwrap_or_else(|refusal| panic!("{}: {refusal}\n{}", case.id, case.model));
            for operand in &evaluation.outputs {
                if let Ok(tensor) = operand.tensor() {
                    let (some, all) = decided(tensor);
                    (of_some, of_all) = (of_some + some, of_all + all);
                }
            }
            if at % 5 == 0 {
                let again = case_of(&case.id).unwrap();
                assert_eq!((again.model, again.inputs), (case.model, case.inputs), "{}", case.id);
            }
        }
        assert!(drawn * STEP * 10 > starts.len() * 9, "{drawn} graphs of {} starts", starts.len());
        let share = f64::from(of_some as u32) / f64::from(of_all as u32);
        println!("{drawn} graphs: {of_some} of {of_all} elements are decided ({:.1} %)", 100.0 * share);
        assert!(share >= LEAST_DECIDED, "{of_some} of {of_all} elements are decided");
    }

    #[test]
    fn every_pattern_is_drawn_exactly_and_with_each_thing_broken() {
        let patterns = Pattern::embedded().unwrap();
        let mut wrong: Vec<String> = Vec::new();
        for pattern in &patterns {
            wrong.extend(instance::objections(pattern));
        }
        assert!(wrong.is_empty(), "{}", wrong.join("\n"));
        for pattern in Pattern::all().iter().step_by(5) {
            let start = Start::Pattern(pattern);
            let drawn = (0..30).filter_map(|index| draw(&start, index, 0));
            let features: BTreeSet<String> = drawn.flat_map(|case| case.features).collect();
            assert!(features.contains(&format!("pattern {} exact", pattern.name)), "{}: {features:?}", pattern.name);
        }
    }

    #[test]
    fn constants_of_a_pattern_stay_constants() {
        let start = Start::Pattern(Pattern::find("scale-into-quantization").unwrap());
        for case in (0..100).filter_map(|index| draw(&start, index, 0)) {
            let graph = case.model.graph();
            let is_constant = graph.initializer.iter().any(|proto| proto.name.as_deref() == Some("p_c"));
            assert!(is_constant, "{}\n{}", case.id, case.model);
        }
    }

    #[test]
    fn ids_that_name_nothing_are_errors() {
        let error = |id: &str| case_of(id).unwrap_err().to_string();
        assert!(error("graphs/pattern/none/0@0").contains("there is no pattern `none`"));
        assert!(error("graphs/Min-13/T=float/0").contains("is not the id"));
        assert!(error("graphs/Min-99/T=float/0@0").contains("Min has no version 99"));
        assert_eq!(error("canonical/none/0@0"), "there is no canonical form `none`");
        assert_eq!(case_of("canonical/gelu/1@7").unwrap().id, "canonical/gelu/1@7");
        assert!(is_id("canonical/gelu/1@7"));
        assert!(is_id("graphs/Min-13/T=float/0@0") && !is_id("Min-13/T=float/0@0"));
    }
}
