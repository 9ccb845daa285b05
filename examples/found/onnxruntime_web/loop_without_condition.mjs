// Loop of ONNX Runtime Web ends when its body returns a false condition, although the input `cond` is left out.
//
// With a trip count and without `cond`, Loop runs that many rounds, and ignores the condition of the body.
//
// npm install onnxruntime-web@1.30.0
// node loop_without_condition.mjs

import * as ort from 'onnxruntime-web';

// <ir_version: 8, opset_import: ["" : 16]>
// g (int64 m, int64 v) => (int64 w) {
//   w = Loop (m, "", v) <body = b (int64 i, bool c, int64 a) => (bool d, int64 e) {
//     d = Constant <value = bool {0}> ()
//     e = Add (a, m)
//   }>
// }
const model =
  'CAg6ygEKnQEKAW0KAAoBdhIBdyIETG9vcCqHAQoEYm9keTJ8CiQSAWQiCENvbnN0YW50KhMKBXZhbHVlKgcQCSoBAEIAoAEEOgAKEAoBYQoB' +
  'bRIBZSIDQWRkOgASAWJaCwoBaRIGCgQIBxIAWgsKAWMSBgoECAkSAFoLCgFhEgYKBAgHEgBiCwoBZBIGCgQICRIAYgsKAWUSBgoECAcSAKAB' +
  'BToAEgFnWgsKAW0SBgoECAcSAFoLCgF2EgYKBAgHEgBiCwoBdxIGCgQIBxIAQgQKABAQ';
const feeds = {
  m: new ort.Tensor('int64', [3n], []),
  v: new ort.Tensor('int64', [0n], []),
};
const expected = '[] 9';

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
