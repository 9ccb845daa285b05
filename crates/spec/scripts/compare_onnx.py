"""Compares specs/ with the installed onnx package, field by field.

Takes the path of specs/. Prints one line a difference and exits with 1 when there is any. It shares
nothing with import_onnx.py, so that a mistake there is not repeated here.
"""

import json
import pathlib
import re
import sys

import numpy
import onnx
from onnx import AttributeProto, TensorProto, defs, helper, numpy_helper
from onnx.defs import OpSchema

differences = 0


def expect(place, field, in_specs, in_onnx):
    global differences
    if in_specs != in_onnx:
        differences += 1
        print(f"{place}: {field}: {in_specs!r} in specs, {in_onnx!r} in onnx")


def default(proto):
    if proto.type == AttributeProto.UNDEFINED:
        return None
    if proto.type == AttributeProto.FLOAT:
        return proto.f
    if proto.type == AttributeProto.INT:
        return proto.i
    if proto.type == AttributeProto.STRING:
        return proto.s.decode()
    if proto.type == AttributeProto.FLOATS:
        return list(proto.floats)
    if proto.type == AttributeProto.INTS:
        return list(proto.ints)
    if proto.type == AttributeProto.STRINGS:
        return [item.decode() for item in proto.strings]
    raise SystemExit(f"a default of kind {proto.type} is not compared yet")


def formals(place, kind, entries, schema):
    expect(place, kind, [entry["name"] for entry in entries], [item.name for item in schema])
    for entry, item in zip(entries, schema):
        where = f"{kind} {entry['name']}"
        option = {
            OpSchema.FormalParameterOption.Single: "single",
            OpSchema.FormalParameterOption.Optional: "optional",
            OpSchema.FormalParameterOption.Variadic: "variadic",
        }[item.option]
        expect(place, f"type of {where}", entry["type"], item.type_str)
        expect(place, f"option of {where}", entry["option"], option)
        expect(place, f"homogeneity of {where}", entry["homogeneous"], item.is_homogeneous)
        expect(place, f"least arity of {where}", entry["min_arity"], item.min_arity)


def version(place, entry, schema):
    expect(place, "deprecated", entry["deprecated"], schema.deprecated)
    expect(place, "support", entry["support"], schema.support_level.name.lower())
    has_body = schema.has_function or schema.has_context_dependent_function
    expect(place, "function", entry["function"], has_body)
    inference = schema.has_type_and_shape_inference_function
    expect(place, "shape_inference", entry["shape_inference"], inference)
    determinism = entry["deterministic"].replace("-", "")
    expect(place, "deterministic", determinism, schema.node_determinism.name.lower())
    expect(place, "min_inputs", entry["min_inputs"], schema.min_input)
    expect(place, "max_inputs", entry["max_inputs"], schema.max_input)
    expect(place, "min_outputs", entry["min_outputs"], schema.min_output)
    expect(place, "max_outputs", entry["max_outputs"], schema.max_output)
    names = [item["name"] for item in entry["attributes"]]
    expect(place, "attributes", set(names), set(schema.attributes))
    for item in entry["attributes"]:
        attribute = schema.attributes.get(item["name"])
        if attribute is not None:
            where = f"attribute {item['name']}"
            expect(place, f"type of {where}", item["type"], attribute.type.name)
            expect(place, f"{where} required", item["required"], attribute.required)
            expect(place, f"default of {where}", item["default"], default(attribute.default_value))
    formals(place, "input", entry["inputs"], schema.inputs)
    formals(place, "output", entry["outputs"], schema.outputs)
    constraints = {c.type_param_str: set(c.allowed_type_strs) for c in schema.type_constraints}
    expect(place, "type variables", set(entry["types"]), set(constraints))
    for name in constraints.keys() & entry["types"].keys():
        types = entry["types"][name]
        expect(place, f"types of {name}", set(types), constraints[name])
        expect(place, f"order of the types of {name}", types, sorted(types))


def operators(specs):
    schemas = {}
    for schema in defs.get_all_schemas_with_history():
        schemas[schema.domain or "ai.onnx", schema.name, schema.since_version] = schema
    found = {}
    # Domains with another origin than the package.
    text = (specs / "onnx" / "domains.toml").read_text(encoding="utf-8")
    entries = [entry for entry in text.split("[[domain]]")[1:] if 'origin = "onnx"' not in entry]
    others = [re.search(r'^name = "(.*)"$', entry, re.MULTILINE)[1] for entry in entries]
    for path in sorted((specs / "onnx").glob("*/*.json")):
        if path.parent.name in others:
            continue
        operator = json.loads(path.read_text(encoding="utf-8"))
        for entry in operator["versions"]:
            found[operator["domain"], operator["name"], entry["since"]] = entry
    for key in sorted(schemas.keys() ^ found.keys()):
        expect("-".join(map(str, key)), "exists", key in found, key in schemas)
    for key in sorted(schemas.keys() & found.keys()):
        version("-".join(map(str, key)), found[key], schemas[key])
    return len(found)


def dtypes(specs):
    entries = json.loads((specs / "dtypes.json").read_text(encoding="utf-8"))["dtypes"]
    codes = {entry["name"].upper(): entry["code"] for entry in entries}
    known = {name: code for name, code in TensorProto.DataType.items() if code}
    expect("dtypes.json", "codes", codes, known)
    for entry in entries:
        if entry["bits"] is None or entry["code"] not in known.values():
            continue
        # A packed tensor of 8 * 3 elements takes bits * 3 bytes.
        array = numpy.zeros(24, dtype=helper.tensor_dtype_to_np_dtype(entry["code"]))
        size = len(numpy_helper.from_array(array).raw_data)
        expect("dtypes.json", f"bits of {entry['name']}", entry["bits"] * 3, size)


def opsets(specs):
    document = json.loads((specs / "opsets.json").read_text(encoding="utf-8"))
    rows = [
        (entry["onnx"], entry["ir"], *entry["opsets"].values()) for entry in document["releases"]
    ]
    expect("opsets.json", "releases", rows, [tuple(row) for row in helper.VERSION_TABLE])
    last = {entry["domain"]: entry["last"] for entry in document["domains"]}
    expect("opsets.json", "last opset of ai.onnx", last["ai.onnx"], defs.onnx_opset_version())
    expect("opsets.json", "last opset of ai.onnx.ml", last["ai.onnx.ml"], defs.onnx_ml_opset_version())


def main():
    specs = pathlib.Path(sys.argv[1])
    count = operators(specs)
    dtypes(specs)
    opsets(specs)
    print(f"{count} operator versions compared with onnx {onnx.__version__}: {differences} differences")
    sys.exit(1 if differences else 0)


main()
