// The page in which onnxruntime-web computes on WebGPU: asks browser.mjs for requests, and posts the answers.

import { answer } from './answer.mjs';
import { readRequest, refused } from './frames.mjs';
import { identityModel } from './onnx.mjs';
import { check } from './placement.mjs';
import { Runtime } from './session.mjs';

const PROVIDER = 'WebGpuExecutionProvider';

/** Levels of ONNX Runtime's log. */
const VERBOSE = 0;
const ERROR = 3;

/**
 * What onnxruntime-web has printed since the last session was begun. Its module keeps the `console.error` that it finds
 * when it is loaded, so this one has to be in place before.
 */
const log = [];
console.error = (...words) => log.push(words.join(' '));

function post(name, body) {
  return fetch(name, { method: 'POST', body });
}

/** Describes an adapter: its device, its driver and how it is reached. */
function described({ vendor, architecture, device, description, driver, backend }) {
  const name = description || [vendor, architecture, device].filter(Boolean).join(' ') || 'unknown device';
  return [name, driver, backend].filter(Boolean).join(', ');
}

/** Makes sessions in which WebGPU computes every node. */
function creator(ort) {
  const create = async (bytes, isPlain) => {
    log.length = 0;
    const session = await ort.InferenceSession.create(bytes, {
      executionProviders: ['webgpu'],
      // Otherwise the CPU provider folds constants, and the answer would be its own.
      graphOptimizationLevel: 'disabled',
      extra: { session: { disable_cpu_ep_fallback: '1' } },
      logSeverityLevel: isPlain ? ERROR : VERBOSE,
    });
    if (isPlain) return session;
    try {
      check(log, PROVIDER);
    } catch (error) {
      await session.release();
      throw error;
    }
    return session;
  };
  return (bytes, { isPlain }) => create(bytes, isPlain);
}

/** Starts onnxruntime-web on a GPU, or on what Chromium has instead of one. */
async function start() {
  if (!navigator.gpu) throw new Error('this Chromium has no WebGPU');
  const adapter =
    (await navigator.gpu.requestAdapter()) ?? (await navigator.gpu.requestAdapter({ forceFallbackAdapter: true }));
  if (!adapter) throw new Error('this Chromium finds no adapter for WebGPU, not even one in software');
  const ort = await import('./package/dist/ort.webgpu.min.mjs');
  ort.env.wasm.numThreads = 1;
  ort.env.wasm.wasmPaths = new URL('./package/dist/', location.href).href;
  ort.env.logLevel = 'error';
  ort.env.webgpu.adapter = adapter;
  const create = creator(ort);
  // Fails if this version does not log where it places nodes.
  const session = await create(identityModel(8, 17), { isPlain: false });
  await session.release();
  const runtime = new Runtime(ort, create);
  const versions = await runtime.newest();
  return { runtime, ready: { ...versions, adapter: described(adapter.info) }, device: ort.env.webgpu.device };
}

async function main() {
  // The server sees that the page is gone when this connection closes.
  await post('alive');
  let runtime, ready, device;
  try {
    ({ runtime, ready, device } = await start());
  } catch (error) {
    return post('ready', JSON.stringify({ reason: String(error?.message ?? error) }));
  }
  const lost = device.lost.then(({ reason, message }) => ({ lost: `the device is lost: ${message || reason}` }));
  await post('ready', JSON.stringify(ready));
  let reply = await post('next');
  for (;;) {
    const kind = Number(reply.headers.get('kind'));
    const payload = new Uint8Array(await reply.arrayBuffer());
    const started = performance.now();
    const result = await Promise.race([answer(runtime, kind, payload), lost]);
    if (result.lost) {
      const { number } = readRequest(kind, payload);
      result.frame = refused(number, (performance.now() - started) / 1000, 'device-lost', result.lost);
    }
    if (result.lost || result.broken) {
      // The page that replaces this one has a new module and a new device.
      await post('again', result.frame);
      return location.reload();
    }
    reply = await post('next', result.frame);
  }
}

main().catch((error) => post('ready', JSON.stringify({ reason: String(error?.stack ?? error) })));
