"""The process ends if a function has a Constant with a sparse_value.

pip install numpy onnx==1.23.2 onnxruntime==1.32.0
"""

import subprocess
import sys

import onnx.helper as helper
import onnx.parser
import onnxruntime

onnxruntime.set_default_logger_severity(4)
FLOAT = onnx.TensorProto.FLOAT
VALUE = helper.make_tensor("", FLOAT, [1], [5])
INDEX = helper.make_tensor("", onnx.TensorProto.INT64, [1], [1])
SPARSE = helper.make_sparse_tensor(VALUE, INDEX, [1, 3])
OPSETS = [helper.make_opsetid("", 11), helper.make_opsetid("f", 1)]
CONSTANT = helper.make_node("Constant", [], ["y"], sparse_value=SPARSE)
FUNCTION = helper.make_function("f", "F", [], ["y"], [CONSTANT], OPSETS[:1])
NODES = [helper.make_node("Neg", ["k"], [f"k{i}"]) for i in range(8)] + [helper.make_node("F", [], ["y"], domain="f")]
OUTPUTS = [helper.make_tensor_value_info(node.output[0], FLOAT, [1, 3]) for node in NODES]
K = helper.make_tensor("k", FLOAT, [1, 3], [1, 2, 3])
GRAPH = helper.make_graph(NODES, "g", [], OUTPUTS, [K])
MODEL = helper.make_model(GRAPH, functions=[FUNCTION], opset_imports=OPSETS, ir_version=8).SerializeToString()
INPUTS = {}
EXPECTED = "[[0.0, 5.0, 0.0]]"


def run(*passes):
    """Runs the model in another process, because this one would end."""
    if sys.argv[1:]:
        options = onnxruntime.SessionOptions()
        if sys.argv[2:]:
            options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
        for _ in range(10):  # whether it goes well depends on chance
            session = onnxruntime.InferenceSession(MODEL, options, providers=["CPUExecutionProvider"])
            found = session.run(["y"], INPUTS)[0].tolist()
        print(found)
        sys.exit()
    command = [sys.executable, __file__, "run", *passes]
    child = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    return child.stdout.decode().strip() or f"exit code {child.returncode}"


found, without = run(), run("all")
print("onnxruntime", onnxruntime.__version__)
print("expected:", EXPECTED, "found:", found, "without the optimizer:", without, sep="\n")
sys.exit(0 if found == EXPECTED else 1)
