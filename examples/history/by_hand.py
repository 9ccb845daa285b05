"""Three fixes and three regressions of ONNX Runtime in small models, without Plumbline: needs numpy, onnx, onnxruntime.

Prints what the installed version of ONNX Runtime answers and what the text of the operator says.
"""

import numpy as np
import onnxruntime
from onnx import TensorProto, helper


def run(op, version, inputs, output_type, **attributes):
    """Runs one node. Returns its output, or why it was refused."""

    def info(name, value):
        return helper.make_tensor_value_info(name, helper.np_dtype_to_tensor_dtype(value.dtype), value.shape)

    node = helper.make_node(op, list(inputs), ["y"], **attributes)
    output = helper.make_tensor_value_info("y", output_type, None)
    graph = helper.make_graph([node], "g", [info(*pair) for pair in inputs.items()], [output])
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", version)], ir_version=7)
    options = onnxruntime.SessionOptions()
    options.log_severity_level = 4
    try:
        session = onnxruntime.InferenceSession(model.SerializeToString(), options, ["CPUExecutionProvider"])
        return session.run(None, inputs)[0]
    except Exception as error:
        return f"refused: {error}".split("\n")[0][:90]


def shape(value):
    return getattr(value, "shape", value)


def show(what, found, expected):
    print(f"{what:16} {found}\n{'':16} {expected} expected\n")


print(f"onnxruntime {onnxruntime.__version__}\n")

# Fixed. The error function of NaN is NaN.
found = run("Erf", 9, {"x": np.full(16, np.nan, np.float32)}, TensorProto.FLOAT)
show("Erf", found[:1], "[nan]")

# Fixed. What lies beyond the length of a sequence is copied; here the lengths are 0, 1, 2, 0, 1, 2.
x = np.arange(1, 13, dtype=np.int8).reshape(2, 6)
lengths = np.array([0, 1, 2, 0, 1, 2], np.int64)
found = run("ReverseSequence", 10, {"x": x, "lengths": lengths}, TensorProto.INT8)
show("ReverseSequence", found.tolist(), "[[1, 2, 9, 4, 5, 12], [7, 8, 3, 10, 11, 6]]")

# Fixed. A reduced axis that is kept has one element, also where another axis is empty.
found = run("ArgMin", 12, {"x": np.zeros((4, 2, 0))}, TensorProto.INT64, axis=-2, keepdims=1)
show("ArgMin", shape(found), "(4, 1, 0)")

# Regressed. A sum of int64 is computed in int64.
found = run("ReduceSum", 11, {"x": np.array([2**53, 1], np.int64)}, TensorProto.INT64, axes=[0], keepdims=0)
show("ReduceSum", found, 2**53 + 1)

# Regressed, and fixed since. The number of elements is ceil((limit - start) / delta).
ends = {"start": 2**63 - 731, "limit": 2**63 - 724, "delta": 1}
found = run("Range", 11, {name: np.array(value, np.int64) for name, value in ends.items()}, TensorProto.INT64)
show("Range", shape(found), "(7,)")

# Regressed. With allowzero, a shape that has both 0 and -1 is invalid.
inputs = {"x": np.zeros((0, 3), np.float32), "shape": np.array([0, -1], np.int64)}
found = run("Reshape", 14, inputs, TensorProto.FLOAT, allowzero=1)
show("Reshape", shape(found), "a refusal")
