//! Lists the wrong elements of an answer.

use plumbline_backend::Observation;
use plumbline_oracle::{Expected, Judged, Operand, aligned};
use plumbline_tensor::{MapKeys, Tensor, Value};

use crate::judge::{Judgement, by_key, describe};
use crate::right::Right;
use crate::verdict::FailKind;

/// Returns a line for each wrong element of an answer, at most `most` for each tensor, and a line that says how many
/// more there are, with `hint` at its end. Returns no lines unless the case failed because of its values.
pub fn wrong_elements(
    right: &Right,
    observation: &Observation,
    judgement: &Judgement,
    names: &[&str],
    most: usize,
    hint: &str,
) -> Vec<String> {
    let mut lines = Vec::new();
    let (Right::Outputs { operands, .. }, Observation::Outputs { values, .. }) = (right, observation) else {
        return lines;
    };
    let is_of_values = matches!(judgement.kind, Some(FailKind::WrongValue | FailKind::Inaccurate));
    if !is_of_values || operands.len() != values.len() {
        return lines;
    }
    for (at, (operand, value)) in operands.iter().zip(aligned(operands, values).iter()).enumerate() {
        each_tensor(names.get(at).copied().unwrap_or("?"), operand, value, &mut |name, expected, tensor| {
            list_tensor(name, expected, tensor, (most, hint), &mut lines);
        });
    }
    lines
}

/// Calls `visit` with the name of each tensor in an output, what is expected of it, and the tensor of the answer.
/// Tensors of a wrong type or shape are left out, and samples of a distribution, which are judged as a whole.
pub(crate) fn each_tensor<'a>(
    name: &str,
    operand: &'a Operand,
    value: &'a Value,
    visit: &mut dyn FnMut(&str, &'a Expected, &'a Tensor),
) {
    match (operand, value) {
        (Operand::Tensor(expected), Value::Tensor(tensor)) => {
            let is_alike = expected.shape() == tensor.shape() && expected.dtype() == tensor.dtype();
            if is_alike && expected.random.is_none() {
                visit(name, expected, tensor);
            }
        }
        (Operand::Sequence { items, .. }, Value::Sequence { items: got, .. })
        | (Operand::Map { items, .. }, Value::Map { items: got, .. }) => {
            let mut places: Vec<usize> = (0..got.len()).collect();
            if let (Operand::Map { keys, .. }, Value::Map { keys: found, .. }) = (operand, value) {
                let keys: &MapKeys = keys;
                places = by_key(keys, found).unwrap_or_default();
            }
            for (at, (item, place)) in items.iter().zip(places).enumerate() {
                if let Some(value) = got.get(place) {
                    each_tensor(&format!("{name}[{at}]"), item, value, visit);
                }
            }
        }
        (Operand::Optional { item: Some(item), .. }, Value::Optional { item: Some(got), .. }) => {
            each_tensor(name, item, got, visit);
        }
        _ => {}
    }
}

fn list_tensor(name: &str, expected: &Expected, tensor: &Tensor, (most, hint): (usize, &str), lines: &mut Vec<String>) {
    let mut wrong = 0;
    for index in 0..tensor.len() {
        if matches!(expected.judge(tensor, index), Judged::Wrong) {
            wrong += 1;
            if wrong <= most {
                lines.push(describe(name, expected, tensor, index));
            }
        }
    }
    if wrong > most {
        let (more, all) = (wrong - most, tensor.len());
        lines.push(format!("output `{name}` has {more} more wrong elements ({wrong} of {all}){hint}"));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::judge::judge;

    #[test]
    fn the_first_wrong_elements_are_listed_and_the_others_counted() {
        let right = Right::from(vec![Operand::from(&Value::Tensor(Tensor::from_f32s(vec![20], &[0.0; 20]).unwrap()))]);
        let values: Vec<f32> = (0..20u8).map(|i| f32::from(i % 2)).collect();
        let values = vec![Value::Tensor(Tensor::from_f32s(vec![20], &values).unwrap())];
        let observation = Observation::Outputs { values, seconds: 0.0 };
        let judgement = judge(&right, &["Y"], &observation);
        let listed = |most| wrong_elements(&right, &observation, &judgement, &["Y"], most, "; in all");
        let lines = listed(3);
        assert_eq!(lines[0], "output `Y`[1] is 1.0 (0x3f800000), 0.0 (0x00000000) is expected");
        assert_eq!(lines[3], "output `Y` has 7 more wrong elements (10 of 20); in all");
        assert_eq!(lines.len(), 4);
        assert_eq!(listed(16).len(), 10);
    }
}
