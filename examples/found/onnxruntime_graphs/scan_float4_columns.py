"""The process aborts when Scan goes through the columns of a tensor of float4e2m1.

pip install numpy onnx==1.23.2 onnxruntime==1.32.0
"""

import subprocess
import sys

import numpy
import onnx.parser
import onnxruntime

onnxruntime.set_default_logger_severity(4)
MODEL = onnx.parser.parse_model(
    """
    <ir_version: 11, opset_import: ["" : 23]>
    graph (float[256] x) => (float[256] y) {
      y = Scan <num_scan_inputs = 2, scan_input_axes = [0, 1], body = b (float p, float4e2m1[2] column) => (float q) {
        q = Neg (p)
      }> (x, k)
    }
    """
)
ONES = bytes([0x22] * 256)  # two numbers in a byte; 2 stands for 1
MODEL.graph.initializer.add(name="k", data_type=onnx.TensorProto.FLOAT4E2M1, dims=[2, 256], raw_data=ONES)
MODEL = MODEL.SerializeToString()
INPUTS = {"x": numpy.ones(256, numpy.float32)}
EXPECTED = "[-1.0]"


def run():
    """Runs the model in another process, because this one would end."""
    if sys.argv[1:]:
        options = onnxruntime.SessionOptions()
        options.enable_cpu_mem_arena = False  # so that the C library notices what is written beyond the end
        session = onnxruntime.InferenceSession(MODEL, options, providers=["CPUExecutionProvider"])
        print(numpy.unique(session.run(None, INPUTS)[0]).tolist())
        sys.exit()
    command = [sys.executable, __file__, "run"]
    child = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    return child.stdout.decode().strip() or f"exit code {child.returncode}"


found = run()
print("onnxruntime", onnxruntime.__version__)
print("expected:", EXPECTED, "found:", found, sep="\n")
# A refusal, exit code 1, is another matter: there is no kernel for this type.
sys.exit(0 if found in (EXPECTED, "exit code 1") else 1)
