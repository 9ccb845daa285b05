"""The running mean is updated in the caller's own array, and another node that reads it gets the updated one.

pip install numpy onnx==1.23.2 onnxruntime==1.31.1
"""

import sys

import numpy
import onnx.parser
import onnxruntime

onnxruntime.set_default_logger_severity(4)
MODEL = onnx.parser.parse_model(
    """
    <ir_version: 4, opset_import: ["" : 9]>
    graph (float[1] x, float[1] s, float[1] b, float[1] mean, float[1] var) => (float[1] m2, float[1] t) {
      y1, m1, v1, sm1, sv1 = BatchNormalization (x, s, b, mean, var)
      y2, m2, v2, sm2, sv2 = BatchNormalization (x, s, b, mean, var)
      t = ReduceSum (m1)
    }
    """
).SerializeToString()
zero = numpy.zeros([1], numpy.float32)
inputs = {"x": zero, "s": zero, "b": zero, "mean": numpy.ones([1], numpy.float32), "var": zero}
# 0.9 of the mean, and 0.1 of the batch's, which is 0.
EXPECTED = [numpy.float32(0.9), numpy.float32(1.0)]

print("onnxruntime", onnxruntime.__version__)
session = onnxruntime.InferenceSession(MODEL, providers=["CPUExecutionProvider"])
found = [session.run(["m2"], inputs)[0][0], inputs["mean"][0]]
print("expected m2, and the input:", EXPECTED, "found:", found, sep="\n")
sys.exit(0 if found == EXPECTED else 1)
