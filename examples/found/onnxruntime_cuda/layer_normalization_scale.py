"""ONNX Runtime's CUDA provider reads behind the end of `Scale` in LayerNormalization if the scale is a scalar.

LayerNormalization-17: Scale is broadcast to X, in one direction, so a scalar multiplies all elements. The mean is
-2/3, and the deviations are -4/3, 2/3, 2/3; they are divided by the root of the variance plus epsilon, 1, and
multiplied by -2. The provider's first element is right, and the two others are multiplied by what is behind the scale
in memory.

pip install numpy onnx==1.23.2 "onnxruntime-gpu[cuda,cudnn]==1.31.1"
python3 layer_normalization_scale.py
"""

import sys

import numpy as np
import onnx
import onnxruntime
from onnx import TensorProto, helper

MODEL = helper.make_model(
    helper.make_graph(
        [
            helper.make_node("LayerNormalization", ["x", "scale"], ["y", "mean", "inv_std_dev"], epsilon=1.0),
        ],
        "normalization",
        [
            helper.make_tensor_value_info("x", TensorProto.FLOAT, [3]),
            helper.make_tensor_value_info("scale", TensorProto.FLOAT, []),
        ],
        [
            helper.make_tensor_value_info("y", TensorProto.FLOAT, [3]),
            helper.make_tensor_value_info("mean", TensorProto.FLOAT, [1]),
            helper.make_tensor_value_info("inv_std_dev", TensorProto.FLOAT, [1]),
        ],
    ),
    opset_imports=[helper.make_opsetid("", 17)],
    ir_version=8,
)
FEEDS = {
    "x": np.float32([-2, 0, 0]),
    "scale": np.array(-2, np.float32),
}
MEAN = np.mean(np.float64(FEEDS["x"]), keepdims=True)
INV_STD_DEV = 1 / np.sqrt(np.mean((FEEDS["x"] - MEAN) ** 2, keepdims=True) + 1.0)
EXPECTED = [np.float32(v) for v in ((FEEDS["x"] - MEAN) * INV_STD_DEV * FEEDS["scale"], MEAN, INV_STD_DEV)]
# Seen on an NVIDIA H200 with ONNX Runtime 1.31.1 on 2026-11-27: output, index, element.
SEEN = [(0, (1,), 0), (0, (2,), 0)]


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
