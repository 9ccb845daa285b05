"""A backend with exact answers to models of one node: it computes the formulas of ONNX's text exactly, and rounds once,
to the type of the output.

It needs the packages onnx, ml_dtypes and mpmath, and says `unsupported` of everything that it has no formula for.

cargo xtask conformance --backend "process:python3 crates/conformance/scripts/exact/backend.py" --suite generated --cases 100
"""

import pathlib
import sys

import numpy as np
import onnx
from mpmath import mp, mpf
from onnx import TensorProto, numpy_helper

HERE = pathlib.Path(__file__).resolve().parent
sys.path += [str(HERE), str(HERE.parents[3] / "python")]

from plumbline_worker import Refusal, serve  # noqa: E402

import elementwise  # noqa: E402
import layers  # noqa: E402
import products  # noqa: E402
import reductions  # noqa: E402
from values import FORMATS, WORKING, Unsupported, exact, rounded  # noqa: E402

OPERATORS = elementwise.OPERATORS | reductions.OPERATORS | products.OPERATORS | layers.OPERATORS


class Node:
    """The node of a model with its inputs, in the words of the specification."""

    def __init__(self, proto, tensors, version, elem_types):
        self.proto, self.tensors, self.elem_types = proto, tensors, elem_types
        domain = "" if proto.domain in ("", "ai.onnx") else proto.domain
        self.schema = onnx.defs.get_schema(proto.op_type, version, domain)
        self.since = self.schema.since_version
        self.inputs, self.outputs = len(proto.input), len(proto.output)

    def has(self, index):
        return index < self.inputs and self.proto.input[index] != ""

    def tensor(self, index):
        if not self.has(index):
            raise Unsupported(f"input {index} is left out")
        return self.tensors[self.proto.input[index]]

    def any(self, index):
        """The elements of an input of any type."""
        return numpy_helper.to_array(self.tensor(index))

    def floats(self, index):
        """The elements of an input as float64. The type of the input has to be in `FORMATS`."""
        tensor = self.tensor(index)
        if tensor.data_type not in FORMATS:
            raise Unsupported(f"element type {TensorProto.DataType.Name(tensor.data_type)}")
        return numpy_helper.to_array(tensor).astype(np.float64)

    def exact(self, index):
        return exact(self.floats(index))

    def optional(self, name):
        """The attribute, or its default; `None` where there is neither."""
        for attribute in self.proto.attribute:
            if attribute.name == name:
                return attribute
        known = self.schema.attributes.get(name)
        default = known.default_value if known is not None else None
        return default if default is not None and default.type else None

    def attribute(self, name):
        found = self.optional(name)
        if found is None:
            raise Unsupported(f"the node has no attribute {name}")
        return found

    def float(self, name):
        return mpf(self.attribute(name).f)

    def int(self, name):
        return self.attribute(name).i

    def ints(self, name):
        found = self.optional(name)
        return None if found is None else list(found.ints)

    def string(self, name):
        return self.attribute(name).s.decode()

    def block_size(self):
        found = self.optional("block_size")
        return found.i if found is not None else 0

    def map(self, index, formula):
        return self.zip([self.floats(index)], formula)

    def zip(self, arrays, formula):
        """Applies a formula to the elements at each place of arrays that broadcast."""
        arrays = np.broadcast_arrays(*arrays)
        out = np.empty(arrays[0].shape, dtype=object)
        for index in np.ndindex(*out.shape):
            out[index] = formula(*(a[index].item() if isinstance(a[index], np.generic) else a[index] for a in arrays))
        return out


def run(model, inputs):
    model = onnx.load_model_from_string(model)
    if len(model.graph.node) != 1 or model.functions:
        raise Refusal("unsupported", "the model has more than one node")
    (node,) = model.graph.node
    tensors = {tensor.name: tensor for tensor in model.graph.initializer}
    names = [value.name for value in model.graph.input if value.name not in tensors]
    for name, (kind, content) in zip(names, inputs):
        if not kind.startswith("tensor("):
            raise Refusal("unsupported", f"values of type {kind} are not tensors")
        tensors[name] = TensorProto.FromString(content)
    formula = OPERATORS.get(node.op_type)
    if formula is None or node.domain not in ("", "ai.onnx"):
        raise Refusal("unsupported", f"no formula for {node.op_type}")
    types = [value.type.tensor_type.elem_type for value in model.graph.output]
    version = next(o.version for o in model.opset_import if o.domain in ("", "ai.onnx"))
    used = {t.data_type for t in tensors.values()} | set(types)
    mp.prec = 300 if node.op_type in elementwise.SHORT else max(WORKING.get(t, 0) for t in used) or 800
    try:
        outputs = formula(Node(node, tensors, version, types))
        if len(outputs) < len(node.output) or len(types) != len(node.output):
            raise Unsupported("the model names outputs without a formula")
        answers = [rounded(array, elem_type) for array, elem_type in zip(outputs, types)]
    except Unsupported as reason:
        raise Refusal("unsupported", f"{node.op_type}: {reason}") from None
    kinds = [f"tensor({TensorProto.DataType.Name(t).lower()})" for t in types]
    return [(kind, answer.SerializeToString()) for kind, answer in zip(kinds, answers)]


if __name__ == "__main__":
    if sys.argv[1:] == ["--operators"]:
        print("\n".join(sorted(OPERATORS)))
    else:
        serve("exact", "", run)
