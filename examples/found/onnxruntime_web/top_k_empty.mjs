// TopK of ONNX Runtime Web divides by zero if there are no rows, and WebAssembly traps.
//
// A tensor may have an extent of 0. The outputs have the shape of the input, but k along the axis: no elements here.
//
// npm install onnxruntime-web@1.30.0
// node top_k_empty.mjs

import * as ort from 'onnxruntime-web';

// <ir_version: 6, opset_import: ["" : 11]>
// g (float[0,2] x, int64[1] k) => (float[0,1] y, int64[0,1] z) { y, z = TopK (x, k) }
const model =
  'CAY6aQoUCgF4CgFrEgF5EgF6IgRUb3BLOgASAWdaEwoBeBIOCgwIARIICgIIAAoCCAJaDwoBaxIKCggIBxIECgIIAWITCgF5Eg4KDAgBEggK' +
  'AggACgIIAWITCgF6Eg4KDAgHEggKAggACgIIAUIECgAQCw==';
const feeds = {
  x: new ort.Tensor('float32', [], [0, 2]),
  k: new ort.Tensor('int64', [1n], [1]),
};
const expected = '[0,1] ; [0,1] ';

ort.env.wasm.numThreads = 1;
const text = ({ dims, data }) => `[${dims}] ${[...data]}`;
let found;
try {
  const session = await ort.InferenceSession.create(Buffer.from(model, 'base64'), { executionProviders: ['wasm'] });
  found = Object.values(await session.run(feeds)).map(text).join('; ');
} catch (error) {
  found = String(error);
}
console.log('onnxruntime-web', ort.env.versions.web, 'wasm');
console.log('expected', expected);
console.log('found   ', found);
process.exit(found === expected ? 0 : 1);
