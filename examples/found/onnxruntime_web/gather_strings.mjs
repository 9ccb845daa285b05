// Gather of ONNX Runtime Web takes only the first string of a row.
//
// With a scalar index, the output is the whole row with this index.
//
// npm install onnxruntime-web@1.30.0
// node gather_strings.mjs

import * as ort from 'onnxruntime-web';

// <ir_version: 8, opset_import: ["" : 13]>
// g (string[1,2] x, int64 i) => (string[2] y) { y = Gather (x, i) }
const model =
  'CAg6SwoTCgF4CgFpEgF5IgZHYXRoZXI6ABIBZ1oTCgF4Eg4KDAgIEggKAggBCgIIAloLCgFpEgYKBAgHEgBiDwoBeRIKCggICBIECgIIAkIE' +
  'CgAQDQ==';
const feeds = {
  x: new ort.Tensor('string', ['a', 'b'], [1, 2]),
  i: new ort.Tensor('int64', [0n], []),
};
const expected = '[2] a,b';

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
