"""ONNX Runtime's CUDA provider never comes back from ScatterND with `max` beside a NaN.

ScatterND-18: each element of the output is the larger one of the element and its update. Which maximum a NaN has is
not said, so the script compares only elements without NaN; but whichever it is, there is an answer. A kernel that
compares and swaps until it finds what it wrote would wait for ever, as NaN is not equal to itself.

pip install numpy onnx==1.23.2 "onnxruntime-gpu[cuda,cudnn]==1.31.1"
python3 scatter_nd_nan.py
"""

import signal
import subprocess
import sys

import numpy as np
import onnx
import onnxruntime
from onnx import TensorProto, helper

# fmt: off
DATA = np.float32([
    7, -7.75, 0.27419633, 10, -0.029445548, -np.inf, -4.5, 5.5, -5, np.nan, -7, -2.5, 17.5, -7.5, -np.inf, -1.0000001,
    4.5, 6.5, 2, 6.75, np.inf, -2, -3e+38, -31.654106, 5.590592, 17.5, 1, 5.75, -9, 0.006073427,
]).reshape(1, 3, 5, 2)
UPDATES = np.float32([
    -0.125, -2.625, -3.1415927, 1.6777216e+07, -7, 3.1415927, -2.137374, -0.0, np.inf, 0.058033183, 0.93832946,
    -57.41281, -0.0, 2, -np.inf, 5.5, -4.1839466, -0.080893055, -3.25, 0.2554022, 8, 3.375, -7.875, -6.625, np.nan,
    135.0818, 7.25, -14.5, np.nan, np.nan,
]).reshape(1, 3, 5, 2)
# fmt: on
MODEL = helper.make_model(
    helper.make_graph(
        [
            helper.make_node("ScatterND", ["data", "indices", "updates"], ["y"], reduction="max"),
        ],
        "scatter",
        [
            helper.make_tensor_value_info("data", TensorProto.FLOAT, [1, 3, 5, 2]),
            helper.make_tensor_value_info("updates", TensorProto.FLOAT, [1, 3, 5, 2]),
        ],
        [
            helper.make_tensor_value_info("y", TensorProto.FLOAT, [1, 3, 5, 2]),
        ],
        [onnx.numpy_helper.from_array(np.int64([[-1]]), "indices")],
    ),
    opset_imports=[helper.make_opsetid("", 18)],
    ir_version=8,
)
FEEDS = {
    "data": DATA,
    "updates": UPDATES,
}
EXPECTED = np.maximum(DATA, UPDATES)
COMPARED = ~np.isnan(EXPECTED)
LIMIT_S = 60
# Seen on an NVIDIA H200 with ONNX Runtime 1.31.1 on 2026-11-27: no answer within the limit of time.
SEEN = "timeout"


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
    """Returns whether the elements that are not NaN are the larger ones of two."""
    return np.array_equal(found[0][COMPARED], EXPECTED[COMPARED])


def child(provider):
    """Runs the model in this process, which may not live on. Returns as `main` does."""
    onnxruntime.preload_dlls()
    try:
        session(provider)
    except Exception as error:
        print("not checked: the CUDA provider has no device, or does not take the model:", error)
        return 2
    return int(not is_right(run(provider)))


def main():
    """Returns 1 if the bug is there, 0 if it is not, and 2 if nothing was checked."""
    if len(sys.argv) > 1:
        return child(sys.argv[1])
    onnx.checker.check_model(MODEL, full_check=True)
    print("onnxruntime", onnxruntime.__version__)
    print("CPUExecutionProvider is", "right" if is_right(run("CPUExecutionProvider")) else "wrong")
    if "CUDAExecutionProvider" not in onnxruntime.get_available_providers():
        print("not checked: this onnxruntime has no CUDA provider")
        return 2
    try:
        code = subprocess.run([sys.executable, __file__, "CUDAExecutionProvider"], timeout=LIMIT_S).returncode
    except subprocess.TimeoutExpired:
        print(f"CUDAExecutionProvider does not answer within {LIMIT_S} s; seen on CUDA: {SEEN}")
        return 1
    if code < 0:
        print(f"CUDAExecutionProvider ends the process by {signal.Signals(-code).name}; seen on CUDA: {SEEN}")
    elif code != 2:
        print("CUDAExecutionProvider is", "wrong" if code else "right")
    return code if code in (0, 2) else 1


if __name__ == "__main__":
    sys.exit(main())
