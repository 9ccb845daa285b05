//! Tensors, values and models to and from ONNX's wire format.

mod external;
mod kind;
mod pack;
mod tensor;
mod value;

pub use external::load_model;
pub use tensor::{sparse_tensor_from_proto, sparse_tensor_to_proto, tensor_from_proto, tensor_to_proto};
pub use value::{value_from_bytes, value_to_bytes};

use prost::Message;

use crate::onnx::{GraphProto, ModelProto};

/// Why bytes or messages could not be read.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum WireError {
    /// Not a message of this kind.
    #[error("not a {what}: {reason}")]
    Decode {
        /// The message's name.
        what: &'static str,
        /// What the decoder says.
        reason: String,
    },
    /// A tensor whose fields contradict each other.
    #[error("tensor `{name}`: {reason}")]
    Tensor {
        /// The tensor's name, as far as it has one.
        name: String,
        /// What is wrong.
        reason: String,
    },
    /// A sequence, an optional or a map that contradicts itself, or is not of the type it should be.
    #[error("value `{name}`: {reason}")]
    Value {
        /// The value's name, as far as it has one.
        name: String,
        /// What is wrong.
        reason: String,
    },
    /// A file that cannot be read.
    #[error("{path}: {reason}", path = .path.display())]
    File {
        /// The file.
        path: std::path::PathBuf,
        /// What the system says, or what is wrong with it.
        reason: String,
    },
    /// A part that this project does not read.
    #[error("{0}")]
    Unsupported(String),
}

/// An ONNX model. Equality is that of bytes, so that a model with a NaN in it equals itself.
#[derive(Clone, Debug, Default)]
pub struct Model {
    /// The message itself.
    pub proto: ModelProto,
}

impl PartialEq for Model {
    fn eq(&self, other: &Model) -> bool {
        self.to_bytes() == other.to_bytes()
    }
}

impl Model {
    /// Reads `model.onnx`.
    pub fn from_bytes(bytes: &[u8]) -> Result<Model, WireError> {
        let proto =
            ModelProto::decode(bytes).map_err(|e| WireError::Decode { what: "ONNX model", reason: e.to_string() })?;
        if proto.graph.is_none() {
            return Err(WireError::Decode { what: "ONNX model", reason: "it has no graph".to_owned() });
        }
        Ok(Model { proto })
    }

    /// The bytes of `model.onnx`.
    pub fn to_bytes(&self) -> Vec<u8> {
        self.proto.encode_to_vec()
    }

    /// The main graph; an empty one where the model has none.
    pub fn graph(&self) -> &GraphProto {
        static EMPTY: std::sync::OnceLock<GraphProto> = std::sync::OnceLock::new();
        self.proto.graph.as_ref().unwrap_or_else(|| EMPTY.get_or_init(GraphProto::default))
    }

    /// The opset version imported for a domain (`""` and `ai.onnx` are one).
    pub fn opset(&self, domain: &str) -> Option<i64> {
        let canonical = |d: &str| if d == "ai.onnx" { String::new() } else { d.to_owned() };
        let wanted = canonical(domain);
        self.proto
            .opset_import
            .iter()
            .find(|o| canonical(o.domain.as_deref().unwrap_or("")) == wanted)
            .and_then(|o| o.version)
    }

    /// Names of the inputs that have no initializer, in order: what a caller supplies.
    pub fn input_names(&self) -> Vec<&str> {
        let graph = self.graph();
        graph
            .input
            .iter()
            .filter_map(|i| i.name.as_deref())
            .filter(|name| !graph.initializer.iter().any(|t| t.name.as_deref() == Some(name)))
            .collect()
    }

    /// Names of the outputs, in order.
    pub fn output_names(&self) -> Vec<&str> {
        self.graph().output.iter().filter_map(|o| o.name.as_deref()).collect()
    }
}
