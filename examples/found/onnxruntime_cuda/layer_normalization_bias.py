"""ONNX Runtime's CUDA provider adds the first element of `B` to all rows in LayerNormalization.

LayerNormalization-17: B is broadcast to X, in one direction. Its shape is [1, 2, 1], and that of X [15, 2, 1], so
that its second element belongs to each second row. The last axis has one element, so it is its own mean, and Y is B.
The provider adds the first element everywhere, as if B had one element.

pip install numpy onnx==1.23.2 "onnxruntime-gpu[cuda,cudnn]==1.31.1"
python3 layer_normalization_bias.py
"""

import sys

import numpy as np
import onnx
import onnxruntime
from onnx import TensorProto, helper

MODEL = helper.make_model(
    helper.make_graph(
        [
            helper.make_node("LayerNormalization", ["x", "scale", "b"], ["y", "mean", "inv_std_dev"]),
        ],
        "normalization",
        [
            helper.make_tensor_value_info("x", TensorProto.FLOAT, [15, 2, 1]),
            helper.make_tensor_value_info("scale", TensorProto.FLOAT, [1]),
            helper.make_tensor_value_info("b", TensorProto.FLOAT, [1, 2, 1]),
        ],
        [
            helper.make_tensor_value_info("y", TensorProto.FLOAT, [15, 2, 1]),
            helper.make_tensor_value_info("mean", TensorProto.FLOAT, [15, 2, 1]),
            helper.make_tensor_value_info("inv_std_dev", TensorProto.FLOAT, [15, 2, 1]),
        ],
    ),
    opset_imports=[helper.make_opsetid("", 17)],
    ir_version=8,
)
# fmt: off
X = [
    7, -1.5, 1.5, -0.0, -0.0, -9.5, -0.25, -0.0, 0.5, -10, -0.5, -23.256777, 12.5, 5.125, -12.5, -0.019961579,
    -0.375, 1, 0, -0.0, -3.1958966, -1, -503.6668, 0.5, -2, -0.2266071, -3, -5, 200.16199, 9,
]
# fmt: on
FEEDS = {
    "x": np.float32(X).reshape(15, 2, 1),
    "scale": np.float32([-1.9999998]),
    "b": np.float32([1.8143482, 1.6811534]).reshape(1, 2, 1),
}
# The epsilon is 1e-5 by default, and all variances are 0.
EXPECTED = [np.broadcast_to(FEEDS["b"], [15, 2, 1]), FEEDS["x"], np.full([15, 2, 1], 1 / np.sqrt(1e-5), np.float32)]
# Seen on an NVIDIA H200 with ONNX Runtime 1.31.1 on 2026-11-27: output, index, element.
SEEN = [(0, (row, 1, 0), 1.8143482) for row in range(15)]


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
    """Returns whether each output is within 1e-5 of what is expected, some ten times the rounding of float."""
    return all(np.allclose(got, want, rtol=1e-5, atol=0, equal_nan=True) for got, want in zip(found, EXPECTED))


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
