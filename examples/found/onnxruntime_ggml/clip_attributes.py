"""The ggml provider of ONNX Runtime ignores the bounds of Clip before version 11.

Up to version 6, the bounds are the attributes `min` and `max`: an element beyond one of them is replaced by it.

pip install onnx==1.23.2 numpy onnxruntime==1.30.0 onnxruntime-ggml==0.2.0
python3 clip_attributes.py
"""

import sys

import numpy as np
import onnx.parser
import onnxruntime
import onnxruntime_ggml

MODEL = """<ir_version: 3, opset_import: ["" : 6]>
clip (float[3] x) => (float[3] y) { y = Clip <min = -1.0, max = 1.0> (x) }"""
FEEDS = {
    "x": np.float32([-5, 0.5, 5]),
}
EXPECTED = [np.float32([-1, 0.5, 1])]

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
