// Reductions of ONNX Runtime Web ignore a negative axis if the input is empty.
//
// Axis -1 is the last one, of the extent 0. With keepdims, its extent becomes 1, and the sum of no elements is 0.
//
// npm install onnxruntime-web@1.30.0
// node reduce_empty_negative_axis.mjs

import * as ort from 'onnxruntime-web';

// <ir_version: 6, opset_import: ["" : 11]>
// g (float[2,0] x) => (float[2,1] y) { y = ReduceL1 <axes = [-1]> (x) }
const model =
  'CAY6VwooCgF4EgF5IghSZWR1Y2VMMSoUCgRheGVzQP///////////wGgAQc6ABIBZ1oTCgF4Eg4KDAgBEggKAggCCgIIAGITCgF5Eg4KDAgB' +
  'EggKAggCCgIIAUIECgAQCw==';
const feeds = {
  x: new ort.Tensor('float32', [], [2, 0]),
};
const expected = '[2,1] 0,0';

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
