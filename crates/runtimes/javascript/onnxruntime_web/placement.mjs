// Finds out which execution provider the nodes of a session were given to.
//
// ONNX Runtime can refuse a session if a node of its main graph is left to the CPU provider
// (session.disable_cpu_ep_fallback), but it does not look into the graphs of If, Loop and Scan. Its verbose log lists all
// nodes.

import { Refusal } from './session.mjs';

const PLACED = /(?:All nodes|Node\(s\)) placed on \[(\w+)\]/;
const NODE = /VerifyEachNodeIsAssignedToAnEp\] {3}(\S+)/;

/** Reads the lines of a session's log: the operators of the nodes that each provider was given. */
export function placements(lines) {
  const found = new Map();
  let provider;
  for (const line of lines) {
    const placed = PLACED.exec(line)?.[1];
    const node = NODE.exec(line)?.[1];
    if (placed) {
      provider = placed;
      found.set(placed, found.get(placed) ?? new Set());
    } else if (node && provider) {
      found.get(provider).add(node);
    }
  }
  return found;
}

/** Refuses a session unless it has nodes and the provider computes all of them. */
export function check(lines, provider) {
  const found = placements(lines);
  const others = [...found].filter(([name]) => name !== provider);
  const elsewhere = others.map(([name, operators]) => `${[...operators].join(', ') || 'a node'} runs on ${name}`);
  if (elsewhere.length > 0) throw new Refusal('unsupported', `not computed by ${provider}: ${elsewhere.join('; ')}`);
  if (!found.has(provider)) throw new Refusal('unsupported', 'the model has no node that runs on a provider');
}
