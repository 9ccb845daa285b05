"""ONNX Runtime's CUDA provider rounds the scales of Upsample up to integers when it looks for the nearest element.

Upsample-9: the output has floor(3 * 1.5) = 4 elements, and `mode` is nearest by default. The last of the 4 elements
is at 3 / 1.5 = 2 in the input, which is its last element, 0. The provider divides by 2, and takes the element at 1.
Its shape is right. Upsample-7 has the same bug.

pip install numpy onnx==1.23.2 "onnxruntime-gpu[cuda,cudnn]==1.31.1"
python3 upsample_scale.py
"""

import sys

import numpy as np
import onnx
import onnxruntime
from onnx import TensorProto, helper

MODEL = helper.make_model(
    helper.make_graph(
        [
            helper.make_node("Upsample", ["x", "scales"], ["y"]),
        ],
        "nearest",
        [
            helper.make_tensor_value_info("x", TensorProto.UINT8, [3]),
            helper.make_tensor_value_info("scales", TensorProto.FLOAT, [1]),
        ],
        [
            helper.make_tensor_value_info("y", TensorProto.UINT8, [4]),
        ],
    ),
    opset_imports=[helper.make_opsetid("", 9)],
    ir_version=4,
)
FEEDS = {
    "x": np.uint8([0, 4, 0]),
    "scales": np.float32([1.5]),
}
EXPECTED = [np.uint8([0, 0, 4, 0])]
# Seen on an NVIDIA H200 with ONNX Runtime 1.31.1 on 2026-11-27: output, index, element.
SEEN = [(0, (3,), 4)]


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
