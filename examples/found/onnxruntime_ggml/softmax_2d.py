"""The ggml provider of ONNX Runtime computes Softmax before version 13 along the last axis, whatever `axis` says.

Up to version 11, Softmax joins all axes from `axis` (1 by default) to the last: here, the four outputs add up to 1.

pip install onnx==1.23.2 numpy onnxruntime==1.30.0 onnxruntime-ggml==0.2.0
python3 softmax_2d.py
"""

import sys

import numpy as np
import onnx.parser
import onnxruntime
import onnxruntime_ggml

MODEL = """<ir_version: 6, opset_import: ["" : 11]>
softmax (float[1,2,2] x) => (float[1,2,2] y) { y = Softmax (x) }"""
FEEDS = {
    "x": np.float32([[[0, 0], [0, 0]]]),
}
EXPECTED = [np.float32([[[0.25, 0.25], [0.25, 0.25]]])]

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
