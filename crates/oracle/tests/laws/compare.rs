//! Compares two answers of the oracle.

use plumbline_oracle::Refusal;
use plumbline_oracle::{Expected, Judged, Operand, Oracle};
use plumbline_tensor::{DType, Value};

use crate::text::model;

/// Inputs, each with its name.
pub type Given<'a> = [(&'a str, Value)];

/// Builds the inputs of a program from variables that hold tensors or other values. Each input has the name of its
/// variable.
#[macro_export]
macro_rules! given {
    ($($name:ident),* $(,)?) => { [$((stringify!($name), plumbline_tensor::Value::from($name.clone()))),*] };
}

/// Returns the oracle's answer to a program.
pub fn answer(text: &str, given: &Given) -> Result<Vec<Operand>, Refusal> {
    let names: Vec<&str> = given.iter().map(|(name, _)| *name).collect();
    let values: Vec<Value> = given.iter().map(|(_, value)| value.clone()).collect();
    Oracle::default().answer(&model(text, &names), &values)
}

/// Returns the outputs of a program; panics if the oracle refuses it.
#[track_caller]
pub fn outputs(text: &str, given: &Given) -> Vec<Operand> {
    answer(text, given).unwrap_or_else(|refusal| panic!("{text}\n{refusal}"))
}

/// Returns the first output of a program, which must be a tensor.
#[track_caller]
pub fn tensor(text: &str, given: &Given) -> Expected {
    outputs(text, given)[0].tensor().unwrap().clone()
}

/// Returns why the oracle refuses a program; panics if it does not.
#[track_caller]
pub fn refusal(text: &str, given: &Given) -> String {
    match answer(text, given) {
        Err(refusal) => refusal.to_string(),
        Ok(outputs) => panic!("{text}\nwas answered, expected a refusal: {outputs:?}"),
    }
}

/// Checks that both programs give the same outputs: for each element, each answer accepts the preferred value of the
/// other answer. If an answer accepts only a single value, or if the preferred values are close, it is enough that one
/// of the two answers accepts the other's value. The accepted intervals of float and double have to be narrow.
#[track_caller]
pub fn same(one: &str, other: &str, given: &Given) {
    if let Err(message) = agree(&outputs(one, given), &outputs(other, given)) {
        panic!("{one}\nand\n{other}\n{message}\nfor {given:?}");
    }
}

/// Checks that the two programs do not give the same outputs, which shows that a law can fail.
#[track_caller]
pub fn differ(one: &str, other: &str, given: &Given) {
    let agree = agree(&outputs(one, given), &outputs(other, given));
    assert!(agree.is_err(), "{one}\nand\n{other}\nagree for {given:?}, expected different answers");
}

/// Checks that the first output of a program is this value, and that nothing else is accepted.
#[track_caller]
pub fn is(text: &str, given: &Given, value: impl Into<Value>) {
    let (answer, wanted) = (outputs(text, given).remove(0), Operand::from(&value.into()));
    assert!(certain(&answer), "{text}\nleaves something open: {answer:?}");
    if let Err(message) = agree(&[answer], &[wanted]) {
        panic!("{text}\n{message}\nfor {given:?}");
    }
}

fn certain(operand: &Operand) -> bool {
    match operand {
        Operand::Tensor(tensor) => tensor.is_certain(),
        Operand::Sequence { items, .. } | Operand::Map { items, .. } => items.iter().all(certain),
        Operand::Optional { item, .. } => item.as_ref().is_none_or(|i| certain(i)),
        Operand::Other(_) => true,
    }
}

fn agree(one: &[Operand], other: &[Operand]) -> Result<(), String> {
    if one.len() != other.len() {
        return Err(format!("one has {} outputs, the other {}", one.len(), other.len()));
    }
    one.iter().zip(other).try_for_each(|(a, b)| match (a, b) {
        _ if a.kind() != b.kind() => Err(format!("one is {}, the other {}", a.kind(), b.kind())),
        (Operand::Tensor(a), Operand::Tensor(b)) => tensors(a, b),
        (Operand::Sequence { items: a, .. }, Operand::Sequence { items: b, .. }) => agree(a, b),
        (Operand::Optional { item: a, .. }, Operand::Optional { item: b, .. }) => {
            let list = |item: &Option<Box<Operand>>| item.iter().map(|i| (**i).clone()).collect::<Vec<_>>();
            agree(&list(a), &list(b))
        }
        (Operand::Map { keys: k, items: a, .. }, Operand::Map { keys: l, items: b, .. }) if k == l => agree(a, b),
        _ => Err(format!("one is {a:?}, the other {b:?}")),
    })
}

fn tensors(a: &Expected, b: &Expected) -> Result<(), String> {
    if a.shape() != b.shape() {
        return Err(format!("one has shape {:?}, the other {:?}", a.shape(), b.shape()));
    }
    for i in 0..a.len() {
        let [by_a, by_b] = [a.judge(&b.tensor, i), b.judge(&a.tensor, i)].map(|judged| judged == Judged::Accepted);
        let accepted = match (a.width_ulp(i) == 0.0, b.width_ulp(i) == 0.0) {
            (true, true) => by_a || by_b,
            (exact_a, exact_b) => (by_a && by_b) || (by_a || by_b) && (exact_a || exact_b || near(a, b, i)),
        };
        if !accepted {
            return Err(format!("element {i}: {}; the other: {}", a.describe(i), b.describe(i)));
        }
        // An interval that accepts everything would satisfy every law.
        if matches!(a.dtype(), DType::Float | DType::Double) {
            for (side, other) in [(a, b), (b, a)] {
                let real = side.number(i).real();
                if real.high - real.low > 0.01 * (1.0 + other.number(i).mid().abs()) {
                    return Err(format!("element {i}: the accepted interval is too wide: {}", side.describe(i)));
                }
            }
        }
    }
    Ok(())
}

/// Returns whether the preferred values of two elements are close enough. A chain of steps rounds its preferred value
/// at each step, so that the value may miss the narrower of the two intervals by a few roundings.
fn near(a: &Expected, b: &Expected, i: usize) -> bool {
    let (x, y) = (a.number(i).real(), b.number(i).real());
    let roundings = 4.0 * f64::from(f32::EPSILON) * x.mid.abs();
    (x.mid - y.mid).abs() <= (x.high - x.low).min(y.high - y.low) + roundings
}
