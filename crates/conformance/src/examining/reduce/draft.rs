//! A model with its inputs, which is made smaller step by step.

use std::collections::{BTreeMap, BTreeSet};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::ops::Range;

use plumbline_generator::value_info;
use plumbline_graph::domain_of;
use plumbline_spec::ONNX_DOMAIN;
use plumbline_tensor::onnx::{
    GraphProto, NodeProto, OperatorSetIdProto, TensorShapeProtoDimensionValue, TypeProtoValue, ValueInfoProto,
};
use plumbline_tensor::{Data, Model, Tensor, Value, tensor_from_proto};

use crate::cases::{Layout, set_value, value_of};

/// A model with its inputs.
#[derive(Clone)]
pub(super) struct Draft {
    pub model: Model,
    /// In the order of [`Model::input_names`].
    pub inputs: Vec<Value>,
}

impl Draft {
    /// Returns a hash of the model and its inputs.
    pub fn key(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        self.model.to_bytes().hash(&mut hasher);
        self.inputs.iter().for_each(|value| hash(value, &mut hasher));
        hasher.finish()
    }

    pub fn graph(&self) -> &GraphProto {
        self.model.graph()
    }

    pub fn graph_mut(&mut self) -> &mut GraphProto {
        self.model.proto.graph.get_or_insert_default()
    }

    /// Returns the values of the inputs and initializers by name.
    pub fn values(&self) -> Vec<(String, Value)> {
        let inputs = self.model.input_names().into_iter().map(str::to_owned).zip(self.inputs.iter().cloned());
        let constants = self.graph().initializer.iter();
        let constants =
            constants.filter_map(|proto| Some((proto.name.clone()?, tensor_from_proto(proto).ok()?.into())));
        inputs.chain(constants).collect()
    }

    /// Returns the tensors among the inputs and initializers by name.
    pub fn tensors(&self) -> Vec<(String, Tensor)> {
        self.values().into_iter().filter_map(|(name, value)| Some((name, value.into_tensor()?))).collect()
    }

    pub fn value(&self, name: &str) -> Option<Value> {
        value_of(&self.model, &self.inputs, name)
    }

    /// Replaces an input or an initializer. Extents of an input that have names keep them.
    pub fn with_value(mut self, name: &str, value: Value) -> Option<Draft> {
        let declared = self.graph().input.iter().find(|info| info.name.as_deref() == Some(name)).cloned();
        set_value(&mut self.model, &mut self.inputs, name, value)?;
        let now = self.graph_mut().input.iter_mut().find(|info| info.name.as_deref() == Some(name));
        if let (Some(before), Some(now)) = (declared, now) {
            keep_names(&before, now);
        }
        Some(self)
    }

    /// Returns the draft with only these outputs. Their types are declared when the oracle has computed them.
    pub fn with_outputs(mut self, names: &[String]) -> Draft {
        let output = |name: &String| {
            let known = self.graph().output.iter().find(|info| info.name.as_ref() == Some(name)).cloned();
            known.unwrap_or_else(|| ValueInfoProto { name: Some(name.clone()), ..ValueInfoProto::default() })
        };
        let outputs = names.iter().map(output).collect();
        self.graph_mut().output = outputs;
        self.tidied()
    }

    /// Returns the draft without these nodes of the main graph. What the others read of them becomes an input with its
    /// value from `values`. If no output is left, what the dropped nodes read of the others becomes the outputs.
    pub fn without(&self, dropped: Range<usize>, values: &BTreeMap<String, Value>) -> Option<Draft> {
        let layout = Layout::new(&self.model);
        let is_dropped = |name: &str| layout.producer(name).is_some_and(|at| dropped.contains(&at));
        let mut draft = self.clone();
        let kept = (0..layout.nodes().len()).filter(|at| !dropped.contains(at));
        let needed: BTreeSet<&str> =
            kept.flat_map(|at| layout.reads(at).iter().copied()).filter(|name| is_dropped(name)).collect();
        for name in needed {
            let value = values.get(name)?;
            let shape = value.as_tensor().map(Tensor::shape);
            draft.graph_mut().input.push(value_info(name, &value.kind(), shape));
            draft.inputs.push(value.clone());
        }
        draft.graph_mut().node.drain(dropped.clone());
        let mut outputs: Vec<String> =
            self.model.output_names().into_iter().filter(|name| !is_dropped(name)).map(str::to_owned).collect();
        if outputs.is_empty() {
            let read = dropped.clone().flat_map(|at| layout.reads(at).iter().copied());
            let computed = read.filter(|name| layout.producer(name).is_some() && !is_dropped(name));
            let computed: BTreeSet<&str> = computed.collect();
            outputs = computed.into_iter().map(str::to_owned).collect();
        }
        (!outputs.is_empty()).then(|| draft.with_outputs(&outputs))
    }

    /// Returns the draft without the shapes that nested graphs declare for their values, which need not be declared. They
    /// would be wrong once what is around them becomes smaller.
    pub fn without_nested_shapes(mut self) -> Draft {
        fn drop_shapes(node: &mut NodeProto) {
            for graph in node.attribute.iter_mut().filter_map(|attribute| attribute.g.as_mut()) {
                graph.value_info.clear();
                let types = graph.input.iter_mut().chain(&mut graph.output).filter_map(|info| info.r#type.as_mut());
                for value in types.filter_map(|r#type| r#type.value.as_mut()) {
                    if let TypeProtoValue::TensorType(tensor) = value {
                        tensor.shape = None;
                    }
                }
                graph.node.iter_mut().for_each(drop_shapes);
            }
        }
        self.graph_mut().node.iter_mut().for_each(drop_shapes);
        self
    }

    /// Returns the draft without what no output needs: nodes, inputs, initializers, functions, imports, declarations.
    pub fn tidied(mut self) -> Draft {
        let layout = Layout::new(&self.model);
        let mut left: Vec<String> = self.model.output_names().into_iter().map(str::to_owned).collect();
        let mut read: BTreeSet<String> = BTreeSet::new();
        let mut needed = BTreeSet::new();
        while let Some(name) = left.pop() {
            if let Some(at) = layout.producer(&name).filter(|at| needed.insert(*at)) {
                left.extend(layout.reads(at).iter().map(|name| (*name).to_owned()));
            }
            read.insert(name);
        }
        let names: Vec<String> = self.model.input_names().into_iter().map(str::to_owned).collect();
        let mut names = names.iter();
        self.inputs.retain(|_| names.next().is_some_and(|name| read.contains(name)));
        let is_read = |name: &Option<String>| name.as_ref().is_some_and(|name| read.contains(name));
        let graph = self.model.proto.graph.get_or_insert_default();
        let mut at = 0..;
        graph.node.retain(|_| at.next().is_some_and(|at| needed.contains(&at)));
        graph.input.retain(|info| is_read(&info.name));
        graph.initializer.retain(|tensor| is_read(&tensor.name));
        graph.sparse_initializer.retain(|tensor| tensor.values.as_ref().is_some_and(|values| is_read(&values.name)));
        graph.value_info.clear();
        let proto = &mut self.model.proto;
        loop {
            let nodes = proto.graph.iter().flat_map(|graph| &graph.node);
            let nodes = nodes.chain(proto.functions.iter().flat_map(|function| &function.node));
            let called: BTreeSet<(String, String)> = nodes.flat_map(called).collect();
            let count = proto.functions.len();
            proto
                .functions
                .retain(|f| called.contains(&(domain_of(&f.domain).to_owned(), f.name.clone().unwrap_or_default())));
            if proto.functions.len() == count {
                // Every model has to import ONNX's own operators.
                proto.opset_import.retain(|import: &OperatorSetIdProto| {
                    let domain = domain_of(&import.domain);
                    domain == ONNX_DOMAIN || called.iter().any(|(called, _)| called == domain)
                });
                return self;
            }
        }
    }
}

fn hash(value: &Value, hasher: &mut DefaultHasher) {
    match value {
        Value::Tensor(tensor) => {
            (tensor.dtype(), tensor.shape()).hash(hasher);
            match tensor.data() {
                Data::Bytes(bytes) => bytes.hash(hasher),
                Data::Strings(strings) => strings.hash(hasher),
            }
        }
        Value::Sequence { items, .. } => items.iter().for_each(|item| hash(item, hasher)),
        other => format!("{other:?}").hash(hasher),
    }
}

/// Returns the domains and names of the operators and functions that a node calls, also in its nested graphs.
fn called(node: &NodeProto) -> impl Iterator<Item = (String, String)> {
    let name = |node: &NodeProto| (domain_of(&node.domain).to_owned(), node.op_type.clone().unwrap_or_default());
    node.with_nested().into_iter().map(name)
}

/// Gives the axes of a declaration the names that they have in another declaration of the same rank.
fn keep_names(before: &ValueInfoProto, now: &mut ValueInfoProto) {
    use TensorShapeProtoDimensionValue::DimParam;
    let Some(TypeProtoValue::TensorType(before)) = before.r#type.as_ref().and_then(|t| t.value.as_ref()) else {
        return;
    };
    let Some(TypeProtoValue::TensorType(now)) = now.r#type.as_mut().and_then(|t| t.value.as_mut()) else { return };
    match (&before.shape, &mut now.shape) {
        (None, shape) => *shape = None,
        (Some(before), Some(now)) if before.dim.len() == now.dim.len() => {
            for (before, now) in before.dim.iter().zip(&mut now.dim) {
                if matches!(before.value, Some(DimParam(_)) | None) {
                    *now = before.clone();
                }
            }
        }
        _ => {}
    }
}
