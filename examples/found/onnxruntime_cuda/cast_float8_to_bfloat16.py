"""ONNX Runtime's CUDA provider moves the bits of float8e5m2 into bfloat16 without correcting the exponent.

Cast-25: a conversion from one floating-point type to another keeps the value if the type has it, and bfloat16 has all
values of float8e5m2. Infinity stays infinity (0x7f80), and -7 stays -7 (0xc0e0). The provider shifts the 8 bits left
by 8, as a conversion to float16 would, and returns 2.66e36 (0x7c00) and -32768 (0xc700).

pip install numpy onnx==1.23.2 "onnxruntime-gpu[cuda,cudnn]==1.31.1"
python3 cast_float8_to_bfloat16.py
"""

import sys

import numpy as np
import onnx
import onnxruntime
from onnx import TensorProto, helper

MODEL = helper.make_model(
    helper.make_graph(
        [
            helper.make_node("Cast", ["x"], ["y"], to=TensorProto.BFLOAT16),
        ],
        "cast",
        [
            helper.make_tensor_value_info("x", TensorProto.FLOAT8E5M2, [2]),
        ],
        [
            helper.make_tensor_value_info("y", TensorProto.BFLOAT16, [2]),
        ],
    ),
    opset_imports=[helper.make_opsetid("", 25)],
    ir_version=13,
)
FEEDS = {
    "x": (TensorProto.FLOAT8E5M2, np.uint8([0x7C, 0xC7])),
}
EXPECTED = [np.uint16([0x7F80, 0xC0E0])]
# Seen on an NVIDIA H200 with ONNX Runtime 1.31.1 on 2026-11-27: output, index, bits.
SEEN = [(0, (0,), 0x7C00), (0, (1,), 0xC700)]


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
    """Returns the bits of the output by this provider. NumPy does not have the types."""
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
