/**
 * Wheels, thrusters and hover thrusters of vehicles, and what keys tell them.
 *
 * Source: OMI_vehicle_body, OMI_vehicle_wheel, OMI_vehicle_thruster, OMI_vehicle_hover_thruster. Where
 * they leave the way open, parts do what those of the Godot add-on of the same authors do: a wheel
 * steers by the square of the command, those behind the other way; sideways forces act at a tenth of
 * the height between ground and center of mass; dampeners ask for 1 for every m/s and 4 for every
 * rad/s; hovercraft hold themselves up at three quarters of their energy while nothing is told.
 * Tires give way sideways by a slip angle (Pacejka 2012, "Tire and Vehicle Dynamics", chapter 1).
 */
import { about, add, along, back, clamp, cross, dot, mul, rotate, size, sub, turned, unit } from "./math.js";

/**
 * @typedef {import("./math.js").Vec} Vec
 * @typedef {import("./math.js").Quat} Quat
 * @typedef {{place: Vec, turn: Quat, center: Vec, velocity: Vec, spin: Vec, inverseMass: number,
 *   inverseInertia: (v: Vec) => Vec}} State of a body in the world; place is that of its origin, center its center of mass
 * @typedef {{distance: number, normal: Vec, body: number}} Hit distance is Infinity for none
 * @typedef {object} Around what a vehicle is in
 * @property {(body: number) => State} state
 * @property {(origin: Vec, direction: Vec, length: number, ignored: number) => Hit} cast
 * @property {(body: number) => Vec} gravity
 * @property {(body: number, force: Vec, point: Vec) => void} push
 * @property {(body: number, torque: Vec) => void} twist
 */

const LINEAR_RATE = 1, ANGULAR_RATE = 4, IDLE_HOVER = 0.75, FADE = 0.02, NOTHING = 1e-5, STANDING = 0.01;
const ROLL_INFLUENCE = 0.1, MIN_COSINE = 0.1, ROUNDS = 20, GRIP_SHARE = 0.75, CORNERING = 20;
const HOVER_REACH = 1000, MIN_GROUND = 0.1, STEADYING = 0.5, THROTTLE_RATE = 0.5;

/** @type {Record<string, [string, string][]>} angular X, Y, Z and linear X, Y, Z: the keys that lower and raise */
const KEYS = {
  car: [["I", "K"], ["D", "A"], ["J", "L"], ["E", "Q"], ["F", "R"], ["S", "W"]],
  free: [["I", "K"], ["L", "J"], ["Q", "E"], ["D", "A"], ["F", "R"], ["S", "W"]],
  throttle: [["W", "S"], ["D", "A"], ["Q", "E"], ["L", "J"], ["K", "I"], ["CTRL", "SHIFT"]],
};

/** One step nearer to a target, numbers or vectors; a negative rate is at once. @param {number[]} now @param {number[]} to @param {number} rate @param {number} dt */
function approach(now, to, rate, dt) {
  const far = Math.hypot(...to.map((x, i) => x - now[i]));
  if (rate < 0 || far <= rate * dt || far <= 1e-12) return to;
  return now.map((x, i) => x + ((to[i] - x) * rate * dt) / far);
}

/** Cut to length 1. @param {number[]} v */
const limited = (v) => v.map((x) => x / Math.max(Math.hypot(...v), 1));

/** The rotation by |(a, b)| about (a, b, 0). @param {number[]} angles @returns {Quat} */
function gimbalTurn([a, b]) {
  const angle = Math.hypot(a, b);
  return angle > 0 ? about([a / angle, b / angle, 0], angle) : [0, 0, 0, 1];
}

/** A vehicle with its parts; parts on plain bodies are one without commands. */
export class Vehicle {
  /**
   * @param {number} body
   * @param {import("./records.js").Part | null} record of OMI_vehicle_body
   * @param {{record: import("./records.js").Part, frame: import("./setup.js").Frame, node: number, material: import("./records.js").Material | null, kind: "wheel" | "thruster" | "hoverThruster"}[]} parts
   * @param {Vec} center of mass in the body
   * @param {string} name
   */
  constructor(body, record, parts, center, name) {
    this.body = body;
    this.record = record;
    this.name = name;
    this.center = center;
    this.angular = record ? [...record.angularActivation] : [0, 0, 0];
    this.linear = record ? [...record.linearActivation] : [0, 0, 0];
    this.wheels = parts.filter((part) => part.kind === "wheel").map((part) => new Wheel(part));
    this.nozzles = parts.filter((part) => part.kind !== "wheel").map((part) => new Nozzle(part, center));
    this.hasHover = this.nozzles.some((nozzle) => nozzle.isHover);
    this.scheme = record?.useThrottle ? "throttle" : this.wheels.length ? "car" : this.hasHover ? "level" : "free";
  }

  /** The keys that do something for this vehicle, by what they raise. */
  keys() {
    return KEYS[this.scheme === "level" ? "free" : this.scheme];
  }

  /**
   * Take the keys that are held down.
   * @param {Set<string>} pressed "W", "SHIFT", "CTRL", "SPACE" and so on
   * @param {Quat} turn of the body
   * @param {number} dt s since the last time
   */
  drive(pressed, turn, dt) {
    if (pressed.has("SPACE")) {
      this.angular = [0, 0, 0];
      this.linear = [0, 0, 0];
      return;
    }
    const told = this.keys().map(([low, high]) => Number(pressed.has(high)) - Number(pressed.has(low)));
    this.angular = told.slice(0, 3);
    let wanted = told.slice(3);
    if (this.scheme === "level") wanted = leveled(wanted, turn);
    if (this.record?.useThrottle) wanted = wanted.map((x, i) => clamp(this.linear[i] + THROTTLE_RATE * dt * x, -1, 1));
    this.linear = wanted;
  }

  /** Push the body for one step. @param {Around} world @param {number} dt */
  apply(world, dt) {
    const state = world.state(this.body), told = this.record ? this._commands(world, state, dt) : null;
    if (told && this.record) world.twist(this.body, rotate(state.turn, told.angular.map((x, i) => x * this.record?.gyroTorque[i])));
    let force = [0, 0, 0], torque = [0, 0, 0];
    for (const nozzle of this.nozzles) {
      const pushed = nozzle.push(world, state, this.body, told, dt);
      world.push(this.body, pushed.force, pushed.point);
      force = add(force, pushed.force);
      torque = add(torque, cross(sub(pushed.point, state.center), pushed.force));
    }
    if (this.wheels.length) this._roll(world, state, told, dt, force, torque);
  }

  /** @param {Around} world @param {State} state @param {number} dt */
  _commands(world, state, dt) {
    const record = /** @type {import("./records.js").Part} */ (this.record), home = back(state.turn);
    const velocity = rotate(home, state.velocity), spin = rotate(home, state.spin);
    const up = unit(mul(rotate(home, world.gravity(this.body)), -1));
    const asked = this.angular.map((x) => clamp(x, -1, 1)), told = this.linear.map((x) => clamp(x, -1, 1));
    const most = record.maxSpeed, isLimited = most >= 0, throttled = record.useThrottle && isLimited;
    // A throttle with a largest speed is a share of that speed; else the drive ends at that speed.
    let driven = told;
    if (throttled) driven = told.map((x, i) => (most > 0 ? x - velocity[i] / most : 0));
    else if (isLimited) {
      const speed = size(velocity), way = speed > 1e-9 ? mul(velocity, 1 / speed) : [0, 0, 0];
      const left = clamp((most - speed) / Math.max(FADE * most, 1e-6), 0, 1);
      driven = along(told, way, -(1 - left) * Math.max(dot(told, way), 0));
    }
    driven = driven.map((x) => clamp(x, -1, 1));
    const dampens = record.linearDampeners && !throttled, thrust = this._strength(), idle = !told.some((x) => Math.abs(x) > NOTHING);
    const linear = told.map((x, i) => {
      let value = driven[i];
      if (dampens && Math.abs(x) <= NOTHING) value = -LINEAR_RATE * velocity[i] * heldBack(LINEAR_RATE * thrust[velocity[i] > 0 ? 0 : 1][i] * state.inverseMass * dt);
      if (dampens && this.hasHover) value += (idle ? IDLE_HOVER : 1) * up[i];
      return clamp(value, -1, 1);
    });
    const rise = toUpright(up), rights = record.angularDampeners && (this.wheels.length > 0 || this.hasHover);
    const angular = asked.map((x, i) => {
      const isIdle = Math.abs(x) <= NOTHING, axis = rotate(state.turn, [0, 0, 0].with(i, 1));
      const inverse = dot(axis, state.inverseInertia(axis));
      let value = x;
      if (record.angularDampeners && isIdle) value = -ANGULAR_RATE * spin[i] * heldBack(ANGULAR_RATE * record.gyroTorque[i] * inverse * dt);
      if (rights && isIdle && i !== 1) value += rise[i];
      return clamp(value, -1, 1);
    });
    const backwards = -Math.sign(driven[2]) * velocity[2] > STANDING;
    return { angular, linear, steering: asked[1], driving: driven[2], braking: record.linearDampeners && (Math.abs(driven[2]) <= NOTHING || backwards) };
  }

  /** The most that plain thrusters push to the negative and positive sides. */
  _strength() {
    const found = [[0, 0, 0], [0, 0, 0]];
    for (const nozzle of this.nozzles) {
      if (nozzle.isHover) continue;
      const push = mul(nozzle.direction(), nozzle.most);
      for (let i = 0; i < 3; i++) found[push[i] > 0 ? 1 : 0][i] += Math.abs(push[i]);
    }
    return found;
  }

  /**
   * Springs of the suspension first, then drive, brakes and grip, each solved for all wheels together by rounds of impulses.
   * @param {Around} world @param {State} state @param {ReturnType<Vehicle["_commands"]> | null} told @param {number} dt
   * @param {Vec} force @param {Vec} torque of other parts
   */
  _roll(world, state, told, dt, force, torque) {
    const contacts = [];
    for (const wheel of this.wheels) {
      wheel.follow(told, dt);
      const contact = wheel.meet(world, state, this.body);
      if (contact) contacts.push(contact);
    }
    if (!contacts.length) return;
    // The motion at the end of the step without wheels.
    const twist = { velocity: along(along(state.velocity, world.gravity(this.body), dt), force, state.inverseMass * dt), spin: add(state.spin, state.inverseInertia(mul(torque, dt))) };
    const rate = (/** @type {Vec} */ way, /** @type {Vec} */ point, /** @type {Vec} */ ground) =>
      dot(way, sub(add(twist.velocity, cross(twist.spin, sub(point, state.center))), ground));
    const answer = (/** @type {Vec} */ way, /** @type {Vec} */ point) => {
      const arm = cross(sub(point, state.center), way);
      return state.inverseMass + dot(arm, state.inverseInertia(arm));
    };
    const kick = (/** @type {Vec} */ impulse, /** @type {Vec} */ point) => {
      twist.velocity = along(twist.velocity, impulse, state.inverseMass);
      twist.spin = add(twist.spin, state.inverseInertia(cross(sub(point, state.center), impulse)));
    };
    for (const c of contacts) {
      const below = c.hit.body < 0 ? null : world.state(c.hit.body);
      c.ground = below ? add(below.velocity, cross(below.spin, sub(c.point, below.center))) : [0, 0, 0];
      const record = c.wheel.record, now = dot(c.normal, sub(add(state.velocity, cross(state.spin, sub(c.point, state.center))), c.ground));
      // A slanted ground moves the suspension by more than itself, and feels more of its force.
      c.stiffness = record.suspensionStiffness / c.cosine ** 2;
      c.damping = (now < 0 ? record.suspensionDampingCompression : record.suspensionDampingRebound) / c.cosine ** 2;
      c.offset = c.pressed * c.cosine;
      c.soft = 1 / (dt * (c.damping + dt * c.stiffness));
    }
    for (let round = 0; round < ROUNDS; round++)
      for (const c of contacts) {
        const wanted = (c.offset * dt * c.stiffness) * c.soft - rate(c.normal, c.point, c.ground) - c.soft * c.load;
        const next = Math.max(c.load + wanted / (answer(c.normal, c.point) + c.soft), 0);
        kick(mul(c.normal, next - c.load), c.point);
        c.load = next;
      }
    for (const c of contacts) {
      c.wheel.load = c.load / dt;
      const height = dot(sub(c.point, state.center), rotate(state.turn, [0, 1, 0]));
      c.side = along(c.point, rotate(state.turn, [0, 1, 0]), -height * (1 - ROLL_INFLUENCE));
      c.grip = c.load * c.wheel.friction.static;
      c.drive = clamp(c.wheel.drive * dt, -c.grip, c.grip);
      c.give = (GRIP_SHARE * Math.abs(rate(c.ahead, c.point, c.ground))) / (CORNERING * Math.max(c.load / dt, 1e-9)) / dt;
      kick(mul(c.ahead, c.drive), c.point);
      const brake = c.wheel.brake * dt;
      c.rows = [
        { way: c.ahead, point: c.point, low: c.drive - brake, high: c.drive + brake, held: c.drive, give: 0 },
        { way: c.aside, point: c.side, low: -Infinity, high: Infinity, held: 0, give: c.give },
      ];
      for (const row of c.rows) row.inverse = answer(row.way, row.point);
    }
    for (let round = 0; round < ROUNDS; round++)
      for (const c of contacts) {
        for (const row of c.rows) {
          const change = -(GRIP_SHARE * rate(row.way, row.point, c.ground) + row.give * row.held) / (row.inverse + row.give);
          const next = clamp(row.held + change, row.low, row.high);
          kick(mul(row.way, next - row.held), row.point);
          row.held = next;
        }
        const both = Math.hypot(c.rows[0].held, c.rows[1].held);
        c.slips = both > c.grip;
        if (!c.slips) continue;
        for (const row of c.rows) {
          const next = (row.held * c.grip) / both;
          kick(mul(row.way, next - row.held), row.point);
          row.held = next;
        }
      }
    for (const c of contacts) {
      const { static: rest, dynamic: slide } = c.wheel.friction, share = c.slips ? Math.min(slide / Math.max(rest, 1e-300), 1) : 1;
      const forces = [[mul(c.normal, c.load / dt), c.point], ...c.rows.map((/** @type {any} */ row) => [mul(row.way, (row.held * share) / dt), row.point])];
      for (const [f, p] of forces) {
        world.push(this.body, f, p);
        if (c.hit.body >= 0) world.push(c.hit.body, mul(f, -1), p);
      }
      c.wheel.roll += (rate(c.ahead, c.point, c.ground) * dt) / c.wheel.record.radius;
    }
  }
}

class Wheel {
  /** @param {any} part */
  constructor({ record, frame, node, material }) {
    /** @type {import("./records.js").Part} */
    this.record = record;
    /** @type {import("./setup.js").Frame} */
    this.frame = frame;
    this.node = node;
    this.friction = material ? { static: material.staticFriction, dynamic: material.dynamicFriction } : { static: 1, dynamic: 1 };
    this.isRear = frame.place[2] < 0;
    this.angle = clamp(record.targetSteeringRatio, -1, 1) * record.maxSteeringAngle;
    this.drive = clamp(record.targetPropulsionForceRatio, -1, 1) * record.maxPropulsionForce;
    this.length = record.suspensionTravel;
    this.brake = this.load = this.roll = 0;
  }

  /** Steer, drive and brake. @param {any} told null where nobody does @param {number} dt */
  follow(told, dt) {
    const { record } = this;
    let ratio = record.targetSteeringRatio, driving = record.targetPropulsionForceRatio;
    if (told) ratio = told.steering * Math.abs(told.steering) * (this.isRear ? -1 : 1);
    [this.angle] = approach([this.angle], [clamp(ratio, -1, 1) * record.maxSteeringAngle], record.steeringChangeRate, dt);
    if (told) driving = told.braking ? 0 : told.driving * Math.cos(this.angle);
    [this.drive] = approach([this.drive], [clamp(driving, -1, 1) * record.maxPropulsionForce], record.propulsionForceChangeRate, dt);
    this.brake = told?.braking ? (record.brakingForce < 0 ? record.maxPropulsionForce : record.brakingForce) : 0;
  }

  /** The steered axes in the body. @returns {Quat} */
  turn() {
    return turned(this.frame.turn, about([0, 1, 0], this.angle));
  }

  /** Where it stands; null for nowhere. @param {Around} world @param {State} state @param {number} body @returns {any} */
  meet(world, state, body) {
    const { radius, suspensionTravel: travel } = this.record, turn = turned(state.turn, this.turn());
    const up = rotate(turn, [0, 1, 0]), left = rotate(turn, [1, 0, 0]), front = rotate(turn, [0, 0, 1]);
    const start = along(add(state.place, rotate(state.turn, this.frame.place)), up, radius), reach = travel + 2 * radius;
    const hit = world.cast(start, mul(up, -1), reach, body);
    this.length = clamp(Math.min(hit.distance, reach) - 2 * radius, 0, travel);
    this.load = 0;
    if (!(hit.distance <= reach)) return null;
    const normal = hit.normal, ahead = unit(cross(left, normal), front), aside = cross(normal, ahead);
    const cosine = Math.max(dot(up, normal), MIN_COSINE);
    return { wheel: this, hit, normal, ahead, aside, cosine, point: along(start, up, -hit.distance), pressed: travel - this.length, load: 0 };
  }

  /** Where it is shown in the body. */
  shown() {
    const place = along(this.frame.place, rotate(this.frame.turn, [0, 1, 0]), -this.length);
    return { place, turn: turned(this.turn(), about([1, 0, 0], this.roll)) };
  }
}

class Nozzle {
  /** @param {any} part @param {Vec} center */
  constructor({ record, frame, node, kind }, center) {
    /** @type {import("./setup.js").Frame} */
    this.frame = frame;
    this.node = node;
    this.isHover = kind === "hoverThruster";
    this.most = this.isHover ? record.maxHoverEnergy : record.maxForce;
    this.rate = this.isHover ? record.hoverEnergyChangeRate : record.forceChangeRate;
    this.ratio = this.isHover ? record.targetHoverRatio : record.targetForceRatio;
    /** @type {import("./records.js").Part} */
    this.record = record;
    this.arm = sub(frame.place, center);
    // From behind the center of mass a nozzle turns the body the other way.
    this.sign = dot(this.arm, rotate(frame.turn, [0, 0, 1])) < 0 ? -1 : 1;
    this.gimbal = limited(record.targetGimbalRatio).map((x) => x * record.maxGimbal);
    this.power = clamp(this.ratio, 0, 1) * this.most;
  }

  /** Where it pushes, in the body. */
  direction() {
    return rotate(turned(this.frame.turn, gimbalTurn(this.gimbal)), [0, 0, 1]);
  }

  /** @param {Around} world @param {State} state @param {number} body @param {any} told @param {number} dt */
  push(world, state, body, told, dt) {
    const { record } = this, home = back(this.frame.turn);
    let wanted = record.targetGimbalRatio, ratio = this.ratio;
    if (told) {
      const turning = limited(mul(rotate(home, told.angular), this.sign).slice(0, 2));
      const local = rotate(back(gimbalTurn(this.gimbal)), rotate(home, told.linear));
      const aside = limited([-local[1], local[0]]);
      wanted = limited(turning.map((x, i) => x + aside[i] * record.linearGimbalAdjustRatio));
    }
    this.gimbal = approach(this.gimbal, limited(wanted).map((x) => x * record.maxGimbal), record.gimbalChangeRate, dt);
    const direction = this.direction();
    if (told) {
      ratio = Math.max(dot(told.linear, direction), 0);
      if (this.isHover) ratio += Math.max(STEADYING * dot(told.angular, cross(this.arm, direction)), 0);
    }
    [this.power] = approach([this.power], [clamp(ratio, 0, 1) * this.most], this.rate, dt);
    const point = add(state.place, rotate(state.turn, this.frame.place)), way = rotate(state.turn, direction);
    let force = this.power;
    if (this.isHover) force /= Math.max(world.cast(point, mul(way, -1), HOVER_REACH, body).distance, MIN_GROUND);
    return { force: mul(way, force), point };
  }

  shown() {
    return { place: this.frame.place, turn: turned(this.frame.turn, gimbalTurn(this.gimbal)) };
  }
}

/** The mean of exp(-t) over a step of a decay, so that none overshoots. @param {number} pace */
const heldBack = (pace) => (pace < 1e-9 ? 1 : -Math.expm1(-pace) / pace);

/** The vector of the quaternion that turns Y to a local up. @param {Vec} up */
function toUpright(up) {
  if (!up.some((x) => x)) return [0, 0, 0];
  if (up[1] < -1 + 1e-6) return [0, 0, 1];
  return mul(cross([0, 1, 0], up), 1 / Math.sqrt(Math.max(2 * (1 + up[1]), 1e-6)));
}

/** The same movement of a vehicle that heads the same way, but is not tilted. @param {Vec} wanted @param {Quat} turn */
function leveled(wanted, turn) {
  const front = rotate(turn, [0, 0, 1]), flat = [front[0], 0, front[2]], length = size(flat);
  if (length < 1e-6) return wanted;
  const ahead = mul(flat, 1 / length), left = cross([0, 1, 0], ahead);
  return rotate(back(turn), add(add(mul(left, wanted[0]), [0, wanted[1], 0]), mul(ahead, wanted[2])));
}
