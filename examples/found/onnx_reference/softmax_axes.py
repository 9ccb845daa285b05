"""ONNX's reference evaluator, Softmax-11: one axis is taken, and not all from `axis` on.

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
    graph (float[1,2,2] x) => (float[1,2,2] y) {
      y = Softmax (x)
    }
    """
)
INPUTS = {"x": numpy.zeros((1, 2, 2), numpy.float32)}
EXPECTED = [numpy.full((1, 2, 2), 0.25, numpy.float32)]

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
