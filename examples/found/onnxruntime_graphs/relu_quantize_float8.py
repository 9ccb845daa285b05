"""Relu before QuantizeLinear to float8 is removed, although float8 has negative numbers.

pip install numpy onnx==1.23.2 onnxruntime==1.32.0
"""

import sys

import numpy
import onnx.parser
import onnxruntime

onnxruntime.set_default_logger_severity(4)
MODEL = onnx.parser.parse_model(
    """
    <ir_version: 9, opset_import: ["" : 19]>
    graph (float[3] x) => (float[3] y) <float scale = {0.5}, float8e4m3fn zero = {0}> {
      r = Relu (x)
      q = QuantizeLinear (r, scale, zero)
      y = DequantizeLinear (q, scale, zero)
    }
    """
).SerializeToString()
INPUTS = {"x": numpy.array([-2.0, 0.0, 2.0], numpy.float32)}
EXPECTED = numpy.array([0.0, 0.0, 2.0], numpy.float32)


def run(**settings):
    try:
        session = onnxruntime.InferenceSession(MODEL, providers=["CPUExecutionProvider"], **settings)
        return session.run(None, INPUTS)[0]
    except Exception as error:  # the model is refused
        return str(error).strip().splitlines()[0]


print("onnxruntime", onnxruntime.__version__)
found, without = run(), run(disabled_optimizers=["ReluQuantRewrite"])
print("expected:", EXPECTED, "found:", found, "without ReluQuantRewrite:", without, sep="\n")
sys.exit(0 if numpy.array_equal(found, EXPECTED) else 1)
