/** Containers and accessors. */
import assert from "node:assert/strict";
import test from "node:test";
import { Gltf, GltfError } from "../src/index.js";

/** @param {any} said @param {number[]} [floats] */
function glb(said, floats = []) {
  const words = new TextEncoder().encode(JSON.stringify({ asset: { version: "2.0" }, ...said })), text = new Uint8Array(Math.ceil(words.length / 4) * 4).fill(32);
  text.set(words);
  const binary = new Uint8Array(new Float32Array(floats).buffer), whole = new Uint8Array(12 + 8 + text.length + 8 + binary.length), view = new DataView(whole.buffer);
  [0x46546c67, 2, whole.length, text.length, 0x4e4f534a].forEach((x, i) => view.setUint32(4 * i, x, true));
  whole.set(text, 20);
  view.setUint32(20 + text.length, binary.length, true);
  view.setUint32(24 + text.length, 0x004e4942, true);
  whole.set(binary, 28 + text.length);
  return whole;
}

const triangle = { buffers: [{ byteLength: 36 }], bufferViews: [{ buffer: 0, byteLength: 36 }], accessors: [{ bufferView: 0, componentType: 5126, count: 3, type: "VEC3" }], meshes: [{ primitives: [{ attributes: { POSITION: 0 } }] }] };

test("a mesh is read from a .glb", () => {
  const { corners, triangles } = new Gltf(glb(triangle, [0, 0, 0, 1, 0, 0, 0, 1, 0])).mesh(0);
  assert.deepEqual(corners, [[0, 0, 0], [1, 0, 0], [0, 1, 0]]);
  assert.deepEqual(triangles, [[0, 1, 2]]);
});

for (const [what, change, place] of /** @type {[string, (raw: Uint8Array) => Uint8Array, string][]} */ ([
  ["an old container", (raw) => raw.with(4, 1), "byte 4"],
  ["a file that was cut off", (raw) => raw.subarray(0, raw.length - 4), "byte 8"],
  ["a chunk that is too long", (raw) => raw.with(14, 9), "byte 12"],
]))
  test(`${what} is refused with its place`, () => {
    assert.throws(() => new Gltf(change(glb({}))), (problem) => problem instanceof GltfError && problem.place === place);
  });

test("an accessor beyond its buffer is refused with its place", () => {
  const said = { ...triangle, accessors: [{ ...triangle.accessors[0], count: 4 }] };
  assert.throws(() => new Gltf(glb(said, new Array(9).fill(0))).mesh(0), /\/accessors\/0: the accessor reaches beyond/);
});

test("nodes in a circle are nowhere, and others are found", () => {
  const gltf = new Gltf(glb({ scenes: [{ nodes: [0] }], nodes: [{ translation: [1, 2, 3], children: [1] }, { scale: [2, 2, 2] }, { children: [3] }, { children: [2] }] }));
  assert.deepEqual(gltf.nodes[1].world.slice(12, 15), [1, 2, 3]);
  assert.deepEqual(gltf.nodes.map((node) => node.isShown), [true, true, false, false]);
});
