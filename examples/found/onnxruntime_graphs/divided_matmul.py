"""A quotient in front of MatMul is divided behind it, where the product has overflowed.

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
    <ir_version: 8, opset_import: ["" : 13]>
    graph (float[1,1] x, float[1,1] w) => (float[1,1] y) <float c = {4}> {
      q = Div (x, c)
      y = MatMul (q, w)
    }
    """
).SerializeToString()
INPUTS = {"x": numpy.array([[2.0**127]], numpy.float32), "w": numpy.array([[2]], numpy.float32)}
EXPECTED = numpy.array([[2.0**126]])


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
