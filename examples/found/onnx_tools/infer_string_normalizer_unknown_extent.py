"""Shape inference of StringNormalizer-10: a first extent that is not known is refused, as if it were not 1.

pip install onnx==1.23.2 numpy
"""

import sys

import onnx
from onnx import parser, shape_inference

MODEL = parser.parse_model(
    """
    <ir_version: 5, opset_import: ["" : 10]>
    graph (string[N,C] x) => (string[A,B] y) {
      y = StringNormalizer (x)
    }
    """
)
EXPECTED = [("STRING", [1, "at most C"])]


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
