// onnxruntime-web's WebAssembly provider in Node.

import fs from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

import { answer } from './answer.mjs';
import { Runtime } from './session.mjs';

/** Loads the package in this folder. */
export async function start(folder) {
  const ort = await import(pathToFileURL(path.join(folder, 'dist', 'ort.node.min.mjs')));
  const { version } = JSON.parse(fs.readFileSync(path.join(folder, 'package.json'), 'utf8'));
  ort.env.wasm.numThreads = 1;
  ort.env.logLevel = 'error';
  const create = (bytes) => ort.InferenceSession.create(bytes, { executionProviders: ['wasm'], logSeverityLevel: 3 });
  const runtime = new Runtime(ort, create);
  const { opset, irVersion } = await runtime.newest();
  return {
    version: `${version} (wasm, Node ${process.versions.node})`,
    // WebAssembly rounds divisions and square roots correctly.
    profile: { max_opset: opset, max_ir_version: irVersion, accuracy: 'ieee-754' },
    async answer(kind, payload) {
      const { frame, broken } = await answer(runtime, kind, payload);
      // A process loads a module only once, so a fresh module needs another process.
      if (broken) throw broken;
      return frame;
    },
  };
}
