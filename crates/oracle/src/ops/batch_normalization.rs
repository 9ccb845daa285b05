use crate::families::normalization::{Standardization, coarsest, constant, deviation, of_outcomes, staged};
use crate::families::spread::{Spread, difference_overflows, standardized};
use crate::prelude::*;

/// Normalizes each channel with a mean and a variance, then applies `scale` and `B`. In training, mean and variance are
/// those of the batch; otherwise they are given.
///
/// Versions 1 and 6 have the attributes `is_test` and `spatial`. Version 7 keeps `spatial`, and trains if the node
/// names further outputs. Version 9 takes an input of rank 1 as one channel. Version 14 adds `training_mode`, version
/// 15 three independent types.
///
/// Constraints: the rank of `X` (`input-has-channels`), the shapes of the other inputs (`parameter-shapes-fit`), and
/// further outputs if and only if the node trains (`outputs-fit-mode`). Whether the node trains: `training-mode`; the
/// running variance: `running-variance`; the saved statistics: `saved-variance`; intermediate results that overflow:
/// `intermediate-overflow`; different types: `mixed-types`; statistics per activation: `spatial-statistics`; NaN and
/// infinities: `nan-and-infinity`.
///
/// Flags that are neither 0 nor 1: `other-flag-values`.
pub fn batch_normalization(call: &Call) -> Answer {
    let x = call.tensor("X")?;
    let places = Places::read(call, x)?;
    let since = call.since();
    let [mean_name, variance_name] = if since < 14 { ["mean", "var"] } else { ["input_mean", "input_var"] };
    let parameters = [call.tensor("scale")?, call.tensor("B")?, call.tensor(mean_name)?, call.tensor(variance_name)?];
    if let Some(other) = parameters.iter().find(|p| p.shape() != places.parameters) {
        return Err(Refusal::violates(
            rule::PARAMETER_SHAPES_FIT,
            format!("a parameter has shape {:?}, expected {:?}", other.shape(), places.parameters),
        ));
    }
    let further = (1..call.output_count()).any(|i| !call.node().output[i].is_empty());
    let training = match since {
        ..7 => call.int("is_test")? == 0 && further,
        7..14 => further,
        _ => call.flag("training_mode"),
    };
    let all = if since < 14 { 5 } else { 3 };
    if ![1, all].contains(&call.output_count()) || (call.output_count() == all) != training {
        let (expected, why) = if training { (all, "trains") } else { (1, "does not train") };
        return Err(Refusal::violates(
            rule::OUTPUTS_FIT_MODE,
            format!("{} outputs are given, expected {expected}, because the node {why}", call.output_count()),
        ));
    }
    // The attribute says training, but the outputs are those of a test: `training-mode`.
    let contradictory = since < 7 && call.int("is_test")? == 0 && !further;
    if since < 7 && !call.flag("spatial") && (training || contradictory) {
        call.leaves_open(rule::SPATIAL_STATISTICS);
    }
    let work = coarsest(&[x.dtype(), parameters[0].dtype(), parameters[2].dtype()]);
    let epsilon = constant(call.float("epsilon")?, work);
    let momentum = constant(call.optional_float("momentum").unwrap_or(0.0), work);
    let groups = if training || contradictory { places.groups(x.len()) } else { vec![] };
    let count = groups.first().map_or(0, Vec::len) as f64;
    let tensors: Vec<&Expected> = std::iter::once(x).chain(parameters).collect();
    let [y, running_mean, running_variance, saved_mean, saved_variance] = of_outcomes(&tensors, |read| {
        let [scale, bias, mean, variance] =
            parameters.map(|p| p.numbers().map(|n| staged(read(&n), work)).collect::<Vec<Real>>());
        let elements: Vec<Real> = x.numbers().map(|n| staged(read(&n), work)).collect();
        let given = |i: usize| {
            let p = places.parameter(i);
            let y = Standardization::new(
                mean[p],
                deviation(variance[p], epsilon),
                scale[p],
                bias[p],
                rule::INTERMEDIATE_OVERFLOW,
            )
            .apply(elements[i]);
            let finite = y.real().low.is_finite() && y.real().high.is_finite();
            if finite || work == DType::Double || x.dtype() != DType::Double {
                return y;
            }
            // The result overflows in the working type, but perhaps not in a more exact type such as float64
            // (`mixed-types`).
            let [scale, bias, mean, variance] = parameters.map(|t| read(&t.number(p)).at_precision(DType::Double));
            let deviation = deviation(variance, epsilon.at_precision(DType::Double));
            let exact = Standardization::new(mean, deviation, scale, bias, rule::INTERMEDIATE_OVERFLOW)
                .apply(read(&x.number(i)).at_precision(DType::Double));
            if exact.is_nan() { y } else { exact.or(y.overflowing(), rule::INTERMEDIATE_OVERFLOW) }
        };
        let mut y: Vec<Number> = if training { vec![] } else { (0..x.len()).map(given).collect() };
        y.resize(x.len(), Number::constant(0.0, work));
        let of_batch: Vec<Spread> = groups.iter().map(|g| Spread::compute(&picked(&elements, g), work)).collect();
        for (p, (group, spread)) in groups.iter().zip(&of_batch).enumerate() {
            let by_batch = standardized(spread, epsilon, scale[p], bias[p], rule::INTERMEDIATE_OVERFLOW);
            for (&i, number) in group.iter().zip(by_batch) {
                y[i] = if training { number } else { y[i].or(number.overflowing(), rule::TRAINING_MODE) };
            }
        }
        let y = y.into_iter().map(|y| y.at_precision(x.dtype())).collect();
        let dtype = parameters[2].dtype();
        let per_group = |f: &dyn Fn(usize, &Spread) -> Number| {
            of_batch.iter().enumerate().map(|(p, spread)| f(p, spread).at_precision(dtype)).collect::<Vec<Number>>()
        };
        let rest = Real::constant(1.0, work).minus(momentum);
        let running = |old: Real, new: Number| Number::from(old.times(momentum)) + new * rest.into();
        // Turns the variance of the population into that of a sample, which the paper on batch normalization uses
        // (`running-variance`).
        let of_sample = Number::from(Real::constant(count / (count - 1.0), work).widened(1.0));
        // An implementation with a running mean subtracts it from each element. If the difference overflows, the running
        // mean and the sum of squared deviations become infinite, and at the next element NaN.
        let strays: Vec<bool> = groups.iter().map(|g| difference_overflows(&picked(&elements, g))).collect();
        let or_strayed = |p: usize, x: Number| match strays[p] {
            true => {
                let infinite = Allowed::either(f64::INFINITY, f64::NEG_INFINITY);
                x.or(infinite.with(Allowed::real(f64::NAN)), rule::INTERMEDIATE_OVERFLOW)
            }
            false => x,
        };
        let mean_of = |p: usize, spread: &Spread| or_strayed(p, spread.mean(rule::INTERMEDIATE_OVERFLOW));
        let variance_of = |p: usize, spread: &Spread| or_strayed(p, spread.variance(rule::INTERMEDIATE_OVERFLOW));
        let inverse = |spread: &Spread| spread.inverse(spread.deviation(epsilon), rule::INTERMEDIATE_OVERFLOW);
        Ok([
            y,
            per_group(&|p, spread| running(mean[p], mean_of(p, spread))),
            per_group(&|p, spread| {
                let population = running(variance[p], variance_of(p, spread));
                let sample = running(variance[p], variance_of(p, spread) * of_sample);
                if since >= 14 { population } else { population.or(sample.overflowing(), rule::RUNNING_VARIANCE) }
            }),
            per_group(&|p, spread| mean_of(p, spread)),
            // An implementation chooses which statistic it saves for the gradient (`saved-variance`).
            per_group(&|p, spread| {
                let variance = variance_of(p, spread);
                variance
                    .or((variance * of_sample).overflowing(), rule::SAVED_VARIANCE)
                    .or(inverse(spread).overflowing(), rule::SAVED_VARIANCE)
            }),
        ])
    })?;
    let y = Expected::from_numbers(x.dtype(), x.shape().to_vec(), y)?;
    if !training {
        return several(
            std::iter::once(y).chain(parameters[1..].iter().map(|&p| p.clone())).chain([parameters[0].clone()]),
        );
    }
    let for_each = |numbers| Expected::from_numbers(parameters[2].dtype(), places.parameters.clone(), numbers);
    let (mean, variance) = (for_each(running_mean)?, for_each(running_variance)?);
    if since >= 14 {
        return several([y, mean, variance]);
    }
    several([y, mean, variance, for_each(saved_mean)?, for_each(saved_variance)?])
}

fn picked(elements: &[Real], group: &[usize]) -> Vec<Real> {
    match group {
        [] => vec![Real::constant(f64::NAN, DType::Float)],
        _ => group.iter().map(|&i| elements[i]).collect(),
    }
}

/// Tells which elements of `X` share statistics and parameters.
struct Places {
    /// The shape of scale, bias, mean and variance.
    parameters: Vec<usize>,
    /// The number of parameters in each of these tensors.
    count: usize,
    /// The number of neighbouring elements of `X` that share one parameter.
    run: usize,
}

impl Places {
    fn read(call: &Call, x: &Expected) -> Result<Places, Refusal> {
        let wrong = || {
            Refusal::violates(
                rule::INPUT_HAS_CHANNELS,
                format!("`X` has rank {}, which this version does not allow", x.rank()),
            )
        };
        let since = call.since();
        if since == 1 && x.rank() != 4 {
            return Err(wrong());
        }
        let spatial = call.flag_or_set("spatial");
        let parameters = match x.shape() {
            [_] if since >= 9 => vec![1],
            [] | [_] => return Err(wrong()),
            [_, activations @ ..] if !spatial && since >= 7 => activations.to_vec(),
            [_, channels, ..] => vec![*channels],
        };
        let count = shape::affordable(&parameters)?;
        let whole = shape::product(x.shape().get(1..).unwrap_or(&[]))?;
        Ok(Places { parameters, count, run: whole.checked_div(count).unwrap_or(1).max(1) })
    }

    fn parameter(&self, i: usize) -> usize {
        i / self.run % self.count.max(1)
    }

    fn groups(&self, elements: usize) -> Vec<Vec<usize>> {
        let mut groups = vec![vec![]; self.count];
        (0..elements).for_each(|i| groups[self.parameter(i)].push(i));
        groups
    }
}

#[cfg(test)]
mod tests {
    use crate::Judged;
    use crate::testing::{floats, run};

    /// An implementation that subtracts the running mean from each element gets an infinity or NaN here.
    #[test]
    fn a_running_mean_may_overflow() {
        let judged = |x: f32, mean: f32| {
            let one = floats(&[1], &[1.0]);
            let inputs = [floats(&[2, 1], &[x, -x]), one.clone(), one.clone(), one.clone(), one];
            let outputs = run("BatchNormalization <training_mode = 1>", 15, &inputs, 3).expect("the node is valid");
            [1, 2].map(|output: usize| outputs[output].judge(&floats(&[1], &[mean]), 0))
        };
        for stray in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY] {
            assert!(!judged(3e38, stray).contains(&Judged::Wrong), "{stray}");
            assert_eq!(judged(1.5, stray), [Judged::Wrong; 2]);
        }
    }
}
