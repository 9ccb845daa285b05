"""The ggml provider of ONNX Runtime ignores the attribute `axis` of Add before version 7.

Up to version 6, `axis` says at which dimension of A the dimensions of B start: here, B has a number for each row.

pip install onnx==1.23.2 numpy onnxruntime==1.30.0 onnxruntime-ggml==0.2.0
python3 add_axis.py
"""

import sys

import numpy as np
import onnx.parser
import onnxruntime
import onnxruntime_ggml

MODEL = """<ir_version: 3, opset_import: ["" : 6]>
add (float[2,2] a, float[2] b) => (float[2,2] y) { y = Add <axis = 0, broadcast = 1> (a, b) }"""
FEEDS = {
    "a": np.float32([[1, 2], [3, 4]]),
    "b": np.float32([10, 20]),
}
EXPECTED = [np.float32([[11, 12], [23, 24]])]

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
