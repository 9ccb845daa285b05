#!/usr/bin/env python3
"""Compares our text syntax with onnx.parser and onnx.printer. `tests/published.rs` runs this.

python3 compare_syntax.py FOLDER

FOLDER holds models, NAME.onnx, each with the text that we print for it, NAME.txt. Reads each text with onnx.parser, and
prints a line for each model that is not equal to the original: the name, a tab, and the first difference. Models are
equal if their messages are. Elements of tensors are compared by value, and fields that the syntax has no place for are
not compared. Of the latter, the first line of our text has to name exactly those that are set in the original.

Writes what onnx.printer prints for each model to NAME.printed, and what onnx.parser reads from that to NAME.parsed.
If the package fails, the file is not written.
"""

import pathlib
import re
import sys

import numpy
import onnx
import onnx.numpy_helper
import onnx.parser
import onnx.printer

# The fields that the syntax has no place for.
LOST = {
    "ModelProto": ["training_info", "configuration"],
    "GraphProto": ["doc_string", "quantization_annotation", "metadata_props"],
    "NodeProto": ["doc_string", "metadata_props", "device_configurations"],
    "ValueInfoProto": ["doc_string", "metadata_props"],
    "AttributeProto": ["doc_string"],
    "TensorProto": ["doc_string", "metadata_props", "segment"],
    "FunctionProto": ["metadata_props"],
    "TypeProto": ["denotation"],
    "Dimension": ["denotation"],
}
DATA = ["float_data", "int32_data", "string_data", "int64_data", "double_data", "uint64_data", "raw_data"]
# Strings for which the text does not distinguish absent from empty.
ABSENT_OR_EMPTY = {
    "NodeProto": ["domain", "op_type", "overload"],
    "GraphProto": ["name"],
    "TensorProto": ["name"],
    "ValueInfoProto": ["name"],
    "OperatorSetIdProto": ["domain"],
    "Opaque": ["domain", "name"],
}


def elements(tensor):
    if tensor.data_type == onnx.TensorProto.STRING:
        return list(tensor.string_data)
    array = numpy.ascontiguousarray(onnx.numpy_helper.to_array(tensor))
    return array.tobytes()


def normalize(message, lost):
    """Makes equal what the text does not distinguish, and adds the fields without a place in it to `lost`."""
    name = message.DESCRIPTOR.name
    for field in LOST.get(name, []):
        present = len(getattr(message, field)) if message.DESCRIPTOR.fields_by_name[field].is_repeated else message.HasField(field)
        if present:
            if getattr(message, field) != "":
                lost.add(f"{'TensorShapeProto.' if name == 'Dimension' else ''}{name}.{field}")
            message.ClearField(field)
    for field in ABSENT_OR_EMPTY.get(name, []):
        if getattr(message, field) == "":
            message.ClearField(field)
    if name == "TensorProto" and message.data_location != onnx.TensorProto.EXTERNAL:
        values = elements(message)
        for field in DATA:
            message.ClearField(field)
        message.ClearField("data_location")
        if isinstance(values, bytes):
            message.raw_data = values
        else:
            message.string_data.extend(values)
    if name == "OperatorSetIdProto" and not message.HasField("version"):
        message.version = 0
    for field, value in message.ListFields():
        if field.message_type is None:
            continue
        for item in value if field.is_repeated else [value]:
            normalize(item, lost)
    return message


def lost_in(text):
    head = "# Not in this text: "
    return set(text.split("\n")[0][len(head) :].split(", ")) if text.startswith(head) else set()


def first_difference(a, b, path=""):
    if a.DESCRIPTOR.name != b.DESCRIPTOR.name:
        return f"{path}: another message"
    for field in a.DESCRIPTOR.fields:
        x, y = getattr(a, field.name), getattr(b, field.name)
        here = f"{path}.{field.name}"
        if not field.is_repeated:
            if field.has_presence and a.HasField(field.name) != b.HasField(field.name):
                return f"{here} is {'set' if a.HasField(field.name) else 'absent'} in the first only"
            if field.message_type and not a.HasField(field.name):
                continue
            x, y = [x], [y]
        if len(x) != len(y):
            return f"{here} has {len(x)} and {len(y)} items"
        for i, j in zip(x, y):
            if field.message_type:
                if found := first_difference(i, j, here):
                    return found
            elif i != j and not (i != i and j != j):
                return f"{here} is {i!r:.40} and {j!r:.40}"
    return None


def parsed(text):
    try:
        return onnx.parser.parse_model(text), None
    except Exception as error:  # noqa: BLE001  the parser raises ParseError, and what std::stoll throws
        message = error.args[0].decode(errors="replace") if isinstance(error.args[0], bytes) else str(error)
        return None, re.sub(r"(?s)\[ParseError at.*?Error context: ", "", message).strip()


def compare_ours(model, text):
    theirs, error = parsed(text)
    if theirs is None:
        return f"onnx.parser refuses our text: {error}"
    lost = set()
    difference = first_difference(normalize(model, lost), normalize(theirs, set()))
    if difference:
        return f"our text differs: {difference}"
    if lost != lost_in(text):
        return f"our text says that it lacks {lost_in(text)}, it lacks {lost}"
    return None


def main():
    for path in sorted(pathlib.Path(sys.argv[1]).glob("*.onnx")):
        model = onnx.load(path, load_external_data=False)
        try:
            printed = onnx.printer.to_text(model)
        except UnicodeDecodeError:  # a string of the model is not UTF-8
            printed = None
        if printed is not None:
            path.with_suffix(".printed").write_text(printed, encoding="utf-8", newline="")
            theirs, _ = parsed(printed)
            if theirs is not None:
                path.with_suffix(".parsed").write_bytes(theirs.SerializeToString())
        difference = compare_ours(model, path.with_suffix(".txt").read_bytes().decode())
        if difference:
            print(path.stem, difference.replace("\n", " "), sep="\t")


if __name__ == "__main__":
    main()
