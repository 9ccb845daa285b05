"""Shape inference of Sub-14: a difference of constants that leaves the range of int64 is an error.

pip install onnx==1.23.2 numpy
"""

import sys

import onnx
from onnx import parser, shape_inference

MODEL = parser.parse_model(
    """
    <ir_version: 7, opset_import: ["" : 14]>
    graph () => (int64[A] y) <int64[1] a = {9223372036854775807}, int64[1] b = {-1}> {
      y = Sub (a, b)
    }
    """
)
EXPECTED = [("INT64", [1])]


def described(output):
    """The type and the extents of an output: numbers, names, or None where nothing is inferred."""
    tensor = output.type.tensor_type
    extents = [dim.dim_value if dim.HasField("dim_value") else dim.dim_param or None for dim in tensor.shape.dim]
    return onnx.TensorProto.DataType.Name(tensor.elem_type), extents


for output in MODEL.graph.output:
    output.ClearField("type")
try:
    inferred = shape_inference.infer_shapes(MODEL, strict_mode=True, data_prop=True)
    found = [described(output) for output in inferred.graph.output]
except shape_inference.InferenceError as error:
    found = [" ".join(str(error).split())]
print("onnx", onnx.__version__)
print("expected:", *EXPECTED, "found:", *found, sep="\n")


def fits(found, expected):
    (type_, extents), (right, shape) = found, expected
    same_rank = len(extents) == len(shape)
    return type_ == right and same_rank and all(a is None or a == b for a, b in zip(extents, shape))


sys.exit(0 if type(found[0]) is tuple and all(map(fits, found, EXPECTED)) else 1)
