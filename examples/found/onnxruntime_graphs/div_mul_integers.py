"""1 / b * c of integers becomes c / b, although 1 / b is rounded before it is multiplied.

pip install numpy onnx==1.23.2 onnxruntime==1.32.0
"""

import sys

import numpy
import onnx.parser
import onnxruntime

onnxruntime.set_default_logger_severity(4)
MODEL = onnx.parser.parse_model(
    """
    <ir_version: 8, opset_import: ["" : 14]>
    graph (int32[3] b, int32[3] c) => (int32[3] y) <int32 one = {1}> {
      q = Div (one, b)
      y = Mul (q, c)
    }
    """
).SerializeToString()
INPUTS = {"b": numpy.array([2, 1, -3], numpy.int32), "c": numpy.array([6, 7, 9], numpy.int32)}
# The quotient of integers is truncated: 1 / 2 and 1 / -3 are 0.
EXPECTED = numpy.array([0, 7, 0], numpy.int32)


def run(**settings):
    try:
        session = onnxruntime.InferenceSession(MODEL, providers=["CPUExecutionProvider"], **settings)
        return session.run(None, INPUTS)[0]
    except Exception as error:  # the model is refused
        return str(error).strip().splitlines()[-1]


print("onnxruntime", onnxruntime.__version__)
found, without = run(), run(disabled_optimizers=["DivMulFusion"])
print("expected:", EXPECTED, "found:", found, "without DivMulFusion:", without, sep="\n")
right = isinstance(found, numpy.ndarray) and found.shape == EXPECTED.shape and (found == EXPECTED).all()
sys.exit(0 if right else 1)
