#!/usr/bin/env python3
"""Compares src/onnx/*.rs with the messages of the installed onnx package: numbers, types and packing of every field.

Needs onnx. Exits with 1 and a line for each difference; a new release of ONNX may add fields.
"""

import pathlib
import re
import sys

import onnx.onnx_data_pb2
import onnx.onnx_ml_pb2

# Numbers of google.protobuf.FieldDescriptorProto.Type.
KINDS = {1: "double", 2: "float", 3: "int64", 4: "uint64", 5: "int32", 9: "string", 11: "message", 12: "bytes", 14: "int32"}
NUMBERS = {1, 2, 3, 4, 5, 14}
FIELD = r'#\[prost\(([^\]]*?)tag = "(\d+)"\)\]\s*(?:pub )?(?:r#)?(\w+)'


def messages():
    def walk(message, prefix):
        yield prefix + message.name, message
        for nested in message.nested_types_by_name.values():
            yield from walk(nested, prefix + message.name)

    for file in (onnx.onnx_ml_pb2.DESCRIPTOR, onnx.onnx_data_pb2.DESCRIPTOR):
        for message in file.message_types_by_name.values():
            yield from walk(message, "")


def compare(name, message, text):
    body = re.search(r"pub struct %s \{(.*?)\n\}" % name, text, re.S)
    if not body:
        yield f"{name} is missing"
        return
    fields = body.group(1)
    for oneof in re.findall(r'oneof = "(\w+)"', fields):
        variants = re.search(r"pub enum %s \{(.*?)\n\}" % oneof, text, re.S).group(1)
        # A variant has the name of its field, in upper camel case.
        fields += re.sub(r"\b[A-Z]\w*(?=\()", lambda m: re.sub(r"(?!^)(?=[A-Z])", "_", m[0]).lower(), variants)
    ours = {int(tag): (field, kind) for kind, tag, field in re.findall(FIELD, fields)}
    for field in message.fields:
        found = ours.pop(field.number, None)
        if found is None or found[0] != field.name.lower():
            yield f"{name}.{field.name} = {field.number}: ours is {found}"
            continue
        kind = found[1]
        repeated = field.is_repeated if hasattr(field, "is_repeated") else field.label == 3
        if KINDS[field.type] not in kind or repeated != ("repeated" in kind):
            yield f"{name}.{field.name}: ours is {kind}"
        if repeated and field.type in NUMBERS and field.is_packed == ('packed = "false"' in kind):
            yield f"{name}.{field.name}: packed differs"
    for tag, field in ours.items():
        yield f"{name}: only ours has {field} = {tag}"


def main():
    source = pathlib.Path(__file__).resolve().parent.parent / "src/onnx"
    text = "".join(path.read_text() for path in sorted(source.glob("*.rs")))
    seen = 0
    differences = []
    for name, message in messages():
        seen += len(message.fields)
        differences += compare(name, message, text)
    print("\n".join(differences) or f"{seen} fields are as onnx {onnx.__version__} has them")
    sys.exit(bool(differences))


if __name__ == "__main__":
    main()
