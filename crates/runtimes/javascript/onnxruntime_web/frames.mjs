// The frames of Plumbline's worker protocol (docs/worker-protocol.md), and what requests and answers hold.

/** The kinds of frames. */
export const HELLO = 1;
export const START_FAILED = 2;
export const REQUEST = 3;
export const OUTPUTS = 4;
export const REFUSED = 5;
export const FAULT = 6;
export const AGAIN = 7;

/** The bytes before the payload: the letters, the kind and the length. */
export const HEADER_LENGTH = 12;

const MAGIC = [0x50, 0x4c, 0x42, 0x31]; // PLB1
const encoder = new TextEncoder();
const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

/** Joins arrays of bytes. */
export function concatenate(pieces) {
  const all = new Uint8Array(pieces.reduce((sum, piece) => sum + piece.length, 0));
  let at = 0;
  for (const piece of pieces) {
    all.set(piece, at);
    at += piece.length;
  }
  return all;
}

/** Writes a frame. The payload is one or more arrays of bytes. */
export function frame(kind, ...payload) {
  const header = new Uint8Array(HEADER_LENGTH);
  header.set(MAGIC);
  const view = new DataView(header.buffer);
  view.setUint32(4, kind, true);
  view.setUint32(8, payload.reduce((sum, piece) => sum + piece.length, 0), true);
  return concatenate([header, ...payload]);
}

/** Reads the start of a frame: its kind, and the length of its payload. */
export function readHeader(bytes) {
  if (MAGIC.some((letter, index) => bytes[index] !== letter)) throw new Error('this is not a frame of the protocol');
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  return { kind: view.getUint32(4, true), length: view.getUint32(8, true) };
}

/** The bytes of a JSON text. */
export function json(value) {
  return encoder.encode(JSON.stringify(value));
}

/** Reads the payload of a request: its number, the model (absent in a further run) and the inputs. */
export function readRequest(kind, payload) {
  const view = new DataView(payload.buffer, payload.byteOffset, payload.length);
  let at = 0;
  const number = view.getBigUint64(at, true);
  at += 8;
  const bytes = () => {
    const length = view.getUint32(at, true);
    at += 4 + length;
    if (at > payload.length) throw new Error('a request ends too early');
    return payload.subarray(at - length, at);
  };
  const model = kind === REQUEST ? bytes() : undefined;
  const count = view.getUint32(at, true);
  at += 4;
  const inputs = [];
  for (let index = 0; index < count; index++) inputs.push({ type: decoder.decode(bytes()), content: bytes() });
  return { number, model, inputs };
}

/** Writes the number of a request, and the seconds that its answer took. */
function answered(number, seconds) {
  const head = new Uint8Array(16);
  const view = new DataView(head.buffer);
  view.setBigUint64(0, number, true);
  view.setFloat64(8, seconds, true);
  return head;
}

/** Writes bytes with their length before them. */
function measured(bytes) {
  const length = new Uint8Array(4);
  new DataView(length.buffer).setUint32(0, bytes.length, true);
  return [length, bytes];
}

/** The frame that answers a request with values: pairs of a type (`tensor(float)`) and a content (a `TensorProto`). */
export function outputs(number, seconds, values) {
  const count = new Uint8Array(4);
  new DataView(count.buffer).setUint32(0, values.length, true);
  const pieces = values.flatMap(({ type, content }) => [...measured(encoder.encode(type)), ...measured(content)]);
  return frame(OUTPUTS, answered(number, seconds), count, ...pieces);
}

/** The frame that refuses a request. */
export function refused(number, seconds, kind, message) {
  return frame(REFUSED, answered(number, seconds), json({ kind, message }));
}

/** The frame of a breakdown that the worker survived. */
export function fault(number, text) {
  return frame(FAULT, answered(number, 0).subarray(0, 8), encoder.encode(text));
}
