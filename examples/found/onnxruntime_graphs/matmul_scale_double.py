"""A factor of a product of doubles becomes a float attribute, and is rounded to float.

pip install numpy onnx==1.23.2 onnxruntime==1.31.1
"""

import sys

import numpy
import onnx.parser
import onnxruntime

numpy.set_printoptions(precision=17)
onnxruntime.set_default_logger_severity(4)
MODEL = onnx.parser.parse_model(
    """
    <ir_version: 8, opset_import: ["" : 18]>
    graph (double[1,1] a, double[1,1] b) => (double[1,1] y) <double scale = {0.1}> {
      p = MatMul (a, b)
      y = Mul (p, scale)
    }
    """
).SerializeToString()
INPUTS = {"a": numpy.ones((1, 1)), "b": numpy.ones((1, 1))}
EXPECTED = numpy.array([[0.1]])


def run(**settings):
    try:
        session = onnxruntime.InferenceSession(MODEL, providers=["CPUExecutionProvider"], **settings)
        return session.run(None, INPUTS)[0]
    except Exception as error:  # the model is refused
        return str(error).strip().splitlines()[0]


print("onnxruntime", onnxruntime.__version__)
found, without = run(), run(disabled_optimizers=["MatMulScaleFusion"])
print("expected:", EXPECTED, "found:", found, "without MatMulScaleFusion:", without, sep="\n")
right = isinstance(found, numpy.ndarray) and found.shape == EXPECTED.shape and numpy.allclose(found, EXPECTED, 1e-12, 0)
sys.exit(0 if right else 1)
