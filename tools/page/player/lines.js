/** Lines that show shapes, joints and triggers. */
import * as THREE from "three";
import { ConvexGeometry } from "three/examples/jsm/geometries/ConvexGeometry.js";

// Okabe and Ito 2008: colours that people with any kind of sight tell apart.
export const COLOURS = { static: 0x0072b2, kinematic: 0xcc79a7, dynamic: 0x009e73, trigger: 0xd55e00, joint: 0xe69f00 };
const ROUND = 24;

/** The lines of a form in its own axes. @param {any} form */
export function linesOf(form) {
  if (form.type === "mesh") {
    const points = form.corners.map((/** @type {number[]} */ c) => new THREE.Vector3(...c));
    if (form.isConvex && isSolid(form.corners)) return new THREE.EdgesGeometry(new ConvexGeometry(points), 1);
    const geometry = new THREE.BufferGeometry().setFromPoints(points);
    geometry.setIndex(form.triangles.flat());
    return new THREE.WireframeGeometry(geometry);
  }
  if (form.type === "box") return new THREE.EdgesGeometry(new THREE.BoxGeometry(...form.size));
  if (form.type === "plane") {
    const [x, z] = [form.sizeX ?? 20, form.sizeZ ?? 20].map((s) => s / 2), points = [];
    for (let i = 0; i <= 10; i++) {
      const t = i / 5 - 1;
      points.push(-x, 0, t * z, x, 0, t * z, t * x, 0, -z, t * x, 0, z);
    }
    return fromNumbers(points);
  }
  const sphere = form.type === "sphere", h = sphere ? 0 : form.height / 2, low = sphere ? form.radius : form.radiusBottom, high = sphere ? form.radius : form.radiusTop;
  const points = [...circle(low, -h), ...circle(high, h)], isRound = form.type !== "cylinder";
  for (let k = 0; k < 4; k++) {
    const [c, s] = [Math.cos((k * Math.PI) / 2), Math.sin((k * Math.PI) / 2)];
    points.push(low * c, -h, low * s, high * c, h, high * s);
    if (!isRound) continue;
    for (let i = 0; i < ROUND / 4; i++) {
      const [a, b] = [i, i + 1].map((n) => (n * 2 * Math.PI) / ROUND);
      for (const t of [a, b]) points.push(high * Math.cos(t) * c, h + high * Math.sin(t), high * Math.cos(t) * s);
      for (const t of [a, b]) points.push(low * Math.cos(t) * c, -h - low * Math.sin(t), low * Math.cos(t) * s);
    }
  }
  return fromNumbers(points);
}

/** Whether points are not all in one plane. @param {number[][]} corners */
function isSolid(corners) {
  const size = Math.max(...corners.flat().map(Math.abs), 0), [first, ...rest] = corners.map((c) => new THREE.Vector3(...c));
  const away = rest.map((p) => p.sub(first)), along = away.find((v) => v.length() > 1e-6 * size);
  const across = along && away.map((v) => v.clone().cross(along)).find((n) => n.length() > 1e-6 * size * along.length());
  return !!across && away.some((v) => Math.abs(v.dot(across)) > 1e-6 * size * across.length());
}

/** @param {number} radius @param {number} y */
function circle(radius, y) {
  const points = [];
  for (let i = 0; i < ROUND; i++) for (const n of [i, i + 1]) points.push(radius * Math.cos((n * 2 * Math.PI) / ROUND), y, radius * Math.sin((n * 2 * Math.PI) / ROUND));
  return points;
}

/** The axes of a joint's frame. @param {number} size m */
export const crossOf = (size) => fromNumbers([size, 0, 0, -size, 0, 0, 0, size, 0, 0, -size, 0, 0, 0, size, 0, 0, -size]);

/** @param {number[]} numbers */
export function fromNumbers(numbers) {
  return new THREE.BufferGeometry().setAttribute("position", new THREE.Float32BufferAttribute(numbers, 3));
}

/** @param {THREE.BufferGeometry} geometry @param {number} colour @param {number} opacity */
export function drawn(geometry, colour, opacity = 0.9) {
  const lines = new THREE.LineSegments(geometry, new THREE.LineBasicMaterial({ color: colour, transparent: true, opacity, depthTest: false }));
  lines.renderOrder = 2;
  return lines;
}
