//! Recurrent layers, normalizations and losses: laws, and checks that results of implementations in float are accepted.

use crate::common::expected_outputs;
use plumbline_oracle::{Expected, Judged};
use plumbline_tensor::Tensor;
use proptest::prelude::*;

fn run(node: &str, inputs: &[&Tensor]) -> Expected {
    expected_outputs(node, 24, inputs, 1).remove(0)
}

fn floats(shape: &[usize], values: &[f32]) -> Tensor {
    Tensor::from_f32s(shape.to_vec(), values).unwrap()
}

/// Returns whether the oracle's answer accepts all of these values.
fn accepts(expected: &Expected, values: &[f32]) -> bool {
    let answer = floats(expected.shape(), values);
    (0..answer.len()).all(|i| expected.judge(&answer, i) == Judged::Accepted)
}

/// Returns whether two answers each accept the preferred answer of the other.
fn agree(a: &Expected, b: &Expected) -> bool {
    let within = |x: &Expected, y: &Expected| (0..x.len()).all(|i| x.judge(&y.tensor, i) == Judged::Accepted);
    a.shape() == b.shape() && within(a, b) && within(b, a)
}

/// Returns the width of the interval that is accepted for an element.
fn width(x: &Expected, i: usize) -> f64 {
    let real = x.number(i).real();
    real.high - real.low
}

/// Returns an answer of this shape: its element `i` is the element `at(i)` of `x`.
fn part(x: &Expected, shape: &[usize], at: impl Fn(usize) -> usize) -> Expected {
    x.rearranged(shape.to_vec(), at).unwrap()
}

fn numbers(count: usize) -> impl Strategy<Value = Vec<f32>> {
    prop::collection::vec(-1f32..1.0, count)
}

/// Normalizes by the equations of LayerNormalization, in float.
fn layer(x: &[f32], epsilon: f32) -> Vec<f32> {
    let n = x.len() as f32;
    let mean = x.iter().sum::<f32>() / n;
    let variance = x.iter().map(|x| (x - mean) * (x - mean)).sum::<f32>() / n;
    x.iter().map(|x| (x - mean) / (variance + epsilon).sqrt()).collect()
}

/// Recurrent operators, each with its number of gates and of states.
const LAYERS: [(&str, usize, usize); 3] = [("RNN", 1, 1), ("GRU", 3, 1), ("LSTM", 4, 2)];

fn sigmoid(x: f32) -> f32 {
    1.0 / (1.0 + (-x).exp())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 60, failure_persistence: None, ..ProptestConfig::default() })]

    /// Law: LayerNormalization
    #[test]
    fn layer_normalization_in_float_is_accepted(x in numbers(12), scale in numbers(4), bias in numbers(4)) {
        let (tensor, s, b) = (floats(&[3, 4], &x), floats(&[4], &scale), floats(&[4], &bias));
        let y = run("LayerNormalization", &[&tensor, &s, &b]);
        let rows = x.chunks(4).flat_map(|row| layer(row, 1e-5).into_iter().zip(&scale).zip(&bias).map(|((x, s), b)| x * s + b).collect::<Vec<_>>());
        let mut rows: Vec<f32> = rows.collect();
        prop_assert!(accepts(&y, &rows));
        let spread = |row: &[f32]| row.iter().fold(f32::MIN, |a, &b| a.max(b)) - row.iter().fold(f32::MAX, |a, &b| a.min(b));
        let least = x.chunks(4).map(spread).fold(f32::MAX, f32::min);
        prop_assert!(least < 0.2 || (0..12).all(|i| width(&y, i) < 1e-4));
        rows[5] += 0.01;
        prop_assert!(!accepts(&y, &rows));
    }

    /// Law: GroupNormalization, InstanceNormalization, BatchNormalization
    #[test]
    fn groups_of_one_channel_are_instances(x in numbers(24), scale in numbers(3), bias in numbers(3)) {
        let (x, scale, bias) = (floats(&[2, 3, 4], &x), floats(&[3], &scale), floats(&[3], &bias));
        let groups = run("GroupNormalization <num_groups = 3>", &[&x, &scale, &bias]);
        prop_assert!(agree(&groups, &run("InstanceNormalization", &[&x, &scale, &bias])));
        // In training mode, BatchNormalization normalizes each channel over the whole batch. InstanceNormalization does
        // the same if a single instance holds the whole batch.
        let old = floats(&[3], &[0.5; 3]);
        let turned: Vec<f32> = (0..24).map(|i| x.f64_at((i / 4 % 2) * 12 + i / 8 * 4 + i % 4) as f32).collect();
        let instance = run("InstanceNormalization", &[&floats(&[1, 3, 8], &turned), &scale, &bias]);
        let batch = &expected_outputs("BatchNormalization <training_mode = 1>", 15, &[&x, &scale, &bias, &old, &old], 3)[0];
        let turned_back = part(&instance, &[2, 3, 4], |i| i / 4 % 3 * 8 + i / 12 * 4 + i % 4);
        prop_assert!(agree(batch, &turned_back));
    }

    /// Law: GroupNormalization, LayerNormalization
    #[test]
    fn one_group_is_layer_normalization(x in numbers(24)) {
        let (x, ones, zeros) = (floats(&[2, 3, 4], &x), floats(&[3], &[1.0; 3]), floats(&[3], &[0.0; 3]));
        let group = run("GroupNormalization <num_groups = 1>", &[&x, &ones, &zeros]);
        let whole = run("LayerNormalization <axis = 1>", &[&x, &floats(&[3, 4], &[1.0; 12])]);
        prop_assert!(agree(&group, &whole));
    }

    /// Law: MeanVarianceNormalization, LayerNormalization
    #[test]
    fn mean_variance_normalization_is_nearly_layer_normalization_without_epsilon(x in numbers(12)) {
        let tensor = floats(&[3, 4], &x);
        let y = run("MeanVarianceNormalization <axes = [1]>", &[&tensor]);
        let layer = run("LayerNormalization <epsilon = 0.0>", &[&tensor, &floats(&[4], &[1.0; 4])]);
        prop_assert!((0..12).all(|i| (y.number(i).mid() - layer.number(i).mid()).abs() < 1e-4));
    }

    /// Law: ReduceL1, ReduceL2, LpNormalization, RMSNormalization
    #[test]
    fn norms_are_those_of_reductions(x in numbers(12)) {
        let (tensor, axes) = (floats(&[3, 4], &x), Tensor::from_i64s(&[1]));
        for (p, norm) in [(1, "ReduceL1"), (2, "ReduceL2")] {
            let y = run(&format!("LpNormalization <p = {p}>"), &[&tensor]);
            let norms = run(norm, &[&tensor, &axes]);
            let divided: Vec<f32> = (0..12).map(|i| x[i] / norms.tensor.f64_at(i / 4) as f32).collect();
            prop_assert!(accepts(&y, &divided));
        }
        // RMSNormalization without epsilon divides by the root mean square, which is half of the L2 norm for 4
        // elements. The scale 0.5 makes up for that.
        let y = run("RMSNormalization <epsilon = 0.0>", &[&tensor, &floats(&[4], &[0.5; 4])]);
        let unit = run("LpNormalization", &[&tensor]);
        prop_assert!((0..12).all(|i| (y.number(i).mid() - unit.number(i).mid()).abs() < 1e-6));
    }

    /// Law: SoftmaxCrossEntropyLoss, LogSoftmax, NegativeLogLikelihoodLoss
    #[test]
    fn cross_entropy_is_the_loss_of_log_softmax(x in numbers(12), labels in prop::collection::vec(0i64..4, 3), weights in prop::collection::vec(0.1f32..2.0, 4)) {
        let (scores, labels, weights) = (floats(&[3, 4], &x), Tensor::from_i64s(&labels), floats(&[4], &weights));
        for reduction in ["none", "sum", "mean"] {
            let attributes = format!(r#"<reduction = "{reduction}", ignore_index = 1>"#);
            let whole = expected_outputs(&format!("SoftmaxCrossEntropyLoss {attributes}"), 24, &[&scores, &labels, &weights], 2);
            let logs = run("LogSoftmax <axis = 1>", &[&scores]);
            prop_assert!(agree(&whole[1], &logs));
            let loss = run(&format!("NegativeLogLikelihoodLoss {attributes}"), &[&logs.tensor, &labels, &weights]);
            let near = |i: usize| (whole[0].number(i).mid() - loss.number(i).mid()).abs() < 1e-5;
            prop_assert!(whole[0].number(0).is_nan() || (0..loss.len()).all(near));
        }
    }

    /// Law: RNN, GRU, LSTM
    #[test]
    fn a_bidirectional_layer_is_both_directions_side_by_side(x in numbers(12), w in numbers(48), r in numbers(32)) {
        // There are 3 steps, 2 sequences, 2 inputs, 2 directions and 1 hidden unit.
        for (op, gates, states) in LAYERS {
            let x = floats(&[3, 2, 2], &x);
            let weights = |from: &[f32], extent: usize, direction: usize| {
                floats(&[1, gates, extent], &from[direction * gates * extent..(direction + 1) * gates * extent])
            };
            let both = |from: &[f32], extent: usize| floats(&[2, gates, extent], &from[..2 * gates * extent]);
            let whole = expected_outputs(&format!(r#"{op} <direction = "bidirectional">"#), 22, &[&x, &both(&w, 2), &both(&r, 1)], 1 + states);
            for (d, direction) in ["forward", "reverse"].into_iter().enumerate() {
                let one = expected_outputs(&format!(r#"{op} <direction = "{direction}">"#), 22, &[&x, &weights(&w, 2, d), &weights(&r, 1, d)], 1 + states);
                prop_assert!(agree(&one[0], &part(&whole[0], &[3, 1, 2, 1], |i| i / 2 * 4 + d * 2 + i % 2)));
                for s in 1..=states {
                    prop_assert!(agree(&one[s], &part(&whole[s], &[1, 2, 1], |i| d * 2 + i)));
                }
                // The reverse direction is the forward direction with the steps in reverse order.
                let turned: Vec<f32> = (0..12).map(|i| x.f64_at((2 - i / 4) * 4 + i % 4) as f32).collect();
                let other = ["reverse", "forward"][d];
                let back = expected_outputs(&format!(r#"{op} <direction = "{other}">"#), 22, &[&floats(&[3, 2, 2], &turned), &weights(&w, 2, d), &weights(&r, 1, d)], 1);
                prop_assert!(agree(&one[0], &part(&back[0], &[3, 1, 2, 1], |i| (2 - i / 2) * 2 + i % 2)));
            }
            // With the batch first (`layout` = 1), the same elements are in other places.
            let turned: Vec<f32> = (0..12).map(|i| x.f64_at((i / 2 % 3) * 4 + i / 6 * 2 + i % 2) as f32).collect();
            let node = format!(r#"{op} <direction = "bidirectional", layout = 1>"#);
            let batch = expected_outputs(&node, 22, &[&floats(&[2, 3, 2], &turned), &both(&w, 2), &both(&r, 1)], 2);
            prop_assert!(agree(&batch[0], &part(&whole[0], &[2, 3, 2, 1], |i| i / 2 % 3 * 4 + i % 2 * 2 + i / 6)));
            prop_assert!(agree(&batch[1], &part(&whole[1], &[2, 2, 1], |i| i % 2 * 2 + i / 2)));
        }
    }

    /// Law: GRU, LSTM
    #[test]
    fn with_zero_weights_gru_and_lstm_halve_their_state(h in numbers(4), c in numbers(4), x in numbers(4)) {
        let (x, lengths) = (floats(&[1, 2, 2], &x), Tensor::from_bytes(plumbline_tensor::DType::Int32, vec![2], [1i32, 1].iter().flat_map(|i| i.to_le_bytes()).collect()).unwrap());
        let (h0, c0) = (floats(&[1, 2, 2], &h), floats(&[1, 2, 2], &c));
        let zeros = |shape: &[usize]| floats(shape, &vec![0.0; shape.iter().product()]);
        let gru = expected_outputs("GRU", 22, &[&x, &zeros(&[1, 6, 2]), &zeros(&[1, 6, 2]), &zeros(&[1, 12]), &lengths, &h0], 2);
        prop_assert!(accepts(&gru[1], &h.iter().map(|h| 0.5 * h).collect::<Vec<_>>()));
        let lstm = expected_outputs("LSTM", 22, &[&x, &zeros(&[1, 8, 2]), &zeros(&[1, 8, 2]), &zeros(&[1, 16]), &lengths, &h0, &c0], 3);
        prop_assert!(accepts(&lstm[2], &c.iter().map(|c| 0.5 * c).collect::<Vec<_>>()));
        prop_assert!(accepts(&lstm[1], &c.iter().map(|c| 0.5 * (0.5 * c).tanh()).collect::<Vec<_>>()));
    }

    /// Law: LSTM
    #[test]
    fn an_lstm_in_float_is_accepted(x in numbers(6), w in numbers(8), r in numbers(4), b in numbers(8), p in numbers(3)) {
        // There are 3 steps, 1 sequence, 2 inputs and 1 hidden unit; the gates are i, o, f, c.
        let (mut h, mut c) = (0f32, 0f32);
        let mut y = vec![];
        for x in x.chunks(2) {
            let gate = |g: usize, peephole: f32| w[2 * g] * x[0] + w[2 * g + 1] * x[1] + r[g] * h + b[g] + b[4 + g] + peephole;
            let (i, f) = (sigmoid(gate(0, p[0] * c)), sigmoid(gate(2, p[2] * c)));
            let next = f * c + i * gate(3, 0.0).tanh();
            let o = sigmoid(gate(1, p[1] * next));
            (h, c) = (o * next.tanh(), next);
            y.push(h);
        }
        let lengths = Tensor::from_bytes(plumbline_tensor::DType::Int32, vec![1], 3i32.to_le_bytes().to_vec()).unwrap();
        let zero = floats(&[1, 1, 1], &[0.0]);
        let inputs = [&floats(&[3, 1, 2], &x), &floats(&[1, 4, 2], &w), &floats(&[1, 4, 1], &r), &floats(&[1, 8], &b), &lengths, &zero, &zero, &floats(&[1, 3], &p)];
        let answer = expected_outputs("LSTM", 22, &inputs, 3);
        prop_assert!(accepts(&answer[0], &y) && accepts(&answer[1], &[h]) && accepts(&answer[2], &[c]));
        y[2] += 1e-4;
        prop_assert!(!accepts(&answer[0], &y));
        prop_assert!((0..3).all(|i| width(&answer[0], i) < 1e-5));
    }
}
