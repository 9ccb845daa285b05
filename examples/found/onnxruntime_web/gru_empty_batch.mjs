// GRU of ONNX Runtime Web aborts if the batch is empty.
//
// A tensor may have an extent of 0. The output has the shape [1, 1, batch, 1]: no elements here.
//
// npm install onnxruntime-web@1.30.0
// node gru_empty_batch.mjs

import * as ort from 'onnxruntime-web';

// <ir_version: 8, opset_import: ["" : 14]>
// g (float[1,0,1] x, float[1,3,1] w, float[1,3,1] r) => (float[1,1,0,1] y) { y = GRU <hidden_size = 1> (x, w, r) }
const model =
  'CAg6lAEKJwoBeAoBdwoBchIBeSIDR1JVKhIKC2hpZGRlbl9zaXplGAGgAQI6ABIBZ1oXCgF4EhIKEAgBEgwKAggBCgIIAAoCCAFaFwoBdxIS' +
  'ChAIARIMCgIIAQoCCAMKAggBWhcKAXISEgoQCAESDAoCCAEKAggDCgIIAWIbCgF5EhYKFAgBEhAKAggBCgIIAQoCCAAKAggBQgQKABAO';
const feeds = {
  x: new ort.Tensor('float32', [], [1, 0, 1]),
  w: new ort.Tensor('float32', [1, 1, 1], [1, 3, 1]),
  r: new ort.Tensor('float32', [0, 0, 0], [1, 3, 1]),
};
const expected = '[1,1,0,1] ';

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
