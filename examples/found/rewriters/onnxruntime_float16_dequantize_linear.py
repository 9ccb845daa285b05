"""DequantizeLinear gets a scale of float16, which it does not take before opset 19.

pip install onnx==1.23.2 numpy onnxruntime==1.31.1
"""

import sys

import numpy
import onnx
import onnxruntime
from onnx import parser
from onnxruntime.transformers.onnx_model import OnnxModel

onnxruntime.set_default_logger_severity(4)
MODEL = parser.parse_model(
    """
    <ir_version: 8, opset_import: ["" : 13]>
    graph (uint8[1] x, float scale) => (float[1] y) {
      a = DequantizeLinear (x, scale)
      y = Abs (a)
    }
    """
)
INPUTS = {"x": numpy.array([2], numpy.uint8), "scale": numpy.array(0.5, numpy.float32)}
EXPECTED = [numpy.array([1], numpy.float32)]


def run(model):
    onnx.checker.check_model(model, full_check=True)
    options = onnxruntime.SessionOptions()
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
    session = onnxruntime.InferenceSession(model.SerializeToString(), options, providers=["CPUExecutionProvider"])
    return session.run(None, INPUTS)


try:
    converted = OnnxModel(MODEL)
    converted.convert_float_to_float16(keep_io_types=True)
    converted.topological_sort()
    found = run(converted.model)
except Exception as error:  # there is no model, or an invalid one
    while error.__cause__ is not None:
        error = error.__cause__
    found = [" ".join(str(error).split())]
print("onnxruntime", onnxruntime.__version__)
print("expected:", *EXPECTED, "found:", *found, sep="\n")
same = [numpy.shape(f) == e.shape and numpy.asarray(f).dtype.kind == e.dtype.kind for f, e in zip(found, EXPECTED)]
right = all(same) and all(numpy.allclose(f, e, 1e-12, 1e-12) for f, e in zip(found, EXPECTED))
sys.exit(0 if right and len(found) == len(EXPECTED) else 1)
