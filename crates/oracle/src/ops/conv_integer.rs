use crate::families::quantized_convolution::products;
use crate::prelude::*;

/// Computes a convolution of 8-bit integers minus their zero points, with sums in 32 bits.
///
/// The only version is 10. Windows follow the rules from `input-has-spatial-axes` to `negative-same-padding` in the
/// list of `families::spatial`. Constraints: the kernel (`channels-fit-groups`, `kernel-shape-matches-w`) and the zero
/// points (`quantization-per-tensor`, `w-quantization-per-channel`). Sums beyond 32 bits: `accumulator-overflow`; the
/// value of padding: `zero-point-padding`; a window that is a little too long for its axis: `window-just-too-long`.
pub fn conv_integer(call: &Call) -> Answer {
    let products = products(call, ["x_zero_point", "w_zero_point"])?;
    let sums = products
        .sums
        .into_iter()
        .map(|sum| Number::int(i128::from(sum), DType::Int32).wraps(rule::ACCUMULATOR_OVERFLOW));
    call.answer_as(DType::Int32, products.shape, sums)
}

#[cfg(test)]
mod tests {
    use crate::testing::run;
    use plumbline_tensor::{DType, Tensor};

    #[test]
    fn zero_points_are_subtracted_and_padding_adds_nothing() {
        let of = |dtype, shape: &[usize], v: &[i128]| {
            Tensor::from_i128s(dtype, shape.to_vec(), v).expect("the values fill the shape")
        };
        let x = of(DType::Uint8, &[1, 1, 3], &[255, 3, 1]);
        let w = of(DType::Int8, &[2, 1, 2], &[-128, 127, 1, 2]);
        let inputs = [x, w, of(DType::Uint8, &[], &[3]), of(DType::Int8, &[2], &[-1, 1])];
        let y = &run("ConvInteger <pads = [1, 0]>", 10, &inputs, 1).expect("the node is valid")[0];
        assert_eq!(y.tensor, of(DType::Int32, &[1, 2, 3], &[252 * 128, 252 * -127, -2 * 128, 252, 0, -2]));
    }
}
