"""Puts the function bodies that the onnx package has for a node in the node's place.

usage: function_bodies.py CASES BODIES

CASES holds models of one node each, one after the other, each behind its length. For each of them in turn BODIES gets the number of
bodies, and for each body its length and the model, whose node now calls the body as a function of the model. All numbers have four
bytes, the lowest first. A body that depends on the node is made for it, with its attributes and the types and shapes of its inputs.
"""

import struct
import sys

import onnx
from onnx import defs

# The functions have a domain of their own, so that a body may use the operator whose name its function has.
DOMAIN = "plumbline.body"


def models(path):
    with open(path, "rb") as file:
        while length := file.read(4):
            yield onnx.ModelProto.FromString(file.read(*struct.unpack("<I", length)))


def schema_of(model):
    (node,) = model.graph.node
    since = next(opset.version for opset in model.opset_import if opset.domain == node.domain)
    return defs.get_schema(node.op_type, since, node.domain)


def functions(model, schema):
    """Each body of the only node of a model."""
    graph, (node,) = model.graph, model.graph.node
    for opset in schema.function_opset_versions:
        yield onnx.FunctionProto.FromString(schema.get_function_with_opset_version(opset))
    types = {value.name: value.type for value in graph.input}
    for tensor in graph.initializer:
        types[tensor.name] = onnx.helper.make_tensor_type_proto(tensor.data_type, tensor.dims)
    given = [types.get(name, onnx.TypeProto()).SerializeToString() for name in node.input]
    for opset in schema.context_dependent_function_opset_versions:
        body = schema.get_context_dependent_function_with_opset_version(opset, node.SerializeToString(), given)
        if body:  # The package has none for some nodes.
            yield onnx.FunctionProto.FromString(body)


def called(model, schema, function):
    """The model with a function in place of the operator."""
    result = onnx.ModelProto()
    result.CopyFrom(model)
    node = result.graph.node[0]
    function.domain = node.domain = DOMAIN
    # A body need not import every domain whose operators it uses. For the others, the versions of the model hold.
    named = {opset.domain for opset in function.opset_import}
    function.opset_import.extend(opset for opset in model.opset_import if opset.domain not in named)
    # The defaults are the operator's, not the function's.
    given = {attribute.name for attribute in [*node.attribute, *function.attribute_proto]}
    defaults = [schema.attributes[name].default_value for name in function.attribute if name not in given]
    node.attribute.extend(default for default in defaults if default.name)
    result.functions.append(function)
    result.opset_import.append(onnx.helper.make_opsetid(DOMAIN, 1))
    return result


def main(cases, bodies):
    with open(bodies, "wb") as file:
        for model in models(cases):
            schema = schema_of(model)
            found = [called(model, schema, function).SerializeToString() for function in functions(model, schema)]
            file.write(struct.pack("<I", len(found)))
            for body in found:
                file.write(struct.pack("<I", len(body)) + body)


if __name__ == "__main__":
    main(*sys.argv[1:])
