// Sigmoid of ONNX Runtime Web is wrong by 2 % at -13.5, and 0 at -20.
//
// Sigmoid is 1 / (1 + e^-x), which is 1.37096e-6 and 2.06115e-9 here; float has 24 bits for either.
//
// npm install onnxruntime-web@1.30.0
// node sigmoid_tail.mjs

import * as ort from 'onnxruntime-web';

// <ir_version: 8, opset_import: ["" : 13]>
// g (float[2] x) => (float[2] y) { y = Sigmoid (x) }
const model =
  'CAg6OAoRCgF4EgF5IgdTaWdtb2lkOgASAWdaDwoBeBIKCggIARIECgIIAmIPCgF5EgoKCAgBEgQKAggCQgQKABAN';
const feeds = {
  x: new ort.Tensor('float32', [-13.5, -20], [2]),
};
const expected = '[2] 0.00000137,2.06e-9';

ort.env.wasm.numThreads = 1;
const text = ({ dims, data }) => `[${dims}] ${[...data].map((x) => Number(x.toPrecision(3)))}`;
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
