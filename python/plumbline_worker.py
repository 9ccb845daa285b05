"""Plumbline's worker protocol (docs/worker-protocol.md) for backends written in Python. Needs nothing but Python.

A backend is one function. `load(model)` takes the bytes of a model and returns a session: a function that is called once for
each run of the model, takes the inputs and returns the outputs. `run(model, inputs)` does both at once, for backends that keep
nothing from one run to the next. A value is a pair of its type (`tensor(float)`) and its bytes (a `TensorProto`); the module
plumbline_onnx turns such pairs into arrays of numpy and back.
"""

import json
import os
import signal
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


def serve(name, version, run=None, load=None, profile=None, fork=False):
    """Answers requests until stdin ends. `run` returns the outputs, `load` a session. Either may raise a Refusal.

    `profile` holds what the backend declares about itself, such as {"max_opset": 21} (docs/worker-protocol.md, Profile).

    `fork` is for a runtime that often ends its process: a copy of this process answers the requests, and after its death the
    next copy goes on within milliseconds, without importing the runtime again. A runtime that starts threads when it is
    imported cannot be copied. On systems without fork, the process answers the requests itself.
    """
    if load is None:

        def load(model):
            return lambda inputs: run(model, inputs)

    requests = os.fdopen(os.dup(0), "rb")
    claim_stdout()
    identity = {"name": name, "version": version}
    write(HELLO, json.dumps({"version": 2, "identity": identity, "profile": profile or {}}).encode())
    if fork and hasattr(os, "fork"):
        forward(requests, load)
    else:
        answer(requests, load)


def frames(requests):
    """The frames of a stream of requests, as pairs of kind and payload."""
    while header := requests.read(12):
        kind, length = struct.unpack("<II", header[4:])
        if header[:4] != MAGIC or kind not in (REQUEST, AGAIN):
            sys.exit("not a request")
        yield kind, requests.read(length)


def answer(requests, load):
    """Answers requests in this process."""
    session = None
    for kind, payload in frames(requests):
        number, model, inputs = parse_request(payload, kind == REQUEST)
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


def forward(requests, load):
    """Forwards requests to a copy of this process, and answers *fault* when a copy dies.

    An earlier session may have corrupted the memory of the copy. So the death of a copy that had one counts only if a new
    copy dies of the same session, too.
    """
    copy, session = None, []
    for kind, payload in frames(requests):
        copy = copy or Copy(load)
        if kind == REQUEST:
            session = []
            copy.sessions += 1
        session.append((kind, payload))
        found = copy.answer(kind, payload)
        if not found and copy.sessions > 1:
            copy.death()
            copy = Copy(load)
            copy.sessions = 1
            for request in session:
                found = copy.answer(*request)
                if not found:
                    break
        if found:
            answers.write(found)
            answers.flush()
        else:
            write(FAULT, payload[:8] + copy.death().encode())
            copy, session = None, []


class Copy:
    """A fork of this process that answers requests."""

    STDERR_BYTES = 1 << 20

    def __init__(self, load):
        import fcntl
        import tempfile

        self.stderr = tempfile.TemporaryFile()
        fcntl.fcntl(self.stderr, fcntl.F_SETFL, os.O_APPEND)
        from_parent, to_copy = os.pipe()
        from_copy, to_parent = os.pipe()
        self.process = os.fork()
        if self.process == 0:
            os.close(to_copy)
            os.close(from_copy)
            os.dup2(self.stderr.fileno(), 1)
            os.dup2(self.stderr.fileno(), 2)
            global answers
            answers = os.fdopen(to_parent, "wb")
            answer(os.fdopen(from_parent, "rb"), load)
            os._exit(0)
        os.close(from_parent)
        os.close(to_parent)
        self.requests, self.answers = os.fdopen(to_copy, "wb"), os.fdopen(from_copy, "rb")
        self.read_bytes = 0
        self.sessions = 0

    def answer(self, kind, payload):
        """The frame that answers a request, or None if the copy died."""
        if os.fstat(self.stderr.fileno()).st_size > self.STDERR_BYTES:
            os.ftruncate(self.stderr.fileno(), 0)
        self.read_bytes = os.fstat(self.stderr.fileno()).st_size
        try:
            self.requests.write(MAGIC + struct.pack("<II", kind, len(payload)) + payload)
            self.requests.flush()
        except BrokenPipeError:
            return None
        header = self.answers.read(12)
        length = struct.unpack("<I", header[8:])[0] if len(header) == 12 else 0
        content = self.answers.read(length)
        return header + content if len(header) == 12 and len(content) == length else None

    def death(self):
        """How the copy ended, and what it wrote to stderr during its last request."""
        _, status = os.waitpid(self.process, 0)
        self.answers.close()
        try:
            self.requests.close()
        except BrokenPipeError:
            pass
        code = os.waitstatus_to_exitcode(status)
        if code < 0:
            end = f"signal: {-code} ({signal.Signals(-code).name})"
        else:
            end = f"exit status: {code}"
        size = os.fstat(self.stderr.fileno()).st_size
        start = max(self.read_bytes, size - self.STDERR_BYTES)
        text = os.pread(self.stderr.fileno(), size - start, start).decode(errors="replace")
        self.stderr.close()
        lines = [line for line in text.splitlines() if line.strip()]
        shown = lines if len(lines) <= 16 else [*lines[:8], "...", *lines[-8:]]
        return f"{end}; stderr: " + "\n".join(shown) if lines else end


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
