//! Sends scalars, empty tensors and tensors of many dimensions there and back.

use plumbline_tensor::{DType, Tensor, Value, element_count};

use super::Report;
use super::adapter::Adapter;
use super::difference::compare;
use super::model::Carrier;
use super::outcome::{Trouble, first_line};

/// The shapes, each with its name.
const SHAPES: [(&str, &[usize]); 5] = [
    ("a scalar", &[]),
    ("an empty tensor", &[0]),
    ("an empty tensor of rank 3", &[2, 0, 3]),
    ("a tensor of one element", &[1]),
    ("a tensor of rank 6", &[1, 2, 1, 3, 1, 2]),
];

/// Sends a float tensor of each shape through the backend.
pub fn check(adapter: &mut Adapter, carrier: Carrier) -> Report {
    let mut report = Report::default();
    let (mut same, mut unsupported) = (Vec::new(), Vec::new());
    for (name, shape) in SHAPES {
        let what = format!("{name} {shape:?} (by {})", carrier.name());
        let sent = numbers(shape);
        match adapter.run(&carrier.model(DType::Float, shape), &[Value::Tensor(sent.clone())], &what) {
            Ok(values) => match compare(&sent, &values, &what) {
                Some(problem) => report.problems.push(problem),
                None => same.push(name),
            },
            Err(Trouble::Unsupported(message)) => unsupported.push(format!("{name} ({})", first_line(&message))),
            Err(Trouble::Problem(problem)) => report.problems.push(problem),
        }
    }
    report.summary = format!("{} of {} shapes came back", same.len(), SHAPES.len());
    if !unsupported.is_empty() {
        report.summary += &format!("; unsupported: {}", unsupported.join(", "));
    }
    report.skipped = unsupported.len() == SHAPES.len();
    report
}

/// Returns a tensor of this shape with the numbers from 1 on.
fn numbers(shape: &[usize]) -> Tensor {
    let count = element_count(shape).unwrap_or(0);
    let elements: Vec<f32> = (1..=count).map(|number| number as f32).collect();
    Tensor::from_f32s(shape.to_vec(), &elements).expect("there are as many elements as the shape says")
}
