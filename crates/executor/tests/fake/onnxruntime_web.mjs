// A stand-in for onnxruntime-web: the few functions that its adapter calls, with sessions that return their first input.

// What a library prints must not reach the frames.
console.log('the fake is loaded');
globalThis.process?.stdout.write('on the standard output of JavaScript\n');
const fs = globalThis.process?.getBuiltinModule?.('fs');
if (fs && fs.existsSync('/proc/self/fd')) fs.writeSync(1, 'on descriptor 1\n');

const NEWEST_OPSET = 21;
const NEWEST_IR_VERSION = 10;

export const env = { wasm: {}, webgpu: {} };

export class Tensor {
  constructor(type, data, dims) {
    Object.assign(this, { type, data, dims });
  }
}

class Session {
  constructor(text) {
    this.text = text;
    this.inputMetadata = [{ name: 'a', isTensor: !text.includes('SequenceLength') }];
    this.outputMetadata = [];
  }

  async run(feeds) {
    if (this.text.includes('Trap')) throw new WebAssembly.RuntimeError('unreachable');
    // Both have the names of the graph's inputs: `Sub` returns the second.
    const result = this.text.includes('Sub') ? feeds.b : feeds.a;
    return { y: result };
  }

  async release() {}
}

/** Throws an error with a message as ONNX Runtime writes it. */
function no(code, message) {
  throw new Error(`Can't create a session. ERROR_CODE: ${code}, ERROR_MESSAGE: ${message}`);
}

export const InferenceSession = {
  async create(bytes, { executionProviders, logSeverityLevel }) {
    const text = new TextDecoder('latin1').decode(bytes);
    // The first field of a model is its IR version, and the last one that of its opset.
    if (bytes[1] > NEWEST_IR_VERSION) no(1, `Unsupported model IR version: ${bytes[1]}`);
    if (bytes[bytes.length - 1] > NEWEST_OPSET) no(1, 'ONNX Runtime only *guarantees* support for models stamped with');
    if (text.includes('Missing')) no(9, 'Could not find an implementation for Missing(1)');
    if (text.includes('Wrong')) no(10, 'This is an invalid model');
    if (text.includes('Strange')) no(1, 'something strange');
    if (executionProviders.includes('webgpu')) {
      env.webgpu.device ??= await env.webgpu.adapter.requestDevice();
      if (text.includes('Lost')) env.webgpu.device.destroy();
      if (text.includes('Lost')) await new Promise(() => {});
      if (logSeverityLevel === 0) {
        console.error('[VerifyEachNodeIsAssignedToAnEp]  All nodes placed on [WebGpuExecutionProvider]. Number of nodes: 1');
      }
    }
    return new Session(text);
  },
};
