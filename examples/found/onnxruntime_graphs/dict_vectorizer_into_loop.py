"""The process ends if a number that DictVectorizer returns is the trip count of Loop.

pip install numpy onnx==1.23.2 onnxruntime==1.32.0
"""

import subprocess
import sys

import onnx.helper as helper
import onnx.parser
import onnxruntime

onnxruntime.set_default_logger_severity(4)
BODY = onnx.parser.parse_graph("b (int64 i, bool c, float v) => (bool d, float w) { d = Identity (c) w = Add (v, v) }")
NODES = [
    helper.make_node("DictVectorizer", ["x"], ["f"], domain="ai.onnx.ml", string_vocabulary=["a", "b"]),
    helper.make_node("Cast", ["f"], ["n"], to=onnx.TensorProto.INT64),
    helper.make_node("Slice", ["n", "from", "to"], ["trips"]),
    helper.make_node("Loop", ["trips", "", "v"], ["y"], body=BODY),
]
CONSTANTS = [helper.make_tensor(name, onnx.TensorProto.INT64, [1], [n]) for name, n in (("from", 1), ("to", 2))]
CONSTANTS.append(helper.make_tensor("v", onnx.TensorProto.FLOAT, [], [1]))
MAP = helper.make_map_type_proto(onnx.TensorProto.STRING, helper.make_tensor_type_proto(onnx.TensorProto.FLOAT, []))
OUTPUT = helper.make_tensor_value_info("y", onnx.TensorProto.FLOAT, [])
GRAPH = helper.make_graph(NODES, "g", [helper.make_value_info("x", MAP)], [OUTPUT], CONSTANTS)
OPSETS = [helper.make_opsetid("", 16), helper.make_opsetid("ai.onnx.ml", 2)]
MODEL = helper.make_model(GRAPH, opset_imports=OPSETS, ir_version=8).SerializeToString()
INPUTS = {"x": {"a": 5.0, "b": 3.0}}
# DictVectorizer returns the one-dimensional tensor 5, 3, of which Slice takes 3: 1 is doubled three times.
EXPECTED = "8.0"


def run():
    """Runs the model in another process, because this one would end."""
    if sys.argv[1:]:
        session = onnxruntime.InferenceSession(MODEL, providers=["CPUExecutionProvider"])
        print(session.run(None, INPUTS)[0].tolist())
        sys.exit()
    command = [sys.executable, __file__, "run"]
    child = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    return child.stdout.decode().strip() or f"exit code {child.returncode}"


found = run()
print("onnxruntime", onnxruntime.__version__)
print("expected:", EXPECTED, "found:", found, sep="\n")
sys.exit(0 if found == EXPECTED else 1)
