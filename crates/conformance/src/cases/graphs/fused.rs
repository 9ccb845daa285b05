//! Tests that fused and rewritten computations lie in what is accepted for the graphs that they come from
//! (`docs/decisions/fused-forms.md`).
//!
//! - The answer of a kernel that computes a whole graph in double, and rounds once at its end, is accepted: for every
//!   pattern and every canonical form.
//! - An operator of ONNX and its canonical form accept each other's answers.
//! - Rewritten graphs (`rewritten.txt`), run in float with each node rounded, are accepted, or inaccurate where a rewrite
//!   rounds a constant that it makes.

use std::collections::{BTreeMap, BTreeSet};

use plumbline_backend::{Backend, Observation};
use plumbline_executor::cpu::Cpu;
use plumbline_generator::Choices;
use plumbline_judge::{FailKind, Right, Verdict, element, explained, judge};
use plumbline_oracle::{Evaluation, Judged, Operand, Oracle, Policy};
use plumbline_tensor::{Saturation, Tensor, Value};

use super::canonical::{self, ends, part};
use super::fragment::Fragment;
use super::in_double::{in_double, is_narrow};
use super::instance::instance;
use super::menu::{Menu, newest};
use super::pattern::{Pattern, parse};
use super::sketch::{Drawn, Sketch};

/// The number of cases that have every combination of three shapes and four types.
const CASES: u64 = 12;
/// The number of cases of each rewritten graph.
const REWRITTEN_CASES: u64 = 48;
/// The share of the graphs of each family that has to be compared.
const LEAST_COMPARED: f64 = 0.9;
/// The share of the graphs with an output of a narrow type in which an error has to be noticed. Zeros have no relative
/// error.
const LEAST_NOTICED: f64 = 0.85;
/// The relative error that has to be noticed.
const ERROR: f64 = 1.0 / 64.0;

/// Rewrites that compute a constant beforehand and round it. Beside large terms their answers are inaccurate.
const ROUNDED_CONSTANTS: [&str; 8] = [
    "scale-into-weights",
    "scale-and-bias-into-weights",
    "batch-normalization-into-conv",
    "batch-normalization-and-relu-into-conv",
    "batch-normalization-before-conv",
    "factor-into-conv",
    "sum-into-bias-of-conv",
    "scale-of-queries-alone",
];
/// Rewrites that leave out a rounding that the model asks for. This is inaccurate.
const ROUNDING_LEFT_OUT: [&str; 1] = ["cast-before-scale-left-out"];
/// Rewrites that lose more than the nodes do where nothing is summed up, and so are wrong.
const NOT_EQUAL: [&str; 4] =
    ["variance-in-one-pass", "quotient-by-a-constant", "hard-swish-by-a-factor", "factor-into-scale-of-dequantization"];

fn sketched(part: Fragment, imports: &[(String, u32)], opset: u32) -> Result<(Sketch, Drawn), String> {
    let mut sketch = Sketch::of_whole(Menu::beside(imports, opset));
    sketch.tried(part)?;
    let drawn = sketch.finished(&ends(&sketch));
    Ok((sketch, drawn))
}

/// Returns what an answer that is exact until the end is, times a factor, rounded to the type of what is expected.
fn rounded_once(expected: &Operand, exact: &Operand, factor: f64) -> Option<Tensor> {
    let (expected, exact) = (expected.tensor().ok()?, exact.tensor().ok()?);
    if !is_narrow(expected.dtype()) {
        return (expected.dtype() == exact.dtype()).then(|| exact.tensor.clone());
    }
    let format = expected.dtype().float_format()?;
    let bits = exact.numbers().map(|x| format.encode(x.mid() * factor, Saturation::None));
    Tensor::from_bits(expected.dtype(), exact.shape().to_vec(), bits).ok()
}

/// Returns the elements of an answer that are not accepted, in words.
fn refused(expected: &Operand, answer: &Tensor) -> Vec<String> {
    let Ok(expected) = expected.tensor() else { return vec![] };
    if (expected.dtype(), expected.shape()) != (answer.dtype(), answer.shape()) {
        return vec![format!("{} {:?} in place of {}", answer.dtype(), answer.shape(), expected.dtype())];
    }
    let wrong = (0..expected.len()).filter(|&at| expected.judge(answer, at) == Judged::Wrong);
    wrong.map(|at| format!("[{at}] is {}, but {}", element(answer, at), expected.describe(at))).collect()
}

/// What was found for one graph.
struct Comparison {
    /// What is not accepted of the answer that is rounded once.
    wrong: Vec<String>,
    /// Whether the same answer with a relative error is not accepted. `None` if no output is of a narrow type.
    noticed: Option<bool>,
}

/// Compares a graph with the same graph in double.
fn compared(oracle: &Oracle, part: Fragment, imports: &[(String, u32)], opset: u32) -> Result<Comparison, String> {
    let (sketch, drawn) = sketched(part, imports, opset)?;
    let wide = in_double(&sketch, &drawn)?;
    let expected = oracle.answer(&drawn.model, &drawn.inputs).map_err(|refusal| refusal.to_string())?;
    let exact = oracle.answer(&wide.model, &wide.inputs).map_err(|refusal| refusal.to_string())?;
    let mut found = Comparison { wrong: vec![], noticed: None };
    for (expected, exact) in expected.iter().zip(&exact) {
        let answer = |factor| rounded_once(expected, exact, factor).ok_or("an output has another type");
        found.wrong.extend(refused(expected, &answer(1.0)?));
        if expected.kind().dtype().is_some_and(is_narrow) {
            let is_noticed = !refused(expected, &answer(1.0 + ERROR)?).is_empty();
            found.noticed = Some(is_noticed || found.noticed == Some(true));
        }
    }
    Ok(found)
}

/// What was found for the patterns of a file.
#[derive(Default)]
struct Family {
    patterns: usize,
    graphs: u32,
    compared: u32,
    /// How many of the graphs that have an output of a narrow type there are, and in how many an error is noticed.
    narrow: u32,
    noticed: u32,
    reasons: BTreeSet<String>,
}

impl Family {
    /// Counts a graph, and returns the first element that is not accepted.
    fn take(&mut self, found: Comparison) -> Option<String> {
        self.compared += 1;
        self.narrow += u32::from(found.noticed.is_some());
        self.noticed += u32::from(found.noticed == Some(true));
        found.wrong.into_iter().next()
    }
}

#[test]
fn one_rounding_at_the_end_is_accepted() {
    // Of all policies, this one allows the smallest errors.
    let oracle = Oracle::new(Policy::of_cpu());
    let mut families: BTreeMap<&str, Family> = BTreeMap::new();
    let mut wrong = Vec::new();
    for pattern in Pattern::all() {
        let family = families.entry(&pattern.file).or_default();
        family.patterns += 1;
        let opsets = pattern.opsets(newest());
        for opset in BTreeSet::from([*opsets.start(), *opsets.end()]) {
            let guards = pattern.guards(opset);
            let each = std::iter::once(None).chain(guards.into_iter().map(Some));
            for (index, broken) in each.enumerate() {
                let part = instance(pattern, opset, broken, &mut Choices::random(index as u64)).unwrap();
                let what = format!("{} (opset {opset}, {:?})", pattern.name, part.features.last());
                family.graphs += 1;
                match compared(&oracle, part, &pattern.imports, opset) {
                    Ok(found) => wrong.extend(family.take(found).map(|first| format!("{what}: {first}"))),
                    Err(reason) => _ = family.reasons.insert(format!("{}: {reason}", pattern.name)),
                }
            }
        }
    }
    for form in canonical::all() {
        let family = families.entry("canonical").or_default();
        family.patterns += 1;
        let opset = *form.opsets(newest()).start();
        for index in 0..CASES {
            let (part, _) = part(form, &form.nodes, opset, index, &form.name).unwrap();
            family.graphs += 1;
            match compared(&oracle, part, &form.imports, opset) {
                Ok(found) => {
                    wrong.extend(family.take(found).map(|first| format!("{}/{index}: {first}", form.name)));
                }
                Err(reason) => _ = family.reasons.insert(format!("{}: {reason}", form.name)),
            }
        }
    }
    let mut few: Vec<&str> = Vec::new();
    for (name, Family { patterns, graphs, compared, narrow, noticed, reasons }) in &families {
        println!("{name}: {patterns} patterns, {compared} of {graphs} graphs are compared");
        println!("    an error is noticed in {noticed} of {narrow}");
        reasons.iter().for_each(|reason| println!("    {reason}"));
        let is_few = |some: u32, all: u32, least: f64| f64::from(some) < least * f64::from(all);
        let too_few = is_few(*compared, *graphs, LEAST_COMPARED) || is_few(*noticed, *narrow, LEAST_NOTICED);
        few.extend(too_few.then_some(name));
    }
    assert!(wrong.is_empty(), "{} graphs:\n{}", wrong.len(), wrong.join("\n"));
    assert!(few.is_empty(), "in too few graphs of {few:?} the answers are compared, or an error is noticed");
}

/// Draws a form and the same with its other nodes, at the newest opset. Returns `None` if it has no other nodes.
fn both(form: &Pattern, index: u64) -> Option<(Drawn, Drawn)> {
    let opset = *form.opsets(newest()).end();
    let of = |nodes: &[String]| part(form, nodes, opset, index, &format!("{}/{index}", form.name)).unwrap().0;
    let (plain, mut fused) = (of(&form.nodes), of(&form.fused));
    if fused.nodes.is_empty() {
        return None;
    }
    for given in &mut fused.given {
        if let Some(same) = plain.given.iter().find(|other| other.name == given.name) {
            given.value = same.value.clone();
        }
    }
    let drawn = |part| sketched(part, &form.imports, opset).unwrap_or_else(|why| panic!("{}: {why}", form.name)).1;
    let (plain, mut fused) = (drawn(plain), drawn(fused));
    let names =
        |drawn: &Drawn| -> BTreeSet<String> { drawn.model.output_names().into_iter().map(str::to_owned).collect() };
    assert_eq!(names(&plain), names(&fused), "{}: other outputs", form.name);
    if let (Some(to), Some(from)) = (&mut fused.model.proto.graph, &plain.model.proto.graph) {
        let place = |name: &Option<String>| from.output.iter().position(|output| output.name == *name);
        to.output.sort_by_key(|output| place(&output.name));
    }
    Some((plain, fused))
}

/// Returns why no reading accepts the preferred values of these operands; `None` if one does.
fn unaccepted(by: &Evaluation, answer: &[Operand]) -> Option<String> {
    let others = by.others.iter().map(|other| &other.outputs);
    let reasons = std::iter::once(&by.outputs).chain(others).map(|outputs| {
        let mut pairs = outputs.iter().zip(answer);
        pairs.find_map(|(expected, answer)| refused(expected, &answer.tensor().unwrap().tensor).into_iter().next())
    });
    let reasons: Option<Vec<String>> = reasons.collect();
    reasons.and_then(|reasons| reasons.into_iter().next())
}

#[test]
fn operators_and_their_canonical_forms_accept_each_other() {
    let oracle = Oracle::new(Policy::of_cpu());
    let mut wrong = Vec::new();
    let mut forms = BTreeSet::new();
    for form in canonical::all() {
        for index in 0..CASES {
            let Some((plain, fused)) = both(form, index) else { continue };
            let by_form = oracle.evaluate(&plain.model, &plain.inputs).unwrap();
            let by_operator = oracle.evaluate(&fused.model, &fused.inputs).unwrap();
            let why = unaccepted(&by_form, &by_operator.outputs);
            wrong.extend(why.map(|why| format!("{}/{index}: the operator's answer: {why}", form.name)));
            let why = unaccepted(&by_operator, &by_form.outputs);
            wrong.extend(why.map(|why| format!("{}/{index}: the form's answer: {why}", form.name)));
            forms.insert(form.name.as_str());
        }
    }
    println!("{} forms have an operator: {forms:?}", forms.len());
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(forms.len() >= 15, "only {forms:?}");
}

/// Returns the largest error of an answer in units of half an ULP (2^-24) of the largest element of the output.
fn beside_largest(right: &Right, values: &[Value]) -> f64 {
    let Right::Outputs { operands, .. } = right else { return 0.0 };
    let (Ok(expected), Some(answer)) = (operands[0].tensor(), values[0].as_tensor()) else { return 0.0 };
    let exact: Vec<f64> = expected.numbers().map(|x| x.mid()).collect();
    let largest = exact.iter().fold(0.0_f64, |largest, x| largest.max(x.abs()));
    let errors = exact.iter().zip(answer.to_f64s()).map(|(x, got)| (x - got).abs());
    errors.fold(0.0_f64, f64::max) / largest * 2f64.powi(24)
}

#[test]
fn rewritten_graphs_are_accepted_or_inaccurate() {
    let oracle = Oracle::new(Policy::of_cpu());
    let mut problems = Vec::new();
    let mut inaccurate_in_all = 0;
    for form in parse("rewritten.txt", include_str!("rewritten.txt")).unwrap() {
        let (mut inaccurate, mut wrong, mut worst, mut beside) = (0, 0, 0.0_f64, 0.0_f64);
        let mut first = None;
        for index in 0..REWRITTEN_CASES {
            let (plain, fused) = both(&form, index).unwrap();
            let mut prepared = Cpu::new().prepare(&fused.model).unwrap();
            let values = prepared.run(&fused.inputs).unwrap_or_else(|why| panic!("{}: {why}", form.name));
            let right = Right::from(oracle.evaluate(&plain.model, &plain.inputs).unwrap());
            beside = beside.max(beside_largest(&right, &values));
            let observation = Observation::Outputs { values, seconds: 0.0 };
            let judgement = judge(&right, &plain.model.output_names(), &observation);
            let judgement = explained(judgement, &oracle, (&plain.model, &plain.inputs), &right, &observation);
            worst = worst.max(judgement.max_ulp.unwrap_or(0.0));
            match (judgement.verdict, judgement.kind) {
                (Verdict::Pass, _) => {}
                (Verdict::Fail, Some(FailKind::Inaccurate)) => inaccurate += 1,
                _ => wrong += 1,
            }
            if judgement.verdict != Verdict::Pass {
                first = first.or_else(|| judgement.detail());
            }
        }
        println!(
            "{}: {inaccurate} inaccurate, {wrong} wrong of {REWRITTEN_CASES}, {worst:.1} ULP, {beside:.1} roundings of the \
             largest element",
            form.name
        );
        let is_right = match (form.name.starts_with("wrong-"), ROUNDED_CONSTANTS.contains(&form.name.as_str())) {
            (true, _) => wrong > 0,
            (_, true) => wrong == 0,
            _ if NOT_EQUAL.contains(&form.name.as_str()) => wrong > 0,
            _ if ROUNDING_LEFT_OUT.contains(&form.name.as_str()) => wrong == 0 && inaccurate > 0,
            _ => wrong == 0 && inaccurate == 0,
        };
        inaccurate_in_all += inaccurate;
        if !is_right {
            problems.push(format!("{}: {inaccurate} inaccurate, {wrong} wrong: {first:?}", form.name));
        }
    }
    assert!(problems.is_empty() && inaccurate_in_all > 0, "{}", problems.join("\n"));
}
