/** What bodies do, against closed formulas. */
import assert from "node:assert/strict";
import test from "node:test";
import { GltfError } from "../src/index.js";
import { at, BODY, body, BOX, FLOOR, NO_GRAVITY, shapes, world } from "./scenes.js";

const near = (/** @type {number} */ found, /** @type {number} */ wanted, /** @type {number} */ by, what = "") => assert.ok(Math.abs(found - wanted) <= by, `${what} ${found} is not ${wanted} ± ${by}`);

test("a body falls by g·t²/2", () => {
  const w = world([body({ mass: 2 })]);
  w.play(1);
  near(at(w, 0)[1], -9.81 / 2, 0.03);
});

test("gravity of the file, and the factor of a body", () => {
  const w = world([body({ gravityFactor: -0.5 })], { OMI_physics_gravity: { gravity: 4, direction: [1, 0, 0] } });
  w.play(1);
  near(at(w, 0)[0], -1, 0.01);
});

test("a drive along an axis swings and decays as its formula says", () => {
  const [k, d, m] = [40, 1, 2], decay = d / (2 * m), rate = Math.sqrt(k / m - decay * decay);
  const w = world(
    [body({ type: "static" }, undefined, { children: [2] }), body({ mass: m }, { shape: 0 }, { translation: [0.5, 0, 0] }),
      { extensions: { OMI_physics_joint: { joint: 0, connectedNode: 1 } } }],
    { ...shapes(BOX), ...NO_GRAVITY, OMI_physics_joint: { physicsJoints: [{ limits: [{ linearAxes: [1, 2], min: 0, max: 0 }, { angularAxes: [0, 1, 2], min: 0, max: 0 }], drives: [{ type: "linear", mode: "force", axis: 0, stiffness: k, damping: d, positionTarget: 0 }] }] } },
  );
  for (const time of [0.5, 1.5, 3]) {
    w.play(time - w.time);
    const wanted = 0.5 * Math.exp(-decay * time) * (Math.cos(rate * time) + (decay / rate) * Math.sin(rate * time));
    near(at(w, 1)[0], wanted, 0.01, `after ${time} s`);
  }
});

test("a spring about an axis takes large angles as they are, and does not lose energy", () => {
  // A bar of 1 kg m² about its center, turned by 2.5 rad from where its spring rests.
  const w = world(
    [body({ type: "static" }, undefined, { children: [2] }), body({ inertiaDiagonal: [1, 1, 1] }, undefined, { rotation: [0, 0, Math.sin(1.25), Math.cos(1.25)] }),
      { extensions: { OMI_physics_joint: { joint: 0, connectedNode: 1 } } }],
    { ...NO_GRAVITY, OMI_physics_joint: { physicsJoints: [{ limits: [{ linearAxes: [0, 1, 2], min: 0, max: 0 }, { angularAxes: [0, 1], min: 0, max: 0 }], drives: [{ type: "angular", mode: "force", axis: 2, stiffness: 9, positionTarget: 0 }] }] } },
  );
  for (let i = 1; i <= 10; i++) {
    w.play(0.3);
    const [, , z, q] = w.pose(1).turn, angle = 2 * Math.atan2(z, q);
    near(Math.atan2(Math.sin(angle), Math.cos(angle)), 2.5 * Math.cos(3 * w.time), 0.03, `after ${w.time} s`);
  }
});

test("a motor reaches its speed, and no more than its largest force", () => {
  const settings = (/** @type {any} */ more) => ({ OMI_physics_joint: { physicsJoints: [{ limits: [{ linearAxes: [1, 2], min: 0, max: 0 }, { angularAxes: [0, 1, 2], min: 0, max: 0 }], drives: [{ type: "linear", mode: "force", axis: 0, damping: 50, velocityTarget: 2, ...more }] }] } });
  const nodes = [body({ type: "static" }, undefined, { children: [2] }), body({ mass: 1 }), { extensions: { OMI_physics_joint: { joint: 0, connectedNode: 1 } } }];
  const free = world(nodes, { ...NO_GRAVITY, ...settings({}) }), weak = world(nodes, { ...NO_GRAVITY, ...settings({ maxForce: 1 }) });
  for (const w of [free, weak]) w.play(1);
  near(free.stateOf(1).velocity[0], 2, 0.01);
  near(weak.stateOf(1).velocity[0], 1, 0.01);
});

test("a free body keeps its angular momentum and energy while it tumbles", () => {
  const moments = [1, 2, 3], w = world([body({ inertiaDiagonal: moments, angularVelocity: [0.1, 5, 0.1] })], NO_GRAVITY, {}, 480);
  const measure = () => {
    const state = w.stateOf(0), [x, y, z, q] = state.turn;
    const local = (/** @type {number[]} */ v) => { // turned back
      const t = [-(y * v[2] - z * v[1]) * 2, -(z * v[0] - x * v[2]) * 2, -(x * v[1] - y * v[0]) * 2];
      return [v[0] + q * t[0] - (y * t[2] - z * t[1]), v[1] + q * t[1] - (z * t[0] - x * t[2]), v[2] + q * t[2] - (x * t[1] - y * t[0])];
    };
    const spin = local(state.spin), momentum = spin.map((s, i) => s * moments[i]);
    return { energy: spin.reduce((sum, s, i) => sum + moments[i] * s * s, 0) / 2, size: Math.hypot(...momentum), y: spin[1] };
  };
  const before = measure();
  let low = Infinity;
  for (let i = 0; i < 30; i++) {
    w.play(0.1);
    low = Math.min(low, measure().y);
  }
  near(measure().energy / before.energy, 1, 0.03);
  near(measure().size / before.size, 1, 0.02);
  assert.ok(low < 0, "it turns over, as what spins about its middle axis does");
});

test("materials combine by the mode that comes first", () => {
  // On a slope of 0.3, a friction of 0.1 slides and one of 0.5 does not.
  const tilt = Math.atan(0.3) / 2, turn = [0, 0, Math.sin(tilt), Math.cos(tilt)];
  const material = (/** @type {number} */ friction, /** @type {string} */ mode) => ({ staticFriction: friction, dynamicFriction: friction, restitution: 0, frictionCombine: mode, restitutionCombine: "average" });
  const slid = (/** @type {any} */ one, /** @type {any} */ other) => {
    const up = [-Math.sin(2 * tilt) * 1.001, Math.cos(2 * tilt) * 1.001, 0];
    const w = world([body(null, { shape: 0, physicsMaterial: 0 }, { rotation: turn }), body({}, { shape: 1, physicsMaterial: 1 }, { rotation: turn, translation: up })],
      { ...shapes(FLOOR, BOX), [BODY]: { physicsMaterials: [one, other] } });
    w.play(1);
    return Math.hypot(...at(w, 1).map((x, i) => x - up[i])) > 0.2;
  };
  assert.equal(slid(material(0.9, "maximum"), material(0.05, "minimum")), true);
  assert.equal(slid(material(0.9, "maximum"), material(0.05, "maximum")), false);
  assert.equal(slid(material(0.9, "average"), material(0.05, "minimum")), false);
  assert.equal(slid(material(0.9, "multiply"), material(0.05, "multiply")), true);
});

test("a ball bounces to the square of its restitution", () => {
  const bouncy = { staticFriction: 0, dynamicFriction: 0, restitution: 0.8 };
  const w = world([body(null, { shape: 0, physicsMaterial: 0 }, { translation: [0, -0.5, 0] }), body({}, { shape: 1, physicsMaterial: 0 }, { translation: [0, 2.5, 0] })],
    { ...shapes(FLOOR, { type: "sphere", sphere: { radius: 0.5 } }), [BODY]: { physicsMaterials: [bouncy] } });
  w.play(0.7);
  let most = 0;
  for (let i = 0; i < 200; i++) {
    w.advance();
    most = Math.max(most, at(w, 1)[1]);
  }
  near(most - 0.5, 2 * 0.64, 0.05);
});

test("filters decide for each shape, with any number of systems", () => {
  const filters = Array.from({ length: 40 }, (_, i) => ({ collisionSystems: [`s${i}`], notCollideWithSystems: [`s${i + 1}`] }));
  const w = world([body(null, { shape: 0, collisionFilter: 39 }, { translation: [0, -0.5, 0] }), body({}, { shape: 1, collisionFilter: 38 }, { translation: [0, 1, 0] }), body({}, { shape: 1, collisionFilter: 37 }, { translation: [5, 1, 0] })],
    { ...shapes(FLOOR, BOX), [BODY]: { collisionFilters: filters } });
  w.play(1);
  assert.ok(at(w, 1)[1] < -1, "38 does not meet 39");
  near(at(w, 2)[1], 0.5, 0.01, "37 does");
});

test("a trigger notices who comes and goes, but not its own body", () => {
  const w = world([
    { name: "Zone", translation: [0, -2, 0], extensions: { [BODY]: { trigger: { shape: 0 } } } },
    { name: "Ball", children: [2], extensions: { [BODY]: { motion: { type: "dynamic" }, collider: { shape: 1 } } } },
    { name: "Own", extensions: { [BODY]: { trigger: { shape: 0 } } } },
  ], shapes(BOX, { type: "sphere", sphere: { radius: 0.1 } }));
  w.play(1.5);
  assert.deepEqual(w.events.map((e) => [w.setup.volumes[e.trigger].name, w.setup.bodies[e.body].name, e.entered]), [["Zone", "Ball", true], ["Zone", "Ball", false]]);
  near(w.events[0].time, Math.sqrt((2 * 1.4) / 9.81), 0.02);
});

test("in a volume its gravity counts, from the first step on", () => {
  const w = world([
    { extensions: { [BODY]: { trigger: { shape: 0 } }, OMI_physics_gravity: { type: "directional", gravity: 2, replace: true, stop: true, directional: { direction: [1, 0, 0] } } } },
    body({}, { shape: 1 }),
  ], shapes({ type: "box", box: { size: [40, 40, 40] } }, BOX));
  w.play(1);
  near(at(w, 1)[0], 1, 0.02);
  near(at(w, 1)[1], 0, 1e-4);
});

test("what weighs is where the file says, and the shapes say the rest", () => {
  const w = world([body({ mass: 3, centerOfMass: [0.2, 0, 0] }, { shape: 0 })], shapes({ type: "box", box: { size: [1, 2, 3] } }));
  const actor = w.actors[0];
  assert.deepEqual(actor.center, [0.2, 0, 0]);
  // Moments of a box, about a point that is 0.2 m aside.
  const wanted = [(3 / 12) * 13, (3 / 12) * 10 + 3 * 0.04, (3 / 12) * 5 + 3 * 0.04].sort((a, b) => a - b);
  [...actor.moments].sort((a, b) => a - b).forEach((x, i) => near(x, wanted[i], 1e-6));
});

test("KHR takes ranges over several axes for distances, and OMI for one on each", () => {
  const joint = { limits: [{ linearAxes: [0, 1, 2], min: 0, max: 1 }] };
  const khr = world(
    [{ extensions: { KHR_physics_rigid_bodies: { joint: { joint: 0, connectedNode: 1 } } } }, { translation: [0.8, 0, 0], extensions: { KHR_physics_rigid_bodies: { motion: {} } } }],
    { KHR_physics_rigid_bodies: { physicsJoints: [joint] } },
  );
  let most = 0;
  for (let i = 0; i < 480; i++) {
    khr.advance();
    most = Math.max(most, Math.hypot(...at(khr, 1)));
  }
  near(most, 1, 0.01);
});

test("a car stands on its springs", () => {
  const wheel = (/** @type {number} */ x, /** @type {number} */ z) => ({ translation: [x, 0, z], extensions: { OMI_vehicle_wheel: { wheel: 0 } } });
  const w = world([
    body(null, { shape: 0 }, { translation: [0, -0.5, 0] }),
    body({ mass: 900 }, { shape: 1 }, { translation: [0, 0.6, 0], children: [2, 3, 4, 5], extensions: { OMI_vehicle_body: { linearDampeners: true } } }),
    wheel(0.8, 1.2), wheel(-0.8, 1.2), wheel(0.8, -1.2), wheel(-0.8, -1.2),
  ], { ...shapes(FLOOR, { type: "box", box: { size: [1.5, 0.4, 3] } }), OMI_vehicle_wheel: { wheels: [{ radius: 0.3, suspensionStiffness: 20000, suspensionTravel: 0.3, maxPropulsionForce: 500 }] } });
  w.play(3);
  near(at(w, 1)[1], 0.3 + 0.3 - (900 * 9.81) / 4 / 20000, 0.005);
  w.vehicles[0].drive(new Set(["W"]), w.pose(1).turn, 1 / 60);
  const before = at(w, 1)[2];
  w.play(1);
  near(at(w, 1)[2] - before, (4 * 500) / 900 / 2, 0.05);
});

test("what is wrong is told with its place", () => {
  for (const [text, place] of [
    ["no glTF", ""],
    ['{"asset": {"version": "1.0"}}', "/asset/version"],
  ]) assert.throws(() => world.call(null, [], {}, JSON.parse(text === "no glTF" ? '{"asset": {}}' : text)), (problem) => problem instanceof GltfError && problem.message.includes(place));
  const w = world([body({ mass: "heavy" }, { shape: 7 })], shapes({ type: "donut" }));
  assert.deepEqual(w.physics.issues.map((issue) => issue.place), ["/extensions/OMI_physics_shape/shapes/0", `/nodes/0/extensions/${BODY}/collider/shape`]);
});

test("what is played otherwise is told with its place", () => {
  const mesh = { buffers: [{ byteLength: 36, uri: `data:application/octet-stream;base64,${Buffer.from(new Float32Array([0, 0, 0, 1, 0, 0, 0, 0, 1]).buffer).toString("base64")}` }],
    bufferViews: [{ buffer: 0, byteLength: 36 }], accessors: [{ bufferView: 0, componentType: 5126, count: 3, type: "VEC3" }], meshes: [{ primitives: [{ attributes: { POSITION: 0 } }] }] };
  const sheet = { type: "trimesh", trimesh: { mesh: 0 } };
  const still = world([body(null, { shape: 0 })], shapes(sheet), mesh), moving = world([body(null, { shape: 0 }), body({}, { shape: 0 })], shapes(sheet), mesh);
  assert.deepEqual(still.limitations, []);
  assert.deepEqual(moving.limitations.map((one) => one.place), ["/nodes/1"]);
});
