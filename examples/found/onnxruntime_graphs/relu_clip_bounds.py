"""Relu before a Clip whose upper bound is negative: the two become a Clip that cannot be created.

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
    <ir_version: 8, opset_import: ["" : 10]>
    graph (float[3] x) => (float[3] y) {
      r = Relu (x)
      y = Clip <min = -3.0, max = -1.0> (r)
    }
    """
).SerializeToString()
INPUTS = {"x": numpy.array([-2, 0, 2], numpy.float32)}
EXPECTED = numpy.array([-1.0, -1.0, -1.0])


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
