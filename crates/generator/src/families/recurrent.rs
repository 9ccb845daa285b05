//! Layers of RNN, GRU and LSTM: weights, lengths, activations and outputs.

use crate::draw::large::MOST_SINGLE_PRODUCTS;
use crate::prelude::*;

/// Weights small enough that rounding errors do not add up over many steps.
pub const WEIGHTS: Values = Values::Between(-0.5, 0.5);

/// The name of an activation, whether it takes an alpha, and whether it takes a beta.
const ACTIVATIONS: [(&str, bool, bool); 11] = [
    ("Sigmoid", false, false),
    ("Tanh", false, false),
    ("Relu", false, false),
    ("Affine", true, true),
    ("LeakyRelu", true, false),
    ("ThresholdedRelu", true, false),
    ("ScaledTanh", true, true),
    ("HardSigmoid", true, true),
    ("Elu", true, false),
    ("Softsign", false, false),
    ("Softplus", false, false),
];

/// The extents of a layer.
pub struct Layer {
    pub gates: usize,
    pub directions: usize,
    pub steps: usize,
    pub batch: usize,
    pub inputs: usize,
    pub hidden: usize,
    pub batch_first: bool,
    /// The values of `W` and `B`, and those of `R`.
    weights: [Values; 2],
}

impl Layer {
    pub fn draw(draw: &mut Draw, gates: usize) -> Layer {
        let mut extents =
            [draw.choose(&[2, 1, 3]), draw.choose(&[1, 2, 3]), draw.choose(&[1, 3, 2]), draw.choose(&[1, 2, 3])];
        let large = draw.is_large();
        if large {
            let [steps, batch] = [draw.many_iterations(), draw.choose(&[2, 1, 3])];
            let products = 2 * MOST_SINGLE_PRODUCTS / (steps * batch * gates);
            let [hidden] = draw.tiles([129], (products / 2).isqrt());
            let [inputs] = draw.tiles([129], (products / hidden).saturating_sub(hidden));
            extents = [steps, batch, inputs, hidden];
        }
        let empty = !large && draw.violating().is_none() && draw.once_in(24);
        if empty {
            draw.feature("no batches");
            extents[1] = 0;
        }
        // R has `hidden` times `hidden` weights for each gate, so the hidden size has a bound of its own.
        draw.enlarge(&mut extents[..3], 6 * gates);
        extents[3] =
            draw.extent(extents[3], 64 * gates * extents[..3].iter().map(|extent| extent.max(&1)).product::<usize>());
        let [steps, batch, inputs, hidden] = extents;
        let mut layer =
            Layer { gates, directions: 1, steps, batch, inputs, hidden, batch_first: false, weights: [WEIGHTS; 2] };
        if draw.give_attribute("direction") {
            let direction = draw.choose(&["forward", "reverse", "bidirectional"]);
            draw.string_attribute("direction", direction);
            layer.directions = if direction == "bidirectional" { 2 } else { 1 };
            match direction {
                "reverse" => draw.feature("reverse"),
                "bidirectional" => draw.feature("bidirectional"),
                _ => {}
            }
        }
        if draw.give_attribute("hidden_size") || draw.once_in(2) {
            draw.int_attribute("hidden_size", layer.hidden as i64);
        }
        if draw.give_attribute("layout") {
            layer.batch_first = draw.flag();
            draw.int_attribute("layout", i64::from(layer.batch_first));
            if layer.batch_first {
                draw.feature("batch first");
            }
        }
        layer.weights = weights(draw, steps.max(inputs).max(hidden));
        layer
    }

    pub fn x(&self) -> [usize; 3] {
        if self.batch_first { [self.batch, self.steps, self.inputs] } else { [self.steps, self.batch, self.inputs] }
    }

    pub fn w(&self) -> [usize; 3] {
        [self.directions, self.gates * self.hidden, self.inputs]
    }

    pub fn r(&self) -> [usize; 3] {
        [self.directions, self.gates * self.hidden, self.hidden]
    }

    pub fn state(&self) -> [usize; 3] {
        let (directions, hidden) = (self.directions, self.hidden);
        if self.batch_first { [self.batch, directions, hidden] } else { [directions, self.batch, hidden] }
    }

    /// Gives X, W and R.
    pub fn give(&self, draw: &mut Draw) {
        let x = draw.tensor("X", &self.x(), Values::Around(-1.0, 1.0));
        if draw.once_in(8) && !x.is_empty() {
            draw.feature("NaN");
            let mut elements = x.to_f64s();
            let at = draw.below(elements.len());
            elements[at] = f64::NAN;
            let x = Tensor::from_f64s(x.dtype(), x.shape().to_vec(), &elements);
            draw.replace_last_input(x.expect("the number of elements stays the same"));
        }
        note_special(draw, &x);
        draw.tensor("W", &self.w(), self.weights[0]);
        draw.tensor("R", &self.r(), self.weights[1]);
    }

    pub fn optional(&self, draw: &mut Draw, name: &str, shape: &[usize], values: Values) {
        if draw.give_input(name) {
            let tensor = draw.tensor(name, shape, values);
            note_special(draw, &tensor);
        }
    }
}

/// Draws how large the weights of a layer are: those of `W` and `B`, and those of `R`. `longest` is the largest of its
/// numbers of steps, inputs and neurons. Large weights saturate gates. Recurrent weights beyond 0.5 let a rounding
/// error grow from step to step, so only a small layer has them.
fn weights(draw: &mut Draw, longest: usize) -> [Values; 2] {
    if draw.is_large() {
        // Sums of a hundred products stay small, so that rounding errors do not grow from step to step.
        return [Values::Between(-0.125, 0.125); 2];
    }
    if draw.violating().is_some() || longest > 3 {
        return [WEIGHTS; 2];
    }
    let (input, recurrent) = draw.choose(&[(0.5, 0.5), (0.5, 0.5), (2.0, 1.5), (8.0, 1.0)]);
    if recurrent > 0.5 {
        draw.feature("recurrent weights beyond 0.5");
    }
    if input > 2.0 {
        draw.feature("saturated gates");
    }
    [Values::Between(-input, input), Values::Between(-recurrent, recurrent)]
}

/// Gives the lengths of the sequences, or leaves them out.
fn lengths(draw: &mut Draw, layer: &Layer) {
    if !draw.give_input("sequence_lens") {
        return;
    }
    let some: Vec<i64> =
        (0..layer.batch).map(|_| layer.steps as i64 - draw.range(0..=layer.steps as i64 - 1)).collect();
    let mut lengths = some;
    if !lengths.is_empty() && draw.once_in(10) {
        draw.feature("a sequence of no steps");
        lengths[0] = 0;
    }
    if lengths.iter().any(|&l| l < layer.steps as i64) {
        draw.feature("a shorter sequence");
    }
    draw.ints("sequence_lens", &lengths);
}

/// Gives the activations, in some cases with the constants that they take, or leaves them out. `functions` is the
/// number of activations in each direction.
fn activations(draw: &mut Draw, functions: usize, directions: usize) {
    if !draw.give_attribute("activations") {
        draw.feature("Tanh");
        return;
    }
    let chosen: Vec<_> = (0..functions * directions).map(|_| draw.choose(&ACTIVATIONS)).collect();
    if chosen.iter().any(|(name, ..)| *name == "Tanh") {
        draw.feature("Tanh");
    }
    let names: Vec<Vec<u8>> = chosen.iter().map(|(name, ..)| name.as_bytes().to_vec()).collect();
    draw.strings_attribute("activations", &names);
    // Affine and ScaledTanh have no defaults for their constants.
    let wanted = chosen.iter().any(|(name, ..)| ["Affine", "ScaledTanh"].contains(name));
    let thresholded = chosen.iter().any(|(name, ..)| *name == "ThresholdedRelu");
    for (attribute, takes) in [
        ("activation_alpha", chosen.iter().map(|c| c.1).collect::<Vec<_>>()),
        ("activation_beta", chosen.iter().map(|c| c.2).collect()),
    ] {
        let count = takes.iter().filter(|t| **t).count();
        if count == 0 || !draw.give() && !wanted {
            if thresholded && attribute == "activation_alpha" {
                draw.feature("ThresholdedRelu by default");
            }
            continue;
        }
        if takes.iter().skip_while(|t| **t).any(|t| *t) {
            draw.feature("a constant after an activation that takes none");
        }
        let values: Vec<f32> = (0..count).map(|_| draw.choose(&[0.5, 0.25, 1.0, 0.1])).collect();
        draw.floats_attribute(attribute, &values);
    }
}

/// Gives `clip`, or leaves it out.
fn clip(draw: &mut Draw) {
    if draw.give_attribute("clip") {
        let value = draw.choose(&[0.5, 0.1, 3.0]);
        draw.float_attribute("clip", value);
    }
}

/// Notes features for the elements that are not finite.
fn note_special(draw: &mut Draw, tensor: &Tensor) {
    for element in tensor.to_f64s().into_iter().filter(|x| !x.is_finite()) {
        draw.feature(if element.is_nan() { "NaN" } else { "an infinite element" });
    }
}

/// Gives `output_sequence`, or leaves it out; returns its value.
fn output_sequence(draw: &mut Draw) -> bool {
    let given = draw.give_attribute("output_sequence");
    let value = given && draw.flag();
    if given {
        draw.int_attribute("output_sequence", i64::from(value));
    }
    value
}

/// Draws which outputs the node names. It always names Y if `output_sequence` is set, and Y_h if the version requires
/// that output.
pub fn outputs(draw: &mut Draw, count: usize) {
    let sequence = output_sequence(draw);
    let ways = [
        [true; 3],
        [false, true, false],
        [true, false, true],
        [true, false, false],
        [false, false, true],
        [true, true, false],
        [false, true, true],
    ];
    let mut named = draw.choose(&ways).to_vec();
    named.truncate(count);
    let needs_h = draw.version().output("Y_h").is_some_and(|o| o.option == plumbline_spec::FormalOption::Single);
    if needs_h || !named.contains(&true) {
        named.resize(named.len().max(2), false);
        named[1] = true;
    }
    named[0] |= sequence;
    draw.outputs(&named);
}

/// Gives the inputs and attributes that all three operators share. `functions` is the number of activations in each
/// direction.
pub fn layer(draw: &mut Draw, gates: usize, functions: usize) -> Layer {
    let layer = Layer::draw(draw, gates);
    layer.give(draw);
    layer.optional(draw, "B", &[layer.directions, 2 * gates * layer.hidden], layer.weights[0]);
    lengths(draw, &layer);
    layer.optional(draw, "initial_h", &layer.state(), Values::Around(-1.0, 1.0));
    activations(draw, functions, layer.directions);
    clip(draw);
    layer
}

/// Returns the number of gates that the operator has.
fn gates(draw: &Draw) -> usize {
    match draw.version().id.name.as_str() {
        "RNN" => 1,
        "GRU" => 3,
        _ => 4,
    }
}

/// Gives X, W and R with shapes that do not fit each other.
pub fn layer_shapes_fit(draw: &mut Draw) {
    let layer = Layer::draw(draw, gates(draw));
    let (mut x, mut w, mut r) = (layer.x().to_vec(), layer.w().to_vec(), layer.r().to_vec());
    match draw.way(5) {
        // Another extent on one axis of W or of R.
        0 | 1 => w = draw.other_shape(&w),
        2 | 3 => r = draw.other_shape(&r),
        _ => x.push(1),
    }
    draw.tensor("X", &x, WEIGHTS);
    draw.tensor("W", &w, WEIGHTS);
    draw.tensor("R", &r, WEIGHTS);
}

/// Gives the bias, an initial state or the peepholes in a wrong shape.
pub fn bias_and_state_fit(draw: &mut Draw) {
    let layer = Layer::draw(draw, gates(draw));
    layer.give(draw);
    let others: &[&str] = if layer.gates == 4 { &["B", "initial_h", "initial_c", "P"] } else { &["B", "initial_h"] };
    match draw.way_of(others) {
        "B" => {
            let shape = draw.other_shape(&[layer.directions, 2 * layer.gates * layer.hidden]);
            draw.tensor("B", &shape, WEIGHTS)
        }
        "P" => {
            let shape = draw.other_shape(&[layer.directions, 3 * layer.hidden]);
            draw.tensor("P", &shape, WEIGHTS)
        }
        name => {
            let shape = draw.other_shape(&layer.state());
            draw.tensor(name, &shape, WEIGHTS)
        }
    };
}

/// Gives another number of lengths than there are sequences.
pub fn sequence_lens_shape_fits(draw: &mut Draw) {
    let layer = Layer::draw(draw, gates(draw));
    layer.give(draw);
    let count = draw.other_extent(layer.batch);
    draw.ints("sequence_lens", &vec![layer.steps as i64; count]);
}

/// Gives a length out of range.
pub fn sequence_lens_in_range(draw: &mut Draw) {
    let layer = Layer::draw(draw, gates(draw));
    layer.give(draw);
    let steps = layer.steps as i64;
    let mut lengths = vec![steps; layer.batch];
    if let Some(last) = layer.batch.checked_sub(1) {
        let at = draw.range(0..=last as i64) as usize;
        lengths[at] = draw.beyond(0, steps);
    }
    draw.ints("sequence_lens", &lengths);
}

/// Gives an unknown direction.
pub fn direction_known(draw: &mut Draw) {
    let gates = gates(draw);
    let direction = draw.way_of(&["backward", "both", ""]);
    draw.string_attribute("direction", direction);
    draw.tensor("X", &[2, 1, 3], WEIGHTS);
    draw.tensor("W", &[1, gates * 2, 3], WEIGHTS);
    draw.tensor("R", &[1, gates * 2, 2], WEIGHTS);
}

/// Gives an unknown activation, or one activation more than the operator takes.
pub fn activations_known(draw: &mut Draw) {
    let layer = Layer::draw(draw, gates(draw));
    layer.give(draw);
    let each = if layer.gates == 1 { 1 } else { layer.gates - 1 };
    let mut names = vec![b"Tanh".to_vec(); each * layer.directions];
    if draw.way(2) == 1 {
        names.push(b"Tanh".to_vec());
    } else {
        names[0] = draw.way_of(&[b"Gelu".to_vec(), b"Cosine".to_vec()]);
    }
    draw.strings_attribute("activations", &names);
}
