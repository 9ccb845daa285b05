"""LeakyRelu between a DequantizeLinear with a scale for each row and QuantizeLinear cannot be created.

pip install numpy onnx==1.23.2 onnxruntime==1.32.0
"""

import sys

import numpy
import onnx.parser
import onnxruntime

onnxruntime.set_default_logger_severity(4)
MODEL = onnx.parser.parse_model(
    """
    <ir_version: 8, opset_import: ["" : 16]>
    graph (uint8[2,2] x) => (uint8[2,2] y) <float[2] s = {1, 2}, float one = {1}, uint8 z = {0}> {
      d = DequantizeLinear <axis = 0> (x, s)
      r = LeakyRelu (d)
      y = QuantizeLinear (r, one, z)
    }
    """
).SerializeToString()
INPUTS = {"x": numpy.array([[1, 2], [3, 4]], numpy.uint8)}
# (x - 0) * s with s along the first axis; LeakyRelu does not change what is not negative.
EXPECTED = numpy.array([[1, 2], [6, 8]], numpy.uint8)


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
