"""Prints, as one JSON document, the facts the onnx package knows about every operator version.

Facts only: names, types, arity, defaults. `cargo xtask spec import onnx` runs this and writes
specs/ from what it prints; crates/spec has the writer and the format.
"""

import json
import sys

import onnx
from onnx import defs, helper

# How many bits one element takes. ONNX's own tables round the packed types up to bytes.
BITS = {
    "float": 32, "double": 64, "float16": 16, "bfloat16": 16,
    "uint8": 8, "int8": 8, "uint16": 16, "int16": 16, "uint32": 32, "int32": 32,
    "uint64": 64, "int64": 64, "bool": 8, "string": None,
    "complex64": 64, "complex128": 128,
    "float8e4m3fn": 8, "float8e4m3fnuz": 8, "float8e5m2": 8, "float8e5m2fnuz": 8,
    "float8e8m0": 8, "float4e2m1": 4, "float6e2m3": 6, "float6e3m2": 6,
    "uint4": 4, "int4": 4, "uint2": 2, "int2": 2,
}  # fmt: skip

DETERMINISM = {
    "Deterministic": "deterministic",
    "NonDeterministic": "non-deterministic",
    "Unknown": "unknown",
}


def enum_name(value):
    return str(value).rsplit(".", 1)[-1]


def domain_name(domain):
    return domain or "ai.onnx"


def plain(value):
    """An attribute value as JSON. Floats are written as the exact value of the float32."""
    if isinstance(value, bytes):
        return value.decode("utf-8")
    if isinstance(value, (list, tuple)):
        return [plain(item) for item in value]
    if isinstance(value, (bool, int, str)):
        return value
    if isinstance(value, float):
        if value != value or value in (float("inf"), float("-inf")):
            raise SystemExit(f"a default of {value} has no JSON form yet")
        return value
    raise SystemExit(f"a default of type {type(value).__name__} has no JSON form yet")


def attribute(schema):
    default = schema.default_value
    return {
        "name": schema.name,
        "type": enum_name(schema.type),
        "required": schema.required,
        "default": plain(helper.get_attribute_value(default)) if default.type else None,
    }


def formal(schema):
    return {
        "name": schema.name,
        "type": schema.type_str,
        "option": enum_name(schema.option).lower(),
        "homogeneous": schema.is_homogeneous,
        "min_arity": schema.min_arity,
    }


def version(schema):
    return {
        "since": schema.since_version,
        "deprecated": schema.deprecated,
        "support": enum_name(schema.support_level).lower(),
        "function": schema.has_function or schema.has_context_dependent_function,
        "shape_inference": schema.has_type_and_shape_inference_function,
        "deterministic": DETERMINISM[enum_name(schema.node_determinism)],
        "min_inputs": schema.min_input,
        "max_inputs": schema.max_input,
        "min_outputs": schema.min_output,
        "max_outputs": schema.max_output,
        "attributes": [attribute(schema.attributes[name]) for name in sorted(schema.attributes)],
        "inputs": [formal(item) for item in schema.inputs],
        "outputs": [formal(item) for item in schema.outputs],
        "types": {
            item.type_param_str: sorted(item.allowed_type_strs)
            for item in sorted(schema.type_constraints, key=lambda item: item.type_param_str)
        },
    }


def operators():
    found = {}
    for schema in defs.get_all_schemas_with_history():
        found.setdefault((domain_name(schema.domain), schema.name), []).append(schema)
    return [
        {
            "domain": domain,
            "name": name,
            "versions": [version(s) for s in sorted(schemas, key=lambda s: s.since_version)],
        }
        for (domain, name), schemas in sorted(found.items())
    ]


def dtypes():
    found = []
    for name, code in sorted(onnx.TensorProto.DataType.items(), key=lambda item: item[1]):
        if code != onnx.TensorProto.UNDEFINED:
            found.append({"name": name.lower(), "code": code, "bits": BITS[name.lower()]})
    return found


def opsets():
    domains = [
        {"domain": domain_name(domain), "first": first, "last": last}
        for domain, (first, last) in sorted(defs.C.schema_version_map().items())
    ]
    releases = []
    for release, ir, *versions in helper.VERSION_TABLE:
        names = ["ai.onnx", "ai.onnx.ml", "ai.onnx.training"]
        releases.append({"onnx": release, "ir": ir, "opsets": dict(zip(names, versions))})
    return {"domains": domains, "releases": releases}


def main():
    document = {
        "onnx": onnx.__version__,
        "operators": operators(),
        "dtypes": dtypes(),
        "opsets": opsets(),
    }
    json.dump(document, sys.stdout, allow_nan=False)


main()
