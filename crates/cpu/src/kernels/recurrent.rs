//! Recurrent cells over sequences of any length: the plain cell, the gated cell (Cho 2014), and the cell with long
//! short-term memory (Gers 2000).

use super::super::element::Wide;
use super::product::{Matrix, Product, multiply};

/// The kind of an activation function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// `alpha * x + beta`
    Affine,
    /// `x`, or `alpha * (e^x - 1)` below 0
    Elu,
    /// `alpha * x + beta`, clamped to the range from 0 to 1
    HardSigmoid,
    /// `x`
    Identity,
    /// `x`, or `alpha * x` below 0
    LeakyRelu,
    /// `x`, or 0 if `x` is negative
    Relu,
    /// `alpha * tanh(beta * x)`
    ScaledTanh,
    /// `1 / (1 + e^-x)`
    Sigmoid,
    /// `ln(1 + e^x)`
    Softplus,
    /// `x / (1 + |x|)`
    Softsign,
    /// `tanh(x)`
    Tanh,
    /// `x`, or 0 if `x` is not above `alpha`
    ThresholdedRelu,
}

/// An activation function with its constants.
#[derive(Clone, Copy, Debug)]
pub struct Function {
    /// The kind of the function.
    pub shape: Shape,
    /// The first constant, for functions that have one.
    pub alpha: f32,
    /// The second constant, for functions that have one.
    pub beta: f32,
}

impl Function {
    /// Computes the function.
    pub fn apply<W: Wide>(&self, x: W) -> W {
        let (alpha, beta) = (W::from_double(f64::from(self.alpha)), W::from_double(f64::from(self.beta)));
        let (zero, one) = (W::zero(), W::one());
        match self.shape {
            Shape::Affine => alpha.mul(x).add(beta),
            Shape::Elu if x < zero => alpha.mul(x.exp_m1()),
            Shape::HardSigmoid => alpha.mul(x).add(beta).larger(zero).smaller(one),
            Shape::LeakyRelu if x < zero => alpha.mul(x),
            Shape::Relu => x.larger(zero),
            Shape::ScaledTanh => alpha.mul(beta.mul(x).tanh()),
            Shape::Sigmoid => {
                // The exponent is not positive, so that the power cannot overflow.
                let e = x.abs().neg().exp();
                let large = one.div(one.add(e));
                if x < zero { e.mul(large) } else { large }
            }
            Shape::Softplus => x.larger(zero).add(x.abs().neg().exp().ln_1p()),
            Shape::Softsign => x.div(one.add(x.abs())),
            Shape::Tanh => x.tanh(),
            Shape::ThresholdedRelu => {
                if x > alpha {
                    x
                } else {
                    zero
                }
            }
            Shape::Elu | Shape::LeakyRelu | Shape::Identity => x,
        }
    }
}

/// The computation of a step. In weights and biases the gates follow each other in the order that is given here.
#[derive(Clone, Copy, Debug)]
pub enum Cell {
    /// The plain cell: h = f(sum), where the sum adds up the products and the biases.
    Plain {
        /// The function of the sum.
        f: Function,
    },
    /// The gated cell, with gates update (z), reset and hidden: h = (1 - z) * g(..) + z * h.
    Gated {
        /// The function of the update and the reset gate.
        f: Function,
        /// The function of the hidden gate.
        g: Function,
        /// Whether the reset gate multiplies the product of the previous state with its weights, and not the previous
        /// state itself.
        linear_before_reset: bool,
    },
    /// The cell with long short-term memory, with gates input, output, forget and cell: c = forget * c + input * g(..),
    /// h = output * h(c).
    Long {
        /// The function of the input, output and forget gate.
        f: Function,
        /// The function of the value that goes into the cell.
        g: Function,
        /// The function of the value that comes out of the cell.
        h: Function,
        /// Whether the forget gate is 1 minus the input gate.
        coupled: bool,
    },
}

impl Cell {
    /// Returns the number of gates.
    pub fn gates(&self) -> usize {
        match self {
            Cell::Plain { .. } => 1,
            Cell::Gated { .. } => 3,
            Cell::Long { .. } => 4,
        }
    }
}

/// The weights and biases of one direction. The list of an omitted parameter is empty.
#[derive(Clone, Copy, Debug)]
pub struct Weights<'a, W> {
    /// Weights of the input, with a row for each gate and unit, and a column for each input.
    pub inputs: &'a [W],
    /// Weights of the state, with a row for each gate and unit, and a column for each unit.
    pub states: &'a [W],
    /// Bias of the products of the input, with one number for each gate and unit.
    pub input_bias: &'a [W],
    /// Bias of the products of the state, with one number for each gate and unit.
    pub state_bias: &'a [W],
    /// Weights of the cell in the input, output and forget gate, with one number for each of these gates and each unit.
    pub peepholes: &'a [W],
}

/// The layout of the sequences. The input `x` has a row for each step and sequence.
#[derive(Clone, Copy, Debug)]
pub struct Sequences<'a> {
    /// The number of steps that `x` has for each sequence.
    pub steps: usize,
    /// The number of inputs in each step.
    pub inputs: usize,
    /// The number of units.
    pub hidden: usize,
    /// The number of steps of each sequence, with one entry for each sequence.
    pub lengths: &'a [usize],
    /// Whether the sequences are read from the last step to the first.
    pub backward: bool,
}

/// Runs one direction. `h` and `c` (only for [`Cell::Long`]) have a row of units for each sequence. They hold the
/// initial states, and afterwards the final ones. After each step of each sequence, calls `visit` with the step, the
/// sequence and its row of `h`.
pub fn run<W: Wide + Product>(
    cell: &Cell,
    weights: &Weights<W>,
    sequences: &Sequences,
    clip: Option<W>,
    x: &[W],
    (h, c): (&mut [W], &mut [W]),
    mut visit: impl FnMut(usize, usize, &[W]),
) {
    let &Sequences { steps, inputs, hidden, lengths, backward } = sequences;
    let (batch, width) = (lengths.len(), cell.gates() * hidden);
    let mut products = vec![W::zero(); steps * batch * width];
    multiply(&mut products, Matrix::new(x, steps * batch, inputs), Matrix::new(weights.inputs, width, inputs).turned());
    let mut recurrent = vec![W::zero(); batch * width];
    let mut reset = vec![W::zero(); batch * hidden];
    let mut late = vec![W::zero(); batch * hidden];
    let mut next = vec![W::zero(); hidden];
    let bounded = |x: W| clip.map_or(x, |clip| x.larger(clip.neg()).smaller(clip));
    let bias = |biases: &[W], at: usize| biases.get(at).copied().unwrap_or(W::zero());
    for step in 0..steps {
        multiply(&mut recurrent, Matrix::new(h, batch, hidden), Matrix::new(weights.states, width, hidden).turned());
        let place = |sequence: usize| if backward { lengths[sequence] - 1 - step } else { step };
        let active = (0..batch).filter(|&sequence| step < lengths[sequence]);
        if let Cell::Gated { f, linear_before_reset: false, .. } = cell {
            for sequence in active.clone() {
                let (x, r) = rows(&products, &recurrent, place(sequence) * batch + sequence, sequence, width);
                for unit in 0..hidden {
                    let at = hidden + unit;
                    let sum = x[at].add(r[at]).add(bias(weights.input_bias, at)).add(bias(weights.state_bias, at));
                    let at = sequence * hidden + unit;
                    reset[at] = f.apply(bounded(sum)).mul(h[at]);
                }
            }
            let own = Matrix::new(&weights.states[2 * hidden * hidden..], hidden, hidden);
            multiply(&mut late, Matrix::new(&reset, batch, hidden), own.turned());
        }
        for sequence in active {
            let at = place(sequence);
            let (x, r) = rows(&products, &recurrent, at * batch + sequence, sequence, width);
            let input =
                |gate: usize, unit: usize| x[gate * hidden + unit].add(bias(weights.input_bias, gate * hidden + unit));
            let state =
                |gate: usize, unit: usize| r[gate * hidden + unit].add(bias(weights.state_bias, gate * hidden + unit));
            let sum = |gate: usize, unit: usize| input(gate, unit).add(state(gate, unit));
            let own = &mut h[sequence * hidden..(sequence + 1) * hidden];
            for (unit, next) in next.iter_mut().enumerate() {
                *next = match cell {
                    Cell::Plain { f } => f.apply(bounded(sum(0, unit))),
                    Cell::Gated { f, g, linear_before_reset } => {
                        let update = f.apply(bounded(sum(0, unit)));
                        let inner = match linear_before_reset {
                            true => f.apply(bounded(sum(1, unit))).mul(state(2, unit)),
                            false => late[sequence * hidden + unit].add(bias(weights.state_bias, 2 * hidden + unit)),
                        };
                        let hidden = g.apply(bounded(input(2, unit).add(inner)));
                        W::one().sub(update).mul(hidden).add(update.mul(own[unit]))
                    }
                    Cell::Long { f, g, h, coupled } => {
                        let cell = &mut c[sequence * hidden + unit];
                        let peephole = |gate: usize, cell: W| match weights.peepholes.get(gate * hidden + unit) {
                            Some(weight) => weight.mul(cell),
                            None => W::zero(),
                        };
                        let gate = |gate: usize, cell: W| f.apply(bounded(sum(gate, unit).add(peephole(gate, cell))));
                        let input = gate(0, *cell);
                        let forget = if *coupled { W::one().sub(input) } else { gate(2, *cell) };
                        let new = g.apply(bounded(sum(3, unit)));
                        *cell = forget.mul(*cell).add(input.mul(new));
                        gate(1, *cell).mul(h.apply(bounded(*cell)))
                    }
                };
            }
            own.copy_from_slice(&next);
            visit(at, sequence, own);
        }
    }
}

/// Returns row `row` of the products of the input, and row `sequence` of the products of the state.
fn rows<'a, W>(products: &'a [W], recurrent: &'a [W], row: usize, sequence: usize, width: usize) -> (&'a [W], &'a [W]) {
    (&products[row * width..(row + 1) * width], &recurrent[sequence * width..(sequence + 1) * width])
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Runs a cell that adds up its inputs, forwards and backwards, over sequences of two lengths.
    #[test]
    fn an_identity_cell_sums_its_sequence_in_both_directions() {
        let f = Function { shape: Shape::Identity, alpha: 0.0, beta: 0.0 };
        let weights =
            Weights { inputs: &[1.0f32], states: &[1.0], input_bias: &[], state_bias: &[0.5], peepholes: &[] };
        for (backward, expected) in [(false, [[1.5, 4.0], [0.0, 0.0]]), (true, [[4.0, 2.5], [0.0, 0.0]])] {
            let sequences = Sequences { steps: 2, inputs: 1, hidden: 1, lengths: &[2, 0], backward };
            let (mut h, mut seen) = (vec![0.0f32; 2], [[0.0; 2]; 2]);
            run(&Cell::Plain { f }, &weights, &sequences, None, &[1.0, 9.0, 2.0, 9.0], (&mut h, &mut []), |t, n, h| {
                seen[n][t] = h[0];
            });
            assert_eq!((h, seen), (vec![4.0, 0.0], expected));
        }
    }
}
