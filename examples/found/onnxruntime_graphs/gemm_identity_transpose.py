"""Transpose that changes nothing becomes a transposition of Gemm.

pip install numpy onnx==1.23.2 onnxruntime==1.20.1
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
    graph (float[2,1] a, float[1,1] b) => (float[2,1] y) {
      t = Transpose <perm = [0, 1]> (a)
      y = Gemm (t, b)
    }
    """
).SerializeToString()
INPUTS = {"a": numpy.array([[2], [3]], numpy.float32), "b": numpy.array([[4]], numpy.float32)}
EXPECTED = numpy.array([[8.0], [12.0]])


def run(**settings):
    try:
        session = onnxruntime.InferenceSession(MODEL, providers=["CPUExecutionProvider"], **settings)
        return session.run(None, INPUTS)[0]
    except Exception as error:  # the model is refused
        return str(error).strip().splitlines()[0]


print("onnxruntime", onnxruntime.__version__)
found, without = run(), run(disabled_optimizers=["GemmTransposeFusion"])
print("expected:", EXPECTED, "found:", found, "without GemmTransposeFusion:", without, sep="\n")
right = isinstance(found, numpy.ndarray) and found.shape == EXPECTED.shape and numpy.allclose(found, EXPECTED, 1e-12, 0)
sys.exit(0 if right else 1)
