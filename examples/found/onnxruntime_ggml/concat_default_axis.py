"""The ggml provider of ONNX Runtime joins the inputs of Concat-1 along axis 0 if no `axis` is given.

The default of `axis` in Concat-1 is 1. Later versions require the attribute.

pip install onnx==1.23.2 numpy onnxruntime==1.30.0 onnxruntime-ggml==0.2.0
python3 concat_default_axis.py
"""

import sys

import numpy as np
import onnx.parser
import onnxruntime
import onnxruntime_ggml

MODEL = """<ir_version: 3, opset_import: ["" : 1]>
join (float[1,2] a, float[1,2] b) => (float[1,4] y) { y = Concat (a, b) }"""
FEEDS = {
    "a": np.float32([[1, 2]]),
    "b": np.float32([[3, 4]]),
}
EXPECTED = [np.float32([[1, 2, 3, 4]])]

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
