//! The Python files of the worker protocol and of the adapters of runtimes, as text. The package in `plumbline/` is not
//! among these files; only the wheel has it.

/// A file: its name and its text.
pub type File = (&'static str, &'static str);

/// The worker protocol for backends written in Python.
pub const WORKER: File = ("plumbline_worker.py", include_str!("plumbline_worker.py"));
/// Converts ONNX's values between protobuf and numpy arrays, for backends written in Python.
pub const VALUES: File = ("plumbline_onnx.py", include_str!("plumbline_onnx.py"));
/// OpenVINO's Python API as a backend.
pub const OPENVINO: File = ("openvino_adapter.py", include_str!("openvino_adapter.py"));
/// Tools that rewrite models. The first argument of the program names one of them.
pub const REWRITERS: File = ("rewriters.py", include_str!("rewriters.py"));
/// tract's Python API as a backend.
pub const TRACT: File = ("tract_adapter.py", include_str!("tract_adapter.py"));
/// The inputs that tract needs as constants, for [`TRACT`]. Each line has an operator and the names of these inputs.
pub const TRACT_CONSTANT_INPUTS: File = ("tract_constant_inputs.txt", include_str!("tract_constant_inputs.txt"));
/// Any Python module or class that implements `onnx.backend.base.Backend`, as a backend.
pub const ONNX_BACKEND: File = ("onnx_backend_adapter.py", include_str!("onnx_backend_adapter.py"));
/// ONNX's reference evaluator as a backend.
pub const ONNX_REFERENCE: File = ("onnx_reference_adapter.py", include_str!("onnx_reference_adapter.py"));
