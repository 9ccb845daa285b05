//! The largest or smallest of several numbers, for Min, Max and scattered updates, and what a NaN among the numbers
//! does to it.

use crate::prelude::*;

/// Computes the element-wise extremum of all inputs. Up to version 6 the inputs have equal shapes (`shapes-equal`);
/// from version 8 on they broadcast (`shapes-broadcast`). NaN: `nan`.
pub fn extremum(call: &Call, pick: fn(Number, Number) -> Number) -> Answer {
    let shape = if call.since() < 8 {
        call.equal_shapes("data_0", rule::SHAPES_EQUAL)?
    } else {
        call.broadcast_shapes("data_0", rule::SHAPES_BROADCAST)?
    };
    call.across("data_0", shape, |numbers| extremum_of(numbers, pick, rule::NAN).unwrap_or(numbers[0]))
}

/// Returns the extremum of `numbers`, or `None` for an empty slice. `pick` returns the extremum of two numbers that are
/// not NaN.
///
/// If there is a NaN, `label` names the rule that leaves the result open: implementations return NaN, ignore the NaN,
/// or ignore the NaN and all numbers before it.
pub fn extremum_of(numbers: &[Number], pick: impl Fn(Number, Number) -> Number + Copy, label: Label) -> Option<Number> {
    let without_nan = |numbers: &[Number]| numbers.iter().copied().filter(|n| !n.is_nan()).reduce(pick);
    if let Some(uncertain) = uncertain(numbers, pick, label) {
        return Some(uncertain);
    }
    let Some(last) = numbers.iter().rposition(Number::is_nan) else { return without_nan(numbers) };
    let nan = numbers[last];
    Some(match (without_nan(numbers), without_nan(&numbers[last + 1..])) {
        (Some(all), Some(after)) => nan.or(all, label).or(after, label),
        (Some(all), None) => nan.or(all, label),
        _ => nan,
    })
}

/// Returns the extremum of `numbers` if it is uncertain whether some of them are NaN, and `None` otherwise.
pub fn uncertain(numbers: &[Number], pick: impl Fn(Number, Number) -> Number, label: Label) -> Option<Number> {
    let may_be_number = |x: &Number| x.is_nan() && x.latitude.is_some();
    if !numbers.iter().any(|x| x.may_be_nan() || may_be_number(x)) {
        return None;
    }
    let preferred = numbers.iter().map(|number| Number { kind: number.kind, latitude: None });
    let nan = numbers.iter().copied().find(Number::is_nan);
    nan.or_else(|| preferred.reduce(pick)).map(|extremum| or_any_of(extremum, numbers, label))
}

/// Returns an extremum of numbers of which some may be NaN or not. Implementations may then return any of the numbers
/// (`label`).
pub fn or_any_of(extremum: Number, numbers: &[Number], label: Label) -> Number {
    numbers.iter().fold(extremum, |result, number| result.or(number.widest(), label))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Allowed, Oracle};
    use plumbline_tensor::onnx::{GraphProto, ModelProto, NodeProto, OperatorSetIdProto, ValueInfoProto};
    use plumbline_tensor::{Model, Tensor, Value};

    /// A NaN between two numbers: C's `fmin` ignores it and returns the smaller number; `x < y ? x : y`, applied from
    /// left to right, returns the last number.
    #[test]
    fn a_nan_between_numbers_may_drop_the_operands_before_it() {
        let names = ["a", "b", "c"].map(str::to_owned).to_vec();
        let info = |name: &str| ValueInfoProto { name: Some(name.to_owned()), ..ValueInfoProto::default() };
        let node = NodeProto {
            op_type: Some("Min".to_owned()),
            input: names.clone(),
            output: vec!["y".to_owned()],
            ..NodeProto::default()
        };
        let graph = GraphProto {
            node: vec![node],
            input: names.iter().map(|n| info(n)).collect(),
            output: vec![info("y")],
            ..GraphProto::default()
        };
        let opset = OperatorSetIdProto { domain: None, version: Some(13) };
        let proto = ModelProto { opset_import: vec![opset], graph: Some(graph), ..ModelProto::default() };
        let input = |x: f32| Value::from(Tensor::from_f32s(vec![1], &[x]).expect("the shape has one element"));
        let answer = Oracle::default()
            .answer(&Model { proto }, &[input(1.0), input(f32::NAN), input(2.0)])
            .expect("Min has a kernel");
        let y = answer[0].tensor().expect("the output is a tensor").number(0);
        assert!(y.is_nan());
        assert_eq!(y.latitude.map(|l| l.allowed), Some(Allowed::either(1.0, 2.0)));
    }

    #[test]
    fn beside_a_number_that_may_be_nan_each_outcome_may_be_the_extremum() {
        let nan = Number::constant(f64::NAN, DType::Float).or(Allowed::real(-3.25), rule::NAN);
        let other = Number::constant(-2.0, DType::Float).or(Allowed::real(-1.0), rule::NAN);
        let y = extremum_of(&[nan, other], |a, b| a.maximum(b, rule::NAN), rule::NAN).expect("there are two numbers");
        let Some(Allowed::Reals(reals)) = y.latitude.map(|l| l.allowed) else { panic!("{y:?}") };
        assert!(y.is_nan() && [-3.25, -2.0, -1.0].into_iter().all(|x| reals.contains(x)), "{y:?}");
    }
}
