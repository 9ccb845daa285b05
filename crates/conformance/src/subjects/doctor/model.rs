//! Models of operators that change nothing, in ONNX's text syntax.

use plumbline_spec::{Opsets, Spec};
use plumbline_tensor::{DType, Model, Tensor, Value, tensor_from_proto, tensor_to_proto};

/// An operator that carries a tensor from its input to its output.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Carrier {
    /// Identity, which returns its input.
    Identity,
    /// Reshape to the shape that the input has.
    Reshape,
    /// Cast to the type that the input has.
    Cast,
    /// Add of a zero: -0 for floats, which leaves zeros of both signs as they are.
    Add,
}

/// A domain in which no runtime has operators.
const UNKNOWN: &str = "plumbline.doctor";

/// The opset of models that need no newer one.
pub const OPSET: i64 = 13;

impl Carrier {
    /// All carriers, in the order in which they are tried.
    pub const ALL: [Carrier; 4] = [Carrier::Identity, Carrier::Reshape, Carrier::Cast, Carrier::Add];

    /// Returns the name of the operator.
    pub fn name(self) -> &'static str {
        match self {
            Carrier::Identity => "Identity",
            Carrier::Reshape => "Reshape",
            Carrier::Cast => "Cast",
            Carrier::Add => "Add",
        }
    }

    /// Returns the names of all carriers, for a sentence.
    pub fn names() -> String {
        Carrier::ALL.map(Carrier::name).join(", ")
    }

    /// Returns the oldest opset from 13 on in which the operator takes this type. Add is used for four types only.
    pub fn opset(self, dtype: DType) -> Option<i64> {
        if self == Carrier::Add && ![DType::Float, DType::Double, DType::Int32, DType::Int64].contains(&dtype) {
            return None;
        }
        let operator = Spec::embedded()
            .operators()
            .find(|operator| operator.domain == "ai.onnx" && operator.name == self.name())?;
        let takes = |opset: i64| {
            let version = operator.resolve(opset)?;
            let types = version.types_of(version.inputs.first()?);
            types.iter().any(|type_| type_.tensor_dtype() == Some(dtype)).then_some(opset)
        };
        let newer = operator.versions.iter().map(|version| i64::from(version.since)).filter(|&since| since > OPSET);
        std::iter::once(OPSET).chain(newer).find_map(takes)
    }

    /// Returns a node of the operator in the text syntax.
    pub fn node(self, output: &str, input: &str, dtype: DType) -> String {
        match self {
            Carrier::Identity => format!("{output} = Identity ({input})"),
            Carrier::Reshape => format!("{output} = Reshape ({input}, copied)"),
            Carrier::Cast => format!("{output} = Cast <to: int = {}> ({input})", dtype.code()),
            Carrier::Add => format!("{output} = Add ({input}, nothing)"),
        }
    }

    /// Returns the initializers that nodes of the operator need for inputs of this rank, in the text syntax.
    pub fn initializers(self, dtype: DType, rank: usize) -> String {
        match self {
            Carrier::Identity | Carrier::Cast => String::new(),
            // A zero copies the extent of the input.
            Carrier::Reshape => format!("<int64[{rank}] copied = {{{}}}>", vec!["0"; rank].join(", ")),
            Carrier::Add if dtype.is_float() => format!("<{dtype} nothing = {{-0.0}}>"),
            Carrier::Add => format!("<{dtype} nothing = {{0}}>"),
        }
    }

    /// Returns a model of one node for tensors of this type and shape.
    pub fn model(self, dtype: DType, shape: &[usize]) -> Model {
        let type_ = declared(dtype, shape);
        let (node, initializers) = (self.node("y", "x", dtype), self.initializers(dtype, shape.len()));
        let graph = format!("carry ({type_} x) => ({type_} y) {initializers} {{ {node} }}");
        parse(self.opset(dtype).unwrap_or(OPSET), &graph)
    }

    /// Returns a model of several nodes of the operator, for one-dimensional float tensors. `nodes` holds the output
    /// and the input of each node.
    pub fn graph(self, name: &str, inputs: &str, outputs: &str, nodes: &[(&str, &str)]) -> Model {
        let nodes: Vec<String> = nodes.iter().map(|(output, input)| self.node(output, input, DType::Float)).collect();
        let initializers = self.initializers(DType::Float, 1);
        let graph = format!("{name} ({inputs}) => ({outputs}) {initializers} {{ {} }}", nodes.join(" "));
        parse(OPSET, &graph)
    }
}

/// Returns a tensor of floats as a value.
pub fn floats(shape: &[usize], numbers: &[f32]) -> Value {
    let tensor = Tensor::from_f32s(shape.to_vec(), numbers);
    Value::Tensor(tensor.expect("there are as many numbers as the shape says"))
}

/// Returns a type and a shape in the text syntax: `float[2,3]`, and `float` for a scalar.
fn declared(dtype: DType, shape: &[usize]) -> String {
    let extents: Vec<String> = shape.iter().map(usize::to_string).collect();
    if extents.is_empty() { dtype.to_string() } else { format!("{dtype}[{}]", extents.join(",")) }
}

/// Returns a model with this graph, in the IR version that came with the opset. Initializers are in `raw_data`, as in
/// generated cases.
pub fn parse(opset: i64, graph: &str) -> Model {
    let mut model = parse_typed(opset, graph);
    if let Some(graph) = &mut model.proto.graph {
        for initializer in &mut graph.initializer {
            if let Ok(tensor) = tensor_from_proto(initializer) {
                *initializer = tensor_to_proto(&tensor, initializer.name.as_deref().unwrap_or(""));
            }
        }
    }
    model
}

/// Does the same as [`parse`], but leaves the elements of each initializer in the field for their type, such as
/// `float_data`.
pub fn parse_typed(opset: i64, graph: &str) -> Model {
    let ir = Opsets::embedded().release_of("ai.onnx", opset).map_or(7, |release| release.ir);
    // A runtime may refuse to load a model that imports a domain it does not know.
    let other = if graph.contains(UNKNOWN) { format!(", \"{UNKNOWN}\" : 1") } else { String::new() };
    let text = format!("<ir_version: {ir}, opset_import: [\"\" : {opset}{other}]> {graph}");
    text.parse().expect("the models of the checks are valid texts")
}
