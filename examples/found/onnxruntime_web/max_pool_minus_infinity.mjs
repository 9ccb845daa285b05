// MaxPool of ONNX Runtime Web gives the lowest finite number for a window of minus infinities.
//
// The output is the maximum of the elements in the window.
//
// npm install onnxruntime-web@1.30.0
// node max_pool_minus_infinity.mjs

import * as ort from 'onnxruntime-web';

// <ir_version: 8, opset_import: ["" : 12]>
// g (float[1,1,2] x) => (float[1,1,1] y) { y = MaxPool <kernel_shape = [2]> (x) }
const model =
  'CAg6XQomCgF4EgF5IgdNYXhQb29sKhMKDGtlcm5lbF9zaGFwZUACoAEHOgASAWdaFwoBeBISChAIARIMCgIIAQoCCAEKAggCYhcKAXkSEgoQ' +
  'CAESDAoCCAEKAggBCgIIAUIECgAQDA==';
const feeds = {
  x: new ort.Tensor('float32', [-Infinity, -Infinity], [1, 1, 2]),
};
const expected = '[1,1,1] -Infinity';

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
