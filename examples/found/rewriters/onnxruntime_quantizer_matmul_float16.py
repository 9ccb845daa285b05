"""The quantizer puts DynamicQuantizeLinear, which takes float only, in front of a MatMul of float16.

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
    graph (float16[1,2] x) => (float16[1,2] y) <float16[2,2] w = {15360, 16384, 16896, 17408}> { y = MatMul (x, w) }
    """
)
INPUTS = {"x": numpy.array([[1, 2]], numpy.float16)}
EXPECTED = numpy.array([[7, 10]])


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
