// Answers a request of the worker protocol with a runtime. Used in Node and in a page of a browser.

import { outputs, readRequest, refused, REQUEST } from './frames.mjs';
import { Breakdown, classify } from './session.mjs';

/**
 * Returns the frame that answers a request. Throws a Breakdown if the runtime cannot go on. `now` returns the time in
 * milliseconds.
 */
export async function answer(runtime, kind, payload, now = () => performance.now()) {
  const { number, model, inputs } = readRequest(kind, payload);
  const started = now();
  const seconds = () => (now() - started) / 1000;
  try {
    if (kind === REQUEST) await runtime.load(model);
    const values = await runtime.run(inputs);
    return outputs(number, seconds(), values);
  } catch (error) {
    const no = classify(error);
    if (no instanceof Breakdown) throw no;
    return refused(number, seconds(), no.kind, no.message);
  }
}
