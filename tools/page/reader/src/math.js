/**
 * Vectors [x, y, z], quaternions [x, y, z, w], and matrices as glTF has them: 3 columns of 3
 * numbers (linear) or 16 numbers column by column.
 *
 * @typedef {number[]} Vec three numbers
 * @typedef {number[]} Quat four numbers
 * @typedef {number[]} Mat3 nine numbers, column by column
 * @typedef {number[]} Mat4 sixteen numbers, column by column
 * @typedef {{place: Vec, turn: Quat}} Pose a place and a rotation, without scale
 */

export const add = (/** @type {Vec} */ a, /** @type {Vec} */ b) => [a[0] + b[0], a[1] + b[1], a[2] + b[2]];
export const sub = (/** @type {Vec} */ a, /** @type {Vec} */ b) => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
export const mul = (/** @type {Vec} */ a, /** @type {number} */ s) => [a[0] * s, a[1] * s, a[2] * s];
/** a + b·s */
export const along = (/** @type {Vec} */ a, /** @type {Vec} */ b, /** @type {number} */ s) => [a[0] + b[0] * s, a[1] + b[1] * s, a[2] + b[2] * s];
export const dot = (/** @type {Vec} */ a, /** @type {Vec} */ b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
export const cross = (/** @type {Vec} */ a, /** @type {Vec} */ b) => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
export const size = (/** @type {Vec} */ a) => Math.sqrt(dot(a, a));
export const clamp = (/** @type {number} */ x, /** @type {number} */ low, /** @type {number} */ high) => Math.min(Math.max(x, low), high);

/** The direction with length 1; `spare` where it has none. @param {Vec} a @param {Vec} spare */
export function unit(a, spare = [0, 0, 0]) {
  const length = size(a);
  return length > 1e-12 ? mul(a, 1 / length) : spare;
}

/** The rotation by b, then by a. @param {Quat} a @param {Quat} b @returns {Quat} */
export function turned(a, b) {
  return [
    a[3] * b[0] + a[0] * b[3] + a[1] * b[2] - a[2] * b[1],
    a[3] * b[1] - a[0] * b[2] + a[1] * b[3] + a[2] * b[0],
    a[3] * b[2] + a[0] * b[1] - a[1] * b[0] + a[2] * b[3],
    a[3] * b[3] - a[0] * b[0] - a[1] * b[1] - a[2] * b[2],
  ];
}

export const back = (/** @type {Quat} */ q) => [-q[0], -q[1], -q[2], q[3]];

/** A vector turned by a quaternion. @param {Quat} q @param {Vec} v @returns {Vec} */
export function rotate(q, v) {
  const t = mul(cross(q, v), 2);
  return add(add(v, mul(t, q[3])), cross(q, t));
}

/** The quaternion with length 1; none where it has no length. @param {Quat} q @returns {Quat} */
export function unitQuat(q) {
  const length = Math.hypot(...q);
  return length > 1e-12 ? q.map((x) => x / length) : [0, 0, 0, 1];
}

/** A quaternion about an axis of length 1. @param {Vec} axis @param {number} angle @returns {Quat} */
export const about = (axis, angle) => [...mul(axis, Math.sin(angle / 2)), Math.cos(angle / 2)];

/** A point of a pose in the space around it. @param {Pose} pose @param {Vec} point */
export const outOf = (pose, point) => add(pose.place, rotate(pose.turn, point));
/** A point of the space around a pose in the pose. @param {Pose} pose @param {Vec} point */
export const into = (pose, point) => rotate(back(pose.turn), sub(point, pose.place));
/** A pose in another one, in the space around that. @param {Pose} a @param {Pose} b @returns {Pose} */
export const placed = (a, b) => ({ place: outOf(a, b.place), turn: turned(a.turn, b.turn) });

/** The product a·b. @param {Mat4} a @param {Mat4} b @returns {Mat4} */
export function product(a, b) {
  const out = new Array(16).fill(0);
  for (let c = 0; c < 4; c++)
    for (let r = 0; r < 4; r++) for (let k = 0; k < 4; k++) out[4 * c + r] += a[4 * k + r] * b[4 * c + k];
  return out;
}

/** From translation, rotation and scale. @param {Vec} t @param {Quat} q @param {Vec} s @returns {Mat4} */
export function composed(t, q, s) {
  const x = mul(rotate(q, [1, 0, 0]), s[0]), y = mul(rotate(q, [0, 1, 0]), s[1]), z = mul(rotate(q, [0, 0, 1]), s[2]);
  return [...x, 0, ...y, 0, ...z, 0, ...t, 1];
}

export const linear = (/** @type {Mat4} */ m) => [m[0], m[1], m[2], m[4], m[5], m[6], m[8], m[9], m[10]];
/** A matrix times a vector. @param {Mat3} m @param {Vec} v */
export const times = (m, v) => add(add(mul(m.slice(0, 3), v[0]), mul(m.slice(3, 6), v[1])), mul(m.slice(6, 9), v[2]));
/** The product a·b of 3×3 matrices. @param {Mat3} a @param {Mat3} b @returns {Mat3} */
export const times3 = (a, b) => [...times(a, b.slice(0, 3)), ...times(a, b.slice(3, 6)), ...times(a, b.slice(6, 9))];
export const transposed = (/** @type {Mat3} */ m) => [m[0], m[3], m[6], m[1], m[4], m[7], m[2], m[5], m[8]];
export const determinant = (/** @type {Mat3} */ m) => dot(m.slice(0, 3), cross(m.slice(3, 6), m.slice(6, 9)));
/** The matrix of a rotation. @param {Quat} q @returns {Mat3} */
export const matrixOf = (q) => [...rotate(q, [1, 0, 0]), ...rotate(q, [0, 1, 0]), ...rotate(q, [0, 0, 1])];

/** The inverse; null where there is none. @param {Mat3} m @returns {Mat3 | null} */
export function inverted(m) {
  const d = determinant(m);
  if (!(Math.abs(d) > 1e-300)) return null;
  const x = m.slice(0, 3), y = m.slice(3, 6), z = m.slice(6, 9);
  return transposed([...mul(cross(y, z), 1 / d), ...mul(cross(z, x), 1 / d), ...mul(cross(x, y), 1 / d)]);
}

/** The rotation nearest to a matrix that may scale, shear and mirror. @param {Mat3} m @returns {Quat} */
export function nearestTurn(m) {
  let at = determinant(m) < 0 ? m.map((x) => -x) : m.slice();
  const most = Math.max(...at.map(Math.abs));
  if (!(most > 0)) return [0, 0, 0, 1];
  at = at.map((x) => x / most);
  // Newton's steps to the orthogonal factor of the polar decomposition.
  for (let i = 0; i < 60; i++) {
    const other = inverted(transposed(at));
    if (!other) return flatTurn(at);
    const next = at.map((x, k) => (x + other[k]) / 2);
    const change = Math.max(...next.map((x, k) => Math.abs(x - at[k])));
    at = next;
    if (change < 1e-14) break;
  }
  return quatOf(at);
}

/** The rotation of a matrix without a volume, from the axes that it has. @param {Mat3} m @returns {Quat} */
function flatTurn(m) {
  const [x, y, z] = [m.slice(0, 3), m.slice(3, 6), m.slice(6, 9)];
  const lengths = [size(x), size(y), size(z)];
  const gone = lengths.indexOf(Math.min(...lengths));
  const rest = [x, y, z].map((v) => unit(v));
  rest[gone] = unit(cross(rest[(gone + 1) % 3], rest[(gone + 2) % 3]), [0, 0, 0].with(gone, 1));
  rest[(gone + 2) % 3] = unit(cross(rest[gone], rest[(gone + 1) % 3]), [0, 0, 0].with((gone + 2) % 3, 1));
  return quatOf(rest.flat());
}

/** The quaternion of a rotation. @param {Mat3} m @returns {Quat} */
export function quatOf(m) {
  const trace = m[0] + m[4] + m[8];
  if (trace > 0) {
    const s = 2 * Math.sqrt(trace + 1);
    return unitQuat([(m[5] - m[7]) / s, (m[6] - m[2]) / s, (m[1] - m[3]) / s, s / 4]);
  }
  const i = m[0] >= m[4] && m[0] >= m[8] ? 0 : m[4] >= m[8] ? 1 : 2;
  const j = (i + 1) % 3, k = (i + 2) % 3, at = (/** @type {number} */ r, /** @type {number} */ c) => m[3 * c + r];
  const s = 2 * Math.sqrt(Math.max(1 + at(i, i) - at(j, j) - at(k, k), 1e-30));
  const q = [0, 0, 0, (at(k, j) - at(j, k)) / s];
  q[i] = s / 4;
  q[j] = (at(j, i) + at(i, j)) / s;
  q[k] = (at(k, i) + at(i, k)) / s;
  return unitQuat(q);
}

/**
 * The principal moments and axes of a symmetric tensor, by Jacobi's rotations.
 * @param {Mat3} tensor
 * @returns {{moments: Vec, turn: Quat}}
 */
export function principal(tensor) {
  const a = tensor.slice();
  let v = [1, 0, 0, 0, 1, 0, 0, 0, 1];
  for (let sweep = 0; sweep < 50; sweep++) {
    const off = Math.abs(a[1]) + Math.abs(a[2]) + Math.abs(a[5]);
    if (off <= 1e-15 * (Math.abs(a[0]) + Math.abs(a[4]) + Math.abs(a[8]))) break;
    for (const [p, q] of [[0, 1], [0, 2], [1, 2]]) {
      const apq = a[3 * q + p];
      if (apq === 0) continue;
      const theta = (a[4 * q] - a[4 * p]) / (2 * apq);
      const t = Math.sign(theta || 1) / (Math.abs(theta) + Math.sqrt(theta * theta + 1));
      const c = 1 / Math.sqrt(t * t + 1), s = t * c;
      const r = [1, 0, 0, 0, 1, 0, 0, 0, 1];
      r[4 * p] = r[4 * q] = c;
      r[3 * q + p] = s;
      r[3 * p + q] = -s;
      const next = times3(times3(transposed(r), a), r);
      for (let i = 0; i < 9; i++) a[i] = next[i];
      v = times3(v, r);
    }
  }
  if (determinant(v) < 0) v = v.map((x, i) => (i > 5 ? -x : x));
  return { moments: [a[0], a[4], a[8]], turn: quatOf(v) };
}
