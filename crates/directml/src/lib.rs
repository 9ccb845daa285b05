//! DirectML: descriptions of tensors, operators and graphs as plain data, in DirectML's own terms.
//!
//! An [`OperatorDescription`] is the data behind a `DML_OPERATOR_DESC`: the fields that `specs/directml` lists, in
//! their order. A [`Graph`] is the data behind a `DML_GRAPH_DESC`, with the constants it needs. Both can also hold
//! descriptions that DirectML refuses.
//!
//! [`lowering`] turns ONNX models into graphs, [`execution`] runs graphs on a [`software::Device`], and [`backend`]
//! combines the two. [`abi`] and [`packed`] lay descriptions out in memory as DirectML's interface does, and [`device`]
//! is the real device, on Windows.
//!
//! ```
//! use plumbline_directml::{OperatorDescription, TensorDescription};
//! use plumbline_spec::directml::TensorDataType::Float32;
//! let row = TensorDescription::packed(Float32, [2, 3]);
//! let column = TensorDescription::strided(Float32, [2, 3], [1, 0]);
//! let min = OperatorDescription::new("ELEMENT_WISE_MIN")
//!     .tensor("ATensor", row.clone())
//!     .tensor("BTensor", column)
//!     .tensor("OutputTensor", row)
//!     .build()?;
//! assert_eq!(min.inputs().len(), 2);
//! # Ok::<(), plumbline_directml::DescriptionError>(())
//! ```

pub mod abi;
pub mod backend;
mod builder;
pub mod carried;
mod description;
pub mod device;
pub mod dxdispatch;
pub mod execution;
mod graph;
pub mod lowering;
pub mod minimal;
mod native;
pub mod packed;
pub mod real;
pub mod self_check;
pub mod software;
mod tensor;
mod validate;

pub use builder::{DescriptionBuilder, DescriptionError, Given};
pub use description::{Attribute, FieldValue, OperatorDescription, Scalar, ScaleBias, Size2d};
pub use graph::{
    Graph, GraphBuilder, GraphInput, GraphOutput, InputEdge, InputSource, IntermediateEdge, Node, NodeBuilder,
    OutputEdge, Wire,
};
pub use tensor::{TensorDescription, TensorFlags, dtype_of};
pub use validate::{Binding, Rule, Violation, binding_violations, graph_violations, violations};
