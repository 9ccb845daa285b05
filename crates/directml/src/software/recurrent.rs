//! RNN, GRU and LSTM.

use super::call::{Call, Dense, Run, Stop, Written, wrong};
use super::element_wise::activation::fused;

pub const OPERATORS: &[(&str, Run)] = &[("GRU", gru), ("LSTM", lstm), ("RNN", rnn)];

type Function = Box<dyn Fn(f64) -> f64 + Sync>;

/// The tensors and sizes that all three operators have.
struct Network {
    x: Dense,
    weights: Dense,
    recurrence: Dense,
    bias: Option<Dense>,
    lengths: Vec<usize>,
    functions: Vec<Function>,
    steps: usize,
    batch: usize,
    inputs: usize,
    hidden: usize,
    directions: usize,
    gates: usize,
    /// Whether the first direction starts at the end.
    backward: bool,
}

/// The state of one direction and sequence.
struct RecurrentState {
    h: Vec<f64>,
    c: Vec<f64>,
}

impl Network {
    fn read(call: &Call, gates: usize, functions: usize) -> Result<Network, Stop> {
        let (x, weights) = (call.numbers("InputTensor")?, call.numbers("WeightTensor")?);
        let recurrence = call.numbers("RecurrenceTensor")?;
        let (&[_, steps, batch, inputs], &[_, directions, rows, _]) = (&x.sizes[..], &weights.sizes[..]) else {
            return wrong(if x.sizes.len() == 4 { "WeightTensor" } else { "InputTensor" }, "is not 4D");
        };
        let hidden = rows / gates;
        call.expect("InputTensor", &[1, steps, batch, inputs])?;
        call.expect("WeightTensor", &[1, directions, gates * hidden, inputs])?;
        call.expect("RecurrenceTensor", &[1, directions, gates * hidden, hidden])?;
        let direction = call.uint("Direction")?;
        if directions != if direction == 2 { 2 } else { 1 } {
            return wrong("Direction", format!("is {direction}, but WeightTensor has {directions} directions"));
        }
        for (field, sizes) in [
            ("BiasTensor", [1, 1, directions, 2 * gates * hidden]),
            ("HiddenInitTensor", [1, directions, batch, hidden]),
            ("CellMemInitTensor", [1, directions, batch, hidden]),
            ("SequenceLengthsTensor", [1, 1, 1, batch]),
            ("PeepholeTensor", [1, 1, directions, 3 * hidden]),
            ("OutputSequenceTensor", [steps, directions, batch, hidden]),
            ("OutputSingleTensor", [1, directions, batch, hidden]),
            ("OutputCellSingleTensor", [1, directions, batch, hidden]),
        ] {
            if call.has(field) {
                call.expect(field, &sizes)?;
            }
        }
        let called = call.called("ActivationDescs");
        if called.len() != functions * directions {
            return wrong(
                "ActivationDescs",
                format!("has {} activations, expected {}", called.len(), functions * directions),
            );
        }
        let lengths = match call.has("SequenceLengthsTensor") {
            true => call.integers("SequenceLengthsTensor")?,
            false => vec![steps as i64; batch],
        };
        Ok(Network {
            bias: call.optional_numbers("BiasTensor")?,
            lengths: lengths.into_iter().map(|length| length.clamp(0, steps as i64) as usize).collect(),
            functions: called.iter().map(fused).collect::<Result<_, _>>()?,
            backward: direction == 1,
            x,
            weights,
            recurrence,
            steps,
            batch,
            inputs,
            hidden,
            directions,
            gates,
        })
    }

    /// Computes the part of a row's weighted sum that comes from the input, with the input's bias. Rows are
    /// those of the weights.
    fn input(&self, direction: usize, sequence: usize, step: usize, row: usize) -> f64 {
        let rows = self.gates * self.hidden;
        let x = &self.x.data[(step * self.batch + sequence) * self.inputs..][..self.inputs];
        let weights = &self.weights.data[(direction * rows + row) * self.inputs..][..self.inputs];
        let bias = self.bias.as_ref().map_or(0.0, |bias| bias.data[direction * 2 * rows + row]);
        x.iter().zip(weights).map(|(x, w)| x * w).sum::<f64>() + bias
    }

    /// Computes the part of a row's weighted sum that comes from the state, without a bias.
    fn product(&self, direction: usize, state: &[f64], row: usize) -> f64 {
        let rows = self.gates * self.hidden;
        let weights = &self.recurrence.data[(direction * rows + row) * self.hidden..][..self.hidden];
        state.iter().zip(weights).map(|(h, w)| h * w).sum()
    }

    /// Returns the bias that belongs to the state's part of a row's weighted sum.
    fn bias(&self, direction: usize, row: usize) -> f64 {
        let rows = self.gates * self.hidden;
        self.bias.as_ref().map_or(0.0, |bias| bias.data[(direction * 2 + 1) * rows + row])
    }

    /// Computes a row's weighted sum: the parts from the input and the state, with both biases.
    fn sum(&self, direction: usize, sequence: usize, step: usize, state: &[f64], row: usize) -> f64 {
        let own = self.product(direction, state, row) + self.bias(direction, row);
        self.input(direction, sequence, step, row) + own
    }

    /// Runs every sequence in every direction. `next` receives the direction, the sequence, the step and the state, and
    /// updates the state.
    fn run(&self, call: &Call, mut next: impl FnMut(usize, usize, usize, &mut RecurrentState)) -> Written {
        let count = self.directions * self.batch * self.hidden;
        let init = |field: &str| -> Result<Vec<f64>, Stop> {
            let known = call.description.operator().field(field).is_some();
            let given = if known { call.optional_numbers(field)? } else { None };
            Ok(given.map_or_else(|| vec![0.0; count], |given| given.data))
        };
        let (mut h, mut c) = (init("HiddenInitTensor")?, init("CellMemInitTensor")?);
        let mut all = vec![0.0; self.steps * count];
        for direction in 0..self.directions {
            for sequence in 0..self.batch {
                let from = (direction * self.batch + sequence) * self.hidden;
                let own = from..from + self.hidden;
                let mut state = RecurrentState { h: h[own.clone()].to_vec(), c: c[own.clone()].to_vec() };
                let length = self.lengths[sequence];
                for step in 0..length {
                    let step = if self.backward || direction == 1 { length - 1 - step } else { step };
                    next(direction, sequence, step, &mut state);
                    all[step * count + from..][..self.hidden].copy_from_slice(&state.h);
                }
                h[own.clone()].copy_from_slice(&state.h);
                c[own].copy_from_slice(&state.c);
            }
        }
        let mut written = Vec::new();
        for (field, data) in
            [("OutputSequenceTensor", &all), ("OutputSingleTensor", &h), ("OutputCellSingleTensor", &c)]
        {
            if call.has(field) {
                written.push(call.put(field, data)?);
            }
        }
        Ok(written)
    }
}

/// RNN: h = f(sum).
fn rnn(call: &Call) -> Written {
    let network = Network::read(call, 1, 1)?;
    network.run(call, |direction, sequence, step, state| {
        let f = &network.functions[direction];
        let sum = |row| f(network.sum(direction, sequence, step, &state.h, row));
        state.h = (0..network.hidden).map(sum).collect();
    })
}

/// GRU, with the gates update (z), reset and hidden: h = (1 - z) * g(..) + z * h.
fn gru(call: &Call) -> Written {
    let (network, late) = (Network::read(call, 3, 2)?, call.bool("LinearBeforeReset")?);
    let n = network.hidden;
    network.run(call, |direction, sequence, step, state| {
        let [f, g] = [0, 1].map(|at| &network.functions[direction * 2 + at]);
        let gate = |row: usize| f(network.sum(direction, sequence, step, &state.h, row));
        let reset: Vec<f64> = (0..n).map(|unit| gate(n + unit)).collect();
        let kept: Vec<f64> = reset.iter().zip(&state.h).map(|(r, h)| r * h).collect();
        let unit = |unit: usize| {
            let (update, row) = (gate(unit), 2 * n + unit);
            let own = match late {
                true => reset[unit] * (network.product(direction, &state.h, row) + network.bias(direction, row)),
                false => network.product(direction, &kept, row) + network.bias(direction, row),
            };
            let hidden = g(network.input(direction, sequence, step, row) + own);
            (1.0 - update) * hidden + update * state.h[unit]
        };
        state.h = (0..n).map(unit).collect();
    })
}

/// LSTM, with the gates input, output, forget and cell, and the activations f, g and h. The cell state becomes
/// forget * cell state + input * g(..), and the output is the output gate times h(cell state).
fn lstm(call: &Call) -> Written {
    let network = Network::read(call, 4, 3)?;
    let (n, coupled) = (network.hidden, call.bool("CoupleInputForget")?);
    let clip = if call.bool("UseClipThreshold")? { call.float("ClipThreshold")?.abs() } else { f64::INFINITY };
    // The comparisons keep NaN.
    let bounded = |x: f64| {
        if x > clip {
            clip
        } else if x < -clip {
            -clip
        } else {
            x
        }
    };
    let peepholes = call.optional_numbers("PeepholeTensor")?;
    network.run(call, |direction, sequence, step, state| {
        let [f, g, h] = [0, 1, 2].map(|at| &network.functions[direction * 3 + at]);
        let sum = |gate: usize, unit: usize, cell: f64| {
            // The input, output and forget gates have peepholes; the cell gate has none.
            let seen = peepholes.as_ref().filter(|_| gate < 3);
            let seen = seen.map_or(0.0, |peepholes| peepholes.data[(direction * 3 + gate) * n + unit] * cell);
            bounded(network.sum(direction, sequence, step, &state.h, gate * n + unit) + seen)
        };
        let mut cells = Vec::with_capacity(n);
        let mut outputs = Vec::with_capacity(n);
        for (unit, &before) in state.c.iter().enumerate() {
            let input = f(sum(0, unit, before));
            let forget = if coupled { 1.0 - input } else { f(sum(2, unit, before)) };
            let cell = forget * before + input * g(sum(3, unit, 0.0));
            outputs.push(f(sum(1, unit, cell)) * h(bounded(cell)));
            cells.push(cell);
        }
        (state.h, state.c) = (outputs, cells);
    })
}
