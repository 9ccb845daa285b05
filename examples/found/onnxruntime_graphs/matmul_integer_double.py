"""A MatMulInteger that is scaled as double becomes an operator that does not take double.

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
    graph (uint8[1,2] a, double s) => (double[1,1] y) <uint8[2,1] b = {3, 4}, double[1] t = {0.5}> {
      p = MatMulInteger (a, b)
      c = Cast <to = 11> (p)
      f = Mul (s, t)
      y = Mul (c, f)
    }
    """
).SerializeToString()
INPUTS = {"a": numpy.array([[1, 2]], numpy.uint8), "s": numpy.array(1.0)}
EXPECTED = numpy.array([[5.5]])


def run(**settings):
    try:
        session = onnxruntime.InferenceSession(MODEL, providers=["CPUExecutionProvider"], **settings)
        return session.run(None, INPUTS)[0]
    except Exception as error:  # the model is refused
        return str(error).strip().splitlines()[0]


print("onnxruntime", onnxruntime.__version__)
found, without = run(), run(disabled_optimizers=["MatMulIntegerToFloatFusion"])
print("expected:", EXPECTED, "found:", found, "without MatMulIntegerToFloatFusion:", without, sep="\n")
right = isinstance(found, numpy.ndarray) and found.shape == EXPECTED.shape and numpy.allclose(found, EXPECTED, 1e-12, 0)
sys.exit(0 if right else 1)
