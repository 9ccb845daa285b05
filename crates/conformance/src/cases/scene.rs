//! A case that can be edited: its model, its inputs, and the node that it tests.

use plumbline_generator::{Case, value_info};
use plumbline_spec::{Attribute, AttributeKind, AttributeValue, FormalOption, OperatorVersion};
use plumbline_tensor::onnx::{AttributeProto, GraphProto, NodeProto, OperatorSetIdProto};
use plumbline_tensor::{DType, Model, Tensor, Value, tensor_from_proto, tensor_to_proto};

use crate::cases::proto;

/// The first IR version in which an initializer need not also be an input of the graph.
pub(crate) const IR_OF_FREE_INITIALIZERS: i64 = 4;

/// An editable case.
#[derive(Clone, Debug)]
pub(crate) struct Scene {
    /// The model. The last node of its graph is the one that the case tests. Nodes before it only build values that
    /// cannot be inputs.
    pub model: Model,
    /// The inputs in the order of [`Model::input_names`].
    pub inputs: Vec<Value>,
    /// The operator version of the node.
    pub version: &'static OperatorVersion,
}

impl Scene {
    pub(crate) fn new(case: &Case, version: &'static OperatorVersion) -> Scene {
        Scene { model: case.model.clone(), inputs: case.inputs.clone(), version }
    }

    pub(crate) fn node(&self) -> Option<&NodeProto> {
        self.model.graph().node.last()
    }

    pub(crate) fn graph_mut(&mut self) -> Option<&mut GraphProto> {
        self.model.proto.graph.as_mut()
    }

    pub(crate) fn node_mut(&mut self) -> Option<&mut NodeProto> {
        self.graph_mut()?.node.last_mut()
    }

    /// Returns the position of one of the node's inputs. `name` is the formal input's name, or the position itself.
    pub(crate) fn input_place(&self, name: &str) -> Option<usize> {
        let place = match name.parse() {
            Ok(place) => place,
            Err(_) => self.version.inputs.iter().position(|i| i.name == name)?,
        };
        self.node()?.input.get(place).filter(|name| !name.is_empty())?;
        Some(place)
    }

    /// Returns the name of the value at this position. If a preceding node computes the value, returns the name of the
    /// first input from which it is computed.
    pub(crate) fn source(&self, place: usize) -> Option<String> {
        // An omitted input has the empty name. It must not be searched for among the outputs of earlier nodes, because
        // an omitted output has the empty name, too.
        let mut name = self.node()?.input.get(place).filter(|name| !name.is_empty())?.clone();
        for node in self.model.graph().node.iter().rev() {
            if node.output.contains(&name) {
                name = node.input.iter().find(|input| !input.is_empty())?.clone();
            }
        }
        Some(name)
    }

    /// Returns the value that is given for the node's input at this position.
    pub(crate) fn input(&self, place: usize) -> Option<Value> {
        self.value(&self.source(place)?)
    }

    /// Returns the value of an input of the model or of an initializer.
    pub(crate) fn value(&self, name: &str) -> Option<Value> {
        value_of(&self.model, &self.inputs, name)
    }

    /// Sets the node's input at this position to a value of any type.
    pub(crate) fn set_input(&mut self, place: usize, value: Value) -> Option<()> {
        let name = self.source(place)?;
        self.set_value(&name, value)
    }

    /// Sets an input of the model, or an initializer, to a value of any type.
    pub(crate) fn set_value(&mut self, name: &str, value: Value) -> Option<()> {
        set_value(&mut self.model, &mut self.inputs, name, value)
    }

    /// Leaves out the input at this position.
    pub(crate) fn remove_input(&mut self, place: usize) -> Option<()> {
        leave_out(&mut self.node_mut()?.input, place)
    }

    /// Returns the positions of the node's inputs that have the same type variable as this input.
    pub(crate) fn alike(&self, place: usize) -> Vec<usize> {
        let type_ = |at: usize| self.version.input_at(at).map(|formal| &formal.type_);
        let count = self.node().map_or(0, |node| node.input.len());
        (0..count).filter(|&at| type_(at).is_some() && type_(at) == type_(place)).collect()
    }

    /// Returns whether the input at this position may be left out.
    pub(crate) fn is_optional(&self, place: usize) -> bool {
        self.version.input_at(place).is_some_and(|formal| formal.option == FormalOption::Optional)
    }

    pub(crate) fn given(&self, name: &str) -> Option<&AttributeProto> {
        self.node()?.attribute.iter().find(|a| a.name.as_deref() == Some(name))
    }

    /// Returns the value of an attribute, or its default, as a tensor. Returns `None` if there is no value, if a tensor
    /// cannot hold the value (a graph, for example), or if the value is a default that is itself a tensor.
    pub(crate) fn attribute(&self, name: &str) -> Option<Tensor> {
        let fact = self.version.attribute(name)?;
        match self.given(name) {
            Some(attribute) => tensor_of(attribute, fact.kind),
            None => default_of(fact),
        }
    }

    /// Sets an attribute to another value.
    pub(crate) fn set_attribute(&mut self, name: &str, value: &Tensor) -> Option<()> {
        let kind = self.version.attribute(name)?.kind;
        self.put_attribute(attribute_of(name, kind, value)?)
    }

    /// Adds an attribute to the node, in place of one with the same name.
    pub(crate) fn put_attribute(&mut self, attribute: AttributeProto) -> Option<()> {
        let node = self.node_mut()?;
        node.attribute.retain(|a| a.name != attribute.name);
        node.attribute.push(attribute);
        Some(())
    }

    pub(crate) fn remove_attribute(&mut self, name: &str) -> Option<()> {
        self.given(name)?;
        self.node_mut()?.attribute.retain(|a| a.name.as_deref() != Some(name));
        Some(())
    }

    /// Changes the node to another operator or version. Attributes that this version does not have are removed.
    pub(crate) fn run_as(&mut self, version: &'static OperatorVersion) -> Option<()> {
        let domain = version.id.domain_in_models();
        let opset = i64::from(version.since());
        let import = OperatorSetIdProto { domain: Some(domain.to_owned()), version: Some(opset) };
        self.model
            .proto
            .opset_import
            .retain(|o| plumbline_spec::canonical_domain(o.domain.as_deref().unwrap_or("")) != version.id.domain);
        self.model.proto.opset_import.push(import);
        let node = self.node_mut()?;
        node.op_type = Some(version.id.name.clone());
        node.domain = Some(domain.to_owned());
        node.attribute.retain(|a| a.name.as_deref().is_some_and(|name| version.attribute(name).is_some()));
        self.version = version;
        Some(())
    }
}

/// Leaves out the input or output of a node at this position.
pub(crate) fn leave_out(names: &mut Vec<String>, place: usize) -> Option<()> {
    names.get_mut(place)?.clear();
    while names.last().is_some_and(String::is_empty) {
        names.pop();
    }
    Some(())
}

/// Returns the value of an input of the model or of an initializer. `inputs` are in the order of [`Model::input_names`].
pub(crate) fn value_of(model: &Model, inputs: &[Value], name: &str) -> Option<Value> {
    if let Some(at) = model.input_names().iter().position(|n| *n == name) {
        return inputs.get(at).cloned();
    }
    let initializer = model.graph().initializer.iter().find(|t| t.name.as_deref() == Some(name))?;
    Some(tensor_from_proto(initializer).ok()?.into())
}

/// Sets an input of the model, or an initializer, to a value of any type.
pub(crate) fn set_value(model: &mut Model, inputs: &mut [Value], name: &str, value: Value) -> Option<()> {
    let given = model.input_names().iter().position(|n| *n == name);
    let graph = model.proto.graph.as_mut()?;
    if let Some(declared) = graph.input.iter_mut().find(|i| i.name.as_deref() == Some(name)) {
        *declared = value_info(name, &value.kind(), value.as_tensor().map(Tensor::shape));
    }
    match given {
        Some(at) => *inputs.get_mut(at)? = value,
        None => {
            let initializer = graph.initializer.iter_mut().find(|t| t.name.as_deref() == Some(name))?;
            *initializer = tensor_to_proto(&value.into_tensor()?, name);
        }
    }
    Some(())
}

/// Returns the default value of an attribute as a tensor.
fn default_of(fact: &Attribute) -> Option<Tensor> {
    match fact.default.as_ref()? {
        AttributeValue::Float(x) => Tensor::from_f32s(vec![], &[*x]).ok(),
        AttributeValue::Int(i) => Some(Tensor::from_i64(*i)),
        AttributeValue::String(s) => Tensor::from_strings(vec![], vec![s.clone().into_bytes()]).ok(),
        AttributeValue::Floats(x) => Tensor::from_f32s(vec![x.len()], x).ok(),
        AttributeValue::Ints(i) => Some(Tensor::from_i64s(i)),
        AttributeValue::Strings(s) => {
            Tensor::from_strings(vec![s.len()], s.iter().map(|s| s.clone().into_bytes()).collect()).ok()
        }
        AttributeValue::Tensor(_) => None,
    }
}

/// Returns the value of an attribute as a tensor.
fn tensor_of(attribute: &AttributeProto, kind: AttributeKind) -> Option<Tensor> {
    match kind {
        AttributeKind::Float => Tensor::from_f32s(vec![], &[attribute.f?]).ok(),
        AttributeKind::Int => Some(Tensor::from_i64(attribute.i?)),
        AttributeKind::String => Tensor::from_strings(vec![], vec![attribute.s.clone()?]).ok(),
        AttributeKind::Floats => Tensor::from_f32s(vec![attribute.floats.len()], &attribute.floats).ok(),
        AttributeKind::Ints => Some(Tensor::from_i64s(&attribute.ints)),
        AttributeKind::Strings => Tensor::from_strings(vec![attribute.strings.len()], attribute.strings.clone()).ok(),
        AttributeKind::Tensor => tensor_from_proto(attribute.t.as_ref()?).ok(),
        _ => None,
    }
}

/// Makes an attribute with this value. Returns `None` if the tensor does not fit the kind.
fn attribute_of(name: &str, kind: AttributeKind, value: &Tensor) -> Option<AttributeProto> {
    let base = proto::attribute(name, kind);
    let floats = || -> Vec<f32> { value.to_f64s().iter().map(|&x| x as f32).collect() };
    let ints = || value.to_i64s().ok();
    let strings = || (value.dtype() == DType::String).then(|| value.strings().to_vec());
    Some(match kind {
        AttributeKind::Float => AttributeProto { f: floats().first().copied(), ..base },
        AttributeKind::Int => AttributeProto { i: ints()?.first().copied(), ..base },
        AttributeKind::String => AttributeProto { s: strings()?.first().cloned(), ..base },
        AttributeKind::Tensor => AttributeProto { t: Some(tensor_to_proto(value, "")), ..base },
        AttributeKind::Floats => AttributeProto { floats: floats(), ..base },
        AttributeKind::Ints => AttributeProto { ints: ints()?, ..base },
        AttributeKind::Strings => AttributeProto { strings: strings()?, ..base },
        _ => return None,
    })
}
