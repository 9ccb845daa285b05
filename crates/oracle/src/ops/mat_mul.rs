use crate::families::matrix_product::{Factor, Layout, Opened, collect, int_sums};
use crate::families::reduce::rounded_sum;
use crate::prelude::*;

/// Computes matrix products, with the rules of NumPy's matmul.
///
/// Versions 1, 9 and 13 have the same meaning; version 9 adds integers, version 13 bfloat16. Constraints: both factors
/// have rank 1 or more (`rank-at-least-one`), the inner extents are equal (`inner-extents-equal`), and the dimensions
/// before the last two broadcast (`batch-shapes-broadcast`). Sums that overflow: `overflow`; sums without terms:
/// `empty-sum`; infinities and NaN propagate through the sums: `nan-and-infinity`.
pub fn mat_mul(call: &Call) -> Answer {
    let (a, b) = (call.tensor("A")?, call.tensor("B")?);
    // A factor of rank 1 is a row on the left and a column on the right (`rank-one-factor`).
    let layout = Layout::broadcast(
        a.shape(),
        b.shape(),
        [rule::RANK_AT_LEAST_ONE, rule::INNER_EXTENTS_EQUAL, rule::BATCH_SHAPES_BROADCAST],
    )?;
    let (left, right, dtype) = (Factor::new(a), Factor::new(b), call.output_dtype(0)?);
    let pairs: Vec<_> = layout.matrices().collect();
    if !dtype.is_float() {
        let products = pairs.iter().flat_map(|(a, b)| int_sums(&left, *a, &right, *b, rule::OVERFLOW));
        return call.answer(layout.shape.clone(), products);
    }
    let mut y = Collected::new(dtype, shape::product(&layout.shape)?);
    collect(&mut y, &left, &right, &pairs, |_, (sum, opened)| {
        Opened::or(opened, rounded_sum(sum, rule::OVERFLOW), Accumulator::finish)
    });
    one(y.into_expected(layout.shape)?)
}

#[cfg(test)]
mod tests {
    use crate::testing::{floats, run};
    use plumbline_tensor::{DType, Tensor};

    #[test]
    fn sums_of_few_bits_are_exact_and_others_have_the_bound_for_any_order() {
        let a = floats(&[2, 3], &[1.0, -2.0, 3.0, 0.5, 4.0, -1.0]);
        let b = floats(&[3, 2], &[2.0, 1.0, 0.0, -3.0, 5.0, 0.25]);
        let y = &run("MatMul", 13, &[a.clone(), b], 1).expect("the node is valid")[0];
        // The elements are 1*2 + 3*5 = 17, 1 + 6 + 0.75, 1 - 5, and 0.5 - 12 - 0.25.
        assert_eq!(y.tensor, floats(&[2, 2], &[17.0, 7.75, -4.0, -11.75]));
        assert!(y.is_certain());
        let b = floats(&[3, 1], &[0.1, 1.3, -7.7]);
        let y = &run("MatMul", 13, &[a, b], 1).expect("the node is valid")[0];
        // The magnitudes 1*0.1 + 2*1.3 + 3*7.7 add up to 25.8. Each of three terms may be rounded once and go through
        // two additions.
        let (x, bound) = (y.number(0).real(), 3.0 * 25.8 * 2f64.powi(-24));
        assert!(x.high - x.mid < 1.01 * bound && x.high - x.mid > 0.99 * bound, "{x:?}");
    }

    #[test]
    fn the_fast_sum_is_close_to_the_slow_one() {
        let values: Vec<f64> = (0..24).map(|i| f64::from(i * i % 17) / 3.0 - 2.0).collect();
        let tensor = |dtype, shape: &[usize]| {
            Tensor::from_f64s(dtype, shape.to_vec(), &values).expect("the shape has 24 elements")
        };
        for dtype in [DType::Float, DType::Bfloat16, DType::Float16] {
            let (a, b) = (tensor(dtype, &[4, 6]), tensor(dtype, &[6, 4]));
            let fast = &run("MatMul", 13, &[a.clone(), b.clone()], 1).expect("the node is valid")[0];
            for i in 0..16 {
                let mut sum = crate::Accumulator::new(dtype);
                for k in 0..6 {
                    sum.add_exact_product(a.f64_at(i / 4 * 6 + k), b.f64_at(k * 4 + i % 4));
                }
                let (slow, fast) = (sum.finish(), fast.number(i).real());
                assert!((slow.mid - fast.mid).abs() <= 1e-14 * slow.mid.abs().max(1.0));
                assert!((slow.low - fast.low).abs() <= 1e-2 * (slow.high - slow.low), "{slow:?} {fast:?}");
            }
        }
    }

    #[test]
    fn a_vector_is_multiplied_as_a_row_and_infinities_propagate() {
        let a = floats(&[3], &[f32::INFINITY, 1.0, 0.0]);
        let b = floats(&[2, 3, 2], &[1.0, 0.0, 2.0, 2.0, 3.0, 3.0, -1.0, 1.0, 0.0, 0.0, 1.0, 1.0]);
        let y = &run("MatMul", 13, &[a, b], 1).expect("the node is valid")[0];
        assert_eq!(y.shape(), [2, 2]);
        let values = y.tensor.to_f64s();
        assert_eq!((values[0], values[2], values[3]), (f64::INFINITY, f64::NEG_INFINITY, f64::INFINITY));
        assert!(values[1].is_nan());
    }

    #[test]
    fn integers_wrap_and_that_is_left_open() {
        let ints = |values: &[i128]| {
            Tensor::from_i128s(DType::Uint64, vec![values.len()], values).expect("the values fill the shape")
        };
        let y = &run("MatMul", 13, &[ints(&[u64::MAX.into(), 2]), ints(&[u64::MAX.into(), 3])], 1)
            .expect("the node is valid")[0];
        assert!(y.shape().is_empty() && y.tensor.i128_at(0) == 7 && y.latitude.len() == 1);
    }
}
