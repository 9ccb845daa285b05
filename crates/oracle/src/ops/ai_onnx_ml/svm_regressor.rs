use crate::families::linear::examples;
use crate::families::post_transform::PostTransform;
use crate::families::support::Kernel;
use crate::families::traditional::in_float;
use crate::prelude::*;

/// Predicts one number per row with a support vector machine: the sum of kernel values times coefficients over all
/// support vectors, plus `rho`. Without support vectors, the sum is the dot product of the features and the
/// coefficients.
///
/// The only version is 1. Constraints: the rank of `X` (`rank-one-or-two`), the kernel (`kernel-type-known`), the
/// lengths of the lists (`model-sizes-fit`), a single `rho` (`rho-is-scalar`), and the name of the transform
/// (`post-transform-known`). The formula: `decision-function`; transforms: `post-transform`; `one_class`: `one-class`.
///
/// Values of `one_class` other than 0 and 1: `other-flag-values`.
pub fn svm_regressor(call: &Call) -> Answer {
    let (rows, features) = examples(call.tensor("X")?, rule::RANK_ONE_OR_TWO)?;
    let kernel = Kernel::read(call, rule::KERNEL_TYPE_KNOWN)?;
    let supports = usize::try_from(call.int("n_supports")?).unwrap_or(0);
    let vectors = call.optional_float_list("support_vectors").unwrap_or_default();
    let coefficients = call.optional_float_list("coefficients").unwrap_or_default();
    let wanted = if supports == 0 { features } else { supports };
    if coefficients.len() != wanted
        || features == 0
        || supports > 0 && Some(vectors.len()) != supports.checked_mul(features)
    {
        let message = format!(
            "{} coefficients and {} numbers in `support_vectors` do not fit {supports} vectors of {features} features",
            coefficients.len(),
            vectors.len()
        );
        return Err(Refusal::violates(rule::MODEL_SIZES_FIT, message));
    }
    let rho = match call.optional_float_list("rho").unwrap_or_default().as_slice() {
        [rho] => f64::from(*rho),
        other => {
            return Err(Refusal::violates(
                rule::RHO_IS_SCALAR,
                format!("`rho` has {} numbers, expected one", other.len()),
            ));
        }
    };
    let transform = PostTransform::named(&call.string("post_transform")?, rule::POST_TRANSFORM_KNOWN)?;
    let one_class = call.flag("one_class");
    let predicted = |row: &[Number]| {
        let row: Vec<Number> = row.iter().map(Number::with_outcomes_inside).collect();
        let row = row.as_slice();
        let mut sum = Accumulator::new(row[0].dtype());
        let weight = |x: f64| Real::constant(x, row[0].dtype());
        if supports == 0 {
            row.iter().zip(&coefficients).for_each(|(x, &c)| sum.add_product(x.real(), weight(f64::from(c))));
        }
        for (vector, &c) in vectors.chunks(features).zip(&coefficients).take(supports) {
            sum.add_product(kernel.evaluate(row, vector).real(), weight(f64::from(c)));
        }
        sum.add(weight(rho));
        let score = Number::from(sum.finish_inside());
        let score = if one_class { side(score) } else { score };
        transform.apply_to_targets(&[score], rule::POST_TRANSFORM)
    };
    let numbers = rows.iter().flat_map(|row| in_float(row, predicted));
    call.answer_as(DType::Float, vec![rows.len(), 1], numbers)
}

/// Returns 1 for a score above zero and -1 for any other (`one-class`).
fn side(score: Number) -> Number {
    score.map_real(|x| x.stepped(|x| if x > 0.0 { 1.0 } else { -1.0 }))
}
