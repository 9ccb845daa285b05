use crate::families::matrix_product::{Factor, Layout, Opened, collect, int_sums};
use crate::families::quantize::{Target, along, centred, divided, or_at_precision};
use crate::prelude::*;

/// Computes `saturate(round(product * a_scale * b_scale / y_scale) + y_zero_point)`, where `product` is the matrix
/// product of quantized numbers minus their zero points.
///
/// Version 21 adds 8-bit floats and scales of other types. Constraints: both factors have rank 1 or more
/// (`rank-at-least-one`), the inner extents are equal (`inner-extents-equal`), the dimensions before the last two
/// broadcast (`batch-shapes-broadcast`), the scales fit the factors (`scale-shape-fits`), each zero point has the shape
/// of its scale (`zero-point-matches-scale`), and the scale and zero point of `y` have one element
/// (`y-quantization-per-tensor`).
///
/// NaN: `nan`; the order in which scales are applied: `scaling-order`; sums beyond 32 bits: `accumulator-overflow`;
/// ties: `ties`; 8-bit floats that saturate: `float8-saturation`.
pub fn q_linear_mat_mul(call: &Call) -> Answer {
    let (a, b) = (call.tensor("a")?, call.tensor("b")?);
    let layout = Layout::broadcast(
        a.shape(),
        b.shape(),
        [rule::RANK_AT_LEAST_ONE, rule::INNER_EXTENTS_EQUAL, rule::BATCH_SHAPES_BROADCAST],
    )?;
    let [rows, inner, columns] = layout.extents;
    let [batch_a, batch_b] = &layout.batches;
    let (scale_a, scale_b, scale_y) = (call.tensor("a_scale")?, call.tensor("b_scale")?, call.tensor("y_scale")?);
    let (zero_a, zero_b, zero_y) =
        (call.tensor("a_zero_point")?, call.tensor("b_zero_point")?, call.tensor("y_zero_point")?);
    let (of_row, of_column) = (
        along(scale_a, batch_a, rows, 0, rule::SCALE_SHAPE_FITS)?,
        along(scale_b, batch_b, columns, 1, rule::SCALE_SHAPE_FITS)?,
    );
    for (scale, zero) in [(scale_a, zero_a), (scale_b, zero_b)] {
        if scale.shape() != zero.shape() {
            return Err(Refusal::violates(
                rule::ZERO_POINT_MATCHES_SCALE,
                format!(
                    "a scale has shape {:?} and its zero point {:?}, expected equal shapes",
                    scale.shape(),
                    zero.shape()
                ),
            ));
        }
    }
    if let Some(other) = [scale_y, zero_y].into_iter().find(|t| t.rank() > 1 || t.len() != 1) {
        return Err(Refusal::violates(
            rule::Y_QUANTIZATION_PER_TENSOR,
            format!("a scale or zero point of the output has shape {:?}, expected one element", other.shape()),
        ));
    }
    if scale_y.shape() != zero_y.shape() {
        return Err(Refusal::violates(
            rule::ZERO_POINT_MATCHES_SCALE,
            format!(
                "a scale has shape {:?} and its zero point {:?}, expected equal shapes",
                scale_y.shape(),
                zero_y.shape()
            ),
        ));
    }
    let (a, b) = (centred(a, Some(zero_a), &of_row, inner, 0)?, centred(b, Some(zero_b), &of_column, inner, 1)?);
    let (left, right) = (Factor::new(&a), Factor::new(&b));
    let target = Target { dtype: zero_y.dtype(), saturate: true, since: 24, nan: rule::NAN };
    let zero = zero_y.number(0);
    let divisor = scale_y.number(0);
    let quantized = |[pair, row, column]: [usize; 3], product: Number| {
        let (i, j) = layout.pairs[pair];
        let scales = [scale_a.number(of_row[i * rows + row]), scale_b.number(of_column[j * columns + column])];
        let number = target.quantized(scaled(product, scales, divisor), Some(zero));
        let may_vanish = |x: &Number| x.widest().low <= 0.0 && x.widest().high >= 0.0;
        let strays = |x: &Number| !x.is_point() && (may_vanish(x) || x.may_be_infinite_or_nan());
        let is_undefined = scales.iter().chain([&divisor]).any(strays);
        if is_undefined { number.or_whole_range() } else { number }
    };
    let pairs: Vec<_> = layout.matrices().collect();
    let mut out = Collected::new(zero_y.dtype(), shape::product(&layout.shape)?);
    if a.dtype().is_float() || b.dtype().is_float() {
        collect(&mut out, &left, &right, &pairs, |at, (sum, opened)| {
            quantized(at, Opened::or(opened, sum.finish().into(), Accumulator::finish))
        });
    } else {
        for (pair, &(m, n)) in pairs.iter().enumerate() {
            let products = int_sums(&left, m, &right, n, rule::ACCUMULATOR_OVERFLOW);
            for (at, product) in products.into_iter().enumerate() {
                out.push(quantized([pair, at / columns, at % columns], product));
            }
        }
    }
    one(out.into_expected(layout.shape)?)
}

/// Computes `product * a * b / y`, with the scales combined first or applied one by one, in float or in the type of the
/// scales (`scaling-order`).
fn scaled(product: Number, [a, b]: [Number; 2], y: Number) -> Number {
    let ways = [DType::Float, a.dtype()].map(|working| {
        let [product, a, b, y] =
            [product.to_float(working), a.at_precision(working), b.at_precision(working), y.at_precision(working)];
        [
            product * divided(a * b, y),
            divided(product * a * b, y),
            product * divided(a, y) * b,
            divided(product * a, y) * b,
        ]
        .map(|q| q.at_precision(DType::Float))
    });
    let [first, others @ ..] = ways[0];
    others.into_iter().chain(ways[1]).fold(first, |q, other| or_at_precision(q, other, rule::SCALING_ORDER))
}

#[cfg(test)]
mod tests {
    use crate::testing::{floats, run};
    use plumbline_tensor::{DType, Tensor};

    #[test]
    fn scales_apply_by_row_and_by_column() {
        let bytes = |shape: &[usize], values: &[i128]| {
            Tensor::from_i128s(DType::Uint8, shape.to_vec(), values).expect("the values fit the type")
        };
        let (a, b) = (bytes(&[2, 2], &[3, 1, 5, 2]), bytes(&[2, 2], &[4, 1, 2, 6]));
        let inputs = [
            a,
            floats(&[2], &[0.5, 2.0]),
            bytes(&[2], &[1, 2]),
            b,
            floats(&[2], &[1.0, 0.25]),
            bytes(&[2], &[2, 1]),
            floats(&[], &[0.5]),
            bytes(&[], &[7]),
        ];
        let y = &run("QLinearMatMul", 10, &inputs, 1).expect("the node is valid")[0];
        // [[2, 0], [3, 0]] * [[2, 0], [0, 5]] = [[4, 0], [6, 0]]. The scales of the four elements are 0.5, 0.125, 2 and
        // 0.5. Each scaled element is divided by 0.5, and 7 is added.
        assert_eq!(y.tensor.to_i128s(), [11, 7, 31, 7]);
    }
}
