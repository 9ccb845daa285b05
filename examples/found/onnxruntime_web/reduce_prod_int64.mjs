// ReduceProd of ONNX Runtime Web computes with int64 as with double, and rounds what is beyond 2^53.
//
// ReduceProd-13 has int64 among its types, and the product of one number is this number.
//
// npm install onnxruntime-web@1.30.0
// node reduce_prod_int64.mjs

import * as ort from 'onnxruntime-web';

// <ir_version: 8, opset_import: ["" : 13]>
// g (int64[1] x) => (int64[1] y) { y = ReduceProd (x) }
const model =
  'CAg6OwoUCgF4EgF5IgpSZWR1Y2VQcm9kOgASAWdaDwoBeBIKCggIBxIECgIIAWIPCgF5EgoKCAgHEgQKAggBQgQKABAN';
const feeds = {
  x: new ort.Tensor('int64', [9007199254740993n], [1]),
};
const expected = '[1] 9007199254740993';

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
