"""Shape inference of Einsum-12: an axis of an ellipsis gets the extent with a name, although it may be 1 and is broadcast.

pip install onnx==1.23.2 numpy
"""

import sys

import onnx
from onnx import parser, shape_inference

MODEL = parser.parse_model(
    """
    <ir_version: 8, opset_import: ["" : 12]>
    graph (float[N,4] x, float[3,2] y) => (float[A,B,C] z) {
      z = Einsum <equation = "...a,...b->a...b"> (x, y)
    }
    """
)
EXPECTED = [("FLOAT", [4, 3, 2])]


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
