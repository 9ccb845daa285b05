//! Checks that the oracle accepts enough where its inputs are uncertain, as those of a node inside of a graph are. A few
//! values are accepted in place of each input element, and the oracle says what is accepted then. Whatever it says for
//! inputs that are certain, and are among those values, has to be accepted: an implementation may have had them.
//! `PLUMBLINE_OP=Clip` restricts the test to one operator, and `PLUMBLINE_CASES=100` sets the number of cases for each
//! cell.

// Over 400 lines: how inputs are uncertain, and what is then compared.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};

use plumbline_generator::{Case, Cell};
use plumbline_graph::{Refusal, RefusalKind};
use plumbline_oracle::{
    Allowed, Evaluation, Expected, Int, Judged, Number, NumberKind, Operand, Oracle, Policy, Real, aligned,
    disagreement,
};
use plumbline_spec::{Determinism, rule};
use plumbline_tensor::{DType, Tensor, Value};
use rayon::prelude::*;

use crate::selected_cells;

/// The number of cases for each cell.
const CASES: u64 = 3;
/// The number of certain inputs that are drawn from the uncertain ones of a case. The first has the preferred values, the
/// next two have the ends of the intervals.
const POINTS: usize = 6;
/// The largest number of elements of all inputs of a case.
const MOST_ELEMENTS: usize = 4096;

/// How the elements of an input are uncertain.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Uncertainty {
    /// They are certain.
    None,
    /// A few units in the last place.
    Narrow,
    /// A thousandth of the element; for integers, 1 to 3.
    Wide,
    /// Everything between the element and the same with the other sign; for integers, everything between it and 0.
    AcrossZero,
    /// A small interval around zero.
    NearZero,
    /// One of a few integers, as behind `Round`, or a single one that does not show in its ends that it is certain.
    Whole,
    /// Infinity may be there as well, as after an overflow.
    UpToInfinity,
    /// NaN may be there as well.
    OrNan,
    /// A rule leaves open which of two values is there.
    OrAnother,
    /// A rule allows any value.
    Undecided,
}

/// What was found in the cases of one operator.
#[derive(Debug, Default)]
struct Found {
    cases: usize,
    points: usize,
    /// The number of uncertain cases that the oracle refuses because it has no answer.
    refused: usize,
    /// The objections, each with the number of elements of the inputs.
    wrong: Vec<(usize, String)>,
}

/// Draws how an input is uncertain.
fn uncertainty(tensor: &Tensor, rng: &mut fastrand::Rng) -> Uncertainty {
    use Uncertainty::{AcrossZero, Narrow, NearZero, None, OrAnother, OrNan, Undecided, UpToInfinity, Whole, Wide};
    let dtype = tensor.dtype();
    let kinds: &[Uncertainty] = match dtype {
        _ if dtype.is_float() => {
            &[None, Narrow, Narrow, Wide, Wide, Whole, AcrossZero, NearZero, UpToInfinity, OrNan, OrAnother, Undecided]
        }
        _ if dtype.is_integer() => &[None, None, None, Wide, Wide, AcrossZero, OrAnother, Undecided],
        DType::Bool => &[None, Wide, OrAnother, Undecided],
        DType::String => &[None, OrAnother, Undecided],
        _ => &[None, Undecided],
    };
    kinds[rng.usize(..kinds.len())]
}

fn uncertain_real(x: f64, dtype: DType, others: &[f64], how: Uncertainty, rng: &mut fastrand::Rng) -> Number {
    let exact = Real { low: x, mid: x, high: x, ..Real::constant(0.0, dtype) };
    let exact = Real { nan: x.is_nan(), signed_zero: true, ..exact };
    let format = dtype.float_format().expect("the type is a floating-point type");
    let around = |less: f64, more: f64| match x.is_finite() {
        true => {
            let bound = |x: f64| x.clamp(-format.max_finite(), format.max_finite());
            Real { low: bound(x - less), high: bound(x + more), signed_zero: false, ..exact }.into()
        }
        false => exact.into(),
    };
    match how {
        Uncertainty::None => exact.into(),
        Uncertainty::Narrow => around(f64::from(rng.u8(0..4)) * format.ulp(x), f64::from(rng.u8(0..4)) * format.ulp(x)),
        Uncertainty::Wide => around(x.abs() * 1e-3, x.abs() * 1e-3),
        // A sum of such intervals would leave the range of the type.
        Uncertainty::AcrossZero if x.abs() > format.max_finite() / 4.0 => exact.into(),
        Uncertainty::AcrossZero if x > 0.0 => around(2.0 * x, 0.0),
        Uncertainty::AcrossZero => around(0.0, -2.0 * x),
        Uncertainty::NearZero => {
            let tiny = format.ulp(1.0) * f64::from(rng.u8(1..4));
            Real { low: -tiny, mid: 0.0, high: tiny, signed_zero: false, ..exact }.into()
        }
        Uncertainty::Whole if x.fract() == 0.0 && x.abs() < 1.0 / format.ulp(1.0) => {
            let bound = |x: f64| x.clamp(-format.max_finite().trunc(), format.max_finite().trunc());
            let (low, high) = (bound(x - f64::from(rng.u8(0..3))), bound(x + f64::from(rng.u8(0..3))));
            Real { low, mid: x, high, integral: true, signed_zero: false, ..exact }.into()
        }
        Uncertainty::Whole => exact.into(),
        Uncertainty::UpToInfinity if x.is_finite() && x != 0.0 => {
            let (low, high) = if x > 0.0 { (x, f64::INFINITY) } else { (f64::NEG_INFINITY, x) };
            Real { low, high, ..exact }.into()
        }
        Uncertainty::UpToInfinity => exact.into(),
        Uncertainty::OrNan => Real { nan: true, ..exact }.into(),
        Uncertainty::OrAnother => {
            Number::from(exact).or(Allowed::real(others[rng.usize(..others.len())]), rule::INTERMEDIATE_OVERFLOW)
        }
        Uncertainty::Undecided => Number::from(exact).undecided(rule::INTERMEDIATE_OVERFLOW),
    }
}

fn uncertain_int(x: i128, dtype: DType, others: &[i128], how: Uncertainty, rng: &mut fastrand::Rng) -> Number {
    let exact = Number::int(x, dtype);
    let (least, most) = dtype.integer_range().unwrap_or((0, 1));
    let range = |low: i128, high: i128| Int { low: low.max(least), mid: x, high: high.min(most), dtype }.into();
    match how {
        Uncertainty::Wide => range(x - i128::from(rng.u8(0..4)), x + i128::from(rng.u8(0..4))),
        Uncertainty::AcrossZero => range(x.min(0), x.max(0)),
        Uncertainty::OrAnother => {
            exact.or(Allowed::int(others[rng.usize(..others.len())]), rule::INTERMEDIATE_OVERFLOW)
        }
        Uncertainty::Undecided => exact.undecided(rule::INTERMEDIATE_OVERFLOW),
        _ => exact,
    }
}

/// Returns the tensor with other values accepted in place of some of its elements.
fn uncertain_tensor(tensor: &Tensor, rng: &mut fastrand::Rng) -> Expected {
    let how = uncertainty(tensor, rng);
    let plain = Expected::from(tensor.clone());
    if how == Uncertainty::None || tensor.is_empty() {
        return plain;
    }
    let share = if rng.bool() { 1.0 } else { 0.3 };
    let chosen: Vec<bool> = (0..tensor.len()).map(|_| rng.f64() < share).collect();
    let of = |i: usize| if chosen[i] { how } else { Uncertainty::None };
    let dtype = tensor.dtype();
    if dtype.is_float() {
        let values = tensor.to_f64s();
        let mut others = values.clone();
        others.extend([0.0, 1.0, -1.0].map(|x| nearest(x, dtype)));
        let numbers = (0..values.len()).map(|i| uncertain_real(values[i], dtype, &others, of(i), rng));
        return Expected::from_numbers(dtype, tensor.shape().to_vec(), numbers).unwrap();
    }
    if dtype.is_integer() || dtype == DType::Bool {
        let values = tensor.to_i128s();
        let mut others = values.clone();
        others.extend([0, 1]);
        let numbers = (0..values.len()).map(|i| uncertain_int(values[i], dtype, &others, of(i), rng));
        return Expected::from_numbers(dtype, tensor.shape().to_vec(), numbers).unwrap();
    }
    match how {
        Uncertainty::OrAnother => {
            let other: Vec<usize> = (0..tensor.len()).map(|_| rng.usize(..tensor.len())).collect();
            let others = |i: usize| if chosen[i] { vec![other[i]] } else { vec![] };
            plain.clone().or_elements(rule::INTERMEDIATE_OVERFLOW, &plain, others)
        }
        _ => plain.undecided_where(rule::INTERMEDIATE_OVERFLOW, |i| chosen[i]),
    }
}

/// Returns an operand whose tensors are mapped by `f`.
fn mapped(value: &Value, f: &mut impl FnMut(&Tensor) -> Expected) -> Operand {
    let mut all = |items: &[Value]| items.iter().map(|item| mapped(item, f)).collect();
    match value {
        Value::Tensor(tensor) => Operand::from(f(tensor)),
        Value::Sequence { element, items } => Operand::Sequence { element: element.clone(), items: all(items) },
        Value::Map { keys, element, items } => {
            Operand::Map { keys: keys.clone(), element: element.clone(), items: all(items) }
        }
        Value::Optional { element, item } => {
            Operand::Optional { element: element.clone(), item: item.as_ref().map(|item| Box::new(mapped(item, f))) }
        }
        other => Operand::from(other),
    }
}

/// Returns the value of an operand, with each tensor replaced by what `f` makes of it.
fn value_of(operand: &Operand, f: &mut impl FnMut(&Expected) -> Tensor) -> Value {
    let mut all = |items: &[Operand]| items.iter().map(|item| value_of(item, f)).collect();
    match operand {
        Operand::Tensor(expected) => Value::Tensor(f(expected)),
        Operand::Sequence { element, items } => Value::Sequence { element: element.clone(), items: all(items) },
        Operand::Map { keys, element, items } => {
            Value::Map { keys: keys.clone(), element: element.clone(), items: all(items) }
        }
        Operand::Optional { element, item } => {
            Value::Optional { element: element.clone(), item: item.as_ref().map(|item| Box::new(value_of(item, f))) }
        }
        Operand::Other(value) => value.clone(),
    }
}

/// Returns the number of the type nearest to `x`.
fn nearest(x: f64, dtype: DType) -> f64 {
    let format = dtype.float_format().expect("the type is a floating-point type");
    format.nearest(x)
}

/// Returns whether an interval has only a few numbers of the type, or would have in the range of normal numbers. The
/// oracle may bound the errors of certain operands more generously than it has to.
fn is_small(real: &Real) -> bool {
    let format = real.dtype.float_format().expect("the type is a floating-point type");
    let subnormal = real.low.abs().max(real.high.abs()) < format.min_normal();
    subnormal || real.high - real.low < 64.0 * format.ulp(real.mid)
}

/// Returns whether a number is close to the largest one of its type.
fn is_near_overflow(real: &Real) -> bool {
    real.mid.abs() > 0.5 * real.dtype.float_format().map_or(f64::MAX, |format| format.max_finite())
}

/// Returns the number a quarter of the way from the preferred value to an end of its interval.
fn between(end: f64, mid: f64) -> f64 {
    if end.is_finite() && mid.is_finite() { end * 0.25 + mid * 0.75 } else { mid }
}

/// Returns numbers of an outcome: an infinity, or two between its ends; one if the interval has only a few numbers of the
/// type. Between the ends of a large interval may be numbers that are no outcomes, because a set has few intervals.
fn inside(low: f64, high: f64, dtype: DType) -> Vec<f64> {
    match high - low < 1e-2 * low.abs() {
        true if is_small(&Real { low, mid: low, high, ..Real::constant(0.0, dtype) }) => vec![low + (high - low) / 2.0],
        true => vec![between(low, high), between(high, low)],
        false => [low, high].into_iter().filter(|end| end.is_infinite()).collect(),
    }
}

/// Which of the values that are accepted for an element is taken.
#[derive(Clone, Copy, Debug)]
enum Pick {
    Preferred,
    Low,
    High,
    /// A quarter of the way from the preferred value to an end. The ends themselves are computed with errors of their
    /// own, and may be wider than they have to be.
    Lower,
    Higher,
    /// The preferred one, but a zero has the other sign.
    OtherZero,
    /// An end of one of the outcomes.
    Outcome(usize),
    Random,
}

impl Pick {
    /// Returns a real number that is accepted in place of this one, before it is rounded to the type.
    fn real(self, number: &Number, rng: &mut fastrand::Rng) -> f64 {
        let real = number.real();
        let outcomes: Vec<f64> = match number.latitude.map(|latitude| latitude.allowed) {
            Some(Allowed::Reals(reals)) => {
                let ends = reals
                    .ranges()
                    .iter()
                    .flat_map(|&(low, high)| if low == high { vec![low] } else { inside(low, high, real.dtype) });
                ends.chain(reals.nan.then_some(f64::NAN)).collect()
            }
            Some(_) => vec![0.0, f64::NAN, f64::INFINITY, -1.0, 3.5],
            None => vec![],
        };
        let outcomes: Vec<f64> = outcomes.into_iter().chain(real.nan.then_some(f64::NAN)).collect();
        let whole = |x: f64| if real.integral { x.round_ties_even() } else { x };
        match self {
            Pick::Preferred => real.mid,
            Pick::Low => real.low,
            Pick::High => real.high,
            Pick::Lower | Pick::Higher if is_small(&real) => real.mid,
            Pick::Lower => whole(between(real.low, real.mid)),
            Pick::Higher => whole(between(real.high, real.mid)),
            // Near the largest number, it depends on the order of a sum what overflows.
            Pick::Outcome(_) if is_near_overflow(&real) => real.mid,
            Pick::OtherZero => {
                if real.mid == 0.0 {
                    -real.mid
                } else {
                    real.mid
                }
            }
            Pick::Outcome(at) => outcomes.get(at).copied().unwrap_or(real.mid),
            Pick::Random => match rng.u8(..6) {
                0 => real.low,
                1 => real.high,
                2 => real.mid,
                3 if !outcomes.is_empty() => outcomes[rng.usize(..outcomes.len())],
                4 if real.low <= 0.0 && real.high >= 0.0 => -0.0,
                _ if real.high.is_finite() && real.low.is_finite() => {
                    whole(real.low + (real.high - real.low) * rng.f64())
                }
                _ => real.mid,
            },
        }
    }

    /// Does the same for an integer or a bool.
    fn int(self, int: &Int, allowed: Option<Allowed>, rng: &mut fastrand::Rng) -> i128 {
        let outcomes: Vec<i128> = match allowed {
            Some(Allowed::Ints(ints)) => ints.ranges().iter().flat_map(|&(low, high)| [low, high]).collect(),
            Some(Allowed::Among(set)) => (0..128).filter(|bit| set >> bit & 1 == 1).collect(),
            Some(_) => vec![0, 1, 2],
            None => vec![],
        };
        match self {
            Pick::Preferred | Pick::OtherZero => int.mid,
            Pick::Low | Pick::Lower => int.low,
            Pick::High | Pick::Higher => int.high,
            Pick::Outcome(at) => outcomes.get(at).copied().unwrap_or(int.mid),
            Pick::Random if !outcomes.is_empty() && rng.bool() => outcomes[rng.usize(..outcomes.len())],
            Pick::Random => int.low + i128::from(rng.u64(..)) % (int.high - int.low + 1),
        }
    }

    /// Returns a tensor of elements that `expected` accepts.
    fn tensor(self, expected: &Expected, rng: &mut fastrand::Rng) -> Tensor {
        let (dtype, shape) = (expected.dtype(), expected.shape().to_vec());
        let picked = if dtype.is_float() {
            let values: Vec<f64> = expected.numbers().map(|x| nearest(self.real(&x, rng), dtype)).collect();
            Tensor::from_f64s(dtype, shape, &values).unwrap()
        } else if dtype.is_integer() || dtype == DType::Bool {
            let mut value = |x: Number| match x.kind {
                NumberKind::Int(int) => self.int(&int, x.latitude.map(|l| l.allowed), rng),
                NumberKind::Real(real) => real.mid as i128,
            };
            let values: Vec<i128> = expected.numbers().map(&mut value).collect();
            Tensor::from_i128s(dtype, shape, &values).unwrap()
        } else {
            let any = |i: usize| rng.usize(..expected.len().max(1)).min(i + 8);
            Expected::from(expected.tensor.clone()).rearranged(shape, any).unwrap().tensor
        };
        // What was rounded out of the interval is replaced by the preferred element, and so is a NaN with other bits.
        let is_nan = |tensor: &Tensor, i: usize| dtype.is_float() && tensor.f64_at(i).is_nan();
        let is_accepted: Vec<bool> = (0..picked.len())
            .map(|i| {
                expected.judge(&picked, i) != Judged::Wrong && !(is_nan(&picked, i) && is_nan(&expected.tensor, i))
            })
            .collect();
        let (picked, preferred) = (Expected::from(picked), Expected::from(expected.tensor.clone()));
        let choose = |i: usize| (usize::from(!is_accepted[i]), i);
        Expected::assembled(expected.shape().to_vec(), &[&picked, &preferred], choose).unwrap().tensor
    }
}

/// Returns a reason why `value` is not accepted in place of `operand`.
fn objection(operand: &Operand, value: &Value) -> Option<String> {
    let all = |items: &[Operand], values: &[Value]| {
        if items.len() != values.len() {
            return Some(format!("{} items, {} are accepted", values.len(), items.len()));
        }
        items.iter().zip(values).find_map(|(item, value)| objection(item, value))
    };
    match (operand, value) {
        _ if operand.kind() != value.kind() => Some(format!("{}, but {} is accepted", value.kind(), operand.kind())),
        (Operand::Tensor(expected), Value::Tensor(tensor)) => {
            if expected.shape() != tensor.shape() {
                return Some(format!("shape {:?}, {:?} is accepted", tensor.shape(), expected.shape()));
            }
            let wrong = |i: &usize| expected.judge(tensor, *i) == Judged::Wrong;
            let at = (0..tensor.len()).find(wrong).filter(|_| expected.random.is_none())?;
            Some(format!("[{at}] = {}, but {}", tensor.element_text(at), expected.describe(at)))
        }
        (Operand::Sequence { items, .. }, Value::Sequence { items: values, .. }) => all(items, values),
        (Operand::Map { keys, items, .. }, Value::Map { keys: found, items: values, .. }) if keys == found => {
            all(items, values)
        }
        (Operand::Map { keys, .. }, Value::Map { keys: found, .. }) => Some(format!("keys {found:?}, not {keys:?}")),
        (Operand::Optional { item, .. }, Value::Optional { item: value, .. }) => match (item, value) {
            (Some(item), Some(value)) => objection(item, value),
            (None, None) => None,
            _ => Some("one optional is empty, and one is not".to_owned()),
        },
        (Operand::Other(expected), value) if expected == value => None,
        _ => Some("another value".to_owned()),
    }
}

/// Returns a reason why none of the accepted answers accepts the values of all outputs.
fn rejected(accepted: &Evaluation, values: &[Value]) -> Option<String> {
    let by = |outputs: &[Operand]| {
        let moved: Cow<[Value]> = aligned(outputs, values);
        let pairs = outputs.iter().zip(moved.iter()).enumerate();
        let mut each = pairs.map(|(at, (operand, value))| Some(format!("output {at}: {}", objection(operand, value)?)));
        each.find_map(|found| found).or_else(|| disagreement(outputs, &moved).map(|found| found.detail))
    };
    let found = by(&accepted.outputs)?;
    let others = accepted.others.iter().all(|other| by(&other.outputs).is_some());
    others.then_some(found)
}

/// Returns whether a part of an answer has conditions on several elements together, which the ends of the intervals need
/// not meet.
fn has_conditions(operand: &Operand) -> bool {
    match operand {
        Operand::Tensor(expected) => expected.unordered.is_some() || expected.joint.is_some(),
        Operand::Sequence { items, .. } | Operand::Map { items, .. } => items.iter().any(has_conditions),
        Operand::Optional { item, .. } => item.iter().any(|item| has_conditions(item)),
        Operand::Other(_) => false,
    }
}

/// Checks that `accepted` accepts what `point` does.
fn compare(accepted: &Evaluation, point: &Evaluation, rng: &mut fastrand::Rng) -> Option<String> {
    let picks = [Pick::Lower, Pick::Higher, Pick::OtherZero, Pick::Outcome(0), Pick::Outcome(1), Pick::Outcome(2)];
    let readings = std::iter::once(&point.outputs).chain(point.others.iter().map(|other| &other.outputs));
    for outputs in readings {
        let whole = outputs.iter().any(has_conditions);
        for pick in [Pick::Preferred].into_iter().chain(picks.into_iter().filter(|_| !whole)) {
            let values: Vec<Value> = outputs.iter().map(|o| value_of(o, &mut |x| pick.tensor(x, rng))).collect();
            if let Some(found) = rejected(accepted, &values) {
                return Some(format!("{found} ({pick:?})"));
            }
        }
    }
    None
}

fn evaluate(oracle: &Oracle, case: &Case, operands: &[Operand]) -> Result<Result<Evaluation, Refusal>, String> {
    catch_unwind(AssertUnwindSafe(|| oracle.evaluate_operands(&case.model, operands)))
        .map(|answer| answer.map_err(|stop| stop.refusal))
        .map_err(|_| "the oracle panics".to_owned())
}

/// Describes the inputs of a small case.
fn describe(operands: &[Operand]) -> String {
    let tensor = |operand: &Operand| match operand {
        Operand::Tensor(expected) if expected.len() <= 24 => {
            let elements: Vec<String> = (0..expected.len()).map(|i| expected.describe(i)).collect();
            format!("{}{:?}: {}", expected.dtype(), expected.shape(), elements.join("; "))
        }
        Operand::Tensor(expected) => format!("{}{:?}", expected.dtype(), expected.shape()),
        other => other.kind().to_string(),
    };
    operands.iter().map(tensor).collect::<Vec<_>>().join("\n    ")
}

impl Found {
    fn case(&mut self, oracle: &Oracle, case: &Case) {
        let elements: usize = case.inputs.iter().flat_map(Value::tensors).map(Tensor::len).sum();
        if elements > MOST_ELEMENTS {
            return;
        }
        let seed =
            case.id.bytes().fold(0xcbf2_9ce4_8422_2325u64, |h, b| (h ^ u64::from(b)).wrapping_mul(0x100_0000_01b3));
        let rng = &mut fastrand::Rng::with_seed(seed);
        let operands: Vec<Operand> =
            case.inputs.iter().map(|input| mapped(input, &mut |tensor| uncertain_tensor(tensor, rng))).collect();
        self.cases += 1;
        let mut note = |text: String, inputs: &str| {
            self.wrong.push((elements, format!("{}: {text}\n    {}{inputs}", case.id, describe(&operands))));
        };
        let accepted = match evaluate(oracle, case, &operands) {
            Ok(Ok(accepted)) => accepted,
            Ok(Err(refusal)) if refusal.kind == RefusalKind::Unsupported => {
                self.refused += 1;
                return;
            }
            Ok(Err(refusal)) => return note(format!("refused as {:?}: {refusal}", refusal.kind), ""),
            Err(panic) => return note(panic, ""),
        };
        let ways = [Pick::Preferred, Pick::Low, Pick::High].into_iter().chain(std::iter::repeat(Pick::Random));
        for pick in ways.take(POINTS) {
            let inputs: Vec<Value> = operands.iter().map(|o| value_of(o, &mut |x| pick.tensor(x, rng))).collect();
            let certain: Vec<Operand> = inputs.iter().map(Operand::from).collect();
            match evaluate(oracle, case, &certain) {
                Ok(Ok(point)) => {
                    self.points += 1;
                    if let Some(found) = compare(&accepted, &point, rng) {
                        return note(found, &format!("\n  at\n    {}", describe(&certain)));
                    }
                }
                Ok(Err(_)) => {}
                Err(panic) => return note(panic, &format!("\n  at\n    {}", describe(&certain))),
            }
        }
    }
}

#[test]
fn what_inputs_may_be_is_accepted() {
    let count = std::env::var("PLUMBLINE_CASES").map_or(CASES, |count| count.parse().unwrap());
    // Of all policies, this one allows the smallest errors.
    let oracle = Oracle::new(Policy::of_cpu());
    let of_cell = |cell: &Cell| {
        let mut found = Found::default();
        let cases = (0..count).filter(|index| cell.is_small(*index)).filter_map(|i| cell.first_draw(None, i, 0));
        cases.for_each(|case| found.case(&oracle, &case));
        (format!("{}.{}", cell.version.id.domain, cell.version.id.name), found)
    };
    let cells = selected_cells();
    let drawn = cells.par_iter().filter(|cell| cell.version.deterministic != Determinism::NonDeterministic);
    let mut all: BTreeMap<String, Found> = BTreeMap::new();
    for (operator, found) in drawn.map(of_cell).collect::<Vec<_>>() {
        let of = all.entry(operator).or_default();
        (of.cases, of.points, of.refused) =
            (of.cases + found.cases, of.points + found.points, of.refused + found.refused);
        of.wrong.extend(found.wrong);
    }
    let sum = |of: fn(&Found) -> usize| all.values().map(of).sum::<usize>();
    println!(
        "{} operators, {} cells, {} uncertain cases, of which {} are refused, {} certain ones",
        all.len(),
        cells.len(),
        sum(|found| found.cases),
        sum(|found| found.refused),
        sum(|found| found.points)
    );
    for (operator, found) in all.iter().filter(|(_, found)| found.points == 0) {
        println!("{operator}: {} of {} cases are refused", found.refused, found.cases);
    }
    let wrong = all.iter().filter(|(_, found)| !found.wrong.is_empty());
    let lines: Vec<String> = wrong
        .map(|(operator, found)| {
            let (_, smallest) = found.wrong.iter().min_by_key(|(elements, _)| *elements).expect("it is not empty");
            format!("{operator}: {} of {} cases are wrong, such as\n  {smallest}", found.wrong.len(), found.cases)
        })
        .collect();
    assert!(lines.is_empty(), "{} operators accept too little:\n{}", lines.len(), lines.join("\n"));
}
