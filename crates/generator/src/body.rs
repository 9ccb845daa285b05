//! Graphs that are built node by node: for GRAPH attributes, or for nodes before the operator's own. Their nodes can
//! refer to values of the surrounding graph by name (see [`crate::Draw::outer`]).

use plumbline_spec::{Spec, TypeStr};
use plumbline_tensor::onnx::{AttributeProto, GraphProto, NodeProto};
use plumbline_tensor::{DType, Tensor, ValueKind, tensor_to_proto};

use crate::declarations::{kind_of, value_info};

/// A graph that is being built.
#[derive(Clone, Debug)]
pub struct Body {
    graph: GraphProto,
}

impl Body {
    /// Returns a graph without inputs, outputs or nodes.
    pub fn new(name: &str) -> Body {
        Body { graph: GraphProto { name: Some(name.to_owned()), ..GraphProto::default() } }
    }

    /// Adds a formal input, with its shape if that is known.
    pub fn input(mut self, name: &str, kind: &ValueKind, shape: Option<&[usize]>) -> Body {
        self.graph.input.push(value_info(name, kind, shape));
        self
    }

    /// Adds an output, with its shape if that is known.
    pub fn output(mut self, name: &str, kind: &ValueKind, shape: Option<&[usize]>) -> Body {
        self.graph.output.push(value_info(name, kind, shape));
        self
    }

    /// Adds a node of an `ai.onnx` operator with one output and no attributes.
    pub fn node(self, operator: &str, inputs: &[&str], output: &str) -> Body {
        self.node_with(operator, inputs, output, vec![])
    }

    /// Adds a node of an `ai.onnx` operator with one output and these attributes.
    pub fn node_with(mut self, operator: &str, inputs: &[&str], output: &str, attribute: Vec<AttributeProto>) -> Body {
        self.graph.node.push(NodeProto {
            op_type: Some(operator.to_owned()),
            input: inputs.iter().map(|i| (*i).to_owned()).collect(),
            output: vec![output.to_owned()],
            attribute,
            ..NodeProto::default()
        });
        self
    }

    /// Adds an Identity node that copies a value. If Identity does not take the type at this opset, adds a Loop without
    /// iterations instead.
    pub fn copy(self, opset: u32, type_: &TypeStr, from: &str, to: &str) -> Body {
        if takes("Identity", opset, type_) {
            return self.node("Identity", &[from], to);
        }
        let name = |what: &str| format!("{to}_{what}");
        let (number, goes_on, value, stop) = (name("number"), name("goes_on"), name("value"), name("stop"));
        let through = Body::new("through")
            .input(&number, &ValueKind::Tensor(DType::Int64), Some(&[]))
            .input(&goes_on, &ValueKind::Tensor(DType::Bool), Some(&[]))
            .input(&value, &kind_of(type_), None)
            .output(&goes_on, &ValueKind::Tensor(DType::Bool), Some(&[]))
            .output(&value, &kind_of(type_), None);
        let never = Tensor::from_i128s(DType::Bool, vec![], &[0]).expect("a scalar of bool has one element");
        let never = AttributeProto {
            name: Some("value".to_owned()),
            t: Some(tensor_to_proto(&never, "")),
            r#type: Some(4),
            ..AttributeProto::default()
        };
        self.node_with("Constant", &[], &stop, vec![never]).node_with(
            "Loop",
            &["", &stop, from],
            to,
            vec![through.attribute("body")],
        )
    }

    /// Returns the graph as a GRAPH attribute of this name.
    pub fn attribute(self, name: &str) -> AttributeProto {
        let g = Some(Box::new(self.graph));
        AttributeProto { name: Some(name.to_owned()), g, r#type: Some(5), ..AttributeProto::default() }
    }

    /// Returns the graph.
    pub fn build(self) -> GraphProto {
        self.graph
    }
}

/// Returns whether some type variable of an `ai.onnx` operator allows this type at an opset.
pub fn takes(operator: &str, opset: u32, type_: &TypeStr) -> bool {
    let version = Spec::embedded().resolve("", operator, i64::from(opset));
    version.is_some_and(|v| v.types.values().any(|types| types.contains(type_)))
}
