// LinearRegressor of ONNX Runtime Web does not apply the transform LOGISTIC if it has one target.
//
// LOGISTIC is 1 / (1 + e^-x), and is applied to each result: here, to 7 * 0 = 0.
//
// npm install onnxruntime-web@1.30.0
// node linear_regressor_logistic.mjs

import * as ort from 'onnxruntime-web';

// <ir_version: 8, opset_import: ["" : 15, "ai.onnx.ml" : 1]>
// g (float[1,1] x) => (float[1,1] y) {
//   y = ai.onnx.ml.LinearRegressor <coefficients = [7.0], post_transform = "LOGISTIC"> (x)
// }
const model =
  'CAg6iQEKWgoBeBIBeSIPTGluZWFyUmVncmVzc29yKhYKDGNvZWZmaWNpZW50cz0AAOBAoAEGKh0KDnBvc3RfdHJhbnNmb3JtIghMT0dJU1RJ' +
  'Q6ABAzoKYWkub25ueC5tbBIBZ1oTCgF4Eg4KDAgBEggKAggBCgIIAWITCgF5Eg4KDAgBEggKAggBCgIIAUIECgAQD0IOCgphaS5vbm54Lm1s' +
  'EAE=';
const feeds = {
  x: new ort.Tensor('float32', [0], [1, 1]),
};
const expected = '[1,1] 0.5';

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
