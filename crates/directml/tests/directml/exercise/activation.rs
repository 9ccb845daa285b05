//! Exercises for `ACTIVATION_*`.

use super::element_wise::one;
use super::{Draft, Exercise, all};

/// Gives all tensors the same sizes, and sets every attribute to a random float.
fn attributes(draft: &mut Draft) {
    draft.same();
    let names: Vec<&str> = draft.description.operator().attributes().map(|field| field.name.as_str()).collect();
    for name in names {
        let value = [0.25, 0.5, 0.75, 1.5][draft.below(4)];
        draft.set_float(name, value);
    }
}

fn sigmoid(x: f64) -> f64 {
    1.0 / (1.0 + (-x).exp())
}

macro_rules! activations {
    ($($name:literal ($($variable:ident: $attribute:literal),*) $x:ident => $value:expr;)*) => {
        &[$(Exercise {
            name: $name,
            shape: attributes,
            evaluate: |draft| {
                $(let $variable = draft.float($attribute);)*
                vec![draft.output("OutputTensor", |index| {
                    let $x = draft.input("InputTensor").at(index);
                    $value
                })]
            },
        }),*]
    };
}

pub const OF_ONE: &[Exercise] = activations! {
    "ACTIVATION_CELU" (alpha: "Alpha") x => x.max(0.0) + (alpha * ((x / alpha).exp() - 1.0)).min(0.0);
    "ACTIVATION_ELU" (alpha: "Alpha") x => if x >= 0.0 { x } else { alpha * (x.exp() - 1.0) };
    "ACTIVATION_GELU" () x => 0.5 * x * (1.0 + libm::erf(x / 2f64.sqrt()));
    "ACTIVATION_HARD_SIGMOID" (alpha: "Alpha", beta: "Beta") x => (alpha * x + beta).clamp(0.0, 1.0);
    "ACTIVATION_HARD_SWISH" (alpha: "Alpha", beta: "Beta") x => x * (alpha * x + beta).clamp(0.0, 1.0);
    "ACTIVATION_IDENTITY" () x => x;
    "ACTIVATION_LEAKY_RELU" (alpha: "Alpha") x => if x >= 0.0 { x } else { alpha * x };
    "ACTIVATION_LINEAR" (alpha: "Alpha", beta: "Beta") x => alpha * x + beta;
    "ACTIVATION_PARAMETRIC_SOFTPLUS" (alpha: "Alpha", beta: "Beta") x => alpha * (1.0 + (beta * x).exp()).ln();
    "ACTIVATION_RELU" () x => x.max(0.0);
    "ACTIVATION_SCALED_ELU" (alpha: "Alpha", gamma: "Gamma") x => {
        if x > 0.0 { gamma * x } else { gamma * (alpha * x.exp() - alpha) }
    };
    "ACTIVATION_SCALED_TANH" (alpha: "Alpha", beta: "Beta") x => alpha * (beta * x).tanh();
    "ACTIVATION_SHRINK" (bias: "Bias", threshold: "Threshold") x => {
        if x < -threshold { x + bias } else if x > threshold { x - bias } else { 0.0 }
    };
    "ACTIVATION_SIGMOID" () x => sigmoid(x);
    "ACTIVATION_SOFTPLUS" (steepness: "Steepness") x => (1.0 + (steepness * x).exp()).ln() / steepness;
    "ACTIVATION_SOFTSIGN" () x => x / (1.0 + x.abs());
    "ACTIVATION_SWISH" (scale: "SigmoidInputScale") x => x * sigmoid(scale * x);
    "ACTIVATION_TANH" () x => x.tanh();
    "ACTIVATION_THRESHOLDED_RELU" (alpha: "Alpha") x => if x > alpha { x } else { 0.0 };
};

/// Returns all elements in the row of an element: along the axes, or along the last axis if no axes are set.
fn row(draft: &Draft, index: &[usize]) -> Vec<f64> {
    let axes = match draft.description.uints("Axes") {
        Some(axes) => axes.iter().map(|&axis| axis as usize).collect(),
        None => vec![index.len() - 1],
    };
    let x = draft.input("InputTensor");
    let mine = |other: &&Vec<usize>| (0..index.len()).all(|d| axes.contains(&d) || other[d] == index[d]);
    all(&x.sizes).iter().filter(mine).map(|other| x.at(other)).collect()
}

fn rows(draft: &mut Draft) {
    draft.same();
    let rank = draft.rank("InputTensor");
    if draft.description.operator().field("Axes").is_some() {
        let mut axes = vec![draft.below(rank)];
        if rank > 1 && draft.flip() {
            axes.push((axes[0] + 1) % rank);
        }
        draft.set_uint("AxisCount", axes.len());
        draft.set_uints("Axes", &axes);
    }
}

macro_rules! of_rows {
    ($name:literal, $x:ident, $row:ident => $value:expr) => {
        Exercise {
            name: $name,
            shape: rows,
            evaluate: |draft| {
                vec![draft.output("OutputTensor", |index| {
                    let ($x, $row) = (draft.input("InputTensor").at(index), row(draft, index));
                    $value
                })]
            },
        }
    };
}

pub const OF_ROWS: &[Exercise] = &[
    of_rows!("ACTIVATION_SOFTMAX", x, row => x.exp() / row.iter().map(|x| x.exp()).sum::<f64>()),
    of_rows!("ACTIVATION_SOFTMAX1", x, row => x.exp() / row.iter().map(|x| x.exp()).sum::<f64>()),
    of_rows!("ACTIVATION_LOG_SOFTMAX", x, row => x - row.iter().map(|x| x.exp()).sum::<f64>().ln()),
    of_rows!("ACTIVATION_LOG_SOFTMAX1", x, row => x - row.iter().map(|x| x.exp()).sum::<f64>().ln()),
    Exercise { name: "ACTIVATION_HARDMAX", shape: hard, evaluate: hardmax },
    Exercise { name: "ACTIVATION_HARDMAX1", shape: hard, evaluate: hardmax },
    Exercise {
        name: "ACTIVATION_RELU_GRAD",
        shape: one,
        evaluate: |draft| {
            vec![draft.output("OutputGradientTensor", |index| {
                if draft.input("InputTensor").at(index) > 0.0 {
                    draft.input("InputGradientTensor").at(index)
                } else {
                    0.0
                }
            })]
        },
    },
    Exercise {
        name: "ACTIVATION_PARAMETERIZED_RELU",
        shape: one,
        evaluate: |draft| {
            vec![draft.output("OutputTensor", |index| {
                let x = draft.input("InputTensor").at(index);
                if x < 0.0 { x * draft.input("SlopeTensor").at(index) } else { x }
            })]
        },
    },
];

/// Fills each row of the input with distinct elements, because the documentation does not say which of several equal
/// elements is chosen.
fn hard(draft: &mut Draft) {
    rows(draft);
    let mut next = 0;
    draft.fill_by("InputTensor", |_, _| {
        next += 7;
        f64::from(next * 13 % 251)
    });
}

fn hardmax(draft: &Draft) -> Vec<super::Plain> {
    vec![draft.output("OutputTensor", |index| {
        let x = draft.input("InputTensor").at(index);
        f64::from(u8::from(row(draft, index).iter().all(|other| *other <= x)))
    })]
}
