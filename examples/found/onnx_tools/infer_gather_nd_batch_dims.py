"""Shape inference of GatherND-13: a negative `batch_dims` ends the process.

pip install onnx==1.23.2 numpy
"""

import subprocess
import sys

import onnx

MODEL = """
from onnx import parser, shape_inference

model = parser.parse_model('''
    <ir_version: 8, opset_import: ["" : 13]>
    graph (float[1,7] x, int64[1] i) => (float[n] y) {
      y = GatherND <batch_dims = -2147483648> (x, i)
    }
''')
shape_inference.infer_shapes(model, strict_mode=True)
"""
ended = subprocess.run([sys.executable, "-c", MODEL], capture_output=True)
print("onnx", onnx.__version__)
print("expected:", "an error or no shape", "found:", f"exit status {ended.returncode}", sep="\n")
sys.exit(0 if ended.returncode in (0, 1) else 1)
