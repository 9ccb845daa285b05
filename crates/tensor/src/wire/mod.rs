//! Converts tensors, values and models to and from ONNX's wire format.

mod external;
mod kind;
mod pack;
mod tensor;
mod value;

pub use external::load_model;
pub(crate) use pack::{packed_len, unpack};
pub use tensor::{sparse_tensor_from_proto, sparse_tensor_to_proto, tensor_from_proto, tensor_to_proto};
pub use value::{append_value, value_from_bytes, value_to_bytes};

use prost::Message;

use crate::onnx::{GraphProto, ModelProto};

/// Why bytes or messages could not be read or written.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum WireError {
    /// The bytes are not a message of this kind.
    #[error("not {what}: {reason}")]
    Decode {
        /// What the bytes should be, with an article: `an ONNX model`.
        what: &'static str,
        /// The error of the decoder, or what the decoded message lacks.
        reason: String,
    },
    /// A tensor is invalid; for example, its fields contradict each other.
    #[error("tensor `{name}`: {reason}")]
    Tensor {
        /// The name of the tensor, or empty if it has none.
        name: String,
        /// What is wrong with the tensor.
        reason: String,
    },
    /// A sequence, an optional or a map contradicts itself, or does not have the expected type.
    #[error("value `{name}`: {reason}")]
    Value {
        /// The name of the value, or empty if it has none.
        name: String,
        /// The reason why the value is invalid.
        reason: String,
    },
    /// A file cannot be read, or its contents are invalid.
    #[error("{path}: {reason}", path = .path.display())]
    File {
        /// The path of the file.
        path: std::path::PathBuf,
        /// The error of the operating system, or what is wrong with the file.
        reason: String,
    },
    /// The message has a part that the called function does not read.
    #[error("{0}")]
    Unsupported(String),
}

/// An ONNX model. Models are equal if their bytes are equal, so a model that contains a NaN equals itself.
#[derive(Clone, Debug, Default)]
pub struct Model {
    /// The decoded message.
    pub proto: ModelProto,
}

impl PartialEq for Model {
    fn eq(&self, other: &Model) -> bool {
        self.to_bytes() == other.to_bytes()
    }
}

impl Model {
    /// Reads the bytes of `model.onnx`.
    pub fn from_bytes(bytes: &[u8]) -> Result<Model, WireError> {
        Model::decode(bytes)
    }

    /// Reads the bytes of `model.onnx`. If they are [`bytes::Bytes`], the data of tensors are not copied.
    fn decode(bytes: impl bytes::Buf) -> Result<Model, WireError> {
        let proto = ModelProto::decode(bytes)
            .map_err(|e| WireError::Decode { what: "an ONNX model", reason: e.to_string() })?;
        if proto.graph.is_none() {
            return Err(WireError::Decode { what: "an ONNX model", reason: "it has no graph".to_owned() });
        }
        Ok(Model { proto })
    }

    /// Returns the bytes of `model.onnx`.
    pub fn to_bytes(&self) -> Vec<u8> {
        self.proto.encode_to_vec()
    }

    /// Returns the main graph, or an empty graph if the model has none.
    pub fn graph(&self) -> &GraphProto {
        static EMPTY: std::sync::OnceLock<GraphProto> = std::sync::OnceLock::new();
        self.proto.graph.as_ref().unwrap_or_else(|| EMPTY.get_or_init(GraphProto::default))
    }

    /// Returns the opset version that the model imports for a domain. `""` and `ai.onnx` are the same domain.
    pub fn opset(&self, domain: &str) -> Option<i64> {
        let canonical = |d: &str| if d == "ai.onnx" { String::new() } else { d.to_owned() };
        let wanted = canonical(domain);
        self.proto
            .opset_import
            .iter()
            .find(|o| canonical(o.domain.as_deref().unwrap_or("")) == wanted)
            .and_then(|o| o.version)
    }

    /// Returns the names of the inputs that the caller must supply, in order: those without an initializer, dense or
    /// sparse.
    pub fn input_names(&self) -> Vec<&str> {
        let graph = self.graph();
        // A sparse initializer has the name of its values.
        let sparse = || graph.sparse_initializer.iter().filter_map(|sparse| sparse.values.as_ref());
        graph
            .input
            .iter()
            .filter_map(|i| i.name.as_deref())
            .filter(|name| !graph.initializer.iter().chain(sparse()).any(|t| t.name.as_deref() == Some(name)))
            .collect()
    }

    /// Returns the names of the outputs, in order.
    pub fn output_names(&self) -> Vec<&str> {
        self.graph().output.iter().filter_map(|o| o.name.as_deref()).collect()
    }
}
