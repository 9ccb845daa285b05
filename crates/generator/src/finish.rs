//! Makes a case from a finished `Draw`.

use plumbline_spec::FormalOption;
use plumbline_tensor::onnx::{GraphProto, ModelProto, NodeProto};
use plumbline_tensor::{Model, Value, tensor_to_proto};

use crate::case::{Case, Form, Origin};
use crate::declarations::{IR_OF_FREE_INITIALIZERS, ir_version, opset_import, short_type, value_info};
use crate::draw::{Draw, Input};

impl Draw<'_> {
    /// Builds the case from what has been drawn.
    pub(crate) fn into_case(mut self, id: String, origin: Origin) -> Case {
        let version = self.version;
        self.note_given();
        let mut model = ModelProto {
            ir_version: Some(ir_version(&version.id.domain, version.since())),
            opset_import: opset_import(
                &version.id,
                !self.before.is_empty() || self.attributes.iter().any(|a| a.g.is_some()),
            ),
            producer_name: Some("plumbline".to_owned()),
            ..ModelProto::default()
        };
        let mut graph = GraphProto { name: Some(version.id.to_string()), ..GraphProto::default() };
        let mut node = NodeProto {
            op_type: Some(version.id.name.clone()),
            attribute: std::mem::take(&mut self.attributes),
            ..NodeProto::default()
        };
        let domain = version.id.domain_in_models();
        node.domain = Some(domain.to_owned()).filter(|domain| !domain.is_empty());
        let mut inputs = Vec::new();
        for formal in &version.inputs {
            let given: Vec<Input> = self.inputs.extract_if(.., |i| i.formal == formal.name).collect();
            let variadic = formal.option == FormalOption::Variadic;
            if given.is_empty() && !variadic {
                node.input.push(String::new());
            }
            for (number, input) in given.into_iter().enumerate() {
                let name = if variadic { format!("{}_{number}", formal.name) } else { formal.name.clone() };
                let Some(value) = input.value else {
                    node.input.push(input.around);
                    continue;
                };
                node.input.push(name.clone());
                let initializer = input.constant && model.ir_version >= Some(IR_OF_FREE_INITIALIZERS);
                match (&value, initializer) {
                    (Value::Tensor(tensor), true) => graph.initializer.push(tensor_to_proto(tensor, &name)),
                    _ => {
                        graph.input.push(value_info(&name, &value.kind(), shape_of(&value)));
                        inputs.push(value);
                    }
                }
            }
        }
        while node.input.last().is_some_and(String::is_empty) {
            node.input.pop();
        }
        for Input { formal: name, value, constant, .. } in std::mem::take(&mut self.outer) {
            let initializer = constant && model.ir_version >= Some(IR_OF_FREE_INITIALIZERS);
            match (value, initializer) {
                (Some(Value::Tensor(tensor)), true) => graph.initializer.push(tensor_to_proto(&tensor, &name)),
                (Some(value), _) => {
                    graph.input.push(value_info(&name, &value.kind(), shape_of(&value)));
                    inputs.push(value);
                }
                (None, _) => {}
            }
        }
        let single = version.outputs.iter().filter(|o| o.option != FormalOption::Variadic).count();
        let named = self.outputs.clone().unwrap_or_else(|| vec![true; single.max(1)]);
        for (position, named) in named.into_iter().enumerate() {
            if !named {
                node.output.push(String::new());
                continue;
            }
            let formal = version.outputs.get(position).or(version.outputs.last());
            let mut name = formal.map_or("output".to_owned(), |o| o.name.clone());
            if formal.is_some_and(|o| o.option == FormalOption::Variadic) {
                name = format!("{name}_{position}");
            }
            // Some operators have an output with the same name as an input.
            if node.input.contains(&name) {
                name.push_str("_out");
            }
            let kind = self.output_kind(position);
            graph.output.push(value_info(&name, &kind, None));
            node.output.push(name);
        }
        while node.output.last().is_some_and(String::is_empty) {
            node.output.pop();
        }
        graph.node = std::mem::take(&mut self.before);
        graph.node.push(node);
        model.graph = Some(graph);
        let types =
            self.binding.iter().map(|(variable, bound)| (variable.clone(), short_type(&bound.to_string()))).collect();
        Case {
            id,
            version: version.id.clone(),
            types,
            model: Model { proto: model },
            inputs,
            features: self.features,
            violates: self.violates,
            origin,
            form: Form::AsDrawn,
            choices: self.choices.into_made(),
        }
    }

    /// Notes the features that no recipe has to name: whether each attribute and each optional input is given or left
    /// out, the rank of the input that is given first, and the sizes of the inputs.
    fn note_given(&mut self) {
        for attribute in &self.version.attributes {
            let given = self.attributes.iter().any(|a| a.name.as_deref() == Some(&attribute.name));
            self.feature(&format!("attribute {} {}", attribute.name, if given { "given" } else { "omitted" }));
        }
        for formal in self.version.inputs.iter().filter(|f| f.option == FormalOption::Optional) {
            let given = self.inputs.iter().any(|i| i.formal == formal.name && i.value.is_some());
            self.feature(&format!("input {} {}", formal.name, if given { "given" } else { "omitted" }));
        }
        let rank = self.inputs.first().and_then(|i| i.value.as_ref()).and_then(Value::as_tensor).map(|t| t.rank());
        if let Some(rank) = rank {
            self.feature(&format!("rank {rank}"));
        }
        self.note_sizes();
    }

    /// Notes the features that describe the sizes of the inputs.
    fn note_sizes(&mut self) {
        let values = self.inputs.iter().chain(&self.outer).filter_map(|input| input.value.as_ref());
        let shapes: Vec<Vec<usize>> = values.flat_map(shapes_in).collect();
        let any = |of: fn(&[usize]) -> bool| shapes.iter().any(|shape| of(shape));
        let sizes: [(&str, bool); 5] = [
            ("empty extent", any(|shape| shape.contains(&0))),
            ("an extent of 8 to 65", any(|shape| shape.iter().any(|extent| (8..=65).contains(extent)))),
            ("an extent beyond 1,024", any(|shape| shape.iter().any(|&extent| extent > 1024))),
            ("more than 65,536 elements", any(|shape| shape.iter().product::<usize>() > 65_536)),
            ("more than six dimensions", any(|shape| shape.len() > 6)),
        ];
        sizes.into_iter().filter(|(_, has)| *has).for_each(|(name, _)| self.feature(name));
    }
}

fn shape_of(value: &Value) -> Option<&[usize]> {
    value.as_tensor().map(|t| t.shape())
}

/// Returns the shapes of all tensors in a value. A map counts as a list with one element for each key.
fn shapes_in(value: &Value) -> Vec<Vec<usize>> {
    match value {
        Value::Tensor(tensor) => vec![tensor.shape().to_vec()],
        Value::Sequence { items, .. } => items.iter().flat_map(shapes_in).collect(),
        Value::Optional { item, .. } => item.iter().flat_map(|item| shapes_in(item)).collect(),
        Value::Map { items, .. } => vec![vec![items.len()]],
        Value::SparseTensor(tensor) => vec![tensor.shape().to_vec()],
    }
}
