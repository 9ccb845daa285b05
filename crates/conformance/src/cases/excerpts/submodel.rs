//! Some nodes of a model, as a model of their own.

use std::collections::hash_map::DefaultHasher;
use std::collections::{BTreeSet, HashMap, HashSet};
use std::hash::{Hash, Hasher};

use plumbline_generator::value_info;
use plumbline_graph::{Library, domain_of};
use plumbline_tensor::onnx::{GraphProto, ModelProto, NodeProto, TensorProto};
use plumbline_tensor::{DType, Model, Tensor, Value, tensor_to_proto};

use super::alike::{Kept, stays};
use super::{Constants, Source};
use crate::cases::{IR_OF_FREE_INITIALIZERS, Layout, named_outputs, renamed};

/// Nodes of a model, as a model of their own.
pub(super) struct Part {
    pub model: Model,
    /// The values of the inputs in the run of the whole model.
    pub inputs: Vec<Value>,
    /// The number of elements of all inputs, constants and computed values.
    pub elements: usize,
    /// The element types of these values.
    pub dtypes: Vec<DType>,
    /// Equal for parts of which one is enough: the same nodes with the same attributes, types and shapes and, unless
    /// constants are drawn, the same constants.
    pub key: u64,
}

/// Returns these nodes of a model, in ascending order. Its inputs are the values that other nodes compute, and its
/// outputs are the values that other nodes read. Values get new names, and nodes lose theirs, unless a node has graphs in
/// its attributes. Returns `None` if a value is not known.
pub(super) fn part(source: &Source, nodes: &[usize]) -> Option<Part> {
    let layout = Layout::new(&source.model);
    let walked = &source.walked;
    let given = |at: usize| layout.nodes()[at].clone();
    let inside: HashSet<&str> = nodes.iter().flat_map(|&at| named_outputs(&layout.nodes()[at])).collect();
    let mut reads: Vec<&str> = Vec::new();
    for name in nodes.iter().flat_map(|&at| layout.reads(at)).filter(|name| !inside.contains(**name)) {
        if !reads.contains(name) {
            reads.push(name);
        }
    }
    let (constants, inputs): (Vec<&str>, Vec<&str>) =
        reads.into_iter().partition(|name| walked.constants.contains(*name));
    let outputs = outputs(source, &layout, nodes);
    let value = |name: &str| walked.values.get(name);
    let computed: Vec<&Value> = inside.iter().map(|name| value(name)).collect::<Option<_>>()?;
    let of_inputs: Vec<&Value> = inputs.iter().map(|name| value(name)).collect::<Option<_>>()?;
    let of_constants: Vec<&Tensor> = constants.iter().map(|name| value(name)?.as_tensor()).collect::<Option<_>>()?;
    let has_graphs = nodes.iter().any(|&at| layout.nodes()[at].nested().next().is_some());
    let names = match has_graphs {
        true => HashMap::new(),
        false => new_names(&layout, nodes, &inputs, &constants, &outputs),
    };
    let new = |name: &&str| names.get(*name).map_or(*name, String::as_str).to_owned();
    let shape = |value: &Value| value.as_tensor().map(|tensor| tensor.shape().to_vec());
    let declared = inputs.iter().zip(&of_inputs);
    let graph = GraphProto {
        node: nodes.iter().map(|&at| plain(renamed(&given(at), &names))).collect(),
        name: Some("excerpt".to_owned()),
        initializer: constants
            .iter()
            .zip(&of_constants)
            .map(|(name, tensor)| tensor_to_proto(tensor, &new(name)))
            .collect(),
        input: declared.map(|(name, value)| value_info(&new(name), &value.kind(), shape(value).as_deref())).collect(),
        output: outputs.iter().filter_map(|name| Some(value_info(&new(name), &value(name)?.kind(), None))).collect(),
        ..GraphProto::default()
    };
    let library = Library::new(&source.model);
    let calls = has_graphs || nodes.iter().any(|&at| library.function(&layout.nodes()[at]).is_some());
    let whole = &source.model.proto;
    let domains: BTreeSet<&str> = nodes.iter().map(|&at| domain_of(&layout.nodes()[at].domain)).collect();
    let imports = whole.opset_import.iter().filter(|import| calls || domains.contains(domain_of(&import.domain)));
    let proto = ModelProto {
        ir_version: Some(whole.ir_version.unwrap_or_default().max(IR_OF_FREE_INITIALIZERS)),
        producer_name: Some("plumbline".to_owned()),
        graph: Some(graph),
        opset_import: imports.cloned().collect(),
        functions: if calls { whole.functions.clone() } else { vec![] },
        ..ModelProto::default()
    };
    let model = Model { proto };
    let tensors =
        || of_inputs.iter().chain(&computed).flat_map(|value| value.tensors()).chain(of_constants.iter().copied());
    let dtypes: BTreeSet<&str> = tensors().map(|tensor| tensor.dtype().name()).collect();
    let shapes: Vec<Option<Vec<usize>>> = outputs.iter().map(|name| shape(value(name)?)).collect();
    let is_drawn = |tensor: &Tensor| source.constants == Constants::Drawn && !stays(tensor, Kept::ShortWithoutStrings);
    let drawn = constants.iter().zip(&of_constants).filter(|(_, tensor)| is_drawn(tensor));
    let drawn: HashSet<String> = drawn.map(|(name, _)| new(name)).collect();
    Some(Part {
        key: key(&model, &drawn, &shapes),
        elements: tensors().map(Tensor::len).sum(),
        dtypes: dtypes.into_iter().filter_map(DType::from_name).collect(),
        inputs: of_inputs.into_iter().cloned().collect(),
        model,
    })
}

/// Returns the values that other nodes read, or that are outputs of the model. If there are none, returns all values
/// that no node reads.
fn outputs<'a>(source: &'a Source, layout: &Layout<'a>, nodes: &[usize]) -> Vec<&'a str> {
    let of_model: HashSet<&str> = source.model.output_names().into_iter().collect();
    let others = (0..layout.nodes().len()).filter(|at| !nodes.contains(at));
    let read: HashSet<&str> = others.flat_map(|at| layout.reads(at).iter().copied()).collect();
    let inner: HashSet<&str> = nodes.iter().flat_map(|&at| layout.reads(at).iter().copied()).collect();
    let computed = || nodes.iter().flat_map(|&at| named_outputs(&layout.nodes()[at]));
    let wanted: Vec<&str> = computed().filter(|name| of_model.contains(name) || read.contains(name)).collect();
    if wanted.is_empty() { computed().filter(|name| !inner.contains(name)).collect() } else { wanted }
}

/// Returns names that only say what a value is: `x0` is an input, `c0` a constant, `v0` an inner value, `y0` an output.
fn new_names(
    layout: &Layout,
    nodes: &[usize],
    inputs: &[&str],
    constants: &[&str],
    outputs: &[&str],
) -> HashMap<String, String> {
    let mut names = HashMap::new();
    let mut name =
        |old: &str, letter: &str, number: usize| _ = names.insert(old.to_owned(), format!("{letter}{number}"));
    inputs.iter().enumerate().for_each(|(number, old)| name(old, "x", number));
    constants.iter().enumerate().for_each(|(number, old)| name(old, "c", number));
    outputs.iter().enumerate().for_each(|(number, old)| name(old, "y", number));
    let computed = nodes.iter().flat_map(|&at| named_outputs(&layout.nodes()[at]));
    let inner = computed.filter(|old| !outputs.contains(old)).enumerate();
    inner.for_each(|(number, old)| name(old, "v", number));
    names
}

/// Returns a node without its name and texts, with its attributes in the order of their names.
fn plain(node: NodeProto) -> NodeProto {
    let mut attribute = node.attribute;
    attribute.sort_by(|a, b| a.name.cmp(&b.name));
    NodeProto {
        input: node.input,
        output: node.output,
        op_type: node.op_type,
        domain: node.domain,
        overload: node.overload,
        attribute,
        ..NodeProto::default()
    }
}

/// `drawn` are the constants whose elements do not matter.
fn key(model: &Model, drawn: &HashSet<String>, shapes: &[Option<Vec<usize>>]) -> u64 {
    let mut hasher = DefaultHasher::new();
    shapes.hash(&mut hasher);
    let mut bare = model.clone();
    let constants = bare.proto.graph.iter_mut().flat_map(|graph| &mut graph.initializer);
    for tensor in constants.filter(|tensor| tensor.name.as_ref().is_some_and(|name| drawn.contains(name))) {
        *tensor = TensorProto {
            name: tensor.name.clone(),
            dims: tensor.dims.clone(),
            data_type: tensor.data_type,
            ..TensorProto::default()
        };
    }
    bare.to_bytes().hash(&mut hasher);
    hasher.finish()
}
