// Shrink of ONNX Runtime Web rounds double to float.
//
// Shrink-9 has double among its types. Above lambd, which is 0.5 by default, y = x - bias, and bias is 0 by default.
//
// npm install onnxruntime-web@1.30.0
// node shrink_double.mjs

import * as ort from 'onnxruntime-web';

// <ir_version: 8, opset_import: ["" : 9]>
// g (double[1] x) => (double[1] y) { y = Shrink (x) }
const model =
  'CAg6NwoQCgF4EgF5IgZTaHJpbms6ABIBZ1oPCgF4EgoKCAgLEgQKAggBYg8KAXkSCgoICAsSBAoCCAFCBAoAEAk=';
const feeds = {
  x: new ort.Tensor('float64', [88.8], [1]),
};
const expected = '[1] 88.8';

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
