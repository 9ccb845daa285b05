"""The ggml provider of ONNX Runtime gives all extents for Shape if `start` is beyond the rank.

Shape-15 clamps `start` to the rank, which is also the default of `end`: here, the list of extents is empty.

pip install onnx==1.23.2 numpy onnxruntime==1.30.0 onnxruntime-ggml==0.2.0
python3 shape_start_beyond.py
"""

import sys

import numpy as np
import onnx.parser
import onnxruntime
import onnxruntime_ggml

MODEL = """<ir_version: 8, opset_import: ["" : 15]>
extents (float[2,3] x) => (int64[n] y) { y = Shape <start = 5> (x) }"""
FEEDS = {
    "x": np.zeros((2, 3), np.float32),
}
EXPECTED = [np.int64([])]

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
