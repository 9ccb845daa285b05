//! The worker protocol and the adapters of runtimes in Python, as text: the files of this folder.

/// A file: its name and its text.
pub type File = (&'static str, &'static str);

/// The worker protocol for backends written in Python.
pub const WORKER: File = ("plumbline_worker.py", include_str!("plumbline_worker.py"));
/// ONNX's values for backends written in Python: arrays of numpy from protobuf, and back.
pub const VALUES: File = ("plumbline_onnx.py", include_str!("plumbline_onnx.py"));
/// OpenVINO's Python API as a backend.
pub const OPENVINO: File = ("openvino_adapter.py", include_str!("openvino_adapter.py"));
/// tract's Python API as a backend.
pub const TRACT: File = ("tract_adapter.py", include_str!("tract_adapter.py"));
/// Which inputs tract needs as constants.
pub const TRACT_CONSTANT_INPUTS: File = ("tract_constant_inputs.txt", include_str!("tract_constant_inputs.txt"));
/// An implementation of `onnx.backend.base.Backend` as a backend.
pub const ONNX_BACKEND: File = ("onnx_backend_adapter.py", include_str!("onnx_backend_adapter.py"));
