//! Makes a case from what was drawn.

use plumbline_spec::Opsets;
use plumbline_spec::directml::FieldKind;
use plumbline_tensor::onnx::{AttributeProto, FunctionProto, GraphProto, ModelProto, NodeProto, OperatorSetIdProto};
use plumbline_tensor::{Model, Value, ValueKind};

use super::description::{Drawn, DrawnTensor, dtype, json_of};
use super::function::{Fields, buffer_name, tensor_names};
use super::sketch::Drawing;
use super::{DOMAIN, VERSION, id_of};
use crate::case::{Case, Form, Origin};
use crate::declarations::{attribute, import, ir_version, value_info};

impl Drawing {
    /// Returns the valid case. `None` if the operator has no meaning for the values of its fields.
    pub(super) fn into_case(self, id: String, origin: Origin) -> Option<Case> {
        let nodes = Fields { operator: self.operator(), fields: &self.fields, level: self.level() }.nodes()?;
        let mut case = self.case(id, origin)?;
        let proto = &mut case.model.proto;
        let call = proto.graph.as_ref()?.node.first()?;
        let function = FunctionProto {
            name: call.op_type.clone(),
            domain: call.domain.clone(),
            input: call.input.iter().map(|name| formal(name)).collect(),
            output: call.output.clone(),
            attribute: call.attribute.iter().filter_map(|attribute| attribute.name.clone()).collect(),
            node: nodes,
            opset_import: proto.opset_import.iter().filter(|import| is_onnx(import)).cloned().collect(),
            ..FunctionProto::default()
        };
        proto.functions.push(function);
        Some(case)
    }

    /// Returns the invalid case, in which no function says what the operator computes.
    pub(super) fn into_broken_case(self, id: String, origin: Origin) -> Option<Case> {
        self.case(id, origin)
    }

    fn case(self, id: String, origin: Origin) -> Option<Case> {
        let operator = self.operator();
        let opset = *Opsets::embedded().releases.last()?.opsets.get(plumbline_spec::ONNX_DOMAIN)?;
        let mut node = NodeProto {
            op_type: Some(operator.name.clone()),
            domain: Some(DOMAIN.to_owned()),
            attribute: vec![
                text("desc", &json_of(operator, &self.fields).to_string()),
                text("feature_level", &self.level().to_string()),
            ],
            ..NodeProto::default()
        };
        if let Some(input) = self.in_place {
            let i = i64::try_from(input).ok();
            node.attribute.push(AttributeProto { i, ..attribute("in_place", 2) });
        }
        let mut graph = GraphProto { name: Some(operator.name.clone()), ..GraphProto::default() };
        let mut inputs = Vec::new();
        let none = |field: &plumbline_spec::directml::Field| field.type_.is_array();
        for (field, drawn) in self.fields.iter().filter(|(field, _)| field.is_tensor()) {
            let given: &[DrawnTensor] = match drawn {
                Drawn::Tensors(tensors) => tensors,
                _ => &[],
            };
            let of_input = field.kind == FieldKind::InputTensor;
            let slots = if of_input { &mut node.input } else { &mut node.output };
            if given.is_empty() && !none(field) {
                slots.push(String::new());
            }
            for (name, tensor) in tensor_names(field, given.len()).into_iter().zip(given) {
                let kind = ValueKind::Tensor(dtype(tensor.data_type)?);
                if of_input {
                    let buffer = shortened(tensor, self.missing_bytes)?;
                    graph.input.push(value_info(&name, &kind, Some(buffer.shape())));
                    inputs.push(Value::Tensor(buffer));
                } else {
                    graph.output.push(value_info(&name, &kind, Some(&tensor.shape())));
                }
                slots.push(name);
            }
        }
        for slots in [&mut node.input, &mut node.output] {
            while slots.last().is_some_and(String::is_empty) {
                slots.pop();
            }
        }
        graph.node.push(node);
        let opset = u32::try_from(opset).ok()?;
        let model = ModelProto {
            ir_version: Some(ir_version("", opset)),
            opset_import: vec![import("", i64::from(opset)), import(DOMAIN, i64::from(VERSION))],
            producer_name: Some("plumbline".to_owned()),
            graph: Some(graph),
            ..ModelProto::default()
        };
        let name = dtype(self.cell.data_type)?.name().to_owned();
        Some(Case {
            id,
            version: id_of(operator),
            types: [("T".to_owned(), name)].into(),
            model: Model { proto: model },
            inputs,
            features: self.features,
            violates: None,
            origin,
            form: Form::AsDrawn,
            choices: self.choices.into_made(),
        })
    }
}

/// Returns the buffer of an input without its last bytes.
fn shortened(tensor: &DrawnTensor, missing: u64) -> Option<plumbline_tensor::Tensor> {
    let buffer = tensor.buffer.clone()?;
    if missing == 0 {
        return Some(buffer);
    }
    let bits = buffer.dtype().bits()? as usize;
    let kept = buffer.len().saturating_sub((usize::try_from(missing).ok()? * 8).div_ceil(bits));
    let bits = (0..kept).map(|at| buffer.bits_at(at));
    plumbline_tensor::Tensor::from_bits(buffer.dtype(), vec![kept], bits).ok()
}

/// Returns the name of a formal input of the function. An input that is left out has no name in the call.
fn formal(name: &str) -> String {
    if name.is_empty() { String::new() } else { buffer_name(name) }
}

fn is_onnx(import: &OperatorSetIdProto) -> bool {
    import.domain.as_deref().unwrap_or("").is_empty()
}

fn text(name: &str, value: &str) -> AttributeProto {
    AttributeProto { s: Some(value.as_bytes().to_vec()), ..attribute(name, 3) }
}
