use crate::families::cumulative::scan;
use crate::families::reduce::total;
use crate::prelude::*;

/// Computes cumulative sums along an axis.
///
/// Versions 11 and 14 have the same meaning; version 14 adds float16 and bfloat16. Constraints: `axis` has one
/// element (`axis-is-scalar`), which is in range (`axis-in-range`). An `axis` of rank 1: `scalar-rank`; sums that
/// overflow: `overflow`.
pub fn cum_sum(call: &Call) -> Answer {
    if call.tensor("axis")?.rank() == 1 {
        call.leaves_open(rule::SCALAR_RANK);
    }
    scan(call, |x, dtype| total(x, dtype, rule::OVERFLOW))
}

#[cfg(test)]
mod tests {
    use crate::testing::{floats, run};
    use plumbline_tensor::Tensor;

    #[test]
    fn cum_sum_goes_from_either_end_with_or_without_the_element() {
        let of = |node: &str| {
            let inputs = [floats(&[3], &[1.0, 2.0, 4.0]), Tensor::from_i64(-1)];
            run(node, 14, &inputs, 1).expect("the node is valid")[0].tensor.to_f64s()
        };
        assert_eq!(of("CumSum"), [1.0, 3.0, 7.0]);
        assert_eq!(of("CumSum <exclusive = 1>"), [0.0, 1.0, 3.0]);
        assert_eq!(of("CumSum <reverse = 1>"), [7.0, 6.0, 4.0]);
        assert_eq!(of("CumSum <exclusive = 1, reverse = 1>"), [6.0, 4.0, 0.0]);
    }
}
