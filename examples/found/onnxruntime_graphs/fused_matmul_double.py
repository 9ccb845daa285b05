"""Transpose and MatMul of doubles become an operator that has no kernel for double.

pip install numpy onnx==1.23.2 onnxruntime==1.20.1
"""

import sys

import numpy
import onnx.parser
import onnxruntime

numpy.set_printoptions(precision=17)
onnxruntime.set_default_logger_severity(4)
MODEL = onnx.parser.parse_model(
    """
    <ir_version: 8, opset_import: ["" : 13]>
    graph (double[2,1] a, double[2,1] b) => (double[1,1] y) {
      t = Transpose (a)
      y = MatMul (t, b)
    }
    """
).SerializeToString()
INPUTS = {"a": numpy.array([[2.0], [3.0]]), "b": numpy.array([[4.0], [5.0]])}
EXPECTED = numpy.array([[23.0]])


def run(**settings):
    try:
        session = onnxruntime.InferenceSession(MODEL, providers=["CPUExecutionProvider"], **settings)
        return session.run(None, INPUTS)[0]
    except Exception as error:  # the model is refused
        return str(error).strip().splitlines()[0]


print("onnxruntime", onnxruntime.__version__)
found, without = run(), run(disabled_optimizers=["MatmulTransposeFusion"])
print("expected:", EXPECTED, "found:", found, "without MatmulTransposeFusion:", without, sep="\n")
right = isinstance(found, numpy.ndarray) and found.shape == EXPECTED.shape and numpy.allclose(found, EXPECTED, 1e-12, 0)
sys.exit(0 if right else 1)
