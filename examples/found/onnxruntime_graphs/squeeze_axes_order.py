"""Squeeze with axes in falling order, behind Reshape, keeps one of them.

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
    <ir_version: 4, opset_import: ["" : 7]>
    graph (float[n,m] x) => (float[a,b,c] y) <int64[5] s = {1, 1, 1, 1, 1}, float[1,1] c = {1}> {
      d = Transpose (c)
      z = Mul (x, d)
      r = Reshape (z, s)
      y = Squeeze <axes = [3, 1]> (r)
    }
    """
).SerializeToString()
INPUTS = {"x": numpy.ones([1, 1], numpy.float32)}
EXPECTED = numpy.array([[[1.0]]])


def run(**settings):
    try:
        session = onnxruntime.InferenceSession(MODEL, providers=["CPUExecutionProvider"], **settings)
        return session.run(None, INPUTS)[0]
    except Exception as error:  # the model is refused
        return str(error).strip().splitlines()[0]


print("onnxruntime", onnxruntime.__version__)
found, without = run(), run(disabled_optimizers=["ReshapeFusion"])
print("expected:", EXPECTED, "found:", found, "without ReshapeFusion:", without, sep="\n")
right = isinstance(found, numpy.ndarray) and found.shape == EXPECTED.shape and numpy.allclose(found, EXPECTED, 1e-12, 0)
sys.exit(0 if right else 1)
