//! Runs a model node by node, to know the values that its nodes get.

use std::collections::{BTreeMap, HashMap, HashSet};

use plumbline_generator::{Choices, value_info};
use plumbline_graph::Library;
use plumbline_judge::hash;
use plumbline_oracle::{Limit, Operand, Oracle, Refusal};
use plumbline_tensor::onnx::{AttributeProto, GraphProto, ModelProto, NodeProto, TensorProto, ValueInfoProto};
use plumbline_tensor::{Model, Value, element_count, tensor_from_proto};

use super::alike::{Kept, tensor_alike};
use super::inputs::Extents;
use super::{Constants, Cutting, LeftOut, MOST_COMPUTED, MOST_ELEMENTS, MOST_STEPS};
use crate::cases::{Layout, named_outputs};

/// Computes the outputs of a model of one node. Returns `None` if it cannot.
pub type Compute<'a> = &'a (dyn Fn(&Model, &[Value]) -> Option<Vec<Value>> + 'a);

/// How often inputs are drawn to find extents with which all nodes are valid.
const TRIES: u64 = 16;

/// The largest number of steps of the oracle for one node while extents are looked for.
const STEPS_OF_A_TRY: u64 = 1 << 20;

/// The longest list in an attribute that stays if constants are drawn.
const LONGEST_LIST: usize = 16;

/// The values of a model in one run.
#[derive(Clone, Debug, Default)]
pub(super) struct Walked {
    /// The inputs, the constants, and what nodes compute.
    pub values: HashMap<String, Value>,
    /// The names of the constants.
    pub constants: HashSet<String>,
    /// The nodes without known values, and those that no case may have.
    pub left_out: BTreeMap<usize, LeftOut>,
}

/// Returns whether a node is a `Constant`.
pub(super) fn is_constant(node: &NodeProto) -> bool {
    node.op_type.as_deref() == Some("Constant") && matches!(node.domain.as_deref(), None | Some("" | "ai.onnx"))
}

/// Runs the model on the given inputs, or on drawn ones with which the most nodes are valid.
pub(super) fn walk(name: &str, model: &Model, cutting: &Cutting) -> Walked {
    let layout = Layout::new(model);
    let declared: HashMap<&str, &ValueInfoProto> = {
        let graph = model.graph();
        let infos = graph.input.iter().chain(&graph.value_info).chain(&graph.output);
        infos.filter_map(|info| Some((info.name.as_deref()?, info))).collect()
    };
    let walk = Walk { model, layout: &layout, cutting, declared };
    let constants = walk.constants(name);
    if let Some(inputs) = &cutting.inputs {
        let names = model.input_names().into_iter().map(str::to_owned);
        let given = names.zip(inputs.iter().cloned()).collect();
        return walk.run(given, &constants, &mut Extents::new(name, 0), MOST_STEPS);
    }
    let drawn = |number: u64| {
        let mut extents = Extents::new(&format!("{name}/{number}@{}", cutting.seed), number);
        let value = |name: &str| Some((name.to_owned(), extents.value(walk.declared.get(name)?)?));
        let inputs: HashMap<String, Value> = model.input_names().into_iter().filter_map(value).collect();
        (inputs, extents)
    };
    let mut best = (usize::MAX, 0);
    for number in 0..TRIES {
        let (inputs, mut extents) = drawn(number);
        let unknown = walk.run(inputs, &constants, &mut extents, STEPS_OF_A_TRY).unknown(&layout);
        best = best.min((unknown, number));
        if unknown == 0 {
            break;
        }
    }
    let (inputs, mut extents) = drawn(best.1);
    walk.run(inputs, &constants, &mut extents, MOST_STEPS)
}

impl Walked {
    /// Returns the number of nodes without known values.
    fn unknown(&self, layout: &Layout) -> usize {
        let is_unknown = |node: &&NodeProto| named_outputs(node).any(|name| !self.values.contains_key(name));
        layout.nodes().iter().filter(is_unknown).count()
    }
}

struct Walk<'a> {
    model: &'a Model,
    layout: &'a Layout<'a>,
    cutting: &'a Cutting<'a>,
    /// The declared types of inputs, values and outputs.
    declared: HashMap<&'a str, &'a ValueInfoProto>,
}

impl Walk<'_> {
    /// Returns the constants that are tensors of at most [`MOST_COMPUTED`] elements.
    fn constants(&self, name: &str) -> HashMap<String, Value> {
        let initializers = self.model.graph().initializer.iter().filter(|proto| is_small(proto));
        let initializers = initializers.filter_map(|proto| Some((proto.name.clone()?, tensor_from_proto(proto).ok()?)));
        let nodes = self.layout.nodes().iter().filter(|node| is_constant(node));
        let nodes = nodes.filter_map(|node| {
            let value = self.computed(node, &[], MOST_STEPS).ok()?.pop()?;
            Some((node.output.first()?.clone(), value.into_tensor()?))
        });
        let all = initializers.chain(nodes).map(|(constant, tensor)| {
            let drawn = (self.cutting.constants == Constants::Drawn).then(|| {
                let mut choices = Choices::random(hash(&format!("{name}/{constant}@{}", self.cutting.seed)));
                tensor_alike(&tensor, Kept::ShortWithoutStrings, &mut choices)
            });
            (constant, Value::Tensor(drawn.flatten().unwrap_or(tensor)))
        });
        all.collect()
    }

    /// Computes every node whose inputs are known. What a node cannot compute is drawn, if the model declares its shape.
    fn run(
        &self,
        inputs: HashMap<String, Value>,
        constants: &HashMap<String, Value>,
        extents: &mut Extents,
        most_steps: u64,
    ) -> Walked {
        let mut walked =
            Walked { values: inputs, constants: constants.keys().cloned().collect(), left_out: BTreeMap::new() };
        walked.values.extend(constants.iter().map(|(name, value)| (name.clone(), value.clone())));
        for (at, node) in self.layout.nodes().iter().enumerate() {
            if is_constant(node) {
                continue;
            }
            let reads = self.layout.reads(at);
            let known: Option<Vec<(&str, &Value)>> =
                reads.iter().map(|name| Some((*name, walked.values.get(*name)?))).collect();
            let found = match &known {
                Some(inputs) => self.computed(node, inputs, most_steps),
                None => Err(LeftOut::NoInput),
            };
            let (values, reason) = match (found, &known) {
                (Ok(values), _) => (Some(values), None),
                (Err(reason @ (LeftOut::Steps | LeftOut::Elements)), Some(inputs)) => {
                    (self.computed_otherwise(node, inputs), Some(reason))
                }
                (Err(reason), _) => (None, Some(reason)),
            };
            let is_hidden = self.cutting.constants == Constants::Drawn && self.is_confidential(node);
            if let Some(reason) = reason.or(is_hidden.then_some(LeftOut::Confidential)) {
                walked.left_out.insert(at, reason);
            }
            match values {
                Some(values) => walked.values.extend(named_outputs(node).map(str::to_owned).zip(values)),
                None => {
                    let stand_in = |name: &str| Some((name.to_owned(), extents.value(self.declared.get(name)?)?));
                    walked.values.extend(named_outputs(node).filter_map(stand_in));
                }
            }
        }
        walked
    }

    /// Returns the values of a node's outputs that have names.
    fn computed(&self, node: &NodeProto, inputs: &[(&str, &Value)], most_steps: u64) -> Result<Vec<Value>, LeftOut> {
        let given = elements(inputs.iter().map(|(_, value)| *value));
        if given > MOST_ELEMENTS {
            return Err(LeftOut::Elements);
        }
        let (model, values) = self.alone(node, inputs);
        let oracle = Oracle::default().with_most_steps(most_steps).with_most_elements(MOST_ELEMENTS);
        let outputs = oracle.answer(&model, &values).map_err(left_out)?;
        let outputs: Vec<Value> = outputs.iter().map(Operand::to_value).collect();
        let is_small = given + elements(outputs.iter()) <= MOST_ELEMENTS;
        if is_small { Ok(outputs) } else { Err(LeftOut::Elements) }
    }

    fn computed_otherwise(&self, node: &NodeProto, inputs: &[(&str, &Value)]) -> Option<Vec<Value>> {
        if elements(inputs.iter().map(|(_, value)| *value)) > MOST_COMPUTED {
            return None;
        }
        let (model, values) = self.alone(node, inputs);
        let found = self.cutting.compute?(&model, &values)?;
        (found.len() == model.output_names().len()).then_some(found)
    }

    /// Returns a model of this node alone.
    fn alone(&self, node: &NodeProto, inputs: &[(&str, &Value)]) -> (Model, Vec<Value>) {
        let output = |name: &str| match self.declared.get(name) {
            Some(info) => (*info).clone(),
            None => ValueInfoProto { name: Some(name.to_owned()), ..ValueInfoProto::default() },
        };
        let shape = |value: &Value| value.as_tensor().map(|tensor| tensor.shape().to_vec());
        let graph = GraphProto {
            node: vec![node.clone()],
            name: Some("node".to_owned()),
            input: inputs
                .iter()
                .map(|(name, value)| value_info(name, &value.kind(), shape(value).as_deref()))
                .collect(),
            output: named_outputs(node).map(output).collect(),
            ..GraphProto::default()
        };
        let whole = &self.model.proto;
        let proto = ModelProto {
            ir_version: whole.ir_version,
            graph: Some(graph),
            opset_import: whole.opset_import.clone(),
            functions: whole.functions.clone(),
            ..ModelProto::default()
        };
        (Model { proto }, inputs.iter().map(|(_, value)| (*value).clone()).collect())
    }

    /// Returns whether the attributes of a node, or the function that it calls, may show what the model has learned.
    fn is_confidential(&self, node: &NodeProto) -> bool {
        let is_long = |attribute: &AttributeProto| {
            let tensors = attribute.t.iter().chain(&attribute.tensors);
            let extents =
                tensors.map(|tensor| tensor.dims.iter().map(|extent| extent.max(&0)).product::<i64>() as usize);
            let lists = [attribute.floats.len(), attribute.ints.len(), attribute.strings.len()];
            let has_sparse = attribute.sparse_tensor.is_some() || !attribute.sparse_tensors.is_empty();
            has_sparse || lists.into_iter().chain(extents).any(|length| length > LONGEST_LIST)
        };
        let calls = Library::new(self.model).function(node).is_some();
        calls || node.nested().next().is_some() || node.attribute.iter().any(is_long)
    }
}

/// Returns the number of elements of the tensors in these values.
fn elements<'a>(values: impl Iterator<Item = &'a Value>) -> usize {
    values.flat_map(Value::tensors).map(|tensor| tensor.len()).sum()
}

fn is_small(proto: &TensorProto) -> bool {
    let shape: Option<Vec<usize>> = proto.dims.iter().map(|&extent| usize::try_from(extent).ok()).collect();
    shape.and_then(|shape| element_count(&shape)).is_some_and(|count| count <= MOST_COMPUTED)
}

fn left_out(refusal: Refusal) -> LeftOut {
    match refusal.limit {
        Some(Limit::Steps | Limit::Nodes | Limit::Time) => LeftOut::Steps,
        Some(Limit::Elements | Limit::TensorElements) => LeftOut::Elements,
        None => LeftOut::Refused(refusal.to_string()),
    }
}
