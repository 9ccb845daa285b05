//! Goodness-of-fit tests of samples. All tests of a sample together reject a sample of the right distribution with a
//! probability of at most `false_alarm`, because each of them has a share of it. Only the range test of a normal sample
//! has no share: an element beyond [`FARTHEST`] is far less likely than [`super::FALSE_ALARM`].

use plumbline_tensor::Tensor;

use super::{Distribution, Objection};

/// The distance from the mean, in standard deviations, within which every element of a normal sample must lie. The
/// probability that one element lies farther away is less than 1e-20.
const FARTHEST: f64 = 9.5;

/// The probabilities of the tails in which elements are counted. For a normal distribution the tails begin at 1.5, 2.4,
/// 3.1 and 3.8 standard deviations from the mean.
const TAILS: [f64; 4] = [1.0 / 16.0, 1.0 / 128.0, 1.0 / 1024.0, 1.0 / 16384.0];

/// The number of tests of a uniform or normal sample: the distance of Kolmogorov and Smirnov, repeated values,
/// neighbours, four moments, and too few or too many elements in each tail on both sides.
const TESTS: f64 = 7.0 + 4.0 * TAILS.len() as f64;

/// Returns how far from 0 the sum of independent numbers may be, if each number has the mean 0 and lies between -1 and
/// 1 (Bernstein's inequality). `variance` is the variance of the sum, and `share` bounds the probability of a larger
/// distance.
fn farthest_sum(variance: f64, share: f64) -> f64 {
    let l = (2.0 / share).ln();
    l / 3.0 + (l * l / 9.0 + 2.0 * variance * l).sqrt()
}

/// Returns the distance from 0 that a number of the standard normal distribution exceeds with the probability `share`.
fn farthest_normal(share: f64) -> f64 {
    let (mut low, mut high) = (0.0, 40.0);
    for _ in 0..64 {
        let middle = 0.5 * (low + high);
        if libm::erfc(middle * std::f64::consts::FRAC_1_SQRT_2) > share { low = middle } else { high = middle }
    }
    high
}

impl Distribution {
    /// Returns an element relative to the middle of the distribution: in standard deviations, or so that a uniform
    /// distribution goes from -1 to 1. Rounding may put an element slightly out of range; it counts as the end of the
    /// range.
    fn relative(&self, x: f64) -> f64 {
        match *self {
            Distribution::Uniform { low, high } => (2.0 * ((x - low) / (high - low)) - 1.0).clamp(-1.0, 1.0),
            Distribution::Normal { mean, deviation } => ((x - mean) / deviation).clamp(-FARTHEST, FARTHEST),
            _ => 0.0,
        }
    }

    /// Returns the probability of a value of at most `relative`, which is relative to the middle.
    fn below(&self, relative: f64) -> f64 {
        match self {
            Distribution::Uniform { .. } => (0.5 + 0.5 * relative).clamp(0.0, 1.0),
            Distribution::Normal { .. } => 0.5 * libm::erfc(-relative * std::f64::consts::FRAC_1_SQRT_2),
            _ => 1.0,
        }
    }
}

/// An element of a sample. It stands for all numbers that an implementation may round or truncate to it.
struct Point {
    value: f64,
    /// The element relative to the middle of the distribution.
    relative: f64,
    /// How far `relative` may be from the number before it was rounded.
    reach: f64,
    /// The least and the largest probability of a value below that number.
    under: f64,
    over: f64,
}

/// Tests the elements of a uniform or normal distribution. Every element is in range; the share of elements below each
/// value is right (the distance of Kolmogorov and Smirnov, by the bound of Dvoretzky, Kiefer, Wolfowitz and Massart);
/// no value comes too often; neighbours are independent; moments are right, and so are the numbers of elements in the
/// tails. A value stands for all numbers that an implementation may round or truncate to it: those within two units in
/// the last place, of itself or of the number that an implementation adds last (the mean or a bound).
pub(super) fn continuous(distribution: &Distribution, sample: &Tensor, false_alarm: f64) -> Option<Objection> {
    let format = sample.dtype().float_format()?;
    let (low, high, added) = match *distribution {
        Distribution::Uniform { low, high } => (low, high, low.abs().max(high.abs())),
        Distribution::Normal { mean, deviation } => (mean - FARTHEST * deviation, mean + FARTHEST * deviation, mean),
        _ => return None,
    };
    let ulp = |x: f64| 2.0 * format.ulp(x);
    let slack = ulp(low.abs().max(high.abs()).min(format.max_finite()));
    let overflows = high + slack > format.max_finite() || low - slack < -format.max_finite();
    let values = sample.to_f64s();
    for (i, &x) in values.iter().enumerate() {
        let fits = low - slack <= x && x <= high + slack || overflows && x.is_infinite();
        if !fits {
            return Objection::new("range", format!("element {i} is {x:?}, expected {low:?} to {high:?}"));
        }
    }
    if low == high || values.is_empty() {
        return None;
    }
    // A generator may draw numbers with only the digits of float, or with only those of the type if these are fewer.
    let digits = format.ulp(1.0).max(f64::from(f32::EPSILON) / 2.0);
    let reach = |x: f64| {
        let rounded = if x.is_finite() { ulp(x.abs().max(added.abs())) } else { 0.0 };
        match *distribution {
            Distribution::Normal { deviation, .. } => rounded / deviation,
            _ => 2.0 * (rounded / (high - low) + digits),
        }
    };
    let point = |value: f64| {
        let (relative, reach) = (distribution.relative(value), reach(value));
        let [under, over] = [relative - reach, relative + reach].map(|end| distribution.below(end));
        Point { value, relative, reach, under, over }
    };
    let mut points: Vec<Point> = values.into_iter().map(point).collect();
    let share = false_alarm / TESTS;
    let dependent = neighbours(&points, share);
    points.sort_by(|a, b| a.value.total_cmp(&b.value));
    shares_and_repeats(distribution, &points, digits, share)
        .or(dependent)
        .or_else(|| moments(distribution, &points, share))
        .or_else(|| tails(&points, share))
}

/// Tests that the elements of a pair lie on the same side of the middle as often as on different sides. The points are
/// in the order of the sample.
fn neighbours(points: &[Point], share: f64) -> Option<Objection> {
    let side = |point: &Point| f64::from(i8::from(point.under > 0.5) - i8::from(point.over < 0.5));
    let together: f64 = points.chunks_exact(2).map(|pair| side(&pair[0]) * side(&pair[1])).sum();
    let pairs = (points.len() / 2) as f64;
    if together.abs() <= farthest_sum(pairs, share) {
        return None;
    }
    let sides = ["the same side", "different sides"];
    let [more, fewer] = if together > 0.0 { sides } else { [sides[1], sides[0]] };
    let detail = format!(
        "of {pairs} pairs of neighbours, {:.0} more lie on {more} of the middle than on {fewer}",
        together.abs()
    );
    Objection::new("neighbours", detail)
}

/// Tests the share of elements below each value, and how often each value comes. The points ascend. Values repeat if
/// the generator draws few digits, and the number of digits bounds how often one value may come.
fn shares_and_repeats(distribution: &Distribution, points: &[Point], digits: f64, share: f64) -> Option<Objection> {
    let n = points.len() as f64;
    let most = ((2.0 / share).ln() / (2.0 * n)).sqrt();
    let mut first = 0;
    for end in 1..=points.len() {
        let Point { value, relative, under, over, .. } = points[first];
        if end < points.len() && points[end].value == value {
            continue;
        }
        let excess = (end as f64 / n - over).max(under - first as f64 / n);
        if excess > most {
            let detail = format!(
                "{end} of {n} elements are at most {value:?}, expected about {:.1}: not drawn from {distribution}",
                n * distribution.below(relative)
            );
            return Objection::new("distribution", detail);
        }
        let (times, probability) = (end - first, (over - under).max(4.0 * digits).min(1.0));
        // Each of the elements has its own value; how many of the others have it, too?
        if too_often((times - 1) as f64, n - 1.0, probability, share / n) {
            return Objection::new("repeats", format!("{value:?} occurs {times} times in {n} elements"));
        }
        first = end;
    }
    None
}

/// A sum over all elements that is 0 on average.
struct Moment {
    class: &'static str,
    sum: f64,
    /// How much of the sum rounding may explain.
    reach: f64,
    /// The bounds of the sum, which a sample of the right distribution leaves with the probability of one share.
    bounds: [f64; 2],
    /// Says what is wrong if the average has this value.
    detail: fn(f64) -> String,
}

/// Tests moments: the mean, the mean square and, for a normal distribution, the mean cosine and sine of twice each
/// element. The cosine notices what the mean square does not: a sum of a few uniform numbers instead of a normal one,
/// for example. Unlike a fourth power, it is bounded, so that the bound of its sum holds for every size of a sample.
fn moments(distribution: &Distribution, points: &[Point], share: f64) -> Option<Objection> {
    let n = points.len() as f64;
    let total = |f: fn(f64) -> f64| points.iter().map(|p| f(p.relative)).sum::<f64>();
    let reach: f64 = points.iter().map(|p| p.reach).sum();
    let reach_of_squares = points.iter().map(|p| (2.0 * p.relative.abs() + p.reach) * p.reach).sum();
    let around = |bound: f64| [-bound, bound];
    let normal = matches!(distribution, Distribution::Normal { .. });
    let mut all = Vec::new();
    if normal {
        // Laurent and Massart's bounds of a chi-squared distribution.
        let l = (2.0 / share).ln();
        let spread = 2.0 * (n * l).sqrt();
        let [cosine, below] = [libm::exp(-2.0), 1.0 + libm::exp(-2.0)];
        let of_cosine = 0.5 * (1.0 + libm::exp(-8.0)) - cosine * cosine;
        let of_sine = 0.5 * (1.0 - libm::exp(-8.0));
        all.push(Moment {
            class: "mean",
            sum: total(|z| z),
            reach,
            bounds: around(farthest_normal(share) * n.sqrt()),
            detail: |z| format!("the mean is {z:.4} standard deviations off"),
        });
        all.push(Moment {
            class: "deviation",
            sum: total(|z| z * z) - n,
            reach: reach_of_squares,
            bounds: [-spread, spread + 2.0 * l],
            detail: |square| format!("the standard deviation is {:.4} times the right one", (1.0 + square).sqrt()),
        });
        all.push(Moment {
            class: "shape",
            sum: total(|z| libm::cos(2.0 * z)) - n * cosine,
            reach: 2.0 * reach,
            // The inequality wants numbers between -1 and 1.
            bounds: around(below * farthest_sum(n * of_cosine / (below * below), share)),
            detail: |off| format!("the elements are not normally distributed: the mean of cos(2z) is {off:.4} off"),
        });
        all.push(Moment {
            class: "shape",
            sum: total(|z| libm::sin(2.0 * z)),
            reach: 2.0 * reach,
            bounds: around(farthest_sum(n * of_sine, share)),
            detail: |off| format!("the elements are not normally distributed: the mean of sin(2z) is {off:.4} off"),
        });
    } else {
        all.push(Moment {
            class: "mean",
            sum: total(|v| v),
            reach,
            bounds: around(farthest_sum(n / 3.0, share)),
            detail: |v| format!("the mean is {:.4} of the range off", 0.5 * v),
        });
        all.push(Moment {
            class: "deviation",
            sum: total(|v| v * v) - n / 3.0,
            reach: reach_of_squares,
            bounds: around(farthest_sum(4.0 * n / 45.0, share)),
            detail: |square| {
                format!("the standard deviation is {:.4} times the right one", (1.0 + 3.0 * square).sqrt())
            },
        });
    }
    let off = all.into_iter().find(|m| m.sum + m.reach < m.bounds[0] || m.sum - m.reach > m.bounds[1])?;
    Objection::new(off.class, format!("in {n} elements, {}: not drawn from {distribution}", (off.detail)(off.sum / n)))
}

/// Tests how many elements lie in each of [`TAILS`], on either side.
fn tails(points: &[Point], share: f64) -> Option<Objection> {
    let n = points.len() as f64;
    let count = |within: &dyn Fn(&Point) -> bool| points.iter().filter(|point| within(point)).count() as f64;
    for probability in TAILS {
        let (lower, upper) = (probability, 1.0 - probability);
        // How many elements are surely in the tail, and how many may be.
        let low = [count(&|p| p.over <= lower), count(&|p| p.under <= lower)];
        let high = [count(&|p| p.under >= upper), count(&|p| p.over >= upper)];
        for ([surely, maybe], word) in [(low, "lowest"), (high, "highest")] {
            let many = too_often(surely, n, probability, share);
            if many || too_often(n - maybe, n, 1.0 - probability, share) {
                let counted = if many { surely } else { maybe };
                let expected = n * probability;
                let detail = format!(
                    "{counted} of {n} elements lie where the {word} {probability} of all should lie, expected about \
                     {expected:.1}"
                );
                return Objection::new("tails", detail);
            }
        }
    }
    None
}

/// Returns whether an outcome comes too often: it has this probability in each of `n` draws, and the probability that
/// it comes at least `times` times is below `share` (Chernoff's bound).
fn too_often(times: f64, n: f64, probability: f64, share: f64) -> bool {
    let a = times / n.max(1.0);
    if a <= probability {
        return false;
    }
    let rest = if a < 1.0 { (1.0 - a) * ((1.0 - a) / (1.0 - probability)).ln() } else { 0.0 };
    n * (a * (a / probability).ln() + rest) > (1.0 / share).ln()
}

/// Tests that elements are 0 or 1, and that they are 1 with these probabilities.
pub(super) fn binary(sample: &Tensor, probability: impl Fn(usize) -> f64, false_alarm: f64) -> Option<Objection> {
    let mut told = Vec::with_capacity(sample.len());
    for i in 0..sample.len() {
        let value = if sample.dtype().is_float() { sample.f64_at(i) } else { sample.i128_at(i) as f64 };
        if value != 0.0 && value != 1.0 {
            return Objection::new("range", format!("element {i} is {value:?}, expected 0 or 1"));
        }
        told.push((i, value == 1.0));
    }
    flags(&told, "1", probability, false_alarm)
}

/// The probabilities that divide flags into groups. A group of flags that are rarely set, or rarely not set, shows a
/// small error of the probability best.
const GROUPS: [f64; 3] = [1.0 / 16.0, 1.0 / 2.0, 15.0 / 16.0];

/// Tests flags that are set with these probabilities. A flag with probability 0 or 1 has its only possible value; the
/// number of set flags is right, among all flags and also within each group ([`GROUPS`]); neighbours are independent.
/// Each flag comes with the index of its element. `set` is the word for a set flag in messages.
pub(super) fn flags(
    told: &[(usize, bool)],
    set: &str,
    probability: impl Fn(usize) -> f64,
    false_alarm: f64,
) -> Option<Objection> {
    // For all flags, and for each group: the sum of deviations, its variance, and the number of flags.
    let mut groups = [(0.0, 0.0, 0usize); GROUPS.len() + 2];
    let share = false_alarm / (groups.len() + 1) as f64;
    let mut off = Vec::with_capacity(told.len());
    for &(i, is_set) in told {
        let p = probability(i);
        if p <= 0.0 && is_set || p >= 1.0 && !is_set {
            let not = if is_set { "" } else { "not " };
            return Objection::new("range", format!("element {i} is {not}{set}, which has probability 0"));
        }
        let deviation = f64::from(u8::from(is_set)) - p;
        off.push((deviation, p * (1.0 - p)));
        for at in [0, 1 + GROUPS.iter().filter(|&&end| p >= end).count()] {
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
pub(super) fn classes(sample: &Tensor, rows: &[Vec<f64>], samples: usize, false_alarm: f64) -> Option<Objection> {
    let counts: usize = rows.iter().map(|row| row.len() + 1).sum();
    let share = false_alarm / counts.max(1) as f64;
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
