#!/usr/bin/env python3
"""Takes ONNX's published cases out of a wheel of the onnx package.

    unpack_onnx_cases.py WHEEL OUT

Below OUT come the folders node, simple, pytorch-converted and pytorch-operator, as far as the wheel has them. Models that
would have to be downloaded (`real`) and those without weights (`light`) are left out. Prints nothing; needs no package.
"""

import pathlib
import sys
import zipfile

KINDS = ("node", "simple", "pytorch-converted", "pytorch-operator")
DATA = "onnx/backend/test/data/"


def main():
    wheel, out = sys.argv[1], pathlib.Path(sys.argv[2])
    with zipfile.ZipFile(wheel) as archive:
        for entry in archive.infolist():
            parts = entry.filename.removeprefix(DATA).split("/")
            if not entry.filename.startswith(DATA) or entry.is_dir() or parts[0] not in KINDS or len(parts) < 3:
                continue
            if any(part in ("", ".", "..") or ":" in part or "\\" in part for part in parts):
                sys.exit(f"{wheel} has an entry with the name {entry.filename!r}")
            path = out.joinpath(*parts)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(archive.read(entry))


if __name__ == "__main__":
    main()
