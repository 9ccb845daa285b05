//! Attention, rotations of heads, and recurrent layers.

use fastrand::Rng;
use plumbline_tensor::{DType, Tensor};

use super::activations::{sigmoid, sigmoid_by_sign};
use super::draw::{FLOATS, Kind, draws, tensor};
use super::machine::Machine;
use super::report::{Case, Formula, Report, single};
use super::rows::shares;

const SIZE: usize = 6;

/// Returns the scores of a query. The factor `1 / sqrt(size)` is applied to the product, or its root to both factors.
fn score(m: &Machine, query: &[f64], key: &[f64], before: bool) -> f64 {
    let single = m.in_float_at_least();
    let scale = single.reciprocal(single.sqrt(SIZE as f64));
    if !before {
        return m.mul(m.dot(query, key), m.round(scale));
    }
    let root = m.round(single.sqrt(scale));
    let scaled = |x: &[f64]| x.iter().map(|&x| m.mul(x, root)).collect::<Vec<f64>>();
    m.dot(&scaled(query), &scaled(key))
}

/// Computes `softcap * tanh(score / softcap)`; 16-bit floats in float, with each step rounded.
fn capped(m: &Machine, score: f64, cap: f32) -> f64 {
    if cap == 0.0 {
        return score;
    }
    let (wide, cap) = (m.wide(), m.constant(f64::from(cap)));
    let shape = m.round(wide.tanh(m.round(wide.div(score, cap))));
    m.round(wide.mul(cap, shape))
}

fn attention(m: &Machine, x: &[Vec<f64>], before: bool, cap: f32) -> Vec<f64> {
    let rows = |x: &[f64]| x.chunks(SIZE).map(<[f64]>::to_vec).collect::<Vec<_>>();
    let (keys, values) = (rows(&x[1]), rows(&x[2]));
    let query = |(i, query): (usize, &[f64])| {
        let score = |(j, key): (usize, &Vec<f64>)| {
            let capped = capped(m, score(m, query, key, before), cap);
            match x.get(3) {
                Some(bias) => m.add(capped, bias[i * keys.len() + j]),
                None => capped,
            }
        };
        let weights = shares(m, &keys.iter().enumerate().map(score).collect::<Vec<f64>>());
        let lane = |d: usize| values.iter().map(|value| value[d]).collect::<Vec<f64>>();
        (0..SIZE).map(|d| m.round(m.kept_dot(0.0, &weights, &lane(d)))).collect::<Vec<f64>>()
    };
    x[0].chunks(SIZE).enumerate().flat_map(query).collect()
}

#[test]
fn attention_is_accepted() {
    let mut report = Report::default();
    let mut rng = Rng::with_seed(12);
    for _ in 0..draws() {
        for kind in [Kind::Ordinary, Kind::Coarse, Kind::Graded] {
            for dtype in FLOATS {
                for (biased, cap) in [(false, 0.0), (true, 0.0), (true, 1.5)] {
                    let (queries, keys) = (1 + rng.usize(..2), 1 + rng.usize(..9));
                    let mut inputs = vec![
                        tensor(&mut rng, dtype, kind, &[1, 1, queries, SIZE]),
                        tensor(&mut rng, dtype, kind, &[1, 1, keys, SIZE]),
                        tensor(&mut rng, dtype, kind, &[1, 1, keys, SIZE]),
                    ];
                    if biased {
                        inputs.push(tensor(&mut rng, dtype, kind, &[queries, keys]));
                    }
                    let formula = |name, before| single(name, move |m, x| attention(m, x, before, cap));
                    let formulas = [formula("scaled products", false), formula("products of scaled factors", true)];
                    let node = format!("Attention <softcap = {cap:?}>");
                    report.check(&Case::new(&node, 24, inputs, true), dtype, &formulas);
                }
            }
        }
    }
    report.finish();
}

#[test]
fn rotary_embedding_is_accepted() {
    let mut report = Report::default();
    let mut rng = Rng::with_seed(13);
    for _ in 0..draws() {
        for kind in Kind::ALL {
            for dtype in [DType::Float, DType::Float16, DType::Bfloat16] {
                let x = tensor(&mut rng, dtype, kind, &[1, 2, 3, 4]);
                let caches = [0; 2].map(|_| {
                    let values: Vec<f64> = (0..6).map(|_| (rng.f64() * 6.0).cos()).collect();
                    Tensor::from_f64s(dtype, vec![1, 3, 2], &values).unwrap()
                });
                let [cos, sin] = caches;
                // Two of the ways to fuse: the first or the second product of a sum is not rounded.
                let formula = |name, first: bool| {
                    single(name, move |m, x| {
                        let sum = |a: f64, b: f64, c: f64, d: f64| match first {
                            true => m.multiply_add(a, b, m.mul(c, d)),
                            false => m.multiply_add(c, d, m.mul(a, b)),
                        };
                        let mut y = x[0].clone();
                        for (i, head) in x[0].chunks(4).enumerate() {
                            for k in 0..2 {
                                let (cos, sin) = (x[1][i % 3 * 2 + k], x[2][i % 3 * 2 + k]);
                                y[i * 4 + k] = sum(cos, head[k], -sin, head[k + 2]);
                                y[i * 4 + k + 2] = sum(sin, head[k], cos, head[k + 2]);
                            }
                        }
                        y
                    })
                };
                let formulas = [formula("first product fused", true), formula("second product fused", false)];
                report.check(&Case::new("RotaryEmbedding", 23, vec![x, cos, sin], false), dtype, &formulas);
            }
        }
    }
    report.finish();
}

const INPUTS: usize = 3;
const HIDDEN: usize = 4;
const STEPS: usize = 3;

/// A layer with one direction and one sequence: the inputs X, W, R and B.
struct Layer<'a> {
    m: &'a Machine,
    x: &'a [Vec<f64>],
    gates: usize,
    /// Whether the products of inputs and of states are added up as one sum.
    at_once: bool,
    sigmoid: fn(&Machine, f64) -> f64,
}

impl Layer<'_> {
    fn row(&self, input: usize, gate: usize, j: usize, extent: usize) -> &[f64] {
        &self.x[input][(gate * HIDDEN + j) * extent..][..extent]
    }

    fn biases(&self, gate: usize, j: usize) -> [f64; 2] {
        [0, 1].map(|half| self.x[3][(half * self.gates + gate) * HIDDEN + j])
    }

    fn of_input(&self, gate: usize, j: usize, step: usize) -> f64 {
        self.m.dot(&self.x[0][step * INPUTS..][..INPUTS], self.row(1, gate, j, INPUTS))
    }

    /// Returns the sum of a gate before its activation.
    fn gate(&self, gate: usize, j: usize, step: usize, h: &[f64]) -> f64 {
        let [w, r] = self.biases(gate, j);
        if self.at_once {
            let x = [&self.x[0][step * INPUTS..][..INPUTS], h].concat();
            let rows = [self.row(1, gate, j, INPUTS), self.row(2, gate, j, HIDDEN)].concat();
            return self.m.dot_from(self.m.wide().add(w, r), &x, &rows);
        }
        let products = self.m.add(self.of_input(gate, j, step), self.m.dot(h, self.row(2, gate, j, HIDDEN)));
        self.m.add(products, self.m.add(w, r))
    }

    /// Returns Y, whose steps `next` computes from the states before: the hidden state and the cell state.
    fn run(&self, next: impl Fn(usize, &[f64], &[f64]) -> (Vec<f64>, Vec<f64>)) -> Vec<f64> {
        let (mut h, mut c) = (vec![0.0; HIDDEN], vec![0.0; HIDDEN]);
        let mut y = vec![];
        for step in 0..STEPS {
            (h, c) = next(step, &h, &c);
            y.extend_from_slice(&h);
        }
        y
    }
}

fn rnn(l: &Layer) -> Vec<f64> {
    l.run(|step, h, _| ((0..HIDDEN).map(|j| l.m.tanh(l.gate(0, j, step, h))).collect(), vec![]))
}

fn gru(l: &Layer, linear_before_reset: bool, by_difference: bool) -> Vec<f64> {
    let m = l.m;
    l.run(|step, h, _| {
        let of = |gate: usize| (0..HIDDEN).map(|j| (l.sigmoid)(m, l.gate(gate, j, step, h))).collect::<Vec<f64>>();
        let (z, r) = (of(0), of(1));
        let kept: Vec<f64> = r.iter().zip(h).map(|(&r, &h)| m.mul(r, h)).collect();
        let next = |j: usize| {
            let sum = match linear_before_reset {
                false => l.gate(2, j, step, &kept),
                true => {
                    let [w, b] = l.biases(2, j);
                    let linear = m.add(m.dot(h, l.row(2, 2, j, HIDDEN)), b);
                    m.add(m.multiply_add(r[j], linear, l.of_input(2, j, step)), w)
                }
            };
            let candidate = m.tanh(sum);
            match by_difference {
                false => m.multiply_add(z[j], h[j], m.mul(m.sub(1.0, z[j]), candidate)),
                true => m.multiply_add(z[j], m.sub(h[j], candidate), candidate),
            }
        };
        ((0..HIDDEN).map(next).collect(), vec![])
    })
}

fn lstm(l: &Layer) -> Vec<f64> {
    let m = l.m;
    l.run(|step, h, c| {
        let neuron = |j: usize| {
            let [i, o, f] = [0, 1, 2].map(|gate| (l.sigmoid)(m, l.gate(gate, j, step, h)));
            let cell = m.multiply_add(f, c[j], m.mul(i, m.tanh(l.gate(3, j, step, h))));
            (m.mul(o, m.tanh(cell)), cell)
        };
        let cells = if c.is_empty() { vec![] } else { (0..HIDDEN).map(neuron).collect::<Vec<_>>() };
        cells.into_iter().unzip()
    })
}

#[test]
fn recurrent_layers_are_accepted() {
    let mut report = Report::default();
    let mut rng = Rng::with_seed(14);
    type Networks = Vec<(&'static str, fn(&Layer) -> Vec<f64>)>;
    // Each layer with the number of its gates.
    let layers: [(&str, usize, Networks); 4] = [
        ("RNN", 1, vec![("as written", rnn)]),
        ("GRU", 3, vec![("as written", |l| gru(l, false, false)), ("by the difference", |l| gru(l, false, true))]),
        (
            "GRU <linear_before_reset = 1>",
            3,
            vec![("as written", |l| gru(l, true, false)), ("by the difference", |l| gru(l, true, true))],
        ),
        ("LSTM", 4, vec![("as written", lstm)]),
    ];
    for _ in 0..draws() {
        for kind in [Kind::Ordinary, Kind::Coarse, Kind::Graded] {
            for dtype in FLOATS {
                for (node, gates, networks) in &layers {
                    let gates = *gates;
                    let mut draw = |shape: &[usize]| tensor(&mut rng, dtype, kind, shape);
                    let rows = gates * HIDDEN;
                    let inputs = vec![
                        draw(&[STEPS, 1, INPUTS]),
                        draw(&[1, rows, INPUTS]),
                        draw(&[1, rows, HIDDEN]),
                        draw(&[1, 2 * rows]),
                    ];
                    let mut formulas: Vec<Formula> = vec![];
                    for &(name, network) in networks {
                        for (at_once, sigmoid) in
                            [(false, sigmoid as fn(&Machine, f64) -> f64), (true, sigmoid_by_sign)]
                        {
                            formulas.push(single(name, move |m, x| network(&Layer { m, x, gates, at_once, sigmoid })));
                        }
                    }
                    let node = match node.split_once('<') {
                        Some((name, rest)) => format!("{name}<hidden_size = {HIDDEN}, {rest}"),
                        None => format!("{node} <hidden_size = {HIDDEN}>"),
                    };
                    report.check(&Case::new(&node, 22, inputs, true), dtype, &formulas);
                }
            }
        }
    }
    report.finish();
}
