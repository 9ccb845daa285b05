"""ONNX Runtime's CUDA provider ends the process by SIGFPE in Dropout of an empty tensor.

Dropout-12: both outputs have the shape of the input. A shape may have an extent of 0, and then they have no elements.

pip install numpy onnx==1.23.2 "onnxruntime-gpu[cuda,cudnn]==1.31.1"
python3 dropout_empty.py
"""

import signal
import subprocess
import sys

import numpy as np
import onnx
import onnxruntime
from onnx import TensorProto, helper

MODEL = helper.make_model(
    helper.make_graph(
        [
            helper.make_node("Dropout", ["x", "", "training"], ["y", "mask"]),
        ],
        "dropout",
        [
            helper.make_tensor_value_info("x", TensorProto.FLOAT16, [0, 4]),
            helper.make_tensor_value_info("training", TensorProto.BOOL, []),
        ],
        [
            helper.make_tensor_value_info("y", TensorProto.FLOAT16, [0, 4]),
            helper.make_tensor_value_info("mask", TensorProto.BOOL, [0, 4]),
        ],
    ),
    opset_imports=[helper.make_opsetid("", 12)],
    ir_version=7,
)
FEEDS = {
    "x": np.zeros([0, 4], np.float16),
    "training": np.array(True),
}
LIMIT_S = 120
# Seen on an NVIDIA H200 with ONNX Runtime 1.31.1 on 2026-11-27: how the process ended.
SEEN = "SIGFPE"


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
    """Returns whether there are two outputs of the right shape."""
    return [output.shape for output in found] == [(0, 4), (0, 4)]


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
