"""The package onnx-shape-inference, Loop-16: `cond` is required.

pip install onnx-shape-inference==0.4.0 onnx==1.23.2
"""

import importlib.metadata
import sys

import onnx
import onnx_ir
from onnx_shape_inference import infer_symbolic_shapes
from onnx import parser

MODEL = parser.parse_model(
    """
    <ir_version: 8, opset_import: ["" : 16]>
    graph (int64 n, float[2] x) => (float[2] y) {
      y = Loop (n, , x) <body = b (int64 i, bool a, float[2] c) => (bool d, float[2] e) { d = Identity (a) e = Neg (c) }>
    }
    """
)
EXPECTED = [("FLOAT", [2])]


def described(output):
    """The type and the extents of an output: numbers, names, or None where nothing is inferred."""
    kind = output.type.WhichOneof("value")
    type_ = output.type.sequence_type.elem_type if kind == "sequence_type" else output.type
    tensor = type_.tensor_type
    extents = [dim.dim_value if dim.HasField("dim_value") else dim.dim_param or None for dim in tensor.shape.dim]
    name = onnx.TensorProto.DataType.Name(tensor.elem_type)
    return (f"seq({name})" if kind == "sequence_type" else name), extents if tensor.HasField("shape") else None


for output in MODEL.graph.output:
    output.ClearField("type")
try:
    inferred = onnx_ir.to_proto(infer_symbolic_shapes(onnx_ir.from_proto(MODEL)))
    found = [described(output) for output in inferred.graph.output]
except Exception as error:
    found = [" ".join(f"{type(error).__name__}: {error}".split())]
print("onnx-shape-inference", importlib.metadata.version("onnx-shape-inference"), "onnx", onnx.__version__)
print("expected:", *EXPECTED, "found:", *found, sep="\n")


def fits(found, expected):
    (type_, extents), (right, shape) = found, expected
    if type_ in (right, "UNDEFINED") and (extents is None or shape is None):
        return True
    return type_ == right and len(extents) == len(shape) and all(a is None or a == b for a, b in zip(extents, shape))


sys.exit(0 if type(found[0]) is tuple and all(map(fits, found, EXPECTED)) else 1)
