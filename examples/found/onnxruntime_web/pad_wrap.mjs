// Pad of ONNX Runtime Web reads memory outside of its input, if wrapping needs more elements than there are.
//
// wrap repeats the row as on a torus: the element i before the row is the element -i modulo its length.
//
// npm install onnxruntime-web@1.30.0
// node pad_wrap.mjs

import * as ort from 'onnxruntime-web';

// <ir_version: 10, opset_import: ["" : 19]>
// g (float[2,2] x, int64[4] p) => (float[2,7] y) { y = Pad <mode = "wrap"> (x, p) }
const model =
  'CAo6YQohCgF4CgFwEgF5IgNQYWQqDwoEbW9kZSIEd3JhcKABAzoAEgFnWhMKAXgSDgoMCAESCAoCCAIKAggCWg8KAXASCgoICAcSBAoCCARi' +
  'EwoBeRIOCgwIARIICgIIAgoCCAdCBAoAEBM=';
const feeds = {
  x: new ort.Tensor('float32', [1, 2, 3, 4], [2, 2]),
  p: new ort.Tensor('int64', [0n, 5n, 0n, 0n], [4]),
};
const expected = '[2,7] 2,1,2,1,2,1,2,4,3,4,3,4,3,4';

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
