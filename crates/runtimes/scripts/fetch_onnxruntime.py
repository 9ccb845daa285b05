"""Puts what a wheel of ONNX Runtime contains into a folder; pip downloads the wheel.

usage: fetch_onnxruntime.py VERSION FOLDER PACKAGE library|plugin

Of ONNX Runtime itself (library), the folder gets the shared library. Of an execution provider (plugin) it gets the whole
wheel, because the plug-in loads other files of it, and a file `plugin.txt` with the path of the plug-in library. The
folder appears whole or not at all. If it cannot be made, one line on stderr says why.
"""

import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import zipfile

# What the library loads from its own folder. Only the package onnxruntime-directml has it, for Windows.
BESIDE = "onnxruntime/capi/DirectML.dll"
LIBRARY = re.compile(r"onnxruntime/capi/(libonnxruntime\.so\.[0-9.]+|libonnxruntime\.[0-9.]+\.dylib|onnxruntime\.dll)")
# The function that ONNX Runtime looks for in a plug-in, and the endings of libraries.
ENTRY_POINT = b"CreateEpFactories"
LIBRARY_SUFFIXES = (".so", ".dylib", ".dll")
# The library is the same in the wheels for every version of Python; no release has wheels for all these versions.
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


def extract_library(wheel, archive, folder):
    """Extracts the shared library of ONNX Runtime."""
    names = [name for name in archive.namelist() if LIBRARY.fullmatch(name)]
    if len(names) != 1:
        sys.exit(f"{wheel.name} holds {len(names)} libraries of ONNX Runtime, expected 1; old releases have it inside "
                 "of their Python module")
    for name in [*names, *(name for name in archive.namelist() if name == BESIDE)]:
        with archive.open(name) as source, open(folder / pathlib.PurePosixPath(name).name, "wb") as copy:
            shutil.copyfileobj(source, copy)


def extract_plugin(wheel, archive, folder):
    """Extracts everything, and writes down which library is the plug-in: the one that exports its entry point."""
    archive.extractall(folder)
    libraries = (path for path in sorted(folder.rglob("*")) if path.suffix in LIBRARY_SUFFIXES and path.is_file())
    plugins = [path for path in libraries if ENTRY_POINT in path.read_bytes()]
    if len(plugins) != 1:
        sys.exit(f"{wheel.name} is not an execution provider for ONNX Runtime: {len(plugins)} of its libraries export "
                 f"{ENTRY_POINT.decode()}, expected 1")
    (folder / "plugin.txt").write_text(plugins[0].relative_to(folder).as_posix(), encoding="utf-8")


def main():
    version, target, package, content = sys.argv[1], pathlib.Path(sys.argv[2]), sys.argv[3], sys.argv[4]
    target.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=target.parent, prefix=".fetch-") as scratch:
        scratch = pathlib.Path(scratch)
        wheel = download(package, version, scratch)
        whole = scratch / "whole"
        whole.mkdir()
        with zipfile.ZipFile(wheel) as archive:
            (extract_plugin if content == "plugin" else extract_library)(wheel, archive, whole)
        try:
            os.rename(whole, target)
        except OSError as error:
            if not target.is_dir():
                sys.exit(f"cannot put the files into {target}: {error}")


main()
