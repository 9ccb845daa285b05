"""ONNX Runtime's CUDA provider lets an infinite element spoil other regions of LRN than those that it is in.

LRN-13: the squares are summed over the channels c - 1 to c + 1 for a size of 3. The region of element [1, 4, 3] has
the channels 3 to 5, which are finite; channel 2 is -infinity, and has no influence. The provider's sum has lost the
channels 3 and 5, as if it had subtracted what left the region. The CPU provider refuses the shape, which the text
allows: N x C x D1 ...

The script compares only elements in whose region all numbers are below 1e9.

pip install numpy onnx==1.23.2 "onnxruntime-gpu[cuda,cudnn]==1.31.1"
python3 lrn_infinity.py
"""

import sys

import numpy as np
import onnx
import onnxruntime
from onnx import TensorProto, helper

# fmt: off
X = np.float32([
    0, -0.4792422, 1.9999998, 0.29375422, -0.37492007, -0.42843977, 0, -1.5707964, -0.059110306, -1.3320829, 2,
    1, -1.7683973, 0.81493694, 1.9999998, 1.9999998, 0.041897897, -1.471733, -2, 0.7163786, 1.8588592,
    -0.7032235, 0.24803333, 0.8807346, 0.10177572, -1.8374608, -2, -0.12418804, -1.5776131, 0.116924345, 2, 2,
    0.7240773, -0.3332454, 0.9689602, 1.3645772, 3.4028235e+38, -7, 0.8559609, 1.7353742, -1.6807544, -1.075543,
    -1.1480613, 1.9999998, 1.6819385, -1.4355179, 1.5420289, -1.9999998, -2, -1.7336708, -0.8474131, -1.9831113,
    -1.1002468, 0.27113032, -1.2978309, -1.2985004, -0.4063153, 0, 1.0528371, -np.inf, 1.7365786, 1.5101748,
    -1.1324893, -1.9999998, -1.1754942e-38, -0.309457, 1.6947433, -1.282643, 0.2875703, -1.1372225,
    -0.047908146, -0.1842508, 11.231207, 2, -1.4200845, 0, 0.5454086, 0.96112174, 0.6804007, 0.1286163, -2,
    -0.8094487, 1.3018975, 1.3307977, 0.6103455, 0.6801294, -1.7562598, -1.9999998, -2, -2, 1.6924354,
    -0.12313913, -1.2340628, 0.41132167, 0.515618, 0.7553592, 2, 1.368005, -0.0, np.nan, -3e+38, 18.5, -1.847352,
    -2, 0.8895898, -0.6361789, 0, 0.69019693, -4.5, 0, 1.403225, 1.9999998, -np.inf, -0.47007295, 1.20027,
    -0.8421887, -2, -1.8539716, 2, -1.1754944e-38, 0, 5.5682144, -2, -0.8939936, -0.54023325, -0.20432565, 7.25,
    -1.3664333, 1.444095, -np.inf, np.nan, -1.3747607, 1.7039539, 0.37630492, 0.81023157, -1.3695174, 1.2276552,
    0.73084253, 8.5, -1.5922104, 1.375, 2, 0.308339, 1.802881, 0.42574534, -0.5504297, -1.9999998, 1.4787112, 2,
    0, 2, -1.1714468, -1.499841, 0, 0.7902537, 0.5869462, -11.1, -0.0, 1.703859, -0.80193865, 0.5368869,
    0.13190345, 1.3337721, 0.4141566, -1.8021921, 1.077654, 0.3225498, 9, -0.20070319, 2, -1.9999998,
    -1.9999998, 0, -2, -1.3868561, 1.8740242, -1.8670588, -0.50775474, 0, 0, 1.3710784, -0.18798415, 0.484541,
    0.63903505, -3.4028235e+38, -0.39148572, -1.3948319, -0.22860558, 0.072476186, 2, 0.30926704, 1.125, 2, -1,
    0, 1.7657856, 1.9999998, 0.46650165, 0, -2, 1.0405098, -7.5, -2, -0.648872, 1.5119237, -8, -0.14157465,
    0.1916459, -1.9999998, -0.05889322,
]).reshape(5, 6, 7, 1, 1)
# fmt: on
MODEL = helper.make_model(
    helper.make_graph(
        [
            helper.make_node("LRN", ["x"], ["y"], size=3, alpha=0.5, beta=0.3, bias=2.0),
        ],
        "normalization",
        [],
        [
            helper.make_tensor_value_info("y", TensorProto.FLOAT, [5, 6, 7, 1, 1]),
        ],
        [onnx.numpy_helper.from_array(X, "x")],
    ),
    opset_imports=[helper.make_opsetid("", 13)],
    ir_version=7,
)
FEEDS = {}
PADDED = np.pad(np.float64(X), [(0, 0), (1, 1), (0, 0), (0, 0), (0, 0)])
REGIONS = np.stack([PADDED[:, :-2], PADDED[:, 1:-1], PADDED[:, 2:]])
COMPARED = np.all(np.abs(REGIONS) < 1e9, axis=0)
with np.errstate(invalid="ignore"):
    EXPECTED = [np.float32(X / (2.0 + 0.5 / 3 * np.sum(REGIONS**2, axis=0)) ** 0.3)]
# Seen on an NVIDIA H200 with ONNX Runtime 1.31.1 on 2026-11-27: output, index, element.
SEEN = [(0, (1, 4, 3, 0, 0), 1.4901822), (0, (1, 5, 3, 0, 0), -1.5813111)]


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
    """Returns whether the output is within 1e-5 of what is expected, some ten times the rounding of float."""
    return np.allclose(found[0][COMPARED], EXPECTED[0][COMPARED], rtol=1e-5, atol=0)


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
