"""Relu and Clip of doubles cannot be joined, which ends in an error.

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
    graph (double[2] x) => (double[2] y) <double low = {0.5}> {
      r = Relu (x)
      y = Clip (r, low)
    }
    """
).SerializeToString()
INPUTS = {"x": numpy.array([-1.0, 2.0])}
EXPECTED = numpy.array([0.5, 2.0])


def run(**settings):
    try:
        session = onnxruntime.InferenceSession(MODEL, providers=["CPUExecutionProvider"], **settings)
        return session.run(None, INPUTS)[0]
    except Exception as error:  # the model is refused
        return str(error).strip().splitlines()[0]


print("onnxruntime", onnxruntime.__version__)
found, without = run(), run(disabled_optimizers=["FuseReluClip"])
print("expected:", EXPECTED, "found:", found, "without FuseReluClip:", without, sep="\n")
right = isinstance(found, numpy.ndarray) and found.shape == EXPECTED.shape and numpy.allclose(found, EXPECTED, 1e-12, 0)
sys.exit(0 if right else 1)
