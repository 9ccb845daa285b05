use crate::families::matrix_product::{Factor, Layout, int_sums};
use crate::families::quantize::{along, centred};
use crate::prelude::*;

/// Computes matrix products of 8-bit integers minus their zero points, in 32 bits.
///
/// The only version is 10. Constraints: both factors have rank 1 or more (`rank-at-least-one`), the inner extents are
/// equal (`inner-extents-equal`), the dimensions before the last two broadcast (`batch-shapes-broadcast`), and the zero
/// points fit (`a-zero-point-fits`, `b-zero-point-fits`). Sums beyond 32 bits: `accumulator-overflow`.
pub fn mat_mul_integer(call: &Call) -> Answer {
    let (a, b) = (call.tensor("A")?, call.tensor("B")?);
    let layout = Layout::broadcast(
        a.shape(),
        b.shape(),
        [rule::RANK_AT_LEAST_ONE, rule::INNER_EXTENTS_EQUAL, rule::BATCH_SHAPES_BROADCAST],
    )?;
    let [rows, inner, columns] = layout.extents;
    let [batch_a, batch_b] = &layout.batches;
    let (zero_a, zero_b) = (call.optional_tensor("a_zero_point")?, call.optional_tensor("b_zero_point")?);
    let at_a = zero_a.map(|z| along(z, batch_a, rows, 0, rule::A_ZERO_POINT_FITS)).transpose()?.unwrap_or_default();
    let at_b = zero_b.map(|z| along(z, batch_b, columns, 1, rule::B_ZERO_POINT_FITS)).transpose()?.unwrap_or_default();
    let (a, b) = (centred(a, zero_a, &at_a, inner, 0)?, centred(b, zero_b, &at_b, inner, 1)?);
    let (left, right) = (Factor::new(&a), Factor::new(&b));
    let numbers = layout.matrices().flat_map(|(a, b)| int_sums(&left, a, &right, b, rule::ACCUMULATOR_OVERFLOW));
    call.answer(layout.shape.clone(), numbers)
}

#[cfg(test)]
mod tests {
    use crate::testing::run;
    use plumbline_tensor::{DType, Tensor};

    #[test]
    fn zero_points_apply_by_row_and_by_column() {
        let bytes = |dtype, shape: &[usize], values: &[i128]| {
            Tensor::from_i128s(dtype, shape.to_vec(), values).expect("the values fit the type")
        };
        let a = bytes(DType::Uint8, &[2, 2], &[255, 0, 1, 2]);
        let b = bytes(DType::Int8, &[2, 3], &[-128, 1, 2, 127, 0, 3]);
        let (za, zb) = (bytes(DType::Uint8, &[2], &[255, 1]), bytes(DType::Int8, &[3], &[-128, 1, 0]));
        let y = &run("MatMulInteger", 10, &[a, b, za, zb], 1).expect("the node is valid")[0];
        // Minus the zero points, the rows are [0, -255] and [0, 1], the columns [0, 255], [0, -1] and [2, 3].
        assert_eq!(y.tensor.to_i128s(), [-255 * 255, 255, -765, 255, -1, 3]);
    }
}
