"""Two quantizations with different scales become one, which rounds to another number.

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
    graph (float[1] x) => (float[1] y) <float s = {0.1}, uint8 z = {0}, float s2 = {0.75}> {
      q = QuantizeLinear (x, s, z)
      f = DequantizeLinear (q, s, z)
      r = QuantizeLinear (f, s2, z)
      y = DequantizeLinear (r, s2, z)
    }
    """
).SerializeToString()
INPUTS = {"x": numpy.array([1.0], numpy.float32)}
EXPECTED = numpy.array([0.75])


def run(**settings):
    try:
        session = onnxruntime.InferenceSession(MODEL, providers=["CPUExecutionProvider"], **settings)
        return session.run(None, INPUTS)[0]
    except Exception as error:  # the model is refused
        return str(error).strip().splitlines()[0]


print("onnxruntime", onnxruntime.__version__)
found, without = run(), run(disabled_optimizers=["DoubleQDQPairsRemover"])
print("expected:", EXPECTED, "found:", found, "without DoubleQDQPairsRemover:", without, sep="\n")
right = isinstance(found, numpy.ndarray) and found.shape == EXPECTED.shape and numpy.allclose(found, EXPECTED, 1e-12, 0)
sys.exit(0 if right else 1)
