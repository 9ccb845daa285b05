//! RNN, GRU and LSTM: shapes, directions, lengths, and the sums that go into activations. The kernel of an operator
//! adds the computation of one step.
//!
//! All three operators share these rules; GRU and LSTM have one more each. `layer-shapes-fit` (X, W and R),
//! `bias-and-state-fit` and `sequence-lens-shape-fits` check shapes; `sequence-lens-in-range`, `direction-known` and
//! `activations-known` check what they name. Behaviours say, among other things, what `Y` holds beyond the length of a sequence
//! (`beyond-sequence-length`), what the last state of a sequence without steps is (`empty-sequence`), which activation
//! takes which alpha and beta (`activation-constants`), what their defaults are (`default-constants`), whether versions
//! up to 6 transpose R (`recurrence-transposed`), what a negative or NaN `clip` does (`clip-out-of-range`), what flags
//! other than 0 and 1 mean (`other-flag-values`), and what NaN gives (`nan`).

// Over 400 lines: a layer from its inputs to its outputs, in every reading of the text.

pub mod gate_functions;

use crate::families::normalization::of_outcomes;
use crate::prelude::*;
use gate_functions::Activation;

/// The result of bounding a NaN, by `clip` or in an activation (`nan`). If `clip` itself is negative or NaN, the
/// variants stand for the possible meanings of such a `clip` (`clip-out-of-range`); see [`Layer::clipped`].
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Bounding {
    /// The result is NaN.
    #[default]
    Propagates,
    /// The result is the lower bound.
    Low,
    /// The result is the upper bound.
    High,
}

/// One reading of the specification: an interpretation of what it leaves open. The default is the preferred reading.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Reading {
    /// Whether the i-th alpha belongs to the i-th activation, even if an earlier activation takes no alpha:
    /// `activation-constants`.
    pub by_position: bool,
    /// Whether `R` is multiplied without being transposed: `recurrence-transposed`.
    pub untransposed: bool,
    /// The result of bounding a NaN: `nan`.
    pub bounding: Bounding,
    /// The number of an interpretation that only one operator has, or 0. The kernel of the operator defines these
    /// numbers.
    pub other: u8,
}

/// One layer: its inputs and extents.
pub struct Layer<'a> {
    call: &'a Call<'a>,
    x: Vec<Real>,
    w: Vec<Real>,
    r: Vec<Real>,
    b: Option<Vec<Real>>,
    /// The element type.
    pub dtype: DType,
    gates: usize,
    steps: usize,
    batch: usize,
    inputs: usize,
    /// The number of neurons in the hidden layer.
    pub hidden: usize,
    /// For each direction, whether it goes backward.
    backward: Vec<bool>,
    lengths: Vec<usize>,
    batch_first: bool,
    clip: Option<f32>,
    read: Read,
}

/// A function that converts an element of an input to a `Real`: either to the preferred value, or to one interval over
/// all outcomes of the element.
type Read = fn(&Number) -> Real;

/// The hidden state and, for an LSTM, the cell state of one sequence.
pub type RecurrentState = (Vec<Real>, Vec<Real>);

/// The terms that the gates of one direction sum up at one step of one sequence.
pub struct Sums<'l, 'a> {
    layer: &'l Layer<'a>,
    direction: usize,
    x: &'l [Real],
    reading: Reading,
    /// The activations of this direction.
    pub activations: &'l [Activation],
}

impl<'a> Layer<'a> {
    /// Reads and checks the inputs that all three operators share.
    fn read(call: &'a Call<'a>, gates: usize, read: Read) -> Result<Layer<'a>, Refusal> {
        let tensors = [call.tensor("X")?, call.tensor("W")?, call.tensor("R")?];
        let batch_first = call.flag("layout");
        let backward = match call.string("direction")?.as_str() {
            // GRU-1 spells its default `foward`.
            "forward" | "foward" => vec![false],
            "reverse" => vec![true],
            "bidirectional" => vec![false, true],
            other => return Err(Refusal::violates(rule::DIRECTION_KNOWN, format!("unknown `direction` `{other}`"))),
        };
        let directions = backward.len();
        let wrong = |what: &str, found: &[usize]| {
            Refusal::violates(rule::LAYER_SHAPES_FIT, format!("`{what}` of shape {found:?} does not fit the layer"))
        };
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
            return Err(Refusal::violates(
                rule::LAYER_SHAPES_FIT,
                format!("`hidden_size` is not {hidden}, the last extent of `R`"),
            ));
        }
        shape::affordable(&[steps, directions, batch, hidden])?;
        let b = shaped(call, "B", &[directions, 2 * rows])?;
        let reals = |t: &Expected| t.numbers().map(|n| read(&n)).collect::<Vec<Real>>();
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
            read,
            backward,
        })
    }

    /// Returns the elements of the optional input `name`, which must have the shape `rest` for each direction
    /// (`bias-and-state-fit`).
    pub fn for_directions(&self, name: &str, rest: &[usize]) -> Result<Option<Vec<Real>>, Refusal> {
        let tensor = shaped(self.call, name, &[&[self.backward.len()], rest].concat())?;
        Ok(tensor.map(|t| t.numbers().map(|n| (self.read)(&n)).collect()))
    }

    /// Returns the activations of each direction, or `default` if none are given.
    fn activations(&self, default: &[&str], reading: Reading) -> Result<Vec<Vec<Activation>>, Refusal> {
        Activation::read(self.call, default, self.backward.len(), reading)
    }

    /// Returns the readings whose results may differ from those of the preferred reading, with their labels.
    fn readings(&self, default: &[&str]) -> Result<Vec<(Reading, Label)>, Refusal> {
        let mut others = vec![];
        let by_position = Reading { by_position: true, ..Reading::default() };
        if self.activations(default, by_position)? != self.activations(default, Reading::default())? {
            others.push((by_position, rule::ACTIVATION_CONSTANTS));
        }
        if self.call.since() < 7 {
            others.push((Reading { untransposed: true, ..Reading::default() }, rule::RECURRENCE_TRANSPOSED));
        }
        let bounds =
            self.clips() || self.activations(default, Reading::default())?.iter().flatten().any(Activation::bounds);
        let odd = self.clip.is_some_and(|clip| clip.is_nan() || clip < 0.0);
        if odd {
            self.call.leaves_open(rule::CLIP_OUT_OF_RANGE);
        }
        if bounds && (odd || !self.has_moderate_inputs()?) {
            let label = if odd { rule::CLIP_OUT_OF_RANGE } else { rule::NAN };
            let bounding = |bounding| (Reading { bounding, ..Reading::default() }, label);
            others.extend([Bounding::Low, Bounding::High].map(bounding));
        }
        Ok(others)
    }

    /// Returns whether all inputs are so small that the sums of the first step are finite.
    fn has_moderate_inputs(&self) -> Result<bool, Refusal> {
        // Float, in which sums of narrower types are kept too, has room for 2^15 products of such numbers.
        let moderate = |x: f64| x.abs() <= plumbline_tensor::power_of_two(56);
        let is_moderate = |x: Number| {
            let widest = || x.widest();
            moderate(x.mid()) && (x.is_point() || moderate(widest().low) && moderate(widest().high) && !widest().nan)
        };
        for name in ["X", "W", "R", "B", "initial_h", "initial_c", "P"].into_iter().filter(|name| self.call.given(name))
        {
            if !self.call.tensor(name)?.numbers().all(is_moderate) {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Bounds the input of an activation by `clip`.
    pub fn clipped(&self, x: Real, reading: Reading) -> Real {
        let Some(clip) = self.clip else { return x };
        // Comparisons with a NaN bound are false, so that `x` stays as it is; a minimum or maximum with NaN may be NaN.
        if clip.is_nan() {
            return match reading.bounding {
                Bounding::Propagates => x,
                Bounding::Low | Bounding::High => Real::constant(f64::NAN, x.dtype),
            };
        }
        let bound = Real::constant(f64::from(clip), x.dtype);
        // If `clip` is negative, the lower bound is above the upper bound: the bound that is applied last counts.
        if clip < 0.0 && !x.is_nan() {
            return match reading.bounding {
                Bounding::Propagates | Bounding::Low => bound.neg().hull(bound.neg().nearest()),
                Bounding::High => bound.hull(bound.nearest()),
            };
        }
        let [exact, rounded] = [bound.mid, bound.nearest().mid];
        if x.is_nan() {
            return match reading.bounding {
                Bounding::Propagates => x,
                Bounding::Low => bound.neg().hull(bound.neg().nearest()),
                Bounding::High => bound.hull(bound.nearest()),
            };
        }
        let clipped = x.within(-exact, exact).hull(x.within(-rounded, rounded));
        match reading.bounding {
            Bounding::Low if x.nan => clipped.hull(bound.neg()).hull(bound.neg().nearest()),
            Bounding::High if x.nan => clipped.hull(bound).hull(bound.nearest()),
            _ => clipped,
        }
    }

    /// Returns whether `clip` is given.
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
            Some(tensor) => tensor.numbers().map(|n| (self.read)(&n)).collect(),
            None => vec![zero; shape::affordable(&shape)?],
        })
    }

    /// Returns Y, Y_h and Y_c. `step` computes the next state of a sequence from the state before.
    fn outputs(
        &self,
        reading: Reading,
        activations: &[Vec<Activation>],
        step: &dyn Fn(&Sums, &RecurrentState, Reading) -> RecurrentState,
    ) -> Result<[Vec<Number>; 3], Refusal> {
        let (directions, hidden) = (self.backward.len(), self.hidden);
        let nothing = Number::constant(0.0, self.dtype);
        let mut y = vec![nothing; self.steps * directions * self.batch * hidden];
        let (initial_h, initial_c) = (self.initial("initial_h")?, self.initial("initial_c")?);
        let number = |x: &Real| Number::from(Real { signed_zero: false, ..*x });
        let open = |x: &Real| number(x).or(nothing, rule::EMPTY_SEQUENCE);
        let [mut last_h, mut last_c] = [&initial_h, &initial_c].map(|s| s.iter().map(open).collect::<Vec<_>>());
        for (direction, &backward) in self.backward.iter().enumerate() {
            for (sequence, &length) in self.lengths.iter().enumerate() {
                let at = self.state_at(direction, sequence);
                let initial = (initial_h[at..at + hidden].to_vec(), initial_c[at..at + hidden].to_vec());
                let mut state = initial.clone();
                let mut last = initial.clone();
                // Beyond the length of the sequence, `Y` has zeros, or repeats a state, or has the states of further
                // steps (`beyond-sequence-length`).
                for k in 0..self.steps {
                    let t = if backward && k < length { length - 1 - k } else { k };
                    let from = self.inputs
                        * if self.batch_first { sequence * self.steps + t } else { t * self.batch + sequence };
                    let x = &self.x[from..from + self.inputs];
                    let sums = Sums { layer: self, direction, x, reading, activations: &activations[direction] };
                    state = step(&sums, &state, reading);
                    let to = match self.batch_first {
                        true => (sequence * self.steps + t) * directions + direction,
                        false => (t * directions + direction) * self.batch + sequence,
                    };
                    (0..hidden).for_each(|j| {
                        // A backward direction may begin beyond the length, and then repeats the initial state there.
                        let held = [&last.0[j], &state.0[j]].into_iter().chain(backward.then(|| &initial.0[j]));
                        y[to * hidden + j] = match k < length {
                            true => number(&state.0[j]),
                            false => held.fold(nothing, |y, x| y.or(number(x), rule::BEYOND_SEQUENCE_LENGTH)),
                        };
                    });
                    if k < length {
                        last = state.clone();
                    }
                }
                if length > 0 {
                    (0..hidden).for_each(|j| last_h[at + j] = number(&last.0[j]));
                    (0..hidden).for_each(|j| last_c[at + j] = number(&last.1[j]));
                }
            }
        }
        Ok([y, last_h, last_c])
    }

    /// Returns the outputs by the preferred reading. Where another reading gives another result, this result is an
    /// outcome of the rule that the reading belongs to.
    pub fn numbers(
        &self,
        default: &[&str],
        own: &[(Reading, Label)],
        step: &dyn Fn(&Sums, &RecurrentState, Reading) -> RecurrentState,
    ) -> Result<[Vec<Number>; 3], Refusal> {
        let by = |reading| self.outputs(reading, &self.activations(default, reading)?, step);
        let mut preferred = by(Reading::default())?;
        for (reading, label) in self.readings(default)?.into_iter().chain(own.iter().copied()) {
            let other = by(reading)?;
            for (ours, theirs) in preferred.iter_mut().flatten().zip(other.into_iter().flatten()) {
                *ours = ours.or(theirs.overflowing(), label);
            }
        }
        Ok(preferred)
    }
}

/// Returns Y, Y_h and Y_c of a layer with this number of gates.
pub fn answer(
    call: &Call,
    gates: usize,
    outputs: impl Fn(&Layer) -> Result<[Vec<Number>; 3], Refusal>,
) -> Result<[Expected; 3], Refusal> {
    let names = ["X", "W", "R", "B", "initial_h", "initial_c", "P"];
    let given = names.map(|name| call.optional_tensor(name));
    let tensors: Vec<&Expected> = given.into_iter().flatten().flatten().collect();
    let layer = Layer::read(call, gates, Number::real)?;
    let [y, h, c] = of_outcomes(&tensors, |read| outputs(&Layer::read(call, gates, read)?))?;
    let (steps, batch, directions, hidden) = (layer.steps, layer.batch, layer.backward.len(), layer.hidden);
    let y_shape = match layer.batch_first {
        true => vec![batch, steps, directions, hidden],
        false => vec![steps, directions, batch, hidden],
    };
    Ok([
        Expected::from_numbers(layer.dtype, y_shape, y)?,
        Expected::from_numbers(layer.dtype, layer.states_shape(), h)?,
        Expected::from_numbers(layer.dtype, layer.states_shape(), c)?,
    ])
}

/// Returns an optional input, which must have this shape: `bias-and-state-fit`.
fn shaped<'a>(call: &Call<'a>, name: &str, wanted: &[usize]) -> Result<Option<&'a Expected>, Refusal> {
    match call.optional_tensor(name)? {
        Some(t) if t.shape() != wanted => Err(Refusal::violates(
            rule::BIAS_AND_STATE_FIT,
            format!("`{name}` has shape {:?}, expected {wanted:?}", t.shape()),
        )),
        other => Ok(other),
    }
}

fn lengths(call: &Call, steps: usize, batch: usize) -> Result<Vec<usize>, Refusal> {
    let Some(tensor) = call.optional_tensor("sequence_lens")? else { return Ok(vec![steps; batch]) };
    if tensor.shape() != [batch] {
        return Err(Refusal::violates(
            rule::SEQUENCE_LENS_SHAPE_FITS,
            format!("`sequence_lens` has shape {:?}, expected [{batch}]", tensor.shape()),
        ));
    }
    let within = |l: i64| {
        let length = usize::try_from(l).ok().filter(|&l| l <= steps);
        length.ok_or_else(|| {
            Refusal::violates(rule::SEQUENCE_LENS_IN_RANGE, format!("`sequence_lens` has {l}, expected 0 to {steps}"))
        })
    };
    call.ints("sequence_lens")?.into_iter().map(within).collect()
}

impl Sums<'_, '_> {
    /// Returns the direction that the step belongs to.
    pub fn direction(&self) -> usize {
        self.direction
    }

    fn row(&self, gate: usize, neuron: usize) -> usize {
        (self.direction * self.layer.gates + gate) * self.layer.hidden + neuron
    }

    /// Returns `Xt * W^T` as pairs of factors.
    pub fn of_input(&self, gate: usize, neuron: usize) -> Vec<(Real, Real)> {
        let at = self.row(gate, neuron) * self.layer.inputs;
        self.x.iter().copied().zip(self.layer.w[at..].iter().copied()).collect()
    }

    /// Returns `H * R^T` as pairs of factors.
    pub fn of_hidden(&self, gate: usize, neuron: usize, h: &[Real]) -> Vec<(Real, Real)> {
        let hidden = self.layer.hidden;
        let weight = |k: usize| match self.reading.untransposed {
            true => self.row(gate, k) * hidden + neuron,
            false => self.row(gate, neuron) * hidden + k,
        };
        h.iter().enumerate().map(|(k, &h)| (h, self.layer.r[weight(k)])).collect()
    }

    /// Returns the biases of W and of R, if there are any.
    pub fn biases(&self, gate: usize, neuron: usize) -> Option<[Real; 2]> {
        let b = self.layer.b.as_ref()?;
        let rows = self.layer.gates * self.layer.hidden;
        let at = 2 * rows * self.direction + gate * self.layer.hidden + neuron;
        Some([b[at], b[at + rows]])
    }

    /// Returns the clipped sum of a gate: `Xt * W^T + H * R^T`, both biases, and the products in `more`.
    pub fn gate(&self, gate: usize, neuron: usize, h: &[Real], more: &[(Real, Real)]) -> Real {
        let biases = self.biases(gate, neuron);
        let (input, hidden) = (self.of_input(gate, neuron), self.of_hidden(gate, neuron, h));
        let sum = total(self.layer.dtype, &[&input, &hidden, more], biases.as_ref().map_or(&[], |b| b));
        self.layer.clipped(sum, self.reading)
    }
}

/// Adds products and further terms in any order. An implementation may round sums of 16-bit floats to their type on the
/// way.
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

/// Computes `a * b + c * d`. An implementation may fuse the addition with one of the multiplications.
pub fn mixed(a: Real, b: Real, c: Real, d: Real) -> Real {
    a.times(b).plus(c.times(d))
}
