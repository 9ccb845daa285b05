"""Transpose before Gemm is removed, although what it computes is an output, too.

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
    <ir_version: 8, opset_import: ["" : 14]>
    graph (float[2,1] a, float[1,2] b) => (float[2,1] w, float[1,1] y) {
      t = Transpose (a)
      w = Transpose (b)
      y = Gemm (t, w)
    }
    """
).SerializeToString()
INPUTS = {"a": numpy.ones([2, 1], numpy.float32), "b": numpy.array([[2, 3]], numpy.float32)}
EXPECTED = numpy.array([[2.0], [3.0]])


def run(**settings):
    try:
        session = onnxruntime.InferenceSession(MODEL, providers=["CPUExecutionProvider"], **settings)
        return session.run(["w"], INPUTS)[0]
    except Exception as error:  # the model is refused
        return str(error).strip().splitlines()[0]


print("onnxruntime", onnxruntime.__version__)
found, without = run(), run(disabled_optimizers=["GemmTransposeFusion"])
print("expected:", EXPECTED, "found:", found, "without GemmTransposeFusion:", without, sep="\n")
right = isinstance(found, numpy.ndarray) and found.shape == EXPECTED.shape and numpy.allclose(found, EXPECTED, 1e-12, 0)
sys.exit(0 if right else 1)
