"""Cast to float16 in front of a node that ONNX Runtime computes in float is left out, so that nothing is rounded.

pip install numpy onnx==1.23.2 onnxruntime==1.31.1
"""

import sys

import numpy
import onnx.parser
import onnxruntime

numpy.set_printoptions(precision=17)
onnxruntime.set_default_logger_severity(4)
X = numpy.array([1.473], numpy.float32)
EXPECTED = numpy.square(X.astype(numpy.float16))


def run(graph, x):
    text = '<ir_version: 8, opset_import: ["" : 13]> ' + graph
    model = onnx.parser.parse_model(text).SerializeToString()
    session = onnxruntime.InferenceSession(model, providers=["CPUExecutionProvider"])
    return session.run(None, {session.get_inputs()[0].name: x})[0]


# No pass can be left out, because Casts are removed without the optimizer, too. In models of one node, both are right.
print("onnxruntime", onnxruntime.__version__)
found = run("graph (float[1] x) => (float16[1] y) { h = Cast <to = 10> (x) y = Mul (h, h) }", X)
h = run("graph (float[1] x) => (float16[1] h) { h = Cast <to = 10> (x) }", X)
alone = run("graph (float16[1] h) => (float16[1] y) { y = Mul (h, h) }", h)
print("expected:", EXPECTED, "found:", found, "one node after the other:", alone, sep="\n")
sys.exit(0 if numpy.array_equal(found, EXPECTED) else 1)
