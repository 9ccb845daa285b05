"""ONNX Runtime's CUDA provider reads behind the end of `scale` in RMSNormalization if the scale is broadcast.

RMSNormalization-23: the scale is broadcast to X, in one direction, so a scale of one element multiplies all elements.
The provider takes scale[i] for the element i of a row, from memory that is not the scale's: what it finds there is
different from run to run, and often 0.

pip install numpy onnx==1.23.2 "onnxruntime-gpu[cuda,cudnn]==1.31.1"
python3 rms_normalization_scale.py
"""

import sys

import numpy as np
import onnx
import onnxruntime
from onnx import TensorProto, helper

# fmt: off
X = np.float32([
    -7.875, -0.0, 1.4205744, 0.027401898, -8, -0.0, 19.5, 2, 4.625, -24.503479, -2.875, 10, 4.365506, -4.97681,
    -5, 3.5, 0, 0.23748772, 2.125, -0.0, 0, -0.20272931, -1.5, -4, -2.875, -1.5, -0.0, 81.32425, 2, -9, -2, -6,
    -4.25, 5.5, 3.625, -0.0, 17.5, 8, 0.8478098, -7.635581, -5.5, 11.5, 0, -0.22687688, -0.38360238, 5, -5.375,
    -11.5, 2.5, -0.0, -10, 19.5, 2.125, 0.875, -16.5, 7.75, 0.027094368, -7.5, 4.25, 0.014243741, -0.0, -10.5,
    -8, 5.125, -0.0, -14.5, 6.875, 0.4748073, -0.004637167, 8,
]).reshape(2, 7, 5)
# fmt: on
SCALE = np.float32([-1.7060637])
MODEL = helper.make_model(
    helper.make_graph(
        [
            helper.make_node("Constant", [], ["x"], value=onnx.numpy_helper.from_array(X)),
            helper.make_node("Constant", [], ["scale"], value=onnx.numpy_helper.from_array(SCALE)),
            helper.make_node("RMSNormalization", ["x", "scale"], ["y"], axis=2),
        ],
        "normalization",
        [],
        [
            helper.make_tensor_value_info("y", TensorProto.FLOAT, [2, 7, 5]),
        ],
    ),
    opset_imports=[helper.make_opsetid("", 23)],
    ir_version=11,
)
FEEDS = {}
# The epsilon is 1e-5 by default.
ROOT_MEAN_SQUARE = np.sqrt(np.mean(np.float64(X) ** 2, axis=2, keepdims=True) + 1e-5)
EXPECTED = [np.float32(X / ROOT_MEAN_SQUARE * SCALE)]
# Seen on an NVIDIA H200 with ONNX Runtime 1.31.1 on 2026-11-27: output, index, element.
# Another run of the same day found -0.2113, 0.0073 and -2.4407 at these places.
SEEN = [(0, (0, 0, 2), 0), (0, (0, 0, 3), 0), (0, (0, 0, 4), 0)]


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
    """Returns whether each output is within 1e-4 of what is expected, some hundred times the rounding of float."""
    return all(np.allclose(got, want, rtol=1e-4, atol=0, equal_nan=True) for got, want in zip(found, EXPECTED))


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
