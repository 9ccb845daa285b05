//! Normalizations by mean and variance, by the mean square, and by neighbouring channels.

use fastrand::Rng;
use plumbline_tensor::{DType, Tensor};

use super::draw::{FLOATS, Kind, draws, tensor};
use super::machine::Machine;
use super::report::{Case, Formula, Report, single};

const EPSILON: f32 = 1e-3;

/// Computes the mean and the variance of a group of elements.
type Statistics = fn(&Machine, &[f64]) -> (f64, f64);

fn deviations(m: &Machine, x: &[f64], mean: f64) -> Vec<f64> {
    x.iter().map(|&x| m.sub(x, mean)).collect()
}

/// Computes the mean, and then the mean of the squared deviations from it.
fn in_two_passes(m: &Machine, x: &[f64]) -> (f64, f64) {
    let mean = m.mean(x);
    let deviations = deviations(m, x, mean);
    (mean, m.mean_of_products(&deviations, &deviations))
}

/// Computes the running mean and the running sum of squared deviations (Welford), in the type in which sums are kept.
/// An infinity makes the running mean NaN, but the mean infinite: an implementation has to treat it in another way.
fn running(m: &Machine, x: &[f64]) -> (f64, f64) {
    if x.iter().any(|x| x.is_infinite()) {
        return in_two_passes(m, x);
    }
    let wide = m.wide();
    let (mut mean, mut sum) = (0.0, 0.0);
    for (i, &x) in x.iter().enumerate() {
        let before = wide.sub(x, mean);
        mean = wide.add(mean, wide.div(before, (i + 1) as f64));
        sum = wide.multiply_add(before, wide.sub(x, mean), sum);
    }
    (m.round(mean), m.round(wide.div(sum, x.len() as f64)))
}

/// Computes the mean of the squares less the square of the mean.
fn by_moments(m: &Machine, x: &[f64]) -> (f64, f64) {
    let mean = m.mean(x);
    (mean, m.sub(m.mean_of_products(x, x), m.mul(mean, mean)))
}

/// How `(x - mean) / deviation * scale + bias` is computed.
#[derive(Clone, Copy)]
enum Way {
    /// As written.
    Steps,
    /// With the reciprocal of the deviation.
    Reciprocal,
    /// With the factor `scale / deviation`.
    Factor,
    /// With the same factor as the product of `scale` and the reciprocal of the deviation.
    FactorByReciprocal,
    /// With this factor and the offset `bias - mean * factor`, which 16-bit types keep in float.
    Folded,
}

/// Applies the formula with a deviation to an element.
fn standardized(m: &Machine, way: Way, x: f64, [mean, deviation, scale, bias]: [f64; 4]) -> f64 {
    match way {
        Way::Steps => m.multiply_add(m.div(m.sub(x, mean), deviation), scale, bias),
        Way::Reciprocal => m.multiply_add(m.mul(m.sub(x, mean), m.reciprocal(deviation)), scale, bias),
        Way::Factor => m.multiply_add(m.sub(x, mean), m.div(scale, deviation), bias),
        Way::FactorByReciprocal => m.multiply_add(m.sub(x, mean), m.mul(scale, m.reciprocal(deviation)), bias),
        Way::Folded => {
            let wide = m.wide();
            let factor = m.div(scale, deviation);
            let offset = wide.sub(bias, wide.mul(mean, factor));
            m.round(wide.multiply_add(x, factor, offset))
        }
    }
}

fn deviation(m: &Machine, variance: f64) -> f64 {
    m.sqrt(m.add(variance, m.epsilon(EPSILON)))
}

const WAYS: [(&str, Way); 5] = [
    ("in steps", Way::Steps),
    ("by the reciprocal", Way::Reciprocal),
    ("by the factor", Way::Factor),
    ("by the factor by the reciprocal", Way::FactorByReciprocal),
    ("folded", Way::Folded),
];

const STATISTICS: [(&str, Statistics); 2] = [("in two passes", in_two_passes), ("running", running)];

/// Runs `body` with inputs of every kind and type.
fn each_kind(seed: u64, kinds: &[Kind], mut body: impl FnMut(&mut Rng, Kind, DType)) {
    let mut rng = Rng::with_seed(seed);
    for _ in 0..draws() {
        for &kind in kinds {
            for dtype in FLOATS {
                body(&mut rng, kind, dtype);
            }
        }
    }
}

/// Returns numbers of which none is negative.
fn positive(rng: &mut Rng, dtype: DType, kind: Kind, count: usize) -> Tensor {
    let values: Vec<f64> = tensor(rng, dtype, kind, &[count]).to_f64s().iter().map(|x| x.abs()).collect();
    Tensor::from_f64s(dtype, vec![count], &values).unwrap()
}

#[test]
fn batch_normalization_with_given_statistics_is_accepted() {
    let mut report = Report::default();
    each_kind(3, &Kind::ALL, |rng, kind, dtype| {
        let (channels, each) = (3, 4);
        let x = tensor(rng, dtype, kind, &[2, channels, each]);
        let [scale, bias, mean] = [0; 3].map(|_| tensor(rng, dtype, Kind::Ordinary, &[channels]));
        let variance = positive(rng, dtype, kind, channels);
        let formulas = WAYS.map(|(name, way)| {
            single(name, move |m, x| {
                let at = |i: usize| {
                    let c = i / each % channels;
                    standardized(m, way, x[0][i], [x[3][c], deviation(m, x[4][c]), x[1][c], x[2][c]])
                };
                (0..x[0].len()).map(at).collect()
            })
        });
        let node = "BatchNormalization <epsilon = 0.001>";
        report.check(&Case::new(node, 15, vec![x, scale, bias, mean, variance], true), dtype, &formulas);
    });
    report.finish();
}

#[test]
fn batch_normalization_in_training_is_accepted() {
    let mut report = Report::default();
    each_kind(19, &Kind::ALL, |rng, kind, dtype| {
        let (channels, each) = (2, 1 + rng.usize(..12));
        let x = tensor(rng, dtype, kind, &[2, channels, each]);
        let [scale, bias, mean] = [0; 3].map(|_| tensor(rng, dtype, Kind::Ordinary, &[channels]));
        let variance = positive(rng, dtype, Kind::Ordinary, channels);
        let mut formulas: Vec<Formula> = vec![];
        for (_, statistics) in STATISTICS {
            for (name, way) in WAYS {
                let formula = move |m: &Machine, x: &[Vec<f64>]| {
                    let mut outputs = vec![vec![0.0; x[0].len()], vec![], vec![]];
                    let (momentum, rest) = (m.attribute(0.7), m.sub(1.0, m.attribute(0.7)));
                    for c in 0..channels {
                        let places: Vec<usize> = (0..x[0].len()).filter(|i| i / each % channels == c).collect();
                        let group: Vec<f64> = places.iter().map(|&i| x[0][i]).collect();
                        let (mean, variance) = statistics(m, &group);
                        let parameters = [mean, deviation(m, variance), x[1][c], x[2][c]];
                        places.iter().for_each(|&i| outputs[0][i] = standardized(m, way, x[0][i], parameters));
                        outputs[1].push(m.multiply_add(x[3][c], momentum, m.mul(mean, rest)));
                        outputs[2].push(m.multiply_add(x[4][c], momentum, m.mul(variance, rest)));
                    }
                    outputs
                };
                formulas.push((name, Box::new(formula)));
            }
        }
        let node = "BatchNormalization <epsilon = 0.001, momentum = 0.7, training_mode = 1>";
        let case = Case { outputs: 3, ..Case::new(node, 15, vec![x, scale, bias, mean, variance], true) };
        report.check(&case, dtype, &formulas);
    });
    report.finish();
}

#[test]
fn instance_normalization_is_accepted() {
    let mut report = Report::default();
    each_kind(4, &Kind::ALL, |rng, kind, dtype| {
        let (channels, each) = (2, 1 + rng.usize(..24));
        let x = tensor(rng, dtype, kind, &[2, channels, each]);
        let [scale, bias] = [0; 2].map(|_| tensor(rng, dtype, Kind::Ordinary, &[channels]));
        let mut formulas: Vec<Formula> = vec![];
        for (_, statistics) in STATISTICS {
            for (name, way) in WAYS {
                formulas.push(single(name, move |m, x| {
                    let group = |(g, elements): (usize, &[f64])| {
                        let (mean, variance) = statistics(m, elements);
                        let parameters = [mean, deviation(m, variance), x[1][g % channels], x[2][g % channels]];
                        elements.iter().map(|&x| standardized(m, way, x, parameters)).collect::<Vec<f64>>()
                    };
                    x[0].chunks(each).enumerate().flat_map(group).collect()
                }));
            }
        }
        let node = "InstanceNormalization <epsilon = 0.001>";
        report.check(&Case::new(node, 22, vec![x, scale, bias], true), dtype, &formulas);
    });
    report.finish();
}

/// Computes the first stage of GroupNormalization and LayerNormalization, which is rounded to the type of the elements
/// only at its end.
fn first_stage(m: &Machine, statistics: Statistics, way: Way, elements: &[f64]) -> Vec<f64> {
    let (mean, variance) = statistics(m, elements);
    elements.iter().map(|&x| standardized(m, way, x, [mean, deviation(m, variance), 1.0, 0.0])).collect()
}

/// The formulas of normalizations whose first stage has the type `stash`: `scale` and `bias` are applied by `second`.
fn staged<'a>(
    stash: DType,
    count: usize,
    second: impl Fn(&Machine, &[Vec<f64>], usize, f64) -> f64 + Copy + 'a,
) -> Vec<Formula<'a>> {
    let mut formulas: Vec<Formula> = vec![];
    for (name, statistics) in [STATISTICS[0], STATISTICS[1], ("by moments", by_moments)] {
        for way in [Way::Steps, Way::Reciprocal] {
            formulas.push(single(name, move |m, x| {
                let first = m.in_steps(stash);
                let x0: Vec<f64> = x[0].iter().map(|&x| first.round(x)).collect();
                let rows = x0.chunks(count).flat_map(|row| first_stage(&first, statistics, way, row));
                rows.enumerate().map(|(i, y)| second(m, x, i, m.round(y))).collect()
            }));
        }
    }
    formulas
}

#[test]
fn layer_normalization_is_accepted() {
    let mut report = Report::default();
    each_kind(5, &Kind::ALL, |rng, kind, dtype| {
        let extent = 1 + rng.usize(..30);
        let x = tensor(rng, dtype, kind, &[3, extent]);
        let [scale, bias] = [0; 2].map(|_| tensor(rng, dtype, Kind::Ordinary, &[extent]));
        let second =
            |m: &Machine, x: &[Vec<f64>], i: usize, y: f64| m.multiply_add(y, x[1][i % extent], x[2][i % extent]);
        let formulas = staged(DType::Float, extent, second);
        let node = "LayerNormalization <epsilon = 0.001>";
        report.check(&Case::new(node, 17, vec![x, scale, bias], true), dtype, &formulas);
    });
    report.finish();
}

#[test]
fn group_normalization_is_accepted() {
    let mut report = Report::default();
    each_kind(6, &Kind::ALL, |rng, kind, dtype| {
        let (channels, each) = (4, 1 + rng.usize(..12));
        let x = tensor(rng, dtype, kind, &[2, channels, each]);
        let [scale, bias] = [0; 2].map(|_| tensor(rng, dtype, Kind::Ordinary, &[channels]));
        let second = |m: &Machine, x: &[Vec<f64>], i: usize, y: f64| {
            let c = i / each % channels;
            m.multiply_add(y, x[1][c], x[2][c])
        };
        let formulas = staged(DType::Float, 2 * each, second);
        let node = "GroupNormalization <epsilon = 0.001, num_groups = 2>";
        report.check(&Case::new(node, 21, vec![x, scale, bias], true), dtype, &formulas);
    });
    report.finish();
}

#[test]
fn rms_normalization_is_accepted() {
    let mut report = Report::default();
    each_kind(7, &Kind::ALL, |rng, kind, dtype| {
        let extent = 1 + rng.usize(..30);
        let x = tensor(rng, dtype, kind, &[3, extent]);
        let scale = tensor(rng, dtype, Kind::Ordinary, &[extent]);
        type Share = fn(&Machine, &Machine, f64, f64, f64) -> f64;
        let ways: [(&str, Share); 3] = [
            ("x / root", |m, first, x, root, scale| m.mul(m.round(first.div(x, root)), scale)),
            ("x * (1 / root)", |m, first, x, root, scale| m.mul(m.round(first.mul(x, first.reciprocal(root))), scale)),
            ("x * (scale / root)", |m, first, x, root, scale| m.round(first.mul(x, first.div(scale, root)))),
        ];
        let formulas = ways.map(|(name, way)| {
            single(name, move |m, x| {
                let first = m.in_steps(DType::Float);
                let row = |row: &[f64]| {
                    let row: Vec<f64> = row.iter().map(|&x| first.round(x)).collect();
                    let root = deviation(&first, first.mean_of_products(&row, &row));
                    row.iter().zip(&x[1]).map(|(&x, &scale)| way(m, &first, x, root, scale)).collect::<Vec<f64>>()
                };
                x[0].chunks(extent).flat_map(row).collect()
            })
        });
        let node = "RMSNormalization <epsilon = 0.001>";
        report.check(&Case::new(node, 23, vec![x, scale], true), dtype, &formulas);
    });
    report.finish();
}

#[test]
fn mean_variance_normalization_is_accepted() {
    let mut report = Report::default();
    each_kind(8, &Kind::ALL, |rng, kind, dtype| {
        let extent = 1 + rng.usize(..24);
        let x = tensor(rng, dtype, kind, &[2, extent]);
        type Share = fn(&Machine, f64, f64) -> f64;
        let ways: [(&str, Share); 3] = [
            ("deviation + 1e-9", |m, d, root| m.div(d, m.add(root, m.epsilon(1e-9)))),
            ("deviation", |m, d, root| m.div(d, root)),
            ("1 / (deviation + 1e-9)", |m, d, root| m.mul(d, m.reciprocal(m.add(root, m.epsilon(1e-9))))),
        ];
        let mut formulas: Vec<Formula> = vec![];
        for (statistics, compute) in [STATISTICS[0], STATISTICS[1], ("by moments", by_moments)] {
            for (name, way) in ways {
                // The variance of the function body is that of the moments, and it adds 1e-9.
                if statistics == "by moments" && name == "deviation" {
                    continue;
                }
                formulas.push(single(name, move |m, x| {
                    let row = |row: &[f64]| {
                        let (mean, variance) = compute(m, row);
                        let root = m.sqrt(variance);
                        row.iter().map(|&x| way(m, m.sub(x, mean), root)).collect::<Vec<f64>>()
                    };
                    x[0].chunks(extent).flat_map(row).collect()
                }));
            }
        }
        let node = "MeanVarianceNormalization <axes = [1]>";
        report.check(&Case::new(node, 13, vec![x], true), dtype, &formulas);
    });
    report.finish();
}

#[test]
fn local_response_normalization_is_accepted() {
    let mut report = Report::default();
    each_kind(9, &Kind::ALL, |rng, kind, dtype| {
        let channels = 1 + rng.usize(..9);
        let x = tensor(rng, dtype, kind, &[2, channels, 2]);
        type Base = fn(&Machine, f64) -> f64;
        let bases: [(&str, Base); 3] = [
            ("bias + alpha / size * sum", |m, sum| m.multiply_add(m.div(m.attribute(0.3), 3.0), sum, m.attribute(1.5))),
            ("bias + alpha * sum / size", |m, sum| m.add(m.attribute(1.5), m.div(m.mul(m.attribute(0.3), sum), 3.0))),
            ("bias + alpha * (sum / size)", |m, sum| {
                m.multiply_add(m.attribute(0.3), m.div(sum, 3.0), m.attribute(1.5))
            }),
        ];
        let mut formulas: Vec<Formula> = vec![];
        for (name, base) in bases {
            for divides in [true, false] {
                formulas.push(single(name, move |m, x| {
                    let at = |i: usize| {
                        let c = i / 2 % channels;
                        let near = c.saturating_sub(1)..=(c + 1).min(channels - 1);
                        let near: Vec<f64> = near.map(|other| x[0][i - 2 * c + 2 * other]).collect();
                        let base = base(m, m.dot(&near, &near));
                        let beta = m.constant(f64::from(0.75_f32));
                        if divides { m.div(x[0][i], m.pow(base, beta)) } else { m.mul(x[0][i], m.pow(base, -beta)) }
                    };
                    (0..x[0].len()).map(at).collect()
                }));
            }
        }
        let node = "LRN <alpha = 0.3, beta = 0.75, bias = 1.5, size = 3>";
        report.check(&Case::new(node, 13, vec![x], true), dtype, &formulas);
    });
    report.finish();
}
