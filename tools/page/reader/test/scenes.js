/** Small files for the tests, and the engine. */
import initJolt from "jolt-physics";
import { afterEach } from "node:test";
import { load } from "../src/index.js";

const Jolt = await initJolt();
/** @type {any[]} */
const made = [];
afterEach(() => made.splice(0).forEach((one) => one.free())); // The engine has no room for many.

/** A world of some nodes. @param {any[]} nodes @param {any} [roots] extensions of the file @param {any} [more] @param {number} [rate] */
export function world(nodes, roots = {}, more = {}, rate = 240) {
  const children = new Set(nodes.flatMap((node) => node.children ?? []));
  const scene = nodes.map((_, i) => i).filter((i) => !children.has(i));
  const found = load(JSON.stringify({ asset: { version: "2.0" }, scene: 0, scenes: [{ nodes: scene }], nodes, extensions: roots, ...more }), Jolt, { rate });
  made.push(found);
  return found;
}

export const BODY = "OMI_physics_body";
/** @param {any} motion @param {any} [collider] @param {any} [more] */
export const body = (motion, collider, more = {}) => ({ ...more, extensions: { [BODY]: { ...(motion && { motion: { type: "dynamic", ...motion } }), ...(collider && { collider }) }, ...more.extensions } });
export const shapes = (/** @type {any[]} */ ...list) => ({ OMI_physics_shape: { shapes: list } });
export const BOX = { type: "box", box: { size: [1, 1, 1] } };
export const FLOOR = { type: "box", box: { size: [60, 1, 60] } };
export const NO_GRAVITY = { OMI_physics_gravity: { gravity: 0 } };
/** Where the body of a node is. @param {any} w @param {number} node */
export const at = (w, node) => w.pose(w.setup.bodyOf.get(node)).place;
