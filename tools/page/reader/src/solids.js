/** The solids that shapes are in the space of their body, and what they weigh. */
import { add, cross, dot, determinant, linear, mul, nearestTurn, matrixOf, principal, rotate, size, sub, times, times3, transposed, turned, back } from "./math.js";

/**
 * @typedef {import("./math.js").Vec} Vec
 * @typedef {import("./math.js").Quat} Quat
 * @typedef {import("./math.js").Mat3} Mat3
 * @typedef {import("./records.js").Shape} Shape
 * @typedef {{type: "mesh", isConvex: boolean, corners: Vec[], triangles: number[][]}} MeshForm
 * @typedef {Exclude<Shape, {type: "convex" | "trimesh"}> | MeshForm} Form a shape in the sizes that it has in the world
 * @typedef {{node: number, form: Form, place: Vec, turn: Quat, material: number | null, filter: number | null}} Solid
 *   the form's place and rotation in its body
 * @typedef {{mass: number, center: Vec, tensor: Mat3}} Weight at 1 kg/m³; the tensor is about the center
 */

const EVEN = 1e-4; // Relative difference between scales that count as equal.

/**
 * A shape under a matrix, and its rotation; round shapes on an uneven scale get the even one of the same volume.
 * @param {Shape} shape
 * @param {Mat3} matrix from the shape's axes to those of the body
 * @param {(mesh: number) => import("./gltf.js").Mesh | null} meshOf
 * @returns {{form: Form, turn: Quat} | null} null for what has no size
 */
export function formed(shape, matrix, meshOf) {
  if (shape.type === "convex" || shape.type === "trimesh") {
    const mesh = meshOf(shape.mesh);
    if (!mesh || !mesh.triangles.length) return null;
    const flips = determinant(matrix) < 0;
    const corners = mesh.corners.map((corner) => times(matrix, corner));
    const triangles = flips ? mesh.triangles.map(([a, b, c]) => [c, b, a]) : mesh.triangles;
    return { form: { type: "mesh", isConvex: shape.type === "convex", corners, triangles }, turn: [0, 0, 0, 1] };
  }
  const scale = [0, 3, 6].map((i) => size(matrix.slice(i, i + 3)));
  if (!scale.every((s) => s > 0)) return null;
  let turn = nearestTurn(matrix);
  // What is up in a cone stays up where it is mirrored sideways.
  if (determinant(matrix) < 0) turn = turned(turn, [1, 0, 0, 0]);
  return { form: sized(shape, scale), turn };
}

/** @param {Exclude<Shape, {type: "convex" | "trimesh"}>} shape @param {Vec} scale @returns {Form} */
function sized(shape, [x, y, z]) {
  const alike = (/** @type {number[]} */ ...s) => Math.max(...s) - Math.min(...s) <= EVEN * Math.max(...s);
  if (shape.type === "box") return { type: "box", size: [shape.size[0] * x, shape.size[1] * y, shape.size[2] * z] };
  if (shape.type === "plane") return { type: "plane", sizeX: shape.sizeX && shape.sizeX * x, sizeZ: shape.sizeZ && shape.sizeZ * z };
  const even = Math.cbrt(x * y * z);
  if (shape.type === "sphere") return { type: "sphere", radius: shape.radius * (alike(x, y, z) ? x : even) };
  const exact = shape.type === "cylinder" ? alike(x, z) : alike(x, y, z);
  const [up, across] = exact ? [y, x] : [even, even];
  return { type: shape.type, height: shape.height * up, radiusBottom: shape.radiusBottom * across, radiusTop: shape.radiusTop * across };
}

/**
 * What a form weighs at 1 kg/m³, in its own axes; null where it has no volume.
 * @param {Form} form
 * @param {(corners: Vec[]) => Weight | null} hull weighs the hull of points
 * @returns {Weight | null}
 */
export function weighForm(form, hull) {
  if (form.type === "plane") return null;
  if (form.type === "box") {
    const [x, y, z] = form.size, mass = x * y * z, third = mass / 12;
    return { mass, center: [0, 0, 0], tensor: [third * (y * y + z * z), 0, 0, 0, third * (x * x + z * z), 0, 0, 0, third * (x * x + y * y)] };
  }
  if (form.type === "mesh") return form.isConvex || !isClosed(form) ? hull(form.corners) : weighMesh(form);
  return weighRound(form.type === "sphere" ? { type: "capsule", height: 0, radiusBottom: form.radius, radiusTop: form.radius } : form);
}

/** Whether each edge has two triangles, which go along it in opposite ways. @param {MeshForm} form */
function isClosed(form) {
  const key = (/** @type {Vec} */ v) => v.map((x) => Math.round(x * 1e6)).join();
  /** @type {Map<string, number>} */
  const numbers = new Map(), edges = new Map();
  const names = form.corners.map((v) => {
    const k = key(v);
    if (!numbers.has(k)) numbers.set(k, numbers.size);
    return numbers.get(k);
  });
  for (const t of form.triangles) {
    const [a, b, c] = t.map((i) => names[i]);
    if (a === b || b === c || c === a) continue;
    for (const [p, q] of [[a, b], [b, c], [c, a]]) edges.set(`${p} ${q}`, (edges.get(`${p} ${q}`) ?? 0) + 1);
  }
  for (const [edge, count] of edges) {
    const [p, q] = edge.split(" ");
    if (edges.get(`${q} ${p}`) !== count) return false;
  }
  return edges.size > 0;
}

/** A closed mesh, by the tetrahedra from the origin to its triangles. @param {MeshForm} form @returns {Weight | null} */
export function weighMesh(form) {
  let mass = 0, center = [0, 0, 0];
  const second = new Array(9).fill(0); // The sum of x·xᵀ over the volume.
  for (const t of form.triangles) {
    const [a, b, c] = t.map((i) => form.corners[i]), volume = dot(a, cross(b, c)) / 6, sum = add(add(a, b), c);
    mass += volume;
    center = add(center, mul(sum, volume / 4));
    for (let i = 0; i < 3; i++)
      for (let j = 0; j < 3; j++) second[3 * j + i] += (volume / 20) * (a[i] * a[j] + b[i] * b[j] + c[i] * c[j] + sum[i] * sum[j]);
  }
  if (!(mass > 1e-12)) return null;
  center = mul(center, 1 / mass);
  const trace = second[0] + second[4] + second[8];
  const tensor = second.map((x, i) => (i % 4 ? -x : trace - x));
  return { mass, center, tensor: shifted(tensor, mass, center, -1) };
}

/** A solid of revolution about Y, by Gauss's rule, which is exact here. @param {any} form @returns {Weight | null} */
function weighRound({ type, height, radiusBottom: low, radiusTop: high }) {
  /** @type {[number, number, (y: number) => number][]} from, to, and the square of the radius between */
  const parts = [], h = height / 2;
  const cone = (/** @type {number} */ y0, /** @type {number} */ r0, /** @type {number} */ y1, /** @type {number} */ r1) =>
    parts.push([y0, y1, (y) => (r0 + ((r1 - r0) * (y - y0)) / (y1 - y0)) ** 2]);
  const ball = (/** @type {number} */ y0, /** @type {number} */ y1, /** @type {number} */ c, /** @type {number} */ r) =>
    parts.push([y0, y1, (y) => Math.max(r * r - (y - c) ** 2, 0)]);
  if (type === "cylinder") cone(-h, low, h, high);
  else if (Math.abs(low - high) >= height) {
    const [c, r] = low >= high ? [-h, low] : [h, high];
    ball(c - r, c + r, c, r);
  } else {
    const lean = (low - high) / height, cosine = Math.sqrt(1 - lean * lean);
    ball(-h - low, -h + low * lean, -h, low);
    cone(-h + low * lean, low * cosine, h + high * lean, high * cosine);
    ball(h + high * lean, h + high, h, high);
  }
  let mass = 0, first = 0, second = 0, fourth = 0;
  for (const [from, to, square] of parts) {
    const half = (to - from) / 2, middle = (from + to) / 2;
    for (const [x, w] of [[-Math.sqrt(0.6), 5 / 9], [0, 8 / 9], [Math.sqrt(0.6), 5 / 9]]) {
      const y = middle + half * x, s = square(y), d = Math.PI * s * w * half;
      mass += d;
      first += d * y;
      second += d * y * y;
      fourth += d * s;
    }
  }
  if (!(mass > 0)) return null;
  const y = first / mass, across = fourth / 4 + second - mass * y * y;
  return { mass, center: [0, y, 0], tensor: [across, 0, 0, 0, fourth / 2, 0, 0, 0, across] };
}

/** A tensor about a point that is `away` from the center, or, by a sign of -1, back. @param {Mat3} tensor @param {number} mass @param {Vec} away @param {number} sign */
export function shifted(tensor, mass, away, sign = 1) {
  const square = dot(away, away);
  return tensor.map((x, i) => x + sign * mass * ((i % 4 ? 0 : square) - away[i % 3] * away[Math.floor(i / 3)]));
}

/**
 * What solids weigh together at 1 kg/m³; null where none has a volume.
 * @param {Solid[]} solids
 * @param {(form: Form) => Weight | null} weigh
 * @returns {Weight | null}
 */
export function weighAll(solids, weigh) {
  const parts = [];
  for (const solid of solids) {
    const own = weigh(solid.form);
    if (!own || !(own.mass > 0) || !own.tensor.every(Number.isFinite)) continue;
    const turn = matrixOf(solid.turn), tensor = times3(times3(turn, own.tensor), transposed(turn));
    parts.push({ mass: own.mass, center: add(solid.place, rotate(solid.turn, own.center)), tensor });
  }
  if (!parts.length) return null;
  const mass = parts.reduce((sum, part) => sum + part.mass, 0);
  const center = parts.reduce((sum, part) => add(sum, mul(part.center, part.mass / mass)), [0, 0, 0]);
  const tensor = parts.reduce((sum, part) => shifted(part.tensor, part.mass, sub(part.center, center)).map((x, i) => x + sum[i]), new Array(9).fill(0));
  return { mass, center, tensor };
}

const DENSITY = 1000; // kg/m³, where KHR leaves a mass to the engine.

/**
 * Mass, center, moments and principal axes of a dynamic body. OMI's defaults are 1 kg at the origin of the node; KHR leaves both to the engine.
 * @param {import("./records.js").Motion} motion its center is along the body's axes, without scale
 * @param {Weight | null} whole
 * @param {"OMI" | "KHR"} family
 */
export function weighed(motion, whole, family) {
  const isKhr = family === "KHR";
  const mass = motion.mass ?? (whole && isKhr ? whole.mass * DENSITY : 1);
  const center = motion.centerOfMass ?? (whole && isKhr ? whole.center : [0, 0, 0]);
  if (motion.inertiaDiagonal) return { mass, center, moments: motion.inertiaDiagonal, turn: motion.inertiaOrientation };
  if (!Number.isFinite(mass)) return { mass, center, moments: [Infinity, Infinity, Infinity], turn: [0, 0, 0, 1] };
  if (!whole) return { mass, center, moments: new Array(3).fill(0.1 * mass), turn: [0, 0, 0, 1] }; // A ball of 0.5 m.
  const tensor = whole.tensor.map((x) => (x * mass) / whole.mass);
  return { mass, center, ...principal(shifted(tensor, mass, sub(whole.center, center))) };
}

/** A matrix of the world in the axes of a pose. @param {import("./math.js").Pose} pose @param {import("./math.js").Mat4} matrix */
export function within(pose, matrix) {
  const turn = matrixOf(back(pose.turn));
  return { linear: times3(turn, linear(matrix)), place: rotate(back(pose.turn), sub(matrix.slice(12, 15), pose.place)) };
}
