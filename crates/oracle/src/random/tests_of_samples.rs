//! Goodness-of-fit tests of samples. Each test has a share of [`FALSE_ALARM`]; the shares of all tests of a sample add
//! up to it. Only the range test of a normal sample has no share: an element beyond [`FARTHEST`] is far less likely
//! than [`FALSE_ALARM`].

use plumbline_tensor::Tensor;

use super::{Distribution, FALSE_ALARM, Objection};

/// The distance from the mean, in standard deviations, within which every element of a normal sample must lie. The
/// probability that one element lies farther away is less than 1e-20.
const FARTHEST: f64 = 9.5;

/// Returns how far from 0 the sum of independent numbers may be, if each number has the mean 0 and lies between -1 and
/// 1 (Bernstein's inequality). `variance` is the variance of the sum, and `share` bounds the probability of a larger
/// distance.
fn farthest_sum(variance: f64, share: f64) -> f64 {
    let l = (2.0 / share).ln();
    l / 3.0 + (l * l / 9.0 + 2.0 * variance * l).sqrt()
}

impl Distribution {
    /// Returns the probability of a value of at most `x`.
    fn below(&self, x: f64) -> f64 {
        match *self {
            Distribution::Uniform { low, high } => ((x - low) / (high - low)).clamp(0.0, 1.0),
            Distribution::Normal { mean, deviation } => {
                0.5 * libm::erfc(-(x - mean) / deviation * std::f64::consts::FRAC_1_SQRT_2)
            }
            _ => 1.0,
        }
    }
}

/// Tests the elements of a uniform or normal distribution. Every element is in range; the share of elements below each
/// value is right (the distance of Kolmogorov and Smirnov, by the bound of Dvoretzky, Kiefer, Wolfowitz and Massart);
/// no value comes too often; neighbours are independent. A value stands for all numbers that an implementation may
/// round or truncate to it: those within two units in the last place.
pub(super) fn continuous(distribution: &Distribution, sample: &Tensor) -> Option<Objection> {
    let format = sample.dtype().float_format()?;
    let (low, high) = match *distribution {
        Distribution::Uniform { low, high } => (low, high),
        Distribution::Normal { mean, deviation } => (mean - FARTHEST * deviation, mean + FARTHEST * deviation),
        _ => return None,
    };
    let ulp = |x: f64| 2.0 * format.ulp(x);
    let slack = ulp(low.abs().max(high.abs()).min(format.max_finite()));
    let overflows = high + slack > format.max_finite() || low - slack < -format.max_finite();
    let mut values = sample.to_f64s();
    let n = values.len() as f64;
    for (i, &x) in values.iter().enumerate() {
        let fits = low - slack <= x && x <= high + slack || overflows && x.is_infinite();
        if !fits {
            return Objection::new("range", format!("element {i} is {x:?}, expected {low:?} to {high:?}"));
        }
    }
    if low == high || values.is_empty() {
        return None;
    }
    let share = FALSE_ALARM / 3.0;
    let reach = |x: f64| if x.is_finite() { ulp(x) } else { 0.0 };
    let side = |x: &f64| {
        let [below, above] = [distribution.below(x - reach(*x)), distribution.below(x + reach(*x))];
        if above < 0.5 {
            -1.0
        } else if below > 0.5 {
            1.0
        } else {
            0.0
        }
    };
    let together: f64 = values.chunks_exact(2).map(|pair| side(&pair[0]) * side(&pair[1])).sum();
    let pairs = (values.len() / 2) as f64;
    values.sort_by(f64::total_cmp);
    let most = ((2.0 / share).ln() / (2.0 * n)).sqrt();
    let mut first = 0;
    // A generator may draw numbers with only the digits of float, or with only those of the type if these are fewer.
    // Then values repeat, and the number of digits bounds how often one value may come.
    let digits = format.ulp(1.0).max(f64::from(f32::EPSILON) / 2.0);
    for end in 1..=values.len() {
        if end < values.len() && values[end] == values[first] {
            continue;
        }
        let (x, times) = (values[first], (end - first) as f64);
        let [below, above] = [distribution.below(x - reach(x)), distribution.below(x + reach(x))];
        let excess = (end as f64 / n - above).max(below - first as f64 / n);
        if excess > most {
            let detail = format!(
                "{end} of {n} elements are at most {x:?}, expected about {:.1}: not drawn from {distribution}",
                n * distribution.below(x)
            );
            return Objection::new("distribution", detail);
        }
        let probability = (above - below).max(4.0 * digits).min(1.0);
        if too_often(times, n, probability, share / n) {
            return Objection::new("repeats", format!("{x:?} occurs {times} times in {n} elements"));
        }
        first = end;
    }
    if together.abs() > farthest_sum(pairs, share) {
        let sides = ["the same side", "different sides"];
        let [more, fewer] = if together > 0.0 { sides } else { [sides[1], sides[0]] };
        let detail = format!(
            "of {pairs} pairs of neighbours, {:.0} more lie on {more} of the middle than on {fewer}",
            together.abs()
        );
        return Objection::new("neighbours", detail);
    }
    None
}

/// Returns whether an outcome comes too often: it has this probability in each of `n` draws, and the probability that
/// it comes at least `times` times is below `share` (Chernoff's bound).
fn too_often(times: f64, n: f64, probability: f64, share: f64) -> bool {
    let a = times / n;
    if a <= probability {
        return false;
    }
    let rest = if a < 1.0 { (1.0 - a) * ((1.0 - a) / (1.0 - probability)).ln() } else { 0.0 };
    n * (a * (a / probability).ln() + rest) > (1.0 / share).ln()
}

/// Tests that elements are 0 or 1, and that they are 1 with these probabilities.
pub(super) fn binary(sample: &Tensor, probability: impl Fn(usize) -> f64) -> Option<Objection> {
    let mut told = Vec::with_capacity(sample.len());
    for i in 0..sample.len() {
        let value = if sample.dtype().is_float() { sample.f64_at(i) } else { sample.i128_at(i) as f64 };
        if value != 0.0 && value != 1.0 {
            return Objection::new("range", format!("element {i} is {value:?}, expected 0 or 1"));
        }
        told.push((i, value == 1.0));
    }
    flags(&told, "1", probability)
}

/// Tests flags that are set with these probabilities. A flag with probability 0 or 1 has its only possible value; the
/// number of set flags is right, among all flags and also among those of low and of high probability; neighbours are
/// independent. Each flag comes with the index of its element. `set` is the word for a set flag in messages.
pub(super) fn flags(told: &[(usize, bool)], set: &str, probability: impl Fn(usize) -> f64) -> Option<Objection> {
    let share = FALSE_ALARM / 4.0;
    // For all flags, for those with a probability below one half, and for the others: the sum of deviations, its
    // variance, and the number of flags.
    let mut groups = [(0.0, 0.0, 0usize); 3];
    let mut off = Vec::with_capacity(told.len());
    for &(i, is_set) in told {
        let p = probability(i);
        if p <= 0.0 && is_set || p >= 1.0 && !is_set {
            let not = if is_set { "" } else { "not " };
            return Objection::new("range", format!("element {i} is {not}{set}, which has probability 0"));
        }
        let deviation = f64::from(u8::from(is_set)) - p;
        off.push((deviation, p * (1.0 - p)));
        for at in [0, if p < 0.5 { 1 } else { 2 }] {
            groups[at].0 += deviation;
            groups[at].1 += p * (1.0 - p);
            groups[at].2 += 1;
        }
    }
    for (sum, variance, count) in groups {
        if sum.abs() > farthest_sum(variance, share) {
            let way = if sum > 0.0 { "more" } else { "fewer" };
            let detail = format!("of {count} elements, {:.1} {way} than expected are {set}", sum.abs());
            return Objection::new("frequency", detail);
        }
    }
    let products = || off.chunks_exact(2).map(|pair| (pair[0].0 * pair[1].0, pair[0].1 * pair[1].1));
    let (sum, variance) = products().fold((0.0, 0.0), |(s, v), (product, variance)| (s + product, v + variance));
    if f64::abs(sum) > farthest_sum(variance, share) {
        return Objection::new(
            "neighbours",
            format!(
                "neighbouring elements are correlated: the products of their deviations sum to {sum:.1} in {} pairs",
                off.len() / 2
            ),
        );
    }
    None
}

/// Tests indices of classes, each row by its own probabilities: how often each class comes, and how often two
/// neighbours are the same.
pub(super) fn classes(sample: &Tensor, rows: &[Vec<f64>], samples: usize) -> Option<Objection> {
    let counts: usize = rows.iter().map(|row| row.len() + 1).sum();
    let share = FALSE_ALARM / counts.max(1) as f64;
    for (row, probabilities) in rows.iter().enumerate() {
        let drawn: Vec<i128> = (0..samples).map(|i| sample.i128_at(row * samples + i)).collect();
        let mut times = vec![0.0; probabilities.len()];
        for &class in &drawn {
            match usize::try_from(class).ok().and_then(|c| times.get_mut(c)) {
                Some(times) => *times += 1.0,
                None => {
                    let detail = format!("row {row} has class {class}, but there are {} classes", probabilities.len());
                    return Objection::new("range", detail);
                }
            }
        }
        let n = samples as f64;
        for (class, &p) in probabilities.iter().enumerate() {
            // An implementation may compute the probabilities with exponentials of low precision.
            let rounded = 0.02 * n * p * (1.0 - p);
            if p <= 0.0 && times[class] > 0.0 {
                return Objection::new("range", format!("row {row} has class {class}, which has probability 0"));
            }
            if f64::abs(times[class] - n * p) > rounded + farthest_sum(n * p * (1.0 - p), share) {
                let detail = format!(
                    "in row {row}, {} of {n} samples are of class {class}, expected about {:.1}",
                    times[class],
                    n * p
                );
                return Objection::new("frequency", detail);
            }
        }
        let same: f64 = probabilities.iter().map(|p| p * p).sum();
        let pairs = drawn.chunks_exact(2);
        let m = pairs.len() as f64;
        let equal = pairs.filter(|pair| pair[0] == pair[1]).count() as f64;
        if f64::abs(equal - m * same) > 0.02 * m + farthest_sum(m * same * (1.0 - same), share) {
            let detail =
                format!("in row {row}, {equal} of {m} pairs of neighbours are equal, expected about {:.1}", m * same);
            return Objection::new("neighbours", detail);
        }
    }
    None
}
