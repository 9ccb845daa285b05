"""The quantizer ends in an exception at a Gather of a constant with NaN.

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
    graph (int64[2] i) => (float[2] y) <float[3] d = {1.0, 2.0, 3.0}> { y = Gather (d, i) }
    """
)
INPUTS = {"i": numpy.array([0, 1])}
EXPECTED = numpy.array([1, 2])
MODEL.graph.initializer[0].CopyFrom(onnx.numpy_helper.from_array(numpy.array([1, 2, numpy.nan], numpy.float32), "d"))


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
