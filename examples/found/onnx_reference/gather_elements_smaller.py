"""ONNX's reference evaluator, GatherElements-13: indices of smaller extents are refused.

pip install onnx==1.23.2 numpy
"""

import sys

import numpy
import onnx
from onnx import parser
from onnx.reference import ReferenceEvaluator

MODEL = parser.parse_model(
    """
    <ir_version: 8, opset_import: ["" : 13]>
    graph (float[2,3] x, int64[1,2] i) => (float[1,2] y) {
      y = GatherElements <axis = 0> (x, i)
    }
    """
)
INPUTS = {"x": numpy.arange(6, dtype=numpy.float32).reshape(2, 3), "i": numpy.array([[1, 0]])}
EXPECTED = [numpy.array([[3, 1]], numpy.float32)]

try:
    found = ReferenceEvaluator(MODEL).run(None, INPUTS)
except Exception as error:
    while error.__cause__ is not None:
        error = error.__cause__
    found = [f"{type(error).__name__}: {error}"]
print("onnx", onnx.__version__)


def described(value):
    return f"{value.dtype} {value.tolist()}" if isinstance(value, numpy.ndarray) else value


print("expected:", *map(described, EXPECTED), "found:", *map(described, found), sep="\n")


def same(found, expected):
    is_alike = isinstance(found, numpy.ndarray) and (found.dtype, found.shape) == (expected.dtype, expected.shape)
    return is_alike and (numpy.allclose(found, expected) if expected.dtype.kind == "f" else (found == expected).all())


sys.exit(0 if all(map(same, found, EXPECTED)) else 1)
