// Runs models with onnxruntime-web, in Node and in a page of a browser.

import { identityModel, readModel, readTensor, writeTensor } from './onnx.mjs';

/** An answer without outputs. `kind` is unsupported, invalid, failed or device-lost. */
export class Refusal extends Error {
  constructor(kind, message) {
    super(message);
    this.kind = kind;
  }
}

/** A breakdown after which the runtime cannot be used any more: its memory may be damaged. */
export class Breakdown extends Error {}

/** The element types that onnxruntime-web's tensors can have: its name, ONNX's name and number, and the array. */
const ELEMENTS = [
  { name: 'float32', onnx: 'float', number: 1, array: Float32Array },
  { name: 'uint8', onnx: 'uint8', number: 2, array: Uint8Array },
  { name: 'int8', onnx: 'int8', number: 3, array: Int8Array },
  { name: 'uint16', onnx: 'uint16', number: 4, array: Uint16Array },
  { name: 'int16', onnx: 'int16', number: 5, array: Int16Array },
  { name: 'int32', onnx: 'int32', number: 6, array: Int32Array },
  { name: 'int64', onnx: 'int64', number: 7, array: BigInt64Array },
  { name: 'string', onnx: 'string', number: 8 },
  { name: 'bool', onnx: 'bool', number: 9, array: Uint8Array },
  // The bits. In engines with a Float16Array, onnxruntime-web makes one from this array.
  { name: 'float16', onnx: 'float16', number: 10, array: Uint16Array },
  { name: 'float64', onnx: 'double', number: 11, array: Float64Array },
  { name: 'uint32', onnx: 'uint32', number: 12, array: Uint32Array },
  { name: 'uint64', onnx: 'uint64', number: 13, array: BigUint64Array },
  // Two elements in a byte.
  { name: 'uint4', onnx: 'uint4', number: 21, array: Uint8Array },
  { name: 'int4', onnx: 'int4', number: 22, array: Uint8Array },
];

/** Makes a tensor of onnxruntime-web from a value of a request. */
export function toRuntime(ort, { type, content }) {
  if (!type.startsWith('tensor(')) throw new Refusal('unsupported', `the JavaScript interface cannot pass a ${type}`);
  const { dims, dataType, raw, strings } = readTensor(content);
  const element = ELEMENTS.find(({ number }) => number === dataType);
  if (element === undefined) throw new Refusal('unsupported', `the JavaScript interface cannot pass a ${type}`);
  if (element.array === undefined) return new ort.Tensor('string', strings, dims);
  // A copy, because the bytes of a request are not aligned.
  return new ort.Tensor(element.name, new element.array(new Uint8Array(raw).buffer), dims);
}

/** Makes a value of an answer from a tensor of onnxruntime-web. */
export function fromRuntime(tensor) {
  const element = ELEMENTS.find(({ name }) => name === tensor.type);
  if (element === undefined) throw new Refusal('unsupported', `the JavaScript interface returned a ${tensor.type}`);
  const { data, dims } = tensor;
  const elements = element.array
    ? { raw: new Uint8Array(data.buffer, data.byteOffset, data.byteLength) }
    : { strings: data };
  return { type: `tensor(${element.onnx})`, content: writeTensor({ dims, dataType: element.number, ...elements }) };
}

/** ONNX Runtime's code for a missing implementation. */
const NOT_IMPLEMENTED = 9;
/** ONNX Runtime's codes for an invalid argument, a missing model, an invalid protobuf message and an invalid graph. */
const WRONG = [2, 4, 7, 10];

/**
 * Parts of messages, in lower case, about an operator, a version of an operator, or an element type that the runtime
 * does not have, or that its provider or its JavaScript interface does not take.
 */
const UNKNOWN = [
  'nodes that are assigned to the default cpu ep, but fallback to cpu ep has been explicitly disabled',
  'is not a registered function/op',
  'no op registered for',
  'is not currently registered or supported',
  'failed to load model with error: tensor type ',
  'failed to load model with error: invalid tensor data type ',
  'only *guarantees* support for models stamped with',
  'unsupported model ir version',
  // No provider has taken the node.
  '!node_provider_type.empty() was false',
  'unsupported data type: ',
  'unsupported type: ',
  'requires f16 but the device does not support it',
];

/** Parts of messages, in lower case, that mean that the model is wrong, where the code is a general one. */
const FAULTS = ['type error:', '[shapeinferenceerror]', '[typeinferenceerror]'];

/** Parts of messages, in lower case, that mean that the GPU is lost. */
const LOST = ['device is lost', 'device was lost', 'device lost', 'devicelost'];

/**
 * Makes a refusal or a breakdown of what the runtime has thrown. A trap of WebAssembly, an abort and an exception that
 * C++ did not catch leave the module in a state that nobody knows. So does an error of the browser's WebGPU, which C++
 * does not see. It is a refusal nevertheless, because the user of the runtime gets an ordinary error.
 */
export function classify(error) {
  if (error instanceof Refusal || error instanceof Breakdown) return error;
  const message = String(error?.message ?? error).trim();
  const overflow = error instanceof RangeError && message.includes('call stack');
  if (!(error instanceof Error) || error instanceof WebAssembly.RuntimeError || overflow) {
    return new Breakdown(`${error?.name ?? 'an exception of C++'}: ${message}`);
  }
  const lowerCase = message.toLowerCase();
  const says = (parts) => parts.some((part) => lowerCase.includes(part));
  const code = Number(/ERROR_CODE: (\d+)/.exec(message)?.[1] ?? 0);
  const broken = new Breakdown(message);
  if (says(LOST)) return Object.assign(new Refusal('device-lost', message), { broken });
  if (code === NOT_IMPLEMENTED || says(UNKNOWN)) return new Refusal('unsupported', message);
  if (WRONG.includes(code) || says(FAULTS)) return new Refusal('invalid', message);
  const no = new Refusal('failed', message);
  return message.startsWith('Failed to execute ') ? Object.assign(no, { broken }) : no;
}

/** The search for the newest opset and IR version that a runtime reads begins with these, and goes down to `OLD`. */
const NEWEST_OPSET = 40;
const NEWEST_IR_VERSION = 20;
const OLD = { opset: 7, irVersion: 3 };

/** Runs models with one execution provider. */
export class Runtime {
  /** `create` makes a session of the bytes of a model and of what `readModel` says about it. */
  constructor(ort, create) {
    this.ort = ort;
    this.create = create;
    this.loaded = undefined;
  }

  /** Finds out the newest opset and IR version that the runtime reads. */
  async newest() {
    const probe = async (irVersion, opset) => {
      const bytes = identityModel(irVersion, opset);
      const session = await this.create(bytes, readModel(bytes));
      await session.release();
    };
    const reads = async (irVersion, opset) => {
      try {
        await probe(irVersion, opset);
        return true;
      } catch (error) {
        const no = classify(error);
        if (no instanceof Breakdown) throw no;
        return false;
      }
    };
    // A runtime that does not read the old versions does not work at all. Its error says why.
    await probe(OLD.irVersion, OLD.opset);
    let [opset, irVersion] = [NEWEST_OPSET, NEWEST_IR_VERSION];
    while (opset > OLD.opset && !(await reads(OLD.irVersion, opset))) opset--;
    while (irVersion > OLD.irVersion && !(await reads(irVersion, OLD.opset))) irVersion--;
    return { opset, irVersion };
  }

  /** Loads a model, and forgets the one before. */
  async load(bytes) {
    const last = this.loaded;
    this.loaded = undefined;
    await last?.session.release();
    const model = readModel(bytes);
    const session = await this.create(new Uint8Array(bytes), model);
    this.loaded = { session, model };
  }

  /** Runs the model that was loaded last. */
  async run(inputs) {
    if (this.loaded === undefined) {
      throw new Refusal('failed', 'there is no session to run again: its model was refused');
    }
    const { session, model } = this.loaded;
    const other = [...session.inputMetadata, ...session.outputMetadata].find(({ isTensor }) => !isTensor);
    if (other) {
      throw new Refusal('unsupported', `the JavaScript interface passes only tensors, and \`${other.name}\` is none`);
    }
    if (inputs.length !== model.inputs.length) {
      throw new Refusal('invalid', `${inputs.length} inputs are given, the model has ${model.inputs.length}`);
    }
    const feeds = {};
    inputs.forEach((input, index) => (feeds[model.inputs[index]] = toRuntime(this.ort, input)));
    const results = await session.run(feeds);
    return model.outputs.map((name) => fromRuntime(results[name]));
  }
}
