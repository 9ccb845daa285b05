//! The suite `canonical`: computations that fused kernels do (attention, normalizations, experts), each as a whole graph of
//! ONNX's primitive operators (`generators/canonical`, in the format of patterns).
//!
//! A form has no nodes around it, so the inputs and outputs of the graph are those of the kernel. Case `i` of a form takes
//! option `i` of each hole, and begins again with the first option when there are no more. So holes with the same number
//! of options belong together, such as the shapes of queries and keys; holes whose numbers of options have no common
//! divisor meet in all combinations, such as three shapes and four element types.

use std::sync::OnceLock;

use plumbline_generator::{Case, Choices, Form, Origin, value_info};
use plumbline_judge::hash;
use plumbline_spec::OperatorId;

use super::fragment::Fragment;
use super::instance::with_holes;
use super::menu::{Menu, newest};
use super::pattern::{Pattern, PatternError, filled};
use super::sketch::Sketch;
use crate::cases::named_outputs;

/// The name of the suite. The ids of its cases begin with it: `canonical/attention/3@0`.
pub const SUITE: &str = "canonical";

/// Returns the canonical forms that this program was built with.
pub(super) fn all() -> &'static [Pattern] {
    static ALL: OnceLock<Vec<Pattern>> = OnceLock::new();
    ALL.get_or_init(|| embedded().expect("a test checks that generators/canonical is valid"))
}

fn embedded() -> Result<Vec<Pattern>, PatternError> {
    Pattern::below("canonical")
}

/// Returns the form of this name.
pub(super) fn find(name: &str) -> Option<&'static Pattern> {
    all().iter().find(|form| form.name == name)
}

/// Draws case `index` of a form.
///
/// # Errors
/// Returns a sentence if the form is no graph, or if the oracle refuses it; a test checks that this does not happen.
pub(super) fn draw(form: &Pattern, index: u64, seed: u64) -> Result<Case, String> {
    let id = id(&form.name, index, seed);
    let opset = *form.opsets(newest()).start();
    let (part, holes) = part(form, &form.nodes, opset, index, &id).map_err(|error| error.to_string())?;
    let mut sketch = Sketch::of_whole(Menu::beside(&form.imports, opset));
    sketch.tried(part)?;
    let drawn = sketch.finished(&ends(&sketch));
    let mut model = drawn.model;
    if let Some(graph) = &mut model.proto.graph {
        graph.name = Some(form.name.clone());
        for output in &mut graph.output {
            let known = output.name.as_deref().and_then(|name| sketch.known(name));
            if let Some((known, tensor)) = known.and_then(|known| Some((known, known.tensor()?))) {
                *output = value_info(&known.name, &known.operand.kind(), Some(tensor.shape()));
            }
        }
    }
    let options = holes.iter().map(|(name, text)| format!("{name} = {text}"));
    Ok(Case {
        id,
        version: OperatorId::new("", "graph", 0),
        types: Default::default(),
        model,
        inputs: drawn.inputs,
        features: options.collect(),
        violates: None,
        origin: Origin::Graph { index, seed },
        form: Form::AsDrawn,
        choices: Default::default(),
    })
}

/// Returns the id of a case.
pub(super) fn id(form: &str, index: u64, seed: u64) -> String {
    format!("{SUITE}/{form}/{index}@{seed}")
}

/// Fills the holes of a form for case `index`, and returns what was filled in as well.
pub(super) fn part(
    form: &Pattern,
    nodes: &[String],
    opset: u32,
    index: u64,
    id: &str,
) -> Result<(Fragment, Vec<(String, String)>), PatternError> {
    let mut holes: Vec<(String, String)> = Vec::new();
    for hole in &form.holes {
        let option = &hole.options[(index % hole.options.len() as u64) as usize];
        holes.push((hole.name.clone(), filled(&option.text, &holes)));
    }
    let part = with_holes(form, nodes, opset, &holes, "", &mut Choices::random(hash(id)))?;
    Ok((part, holes))
}

/// Returns the values that no node reads.
pub(super) fn ends(sketch: &Sketch) -> Vec<String> {
    let computed = sketch.nodes.iter().flat_map(named_outputs);
    let is_read = |name: &&str| sketch.known(name).is_some_and(|known| known.uses > 0);
    computed.filter(|name| !is_read(name)).map(str::to_owned).collect()
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "in a test a panic is the report")]
mod tests {
    use std::collections::BTreeSet;

    use plumbline_oracle::Oracle;
    use plumbline_tensor::DType;

    use super::super::sketch::decided;
    use super::*;

    /// The number of cases that have every combination of three shapes and four types.
    const CASES: u64 = 12;
    /// The number of cases of each form in the smallest profile.
    const FEWEST: u64 = 4;
    /// The least share of the elements of all outputs that is decided.
    const LEAST_DECIDED: f64 = 0.95;

    #[test]
    fn every_case_of_a_form_is_drawn() {
        let forms = embedded().unwrap();
        assert!(forms.len() >= 15, "{} forms", forms.len());
        let refused: Vec<String> = all()
            .iter()
            .flat_map(|form| (0..CASES).map(move |index| (form, index)))
            .filter_map(|(form, index)| draw(form, index, 0).err().map(|why| format!("{}/{index}: {why}", form.name)))
            .collect();
        assert!(refused.is_empty(), "{}", refused.join("\n"));
    }

    #[test]
    fn the_first_cases_of_a_form_have_several_shapes() {
        for form in all() {
            let cases: Vec<Case> = (0..FEWEST).map(|index| draw(form, index, 0).unwrap()).collect();
            let shapes = |case: &Case| case.inputs.iter().map(|v| v.as_tensor().unwrap().shape().to_vec()).collect();
            let shapes: BTreeSet<Vec<Vec<usize>>> = cases.iter().map(shapes).collect();
            assert!(shapes.len() >= 3, "{}: {shapes:?}", form.name);
            assert!(cases.iter().all(|case| case.model.graph().name.as_deref() == Some(&form.name)));
            let mut options = form.holes.iter().flat_map(|hole| &hole.options);
            assert!(options.all(|option| option.breaks.is_none()), "{} breaks something", form.name);
        }
    }

    #[test]
    fn most_elements_of_forms_of_float_and_double_are_decided() {
        for dtype in [DType::Float, DType::Double, DType::Float16, DType::Bfloat16] {
            let (mut of_some, mut of_all) = (0, 0);
            for case in all().iter().flat_map(|form| (0..CASES).map(|index| draw(form, index, 0).unwrap())) {
                let answer = Oracle::default().answer(&case.model, &case.inputs).unwrap();
                for tensor in answer.iter().filter_map(|operand| operand.tensor().ok()).filter(|t| t.dtype() == dtype) {
                    let (some, all) = decided(tensor);
                    (of_some, of_all) = (of_some + some, of_all + all);
                }
            }
            let share = f64::from(of_some as u32) / f64::from(of_all as u32);
            println!("{dtype}: {of_some} of {of_all} elements are decided ({:.1} %)", 100.0 * share);
            let is_wide = matches!(dtype, DType::Float | DType::Double);
            assert!(!is_wide || share >= LEAST_DECIDED, "{dtype}: {of_some} of {of_all}");
        }
    }
}
