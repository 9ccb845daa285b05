"""ONNX Runtime's CUDA provider takes elements of the wrong places in Max of three or more inputs that are broadcast.

Max-13: the element-wise maximum of any number of inputs, which are broadcast to each other as in NumPy. The one
element above zero is in the third input at [0, 0, 0, 0], so it belongs to [0, 0, 0, 0] and [0, 1, 0, 0] of the
output. The provider writes it to [0, 0, 0, 0], [4, 1, 2, 0] and [5, 0, 2, 0]. Min and Sum of three or more inputs
have the same bug.

pip install numpy onnx==1.23.2 "onnxruntime-gpu[cuda,cudnn]==1.31.1"
python3 max_of_four.py
"""

import sys

import numpy as np
import onnx
import onnxruntime
from onnx import TensorProto, helper

MODEL = helper.make_model(
    helper.make_graph(
        [
            helper.make_node("Max", ["a", "b", "c", "d"], ["y"]),
        ],
        "max",
        [
            helper.make_tensor_value_info("a", TensorProto.INT32, [7, 1, 6, 2]),
            helper.make_tensor_value_info("b", TensorProto.INT32, [1, 2, 6, 2]),
            helper.make_tensor_value_info("c", TensorProto.INT32, [7, 1, 6, 2]),
            helper.make_tensor_value_info("d", TensorProto.INT32, [7, 1, 6, 2]),
        ],
        [
            helper.make_tensor_value_info("y", TensorProto.INT32, [7, 2, 6, 2]),
        ],
    ),
    opset_imports=[helper.make_opsetid("", 13)],
    ir_version=7,
)
FEEDS = {
    "a": np.zeros([7, 1, 6, 2], np.int32),
    "b": np.zeros([1, 2, 6, 2], np.int32),
    "c": np.zeros([7, 1, 6, 2], np.int32),
    "d": np.zeros([7, 1, 6, 2], np.int32),
}
FEEDS["c"][0, 0, 0, 0] = 18171
EXPECTED = [np.maximum(np.maximum(FEEDS["a"], FEEDS["b"]), np.maximum(FEEDS["c"], FEEDS["d"]))]
# Seen on an NVIDIA H200 with ONNX Runtime 1.31.1 on 2026-11-27: output, index, element.
SEEN = [(0, (0, 1, 0, 0), 0), (0, (4, 1, 2, 0), 18171), (0, (5, 0, 2, 0), 18171)]


def session(provider):
    """Returns a session that leaves no node to another provider."""
    options = onnxruntime.SessionOptions()
    options.log_severity_level = 4
    settings = {}
    if provider == "CUDAExecutionProvider":
        options.add_session_config_entry("session.disable_cpu_ep_fallback", "1")
        settings = {"use_tf32": "0"}
    return onnxruntime.InferenceSession(MODEL.SerializeToString(), options, [(provider, settings)])


def run(provider):
    """Returns the outputs of the model by this provider."""
    return session(provider).run(None, FEEDS)


def is_right(found):
    """Returns whether each output is exactly what is expected."""
    return all(np.array_equal(got, want, equal_nan=True) for got, want in zip(found, EXPECTED))


def report(provider):
    """Prints what the provider answers where the bug was seen, and returns whether all of its answer is right."""
    try:
        found = run(provider)
    except Exception as error:
        print(provider, "refuses to run:", str(error).strip() or type(error).__name__)
        return False
    for output, index, seen in SEEN[:4]:
        got, want = found[output][index], EXPECTED[output][index]
        print(f"{provider}: output {output} at {list(index)} is {got}, expected {want}, seen on CUDA {seen}")
    return is_right(found)


def main():
    """Returns 1 if the bug is there, 0 if it is not, and 2 if nothing was checked."""
    onnx.checker.check_model(MODEL, full_check=True)
    print("onnxruntime", onnxruntime.__version__)
    report("CPUExecutionProvider")
    if "CUDAExecutionProvider" not in onnxruntime.get_available_providers():
        print("not checked: this onnxruntime has no CUDA provider")
        return 2
    onnxruntime.preload_dlls()
    try:
        session("CUDAExecutionProvider")
    except Exception as error:
        print("not checked: the CUDA provider has no device, or does not take the model:", error)
        return 2
    return int(not report("CUDAExecutionProvider"))


if __name__ == "__main__":
    sys.exit(main())
