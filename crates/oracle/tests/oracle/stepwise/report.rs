//! Judges the answers of implementations by what the oracle accepts, and counts the verdicts by operator.

use std::collections::BTreeMap;

use plumbline_oracle::{Expected, Judged, Oracle, Policy};
use plumbline_tensor::{DType, Tensor, Value};

use super::draw::stride;
use super::machine::{Machine, Mistake, rounded};
use crate::common::untyped;

/// One node with its inputs.
pub struct Case {
    /// The node in ONNX's text syntax, without outputs and inputs.
    pub node: String,
    pub opset: i64,
    pub inputs: Vec<Tensor>,
    /// The positions of the inputs that the node leaves out.
    pub absent: Vec<usize>,
    pub outputs: usize,
    /// Whether the formulas have sums, so that their order matters.
    pub sums: bool,
}

impl Case {
    /// Returns a case with one output and all inputs.
    pub fn new(node: &str, opset: i64, inputs: Vec<Tensor>, sums: bool) -> Case {
        Case { node: node.to_owned(), opset, inputs, absent: vec![], outputs: 1, sums }
    }
}

/// A formula with its name: from the elements of all inputs to those of the outputs.
pub type Formula<'a> = (&'a str, Box<dyn Fn(&Machine, &[Vec<f64>]) -> Vec<Vec<f64>> + 'a>);

/// A node in ONNX's text syntax, its opset, and the formulas of its elements or rows with their names.
pub type Node<F> = (&'static str, i64, Vec<(&'static str, F)>);

/// Returns a formula with one output.
pub fn single<'a>(name: &'a str, f: impl Fn(&Machine, &[Vec<f64>]) -> Vec<f64> + 'a) -> Formula<'a> {
    (name, Box::new(move |machine, inputs| vec![f(machine, inputs)]))
}

/// What became of the answers of one operator.
#[derive(Default)]
struct Count {
    accepted: u64,
    latitude: u64,
    refused: u64,
    /// For each mistake: how many wrong answers there were, and how many of them the oracle refused.
    mistakes: BTreeMap<&'static str, (u64, u64)>,
}

/// The verdicts on all answers so far.
#[derive(Default)]
pub struct Report {
    counts: BTreeMap<String, Count>,
    refusals: BTreeMap<String, Vec<String>>,
}

const DOUBLE_IN_FLOAT: &str = "double in float";

/// An epsilon counts only beside small variances, so that no share of the answers can be asked for.
const EPSILON_OFF: &str = "epsilon 1 % off";

const MISTAKES: [(Mistake, &str); 3] =
    [(Mistake::DoubleInFloat, DOUBLE_IN_FLOAT), (Mistake::Epsilon, EPSILON_OFF), (Mistake::Scale, "factor 1 % off")];

/// The operators that may compute double in float: their `stash_type` is float, or a rule leaves it open
/// (`body-precision`), or leaves open a variance that loses as many digits (`variance-cancellation`).
const IN_FLOAT: [&str; 5] =
    ["GroupNormalization", "LayerNormalization", "MeanVarianceNormalization", "RMSNormalization", "ReduceL2"];

impl Report {
    /// Judges the answers that the formulas give in each way to compute elements of this type: by the default policy,
    /// by that of processors, and for 16-bit floats also by one that keeps sums in their type.
    pub fn check(&mut self, case: &Case, dtype: DType, formulas: &[Formula]) {
        let mut model = untyped(&case.node, case.opset, case.inputs.len(), case.outputs);
        let node = &mut model.proto.graph.as_mut().unwrap().node[0];
        case.absent.iter().for_each(|&i| node.input[i] = String::new());
        let operator = node.op_type.clone().unwrap();
        let values: Vec<Value> = case.inputs.iter().map(|t| t.clone().into()).collect();
        let is_narrow = matches!(dtype, DType::Float16 | DType::Bfloat16);
        let in_type = is_narrow.then(Policy::of_published_answers);
        for policy in [Policy::default(), Policy::of_cpu()].into_iter().chain(in_type) {
            let sums_in_type = policy.low_precision_accumulation;
            let table = policy.accuracy().to_owned();
            let evaluation =
                Oracle::new(policy).evaluate(&model, &values).unwrap_or_else(|e| panic!("{}: {e}", case.node));
            let ways = std::iter::once(evaluation.outputs).chain(evaluation.others.into_iter().map(|o| o.outputs));
            let ways: Vec<Vec<Expected>> =
                ways.map(|outputs| outputs.iter().map(|o| o.tensor().unwrap().clone()).collect()).collect();
            for machine in Machine::all(dtype, &table, case.sums, sums_in_type).into_iter().step_by(stride()) {
                for formula in formulas {
                    let answers = answer(case, &machine, formula, &ways[0]);
                    self.judge(&operator, case, &machine, formula.0, &answers, &ways);
                }
            }
            let machine = &Machine::all(dtype, &table, false, sums_in_type)[0];
            for formula in &formulas[..1] {
                let right = answer(case, machine, formula, &ways[0]);
                for (mistake, label) in MISTAKES {
                    let Some(wrong) = machine.with_mistake(mistake) else { continue };
                    let wrong = answer(case, &wrong, formula, &ways[0]);
                    let differs = right.iter().zip(&wrong).any(|(a, b)| a.bytes() != b.bytes());
                    if !differs {
                        continue;
                    }
                    let refused = ways.iter().all(|way| verdicts(way, &wrong).any(|(_, _, v)| v == Judged::Wrong));
                    let count = self.counts.entry(operator.clone()).or_default().mistakes.entry(label).or_default();
                    count.0 += 1;
                    count.1 += u64::from(refused);
                }
            }
        }
    }

    fn judge(
        &mut self,
        operator: &str,
        case: &Case,
        machine: &Machine,
        name: &str,
        answers: &[Tensor],
        ways: &[Vec<Expected>],
    ) {
        let count = self.counts.entry(operator.to_owned()).or_default();
        // If the specification has several whole answers, one of them has to fit.
        let wrong = |way: &Vec<Expected>| verdicts(way, answers).filter(|v| v.2 == Judged::Wrong).count();
        let best = ways.iter().min_by_key(|way| wrong(way)).unwrap();
        for (output, i, verdict) in verdicts(best, answers) {
            match verdict {
                Judged::Accepted => count.accepted += 1,
                Judged::Latitude(_) => count.latitude += 1,
                Judged::Wrong => {
                    count.refused += 1;
                    let inputs: Vec<String> = case.inputs.iter().map(|t| shortened(t, i)).collect();
                    self.refusals.entry(format!("{operator}, {}, {name}", machine.elements)).or_default().push(
                        format!(
                            "{}\n   output {output}[{i}] is {:?}, accepted: {}\n   inputs {inputs:?}\n   {machine:?}",
                            case.node,
                            answers[output].f64_at(i),
                            best[output].describe(i),
                        ),
                    );
                }
            }
        }
    }

    /// Prints the counts by operator. Fails if an answer of a correct implementation was refused, or if too few wrong
    /// answers were.
    pub fn finish(self) {
        for (operator, count) in &self.counts {
            let Count { accepted, latitude, refused, mistakes } = count;
            println!("{operator}: {accepted} accepted, {latitude} left open, {refused} refused");
            for (label, (answers, noticed)) in mistakes {
                println!("  {label}: {noticed} of {answers} noticed");
            }
        }
        for (what, refusals) in &self.refusals {
            println!("REFUSED {} times: {what}\n  {}", refusals.len(), refusals[0]);
        }
        let refused: u64 = self.counts.values().map(|count| count.refused).sum();
        assert_eq!(refused, 0, "answers of correct implementations were refused");
        for (operator, count) in &self.counts {
            for (label, &(answers, noticed)) in &count.mistakes {
                let in_float = *label == DOUBLE_IN_FLOAT && IN_FLOAT.contains(&operator.as_str());
                let is_small = *label == EPSILON_OFF;
                assert!(
                    in_float || is_small || noticed * 10 >= answers * 7,
                    "{operator}, {label}: {noticed}/{answers}"
                );
            }
        }
    }
}

/// Returns the outputs of an implementation, rounded to the types of the expected outputs.
fn answer(case: &Case, machine: &Machine, formula: &Formula, expected: &[Expected]) -> Vec<Tensor> {
    let read = |tensor: &Tensor| tensor.to_f64s().into_iter().map(|x| machine.read(x)).collect::<Vec<f64>>();
    let inputs: Vec<Vec<f64>> = case.inputs.iter().map(read).collect();
    let stored = |(values, expected): (Vec<f64>, &Expected)| {
        let dtype = expected.dtype();
        let values: Vec<f64> =
            if dtype.is_float() { values.into_iter().map(|x| rounded(dtype, x)).collect() } else { values };
        Tensor::from_f64s(dtype, expected.shape().to_vec(), &values).unwrap()
    };
    formula.1(machine, &inputs).into_iter().zip(expected).map(stored).collect()
}

fn verdicts<'a>(expected: &'a [Expected], answers: &'a [Tensor]) -> impl Iterator<Item = (usize, usize, Judged)> + 'a {
    let of_output = |(output, (expected, answer)): (usize, (&'a Expected, &'a Tensor))| {
        (0..answer.len()).map(move |i| (output, i, expected.judge(answer, i)))
    };
    expected.iter().zip(answers).enumerate().flat_map(of_output)
}

/// Returns the elements of a tensor in words: all of them if they are few, and otherwise the one at an index.
fn shortened(tensor: &Tensor, index: usize) -> String {
    let values = tensor.to_f64s();
    if values.len() <= 60 { format!("{values:?}") } else { format!("..., {:?}, ...", values.get(index)) }
}
