// Answers a request of the worker protocol with a runtime. Used in Node and in a page of a browser.

import { fault, outputs, readRequest, refused, REQUEST } from './frames.mjs';
import { Breakdown, classify } from './session.mjs';

/**
 * Answers a request: returns the frame, and whether the runtime is as good as before. If it is not, `broken` says so, and
 * the runtime has to be started again.
 */
export async function answer(runtime, kind, payload) {
  const { number, model, inputs } = readRequest(kind, payload);
  const started = performance.now();
  const seconds = () => (performance.now() - started) / 1000;
  try {
    if (kind === REQUEST) await runtime.load(model);
    const values = await runtime.run(inputs);
    return { frame: outputs(number, seconds(), values) };
  } catch (error) {
    const no = classify(error);
    if (no instanceof Breakdown) return { frame: fault(number, no.message), broken: no };
    return { frame: refused(number, seconds(), no.kind, no.message), broken: no.broken };
  }
}
