"""MatMulInteger and its scale become one operator, whose output lacks the dimensions that the scale adds.

pip install numpy onnx==1.23.2 onnxruntime==1.32.0
"""

import sys

import numpy
import onnx.parser
import onnxruntime

onnxruntime.set_default_logger_severity(4)
MODEL = onnx.parser.parse_model(
    """
    <ir_version: 7, opset_import: ["" : 14]>
    graph (uint8[1,2] a, float[1,1,1] s) => (float[1,1,1] y) <uint8[2,1] b = {3, 4}, float t = {0.5}> {
      p = MatMulInteger (a, b)
      c = Cast <to = 1> (p)
      f = Mul (s, t)
      y = Mul (f, c)
    }
    """
).SerializeToString()
INPUTS = {"a": numpy.array([[1, 2]], numpy.uint8), "s": numpy.ones((1, 1, 1), numpy.float32)}
EXPECTED = numpy.array([[[5.5]]], numpy.float32)


def run(**settings):
    try:
        session = onnxruntime.InferenceSession(MODEL, providers=["CPUExecutionProvider"], **settings)
        return session.run(None, INPUTS)[0]
    except Exception as error:  # the model is refused
        return str(error).strip().splitlines()[0]


print("onnxruntime", onnxruntime.__version__)
found, without = run(), run(disabled_optimizers=["MatMulIntegerToFloatFusion"])
print("expected:", EXPECTED, "found:", found, "without MatMulIntegerToFloatFusion:", without, sep="\n")
sys.exit(0 if numpy.array_equal(found, EXPECTED) else 1)
