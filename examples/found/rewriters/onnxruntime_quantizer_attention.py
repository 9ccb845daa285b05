"""The quantizer takes Attention of ai.onnx for that of com.microsoft, and makes QAttention with the wrong inputs.

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
    <ir_version: 11, opset_import: ["" : 23]>
    graph (float[1,1,2,2] q, float[1,1,2,2] k, float[1,1,2,2] v) => (float[1,1,2,2] y) { y = Attention (q, k, v) }
    """
)
INPUTS = {name: numpy.array([[[[1, 0], [1, 0]]]], numpy.float32) for name in "qkv"}
EXPECTED = numpy.array([[[[1, 0], [1, 0]]]])


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
