"""A function imports ai.onnx.ml 2, and its TreeEnsembleRegressor is refused as deprecated in ai.onnx.ml 5.

pip install numpy onnx==1.23.2 onnxruntime==1.31.1
"""

import sys

import numpy
import onnx
import onnxruntime

onnxruntime.set_default_logger_severity(4)
ML, DOMAIN = "ai.onnx.ml", "example"
TREE = dict(
    nodes_treeids=[0], nodes_nodeids=[0], nodes_featureids=[0], nodes_values=[0.0], nodes_modes=["LEAF"],
    nodes_truenodeids=[0], nodes_falsenodeids=[0], target_treeids=[0], target_nodeids=[0], target_ids=[0],
    target_weights=[3.0], n_targets=1,
)  # fmt: skip
helper = onnx.helper
node = helper.make_node("TreeEnsembleRegressor", ["x"], ["y"], domain=ML, **TREE)
imports = [helper.make_opsetid("", 17), helper.make_opsetid(ML, 2)]
function = helper.make_function(DOMAIN, "Part", ["x"], ["y"], [node], imports)
value = helper.make_tensor_value_info
graph = helper.make_graph(
    [helper.make_node("Part", ["x"], ["y"], domain=DOMAIN)], "g", [value("x", 1, [2, 1])], [value("y", 1, [2, 1])]
)
opsets = [helper.make_opsetid("", 17), helper.make_opsetid(DOMAIN, 1)]
model = helper.make_model(graph, functions=[function], opset_imports=opsets, ir_version=8)
EXPECTED = [[3.0], [3.0]]

print("onnxruntime", onnxruntime.__version__)
onnx.checker.check_model(model)
try:
    session = onnxruntime.InferenceSession(model.SerializeToString(), providers=["CPUExecutionProvider"])
    found = session.run(None, {"x": numpy.zeros((2, 1), numpy.float32)})[0].tolist()
except Exception as error:  # the model is refused
    found = str(error).strip().splitlines()[-1]
print("expected:", EXPECTED, "found:", found, sep="\n")
sys.exit(0 if found == EXPECTED else 1)
