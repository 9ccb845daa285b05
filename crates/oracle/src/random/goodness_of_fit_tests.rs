//! Runs generators that are wrong in a known way, which the tests of samples have to find, and right ones, which they
//! must not reject.

use fastrand::Rng;
use plumbline_tensor::{DType, Tensor};

use super::*;

/// The size of a sample in which a scale or a mean that is 1 % of the standard deviation off shows.
const LARGE: usize = 1 << 20;

/// Returns how many samples of usual size are drawn from each right generator: `PLUMBLINE_CASES`, or a few.
fn runs() -> u64 {
    std::env::var("PLUMBLINE_CASES").map_or(250, |runs| runs.parse().unwrap())
}

const NORMAL: Distribution = Distribution::Normal { mean: 0.0, deviation: 1.0 };

const UNIFORM: Distribution = Distribution::Uniform { low: -1.0, high: 2.0 };

fn normal(rng: &mut Rng) -> f64 {
    let (radius, turn) = (libm::sqrt(-2.0 * libm::log(1.0 - rng.f64())), 2.0 * std::f64::consts::PI * rng.f64());
    radius * libm::cos(turn)
}

fn twelve(rng: &mut Rng) -> f64 {
    (0..12).map(|_| rng.f64()).sum::<f64>() - 6.0
}

fn uniform(rng: &mut Rng) -> f64 {
    -1.0 + 3.0 * rng.f64()
}

fn sample(dtype: DType, count: usize, mut draw: impl FnMut() -> f64) -> Tensor {
    let values: Vec<f64> = (0..count).map(|_| draw()).collect();
    if dtype.is_float() {
        Tensor::from_f64s(dtype, vec![count], &values).unwrap()
    } else {
        let values: Vec<i128> = values.iter().map(|&x| x as i128).collect();
        Tensor::from_i128s(dtype, vec![count], &values).unwrap()
    }
}

/// Returns the class of the objection to a sample of float from this generator.
fn class(distribution: &Distribution, count: usize, draw: fn(&mut Rng) -> f64) -> Option<&'static str> {
    let mut rng = Rng::with_seed(1);
    distribution.objection(&sample(DType::Float, count, || draw(&mut rng))).map(|objection| objection.class)
}

/// Repeats a draw until a number lies within 3 standard deviations.
fn truncated(rng: &mut Rng) -> f64 {
    std::iter::repeat_with(|| normal(rng)).find(|x| x.abs() <= 3.0).unwrap()
}

#[test]
fn a_wrong_mean_or_scale_is_found() {
    for found in [class(&NORMAL, LARGE, |rng| normal(rng) + 0.01), class(&NORMAL, LARGE, |rng| normal(rng) - 0.01)] {
        assert!(matches!(found, Some("distribution" | "mean")), "{found:?}");
    }
    assert_eq!(class(&NORMAL, LARGE, |rng| 1.01 * normal(rng)), Some("deviation"));
    assert_eq!(class(&NORMAL, LARGE, |rng| 0.99 * normal(rng)), Some("deviation"));
}

#[test]
fn a_wrong_shape_of_a_normal_distribution_is_found() {
    assert_eq!(class(&NORMAL, LARGE, twelve), Some("shape"));
    // Skewed, with the right mean and deviation: a gamma distribution of shape 1000.
    let skewed: fn(&mut Rng) -> f64 = |rng| {
        let z = normal(rng);
        let skewness = 0.05;
        (z + skewness / 6.0 * (z * z - 1.0)) / libm::sqrt(1.0 + 2.0 * skewness * skewness / 36.0)
    };
    assert_eq!(class(&NORMAL, LARGE, skewed), Some("shape"));
}

/// These show in a tenth of the elements.
#[test]
fn clipped_tails_are_found() {
    for count in [LARGE / 10, LARGE] {
        assert_eq!(class(&NORMAL, count, |rng| normal(rng).clamp(-3.0, 3.0)), Some("repeats"));
        assert!(class(&NORMAL, count, truncated).is_some());
        // Only one of the tails.
        let one: fn(&mut Rng) -> f64 = |rng| std::iter::repeat_with(|| normal(rng)).find(|&x| x > -3.0).unwrap();
        assert!(class(&NORMAL, count, one).is_some());
    }
}

/// A wrong bound of a uniform distribution shows in a tenth of the elements, too.
#[test]
fn wrong_uniform_numbers_are_found() {
    for count in [LARGE / 10, LARGE] {
        assert_eq!(class(&UNIFORM, count, |rng| uniform(rng) * 1.01), Some("range"));
        assert_eq!(class(&UNIFORM, count, |rng| uniform(rng) + 0.01), Some("range"));
        assert!(class(&UNIFORM, count, |rng| 0.5 + 0.99 * (uniform(rng) - 0.5)).is_some());
        assert!(class(&UNIFORM, count, |rng| 2.0 + 0.99 * (uniform(rng) - 2.0)).is_some());
    }
    let peaked: fn(&mut Rng) -> f64 = |rng| if rng.u16(..) < 64 { 0.5 } else { uniform(rng) };
    assert_eq!(class(&UNIFORM, LARGE, peaked), Some("repeats"));
    // The square is a little too large on average, and the ends are right.
    let spread: fn(&mut Rng) -> f64 = |rng| {
        let v = 2.0 * rng.f64() - 1.0;
        0.5 + 1.5 * (v + 0.015 * v * (1.0 - v * v))
    };
    assert_eq!(class(&UNIFORM, LARGE, spread), Some("deviation"));
    let eight_bits: fn(&mut Rng) -> f64 = |rng| -1.0 + 3.0 / 256.0 * f64::from(rng.u8(..));
    assert!(class(&UNIFORM, LARGE, eight_bits).is_some());
}

/// A sample shows an additive error of a probability best where the probability is near 0 or 1.
#[test]
fn a_wrong_probability_is_found() {
    for kinds in [&[1.0 / 32.0][..], &[1.0 / 32.0, 0.5], &[31.0 / 32.0, 0.25]] {
        let ones: Vec<f64> = (0..LARGE).map(|i| kinds[i % kinds.len()]).collect();
        let drawn = Distribution::Bernoulli { ones: ones.clone(), or_zeros: None };
        for (error, found) in [(0.003, true), (-0.003, true), (0.0, false)] {
            let (mut rng, mut at) = (Rng::with_seed(3), 0..);
            let bits =
                sample(DType::Float, LARGE, || f64::from(u8::from(rng.f64() < ones[at.next().unwrap()] + error)));
            let class = drawn.objection(&bits).map(|objection| objection.class);
            assert_eq!(class, found.then_some("frequency"), "{kinds:?} {error}");
        }
    }
}

#[test]
fn dependent_neighbours_are_found() {
    let mut rng = Rng::with_seed(5);
    let mut last = normal(&mut rng);
    let correlated = sample(DType::Float, LARGE / 8, || {
        last = 0.1 * last + libm::sqrt(0.99) * normal(&mut rng);
        last
    });
    assert_eq!(NORMAL.objection(&correlated).map(|objection| objection.class), Some("neighbours"));
}

/// A right generator of each kind, for a seed: the distribution, and a sample of about this many elements.
fn right(kind: usize, seed: u64, count: usize) -> (Distribution, Tensor) {
    let mut rng = Rng::with_seed(seed * 31 + kind as u64);
    let dtype = [DType::Float, DType::Double, DType::Float16, DType::Bfloat16][seed as usize % 4];
    let mean = [0.0, 2.0, -1.5, 100.0][seed as usize / 4 % 4];
    let deviation = [1.0, 2.0, 0.5, 30.0][seed as usize / 16 % 4];
    let (low, high) = [(0.0, 1.0), (-1.0, 2.0), (0.5, 1.0), (-10.0, 20.0)][seed as usize / 4 % 4];
    // Numbers with the digits of float, or with as many as the type has below 1.
    let digits = [24, 24, 11, 8][seed as usize % 4];
    let steps = f64::from(1u32 << digits);
    let coarse = |rng: &mut Rng| libm::floor(rng.f64() * steps) / steps;
    match kind {
        0 => {
            let drawn = Distribution::Normal { mean, deviation };
            (drawn, sample(dtype, count, || mean + deviation * normal(&mut rng)))
        }
        1 => {
            // Each step is rounded to the type.
            let rounded = |x: f64| Tensor::from_f64s(dtype, vec![], &[x]).unwrap().f64_at(0);
            let drawn = Distribution::Normal { mean, deviation };
            (drawn, sample(dtype, count, || mean + rounded(deviation * rounded(normal(&mut rng)))))
        }
        2 => (Distribution::Uniform { low, high }, sample(dtype, count, || low + (high - low) * rng.f64())),
        3 => (Distribution::Uniform { low, high }, sample(dtype, count, || low + (high - low) * coarse(&mut rng))),
        4 => {
            let ones: Vec<f64> = (0..count).map(|_| [0.0, 1.0, 1.0 / 32.0, 0.5, rng.f64()][rng.usize(..5)]).collect();
            let mut at = ones.clone().into_iter();
            let bits = sample(DType::Bool, count, || f64::from(u8::from(rng.f64() < at.next().unwrap())));
            (Distribution::Bernoulli { ones, or_zeros: None }, bits)
        }
        5 => {
            let keep = [0.25, 0.5, 0.9375][seed as usize % 3];
            let bits = sample(DType::Bool, count, || f64::from(u8::from(rng.f64() < keep)));
            (Distribution::Mask { keep }, bits)
        }
        _ => {
            let row = vec![0.5, 0.25, 0.0, 0.125, 0.125];
            let ends = [0.5, 0.75, 0.75, 0.875, 1.0];
            let classes = sample(DType::Int32, count, || {
                let u = rng.f64();
                ends.iter().filter(|end| u >= **end).count() as f64
            });
            (Distribution::Classes { rows: vec![row], samples: count }, classes)
        }
    }
}

const RIGHT: usize = 7;

#[test]
fn right_generators_are_never_rejected() {
    for kind in 0..RIGHT {
        for seed in 0..runs() {
            let count = [1, 2, 7, 30, 200, 1000][seed as usize / 64 % 6];
            let (distribution, sample) = right(kind, seed, count);
            assert_eq!(distribution.objection(&sample), None, "generator {kind}, seed {seed}");
        }
        for seed in 0..runs() / 50 {
            let (distribution, sample) = right(kind, seed, 100_000);
            assert_eq!(distribution.objection(&sample), None, "generator {kind}, seed {seed}, many");
        }
        let (distribution, sample) = right(kind, 0, LARGE);
        assert_eq!(distribution.objection(&sample), None, "generator {kind}, large");
    }
}

/// The bounds hold: with a permitted share of false alarms that is large enough to be counted, there are no more.
#[test]
fn false_alarms_are_as_rare_as_they_are_said_to_be() {
    let permitted = 0.1;
    for kind in 0..RIGHT {
        for count in [20, 1000] {
            let objection = |seed: u64| {
                let (distribution, sample) = right(kind, seed, count);
                distribution.objection_at(&sample, permitted)
            };
            let found: Vec<Objection> = (0..runs()).filter_map(objection).collect();
            let times = found.len() as f64;
            let most = permitted * runs() as f64;
            // Four standard deviations of the number of false alarms.
            assert!(
                times <= most + 4.0 * most.sqrt(),
                "generator {kind}, {count} elements: {times} times, {:?}",
                found[0]
            );
        }
    }
}
