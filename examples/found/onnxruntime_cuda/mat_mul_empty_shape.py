"""ONNX Runtime's CUDA provider does not broadcast the shape in MatMul of empty matrices.

MatMul-13: behaves as numpy.matmul, which broadcasts all axes but the last two. [5, 1, 0] and [5, 7, 0] become [5, 7,
0], so the shape is [5, 7, 0, 5, 7]. The provider returns the shape [5, 1, 0, 5, 7].

pip install numpy onnx==1.23.2 "onnxruntime-gpu[cuda,cudnn]==1.31.1"
python3 mat_mul_empty_shape.py
"""

import sys

import numpy as np
import onnx
import onnxruntime
from onnx import TensorProto, helper

MODEL = helper.make_model(
    helper.make_graph(
        [
            helper.make_node("MatMul", ["a", "b"], ["y"]),
        ],
        "product",
        [
            helper.make_tensor_value_info("a", TensorProto.BFLOAT16, [5, 1, 0, 5, 0]),
            helper.make_tensor_value_info("b", TensorProto.BFLOAT16, [5, 7, 0, 0, 7]),
        ],
        [
            helper.make_tensor_value_info("y", TensorProto.BFLOAT16, [5, 7, 0, 5, 7]),
        ],
    ),
    opset_imports=[helper.make_opsetid("", 13)],
    ir_version=7,
)
FEEDS = {
    "a": (TensorProto.BFLOAT16, np.zeros([5, 1, 0, 5, 0], np.uint16)),
    "b": (TensorProto.BFLOAT16, np.zeros([5, 7, 0, 0, 7], np.uint16)),
}
EXPECTED = [np.array(np.matmul(FEEDS["a"][1], FEEDS["b"][1]).shape)]
# Seen on an NVIDIA H200 with ONNX Runtime 1.31.1 on 2026-11-27: output, axis, extent.
SEEN = [(0, (1,), 1)]


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
    """Returns the shape of the output by this provider."""
    ready = session(provider)
    binding = ready.io_binding()
    for name, (element_type, bits) in FEEDS.items():
        value = onnxruntime.OrtValue.ortvalue_from_numpy_with_onnx_type(bits, element_type)
        binding.bind_ortvalue_input(name, value)
    binding.bind_output("y", "cpu")
    ready.run_with_iobinding(binding)
    return [np.array(binding.get_outputs()[0].shape())]


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
