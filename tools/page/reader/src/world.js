/** A glTF's physics in Jolt: bodies, contacts, triggers, gravity, joints and vehicles. */
import { Animations } from "./animation.js";
import { gravityAt } from "./gravity.js";
import { place as placeNodes } from "./gltf.js";
import { Joints } from "./joints.js";
import { add, back, cross, dot, linear, mul, nearestTurn, placed, rotate, size, sub, turned, unit } from "./math.js";
import { readPhysics } from "./records.js";
import { setUp, WORLD } from "./setup.js";
import { weighAll, weighed, weighForm } from "./solids.js";
import { Vehicle } from "./vehicles.js";

/**
 * @typedef {import("./math.js").Vec} Vec
 * @typedef {import("./math.js").Quat} Quat
 * @typedef {import("./math.js").Pose} Pose
 * @typedef {import("./setup.js").Frame} Frame
 * @typedef {{time: number, trigger: number, body: number, entered: boolean}} TriggerEvent numbers of volumes and bodies
 * @typedef {{jolt: any, mass: number, center: Vec, moments: Vec, axes: Quat, inverseMass: number, inverse: Vec, isMovable: boolean}} Actor
 */

export const GRAVITY = 9.81; // m/s², where the file says nothing.
const STATIC = 0, MOVING = 1, SENSOR = 2;
const THICK = 1, FAR = 1000; // m, of planes.
const STICKS = 0.02; // m/s, below which the friction at rest counts.
const ORDER = ["average", "minimum", "maximum", "multiply"]; // The first that either surface has counts.
const PLAIN = { staticFriction: 0.6, dynamicFriction: 0.6, restitution: 0, frictionCombine: "average", restitutionCombine: "average" };
const FREQUENCY = 9, MOST_PULL = 400; // rad/s and m/s², of what a hand pulls.
/** @type {[number, number]} */
const ROUNDS = [15, 3];
const HEAVY = 1e6; // Times the largest mass, of what has an infinite one.
const HUGE = 1e6; // m/s and rad/s, more than which nothing moves.

/** @type {Record<string, (a: number, b: number) => number>} */
const COMBINE = { average: (a, b) => (a + b) / 2, minimum: Math.min, maximum: Math.max, multiply: (a, b) => a * b };
const combined = (/** @type {number} */ a, /** @type {number} */ b, /** @type {string} */ one, /** @type {string} */ other) => COMBINE[ORDER[Math.min(ORDER.indexOf(one), ORDER.indexOf(other))]](a, b);

/** Whether two filters let their objects meet. @param {import("./records.js").Filter | null} a @param {import("./records.js").Filter | null} b @param {"OMI" | "KHR"} family */
export function meets(a, b, family) {
  return allows(a, b, family) && allows(b, a, family);
}

/** @param {import("./records.js").Filter | null} row @param {import("./records.js").Filter | null} other @param {"OMI" | "KHR"} family */
function allows(row, other, family) {
  if (!row) return true;
  const systems = other?.collisionSystems ?? [];
  if (row.collideWithSystems.length) {
    const listed = (/** @type {string} */ name) => row.collideWithSystems.includes(name);
    return family === "KHR" ? systems.every(listed) : systems.some(listed);
  }
  return !systems.some((name) => row.notCollideWithSystems.includes(name));
}

/** A file being played. */
export class World {
  /**
   * @param {any} Jolt the loaded module of jolt-physics
   * @param {import("./gltf.js").Gltf} gltf
   * @param {{rate?: number, rounds?: [number, number]}} [options] steps per second, 240 when left out; rounds of the
   *   solver for velocities and places
   */
  constructor(Jolt, gltf, options = {}) {
    this.Jolt = Jolt;
    this.gltf = gltf;
    this.rate = options.rate ?? 240;
    this.step = 1 / this.rate;
    this.rounds = options.rounds ?? ROUNDS;
    this.time = 0;
    this.steps = 0;
    /** @type {TriggerEvent[]} */
    this.events = [];
    this.animations = new Animations(gltf);
    if (this.animations.nodes.size) {
      this.animations.apply(gltf.nodes, 0);
      placeNodes(gltf.nodes);
    }
    this.physics = readPhysics(gltf);
    this.setup = setUp(gltf, this.physics, this.animations.nodes);
    const { gravity } = this.physics;
    this.gravity = gravity ? mul(unit(gravity.direction, [0, -1, 0]), gravity.gravity) : [0, -GRAVITY, 0];
    this.vectors = { a: new Jolt.Vec3(0, 0, 0), b: new Jolt.Vec3(0, 0, 0), place: new Jolt.RVec3(0, 0, 0), turn: new Jolt.Quat(0, 0, 0, 1) };
    /** @type {Map<any, any>} */
    this._hulls = new Map();
    /** @type {any[]} forms and their shapes, by solid */
    this.solids = [];
    this._shapes = [];
    this._start();
    this._uniform = this._oneSurface();
    this._hasMeshes = this.setup.bodies.some((body) => body.solids.some(({ form }) => form.type === "mesh" && !form.isConvex));
    // What nothing can push falls and lands all the same.
    const given = this.setup.bodies.map((body) => body.motion?.mass ?? 1).filter(Number.isFinite);
    this._heaviest = HEAVY * Math.max(1, ...given);
    /** @type {Actor[]} */
    this.actors = this.setup.bodies.map((body, i) => this._actor(body, i));
    /** @type {any[]} */
    this.sensors = this.setup.volumes.map((volume, i) => this._sensor(volume, i));
    /** @type {Map<number, number>[]} which bodies touch each volume, and in how many places */
    this.inside = this.setup.volumes.map(() => new Map());
    this._apart = this._pairsApart();
    this._listen();
    this.joints = new Joints(this, this.setup.joints);
    this.vehicles = this._vehicles();
    this._hasFields = this.setup.volumes.some((volume) => volume.gravity);
    this._setGravity();
    /** @type {import("./records.js").Issue[]} what is played otherwise than the file says it */
    this.limitations = this._limitations();
    /** @type {{body: number, place: Vec, to: Vec} | null} what a hand pulls: a point of a body, and where to */
    this.pulled = null;
    this._look();
  }

  _start() {
    const { Jolt } = this, settings = new Jolt.JoltSettings(), count = this.setup.bodies.length + this.setup.volumes.length + 8;
    settings.mMaxWorkerThreads = 0;
    settings.mMaxBodies = Math.max(count, 64);
    settings.mMaxBodyPairs = Math.max(16 * count, 4096);
    settings.mMaxContactConstraints = Math.max(16 * count, 4096);
    const pairs = new Jolt.ObjectLayerPairFilterTable(3);
    for (const [a, b] of [[STATIC, MOVING], [MOVING, MOVING], [MOVING, SENSOR], [STATIC, SENSOR]]) pairs.EnableCollision(a, b);
    const phases = new Jolt.BroadPhaseLayerInterfaceTable(3, 3);
    for (const layer of [STATIC, MOVING, SENSOR]) {
      const phase = new Jolt.BroadPhaseLayer(layer);
      phases.MapObjectToBroadPhaseLayer(layer, phase);
      Jolt.destroy(phase);
    }
    settings.mObjectLayerPairFilter = pairs;
    settings.mBroadPhaseLayerInterface = phases;
    settings.mObjectVsBroadPhaseLayerFilter = new Jolt.ObjectVsBroadPhaseLayerFilterTable(phases, 3, pairs, 3);
    this._filters = { phases: settings.mObjectVsBroadPhaseLayerFilter, pairs };
    this.jolt = new Jolt.JoltInterface(settings);
    Jolt.destroy(settings);
    this.system = this.jolt.GetPhysicsSystem();
    this.bodies = this.system.GetBodyInterface();
    const physics = this.system.GetPhysicsSettings();
    physics.mPenetrationSlop = 0.001;
    physics.mSpeculativeContactDistance = 0.01;
    physics.mMinVelocityForRestitution = 0.1;
    [physics.mNumVelocitySteps, physics.mNumPositionSteps] = this.rounds;
    physics.mAllowSleeping = false;
    this.system.SetPhysicsSettings(physics);
    this.world = this.jolt.sGetFixedToWorldBody();
  }

  /** A shape of Jolt's for a form; what has none is empty. @param {import("./solids.js").Form} form @param {boolean} isStatic @param {number} number of the solid, from 1 on */
  _shape(form, isStatic, number) {
    const settings = this._shapeSettings(form, isStatic);
    settings.mUserData = number;
    const result = settings.Create();
    if (result.HasError()) {
      this.physics.issues.push({ place: `/nodes/${this.solids[number - 1]?.node ?? ""}`, text: `the engine makes no shape of it: ${result.GetError().c_str()}` });
      this.Jolt.destroy(settings);
      return null;
    }
    const shape = result.Get();
    shape.AddRef();
    this.Jolt.destroy(settings);
    this._shapes.push(shape);
    return shape;
  }

  /** @param {import("./solids.js").Form} form @param {boolean} isStatic */
  _shapeSettings(form, isStatic) {
    const { Jolt } = this, tiny = 1e-4, radius = (/** @type {number} */ x) => Math.min(0.002, 0.1 * x);
    if (form.type === "sphere") return new Jolt.SphereShapeSettings(Math.max(form.radius, tiny));
    if (form.type === "box" || form.type === "plane") {
      if (form.type === "plane" && isStatic && !form.sizeX && !form.sizeZ) return new Jolt.PlaneShapeSettings(new Jolt.Plane(new Jolt.Vec3(0, 1, 0), 0), null, FAR);
      const half = (form.type === "box" ? form.size : [form.sizeX ?? FAR, THICK, form.sizeZ ?? FAR]).map((x) => Math.max(x / 2, tiny));
      const v = new Jolt.Vec3(...half), settings = new Jolt.BoxShapeSettings(v, radius(Math.min(...half)));
      Jolt.destroy(v);
      return settings;
    }
    if (form.type === "mesh") return form.isConvex || !form.triangles.length ? this._hull(form.corners) : this._mesh(form);
    const { height, radiusBottom: low, radiusTop: high } = form, same = Math.abs(low - high) <= 1e-6 * Math.max(low, high);
    if (form.type === "capsule") {
      if (height <= tiny || Math.abs(low - high) >= height) return this._sphereOf(form);
      return same ? new Jolt.CapsuleShapeSettings(height / 2, low) : new Jolt.TaperedCapsuleShapeSettings(height / 2, high, low);
    }
    const edge = radius(Math.min(Math.max(low, high), height / 2));
    if (same) return new Jolt.CylinderShapeSettings(Math.max(height / 2, tiny), Math.max(low, tiny), edge);
    return new Jolt.TaperedCylinderShapeSettings(height / 2, Math.max(high, tiny), Math.max(low, tiny), Math.min(edge, 0.5 * Math.max(Math.min(low, high), tiny)));
  }

  /** A capsule whose larger end holds the other, or that has no length. @param {any} form */
  _sphereOf({ height, radiusBottom, radiusTop }) {
    const { Jolt } = this, isTop = radiusTop > radiusBottom, v = new Jolt.Vec3(0, (isTop ? 1 : -1) * (height / 2), 0), q = new Jolt.Quat(0, 0, 0, 1);
    const settings = new Jolt.RotatedTranslatedShapeSettings(v, q, new Jolt.SphereShapeSettings(Math.max(radiusTop, radiusBottom, 1e-4)));
    Jolt.destroy(v);
    Jolt.destroy(q);
    return settings;
  }

  /** @param {Vec[]} corners */
  _hull(corners) {
    const { Jolt } = this, settings = new Jolt.ConvexHullShapeSettings(), v = this.vectors.a;
    for (const corner of corners) {
      v.Set(...corner);
      settings.mPoints.push_back(v);
    }
    settings.mMaxConvexRadius = 0.002;
    return settings;
  }

  /** @param {import("./solids.js").MeshForm} form */
  _mesh(form) {
    const { Jolt } = this, vertices = new Jolt.VertexList(), triangles = new Jolt.IndexedTriangleList(), f = new Jolt.Float3(0, 0, 0);
    for (const [x, y, z] of form.corners) {
      [f.x, f.y, f.z] = [x, y, z];
      vertices.push_back(f);
    }
    for (const [a, b, c] of form.triangles) {
      const triangle = new Jolt.IndexedTriangle(a, b, c, 0);
      triangles.push_back(triangle);
      Jolt.destroy(triangle);
    }
    const materials = new Jolt.PhysicsMaterialList(), settings = new Jolt.MeshShapeSettings(vertices, triangles, materials);
    settings.Sanitize();
    for (const one of [f, vertices, triangles, materials]) Jolt.destroy(one);
    return settings;
  }

  /** What a form weighs at 1 kg/m³; alike forms are weighed once. @param {import("./solids.js").Form} form */
  _weigh(form) {
    return weighForm(form, (corners) => {
      const { Jolt } = this, settings = this._hull(corners), result = settings.Create();
      if (result.HasError()) return Jolt.destroy(settings), null;
      const shape = result.Get(), said = shape.GetMassProperties(), center = vecOf(shape.GetCenterOfMass());
      const mass = said.mMass / 1000, tensor = [];
      for (let c = 0; c < 3; c++) {
        const column = said.mInertia.GetColumn3(c);
        tensor.push(column.GetX() / 1000, column.GetY() / 1000, column.GetZ() / 1000);
      }
      Jolt.destroy(settings);
      return { mass, center, tensor };
    });
  }

  /** One shape of several solids around the origin of a frame; null for none. @param {import("./setup.js").Solid[]} solids @param {number} owner number of the body, or below 0 of the volume @param {boolean} isStatic */
  _compound(solids, owner, isStatic) {
    const { Jolt } = this, compound = new Jolt.StaticCompoundShapeSettings(), { a, turn } = this.vectors;
    let count = 0;
    for (const solid of solids) {
      const number = this.solids.push({ ...solid, owner }), shape = this._shape(solid.form, isStatic, number);
      if (!shape) continue;
      const place = solid.form.type === "plane" && !(isStatic && !solid.form.sizeX && !solid.form.sizeZ) ? add(solid.place, rotate(solid.turn, [0, -THICK / 2, 0])) : solid.place;
      a.Set(...place);
      turn.Set(...solid.turn);
      compound.AddShapeShape(a, turn, shape, number);
      count++;
    }
    if (!count) return Jolt.destroy(compound), null;
    const result = compound.Create();
    const shape = result.Get();
    shape.AddRef();
    Jolt.destroy(compound);
    return shape;
  }

  /** Friction and restitution between any two solids, where these are the same; else null. */
  _oneSurface() {
    const { materials } = this.physics, used = new Set(this.setup.bodies.flatMap((body) => body.solids.map((solid) => solid.material)));
    if (used.size > 1) return null;
    const [at] = used, one = at === null || at === undefined ? PLAIN : materials[at];
    if (one.staticFriction !== one.dynamicFriction) return null;
    const twice = (/** @type {number} */ value, /** @type {string} */ mode) => combined(value, value, mode, mode);
    return { friction: twice(one.dynamicFriction, one.frictionCombine), restitution: twice(one.restitution, one.restitutionCombine) };
  }

  /** @param {import("./setup.js").Body} body @param {number} at @returns {Actor} */
  _actor(body, at) {
    const { Jolt } = this, isDynamic = body.type === "dynamic";
    let inner = this._compound(body.solids, at, body.type === "static") ?? new Jolt.EmptyShape();
    const weight = isDynamic && body.motion
      ? weighed(body.motion, weighAll(body.solids, (form) => this._weigh(form)), this.physics.family)
      : { mass: Infinity, center: [0, 0, 0], moments: [Infinity, Infinity, Infinity], turn: [0, 0, 0, 1] };
    if (!isDynamic && body.motion?.centerOfMass) weight.center = body.motion.centerOfMass;
    if (isDynamic && !Number.isFinite(weight.mass)) weight.mass = this._heaviest;
    if (!inner.MustBeStatic()) {
      const offset = new Jolt.Vec3(...sub(weight.center, vecOf(inner.GetCenterOfMass())));
      inner = new Jolt.OffsetCenterOfMassShape(inner, offset);
      Jolt.destroy(offset);
    }
    const { place, turn } = this.vectors;
    place.Set(...body.pose.place);
    turn.Set(...body.pose.turn);
    const kind = isDynamic ? Jolt.EMotionType_Dynamic : body.type === "kinematic" ? Jolt.EMotionType_Kinematic : Jolt.EMotionType_Static;
    const settings = new Jolt.BodyCreationSettings(inner, place, turn, inner.MustBeStatic() ? Jolt.EMotionType_Static : kind, kind === Jolt.EMotionType_Static ? STATIC : MOVING);
    settings.mLinearDamping = settings.mAngularDamping = 0;
    settings.mMaxLinearVelocity = settings.mMaxAngularVelocity = HUGE;
    settings.mAllowSleeping = false;
    settings.mApplyGyroscopicForce = true;
    if (this._uniform) {
      // Jolt takes the geometric mean of frictions and the larger restitution, which are these.
      settings.mFriction = this._uniform.friction;
      settings.mRestitution = this._uniform.restitution;
    }
    settings.mEnhancedInternalEdgeRemoval = this._hasMeshes;
    if (isDynamic && body.solids.some((s) => s.form.type !== "plane")) settings.mMotionQuality = Jolt.EMotionQuality_LinearCast;
    if (isDynamic) {
      settings.mOverrideMassProperties = Jolt.EOverrideMassProperties_MassAndInertiaProvided;
      settings.mMassPropertiesOverride.mMass = 1;
      settings.mMassPropertiesOverride.mInertia = Jolt.Mat44.prototype.sIdentity();
    }
    const jolt = this.bodies.CreateBody(settings), inverse = (/** @type {number} */ x) => (x > 0 && Number.isFinite(x) ? 1 / x : 0);
    Jolt.destroy(settings);
    const actor = {
      jolt, id: jolt.GetID(), mass: weight.mass, center: weight.center, moments: weight.moments, axes: weight.turn,
      inverseMass: isDynamic ? inverse(weight.mass) : 0,
      inverse: isDynamic ? weight.moments.map(inverse) : [0, 0, 0],
      isMovable: isDynamic,
    };
    if (isDynamic) {
      const motion = jolt.GetMotionProperties(), { a } = this.vectors;
      motion.SetInverseMass(actor.inverseMass);
      a.Set(...actor.inverse);
      turn.Set(...actor.axes);
      motion.SetInverseInertia(a, turn);
    }
    this.bodies.AddBody(jolt.GetID(), Jolt.EActivation_Activate);
    if (body.type !== "static" && !body.isAnimated) {
      const { a, b } = this.vectors;
      a.Set(...body.velocity);
      b.Set(...body.spin);
      this.bodies.SetLinearAndAngularVelocity(jolt.GetID(), a, b);
    }
    return actor;
  }

  /** @param {import("./setup.js").Volume} volume @param {number} at */
  _sensor(volume, at) {
    const { Jolt } = this, shape = this._compound(volume.solids, -1 - at, false);
    if (!shape) return null;
    const moves = volume.frame.body !== WORLD && this.setup.bodies[volume.frame.body].type !== "static";
    const pose = this.poseOf(volume.frame), { place, turn } = this.vectors;
    place.Set(...pose.place);
    turn.Set(...pose.turn);
    const settings = new Jolt.BodyCreationSettings(shape, place, turn, moves ? Jolt.EMotionType_Kinematic : Jolt.EMotionType_Static, SENSOR);
    settings.mIsSensor = true;
    settings.mCollideKinematicVsNonDynamic = moves;
    settings.mAllowSleeping = false;
    const body = this.bodies.CreateBody(settings);
    Jolt.destroy(settings);
    this.bodies.AddBody(body.GetID(), Jolt.EActivation_Activate);
    return { jolt: body, moves, volume };
  }

  /** Pairs of bodies that joints keep from touching. */
  _pairsApart() {
    const found = new Set();
    for (const { first, second, enableCollision } of this.setup.joints)
      if (!enableCollision && first.body !== WORLD && second.body !== WORLD) found.add(`${Math.min(first.body, second.body)} ${Math.max(first.body, second.body)}`);
    return found;
  }

  _listen() {
    const { Jolt } = this, { materials, filters, family } = this.physics, byPointer = new Map(), byId = new Map();
    const note = (/** @type {any} */ body, /** @type {number} */ owner) => {
      const entry = { owner, body, only: 0 };
      byPointer.set(Jolt.getPointer(body), entry);
      byId.set(body.GetID().GetIndexAndSequenceNumber(), entry);
    };
    this.actors.forEach(({ jolt }, i) => note(jolt, i));
    this.sensors.forEach((sensor, i) => sensor && note(sensor.jolt, -1 - i));
    const counts = new Map();
    this.solids.forEach(({ owner }, i) => counts.set(owner, counts.has(owner) ? 0 : i + 1));
    for (const entry of byPointer.values()) entry.only = counts.get(entry.owner) ?? 0;
    const solidOf = (/** @type {any} */ entry, /** @type {any} */ part) => this.solids[(entry.only || entry.body.GetShape().GetSubShapeUserData(part)) - 1];
    const asks = filters.length > 0 || this._apart.size > 0 || this.sensors.some((sensor) => sensor?.moves);
    const accept = Jolt.ValidateResult_AcceptContact, reject = Jolt.ValidateResult_RejectContact, all = Jolt.ValidateResult_AcceptAllContactsForThisBodyPair, none = Jolt.ValidateResult_RejectAllContactsForThisBodyPair;
    /** @type {Map<number, {friction: [number, number], restitution: number}>} */
    const known = new Map();
    const surfaces = (/** @type {any} */ a, /** @type {any} */ b) => {
      const key = (a.material ?? -1) * 65536 + (b.material ?? -1);
      let found = known.get(key);
      if (!found) {
        const one = a.material === null ? PLAIN : materials[a.material], other = b.material === null ? PLAIN : materials[b.material];
        const friction = (/** @type {"staticFriction" | "dynamicFriction"} */ name) => combined(one[name], other[name], one.frictionCombine, other.frictionCombine);
        found = { friction: [friction("staticFriction"), friction("dynamicFriction")], restitution: combined(one.restitution, other.restitution, one.restitutionCombine, other.restitutionCombine) };
        known.set(key, found);
      }
      return found;
    };
    const touched = (/** @type {any} */ a, /** @type {any} */ b, /** @type {number} */ change) => {
      if (a.owner >= 0 && b.owner >= 0) return false;
      const [volume, body] = a.owner < 0 ? [-1 - a.owner, b.owner] : [-1 - b.owner, a.owner], inside = this.inside[volume];
      const count = (inside.get(body) ?? 0) + change;
      if (count > 0) inside.set(body, count);
      else inside.delete(body);
      if (count === 1 && change > 0) this.events.push({ time: this.time, trigger: volume, body, entered: true });
      if (count === 0) this.events.push({ time: this.time, trigger: volume, body, entered: false });
      return true;
    };
    const settle = (/** @type {any} */ a, /** @type {any} */ b, /** @type {number} */ manifoldAt, /** @type {number} */ settingsAt) => {
      const manifold = Jolt.wrapPointer(manifoldAt, Jolt.ContactManifold), settings = Jolt.wrapPointer(settingsAt, Jolt.ContactSettings);
      const found = surfaces(solidOf(a, manifold.mSubShapeID1), solidOf(b, manifold.mSubShapeID2));
      let [atRest, sliding] = found.friction;
      if (atRest !== sliding && this._slides(a, b, manifold)) atRest = sliding;
      settings.mCombinedFriction = atRest;
      settings.mCombinedRestitution = found.restitution;
    };
    const listener = new Jolt.ContactListenerJS();
    listener.OnContactValidate = (/** @type {number} */ p, /** @type {number} */ q, /** @type {number} */ _, /** @type {number} */ result) => {
      if (!asks) return all;
      const a = byPointer.get(p), b = byPointer.get(q);
      if (!a || !b) return all;
      const isSensor = a.owner < 0 || b.owner < 0;
      if (isSensor) {
        const [volume, body] = a.owner < 0 ? [-1 - a.owner, b.owner] : [-1 - b.owner, a.owner];
        if (body < 0 || this.setup.volumes[volume].frame.body === body) return none;
      } else if (this._apart.size && this._apart.has(`${Math.min(a.owner, b.owner)} ${Math.max(a.owner, b.owner)}`)) return none;
      if (!filters.length) return all;
      const hit = Jolt.wrapPointer(result, Jolt.CollideShapeResult), one = solidOf(a, hit.mSubShapeID1), other = solidOf(b, hit.mSubShapeID2);
      return meets(one.filter === null ? null : filters[one.filter], other.filter === null ? null : filters[other.filter], family) ? accept : reject;
    };
    listener.OnContactAdded = (/** @type {number} */ p, /** @type {number} */ q, /** @type {number} */ manifold, /** @type {number} */ settings) => {
      const a = byPointer.get(p), b = byPointer.get(q);
      if (!touched(a, b, 1)) settle(a, b, manifold, settings);
    };
    listener.OnContactPersisted = (/** @type {number} */ p, /** @type {number} */ q, /** @type {number} */ manifold, /** @type {number} */ settings) => {
      const a = byPointer.get(p), b = byPointer.get(q);
      if (a.owner >= 0 && b.owner >= 0) settle(a, b, manifold, settings);
    };
    listener.OnContactRemoved = (/** @type {number} */ pair) => {
      const said = Jolt.wrapPointer(pair, Jolt.SubShapeIDPair);
      touched(byId.get(said.GetBody1ID().GetIndexAndSequenceNumber()), byId.get(said.GetBody2ID().GetIndexAndSequenceNumber()), -1);
    };
    this._listener = listener;
    // Where all surfaces are alike and all may touch, the engine needs to ask nobody.
    if (!this._uniform || asks || this.sensors.some(Boolean)) this.system.SetContactListener(listener);
  }

  /** @param {any} a @param {any} b @param {any} manifold */
  _slides(a, b, manifold) {
    const point = vecOf(manifold.GetWorldSpaceContactPointOn1(0)), normal = vecOf(manifold.mWorldSpaceNormal);
    const [u, v] = [a, b].map((entry) => {
      const state = this.stateOf(entry.owner);
      return add(state.velocity, cross(state.spin, sub(point, state.center)));
    });
    const way = sub(v, u);
    return size(sub(way, mul(normal, dot(way, normal)))) > STICKS;
  }

  _setGravity() {
    const { a } = this.vectors;
    a.Set(...(this._hasFields ? [0, 0, 0] : this.gravity));
    this.system.SetGravity(a);
    this.actors.forEach((actor, i) => {
      if (actor.isMovable) actor.jolt.GetMotionProperties().SetGravityFactor(actor.inverseMass > 0 ? this.setup.bodies[i].gravityFactor : 0);
    });
  }

  _vehicles() {
    const { nodes, wheels, thrusters, hoverThrusters, materials } = this.physics, byBody = new Map();
    for (const [node, frame] of this.setup.frames) {
      const part = nodes.get(node);
      const [kind, list, index] = part?.wheel !== undefined ? ["wheel", wheels, part.wheel] : part?.thruster !== undefined ? ["thruster", thrusters, part.thruster] : part?.hoverThruster !== undefined ? ["hoverThruster", hoverThrusters, part.hoverThruster] : [null, [], 0];
      if (!kind || frame.body === WORLD || !this.actors[frame.body].isMovable) continue;
      const record = list[index], material = materials[record.physicsMaterial] ?? null;
      if (!byBody.has(frame.body)) byBody.set(frame.body, []);
      byBody.get(frame.body).push({ kind, record, frame, node, material });
    }
    for (const [node, part] of nodes) {
      const body = this.setup.bodyOf.get(node);
      if (part.vehicle && body !== undefined && this.actors[body].isMovable && !byBody.has(body)) byBody.set(body, []);
    }
    return [...byBody].map(([body, parts]) => {
      const { node, name } = this.setup.bodies[body];
      return new Vehicle(body, nodes.get(node)?.vehicle ?? null, parts, this.actors[body].center, name);
    });
  }

  /** What this engine does otherwise. @returns {import("./records.js").Issue[]} */
  _limitations() {
    const found = /** @type {import("./records.js").Issue[]} */ ([]), isMesh = (/** @type {any} */ { form }) => form.type === "mesh" && !form.isConvex;
    const { bodies, volumes } = this.setup;
    if (bodies.some((body) => body.type === "static" && body.solids.some(isMesh)))
      for (const body of bodies) if (body.type !== "static" && body.solids.some(isMesh)) found.push({ place: `/nodes/${body.node}`, text: "the trimesh moves, and does not collide with other trimeshes" });
    for (const volume of volumes) if (volume.solids.some(isMesh)) found.push({ place: `/nodes/${volume.node}`, text: "the trigger is a trimesh, and detects what touches its surface" });
    for (const node of this.joints.pushed) found.push({ place: `/nodes/${node}`, text: "the joint has a limit that impulses hold, and gives way a little" });
    return found;
  }

  /** Let triggers notice what is in them at the start. */
  _look() {
    const settings = this.system.GetPhysicsSettings(), rounds = settings.mNumPositionSteps;
    if (!this.sensors.some(Boolean)) return;
    settings.mNumPositionSteps = 0;
    this.system.SetPhysicsSettings(settings);
    this.jolt.Step(1e-7, 1);
    settings.mNumPositionSteps = rounds;
    this.system.SetPhysicsSettings(settings);
  }

  /** The body of Jolt's; the world for -1. @param {number} at */
  joltBody(at) {
    return at === WORLD ? this.world : this.actors[at].jolt;
  }

  /** @param {number} at */
  isMovable(at) {
    return at !== WORLD && this.actors[at].isMovable;
  }

  /** The center of mass in a body. @param {number} at @returns {Vec} */
  centerOf(at) {
    return at === WORLD ? [0, 0, 0] : this.actors[at].center;
  }

  /** Where a body is: the place and rotation of its node, without scale. @param {number} at @returns {Pose} */
  pose(at) {
    if (at === WORLD) return { place: [0, 0, 0], turn: [0, 0, 0, 1] };
    const { jolt } = this.actors[at];
    return { place: vecOf(jolt.GetPosition()), turn: quatOf(jolt.GetRotation()) };
  }

  /** Where a frame is now. @param {Frame} frame @returns {Pose} */
  poseOf(frame) {
    return frame.body === WORLD ? frame : placed(this.actors ? this.pose(frame.body) : this.setup.bodies[frame.body].pose, frame);
  }

  /** Place, motion and mass of a body now. @param {number} at @returns {import("./vehicles.js").State} */
  stateOf(at) {
    const pose = this.pose(at);
    if (at === WORLD) return { ...pose, center: [0, 0, 0], velocity: [0, 0, 0], spin: [0, 0, 0], inverseMass: 0, inverseInertia: () => [0, 0, 0] };
    const actor = this.actors[at], axes = turned(pose.turn, actor.axes), home = back(axes);
    return {
      ...pose, center: add(pose.place, rotate(pose.turn, actor.center)),
      velocity: vecOf(actor.jolt.GetLinearVelocity()), spin: vecOf(actor.jolt.GetAngularVelocity()), inverseMass: actor.inverseMass,
      inverseInertia: (v) => rotate(axes, rotate(home, v).map((x, i) => x * actor.inverse[i])),
    };
  }

  /** Change the speed of a body at once. @param {number} at @param {Vec} impulse @param {Vec} turn N m s, beside that of the impulse @param {Vec} point */
  kick(at, impulse, turn, point) {
    if (!this.isMovable(at)) return;
    const state = this.stateOf(at), { a, b } = this.vectors;
    a.Set(...add(state.velocity, mul(impulse, state.inverseMass)));
    b.Set(...add(state.spin, state.inverseInertia(add(turn, cross(sub(point, state.center), impulse)))));
    this.bodies.SetLinearAndAngularVelocity(this.actors[at].jolt.GetID(), a, b);
  }

  /** Push for one step. @param {number} at @param {Vec} force @param {Vec} point */
  push(at, force, point) {
    if (!this.isMovable(at)) return;
    const { a, place } = this.vectors;
    a.Set(...force);
    place.Set(...point);
    this.actors[at].jolt.AddForce(a, place);
  }

  /** Turn for one step. @param {number} at @param {Vec} torque */
  twist(at, torque) {
    if (!this.isMovable(at)) return;
    const { a } = this.vectors;
    a.Set(...torque);
    this.actors[at].jolt.AddTorque(a);
  }

  /**
   * What a ray meets first.
   * @param {Vec} origin @param {Vec} direction of length 1 @param {number} length m @param {number} ignored a body that does not stop it, -1 for none
   * @returns {import("./vehicles.js").Hit}
   */
  cast(origin, direction, length, ignored) {
    const { Jolt } = this;
    if (!this._ray) {
      this._ray = new Jolt.RRayCast();
      this._raySettings = new Jolt.RayCastSettings();
      this._raySettings.mTreatConvexAsSolid = false;
      this._collector = new Jolt.CastRayClosestHitCollisionCollector();
      // What moves meets what stands and what moves, but no triggers.
      this._phaseFilter = new Jolt.DefaultBroadPhaseLayerFilter(this._filters.phases, MOVING);
      this._solidFilter = new Jolt.ObjectLayerFilterJS();
      this._solidFilter.ShouldCollide = (/** @type {number} */ layer) => layer !== SENSOR;
      this._shapeFilter = new Jolt.ShapeFilter();
      /** @type {Map<number, any>} */
      this._ignoring = new Map();
      this._byId = new Map(this.actors.map(({ jolt }, i) => [jolt.GetID().GetIndexAndSequenceNumber(), i]));
    }
    this._ray.mOrigin.Set(...origin);
    this._ray.mDirection.Set(...mul(direction, length));
    if (!this._ignoring.has(ignored)) this._ignoring.set(ignored, ignored === WORLD ? new Jolt.BodyFilter() : new Jolt.IgnoreSingleBodyFilter(this.actors[ignored].jolt.GetID()));
    this._collector.Reset();
    this.system.GetNarrowPhaseQuery().CastRay(this._ray, this._raySettings, this._collector, this._phaseFilter, this._solidFilter, this._ignoring.get(ignored), this._shapeFilter);
    if (!this._collector.HadHit()) return { distance: Infinity, normal: [0, 1, 0], body: WORLD };
    const hit = this._collector.mHit, body = this._byId.get(hit.mBodyID.GetIndexAndSequenceNumber()) ?? WORLD, distance = hit.mFraction * length;
    const { place } = this.vectors;
    place.Set(...add(origin, mul(direction, distance)));
    const normal = vecOf(this.joltBody(body).GetWorldSpaceSurfaceNormal(hit.mSubShapeID2, place));
    return { distance, normal: dot(normal, direction) > 0 ? mul(normal, -1) : normal, body };
  }

  /** The gravity at a body, without its factor. @param {number} at */
  gravityOf(at) {
    if (!this._hasFields) return this.gravity;
    const center = this.stateOf(at).center;
    const fields = this.setup.volumes.flatMap((volume, i) => (volume.gravity && this.inside[i].has(at) ? [{ volume, pose: this.poseOf(volume.frame) }] : []));
    return gravityAt(fields, center, this.gravity, this.step);
  }

  /** Go on by some time, in whole steps. @param {number} seconds */
  play(seconds) {
    const steps = Math.round(seconds * this.rate);
    for (let i = 0; i < steps; i++) this.advance();
  }

  /** One step. */
  advance() {
    const dt = this.step;
    if (this.animations.nodes.size) this._animate(dt);
    if (this._hasFields)
      this.actors.forEach((actor, i) => {
        if (!actor.isMovable || !(actor.inverseMass > 0)) return;
        const { a } = this.vectors;
        a.Set(...mul(this.gravityOf(i), actor.mass * this.setup.bodies[i].gravityFactor));
        actor.jolt.AddForce(a);
      });
    const around = {
      state: (/** @type {number} */ at) => this.stateOf(at),
      cast: (/** @type {Vec} */ o, /** @type {Vec} */ d, /** @type {number} */ l, /** @type {number} */ i) => this.cast(o, d, l, i),
      gravity: (/** @type {number} */ at) => mul(this.gravityOf(at), this.setup.bodies[at].gravityFactor),
      push: (/** @type {number} */ at, /** @type {Vec} */ f, /** @type {Vec} */ p) => this.push(at, f, p),
      twist: (/** @type {number} */ at, /** @type {Vec} */ t) => this.twist(at, t),
    };
    for (const vehicle of this.vehicles) vehicle.apply(around, dt);
    if (this.pulled) this._pull(this.pulled);
    this.joints.update(dt);
    this._carry(dt);
    this.jolt.Step(dt, 1);
    this.steps++;
    this.time = this.steps * dt;
  }

  /** Move what keyframes move. @param {number} dt */
  _animate(dt) {
    const { nodes } = this.gltf, { place, turn } = this.vectors;
    this.animations.apply(nodes, this.time + dt);
    placeNodes(nodes);
    this.setup.bodies.forEach((body, i) => {
      if (!body.isAnimated) return;
      const { world } = nodes[body.node];
      place.Set(world[12], world[13], world[14]);
      turn.Set(...nearestTurn(linear(world)));
      this.bodies.MoveKinematic(this.actors[i].jolt.GetID(), place, turn, dt);
    });
  }

  /** Move triggers with their bodies. @param {number} dt */
  _carry(dt) {
    const { place, turn } = this.vectors;
    for (const sensor of this.sensors) {
      if (!sensor?.moves) continue;
      const pose = this.poseOf(sensor.volume.frame);
      place.Set(...pose.place);
      turn.Set(...pose.turn);
      this.bodies.SetPositionAndRotation(sensor.jolt.GetID(), place, turn, this.Jolt.EActivation_Activate);
    }
  }

  /** Pull a body by one of its points from now on, until `pulled` is null. @param {number} body @param {Vec} point where it is now */
  grab(body, point) {
    const pose = this.pose(body);
    this.pulled = { body, place: rotate(back(pose.turn), sub(point, pose.place)), to: point };
  }

  /** A spring with critical damping brings a point of a body to a place. @param {{body: number, place: Vec, to: Vec}} hand */
  _pull({ body, place, to }) {
    if (!this.isMovable(body)) return;
    const state = this.stateOf(body), point = add(state.place, rotate(state.turn, place)), arm = sub(point, state.center);
    const rate = add(state.velocity, cross(state.spin, arm));
    let wanted = sub(mul(sub(to, point), FREQUENCY ** 2), mul(rate, 2 * FREQUENCY));
    wanted = mul(wanted, Math.min(1, MOST_PULL / Math.max(size(wanted), 1e-9)));
    const columns = [0, 1, 2].map((i) => {
      const axis = [0, 0, 0].with(i, 1);
      return add(mul(axis, state.inverseMass), cross(state.inverseInertia(cross(arm, axis)), arm));
    });
    const det = dot(columns[0], cross(columns[1], columns[2]));
    if (!(Math.abs(det) > 0)) return;
    const force = [0, 1, 2].map((i) => dot(wanted, cross(columns[(i + 1) % 3], columns[(i + 2) % 3])) / det);
    this.push(body, force, point);
  }

  /** Give back what the engine holds; the world is of no use after that. */
  free() {
    const { Jolt } = this;
    for (const [constraint] of this.joints.made) this.system.RemoveConstraint(constraint);
    for (const { jolt } of [...this.actors, ...this.sensors.filter(Boolean)]) {
      this.bodies.RemoveBody(jolt.GetID());
      this.bodies.DestroyBody(jolt.GetID());
    }
    for (const shape of this._shapes) shape.Release();
    Jolt.destroy(this.jolt);
    Jolt.destroy(this._listener);
    for (const one of Object.values(this.vectors)) Jolt.destroy(one);
  }
}

const vecOf = (/** @type {any} */ v) => [v.GetX(), v.GetY(), v.GetZ()];
const quatOf = (/** @type {any} */ q) => [q.GetX(), q.GetY(), q.GetZ(), q.GetW()];
