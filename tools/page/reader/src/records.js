/**
 * From glTF's JSON to plain records of its physics: OMI_physics_*, OMI_vehicle_* and OMI_seat, and
 * KHR_physics_rigid_bodies with KHR_implicit_shapes, in their current forms.
 *
 * What is wrong is told in `issues`, and the default kept.
 *
 * @typedef {{type: "box", size: number[]} | {type: "sphere", radius: number}
 *   | {type: "capsule" | "cylinder", height: number, radiusBottom: number, radiusTop: number}
 *   | {type: "plane", sizeX: number | null, sizeZ: number | null}
 *   | {type: "convex" | "trimesh", mesh: number}} Shape lengths in m; capsules' height is that between the centers of their ends
 * @typedef {{type: "static" | "kinematic" | "dynamic", mass: number | null, centerOfMass: number[] | null,
 *   inertiaDiagonal: number[] | null, inertiaOrientation: number[], linearVelocity: number[],
 *   angularVelocity: number[], gravityFactor: number}} Motion null is left to the engine; a mass of Infinity cannot be pushed
 * @typedef {{shape: number | null, material: number | null, filter: number | null}} Collider
 * @typedef {{shape: number | null, nodes: number[], filter: number | null}} Trigger
 * @typedef {{settings: number, connected: number, enableCollision: boolean}} Joint
 * @typedef {{linearAxes: number[], angularAxes: number[], min: number, max: number, stiffness: number, damping: number}} Limit infinite where nothing is said
 * @typedef {{type: string, mode: string, axis: number, maxForce: number, positionTarget: number | null,
 *   velocityTarget: number, stiffness: number, damping: number}} Drive
 * @typedef {{staticFriction: number, dynamicFriction: number, restitution: number, frictionCombine: string, restitutionCombine: string}} Material
 * @typedef {{collisionSystems: string[], collideWithSystems: string[], notCollideWithSystems: string[]}} Filter
 * @typedef {Record<string, any>} Part fields as the specification names them
 * @typedef {{motion?: Motion, collider?: Collider, trigger?: Trigger, joint?: Joint, gravity?: Part, vehicle?: Part,
 *   wheel?: number, thruster?: number, hoverThruster?: number, seat?: Part}} NodePhysics
 * @typedef {{place: string, text: string}} Issue
 * @typedef {object} Physics
 * @property {"OMI" | "KHR"} family whose meaning counts where the two differ
 * @property {Map<number, NodePhysics>} nodes
 * @property {Shape[]} shapes
 * @property {Material[]} materials
 * @property {Filter[]} filters
 * @property {{limits: Limit[], drives: Drive[]}[]} joints
 * @property {Part[]} wheels
 * @property {Part[]} thrusters
 * @property {Part[]} hoverThrusters
 * @property {{gravity: number, direction: number[]} | null} gravity of the world
 * @property {Issue[]} issues
 */
import { unitQuat } from "./math.js";

const OMI_SIZES = { box: { size: [1, 1, 1] }, sphere: { radius: 0.5 }, capsule: { height: 1, radiusBottom: 0.5, radiusTop: 0.5 }, cylinder: { height: 2, radiusBottom: 0.5, radiusTop: 0.5 } };
const KHR_SIZES = { box: { size: [1, 1, 1] }, sphere: { radius: 0.5 }, capsule: { height: 0.5, radiusBottom: 0.25, radiusTop: 0.25 }, cylinder: { height: 0.5, radiusBottom: 0.25, radiusTop: 0.25 } };
const WHEEL = {
  brakingForce: -1, maxPropulsionForce: 0, maxSteeringAngle: 0, propulsionForceChangeRate: -1, radius: 0.25, steeringChangeRate: 1,
  suspensionDampingCompression: 2000, suspensionDampingRebound: 2000, suspensionStiffness: 20000, suspensionTravel: 0.25,
  targetPropulsionForceRatio: 0, targetSteeringRatio: 0, width: 0.125, physicsMaterial: -1,
};
const THRUSTER = { maxForce: 0, forceChangeRate: -1, gimbalChangeRate: 1, linearGimbalAdjustRatio: 0, maxGimbal: 0, targetForceRatio: 0, targetGimbalRatio: [0, 0] };
const HOVER = { maxHoverEnergy: 0, hoverEnergyChangeRate: -1, gimbalChangeRate: 1, linearGimbalAdjustRatio: 0.5, maxGimbal: 0, targetHoverRatio: 0, targetGimbalRatio: [0, 0] };
const VEHICLE = { angularActivation: [0, 0, 0], linearActivation: [0, 0, 0], gyroTorque: [0, 0, 0], maxSpeed: -1, pilotSeat: -1, angularDampeners: true, linearDampeners: true, useThrottle: false };
const FIELDS = { directional: { direction: [0, -1, 0] }, point: { unitDistance: 0 }, disc: { radius: 1, unitDistance: 0 }, torus: { radius: 1, unitDistance: 0 }, line: { points: [], unitDistance: 0 }, shaped: { shape: -1, unitDistance: 0 } };
const MATERIAL = { staticFriction: 0.6, dynamicFriction: 0.6, restitution: 0, frictionCombine: "average", restitutionCombine: "average" };
const MODES = ["average", "minimum", "maximum", "multiply"];
const IDENTITY = [0, 0, 0, 1];

/** Reads one file. */
class Reader {
  /** @param {import("./gltf.js").Gltf} gltf */
  constructor(gltf) {
    this.gltf = gltf;
    this.json = gltf.json;
    /** @type {Issue[]} */
    this.issues = [];
    /** @type {Shape[]} */
    this.shapes = [];
    this.byMesh = new Map();
  }

  /** @param {string} place @param {string} text */
  tell(place, text) {
    this.issues.push({ place, text });
  }

  /** Fields with their defaults; what has another type is told. @param {any} said @param {Part} defaults @param {string} place @returns {Part} */
  fields(said, defaults, place) {
    const found = structuredClone(defaults);
    if (!isObject(said)) return found;
    for (const [key, value] of Object.entries(defaults)) {
      if (said[key] === undefined) continue;
      if (fits(said[key], value)) found[key] = said[key];
      else this.tell(`${place}/${key}`, `${key} is not read, as it is no ${Array.isArray(value) ? "list of numbers" : typeof value}`);
    }
    return found;
  }

  /** An index into a list; null for none. @param {any} value @param {any[]} list @param {string} place */
  index(value, list, place) {
    if (value === undefined || value === -1) return null;
    if (Number.isInteger(value) && value >= 0 && value < list.length) return value;
    this.tell(place, `there is no entry ${JSON.stringify(value)}`);
    return null;
  }

  /** @param {any} list @param {string} place @param {Part} sizes */
  readShapes(list, place, sizes) {
    return asList(list).map((said, i) => {
      const type = said?.type, at = `${place}/${i}`;
      if (type === "convex" || type === "trimesh") return { type, mesh: said[type]?.mesh ?? -1 };
      if (type === "plane") {
        const { sizeX, sizeZ } = said.plane ?? {};
        return { type, sizeX: number(sizeX), sizeZ: number(sizeZ) };
      }
      if (!sizes[type]) {
        this.tell(at, `a shape of type ${JSON.stringify(type ?? null)} is not known, so it is left out`);
        return null;
      }
      return { type, ...this.fields(said[type], sizes[type], `${at}/${type}`) };
    });
  }

  /** @param {any} list @param {string} place @returns {Material[]} */
  readMaterials(list, place) {
    return asList(list).map((said, i) => {
      const found = this.fields(said, MATERIAL, `${place}/${i}`);
      for (const key of ["frictionCombine", "restitutionCombine"]) if (!MODES.includes(found[key])) {
        this.tell(`${place}/${i}/${key}`, `${found[key]} is no way to combine, so average counts`);
        found[key] = "average";
      }
      return /** @type {Material} */ (found);
    });
  }

  /** @param {any} list @returns {Filter[]} */
  readFilters(list) {
    const words = (/** @type {any} */ x) => asList(x).filter((w) => typeof w === "string");
    return asList(list).map((said) => ({
      collisionSystems: words(said?.collisionSystems),
      collideWithSystems: words(said?.collideWithSystems),
      notCollideWithSystems: words(said?.notCollideWithSystems),
    }));
  }

  /** @param {any} list @param {string} place */
  readJoints(list, place) {
    const axes = (/** @type {any} */ x) => asList(x).filter((a) => a === 0 || a === 1 || a === 2);
    return asList(list).map((said, i) => ({
      limits: asList(said?.limits).map((one) => ({
        linearAxes: axes(one?.linearAxes),
        angularAxes: axes(one?.angularAxes),
        min: number(one?.min) ?? -Infinity,
        max: number(one?.max) ?? Infinity,
        stiffness: one?.stiffness >= 0 ? one.stiffness : Infinity,
        damping: number(one?.damping) ?? 0,
      })),
      drives: asList(said?.drives).flatMap((one, k) => {
        const known = ["linear", "angular"].includes(one?.type) && ["force", "acceleration"].includes(one?.mode) && [0, 1, 2].includes(one?.axis);
        if (!known) this.tell(`${place}/${i}/drives/${k}`, "type, mode or axis of the drive is not known, so it is left out");
        return known
          ? [{
              type: one.type, mode: one.mode, axis: one.axis,
              maxForce: one.maxForce >= 0 ? one.maxForce : Infinity,
              positionTarget: number(one.positionTarget),
              velocityTarget: number(one.velocityTarget) ?? 0,
              stiffness: number(one.positionTarget) === null ? 0 : number(one.stiffness) ?? 0,
              damping: number(one.damping) ?? 0,
            }]
          : [];
      }),
    }));
  }

  /** @param {any} said @param {string} place @param {boolean} isKhr @returns {Motion} */
  readMotion(said, place, isKhr) {
    let type = said.type;
    if (isKhr) type = said.isKinematic === true ? "kinematic" : "dynamic";
    else if (!["static", "kinematic", "dynamic"].includes(type)) {
      this.tell(`${place}/type`, `the motion ${JSON.stringify(type ?? null)} is not known, so dynamic counts`);
      type = "dynamic";
    }
    const vector = (/** @type {string} */ key) => (said[key] === undefined || fits(said[key], [0, 0, 0]) ? said[key] ?? null : (this.tell(`${place}/${key}`, `${key} is no list of 3 numbers`), null));
    const given = number(said.mass), diagonal = vector("inertiaDiagonal");
    return {
      type,
      mass: isKhr && given === 0 ? Infinity : given !== null && given > 0 ? given : null,
      centerOfMass: vector("centerOfMass"),
      inertiaDiagonal: !diagonal ? null
        : isKhr ? diagonal.map((/** @type {number} */ x) => (x > 0 ? x : Infinity))
        : diagonal.every((/** @type {number} */ x) => x > 0) ? diagonal : null,
      inertiaOrientation: fits(said.inertiaOrientation, IDENTITY) ? unitQuat(said.inertiaOrientation) : IDENTITY,
      linearVelocity: vector("linearVelocity") ?? [0, 0, 0],
      angularVelocity: vector("angularVelocity") ?? [0, 0, 0],
      gravityFactor: number(said.gravityFactor) ?? 1,
    };
  }

  /** The shape that KHR's geometry means; null for none. @param {any} said @param {string} place @param {any[]} shapes */
  geometry(said, place, shapes) {
    if (!isObject(said)) return null;
    const at = this.index(said.shape, shapes, `${place}/shape`);
    if (at !== null) return shapes[at] ? at : null;
    if (said.mesh === undefined) {
      this.tell(place, said.node === undefined ? "the geometry has neither shape nor mesh" : "the geometry has the form of 2025; convert the file first");
      return null;
    }
    const type = said.convexHull === true ? "convex" : "trimesh", key = `${type} ${said.mesh}`;
    if (!this.byMesh.has(key)) this.byMesh.set(key, this.shapes.push({ type, mesh: said.mesh }) - 1);
    return this.byMesh.get(key);
  }

  /** @returns {Physics} */
  read() {
    const roots = this.json.extensions ?? {};
    const uses = (/** @type {string} */ name) => roots[name] !== undefined || this.gltf.list("nodes").some((n) => n?.extensions?.[name] !== undefined);
    const isKhr = uses("KHR_physics_rigid_bodies") && !uses("OMI_physics_body");
    const name = isKhr ? "KHR_physics_rigid_bodies" : "OMI_physics_body", own = roots[name] ?? {}, base = `/extensions/${name}`;
    const shapeName = isKhr ? "KHR_implicit_shapes" : "OMI_physics_shape";
    this.shapes = /** @type {any} */ (this.readShapes(roots[shapeName]?.shapes, `/extensions/${shapeName}/shapes`, isKhr ? KHR_SIZES : OMI_SIZES));
    const jointName = isKhr ? name : "OMI_physics_joint";
    const list = (/** @type {string} */ ext, /** @type {string} */ key, /** @type {Part} */ defaults) =>
      asList(roots[ext]?.[key]).map((said, i) => this.fields(said, defaults, `/extensions/${ext}/${key}/${i}`));
    /** @type {Physics} */
    const found = {
      family: isKhr ? "KHR" : "OMI",
      nodes: new Map(),
      shapes: this.shapes,
      materials: this.readMaterials(own.physicsMaterials, `${base}/physicsMaterials`),
      filters: this.readFilters(own.collisionFilters),
      joints: this.readJoints(roots[jointName]?.physicsJoints, `/extensions/${jointName}/physicsJoints`),
      wheels: list("OMI_vehicle_wheel", "wheels", WHEEL),
      thrusters: list("OMI_vehicle_thruster", "thrusters", THRUSTER),
      hoverThrusters: list("OMI_vehicle_hover_thruster", "hoverThrusters", HOVER),
      gravity: null,
      issues: this.issues,
    };
    const world = roots.OMI_physics_gravity;
    if (isObject(world) && number(world.gravity) !== null) found.gravity = { gravity: world.gravity, direction: fits(world.direction, [0, 0, 0]) ? world.direction : [0, -1, 0] };
    this.gltf.list("nodes").forEach((node, i) => {
      const part = isObject(node?.extensions) ? this.node(node.extensions, `/nodes/${i}/extensions`, isKhr, found) : {};
      if (Object.keys(part).length) found.nodes.set(i, part);
    });
    return found;
  }

  /** @param {any} said @param {string} place @param {boolean} isKhr @param {Physics} lists @returns {NodePhysics} */
  node(said, place, isKhr, lists) {
    /** @type {NodePhysics} */
    const found = {}, name = isKhr ? "KHR_physics_rigid_bodies" : "OMI_physics_body", own = said[name], at = `${place}/${name}`;
    const nodes = this.gltf.list("nodes");
    const shape = (/** @type {any} */ part, /** @type {string} */ where) => {
      if (isKhr) return this.geometry(part.geometry, `${where}/geometry`, this.shapes);
      const index = this.index(part.shape, this.shapes, `${where}/shape`);
      return index !== null && this.shapes[index] ? index : null;
    };
    if (isObject(own)) {
      if (isObject(own.motion)) found.motion = this.readMotion(own.motion, `${at}/motion`, isKhr);
      if (isObject(own.collider)) found.collider = {
        shape: shape(own.collider, `${at}/collider`),
        material: this.index(own.collider.physicsMaterial, lists.materials, `${at}/collider/physicsMaterial`),
        filter: this.index(own.collider.collisionFilter, lists.filters, `${at}/collider/collisionFilter`),
      };
      if (isObject(own.trigger)) found.trigger = {
        shape: !isKhr || own.trigger.geometry ? shape(own.trigger, `${at}/trigger`) : null,
        nodes: asList(own.trigger.nodes).filter((i) => nodes[i]),
        filter: this.index(own.trigger.collisionFilter, lists.filters, `${at}/trigger/collisionFilter`),
      };
    }
    const joint = isKhr ? own?.joint : said.OMI_physics_joint, jointAt = isKhr ? `${at}/joint` : `${place}/OMI_physics_joint`;
    if (isObject(joint)) {
      const settings = this.index(joint.joint, lists.joints, `${jointAt}/joint`), connected = this.index(joint.connectedNode, nodes, `${jointAt}/connectedNode`);
      if (settings !== null && connected !== null) found.joint = { settings, connected, enableCollision: joint.enableCollision === true };
      else this.tell(jointAt, "the joint has no settings or no connected node, so it holds nothing");
    }
    const gravity = said.OMI_physics_gravity;
    if (isObject(gravity)) {
      const field = FIELDS[/** @type {keyof FIELDS} */ (gravity.type)], where = `${place}/OMI_physics_gravity`;
      if (!field) this.tell(`${where}/type`, `gravity of type ${JSON.stringify(gravity.type ?? null)} is not known, so it is left out`);
      else found.gravity = {
        type: gravity.type, gravity: number(gravity.gravity) ?? 9.80665, priority: number(gravity.priority) ?? 0,
        replace: gravity.replace === true, stop: gravity.stop === true, ...this.fields(gravity[gravity.type], field, `${where}/${gravity.type}`),
      };
    }
    if (isObject(said.OMI_vehicle_body)) found.vehicle = this.fields(said.OMI_vehicle_body, VEHICLE, `${place}/OMI_vehicle_body`);
    if (isObject(said.OMI_seat)) found.seat = said.OMI_seat;
    for (const [key, ext, list] of /** @type {const} */ ([["wheel", "OMI_vehicle_wheel", "wheels"], ["thruster", "OMI_vehicle_thruster", "thrusters"], ["hoverThruster", "OMI_vehicle_hover_thruster", "hoverThrusters"]])) {
      if (!isObject(said[ext])) continue;
      const index = this.index(said[ext][key], lists[list], `${place}/${ext}/${key}`);
      if (index !== null) found[key] = index;
    }
    return found;
  }
}

/** The physics of a file. @param {import("./gltf.js").Gltf} gltf @returns {Physics} */
export function readPhysics(gltf) {
  return new Reader(gltf).read();
}

const isObject = (/** @type {any} */ x) => typeof x === "object" && x !== null && !Array.isArray(x);
const asList = (/** @type {any} */ x) => /** @type {any[]} */ (Array.isArray(x) ? x : []);
const number = (/** @type {any} */ x) => (Number.isFinite(x) ? /** @type {number} */ (x) : null);

/** Whether a value is of the kind of another. @param {any} value @param {any} like */
function fits(value, like) {
  if (!Array.isArray(like)) return typeof value === typeof like && (typeof value !== "number" || Number.isFinite(value));
  return Array.isArray(value) && value.every(Number.isFinite) && (!like.length || value.length === like.length);
}
