"""The quantizer ends in an exception at an attribute with an empty list.

pip install onnx==1.23.2 numpy onnxruntime==1.31.1
"""

import sys

import numpy
import onnx
import onnxruntime
from onnx import parser
from onnxruntime.quantization import quantize_dynamic

onnxruntime.set_default_logger_severity(4)
MODEL = parser.parse_model(
    """
    <ir_version: 8, opset_import: ["" : 17]>
    graph (float[3,2] x, float[2] s) => (float[2] y) {
      y = Scan <num_scan_inputs = 1, scan_output_axes: ints = [],
        body = b (float[2] p, float[2] q) => (float[2] r) { r = Add (p, q) }
      > (s, x)
    }
    """
)
INPUTS = {"x": numpy.ones((3, 2), numpy.float32), "s": numpy.zeros(2, numpy.float32)}
EXPECTED = numpy.array([3, 3])


def run(model):
    onnx.checker.check_model(model, full_check=True)
    session = onnxruntime.InferenceSession(model.SerializeToString(), providers=["CPUExecutionProvider"])
    return session.run(None, INPUTS)[0]


print("onnxruntime", onnxruntime.__version__)
right = run(MODEL)
print("the model itself:", right, sep="\n")
try:
    quantize_dynamic(MODEL, "quantized.onnx")
    found = run(onnx.load("quantized.onnx"))
except Exception as error:  # there is no model, or an invalid one
    found = f"{type(error).__name__}: " + " ".join(str(error).split())
print("expected, about:", EXPECTED, "found:", found, sep="\n")
sys.exit(0 if numpy.shape(found) == EXPECTED.shape and numpy.allclose(found, EXPECTED, 0.1, 0.1) else 1)
