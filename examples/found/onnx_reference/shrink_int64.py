"""ONNX's reference evaluator, Shrink-9: int64 goes through double.

pip install onnx==1.23.2 numpy
"""

import sys

import numpy
import onnx
from onnx import parser
from onnx.reference import ReferenceEvaluator

MODEL = parser.parse_model(
    """
    <ir_version: 8, opset_import: ["" : 9]>
    graph (int64[1] x) => (int64[1] y) {
      y = Shrink <bias = 0.0, lambd = 0.5> (x)
    }
    """
)
INPUTS = {"x": numpy.array([2**53 + 1])}
EXPECTED = [numpy.array([2**53 + 1])]

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
