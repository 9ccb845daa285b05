"""ONNX's reference evaluator, ReduceSumSquare-18: the result of int32 is int64.

pip install onnx==1.23.2 numpy
"""

import sys

import numpy
import onnx
from onnx import parser
from onnx.reference import ReferenceEvaluator

MODEL = parser.parse_model(
    """
    <ir_version: 8, opset_import: ["" : 18]>
    graph (int32[2] x) => (int32[1] y) {
      y = ReduceSumSquare (x)
    }
    """
)
INPUTS = {"x": numpy.array([3, 4], numpy.int32)}
EXPECTED = [numpy.array([25], numpy.int32)]

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
