/**
 * Reads the physics of glTF files, and plays it with Jolt.
 *
 *     import initJolt from "jolt-physics";
 *     import { load } from "gltf-rigid-bodies";
 *
 *     const world = load(bytes, await initJolt());
 *     world.play(1 / 60);
 *     world.setup.bodies.forEach((body, i) => console.log(body.name, world.pose(i).place));
 */
import { Gltf } from "./gltf.js";
import { World } from "./world.js";

export { Gltf, GltfError } from "./gltf.js";
export { readPhysics } from "./records.js";
export { World } from "./world.js";

/**
 * A world that plays a file.
 * @param {Uint8Array | ArrayBuffer | string} input a .glb, or the text or bytes of a .gltf
 * @param {any} Jolt the loaded module of jolt-physics
 * @param {{rate?: number, rounds?: [number, number], resource?: (uri: string) => Uint8Array}} [options] steps per second;
 *   rounds of the solver for velocities and places; what gives files beside a .gltf
 * @returns {World}
 * @throws {import("./gltf.js").GltfError} it is no glTF, or damaged; the message says where
 */
export function load(input, Jolt, options = {}) {
  return new World(Jolt, new Gltf(input, options), options);
}
