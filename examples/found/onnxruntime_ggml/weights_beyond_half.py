"""The ggml provider of ONNX Runtime stores float weights as float16, and those beyond 65504 become infinite.

MatMul of float matrices is a sum of products: 1 * 70000 + 0 * 3 = 70000. A weight that is an input is not rounded.

pip install onnx==1.23.2 numpy onnxruntime==1.30.0 onnxruntime-ggml==0.2.0
python3 weights_beyond_half.py
"""

import sys

import numpy as np
import onnx.parser
import onnxruntime
import onnxruntime_ggml

MODEL = """<ir_version: 8, opset_import: ["" : 13]>
product (float[2,2] x) => (float[2,2] y) <float[2,2] w = {70000.0, 2.0, 3.0, 4.0}> { y = MatMul (x, w) }"""
FEEDS = {
    "x": np.float32([[1, 0], [0, 1]]),
}
EXPECTED = [np.float32([[70000, 2], [3, 4]])]

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
