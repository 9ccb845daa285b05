"""The sign of a zero that the condition chooses from the first tensor is lost.

pip install numpy onnx==1.23.2 onnxruntime==1.32.0
"""

import sys

import numpy
import onnx.parser
import onnxruntime

onnxruntime.set_default_logger_severity(4)
MODEL = onnx.parser.parse_model(
    """
    <ir_version: 8, opset_import: ["" : 17]>
    graph (bool[2] c, float[2] x, float[2] z) => (float[2] y) {
      y = Where (c, x, z)
    }
    """
).SerializeToString()
INPUTS = {
    "c": numpy.array([True, False]),
    "x": numpy.array([-0.0, 1], numpy.float32),
    "z": numpy.array([1, -0.0], numpy.float32),
}
EXPECTED = numpy.array([-0.0, -0.0], numpy.float32)

print("onnxruntime", onnxruntime.__version__)
session = onnxruntime.InferenceSession(MODEL, providers=["CPUExecutionProvider"])
found = session.run(None, INPUTS)[0]
print("expected:", EXPECTED, "found:", found, sep="\n")
right = found.tobytes() == EXPECTED.tobytes()
sys.exit(0 if right else 1)
