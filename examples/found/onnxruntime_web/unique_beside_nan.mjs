// Unique of ONNX Runtime Web loses a number that stands beside NaN.
//
// The output has each number of the input, here in the order of the input; -2 is no duplicate of NaN.
//
// npm install onnxruntime-web@1.30.0
// node unique_beside_nan.mjs

import * as ort from 'onnxruntime-web';

// <ir_version: 6, opset_import: ["" : 11]>
// g (float[2] x) => (float[n] y) { y = Unique <sorted = 0> (x) }
const model =
  'CAY6RwofCgF4EgF5IgZVbmlxdWUqDQoGc29ydGVkGACgAQI6ABIBZ1oPCgF4EgoKCAgBEgQKAggCYhAKAXkSCwoJCAESBQoDEgFuQgQKABAL';
const feeds = {
  x: new ort.Tensor('float32', [NaN, -2], [2]),
};
const expected = '[2] NaN,-2';

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
