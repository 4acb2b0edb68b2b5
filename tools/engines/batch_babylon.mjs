// Loads many glTF files one after the other in Babylon.js with Havok, steps the physics of each,
// and writes where the bodies went. Run by engine_batches.py:
//
//     node batch_babylon.mjs FOLDER JOB.json
//
// FOLDER has build/client-mesh.mjs, which is Babylon.js with the loader of
// KHR_physics_rigid_bodies, and node_modules with Havok. The job is that of batch_godot.gd.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const [folder, jobPath] = process.argv.slice(2);
const job = JSON.parse(readFileSync(jobPath, "utf8"));
for (const level of ["log", "info", "debug", "warn", "error"]) console[level] = () => {};

// What the loader needs to read a file; there is no network.
globalThis.XMLHttpRequest = class {
  static DONE = 4;
  constructor() { this.readyState = 0; this.status = 0; this.listeners = {}; this.responseURL = ""; this.responseType = ""; }
  addEventListener(name, call) { (this.listeners[name] ??= new Set()).add(call); }
  removeEventListener(name, call) { this.listeners[name]?.delete(call); }
  tell(name) { this[`on${name}`]?.({}); for (const call of [...(this.listeners[name] ?? [])]) call.call(this, {}); }
  open(_method, url) { this.url = url; this.readyState = 1; }
  setRequestHeader() {} overrideMimeType() {} abort() {}
  getResponseHeader() { return null; } getAllResponseHeaders() { return ""; }
  get responseText() { return typeof this.response === "string" ? this.response : ""; }
  send() {
    setImmediate(() => {
      try {
        const bytes = readFileSync(fileURLToPath(this.url));
        this.status = 200; this.statusText = "OK"; this.responseURL = this.url;
        this.response = this.responseType === "arraybuffer"
          ? bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength)
          : this.responseType === "blob" ? new Blob([bytes]) : bytes.toString("utf8");
      } catch (error) { this.status = 404; this.statusText = error.message; }
      this.readyState = 4;
      for (const name of ["readystatechange", "load", "loadend"]) this.tell(name);
    });
  }
};

const B = await import(pathToFileURL(join(folder, "build/client-mesh.mjs")).href);
const modules = join(folder, "node_modules/@babylonjs/havok/lib/esm");
const { default: Havok } = await import(pathToFileURL(join(modules, "HavokPhysics_es.js")).href);
const havok = await Havok({ wasmBinary: readFileSync(join(modules, "HavokPhysics.wasm")) });
B.registerGLTFExtension("KHR_implicit_shapes", true, (l) => new B.KHR_ImplicitShapes_Plugin(l));
B.registerGLTFExtension("KHR_physics_rigid_bodies", true, (l) => new B.KHR_PhysicsRigidBodies_Plugin(l));

const kinds = { 0: "StaticBody3D", 1: "AnimatableBody3D", 2: "RigidBody3D" };
const answers = [];
for (const file of job.files) {
  const answer = { error: "", bodies: [] };
  const engine = new B.NullEngine({ renderWidth: 64, renderHeight: 64, textureSize: 64, deterministicLockstep: false, lockstepMaxSteps: 1 });
  try {
    const scene = new B.Scene(engine);
    scene.useRightHandedSystem = true;
    const plugin = new B.HavokPlugin(true, havok);
    scene.enablePhysics(new B.Vector3(0, -9.81, 0), plugin);
    await B.ImportMeshAsync(pathToFileURL(file).href, scene, {});
    const physics = scene.getPhysicsEngine();
    const bodies = physics.getBodies();
    const pose = (body) => {
      body.transformNode.computeWorldMatrix(true);
      const [, [position, rotation]] = havok.HP_Body_GetQTransform(body._pluginData.hpBodyId);
      return [...position, ...rotation].map((x) => (Number.isFinite(x) ? x : "nan"));
    };
    answer.bodies = bodies.map((body) => ({ name: body.transformNode.name, class: kinds[body.getMotionType()], track: [pose(body)] }));
    const steps = Math.round(job.seconds * job.hz);
    for (let i = 1; i <= steps; i++) {
      physics._step(1 / job.hz);
      if (i % job.every === 0) bodies.forEach((body, k) => answer.bodies[k].track.push(pose(body)));
    }
    scene.dispose();
  } catch (error) { answer.error = String(error?.message ?? error); }
  engine.dispose();
  answers.push(answer);
}
writeFileSync(job.out, JSON.stringify(answers));
process.exit(0);
