"""A whole backend in a few lines of Python without any package: Identity of anything, Abs of float.

cargo xtask conformance --backend "process:python3 examples/process_backend/backend.py" --op Abs-13 --dtype float
"""

import pathlib
import sys

# plumbline_worker.py is in the folder `python` of the repository. A copy of this file needs it in its own folder:
# `plumbline init` writes it.
sys.path.append(str(pathlib.Path(__file__).resolve().parents[2] / "python"))

from plumbline_worker import Refusal, serve  # noqa: E402


def fields(message):
    """The fields of a protobuf message: number, content (an integer, or bytes), and where the content ends."""
    position = 0

    def varint():
        nonlocal position
        value, shift = 0, 0
        while True:
            byte = message[position]
            position += 1
            value |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                return value

    while position < len(message):
        key = varint()
        if key & 7 == 0:
            yield key >> 3, varint(), position
        else:
            length = varint() if key & 7 == 2 else {1: 8, 5: 4}[key & 7]
            position += length
            yield key >> 3, message[position - length : position], position


def every(message, number):
    return [content for key, content, _ in fields(message) if key == number]


def absolute(tensor):
    """A TensorProto of float with the sign bits of its `raw_data` (field 9) cleared."""
    for number, raw, end in fields(tensor):
        if number == 9:
            cleared = bytes(byte & 127 if index % 4 == 3 else byte for index, byte in enumerate(raw))
            return tensor[: end - len(raw)] + cleared + tensor[end:]
    return tensor


def run(model, inputs):
    (graph,) = every(model, 7)  # ModelProto.graph
    nodes = every(graph, 1)  # GraphProto.node
    operators = [every(node, 4)[0].decode() for node in nodes]  # NodeProto.op_type
    kinds = [kind for kind, _ in inputs]
    if len(every(graph, 12)) != 1:  # GraphProto.output
        raise Refusal("unsupported", "graphs that do not have exactly one output")
    if operators == ["Identity"] and len(inputs) == 1:
        return inputs
    if operators == ["Abs"] and kinds == ["tensor(float)"]:
        return [(kinds[0], absolute(inputs[0][1]))]
    raise Refusal("unsupported", f"{' '.join(operators)} of {', '.join(kinds)}")


serve("bare-python", "1", run)
