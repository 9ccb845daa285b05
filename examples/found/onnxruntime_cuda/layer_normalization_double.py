"""ONNX Runtime's CUDA provider rounds `B` of double to float in LayerNormalization.

LayerNormalization-17: `stash_type` is the precision of the first stage alone. The second stage, which multiplies by
Scale and adds B, does not depend on it, and so has the type of X, double. The last axis has one element, so it is its
own mean: 0 is multiplied by Scale, and Y is B, 2 - 2^-51. The provider returns 2.

pip install numpy onnx==1.23.2 "onnxruntime-gpu[cuda,cudnn]==1.31.1"
python3 layer_normalization_double.py
"""

import sys

import numpy as np
import onnx
import onnxruntime
from onnx import TensorProto, helper

MODEL = helper.make_model(
    helper.make_graph(
        [
            helper.make_node("LayerNormalization", ["x", "scale", "b"], ["y", "mean"]),
        ],
        "normalization",
        [
            helper.make_tensor_value_info("x", TensorProto.DOUBLE, [4, 6, 1]),
            helper.make_tensor_value_info("scale", TensorProto.DOUBLE, [1]),
            helper.make_tensor_value_info("b", TensorProto.DOUBLE, [1]),
        ],
        [
            helper.make_tensor_value_info("y", TensorProto.DOUBLE, [4, 6, 1]),
            helper.make_tensor_value_info("mean", TensorProto.FLOAT, [4, 6, 1]),
        ],
    ),
    opset_imports=[helper.make_opsetid("", 17)],
    ir_version=8,
)
X = [-8, 5, -4, 0, -4, 7, 0, 6, 4, 6, 8, -8, -1, 4, -5, 6, 8, 1, -8, -5, 8, 5, -4, -8]
FEEDS = {
    "x": np.float64(X).reshape(4, 6, 1),
    "scale": np.float64([-1.9999999999999996]),
    "b": np.float64([1.9999999999999996]),
}
EXPECTED = [np.full([4, 6, 1], FEEDS["b"]), np.float32(FEEDS["x"])]
# Seen on an NVIDIA H200 with ONNX Runtime 1.31.1 on 2026-11-27: output, index, element.
SEEN = [(0, (row, column, 0), 2.0) for row in range(4) for column in range(6)]


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
