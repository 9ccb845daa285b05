use crate::families::reduce::{reduce, total};
use crate::prelude::*;

/// Computes the sum of squares along some axes.
///
/// Up to version 13, `axes` is an attribute; in version 18, it is an input. The axes are in range (`axes-in-range`).
/// Reductions over no elements: `empty-reduction`; sums that overflow: `overflow`.
pub fn reduce_sum_square(call: &Call) -> Answer {
    reduce(call, |x, dtype| total(&x.iter().map(|x| x.abs() * x.abs()).collect::<Vec<_>>(), dtype, rule::OVERFLOW))
}

#[cfg(test)]
mod tests {
    use crate::testing::{answers_by, floats, refusable_by};

    #[test]
    fn older_texts_return_the_input_if_nothing_is_reduced() {
        let x = [floats(&[2], &[2.0, 3.0])];
        let node = "ReduceSumSquare <noop_with_empty_axes = 1, keepdims = 0>";
        let [squares, copy, sum] = [vec![4.0, 9.0], vec![2.0, 3.0], vec![13.0]];
        assert_eq!(answers_by("1.18", node, 18, &x), [squares.clone(), copy, sum]);
        assert_eq!(answers_by("1.19", node, 18, &x), [squares]);
    }

    #[test]
    fn a_text_without_the_empty_set_allows_a_refusal() {
        let x = [floats(&[0], &[])];
        let by = |release: &str, version: i64| refusable_by(release, "ReduceSumSquare", version, &x, 1);
        assert!(by("1.14", 13).is_some() && by("1.14", 11).is_some() && by("1.23", 11).is_some());
        assert_eq!(by("1.15", 13), None);
    }
}
