"""Transpose is lost in front of MatMul if the second factor is a vector.

pip install numpy onnx==1.23.2 onnxruntime==1.32.0
"""

import sys

import numpy
import onnx.parser
import onnxruntime

onnxruntime.set_default_logger_severity(4)
MODEL = onnx.parser.parse_model(
    """
    <ir_version: 8, opset_import: ["" : 17]>
    graph (float[2,2] x, float[2] v) => (float[2] y) {
      t = Transpose <perm = [1, 0]> (x)
      y = MatMul (t, v)
    }
    """
).SerializeToString()
INPUTS = {"x": numpy.array([[1, 2], [3, 4]], numpy.float32), "v": numpy.array([1, 10], numpy.float32)}
EXPECTED = INPUTS["x"].T @ INPUTS["v"]


def run(**settings):
    try:
        session = onnxruntime.InferenceSession(MODEL, providers=["CPUExecutionProvider"], **settings)
        return session.run(None, INPUTS)[0]
    except Exception as error:  # the model is refused
        return str(error).strip().splitlines()[-1]


print("onnxruntime", onnxruntime.__version__)
found, without = run(), run(disabled_optimizers=["MatmulTransposeFusion"])
print("expected:", EXPECTED, "found:", found, "without MatmulTransposeFusion:", without, sep="\n")
right = isinstance(found, numpy.ndarray) and found.shape == EXPECTED.shape and (found == EXPECTED).all()
sys.exit(0 if right else 1)
