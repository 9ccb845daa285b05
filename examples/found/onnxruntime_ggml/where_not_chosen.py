"""In the ggml provider of ONNX Runtime, Where gives NaN if the element that is not chosen is infinite.

Where takes each element of the output from X or from Y, as the condition says. The other element has no influence.

pip install onnx==1.23.2 numpy onnxruntime==1.30.0 onnxruntime-ggml==0.2.0
python3 where_not_chosen.py
"""

import sys

import numpy as np
import onnx.parser
import onnxruntime
import onnxruntime_ggml

MODEL = """<ir_version: 8, opset_import: ["" : 16]>
where (bool[2] c, float[2] x, float[2] y) => (float[2] z) { z = Where (c, x, y) }"""
FEEDS = {
    "c": np.array([True, False]),
    "x": np.float32([1, np.inf]),
    "y": np.float32([-np.inf, 2]),
}
EXPECTED = [np.float32([1, 2])]

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
