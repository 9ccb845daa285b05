"""Measures how many multiply-adds a second others do on the nodes of `cargo bench -p plumbline-oracle --bench products`.

ONNX's ReferenceEvaluator and ONNX Runtime with one thread run the same nodes with certain operands. The fastest run of
1.5 seconds counts. Run it in a Python environment that has onnx and onnxruntime:

    OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1 taskset -c 1 python scripts/products.py
"""

import time

import numpy as np
import onnx
import onnx.parser
import onnxruntime
from onnx.reference import ReferenceEvaluator

# The name, the node, the shapes of its inputs, and how many products it sums up.
CASES = [
    ("MatMul 512x512x512", "MatMul (i0, i1)", [[512, 512], [512, 512]], 512**3),
    ("Gemm 64x1024x1024", "Gemm <transB = 1> (i0, i1, i2)", [[64, 1024], [1024, 1024], [1024]], 64 * 1024**2),
    ("Conv 3x3, 64 to 64, 56x56", "Conv <pads = [1, 1, 1, 1]> (i0, i1)", [[1, 64, 56, 56], [64, 64, 3, 3]], 64 * 64 * 9 * 56 * 56),
    ("Conv 1x1, 64 to 256, 56x56", "Conv (i0, i1)", [[1, 64, 56, 56], [256, 64, 1, 1]], 64 * 256 * 56 * 56),
    ("Conv 3x3 depthwise, 96, 56x56", "Conv <pads = [1, 1, 1, 1], group = 96> (i0, i1)", [[1, 96, 56, 56], [96, 1, 3, 3]], 96 * 9 * 56 * 56),
    ("ConvTranspose 2x2, 64 to 64, 28x28", "ConvTranspose <strides = [2, 2]> (i0, i1)", [[1, 64, 28, 28], [64, 64, 2, 2]], 64 * 64 * 4 * 28 * 28),
    ("Attention, 12 heads of 64, 128 keys", "Attention (i0, i1, i2)", [[1, 12, 128, 64]] * 3, 2 * 12 * 128 * 128 * 64),
    ("LSTM, 32 steps, 64 to 64", "LSTM <hidden_size = 64> (i0, i1, i2)", [[32, 1, 64], [1, 256, 64], [1, 256, 64]], 32 * 256 * 128),
]


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
    for name, node, shapes, products in CASES:
        declared = ", ".join(f"float{shape} i{at}" for at, shape in enumerate(shapes))
        model = onnx.parser.parse_model(f'<ir_version: 10, opset_import: ["" : 23]> g ({declared}) => (float y) {{ y = {node} }}')
        del model.graph.output[0].type.tensor_type.shape.dim[:]
        model.graph.output[0].type.tensor_type.ClearField("shape")
        inputs = {f"i{at}": random.uniform(-1, 1, shape).astype(np.float32) for at, shape in enumerate(shapes)}
        evaluator = ReferenceEvaluator(model)
        session = onnxruntime.InferenceSession(model.SerializeToString(), options, providers=["CPUExecutionProvider"])
        for who, run in [("ReferenceEvaluator", evaluator.run), ("ONNX Runtime", session.run)]:
            seconds = fastest(lambda: run(None, inputs))
            print(f"| {name} | {who} | {seconds * 1e3:.2f} | {products / seconds / 1e6:.1f} |", flush=True)


if __name__ == "__main__":
    main()
