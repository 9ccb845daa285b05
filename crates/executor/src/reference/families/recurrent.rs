//! RNN, GRU and LSTM: shapes, directions, lengths, and the sums that go into activations. An operator is what it does at one step.
//!
//! Labels are the same in the rules of all three: C1 X, W and R; C2 further shapes; C3 sequence_lens; C4 direction; C5 activations. B1 beyond
//! the length of a sequence; B2 a sequence of no steps; B3 how alpha and beta are consumed; B4 alpha and beta without a default;
//! B5 R as it stands (version 1 to 6); B11 NaN.

pub mod activations;

use crate::reference::families::normalization::{open, opened};
use crate::reference::prelude::*;
use activations::Activation;

/// What the text leaves to be read in more than one way; the default is preferred.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Reading {
    /// The i-th alpha belongs to the i-th activation, whether the one before takes one or not: B3.
    pub by_position: bool,
    /// R multiplies as it stands: B5.
    pub untransposed: bool,
    /// What an operator of its own leaves open.
    pub other: u8,
}

/// One layer: its inputs and extents.
pub struct Layer<'a> {
    call: &'a Call<'a>,
    x: Vec<Real>,
    w: Vec<Real>,
    r: Vec<Real>,
    b: Option<Vec<Real>>,
    /// Element type.
    pub dtype: DType,
    gates: usize,
    steps: usize,
    batch: usize,
    inputs: usize,
    /// Number of neurons in the hidden layer.
    pub hidden: usize,
    /// For each direction whether it goes backward.
    backward: Vec<bool>,
    lengths: Vec<usize>,
    batch_first: bool,
    clip: Option<f32>,
    label: Option<Label>,
}

/// Hidden state and, for an LSTM, cell state of one sequence.
pub type State = (Vec<Real>, Vec<Real>);

/// One element of X, one direction, and one row of gates: what a gate sums up.
pub struct Sums<'l, 'a> {
    layer: &'l Layer<'a>,
    direction: usize,
    x: &'l [Real],
    untransposed: bool,
}

impl<'a> Layer<'a> {
    /// Reads and checks what all three operators share.
    pub fn of(call: &'a Call<'a>, gates: usize) -> Result<Layer<'a>, Refusal> {
        let tensors = [call.tensor("X")?, call.tensor("W")?, call.tensor("R")?];
        let batch_first = call.optional_int("layout").unwrap_or(0) != 0;
        let backward = match call.string("direction")?.as_str() {
            // GRU-1 spells its default `foward`.
            "forward" | "foward" => vec![false],
            "reverse" => vec![true],
            "bidirectional" => vec![false, true],
            other => return Err(Refusal::violates(C4, format!("there is no direction `{other}`"))),
        };
        let directions = backward.len();
        let wrong = |what: &str, found: &[usize]| Refusal::violates(C1, format!("{what} has shape {found:?}"));
        let &[first, second, inputs] = tensors[0].shape() else { return Err(wrong("X", tensors[0].shape())) };
        let (steps, batch) = if batch_first { (second, first) } else { (first, second) };
        let hidden = match tensors[2].shape() {
            [_, _, hidden] => *hidden,
            other => return Err(wrong("R", other)),
        };
        let rows = shape::product(&[gates, hidden])?;
        if tensors[1].shape() != [directions, rows, inputs] {
            return Err(wrong("W", tensors[1].shape()));
        }
        if tensors[2].shape() != [directions, rows, hidden] {
            return Err(wrong("R", tensors[2].shape()));
        }
        if call.optional_int("hidden_size").is_some_and(|h| usize::try_from(h) != Ok(hidden)) {
            return Err(Refusal::violates(C1, format!("hidden_size is not the {hidden} of R")));
        }
        shape::affordable(&[steps, directions, batch, hidden])?;
        let b = shaped(call, "B", &[directions, 2 * rows])?;
        let reals = |t: &Expected| t.numbers().map(|n| n.real()).collect::<Vec<Real>>();
        let others = ["B", "initial_h", "initial_c", "P"].map(|name| call.optional_tensor(name));
        let others: Vec<&Expected> = others.into_iter().flatten().flatten().collect();
        Ok(Layer {
            call,
            x: reals(tensors[0]),
            w: reals(tensors[1]),
            r: reals(tensors[2]),
            b: b.map(reals),
            dtype: tensors[0].dtype(),
            gates,
            steps,
            batch,
            inputs,
            hidden,
            lengths: lengths(call, steps, batch)?,
            batch_first,
            clip: call.optional_float("clip"),
            label: open(&tensors).or(open(&others)),
            backward,
        })
    }

    /// The elements of an optional input of this shape for each direction: C2.
    pub fn for_directions(&self, name: &str, rest: &[usize]) -> Result<Option<Vec<Real>>, Refusal> {
        let tensor = shaped(self.call, name, &[&[self.backward.len()], rest].concat())?;
        Ok(tensor.map(|t| t.numbers().map(|n| n.real()).collect()))
    }

    /// The activations of each direction, `default` where they are not given.
    pub fn activations(&self, default: &[&str], reading: Reading) -> Result<Vec<Vec<Activation>>, Refusal> {
        Activation::read(self.call, default, self.backward.len(), reading.by_position)
    }

    /// The readings besides the preferred one that may make a difference, with their labels.
    pub fn readings(&self, default: &[&str]) -> Result<Vec<(Reading, Label)>, Refusal> {
        let mut others = vec![];
        let by_position = Reading { by_position: true, ..Reading::default() };
        if self.activations(default, by_position)? != self.activations(default, Reading::default())? {
            others.push((by_position, B3));
        }
        if self.call.since() < 7 {
            others.push((Reading { untransposed: true, ..Reading::default() }, B5));
        }
        Ok(others)
    }

    /// What goes into an activation, bounded by `clip`.
    pub fn clipped(&self, x: Real) -> Real {
        let Some(clip) = self.clip else { return x };
        let bound = Real::constant(f64::from(clip), x.dtype);
        let [exact, rounded] = [bound.mid, bound.nearest().mid];
        if x.is_nan() {
            // Either bound, or NaN: B11.
            return Real { low: -exact, high: exact, ..x };
        }
        x.within(-exact, exact).hull(x.within(-rounded, rounded))
    }

    /// Whether `clip` is given.
    pub fn clips(&self) -> bool {
        self.clip.is_some()
    }

    fn states_shape(&self) -> Vec<usize> {
        let (directions, hidden) = (self.backward.len(), self.hidden);
        if self.batch_first { vec![self.batch, directions, hidden] } else { vec![directions, self.batch, hidden] }
    }

    fn state_at(&self, direction: usize, sequence: usize) -> usize {
        let lane = match self.batch_first {
            true => sequence * self.backward.len() + direction,
            false => direction * self.batch + sequence,
        };
        lane * self.hidden
    }

    fn initial(&self, name: &str) -> Result<Vec<Real>, Refusal> {
        let shape = self.states_shape();
        let zero = Real::constant(0.0, self.dtype);
        Ok(match shaped(self.call, name, &shape)? {
            Some(tensor) => tensor.numbers().map(|n| n.real()).collect(),
            None => vec![zero; shape::affordable(&shape)?],
        })
    }

    /// Y, Y_h and Y_c. `step` makes the next state of a sequence out of the one before.
    fn outputs(
        &self,
        reading: Reading,
        step: &dyn Fn(&Sums, &State, Reading) -> State,
    ) -> Result<[Vec<Number>; 3], Refusal> {
        let (directions, hidden) = (self.backward.len(), self.hidden);
        let nothing = Number::constant(0.0, self.dtype).undecided(B1);
        let mut y = vec![nothing; self.steps * directions * self.batch * hidden];
        let (initial_h, initial_c) = (self.initial("initial_h")?, self.initial("initial_c")?);
        let number = |x: &Real| Number::from(Real { signed_zero: false, ..*x });
        let open = |x: &Real| number(x).undecided(B2);
        let [mut last_h, mut last_c] = [&initial_h, &initial_c].map(|s| s.iter().map(open).collect::<Vec<_>>());
        for (direction, &backward) in self.backward.iter().enumerate() {
            for (sequence, &length) in self.lengths.iter().enumerate() {
                let at = self.state_at(direction, sequence);
                let mut state = (initial_h[at..at + hidden].to_vec(), initial_c[at..at + hidden].to_vec());
                for k in 0..length {
                    let t = if backward { length - 1 - k } else { k };
                    let from = self.inputs
                        * if self.batch_first { sequence * self.steps + t } else { t * self.batch + sequence };
                    let x = &self.x[from..from + self.inputs];
                    let sums = Sums { layer: self, direction, x, untransposed: reading.untransposed };
                    state = step(&sums, &state, reading);
                    let to = match self.batch_first {
                        true => (sequence * self.steps + t) * directions + direction,
                        false => (t * directions + direction) * self.batch + sequence,
                    };
                    (0..hidden).for_each(|j| y[to * hidden + j] = number(&state.0[j]));
                }
                if length > 0 {
                    (0..hidden).for_each(|j| last_h[at + j] = number(&state.0[j]));
                    (0..hidden).for_each(|j| last_c[at + j] = number(&state.1[j]));
                }
            }
        }
        Ok([y, last_h, last_c])
    }

    /// The answer by the preferred reading; where another one (each with its label) gives something else, that is left open.
    pub fn answer(
        &self,
        others: &[(Reading, Label)],
        step: &dyn Fn(&Sums, &State, Reading) -> State,
    ) -> Result<[Expected; 3], Refusal> {
        let mut preferred = self.outputs(Reading::default(), step)?;
        for &(reading, label) in others {
            let other = self.outputs(reading, step)?;
            for (ours, theirs) in preferred.iter_mut().flatten().zip(other.iter().flatten()) {
                *ours = match ours.latitude {
                    Some(latitude) if latitude.allowed == Allowed::Anything => *ours,
                    _ => ours.or_computed(theirs.real(), label),
                };
            }
        }
        let (steps, batch, directions, hidden) = (self.steps, self.batch, self.backward.len(), self.hidden);
        let y_shape = match self.batch_first {
            true => vec![batch, steps, directions, hidden],
            false => vec![steps, directions, batch, hidden],
        };
        let [y, h, c] = preferred.map(|numbers| numbers.into_iter().map(|n| opened(n, self.label)));
        Ok([
            Expected::from_numbers(self.dtype, y_shape, y)?,
            Expected::from_numbers(self.dtype, self.states_shape(), h)?,
            Expected::from_numbers(self.dtype, self.states_shape(), c)?,
        ])
    }
}

/// An optional input, where it is given, of this shape: C2.
fn shaped<'a>(call: &Call<'a>, name: &str, wanted: &[usize]) -> Result<Option<&'a Expected>, Refusal> {
    match call.optional_tensor(name)? {
        Some(t) if t.shape() != wanted => {
            Err(Refusal::violates(C2, format!("{name} has shape {:?}, not {wanted:?}", t.shape())))
        }
        other => Ok(other),
    }
}

fn lengths(call: &Call, steps: usize, batch: usize) -> Result<Vec<usize>, Refusal> {
    let Some(tensor) = call.optional_tensor("sequence_lens")? else { return Ok(vec![steps; batch]) };
    if tensor.shape() != [batch] {
        return Err(Refusal::violates(C3, format!("sequence_lens has shape {:?}, not [{batch}]", tensor.shape())));
    }
    let within = |l: i64| {
        let length = usize::try_from(l).ok().filter(|&l| l <= steps);
        length.ok_or_else(|| Refusal::violates(C3, format!("a length of {l} in sequences of {steps}")))
    };
    call.ints("sequence_lens")?.into_iter().map(within).collect()
}

impl Sums<'_, '_> {
    /// Which direction the step belongs to.
    pub fn direction(&self) -> usize {
        self.direction
    }

    fn row(&self, gate: usize, neuron: usize) -> usize {
        (self.direction * self.layer.gates + gate) * self.layer.hidden + neuron
    }

    /// `Xt * W^T` as pairs of factors.
    pub fn of_input(&self, gate: usize, neuron: usize) -> Vec<(Real, Real)> {
        let at = self.row(gate, neuron) * self.layer.inputs;
        self.x.iter().copied().zip(self.layer.w[at..].iter().copied()).collect()
    }

    /// `H * R^T` as pairs of factors.
    pub fn of_hidden(&self, gate: usize, neuron: usize, h: &[Real]) -> Vec<(Real, Real)> {
        let hidden = self.layer.hidden;
        let weight = |k: usize| match self.untransposed {
            true => self.row(gate, k) * hidden + neuron,
            false => self.row(gate, neuron) * hidden + k,
        };
        h.iter().enumerate().map(|(k, &h)| (h, self.layer.r[weight(k)])).collect()
    }

    /// The bias of W and that of R, where there are any.
    pub fn biases(&self, gate: usize, neuron: usize) -> Option<[Real; 2]> {
        let b = self.layer.b.as_ref()?;
        let rows = self.layer.gates * self.layer.hidden;
        let at = 2 * rows * self.direction + gate * self.layer.hidden + neuron;
        Some([b[at], b[at + rows]])
    }

    /// All of a gate: `Xt * W^T + H * R^T`, both biases, and what else is added.
    pub fn gate(&self, gate: usize, neuron: usize, h: &[Real], more: &[(Real, Real)]) -> Real {
        let biases = self.biases(gate, neuron);
        let (input, hidden) = (self.of_input(gate, neuron), self.of_hidden(gate, neuron, h));
        let sum = total(self.layer.dtype, &[&input, &hidden, more], biases.as_ref().map_or(&[], |b| b));
        self.layer.clipped(sum)
    }
}

/// Sums of products, and further terms, in any order. Sums of 16-bit floats are rounded to their type on the way, or not.
pub fn total(dtype: DType, products: &[&[(Real, Real)]], terms: &[Real]) -> Real {
    let mut whole = Accumulator::new(dtype);
    products.iter().copied().flatten().for_each(|&(a, b)| whole.add_product(a, b));
    terms.iter().for_each(|&x| whole.add(x));
    let whole = whole.finish_inside();
    if matches!(dtype, DType::Float | DType::Double) {
        return whole;
    }
    let mut parts = Accumulator::keeping(dtype, dtype);
    for pairs in products.iter().filter(|p| !p.is_empty()) {
        let mut part = Accumulator::new(dtype);
        pairs.iter().for_each(|&(a, b)| part.add_product(a, b));
        parts.add(part.finish_inside());
    }
    terms.iter().for_each(|&x| parts.add(x));
    whole.hull(parts.finish())
}

/// `a * b + c * d`, each step rounded or fused.
pub fn mixed(a: Real, b: Real, c: Real, d: Real) -> Real {
    a.times(b).plus(c.times(d))
}
