"""ONNX's reference evaluator, OneHot-11: `depth` of rank 1 is refused.

pip install onnx==1.23.2 numpy
"""

import sys

import numpy
import onnx
from onnx import parser
from onnx.reference import ReferenceEvaluator

MODEL = parser.parse_model(
    """
    <ir_version: 8, opset_import: ["" : 11]>
    graph (int64[2] i, int64[1] d, float[2] v) => (float[2,2] y) {
      y = OneHot (i, d, v)
    }
    """
)
INPUTS = {"i": numpy.array([0, 1]), "d": numpy.array([2]), "v": numpy.array([0, 1], numpy.float32)}
EXPECTED = [numpy.eye(2, dtype=numpy.float32)]

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
