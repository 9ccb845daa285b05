// STFT of ONNX Runtime Web is wrong for a complex signal with a window.
//
// With ones as the window, the only frame is the DFT of 1 + 2i, 3 + 4i: the sum 4 + 6i, and the difference -2 - 2i.
//
// npm install onnxruntime-web@1.30.0
// node stft_complex.mjs

import * as ort from 'onnxruntime-web';

// <ir_version: 8, opset_import: ["" : 17]>
// g (float[1,2,2] x, int64 s, float[2] w) => (float[1,1,2,2] y) { y = STFT <onesided = 0> (x, s, w) }
const model =
  'CAg6fgolCgF4CgFzCgF3EgF5IgRTVEZUKg8KCG9uZXNpZGVkGACgAQI6ABIBZ1oXCgF4EhIKEAgBEgwKAggBCgIIAgoCCAJaCwoBcxIGCgQI' +
  'BxIAWg8KAXcSCgoICAESBAoCCAJiGwoBeRIWChQIARIQCgIIAQoCCAEKAggCCgIIAkIECgAQEQ==';
const feeds = {
  x: new ort.Tensor('float32', [1, 2, 3, 4], [1, 2, 2]),
  s: new ort.Tensor('int64', [1n], []),
  w: new ort.Tensor('float32', [1, 1], [2]),
};
const expected = '[1,1,2,2] 4,6,-2,-2';

ort.env.wasm.numThreads = 1;
const text = ({ dims, data }) => `[${dims}] ${[...data].map((x) => Number(x.toPrecision(5)))}`;
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
