//! A graph while it is drawn, with the values that the oracle computes.

use std::collections::BTreeSet;
use std::sync::Arc;

use plumbline_generator::value_info;
use plumbline_graph::domain_of;
use plumbline_oracle::{Allowed, Bounds, Expected, Operand, Oracle};
use plumbline_tensor::onnx::{GraphProto, ModelProto, NodeProto, TensorProto, ValueInfoProto};
use plumbline_tensor::{DType, Model, Tensor, Value, tensor_from_proto, tensor_to_proto};

use super::fragment::{Fragment, Given};
use super::menu::Menu;
use crate::cases::{named_outputs, reads};

/// The largest number of elements of a value, and of all values together.
const MOST_ELEMENTS: usize = 1 << 12;
const MOST_ELEMENTS_IN_ALL: usize = 1 << 16;
/// The largest number of steps of the oracle for a part. An input that another node computes may ask for far more elements
/// than a graph can have, as the sizes of Resize may, and the oracle would compute them before they are counted.
const MOST_STEPS: u64 = 1 << 24;
/// The share of the elements of each value of a drawn graph that has to be decided.
const LEAST_DECIDED: f64 = 0.75;
/// The first opset for which ONNX's shape inference is right for a Squeeze whose axes do not ascend.
const SQUEEZE_INFERS_UNSORTED: u32 = 11;

/// A value of the graph.
#[derive(Clone, Debug)]
pub(super) struct Known {
    pub name: String,
    pub operand: Operand,
    /// How many nodes read it.
    pub uses: usize,
    /// Whether other nodes may compute with it.
    pub usable: bool,
}

impl Known {
    pub fn tensor(&self) -> Option<&Expected> {
        self.operand.tensor().ok()
    }
}

/// A graph that is being drawn.
#[derive(Debug)]
pub(super) struct Sketch {
    pub menu: Arc<Menu>,
    pub nodes: Vec<NodeProto>,
    pub given: Vec<Given>,
    pub initializers: Vec<TensorProto>,
    /// What is given and what the nodes compute.
    pub values: Vec<Known>,
    pub features: BTreeSet<String>,
    oracle: Oracle,
    /// Whether parts are taken as they are, however little of them is decided.
    takes_all: bool,
    elements: usize,
    /// Whether a part has several answers, because a rule has several readings.
    has_readings: bool,
    /// The number of parts so far, which makes their names different.
    parts: usize,
}

/// What the nodes of a part compute.
pub(super) struct Computed {
    /// The values by name.
    pub values: Vec<(String, Operand)>,
    /// Whether there are other answers, because a rule has several readings.
    pub readings: bool,
}

/// A finished graph.
pub(super) struct Drawn {
    pub model: Model,
    pub inputs: Vec<Value>,
    pub features: Vec<String>,
}

impl Sketch {
    pub fn new(menu: Arc<Menu>) -> Sketch {
        Sketch {
            menu,
            nodes: vec![],
            given: vec![],
            initializers: vec![],
            values: vec![],
            features: BTreeSet::new(),
            oracle: Oracle::default().with_most_steps(MOST_STEPS),
            takes_all: false,
            elements: 0,
            has_readings: false,
            parts: 0,
        }
    }

    /// Returns an empty sketch of a graph that is taken as it is, however little of it is decided.
    pub fn of_whole(menu: Arc<Menu>) -> Sketch {
        Sketch { takes_all: true, ..Sketch::new(menu) }
    }

    /// Returns whether a part has several answers, because a rule has several readings.
    pub fn has_readings(&self) -> bool {
        self.has_readings
    }

    /// Returns the prefix of the names of the next part.
    pub fn prefix(&mut self) -> String {
        self.parts += 1;
        format!("n{}_", self.parts)
    }

    pub fn known(&self, name: &str) -> Option<&Known> {
        self.values.iter().find(|value| value.name == name)
    }

    /// Returns the values that other nodes may compute with.
    pub fn usable(&self) -> Vec<&Known> {
        self.values.iter().filter(|value| value.usable).collect()
    }

    /// Adds a part if the oracle answers it, and its answer decides most of each value. Returns whether it was added.
    pub fn add(&mut self, part: Fragment) -> bool {
        self.tried(part).is_ok()
    }

    /// Does the same, and says why the part was not added.
    pub fn tried(&mut self, part: Fragment) -> Result<(), String> {
        let Computed { values: computed, readings } = self.computed(&part)?;
        // Each reading is an answer of its own for all that follows, so nothing follows, and no other part has several.
        if readings && self.has_readings {
            return Err("rules of two parts have several readings".to_owned());
        }
        if self.menu.opset < SQUEEZE_INFERS_UNSORTED && part.nodes.iter().any(squeezes_unsorted) {
            return Err("shape inference of ONNX is wrong for a Squeeze of axes that do not ascend".to_owned());
        }
        self.has_readings |= readings;
        let given = part.given.iter().map(|given| (given.name.clone(), Operand::from(&given.value), false));
        let computed = computed.into_iter().map(|(name, operand)| {
            let usable = !readings && operand.tensor().is_ok_and(|tensor| !tensor.is_empty() && is_settled(tensor));
            (name, operand, usable)
        });
        let constants = part.initializers.iter().filter_map(|proto| {
            let tensor = tensor_from_proto(proto).ok()?;
            Some((proto.name.clone()?, Operand::from(&Value::from(tensor)), false))
        });
        let known = |(name, operand, usable)| Known { name, operand, uses: 0, usable };
        self.values.extend(given.chain(constants).chain(computed).map(known));
        for name in part.nodes.iter().flat_map(reads) {
            if let Some(known) = self.values.iter_mut().find(|known| known.name == name) {
                known.uses += 1;
            }
        }
        self.nodes.extend(part.nodes);
        self.given.extend(part.given);
        self.initializers.extend(part.initializers);
        self.features.extend(part.features);
        Ok(())
    }

    /// Returns what the nodes of a part compute.
    pub fn computed(&mut self, part: &Fragment) -> Result<Computed, String> {
        let named = |name: &str| ValueInfoProto { name: Some(name.to_owned()), ..ValueInfoProto::default() };
        let names: Vec<String> = part.nodes.iter().flat_map(named_outputs).map(str::to_owned).collect();
        let mut graph = GraphProto {
            node: part.nodes.clone(),
            initializer: part.initializers.clone(),
            output: names.iter().map(|name| named(name)).collect(),
            ..GraphProto::default()
        };
        graph.input.extend(part.given.iter().map(|given| named(&given.name)));
        let mut operands: Vec<Operand> = part.given.iter().map(|given| Operand::from(&given.value)).collect();
        let own: BTreeSet<&str> = names.iter().map(String::as_str).collect();
        let read: BTreeSet<&str> = part.nodes.iter().flat_map(reads).filter(|name| !own.contains(name)).collect();
        for known in read.into_iter().filter_map(|name| self.known(name)) {
            graph.input.push(named(&known.name));
            operands.push(known.operand.clone());
        }
        let model = self.model(graph);
        let evaluation = self.oracle.evaluate_operands(&model, &operands);
        let evaluation = evaluation.map_err(|stop| stop.refusal.to_string())?;
        let mut elements = self.elements;
        for operand in &evaluation.outputs {
            let Ok(tensor) = operand.tensor() else { continue };
            elements += tensor.len();
            let (certain, all) = decided(tensor);
            let too_large = tensor.len() > MOST_ELEMENTS || elements > MOST_ELEMENTS_IN_ALL;
            let is_open = !self.takes_all && (certain as f64) < LEAST_DECIDED * all as f64;
            if too_large || is_open {
                return Err(format!("{certain} of {all} elements are decided, or there are too many"));
            }
        }
        self.elements = elements;
        let readings = !evaluation.others.is_empty();
        Ok(Computed { values: names.into_iter().zip(evaluation.outputs).collect(), readings })
    }

    /// Returns a model with the opsets of this sketch.
    fn model(&self, graph: GraphProto) -> Model {
        Model {
            proto: ModelProto {
                ir_version: Some(self.menu.ir_version),
                opset_import: self.menu.imports.clone(),
                producer_name: Some("plumbline".to_owned()),
                graph: Some(graph),
                ..ModelProto::default()
            },
        }
    }

    /// Returns the whole graph with these outputs.
    pub fn finished(&self, outputs: &[String]) -> Drawn {
        let mut graph = GraphProto { name: Some("graph".to_owned()), ..GraphProto::default() };
        graph.node = self.nodes.clone();
        graph.initializer = self.initializers.clone();
        let mut inputs = Vec::new();
        for Given { name, value, constant } in &self.given {
            match value {
                Value::Tensor(tensor) if *constant => graph.initializer.push(tensor_to_proto(tensor, name)),
                _ => {
                    graph.input.push(value_info(name, &value.kind(), value.as_tensor().map(Tensor::shape)));
                    inputs.push(value.clone());
                }
            }
        }
        let output = |name: &String| Some(value_info(name, &self.known(name)?.operand.kind(), None));
        graph.output = outputs.iter().filter_map(output).collect();
        let mut model = self.model(graph);
        let used: BTreeSet<&str> =
            self.nodes.iter().flat_map(NodeProto::with_nested).map(|node| domain_of(&node.domain)).collect();
        model.proto.opset_import.retain(|import| {
            import.domain.as_deref().is_none_or(str::is_empty) || used.contains(domain_of(&import.domain))
        });
        Drawn { model, inputs, features: self.features.iter().cloned().collect() }
    }
}

/// Returns whether the axes of a Squeeze do not ascend. ONNX's shape inference then gives its output a wrong rank, and many
/// a node behind it fails. Cases of the operator alone have such axes.
fn squeezes_unsorted(node: &NodeProto) -> bool {
    node.op_type.as_deref() == Some("Squeeze") && node.attribute.iter().any(|axes| !axes.ints.is_sorted())
}

/// Returns whether nodes may compute with a tensor: no rule leaves an element open, and each element is judged by itself,
/// so that nothing is lost. A node may not compute with a number that has overflowed either: an implementation that rounds
/// it to infinity, and one that computes both nodes in a wider type, may get results that have nothing in common.
fn is_settled(tensor: &Expected) -> bool {
    let is_judged_alone =
        tensor.latitude.is_empty() && tensor.random.is_none() && tensor.joint.is_none() && tensor.unordered.is_none();
    is_judged_alone && !has_overflowed(tensor)
}

fn has_overflowed(tensor: &Expected) -> bool {
    let Some(Bounds::Real(reals)) = &tensor.bounds else { return false };
    reals.iter().any(|x| x.mid.is_infinite() && (x.low.is_finite() || x.high.is_finite()))
}

/// Returns how many elements of a tensor are decided, and how many there are. An element is decided if a wrong answer
/// would be noticed: at least half of the digits of a float are certain, an integer may be off by one at most, and no
/// element may have any value or, for a bool, both. Random elements are judged as a sample.
pub(crate) fn decided(tensor: &Expected) -> (usize, usize) {
    let dtype = tensor.dtype();
    let all = tensor.len();
    if tensor.random.is_some() || tensor.bounds.is_none() && tensor.latitude.is_empty() {
        return (all, all);
    }
    let most = dtype.float_format().map_or(2.0, |format| 2f64.powi((format.mantissa_bits as i32 + 1) / 2));
    let is_open = |index: usize| {
        let at = tensor.latitude.binary_search_by_key(&index, |(at, _)| *at);
        at.is_ok_and(|at| dtype == DType::Bool || matches!(tensor.latitude[at].1.allowed, Allowed::Anything))
    };
    let is_wide = |index: usize| match &tensor.bounds {
        None => false,
        Some(Bounds::Int(ints)) if dtype == DType::Bool => ints[index].low != ints[index].high,
        Some(_) => tensor.width_ulp(index) > most,
    };
    ((0..all).filter(|&index| !is_open(index) && !is_wide(index)).count(), all)
}
