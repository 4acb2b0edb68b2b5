// Loads many glTF files one after the other in three.js with Rapier, steps the physics of each, and
// writes where the bodies went. Run by engine_batches.py:
//
//     node batch_rapier.mjs FOLDER JOB.json
//
// FOLDER has build/client.mjs, which is three.js, Rapier and a reader of KHR_physics_rigid_bodies
// that others wrote. The job is that of batch_godot.gd; its files are .glb, or .gltf with all in them.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const [folder, jobPath] = process.argv.slice(2);
const job = JSON.parse(readFileSync(jobPath, "utf8"));
for (const level of ["log", "info", "debug", "warn", "error"]) console[level] = () => {};
// What three.js asks a browser for.
globalThis.self = globalThis;
globalThis.window = { innerWidth: 64, innerHeight: 64, addEventListener() {} };
globalThis.ProgressEvent ??= class { constructor(type, more) { Object.assign(this, { type }, more); } };

const TEXT = 0x4e4f534a;

// A file as the address of a .glb, which the reader wants, without materials: nothing here can decode images.
function address(file) {
  const raw = readFileSync(file), isBinary = file.endsWith(".glb"), size = isBinary ? raw.readUInt32LE(12) : 0;
  const json = JSON.parse((isBinary ? raw.subarray(20, 20 + size) : raw).toString("utf8"));
  for (const key of ["materials", "textures", "images", "samplers"]) delete json[key];
  for (const mesh of json.meshes ?? []) for (const primitive of mesh.primitives) delete primitive.material;
  const text = Buffer.from(JSON.stringify(json)), fill = Buffer.alloc((4 - (text.length % 4)) % 4, " ");
  const rest = isBinary ? raw.subarray(20 + size) : Buffer.alloc(0), head = Buffer.alloc(20);
  head.write("glTF", 0, "latin1");
  head.writeUInt32LE(2, 4);
  head.writeUInt32LE(20 + text.length + fill.length + rest.length, 8);
  head.writeUInt32LE(text.length + fill.length, 12);
  head.writeUInt32LE(TEXT, 16);
  return `data:model/gltf-binary;base64,${Buffer.concat([head, text, fill, rest]).toString("base64")}`;
}

const client = pathToFileURL(join(folder, "build/client.mjs")).href;
const answers = [];
for (const [k, file] of job.files.entries()) {
  const answer = { error: "", bodies: [] };
  try {
    globalThis.CLIENT_MODEL = address(file);
    // The reader keeps one scene for its page, so that each file gets a reader of its own.
    const { read, RAPIER } = await import(`${client}?${k}`);
    const { world, physicsNodes } = await read(-9.81, job.hz);
    const pose = (body) => {
      const { x, y, z } = body.translation(), turn = body.rotation();
      return [x, y, z, turn.x, turn.y, turn.z, turn.w].map((n) => (Number.isFinite(n) ? n : "nan"));
    };
    const kinds = { [RAPIER.RigidBodyType.Dynamic]: "RigidBody3D", [RAPIER.RigidBodyType.Fixed]: "StaticBody3D" };
    answer.bodies = physicsNodes.map(({ object, body }) => ({
      name: object.userData?.name ?? object.name, class: kinds[body.bodyType()] ?? "AnimatableBody3D", track: [pose(body)],
    }));
    const steps = Math.round(job.seconds * job.hz);
    for (let i = 1; i <= steps; i++) {
      world.step();
      if (i % job.every === 0) physicsNodes.forEach(({ body }, n) => answer.bodies[n].track.push(pose(body)));
    }
    world.free();
  } catch (error) { answer.error = String(error?.message ?? error); }
  answers.push(answer);
}
writeFileSync(job.out, JSON.stringify(answers));
process.exit(0);
