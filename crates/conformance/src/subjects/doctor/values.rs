//! Sends each element type there and back.

use plumbline_tensor::{DType, DTypeKind, Tensor};

use super::adapter::Adapter;
use super::difference::compare;
use super::model::Carrier;
use super::outcome::{Trouble, first_line};
use super::{Problem, Report};

/// The number of types that a problem lists after the first.
const NAMED: usize = 6;

/// Texts with characters of one to four bytes in UTF-8.
const TEXTS: [&str; 6] = ["", "plain", "Gr\u{fc}\u{df}e", "\u{65e5}\u{672c}", "\u{1f600}", "two\nlines"];

/// Sends one tensor of each element type through the backend.
pub fn check(adapter: &mut Adapter) -> Report {
    let (mut same, mut unsupported) = (0, Vec::new());
    let mut report = Report::default();
    let mut float_failed = false;
    let types: Vec<DType> =
        DType::ALL.into_iter().filter(|&dtype| Carrier::ALL.iter().any(|c| c.opset(dtype).is_some())).collect();
    for &dtype in &types {
        if let Some(reason) = adapter.obstacle() {
            report.hints.push(format!("Types from {dtype} on were not tried: {reason}."));
            break;
        }
        let sent = elements(dtype);
        match adapter.carry(&sent) {
            Ok((carrier, values)) => {
                if dtype == DType::Float {
                    adapter.carrier = Some(carrier);
                }
                match compare(&sent, &values, &format!("{dtype} (by {})", carrier.name())) {
                    Some(problem) => report.problems.push(problem),
                    None => same += 1,
                }
            }
            Err(Trouble::Unsupported(reason)) => unsupported.push((dtype, reason)),
            Err(Trouble::Problem(problem)) if dtype == DType::Float => {
                float_failed = true;
                report.problems.push(problem);
            }
            Err(Trouble::Problem(problem)) => report.problems.push(problem),
        }
    }
    report.summary = format!("{same} of {} types came back bit for bit", types.len());
    if !unsupported.is_empty() {
        let names: Vec<&str> = unsupported.iter().map(|(dtype, _)| dtype.name()).collect();
        report.summary += &format!("; unsupported: {}", names.join(", "));
    }
    report.problems = merged(report.problems);
    if same == 0 && float_failed && adapter.blocked.is_none() {
        adapter.blocked = Some("no type came back: see element types".to_owned());
    }
    if same == 0 && report.problems.is_empty() {
        let reason = unsupported.first().map_or_else(String::new, |(_, reason)| format!(": {}", first_line(reason)));
        return Report::skipped(format!("{} are unsupported for every type{reason}", Carrier::names()));
    }
    report
}

/// Merges problems with the same advice into the first of them, which then also names the types of the others.
fn merged(problems: Vec<Problem>) -> Vec<Problem> {
    let mut kept: Vec<(Problem, Vec<String>)> = Vec::new();
    for problem in problems {
        let type_ = problem.found.split([' ', ':']).next().unwrap_or_default().to_owned();
        match kept.iter_mut().find(|(first, _)| first.advice == problem.advice) {
            Some((_, others)) => others.push(type_),
            None => kept.push((problem, Vec::new())),
        }
    }
    let with_others = |(mut problem, others): (Problem, Vec<String>)| {
        if !others.is_empty() {
            let shown = &others[..others.len().min(NAMED)];
            problem.found += &format!("; likewise {}", shown.join(", "));
            if others.len() > NAMED {
                problem.found += &format!(" and {} more types", others.len() - NAMED);
            }
        }
        problem
    };
    kept.into_iter().map(with_others).collect()
}

/// Returns the elements that are sent: extremes, zeros of both signs, infinities, NaN without payload; every bit
/// pattern of types of up to 8 bits.
fn elements(dtype: DType) -> Tensor {
    let tensor = match (dtype.kind(), dtype.bits()) {
        (DTypeKind::String, _) => {
            let strings: Vec<Vec<u8>> = TEXTS.iter().map(|text| text.as_bytes().to_vec()).collect();
            Tensor::from_strings(vec![strings.len()], strings)
        }
        (DTypeKind::Bool, _) => Tensor::from_bits(dtype, vec![5], [1, 0, 1, 1, 0].into_iter()),
        (DTypeKind::Complex, _) => {
            let part = if dtype == DType::Complex64 { DType::Float } else { DType::Double };
            let numbers = [1.5, -2.0, -0.0, f64::INFINITY, f64::from(f32::MAX), 0.1];
            let bytes = Tensor::from_f64s(part, vec![6], &numbers).map(|parts| parts.bytes().to_vec());
            bytes.and_then(|bytes| Tensor::from_bytes(dtype, vec![3], bytes))
        }
        // The tensor has one element more than there are patterns, so that a part of its last byte is empty.
        (_, Some(bits @ 1..8)) => {
            let patterns = 1_u64 << bits;
            Tensor::from_bits(dtype, vec![patterns as usize + 1], (0..=patterns).map(|bits| (bits + 1) % patterns))
        }
        (_, Some(8)) => Tensor::from_bits(dtype, vec![256], 0..256),
        (DTypeKind::Float, _) => Tensor::from_f64s(dtype, vec![10], &floats(dtype)),
        _ => {
            let (low, high) = dtype.integer_range().unwrap_or((0, 1));
            let near = |x: i128| x.clamp(low, high);
            let numbers = [0, 1, near(-1), low, high, low + 1, high - 1, near(0x0102), near(0x0102_0304)];
            Tensor::from_i128s(dtype, vec![numbers.len()], &numbers)
        }
    };
    tensor.expect("there are as many elements as the shape says")
}

fn floats(dtype: DType) -> [f64; 10] {
    let (largest, smallest) = match dtype {
        DType::Float16 => (65504.0, 2f64.powi(-14)),
        DType::Double => (f64::MAX, f64::MIN_POSITIVE),
        DType::Bfloat16 => (f64::from(f32::from_bits(0x7f7f_0000)), f64::from(f32::MIN_POSITIVE)),
        _ => (f64::from(f32::MAX), f64::from(f32::MIN_POSITIVE)),
    };
    [0.0, -0.0, 1.0, -1.5, 0.1, largest, smallest, f64::INFINITY, f64::NEG_INFINITY, f64::NAN]
}

#[cfg(test)]
mod tests {
    use plumbline_tensor::Value;

    use super::*;

    #[test]
    fn every_type_has_elements_that_equal_themselves() {
        for dtype in DType::ALL {
            let tensor = elements(dtype);
            assert!(tensor.len() >= 3, "{dtype}");
            assert_eq!(compare(&tensor, &[Value::Tensor(tensor.clone())], "x"), None);
        }
    }
}
