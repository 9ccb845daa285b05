"""ONNX Runtime's CUDA provider joins past and new values wrongly in Attention where keys have smaller heads.

Attention-24: `present_value` is the concatenation of `past_value` and V along the sequence. Keys have heads of 4
elements here, and values heads of 5; the text allows that, with `head_size` and `v_head_size`. The provider joins
them in chunks for heads of 4 elements, so that rows are mixed, and the last ones are zeros. Y is computed from them,
and is wrong as well.

pip install numpy onnx==1.23.2 "onnxruntime-gpu[cuda,cudnn]==1.31.1"
python3 attention_value_head_size.py
"""

import sys

import numpy as np
import onnx
import onnxruntime
from onnx import TensorProto, helper

MODEL = helper.make_model(
    helper.make_graph(
        [
            helper.make_node(
                "Attention",
                ["q", "k", "v", "", "past_key", "past_value"],
                ["y", "present_key", "present_value"],
                scale=1.0,
                softcap=2.0,
            ),
        ],
        "attention",
        [
            helper.make_tensor_value_info("q", TensorProto.FLOAT16, [2, 1, 2, 4]),
            helper.make_tensor_value_info("k", TensorProto.FLOAT16, [2, 1, 2, 4]),
            helper.make_tensor_value_info("v", TensorProto.FLOAT16, [2, 1, 2, 5]),
            helper.make_tensor_value_info("past_key", TensorProto.FLOAT16, [2, 1, 3, 4]),
            helper.make_tensor_value_info("past_value", TensorProto.FLOAT16, [2, 1, 3, 5]),
        ],
        [
            helper.make_tensor_value_info("y", TensorProto.FLOAT16, [2, 1, 2, 5]),
            helper.make_tensor_value_info("present_key", TensorProto.FLOAT16, [2, 1, 5, 4]),
            helper.make_tensor_value_info("present_value", TensorProto.FLOAT16, [2, 1, 5, 5]),
        ],
    ),
    opset_imports=[helper.make_opsetid("", 24)],
    ir_version=12,
)
# fmt: off
FEEDS = {
    "q": np.float16([
        1.998, -0.4365, 0.4392, -1.796, -2, -1.998, -2, -1.108, -0.685, 0.645, 2, -1.998, 0.2467, -0.2114, -0.0,
        -0.3704,
    ]).reshape(2, 1, 2, 4),
    "k": np.float16([
        np.nan, 0, 0.2118, -2, 0.631, 0.4312, 1.91, 1.915, 0.3923, -1.473, 1.552, 0, -0.2119, 1.365, 2, -2,
    ]).reshape(2, 1, 2, 4),
    "v": np.float16([
        -1.998, -2, -0.02408, 0.4321, 1.902, 1.009, 0, -1.685, 1.416, 0.3765, 0, -0.2124, 0, 0.2563, -0.002762,
        -1.012, 0.501, -0.0, 0.32, -1.076,
    ]).reshape(2, 1, 2, 5),
    "past_key": np.float16([
        0.999, 1, -0.04962, 0.322, 0.1238, -0.8315, -0.222, -0.2788, 0.907, -0.7314, -0.1896, -0.2952, -0.9307,
        0.898, -0.5107, -0.1455, -0.999, 1, 0.7427, 0, 0.6216, 0.2465, 0.4016, 0.04114,
    ]).reshape(2, 1, 3, 4),
    "past_value": np.float16([
        0, -0.999, 0.677, -1, -0.999, -0.07, -0.1625, -0.2742, -0.565, -0.999, -0.1552, 0.579, 0.2566, 0.428,
        0.4124, 0, 0.2695, -0.1575, 0.0989, -0.2202, -0.5244, -0.999, 1, 0.2754, 0.536, -0.8115, 0, 0.999, 1,
        -0.999,
    ]).reshape(2, 1, 3, 5),
}
# fmt: on


def attention():
    """Returns Y by the formula, in double."""
    q, k, v, past_key, past_value = (np.float64(FEEDS[name]) for name in FEEDS)
    scores = 2.0 * np.tanh(q @ np.concatenate([past_key, k], axis=2).swapaxes(2, 3) / 2.0)
    return np.exp(scores) / np.sum(np.exp(scores), axis=3, keepdims=True) @ np.concatenate([past_value, v], axis=2)


EXPECTED = [
    np.float16(attention()),
    np.concatenate([FEEDS["past_key"], FEEDS["k"]], axis=2),
    np.concatenate([FEEDS["past_value"], FEEDS["v"]], axis=2),
]
# Seen on an NVIDIA H200 with ONNX Runtime 1.31.1 on 2026-11-27: output, index, element.
SEEN = [(0, (1, 0, 0, 0), 0.2551), (2, (0, 0, 2, 2), -1.998), (2, (1, 0, 4, 0), 0), (2, (1, 0, 4, 4), 0)]


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
    """Returns whether Y is within 0.02, some ten times the rounding of float16, and the rest is what is expected."""
    return np.allclose(found[0], EXPECTED[0], rtol=0, atol=0.02, equal_nan=True) and all(
        np.array_equal(got, want, equal_nan=True) for got, want in zip(found[1:], EXPECTED[1:])
    )


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
