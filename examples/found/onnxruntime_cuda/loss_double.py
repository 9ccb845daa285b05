"""ONNX Runtime's CUDA provider computes SoftmaxCrossEntropyLoss of double in float.

SoftmaxCrossEntropyLoss-13: double is among the types, and the output has the type of the scores. The loss is -log of
the softmax at the label, which is -log(1 / 3) for three equal scores. The provider is wrong from the eighth digit on.
Version 12 has the same bug.

pip install numpy onnx==1.23.2 "onnxruntime-gpu[cuda,cudnn]==1.31.1"
python3 loss_double.py
"""

import sys

import numpy as np
import onnx
import onnxruntime
from onnx import TensorProto, helper

MODEL = helper.make_model(
    helper.make_graph(
        [
            helper.make_node("SoftmaxCrossEntropyLoss", ["scores", "labels"], ["loss"]),
        ],
        "loss",
        [
            helper.make_tensor_value_info("scores", TensorProto.DOUBLE, [1, 3]),
            helper.make_tensor_value_info("labels", TensorProto.INT32, [1]),
        ],
        [
            helper.make_tensor_value_info("loss", TensorProto.DOUBLE, []),
        ],
    ),
    opset_imports=[helper.make_opsetid("", 13)],
    ir_version=7,
)
FEEDS = {
    "scores": np.float64([[-4, -4, -4]]),
    "labels": np.int32([0]),
}
EXPECTED = [np.log(np.float64(3))]
# Seen on an NVIDIA H200 with ONNX Runtime 1.31.1 on 2026-11-27: output, index, element.
SEEN = [(0, (), 1.0986123085021973)]


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
    """Returns whether each output is within 1e-12 of what is expected, some thousand times the rounding of double."""
    return all(np.allclose(got, want, rtol=1e-12, atol=0, equal_nan=True) for got, want in zip(found, EXPECTED))


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
