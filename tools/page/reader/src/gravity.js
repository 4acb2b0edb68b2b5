/**
 * The accelerations that gravity volumes give. A volume acts on bodies that overlap its trigger, with
 * what its field has at their centers of mass; the scale of its node scales its distances.
 * Source: OMI_physics_gravity.
 */
import { add, clamp, dot, cross, into, mul, rotate, size, sub, unit } from "./math.js";

/**
 * @typedef {import("./math.js").Vec} Vec
 * @typedef {import("./setup.js").Volume} Volume
 * @typedef {import("./math.js").Pose} Pose
 */

const PHASE = 0.5; // rad, by which a body near the middle of a field may go on in a step.

/**
 * The gravity at a point.
 * @param {{volume: Volume, pose: Pose}[]} inside volumes that act there, and where they are
 * @param {Vec} point
 * @param {Vec} world gravity of the world
 * @param {number} step s
 * @returns {Vec} m/s²
 */
export function gravityAt(inside, point, world, step) {
  let total = [0, 0, 0];
  const priorities = [...new Set(inside.map(({ volume }) => volume.gravity?.priority))].sort((a, b) => b - a);
  for (const priority of priorities) {
    const level = inside.filter(({ volume }) => volume.gravity?.priority === priority);
    if (level.some(({ volume }) => volume.gravity?.replace)) total = [0, 0, 0];
    for (const { volume, pose } of level) total = add(total, pull(volume, pose, point, step));
    if (level.some(({ volume }) => volume.gravity?.stop)) return total;
  }
  return add(total, world);
}

/** @param {Volume} volume @param {Pose} pose @param {Vec} point @param {number} step @returns {Vec} */
function pull(volume, pose, point, step) {
  const field = /** @type {import("./records.js").Part} */ (volume.gravity);
  const scale = Math.cbrt(volume.scale[0] * volume.scale[1] * volume.scale[2]);
  if (!(scale > 0)) return [0, 0, 0];
  if (field.type === "directional") return rotate(pose.turn, mul(unit(field.direction, [0, -1, 0]), field.gravity));
  const local = mul(into(pose, point), 1 / scale), target = nearest(field, local);
  if (!target) return [0, 0, 0];
  const way = sub(target, local), distance = size(way);
  if (distance === 0) return [0, 0, 0];
  const reach = (Math.abs(field.gravity) * (step / PHASE) ** 2) / scale, unitDistance = field.unitDistance;
  // Nearer than a step can follow a body, it falls to nothing, as inside an even ball.
  const held = Math.max(distance, unitDistance > 0 ? Math.cbrt(reach * unitDistance ** 2) : reach);
  const strength = unitDistance > 0 ? field.gravity * (unitDistance / held) ** 2 : field.gravity;
  return rotate(pose.turn, mul(way, strength / held));
}

/** The nearest place that attracts; null for none. @param {import("./records.js").Part} field @param {Vec} p @returns {Vec | null} */
function nearest(field, p) {
  if (field.type === "point") return [0, 0, 0];
  const across = Math.hypot(p[0], p[2]), out = across > 0 ? [p[0] / across, 0, p[2] / across] : [1, 0, 0];
  if (field.type === "disc") return mul(out, Math.min(across, field.radius));
  if (field.type === "torus") return mul(out, field.radius);
  if (field.type === "line") {
    const corners = [];
    for (let i = 0; i + 2 < field.points.length; i += 3) corners.push(field.points.slice(i, i + 3));
    return corners.length < 2 ? null : closest(p, corners.slice(1).map((end, i) => onSegment(p, corners[i], end)));
  }
  return field.form ? onSurface(field.form, p, across, out) : null;
}

/** @param {Vec} p @param {Vec[]} found */
function closest(p, found) {
  return found.reduce((best, one) => (size(sub(one, p)) < size(sub(best, p)) ? one : best));
}

/** @param {Vec} p @param {Vec} a @param {Vec} b */
function onSegment(p, a, b) {
  const way = sub(b, a), square = dot(way, way);
  return add(a, mul(way, square > 0 ? clamp(dot(sub(p, a), way) / square, 0, 1) : 0));
}

/** The nearest point on the surface of a form. @param {import("./solids.js").Form} form @param {Vec} p @param {number} across @param {Vec} out @returns {Vec} */
function onSurface(form, p, across, out) {
  if (form.type === "sphere") return mul(unit(p, [0, 1, 0]), form.radius);
  if (form.type === "box") {
    const half = form.size.map((x) => x / 2), found = p.map((x, i) => clamp(x, -half[i], half[i]));
    const depth = p.map((x, i) => half[i] - Math.abs(x));
    if (depth.every((d) => d > 0)) {
      const axis = depth.indexOf(Math.min(...depth));
      found[axis] = Math.sign(p[axis] || 1) * half[axis];
    }
    return found;
  }
  if (form.type === "plane") return [clamp(p[0], -(form.sizeX ?? Infinity) / 2, (form.sizeX ?? Infinity) / 2), 0, clamp(p[2], -(form.sizeZ ?? Infinity) / 2, (form.sizeZ ?? Infinity) / 2)];
  if (form.type === "mesh") return closest(p, form.triangles.map((t) => onTriangle(p, form.corners[t[0]], form.corners[t[1]], form.corners[t[2]])));
  // Round about Y: the nearest point of an outline in the plane of height and distance.
  const flat = [across, p[1], 0], h = form.height / 2, { radiusBottom: low, radiusTop: high } = form, found = [];
  if (form.type === "cylinder") found.push(onSegment(flat, [0, -h, 0], [low, -h, 0]), onSegment(flat, [low, -h, 0], [high, h, 0]), onSegment(flat, [high, h, 0], [0, h, 0]));
  else if (Math.abs(low - high) >= form.height) {
    const [c, r] = low >= high ? [-h, low] : [h, high];
    found.push(add([0, c, 0], mul(unit(sub(flat, [0, c, 0]), [1, 0, 0]), r)));
  } else {
    const lean = Math.asin((low - high) / form.height), side = [Math.cos(lean), Math.sin(lean), 0];
    found.push(onSegment(flat, add([0, -h, 0], mul(side, low)), add([0, h, 0], mul(side, high))));
    for (const [c, r, sign] of [[-h, low, -1], [h, high, 1]]) {
      const angle = Math.atan2(flat[1] - c, flat[0]), kept = sign > 0 ? Math.max(angle, lean) : Math.min(angle, lean);
      found.push([Math.cos(kept) * r, c + Math.sin(kept) * r, 0]);
    }
  }
  const best = closest(flat, found);
  return [out[0] * best[0], best[1], out[2] * best[0]];
}

/** @param {Vec} p @param {Vec} a @param {Vec} b @param {Vec} c */
function onTriangle(p, a, b, c) {
  const ab = sub(b, a), ac = sub(c, a), to = sub(p, a), normal = cross(ab, ac), area = dot(normal, normal);
  const v = dot(cross(to, ac), normal) / area, w = dot(cross(ab, to), normal) / area;
  if (area > 0 && v >= 0 && w >= 0 && v + w <= 1) return add(a, add(mul(ab, v), mul(ac, w)));
  return closest(p, [onSegment(p, a, b), onSegment(p, b, c), onSegment(p, c, a)]);
}
