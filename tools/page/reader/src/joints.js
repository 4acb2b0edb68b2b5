/**
 * Joints in Jolt. Each hard range, soft range and drive is what the specifications say:
 *
 *     force = stiffness · (target - x) + damping · (target speed - x')     (a drive)
 *     force = -stiffness · (how far x is beyond its range) - damping · x'  (a soft limit)
 *
 * with x the place, or the twist, of the connected frame against the joint's, along the joint's axes.
 * Jolt takes springs by implicit Euler steps, which damp what swings by stiffness · step; that is taken
 * off their damping, as far as steps can follow the swing.
 *
 * A range over several axes holds on each of them in OMI; in KHR it is one of a distance, a cone or
 * the whole angle. Source: OMI_physics_joint; KHR_physics_rigid_bodies, appendix on joint metrics.
 */
import { about, add, back, clamp, cross, dot, mul, rotate, size, sub, turned, unit } from "./math.js";

/**
 * @typedef {import("./math.js").Vec} Vec
 * @typedef {import("./math.js").Quat} Quat
 * @typedef {import("./setup.js").JointFrames} JointFrames
 * @typedef {import("./records.js").Limit} Limit
 * @typedef {import("./records.js").Drive} Drive
 * @typedef {"offset" | "twist" | "distance" | "cone" | "angle"} Measure
 * @typedef {{measure: Measure, axes: number[]}} Row
 * @typedef {{value: number, force: Vec, torque: Vec}} Measured force and torque on the second body for a row's force of 1
 */

// From the axes of a constraint to those of a joint: X becomes X, Y or Z.
const TURNS = [[0, 0, 0, 1], [0.5, 0.5, 0.5, 0.5], [-0.5, -0.5, -0.5, 0.5]];
const MOST_ERROR = 1.9; // Of the two that Jolt can measure of an angle.
const FOLLOWED = 0.5; // rad, of a swing in a step that is followed exactly.
const DAMPER = 1e-3; // Share by which the spring that carries a damper changes it.
const PASSED = 1e-6; // m or rad, beyond which a range is passed.

/** All joints of a world. */
export class Joints {
  /**
   * @param {import("./world.js").World} world
   * @param {JointFrames[]} joints
   */
  constructor(world, joints) {
    this.world = world;
    /** @type {Set<number>} nodes of joints that impulses hold */
    this.pushed = new Set();
    /** @type {{update: (dt: number) => void}[]} */
    this.active = [];
    /** @type {[any, any, any][]} constraints and their bodies, to be let go at the end */
    this.made = [];
    for (const joint of joints) this._make(joint);
  }

  /** Take the state of the bodies for the next step. @param {number} dt s */
  update(dt) {
    for (const one of this.active) one.update(dt);
  }

  /** @param {JointFrames} joint */
  _make(joint) {
    const { world } = this;
    if (!world.isMovable(joint.first.body) && !world.isMovable(joint.second.body)) return;
    const perAxis = world.physics.family === "OMI";
    /** @type {[number, number][]} */
    const linear = [0, 1, 2].map(() => [-Infinity, Infinity]), /** @type {[number, number][]} */ angular = linear.map(() => [-Infinity, Infinity]);
    /** @type {[Limit, Row][]} */
    const others = [];
    for (const limit of joint.limits)
      for (const row of rowsOf(limit, perAxis)) {
        const single = row.measure === "offset" || row.measure === "twist";
        if (!single || Number.isFinite(limit.stiffness)) {
          others.push([limit, row]);
          continue;
        }
        const range = (row.measure === "offset" ? linear : angular)[row.axes[0]];
        [range[0], range[1]] = [Math.max(range[0], limit.min), Math.min(range[1], limit.max)];
      }
    const locked = [...linear, ...angular].map(([low, high]) => low >= high);
    this._hard(joint, linear, angular);
    for (const [limit, row] of others) this._other(joint, limit, row, locked);
    for (const drive of joint.drives) this._drive(joint, drive, locked);
  }

  /** The ranges that Jolt's own constraint holds. @param {JointFrames} joint @param {[number, number][]} linear @param {[number, number][]} angular */
  _hard(joint, linear, angular) {
    if (![...linear, ...angular].some(([low, high]) => low > -Infinity || high < Infinity)) return;
    const turning = [0, 1, 2].filter((i) => angular[i][0] < angular[i][1]), held = [0, 1, 2].filter((i) => !turning.includes(i));
    // Twists are exact about X, so the axis that turns alone, or that alone does not, comes there.
    const first = turning.length === 1 ? turning[0] : turning.length === 2 ? held[0] : 0;
    const place = [0, 0, 0], turn = [0, 0, 0];
    for (let i = 0; i < 3; i++) {
      if (linear[i][0] >= linear[i][1]) place[i] = linear[i][0];
      if (angular[i][0] >= angular[i][1]) turn[i] = angular[i][0];
    }
    const angle = size(turn), shift = { place, turn: angle > 0 ? about(mul(turn, 1 / angle), angle) : [0, 0, 0, 1] };
    const settings = this._settings(joint, first, shift);
    const { Jolt } = this.world;
    for (let i = 0; i < 3; i++) {
      const axis = (i + first) % 3;
      limitTo(Jolt, settings, i, linear[axis], Infinity);
      limitTo(Jolt, settings, 3 + i, angular[axis], Math.PI);
    }
    settings.mSwingType = Jolt.ESwingType_Pyramid;
    this._add(settings, joint);
  }

  /** Limits that are soft, or of a distance, a cone or an angle. @param {JointFrames} joint @param {Limit} limit @param {Row} row @param {boolean[]} locked */
  _other(joint, limit, row, locked) {
    const { Jolt } = this.world, isSoft = Number.isFinite(limit.stiffness);
    const inverse = this._inverseMass(joint, row, locked);
    if (row.measure === "offset") {
      const settings = this._settings(joint, row.axes[0]), gap = limit.min >= limit.max ? 1e-6 : 0;
      for (let i = 1; i < 6; i++) settings.MakeFreeAxis(i);
      limitTo(Jolt, settings, 0, [limit.min - gap, limit.max + gap], Infinity);
      settings.set_mLimitsSpringSettings(0, this._spring(settings.get_mLimitsSpringSettings(0), limit.stiffness, limit.damping, inverse));
      this._add(settings, joint);
      return;
    }
    if (row.measure === "distance" && row.axes.length === 3 && limit.max < Infinity) {
      const settings = new Jolt.DistanceConstraintSettings();
      settings.mSpace = Jolt.EConstraintSpace_LocalToBodyCOM;
      const [a, b] = [joint.first, joint.second].map((end) => sub(end.place, this.world.centerOf(end.body)));
      settings.mPoint1.Set(...a);
      settings.mPoint2.Set(...b);
      settings.mMinDistance = Math.max(limit.min, 0);
      settings.mMaxDistance = Math.max(limit.max, settings.mMinDistance);
      if (isSoft) this._spring(settings.mLimitsSpringSettings, limit.stiffness, limit.damping, inverse);
      this._add(settings, joint);
      return;
    }
    if (row.measure === "cone" && !isSoft && limit.min <= 0 && limit.max < Infinity) {
      const left = [0, 1, 2].find((i) => !row.axes.includes(i)) ?? 0, settings = this._settings(joint, left);
      for (let i = 0; i < 4; i++) settings.MakeFreeAxis(i);
      for (const i of [4, 5]) limitTo(Jolt, settings, i, [-limit.max, limit.max], Math.PI);
      settings.mSwingType = Jolt.ESwingType_Cone;
      this._add(settings, joint);
      return;
    }
    if (row.measure === "twist") this._motor(joint, row, limit.stiffness, limit.damping, Infinity, inverse, (value) => {
      const away = value - clamp(value, limit.min, limit.max);
      return Math.abs(away) > PASSED ? { away: -away, speed: 0 } : null;
    });
    else {
      this.pushed.add(joint.node);
      this.active.push({ update: (dt) => this._push(joint, row, limit, locked, dt) });
    }
  }

  /** @param {JointFrames} joint @param {Drive} drive @param {boolean[]} locked */
  _drive(joint, drive, locked) {
    /** @type {Row} */
    const row = { measure: drive.type === "linear" ? "offset" : "twist", axes: [drive.axis] };
    const inverse = this._inverseMass(joint, row, locked);
    if (!(inverse > 0)) return;
    const perMass = drive.mode === "acceleration" ? 1 / inverse : 1, target = drive.positionTarget ?? 0;
    const stiffness = drive.stiffness * perMass, damping = drive.damping * perMass;
    if (!(stiffness > 0) && !(damping > 0)) return;
    this._motor(joint, row, stiffness, damping, drive.maxForce, inverse, (value) => ({
      away: drive.type === "angular" ? wrapped(target - value) : target - value,
      speed: drive.velocityTarget,
    }));
  }

  /**
   * A spring and damper by a motor of Jolt's, which is told before each step how far to go.
   * @param {JointFrames} joint @param {Row} row @param {number} stiffness @param {number} damping @param {number} most N or N m
   * @param {number} inverse 1/kg or 1/(kg m²)
   * @param {(value: number) => {away: number, speed: number} | null} wanted null while nothing is to be done
   */
  _motor(joint, row, stiffness, damping, most, inverse, wanted) {
    const { Jolt, step } = this.world, isLinear = row.measure === "offset", axis = isLinear ? 0 : 3;
    const settings = this._settings(joint, row.axes[0]);
    for (let i = 0; i < 6; i++) settings.MakeFreeAxis(i);
    const constraint = this._add(settings, joint);
    const motor = constraint.GetMotorSettings(axis), force = Math.min(most, 3e38);
    if (isLinear) [motor.mMinForceLimit, motor.mMaxForceLimit] = [-force, force];
    else [motor.mMinTorqueLimit, motor.mMaxTorqueLimit] = [-force, force];
    const spring = motor.mSpringSettings, target = new Jolt.Vec3(0, 0, 0), turn = new Jolt.Quat(0, 0, 0, 1);
    let isOn = false;
    this.active.push({
      update: () => {
        const found = wanted(this.measure(joint, row).value);
        if (!found !== !isOn) constraint.SetMotorState(axis, (isOn = !!found) ? Jolt.EMotorState_Position : Jolt.EMotorState_Off);
        if (!found) return;
        // A damper without a spring hangs on one that is too weak to matter, stretched as far as its speed asks.
        let carried = stiffness, away = found.away;
        if (stiffness > 0) away += (found.speed * damping) / stiffness;
        else {
          carried = (DAMPER * damping) / step;
          if (!isLinear) carried = Math.max(carried, Math.abs(found.speed) * damping);
          away = (found.speed * (damping + carried * step)) / carried;
        }
        if (!isLinear && Math.abs(away) > MOST_ERROR) {
          carried *= Math.abs(away) / MOST_ERROR;
          away = Math.sign(away) * MOST_ERROR;
        }
        this._spring(spring, carried, damping, stiffness > 0 ? inverse : 0);
        if (isLinear) {
          const now = this.measure(joint, row).value;
          target.Set(now + away, 0, 0);
          constraint.SetTargetPositionCS(target);
        } else {
          // Jolt takes twice the sine of half the angle for the angle.
          const [x, y, z, w] = turned(quatOf(constraint.GetRotationInConstraintSpace()), about([1, 0, 0], 2 * Math.asin(away / 2)));
          turn.Set(x, y, z, w);
          constraint.SetTargetOrientationCS(turn);
        }
      },
    });
  }

  /** What no constraint of Jolt's has: impulses before the step. @param {JointFrames} joint @param {Row} row @param {Limit} limit @param {boolean[]} locked @param {number} dt */
  _push(joint, row, limit, locked, dt) {
    const { world } = this, now = this.measure(joint, row), { value } = now;
    const [a, b] = [joint.first.body, joint.second.body].map((i) => world.stateOf(i)), point = outer(b, joint.second.place);
    const rate = dot(now.force, sub(speedAt(b, point), speedAt(a, point))) + dot(now.torque, sub(b.spin, a.spin));
    const inverse = this._inverseMass(joint, row, locked);
    if (!(inverse > 0)) return;
    const end = value > limit.max || (value + rate * dt > limit.max && rate > 0) ? limit.max : value < limit.min || (value + rate * dt < limit.min && rate < 0) ? limit.min : null;
    if (end === null) return;
    const away = value - end, mass = 1 / inverse, sign = end === limit.max ? -1 : 1;
    let impulse;
    if (Number.isFinite(limit.stiffness)) {
      if (away * sign > -PASSED) return;
      const soft = dt * limit.damping + dt * dt * limit.stiffness * Math.min(1, dt * Math.sqrt(limit.stiffness * inverse));
      impulse = -(dt * limit.stiffness * away + dt * limit.damping * rate) / (1 + soft * inverse);
    } else {
      // No faster toward the end than to reach it in this step; a fifth of what is beyond comes back.
      const most = away * sign > 0 ? -away / dt : (-0.2 * away) / dt;
      impulse = sign * Math.max(sign * (most - rate), 0) * mass;
    }
    world.kick(joint.second.body, mul(now.force, impulse), mul(now.torque, impulse), point);
    world.kick(joint.first.body, mul(now.force, -impulse), mul(now.torque, -impulse), point);
  }

  /** What a row measures now. @param {JointFrames} joint @param {Row} row @returns {Measured} */
  measure(joint, row) {
    const a = this.world.poseOf(joint.first), b = this.world.poseOf(joint.second);
    const axisOf = (/** @type {Quat} */ turn, /** @type {number} */ i) => rotate(turn, [0, 0, 0].with(i, 1));
    if (row.measure === "offset" || row.measure === "distance") {
      const offset = rotate(back(a.turn), sub(b.place, a.place));
      if (row.measure === "offset") return { value: offset[row.axes[0]], force: axisOf(a.turn, row.axes[0]), torque: [0, 0, 0] };
      const away = offset.map((x, i) => (row.axes.includes(i) ? x : 0)), value = size(away);
      return { value, force: rotate(a.turn, unit(away, [0, 0, 0].with(row.axes[0], 1))), torque: [0, 0, 0] };
    }
    let q = turned(back(a.turn), b.turn);
    if (q[3] < 0) q = q.map((x) => -x);
    if (row.measure === "twist") {
      const i = row.axes[0], own = axisOf(a.turn, i), other = axisOf(b.turn, i);
      return { value: wrapped(2 * Math.atan2(q[i], q[3])), force: [0, 0, 0], torque: mul(add(own, other), 1 / Math.max(1 + dot(own, other), 0.1)) };
    }
    if (row.measure === "cone") {
      const left = [0, 1, 2].find((i) => !row.axes.includes(i)) ?? 0, own = axisOf(a.turn, left), other = axisOf(b.turn, left);
      const over = cross(own, other);
      return { value: Math.atan2(size(over), dot(own, other)), force: [0, 0, 0], torque: unit(over, axisOf(a.turn, row.axes[0])) };
    }
    const whole = q.slice(0, 3);
    return { value: 2 * Math.atan2(size(whole), q[3]), force: [0, 0, 0], torque: rotate(a.turn, unit(whole, [1, 0, 0])) };
  }

  /**
   * What a force of 1 along a row accelerates it by, with the reactions of what is locked: 1/kg or 1/(kg m²).
   * @param {JointFrames} joint @param {Row} row @param {boolean[]} locked
   */
  _inverseMass(joint, row, locked) {
    const { world } = this, ends = [joint.first.body, joint.second.body], states = ends.map((i) => world.stateOf(i));
    const point = world.poseOf(joint.second).place;
    /** Along each body: force, and torque about its center. */
    const acts = (/** @type {Measured} */ m) => states.map((s, k) => {
      const sign = k ? 1 : -1, force = mul(m.force, sign);
      return { force, torque: add(mul(m.torque, sign), s ? cross(sub(point, s.center), force) : [0, 0, 0]) };
    });
    const answer = (/** @type {ReturnType<typeof acts>} */ x, /** @type {ReturnType<typeof acts>} */ y) =>
      states.reduce((sum, s, k) => sum + (world.isMovable(ends[k]) ? s.inverseMass * dot(x[k].force, y[k].force) + dot(x[k].torque, s.inverseInertia(y[k].torque)) : 0), 0);
    const own = acts(this.measure(joint, row));
    const held = locked.flatMap((is, i) => (is && !(row.axes.includes(i % 3) && row.measure === (i < 3 ? "offset" : "twist")) ? [acts(this.measure(joint, { measure: i < 3 ? "offset" : "twist", axes: [i % 3] }))] : []));
    const matrix = held.map((x) => held.map((y) => answer(x, y))), side = held.map((x) => answer(x, own));
    const solved = solve(matrix, side), full = answer(own, own);
    return Math.max(full - side.reduce((sum, x, i) => sum + x * solved[i], 0), 1e-9 * full);
  }

  /** A spring whose swings Jolt's implicit steps do not damp. @param {any} spring @param {number} stiffness @param {number} damping @param {number} inverse mass; 0 for a spring that only carries a damper */
  _spring(spring, stiffness, damping, inverse) {
    const { Jolt, step } = this.world, phase = step * Math.sqrt(stiffness * inverse);
    const kept = clamp((phase - FOLLOWED) / FOLLOWED, 0, 1), taken = inverse > 0 ? stiffness * step * (1 - kept) : 0;
    spring.mMode = Jolt.ESpringMode_StiffnessAndDamping;
    spring.mStiffness = stiffness;
    spring.mDamping = Math.max(damping, 1e-3 * stiffness * step) - taken;
    return spring;
  }

  /** The frames of a constraint whose X is an axis of the joint. @param {JointFrames} joint @param {number} axis @param {{place: Vec, turn: Quat}} [shift] of the first frame, in itself */
  _settings(joint, axis, shift) {
    const { Jolt } = this.world, settings = new Jolt.SixDOFConstraintSettings();
    settings.mSpace = Jolt.EConstraintSpace_LocalToBodyCOM;
    [joint.first, joint.second].forEach((end, k) => {
      let { place, turn } = end;
      if (shift && k === 0) [place, turn] = [add(place, rotate(turn, shift.place)), turned(turn, shift.turn)];
      const axes = turned(turn, TURNS[axis]), n = k + 1;
      settings[`mPosition${n}`].Set(...sub(place, this.world.centerOf(end.body)));
      settings[`mAxisX${n}`].Set(...rotate(axes, [1, 0, 0]));
      settings[`mAxisY${n}`].Set(...rotate(axes, [0, 1, 0]));
    });
    return settings;
  }

  /** @param {any} settings @param {JointFrames} joint */
  _add(settings, joint) {
    const { Jolt, system } = this.world, bodies = [joint.first.body, joint.second.body].map((i) => this.world.joltBody(i));
    const made = settings.Create(bodies[0], bodies[1]), kind = settings instanceof Jolt.DistanceConstraintSettings ? Jolt.DistanceConstraint : Jolt.SixDOFConstraint;
    const constraint = Jolt.castObject(made, kind);
    system.AddConstraint(constraint);
    Jolt.destroy(settings);
    this.made.push([constraint, bodies[0], bodies[1]]);
    return constraint;
  }
}

/** What a limit looks at. @param {Limit} limit @param {boolean} perAxis @returns {Row[]} */
export function rowsOf(limit, perAxis) {
  const alone = perAxis || (limit.min === 0 && limit.max === 0);
  /** @type {Row[]} */
  const found = [];
  for (const [axes, isLinear] of /** @type {[number[], boolean][]} */ ([[limit.linearAxes, true], [limit.angularAxes, false]])) {
    if (alone || axes.length === 1) for (const axis of axes) found.push({ measure: isLinear ? "offset" : "twist", axes: [axis] });
    else if (axes.length) found.push({ measure: isLinear ? "distance" : axes.length === 3 ? "angle" : "cone", axes });
  }
  return found;
}

/** @param {any} Jolt @param {any} settings @param {number} axis @param {[number, number]} range @param {number} most */
function limitTo(Jolt, settings, axis, [low, high], most) {
  if (low >= high) settings.MakeFixedAxis(axis);
  else if (low <= -most && high >= most) settings.MakeFreeAxis(axis);
  else settings.SetLimitedAxis(axis, Math.max(low, -Math.min(most, 3e38)), Math.min(high, Math.min(most, 3e38)));
}

const wrapped = (/** @type {number} */ x) => x - 2 * Math.PI * Math.round(x / (2 * Math.PI));
const quatOf = (/** @type {any} */ q) => [q.GetX(), q.GetY(), q.GetZ(), q.GetW()];
const outer = (/** @type {any} */ state, /** @type {Vec} */ place) => add(state.place, rotate(state.turn, place));
const speedAt = (/** @type {any} */ state, /** @type {Vec} */ point) => add(state.velocity, cross(state.spin, sub(point, state.center)));

/** The solution of a symmetric system, by Gauss; what hangs on others has 0. @param {number[][]} matrix @param {number[]} side */
function solve(matrix, side) {
  const rows = matrix.map((row, i) => [...row, side[i]]), count = side.length, found = new Array(count).fill(0), used = [];
  const most = Math.max(0, ...matrix.map((row, i) => row[i]));
  for (let i = 0; i < count; i++) {
    let pivot = -1;
    for (let r = 0; r < count; r++) if (!used.includes(r) && (pivot < 0 || Math.abs(rows[r][i]) > Math.abs(rows[pivot][i]))) pivot = r;
    if (pivot < 0 || Math.abs(rows[pivot][i]) <= 1e-10 * most) {
      used[i] = -1;
      continue;
    }
    used[i] = pivot;
    for (let r = 0; r < count; r++) {
      if (r === pivot) continue;
      const share = rows[r][i] / rows[pivot][i];
      for (let c = i; c <= count; c++) rows[r][c] -= share * rows[pivot][c];
    }
  }
  for (let i = 0; i < count; i++) if (used[i] >= 0) found[i] = rows[used[i]][count] / rows[used[i]][i];
  return found;
}
