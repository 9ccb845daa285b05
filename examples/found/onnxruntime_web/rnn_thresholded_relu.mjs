// RNN of ONNX Runtime Web takes 0 for the alpha of ThresholdedRelu, if no alpha is given.
//
// The default is that of the operator of this name, which is 1; and an element below alpha becomes 0.
//
// npm install onnxruntime-web@1.30.0
// node rnn_thresholded_relu.mjs

import * as ort from 'onnxruntime-web';

// <ir_version: 8, opset_import: ["" : 14]>
// g (float[1,1,1] x, float[1,1,1] w, float[1,1,1] r) => (float[1,1,1,1] y) {
//   y = RNN <hidden_size = 1, activations = ["ThresholdedRelu"]> (x, w, r)
// }
const model =
  'CAg6twEKSgoBeAoBdwoBchIBeSIDUk5OKhIKC2hpZGRlbl9zaXplGAGgAQIqIQoLYWN0aXZhdGlvbnNKD1RocmVzaG9sZGVkUmVsdaABCDoA' +
  'EgFnWhcKAXgSEgoQCAESDAoCCAEKAggBCgIIAVoXCgF3EhIKEAgBEgwKAggBCgIIAQoCCAFaFwoBchISChAIARIMCgIIAQoCCAEKAggBYhsK' +
  'AXkSFgoUCAESEAoCCAEKAggBCgIIAQoCCAFCBAoAEA4=';
const feeds = {
  x: new ort.Tensor('float32', [0.5], [1, 1, 1]),
  w: new ort.Tensor('float32', [1], [1, 1, 1]),
  r: new ort.Tensor('float32', [0], [1, 1, 1]),
};
const expected = '[1,1,1,1] 0';

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
