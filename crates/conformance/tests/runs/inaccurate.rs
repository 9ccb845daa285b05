//! Backends that are inaccurate on purpose, and such that are wrong: the run has to tell them apart, and may accept only
//! the former.

use plumbline_backend::{Backend, Profile};
use plumbline_conformance::model::judge;
use plumbline_conformance::{CaseResult, FailKind, Outcome, ReasonKind, Run, Settings, Verdict, Work};
use plumbline_generator::cells;
use plumbline_oracle::{Arithmetic, Oracle};
use plumbline_tensor::{DType, Saturation, Tensor, Value};

use crate::common::{Silent, local, new_folder, results};
use crate::twisted::Twisted;

/// Returns the answer of an inaccurate backend from the inputs and the right answer.
pub type Twist = fn(&[Value], Vec<Value>) -> Vec<Value>;

/// Runs a backend on the newest version of an operator with one element type. The run accepts these kinds of failure.
pub fn run(operator: &str, dtype: DType, twist: Twist, accepted: &[FailKind]) -> (Outcome, Vec<CaseResult>) {
    let newest = cells().into_iter().filter(|c| c.version.id.name == operator).map(|c| c.version.since()).max();
    let is_wanted = |c: &plumbline_generator::Cell| {
        let is_of_type = c.bound.as_ref().is_some_and(|(_, type_)| type_.leaf_dtype() == dtype);
        c.version.id.name == operator && Some(c.version.since()) == newest && is_of_type
    };
    let work: Vec<Work> = cells().into_iter().filter(is_wanted).map(|c| Work::Cell(c, None)).collect();
    assert!(!work.is_empty(), "{operator} has no cell of {dtype}");
    let backend = move || -> Box<dyn Backend> {
        Twisted::boxed(Profile::default(), move |_| {
            Box::new(move |inner, inputs| Ok(twist(inputs, inner.run(inputs)?)))
        })
    };
    let accepted = accepted.to_vec();
    let settings = Settings { cases: 60, out: new_folder(), accepted, ..Settings::default() };
    let subjects = [local("twisted", backend)];
    let run = Run { settings: &settings, subjects: &subjects, expectations: &[], progress: &Silent };
    let outcome = run.run(work).unwrap();
    (outcome, results(&settings.out))
}

fn failed(results: &[CaseResult], kind: FailKind) -> Vec<&CaseResult> {
    results.iter().filter(|r| r.kind == Some(kind)).collect()
}

/// Asserts that a backend is inaccurate on some cases and never wrong, and that a run which accepts it is green.
fn only_inaccurate(operator: &str, dtype: DType, twist: Twist, reasons: &[ReasonKind]) {
    let (outcome, found) = run(operator, dtype, twist, &[]);
    let inaccurate = failed(&found, FailKind::Inaccurate);
    assert!(outcome.unexpected_count > 0 && !inaccurate.is_empty(), "{operator}: nothing was noticed");
    let others: Vec<&CaseResult> =
        found.iter().filter(|r| r.verdict.is_bad() && r.kind != Some(FailKind::Inaccurate)).collect();
    assert!(others.is_empty(), "{operator}: {others:?}");
    for reason in reasons {
        assert!(inaccurate.iter().any(|r| r.reason == Some(*reason)), "{operator}: no {reason:?}: {inaccurate:?}");
    }
    let (accepting, found) = run(operator, dtype, twist, &[FailKind::Inaccurate]);
    assert_eq!((accepting.unexpected_count, outcome.cases), (0, accepting.cases));
    let listed = failed(&found, FailKind::Inaccurate);
    assert_eq!(listed.len(), inaccurate.len(), "accepted results stay in the file");
    assert!(listed.iter().all(|r| r.expected_verdict == Some(Verdict::Fail) && r.known.is_some()), "{listed:?}");
}

/// Asserts that a backend is wrong on some cases, which fail the run even if it accepts inaccurate answers.
fn wrong(operator: &str, dtype: DType, twist: Twist) -> Vec<CaseResult> {
    let (outcome, results) = run(operator, dtype, twist, &[FailKind::Inaccurate]);
    assert!(!failed(&results, FailKind::WrongValue).is_empty(), "{operator}: nothing is wrong");
    assert_eq!(outcome.unexpected_count, failed(&results, FailKind::WrongValue).len() as u64);
    results
}

/// Replaces the elements of the answer's tensors by what `f` returns for each element and its index.
pub fn map(values: Vec<Value>, f: impl Fn(usize, f64) -> f64) -> Vec<Value> {
    let change = |value: Value| match value {
        Value::Tensor(t) => {
            let format = t.dtype().float_format().unwrap();
            let bits = (0..t.len()).map(|i| match t.f64_at(i) {
                x if x.is_finite() => format.encode(f(i, x), Saturation::None),
                _ => t.bits_at(i),
            });
            Tensor::from_bits(t.dtype(), t.shape().to_vec(), bits.collect::<Vec<_>>().into_iter()).unwrap().into()
        }
        other => other,
    };
    values.into_iter().map(change).collect()
}

fn floats(value: &Value) -> Vec<f64> {
    value.as_tensor().unwrap().to_f64s()
}

/// Sigmoid by `1 - 1 / (1 + e^x)`, which is 0 where x is below -17. Where no element is large, this is explained as a less
/// accurate formula.
#[test]
fn a_tail_that_vanishes_beside_large_elements_is_inaccurate() {
    let twist: Twist = |inputs, answer| {
        let Some(x) = inputs.first().map(floats) else { return answer };
        map(answer, |i, y| if x[i] < 0.0 { f64::from(1.0 - 1.0 / (1.0 + (x[i] as f32).exp())) } else { y })
    };
    let (outcome, found) = run("Sigmoid", DType::Float, twist, &[]);
    let inaccurate = failed(&found, FailKind::Inaccurate);
    let by = |reason| inaccurate.iter().filter(|r| r.reason == Some(reason)).count();
    let counts = [by(ReasonKind::LargestElement), by(ReasonKind::Arithmetic(Arithmetic::SigmoidByTanh))];
    assert!(counts[0] > 3 && counts[1] > 0 && counts.iter().sum::<usize>() == inaccurate.len(), "{inaccurate:?}");
    assert_eq!(outcome.unexpected_count, inaccurate.len() as u64);
    let detail = inaccurate[0].detail.as_deref().unwrap();
    assert!(detail.contains("of the largest element of the output") && detail.contains("ULP"), "{detail}");
}

/// Sigmoid that is 0 below -5, where it is up to 0.007.
#[test]
fn a_tail_that_is_cut_off_is_wrong() {
    let twist: Twist = |inputs, answer| {
        let Some(x) = inputs.first().map(floats) else { return answer };
        map(answer, |i, y| if x[i] < -5.0 { 0.0 } else { y })
    };
    wrong("Sigmoid", DType::Float, twist);
}

/// Cuts off the bits of a float that TensorFloat-32 has no place for.
fn in_tf32(x: f64) -> f64 {
    f64::from(f32::from_bits((x as f32).to_bits() & !0x1fff))
}

/// A product of matrices on a unit that computes in TensorFloat-32.
#[test]
fn products_in_tf32_are_inaccurate() {
    let twist: Twist = |inputs, answer| match inputs {
        // Near the largest number, the accepted interval reaches to infinity and explains nothing.
        [a, b] if ![a, b].into_iter().flat_map(floats).any(|x| x.abs() > 1e15) => {
            let model = "<ir_version: 8, opset_import: [\"\" : 13]> g (float[n] a, float[m] b) => (float[k] y) { y = MatMul (a, b) }";
            let rounded = map(vec![a.clone(), b.clone()], |_, x| in_tf32(x));
            let product = Oracle::default().answer(&model.parse().unwrap(), &rounded);
            product.map_or(answer, |product| product.iter().map(|operand| operand.to_value()).collect())
        }
        _ => answer,
    };
    only_inaccurate("MatMul", DType::Float, twist, &[ReasonKind::Arithmetic(Arithmetic::ProductsInTf32)]);
}

#[test]
fn a_wrong_product_is_wrong() {
    let twist: Twist = |inputs, answer| match inputs {
        [a, b] => {
            let most =
                |value: &Value| floats(value).iter().filter(|x| x.is_finite()).fold(0.0f64, |m, x| m.max(x.abs()));
            let product = most(a) * most(b);
            map(answer, |i, y| if i == 0 { y + product } else { y })
        }
        _ => answer,
    };
    let results = wrong("MatMul", DType::Float, twist);
    let inaccurate = failed(&results, FailKind::Inaccurate);
    assert!(inaccurate.is_empty(), "{inaccurate:?}");
}

#[test]
fn double_in_float_is_inaccurate() {
    let reason = ReasonKind::Arithmetic(Arithmetic::DoubleAsFloat);
    only_inaccurate("Softmax", DType::Double, |_, answer| map(answer, |_, y| f64::from(y as f32)), &[reason]);
}

/// An element in place of another one, in an operator that selects elements and in one that moves them.
#[test]
fn another_element_is_wrong() {
    let twist: Twist = |_, answer| {
        let rotated = |value: &Value| {
            let t = value.as_tensor().unwrap();
            let bits = (0..t.len()).map(|i| t.bits_at((i + 1) % t.len()));
            Tensor::from_bits(t.dtype(), t.shape().to_vec(), bits.collect::<Vec<_>>().into_iter()).unwrap().into()
        };
        answer.iter().map(rotated).collect()
    };
    for operator in ["Max", "Expand"] {
        let results = wrong(operator, DType::Float, twist);
        let inaccurate = failed(&results, FailKind::Inaccurate);
        assert!(inaccurate.is_empty(), "{operator}: {inaccurate:?}");
    }
}

/// Returns how the answer to a model with the input `x` and the output `y` fails, and why.
fn judged(node: &str, dtype: DType, x: &[f64], y: &[f64]) -> (Option<FailKind>, Option<ReasonKind>) {
    let text = format!(
        "<ir_version: 8, opset_import: [\"\" : 14]> g ({dtype}[{}] x) => ({dtype}[{}] y) {{ {node} }}",
        x.len(),
        y.len()
    );
    let tensor = |values: &[f64]| Value::from(Tensor::from_f64s(dtype, vec![values.len()], values).unwrap());
    let judgement = judge(&Oracle::default(), &text.parse().unwrap(), &[tensor(x)], &[tensor(y)]).unwrap();
    assert_eq!(judgement.kind, judgement.outputs[0].judgement.kind);
    (judgement.kind, judgement.outputs[0].judgement.reason.kind())
}

#[test]
fn the_error_is_measured_against_the_largest_element() {
    let sigmoid = |x: &[f64], y: &[f64]| judged("y = Sigmoid (x)", DType::Float, x, y);
    let (wrong, inaccurate) =
        ((Some(FailKind::WrongValue), None), (Some(FailKind::Inaccurate), Some(ReasonKind::LargestElement)));
    let large = 0.9525741268224334;
    assert_eq!(sigmoid(&[-25.0, 3.0], &[0.0, large]), inaccurate);
    let by_tanh = (Some(FailKind::Inaccurate), Some(ReasonKind::Arithmetic(Arithmetic::SigmoidByTanh)));
    assert_eq!(sigmoid(&[-25.0], &[0.0]), by_tanh, "the output has no larger element");
    assert_eq!(judged("y = Exp (x)", DType::Float, &[-25.0, 0.0], &[0.0, 1.0]), wrong, "e^0 is exact");
    assert_eq!(judged("y = Exp (x)", DType::Float, &[-25.0, 0.5], &[0.0, 1.6487212181091309]), inaccurate);
    assert_eq!(sigmoid(&[-10.0, 3.0], &[0.0, large]), wrong, "the error is 4.5e-5");
    assert_eq!(sigmoid(&[-25.0, 3.0], &[0.0, 0.9]), wrong, "the largest element is wrong itself");
    assert_eq!(sigmoid(&[-25.0, 3.0], &[f64::NAN, large]), wrong);
    // The result of a step that is rounded correctly has no error that others could be measured by.
    assert_eq!(judged("y = Add (x, x)", DType::Float, &[3e-9, 3e3 + 0.1], &[0.0, 6e3 + 0.2]), wrong);
    assert_eq!(judged("y = Identity (x)", DType::Float, &[3e-9, 3e3], &[0.0, 3e3]), wrong);
    assert_eq!(judged("y = Floor (x)", DType::Float, &[1.5, 3e30], &[2.0, 3e30]), wrong);
}

/// 0.1 added forty times in float16 is 3.982, and 4 in float.
#[test]
fn sums_in_float16_are_inaccurate() {
    let half = DType::Float16.float_format().unwrap();
    let rounded = |x: f64| half.nearest(x);
    let x = [rounded(0.1); 400];
    let y = x.iter().fold(0.0, |sum, x| rounded(sum + x));
    let sum = |y: f64| judged("y = ReduceSum <keepdims = 1> (x)", DType::Float16, &x, &[y]);
    assert_eq!(sum(y).1, Some(ReasonKind::Arithmetic(Arithmetic::SumsInType)));
    assert_eq!(sum(rounded(x[0] * 400.0)), (None, None));
    assert_eq!(sum(2.0 * y).0, Some(FailKind::WrongValue));
}

/// 1.35 is 1.3496 in float16.
#[test]
fn a_cast_to_float16_that_is_left_out_is_inaccurate() {
    let casts = "h = Cast <to = 10> (x) y = Cast <to = 1> (h)";
    let judged = |y: f64| judged(casts, DType::Float, &[f64::from(1.35f32)], &[y]);
    let left_out = (Some(FailKind::Inaccurate), Some(ReasonKind::Arithmetic(Arithmetic::HalvesInFloat)));
    assert_eq!(judged(f64::from(1.35f32)), left_out);
    assert_eq!(judged(1.349609375), (None, None));
    assert_eq!(judged(1.3505859375), (Some(FailKind::WrongValue), None), "it is the next float16");
}

/// A result beyond the range of its type is infinite. Without this rounding, nodes that follow may compute with the exact
/// number.
#[test]
fn nodes_that_follow_an_overflow_read_an_infinity_or_the_exact_number() {
    let after = |node: &str, y: f64| judged(&format!("m = Mul (x, x) {node}"), DType::Float, &[-3e38], &[y]).0;
    let largest = f64::from(f32::MAX);
    assert_eq!(after("y = Clip (m)", largest), None);
    assert_eq!(after("y = Clip (m)", f64::INFINITY), None);
    assert_eq!(after("y = Clip (m)", 3e38), Some(FailKind::WrongValue));
    // Minus infinity times zero is NaN, and a large number times zero is zero.
    assert_eq!(after("n = Neg (m) y = HardSwish (n)", f64::NAN), None);
    assert_eq!(after("n = Neg (m) y = HardSwish (n)", -0.0), None);
    assert_eq!(after("n = Neg (m) y = HardSwish (n)", -1.0), Some(FailKind::WrongValue));
}

/// x * (1 / x) is 1, which an implementation may compute in one step; for 49, rounding both steps gives another number.
#[test]
fn two_steps_on_doubles_may_be_one() {
    let judged = |y: f64| {
        judged(
            "c = Constant <value_float = 1.0> () d = Cast <to = 11> (c) r = Div (d, x) y = Mul (x, r)",
            DType::Double,
            &[49.0],
            &[y],
        )
        .0
    };
    assert_eq!(judged(0.9999999999999999), None);
    assert_eq!(judged(1.0), None);
    assert!(judged(1.0 + f64::EPSILON).is_some());
}

/// The mean of 5, 0 and 0 is 1.667 in float16, whose square is 2.779; the square of 5/3 is 2.777.
#[test]
fn a_mean_may_be_joined_with_the_node_that_reads_it() {
    let text = "m = ReduceMean <keepdims = 1> (x) y = Mul (m, m)";
    let judged = |y: f64| judged(text, DType::Float16, &[5.0, 0.0, 0.0], &[y]).0;
    assert_eq!(judged(2.779296875), None);
    assert_eq!(judged(2.77734375), None);
    assert!(judged(2.775390625).is_some());
}
