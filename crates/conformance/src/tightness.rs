//! Measures the width of the oracle's intervals. An interval that is too wide accepts wrong answers.

use std::collections::BTreeMap;

use plumbline_generator::{Case, Cell};
use plumbline_oracle::{Bounds, Expected, Operand, Oracle, Policy};
use plumbline_spec::{CPU_ACCURACY, Numerics, Ulp};
use plumbline_tensor::DType;
use rayon::prelude::*;

use crate::suite::SuiteError;
use crate::suite_run::SuiteCase;

/// The widths of the intervals of one operator's float32 outputs in a suite.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Widths {
    /// The width of each element's interval in ULP of the answer; 0 for an exact element.
    pub ulps: Vec<f64>,
    /// The median width of each data set, in ULP.
    pub cases: Vec<f64>,
    /// The number of elements with an interval that is wider than [`RELATIVE`] times the answer, and wider than the
    /// absolute tolerance of ONNX's own test runner.
    pub wide: u64,
    /// The largest of these widths, relative to the answer.
    pub widest: f64,
    /// The name of a case with that width.
    pub widest_case: String,
}

/// The relative tolerance of ONNX's own test runner.
pub const RELATIVE: f64 = 1e-3;

impl Widths {
    /// Returns the median width of the elements in ULP, or 0 if there are no elements.
    pub fn median_ulp(&self) -> f64 {
        median(self.ulps.clone())
    }
}

/// Returns the median, or 0 for an empty list. Of an even number of values it is the upper one of the two in the
/// middle.
pub fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or(0.0)
}

/// Returns whether an operator works element by element: no output element depends on more than one element of each
/// input.
pub fn is_elementwise(operator: &str) -> bool {
    const ELEMENTWISE: &str = " Abs Acos Acosh Add And Asin Asinh Atan Atanh BitShift BitwiseAnd BitwiseNot BitwiseOr \
        BitwiseXor Cast CastLike Ceil Celu Clip Cos Cosh Div Elu Equal Erf Exp Floor Gelu Greater GreaterOrEqual \
        HardSigmoid HardSwish Identity IsInf IsNaN LeakyRelu Less LessOrEqual Log Max Mean Min Mish Mod Mul Neg Not Or \
        PRelu Pow Reciprocal Relu Round Selu Shrink Sigmoid Sign Sin Sinh Softplus Softsign Sqrt Sub Sum Swish Tan Tanh \
        ThresholdedRelu Where Xor ";
    ELEMENTWISE.contains(&format!(" {operator} "))
}

/// The width of an operator's intervals for one type of outputs, on generated cases.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    /// The operator, with its domain if that is not `ai.onnx`.
    pub operator: String,
    /// The type of the outputs.
    pub dtype: DType,
    /// The width that one element in ten exceeds, in ULP of the answer.
    pub ulps: f64,
    /// The case that has the widest of these elements up to this width.
    pub case: String,
    /// The step that makes the intervals wide: a function of `specs/functions.toml`, `sum`, or another step that the
    /// rules of the operator name.
    pub step: String,
}

/// The width of an element, and the place of its case among the cases.
type Wide = (f64, usize);

/// Returns the `count` widest rows, the widest first. Draws `cases` cases of each of these cells. Elements whose width
/// is not finite do not count: a rule leaves them open, or they may overflow.
pub fn widest_rows(cells: &[Cell], cases: u64, seed: u64, count: usize) -> Vec<Row> {
    let reference = Oracle::new(Policy::of_cpu());
    let drawn: Vec<Case> =
        cells.par_iter().flat_map_iter(|cell| (0..cases).filter_map(|i| cell.case(None, i, seed))).collect();
    let widths: Vec<Vec<(DType, f64)>> = drawn.par_iter().map(|case| widths_of(&reference, case)).collect();
    let mut rows: BTreeMap<(String, DType), Vec<Wide>> = BTreeMap::new();
    for (at, (case, widths)) in drawn.iter().zip(widths).enumerate() {
        for (dtype, ulps) in widths {
            rows.entry((case.version.qualified_name(), dtype)).or_default().push((ulps, at));
        }
    }
    let mut rows: Vec<(String, DType, Wide)> =
        rows.into_iter().map(|((operator, dtype), mut wide)| (operator, dtype, upper_tenth(&mut wide))).collect();
    rows.sort_by(|a, b| b.2.0.total_cmp(&a.2.0));
    rows.truncate(count);
    let row = |(operator, dtype, (ulps, at)): (String, DType, Wide)| {
        let step = widening_step(&drawn[at], dtype, ulps);
        Row { operator, dtype, ulps, case: drawn[at].id.clone(), step }
    };
    rows.into_par_iter().map(row).collect()
}

/// Returns the element that one element in ten is wider than.
fn upper_tenth(wide: &mut [Wide]) -> Wide {
    wide.sort_by(|a, b| a.0.total_cmp(&b.0).then(b.1.cmp(&a.1)));
    wide.get(wide.len().saturating_sub(1) * 9 / 10).copied().unwrap_or_default()
}

/// Returns the type and the width of each float element that the oracle answers, unless the width is not finite.
fn widths_of(reference: &Oracle, case: &Case) -> Vec<(DType, f64)> {
    let Ok(outputs) = reference.answer(&case.model, &case.inputs) else { return vec![] };
    let floats = outputs.iter().filter_map(|output| output.tensor().ok()).filter(|e| e.dtype().is_float());
    let widths = floats.flat_map(|e| (0..e.len()).map(|i| (e.dtype(), e.width_ulp(i))).collect::<Vec<_>>());
    widths.filter(|(_, ulps)| ulps.is_finite()).collect()
}

/// Returns the step that makes the intervals of a case wide: the function without whose error they are narrowest. If no
/// function's error makes half of the width, it is the sum if the operator has one, and otherwise the last step that
/// the rules of the operator name.
fn widening_step(case: &Case, dtype: DType, ulps: f64) -> String {
    let operator = plumbline_spec::Spec::embedded().operator(&case.version.domain, &case.version.name);
    let rules = operator.and_then(|o| o.rules.as_ref());
    let steps = rules.into_iter().flat_map(|rules| &rules.accuracy).filter(|a| a.versions.contains(case.version.since));
    let mut steps: Vec<&str> = steps.map(|accuracy| accuracy.step.as_str()).collect();
    steps.dedup();
    let width = |widths: Vec<(DType, f64)>| -> f64 {
        widths.into_iter().filter(|(of, _)| *of == dtype).map(|(_, ulps)| ulps).fold(0.0, f64::max)
    };
    let none = Ulp { float: Some(0.0), double: Some(0.0), half: Some(0.0) };
    let without = |step: &str| {
        let own = BTreeMap::from([(step.to_owned(), none)]);
        let exact = Numerics { accuracy: CPU_ACCURACY.to_owned(), ulp: own, ..Numerics::default() };
        let policy = Policy::new(&exact).ok()?;
        Some(width(widths_of(&Oracle::new(policy), case)))
    };
    let whole = width(widths_of(&Oracle::new(Policy::of_cpu()), case)).max(ulps);
    let functions = steps.iter().filter_map(|step| Some((without(step)?, *step)));
    match functions.min_by(|a, b| a.0.total_cmp(&b.0)) {
        Some((rest, step)) if rest <= whole / 2.0 => step.to_owned(),
        _ if steps.contains(&"sum") => "sum".to_owned(),
        _ => steps.last().map_or_else(|| "no step".to_owned(), |step| (*step).to_owned()),
    }
}

/// Measures the widths of a suite's float32 outputs by operator. Cases with several nodes, and cases that the oracle
/// refuses, do not count.
pub fn tightness(cases: &[SuiteCase]) -> Result<BTreeMap<String, Widths>, SuiteError> {
    let reference = Oracle::default();
    let mut found: BTreeMap<String, Widths> = BTreeMap::new();
    for case in cases {
        let folder = crate::suite::CaseFolder::read(&case.path)?;
        let [node] = folder.model.graph().node.as_slice() else { continue };
        for set in &folder.data_sets {
            let Ok(outputs) = reference.answer(&folder.model, &set.inputs) else { continue };
            let widths = found.entry(node.op_type.clone().unwrap_or_default()).or_default();
            let before = widths.ulps.len();
            for output in &outputs {
                if let Operand::Tensor(expected) = output
                    && expected.dtype() == DType::Float
                {
                    widths.take(expected, &case.name);
                }
            }
            if widths.ulps.len() > before {
                widths.cases.push(median(widths.ulps[before..].to_vec()));
            }
        }
    }
    found.retain(|_, widths| !widths.ulps.is_empty());
    Ok(found)
}

impl Widths {
    fn take(&mut self, expected: &Expected, case: &str) {
        for index in 0..expected.len() {
            let ulp = expected.width_ulp(index);
            self.ulps.push(ulp);
            let Some(Bounds::Real(reals)) = &expected.bounds else { continue };
            let real = &reals[index];
            let width = real.high - real.low;
            let relative = if width == 0.0 || width.is_nan() { 0.0 } else { width / real.mid.abs() };
            // Near zero the suite's absolute tolerance is larger than its relative one.
            if relative > RELATIVE && width > 1e-7 {
                self.wide += 1;
                if relative > self.widest {
                    self.widest = relative;
                    self.widest_case = case.to_owned();
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Selection;

    fn rows(operators: &[&str]) -> Vec<Row> {
        let names: Vec<String> = operators.iter().map(|name| (*name).to_owned()).collect();
        let none: [&str; 0] = [];
        widest_rows(&Selection::new(&names, &none).unwrap().cells(), 4, 0, 10)
    }

    /// The cosine is the only step of Cos, and Abs has none that rounds.
    #[test]
    fn a_row_names_the_step_that_makes_it_wide() {
        let rows = rows(&["Cos-22", "Abs-13"]);
        let of = |dtype: DType| rows.iter().find(|row| row.operator == "Cos" && row.dtype == dtype).unwrap();
        assert_eq!(of(DType::Float).step, "cos");
        assert!(of(DType::Float).ulps > 7.0 && of(DType::Float).ulps < 9.0, "{rows:?}");
        assert!(rows.iter().all(|row| row.operator != "Abs" || row.ulps == 0.0), "{rows:?}");
        assert!(rows.windows(2).all(|pair| pair[0].ulps >= pair[1].ulps), "{rows:?}");
    }
}
