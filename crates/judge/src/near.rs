//! Notes on wrong elements that are so close to the accepted interval that another accuracy table might accept them.

use plumbline_oracle::{Bounds, Expected};
use plumbline_tensor::Tensor;

/// Returns text to append to the description of a wrong element. If the error is less than twice the largest accepted
/// error, the text names `accuracy`, the table that the interval comes from; otherwise it is empty.
pub fn note(expected: &Expected, answer: &Tensor, index: usize, accuracy: &str) -> String {
    let Some(Bounds::Real(reals)) = &expected.bounds else { return String::new() };
    let (limits, found) = (&reals[index], answer.f64_at(index));
    let limit = if found > limits.mid { limits.high - limits.mid } else { limits.mid - limits.low };
    if (found - limits.mid).abs() < 2.0 * limit && limit.is_finite() {
        format!("; less than twice the error that the accuracy table {accuracy} allows")
    } else {
        String::new()
    }
}

#[cfg(test)]
mod tests {
    use plumbline_oracle::Real;
    use plumbline_tensor::DType;

    use super::*;

    #[test]
    fn errors_below_twice_the_limit_name_the_accuracy_table() {
        let tensor = |x: f64| Tensor::from_f64s(DType::Double, vec![1], &[x]).unwrap();
        let limits = Real { low: 9.0, high: 12.0, ..Real::exact(10.0, DType::Double) };
        let expected = Expected { bounds: Some(Bounds::Real(vec![limits])), ..Expected::from(tensor(10.0)) };
        let noted = |x: f64| !note(&expected, &tensor(x), 0, "cuda").is_empty();
        assert!(noted(13.9) && noted(8.5));
        assert!(!noted(14.1) && !noted(8.0) && !noted(f64::NAN) && !noted(f64::INFINITY));
        let exact = Expected { bounds: None, ..expected.clone() };
        assert_eq!(note(&exact, &tensor(10.5), 0, "cuda"), "");
        assert!(note(&expected, &tensor(13.0), 0, "cuda").contains("accuracy table cuda allows"));
    }
}
