"""ONNX Runtime's CUDA provider rounds double to float in Dropout.

Dropout-13: the elements that are kept are multiplied by 1 / (1 - ratio), which is 2 for the default ratio. double is
among the types, and the product with 2 is exact. The script runs the model until the second element is kept, which
happens in every second run. The infinite element becomes NaN where it is dropped, because the text multiplies by 0.

pip install numpy onnx==1.23.2 "onnxruntime-gpu[cuda,cudnn]==1.31.1"
python3 dropout_double.py
"""

import sys

import numpy as np
import onnx
import onnxruntime
from onnx import TensorProto, helper

MODEL = helper.make_model(
    helper.make_graph(
        [
            helper.make_node("Dropout", ["x", "", "training"], ["y"]),
        ],
        "dropout",
        [
            helper.make_tensor_value_info("x", TensorProto.DOUBLE, [3]),
            helper.make_tensor_value_info("training", TensorProto.BOOL, []),
        ],
        [
            helper.make_tensor_value_info("y", TensorProto.DOUBLE, [3]),
        ],
    ),
    opset_imports=[helper.make_opsetid("", 13)],
    ir_version=7,
)
FEEDS = {
    "x": np.float64([np.inf, 0.004179327050223947, 0]),
    "training": np.array(True),
}
EXPECTED = [2 * FEEDS["x"]]
# Seen on an NVIDIA H200 with ONNX Runtime 1.31.1 on 2026-11-27: output, index, element.
SEEN = [(0, (1,), 0.008358653634786606)]


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
    """Returns the output of the model by this provider, in the first of 64 runs that keeps the second element."""
    ready = session(provider)
    return next(found for found in (ready.run(None, FEEDS) for _ in range(64)) if found[0][1] != 0)


def is_right(found):
    """Returns whether the second element is exactly twice that of the input."""
    return bool(found[0][1] == EXPECTED[0][1])


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
