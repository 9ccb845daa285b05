"""Shape inference of DFT-20: the axis of the signal keeps an extent with a name, whatever `dft_length` is at run time.

pip install onnx==1.23.2 numpy
"""

import sys

import onnx
from onnx import parser, shape_inference

MODEL = parser.parse_model(
    """
    <ir_version: 9, opset_import: ["" : 20]>
    graph (float[N,1] x, int64 dft_length) => (float[A,B] y) {
      y = DFT <onesided = 1> (x, dft_length)
    }
    """
)
EXPECTED = [("FLOAT", ["dft_length / 2 + 1", 2])]


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
