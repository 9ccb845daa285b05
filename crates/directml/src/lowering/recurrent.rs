//! Lowers RNN, GRU and LSTM.

use super::context::Lowering;
use super::error::{LoweringError, Unsupported};
use super::view::View;
use super::{Rule, Views};
use crate::{DescriptionBuilder, OperatorDescription};
use plumbline_cpu::kernels::recurrent::{Function, Shape};
use plumbline_cpu::ops::recurrent::{directions, functions};
use plumbline_graph::Refusal;
use plumbline_spec::directml::TensorDataType;

pub const OPERATORS: &[(&str, Rule)] = &[
    ("GRU", |lower| network(lower, "GRU", &["Sigmoid", "Tanh"])),
    ("LSTM", |lower| network(lower, "LSTM", &["Sigmoid", "Tanh", "Tanh"])),
    ("RNN", |lower| network(lower, "RNN", &["Tanh"])),
];

/// Describes the operator for an activation function of a network.
fn activation(function: &Function) -> DescriptionBuilder {
    let (name, fields): (_, &[&str]) = match function.shape {
        Shape::Affine => ("LINEAR", &["Alpha", "Beta"]),
        Shape::Elu => ("ELU", &["Alpha"]),
        Shape::HardSigmoid => ("HARD_SIGMOID", &["Alpha", "Beta"]),
        Shape::Identity => ("IDENTITY", &[]),
        Shape::LeakyRelu => ("LEAKY_RELU", &["Alpha"]),
        Shape::Relu => ("RELU", &[]),
        Shape::ScaledTanh => ("SCALED_TANH", &["Alpha", "Beta"]),
        Shape::Sigmoid => ("SIGMOID", &[]),
        Shape::Softplus => ("SOFTPLUS", &[]),
        Shape::Softsign => ("SOFTSIGN", &[]),
        Shape::Tanh => ("TANH", &[]),
        Shape::ThresholdedRelu => ("THRESHOLDED_RELU", &["Alpha"]),
    };
    let builder = OperatorDescription::new(&format!("ACTIVATION_{name}"));
    let builder = if name == "SOFTPLUS" { builder.attribute("Steepness", 1.0f32) } else { builder };
    fields
        .iter()
        .zip([function.alpha, function.beta])
        .fold(builder, |builder, (field, value)| builder.attribute(field, value))
}

/// Returns an input with rank 4: dimensions of size 1 are added in front.
fn placed(lower: &mut Lowering, at: usize) -> Result<Option<View>, LoweringError> {
    let view = lower.optional(at)?;
    match view.as_ref().is_some_and(|view| view.rank() > 4) {
        true => Err(Refusal::invalid(format!("input {at} has more than 4 dimensions")).into()),
        false => Ok(view.map(|view| view.placed(4 - view.rank(), 4))),
    }
}

/// Lowers any of the three operators. Their fields have the same names, and fields that an operator does not have are
/// left out. With `layout` 1 the batch is the first dimension, so X, the states and the outputs are transposed.
fn network(lower: &mut Lowering, operator: &'static str, defaults: &[&str]) -> Views {
    let long = operator == "LSTM";
    let (x, r) = (lower.input(0)?, lower.input(2)?);
    let (&[first, second, _], &[_, _, hidden]) = (x.sizes.as_slice(), r.sizes.as_slice()) else {
        return Err(
            Refusal::invalid(format!("`X` has shape {:?} and `R` {:?}, expected rank 3", x.sizes, r.sizes)).into()
        );
    };
    let batch_first = lower.node.int("layout") != 0;
    let (steps, batch) = if batch_first { (second, first) } else { (first, second) };
    let turned = |view: View, order: &[usize]| if batch_first { view.transposed(order) } else { view };
    let ways = directions(lower.node)?;
    let many = ways.len() as u32;
    let called = functions(lower.node, defaults, ways.len())?;
    let clip = lower.node.optional_float("clip");
    if clip.is_some() && !long {
        return Err(Unsupported::value("`clip`", format!("is given, but DirectML's {operator} cannot clip")).into());
    }
    let missing = || Refusal::invalid("a required input is missing");
    let x = turned(x, &[1, 0, 2]).placed(1, 4);
    let (w, r) = (placed(lower, 1)?.ok_or_else(missing)?, placed(lower, 2)?.ok_or_else(missing)?);
    let (bias, lengths) = (placed(lower, 3)?, placed(lower, 4)?);
    let lengths = lengths.map(|view| lower.as_type(&view, TensorDataType::Uint32)).transpose()?;
    let mut state = |at: usize| {
        let view = placed(lower, at)?;
        Ok::<_, LoweringError>(view.map(|view| turned(view, &[0, 2, 1, 3])))
    };
    let (h, c) = (state(5)?, if long { state(6)? } else { None });
    // In DirectML's documentation of LSTM, the output gate reads the previous cell state, and the hidden state is
    // computed from the candidate. We take both for errors: ONNX's equations, which the page follows otherwise, use the
    // new cell state in both places.
    let peepholes = if long { placed(lower, 7)? } else { None };
    let (direction, coupled) = (lower.node.string("direction")?, lower.node.int("input_forget") != 0);
    let direction = match direction {
        "reverse" => "BACKWARD",
        "bidirectional" => "BIDIRECTIONAL",
        _ => "FORWARD",
    };
    let late = lower.node.int("linear_before_reset") != 0;
    let data_type = x.data_type;
    let call = lower.call(operator).exact().read("InputTensor", &x).read("WeightTensor", &w);
    let call = call.read("RecurrenceTensor", &r).optional("BiasTensor", bias.as_ref());
    let call = call.optional("HiddenInitTensor", h.as_ref()).optional("CellMemInitTensor", c.as_ref());
    let call = call.optional("SequenceLengthsTensor", lengths.as_ref());
    let call = call.optional("PeepholeTensor", peepholes.as_ref());
    let call = call.write("OutputSequenceTensor", data_type, &[steps, many, batch, hidden]);
    let call = call.write("OutputSingleTensor", data_type, &[1, many, batch, hidden]);
    let call = call.set("ActivationDescs", called.iter().map(activation).collect::<Vec<_>>());
    let call = call.set("Direction", direction);
    let call = match operator {
        "LSTM" => {
            let call = call.write("OutputCellSingleTensor", data_type, &[1, many, batch, hidden]);
            let call = call.set("ClipThreshold", clip.unwrap_or(0.0)).set("UseClipThreshold", clip.is_some());
            call.set("CoupleInputForget", coupled)
        }
        "GRU" => call.set("LinearBeforeReset", late),
        _ => call,
    };
    let mut views = call.all()?.into_iter();
    let y = views.next().map(|y| turned(y, &[2, 0, 1, 3]));
    let last = views.map(|view| turned(view.reshaped(&[many, batch, hidden]), &[1, 0, 2]));
    Ok(y.into_iter().chain(last).collect())
}
