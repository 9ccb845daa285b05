"""Measures how many multiply-adds a second ONNX's ReferenceEvaluator and ONNX Runtime do, with one thread each.

The models are those of the benchmark `products` with certain operands. It writes them and prints a line for each: the
path, the number of products and the name, separated by tabs. The fastest run of 1.5 seconds counts. The Python needs
onnx and onnxruntime:

    export OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1
    cargo bench -p plumbline-oracle --bench products -- --models="$PWD/target/products" > target/products.tsv
    python3 crates/conformance/scripts/time_products.py < target/products.tsv
"""

import sys
import time

import numpy as np
import onnx
import onnxruntime
from onnx.reference import ReferenceEvaluator


def fastest(run):
    begin, best = time.perf_counter(), float("inf")
    while time.perf_counter() - begin < 1.5:
        start = time.perf_counter()
        run()
        best = min(best, time.perf_counter() - start)
    return best


def main():
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    options.inter_op_num_threads = 1
    random = np.random.default_rng(1)
    print(f"onnx {onnx.__version__}, onnxruntime {onnxruntime.__version__}")
    print("| case | who | ms | million a second |")
    print("| --- | --- | --- | --- |")
    for line in sys.stdin:
        path, products, name = line.rstrip("\n").split("\t")
        model = onnx.load(path)
        shapes = {x.name: [d.dim_value for d in x.type.tensor_type.shape.dim] for x in model.graph.input}
        inputs = {x: random.uniform(-1, 1, shape).astype(np.float32) for x, shape in shapes.items()}
        session = onnxruntime.InferenceSession(path, options, providers=["CPUExecutionProvider"])
        for who, run in [("ReferenceEvaluator", ReferenceEvaluator(model).run), ("ONNX Runtime", session.run)]:
            seconds = fastest(lambda: run(None, inputs))
            print(f"| {name} | {who} | {seconds * 1e3:.2f} | {int(products) / seconds / 1e6:.1f} |", flush=True)


if __name__ == "__main__":
    main()
