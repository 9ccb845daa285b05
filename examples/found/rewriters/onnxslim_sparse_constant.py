"""A sparse constant loses its value.

pip install onnx==1.23.2 numpy onnxruntime==1.31.1 onnxslim==0.1.98
"""

import sys

import numpy
import onnx
import onnxruntime
import onnxslim
from onnx import helper

onnxruntime.set_default_logger_severity(4)
VALUES, INDICES = helper.make_tensor("", 1, [1], [2.0]), helper.make_tensor("", 7, [1], [0])
SPARSE = helper.make_sparse_tensor(VALUES, INDICES, [2])
NODES = [helper.make_node("Constant", [], ["y"], sparse_value=SPARSE)]
GRAPH = helper.make_graph(NODES, "g", [], [helper.make_tensor_value_info("y", 1, [2])])
MODEL = helper.make_model(GRAPH, opset_imports=[helper.make_opsetid("", 18)], ir_version=8)
INPUTS = {}
EXPECTED = [numpy.array([2, 0], numpy.float32)]


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
print("expected:", *EXPECTED, "found:", *found, sep="\n")
same = [numpy.shape(f) == e.shape and numpy.asarray(f).dtype.kind == e.dtype.kind for f, e in zip(found, EXPECTED)]
right = all(same) and all(numpy.allclose(f, e, 1e-12, 1e-12) for f, e in zip(found, EXPECTED))
sys.exit(0 if right and len(found) == len(EXPECTED) else 1)
