// Plays many glTF files one after the other with the reader of the page, and writes where the bodies
// went. Run by engine_batches.py:
//
//     node batch_page.mjs FOLDER JOB.json
//
// FOLDER is tools/page with what npm installed there. The job is that of batch_godot.gd.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";

const [folder, jobPath] = process.argv.slice(2);
const job = JSON.parse(readFileSync(jobPath, "utf8"));
const ownModule = createRequire(join(folder, "package.json"));
const initJolt = (await import(pathToFileURL(ownModule.resolve("jolt-physics")).href)).default;
const { load } = await import(pathToFileURL(join(folder, "reader/src/index.js")).href);
const Jolt = await initJolt();
const KINDS = { dynamic: "RigidBody3D", static: "StaticBody3D", kinematic: "AnimatableBody3D" };

const answers = job.files.map((file) => {
  const answer = { error: "", bodies: [] };
  try {
    const world = load(readFileSync(file), Jolt, { rate: job.hz });
    const place = (i) => world.pose(i).place.map((x) => (Number.isFinite(x) ? x : "nan"));
    answer.bodies = world.setup.bodies.map((body, i) => ({ name: body.name, class: KINDS[body.type], track: [place(i)] }));
    for (let i = 1; i <= Math.round(job.seconds * job.hz); i++) {
      world.advance();
      if (i % job.every === 0) answer.bodies.forEach((body, n) => body.track.push(place(n)));
    }
    world.free();
  } catch (error) { answer.error = String(error?.message ?? error); }
  return answer;
});
writeFileSync(job.out, JSON.stringify(answers));
process.exit(0);
