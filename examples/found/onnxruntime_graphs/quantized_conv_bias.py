"""A bias of floats is rounded to a multiple of the product of two scales.

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
    graph (uint8[1,1,1] x) => (uint8[1,1,1] y) <
      float xs = {1}, uint8 z = {0}, int8[1,1,1] w = {1}, float ws = {1}, float[1] b = {0.5}, float ys = {0.25}> {
      f = DequantizeLinear (x, xs, z)
      g = DequantizeLinear (w, ws)
      c = Conv (f, g, b)
      y = QuantizeLinear (c, ys, z)
    }
    """
).SerializeToString()
INPUTS = {"x": numpy.array([[[7]]], numpy.uint8)}
EXPECTED = numpy.array([[[30]]])


def run(**settings):
    try:
        session = onnxruntime.InferenceSession(MODEL, providers=["CPUExecutionProvider"], **settings)
        return session.run(None, INPUTS)[0]
    except Exception as error:  # the model is refused
        return str(error).strip().splitlines()[0]


print("onnxruntime", onnxruntime.__version__)
found, without = run(), run(disabled_optimizers=["WeightBiasQuantization"])
print("expected:", EXPECTED, "found:", found, "without WeightBiasQuantization:", without, sep="\n")
right = isinstance(found, numpy.ndarray) and found.shape == EXPECTED.shape and numpy.allclose(found, EXPECTED, 1e-12, 0)
sys.exit(0 if right else 1)
