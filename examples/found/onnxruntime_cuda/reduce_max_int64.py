"""ONNX Runtime's CUDA provider rounds int64 in ReduceMax, as if it computed in double.

ReduceMax-1: int64 is among the types, and the maximum of the elements is one of them. As a double, 2^63 - 2 is 2^63,
and the largest int64, which the provider returns, is 2^63 - 1.

pip install numpy onnx==1.23.2 "onnxruntime-gpu[cuda,cudnn]==1.31.1"
python3 reduce_max_int64.py
"""

import sys

import numpy as np
import onnx
import onnxruntime
from onnx import TensorProto, helper

MODEL = helper.make_model(
    helper.make_graph(
        [
            helper.make_node("ReduceMax", ["x"], ["y"]),
        ],
        "maximum",
        [
            helper.make_tensor_value_info("x", TensorProto.INT64, [2]),
        ],
        [
            helper.make_tensor_value_info("y", TensorProto.INT64, [1]),
        ],
    ),
    opset_imports=[helper.make_opsetid("", 1)],
    ir_version=3,
)
FEEDS = {
    "x": np.int64([9223372036854775806, 0]),
}
EXPECTED = [np.max(FEEDS["x"], keepdims=True)]
# Seen on an NVIDIA H200 with ONNX Runtime 1.31.1 on 2026-11-27: output, index, element.
SEEN = [(0, (0,), 9223372036854775807)]


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
