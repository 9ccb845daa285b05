//! Measures the width of the oracle's intervals. An interval that is too wide accepts wrong answers.

use std::collections::BTreeMap;

use plumbline_oracle::{Bounds, Expected, Operand, Reference};
use plumbline_tensor::DType;

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

/// Measures the widths of a suite's float32 outputs by operator. Cases with several nodes, and cases that the oracle
/// refuses, do not count.
pub fn tightness(cases: &[SuiteCase]) -> Result<BTreeMap<String, Widths>, SuiteError> {
    let reference = Reference::default();
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
