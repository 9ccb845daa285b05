//! The recurrent operators RNN, GRU and LSTM.

use crate::array::{Array, affordable};
use crate::element::{Number, with_float};
use crate::kernels::copy::copy;
use crate::kernels::lanes::laid;
use crate::kernels::recurrent::{Cell, Function, Sequences, Shape, Weights, run};
use crate::kernels::total::Sum;
use crate::node::{Node, Operator, Outputs};
use crate::view::View;
use plumbline_graph::Refusal;

/// The operators of this file by name.
pub const OPERATORS: &[(&str, Operator)] = &[("GRU", gru), ("LSTM", lstm), ("RNN", rnn)];

/// Returns the activation function of this name with its constants. If the function has an alpha or a beta, the next
/// number of `alphas` or `betas` is taken for it, or its default if no number is left.
fn function<'a>(
    name: &str,
    alphas: &mut impl Iterator<Item = &'a f32>,
    betas: &mut impl Iterator<Item = &'a f32>,
) -> Result<Function, Refusal> {
    let (shape, alpha, beta) = match name {
        "Affine" => (Shape::Affine, Some(1.0), Some(0.0)),
        "Elu" => (Shape::Elu, Some(1.0), None),
        "HardSigmoid" => (Shape::HardSigmoid, Some(0.2), Some(0.5)),
        "LeakyRelu" => (Shape::LeakyRelu, Some(0.01), None),
        "Relu" => (Shape::Relu, None, None),
        "ScaledTanh" => (Shape::ScaledTanh, Some(1.0), Some(1.0)),
        "Sigmoid" => (Shape::Sigmoid, None, None),
        "Softplus" => (Shape::Softplus, None, None),
        "Softsign" => (Shape::Softsign, None, None),
        "Tanh" => (Shape::Tanh, None, None),
        "ThresholdedRelu" => (Shape::ThresholdedRelu, Some(1.0), None),
        other => return Err(Refusal::invalid(format!("`{other}` is not an activation function of this operator"))),
    };
    let alpha = alpha.map_or(0.0, |default| alphas.next().copied().unwrap_or(default));
    let beta = beta.map_or(0.0, |default| betas.next().copied().unwrap_or(default));
    Ok(Function { shape, alpha, beta })
}

/// Returns the activation functions of all directions in order. `defaults` are the names for one direction.
pub fn functions(node: &Node, defaults: &[&str], directions: usize) -> Result<Vec<Function>, Refusal> {
    let names = node.strings("activations")?.unwrap_or_else(|| defaults.repeat(directions));
    if names.len() != defaults.len() * directions {
        return Err(Refusal::invalid(format!(
            "`activations` has {} names, which do not fit {directions} directions",
            names.len()
        )));
    }
    let (mut alphas, mut betas) = (node.floats("activation_alpha").iter(), node.floats("activation_beta").iter());
    names.iter().map(|name| function(name, &mut alphas, &mut betas)).collect()
}

/// Returns the directions of the node. An entry is true if the direction goes backwards.
pub fn directions(node: &Node) -> Result<&'static [bool], Refusal> {
    match node.string("direction")? {
        "forward" => Ok(&[false]),
        // The default in version 1 of GRU is misspelt.
        "foward" if node.given("direction").is_none() => Ok(&[false]),
        "reverse" => Ok(&[true]),
        "bidirectional" => Ok(&[false, true]),
        other => {
            Err(Refusal::invalid(format!("`direction` is `{other}`, expected `forward`, `reverse` or `bidirectional`")))
        }
    }
}

/// Returns an input, which must have this shape, or `None` if it is left out.
fn shaped<'a>(node: &Node<'a>, at: usize, shape: &[usize]) -> Result<Option<&'a Array>, Refusal> {
    match node.optional(at)? {
        Some(array) if array.shape() != shape => {
            Err(Refusal::invalid(format!("input {at} has shape {:?}, expected {shape:?}", array.shape())))
        }
        array => Ok(array),
    }
}

fn lengths(node: &Node, steps: usize, batch: usize) -> Result<Vec<usize>, Refusal> {
    let Some(given) = shaped(node, 4, &[batch])? else { return Ok(vec![steps; batch]) };
    let length = |n: i64| match usize::try_from(n) {
        Ok(length) if length <= steps => Ok(length),
        _ => Err(Refusal::invalid(format!("`sequence_lens` has {n}, expected 0 to {steps}"))),
    };
    given.to_i64s()?.into_iter().map(length).collect()
}

/// Runs all directions. `cell` creates a cell from the activation functions of a direction.
fn recurrent(node: &Node, defaults: &[&str], cell: impl Fn(&[Function]) -> Cell) -> Outputs {
    let (x, w, r) = (node.input(0)?, node.input(1)?, node.input(2)?);
    let backwards = directions(node)?;
    let cells: Vec<Cell> = functions(node, defaults, backwards.len())?.chunks(defaults.len()).map(cell).collect();
    let (many, gates) = (backwards.len(), cells[0].gates());
    let batch_first = match node.int("layout") {
        0 => false,
        1 => true,
        other => return Err(Refusal::invalid(format!("`layout` is {other}, expected 0 or 1"))),
    };
    let (&[first, second, inputs], &[_, _, hidden]) = (x.shape(), r.shape()) else {
        return Err(Refusal::invalid(format!(
            "`X` and `R` have shapes {:?} and {:?}, expected rank 3",
            x.shape(),
            r.shape()
        )));
    };
    let (steps, batch) = if batch_first { (second, first) } else { (first, second) };
    let width = gates * hidden;
    if w.shape() != [many, width, inputs] || r.shape() != [many, width, hidden] {
        return Err(Refusal::invalid(format!(
            "`W` of shape {:?} and `R` of shape {:?} do not fit {many} directions and {inputs} inputs",
            w.shape(),
            r.shape()
        )));
    }
    if node.optional_int("hidden_size").is_some_and(|size| usize::try_from(size) != Ok(hidden)) {
        return Err(Refusal::invalid(format!(
            "`hidden_size` is {}, expected {hidden}, the last extent of `R`",
            node.int("hidden_size")
        )));
    }
    let biases = shaped(node, 3, &[many, 2 * width])?;
    let lengths = lengths(node, steps, batch)?;
    let state_shape = if batch_first { [batch, many, hidden] } else { [many, batch, hidden] };
    let (h, c) = (shaped(node, 5, &state_shape)?, if gates == 4 { shaped(node, 6, &state_shape)? } else { None });
    let peepholes = if gates == 4 { shaped(node, 7, &[many, 3 * hidden])? } else { None };
    let y_shape = if batch_first { [batch, steps, many, hidden] } else { [steps, many, batch, hidden] };
    affordable(&y_shape)?;
    affordable(&[steps, batch, width.max(inputs)])?;

    with_float!(x.dtype(), T => {
        type W = <T as Sum>::Total;
        // If the batch axis comes first, moves it behind the axis of the steps or of the directions.
        let sorted = |array: &Array| -> Vec<W> {
            let view = array.view::<T>();
            let order: Vec<usize> = if batch_first { vec![1, 0, 2] } else { vec![0, 1, 2] };
            T::totals(&laid(&view.permuted(&order))).into_owned()
        };
        let read = |array: &Array| T::totals(array.slice::<T>()).into_owned();
        let (x, w, r) = (sorted(x), read(w), read(r));
        let states = |state: Option<&Array>| state.map_or(vec![W::zero(); many * batch * hidden], sorted);
        let (mut h, mut c) = (states(h), if gates == 4 { states(c) } else { Vec::new() });
        let (biases, peepholes) = (biases.map(read).unwrap_or_default(), peepholes.map(read).unwrap_or_default());
        let clip = node.optional_float("clip").map(|clip| W::from_double(f64::from(clip)));
        let part = |data: &[W], number: usize, of: usize| data.len() / of * number..data.len() / of * (number + 1);
        let mut y = vec![W::zero(); steps * many * batch * hidden];
        for (number, (cell, &backward)) in cells.iter().zip(backwards).enumerate() {
            let bias = &biases[part(&biases, number, many)];
            let weights = Weights {
                inputs: &w[part(&w, number, many)],
                states: &r[part(&r, number, many)],
                input_bias: &bias[part(bias, 0, 2)],
                state_bias: &bias[part(bias, 1, 2)],
                peepholes: &peepholes[part(&peepholes, number, many)],
            };
            let sequences = Sequences { steps, inputs, hidden, lengths: &lengths, backward };
            let (own, cells) = (part(&h, number, many), part(&c, number, many));
            run(cell, &weights, &sequences, clip, &x, (&mut h[own], &mut c[cells]), |step, sequence, state| {
                let at = ((step * many + number) * batch + sequence) * hidden;
                y[at..at + hidden].copy_from_slice(state);
            });
        }
        let dtype = node.input(0)?.dtype();
        let written = |data: &[W], sizes: &[usize], order: &[usize], shape: &[usize]| {
            let rounded: Vec<T> = data.iter().map(|&x| T::of_total(x)).collect();
            Array::filled(dtype, shape, |out| {
                copy(out, &View::packed(&rounded, sizes).permuted(order));
                Ok(())
            })
        };
        let orders: (&[usize], &[usize]) =
            if batch_first { (&[2, 0, 1, 3], &[1, 0, 2]) } else { (&[0, 1, 2, 3], &[0, 1, 2]) };
        let state_sizes = [many, batch, hidden];
        let mut outputs = vec![
            written(&y, &[steps, many, batch, hidden], orders.0, &y_shape)?.into(),
            written(&h, &state_sizes, orders.1, &state_shape)?.into(),
        ];
        if gates == 4 {
            outputs.push(written(&c, &state_sizes, orders.1, &state_shape)?.into());
        }
        Ok(outputs)
    })
}

fn rnn(node: &Node) -> Outputs {
    recurrent(node, &["Tanh"], |f| Cell::Plain { f: f[0] })
}

fn gru(node: &Node) -> Outputs {
    let linear_before_reset = node.int("linear_before_reset") != 0;
    recurrent(node, &["Sigmoid", "Tanh"], |f| Cell::Gated { f: f[0], g: f[1], linear_before_reset })
}

fn lstm(node: &Node) -> Outputs {
    let coupled = node.int("input_forget") != 0;
    recurrent(node, &["Sigmoid", "Tanh", "Tanh"], |f| Cell::Long { f: f[0], g: f[1], h: f[2], coupled })
}
