"""Puts ONNX Runtime's shared library into a folder, out of the wheel that pip downloads.

usage: fetch_onnxruntime.py VERSION FOLDER PACKAGE

The folder appears whole or not at all. One line on stderr says why it could not be done.
"""

import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import zipfile

# What the library loads from beside it: the package onnxruntime-directml has one, for Windows.
BESIDE = "onnxruntime/capi/DirectML.dll"
LIBRARY = re.compile(r"onnxruntime/capi/(libonnxruntime\.so\.[0-9.]+|libonnxruntime\.[0-9.]+\.dylib|onnxruntime\.dll)")
# The library is the same in the wheels for every version of Python; a release has none for all of them.
PYTHONS = [[], *(["--python-version", version] for version in ("3.13", "3.12", "3.11", "3.10", "3.9"))]


def download(package, version, folder):
    """Downloads the wheel of a version; returns its path, or exits with pip's reason."""
    reason = None  # the first one: it is about this Python
    for python in PYTHONS:
        command = [sys.executable, "-m", "pip", "download", "--quiet", "--disable-pip-version-check", "--no-input",
                   "--retries", "1", "--no-deps", "--only-binary", ":all:", *python, "--dest", str(folder), f"{package}=={version}"]
        done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True)
        wheels = list(folder.glob("*.whl"))
        if done.returncode == 0 and wheels:
            return wheels[0]
        lines = [line.strip() for line in done.stderr.splitlines() if line.strip()]
        why = next((line for line in lines if line.startswith("ERROR")), (lines or ["pip said nothing"])[-1])
        reason = reason or why
        if "from versions:" not in why:
            break
    if "from versions: none" in reason:
        reason += ": no version at all, so the package index may be out of reach"
    sys.exit(reason)


def main():
    version, target, package = sys.argv[1], pathlib.Path(sys.argv[2]), sys.argv[3]
    target.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=target.parent, prefix=".fetch-") as scratch:
        scratch = pathlib.Path(scratch)
        wheel = download(package, version, scratch)
        whole = scratch / "whole"
        whole.mkdir()
        with zipfile.ZipFile(wheel) as archive:
            names = [name for name in archive.namelist() if LIBRARY.fullmatch(name)]
            if len(names) != 1:
                sys.exit(f"{wheel.name} holds {len(names)} libraries of its own (old releases have none: it is built into "
                         "their Python module)")
            for name in [*names, *(name for name in archive.namelist() if name == BESIDE)]:
                with archive.open(name) as source, open(whole / pathlib.PurePosixPath(name).name, "wb") as copy:
                    shutil.copyfileobj(source, copy)
        try:
            os.rename(whole, target)
        except OSError as error:
            if not target.is_dir():
                sys.exit(f"cannot put the library into {target}: {error}")


main()
