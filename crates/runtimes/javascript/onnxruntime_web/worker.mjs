// onnxruntime-web as a worker of Plumbline (docs/worker-protocol.md):
//
//     node worker.mjs --package FOLDER [--ep wasm|webgpu]
//
// FOLDER is that of the npm package. `wasm` runs in this process; `webgpu` runs in a page of a Chromium that this process
// starts.

import fs from 'node:fs';
import path from 'node:path';

import { AGAIN, frame, HEADER_LENGTH, HELLO, json, readHeader, REQUEST, START_FAILED } from './frames.mjs';
import { Breakdown } from './session.mjs';

/**
 * Takes stdout away from everything else in this process: returns a descriptor of it for frames, and points descriptor 1
 * at stderr. Where the system has no /proc, what JavaScript prints goes to stderr, and the rest is not caught.
 */
function privateStdout() {
  for (const method of ['log', 'info', 'debug', 'dir', 'table']) console[method] = console.error;
  try {
    const answers = fs.openSync('/proc/self/fd/1', 'w');
    fs.closeSync(1);
    // The lowest free descriptor is taken, which is 1.
    const opened = fs.openSync('/proc/self/fd/2', 'a');
    if (opened !== 1) throw new Error(`descriptor 1 became ${opened}`);
    return answers;
  } catch {
    return 1;
  }
}

/** Reads stdin in pieces of a wanted length. */
class Input {
  constructor(stream) {
    this.chunks = stream[Symbol.asyncIterator]();
    this.pieces = [];
    this.length = 0;
  }

  /** Returns this many bytes, or nothing at the end. */
  async take(length) {
    while (this.length < length) {
      const { value, done } = await this.chunks.next();
      if (done) {
        if (this.length > 0) throw new Error('stdin ends inside of a frame');
        return undefined;
      }
      this.pieces.push(value);
      this.length += value.length;
    }
    const all = this.pieces.length === 1 ? this.pieces[0] : Buffer.concat(this.pieces);
    this.pieces = [all.subarray(length)];
    this.length -= length;
    return all.subarray(0, length);
  }
}

function settings(words) {
  const found = { ep: 'wasm' };
  for (let at = 0; at < words.length; at += 2) {
    const name = words[at].slice(2);
    if (!words[at].startsWith('--') || !['ep', 'package'].includes(name) || words[at + 1] === undefined) {
      throw new Error(`\`${words[at]}\` is not an option, or has no value: the options are --package FOLDER, --ep NAME`);
    }
    found[name] = words[at + 1];
  }
  if (!['wasm', 'webgpu'].includes(found.ep)) {
    throw new Error(`\`${found.ep}\` is not an execution provider: there are wasm and webgpu`);
  }
  if (found.package === undefined) throw new Error('--package FOLDER is missing: the folder of onnxruntime-web');
  return { ...found, package: path.resolve(found.package) };
}

async function main() {
  const descriptor = privateStdout();
  const write = (bytes) => {
    for (let at = 0; at < bytes.length; ) at += fs.writeSync(descriptor, bytes, at);
  };
  let backend;
  try {
    const { ep, package: folder } = settings(process.argv.slice(2));
    backend = ep === 'wasm' ? await (await import('./node.mjs')).start(folder) : await (await import('./browser.mjs')).start(folder);
  } catch (error) {
    write(frame(START_FAILED, json({ reason: String(error?.message ?? error) })));
    return;
  }
  const { version, profile } = backend;
  write(frame(HELLO, json({ version: 2, identity: { name: 'onnxruntime-web', version }, profile })));
  const input = new Input(process.stdin);
  // A browser that dies while there is no request ends the worker too.
  const take = (length) => Promise.race([input.take(length), ...(backend.dead ? [backend.dead] : [])]);
  let header;
  while ((header = await take(HEADER_LENGTH)) !== undefined) {
    const { kind, length } = readHeader(header);
    if (kind !== REQUEST && kind !== AGAIN) throw new Error(`a frame of the kind ${kind} is not a request`);
    const payload = await take(length);
    if (payload === undefined) throw new Error('stdin ends inside of a frame');
    write(await backend.answer(kind, payload));
  }
  await backend.stop?.();
}

try {
  await main();
  process.exit(0);
} catch (error) {
  console.error(error instanceof Breakdown ? error.message : String(error?.stack ?? error));
  process.exit(70);
}
