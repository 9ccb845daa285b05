"""The ggml provider of ONNX Runtime reduces all axes, although noop_with_empty_axes forbids it.

If `noop_with_empty_axes` is 1 and no axes are given, no axis is reduced, and ReduceSum gives its input.

pip install onnx==1.23.2 numpy onnxruntime==1.30.0 onnxruntime-ggml==0.2.0
python3 reduce_no_axes.py
"""

import sys

import numpy as np
import onnx.parser
import onnxruntime
import onnxruntime_ggml

MODEL = """<ir_version: 8, opset_import: ["" : 13]>
sums (float[3] x) => (float[3] y) { y = ReduceSum <noop_with_empty_axes = 1> (x) }"""
FEEDS = {
    "x": np.float32([1, 2, 3]),
}
EXPECTED = [np.float32([1, 2, 3])]

print("onnxruntime", onnxruntime.__version__, "onnxruntime-ggml", onnxruntime_ggml.__version__)
onnxruntime.set_default_logger_severity(3)
options = onnxruntime.SessionOptions()
options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
# There is no session unless ggml takes every node.
options.add_session_config_entry("session.disable_cpu_ep_fallback", "1")
model = onnx.parser.parse_model(MODEL)
onnx.checker.check_model(model, full_check=True)
print("expected", *(value.tolist() for value in EXPECTED), flush=True)
session = onnxruntime_ggml.InferenceSession(model.SerializeToString(), {"device": "cpu"}, options)
found = session.run(None, FEEDS)
print("found   ", *(value.tolist() for value in found))
sys.exit(not all(np.array_equal(*pair) for pair in zip(found, EXPECTED)))
