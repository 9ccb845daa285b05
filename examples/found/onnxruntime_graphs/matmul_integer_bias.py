"""The bias behind a scaled MatMulInteger is dropped, if a factor of the scale is no scalar.

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
    graph (uint8[1,1] a, float s, float[1,1] r) => (float[1,2] y) <int8[1,2] b = {1, 2}, float[2] c = {10, 20}> {
      m = MatMulInteger (a, b)
      f = Cast <to = 1> (m)
      t = Mul (s, r)
      p = Mul (t, f)
      y = Add (p, c)
    }
    """
).SerializeToString()
INPUTS = {"a": numpy.array([[4]], numpy.uint8), "s": numpy.array(1, numpy.float32), "r": numpy.array([[0.5]], numpy.float32)}
EXPECTED = numpy.array([[12.0, 24.0]])


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
