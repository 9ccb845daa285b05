use crate::families::pooling::{Window, pool_sums};
use crate::families::reduce::{mean_of, of_reals, quotient};
use crate::families::sliding_window::Windows;
use crate::prelude::*;

/// Computes the average of each window of the spatial axes.
///
/// In version 1, padding does not count. Version 7 adds `count_include_pad` (`count-include-pad`), version 10
/// `ceil_mode`, version 19 `dilations`. From version 22 on, windows that start beyond the last element are left out.
///
/// Windows follow the rules from `input-has-spatial-axes` to `ceil-mode` in the list of `families::spatial`. A window
/// without elements: `empty-window`; sums that overflow: `intermediate-overflow`; a window that is a little too long
/// for its axis: `window-just-too-long`; the elements that `ceil_mode` adds beyond the padding: `beyond-padding`; the
/// rounding in the formulas of version 11: `auto-pad-rounding`.
///
/// Flags that are neither 0 nor 1: `other-flag-values`.
pub fn average_pool(call: &Call) -> Answer {
    let with_padding = call.flag("count_include_pad");
    let x = call.tensor("X")?;
    let dtype = call.output_dtype(0)?;
    let of = |window: Window, covered: usize, mean: &dyn Fn(usize) -> Number| {
        let mean = |count: usize| match count {
            0 => Number::constant(f64::NAN, dtype).or(Number::constant(0.0, dtype), rule::EMPTY_WINDOW),
            _ => mean(count),
        };
        if with_padding { over_padding(&mean, window) } else { mean(covered) }
    };
    let all: Vec<Number> = x.numbers().collect();
    pool_sums(
        call,
        &Windows::pooling(call, x)?,
        &all,
        |sum, window| {
            let covered = sum.count();
            let sum = sum.finish_kept();
            of(window, covered, &|count| quotient(sum, count).to_dtype(dtype).into())
        },
        |x, window| {
            of(window, x.len(), &|count| of_reals(x, |x| mean_of(x, count, dtype, rule::INTERMEDIATE_OVERFLOW)))
        },
    )
}

/// Averages over the elements and the padding, which counts as zeros. It is left open whether the places that
/// `ceil_mode` adds beyond the padding also count (`beyond-padding`).
fn over_padding(mean: &impl Fn(usize) -> Number, window: Window) -> Number {
    let (padded, all) = (window.of.padded_taps(window.at), window.of.taps());
    match mean(padded) {
        number if padded == all => number,
        number => number.or(mean(all), rule::BEYOND_PADDING),
    }
}

#[cfg(test)]
mod tests {
    use crate::Allowed;
    use crate::testing::{floats, run};

    #[test]
    fn padding_counts_only_with_count_include_pad() {
        let x = floats(&[1, 1, 3], &[1.0, 2.0, 6.0]);
        let of = |include: i64| {
            run(
                &format!("AveragePool <kernel_shape = [2], pads = [1, 0], count_include_pad = {include}>"),
                22,
                std::slice::from_ref(&x),
                1,
            )
            .expect("the node is valid")[0]
                .tensor
                .clone()
        };
        assert_eq!(of(0), floats(&[1, 1, 3], &[1.0, 1.5, 4.0]));
        assert_eq!(of(1), floats(&[1, 1, 3], &[0.5, 1.5, 4.0]));
    }

    #[test]
    fn elements_that_ceil_mode_adds_are_not_padding() {
        let x = floats(&[1, 1, 3], &[1.0, 2.0, 6.0]);
        let y =
            &run("AveragePool <kernel_shape = [2], strides = [2], ceil_mode = 1, count_include_pad = 1>", 22, &[x], 1)
                .expect("the node is valid")[0];
        assert_eq!(y.tensor, floats(&[1, 1, 2], &[1.5, 6.0]));
        // The alternative is 6 / 2, which is exact.
        assert_eq!(y.latitude.iter().map(|(i, l)| (*i, l.allowed)).collect::<Vec<_>>(), [(1, Allowed::real(3.0))]);
    }

    #[test]
    fn windows_that_start_after_the_last_element_are_left_out_from_22_on() {
        let x = floats(&[1, 1, 2], &[1.0, 2.0]);
        let shape = |opset| {
            run(
                "AveragePool <kernel_shape = [1], strides = [3], pads = [0, 2], ceil_mode = 1>",
                opset,
                std::slice::from_ref(&x),
                1,
            )
            .expect("the node is valid")[0]
                .shape()
                .to_vec()
        };
        assert_eq!((shape(19), shape(22)), (vec![1, 1, 2], vec![1, 1, 1]));
    }
}
