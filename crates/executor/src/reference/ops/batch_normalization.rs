use crate::reference::families::normalization::{
    Spread, coarsest, constant, deviation, open, opened, staged, Standardization,
};
use crate::reference::prelude::*;

/// BatchNormalization-1, -6: `is_test`, `spatial`. -7: `spatial`; training where further outputs are named. -9: a list is one channel.
/// -14: `training_mode`. -15: three types. Rank of X: C1; shapes of the others: C2; further outputs exactly in training: C3.
/// Training or not: B1; running variance: B2; saved statistics: B3; what overflows on the way: B4; mixed types: B5;
/// statistics of each activation: B6; NaN: B7.
pub fn batch_normalization(call: &Call) -> Answer {
    let x = call.tensor("X")?;
    let places = Places::of(call, x)?;
    let since = call.since();
    let [mean_name, variance_name] = if since < 14 { ["mean", "var"] } else { ["input_mean", "input_var"] };
    let parameters = [call.tensor("scale")?, call.tensor("B")?, call.tensor(mean_name)?, call.tensor(variance_name)?];
    if let Some(other) = parameters.iter().find(|p| p.shape() != places.parameters) {
        return Err(Refusal::violates(C2, format!("{:?} is given where {:?} is wanted", other.shape(), places.parameters)));
    }
    let further = (1..call.output_count()).any(|i| !call.node().output[i].is_empty());
    let training = match since {
        ..7 => call.int("is_test")? == 0 && further,
        7..14 => further,
        _ => call.int("training_mode")? != 0,
    };
    let all = if since < 14 { 5 } else { 3 };
    if ![1, all].contains(&call.output_count()) || (call.output_count() == all) != training {
        return Err(Refusal::violates(C3, format!("{} outputs, training or not", call.output_count())));
    }
    // The mode that is not called for by the outputs, where the attribute says it: B1.
    let contradictory = since < 7 && call.int("is_test")? == 0 && !further;
    let work = coarsest(&[x.dtype(), parameters[0].dtype(), parameters[2].dtype()]);
    let [scale, bias, mean, variance] = parameters.map(|p| {
        p.numbers().map(|n| staged(n.real(), work)).collect::<Vec<Real>>()
    });
    let label = open(&[x]).or(open(&parameters));
    let elements: Vec<Real> = x.numbers().map(|n| staged(n.real(), work)).collect();
    let epsilon = constant(call.float("epsilon")?, work);
    let of_batch: Vec<Spread> = match training || contradictory {
        true => places.groups(x.len()).iter().map(|g| Spread::of(&picked(&elements, g), work)).collect(),
        false => vec![],
    };
    let element = |i: usize, of_batch: Option<&Spread>| {
        let p = places.parameter(i);
        let (mean, variance) = of_batch.map_or((mean[p], variance[p]), |s| (s.mean, s.variance));
        Standardization::new(mean, deviation(variance, epsilon), scale[p], bias[p], B4).of(elements[i])
    };
    let y = (0..x.len()).map(|i| {
        let spread = of_batch.get(places.parameter(i));
        let number = match contradictory {
            true => element(i, None).or_computed(spread.map_or(elements[i], |s| element(i, Some(s)).real()), B1),
            false => element(i, spread),
        };
        opened(number.at_precision(x.dtype()), label.or(spread.filter(|s| s.overflows).map(|_| B4)))
    });
    let y = Expected::from_numbers(x.dtype(), x.shape().to_vec(), y)?;
    if !training {
        return several(std::iter::once(y).chain(parameters[1..].iter().map(|&p| p.clone())).chain([parameters[0].clone()]));
    }
    let momentum = constant(call.float("momentum")?, work);
    let rest = Real::constant(1.0, work).minus(momentum);
    let running = |old: Real, new: Real| old.times(momentum).plus(new.times(rest));
    let count = places.groups(x.len()).first().map_or(0, Vec::len) as f64;
    let per_group = |f: &dyn Fn(usize) -> Number| {
        let dtype = parameters[2].dtype();
        let open = |p: usize| label.or(of_batch[p].overflows.then_some(B4));
        let numbers = (0..mean.len()).map(|p| opened(f(p).at_precision(dtype), open(p)));
        Expected::from_numbers(dtype, places.parameters.clone(), numbers)
    };
    let batch = |p: usize| (of_batch[p].mean, of_batch[p].variance);
    let running_mean = per_group(&|p| running(mean[p], batch(p).0).into())?;
    let running_variance = per_group(&|p| {
        let population = Number::from(running(variance[p], batch(p).1));
        if since >= 14 {
            return population;
        }
        // Of the population, or as the paper has it, of a sample: B2.
        let sample = batch(p).1.times(Real::constant(count / (count - 1.0), work).widened(1.0));
        population.or_computed(running(variance[p], sample), B2)
    })?;
    if since >= 14 {
        return several([y, running_mean, running_variance]);
    }
    let saved_mean = per_group(&|p| batch(p).0.into())?;
    let saved_variance = per_group(&|p| Number::from(batch(p).1).undecided(B3))?;
    several([y, running_mean, running_variance, saved_mean, saved_variance])
}

fn picked(elements: &[Real], group: &[usize]) -> Vec<Real> {
    match group {
        [] => vec![Real::constant(f64::NAN, DType::Float)],
        _ => group.iter().map(|&i| elements[i]).collect(),
    }
}

/// Which elements share statistics and parameters.
struct Places {
    /// The shape of scale, bias, mean and variance.
    parameters: Vec<usize>,
    /// How many of them there are, and how many neighbouring elements of X share one.
    count: usize,
    run: usize,
}

impl Places {
    fn of(call: &Call, x: &Expected) -> Result<Places, Refusal> {
        let wrong = || Refusal::violates(C1, format!("X has rank {}", x.rank()));
        let since = call.since();
        if since == 1 && x.rank() != 4 {
            return Err(wrong());
        }
        let spatial = call.optional_int("spatial").unwrap_or(1) != 0;
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
