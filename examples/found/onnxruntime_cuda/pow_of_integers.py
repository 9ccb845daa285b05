"""ONNX Runtime's CUDA provider returns 2 for 3^1 in Pow of integers.

Pow-12: x^exponent for each element, in the type of x; int64 and int32 are among the types, and 3^1 = 3 is an int64.
The answer looks like a floating-point power that is a little below 3 and is cut off instead of rounded. Pow-13 and
int32 have the same bug. The other 143 powers come out right.

pip install numpy onnx==1.23.2 "onnxruntime-gpu[cuda,cudnn]==1.31.1"
python3 pow_of_integers.py
"""

import sys

import numpy as np
import onnx
import onnxruntime
from onnx import TensorProto, helper

MODEL = helper.make_model(
    helper.make_graph(
        [
            helper.make_node("Pow", ["x", "exponent"], ["y"]),
        ],
        "powers",
        [
            helper.make_tensor_value_info("x", TensorProto.INT64, [6, 4, 3, 2, 1]),
            helper.make_tensor_value_info("exponent", TensorProto.INT32, [6, 1, 1, 1, 1]),
        ],
        [
            helper.make_tensor_value_info("y", TensorProto.INT64, [6, 4, 3, 2, 1]),
        ],
    ),
    opset_imports=[helper.make_opsetid("", 12)],
    ir_version=7,
)
# fmt: off
X = [
    -4, 6, 8, 4, -1, 8, 6, -1, -1, 9, 2, -5, -4, -6, -5, -4, -8, 0, 0, -9, 9, 8, -2, 3, -3, 2, -8, 4, 4, -8, -7,
    -2, 4, 5, 0, -1, -2, 5, -2, 3, -2, -2, -2, 7, 7, -1, 6, -5, 3, -3, 2, 6, 0, 2, -3, -6, -4, 5, -5, 0, -7, 2,
    9, 1, 5, 3, 1, 5, 3, 9, 0, 3, -3, -5, 2, 4, 6, -9, -8, -6, -1, 2, 5, 2, -7, 9, -1, 4, 1, 2, -2, 4, 7, 7, -8,
    -8, 6, 4, -6, 8, 0, -8, 8, 2, 9, 0, 4, -6, 4, -8, 9, 0, 0, 4, 9, 8, -9, -7, 8, 8, -8, 3, -6, 0, 0, 0, 0, 0,
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
]
# fmt: on
FEEDS = {
    "x": np.int64(X).reshape(6, 4, 3, 2, 1),
    "exponent": np.int32([3, 5, 5, 4, 5, 1]).reshape(6, 1, 1, 1, 1),
}
EXPECTED = [FEEDS["x"] ** FEEDS["exponent"]]
# Seen on an NVIDIA H200 with ONNX Runtime 1.31.1 on 2026-11-27: output, index, element.
SEEN = [(0, (5, 0, 0, 1, 0), 2)]


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
