"""Dropout in training mode is left out.

pip install onnx==1.23.2 numpy onnxruntime==1.31.1 onnxslim==0.1.98
"""

import sys

import numpy
import onnx
import onnxruntime
import onnxslim
from onnx import parser

onnxruntime.set_default_logger_severity(4)
MODEL = parser.parse_model(
    """
    <ir_version: 8, opset_import: ["" : 18]>
    graph (float[64] x) => (float[64] y) <float ratio = {0.5}, bool training = {1}> {
      a = Abs (x)
      b = Dropout (a, ratio, training)
      y = Sign (b)
    }
    """
)
INPUTS = {"x": numpy.ones(64, numpy.float32)}


def run(model):
    onnx.checker.check_model(model, full_check=True)
    options = onnxruntime.SessionOptions()
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
    session = onnxruntime.InferenceSession(model.SerializeToString(), options, providers=["CPUExecutionProvider"])
    return session.run(None, INPUTS)


try:
    found = run(onnxslim.slim(MODEL))
except Exception as error:  # there is no model, or an invalid one
    while error.__cause__ is not None:
        error = error.__cause__
    found = [" ".join(str(error).split())]
print("onnxslim", onnxslim.__version__)
print("expected:", "some zeros", "found:", *found, sep="\n")
sys.exit(0 if 0 in found[0] else 1)
