// StringSplit of ONNX Runtime Web splits at spaces only, and keeps tabs.
//
// Without a delimiter, the text is split at whitespace, and whitespace at its start is dropped. A tab is whitespace.
//
// npm install onnxruntime-web@1.30.0
// node string_split_tab.mjs

import * as ort from 'onnxruntime-web';

// <ir_version: 9, opset_import: ["" : 20]>
// g (string[2] x) => (string[2,n] y, int64[2] z) { y, z = StringSplit (x) }
const model =
  'CAk6VQoYCgF4EgF5EgF6IgtTdHJpbmdTcGxpdDoAEgFnWg8KAXgSCgoICAgSBAoCCAJiFAoBeRIPCg0ICBIJCgIIAgoDEgFuYg8KAXoSCgoI' +
  'CAcSBAoCCAJCBAoAEBQ=';
const feeds = {
  x: new ort.Tensor('string', ['\ta', 'b\tc'], [2]),
};
const expected = '[2,2] a,,b,c; [2] 1,2';

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
