// Compares what Rapier and Jolt do by themselves, with closed formulas: how far off each is after
// some seconds at 240 steps a second. It says which of the features of glTF's physics an engine has.
//
//     npm install --no-save @dimforge/rapier3d-deterministic-compat && node compare_engines.mjs
import { readFileSync, statSync } from "node:fs";
import initJolt from "jolt-physics";
import { load } from "./reader/src/index.js";

const RAPIER = (await import("@dimforge/rapier3d-deterministic-compat")).default;
await RAPIER.init();
const Jolt = await initJolt();
const RATE = 240, DT = 1 / RATE, G = 9.81;

const rows = [];
const row = (what, jolt, rapier) => rows.push([what, jolt, rapier]);
const off = (found, wanted) => `${Math.abs(found - wanted).toFixed(3)}`;

function rapierWorld(gravity = 0) {
  const world = new RAPIER.World({ x: 0, y: -gravity, z: 0 });
  world.timestep = DT;
  return world;
}
function rapierBody(world, { at = { x: 0, y: 0, z: 0 }, turn, mass = 1, moments = [1, 1, 1], spin } = {}) {
  const desc = RAPIER.RigidBodyDesc.dynamic().setTranslation(at.x, at.y, at.z).setCanSleep(false)
    .setAdditionalMassProperties(mass, { x: 0, y: 0, z: 0 }, { x: moments[0], y: moments[1], z: moments[2] }, { x: 0, y: 0, z: 0, w: 1 });
  if (turn) desc.setRotation(turn);
  if (spin) desc.setAngvel(spin);
  return world.createRigidBody(desc);
}
const run = (world, seconds) => { for (let i = 0; i < Math.round(seconds * RATE); i++) world.step(); };
function jolt(nodes, extensions, seconds) {
  const world = load(JSON.stringify({ asset: { version: "2.0" }, scenes: [{ nodes: nodes.map((_, i) => i).filter((i) => !nodes.some((n) => n.children?.includes(i))) }], nodes, extensions }), Jolt, { rate: RATE });
  world.play(seconds);
  return world;
}
const omi = (motion, more = {}) => ({ ...more, extensions: { ...more.extensions, OMI_physics_body: { motion: { type: "dynamic", ...motion }, ...(more.shape !== undefined && { collider: { shape: more.shape, ...(more.material !== undefined && { physicsMaterial: more.material }) } }) } } });
const still = { OMI_physics_gravity: { gravity: 0 } };
const joined = (limits, drives) => ({ OMI_physics_joint: { physicsJoints: [{ limits, drives }] } });
const anchor = [omi({ type: "static" }, { children: [1] }), { extensions: { OMI_physics_joint: { joint: 0, connectedNode: 2 } } }];
const HELD = [{ linearAxes: [1, 2], min: 0, max: 0 }, { angularAxes: [0, 1, 2], min: 0, max: 0 }];

// 1. A tumbling body: the spin that Euler's equations give, by small steps of Runge and Kutta.
{
  const I = [1, 2, 3], w0 = [0.1, 5, 0.1], rate = (w) => [((I[1] - I[2]) * w[1] * w[2]) / I[0], ((I[2] - I[0]) * w[2] * w[0]) / I[1], ((I[0] - I[1]) * w[0] * w[1]) / I[2]];
  let w = w0;
  const plus = (a, b, s) => a.map((x, i) => x + b[i] * s), h = 1e-4;
  for (let i = 0; i < 1 / h; i++) {
    const a = rate(w), b = rate(plus(w, a, h / 2)), c = rate(plus(w, b, h / 2)), d = rate(plus(w, c, h));
    w = w.map((x, k) => x + (h / 6) * (a[k] + 2 * b[k] + 2 * c[k] + d[k]));
  }
  const local = ({ x, y, z, w: q }, v) => {
    const t = [-(y * v[2] - z * v[1]) * 2, -(z * v[0] - x * v[2]) * 2, -(x * v[1] - y * v[0]) * 2];
    return v[1] + q * t[1] - (z * t[0] - x * t[2]);
  };
  const j = jolt([omi({ inertiaDiagonal: I, angularVelocity: w0 })], still, 1), s = j.stateOf(0), [x, y, z, q] = s.turn;
  const r = rapierWorld(), body = rapierBody(r, { moments: I, spin: { x: w0[0], y: w0[1], z: w0[2] } });
  run(r, 1);
  const v = body.angvel();
  row("Tumbling body: spin about its middle axis after 1 s, rad/s", off(local({ x, y, z, w: q }, s.spin), w[1]), off(local(body.rotation(), [v.x, v.y, v.z]), w[1]));
  j.free();
}
// 2. A spring along an axis, hardly damped, after 3 s.
{
  const k = 40, d = 0.4, m = 2, decay = d / (2 * m), o = Math.sqrt(k / m - decay * decay), wanted = 0.5 * Math.exp(-decay * 3) * (Math.cos(o * 3) + (decay / o) * Math.sin(o * 3));
  const j = jolt([...anchor, omi({ mass: m, inertiaDiagonal: [1, 1, 1] }, { translation: [0.5, 0, 0] })], { ...still, ...joined(HELD, [{ type: "linear", mode: "force", axis: 0, stiffness: k, damping: d, positionTarget: 0 }]) }, 3);
  const r = rapierWorld(), ground = r.createRigidBody(RAPIER.RigidBodyDesc.fixed()), body = rapierBody(r, { at: { x: 0.5, y: 0, z: 0 }, mass: m });
  const joint = r.createImpulseJoint(RAPIER.JointData.prismatic({ x: 0, y: 0, z: 0 }, { x: 0, y: 0, z: 0 }, { x: 1, y: 0, z: 0 }), ground, body, true);
  joint.configureMotorModel(RAPIER.MotorModel.ForceBased);
  joint.configureMotorPosition(0, k, d);
  run(r, 3);
  row("Spring along an axis after 3 s, m", off(j.pose(1).place[0], wanted), off(body.translation().x, wanted));
  j.free();
}
// 3. A spring about an axis from 2.5 rad on, without a damper.
{
  const wanted = 2.5 * Math.cos(9), turn = [0, 0, Math.sin(1.25), Math.cos(1.25)];
  const j = jolt([...anchor, omi({ inertiaDiagonal: [1, 1, 1] }, { rotation: turn })], { ...still, ...joined([{ linearAxes: [0, 1, 2], min: 0, max: 0 }, { angularAxes: [0, 1], min: 0, max: 0 }], [{ type: "angular", mode: "force", axis: 2, stiffness: 9, positionTarget: 0 }]) }, 3);
  const r = rapierWorld(), ground = r.createRigidBody(RAPIER.RigidBodyDesc.fixed()), body = rapierBody(r, { turn: { x: 0, y: 0, z: turn[2], w: turn[3] } });
  const joint = r.createImpulseJoint(RAPIER.JointData.revolute({ x: 0, y: 0, z: 0 }, { x: 0, y: 0, z: 0 }, { x: 0, y: 0, z: 1 }), ground, body, true);
  joint.configureMotorModel(RAPIER.MotorModel.ForceBased);
  joint.configureMotorPosition(0, 9, 0);
  run(r, 3);
  const angle = (z, w) => Math.atan2(Math.sin(2 * Math.atan2(z, w)), Math.cos(2 * Math.atan2(z, w)));
  row("Spring about an axis from 2.5 rad on, after 3 s, rad", off(angle(j.pose(1).turn[2], j.pose(1).turn[3]), wanted), off(angle(body.rotation().z, body.rotation().w), wanted));
  j.free();
}
// 4. A ball of restitution 0.8 that falls 2 m comes up to 1.28 m.
{
  const shapes = { OMI_physics_shape: { shapes: [{ type: "box", box: { size: [60, 1, 60] } }, { type: "sphere", sphere: { radius: 0.5 } }] } };
  const bouncy = { physicsMaterials: [{ restitution: 0.8, staticFriction: 0, dynamicFriction: 0 }] };
  const j = jolt([omi({ type: "static" }, { translation: [0, -0.5, 0], shape: 0, material: 0 }), omi({}, { translation: [0, 2.5, 0], shape: 1, material: 0 })], { ...shapes, OMI_physics_body: bouncy }, 0.7);
  const r = rapierWorld(G), floor = r.createRigidBody(RAPIER.RigidBodyDesc.fixed().setTranslation(0, -0.5, 0)), body = r.createRigidBody(RAPIER.RigidBodyDesc.dynamic().setTranslation(0, 2.5, 0));
  r.createCollider(RAPIER.ColliderDesc.cuboid(30, 0.5, 30).setRestitution(0.8), floor);
  r.createCollider(RAPIER.ColliderDesc.ball(0.5).setRestitution(0.8), body);
  run(r, 0.7);
  let a = 0, b = 0;
  for (let i = 0; i < RATE; i++) {
    j.advance();
    r.step();
    a = Math.max(a, j.pose(1).place[1] - 0.5);
    b = Math.max(b, body.translation().y - 0.5);
  }
  row("Height after a bounce of restitution 0.8, m", off(a, 1.28), off(b, 1.28));
  j.free();
}
// 5. 500 boxes that fall on each other.
{
  const boxes = Array.from({ length: 500 }, (_, i) => [(i % 10) * 1.1 - 5 + 0.01 * (i % 7), 1 + Math.floor(i / 100) * 1.2, Math.floor((i % 100) / 10) * 1.1 - 5]);
  const shapes = { OMI_physics_shape: { shapes: [{ type: "box", box: { size: [60, 1, 60] } }, { type: "box", box: { size: [1, 1, 1] } }] } };
  const j = jolt([omi({ type: "static" }, { translation: [0, -0.5, 0], shape: 0 }), ...boxes.map((translation) => omi({}, { translation, shape: 1 }))], shapes, 0);
  const r = rapierWorld(G), floor = r.createRigidBody(RAPIER.RigidBodyDesc.fixed().setTranslation(0, -0.5, 0));
  r.createCollider(RAPIER.ColliderDesc.cuboid(30, 0.5, 30), floor);
  for (const [x, y, z] of boxes) r.createCollider(RAPIER.ColliderDesc.cuboid(0.5, 0.5, 0.5), r.createRigidBody(RAPIER.RigidBodyDesc.dynamic().setTranslation(x, y, z).setCanSleep(false)));
  const time = (step) => {
    const from = performance.now();
    for (let i = 0; i < RATE; i++) step();
    return ((performance.now() - from) / RATE).toFixed(2);
  };
  row("Step of 500 boxes in a heap, ms", time(() => j.advance()), time(() => r.step()));
}
row("Ranges over several axes as distance and cone", "yes", "distance only");
row("Soft ranges with stiffness and damping", "yes", "no");
row("Friction and restitution told for each pair of surfaces", "yes", "a mode each; multiply and maximum come before minimum and average");
row("Tapered capsules and cylinders", "yes", "cones; else hulls");
row("Systems of filters", "any number, by a callback", "16; more by a callback");
row("Engine, MB", (statSync(new URL("node_modules/jolt-physics/dist/jolt-physics.wasm.wasm", import.meta.url)).size / 1e6 + 0.96).toFixed(2), (statSync(new URL("node_modules/@dimforge/rapier3d-deterministic-compat/dist/rapier.mjs", import.meta.url), { throwIfNoEntry: false })?.size / 1e6 || NaN).toFixed(2));
for (const [what, a, b] of [["", "Jolt", "Rapier"], ["---", "---", "---"], ...rows]) console.log(`| ${what} | ${a} | ${b} |`);
process.exit(0);
