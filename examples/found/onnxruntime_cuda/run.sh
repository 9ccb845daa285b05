#!/bin/sh
# Runs a conformance run of ONNX Runtime's CUDA provider and all scripts of this folder, on a machine with an NVIDIA GPU
# and its driver (CUDA 13). This script has never run.
# It needs Rust, Python 3.10 or later, and about 6 GB for a virtual environment, which it makes in the folder that the
# first argument names (target/onnxruntime-gpu without one). The results are in the folder `found` beside it.
# It ends with 0 if everything ran, whatever was found, with 2 if a script could check nothing, and with the code of
# the conformance run if that could not run.
set -eu
cd "$(dirname "$0")/../../.."
folder=${1:-target/onnxruntime-gpu}

python3 -m venv "$folder"
python=$(cd "$folder" && pwd)/bin/python
"$python" -m pip install --quiet numpy onnx==1.23.2 "onnxruntime-gpu[cuda,cudnn]==1.31.1"
packages=$("$python" -c 'import sysconfig; print(sysconfig.get_path("purelib"))')
# The libraries of CUDA and cuDNN are in packages of their own, each with a folder of libraries.
LD_LIBRARY_PATH=$(find "$packages/nvidia" -type d -name lib | paste -s -d : -)${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
export LD_LIBRARY_PATH
results=$(cd "$folder/.." && pwd)/found
mkdir -p "$results"

# 1: cases failed, which is expected. 4: too few cases were judged, which the report shows as well.
provider=$packages/onnxruntime/capi/libonnxruntime_providers_cuda.so
code=0
cargo run --release -p xtask -- conformance --profile smoke --out "$results/smoke" \
    --backend "onnxruntime@1.31.1:ep=$provider,option.use_tf32=0" || code=$?
case $code in 0 | 1 | 4) ;; *) exit "$code" ;; esac

for script in examples/found/onnxruntime_cuda/*.py; do
    code=0
    "$python" "$script" >"$results/$(basename "$script" .py).txt" 2>&1 || code=$?
    case $code in
        0) said="right" ;;
        1) said="the bug is there" ;;
        *) said="not checked" ;;
    esac
    printf '%-32s %s\n' "$(basename "$script" .py)" "$said"
done | tee "$results/scripts.txt"
! grep -q "not checked" "$results/scripts.txt" || exit 2
