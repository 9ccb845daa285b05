//! NegativeLogLikelihoodLoss and SoftmaxCrossEntropyLoss: their labels, weights and reductions.
//!
//! Both operators have these rules:
//!
//! - `label-shape-fits`: the shape of the labels fits the shape of the scores.
//! - `class-weights-fit`: there is one weight for each class.
//! - `labels-in-range`: every label that is not ignored is a class.
//! - `reduction-known`: the reduction is known.
//! - `unweighted-mean`: the mean if labels are ignored and there are no weights.
//! - `empty-mean`: the mean of no losses, or the mean with weights that add up to zero.
//! - `intermediate-overflow`: the result if sums overflow and their quotient does not.

use crate::families::normalization::overflow;
use crate::families::reduce::sum_without_overflow;
use crate::prelude::*;

/// Computes the loss of log-probabilities `y` of shape (N, C, d1, ...). `labels` and `weights` are the names of inputs.
pub fn loss(call: &Call, y: &Expected, labels: &str, weights: &str) -> Result<Expected, Refusal> {
    let dtype = y.dtype();
    let reduction = call.string("reduction")?;
    if !["none", "sum", "mean"].contains(&reduction.as_str()) {
        return Err(Refusal::violates(
            rule::REDUCTION_KNOWN,
            format!("`reduction` is `{reduction}`, expected `none`, `sum` or `mean`"),
        ));
    }
    let labels = call.tensor(labels)?;
    let &[samples, classes, ref inner @ ..] = y.shape() else {
        return Err(Refusal::violates(
            rule::LABEL_SHAPE_FITS,
            format!("the input has shape {:?}, which has no axis of classes", y.shape()),
        ));
    };
    let shape = [&[samples], inner].concat();
    if labels.shape() != shape {
        return Err(Refusal::violates(
            rule::LABEL_SHAPE_FITS,
            format!("the labels have shape {:?}, expected {shape:?}", labels.shape()),
        ));
    }
    let weights = call.optional_tensor(weights)?;
    if let Some(w) = weights.filter(|w| w.shape() != [classes]) {
        return Err(Refusal::violates(
            rule::CLASS_WEIGHTS_FIT,
            format!("the weights have shape {:?}, expected [{classes}]", w.shape()),
        ));
    }
    if !labels.is_certain() {
        return Err(Refusal::unsupported(
            "the labels decide what is computed, but the oracle accepts more than one value for a label",
        ));
    }
    let ignored = call.optional_int("ignore_index").map(i128::from);
    let each = shape::product(inner)?.max(1);
    let mut losses = Vec::with_capacity(labels.len());
    let mut applied = Vec::with_capacity(labels.len());
    let mut factors = Vec::new();
    for (i, label) in labels.tensor.to_i128s().into_iter().enumerate() {
        if Some(label) == ignored {
            losses.push(Number::constant(0.0, dtype));
            continue;
        }
        let class = usize::try_from(label).ok().filter(|&c| c < classes);
        let class = class.ok_or_else(|| {
            Refusal::violates(rule::LABELS_IN_RANGE, format!("label {label} is outside [0, {classes})"))
        })?;
        let loss = -y.number((i / each * classes + class) * each + i % each).with_any_zero();
        let weight = weights.map(|w| w.number(class));
        factors.extend(weight.map(|weight| (loss.real(), weight.real())));
        losses.push(weight.map_or(loss, |weight| loss * weight));
        applied.push(weight.unwrap_or(Number::constant(1.0, dtype)));
    }
    if reduction == "none" {
        return Expected::from_numbers(dtype, shape, losses);
    }
    let loss = |losses: &[Real], applied: &[Real]| match reduction.as_str() {
        "sum" => summed(losses, dtype).finish().into(),
        _ => mean(losses, applied, weights.is_some(), dtype),
    };
    let read =
        |of: fn(&Number) -> Real| [&losses, &applied].map(|numbers| numbers.iter().map(of).collect::<Vec<Real>>());
    let [preferred, weighed] = read(Number::real);
    let mut result = loss(&preferred, &weighed);
    if let Some(exact) = with_products_beyond(&factors, reduction == "mean", dtype) {
        result = Number::from(exact).or(result.overflowing(), rule::INTERMEDIATE_OVERFLOW);
    }
    if let Some(latitude) = losses.iter().chain(&applied).find_map(|number| number.latitude) {
        let [finite, weighed] = read(finite_outcomes);
        result = result.or(loss(&finite, &weighed).overflowing(), latitude.label);
        // Infinities and NaN among the outcomes are single values: the numbers between them and the finite outcomes are
        // not accepted.
        let strays = |value: f64| losses.iter().any(|x| x.latitude.is_some() && x.widest().accepts(value));
        let [up, down] = [f64::INFINITY, f64::NEG_INFINITY].map(strays);
        let divisor = if reduction == "mean" { weighed.iter().map(|w| w.mid).sum::<f64>().signum() } else { 1.0 };
        let also = |number: Number, is: bool, value: f64| match is {
            true => number.or(Number::constant(value, dtype), latitude.label),
            false => number,
        };
        result = also(result, up, f64::INFINITY * divisor);
        result = also(result, down, f64::NEG_INFINITY * divisor);
        result = also(result, strays(f64::NAN) || up && down, f64::NAN);
    }
    Expected::from_numbers(dtype, vec![], [result])
}

/// Computes the sum of the products of losses and weights, or with `mean` their weighted mean, without overflow: losses
/// and weights are scaled down by powers of two first. Returns `None` unless the losses, the weights and the result are
/// finite and a product is not.
fn with_products_beyond(factors: &[(Real, Real)], mean: bool, dtype: DType) -> Option<Real> {
    let finite = |x: &Real| x.low.is_finite() && x.high.is_finite() && !x.nan;
    let beyond = |x: Real| x.low == x.high && x.low.is_infinite();
    let all_finite = factors.iter().all(|(loss, weight)| finite(loss) && finite(weight));
    if !all_finite || !factors.iter().any(|&(loss, weight)| beyond(loss.times(weight))) {
        return None;
    }
    let power = |x: f64| libm::frexp(x).1.max(0);
    let losses = power(factors.iter().map(|(loss, _)| loss.mid.abs()).fold(0.0, f64::max)) + 1;
    let weights = power(factors.iter().map(|(_, weight)| weight.mid.abs()).fold(0.0, f64::max)) + 1;
    let (mut total, mut divisor) = (Accumulator::new(dtype), Accumulator::new(dtype));
    for (loss, weight) in factors {
        total.add_product(loss.scaled(-losses), weight.scaled(-weights));
        divisor.add(weight.scaled(-weights));
    }
    let (total, divisor) = (total.finish_inside(), divisor.finish_inside());
    let result = if mean { total.over(divisor).scaled(losses) } else { total.scaled(losses + weights) };
    let result = result.to_dtype(dtype);
    result.mid.is_finite().then_some(result)
}

/// Returns the finite part of the interval that a number and its outcomes span. If no outcome is finite, returns the
/// number itself. If every value is an outcome, returns the interval from -infinity to infinity.
fn finite_outcomes(number: &Number) -> Real {
    let preferred = number.real();
    let Some(Allowed::Reals(reals)) = number.latitude.map(|latitude| latitude.allowed) else { return number.widest() };
    let largest = preferred.dtype.float_format().map_or(f64::MAX, |f| f.max_finite());
    let finite = reals.ranges().iter().filter(|(low, high)| *low <= largest && *high >= -largest);
    let ends = finite.map(|&(low, high)| (low.max(-largest), high.min(largest)));
    ends.fold(preferred, |all, (low, high)| Real { low: all.low.min(low), high: all.high.max(high), ..all })
}

fn summed(terms: &[Real], dtype: DType) -> Accumulator {
    let mut sum = Accumulator::new(dtype);
    terms.iter().for_each(|&x| sum.add(x));
    sum
}

/// Divides the sum of the losses by the sum of the applied weights. Without weights, divides by the number of labels
/// that are not ignored; the number of all labels is another outcome (`unweighted-mean`).
fn mean(losses: &[Real], applied: &[Real], weighted: bool, dtype: DType) -> Number {
    let total = Sum::add_up(losses, dtype);
    let count = |count: usize| Sum::exact(Real::constant(count as f64, dtype));
    if weighted {
        return total.over(&Sum::add_up(applied, dtype), dtype);
    }
    let mean = total.over(&count(applied.len()), dtype);
    if applied.len() == losses.len() {
        mean
    } else {
        mean.or(total.over(&count(losses.len()), dtype).overflowing(), rule::UNWEIGHTED_MEAN)
    }
}

/// A sum inside of the formula.
struct Sum {
    /// The sum as it is computed in the type.
    plain: Real,
    /// The sum of the terms divided by a power of two, so that it does not overflow, and the exponent of that power.
    scaled: (Real, i32),
    /// Whether the sum may overflow although no term is infinite.
    overflows: bool,
}

impl Sum {
    fn add_up(terms: &[Real], dtype: DType) -> Sum {
        let plain = summed(terms, dtype).finish_inside();
        Sum { plain, scaled: sum_without_overflow(terms, dtype), overflows: overflow(terms, &[plain]) }
    }

    fn exact(value: Real) -> Sum {
        Sum { plain: value, scaled: (value, 0), overflows: false }
    }

    /// Divides this sum by a sum of weights. If a sum overflows, the preferred quotient is the one without overflow,
    /// and the quotients of the infinite sums are other outcomes (`intermediate-overflow`).
    fn over(&self, weights: &Sum, dtype: DType) -> Number {
        if !self.overflows && !weights.overflows {
            return quotient(self.plain, weights.plain, dtype);
        }
        let ((up, more), (down, less)) = (self.scaled, weights.scaled);
        let exact = quotient(up, down, dtype).map_real(|x| x.scaled(more - less).widened(1.0).to_dtype(dtype));
        let value = |x: f64| Number::constant(x, dtype);
        let ends = [self.plain.low, self.plain.high].into_iter().filter(|x| self.overflows && x.is_infinite());
        let mut number =
            ends.fold(exact, |number, end| number.or(value(end * down.mid.signum()), rule::INTERMEDIATE_OVERFLOW));
        if weights.overflows {
            number = number.or(value(0.0), rule::INTERMEDIATE_OVERFLOW);
        }
        let undefined = self.plain.nan || weights.plain.nan || self.overflows && weights.overflows;
        if undefined { number.or(value(f64::NAN), rule::INTERMEDIATE_OVERFLOW) } else { number }
    }
}

/// Divides a sum of losses by a sum of weights. If the sum of weights is or may be zero, the result is left open
/// (`empty-mean`).
fn quotient(total: Real, weights: Real, dtype: DType) -> Number {
    let (total, weights) = (total.at_precision(dtype), weights.at_precision(dtype));
    if weights.low > 0.0 || weights.high < 0.0 || !weights.mid.is_finite() || total.low.is_nan() || total.nan {
        return Number::from(total.over(weights).hull(total.times(Real::constant(1.0, dtype).over(weights))));
    }
    let value = |x: f64| Number::constant(x, dtype);
    if total.low == 0.0 && total.high == 0.0 {
        return value(f64::NAN).or(value(0.0), rule::EMPTY_MEAN);
    }
    // If the weights cancel, their sum is small or zero, so that the quotient is far from zero, on either side.
    let least = if total.low <= 0.0 && total.high >= 0.0 { 0.0 } else { total.low.abs().min(total.high.abs()) };
    let divisor = weights.low.abs().max(weights.high.abs());
    let least = if divisor == 0.0 { f64::INFINITY } else { least / divisor * 0.99 };
    let far = Real { low: least, mid: f64::INFINITY, high: f64::INFINITY, ..Real::constant(0.0, dtype) };
    let mid = total.mid / weights.mid;
    let (same, other) = if mid < 0.0 { (far.neg(), far) } else { (far, far.neg()) };
    let number = Number::from(Real { mid: if mid.is_finite() { mid } else { same.mid }, ..same });
    number.or(other, rule::EMPTY_MEAN).or(value(f64::NAN), rule::EMPTY_MEAN).or(value(0.0), rule::EMPTY_MEAN)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two losses with equal weights have a finite mean although both products are beyond the range of the type.
    #[test]
    fn a_mean_of_products_beyond_the_type_is_finite() {
        for (dtype, large) in [(DType::Double, 1e200), (DType::Float, 1e30)] {
            let of = |x: f64| Real::constant(x, dtype).nearest();
            let factors = [(of(large), of(large)), (of(3.0 * large), of(large))];
            let mean = with_products_beyond(&factors, true, dtype).expect("the mean is finite");
            assert!((mean.mid / large - 2.0).abs() < 1e-6 && mean.high - mean.low < 1e-5 * large, "{mean:?}");
            assert_eq!(with_products_beyond(&factors, false, dtype), None);
            assert_eq!(with_products_beyond(&[(of(2.0), of(3.0))], true, dtype), None);
        }
    }
}
