"""DequantizeLinear of uint2 is moved behind Slice, which does not take uint2.

pip install numpy onnx==1.23.2 onnxruntime==1.32.0
"""

import sys

import numpy
import onnx.parser
import onnxruntime

onnxruntime.set_default_logger_severity(4)
MODEL = onnx.parser.parse_model(
    """
    <ir_version: 13, opset_import: ["" : 25]>
    graph (float[3] x) => (float[2] y) <float one = {1}, uint2 z = {0}, int64[1] from = {1}, int64[1] to = {3}> {
      q = QuantizeLinear (x, one, z)
      d = DequantizeLinear (q, one, z)
      e = Slice (d, from, to)
      y = Neg (e)
    }
    """
).SerializeToString()
INPUTS = {"x": numpy.array([1, 2, 3], numpy.float32)}
EXPECTED = numpy.array([-2, -3], numpy.float32)


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
