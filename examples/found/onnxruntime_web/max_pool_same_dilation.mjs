// MaxPool of ONNX Runtime Web pads too little for auto_pad with dilations.
//
// SAME_UPPER pads until the output has ceil(4 / stride 1) = 4 columns; the kernel covers (2 - 1) * 2 + 1 = 3 columns.
//
// npm install onnxruntime-web@1.30.0
// node max_pool_same_dilation.mjs

import * as ort from 'onnxruntime-web';

// <ir_version: 8, opset_import: ["" : 12]>
// g (float[1,1,4] x) => (float[1,1,m] y) {
//   y = MaxPool <auto_pad = "SAME_UPPER", dilations = [2], kernel_shape = [2]> (x)
// }
const model =
  'CAg6iwEKUwoBeBIBeSIHTWF4UG9vbCoZCghhdXRvX3BhZCIKU0FNRV9VUFBFUqABAyoQCglkaWxhdGlvbnNAAqABByoTCgxrZXJuZWxfc2hh' +
  'cGVAAqABBzoAEgFnWhcKAXgSEgoQCAESDAoCCAEKAggBCgIIBGIYCgF5EhMKEQgBEg0KAggBCgIIAQoDEgFtQgQKABAM';
const feeds = {
  x: new ort.Tensor('float32', [1, 2, 3, 4], [1, 1, 4]),
};
const expected = '[1,1,4] 2,3,4,3';

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
