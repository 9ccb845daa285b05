"""ONNX Runtime's CUDA provider returns 0 in Attention of bfloat16 where a query is NaN.

Attention-24: Y is the softmax of Q * K^T, multiplied by V. The first query has a NaN, so all its scores are NaN,
their softmax is NaN, and so is the row of Y. Zeros are right for a row in which the mask excludes every key; there is
no mask here. A NaN is lost, and nobody notices that a model went wrong. Attention-23 and float16 have the same bug.

pip install numpy onnx==1.23.2 "onnxruntime-gpu[cuda,cudnn]==1.31.1"
python3 attention_nan_query.py
"""

import sys

import numpy as np
import onnx
import onnxruntime
from onnx import TensorProto, helper

MODEL = helper.make_model(
    helper.make_graph(
        [
            helper.make_node("Attention", ["q", "k", "v"], ["y"]),
        ],
        "attention",
        [
            helper.make_tensor_value_info("q", TensorProto.BFLOAT16, [1, 1, 2, 2]),
            helper.make_tensor_value_info("k", TensorProto.BFLOAT16, [1, 1, 3, 2]),
            helper.make_tensor_value_info("v", TensorProto.BFLOAT16, [1, 1, 3, 2]),
        ],
        [
            helper.make_tensor_value_info("y", TensorProto.BFLOAT16, [1, 1, 2, 2]),
        ],
    ),
    opset_imports=[helper.make_opsetid("", 24)],
    ir_version=12,
)
# 0x7fc0 is NaN, and 0xc000 is -2.
FEEDS = {
    "q": (TensorProto.BFLOAT16, np.uint16([0x7FC0, 0xC000, 0xC000, 0xC000]).reshape(1, 1, 2, 2)),
    "k": (TensorProto.BFLOAT16, np.full([1, 1, 3, 2], 0xC000, np.uint16)),
    "v": (TensorProto.BFLOAT16, np.full([1, 1, 3, 2], 0xC000, np.uint16)),
}
EXPECTED = [np.uint16([0x7FC0, 0x7FC0, 0xC000, 0xC000]).reshape(1, 1, 2, 2)]
# Seen on an NVIDIA H200 with ONNX Runtime 1.31.1 on 2026-11-27: output, index, bits.
SEEN = [(0, (0, 0, 0, 0), 0), (0, (0, 0, 0, 1), 0)]


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
    """Returns the bits of the output by this provider. NumPy does not have bfloat16."""
    ready = session(provider)
    binding = ready.io_binding()
    for name, (element_type, bits) in FEEDS.items():
        value = onnxruntime.OrtValue.ortvalue_from_numpy_with_onnx_type(bits, element_type)
        binding.bind_ortvalue_input(name, value)
    found = np.zeros(EXPECTED[0].shape, np.uint16)
    binding.bind_output("y", "cpu", 0, TensorProto.BFLOAT16, list(found.shape), found.ctypes.data)
    ready.run_with_iobinding(binding)
    return [found]


def is_right(found):
    """Returns whether the first row has NaNs of any sign and payload, and the second row is -2 twice."""
    first, second = found[0][0, 0]
    return bool(np.all(first & 0x7FFF > 0x7F80) and np.all(second == 0xC000))


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
