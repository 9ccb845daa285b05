use crate::families::p_norm::{exponent, lp_norm, powers, root_of_sum, sum_of_powers};
use crate::families::pooling::{pool_sums, pool_terms};
use crate::families::reduce::of_reals;
use crate::families::sliding_window::Windows;
use crate::prelude::*;

/// Computes the p-norm of each window of the spatial axes.
///
/// In version 1, `p` is a float; from version 2 on, it is an integer. Version 18 adds `ceil_mode` and `dilations`. From
/// version 22 on, windows that start behind the last element are left out. Windows follow the rules from
/// `input-has-spatial-axes` to `ceil-mode` in the list of `families::spatial`. The norm of no elements: `empty-window`;
/// a window that is a little too long for its axis: `window-just-too-long`; powers that overflow:
/// `intermediate-overflow`; exponents below 1: `exponent-below-one`; version 1 without `kernel_shape`:
/// `default-kernel-shape`.
///
/// Values of `ceil_mode` other than 0 and 1: `other-flag-values`.
pub fn lp_pool(call: &Call) -> Answer {
    let p = exponent(call, rule::EXPONENT_BELOW_ONE)?;
    let dtype = call.output_dtype(0)?;
    if !call.has_attribute("kernel_shape") {
        call.leaves_open(rule::DEFAULT_KERNEL_SHAPE);
    }
    let x = call.tensor("X")?;
    let windows = Windows::pooling(call, x)?;
    let all: Vec<Number> = x.numbers().collect();
    let whole = |x: &[Number]| of_reals(x, |x| lp_norm(x, p, dtype, rule::INTERMEDIATE_OVERFLOW));
    match powers(&all, p, dtype, windows.taps()) {
        Some(powers) => {
            let of_sum = |sum: Accumulator| root_of_sum(sum, p);
            pool_sums(call, &windows, &powers, |sum, _| of_sum(sum), |x, _| of_sum(sum_of_powers(x, dtype)))
        }
        None => pool_terms(call, &windows, &all, |x, _| whole(x)),
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::{floats, run};

    #[test]
    fn without_a_kernel_shape_one_window_covers_everything() {
        let of = |node: &str, x| run(node, 1, &[x], 1).expect("the node is valid").remove(0);
        let x = floats(&[1, 1, 3], &[3.0, 0.0, 4.0]);
        for attributes in ["pads = [1, 1]", "pads = [2, 0], strides = [2]", "auto_pad = \"SAME_UPPER\""] {
            assert_eq!(of(&format!("LpPool <{attributes}>"), x.clone()).tensor, floats(&[1, 1, 1], &[5.0]));
        }
        assert_eq!(of("LpPool", floats(&[1, 1, 0], &[])).tensor, floats(&[1, 1, 1], &[0.0]));
    }
}
