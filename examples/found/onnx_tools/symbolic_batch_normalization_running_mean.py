"""ONNX Runtime's symbolic shape inference, BatchNormalization-15: running_mean gets the type of X.

pip install onnxruntime==1.32.0 onnx==1.23.2 sympy==1.14.0
"""

import sys

import onnx
import onnxruntime
from onnxruntime.tools.symbolic_shape_infer import SymbolicShapeInference
from onnx import parser

MODEL = parser.parse_model(
    """
    <ir_version: 8, opset_import: ["" : 15]>
    graph (float[1,2] x, float[2] s, float[2] b, double[2] m, double[2] v) => (float[1,2] y, double[2] p, double[2] q) {
      y, p, q = BatchNormalization <training_mode = 1> (x, s, b, m, v)
    }
    """
)
EXPECTED = [("FLOAT", [1, 2]), ("DOUBLE", [2]), ("DOUBLE", [2])]


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
    inferred = SymbolicShapeInference.infer_shapes(MODEL)
    found = [described(output) for output in inferred.graph.output]
except Exception as error:
    found = [" ".join(f"{type(error).__name__}: {error}".split())]
print("onnxruntime", onnxruntime.__version__, "onnx", onnx.__version__)
print("expected:", *EXPECTED, "found:", *found, sep="\n")


def fits(found, expected):
    (type_, extents), (right, shape) = found, expected
    if type_ in (right, "UNDEFINED") and (extents is None or shape is None):
        return True
    return type_ == right and len(extents) == len(shape) and all(a is None or a == b for a, b in zip(extents, shape))


sys.exit(0 if type(found[0]) is tuple and all(map(fits, found, EXPECTED)) else 1)
