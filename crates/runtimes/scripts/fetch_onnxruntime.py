"""Puts what a wheel of ONNX Runtime contains into a folder; pip downloads the wheel.

usage: fetch_onnxruntime.py VERSION FOLDER PACKAGE library|plugin|cuda|tensorrt

Of ONNX Runtime itself (library), the folder gets the shared library. Of an execution provider (plugin) it gets the whole
wheel, because the plug-in loads other files of it, and a file `plugin.txt` with the path of the plug-in library. Of
onnxruntime-gpu (cuda) it gets the shared libraries, and in `packages` what NVIDIA's packages hold that the wheel's
metadata names. For a folder with these (tensorrt; the folder is in the place of the package's name), it gets TensorRT's
libraries in `packages`. The folder appears whole or not at all. If it cannot be made, one line on stderr says why.

Wheels before 1.19 have the library inside of their Python module. For these releases, npm downloads the package for
Node, which has the library as a file.
"""

import os
import pathlib
import platform
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
import zipfile

# The extras of onnxruntime-gpu that name NVIDIA's packages, and what TensorRT's provider links to.
NVIDIA_EXTRAS = ("cuda", "cudnn")
CUDA_MAJOR = re.compile(rb"libcudart\.so\.(\d+)")
TENSORRT_MAJOR = re.compile(rb"libnvinfer\.so\.(\d+)")
# What the library loads from its own folder. Only the package onnxruntime-directml has it, for Windows.
BESIDE = "onnxruntime/capi/DirectML.dll"
LIBRARY = re.compile(r"onnxruntime/capi/(libonnxruntime\.so\.[0-9.]+|libonnxruntime\.[0-9.]+\.dylib|onnxruntime\.dll)")
# The package for Node has a folder for each system and processor. Python and Node have the same names for systems.
NODE_PACKAGE = "onnxruntime-node"
NODE_PROCESSOR = {"x86_64": "x64", "amd64": "x64", "aarch64": "arm64", "arm64": "arm64"}.get(platform.machine().lower())
NODE_LIBRARY = re.compile(rf"package/bin/napi-v\d+/{sys.platform}/{NODE_PROCESSOR}/"
                          r"(libonnxruntime\.so\.[0-9.]+|libonnxruntime\.[0-9.]+\.dylib|onnxruntime\.dll)")
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
    if not names and wheel.name.startswith("onnxruntime-1."):
        return extract_from_node(wheel, folder)
    if len(names) != 1:
        sys.exit(f"{wheel.name} holds {len(names)} libraries of ONNX Runtime, expected 1")
    for name in [*names, *(name for name in archive.namelist() if name == BESIDE)]:
        with archive.open(name) as source, open(folder / pathlib.PurePosixPath(name).name, "wb") as copy:
            shutil.copyfileobj(source, copy)


def extract_from_node(wheel, folder):
    """Extracts the shared library from the package for Node of the release that a wheel has."""
    package = f"{NODE_PACKAGE}@{wheel.name.split('-')[1]}"
    why = f"{wheel.name} has the library inside of its Python module, and {package} of npm"
    npm = shutil.which("npm")
    if npm is None:
        sys.exit(f"{why} would be used instead, but npm is not on this machine")
    command = [npm, "pack", "--loglevel=error", "--fetch-retries=1", package]
    done = subprocess.run(command, cwd=wheel.parent, stdin=subprocess.DEVNULL, capture_output=True, text=True)
    archives = list(wheel.parent.glob("*.tgz"))
    if done.returncode != 0 or not archives:
        lines = [line.strip() for line in done.stderr.splitlines() if line.strip()]
        sys.exit(f"{why} cannot be downloaded: {' '.join(lines[:2]) or 'npm said nothing'}")
    with tarfile.open(archives[0]) as archive:
        members = [member for member in archive.getmembers() if member.isfile() and NODE_LIBRARY.fullmatch(member.name)]
        if len(members) != 1:
            sys.exit(f"{why} holds {len(members)} libraries for {sys.platform} on {platform.machine()}, expected 1")
        with archive.extractfile(members[0]) as source, open(folder / pathlib.PurePosixPath(members[0].name).name, "wb") as copy:
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


def install(requirements, folder):
    """Installs packages into a folder, without what the machine's Python has."""
    command = [sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-input", "--retries", "1",
               "--prefer-binary", "--no-compile", "--ignore-installed", "--target", str(folder), *requirements]
    done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True)
    if done.returncode != 0:
        lines = [line.strip() for line in done.stderr.splitlines() if line.strip()]
        why = next((line for line in lines if line.lower().startswith("error")), (lines or ["pip said nothing"])[-1])
        sys.exit(f"{', '.join(requirements)}: {why}")


def extract_cuda(wheel, archive, folder):
    """Extracts the shared libraries of ONNX Runtime and its providers, and installs the packages that they need."""
    is_library = re.compile(r"onnxruntime/capi/libonnxruntime[a-z_]*\.so[0-9.]*").fullmatch
    for name in filter(is_library, archive.namelist()):
        with archive.open(name) as source, open(folder / pathlib.PurePosixPath(name).name, "wb") as copy:
            shutil.copyfileobj(source, copy)
    metadata = next((name for name in archive.namelist() if name.endswith(".dist-info/METADATA")), None)
    text = "" if metadata is None else archive.read(metadata).decode("utf-8", "replace")
    found = re.findall(r"^Requires-Dist: (nvidia-[^;\s]+)\s*;\s*extra\s*==\s*[\"'](\w+)[\"']", text, re.MULTILINE)
    requirements = [requirement for requirement, extra in found if extra in NVIDIA_EXTRAS]
    if not requirements:
        sys.exit(f"{wheel.name} does not name NVIDIA's packages in its metadata")
    install(requirements, folder / "packages")


def install_tensorrt(source, folder):
    """Installs the release of TensorRT that the provider in the folder `source` links to.

    Most releases have no wheels: their packages download the libraries from NVIDIA's server when they are built.
    """
    library = (source / "libonnxruntime_providers_tensorrt.so").read_bytes()
    tensorrt, cuda = TENSORRT_MAJOR.search(library), CUDA_MAJOR.search(library)
    if tensorrt is None or cuda is None:
        sys.exit("the TensorRT provider does not say which releases of TensorRT and CUDA it needs")
    install([f"tensorrt-cu{cuda[1].decode()}-libs=={tensorrt[1].decode()}.*"], folder / "packages")


def main():
    version, target, package, content = sys.argv[1], pathlib.Path(sys.argv[2]), sys.argv[3], sys.argv[4]
    target.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=target.parent, prefix=".fetch-") as scratch:
        scratch = pathlib.Path(scratch)
        whole = scratch / "whole"
        whole.mkdir()
        if content == "tensorrt":
            install_tensorrt(pathlib.Path(package), whole)
        else:
            wheel = download(package, version, scratch)
            extract = {"library": extract_library, "plugin": extract_plugin, "cuda": extract_cuda}[content]
            with zipfile.ZipFile(wheel) as archive:
                extract(wheel, archive, whole)
        try:
            os.rename(whole, target)
        except OSError as error:
            if not target.is_dir():
                sys.exit(f"cannot put the files into {target}: {error}")


main()
