/** Containers, buffers, meshes and nodes of glTF files. */
import { composed, product } from "./math.js";

/**
 * @typedef {import("./math.js").Mat4} Mat4
 * @typedef {{corners: number[][], triangles: number[][]}} Mesh corners in m, triangles by numbers of corners
 * @typedef {object} Node
 * @property {string} name
 * @property {number} parent index of the node above, -1 for none
 * @property {number[]} children
 * @property {number} mesh -1 for none
 * @property {number[]} translation
 * @property {number[]} rotation
 * @property {number[]} scale
 * @property {Mat4 | null} own given as a matrix in the file
 * @property {Mat4} world from its own space to the world's, at the start
 * @property {boolean} isShown whether it is in the scene
 */

/** A file that cannot be read; `place` is where, as a JSON pointer or a number of bytes. */
export class GltfError extends Error {
  /** @param {string} text @param {string} place */
  constructor(text, place = "") {
    super(place ? `${place}: ${text}` : text);
    this.place = place;
  }
}

const MAGIC = 0x46546c67, TEXT = 0x4e4f534a, BINARY = 0x004e4942;
const SIZES = { SCALAR: 1, VEC2: 2, VEC3: 3, VEC4: 4, MAT2: 4, MAT3: 9, MAT4: 16 };
/** @type {Record<number, [number, (view: DataView, at: number) => number, number]>} bytes, reader, largest value */
const COMPONENTS = {
  5120: [1, (v, i) => v.getInt8(i), 127],
  5121: [1, (v, i) => v.getUint8(i), 255],
  5122: [2, (v, i) => v.getInt16(i, true), 32767],
  5123: [2, (v, i) => v.getUint16(i, true), 65535],
  5125: [4, (v, i) => v.getUint32(i, true), 4294967295],
  5126: [4, (v, i) => v.getFloat32(i, true), 1],
};
const MODES = new Set([4, 5, 6]); // Triangles, strips and fans.

/** A file that was taken apart: its JSON, and what reads its meshes and accessors. */
export class Gltf {
  /**
   * @param {Uint8Array | ArrayBuffer | string} input a .glb, or the text or bytes of a .gltf
   * @param {{resource?: (uri: string) => Uint8Array}} [options] `resource` gives files beside the .gltf
   * @throws {GltfError} it is no glTF, or damaged
   */
  constructor(input, options = {}) {
    const bytes = typeof input === "string" ? new TextEncoder().encode(input) : new Uint8Array(input);
    this._resource = options.resource;
    /** @type {Uint8Array | null} */
    this._binary = null;
    let text = bytes;
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    if (bytes.length >= 12 && view.getUint32(0, true) === MAGIC) text = this._chunks(bytes, view);
    let words;
    try {
      words = new TextDecoder("utf-8", { fatal: true }).decode(text);
    } catch {
      throw new GltfError("the text of the file is not UTF-8");
    }
    try {
      this.json = JSON.parse(words);
    } catch (problem) {
      throw new GltfError(`the file is neither a .glb nor JSON: ${/** @type {Error} */ (problem).message}`);
    }
    if (!this.json || typeof this.json !== "object" || Array.isArray(this.json)) throw new GltfError("the JSON is no object");
    const version = this.json.asset?.version;
    if (!/^2\./.test(version ?? "")) throw new GltfError(`the version of glTF is ${JSON.stringify(version ?? null)}, and 2.0 is read`, "/asset/version");
    /** @type {(Uint8Array | undefined)[]} */
    this._buffers = [];
    this.nodes = this._readNodes();
  }

  /** @param {Uint8Array} bytes @param {DataView} view */
  _chunks(bytes, view) {
    if (view.getUint32(4, true) !== 2) throw new GltfError(`the version of the .glb is ${view.getUint32(4, true)}, and 2 is read`, "byte 4");
    const end = view.getUint32(8, true);
    if (end > bytes.length) throw new GltfError(`the file ends after ${bytes.length} of ${end} bytes`, "byte 8");
    let at = 12, text = null;
    while (at + 8 <= end) {
      const length = view.getUint32(at, true), kind = view.getUint32(at + 4, true);
      if (at + 8 + length > end) throw new GltfError(`a chunk of ${length} bytes reaches beyond the file`, `byte ${at}`);
      const chunk = bytes.subarray(at + 8, at + 8 + length);
      if (kind === TEXT && !text) text = chunk;
      else if (kind === BINARY && !this._binary) this._binary = chunk;
      at += 8 + length + ((4 - (length % 4)) % 4);
    }
    if (!text) throw new GltfError("the .glb has no JSON", "byte 12");
    return text;
  }

  /** A list of the file; empty where there is none. @param {string} name @returns {any[]} */
  list(name) {
    const found = this.json[name];
    return Array.isArray(found) ? found : [];
  }

  /** @param {number} at @returns {Uint8Array} */
  buffer(at) {
    const known = this._buffers[at];
    if (known) return known;
    const said = this.list("buffers")[at], place = `/buffers/${at}`;
    if (!said) throw new GltfError("there is no such buffer", place);
    let found;
    if (said.uri === undefined) found = at === 0 ? this._binary : null;
    else if (/^data:/.test(said.uri)) found = ofDataUri(said.uri, place);
    else found = this._resource?.(said.uri);
    if (!found) throw new GltfError(said.uri === undefined ? "the buffer has no bytes" : `the file ${said.uri} is missing`, place);
    if (found.length < said.byteLength) throw new GltfError(`the buffer has ${found.length} of ${said.byteLength} bytes`, place);
    return (this._buffers[at] = found);
  }

  /** The rows of an accessor. @param {number} at @returns {number[][]} */
  accessor(at) {
    const said = this.list("accessors")[at], place = `/accessors/${at}`;
    if (!said) throw new GltfError("there is no such accessor", place);
    const width = SIZES[/** @type {keyof SIZES} */ (said.type)], component = COMPONENTS[said.componentType];
    if (!width || !component) throw new GltfError("the type of the accessor is unknown", place);
    const count = said.count;
    if (!Number.isInteger(count) || count < 0 || count > 1e8) throw new GltfError("the count is no number of rows", `${place}/count`);
    const rows = said.bufferView === undefined
      ? Array.from({ length: count }, () => new Array(width).fill(0))
      : this._rows(said.bufferView, said.byteOffset ?? 0, count, width, component, said.normalized, place);
    if (said.sparse) {
      const { count: some, indices, values } = said.sparse, kind = COMPONENTS[indices.componentType];
      if (!kind) throw new GltfError("the type of the indices is unknown", `${place}/sparse/indices`);
      const where = this._rows(indices.bufferView, indices.byteOffset ?? 0, some, 1, kind, false, `${place}/sparse/indices`);
      const what = this._rows(values.bufferView, values.byteOffset ?? 0, some, width, component, said.normalized, `${place}/sparse/values`);
      where.forEach(([row], i) => {
        if (row < count) rows[row] = what[i];
      });
    }
    return rows;
  }

  /**
   * @param {number} viewAt @param {number} offset @param {number} count @param {number} width
   * @param {[number, (view: DataView, at: number) => number, number]} component
   * @param {boolean} normalized @param {string} place
   */
  _rows(viewAt, offset, count, width, [bytes, read, largest], normalized, place) {
    const said = this.list("bufferViews")[viewAt];
    if (!said) throw new GltfError(`buffer view ${viewAt} is missing`, place);
    const raw = this.buffer(said.buffer), start = (said.byteOffset ?? 0) + offset, step = said.byteStride ?? bytes * width;
    if (count && start + step * (count - 1) + bytes * width > Math.min(raw.length, (said.byteOffset ?? 0) + said.byteLength))
      throw new GltfError("the accessor reaches beyond its buffer view", place);
    const view = new DataView(raw.buffer, raw.byteOffset, raw.byteLength), rows = [];
    for (let i = 0; i < count; i++) {
      const row = [];
      for (let k = 0; k < width; k++) {
        const value = read(view, start + i * step + k * bytes);
        row.push(normalized && largest > 1 ? Math.max(value / largest, -1) : value);
      }
      rows.push(row);
    }
    return rows;
  }

  /**
   * The corners and triangles of a mesh.
   * @param {number} at
   * @returns {Mesh}
   * @throws {GltfError} it cannot be read
   */
  mesh(at) {
    const said = this.list("meshes")[at], place = `/meshes/${at}`;
    if (!said) throw new GltfError("there is no such mesh", place);
    /** @type {Mesh} */
    const found = { corners: [], triangles: [] };
    (said.primitives ?? []).forEach((/** @type {any} */ one, /** @type {number} */ k) => {
      const mode = one.mode ?? 4;
      if (!MODES.has(mode) || one.attributes?.POSITION === undefined) return;
      const coded = Object.keys(one.extensions ?? {}).find((name) => /compression|draco/i.test(name));
      if (coded) throw new GltfError(`the mesh is compressed by ${coded}, which is not read here`, `${place}/primitives/${k}`);
      const corners = this.accessor(one.attributes.POSITION), first = found.corners.length;
      const order = one.indices === undefined ? corners.map((_, i) => i) : this.accessor(one.indices).map(([i]) => i);
      if (order.some((i) => !(i < corners.length))) throw new GltfError("an index is beyond the corners", `${place}/primitives/${k}/indices`);
      for (const corner of corners) found.corners.push(corner);
      for (const three of inThrees(order, mode)) found.triangles.push(three.map((i) => first + i));
    });
    return found;
  }

  _readNodes() {
    const said = this.list("nodes");
    /** @type {Node[]} */
    const nodes = said.map((one, i) => ({
      name: typeof one?.name === "string" && one.name ? one.name : `node ${i}`,
      parent: -1,
      children: (Array.isArray(one?.children) ? one.children : []).filter((/** @type {any} */ c) => Number.isInteger(c) && said[c]),
      mesh: one?.mesh ?? -1,
      translation: one?.translation ?? [0, 0, 0],
      rotation: one?.rotation ?? [0, 0, 0, 1],
      scale: one?.scale ?? [1, 1, 1],
      own: Array.isArray(one?.matrix) && one.matrix.length === 16 ? one.matrix : null,
      world: [],
      isShown: false,
    }));
    nodes.forEach((node, i) => node.children.forEach((c) => (nodes[c].parent = nodes[c].parent < 0 ? i : nodes[c].parent)));
    const scene = this.list("scenes")[this.json.scene ?? 0];
    const roots = scene ? scene.nodes ?? [] : nodes.map((_, i) => i).filter((i) => nodes[i].parent < 0);
    const waiting = roots.filter((/** @type {number} */ i) => nodes[i]);
    while (waiting.length) {
      const node = nodes[waiting.pop()];
      if (node.isShown) continue;
      node.isShown = true;
      waiting.push(...node.children);
    }
    place(nodes);
    return nodes;
  }
}

/** Set where all nodes are in the world. @param {Node[]} nodes */
export function place(nodes) {
  const done = new Set(), stack = nodes.map((_, i) => i).filter((i) => nodes[i].parent < 0);
  while (stack.length) {
    const at = /** @type {number} */ (stack.pop()), node = nodes[at];
    if (done.has(at)) continue;
    done.add(at);
    const own = node.own ?? composed(node.translation, node.rotation, node.scale);
    node.world = node.parent < 0 ? own : product(nodes[node.parent].world, own);
    stack.push(...node.children.filter((c) => nodes[c].parent === at));
  }
  // What hangs in a circle is nowhere.
  nodes.forEach((node, i) => {
    if (!done.has(i)) [node.world, node.isShown] = [composed([0, 0, 0], [0, 0, 0, 1], [1, 1, 1]), false];
  });
}

/** @param {number[]} order @param {number} mode */
function inThrees(order, mode) {
  const found = [];
  if (mode === 4) for (let i = 0; i + 2 < order.length; i += 3) found.push(order.slice(i, i + 3));
  else
    for (let i = 0; i + 2 < order.length; i++) {
      if (mode === 6) found.push([order[0], order[i + 1], order[i + 2]]);
      else found.push(i % 2 ? [order[i + 1], order[i], order[i + 2]] : order.slice(i, i + 3));
    }
  return found;
}

/** @param {string} uri @param {string} place */
function ofDataUri(uri, place) {
  const cut = uri.indexOf(",");
  if (cut < 0) throw new GltfError("the data has no comma", place);
  const body = uri.slice(cut + 1);
  if (!/;base64$/i.test(uri.slice(0, cut))) return new TextEncoder().encode(decodeURIComponent(body));
  try {
    return ofBase64(body);
  } catch {
    throw new GltfError("the data is no base64", place);
  }
}

/** The bytes that base64 stands for. @param {string} text */
export function ofBase64(text) {
  const raw = atob(text), found = new Uint8Array(raw.length);
  for (let i = 0; i < raw.length; i++) found[i] = raw.charCodeAt(i);
  return found;
}
