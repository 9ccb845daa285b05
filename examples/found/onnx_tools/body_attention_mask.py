"""The function of Attention-24: it adds a mask of float to a mask of another type.

pip install onnx==1.22.0 numpy
"""

import sys

import numpy
import onnx
from onnx import checker, defs, parser, reference

MODEL = parser.parse_model(
    """
    <ir_version: 11, opset_import: ["" : 24]>
    graph (float16[1,1,1,1] q, float16[1,1,2,1] k, float16[1,1,2,1] v, float16[1,2] mask, int64[1] n) => (float16[1,1,1,1] y) {
      y = Attention (q, k, v, mask, "", "", n)
    }
    """
)
INPUTS = {
    "q": numpy.array([[[[1]]]], numpy.float16),
    "k": numpy.array([[[[1], [1]]]], numpy.float16),
    "v": numpy.array([[[[3], [5]]]], numpy.float16),
    "mask": numpy.array([[-numpy.inf, 0]], numpy.float16),
    "n": numpy.array([2]),
}
EXPECTED = [numpy.array([[[[5]]]], numpy.float16)]

# The node becomes a call of the function that ONNX has for its operator.
node, opset = MODEL.graph.node[0], MODEL.opset_import[0]
schema = defs.get_schema(node.op_type, opset.version, node.domain)
if schema.has_function:
    version = max(v for v in schema.function_opset_versions if v <= opset.version)
    content = schema.get_function_with_opset_version(version)
else:
    types = [value.type.SerializeToString() for value in MODEL.graph.input]
    version = max(v for v in schema.context_dependent_function_opset_versions if v <= opset.version)
    content = schema.get_context_dependent_function_with_opset_version(version, node.SerializeToString(), types)
body = onnx.FunctionProto.FromString(content)
given = [attribute.name for attribute in node.attribute]
defaults = [schema.attributes[name].default_value for name in body.attribute if name not in given]
node.attribute.extend(default for default in defaults if default.type)
node.input.extend([""] * (len(body.input) - len(node.input)))
del body.output[len(node.output) :]
node.domain = body.domain = "bodies"
MODEL.functions.append(body)
MODEL.opset_import.append(onnx.helper.make_opsetid("bodies", 1))
try:
    checker.check_model(MODEL, full_check=True)
    found = reference.ReferenceEvaluator(MODEL).run(None, INPUTS)
except Exception as error:  # the body is invalid, or does not run
    found = [" ".join(str(error).split())[:300]]
print("onnx", onnx.__version__)
print("expected:", *EXPECTED, "found:", *found, sep="\n")
right = type(found[0]) is not str and numpy.shape(found[0]) == EXPECTED[0].shape
sys.exit(0 if right and numpy.allclose(found[0], EXPECTED[0], 1e-3, 1e-3) else 1)
