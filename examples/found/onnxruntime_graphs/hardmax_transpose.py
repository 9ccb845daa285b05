"""Transpose is moved through Hardmax, which then finds another one of two equal maxima.

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
    <ir_version: 7, opset_import: ["" : 12]>
    graph (float[1,2,3] x) => (float[1,2,3] y) {
      t = Transpose <perm = [0, 2, 1]> (x)
      h = Hardmax (t)
      y = Transpose <perm = [0, 2, 1]> (h)
    }
    """
).SerializeToString()
INPUTS = {"x": numpy.array([[[0, 0, 1], [1, 0, 0]]], numpy.float32)}
EXPECTED = numpy.array([[[0, 0, 0], [1, 0, 0]]])
UNOPTIMIZED = onnxruntime.SessionOptions()
UNOPTIMIZED.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL


def run(**settings):
    try:
        session = onnxruntime.InferenceSession(MODEL, providers=["CPUExecutionProvider"], **settings)
        return session.run(None, INPUTS)[0]
    except Exception as error:  # the model is refused
        return str(error).strip().splitlines()[0]


print("onnxruntime", onnxruntime.__version__)
found, without = run(), run(sess_options=UNOPTIMIZED)
print("expected:", EXPECTED, "found:", found, "without the optimizer:", without, sep="\n")
right = isinstance(found, numpy.ndarray) and found.shape == EXPECTED.shape and numpy.allclose(found, EXPECTED, 1e-12, 0)
sys.exit(0 if right else 1)
