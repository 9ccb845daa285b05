// Reads and writes the parts of ONNX's protobuf messages that a worker needs: whole TensorProtos, and of a model the
// names of its inputs and outputs and whether its graph is plain.

import { concatenate } from './frames.mjs';

const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
const encoder = new TextEncoder();

/** Wire types of protobuf. */
const VARINT = 0;
const FIXED64 = 1;
const BYTES = 2;
const FIXED32 = 5;

/** Reads a varint as a BigInt of 64 bits without sign, and returns where it ends. */
function readVarint(bytes, at) {
  let value = 0n;
  for (let shift = 0n; shift < 70n; shift += 7n) {
    if (at >= bytes.length) break;
    const byte = bytes[at++];
    value |= BigInt(byte & 0x7f) << shift;
    if (byte < 0x80) return [BigInt.asUintN(64, value), at];
  }
  throw new Error('a protobuf message has a number without an end');
}

/** Goes through the fields of a message: number, wire type, and the value as a BigInt or as bytes. */
export function* fields(bytes) {
  let at = 0;
  while (at < bytes.length) {
    let key, value;
    [key, at] = readVarint(bytes, at);
    const wire = Number(key & 7n);
    let length = 0;
    if (wire === VARINT) {
      [value, at] = readVarint(bytes, at);
    } else {
      if (wire === BYTES) {
        [length, at] = readVarint(bytes, at);
      } else if (wire === FIXED64 || wire === FIXED32) {
        length = wire === FIXED64 ? 8 : 4;
      } else {
        throw new Error(`a protobuf message has a field of the unknown kind ${wire}`);
      }
      length = Number(length);
      if (at + length > bytes.length) throw new Error('a protobuf message ends too early');
      value = bytes.subarray(at, at + length);
      at += length;
    }
    yield { field: Number(key >> 3n), wire, value };
  }
}

/** The elements of a repeated integer field: one, or several that are packed. */
function integers(wire, value) {
  if (wire === VARINT) return [BigInt.asIntN(64, value)];
  const all = [];
  for (let at = 0; at < value.length; ) {
    let element;
    [element, at] = readVarint(value, at);
    all.push(BigInt.asIntN(64, element));
  }
  return all;
}

/** The fields of TensorProto. */
const TENSOR = { dims: 1, dataType: 2, stringData: 6, rawData: 9 };

/**
 * Reads a TensorProto: dims, the number of its type, and either its raw bytes or its strings. Plumbline writes no other
 * field of elements.
 */
export function readTensor(bytes) {
  const tensor = { dims: [], dataType: 0, raw: new Uint8Array(0), strings: [] };
  for (const { field, wire, value } of fields(bytes)) {
    if (field === TENSOR.dims) tensor.dims.push(...integers(wire, value).map(Number));
    else if (field === TENSOR.dataType) tensor.dataType = Number(value);
    else if (field === TENSOR.rawData) tensor.raw = value;
    else if (field === TENSOR.stringData) tensor.strings.push(decoder.decode(value));
  }
  return tensor;
}

function writeVarint(value) {
  const bytes = [];
  let rest = BigInt.asUintN(64, BigInt(value));
  while (rest > 0x7fn) {
    bytes.push(Number(rest & 0x7fn) | 0x80);
    rest >>= 7n;
  }
  bytes.push(Number(rest));
  return Uint8Array.from(bytes);
}

/** Writes a field with an integer. */
export function integerField(field, value) {
  return concatenate([writeVarint((field << 3) | VARINT), writeVarint(value)]);
}

/** Writes a field with bytes, a message or a text. */
export function bytesField(field, value) {
  const bytes = typeof value === 'string' ? encoder.encode(value) : value;
  return concatenate([writeVarint((field << 3) | BYTES), writeVarint(bytes.length), bytes]);
}

/** Writes a TensorProto: with strings if they are given, else with raw bytes. */
export function writeTensor({ dims, dataType, raw, strings }) {
  const elements = strings
    ? strings.map((text) => bytesField(TENSOR.stringData, text))
    : [bytesField(TENSOR.rawData, raw)];
  const head = dims.map((extent) => integerField(TENSOR.dims, extent));
  return concatenate([...head, integerField(TENSOR.dataType, dataType), ...elements]);
}

/** Fields of ModelProto, GraphProto, NodeProto and AttributeProto. */
const MODEL = { irVersion: 1, graph: 7, opsetImport: 8, functions: 25 };
const GRAPH = { node: 1, initializer: 5, input: 11, output: 12, sparseInitializer: 15 };
const NODE = { operator: 4, attribute: 5 };
const ATTRIBUTE = { graph: 6, graphs: 11 };
const NAME_OF_TENSOR = 8;
const NAME_OF_VALUE = 1;
const VALUES_OF_SPARSE = 1;

function all(bytes, number) {
  const found = [];
  for (const { field, value } of fields(bytes)) if (field === number) found.push(value);
  return found;
}

function text(bytes, field) {
  const found = all(bytes, field);
  return found.length === 0 ? '' : decoder.decode(found[found.length - 1]);
}

/**
 * Reads what a model says about its graph: the names of the inputs that have no initializer, the names of the outputs,
 * and whether the graph is plain: its nodes have no graphs of their own, the model has no functions, and some node is
 * not a Constant.
 */
export function readModel(bytes) {
  const graph = concatenate(all(bytes, MODEL.graph));
  const sparse = all(graph, GRAPH.sparseInitializer).flatMap((value) => all(value, VALUES_OF_SPARSE));
  const initializers = new Set([...all(graph, GRAPH.initializer), ...sparse].map((value) => text(value, NAME_OF_TENSOR)));
  const names = (field) => all(graph, field).map((value) => text(value, NAME_OF_VALUE));
  const nodes = all(graph, GRAPH.node);
  const attributes = nodes.flatMap((node) => all(node, NODE.attribute));
  const hasGraph = (attribute) => [ATTRIBUTE.graph, ATTRIBUTE.graphs].some((field) => all(attribute, field).length > 0);
  return {
    inputs: names(GRAPH.input).filter((name) => !initializers.has(name)),
    outputs: names(GRAPH.output),
    isPlain:
      all(bytes, MODEL.functions).length === 0 &&
      !attributes.some(hasGraph) &&
      nodes.some((node) => text(node, NODE.operator) !== 'Constant'),
  };
}

/** A model with a single Identity node of type float, to find out which versions a runtime reads. */
export function identityModel(irVersion, opset) {
  const FLOAT = 1;
  const type = bytesField(2, bytesField(1, concatenate([integerField(1, FLOAT), bytesField(2, bytesField(1, integerField(1, 1)))])));
  const value = (name) => concatenate([bytesField(NAME_OF_VALUE, name), type]);
  const node = concatenate([bytesField(1, 'x'), bytesField(2, 'y'), bytesField(NODE.operator, 'Identity')]);
  const graph = concatenate([
    bytesField(GRAPH.node, node),
    bytesField(2, 'probe'),
    bytesField(GRAPH.input, value('x')),
    bytesField(GRAPH.output, value('y')),
  ]);
  const domain = concatenate([bytesField(1, ''), integerField(2, opset)]);
  return concatenate([
    integerField(MODEL.irVersion, irVersion),
    bytesField(MODEL.graph, graph),
    bytesField(MODEL.opsetImport, domain),
  ]);
}
