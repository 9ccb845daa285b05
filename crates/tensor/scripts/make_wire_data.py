#!/usr/bin/env python3
"""Writes tests/data/wire.txt: messages as the onnx package writes them, and what it reads in them.

Needs numpy, ml_dtypes and onnx. One message a line, its bytes in hexadecimal:
  tensor NAME MESSAGE DTYPE DIMS MEMORY   MEMORY has the elements that onnx.numpy_helper.to_array reads, little-endian. An
                                          element of less than a byte is in the low bits of its own byte; a string is its
                                          length and its bytes.
  value NAME MESSAGE KIND TEXT            A sequence, map, optional or sparse tensor. TEXT is its `{value}` in Rust.
  refused NAME MESSAGE                    to_array raises an error.
"""

import pathlib

import ml_dtypes
import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

LINES = ["# Written by scripts/make_wire_data.py; see there."]
BELOW_A_BYTE = {TensorProto.UINT4: 15, TensorProto.INT4: 15, TensorProto.FLOAT4E2M1: 15, TensorProto.UINT2: 3, TensorProto.INT2: 3,
                TensorProto.FLOAT6E2M3: 63, TensorProto.FLOAT6E3M2: 63}


def memory(proto):
    array = numpy_helper.to_array(proto)
    if proto.data_type == TensorProto.STRING:
        encoded = [s.encode() for s in array.ravel().tolist()]
        return b"".join(len(s).to_bytes(4, "little") + s for s in encoded)
    data = np.ascontiguousarray(array).tobytes()
    mask = BELOW_A_BYTE.get(proto.data_type)
    return bytes(b & mask for b in data) if mask else data


def tensor(name, proto):
    dtype = TensorProto.DataType.Name(proto.data_type).lower()
    dims = ",".join(map(str, proto.dims)) or "-"
    LINES.append(f"tensor {name} {proto.SerializeToString().hex()} {dtype} {dims} {memory(proto).hex() or '-'}")


def refused(name, proto):
    try:
        numpy_helper.to_array(proto)
    except Exception:
        LINES.append(f"refused {name} {proto.SerializeToString().hex() or '-'}")
    else:
        raise AssertionError(f"{name} is read")


def value(name, proto, kind, text):
    LINES.append(f"value {name} {proto.SerializeToString().hex() or '-'} {kind} {text}")


def arrays():
    """Arrays of each type in some shapes. Numbers have random bits."""
    numbers = np.random.default_rng(7)
    for code in TensorProto.DataType.values():
        if code == TensorProto.UNDEFINED:
            continue
        dtype = helper.tensor_dtype_to_np_dtype(code)
        name = TensorProto.DataType.Name(code).lower()
        for shape in ((), (0,), (3,), (1, 5), (2, 3, 4)):
            count = int(np.prod(shape))
            if code == TensorProto.STRING:
                words = ["", "a", "\u00e4\u00f6", "two words", "line\nbreak"]
                array = np.array([words[i % 5] for i in range(count)], dtype=object).reshape(shape)
            elif code == TensorProto.BOOL:
                array = numbers.integers(0, 2, count).astype(bool).reshape(shape)
            elif code in BELOW_A_BYTE:
                array = numbers.integers(0, BELOW_A_BYTE[code] + 1, count).astype(np.uint8).view(dtype).reshape(shape)
            else:
                array = np.frombuffer(numbers.bytes(count * dtype.itemsize), dtype=dtype).reshape(shape)
            yield f"{name}{list(shape)}".replace(" ", ""), code, array


def typed(code, array):
    """The array as a TensorProto with the elements in the field of their type, in the way that onnx.proto describes."""
    proto = TensorProto(data_type=code, dims=array.shape, name="t")
    field = getattr(proto, helper.tensor_dtype_to_field(code))
    flat = array.ravel()
    if code == TensorProto.STRING:
        field.extend(s.encode() for s in flat.tolist())
    elif code in (TensorProto.COMPLEX64, TensorProto.COMPLEX128):
        field.extend(flat.view(np.float32 if code == TensorProto.COMPLEX64 else np.float64).tolist())
    elif code in (TensorProto.FLOAT6E2M3, TensorProto.FLOAT6E3M2):
        field.extend((flat.view(np.uint8) & 63).tolist())
    elif code in BELOW_A_BYTE:
        field.extend(numpy_helper.from_array(array).raw_data)
    elif array.dtype.itemsize == 1 and code not in (TensorProto.INT8, TensorProto.UINT8):
        field.extend(flat.view(np.uint8).tolist())
    elif code in (TensorProto.FLOAT16, TensorProto.BFLOAT16):
        field.extend(flat.view(np.uint16).tolist())
    else:
        field.extend(flat.tolist())
    return proto


def tensors():
    for name, code, array in arrays():
        tensor(name, numpy_helper.from_array(array, name="x"))
        tensor(f"{name}/typed", typed(code, array))
    # Entries wider than the element lose their upper bits.
    tensor("int8/wide", TensorProto(data_type=TensorProto.INT8, dims=[2], int32_data=[-1, 127]))
    tensor("bool/wide", TensorProto(data_type=TensorProto.BOOL, dims=[2], int32_data=[0, 1]))
    tensor("float16/negative", TensorProto(data_type=TensorProto.FLOAT16, dims=[1], int32_data=[-1024]))
    tensor("float6/wide", TensorProto(data_type=TensorProto.FLOAT6E2M3, dims=[1], int32_data=[0xFF]))
    # raw_data wins over the field of the type.
    tensor("both", TensorProto(data_type=TensorProto.FLOAT, dims=[1], raw_data=b"\0\0\x80?", float_data=[7.0]))
    # External data is only what data_location says is external.
    both = TensorProto(data_type=TensorProto.FLOAT, dims=[1], raw_data=b"\0\0\x80?")
    both.external_data.add(key="location", value="elsewhere")
    tensor("not-external", both)

    refused("undefined", TensorProto(dims=[1], float_data=[1.0]))
    refused("short-raw", TensorProto(data_type=TensorProto.FLOAT, dims=[2], raw_data=b"1234567"))
    refused("long-raw", TensorProto(data_type=TensorProto.FLOAT, dims=[1], raw_data=b"12345678"))
    refused("short-float", TensorProto(data_type=TensorProto.FLOAT, dims=[2], float_data=[1.0]))
    refused("long-int64", TensorProto(data_type=TensorProto.INT64, dims=[1], int64_data=[1, 2]))
    refused("odd-complex", TensorProto(data_type=TensorProto.COMPLEX64, dims=[1], float_data=[1.0, 2.0, 3.0]))
    refused("half-complex", TensorProto(data_type=TensorProto.COMPLEX128, dims=[1], double_data=[1.0]))
    refused("short-int4", TensorProto(data_type=TensorProto.INT4, dims=[3], raw_data=b"1"))
    refused("short-int2", TensorProto(data_type=TensorProto.UINT2, dims=[5], int32_data=[1]))
    refused("short-float6", TensorProto(data_type=TensorProto.FLOAT6E3M2, dims=[4], raw_data=b"12"))
    refused("negative-extent", TensorProto(data_type=TensorProto.FLOAT, dims=[-2, -1], float_data=[1.0, 2.0]))
    refused("huge", TensorProto(data_type=TensorProto.FLOAT, dims=[1 << 40, 1 << 40], raw_data=b"1234"))
    refused("huge-int4", TensorProto(data_type=TensorProto.INT4, dims=[1 << 62], raw_data=b"1234"))
    refused("no-strings", TensorProto(data_type=TensorProto.STRING, dims=[1]))
    segment = TensorProto(data_type=TensorProto.FLOAT, dims=[1], float_data=[1.0])
    segment.segment.begin, segment.segment.end = 0, 1
    refused("segment", segment)


def values():
    one = np.array([1, 2], dtype=np.int64)
    two = np.zeros((0, 3), dtype=np.int64)
    value("sequence", numpy_helper.from_list([one, two], "s"), "seq(tensor(int64))", "seq(tensor(int64)) [int64[2] [1, 2], int64[0,3] []]")
    value("sequence/empty", numpy_helper.from_list([], "s"), "seq(tensor(float))", "seq(tensor(float)) []")
    value("sequence/nested", numpy_helper.from_list([[one], []], "s"), "seq(seq(tensor(int64)))",
          "seq(seq(tensor(int64))) [seq(tensor(int64)) [int64[2] [1, 2]], seq(tensor(int64)) []]")
    value("sequence/empty-nested", numpy_helper.from_list([], "s", dtype=onnx.SequenceProto.SEQUENCE), "seq(seq(tensor(int64)))",
          "seq(seq(tensor(int64))) []")
    value("sequence/maps", numpy_helper.from_list([{np.int64(5): np.float32(0.5)}], "s"), "seq(map(int64,tensor(float)))",
          "seq(map(int64, tensor(float))) [map(int64, tensor(float)) {5: float[] 0.5}]")
    value("map", numpy_helper.from_dict({np.int64(7): np.float32(1.5), np.int64(-1): np.float32(2)}, "m"), "map(int64,tensor(float))",
          "map(int64, tensor(float)) {7: float[] 1.5, -1: float[] 2}")
    # from_dict cannot write string keys: it hands str to a field of bytes.
    words = onnx.MapProto(name="m", key_type=TensorProto.STRING, string_keys=[b"a", b"b c"])
    words.values.CopyFrom(numpy_helper.from_list([one, one]))
    value("map/strings", words, "map(string,tensor(int64))", 'map(string, tensor(int64)) {"a": int64[2] [1, 2], "b c": int64[2] [1, 2]}')
    value("optional/none", numpy_helper.from_optional(None, "o"), "optional(tensor(float))", "optional(tensor(float)) none")
    value("optional/tensor", numpy_helper.from_optional(one, "o"), "optional(tensor(int64))", "optional(tensor(int64)) int64[2] [1, 2]")
    value("optional/sequence", numpy_helper.from_optional([one], "o"), "optional(seq(tensor(int64)))",
          "optional(seq(tensor(int64))) seq(tensor(int64)) [int64[2] [1, 2]]")
    inner = onnx.OptionalProto(name="o", elem_type=onnx.OptionalProto.OPTIONAL)
    inner.optional_value.CopyFrom(numpy_helper.from_optional(one))
    value("optional/optional", inner, "optional(optional(tensor(int64)))", "optional(optional(tensor(int64))) optional(tensor(int64)) int64[2] [1, 2]")
    sparse = helper.make_sparse_tensor(numpy_helper.from_array(np.array([1.5, 2], dtype=np.float32), "x"),
                                       numpy_helper.from_array(np.array([1, 4], dtype=np.int64)), [2, 3])
    value("sparse", sparse, "sparse_tensor(float)", "sparse_tensor(float) float[2] [1.5, 2] at int64[2] [1, 4] in [2,3]")
    pairs = helper.make_sparse_tensor(numpy_helper.from_array(np.array([1.5, 2], dtype=np.float32), "x"),
                                      numpy_helper.from_array(np.array([[0, 1], [1, 1]], dtype=np.int64)), [2, 3])
    value("sparse/pairs", pairs, "sparse_tensor(float)", "sparse_tensor(float) float[2] [1.5, 2] at int64[2,2] [[0, 1], [1, 1]] in [2,3]")


if __name__ == "__main__":
    tensors()
    values()
    out = pathlib.Path(__file__).resolve().parent.parent / "tests/data/wire.txt"
    # Kinds have no blanks, so that a line splits at blanks; the text comes last.
    out.write_text("\n".join(LINES) + "\n")
    print(f"{out.name}: {len(LINES) - 1} messages, {out.stat().st_size} bytes")
