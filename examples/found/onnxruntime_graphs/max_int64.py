"""Max of int64 compares the lower halves of two numbers with equal upper halves as signed ones: 2^31 is less than 1.

pip install numpy onnx==1.23.2 onnxruntime==1.31.1
"""

import sys

import numpy
import onnx.parser
import onnxruntime

onnxruntime.set_default_logger_severity(4)
MODEL = onnx.parser.parse_model(
    """
    <ir_version: 8, opset_import: ["" : 17]>
    graph (int64[8] a, int64 b) => (int64[8] y) {
      y = Max (a, b)
    }
    """
).SerializeToString()
A = [0, 1, 2**31 - 1, 2**31, 2**32, 2**32 + 2**31, 2**40, -(2**40)]
INPUTS = {"a": numpy.array(A, numpy.int64), "b": numpy.array(1, numpy.int64)}
EXPECTED = [max(a, 1) for a in A]

print("onnxruntime", onnxruntime.__version__)
session = onnxruntime.InferenceSession(MODEL, providers=["CPUExecutionProvider"])
found = session.run(None, INPUTS)[0].tolist()
print("expected:", EXPECTED, "found:", found, sep="\n")
sys.exit(0 if found == EXPECTED else 1)
