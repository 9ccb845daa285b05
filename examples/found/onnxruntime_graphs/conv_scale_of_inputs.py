"""The scales of the input channels of a quantized filter become those of its output channels.

pip install numpy onnx==1.23.2 onnxruntime==1.32.0
"""

import sys

import numpy
import onnx.parser
import onnxruntime

onnxruntime.set_default_logger_severity(4)
MODEL = onnx.parser.parse_model(
    """
    <ir_version: 8, opset_import: ["" : 13]>
    graph (uint8[1,2,1,1] x) => (uint8[1,2,1,1] y)
    <float one = {1}, uint8 z = {0}, int8[2,2,1,1] w = {1, 2, 3, 4}, float[2] s = {1, 2}> {
      d = DequantizeLinear (x, one, z)
      e = DequantizeLinear <axis = 1> (w, s)
      c = Conv (d, e)
      y = QuantizeLinear (c, one, z)
    }
    """
).SerializeToString()
INPUTS = {"x": numpy.array([1, 3], numpy.uint8).reshape(1, 2, 1, 1)}
# The filter is [[1 * 1, 2 * 2], [3 * 1, 4 * 2]].
EXPECTED = numpy.array([1 * 1 + 4 * 3, 3 * 1 + 8 * 3], numpy.uint8).reshape(1, 2, 1, 1)


def run(**settings):
    try:
        session = onnxruntime.InferenceSession(MODEL, providers=["CPUExecutionProvider"], **settings)
        return session.run(None, INPUTS)[0]
    except Exception as error:  # the model is refused
        return str(error).strip().splitlines()[-1]


print("onnxruntime", onnxruntime.__version__)
found, without = run(), run(disabled_optimizers=["QDQSelectorActionTransformer"])
print("expected:", EXPECTED, "found:", found, "without QDQSelectorActionTransformer:", without, sep="\n")
right = isinstance(found, numpy.ndarray) and found.shape == EXPECTED.shape and (found == EXPECTED).all()
sys.exit(0 if right else 1)
