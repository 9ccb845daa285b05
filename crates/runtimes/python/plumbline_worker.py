"""Plumbline's worker protocol (docs/worker-protocol.md) for backends written in Python. Needs nothing but Python.

A backend is one function. `load(model)` takes the bytes of a model and returns a session: a function of the inputs that returns
the outputs, which is called once for each run of the model. `run(model, inputs)` does both at once, for backends that keep
nothing from one run to the next. A value is a pair of its type (`tensor(float)`) and its bytes (a `TensorProto`); the module
plumbline_onnx turns such pairs into arrays of numpy and back.
"""

import json
import os
import struct
import sys
import time

MAGIC = b"PLB1"
HELLO, START_FAILED, REQUEST, OUTPUTS, REFUSED, FAULT, AGAIN = range(1, 8)


class Refusal(Exception):
    """The backend says no. `kind` is unsupported, invalid, failed or device-lost."""

    def __init__(self, kind, message):
        super().__init__(message)
        self.kind = kind


answers = None


def claim_stdout():
    """Keeps stdout for frames: whatever else prints to it prints to stderr from now on.

    `serve` does this. Call it earlier if importing or starting the runtime may print something.
    """
    global answers
    if answers is None:
        answers = os.fdopen(os.dup(1), "wb")
        os.dup2(2, 1)


def write(kind, payload):
    answers.write(MAGIC + struct.pack("<II", kind, len(payload)) + payload)
    answers.flush()


def fail_to_start(reason):
    """Tells Plumbline in one line why the backend cannot start, and ends the worker."""
    claim_stdout()
    write(START_FAILED, json.dumps({"reason": reason}).encode())
    sys.exit(0)


def serve(name, version, run=None, load=None, profile=None):
    """Answers requests until stdin ends. `run` or `load` returns the outputs or the session, or raises a Refusal.

    `profile` holds what the backend declares about itself, such as {"max_opset": 21} (docs/worker-protocol.md, Profile).
    """
    if load is None:

        def load(model):
            return lambda inputs: run(model, inputs)

    requests = os.fdopen(os.dup(0), "rb")
    claim_stdout()
    identity = {"name": name, "version": version}
    write(HELLO, json.dumps({"version": 2, "identity": identity, "profile": profile or {}}).encode())
    session = None
    while header := requests.read(12):
        kind, length = struct.unpack("<II", header[4:])
        if header[:4] != MAGIC or kind not in (REQUEST, AGAIN):
            sys.exit("not a request")
        number, model, inputs = parse_request(requests.read(length), kind == REQUEST)
        start = time.perf_counter()
        try:
            if kind == REQUEST:
                session = None
                session = load(model)
            if session is None:
                raise Refusal("failed", "there is no session to run again: its model was refused")
            outputs = session(inputs)
            head = struct.pack("<Qd", number, time.perf_counter() - start)
            write(OUTPUTS, head + struct.pack("<I", len(outputs)) + b"".join(pack_value(*value) for value in outputs))
        except Refusal as no:
            head = struct.pack("<Qd", number, time.perf_counter() - start)
            write(REFUSED, head + json.dumps({"kind": no.kind, "message": str(no)}).encode())
        except Exception as error:  # a breakdown, not an answer
            write(FAULT, struct.pack("<Q", number) + f"{type(error).__name__}: {error}".encode())


def parse_request(payload, has_model):
    """The number, the model's bytes (None in a further run), and the inputs as pairs of type and bytes."""
    position = 8

    def take_bytes():
        nonlocal position
        (length,) = struct.unpack_from("<I", payload, position)
        position += 4 + length
        return payload[position - length : position]

    (number,) = struct.unpack_from("<Q", payload)
    model = take_bytes() if has_model else None
    (count,) = struct.unpack_from("<I", payload, position)
    position += 4
    return number, model, [(take_bytes().decode(), take_bytes()) for _ in range(count)]


def pack_value(kind, content):
    kind = kind.encode()
    return struct.pack("<I", len(kind)) + kind + struct.pack("<I", len(content)) + content
