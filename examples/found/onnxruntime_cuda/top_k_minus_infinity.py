"""ONNX Runtime's CUDA provider replaces -infinity in TopK by the lowest finite number, with an index beyond the end.

TopK-1: the values of the k largest elements and their indices in the input. All three elements are asked for, so that
-infinity is the third one, and its index is 0. The provider returns the lowest finite number with index 3, as if it
were the padding of the row.

pip install numpy onnx==1.23.2 "onnxruntime-gpu[cuda,cudnn]==1.31.1"
python3 top_k_minus_infinity.py
"""

import sys

import numpy as np
import onnx
import onnxruntime
from onnx import TensorProto, helper

MODEL = helper.make_model(
    helper.make_graph(
        [
            helper.make_node("TopK", ["x"], ["values", "indices"], k=3),
        ],
        "largest",
        [
            helper.make_tensor_value_info("x", TensorProto.DOUBLE, [1, 3]),
        ],
        [
            helper.make_tensor_value_info("values", TensorProto.DOUBLE, [1, 3]),
            helper.make_tensor_value_info("indices", TensorProto.INT64, [1, 3]),
        ],
    ),
    opset_imports=[helper.make_opsetid("", 1)],
    ir_version=3,
)
FEEDS = {
    "x": np.float64([[-np.inf, 0, 0]]),
}
EXPECTED = [np.float64([[0, 0, -np.inf]]), np.int64([[1, 2, 0]])]
# Seen on an NVIDIA H200 with ONNX Runtime 1.31.1 on 2026-11-27: output, index, element.
SEEN = [(0, (0, 2), -1.7976931348623157e308), (1, (0, 2), 3)]


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
