/** From the records of a file to bodies with their solids, joints, triggers and parts of vehicles. */
import { linear, nearestTurn, rotate, size, times } from "./math.js";
import { formed, within } from "./solids.js";

/**
 * @typedef {import("./math.js").Vec} Vec
 * @typedef {import("./math.js").Quat} Quat
 * @typedef {import("./math.js").Pose} Pose
 * @typedef {import("./solids.js").Solid} Solid
 * @typedef {object} Body
 * @property {number} node that of the motion; of a collider that stands alone, its own
 * @property {string} name
 * @property {"static" | "kinematic" | "dynamic"} type what keyframes move is kinematic
 * @property {boolean} isAnimated
 * @property {Pose} pose of the node without its scale, at the start
 * @property {number[]} stretch 3×3, what the pose leaves of the node's matrix
 * @property {Solid[]} solids
 * @property {import("./records.js").Motion | null} motion its center is along the axes of the pose, without scale
 * @property {Vec} velocity of the center of mass, in the world
 * @property {Vec} spin
 * @property {number} gravityFactor
 * @typedef {{body: number, place: Vec, turn: Quat}} Frame on a body, or in the world for -1
 * @typedef {{node: number, first: Frame, second: Frame, limits: import("./records.js").Limit[], drives: import("./records.js").Drive[], enableCollision: boolean}} JointFrames
 * @typedef {{node: number, name: string, frame: Frame, solids: Solid[], gravity: import("./records.js").Part | null, scale: Vec, isAnimated: boolean}} Volume
 * @typedef {{node: number, frame: Frame}} PartFrame
 * @typedef {object} Setup
 * @property {Body[]} bodies
 * @property {Map<number, number>} bodyOf the body that moves a node
 * @property {JointFrames[]} joints
 * @property {Volume[]} volumes
 * @property {Map<number, Frame>} frames of nodes with parts of vehicles
 */

export const WORLD = -1;

/**
 * @param {import("./gltf.js").Gltf} gltf
 * @param {import("./records.js").Physics} physics
 * @param {Set<number>} animated nodes that have keyframes
 * @returns {Setup}
 */
export function setUp(gltf, physics, animated) {
  const nodes = gltf.nodes, meshes = new Map();
  const shown = [...physics.nodes].filter(([at]) => nodes[at].isShown);
  const meshOf = (/** @type {number} */ at) => {
    if (!meshes.has(at)) {
      let found = null;
      try {
        found = gltf.mesh(at);
      } catch (problem) {
        physics.issues.push({ place: `/meshes/${at}`, text: /** @type {Error} */ (problem).message });
      }
      meshes.set(at, found);
    }
    return meshes.get(at);
  };
  /** The nearest node from here upward that has a motion. @type {(at: number) => number} */
  const ownerOf = (at) => {
    for (; at >= 0; at = nodes[at].parent) if (physics.nodes.get(at)?.motion) return at;
    return WORLD;
  };
  const isAnimated = (/** @type {number} */ at) => {
    for (; at >= 0; at = nodes[at].parent) if (animated.has(at)) return true;
    return false;
  };
  const poseOf = (/** @type {number} */ at) => ({ place: nodes[at].world.slice(12, 15), turn: nearestTurn(linear(nodes[at].world)) });
  const solidOf = (/** @type {number} */ at, /** @type {Pose} */ pose, /** @type {number | null} */ shape, /** @type {number | null} */ material, /** @type {number | null} */ filter) => {
    if (shape === null) return [];
    const inside = within(pose, nodes[at].world), found = formed(physics.shapes[shape], inside.linear, meshOf);
    return found ? [{ node: at, form: found.form, place: inside.place, turn: found.turn, material, filter }] : [];
  };
  /** @type {Map<number, number[]>} */
  const members = new Map(), /** @type {number[]} */ alone = [];
  for (const [at, part] of shown) if (part.motion) members.set(at, []);
  for (const [at, part] of shown) {
    if (!part.collider || part.collider.shape === null) continue;
    const owner = ownerOf(at);
    if (owner === WORLD) alone.push(at);
    else members.get(owner)?.push(at);
  }
  /** @type {Body[]} */
  const bodies = [];
  for (const [at, colliders] of [...members, ...alone.map((i) => /** @type {[number, number[]]} */ ([i, [i]]))]) {
    const motion = physics.nodes.get(at)?.motion ?? null, pose = poseOf(at), moves = isAnimated(at);
    const stretch = within(pose, nodes[at].world).linear;
    const center = motion?.centerOfMass ? times(stretch, motion.centerOfMass) : null;
    bodies.push({
      node: at, name: nodes[at].name, pose, stretch, isAnimated: moves,
      type: moves ? "kinematic" : motion?.type ?? "static",
      solids: colliders.flatMap((i) => {
        const part = /** @type {import("./records.js").Collider} */ (physics.nodes.get(i)?.collider);
        return solidOf(i, pose, part.shape, part.material, part.filter);
      }),
      motion: motion && { ...motion, centerOfMass: center },
      velocity: motion ? rotate(pose.turn, motion.linearVelocity) : [0, 0, 0],
      spin: motion ? rotate(pose.turn, motion.angularVelocity) : [0, 0, 0],
      gravityFactor: motion?.gravityFactor ?? 1,
    });
  }
  const bodyAt = new Map(bodies.map((body, i) => [body.node, i])), /** @type {Map<number, number>} */ bodyOf = new Map();
  for (const [at] of shown) {
    const found = bodyAt.get(at) ?? bodyAt.get(ownerOf(at));
    if (found !== undefined) bodyOf.set(at, found);
  }
  const frameOn = (/** @type {number} */ at, /** @type {number} */ body) => {
    const inside = within(body === WORLD ? { place: [0, 0, 0], turn: [0, 0, 0, 1] } : bodies[body].pose, nodes[at].world);
    return { body, place: inside.place, turn: nearestTurn(inside.linear) };
  };
  const frameOf = (/** @type {number} */ at) => frameOn(at, bodyAt.get(ownerOf(at)) ?? WORLD);
  const endOf = (/** @type {number} */ at) => {
    if (ownerOf(at) === WORLD) for (let up = at; up >= 0; up = nodes[up].parent) if (bodyAt.has(up)) return frameOn(at, /** @type {number} */ (bodyAt.get(up)));
    return frameOf(at);
  };
  /** @type {JointFrames[]} */
  const joints = [];
  for (const [at, { joint }] of shown) {
    if (!joint || !nodes[joint.connected].isShown) continue;
    const first = endOf(at), second = endOf(joint.connected);
    if (first.body === second.body) continue;
    joints.push({ node: at, first, second, ...physics.joints[joint.settings], enableCollision: joint.enableCollision });
  }
  const volumes = shown.filter(([, part]) => part.trigger).map(([at, part]) => {
    const trigger = /** @type {import("./records.js").Trigger} */ (part.trigger), pose = poseOf(at);
    const parts = trigger.shape !== null ? [at] : trigger.nodes.length ? trigger.nodes : implied(at, nodes, physics);
    const solids = parts.flatMap((i) => {
      const own = physics.nodes.get(i)?.trigger;
      return own ? solidOf(i, pose, own.shape, null, own.filter) : [];
    });
    const matrix = linear(nodes[at].world);
    return {
      node: at, name: nodes[at].name, frame: frameOf(at), solids, gravity: part.gravity ?? null,
      scale: [0, 3, 6].map((i) => size(matrix.slice(i, i + 3))), isAnimated: isAnimated(at),
    };
  });
  // The shape of shaped gravity is that of a list, on the node of the volume.
  for (const volume of volumes) {
    if (volume.gravity?.type !== "shaped") continue;
    const shape = physics.shapes[volume.gravity.shape];
    volume.gravity.form = shape && formed(shape, [1, 0, 0, 0, 1, 0, 0, 0, 1], meshOf)?.form;
  }
  const frames = new Map(shown.filter(([, p]) => p.vehicle || p.wheel !== undefined || p.thruster !== undefined || p.hoverThruster !== undefined || p.seat).map(([at]) => [at, frameOf(at)]));
  return { bodies, bodyOf, joints, volumes, frames };
}

/** The triggers below a node that no body or other trigger without a shape claims. @param {number} start @param {import("./gltf.js").Node[]} nodes @param {import("./records.js").Physics} physics */
function implied(start, nodes, physics) {
  const found = [], waiting = [...nodes[start].children].reverse();
  while (waiting.length) {
    const at = /** @type {number} */ (waiting.pop()), part = physics.nodes.get(at);
    const claims = part?.motion || (part?.trigger && part.trigger.shape === null);
    if (part?.trigger && part.trigger.shape !== null && !claims) found.push(at);
    if (!claims) waiting.push(...[...nodes[at].children].reverse());
  }
  return found;
}
