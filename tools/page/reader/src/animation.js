/** Keyframes of a glTF: where its nodes are at a time. */
import { unitQuat } from "./math.js";

const PATHS = { translation: 3, rotation: 4, scale: 3 };

/** All animations of a file, played together from the start on; at their ends they stay. */
export class Animations {
  /** @param {import("./gltf.js").Gltf} gltf */
  constructor(gltf) {
    /** @type {{node: number, path: keyof typeof PATHS, times: number[], values: number[][], how: string}[]} */
    this.channels = [];
    for (const animation of gltf.list("animations"))
      for (const channel of animation?.channels ?? []) {
        const { node, path } = channel?.target ?? {}, sampler = animation.samplers?.[channel.sampler];
        if (!gltf.nodes[node] || !(path in PATHS) || !sampler) continue;
        const times = gltf.accessor(sampler.input).map(([t]) => t);
        if (times.length) this.channels.push({ node, path, times, values: gltf.accessor(sampler.output), how: sampler.interpolation ?? "LINEAR" });
      }
    this.nodes = new Set(this.channels.map((channel) => channel.node));
  }

  /** Set the places of the nodes in their parents. @param {import("./gltf.js").Node[]} nodes @param {number} time s */
  apply(nodes, time) {
    for (const { node, path, times, values, how } of this.channels) {
      nodes[node].own = null;
      const found = sampled(times, values, how, time, path === "rotation");
      nodes[node][path] = path === "rotation" ? unitQuat(found) : found;
    }
  }
}

/** @param {number[]} times @param {number[][]} values @param {string} how @param {number} time @param {boolean} turns */
function sampled(times, values, how, time, turns) {
  const cubic = how === "CUBICSPLINE", at = (/** @type {number} */ i) => values[cubic ? 3 * i + 1 : i];
  let low = 0, high = times.length - 1;
  if (time <= times[0]) return at(0);
  if (time >= times[high]) return at(high);
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (times[middle] <= time) low = middle;
    else high = middle;
  }
  if (how === "STEP") return at(low);
  const span = times[high] - times[low], t = (time - times[low]) / span, a = at(low), b = at(high);
  if (cubic) {
    const out = values[3 * low + 2], into = values[3 * high], t2 = t * t, t3 = t2 * t;
    return a.map((x, k) => (2 * t3 - 3 * t2 + 1) * x + (t3 - 2 * t2 + t) * span * out[k] + (3 * t2 - 2 * t3) * b[k] + (t3 - t2) * span * into[k]);
  }
  // Between rotations the shorter way, along the arc.
  if (!turns) return a.map((x, k) => x + t * (b[k] - x));
  let cosine = a.reduce((sum, x, k) => sum + x * b[k], 0);
  const sign = cosine < 0 ? -1 : 1, angle = Math.acos(Math.min((cosine *= sign), 1));
  if (angle < 1e-4) return a.map((x, k) => x + t * (sign * b[k] - x));
  const [p, q] = [Math.sin((1 - t) * angle) / Math.sin(angle), (sign * Math.sin(t * angle)) / Math.sin(angle)];
  return a.map((x, k) => p * x + q * b[k]);
}
