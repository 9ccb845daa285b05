"""Runs `onnx.checker` with full shape inference, in its strict mode, over models.

python3 check_models.py MODELS OUT

MODELS holds one model after the other, each behind its length in bytes (4 bytes, little-endian). OUT gets a line of
JSON for each model: null if the checker accepts the model, otherwise the checker's error.
"""

import json
import struct
import sys

import onnx


def models(path):
    with open(path, "rb") as file:
        while head := file.read(4):
            yield file.read(struct.unpack("<I", head)[0])


def objection(model):
    try:
        onnx.checker.check_model(model, full_check=True)
    except Exception as error:  # noqa: BLE001  the checker and shape inference raise errors of several kinds
        return f"{type(error).__name__}: {error}"
    return None


def main():
    with open(sys.argv[2], "w", encoding="utf-8") as out:
        for model in models(sys.argv[1]):
            out.write(json.dumps(objection(model)) + "\n")


if __name__ == "__main__":
    main()
